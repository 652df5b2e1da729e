"""What an episode is worth to each seat, by name.

An episode is one hand or a whole game. Every reward is paid once, when the episode ends, and to all seats. Points are
scored in the episode: totals that were there before it never count. Places are those of the hand's points, or in
games those by which the game is decided: the final totals, and play-offs among those tied for the lowest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from rk_env.arguments import check_choice
from rk_env.engine import Engine
from rk_env.errors import GameRecordError, RulesError

Reward = Literal["payoff", "points", "win_share", "rank"]
LARGEST: Final = 1e30
"""The greatest size of a number that callers set as they like; a float32 holds it."""
Points = NDArray[np.int64]
Rewards = NDArray[np.float64]


def _check_tables(*tables: Points) -> None:
    """Check that points and standings are numbers, (B, P) with at least two seats.

    Raises:
        GameRecordError: when they are not.
    """
    for table in tables:
        if not isinstance(table, np.ndarray) or table.ndim != 2 or table.shape[1] < 2 or table.dtype.kind not in "iuf":
            raise GameRecordError(f"an array of numbers of shape (B, P) is needed, not {table!r}")
    if len({table.shape for table in tables}) > 1:
        raise GameRecordError(f"points and standings have other shapes: {', '.join(str(t.shape) for t in tables)}")


def payoff(points: Points, standings: Points) -> Rewards:
    """Return the mean of the other seats' points minus own, (B, P); sums to zero.

    >>> payoff(np.array([[0, 3, 10, 13]]), np.array([[0, 3, 10, 13]])).round(2)
    array([[ 8.67,  4.67, -4.67, -8.67]])
    """
    _check_tables(points, standings)
    n_others = points.shape[1] - 1
    return (points.sum(axis=1, keepdims=True) - points) / n_others - points


def minus_points(points: Points, standings: Points) -> Rewards:
    """Return minus own points, (B, P); does not sum to zero.

    >>> minus_points(np.array([[0, 3, 10, 13]]), np.array([[0, 3, 10, 13]]))
    array([[  0.,  -3., -10., -13.]])
    """
    _check_tables(points, standings)
    return np.negative(points, dtype=np.float64, casting="unsafe") + 0.0


def win_share(points: Points, standings: Points) -> Rewards:
    """Return 1/k for the k seats in first place, else 0, less 1/P, (B, P); sums to zero.

    >>> win_share(np.array([[0, 0, 10, 16]]), np.array([[50, 60, 50, 99]]))
    array([[ 0.25, -0.25,  0.25, -0.25]])
    """
    _check_tables(points, standings)
    is_first = standings == standings.min(axis=1, keepdims=True)
    return is_first / is_first.sum(axis=1, keepdims=True) - 1 / standings.shape[1]


def rank(points: Points, standings: Points) -> Rewards:
    """Return 1 for the first place to -1 for the last in equal steps, equals sharing theirs, (B, P); sums to zero.

    >>> rank(np.array([[0, 3, 10, 13]]), np.array([[50, 60, 50, 99]])).round(2)
    array([[ 0.67, -0.33,  0.67, -1.  ]])
    """
    _check_tables(points, standings)
    own, others = standings[:, :, None], standings[:, None, :]
    n_beaten = (others > own).sum(axis=2) - (others < own).sum(axis=2)
    return n_beaten / (standings.shape[1] - 1)


REWARDS: Final[dict[str, Callable[[Points, Points], Rewards]]] = {
    "payoff": payoff,
    "points": minus_points,
    "win_share": win_share,
    "rank": rank,
}
"""The rewards: functions of the points scored in the episode and of the standings, both (B, P), fewer is better."""


def of_episodes(engine: Engine, reward: str, episode: str, totals_before: NDArray[Any] | int = 0) -> Rewards:
    """Return what episodes pay every seat, (B, P) float64; right in games whose episode is over.

    Args:
        engine: the games.
        reward: one of `REWARDS`.
        episode: "hand" or "game".
        totals_before: points that a game episode began with, (B, P).

    Raises:
        RulesError: when the episode or the reward has another name than those known.
    """
    known = REWARDS[checked_reward(reward, episode)]
    if episode == "hand":
        return known(engine.hand_scores, engine.hand_scores)
    return known((engine.totals - totals_before).astype(np.int64), engine.places)


DEFAULT_REWARDS: Final = {"hand": "payoff", "game": "win_share"}
"""What an episode is rewarded by when nothing is said."""

_ILLEGAL_REWARDS: Final = {
    "payoff": {"hand": -100.0, "game": -1000.0},
    "points": {"hand": -100.0, "game": -1000.0},
    "win_share": {"hand": -1.0, "game": -1.0},
    "rank": {"hand": -2.0, "game": -2.0},
}


def checked_reward(reward: str | None, episode: str) -> str:
    """Return the name of a reward; None is the episode's default.

    Raises:
        RulesError: when the episode or the reward has another name than those known.
    """
    check_choice("episode", episode, DEFAULT_REWARDS)
    check_choice("reward", reward, (None, *REWARDS))
    return reward or DEFAULT_REWARDS[episode]


def illegal_reward(reward: str, episode: str) -> float:
    """Return what an illegal move costs unless something else is asked for: worse than what play leads to.

    Raises:
        RulesError: when the episode or the reward has another name than those known.
    """
    return _ILLEGAL_REWARDS[checked_reward(reward, episode)][episode]


def checked_illegal_reward(cost: float | None, reward: str, episode: str) -> float:
    """Return what an illegal move costs; None is what `illegal_reward` says.

    Raises:
        RulesError: when it is no finite number, or the episode or the reward has another name than those known.
    """
    if cost is None:
        return illegal_reward(reward, episode)
    is_number = isinstance(cost, (int, float, np.integer, np.floating)) and type(cost) is not bool
    if not is_number or not -LARGEST <= cost <= LARGEST:
        raise RulesError(f"illegal_reward={cost!r}: a number from {-LARGEST:g} to {LARGEST:g} is needed")
    return float(cost)
