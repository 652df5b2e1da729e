"""What a seat sees, as a vector of named blocks.

One table, `BLOCKS`, says which numbers stand where; spaces, encoder, documentation and tests read it. Print it with
`python -m rk_env.observation`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rk_env.arguments import check_choice, check_flag, rows_to_fill
from rk_env.errors import GameRecordError, RulesError, SeatError
from rk_env.inputs import check_rules
from rk_env.kernels import encode
from rk_env.rules import Rules
from rk_env.settings import PLAYERS_OF_DECKS
from rk_env.state import GAME

OBS_VERSION: Final = 2
"""Grows whenever a number in an observation moves or changes its meaning; policies name the one they were made for."""


@dataclass(frozen=True)
class Block:
    """A named part of the observation vector."""

    name: str
    shape: Callable[[int], tuple[int, ...]]
    """Its shape, of the number of seats in the layout."""
    meaning: str
    only_with: str = ""
    """ "decks" or "revokes": only layouts for two decks, or for revokes, have this block."""


def _per_card(seats: int) -> tuple[int, ...]:
    return (52,)


def _per_seat(seats: int) -> tuple[int, ...]:
    return (seats,)


def _per_seat_of(n: int) -> Callable[[int], tuple[int, ...]]:
    return lambda seats: (seats, n)


def _fixed(n: int) -> Callable[[int], tuple[int, ...]]:
    return lambda seats: (n,)


BLOCKS: Final = (
    Block("hand", _per_card, "cards the observer holds (picked ones until all have picked)"),
    Block("passed", _per_card, "cards the observer has picked to pass, or passed, in this hand"),
    Block("passed_held", _per_card, "cards the observer passed that their receiver has not played"),
    Block("received", _per_card, "cards the observer received"),
    Block("pass_to", _per_seat, "who receives the observer's cards; none in a hold hand"),
    Block("pass_from", _per_seat, "whose cards the observer receives; none in a hold hand"),
    Block("pass_direction", _fixed(4), "left, right, across, none (a pass of one seat is left, of all but one right)"),
    Block("played", _per_seat_of(52), "cards each seat has played in this hand, the trick on the table included"),
    Block("play_order", _per_card, "n / (52 x decks) for the n-th card played, the later of two copies; 0: not played"),
    Block("table", _per_card, "cards on the table"),
    Block("led_suit", _fixed(4), "suit led to the trick on the table: C D S H"),
    Block("leader", _per_seat, "who leads, or led, the trick"),
    Block("winning_seat", _per_seat, "who is winning the trick on the table"),
    Block("winning_card", _per_card, "the card that is winning it"),
    Block("table_points", _fixed(1), "penalty points on the table / (26 x decks)"),
    Block("voids", _per_seat_of(4), "suits C D S H that each seat has failed to follow, unless found to be a revoke"),
    Block("taken", _per_seat_of(encode.N_TAKEN), "counting cards each seat has taken: hearts 2 to A, QS, JS, JD, 10D"),
    Block("points", _per_seat, "penalty points each seat has captured / (26 x decks)"),
    Block("hearts_broken", _fixed(1), "1: hearts are broken"),
    Block("black_out", _fixed(1), "black cards that have not been played / decks"),
    Block("trick", _fixed(1), "tricks completed / tricks of the hand"),
    Block("hand_number", _fixed(1), "number of the hand in the game, at most 20, / 20"),
    Block("totals", _per_seat, "points of the game / 100"),
    Block("distance", _per_seat, "points to the target / 100"),
    Block("phase", _fixed(5), "pass, play, moon choice, hand over, game over"),
    Block("turn", _per_seat, "who is to act; none when the hand is over"),
    Block("dealer", _per_seat, "who dealt"),
    Block("in_play", _per_seat, "seats that take part in this hand"),
    Block("waiting", _per_card, "cards of cancelled tricks that wait for a winner", "decks"),
    Block("kitty", _per_card, "cards of the kitty, for who took it, until the hand is over", "decks"),
    Block("kitty_taker", _per_seat, "who took the kitty", "decks"),
    Block(
        "shown", _per_seat_of(52), "cards each seat has shown in a revoke, taken back, and not played since", "revokes"
    ),
    Block("revokes", _per_seat, "revokes of each seat found in this hand, at most 10, / 10", "revokes"),
)


class Layout:
    """Where each block of `BLOCKS` stands in the vector of one kind of table.

    Seats are relative to the observer: 0 is the observer, 1 its left neighbour. With two decks the blocks of sets of
    cards hold copies / decks: 0, 0.5 or 1. Decks are those of the rules, also in a play-off that is dealt from one.

    Args:
        players: seats at the table, 3 to 6, with two decks 6 to 11.
        decks: 1, or 2 for Cancellation.
        revokes: revokes can happen.
        uniform: use the layout of 6 seats, with two decks of 11, so that one network serves all player counts; absent
            seats stay zero.

    Attributes:
        players: seats at the table.
        decks: decks in use.
        revokes: revokes can happen.
        seats: seats that blocks have room for.
        shapes: the shape of each block that this layout has, by name.
        size: numbers in a vector, D.
        offsets: where each of its blocks begins, shape (blocks,), int64.

    Raises:
        RulesError: when no game has so many players.

    >>> Layout(4).size, Layout(3, uniform=True).size == Layout(6).size
    (714, True)
    >>> Layout(4).slices["hand"]
    slice(0, 52, None)
    """

    def __init__(self, players: int, *, decks: int = 1, revokes: bool = False, uniform: bool = False) -> None:
        check_choice("decks", decks, PLAYERS_OF_DECKS)
        check_flag("revokes", revokes)
        check_flag("uniform", uniform)
        counts = PLAYERS_OF_DECKS[decks]
        if type(players) is not int or players not in counts:
            raise RulesError(
                f"players={players!r} is not allowed with decks={decks}; allowed: {counts.start} to {counts.stop - 1}"
            )
        self.players, self.decks, self.revokes, self.uniform = players, decks, revokes, uniform
        self.seats = counts.stop - 1 if uniform else players
        has = {"": True, "decks": decks == 2, "revokes": revokes}
        self.shapes = {block.name: block.shape(self.seats) for block in BLOCKS if has[block.only_with]}
        ends = np.cumsum([np.prod(shape) for shape in self.shapes.values()], dtype=np.int64)
        self.offsets = np.concatenate([[0], ends[:-1]]).astype(np.int64)
        self.size = int(ends[-1])
        self.privileged_size = self.seats * 52
        self.slices = {
            name: slice(int(start), int(end)) for name, start, end in zip(self.shapes, self.offsets, ends, strict=True)
        }
        self._at = np.full(len(BLOCKS), -1, np.int64).view(encode.OFFSETS)  # (1,)
        for name, part in self.slices.items():
            self._at[name] = part.start

    @classmethod
    def of(cls, rules: Rules, *, uniform: bool = False) -> Layout:
        """Return the layout of a game's rules.

        Raises:
            RulesError: when `rules` are none.
        """
        check_rules(rules)
        return cls(rules.players, decks=rules.decks, revokes=rules.revokes != "prevented", uniform=uniform)

    def encode(
        self,
        games: NDArray[np.void],
        rules: Rules,
        seats: NDArray[np.int64],
        out: NDArray[np.float32] | None = None,
    ) -> NDArray[np.float32]:
        """Return what `seats` see of games, or of their own views of them.

        Args:
            games: records or views, shape (B,), dtype `GAME`.
            rules: their rules, which this layout is for.
            seats: observers, shape (B,), int64.
            out: a C-contiguous (B, D) float32 array to fill and return instead of a fresh one.

        Returns:
            Shape (B, D), float32.

        Raises:
            RulesError: when the rules have other players or decks, or revokes where the layout has none.
            SeatError: when `seats` is no int64 array of shape (B,), or a seat is not at the table.
            GameRecordError: when the games or `out` have the wrong shape or dtype.
        """
        self._check(games, rules, seats)
        rows = rows_to_fill(len(games), self.size, out)
        encode.encode_views(games, rules.array, seats, self._at, rows)
        return rows

    def encode_privileged(
        self,
        games: NDArray[np.void],
        rules: Rules,
        seats: NDArray[np.int64],
        out: NDArray[np.float32] | None = None,
    ) -> NDArray[np.float32]:
        """Return all hands, (B, seats * 52) float32, from that of `seats` on clockwise.

        For critics in training only: this is what no player may see. Arguments and errors as for `encode`; the games
        are full records.
        """
        self._check(games, rules, seats)
        rows = rows_to_fill(len(games), self.privileged_size, out)
        encode.encode_all_hands(games, rules.array, seats, rows)
        return rows

    def blocks(self, vector: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """Return the named blocks of one vector, (D,), or of many, (..., D), as views of it.

        Raises:
            GameRecordError: when `vector` is no array of such vectors.
        """
        if not isinstance(vector, np.ndarray) or vector.shape[-1:] != (self.size,):
            raise GameRecordError(f"an array of shape (..., {self.size}) is needed, not {vector!r}")
        lead = vector.shape[:-1]
        return {name: vector[..., part].reshape(*lead, *self.shapes[name]) for name, part in self.slices.items()}

    def table(self) -> str:
        """Return the layout as a Markdown table."""
        lines = ["| index | block | shape | meaning |", "|---|---|---|---|"]
        for block in BLOCKS:
            if block.name not in self.shapes:
                continue
            part, shape = self.slices[block.name], self.shapes[block.name]
            index = f"{part.start}" if part.stop == part.start + 1 else f"{part.start}-{part.stop - 1}"
            lines.append(f"| {index} | `{block.name}` | {' x '.join(map(str, shape))} | {block.meaning} |")
        return "\n".join(lines)

    def _check(self, games: NDArray[np.void], rules: Rules, seats: NDArray[np.int64]) -> None:
        check_rules(rules)
        if (rules.players, rules.decks, rules.revokes != "prevented") != (self.players, self.decks, self.revokes):
            raise RulesError(
                f"the layout is for players={self.players}, decks={self.decks}, revokes={self.revokes}; "
                f"the rules are {rules!r}"
            )
        if type(games) is not np.ndarray or games.dtype != GAME or games.ndim != 1:
            raise GameRecordError("games must be an array of shape (B,) and dtype rk_env.state.GAME")
        if not isinstance(seats, np.ndarray) or seats.dtype != np.int64 or seats.shape != games.shape:
            raise SeatError(f"seats must be an int64 array of shape {games.shape}, one observer a game")
        bad = encode.first_bad_seat(rules.array, seats)
        if bad >= 0:
            raise SeatError(f"game {bad}: seat {seats[bad]} is not at the table; seats are 0 to {rules.players - 1}")
