"""A slow, obvious game of Rickety Kate, written from the rules page alone, to check the engine against.

It shares no code with `rk_env`: a card is its text ("QS"), a hand is a list of cards, a player is a seat number counted
clockwise. Each function says in its docstring which rules of the page it states (A2, D6, ...), so that it can be read
beside the page. One deck, 3 to 6 players, a tie for lowest shares the win.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = ("C", "D", "S", "H")
HEIGHT = {rank: height for height, rank in enumerate(RANKS)}

DEFAULTS: dict[str, Any] = {
    "players": 4,
    "first_dealer": "draw",
    "remove_for_three": "2D",
    "opening": "standard",
    "open_with_heart": False,
    "first_trick": "every",
    "queen_breaks_hearts": False,
    "heart_instead_of_queen": False,
    "passing": "cycle",
    "across_seats": None,
    "moon": "old",
    "moon_value": "deal",
    "moon_needs_bonus": False,
    "bonus_cards": (),
    "black_card": "QS",
    "target": 100,
    "max_hands": None,
}

PASS, PLAY, MOON, HAND_OVER, GAME_OVER = "PASS", "PLAY", "MOON", "HAND_OVER", "GAME_OVER"
MOON_ADD, MOON_SUBTRACT = "moon+", "moon-"


def suit(card: str) -> str:
    """Return the suit letter of a card."""
    return card[-1]


def height(card: str) -> int:
    """Return how high a card's rank is: A high to 2 low, no trump (A6)."""
    return HEIGHT[card[:-1]]


def deck(settings: Mapping[str, Any]) -> list[str]:
    """Return the cards in play: one out for 3, both black twos for 5, all twos for 6 (A2-A5)."""
    removed = {3: [settings["remove_for_three"]], 4: [], 5: ["2C", "2S"], 6: ["2C", "2D", "2S", "2H"]}
    return [r + s for s in SUITS for r in RANKS if r + s not in removed[settings["players"]]]


def is_penalty(settings: Mapping[str, Any], card: str) -> bool:
    """Tell whether a card is a penalty card: a heart or the black card (F1, V5)."""
    return suit(card) == "H" or card == settings["black_card"]


def penalty_points(settings: Mapping[str, Any], card: str) -> int:
    """Return what a card costs: a heart 1, the Queen of spades 13, or in Black Jack its Jack 10 (F1, V5)."""
    if suit(card) == "H":
        return 1
    if card == settings["black_card"]:
        return {"QS": 13, "JS": 10}[card]
    return 0


def moon_points(settings: Mapping[str, Any]) -> int:
    """Return V, what a moon is worth: the penalty points of the deal, or always 26 (F4)."""
    if settings["moon_value"] == "fixed26":
        return 26
    return sum(penalty_points(settings, card) for card in deck(settings))


def pass_distance(settings: Mapping[str, Any], hand_number: int) -> int:
    """Return how many seats to the left everybody passes in a hand; 0 is no pass (C2-C7)."""
    players = settings["players"]
    if settings["passing"] == "none":
        return 0
    if settings["passing"] == "left":
        return 1
    across = settings["across_seats"] or players // 2
    return [1, players - 1, across, 0][(hand_number - 1) % 4]


def opening_card(settings: Mapping[str, Any]) -> str | None:
    """Return the card whose holder must lead it to trick one; None when eldest leads (D1-D3)."""
    cards = deck(settings)
    if settings["opening"] == "lowest_club":
        return min((card for card in cards if suit(card) == "C"), key=height)
    if settings["opening"] == "two_of_clubs":
        return "2C" if "2C" in cards else None
    return "2C" if settings["players"] == 4 else None


