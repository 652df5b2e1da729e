"""Training from nothing: one network learns to pass, to play and to choose after a moon.

One iteration: `games` hands played in lockstep (`training.rollout`), and steps of gradient descent on what was decided.
In lessons the network plays beside itself and a teacher, and learns what every move is worth (`training.trials`), or it
imitates what the teacher does. If they end before the run does, PPO (Schulman et al. 2017) improves it by self-play
beside a league, with a critic that sees all hands. Rewards are payoffs, paid at the end of the hand. Every iteration's
randomness comes from (seed, iteration), so a resumed run goes on as an unbroken one would.

What each logged number means stands in `training/README.md`.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

import agents
from rk_env.engine import spread_seed
from rk_env.errors import RicketyKateError
from rk_env.inputs import checked_rules
from rk_env.rules import Rules
from training import runs
from training.command import add_fields, given_fields, run_command, stop_on_interrupt
from training.evaluate import Result, add_rules_options, check_deals, evaluate, rules_from_options
from training.league import Lineup, half_beside
from training.losses import PolicyLoss, clipped_loss, critic_loss, imitation_loss, worth_loss
from training.plots import save_learning_curve
from training.rollout import Collector, Rollout
from training.run import Config, Run, new_run
from training.workers import ALONE, Team, joined

PANEL = ("ducker", "rule_based")
"""Opponents whose beating is shown while training goes on."""


def train(run: Run, folder: Path, stop: Callable[[], bool]) -> None:
    """Train until the run's minutes or iterations are used up, or `stop` says so to the first process.

    Writes to `folder` as it goes: checkpoint, policy, learning curve, TensorBoard logs.
    """
    collector = Collector(run.rules, run.team.share_of(run.config.games), run.network.inputs)
    autocast = autocast_of(run.config.precision)
    last = time.perf_counter()
    with notes(run, folder) as note:
        while run.progress < 1.0 and not run.team.from_first(stop()):
            rollout, losses = iterate(run, collector, autocast)
            decisions = run.team.total(len(rollout))
            run.decisions += decisions
            run.results = []
            now = time.perf_counter()
            speed = decisions / (now - last)
            run.seconds, last = run.team.from_first(run.seconds + now - last), now
            note(losses | {"decisions a second": speed})


@contextmanager
def notes(run: Run, folder: Path) -> Iterator[Callable[[dict[str, float]], None]]:
    """Hand out a function that logs, shows, tests and saves a run after each iteration; save it at the end.

    Only the first process does.
    """
    if not run.team.is_first:
        yield lambda figures: None
        return
    tested = -run.config.test_every
    with SummaryWriter(folder / "tensorboard") as writer, progress_bar(run) as bar:

        def note(figures: dict[str, float]) -> None:
            nonlocal tested
            for name, value in figures.items():
                writer.add_scalar(name.replace(" ", "_"), value, run.decisions)
            show_progress(bar, run, figures["decisions a second"])
            if run.seconds - tested >= run.config.test_every or run.progress >= 1.0:
                tested = run.seconds
                test(run, writer)
                runs.save(run, folder)
                save_learning_curve(run.history, folder / "learning_curve.png")

        yield note
        runs.save(run, folder)


def iterate(
    run: Run, collector: Collector, autocast: Callable[[], AbstractContextManager[Any]]
) -> tuple[Rollout, dict[str, float]]:
    """Play and learn once; return what was played and what is worth logging."""
    config, seed = run.config, run.team.seed_of(iteration_seed(run))
    if run.is_taught:
        rollout = take_lesson(run, collector, seed, autocast)
        loss = worth_loss if run.trials else imitation_loss
        losses = update(run, rollout, autocast, loss, config.lesson_epochs)
    else:
        lineup = run.league.draw(collector.num_games, seed)
        rollout = collector.collect(run.network, seed, config.decay, autocast, lineup)
        losses = update(run, rollout, autocast, clipped_loss, config.epochs)
        run.league.note(lineup, rollout.payoffs.numpy())
    run.iteration += 1
    if run.iteration % config.snapshot_every == 0:
        run.league.add_past(f"iteration {run.iteration}", run.network.policy_weights(), **config.kind)
    return rollout, losses


def take_lesson(
    run: Run, collector: Collector, seed: int, autocast: Callable[[], AbstractContextManager[Any]]
) -> Rollout:
    """Return hands that the teacher plays, or those in which it plays out what the network might do."""
    if run.trials is None:
        return collector.collect(run.network, seed, 1.0, autocast, teacher=run.teacher)
    lineup = half_beside(run.trials.teacher, collector.num_games, run.rules, seed)
    return collector.collect(run.network, seed, 1.0, autocast, lineup, trials=run.trials)


def warm_up(run: Run) -> None:
    """Compile, at one table, what iterations and tests run: the compiler takes none of the training's time."""
    collector = Collector(run.rules, 1, run.network.inputs)
    players = [*(member.player for member in run.league.fixed), run.player()]
    for player in players:
        seats = np.ones((1, run.rules.players), np.int64)
        seats[0, 0] = 0
        collector.collect(run.network, run.config.seed, 1.0, nullcontext, Lineup([player], seats))
    take_lesson(run, collector, run.config.seed, nullcontext)
    for name in PANEL:
        evaluate(run.player(), [agents.make(name)], run.rules, 2, seed=run.config.seed)


