"""The command line of self-play: what it makes, what it refuses in one line, and what is left when it is stopped."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import agents
from rk_env import Rules, files
from tests.tiny_runs import PAGE, TINY_OPTIONS, trained
from training import runs, selfplay
from training.evaluate import evaluate
from training.selfplay import Config

ROOT = Path(__file__).resolve().parent.parent

# Rules


@pytest.mark.parametrize(
    ("settings", "options"),
    [
        ({"players": 3}, []),
        ({"players": 5, "black_card": "JS"}, []),
        ({"players": 6, "moon": "new"}, []),
        ({"players": 3, "bonus_cards": ["JD"], "passing": "none"}, ["--uniform"]),
    ],
    ids=str,
)
def test_any_rules_train_export_and_play(settings: dict[str, Any], options: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    arguments = ["--out", str(out), "--iterations", "1", "--rules", json.dumps(settings), *TINY_OPTIONS, *options]
    assert selfplay.main(arguments) == 0
    player = agents.make(str(out))
    rules = Rules.from_dict(settings)
    assert (player.rules, player.uniform) == (rules, bool(options))
    result = evaluate(player, [agents.make("random")], rules, 2, seed=1)
    assert result.players == settings["players"]


# The command line


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the one line with which a command is refused."""
    capsys.readouterr()
    assert selfplay.main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    lines = printed.err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("error: ")
    return lines[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--games", "0"], "--games 0: allowed: 1 to 65536"),
        (["--width", "1"], "--width 1: allowed: 2 to 65536"),
        (["--decay", "1.5"], "--decay 1.5: allowed: 0 to 1"),
        (["--learning-rate", "nan"], "--learning-rate nan: allowed"),
        (["--minutes", "0"], "--minutes 0.0: allowed"),
        (["--test-deals", "1"], "--test-deals 1: allowed: 2"),
        (["--precision", "float16"], "--precision float16: allowed: auto, float32, bfloat16"),
        (["--evaluate-deals", "0"], "0 deals: at least 2 are needed"),
        (["--players", "7"], "players=7 is not allowed"),
        (["--rules", '{"moon": "full"}'], "moon='full' is not allowed"),
        (["--rules", '{"moon": '], "not JSON"),
        (["--rules", "no/such/rules.json"], "neither a JSON object nor a file to read"),
        (["--league", "ducker nobody"], "nobody"),
        (["--teacher", "nobody"], "nobody"),
        (["--teacher", "random"], "random@1 cannot teach what moves are worth: neither a rule player nor a search"),
        (["--lesson", "chess"], "--lesson chess: allowed: moves, choices"),
        (["--lesson-epochs", "0"], "--lesson-epochs 0: allowed: 1 to 1000"),
        (["--league-share", "2"], "--league-share 2.0: allowed: 0 to 1"),
        (["--resume"], "checkpoint.pt: no checkpoint to resume from"),
    ],
)
def test_bad_options_are_refused_and_nothing_is_made(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refusal(capsys, "--out", str(tmp_path / "run"), *options)
    assert not (tmp_path / "run").exists()


def test_resuming_another_run_or_over_another_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path)
    trained(tmp_path)
    before = (tmp_path / "checkpoint.pt").read_bytes()
    assert "holds a run; --resume goes on with it" in refusal(capsys, "--out", out)
    assert "the run to resume has width=8, not 16" in refusal(capsys, "--out", out, "--resume", "--width", "16")
    assert "the run to resume has uniform=False" in refusal(capsys, "--out", out, "--resume", "--uniform")
    assert "the run to resume has other rules" in refusal(capsys, "--out", out, "--resume", "--players", "3")
    with runs.locked(tmp_path, create=False):
        assert "in use by another process" in refusal(capsys, "--out", out, "--resume")
    assert (tmp_path / "checkpoint.pt").read_bytes() == before


def test_a_damaged_checkpoint_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trained(tmp_path)
    checkpoint = tmp_path / "checkpoint.pt"
    checkpoint.write_bytes(checkpoint.read_bytes()[:-100])
    assert "checkpoint.pt: damaged" in refusal(capsys, "--out", str(tmp_path), "--resume")
    checkpoint.unlink()
    assert "no checkpoint to resume from" in refusal(capsys, "--out", str(tmp_path), "--resume")


def test_out_that_is_a_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run").write_text("mine")
    assert "File exists" in refusal(capsys, "--out", str(tmp_path / "run"))
    assert (tmp_path / "run").read_text() == "mine"


