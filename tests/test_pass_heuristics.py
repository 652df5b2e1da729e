"""The ways to pass that are known by name, each on hands made for it."""

from __future__ import annotations

from typing import Any

import pytest

import agents
from agents.knowledge import Cards, cards_out, held, read_suit
from agents.pass_heuristics import guards_needed, losing_tricks, moon_losers
from agents.pass_sequential import win_cost
from rk_env import Engine, Rules
from rk_env.cards import bitboard, parse_card
from tests.sketch import cards, planes, sketch, sketch_pass
from tests.unseen import play_offs

BLACK_JACK = Rules(black_card="JS")
THREE, SIX = Rules(players=3), Rules(players=6)
TWO_DECKS = Rules(players=8, decks=2)
LEFT, RIGHT, ACROSS = 1, 2, 3
"""Hand numbers with these directions."""


def passes(passing: str, hand: str, rules: Rules | None = None, hand_number: int = LEFT) -> list[str]:
    """Return what is passed from a hand, in the order picked."""
    return sketch_pass(agents.make("rule_based", passing=passing), hand, rules, hand_number)


# High spades.


@pytest.mark.parametrize(
    ("hand", "picks"),
    [
        ("QS KS AS AH KH AC 2C 3C 4D 5D 6D 2H 3H", "QS KS AS"),
        ("AS 2S AH KH AC 2C 3C 4D 5D 6D 2H 3H 4H", "AS AH AC"),
        ("QS JS 9S 8S 7S 6S AC 2C 4D 5D 2H 3H KH", "QS AC KH"),  # however well it is guarded
        ("JS 10S 9S AC 2C 4D 5D 6D 2H 3H KH 7H 8H", "AC KH JS"),  # spades below it are like other cards
    ],
)
def test_high_spades_go_first_then_high_cards(hand: str, picks: str) -> None:
    assert passes("high_spades", hand) == cards(picks)


def test_high_spades_under_black_jack_begin_with_the_jack() -> None:
    hand = "AS KS QS JS 2S AH AC 2C 3C 4D 5D 6D 2H"
    assert passes("high_spades", hand, BLACK_JACK) == cards("JS QS KS")
    assert passes("high_spades", hand) == cards("QS KS AS")


def test_high_spades_of_two_decks() -> None:
    assert passes("high_spades", "QS QS KS AS AH AC 2C 3C 4D 5D 6D 2H 3H", TWO_DECKS) == cards("QS QS KS")


# High hearts.


@pytest.mark.parametrize(
    ("hand", "rules", "picks"),
    [
        ("AH JH 9H 3H AC KC 2C 3C AD 4D 5D 2S AS", None, "AH AS AD"),  # after the ace three are left, a fair share
        ("AH KH JH 9H 3H AC KC 2C AD 4D 5D 2S AS", None, "AH KH AS"),
        ("AH KH JH AC KC 2C 3C AD 4D 5D 2S AS 4S", None, "AH AS AD"),  # three are no more than a fair share
        ("8H 7H 6H 5H 4H 3H 2H AC KC 2C 3D 4D 5D", None, "AC KC 8H"),  # low hearts are no danger
        ("AH KH QH JH 9H 3H 2H 2C 3C 4C AC AD KD 4D 3D AS KS", THREE, "AH KH QH"),
        ("KH QH JH 9H AC 2C 3C 4C KC AD KD 4D 3D AS KS 3S 4S", THREE, "AS AD AC"),  # four of the 13 with three
        ("AH KH JH AC 3C 9D KD 5S", SIX, "AH AC KH"),  # with six the fair share is two of the twelve
        ("AH AH KH 9H 3H AC KC 2C AD 4D 5D 2S AS", TWO_DECKS, "AH AH AS"),  # of the 26 with eight, three
    ],
)
def test_high_hearts_go_while_they_are_many(hand: str, rules: Rules | None, picks: str) -> None:
    assert passes("high_hearts", hand, rules) == cards(picks)


# Guards.


