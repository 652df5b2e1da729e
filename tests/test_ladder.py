"""The ladder: its panel can be made, its table tells every agent and table, and its figures are those of evaluation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import agents
from rk_env import Rules
from training.evaluate import evaluate
from training.ladder import PANEL, ladder, main


def test_panel_is_version_1() -> None:
    """Another panel is another version: figures that were published are of this one."""
    assert [agents.make(spec).name for spec in PANEL] == [
        *("random@1", "newcomer@1", "beginner@1", "learner@1", "ducker@1", "casual@1", "rule_based@1", "moon_hunter@1"),
        *("ismcts@1:simulations=300", "pimc@1:simulations=300"),
    ]


def test_figures_are_those_of_evaluation() -> None:
    rows = ladder(["ducker"], [3, 5], deals=20, seed=3)
    assert [result.players for result in rows[0]] == [3, 5]
    for result in rows[0]:
        assert result.payoff == evaluate("ducker", ["rule_based"], Rules(players=result.players), 20, 3).payoff


def test_command_prints_a_table_and_writes_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ladder.json"
    arguments = ["--agents", "random", "ducker", "--players", "4", "6", "--deals", "8", "--json", str(path)]
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "| agent | 4 players | 6 players | ms a decision |"
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| `random@1`", "| `ducker@1`"]
    figures = json.loads(path.read_text())
    assert figures["panel"] == 1
    assert [(line["agent"], line["players"]) for line in figures["results"]] == [
        *(("random@1", 4), ("random@1", 6)),
        *(("ducker@1", 4), ("ducker@1", 6)),
    ]


def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--agents", "nobody", "--deals", "8"]) == 2
    assert "no player is called 'nobody'" in capsys.readouterr().err
    assert main(["--agents", "ducker", "--deals", "1"]) == 2
    assert "at least 2" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--players", "7"])
