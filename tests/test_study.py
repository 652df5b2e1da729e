"""Moves of a decision, which passes are among them, and which are put out of question."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import agents
from agents.searching import SearchPlayer
from agents.study import FLOOR, MIN_WORLDS, STUDY, expect, note_worlds
from rk_env import Engine, Rules
from rk_env.settings import N_PASSED
from rk_env.state import NO_ACTION, PASS
from tests.searching import RULE_BASED
from tests.unseen import cards_of

# Plays and passes


def studies_of(engine: Engine, all_moves: bool = False, **options: Any) -> NDArray[np.void]:
    player = agents.make("pimc", simulations=1, **options)
    assert isinstance(player, SearchPlayer)
    seeds = np.zeros(len(engine), np.uint64)
    return player.studies(engine.view(engine.turn), engine.rules, seeds, all_moves)


def passes_of(study: NDArray[np.void]) -> list[tuple[int, ...]]:
    """The passes of a study, each sorted."""
    return [tuple(sorted(move)) for move in study["moves"][: study["n_moves"]].tolist()]


@pytest.mark.parametrize("breadth", [3, 6, 8])
@pytest.mark.parametrize("decks", [1, 2])
def test_all_passes_of_some_cards_are_listed_once_and_the_rule_players_own(decks: int, breadth: int) -> None:
    """Of 6 cards 20 passes; with copies among them fewer, each once. Also once cards are picked."""
    engine = Engine(Rules(players=6, decks=decks, passing="left"), 60, seed=1)
    n_twins = 0
    while (engine.phase == PASS).all():
        studies = studies_of(engine, breadth=breadth)
        own = own_passes(engine)
        n_picked = int(engine.games["n_picks"][0]) % N_PASSED
        for game, study, wanted in zip(engine.games, studies, own, strict=True):
            hand = Counter(cards_of(game["hands"][game["turn"]]))
            picked = Counter(game["passed"][game["turn"], :n_picked].tolist())
            passes = passes_of(study)
            assert len(set(passes)) == len(passes)
            assert tuple(sorted(wanted)) in passes
            assert all(Counter(move) <= hand and picked <= Counter(move) for move in passes)
            rest = [Counter(move) - picked for move in passes]
            cards = sum(((rest_of & hand) for rest_of in rest), Counter())
            assert len(cards) <= breadth + N_PASSED
            is_own_apart = len(passes) - len(combinations(rest[:-1], breadth, N_PASSED - n_picked))
            assert is_own_apart in (0, 1)
            n_twins += any(count == 2 for count in (Counter(passes[0]) - picked).values())
        engine.step(RULE_BASED.act(engine.view(engine.turn), engine.rules, np.zeros(60, np.uint64)))
    assert decks == 1 or n_twins > 0


def combinations(rest: list[Counter[int]], breadth: int, n: int) -> set[tuple[int, ...]]:
    """All choices of n cards out of those of the passes listed, each card as often as it is there at most."""
    most: Counter[int] = Counter()
    for cards in rest:
        most |= cards
    pool = sorted(most.elements())
    assert len(pool) <= breadth
    return set(itertools.combinations(pool, n)) if rest else set()


def own_passes(engine: Engine) -> list[list[int]]:
    """What the rule player would pass in each game, with what is picked already."""
    other = Engine.from_games(engine.games.copy(), engine.rules)
    seats, n_picked = other.turn.astype(np.int64), int(other.games["n_picks"][0]) % N_PASSED
    seeds = np.zeros(len(other), np.uint64)
    picks = [other.games["passed"][i, seat, :n_picked].tolist() for i, seat in enumerate(seats)]
    for _ in range(n_picked, N_PASSED):
        actions = RULE_BASED.act(other.view(seats), other.rules, seeds)
        for pick, action in zip(picks, actions.tolist(), strict=True):
            pick.append(action)
        other.step(actions)
    return picks


def test_every_card_is_in_a_pass_when_all_are_asked_for() -> None:
    for decks in (1, 2):
        engine = Engine(Rules(players=6, decks=decks, passing="left"), 20, seed=2)
        for _ in range(N_PASSED):
            for game, study in zip(engine.games, studies_of(engine, all_moves=True, breadth=3), strict=True):
                passes = passes_of(study)
                assert len(set(passes)) == len(passes)
                assert set(itertools.chain(*passes)) == set(cards_of(game["hands"][game["turn"]]))
            engine.step(RULE_BASED.act(engine.view(engine.turn), engine.rules, np.zeros(20, np.uint64)))


def test_moves_of_play_are_the_legal_ones() -> None:
    engine = Engine(Rules(players=5, passing="none"), 20, seed=3)
    masks = engine.action_mask()
    for mask, study in zip(masks, studies_of(engine), strict=True):
        assert study["moves"][: study["n_moves"], 0].tolist() == np.flatnonzero(mask).tolist()
        assert (study["moves"][:, 1:] == NO_ACTION).all()
        assert (study["in_question"] == (np.arange(len(study["in_question"])) < study["n_moves"])).all()


# What is put out of question


class Prior(NamedTuple):
    """What moves are expected to come to, and how many worlds that weighs as much as."""

    means: NDArray[np.float64]
    worlds: int


def noted(results: NDArray[np.float64], doubt: float, prior: Prior | None = None) -> NDArray[np.void]:
    """Return a study in which all moves had these results, world by world, shape (worlds, moves)."""
    study = np.zeros(1, STUDY)
    n = results.shape[1]
    study["n_moves"], study["n_in_question"], study["in_question"][0, :n] = n, n, 1
    study["moves"][0, :n, 0] = 20 + np.arange(n)
    if prior:
        expect(study, np.concatenate([np.full(20, np.nan), prior.means, np.full(34 - n, np.nan)]), prior.worlds)
    padded = np.zeros((len(results), study["sums"].shape[1]))
    padded[:, :n] = results
    note_worlds(study, padded, doubt)
    return study[0]


def is_behind(results: NDArray[np.float64], doubt: float, prior: Prior) -> NDArray[np.bool_]:
    """Return which moves are behind the best by more than `doubt` standard errors of the difference.

    Worlds expected and tried make the means; the tried ones tell how much worlds differ.
    """
    n = len(results) + prior.worlds
    means = np.vstack([results, np.tile(prior.means, (prior.worlds, 1))]).mean(axis=0)
    best = means.argmax()
    spread = (results[:, [best]] - results).var(axis=0) + FLOOR / len(results)
    return means[best] - means > doubt * np.sqrt(spread / n)


@pytest.mark.parametrize("doubt", [0.5, 1.0, 2.5])
@pytest.mark.parametrize("has_prior", [False, True])
def test_moves_that_are_clearly_worse_are_put_out_of_question(doubt: float, has_prior: bool) -> None:
    """The same as by NumPy's formulas, of results that go up and down together as in equal worlds."""
    rng = np.random.default_rng(1)
    n_dropped = 0
    for _ in range(300):
        n_worlds, n_moves = int(rng.integers(MIN_WORLDS, 60)), int(rng.integers(2, 12))
        results = np.round(
            rng.normal(0, 9, (n_worlds, 1)) + rng.normal(rng.normal(0, 2, n_moves), 3, (n_worlds, n_moves))
        )
        prior = Prior(np.round(rng.normal(0, 2, n_moves)), int(rng.integers(1, 40)) if has_prior else 0)
        study, expected = noted(results, doubt, prior), is_behind(results, doubt, prior)
        np.testing.assert_array_equal(study["in_question"][:n_moves] == 0, expected)
        assert study["n_in_question"] == n_moves - expected.sum() > 0
        np.testing.assert_allclose(study["sums"][:n_moves], results.sum(axis=0) + prior.worlds * prior.means)
        assert (study["visits"][:n_moves] == n_worlds + prior.worlds).all() and study["tried"] == n_worlds * n_moves
        n_dropped += int(expected.sum())
    assert n_dropped > 300


