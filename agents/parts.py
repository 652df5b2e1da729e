"""The parts that rule players are put together from: ways to pass and ways to play, by name and by number.

A part is a compiled function over one record, `(g, r, seed) -> action`, that reads only what a view keeps: search can
call `decide` on full games and gets what the player would do. Another behaviour is another version of the part.
"""

from __future__ import annotations

import difflib
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.ducker import pass_high_cards, play_ducking
from agents.moon_choice import choose_moon
from agents.rule_pass import pass_danger, pass_void_first
from agents.rule_play import play_by_rules
from rk_env.errors import PlayerError
from rk_env.jit import kernel
from rk_env.kernels.bits import nth, popcount
from rk_env.kernels.chance import below, mix
from rk_env.kernels.flow import legal_actions
from rk_env.state import NO_ACTION, PASS, PLAY

PASSINGS: Final = ("danger@1", "high_cards@1", "void_first@1", "random@1")
"""Ways to pass, by number."""
PLAYINGS: Final = ("careful@1", "duck@1", "random@1")
"""Ways to play, by number."""


@kernel
def act_randomly(g: Any, r: Any, seed: np.uint64) -> int:
    """Do any legal action, each with the same probability."""
    legal = legal_actions(g, r)
    return nth(legal, below(mix(seed), popcount(legal)))


@kernel
def choose_pass(g: Any, r: Any, passing: int, seed: np.uint64) -> int:
    """Return the next card that a way to pass picks; the number is an index of `PASSINGS`."""
    if passing == 0:
        return pass_danger(g, r, seed)
    if passing == 1:
        return pass_high_cards(g, r, seed)
    if passing == 2:
        return pass_void_first(g, r, seed)
    return act_randomly(g, r, seed)


@kernel
def choose_play(g: Any, r: Any, playing: int, seed: np.uint64) -> int:
    """Return the card that a way to play plays; the number is an index of `PLAYINGS`."""
    if playing == 0:
        return play_by_rules(g, r, seed)
    if playing == 1:
        return play_ducking(g, r, seed)
    return act_randomly(g, r, seed)


@kernel
def decide(g: Any, r: Any, passing: int, playing: int, seed: np.uint64) -> int:
    """Return what a rule player does for the seat to act; -1 when nobody is to act."""
    if g.turn < 0:
        return NO_ACTION
    if g.phase == PASS:
        return choose_pass(g, r, passing, seed)
    if g.phase == PLAY:
        return choose_play(g, r, playing, seed)
    return choose_moon(g, r)


@kernel
def act_batch(
    games: NDArray[np.void],
    rules: NDArray[np.void],
    seeds: NDArray[np.uint64],
    passing: int,
    playing: int,
    actions: NDArray[np.int64],
) -> None:
    """Fill `actions` (B,) with what a rule player does in each of `games` (B,), views or full games."""
    for i in range(games.shape[0]):
        actions[i] = decide(games[i], rules[0], passing, playing, seeds[i])


def part_number(kind: str, parts: tuple[str, ...], name: object) -> int:
    """Return the number of a part by its name, with or without the version.

    Raises:
        PlayerError: when there is no such part; `kind` says what it was to be.

    >>> part_number("passing", PASSINGS, "high_cards")
    1
    """
    for number, part in enumerate(parts):
        if name in (part, part.partition("@")[0]):
            return number
    near = difflib.get_close_matches(str(name), parts, n=1)
    hint = f"; did you mean {near[0].partition('@')[0]!r}?" if near else ""
    raise PlayerError(f"{kind}={name!r} is not known{hint or '.'} Known: {', '.join(parts)}")
