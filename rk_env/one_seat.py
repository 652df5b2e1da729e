"""Games played from one seat, the others taken by opponents: what the Gymnasium and SB3 environments share.

An environment is a game here with a random stream of its own, so that what happens in it depends neither on how many
there are nor on the others. Each episode takes the same few numbers from that stream: the deal's seed, a number for the
opponents' decisions, the seat, and who sits at each of the other seats.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from gymnasium.utils.seeding import np_random
from numpy.typing import NDArray

from rk_env import players, rewards
from rk_env.arguments import as_array, check_choice
from rk_env.engine import Engine, Episode
from rk_env.errors import DealError, IllegalActionError, RulesError
from rk_env.inputs import as_seats, as_seeds, checked_rules
from rk_env.opponents import Opponents, OpponentsLike
from rk_env.reset_options import deal_given
from rk_env.rules import Rules
from rk_env.state import GAME_OVER, HAND_OVER, N_ACTIONS

ILLEGAL = ("terminate", "raise")
"""What an illegal action may lead to."""
_OPPONENTS_SEED = 0  # one for all: the number drawn for an episode tells its decisions apart


class OneSeat:
    """B games, in each of which one seat is asked and opponents answer for the others.

    Attributes:
        engine: the games.
        seats: the seat that is asked, (B,) int64.
        is_over: where no episode is under way, (B,) bool.
        streams: each game's random stream; none before the first `reset`.
        reward: what episodes are rewarded by.
    """

    def __init__(
        self,
        num_games: int,
        rules: Rules | None = None,
        opponents: OpponentsLike = "random",
        seat: int | None = None,
        episode: Episode = "hand",
        reward: rewards.Reward | None = None,
        *,
        illegal: str = "terminate",
        illegal_reward: float | None = None,
        uniform_observations: bool = False,
    ) -> None:
        self.reward = rewards.checked_reward(reward, episode)
        check_choice("illegal", illegal, ILLEGAL)
        self.illegal, self.episode = illegal, episode
        self.illegal_reward = rewards.checked_illegal_reward(illegal_reward, self.reward, episode)
        self.rules = checked_rules(rules)
        if type(num_games) is int and num_games < 1:
            raise RulesError(f"{num_games} environments; one or more are needed")
        self.seat = None if seat is None else int(as_seats(seat, 1, self.rules.players)[0])
        self.opponents = Opponents.parse(opponents, self.rules.players)
        self.engine = Engine(self.rules, num_games, seed=0, episode=episode, uniform_observations=uniform_observations)
        self.seats = np.zeros(num_games, np.int64)
        self.is_over = np.ones(num_games, np.bool_)
        self.streams: list[np.random.Generator] = []
        self._players = list(self.opponents.players)
        self._first_player = 0  # of `opponents` among `_players`; those before it still sit in episodes under way
        self._lineup = np.zeros((num_games, self.rules.players), np.int64)
        self._ids = np.zeros(num_games, np.int64)
        self._totals_before = np.zeros((num_games, self.rules.players), np.int64)

    def seat_opponents(self, opponents: OpponentsLike) -> None:
        """Let others sit down as episodes begin; episodes under way keep theirs.

        Raises:
            PlayerError: when they are no opponents for this table.
        """
        new = Opponents.parse(opponents, self.rules.players)
        still_seated = np.unique(self._lineup)
        self._lineup = np.searchsorted(still_seated, self._lineup)
        self._players = [self._players[k] for k in still_seated] + list(new.players)
        self._first_player = len(still_seated)
        self.opponents = new

    @contextlib.contextmanager
    def unchanged_on_error(self) -> Iterator[None]:
        """Undo what was done in the games when something raises in between: options, an opponent, a user who stops it.

        Random streams that episodes begun in between have drawn from go on from there.
        """
        changing = (self.engine.games, self.seats, self.is_over, self._lineup, self._ids, self._totals_before)
        kept = [array.copy() for array in changing]
        try:
            yield
        except BaseException:
            for array, was in zip(changing, kept, strict=True):
                array[...] = was
            raise

    # The course of an episode.

    def reset(self, seeds: Sequence[Any], given: Sequence[dict[str, Any]]) -> None:
        """Begin an episode in every game.

        Args:
            seeds: the deal's seed in each, with which its random stream begins anew too; None goes on with the stream.
            given: reset options of each, which have been checked.

        Raises:
            SeedError: when a seed is no whole number of 64 bits.
            DealError: when the options make no deal, or one in which the seat that is asked never acts.
                In either case nothing changes.
        """
        checked = [None if seed is None else int(as_seeds([seed])[0]) for seed in seeds]
        streams = [
            self.streams[i] if seed is None and self.streams else np_random(seed)[0] for i, seed in enumerate(checked)
        ]
        states = [stream.bit_generator.state for stream in streams]
        try:
            with self.unchanged_on_error():
                self._begin(np.arange(len(streams)), streams, checked, given)
        except BaseException:
            for stream, state in zip(streams, states, strict=True):
                stream.bit_generator.state = state
            raise
        self.streams = streams

    def begin_next(self, games: NDArray[np.int64]) -> None:
        """Begin the next episodes of some games, of which N are chosen by index."""
        if len(games):
            self._begin(games, [self.streams[i] for i in games], [None] * len(games), [{}] * len(games))

    def _begin(
        self,
        games: NDArray[np.int64],
        streams: Sequence[np.random.Generator],
        seeds: Sequence[int | None],
        given: Sequence[dict[str, Any]],
    ) -> None:
        """Begin episodes in N games, and let opponents play until a seat that is asked is to act."""
        n_seats = self.rules.players
        drawn = np.array([stream.integers(2**63, size=n_seats + 2) for stream in streams])
        of_deal = np.array([int(d) if s is None else s for s, d in zip(seeds, drawn[:, 0], strict=True)], np.uint64)
        self.engine.reset(games=games, seeds=of_deal)
        for game, options in zip(games.tolist(), given, strict=True):
            deal_given(self.engine, options, self.episode, game)
        self._ids[games] = drawn[:, 1]
        self.seats[games] = drawn[:, 2] % n_seats if self.seat is None else self.seat
        others = (self.seats[games][:, None] + np.arange(1, n_seats)) % n_seats
        self._lineup[games[:, None], others] = self._first_player + self.opponents.draw(drawn[:, 3:])
        self._lineup[games, self.seats[games]] = self._first_player  # never asked
        self._totals_before[games] = self.engine.totals[games]
        self.is_over[games] = False
        self._play_others(games)
        if any(given) and self._has_ended(games).any():
            seat = int(self.seats[games[self._has_ended(games)][0]])
            raise DealError(f"seat {seat} never acts in this deal: it sits out, and the game ends")

    def step(
        self, actions: NDArray[np.int64], games: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Do the actions, and let opponents play until a seat that is asked is to act, or the episode ends.

        Args:
            actions: one for each of the games, (N,).
            games: their indices; in each the seat that is asked is to act.

        Returns:
            rewards: (N,), 0 but where the episode ends.
            ended: (N,); also where an illegal action ended it, which leaves the game as it was.

        Raises:
            IllegalActionError: when an action is out of range, or not legal under `illegal="raise"`. Nothing changes.
        """
        legal = self._legal(actions, games)
        paid = np.where(legal, 0.0, self.illegal_reward)
        played = games[legal]
        self.engine.step(actions[legal], games=played)
        self._play_others(played)
        ended = ~legal
        ended[legal] = self._has_ended(played)
        if (ended & legal).any():
            paid[ended & legal] = self._rewards(games[ended & legal])
        self.is_over[games] = ended
        return paid, ended

    def checked_actions(self, actions: Any) -> NDArray[np.int64]:
        """Return the actions of all games, (B,) int64; whether they are legal is for `step` to say.

        Raises:
            IllegalActionError: when they are no (B,) whole numbers, or no episode has begun yet.
        """
        array, n = as_array("actions", actions, IllegalActionError), len(self.engine)
        if not self.streams:
            raise IllegalActionError("step() before reset(): reset() begins the first episodes")
        if array.shape != (n,) or array.dtype.kind not in "iu":
            raise IllegalActionError(
                f"actions are {array.dtype} of shape {array.shape}; ({n},) whole numbers are needed"
            )
        return array.astype(np.int64)

    def _legal(self, actions: NDArray[np.int64], games: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell which actions are legal, (N,).

        Raises:
            IllegalActionError: as `step`.
        """
        in_range = (actions >= 0) & (actions < N_ACTIONS)
        legal = in_range.copy()
        legal[in_range] = self.engine.action_mask()[games[in_range], actions[in_range]] == 1
        if not in_range.all():
            k = int((~in_range).argmax())
            seat = int(self.seats[games[k]])
            raise IllegalActionError(
                f"game {games[k]}, seat {seat}: {actions[k]} is no action; allowed: 0 to {N_ACTIONS - 1}",
                int(games[k]),
                seat,
                int(actions[k]),
            )
        if self.illegal == "raise" and not legal.all():
            self.engine.step(actions, games=games)  # names the first offender
        return legal

    def _play_others(self, games: NDArray[np.int64]) -> None:
        """Let opponents play in some games, and deal on in whole games, until a seat that is asked is to act."""
        waiting = games
        while True:
            if self.episode == "game" and (self.engine.games["phase"][waiting] == HAND_OVER).any():
                self.engine.next_hand()
            turn = self.engine.games["turn"][waiting]
            waiting = waiting[(turn >= 0) & (turn != self.seats[waiting])]
            if not len(waiting):
                return
            seeds = players.decision_seeds(_OPPONENTS_SEED, self._ids, self.engine.games)
            chosen = players.choose(self.engine, self._players, self._lineup, seeds, games=waiting)
            self.engine.step(chosen[waiting], games=waiting)

    def _has_ended(self, games: NDArray[np.int64]) -> NDArray[np.bool_]:
        return self.engine.games["phase"][games] >= (HAND_OVER if self.episode == "hand" else GAME_OVER)

    def _rewards(self, games: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what the episodes pay the seats that are asked, (N,)."""
        paid = rewards.of_episodes(self.engine, self.reward, self.episode, self._totals_before)
        return paid[games, self.seats[games]]

    # What there is to see.

    def observe(self) -> NDArray[np.float32]:
        """Return what the seats that are asked see, fresh, (B, D)."""
        return self.engine.observe(self.seats)

    def observe_some(self, games: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return what the seats that are asked see in some games, fresh, (N, D)."""
        return self.engine.layout.encode(self.engine.games[games], self.rules, self.seats[games])

    def masks(self) -> NDArray[np.int8]:
        """Return their legal actions, fresh, (B, 54); all zero where the episode is over."""
        masks = self.engine.action_mask()
        masks[self.is_over] = 0
        return masks


class SeatEnvironment:
    """What environments on `OneSeat` offer beside the interface of their library."""

    _games: OneSeat

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now, fresh, (B, 54) bool; all false where the episode is over."""
        return self._games.masks() == 1

    def seat_opponents(self, opponents: OpponentsLike) -> None:
        """Let others sit down as episodes begin; episodes under way keep theirs.

        Raises:
            PlayerError: when they are no opponents for this table.
        """
        self._games.seat_opponents(opponents)
