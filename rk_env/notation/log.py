"""What a transcript holds, as plain frozen data: cards are indices, seats run clockwise from 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from rk_env.cards import NO_CARD
from rk_env.rules import Rules
from rk_env.state import NO_SEAT

Cards = tuple[int, ...]
Numbers = tuple[int, ...]
"""One number for each seat at the table."""
Void = Literal["", "misdeal", "replay"]


@dataclass(frozen=True)
class Play:
    """One seat's turn in a trick."""

    card: int
    """The card played; -1 after a card was taken back and while another is awaited."""
    took_back: int = NO_CARD
    """The card shown and taken back before it (G2); -1: none."""
    found: int = 0
    """Revokes that the card gives away (G3)."""


@dataclass(frozen=True)
class Trick:
    """The plays of a trick, the leader's first."""

    leader: int
    plays: tuple[Play, ...]
    winner: int | None = None
    """Who takes it; -1: nobody, the trick is cancelled (X6); None: it is not complete."""


@dataclass(frozen=True, kw_only=True)
class HandLog:
    """One deal and what became of it; a hand that is dealt again is a `HandLog` of its own."""

    number: int
    dealer: int
    seats: tuple[int, ...]
    """The seats in play, ascending: all, but in play-offs (H4)."""
    pass_seats: int
    """Seats to the left that cards are passed; 0: no pass (C2)."""
    hands: tuple[Cards, ...]
    """The cards dealt to each seat at the table, lowest first; none to seats that sit out."""
    kitty: Cards = ()
    """What the deal leaves over (X2, H7), lowest first."""
    redeal: int = 0
    """Times this hand had been dealt before (B6, G4)."""
    playoff: int = 0
    """1 for the first hand of a play-off; 0 in the main game."""
    cut: int | None = None
    """How the game's seed deals the cards: 0: with its own cut; k: cut at k (B4); None: not at all, or not known."""
    revokes_before: Numbers = ()
    """Revokes found in earlier deals of this hand, whose fines stay (G4); () when there are none."""
    passes: tuple[Cards, ...] = ()
    """The cards each seat passes, eldest first; the last seat's may be fewer than three while they are picked."""
    tricks: tuple[Trick, ...] = ()
    shooter: int = NO_SEAT
    """Who shot the moon."""
    subtracts: bool | None = None
    """The shooter's choice under the new moon (F6); None: not asked, or not yet made."""
    void: Void = ""
    """Why the hand was dealt again: a "misdeal" was declared (B6), or it is "replay"ed after a revoke (G3)."""
    revokes: Numbers = ()
    """Revokes found in all deals of this hand, once it is over or void; () when there are none."""
    scores: Numbers = ()
    """The hand's scores, once it is over."""
    totals: Numbers = ()
    """The game's totals with this hand, once it is over."""

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in play clockwise from eldest: the order in which they pick cards to pass."""
        return tuple(sorted(self.seats, key=lambda seat: (seat <= self.dealer, seat)))

    def receiver(self, seat: int) -> int:
        """Return who gets what a seat passes."""
        return self.seats[(self.seats.index(seat) + self.pass_seats) % len(self.seats)]


@dataclass(frozen=True, kw_only=True)
class GameLog:
    """A game, from some hand on, or a single hand: the hands one after another and what they began with."""

    rules: Rules
    totals: Numbers
    """Points before the first hand here."""
    hands: tuple[HandLog, ...]
    seed: int | None = None
    """The game's own seed; None: unknown."""
    first_hand: int = 1
    """The number of the hand with which the game began: not 1 in episodes of one hand."""
    places_before: Numbers = ()
    """Places before the first hand here where totals do not tell: when it is a second or later play-off hand."""
    places: Numbers = ()
    """Places once the game is over, 1 for the first, equals share theirs (H6)."""
    lines: tuple[int, ...] = field(default=(), compare=False, repr=False)
    """Of a log that was parsed: where its lines stood in the text, those with nothing but comments left out."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in first place once the game is over."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


def places_by_total(totals: Sequence[int]) -> Numbers:
    """Return the places that totals give, 1 for the lowest; equals share theirs (H2).

    >>> places_by_total([100, 112, 60, 60])
    (3, 4, 1, 1)
    """
    return tuple(1 + sum(other < total for other in totals) for total in totals)
