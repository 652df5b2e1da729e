"""What holds for every agent: the register, no hidden information, legal answers, no memory between games."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import agents
from agents import parts
from agents.manner import TERMS
from agents.rule_player import RulePlayer
from agents.searching import SearchPlayer
from rk_env import Engine, Rules
from rk_env.cards import parse_card
from rk_env.checks import check_player
from rk_env.errors import PlayerError, PolicyFileError
from rk_env.players import RandomPlayer, choose, decision_seeds
from rk_env.state import NO_ACTION, PLAY
from tests.generators import random_settings, rules_of
from tests.playing import random_actions
from tests.sketch import choice
from tests.unseen import TABLES, play_offs, redealt

BRIEF = {name: f"{name}:simulations=8,breadth=4" for name in ("ismcts", "pimc")}
"""Players that search, with so small a budget that they may play hundreds of hands."""
AGENTS = [BRIEF.get(name, name) for name in agents.names() if name not in ("foreign", "network")]
"""Specs of all players with a name, but for those that need a program (test_foreign.py) or weights (test_ship.py)."""
COMBINATIONS: list[dict[str, Any]] = [
    {"passing": passing.partition("@")[0], "playing": playing.partition("@")[0]}
    for passing, playing in zip(parts.PASSINGS, itertools.cycle(parts.PLAYINGS), strict=False)
]
"""Every part, in as few players as there are ways to pass; and changes of parts."""
COMBINATIONS += [{"without": TERMS, "noise": 0.1}]
assert len(parts.PASSINGS) >= len(parts.PLAYINGS)
VARIANTS: list[dict[str, Any]] = [
    {},
    {"moon": "new", "bonus_cards": ("JD", "10D"), "first_trick": "strict"},
    {"black_card": "JS", "first_trick": "off", "passing": "left", "open_with_heart": True},
]


NAMED = [agents.make(name) for name in AGENTS]
EVERYONE = [player for player in NAMED if not isinstance(player, RulePlayer)] + [
    RulePlayer("x@1", ("danger", "careful"), **combination) for combination in COMBINATIONS
]
"""All agents, rule players by their parts."""
SEARCHING = [player for player in EVERYONE if isinstance(player, SearchPlayer)]
PLAIN = [player for player in EVERYONE if player not in SEARCHING]
LADDER = ["newcomer", "beginner", "learner", "moon_stopper", "spade_bleeder"]
"""Names of rule players that differ from others by a number alone: some tests of them are slow ones."""
TWO_LEFT: list[dict[str, Any]] = [{}, {"two_hand_deal": 13, "passing": "left"}]


def stations(rules: Rules | Engine, n_games: int, seed: int) -> Iterator[Engine]:
    """Yield one engine at every decision of a hand: all phases, with good, plain and random players mixed.

    Players that search lead to no other positions than those, and take longer.

    Where revokes can happen, one action in ten is any that is accepted.
    """
    engine = rules if isinstance(rules, Engine) else Engine(rules, n_games, seed=seed, episode="hand")
    players = [player for player in NAMED if not isinstance(player, SearchPlayer)]
    rng = np.random.default_rng(seed)
    lineup = rng.integers(0, len(players), (n_games, engine.rules.players))
    while (engine.turn >= 0).any():
        yield engine
        actions = choose(engine, players, lineup, decision_seeds(seed, np.arange(n_games), engine.games))
        strays = rng.random(n_games) < (0.0 if engine.rules.revokes == "prevented" else 0.1)
        engine.step(np.where(strays, random_actions(engine, rng), actions))


def hands_of_new_modes(n_games: int) -> dict[str, Engine]:
    """Return games of two decks, play-offs, and tables at which revokes happen."""
    return {
        **{
            name: Engine(rules_of({**table, "moon": "new"}), n_games, seed=5, episode="hand")
            for name, table in TABLES.items()
            if "decks" in table
        },
        **{f"play-off of two {two}": play_offs({"players": 4, **two}, n_games, seed=6, n_seats=2) for two in TWO_LEFT},
        "play-offs": play_offs({"players": 6, "passing": "left"}, n_games, seed=7),
        "play-offs of two decks": play_offs({"players": 9, "decks": 2, "playoff_pass": "restart"}, n_games, seed=8),
        **{
            f"revokes {revokes} with {decks} decks": Engine(
                Rules(players=6, decks=decks, revokes=revokes), n_games, seed=9, episode="hand"
            )
            for revokes in ("corrected", "exposed")
            for decks in (1, 2)
        },
    }


def act_on(games: NDArray[np.void], rules: Rules, player: Any, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return what a player does in full games, asked through views."""
    engine = Engine.from_games(games.copy(), rules)
    return player.act(engine.view(engine.turn.astype(np.int64)), rules, seeds)


