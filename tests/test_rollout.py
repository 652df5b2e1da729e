"""What the learner is given: each rollout is replayed table by table and compared, and advantages with slow sums."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, fields

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import agents
from agents.inputs import COUNTED, Inputs
from rk_env import Engine, Phase, Rules
from rk_env.engine import spread_seed
from rk_env.errors import PlayerError
from rk_env.observation import Layout
from rk_env.players import Player, decision_seeds
from rk_env.state import ACTION_MOON_ADD, ACTION_MOON_SUBTRACT, N_ACTIONS
from tests.searching import shot_moon
from training.league import Lineup
from training.network import CRITIC_BLOCKS, Network
from training.rollout import PAYOFF_SCALE, Collector, Rollout, fill_advantages
from training.trials import PASSES_TRIED, Trials

SEED = 11
TEACHER = agents.make("rule_based")
VARIANTS = [
    {"players": 3},
    {"players": 4},
    {"players": 5, "passing": "none", "black_card": "JS"},
    {"players": 6, "moon": "new", "bonus_cards": ("JD",)},
    {"players": 7, "decks": 2},
]


@dataclass
class Decision:
    """What a seat had before it when it decided, at a table of its own."""

    game: int
    seat: int
    observation: NDArray[np.float32]
    state: NDArray[np.float32]
    mask: NDArray[np.int8]
    action: int


def network_of(rules: Rules, uniform: bool = False) -> Network:
    torch.manual_seed(3)
    network = Network(Inputs(Layout.of(rules, uniform=uniform), COUNTED), width=8, depth=1)
    for module in network.policy:
        if isinstance(module, torch.nn.Linear):
            torch.nn.init.normal_(module.weight, std=0.3)
    return network


def collect(
    rules: Rules,
    num_games: int,
    decay: float,
    seed: int = SEED,
    uniform: bool = False,
    lineup: Lineup | None = None,
    teacher: Player | None = None,
    trials: Trials | None = None,
) -> Rollout:
    network = network_of(rules, uniform)
    collector = Collector(rules, num_games, network.inputs)
    return collector.collect(network, seed, decay, nullcontext, lineup, teacher, trials)


def mixed_lineup(rules: Rules, num_games: int) -> Lineup:
    """Return tables at which a ducker, a rule player or neither sits beside the network."""
    seats = np.random.default_rng(4).integers(-2, 3, (num_games, rules.players)).clip(0)
    seats[0] = 0
    return Lineup([agents.make("ducker"), agents.make("rule_based")], seats)


def play_forced_slowly(table: Engine) -> None:
    while table.phase[0] < Phase.HAND_OVER and table.action_mask().sum() == 1:
        table.step([int(table.action_mask().argmax())])


def play_others(table: Engine, lineup: Lineup, game: int) -> bool:
    """Let another than the network play, if it is to act; tell whether it was."""
    k = lineup.seats[game, table.turn[0]]
    if k:
        table.step(lineup.players[k - 1].act(table.view(table.turn[0]), table.rules, np.zeros(1, np.uint64)))
    return bool(k)


def replay(
    rules: Rules, rollout: Rollout, num_games: int, uniform: bool = False, lineup: Lineup | None = None
) -> tuple[list[Decision], NDArray[np.float64]]:
    """Make a rollout's decisions at tables of one game each; return them and each seat's payoff in each game."""
    lineup = lineup or Lineup([], np.zeros((num_games, rules.players), np.int64))
    seeds = spread_seed(SEED, num_games)
    tables = [Engine(rules, seeds=[seed], episode="hand", uniform_observations=uniform) for seed in seeds]
    decisions: list[Decision] = []
    while True:
        for table in tables:
            play_forced_slowly(table)
        going_on = [game for game, table in enumerate(tables) if table.phase[0] < Phase.HAND_OVER]
        if not going_on:
            return decisions, np.concatenate([table.payoffs for table in tables])
        for game in going_on:
            table = tables[game]
            if play_others(table, lineup, game):
                continue
            action, seat = int(rollout.actions[len(decisions)]), int(table.turn[0])
            held = table.layout.encode_privileged(table.games, rules, table.turn.astype(np.int64))[0]
            others = [lineup.seats[game, (seat + k) % rules.players] > 0 for k in range(rules.players)]
            observation = table.observe()[0]
            public = [table.layout.blocks(observation)[name].ravel() for name in CRITIC_BLOCKS]
            state = np.concatenate([held, np.array(others, np.float32), *public])
            decisions.append(Decision(game, seat, observation, state, table.action_mask()[0], action))
            table.step([action])


@pytest.mark.parametrize("company", [False, True])
@pytest.mark.parametrize("uniform", [False, True])
@pytest.mark.parametrize("settings", VARIANTS, ids=str)
def test_a_rollout_is_what_each_seat_decides_at_its_table(
    settings: dict[str, object], uniform: bool, company: bool
) -> None:
    rules = Rules.from_dict(settings)
    lineup = mixed_lineup(rules, 5) if company else None
    rollout = collect(rules, 5, decay=0.9, uniform=uniform, lineup=lineup)
    decisions, payoffs = replay(rules, rollout, 5, uniform, lineup)
    assert len(decisions) == len(rollout)
    np.testing.assert_array_equal(rollout.payoffs, payoffs)
    np.testing.assert_array_equal(observed(rollout, rules, uniform), [decision.observation for decision in decisions])
    np.testing.assert_array_equal(rollout.states, [decision.state for decision in decisions])
    np.testing.assert_array_equal(rollout.masks, [decision.mask for decision in decisions])
    assert rollout.masks.sum(dim=1).min() >= 2, "a move without a choice reached the learner"
    own = np.ones((5, rules.players), bool) if lineup is None else lineup.seats == 0
    assert {(decision.game, decision.seat) for decision in decisions} == set(zip(*np.nonzero(own), strict=True))
    check_log_probabilities(network_of(rules, uniform), rollout)
    check_advantages(network_of(rules, uniform), rollout, decisions, payoffs, decay=0.9)


def observed(rollout: Rollout, rules: Rules, uniform: bool = False) -> torch.Tensor:
    """Return what the network saw, without what it counted up (`tests/test_inputs.py`)."""
    return rollout.observations[:, : Layout.of(rules, uniform=uniform).size]


def check_log_probabilities(network: Network, rollout: Rollout) -> None:
    """The probabilities noted are those of the network, over the legal actions alone."""
    with torch.no_grad():
        logits = network.policy(rollout.observations).numpy().astype(np.float64)
    powers = np.exp(logits) * rollout.masks.numpy()
    chosen = powers[np.arange(len(rollout)), rollout.actions] / powers.sum(axis=1)
    np.testing.assert_allclose(rollout.log_probabilities, np.log(chosen), atol=1e-5)
    assert (chosen < 0.5).any() and (chosen > 0.5).any()


def check_advantages(
    network: Network, rollout: Rollout, decisions: list[Decision], payoffs: NDArray[np.float64], decay: float
) -> None:
    """Each seat's advantages are sums over its own later decisions."""
    with torch.no_grad():
        values = network.values(rollout.states).numpy()
    for game, seat in {(decision.game, decision.seat) for decision in decisions}:
        own = [i for i, decision in enumerate(decisions) if (decision.game, decision.seat) == (game, seat)]
        following = [*values[own[1:]], payoffs[game, seat] / PAYOFF_SCALE]
        errors = following - values[own]
        expected = [sum(decay**k * error for k, error in enumerate(errors[i:])) for i in range(len(own))]
        np.testing.assert_allclose(rollout.advantages[own], expected, atol=1e-4)
        np.testing.assert_allclose(rollout.returns[own], expected + values[own], atol=1e-4)


