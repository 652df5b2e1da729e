"""Wrong calls of everything public: an error that tells what is wrong, and games as they were; or the call works.

`tests/fuzz_doors.py` lists all public calls with valid arguments, `tests/fuzzing.py` what is thrown at them. A fault is
told as the call that shows it, to be run in a fresh `Bench(rules)` by `bench.fault_of(name, call)`.
"""

from __future__ import annotations

import contextlib
import functools
import pkgutil
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from numpy.typing import NDArray

import rk_env
from rk_env import (
    GAME,
    Engine,
    GameRecordError,
    IllegalActionError,
    Phase,
    RicketyKateError,
    Rules,
    count_deals,
    determinize,
)
from rk_env.jit import JIT_DISABLED
from rk_env.render import table_text
from rk_env.state import GAME_OVER
from tests import generators
from tests.fuzz_doors import MODULES, OTHER_MODULES, TABLE, TRUSTED, public_names
from tests.fuzz_refused import REFUSED
from tests.fuzzing import CHANGING, Bench, legal
from tests.playing import assert_refuses
from tests.random_games import Chooser, course, some_settings, started

N_CALLS = 10 if JIT_DISABLED else 50
"""Calls by chance for each door and table, besides those with one thing wrong."""
N_RECORDS = 1 if JIT_DISABLED else 5
"""Records with something wrong in each field."""

BENCHES = {
    "4": Rules(moon="new"),
    "5 fined": Rules(players=5, revokes="exposed", bonus_cards=("JD",)),
    "7 cancelling": Rules(players=7, decks=2, revokes="corrected"),
}


def test_every_public_call_has_a_door() -> None:
    assert public_names() - set(TABLE) - set(TRUSTED) == set(), "give it a door in tests/fuzz_doors.py"
    assert set(TABLE) - public_names() == set(), "there is no such call"


def test_every_module_has_doors_or_a_reason_to_have_none() -> None:
    modules = {module.name for module in pkgutil.iter_modules(rk_env.__path__)}
    with_doors = {module.__name__.split(".")[1] for module in MODULES}
    assert modules - with_doors == set(OTHER_MODULES)


@functools.cache
def bench_of(name: str) -> Bench:
    """Return games of some rules, in the middle of a hand."""
    bench = Bench(BENCHES[name])
    rng = Random(name)
    for _, _ in zip(range(30), course(bench.engine, rng), strict=False):
        pass
    return bench


def told(faults: list[str]) -> str:
    """Return faults, one of each kind, the shortest calls first."""
    by_kind: dict[str, str] = {}
    for fault in sorted(faults, key=len):
        by_kind.setdefault(fault.split("\n", 1)[1].split(":")[0] + fault[-40:], fault)
    return "\n".join([f"{len(faults)} calls:", *by_kind.values()])


@pytest.mark.parametrize("name", TABLE)
def test_wrong_calls_are_refused_and_change_nothing(name: str) -> None:
    door, rng = TABLE[name], Random(name)
    faults = [bench_of("4").fault_of(name, call) for call in door.one_wrong()]
    for _ in range(N_CALLS if door.arguments else 1):
        faults += [bench_of(table).fault_of(name, door.any_call(rng.choice)) for table in BENCHES]
    assert not any(faults), told(list(filter(None, faults)))


@pytest.mark.parametrize("call", REFUSED)
def test_nothing_wrong_is_taken_for_right(call: str) -> None:
    taken = [value for value in REFUSED[call] if is_taken(call.replace("{}", value))]
    assert not taken


def is_taken(call: str) -> bool:
    """Tell whether a call goes well."""
    try:
        eval(call, Bench(Rules()).names)
    except RicketyKateError as error:
        return not str(error).strip()
    return True


# In every phase, and one call after another.


def engine_in(phase: Phase) -> Engine:
    """Return an engine one of whose games waits for something."""
    for seed in range(1000):
        rng = Random(seed)
        engine = started({"players": 4, "moon": "new", "target": 26}, rng)
        for _ in course(engine, rng):
            if (engine.phase == phase).any():
                return engine
    raise AssertionError(f"no game came to {phase.name}")


@pytest.mark.parametrize("phase", Phase)
def test_wrong_actions_in_every_phase(phase: Phase) -> None:
    engine = engine_in(phase)
    index = int(np.flatnonzero(engine.phase == phase)[0])
    game = engine.games[index : index + 1]
    accepted = np.flatnonzero(engine.action_mask()[index]).tolist() or [-1]
    for action in [*range(-3, 57), 2**31, 2**63 - 1, -(2**63)]:
        alone = Engine.from_games(game.copy(), engine.rules)
        if action in accepted:
            alone.step([action])
            assert (alone.games.tobytes() == game.tobytes()) == (action == -1)
        else:
            assert_refuses(alone, IllegalActionError, lambda action=action, alone=alone: alone.step([action]))  # type: ignore[misc]


