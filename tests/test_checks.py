"""The checks that users run: they pass here, and they catch what is broken on purpose."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rk_env import Engine, Layout, PlayerError, Rules, checks, rickety_kate_v0
from rk_env.checks import TABLES, CheckError, check_engine, check_environment, check_player, random_rules, run_checks
from rk_env.jit import JIT_DISABLED
from rk_env.kernels import batch
from rk_env.players import Evaluation, RandomPlayer
from rk_env.state import N_ACTIONS
from tests.all_pairs import setting_values
from tests.generators import needs_compiled

Views = NDArray[np.void]
Seeds = NDArray[np.uint64]


@pytest.fixture(autouse=True)
def _few_tables_in_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    if JIT_DISABLED:
        monkeypatch.setattr(checks, "TABLES", ((1, 3), (2, 11)))


def test_all_is_in_order_here() -> None:
    lines: list[str] = []
    assert run_checks(lines.append, n_settings=1) > 3_000 * len(checks.TABLES)
    assert len(lines) == len(checks.TABLES) + 1
    assert all("in order" in line for line in lines)
    assert lines[0].startswith("3 players, 1 deck: ") and lines[-2].startswith("11 players, 2 decks: ")


def test_the_tables_are_all_there_are() -> None:
    assert (*((1, players) for players in range(3, 7)), *((2, players) for players in range(6, 12))) == TABLES


@pytest.mark.parametrize(("decks", "players"), TABLES)
def test_random_settings_reach_every_value(decks: int, players: int) -> None:
    rng = np.random.default_rng(0)
    some = [random_rules(rng, players, decks) for _ in range(300)]
    assert {(rules.decks, rules.players) for rules in some} == {(decks, players)}
    for field, values in setting_values(players, decks).items():
        if field not in ("target", "max_hands"):
            assert {getattr(rules, field) for rules in some} == set(values), field
    assert len({rules.target for rules in some}) == len({rules.max_hands for rules in some}) == 3
    assert len(set(some)) > 250


# A broken engine.


@pytest.mark.parametrize(
    ("name", "broken", "message"),
    [
        ("observe", lambda self, seats: np.ones((len(self), self.layout.size), np.float32), "an observation shows"),
        ("payoffs", property(lambda self: -self.hand_scores), "payoffs do not sum to zero"),
        ("captured_points", property(lambda self: np.zeros((len(self), 4))), "points are lost"),
        ("action_mask", lambda self, **_: np.zeros((len(self), 54), np.int8), "a mask is empty"),
        ("win_shares", property(lambda self: np.ones((len(self), 4)) * 0.5), "wins get lost"),
    ],
)
def test_broken_engines_are_caught(monkeypatch: pytest.MonkeyPatch, name: str, broken: Any, message: str) -> None:
    monkeypatch.setattr(Engine, name, broken)
    with pytest.raises(CheckError, match=message):
        check_engine(Rules())


def test_an_observation_of_hidden_cards_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """An encoder that reads the kitty though another seat took it: only two decks show this fault."""
    encode = Layout.encode

    def peeks(self: Layout, games: Any, rules: Rules, seats: Any, out: Any = None) -> NDArray[np.float32]:
        rows = encode(self, games, rules, seats, out)
        if "kitty" in self.slices:
            rows[:, self.slices["kitty"].start] = games["kitty"][:, 0] != 0
        return rows

    monkeypatch.setattr(Layout, "encode", peeks)
    check_engine(Rules())
    with pytest.raises(CheckError, match=r"an observation shows what its view hides: Rules\(players=6, decks=2\)"):
        check_engine(Rules(players=6, decks=2))


def test_a_game_that_depends_on_its_batch_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    step = Engine.step

    def batchwise(self: Engine, actions: NDArray[np.int64]) -> None:
        step(self, actions)
        self.games["redeal"] = len(self)

    monkeypatch.setattr(Engine, "step", batchwise)
    with pytest.raises(CheckError, match="a game depends on its batch"):
        check_engine(Rules())


def test_lost_cards_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    step = Engine.step

    def lossy(self: Engine, actions: NDArray[np.int64]) -> None:
        step(self, actions)
        self.games["captured"][:, 0] = 0

    monkeypatch.setattr(Engine, "step", lossy)
    for rules in (Rules(), Rules(players=7, decks=2)):
        with pytest.raises(CheckError, match=r"play led to a record that is no game: game .* has not the cards"):
            check_engine(rules)


def test_a_broken_environment_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    observe = rickety_kate_v0.raw_env.observe

    def bool_masks(self: Any, agent: str) -> Any:
        seen = observe(self, agent)
        return seen | {"action_mask": seen["action_mask"].astype(bool)}

    for rules in (Rules(target=30), Rules(players=9, decks=2, target=30), Rules(revokes="corrected", target=30)):
        check_environment(rules)
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


class IgnoresPlayOffs(Broken):
    def act(self, views: Views, rules: Rules, seeds: Seeds) -> NDArray[np.int64]:
        return np.where(views["playoff"] > 0, 0, self.good(views, rules, seeds))


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


class Revokes(Broken):
    """Plays what is accepted though not by the book, where the rules let it: that is no fault."""

    def act(self, views: Views, rules: Rules, seeds: Seeds) -> NDArray[np.int64]:
        masks = np.empty((len(views), N_ACTIONS), np.int8)
        batch.fill_masks(views, rules.array, masks, True)
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)  # the highest card that is accepted

    def evaluate(self, views: Views, rules: Rules, seeds: Seeds) -> Evaluation:
        chances = np.zeros((len(views), N_ACTIONS))
        chances[np.arange(len(views)), self.act(views, rules, seeds)] = 1
        return chances, None


class Nameless(Broken):
    name = "nameless"


def rolled(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.roll(chances, 1, axis=1)


@pytest.mark.parametrize(
    ("player", "message"),
    [
        (PlaysAnything(), r"broken@1, seat \d, .* is not legal; legal: .*under Rules\(players=3"),
        (IgnoresTheMoonChoice(), r"is not legal.*moon='new'"),
        (IgnoresPlayOffs(), "is not legal"),
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
    for player in ("random", Revokes(), Evaluates(lambda chances: (chances, np.where(chances > 0, 1.5, np.nan)))):
        assert check_player(player) > 1_000 * len(checks.TABLES)


# The command.


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "TABLES", ((1, 3), (2, 8))[: 1 if JIT_DISABLED else 2])
    checks.main(["--settings", "0"])
    assert "all in order" in capsys.readouterr().out
    checks.main(["--player", "random", "--settings", "0"])
    assert "random plays as it must" in capsys.readouterr().out


@needs_compiled
def test_the_command_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "rk_env.checks", "--player", "random", "--settings", "0"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("random plays as it must")


def test_mistakes_get_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert checks.main(["--player", "nobody"]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("error: no player is called 'nobody'") and said.err.count("\n") == 1
    assert said.err.endswith("; in a checkout, python -m agents.checks knows its agents by name\n")
