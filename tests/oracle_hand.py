"""The oracle's hand: pass, play, revokes and what each seat captures, written from the rules page alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.oracle_cards import (
    Settings,
    deck,
    hand_size,
    has_two_decks,
    is_penalty,
    opening_card,
    pass_distance,
    suit,
    total_points,
    winning_card,
)

MAX_REPLAYS = 10
"""A hand dealt again so often is played on whatever is found; the page has no limit (G3), but every hand must end."""


class OracleHand:
    """One hand, from the deal to the last trick.

    The seats in play are `seats`, clockwise from the lowest number; the others have no cards.
    """

    settings: Settings
    players: int
    black: str

    # The deal

    def start_hand(
        self,
        deal: Sequence[Sequence[str]],
        kitty: Sequence[str],
        dealer: int,
        hand_number: int,
        seats: Sequence[int],
        playoff: int,
    ) -> None:
        """Take up the deal of a new hand."""
        self.seats = list(seats)
        self.dealer, self.hand_number, self.playoff = dealer, hand_number, playoff
        self.revokes = [0] * self.players
        self.redeals = 0
        self.take_deal(deal, kitty)

    def take_deal(self, deal: Sequence[Sequence[str]], kitty: Sequence[str]) -> None:
        """Begin the hand with cards: the same number for each seat, the rest is kitty or set aside (B3, X2, H7)."""
        self.check_deal(deal, kitty)
        self.hands = [list(hand) for hand in deal]
        set_aside = not has_two_decks(self.settings, len(self.seats))
        self.kitty = [] if set_aside else list(kitty)
        self.set_aside = list(kitty) if set_aside else []
        self.kitty_taker: int | None = None
        self.dealt = [card for hand in deal for card in hand] + self.kitty
        self.distance = pass_distance(self.settings, self.hand_number, len(self.seats), self.playoff)
        self.picks: list[list[str]] = [[] for _ in range(self.players)]
        self.exchanged = False
        self.table: list[str] = []
        self.tricks: list[list[str]] = []
        self.trick_winners: list[int | None] = []
        self.waiting: list[str] = []
        self.taken: list[list[str]] = [[] for _ in range(self.players)]
        self.hearts_broken = False
        self.hidden_revokes: list[tuple[int, str]] = []
        self.taken_back: list[tuple[int, str]] = []
        self.must_play_by_the_book = False
        self.is_void = False
        self.leader = -1
        if self.distance == 0:
            self.leader = self.first_leader()

    def check_deal(self, deal: Sequence[Sequence[str]], kitty: Sequence[str]) -> None:
        """Check that all cards of the pack are dealt, the right number to each seat in play (A2-A5, B3, H7, X2)."""
        size = hand_size(self.settings, len(self.seats))
        assert [len(hand) for hand in deal] == [size if seat in self.seats else 0 for seat in range(self.players)]
        assert Counter([*kitty, *(card for hand in deal for card in hand)]) == Counter(
            deck(self.settings, len(self.seats))
        )

    def deal_again(self, deal: Sequence[Sequence[str]], kitty: Sequence[str] = ()) -> None:
        """Deal a void hand afresh (B6, G4): same dealer, number and pass; captured points go, 13s for revokes stay."""
        self.redeals += 1
        self.take_deal(deal, kitty)

    # Seats

    def seats_from(self, first: int) -> list[int]:
        """Return the seats in play, clockwise from one, which is the first if it is in play."""
        first %= self.players
        return [seat for seat in self.seats if seat >= first] + [seat for seat in self.seats if seat < first]

    def eldest(self) -> int:
        """Return the seat left of the dealer, among those in play (D2)."""
        return self.seats_from(self.dealer + 1)[0]

    def first_leader(self) -> int:
        """Return who leads to trick one: the holder, after the pass, of the opening card, or eldest (D1-D3).

        Of two holders the first clockwise from the dealer's left; if nobody has the card, eldest (X9).
        """
        card = opening_card(self.settings, len(self.seats))
        holders = [seat for seat in self.seats_from(self.dealer + 1) if card in self.hands[seat]]
        return holders[0] if holders else self.eldest()

    def player_of_turn(self) -> int:
        """Return whose turn it is to play to the trick: round the table from the leader."""
        return self.seats_from(self.leader)[len(self.table)]

    # The pass

    def picking_seat(self) -> int:
        """Return who picks cards to pass: each seat three, in turn from the dealer's left (C1)."""
        return next(seat for seat in self.seats_from(self.dealer + 1) if len(self.picks[seat]) < 3)

    def legal_picks(self, seat: int) -> list[str]:
        """Return the cards that a seat may still pick: those dealt to it, each copy once (C1)."""
        left = list(self.hands[seat])
        for card in self.picks[seat]:
            left.remove(card)
        return left

    def pick(self, seat: int, card: str) -> None:
        """Pick a card to pass; when all have picked three, all are exchanged at once (C1)."""
        self.picks[seat].append(card)
        if any(len(self.picks[giver]) < 3 for giver in self.seats):
            return
        for giver in self.seats:
            receiver = self.seats_from(giver)[self.distance]
            for passed in self.picks[giver]:
                self.hands[giver].remove(passed)
                self.hands[receiver].append(passed)
        self.exchanged = True
        self.leader = self.first_leader()

    # Which cards may be played

    def first_trick(self) -> bool:
        """Tell whether trick one is being played; a cancelled trick one is over too (X10)."""
        return not self.tricks

    def legal_plays(self, seat: int) -> list[str]:
        """Return the cards that a seat may play by the book."""
        hand = self.hands[seat]
        return self.legal_follows(hand) if self.table else self.legal_leads(hand)

    def legal_leads(self, hand: list[str]) -> list[str]:
        """Return the cards that may be led: the opening card if it must be (D1-D3), else by D4, D5 and E5-E7."""
        opening = opening_card(self.settings, len(self.seats))
        if self.first_trick() and opening in hand:
            return [card for card in hand if card == opening]
        leads = self.leads_by_the_heart_rule(hand)
        if self.first_trick() and self.settings["first_trick"] == "strict":
            return self.not_black(leads) or leads  # D5
        return leads

    def leads_by_the_heart_rule(self, hand: list[str]) -> list[str]:
        """Return the cards that the ban on heart leads leaves: D4, E5, E6, X13 and their settings."""
        not_hearts = [card for card in hand if suit(card) != "H"]
        if self.hearts_broken or not not_hearts:
            return hand  # E5
        if self.first_trick() and self.settings["open_with_heart"]:
            return hand  # D4
        if not self.not_black(not_hearts) and self.settings["heart_instead_of_queen"]:
            return hand  # E6, the other reading
        return not_hearts  # E6, X13: of hearts and Queens, a Queen

    def legal_follows(self, hand: list[str]) -> list[str]:
        """Return the cards that may be played to a lead: follow suit (E1, D7, D8), else by the first-trick rule."""
        same_suit = [card for card in hand if suit(card) == suit(self.table[0])]
        if same_suit:
            if self.first_trick() and self.settings["first_trick"] == "strict":
                return self.not_black(same_suit) or same_suit  # D8
            return same_suit
        return self.legal_discards(hand)

    def legal_discards(self, hand: list[str]) -> list[str]:
        """Return the cards that the first-trick rule lets a hand discard (D6, D10); only penalty cards: any (D9)."""
        if self.first_trick() and self.first_trick_is_restricted():
            harmless = [card for card in hand if not is_penalty(self.settings, card)]
            return harmless or hand
        return hand

    def first_trick_is_restricted(self) -> bool:
        """Tell whether penalty cards may not be discarded on this trick one (D6, V6)."""
        setting = self.settings["first_trick"]
        return setting in ("every", "strict") or (setting == "only_2c" and self.table[0] == "2C")

    def not_black(self, cards: list[str]) -> list[str]:
        """Return the cards without the black card."""
        return [card for card in cards if card != self.black]

    # Revokes

    def possible_revokes(self, seat: int) -> list[str]:
        """Return the off-suit cards of a seat that holds the led suit, if revokes can happen (G1).

        Only failing to follow suit is a revoke: what may not be discarded on trick one stays refused. After a card was
        taken back the seat plays by the book (G2).
        """
        hand = self.hands[seat]
        if self.settings["revokes"] == "prevented" or not self.table or self.must_play_by_the_book:
            return []
        if not any(suit(card) == suit(self.table[0]) for card in hand):
            return []
        return [card for card in self.legal_discards(hand) if suit(card) != suit(self.table[0])]

    def find_revokes(self, seat: int, card: str) -> None:
        """Find what a card shows: the seat had its suit when it failed to follow it (G3); 13 for each time (G6)."""
        found = [revoke for revoke in self.hidden_revokes if revoke == (seat, suit(card))]
        self.hidden_revokes = [revoke for revoke in self.hidden_revokes if revoke != (seat, suit(card))]
        self.revokes[seat] += len(found)
        if found and self.settings["late_revoke"] == "replay" and self.redeals < MAX_REPLAYS:
            self.is_void = True  # G3, G4

    # Playing a card

    def play(self, seat: int, card: str) -> None:
        """Play a card to the trick, or show it and take it back (G2)."""
        if card in self.possible_revokes(seat):
            if self.settings["revokes"] == "corrected":
                self.revokes[seat] += 1
                self.taken_back.append((self.number_of_plays(), card))
                self.must_play_by_the_book = True
                return
            self.hidden_revokes.append((seat, suit(self.table[0])))
        self.must_play_by_the_book = False
        self.hands[seat].remove(card)
        self.table.append(card)
        if self.breaks_hearts(card):
            self.hearts_broken = True
        self.find_revokes(seat, card)
        if len(self.table) == len(self.seats) and not self.is_void:
            self.finish_trick()

    def number_of_plays(self) -> int:
        """Return how many cards have been played in this hand."""
        return sum(len(trick) for trick in self.tricks) + len(self.table)

    def breaks_hearts(self, card: str) -> bool:
        """Tell whether the card just played breaks hearts: a heart led, or discarded (E3, E5, D11).

        With `queen_breaks_hearts` the black card breaks them too, however it is played (E4).
        """
        if suit(card) == "H":
            return len(self.table) == 1 or suit(self.table[0]) != "H"
        return card == self.black and self.settings["queen_breaks_hearts"]

    def finish_trick(self) -> None:
        """Give the trick to its winner, who leads next (E2).

        If all cards of the led suit cancel, the trick waits and its leader leads again (X6).
        """
        best = winning_card(self.table)
        winner = None if best is None else self.seats_from(self.leader)[self.table.index(best)]
        if winner is None and not any(self.hands):
            winner = self.leader  # X7
        self.tricks.append(self.table)
        self.trick_winners.append(winner)
        self.waiting.extend(self.table)
        self.table = []
        if winner is None:
            return
        self.taken[winner].extend(self.waiting)
        self.waiting = []
        self.leader = winner
        if self.kitty_taker is None:
            self.kitty_taker = winner  # X2

    # What has been captured

    def captured(self, seat: int) -> list[str]:
        """Return the cards a seat has captured so far, the kitty with them (X2, X3)."""
        return self.taken[seat] + (self.kitty if seat == self.kitty_taker else [])

    def captured_points(self) -> list[int]:
        """Return the penalty points each seat has captured so far (F1, X3, X5)."""
        return [total_points(self.settings, self.captured(seat)) for seat in range(self.players)]

    def bonus_points(self) -> list[int]:
        """Return -10 for each bonus card a seat has captured, shooter or not (V2-V4, F10, K)."""
        bonus = self.settings["bonus_cards"]
        return [-10 * sum(card in bonus for card in self.captured(seat)) for seat in range(self.players)]

    def fines(self) -> list[int]:
        """Return 13 for each revoke of a seat found in this hand (G2, G3, G6)."""
        return [13 * revokes for revokes in self.revokes]

    def shooter(self) -> int | None:
        """Return who took every penalty card dealt, and the bonus cards if a moon needs them (F2, F5, F10, X8)."""
        needed = Counter(card for card in self.dealt if is_penalty(self.settings, card))
        if not needed:
            return None  # 13 cards of a two-player deal can be without any
        if self.settings["moon_needs_bonus"]:
            needed += Counter(card for card in self.dealt if card in self.settings["bonus_cards"])
        for seat in self.seats:
            if needed <= Counter(self.captured(seat)):
                return seat
        return None

    def moon_points(self) -> int:
        """Return V, what a moon is worth: the penalty points of the deal, or always 26 (F4, X8, H7)."""
        return 26 if self.settings["moon_value"] == "fixed26" else total_points(self.settings, self.dealt)