def iteration_seed(run: Run) -> int:
    """Return the seed of the coming iteration: of the run's seed and the iteration's number alone."""
    return int(spread_seed(run.config.seed, run.iteration + 1)[run.iteration] >> np.uint64(1))


def update(
    run: Run,
    rollout: Rollout,
    autocast: Callable[[], AbstractContextManager[Any]],
    policy_loss: PolicyLoss,
    epochs: int,
) -> dict[str, float]:
    """Improve policy and critic by some passes over an iteration's decisions; return means of what is worth logging."""
    config = run.config
    fade = 1.0 - 0.9 * run.progress
    for group in run.optimizer.param_groups:
        group["lr"] = config.learning_rate * fade
    generator = torch.Generator().manual_seed(run.team.seed_of(iteration_seed(run)))
    n_batches = min(math.ceil(run.team.total(len(rollout)) / config.minibatch), run.team.least(len(rollout)))
    sums: dict[str, float] = {}
    steps = 0
    for _ in range(epochs):
        for batch in rollout.minibatches(n_batches, generator):
            with autocast():
                loss, parts = policy_loss(run.network, batch, config, fade)
                error, fit = critic_loss(run.network, batch)
            loss, parts = loss + error, parts | fit
            if not torch.isfinite(loss):
                raise RicketyKateError(f"the loss is {loss.item()} in iteration {run.iteration}: {parts}")
            run.optimizer.zero_grad(set_to_none=True)
            torch.autograd.backward(loss)
            run.team.average_gradients(run.network.parameters())
            norm = torch.nn.utils.clip_grad_norm_(run.network.parameters(), 0.5)
            if not torch.isfinite(norm):
                raise RicketyKateError(f"the gradient is {norm.item()} in iteration {run.iteration}; training stops")
            parts["gradient norm"] = norm.item()
            run.optimizer.step()
            steps += 1
            for name, value in parts.items():
                sums[name] = sums.get(name, 0.0) + value
    return {name: total / steps for name, total in sums.items()} | {"learning rate": config.learning_rate * fade}


def test(run: Run, writer: SummaryWriter) -> None:
    """Measure the policy against the panel and note it in the run's history."""
    entry: dict[str, Any] = {"seconds": run.seconds, "iteration": run.iteration, "decisions": run.decisions}
    for name in PANEL:
        result = evaluate(run.player(), [agents.make(name)], run.rules, run.config.test_deals, seed=run.config.seed)
        entry[name] = result.payoff.to_dict()
        writer.add_scalar(f"payoff_v_{name}", result.payoff.mean, run.decisions)
    run.history.append(entry)


def autocast_of(precision: str) -> Callable[[], AbstractContextManager[Any]]:
    """Return what makes the context that networks run in."""
    if precision == "bfloat16":
        return lambda: torch.autocast("cpu", dtype=torch.bfloat16)
    return nullcontext


def faster_precision(config: Config) -> str:
    """Return "bfloat16" where this machine multiplies matrices clearly faster in it, else "float32".

    The shortest of many turns counts, so that other programs do not decide.
    """
    layer = torch.nn.Linear(config.width, config.width)
    batch = torch.rand(config.minibatch, config.width)
    seconds = {"float32": float("inf"), "bfloat16": float("inf")}
    for precision in ("float32", "bfloat16") * 15:
        start = time.perf_counter()
        with autocast_of(precision)():
            layer(batch).sum().backward()
        seconds[precision] = min(seconds[precision], time.perf_counter() - start)
    return "bfloat16" if 1.2 * seconds["bfloat16"] < seconds["float32"] else "float32"


@contextmanager
def progress_bar(run: Run) -> Iterator[tqdm[Any]]:
    """Open a bar over the run's iterations or seconds."""
    whole = run.config.iterations or round(60 * run.config.minutes)
    unit = "it" if run.config.iterations else "s"
    shown = "{desc} {percentage:3.0f}%|{bar}| {n:.0f}/{total:.0f} {unit} {postfix}"
    with tqdm(total=whole, unit=unit, desc="training", bar_format=shown, mininterval=1.0) as bar:
        yield bar


