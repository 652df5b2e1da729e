"""Many games from one seat each as a vector environment of Stable-Baselines3, straight on the engine.

Needs the extra `train` (stable-baselines3; MaskablePPO is in sb3-contrib).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvIndices, VecEnvStepReturn

from rk_env import rewards
from rk_env.engine import Episode
from rk_env.errors import IllegalActionError
from rk_env.one_seat import OneSeat, SeatEnvironment
from rk_env.opponents import OpponentsLike
from rk_env.reset_options import checked_options
from rk_env.rules import Rules
from rk_env.spaces import observation_box
from rk_env.state import N_ACTIONS


class RicketyKateVecEnv(SeatEnvironment, VecEnv):
    """B environments of one seat each, `rk_env.gym_env.RicketyKateSeat`, in one engine.

    Step for step it gives what `DummyVecEnv` of B such environments gives. MaskablePPO finds the masks by
    `env_method("action_masks")`. As SB3 wants it, an environment whose episode is over begins the next in the same
    step; its info then holds "terminal_observation".

        model = MaskablePPO("MlpPolicy", RicketyKateVecEnv(256, opponents="random"))

    SB3's `VecMonitor` around it logs the episodes' rewards.

    Args:
        num_envs: B.
        rules: the rules, as all arguments those of `RicketyKateSeat`.
        opponents: who takes the other seats.
        seat: the seat that is asked; None draws it for each episode.
        episode: "hand" or "game".
        reward: "payoff", "points", "win_share" or "rank".
        illegal: "terminate" or "raise".
        illegal_reward: what an illegal action costs.
        uniform_observations: one layout for all player counts.

    Raises:
        RulesError: when an argument is not allowed.
        PlayerError: when the opponents are none.
        SeatError: when the seat is not at the table.
    """

    def __init__(
        self,
        num_envs: int,
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
        self.rules = self._games.rules
        self.render_mode = None
        self._all = np.arange(num_envs)
        self._actions = np.empty(0, np.int64)
        super().__init__(num_envs, observation_box(self._games.engine.layout), Discrete(N_ACTIONS))

    def reset(self) -> NDArray[np.float32]:
        """Begin an episode in every environment and return what the seats see, (B, D).

        `seed` and `set_options`, called before, give the seeds and the options, which are those of `RicketyKateSeat`.

        Raises:
            SeedError: when a seed given is no whole number of 64 bits.
            DealError: when options given make no deal. The episodes before go on.
        """
        self._games.reset(self._seeds, [checked_options(options) for options in self._options])
        self.reset_infos = [{} for _ in self._all]
        self._reset_seeds()
        self._reset_options()
        return self._games.observe()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Note the actions, (B,) whole numbers.

        Raises:
            IllegalActionError: when they are none, or there was no `reset` yet.
        """
        self._actions = self._games.checked_actions(actions)

    def step_wait(self) -> VecEnvStepReturn:
        """Do the actions noted; return observations, rewards (B,) float32, dones (B,) and infos.

        Raises:
            IllegalActionError: when none are noted, or one is out of range, or not legal under `illegal="raise"`.
            PlayerError: when an opponent answers with something that is no legal action. Nothing changes then.
        """
        actions, self._actions = self._actions, np.empty(0, np.int64)
        if len(actions) != self.num_envs:
            raise IllegalActionError("step_wait() before step_async(): there are no actions to do")
        infos: list[dict[str, Any]] = [{} for _ in self._all]
        with self._games.unchanged_on_error():
            paid, ended = self._games.step(actions, self._all)
            over = np.flatnonzero(ended)
            for i, row in zip(over, self._games.observe_some(over), strict=True):
                infos[i] = {"terminal_observation": row.copy(), "TimeLimit.truncated": False}
            self._games.begin_next(over)
        return self._games.observe(), paid.astype(np.float32), ended, infos

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    # What SB3 asks single environments for, through the vector environment.

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> list[Any]:
        """Call a method that every environment has: `action_masks`, a mask (54,) for each of those chosen.

        Raises:
            AttributeError: when they have no such method.
        """
        if method_name != "action_masks":
            raise AttributeError(f"environments here have no method {method_name!r}; they have 'action_masks'")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Tell whether every environment has an attribute."""
        return attr_name == "action_masks" or hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute, the same for every environment chosen."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Refuse: environments here have nothing of their own to set.

        Raises:
            AttributeError: always.
        """
        raise AttributeError(f"{attr_name!r} cannot be set in single environments; `seat_opponents` changes opponents")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """Return False for every environment chosen: there are no single ones to wrap."""
        return [False for _ in self._get_indices(indices)]
