"""Players made of parts: a way to pass and a way to play, and the moon choice that they share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents import parts
from rk_env.inputs import as_seeds
from rk_env.players import Evaluation
from rk_env.rules import Rules
from rk_env.state import N_ACTIONS


class RulePlayer:
    """A player that follows named rules, compiled.

    Args:
        base: name and version of the player whose parts stand in for those not given.
        defaults: that player's passing and playing part.
        passing: a name out of `agents.parts.PASSINGS`; None is the default.
        playing: a name out of `agents.parts.PLAYINGS`; None is the default.

    Raises:
        PlayerError: when a part is not known.

    Attributes:
        name: the base, and every part that is not its default, each with its version.
        passing: number of the passing part.
        playing: number of the playing part.
    """

    def __init__(
        self, base: str, defaults: tuple[str, str], passing: str | None = None, playing: str | None = None
    ) -> None:
        usual = parts.part_number("passing", parts.PASSINGS, defaults[0])
        usual_play = parts.part_number("playing", parts.PLAYINGS, defaults[1])
        self.passing = usual if passing is None else parts.part_number("passing", parts.PASSINGS, passing)
        self.playing = usual_play if playing is None else parts.part_number("playing", parts.PLAYINGS, playing)
        changed = [f"passing={parts.PASSINGS[self.passing]}"] if self.passing != usual else []
        changed += [f"playing={parts.PLAYINGS[self.playing]}"] if self.playing != usual_play else []
        self.name = ":".join(filter(None, (base, ",".join(changed))))

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def act(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return a legal action for each view, (B,); -1 where nobody is to act."""
        actions = np.empty(len(views), np.int64)
        parts.act_batch(views, rules.array, as_seeds(seeds, len(views)), self.passing, self.playing, actions)
        return actions

    def evaluate(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> Evaluation:
        """Return probability 1 for the action chosen, and no values."""
        actions = self.act(views, rules, seeds)
        probabilities = np.zeros((len(views), N_ACTIONS))
        acting = np.flatnonzero(actions >= 0)
        probabilities[acting, actions[acting]] = 1.0
        return probabilities, None


def rule_based(passing: str | None = None, playing: str | None = None) -> RulePlayer:
    """Return the good rule player, or it with another part."""
    return RulePlayer("rule_based@1", ("danger@1", "careful@1"), passing, playing)


def ducker(passing: str | None = None, playing: str | None = None) -> RulePlayer:
    """Return the player that only ducks, or it with another part."""
    return RulePlayer("ducker@1", ("high_cards@1", "duck@1"), passing, playing)
