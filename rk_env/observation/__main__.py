"""Print what an observation holds: `python -m rk_env.observation`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from rk_env.errors import RulesError
from rk_env.observation import OBS_VERSION, Layout


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the layout of an observation."""
    parser = argparse.ArgumentParser(
        prog="python -m rk_env.observation",
        description="Print what an observation holds, index by index. Seats are relative: 0 is the observer.",
        epilog="example: python -m rk_env.observation --players 5",
    )
    parser.add_argument("--players", type=int, default=4, help="3 to 6, with two decks 6 to 11")
    parser.add_argument("--decks", type=int, default=1, choices=(1, 2))
    parser.add_argument("--revokes", action="store_true", help="the layout for rules under which revokes can happen")
    parser.add_argument("--uniform", action="store_true", help="the layout that serves all player counts")
    options = parser.parse_args(arguments)
    try:
        layout = Layout(options.players, decks=options.decks, revokes=options.revokes, uniform=options.uniform)
    except RulesError as error:
        parser.error(str(error))
    kind = f"{options.players} players" + ", 2 decks" * (options.decks == 2) + ", with revokes" * options.revokes
    print(f"Observation version {OBS_VERSION}, {kind}: {layout.size} float32 numbers\n")
    print(layout.table())


if __name__ == "__main__":
    main()
