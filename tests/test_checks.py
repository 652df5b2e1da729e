"""The checks that users run: they pass here, and they catch what is broken on purpose."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rk_env import Engine, PlayerError, Rules, checks, rickety_kate_v0
from rk_env.checks import CheckError, check_engine, check_environment, check_player, random_rules, run_checks
from rk_env.players import Evaluation, RandomPlayer

Views = NDArray[np.void]
Seeds = NDArray[np.uint64]


def test_all_is_in_order_here() -> None:
    lines: list[str] = []
    assert run_checks(lines.append, n_settings=1) > 5000
    assert len(lines) == 5
    assert all("in order" in line for line in lines)


def test_random_settings_reach_every_value() -> None:
    rng = np.random.default_rng(0)
    some = [random_rules(rng, 4) for _ in range(200)]
    assert {rules.players for rules in some} == {4}
    for field in ("opening", "first_trick", "passing", "moon", "moon_value", "black_card", "first_dealer"):
        assert len({getattr(rules, field) for rules in some}) > 1
    assert len(set(some)) > 150


# A broken engine.


@pytest.mark.parametrize(
    ("name", "broken", "message"),
    [
        ("observe", lambda self, seats: np.ones((len(self), self.layout.size), np.float32), "an observation shows"),
        ("payoffs", property(lambda self: -self.hand_scores), "payoffs do not sum to zero"),
        ("captured_points", property(lambda self: np.zeros((len(self), 4))), "points are lost"),
    ],
)
def test_broken_engines_are_caught(monkeypatch: pytest.MonkeyPatch, name: str, broken: Any, message: str) -> None:
    monkeypatch.setattr(Engine, name, broken)
    with pytest.raises(CheckError, match=message):
        check_engine(Rules())


def test_lost_cards_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    step = Engine.step

    def lossy(self: Engine, actions: NDArray[np.int64]) -> None:
        step(self, actions)
        self.games["captured"][:, 0] = 0

    monkeypatch.setattr(Engine, "step", lossy)
    with pytest.raises(CheckError, match="cards are lost"):
        check_engine(Rules())


def test_a_broken_environment_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    observe = rickety_kate_v0.raw_env.observe

    def bool_masks(self: Any, agent: str) -> Any:
        seen = observe(self, agent)
        return seen | {"action_mask": seen["action_mask"].astype(bool)}

    check_environment(Rules(target=30))
    monkeypatch.setattr(rickety_kate_v0.raw_env, "observe", bool_masks)
    with pytest.raises(AssertionError, match="int8"):
        check_environment(Rules(target=30))


# Broken players.


class Broken(RandomPlayer):
    """The base of players with a fault."""

    name = "broken@1"

    def good(self, views: Views, rules: Rules, seeds: Seeds) -> NDArray[np.int64]:
        return super().act(views, rules, seeds)


class PlaysAnything(Broken):
    def act(self, views: Views, rules: Rules, seeds: Seeds) -> NDArray[np.int64]:
        return (seeds % 52).astype(np.int64)


class IgnoresTheMoonChoice(Broken):
    """Only some settings show this fault: the new moon, and a shooter."""

    def act(self, views: Views, rules: Rules, seeds: Seeds) -> NDArray[np.int64]:
        return np.where(rules.moon == "new", 0, self.good(views, rules, seeds))


class Restless(Broken):
    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)

    def act(self, views: Views, rules: Rules, seeds: Seeds) -> NDArray[np.int64]:
        return self.good(views, rules, self.rng.integers(2**63, size=len(views)).astype(np.uint64))


class LooksAtItsPlaceInTheBatch(Broken):
    def act(self, views: Views, rules: Rules, seeds: Seeds) -> NDArray[np.int64]:
        return self.good(views, rules, seeds + np.arange(len(seeds), dtype=np.uint64))


class LooksAtTheSizeOfTheBatch(Broken):
    def act(self, views: Views, rules: Rules, seeds: Seeds) -> NDArray[np.int64]:
        return self.good(views, rules, seeds + np.uint64(len(seeds)))


class WritesInViews(Broken):
    def act(self, views: Views, rules: Rules, seeds: Seeds) -> NDArray[np.int64]:
        actions = self.good(views, rules, seeds)
        views["table"] = -1
        views["totals"] += 1
        return actions


class WritesInSeeds(Broken):
    def act(self, views: Views, rules: Rules, seeds: Seeds) -> NDArray[np.int64]:
        actions = self.good(views, rules, seeds)
        seeds += np.uint64(1)
        return actions


class Evaluates(Broken):
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def evaluate(self, views: Views, rules: Rules, seeds: Seeds) -> Evaluation:
        chances, _ = super().evaluate(views, rules, seeds)
        return self.answer(chances)  # type: ignore[no-any-return]


class WritesWhenEvaluating(Broken):
    def evaluate(self, views: Views, rules: Rules, seeds: Seeds) -> Evaluation:
        evaluation = super().evaluate(views, rules, seeds)
        views["seed"] = 1
        return evaluation


class Nameless(Broken):
    name = "nameless"


def rolled(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.roll(chances, 1, axis=1)


@pytest.mark.parametrize(
    ("player", "message"),
    [
        (PlaysAnything(), r"broken@1, seat \d, .* is not legal; legal: .*under Rules\(players=3"),
        (IgnoresTheMoonChoice(), r"is not legal.*moon='new'"),
        (Restless(), "when it is asked again, under"),
        (LooksAtItsPlaceInTheBatch(), "in another batch"),
        (LooksAtTheSizeOfTheBatch(), "in another batch"),
        (WritesInViews(), "changed the views"),
        (WritesInSeeds(), "changes the seeds"),
        (WritesWhenEvaluating(), "evaluate changes the views"),
        (Evaluates(lambda chances: chances), "a pair"),
        (Evaluates(lambda chances: (chances[:, :52], None)), "other shapes"),
        (Evaluates(lambda chances: (chances, np.zeros(54))), "other shapes"),
        (Evaluates(lambda chances: (chances / 2, None)), "do not sum to 1"),
        (Evaluates(lambda chances: (chances * np.nan, None)), "do not sum to 1"),
        (Evaluates(lambda chances: (rolled(chances), None)), "an illegal action"),
        (Evaluates(lambda chances: (chances, chances * np.nan)), "no finite value"),
        (Nameless(), "a name and a version is needed, such as 'mine@1'"),
    ],
)
def test_broken_players_are_caught(player: Broken, message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        check_player(player)


def test_good_players_pass() -> None:
    assert check_player("random") > 1000
    assert check_player(Evaluates(lambda chances: (chances, np.where(chances > 0, 1.5, np.nan)))) > 1000


# The command.


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    checks.main(["--settings", "0"])
    assert "all in order" in capsys.readouterr().out
    checks.main(["--player", "random", "--settings", "0"])
    assert "random plays as it must" in capsys.readouterr().out


def test_the_command_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "rk_env.checks", "--player", "random", "--settings", "0"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("random plays as it must")


def test_mistakes_get_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert checks.main(["--player", "nobody"]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("error: no player is called 'nobody'") and said.err.count("\n") == 1
