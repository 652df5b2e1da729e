"""Programs that misbehave: each fault is an error that says what, where and why, and leaves no process behind."""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents import foreign_process
from agents.foreign import ForeignPlayer
from agents.foreign_process import MAX_LINE, Program, ProgramError
from rk_env import PlayerError
from tests.foreign_programs import (
    LOWEST,
    Make,
    ask,
    assert_ends,
    lowest,
    making_players,
    program,
)
from training.evaluate import main

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


# What it does instead of an answer.


@pytest.mark.parametrize(
    ("go", "message"),
    [
        ("say('hello')", r"answered 'hello', but 'hello' is neither a card nor moon\+ or moon-"),
        ("say('QS 4D')", "answered 'QS 4D', but 'QS 4D' is neither"),
        ("say('0')", "answered '0', but '0' is neither"),
        ("say('moon+')", r"answered 'moon\+', but moon\+ is not legal; legal: \w+, "),
        ("say(next(c for c in ('AS', 'KS', 'QS', 'JS') if c not in legal))", r"but \wS is not legal; legal: \w+, "),
        ("sys.stdout.buffer.write(b'\\xff\\x00\\n'); sys.stdout.flush()", r"answered '\\\\xff\\x00'"),
        ("say('x' * 5000)", "answered 'x{200}', but 'x{200}' is neither"),
        (f"say('x' * {MAX_LINE + 1})", f"wrote a line of more than {MAX_LINE} bytes, which begins b'x{{60}}'"),
        ("print(end='x' * 100_000, flush=True); time.sleep(60)", f"wrote a line of more than {MAX_LINE} bytes"),
        ("say('error no moon, please')", "gave up: 'no moon, please'"),
        ("say('info prob')", "answered 'info prob', but 'info prob ACTION NUMBER' is needed"),
        ("say('info value QS high')", "'info value ACTION NUMBER' is needed"),
        ("say('info prob ' + legal[0] + ' -1')", "must be finite, and no probability below 0"),
        ("say('info prob ' + legal[0] + ' nan')", "must be finite"),
        ("say('info value ' + legal[0] + ' inf')", "must be finite"),
        ("say('info value moon- 1')", "moon- is not legal"),
        ("sys.exit(3)", "ended with exit status 3"),
        ("sys.exit(0)", "ended with exit status 0"),
        ("subprocess.Popen(['sleep', '60']); sys.exit(4)", "ended with exit status 4"),  # the pipes stay open
        ("print(end=legal[0], flush=True); sys.exit(0)", "ended with exit status 0"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "was ended by SIGKILL"),
        ("os.close(1); time.sleep(60)", "closed its output"),
        ("print('a', 'b', '', 'c', sep='\\n', file=sys.stderr); 1 / 0", r"; stderr: .* \| ZeroDivisionError: division"),
    ],
)
def test_wrong_answers(go: str, message: str, making: Make) -> None:
    player = making(go)
    where = r"^foreign@1:.*program\.py \(test 1\), seat \d, hand 1, trick 0: "
    with pytest.raises(PlayerError, match=where + ".*" + message) as caught:
        ask(player)
    assert "\n" not in str(caught.value)
    assert player._program is None


@pytest.mark.parametrize(
    ("go", "timeout"),
    [
        ("time.sleep(60)", 0.3),
        ("print(end=legal[0], flush=True); time.sleep(60)", 0.3),
        ("[say('info depth') for _ in iter(int, 1)]", 0.3),
        ("[say('') for _ in iter(int, 1)]", 0.3),
        ("subprocess.Popen(['sleep', '60']); time.sleep(60)", 0.3),
    ],
    ids=["silent", "without end of line", "informs for ever", "empty lines for ever", "with a child"],
)
def test_no_answer_in_time(go: str, timeout: float, making: Make) -> None:
    player = making(go, timeout=timeout)
    began = time.monotonic()
    with pytest.raises(PlayerError, match=r"(?m)seat \d, hand 1, trick 0: did not answer within 0\.3 s$"):
        ask(player)
    assert 0.3 <= time.monotonic() - began < 5


