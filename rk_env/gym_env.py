"""The game from one seat as a Gymnasium environment: `gymnasium.make("rk_env:RicketyKate-v0")`."""

from __future__ import annotations

import operator
import sys
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from rk_env import rewards
from rk_env.engine import Episode
from rk_env.errors import IllegalActionError, RenderModeError
from rk_env.one_seat import OneSeat, SeatEnvironment
from rk_env.opponents import OpponentsLike
from rk_env.render import table_text
from rk_env.reset_options import checked_options
from rk_env.rules import Rules
from rk_env.spaces import MaskIn, seen_space
from rk_env.state import N_ACTIONS

RENDER_MODES = ("ansi", "human")


class RicketyKateSeat(SeatEnvironment, gymnasium.Env[Any, int]):
    """Rickety Kate from one seat; the other seats are taken by opponents.

    | | |
    |---|---|
    | Action space | `Discrete(54)`: a card to pass or play, or the choice after a moon; as in `rickety_kate_v0` |
    | Observation space | `Box` float32 (D,); with `mask_in="obs"` a `Dict` of it and of `action_mask`, int8 (54,) |
    | Reward | once, at the end of the episode; else 0 |
    | Import | `import rk_env`, then `gymnasium.make("RicketyKate-v0")`; or `"rk_env:RicketyKate-v0"` |

    What is seen, the actions and the rewards are those of `rk_env.rickety_kate_v0`, whose page explains them. Masks:
    `info["action_mask"]`, int8 (54,), all zero once the episode is over; and `action_masks()`, as sb3-contrib's
    MaskablePPO asks for. `info["seat"]` is the seat that is asked.

    Args:
        rules: the rules.
        opponents: a player for all other seats: an object with `act`, "random", a registered name (`import agents`
            registers "rule_based" and others), or "module:attribute"; or a list of one for each, clockwise from the
            left neighbour; or a mixture `{player: weight}` from which each episode draws. Lists may hold mixtures.
        seat: the seat that is asked; None draws it evenly for each episode.
        episode: "hand" or "game". Hands draw their pass direction and dealer evenly.
        reward: "payoff" (default for hands), "points", "win_share" (default for games) or "rank".
        render_mode: "ansi": `render` returns what the seat sees of the table as text; "human": it is written to the
            standard output at every step; None: no rendering.
        illegal: what an illegal action does, as unmasked sampling brings about: "terminate" ends the episode and pays
            `illegal_reward`; "raise" raises `IllegalActionError`, and nothing changes. What is no action at all (-1,
            54, 2.5) raises in either case.
        illegal_reward: None is -100 (games -1000) under payoff and points, -1 under win_share, -2 under rank.
        mask_in: "info", or "obs" for the mask in the observation as well as in `info`.
        uniform_observations: observations have one layout for all player counts, with two decks another one.

    `reset(seed=s)` deals what `Engine(rules, seeds=[s], episode=episode)` deals; without a seed, the environment's own
    random stream goes on. `reset(options=...)` takes "hands", "dealer", "hand_number" and "totals", as
    `rickety_kate_v0` does.

    Raises:
        RulesError: when an argument is not allowed.
        PlayerError: when the opponents are none.
        SeatError: when the seat is not at the table.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012  # as in Gymnasium

    def __init__(
        self,
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
    ) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise RenderModeError(f"render_mode={render_mode!r} is not allowed; allowed: None, 'ansi', 'human'")
        self.render_mode = render_mode
        self._games = OneSeat(
            1,
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
        self.observation_space = seen_space(self._games.engine.layout, mask_in)
        self.action_space: Any = Discrete(N_ACTIONS)
        self._mask_in = mask_in

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; see the class for what `seed` and `options` do.

        Raises:
            SeedError: when `seed` is no whole number of 64 bits.
            DealError: when `options` has other keys than those allowed, or makes no deal. The episode before goes on.
        """
        given = checked_options(options)
        self._games.streams = [self.np_random]
        self._games.reset([seed], [given])
        if seed is not None:
            super().reset(seed=int(seed))
        self._np_random = self._games.streams[0]  # which has drawn what this episode takes from it
        return self._show()

    def step(self, action: int | SupportsIndex) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Do an action; opponents then play until the seat is to act again or the episode is over.

        Raises:
            IllegalActionError: when the episode is over, or the action is out of range, or not legal under
                `illegal="raise"`. Nothing changes.
            PlayerError: when an opponent answers with something that is no legal action. Nothing changes.
        """
        if self._games.is_over[0]:
            raise IllegalActionError("the episode is over; reset() begins the next")
        number = -1 if type(action) is bool else _index(action)
        if not 0 <= number < N_ACTIONS:
            raise IllegalActionError(f"{action!r} is no action; a whole number 0 to {N_ACTIONS - 1} is needed")
        with self._games.unchanged_on_error():
            paid, ended = self._games.step(np.array([number]), np.arange(1))
        observation, info = self._show()
        return observation, float(paid[0]), bool(ended[0]), False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now, fresh, (54,) bool."""
        masks: NDArray[np.bool_] = super().action_masks()[0]
        return masks

    def _show(self) -> tuple[Any, dict[str, Any]]:
        observation: Any = self._games.observe()[0]
        mask = self._games.masks()[0]
        if self._mask_in == "obs":
            observation = {"observation": observation, "action_mask": mask.copy()}
        if self.render_mode == "human":
            self.render()
        return observation, {"action_mask": mask, "seat": int(self._games.seats[0])}

    def render(self) -> Any:
        """Return what the seat sees of the table as text ("ansi"), or write it to the standard output ("human")."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() has nothing to do: the environment was made with render_mode=None.")
            return None
        text = table_text(self._games.engine.view(self._games.seats)[0], self.rules)
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(text + "\n")
        return None


def _index(action: Any) -> int:
    try:
        return operator.index(action)
    except TypeError:
        return -1