def show_progress(bar: tqdm[Any], run: Run, speed: float) -> None:
    """Show how far the run is and how strong the policy was when last tested."""
    bar.n = min(bar.total, run.iteration if run.config.iterations else run.seconds)
    strength = "".join(f", v {name} {run.history[-1][name]['mean']:+.2f}" for name in PANEL if run.history)
    bar.set_postfix_str(f"{run.decisions / 1e6:.1f} M decisions, {speed / 1e3:.0f} k/s{strength}", refresh=False)
    bar.update(0)


def final_table(run: Run, deals: int) -> list[Result]:
    """Measure the policy against random players and the panel on deals that no test has used."""
    player = run.player(name=f"self-play, {run.seconds / 60:.1f} min")
    opponents = ["random", *PANEL]
    return [evaluate(player, [agents.make(name)], run.rules, deals, seed=run.config.seed + 1) for name in opponents]


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line; every field of `Config` is an option."""
    parser = argparse.ArgumentParser(
        prog="python -m training.selfplay",
        description="Train a policy by self-play. Ctrl-C stops after the iteration at hand and loses nothing.",
        epilog="example: python -m training.selfplay --minutes 5 --out runs/first",
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument("--resume", action="store_true", help="go on with the run in --out")
    parser.add_argument("--evaluate", action="store_true", help="end with a table of strength on fresh deals")
    parser.add_argument("--evaluate-deals", type=int, default=2000, help="deals of that table (default 2000)")
    add_rules_options(parser)
    add_fields(parser, Config)
    return parser.parse_args(arguments)


def prepare(options: argparse.Namespace, given: dict[str, Any], rules: Rules | None, team: Team) -> Run:
    """Return the run that the options begin or resume.

    Raises:
        RicketyKateError: when the folder, the rules or an option does not fit.
    """
    if options.resume:
        run = runs.load(options.out, given, rules)
    else:
        if team.is_first:
            runs.refuse_used_folder(options.out)
        config = Config(**given)
        set_threads(config)
        if config.precision == "auto":
            is_bfloat16 = team.from_first(faster_precision(config) == "bfloat16")
            config = dataclasses.replace(config, precision="bfloat16" if is_bfloat16 else "float32")
        run = new_run(config, checked_rules(rules))
    if run.config.games < team.count:
        raise runs.RunError(f"--games {run.config.games}: {team.count} processes need a table each")
    set_threads(run.config)
    run.team = team
    return run


def set_threads(config: Config) -> None:
    """Give torch the threads that the options name."""
    if config.threads:
        torch.set_num_threads(config.threads)


def train_and_measure(options: argparse.Namespace, command: str, team: Team = ALONE) -> list[Result]:
    """Do what the command line asks for; return the rows of the table of strength, none unless asked for.

    Raises:
        RicketyKateError: when the folder, the rules or an option does not fit.
    """
    given = given_fields(options, Config)
    rules = rules_from_options(options.rules, options.players)
    runs.checked_config(Config(**given))
    check_deals(options.evaluate_deals)
    with runs.locked(options.out, create=not options.resume):
        run = prepare(options, given, rules, team)
        run.commands.append(command)
        print(f"rules: {run.rules!r}\n{json.dumps(dataclasses.asdict(run.config))}", file=sys.stderr)
        with stop_on_interrupt() as stop:
            print("compiling the game and its players (once, a minute or two) ...", file=sys.stderr)
            warm_up(run)
            train(run, options.out, stop)
        results = final_table(run, options.evaluate_deals) if options.evaluate else []
        if results:
            run.results = [result.to_dict() for result in results]
        runs.save(run, options.out)
    return results


def help_training(options: argparse.Namespace, command: str, team: Team) -> list[Result]:
    """Train along with the first process, which decides when to stop and alone writes.

    Raises:
        RicketyKateError: when the rules or an option does not fit.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    given = given_fields(options, Config)
    run = prepare(options, given, rules_from_options(options.rules, options.players), team)
    warm_up(run)
    train(run, options.out, lambda: False)
    return []


def main(arguments: Sequence[str] | None = None) -> int:
    """Train from the command line."""
    options = parse_arguments(arguments)
    with joined() as team:
        task = train_and_measure if team.is_first else help_training
        made = "policy, its card and the learning curve" if team.is_first else ""
        program = "python" if team.count == 1 else f"torchrun --nproc-per-node {team.count}"
        return run_command(f"{program} -m training.selfplay", options, arguments, partial(task, team=team), made)


if __name__ == "__main__":
    raise SystemExit(main())
