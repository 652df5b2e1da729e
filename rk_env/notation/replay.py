"""Logs played again: an engine does every deal and every action, and all that the log states must come of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from itertools import zip_longest

import numpy as np

from rk_env.cards import NO_CARD
from rk_env.engine import Engine, action_text
from rk_env.errors import DealError, IllegalActionError
from rk_env.kernels import batch
from rk_env.notation.hand import hand_log, planes_of
from rk_env.notation.log import GameLog, HandLog, places_by_total
from rk_env.notation.parse import parse
from rk_env.notation.reader import Here, meaningful_lines, notation_error
from rk_env.notation.recorder import Recorder
from rk_env.notation.write import header_line, write
from rk_env.state import ACTION_MOON_ADD, ACTION_MOON_SUBTRACT


class _Astray(Exception):  # noqa: N818  # no error of its own: the lines will tell what is wrong
    """The next hand of a log does not follow on what came before.

    Args:
        header: the line with which it would have to begin.
    """

    def __init__(self, header: str) -> None:
        self.header = header


def replay(log: GameLog) -> Engine:
    """Play a log again, move by move, and check all that it states.

    Returns:
        An engine of one game, as it stands at the log's end: every field of its record is that of the game logged. Play
        can go on there; without a seed in the log, hands to come are those of seed 0.

    Raises:
        NotationError: when a hand was not dealt so, a move is not legal, or something else stated does not come of it:
            a pass direction, a trick's winner, revokes found, scores, totals, places. It names the line: of the text
            that the log was parsed from, or of the text that `write` gives.
    """
    lines = log.lines
    log = parse(write(log))  # sees that it is well formed
    if len(lines) == len(log.lines):
        log = dataclasses.replace(log, lines=lines)
    engine = _engine_at_start(log)
    recorder = Recorder(engine, cut=log.hands[0].cut or 0)
    fault: Exception | None = None
    try:
        for index, hand in enumerate(log.hands):
            if index:
                _deal_next(recorder, log.hands[index - 1], hand.cut or None)
            _check_header(engine, log, index)
            if hand.cut is None:
                _lay_cards(engine, hand)
            _play(recorder, hand)
    except (IllegalActionError, DealError, _Astray) as error:
        fault = error
    _check(log, recorder, fault)
    return engine


def _engine_at_start(log: GameLog) -> Engine:
    """Return an engine at the first hand of a log; cards that its seed does not deal are still to be laid."""
    engine = Engine(log.rules, seeds=[log.seed or 0])
    hand, game, players = log.hands[0], engine.games[0], log.rules.players
    places = log.places_before or places_by_total(log.totals)
    game.totals[:players] = log.totals
    game.places[:players] = np.array(places) - 1 if hand.playoff else 0
    game.playoff = hand.playoff
    game.in_play = sum(1 << seat for seat in hand.seats)
    game.n_in_play = len(hand.seats)
    game.first_hand = log.first_hand
    game.hand_number = hand.number
    game.dealer = hand.dealer
    game.revokes[:players] = hand.revokes_before or 0
    game.redeal = hand.redeal - 1
    engine.redeal(cuts=hand.cut or None)  # counts it up
    return engine


def _deal_next(recorder: Recorder, before: HandLog, cut: int | None) -> None:
    """Deal again, or deal the next hand, as the log says.

    A replay has dealt already; and where the hand before is not at its end, the header of the next will not fit.
    """
    if before.void == "misdeal":
        recorder.redeal(cuts=cut)
    else:
        recorder.next_hand(cuts=cut)


def _check_header(engine: Engine, log: GameLog, index: int) -> None:
    """Check what the first line of a hand states, before cards are laid: number, play-off, seats, dealer, pass."""
    hand, has_seed = log.hands[index], log.seed is not None
    dealt = dataclasses.replace(hand_log(engine.games[0], log.rules).hands[0], cut=hand.cut)
    header = header_line(dealt, has_seed)
    if header != header_line(hand, has_seed):
        raise _Astray(header)


def _lay_cards(engine: Engine, hand: HandLog) -> None:
    """Give out the cards of the log, which are not those that the seed has dealt."""
    game = engine.games[0]
    for seat, cards in enumerate(hand.hands):
        game.hands[seat] = planes_of(cards)
    game.kitty[:] = planes_of(hand.kitty)
    batch.begin_hands(engine.games, engine.rules.array, np.zeros(1, np.int64))


def _play(recorder: Recorder, hand: HandLog) -> None:
    """Do all that was done in a hand."""
    for action in _actions(hand):
        recorder.step([action])


def _actions(hand: HandLog) -> Iterator[int]:
    for picks in hand.passes:
        yield from picks
    for play in (play for trick in hand.tricks for play in trick.plays):
        yield from (card for card in (play.took_back, play.card) if card != NO_CARD)
    if hand.subtracts is not None:
        yield ACTION_MOON_SUBTRACT if hand.subtracts else ACTION_MOON_ADD


# The comparison: the engine's own log must have the same lines.


def _stated_lines(log: GameLog) -> list[Here]:
    """Return the lines of a log with their numbers in the text it was parsed from."""
    stated = meaningful_lines(write(log))
    return [(number, line) for number, (_, line) in zip(log.lines, stated, strict=True)]


def _check(log: GameLog, recorder: Recorder, fault: Exception | None) -> None:
    """Compare what a log states with what has come of it, line by line."""
    stated = _stated_lines(log)
    came = [line for _, line in meaningful_lines(write(_came(recorder, log)))]
    end: Here = (log.lines[-1] + 1, None)
    for n, (here, line) in enumerate(zip_longest(stated, came, fillvalue=None)):
        here = here or end
        if here[1] == line:
            continue
        if isinstance(fault, _Astray) and line is not None and line.startswith("hand "):
            line = fault.header
        is_open = line is None or (n == len(came) - 1 and (here[1] or "").startswith(f"{line} "))
        raise notation_error(here, _awaited(recorder.engine, fault) if is_open else repr(line))


def _came(recorder: Recorder, log: GameLog) -> GameLog:
    came = recorder.log()
    if log.seed is None:
        hands = tuple(dataclasses.replace(hand, cut=None) for hand in came.hands)
        came = dataclasses.replace(came, seed=None, hands=hands)
    return came


def _awaited(engine: Engine, fault: Exception | None) -> str:
    """Return what could come next."""
    seat = engine.turn[0]
    if seat < 0:
        return "the next hand, or the end of the text"
    legal = ", ".join(action_text(int(action)) for action in np.flatnonzero(engine.action_mask()[0]))
    action = fault.action if isinstance(fault, IllegalActionError) else None
    given = "" if action is None else f", not {action_text(action)}"
    return f"a legal action of seat {seat} ({legal}){given}"
