"""Self-play learns what there is to learn, and goes on from a checkpoint as if nothing had happened."""

from __future__ import annotations

import dataclasses
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import agents
from agents.inputs import N_COUNTED
from agents.network import POINTS_PER_NAT
from rk_env import Engine, Rules
from rk_env.errors import RicketyKateError
from rk_env.jit import JIT_DISABLED
from tests.tiny_runs import PAGE, TINY, after, never, trained
from training import runs, selfplay
from training.evaluate import evaluate
from training.losses import clipped_loss, critic_loss, imitation_loss, worth_loss
from training.rollout import PAYOFF_SCALE, Collector, Rollout
from training.selfplay import Run

# Learning


def batch_of(network: Any, rng: np.random.Generator, n: int) -> Rollout:
    """Return decisions between two random actions each, of which the lower one is right."""
    observations = torch.from_numpy(rng.normal(size=(n, network.policy[0].in_features)).astype(np.float32))
    states = torch.zeros(n, network.critic[0].in_features)
    masks = torch.zeros(n, 54, dtype=torch.bool)
    masks.scatter_(1, torch.from_numpy(rng.random((n, 54)).argsort(axis=1)[:, :2]), True)
    with torch.no_grad():
        logs = network.log_probabilities(observations, masks)
    actions = torch.multinomial(logs.exp(), 1).squeeze(1)
    returns = torch.where(actions == masks.float().argmax(dim=1), 1.0, -1.0)
    logs = logs.gather(1, actions[:, None]).squeeze(1)
    return Rollout(
        observations, states, masks, actions, logs, returns.clone(), returns, torch.zeros(1, 4), torch.zeros(n, 54)
    )


def learner(iterations: int) -> tuple[Run, np.random.Generator]:
    """Return a run that learns fast and anew, and the randomness of what it learns from."""
    config = dataclasses.replace(TINY, iterations=iterations, epochs=2, minibatch=256, learning_rate=0.01, width=16)
    run = selfplay.new_run(config, Rules())
    torch.manual_seed(1)
    return run, np.random.default_rng(1)


def test_updates_find_the_right_one_of_two_actions() -> None:
    run, rng = learner(iterations=60)
    shares = []
    for _ in range(run.config.iterations):
        batch = batch_of(run.network, rng, 512)
        shares.append((batch.returns > 0).float().mean().item())
        selfplay.update(run, batch, nullcontext, clipped_loss, run.config.epochs)
        run.iteration += 1
    assert 0.4 < shares[0] < 0.6
    assert shares[-1] > 0.9


def test_the_critic_finds_a_payoff_that_shows_in_the_hands() -> None:
    config = dataclasses.replace(TINY, iterations=200, minibatch=256, learning_rate=0.01, width=32)
    run = selfplay.new_run(config, Rules())
    torch.manual_seed(1)
    for _ in range(config.iterations):
        batch = batch_of(run.network, np.random.default_rng(1), 256)
        batch.states[:, 7] = (torch.rand(256) < 0.5).float()
        batch.returns[:] = 3.0 * batch.states[:, 7] - 1.0
        parts = selfplay.update(run, batch, nullcontext, clipped_loss, run.config.epochs)
        run.iteration += 1
    assert parts["explained variance"] > 0.9


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes as plain Python")
def test_ten_small_iterations_beat_random() -> None:
    config = dataclasses.replace(TINY, iterations=10, games=128, minibatch=512, epochs=2, learning_rate=3e-3, width=32)
    run = selfplay.new_run(config, Rules())
    before = evaluate(run.player(), [agents.make("random")], run.rules, 64, seed=5).payoff
    collector = Collector(run.rules, config.games, run.network.inputs)
    for _ in range(config.iterations):
        rollout = collector.collect(run.network, selfplay.iteration_seed(run), config.decay, nullcontext)
        selfplay.update(run, rollout, nullcontext, clipped_loss, config.epochs)
        run.iteration += 1
    payoff = evaluate(run.player(), [agents.make("random")], run.rules, 64, seed=5).payoff
    assert payoff.mean > 2.5
    assert payoff.low > before.high


def test_imitation_learns_what_was_done_whatever_it_was_worth() -> None:
    run, rng = learner(iterations=40)
    parts = []
    for _ in range(20):
        batch = batch_of(run.network, rng, 512)
        batch.actions[:] = 53 - batch.masks.flip(1).float().argmax(dim=1)  # the higher one, never rewarded
        parts.append(selfplay.update(run, batch, nullcontext, imitation_loss, run.config.epochs))
        run.iteration += 1
    assert parts[0]["imitation loss"] == pytest.approx(np.log(2), abs=0.1)
    assert parts[-1]["imitation loss"] < 0.2
    assert parts[-1]["agreement"] > 0.9


