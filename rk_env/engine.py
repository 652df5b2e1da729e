"""A batch of games behind one checked interface.

`Engine` holds B games as a structured array and moves them by compiled loops. What comes in is checked here, before
anything changes; the kernels below check nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rk_env import cards, deals
from rk_env.arguments import as_array, check_choice, check_flag
from rk_env.errors import IllegalActionError, RulesError, SeedError
from rk_env.inputs import as_index, as_seats, as_seeds, checked_rules
from rk_env.kernels import batch
from rk_env.observation import Layout
from rk_env.records import checked_games
from rk_env.rules import Rules
from rk_env.state import ACTION_MOON_ADD, ACTION_MOON_SUBTRACT, GAME, GAME_OVER, HAND_OVER, N_ACTIONS, NO_ACTION, Phase

Episode = Literal["game", "hand"]

_ACTION_NAMES = {ACTION_MOON_ADD: "moon+", ACTION_MOON_SUBTRACT: "moon-", NO_ACTION: "nothing (-1)"}


class Engine:
    """Games of Rickety Kate, B at a time.

    Args:
        rules: the rules of all B games.
        num_games: B; not needed with `seeds`.
        seed: one number from which each game's own seed is made; None draws one from the operating system.
        seeds: the games' own seeds, (B,) whole numbers of 64 bits, instead of `seed`.
        episode: "game" begins games at hand 1; "hand" draws one of the four pass directions and the dealer evenly for
            each game, with the cards that the seed's first hand has anyway.
        uniform_observations: observations have one layout for all player counts.

    Raises:
        SeedError: when a seed is no whole number of 64 bits.
        RulesError: when `num_games` or `episode` is not allowed.

    Attributes:
        games: the records, shape (B,), dtype `rk_env.state.GAME`; read them freely.
        rules: the rules.
        layout: the blocks of an observation.

    >>> engine = Engine(Rules(players=3), num_games=2, seed=7)
    >>> engine.action_mask().sum(axis=1)
    array([17, 17])
    """

    def __init__(
        self,
        rules: Rules | None = None,
        num_games: int | None = None,
        *,
        seed: int | None = None,
        seeds: ArrayLike | None = None,
        episode: Episode = "game",
        uniform_observations: bool = False,
    ) -> None:
        check_choice("episode", episode, ("game", "hand"))
        if seed is not None and seeds is not None:
            raise SeedError("seed and seeds are given; one of them makes the games' seeds")
        given = None if seeds is None else as_seeds(seeds)
        if num_games is None:
            num_games = 1 if given is None else len(given)
        if isinstance(num_games, bool) or not isinstance(num_games, (int, np.integer)) or num_games < 0:
            raise RulesError(f"num_games={num_games!r} is not allowed; allowed: whole numbers from 0")
        checked = checked_rules(rules)
        try:
            games = np.zeros(num_games, GAME)
        except (MemoryError, ValueError) as error:
            raise RulesError(f"num_games={num_games}: too many for this machine's memory ({error})") from error
        self._attach(games, checked, episode, uniform_observations)
        self.reset(seeds=spread_seed(seed, num_games) if given is None else given)

    def _attach(self, games: NDArray[np.void], rules: Rules, episode: Episode, uniform_observations: bool) -> None:
        self.rules = rules
        self.games = games
        self.episode = episode
        self.layout = Layout.of(rules, uniform=uniform_observations)
        self._rules = rules.array

    @classmethod
    def from_games(cls, games: NDArray[np.void], rules: Rules, *, uniform_observations: bool = False) -> Engine:
        """Return an engine on records made elsewhere (search, replay); the array is used, not copied.

        Raises:
            GameRecordError: when `games` is no (B,) array of `GAME`, or a record is a view or has other seats.
        """
        engine = cls.__new__(cls)
        given = checked_rules(rules)
        engine._attach(checked_games(games, given), given, "game", uniform_observations)
        return engine

    def __len__(self) -> int:
        return len(self.games)

    # What there is to see.

    @property
    def turn(self) -> NDArray[np.int8]:
        """Seat to act, -1 where nobody is; shape (B,)."""
        return self.games["turn"].copy()

    @property
    def phase(self) -> NDArray[np.int8]:
        """`Phase` of each game; shape (B,)."""
        return self.games["phase"].copy()

    @property
    def in_play(self) -> NDArray[np.bool_]:
        """Which seats take part in this hand, shape (B, P): all, but in play-offs (H4)."""
        seats = np.arange(self.rules.players, dtype=np.uint16)
        return (self.games["in_play"][:, None] >> seats & 1).astype(np.bool_)

    @property
    def captured_points(self) -> NDArray[np.int16]:
        """Penalty points captured in this hand so far, before moon and bonus cards; shape (B, P)."""
        points = np.empty((len(self), self.rules.players), np.int16)
        batch.fill_captured_points(self.games, self._rules, points)
        return points

    @property
    def hand_scores(self) -> NDArray[np.int64]:
        """Scores of this hand, shape (B, P): final once it is over; before, captured points, bonus cards and fines."""
        scores = np.empty((len(self), self.rules.players), np.int64)
        batch.fill_hand_scores(self.games, self._rules, scores)
        return scores

    @property
    def totals(self) -> NDArray[np.int32]:
        """Points of the game up to the last hand that is over; shape (B, P)."""
        return self.games["totals"][:, : self.rules.players].copy()

    @property
    def payoffs(self) -> NDArray[np.float64]:
        """Mean of the others' hand scores minus own, shape (B, P), sums to zero; final once the hand is over.

        In a play-off the others are those in play; seats that sit out get 0.
        """
        scores, in_play = self.hand_scores, self.in_play
        others = scores.sum(axis=1, keepdims=True) - scores
        return (others / (in_play.sum(axis=1, keepdims=True) - 1) - scores) * in_play

    @property
    def win_shares(self) -> NDArray[np.float64]:
        """Shares of the win, shape (B, P): 1/k for the k seats in first place; zeros until the end (H4)."""
        shares = np.empty((len(self), self.rules.players))
        batch.fill_win_share(self.games, self._rules, shares)
        return shares

    @property
    def places(self) -> NDArray[np.int64]:
        """Places in the game, shape (B, P), 1 for the first, equals share theirs; zeros until the end (H6)."""
        is_over = self.games["phase"] == GAME_OVER
        return (self.games["places"][:, : self.rules.players].astype(np.int64) + 1) * is_over[:, None]

    @property
    def winner(self) -> NDArray[np.int64]:
        """The seat that won alone, shape (B,); -1 while the game goes on, or when the win is shared."""
        is_first = self.places == 1
        return np.where(is_first.sum(axis=1) == 1, is_first.argmax(axis=1), -1)

    def action_mask(self, *, revokes: bool = True) -> NDArray[np.int8]:
        """Return a fresh mask of the actions that `step` accepts, (B, 54) int8; all zero where nobody is to act.

        Args:
            revokes: where the rules let revokes happen (G1), show them too; False: plays by the book only.
        """
        if revokes is not True:  # asked first: the check takes longer than the mask of one game
            check_flag("revokes", revokes)
        masks = np.empty((len(self.games), N_ACTIONS), np.int8)
        batch.fill_masks(self.games, self._rules, masks, revokes)
        return masks

    def observe(self, seats: ArrayLike | None = None, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """Return what seats see, (B, D) float32, block by block as in `layout`.

        Args:
            seats: one seat for all games, or (B,); None is the seat to act (seat 0 where nobody is).
            out: a C-contiguous (B, D) float32 array to fill and return instead of a fresh one.

        Raises:
            SeatError: when a seat is not at the table.
        """
        chosen = np.maximum(self.games["turn"], 0).astype(np.int64) if seats is None else self._seats(seats)
        return self.layout.encode(self.games, self.rules, chosen, out)

    def view(self, seats: ArrayLike, games: ArrayLike | None = None) -> NDArray[np.void]:
        """Return records with everything hidden from `seats` blanked, and `observer` set.

        Args:
            seats: one seat for all games asked for, or one each.
            games: which games: a mask or indices; None is all.

        Raises:
            SeatError: when a seat is not at the table.
        """
        views = self.games.copy() if games is None else self.games[as_index(games, len(self))]
        batch.hide_games(views, self._rules, as_seats(seats, len(views), self.rules.players))
        return views

    # What there is to do.

    def step(self, actions: ArrayLike, games: ArrayLike | None = None) -> None:
        """Do one action in each game; -1 where nobody is to act.

        Args:
            actions: one a game, (B,), or (N,) for N games chosen.
            games: which games: a mask or indices; None is all. The others wait.

        Raises:
            IllegalActionError: when `actions` is no such array of whole numbers, or one is not legal. Nothing changes.
        """
        if games is None:
            checked, index = self._actions(actions, len(self.games)), None
            offender = batch.step_games(self.games, self._rules, checked)
        else:
            index = as_index(games, len(self))
            checked = self._actions(actions, len(index))
            offender = batch.step_chosen(self.games, self._rules, index, checked)
        if offender >= 0:
            self._refuse(checked, index, offender, int(np.asarray(actions)[offender]))

    def reset(self, games: ArrayLike | None = None, seeds: ArrayLike | None = None, seed: int | None = None) -> None:
        """Begin new games.

        Args:
            games: which games: a mask or indices; None is all.
            seeds: one seed a game begun; None makes them from `seed`.
            seed: as for `Engine`; None draws one from the operating system.

        Raises:
            SeedError: when a seed is no whole number of 64 bits, or their number is wrong.
        """
        index = as_index(games, len(self))
        given = spread_seed(seed, len(index)) if seeds is None else as_seeds(seeds, len(index))
        batch.start_games(self.games, self._rules, index, given, self.episode == "hand")

    def next_hand(self, cuts: ArrayLike | None = None) -> None:
        """Deal the next hand where a hand is over and the game goes on; other games stay as they are.

        Args:
            cuts: where the player at the dealer's right cuts (B4): one number 1 to n - 1 for a deck of n cards, or one
                for each of the B games; None cuts at random. Read only where a hand is dealt.

        Raises:
            DealError: when a cut is out of range.
        """
        cut_at = deals.as_cuts(cuts, self.games, self.rules, next_hand=True)
        index = np.flatnonzero(self.games["phase"] == HAND_OVER)
        batch.next_hands(self.games, self._rules, index, cut_at[index])

    def redeal(self, games: ArrayLike | None = None, cuts: ArrayLike | None = None) -> None:
        """Declare a misdeal (B6): deal afresh with the same dealer, hand number and pass direction.

        Args:
            games: which games: a mask or indices; None is all.
            cuts: as for `next_hand`, one number or one for each game dealt again.

        Raises:
            DealError: when a cut is out of range, or a hand chosen is over and so stands.
        """
        index = as_index(games, len(self))
        deals.check_not_over(self.games, index)
        cut_at = deals.as_cuts(cuts, self.games[index], self.rules, next_hand=False)
        batch.redeal_hands(self.games, self._rules, index, cut_at)

    def deal(
        self,
        hands: Sequence[Any] | NDArray[np.uint64],
        dealer: ArrayLike = 0,
        hand_number: ArrayLike = 1,
        kitty: str | Sequence[Any] | NDArray[np.uint64] = (),
        totals: ArrayLike | None = None,
        games: ArrayLike | None = None,
    ) -> None:
        """Set up given hands, before the pass; the seeds, and so later hands, stay.

        Args:
            hands: P hands, each a text ("2C 9C AD") or a sequence of cards, the same for all games chosen; or
                bitboards, uint64 of shape (P,) or (N, P) for N games, with two decks two planes: (P, 2) or (N, P, 2).
            dealer: a seat, or one a game.
            hand_number: 1 for the first hand of a game, which sets the pass direction, or one a game.
            kitty: cards that the deal leaves over, as text or a sequence of cards, or two planes; not given: what the
                hands leave of the deck.
            totals: points before this hand, (P,) or (N, P); None is zero for all. Totals that end the game in a tie
                make this its first play-off hand (H4); seats that sit out have empty hands.
            games: which games: a mask or indices; None is all.

        Raises:
            MisdealError: when a hand has the wrong number of cards (B6).
            DealError: when a card is foreign to the deck or dealt twice, or another argument makes no deal.
            CardError: when a text names no card.
        """
        index = as_index(games, len(self))
        new = self.games[index]
        deals.set_up(new, self.rules, hands, dealer, hand_number, kitty, totals)
        self.games[index] = new
        batch.begin_hands(self.games, self._rules, index)

    # How input is checked.

    def _seats(self, seats: ArrayLike) -> NDArray[np.int64]:
        return as_seats(seats, len(self), self.rules.players)

    def _actions(self, actions: ArrayLike, n: int) -> NDArray[np.int64]:
        array = actions if isinstance(actions, np.ndarray) else as_array("actions", actions, IllegalActionError)
        if array.shape != (n,):
            raise IllegalActionError(f"actions have shape {array.shape}; shape ({n},) is needed, one a game")
        if array.dtype == np.int64:
            is_plain = array.flags.c_contiguous and array.flags.writeable  # else another compilation
            return array if is_plain else array.copy(order="C")
        if array.dtype.kind not in "iu":
            if len(array):
                raise IllegalActionError(f"actions have dtype {array.dtype}; whole numbers are needed")
            return array.astype(np.int64)
        return np.where(array > np.int64(N_ACTIONS), N_ACTIONS, array).astype(np.int64)

    def _refuse(self, actions: NDArray[np.int64], index: NDArray[np.int64] | None, offender: int, action: int) -> None:
        games = self.games if index is None else self.games[index]
        number = offender if index is None else int(index[offender])
        mask = self.action_mask()
        seat = int(games["turn"][offender])
        n_bad = int((~batch.are_legal(games, self._rules, actions)).sum())
        legal = [action_text(int(choice)) for choice in np.flatnonzero(mask[number])] or [action_text(NO_ACTION)]
        who = f"seat {seat}" if seat >= 0 else "nobody is to act"
        more = f" ({n_bad} of {len(games)} games have an illegal action)" if n_bad > 1 else ""
        where = f"game {number}, {who}, phase {Phase(games['phase'][offender]).name}"
        raise IllegalActionError(
            f"{where}: {action_text(action)} is not legal; legal: {', '.join(legal)}{more}", number, seat, action
        )


def action_text(action: int) -> str:
    """Return the text of an action: a card's, "moon+" (add to the others), "moon-" (subtract), or the number itself.

    Raises:
        IllegalActionError: when `action` is no whole number.

    >>> action_text(36), action_text(53), action_text(99)
    ('QS', 'moon-', '99')
    """
    if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
        raise IllegalActionError(f"{action!r} is no action; a whole number is needed")
    if 0 <= action < cards.N_CARDS:
        return cards.card_text(action)
    return _ACTION_NAMES.get(int(action), str(action))


def spread_seed(seed: int | None, n: int) -> NDArray[np.uint64]:
    """Return n game seeds made from one, (n,) uint64; a game's seed depends on its index, not on n.

    Raises:
        SeedError: when `seed` is no whole number of 64 bits.
    """
    seeds = np.empty(n, np.uint64)
    first = np.random.SeedSequence().generate_state(1, np.uint64) if seed is None else as_seeds([seed])
    batch.game_seeds(first[0], seeds)
    return seeds
