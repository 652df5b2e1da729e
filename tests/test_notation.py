# ruff: noqa: N802 - names carry the numbers of rules
"""Transcripts: logs of records and of whole games, written, read, and played again."""

from __future__ import annotations

import dataclasses
import os
import pickle
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rk_env import Engine, Phase, Rules, notation
from rk_env.cards import parse_card, parse_cards
from rk_env.errors import NotationError, RicketyKateError
from rk_env.jit import JIT_DISABLED
from rk_env.notation import GameLog, Play, Trick, hand_log, parse, read_file, replay, write, write_file
from tests.all_pairs import all_pairs
from tests.generators import needs_compiled, random_settings, scaled
from tests.playing import HANDS, play_on
from tests.recording import check_logs, check_round_trip, moves, play, recorder_of

EVERY_ACTION = {
    "pass and new moon": Rules(players=4, moon="new", target=1),
    "corrected": Rules(players=3, revokes="corrected", target=1),
    "exposed": Rules(players=5, revokes="exposed", target=1),
    "replayed": Rules(players=4, revokes="exposed", late_revoke="replay", target=1),
    "two decks": Rules(players=7, decks=2, revokes="corrected", target=1),
    "play-offs": Rules(players=6, first_trick="off", two_hand_deal=13, target=1),
}


# There and back.


@pytest.mark.parametrize("decks", [1, 2])
def test_games_of_every_pair_of_settings_go_there_and_back(decks: int) -> None:
    rows = all_pairs(decks)
    for seed, row in enumerate(rows[: scaled(len(rows))]):
        rng = Random(seed)
        check_logs(play(recorder_of(Rules(**row), seed), rng, n_actions=rng.randint(0, 400)))


@needs_compiled
@given(seed=st.integers(0, 2**32), decks=st.sampled_from([1, 2]))
def test_games_of_any_settings_go_there_and_back(seed: int, decks: int) -> None:
    rng = Random(seed)
    rules = Rules(**random_settings(rng, decks=decks))
    check_logs(play(recorder_of(rules, seed), rng, n_actions=rng.randint(0, 400)))


@pytest.mark.parametrize("name", EVERY_ACTION)
def test_a_game_goes_there_and_back_after_every_action(name: str) -> None:
    recorder = recorder_of(EVERY_ACTION[name], seed=3)
    check_logs(recorder)
    for n in moves(recorder, Random(3), revokes=0.2, misdeals=0.01):
        if not JIT_DISABLED or n % 20 == 0:
            check_round_trip(hand_log(recorder.engine.games[0], recorder.engine.rules), recorder.engine)
            if n % 10 == 0:
                check_round_trip(recorder.log(), recorder.engine)
        if n > 200:
            break


@pytest.mark.parametrize(("seed", "sizes"), [(2, [4, 2]), (25, [3, 2])])
def test_H6_a_later_play_off_goes_there_and_back_from_its_record_alone(seed: int, sizes: list[int]) -> None:
    """The places of seats that have dropped out follow from no total."""
    recorder = recorder_of(Rules(players=6, target=1, first_trick="off"), seed)
    game = recorder.engine.games[0]
    for _ in moves(recorder, Random(seed), misdeals=0):
        if game.playoff == 2:
            check_round_trip(hand_log(game, recorder.engine.rules), recorder.engine)
    log = recorder.log()
    assert [len(hand.seats) for hand in log.hands] == [6, *sizes]
    dropped_out = set(log.hands[1].seats) - set(log.hands[2].seats)
    assert {hand_log(game, log.rules).places_before[seat] for seat in dropped_out} <= {3, 4}


@pytest.mark.parametrize("episode", ["game", "hand"])
def test_an_episode_of_one_hand_keeps_its_first_hand_number(episode: str) -> None:
    engine = Engine(Rules(), seeds=range(8), episode=episode)  # type: ignore[arg-type]
    for game in range(8):
        log = hand_log(engine.games[game], engine.rules)
        assert log.first_hand == log.hands[0].number == engine.games[game].hand_number
        assert replay(parse(write(log))).games.tobytes() == engine.games[game].tobytes()


