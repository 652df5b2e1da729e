"""Training by several processes, here or on many machines: each plays a share of the tables; gradients are averaged.

`torchrun --nproc-per-node 2 -m training.selfplay ...` starts them. All begin with the same weights and take the same
steps, so they stay alike; the first also tests, logs and saves.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import torch
from torch import distributed

from rk_env.engine import spread_seed
from rk_env.errors import RicketyKateError


@dataclass(frozen=True)
class Team:
    """The processes of a run, and which of them this is."""

    rank: int = 0
    count: int = 1

    @property
    def is_first(self) -> bool:
        """Whether this is the one that tests, logs and saves."""
        return self.rank == 0

    def share_of(self, n: int) -> int:
        """Return this process's part of n things; the parts differ by one at most."""
        return n // self.count + (self.rank < n % self.count)

    def seed_of(self, seed: int) -> int:
        """Return a seed for this process; alone it is the seed itself."""
        return seed if self.count == 1 else int(spread_seed(seed, self.count)[self.rank] >> 1)

    def least(self, number: int) -> int:
        """Return the least of all processes' numbers."""
        return self._reduced(number, distributed.ReduceOp.MIN)

    def total(self, number: int) -> int:
        """Return the sum of all processes' numbers."""
        return self._reduced(number, distributed.ReduceOp.SUM)

    def _reduced(self, number: int, operation: distributed.ReduceOp.RedOpType) -> int:
        if self.count == 1:
            return number
        tensor = torch.tensor(number)
        distributed.all_reduce(tensor, op=operation)
        return int(tensor)

    def from_first(self, number: float) -> float:
        """Return the first process's number, to all."""
        if self.count == 1:
            return number
        tensor = torch.tensor(number, dtype=torch.float64)
        distributed.broadcast(tensor, src=0)
        return float(tensor)

    def average_gradients(self, parameters: Iterable[torch.nn.Parameter]) -> None:
        """Replace gradients by their means over all processes."""
        if self.count == 1:
            return
        gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
        flat = torch.cat([gradient.flatten() for gradient in gradients])
        distributed.all_reduce(flat)
        flat /= self.count
        for gradient, mean in zip(gradients, flat.split([gradient.numel() for gradient in gradients]), strict=True):
            gradient.copy_(mean.view_as(gradient))


ALONE: Final = Team()


@contextmanager
def joined() -> Iterator[Team]:
    """Join the processes that torchrun started; without it, be alone.

    Raises:
        RicketyKateError: when they cannot be reached.
    """
    count = int(os.environ.get("WORLD_SIZE", "1"))
    if count == 1:
        yield ALONE
        return
    try:
        distributed.init_process_group("gloo")
    except (RuntimeError, ValueError) as error:
        raise RicketyKateError(f"the processes of the run cannot be joined: {' '.join(str(error).split())}") from error
    try:
        yield Team(distributed.get_rank(), count)
    finally:
        distributed.destroy_process_group()
