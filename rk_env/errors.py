"""Errors for the caller's mistakes; each message says what was given, what was allowed, and where."""

from __future__ import annotations


class RicketyKateError(ValueError):
    """Base of every error that bad input can cause."""


class CardError(RicketyKateError):
    """Text or a number that names no card, or a card given twice."""


class RulesError(RicketyKateError):
    """Fields of `Rules` that make no game."""


class RenderModeError(RulesError, TypeError):
    """A render mode that there is not; a `TypeError` too, on which SB3's `make_vec_env` goes on without rendering."""


class SeatError(RicketyKateError):
    """A seat that is not at the table."""


class SeedError(RicketyKateError):
    """A seed that is not a whole number of 64 bits, or the wrong number of seeds."""


class DealError(RicketyKateError):
    """A given deal that cannot be: a foreign card, a card dealt twice, a bad dealer, hand number or total."""


class MisdealError(DealError):
    """A given deal with wrong counts: the rule book's misdeal (B6)."""


class GameRecordError(RicketyKateError):
    """Records handed in from elsewhere that are no games of these rules."""


class IllegalActionError(RicketyKateError):
    """Actions of the wrong shape or type, out of range, or not legal; nothing was changed.

    Attributes:
        game: index of the first offending game, or -1 when the array itself is wrong.
        seat: seat to act there, or -1.
        action: the action given, or None when the array itself is wrong.
    """

    def __init__(self, message: str, game: int = -1, seat: int = -1, action: int | None = None) -> None:
        super().__init__(message)
        self.game = game
        self.seat = seat
        self.action = action


class PlayerError(RicketyKateError):
    """An agent that cannot be found, or that answered with something that is no legal action."""


class PolicyFileError(RicketyKateError):
    """A policy file or checkpoint that is missing, damaged, or made for other rules or observations."""


class NotationError(RicketyKateError):
    """A transcript that cannot be read, or that does not hold when it is replayed.

    Attributes:
        line: number of the offending line, from 1; the one behind the last when the text ends too early.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line
