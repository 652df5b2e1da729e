"""Play and train through the interfaces of other libraries: no illegal move, no lost reward, changed parameters.

Each test needs its library, and is left out where that is missing: `pip install -e ".[libraries]"`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rk_env import Rules, rickety_kate_v0

N_HANDS = 1000
TABLES = (3, 4, 5)

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]  # other libraries warn as they like


def environment(players: int, **settings: Any) -> Any:
    """An environment in which an illegal move raises."""
    return rickety_kate_v0.env(Rules(players=players), illegal="raise", **settings)


def check_hands(players: int, env: Any, play_hand: Callable[[int], NDArray[np.float64]]) -> None:
    """Play hands and compare the rewards that the library delivered to each seat with the engine's payoffs."""
    for seed in range(N_HANDS // len(TABLES) + 1):
        delivered = play_hand(seed)
        np.testing.assert_allclose(delivered, env.unwrapped.engine.payoffs[0], atol=1e-4)
        assert delivered.shape == (players,)


@pytest.mark.parametrize("players", TABLES)
def test_torchrl(players: int) -> None:
    pytest.importorskip("torchrl")
    from torchrl.envs import PettingZooWrapper
    from torchrl.envs.utils import check_env_specs

    env = environment(players)
    wrapped = PettingZooWrapper(env, use_mask=True)
    check_env_specs(wrapped)
    agents = env.possible_agents

    def play_hand(seed: int) -> NDArray[np.float64]:
        played = wrapped.rollout(200)
        assert bool(played["next", "done"][-1])
        return np.array([float(played["next", agent, "reward"].sum()) for agent in agents])

    check_hands(players, env, play_hand)


def test_torchrl_trains_on_the_payoffs() -> None:
    """PPO's loss on a collector's batches; a seat whose turn it is not has no part in the loss."""
    pytest.importorskip("torchrl")
    import torch
    from tensordict.nn import TensorDictModule
    from torchrl.collectors import Collector
    from torchrl.envs import MarlGroupMapType, PettingZooWrapper
    from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
    from torchrl.objectives import ClipPPOLoss

    all_seats = MarlGroupMapType.ALL_IN_ONE_GROUP
    env = PettingZooWrapper(environment(4), use_mask=True, categorical_actions=True, group_map=all_seats)
    seen, logits, value = ("agents", "observation", "observation"), ("agents", "logits"), ("agents", "state_value")
    size = env.observation_spec[seen].shape[-1]
    actor = ProbabilisticActor(
        TensorDictModule(MLP(size, 54, num_cells=[32]), [seen], [logits]),
        in_keys={"logits": logits, "mask": ("agents", "action_mask")},
        out_keys=[env.action_key],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(MLP(size, 1, num_cells=[32]), in_keys=[seen], out_keys=[value])
    loss_of = ClipPPOLoss(actor, critic, entropy_coeff=0.0)
    names = ("reward", "advantage", "value_target", "done", "terminated")
    loss_of.set_keys(action=env.action_key, value=value, sample_log_prob=("agents", "action_log_prob"))
    loss_of.set_keys(**{name: ("agents", name) for name in names})
    loss_of.make_value_estimator(gamma=1.0, lmbda=1.0)
    optimizer = torch.optim.Adam(loss_of.parameters(), lr=1e-3)
    before = [parameter.detach().clone() for parameter in loss_of.parameters()]
    collector = Collector(env, actor, frames_per_batch=150, total_frames=300)
    for batch in collector:
        loss_of.value_estimator(batch)
        ends = np.flatnonzero(batch["next", "done"].numpy()[:, 0])
        payoffs = batch["next", "agents", "reward"][ends]
        targets = batch["agents", "value_target"][: ends[-1] + 1]
        np.testing.assert_allclose(targets, payoffs[np.searchsorted(ends, np.arange(ends[-1] + 1))], atol=1e-3)
        np.testing.assert_allclose(payoffs.sum(1), 0, atol=1e-4)
        batch["agents", "advantage"] *= batch["agents", "mask"].unsqueeze(-1)
        losses = loss_of(batch)
        optimizer.zero_grad()
        (losses["loss_objective"] + losses["loss_critic"]).backward()
        optimizer.step()
    collector.shutdown()
    assert all((old != new).any() for old, new in zip(before, loss_of.parameters(), strict=True))


@pytest.mark.parametrize("players", TABLES)
def test_tianshou(players: int) -> None:
    pytest.importorskip("tianshou")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from tianshou.env import PettingZooEnv

    env = environment(players)
    wrapped = PettingZooEnv(env)
    rng = np.random.default_rng(players)

    def play_hand(seed: int) -> NDArray[np.float64]:
        observation, _ = wrapped.reset(seed=seed)
        delivered, is_over = np.zeros(players), False
        while not is_over:
            action = rng.choice(np.flatnonzero(observation["mask"]))
            observation, paid, terminated, truncated, _ = wrapped.step(action)
            delivered += np.array(paid)
            is_over = terminated or truncated
        return delivered

    check_hands(players, env, play_hand)


def tianshou_collector(horizon: int) -> tuple[Any, Any]:
    """One DQN for the four seats, and a collector that plays with it."""
    from tianshou.algorithm import DQN, MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv, PettingZooEnv
    from tianshou.utils.net.common import Net

    env = PettingZooEnv(environment(4))
    seen, actions = env.observation_space["observation"], env.action_space
    network = Net(state_shape=seen.shape, action_shape=actions.n, hidden_sizes=[32])
    policy = DiscreteQLearningPolicy(model=network, action_space=actions, observation_space=seen, eps_training=0.1)
    dqn = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, n_step_return_horizon=horizon)
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=[dqn] * 4, env=env)
    envs = DummyVectorEnv([lambda: PettingZooEnv(environment(4))] * 4)
    collector = Collector(algorithm.policy, envs, VectorReplayBuffer(4000, 4), exploration_noise=True)
    collector.reset()
    return algorithm, collector


