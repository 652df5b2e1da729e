"""Many games from one seat each as one Gymnasium vector environment, straight on the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from rk_env import rewards
from rk_env.arguments import check_choice
from rk_env.engine import Episode
from rk_env.errors import RulesError, SeedError
from rk_env.inputs import as_seeds
from rk_env.one_seat import OneSeat, SeatEnvironment
from rk_env.opponents import OpponentsLike
from rk_env.render import table_text
from rk_env.reset_options import checked_options
from rk_env.rules import Rules
from rk_env.spaces import MaskIn, seen_space
from rk_env.state import N_ACTIONS

AUTORESETS: Final = {"same_step": AutoresetMode.SAME_STEP, "next_step": AutoresetMode.NEXT_STEP}
"""When an environment whose episode is over begins the next."""


class RicketyKateVector(SeatEnvironment, VectorEnv[Any, NDArray[np.int64], NDArray[Any]]):
    """B environments of one seat each, `rk_env.gym_env.RicketyKateSeat`, in one engine.

    Step for step it gives what Gymnasium's `SyncVectorEnv` of B such environments gives under the same autoreset mode,
    `info` included, and every array is fresh.

    Args:
        num_envs: B.
        rules: the rules, as all arguments but the last those of `RicketyKateSeat`.
        opponents: who takes the other seats.
        seat: the seat that is asked; None draws it for each episode.
        episode: "hand" or "game".
        reward: "payoff", "points", "win_share" or "rank".
        render_mode: None, or "ansi": `render` returns a text for each environment.
        illegal: "terminate" or "raise".
        illegal_reward: what an illegal action costs.
        mask_in: "info" or "obs".
        uniform_observations: one layout for all player counts.
        autoreset_mode: "same_step": an environment whose episode ends begins the next in the same step, and
            `infos["final_obs"]` and `infos["final_info"]` hold what the episode ended with; "next_step": the next
            `step` begins it, whatever its action there. Gymnasium's `AutoresetMode` is taken too.

    `reset(seed=s)` gives environment i the seed s + i; a list gives each its own, None or a number.

    Raises:
        RulesError: when an argument is not allowed.
        PlayerError: when the opponents are none.
        SeatError: when the seat is not at the table.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012  # as in Gymnasium

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | None = None,
        opponents: OpponentsLike = "random",
        seat: int | None = None,
        episode: Episode = "hand",
        reward: rewards.Reward | None = None,
        render_mode: str | None = None,
        *,
        illegal: str = "terminate",
        illegal_reward: float | None = None,
        mask_in: MaskIn = "info",
        uniform_observations: bool = False,
        autoreset_mode: str | AutoresetMode = "same_step",
    ) -> None:
        check_choice("render_mode", render_mode, (None, "ansi"))
        self._games = OneSeat(
            num_envs,
            rules,
            opponents,
            seat,
            episode,
            reward,
            illegal=illegal,
            illegal_reward=illegal_reward,
            uniform_observations=uniform_observations,
        )
        self.rules, self.num_envs, self.render_mode = self._games.rules, num_envs, render_mode
        self._mode = _checked_mode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self._mode}
        self._mask_in = mask_in
        self.single_observation_space = seen_space(self._games.engine.layout, mask_in)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.single_action_space = Discrete(N_ACTIONS)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode in every environment; `options` are those of `RicketyKateSeat` and go for all.

        Raises:
            SeedError: when `seed` is no whole number of 64 bits, nor a list of B of them or None.
            DealError: when `options` has other keys than those allowed, or makes no deal. The episodes before go on.
        """
        given = checked_options(options)
        self._games.reset(_spread(seed, self.num_envs), [given] * self.num_envs)
        return self._show()

    def step(
        self, actions: ArrayLike
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Do an action in each environment.

        Args:
            actions: (B,) whole numbers.

        Returns:
            Observations, rewards (B,) float64, terminations and truncations (B,) bool, infos.

        Raises:
            IllegalActionError: when there was no `reset` yet, the actions are no (B,) whole numbers 0 to 53, or one is
                not legal under `illegal="raise"`. Nothing changes.
        """
        games, numbers = self._games, self._games.checked_actions(actions)
        paid, ended, final = np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_), {}
        with games.unchanged_on_error():
            going, over = np.flatnonzero(~games.is_over), np.flatnonzero(games.is_over)
            paid[going], ended[going] = games.step(numbers[going], going)
            if self._mode == AutoresetMode.SAME_STEP:
                over = np.flatnonzero(ended)
                final = self._final(over)
            games.begin_next(over)
        observations, infos = self._show()
        return observations, paid, ended, np.zeros(self.num_envs, np.bool_), infos | final

    def render(self) -> tuple[str, ...] | None:
        """Return what each seat sees of its table as text, with `render_mode="ansi"`; else nothing."""
        if self.render_mode is None:
            return None
        views = self._games.engine.view(self._games.seats)
        return tuple(table_text(view, self.rules) for view in views)

    def _show(self) -> tuple[Any, dict[str, Any]]:
        """Return what all seats that are asked see, and their infos."""
        everywhere = np.ones(self.num_envs, np.bool_)
        observations: Any = self._games.observe()
        masks = self._games.masks()
        if self._mask_in == "obs":
            observations = {"observation": observations, "action_mask": masks.copy()}
        return observations, _infos(masks, self._games.seats.copy(), everywhere)

    def _final(self, ended: NDArray[np.int64]) -> dict[str, Any]:
        """Return what some environments' episodes ended with, as Gymnasium lays it out."""
        if not len(ended):
            return {}
        games, n = self._games, self.num_envs
        where = np.zeros(n, np.bool_)
        where[ended] = True
        masks, seats, seen = np.zeros((n, N_ACTIONS), np.int8), np.zeros(n, np.int64), np.full(n, None, object)
        masks[ended], seats[ended] = games.masks()[ended], games.seats[ended]
        for i, row in zip(ended, games.observe_some(ended), strict=True):
            seen[i] = (
                row.copy() if self._mask_in == "info" else {"observation": row.copy(), "action_mask": masks[i].copy()}
            )
        return {
            "final_obs": seen,
            "_final_obs": where,
            "final_info": _infos(masks, seats, where.copy()),
            "_final_info": where.copy(),
        }


def _infos(masks: NDArray[np.int8], seats: NDArray[np.int64], where: NDArray[np.bool_]) -> dict[str, Any]:
    return {"action_mask": masks, "_action_mask": where.copy(), "seat": seats, "_seat": where.copy()}


def _checked_mode(given: str | AutoresetMode) -> AutoresetMode:
    """Return an autoreset mode.

    Raises:
        RulesError: when it is another than those allowed.
    """
    mode = AUTORESETS.get(given) if isinstance(given, str) else given
    if mode not in AUTORESETS.values():
        raise RulesError(f"autoreset_mode={given!r} is not allowed; allowed: {', '.join(map(repr, AUTORESETS))}")
    return mode  # type: ignore[return-value]


def _spread(seed: Any, n: int) -> list[Any]:
    """Return each environment's seed, None where its stream goes on.

    Raises:
        SeedError: when `seed` is no whole number of 64 bits, nor a list of n.
    """
    if seed is None:
        return [None] * n
    if isinstance(seed, (list, tuple)) or (isinstance(seed, np.ndarray) and seed.ndim):
        if len(seed) != n:
            raise SeedError(f"{len(seed)} seeds given for {n} environments")
        return list(seed)
    first = int(as_seeds(np.array([seed], object))[0])
    return [first + i for i in range(n)]
