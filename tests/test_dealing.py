# ruff: noqa: N802 - names carry the numbers of rules
"""Section B of the rules page, and its worked example 20: the first dealer, the deal, the cut, and misdeals."""

from __future__ import annotations

import dataclasses
from collections import Counter

import numpy as np
import pytest

from rk_env import DealError, Engine, Phase, Rules, cards
from rk_env.kernels.deal import draw_first_dealer, lowest_drawers
from tests.generators import CARD_TEXTS, hands_of, kitty_of, needs_compiled
from tests.playing import lowest_actions, play_lowest, tied_hand

TWO_DECKS = Counter(2 * CARD_TEXTS)


def lowest_of(drawn: str, tied: set[int]) -> set[int]:
    bits = lowest_drawers(np.array(cards.parse_cards(drawn), np.int8), sum(1 << seat for seat in tied))
    return {seat for seat in range(len(drawn.split())) if bits >> seat & 1}


def test_example_20_B1_B2_the_lowest_card_deals_and_ties_draw_again() -> None:
    assert lowest_of("3D 3S KH 9C", {0, 1, 2, 3}) == {0, 1}
    assert lowest_of("7H JC KH 9C", {0, 1}) == {0}
    assert lowest_of("AC AD AS KH", {0, 1, 2, 3}) == {3}
    assert lowest_of("AC AD AS", {0, 1, 2}) == {0, 1, 2}
    assert lowest_of("2H 2C 5D 2S 9C", {1, 2, 3, 4}) == {1, 3}


@needs_compiled
def test_example_20_B1_every_seat_deals_first_equally_often(table: Rules) -> None:
    n, players = 6_000, table.players
    dealers = np.array([draw_first_dealer(np.uint64(seed), players) for seed in range(n)])
    counts = np.bincount(dealers, minlength=players)
    chi_squared = ((counts - n / players) ** 2 / (n / players)).sum()
    limits = {3: 13.8, 4: 16.3, 5: 18.5, 6: 20.5, 7: 22.5, 8: 24.3, 9: 26.1, 10: 27.9, 11: 29.6}
    assert chi_squared < limits[players], counts  # p = 0.001


def test_B1_the_first_dealer_is_drawn_or_given(table: Rules) -> None:
    seeds = np.arange(200, dtype=np.uint64)
    drawn = Engine(table, seeds=seeds).games["dealer"]
    assert drawn.tolist() == [draw_first_dealer(seed, table.players) for seed in seeds]
    chosen = Engine(dataclasses.replace(table, first_dealer="random"), seeds=seeds).games["dealer"]
    assert set(chosen.tolist()) == set(range(table.players))
    assert (chosen != drawn).any()
    for seat in range(table.players):
        given = Engine(dataclasses.replace(table, first_dealer=seat), seeds=seeds).games["dealer"]
        assert set(given.tolist()) == {seat}


def test_B3_B4_cards_go_round_one_at_a_time_clockwise(players: int) -> None:
    """A cut one card deeper gives each seat the whole hand of the seat at its left: the first card dealt goes last."""
    engine = Engine(Rules(players=players, first_dealer=1), seeds=[5, 5])
    for cut in (1, 7, len(engine.rules.deck) - 2):
        engine.games["redeal"] = 0
        engine.redeal(cuts=[cut, cut + 1])
        shallow, deep = (hands_of(engine, game) for game in (0, 1))
        assert deep == shallow[1:] + shallow[:1]


def test_B3_the_deal_begins_left_of_the_dealer(players: int) -> None:
    deals = [hands_of(Engine(Rules(players=players, first_dealer=seat), seeds=[5])) for seat in range(players)]
    for dealer in range(1, players):
        assert deals[dealer] == deals[0][-dealer:] + deals[0][:-dealer]


@pytest.mark.parametrize("cut", [0, 52, -1, 3.5])
def test_B4_a_cut_lifts_1_to_n_minus_1_cards(cut: float) -> None:
    engine = Engine(seed=1)
    before = engine.games.copy()
    with pytest.raises(DealError, match="cut"):
        engine.redeal(cuts=cut)
    assert engine.games.tobytes() == before.tobytes()
    engine.redeal(cuts=51)
    assert hands_of(engine) != hands_of(Engine.from_games(before, Rules()))


