"""Faults that other Hearts programs had, by the numbers of the reports page: scores, ends of games, deals and copies.

Those about legal cards and passing are in `test_reports.py`; `test_sources.py` says where each number is tested.
"""

from __future__ import annotations

import copy
import dataclasses
from collections import Counter
from typing import Any

import numpy as np
import pytest

from rk_env import Engine, IllegalActionError, Phase, Rules
from tests.generators import act, hands_of, hold_hand, legal_of, needs_compiled, play_tricks, scaled
from tests.playing import play_games, play_on, tied_hand

ALL_CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC"

VARIANTS: list[dict[str, Any]] = [
    {},
    {"passing": "none", "black_card": "JS", "first_trick": "off"},
    {"passing": "left", "opening": "two_of_clubs", "moon": "new", "bonus_cards": ("JD", "10D")},
    {"opening": "lowest_club", "first_trick": "strict", "queen_breaks_hearts": True, "target": 50},
    {"remove_for_three": "2C", "opening": "two_of_clubs", "first_trick": "only_2c", "open_with_heart": True},
    {"first_dealer": "random", "across_seats": 1, "heart_instead_of_queen": True, "moon_value": "fixed26"},
]


def after_a_moon(shooter: int, totals: list[int], **settings: Any) -> Engine:
    """Return a game of four after a hold hand in which one seat held all clubs and so shot the moon."""
    engine, hands = hold_hand([ALL_CLUBS if seat == shooter else "" for seat in range(4)], totals=totals, **settings)
    play_tricks(engine, hands)
    return engine


# Moon and scores


@pytest.mark.parametrize("bonus_cards", [(), ("JD",), ("10D",), ("JD", "10D")])
@pytest.mark.parametrize("shooter", range(4))
def test_report_44_45_53_a_moon_with_all_tricks_scores_26_and_no_more(
    shooter: int, bonus_cards: tuple[str, ...]
) -> None:
    engine = after_a_moon(shooter, [0, 0, 0, 0], bonus_cards=bonus_cards)
    assert (engine.games[0].winners[:13] == shooter).all()
    assert engine.hand_scores[0].tolist() == [-10 * len(bonus_cards) if seat == shooter else 26 for seat in range(4)]


@pytest.mark.parametrize("variant", [v for v in VARIANTS if "bonus_cards" not in v])
def test_report_47_scores_add_up(table: Rules, variant: dict[str, Any]) -> None:
    players = table.players
    engine = Engine(dataclasses.replace(table, **variant), num_games=scaled(300), seed=3)
    play_on(engine, np.random.default_rng(2))
    black = 10 if variant.get("black_card") == "JS" else 13
    points = 2 * (13 + black) if table.decks == 2 else (12 if players == 6 else 13) + black
    moons = engine.games["shooter"] >= 0
    value = 26 if variant.get("moon_value") == "fixed26" else points
    assert (engine.hand_scores.sum(axis=1) == np.where(moons, value * (players - 1), points)).all()


def test_report_52_the_shooter_is_asked_before_the_end_is_tested() -> None:
    engine = after_a_moon(2, [99, 99, 0, 99], moon="new")
    assert (engine.phase[0], engine.turn[0]) == (Phase.MOON, 2)
    assert legal_of(engine) == {"moon+", "moon-"}
    with pytest.raises(IllegalActionError, match=r"phase MOON: 2C is not legal; legal: moon\+, moon-"):
        act(engine, "2C")
    act(engine, "moon-")
    assert engine.phase[0] == Phase.HAND_OVER
    assert engine.totals[0].tolist() == [99, 99, -26, 99]


def test_report_62_a_moon_counts_once() -> None:
    engine = after_a_moon(1, [0, 0, 0, 0])
    assert engine.games[0].shooter == 1
    engine.next_hand()
    assert engine.games[0].shooter == -1
    assert not engine.hand_scores.any()
    assert not engine.captured_points.any()
    assert engine.totals[0].tolist() == [26, 0, 26, 26]


