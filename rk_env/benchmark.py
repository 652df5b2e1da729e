"""How fast the engine is, beside OpenSpiel's Hearts and PettingZoo's connect four in the same run.

    python -m rk_env.benchmark [--seconds S] [--repeats R] [--peers | --no-peers] [--json FILE]

All rates are decisions (passes picked, cards played) a CPU second of one thread. Plays are random. In the loops over
`Engine` and over OpenSpiel's states the random choice itself is timed on neither side: plays are recorded beforehand
and played again from the same deals, so that only the calls named in the table are compared. Inside compiled code, in
the AEC loops and in those of one seat, choices are made and timed on both sides; environments for one seat count that
seat's decisions alone, while three random opponents play in the same time. Every repeat measures all table sizes and
then the peer; a ratio is that of one repeat at four players (the only number that OpenSpiel's Hearts knows), and the
median, lowest and highest over the repeats are given. The cold start is wall-clock time of a fresh process.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numba
import numpy as np

import rk_env
from rk_env import Rules, cold_start, peers, rickety_kate_v0, seat_speed, speed
from rk_env.jit import JIT_DISABLED
from rk_env.peers import Chunk

BATCHES: Final = (1, 16, 256, 4096, 16384)
PLAYERS: Final = (3, 4, 5, 6)
RATIO_PLAYERS: Final = 4
N_VECTOR: Final = 1024
N_SB3: Final = 256


@dataclass(frozen=True)
class Row:
    """One line of the table: our call, and what it is measured beside."""

    call: str
    make: Callable[[int], Chunk]
    """Makes the chunk for a number of players."""
    peer_call: str = ""
    make_peer: Callable[[], Chunk] | None = None
    target: float | None = None
    """The ratio to reach at four players."""


def aec_row(constructor: str) -> Row:
    """Return the row of an AEC loop; `constructor` is "env" or "raw_env"."""
    return Row(
        call=f"{constructor}(): last, flatnonzero, step",
        make=lambda players: peers.aec_chunk(getattr(rickety_kate_v0, constructor)(rules=Rules(players=players))),
        peer_call=f"connect_four_v3.{constructor}()",
        make_peer=lambda: peers.connect_four_chunk(constructor),
        target=1.0,
    )


def rows(batches: Sequence[int]) -> list[Row]:
    """Return all rows of the table."""
    bots = "evaluate_bots, uniform random bots"
    table = [Row("compiled random plays", speed.compiled_chunk, bots, peers.hearts_bots_chunk, 8.0)]
    for size in batches:
        call = f"action_mask, step; B={size}"
        make = _engine_maker(size, observe=False)
        target = 0.2 if size == 1 else None
        table.append(Row(call, make, "legal_actions, apply_action", peers.hearts_legal_chunk, target))
    for size in batches:
        call = f"action_mask, observe(out=), step; B={size}"
        make = _engine_maker(size, observe=True)
        target = 5.0 if size == 4096 else None
        peer_call = "legal_actions_mask, set_from, apply_action"
        table.append(Row(call, make, peer_call, peers.hearts_observe_chunk, target))
    return [*table, aec_row("raw_env"), aec_row("env"), *seat_rows()]


def seat_rows() -> list[Row]:
    """Return the rows of the environments for one seat; that of SB3 where it is installed."""
    gymnasium_row = Row(
        call=f"make_vec: step; {N_VECTOR} environments",
        make=lambda players: seat_speed.vector_chunk(N_VECTOR, players),
        peer_call="SyncVectorEnv of single ones",
        make_peer=lambda: seat_speed.sync_chunk(N_VECTOR),
        target=20.0,
    )
    sb3_row = Row(
        call=f"RicketyKateVecEnv: step; {N_SB3} environments",
        make=lambda players: seat_speed.native_chunk(N_SB3, players),
        peer_call="DummyVecEnv of single ones",
        make_peer=lambda: seat_speed.dummy_chunk(N_SB3),
        target=5.0,
    )
    return [gymnasium_row, *([sb3_row] if seat_speed.has_sb3() else [])]


def _engine_maker(size: int, *, observe: bool) -> Callable[[int], Chunk]:
    return lambda players: speed.engine_chunk(players, size, observe=observe)


def spread(values: Sequence[float]) -> dict[str, float]:
    """Return median, lowest and highest."""
    return {"median": statistics.median(values), "low": min(values), "high": max(values)}


def measure(row: Row, players: Sequence[int], seconds: float, repeats: int, with_peers: bool) -> dict[str, Any]:
    """Measure one row; the peer after each round of table sizes."""
    chunks = {str(n): row.make(n) for n in players}
    if with_peers and row.make_peer:
        chunks["peer"] = row.make_peer()
    for chunk in chunks.values():
        chunk()  # compiles, fills caches
    rates: dict[str, list[float]] = {name: [] for name in chunks}
    for _ in range(repeats):
        for name, chunk in chunks.items():
            rates[name].append(peers.rate(chunk, seconds))
    peer_rates = rates.pop("peer", None)
    ours = rates.get(str(RATIO_PLAYERS))
    return {
        "call": row.call,
        "rate": {name: spread(values) for name, values in rates.items()},
        "peer_call": row.peer_call,
        "peer_rate": spread(peer_rates) if peer_rates else None,
        "ratio": spread([a / b for a, b in zip(ours, peer_rates, strict=True)]) if ours and peer_rates else None,
        "target": row.target,
    }


def machine() -> dict[str, str | bool]:
    """Return what a figure depends on: processor and versions."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return {
        "cpu": models[0] if models else platform.processor() or platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "rk_env": rk_env.__version__,
        "compiled": not JIT_DISABLED,
    }


