"""The weights that come with the project: `network` is the policy for the player count at the table."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.network import NetworkPlayer, load_policy, read_card
from agents.rule_player import SETUPS, RulePlayer
from rk_env.errors import RulesError
from rk_env.players import Evaluation
from rk_env.rules import Rules
from rk_env.state import PASS

WEIGHTS: Final = Path(__file__).parent / "weights"
"""`players4.npz` is the policy for four, `players4.json` its card, and so on."""


class ShippedNetwork:
    """Plays what self-play has trained, at each player count with the policy for it.

    Args:
        sample: draw actions by their probabilities instead of taking the best.
        any_rules: play by rules it was not trained on, too, as long as the observation fits.
        passing: pass by a heuristic out of `agents.parts.PASSINGS` instead; None: by the network.

    Raises:
        PlayerError: when there is no such heuristic.
        PolicyFileError: when a file of weights is missing or damaged.
    """

    def __init__(self, *, sample: bool = False, any_rules: bool = False, passing: str | None = None) -> None:
        self.sample = sample
        self.any_rules = any_rules
        self.passer = None if passing is None else RulePlayer("rule_based@1", SETUPS["rule_based@1"], passing=passing)
        options = {"sample": sample, "any_rules": any_rules, "passing": passing}
        changed = ",".join(f"{name}={value}" for name, value in options.items() if value)
        self.name = f"network@{version()}" + (f":{changed}" if changed else "")

    def act(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return a legal action for each view, (B,) int64.

        Raises:
            RulesError: when there are no weights for the player count, or they were trained on other rules.
        """
        policy = self.policy_for(rules)
        if self.passer is None:
            return policy.act(views, rules, seeds)
        actions = np.empty(len(views), np.int64)
        passes = views["phase"] == PASS
        for player, index in ((self.passer, passes), (policy, ~passes)):
            actions[index] = player.act(views[index], rules, seeds[index])
        return actions

    def evaluate(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> Evaluation:
        """Return the policy's probabilities, (B, 54), and no values; errors as for `act`."""
        chances, values = self.policy_for(rules).evaluate(views, rules, seeds)
        if self.passer is not None:
            passes = views["phase"] == PASS
            chances[passes] = self.passer.evaluate(views[passes], rules, seeds[passes])[0]
        return chances, values

    def policy_for(self, rules: Rules) -> NetworkPlayer:
        """Return the policy for a player count.

        Raises:
            RulesError: when there is none.
        """
        path = path_for(rules.players)
        if not path.is_file():
            known = ", ".join(map(str, player_counts()))
            raise RulesError(f"network has no weights for {rules.players} players; there are some for {known}")
        return _load(path, self.sample, self.any_rules)


def path_for(players: int) -> Path:
    """Return the file of weights for a player count, whether there is one or not."""
    return WEIGHTS / f"players{players}.npz"


def player_counts() -> list[int]:
    """Return the player counts that there are weights for."""
    return sorted(int(path.stem.removeprefix("players")) for path in WEIGHTS.glob("players*.npz"))


def version() -> int:
    """Return the version of the weights: the highest that a card names."""
    cards = [read_card(path_for(players).with_suffix(".json")) for players in player_counts()]
    return max((int(card.get("version", 0)) for card in cards), default=0)


@functools.cache
def _load(path: Path, sample: bool, any_rules: bool) -> NetworkPlayer:
    return load_policy(path, sample=sample, any_rules=any_rules)
