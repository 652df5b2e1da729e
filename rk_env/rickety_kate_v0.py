"""The PettingZoo environment, version 0; `raw_env`'s docstring is its page.

>>> from rk_env import rickety_kate_v0
>>> env = rickety_kate_v0.env()
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     env.step(None if termination or truncation else int(observation["action_mask"].argmax()))
"""

from __future__ import annotations

from typing import Any, Literal, SupportsIndex

from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import OrderEnforcingWrapper, TerminateIllegalWrapper

from rk_env.aec import Observation, RicketyKateEnv
from rk_env.arguments import check_choice
from rk_env.engine import Episode
from rk_env.rewards import Reward, checked_illegal_reward
from rk_env.rules import Rules
from rk_env.spaces import MaskIn

__all__ = ["env", "parallel_env", "raw_env"]

Illegal = Literal["terminate", "raise"]

raw_env = RicketyKateEnv


class _TerminateIllegal(TerminateIllegalWrapper[str, Observation, int | None]):  # type: ignore[misc]
    """PettingZoo's wrapper, and the refusal of what is no action at all, legal or not."""

    def __init__(self, raw: RicketyKateEnv, illegal_reward: float) -> None:
        super().__init__(raw, illegal_reward)
        self._raw = raw

    def step(self, action: int | SupportsIndex | None) -> None:
        raw = self._raw
        if raw.agents:  # judged by what is legal now: not by a mask handed out, written in, or from before a `restore`
            self._prev_obs = {"action_mask": raw.action_mask(raw.agent_selection)}
        is_live = not raw.terminations.get(raw.agent_selection, True)
        super().step(raw.as_action(action) if is_live else action)


def env(
    rules: Rules | None = None,
    episode: Episode = "hand",
    reward: Reward | None = None,
    render_mode: str | None = None,
    illegal: Illegal = "terminate",
    illegal_reward: float | None = None,
    *,
    mask_in: MaskIn = "obs",
    uniform_observations: bool = False,
) -> AECEnv[str, Observation, int | None]:
    """Return the environment in PettingZoo's usual wrappers; `RicketyKateEnv` tells the arguments.

    Raises:
        RulesError: when an argument is not allowed.
    """
    check_choice("illegal", illegal, ("terminate", "raise"))
    raw = RicketyKateEnv(
        rules, episode, reward, render_mode, mask_in=mask_in, uniform_observations=uniform_observations
    )
    wrapped: AECEnv[str, Observation, int | None] = raw
    if illegal == "terminate":
        wrapped = _TerminateIllegal(raw, checked_illegal_reward(illegal_reward, raw.reward, episode))
    return OrderEnforcingWrapper(wrapped)


def parallel_env(**settings: Any) -> ParallelEnv[str, Observation, int | None]:
    """Return the environment in PettingZoo's parallel form, for libraries that know no other; arguments as for `env`.

    It is the turn-based game still: in each step the agent whose mask is not all zero acts, and what the others give is
    not read.

    Raises:
        RulesError: when an argument is not allowed.
    """
    return turn_based_aec_to_parallel(env(**settings))
