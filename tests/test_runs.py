"""A run's folder: checkpoints that are whole or not there, and refusals that name the file and what is wrong."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from agents.network import load_policy
from rk_env import Rules, files
from rk_env.errors import PolicyFileError
from rk_env.files import replacing
from training import runs
from training.files import write_json
from training.run import field_docs
from training.runs import RunError
from training.selfplay import Config, Run, new_run

CONFIG = Config(width=8, depth=1, precision="float32")


def saved_run(folder: Path, rules: Rules | None = None) -> Run:
    """Return a run that has learned a little and was saved."""
    run = new_run(CONFIG, rules or Rules(players=5, moon="new", bonus_cards=("JD",)))
    for parameter in run.network.parameters():
        parameter.grad = torch.ones_like(parameter)
    run.optimizer.step()
    run.league.add_past("iteration 5", run.network.policy_weights(), **CONFIG.kind)
    run.league.fixed[0].payoff = -1.25
    run.iteration, run.decisions, run.seconds = 7, 1234, 56.5
    run.history.append({"seconds": 50.0, "ducker": {"mean": 1.0, "low": 0.5, "high": 1.5}})
    run.commands.append("python -m training.selfplay --out here")
    runs.save(run, folder)
    return run


# Checkpoints


def test_what_was_saved_is_what_is_loaded(tmp_path: Path) -> None:
    run = saved_run(tmp_path)
    loaded = runs.load(tmp_path, {}, None)
    for name in ("config", "rules", "iteration", "decisions", "seconds", "history", "commands"):
        assert getattr(loaded, name) == getattr(run, name), name
    for own, other in zip(run.network.parameters(), loaded.network.parameters(), strict=True):
        assert torch.equal(own, other)
        state, other_state = run.optimizer.state[own], loaded.optimizer.state[other]
        assert all(torch.equal(state[key], other_state[key]) for key in ("step", "exp_avg", "exp_avg_sq"))
    assert [(member.name, member.payoff) for member in loaded.league.members] == [
        *(("rule_based", -1.25), ("moon_hunter", 0.0), ("iteration 5", 0.0))
    ]
    assert all(map(np.array_equal, loaded.league.past[0].weights, run.league.past[0].weights))


def test_a_checkpoint_is_a_file_that_torch_reads(tmp_path: Path) -> None:
    saved_run(tmp_path)
    assert torch.load(tmp_path / "checkpoint.pt", weights_only=True)["iteration"] == 7


def refused(folder: Path, content: bytes, message: str) -> None:
    path = folder / "checkpoint.pt"
    path.write_bytes(content)
    with pytest.raises(PolicyFileError) as caught:
        runs.load(folder, {}, None)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_damaged_checkpoints_are_refused(tmp_path: Path) -> None:
    saved_run(tmp_path)
    whole = (tmp_path / "checkpoint.pt").read_bytes()
    rng = random.Random(1)
    for content in (b"", b"text\n", rng.randbytes(500), whole + b"x"):
        refused(tmp_path, content, "damaged")
    for n_kept in (1, 31, 32, 33, len(whole) // 2, len(whole) - 1):
        refused(tmp_path, whole[:n_kept], "damaged")
    for _ in range(200):
        damaged = bytearray(whole)
        damaged[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        refused(tmp_path, bytes(damaged), "damaged")


def test_a_missing_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PolicyFileError, match=r"checkpoint\.pt: no checkpoint to resume from \(No such file"):
        runs.load(tmp_path, {}, None)


def whole_checkpoint(state: Any) -> bytes:
    buffer = io.BytesIO()
    torch.save(state, buffer)
    return buffer.getvalue() + hashlib.sha256(buffer.getvalue()).digest()


def without(*names: str) -> Callable[[dict[str, Any]], Any]:
    return lambda state: {name: value for name, value in state.items() if name not in names}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda state: [state], "no checkpoint of format rickety-kate-checkpoint@3"),
        (lambda state: state | {"format": "else@1"}, "no checkpoint of format"),
        (lambda state: state | {"versions": [99, 1]}, "made for rules and observation versions [99, 1]; this is"),
        (without("network"), "damaged ('network')"),
        (without("history"), "damaged ('history')"),
        (lambda state: state | {"config": state["config"] | {"colour": "red"}}, "damaged"),
        (lambda state: state | {"config": state["config"] | {"width": 16}}, "damaged"),
        (lambda state: state | {"rules": {"players": 9}}, "damaged (players=9 is not allowed"),
    ],
)
def test_other_contents_are_refused(change: Callable[[dict[str, Any]], Any], message: str, tmp_path: Path) -> None:
    saved_run(tmp_path)
    state = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    refused(tmp_path, whole_checkpoint(change(state)), message)


def test_only_some_options_may_change_on_resuming(tmp_path: Path) -> None:
    run = saved_run(tmp_path)
    own = dataclasses.asdict(run.config)
    changed = {"minutes": 3.5, "iterations": 9, "threads": 1, "test_every": 5.0, "test_deals": 8}
    assert changed.keys() == runs.MAY_CHANGE
    loaded = runs.load(tmp_path, own | changed | {"precision": "auto"}, run.rules)
    assert dataclasses.asdict(loaded.config) == own | changed
    other = {"seed": 2, "games": 7, "learning_rate": 0.5, "uniform": True, "precision": "bfloat16", "decay": 0.5}
    for name, value in other.items():
        with pytest.raises(RunError, match=f"the run to resume has {name}="):
            runs.load(tmp_path, {name: value}, None)
    with pytest.raises(RunError, match="the run to resume has other rules"):
        runs.load(tmp_path, {}, Rules(players=5))
    with pytest.raises(RunError, match="--test-deals 0: allowed: 2"):
        runs.load(tmp_path, {"test_deals": 0}, None)


# The policy


def test_the_exported_policy_is_the_run_s_own(tmp_path: Path) -> None:
    run = saved_run(tmp_path)
    player = load_policy(tmp_path)
    assert player.rules == run.rules
    for own, loaded in zip(run.network.policy_weights(), player.weights, strict=True):
        assert (own == loaded).all()
    card = json.loads((tmp_path / "policy.json").read_text())
    assert card["command"] == run.commands[0]
    assert card["config"] == dataclasses.asdict(run.config)
    assert (card["iterations"], card["decisions"], card["hours"]) == (7, 1234, 0.0157)
    assert (card["history"], card["results"]) == (run.history, [])
    assert card["made_with"].keys() == {"rickety-kate", "python", "numpy", "numba", "torch"}
    run.results = [{"agent": "me"}]
    runs.export(run, tmp_path)
    assert json.loads((tmp_path / "policy.json").read_text())["results"] == [{"agent": "me"}]


# Files


def test_a_file_is_replaced_when_the_block_ends_and_not_before(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file"
    write_json(path, {"old": 1})
    with replacing(path) as file:
        file.write(b"new")
        file.flush()
        assert json.loads(path.read_text()) == {"old": 1}
    assert path.read_bytes() == b"new"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("where", ["fsync", "replace"])
def test_a_failed_write_changes_nothing(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = saved_run(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def fail(*arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, where, fail)
    run.iteration += 1
    with pytest.raises(OSError, match="No space left"):
        runs.save(run, tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_an_interrupted_write_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def write_half() -> None:
        with replacing(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


# The folder


def test_a_folder_is_held_by_one_at_a_time(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    with runs.locked(folder, create=True):
        with pytest.raises(RunError, match="in use by another process"), runs.locked(folder, create=True):
            pytest.fail("two hold the folder")
        with runs.locked(tmp_path / "c", create=True):
            pass
    (folder / "checkpoint.pt").write_text("whatever")
    with runs.locked(folder, create=False):
        pass
    for empty in (tmp_path, tmp_path / "none"):
        with pytest.raises(PolicyFileError, match="no checkpoint to resume from"), runs.locked(empty, create=False):
            pytest.fail("there is nothing to hold")
    assert not (tmp_path / "none").exists()
    assert not (tmp_path / "lock").exists()


# Options


def test_every_number_among_the_options_has_limits() -> None:
    fields = {field.name: type(field.default) for field in dataclasses.fields(Config)}
    assert runs.LIMITS.keys() == {name for name, kind in fields.items() if kind in (int, float)}
    assert runs.checked_config(CONFIG) is CONFIG
    for name, (lowest, highest) in runs.LIMITS.items():
        for value in (lowest, highest):
            runs.checked_config(dataclasses.replace(CONFIG, **{name: value}))
        for value in (lowest - 1, highest * 2, float("nan")):
            with pytest.raises(RunError, match=f"--{name.replace('_', '-')} .* allowed"):
                runs.checked_config(dataclasses.replace(CONFIG, **{name: value}))


def test_every_option_has_a_docstring() -> None:
    docs = field_docs(Config)
    assert list(docs) == [field.name for field in dataclasses.fields(Config)]
    assert docs["epochs"] == "passes over an iteration's decisions"
