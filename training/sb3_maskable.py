"""MaskablePPO of sb3-contrib by self-play: one seat learns, frozen copies of it take the others.

The opponents come from a pool. It begins with `random`; every few updates a frozen copy of the policy joins it, and
each episode draws the player of each seat from it. What the options mean stands in `training/README.md`.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import torch

import agents
from agents.network import WEIGHTS_FILE
from rk_env.inputs import checked_rules
from training import runs
from training.command import add_fields, given_fields, run_command, stop_on_interrupt
from training.evaluate import Result, add_rules_options, check_deals, evaluate, rules_from_options
from training.runs import RunError
from training.sb3_run import RUN_FILE, Sb3Run, Settings, checked, load, new_run, policy_weights, read_record, save

PANEL: Final = ("random", "rule_based")


def train(run: Sb3Run, folder: Path, stop: Callable[[], bool]) -> None:
    """Train until the steps or minutes are used up, or `stop` says so; save to `folder` as it goes."""
    saved = last = time.perf_counter()
    while not run.is_done and not stop():
        run.model.learn(1, reset_num_timesteps=False)  # one rollout, one update
        run.updates += 1
        run.results = []
        if run.updates % run.settings.snapshot_every == 0:
            run.snapshots.add(policy_weights(run.model), run.model.num_timesteps)
            run.env.seat_opponents(run.snapshots.opponents())
        now = time.perf_counter()
        run.seconds, last = run.seconds + now - last, now
        if now - saved >= run.settings.save_every:
            save(run, folder)
            saved = now
    save(run, folder)


# The command line.


def final_table(run: Sb3Run, deals: int) -> list[Result]:
    """Measure the policy against random players and the rule-based one."""
    player = run.player(name=f"MaskablePPO, {run.seconds / 60:.1f} min")
    return [evaluate(player, [agents.make(name)], run.rules, deals, seed=run.settings.seed + 1) for name in PANEL]


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line; every field of `Settings` is an option."""
    parser = argparse.ArgumentParser(
        prog="python -m training.sb3_maskable",
        description="Train MaskablePPO (sb3-contrib) by self-play. Ctrl-C stops after the update at hand and saves.",
        epilog="example: python -m training.sb3_maskable --minutes 5 --out runs/sb3",
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument("--resume", action="store_true", help="go on with the run in --out")
    parser.add_argument("--evaluate-deals", type=int, default=1000, help="deals of the table at the end (default 1000)")
    add_rules_options(parser)
    add_fields(parser, Settings)
    return parser.parse_args(arguments)


def train_and_measure(options: argparse.Namespace, command: str) -> list[Result]:
    """Do what the command line asks for; return the rows of the table of strength.

    Raises:
        RicketyKateError: when the folder, the rules or an option does not fit.
    """
    given = given_fields(options, Settings)
    settings = checked(Settings(**given))
    rules = rules_from_options(options.rules, options.players)
    check_deals(options.evaluate_deals)
    torch.set_num_threads(1)
    if options.resume:
        read_record(options.out)
    else:
        refuse_used_folder(options.out)
    with runs.locked(options.out, create=True):
        run = load(options.out, given, rules) if options.resume else new_run(settings, checked_rules(rules))
        run.commands.append(command)
        print(f"rules: {run.rules!r}\n{json.dumps(dataclasses.asdict(run.settings))}", file=sys.stderr)
        with stop_on_interrupt() as stop:
            train(run, options.out, stop)
        results = final_table(run, options.evaluate_deals)
        run.results = [result.to_dict() for result in results]
        save(run, options.out)
    copies = len(run.snapshots.players)
    print(f"{run.model.num_timesteps} timesteps, {run.updates} updates, {copies} copies in the pool")
    return results


def refuse_used_folder(folder: Path) -> None:
    """Refuse to begin a run where one lies.

    Raises:
        RunError: when there is one.
    """
    if (folder / RUN_FILE).exists():
        raise RunError(f"{folder} holds a run; --resume goes on with it, another --out begins a new one")
    if any((folder / name).exists() for name in (runs.CHECKPOINT_FILE, WEIGHTS_FILE)):
        raise RunError(f"{folder} holds another policy; choose another --out")


def main(arguments: Sequence[str] | None = None) -> int:
    """Train from the command line."""
    return run_command(
        "python -m training.sb3_maskable",
        parse_arguments(arguments),
        arguments,
        train_and_measure,
        "policy and its card",
    )


if __name__ == "__main__":
    raise SystemExit(main())
