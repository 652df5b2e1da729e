"""Hands of self-play, collected for the learner.

All games are played in lockstep from the deal to the end of the hand, by one network and whoever sits beside it. Moves
without a choice are made in compiled code and never reach the network or the learner; neither do those of others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from agents.inputs import Inputs
from rk_env.engine import Engine
from rk_env.jit import kernel
from rk_env.kernels import flow
from rk_env.kernels.bits import lowest, popcount
from rk_env.players import Player, choose, decision_seeds
from rk_env.rules import Rules
from rk_env.state import HAND_OVER, N_ACTIONS, NO_ACTION, Phase
from training.league import Lineup
from training.network import Network, States
from training.trials import PASSES_TRIED, Trials

PAYOFF_SCALE = 10.0
"""Points of payoff that are one unit to the learner."""


@kernel
def play_forced(games: Any, rules: Any) -> None:
    """Make every move that leaves no choice, until each game has a choice or its hand is over."""
    for i in range(games.shape[0]):
        g = games[i]
        while g.phase < HAND_OVER:
            legal = flow.legal_actions(g, rules[0])
            if popcount(legal) > 1:
                break
            flow.apply_action(g, rules[0], lowest(legal))


@kernel
def fill_advantages(
    games: NDArray[np.int64],
    seats: NDArray[np.int64],
    values: NDArray[np.float32],
    results: NDArray[np.float64],
    decay: float,
    advantages: NDArray[np.float32],
    returns: NDArray[np.float32],
) -> None:
    """Fill generalised advantages and value targets (Schulman et al. 2016), without discount, seat by seat.

    Args:
        games: game of each decision, (N,), in the order of play.
        seats: seat of each decision, (N,).
        values: critic's value of each decision, (N,).
        results: what each seat's hand came to, (games, P).
        decay: lambda.
        advantages: to fill, (N,).
        returns: to fill, (N,).
    """
    next_value = results.copy()
    next_advantage = np.zeros_like(results)
    for i in range(games.shape[0] - 1, -1, -1):
        game, seat = games[i], seats[i]
        advantage = next_value[game, seat] - values[i] + decay * next_advantage[game, seat]
        next_value[game, seat] = values[i]
        next_advantage[game, seat] = advantage
        advantages[i] = advantage
        returns[i] = advantage + values[i]


@dataclass
class Rollout:
    """Decisions of whole hands, in the order of play; N decisions."""

    observations: torch.Tensor  # (N, D) float32
    states: torch.Tensor  # (N, S) float32, what the critic sees
    masks: torch.Tensor  # (N, 54) bool
    actions: torch.Tensor  # (N,) int64
    log_probabilities: torch.Tensor  # (N,) float32, when they were chosen
    advantages: torch.Tensor  # (N,) float32
    returns: torch.Tensor  # (N,) float32
    payoffs: torch.Tensor  # (games, P) float64, points
    worths: torch.Tensor  # (N, 54) float32, what each move is worth, in points; (N, 0) when nobody told

    def __len__(self) -> int:
        return len(self.actions)

    def minibatches(self, count: int, generator: torch.Generator) -> Iterator[Rollout]:
        """Yield all decisions in random order, in `count` parts, as tensors that the next ones overwrite.

        New memory for each part would take as long to get as a quarter of the arithmetic on it.
        """
        columns = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "payoffs"}
        largest = -(-len(self) // count)
        buffers = {name: column.new_empty(largest, *column.shape[1:]) for name, column in columns.items()}
        for index in torch.tensor_split(torch.randperm(len(self), generator=generator), count):
            for name, column in columns.items():
                torch.index_select(column, 0, index, out=buffers[name][: len(index)])
            rows = {name: buffer[: len(index)] for name, buffer in buffers.items()}
            yield Rollout(**rows, payoffs=self.payoffs)


class Collector:
    """Plays hands with a network and keeps what the learner needs, in buffers made once.

    Args:
        rules: the rules.
        num_games: games in lockstep.
        inputs: what the network reads.
    """

    def __init__(self, rules: Rules, num_games: int, inputs: Inputs) -> None:
        self.rules = rules
        self.num_games = num_games
        self.inputs = inputs
        capacity = num_games * (rules.hand_size * rules.players + 3 * rules.players + 1)
        self._observations = np.empty((capacity, inputs.size), np.float32)
        self._seen_by_critic = States(inputs.layout)
        self._states = np.empty((capacity, self._seen_by_critic.size), np.float32)
        self._masks = np.empty((capacity, N_ACTIONS), np.int8)
        self._games = np.empty(capacity, np.int64)
        self._seats = np.empty(capacity, np.int64)
        self._actions = torch.empty(capacity, dtype=torch.int64)
        self._log_probabilities = torch.empty(capacity)
        self._values = torch.empty(capacity)
        self._advantages = np.empty(capacity, np.float32)
        self._returns = np.empty(capacity, np.float32)
        self._worths = np.empty((capacity, N_ACTIONS), np.float32)

    def collect(
        self,
        network: Network,
        seed: int,
        decay: float,
        autocast: Any,
        lineup: Lineup | None = None,
        teacher: Player | None = None,
        trials: Trials | None = None,
    ) -> Rollout:
        """Play one hand in each game and return the network's decisions; the tensors are reused by the next call.

        Args:
            network: chooses, and values.
            seed: of deals and choices; equal seeds and networks give equal hands.
            decay: lambda of the advantages.
            autocast: makes a context in which the network runs.
            lineup: who sits where; None is the network on all seats.
            teacher: decides in the network's stead, which then neither chooses nor values: its log probabilities and
                values are 0 throughout, and with a decay of 1 the returns are what hands paid. None: the network.
            trials: tells what each move is worth; the first player of the lineup then passes for the network wherever
                passes are not tried. None: nobody does.
        """
        lineup = lineup or Lineup([], np.zeros((self.num_games, self.rules.players), np.int64))
        generator = torch.Generator().manual_seed(seed)
        engine = Engine(self.rules, self.num_games, seed=seed, episode="hand")
        going_on = np.arange(self.num_games)
        payoffs = np.zeros((self.num_games, self.rules.players))
        n = 0
        while True:
            play_forced(engine.games, self.rules.array)
            over = engine.games["phase"] >= HAND_OVER
            if over.any():
                payoffs[going_on[over]] = engine.payoffs[over]
                going_on = going_on[~over]
                if not len(going_on):
                    break
                engine = Engine.from_games(engine.games[~over], self.rules)
            seats = lineup.seats[going_on]
            turn = engine.turn.astype(np.int64)
            own = seats[np.arange(len(going_on)), turn] == 0
            if trials:
                own &= (engine.phase != Phase.PASS) | (going_on % PASSES_TRIED == 0)
            actions = self._choices_of_others(engine, lineup.players, seats, ~own, going_on, seed)
            part = slice(n, n + int(own.sum()))
            if own.any():
                self._games[part] = going_on[own]
                self._see(engine, turn, seats, own, part)
                if trials:
                    index = np.flatnonzero(own)
                    trials.fill(engine, index, decision_seeds(seed, going_on, engine.games)[index], self._worths[part])
                if teacher is None:
                    actions[own] = self._decide(network, part, generator, autocast)
                else:
                    actions[own] = self._be_taught(teacher, engine, own, part, going_on, seed)
            engine.step(actions)
            n = part.stop
        return self._rollout(n, payoffs, decay, self._worths[:n] if trials else self._worths[:n, :0])

    def _rollout(self, n: int, payoffs: NDArray[np.float64], decay: float, worths: NDArray[np.float32]) -> Rollout:
        """Return the first n rows, with their advantages, of hands that came to `payoffs`."""
        fill_advantages(
            self._games[:n],
            self._seats[:n],
            self._values.numpy()[:n],
            payoffs / PAYOFF_SCALE,
            decay,
            self._advantages[:n],
            self._returns[:n],
        )
        return Rollout(
            torch.from_numpy(self._observations[:n]),
            torch.from_numpy(self._states[:n]),
            torch.from_numpy(self._masks[:n]).bool(),
            self._actions[:n],
            self._log_probabilities[:n],
            torch.from_numpy(self._advantages[:n]),
            torch.from_numpy(self._returns[:n]),
            torch.from_numpy(payoffs),
            torch.from_numpy(worths),
        )

    def _choices_of_others(
        self,
        engine: Engine,
        players: list[Player],
        seats: NDArray[np.int64],
        is_theirs: NDArray[np.bool_],
        ids: NDArray[np.int64],
        seed: int,
    ) -> NDArray[np.int64]:
        """Return the actions of whoever is not the network, (B,), -1 where it is."""
        if not is_theirs.any():
            return np.full(len(engine), NO_ACTION, np.int64)
        seeds = decision_seeds(seed, ids, engine.games)
        return choose(engine, players, np.maximum(seats - 1, 0), seeds, games=is_theirs)

    def _see(
        self,
        engine: Engine,
        turn: NDArray[np.int64],
        seats: NDArray[np.int64],
        own: NDArray[np.bool_],
        part: slice,
    ) -> None:
        """Note in the rows `part` what the network's seats to act, and the critic, see."""
        games, turn, seats = engine.games[own], turn[own], seats[own]
        observations = self.inputs.encode(games, self.rules, turn, out=self._observations[part])
        self._seen_by_critic.fill(games, self.rules, turn, seats != 0, observations, self._states[part])
        self._masks[part] = engine.action_mask(revokes=False)[own]  # learners play by the book
        self._seats[part] = turn

    @torch.no_grad()
    def _decide(self, network: Network, part: slice, generator: torch.Generator, autocast: Any) -> NDArray[np.int64]:
        """Return what the network draws for the rows `part`, and note it."""
        observations = torch.from_numpy(self._observations[part])
        with autocast():
            logs = network.log_probabilities(observations, torch.from_numpy(self._masks[part]).bool())
            values = network.values(torch.from_numpy(self._states[part]))
        actions = torch.multinomial(logs.exp(), 1, generator=generator)
        self._actions[part] = actions.squeeze(1)
        self._log_probabilities[part] = logs.gather(1, actions).squeeze(1)
        self._values[part] = values
        chosen: NDArray[np.int64] = actions.squeeze(1).numpy()
        return chosen

    def _be_taught(
        self,
        teacher: Player,
        engine: Engine,
        own: NDArray[np.bool_],
        part: slice,
        ids: NDArray[np.int64],
        seed: int,
    ) -> NDArray[np.int64]:
        """Return what a teacher does where it is the network's turn, and note it in the rows `part`."""
        everybody = np.ones((len(engine), self.rules.players), np.int64)
        chosen = self._choices_of_others(engine, [teacher], everybody, own, ids, seed)[own]
        self._actions[part] = torch.from_numpy(chosen)
        self._log_probabilities[part] = 0.0
        self._values[part] = 0.0
        return chosen
