"""The kill suite of mutation testing: some seconds of checks, always the same ones, without the compiler.

First matches of one game, on rows of the all-pairs tables. They are played once against the oracle, which is slow, and
what both agree on is written down; each mutant must come to the same again. Then the worked examples and the tests of
single rules. The first check that fails raises.
"""

from __future__ import annotations

import copy
import importlib
import inspect
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from random import Random
from typing import Any

from rk_env import Engine, Rules
from rk_env.kernels import flow
from rk_env.state import Phase
from tests import generators, oracle_match
from tests.oracle_match import Match, rows_of

Check = Callable[[], Any]

MODULES = ("uncovered", "examples", "examples_scoring", "dealing", "kernels", "view", "cancellation", "revokes")
"""The tests that join in, as far as they do without Hypothesis and without other fixtures than these."""
FIXTURES: dict[str, list[Any]] = {"players": [3, 4, 5, 6], "rules": [Rules(players=n) for n in (3, 4, 5, 6)]}
SLOW = ("test_two_deck_deals_are_complete_and_even", "test_deals_are_complete_and_even")
"""Tests left out because they compute for many seconds without the compiler."""


def checks(n_matches: int) -> list[Check]:
    """Return the checks in the order in which they are made: matches, the short ones first, then tests."""
    rows = oracle_match.table()
    matches = sorted((RecordedMatch(n, rows[n % len(rows)]) for n in range(n_matches)), key=lambda m: len(m.moves))
    return [match.play_again for match in matches] + [
        test for name in MODULES for test in single_tests(f"tests.test_{name}")
    ]


class RecordedMatch:
    """One game played against the oracle, to be played again by a changed engine.

    Args:
        number: another number is another game.
        settings: fields of the rules.
    """

    def __init__(self, number: int, settings: dict[str, Any]) -> None:
        rng = Random(f"kill:{number}")
        self.seed = rng.getrandbits(32)
        self.rules = generators.rules_of(settings)
        engine = Engine(self.rules, seed=self.seed)
        if rng.random() < 0.25:
            self.start = None
            game = oracle_match.as_dealt(engine, settings, 0)
        else:
            game = generators.random_start(rng, settings, skewed=rng.random() < 0.7, playoff_share=0.4)
            self.start = copy.deepcopy(game)
            generators.set_up(engine, game, 0)
        self.moves: list[tuple[str, int]] = []
        self.states = [state_of(engine, None)]
        match = _Watched(self, game, engine)
        match.play_hands(rng, oracle_match.random_choice(rng, settings), misdeal_chance=rng.choice([0.0, 0.01]))
        for _ in range(3):
            if not match.next_hands():
                break
            match.play_hands(rng, oracle_match.random_choice(rng, settings))

    def play_again(self) -> None:
        """Do the same again, and compare after every move."""
        engine = Engine(self.rules, seed=self.seed)
        if self.start is not None:
            generators.set_up(engine, self.start, 0)
        state = state_of(engine, None)
        assert state == self.states[0]
        for (name, action), expected in zip(self.moves, self.states[1:], strict=True):
            do(engine, name, action)
            state = state_of(engine, state)
            assert state == expected


class _Watched(Match):
    """A match of one game that writes down what is done, and where it leads once the oracle has agreed."""

    def __init__(self, recorded: RecordedMatch, game: Any, engine: Engine) -> None:
        super().__init__([game], engine)
        self.recorded = recorded
        engine.step = lambda actions: self.do("step", int(actions[0]))  # type: ignore[method-assign,assignment]
        engine.next_hand = lambda: self.do("next_hand")  # type: ignore[method-assign,assignment]
        engine.redeal = lambda games: self.do("redeal")  # type: ignore[method-assign,assignment]

    def do(self, name: str, action: int = -1) -> None:
        """Do a move and write it down; what differs from the oracle afterwards raises at the match's next check."""
        do(self.engine, name, action)
        self.recorded.moves.append((name, action))
        self.recorded.states.append(state_of(self.engine, self.recorded.states[-1]))


def do(engine: Engine, name: str, action: int) -> None:
    """Do one move in an engine of one game; steps go to the kernel itself, which is quicker."""
    if name == "step":
        flow.apply_action(engine.games[0], engine.rules.array[0], action)
    elif name == "next_hand":
        Engine.next_hand(engine)
    else:
        Engine.redeal(engine)


def state_of(engine: Engine, before: tuple[Any, ...] | None) -> tuple[Any, ...]:
    """Return what is compared: at every decision who may do what; after every trick and some picks everything else.

    Beyond what the oracle knows that is what is public of the cards, and what one seat sees.
    """
    g, r = engine.games[0], engine.rules.array[0]
    since = (int(g.phase), int(g.hand_number), int(g.redeal), int(g.trick) + int(g.n_picks) // 4, g.revokes.tobytes())
    now = (*since, int(g.turn), int(g.hearts_broken), int(flow.legal_actions(g, r)), int(flow.accepted_actions(g, r)))
    if before is not None and before[:5] == since:
        return now
    shown = (g.passed, g.voids, g.plays, g.play_seats, engine.view([int(g.trick) % engine.rules.players]))
    row = b"".join(part.tobytes() for part in (rows_of(engine), *shown))
    if g.n_plays == 0:
        return *now, row, g.hands.tobytes(), g.kitty.tobytes()
    if g.phase < Phase.HAND_OVER:
        return *now, row
    ends = [engine.winner, engine.places, engine.win_shares, engine.payoffs, g.captured, g.winners, g.took_back]
    return *now, row, *(end.tobytes() for end in ends)


def single_tests(name: str) -> Iterator[Check]:
    """Yield the tests of a module, once for each of their parameters; those that need another fixture are left out."""
    module = importlib.import_module(name)
    for function in vars(module).values():
        if is_test(function, name):
            names = inspect.signature(function).parameters
            tables = [rows_of_mark(*m.args) for m in getattr(function, "pytestmark", []) if m.name == "parametrize"]
            given = {name for rows in tables for name in rows[0]}
            tables += [[{name: v} for v in FIXTURES[name]] for name in FIXTURES if name in names and name not in given]
            for rows in product(*tables):
                arguments = {name: value for row in rows for name, value in row.items()}
                if set(names) == set(arguments):
                    yield partial(function, **arguments)


def is_test(function: Any, module: str) -> bool:
    """Tell whether something is a test of a module that takes part."""
    if not inspect.isfunction(function) or function.__module__ != module or function.__name__ in SLOW:
        return False
    return function.__name__.startswith("test_") and not hasattr(function, "hypothesis")


def rows_of_mark(names: str | tuple[str, ...], values: Any) -> list[dict[str, Any]]:
    """Return the arguments that one `parametrize` mark stands for."""
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    return [dict(zip(keys, value if len(keys) > 1 else [value], strict=True)) for value in values]
