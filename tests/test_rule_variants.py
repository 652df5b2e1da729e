"""What `rule_based` knows of two decks and of play-offs, each rule in a situation made by hand; and its strength."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import agents
from agents.holding import risk_of
from agents.knowledge import Cards, above, cards_out, count, held, kitty_points, read_suit, read_table, without
from agents.moon_attempt import tries_moon
from agents.moon_defence import find_threat
from agents.trick_cost import black_discarded, black_to_come, chance_to_win
from rk_env import Engine, Rules
from rk_env.cards import bitboard_text, parse_card
from rk_env.players import choose, decision_seeds
from tests.generators import random_cards
from tests.sketch import cards, choice, planes, sketch, sketch_pass

TWO_DECKS = Rules(players=8, decks=2)
SEVEN = Rules(players=7, decks=2)
TWO_LEFT = (0, 2)
SET_ASIDE = Rules(two_hand_deal=13)
RULE_BASED = agents.make("rule_based")


def plays(hand: str, rules: Rules = TWO_DECKS, **situation: Any) -> str:
    return choice(RULE_BASED, sketch(hand, rules, **situation), rules)


def suit(hand: str, index: int, rules: Rules = TWO_DECKS, **situation: Any) -> Any:
    g, r = sketch(hand, rules, **situation)[0], rules.array[0]
    return read_suit(g, r, held(g), cards_out(g, r), index)


def chance(hand: str, card: str, rules: Rules = TWO_DECKS, **situation: Any) -> float:
    """Return the chance that a card wins the trick."""
    g, r = sketch(hand, rules, **situation)[0], rules.array[0]
    s = read_suit(g, r, held(g), cards_out(g, r), parse_card(card) // 13)
    return float(chance_to_win(g, r, read_table(g, r), s, parse_card(card)))


def out(hand: str, rules: Rules = TWO_DECKS, **situation: Any) -> tuple[set[str], set[str]]:
    """Return the cards that are out, and those of which both copies are."""
    found = cards_out(sketch(hand, rules, **situation)[0], rules.array[0])
    assert found.twice & ~found.once == 0
    return set(bitboard_text(found.once).split()), set(bitboard_text(found.twice).split())


# Copies.


def test_cards_with_copies_are_counted() -> None:
    hand = Cards(*planes("QS QS 2S KS"))
    assert count(hand) == 4
    assert above(parse_card("JS"), hand) == 3
    assert above(parse_card("QS"), hand) == 1
    assert without(hand, parse_card("QS")) == Cards(*planes("QS 2S KS"))
    assert without(hand, parse_card("2S")) == Cards(*planes("QS QS KS"))


def test_a_card_is_out_until_both_copies_have_been_seen() -> None:
    once, twice = out("QS QS 2C", table="9D 10D", taken={1: "AC AC KC", 2: "KC 2C"}, waiting="3D 4D 9D")
    assert set(cards("QS 9D AC KC 2C")) & once == set()
    assert set(cards("10D 3D 4D")) <= once - twice
    assert len(once) == 52 - 5
    assert len(once) + len(twice) == 104 - 13


def test_who_has_taken_the_kitty_knows_it() -> None:
    for taker in (0, 3):
        once, twice = out("2C 3C", SEVEN, kitty="QS QS 4D" if taker == 0 else "", kitty_taker=taker)
        assert ("QS" in once, "4D" in twice) == ((False, False) if taker == 0 else (True, True))


def test_a_play_off_of_fewer_than_six_has_one_deck() -> None:
    once, twice = out("2C 3C", in_play=(0, 1, 3, 6))
    assert len(once) == 50 and not twice


def test_both_copies_are_passed() -> None:
    passed = sketch_pass(RULE_BASED, "AS AS KS 2C 3C 4C 5C 2D 3D 4D 5D 2H 3H", TWO_DECKS)
    assert sorted(passed) == cards("AS AS KS")
    void_first = agents.make("rule_based:passing=void_first")
    assert sketch_pass(void_first, "2C 2C 9C 9C 3D 4D 5D QD 2S 3S 2H 2H AH", TWO_DECKS)[:2] == cards("3S 2S")


# Cards that cancel (X4).


def test_a_card_whose_copy_is_out_may_be_cancelled() -> None:
    ace = parse_card("AD")
    assert risk_of(suit("AD 2D", 1), ace) == 0.5
    assert risk_of(suit("AD AD 2D", 1), ace) == risk_of(suit("AD 2D", 1, taken={1: "AD"}), ace) == 1.0
    assert risk_of(suit("AD 2D", 1, rules=Rules()), ace) == 1.0


def test_a_card_equal_to_the_winning_one_does_not_win() -> None:
    assert chance("JD 2D", "JD", table="3D JD") == 0.0
    assert plays("JD 2D 5C 6C 7C 8C", table="3D JD 9H") == "JD"
    assert plays("QD 2D 5C 6C 7C 8C", table="3D JD JD 9H QD") == "QD"


def test_the_next_card_inherits_the_trick_when_the_winning_one_is_cancelled() -> None:
    some = chance("QC 3C", "QC", table="5C KC")
    assert 0.0 < some < chance("QC 3C", "QC", table="5C")
    assert chance("QC 3C", "QC", table="5C KC", taken={1: "KC"}) == 0.0  # no copy is out
    assert chance("QC KC 3C", "QC", table="5C KC") == 0.0
    assert chance("QC 3C", "QC", table="5C JC 6C 7C 8C KC 9C") == 0.0  # nobody plays later
    assert chance("QC 3C", "3C", table="5C KC") == 0.0  # 5C is next
    assert chance("QC 3C", "QC", table="5C QC KC") == 0.0  # it is cancelled itself
    assert chance("QC 3C", "QC", Rules(), table="5C KC") == 0.0
    assert plays("QC 4C 2D 3D", table="5C KC QS 2H", trick=5) == "4C"
    assert plays("QC 4C 2D 3D", table="5C KC QS 2H", taken={1: "KC"}, trick=5) == "QC"


def test_when_all_cards_have_cancelled_any_card_of_the_suit_wins() -> None:
    g, r = sketch("3D 9D", TWO_DECKS, table="JD QH JD")[0], TWO_DECKS.array[0]
    t = read_table(g, r)
    assert (t.leads, t.winner, t.best, t.penalties) == (False, -1, -1, 1)
    assert chance("3D 9D", "9D", table="JD QH JD") > chance("3D 9D", "3D", table="JD QH JD") > 0.0


# Tricks that wait, and the kitty.


def test_cards_that_wait_count_for_the_trick() -> None:
    rules = Rules(players=8, decks=2, bonus_cards=("JD",))
    for table in ("", "5C 6C"):
        t = read_table(sketch("2C 3C", rules, table=table, waiting="QS QS 2H 5H JD JD")[0], rules.array[0])
        assert (t.penalties, t.bonus) == (28, -20)
    hand, table, taken = "AC 2C 3D 4D 5D 6D 7D 2S 3S 4S", "7C 5C 6C 10C 10D 9C 8C", {1: "AC KC"}
    assert plays(hand, table=table, taken=taken) == "AC"
    assert plays(hand, table=table, taken=taken, waiting="QS 5H 3D KD") == "2C"


def test_the_kitty_s_points_are_expected_by_its_taker() -> None:
    def expected(rules: Rules, **situation: Any) -> float:
        return float(kitty_points(sketch("2C 3C", rules, **situation)[0], rules.array[0]))

    assert expected(SEVEN) == pytest.approx(52 * 6 / 104)
    assert expected(SEVEN, kitty_taker=3) == 0.0
    assert expected(TWO_DECKS) == expected(Rules()) == expected(Rules(players=7, decks=2, leftover="strip")) == 0.0
    assert expected(SEVEN, in_play=(0, 1, 2)) == expected(SET_ASIDE, in_play=TWO_LEFT) == 0.0
    hand, table = "AC 2C 3D 4D 5D 6D 7D 8D 2S 3S 4S 5S 6S 7S", "7C 5C 6C 10C 9C 8C"
    assert plays(hand, SEVEN, table=table) == "2C"
    assert plays(hand, SEVEN, table=table, kitty_taker=3) == "AC"


# Two black cards.


def test_each_black_card_out_may_fall() -> None:
    def discarded(hand: str) -> float:
        g, r = sketch(hand, TWO_DECKS)[0], TWO_DECKS.array[0]
        return float(black_discarded(r, read_table(g, r), 3.5))

    assert discarded("2C 3C") == pytest.approx(2 * 13 * 3.5 / 7)
    assert discarded("2C QS") == pytest.approx(13 * 3.5 / 7)
    assert discarded("QS QS") == 0.0


def test_later_players_may_have_the_other_black_card() -> None:
    for passed, to_come in (("", 2 * 5 / 7), ("QS 2H 3H", 1 + 5 / 7)):
        situation = {"table": "9S 8S", "passed": passed, "hand_number": 1}
        g = sketch("KS 5S 2D", TWO_DECKS, **situation)[0]
        spades = suit("KS 5S 2D", 2, **situation)
        assert black_to_come(g, TWO_DECKS.array[0], spades) == pytest.approx(to_come)


# Moons of others.


def threat(hand: str, rules: Rules, **situation: Any) -> Any:
    return find_threat(sketch(hand, rules, **situation)[0], rules.array[0], 1.0)


ALL_HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"


def test_a_moon_of_two_decks_needs_both_copies() -> None:
    assert threat("2C 3C", TWO_DECKS, taken={2: f"{ALL_HEARTS} QS"}).seat == 2
    assert threat("2C 3C", TWO_DECKS, taken={2: f"{ALL_HEARTS} {ALL_HEARTS} QS"}).seat == 2
    assert threat("2C 3C", TWO_DECKS, taken={2: f"{ALL_HEARTS} {ALL_HEARTS} QS QS"}).seat == -1
    assert threat("2C 3C", Rules(), taken={2: f"{ALL_HEARTS} QS"}).seat == -1
    half = threat("2C 3C", TWO_DECKS, taken={2: "2H 3H 4H 5H QS"}, trick=5).odds
    same = threat("2C 3C", TWO_DECKS, taken={2: "2H 2H 3H 3H 4H 4H 5H 5H QS QS"}, trick=5).odds
    assert half < same == pytest.approx(threat("2C 3C", Rules(), taken={2: "2H 3H 4H 5H QS"}, trick=5).odds)


def test_nobody_else_stops_a_moon_among_two() -> None:
    situation: dict[str, Any] = {"taken": {2: "2H 3H KC AC"}, "trick": 5}
    of_two = threat("2C 3C", Rules(), in_play=TWO_LEFT, **situation)
    assert of_two.seat == 2
    assert of_two.odds > threat("2C 3C", Rules(), in_play=(0, 1, 2), **situation).odds
    assert threat("2C 3C", Rules(), in_play=TWO_LEFT).seat == -1


def test_with_cards_set_aside_the_other_is_a_threat_from_the_start() -> None:
    assert threat("2C 3C", SET_ASIDE, in_play=TWO_LEFT).seat == 2
    assert threat("2C 3C", SET_ASIDE, in_play=TWO_LEFT).odds > 0.5
    assert threat("2C 3C", SET_ASIDE, in_play=TWO_LEFT, taken={0: "2H"}).seat == -1
    assert threat("2C 3C", SET_ASIDE).seat == -1  # four play the main game with 13 cards


def test_a_high_heart_is_led_to_stop_a_moon_among_two() -> None:
    taken = {2: "2H 3H 4H 5H QS KC QC JC 10C KD QD JD 10D"}
    for rules in (Rules(), SET_ASIDE):
        assert plays("AH 2C 3D 2S", rules, in_play=TWO_LEFT, taken=taken, broken=True, trick=9) == "AH"
    assert plays("AH 2C 3D 2S", Rules(), in_play=(0, 1, 2, 3), taken=taken, broken=True, trick=9) != "AH"


# Who is in, and where cards may be.


def test_seats_that_sit_out_hold_nothing() -> None:
    clubs = suit("2C 3C", 0, Rules(), in_play=TWO_LEFT, table="5C")
    assert (clubs.holders, clubs.later, clubs.places, clubs.n_out) == (1, 0, 1, 10)
    assert suit("2C 3C", 0, Rules(), in_play=(0, 1, 2)).holders == 2
    assert suit("2C 3C", 0, Rules(), in_play=TWO_LEFT, voids={2: "C"}).holders == 0


def test_of_two_hands_without_cards_set_aside_the_other_is_known() -> None:
    top = "AC KC QC JC"
    for rules, wins in ((Rules(), 0.0), (SET_ASIDE, 0.0625)):
        higher = suit("10C", 0, rules, in_play=TWO_LEFT, taken={0: "2C 3C 4C 5C 6C 7C 8C 9C"})
        assert higher.n_out == len(top.split())
        assert risk_of(higher, parse_card("10C")) == wins  # the other holds all of them, or each with a chance of half


def test_half_of_the_losers_are_not_in_play_with_cards_set_aside() -> None:
    def tries(rules: Rules, **situation: Any) -> bool:
        g, r = sketch("AH KH QH 9H 8H AS 5S 3S AC 4C AD 5D 4D", rules, **situation)[0], rules.array[0]
        return bool(tries_moon(g, r, read_table(g, r), 0.0))

    assert tries(SET_ASIDE, in_play=TWO_LEFT)
    assert not tries(Rules(), in_play=TWO_LEFT)
    assert not tries(SET_ASIDE)


# Strength.


def mean_payoff(opponent: str, make: Any) -> float:
    """Return `rule_based`'s mean payoff against a field, each deal once in every seat in play."""
    payoffs = []
    players = [RULE_BASED, agents.make(opponent)]
    for place in range(2):
        engine = make()
        index = np.arange(len(engine))
        seat = np.array([np.flatnonzero(seats)[place] for seats in engine.in_play])
        lineup = np.ones((len(engine), engine.rules.players), np.int64)
        lineup[index, seat] = 0
        while (engine.turn >= 0).any():
            engine.step(choose(engine, players, lineup, decision_seeds(1, index, engine.games)))
        payoffs.append(engine.payoffs[index, seat])
    return float(np.mean(payoffs))


