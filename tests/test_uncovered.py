# ruff: noqa: N802 - names carry the numbers of rules
"""What no other test of seconds reached: lines found by coverage, faults found by mutation (MUTANTS.md)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rk_env import Engine, Rules, errors
from rk_env.cards import FULL_DECK_BB, bitboard_cards
from rk_env.kernels.bits import EMPTY, nth
from rk_env.kernels.cancellation import open_kitty, take_waiting
from rk_env.kernels.chance import FOR_FIRST_DEALER, stream
from rk_env.kernels.deal import draw_first_dealer, shuffled
from rk_env.kernels.flow import end_play
from rk_env.kernels.passing import exchange, pass_seats_left
from rk_env.kernels.play import take_table, trick_winner
from rk_env.kernels.revokes import revoke_plays
from rk_env.kernels.scoring import find_shooter, hand_score, score_so_far
from rk_env.state import GAME, Phase
from tests.playing import tied_hand


def test_bits_are_counted_from_the_lowest() -> None:
    bits = [1, 4, 9, 51, 63]
    bb = np.array([sum(1 << bit for bit in bits)], np.uint64)[0]
    assert [int(nth(bb, n)) for n in range(len(bits))] == bits


@pytest.mark.parametrize("rules", [Rules(), Rules(players=7, decks=2, revokes="exposed", passing="none")], ids=repr)
def test_B1_H1_nothing_of_an_earlier_game_is_left_in_a_new_one(rules: Rules) -> None:
    engine = Engine(rules, seed=0)
    engine.games[:] = np.frombuffer(bytes([1]) * GAME.itemsize, GAME)
    engine.reset(seeds=[5])
    fresh = Engine(rules, seeds=[5])
    assert {name for name in GAME.names or () if not np.array_equal(engine.games[name], fresh.games[name])} == set()


@pytest.mark.parametrize("first_dealer", ["draw", "random", 2])
def test_B1_C4_episodes_of_one_hand_draw_number_and_dealer_but_not_other_cards(first_dealer: Any) -> None:
    rules = Rules(first_dealer=first_dealer)
    seeds = np.arange(60, dtype=np.uint64)
    hands, games = (Engine(rules, seeds=seeds, episode=episode).games for episode in ("hand", "game"))
    assert set(hands["hand_number"].tolist()) == {1, 2, 3, 4}
    assert (hands["first_hand"] == hands["hand_number"]).all() and (games["hand_number"] == 1).all()
    assert hands["hand_number"][:12].tolist() == [4, 2, 2, 1, 4, 3, 1, 1, 2, 1, 2, 1]  # as ever: see RULES_VERSION
    assert set(hands["dealer"].tolist()) == {0, 1, 2, 3}
    assert set(games["dealer"].tolist()) == ({2} if first_dealer == 2 else {0, 1, 2, 3})
    for hand, game in zip(hands, games, strict=True):
        dealt = [[g.hands[(g.dealer + n) % 4].tolist() for n in range(1, 5)] for g in (hand, game)]
        assert dealt[0] == dealt[1]


@pytest.mark.parametrize(
    ("table", "winner"),
    [
        ({1: 5, 2: 5}, -1),  # the others have not played yet, as in a play-off those that sit out
        ({1: 5, 2: 5, 3: 4}, 3),
        ({0: 7, 1: 5, 2: 5, 3: 4}, 0),
        ({0: 5, 1: 5, 2: 30, 6: 0}, 6),  # 2C, the lowest of all cards, is left alone
    ],
    ids=str,
)
def test_X4_X6_the_highest_card_that_is_not_cancelled_wins(table: dict[int, int], winner: int) -> None:
    engine = Engine(Rules(players=7, decks=2, passing="none"), seed=0)
    g, r = engine.games[0], engine.rules.array[0]
    g.table[:] = -1
    g.led_suit = 0
    for seat, card in table.items():
        g.table[seat] = card
    assert trick_winner(g, r) == winner


@pytest.mark.parametrize("winner", range(-1, 7))
@pytest.mark.parametrize("is_last", [True, False])
def test_X6_X7_only_a_last_trick_without_winner_goes_to_its_leader(winner: int, is_last: bool) -> None:
    engine = Engine(Rules(players=7, decks=2, passing="none"), seed=0)
    g, r = engine.games[0], engine.rules.array[0]
    g.leader = 3
    g.trick = engine.rules.hand_size - 1 if is_last else 4
    g.table[:7] = range(7)
    taker = 3 if is_last and winner < 0 else winner
    assert take_waiting(g, r, winner) == taker
    taken = [int(cards) for cards in g.captured[:7, 0]]
    assert taken == [127 if seat == taker else 0 for seat in range(7)]
    assert g.kitty_taker == taker


@pytest.mark.parametrize("taker", range(7))
def test_X3_the_kitty_stays_with_the_winner_of_the_first_trick(taker: int) -> None:
    engine = Engine(Rules(players=7, decks=2, passing="none"), seed=0)
    g, r = engine.games[0], engine.rules.array[0]
    g.table[:7] = range(7)
    for winner in (taker, (taker + 1) % 7, (taker + 3) % 7):
        take_waiting(g, r, winner)
        assert g.kitty_taker == taker


def test_E2_H4_seats_that_sit_out_add_nothing_to_a_trick() -> None:
    engine = Engine(Rules(), seed=0)
    g, r = engine.games[0], engine.rules.array[0]
    g.in_play, g.n_in_play = 0b0101, 2
    g.table[[0, 2]] = 7, 40
    take_table(g, r, 2)
    assert [int(cards) for cards in g.captured[:4, 0]] == [0, 0, 1 << 7 | 1 << 40, 0]
    assert g.points[:4].tolist() == [0, 0, 1, 0]


@pytest.mark.parametrize("players", [2, 4, 11])
def test_B2_all_ties_for_the_lowest_card_are_drawn_again(players: int) -> None:
    two_tied = 0
    for seed in np.arange(60, dtype=np.uint64):
        deck = shuffled(FULL_DECK_BB, EMPTY, np.uint64(stream(seed, FOR_FIRST_DEALER, 0))).tolist()
        seats = list(range(players))
        while len(seats) > 1:
            ranks = {seat: deck.pop(0) % 13 for seat in seats}
            seats = [seat for seat in seats if ranks[seat] == min(ranks.values())]
            two_tied += len(seats) == 2
        assert draw_first_dealer(seed, players) == seats[0]
    assert two_tied > 0


def test_C1_H4_seats_that_sit_out_pass_nothing() -> None:
    engine = Engine(Rules(players=7, decks=2), seed=0)
    g, r = engine.games[0], engine.rules.array[0]
    g.in_play, g.n_in_play = 0b0111111, 6
    g.hands[6, :] = 0
    for seat in range(6):
        g.passed[seat, :] = bitboard_cards(g.hands[seat, 0])[:3]
    before = g.hands[:, 0].copy()
    exchange(g, r)
    assert not g.hands[6].any() and not g.hands[7:].any()
    assert (g.hands[:6, 0] != before[:6]).any()
    assert np.bitwise_count(g.hands[:6]).sum(axis=1).tolist() == [engine.rules.hand_size] * 6
    assert (g.passed[6] == -1).all()


@pytest.mark.parametrize(("number", "seats"), [(1, 1), (2, 3), (3, 2), (4, 0), (5, 1)])
def test_C4_H4_passes_begin_again_to_the_left_with_the_first_play_off(number: int, seats: int) -> None:
    for playoff_pass, hand_number in (("restart", 10), ("restart", 12), ("continue", number)):
        engine = Engine(Rules(playoff_pass=playoff_pass), seed=0)
        g, r = engine.games[0], engine.rules.array[0]
        g.playoff, g.hand_number = number, hand_number
        assert pass_seats_left(g, r) == seats


def test_H7_cards_set_aside_are_never_opened() -> None:
    engine = Engine(Rules(two_hand_deal=13), seed=0)
    g, r = engine.games[0], engine.rules.array[0]
    g.kitty[0] = 127
    open_kitty(g, r)
    assert int(g.kitty[0]) == 127
    assert not g.captured.any()


def test_H7_there_is_no_shooter_where_no_penalty_card_was_dealt() -> None:
    rules = Rules(two_hand_deal=13, moon_value="fixed26")
    engine = Engine(rules, seed=0)
    g, r = engine.games[0], engine.rules.array[0]
    g.in_play, g.n_in_play = 0b0011, 2
    g.kitty[0] = rules.deck_planes(2)[0]
    assert find_shooter(g, r) == -1


@pytest.mark.parametrize("shooter", range(4))
def test_F6_the_shooter_chooses_whoever_took_the_last_trick(shooter: int) -> None:
    rules = Rules(moon="new")
    engine = Engine(rules, seed=0)
    g, r = engine.games[0], engine.rules.array[0]
    g.captured[shooter, 0] = rules.deck_planes(4)[0]
    g.turn = 2
    end_play(g, r)
    assert (g.phase, g.turn) == (Phase.MOON, shooter)


@pytest.mark.parametrize("card", [0, 1, 51])
def test_G2_no_second_revoke_in_a_turn_whatever_card_was_taken_back(card: int) -> None:
    engine = Engine(Rules(revokes="corrected", passing="none"), seed=0)
    g, r = engine.games[0], engine.rules.array[0]
    g.trick, g.n_table, g.n_plays, g.led_suit = 1, 1, 5, 1
    g.hands[g.turn, 0] = 1 << card | 1 << 14
    assert int(revoke_plays(g, r)) == 1 << card
    g.took_back[5] = card
    assert int(revoke_plays(g, r)) == 0
    g.took_back[5] = -1
    g.hands[g.turn, 0] = 1 << card  # a void is no revoke
    assert int(revoke_plays(g, r)) == 0


@pytest.mark.parametrize("taker", range(7))
def test_X3_V3_a_kitty_counts_for_its_taker_both_copies_of_a_card(taker: int) -> None:
    engine = Engine(Rules(players=7, decks=2, passing="none", bonus_cards=("JD",)), seed=0)
    g, r = engine.games[0], engine.rules.array[0]
    jack_of_diamonds, queen_of_spades = 13 + 9, 26 + 10
    g.kitty[:] = 1 << jack_of_diamonds | 1 << queen_of_spades
    g.kitty_taker = taker
    expected = [2 * (13 - 10) if seat == taker else 0 for seat in range(7)]
    assert [score_so_far(g, r, seat) for seat in range(7)] == expected
    open_kitty(g, r)
    assert not g.kitty.any()
    assert [hand_score(g, r, seat, False) for seat in range(7)] == expected


def test_seeds_of_no_shape_are_refused() -> None:
    with pytest.raises(errors.SeedError, match="makes no array"):
        Engine(seeds=[np.zeros((2, 2)), np.zeros((2, 3))])


@pytest.mark.parametrize("fields", [[("players", 4)], {4: "players"}, None])
def test_rules_are_made_of_a_dictionary_only(fields: Any) -> None:
    with pytest.raises(errors.RulesError, match="no dictionary of fields by their names"):
        Rules.from_dict(fields)


def test_C8_only_play_offs_begin_the_passing_anew() -> None:
    engine = Engine(Rules(playoff_pass="restart"), seed=1)
    assert pass_seats_left(engine.games[0], engine.rules.array[0]) == 1
    engine.games["hand_number"] = 2
    assert pass_seats_left(engine.games[0], engine.rules.array[0]) == 3


def test_H7_who_takes_all_penalty_cards_dealt_shoots_though_others_are_set_aside() -> None:
    engine = tied_hand(Rules(two_hand_deal=13), range(2))
    engine.next_hand()
    g, r = engine.games[0], engine.rules.array[0]
    dealt = int(r.penalty) & ~int(g.kitty[0])
    assert dealt
    assert dealt != int(r.penalty)
    g.captured[1, 0] = dealt
    assert find_shooter(g, r) == 1
    g.captured[1, 0] = dealt & (dealt - 1)  # all but one
    assert find_shooter(g, r) == -1
