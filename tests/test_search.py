"""What search players are made of and what they answer; that they play by the book is seen in test_agents.py."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest

import agents
from agents.pimc import Pimc
from agents.study import MAX_BREADTH, MAX_MOVES
from rk_env import Engine, GameRecordError, Phase, PlayerError, Rules
from rk_env.errors import PolicyFileError
from rk_env.settings import N_PASSED
from rk_env.state import ACTION_MOON_ADD, ACTION_MOON_SUBTRACT, MOON, PASS, PLAY
from tests.playing import play_on
from tests.searching import SEARCHERS, Decisions, Opaque, decisions, middle_of_hands, searcher, shot_moon
from tests.unseen import play_offs

# Names and options.


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("pimc", "pimc@1:simulations=1000"),
        ("ismcts", "ismcts@1:simulations=1000"),
        ("pimc:ms=5", "pimc@1:ms=5"),
        ("ismcts:ms=0.5,threads=2", "ismcts@1:ms=0.5,threads=2"),
        ("pimc@1:simulations=50,belief=1,doubt=2.5", "pimc@1:simulations=50"),
        ("pimc:belief=0.5,tries=7,simulations=9", "pimc@1:simulations=9,belief=0.5,tries=7"),
        ("pimc:passing=danger,breadth=8,endgame=3", "pimc@1:simulations=1000,passing=danger,breadth=8,endgame=3"),
        ("ismcts:explore=4,trust=0", "ismcts@1:simulations=1000,explore=4,trust=0"),
        ("ismcts:rollout=ducker:playing=careful", "ismcts@1:simulations=1000,rollout=ducker:playing=careful"),
        ("pimc:rollout=random,doubt=0", "pimc@1:simulations=1000,rollout=random,doubt=0"),
        ("pimc:prior=ducker,prior_worlds=5", "pimc@1:simulations=1000,prior=ducker,prior_worlds=5"),
    ],
)
def test_names_are_specs_of_the_same_player(spec: str, name: str) -> None:
    player, again = searcher(spec), searcher(name)
    assert player.name == again.name == name
    assert repr(player) == f"<{name}>"
    for attribute in (
        "simulations",
        "ms",
        "breadth",
        "threads",
        "rollout",
        "belief",
        "doubt",
        "endgame",
        "guide",
        "prior_worlds",
    ):
        assert getattr(player, attribute, None) == getattr(again, attribute, None)
    assert player.policy.name == again.policy.name


def test_a_rollout_may_be_a_player() -> None:
    assert searcher("pimc", rollout=Opaque()).name == "pimc@1:simulations=1000,rollout=opaque@1"
    assert searcher("pimc", prior=Opaque()).name == "pimc@1:simulations=1000,prior=opaque@1"
    ducking = searcher("pimc", rollout=agents.make("ducker"))
    assert ducking.rollout == searcher("pimc:rollout=ducker").rollout == searcher(ducking.name).rollout


def test_a_rollout_may_be_all_that_agents_make_knows() -> None:
    assert searcher("pimc:rollout=ducker@1").policy.name == "ducker@1"
    with pytest.raises(PolicyFileError):
        agents.make("pimc", rollout="none/policy.npz")


@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"simulations": 0}, "simulations=0 is not allowed; a whole number from 1 to 2.14748e\\+09 is needed"),
        ({"simulations": 1.5}, "simulations=1.5 is not allowed"),
        ({"simulations": True}, "simulations=True is not allowed"),
        ({"simulations": "many"}, "simulations='many' is not allowed"),
        ({"simulations": 5, "ms": 5}, "simulations=5 and ms=5 are two budgets; give one"),
        ({"ms": 0}, "ms=0 is not allowed; a number from 0.01 to 1e\\+07 is needed"),
        ({"ms": float("nan")}, "ms=nan is not allowed"),
        ({"breadth": 2}, "breadth=2 is not allowed; a whole number from 3 to 8 is needed"),
        ({"breadth": 9}, "breadth=9 is not allowed"),
        ({"belief": 0}, "belief=0 is not allowed; a number from 0.01 to 1 is needed"),
        ({"belief": 1.5}, "belief=1.5 is not allowed"),
        ({"tries": 0}, "tries=0 is not allowed; a whole number from 1 to 1e\\+06 is needed"),
        ({"threads": 0}, "threads=0 is not allowed; a whole number from 1 to 1024 is needed"),
        ({"passing": "searching"}, "passing='searching' is not known"),
        ({"rollout": "rule_base"}, "no player is called 'rule_base'"),
        ({"rollout": 5}, "5 is no player"),
        ({"depth": 5}, "unexpected keyword argument 'depth'"),
    ],
)
def test_what_is_no_option_is_refused(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        agents.make(name, **options)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("pimc:doubt=-1", "doubt=-1 is not allowed; a number from 0 to 100 is needed"),
        ("pimc:endgame=6", "endgame=6 is not allowed; a whole number from 0 to 5 is needed"),
        ("pimc:endgame=2.0", "endgame=2.0 is not allowed"),
        ("pimc:prior=nobody", "no player is called 'nobody'"),
        ("pimc:prior_worlds=1.5", "prior_worlds=1.5 is not allowed; a whole number from 0 to 1e\\+06 is needed"),
        ("ismcts:prior=ducker", "unexpected keyword argument 'prior'"),
        ("pimc:explore=1", "unexpected keyword argument 'explore'"),
        ("ismcts:explore=-1", "explore=-1 is not allowed; a number from 0 to 1e\\+06 is needed"),
        ("ismcts:trust=1.1", "trust=1.1 is not allowed; a number from 0 to 1 is needed"),
        ("ismcts:doubt=1", "unexpected keyword argument 'doubt'"),
        ("ismcts:rollout=pimc", "rollout='pimc@1.*: a tree plays out with rule players only; `pimc` with any player"),
    ],
)
def test_options_of_the_one_are_not_those_of_the_other(spec: str, message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        agents.make(spec)


# What is searched.


@pytest.mark.parametrize("name", SEARCHERS)
def test_budgets_are_kept_and_one_legal_move_is_not_searched(name: str) -> None:
    n_forced = 0
    for simulations in (1, 30, 100):
        player = searcher(name, simulations=simulations)
        for d in decisions(Rules(players=4, moon="new"), 3, seed=simulations, every=3):
            studies = player.studies(d.views, d.rules, d.seeds)
            is_forced = d.masks.sum(axis=1) == 1
            n_forced += int(is_forced.sum())
            assert (studies["n_moves"] >= 1).all()
            assert (studies["worlds"][is_forced & (d.views["phase"] == PLAY)] == 0).all()
            assert (studies["tried"] <= np.maximum(simulations, studies["n_moves"])).all()
            assert (studies["tried"] == studies["visits"].sum(axis=1)).all()
            searched = studies["n_moves"] > 1
            assert (studies["worlds"][searched] > 0).all() and (studies["worlds"][~searched] == 0).all()
            if name == "ismcts" or simulations < 30:
                continue
            undecided = studies["n_in_question"] > 1
            assert (studies["tried"] + studies["n_in_question"] > simulations)[undecided].all()
    assert n_forced > 10


@pytest.mark.parametrize("name", SEARCHERS)
def test_the_best_move_is_played(name: str) -> None:
    """The best mean, of `ismcts` the most visits; of a pass its first card."""
    player = searcher(name, simulations=60)
    for d in decisions(Rules(players=5), 4, seed=3, every=2):
        studies, actions = player.studies(d.views, d.rules, d.seeds), player.act(d.views, d.rules, d.seeds)
        for study, view, action in zip(studies, d.views, actions, strict=True):
            n = int(study["n_moves"])
            means = study["sums"][:n] / np.maximum(study["visits"][:n], 1)
            merits = np.where(study["in_question"][:n] == 1, means, -np.inf) if name == "pimc" else study["visits"][:n]
            place = int(view["n_picks"]) % N_PASSED if view["phase"] == PASS else 0
            best = study["moves"][np.flatnonzero(merits == merits.max()), place]
            assert action in best if name == "ismcts" else action == best[0]


@pytest.mark.parametrize("name", SEARCHERS)
def test_answers_depend_on_view_and_seed_alone(name: str) -> None:
    """Not on threads, batches or order; and views and seeds are left as they are."""
    alone, threads = searcher(name, simulations=50), searcher(name, simulations=50, threads=3)
    for d in decisions(Rules(players=4), 8, seed=4, every=7):
        before = d.views.tobytes(), d.seeds.tobytes()
        studies = alone.studies(d.views, d.rules, d.seeds)
        assert threads.studies(d.views, d.rules, d.seeds).tobytes() == studies.tobytes()
        assert alone.studies(d.views[::-1].copy(), d.rules, d.seeds[::-1].copy())[::-1].tobytes() == studies.tobytes()
        assert alone.studies(d.views[2:3], d.rules, d.seeds[2:3]).tobytes() == studies[2:3].tobytes()
        assert (threads.act(d.views, d.rules, d.seeds) == alone.act(d.views, d.rules, d.seeds)).all()
        alone.evaluate(d.views, d.rules, d.seeds)
        assert (d.views.tobytes(), d.seeds.tobytes()) == before
    other = alone.studies(d.views, d.rules, d.seeds + np.uint64(1))
    searched = studies["n_moves"] > 1
    assert not searched.any() or other[searched].tobytes() != studies[searched].tobytes()


@pytest.mark.parametrize("name", SEARCHERS)
def test_passing_by_a_part_is_that_parts(name: str) -> None:
    player, part = searcher(name, passing="void_first", simulations=20), agents.make("rule_based:passing=void_first")
    for d in decisions(Rules(passing="left"), 3, seed=5):
        if (d.views["phase"] != PASS).all():
            break
        assert (player.act(d.views, d.rules, d.seeds) == part.act(d.views, d.rules, d.seeds)).all()


# What search thinks.


@pytest.mark.parametrize("name", SEARCHERS)
def test_every_legal_action_has_a_value_and_the_best_is_played(name: str) -> None:
    options = {"doubt": 0} if name == "pimc" else {}
    player = searcher(name, simulations=60, **options)
    for d in decisions(Rules(players=3, moon="new"), 3, seed=6, every=2):
        chances, values = player.evaluate(d.views, d.rules, d.seeds)
        assert values is not None and np.isfinite(values).all()
        assert (chances.sum(axis=1) == 1).all() and (chances[d.masks == 0] == 0).all()
        assert (values[d.masks == 0] == 0).all()
        plays = np.flatnonzero((d.views["phase"] == PLAY) & (d.masks.sum(axis=1) > 1))
        actions = player.act(d.views, d.rules, d.seeds)
        assert (chances.argmax(axis=1) == actions)[plays].all()
        studies = player.studies(d.views, d.rules, d.seeds)
        for i in plays:
            n = int(studies["n_moves"][i])
            means = studies["sums"][i, :n] / np.maximum(studies["visits"][i, :n], 1)
            np.testing.assert_array_equal(values[i, studies["moves"][i, :n, 0]], means)
            assert name == "ismcts" or values[i, actions[i]] == values[i, d.masks[i] == 1].max()
        for i in np.flatnonzero(d.views["phase"] == PASS):  # each card was tried
            assert len(set(values[i, d.masks[i] == 1])) > 1
        assert (np.abs(values[d.views["phase"] == MOON]) <= 1).all()


def test_giving_moves_up_changes_what_is_known_but_not_what_is_asked() -> None:
    """`evaluate` tries all moves to the end; `act` gives some up."""
    player = searcher("pimc", simulations=3000)
    d = middle_of_hands(4)
    acted, thought = player.studies(d.views, d.rules, d.seeds), player.studies(d.views, d.rules, d.seeds, True)
    assert (acted["n_in_question"] < acted["n_moves"]).any()
    assert (thought["n_in_question"] == thought["n_moves"]).all()
    assert acted["worlds"].sum() > thought["worlds"].sum()


# What is refused.


@pytest.mark.parametrize("name", SEARCHERS)
def test_errors_say_what_is_wrong(name: str) -> None:
    player = searcher(name, simulations=10)
    engine = Engine(Rules(passing="none"), 2, seed=1, episode="hand")
    play_on(engine, np.random.default_rng(1), n_steps=9)
    seeds = np.zeros(2, np.uint64)
    views = engine.view(engine.turn)
    for ask in (player.act, player.evaluate):
        with pytest.raises(GameRecordError, match="view 0 is not that of the seat to act; make"):
            ask(engine.games, engine.rules, seeds)
        wrong = views.copy()
        wrong[1] = engine.view((engine.turn + 1) % 4)[1]
        with pytest.raises(GameRecordError, match="view 1 is not that of the seat to act"):
            ask(wrong, engine.rules, seeds)
        with pytest.raises(GameRecordError):
            ask(np.zeros(2), engine.rules, seeds)
        with pytest.raises(Exception, match="rules"):
            ask(views, None, seeds)
        with pytest.raises(Exception, match="seed"):
            ask(views, engine.rules, seeds[:1])


@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize("options", [{}, {"threads": 2}, {"belief": 0.5}])
def test_a_view_that_no_deal_agrees_with_is_refused(name: str, options: dict[str, Any]) -> None:
    d = middle_of_hands(3)
    assert d.masks[2].sum() > 1
    views = d.views.copy()
    views["captured"][2] = 0  # cards have vanished: there is no place for those unseen
    for player in [searcher(name, simulations=10, **options)] + [Pimc(10, rollout=Opaque())] * (name == "pimc"):
        with pytest.raises(GameRecordError, match=r"view 2 \(observer \d\): no deal agrees with it"):
            player.act(views, d.rules, d.seeds)


@pytest.mark.parametrize("name", SEARCHERS)
def test_nothing_is_asked_nothing_is_answered(name: str) -> None:
    player, d = searcher(name, simulations=10), middle_of_hands(2)
    assert player.act(d.views[:0], d.rules, d.seeds[:0]).shape == (0,)
    chances, values = player.evaluate(d.views[:0], d.rules, d.seeds[:0])
    assert values is not None and chances.shape == values.shape == (0, 54)


# The shooter's choice.


def moon_decision(totals: list[int]) -> Decisions:
    engine = shot_moon(totals)
    assert engine.phase[0] == Phase.MOON and engine.turn[0] == 0
    return Decisions(engine.view(0), engine.rules, np.ones(1, np.uint64), engine.action_mask(), engine.games)


@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize(
    ("totals", "best"),
    [
        ([50, 80, 70, 60], ACTION_MOON_ADD),  # 50 against 86 and more: the game is won
        ([97, 80, 70, 60], ACTION_MOON_SUBTRACT),  # adding ends it with 97 against 86
        ([99, 95, 70, 70], ACTION_MOON_SUBTRACT),  # adding ends it with 99 against 96
        ([30, 99, 98, 97], ACTION_MOON_ADD),
    ],
)
def test_the_choice_that_wins_the_game(name: str, totals: list[int], best: int) -> None:
    d = moon_decision(totals)
    for player in [searcher(name, simulations=60)] + [Pimc(60, rollout=Opaque())] * (name == "pimc"):
        assert player.act(d.views, d.rules, d.seeds).tolist() == [best]
        _, values = player.evaluate(d.views, d.rules, d.seeds)
        assert values is not None and 0 <= values[0, 52:].min() <= values[0, best] <= 1
        adds = float(best == ACTION_MOON_ADD)
        assert values[0, ACTION_MOON_ADD] == adds, "adding ends the game here, won or lost"


# Time.


@pytest.mark.slow
@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize("ms", [20, 100])
def test_milliseconds_are_kept(name: str, ms: int) -> None:
    player, d = searcher(name, ms=ms), middle_of_hands(10, tricks=1)
    player.act(d.views[:1], d.rules, d.seeds[:1])
    times = []
    for i in range(10):
        began = time.perf_counter()
        study = player.studies(d.views[i : i + 1], d.rules, d.seeds[i : i + 1])
        times.append(1000 * (time.perf_counter() - began))
        assert study["tried"][0] > 0 or study["n_moves"][0] == 1
    assert np.median(times) < 3 * ms
    assert max(times) > ms / 3


_SEARCH = """
import numpy as np
import agents
from rk_env import Engine, Rules
player = agents.make("{name}", simulations=3000, threads={threads})
engine = Engine(Rules(players=5, passing="none"), 2000, seed=1)
views = engine.view(engine.turn)
player.act(views[:2], engine.rules, np.zeros(2, np.uint64))
print("begun", flush=True)
player.act(views, engine.rules, np.zeros(2000, np.uint64))
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(("name", "threads"), [("pimc", 2), pytest.param("ismcts", 1, marks=pytest.mark.slow)])
def test_an_interrupt_ends_a_search(name: str, threads: int) -> None:
    script = _SEARCH.format(name=name, threads=threads)
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        began = time.perf_counter()
        process.wait(timeout=30)
        assert time.perf_counter() - began < 10
        assert "KeyboardInterrupt" in process.stderr.read()
    assert process.returncode in (-signal.SIGINT, 130)


def test_moves_fit_the_study() -> None:
    """The largest hands, and the widest pass with every card of the hand besides."""
    widest = searcher("pimc", simulations=1, breadth=MAX_BREADTH)
    of_two = play_offs({"players": 4, "passing": "left"}, 8, seed=1, n_seats=2)  # 26 cards each
    before = of_two.view(of_two.turn)
    studies = widest.studies(before, of_two.rules, np.zeros(8, np.uint64), True)
    assert 70 < studies["n_moves"].max() <= MAX_MOVES
    for study in studies:
        moves = study["moves"][: study["n_moves"]]
        assert (moves >= 0).all() and len({tuple(sorted(move)) for move in moves.tolist()}) == len(moves)
    for rules in (Rules(players=3), Rules(players=6, decks=2)):
        for d in decisions(rules, 4, seed=8):
            studies = widest.studies(d.views, d.rules, d.seeds, True)
            assert (studies["n_moves"] <= MAX_MOVES).all()
            if (d.views["phase"] != PASS).any():
                break
