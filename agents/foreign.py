"""Players in any language: programs that speak the line protocol of `agents/FOREIGN.md` over stdin and stdout.

`agents.make("foreign:COMMAND")` plays the program that COMMAND starts. The command is all that stands behind the first
colon, split as a shell would split it, but run without one; options go before it, as assignments do in a shell:
`"foreign:timeout=60 python my_bot.py --depth 3"`.

A program is asked one decision at a time, and each time is told all that its seat may know, so it need not remember
anything. It starts at the first decision, and ends with the player, or with this process. What goes wrong, be it a
program that cannot start, crashes, is silent, or plays an illegal card, is a `PlayerError`; the program is then ended,
and the next decision starts it anew. Nothing is ever played in its stead: a match with a broken program has no result.
"""

from __future__ import annotations

import os
import re
import shlex
import threading
import time
import weakref
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.foreign_process import Program, ProgramError
from agents.foreign_text import HELLO, PROTOCOL, QUIT, Answer, AnswerError, Decision, decisions, read_line, rules_text
from rk_env.errors import PlayerError
from rk_env.inputs import as_seeds, check_rules, check_views
from rk_env.players import Evaluation
from rk_env.rules import Rules
from rk_env.state import N_ACTIONS, NO_ACTION

MAX_SECONDS: Final = 86_400.0
_OPTION: Final = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_OPTIONS: Final = ("timeout", "start_timeout", "name")
_SHOWN_ERRORS: Final = 3
"""Lines of the program's standard error in a message; the note of a `PlayerError` has more."""