# The end


@pytest.mark.parametrize("tied", [{2, 3}, {0, 1}, {0, 3}, {0, 1, 3}, {1, 2, 3}, {0, 1, 2, 3}, {2}])
def test_report_56_57_ties_share_the_win(tied: set[int]) -> None:
    before = [(50 if seat in tied else 70) - (0 if seat == 1 else 26) for seat in range(4)]
    engine = after_a_moon(1, before, max_hands=4)
    assert engine.phase[0] == Phase.GAME_OVER
    assert engine.win_shares[0].tolist() == pytest.approx([1 / len(tied) if seat in tied else 0 for seat in range(4)])
    assert engine.winner[0] == (min(tied) if len(tied) == 1 else -1)


def test_report_56_two_seats_with_50_play_off() -> None:
    engine = after_a_moon(2, [74, 74, 50, 24])
    assert engine.totals[0].tolist() == [100, 100, 50, 50]
    assert (engine.phase[0], engine.winner[0], engine.win_shares[0].any()) == (Phase.HAND_OVER, -1, False)
    engine.next_hand()
    assert engine.in_play[0].tolist() == [False, False, True, True]
    play_games(engine, np.random.default_rng(1))
    assert engine.winner[0] in (2, 3)
    assert engine.totals[0].tolist() == [100, 100, 50, 50]
    shared = after_a_moon(2, [74, 74, 50, 24], ties="share")
    assert shared.win_shares[0].tolist() == [0, 0, 0.5, 0.5]


@pytest.mark.parametrize("seats", [[0, 1], [1, 3], [0, 2, 3]])
def test_report_57_a_play_off_favours_no_seat(seats: list[int]) -> None:
    n = scaled(600)
    engine = tied_hand(Rules(first_dealer="random"), seats, n=n)
    play_games(engine, np.random.default_rng(3))
    counts = np.bincount(engine.winner, minlength=4)
    assert set(np.flatnonzero(counts)) <= set(seats)
    assert counts.sum() == n
    spread = np.sqrt(n / len(seats) * (1 - 1 / len(seats)))
    assert abs(counts[seats] - n / len(seats)).max() < 5 * spread, counts


def test_report_59_60_exactly_a_hundred_ends_the_game_and_stays() -> None:
    engine = after_a_moon(1, [74, 40, 34, 36])
    assert engine.totals[0].tolist() == [100, 40, 60, 62]
    assert engine.phase[0] == Phase.GAME_OVER
    assert engine.winner[0] == 1
    engine = after_a_moon(1, [73, 40, 34, 36])
    assert engine.totals[0].tolist() == [99, 40, 60, 62]
    assert engine.phase[0] == Phase.HAND_OVER
    assert engine.winner[0] == -1


def test_report_73_shares_add_up_to_the_games(table: Rules) -> None:
    engine = Engine(dataclasses.replace(table, max_hands=1), num_games=scaled(500), seed=1)
    assert not engine.win_shares.any()
    play_on(engine, np.random.default_rng(3))
    assert engine.win_shares.sum(axis=1) == pytest.approx(np.ones(len(engine)))
    assert ((engine.win_shares.max(axis=1) == 1) == (engine.winner >= 0)).all()


# Games and deals


def test_report_40_a_new_game_starts_afresh() -> None:
    engine = Engine(Rules(target=50), num_games=scaled(100), seed=1)
    rng = np.random.default_rng(1)
    while (engine.phase != Phase.GAME_OVER).any():
        play_on(engine, rng)
        before = engine.games["hand_number"].copy()
        going_on = engine.phase == Phase.HAND_OVER
        engine.next_hand()
        assert (engine.games["hand_number"] == before + going_on).all()
    assert engine.totals.max(axis=1).min() >= 50
    engine.reset(seed=1)
    assert (engine.games["hand_number"] == 1).all()
    assert (engine.games["pass_seats"] == 1).all()
    assert not engine.totals.any()
    assert engine.games.tobytes() == Engine(Rules(target=50), num_games=scaled(100), seed=1).games.tobytes()


