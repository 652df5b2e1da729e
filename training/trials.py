"""What each move of a decision is worth: all are tried in the deal as it is, and played out by a rule player.

The deal is one draw of what the seat does not see, so what a move comes to in it is an unbiased sample of the move's
worth to somebody who sees only the own hand, and goes on as the rule player does. A network that is fitted to such
samples by least squares comes to their mean: one step of policy improvement by rollouts (Tesauro and Galperin 1996;
Lagoudakis and Parr 2003) over the rule player, for all states at once, and without search at the table.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.playout import Rollout, act_on, play_out
from agents.rule_player import RulePlayer
from agents.searching import SearchPlayer, rollout_of
from rk_env.engine import Engine
from rk_env.errors import PlayerError
from rk_env.jit import routine
from rk_env.kernels.bits import EMPTY, ONE, lowest
from rk_env.kernels.flow import legal_actions
from rk_env.kernels.scoring import payoff
from rk_env.players import Player
from rk_env.state import GAME, MOON, N_ACTIONS

PASSES_TRIED: Final = 2
"""In one game of so many the passes are tried: a pass is played out from its beginning, at six times a play's cost."""


@routine
def try_moves(
    games: Any,
    rules: Any,
    seeds: NDArray[np.uint64],
    rollout: Rollout,
    worths: NDArray[np.float32],
) -> None:
    """Fill `worths` (B, 54) with the payoffs, in points, of the seats to act after each legal move; 0 elsewhere.

    Args:
        games: full games, (B,), each with somebody to act.
        rules: (1,).
        seeds: of the rule player's decisions, (B,), the same ones after each move.
        rollout: the rule player, for all seats.
        worths: to fill.
    """
    work = np.zeros(1, GAME)
    r = rules[0]
    for i in range(games.shape[0]):
        worths[i] = 0.0
        seat = int(games[i].turn)
        legal = legal_actions(games[i], r)
        while legal != EMPTY:
            action = lowest(legal)
            legal &= legal - ONE
            work[0] = games[i]
            act_on(work[0], r, action)
            play_out(work[0], r, rollout, seeds[i])
            worths[i, action] = payoff(work[0], r, seat)


class Trials:
    """A teacher that tells what moves are worth: a rule player that plays them out, or a search player's own means.

    Args:
        teacher: the player.

    Raises:
        PlayerError: when it is neither.
    """

    def __init__(self, teacher: Player) -> None:
        if not isinstance(teacher, RulePlayer | SearchPlayer):
            raise PlayerError(f"{teacher.name} cannot teach what moves are worth: neither a rule player nor a search")
        self.teacher = teacher
        self.rollout = teacher.rollout if isinstance(teacher, SearchPlayer) else rollout_of(teacher)

    def fill(
        self, engine: Engine, index: NDArray[np.int64], seeds: NDArray[np.uint64], worths: NDArray[np.float32]
    ) -> None:
        """Fill `worths` (B, 54) with what each legal move is worth, in points, to the seat to act.

        Args:
            engine: games.
            index: which of them, (B,); somebody is to act in each.
            seeds: of the teacher's decisions, (B,).
            worths: to fill; 0 where a move is not legal.
        """
        games = engine.games[index]
        if not isinstance(self.teacher, SearchPlayer):
            try_moves(games, engine.rules.array, seeds, self.rollout, worths)
            return
        worths[:] = self.teacher.evaluate(engine.view(engine.turn[index], index), engine.rules, seeds)[1]
        choices = np.flatnonzero(games["phase"] == MOON)  # of which a search tells the share of the win, not points
        if len(choices):
            tried = np.empty((len(choices), N_ACTIONS), np.float32)
            try_moves(games[choices], engine.rules.array, seeds[choices], self.rollout, tried)
            worths[choices] = tried
