# ruff: noqa: N802 - names carry the numbers of rules
"""The recorder: whole games as they are played, with every deal, and logs of records alone."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from rk_env import DealError, Engine, GameRecordError, Rules
from rk_env.cards import parse_card, parse_cards
from rk_env.errors import RicketyKateError
from rk_env.notation import Play, Recorder, Trick, hand_log, parse, replay, write
from tests.playing import HANDS, play_on, random_actions
from tests.recording import check_logs, check_round_trip, moves, play, recorder_of


def test_a_recorder_keeps_all_games_of_a_batch() -> None:
    engine = Engine(Rules(players=3, target=20, revokes="exposed", late_revoke="replay"), seeds=range(4))
    recorder, rng = Recorder(engine), np.random.default_rng(0)
    for n in range(300):
        recorder.next_hand()
        if n == 40:
            recorder.redeal(games=[1, 3], cuts=[7, 9])
        recorder.step(random_actions(engine, rng))
    logs = [recorder.log(game) for game in range(4)]
    assert [sum(hand.void == "misdeal" for hand in log.hands) for log in logs] == [0, 1, 0, 1]
    assert [{hand.cut for hand in log.hands} - {0} for log in logs] == [set(), {7}, set(), {9}]
    assert any(hand.void == "replay" for log in logs for hand in log.hands)
    for game, log in enumerate(logs):
        assert replay(parse(write(log))).games.tobytes() == engine.games[game].tobytes()


def test_actions_done_on_the_engine_are_in_the_log_too() -> None:
    engine = Engine(Rules(), num_games=1, seed=3)
    recorder = Recorder(engine)
    play_on(engine, np.random.default_rng(1), 30)
    check_round_trip(recorder.log(), engine)


@pytest.mark.parametrize("call", ["next_hand", "redeal", "reset"])
def test_a_recorder_refuses_to_go_on_after_a_deal_it_has_not_seen(call: str) -> None:
    recorder = recorder_of(Rules(target=1_000_000))
    play_on(recorder.engine, np.random.default_rng(1), 80 if call == "next_hand" else 30)
    getattr(recorder.engine, call)()
    for use in (recorder.log, recorder.next_hand, recorder.redeal, recorder.reset, lambda: recorder.step([-1])):
        with pytest.raises(GameRecordError, match="game 0: a hand was dealt that the recorder has not seen"):
            use()


def test_new_games_and_given_deals_begin_new_logs() -> None:
    recorder = play(recorder_of(Rules(target=1_000_000)), Random(1), n_actions=150)
    assert len(recorder.log().hands) > 1
    recorder.deal(HANDS, hand_number=4)
    assert len(recorder.log().hands) == 1
    check_logs(recorder)
    recorder.redeal(cuts=11)
    recorder.reset(seed=4)
    assert [(hand.void, hand.cut) for hand in recorder.log().hands] == [("", 0)]
    check_logs(recorder)


def test_a_refused_call_leaves_the_log_as_it_was() -> None:
    recorder = play(recorder_of(Rules()), Random(1), n_actions=40, misdeals=0)
    before = recorder.log()
    for call, error in (
        (lambda: recorder.step([99]), RicketyKateError),
        (lambda: recorder.redeal(cuts=52), DealError),
        (lambda: recorder.deal(HANDS[:3]), DealError),
        (lambda: recorder.log(1), GameRecordError),
        (lambda: recorder.reset(seeds=[1, 2]), RicketyKateError),
    ):
        with pytest.raises(error):
            call()
        assert recorder.log() == before


@pytest.mark.parametrize(
    "record", [None, 3, Engine(num_games=1), np.zeros(1), np.void(b"abc")], ids=lambda r: type(r).__name__
)
def test_only_a_record_has_a_hand_log(record: object) -> None:
    with pytest.raises(GameRecordError):
        hand_log(record, Rules())


def test_a_view_has_no_hand_log() -> None:
    with pytest.raises(GameRecordError, match="view"):
        hand_log(Engine(Rules(), seed=1).view(0)[0], Rules())


def test_a_record_that_was_loaded_has_a_hand_log(tmp_path: Path) -> None:
    engine = play(recorder_of(Rules(revokes="exposed")), Random(1), n_actions=50).engine
    np.save(tmp_path / "games.npy", engine.games)
    assert hand_log(np.load(tmp_path / "games.npy")[0], engine.rules) == hand_log(engine.games[0], engine.rules)


def test_G3_a_card_that_shows_revokes_ends_the_hand_as_a_lead_too() -> None:
    """Seat 1 failed twice to follow with AC, then leads it."""
    recorder = recorder_of(Rules(revokes="exposed", late_revoke="replay", passing="none"))
    recorder.deal([HANDS[0].replace("AC", "2D"), HANDS[1].replace("2D", "AC"), *HANDS[2:]])
    for card in parse_cards("2C 3D 2S 2H  3C 4D 3S 3H  2D AD 4S 4H  AC"):
        recorder.step([card])
    void, again = recorder.log().hands
    assert void.tricks[3:] == (Trick(1, (Play(parse_card("AC"), found=2),)),)
    assert (void.void, void.revokes, void.cut) == ("replay", (0, 2, 0, 0), None)
    assert (again.redeal, again.revokes_before, again.revokes, again.tricks, again.cut) == (1, (0, 2, 0, 0), (), (), 0)
    assert "\n 4. 1 leads  AC!!\nrevokes: 0 2 0 0\nreplay\n\nhand 1, deal 2: dealer 0, no pass\n" in write(
        recorder.log()
    )
    check_logs(recorder)


def test_G3_a_card_that_shows_a_revoke_ends_the_hand_within_a_trick() -> None:
    """It would have completed the trick, which nobody takes now."""
    recorder = recorder_of(Rules(revokes="exposed", late_revoke="replay", passing="none"))
    recorder.deal([HANDS[0].replace("KC", "KS"), HANDS[1], HANDS[3], HANDS[2].replace("KS", "KC")])
    for card in parse_cards("2C 2D 2H 2S  3C 3D 3H KC"):
        recorder.step([card])
    void = recorder.log().hands[0]
    assert [trick.winner for trick in void.tricks] == [0, None]
    assert void.tricks[1].plays[3] == Play(parse_card("KC"), found=1)
    check_logs(recorder)


def test_a_replay_has_its_own_cut() -> None:
    """B4: the cut that was given is that of the deal before."""
    recorder = recorder_of(Rules(revokes="exposed", late_revoke="replay", passing="none"))
    recorder.redeal(cuts=9)
    for _ in moves(recorder, Random(1), revokes=0.5, misdeals=0):
        if recorder.engine.games[0].redeal == 2:
            break
    assert [(hand.void, hand.cut) for hand in recorder.log().hands] == [("misdeal", 0), ("replay", 9), ("", 0)]
