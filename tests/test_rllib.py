"""RLlib plays and trains through its PettingZooEnv: no illegal move, no lost reward, and PPO learns behind the masks.

RLlib pins another Gymnasium than the newest, so these tests have an environment of their own, `make rllib`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
import pytest
from gymnasium.spaces import Dict
from numpy.typing import NDArray

from rk_env import Rules, rickety_kate_v0
from rk_env.errors import IllegalActionError

pytest.importorskip("ray.rllib")

import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.connectors.env_to_module.observation_preprocessor import SingleAgentObservationPreprocessor
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

N_HANDS = 1000
TABLES = (3, 4, 5)
STEPS = 250  # of a batch; no multiple of a hand's, so that batches end amid hands

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]  # RLlib warns as it likes


class Rename(SingleAgentObservationPreprocessor):
    """Give observations the names that RLlib's masking module asks for, as the README shows."""

    def recompute_output_observation_space(self, spaces: Any, _: Any) -> Any:
        return Dict({agent: Dict(self.preprocess(space)) for agent, space in spaces.items()})

    def preprocess(self, observation: Any, episode: Any = None) -> dict[str, Any]:
        return {"observations": observation["observation"], "action_mask": observation["action_mask"]}


class Unmasked(ActionMaskingTorchRLModule):
    """RLlib's masking module without the masking."""

    def _mask_action_logits(self, batch: Any, action_mask: Any) -> Any:
        return batch


class Watching(PPOTorchLearner):
    """PPO's learner, which keeps what it learned from."""

    seen: ClassVar[list[dict[str, NDArray[Any]]]] = []

    def compute_loss_for_module(self, *, module_id: Any, config: Any, batch: Any, fwd_out: Any) -> Any:
        is_decision = batch[Columns.LOSS_MASK]  # RLlib adds what is seen at the end, and leaves it out of the loss
        kept = {
            "targets": batch[Columns.VALUE_TARGETS],
            "masks": batch["action_mask"],
            "probabilities": fwd_out[Columns.ACTION_DIST_INPUTS].detach().softmax(-1),
        }
        loss = super().compute_loss_for_module(module_id=module_id, config=config, batch=batch, fwd_out=fwd_out)
        self.seen.append({name: tensor[is_decision].numpy() for name, tensor in kept.items()})
        return loss


def environment(players: int) -> Any:
    """An environment in which an illegal move raises."""
    return rickety_kate_v0.env(Rules(players=players), illegal="raise")


@pytest.fixture(scope="module", autouse=True)
def _ray_ends() -> Iterator[None]:
    yield
    ray.shutdown()


@pytest.fixture
def make() -> Iterator[Callable[..., Any]]:
    """Make PPO algorithms as the README does, small and in this process; stop them in the end."""
    made: list[Any] = []

    def make_algorithm(players: int, module: Any = ActionMaskingTorchRLModule, **runners: Any) -> Any:
        # RLlib's check of an environment plays without masks, which here would raise.
        register_env("rickety_kate", lambda _: PettingZooEnv(environment(players)))
        spec = RLModuleSpec(module_class=module, model_config={"fcnet_hiddens": [32], "head_fcnet_hiddens": [32]})
        config = (
            PPOConfig()
            .environment("rickety_kate", disable_env_checking=True)
            .env_runners(num_env_runners=0, env_to_module_connector=lambda env, spaces, device: Rename(), **runners)
            .multi_agent(policies={"all"}, policy_mapping_fn=lambda agent, *_, **__: "all")
            .rl_module(rl_module_spec=spec)
            .training(gamma=1.0, lambda_=1.0, train_batch_size_per_learner=STEPS, minibatch_size=None, num_epochs=1)
            .training(learner_class=Watching)
            .callbacks(on_episode_end=note_hand)
            .learners(num_learners=0)
            .debugging(seed=1)
        )
        made.append(config.build_algo())
        return made[-1]

    Watching.seen.clear()
    PLAYED.clear()
    yield make_algorithm
    for algorithm in made:
        algorithm.stop()


PLAYED: dict[str, dict[str, tuple[float, int]]] = {}
"""By hand and agent, what it was to be paid, and its decisions since the hand or the batch began."""


def note_hand(*, episode: Any, env: Any, env_index: int, **_: Any) -> None:
    """Note what the engine says at the end of a hand."""
    game = env.envs[env_index].unwrapped.env.unwrapped
    paid = zip(game.possible_agents, game.engine.payoffs[0].tolist(), strict=True)
    PLAYED[episode.id_] = {agent: (payoff, len(episode.agent_episodes[agent])) for agent, payoff in paid}


@pytest.mark.parametrize("players", TABLES)
def test_every_reward_arrives_through_the_wrapper(players: int) -> None:
    env, rng = environment(players), np.random.default_rng(players)
    wrapped = PettingZooEnv(env)
    for seed in range(N_HANDS // len(TABLES) + 1):
        observations, _ = wrapped.reset(seed=seed)
        delivered, is_over = dict.fromkeys(env.possible_agents, 0.0), False
        while not is_over:
            assert list(observations) == [env.agent_selection]
            ((agent, seen),) = observations.items()
            action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
            observations, rewards, terminated, truncated, _ = wrapped.step({agent: action})
            for each, reward in rewards.items():
                delivered[each] += reward
            is_over = terminated["__all__"]
        assert set(observations) == set(env.possible_agents) and not any(truncated.values())
        np.testing.assert_allclose(list(delivered.values()), env.unwrapped.engine.payoffs[0])


@pytest.mark.parametrize("players", TABLES)
def test_episodes_hold_every_reward_however_they_are_cut(players: int, make: Callable[..., Any]) -> None:
    runner = make(players).env_runner
    returns: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for _ in range(8):
        for episode in runner.sample(num_timesteps=STEPS):
            for agent, part in episode.agent_episodes.items():
                returns[episode.id_][agent] += part.get_return()
    assert len(PLAYED) > 20
    for hand, seats in PLAYED.items():
        assert returns[hand] == pytest.approx({agent: payoff for agent, (payoff, _) in seats.items()})


def test_ppo_learns_from_every_reward_behind_the_masks(make: Callable[..., Any]) -> None:
    algorithm = make(4, batch_mode="complete_episodes")
    before = {name: tensor.copy() for name, tensor in algorithm.get_module("all").get_state().items()}
    for _ in range(2):
        algorithm.train()
    after = algorithm.get_module("all").get_state()
    changed = [name for name in before if name.endswith((".weight", ".bias"))]
    assert changed and all((before[name] != after[name]).any() for name in changed)

    targets = np.concatenate([batch["targets"] for batch in Watching.seen])
    due = [payoff for hand in PLAYED.values() for payoff, n_decisions in hand.values() for _ in range(n_decisions)]
    np.testing.assert_allclose(np.sort(targets), np.sort(due), atol=1e-4)
    for batch in Watching.seen:
        assert batch["masks"].any(axis=1).all()
        assert batch["probabilities"][batch["masks"] == 0].max() == 0


def test_ppo_trains_on_batches_that_end_amid_hands(make: Callable[..., Any]) -> None:
    algorithm = make(3)
    for _ in range(3):
        result = algorithm.train()
        assert np.isfinite(result["learners"]["all"]["total_loss"])


def test_without_the_masking_module_a_move_is_illegal_and_raises(make: Callable[..., Any]) -> None:
    """What the tests above would notice."""
    with pytest.raises(RuntimeError) as caught:
        make(4, module=Unmasked).train()
    assert isinstance(caught.value.__cause__, IllegalActionError)