def test_B5_C4_the_deal_moves_clockwise_and_the_pass_goes_by_hand_number(table: Rules) -> None:
    players = table.players
    engine = Engine(dataclasses.replace(table, first_dealer=players - 1, target=10_000), seed=2)
    directions = [1, players - 1, players // 2, 0]
    for hand in range(9):
        game = engine.games[0]
        assert game.dealer == (players - 1 + hand) % players
        assert game.hand_number == hand + 1
        assert game.pass_seats == directions[hand % 4]
        if directions[hand % 4]:
            assert (engine.phase[0], engine.turn[0]) == (Phase.PASS, (game.dealer + 1) % players)
        play_lowest(engine)
        engine.next_hand()


def test_B6_C4_a_misdeal_keeps_dealer_and_hand_number(table: Rules) -> None:
    engine = Engine(dataclasses.replace(table, first_dealer=2), seed=2)
    deals = [hands_of(engine)]
    engine.step(engine.action_mask().argmax(axis=1))
    for redeal in (1, 2, 3):
        engine.redeal()
        deals.append(hands_of(engine))
        game = engine.games[0]
        assert (game.dealer, game.hand_number, game.pass_seats, game.redeal) == (2, 1, 1, redeal)
        assert (engine.phase[0], engine.turn[0], game.n_picks) == (Phase.PASS, 3 % table.players, 0)
    assert len({str(deal) for deal in deals}) == 4
    play_lowest(engine)
    engine.next_hand()
    assert (engine.games[0].hand_number, engine.games[0].redeal) == (2, 0)


@pytest.mark.parametrize("n_plays", [1, 4, 30])
def test_B6_a_misdeal_may_be_declared_until_the_hand_is_over(n_plays: int, table: Rules) -> None:
    """What was played is forgotten; the seed alone says what comes: the same as after a misdeal at once."""
    engine, other = (Engine(table, seed=2, episode="hand") for _ in range(2))
    for _ in range(3 * table.players + n_plays):
        engine.step(lowest_actions(engine))
    assert engine.phase[0] == Phase.PLAY
    for one in (engine, other):
        one.redeal()
    assert engine.games.tobytes() == other.games.tobytes()
    play_lowest(engine)
    with pytest.raises(DealError, match="the hand is over and scored"):
        engine.redeal()


def test_B6_X2_a_misdeal_gathers_the_kitty_too() -> None:
    for players in range(6, 12):
        engine = Engine(Rules(players=players, decks=2, passing="none"), seed=3)
        kitties = [kitty_of(engine)]
        while engine.games[0].trick < 2:
            engine.step(lowest_actions(engine))
        assert players == 8 or engine.games[0].kitty_taker >= 0
        engine.redeal()
        kitties.append(kitty_of(engine))
        game = engine.games[0]
        assert (game.kitty_taker, bool(game.waiting.any()), bool(game.captured.any())) == (-1, False, False)
        assert len(kitties[1]) == len(kitties[0]) == 104 % players
        assert Counter(kitties[1] + [card for hand in hands_of(engine) for card in hand]) == TWO_DECKS


def test_B6_a_hand_is_not_dealt_again_without_end() -> None:
    engine = Engine(num_games=2, seed=1)
    engine.games["redeal"][1] = 32_766
    before = engine.games.tobytes()
    with pytest.raises(DealError, match="game 1: the hand has been dealt again 32766 times, which is the most"):
        engine.redeal()
    assert engine.games.tobytes() == before
    engine.redeal([0])


# Cuts and two decks


def test_B4_a_cut_is_1_to_n_minus_1_of_the_deck_that_is_dealt(table: Rules) -> None:
    n = len(table.deck)
    engine = Engine(table, seed=1)
    for cut in (0, n):
        with pytest.raises(DealError, match=f"cuts={cut}: allowed: 1 to {n - 1}"):
            engine.redeal(cuts=cut)
    for cut in (1, n - 1):
        engine.redeal(cuts=cut)
    assert engine.games[0].redeal == 2


def test_B4_each_game_of_a_batch_has_its_own_deck_to_cut() -> None:
    """At six, the main game deals 48 cards, a play-off of four 52, one of five 50."""
    rules = Rules(players=6)
    engine = Engine.from_games(
        np.concatenate([tied_hand(rules, range(n)).games for n in (4, 5)] + [tied_hand(rules, range(6)).games]), rules
    )
    before = engine.games.tobytes()
    bad = [([52, 20, 20], "52"), ([20, 50, 20], "50"), ([20, 20, 48], "48"), (50, "50")]
    for cuts, n in bad:
        with pytest.raises(DealError, match=f"allowed.*: 1 to {int(n) - 1}"):
            engine.next_hand(cuts)
        assert engine.games.tobytes() == before
    engine.next_hand([51, 49, 47])
    assert engine.games["playoff"].tolist() == [1, 1, 1]
    with pytest.raises(DealError, match="allowed where 48 cards are dealt: 1 to 47"):
        engine.redeal(cuts=[51, 49, 48])
    with pytest.raises(DealError, match="allowed: 1 to 49"):
        engine.redeal([1, 2], cuts=[50, 1])
    engine.redeal(cuts=[51, 49, 47])
    engine.redeal([0], cuts=51)


def test_B4_two_decks_are_cut_like_one() -> None:
    """At eight players, with nothing left over, a cut one card deeper moves every hand by one seat."""
    engine = Engine(Rules(players=8, decks=2, first_dealer=1), seeds=[5, 5])
    for cut in (1, 60, 102):
        engine.games["redeal"] = 0
        engine.redeal(cuts=[cut, cut + 1])
        shallow, deep = (hands_of(engine, game) for game in (0, 1))
        assert deep == shallow[1:] + shallow[:1]


def test_X2_the_last_cards_of_the_pack_are_left_over() -> None:
    """A cut deeper by as many cards as go round lets the kitty be dealt, and leaves over what was dealt first."""
    engine = Engine(Rules(players=6, decks=2, first_dealer=5), seeds=[5, 5])
    engine.games["redeal"] = 0
    engine.redeal(cuts=[10, 12])  # two cards more: seats 0 and 1 got them first
    (hands, deeper), (kitty, other) = (
        [hands_of(engine, game) for game in (0, 1)],
        [kitty_of(engine, game) for game in (0, 1)],
    )
    everything = [Counter(hand) for hand in hands]
    for seat in range(6):  # each hand moves by two seats; seats 4 and 5 get the old kitty, 0 and 1 lose a card
        moved = Counter(deeper[(seat - 2) % 6])
        gained, lost = moved - everything[seat], everything[seat] - moved
        assert sum(gained.values()) == sum(lost.values()) == (1 if seat < 2 else 0)
        if seat < 2:
            assert gained.keys() <= set(kitty)
            assert lost.keys() <= set(other)


@needs_compiled
def test_two_deck_deals_are_complete_and_even() -> None:
    """Each copy comes to each seat, and to the kitty, as often as its share of the deal; each deal uses both decks."""
    for players in range(6, 12):
        rules, n = Rules(players=players, decks=2), 1_000
        games = Engine(rules, num_games=n, seed=4).games
        sets = np.concatenate([games["hands"][:, :players], games["kitty"][:, None]], axis=1)  # (n, seats + 1, 2)
        bits = (sets[..., None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)
        counts = bits.sum(axis=2)  # (n, seats + 1, 52)
        assert (counts.sum(axis=1) == 2).all()
        share = np.array([rules.hand_size] * players + [104 % players]) / 104
        spread = np.sqrt(2 * n * share * (1 - share))[:, None] + 1e-9
        assert (abs(counts.sum(axis=0) - 2 * n * share[:, None]) <= 5 * spread).all(), players


# Play-offs


@pytest.mark.parametrize("dealer", range(5))
def test_H8_the_deal_moves_to_the_next_seat_clockwise_that_is_in(dealer: int) -> None:
    for seats in ([0, 3], [1, 2, 4], [2, 3], [0, 1, 2, 3, 4]):
        engine = tied_hand(Rules(players=5), seats)
        engine.games["dealer"] = dealer
        engine.next_hand()
        expected = min((seat - dealer - 1) % 5 for seat in seats)
        assert engine.games[0].dealer == (dealer + 1 + expected) % 5
        assert engine.games[0].dealer in seats
        assert (engine.games[0].hand_number, engine.games[0].playoff, engine.games[0].redeal) == (2, 1, 0)


def test_B3_H4_a_play_off_goes_round_those_in_it() -> None:
    engine = tied_hand(Rules(players=6, playoff_pass="none"), [1, 3, 4], n=2)
    engine.games["dealer"], engine.games["seed"] = 3, 5
    engine.next_hand([20, 21])
    shallow, deep = (hands_of(engine, game) for game in (0, 1))
    assert [len(hand) for hand in shallow] == [0, 17, 0, 17, 17, 0]
    assert [deep[seat] for seat in (1, 3, 4)] == [shallow[seat] for seat in (3, 4, 1)]


@pytest.mark.parametrize(("players", "seats"), [(4, [2, 3]), (5, [0, 1, 4]), (9, [0, 1, 2, 5, 6, 7, 8])])
def test_B6_H4_a_misdeal_in_a_play_off_keeps_all_but_the_cards(players: int, seats: list[int]) -> None:
    engine = tied_hand(Rules(players=players, decks=1 if players < 7 else 2), seats)
    engine.next_hand()
    dealt, before = hands_of(engine), engine.games.copy()
    for _ in range(3 * len(seats) + 5):
        engine.step(lowest_actions(engine))
    engine.redeal()
    for field in ("playoff", "hand_number", "dealer", "in_play", "n_in_play", "totals", "places", "pass_seats", "turn"):
        assert np.array_equal(engine.games[field], before[field]), field
    assert engine.games[0].redeal == 1
    assert [len(hand) for hand in hands_of(engine)] == [len(hand) for hand in dealt]
    assert hands_of(engine) != dealt


@needs_compiled
def test_deals_are_complete_and_even(players: int) -> None:
    """Each card comes to each seat equally often; each deal uses the whole deck."""
    n = 4_000
    hands = Engine(Rules(players=players), num_games=n, seed=4).games["hands"][:, :players, 0]
    assert (np.bitwise_or.reduce(hands, axis=1) == Rules(players=players).deck_planes(players)[0]).all()
    bits = (hands[:, :, None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)
    counts = bits.sum(axis=0)[:, Rules(players=players).deck].astype(float)
    spread = np.sqrt(n / players * (1 - 1 / players))
    assert abs(counts - n / players).max() < 4.5 * spread
