"""Every public call of `rk_env` as a door to throw things at, and the judge of what comes back.

A call is an expression in text, so that a fault is told by one line that can be run again:
`Bench(rules).fault_of(name, call)`. Each argument is a valid expression, or something that no caller should hand in.
"""

from __future__ import annotations

import dataclasses
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rk_env import (
    GAME,
    Engine,
    Layout,
    RicketyKateError,
    Rules,
    action_text,
    cards,
    inputs,
    players,
    records,
    render,
    rewards,
    rickety_kate_v0,
    worlds,
)
from rk_env.aec import RicketyKateEnv
from rk_env.engine import spread_seed
from rk_env.rules import rules_fields

Pick = Callable[[Sequence[Any]], Any]
"""A way to choose one of several things: a generator's, or Hypothesis's."""


def listed(text: str) -> tuple[str, ...]:
    """Return the expressions that a text parts by upright lines."""
    return tuple(item.strip() for line in text.strip().splitlines() for item in line.split(" | "))


JUNK = listed("""
None | True | False | 0 | 1 | -1 | 3 | 53 | 99 | 2**31 | 2**63 - 1 | 2**63 | 2**64 - 1 | 2**64 | 10**30 | -10**30
-2**63 | 0.0 | 1.5 | nan | inf | -inf | 1j | '' | 'QS' | 'x' | '2C 3C 4C' | 'player_0' | 'hand' | b'QS' | () | []
{} | set() | [[]] | [None] | [True] | [1.5] | [nan] | ['QS'] | [1, [2]] | [[1], [2]] | [[1, 2], [3]] | [0, 1, 2]
[-1, -1, -1] | [2**63] * 3 | [2**64] * 3 | [10**30] * 3 | ['2C'] * 3 | {'a': 1} | {1: 2} | np.int8(3)
np.uint64(2**64 - 1) | np.float32(nan) | np.bool_(True) | np.str_('QS') | np.array(1) | np.array([]) | np.zeros(3)
np.zeros(3, int) | np.zeros((3, 1), int) | np.zeros((0, 3), int) | np.full(3, nan) | np.full(3, inf)
np.array([1, None, 'x'], object) | np.array([2**64] * 3, object) | np.arange(6)[::2] | read_only(np.zeros(3, int))
np.zeros(3, bool) | np.ones(4, bool) | np.zeros(3, 'U2') | np.zeros(3, 'M8[s]') | np.zeros(3, complex)
np.zeros(3, GAME) | np.zeros((2, 2), GAME) | np.full(3, 2**64 - 1, np.uint64) | np.full((3, 4), 2**63, np.uint64)
np.full(3, -2**63) | np.ma.zeros(3) | object() | int | len | range(3) | iter([1, 2, 3]) | slice(1) | ...
""")
"""Wrong types, counts, shapes and numbers; some are right for some arguments."""

INSIDE = listed("""
{'dealer': JUNK} | {'players': JUNK} | {'hands': JUNK} | {'totals': JUNK} | {'hand_number': JUNK}
[JUNK, '', '', ''] | [JUNK] | [JUNK] * 3 | (JUNK, JUNK) | np.array([JUNK] * 3, object) | Answering(JUNK)
[Answering(JUNK)]
""")
"""Junk within something that is right outside."""


