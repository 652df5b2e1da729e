"""A training run: its options, and its state between two iterations."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import textwrap
from typing import Any

import torch

import agents
from agents.inputs import COUNTED, OBSERVATION, Inputs
from agents.network import NetworkPlayer
from rk_env.observation import Layout
from rk_env.players import Player
from rk_env.rules import Rules
from training.league import League
from training.network import Network
from training.trials import Trials
from training.workers import ALONE, Team


@dataclasses.dataclass(frozen=True)
class Config:
    """Options of a run; each is an option of the command line."""

    minutes: float = 10.0
    """how long to train; a run resumed goes on to this total"""
    iterations: int = 0
    """how many iterations to train instead of minutes, for runs that can be repeated exactly; 0: by minutes"""
    seed: int = 1
    """of everything: weights, deals, choices, batches"""
    games: int = 256
    """hands played in lockstep in each iteration"""
    epochs: int = 1
    """passes over an iteration's decisions"""
    minibatch: int = 512
    """decisions in each gradient step"""
    learning_rate: float = 1e-3
    """of Adam, at the start; falls in a straight line to a tenth"""
    clip: float = 0.2
    """how far a probability ratio may move before its gradient is cut"""
    entropy: float = 0.01
    """weight of the entropy bonus, at the start; falls in a straight line to a tenth"""
    decay: float = 0.8
    """lambda of the advantages"""
    width: int = 256
    """units in each hidden layer of the policy"""
    depth: int = 3
    """hidden layers of the policy"""
    league: str = "rule_based moon_hunter"
    """who sits beside the network at some tables, apart by spaces; whoever costs it most comes most"""
    league_share: float = 0.25
    """of the tables at which one of the league sits; 0: the network plays with itself alone"""
    snapshot_every: int = 200
    """iterations after which a copy of the policy joins the league"""
    pool: int = 4
    """such copies kept; beyond that the oldest leaves"""
    teacher: str = "rule_based"
    """whom the network learns from at first; none: from nobody"""
    teacher_until: float = 1.0
    """share of the run at which that ends and PPO begins"""
    lesson: str = "moves"
    """what it learns then. moves: what each is worth, played out in the true deal by a rule player, or as a search
    player expects; choices: to do what the teacher does"""
    lesson_epochs: int = 2
    """passes over an iteration's decisions in lessons"""
    threads: int = 1
    """torch threads; more than one is slower wherever something else uses a core; 0: torch's own choice"""
    precision: str = "auto"
    """float32, bfloat16, or auto: whichever is faster here"""
    uniform: bool = False
    """observe in the layout that serves all player counts"""
    plain: bool = False
    """read the observation alone, without what a seat can count up from it"""
    test_every: float = 60.0
    """seconds between tests against the panel"""
    test_deals: int = 256
    """deals of such a test, each played from every seat"""

    @property
    def kind(self) -> dict[str, Any]:
        """What kind of policy a player made of the weights must be told that it is."""
        return {"uniform": self.uniform, "reads": OBSERVATION if self.plain else COUNTED}


@dataclasses.dataclass
class Run:
    """A training run as it stands between two iterations: all that a checkpoint holds."""

    config: Config
    rules: Rules
    network: Network
    optimizer: torch.optim.Optimizer
    league: League
    teacher: Player | None
    trials: Trials | None
    """how the teacher tells what moves are worth; None: it does not"""
    iteration: int = 0
    decisions: int = 0
    seconds: float = 0.0
    history: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    commands: list[str] = dataclasses.field(default_factory=list)
    results: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    """rows of the table of strength, of the policy as it stands; empty when it was not measured"""
    team: Team = ALONE
    """the processes that train together; no checkpoint holds it"""

    @property
    def progress(self) -> float:
        """How much of the training is done, 0 to 1."""
        if self.config.iterations:
            return min(1.0, self.iteration / self.config.iterations)
        return min(1.0, self.seconds / (60 * self.config.minutes))

    @property
    def is_taught(self) -> bool:
        """Whether the teacher decides in the coming iteration."""
        return self.teacher is not None and self.progress < self.config.teacher_until

    def player(self, name: str = "self") -> NetworkPlayer:
        """Return the policy as it stands, as the player it will be when exported."""
        return NetworkPlayer(self.network.policy_weights(), self.rules, **self.config.kind, name=name)


def new_run(config: Config, rules: Rules) -> Run:
    """Return an untrained run."""
    torch.manual_seed(config.seed)
    inputs = Inputs(Layout.of(rules, uniform=config.uniform), config.kind["reads"])
    network = Network(inputs, config.width, config.depth)
    optimizer = torch.optim.Adam(network.parameters(), lr=config.learning_rate, eps=1e-5, fused=True)
    league = League(config.league, config.league_share, config.pool, rules)
    teacher = teacher_of(config)
    return Run(config, rules, network, optimizer, league, teacher, trials_of(config, teacher))


def teacher_of(config: Config) -> Player | None:
    """Return the player that the network learns from; None when there is none.

    Raises:
        PlayerError: when the name makes no player.
    """
    return None if config.teacher == "none" else agents.make(config.teacher)


def trials_of(config: Config, teacher: Player | None) -> Trials | None:
    """Return how the teacher tells what moves are worth; None when the lessons are others.

    Raises:
        PlayerError: when it should, but cannot.
    """
    return Trials(teacher) if teacher is not None and config.lesson == "moves" else None


def field_docs(cls: type) -> dict[str, str]:
    """Return the docstrings that stand below a dataclass's fields."""
    body = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0].body  # type: ignore[attr-defined]
    docs = {}
    for statement, following in itertools.pairwise(body):
        is_doc = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and is_doc:
            docs[statement.target.id] = str(following.value.value)
    return docs
