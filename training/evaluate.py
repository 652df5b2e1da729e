"""How strong is an agent? Duplicate deals against fixed opponents.

Each deal is played once with the agent in every seat; dealers and the four pass directions come round evenly from deal
to deal, and so are not tied to the seat. Intervals are over deals.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

import agents
import rk_env
from rk_env.engine import Engine, spread_seed
from rk_env.errors import PlayerError, RicketyKateError, RulesError
from rk_env.observation import OBS_VERSION
from rk_env.players import Evaluation, Player, choose, decision_seeds
from rk_env.rules import RULES_VERSION, Rules, rules_fields
from training.files import write_json
from training.stats import Estimate, estimate

CHUNK_DEALS = 1024
"""Deals played at once."""


class EvaluationError(RicketyKateError):
    """An evaluation that cannot be."""


@dataclass(frozen=True)
class Result:
    """What one agent did against opponents; all figures are per hand, of the agent's seat."""

    agent: str
    opponents: list[str]
    players: int
    deals: int
    seed: int
    payoff: Estimate
    """Mean of the other seats' points minus own; higher is better."""
    points: Estimate
    """Own score; lower is better."""
    rank: Estimate
    """1 for the fewest points to P for the most; tied seats share the mean of their ranks."""
    win_share: Estimate
    """1/k when among the k seats with the fewest points."""
    moons_made: Estimate
    moons_conceded: Estimate
    ms_per_decision: float
    """The agent's own time over its decisions, forced ones included, thousands of which it is asked for at once."""
    rules: Rules

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        named = ("payoff", "points", "rank", "win_share")
        return {
            "agent": self.agent,
            "opponents": self.opponents,
            "players": self.players,
            "deals": self.deals,
            "seed": self.seed,
            **{name: getattr(self, name).to_dict() for name in named},
            "moons": {"made": self.moons_made.to_dict(), "conceded": self.moons_conceded.to_dict()},
            "ms_per_decision": self.ms_per_decision,
            "rules": self.rules.to_dict(),
            "versions": {"rickety-kate": rk_env.__version__, "rules": RULES_VERSION, "observation": OBS_VERSION},
        }


def evaluate(
    agent: Player | str,
    opponents: Sequence[Player | str],
    rules: Rules,
    deals: int,
    seed: int,
    progress: Callable[[int], Any] = lambda deals: None,
    player_seed: int | None = None,
) -> Result:
    """Return an agent's strength against opponents on duplicate deals.

    Args:
        agent: whom to measure; here and below, a player or what `agents.make` makes one of.
        opponents: one for all other seats, or P - 1, from the agent's left on.
        rules: the rules.
        deals: how many; a multiple of 4 P balances dealers and pass directions exactly.
        seed: of the deals.
        progress: called with the number of deals just played.
        player_seed: of the players' own choices; None is `seed`.

    Raises:
        EvaluationError: when there are too few deals.
        PlayerError: when there are neither 1 nor P - 1 opponents, one is no player, or makes an illegal move.
    """
    check_deals(deals)
    timed = TimedPlayer(agents.make(agent))
    others = [agents.make(opponent) for opponent in opponents]
    if len(others) not in (1, rules.players - 1):
        raise PlayerError(f"{len(others)} opponents given; 1 or {rules.players - 1} needed")
    table = [timed, *(others if len(others) > 1 else others * (rules.players - 1))]
    parts = []
    for first in range(0, deals, CHUNK_DEALS):
        numbers = np.arange(first, min(deals, first + CHUNK_DEALS))
        parts.append(play_deals(table, rules, numbers, seed, seed if player_seed is None else player_seed))
        progress(len(numbers))
    columns = {name: estimate(np.concatenate([part[name] for part in parts])) for name in parts[0]}
    return Result(
        agent=timed.name,
        opponents=[player.name for player in others],
        players=rules.players,
        rules=rules,
        deals=deals,
        seed=seed,
        ms_per_decision=1000 * timed.seconds / max(timed.decisions, 1),
        **columns,
    )


def check_deals(deals: int) -> None:
    """Check that there are enough deals for an interval.

    Raises:
        EvaluationError: when there are not.
    """
    if deals < 2:
        raise EvaluationError(f"{deals} deals: at least 2 are needed")


