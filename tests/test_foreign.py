"""Programs as players: they can play every game, say what they think, and are named like any agent.

The lines are tested in `test_foreign_text.py`, programs that misbehave in `test_foreign_faults.py`.
"""

from __future__ import annotations

import copy
import pickle
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import agents
from agents import checks
from agents.foreign import ForeignPlayer
from rk_env import Engine, Phase, PlayerError, Rules
from rk_env.checks import check_player
from rk_env.players import Player, choose, make
from tests.foreign_programs import EXAMPLE_COMMAND, EXAMPLE_SPEC, at_the_moon_choice, program, random_hands
from tests.unseen import TABLES, hands_of_all_kinds, play_offs
from training.evaluate import main


@pytest.fixture(scope="module")
def example() -> Iterator[ForeignPlayer]:
    player = ForeignPlayer(EXAMPLE_COMMAND)
    yield player
    player.close()


# Whole games.


def play_hands(player: Player, engine: Engine, seed: int = 0) -> set[int]:
    """Let a player play all seats to the end of the hands; return the phases in which it was asked."""
    phases: set[int] = set()
    rng = np.random.default_rng(seed)
    while (engine.turn >= 0).any():
        phases |= set(engine.phase[engine.turn >= 0].tolist())
        lineup = np.zeros((len(engine), engine.rules.players), np.int64)
        engine.step(choose(engine, [player], lineup, rng.integers(2**64, size=len(engine), dtype="u8")))
    return phases


@pytest.mark.parametrize("name", TABLES)
def test_the_example_plays_at_every_table(name: str, example: ForeignPlayer) -> None:
    for engine in hands_of_all_kinds(**{"decks": 1} | TABLES[name], n_games=2, seed=8):
        assert Phase.PLAY in play_hands(example, engine)
        assert (engine.phase >= Phase.HAND_OVER).all()


@pytest.mark.parametrize("two_hand_deal", [26, 13])
def test_the_example_plays_play_offs_of_two(two_hand_deal: int, example: ForeignPlayer) -> None:
    settings = {"players": 4, "two_hand_deal": two_hand_deal, "passing": "left"}
    engine = play_offs(settings, 3, seed=9, n_seats=2)
    assert play_hands(example, engine) == {Phase.PASS, Phase.PLAY}


@pytest.mark.parametrize("decks", [1, 2])
def test_the_example_plays_by_any_rules(decks: int, example: ForeignPlayer) -> None:
    """One program is told of the rules whenever they change."""
    for seed in range(4):
        for engine in random_hands(seed, decks, moon="new"):
            play_hands(example, engine, seed)


@pytest.mark.parametrize("decks", [1, 2])
def test_the_example_chooses_after_a_moon(decks: int, example: ForeignPlayer) -> None:
    engine = at_the_moon_choice(decks)
    assert play_hands(example, engine) == {Phase.MOON}


@pytest.mark.slow
def test_the_example_passes_the_check_of_agents(example: ForeignPlayer) -> None:
    assert check_player(example, n_settings=1, n_games=3) > 1000


def test_rules_are_told_once_until_they_change(tmp_path: Path) -> None:
    player = ForeignPlayer(program(tmp_path, "say(legal[n_rules])"))
    n_told = []
    for players in (4, 4, 3, 4, 0, 4):
        if players == 0:
            player.close()  # and another program is told them again
            continue
        engine = Engine(Rules(players=players), 2, seed=1)
        actions = player.act(engine.view(engine.turn), engine.rules, np.zeros(2, np.uint64))
        n_told.append([int(mask[:action].sum()) for mask, action in zip(engine.action_mask(), actions, strict=True)])
    player.close()
    assert n_told == [[1, 1], [1, 1], [2, 2], [3, 3], [1, 1]]


def test_answers_depend_on_views_and_seeds_alone(example: ForeignPlayer) -> None:
    engine = Engine(Rules(players=3), 20, seed=3)
    views, seeds = engine.view(engine.turn), np.arange(20, dtype=np.uint64)
    actions = example.act(views, engine.rules, seeds)
    np.testing.assert_array_equal(example.act(views[::-1].copy(), engine.rules, seeds[::-1].copy())[::-1], actions)


