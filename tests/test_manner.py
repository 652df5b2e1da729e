"""Styles, terms switched off, errors: each in a situation made by hand, and all of them as data of one part."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agents
from agents import parts
from agents.holding import IN_PASS, IN_PLAY, parting
from agents.knowledge import cards_out, held, read_suit, read_table
from agents.manner import ALWAYS_ERRS, STYLES, TERMS, errs, manner_of, part_code, part_of, terms_off
from agents.moon_attempt import attempt_odds, tries_moon
from agents.moon_defence import find_threat
from agents.rule_player import SETUPS
from agents.trick_cost import lead_spade
from rk_env import Engine, Rules
from rk_env.cards import bitboard, parse_card
from rk_env.players import choose, decision_seeds
from tests.sketch import choice, sketch, sketch_pass

CAREFUL, HUNTER, STOPPER, BLEEDER = (manner_of(0, style) for style in range(4))


def plays(player: str, hand: str, **situation: Any) -> str:
    """Return the card that a player plays in a sketch."""
    return choice(agents.make(player), sketch(hand, **situation))


# Codes.


def test_a_code_holds_number_terms_and_errors() -> None:
    for number in range(len(parts.PASSINGS)):
        for term in TERMS:
            code = part_code(number, [term], 0.125)
            assert (part_of(code), terms_off(code)) == (number, 1 << TERMS.index(term))
            assert code < 2**31
    assert part_code(5, TERMS, 1.0) < 2**31
    assert [part_code(number) for number in range(9)] == list(range(9))


def test_the_numbers_of_parts_stay() -> None:
    """Results and other programs name parts by number."""
    assert parts.PASSINGS[:4] == ("danger@1", "high_cards@1", "void_first@1", "random@1")
    assert parts.PLAYINGS[:3] == ("careful@1", "duck@1", "random@1")
    assert len(STYLES) == 1 + len(parts.PLAYINGS) - parts.FIRST_STYLE
    for setup in SETUPS.values():
        assert setup.passing in parts.PASSINGS and setup.playing in parts.PLAYINGS


def test_the_page_of_agents_tells_of_everything_that_has_a_name() -> None:
    page = (Path(agents.__file__).parent / "README.md").read_text(encoding="utf-8")
    for name in (*SETUPS, *TERMS, *parts.PASSINGS, *parts.PLAYINGS):
        assert f"`{name.partition('@')[0]}" in page, name


# Errors.


def test_errors_come_as_often_as_asked_and_from_the_seed() -> None:
    seeds = np.arange(20_000, dtype=np.uint64)
    for noise in (0.0, 0.1, 0.5, 1.0):
        erring = [errs(part_code(0, (), noise), seed) for seed in seeds]
        assert abs(np.mean(erring) - noise) < 0.01
        assert erring == [errs(part_code(3, ("voids",), noise), seed) for seed in seeds]
    assert ALWAYS_ERRS == 1000


@pytest.mark.parametrize("name", ["rule_based", "ducker"])
def test_a_player_that_always_errs_is_random_in_pass_and_play(name: str) -> None:
    rules = Rules(passing="left")
    engine = Engine(rules, 300, seed=2, episode="hand")
    erring, chance = agents.make(name, noise=1), agents.make(name, passing="random", playing="random")
    player = agents.make(name)
    n_other = 0
    while (engine.turn >= 0).any():
        seeds = decision_seeds(1, np.arange(300), engine.games)
        actions = erring.act(engine.games, rules, seeds)
        np.testing.assert_array_equal(actions, chance.act(engine.games, rules, seeds))
        n_other += int((actions != player.act(engine.games, rules, seeds)).sum())
        engine.step(actions)
    assert n_other > 5000


def test_a_player_that_seldom_errs_mostly_does_what_it_would() -> None:
    engine = Engine(Rules(), 4000, seed=3, episode="hand")
    seeds = decision_seeds(1, np.arange(4000), engine.games)
    sure = agents.make("rule_based").act(engine.games, engine.rules, seeds)
    erring = agents.make("rule_based", noise=0.2).act(engine.games, engine.rules, seeds)
    free = engine.action_mask().sum(axis=1) > 1
    assert 0.15 < (sure != erring)[free].mean() < 0.2
    legal = engine.action_mask()
    place = np.array([legal[i, : erring[i]].sum() / legal[i].sum() for i in np.flatnonzero(sure != erring)])
    assert 0.4 < np.median(place) < 0.6  # what is done by error has nothing to do with there being one


# Styles.


HUNTED = "AH KH QH 10H 9H AS KS 10S AC 9C AD 9D 4D"
"""A hand that is a little too weak for the careful player."""


def test_the_hunter_tries_moons_that_the_careful_player_does_not() -> None:
    rules = Rules()
    r = rules.array[0]

    def tries(hand: str) -> tuple[bool, bool]:
        g = sketch(hand)[0]
        t = read_table(g, r)
        return tries_moon(g, r, t, CAREFUL.hunt), tries_moon(g, r, t, HUNTER.hunt)

    assert tries("AH KH QH JH 10H AS KS QS AC KC AD KD QD") == (True, True)
    assert tries(HUNTED) == (False, True)
    assert tries("2H 3H QH JH 10H 2S KS QS 4C KC 5D KD QD") == (False, False)


def test_the_hunter_plays_for_the_moon_in_time() -> None:
    situation: dict[str, Any] = {"taken": {0: "QS 2H 3H 4H"}, "trick": 6, "broken": True}
    assert plays("moon_hunter", "3D 4D 6D AD 5S QH AH", **situation) == "AH"
    assert plays("rule_based", "3D 4D 6D AD 5S QH AH", **situation) == "5S"


def test_the_stopper_takes_points_sooner() -> None:
    situation: dict[str, Any] = {"table": "5C 7C", "taken": {1: "QS 2H 3H 4H"}, "trick": 6}
    hand = "AH KH 3H 9D 8D 6D 5D"
    assert plays("rule_based", hand, **situation) != "3H"
    g, r = sketch(hand, **situation)[0], Rules().array[0]
    odds = [find_threat(g, r, manner.stop).odds for manner in (CAREFUL, STOPPER)]
    assert odds[1] == pytest.approx(3 * odds[0])


def test_the_stopper_pays_for_the_end_of_a_moon() -> None:
    situation: dict[str, Any] = {"table": "JH QH", "taken": {3: "QS 2H 3H KC"}, "trick": 5}
    hand = "KH 3H 2C 3C 5C 4D 5D 6D"
    assert plays("rule_based", hand, **situation) == "3H"
    assert plays("moon_stopper", hand, **situation) == "KH"


def test_the_bleeder_leads_low_spades_while_it_has_none_above_the_black_card() -> None:
    low = "2C 7D 9S 10S JS 4H JH AH"
    assert plays("spade_bleeder", low, trick=5) in ("JS", "10S", "9S")
    assert plays("rule_based", low, trick=5) == "2C"
    for hand in (low.replace("JS", "KS"), low.replace("JS", "QS")):
        assert plays("spade_bleeder", hand, trick=5) == plays("rule_based", hand, trick=5)
    assert plays("spade_bleeder", low, trick=5, taken={1: "QS"}) == plays("rule_based", low, trick=5, taken={1: "QS"})


# Terms.


def worth(hand: str, card: str, off: tuple[str, ...], stage: int) -> float:
    """Return what it is worth to be rid of a card, without some terms."""
    g, r = sketch(hand)[0], Rules().array[0]
    number = parse_card(card)
    s = read_suit(g, r, held(g), cards_out(g, r), number // 13)
    holds_black = bool(bitboard(hand) & r["black"] & ~bitboard([number]))
    return float(parting(r, s, number, holds_black, stage, terms_off(part_code(0, off))))


@pytest.mark.parametrize("stage", [IN_PLAY, IN_PASS])
@pytest.mark.parametrize("term", TERMS)
def test_a_term_changes_the_worth_of_its_cards_alone(term: str, stage: int) -> None:
    minded = {
        ("voids", IN_PLAY): {"7D"},
        ("voids", IN_PASS): {"7D"},
        ("keep_low", IN_PLAY): {"2H", "3S", "7D"},
        ("keep_low", IN_PASS): {"2H", "3S", "7D"},
        ("throw_spades", IN_PLAY): {"KS"},
        ("pass_spades", IN_PASS): {"KS"},
        ("pass_hearts", IN_PASS): {"2H", "9H", "AH"},
    }
    hand = "7D KS 9S 3S 2H 9H AH"
    changed = {card for card in hand.split() if worth(hand, card, (term,), stage) != worth(hand, card, (), stage)}
    assert changed == minded.get((term, stage), set())


def test_the_black_card_is_passed_for_its_danger_only_with_the_term() -> None:
    hand = "QS 9S 2C 3C 4C"
    assert worth(hand, "QS", ("pass_spades",), IN_PASS) != worth(hand, "QS", (), IN_PASS)
    assert worth(hand, "QS", ("throw_spades", "pass_spades"), IN_PLAY) == worth(hand, "QS", (), IN_PLAY)


def test_without_counting_spades_a_high_one_is_led_and_played() -> None:
    assert plays("rule_based", "KS 3D 9C", trick=10, table="9S") == "KS"  # the only spade
    assert plays("rule_based", "KS 5S 9C", trick=10, table="9S") == "5S"
    r = Rules().array[0]
    g = sketch("KS 3S")[0]
    s = read_suit(g, r, held(g), cards_out(g, r), 2)
    assert lead_spade(r, s, parse_card("KS"), manner_of(part_code(0, ["count_spades"]), 0)) == 0.0
    assert lead_spade(r, s, parse_card("3S"), manner_of(part_code(0, ["flush_spades"]), 0)) == 0.0
    hand = "KS 2S 9C JC QC"
    assert plays("rule_based", hand, trick=8, table="JS") == "2S"
    assert plays("rule_based:without=count_spades", hand, trick=8, table="JS") == "KS"


def test_without_low_leads_high_cards_are_led() -> None:
    hand = "2C KC 2D AD"
    assert plays("rule_based", hand, trick=8) in ("2C", "2D")
    assert plays("rule_based:without=lead_low", hand, trick=8) in ("KC", "AD")


def test_without_stopping_a_moon_is_let_through() -> None:
    taken = {2: "QS 2H 3H 4H 5H 6H 7H 8H 9H 10H KC AC KD AD"}
    assert plays("rule_based", "KH 2C 3C", table="JH QH", taken=taken, trick=10) == "KH"
    g, r = sketch("KH 2C 3C", table="JH QH", taken=taken, trick=10)[0], Rules().array[0]
    assert find_threat(g, r, manner_of(part_code(0, ["stop_moon"]), 0).stop).odds == 0.0
    hand = "AH 2D KD"
    situation: dict[str, Any] = {"table": "5C AC", "taken": {3: "QS 2H 3H 4H 5H 6H 7H 8H 9H 10H"}, "trick": 10}
    assert plays("rule_based", hand, **situation) != "AH"
    assert plays("rule_based:without=stop_moon", hand, **situation) == "AH"


def test_without_trying_no_moon_is_tried() -> None:
    hand = "AH KH QH JH 10H AS KS QS AC KC AD KD QD"
    g, r = sketch(hand)[0], Rules().array[0]
    t = read_table(g, r)
    assert attempt_odds(g, r, t) > 0
    for style in range(4):
        assert not tries_moon(g, r, t, manner_of(part_code(0, ["try_moon"]), style).hunt)


def test_without_keeping_the_moon_a_moon_hand_is_passed() -> None:
    hand = "AH KH QH JH 10H 9H AS KS AC KC AD KD 2D"
    assert "2D" in sketch_pass(agents.make("rule_based"), hand)
    assert "2D" not in sketch_pass(agents.make("rule_based:without=keep_moon"), hand)


@pytest.mark.parametrize("term", TERMS)
def test_every_term_matters_somewhere(term: str) -> None:
    players = [agents.make("rule_based"), agents.make("rule_based", without=[term])]
    engine = Engine(Rules(passing="left"), 1000, seed=11, episode="hand")
    lineup = np.zeros((1000, 4), np.int64)
    differ = {"pass": 0, "play": 0}
    while (engine.turn >= 0).any():
        seeds = np.zeros(1000, np.uint64)
        actions = choose(engine, players, lineup, seeds)
        stage = "pass" if (engine.phase == 0).any() else "play"
        differ[stage] += int((actions != players[1].act(engine.games, engine.rules, seeds)).sum())
        engine.step(actions)
    assert (differ["pass"] > 0) == any(term in terms for terms in parts.TERMS_OF_PASSING.values())
    assert (differ["play"] > 0) == any(term in terms for terms in parts.TERMS_OF_PLAYING.values())