class TimedPlayer:
    """A player, with a count of its decisions and the seconds they took; not of its first call, which may compile."""

    def __init__(self, player: Player) -> None:
        self.name = player.name
        self.player = player
        self.is_warm = False
        self.seconds = 0.0
        self.decisions = 0

    def act(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return what the player answers."""
        start = time.perf_counter()
        actions = self.player.act(views, rules, seeds)
        if self.is_warm:
            self.seconds += time.perf_counter() - start
            self.decisions += len(views)
        self.is_warm = True
        return actions

    def evaluate(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> Evaluation:
        """Return what the player thinks."""
        return self.player.evaluate(views, rules, seeds)


def balanced_deals(rules: Rules, numbers: NDArray[np.int64], seed: int) -> Engine:
    """Return an engine with each numbered deal once for every seat.

    Game i is the deal with number i // P, to be played from seat i % P. Deal n has dealer n // 4 mod P and hand number
    1 + n mod 4; its cards depend on seed and number alone.
    """
    seeds = spread_seed(seed, int(numbers.max()) + 1)[numbers]
    hands = Engine(rules, seeds=seeds).games["hands"][:, : rules.players, 0]
    engine = Engine(rules, len(numbers) * rules.players, seed=0)
    twin = np.repeat(numbers, rules.players)
    engine.deal(np.repeat(hands, rules.players, axis=0), dealer=twin // 4 % rules.players, hand_number=1 + twin % 4)
    return engine


def play_deals(
    table: Sequence[Player], rules: Rules, numbers: NDArray[np.int64], seed: int, player_seed: int
) -> dict[str, NDArray[np.float64]]:
    """Play numbered deals with the first player in every seat, the others following clockwise.

    Returns:
        For each figure of `Result`, its mean over the seats, one number a deal.
    """
    n_seats = rules.players
    engine = balanced_deals(rules, numbers, seed)
    own_seat = np.tile(np.arange(n_seats), len(numbers))
    ids = np.repeat(numbers, n_seats) * n_seats + own_seat
    players = list({id(player): player for player in table}.values())
    sits_at = np.array([[player is other for other in players].index(True) for player in table])
    lineup = sits_at[(np.arange(n_seats) - own_seat[:, None]) % n_seats]
    while (engine.games["turn"] >= 0).any():
        engine.step(choose(engine, players, lineup, decision_seeds(player_seed, ids, engine.games), groups=own_seat))
    figures = seat_figures(engine, own_seat)
    return {name: row.reshape(len(numbers), n_seats).mean(axis=1) for name, row in figures.items()}


def seat_figures(engine: Engine, seats: NDArray[np.int64]) -> dict[str, NDArray[np.float64]]:
    """Return the figures of one seat in each game whose hand is over, each (B,)."""
    rows = np.arange(len(engine))
    scores = engine.hand_scores
    own = scores[rows, seats]
    fewer = (scores < own[:, None]).sum(axis=1)
    equal = (scores == own[:, None]).sum(axis=1)
    shooter = engine.games["shooter"]
    return {
        "payoff": engine.payoffs[rows, seats],
        "points": own.astype(np.float64),
        "rank": fewer + (equal + 1) / 2,
        "win_share": np.where(fewer == 0, 1 / equal, 0.0),
        "moons_made": (shooter == seats).astype(np.float64),
        "moons_conceded": ((shooter >= 0) & (shooter != seats)).astype(np.float64),
    }


def results_table(results: Sequence[Result]) -> str:
    """Return results as an aligned text table."""
    head = ["agent", "opponents", "payoff", "points", "rank", "win share", "moons made", "conceded", "ms/decision"]
    lines = [head, *map(table_row, results)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(head))]
    rows = ["  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    return "\n".join([rows[0], "-" * len(rows[0]), *rows[1:]])


def table_row(result: Result) -> list[str]:
    """Return the texts of one result's row."""
    alike = len(result.opponents) == 1
    shares = (result.win_share, result.moons_made, result.moons_conceded)
    return [
        result.agent,
        f"{result.players - 1} x {result.opponents[0]}" if alike else " ".join(result.opponents),
        str(result.payoff),
        *(f"{value.mean:.2f} ± {value.half_width:.2f}" for value in (result.points, result.rank)),
        *(f"{100 * value.mean:.1f} ± {100 * value.half_width:.1f} %" for value in shares),
        f"{result.ms_per_decision:.4f}",
    ]


def rules_from_options(rules_json: str | None, players: int | None) -> Rules | None:
    """Return the rules that a command line names: JSON text or a JSON file, and a player count; None: it names none.

    Raises:
        RulesError: when they make no game.
    """
    if rules_json is None and players is None:
        return None
    if rules_json is not None and not rules_json.lstrip().startswith("{"):
        try:
            rules_json = Path(rules_json).read_text()
        except (OSError, ValueError) as error:
            raise RulesError(f"--rules {rules_json}: neither a JSON object nor a file to read ({error})") from error
    fields = rules_fields(rules_json) if rules_json is not None else {}
    if players is not None and fields.setdefault("players", players) != players:
        raise RulesError(f"--players {players}, but --rules has players={fields['players']!r}")
    return Rules.from_dict(fields)


def add_rules_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that `rules_from_options` reads."""
    parser.add_argument("--players", type=int, help="players at the table (default 4)")
    parser.add_argument("--rules", metavar="JSON", help="""fields of Rules, such as '{"moon": "new"}', or a file""")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure agents from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.evaluate",
        description="Measure an agent against fixed opponents on duplicate deals; intervals are 95 % over deals.",
        epilog="example: python -m training.evaluate --agent runs/first --opponents rule_based --json out.json",
    )
    known = ", ".join(agents.names())
    parser.add_argument("--agent", required=True, help=f"one of {known}; a policy; module:attribute; foreign:COMMAND")
    parser.add_argument("--opponents", nargs="+", required=True, help="one for all other seats, or one a seat")
    parser.add_argument("--deals", type=int, default=2000, help="deals, each played from every seat (default 2000)")
    parser.add_argument("--seed", type=int, default=1, help="of deals and players (default 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    parser.add_argument("--any-rules", action="store_true", help="let a policy play by rules it was not trained on")
    add_rules_options(parser)
    options = parser.parse_args(arguments)
    try:
        agent = agents.make(options.agent, **({"any_rules": True} if options.any_rules else {}))
        opponents = [agents.make(spec) for spec in options.opponents]
        own_rules = getattr(agent, "rules", None)
        rules = rules_from_options(options.rules, options.players)
        rules = rules or (own_rules if isinstance(own_rules, Rules) else Rules())
        with tqdm(total=options.deals, unit="deal", disable=not sys.stderr.isatty()) as bar:
            result = evaluate(agent, opponents, rules, options.deals, options.seed, bar.update)
        print(results_table([result]))
        if options.json:
            write_json(options.json, result.to_dict())
            print(f"figures written to {options.json}")
    except (RicketyKateError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
