"""The programs that the benchmark measures beside this one: OpenSpiel's Hearts, PettingZoo's connect four.

They come with the extra `peers`. Random plays are recorded beforehand, so that only the peer's own calls are timed.
"""

from __future__ import annotations

import importlib.util
import os
import random
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

Chunk = Callable[[], tuple[int, float]]
"""Makes some decisions; returns how many, and the CPU seconds they took."""

N_RECORDED: Final = 100
"""Hands of OpenSpiel's Hearts recorded; each chunk plays all of them."""


class RecordedHand(NamedTuple):
    """A hand of OpenSpiel's Hearts: pass direction and deal, then who did what."""

    chance: list[int]
    actions: list[int]
    players: list[int]


def missing() -> list[str]:
    """Return the names of peers that are not installed."""
    return [name for name in ("pyspiel", "pygame") if importlib.util.find_spec(name) is None]


def rate(chunk: Chunk, seconds: float) -> float:
    """Return decisions a CPU second, of as many chunks as fill `seconds`."""
    decisions, spent = chunk()
    while spent < seconds:
        more, took = chunk()
        decisions, spent = decisions + more, spent + took
    return decisions / max(spent, 1e-9)


def aec_chunk(env: Any) -> Chunk:
    """Return a chunk that plays one episode of a PettingZoo environment with random legal actions.

    All is timed: `reset`, `last` with its observation, `np.flatnonzero` of the mask and a random pick, `step`, and the
    last calls of agents that are done; the decisions of agents that are not done are counted.
    """
    pick = random.Random(1).random
    seed = 0

    def play() -> tuple[int, float]:
        nonlocal seed
        seed += 1
        decisions = 0
        began = time.process_time()
        env.reset(seed=seed)
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                legal = np.flatnonzero(observation["action_mask"])
                env.step(int(legal[int(pick() * len(legal))]))
                decisions += 1
        return decisions, time.process_time() - began

    return play


def connect_four_chunk(constructor: str) -> Chunk:
    """Return a chunk that plays PettingZoo's `connect_four_v3`; `constructor` is "env" or "raw_env"."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from pettingzoo.classic.connect_four import connect_four

    return aec_chunk(getattr(connect_four, constructor)())


def load_hearts() -> Any:
    """Return OpenSpiel's Hearts with its default settings: four players, a pass by drawn direction."""
    import pyspiel

    return pyspiel.load_game("hearts")


def record_hands(game: Any, n: int, seed: int) -> list[RecordedHand]:
    """Play n hands with random legal actions and return them."""
    rng = random.Random(seed)
    hands = []
    for _ in range(n):
        hand = RecordedHand([], [], [])
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                action = rng.choice([outcome for outcome, _ in state.chance_outcomes()])  # all equally likely
                hand.chance.append(action)
            else:
                action = rng.choice(state.legal_actions())
                hand.actions.append(action)
                hand.players.append(state.current_player())
            state.apply_action(action)
        hands.append(hand)
    return hands


def _dealt(game: Any, hand: RecordedHand) -> Any:
    state = game.new_initial_state()
    for outcome in hand.chance:
        state.apply_action(outcome)
    return state


def hearts_bots_chunk() -> Chunk:
    """Return a chunk of hands inside OpenSpiel's C++, `pyspiel.evaluate_bots` with uniform random bots, deal timed."""
    import pyspiel

    game = load_hearts()
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(game.num_players())]
    n_chance = len(record_hands(game, 1, seed=1)[0].chance)
    seed = 0

    def play() -> tuple[int, float]:
        nonlocal seed
        states = []
        began = time.process_time()
        for _ in range(N_RECORDED):
            seed += 1
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, seed)
            states.append(state)
        spent = time.process_time() - began
        return sum(len(state.history()) - n_chance for state in states), spent

    return play


def hearts_observe_chunk() -> Chunk:
    """Return a chunk of `legal_actions_mask`, an observer's `set_from` into its buffer, `apply_action`; deal timed."""
    import pyspiel
    from open_spiel.python.observation import make_observation

    game = load_hearts()
    observer = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))  # Hearts has no other
    hands = record_hands(game, N_RECORDED, seed=2)
    decisions = sum(len(hand.actions) for hand in hands)

    def play() -> tuple[int, float]:
        began = time.process_time()
        for hand in hands:
            state = _dealt(game, hand)
            for action, player in zip(hand.actions, hand.players, strict=True):
                state.legal_actions_mask()
                observer.set_from(state, player)
                state.apply_action(action)
        return decisions, time.process_time() - began

    return play


def hearts_legal_chunk() -> Chunk:
    """Return a chunk of `legal_actions`, `apply_action`; deal not timed."""
    game = load_hearts()
    hands = record_hands(game, N_RECORDED, seed=3)
    decisions = sum(len(hand.actions) for hand in hands)

    def play() -> tuple[int, float]:
        dealt = [(_dealt(game, hand), hand.actions) for hand in hands]
        began = time.process_time()
        for state, actions in dealt:
            for action in actions:
                state.legal_actions()
                state.apply_action(action)
        return decisions, time.process_time() - began

    return play