def test_worths_are_learned_whatever_was_done() -> None:
    run, rng = learner(iterations=60)
    parts = []
    for _ in range(40):
        batch = batch_of(run.network, rng, 512)
        noise = torch.from_numpy(rng.normal(size=(512, 54)).astype(np.float32))
        batch.worths[:] = 7.0 + 0.1 * torch.arange(54) + noise  # the higher one, never rewarded, is worth more
        parts.append(selfplay.update(run, batch, nullcontext, worth_loss, run.config.lesson_epochs))
        run.iteration += 1
    assert abs(parts[0]["worths explained"]) < 0.2
    # Half the square of their difference is the two moves' sum of squares about their mean; the noise adds 1 to it.
    legal = batch.masks.nonzero()[:, 1].reshape(-1, 2)
    signal = (0.1 * (legal[:, 1] - legal[:, 0])).square().mean().item() / 2
    assert parts[-1]["worths explained"] == pytest.approx(signal / (signal + 1), abs=0.1)
    assert parts[-1]["worth loss"] == pytest.approx(1 / PAYOFF_SCALE**2, rel=0.2)
    with torch.no_grad():
        logits = run.network.logits(batch.observations).gather(1, legal)
    expected = 0.1 * (legal[:, 1] - legal[:, 0]) / POINTS_PER_NAT
    assert (logits[:, 1] - logits[:, 0]).mean().item() == pytest.approx(expected.mean().item(), rel=0.1)


@pytest.mark.parametrize(("lesson", "loss"), [("moves", worth_loss), ("choices", imitation_loss)])
def test_a_teacher_begins_and_self_play_follows(monkeypatch: pytest.MonkeyPatch, lesson: str, loss: Any) -> None:
    losses = []
    monkeypatch.setattr(selfplay, "update", lambda run, rollout, autocast, *how: losses.append(how) or {})
    config = dataclasses.replace(TINY, iterations=10, teacher_until=0.3, lesson=lesson, lesson_epochs=3, epochs=5)
    for run in (
        selfplay.new_run(config, Rules()),
        selfplay.new_run(dataclasses.replace(config, teacher="none"), Rules()),
    ):
        collector = Collector(run.rules, config.games, run.network.inputs)
        for _ in range(5):
            selfplay.iterate(run, collector, nullcontext)
    assert losses == [(loss, 3)] * 3 + [(clipped_loss, 5)] * 7


def test_losses_are_those_of_the_papers() -> None:
    """Schulman et al. 2017, clipped objective; the rest by its definition."""
    run = selfplay.new_run(TINY, Rules())
    batch = batch_of(run.network, np.random.default_rng(2), 64)
    batch.log_probabilities -= torch.linspace(-0.5, 0.5, 64)  # as if chosen by an older policy
    config = dataclasses.replace(TINY, clip=0.2, entropy=0.06)
    policy_loss, parts = clipped_loss(run.network, batch, config, fade=0.5)
    error, fit = critic_loss(run.network, batch)
    loss, parts = policy_loss + error, parts | fit
    with torch.no_grad():
        logits = run.network.policy(batch.observations).numpy().astype(np.float64)
        values = run.network.values(batch.states).numpy()
    powers = np.exp(logits) * batch.masks.numpy()
    probabilities = powers / powers.sum(axis=1, keepdims=True)
    chosen = probabilities[np.arange(64), batch.actions]
    ratio = chosen / np.exp(batch.log_probabilities.numpy())
    advantages = batch.advantages.numpy()
    advantages = (advantages - advantages.mean()) / advantages.std()
    returns = batch.returns.numpy()
    expected = {
        "policy loss": -np.minimum(ratio * advantages, np.clip(ratio, 0.8, 1.2) * advantages).mean(),
        "value loss": ((values - returns) ** 2).mean(),
        "explained variance": 1 - ((values - returns) ** 2).mean() / returns.var(),
        "entropy": -np.sum(probabilities * np.log(np.maximum(probabilities, 1e-300)), axis=1).mean(),
        "KL": (ratio - 1 - np.log(ratio)).mean(),
        "clip fraction": (np.abs(ratio - 1) > 0.2).mean(),
    }
    assert 0.2 < expected["clip fraction"] < 0.9
    assert parts == pytest.approx(expected, abs=1e-5)
    total = expected["policy loss"] + 0.5 * expected["value loss"] - 0.03 * expected["entropy"]
    assert loss.item() == pytest.approx(total, abs=1e-5)


def test_minibatches_of_one_decision_are_learned_from() -> None:
    run = selfplay.new_run(dataclasses.replace(TINY, minibatch=1), Rules())
    parts = selfplay.update(run, batch_of(run.network, np.random.default_rng(3), 5), nullcontext, clipped_loss, 1)
    assert np.isfinite(list(parts.values())).all()
    assert all(parameter.isfinite().all() for parameter in run.network.parameters())