def test_nothing_is_put_out_of_question_without_doubt_or_after_few_worlds() -> None:
    results = np.tile([0.0, -20.0], (MIN_WORLDS, 1))
    assert noted(results, 2.5)["n_in_question"] == 1
    assert noted(results, 0.0)["n_in_question"] == 2
    assert noted(results[1:], 2.5)["n_in_question"] == 2
    assert noted(np.tile([0.0, -0.1], (MIN_WORLDS, 1)), 2.5)["n_in_question"] == 2, "a few equal worlds prove nothing"


def test_a_move_out_of_question_is_tried_no_more() -> None:
    study = np.zeros(1, STUDY)
    study["n_moves"], study["n_in_question"], study["in_question"][0, :3] = 3, 3, 1
    results = np.zeros((MIN_WORLDS, study["sums"].shape[1]))
    results[:, :3] = [1.0, -30.0, 0.9]
    note_worlds(study, results, 2.5)
    assert study["in_question"][0, :3].tolist() == [1, 0, 1]
    note_worlds(study, results, 2.5)
    assert study["visits"][0, :3].tolist() == [2 * MIN_WORLDS, MIN_WORLDS, 2 * MIN_WORLDS]
    assert study["tried"][0] == 5 * MIN_WORLDS
    assert study["sums"][0, 1] == -30.0 * MIN_WORLDS