def test_without_decay_every_decision_is_worth_what_the_hand_paid_its_seat(rules: Rules) -> None:
    rollout = collect(rules, 4, decay=1.0)
    decisions, payoffs = replay(rules, rollout, 4)
    paid = [payoffs[decision.game, decision.seat] / PAYOFF_SCALE for decision in decisions]
    np.testing.assert_allclose(rollout.returns, paid, atol=1e-5)
    assert len({round(value, 4) for value in paid}) > 4


@pytest.mark.parametrize("company", [False, True])
def test_a_teacher_decides_in_the_network_s_stead(company: bool) -> None:
    rules = Rules(players=3, moon="new")
    lineup = mixed_lineup(rules, 5) if company else None
    rollout = collect(rules, 5, decay=1.0, lineup=lineup, teacher=TEACHER)
    decisions, payoffs = replay(rules, rollout, 5, lineup=lineup)
    paid = [payoffs[decision.game, decision.seat] / PAYOFF_SCALE for decision in decisions]
    np.testing.assert_allclose(rollout.returns, paid, atol=1e-6)
    assert not rollout.log_probabilities.any()
    engine = Engine(rules, seeds=spread_seed(SEED, 5)[:1], episode="hand")  # table 0, at which the network is alone
    for action in [decision.action for decision in decisions if decision.game == 0]:
        play_forced_slowly(engine)
        assert TEACHER.act(engine.view(engine.turn), rules, np.zeros(1, np.uint64)).tolist() == [action]
        engine.step([action])


