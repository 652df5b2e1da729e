"""What learning lowers: the policy's loss, by worths of moves, imitation or PPO, and the critic's.

Each function returns a loss and the parts of it that are worth logging.
"""

from __future__ import annotations

from collections.abc import Callable

import torch

from agents.network import POINTS_PER_NAT
from training.network import Network
from training.rollout import PAYOFF_SCALE, Rollout
from training.run import Config

Loss = tuple[torch.Tensor, dict[str, float]]
PolicyLoss = Callable[[Network, Rollout, Config, float], Loss]
"""Of a network, a minibatch, a run's options, and what the learning rate has faded to, 1 to 0.1."""


def imitation_loss(network: Network, batch: Rollout, config: Config, fade: float) -> Loss:
    """Return minus the mean log probability of what was done: a teacher did it."""
    logs = network.log_probabilities(batch.observations, batch.masks)
    loss = torch.nn.functional.nll_loss(logs, batch.actions)
    with torch.no_grad():
        agreement = (logs.argmax(dim=1) == batch.actions).float().mean().item()
    return loss, {"imitation loss": loss.item(), "agreement": agreement}


def worth_loss(network: Network, batch: Rollout, config: Config, fade: float) -> Loss:
    """Return the mean squared error of what moves are worth, against the mean of the legal ones, summed over those.

    The policy's logits, times `POINTS_PER_NAT`, are read as worths in points.
    """
    scale = POINTS_PER_NAT / PAYOFF_SCALE
    worths = above_mean(batch.worths / PAYOFF_SCALE, batch.masks)
    expected = above_mean(scale * network.logits(batch.observations), batch.masks)
    loss = (expected - worths).square().sum(dim=1).mean()
    variance = max(worths.square().sum(dim=1).mean().item(), 1e-8)
    return loss, {"worth loss": loss.item(), "worths explained": 1.0 - loss.item() / variance}


def above_mean(numbers: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Return by how much each legal move's number is above the mean of the legal ones, (N, 54); 0 where none is."""
    legal = masks.float()
    means = (numbers * legal).sum(dim=1, keepdim=True) / legal.sum(dim=1, keepdim=True)
    return (numbers - means) * legal


def clipped_loss(network: Network, batch: Rollout, config: Config, fade: float) -> Loss:
    """Return the clipped objective of PPO (Schulman et al. 2017), negative, with its entropy bonus."""
    advantages = (batch.advantages - batch.advantages.mean()) / (batch.advantages.std(correction=0) + 1e-8)
    logs = network.log_probabilities(batch.observations, batch.masks)
    change = logs.gather(1, batch.actions[:, None]).squeeze(1) - batch.log_probabilities
    ratio = change.exp()
    gain = torch.minimum(ratio * advantages, ratio.clamp(1 - config.clip, 1 + config.clip) * advantages).mean()
    entropy = -(logs.exp() * logs.masked_fill(~batch.masks, 0.0)).sum(dim=1).mean()
    with torch.no_grad():
        parts = {
            "policy loss": -gain.item(),
            "entropy": entropy.item(),
            "KL": (ratio - 1.0 - change).mean().item(),
            "clip fraction": ((ratio - 1.0).abs() > config.clip).float().mean().item(),
        }
    return -gain - config.entropy * fade * entropy, parts


def critic_loss(network: Network, batch: Rollout) -> Loss:
    """Return half the mean squared error of the critic."""
    error = (network.values(batch.states) - batch.returns).square().mean()
    variance = max(batch.returns.var(correction=0).item(), 1e-8)
    return 0.5 * error, {"value loss": error.item(), "explained variance": 1.0 - error.item() / variance}
