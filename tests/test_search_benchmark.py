"""The benchmark of search runs and reports; what it measures is not tested here."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from agents import benchmark
from agents.playout import Rollout
from rk_env import Engine, Phase, Rules


def test_command_prints_a_table_and_writes_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "speed.json"
    assert benchmark.main(["--seconds", "0.001", "--repeats", "2", "--players", "3", "--json", str(path)]) == 0
    shown = capsys.readouterr().out.splitlines()
    figures = json.loads(path.read_text())
    assert figures["players"] == 3
    assert [line["target"] for line in figures["rows"]] == [None, 0.2e6, None, 15e6, 5e6]
    for line, text in zip(figures["rows"], shown[1:], strict=True):
        assert text.startswith(f"{line['name']} ({line['unit']})")
        assert 0 < line["rate"]["low"] <= line["rate"]["median"] <= line["rate"]["high"]


def test_plays_are_counted_as_they_are_made() -> None:
    """A hand that is decided ends early, and its plays after that are not counted."""
    engine = Engine(Rules(passing="none"), 40, seed=2)
    before = engine.games.tobytes()
    n_plays = benchmark.play_out_all(engine.games, engine.rules.array, Rollout(0, 0), np.uint64(1))
    assert engine.games.tobytes() == before
    assert 40 * 30 < n_plays < 40 * 52


def test_views_are_of_the_middle_of_hands() -> None:
    views, rules = benchmark.middle_views(5)
    assert (views["trick"] == 5).all() and (views["phase"] == Phase.PLAY).all() and rules.players == 5
    assert (views["observer"] == views["turn"]).all()


def test_wrong_options_are_refused() -> None:
    for arguments in (["--seconds", "0"], ["--repeats", "0"], ["--players", "7"]):
        with pytest.raises(SystemExit):
            benchmark.main(arguments)