@pytest.mark.parametrize(
    ("rules", "opponent", "target"),
    [
        (TWO_DECKS, "random", 5.6),
        (TWO_DECKS, "ducker", 1.9),
        (Rules(players=11, decks=2), "ducker", 0.4),
        (Rules(players=6, decks=2, bonus_cards=("JD",)), "ducker", 5.0),
    ],
)
def test_strength_with_two_decks(rules: Rules, opponent: str, target: float) -> None:
    assert mean_payoff(opponent, lambda: Engine(rules, 1500, seed=3, episode="hand")) > target


def two_left(size: int, n_games: int) -> Engine:
    """Return play-offs of seats 0 and 2, with every pass direction and either dealer."""
    rules, rng = Rules(two_hand_deal=size), Random(3)
    engine = Engine(rules, n_games)
    for game in range(n_games):
        hands, _ = random_cards(rng, {"players": 4, "two_hand_deal": size}, TWO_LEFT)
        engine.deal(hands, TWO_LEFT[game % 2], 1 + game // 2 % 4, totals=[50, 100, 50, 100], games=[game])
    return engine


@pytest.mark.parametrize(
    ("size", "opponent", "target"),
    [(26, "random", 13.0), (26, "ducker", 13.0), (13, "random", 2.5), (13, "ducker", 5.0)],
)
def test_strength_in_play_offs_of_two(size: int, opponent: str, target: float) -> None:
    assert mean_payoff(opponent, lambda: two_left(size, 400)) > target
