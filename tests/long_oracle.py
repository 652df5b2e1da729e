"""The engine against the oracle for as long as one likes: `python -m tests.long_oracle --hands 200000 --seed 7`.

Prints, every 10,000 hands, how often each seldom seen rule was met. Ends at the first difference with status 1, and
says how to see it again: `--round` plays one match only.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence

from tests import oracle_rare
from tests.oracle_match import DifferenceError, play_round, table

EVERY = 10_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare as the command line asks; return 1 when the engine and the oracle differ, or a rule was never met."""
    parser = argparse.ArgumentParser(prog="python -m tests.long_oracle", description=__doc__)
    parser.add_argument("--hands", type=int, default=200_000, help="hands to play")
    parser.add_argument("--seed", type=int, default=7, help="another seed plays other hands")
    parser.add_argument("--round", type=int, help="play this match only")
    options = parser.parse_args(arguments)
    try:
        if options.round is not None:
            print(counts_text(play_round(options.seed, options.round, table())))
            return 0
        return play_all(options.seed, options.hands)
    except DifferenceError as difference:
        print(difference, file=sys.stderr)
        return 1


def play_all(seed: int, n_hands: int) -> int:
    """Play matches until there are enough hands; return 1 when a seldom seen rule was never met."""
    rows = table()
    seen: Counter[str] = Counter()
    start = time.monotonic()
    number = 0
    while seen["hands"] < n_hands:
        before = seen["hands"] // EVERY
        seen += play_round(seed, number, rows)
        number += 1
        if seen["hands"] // EVERY > before or seen["hands"] >= n_hands:
            print(f"{seen['hands']} hands, {number} matches, {time.monotonic() - start:.0f} s; met per 10,000 hands:")
            print(counts_text(seen, EVERY / seen["hands"]), flush=True)
    missing = [name for name in oracle_rare.all_names() if not seen[name]]
    print(f"no difference in {seen['hands']} hands; never met: {', '.join(missing) or 'nothing'}")
    return 1 if missing else 0


def counts_text(seen: Counter[str], factor: float = 1.0) -> str:
    """Return how often each seldom seen rule was met, on one line."""
    return ", ".join(f"{name}: {seen[name] * factor:.3g}" for name in oracle_rare.all_names())


if __name__ == "__main__":
    sys.exit(main())
