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

from rk_env.errors import GameRecordError, RulesError, SeatError
from rk_env.kernels import encode
from rk_env.rules import MAX_PLAYERS, MIN_PLAYERS, Rules
from rk_env.state import GAME

OBS_VERSION: Final = 1
"""Grows whenever a number in an observation moves or changes its meaning; policies name the one they were made for."""


@dataclass(frozen=True)
class Block:
    """A named part of the observation vector."""

    name: str
    shape: Callable[[int], tuple[int, ...]]
    """Its shape, of the number of seats in the layout."""
    meaning: str


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
    Block("passed_held", _per_card, "cards the observer passed that their receiver still holds"),
    Block("received", _per_card, "cards the observer received"),
    Block("pass_to", _per_seat, "who receives the observer's cards; none in a hold hand"),
    Block("pass_from", _per_seat, "whose cards the observer receives; none in a hold hand"),
    Block("pass_direction", _fixed(4), "left, right, across, none (a pass of one seat is left, of all but one right)"),
    Block("played", _per_seat_of(52), "cards each seat has played in this hand, the trick on the table included"),
    Block("play_order", _per_card, "n / 52 for the n-th card played in this hand, from 1; 0: not played"),
    Block("table", _per_card, "cards on the table"),
    Block("led_suit", _fixed(4), "suit led to the trick on the table: C D S H"),
    Block("leader", _per_seat, "who leads, or led, the trick"),
    Block("winning_seat", _per_seat, "who is winning the trick on the table"),
    Block("winning_card", _per_card, "the card that is winning it"),
    Block("table_points", _fixed(1), "penalty points on the table / 26"),
    Block("voids", _per_seat_of(4), "suits C D S H that each seat has failed to follow"),
    Block("taken", _per_seat_of(encode.N_TAKEN), "counting cards each seat has taken: hearts 2 to A, QS, JS, JD, 10D"),
    Block("points", _per_seat, "penalty points each seat has captured / 26"),
    Block("hearts_broken", _fixed(1), "1: hearts are broken"),
    Block("black_out", _fixed(1), "1: the black card has not been played"),
    Block("trick", _fixed(1), "tricks completed / tricks of the hand"),
    Block("hand_number", _fixed(1), "number of the hand in the game, at most 20, / 20"),
    Block("totals", _per_seat, "points of the game / 100"),
    Block("distance", _per_seat, "points to the target / 100"),
    Block("phase", _fixed(5), "pass, play, moon choice, hand over, game over"),
    Block("turn", _per_seat, "who is to act; none when the hand is over"),
    Block("dealer", _per_seat, "who dealt"),
    Block("in_play", _per_seat, "seats that take part in this hand"),
)


class Layout:
    """Where each block of `BLOCKS` stands in the vector of one player count.

    Seats are relative to the observer: 0 is the observer, 1 its left neighbour.

    Args:
        players: seats at the table, 3 to 6.
        uniform: use the layout of six seats, so that one network serves all player counts; absent seats stay zero.

    Attributes:
        players: seats at the table.
        seats: seats that blocks have room for.
        size: numbers in a vector, D.
        offsets: where each block begins, shape (blocks,), int64.

    >>> Layout(4).size, Layout(3, uniform=True).size == Layout(6).size
    (714, True)
    >>> Layout(4).slices["hand"]
    slice(0, 52, None)
    """

    def __init__(self, players: int, *, uniform: bool = False) -> None:
        if players not in range(MIN_PLAYERS, MAX_PLAYERS + 1):
            raise RulesError(f"players={players!r} is not allowed; allowed: {MIN_PLAYERS} to {MAX_PLAYERS}")
        self.players = players
        self.uniform = uniform
        self.seats = MAX_PLAYERS if uniform else players
        self.shapes = {block.name: block.shape(self.seats) for block in BLOCKS}
        ends = np.cumsum([np.prod(shape) for shape in self.shapes.values()], dtype=np.int64)
        self.offsets = np.concatenate([[0], ends[:-1]]).astype(np.int64)
        self.size = int(ends[-1])
        self._at = np.array([tuple(self.offsets)], encode.OFFSETS)
        self.privileged_size = self.seats * 52
        self.slices = {
            name: slice(int(start), int(end)) for name, start, end in zip(self.shapes, self.offsets, ends, strict=True)
        }

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
            rules: their rules, for this layout's player count.
            seats: observers, shape (B,), int64.
            out: a C-contiguous (B, D) float32 array to fill and return instead of a fresh one.

        Returns:
            Shape (B, D), float32.

        Raises:
            RulesError: when the rules have another player count.
            SeatError: when `seats` is no int64 array of shape (B,), or a seat is not at the table.
            GameRecordError: when the games or `out` have the wrong shape or dtype.
        """
        self._check(games, rules, seats)
        rows = self._rows(len(games), self.size, out)
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
        rows = self._rows(len(games), self.privileged_size, out)
        encode.encode_all_hands(games, rules.array, seats, rows)
        return rows

    def blocks(self, vector: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """Return the named blocks of one vector, (D,), or of many, (..., D), as views of it."""
        lead = vector.shape[:-1]
        return {name: vector[..., part].reshape(*lead, *self.shapes[name]) for name, part in self.slices.items()}

    def table(self) -> str:
        """Return the layout as a Markdown table."""
        lines = ["| index | block | shape | meaning |", "|---|---|---|---|"]
        for block in BLOCKS:
            part, shape = self.slices[block.name], self.shapes[block.name]
            index = f"{part.start}" if part.stop == part.start + 1 else f"{part.start}-{part.stop - 1}"
            lines.append(f"| {index} | `{block.name}` | {' x '.join(map(str, shape))} | {block.meaning} |")
        return "\n".join(lines)

    def _check(self, games: NDArray[np.void], rules: Rules, seats: NDArray[np.int64]) -> None:
        if rules.players != self.players:
            raise RulesError(f"rules for {rules.players} players, but the layout is for {self.players}")
        if games.dtype != GAME or games.ndim != 1:
            raise GameRecordError("games must be an array of shape (B,) and dtype rk_env.state.GAME")
        if not isinstance(seats, np.ndarray) or seats.dtype != np.int64 or seats.shape != games.shape:
            raise SeatError(f"seats must be an int64 array of shape {games.shape}, one observer a game")
        bad = encode.first_bad_seat(rules.array, seats)
        if bad >= 0:
            raise SeatError(f"game {bad}: seat {seats[bad]} is not at the table; seats are 0 to {rules.players - 1}")

    @staticmethod
    def _rows(n: int, size: int, out: NDArray[np.float32] | None) -> NDArray[np.float32]:
        if out is None:
            return np.empty((n, size), np.float32)
        if not isinstance(out, np.ndarray) or out.shape != (n, size) or out.dtype != np.float32:
            raise GameRecordError(f"out must be a float32 array of shape ({n}, {size})")
        if not (out.flags.c_contiguous and out.flags.writeable):
            raise GameRecordError("out must be C-contiguous and writeable")
        return out
