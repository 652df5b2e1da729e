"""The benchmark runs and reports; what it measures is not tested here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rk_env import benchmark, cold_start, peers, seat_speed

TINY = ["--seconds", "0.001", "--repeats", "2", "--players", "4", "--batches", "1", "16", "--no-cold-start"]
CALLS = [
    "compiled random plays",
    "action_mask, step; B=1",
    "action_mask, step; B=16",
    "action_mask, observe(out=), step; B=1",
    "action_mask, observe(out=), step; B=16",
    "raw_env(): last, flatnonzero, step",
    "env(): last, flatnonzero, step",
    "make_vec: step; 8 environments",
    *(["RicketyKateVecEnv: step; 8 environments"] if seat_speed.has_sb3() else []),
]


@pytest.fixture(autouse=True)
def few_environments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "N_VECTOR", 8)
    monkeypatch.setattr(benchmark, "N_SB3", 8)


UNCOMPILED = """
from rk_env.kernels import batch, encode
for name, value in [*vars(batch).items(), *vars(encode).items()]:
    if not getattr(value, "signatures", True):
        print(name)
"""


def test_it_prints_a_line_for_each_call(capsys: pytest.CaptureFixture[str]) -> None:
    benchmark.main([*TINY, "--no-peers"])
    printed = capsys.readouterr()
    assert [call for call in CALLS if f"\n{call} " in printed.out] == CALLS
    assert "rickety-kate[peers]" in printed.err


def test_json_has_every_field(tmp_path: Path) -> None:
    path = tmp_path / "speed.json"
    benchmark.main([*TINY, "--no-peers", "--json", str(path)])
    results = json.loads(path.read_text(encoding="utf-8"))
    assert results.keys() == {"machine", "settings", "cold_start", "rows"}
    assert {"cpu", "python", "numpy", "numba", "rk_env"} <= results["machine"].keys()
    assert [row["call"] for row in results["rows"]] == CALLS
    for row in results["rows"]:
        assert row.keys() == {"call", "rate", "peer_call", "peer_rate", "ratio", "target"}
        assert 0 < row["rate"]["4"]["low"] <= row["rate"]["4"]["median"] <= row["rate"]["4"]["high"]
        assert row["ratio"] is None
    assert list(tmp_path.iterdir()) == [path], "no other file is left"


def test_peers_are_measured_beside(tmp_path: Path) -> None:
    if peers.missing():
        pytest.skip(f"the extra `peers` is not installed: {', '.join(peers.missing())}")
    path = tmp_path / "speed.json"
    benchmark.main([*TINY, "--peers", "--json", str(path)])
    for row in json.loads(path.read_text(encoding="utf-8"))["rows"]:
        assert row["peer_rate"]["low"] > 0
        assert row["ratio"]["low"] <= row["ratio"]["median"] <= row["ratio"]["high"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seconds", "0"], "must be positive"),
        (["--repeats", "0"], "must be positive"),
        (["--batches", "0"], "must be positive"),
        (["--players", "7"], "invalid choice"),
        (["--json", "/no/such/folder/speed.json"], "there is no folder /no/such/folder"),
    ],
)
def test_bad_options_are_refused(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        benchmark.main(arguments)
    assert message in capsys.readouterr().err


def test_peers_asked_for_but_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(peers, "missing", lambda: ["pyspiel"])
    with pytest.raises(SystemExit):
        benchmark.main(["--peers"])
    assert 'pyspiel not installed; pip install "rickety-kate[peers]"' in capsys.readouterr().err


@pytest.mark.slow
def test_cold_start_compiles_every_batch_kernel(tmp_path: Path) -> None:
    if benchmark.JIT_DISABLED:
        pytest.skip("nothing is compiled")
    code = cold_start.COMPILE_EVERYTHING + UNCOMPILED
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True)
    assert ran.stdout.strip() == ""


@pytest.mark.slow
def test_cold_start_is_measured() -> None:
    seconds = cold_start.measure(repeats=1)
    assert 0 < seconds["cached"] < seconds["compile"]
