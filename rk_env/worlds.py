"""Determinization: full games that agree with what a seat knows, and how many there are.

A seat knows its hand, what it passed and received, all plays, and that they were legal: a discard shows a void, an
unbroken heart led a hand of nothing else, and so on (`rk_env.kernels.deductions`). What it does not know is where the
cards lie that it has not seen. `determinize` draws from all deals of these cards that agree with its knowledge, every
one as likely as any other; the copies of a card in two decks count as two cards. `count_deals` counts them. Neither
tries and rejects: both go by tables of how many ways there are to deal the rest (`rk_env.kernels.ways`).
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rk_env.errors import GameRecordError
from rk_env.hidden import HIDDEN
from rk_env.inputs import as_seeds, check_rules, check_views
from rk_env.kernels import worlds as kernels
from rk_env.records import check_public
from rk_env.rules import Rules


def determinize(views: NDArray[np.void], rules: Rules, seeds: ArrayLike) -> NDArray[np.void]:
    """Return full games drawn evenly from all deals that agree with each view.

    Args:
        views: what a seat sees, (B,) records of `rk_env.GAME`; of any seat and in any phase. Equal views in a row are
            read once: `views.repeat(100)` gives a hundred games each at little more than the cost of dealing.
        rules: their rules.
        seeds: randomness, (B,), one number a draw; equal views and seeds give equal games.

    Returns:
        (B,) records, new, with the cards dealt and `observer` -1, to go on with `Engine.from_games`; what others have
        passed is drawn too, and a seed for the hands to come.

    Raises:
        GameRecordError: when `views` are no records, one of them is no view but a full game, or no deal agrees with it.
        RulesError: when `rules` are none.
        SeedError: when the seeds are not one whole number of 64 bits a view.
    """
    is_new = _checked(views, rules)
    seeds = as_seeds(seeds, len(views))
    games = views.copy()
    failed = kernels.draw_worlds(games, rules.array, is_new, seeds) if len(views) else -1
    if failed >= 0:
        raise GameRecordError(_contradiction(views, failed))
    return games


def count_deals(views: NDArray[np.void], rules: Rules) -> list[int]:
    """Return how many deals agree with each view: exact numbers, one a view.

    A deal says which cards lie in which hand, the kitty, or aside (H7); the copies of a card in two decks count as two
    cards. What others have passed is not counted.

    Args:
        views: what a seat sees, (B,) records of `rk_env.GAME`.
        rules: their rules.

    Raises:
        GameRecordError: when `views` are no records, one of them is no view but a full game, or no deal agrees with it.
        RulesError: when `rules` are none.

    >>> from rk_env import Engine
    >>> engine = Engine(Rules(), 1, seed=1)
    >>> count_deals(engine.view(0), Rules())  # 39 cards for three hands of 13
    [84478098072866400]
    """
    _checked(views, rules)
    cases = np.zeros((len(views), 2), HIDDEN)
    logs = np.zeros((len(views), 2))
    kernels.open_views(views, rules.array, cases, logs)
    counts = [
        sum(_count(case) for case, log in zip(pair, pair_logs, strict=True) if log > -np.inf)
        for pair, pair_logs in zip(cases, logs, strict=True)
    ]
    for i, n in enumerate(counts):
        if n == 0:
            raise GameRecordError(_contradiction(views, i))
    return counts


def _checked(views: NDArray[np.void], rules: Rules) -> NDArray[np.bool_]:
    """Return whether each view differs from the one before it, (B,) bool, once all are known to be views."""
    check_views(views)
    check_rules(rules)
    is_new = np.ones(len(views), np.bool_)
    rows = np.ascontiguousarray(views).view(np.uint8).reshape(len(views), views.dtype.itemsize)
    is_new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    new = np.flatnonzero(is_new)
    try:
        check_public(views[new], rules)
    except GameRecordError:
        check_public(views, rules)  # again, for the view's number in the message
        raise
    return is_new


def _contradiction(views: NDArray[np.void], i: int) -> str:
    view = views[i]
    where = f"observer {view['observer']}, hand {view['hand_number']}, trick {view['trick']}"
    return f"view {i} ({where}): no deal agrees with it"


def _count(case: np.void) -> int:
    """Return the number of deals of one case of a view."""
    sizes = tuple(int(n) for n in case["kind_size"][: case["n_kinds"]])
    rows = tuple((int(case["row_size"][i]), int(case["fits"][i]), i == case["need_row"]) for i in range(case["n_rows"]))
    needed = [bool(int(case["needed_kinds"]) >> kind & 1) for kind in range(len(sizes))]

    @cache
    def ways(row: int, left: tuple[int, ...]) -> int:
        """Return in how many ways the cards left of each kind go into this row and those after it."""
        if row == len(rows):
            return 1
        size, fits, needs = rows[row]
        limits = [n if fits >> kind & 1 else 0 for kind, n in enumerate(left)]
        total = 0
        for share in _shares(tuple(limits), size):
            if not needs or any(n for n, is_needed in zip(share, needed, strict=True) if is_needed):
                here = math.prod(math.comb(n, taken) for n, taken in zip(left, share, strict=True))
                total += here * ways(row + 1, tuple(n - taken for n, taken in zip(left, share, strict=True)))
        return total

    within = math.prod(math.factorial(size) for size, _, _ in rows)
    for place, row in enumerate(case["row"]):
        if row >= 0:
            within //= math.factorial(int(case["room"][place]))
    return ways(0, sizes) * within


@cache
def _shares(limits: tuple[int, ...], total: int) -> list[tuple[int, ...]]:
    """Return all ways to take `total` cards, at most so many of each kind."""
    if not limits:
        return [()] if total == 0 else []
    return [(n, *rest) for n in range(min(limits[0], total) + 1) for rest in _shares(limits[1:], total - n)]
