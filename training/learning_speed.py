"""How fast does self-play learn, beside sb3-contrib's MaskablePPO on the same processor cores?

Counted are decisions collected and learned from, a second, and on both sides only decisions with a choice: other moves
are made by the same compiled function, in our rollouts and in `TableEnv`, and never reach a network. Both sides see the
same observation and mask, and let one network play all seats. The learners take turns, and each round of turns gives a
ratio. How well they learn is not measured here.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

from rk_env.engine import Engine
from rk_env.rules import Rules
from rk_env.state import HAND_OVER, N_ACTIONS
from training.files import write_json
from training.losses import clipped_loss
from training.rollout import PAYOFF_SCALE, Collector, play_forced
from training.run import Config, new_run
from training.selfplay import autocast_of, faster_precision, iteration_seed, update

Turn = Callable[[], int]
"""Collects and learns once; returns the decisions learned from."""


class TableEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One table whose every seat is the agent: a step is one decision with a choice, of whichever seat is to act.

    An episode is a hand. The reward is 0 until the hand is over, then the payoff of the seat that decided last.
    """

    def __init__(self, rules: Rules, seed: int) -> None:
        self._engine = Engine(rules, 1, seed=seed, episode="hand")
        self._seeds = np.random.default_rng(seed)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (self._engine.layout.size,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(N_ACTIONS)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deal a hand."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self._engine.reset(seeds=self._seeds.integers(0, 2**63, 1, np.uint64))
        play_forced(self._engine.games, self._engine.rules.array)
        return self._engine.observe()[0], {}

    def step(self, action: np.int64) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Make a decision, and the moves without a choice that follow it."""
        seat = self._engine.games["turn"][0]
        self._engine.step(np.array([action]))
        play_forced(self._engine.games, self._engine.rules.array)
        is_over = bool(self._engine.games["phase"][0] >= HAND_OVER)
        reward = float(self._engine.payoffs[0, seat]) / PAYOFF_SCALE if is_over else 0.0
        return self._engine.observe()[0], reward, is_over, False, {}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions, (54,) bool, as MaskablePPO asks for them."""
        return self._engine.action_mask()[0] == 1


def our_turn(config: Config, rules: Rules) -> Turn:
    """Return turns of our learner: one iteration each."""
    run = new_run(config, rules)
    collector = Collector(rules, config.games, run.network.inputs)
    autocast = autocast_of(config.precision)

    def turn() -> int:
        rollout = collector.collect(run.network, iteration_seed(run), config.decay, autocast)
        update(run, rollout, autocast, clipped_loss, config.epochs)
        run.iteration += 1
        return len(rollout)

    return turn


def their_turn(rules: Rules, num_games: int, **options: Any) -> Turn:
    """Return turns of MaskablePPO: one rollout and its updates each."""
    tables = DummyVecEnv([lambda seed=seed: TableEnv(rules, seed) for seed in range(num_games)])  # type: ignore[misc]
    model = MaskablePPO("MlpPolicy", tables, device="cpu", **options)
    n = model.n_steps * num_games

    def turn() -> int:
        model.learn(n, reset_num_timesteps=False)
        return n

    return turn


def contestants(config: Config, rules: Rules) -> dict[str, Turn]:
    """Return the learners by name, ours first; the tuned one has a network like ours, the default is 2 x 64 units."""
    ours = f"training.selfplay ({config.games} games, batch {config.minibatch}, {config.epochs} epochs)"
    net_arch = {"pi": [config.width] * config.depth, "vf": [config.width // 2] * 2}
    same_network = {"net_arch": net_arch, "activation_fn": torch.nn.ReLU}
    tuned = {"n_steps": 128, "batch_size": 2048, "n_epochs": 4, "learning_rate": 1e-3, "policy_kwargs": same_network}
    return {
        ours: our_turn(config, rules),
        "MaskablePPO, documented defaults (1 game)": their_turn(rules, 1),
        "MaskablePPO, tuned (64 games, batch 2048, 4 epochs)": their_turn(rules, 64, **tuned),
    }


def decisions_a_second(turn: Turn, seconds: float) -> float:
    """Return what a learner does in whole turns that take at least so long."""
    start = time.perf_counter()
    decisions = turn()
    while time.perf_counter() - start < seconds:
        decisions += turn()
    return decisions / (time.perf_counter() - start)


def measure(learners: dict[str, Turn], seconds: float, repeats: int) -> list[dict[str, Any]]:
    """Return a row a learner, the learners taking turns; ratios are the first one's speed over the others'."""
    for turn in learners.values():
        turn()
    speeds: dict[str, list[float]] = {name: [] for name in learners}
    for _ in range(repeats):
        for name, turn in learners.items():
            speeds[name].append(decisions_a_second(turn, seconds))
    first = next(iter(speeds.values()))
    rows = []
    for name, own in speeds.items():
        ratios = [ours / theirs for ours, theirs in zip(first, own, strict=True)]
        rows.append({"learner": name, "decisions_a_second": spread(own), "ratio": spread(ratios)})
    return rows


def spread(values: list[float]) -> dict[str, float]:
    """Return the median and the extremes."""
    return {"median": statistics.median(values), "low": min(values), "high": max(values)}


def table(rows: list[dict[str, Any]]) -> str:
    """Return the rows as an aligned text table."""
    lines = [f"{'learner':54}{'decisions a second':30}ours over theirs"]
    for row in rows:
        speed, ratio = row["decisions_a_second"], row["ratio"]
        speed_text = f"{speed['median']:,.0f} ({speed['low']:,.0f} to {speed['high']:,.0f})"
        ratio_text = f"{ratio['median']:.1f} ({ratio['low']:.1f} to {ratio['high']:.1f})"
        lines.append(f"{row['learner']:54}{speed_text:30}{ratio_text}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.learning_speed",
        description="Compare the speed of learning with sb3-contrib's MaskablePPO, on the same cores, in turns.",
    )
    parser.add_argument("--seconds", type=float, default=10.0, help="of each turn, at least (default 10)")
    parser.add_argument("--repeats", type=int, default=3, help="turns of each learner (default 3)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    options = parser.parse_args(arguments)
    if not (options.seconds > 0 and options.repeats > 0):
        parser.error("--seconds and --repeats must be positive")
    config = Config(iterations=1_000_000)
    config = Config(iterations=1_000_000, precision=faster_precision(config))
    print("one turn of each to warm up, then the turns that count ...", file=sys.stderr)
    rows = measure(contestants(config, Rules()), options.seconds, options.repeats)
    print(f"decisions with a choice, collected and learned; {torch.get_num_threads()} threads, {config.precision}")
    print(f"{table(rows)}\n(median and extremes of {options.repeats} turns of {options.seconds:g} s or more)")
    if options.json:
        write_json(options.json, {"threads": torch.get_num_threads(), "precision": config.precision, "rows": rows})
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
