"""How fast search is: worlds drawn, and cards played in hands played out, a CPU second of one thread.

    python -m agents.benchmark [--seconds S] [--repeats R] [--players P] [--json FILE]

Worlds are drawn from views in the middle of hands: a hundred of each view, as search does, or one of each. Hands are
played out from the first lead, all seats by one player, as a search does in a world; cards really played are counted.
Beside them, in the same turns, the engine's own random plays with their deals: read the rates as parts of that.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

import agents
from agents.playout import Rollout, play_out
from agents.rule_player import RulePlayer
from rk_env import Engine, Rules, determinize, speed
from rk_env.jit import routine
from rk_env.players import legal_mask
from rk_env.state import GAME, Phase

N_GAMES: Final = 64
Games = NDArray[np.void]


class Row(NamedTuple):
    """One line of the table."""

    name: str
    unit: str
    chunk: Callable[[], tuple[int, float]]
    """Does some work; returns how much, and the CPU seconds it took."""
    target: float | None


@routine
def play_out_all(games: Games, rules: Games, rollout: Rollout, state: np.uint64) -> int:
    """Play copies of games (B,) out; return how many cards were played."""
    work = np.zeros(1, GAME)
    n_plays = 0
    for i in range(games.shape[0]):
        work[0] = games[i]
        state = play_out(work[0], rules[0], rollout, state)
        n_plays += int(work[0].n_plays) - int(games[i].n_plays)
    return n_plays


def middle_views(players: int) -> tuple[Games, Rules]:
    """Return views of the seats to act after half of the tricks, (64,), and their rules."""
    engine = Engine(Rules(players=players), N_GAMES, seed=1, episode="hand")
    rng = np.random.default_rng(1)
    while (engine.games["trick"] < engine.rules.hand_size // 2).any():
        waits = (engine.phase == Phase.PLAY) & (engine.games["trick"] >= engine.rules.hand_size // 2)
        masks = legal_mask(engine.games, engine.rules)
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        engine.step(actions[~waits], games=~waits)
    return engine.view(engine.turn.astype(np.int64)), engine.rules


def worlds_chunk(players: int, a_view: int) -> Callable[[], tuple[int, float]]:
    """Return a chunk that draws so many worlds of each of 64 views."""
    views, rules = middle_views(players)
    repeated = views.repeat(a_view)
    seeds = np.arange(len(repeated), dtype=np.uint64)

    def draw() -> tuple[int, float]:
        began = time.process_time()
        determinize(repeated, rules, seeds)
        return len(repeated), time.process_time() - began

    return draw


def playout_chunk(players: int, player: RulePlayer) -> Callable[[], tuple[int, float]]:
    """Return a chunk that plays 64 hands out, ten times."""
    engine = Engine(Rules(players=players, passing="none"), N_GAMES, seed=1)
    rollout = Rollout(player.passing, player.playing)

    def play() -> tuple[int, float]:
        began = time.process_time()
        n_plays = sum(play_out_all(engine.games, engine.rules.array, rollout, np.uint64(k)) for k in range(10))
        return n_plays, time.process_time() - began

    return play


def table(players: int) -> list[Row]:
    """Return the lines of the table."""
    good, any_legal = agents.make("rule_based"), agents.make("ducker:passing=random,playing=random")
    assert isinstance(good, RulePlayer) and isinstance(any_legal, RulePlayer)
    return [
        Row("engine: random plays, deals included", "plays", speed.compiled_chunk(players), None),
        Row("worlds, 100 of a view", "worlds", worlds_chunk(players, 100), 0.2e6),
        Row("worlds, 1 of a view", "worlds", worlds_chunk(players, 1), None),
        Row("hands played out at random", "plays", playout_chunk(players, any_legal), 15e6),
        Row("hands played out by rule_based", "plays", playout_chunk(players, good), 5e6),
    ]


def rate(row: Row, seconds: float) -> float:
    """Return the rate of a line over at least so many CPU seconds."""
    n, spent = 0, 0.0
    while spent < seconds:
        more, took = row.chunk()
        n, spent = n + more, spent + took
    return n / spent


def measure(players: int, seconds: float, repeats: int) -> list[dict[str, Any]]:
    """Return the lines with their rates: median, lowest, highest, and the median share of the engine's rate."""
    rows = table(players)
    for row in rows:
        row.chunk()  # compiles
    turns = [[rate(row, seconds) for row in rows] for _ in range(repeats)]
    lines = []
    for k, row in enumerate(rows):
        rates = [turn[k] for turn in turns]
        shares = [turn[k] / turn[0] for turn in turns]
        lines.append(
            {
                "name": row.name,
                "unit": row.unit,
                "rate": {"median": statistics.median(rates), "low": min(rates), "high": max(rates)},
                "share_of_engine": statistics.median(shares),
                "target": row.target,
            }
        )
    return lines


def text(lines: list[dict[str, Any]]) -> str:
    """Return the table as text."""
    shown = [f"{'what':<38} {'M/s':>7} {'range':>15} {'of engine':>10} {'target':>7}"]
    for line in lines:
        median, low, high = (line["rate"][name] / 1e6 for name in ("median", "low", "high"))
        target = "-" if line["target"] is None else f"{line['target'] / 1e6:g}"
        name = f"{line['name']} ({line['unit']})"
        shown.append(
            f"{name:<38} {median:7.2f} {f'{low:.2f}-{high:.2f}':>15} {line['share_of_engine']:10.3f} {target:>7}"
        )
    return "\n".join(shown)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m agents.benchmark", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds for each rate (default 1)")
    parser.add_argument("--repeats", type=int, default=7, help="turns (default 7)")
    parser.add_argument("--players", type=int, choices=range(3, 7), default=4, help="seats (default 4)")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args(arguments)
    if options.seconds <= 0 or options.repeats < 1:
        parser.error("--seconds must be above 0 and --repeats at least 1")
    lines = measure(options.players, options.seconds, options.repeats)
    print(text(lines))
    if options.json:
        options.json.write_text(json.dumps({"players": options.players, "rows": lines}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
