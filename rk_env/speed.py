"""The engine's own loops, timed: recorded plays through `Engine`, random plays inside compiled code."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rk_env.engine import Engine
from rk_env.kernels import batch
from rk_env.peers import Chunk
from rk_env.rules import Rules
from rk_env.state import Phase

N_HANDS: Final = 4
"""Hands of a recorded game: one with each pass direction."""
N_RECORDED_GAMES: Final = 64
"""Small batches play at least so many recorded games, so that no processor learns one by heart."""


@dataclass(frozen=True)
class Recording:
    """Four hands of a batch of games: the seeds, and the actions of every step of every hand."""

    seeds: NDArray[np.uint64]
    hands: list[list[NDArray[np.int64]]]


def recording_rules(players: int) -> Rules:
    """Return rules under which every game has four hands, so that a batch stays in step."""
    return Rules(players=players, max_hands=N_HANDS, target=1_000_000)


def record(rules: Rules, size: int, seed: int) -> Recording:
    """Play a batch of games with random actions and return what was played."""
    seeds = np.arange(size, dtype=np.uint64) + np.uint64(seed)
    states = seeds.copy()
    engine = Engine(rules, seeds=seeds)
    legal, actions = np.empty(size, np.uint64), np.empty(size, np.int64)
    hands = []
    for _ in range(N_HANDS):
        steps = []
        while (engine.phase < Phase.HAND_OVER).any():
            batch.fill_legal(engine.games, rules.array, legal)
            batch.random_actions(legal, states, actions)
            engine.step(actions)
            steps.append(actions.copy())
        hands.append(steps)
        engine.next_hand()
    return Recording(seeds, hands)


def engine_chunk(players: int, size: int, *, observe: bool) -> Chunk:
    """Return a chunk that plays one recorded hand in each of `size` games, with masks.

    With observations the deal is timed too, as it is for OpenSpiel.
    """
    rules = recording_rules(players)
    recordings = [record(rules, size, 1 + k * size) for k in range(max(1, N_RECORDED_GAMES // size))]
    engine = Engine(rules, num_games=size, seed=0)
    out = np.empty((size, engine.layout.size), np.float32)
    turns = itertools.cycle([(recording, hand) for recording in recordings for hand in range(N_HANDS)])

    def play() -> tuple[int, float]:
        recording, hand = next(turns)
        began = time.process_time()
        if hand == 0:
            engine.reset(seeds=recording.seeds)
        else:
            engine.next_hand()
        if not observe:
            began = time.process_time()
        for actions in recording.hands[hand]:
            engine.action_mask()
            if observe:
                engine.observe(out=out)
            engine.step(actions)
        return size * len(recording.hands[hand]), time.process_time() - began

    return play


def compiled_chunk(players: int) -> Chunk:
    """Return a chunk of random hands inside compiled code: deal, legal actions, choice, play."""
    engine = Engine(Rules(players=players), num_games=256, seed=1)
    states = itertools.count(1)

    def play() -> tuple[int, float]:
        began = time.process_time()
        decisions = batch.play_random_hands(engine.games, engine.rules.array, 8, np.uint64(next(states)))
        return int(decisions), time.process_time() - began

    return play
