"""Logs in files."""

from __future__ import annotations

import os
from pathlib import Path

from rk_env.errors import NotationError
from rk_env.files import replacing
from rk_env.notation.log import GameLog
from rk_env.notation.parse import parse
from rk_env.notation.write import write


def read_file(path: str | os.PathLike[str]) -> GameLog:
    """Return the log that a file holds, in UTF-8.

    Raises:
        NotationError: when the text is not that of a log; it names file and line.
        OSError: when the file cannot be read.
    """
    data = Path(path).read_bytes()
    try:
        return parse(data.decode("utf-8").replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotationError(f"{path}: line {line}: found bytes that are no UTF-8, expected text", line) from error
    except NotationError as error:
        raise NotationError(f"{path}: {error}", error.line) from error


def write_file(path: str | os.PathLike[str], log: GameLog) -> None:
    """Write a log to a file: under a temporary name, then renamed, so that there is never a half of it.

    Raises:
        OSError: when the file cannot be written.
    """
    with replacing(Path(path)) as file:
        file.write(write(log).encode())
