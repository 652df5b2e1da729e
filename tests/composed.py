"""Last tricks with one best play, and an exhaustive solver that shows it: plain Python on texts of cards.

Nothing here comes from `rk_env` or `agents`. Every deal of the unseen cards that the shown voids allow is solved, each
seat after its own payoff, the mean of the others' points less its own (max^n). Where a seat may choose between equals,
all its choices are followed up, so that the best card is best however such ties are broken.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
FILE = Path(__file__).with_name("composed.txt")

Scores = tuple[int, ...]
Hands = tuple[tuple[str, ...], ...]


class Position(NamedTuple):
    """A hand up to the decision of one seat."""

    theme: str
    deal: Hands
    """What each seat was dealt; there is no pass."""
    plays: tuple[str, ...]
    """All cards played, in order; eldest led, or with four players who holds 2C."""
    best: str

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.deal)


class Situation(NamedTuple):
    """Where a hand stands, its cards all known."""

    hands: Hands
    table: tuple[str, ...]
    leader: int
    points: Scores
    broken: bool

    @property
    def turn(self) -> int:
        """The seat to act."""
        return (self.leader + len(self.table)) % len(self.hands)


# The rules


def rank_of(card: str) -> int:
    return RANKS.index(card[:-1])


def points_of(card: str) -> int:
    return 13 if card == "QS" else int(card[-1] == "H")


def legal(s: Situation) -> list[str]:
    """The cards that may be played after trick one."""
    hand = s.hands[s.turn]
    if s.table:
        return [card for card in hand if card[-1] == s.table[0][-1]] or list(hand)
    return [card for card in hand if card[-1] != "H" or s.broken] or list(hand)


def play(s: Situation, card: str) -> Situation:
    """The situation after a card; a trick that is complete goes to whoever played the highest card of the suit led."""
    n = len(s.hands)
    hands = tuple(tuple(c for c in hand if c != card) if i == s.turn else hand for i, hand in enumerate(s.hands))
    table, broken = (*s.table, card), s.broken or card[-1] == "H"
    if len(table) < n:
        return Situation(hands, table, s.leader, s.points, broken)
    highest = max((c for c in table if c[-1] == table[0][-1]), key=rank_of)
    winner = (s.leader + table.index(highest)) % n
    worth = sum(map(points_of, table))
    points = tuple(p + worth * (seat == winner) for seat, p in enumerate(s.points))
    return Situation(hands, (), winner, points, broken)


def scores(points: Scores) -> Scores:
    """The scores of a hand that is over; who took all points shot the moon."""
    if sum(points) in points:
        return tuple(0 if p else sum(points) for p in points)
    return points


def payoff(result: Scores, seat: int) -> float:
    return (sum(result) - result[seat]) / (len(result) - 1) - result[seat]


def replay(position: Position) -> tuple[Situation, list[set[str]]]:
    """The situation of a position, and the suits in which each seat has shown a void."""
    n = position.players
    opens = next((seat for seat, hand in enumerate(position.deal) if position.plays[0] in hand), 0)
    s = Situation(position.deal, (), opens, (0,) * n, broken=False)
    voids: list[set[str]] = [set() for _ in range(n)]
    for card in position.plays:
        assert card in s.hands[s.turn]
        if s.table and card[-1] != s.table[0][-1]:
            voids[s.turn].add(s.table[0][-1])
        s = play(s, card)
    return s, voids


# The solver


@cache
def outcomes(s: Situation) -> frozenset[Scores]:
    """All scores that a hand may end with when every seat plays its best, however it chooses between equals."""
    if not any(s.hands) and not s.table:
        return frozenset([scores(s.points)])
    lines = [outcomes(play(s, card)) for card in legal(s)]
    ends = [(payoff(result, s.turn), k, result) for k, line in enumerate(lines) for result in line]
    worst = [min(payoff(result, s.turn) for result in line) for line in lines]
    return frozenset(
        result for value, k, result in ends if all(w <= value + 1e-9 for j, w in enumerate(worst) if j != k)
    )


def deals(s: Situation, voids: list[set[str]]) -> Iterator[Situation]:
    """The situation with the cards that the seat to act does not see dealt in every way that the voids allow."""
    others = [seat for seat in range(len(s.hands)) if seat != s.turn]
    unseen = tuple(card for seat in others for card in s.hands[seat])

    def share(seats: list[int], cards: tuple[str, ...]) -> Iterator[dict[int, tuple[str, ...]]]:
        if not seats:
            yield {}
            return
        fits = [card for card in cards if card[-1] not in voids[seats[0]]]
        for hand in itertools.combinations(fits, len(s.hands[seats[0]])):
            for rest in share(seats[1:], tuple(card for card in cards if card not in hand)):
                yield {seats[0]: hand, **rest}

    for given in share(others, unseen):
        yield s._replace(hands=tuple(given.get(seat, hand) for seat, hand in enumerate(s.hands)))


def margin(s: Situation, card: str) -> float:
    """By how much a card is better than the next best, whatever ties others break, all cards known."""
    ends = {c: [payoff(result, s.turn) for result in outcomes(play(s, c))] for c in legal(s)}
    return min(ends[card]) - max(max(values) for c, values in ends.items() if c != card)


def margin_everywhere(position: Position, card: str, most: int | None = None) -> float:
    """By how much a card is better in the deal where it is least so; of `most` deals at most, if given."""
    s, voids = replay(position)
    outcomes.cache_clear()
    return min(margin(world, card) for world in itertools.islice(deals(s, voids), most))


# The file


def read(path: Path = FILE) -> list[Position]:
    """The positions of the file."""
    found = []
    for block in path.read_text().split("\n\n"):
        lines = dict(line.split(":", 1) for line in block.strip().splitlines() if line[0] != "#")
        if lines:
            deal = tuple(tuple(hand.split()) for hand in lines["deal"].split("|"))
            plays = tuple(lines["plays"].replace("|", " ").split())
            found.append(Position(lines["theme"].strip(), deal, plays, lines["best"].strip()))
    return found


def write(position: Position) -> str:
    """A position as text: the deal, the tricks, what is left, and the best card."""
    s, _ = replay(position)
    n, plays = position.players, position.plays
    tricks = [" ".join(plays[i : i + n]) for i in range(0, len(plays), n)]
    left = [("*" if seat == s.turn else "") + " ".join(hand) for seat, hand in enumerate(s.hands)]
    return "\n".join(
        [
            f"theme: {position.theme}",
            f"deal: {' | '.join(' '.join(hand) for hand in position.deal)}",
            f"plays: {' | '.join(tricks)}",
            f"left: {' | '.join(left)}; points {' '.join(map(str, s.points))}; on the table {' '.join(s.table) or '-'}",
            f"best: {position.best}",
        ]
    )
