"""Whole games as they are played: what was on the table before each new deal is kept."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rk_env.engine import Engine
from rk_env.errors import GameRecordError
from rk_env.inputs import as_index
from rk_env.notation.hand import hand_log, revokes_of
from rk_env.notation.log import GameLog, HandLog, Play, Trick
from rk_env.state import HAND_OVER

_DEAL: Final = ["seed", "hand_number", "playoff", "redeal"]
"""Fields that tell one deal from another."""


class Recorder:
    """Moves the games of an engine, and keeps what happened in each.

    Call the methods below instead of the engine's own of the same names. Actions that are done on the engine itself are
    in the log all the same; a deal that the recorder has not seen is an error.

    Args:
        engine: the engine; logs begin with the hands that are on its tables.
        cut: where these were cut, if it is known; 0: not.

    Attributes:
        engine: the engine.

    >>> from rk_env import Rules
    >>> recorder = Recorder(Engine(Rules(passing="none", first_dealer=0), seed=1))
    >>> recorder.step([0])
    >>> [trick.plays for trick in recorder.log().hands[0].tricks]
    [(Play(card=0, took_back=-1, found=0),)]
    """

    def __init__(self, engine: Engine, *, cut: int = 0) -> None:
        self.engine = engine
        self._past: list[GameLog | None] = [None] * len(engine)
        self._replays = engine.rules.revokes == "exposed" and engine.rules.late_revoke == "replay"
        self._cuts = np.full(len(engine), cut)  # where each hand was cut; 0: nobody said
        self._see_deals()

    def log(self, game: int = 0) -> GameLog:
        """Return the log of one game so far.

        Raises:
            GameRecordError: when there is no such game, or a hand was dealt that the recorder has not seen.
        """
        self._check_deals()
        index = int(as_index([game], len(self.engine))[0])
        return _joined(self._past[index], self._hand_log(index, self.engine.games[index]))

    def step(self, actions: ArrayLike) -> None:
        """Do one action in each game, as `Engine.step`."""
        self._check_deals()
        before = self.engine.games.copy() if self._replays else None
        self.engine.step(actions)
        if before is not None:
            for game in np.flatnonzero(before["redeal"] != self.engine.games["redeal"]).tolist():
                self._past[game] = _joined(
                    self._past[game], self._with_shown_card(game, before[game], int(np.asarray(actions)[game]))
                )
                self._cuts[game] = 0
            self._see_deals()

    def next_hand(self, cuts: ArrayLike | None = None) -> None:
        """Deal the next hand where a hand is over and the game goes on, as `Engine.next_hand`."""
        self._check_deals()
        before = self.engine.games.copy()
        self.engine.next_hand(cuts)
        index = np.flatnonzero(before["phase"] == HAND_OVER)
        for game in index.tolist():
            self._past[game] = _joined(self._past[game], self._hand_log(game, before[game]))
        self._cuts[index] = 0 if cuts is None else np.broadcast_to(cuts, len(before))[index]
        self._see_deals()

    def redeal(self, games: ArrayLike | None = None, cuts: ArrayLike | None = None) -> None:
        """Declare a misdeal (B6), as `Engine.redeal`."""
        self._check_deals()
        before = self.engine.games.copy()
        self.engine.redeal(games, cuts)
        index = as_index(games, len(before))
        for game in index.tolist():
            revokes = revokes_of(before[game], self.engine.rules)
            left = _with_hand(self._hand_log(game, before[game]), void="misdeal", revokes=revokes)
            self._past[game] = _joined(self._past[game], left)
        self._cuts[index] = 0 if cuts is None else cuts
        self._see_deals()

    def reset(self, games: ArrayLike | None = None, seeds: ArrayLike | None = None, seed: int | None = None) -> None:
        """Begin new games, as `Engine.reset`, and new logs of them."""
        self._check_deals()
        self.engine.reset(games, seeds, seed)
        self._forget(games)

    def deal(
        self,
        hands: Any,
        dealer: ArrayLike = 0,
        hand_number: ArrayLike = 1,
        kitty: Any = (),
        totals: ArrayLike | None = None,
        games: ArrayLike | None = None,
    ) -> None:
        """Set up given hands, as `Engine.deal`, and begin new logs of these games."""
        self._check_deals()
        self.engine.deal(hands, dealer, hand_number, kitty, totals, games)
        self._forget(games)

    def _forget(self, games: ArrayLike | None) -> None:
        for game in as_index(games, len(self.engine)):
            self._past[game] = None
            self._cuts[game] = 0
        self._see_deals()

    def _see_deals(self) -> None:
        self._deals: NDArray[np.void] = self.engine.games[_DEAL].copy()

    def _check_deals(self) -> None:
        games = self.engine.games
        changed = np.flatnonzero(self._deals != games[_DEAL]) if len(games) == len(self._deals) else [-1]
        for game in changed[:1]:
            raise GameRecordError(
                f"game {game}: a hand was dealt that the recorder has not seen; call the recorder's own methods"
            )

    def _hand_log(self, game: int, record: Any) -> GameLog:
        """Return the log of a hand, cut where it was: a record tells only the least cut that deals the same cards."""
        log = hand_log(record, self.engine.rules)
        is_known = self._cuts[game] and log.hands[0].cut is not None
        return _with_hand(log, cut=int(self._cuts[game])) if is_known else log

    def _with_shown_card(self, game: int, before: Any, card: int) -> GameLog:
        """Return the log of a hand that ended with a card that showed a revoke and has led to a replay (G3)."""
        left, after = self._hand_log(game, before), self.engine.games[game]
        seat = int(before["turn"])
        play = Play(card, found=int(after["revokes"][seat]) - int(before["revokes"][seat]))
        tricks = left.hands[0].tricks
        if before["n_table"]:
            shown = dataclasses.replace(tricks[-1], plays=(*tricks[-1].plays, play))
            tricks = (*tricks[:-1], shown)
        else:
            tricks = (*tricks, Trick(seat, (play,)))
        return _with_hand(left, tricks=tricks, void="replay", revokes=revokes_of(after, self.engine.rules))


def _with_hand(log: GameLog, **changes: Any) -> GameLog:
    """Return a log of one hand with changes of it."""
    return dataclasses.replace(log, hands=(dataclasses.replace(log.hands[0], **changes),))


def _joined(past: GameLog | None, latest: GameLog) -> GameLog:
    if past is None:
        return latest
    hands: tuple[HandLog, ...] = (*past.hands, *latest.hands)
    return dataclasses.replace(past, hands=hands, places=latest.places)
