"""The ladder: a fixed panel of agents, each against rule players, at every table of one deck.

    python -m training.ladder --deals 1000 --seed 9001 [--agents pimc:ms=10 ...] [--json out.json]

The panel is the same for everybody who quotes it; it changes only with its version. Search is in it with budgets that
take less than 2 ms a decision on a small server, in simulations, so that its results can be had again from the seeds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from tqdm import tqdm

import agents
from rk_env.errors import RicketyKateError
from rk_env.rules import Rules
from training.evaluate import Result, evaluate
from training.files import write_json

PANEL_VERSION: Final = 1
PANEL: Final = (
    "random",
    "newcomer",
    "beginner",
    "learner",
    "ducker",
    "casual",
    "rule_based",
    "moon_hunter",
    "ismcts:simulations=300",
    "pimc:simulations=300",
)
"""The agents of version 1, weakest first at four players."""
OPPONENT: Final = "rule_based"
PLAYERS: Final = (3, 4, 5, 6)


def ladder(
    panel: Sequence[str],
    players: Sequence[int],
    deals: int,
    seed: int,
    progress: Callable[[int], Any] = lambda deals: None,
) -> list[list[Result]]:
    """Return how each agent of a panel does against rule players: a list for each agent, a result for each table.

    Args:
        panel: specs of agents.
        players: the tables.
        deals: played at each, from every seat.
        seed: of the deals and of the players' choices.
        progress: called with the number of deals just played.
    """
    return [
        [evaluate(spec, [OPPONENT], Rules(players=n), deals, seed, progress=progress) for n in players]
        for spec in panel
    ]


def markdown(rows: Sequence[Sequence[Result]]) -> str:
    """Return results as a table in Markdown: payoffs with their intervals, and milliseconds a decision."""
    tables = [f"{result.players} players" for result in rows[0]]
    lines = [f"| agent | {' | '.join(tables)} | ms a decision |", "|---" * (len(tables) + 2) + "|"]
    for row in rows:
        slowest = max(result.ms_per_decision for result in row)
        lines.append(f"| `{row[0].agent}` | {' | '.join(str(result.payoff) for result in row)} | {slowest:.2g} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m training.ladder",
        description="Measure a fixed panel of agents against rule players at every table of one deck.",
    )
    parser.add_argument("--agents", nargs="+", default=PANEL, help=f"other agents than panel {PANEL_VERSION}")
    parser.add_argument("--players", nargs="+", type=int, choices=PLAYERS, default=PLAYERS, help="tables (default all)")
    parser.add_argument("--deals", type=int, default=1000, help="deals, each played from every seat (default 1000)")
    parser.add_argument("--seed", type=int, default=9001, help="of deals and players (default 9001)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    options = parser.parse_args(arguments)
    try:
        for spec in options.agents:
            agents.make(spec)
        n_deals = len(options.agents) * len(options.players) * options.deals
        with tqdm(total=n_deals, unit="deal", disable=not sys.stderr.isatty()) as bar:
            rows = ladder(options.agents, options.players, options.deals, options.seed, bar.update)
        print(markdown(rows))
        if options.json:
            figures = [result.to_dict() for row in rows for result in row]
            write_json(options.json, {"panel": PANEL_VERSION, "results": figures})
    except (RicketyKateError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
