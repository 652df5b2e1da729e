"""What search players share: batches, threads, passes, and what they answer.

A decision without a choice costs no search. What a decision searches depends on its view and its seed alone, not on the
batch or the thread that it is in, unless the budget is in milliseconds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from inspect import signature
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import agents
from agents import parts
from agents.belief import Belief
from agents.budget import checked_budget, checked_number, spend
from agents.network import POINTS_PER_NAT
from agents.playout import Rollout
from agents.rule_player import RulePlayer
from agents.study import MAX_BREADTH, STUDY, begin_study, expect
from rk_env.errors import GameRecordError, PlayerError
from rk_env.inputs import as_seeds, check_rules, check_views
from rk_env.players import Evaluation, Player, RandomPlayer
from rk_env.records import check_public
from rk_env.rules import Rules
from rk_env.settings import N_PASSED
from rk_env.state import N_ACTIONS, NO_ACTION, PASS, PLAY

Games = NDArray[np.void]

SEARCHED: Final = "search"
"""Passing that is searched like play."""
NO_PRIOR: Final = "none"
"""Nobody tells what plays are worth before they are tried."""
LEAST_PROBABILITY: Final = 1e-6
"""Of an action to a prior: none is worth less than a search could find out to be mistaken."""


class SearchPlayer(ABC):
    """A player that tries its moves in worlds that agree with what it knows.

    Args:
        base: name and version.
        options: the options of the player and their values, for its name: "simulations", "ms", "rollout", "passing",
            "breadth", "belief", "tries", "threads", and its own; "prior" and "prior_worlds" where it has them.

    Raises:
        PlayerError: when a value is not allowed.
    """

    def __init__(self, base: str, options: dict[str, Any]) -> None:
        self.simulations, self.ms = checked_budget(options["simulations"], options["ms"])
        self.breadth = checked_number("breadth", options["breadth"], N_PASSED, MAX_BREADTH, whole=True)
        self.threads = checked_number("threads", options["threads"], 1, 1024, whole=True)
        self.policy: Player = agents.make(options["rollout"])
        self.rollout = rollout_of(self.policy)
        self.belief = Belief(
            checked_number("belief", options["belief"], 0.01, 1.0),
            checked_number("tries", options["tries"], 1, 10**6, whole=True),
            *self.rollout,
        )
        prior = options.get("prior", NO_PRIOR)
        self.prior: Player | None = None if prior == NO_PRIOR else agents.make(prior)
        self.prior_worlds = checked_number("prior_worlds", options.get("prior_worlds", 0), 0, 10**6, whole=True)
        passing = options["passing"]
        self.passer = None if passing == SEARCHED else agents.make("rule_based", passing=passing)
        budget = {"simulations": self.simulations} if self.ms is None else {"ms": options["ms"]}
        usual = {name: parameter.default for name, parameter in signature(type(self)).parameters.items()}
        changed = {name: value for name, value in options.items() if value != usual[name] and name not in budget}
        for name in set(changed) & {"rollout", "prior"}:
            changed[name] = changed[name] if isinstance(changed[name], str) else changed[name].name
        self.name = f"{base}:" + ",".join(f"{name}={value}" for name, value in (budget | changed).items())

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def act(self, views: Games, rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return a legal action for each view, (B,) int64; -1 where nobody is to act.

        Raises:
            GameRecordError: when `views` are no records, are full games, or no deal agrees with one of them.
            RulesError: when `rules` are none.
            SeedError: when the seeds are not one whole number of 64 bits a view.
        """
        seeds = _checked(views, rules, seeds)
        actions = np.full(len(views), NO_ACTION)
        searched = (views["turn"] >= 0) & ((views["phase"] != PASS) | (self.passer is None))
        if self.passer is not None:
            index = np.flatnonzero((views["turn"] >= 0) & ~searched)
            actions[index] = self.passer.act(views[index], rules, seeds[index])
        index = np.flatnonzero(searched)
        studies = self.studies(views[index], rules, seeds[index])
        best = np.where(studies["in_question"] == 1, self.merits(studies), -np.inf).argmax(axis=1)
        place = np.where(views["phase"][index] == PASS, views["n_picks"][index] % N_PASSED, 0)
        actions[index] = studies["moves"][np.arange(len(index)), best, place]
        return actions

    def evaluate(self, views: Games, rules: Rules, seeds: NDArray[np.uint64]) -> Evaluation:
        """Return what the player thinks.

        Returns:
            How much it leans to each action, (B, 54), and the mean payoff that it expects from each, (B, 54), 0 where
            an action is not legal: of a card to pass, from the best pass that was tried with it; of the shooter's
            choice, the share of the win.
        """
        seeds = _checked(views, rules, seeds)
        studies = self.studies(views, rules, seeds, all_moves=True)
        chances = np.zeros((len(views), N_ACTIONS))
        values = np.zeros((len(views), N_ACTIONS))
        merits = self.merits(studies)
        for i, study in enumerate(studies):
            n = int(study["n_moves"])
            if n == 0:
                continue
            picked = int(views["n_picks"][i]) % N_PASSED if views["phase"][i] == PASS else 0
            expected = study["prior_worlds"] * study["prior"][:n]
            means = (study["sums"][:n] - expected) / np.maximum(study["visits"][:n] - study["prior_worlds"], 1)
            for move in np.argsort(means, kind="stable"):  # the best of a card's passes is written last
                values[i, _new_cards(study["moves"][move], picked)] = means[move]
            best = int(merits[i, :n].argmax())
            chances[i, study["moves"][best, picked]] = 1.0
        return chances, values

    def studies(self, views: Games, rules: Rules, seeds: NDArray[np.uint64], all_moves: bool = False) -> Games:
        """Return what the search finds out about each decision, (B,) of `agents.study.STUDY`.

        Args:
            views: of the seats to act, (B,).
            rules: their rules.
            seeds: one a decision, (B,).
            all_moves: whether every legal action is tried to the end, be it ever so bad.
        """
        studies = np.zeros(len(views), STUDY)
        expected = self.expected(views, rules, seeds)

        def search(i: int) -> None:
            one = slice(i, i + 1)
            begin_study(views[one], rules.array, studies[one], self.breadth, self.rollout.passing, seeds[i], all_moves)
            if expected is not None and views["phase"][i] == PLAY and studies[i]["n_moves"] > 1:
                expect(studies[one], expected[i], self.prior_worlds)
            if studies[i]["n_moves"] > 1 and not self.search(views[one], rules, studies[one], seeds[i], all_moves):
                raise GameRecordError(f"view {i} (observer {views['observer'][i]}): no deal agrees with it")

        if self.threads == 1 or len(views) == 1:
            for i in range(len(views)):
                search(i)
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                list(pool.map(search, range(len(views))))
        return studies

    def expected(self, views: Games, rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.float64] | None:
        """Return what actions should come to, in points, (B, 54), by a policy's probabilities; None without one."""
        if self.prior is None:
            return None
        probabilities, _ = self.prior.evaluate(views, rules, seeds)
        return POINTS_PER_NAT * np.log(np.maximum(probabilities, LEAST_PROBABILITY))

    def spend_budget(self, n_moves: int, go_on: Callable[[int], bool]) -> None:
        """Call `go_on` as the budget of a decision allows, but so that each of its moves can be tried.

        Args:
            n_moves: moves of the decision.
            go_on: makes simulations up to the number given; returns whether more may help.
        """
        go_on(0)  # compiles, where need be, before time counts
        if self.ms is None:
            go_on(max(self.simulations, n_moves))
        else:
            spend(self.ms, n_moves, go_on)

    @abstractmethod
    def search(self, view: Games, rules: Rules, study: Games, seed: np.uint64, all_moves: bool) -> bool:
        """Search one decision, arrays of shape (1,); return whether any deal agrees with the view."""

    @abstractmethod
    def merits(self, studies: Games) -> NDArray[np.float64]:
        """Return what the moves of studies are chosen by, (B, moves)."""


