"""Copies of games keep everything: `deepcopy`, pickle, and NumPy's own files; play goes on from them as in the game."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rk_env import GAME, Engine, Rules
from tests.playing import play_on

SETTINGS = {
    "four": Rules(),
    "corrected": Rules(players=3, revokes="corrected"),
    "replayed": Rules(players=5, revokes="exposed", late_revoke="replay", moon="new"),
    "two decks": Rules(players=9, decks=2, target=30),
    "play-offs": Rules(players=6, first_trick="off", target=1),
}

Games = NDArray[np.void]


def through_file(games: Games, path: Path) -> Any:
    np.save(path / "games.npy", games)
    return np.load(path / "games.npy")


def through_archive(games: Games, path: Path) -> Any:
    np.savez_compressed(path / "games.npz", games=games)
    return np.load(path / "games.npz")["games"]


COPIES: dict[str, Callable[[Games, Path], Games]] = {
    "copy": lambda games, path: games.copy(),
    "deepcopy": lambda games, path: copy.deepcopy(games),
    "pickle": lambda games, path: pickle.loads(pickle.dumps(games)),
    "bytes": lambda games, path: np.frombuffer(bytearray(games.tobytes()), GAME),
    "save": through_file,
    "savez": through_archive,
}
ENGINES: dict[str, Callable[[Engine], Engine]] = {
    "deepcopy": copy.deepcopy,
    **{f"pickle {n}": lambda engine, n=n: pickle.loads(pickle.dumps(engine, n)) for n in (2, pickle.HIGHEST_PROTOCOL)},
}


def played(name: str, n_steps: int) -> Engine:
    """Four games, played at random for some actions in each, on to later hands."""
    engine, rng = Engine(SETTINGS[name], seeds=range(4)), np.random.default_rng(n_steps)
    for _ in range(n_steps // 20):
        play_on(engine, rng, 20)
        engine.next_hand()
    return engine


def go_on(engine: Engine) -> bytes:
    """Play on to the next hands and into them; return the records."""
    rng = np.random.default_rng(9)
    for _ in range(8):
        play_on(engine, rng, 20)
        engine.next_hand()
    return engine.games.tobytes()


@pytest.mark.parametrize("n_steps", [0, 40, 240])
@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("name", SETTINGS)
def test_copies_of_games_keep_everything(name: str, way: str, n_steps: int, tmp_path: Path) -> None:
    engine = played(name, n_steps)
    games = COPIES[way](engine.games, tmp_path)
    assert games.dtype == GAME
    assert games.tobytes() == engine.games.tobytes()
    assert not np.shares_memory(games, engine.games)
    assert go_on(Engine.from_games(games, engine.rules)) == go_on(engine)


@pytest.mark.parametrize("way", ENGINES)
@pytest.mark.parametrize("name", SETTINGS)
def test_copies_of_engines_keep_everything(name: str, way: str) -> None:
    engine = played(name, 100)
    before = engine.games.tobytes()
    other = ENGINES[way](engine)
    assert other.rules == engine.rules
    assert other.layout.size == engine.layout.size
    assert (other.observe() == engine.observe()).all()
    after = go_on(other)
    assert engine.games.tobytes() == before, "the copy's games are its own"
    assert go_on(engine) == after


def test_a_copy_of_an_engine_begins_episodes_and_observes_as_it_does() -> None:
    for way in ENGINES.values():
        engine = Engine(Rules(players=3), seeds=range(50), episode="hand", uniform_observations=True)
        other = way(engine)
        for one in (engine, other):
            one.reset(seeds=range(50, 100))
        assert other.games.tobytes() == engine.games.tobytes()
        assert len(set(other.games["hand_number"])) == 4
        assert (other.observe() == engine.observe()).all()


def test_the_rules_of_a_copied_engine_cannot_be_written_to() -> None:
    for way in ENGINES.values():
        other = way(Engine(Rules(), seed=1))
        assert not other.rules.array.flags.writeable
