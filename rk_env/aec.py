"""The game as a PettingZoo AEC environment: `Engine` with one game behind PettingZoo's interface."""

from __future__ import annotations

import copy
import operator
import sys
from dataclasses import dataclass
from typing import Any, ClassVar, Final, SupportsIndex

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils.seeding import np_random
from numpy.typing import NDArray
from pettingzoo import AECEnv

from rk_env import rewards
from rk_env.arguments import check_choice
from rk_env.engine import Engine, Episode
from rk_env.errors import GameRecordError, IllegalActionError, SeatError
from rk_env.inputs import as_seeds, checked_rules
from rk_env.observation import Layout
from rk_env.render import table_text
from rk_env.reset_options import checked_options, deal_given
from rk_env.rules import Rules
from rk_env.spaces import MaskIn, observation_box, seen_space
from rk_env.state import GAME, HAND_OVER, N_ACTIONS

Observation = dict[str, NDArray[Any]] | NDArray[np.float32]

_CHANGING: Final = (
    *("agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos"),
    *("_totals_before", "_skip_agent_selection", "np_random"),
)
"""What changes in an episode, beside the game."""


@dataclass(frozen=True, repr=False)
class Snapshot:
    """Where an episode was: what `RicketyKateEnv.snapshot` returns."""

    made_by: tuple[Any, ...]
    game: bytes
    kept: dict[str, Any]