def test_rates_fade_to_a_tenth() -> None:
    run = selfplay.new_run(dataclasses.replace(TINY, iterations=10, learning_rate=0.01), Rules())
    batch = batch_of(run.network, np.random.default_rng(4), 64)
    rates = []
    for run.iteration in (0, 5, 10):
        rates.append(selfplay.update(run, batch, nullcontext, clipped_loss, run.config.epochs)["learning rate"])
        assert [group["lr"] for group in run.optimizer.param_groups] == [rates[-1]]
    assert rates == pytest.approx([0.01, 0.0055, 0.001])


def test_a_loss_that_is_no_number_stops_training_before_the_weights_change() -> None:
    run = selfplay.new_run(TINY, Rules())
    batch = batch_of(run.network, np.random.default_rng(5), 64)
    batch.returns[3] = torch.nan
    before = [parameter.clone() for parameter in run.network.parameters()]
    with pytest.raises(RicketyKateError, match="the loss is nan in iteration 0"):
        selfplay.update(run, batch, nullcontext, clipped_loss, run.config.epochs)
    assert all(map(torch.equal, before, run.network.parameters()))


# Going on


def same(a: Any, b: Any) -> bool:
    """Tell whether nested containers of tensors and plain values are equal bit for bit."""
    if isinstance(a, torch.Tensor):
        return torch.equal(a, b)
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b)


def learned(run: Run) -> list[Any]:
    strength = {name: run.history[-1][name] for name in selfplay.PANEL}
    return [run.network.state_dict(), run.optimizer.state_dict(), run.iteration, run.decisions, strength]


def test_a_resumed_run_equals_an_unbroken_one_bit_for_bit(tmp_path: Path) -> None:
    config = dataclasses.replace(TINY, iterations=4, epochs=2)
    unbroken = trained(tmp_path / "unbroken", config)
    (tmp_path / "broken").mkdir()
    selfplay.train(selfplay.new_run(config, Rules()), tmp_path / "broken", after(2))
    half = runs.load(tmp_path / "broken", {}, None)
    assert half.iteration == 2
    assert not same(learned(half)[:2], learned(unbroken)[:2])
    selfplay.train(half, tmp_path / "broken", never)
    assert same(learned(half), learned(unbroken))
    weights = [(tmp_path / name / "policy.npz").read_bytes() for name in ("broken", "unbroken")]
    assert weights[0] == weights[1]


def test_seeds_make_runs(tmp_path: Path) -> None:
    first = trained(tmp_path / "first")
    assert same(learned(trained(tmp_path / "again")), learned(first))
    other = trained(tmp_path / "other", dataclasses.replace(TINY, seed=2))
    assert not same(learned(other)[0], learned(first)[0])


def test_iterations_have_seeds_of_their_own() -> None:
    run = selfplay.new_run(TINY, Rules())
    seeds = set()
    for run.iteration in range(100):
        seeds.add(selfplay.iteration_seed(run))
    assert len(seeds) == 100


def test_minutes_end_a_run(tmp_path: Path) -> None:
    run = trained(tmp_path, dataclasses.replace(TINY, iterations=0, minutes=0.005))
    assert run.iteration >= 1
    assert run.seconds >= 0.3
    assert run.progress == 1.0


@pytest.mark.parametrize(
    ("lesson", "figures"), [("moves", {"worth_loss", "worths_explained"}), ("choices", {"imitation_loss", "agreement"})]
)
def test_a_run_writes_all_it_promises(lesson: str, figures: set[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    run = trained(tmp_path, dataclasses.replace(TINY, iterations=2, lesson=lesson))
    files_there = {path.name for path in tmp_path.iterdir()}
    assert files_there == {"checkpoint.pt", "policy.npz", "policy.json", "learning_curve.png", "tensorboard"}
    events = EventAccumulator(str(tmp_path / "tensorboard"))
    events.Reload()
    per_iteration = {"policy_loss", "value_loss", "explained_variance", "entropy", "KL", "clip_fraction"}
    per_iteration |= {"gradient_norm", "learning_rate", "decisions_a_second"} | figures
    per_test = {f"payoff_v_{name}" for name in selfplay.PANEL}
    assert set(events.Tags()["scalars"]) == per_iteration | per_test
    page = PAGE.read_text(encoding="utf-8")
    assert {name for name in per_iteration | per_test if f"`{name}`" not in page} == set()
    assert [event.step for event in events.Scalars("entropy")][-1] == run.decisions
    assert [len(events.Scalars(name)) for name in (*figures, "entropy", "value_loss")] == [1, 1, 1, 2]


def test_an_engine_of_training_is_that_of_play() -> None:
    """The layout that the network is built for is the one that players and environments show."""
    for uniform in (False, True):
        run = selfplay.new_run(dataclasses.replace(TINY, uniform=uniform), Rules(players=3))
        engine = Engine(run.rules, 1, seed=0, uniform_observations=uniform)
        assert run.network.inputs.layout.size == engine.layout.size == run.player().inputs.layout.size
        assert run.network.policy[0].in_features == engine.layout.size + N_COUNTED