# The register.


def test_names() -> None:
    ladder = {"random", "newcomer", "beginner", "learner", "ducker", "casual", "rule_based"}
    assert ladder | {"moon_hunter", "moon_stopper", "spade_bleeder"} <= set(AGENTS)


@pytest.mark.parametrize(
    ("spec", "options", "name"),
    [
        ("rule_based", {}, "rule_based@1"),
        ("rule_based@1", {}, "rule_based@1"),
        ("ducker", {}, "ducker@1"),
        ("random@1", {}, "random@1"),
        ("rule_based", {"passing": "high_cards"}, "rule_based@1:passing=high_cards@1"),
        ("rule_based:passing=high_cards", {}, "rule_based@1:passing=high_cards@1"),
        ("rule_based@1:passing=high_cards@1", {}, "rule_based@1:passing=high_cards@1"),
        ("rule_based:passing=danger,playing=careful", {}, "rule_based@1"),
        ("ducker:passing=void_first,playing=random", {}, "ducker@1:passing=void_first@1,playing=random@1"),
        ("rule_based:without=voids", {}, "rule_based@1:without=voids"),
        ("rule_based:without=voids+keep_moon", {}, "rule_based@1:without=keep_moon+voids"),
        ("rule_based", {"without": ["voids"], "noise": 0.25}, "rule_based@1:without=voids,noise=0.25"),
        ("rule_based:noise=0,without=", {}, "rule_based@1"),
        ("ducker:playing=spade_bleeder,noise=1", {}, "ducker@1:playing=spade_bleeder@1,noise=1.0"),
        ("moon_hunter@1:playing=moon_hunter", {}, "moon_hunter@1"),
    ],
)
def test_specs(spec: str, options: dict[str, Any], name: str) -> None:
    player = agents.make(spec, **options)
    assert player.name == name
    assert agents.make(player.name).name == name
    assert agents.make(player) is player


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("rule_base", "no player is called 'rule_base'; did you mean 'rule_based'\\?"),
        ("rule_base@1:passing=danger", "did you mean 'rule_based'\\?"),
        ("rule_based:passing=high_card", "passing='high_card' is not known; did you mean 'high_cards'\\?"),
        ("ducker:playing=careflu", "playing='careflu' is not known; did you mean 'careful'\\?"),
        ("ducker:playing=5", "playing=5 is not known.*Known: careful@1, duck@1, random@1"),
        ("ducker:passing=high_cards@2", "passing='high_cards@2' is not known"),
        ("rule_based:depth=3", "unexpected keyword argument 'depth'"),
        ("rule_based:without=void", "without='void' is not known. Known: pass_spades, .*, try_moon"),
        ("ducker:without=voids", "without='voids': neither high_cards@1 nor duck@1 has this term"),
        ("ducker:playing=careful,without=keep_moon", "without='keep_moon': neither high_cards@1 nor careful@1 has"),
        ("ducker:noise=1.5", "noise=1.5 is no chance of errors; a number from 0 to 1 is needed"),
        ("ducker:noise=True", "noise=True is no chance"),
        ("ducker:noise=often", "noise='often' is no chance"),
        ("rule_based@7", "asks for version 7 of 'rule_based'; here is version 1"),
        (5, "5 is no player"),
    ],
)
def test_bad_specs(spec: Any, message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        agents.make(spec)


def test_policy_files_go_to_the_network_player(tmp_path: Path) -> None:
    for spec in (str(tmp_path / "none.npz"), "missing/policy.npz"):
        with pytest.raises(PolicyFileError, match=r"json|npz"):
            agents.make(spec)


def test_repr_names_the_player() -> None:
    assert repr(agents.make("ducker")) == "<ducker@1>"


# No hidden information.


def check_nothing_hidden_is_used(hand: Rules | Engine, n_games: int, seed: int, every: int = 1) -> int:
    """What unseen cards others hold changes no agent's answer, through views and, for rule players, in full games.

    Looks at one decision of `every`; returns how many games had other hands when they were redealt.
    """
    rng = np.random.default_rng(seed)
    n_changed = 0
    for engine in itertools.islice(stations(hand, n_games, seed), 0, None, every):
        games, rules = engine.games[engine.turn >= 0], engine.rules
        other = redealt(games, rules, games["turn"].astype(np.int64), Random(seed))
        n_changed += int((games["hands"] != other["hands"]).any(axis=(1, 2)).sum())
        seeds = rng.integers(0, 2**63, len(games), dtype=np.uint64)
        for player in EVERYONE:
            actions = act_on(games, rules, player, seeds)
            np.testing.assert_array_equal(act_on(other, rules, player, seeds), actions)
            if isinstance(player, RulePlayer):  # on full games, as search asks
                for full in (games, other):
                    np.testing.assert_array_equal(player.act(full, rules, seeds), actions)
    return n_changed


@pytest.mark.parametrize("variant", VARIANTS, ids=["standard", "bonus", "black_jack"])
def test_agents_do_not_change_when_unseen_cards_are_redealt(players: int, variant: dict[str, Any]) -> None:
    assert check_nothing_hidden_is_used(Rules(players=players, **variant), 20, seed=players) > 800


@pytest.mark.parametrize("mode", hands_of_new_modes(1))
def test_agents_do_not_change_when_unseen_cards_are_redealt_in_new_modes(mode: str) -> None:
    n_changed = check_nothing_hidden_is_used(hands_of_new_modes(6)[mode], 6, seed=1, every=3)
    is_all_known = mode == f"play-off of two {TWO_LEFT[0]}"  # who does not hold a card knows who does
    assert n_changed == 0 if is_all_known else n_changed > 30


# Legal answers.


def check_by_the_book(engine: Engine, player: Any, seeds: NDArray[np.uint64]) -> None:
    """An agent's answers are legal by the book, and none of them a revoke."""
    acting = np.flatnonzero(engine.turn >= 0)
    actions = player.act(engine.view(engine.turn[acting].astype(np.int64), games=acting), engine.rules, seeds[acting])
    assert engine.action_mask(revokes=False)[acting, actions].all(), f"{player.name}: {engine.rules!r}"


@pytest.mark.parametrize("decks", [1, 2])
def test_agents_always_play_by_the_book(decks: int) -> None:
    """Under any settings and in play-offs, also after others have revoked."""
    rng, chance = Random(4), np.random.default_rng(4)
    for seed in range(30):
        settings = random_settings(rng, decks=decks)
        for hand in (Engine(rules_of(settings), 12, seed=seed, episode="hand"), play_off_of(settings, 12, seed)):
            for engine in stations(hand, 12, seed):
                chosen = chance.choice(np.array(PLAIN, object), 2, replace=False).tolist()
                for player in chosen + [SEARCHING[seed % 2]] * (chance.random() < 0.2):
                    check_by_the_book(engine, player, chance.integers(0, 2**63, 12, dtype=np.uint64))


def play_off_of(settings: dict[str, Any], n_games: int, seed: int) -> Engine:
    return play_offs(settings | {"ties": "playoff"}, n_games, seed)


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n in LADDER else n for n in AGENTS])
def test_agents_pass_the_check_of_agents(name: str) -> None:
    assert check_player(agents.make(name), n_settings=1, n_games=1 if name in BRIEF.values() else 3) > 1000


