"""What a network reads beside the observation: counts, compared with slow ones made from the cards a seat has seen."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents import inputs, network
from agents.inputs import COUNTED, N_COUNTED, OBSERVATION, Inputs
from agents.network import load_policy, policy_bytes, policy_card
from rk_env import Engine, Rules
from rk_env.errors import GameRecordError, PolicyFileError
from rk_env.observation import Layout
from rk_env.state import N_ACTIONS
from tests.playing import play_on
from tests.unseen import cards_of, play_offs, redealt

SETTINGS: list[dict[str, Any]] = [
    *({"players": n} for n in (3, 4, 5, 6)),
    {"players": 7, "decks": 2},
    {"players": 11, "decks": 2},
    {"players": 4, "revokes": "exposed"},
]


def games_at(settings: dict[str, Any], steps: int) -> Engine:
    engine = Engine(Rules(**settings), 20, seed=steps, episode="hand")
    play_on(engine, np.random.default_rng(1), steps)
    return Engine.from_games(engine.games[engine.turn >= 0], engine.rules)


def counted_slowly(game: Any, rules: Rules, seat: int) -> NDArray[np.float32]:
    """Return the counts of a seat from lists of the cards that it holds or has seen."""
    deck = Counter(cards_of(rules.array[0]["deck"][int(game["n_in_play"])]))
    own = Counter(cards_of(game["hands"][seat]))
    seen = own + Counter(cards_of(game["waiting"])) + Counter(int(card) for card in game["table"] if card >= 0)
    for other in range(rules.players):
        seen += Counter(cards_of(game["captured"][other]))
    if game["kitty_taker"] == seat:
        seen += Counter(cards_of(game["kitty"]))
    unseen = deck - seen
    numbers = np.zeros(N_COUNTED)
    for card in range(52):
        fellows = [other for other in range(52) if other // 13 == card // 13]
        numbers[card] = unseen[card] / rules.decks
        if own[card]:
            numbers[52 + card] = sum(unseen[other] for other in fellows if other > card) / 8
            numbers[104 + card] = sum(unseen[other] for other in fellows if other < card) / 8
        numbers[156 + card // 13] = sum(unseen[other] for other in fellows) / 8
        numbers[160 + card // 13] = sum(own[other] for other in fellows) / 8
    return numbers.astype(np.float32)


def check(engine: Engine) -> None:
    reads = Inputs(Layout.of(engine.rules), COUNTED)
    turn = engine.turn.astype(np.int64)
    rows = reads.encode(engine.games, engine.rules, turn)
    assert rows.shape == (len(engine), reads.size) == (len(engine), reads.layout.size + N_COUNTED)
    np.testing.assert_array_equal(rows[:, : reads.layout.size], engine.observe())
    expected = [counted_slowly(game, engine.rules, seat) for game, seat in zip(engine.games, turn, strict=True)]
    np.testing.assert_array_equal(rows[:, reads.layout.size :], expected)
    np.testing.assert_array_equal(reads.encode(engine.view(turn), engine.rules, turn), rows)
    out = np.full_like(rows, np.nan)
    assert reads.encode(engine.games, engine.rules, turn, out=out) is out
    np.testing.assert_array_equal(out, rows)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_counts_are_those_of_the_cards_seen(settings: dict[str, Any]) -> None:
    for steps in (0, 2, 3 * Rules(**settings).players + 1, 5 * Rules(**settings).players):
        check(games_at(settings, steps))


@pytest.mark.parametrize("settings", SETTINGS[:4], ids=str)
def test_counts_of_a_play_off_are_those_of_its_deck(settings: dict[str, Any]) -> None:
    engine = play_offs(settings, 10, seed=5)
    play_on(engine, np.random.default_rng(1), 9)
    check(Engine.from_games(engine.games[engine.turn >= 0], engine.rules))


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_what_others_hold_is_not_counted(settings: dict[str, Any]) -> None:
    engine = games_at(settings, 4 * Rules(**settings).players)
    turn = engine.turn.astype(np.int64)
    reads = Inputs(Layout.of(engine.rules), COUNTED)
    rows = reads.encode(engine.games, engine.rules, turn)
    games = redealt(engine.games, engine.rules, turn, Random(3))
    assert (games["hands"] != engine.games["hands"]).any()
    np.testing.assert_array_equal(reads.encode(games, engine.rules, turn), rows)


def test_a_network_may_read_the_observation_alone() -> None:
    engine = games_at({}, 9)
    reads = Inputs(engine.layout, OBSERVATION)
    assert reads.size == engine.layout.size
    np.testing.assert_array_equal(
        reads.encode(engine.games, engine.rules, engine.turn.astype(np.int64)), engine.observe()
    )


def test_what_cannot_be_filled_is_refused() -> None:
    engine = games_at({}, 9)
    for kind in (COUNTED, OBSERVATION):
        reads = Inputs(engine.layout, kind)
        for wrong in (np.zeros((20, reads.size + 1), np.float32), np.zeros((20, reads.size))):
            with pytest.raises(GameRecordError, match=f"float32 array of shape .20, {reads.size}."):
                reads.encode(engine.games, engine.rules, engine.turn.astype(np.int64), out=wrong)  # type: ignore[arg-type]


def test_a_kind_that_is_not_known_is_refused() -> None:
    with pytest.raises(PolicyFileError, match="reads 'all hands' is not known; known: 'observation', "):
        Inputs(Layout(4), "all hands")


def test_cards_of_old_say_nothing_of_what_is_read(tmp_path: Path) -> None:
    """Policies from before there was a choice read the observation alone."""
    weights = [np.ones((Layout(4).size, N_ACTIONS), np.float32), np.zeros(N_ACTIONS, np.float32)]
    content = policy_bytes(weights)
    card = policy_card(content, Rules(), uniform=False)
    assert card.pop("reads") == OBSERVATION
    (tmp_path / "policy.npz").write_bytes(content)
    (tmp_path / "policy.json").write_text(json.dumps(card))
    assert load_policy(tmp_path).inputs.kind == OBSERVATION


def test_playing_a_policy_needs_no_torch() -> None:
    assert not any("import torch" in Path(module.__file__ or "").read_text() for module in (inputs, network))
