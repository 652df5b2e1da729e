"""Who sits where: seats run clockwise, and in a play-off some of them sit out."""

from __future__ import annotations

from typing import Any

from rk_env.jit import kernel


@kernel
def is_in_play(g: Any, seat: int) -> bool:
    """Tell whether a seat is in this hand."""
    return (int(g.in_play) >> seat) & 1 == 1


@kernel
def left_of(g: Any, r: Any, seat: int) -> int:
    """Return the next seat clockwise that is in this hand."""
    seat = int(seat)
    while True:
        seat += 1
        if seat >= r.players:
            seat = 0
        if is_in_play(g, seat):
            return seat


@kernel
def seats_left_of(g: Any, r: Any, seat: int, n: int) -> int:
    """Return the seat n places clockwise, n at most the seats in this hand, counting only those."""
    seat = int(seat)
    players = int(r.players)  # read before the choice, which then compiles without a branch
    if g.n_in_play == players:  # nobody sits out
        seat += int(n)
        return seat - players if seat >= players else seat
    for _ in range(n):
        seat = left_of(g, r, seat)
    return seat