def test_nobody_to_act_is_not_asked(example: ForeignPlayer) -> None:
    engine = Engine(Rules(players=3), 3, seed=3)
    engine.games["turn"][1] = -1
    views = engine.view(0)
    views["turn"][0] = views["turn"][2] = 0
    actions = example.act(views, engine.rules, np.zeros(3, np.uint64))
    assert actions[1] == -1 and (actions[[0, 2]] >= 0).all()
    views["turn"] = -1
    unstarted = ForeignPlayer("no_such_program")
    assert (unstarted.act(views, engine.rules, np.zeros(3, np.uint64)) == -1).all()
    assert not unstarted.evaluate(views, engine.rules, np.zeros(3, np.uint64))[0].any()


# What a program thinks.


def evaluated(folder: Path, go: str) -> tuple[NDArray[np.float64], NDArray[np.float64] | None, NDArray[np.int8]]:
    engine = Engine(Rules(), 3, seed=2)
    player = ForeignPlayer(program(folder, go))
    chances, values = player.evaluate(engine.view(engine.turn), engine.rules, np.zeros(3, np.uint64))
    player.close()
    np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    assert values is None or np.isfinite(values).all()
    return chances, values, engine.action_mask()


def test_without_information_the_answer_is_certain(tmp_path: Path) -> None:
    chances, values, masks = evaluated(tmp_path, "say('info depth 3'); say('info'); say(legal[0])")
    np.testing.assert_array_equal(chances, np.eye(54)[masks.argmax(axis=1)])
    assert values is None


@pytest.mark.parametrize("scale", ["1", "0.1", "1e308", "5e-324"])
def test_probabilities_are_divided_by_their_sum(scale: str, tmp_path: Path) -> None:
    go = f"[say(f'info prob {{card}} {scale}') for card in legal[:2]]; say(f'info prob {{legal[2]}} 0'); say(legal[1])"
    chances, values, masks = evaluated(tmp_path, go)
    for row, mask in zip(chances, masks, strict=True):
        np.testing.assert_allclose(row[np.flatnonzero(mask)[:2]], 0.5)
        assert (row > 0).sum() == 2
    assert values is None


def test_probabilities_of_nothing_but_zero_say_nothing(tmp_path: Path) -> None:
    chances, _, masks = evaluated(tmp_path, "say(f'info prob {legal[0]} 0'); say(legal[0])")
    np.testing.assert_array_equal(chances, np.eye(54)[masks.argmax(axis=1)])


def test_the_last_value_of_an_action_counts(tmp_path: Path) -> None:
    go = "[say(f'info value {card} {k - 7.5}') for j in (9, 0) for k, card in enumerate(legal, j)]; say(legal[0])"
    _, values, masks = evaluated(tmp_path, go)
    assert values is not None
    for row, mask in zip(values, masks, strict=True):
        np.testing.assert_array_equal(row[mask == 1], np.arange(mask.sum()) - 7.5)
        assert not row[mask == 0].any()


@pytest.mark.parametrize("which", ["legal[:-1]", "legal[:13 * (n != 2)]"], ids=["not all actions", "not all decisions"])
def test_values_of_some_actions_are_no_values(which: str, tmp_path: Path) -> None:
    assert evaluated(tmp_path, f"[say(f'info value {{card}} 1') for card in {which}]; say(legal[0])")[1] is None


# Names.


@pytest.mark.parametrize(
    ("spec", "command", "timeout"),
    [
        ("foreign:bot", ["bot"], 10),
        ("foreign@1:bot", ["bot"], 10),
        ("foreign:/a/b/bot --x=1,y=2 -c 'a b':c@2", ["/a/b/bot", "--x=1,y=2", "-c", "a b:c@2"], 10),
        ("foreign:bot weights.npz", ["bot", "weights.npz"], 10),
        ("foreign:bot@3.npz", ["bot@3.npz"], 10),
        ("foreign:timeout=2.5 start_timeout=7 bot timeout=3", ["bot", "timeout=3"], 2.5),
        ("foreign: bot ", ["bot"], 10),
        ("foreign:env A=b bot", ["env", "A=b", "bot"], 10),
    ],
)
def test_specs(spec: str, command: list[str], timeout: float) -> None:
    player = agents.make(spec)
    assert isinstance(player, ForeignPlayer)
    assert (player.command, player.timeout) == (command, timeout)
    assert player.name == f"foreign@1:{shlex.join(command)}" and repr(player) == f"<{player.name}>"
    again = agents.make(player.name)
    assert isinstance(again, ForeignPlayer)
    assert (again.name, again.command) == (player.name, command)
    if "@1:" not in spec:
        assert isinstance(make(spec), ForeignPlayer), "without `agents.make`, as in environments"