class RicketyKateEnv(AECEnv[str, Observation, int | None]):  # type: ignore[misc]  # PettingZoo comes without types
    """Rickety Kate, the game of Hearts with a costly Queen, for 3 to 11 players.

    | | |
    |---|---|
    | Import | `from rk_env import rickety_kate_v0` |
    | Actions | Discrete |
    | Parallel API | Yes, still turn by turn: `parallel_env` |
    | Manual Control | No |
    | Agents | `player_0`, `player_1`, ...: `rules.players` of them, clockwise |
    | Action Shape | Discrete(54) |
    | Action Values | 0 to 53 |
    | Observation Shape | {size} numbers with 4 players |
    | Observation Values | 0 to 1; the blocks `totals` and `distance` any number |

    An episode is one hand (`episode="hand"`), or a whole game up to its target (`episode="game"`), in which the next
    hand is dealt at once. All agents end together. `rk_env.Rules` tells the rules and their settings.

    Actions

    | action | meaning |
    |---|---|
    | 0 to 51 | pass or play the card `13 * suit + rank`; suits C D S H, ranks 2 to A |
    | 52, 53 | the shooter's choice under `Rules(moon="new")`: add to the others, or take off the own score |

    Each seat picks its three cards to pass one after another; nobody sees them before all have picked. Where the rules
    let revokes happen (`Rules(revokes=...)`), the mask shows them too.

    Observations

    `{"observation": float32 (D,), "action_mask": int8 (54,)}`. The mask is all zero for an agent that is not to act.
    What an agent cannot know at the table is never in it. Seats are relative: 0 is the observer, 1 its left neighbour.
    With 4 players (`python -m rk_env.observation --players 5` prints the others):

    {table}

    `state()` is for critics in training: what seat 0 sees, then the hands of all seats, 52 numbers each.

    Rewards

    Paid once, when the episode ends, to every agent; all other rewards are 0.

    | `reward` | worth | sums to zero |
    |---|---|---|
    | "payoff" | mean of the others' points minus own; default for hands | yes |
    | "points" | minus own points | no |
    | "win_share" | 1/k for the k agents in first place, else 0, less 1/players; default for games | yes |
    | "rank" | 1 for the first place to -1 for the last in equal steps, equals sharing theirs | yes |

    Points are those scored in the episode: totals given to `reset` are never rewarded. In games, places are decided as
    the game is: by the final totals and, among those tied for the lowest, by play-offs. In hands, both choices after a
    new moon pay the same payoff: only games and the other rewards tell them apart.

    Args:
        rules: the rules.
        episode: "hand" or "game". Hands draw their pass direction and dealer evenly.
        reward: one of the rewards above; None is the episode's default.
        render_mode: "ansi": `render` returns the table, all hands open, as text; "human": it is written to the
            standard output at every step; None: no rendering.
        illegal: for `env` alone: "terminate": an illegal move ends the episode, costs its agent `illegal_reward` and
            the others nothing; "raise": `IllegalActionError`, and nothing changes. `raw_env` always raises. What is no
            action at all (-1, 54, 2.5) raises in either case.
        illegal_reward: for `env` alone; None is -100 (games -1000) under payoff and points, -1 under win_share, -2
            under rank.
        mask_in: "obs": observations are dictionaries with the mask in them; "info": they are the numbers alone, and
            `infos[agent]["action_mask"]` has the mask, as wrappers for arrays need it.
        uniform_observations: observations have one layout for all player counts, with two decks another one.

    `reset(seed=s)` deals what `Engine(rules, seeds=[s], episode=episode)` deals; without a seed, the environment's own
    random stream goes on. `reset(options=...)` takes:

    | option | meaning | if left out |
    |---|---|---|
    | "hands" | a hand for each seat: texts ("2C 9C AD"), lists of cards, or bitboards | as dealt from the seed |
    | "dealer" | a seat | as drawn from the seed |
    | "hand_number" | 1, 2, ...; sets the pass direction | as drawn from the seed |
    | "totals" | points of each seat before this hand, below the target (1) | 0 for all |

    (1) A game may begin with its first play-off: with totals that reach the target in a tie for the lowest, and empty
    hands for the seats that sit out.

    `snapshot()` and `restore()` go back to where an episode was, for search; `deepcopy` and `pickle` keep everything.

    Raises:
        RulesError: when an argument is not allowed.

    Version History

    * v0: first version.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "rickety_kate_v0",
        "render_modes": ["ansi", "human"],
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Rules | None = None,
        episode: Episode = "hand",
        reward: rewards.Reward | None = None,
        render_mode: str | None = None,
        *,
        mask_in: MaskIn = "obs",
        uniform_observations: bool = False,
    ) -> None:
        super().__init__()
        self.mask_in = mask_in
        self.reward = rewards.checked_reward(reward, episode)
        check_choice("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        self.render_mode = render_mode
        self.rules = checked_rules(rules)
        self.episode = episode
        self.engine = Engine(self.rules, seeds=[0], episode=episode, uniform_observations=uniform_observations)
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self.agents: list[str] = []
        self._seats = {agent: np.array([seat]) for seat, agent in enumerate(self.possible_agents)}
        self._make_spaces()

    def _make_spaces(self) -> None:
        layout = self.engine.layout
        self.observation_spaces = {agent: seen_space(layout, self.mask_in) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(N_ACTIONS) for agent in self.possible_agents}
        self.state_space = observation_box(layout, n_more=layout.privileged_size)

    def observation_space(self, agent: str) -> Box | Dict:
        """Return the space of an agent's observations, always the same object."""
        return self._of_agent(self.observation_spaces, agent)

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions, always the same object."""
        return self._of_agent(self.action_spaces, agent)

    def _of_agent(self, values: dict[str, Any], agent: str) -> Any:
        try:
            return values[agent]
        except (KeyError, TypeError):
            raise SeatError(f"{agent!r} is not at the table; agents are {', '.join(self.possible_agents)}") from None

    # The course of an episode.

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; see the class for what `seed` and `options` do.

        Raises:
            SeedError: when `seed` is no whole number of 64 bits.
            DealError: when `options` has other keys than those allowed, or makes no deal. The episode before goes on.
        """
        given = checked_options(options)
        seeds = None if seed is None else as_seeds([seed])
        if seed is None and not hasattr(self, "np_random"):
            self.np_random, _ = np_random()
        games, drawn = self.engine.games.copy(), None
        if seeds is None:
            drawn = self.np_random.bit_generator.state
            seeds = self.np_random.integers(2**64, size=1, dtype=np.uint64)
        self.engine.reset(seeds=seeds)
        try:
            deal_given(self.engine, given, self.episode, 0)
        except ValueError:
            self.engine.games[:] = games
            if drawn is not None:
                self.np_random.bit_generator.state = drawn
            raise
        if seed is not None:
            self.np_random, _ = np_random(int(seed))
        self._totals_before = self.engine.totals
        self._begin()

    def _begin(self) -> None:
        """Fill PettingZoo's attributes at the start of an episode."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self.engine.games["turn"][0]]
        self.infos = self._infos()
        self._show()

    def step(self, action: int | SupportsIndex | None) -> None:
        """Do an action of the agent to act; None for an agent that has ended.

        Raises:
            IllegalActionError: when the action is not legal. Nothing changes.
        """
        agent = self.agent_selection
        if agent not in self.terminations:
            raise IllegalActionError("the episode is over for all agents; reset() begins the next")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        engine = self.engine
        engine.step(np.array([self.as_action(action)]))
        turn = engine.games["turn"][0]
        if turn < 0:
            turn = self._end_hand()
        self.agent_selection = self.possible_agents[turn]
        if self.mask_in == "info":
            self.infos = self._infos()
        if self.render_mode == "human":
            self._show()

    def as_action(self, action: int | SupportsIndex | None) -> int:
        """Return an action as an integer; whether it is legal is for the engine to say."""
        is_truth_value = isinstance(action, (bool, np.bool_))  # an index to Python, and to NumPy before 2.3
        try:
            number = -1 if is_truth_value else operator.index(action)  # type: ignore[arg-type]
        except TypeError:
            number = -1
        if 0 <= number < N_ACTIONS:
            return number
        seat = int(self.engine.games["turn"][0])
        raise IllegalActionError(
            f"{self.agent_selection}: {action!r} is no action; a whole number 0 to {N_ACTIONS - 1} is needed", 0, seat
        )

    def _end_hand(self) -> int:
        """Deal the next hand of a game, or end the episode; return the seat to act next."""
        engine = self.engine
        if self.episode == "game" and engine.games["phase"][0] == HAND_OVER:
            engine.next_hand()
            return int(engine.games["turn"][0])
        paid = rewards.of_episodes(engine, self.reward, self.episode, self._totals_before)[0]
        self.rewards = dict(zip(self.possible_agents, paid.tolist(), strict=True))
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        return 0

    # Going back, for search.

    def snapshot(self) -> Snapshot:
        """Return all that changes in an episode, the random stream included; `restore` goes back to it.

        Raises:
            GameRecordError: when no episode has begun.
        """
        if not hasattr(self, "np_random"):
            raise GameRecordError("there is no episode yet; reset() begins one")
        kept = {name: copy.deepcopy(getattr(self, name)) for name in _CHANGING}
        return Snapshot(self._made_by(), self.engine.games.tobytes(), kept)

    def _made_by(self) -> tuple[Any, ...]:
        return self.rules, self.episode, self.reward, self.mask_in

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this environment, or of another with the same arguments.

        Raises:
            GameRecordError: when it is no snapshot, or one of other rules, episodes, rewards or masks. Nothing changes.
        """
        if not isinstance(snapshot, Snapshot) or snapshot.made_by != self._made_by():
            raise GameRecordError(f"{snapshot!r} is no snapshot of an environment with {self._made_by()!r}")
        self.engine.games[:] = np.frombuffer(snapshot.game, GAME)
        for name, value in snapshot.kept.items():
            setattr(self, name, copy.deepcopy(value))

    # What there is to see.

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now, whether it is to act or not, as fresh arrays.

        Raises:
            SeatError: when no agent has this name.
        """
        engine, seat = self.engine, self._of_agent(self._seats, agent)
        seen: NDArray[np.float32] = engine.layout.encode(engine.games, engine.rules, seat)[0]
        return seen if self.mask_in == "info" else {"observation": seen, "action_mask": self.action_mask(agent)}

    def action_mask(self, agent: str) -> NDArray[np.int8]:
        """Return an agent's legal actions, fresh, (54,) int8; all zero when it is not to act.

        Raises:
            SeatError: when no agent has this name.
        """
        self._of_agent(self._seats, agent)
        is_live = agent == self.agent_selection and not self.terminations.get(agent, True)
        return self.engine.action_mask()[0] if is_live else np.zeros(N_ACTIONS, np.int8)

    def _infos(self) -> dict[str, dict[str, Any]]:
        """Return the infos of all agents: empty, or with `mask_in="info"` their masks."""
        return {
            agent: {"action_mask": self.action_mask(agent)} if self.mask_in == "info" else {} for agent in self.agents
        }

    def state(self) -> NDArray[np.float32]:
        """Return what seat 0 sees and all hands behind it, float32: for critics in training, not for players."""
        engine, seat = self.engine, self._seats["player_0"]
        sees = engine.layout.encode(engine.games, engine.rules, seat)
        hands = engine.layout.encode_privileged(engine.games, engine.rules, seat)
        return np.concatenate([sees[0], hands[0]])

    def render(self) -> str | None:
        """Return the table as text ("ansi"), or write it to the standard output ("human")."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() has nothing to do: the environment was made with render_mode=None.")
            return None
        text = table_text(self.engine.games[0], self.rules)
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(text + "\n")
        return None

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Do nothing: there is no window."""


if RicketyKateEnv.__doc__:  # python -OO leaves none
    _layout = Layout(4)
    _table = _layout.table().replace("\n", "\n    ")
    RicketyKateEnv.__doc__ = RicketyKateEnv.__doc__.replace("{size}", str(_layout.size)).replace("{table}", _table)
