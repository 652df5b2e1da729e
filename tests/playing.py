"""What tests of several modules play with: a known deal, random play, and the check that a refusal changes nothing."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pettingzoo import AECEnv

from rk_env import Engine, Phase, Rules, rickety_kate_v0
from rk_env.aec import Observation

HANDS = [
    "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC",
    "2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD KD AD",
    "2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS",
    "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH",
]
"""A deal for four players: a suit each."""

Env = AECEnv[str, Observation, int | None]

MAKERS: dict[str, Callable[..., Env]] = {
    "env": rickety_kate_v0.env,
    "env-raise": lambda *args, **kwargs: rickety_kate_v0.env(*args, illegal="raise", **kwargs),
    "raw_env": rickety_kate_v0.raw_env,
}
"""The ways to make the PettingZoo environment."""


def random_actions(engine: Engine, rng: np.random.Generator) -> NDArray[np.int64]:
    """One action for each game, revokes among them, -1 where nobody is to act."""
    mask = engine.action_mask()
    return np.where(mask.any(axis=1), (rng.random(mask.shape) * mask).argmax(axis=1), -1)


def play_on(engine: Engine, rng: np.random.Generator, n_steps: int | None = None) -> None:
    """Play at random for some steps, or until all hands are over."""
    for step in itertools.count():
        if step == n_steps or (n_steps is None and not (engine.turn >= 0).any()):
            return
        engine.step(random_actions(engine, rng))


def play_games(engine: Engine, rng: np.random.Generator) -> None:
    """Play at random until all games are over."""
    while (engine.phase != Phase.GAME_OVER).any():
        play_on(engine, rng)
        engine.next_hand()


def lowest_actions(engine: Engine) -> NDArray[np.int64]:
    """The lowest legal card of each game, or the first choice; -1 where nobody is to act."""
    mask = engine.action_mask(revokes=False)
    return np.where(mask.any(axis=1), mask.argmax(axis=1), -1)


def play_lowest(engine: Engine) -> None:
    """Play the lowest legal cards until all hands are over."""
    while (engine.turn >= 0).any():
        engine.step(lowest_actions(engine))


def tied_hand(rules: Rules, seats: Sequence[int], seed: int = 1, n: int = 1) -> Engine:
    """Games in which some seats have just tied for the lowest total: the next hand is their first play-off (H4)."""
    engine = Engine(rules, num_games=n, seed=seed)
    totals = [0 if seat in seats else rules.target for seat in range(rules.players)]
    if len(seats) == rules.players:
        totals = [rules.target] * rules.players
    engine.games["totals"][:, : rules.players] = totals
    engine.games["places"][:, : rules.players] = [0 if seat in seats else len(seats) for seat in range(rules.players)]
    engine.games["phase"], engine.games["turn"] = Phase.HAND_OVER, -1
    return engine


def assert_refuses(engine: Engine, error: type[Exception], call: Callable[[], Any], match: str | None = None) -> None:
    """The call raises, and no byte of the games has changed."""
    before = engine.games.tobytes()
    with pytest.raises(error, match=match):
        call()
    assert engine.games.tobytes() == before


# The PettingZoo environment.


def play_episode(env: Env, rng: np.random.Generator, n_steps: int | None = None) -> dict[str, float]:
    """Play on at random, to the end or for some steps; return what the agents were paid by `last`."""
    paid = dict.fromkeys(env.agents, 0.0)
    for agent in itertools.islice(env.agent_iter(), n_steps):
        observation, reward, termination, truncation, _ = env.last()
        paid[agent] += reward
        env.step(None if termination or truncation else rng.choice(np.flatnonzero(observation["action_mask"])))
    return paid


def moves(env: Env, rng: np.random.Generator) -> Iterator[tuple[str, dict[str, Any]]]:
    """Play an episode at random; yield each live agent with what it sees before it acts."""
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        is_over = termination or truncation
        if not is_over:
            yield agent, observation
        env.step(None if is_over else int(rng.choice(np.flatnonzero(observation["action_mask"]))))


def engine_of(env: Env) -> Engine:
    return env.unwrapped.engine  # type: ignore[attr-defined]