@pytest.mark.parametrize("settings", VARIANTS, ids=str)
def test_every_move_is_tried_in_the_deal_as_it_is(settings: dict[str, object]) -> None:
    """Each table is copied for each legal move, and the rule player plays the copy on, decision by decision."""
    rules = Rules.from_dict(settings)
    seats = np.random.default_rng(8).integers(0, 2, (4, rules.players))
    seats[:, 0] = 0
    lineup = Lineup([TEACHER], seats)
    rollout = collect(rules, 4, decay=1.0, lineup=lineup, trials=Trials(TEACHER))
    tables = [Engine(rules, seeds=[seed], episode="hand") for seed in spread_seed(SEED, 4)]
    n = 0
    while any(table.phase[0] < Phase.HAND_OVER for table in tables):
        for game, table in enumerate(tables):
            play_forced_slowly(table)
            if table.phase[0] >= Phase.HAND_OVER:
                continue
            is_tried = table.phase[0] != Phase.PASS or game % PASSES_TRIED == 0
            if seats[game, table.turn[0]] or not is_tried:
                table.step(TEACHER.act(table.view(table.turn), rules, np.zeros(1, np.uint64)))
                continue
            check_trials(table, rollout.worths[n].numpy())
            assert (rollout.masks[n].numpy() == table.action_mask()[0]).all()
            table.step([int(rollout.actions[n])])
            n += 1
    assert n == len(rollout) > 30


def check_trials(table: Engine, worths: NDArray[np.float32]) -> None:
    seat, legal = int(table.turn[0]), np.flatnonzero(table.action_mask()[0])
    assert not np.delete(worths, legal).any()
    for action in legal:
        copy = Engine.from_games(table.games.copy(), table.rules)
        copy.step([int(action)])
        while copy.turn[0] >= 0:
            copy.step(TEACHER.act(copy.view(copy.turn), copy.rules, np.zeros(1, np.uint64)))
        assert worths[action] == pytest.approx(copy.payoffs[0, seat], abs=1e-5)


def test_a_search_player_teaches_the_means_it_finds() -> None:
    teacher = agents.make("pimc", simulations=30)
    seats = np.zeros((2, 3), np.int64)
    rollout = collect(Rules(players=3), 2, decay=1.0, lineup=Lineup([TEACHER], seats), trials=Trials(teacher))
    engine = Engine(Rules(players=3), seeds=spread_seed(SEED, 2), episode="hand")  # game 1 passes without trial
    seeds = decision_seeds(SEED, np.arange(2), engine.games)[:1]
    expected = teacher.evaluate(engine.view(engine.turn[:1], np.zeros(1, np.int64)), engine.rules, seeds)[1]
    np.testing.assert_allclose(rollout.worths[:1], expected, rtol=1e-6)
    assert (rollout.worths != 0).any(dim=1).all()
    assert not rollout.worths[~rollout.masks].any()


def test_the_shooter_s_choice_is_worth_points_whoever_teaches() -> None:
    """A search tells the share of the win of it, which is another unit."""
    engine = shot_moon([50, 60, 70, 80])
    for teacher in (TEACHER, agents.make("pimc", simulations=4)):
        worths = np.full((1, N_ACTIONS), np.nan, np.float32)
        Trials(teacher).fill(engine, np.zeros(1, np.int64), np.zeros(1, np.uint64), worths)
        check_trials(engine, worths[0])
        assert worths[0, [ACTION_MOON_ADD, ACTION_MOON_SUBTRACT]].min() > 1


def test_others_cannot_teach_what_moves_are_worth() -> None:
    with pytest.raises(PlayerError, match="random@1 cannot teach what moves are worth"):
        Trials(agents.make("random"))


def test_moves_are_tried_only_when_asked() -> None:
    assert collect(Rules(), 2, decay=1.0).worths.shape[1] == 0


