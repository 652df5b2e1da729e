"""What ships is the run's policy in half precision, measured as it is; and `network` plays it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import agents
from agents import shipped
from agents.network import load_policy
from rk_env import Engine, Phase, Rules
from rk_env.errors import PlayerError, PolicyFileError, RulesError
from rk_env.jit import JIT_DISABLED
from rk_env.observation import OBS_VERSION
from rk_env.players import decision_seeds
from tests.tiny_runs import trained
from training import ship
from training.evaluate import evaluate


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let weights come from, and go to, an empty folder."""
    monkeypatch.setattr(shipped, "WEIGHTS", tmp_path / "weights")
    shipped._load.cache_clear()
    return tmp_path / "weights"


def test_what_ships_is_the_run_s_policy_in_half_precision(tmp_path: Path, folder: Path) -> None:
    trained(tmp_path / "run", rules=Rules(players=3))
    results = ship.ship(tmp_path / "run", 7, deals=2, seed=5)
    assert sorted(path.name for path in folder.iterdir()) == ["players3.json", "players3.npz"]
    with np.load(folder / "players3.npz") as arrays, np.load(tmp_path / "run" / "policy.npz") as own:
        assert arrays.files == own.files
        for name in arrays.files:
            assert arrays[name].dtype == np.float16
            np.testing.assert_array_equal(arrays[name], own[name].astype(np.float16))
    card = json.loads((folder / "players3.json").read_text())
    run_card = json.loads((tmp_path / "run" / "policy.json").read_text())
    assert (card["version"], card["obs_version"]) == (7, OBS_VERSION)
    assert all(card[name] == run_card[name] for name in ship.KEPT)
    assert card["results"] == [result.to_dict() for result in results]
    assert [(row["opponents"], row["deals"], row["seed"]) for row in card["results"]] == [
        ([f"{name}@1"], 2, 5) for name in ship.PANEL
    ]
    assert load_policy(folder / "players3.npz").rules == Rules(players=3)


def test_network_plays_the_policy_for_the_table(tmp_path: Path, folder: Path) -> None:
    for players in (3, 4):
        trained(tmp_path / str(players), rules=Rules(players=players))
        assert ship.main(["--run", str(tmp_path / str(players)), "--version", str(players), "--deals", "2"]) == 0
    player = agents.make("network")
    assert player.name == "network@4", "the highest version"
    for players in (3, 4):
        engine = Engine(Rules(players=players), 20, seed=1, episode="hand")
        policy = load_policy(folder / f"players{players}.npz")
        views, seeds = engine.view(engine.turn), decision_seeds(1, np.arange(20), engine.games)
        np.testing.assert_array_equal(player.act(views, engine.rules, seeds), policy.act(views, engine.rules, seeds))
        probabilities, values = player.evaluate(views, engine.rules, seeds)
        np.testing.assert_array_equal(probabilities, policy.evaluate(views, engine.rules, seeds)[0])
        assert values is None
    with pytest.raises(RulesError, match="network has no weights for 5 players; there are some for 3, 4"):
        player.act(views, Rules(players=5), seeds)
    with pytest.raises(RulesError, match="trained on other rules: passing"):
        player.act(views, Rules(passing="none"), seeds)


def test_options_are_the_policy_s_and_show_in_the_name(tmp_path: Path, folder: Path) -> None:
    trained(tmp_path / "run")
    ship.ship(tmp_path / "run", 1, deals=2, seed=5)
    player = agents.make("network:sample=True,any_rules=True")
    assert player.name == "network@1:sample=True,any_rules=True" == agents.make(player.name).name
    rules = Rules(passing="none")
    engine = Engine(rules, 200, seed=1, episode="hand")
    engine.step(np.zeros(200, np.int64))  # 2C opens
    views = engine.view(engine.turn)
    first, second = (player.act(views, rules, np.arange(k, 200 + k).astype(np.uint64)) for k in (0, 1000))
    assert (first != second).any()


def test_a_heuristic_may_pass_for_the_network(tmp_path: Path, folder: Path) -> None:
    trained(tmp_path / "run")
    ship.ship(tmp_path / "run", 1, deals=2, seed=5)
    player, own = agents.make("network:passing=void_first"), agents.make("network")
    passer = agents.make("rule_based:passing=void_first")
    assert player.name == "network@1:passing=void_first" == agents.make(player.name).name
    engine = Engine(Rules(), 30, seed=1)
    n = n_other = 0
    for _ in range(20):
        views, seeds = engine.view(engine.turn), decision_seeds(1, np.arange(30), engine.games)
        expected = np.where(engine.phase == Phase.PASS, passer.act(views, engine.rules, seeds), -1)
        expected = np.where(engine.phase == Phase.PASS, expected, own.act(views, engine.rules, seeds))
        actions = player.act(views, engine.rules, seeds)
        np.testing.assert_array_equal(actions, expected)
        np.testing.assert_array_equal(player.evaluate(views, engine.rules, seeds)[0].argmax(axis=1), expected)
        n_other += int((own.act(views, engine.rules, seeds) != actions).sum())
        n += int((engine.phase == Phase.PASS).sum())
        engine.step(actions)
    assert n == 12 * 30 - 12 * int((engine.games["pass_seats"] == 0).sum()) and n_other > 0
    with pytest.raises(PlayerError, match="passing='void' is not known"):
        agents.make("network:passing=void")


def test_a_run_that_is_none_and_too_few_deals_are_refused(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ship.main(["--run", str(tmp_path), "--version", "1"]) == 2
    assert capsys.readouterr().err.startswith("error: ")
    trained(tmp_path / "run")
    capsys.readouterr()
    assert ship.main(["--run", str(tmp_path / "run"), "--version", "1", "--deals", "1"]) == 2
    assert capsys.readouterr().err == "error: 1 deals: at least 2 are needed\n"
    assert not folder.exists()


def test_damaged_weights_are_refused(tmp_path: Path, folder: Path) -> None:
    trained(tmp_path / "run")
    ship.ship(tmp_path / "run", 1, deals=2, seed=5)
    path = folder / "players4.npz"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(PolicyFileError, match="SHA-256 differs"):
        shipped.ShippedNetwork().policy_for(Rules())


# The weights that are there


@pytest.mark.parametrize("players", shipped.player_counts())
def test_the_weights_are_small_whole_and_as_their_card_says(players: int) -> None:
    path = shipped.path_for(players)
    policy = load_policy(path)
    assert policy.rules == Rules(players=players)
    assert path.stat().st_size < 3 * 2**20
    card = json.loads(path.with_suffix(".json").read_text())
    assert card["command"].startswith("python -m training.selfplay ")
    assert card["hours"] > 0 and card["decisions"] > 0
    assert {"seed", "width"} <= card["config"].keys()
    assert {"numpy", "torch", "rickety-kate"} <= card["made_with"].keys()
    assert [row["opponents"] for row in card["results"]] == [["random@1"], ["ducker@1"], ["rule_based@1"]]
    assert all(row["seed"] != card["config"]["seed"] for row in card["results"]), "measured on deals of the training"


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes as plain Python")
@pytest.mark.parametrize("players", shipped.player_counts())
def test_the_weights_beat_duckers_by_far(players: int) -> None:
    payoff = evaluate("network", ["ducker"], Rules(players=players), 400, seed=4).payoff
    assert payoff.low > 1.0
