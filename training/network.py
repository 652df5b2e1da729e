"""The network that self-play trains: a policy on what a seat sees, a critic that in training sees all hands."""

from __future__ import annotations

from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from agents.inputs import Inputs
from rk_env.observation import Layout
from rk_env.rules import Rules
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
"""What the critic reads of the observation: the state of play, and the picks that are still in the hand."""

ILLEGAL_LOGIT: Final = -1e9


class States:
    """What the critic sees: all hands, which seats others than the network have, and the state of play.

    Args:
        layout: the observation.

    Attributes:
        size: how many numbers these are.
    """

    def __init__(self, layout: Layout) -> None:
        parts = [layout.slices[name] for name in CRITIC_BLOCKS]
        self._layout = layout
        self._public = np.concatenate([np.arange(part.start, part.stop) for part in parts])
        self.size = layout.privileged_size + layout.players + len(self._public)

    def fill(
        self,
        games: NDArray[np.void],
        rules: Rules,
        seats: NDArray[np.int64],
        is_other: NDArray[np.bool_],
        observations: NDArray[np.float32],
        out: NDArray[np.float32],
    ) -> None:
        """Fill `out`, (B, size) float32, with what is seen from `seats`.

        Args:
            games: full records, (B,).
            rules: the rules.
            seats: (B,).
            is_other: whether another than the network has a seat, (B, P), seat 0 first.
            observations: of these seats, (B, D) float32.
            out: to fill.
        """
        n_held, n_seats = self._layout.privileged_size, self._layout.players
        clockwise = (seats[:, None] + np.arange(n_seats)) % n_seats
        out[:, :n_held] = self._layout.encode_privileged(games, rules, seats)
        out[:, n_held : n_held + n_seats] = np.take_along_axis(is_other, clockwise, axis=1)
        np.take(observations, self._public, axis=1, out=out[:, n_held + n_seats :])


class Network(nn.Module):
    """A policy and a critic, two perceptrons apart.

    Args:
        inputs: what the policy reads.
        width: units of each hidden layer of the policy; the critic's have half.
        depth: hidden layers of the policy.
    """

    def __init__(self, inputs: Inputs, width: int, depth: int) -> None:
        super().__init__()
        self.inputs = inputs
        self.policy = perceptron(inputs.size, [width] * depth, N_ACTIONS)
        self.critic = perceptron(States(inputs.layout).size, [width // 2] * 2, 1)
        for perceptrons, gain in ((self.policy, 0.01), (self.critic, 1.0)):
            nn.init.orthogonal_(perceptrons[-1].get_parameter("weight"), gain)

    def logits(self, observations: Tensor) -> Tensor:
        """Return the logits of all actions, legal or not, (N, 54), of (N, D) float32."""
        logits: Tensor = self.policy(observations).float()
        return logits

    def log_probabilities(self, observations: Tensor, masks: Tensor) -> Tensor:
        """Return log probabilities of actions, (N, 54); illegal ones have practically none.

        Args:
            observations: (N, D) float32.
            masks: (N, 54) bool.
        """
        return torch.log_softmax(self.logits(observations).masked_fill(~masks, ILLEGAL_LOGIT), dim=1)

    def values(self, states: Tensor) -> Tensor:
        """Return expected payoffs of the seats to act in units of the learner's scale, (N,).

        Args:
            states: (N, S) float32, made by `States`.
        """
        values: Tensor = self.critic(states).float().squeeze(1)
        return values

    def policy_weights(self) -> list[NDArray[np.float32]]:
        """Return copies of the policy's weights and biases, first layer first: (in, out), (out,), ... float32."""
        layers = [module for module in self.policy if isinstance(module, nn.Linear)]
        tensors = [tensor for layer in layers for tensor in (layer.weight.T, layer.bias)]
        return [np.array(tensor.detach().cpu().numpy(), dtype=np.float32, order="C") for tensor in tensors]


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