@dataclasses.dataclass(frozen=True)
class Door:
    """A public call.

    Attributes:
        call: the expression of what is called, or several; with `arguments` None it is looked at and not called.
        arguments: expressions of each argument, the first of them valid, the others nearly so.
        optional: arguments that may be left out.
        fixed: arguments that only our own code gives.
        never: junk that this door is spared, since it would be right and eat the machine's memory.
    """

    call: str
    arguments: dict[str, tuple[str, ...]] | None = None
    optional: tuple[str, ...] = ()
    fixed: str = ""
    never: tuple[str, ...] = ()

    def _text(self, call: str, given: dict[str, str]) -> str:
        if self.arguments is None:
            return call
        listed = [*(f"{name}={value}" for name, value in given.items()), self.fixed]
        return f"{call}({', '.join(filter(None, listed))})"

    def one_wrong(self) -> Iterator[str]:
        """Yield calls with every junk in the place of every argument, the others valid."""
        needed = {name: valid[0] for name, valid in (self.arguments or {}).items() if name not in self.optional}
        for call in listed(self.call):
            yield self._text(call, needed)
            for name in self.arguments or ():
                yield from (self._text(call, needed | {name: junk}) for junk in JUNK if junk not in self.never)

    def any_call(self, pick: Pick) -> str:
        """Return a call whose arguments are valid, wrong, wrong inside, or left out."""
        given = {}
        for name, valid in (self.arguments or {}).items():
            ways = ["valid", "valid", "valid", "wrong", "wrong inside", *["left out"] * 2 * (name in self.optional)]
            way = pick(ways)
            if way != "left out":
                given[name] = pick(valid) if way == "valid" else self._wrong(pick, way)
        return self._text(pick(listed(self.call)), given)

    def _wrong(self, pick: Pick, way: str) -> str:
        junk: str = pick([text for text in JUNK if text not in self.never])
        return junk if way == "wrong" else str(pick(INSIDE)).replace("JUNK", junk)


# What calls are made on.


class Answering:
    """A player that answers with the same whatever it is asked."""

    name = "answering@1"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, views: Any, rules: Any, seeds: Any) -> Any:
        """Return the answer."""
        return self.answer

    def evaluate(self, views: Any, rules: Any, seeds: Any) -> Any:
        """Return the answer."""
        return self.answer


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array that cannot be written."""
    array.flags.writeable = False
    return array


def accepted(engine: Engine) -> NDArray[np.int64]:
    """Return an accepted action for each game, another one after each play."""
    mask = engine.action_mask()
    turned = np.roll(mask, 7 * int(engine.games["n_plays"].sum()), axis=1)
    found = (turned.argmax(axis=1) - 7 * int(engine.games["n_plays"].sum())) % mask.shape[1]
    return np.where(mask.any(axis=1), found, -1)


def views(engine: Engine) -> NDArray[np.void]:
    """Return what the seats to act see."""
    return engine.view(np.maximum(engine.turn, 0).astype(int))


class Bench:
    """Games, an environment in its wrappers and one without, and the names that calls use.

    Args:
        rules: the rules of all.
        seed: what deals are made from.
    """

    def __init__(self, rules: Rules, seed: int = 1) -> None:
        self.engine = Engine(rules, num_games=3, seed=seed)
        self.env = rickety_kate_v0.env(rules, "game", render_mode="ansi")
        self.raw = RicketyKateEnv(rules, "game", render_mode="ansi")
        self.factories = dict(players._FACTORIES)
        for env in (self.env, self.raw):
            env.reset(seed=seed)
        self.names = {**NAMES, "engine": self.engine, "rules": rules, "n_seats": rules.players}
        self.names |= {"env": self.env, "raw": self.raw, "random_player": players.RandomPlayer()}

    def state(self) -> tuple[Any, ...]:
        """Return all that a refused call must leave as it is."""
        environments = [_state_of(env) for env in (self.env.unwrapped, self.raw)]
        return self.engine.games.tobytes(), self.engine.rules, *environments

    def fault_of(self, name: str, call: str) -> str:
        """Make a call of the door of that name; return the call and what is wrong with how it went, or ''."""
        before = self.state()
        error = self._error_of(call)
        is_changed = self.state() != before
        players._FACTORIES.clear()
        players._FACTORIES.update(self.factories)
        if error is None:
            fault = self._fault_of_change(name) if is_changed else ""
        elif isinstance(error, RicketyKateError) or _is_answer_of_pettingzoo(error):
            fault = "" if str(error).strip() else f"{type(error).__name__} without a message"
            fault += "changed something, though it refused" if is_changed else ""
        else:
            fault = f"{type(error).__name__}: {str(error)[:200]} ({_place_of(error)})"
        self._begin_again()
        return f"{call}\n      {fault}" if fault else ""

    def _error_of(self, call: str) -> BaseException | None:
        try:
            eval(call, self.names)  # the point of this file
        except (Exception, SystemExit) as error:
            return error
        return None

    def _fault_of_change(self, name: str) -> str:
        """Return what is wrong with a call that changed games: it should not, or they are no games now."""
        if name not in CHANGING:
            return "changed what it should only read"
        for engine in (self.engine, self.env.unwrapped.engine, self.raw.engine):
            try:
                Engine.from_games(engine.games, engine.rules)
            except RicketyKateError as error:
                return f"left records that are no games: {error}"
            if (engine.action_mask().any(axis=1) != (engine.turn >= 0)).any():
                return "left a mask that does not fit the turn"
        return ""

    def _begin_again(self) -> None:
        """Begin a new episode where all agents have ended."""
        for env in (self.env, self.raw):
            if not env.agents:
                env.reset(seed=1)


def _state_of(env: Any) -> tuple[Any, ...]:
    told = (env.agents, env.agent_selection, env.rewards, env._cumulative_rewards, env.terminations, env.truncations)
    return env.engine.games.tobytes(), repr(told), repr(env.np_random.bit_generator.state)


def _is_answer_of_pettingzoo(error: BaseException) -> bool:
    """Tell whether an agent that has ended was asked to act: PettingZoo itself answers that."""
    return isinstance(error, ValueError) and str(error) == "when an agent is dead, the only valid action is None"


def _place_of(error: BaseException) -> str:
    """Return the last place in our own files that an error came through."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "rk_env" in frame.filename]
    return ", ".join(f"{frame.filename.rsplit('rk_env/')[-1]}:{frame.lineno}" for frame in frames[-1:])


