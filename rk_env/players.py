"""Players: the protocol, the built-in `random`, the register of names, and seats taken by several players.

A player is handed views, never games: records in which everything its seat may not know is blank. It is asked for many
decisions at once and keeps nothing between calls.
"""

from __future__ import annotations

import ast
import difflib
import functools
import hashlib
import importlib
import traceback
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rk_env.arguments import as_array
from rk_env.engine import Engine, action_text
from rk_env.errors import PlayerError, RicketyKateError, SeedError
from rk_env.inputs import as_index, as_seeds, check_rules, check_views
from rk_env.kernels import batch
from rk_env.rules import Rules
from rk_env.state import N_ACTIONS, NO_ACTION

Evaluation = tuple[NDArray[np.float64], NDArray[np.float64] | None]
ENTRY_POINTS: Final = "rk_env.players"


@runtime_checkable
class Player(Protocol):
    """What every agent offers.

    Attributes:
        name: name and version, such as "rule_based@1"; another behaviour is another version.
    """

    name: str

    def act(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return a legal action for each view, (B,) int64.

        Args:
            views: what the seat to act sees, (B,) records whose `observer` is their `turn`.
            rules: the rules of all views.
            seeds: randomness, (B,), one number a decision; equal views and seeds get equal actions.
        """
        ...

    def evaluate(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> Evaluation:
        """Return what the player thinks: probabilities (B, 54), and values (B, 54) in payoff points, or None."""
        ...


def legal_mask(views: NDArray[np.void], rules: Rules) -> NDArray[np.int8]:
    """Return the mask of legal actions for each view, (B, 54) int8: plays by the book, no revokes.

    Raises:
        GameRecordError: when `views` are no records.
        RulesError: when `rules` are none.
    """
    check_views(views)
    check_rules(rules)
    masks = np.empty((len(views), N_ACTIONS), np.int8)
    batch.fill_masks(views, rules.array, masks, False)
    return masks


class RandomPlayer:
    """Plays each legal action with the same probability."""

    name = "random@1"

    def act(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return a legal action for each view, evenly drawn."""
        legal = np.empty(len(views), np.uint64)
        actions = np.empty(len(views), np.int64)
        batch.fill_legal(views, rules.array, legal)
        batch.random_actions(legal, as_seeds(seeds, len(views)).copy(), actions)
        return actions

    def evaluate(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> Evaluation:
        """Return equal probabilities of the legal actions, and no values."""
        masks = legal_mask(views, rules)
        return masks / np.maximum(masks.sum(axis=1, keepdims=True), 1), None


_FACTORIES: dict[str, Callable[..., Player]] = {"random": RandomPlayer}


def register(name: str, factory: Callable[..., Player]) -> None:
    """Make `factory` known by a name; its keyword arguments become the options of spec strings.

    A factory with an attribute `from_text` reads them itself: it is called with all that stands behind the colon, and
    `make`'s options.

    Raises:
        PlayerError: when the name holds a colon, comma or space, or stands for another factory already, or `factory`
            cannot be called.
    """
    if not isinstance(name, str) or not name or any(mark in name for mark in ":, "):
        raise PlayerError(f"{name!r} cannot name a player: a text without colon, comma or space is needed")
    if not callable(factory):
        raise PlayerError(f"{factory!r} makes no player: a class or function is needed")
    if _FACTORIES.get(name, factory) is not factory:
        raise PlayerError(f"{name!r} is registered already")
    _FACTORIES[name] = factory


def names() -> list[str]:
    """Return the registered names, those of installed distributions (entry points "rk_env.players") included."""
    return sorted(set(_FACTORIES) | {point.name for point in entry_points(group=ENTRY_POINTS)})


def make(spec: str | Player, **options: Any) -> Player:
    """Return a player from a spec: a name, "name:option=value,...", "module:attribute", or a player itself.

    Raises:
        PlayerError: when nothing of that name is found, or the options do not fit.

    >>> make("random").name
    'random@1'
    """
    if not isinstance(spec, str):
        if isinstance(spec, Player) and not isinstance(spec, type):
            return spec
        hint = f"; give an object of the class, {spec.__name__}()" if isinstance(spec, type) else ""
        raise PlayerError(f"{spec!r} is no player: it needs `name`, `act` and `evaluate`{hint}")
    head, _, tail = spec.partition(":")
    factory = _FACTORIES.get(head) or _installed(head)
    if factory is not None:
        reader = getattr(factory, "from_text", None)
        if tail and reader is not None:
            return _build(spec, functools.partial(reader, tail), options)
        return _build(spec, factory, _parse_options(spec, tail) | options)
    if tail and "=" not in tail:
        return _build(spec, _import_attribute(spec, head, tail), options)
    raise PlayerError(
        f"no player is called {head!r}{_near(head) or '.'} Known: {', '.join(names())}; or give 'module:attribute'"
    )


def _near(name: str) -> str:
    """Return the question whether a registered name was meant; "" when none is like it."""
    near = difflib.get_close_matches(name, names(), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _installed(name: str) -> Callable[..., Player] | None:
    for point in entry_points(group=ENTRY_POINTS, name=name):
        try:
            factory: Callable[..., Player] = point.load()
        except Exception as error:  # what the modules of others raise
            raise PlayerError(f"{name!r}: {type(error).__name__}: {error}") from error
        return factory
    return None


def _import_attribute(spec: str, module: str, attribute: str) -> Callable[..., Player] | Player:
    try:
        found: Callable[..., Player] | Player = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise PlayerError(f"{spec!r}: {error}{_near(module)}") from error
    except Exception as error:  # what the module itself raises
        raise PlayerError(f"{spec!r}: {type(error).__name__}: {error}") from error
    return found


def _build(spec: str, factory: Callable[..., Player] | Player, options: dict[str, Any]) -> Player:
    try:
        player = factory(**options) if isinstance(factory, type) or not isinstance(factory, Player) else factory
    except RicketyKateError:
        raise
    except TypeError as error:
        raise PlayerError(f"{spec!r}: {error}") from error
    except Exception as error:  # what the factory itself raises
        raise PlayerError(f"{spec!r}: {type(error).__name__}: {error}") from error
    if not isinstance(player, Player):
        raise PlayerError(f"{spec!r} made {player!r}, which is no player: it needs `name`, `act` and `evaluate`")
    return player


def _parse_options(spec: str, text: str) -> dict[str, Any]:
    options = {}
    for item in filter(None, text.split(",")):
        key, equals, value = item.partition("=")
        if not equals or not key.strip().isidentifier():
            raise PlayerError(f"{spec!r}: {item!r} is no option; write name=value")
        try:
            options[key.strip()] = ast.literal_eval(value.strip())
        except (ValueError, SyntaxError):
            options[key.strip()] = value.strip()
    return options


def decision_seeds(seed: int, ids: NDArray[np.int64], games: NDArray[np.void]) -> NDArray[np.uint64]:
    """Return a seed for the next decision of each game, (B,) uint64.

    It depends on `seed`, the game's id and the decision's number in the game alone: not on the deal, nor on how games
    are batched. `seed` passes through a one-way function first, so that a player cannot go back from its own seeds to
    a seed that deals were made from.

    Args:
        seed: one number for the players of a match.
        ids: what tells the games of a match apart, (B,).
        games: the games, (B,).

    Raises:
        SeedError: when `seed` is no whole number of 64 bits, or the ids are not one whole number a game.
        GameRecordError: when `games` are no records.
    """
    check_views(games)
    ids = as_array("ids", ids, SeedError)
    if ids.shape != games.shape or ids.dtype.kind not in "iu":
        raise SeedError(f"ids are {ids.dtype} of shape {ids.shape}; whole numbers of shape {games.shape} are needed")
    digest = hashlib.blake2b(as_seeds([seed]).tobytes(), digest_size=8, person=b"players").digest()
    seeds = np.empty(len(games), np.uint64)
    batch.decision_seeds(games, np.frombuffer(digest, "<u8")[0], ids.astype(np.int64), seeds)
    return seeds


def choose(
    engine: Engine,
    players: Sequence[Player],
    lineup: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    groups: NDArray[np.int64] | None = None,
    games: ArrayLike | None = None,
) -> NDArray[np.int64]:
    """Return the actions that the seats to act choose, (B,) int64, -1 where nobody is to act or nobody was asked.

    Args:
        engine: the games.
        players: the players at the tables.
        lineup: which of them sits where, (B, P).
        seeds: one a decision, (B,).
        groups: (B,) numbers; games of different groups are never in one call of a player, so that one deal seen from
            several seats is not. None: all games are one group.
        games: in which games somebody is asked: a mask or indices; None is all.

    Raises:
        PlayerError: when the lineup names nobody, the groups are not one number a game, or a player answers with
            something that is no array of legal actions.
        SeedError: when the seeds are not one whole number of 64 bits a game.
    """
    if not isinstance(engine, Engine) or not isinstance(players, (list, tuple)):
        raise PlayerError(f"an Engine and a list of players are needed, not {engine!r} and {players!r}")
    lineup = _whole_numbers("lineup", lineup, (len(engine), engine.rules.players))
    if lineup.size and (lineup.min() < 0 or lineup.max() >= len(players)):
        raise PlayerError(f"the lineup names a player that is not there; there are 0 to {len(players) - 1}")
    seeds = as_seeds(seeds, len(engine))
    turn = engine.turn.astype(np.int64)
    actions = np.full(len(engine), NO_ACTION, np.int64)
    asked = as_index(games, len(engine))
    acting = asked[turn[asked] >= 0]
    who = lineup[acting, turn[acting]]
    group = None if groups is None else _whole_numbers("groups", groups, (len(engine),))
    for k in np.unique(who):
        for index in _apart(acting[who == k], group):
            views = engine.view(turn[index], games=index)
            actions[index] = checked_act(players[k], views, engine.rules, seeds[index])
    return actions


def _apart(games: NDArray[np.int64], group: NDArray[np.int64] | None) -> list[NDArray[np.int64]]:
    """Return games group by group."""
    if group is None:
        return [games]
    return [games[group[games] == number] for number in np.unique(group[games])]


def _whole_numbers(name: str, given: Any, shape: tuple[int, ...]) -> NDArray[np.int64]:
    array = as_array(name, given, PlayerError)
    if array.shape != shape or (array.dtype.kind not in "iu" and array.size):
        raise PlayerError(f"{name} is {array.dtype} of shape {array.shape}; whole numbers of shape {shape} are needed")
    return array.astype(np.int64)


_PLAYER_TYPES: set[type] = set()
"""Types whose objects were seen to be players: to ask a protocol takes longer than many a decision."""


def _check_player(player: Player) -> None:
    if type(player) not in _PLAYER_TYPES:
        if not isinstance(player, Player):
            raise PlayerError(f"{player!r} is no player: it needs `name`, `act` and `evaluate`")
        _PLAYER_TYPES.add(type(player))


def checked_act(player: Player, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return a player's actions once they are known to be legal.

    Raises:
        PlayerError: when `player` is none, raises something of its own, the answer is no (B,) array of whole numbers,
            an action is not legal, or the player changed its views.
        GameRecordError: when `views` are no records.
        RulesError: when `rules` are none.
        SeedError: when the seeds are not one whole number of 64 bits a view.
    """
    _check_player(player)
    check_views(views)
    check_rules(rules)
    handed = views.tobytes()
    actions = as_array("the answer", _answer(player, views, rules, as_seeds(seeds, len(views))), PlayerError)
    if views.tobytes() != handed:
        raise PlayerError(f"{player.name} changed the views it was handed")
    if actions.shape != views.shape or actions.dtype.kind not in "iu":
        raise PlayerError(
            f"{player.name} answered {actions.dtype} of shape {actions.shape}; whole numbers, {views.shape}, are needed"
        )
    actions = actions.astype(np.int64)
    for i in np.flatnonzero(~batch.are_legal(views, rules.array, actions))[:1]:
        masks = np.empty((1, N_ACTIONS), np.int8)
        batch.fill_masks(views[i : i + 1], rules.array, masks, True)
        legal = ", ".join(action_text(int(action)) for action in np.flatnonzero(masks[0]))
        raise PlayerError(
            f"{player.name}, seat {views['observer'][i]}, hand {views['hand_number'][i]}, trick {views['trick'][i]}: "
            f"{action_text(int(actions[i]))} is not legal; legal: {legal}"
        )
    return actions


def _answer(player: Player, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> Any:
    """Return what a player answers; what its own code raises becomes a `PlayerError` that says where."""
    try:
        return player.act(views, rules, seeds)
    except RicketyKateError:
        raise
    except Exception as error:
        *_, (frame, line) = traceback.walk_tb(error.__traceback__)
        where = f"{frame.f_code.co_filename}, line {line}"
        raise PlayerError(
            f"{player.name}, asked for {len(views)} decisions, raised {type(error).__name__}: {error} ({where})"
        ) from error
