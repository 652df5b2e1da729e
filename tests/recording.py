"""Games played at random with a recorder, for tests of transcripts."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from rk_env import Engine, Phase, Rules
from rk_env.notation import GameLog, Recorder, hand_log, parse, replay, write


def recorder_of(rules: Rules, seed: int = 1) -> Recorder:
    return Recorder(Engine(rules, seeds=[seed]))


def moves(recorder: Recorder, rng: Random, revokes: float = 0.05, misdeals: float = 0.004) -> Iterator[int]:
    """Play one game at random, also revokes, misdeals and cuts; yield the number of actions after each."""
    engine, n = recorder.engine, 0
    while engine.phase[0] != Phase.GAME_OVER:
        if engine.phase[0] == Phase.HAND_OVER:
            recorder.next_hand(rng.choice([None, None, rng.randint(1, 40)]))
        elif rng.random() < misdeals:
            recorder.redeal(cuts=rng.choice([None, 5]))
        else:
            legal = np.flatnonzero(engine.action_mask(revokes=rng.random() < revokes)[0])
            recorder.step([rng.choice(legal.tolist())])
        n += 1
        yield n


def play(recorder: Recorder, rng: Random, n_actions: int = 10_000, **shares: float) -> Recorder:
    """Play on at random for some actions, or to the end of the game."""
    for n in moves(recorder, rng, **shares):
        if n >= n_actions:
            break
    return recorder


def check_round_trip(log: GameLog, engine: Engine) -> None:
    """Text and log say the same, and playing the log again leads to the very record of the game."""
    text = write(log)
    read = parse(text)
    assert read == log
    assert write(read) == text
    assert replay(read).games.tobytes() == engine.games.tobytes()


def check_logs(recorder: Recorder) -> None:
    """Both logs of the game, that of the recorder and that of the record alone, go there and back."""
    check_round_trip(recorder.log(), recorder.engine)
    check_round_trip(hand_log(recorder.engine.games[0], recorder.engine.rules), recorder.engine)
