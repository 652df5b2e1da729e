"""Play trees of small endings: the positions of `play_trees.txt`, and the oracle's slow count of their lines of play.

A line is a way to play on from a position, to the end of the hand or to a depth; two copies of a card are one action.
Nothing of `rk_env` is used here: what the counts are is for the oracle to say, and for the engine to find too.

`python -m tests.play_trees --write` counts anew and writes the file: hands, rules and what was done stay as they are.
"""

from __future__ import annotations

import argparse
import ast
import copy
import dataclasses
import os
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests import oracle
from tests.oracle import OracleGame, suit

FILE = Path(__file__).with_name("play_trees.txt")
ENDS = (oracle.HAND_OVER, oracle.GAME_OVER, oracle.DEAL_AGAIN)
ORDER = {card: n for n, card in enumerate([rank + s for s in oracle.SUITS for rank in oracle.RANKS])}


@dataclasses.dataclass
class Tally:
    """What there is at the ends of the lines from a position.

    Attributes:
        by_depth: lines after one action, after two, and so on.
        lines: all lines, to their ends.
        moons: lines in which a seat shot the moon.
        again: lines that end because the hand is dealt again (G4).
        over: lines that end the game.
        scores: the scores of the hand, each once.
        sums: each seat's scores of all lines together.
        firsts: lines that end the game with a seat in first place.
    """

    by_depth: list[int] = dataclasses.field(default_factory=list)
    lines: int = 0
    moons: int = 0
    again: int = 0
    over: int = 0
    scores: set[tuple[int, ...]] = dataclasses.field(default_factory=set)
    sums: list[int] = dataclasses.field(default_factory=list)
    firsts: list[int] = dataclasses.field(default_factory=list)

    def text(self) -> str:
        """Return the counts as the file has them."""
        lines = [
            f"by depth: {' '.join(map(str, self.by_depth))}",
            f"lines:    {self.lines}, with a moon {self.moons}, dealt again {self.again}, game over {self.over}",
            f"scores:   {len(self.scores)} different, sums {' '.join(map(str, self.sums))}",
        ]
        if self.over:
            lines.append(f"first:    {' '.join(map(str, self.firsts))}")
        return "\n".join(lines)


@dataclasses.dataclass
class Position:
    """Where a tree begins: a deal, and what has been done since.

    Attributes:
        name: what the position is about, with numbers of rules.
        settings: fields of the rules.
        hand_number: the hand's number.
        dealer: who dealt.
        totals: points before this hand.
        hands: the cards dealt to each seat.
        left_over: the cards that the deal leaves over.
        done: actions since.
        depth: actions that lines go on for; None is to the end of the hand.
        counts: the counts, as text.
    """

    name: str
    settings: dict[str, Any]
    hand_number: int
    dealer: int
    totals: list[int]
    hands: list[list[str]]
    left_over: list[str]
    done: list[str]
    depth: int | None
    counts: str = ""

    def game(self) -> OracleGame:
        """Return the oracle's game in this position."""
        deal = [list(hand) for hand in self.hands]
        game = OracleGame(self.settings, deal, self.dealer, self.hand_number, self.totals, self.left_over)
        for action in self.done:
            game.apply(action)
        return game

    def after(self, action: str) -> Position:
        """Return the position after one more action."""
        depth = None if self.depth is None else self.depth - 1
        return dataclasses.replace(self, done=[*self.done, action], depth=depth)


# Counting


def count(game: OracleGame, depth: int | None) -> Tally:
    """Count the lines from a position of the oracle, one after another."""
    tally = Tally(sums=[0] * game.players, firsts=[0] * game.players)
    _count(game, depth, 0, tally)
    return tally


def _count(game: OracleGame, depth: int | None, done: int, tally: Tally) -> None:
    if done > len(tally.by_depth):
        tally.by_depth.append(0)
    if done:
        tally.by_depth[done - 1] += 1
    if game.phase() in ENDS or done == depth:
        add_line(game, tally)
        return
    for action in choices(game):
        after = copied(game)
        after.apply(action)
        _count(after, depth, done + 1, tally)


def choices(game: OracleGame) -> list[str]:
    """Return what the seat to act can do, each card once."""
    return list(dict.fromkeys(game.accepted()))


def copied(game: OracleGame) -> OracleGame:
    """Return a copy of a game; its settings are shared."""
    other = copy.copy(game)
    for name, value in vars(game).items():
        if isinstance(value, list):
            setattr(other, name, [list(item) if isinstance(item, list) else item for item in value])
    return other


def add_line(game: OracleGame, tally: Tally) -> None:
    """Add the end of a line."""
    tally.lines += 1
    if game.phase() == oracle.DEAL_AGAIN:
        tally.again += 1
        return
    scores = game.hand_scores()
    tally.scores.add(tuple(scores))
    tally.sums = sums_of(tally.sums, scores)
    if game.scores is None:
        return
    tally.moons += game.shooter() is not None
    tally.over += game.phase() == oracle.GAME_OVER
    tally.firsts = sums_of(tally.firsts, [int(seat in game.winners()) for seat in range(game.players)])


def sums_of(*columns: Sequence[int]) -> list[int]:
    """Return the sums, seat by seat."""
    return [sum(values) for values in zip(*columns, strict=True)]