def test_options() -> None:
    player = agents.make("foreign", command=["a b", "=c"], timeout=3, name="mine@2")
    assert isinstance(player, ForeignPlayer)
    assert (player.command, player.timeout, player.name) == (["a b", "=c"], 3.0, "mine@2")
    assert agents.make("foreign", command="a 'b c'").name == "foreign@1:a 'b c'"
    assert agents.make("foreign:name=mine@2 bot", timeout=3).name == "mine@2"


@pytest.mark.parametrize(
    ("spec", "options", "message"),
    [
        ("foreign", {}, "a command is needed, as 'foreign:COMMAND' or command="),
        ("foreign:", {}, "a command is needed"),
        ("foreign: ", {}, "a command is needed"),
        ("foreign:timeout=3", {}, "a command is needed"),
        ("foreign:'bot", {}, "No closing quotation"),
        ("foreign:depth=3 bot", {}, "'depth' is no option; before the command go timeout, start_timeout, name"),
        ("foreign:timeout=soon bot", {}, "timeout='soon'; seconds above 0"),
        ("foreign:timeout=0 bot", {}, "timeout='0'; seconds above 0"),
        ("foreign:start_timeout=nan bot", {}, "start_timeout='nan'; seconds above 0"),
        ("foreign:timeout=inf bot", {}, "timeout='inf'; seconds above 0, up to 86400"),
        ("foreign:name=mine bot", {}, "name='mine': a name and a version is needed"),
        ("foreign:bot", {"command": "bot"}, "multiple values for argument 'command'"),
        ("foreign:bot", {"depth": 3}, "unexpected keyword argument 'depth'"),
        ("foreign", {"command": [1]}, "a command is needed"),
        ("foreign", {"command": 1}, "command=1"),
        ("foreign@2:bot", {}, "asks for version 2 of 'foreign'; here is version 1"),
        ("foreig:bot", {}, "did you mean 'foreign'"),
    ],
)
def test_bad_specs(spec: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        agents.make(spec, **options)


@pytest.mark.parametrize("is_started", [False, True])
def test_copies_have_programs_of_their_own(is_started: bool, tmp_path: Path) -> None:
    player = ForeignPlayer(program(tmp_path, "say(legal[n % 2])"), timeout=7, name="mine@2")
    engine = Engine(Rules(), 1, seed=1)
    views, seeds = engine.view(engine.turn), np.zeros(1, np.uint64)
    if is_started:
        player.act(views, engine.rules, seeds)
    for twin in (copy.deepcopy(player), pickle.loads(pickle.dumps(player))):
        assert (twin.name, twin.command, twin.timeout) == (player.name, player.command, 7)
        assert twin.act(views, engine.rules, seeds) == np.flatnonzero(engine.action_mask()[0])[1], "its first answer"
        twin.close()
    player.close()


# Where an agent is named.


def test_as_an_opponent_of_an_environment() -> None:
    env = gymnasium.make("RicketyKate-v0", opponents={"random": 1, EXAMPLE_SPEC: 3}, disable_env_checker=True)
    _, info = env.reset(seed=1)
    terminated = False
    while not terminated:
        _, _, terminated, _, info = env.step(int(info["action_mask"].argmax()))
    env.close()


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--agent", EXAMPLE_SPEC, "--opponents", "ducker", "--deals", "4"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[2].startswith(f"foreign@1:{shlex.join(EXAMPLE_COMMAND)}  3 x ducker@1  ")
    assert main(["--agent", "ducker", "--opponents", EXAMPLE_SPEC, "random", "--deals", "2", "--players", "3"]) == 0


def test_agents_are_checked_by_name(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rk_env.checks.TABLES", ((1, 3),))
    for spec in (EXAMPLE_SPEC, "ducker@1"):
        assert checks.main(["--player", spec, "--settings", "0"]) == 0
        assert capsys.readouterr().out.startswith(f"{spec} plays as it must: ")
    assert checks.main(["--player", "duker"]) == 2
    assert "did you mean 'ducker'?" in capsys.readouterr().err
    assert checks.main(["--player", "foreign:no_such_program"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "cannot be started" in said
