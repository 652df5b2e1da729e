# ruff: noqa: N802 - names carry the numbers of rules
"""The table as text with play-offs, two decks, and revokes."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from rk_env import Engine, Phase, Rules
from rk_env.render import card_symbol, table_text
from tests.generators import act, hold_hand, texts_of_planes
from tests.playing import play_on, tied_hand

ALL_CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC"
ALL_HEARTS = ALL_CLUBS.replace("C", "H")

PLAY_OFF = """\
Rickety Kate · 4 players · hand 8 · play-off 1 · no pass
trick 2 of 13 · hearts broken · Q♠ still out

     seat  total  hand  table  cards
        0    100     0         sits out
        1     80     0         sits out
        2     60     1  3♣*    ♣ 4 5 6 7 8 9 10 J Q K A
  >D    3     60     0         ♥ 3 4 5 6 7 8 9 10 J Q K A

last trick  2 led 2♣ 2♥; taken by 2
kitty       ♦ 2 3 4 5 6 7 8 9 10 J Q K A   ♠ 2 3 4 5 6 7 8 9 10 J Q K A
3 plays a card"""

PLAY_OFF_SEEN_BY_SEAT_0 = """\
Rickety Kate · 4 players · hand 8 · play-off 1 · no pass · seen by seat 0
trick 2 of 13 · hearts broken · Q♠ still out

     seat  total  hand  table  cards
        0    100     0         sits out
        1     80     0         sits out
        2     60     1  3♣*    11 cards
  >D    3     60     0         12 cards

last trick  2 led 2♣ 2♥; taken by 2
3 plays a card"""

WAITING = """\
Rickety Kate · 8 players · hand 4 · no pass
trick 3 of 13 · hearts broken · Q♠ 1 of 2 played

     seat  total  hand  table  cards
        0      0     0  3♣*    ♣ 4 7 8 9 9 J J Q Q K
        1      0     0  5♣     ♣ K A   ♦ 2 2 3 3 4 4 5 5
        2      0     0  5♣     ♦ 6 6 7 7 8 8 10 10 J J
  >     3      0     0         ♣ 8   ♠ 2 2 3 4 4 5 5 6 6 7
        4      0     0         ♣ 10   ♦ Q Q   ♠ 7 Q A A   ♥ 2 4 9 9
        5      0     0         ♥ 2 3 3 5 5 6 6 7 7 8 8
        6      0     0         ♣ 10   ♥ 10 10 J J Q Q K K A A
   D    7      0     0         ♣ 6   ♠ 8 8 9 9 10 10 J J K K

last trick  0 led K♦ 9♦ K♦ Q♠ A♦ 9♦ A♦ 4♥; cancelled
waiting     ♦ 9 9 K K A A   ♠ Q   ♥ 4
3 plays a card"""

TAKEN_BACK = """\
Rickety Kate · 4 players · hand 4 · no pass · seen by seat 2
trick 1 of 13 · hearts unbroken · Q♠ still out

     seat  total  hand  table  cards
  >D    0      0    13         13 cards   (1 x fined for a revoke)
        1      0     0         13 cards
        2      0     0         ♣ 4   ♦ 8 9 10 J Q   ♠ J   ♥ 2 3 4 5 6 7
        3      0     0  2♣*    12 cards

