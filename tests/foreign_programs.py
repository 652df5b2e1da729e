"""Programs that tests of `foreign:` start, players of them, and games to ask them about."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.foreign import ForeignPlayer
from rk_env import Engine, Phase, Rules
from tests.generators import random_settings, rules_of
from tests.playing import HANDS
from tests.two_decks import hold
from tests.unseen import play_offs

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "agents" / "FOREIGN.md"
EXAMPLE = ROOT / "agents" / "example_foreign.py"
EXAMPLE_COMMAND = [sys.executable, str(EXAMPLE)]
EXAMPLE_SPEC = f"foreign:{shlex.join(EXAMPLE_COMMAND)}"
LOWEST = "say(legal[0])"
Make = Callable[..., ForeignPlayer]


# The page's transcript.


def transcript() -> list[tuple[str, str]]:
    """Return what the page's example says: (">", to the program) and ("<", from it), line by line."""
    (block,) = re.findall(r"^```transcript\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [(line[0], line[2:]) for line in block.splitlines()]


# Programs.

_PROGRAM = """
import os, signal, subprocess, sys, time
def say(text):
    print(text, flush=True)
n = n_rules = 0
for line in sys.stdin:
    word, *rest = line.split()
    if word == "rickety_kate":
        {hello}
    elif word == "rules":
        n_rules += 1
    elif word == "legal":
        legal = rest
    elif word == "go":
        n += 1
        {go}
    elif word == "quit":
        {quit}
{end}
"""


def program(
    folder: Path,
    go: str = "say(legal[0])",
    *,
    hello: str = "say('ready test 1')",
    on_quit: str = "break",
    end: str = "",
) -> list[str]:
    """Return the command of a program that plays its lowest legal card, but for the statements given."""
    path = folder / "program.py"
    path.write_text(_PROGRAM.format(hello=hello, go=go, quit=on_quit, end=end))
    return [sys.executable, "-I", "-S", str(path)]


@contextlib.contextmanager
def making_players(folder: Path) -> Iterator[Make]:
    """Make players of programs in a folder, which are ended afterwards."""
    made = []

    def make(go: str = LOWEST, timeout: float = 10, start_timeout: float = 10, **statements: str) -> ForeignPlayer:
        made.append(ForeignPlayer(program(folder, go, **statements), timeout, start_timeout))
        return made[-1]

    yield make
    for player in made:
        player.close()


# Games to ask about.


def random_hands(seed: int, decks: int, **settings: Any) -> Iterator[Engine]:
    """Yield hands under random settings, of the main game and of play-offs."""
    chosen = random_settings(Random(seed), decks=decks) | settings
    yield Engine(rules_of(chosen), 3, seed=seed, episode="hand")
    yield play_offs(chosen | {"ties": "playoff"}, 3, seed)


def at_the_moon_choice(decks: int) -> Engine:
    """Return a game in which seat 0 has taken every trick and is to choose (F6)."""
    if decks == 1:
        engine = Engine(Rules(moon="new"), seed=0)
        engine.deal(HANDS, dealer=3, hand_number=4)
    else:
        engine, _ = hold(["AC AC KC KC QC QC JC JC 10C 10C 9C 9C 8C", *[""] * 7], dealer=7, moon="new")
    while engine.phase[0] == Phase.PLAY:
        legal = np.flatnonzero(engine.action_mask()[0])
        engine.step(legal[-1:] if engine.turn[0] == 0 else legal[:1])
    assert engine.phase[0] == Phase.MOON
    return engine


def ask(player: ForeignPlayer, n: int = 1, seed: int = 1) -> NDArray[np.int64]:
    engine = Engine(Rules(), n, seed=seed)
    return player.act(engine.view(engine.turn), engine.rules, np.zeros(n, np.uint64))


def lowest(n: int = 1, seed: int = 1) -> list[int]:
    return Engine(Rules(), n, seed=seed).action_mask().argmax(axis=1).tolist()


# Processes.


def is_running(pid: int) -> bool:
    """Tell whether a process is there and no zombie."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError, IndexError):
        if Path("/proc").exists():
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
        os.kill(pid, 0)
        return True
    return False


def assert_ends(*pids: int) -> None:
    deadline = time.monotonic() + 5
    while any(map(is_running, pids)):
        assert time.monotonic() < deadline, f"still running: {[pid for pid in pids if is_running(pid)]}"
        time.sleep(0.02)


def pid_of(player: ForeignPlayer) -> int:
    assert player._program is not None
    return player._program.pid


def children_of(folder: Path) -> list[int]:
    return [int(word) for word in (folder / "pids").read_text().split()]


def with_child(folder: Path) -> str:
    """Return a statement that starts a process beside the program, which ignores all but SIGKILL, and notes both."""
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"
    return (
        f"child = subprocess.Popen([sys.executable, '-S', '-c', {code!r}], stdout=subprocess.PIPE); "
        f"child.stdout.readline(); open({str(folder / 'pids')!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}'); "
        "say('ready test 1')"
    )
