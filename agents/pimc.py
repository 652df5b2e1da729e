"""The player `pimc`: every move is tried in the same worlds, played out, and the best mean is chosen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.budget import checked_number
from agents.lockstep import search_worlds_with
from agents.searching import NO_PRIOR, SEARCHED, SearchPlayer, is_compiled
from agents.world_search import search_worlds
from rk_env.players import Player
from rk_env.rules import Rules
from rk_env.state import MOON

Games = NDArray[np.void]


class Pimc(SearchPlayer):
    """Perfect-information Monte Carlo search.

    Args:
        simulations: hands played out for a decision, at most; 1000 when `ms` is not given either.
        ms: milliseconds of wall time for a decision instead.
        rollout: who plays hands out, for all seats: a player, or its spec. Rule players do so in compiled code; with
            any other all worlds of a block are played side by side.
        passing: "search", or a way to pass out of `agents.parts.PASSINGS`, which passes without search.
        breadth: of a pass, how many cards are tried in all combinations, 3 to 8.
        belief: how likely a play of another seat is that `rollout` would not make, against one that it would, 0.01 to
            1; 1 takes all worlds for as likely.
        tries: worlds drawn, at most, for one that is kept, where `belief` is below 1.
        prior: "none", or a player, or its spec, whose probabilities say what plays are worth before they are tried: the
            trained network, say.
        prior_worlds: how many worlds tried these expectations weigh as much as.
        doubt: standard errors by which a move is behind the best when it is given up; 0: none is.
        endgame: tricks left from which on worlds are solved, each seat playing its best, instead of played out; 0 to 5.
        threads: decisions of a batch that are searched at a time.

    Raises:
        PlayerError: when a value is not allowed.

    Attributes:
        name: name, version, budget, and every option that is not its default.
    """

    def __init__(
        self,
        simulations: int | None = None,
        ms: float | None = None,
        rollout: str | Player = "rule_based",
        passing: str = SEARCHED,
        breadth: int = 6,
        belief: float = 1.0,
        tries: int = 32,
        prior: str | Player = NO_PRIOR,
        prior_worlds: int = 100,
        doubt: float = 2.5,
        endgame: int = 0,
        threads: int = 1,
    ) -> None:
        options = {name: value for name, value in locals().items() if name not in ("self", "__class__")}
        self.doubt = checked_number("doubt", doubt, 0.0, 100.0)
        self.endgame = checked_number("endgame", endgame, 0, 5, whole=True)
        super().__init__("pimc@1", options)

    def search(self, view: Games, rules: Rules, study: Games, seed: np.uint64, all_moves: bool) -> bool:
        """Search one decision."""
        doubt = 0.0 if all_moves else self.doubt
        by_rules = is_compiled(self.policy) or view["phase"][0] == MOON
        agrees = True

        def go_on(most: int) -> bool:
            nonlocal agrees
            if by_rules:
                agrees = search_worlds(
                    view, rules.array, study, seed, most, doubt, self.endgame, self.rollout, self.belief
                )
            else:
                agrees = search_worlds_with(self.policy, view, rules, study, seed, most, doubt, self.belief)
            return bool(agrees and study["n_in_question"][0] > 1)

        self.spend_budget(int(study["n_moves"][0]), go_on)
        return agrees

    def merits(self, studies: Games) -> NDArray[np.float64]:
        """Return the mean results of the moves, (B, moves)."""
        return studies["sums"] / np.maximum(studies["visits"], 1)
