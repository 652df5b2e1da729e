"""Print what an observation holds: `python -m rk_env.observation`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from rk_env.observation import OBS_VERSION, Layout
from rk_env.rules import MAX_PLAYERS, MIN_PLAYERS


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the layout of an observation."""
    parser = argparse.ArgumentParser(
        prog="python -m rk_env.observation",
        description="Print what an observation holds, index by index. Seats are relative: 0 is the observer.",
        epilog="example: python -m rk_env.observation --players 5",
    )
    parser.add_argument("--players", type=int, default=4, choices=range(MIN_PLAYERS, MAX_PLAYERS + 1))
    parser.add_argument("--uniform", action="store_true", help="the layout that serves all player counts")
    options = parser.parse_args(arguments)
    layout = Layout(options.players, uniform=options.uniform)
    print(f"Observation version {OBS_VERSION}, {options.players} players: {layout.size} float32 numbers\n")
    print(layout.table())


if __name__ == "__main__":
    main()
