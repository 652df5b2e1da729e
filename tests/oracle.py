"""A slow, obvious game of Rickety Kate, written from the rules page alone, to check the engine against.

It shares no code with `rk_env`: a card is its text ("QS"), a hand is a list of cards, a player is a seat number counted
clockwise. Each function says in its docstring which rules of the page it states (A2, D6, ...), so that it can be read
beside the page. What the settings mean for a hand is in `oracle_cards`, one hand in `oracle_hand`; here is the game:
scores, totals, play-offs, and who wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.oracle_cards import (
    DEFAULTS,
    HEIGHT,
    RANKS,
    SUITS,
    deck,
    first_dealer,
    hand_size,
    has_two_decks,
    height,
    is_penalty,
    lowest_drawers,
    opening_card,
    pass_distance,
    penalty_points,
    suit,
    total_points,
    winning_card,
)
from tests.oracle_hand import MAX_REPLAYS, OracleHand

__all__ = [
    "DEAL_AGAIN",
    "DEFAULTS",
    "GAME_OVER",
    "HAND_OVER",
    "HEIGHT",
    "MAX_REPLAYS",
    "MOON",
    "MOON_ADD",
    "MOON_SUBTRACT",
    "PASS",
    "PLAY",
    "RANKS",
    "SUITS",
    "OracleGame",
    "deck",
    "first_dealer",
    "hand_size",
    "has_two_decks",
    "height",
    "is_penalty",
    "lowest_drawers",
    "opening_card",
    "pass_distance",
    "penalty_points",
    "suit",
    "total_points",
    "winning_card",
]

PASS, PLAY, MOON, HAND_OVER, GAME_OVER = "PASS", "PLAY", "MOON", "HAND_OVER", "GAME_OVER"
DEAL_AGAIN = "DEAL_AGAIN"
MOON_ADD, MOON_SUBTRACT = "moon+", "moon-"


class OracleGame(OracleHand):
    """One game: the hand being played, the totals, and the places once the main game has ended.

    Args:
        settings: fields of the rules by name; those left out have their defaults.
        deal: the cards of each seat; a seat that sits out of a play-off has none.
        dealer: seat that deals this hand.
        hand_number: 1 for the first hand of a game.
        totals: points before this hand. Those that end the game in a tie make this hand the first of the play-off.
        kitty: the cards that the deal leaves over.
    """

    def __init__(
        self,
        settings: Mapping[str, Any],
        deal: Sequence[Sequence[str]],
        dealer: int = 0,
        hand_number: int = 1,
        totals: Sequence[int] | None = None,
        kitty: Sequence[str] = (),
    ) -> None:
        self.settings = {**DEFAULTS, **settings}
        self.players: int = self.settings["players"]
        self.black: str = self.settings["black_card"]
        self.totals = list(totals) if totals is not None else [0] * self.players
        self.places = [0] * self.players
        self.moon_choice: str | None = None
        self.scores: list[int] | None = None
        self.hand_number, self.playoff = hand_number - 1, 0
        seats, playoff = list(range(self.players)), 0
        if self.target_is_reached():
            self.places = places(self.totals)
            seats, playoff = self.seats_in_first_place(), 1
            assert self.settings["ties"] == "playoff" and len(seats) > 1, "the game is over before this hand"
        self.start_hand(deal, kitty, dealer, hand_number, seats, playoff)

    # From hand to hand

    def next_hand(self, deal: Sequence[Sequence[str]], kitty: Sequence[str] = ()) -> None:
        """Go on with the next hand: the deal moves to the next seat that is in (B5, H8), the pass by number (C4)."""
        assert self.phase() == HAND_OVER
        seats = self.seats_of_next_hand()
        dealer = next(
            seat for step in range(self.players) if (seat := (self.dealer + 1 + step) % self.players) in seats
        )
        playoff = self.playoff + 1 if self.target_is_reached() else 0
        self.moon_choice, self.scores = None, None
        self.start_hand(deal, kitty, dealer, self.hand_number + 1, seats, playoff)

    def seats_of_next_hand(self) -> list[int]:
        """Return who plays the next hand: all, or those tied for first place once the main game has ended (H4)."""
        return self.seats_in_first_place() if self.target_is_reached() else list(range(self.players))

    def seats_in_first_place(self) -> list[int]:
        """Return the seats that nobody is ahead of."""
        return [seat for seat in range(self.players) if self.places[seat] == 0]

    # What the game waits for

    def phase(self) -> str:
        """Return what the game waits for: passing, then play, then perhaps the moon choice, then the end (C1, F6)."""
        if self.is_void:
            return DEAL_AGAIN
        if self.distance > 0 and not self.exchanged:
            return PASS
        if any(self.hands):
            return PLAY
        if self.scores is None:
            return MOON
        return GAME_OVER if self.game_over() else HAND_OVER

    def to_act(self) -> int:
        """Return the seat to act; -1 is nobody."""
        phase = self.phase()
        if phase == PASS:
            return self.picking_seat()
        if phase == PLAY:
            return self.player_of_turn()
        if phase == MOON:
            shooter = self.shooter()
            assert shooter is not None
            return shooter
        return -1

    # Actions

    def legal(self) -> list[str]:
        """Return the legal actions of the seat to act: cards, or the two moon choices (C1, E1, F6)."""
        phase = self.phase()
        if phase == PASS:
            return self.legal_picks(self.to_act())
        if phase == PLAY:
            return self.legal_plays(self.to_act())
        return [MOON_ADD, MOON_SUBTRACT] if phase == MOON else []

    def revoking(self) -> list[str]:
        """Return the cards by which the seat to act would revoke; none while revokes are prevented (G1)."""
        return self.possible_revokes(self.to_act()) if self.phase() == PLAY else []

    def accepted(self) -> list[str]:
        """Return everything that the seat to act can do: what is legal, and revokes."""
        return self.legal() + self.revoking()

    def apply(self, action: str) -> None:
        """Do an action of the seat to act: a legal one, or a revoke where it can happen."""
        assert action in self.accepted(), (action, self.accepted())
        phase, seat = self.phase(), self.to_act()
        if phase == PASS:
            self.pick(seat, action)
            return
        if phase == PLAY:
            self.play(seat, action)
        else:
            self.moon_choice = action
        if not self.is_void and not any(self.hands) and not (self.asks_shooter() and self.moon_choice is None):
            self.finish_hand()

    def asks_shooter(self) -> bool:
        """Tell whether a shooter chooses what the moon does: under the new moon (F6), never in a play-off (H5)."""
        return self.settings["moon"] == "new" and self.playoff == 0 and self.shooter() is not None

    # Scores

    def hand_scores(self) -> list[int]:
        """Return the hand's scores; until it is over captured points, bonus cards and fines, without the moon."""
        if self.scores is not None:
            return self.scores
        return sums(self.captured_points(), self.bonus_points(), self.fines())

    def finish_hand(self) -> None:
        """Score the hand in the page's order: points, moon, bonus cards, revokes, totals, end (F, F3, F6, F9-F11, G5).

        A hand of a play-off stays out of the totals (H6).
        """
        points = self.captured_points()
        shooter = self.shooter()
        if shooter is not None:
            points = self.points_of_moon(shooter)
        self.scores = sums(points, self.bonus_points(), self.fines())
        if self.playoff:
            self.rank_play_off()
            return
        self.totals = sums(self.totals, self.scores)
        if self.target_is_reached() or self.hands_are_used_up():
            self.places = places(self.totals)

    def points_of_moon(self, shooter: int) -> list[int]:
        """Return the points of a moon: V to each other seat that is in, or V off the shooter's own (F3, F6)."""
        if self.moon_choice == MOON_SUBTRACT:
            return [-self.moon_points() if seat == shooter else 0 for seat in range(self.players)]
        return [self.moon_points() if seat in self.seats and seat != shooter else 0 for seat in range(self.players)]

    # The end of the game

    def target_is_reached(self) -> bool:
        """Tell whether a total is at the target or above, which ends the main game (H1, V7)."""
        return max(self.totals) >= self.settings["target"]

    def hands_are_used_up(self) -> bool:
        """Tell whether this was the last hand of a simulation's limit (H9)."""
        limit = self.settings["max_hands"]
        return limit is not None and self.hand_number >= limit

    def rank_play_off(self) -> None:
        """Rank those who were tied by this hand alone, its score or its captured points; lowest is best (H4-H6)."""
        compared = self.captured_points() if self.settings["playoff_compare"] == "captured" else self.hand_scores()
        results = [compared[seat] for seat in self.seats]
        for seat, place in zip(self.seats, places(results), strict=True):
            self.places[seat] = place

    def game_over(self) -> bool:
        """Tell, after a hand, whether the game has ended: reached, and no tie for first to play off (H1, H4, H9)."""
        if self.hands_are_used_up():
            return True
        if not self.target_is_reached():
            return False
        return self.settings["ties"] == "share" or len(self.seats_in_first_place()) == 1

    def winners(self) -> list[int]:
        """Return the seats in first place once the game has ended (H2-H4); nobody before."""
        return self.seats_in_first_place() if self.phase() == GAME_OVER else []

    def winner(self) -> int:
        """Return the seat that won alone, or -1 (H2)."""
        winners = self.winners()
        return winners[0] if len(winners) == 1 else -1

    def win_shares(self) -> list[float]:
        """Return each seat's share of the win: those in first place share it (H4)."""
        winners = self.winners()
        return [1 / len(winners) if seat in winners else 0.0 for seat in range(self.players)]


def places(results: Sequence[int]) -> list[int]:
    """Return for each result how many are better; lowest is best, equal ones share a place (H2, H6)."""
    return [sum(other < result for other in results) for result in results]


def sums(*columns: Sequence[int]) -> list[int]:
    """Return the sums, seat by seat."""
    return [sum(values) for values in zip(*columns, strict=True)]
