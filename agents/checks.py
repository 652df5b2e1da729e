"""Check that an agent keeps the rules of agents: `python -m agents.checks --player SPEC`.

This is `python -m rk_env.checks --player SPEC` for all that `agents.make` knows: this folder's agents by name,
policies, and programs (`foreign:COMMAND`).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import agents
from rk_env import checks


def main(arguments: Sequence[str] | None = None) -> int:
    """Check an agent and write what was found to the standard output; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m agents.checks",
        description="Check that an agent plays as it must, under many rules, at every size of table.",
        epilog='example: python -m agents.checks --player "foreign:python agents/example_foreign.py" --settings 1',
    )
    known = ", ".join(agents.names())
    parser.add_argument(
        "--player", metavar="SPEC", required=True, help=f"one of {known}; a policy; module:attribute; foreign:COMMAND"
    )
    checks.add_options(parser)
    return checks.report_player(parser.parse_args(arguments), agents.make)


if __name__ == "__main__":
    raise SystemExit(main())
