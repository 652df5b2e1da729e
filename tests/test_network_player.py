"""The network player and its files: compiled inference equals torch, nothing hidden is read, bad files are named."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import agents
from agents.inputs import COUNTED, N_COUNTED, OBSERVATION, Inputs
from agents.network import NetworkPlayer, forward, load_policy, policy_bytes, policy_card, softmax
from rk_env import Engine, Phase, Rules
from rk_env.errors import PlayerError, PolicyFileError, RulesError
from rk_env.observation import OBS_VERSION, Layout
from rk_env.players import checked_act, decision_seeds
from rk_env.rules import RULES_VERSION
from rk_env.state import ACTION_MOON_ADD, ACTION_MOON_SUBTRACT, N_ACTIONS
from tests.generators import hold_hand, play_tricks
from tests.playing import play_on
from tests.unseen import play_offs, redealt
from training.network import Network

ALL_CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC"
D = Layout(4).size
Arrays = list[NDArray[np.float32]]


def random_weights(inputs: Layout | Inputs, hidden: tuple[int, ...] = (12, 10), seed: int = 1) -> Arrays:
    rng = np.random.default_rng(seed)
    weights: Arrays = []
    n_in = inputs.size
    for n_out in (*hidden, N_ACTIONS):
        weights += [
            rng.normal(0, 2 / n_in**0.5, (n_in, n_out)).astype(np.float32),
            rng.normal(0, 0.3, n_out).astype(np.float32),
        ]
        n_in = n_out
    return weights


def player_of(rules: Rules, **options: Any) -> NetworkPlayer:
    layout = Layout.of(rules, uniform=options.get("uniform", False))
    return NetworkPlayer(random_weights(Inputs(layout, options.get("reads", OBSERVATION))), rules, **options)


def positions(rules: Rules, n: int, seed: int = 1) -> Engine:
    """Return games at random moments of random hands."""
    engine = Engine(rules, n, seed=seed, episode="hand")
    rng = np.random.default_rng(seed)
    stops = rng.integers(0, (rules.hand_size + 3) * rules.players - 1, n)
    for step in range(stops.max()):
        weights = engine.action_mask() * rng.random((n, N_ACTIONS))
        playing = (engine.turn >= 0) & (step < stops)
        before = engine.games.copy()
        engine.step(np.where(engine.turn >= 0, weights.argmax(axis=1), -1))
        engine.games[~playing] = before[~playing]
    return engine


def acting(engine: Engine) -> NDArray[np.void]:
    """Return the views of the seats to act."""
    index = np.flatnonzero(engine.turn >= 0)
    return engine.view(engine.turn[index], index)


def seeds_for(views: NDArray[np.void]) -> NDArray[np.uint64]:
    return decision_seeds(5, np.arange(len(views)), views)


# Acting


@pytest.mark.parametrize("sample", [False, True])
def test_actions_are_legal_to_the_end_of_the_hand(rules: Rules, sample: bool) -> None:
    player = player_of(rules, sample=sample)
    engine = Engine(rules, 20, seed=3, episode="hand")
    while (engine.turn >= 0).any():
        views = acting(engine)
        actions = np.full(20, -1)
        actions[engine.turn >= 0] = checked_act(player, views, rules, seeds_for(views))
        engine.step(actions)


def test_the_best_legal_action_is_taken(rules: Rules) -> None:
    engine = positions(rules, 60)
    player = player_of(rules)
    views = acting(engine)
    probabilities, values = player.evaluate(views, rules, seeds_for(views))
    legal = engine.action_mask()[engine.turn >= 0] == 1
    assert values is None
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(probabilities > 0, legal)
    actions = player.act(views, rules, seeds_for(views))
    np.testing.assert_array_equal(actions, probabilities.argmax(axis=1))
    np.testing.assert_array_equal(actions, player.act(views, rules, seeds_for(views) + np.uint64(1)))


def test_compiled_inference_equals_torch() -> None:
    torch.manual_seed(2)
    layout = Layout(4)
    for depth in (1, 3):
        trained = Network(Inputs(layout, OBSERVATION), width=32, depth=depth)
        torch.nn.init.normal_(trained.policy[-1].weight)
        engine = positions(Rules(), 100)
        observations = engine.observe()
        logits = np.empty((100, N_ACTIONS), np.float32)
        forward(observations, tuple(np.atleast_2d(array) for array in trained.policy_weights()), logits)
        with torch.no_grad():
            expected = trained.policy(torch.from_numpy(observations)).numpy()
        np.testing.assert_allclose(logits, expected, atol=1e-4)
        assert np.ptp(expected) > 1

        player = NetworkPlayer(trained.policy_weights(), Rules())
        index = np.flatnonzero(engine.turn >= 0)
        probabilities, _ = player.evaluate(acting(engine), Rules(), np.zeros(len(index), np.uint64))
        masks = torch.from_numpy(engine.action_mask()[index]).bool()
        with torch.no_grad():
            logs = trained.log_probabilities(torch.from_numpy(observations[index]), masks)
        np.testing.assert_allclose(probabilities, logs.exp().numpy(), atol=1e-4)


def test_a_row_of_a_batch_is_what_it_would_be_alone() -> None:
    layout = Layout(4)
    weights = tuple(np.atleast_2d(array) for array in random_weights(layout))
    observations = positions(Rules(), 50).observe()
    together = np.empty((50, N_ACTIONS), np.float32)
    forward(observations, weights, together)
    for k in (1, 7):
        parts = np.full((50, N_ACTIONS), np.nan, np.float32)
        for first in range(0, 50, k):
            forward(observations[first : first + k].copy(), weights, parts[first : first + k])
        np.testing.assert_array_equal(parts, together)


def test_samples_have_the_policy_s_frequencies() -> None:
    views = acting(positions(Rules(), 40))
    player = player_of(Rules(), sample=True)
    probabilities, _ = player.evaluate(views, Rules(), seeds_for(views))
    spread = (probabilities**2).sum(axis=1)
    view = views[[int(spread.argmin())]]
    expected = probabilities[spread.argmin()]
    legal = np.flatnonzero(expected)
    assert len(legal) >= 5
    n = 20_000
    for seeds in (np.arange(n, dtype=np.uint64), decision_seeds(1, np.arange(n), np.repeat(view, n))):
        counts = np.bincount(player.act(np.repeat(view, n), Rules(), seeds), minlength=N_ACTIONS)
        assert counts[legal].sum() == n, "an illegal action was drawn"
        chi_square = ((counts - n * expected)[legal] ** 2 / (n * expected[legal])).sum()
        freedom = len(legal) - 1
        assert chi_square < freedom + 5 * (2 * freedom) ** 0.5, "further off than chance takes it"
    again = [player.act(np.repeat(view, n), Rules(), seeds) for _ in range(2)]
    np.testing.assert_array_equal(*again)


def test_softmax_gives_nothing_to_what_is_not_allowed() -> None:
    found = softmax(np.array([[0.0, np.log(3.0), -np.inf], [-np.inf, 1000.0, -np.inf]]))
    np.testing.assert_allclose(found, [[0.25, 0.75, 0], [0, 1, 0]])


def test_the_moon_is_chosen_by_the_network() -> None:
    engine, hands = hold_hand([ALL_CLUBS, "", "", ""], moon="new")
    play_tricks(engine, hands)
    assert engine.phase[0] == Phase.MOON
    weights = [np.zeros((D, N_ACTIONS), np.float32), np.zeros(N_ACTIONS, np.float32)]
    for wanted in (ACTION_MOON_ADD, ACTION_MOON_SUBTRACT):
        weights[1][:] = 0
        weights[1][[5, wanted]] = 2, 1
        player = NetworkPlayer(weights, engine.rules)
        assert player.act(acting(engine), engine.rules, np.zeros(1, np.uint64)).tolist() == [wanted]


# Hidden information


def check_others_change_nothing(engine: Engine, uniform: bool, at_least: int) -> None:
    """What others hold changes neither the views nor the answers of a policy, and its answers keep to the book."""
    player = player_of(engine.rules, uniform=uniform, reads=COUNTED, sample=True)
    views = acting(engine)
    expected = player.evaluate(views, engine.rules, seeds_for(views))[0]
    actions = player.act(views, engine.rules, seeds_for(views))
    index = np.flatnonzero(engine.turn >= 0)
    assert engine.action_mask(revokes=False)[index, actions].all()
    rng = Random(6)
    for _ in range(3):
        games = redealt(engine.games, engine.rules, np.maximum(engine.turn, 0).astype(np.int64), rng)
        assert (games["hands"] != engine.games["hands"]).any(axis=(1, 2)).sum() > at_least
        other = acting(Engine.from_games(games, engine.rules))
        assert other.tobytes() == views.tobytes()
        np.testing.assert_array_equal(player.evaluate(other, engine.rules, seeds_for(views))[0], expected)
        np.testing.assert_array_equal(player.act(other, engine.rules, seeds_for(views)), actions)


@pytest.mark.parametrize("uniform", [False, True])
@pytest.mark.parametrize(
    "settings",
    [*({"players": n} for n in (3, 4, 5, 6)), {"players": 7, "decks": 2}, {"players": 4, "revokes": "corrected"}],
    ids=str,
)
def test_what_others_hold_changes_nothing(settings: dict[str, Any], uniform: bool) -> None:
    check_others_change_nothing(positions(Rules(**settings), 150, seed=4), uniform, 100)
    play_off = play_offs(settings, 30, seed=5)
    play_on(play_off, np.random.default_rng(1), 12)
    check_others_change_nothing(play_off, uniform, 8)


# Rules


def test_other_rules_are_refused_unless_any_will_do() -> None:
    views = acting(Engine(Rules(moon="new"), 3, seed=1))
    seeds = np.zeros(3, np.uint64)
    with pytest.raises(RulesError, match=r"trained on other rules: moon='new' \(trained: 'old'\)"):
        player_of(Rules()).act(views, Rules(moon="new"), seeds)
    own = player_of(Rules(moon="new")).act(views, Rules(moon="new"), seeds)
    any_rules = player_of(Rules(), any_rules=True)
    np.testing.assert_array_equal(any_rules.act(views, Rules(moon="new"), seeds), own)
    five = Rules(players=5)
    with pytest.raises(RulesError, match="sees 4 seats; it cannot play with 5"):
        any_rules.act(acting(Engine(five, 3, seed=1)), five, seeds)
    watched = Rules(revokes="exposed")
    with pytest.raises(RulesError, match="sees decks=1, revokes=False; it cannot play with decks=1, revokes=True"):
        any_rules.act(acting(Engine(watched, 3, seed=1)), watched, seeds)
    two_decks = Rules(players=6, decks=2)
    with pytest.raises(RulesError, match="sees decks=1, revokes=False; it cannot play with decks=2, revokes=False"):
        player_of(Rules(), uniform=True, any_rules=True).act(acting(Engine(two_decks, 3, seed=1)), two_decks, seeds)


def test_a_uniform_policy_plays_at_any_table(rules: Rules) -> None:
    player = player_of(Rules(players=4), uniform=True, any_rules=True)
    own = player_of(rules, uniform=True)
    views = acting(positions(rules, 30))
    actions = checked_act(player, views, rules, seeds_for(views))
    np.testing.assert_array_equal(actions, own.act(views, rules, seeds_for(views)))


# Weights


def test_weights_that_do_not_fit_are_refused() -> None:
    good = random_weights(Layout(4))
    bad: list[tuple[Arrays, str]] = [
        ([], "0 arrays of weights"),
        (good[:-1], "5 arrays of weights"),
        (random_weights(Layout(5)), f"layer 0 has shapes ({Layout(5).size}, 12) and (12,); its input has {D} numbers"),
        ([good[0], good[1][:-1], *good[2:]], f"layer 0 has shapes ({D}, 12) and (11,)"),
        ([*good[:2], good[2].T, *good[3:]], "layer 1 has shapes (10, 12) and (10,); its input has 12"),
        ([good[0].ravel(), *good[1:]], f"layer 0 has shapes ({12 * D},)"),
        (good[:4], "the last layer gives 10 numbers; 54 actions are needed"),
        ([*good[:4], np.full_like(good[4], np.nan), good[5]], "layer 2 has weights that are not finite"),
        ([*good[:5], np.full_like(good[5], np.inf)], "layer 2 has weights that are not finite"),
    ]
    for weights, message in bad:
        with pytest.raises(PolicyFileError) as caught:
            NetworkPlayer(weights, Rules())
        assert message in str(caught.value)


# Files


def write_policy(folder: Path, content: bytes, own_rules: Rules, **changes: Any) -> Path:
    """Write a policy and its card; `changes` replace fields of the card, None removes them."""
    card = policy_card(content, own_rules, uniform=False) | changes
    (folder / "policy.npz").write_bytes(content)
    (folder / "policy.json").write_text(json.dumps({k: v for k, v in card.items() if v is not None}))
    return folder / "policy.npz"


@pytest.mark.parametrize("sample", [False, True])
def test_a_policy_read_back_decides_alike(rules: Rules, sample: bool, tmp_path: Path) -> None:
    weights = random_weights(Layout(rules.players))
    path = write_policy(tmp_path, policy_bytes(weights), rules)
    views = acting(positions(rules, 60))
    expected = NetworkPlayer(weights, rules, sample=sample).act(views, rules, seeds_for(views))
    for found in (load_policy(path, sample=sample), load_policy(tmp_path, sample=sample)):
        np.testing.assert_array_equal(found.act(views, rules, seeds_for(views)), expected)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert load_policy(path, sample=sample).name == f"network@{digest[:8]}" + (":sample" if sample else "")


def test_the_card_carries_what_the_options_said(tmp_path: Path) -> None:
    rules = Rules(players=3, moon="new", bonus_cards=("JD", "10D"), moon_needs_bonus=True)
    content = policy_bytes(random_weights(Inputs(Layout(3, uniform=True), COUNTED)))
    (tmp_path / "policy.npz").write_bytes(content)
    card = policy_card(content, rules, uniform=True, reads=COUNTED, command="by hand")
    (tmp_path / "policy.json").write_text(json.dumps(card))
    player = load_policy(tmp_path, any_rules=True)
    assert (player.rules, player.uniform, player.any_rules, player.sample) == (rules, True, True, False)
    assert player.inputs.kind == COUNTED
    assert json.loads((tmp_path / "policy.json").read_text())["command"] == "by hand"


def test_specs_name_policies_by_file_or_folder(tmp_path: Path) -> None:
    path = write_policy(tmp_path, policy_bytes(random_weights(Layout(4))), Rules())
    names = {agents.make(str(spec)).name for spec in (path, tmp_path)}
    assert len(names) == 1
    with pytest.raises(PlayerError, match="has the options sample and any_rules, not passing"):
        agents.make(str(path), passing="danger")
    assert agents.make(str(path), sample=True).name.endswith(":sample")


def npz(**arrays: Any) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def npy(array: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def weights_with(index: int, value: NDArray[np.float32]) -> bytes:
    weights = random_weights(Layout(4))
    weights[index] = value
    return policy_bytes(weights)


@pytest.mark.parametrize(
    ("changes", "file", "message"),
    [
        ({"format": "rickety-kate-policy@2"}, "policy.json", "format is 'rickety-kate-policy@2'; this version plays"),
        ({"format": None}, "policy.json", "format is None"),
        ({"obs_version": OBS_VERSION + 1}, "policy.json", f"obs_version is {OBS_VERSION + 1}; this version plays"),
        ({"rules_version": RULES_VERSION + 1}, "policy.json", f"rules_version is {RULES_VERSION + 1}; this version"),
        ({"sha256": "0" * 64}, "policy.npz", "damaged, or not the file its card describes (SHA-256 differs)"),
        ({"sha256": None}, "policy.json", "sha256 is missing or no str"),
        ({"uniform": None}, "policy.json", "uniform is missing or no bool"),
        ({"reads": "tea leaves"}, "policy.npz", "a network that reads 'tea leaves' is not known; known: 'observation'"),
        ({"reads": COUNTED}, "policy.npz", f"its input has {D + N_COUNTED} numbers"),
        (
            {"uniform": True},
            "policy.npz",
            f"layer 0 has shapes ({D}, 12) and (12,); its input has {Layout(6).size} numbers",
        ),
        ({"rules": 4}, "policy.json", "rules is missing or no dict"),
        ({"rules": {"players": 9}}, "policy.npz", "players=9 is not allowed"),
        ({"rules": {"lunch": True}}, "policy.npz", "unknown fields ['lunch']"),
        ({"rules": {"players": 3}}, "policy.npz", f"layer 0 has shapes ({D}, 12)"),
        ({"content": b"not a zip file"}, "policy.npz", "policy.npz: "),
        ({"content": policy_bytes(random_weights(Layout(4)))[:-40]}, "policy.npz", "not a zip file"),
        ({"content": npy(np.zeros(3))}, "policy.npz", "policy.npz: "),
        ({"content": npz()}, "policy.npz", "0 arrays of weights"),
        ({"content": npz(a=np.array(["text"]), b=np.zeros(1))}, "policy.npz", "could not convert string"),
        ({"content": npz(a=np.array([{}]), b=np.zeros(1))}, "policy.npz", "allow_pickle=False"),
        ({"content": weights_with(3, np.full(10, np.nan, np.float32))}, "policy.npz", "layer 1 has weights that are"),
        ({"content": weights_with(5, np.zeros(53, np.float32))}, "policy.npz", "layer 2 has shapes (10, 54) and (53,)"),
    ],
)
def test_bad_policies_are_refused_by_name(changes: dict[str, Any], file: str, message: str, tmp_path: Path) -> None:
    good = policy_bytes(random_weights(Layout(4)))
    path = write_policy(tmp_path, changes.pop("content", good), Rules(), **changes)
    with pytest.raises(PolicyFileError) as caught:
        load_policy(path)
    assert str(caught.value).startswith(f"{tmp_path / file}: ")
    assert message in str(caught.value)


def test_every_damaged_byte_is_noticed(tmp_path: Path) -> None:
    path = write_policy(tmp_path, policy_bytes(random_weights(Layout(4), hidden=(2,))), Rules())
    whole = path.read_bytes()
    rng = np.random.default_rng(1)
    for place in rng.integers(0, len(whole), 50):
        damaged = bytearray(whole)
        damaged[place] ^= 16
        path.write_bytes(damaged)
        with pytest.raises(PolicyFileError, match="damaged"):
            load_policy(path)


def test_missing_and_unreadable_files_are_named(tmp_path: Path) -> None:
    path = write_policy(tmp_path, policy_bytes(random_weights(Layout(4))), Rules())
    card = path.with_suffix(".json")
    text = card.read_text()
    for content in ("{", "[1]", "4", "\0"):
        card.write_text(content)
        with pytest.raises(PolicyFileError, match=r"policy\.json: (damaged|format is None)"):
            load_policy(path)
    card.write_bytes(b"\xff\xfe\x80")
    with pytest.raises(PolicyFileError, match=r"policy\.json: damaged"):
        load_policy(path)
    card.unlink()
    with pytest.raises(PolicyFileError, match=r"policy\.json: cannot be read \(No such file"):
        load_policy(path)
    card.write_text(text)
    path.unlink()
    for spec in (path, tmp_path):
        with pytest.raises(PolicyFileError, match=r"policy\.npz: cannot be read \(No such file"):
            load_policy(spec)
