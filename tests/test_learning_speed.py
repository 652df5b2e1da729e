"""The comparison of learning speeds counts alike on both sides; what it measures is not tested here."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from rk_env import Engine, Rules
from training import learning_speed
from training.learning_speed import TableEnv, contestants, main, measure, our_turn, table, their_turn
from training.selfplay import Config

TINY = Config(iterations=100, games=4, epochs=1, minibatch=64, width=8, depth=1, precision="float32")


def test_a_step_is_one_decision_with_a_choice(rules: Rules) -> None:
    env = TableEnv(rules, seed=1)
    rng = np.random.default_rng(2)
    observation, _ = env.reset(seed=3)
    rewards, decisions = [], 0
    for _ in range(20):
        is_over = False
        while not is_over:
            assert env.observation_space.contains(observation)
            masks = env.action_masks()
            assert masks.sum() >= 2
            observation, reward, is_over, truncated, _ = env.step(rng.choice(np.flatnonzero(masks)))
            decisions += 1
            assert not truncated
            rewards += [reward] if is_over else []
            assert is_over or reward == 0
        observation, _ = env.reset()
    assert len(set(rewards)) >= 4
    assert decisions < 20 * (rules.hand_size + 3) * rules.players


def test_the_last_to_decide_is_paid() -> None:
    env = TableEnv(Rules(), seed=1)
    env.reset(seed=4)
    engine = env._engine
    is_over = False
    while not is_over:
        seat = int(engine.turn[0])
        _, reward, is_over, _, _ = env.step(np.flatnonzero(env.action_masks())[0])
    assert reward == pytest.approx(engine.payoffs[0, seat] / 10)
    assert reward != 0


def test_seeds_make_tables() -> None:
    first, again, other = (TableEnv(Rules(), seed=1).reset(seed=seed)[0] for seed in (5, 5, 6))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()
    assert isinstance(TableEnv(Rules(), 1)._engine, Engine)


def test_both_learners_learn() -> None:
    assert our_turn(TINY, Rules())() > 4 * 20
    turn = their_turn(Rules(players=3), 2, n_steps=32, batch_size=64, n_epochs=1)
    assert [turn(), turn()] == [64, 64]


def test_all_learners_can_be_made() -> None:
    names = list(contestants(TINY, Rules()))
    assert names[0] == "training.selfplay (4 games, batch 64, 1 epochs)"
    assert ["defaults" in names[1], "tuned" in names[2], len(names)] == [True, True, 3]


def test_learners_take_turns_and_ratios_are_of_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, order = [0.0], []

    def learner(name: str, decisions: int, seconds: list[float]) -> Callable[[], int]:
        left = iter(seconds)

        def turn() -> int:
            order.append(name)
            clock[0] += next(left)
            return decisions

        return turn

    monkeypatch.setattr(learning_speed.time, "perf_counter", lambda: clock[0])
    learners = {"A": learner("A", 100, [9, 1, 1, 2]), "B": learner("B", 10, [9, 2, 1])}
    rows = measure(learners, seconds=1.5, repeats=1)
    assert order == ["A", "B", "A", "A", "B"], "a turn to warm up, then as many as it takes"
    assert [row["decisions_a_second"]["median"] for row in rows] == [100, 5]
    assert [row["ratio"]["median"] for row in rows] == [1, 20]
    learners = {"A": learner("A", 100, [9, 2, 4]), "B": learner("B", 10, [9, 2, 8])}
    order.clear()
    rows = measure(learners, seconds=1.5, repeats=2)
    assert order == ["A", "B", "A", "B", "A", "B"]
    assert rows[1]["ratio"] == {"median": 15, "low": 10, "high": 20}
    assert "15.0 (10.0 to 20.0)" in table(rows)


def fake_contestants(config: Config, rules: Rules) -> dict[str, Callable[[], int]]:
    return {"ours": lambda: 50, "theirs": lambda: 5}


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning_speed, "contestants", fake_contestants)
    monkeypatch.setattr(learning_speed, "faster_precision", lambda config: "float32")
    path = tmp_path / "out.json"
    assert main(["--seconds", "0.001", "--repeats", "2", "--json", str(path)]) == 0
    printed = capsys.readouterr().out
    assert "ours " in printed and "theirs " in printed and "float32" in printed
    figures: dict[str, Any] = json.loads(path.read_text())
    assert [row["learner"] for row in figures["rows"]] == ["ours", "theirs"]
    assert figures["rows"][1]["ratio"].keys() == {"median", "low", "high"}
    for option in ("--seconds", "--repeats"):
        with pytest.raises(SystemExit):
            main([option, "0"])
