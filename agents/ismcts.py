"""The player `ismcts`: a tree over what is played, grown in a new world each time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.budget import checked_number
from agents.searching import SEARCHED, SearchPlayer, check_compiled
from agents.tree_search import NODE, Guide, search_tree
from agents.world_search import search_worlds
from rk_env.players import Player
from rk_env.rules import Rules
from rk_env.state import MOON

Games = NDArray[np.void]
MAX_NODES = 1_000_000


class Ismcts(SearchPlayer):
    """Information-set Monte Carlo tree search.

    Args:
        simulations: how often the tree is gone down for a decision; 1000 when `ms` is not given either.
        ms: milliseconds of wall time for a decision instead.
        rollout: the rule player, or its spec, that guides all seats in the tree and plays out below it.
        passing: "search", or a way to pass out of `agents.parts.PASSINGS`, which passes without search.
        breadth: of a pass, how many cards are tried in all combinations, 3 to 8.
        belief: how likely a play of another seat is that `rollout` would not make, against one that it would, 0.01 to
            1; 1 takes all worlds for as likely.
        tries: worlds drawn, at most, for one that is kept, where `belief` is below 1.
        explore: weight of the bonus for moves seldom tried, in points.
        trust: share of that bonus that goes to what `rollout` would play, 0 to 1.
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
        explore: float = 32.0,
        trust: float = 0.6,
        threads: int = 1,
    ) -> None:
        options = {name: value for name, value in locals().items() if name not in ("self", "__class__")}
        self.guide = Guide(checked_number("explore", explore, 0.0, 1e6), checked_number("trust", trust, 0.0, 1.0))
        super().__init__("ismcts@1", options)
        check_compiled(self.policy)

    def search(self, view: Games, rules: Rules, study: Games, seed: np.uint64, all_moves: bool) -> bool:
        """Search one decision; the shooter's choice, after which nothing is hidden, without a tree."""
        n_moves = int(study["n_moves"][0])
        nodes = np.zeros(min(self.simulations, MAX_NODES) + n_moves + 1, NODE)
        agrees = True

        def go_on(most: int) -> bool:
            nonlocal agrees
            if view["phase"][0] == MOON:
                agrees = search_worlds(view, rules.array, study, seed, most, 0.0, 0, self.rollout, self.belief)
            else:
                agrees = search_tree(view, rules.array, study, seed, nodes, most, self.guide, self.rollout, self.belief)
            return agrees

        self.spend_budget(n_moves, go_on)
        return agrees

    def merits(self, studies: Games) -> NDArray[np.float64]:
        """Return how often each move was tried, (B, moves), and of equal numbers which did best."""
        visits = np.maximum(studies["visits"], 1)
        return studies["visits"] + 1e-6 * studies["sums"] / visits