def needed(rules: Rules, hand_number: int) -> int:
    g = sketch("2C 3C 4C", rules, hand_number=hand_number)[0]
    return int(guards_needed(g, rules.array[0]))


@pytest.mark.parametrize(
    ("rules", "guards"),
    [(Rules(), 4), (THREE, 5), (Rules(players=5), 3), (SIX, 2), (TWO_DECKS, 4), (Rules(players=11, decks=2), 3)],
)
def test_guards_are_needed_for_the_rounds_of_spades(rules: Rules, guards: int) -> None:
    """At six there are 12 spades, since all twos are out."""
    assert needed(rules, RIGHT) == guards
    assert needed(rules, LEFT) == guards - 1
    assert needed(rules, ACROSS) == guards - int(rules.players == 3)  # there, across is left (C3)


def test_guards_in_a_play_off_are_those_of_its_deck() -> None:
    engine = play_offs({"players": 6}, 1, seed=3, n_seats=3)
    assert int(guards_needed(engine.games[0], engine.rules.array[0])) in (4, 5)


@pytest.mark.parametrize("hand_number", [LEFT, RIGHT, ACROSS])
def test_guarded_spades_are_kept_with_their_guards(hand_number: int) -> None:
    hand = "AS QS 9S 8S 5S 3S KC QC 2C AD 5D 4H 2H"
    assert passes("guard_aware", hand, hand_number=hand_number) == cards("AD KC QC")


@pytest.mark.parametrize("hand_number", [LEFT, RIGHT, ACROSS])
def test_bare_high_spades_go_and_low_ones_stay(hand_number: int) -> None:
    hand = "AS QS JS 2S KC QC 2C AD 5D 4D 4H 3H 2H"
    assert passes("guard_aware", hand, hand_number=hand_number) == cards("QS AS AD")


def test_too_few_guards_stay_all_the_same() -> None:
    """For whoever passes us a black card, and for spades to come."""
    assert passes("guard_aware", "QS JS 10S 9C 8C 3C 4C 5D 4D 3D 4H 3H 2H", hand_number=RIGHT) == cards("QS 9C 8C")


def test_three_guards_will_do_when_the_pass_goes_to_the_left() -> None:
    hand = "QS 9S 5S 3S KC QC 2C AD 5D 4D 4H 3H 2H"
    assert passes("guard_aware", hand, hand_number=LEFT) == cards("AD KC QC")
    assert passes("guard_aware", hand, hand_number=RIGHT) == cards("QS AD KC")
    assert passes("guard_aware", hand, hand_number=ACROSS) == cards("QS AD KC")


def test_more_players_need_fewer_guards() -> None:
    assert "QS" not in passes("guard_aware", "QS 9S 5S KC QC 4C AD 5D", SIX, RIGHT)
    three = "QS 9S 5S 4S 3S KC QC 2C AD 5D 4D 4H 3H 2H 5C 6C 7C"
    assert "QS" in passes("guard_aware", three, THREE, RIGHT)
    assert "QS" not in passes("guard_aware", three.replace("2C", "2S"), THREE, RIGHT)


def test_under_black_jack_guards_are_below_the_jack() -> None:
    hand = "QS JS 9S 8S 5S KC QC 2C AD 5D 4D 4H 3H"
    assert passes("guard_aware", hand, BLACK_JACK, LEFT) == cards("AD KC QC")
    assert passes("guard_aware", hand, BLACK_JACK, RIGHT)[:2] == cards("JS QS")


def test_copies_guard_too() -> None:
    hand = "QS 9S 9S 5S 5S KC QC 2C AD 5D 4D 4H 3H"
    assert passes("guard_aware", hand, TWO_DECKS, RIGHT) == cards("AD KC QC")
    assert passes("guard_aware", hand.replace("9S 9S", "9S 2D"), TWO_DECKS, RIGHT)[0] == "QS"


def test_a_hand_of_low_spades_alone_passes_some() -> None:
    assert passes("guard_aware", "2S 3S 4S 5S 6S 7S 8S 9S 10S JS 2C 3C 4C") == cards("4C 3C 2C")


# The moon.


