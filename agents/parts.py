"""The parts that rule players are put together from: ways to pass and ways to play, by name and by number.

A part is a compiled function over one record, `(g, r, seed) -> action`, that reads only what a view keeps: search can
call `decide` on full games and gets what the player would do. Another behaviour is another version of the part. Styles
and terms switched off are data of one part (`agents.manner`).
"""

from __future__ import annotations

import difflib
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.ducker import pass_high_cards, play_ducking
from agents.manner import errs, manner_of, part_of, terms_off
from agents.moon_choice import choose_moon
from agents.pass_heuristics import pass_guard_aware, pass_high_hearts, pass_high_spades, pass_moon_aware
from agents.pass_sequential import pass_sequential
from agents.rule_pass import pass_danger, pass_void_first
from agents.rule_play import play_by_rules
from rk_env.errors import PlayerError
from rk_env.jit import kernel, routine
from rk_env.kernels.bits import nth, popcount
from rk_env.kernels.chance import below, mix
from rk_env.kernels.flow import legal_actions
from rk_env.state import NO_ACTION, PASS, PLAY

PASSINGS: Final = (
    "danger@1",
    "high_cards@1",
    "void_first@1",
    "random@1",
    "high_spades@1",
    "high_hearts@1",
    "guard_aware@1",
    "moon_aware@1",
    "sequential@1",
)
"""Ways to pass, by number. Numbers stay."""
PLAYINGS: Final = ("careful@1", "duck@1", "random@1", "moon_hunter@1", "moon_stopper@1", "spade_bleeder@1")
"""Ways to play, by number. Numbers stay."""
RANDOM_PASS: Final = PASSINGS.index("random@1")
DUCK: Final = PLAYINGS.index("duck@1")
RANDOM_PLAY: Final = PLAYINGS.index("random@1")
FIRST_STYLE: Final = PLAYINGS.index("moon_hunter@1")

_BOTH: Final = ("voids", "keep_low")
_PLAY: Final = (*_BOTH, "count_spades", "throw_spades", "flush_spades", "lead_low", "stop_moon", "try_moon")
TERMS_OF_PASSING: Final = {"danger@1": (*_BOTH, "pass_spades", "pass_hearts", "keep_moon")}
TERMS_OF_PLAYING: Final = dict.fromkeys((PLAYINGS[0], *PLAYINGS[FIRST_STYLE:]), _PLAY)
"""The terms (`agents.manner.TERMS`) that a part has, of those that have any."""


@kernel
def act_randomly(g: Any, r: Any, seed: np.uint64) -> int:
    """Do any legal action, each with the same probability."""
    legal = legal_actions(g, r)
    return nth(legal, below(mix(seed), popcount(legal)))


@kernel
def choose_pass(g: Any, r: Any, passing: int, seed: np.uint64) -> int:
    """Return the next card that a way to pass picks; its code begins with an index of `PASSINGS`."""
    part = RANDOM_PASS if errs(passing, seed) else part_of(passing)
    if part == 0:
        return pass_danger(g, r, terms_off(passing))
    if part == 1:
        return pass_high_cards(g, r, seed)
    if part == 2:
        return pass_void_first(g, r, seed)
    if part == RANDOM_PASS:
        return act_randomly(g, r, seed)
    return choose_heuristic(g, r, part, seed)


@kernel
def choose_heuristic(g: Any, r: Any, part: int, seed: np.uint64) -> int:
    """Return the next card that one of the known heuristics picks."""
    if part == 4:
        return pass_high_spades(g, r, seed)
    if part == 5:
        return pass_high_hearts(g, r, seed)
    if part == 6:
        return pass_guard_aware(g, r, seed)
    if part == 7:
        return pass_moon_aware(g, r, seed)
    return pass_sequential(g, r, seed)


@kernel
def choose_play(g: Any, r: Any, playing: int, seed: np.uint64) -> int:
    """Return the card that a way to play plays; its code begins with an index of `PLAYINGS`."""
    part = RANDOM_PLAY if errs(playing, seed) else part_of(playing)
    if part == DUCK:
        return play_ducking(g, r, seed)
    if part == RANDOM_PLAY:
        return act_randomly(g, r, seed)
    return play_by_rules(g, r, manner_of(playing, max(0, part - FIRST_STYLE + 1)))


@routine
def decide(g: Any, r: Any, passing: int, playing: int, seed: np.uint64) -> int:
    """Return what a rule player does for the seat to act; -1 when nobody is to act.

    Args:
        g: the game, or a view of the seat to act.
        r: the rules.
        passing: number of a way to pass, or a code that changes it (`agents.manner.part_code`).
        playing: number of a way to play, or such a code.
        seed: randomness for this decision.
    """
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


def part_name(kind: str, parts: tuple[str, ...], name: object) -> str:
    """Return the name of a part with its version.

    Raises:
        PlayerError: as `part_number`.
    """
    return parts[part_number(kind, parts, name)]


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