def test_play_goes_on_from_a_replay_as_in_the_game() -> None:
    """The seed is in the log, so the hands to come are the same."""
    recorder = play(recorder_of(Rules(players=5)), Random(1), n_actions=30)
    engine, again = recorder.engine, replay(parse(write(recorder.log())))
    for game in (engine, again):
        play_on(game, np.random.default_rng(5))
        game.next_hand()
        play_on(game, np.random.default_rng(6), 20)
    assert again.games.tobytes() == engine.games.tobytes()


# What a log tells.


def test_a_log_tells_what_happened() -> None:
    """G2: the second trick has a card that was taken back."""
    recorder = recorder_of(Rules(revokes="corrected", target=30))
    recorder.deal(HANDS, dealer=1, hand_number=4, totals=[4, 0, 29, 7])
    for card in parse_cards("2C 2D 2S 2H 3C 3D 3S 3H 4C 4D 4S 4H"):
        recorder.step([card])
    log = recorder.log()
    hand = log.hands[0]
    assert (log.totals, log.first_hand, log.places, log.winners) == ((4, 0, 29, 7), 1, (), ())
    assert (hand.number, hand.dealer, hand.seats, hand.pass_seats, hand.cut) == (4, 1, (0, 1, 2, 3), 0, None)
    assert hand.hands == tuple(tuple(range(13 * suit, 13 * suit + 13)) for suit in range(4))
    first = Trick(0, tuple(Play(card) for card in parse_cards("2C 2D 2S 2H")), winner=0)
    assert hand.tricks[0] == first
    assert (hand.kitty, hand.passes, hand.scores, hand.totals, hand.void) == ((), (), (), (), "")


def test_a_log_has_picks_in_their_order_until_all_have_picked() -> None:
    recorder = recorder_of(Rules(first_dealer=3))
    picks = [hand[k] for hand in recorder.log().hands[0].hands for k in (5, 0, 9)]
    for n, card in enumerate(picks):
        recorder.step([card])
        passed = [card for cards in recorder.log().hands[0].passes for card in cards]
        assert passed == (
            picks[: n + 1] if n < 11 else [card for k in range(0, 12, 3) for card in sorted(picks[k : k + 3])]
        )


def test_F6_a_log_tells_what_the_shooter_chose() -> None:
    for action, subtracts, scores in ((52, False, (0, 26, 26, 26)), (53, True, (-26, 0, 0, 0))):
        recorder = recorder_of(Rules(moon="new", passing="none"))
        recorder.deal(HANDS)
        while recorder.engine.phase[0] == Phase.PLAY:
            recorder.step([int(recorder.engine.action_mask()[0].argmax())])
        asked = recorder.log().hands[0]
        assert (asked.shooter, asked.subtracts, asked.scores) == (0, None, ())
        assert write(recorder.log()).endswith("\n0 shoots the moon\n")
        recorder.step([action])
        assert (recorder.log().hands[0].subtracts, recorder.log().hands[0].scores) == (subtracts, scores)


def test_F6_a_choice_is_told_whatever_bonus_cards_add() -> None:
    for action, subtracts, score in ((52, False, -10), (53, True, -36)):
        recorder = recorder_of(Rules(moon="new", passing="none", bonus_cards=("JD",)))
        recorder.deal(HANDS)
        while recorder.engine.phase[0] == Phase.PLAY:
            recorder.step([int(recorder.engine.action_mask()[0].argmax())])
        recorder.step([action])
        assert (recorder.log().hands[0].subtracts, recorder.log().hands[0].scores[0]) == (subtracts, score)


def test_H5_no_choice_is_told_of_a_moon_in_a_play_off() -> None:
    recorder = recorder_of(Rules(moon="new", passing="none", ties="playoff"))
    suits = [
        "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC 2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD KD AD",
        HANDS[2] + " " + HANDS[3],
    ]
    recorder.deal([suits[0], "", "", suits[1]], totals=[5, 100, 8, 5])
    while recorder.engine.phase[0] == Phase.PLAY:
        recorder.step([int(recorder.engine.action_mask()[0].argmax())])
    hand = recorder.log().hands[0]
    assert (hand.playoff, hand.shooter, hand.subtracts, hand.scores) == (1, 0, None, (0, 0, 0, 26))
    assert "\n0 shoots the moon\nscores:   0   -   -  26\n" in write(recorder.log())
    check_logs(recorder)


