"""The lines of a text, one after another, and the errors that name them."""

from __future__ import annotations

import re
from typing import Final, NoReturn

from rk_env.errors import NotationError

COMMENT: Final = "#"
_MOST_SHOWN: Final = 100

Here = tuple[int, str | None]
"""A line: its number, and what stands there; None is the end of the text."""


def meaningful_lines(text: str) -> list[tuple[int, str]]:
    r"""Return the lines that are neither blank nor a comment, with their numbers from 1; spaces run together.

    >>> meaningful_lines("a  b\n\n# why\n c")
    [(1, 'a b'), (4, 'c')]
    """
    squeezed = [re.sub("[ \t]+", " ", line).strip(" ") for line in text.split("\n")]
    return [(number, line) for number, line in enumerate(squeezed, 1) if line and not line.startswith(COMMENT)]


def notation_error(here: Here, expected: str) -> NotationError:
    """Return the error that tells what stands in a line, and what should."""
    number, line = here
    if line is None:
        found = "the end of the text"
    else:
        found = repr(line if len(line) <= _MOST_SHOWN else line[:_MOST_SHOWN] + " ...")
    return NotationError(f"line {number}: found {found}, expected {expected}", number)


class Reader:
    """A place in a text.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        self._lines = meaningful_lines(text)
        self._end = (text.rstrip("\n").count("\n") + 2, None)
        self._at = 0

    @property
    def here(self) -> Here:
        """The current line."""
        return self._lines[self._at] if self._at < len(self._lines) else self._end

    def looks_like(self, pattern: str) -> bool:
        """Tell whether the beginning of the current line matches a pattern."""
        return re.match(pattern, self.here[1] or "", re.ASCII) is not None

    def take(self, pattern: str) -> re.Match[str] | None:
        """Return the match and go on, when the whole line matches a pattern; None when it does not."""
        match = re.fullmatch(pattern, self.here[1] or "", re.ASCII)
        self._at += match is not None
        return match

    def need(self, pattern: str, expected: str) -> re.Match[str]:
        """Return the match and go on.

        Raises:
            NotationError: when the line does not match.
        """
        return self.take(pattern) or self.fail(expected)

    def fail(self, expected: str) -> NoReturn:
        """Refuse the current line.

        Raises:
            NotationError: always.
        """
        raise notation_error(self.here, expected)

    def refuse(self, expected: str) -> NoReturn:
        """Refuse the line that was taken last.

        Raises:
            NotationError: always.
        """
        raise notation_error(self._lines[self._at - 1], expected)

    def compare(self, written: str) -> tuple[int, ...]:
        """Return the numbers of all lines, when they are those of the text that is written for what was read.

        Raises:
            NotationError: when one is not; a log has one text, so any other spelling is refused.
        """
        own = meaningful_lines(written)
        for here, (_, line) in zip(self._lines, own, strict=False):
            if here[1] != line:
                raise notation_error(here, repr(line))
        assert len(self._lines) == len(own)  # what is read and not written again is never the last line
        return tuple(number for number, _ in self._lines)