@pytest.mark.parametrize("variant", VARIANTS)
def test_report_64_every_player_count_and_variant_plays(table: Rules, variant: dict[str, Any]) -> None:
    rules = dataclasses.replace(table, **variant)
    engine = Engine(rules, seeds=np.arange(scaled(1_000), dtype=np.uint64))
    play_on(engine, np.random.default_rng(4))
    assert (engine.games["n_plays"] == rules.hand_size * rules.players).all()
    assert not engine.games["hands"].any()
    engine.next_hand()
    assert (engine.turn[engine.phase != Phase.GAME_OVER] >= 0).all()


@needs_compiled
def test_report_72_dealer_and_direction_are_not_tied(table: Rules) -> None:
    players = table.players
    engine = Engine(table, num_games=4_000, seed=1, episode="hand")
    counts = Counter(zip(engine.games["dealer"].tolist(), (engine.games["hand_number"] % 4).tolist(), strict=True))
    expected = 4_000 / (4 * players)
    assert len(counts) == 4 * players
    assert all(abs(count - expected) < 5 * expected**0.5 for count in counts.values()), counts


def test_report_75_every_deal_is_another(table: Rules) -> None:
    engine = Engine(dataclasses.replace(table, target=10_000), num_games=scaled(1_000), seed=1)
    deals = set()
    for _ in range(3):
        for _ in range(2):
            hands = engine.games["hands"][:, : table.players].tolist()
            deals |= {frozenset(map(tuple, seats)) for seats in hands}  # in any seats
            engine.redeal()
        play_on(engine, np.random.default_rng(5))
        engine.next_hand()
    assert len(deals) == 6 * len(engine)


def test_report_78_deals_do_not_depend_on_how_games_are_played_or_batched(table: Rules) -> None:
    rules = dataclasses.replace(table, target=10_000)
    engines = [Engine(rules, seeds=[11, 12]), Engine(rules, seeds=[11, 12]), Engine(rules, seeds=[12])]
    for _ in range(4):
        deals = [[(hands_of(engine, i), engine.games[i].dealer) for i in range(len(engine))] for engine in engines]
        assert deals[0] == deals[1]
        assert deals[0][1] == deals[2][0]
        for number, engine in enumerate(engines):
            play_on(engine, np.random.default_rng(number))
            engine.next_hand()


# Masks and copies


@pytest.mark.parametrize("revokes", ["prevented", "corrected", "exposed"])
def test_report_masks_are_fresh_int8_and_never_empty_for_a_seat_to_act(table: Rules, revokes: Any) -> None:
    engine = Engine(dataclasses.replace(table, moon="new", revokes=revokes), num_games=scaled(50), seed=1)
    rng = np.random.default_rng(6)
    while (engine.turn >= 0).any():
        mask = engine.action_mask()
        assert mask.dtype == np.int8
        assert set(np.unique(mask)) <= {0, 1}
        assert (mask.any(axis=1) == (engine.turn >= 0)).all()
        kept = mask.copy()
        engine.step(np.where(engine.turn >= 0, (mask * rng.random(mask.shape)).argmax(axis=1), -1))
        assert (mask == kept).all()
        engine.action_mask()[:] = 9
    assert not engine.action_mask().any()


def test_report_copies_go_their_own_way() -> None:
    engine = Engine(num_games=3, seed=1)
    clones = [copy.deepcopy(engine), Engine.from_games(engine.games.copy(), engine.rules)]
    before = engine.games.tobytes()
    play_on(engine, np.random.default_rng(7))
    for clone in clones:
        assert clone.games.tobytes() == before
        play_on(clone, np.random.default_rng(7))
        assert clone.games.tobytes() == engine.games.tobytes()