class Wrong(RuleBasedStateMachine):
    """Good play, and between it calls of everything with anything."""

    @initialize(some=some_settings(), seed=st.integers(0, 2**32 - 1))
    def begin(self, some: Any, seed: int) -> None:
        """Begin games of any rules."""
        self.bench = Bench(generators.rules_of(some), seed)
        self.choose = Chooser(Random(seed))

    @rule(n=st.integers(1, 80))
    def play(self, n: int) -> None:
        """Play on in the engine and in the environments."""
        for _ in range(n):
            self.bench.engine.step(self.choose(self.bench.engine))
            for env in (self.bench.env, self.bench.raw):
                if env.agents:
                    env.step(None if env.terminations[env.agent_selection] else legal(env))

    @rule()
    def deal_on(self) -> None:
        """Deal the next hand, where one is over."""
        self.bench.engine.next_hand()

    @rule(name=st.sampled_from([*TABLE, *CHANGING * 4]), data=st.data())
    def call(self, name: str, data: st.DataObject) -> None:
        """Call something with anything."""
        call = TABLE[name].any_call(lambda choices: data.draw(st.sampled_from(choices)))
        fault = self.bench.fault_of(name, call)
        assert not fault, fault


class WrongForLong(Wrong):
    """The same for longer, and more often."""


Wrong.TestCase.settings = settings(max_examples=4 if JIT_DISABLED else 100, stateful_step_count=20)
WrongForLong.TestCase.settings = settings(max_examples=2000, stateful_step_count=50)
TestWrong = Wrong.TestCase
TestWrongForLong = pytest.mark.slow(WrongForLong.TestCase)


# Records made elsewhere.


@pytest.mark.parametrize("field", GAME.names or ())
def test_a_record_with_a_wrong_number_is_refused_or_plays_on(field: str) -> None:
    faults = [fault_of_record(field, Random(f"{field} {n}")) for n in range(N_RECORDS)]
    assert not any(faults), "\n".join(filter(None, faults))


@pytest.mark.slow
@pytest.mark.parametrize("field", GAME.names or ())
def test_many_records_with_a_wrong_number(field: str) -> None:
    faults = [fault_of_record(field, Random(f"many {field} {n}")) for n in range(20 * N_RECORDS)]
    assert not any(faults), "\n".join(filter(None, faults))


def fault_of_record(field: str, rng: Random) -> str:
    """Put any number into a field of a game; return what is wrong with what comes of it, or ''."""
    some = generators.random_settings(rng, decks=rng.choice([1, 2]))
    engine = started(some, rng)
    for _, _ in zip(range(rng.randrange(90)), course(engine, rng, n_hands=1), strict=False):
        pass
    games = np.repeat(engine.games[rng.randrange(3) :][:1], 3)  # the one between two others
    what = f"{made_wrong(rng, games[1:2], field)} after {games['n_plays'][0]} plays, {some}"
    before = games[[0, 2]].tobytes()
    try:
        exercise(Engine.from_games(games[1:2], engine.rules), rng)
    except GameRecordError:
        pass
    except Exception as error:
        return f"{what}: {type(error).__name__}: {error}"
    return "" if games[[0, 2]].tobytes() == before else f"{what}: changes another game"


@pytest.mark.parametrize("field", GAME.names or ())
def test_a_view_with_a_wrong_number_is_refused_or_dealt(field: str) -> None:
    """Nothing but a `GameRecordError`, and no other view is touched."""
    for n in range(N_RECORDS):
        rng = Random(f"view {field} {n}")
        some = generators.random_settings(rng, decks=rng.choice([1, 2]))
        engine = started(some, rng)
        for _, _ in zip(range(rng.randrange(90)), course(engine, rng, n_hands=1), strict=False):
            pass
        views = engine.view(rng.randrange(engine.rules.players))[:1].repeat(3)
        what = f"{made_wrong(rng, views[1:2], field)}, {some}"
        before = views.tobytes()
        with contextlib.suppress(GameRecordError):
            determinize(views, engine.rules, [1, 2, 3])
            assert all(n > 0 for n in count_deals(views, engine.rules)), what
        assert views.tobytes() == before, what


def made_wrong(rng: Random, games: NDArray[np.void], field: str) -> str:
    """Put any number somewhere into a field of a game; tell what."""
    numbers = games[field].reshape(-1)
    most = np.iinfo(numbers.dtype)
    index = rng.randrange(len(numbers))
    near = [n for n in (-1, 0, 1, 2, 3, 12, 13, 26, 52, 63, 64, 100, 104, 127) if most.min <= n]
    was = int(numbers[index])
    games[field].reshape(1, -1)[0, index] = rng.choice([*near, most.min, most.max, rng.randint(most.min, most.max)])
    return f"{field}[{index}]: {was} -> {int(games[field].reshape(-1)[index])}"


def exercise(engine: Engine, rng: Random) -> None:
    """Look at everything and play on for some actions."""
    for n in range(70):
        mask, seat = engine.action_mask(), rng.randrange(engine.rules.players)
        if n % 10 == 0:
            assert table_text(engine.games[0], engine.rules) and table_text(engine.view(seat)[0], engine.rules)
            names = ("captured_points", "hand_scores", "payoffs", "places", "win_shares", "winner")
            assert all(len(getattr(engine, name)) == len(engine.observe()) for name in names)
        if mask.any():
            engine.step([rng.choice(np.flatnonzero(mask[0]).tolist())])
        elif engine.phase[0] == GAME_OVER:
            break
        else:
            engine.next_hand()