@pytest.mark.parametrize(
    ("hello", "message"),
    [
        ("time.sleep(60)", "was not ready within 0.3 s"),
        ("say('hello there')", "answered 'hello there' to 'rickety_kate 1'; 'ready NAME' is needed"),
        ("say('ready')", "answered 'ready' to 'rickety_kate 1'"),
        ("say('error only version 2')", "answered 'error only version 2' to 'rickety_kate 1'"),
        ("sys.exit('no model')", "ended with exit status 1; stderr: no model"),
        ("say('x' * 100_000)", "wrote a line of more than"),
    ],
)
def test_programs_that_do_not_get_ready(hello: str, message: str, making: Make) -> None:
    with pytest.raises(PlayerError, match=message):
        ask(making(start_timeout=0.3 if "sleep" in hello else 10, hello=hello))


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no_such_program --depth 3", "cannot be started: .*No such file or directory: 'no_such_program'"),
        ("/", "cannot be started: .*Permission denied"),
        (["a\0b"], "cannot be started: embedded null byte"),
    ],
)
def test_commands_that_cannot_be_started(command: Any, message: str) -> None:
    player = ForeignPlayer(command)
    for _ in range(2):
        with pytest.raises(PlayerError, match=message):
            ask(player)


def test_systems_without_process_groups_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(ProgramError, match="need Linux, macOS or another POSIX system"):
        Program(["true"])


@pytest.mark.parametrize("more", ["say(legal[0])", "say('thanks')", "print(end='x', flush=True)"])
def test_programs_that_speak_unasked(more: str, making: Make) -> None:
    player = making(f"{LOWEST}; {more}")
    ask(player)
    time.sleep(0.2)
    with pytest.raises(PlayerError, match=r"wrote '.*' unasked"):
        ask(player)


def test_empty_lines_spaces_and_carriage_returns_are_no_fault(making: Make) -> None:
    player = making("say(''); say('  ' + legal[0].lower() + ' \\r'); say('')", hello="say('\\ninfo\\nready a b \\r')")
    assert ask(player, 3).tolist() == lowest(3)
    assert player.program_name == "a b"
    assert repr(player) == f"<{player.name} (a b)>"


# Pipes that fill up.


def test_programs_may_write_much_to_standard_error(making: Make) -> None:
    player = making(
        f"sys.stderr.write(('e' * 99 + '\\n') * 10_000 + f'last {{n}}\\n'); {LOWEST} if n < 3 else say('stop')"
    )
    with pytest.raises(PlayerError, match=r"(?m)answered 'stop', .*; stderr: e{99} \| e{99} \| last 3$") as caught:
        ask(player, 3)
    asked, written = caught.value.__notes__
    assert asked.startswith("It was asked:\ndecision\nseed 0\n") and asked.endswith("\ngo 10")
    assert written.startswith("It wrote to its standard error:\n") and written.endswith("\nlast 3")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value), "as from a worker process"


def test_programs_that_flood_their_output_are_ended(making: Make) -> None:
    player = making(f"{LOWEST}; [say(legal[0]) for _ in iter(int, 1)]", on_quit="pass")
    ask(player)
    time.sleep(0.1)
    with pytest.raises(PlayerError, match="unasked"):
        ask(player)


def test_programs_that_do_not_read_are_not_waited_for() -> None:
    one = Program([sys.executable, "-c", "import time; time.sleep(60)"])
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        one.tell("x" * 1_000_000, began + 0.3)
    assert time.monotonic() - began < 5
    one.stop()
    assert_ends(one.pid)


# On the command line.


def test_evaluation_ends_with_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = " ".join(program(tmp_path, "1 / 0"))
    assert main(["--agent", "ducker", "--opponents", f"foreign:{command}", "--deals", "2"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: foreign@1:{command} (test 1), seat ")
    assert line.endswith("| ZeroDivisionError: division by zero")
