"""What holds for every agent: the register, no hidden information, legal answers, no memory between games."""

from __future__ import annotations

import hashlib
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
from agents.rule_player import RulePlayer
from rk_env import Engine, Rules
from rk_env.cards import bitboard_cards
from rk_env.errors import PlayerError, PolicyFileError
from rk_env.players import RandomPlayer, choose, decision_seeds
from rk_env.state import NO_ACTION, PASS, PLAY
from tests.generators import random_settings, rules_of
from tests.sketch import choice, sketch

AGENTS = agents.names()
COMBINATIONS = [
    {"passing": passing.partition("@")[0], "playing": playing.partition("@")[0]}
    for passing, playing in itertools.product(parts.PASSINGS, parts.PLAYINGS)
]
VARIANTS: list[dict[str, Any]] = [
    {},
    {"moon": "new", "bonus_cards": ("JD", "10D"), "first_trick": "strict"},
    {"black_card": "JS", "first_trick": "off", "passing": "left", "open_with_heart": True},
]


def stations(rules: Rules, n_games: int, seed: int) -> Iterator[Engine]:
    """Yield one engine at every decision of a hand: all phases, with good, plain and random players mixed."""
    engine = Engine(rules, n_games, seed=seed, episode="hand")
    players = [agents.make(name) for name in AGENTS]
    lineup = np.random.default_rng(seed).integers(0, len(players), (n_games, rules.players))
    ids = np.arange(n_games)
    while (engine.turn >= 0).any():
        yield engine
        engine.step(choose(engine, players, lineup, decision_seeds(seed, ids, engine.games)))