def rate_text(rate: float) -> str:
    """Return a rate for people.

    >>> rate_text(38_512_345), rate_text(24_600), rate_text(870)
    ('38.5 M', '24.6 k', '870')
    """
    for unit, name in ((1e6, " M"), (1e3, " k")):
        if rate >= unit:
            return f"{rate / unit:.3g}{name}"
    return f"{rate:.3g}"


def ratio_text(result: dict[str, Any]) -> str:
    """Return a ratio with its spread and the target, for people."""
    ratio, target = result["ratio"], result["target"]
    if ratio is None:
        return ""
    text = f"{ratio['median']:.3g} x ({ratio['low']:.3g}-{ratio['high']:.3g})"
    return text if target is None else f"{text}, target {target:g} x"


def line(call: str, rates: Sequence[str], peer_call: str, peer_rate: str, ratio: str) -> str:
    """Return one line of the table, aligned."""
    cells = "".join(f"{rate:>11}" for rate in rates)
    return f"{call:<42}{cells}   {peer_call:<42} {peer_rate:>7}  {ratio}".rstrip()


def print_result(result: dict[str, Any]) -> None:
    """Print the line of one row."""
    rates = [rate_text(rate["median"]) for rate in result["rate"].values()]
    peer = result["peer_rate"]
    peer_call, peer_rate = (result["peer_call"], rate_text(peer["median"])) if peer else ("", "")
    print(line(result["call"], rates, peer_call, peer_rate, ratio_text(result)), flush=True)


def write_json(path: Path, results: dict[str, Any]) -> None:
    """Write a JSON file whole or not at all."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, suffix=".part", delete=False, encoding="utf-8") as file:
        json.dump(results, file, indent=1)
        file.write("\n")
    os.replace(file.name, path)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m rk_env.benchmark",
        description="Measure the engine, beside OpenSpiel's Hearts and PettingZoo's connect four.",
        epilog="example: python -m rk_env.benchmark --seconds 1 --repeats 9 --json speed.json",
    )
    parser.add_argument(
        "--seconds", type=float, default=0.3, help="CPU seconds of one measurement (default: %(default)s)"
    )
    parser.add_argument("--repeats", type=int, default=7, help="measurements of each figure (default: %(default)s)")
    peers_help = 'measure the peers too, pip install "rickety-kate[peers]" (default: when installed)'
    parser.add_argument("--peers", action=argparse.BooleanOptionalAction, default=None, help=peers_help)
    parser.add_argument("--players", type=int, nargs="+", choices=PLAYERS, default=PLAYERS, help="table sizes")
    parser.add_argument("--batches", type=int, nargs="+", default=BATCHES, help="batch sizes (default: %(default)s)")
    cold_help = "measure the cold start too, which compiles everything afresh (default: yes)"
    parser.add_argument("--cold-start", action=argparse.BooleanOptionalAction, default=True, help=cold_help)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures here too")
    options = parser.parse_args(arguments)
    if options.seconds <= 0 or options.repeats < 1 or min(options.batches) < 1:
        parser.error("--seconds, --repeats and --batches must be positive")
    if options.json and not options.json.absolute().parent.is_dir():
        parser.error(f"--json: there is no folder {options.json.absolute().parent}")
    if options.peers and peers.missing():
        parser.error(f'--peers: {", ".join(peers.missing())} not installed; pip install "rickety-kate[peers]"')
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark."""
    options = parse(arguments)
    with_peers = not peers.missing() if options.peers is None else options.peers
    results: dict[str, Any] = {
        "machine": machine(),
        "settings": {"seconds": options.seconds, "repeats": options.repeats, "peers": with_peers},
        "cold_start": None,
        "rows": [],
    }
    print(", ".join(f"{name} {value}" for name, value in results["machine"].items()))
    if options.cold_start:
        print("Cold start: compiling everything in a fresh process ...", flush=True)
        results["cold_start"] = cold_start.measure(options.repeats)
        print(cold_start.text(results["cold_start"]))
    beside = ("beside", "rate", "ratio at four players (range)") if with_peers else ("", "", "")
    print("\nDecisions a CPU second, one thread; medians")
    print(line("call", [f"{n} players" for n in options.players], *beside))
    for row in rows(options.batches):
        results["rows"].append(measure(row, options.players, options.seconds, options.repeats, with_peers))
        print_result(results["rows"][-1])
    if not with_peers:
        sys.stderr.write('Without peers: pip install "rickety-kate[peers]" measures OpenSpiel and PettingZoo beside.\n')
    if options.json:
        write_json(options.json, results)


if __name__ == "__main__":
    main()