# The file


def read() -> list[Position]:
    """Return the positions of the file.

    Raises:
        ValueError: when it is not written as `text_of` writes it.
    """
    _, *blocks = FILE.read_text(encoding="utf-8").split("\n== ")
    return [parsed(block) for block in blocks]


def parsed(block: str) -> Position:
    """Return the position that a block of the file tells."""
    name, *lines = block.strip().replace("\n          ", " ").splitlines()  # a long line goes on in the next
    lines = [line for line in lines if not line.startswith("#")]
    fields = dict(_field(line) for line in lines)
    players = len([key for key in fields if key.startswith("seat ")])
    number, dealer, totals = fields["deal"].split(", ")
    depth = fields["depth"]
    counts = "\n".join(line for line in lines if line.split(":")[0] in ("by depth", "lines", "scores", "first"))
    return Position(
        name=name,
        settings=settings_of(fields["rules"]),
        hand_number=int(number.removeprefix("hand ")),
        dealer=int(dealer.removeprefix("dealer ")),
        totals=[int(total) for total in totals.removeprefix("totals ").split()],
        hands=[fields[f"seat {seat}"].split() for seat in range(players)],
        left_over=fields["left over"].split(),
        done=fields["done"].replace("/", "").split(),
        depth=None if depth == "to the end" else int(depth),
        counts=counts,
    )


def _field(line: str) -> tuple[str, str]:
    key, colon, value = line.partition(":")
    if not colon:
        raise ValueError(f"{FILE.name}: {line!r} is no field")
    return key, value.strip()


def settings_of(text: str) -> dict[str, Any]:
    """Return settings written as keyword arguments."""
    call = ast.parse(f"dict({text})", mode="eval").body
    assert isinstance(call, ast.Call)
    return {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}


def text_of(position: Position) -> str:
    """Return a position as the file has it: what is given, what it looks like, and the counts."""
    totals = " ".join(map(str, position.totals))
    hands = [f"seat {seat}:   {' '.join(sorted_cards(hand))}".rstrip() for seat, hand in enumerate(position.hands)]
    lines = [
        f"== {position.name}",
        f"rules:    {', '.join(f'{name}={value!r}' for name, value in position.settings.items())}",
        f"deal:     hand {position.hand_number}, dealer {position.dealer}, totals {totals}",
        *hands,
        f"left over: {' '.join(sorted_cards(position.left_over))}".rstrip(),
        f"done:     {done_text(position)}".rstrip(),
        *(f"# {line}" for line in look(position.game())),
        f"depth:    {'to the end' if position.depth is None else position.depth}",
        position.counts,
    ]
    return "\n".join(lines)


def done_text(position: Position) -> str:
    """Return what was done, the pass and the tricks apart, on lines of a page's width."""
    game = dataclasses.replace(position, done=[]).game()
    parts: list[list[str]] = [[]]
    for action in position.done:
        parts[-1].append(action)
        before = len(game.tricks), game.phase()
        game.apply(action)
        if (len(game.tricks), game.phase()) != before:
            parts.append([])
    text = " / ".join(" ".join(part) for part in parts if part)
    return "\n          ".join(textwrap.wrap(text, 105))


def look(game: OracleGame) -> Iterator[str]:
    """Yield lines that show a position."""
    seats = "" if len(game.seats) == game.players else f"; play-off of {' '.join(map(str, game.seats))}"
    hearts = "broken" if game.hearts_broken else "unbroken"
    table = f"; on the table {' '.join(game.table)}" if game.table else ""
    waiting = f"; {len(game.waiting)} cards wait" if game.waiting else ""
    what = f"trick {len(game.tricks) + 1}, hearts {hearts}" if game.phase() != oracle.PASS else "passing"
    yield f"seat {game.to_act()} to act, {what}{table}{waiting}{seats}"
    for seat in game.seats:
        captured = oracle.total_points(game.settings, game.captured(seat))
        fined = f", revoked {game.revokes[seat]}" if game.revokes[seat] else ""
        yield f"seat {seat}: {' '.join(sorted_cards(game.hands[seat])) or 'no cards'}; took {captured}{fined}"


def sorted_cards(cards: Sequence[str]) -> list[str]:
    """Return cards suit by suit, lowest first."""
    return sorted(cards, key=lambda card: (oracle.SUITS.index(suit(card)), oracle.height(card)))


def write() -> None:
    """Count all lines anew and write the file."""
    head = FILE.read_text(encoding="utf-8").split("\n== ")[0].rstrip()
    positions = [
        dataclasses.replace(position, counts=count(position.game(), position.depth).text()) for position in read()
    ]
    temporary = FILE.with_suffix(".new")
    temporary.write_text("\n\n".join([head, *map(text_of, positions)]) + "\n", encoding="utf-8")
    os.replace(temporary, FILE)


def main() -> None:
    """Write the file, if asked to."""
    parser = argparse.ArgumentParser(prog="python -m tests.play_trees", description="Count the play trees anew.")
    parser.add_argument("--write", action="store_true", required=True, help="write tests/play_trees.txt")
    parser.parse_args()
    write()


if __name__ == "__main__":
    main()
