"""What the commands that train share: options made of a dataclass, and how a command ends."""

from __future__ import annotations

import argparse
import dataclasses
import shlex
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tqdm import tqdm

from rk_env.errors import RicketyKateError
from training.evaluate import Result, results_table
from training.run import field_docs


def add_fields(parser: argparse.ArgumentParser, cls: Any) -> None:
    """Add an option for each field of a dataclass; what is not given is None."""
    docs = field_docs(cls)
    for field in dataclasses.fields(cls):
        flag = "--" + field.name.replace("_", "-")
        if isinstance(field.default, bool):
            parser.add_argument(flag, action="store_true", default=None, help=docs[field.name])
        else:
            text = f"{docs[field.name]} (default {field.default})"
            parser.add_argument(flag, type=type(field.default), default=None, help=text)


def given_fields(options: argparse.Namespace, cls: Any) -> dict[str, Any]:
    """Return the fields of a dataclass that the command line gives."""
    values = {field.name: getattr(options, field.name) for field in dataclasses.fields(cls)}
    return {name: value for name, value in values.items() if value is not None}


def run_command(
    program: str,
    options: argparse.Namespace,
    arguments: Sequence[str] | None,
    train_and_measure: Callable[[argparse.Namespace, str], list[Result]],
    made: str,
) -> int:
    """Do what a command line asks for, and tell what came of it; return the exit status.

    Args:
        program: how it was started, without the arguments.
        options: what it was asked for; `out` and `evaluate_deals` among it.
        arguments: the command line itself; None is that of the process.
        train_and_measure: trains, given the options and the whole command; returns the rows of the table of strength.
        made: what lies in the folder at the end; nothing is told without.
    """
    command = f"{program} " + shlex.join(sys.argv[1:] if arguments is None else arguments)
    try:
        results = train_and_measure(options, command)
    except (RicketyKateError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\ninterrupted; --resume goes on from the last checkpoint in {options.out}", file=sys.stderr)
        return 130
    if not made:
        return 0
    print(f"{made}: {options.out}")
    print(f"try it: python -m training.evaluate --agent {options.out} --opponents rule_based")
    if results:
        print(f"\n{results_table(results)}")
        print(f"(95 % intervals over {options.evaluate_deals} deals, each played from every seat)")
    return 0


@contextmanager
def stop_on_interrupt() -> Iterator[Callable[[], bool]]:
    """Turn the first Ctrl-C into a wish to stop after the iteration at hand; a second one interrupts at once."""
    wished = []

    def on_interrupt(signum: int, frame: Any) -> None:
        wished.append(signum)
        signal.signal(signal.SIGINT, before)
        tqdm.write("stopping after this iteration; --resume goes on from there", file=sys.stderr)

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield lambda: bool(wished)
    finally:
        signal.signal(signal.SIGINT, before)
