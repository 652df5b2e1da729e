"""The table as text: what stands on it, and that a seat's table shows no more than the seat may know."""

from __future__ import annotations

import re
from random import Random

import numpy as np
import pytest

from rk_env import Engine, Phase, Rules
from rk_env.cards import parse_card
from rk_env.render import card_symbol, hand_text, table_text
from rk_env.state import ACTION_MOON_ADD
from tests.generators import engine_of, random_start, rules_of

CARD = re.compile(r"(?:10|[2-9JQKA])[♣♦♠♥]")
HANDS = [
    "2C 9C 10C QC 3D 4D 8D 2S QS KS 3H 8H AH",
    "3C 4C 5C JC 2D 5D 9D 3S 4S 5S 2H 9H KH",
    "6C 7C 8C KC 6D 7D 10D 6S 7S JS 4H 5H QH",
    "AC JD QD KD AD 8S 9S 10S AS 6H 7H 10H JH",
]

AFTER_FOUR_PLAYS = """\
Rickety Kate · 4 players · hand 4 · no pass
trick 2 of 13 · hearts unbroken · Q♠ still out

     seat  total  hand  table  cards
        0     12     0         ♣ 9 10 Q   ♦ 3 4 8   ♠ 2 Q K   ♥ 3 8 A
        1     31     0         ♣ 3 4 5   ♦ 2 5 9   ♠ 3 4 5   ♥ 2 9 K
   D    2      7     0         ♣ 6 7 8   ♦ 6 7 10   ♠ 6 7 J   ♥ 4 5 Q
  >     3     58     0         ♦ J Q K A   ♠ 8 9 10 A   ♥ 6 7 10 J

last trick  0 led 2♣ J♣ K♣ A♣; taken by 3
3 plays a card"""

SEEN_BY_SEAT_1 = """\
Rickety Kate · 4 players · hand 4 · no pass · seen by seat 1
trick 2 of 13 · hearts unbroken · Q♠ still out

     seat  total  hand  table  cards
  >     0     12     0         12 cards
        1     31     0         ♣ 3 4 5   ♦ 2 5 9   ♠ 3 4 5   ♥ 2 9 K
   D    2      7     0         12 cards
        3     58     0  J♦*    11 cards

last trick  0 led 2♣ J♣ K♣ A♣; taken by 3
0 plays a card"""


def a_table() -> Engine:
    engine = Engine(seed=1)
    engine.deal(HANDS, dealer=2, hand_number=4, totals=[12, 31, 7, 58])
    for card in ("2C", "JC", "KC", "AC"):
        engine.step([parse_card(card)])
    return engine


def test_a_known_table() -> None:
    engine = a_table()
    assert table_text(engine.games[0], engine.rules) == AFTER_FOUR_PLAYS


def test_a_seat_sees_its_own_hand_alone() -> None:
    engine = a_table()
    engine.step([parse_card("JD")])
    assert table_text(engine.view(1)[0], engine.rules) == SEEN_BY_SEAT_1


def test_hands_and_cards() -> None:
    assert hand_text(np.uint64(0)) == ""
    assert [card_symbol(card) for card in (0, 21, 36, 51)] == ["2♣", "10♦", "Q♠", "A♥"]


def test_passes_are_shown_as_far_as_they_are_known(players: int) -> None:
    rules = Rules(players=players)
    engine = Engine(rules, seed=3)
    table = table_text(engine.games[0], rules)
    assert "passing" in table
    assert "pass left" in table
    assert "passed" not in table
    engine.step(engine.action_mask().argmax(axis=1))
    assert "passed" in table_text(engine.games[0], rules)
    other = (int(engine.turn[0]) + 1) % players
    assert "passed" not in table_text(engine.view(other)[0], rules)
    while engine.phase[0] == Phase.PASS:
        engine.step(engine.action_mask().argmax(axis=1))
    assert len(re.findall(r"\d to \d:", table_text(engine.games[0], rules))) == players
    passed_and_received = re.findall(r"(\d) to (\d):", table_text(engine.view(0)[0], rules))
    assert passed_and_received == [("0", "1"), (str(players - 1), "0")]


@pytest.mark.parametrize(
    ("hand_number", "across", "name"),
    [(1, None, "pass left"), (2, None, "pass right"), (3, None, "pass 2 seats left"), (3, 1, "pass left")],
)
def test_names_of_the_pass(hand_number: int, across: int | None, name: str) -> None:
    rules = Rules(across_seats=across)
    engine = Engine(rules)
    engine.deal(HANDS, hand_number=hand_number)
    assert f" · {name}" in table_text(engine.games[0], rules)


def test_the_shooter_and_the_end() -> None:
    rules = Rules(moon="new", passing="none", target=20)
    engine = Engine(rules)
    hands = ["AC KC QC JC 10C 9C 8C 7C 6C 5C 4C 3C 2C"]
    hands += [
        " ".join(rank + suit for rank in ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"])
        for suit in "DHS"
    ]
    engine.deal(hands, totals=[0, 5, 5, 5])
    while engine.phase[0] == Phase.PLAY:
        engine.step(engine.action_mask().argmax(axis=1))
    assert "0 shot the moon and chooses" in table_text(engine.games[0], rules)
    engine.step([ACTION_MOON_ADD])
    table = table_text(engine.games[0], rules)
    assert table.endswith("game over, won by 0")
    assert "Q♠ played" in table


def test_ends_of_hands_and_shared_wins() -> None:
    rules = Rules(max_hands=1, passing="none")
    engine = Engine(rules, num_games=300, seed=5)
    while (engine.turn >= 0).any():
        engine.step(engine.action_mask().argmax(axis=1))
    shared = int(np.flatnonzero(engine.winner == -1)[0])
    winners = " and ".join(str(seat) for seat in np.flatnonzero(engine.win_shares[shared]))
    assert table_text(engine.games[shared], rules).endswith(f"game over, won by {winners}")
    one_hand = Engine(seed=1, episode="hand")
    while one_hand.turn[0] >= 0:
        one_hand.step(one_hand.action_mask().argmax(axis=1))
    assert table_text(one_hand.games[0], one_hand.rules).endswith("hand over")


def test_colors_change_nothing_else() -> None:
    engine = a_table()
    plain, colored = (table_text(engine.games[0], engine.rules, colors=colors) for colors in (False, True))
    assert "\x1b[" not in plain
    assert re.sub(r"\x1b\[\d+m", "", colored) == plain
    assert colored.count("\x1b[31m") == plain.count("♥") + plain.count("♦")


def test_a_seats_table_names_no_card_that_it_cannot_know(players: int) -> None:
    """Every card on a seat's table is in its own hand, passed by or to it, or played."""
    rng = Random(players)
    for _ in range(4):
        engine = engine_of([random_start(rng, {"players": players}, skewed=False)])
        rules = rules_of({"players": players})
        while engine.turn[0] >= 0:
            for seat in range(players):
                view = engine.view(seat)[0]
                text = table_text(view, rules)
                known = {card_symbol(card) for card in view.passed.ravel() if card >= 0}
                known |= {card_symbol(card) for card in view.plays if card >= 0} | {"Q♠"}
                assert set(CARD.findall(text)) <= known
                assert sum(line.count("cards") for line in text.splitlines()[4 : 4 + players]) <= players - 1
                assert hand_text(view.hands[seat, 0]) in text
                assert view.hands[seat, 0] == engine.games["hands"][0, seat, 0]
            mask = engine.action_mask()[0]
            engine.step([rng.choice(np.flatnonzero(mask).tolist())])
