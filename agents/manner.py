"""What can be changed about the parts of rule players: terms switched off, how eager they are, how often they err.

All of it is data: compiled code gets a part as one whole number, its code, and there is one copy of each rule. A code
holds the number of the part, the terms that are switched off, and the errors in a thousand decisions; so the number
of a part is the code of the part as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np

from rk_env.errors import PlayerError
from rk_env.jit import kernel
from rk_env.kernels.chance import advance, below, mix

TERMS: Final = (
    "pass_spades",
    "pass_hearts",
    "keep_moon",
    "voids",
    "keep_low",
    "count_spades",
    "throw_spades",
    "flush_spades",
    "lead_low",
    "stop_moon",
    "try_moon",
)
"""Pieces of advice that the rule player follows, each of which can be switched off; agents/README.md tells of each."""
PASS_SPADES, PASS_HEARTS, KEEP_MOON, VOIDS, KEEP_LOW, COUNT_SPADES = (1 << k for k in range(6))
THROW_SPADES, FLUSH_SPADES, LEAD_LOW, STOP_MOON, TRY_MOON = (1 << k for k in range(6, 11))

NUMBER_BITS: Final = 6
TERM_BITS: Final = 12
ERRORS_SHIFT: Final = NUMBER_BITS + TERM_BITS
ALWAYS_ERRS: Final = 1000
"""Errors in this many decisions are counted; a code has fewer than 31 bits."""

STYLES: Final = np.array(
    [
        [0.0, 1.0, 1.0],  # careful
        [1.2, 1.0, 1.0],  # moon_hunter
        [0.0, 3.0, 1.0],  # moon_stopper
        [0.0, 1.0, 4.0],  # spade_bleeder
    ]
)
"""How the styles differ: added to the log-odds of an own moon; times the odds of another's; times what a spade led to
flush the black card is worth."""
NO_MOON: Final = -1e9
"""Log-odds of a moon that is never tried."""


class Manner(NamedTuple):
    """How the rule player plays."""

    off: int
    """Terms that are switched off, as bits."""
    hunt: float
    """Added to the log-odds of shooting the moon."""
    stop: float
    """Times the odds of another's moon."""
    flush: float
    """Times what low spades are worth as leads that flush the black card."""


@kernel
def part_of(code: int) -> int:
    """Return the number of a part."""
    return code & ((1 << NUMBER_BITS) - 1)


@kernel
def terms_off(code: int) -> int:
    """Return the terms that are switched off, as bits."""
    return (code >> NUMBER_BITS) & ((1 << TERM_BITS) - 1)


@kernel
def manner_of(code: int, style: int) -> Manner:
    """Return how a part plays whose style is a row of `STYLES`."""
    off = terms_off(code)
    return Manner(
        off,
        NO_MOON if off & TRY_MOON else STYLES[style, 0],
        0.0 if off & STOP_MOON else STYLES[style, 1],
        0.0 if off & FLUSH_SPADES else STYLES[style, 2],
    )


@kernel
def errs(code: int, seed: np.uint64) -> bool:
    """Tell whether this decision is an error: any legal action instead of the part's."""
    errors = code >> ERRORS_SHIFT
    return errors > 0 and below(mix(advance(seed)), ALWAYS_ERRS) < errors


def part_code(number: int, without: Iterable[str] = (), noise: float = 0.0) -> int:
    """Return the code of a part with terms switched off and errors.

    >>> part_code(3)
    3
    >>> part_code(0, ["voids"], 0.25) == 8 << NUMBER_BITS | 250 << ERRORS_SHIFT
    True
    """
    off = sum(1 << TERMS.index(term) for term in without)
    return number | off << NUMBER_BITS | round(noise * ALWAYS_ERRS) << ERRORS_SHIFT


def checked_terms(without: str | Iterable[str]) -> tuple[str, ...]:
    """Return terms in the order of `TERMS`; a text has them with a plus sign between.

    Raises:
        PlayerError: when one is not known.

    >>> checked_terms("voids+keep_moon")
    ('keep_moon', 'voids')
    """
    given = list(filter(None, without.split("+"))) if isinstance(without, str) else list(without)
    for term in given:
        if term not in TERMS:
            raise PlayerError(f"without={term!r} is not known. Known: {', '.join(TERMS)}")
    return tuple(term for term in TERMS if term in given)


def checked_noise(noise: float) -> float:
    """Return a chance of errors, to a thousandth.

    Raises:
        PlayerError: when it is no number from 0 to 1.

    >>> checked_noise(0.25)
    0.25
    """
    if isinstance(noise, bool) or not isinstance(noise, (int, float)) or not 0 <= noise <= 1:
        raise PlayerError(f"noise={noise!r} is no chance of errors; a number from 0 to 1 is needed")
    return round(noise * ALWAYS_ERRS) / ALWAYS_ERRS
