"""The rules of `rule_based`, each in a situation made by hand; and how strong they make the player."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agents
from agents.holding import IN_PASS, IN_PLAY, parting, risk_of
from agents.knowledge import BLACK_OUT, BLACK_OWN, HEART, PLAIN, cards_out, held, read_suit, read_table, win_chance
from agents.manner import manner_of
from agents.moon_attempt import careless_plays, hand_losers, tries_moon
from agents.moon_defence import find_threat
from agents.trick_cost import black_to_come, lead_spade
from rk_env import Engine, Rules
from rk_env.cards import bitboard, bitboard_cards, bitboard_text, parse_card, parse_cards
from rk_env.players import choose, decision_seeds
from tests.sketch import choice, sketch, sketch_pass

OMNIBUS = Rules(bonus_cards=("JD", "10D"))
BLACK_JACK = Rules(black_card="JS")
RULE_BASED = agents.make("rule_based")
CAREFUL = manner_of(0, 0)
NOTHING_OFF = CAREFUL.off


def plays(hand: str, rules: Rules | None = None, **situation: Any) -> str:
    """Return the card that `rule_based` plays in a sketch."""
    return choice(RULE_BASED, sketch(hand, rules, **situation), rules)


def worth(hand: str, card: str, *, stage: int = IN_PLAY, rules: Rules | None = None, **situation: Any) -> float:
    """Return what it is worth to be rid of a card in a sketch."""
    r = (rules or Rules()).array[0]
    number = parse_card(card)
    holds_black = bool(bitboard(hand) & r["black"] & ~bitboard([number]))
    return float(parting(r, suit(hand, number // 13, rules, **situation), number, holds_black, stage, NOTHING_OFF))


def suit(hand: str, index: int, rules: Rules | None = None, **situation: Any) -> Any:
    """Return what is known of a suit in a sketch."""
    rules = rules or Rules()
    g, r = sketch(hand, rules, **situation)[0], rules.array[0]
    return read_suit(g, r, held(g), cards_out(g, r), index)


# Counting what is out.


def test_cards_out_are_those_neither_held_nor_seen() -> None:
    g = sketch("2C QS", table="9D 10D", taken={1: "AC KC", 2: "3C 4C"})[0]
    out = bitboard_text(cards_out(g, Rules().array[0]).once).split()
    assert len(out) == 44
    assert not {"2C", "QS", "9D", "10D", "AC", "KC", "3C", "4C"} & set(out)


@pytest.mark.parametrize("players", [3, 5, 6])
def test_cards_out_of_the_deck_are_not_out(players: int) -> None:
    rules = Rules(players=players)
    g = sketch("AC AD", rules)[0]
    out = cards_out(g, rules.array[0])
    assert bitboard_cards(out.once) == [card for card in rules.deck if card not in parse_cards("AC AD")]
    assert out.twice == 0


def test_players_who_failed_to_follow_hold_none_of_the_suit() -> None:
    spades = suit("2C 3S", 2, voids={1: "SD", 3: "S"}, table="5C 6C")
    assert (spades.holders, spades.later) == (1, 0)  # seat 2, which has played to this trick
    assert suit("2C 3S", 1, voids={1: "SD", 3: "S"}, table="5C 6C").later == 0
    assert suit("2C 3S", 3, voids={1: "SD", 3: "S"}, table="5C").later == 2


def test_kinds_of_suits() -> None:
    assert suit("2C 3S", 2).kind == BLACK_OUT
    assert suit("2C QS", 2).kind == BLACK_OWN
    assert suit("2C 3S", 2, taken={1: "QS"}).kind == PLAIN
    assert suit("2C QS", 2, BLACK_JACK).kind == BLACK_OUT
    assert [suit("2C QS", index).kind for index in (0, 1, 3)] == [PLAIN, PLAIN, HEART]


def test_chance_to_win() -> None:
    assert win_chance(5, 0, 3, 3, 0.5) == 1.0
    assert win_chance(0, 5, 3, 0, 0.5) == 1.0
    assert win_chance(0, 5, 1, 1, 0.5) == 0.0
    assert win_chance(0, 1, 2, 1, 1.0) == 0.5
    chances = [win_chance(lower, 12 - lower, 3, 3, 0.5) for lower in range(13)]
    assert chances == sorted(chances) and chances[0] < 0.01
    later = [win_chance(6, 6, 3, n, 0.5) for n in range(4)]
    assert later == sorted(later, reverse=True)
    assert win_chance(6, 6, 3, 3, 0.9) > win_chance(6, 6, 3, 3, 0.1)  # who ducks does not beat it


# The hand.


def test_black_card_is_kept_with_guards_and_shed_without() -> None:
    worths = [worth("QS " + guards + "2D 3D", "QS") for guards in ("", "9S ", "9S 8S ", "9S 8S 7S ", "9S 8S 7S 5S ")]
    assert worths == sorted(worths, reverse=True)
    assert worths[0] > 0 > worths[-1]


def test_high_spades_are_covered_while_the_black_card_is_out() -> None:
    assert worth("KS 2D", "KS") > worth("KS 9S 5S 2D", "KS") > worth("KS 9S 8S 7S 5S 2D", "KS")
    assert worth("KS 2D 3D", "KS") > worth("KS 2D 3D", "KS", taken={1: "QS"})
    assert worth("QS 2D", "QS", rules=BLACK_JACK) > worth("QS 9S 7S 6S 5S 2D", "QS", rules=BLACK_JACK)


def test_risky_cards_are_shed_and_low_ones_kept() -> None:
    for hand in ("2D 7D AD", "2H 7H AH"):
        low, middle, high = (worth(hand, card) for card in hand.split())
        assert low < middle < high
    assert worth("2D 7D AD", "2D") < worth("2D 7D AD", "7D")


def test_cards_of_a_suit_that_nobody_else_holds_are_worth_nothing() -> None:
    assert worth("AD KD", "AD", taken={1: "2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD"}) == 0.0


def test_a_suit_is_emptied() -> None:
    assert worth("7D 5C 6C 8C", "7D") > worth("7D 8D 9D 5C 6C 8C", "7D")
    assert worth("7D 5C 6C QS", "7D") > worth("7D 5C 6C KS", "7D")  # the more with the black card to discard


def test_bonus_cards_and_their_catchers_are_kept() -> None:
    assert worth("JD 2C", "JD", rules=OMNIBUS) < 0 < worth("JD 2C", "JD")
    assert worth("AD 2C", "AD", rules=OMNIBUS) < worth("AD 2C", "AD")
    assert plays("JD 10D 9H 8C", OMNIBUS, table="5S 6S", taken={1: "QS"}, trick=6) == "9H"


# The pass.


@pytest.mark.parametrize(
    ("hand", "passed"),
    [
        ("QS 2S 3C 4C 5C 7C 8C 3D 4D 5D 2H 3H 4H", "QS"),  # a black card with one guard goes
        ("AS KS 4C 5C 6C 9C 3D 4D 6D 2H 3H 4H 7H", "AS KS"),  # so do spades above it
        ("AH KH 2C 3C 4C 5C 6C 2D 3D 5D 6D 2S 3S", "AH KH"),  # high hearts
        ("KD 2C 3C 4C 5C 6C 2S 3S 4S 2H 3H 4H 5H", "KD"),  # a lone high card
    ],
)
def test_dangerous_cards_are_passed(hand: str, passed: str) -> None:
    assert set(passed.split()) <= set(sketch_pass(RULE_BASED, hand))


@pytest.mark.parametrize(
    ("hand", "kept"),
    [
        ("QS 10S 9S 7S 5S 2S KC QC 9C AD JD 3H 2H", "QS 10S 9S 7S 5S 2S"),  # a guarded black card and its guards
        ("2S 3S 4S 2C 3C KC QC AD KD 9D 2H 3H AH", "2S 3S 4S 2C 3C 2H 3H"),  # low cards
    ],
)
def test_safe_cards_are_kept(hand: str, kept: str) -> None:
    assert not set(kept.split()) & set(sketch_pass(RULE_BASED, hand))


def test_the_direction_of_the_pass_matters_for_the_black_card() -> None:
    hands = ["QS 9S 4S 3C 4C 9C KC 3D 5D QD 2H 4H 7H", "QS 8S 3S 2S 6C 9C JC 3D 9D QD 2H 6H 9H"]
    passed = {n: sum("QS" in sketch_pass(RULE_BASED, hand, hand_number=n) for hand in hands) for n in (1, 2)}
    assert passed[1] <= passed[2]


MOON_HAND = "AH KH QH JH 10H 9H AS KS AC KC AD KD 2D"


def test_a_moon_hand_keeps_its_high_cards() -> None:
    passed = sketch_pass(RULE_BASED, MOON_HAND)
    assert "2D" in passed
    assert not {"AH", "KH", "QH", "JH", "AS"} & set(passed)


def test_void_first_empties_the_shortest_suit() -> None:
    assert sketch_pass(agents.make("rule_based:passing=void_first"), "2C 9C 3D 4D 5D QD 2S 3S 4S AS 2H 3H AH")[:2] == [
        "9C",
        "2C",
    ]


# The trick.


def test_ducks_as_high_as_it_can() -> None:
    assert plays("3C 9C JC AC 2D", table="5C QC", trick=7) == "JC"


def test_the_last_player_wins_by_the_highest_card_when_it_cannot_duck() -> None:
    assert plays("JC AC 3D 2H 3H", table="5C 6C 10C", trick=8) == "AC"
    assert plays("JH AH 3D 4D", table="5H 6H 10H", taken={1: "QS", 2: "4H"}, trick=9) == "AH"


def test_a_trick_with_points_is_left_to_others() -> None:
    assert plays("3C AC 2D 5D", table="5C 9H 10C", taken={1: "QS 2H", 2: "4H"}) == "3C"
    assert plays("3C KC 2D 5D", table="5C QS 10C", taken={1: "3H 2H", 2: "4H"}) == "3C"


def test_the_black_card_is_dropped_under_a_higher_spade() -> None:
    assert plays("QS 2S JS 5D", table="KS", trick=4) == "QS"
    assert plays("QS 2S JS 5D", table="10S", trick=4) != "QS"
    assert plays("JS 2S QS 5D", BLACK_JACK, table="KS", trick=4) == "JS"


@pytest.mark.parametrize(
    ("hand", "discarded"),
    [("QS 9S KH AD 2D", "QS"), ("KS 9D 2D 3H 4H", "KS"), ("AH 2H 3D 4D 5S", "AH"), ("AD 2D 3D 2H 2S", "AD")],
)
def test_the_most_dangerous_card_is_discarded(hand: str, discarded: str) -> None:
    assert plays(hand, table="5C 9C", taken={1: "JH", 2: "10H"}) == discarded


def test_no_high_spade_is_led_while_the_black_card_is_out() -> None:
    assert plays("KS 3D 5D 9C", trick=5) != "KS"
    spades = suit("KS 3S", 2)
    r = Rules().array[0]
    assert lead_spade(r, spades, parse_card("KS"), CAREFUL) > 0 > lead_spade(r, spades, parse_card("3S"), CAREFUL)


def test_low_spades_flush_the_black_card() -> None:
    assert plays("3S 9S JS 9D JD QD 10C QC", trick=5) in ("3S", "9S", "JS")
    r = Rules().array[0]
    card = parse_card("3S")
    assert lead_spade(r, suit("3S 9S", 2), card, CAREFUL) < lead_spade(r, suit("3S KS", 2), card, CAREFUL)
    assert lead_spade(r, suit("3S 9S", 2, taken={1: "QS"}), card, CAREFUL) == 0.0


def test_the_receiver_of_a_passed_black_card_is_known() -> None:
    rules = Rules()
    for hand_number, chance in ((1, 1.0), (2, 0.0)):  # given to the left: still to play; to the right: has played
        g = sketch("KS 5S 2D", table="9S", passed="QS 2H 3H", hand_number=hand_number)[0]
        assert black_to_come(g, rules.array[0], suit("KS 5S 2D", 2, table="9S")) == chance
    g = sketch("KS 5S 2D", table="9S")[0]
    assert black_to_come(g, rules.array[0], suit("KS 5S 2D", 2, table="9S")) == pytest.approx(2 / 3)


def test_leads_a_card_that_others_must_beat() -> None:
    assert plays("2C KC 2D AD", trick=8) in ("2C", "2D")


def test_bonus_cards_are_caught() -> None:
    assert plays("QD 2D 3C 4C 5S", OMNIBUS, table="3D JD 9D", trick=3) == "QD"
    assert plays("JD 2D 3C 4C 5S", OMNIBUS, table="3D 4D 9D", trick=3) == "JD"
    assert plays("JD 2D 3C 4C 5S", OMNIBUS, table="3D QD", trick=3) == "2D"


# Moons of others.


def test_a_threat_is_a_player_with_all_points_so_far() -> None:
    rules = Rules()

    def threat(**situation: Any) -> Any:
        return find_threat(sketch("2C 3C 4C 5C 6C", rules, **situation)[0], rules.array[0], CAREFUL.stop)

    assert threat().seat == -1
    assert threat(taken={2: "2H 3H"}).seat == 2
    assert threat(taken={2: "2H", 1: "3H"}).seat == -1
    assert threat(taken={0: "2H"}).seat == -1
    small, large = threat(taken={2: "2H 3H"}), threat(taken={2: "2H 3H 4H 5H 6H 7H 8H QS"})
    assert 0.0 < small.odds < large.odds < 1.0


SHOOTER = {2: "QS 2H 3H 4H 5H 6H 7H 8H 9H 10H KC AC KD AD"}


def test_a_moon_is_stopped_by_taking_a_heart() -> None:
    assert plays("KH 2C 3C", table="JH QH", taken=SHOOTER, trick=10) == "KH"
    assert plays("AC 2C 3D", table="5C JH 7C", taken={1: "KC QC JC QS 2H 3H 4H 5H 6H 7H 8H 9H 10H"}, trick=10) == "AC"


def test_a_penalty_card_goes_to_another_player_to_stop_a_moon() -> None:
    assert (
        plays("AH 9D 8D", table="5C 7C", taken={1: "QS 2H 3H 4H 5H 6H 7H 8H 9H 10H"}, trick=10) == "AH"
    )  # seat 3 wins it


def test_a_high_heart_is_kept_against_a_moon() -> None:
    hand = "AH 2D KD"
    assert plays(hand, table="5C AC", taken={3: "QS 2H 3H 4H 5H 6H 7H 8H 9H 10H"}, trick=10) != "AH"
    assert plays(hand, table="5C AC", taken={3: "QS 2H 3H 4H 5H 6H 7H 8H", 1: "9H 10H"}, trick=10) == "AH"


# A moon of one's own.


def test_losers_are_counted_from_the_top() -> None:
    rules = Rules()

    def losers(hand: str, **situation: Any) -> Any:
        g, r = sketch(hand, rules, **situation)[0], rules.array[0]
        return hand_losers(g, r, held(g), cards_out(g, r))

    assert losers("AH KH QH JH").total == 0.0
    assert losers("AH KH QH JH AC").card == parse_card("AC")
    worst = losers("AH KH 2D KS")
    assert worst.card == parse_card("2D")
    assert worst.total > worst.worst > worst.second > worst.third == 0.0
    assert losers("AC 2C", taken={1: "3C 4C 5C 6C 7C 8C 9C 10C JC QC KC"}).total == 0.0


def try_moon(hand: str, **situation: Any) -> bool:
    rules = situation.pop("rules", Rules())
    g, r = sketch(hand, rules, **situation)[0], rules.array[0]
    return bool(tries_moon(g, r, read_table(g, r), CAREFUL.hunt))


def test_the_moon_is_tried_with_winners_only_and_while_it_is_open() -> None:
    assert try_moon("AH KH QH JH 10H AS KS QS AC KC AD KD QD")
    assert not try_moon("2H 3H QH JH 10H 2S KS QS 4C KC 5D KD QD")
    assert try_moon("AH KH QH", taken={0: "QS 2H 3H"})
    assert not try_moon("AH KH QH", taken={0: "QS 2H 3H", 1: "4H"})


def test_a_moon_that_needs_bonus_cards_is_over_when_another_has_one() -> None:
    rules = Rules(bonus_cards=("JD",), moon_needs_bonus=True)
    assert try_moon("AH KH QH", rules=rules, taken={0: "QS 2H 3H"})
    assert not try_moon("AH KH QH", rules=rules, taken={0: "QS 2H 3H", 1: "JD"})
    assert try_moon("AH KH QH", rules=OMNIBUS, taken={0: "QS 2H 3H", 1: "JD"})


def test_a_shooter_runs_winners_and_takes_points() -> None:
    taken = {0: "QS 2H 3H 4H 5H 6H 7H 8H KS AS"}
    assert plays("AH KH QH JH 2C", taken=taken, broken=True) in ("AH", "KH", "QH", "JH")
    assert plays("AC KC AH KH QH", table="5C 9H", taken=taken) in ("AC", "KC")


def test_a_shooter_discards_no_penalty_card() -> None:
    taken = {0: "QS 2H 3H 4H 5H 6H 7H 8H KS AS"}
    assert plays("AH KH QH JH 2D", table="5C 7C", taken=taken) == "2D"


def test_careless_plays_are_counted() -> None:
    def count(*cards: str) -> float:
        g = sketch("2H 3H 4H", trick=2)[0]
        for i, card in enumerate(cards):
            g["plays"][i], g["play_seats"][i] = parse_card(card), (1 + i) % 4
        g["n_plays"] = len(cards)
        return float(careless_plays(g, Rules().array[0]))

    opening = ("2C", "5C", "7C", "9C")
    assert count(*opening) == 0.0
    assert count(*opening, "3D", "4D", "5D", "6D") == 0.0
    assert count(*opening, "AD") == 1.0  # a high lead
    assert count(*opening, "3D", "2S") == 1.0  # a low discard
    assert count(*opening, "3D", "QS") == 0.0  # a penalty card is a good discard
    assert count(*opening, "3D", "4D", "AC") == 0.3


# Strength. The figures of the target table are measured on more deals than a test can play.


def mean_payoff(opponent: str, rules: Rules, deals: int, seed: int) -> tuple[float, float]:
    """Return `rule_based`'s mean payoff and points against a field, each deal once in every seat."""
    players = rules.players
    seeds = np.repeat(np.random.default_rng(seed).integers(0, 2**63, deals, dtype=np.uint64), players)
    engine = Engine(rules, seeds=seeds, episode="hand")
    index, seat = np.arange(deals * players), np.arange(deals * players) % players
    lineup = np.ones((deals * players, players), np.int64)
    lineup[index, seat] = 0
    while (engine.turn >= 0).any():
        actions = choose(
            engine, [RULE_BASED, agents.make(opponent)], lineup, decision_seeds(seed, index // players, engine.games)
        )
        engine.step(actions)
    return float(engine.payoffs[index, seat].mean()), float(engine.hand_scores[index, seat].mean())


def test_strength_against_random_players() -> None:
    payoff, points = mean_payoff("random", Rules(), 500, seed=1)
    assert payoff > 6.5
    assert points < 1.9


@pytest.mark.parametrize(("players", "target"), [(3, 4.0), (4, 3.0), (5, 1.5), (6, 0.8)])
def test_strength_against_duckers(players: int, target: float) -> None:
    payoff, _ = mean_payoff("ducker", Rules(players=players), 500, seed=1)
    assert payoff > target


@pytest.mark.parametrize("rules", [OMNIBUS, BLACK_JACK, Rules(first_trick="off"), Rules(passing="none", moon="new")])
def test_strength_under_variants(rules: Rules) -> None:
    payoff, _ = mean_payoff("ducker", rules, 300, seed=2)
    assert payoff > 1.5


def test_risk_is_the_chance_to_win_a_round() -> None:
    diamonds = suit("2D 7D AD", 1)
    assert risk_of(diamonds, parse_card("AD")) == 1.0
    assert risk_of(diamonds, parse_card("2D")) < 0.02
    assert worth("2D 7D AD", "AD", stage=IN_PASS) > worth("2D 7D AD", "2D", stage=IN_PASS)
