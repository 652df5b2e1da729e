"""The network that self-play trains: a policy on what a seat sees, a critic that in training sees all hands."""

from __future__ import annotations

from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from rk_env.observation import Layout
from rk_env.state import N_ACTIONS

CRITIC_BLOCKS: Final = (
    *(
        "passed",
        "pass_direction",
        "table",
        "led_suit",
        "leader",
        "winning_seat",
        "winning_card",
        "table_points",
        "voids",
    ),
    *("taken", "points", "hearts_broken", "black_out", "trick", "phase", "turn", "dealer", "in_play"),
)
"""What the critic reads besides all hands: the state of play, and the picks that are still in the hand."""

ILLEGAL_LOGIT: Final = -1e9


class Network(nn.Module):
    """A policy and a critic, two perceptrons apart.

    Args:
        layout: the observation.
        width: units of each hidden layer of the policy; the critic's have half.
        depth: hidden layers of the policy.
    """

    def __init__(self, layout: Layout, width: int, depth: int) -> None:
        super().__init__()
        index = [np.arange(part.start, part.stop) for part in (layout.slices[name] for name in CRITIC_BLOCKS)]
        self.critic_index: Tensor
        self.register_buffer("critic_index", torch.from_numpy(np.concatenate(index)), persistent=False)
        self.policy = perceptron(layout.size, [width] * depth, N_ACTIONS)
        self.critic = perceptron(layout.privileged_size + len(self.critic_index), [width // 2] * 2, 1)
        for perceptrons, gain in ((self.policy, 0.01), (self.critic, 1.0)):
            nn.init.orthogonal_(perceptrons[-1].get_parameter("weight"), gain)

    def log_probabilities(self, observations: Tensor, masks: Tensor) -> Tensor:
        """Return log probabilities of actions, (N, 54); illegal ones have practically none.

        Args:
            observations: (N, D) float32.
            masks: (N, 54) bool.
        """
        logits = self.policy(observations).float()
        return torch.log_softmax(logits.masked_fill(~masks, ILLEGAL_LOGIT), dim=1)

    def values(self, observations: Tensor, hands: Tensor) -> Tensor:
        """Return expected payoffs of the seats to act in units of the learner's scale, (N,).

        Args:
            observations: (N, D) float32.
            hands: (N, seats * 52) float32, the privileged block.
        """
        state = torch.cat([hands, observations.index_select(1, self.critic_index)], dim=1)
        return self.critic(state).float().squeeze(1)

    def policy_weights(self) -> list[NDArray[np.float32]]:
        """Return the policy's weights and biases, first layer first: (in, out), (out,), ... float32."""
        layers = [module for module in self.policy if isinstance(module, nn.Linear)]
        tensors = [tensor for layer in layers for tensor in (layer.weight.T, layer.bias)]
        return [np.ascontiguousarray(tensor.detach().cpu().numpy(), dtype=np.float32) for tensor in tensors]


def perceptron(n_in: int, hidden: list[int], n_out: int) -> nn.Sequential:
    """Return linear layers with rectifiers between them."""
    modules: list[nn.Module] = []
    for width in hidden:
        linear = nn.Linear(n_in, width)
        nn.init.orthogonal_(linear.weight, 2**0.5)
        nn.init.zeros_(linear.bias)
        modules += [linear, nn.ReLU()]
        n_in = width
    head = nn.Linear(n_in, n_out)
    nn.init.zeros_(head.bias)
    return nn.Sequential(*modules, head)