def _checked(views: Games, rules: Rules, seeds: Any) -> NDArray[np.uint64]:
    check_views(views)
    check_rules(rules)
    full = np.flatnonzero((views["observer"] != views["turn"]) & (views["turn"] >= 0))
    if len(full):
        raise GameRecordError(
            f"view {full[0]} is not that of the seat to act; make views with Engine.view(engine.turn)"
        )
    check_public(views, rules)
    return as_seeds(seeds, len(views))


def _new_cards(move: NDArray[np.int8], picked: int) -> NDArray[np.int8]:
    """Return the actions that a move consists of, without cards picked before."""
    rest = move[picked:]
    return rest[rest >= 0]


def rollout_of(policy: Player) -> Rollout:
    """Return the parts of a player that play out in compiled code; those of `rule_based` where it has none."""
    if isinstance(policy, RandomPlayer):
        return Rollout(parts.RANDOM_PASS, parts.RANDOM_PLAY)
    if isinstance(policy, RulePlayer):
        return Rollout(policy.passing, policy.playing)
    return Rollout(0, 0)


def is_compiled(policy: Player) -> bool:
    """Tell whether a player's parts can play out in compiled code."""
    return isinstance(policy, (RulePlayer, RandomPlayer))


def check_compiled(policy: Player) -> None:
    """Check that a player's parts can play out in compiled code.

    Raises:
        PlayerError: when they cannot.
    """
    if not is_compiled(policy):
        raise PlayerError(f"rollout={policy.name!r}: a tree plays out with rule players only; `pimc` with any player")
