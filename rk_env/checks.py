"""Checks that an installation works, and that an agent keeps the rules of agents.

`python -m rk_env.checks` plays random hands under random settings and looks whether everything adds up, then lets
PettingZoo test the environment. `python -m rk_env.checks --player SPEC`, or `check_player`, tests an agent; one of the
checkout's `agents` by its name: `python -m agents.checks --player SPEC`.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rk_env import rickety_kate_v0, settings
from rk_env.engine import Engine
from rk_env.errors import PlayerError, RicketyKateError
from rk_env.players import Player, checked_act, make
from rk_env.rules import Rules
from rk_env.settings import PLAYERS_OF_DECKS
from rk_env.state import NO_ACTION, Phase

TABLES: Final = tuple((decks, players) for decks, counts in PLAYERS_OF_DECKS.items() for players in counts)
"""Every (decks, players) that makes a game."""
_TOLERANCE: Final = 1e-6
_BY_NAME: Final = "in a checkout, python -m agents.checks knows its agents by name"

# PettingZoo warns of every environment with dict observations that is not its own.
_EXPECTED_WARNINGS: Final = ("Observation is not a NumPy array", "Observation space for each agent probably should be")


class CheckError(AssertionError):
    """Something of this installation does not add up: please report it, with the message."""


def _require(holds: bool | np.bool_, fault: str) -> None:
    if not holds:
        raise CheckError(fault)


def random_rules(rng: np.random.Generator, players: int, decks: int = 1) -> Rules:
    """Return rules in which every field has a random one of its values."""
    values: dict[str, Sequence[Any]] = {
        **settings.allowed_values(players),
        "bonus_cards": ((), ("JD",), ("10D",), ("JD", "10D")),
        "target": (10, 50, 100),
        "max_hands": (None, 1, 3),
    }
    chosen = {name: some[int(rng.integers(len(some)))] for name, some in values.items()}
    chosen["moon_needs_bonus"] &= bool(chosen["bonus_cards"])
    return Rules(players=players, decks=decks, **chosen)


def _some_rules(rng: np.random.Generator, players: int, decks: int, n_settings: int) -> list[Rules]:
    """Return the default rules of a table, and random ones."""
    return [Rules(players=players, decks=decks), *(random_rules(rng, players, decks) for _ in range(n_settings))]


def random_actions(engine: Engine, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a random legal action for each game, (B,), -1 where nobody is to act."""
    mask = engine.action_mask()
    return np.where(mask.any(axis=1), (rng.random(mask.shape) * mask).argmax(axis=1), NO_ACTION)


# The engine.


def check_engine(some_rules: Rules, *, n_games: int = 16, n_hands: int = 3, seed: int = 0) -> int:
    """Play random hands in some games and check at every decision that all adds up; return the decisions made.

    Raises:
        CheckError: when something does not.
    """
    rng = np.random.default_rng(seed)
    engine = Engine(some_rules, num_games=n_games, seed=seed, episode="hand")
    alone = Engine(some_rules, seeds=engine.games["seed"][:1], episode="hand")
    n_decisions = 0
    for _ in range(n_hands):
        while (engine.turn >= 0).any():
            _check_position(engine)
            actions = random_actions(engine, rng)
            engine.step(actions)
            alone.step(actions[:1])
            n_decisions += int((actions >= 0).sum())
        _require(alone.games.tobytes() == engine.games[:1].tobytes(), f"a game depends on its batch: {some_rules!r}")
        _check_end(engine)
        engine.next_hand()
        alone.next_hand()
    return n_decisions


def _check_position(engine: Engine) -> None:
    try:
        Engine.from_games(engine.games, engine.rules)
    except RicketyKateError as error:
        raise CheckError(f"play led to a record that is no game: {error}; {engine.rules!r}") from error
    _require((engine.action_mask().any(axis=1) == (engine.turn >= 0)).all(), f"a mask is empty: {engine.rules!r}")
    seats = np.maximum(engine.turn, 0).astype(np.int64)
    seen = engine.layout.encode(engine.view(seats), engine.rules, seats)
    _require(np.array_equal(engine.observe(seats), seen), f"an observation shows what its view hides: {engine.rules!r}")


def _check_end(engine: Engine) -> None:
    in_play = engine.games["n_in_play"]
    dealt = engine.rules.array[0].deal_points[in_play]
    is_all_dealt = (in_play > 2) | (engine.rules.two_hand_deal == 26)
    points = engine.captured_points.sum(axis=1)
    _require((points == dealt)[is_all_dealt].all(), f"points are lost: {engine.rules!r}")
    _require(np.abs(engine.payoffs.sum(axis=1)).max() < _TOLERANCE, f"payoffs do not sum to zero: {engine.rules!r}")
    _require((engine.phase >= Phase.HAND_OVER).all(), f"a hand does not end: {engine.rules!r}")
    shares = np.where(engine.phase == Phase.GAME_OVER, 1.0, 0.0)
    _require(np.abs(engine.win_shares.sum(axis=1) - shares).max() < _TOLERANCE, f"wins get lost: {engine.rules!r}")


