"""Exhaustive play trees of small endings: the engine finds every line of play that the oracle found, and no other.

When a count is off, the test shows both counts for each first action, and follows the first difference down to the
position in which the two programs part.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import pytest

from rk_env import Engine, Rules
from rk_env.jit import JIT_DISABLED
from rk_env.state import GAME_OVER, HAND_OVER
from tests import generators, play_trees
from tests.generators import NUMBER_OF
from tests.play_trees import Position, Tally, count, text_of

POSITIONS = play_trees.read()
FEW_LINES = 2000
ACTIONS = list(NUMBER_OF)


def n_lines(position: Position) -> int:
    """Return the number of lines that the file tells of."""
    return int(position.counts.split("lines:")[1].split(",")[0])


# The engine's count.


def engine_at(position: Position, rules: Rules | None = None) -> Engine:
    """Return an engine of one game that stands in a position.

    Args:
        position: the position.
        rules: other rules than the position's, for tests of what a difference looks like.
    """
    engine = Engine(rules or generators.rules_of(position.settings), seed=1)
    totals, left_over = position.totals, position.left_over
    engine.deal(position.hands, position.dealer, position.hand_number, kitty=left_over, totals=totals)
    generators.act(engine, *position.done)
    return engine


def engine_tally(engine: Engine, depth: int | None) -> Tally:
    """Count the lines from the only game of an engine, all at once, an action deeper each time."""
    players = engine.rules.players
    tally = Tally(sums=[0] * players, firsts=[0] * players)
    games, redeals = engine.games, engine.games["redeal"][0]
    while len(games) and len(tally.by_depth) != depth:
        before = Engine.from_games(games, engine.rules)
        rows, actions = np.nonzero(before.action_mask())
        after = Engine.from_games(games[rows], engine.rules)
        after.step(actions)
        tally.by_depth.append(len(after))
        ends = (after.phase >= HAND_OVER) | (after.games["redeal"] != redeals)
        add_lines(tally, Engine.from_games(after.games[ends], engine.rules), redeals)
        games = after.games[~ends]
    add_lines(tally, Engine.from_games(games, engine.rules), redeals)
    return tally


def add_lines(tally: Tally, engine: Engine, redeals: int) -> None:
    """Add the ends of lines, a game each."""
    is_again = engine.games["redeal"] != redeals
    tally.lines += len(engine)
    tally.again += int(is_again.sum())
    scores = engine.hand_scores[~is_again]
    tally.scores |= set(map(tuple, scores.tolist()))
    tally.sums = np.add(tally.sums, scores.sum(axis=0)).tolist()
    tally.moons += int(((engine.games["shooter"] >= 0) & (engine.phase >= HAND_OVER)).sum())
    tally.over += int((engine.phase == GAME_OVER).sum())
    tally.firsts = np.add(tally.firsts, (engine.places == 1).sum(axis=0)).tolist()


# Where two counts part.


def difference(position: Position, engine: Engine) -> str:
    """Return how the engine's count differs from the oracle's, first action by first action; nothing: ''."""
    expected, found = count(position.game(), position.depth), engine_tally(engine, position.depth)
    if expected == found:
        return ""
    return "\n".join(["", text_of(dataclasses.replace(position, counts=expected.text())), *_parting(position, engine)])


def _parting(position: Position, engine: Engine) -> Iterator[str]:
    """Yield a line an action, then the same for the first action with a difference."""
    yield f"after {' '.join(position.done) or 'the deal'}:"
    expected, found = play_trees.choices(position.game()), accepted(engine)
    first: tuple[Position, Engine] | None = None
    for action in sorted({*expected, *found}, key=NUMBER_OF.__getitem__):
        if action not in expected or action not in found:
            yield f"  {action}: only the {'engine' if action in found else 'oracle'} accepts it"
            continue
        after, engine_after = position.after(action), Engine.from_games(engine.games.copy(), engine.rules)
        generators.act(engine_after, action)
        tallies = count(after.game(), after.depth), engine_tally(engine_after, after.depth)
        same = "the same" if tallies[0] == tallies[1] else "DIFFERENT"
        yield f"  {action}: lines of the oracle {tallies[0].lines}, of the engine {tallies[1].lines}, {same}"
        if tallies[0] != tallies[1] and first is None:
            first = after, engine_after
            details = [tally.text() for tally in tallies]
    if first is not None and {*expected} == {*found}:
        yield f"after {' '.join(first[0].done)} the oracle counts\n{details[0]}\nand the engine\n{details[1]}"
        yield from _parting(*first)


def accepted(engine: Engine) -> list[str]:
    """Return the actions accepted in the only game of an engine."""
    return [ACTIONS[number] for number in np.flatnonzero(engine.action_mask()[0])]


# Tests.


@pytest.mark.parametrize("position", POSITIONS, ids=[position.name for position in POSITIONS])
def test_the_engine_finds_all_lines_of_play(position: Position) -> None:
    if JIT_DISABLED and n_lines(position) > FEW_LINES // 10:
        pytest.skip("too many lines for plain Python")
    engine = engine_at(position)
    assert engine_tally(engine, position.depth).text() == position.counts, difference(position, engine)


@pytest.mark.parametrize(
    "position",
    [
        pytest.param(position, id=position.name, marks=[pytest.mark.slow] if n_lines(position) > FEW_LINES else [])
        for position in POSITIONS
    ],
)
def test_the_file_tells_what_the_oracle_counts(position: Position) -> None:
    assert count(position.game(), position.depth).text() == position.counts


def test_the_file_is_as_it_would_be_written() -> None:
    text = play_trees.FILE.read_text(encoding="utf-8")
    head = text.split("\n== ")[0].rstrip()
    assert "\n\n".join([head, *map(text_of, POSITIONS)]) + "\n" == text


def test_positions_are_many_and_of_all_tables() -> None:
    tables = {(position.settings.get("decks", 1), position.settings["players"]) for position in POSITIONS}
    assert len(POSITIONS) >= 25
    assert tables >= {(1, 3), (1, 4), (1, 5), (1, 6), (2, 6), (2, 7), (2, 8), (2, 11)}
    assert len({position.name for position in POSITIONS}) == len(POSITIONS)
    assert {len(position.game().seats) for position in POSITIONS} >= {2, 3, 4, 5, 6, 7, 8, 11}


# What a difference looks like.


def named(text: str) -> Position:
    """Return the position whose name contains a text."""
    return next(position for position in POSITIONS if text in position.name)


def test_a_wrong_set_of_actions_is_shown_by_first_action() -> None:
    position = named("E6 the leader holds only hearts and the Queen")
    wrong = engine_at(position, Rules(players=5, heart_instead_of_queen=True))
    shown = difference(position, wrong)
    assert "QS: lines of the oracle 864, of the engine 864, the same" in shown
    assert "7H: only the engine accepts it" in shown


def test_a_wrong_score_is_followed_to_its_line() -> None:
    position = named("E3 four seats")
    position = dataclasses.replace(position, done=[*position.done, *first_line(position)[:9]])
    shown = difference(position, engine_at(position, Rules(bonus_cards=("10D",))))
    assert shown.count("\nafter ") > 3 and "DIFFERENT" in shown
    assert not difference(position, engine_at(position))


def first_line(position: Position) -> list[str]:
    """Return the first line of play from a position."""
    line: list[str] = []
    while play_trees.choices(position.game()):
        line.append(play_trees.choices(position.game())[0])
        position = position.after(line[-1])
    return line