class OracleGame:
    """One game: the hand being played, and the totals so far.

    Args:
        settings: fields of the rules by name; those left out have their defaults.
        deal: the cards of each seat.
        dealer: seat that deals this hand.
        hand_number: 1 for the first hand of a game.
        totals: points before this hand.
    """

    def __init__(
        self,
        settings: Mapping[str, Any],
        deal: Sequence[Sequence[str]],
        dealer: int = 0,
        hand_number: int = 1,
        totals: Sequence[int] | None = None,
    ) -> None:
        self.settings = {**DEFAULTS, **settings}
        self.players: int = self.settings["players"]
        self.black: str = self.settings["black_card"]
        self.totals = list(totals) if totals is not None else [0] * self.players
        self._start_hand(deal, dealer, hand_number)

    def _start_hand(self, deal: Sequence[Sequence[str]], dealer: int, hand_number: int) -> None:
        """Take up a deal: all cards of the deck, the same number each (B3)."""
        assert sorted(card for hand in deal for card in hand) == sorted(deck(self.settings))
        assert len({len(hand) for hand in deal}) == 1 and len(deal) == self.players
        self.hands = [list(hand) for hand in deal]
        self.dealer, self.hand_number = dealer, hand_number
        self.distance = pass_distance(self.settings, hand_number)
        self.picks: list[list[str]] = [[] for _ in range(self.players)]
        self.exchanged = False
        self.table: list[str] = []
        self.tricks: list[list[str]] = []
        self.taken: list[list[str]] = [[] for _ in range(self.players)]
        self.hearts_broken = False
        self.leader = -1
        self.moon_choice: str | None = None
        self.scores: list[int] | None = None
        if self.distance == 0:
            self.leader = self.first_leader()

    def next_hand(self, deal: Sequence[Sequence[str]]) -> None:
        """Go on with the next hand: the deal moves one seat clockwise (B5), the pass goes by hand number (C4)."""
        assert self.phase() == HAND_OVER
        self._start_hand(deal, (self.dealer + 1) % self.players, self.hand_number + 1)

    # What the game waits for

    def phase(self) -> str:
        """Return what the game waits for: passing, then play, then perhaps the moon choice, then the end (C1, F6)."""
        if self.distance > 0 and not self.exchanged:
            return PASS
        if any(self.hands):
            return PLAY
        if self.scores is None:
            return MOON
        return GAME_OVER if self.game_over() else HAND_OVER

    def to_act(self) -> int:
        """Return the seat to act: picks go round from the dealer's left, plays from the leader; -1 is nobody."""
        phase = self.phase()
        if phase == PASS:
            return next(seat for seat in self.seats_from(self.dealer + 1) if len(self.picks[seat]) < 3)
        if phase == PLAY:
            return (self.leader + len(self.table)) % self.players
        if phase == MOON:
            shooter = self.shooter()
            assert shooter is not None
            return shooter
        return -1

    def seats_from(self, first: int) -> list[int]:
        """Return all seats clockwise from one."""
        return [(first + step) % self.players for step in range(self.players)]

    def first_trick(self) -> bool:
        """Tell whether trick one is being played."""
        return not self.tricks

    # Legal actions

    def legal(self) -> list[str]:
        """Return the legal actions of the seat to act: cards, or the two moon choices (C1, E1, F6)."""
        phase = self.phase()
        seat = self.to_act()
        if phase == PASS:
            return [card for card in self.hands[seat] if card not in self.picks[seat]]
        if phase == MOON:
            return [MOON_ADD, MOON_SUBTRACT]
        if phase != PLAY:
            return []
        return self.legal_follows(self.hands[seat]) if self.table else self.legal_leads(self.hands[seat])

    def legal_leads(self, hand: list[str]) -> list[str]:
        """Return the cards that may be led: the opening card if it must be (D1-D3), else by D4, D5 and E5-E7."""
        if self.first_trick() and opening_card(self.settings) in hand:
            return [card for card in hand if card == opening_card(self.settings)]
        leads = self.leads_by_the_heart_rule(hand)
        if self.first_trick() and self.settings["first_trick"] == "strict":
            return self.not_black(leads) or leads  # D5
        return leads

    def leads_by_the_heart_rule(self, hand: list[str]) -> list[str]:
        """Return the cards that the ban on heart leads leaves: D4, E5, E6 and their settings."""
        not_hearts = [card for card in hand if suit(card) != "H"]
        if self.hearts_broken or not not_hearts:
            return hand  # E5
        if self.first_trick() and self.settings["open_with_heart"]:
            return hand  # D4
        if not_hearts == [self.black] and self.settings["heart_instead_of_queen"]:
            return hand  # E6, the other reading
        return not_hearts  # E6: of hearts and the Queen, the Queen

    def legal_follows(self, hand: list[str]) -> list[str]:
        """Return the cards that may be played to a lead: follow suit (E1, D7, D8), else by the first-trick rule."""
        same_suit = [card for card in hand if suit(card) == suit(self.table[0])]
        if same_suit:
            if self.first_trick() and self.settings["first_trick"] == "strict":
                return self.not_black(same_suit) or same_suit  # D8
            return same_suit
        if self.first_trick() and self.first_trick_is_restricted():
            harmless = [card for card in hand if not is_penalty(self.settings, card)]
            return harmless or hand  # D6, D10; D9: only penalty cards, free choice
        return hand

    def first_trick_is_restricted(self) -> bool:
        """Tell whether penalty cards may not be discarded on this trick one (D6, V6)."""
        setting = self.settings["first_trick"]
        return setting in ("every", "strict") or (setting == "only_2c" and self.table[0] == "2C")

    def not_black(self, cards: list[str]) -> list[str]:
        """Return the cards without the black card."""
        return [card for card in cards if card != self.black]

    # What an action does

    def apply(self, action: str) -> None:
        """Do a legal action of the seat to act."""
        assert action in self.legal(), (action, self.legal())
        phase, seat = self.phase(), self.to_act()
        if phase == PASS:
            self.pick(seat, action)
        elif phase == PLAY:
            self.play(seat, action)
        else:
            self.moon_choice = action
            self.finish_hand()

    def pick(self, seat: int, card: str) -> None:
        """Pick a card to pass; when all have picked three, all are exchanged at once (C1)."""
        self.picks[seat].append(card)
        if all(len(picks) == 3 for picks in self.picks):
            for giver in range(self.players):
                receiver = (giver + self.distance) % self.players
                for passed in self.picks[giver]:
                    self.hands[giver].remove(passed)
                    self.hands[receiver].append(passed)
            self.exchanged = True
            self.leader = self.first_leader()

    def first_leader(self) -> int:
        """Return who leads to trick one: the holder, after the pass, of the opening card, or eldest (D1-D3)."""
        card = opening_card(self.settings)
        if card is None:
            return (self.dealer + 1) % self.players
        return next(seat for seat in range(self.players) if card in self.hands[seat])

    def play(self, seat: int, card: str) -> None:
        """Play a card to the trick; the last card of the last trick ends the hand unless the shooter must choose."""
        self.hands[seat].remove(card)
        self.table.append(card)
        if self.breaks_hearts(card):
            self.hearts_broken = True
        if len(self.table) == self.players:
            self.take_trick()
        if not any(self.hands) and not (self.settings["moon"] == "new" and self.shooter() is not None):
            self.finish_hand()

    def breaks_hearts(self, card: str) -> bool:
        """Tell whether the card just played breaks hearts: a heart led, or discarded (E3, E5, D11).

        With `queen_breaks_hearts` the black card breaks them too, however it is played (E4).
        """
        if suit(card) == "H":
            return len(self.table) == 1 or suit(self.table[0]) != "H"
        return card == self.black and self.settings["queen_breaks_hearts"]

    def take_trick(self) -> None:
        """Give the trick to the highest card of the led suit; its player leads next (E2)."""
        highest = max((card for card in self.table if suit(card) == suit(self.table[0])), key=height)
        winner = (self.leader + self.table.index(highest)) % self.players
        self.taken[winner].extend(self.table)
        self.tricks.append(self.table)
        self.table = []
        self.leader = winner

    # Scores

    def captured_points(self) -> list[int]:
        """Return the penalty points each seat has captured so far (F1)."""
        return [sum(penalty_points(self.settings, card) for card in cards) for cards in self.taken]

    def bonus_points(self) -> list[int]:
        """Return -10 for each bonus card a seat has captured, shooter or not (V2-V4, F10)."""
        return [sum(-10 for card in cards if card in self.settings["bonus_cards"]) for cards in self.taken]

    def shooter(self) -> int | None:
        """Return who took every penalty card dealt, and the bonus cards if a moon needs them (F2, F5, F10)."""
        needed = [card for card in deck(self.settings) if is_penalty(self.settings, card)]
        if self.settings["moon_needs_bonus"]:
            needed += self.settings["bonus_cards"]
        for seat in range(self.players):
            if all(card in self.taken[seat] for card in needed):
                return seat
        return None

    def hand_scores(self) -> list[int]:
        """Return the hand's scores; until the hand is over captured points and bonus cards, without the moon."""
        if self.scores is not None:
            return self.scores
        return [points + bonus for points, bonus in zip(self.captured_points(), self.bonus_points(), strict=True)]

    def finish_hand(self) -> None:
        """Score the hand in the page's order: points, moon, bonus cards, totals (F, F3, F6, F9-F11)."""
        points = self.captured_points()
        shooter = self.shooter()
        if shooter is not None:
            value = moon_points(self.settings)
            if self.moon_choice == MOON_SUBTRACT:
                points = [-value if seat == shooter else 0 for seat in range(self.players)]
            else:
                points = [0 if seat == shooter else value for seat in range(self.players)]
        self.scores = [point + bonus for point, bonus in zip(points, self.bonus_points(), strict=True)]
        self.totals = [total + score for total, score in zip(self.totals, self.scores, strict=True)]

    # The end of the game

    def game_over(self) -> bool:
        """Tell, after a hand, whether the game has ended: a total at the target or above (H1, V7), or H9's limit."""
        limit = self.settings["max_hands"]
        return max(self.totals) >= self.settings["target"] or (limit is not None and self.hand_number >= limit)

    def winners(self) -> list[int]:
        """Return the seats with the lowest total once the game has ended (H2-H4); nobody before."""
        if self.phase() != GAME_OVER:
            return []
        return [seat for seat in range(self.players) if self.totals[seat] == min(self.totals)]

    def winner(self) -> int:
        """Return the seat that won alone, or -1 (H2)."""
        winners = self.winners()
        return winners[0] if len(winners) == 1 else -1

    def win_shares(self) -> list[float]:
        """Return each seat's share of the win: those tied for lowest share it (H4)."""
        winners = self.winners()
        return [1 / len(winners) if seat in winners else 0.0 for seat in range(self.players)]
