"""What each process of a team does in a test: train, and compare the weights with those of the first."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

import torch
from torch import distributed

from rk_env import Rules
from tests.tiny_runs import TINY, never
from training import selfplay
from training.rollout import Rollout
from training.workers import joined


def main(folder: Path) -> None:
    with joined() as team:
        run = selfplay.new_run(dataclasses.replace(TINY, iterations=4, games=5, minibatch=1), Rules())
        run.team = team
        played: list[torch.Tensor] = []
        update = selfplay.update

        def noting(run: selfplay.Run, rollout: Rollout, *arguments: object) -> dict[str, float]:
            played.append(rollout.payoffs.clone())
            return update(run, rollout, *arguments)  # type: ignore[arg-type]

        selfplay.update = noting
        selfplay.train(run, folder, never)
        weights = torch.cat([parameter.detach().flatten() for parameter in run.network.parameters()])
        firsts = weights.clone()
        distributed.broadcast(firsts, src=0)
        assert torch.equal(weights, firsts), "the processes' weights went apart"
        assert [len(payoffs) for payoffs in played] == [3 - team.rank] * 4, "5 tables make shares of 3 and 2"
        first_hands = played[0][:2].clone()
        distributed.broadcast(first_hands, src=0)
        assert team.is_first or not torch.equal(first_hands, played[0][:2]), "both play the same hands"
        counted = torch.tensor([float(run.decisions), run.seconds])
        firsts = counted.clone()
        distributed.broadcast(firsts, src=0)
        assert torch.equal(counted, firsts), "they count otherwise"
    sys.stdout.write(f"process {team.rank} of {team.count} is content\n")  # at once: both write to one pipe


if __name__ == "__main__":
    main(Path(sys.argv[1]))
