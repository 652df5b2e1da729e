"""Composed positions: last tricks with one best play, which the solver proves and search finds."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

import agents
from agents.endgame import solve
from rk_env import Engine, Rules
from rk_env.cards import card_text
from rk_env.jit import routine
from rk_env.settings import MAX_SEATS
from rk_env.state import GAME, MAX_PLAYS
from tests import composed
from tests.composed import Position, Situation
from tests.generators import NUMBER_OF, hands_of, legal_of
from tests.playing import play_on
from tests.searching import Games

POSITIONS = composed.read()
SEEDS = 3
"""Seeds with which each position is searched."""


def set_up(position: Position) -> Engine:
    """Return the game of a position, played up to its decision."""
    n = position.players
    opens = next(seat for seat, hand in enumerate(position.deal) if position.plays[0] in hand)
    engine = Engine(Rules(players=n, passing="none"), 1, seed=0)
    engine.deal([" ".join(hand) for hand in position.deal], dealer=(opens - 1) % n)
    for card in position.plays:
        engine.step(np.array([NUMBER_OF[card]]))
    return engine


def test_there_are_enough_of_all_themes_and_tables() -> None:
    themes = Counter(position.theme for position in POSITIONS)
    tables = Counter(position.players for position in POSITIONS)
    print(themes, tables)
    assert len(POSITIONS) >= 50 and len(set(POSITIONS)) == len(POSITIONS)
    assert len(themes) == 6 and min(themes.values()) >= 6
    assert set(tables) == {3, 4, 5, 6} and tables[4] > len(POSITIONS) / 2


def test_the_file_says_what_the_games_are() -> None:
    written = "\n\n".join(composed.write(position) for position in POSITIONS)
    comments, _, rest = composed.FILE.read_text().partition("\n\n")
    assert comments.startswith("#") and written == rest.strip()
    for position in POSITIONS:
        s, _ = composed.replay(position)
        engine = set_up(position)
        assert [set(hand) for hand in hands_of(engine)] == [set(hand) for hand in s.hands]
        assert engine.turn[0] == s.turn and engine.captured_points[0].tolist() == list(s.points)
        assert legal_of(engine) == set(composed.legal(s)) and len(legal_of(engine)) > 1
        assert 2 <= engine.rules.hand_size - int(engine.games["trick"][0]) <= 4


def test_the_best_card_is_best_in_every_deal() -> None:
    """Better than any other by a point, whatever ties others break."""
    for position in POSITIONS:
        assert composed.margin_everywhere(position, position.best) >= 1 - 1e-9, position


def missed(spec: str, positions: list[Position] = POSITIONS) -> list[str]:
    """Return in which positions an agent plays another card, with any of some seeds."""
    player, faults = agents.make(spec), []
    for number, position in enumerate(positions):
        engine = set_up(position)
        views = engine.view(engine.turn).repeat(SEEDS)
        cards = {card_text(int(card)) for card in player.act(views, engine.rules, np.arange(SEEDS, dtype=np.uint64))}
        if cards != {position.best}:
            faults.append(f"{number} ({position.theme}, {position.players} players): {cards}, not {position.best}")
    return faults


@pytest.mark.parametrize("spec", ["pimc:endgame=4,simulations=60", "pimc:endgame=4,simulations=12,doubt=0"])
def test_worlds_solved_show_the_best_card(spec: str) -> None:
    assert missed(spec) == []


def test_a_tree_shows_the_best_card() -> None:
    """With a few hundred simulations a few are missed, with thousands none."""
    assert missed("ismcts:simulations=5000") == []
    assert len(missed("ismcts:simulations=500")) < len(POSITIONS) / 10


def test_worlds_played_out_by_rules_show_the_best_card_where_rules_play_well() -> None:
    """However many: who counts on others, and on itself, to play on as the rule player does is wrong at times."""
    faults = missed("pimc:simulations=2000")
    assert faults == missed("pimc:simulations=400")
    assert len(faults) < len(POSITIONS) / 5


def test_a_rule_player_misses_many() -> None:
    """Else they would prove nothing."""
    assert len(missed("rule_based")) >= len(POSITIONS) / 2


# The solver and that of the search


@routine
def solve_game(games: Games, rules: Games, values: np.ndarray) -> None:
    line = np.zeros(MAX_PLAYS, GAME)
    left = np.zeros(MAX_PLAYS, np.uint64)
    work = np.zeros((MAX_PLAYS, MAX_SEATS), np.float64)
    line[0] = games[0]
    solve(line, left, work, rules[0])
    values[:] = work[0]


def situation(engine: Engine) -> Situation:
    game = engine.games[0]
    seats = (int(game["leader"]) + np.arange(int(game["n_table"]))) % engine.rules.players
    return Situation(
        hands=tuple(map(tuple, hands_of(engine))),
        table=tuple(card_text(int(game["table"][seat])) for seat in seats),
        leader=int(game["leader"]),
        points=tuple(engine.captured_points[0].tolist()),
        broken=bool(game["hearts_broken"]),
    )


def check_solver(seed: int, n_hands: int, most_tricks: int) -> None:
    """Both solvers agree on the value of random last tricks: that of the search is one of all that ties may lead to."""
    rng, chance = Random(seed), np.random.default_rng(seed)
    n_open = 0
    for _ in range(n_hands):
        rules = Rules(players=rng.choice([3, 4, 4, 5, 6]), passing="none", moon=rng.choice(["old", "new"]))
        engine = Engine(rules, 1, seed=rng.getrandbits(32), episode="hand")
        tricks = rng.randint(2, most_tricks)
        play_on(engine, chance, (rules.hand_size - tricks) * rules.players + rng.randrange(rules.players))
        s = situation(engine)
        composed.outcomes.cache_clear()
        ends = composed.outcomes(s)
        values = np.zeros(MAX_SEATS)
        solve_game(engine.games, rules.array, values)
        expected = [[composed.payoff(end, seat) for seat in range(rules.players)] for end in ends]
        assert any(np.allclose(values[: rules.players], row) for row in expected), (s, values, expected)
        n_open += len({row[s.turn] for row in expected}) > 1 or len(ends) > 1
    print(f"{n_open} of {n_hands} with ties that matter")


def test_the_last_tricks_are_solved_as_an_obvious_solver_does() -> None:
    check_solver(seed=1, n_hands=30, most_tricks=3)


@pytest.mark.slow
def test_the_last_four_tricks_are_solved_as_an_obvious_solver_does() -> None:
    check_solver(seed=2, n_hands=100, most_tricks=4)
