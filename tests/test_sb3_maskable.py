"""MaskablePPO by self-play: it trains, saves whole, goes on; its frozen copies stay as they are, and see no more."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import agents
from rk_env import Engine, Rules
from rk_env.checks import _check_hands
from rk_env.players import decision_seeds
from tests.unseen import redealt
from training import evaluate, sb3_maskable, sb3_run
from training.sb3_run import RUN_FILE, Sb3Run, load, policy_weights

TINY = [
    *("--envs", "4", "--rollout", "4", "--minibatch", "16", "--epochs", "1", "--width", "8", "--depth", "1"),
    *("--snapshot-every", "1", "--evaluate-deals", "2"),
]


def train(out: Path, *options: str) -> int:
    return sb3_maskable.main(["--out", str(out), *TINY, *options])


def tiny_run(rules: Rules | None = None, **settings: Any) -> Sb3Run:
    values = {"envs": 4, "rollout": 4, "minibatch": 16, "epochs": 1, "width": 8, "depth": 1, "snapshot_every": 1}
    return sb3_run.new_run(sb3_run.Settings(**(values | settings)), rules or Rules())


def pool_of(run: Sb3Run) -> dict[str, bytes]:
    return dict(run.snapshots.contents)


# Train, save, go on


def test_it_trains_saves_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    assert train(out, "--steps", "32") == 0
    printed = capsys.readouterr().out
    assert "3 x random@1" in printed
    assert "3 x rule_based@1" in printed
    first = load(out, {}, None)
    assert (first.model.num_timesteps, first.updates, len(first.snapshots.players)) == (32, 2, 2)
    assert sb3_maskable.main(["--out", str(out), "--resume", "--steps", "64", "--evaluate-deals", "2"]) == 0
    second = load(out, {}, None)
    assert (second.model.num_timesteps, second.updates, len(second.snapshots.players)) == (64, 4, 4)
    assert list(pool_of(second).items())[:2] == list(pool_of(first).items())
    assert second.seconds > first.seconds
    assert len(second.commands) == 2
    assert second.results[0]["opponents"] == ["random@1"]
    assert second.env._games.opponents.players[0].name == "random@1"
    assert len(second.env._games.opponents.players) == 5
    assert len(list(out.glob("model-*.zip"))) == 1


def test_a_resumed_run_has_weights_and_optimizer_of_the_save(tmp_path: Path) -> None:
    run = tiny_run(steps=32)
    sb3_maskable.train(run, tmp_path, lambda: False)
    again = load(tmp_path, {}, None)
    for mine, other in zip(policy_weights(run.model), policy_weights(again.model), strict=True):
        np.testing.assert_array_equal(mine, other)
    states = [model.policy.optimizer.state_dict()["state"] for model in (run.model, again.model)]
    assert states[0].keys() == states[1].keys()
    assert all((states[0][k]["exp_avg"] == states[1][k]["exp_avg"]).all() for k in states[0])
    assert not np.array_equal(again.env.reset(), tiny_run().env.reset()), "the deals of the beginning come again"
    np.testing.assert_array_equal(load(tmp_path, {}, None).env.reset(), load(tmp_path, {}, None).env.reset())


def test_the_policy_of_a_folder_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    assert train(out, "--steps", "16", "--players", "3") == 0
    capsys.readouterr()
    player = agents.make(str(out))
    assert player.rules == Rules(players=3)
    for mine, other in zip(player.weights, policy_weights(load(out, {}, None).model), strict=True):
        np.testing.assert_array_equal(mine, np.atleast_2d(other))
    assert evaluate.main(["--agent", str(out), "--opponents", "random", "--deals", "2"]) == 0
    assert evaluate.main(["--agent", str(out), "--opponents", "random", "--deals", "2", "--players", "4"]) == 2
    assert "was trained on other rules: players=4" in capsys.readouterr().err


@pytest.mark.parametrize("replaced", range(6))
def test_a_save_that_is_broken_off_leaves_the_one_before(
    replaced: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tiny_run(steps=16, pool=1)
    sb3_maskable.train(run, tmp_path, lambda: False)
    before = pool_of(run)
    run.model.learn(1, reset_num_timesteps=False)
    run.updates += 1
    run.snapshots.add(policy_weights(run.model), run.model.num_timesteps)
    real, left, names = os.replace, [replaced], []

    def killed(source: Any, target: Any) -> None:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        names.append(Path(target).name)
        real(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            sb3_run.save(run, tmp_path)
    found = load(tmp_path, {}, None)
    is_new = RUN_FILE in names
    assert is_new == (replaced > 3)
    assert found.model.num_timesteps == (32 if is_new else 16)
    assert pool_of(found) == (pool_of(run) if is_new else before)
    sb3_run.save(found, tmp_path)  # and cleans up
    assert agents.make(str(tmp_path)).rules == Rules()
    assert [path.stem for path in (tmp_path / "pool").glob("*.npz")] == list(pool_of(found))
    assert len(list(tmp_path.glob("model-*.zip"))) == 1


def test_a_save_writes_over_nothing_that_the_one_before_names(tmp_path: Path) -> None:
    run = tiny_run(steps=16)
    sb3_maskable.train(run, tmp_path, lambda: False)
    named = set(json.loads((tmp_path / RUN_FILE).read_text())["files"])
    run.model.policy.action_net.bias.data += 1.0  # same timesteps, another model
    sb3_run.save(run, tmp_path)
    after = set(json.loads((tmp_path / RUN_FILE).read_text())["files"])
    assert {name for name in named & after if name.startswith("model")} == set()


# Frozen copies


def test_copies_are_frozen_and_sit_down_as_opponents() -> None:
    run = tiny_run()
    run.snapshots.add(policy_weights(run.model), 0)
    copy = next(iter(run.snapshots.players.values()))
    before = [array.copy() for array in copy.weights]
    run.env.seat_opponents(run.snapshots.opponents())
    for _ in range(3):
        run.model.learn(1, reset_num_timesteps=False)
    assert not np.array_equal(policy_weights(run.model)[0], before[0])
    for mine, other in zip(copy.weights, before, strict=True):
        np.testing.assert_array_equal(mine, other)
    assert copy in run.env._games.opponents.players


def test_the_pool_lets_the_oldest_go_and_favours_the_newest() -> None:
    run = tiny_run(pool=2)
    for steps in range(4):
        run.snapshots.add(policy_weights(run.model), steps)
    assert [name[:12] for name in run.snapshots.contents] == ["000000000002", "000000000003"]
    mixture = run.snapshots.opponents()
    older, newest = run.snapshots.players.values()
    assert mixture == {"random": 0.5, older: 0.5, newest: 1.0}


@pytest.mark.parametrize("rules", [Rules(), Rules(players=3, moon="new"), Rules(players=6, decks=2)], ids=repr)
def test_copies_play_as_players_are_to_play_and_see_nothing_hidden(rules: Rules) -> None:
    run = tiny_run(rules)
    run.model.policy.action_net.weight.data *= 100.0  # opinions
    run.snapshots.add(policy_weights(run.model), 0)
    copy = next(iter(run.snapshots.players.values()))
    engine = Engine(rules, 8, seed=1, episode="hand")
    assert _check_hands(copy, engine, np.random.default_rng(0)) > 100
    engine = Engine(rules, 16, seed=2, episode="hand")
    n_compared = 0
    while (engine.turn >= 0).any():
        acting = np.flatnonzero(engine.turn >= 0)
        seats = engine.turn[acting].astype(np.int64)
        seeds = decision_seeds(3, acting, engine.games[acting])
        actions = copy.act(engine.view(seats, games=acting), rules, seeds)
        other = Engine.from_games(engine.games[acting], rules)
        other.games[:] = redealt(other.games, rules, seats, Random(4))
        np.testing.assert_array_equal(copy.act(other.view(seats), rules, seeds), actions)
        n_compared += len(acting)
        engine.step(actions, games=acting)
    assert n_compared > 100


def test_a_copy_thinks_what_the_policy_thinks() -> None:
    run = tiny_run(depth=2)
    run.model.learn(1, reset_num_timesteps=False)
    engine = Engine(Rules(), 5, seed=1)
    views, seeds = engine.view(engine.turn), np.zeros(5, np.uint64)
    ours, _ = run.player().evaluate(views, Rules(), seeds)
    observed = run.model.policy.obs_to_tensor(engine.observe(engine.turn.astype(np.int64)))[0]
    theirs = run.model.policy.get_distribution(observed, action_masks=engine.action_mask() == 1).distribution.probs
    np.testing.assert_allclose(ours, theirs.detach().numpy(), atol=1e-5)


# The command line


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the one line with which a command is refused."""
    capsys.readouterr()
    assert sb3_maskable.main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    lines: list[str] = printed.err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("error: ")
    return lines[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--envs", "0"], "--envs 0: allowed: 1 to 65536"),
        (["--minutes", "nan"], "--minutes nan: allowed"),
        (["--seed", "-1"], "--seed -1: allowed"),
        (["--evaluate-deals", "1"], "1 deals: at least 2 are needed"),
        (["--players", "12"], "players=12 is not allowed"),
        (["--rules", "no/such/rules.json"], "neither a JSON object nor a file to read"),
        (["--resume"], f"{RUN_FILE}: no run to resume"),
    ],
)
def test_bad_options_are_refused_and_nothing_is_made(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refusal(capsys, "--out", str(tmp_path / "run"), *options)
    assert not (tmp_path / "run").exists()


def test_resuming_another_run_or_a_damaged_one_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path)
    sb3_maskable.train(tiny_run(steps=16), tmp_path, lambda: False)
    assert "holds a run; --resume goes on with it" in refusal(capsys, "--out", out)
    assert "the run to resume has width=8, not 16" in refusal(capsys, "--out", out, "--resume", "--width", "16")
    assert "the run to resume has other rules" in refusal(capsys, "--out", out, "--resume", "--players", "3")
    model = next(tmp_path.glob("model-*.zip"))
    model.write_bytes(model.read_bytes()[:-10])
    assert "damaged, or not the file of this run" in refusal(capsys, "--out", out, "--resume")
    model.unlink()
    assert f"{model.name}: cannot be read" in refusal(capsys, "--out", out, "--resume")
    (tmp_path / RUN_FILE).write_text("{}")
    assert "no run of format" in refusal(capsys, "--out", out, "--resume")
    (tmp_path / RUN_FILE).unlink()
    assert "holds another policy" in refusal(capsys, "--out", out)