@pytest.mark.parametrize(
    ("suit", "losers"),
    [
        *[("AC KC QC", 0), ("AC KC QC 2C 3C", 0), ("AC KC 2C", 1), ("AC 2C", 1), ("2C", 1), ("AC", 0), ("", 0)],
        *[("JC 10C 9C 8C", 3), ("AC AC 2C", 1), ("AC AC KC", 0), ("2C 2C 2D", 2), ("AC AC KC KC", 0)],
    ],
)
def test_losing_tricks_of_a_suit(suit: str, losers: int) -> None:
    once, twice = planes(suit) if suit else (0, 0)
    assert losing_tricks(Cards(bitboard([]) | once, bitboard([]) | twice), 0) == losers


def test_losing_hearts_count_twice() -> None:
    def losers(hand: str) -> int:
        return int(moon_losers(held(sketch(hand)[0])))

    assert losers("AH KH QH 5C") == 1
    assert losers("AH KH 2H AC") == 2
    assert losers("AH KH QH JH 2H AC KC AD AS") == 0


MOON_HAND = "AH KH QH JH 10H AS KS AC KC AD KD 4D 2C"


def test_a_moon_hand_passes_its_losers() -> None:
    assert passes("moon_aware", MOON_HAND)[:2] == cards("2C 4D")
    assert passes("moon_aware", "AH KH 2H AS KS QS JS AC KC QC AD KD QD")[0] == "2H"
    kept = set(cards("AH KH QH AS KS AC KC AD KD"))
    assert not kept & set(passes("moon_aware", MOON_HAND))
    assert kept & set(passes("guard_aware", MOON_HAND))


def test_other_hands_pass_as_guard_aware() -> None:
    for hand in ("AS QS JS 2S 9C 8C 2C 7D 5D 4D 4H 3H 2H", "AS QS 9S 8S 5S 3S JC 10C 2C AD 5D 4H 3H"):
        for hand_number in (LEFT, RIGHT, ACROSS):
            expected = passes("guard_aware", hand, hand_number=hand_number)
            assert passes("moon_aware", hand, hand_number=hand_number) == expected


def test_a_hand_stays_one_for_the_moon_while_it_passes() -> None:
    """The decision is about the dealt hand: a long suit loses as many tricks after the pass of one of its cards."""
    picks = passes("moon_aware", "AH KH QH 9H 8H AS KS QS AC KC 4C 3C 2C")
    assert picks == cards("2C 3C 4C")


def test_hearts_go_first_from_a_moon_hand() -> None:
    assert passes("moon_aware", "AH KH 5H AS KS QS JS AC KC QC AD KD 2D")[:2] == cards("5H 2D")


def test_seven_losing_tricks_of_thirteen_cards_are_few_and_eight_are_many() -> None:
    """Also when fewer are left after a pick of the other heuristic."""
    assert passes("moon_aware", "AS KS QS 9S 8S 7S 6S JD 4D 3D 3H 2H AC", hand_number=RIGHT)[:2] == cards("2H 3H")
    assert passes("moon_aware", "AS KS QS 9S 8S 7S 6S JD 4D 3D 3H 2H JC", hand_number=RIGHT) == cards("JD JC 4D")


def test_shorter_hands_may_have_fewer_losing_tricks() -> None:
    assert passes("moon_aware", "AS KS QS 9S 8S 6H 5H JD", SIX, RIGHT)[:2] == cards("5H 6H")
    assert passes("moon_aware", "AS KS QS 9S 6H 5H JD JC", SIX, RIGHT) == cards("QS KS AS")
    three = "AS KS QS 9S 8S 7S 6S 5S 4S 3S 2S JD 4D 3D 3H 2H JC"
    assert passes("moon_aware", three, THREE, RIGHT)[0] == "2H"


def test_a_moon_hand_of_two_decks() -> None:
    hand = "AH AH KH KH QH AS KS AC AC KC AD KD 2D"
    assert passes("moon_aware", hand, TWO_DECKS)[0] == "2D"


# Sequential rescoring.


