"""The command line of evaluation: a table for people, JSON for programs, and one line for every mistake."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import agents
from agents.network import policy_bytes, policy_card
from rk_env import Rules
from rk_env.errors import PlayerError, RulesError
from rk_env.observation import Layout
from rk_env.players import RandomPlayer
from training.evaluate import evaluate, main, results_table, rules_from_options

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "training" / "README.md"


class Cheat(RandomPlayer):
    """Plays the ace of hearts whether it has it or not."""

    name = "cheat@1"

    def act(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        return np.full(len(views), 51)


def test_json_and_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "new" / "out.json"
    arguments = ["--agent", "rule_based", "--opponents", "ducker", "--deals", "20", "--seed", "5", "--json", str(path)]
    assert main([*arguments, "--players", "3"]) == 0
    printed = capsys.readouterr().out.splitlines()
    result = json.loads(path.read_text())
    intervals = ("payoff", "points", "rank", "win_share")
    assert list(result) == [
        *("agent", "opponents", "players", "deals", "seed", *intervals, "moons", "ms_per_decision"),
        *("rules", "versions"),
    ]
    values = (result["agent"], result["opponents"], result["players"], result["deals"], result["seed"])
    assert values == ("rule_based@1", ["ducker@1"], 3, 20, 5)
    assert result["moons"].keys() == {"made", "conceded"}
    for interval in [*(result[name] for name in intervals), *result["moons"].values()]:
        assert list(interval) == ["mean", "low", "high"]
        assert interval["low"] <= interval["mean"] <= interval["high"]
    assert result["ms_per_decision"] > 0
    again = evaluate(agents.make("rule_based"), [agents.make("ducker")], Rules(players=3), 20, 5)
    assert result["payoff"] == again.payoff.to_dict()
    assert printed[0].split("  ")[0] == "agent"
    assert set(printed[1]) == {"-"}
    assert printed[2].startswith("rule_based@1  2 x ducker@1  ")
    assert f"{again.payoff}" in printed[2]
    assert printed[3] == f"figures written to {path}"


def test_rules_come_from_text_or_a_file_and_a_player_count(tmp_path: Path) -> None:
    (tmp_path / "rules.json").write_text('{"moon": "new", "players": 3}')
    assert rules_from_options(None, None) is None
    assert rules_from_options(None, 5) == Rules(players=5)
    assert rules_from_options(' {"moon": "new"}', None) == Rules(moon="new")
    assert rules_from_options(str(tmp_path / "rules.json"), None) == Rules(moon="new", players=3)
    assert rules_from_options('{"across_seats": 5}', 6) == Rules(across_seats=5, players=6)
    with pytest.raises(RulesError, match="--players 6, but --rules has players=3"):
        rules_from_options(str(tmp_path / "rules.json"), 6)


def test_a_policy_plays_by_its_own_rules_unless_others_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = Rules(players=5, black_card="JS")
    weights = [np.ones((Layout(5).size, 54), np.float32), np.zeros(54, np.float32)]
    (tmp_path / "policy.npz").write_bytes(policy_bytes(weights))
    card = policy_card(policy_bytes(weights), rules, uniform=False)
    (tmp_path / "policy.json").write_text(json.dumps(card))
    arguments = [
        "--agent",
        str(tmp_path),
        "--opponents",
        "random",
        "--deals",
        "2",
        "--json",
        str(tmp_path / "out.json"),
    ]
    assert main(arguments) == 0
    assert json.loads((tmp_path / "out.json").read_text())["players"] == 5
    capsys.readouterr()
    assert main([*arguments, "--players", "4"]) == 2
    other = "was trained on other rules: players=4 (trained: 5), black_card='QS' (trained: 'JS')"
    assert other in capsys.readouterr().err


def test_table_rows_line_up() -> None:
    tables = (["random"], ["ducker", "random", "ducker"])
    players = [[agents.make(spec) for spec in specs] for specs in tables]
    results = [evaluate(agents.make("rule_based"), opponents, Rules(), 4, seed=1) for opponents in players]
    head, _, *rows = results_table(results).splitlines()
    assert "3 x random@1" in rows[0] and "ducker@1 random@1 ducker@1" in rows[1]
    for row, result in zip(rows, results, strict=True):
        assert row.index(str(result.payoff)) == head.index("payoff")
        assert row.endswith(f"{result.ms_per_decision:.4f}")


class Crash(RandomPlayer):
    """Divides by zero."""

    name = "crash@1"

    def act(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        return np.full(len(views), 1 // (len(rules.bonus_cards)))


class Unfinished:
    """A player without `evaluate`."""

    name = "unfinished@1"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agent", "rule_base"], "no player is called 'rule_base'; did you mean 'rule_based'?"),
        (["--agent", "rule_based@7"], "asks for version 7"),
        (["--agent", "no/such/folder"], "'no/such/folder' is no policy"),
        (["--agent", "no/such/policy.npz"], "policy.json: cannot be read (No such file or directory)"),
        (["--agent", "tests.test_evaluate_cli:Nobody"], "has no attribute 'Nobody'"),
        (["--agent", "tests.test_evaluate_cli:Unfinished"], "is no player: it needs `name`, `act` and `evaluate`"),
        (["--agent", "tests.test_evaluate_cli:Cheat"], "AH is not legal; legal: "),
        (["--agent", "tests.test_evaluate_cli:Crash"], "raised ZeroDivisionError: "),
        (["--opponents", "tests.test_evaluate_cli:Crash"], "crash@1, asked for "),
        (["--agent", "foreign:no_such_program"], "cannot be started: [Errno 2] No such file or directory"),
        (["--opponents", "random", "random"], "2 opponents given; 1 or 3 needed"),
        (["--deals", "0"], "0 deals: at least 2 are needed"),
        (["--deals", "1"], "1 deals: at least 2 are needed"),
        (["--seed", "-1"], "seed 0 is -1; allowed"),
        (["--players", "2"], "players=2 is not allowed"),
        (["--rules", '{"moon": "full"}'], "moon='full' is not allowed"),
        (["--rules", '{"lunch": 1}'], "unknown fields ['lunch']"),
        (["--rules", '{"moon": "new"'], "not JSON"),
        (["--rules", "[4]"], "neither a JSON object nor a file to read"),
        (["--rules", ""], "neither a JSON object nor a file to read"),
        (["--rules", "x" * 5000], "neither a JSON object nor a file to read"),
        (["--rules", "."], "neither a JSON object nor a file to read"),
        (["--json", "pyproject.toml/out.json"], "pyproject.toml"),
    ],
    ids=lambda value: "_".join(value)[:40] if isinstance(value, list) else "",
)
def test_mistakes_get_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    usual = {"--agent": ["random"], "--opponents": ["random"], "--deals": ["2"]}
    usual[arguments[0]] = arguments[1:]
    assert main([word for option, values in usual.items() for word in (option, *values)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("error: ")
    assert message in lines[0]


def test_the_agent_that_the_page_shows_can_be_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    (tmp_path / "mine.py").write_text(next(block for block in blocks if "class Lowest" in block))
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["--agent", "mine:Lowest", "--opponents", "ducker", "--deals", "2"]) == 0
    head, _, row = capsys.readouterr().out.splitlines()
    assert row.startswith("lowest@1")
    assert head.split() in [line.split() for line in PAGE.read_text(encoding="utf-8").splitlines()], "the page's table"


def test_an_illegal_action_is_named() -> None:
    with pytest.raises(PlayerError, match=r"cheat@1, seat \d, hand 1, trick 0: AH is not legal"):
        evaluate(Cheat(), [RandomPlayer()], Rules(), 4, seed=1)
