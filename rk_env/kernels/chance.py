"""Random numbers: a counter and a mixing function, so that any draw depends only on what it is for.

SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from rk_env.jit import kernel

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_FACTOR_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_FACTOR_2: Final = np.uint64(0x94D049BB133111EB)
_S11: Final = np.uint64(11)
_S27: Final = np.uint64(27)
_S30: Final = np.uint64(30)
_S31: Final = np.uint64(31)
_S32: Final = np.uint64(32)

FOR_DEAL: Final = np.uint64(1)
FOR_FIRST_DEALER: Final = np.uint64(2)
FOR_HAND_NUMBER: Final = np.uint64(3)
FOR_GAME_SEED: Final = np.uint64(4)
FOR_DECISION: Final = np.uint64(5)
FOR_WORLD: Final = np.uint64(6)
"""What a stream is for; streams of one seed do not meet."""


@kernel
def mix(x: np.uint64) -> np.uint64:
    """Return 64 well-mixed bits of `x`: the output function of SplitMix64."""
    x = (x ^ (x >> _S30)) * _FACTOR_1
    x = (x ^ (x >> _S27)) * _FACTOR_2
    return x ^ (x >> _S31)


@kernel
def advance(state: np.uint64) -> np.uint64:
    """Return the next state of a stream; `mix` of a state is its random number."""
    return state + _GOLDEN


@kernel
def stream(seed: np.uint64, purpose: np.uint64, number: int) -> np.uint64:
    """Return the first state of the stream of `seed` for a purpose and a number, such as a deal's."""
    return mix(mix(seed + _GOLDEN * purpose) + _GOLDEN * np.uint64(number + 1))


@kernel
def below(x: np.uint64, n: int) -> int:
    """Return a number from 0 to n - 1 made of the random bits `x`; n < 2**16, bias below n / 2**32."""
    return int(((x >> _S32) * np.uint64(n)) >> _S32)


@kernel
def unit(x: np.uint64) -> float:
    """Return a number in [0, 1) made of the random bits `x`: a multiple of 2**-53."""
    return float(x >> _S11) * 2.0**-53