class ForeignPlayer:
    """A program, as a player. Threads may share it: they take turns.

    A copy, also by pickling, starts a program of its own; so does a process that was forked.

    Args:
        command: the program and its arguments, or a text as for a shell.
        timeout: seconds for each decision.
        start_timeout: seconds from the start of the program until it is ready.
        name: name and version for results, such as "mine@2"; None is the protocol's version and the command, which
            `agents.make` reads.

    Raises:
        PlayerError: when the command is empty or no text, or an option is not allowed.

    Attributes:
        name: as above.
        command: the program and its arguments.
        program_name: what the program calls itself; "" before its first start.
    """

    def __init__(
        self,
        command: str | Sequence[str] = (),
        timeout: float | str = 10.0,
        start_timeout: float | str = 60.0,
        name: str | None = None,
    ) -> None:
        self.command = _command_words(command)
        self.timeout = _seconds("timeout", timeout)
        self.start_timeout = _seconds("start_timeout", start_timeout)
        self.name = _checked_name(f"foreign@{PROTOCOL}:{shlex.join(self.command)}" if name is None else name)
        self.program_name = ""
        self._forget()
        _PLAYERS.add(self)

    @classmethod
    def from_text(cls, text: str, **options: Any) -> ForeignPlayer:
        """Return the player of what stands behind the colon of a spec: options, then the command.

        Raises:
            PlayerError: as above.

        >>> player = ForeignPlayer.from_text("timeout=60 './my bot' --style=a,b:c")
        >>> player.command, player.timeout
        (['./my bot', '--style=a,b:c'], 60.0)
        """
        words, given = _command_words(text), {}
        while words and (match := _OPTION.fullmatch(words[0])):
            if match[1] not in _OPTIONS:
                raise PlayerError(f"foreign: {match[1]!r} is no option; before the command go {', '.join(_OPTIONS)}")
            given[match[1]] = match[2]
            words = words[1:]
        return cls(words, **(given | options))

    def __repr__(self) -> str:
        return f"<{self.name}{f' ({self.program_name})' if self.program_name else ''}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.command, self.timeout, self.start_timeout, self.name)

    def act(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return what the program answers to each view, (B,) int64; -1 where nobody is to act, which it is not asked.

        Raises:
            PlayerError: when it does not answer, or not with a legal action.
        """
        actions = np.full(len(views), NO_ACTION, np.int64)
        for i, answer, _ in self._answers(views, rules, seeds):
            actions[i] = answer.action
        return actions

    def evaluate(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> Evaluation:
        """Return what the program thinks, as it tells by `info prob` and `info value` before its answer.

        Returns:
            Probabilities (B, 54): the numbers it gave, divided by their sum; 1 for its answer where it gave none.
            Values (B, 54), 0.0 for actions that are not legal; None, unless it gave one for every legal action of
            every view.

        Raises:
            PlayerError: as `act`.
        """
        probabilities, values = np.zeros((2, len(views), N_ACTIONS))
        is_valued = []
        for i, answer, legal in self._answers(views, rules, seeds):
            for action, share in shares_of(answer).items():
                probabilities[i, action] = share
            for action, value in answer.values.items():
                values[i, action] = value
            is_valued.append(set(np.flatnonzero(legal).tolist()) <= answer.values.keys())
        return probabilities, values if is_valued and all(is_valued) else None

    def close(self) -> None:
        """End the program; the next decision starts it anew."""
        with self._lock:
            self._end(QUIT)

    # The program.

    def _forget(self) -> None:
        """Have no program, and a lock that nobody holds."""
        self._lock = threading.Lock()
        self._program: Program | None = None
        self._told: Rules | None = None
        self._finalizer: Any = None

    def _after_fork(self) -> None:
        """Leave the program to the process that this one was forked from."""
        if self._program is not None:
            self._finalizer.detach()
            self._program.disown()
        self._forget()

    def _started(self) -> Program:
        """Return the program, running and ready."""
        if self._program is None:
            self._program = program = Program(self.command)
            self._finalizer = weakref.finalize(self, program.stop, farewell=QUIT)
            deadline = time.monotonic() + self.start_timeout
            try:
                program.tell(HELLO, deadline)
                self.program_name = _name_of(program, deadline)
            except TimeoutError:
                raise ProgramError(f"was not ready within {self.start_timeout:g} s") from None
        return self._program

    def _end(self, farewell: str = "") -> None:
        program, self._program, self._told = self._program, None, None
        if program is not None:
            self._finalizer.detach()
            program.stop(farewell=farewell)

    # The conversation.

    def _answers(
        self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]
    ) -> list[tuple[int, Answer, NDArray[np.int8]]]:
        """Return the index, answer and legal actions of each view in which somebody is to act."""
        check_views(views)
        check_rules(rules)
        acting = np.flatnonzero(views["turn"] >= 0)
        asked = decisions(views[acting], rules, as_seeds(seeds, len(views))[acting])
        with self._lock:
            return [(i, self._ask(one, rules), one.legal) for i, one in zip(acting.tolist(), asked, strict=True)]

    def _ask(self, decision: Decision, rules: Rules) -> Answer:
        try:
            return self._converse(decision, rules)
        except BaseException as error:  # Ctrl-C too: an answer that is still to come would be taken for the next one's
            program = self._program
            self._end()
            if not isinstance(error, (ProgramError, AnswerError)):
                raise
            raise self._failure(str(error), decision, program.last_errors() if program else []) from error

    def _converse(self, decision: Decision, rules: Rules) -> Answer:
        program = self._started()
        news = "" if self._told is not None and self._told == rules else rules_text(rules)
        deadline = time.monotonic() + self.timeout
        answer = Answer()
        try:
            program.tell(f"{news}{decision.text}go {self.timeout:g}\n", deadline)
            while not read_line(program.hear(deadline), decision, answer):
                pass
        except TimeoutError:
            raise ProgramError(f"did not answer within {self.timeout:g} s") from None
        self._told = rules
        return answer

    def _failure(self, fault: str, decision: Decision, written: list[str]) -> PlayerError:
        who = f"{self.name}{f' ({self.program_name})' if self.program_name else ''}"
        last = " | ".join(written[-_SHOWN_ERRORS:])
        error = PlayerError(f"{who}, {decision.where}: {fault}{f'; stderr: {last}' if last else ''}")
        error.add_note(f"It was asked:\n{decision.text}go {self.timeout:g}")
        if written:
            error.add_note("It wrote to its standard error:\n" + "\n".join(written))
        return error


_PLAYERS: weakref.WeakSet[ForeignPlayer] = weakref.WeakSet()
"""All players of this process."""


def _leave_programs_to_parent() -> None:
    for player in list(_PLAYERS):
        player._after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_programs_to_parent)


def shares_of(answer: Answer) -> dict[int, float]:
    """Return the probabilities of an answer: what the program gave, divided by its sum, or 1 for its action."""
    largest = max(answer.weights.values(), default=0.0)
    if largest == 0:
        return {answer.action: 1.0}
    scaled = {action: weight / largest for action, weight in answer.weights.items()}  # so that no sum is infinite
    total = sum(scaled.values())
    return {action: weight / total for action, weight in scaled.items()}


def _name_of(program: Program, deadline: float) -> str:
    """Return the name that a program gives in answer to our greeting."""
    while True:
        line = program.hear(deadline)
        word, _, name = line.partition(" ")
        if word == "ready" and name.strip():
            return name.strip()[:100]
        if word not in ("", "info"):
            raise AnswerError(f"answered {line[:200]!r} to {HELLO.strip()!r}; 'ready NAME' is needed")


def _command_words(command: Any) -> list[str]:
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except (ValueError, TypeError) as error:
        raise PlayerError(f"foreign: command={command!r}: {error}") from error
    if not words or not all(isinstance(word, str) for word in words):
        raise PlayerError("foreign: a command is needed, as 'foreign:COMMAND' or command=[PROGRAM, ARGUMENT, ...]")
    return words


def _seconds(option: str, value: Any) -> float:
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        seconds = 0.0
    if not 0 < seconds <= MAX_SECONDS:
        raise PlayerError(f"foreign: {option}={value!r}; seconds above 0, up to {MAX_SECONDS:g}, are needed")
    return seconds


def _checked_name(name: Any) -> str:
    if not isinstance(name, str) or "@" not in name:
        raise PlayerError(f"foreign: name={name!r}: a name and a version is needed, such as 'mine@1'")
    return name
