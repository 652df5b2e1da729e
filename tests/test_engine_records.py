"""`Engine.from_games`: records made elsewhere, saved and copied games, and what is refused."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rk_env import GAME, Engine, GameRecordError, Phase, Rules
from rk_env.jit import JIT_DISABLED
from tests.playing import play_on, tied_hand


def test_from_games_uses_the_array_itself() -> None:
    engine = Engine(num_games=3, seed=1)
    games = engine.games.copy()
    other = Engine.from_games(games, engine.rules)
    assert other.games is games
    actions = engine.action_mask().argmax(axis=1)
    engine.step(actions)
    other.step(actions)
    assert games.tobytes() == engine.games.tobytes()


def test_saved_games_go_on(tmp_path: Path) -> None:
    engine = Engine(num_games=3, seed=1)
    np.save(tmp_path / "games.npy", engine.games)
    other = Engine.from_games(np.load(tmp_path / "games.npy"), engine.rules)
    play_on(engine, np.random.default_rng(0))
    play_on(other, np.random.default_rng(0))
    assert other.games.tobytes() == engine.games.tobytes()
    assert other.games[0].turn == engine.games[0].turn


@pytest.mark.parametrize("episode", ["game", "hand"])
def test_records_of_every_table_are_taken_at_every_decision(table: Rules, episode: Any) -> None:
    engine = Engine(table, num_games=4, seed=1, episode=episode)
    rng = np.random.default_rng(0)
    while (engine.turn >= 0).any():
        assert_taken(engine)
        play_on(engine, rng, 1 if not JIT_DISABLED else 9)
    assert_taken(engine)


def assert_taken(engine: Engine) -> None:
    other = Engine.from_games(engine.games.copy(), engine.rules)
    np.testing.assert_array_equal(other.action_mask(), engine.action_mask())
    np.testing.assert_array_equal(other.observe(), engine.observe())
    assert other.layout.size == engine.layout.size


@pytest.mark.parametrize("fields", [{}, {"two_hand_deal": 13}, {"revokes": "exposed", "late_revoke": "replay"}])
@pytest.mark.parametrize(("players", "decks", "n"), [(4, 1, 2), (6, 1, 5), (8, 2, 2), (11, 2, 7)])
def test_records_of_play_offs_are_taken_at_every_decision(
    players: int, decks: int, n: int, fields: dict[str, Any]
) -> None:
    engine = tied_hand(Rules(players=players, decks=decks, **fields), range(players - n, players), n=3)
    rng = np.random.default_rng(0)
    for _ in range(3):
        assert_taken(engine)
        engine.next_hand()
        while (engine.turn >= 0).any():
            assert_taken(engine)
            play_on(engine, rng, 1 if not JIT_DISABLED else 9)
    assert (engine.phase == Phase.GAME_OVER).any()


def test_no_records_at_all(table: Rules) -> None:
    engine = Engine.from_games(np.empty(0, GAME), table)
    assert engine.action_mask().shape == (0, 54)
    assert engine.in_play.shape == engine.places.shape == engine.captured_points.shape == (0, table.players)
    assert engine.observe().shape == (0, engine.layout.size)
    engine.step([])
    engine.next_hand()
    engine.next_hand(cuts=5)
    engine.redeal()
    engine.reset()


@pytest.mark.parametrize("rules", [Rules(players=9, decks=2), Rules(revokes="corrected"), Rules(two_hand_deal=13)])
def test_saved_games_of_new_modes_go_on(tmp_path: Path, rules: Rules) -> None:
    engine = tied_hand(rules, [0, 1], n=4)
    engine.reset([2, 3], seeds=[5, 6])
    engine.next_hand()
    play_on(engine, np.random.default_rng(0), 20)
    np.save(tmp_path / "games.npy", engine.games)
    again = [
        Engine.from_games(np.load(tmp_path / "games.npy"), rules),
        Engine.from_games(pickle.loads(pickle.dumps(engine.games)), rules),
        Engine.from_games(np.frombuffer(bytearray(engine.games.tobytes()), GAME), rules),
    ]
    play_on(engine, np.random.default_rng(1))
    for other in again:
        play_on(other, np.random.default_rng(1))
        assert other.games.tobytes() == engine.games.tobytes()
        assert other.places.tolist() == engine.places.tolist()


# What is refused.


def broken(games: NDArray[np.void], field: str, value: Any) -> NDArray[np.void]:
    games = games.copy()
    games[field][1] = value
    return games


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda games: games[::2], "C-contiguous"),
        (lambda games: games[0], "array of shape"),
        (lambda games: games.reshape(1, -1), "array of shape"),
        (lambda games: np.zeros(3), "array of shape"),
        (lambda games: list(games), "array of shape"),
        (lambda games: np.ma.masked_array(games), "array of shape"),
        (lambda games: np.frombuffer(games.tobytes(), GAME), "writeable"),
        (lambda games: np.zeros(3, GAME), "game 0 is a seat's view"),
        (lambda games: broken(games, "observer", 2), "game 1 is a seat's view"),
        (lambda games: broken(games, "phase", 5), "game 1 has phase out of range"),
        (lambda games: broken(games, "turn", -1), "game 1 has a turn"),
        (lambda games: broken(games, "turn", 4), "game 1 has turn out of range"),
        (lambda games: broken(games, "n_plays", 53), "game 1 has n_plays out of range"),
        (lambda games: broken(games, "play_seats", 100), "game 1 has play_seats out of range"),
        (lambda games: broken(games, "passed", 52), "game 1 has passed out of range"),
        (lambda games: broken(games, "dealer", -1), "game 1 has dealer out of range"),
        (lambda games: broken(games, "led_suit", 4), "game 1 has led_suit out of range"),
        (lambda games: broken(games, "hands", 1), "game 1 has not the cards of the deck"),
        (lambda games: broken(games, "phase", 3), "game 1 has a turn that does not fit"),
        (lambda games: broken(games, "hand_number", 0), "game 1 has hand_number out of range"),
        (lambda games: broken(games, "first_hand", 0), "game 1 has first_hand out of range"),
        (lambda games: broken(games, "redeal", -1), "game 1 has redeal out of range"),
        (lambda games: broken(games, "n_table", 4), "game 1 has n_table out of range"),
        (lambda games: broken(games, "pass_seats", 4), "game 1 has pass_seats out of range"),
        (lambda games: broken(games, "n_picks", 13), "game 1 has n_picks out of range"),
        (lambda games: broken(games, "trick", 14), "game 1 has trick out of range"),
        (lambda games: broken(games, "trick", 13), "game 1 goes on though all its cards are played"),
        (lambda games: broken(games, "n_plays", 52), "game 1 goes on though all its cards are played"),
        (lambda games: broken(games, "playoff", -1), "game 1 has playoff out of range"),
        (lambda games: broken(games, "places", 4), "game 1 has places out of range"),
        (lambda games: broken(games, "places", -1), "game 1 has places out of range"),
        (lambda games: broken(games, "took_back", 52), "game 1 has took_back out of range"),
        (lambda games: broken(games, "took_back", -2), "game 1 has took_back out of range"),
        (lambda games: broken(games, "kitty_taker", 4), "game 1 has kitty_taker out of range"),
        (lambda games: broken(games, "winners", 4), "game 1 has winners out of range"),
        (lambda games: broken(games, "leader", -2), "game 1 has leader out of range"),
        (lambda games: broken(games, "shooter", 4), "game 1 has shooter out of range"),
        (lambda games: broken(games, "plays", 52), "game 1 has plays out of range"),
        (lambda games: broken(games, "table", 52), "game 1 has table out of range"),
        (lambda games: broken(games, "kitty", 1), "game 1 has not the cards of the deck"),
        (lambda games: broken(games, "waiting", 1), "game 1 has not the cards of the deck"),
        (lambda games: broken(games, "captured", 1), "game 1 has not the cards of the deck"),
        (lambda games: broken(games, "in_play", 0b0111), "game 1 has other seats in play"),
        (lambda games: broken(games, "in_play", 0b11111), "game 1 has other seats in play"),
        (lambda games: broken(games, "in_play", 0), "game 1 has other seats in play"),
        (lambda games: broken(games, "n_in_play", 3), "game 1 has other seats in play"),
        (lambda games: Engine(Rules(players=5), num_games=2).games, "game 0 has other seats in play than the 4"),
        (
            lambda games: Engine(Rules(players=8, decks=2), num_games=2).games,
            "game 0 has other seats in play than the 4",
        ),
    ],
)
def test_bad_records(make: Callable[[Any], Any], message: str) -> None:
    games = Engine(num_games=3, seed=1).games
    with pytest.raises(GameRecordError, match=message):
        Engine.from_games(make(games), Rules())


def swapped(games: NDArray[np.void], field: str) -> NDArray[np.void]:
    """Game 1 with the planes of a set of cards the wrong way round."""
    return broken(games, field, games[field][1][..., ::-1].copy())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda games: broken(games, "kitty", 0), "game 1 has not the cards of the deck, each as often as the deck"),
        (lambda games: swapped(games, "hands"), r"game 1 has a card on plane 1 \(both copies\) but not on plane 0"),
        (lambda games: swapped(games, "kitty"), "game 1 has a card on plane 1"),
        (lambda games: broken(games, "waiting", [0, 1]), "game 1 has a card on plane 1"),
        (lambda games: broken(games, "waiting", [1, 1]), "game 1 has not the cards"),
        (lambda games: broken(games, "n_plays", 98), "game 1 goes on though all its cards are played"),
        (lambda games: broken(games, "n_plays", 99), "game 1 has n_plays out of range"),
        (lambda games: broken(games, "trick", 14), "game 1 goes on though all its cards are played"),
        (lambda games: broken(games, "n_table", 7), "game 1 has n_table out of range"),
        (lambda games: broken(games, "play_seats", 7), "game 1 has play_seats out of range"),
        (lambda games: broken(games, "in_play", 0b1111110), "game 1 has other seats in play than the 7"),
        (lambda games: Engine(Rules(players=6, decks=2), num_games=2).games, "game 0 has other seats in play"),
    ],
)
def test_bad_records_of_two_decks(make: Callable[[Any], Any], message: str) -> None:
    rules = Rules(players=7, decks=2)
    games = Engine(rules, num_games=3, seed=1).games
    with pytest.raises(GameRecordError, match=message):
        Engine.from_games(make(games), rules)


def test_records_of_one_deck_are_none_of_two() -> None:
    games = Engine(Rules(players=6), num_games=2, seed=1).games
    with pytest.raises(GameRecordError, match="game 0 has not the cards of the deck"):
        Engine.from_games(games, Rules(players=6, decks=2))
    stripped = Engine(Rules(players=6, decks=2, leftover="strip"), num_games=2, seed=1).games
    with pytest.raises(GameRecordError, match="game 0 has not the cards of the deck"):
        Engine.from_games(stripped, Rules(players=6, decks=2))
    Engine.from_games(stripped, Rules(players=6, decks=2, leftover="strip"))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("in_play", 0b0111, "game 1 has other seats in play"),
        ("in_play", 0b11100, "game 1 has other seats in play"),
        ("n_in_play", 4, "game 1 has other seats in play"),
        ("playoff", 0, "game 1 has other seats in play"),
        ("pass_seats", 2, "game 1 has pass_seats out of range"),
        ("n_table", 2, "game 1 has n_table out of range"),
        ("n_picks", 7, "game 1 has n_picks out of range"),
        ("n_plays", 52, "game 1 goes on though all its cards are played"),
        ("trick", 26, "game 1 goes on though all its cards are played"),
        ("trick", 27, "game 1 has trick out of range"),
        ("kitty", 1, "game 1 has not the cards of the deck"),
    ],
)
def test_bad_records_of_play_offs(field: str, value: int, message: str) -> None:
    engine = tied_hand(Rules(), [2, 3], n=3)
    engine.next_hand()
    with pytest.raises(GameRecordError, match=message):
        Engine.from_games(broken(engine.games, field, value), engine.rules)


def test_one_seat_alone_is_no_play_off() -> None:
    engine = tied_hand(Rules(), [2, 3], n=2)
    engine.next_hand()
    engine.games["in_play"], engine.games["n_in_play"] = 1, 1
    with pytest.raises(GameRecordError, match="game 0 has other seats in play"):
        Engine.from_games(engine.games, engine.rules)


def test_records_with_hands_of_wrong_sizes_are_refused() -> None:
    games = Engine(Rules(passing="none"), num_games=2, seed=1).games
    games["hands"][1, 1] |= games["hands"][1, 0]
    games["hands"][1, 0] = 0
    with pytest.raises(GameRecordError, match="game 1 has hands of other sizes"):
        Engine.from_games(games, Rules(passing="none"))


def test_records_with_a_play_off_of_nobody_are_refused() -> None:
    rules = Rules()
    games = tied_hand(rules, range(2), n=3).games
    games["places"][1, :4] = [1, 1, 2, 3]
    with pytest.raises(GameRecordError, match="game 1 is to be played off, but not by two seats"):
        Engine.from_games(games, rules)