@pytest.mark.parametrize("name", AGENTS)
def test_nobody_to_act_is_answered_with_minus_one(name: str) -> None:
    engine = list(stations(Rules(), 4, seed=1))[-1]
    assert (engine.turn == NO_ACTION).all()
    assert (agents.make(name).act(engine.view(0), engine.rules, np.zeros(4, np.uint64)) == NO_ACTION).all()


@pytest.mark.parametrize("name", ["ducker", "rule_based"])
def test_evaluate_is_certain_of_the_action(name: str) -> None:
    player = agents.make(name)
    for engine in stations(Rules(players=3), 5, seed=2):
        acting = np.flatnonzero(engine.turn >= 0)
        views = engine.view(engine.turn[acting].astype(np.int64), games=acting)
        seeds = np.zeros(len(views), np.uint64)
        probabilities, values = player.evaluate(views, engine.rules, seeds)
        assert values is None
        np.testing.assert_array_equal(probabilities.argmax(axis=1), player.act(views, engine.rules, seeds))
        np.testing.assert_array_equal(probabilities.sum(axis=1), 1.0)
    views = engine.view(0)
    assert not player.evaluate(views, engine.rules, np.zeros(5, np.uint64))[0].any()


@pytest.mark.parametrize("mode", ["standard", *hands_of_new_modes(1)])
def test_answers_do_not_depend_on_the_batch(mode: str) -> None:
    rng = np.random.default_rng(3)
    hand = hands_of_new_modes(30).get(mode) or Rules()
    for engine in itertools.islice(stations(hand, 30, seed=3), 0, None, 5):
        turn = engine.turn.astype(np.int64)
        views = engine.view(np.maximum(turn, 0))
        seeds = rng.integers(0, 2**63, 30, dtype=np.uint64)
        for player in NAMED:
            whole = player.act(views, engine.rules, seeds)
            cut = rng.integers(1, 29)
            split = [player.act(views[part], engine.rules, seeds[part]) for part in (slice(0, cut), slice(cut, 30))]
            np.testing.assert_array_equal(np.concatenate(split), whole)
            order = rng.permutation(30)
            np.testing.assert_array_equal(player.act(views[order], engine.rules, seeds[order]), whole[order])