# The PettingZoo environment.


def check_environment(some_rules: Rules) -> None:
    """Let PettingZoo test the environment, in its wrappers and without, for hands and games.

    Raises:
        AssertionError: when a test of PettingZoo fails.
    """
    from pettingzoo.test import api_test, seed_test

    for maker in (rickety_kate_v0.env, rickety_kate_v0.raw_env):
        for episode in ("hand", "game"):
            with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                warnings.simplefilter("error")
                for message in _EXPECTED_WARNINGS:
                    warnings.filterwarnings("ignore", message=message)
                api_test(maker(some_rules, episode), num_cycles=30)
                seed_test(lambda maker=maker, episode=episode: maker(some_rules, episode), num_cycles=30)


# Agents.


def check_player(player: Player | str, *, n_settings: int = 2, n_games: int = 6, seed: int = 0) -> int:
    """Check that an agent plays as `rk_env.players.Player` asks, at every decision of some games; return how many.

    It must answer with legal actions under any rules, for 3 to 11 players and in play-offs, give equal views and seeds
    equal answers, alone or in a batch, whatever it was asked before, change nothing that it is handed, and evaluate
    legal actions only.

    Args:
        player: the agent, or a spec as for `rk_env.players.make`.
        n_settings: random settings for each player count, besides the default ones.
        n_games: games played under each.
        seed: what the settings and deals are made from.

    Raises:
        PlayerError: when it does not; the message tells what, where and under which rules.
    """
    agent = make(player)
    if not isinstance(agent.name, str) or "@" not in agent.name:
        raise PlayerError(f"name={agent.name!r}: a name and a version is needed, such as 'mine@1'")
    rng = np.random.default_rng(seed)
    n_decisions = 0
    for decks, players in TABLES:
        for some_rules in _some_rules(rng, players, decks, n_settings):
            engine = Engine(some_rules, num_games=n_games, seed=int(rng.integers(2**63)), episode="hand")
            n_decisions += _check_hands(agent, engine, rng)
            if some_rules.ties == "playoff":
                _begin_playoffs(engine, int(rng.integers(2, players + 1)))
                n_decisions += _check_hands(agent, engine, rng)
    return n_decisions


def _begin_playoffs(engine: Engine, n_tied: int) -> None:
    """Put games whose hand is over into the first play-off, among the seats that sit lowest (H4)."""
    players, target = engine.rules.players, engine.rules.target
    engine.games["phase"] = Phase.HAND_OVER
    engine.games["totals"][:, :players] = target + (np.arange(players) >= n_tied)
    engine.games["places"][:, :players] = n_tied * (np.arange(players) >= n_tied)
    engine.next_hand()


def _check_hands(player: Player, engine: Engine, rng: np.random.Generator) -> int:
    """Let a player play all seats, but for a random action now and then, which leads to stranger positions."""
    n_decisions = 0
    for views, acting in _decisions(engine):
        seeds = rng.integers(2**64, size=len(acting), dtype=np.uint64)
        chosen = _check_act(player, views, engine.rules, seeds)
        accepted, legal = (engine.action_mask(revokes=revokes)[acting] for revokes in (True, False))
        _check_evaluate(player, views, accepted, legal, engine.rules, seeds)
        actions = random_actions(engine, rng)
        follows = rng.random(len(acting)) < 0.8
        actions[acting[follows]] = chosen[follows]
        engine.step(actions)
        n_decisions += len(acting)
    return n_decisions


def _decisions(engine: Engine) -> Iterator[tuple[NDArray[np.void], NDArray[np.int64]]]:
    """Yield the views of the seats to act and the indices of their games, until all hands are over."""
    while True:
        acting = np.flatnonzero(engine.turn >= 0)
        if not len(acting):
            return
        yield engine.view(engine.turn[acting], games=acting), acting


def _check_act(
    player: Player, views: NDArray[np.void], some_rules: Rules, seeds: NDArray[np.uint64]
) -> NDArray[np.int64]:
    def fail(fault: str) -> None:
        raise PlayerError(f"{player.name} {fault}, under {some_rules!r}")

    try:
        actions = checked_act(player, views.copy(), some_rules, seeds.copy())
    except PlayerError as error:
        raise PlayerError(f"{error}, under {some_rules!r}") from error
    handed_seeds = seeds.copy()
    again = player.act(views.copy(), some_rules, handed_seeds)
    if handed_seeds.tobytes() != seeds.tobytes():
        fail("changes the seeds that it is handed")
    if not np.array_equal(again, actions):
        fail("answers equal views and seeds differently when it is asked again")
    backwards = player.act(views[::-1].copy(), some_rules, seeds[::-1].copy())
    alone = player.act(views[-1:].copy(), some_rules, seeds[-1:].copy())
    if not np.array_equal(backwards[::-1], actions) or not np.array_equal(alone, actions[-1:]):
        fail("answers differently when the same decisions come in another batch")
    return actions