def test_a_full_disk_leaves_the_old_checkpoint_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    trained(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    assert selfplay.main(["--out", str(tmp_path), "--resume", "--iterations", "2"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "error: [Errno 28] No space left on device"
    after_it = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert after_it == before | {"lock": b""}
    assert runs.load(tmp_path, {}, None).iteration == 1


def test_options_that_may_change_do_and_commands_add_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "run")
    assert selfplay.main(["--out", out, "--iterations", "1", *TINY_OPTIONS]) == 0
    options = ["--iterations", "3", "--test-deals", "4", "--games", "4", "--precision", "auto"]
    assert selfplay.main(["--out", out, "--resume", "--evaluate", "--evaluate-deals", "2", *options]) == 0
    printed = capsys.readouterr()
    assert f"try it: python -m training.evaluate --agent {out} --opponents rule_based" in printed.out
    assert [line.split("  ")[0] for line in printed.out.splitlines() if "±" in line] == ["self-play, 0.0 min"] * 3
    assert "95 % intervals over 2 deals" in printed.out
    assert '"seed": 1' in printed.err
    card = json.loads((tmp_path / "run" / "policy.json").read_text())
    first, second = card["command"].split(" && ")
    assert first.startswith("python -m training.selfplay --out") and "--resume" not in first
    assert second.startswith("python -m training.selfplay --out") and "--resume" in second
    assert card["iterations"] == 3
    assert [row["opponents"] for row in card["results"]] == [["random@1"], ["ducker@1"], ["rule_based@1"]]
    assert [row["deals"] for row in card["results"]] == [2, 2, 2]
    assert {row["seed"] for row in card["results"]} == {2}, "tests in training used seed 1"
    run = runs.load(tmp_path / "run", {"minutes": 0.001}, None)
    assert (run.config.iterations, run.config.test_deals) == (0, 4), "minutes take over"
    assert run.progress == 1.0


def test_help_tells_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        selfplay.main(["--help"])
    printed = capsys.readouterr().out
    flags = {f"--{field.name.replace('_', '-')}" for field in dataclasses.fields(Config)}
    assert {flag for flag in flags if f"{flag} " not in printed} == set()
    page = PAGE.read_text(encoding="utf-8")
    assert {flag for flag in set(re.findall(r"--[a-z-]+", printed)) - {"--help"} if f"`{flag}`" not in page} == set()
    assert "lambda of the advantages (default 0.8)" in printed


# Processes that end early


def start(out: Path, *options: str) -> subprocess.Popen[str]:
    """Start training in a process of its own and wait until it has written a policy."""
    command = [sys.executable, "-m", "training.selfplay", "--out", str(out), *options]
    before = (out / "policy.json").stat().st_mtime_ns if out.exists() else 0
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    waits_until = time.monotonic() + 120
    while not (out / "policy.json").exists() or (out / "policy.json").stat().st_mtime_ns == before:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < waits_until, "no policy after two minutes"
        time.sleep(0.02)
    return process


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_ctrl_c_loses_nothing_and_kill_leaves_a_checkpoint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    process = start(out, "--iterations", "1000000", *TINY_OPTIONS)
    assert "in use by another process" in refusal(capsys, "--out", str(out), "--resume")
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert "stopping after this iteration" in errors
    assert "Traceback" not in errors
    assert f"the learning curve: {out}" in printed
    stopped = runs.load(out, {}, None)
    card = json.loads((out / "policy.json").read_text())
    assert stopped.iteration == card["iterations"] >= 1
    assert stopped.decisions == card["decisions"]
    assert agents.make(str(out)).rules == Rules()

    process = start(out, "--resume", "--test-every", "0.001")
    process.kill()
    process.communicate(timeout=60)
    killed = runs.load(out, {}, None)
    assert killed.iteration > stopped.iteration
    assert selfplay.main(["--out", str(out), "--resume", "--iterations", str(killed.iteration + 1)]) == 0
    assert agents.make(str(out)).rules == Rules()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_kills_at_any_moment_leave_a_whole_checkpoint(tmp_path: Path) -> None:
    out = tmp_path / "run"
    options = ["--iterations", "1000000", "--test-every", "0.001", *TINY_OPTIONS]  # writes most of the time
    iterations = [0]
    for delay in (0.01, 0.1, 0.23, 0.37, 0.5):
        process = start(out, *options)
        time.sleep(delay)
        process.kill()
        process.communicate(timeout=60)
        iterations.append(runs.load(out, {}, None).iteration)
        options = ["--resume", "--test-every", "0.001"]
    assert iterations == sorted(set(iterations)), "work was lost that had been saved"


def test_a_second_ctrl_c_interrupts_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def pressed_twice(*arguments: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        pytest.fail("the second Ctrl-C was ignored")

    monkeypatch.setattr(selfplay, "update", pressed_twice)
    inherited = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores Ctrl-C
    try:
        assert selfplay.main(["--out", str(tmp_path / "run"), "--iterations", "1", *TINY_OPTIONS]) == 130
        assert signal.getsignal(signal.SIGINT) == signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, inherited)
    assert "interrupted; --resume goes on from the last checkpoint" in capsys.readouterr().err
