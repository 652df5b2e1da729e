"""Several processes train one network: they stay alike, and end together with a checkpoint to go on from."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from rk_env.jit import JIT_DISABLED
from tests.tiny_runs import TINY_OPTIONS
from training import runs, selfplay
from training.workers import ALONE, Team, joined

ROOT = Path(__file__).resolve().parent.parent
TWO = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
pytestmark = pytest.mark.skipif(os.name == "nt" or JIT_DISABLED, reason="torchrun is for POSIX; plain Python is slow")


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen([*TWO, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_shares_are_all_there_is() -> None:
    for n in (0, 1, 5, 256):
        for count in (1, 2, 3):
            shares = [Team(rank, count).share_of(n) for rank in range(count)]
            assert sum(shares) == n and max(shares) - min(shares) <= 1


def test_processes_have_seeds_of_their_own_and_one_alone_keeps_the_run_s() -> None:
    assert Team().seed_of(5) == 5
    assert len({Team(rank, 3).seed_of(seed) for rank in range(3) for seed in (5, 6)}) == 6
    assert all(0 <= Team(rank, 3).seed_of(2**63 - 1) < 2**63 for rank in range(3))


def test_without_torchrun_a_process_is_alone_and_its_numbers_are_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    with joined() as team:
        assert team is ALONE and team.is_first
        assert (team.least(3), team.total(3), team.from_first(0.5)) == (3, 3, 0.5)
        parameter = torch.nn.Parameter(torch.ones(3))
        parameter.grad = torch.tensor([1.0, 2.0, 3.0])
        team.average_gradients([parameter])
        assert parameter.grad.tolist() == [1.0, 2.0, 3.0]


def test_two_processes_stay_alike(tmp_path: Path) -> None:
    printed, errors = start("-m", "tests.two_workers", str(tmp_path)).communicate(timeout=300)
    assert sorted(printed.splitlines()) == ["process 0 of 2 is content", "process 1 of 2 is content"], errors
    assert runs.load(tmp_path, {}, None).iteration == 4


def test_the_card_tells_how_many_processes_trained_and_one_may_go_on(tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = start("-m", "training.selfplay", "--out", str(out), "--iterations", "2", *TINY_OPTIONS)
    printed, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    assert printed.count("try it:") == 1
    assert runs.load(out, {}, None).commands[0].startswith("torchrun --nproc-per-node 2 -m training.selfplay --out")
    assert selfplay.main(["--out", str(out), "--resume", "--iterations", "3"]) == 0
    assert runs.load(out, {}, None).iteration == 3


def test_mistakes_end_both(tmp_path: Path) -> None:
    process = start("-m", "training.selfplay", "--out", str(tmp_path / "run"), "--league", "nobody")
    _, errors = process.communicate(timeout=120)
    assert process.returncode != 0
    assert "error: no player is called 'nobody'" in errors
    assert not (tmp_path / "run").exists()


def test_processes_without_a_table_are_refused(tmp_path: Path) -> None:
    options = selfplay.parse_arguments(["--out", str(tmp_path), *TINY_OPTIONS])
    with pytest.raises(runs.RunError, match="--games 4: 5 processes need a table each"):
        selfplay.prepare(options, {"games": 4, "precision": "float32"}, None, Team(0, 5))


@pytest.mark.slow
def test_a_killed_process_ends_all_and_leaves_a_checkpoint(tmp_path: Path) -> None:
    out = tmp_path / "run"
    options = ["--iterations", "1000000", "--test-every", "0.001", *TINY_OPTIONS]
    process = start("-m", "training.selfplay", "--out", str(out), *options)
    waits_until = time.monotonic() + 240
    while not (out / "policy.json").exists():
        assert process.poll() is None and time.monotonic() < waits_until
        time.sleep(0.05)
    listed = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=True)
    workers = [int(line) for line in listed.stdout.split()]
    assert len(workers) == 2
    os.kill(max(workers), signal.SIGKILL)
    process.communicate(timeout=120)
    assert process.returncode != 0
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)
    iteration = runs.load(out, {}, None).iteration
    assert iteration >= 1
    assert selfplay.main(["--out", str(out), "--resume", "--iterations", str(iteration + 1)]) == 0