# Faults that other programs had.


@pytest.mark.parametrize("name", AGENTS)
def test_report_06_agents_play_the_only_harmless_card(name: str) -> None:
    engine = Engine(Rules(), 1, seed=6)
    hands = [
        "QS 4D 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH",
        "KH AH KS AS 3C 4C 5C 6C 7C 8C 9C TC JC",
        "QC KC AC 2S 3S 4S 5S 6S 7S 8S 9S TS JS",
        "2C 2D 3D 5D 6D 7D 8D 9D TD JD QD KD AD",
    ]
    engine.deal(hands, hand_number=4)  # no pass
    engine.step(np.array([parse_card("2C")]))
    assert choice(agents.make(name), engine.view(0)) == "4D"


@pytest.mark.parametrize("passing", [part.partition("@")[0] for part in parts.PASSINGS])
def test_report_29_every_way_to_pass_picks_three_different_cards(passing: str) -> None:
    rules = Rules(passing="left")
    engine = Engine(rules, 10_000, seed=29)
    player = agents.make("rule_based", passing=passing)
    dealt = engine.games["hands"][:, :4, 0].copy()
    for k in range(12):
        engine.step(player.act(engine.games, rules, np.full(10_000, k, np.uint64)))
    assert (engine.phase == PLAY).all()
    passed = engine.games["passed"][:, :4].astype(np.int64)
    ordered = np.sort(passed, axis=2)
    assert (ordered[:, :, 0] >= 0).all() and (np.diff(ordered, axis=2) > 0).all()
    assert ((dealt[:, :, None] >> passed.astype(np.uint64)) & np.uint64(1)).all()


@pytest.mark.parametrize("name", AGENTS)
def test_report_69_agents_keep_nothing_between_games(name: str) -> None:
    def results(fresh: bool) -> list[bytes]:
        one = agents.make(name)
        played = []
        for seed in range(100):
            engine = Engine(Rules(players=3 + seed % 4), 1, seed=seed, episode="hand")
            seats = [agents.make(name) if fresh else one]
            lineup = np.zeros((1, engine.rules.players), np.int64)
            while (engine.turn >= 0).any():
                engine.step(choose(engine, seats, lineup, decision_seeds(seed, np.zeros(1, np.int64), engine.games)))
            played.append(engine.games.tobytes())
        return played

    assert results(fresh=False) == results(fresh=True)


@pytest.mark.parametrize("mode", ["5 players", *hands_of_new_modes(1)])
def test_report_70_a_forced_move_is_answered(mode: str) -> None:
    n_forced = 0
    for engine in stations(hands_of_new_modes(50).get(mode) or Rules(players=5), 50, seed=70):
        masks = engine.action_mask(revokes=False)
        forced = np.flatnonzero(masks.sum(axis=1) == 1)
        n_forced += len(forced)
        views = engine.view(np.maximum(engine.turn, 0).astype(np.int64))[forced]
        for player in NAMED:
            actions = player.act(views, engine.rules, np.zeros(len(forced), np.uint64))
            np.testing.assert_array_equal(actions, masks[forced].argmax(axis=1))
    assert n_forced > 150


# Without compilation.

_SCRIPT = """
import numpy as np
import agents
from rk_env import Engine, Rules
for players, decks, name in ((4, 1, "rule_based"), (3, 1, "ducker"), (6, 1, "rule_based"), (7, 2, "rule_based"),
                             (4, 1, "moon_hunter:noise=0.2,without=voids")):
    rules = Rules(players=players, decks=decks, moon="new", bonus_cards=("JD",))
    engine = Engine(rules, 2, seed=players, episode="hand")
    player = agents.make(name)
    while (engine.turn >= 0).any():
        views = engine.view(np.maximum(engine.turn, 0).astype(np.int64))
        engine.step(player.act(views, engine.rules, np.arange(2, dtype=np.uint64)))
    print(engine.games["plays"].tolist())
"""


def test_plain_python_plays_the_same() -> None:
    outputs = []
    for disabled in ("0", "1"):
        environment = os.environ | {"NUMBA_DISABLE_JIT": disabled}
        outputs.append(
            subprocess.run([sys.executable, "-c", _SCRIPT], env=environment, check=True, capture_output=True).stdout
        )
    assert outputs[0] == outputs[1] and outputs[0].count(b"\n") == 5


def test_random_is_the_environments_own() -> None:
    assert isinstance(agents.make("random"), RandomPlayer)