def _deal_of(engine: Engine) -> Any:
    return Engine(engine.rules, seed=5).games[0]


def hands(engine: Engine) -> list[list[int]]:
    """Return the hands of a deal, as card numbers."""
    planes = _deal_of(engine).hands[: engine.rules.players]
    return [[card for plane in hand for card in cards.bitboard_cards(plane)] for hand in planes]


def planes(engine: Engine) -> NDArray[np.uint64]:
    """Return the same hands as bitboards."""
    both: NDArray[np.uint64] = _deal_of(engine).hands[: engine.rules.players].copy()
    return both if engine.rules.decks == 2 else both[:, 0].copy()


def kitty(engine: Engine) -> list[int]:
    """Return what this deal leaves over."""
    return [card for plane in _deal_of(engine).kitty for card in cards.bitboard_cards(plane)]


def legal(env: Any) -> int:
    """Return an action of the agent to act."""
    return int(env.observe(env.agent_selection)["action_mask"].argmax())


CHANGING = ("Engine.step", "Engine.reset", "Engine.next_hand", "Engine.redeal", "Engine.deal")
CHANGING += ("RicketyKateEnv.reset", "RicketyKateEnv.step")
"""Calls that may change games."""

NAMES = {
    "np": np,
    "nan": float("nan"),
    "inf": float("inf"),
    "GAME": GAME,
    "Engine": Engine,
    "Rules": Rules,
    "Layout": Layout,
    "action_text": action_text,
    "spread_seed": spread_seed,
    "rules_fields": rules_fields,
    "cards": cards,
    "inputs": inputs,
    "records": records,
    "worlds": worlds,
    "players": players,
    "render": render,
    "rewards": rewards,
    "rickety_kate_v0": rickety_kate_v0,
    "Answering": Answering,
    "read_only": read_only,
    "accepted": accepted,
    "views": views,
    "hands": hands,
    "planes": planes,
    "kitty": kitty,
    "legal": legal,
}
