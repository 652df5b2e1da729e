"""All seats of many games at once, for training by self-play: who acts, what they see and may do, what they are due.

PettingZoo's interface plays one game, those of Gymnasium one seat. Here every step asks, in every game, the seat whose
turn it is, whichever that is, and pays all seats when an episode ends.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rk_env import rewards
from rk_env.engine import Engine, Episode
from rk_env.inputs import checked_rules
from rk_env.kernels import batch
from rk_env.rules import Rules
from rk_env.state import GAME_OVER, HAND_OVER


@dataclass(frozen=True, eq=False)
class Turn:
    """What a step leads to; all arrays are fresh.

    Attributes:
        seats: the seat to act, (B,) int64; it may be that of the turn before.
        observations: what it sees, (B, D) float32.
        masks: its legal actions, (B, 54) int8, never all zero; as in `Engine.action_mask`, revokes too where the rules
            let them happen.
        rewards: what the step paid every seat, (B, P) float64: 0 but where an episode ended.
        ended: where an episode ended, (B,) bool; `seats` and what follows belong to the next one.
    """

    seats: NDArray[np.int64]
    observations: NDArray[np.float32]
    masks: NDArray[np.int8]
    rewards: NDArray[np.float64]
    ended: NDArray[np.bool_]


class SelfPlay:
    """B games without end: where an episode is over, the next begins in the same step.

    Args:
        rules: the rules.
        num_games: B.
        seed: what all deals are made from; None draws it. What happens in a game depends on its index, the seed and the
            actions in it alone, not on B.
        episode: "hand" or "game"; hands draw their pass direction and dealer evenly.
        reward: "payoff" (default for hands), "points", "win_share" (default for games) or "rank".
        uniform_observations: observations have one layout for all player counts, with two decks another one.

    Attributes:
        engine: the games; read it, and let `step` change it.

    Raises:
        RulesError: when an argument is not allowed.
        SeedError: when `seed` is no whole number of 64 bits.
    """

    def __init__(
        self,
        rules: Rules | None = None,
        num_games: int = 1024,
        seed: int | None = None,
        episode: Episode = "hand",
        reward: rewards.Reward | None = None,
        *,
        uniform_observations: bool = False,
    ) -> None:
        self.reward = rewards.checked_reward(reward, episode)
        self.rules, self.episode = checked_rules(rules), episode
        self.engine = Engine(self.rules, num_games, seed=0, episode=episode, uniform_observations=uniform_observations)
        self._deal_first(seed)

    def reset(self, seed: int | None = None) -> Turn:
        """Begin all games anew, and return the first turn.

        Args:
            seed: the first episodes are those of `Engine(rules, num_games, seed=seed)`; None begins the next episode in
                every game, as if all had ended.

        Raises:
            SeedError: when `seed` is no whole number of 64 bits.
        """
        if seed is None:
            self._begin(np.arange(len(self.engine)))
        else:
            self._deal_first(seed)
        return self.turn()

    def _deal_first(self, seed: int | None) -> None:
        self.engine.reset(seed=seed)
        self._first_seeds = self.engine.games["seed"].copy()
        self._episodes = np.zeros(len(self.engine), np.int64)

    def turn(self) -> Turn:
        """Return who is to act and what they see, as the last step did, with nothing paid."""
        n, seats = len(self.engine), self.rules.players
        return self._turn(np.zeros((n, seats)), np.zeros(n, np.bool_))

    def step(self, actions: ArrayLike) -> Turn:
        """Do an action in each game, deal on where a hand of a game is over, and begin the next episodes.

        Args:
            actions: one for the seat to act in each game, (B,) whole numbers.

        Raises:
            IllegalActionError: when they are none, or one is not legal. Nothing changes, and nothing is paid.
        """
        engine = self.engine
        engine.step(actions)
        if self.episode == "game":
            engine.next_hand()
        ended = engine.games["phase"] >= (HAND_OVER if self.episode == "hand" else GAME_OVER)
        paid = np.zeros((len(engine), self.rules.players))
        if ended.any():
            paid[ended] = rewards.of_episodes(engine, self.reward, self.episode)[ended]
            self._begin(np.flatnonzero(ended))
        return self._turn(paid, ended)

    def _begin(self, games: NDArray[np.int64]) -> None:
        """Begin the next episodes; the seed of each depends on the game's first seed and its number there alone."""
        self._episodes[games] += 1
        seeds = np.empty(len(games), np.uint64)
        batch.episode_seeds(self._first_seeds[games], self._episodes[games], seeds)
        self.engine.reset(games=games, seeds=seeds)

    def _turn(self, paid: NDArray[np.float64], ended: NDArray[np.bool_]) -> Turn:
        engine = self.engine
        seats = engine.turn.astype(np.int64)
        return Turn(seats, engine.observe(seats), engine.action_mask(), paid, ended)