@pytest.mark.parametrize(
    ("hand", "passed", "kept"),
    [
        ("QS 2S KC 4C 3C 2C 5D 4D 3D 5H 4H 3H 2H", "QS", "2H 2C 3D"),
        ("AS KS 4C 5C 6C 9C 3D 4D 6D 2H 3H 4H 7H", "AS KS", "2H"),
        ("QS JS 10S 9S 8S 7S 2S AH KH QH 2C 3C 4C", "AH KH QH", "QS"),
        ("AH KH 9H 2C 3C 4C 5C 2D 3D 5D 6D 2S 3S", "AH KH", "2S 2C 2D"),
    ],
)
def test_sequential_passes_what_the_rest_is_cheapest_without(hand: str, passed: str, kept: str) -> None:
    picks = set(passes("sequential", hand))
    assert set(cards(passed)) <= picks
    assert not set(cards(kept)) & picks


def test_sequential_scores_the_rest_again() -> None:
    """Of a suit of two, the second card goes once the first has gone."""
    alone = passes("sequential", "9C 3D 4D 5D 9D 2S 3S 4S 9S 2H 3H 4H 5H")
    assert "9C" in alone
    picks = passes("sequential", "9C 10C 3D 4D 5D 9D 2S 3S 4S 9S 2H 3H 4H")
    assert {"9C", "10C"} <= set(picks)


@pytest.mark.parametrize(
    ("card", "situation", "first", "third"),
    [
        ("AH", {}, 3.1, 3.1),  # hearts of the others fall on it in any round
        ("AC", {}, 0.0, 1.8),  # others have no clubs left in later rounds
        ("QS", {}, 13.0, 14.8),
        ("KS", {}, 0.0, 1.8),  # with the queen in the own hand
        ("KS", {"taken": {1: "QS"}}, 0.0, 1.8),
        ("KS", {"hand": "KS"}, 6.5, 8.3),
        ("JS", {"hand": "JS"}, 0.0, 1.8),
        ("QS", {"rules": BLACK_JACK, "hand": "QS"}, 5.0, 6.8),
    ],
)
def test_the_cost_of_winning_a_round(card: str, situation: dict[str, Any], first: float, third: float) -> None:
    situation = dict(situation)
    rules = situation.pop("rules", Rules())
    hand = situation.pop("hand", "AH AC QS KS" if not situation else "AH AC KS")
    g, r = sketch(hand, rules, **situation)[0], rules.array[0]
    number = parse_card(card)
    s = read_suit(g, r, held(g), cards_out(g, r), number // 13)
    assert [win_cost(r, s, number, n) for n in (0, 2)] == pytest.approx([first, third])


def test_sequential_finds_guards_by_counting() -> None:
    assert "QS" in passes("sequential", "QS 9S 4C 3C 2C 6C 5D 4D 3D 5H 4H 3H 2H")
    assert "QS" not in passes("sequential", "QS 9S 8S 7S 6S 5S KC QC 5D 4D KD 3H 2H")


def test_sequential_knows_the_black_card_of_the_rules() -> None:
    hand = "JS QS 2S 4C 3C 2C 6C 5D 4D 3D 4H 3H 2H"
    assert {"JS", "QS"} <= set(passes("sequential", hand, BLACK_JACK))
    assert "JS" not in passes("sequential", hand)[:1]


# Any table.


@pytest.mark.parametrize("passing", ["high_spades", "high_hearts", "guard_aware", "moon_aware", "sequential"])
def test_new_ways_to_pass_differ_from_all_others(passing: str) -> None:
    def picks(way: str, **options: Any) -> bytes:
        engine = Engine(Rules(passing="left"), 200, seed=5)
        player = agents.make("rule_based", passing=way, **options)
        for _ in range(12):
            engine.step(player.act(engine.games, engine.rules, engine.games["seed"]))
        return bytes(engine.games["passed"].tobytes())

    others = ["danger", "high_cards", "void_first", "random", "high_spades", "high_hearts", "guard_aware"]
    others += ["moon_aware", "sequential"]
    assert all(picks(passing) != picks(other) for other in others if other != passing)
