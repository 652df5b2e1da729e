"""The life of a program: how it ends, with all that it started, and what threads and forks do with it."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agents import foreign_process
from agents.foreign import ForeignPlayer
from rk_env import PlayerError
from tests.foreign_programs import (
    LOWEST,
    ROOT,
    Make,
    ask,
    assert_ends,
    children_of,
    is_running,
    lowest,
    making_players,
    pid_of,
    program,
    with_child,
)

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="foreign programs need POSIX"),
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),  # forks on purpose
]


@pytest.fixture(autouse=True)
def _short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign_process, "GRACE_S", 0.2)


@pytest.fixture
def making(tmp_path: Path) -> Iterator[Make]:
    with making_players(tmp_path) as make:
        yield make


# The end.


@pytest.mark.parametrize(
    "statements",
    [
        {},
        {"on_quit": "pass"},
        {"on_quit": "pass", "end": "time.sleep(60)"},
        {"on_quit": "signal.signal(signal.SIGTERM, signal.SIG_IGN)", "end": "time.sleep(60)"},
    ],
    ids=["quits", "ends with its input", "ignores quit", "ignores SIGTERM"],
)
@pytest.mark.parametrize("how", ["close", "collect"])
def test_programs_end_with_all_that_they_started(
    how: str, statements: dict[str, str], tmp_path: Path, making: Make
) -> None:
    player = ForeignPlayer(program(tmp_path, hello=with_child(tmp_path), **statements))
    ask(player)
    pids = children_of(tmp_path)
    assert len(pids) == 2 and all(map(is_running, pids))
    if how == "close":
        player.close()
    del player
    gc.collect()
    assert_ends(*pids)


def test_after_a_fault_nothing_is_left(tmp_path: Path, making: Make) -> None:
    player = making("time.sleep(60)", timeout=0.2, hello=with_child(tmp_path))
    with pytest.raises(PlayerError):
        ask(player)
    assert_ends(*children_of(tmp_path))


_MAIN = """
import sys
import numpy as np
from agents.foreign import ForeignPlayer
from rk_env import Engine
player = ForeignPlayer([sys.executable, "-S", {path!r}])
engine = Engine(seed=1)
player.act(engine.view(engine.turn), engine.rules, np.zeros(1, np.uint64))
print("acted", flush=True)
{then}
"""


@pytest.mark.parametrize("then", ["", "1 / 0", "import time; time.sleep(60)"], ids=["end", "error", "ctrl-c"])
def test_programs_end_with_this_process(then: str, tmp_path: Path) -> None:
    path = program(tmp_path, hello=with_child(tmp_path), on_quit="pass", end="time.sleep(60)")[-1]
    started = subprocess.Popen(
        [sys.executable, "-c", _MAIN.format(path=path, then=then)], cwd=ROOT, stdout=-1, stderr=-1, text=True
    )
    with started:
        assert started.stdout and started.stdout.readline() == "acted\n"
        if "sleep" in then:
            started.send_signal(signal.SIGINT)
        _, errors = started.communicate(timeout=60)
    assert_ends(*children_of(tmp_path))
    assert {"": "", "1": "ZeroDivisionError", "i": "KeyboardInterrupt"}[then[:1]] in errors
    assert errors.count("Traceback") == (then != "")


def test_ctrl_c_in_the_middle_of_a_decision_leaves_no_answer_behind(making: Make) -> None:
    player = making("time.sleep(60 if n == 2 else 0); say(legal[n % 2])")
    first = ask(player)
    pid = pid_of(player)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        ask(player)
    timer.join()
    assert_ends(pid)
    assert ask(player) == first, "a new program counts from 1"


def test_a_program_is_started_anew_after_a_fault(tmp_path: Path, making: Make) -> None:
    player = making(f"{LOWEST} if n < 3 else sys.exit(1)")
    assert ask(player, 2).tolist() == lowest(2)
    for _ in range(2):
        with pytest.raises(PlayerError, match="exit status 1"):
            ask(player)
        assert ask(player, 2).tolist() == lowest(2)
    player.close()
    player.close()
    assert ask(player, 2).tolist() == lowest(2)


# Threads and forks.


def test_threads_take_turns(making: Make) -> None:
    player = making("time.sleep(0.002); say(legal[0])")
    answers: dict[int, list[int]] = {}

    def work(seed: int) -> None:
        answers[seed] = ask(player, 10, seed).tolist()

    threads = [threading.Thread(target=work, args=[seed]) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {seed: lowest(10, seed) for seed in range(8)}


def in_a_fork(act: Callable[[], bool]) -> int:
    """Return the exit status of a fork of this process: 0 when `act` is true there."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            status = 0 if act() else 2
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_a_fork_has_a_program_of_its_own(making: Make) -> None:
    player = making("say(legal[n % 2])")
    first = ask(player).tolist()
    mine = pid_of(player)

    def act() -> bool:
        is_new = ask(player).tolist() == first and pid_of(player) != mine
        player.close()
        return is_new

    assert in_a_fork(act) == 0
    assert pid_of(player) == mine and is_running(mine)
    assert ask(player).tolist() != first, "its second answer"


def test_a_fork_does_not_end_the_program(making: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    player = making()
    ask(player)
    complaints: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)

    def act() -> bool:
        player.close()
        gc.collect()
        return player._program is None and not complaints

    assert in_a_fork(act) == 0
    assert ask(player).tolist() == lowest()


def test_a_fork_is_not_locked_by_a_thread_of_its_parent(making: Make) -> None:
    player = making("time.sleep(0.5); say(legal[0])")
    ask(player)
    thread = threading.Thread(target=ask, args=[player])
    thread.start()
    time.sleep(0.1)
    assert player._lock.locked()
    assert in_a_fork(lambda: not player._lock.locked() and ask(player).tolist() == lowest()) == 0
    thread.join()


def test_a_fork_does_not_keep_the_input_open(tmp_path: Path, making: Make) -> None:
    """So the program sees the end of its input when its own process lets go of it."""
    player = making(on_quit="pass", end=f"open({str(tmp_path / 'end')!r}, 'w').close()")
    ask(player)
    here, there = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(there)
        os.read(here, 1)  # until the parent lets go
        os._exit(0)
    player.close()
    assert (tmp_path / "end").exists()
    os.close(there)
    os.close(here)
    os.waitpid(pid, 0)
