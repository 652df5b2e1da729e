# ruff: noqa: N802 - names carry the numbers of rules
"""Section B of the rules page, and its worked example 20: the first dealer, the deal, the cut, and misdeals."""

from __future__ import annotations

import numpy as np
import pytest

from rk_env import DealError, Engine, Phase, Rules, cards
from rk_env.kernels.deal import draw_first_dealer, lowest_drawers
from tests.generators import hands_of, needs_compiled


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
def test_example_20_B1_every_seat_deals_first_equally_often(players: int) -> None:
    n = 6_000
    dealers = np.array([draw_first_dealer(np.uint64(seed), players) for seed in range(n)])
    counts = np.bincount(dealers, minlength=players)
    chi_squared = ((counts - n / players) ** 2 / (n / players)).sum()
    assert chi_squared < {3: 13.8, 4: 16.3, 5: 18.5, 6: 20.5}[players], counts  # p = 0.001


def test_B1_the_first_dealer_is_drawn_or_given(players: int) -> None:
    seeds = np.arange(200, dtype=np.uint64)
    drawn = Engine(Rules(players=players), seeds=seeds).games["dealer"]
    assert drawn.tolist() == [draw_first_dealer(seed, players) for seed in seeds]
    chosen = Engine(Rules(players=players, first_dealer="random"), seeds=seeds).games["dealer"]
    assert set(chosen.tolist()) == set(range(players))
    for seat in range(players):
        assert set(Engine(Rules(players=players, first_dealer=seat), seeds=seeds).games["dealer"].tolist()) == {seat}


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


def test_B5_C4_the_deal_moves_clockwise_and_the_pass_goes_by_hand_number(players: int) -> None:
    engine = Engine(Rules(players=players, first_dealer=players - 1, target=10_000), seed=2)
    directions = [1, players - 1, players // 2, 0]
    for hand in range(9):
        game = engine.games[0]
        assert game.dealer == (players - 1 + hand) % players
        assert game.hand_number == hand + 1
        assert game.pass_seats == directions[hand % 4]
        if directions[hand % 4]:
            assert (engine.phase[0], engine.turn[0]) == (Phase.PASS, (game.dealer + 1) % players)
        while engine.turn[0] >= 0:
            engine.step(engine.action_mask().argmax(axis=1))
        engine.next_hand()


def test_B6_C4_a_misdeal_keeps_dealer_and_hand_number(players: int) -> None:
    engine = Engine(Rules(players=players, first_dealer=2), seed=2)
    deals = [hands_of(engine)]
    engine.step(engine.action_mask().argmax(axis=1))
    for _ in range(3):
        engine.redeal()
        deals.append(hands_of(engine))
        game = engine.games[0]
        assert (game.dealer, game.hand_number, game.pass_seats) == (2, 1, 1)
        assert (engine.phase[0], engine.turn[0], game.n_picks) == (Phase.PASS, 3 % players, 0)
    assert len({str(deal) for deal in deals}) == 4


@needs_compiled
def test_deals_are_complete_and_even(players: int) -> None:
    """Each card comes to each seat equally often; each deal uses the whole deck."""
    n = 4_000
    hands = Engine(Rules(players=players), num_games=n, seed=4).games["hands"][:, :players, 0]
    assert (np.bitwise_or.reduce(hands, axis=1) == Rules(players=players).deck_bb(players)).all()
    bits = (hands[:, :, None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)
    counts = bits.sum(axis=0)[:, Rules(players=players).deck].astype(float)
    spread = np.sqrt(n / players * (1 - 1 / players))
    assert abs(counts - n / players).max() < 4.5 * spread
