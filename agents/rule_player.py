"""Players made of parts: a way to pass and a way to play, and the moon choice that they share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents import parts
from agents.manner import checked_noise, checked_terms, part_code
from rk_env.errors import PlayerError
from rk_env.inputs import as_seeds
from rk_env.players import Evaluation
from rk_env.rules import Rules
from rk_env.state import N_ACTIONS


class Setup(NamedTuple):
    """What a named player is put together from."""

    passing: str
    """A name out of `agents.parts.PASSINGS`."""
    playing: str
    """A name out of `agents.parts.PLAYINGS`."""
    noise: float = 0.0
    """How often any legal card is passed or played instead of what the parts choose."""


SETUPS: Final = {
    "rule_based@1": Setup("danger@1", "careful@1"),
    "ducker@1": Setup("high_cards@1", "duck@1"),
    "newcomer@1": Setup("high_cards@1", "duck@1", 0.75),
    "beginner@1": Setup("high_cards@1", "duck@1", 0.5),
    "learner@1": Setup("high_cards@1", "duck@1", 0.25),
    "casual@1": Setup("danger@1", "careful@1", 0.15),
    "moon_hunter@1": Setup("sequential@1", "moon_hunter@1"),
    "moon_stopper@1": Setup("danger@1", "moon_stopper@1"),
    "spade_bleeder@1": Setup("danger@1", "spade_bleeder@1"),
}
"""The named players, by name and version; agents/README.md tells what each is worth."""


class RulePlayer:
    """A player that follows named rules, compiled.

    Args:
        base: name and version of the player whose parts stand in for those not given.
        defaults: that player's passing and playing part, and how often it errs.
        passing: a name out of `agents.parts.PASSINGS`; None is the default.
        playing: a name out of `agents.parts.PLAYINGS`; None is the default.
        without: names out of `agents.manner.TERMS` to switch off, in one text with plus signs between, or as a list.
        noise: how often any legal card is passed or played instead, 0 to 1, drawn from the seed of the decision; None
            is the default. The shooter's choice is never an error.

    Raises:
        PlayerError: when a part or a term is not known, a term belongs to neither part, or `noise` is no such number.

    Attributes:
        name: the base, and everything that is not its default, parts with their versions.
        passing: code of the passing part, for `agents.parts.decide`; its number while nothing of it is changed.
        playing: code of the playing part.
    """

    def __init__(
        self,
        base: str,
        defaults: Setup | tuple[str, str],
        passing: str | None = None,
        playing: str | None = None,
        without: str | Iterable[str] = (),
        noise: float | None = None,
    ) -> None:
        usual = Setup(*defaults)
        chosen = Setup(
            parts.part_name("passing", parts.PASSINGS, usual.passing if passing is None else passing),
            parts.part_name("playing", parts.PLAYINGS, usual.playing if playing is None else playing),
            usual.noise if noise is None else checked_noise(noise),
        )
        terms = checked_terms(without)
        check_belonging(terms, chosen)
        self.passing = part_code(parts.PASSINGS.index(chosen.passing), terms, chosen.noise)
        self.playing = part_code(parts.PLAYINGS.index(chosen.playing), terms, chosen.noise)
        self.name = ":".join(filter(None, (base, ",".join(changes(usual, chosen, terms)))))

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


def check_belonging(terms: tuple[str, ...], chosen: Setup) -> None:
    """Check that each term to switch off is one of a part.

    Raises:
        PlayerError: when one changes neither part.
    """
    own = {*parts.TERMS_OF_PASSING.get(chosen.passing, ()), *parts.TERMS_OF_PLAYING.get(chosen.playing, ())}
    for term in terms:
        if term not in own:
            raise PlayerError(f"without={term!r}: neither {chosen.passing} nor {chosen.playing} has this term")


def changes(usual: Setup, chosen: Setup, terms: tuple[str, ...]) -> list[str]:
    """Return the options that make a player out of one of the usual setup."""
    options = [
        f"{kind}={part}"
        for kind, part, default in zip(("passing", "playing"), chosen[:2], usual[:2], strict=True)
        if default not in (part, part.partition("@")[0])
    ]
    options += [f"without={'+'.join(terms)}"] if terms else []
    return options + ([f"noise={chosen.noise}"] if chosen.noise != usual.noise else [])
