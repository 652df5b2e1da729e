"""Put the policy of a run among the weights that come with the project, measured as they will be: in half precision."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import agents
from agents.network import CARD_FILE, WEIGHTS_FILE, load_policy, policy_bytes, policy_card, read_card
from agents.shipped import path_for
from rk_env.errors import RicketyKateError
from rk_env.files import replacing
from rk_env.rules import Rules
from training.evaluate import Result, check_deals, evaluate, results_table
from training.files import write_json

PANEL = ("random", "ducker", "rule_based")
KEPT = ("command", "config", "iterations", "decisions", "hours", "made_with")
"""Facts of a run's card that the shipped one keeps; its tests in training, on other deals, stay behind."""


def ship(run: Path, version: int, deals: int, seed: int, *, target: Path | None = None) -> list[Result]:
    """Write a run's policy and its card to where `network` finds them; return its strength.

    Args:
        run: the run's folder.
        version: of the weights; another behaviour is another version.
        deals: of the measurement, each played from every seat.
        seed: of these deals.
        target: where to write instead.

    Raises:
        PolicyFileError: when the run's policy is missing or damaged.
        EvaluationError: when there are too few deals.
    """
    check_deals(deals)
    trained = load_policy(run)
    with np.load(run / WEIGHTS_FILE, allow_pickle=False) as arrays:
        content = policy_bytes([arrays[name].astype(np.float16) for name in arrays.files])
    card = read_card(run / CARD_FILE)
    facts = trained.kind | {"version": version} | {name: card[name] for name in KEPT if name in card}
    path = target or path_for(trained.rules.players)
    with replacing(path) as file:
        file.write(content)
    write_card(path, content, trained.rules, facts)
    results = [evaluate(load_policy(path), [agents.make(name)], trained.rules, deals, seed) for name in PANEL]
    write_card(path, content, trained.rules, facts | {"results": [row.to_dict() for row in results]})
    return results


def write_card(path: Path, content: bytes, rules: Rules, facts: dict[str, Any]) -> None:
    """Write the card beside the weights."""
    write_json(path.with_suffix(".json"), policy_card(content, rules, **facts))


def main(arguments: Sequence[str] | None = None) -> int:
    """Ship weights from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.ship",
        description="Put a run's policy among the weights that come with the project, and measure it as it is there.",
        epilog="example: python -m training.ship --run runs/first --version 2",
    )
    parser.add_argument("--run", type=Path, required=True, help="folder of the run")
    parser.add_argument("--version", type=int, required=True, help="of the weights")
    parser.add_argument("--deals", type=int, default=4000, help="of the measurement (default 4000)")
    parser.add_argument("--seed", type=int, default=9600, help="of these deals: no run's own (default 9600)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write there instead of agents/weights")
    options = parser.parse_args(arguments)
    try:
        results = ship(options.run, options.version, options.deals, options.seed, target=options.out)
    except (RicketyKateError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(results_table(results))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