def test_winners_are_those_in_first_place() -> None:
    log = parse(write(play(recorder_of(Rules(target=1, ties="share"), seed=5), Random(5)).log()))
    assert log.places == tuple(
        1 + sum(other < total for other in log.hands[-1].totals) for total in log.hands[-1].totals
    )
    assert log.winners == tuple(seat for seat in range(4) if log.places[seat] == 1)
    assert len(log.winners) > 1
    assert f"\nwinners: {' '.join(map(str, log.winners))}\n" in write(log)


def test_a_transcript_needs_no_seed() -> None:
    """As of a game at a table: where the cards come from is then not stated."""
    recorder = play(recorder_of(Rules(target=1), seed=5), Random(2))
    log = recorder.log()
    text = write(dataclasses.replace(log, seed=None))
    assert "seed:" not in text
    assert "cards given" not in text
    read = parse(text)
    assert read.seed is None
    games, again = recorder.engine.games.copy(), replay(read).games
    games["seed"] = 0
    assert again.tobytes() == games.tobytes()


# Files, and what else there is.


def one_log() -> GameLog:
    return play(recorder_of(Rules(target=10)), Random(1)).log()


def test_files_hold_the_text(tmp_path: Path) -> None:
    log, path = one_log(), tmp_path / "game.txt"
    path.write_text("old")
    write_file(path, log)
    assert path.read_bytes() == write(log).encode()
    assert read_file(str(path)) == log
    assert [file.name for file in tmp_path.iterdir()] == ["game.txt"]
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_file_is_whole_or_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.txt"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_file(path, one_log())
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("game.txt", "old")]


def test_a_file_from_windows_is_read(tmp_path: Path) -> None:
    log, path = one_log(), tmp_path / "game.txt"
    path.write_bytes(write(log).replace("\n", "\r\n").encode())
    assert read_file(path) == log


def test_errors_of_files_name_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("Rickety Kate notation 1\nseed: one\n")
    with pytest.raises(NotationError, match=r"game\.txt: line 2: found 'seed: one', expected") as caught:
        read_file(path)
    assert caught.value.line == 2
    path.write_bytes(b"Rickety Kate notation 1\n# \xff\n")
    with pytest.raises(NotationError, match=r"game\.txt: line 2: found bytes that are no UTF-8") as caught:
        read_file(path)
    assert caught.value.line == 2
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "none.txt")


def test_an_error_is_the_callers_and_can_be_pickled() -> None:
    with pytest.raises(NotationError) as caught:
        parse("")
    again = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(again, RicketyKateError)
    assert (
        (str(again), again.line)
        == (str(caught.value), 2)
        == ("line 2: found the end of the text, expected 'Rickety Kate notation 1'", 2)
    )


def test_logs_are_plain_frozen_data() -> None:
    log = one_log()
    assert pickle.loads(pickle.dumps(log)) == log
    assert len({log, parse(write(log))}) == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        log.hands[0].number = 3  # type: ignore[misc]


def test_the_module_names_what_it_offers() -> None:
    for name in notation.__all__:
        assert name in vars(notation)
        assert name == "VERSION" or vars(notation)[name].__doc__, name


def test_a_card_text_stands_for_one_card() -> None:
    """Every card of a deal is in its text once: a hand is written suit by suit."""
    log = hand_log(Engine(Rules(), seed=1).games[0], Rules())
    text = write(log)
    lines = [line.split(": ")[1].split("  ") for line in text.split("\n") if line.startswith("seat ")]
    cards = [parse_card(rank + suits[0]) for line in lines for suits in line for rank in suits[2:].split()]
    assert sorted(cards) == list(range(52))