taken back  5♠
0 plays a card"""


def a_play_off() -> Engine:
    engine = Engine(Rules(two_hand_deal=13), seed=0)
    engine.deal(["", "", ALL_CLUBS, ALL_HEARTS], dealer=3, hand_number=8, totals=[100, 80, 60, 60])
    act(engine, "2C 2H 3C")
    return engine


def test_H4_a_play_off() -> None:
    engine = a_play_off()
    assert table_text(engine.games[0], engine.rules) == PLAY_OFF
    assert table_text(engine.view(0)[0], engine.rules) == PLAY_OFF_SEEN_BY_SEAT_0


@pytest.mark.parametrize(("players", "seats"), [(4, [1, 2]), (7, [0, 3, 6])])
def test_H4_the_way_into_a_play_off_and_out_of_it(players: int, seats: list[int]) -> None:
    rules = Rules(players=players, decks=1 if players < 7 else 2)
    engine = tied_hand(rules, seats)
    names = " and ".join(map(str, seats))
    assert table_text(engine.games[0], rules).endswith(f"\nhand over, {names} play off")
    engine.next_hand()
    n_hands = 0
    while engine.phase[0] != Phase.GAME_OVER:
        n_hands += 1
        assert f" · play-off {n_hands} · " in table_text(engine.games[0], rules)
        assert table_text(engine.games[0], rules).count("sits out") == players - engine.in_play[0].sum()
        play_on(engine, np.random.default_rng(3))
        engine.next_hand()
    assert table_text(engine.games[0], rules).endswith(f"\ngame over, won by {engine.winner[0]}")


def test_H5_the_shooter_wins_a_play_off() -> None:
    engine = Engine(Rules(max_hands=5), seed=0)
    hands = ["", "", f"{ALL_CLUBS} {ALL_CLUBS.replace('C', 'D')}", f"{ALL_CLUBS.replace('C', 'S')} {ALL_HEARTS}"]
    engine.deal(hands, dealer=3, hand_number=4, totals=[100, 80, 60, 60])
    while engine.turn[0] >= 0:
        engine.step([int(np.flatnonzero(engine.action_mask()[0])[-1])])
    assert table_text(engine.games[0], engine.rules).endswith("\ngame over, won by 2")


def test_X6_cards_that_wait() -> None:
    engine, _ = hold_hand(
        [
            "AC KD 3C",
            "2C 9D 5C",
            "2C KD 5C",
            "QS 8C 3C 2S 2S 3S 4S 4S 5S 5S 6S 6S 7S",
            "4C AD 10C",
            "9D 2H 3S 3H 3H 5H 5H 6H 6H 7H 7H 8H 8H",
            "6C AD 10C",
            "4H 6C 7C 8S 8S 9S 9S 10S 10S JS JS KS KS",
        ],
        dealer=7,
        decks=2,
    )
    act(engine, "AC 2C 2C 3C 4C 3S 6C 7C", "KD 9D KD QS AD 9D AD 4H", "3C 5C 5C")
    assert table_text(engine.games[0], engine.rules) == WAITING
    seen = table_text(engine.view(2)[0], engine.rules)
    assert "waiting     ♦ 9 9 K K A A   ♠ Q   ♥ 4" in seen
    assert seen.count(" cards\n") == 8  # seven hands, and the head of the table
    act(engine, "8C 10C 2H 10C 6C")
    table = table_text(engine.games[0], engine.rules)
    assert "waiting" not in table
    assert "last trick  0 led 3♣ 5♣ 5♣ 8♣ 10♣ 2♥ 10♣ 6♣; taken by 3" in table


@pytest.mark.parametrize("players", [6, 7, 9, 10, 11])
def test_X3_only_the_taker_sees_the_kitty(players: int) -> None:
    rules = Rules(players=players, decks=2, passing="none")
    engine = Engine(rules, seed=players)
    kitty = Counter(texts_of_planes(engine.games[0].kitty))
    line = next(line for line in table_text(engine.games[0], rules).splitlines() if line.startswith("kitty"))
    assert len(line.replace("kitty", "").split()) == sum(kitty.values()) + len({card[-1] for card in kitty})
    for seat in range(players):
        assert "kitty" not in table_text(engine.view(seat)[0], rules)
    while engine.games[0].kitty_taker < 0:
        play_on(engine, np.random.default_rng(0), 1)
    taker = int(engine.games[0].kitty_taker)
    for seat in range(players):
        assert (f"\nkitty of {taker}" in table_text(engine.view(seat)[0], rules)) == (seat == taker)
    assert f"\nkitty of {taker}" in table_text(engine.games[0], rules)
    play_on(engine, np.random.default_rng(0))
    assert "kitty" not in table_text(engine.games[0], rules)


def test_G2_a_card_taken_back_and_fines() -> None:
    hands = [
        "AC KC QC JC 5S 8C 9C 10C 2D 3D 4D 5D 6D",
        "3C 5C 6C 7C AS KS QS 10S 9S 8S 7S 6S 7D",
        "4C JS 2H 3H 4H 5H 6H 7H 8D 9D 10D JD QD",
        "2C 8H 9H KD 10H JH QH KH AH 2S 3S 4S AD",
    ]
    engine, _ = hold_hand(hands, revokes="corrected")
    act(engine, "2C", "5S")
    assert table_text(engine.view(2)[0], engine.rules) == TAKEN_BACK
    act(engine, "AC")
    table = table_text(engine.games[0], engine.rules)
    assert "taken back" not in table
    assert table.count("(1 x fined for a revoke)") == 1


def test_G3_fines_that_were_found_are_shown() -> None:
    engine = Engine(Rules(revokes="exposed", passing="none"), seed=3)
    rng = np.random.default_rng(1)
    while engine.turn[0] >= 0:
        table = table_text(engine.games[0], engine.rules)
        for seat, n in enumerate(engine.games[0].revokes[:4].tolist()):
            assert (f"({n} x fined" in table.splitlines()[4 + seat]) == (n > 0)
        play_on(engine, rng, 1)
    assert engine.games[0].revokes.any()


@pytest.mark.parametrize("fields", [{}, {"revokes": "corrected"}, {"revokes": "exposed", "late_revoke": "replay"}])
def test_a_seats_table_names_no_card_that_it_cannot_know(table: Rules, fields: dict[str, Any]) -> None:
    """Every card with its suit on a seat's table is passed by or to it, played, or was taken back."""
    rules = Rules(players=table.players, decks=table.decks, **fields)
    engine = Engine(rules, seed=1)
    rng = np.random.default_rng(0)
    for _ in range(60):
        for seat in range(rules.players):
            view = engine.view(seat)[0]
            known = {card_symbol(card) for card in view.passed.ravel() if card >= 0} | {"Q♠"}
            known |= {card_symbol(card) for field in (view.plays, view.took_back) for card in field if card >= 0}
            assert set(re.findall(r"(?:10|[2-9JQKA])[♣♦♠♥]", table_text(view, rules))) <= known
        play_on(engine, rng, 1)