def redealt(games: NDArray[np.void], players: int, rng: np.random.Generator) -> NDArray[np.void]:
    """Return the games with what the seat to act cannot know dealt afresh, as far as everybody has seen it may be.

    Cards change places between the other seats two at a time, where neither gets a suit it has shown to be void in; the
    other seats' picks become any cards of their hands, or, once exchanged, any cards at all.
    """
    games = games.copy()
    for i in range(len(games)):
        g = games[i]
        others = [seat for seat in range(players) if seat != g["turn"]]
        hands = {seat: bitboard_cards(g["hands"][seat, 0]) for seat in others}
        for _ in range(40):
            a, b = rng.choice(others, 2, replace=False)
            if hands[a] and hands[b]:
                j, k = rng.integers(len(hands[a])), rng.integers(len(hands[b]))
                if not (g["voids"][a] >> hands[b][k] // 13 & 1 or g["voids"][b] >> hands[a][j] // 13 & 1):
                    hands[a][j], hands[b][k] = hands[b][k], hands[a][j]
        for seat in others:
            g["hands"][seat, 0] = sum(1 << card for card in hands[seat])
            picked = g["passed"][seat] >= 0
            received = g["phase"] != PASS and (seat + g["pass_seats"]) % players == g["turn"]
            if not received:
                pool = hands[seat] if g["phase"] == PASS else range(52)
                g["passed"][seat, picked] = rng.choice(pool, picked.sum(), replace=False)
        g["seed"] = rng.integers(2**63)
    return games


def act_on(games: NDArray[np.void], rules: Rules, player: Any, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return what a player does in full games, asked through views."""
    engine = Engine.from_games(games.copy(), rules)
    return player.act(engine.view(engine.turn.astype(np.int64)), rules, seeds)


# The register.


def test_names() -> None:
    assert {"random", "ducker", "rule_based"} <= set(AGENTS)


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


@pytest.mark.parametrize("variant", VARIANTS, ids=["standard", "bonus", "black_jack"])
def test_agents_do_not_change_when_unseen_cards_are_redealt(players: int, variant: dict[str, Any]) -> None:
    rules = Rules(players=players, **variant)
    rng = np.random.default_rng(players)
    everyone = [agents.make(name) for name in AGENTS] + [
        RulePlayer("x@1", ("danger", "careful"), **c) for c in COMBINATIONS
    ]
    for engine in stations(rules, 20, seed=players):
        games = engine.games[engine.turn >= 0]
        other = redealt(games, players, rng)
        seeds = rng.integers(0, 2**63, len(games), dtype=np.uint64)
        assert (games["hands"] != other["hands"]).any() or games["trick"].min() > rules.hand_size - 3
        for player in everyone:
            actions = act_on(games, rules, player, seeds)
            np.testing.assert_array_equal(act_on(other, rules, player, seeds), actions)
            if isinstance(player, RulePlayer):  # on full games, as search asks
                for full in (games, other):
                    np.testing.assert_array_equal(player.act(full, rules, seeds), actions)


# Legal answers.


def test_agents_are_never_illegal() -> None:
    rng = Random(4)
    everyone = [agents.make(name) for name in AGENTS] + [
        RulePlayer("x@1", ("danger", "careful"), **c) for c in COMBINATIONS
    ]
    for seed in range(60):
        rules = rules_of(random_settings(rng))
        engine = Engine(rules, 30, seed=seed, episode="hand")
        lineup = np.random.default_rng(seed).integers(0, len(everyone), (30, rules.players))
        while (engine.turn >= 0).any():
            engine.step(choose(engine, everyone, lineup, decision_seeds(seed, np.arange(30), engine.games)))


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


def test_answers_do_not_depend_on_the_batch() -> None:
    rng = np.random.default_rng(3)
    for engine in itertools.islice(stations(Rules(), 30, seed=3), 0, None, 5):
        turn = engine.turn.astype(np.int64)
        views = engine.view(np.maximum(turn, 0))
        seeds = rng.integers(0, 2**63, 30, dtype=np.uint64)
        for name in AGENTS:
            player = agents.make(name)
            whole = player.act(views, engine.rules, seeds)
            cut = rng.integers(1, 29)
            split = [player.act(views[part], engine.rules, seeds[part]) for part in (slice(0, cut), slice(cut, 30))]
            np.testing.assert_array_equal(np.concatenate(split), whole)
            order = rng.permutation(30)
            np.testing.assert_array_equal(player.act(views[order], engine.rules, seeds[order]), whole[order])


def plays_digest(name: str) -> str:
    digest = hashlib.sha256()
    for players in (3, 4, 5, 6):
        rules = Rules(players=players, moon="new", bonus_cards=("JD",))
        engine = Engine(rules, 100, seed=players, episode="hand")
        player = agents.make(name)
        while (engine.turn >= 0).any():
            engine.step(player.act(engine.games, rules, np.zeros(100, np.uint64)))
        digest.update(engine.games["plays"].tobytes() + engine.games["scores"].tobytes())
    return digest.hexdigest()[:16]


@pytest.mark.parametrize(("name", "digest"), [("ducker@1", "938a14a93902a011"), ("rule_based@1", "7a1ad520bd3b3986")])
def test_a_version_always_plays_the_same(name: str, digest: str) -> None:
    assert plays_digest(name) == digest, "another behaviour is another version, since results name the version"


# Faults that other programs had.


@pytest.mark.parametrize("name", AGENTS)
def test_report_06_agents_play_the_only_harmless_card(name: str) -> None:
    view = sketch("QS 4D", table="2C", trick=0)
    assert choice(agents.make(name), view) == "4D"


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


@pytest.mark.parametrize("name", AGENTS)
def test_report_70_a_forced_move_is_answered(name: str) -> None:
    player = agents.make(name)
    n_forced = 0
    for engine in stations(Rules(players=5), 50, seed=70):
        forced = np.flatnonzero(engine.action_mask().sum(axis=1) == 1)
        n_forced += len(forced)
        views = engine.view(np.maximum(engine.turn, 0).astype(np.int64))[forced]
        actions = player.act(views, engine.rules, np.zeros(len(forced), np.uint64))
        np.testing.assert_array_equal(actions, engine.action_mask()[forced].argmax(axis=1))
    assert n_forced > 500


# Without compilation.

_SCRIPT = """
import numpy as np
import agents
from rk_env import Engine, Rules
for players, name in ((4, "rule_based"), (3, "ducker"), (6, "rule_based")):
    engine = Engine(Rules(players=players, moon="new", bonus_cards=("JD",)), 2, seed=players, episode="hand")
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
    assert outputs[0] == outputs[1] and outputs[0].count(b"\n") == 3


def test_random_is_the_environments_own() -> None:
    assert isinstance(agents.make("random"), RandomPlayer)
