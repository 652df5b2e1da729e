"""Transcripts damaged at random: each is refused with its line, or is a log's own text."""

from __future__ import annotations

import time
from random import Random

import pytest

from rk_env.errors import NotationError
from rk_env.notation import parse, replay, write
from rk_env.notation.reader import meaningful_lines
from tests.generators import scaled
from tests.make_golden import FOLDER

NAMES = (
    *("given_deal", "bonus_cards", "revokes_corrected", "revokes_replayed"),
    *("two_decks_last_trick", "two_decks_playoff_of_two"),
)
TEXTS = [(FOLDER / f"{name}.txt").read_text(encoding="utf-8") for name in NAMES]

TOKENS = [
    "7",
    "QS",
    "10D",
    "99999999999999999999999",
    "-1",
    "0",
    "(2C)",
    "2C!",
    "♠",
    "\u0663",
    "C",
    "off",
    "no",
    "\ud800",
    "\x00",
]


def damaged(rng: Random, text: str) -> str:
    """Return a text with some damage."""
    lines = text.split("\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    line = lines[i]
    kind = rng.randrange(8)
    if kind == 0:
        del lines[i]
    elif kind == 1:
        lines[i], lines[j] = lines[j], lines[i]
    elif kind == 2:
        lines.insert(j, line)
    elif kind == 3:
        lines = lines[:i] + lines[min(i, j) : max(i, j)] + lines[i:]
    elif kind == 4:
        return text[: rng.randrange(len(text) + 1)]
    elif kind == 5:
        words = line.split(" ")
        words[rng.randrange(len(words))] = rng.choice(TOKENS)
        lines[i] = " ".join(words)
    elif kind == 6:
        at = rng.randrange(len(line) + 1)
        lines[i] = line[:at] + chr(rng.choice([rng.randrange(32, 127), rng.randrange(0x3000)])) + line[at:]
    else:
        at = rng.randrange(len(line) + 1)
        lines[i] = line[:at] + line[at + 1 :]
    return "\n".join(lines)


def bare(text: str) -> list[str]:
    return [line for _, line in meaningful_lines(text)]


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_text_is_refused_or_a_log_of_its_own(seed: int) -> None:
    """8 x 100 texts, damaged in one to three places: what is read is written again as it stands."""
    rng = Random(seed)
    began = time.perf_counter()
    n_read = 0
    for _ in range(scaled(100)):
        text = rng.choice(TEXTS)
        for _ in range(rng.randint(1, 3)):
            text = damaged(rng, text)
        n_read += reads(text)
    assert n_read or scaled(100) < 100
    assert time.perf_counter() - began < 60


def reads(text: str) -> bool:
    """Tell whether a text can be read, and check that it is a log's own, or that the error names a line of it."""
    log, fault = None, None
    try:
        log = parse(text)
        replay(log)
    except NotationError as error:
        fault = error
    if fault is not None:
        assert 1 <= fault.line <= text.count("\n") + 2
        assert str(fault).startswith(f"line {fault.line}: found ")
    if log is not None:
        assert bare(write(log)) == bare(text)
        assert parse(write(log)) == log
    return log is not None
