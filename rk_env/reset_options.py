"""What `reset(options=...)` of the environments may set: the deal, in place of the one that the seed makes."""

from __future__ import annotations

from typing import Any, Final

from rk_env.engine import Engine, Episode
from rk_env.errors import DealError

OPTIONS: Final = ("hands", "dealer", "hand_number", "totals")
"""What `reset(options=...)` may set."""

_IGNORED_OPTION: Final = "options"  # pettingzoo.test.api_test sends {"options": 1} to every environment


def checked_options(options: dict[str, Any] | None) -> dict[str, Any]:
    """Return the options given, {} for None.

    Raises:
        DealError: when they are no dictionary, or have a key that is not known.
    """
    if options is not None and not isinstance(options, dict):
        raise DealError(f"options={options!r}: a dictionary is needed, with keys of {', '.join(map(repr, OPTIONS))}")
    given = {key: value for key, value in (options or {}).items() if key != _IGNORED_OPTION}
    unknown = [key for key in given if key not in OPTIONS]
    if unknown:
        raise DealError(f"options {unknown!r} are not known; allowed: {', '.join(map(repr, OPTIONS))}")
    return given


def deal_given(engine: Engine, given: dict[str, Any], episode: Episode, game: int) -> None:
    """Deal a game again with what is given in place of what its seed made.

    Args:
        engine: the games; this one has just been reset.
        given: options that have been checked.
        episode: what the environment's episode is.
        game: the index of the game.

    Raises:
        DealError: when the options make no deal.
    """
    if not given:
        return
    record = engine.games[game]
    hands = record.hands[: engine.rules.players]
    drawn = {
        "hands": hands[:, 0].copy() if engine.rules.decks == 1 else hands.copy(),
        "dealer": int(record.dealer),
        "hand_number": int(record.hand_number),
    }
    engine.deal(**drawn | given, games=[game])
    if record.playoff and episode == "hand":
        raise DealError(f"totals={given['totals']!r} have reached the target: a play-off belongs to a game")