def test_advantages_in_closed_form() -> None:
    games, seats = np.array([0, 1, 0, 0]), np.array([2, 2, 1, 2])
    values = np.array([0.25, 9.0, 7.0, 0.5], np.float32)
    results = np.array([[0.0, -1.0, 2.0], [0.0, 0.0, 4.0]])
    advantages, returns = np.empty(4, np.float32), np.empty(4, np.float32)
    fill_advantages(games, seats, values, results, 0.5, advantages, returns)
    assert advantages.tolist() == [0.25 + 0.5 * 1.5, -5.0, -8.0, 1.5]
    assert returns.tolist() == [0.25 + 1.0, 4.0, -1.0, 2.0]


@given(st.integers(1, 40), st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_advantages_are_decayed_sums_of_surprises(n: int, seed: int, decay: float) -> None:
    rng = np.random.default_rng(seed)
    games, seats = rng.integers(0, 3, n), rng.integers(0, 4, n)
    values, results = rng.normal(size=n).astype(np.float32), rng.normal(size=(3, 4))
    advantages, returns = np.empty(n, np.float32), np.empty(n, np.float32)
    fill_advantages(games, seats, values, results, decay, advantages, returns)
    for i in range(n):
        own = [j for j in range(i, n) if (games[j], seats[j]) == (games[i], seats[i])]
        errors = [*values[own[1:]], results[games[i], seats[i]]] - values[own]
        assert advantages[i] == pytest.approx(sum(decay**k * error for k, error in enumerate(errors)), abs=1e-4)
    np.testing.assert_allclose(returns, advantages + values, atol=1e-6)


def test_minibatches_are_all_decisions_once_in_random_order() -> None:
    rollout = collect(Rules(), 4, decay=0.95)
    generator = torch.Generator().manual_seed(1)
    for count in (1, 7):
        batches = [
            {field.name: getattr(batch, field.name).clone() for field in fields(Rollout)}
            for batch in rollout.minibatches(count, generator)
        ]
        sizes = [len(batch["actions"]) for batch in batches]
        assert len(sizes) == count and max(sizes) - min(sizes) <= 1
        whole = {name: torch.cat([batch[name] for batch in batches]) for name in batches[0] if name != "payoffs"}
        order = [int((rollout.states == state).all(dim=1).nonzero()[0]) for state in whole["states"]]
        assert sorted(order) == list(range(len(rollout)))
        assert order != sorted(order)
        for name, column in whole.items():
            assert torch.equal(column, getattr(rollout, name)[order]), name


def same(a: Rollout, b: Rollout) -> bool:
    return all(torch.equal(getattr(a, field.name), getattr(b, field.name)) for field in fields(Rollout))


def test_equal_seeds_give_equal_rollouts_bit_for_bit() -> None:
    rules = Rules()
    network, collector = network_of(rules), Collector(rules, 16, network_of(rules).inputs)
    other = collector.collect(network, SEED + 1, 0.95, nullcontext)
    first_observations = other.observations.clone()
    again = collector.collect(network, SEED, 0.95, nullcontext)
    assert same(again, collect(rules, 16, 0.95)), "the buffers of an earlier rollout shine through"
    n = min(len(again), len(first_observations))
    assert not torch.equal(again.observations[:n], first_observations[:n]), "another seed deals the same"


def test_all_pass_directions_are_learned_from() -> None:
    rollout = collect(Rules(), 256, decay=0.95)
    first_decisions = observed(rollout, Rules())[:256].numpy()
    counts = Layout(4).blocks(first_decisions)["pass_direction"].sum(axis=0)
    assert counts.sum() == 256
    assert counts.min() >= 40, f"{counts}; 64 each are expected"


def test_the_moon_choice_is_learned_like_any_decision() -> None:
    rules = Rules(players=6, moon="new")
    rollout = collect(rules, 512, decay=0.95)
    choices = rollout.masks[:, ACTION_MOON_ADD]
    assert choices.any(), "no moon in 512 hands"
    assert torch.equal(choices, rollout.masks[:, ACTION_MOON_SUBTRACT])
    assert rollout.masks[choices].sum(dim=1).unique().tolist() == [2]
    assert set(rollout.actions[choices].tolist()) <= {ACTION_MOON_ADD, ACTION_MOON_SUBTRACT}
    assert (rollout.returns[choices] > 0).all(), "a moon pays its shooter"
