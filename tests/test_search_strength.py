"""More simulations never make a search player weaker, beyond what chance explains."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import agents
from rk_env import Engine, Rules
from rk_env.players import choose, decision_seeds
from tests.searching import RULE_BASED


def payoffs(spec: str, players: int, deals: int, seed: int) -> NDArray[np.float64]:
    """Return an agent's payoffs against rule players, (deals,): each deal from every seat, the mean of them."""
    n = deals * players
    seeds = np.repeat(np.random.default_rng(seed).integers(0, 2**63, deals, dtype=np.uint64), players)
    engine = Engine(Rules(players=players), seeds=seeds, episode="hand")
    index, seats = np.arange(n), np.arange(n) % players
    lineup = np.ones((n, players), np.int64)
    lineup[index, seats] = 0
    table = [agents.make(spec), RULE_BASED]
    while (engine.turn >= 0).any():
        engine.step(choose(engine, table, lineup, decision_seeds(seed, index // players, engine.games)))
    return engine.payoffs[index, seats].reshape(deals, players).mean(axis=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "few", "many", "players"),
    [
        ("pimc", 30, 300, 4),
        ("pimc", 300, 1500, 4),
        ("ismcts", 30, 300, 4),
        ("pimc", 30, 300, 3),
        ("ismcts", 30, 300, 5),
    ],
)
def test_more_simulations_make_no_weaker_player(name: str, few: int, many: int, players: int) -> None:
    """The same deals with both: the difference of the means is not below 0 by more than its 95 % interval."""
    deals = 120 if many < 1000 else 60
    differences = payoffs(f"{name}:simulations={many}", players, deals, seed=5) - payoffs(
        f"{name}:simulations={few}", players, deals, seed=5
    )
    mean, half = differences.mean(), 1.96 * differences.std(ddof=1) / np.sqrt(deals)
    print(f"{name}, {players} players: {many} against {few} simulations {mean:+.2f} ± {half:.2f}")
    assert mean + half >= 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pimc", "ismcts"])
def test_search_beats_the_rule_player(name: str) -> None:
    """By its mean payoff against three of them, on deals of which the rule player's own mean is 0."""
    results = payoffs(f"{name}:simulations=200", 4, 150, seed=6)
    mean, half = results.mean(), 1.96 * results.std(ddof=1) / np.sqrt(len(results))
    print(f"{name}: {mean:+.2f} ± {half:.2f}")
    assert mean > 0
