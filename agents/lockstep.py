"""Playing worlds out with any player, all worlds of a block side by side: a network, or an agent of somebody else."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.belief import Belief, likely_worlds
from agents.playout import begin_passes
from agents.study import note_worlds
from rk_env.engine import Engine
from rk_env.players import Player, choose, decision_seeds
from rk_env.rules import Rules
from rk_env.settings import N_PASSED
from rk_env.state import PASS

Games = NDArray[np.void]

BLOCK_WORLDS: Final = 16
"""Worlds played side by side, and between two looks at which moves are still in question."""


def search_worlds_with(
    policy: Player,
    view: Games,
    rules: Rules,
    study: Games,
    seed: np.uint64,
    most: int,
    doubt: float,
    belief: Belief,
) -> bool:
    """Go on with a study as `agents.world_search.search_worlds` does, with any player playing out.

    Args:
        policy: the player.
        view: what the seat to act sees, (1,).
        rules: the rules.
        study: begun, (1,).
        seed: of the decision.
        most: how many moves to try, counted from the beginning of the study.
        doubt: standard errors by which a move is behind when it is put out of question; 0: all are tried to the end.
        belief: which worlds are likely.

    Returns:
        Whether any deal agrees with the view.
    """
    one = study[0]
    while one["n_in_question"] > 1 and one["tried"] + one["n_in_question"] <= most:
        n = min(BLOCK_WORLDS, int(most - one["tried"]) // int(one["n_in_question"]))
        worlds, first = view.repeat(n), int(one["worlds"] - one["prior_worlds"])
        if not likely_worlds(view, rules.array, worlds, seed, first, belief):
            return False
        moves = np.flatnonzero(one["in_question"])
        results = np.zeros((n, len(one["sums"])))
        results[:, moves] = play_out_moves(policy, worlds, rules, one["moves"][moves], int(seed), first)
        note_worlds(study, results, doubt)
    return True


def play_out_moves(
    policy: Player, worlds: Games, rules: Rules, moves: NDArray[np.int8], seed: int, first: int
) -> NDArray[np.float64]:
    """Return the payoffs of the seat to act for each move in each of `worlds` (n,), shape (n, moves).

    The player is handed views, as everywhere, and the same seeds in one world whatever the move.
    """
    seat, is_pass = int(worlds["turn"][0]), bool(worlds["phase"][0] == PASS)
    games = worlds.repeat(len(moves))
    if is_pass:
        begin_passes(games, rules.array)
    engine = Engine.from_games(games, rules)
    given = np.tile(moves, (len(worlds), 1)).astype(np.int64)
    ids = np.repeat(np.arange(first, first + len(worlds)), len(moves))
    if not is_pass:
        engine.step(given[:, 0])
    lineup = np.zeros((len(games), rules.players), np.int64)
    while (engine.turn >= 0).any():
        passes = is_pass & (engine.phase == PASS) & (engine.turn == seat)
        actions = choose(engine, [policy], lineup, decision_seeds(seed, ids, engine.games), games=~passes)
        picks = engine.games["n_picks"] % N_PASSED
        engine.step(np.where(passes, given[np.arange(len(games)), picks], actions))
    return engine.payoffs[:, seat].reshape(len(worlds), len(moves))
