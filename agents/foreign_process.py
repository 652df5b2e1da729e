"""A program that is spoken to over its standard input and output, a line at a time, and never waited for without end.

The program leads a process group of its own, which is ended as a whole. All three pipes are served by one loop without
threads: what the program writes to its standard error while it is to answer cannot block it, and a program that does
not read cannot block us.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Final

MAX_LINE: Final = 10_000
"""Bytes of the longest line that a program may write."""
KEPT_STDERR: Final = 4_000
"""Bytes kept of what it wrote last to its standard error."""
GRACE_S: float = 1.0
"""How long a program has to end, after `quit` and after SIGTERM, before the next and harder step."""
_TICK_S: Final = 0.05
"""How often to look whether a program has ended whose output another process holds open."""
_CHUNK: Final = 65_536
_MAX_HEARD: Final = 4 * _CHUNK
"""Bytes kept of what the program writes while nobody listens."""


class ProgramError(Exception):
    """What a program did wrong, as the rest of a sentence that begins with its name."""


class Program:
    """A running program.

    Args:
        command: the program and its arguments; no shell reads them.

    Raises:
        ProgramError: when it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        if sys.platform == "win32":
            raise ProgramError("cannot be started: foreign programs need Linux, macOS or another POSIX system")
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise ProgramError(f"cannot be started: {error}") from error
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._to_write, self._heard, self._stderr = b"", b"", b""
        self._selector = selectors.PollSelector()
        for stream in self._pipes:
            os.set_blocking(stream.fileno(), False)
        self._selector.register(self._pipes[1], selectors.EVENT_READ, self._read_output)
        self._selector.register(self._pipes[2], selectors.EVENT_READ, self._read_errors)

    @property
    def pid(self) -> int:
        """Number of the process, and of its group."""
        return self._process.pid

    # The conversation.

    def tell(self, text: str, deadline: float) -> None:
        """Write lines.

        Args:
            text: the lines, each with its end.
            deadline: until when, on the clock of `time.monotonic`.

        Raises:
            ProgramError: when the program has spoken unasked.
            TimeoutError: when it has not read in time.
        """
        self._serve(0.0)
        if self._heard.strip():
            raise ProgramError(f"wrote {self._heard[:200].decode(errors='backslashreplace')!r} unasked")
        self._heard = b""
        self._to_write = text.encode()
        self._selector.register(self._pipes[0], selectors.EVENT_WRITE, self._write)
        while self._to_write:
            self._serve_until(deadline)

    def hear(self, deadline: float) -> str:
        """Return the next line that the program writes, without its end and spaces around it.

        Raises:
            ProgramError: when it ends or closes its output instead, or the line is too long.
            TimeoutError: when no line has come until `deadline`.
        """
        while b"\n" not in self._heard:
            if len(self._heard) > MAX_LINE:
                break
            if not self._is_open(self._pipes[1]):
                raise ProgramError(self._how_it_ended())
            self._serve_until(deadline)
        line, _, rest = self._heard.partition(b"\n")
        if len(line) > MAX_LINE:
            raise ProgramError(f"wrote a line of more than {MAX_LINE} bytes, which begins {line[:60]!r}")
        self._heard = rest
        return line.decode(errors="backslashreplace").strip()

    def last_errors(self) -> list[str]:
        """Return the last lines that it wrote to its standard error."""
        lines = self._stderr[-KEPT_STDERR:].decode(errors="replace").splitlines()
        return [line.rstrip() for line in lines if line.strip()]

    def _serve_until(self, deadline: float) -> None:
        wait = deadline - time.monotonic()
        if wait <= 0:
            raise TimeoutError
        if not self._serve(min(wait, _TICK_S)) and self._process.poll() is not None:
            self._forget(self._pipes[1])  # a child of it has inherited the pipe and keeps it open

    def _serve(self, wait: float) -> bool:
        """Read and write what can be read and written within some seconds; return whether there was anything."""
        events = self._selector.select(wait)
        for key, _ in events:
            serve: Callable[[], None] = key.data
            serve()
        return bool(events)

    def _write(self) -> None:
        try:
            self._to_write = self._to_write[os.write(self._pipes[0].fileno(), self._to_write) :]
        except BlockingIOError:
            return
        except OSError:  # nobody reads any more: its end is told by `hear`
            self._to_write = b""
        if not self._to_write:
            self._forget(self._pipes[0])

    def _read_output(self) -> None:
        data = os.read(self._pipes[1].fileno(), _CHUNK)
        self._heard = (self._heard + data)[:_MAX_HEARD]
        if not data:
            self._forget(self._pipes[1])

    def _read_errors(self) -> None:
        data = os.read(self._pipes[2].fileno(), _CHUNK)
        self._stderr = (self._stderr + data)[-KEPT_STDERR:]
        if not data:
            self._forget(self._pipes[2])

    def _is_open(self, stream: object) -> bool:
        return any(key.fileobj is stream for key in self._selector.get_map().values())

    def _forget(self, stream: object) -> None:
        if self._is_open(stream):
            self._selector.unregister(stream)  # type: ignore[arg-type]  # it is one of the three

    # The end.

    def _how_it_ended(self) -> str:
        self._await_exit(GRACE_S)
        status = self._process.poll()
        if status is None:
            return "closed its output"
        if status < 0:
            return f"was ended by {signal.Signals(-status).name}"
        return f"ended with exit status {status}"

    def _await_exit(self, seconds: float) -> None:
        """Wait until the program has ended and its pipes are empty, at most for some seconds."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self._process.poll() is not None and not self._serve(0.0):
                return
            self._serve(_TICK_S / 5)

    def stop(self, *, farewell: str = "") -> None:
        """End the program and all of its group: by a last line and the end of its input, then SIGTERM, then SIGKILL.

        Args:
            farewell: a line to write first; "": there is none, and the program gets no time to end by itself.
        """
        try:
            self._say_goodbye(farewell)
            if self._signal_group(signal.SIGTERM):
                self._await_exit(GRACE_S)
        finally:  # also after Ctrl-C
            self._signal_group(signal.SIGKILL)
            self._process.wait()
            self._close()

    def _say_goodbye(self, farewell: str) -> None:
        with contextlib.suppress(OSError):
            os.write(self._pipes[0].fileno(), farewell.encode())
        self._forget(self._pipes[0])
        self._pipes[0].close()
        if farewell:
            self._await_exit(GRACE_S)

    def _signal_group(self, number: int) -> bool:
        """Send a signal to the program and what it has started; return whether anybody was there."""
        try:
            os.killpg(self._process.pid, number)
        except (ProcessLookupError, PermissionError):  # nobody; macOS: all have ended
            return False
        return True

    def disown(self) -> None:
        """Let go of the pipes without touching the program, which belongs to the process that this one forked from."""
        self._process.returncode = 0  # not our child: there is nothing to wait for
        self._close()

    def _close(self) -> None:
        self._selector.close()
        for stream in self._pipes:
            with contextlib.suppress(OSError):
                stream.close()