@pytest.mark.parametrize("horizon", [1, 70])
def test_tianshou_learns_every_payoff_if_returns_reach_the_end_of_the_hand(horizon: int) -> None:
    """The payoffs come with the last move of a hand.

    A seat's learner gets the rewards of the seat's own moves and of the `n_step_return_horizon` - 1 moves after each.
    With 1, Tianshou's default, only the last move of a hand is worth its seat's payoff. With more moves than a hand
    has (52 cards, 3 passed by each seat), all are.
    """
    pytest.importorskip("tianshou")
    algorithm, collector = tianshou_collector(horizon)
    collector.collect(n_episode=8)
    rows = collector.buffer.sample_indices(0)  # all
    batch = collector.buffer[rows]
    ends = np.flatnonzero(batch.done)
    played = np.arange(ends[-1] + 1)
    payoffs = batch.rew[ends[np.searchsorted(ends, played)]]
    learned = algorithm._preprocess_batch(batch, collector.buffer, rows)
    for seat, agent in enumerate(algorithm.policy.policies):
        own = np.flatnonzero(batch.obs.agent_id[played] == agent)
        is_paid = np.isclose(learned[agent].returns.numpy()[: len(own), 0], payoffs[own, seat], atol=1e-3)
        assert (is_paid == (True if horizon > 1 else np.isin(own, ends))).all()


def test_tianshou_trains() -> None:
    pytest.importorskip("tianshou")
    from tianshou.trainer import OffPolicyTrainerParams

    algorithm, collector = tianshou_collector(70)
    before = [parameter.detach().clone() for parameter in algorithm.policy.parameters()]
    steps = {"max_epochs": 1, "epoch_num_steps": 600, "collection_step_num_env_steps": 300, "batch_size": 64}
    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector, **steps, update_step_num_gradient_steps_per_sample=0.02, show_progress=False
        )
    )
    assert all((old != new).any() for old, new in zip(before, algorithm.policy.parameters(), strict=True))


WRAPPERS: dict[str, Callable[[Any, Any], Any]] = {
    "flatten": lambda supersuit, env: supersuit.flatten_v0(env),
    "frame_stack": lambda supersuit, env: supersuit.frame_stack_v1(env, 2),
    "dtype": lambda supersuit, env: supersuit.dtype_v0(env, np.float64),
    "agent_indicator": lambda supersuit, env: supersuit.agent_indicator_v0(env),
    "pad_observations": lambda supersuit, env: supersuit.pad_observations_v0(env),
    "nan_random": lambda supersuit, env: supersuit.nan_random_v0(env),
}


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_supersuit_with_masks_in_infos(wrapper: str) -> None:
    supersuit = pytest.importorskip("supersuit")
    env = environment(4, mask_in="info")
    wrapped, rng = WRAPPERS[wrapper](supersuit, env), np.random.default_rng(0)
    for seed in range(N_HANDS // len(WRAPPERS) + 1):
        wrapped.reset(seed=seed)
        paid = dict.fromkeys(wrapped.possible_agents, 0.0)
        for agent in wrapped.agent_iter():
            observation, reward, terminated, truncated, info = wrapped.last()
            assert observation.shape == wrapped.observation_space(agent).shape
            paid[agent] += reward
            is_over = terminated or truncated
            wrapped.step(None if is_over else int(rng.choice(np.flatnonzero(info["action_mask"]))))
        np.testing.assert_allclose(list(paid.values()), env.unwrapped.engine.payoffs[0])