def _check_evaluate(
    player: Player,
    views: NDArray[np.void],
    accepted: NDArray[np.int8],
    legal: NDArray[np.int8],
    some_rules: Rules,
    seeds: NDArray[np.uint64],
) -> None:
    handed = views.copy()
    answer = player.evaluate(handed, some_rules, seeds.copy())
    fault = _fault_of_evaluation(answer, accepted, legal)
    if handed.tobytes() != views.tobytes():
        fault = "changes the views that it is handed"
    if fault:
        raise PlayerError(f"{player.name}: evaluate {fault}, under {some_rules!r}")


def _fault_of_evaluation(answer: Any, accepted: NDArray[np.int8], legal: NDArray[np.int8]) -> str:
    """Return what is wrong with probabilities and values of decisions with these masks; nothing: ''.

    A revoke may have a probability where it is accepted, and needs no value.
    """
    if not isinstance(answer, tuple) or len(answer) != 2:
        return "answers with something else than a pair: probabilities, and values or None"
    chances, values = np.asarray(answer[0], float), answer[1] if answer[1] is None else np.asarray(answer[1], float)
    if chances.shape != legal.shape or (values is not None and values.shape != legal.shape):
        return f"answers with other shapes than {legal.shape}"
    if not np.isfinite(chances).all() or (chances < 0).any() or np.abs(chances.sum(axis=1) - 1).max() > _TOLERANCE:
        return "answers with probabilities that are negative, or do not sum to 1"
    if (chances[accepted == 0] != 0).any():
        return "gives an illegal action a probability"
    if values is not None and not np.isfinite(values[legal == 1]).all():
        return "gives a legal action no finite value"
    return ""


# All of it.


def run_checks(report: Callable[[str], None] | None = None, *, n_settings: int = 3, seed: int = 0) -> int:
    """Check the engine under default and random rules, and the environment; return the number of decisions checked.

    Args:
        report: called with a line of text after each check.
        n_settings: random settings for each player count, besides the default ones.
        seed: what settings and deals are made from.

    Raises:
        CheckError: when something does not add up.
        AssertionError: when a test of PettingZoo fails.
    """
    rng = np.random.default_rng(seed)
    tell = report or (lambda line: None)
    n_decisions = 0
    for decks, players in TABLES:
        began = time.perf_counter()
        for some_rules in _some_rules(rng, players, decks, n_settings):
            n_decisions += check_engine(some_rules, seed=int(rng.integers(2**63)))
        check_environment(Rules(players=players, decks=decks, target=30))
        where = f"{players} players, {decks} deck{'s' * (decks > 1)}"
        tell(f"{where}: engine and environment in order ({time.perf_counter() - began:.1f} s)")
    n_decisions += check_player("random")
    tell("player 'random' in order")
    return n_decisions


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the installation, or an agent, and write what was found to the standard output."""
    parser = argparse.ArgumentParser(
        prog="python -m rk_env.checks",
        description="Check that this installation works, or that an agent plays as it must.",
        epilog="example: python -m rk_env.checks --player my_package.my_module:MyPlayer",
    )
    specs = f"a registered name, or 'module:attribute'; {_BY_NAME}"
    parser.add_argument("--player", metavar="SPEC", help=f"check a player instead: {specs}")
    add_options(parser)
    options = parser.parse_args(arguments)
    if options.player is not None:
        return report_player(options, make, _BY_NAME)
    try:
        _say("checking; the first run also compiles, which takes up to a minute")
        n = run_checks(_say, n_settings=options.settings, seed=options.seed)
        _say(f"all in order: {n} decisions checked")
    except RicketyKateError as error:
        return _complain(str(error))
    return 0


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options `--settings` and `--seed`."""
    parser.add_argument("--settings", type=int, default=3, metavar="N", help="random settings for each player count")
    parser.add_argument("--seed", type=int, default=0)


def report_player(options: argparse.Namespace, maker: Callable[[str], Player], hint: str = "") -> int:
    """Check the player that a command line names, and write what was found; return the exit status.

    Args:
        options: with `player`, a spec, and those of `add_options`.
        maker: makes a player of the spec.
        hint: what to say when it cannot.
    """
    try:
        player = maker(options.player)
    except RicketyKateError as error:
        return _complain(f"{error}{'; ' * bool(hint)}{hint}")
    try:
        n = check_player(player, n_settings=options.settings, seed=options.seed)
    except RicketyKateError as error:
        return _complain(str(error))
    _say(f"{options.player} plays as it must: {n} decisions checked")
    return 0


def _complain(fault: str) -> int:
    sys.stderr.write(f"error: {fault}\n")
    return 2


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
