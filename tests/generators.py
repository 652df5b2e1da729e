"""Random settings, deals and ways to play, for tests that compare the engine with the oracle.

Cards are texts here, as in the oracle; numbers are made of them only at the engine's door, by the formula of the design
page and not by `rk_env.cards`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rk_env.engine import Engine
from rk_env.jit import JIT_DISABLED
from rk_env.rules import Rules
from tests import oracle
from tests.all_pairs import player_counts, setting_values
from tests.oracle import RANKS, SUITS, OracleGame

CARD_TEXTS = [rank + suit for suit in SUITS for rank in RANKS]
NUMBER_OF = {text: number for number, text in enumerate([*CARD_TEXTS, oracle.MOON_ADD, oracle.MOON_SUBTRACT])}

needs_compiled = pytest.mark.skipif(JIT_DISABLED, reason="too many games for plain Python")

Settings = dict[str, Any]
Cards = tuple[list[list[str]], list[str]]
"""The hands that are dealt, by seat, and the cards left over."""
Choice = Callable[[Random, OracleGame], str]


def scaled(n: int) -> int:
    """Return a number of games for a test: fewer where kernels run as plain Python."""
    return max(2, n // 25) if JIT_DISABLED else n


def texts_of(bitboard: int) -> list[str]:
    """Return the cards of a bitboard as texts."""
    return [text for number, text in enumerate(CARD_TEXTS) if int(bitboard) >> number & 1]


def texts_of_planes(planes: Sequence[int]) -> list[str]:
    """Return the cards of a set that may hold two copies of a card: those of the first plane, and the second copies."""
    return sorted(texts_of(planes[0]) + texts_of(planes[1]), key=NUMBER_OF.__getitem__)


def hands_of(engine: Engine, game: int = 0) -> list[list[str]]:
    """Return the hands that a game of the engine holds, as texts."""
    return [texts_of_planes(hand) for hand in engine.games["hands"][game, : engine.rules.players]]


def kitty_of(engine: Engine, game: int = 0) -> list[str]:
    """Return the cards that the deal left over in a game of the engine, as texts."""
    return texts_of_planes(engine.games["kitty"][game])


def mask_of(actions: Iterable[str]) -> NDArray[np.int8]:
    """Return the mask that has ones at some actions, shape (54,), int8."""
    mask = np.zeros(len(NUMBER_OF), np.int8)
    mask[[NUMBER_OF[action] for action in actions]] = 1
    return mask


def legal_of(engine: Engine, game: int = 0) -> set[str]:
    """Return the legal actions of a game of the engine as texts."""
    names = list(NUMBER_OF)
    return {names[number] for number in np.flatnonzero(engine.action_mask()[game])}


# Settings


def random_settings(rng: Random, players: int | None = None, default_share: float = 0.2, decks: int = 1) -> Settings:
    """Return random settings, every value of each field equally likely; a share of them the default ones."""
    players = players or rng.choice(player_counts(decks))
    settings: Settings = {"players": players} if decks == 1 else {"players": players, "decks": decks}
    if rng.random() < default_share:
        return settings
    settings |= {field: rng.choice(values) for field, values in setting_values(players, decks).items()}
    if not settings["bonus_cards"]:
        settings["moon_needs_bonus"] = False
    return settings


def rules_of(settings: Settings) -> Rules:
    """Return the engine's rules of some settings."""
    return Rules(**settings)


# Deals


def random_deal(rng: Random, settings: Settings) -> list[list[str]]:
    """Return the hands of a deal to all seats, every one equally likely."""
    return random_cards(rng, settings)[0]


def random_cards(rng: Random, settings: Settings, seats: Sequence[int] | None = None) -> Cards:
    """Return a deal to the seats in play (None: all) and what it leaves over, every one equally likely."""
    seats = range(settings["players"]) if seats is None else seats
    return cards_with_wish(rng, settings, seats, seats[0], lambda card: 0)


def cards_with_wish(
    rng: Random, settings: Settings, seats: Sequence[int], lucky: int, wish: Callable[[str], float]
) -> Cards:
    """Return a deal that gives one seat the cards it most wishes for (ties by chance), the others random ones."""
    settings = oracle.DEFAULTS | settings
    cards = oracle.deck(settings, len(seats))
    size = oracle.hand_size(settings, len(seats))
    rng.shuffle(cards)
    cards.sort(key=wish, reverse=True)
    wished, rest = cards[:size], cards[size:]
    rng.shuffle(rest)
    hands: list[list[str]] = [[] for _ in range(settings["players"])]
    for seat in seats:
        hands[seat] = wished if seat == lucky else [rest.pop() for _ in range(size)]
    return hands, rest


def skewed_cards(rng: Random, settings: Settings, seats: Sequence[int], lucky: int) -> Cards:
    """Return a deal in which one seat has a hand that chance seldom gives, and what it leaves over."""
    black = (oracle.DEFAULTS | settings)["black_card"]
    noise = rng.choice([0, 2, 6])
    long_suit = rng.choice(SUITS)
    wishes: list[Callable[[str], float]] = [
        lambda card: oracle.height(card) + noise * rng.random(),  # high cards
        lambda card: 13 * (card[-1] == long_suit) + oracle.height(card) + noise * rng.random(),  # a long suit
        lambda card: 20 * (card[-1] == "H") - 20 * (card == black),  # hearts
        lambda card: 20 * (card[-1] == "H") + 30 * (card == black),  # hearts and the black card
        lambda card: 20 * (card[-1] == "H") + 30 * (card == black) + oracle.height(card) * (card[-1] == "C"),
        lambda card: 20 * (card[-1] in "SH") + oracle.height(card),  # the moon's own suits
        lambda card: -20 * (card[-1] == "H") + 30 * (card == black) + 15 * (card[-1] == long_suit),  # no hearts
    ]
    return cards_with_wish(rng, settings, seats, lucky, rng.choice(wishes))


def twin_cards(rng: Random, settings: Settings, seats: Sequence[int]) -> Cards:
    """Return a deal in which neighbours hold the same cards, as far as the deck has two copies."""
    settings = oracle.DEFAULTS | settings
    cards = oracle.deck(settings, len(seats))
    size = oracle.hand_size(settings, len(seats))
    pairs = [card for card in dict.fromkeys(cards) if cards.count(card) == 2]
    rng.shuffle(pairs)
    hands: list[list[str]] = [[] for _ in range(settings["players"])]
    for one, other in zip(seats[::2], seats[1::2], strict=False):
        if len(pairs) >= size:
            hands[one], pairs = pairs[:size], pairs[size:]
            hands[other] = list(hands[one])
    rest = list((Counter(cards) - Counter(card for hand in hands for card in hand)).elements())
    rng.shuffle(rest)
    for seat in seats:
        hands[seat] = hands[seat] or [rest.pop() for _ in range(size)]
    return hands, rest


def put_into_kitty(rng: Random, wanted: str, hands: list[list[str]], kitty: list[str]) -> None:
    """Change a deal so that copies of a card lie in the kitty, as many as it has room for."""
    places = [place for place, card in enumerate(kitty) if card != wanted]
    for hand in hands:
        while wanted in hand and places:
            place = places.pop(rng.randrange(len(places)))
            hand[hand.index(wanted)], kitty[place] = kitty[place], wanted


def set_penalties_aside(rules: Settings, hands: list[list[str]], aside: list[str], n_left: int) -> None:
    """Change a deal of 13 cards each so that the two seats have a few penalty cards at most (H7)."""
    for hand in hands:
        for place, card in enumerate(hand):
            if oracle.is_penalty(rules, card) and (n_left := n_left - 1) < 0:
                other = next(i for i, harmless in enumerate(aside) if not oracle.is_penalty(rules, harmless))
                hand[place], aside[other] = aside[other], card


def random_start(rng: Random, settings: Settings, skewed: bool, playoff_share: float = 0.0) -> OracleGame:
    """Return a game of the oracle at the start of a hand of any number, with any dealer and totals.

    Args:
        rng: chance.
        settings: the settings.
        skewed: deal a hand that chance seldom gives.
        playoff_share: how often to begin at the first hand of a play-off, where the settings have any.
    """
    rules = oracle.DEFAULTS | settings
    seats = list(range(rules["players"]))
    if rules["ties"] == "playoff" and rng.random() < playoff_share:
        seats = sorted(rng.sample(seats, rng.choice([2, rng.randint(2, len(seats)), rng.randint(2, len(seats))])))
        totals = tied_totals(rng, rules, seats)
    else:
        totals = going_on_totals(rng, rules)
    dealer = rng.choice(seats)
    lucky = rng.choice([seats[(seats.index(dealer) + 1) % len(seats)], rng.choice(seats)])
    deal, kitty = skewed_cards(rng, settings, seats, lucky) if skewed else random_cards(rng, settings, seats)
    if oracle.has_two_decks(rules, len(seats)) and rng.random() < 0.2:
        deal, kitty = twin_cards(rng, settings, seats)
    if oracle.has_two_decks(rules, len(seats)) and rng.random() < 0.1:
        put_into_kitty(rng, oracle.opening_card(rules, len(seats)) or rules["black_card"], deal, kitty)
    if oracle.hand_size(rules, len(seats)) == 13 and len(seats) == 2 and rng.random() < 0.5:
        set_penalties_aside(rules, deal, kitty, rng.randint(0, 2))
    numbers = [n for n in (1, 2, 3, 4, 4, 4, 7, 8, 8) if n <= (rules["max_hands"] or n)]
    return OracleGame(settings, deal, dealer, rng.choice(numbers), totals, kitty)


def going_on_totals(rng: Random, settings: Settings) -> list[int]:
    """Return totals below the target, often such that the game ends soon, and in a tie."""
    highest = rng.choice([0, settings["target"] - 1])
    lowest = rng.choice([min(0, highest - 60), highest])
    totals = [rng.randint(lowest, highest) for _ in range(settings["players"])]
    if rng.random() < 0.5:  # all but one seat are equal and low
        totals = [min(totals)] * len(totals)
        totals[rng.randrange(len(totals))] = highest
    return totals


def tied_totals(rng: Random, settings: Settings, seats: Sequence[int]) -> list[int]:
    """Return totals that end the main game with some seats tied for lowest (H4)."""
    players, target = settings["players"], settings["target"]
    if len(seats) == players:
        return [target + rng.randint(0, 20)] * players
    lowest = rng.randint(-20, target - 1)
    totals = [lowest if seat in seats else rng.randint(lowest + 1, target + 20) for seat in range(players)]
    totals[rng.choice([seat for seat in range(players) if seat not in seats])] = target + rng.randint(0, 20)
    return totals


def engine_of(games: Sequence[OracleGame], **kwargs: Any) -> Engine:
    """Return an engine that stands where games of the oracle stand at the start of a hand; all of the same settings."""
    engine = Engine(rules_of(games[0].settings), num_games=len(games), **kwargs)
    for index, game in enumerate(games):
        set_up(engine, game, index)
    return engine


def set_up(engine: Engine, game: OracleGame, index: int) -> None:
    """Deal to one game of an engine what a game of the oracle was dealt; every other without a word of the rest."""
    left_over = game.kitty + game.set_aside if index % 2 else ()
    engine.deal(game.hands, game.dealer, game.hand_number, kitty=left_over, totals=game.totals, games=[index])


# Ways to play


def choose_any(rng: Random, game: OracleGame) -> str:
    """Choose any legal action."""
    return rng.choice(game.legal())


def choose_copies(rng: Random, game: OracleGame) -> str:
    """Choose a card that lies on the table already, nearly always when that is legal; else any legal action."""
    legal = game.legal()
    copies = [card for card in legal if card in game.table]
    return rng.choice(copies if copies and rng.random() < 0.9 else legal)


def choose_with_shooter(rng: Random, game: OracleGame) -> str:
    """Choose so that a moon is likely: one seat takes all it can, the others duck and give it the penalty cards.

    Bonus cards are kept to the end, and a shooter who has every penalty card ducks too, so that they go both ways.
    """
    legal = game.legal()
    if game.phase() == oracle.MOON or rng.random() < 0.03:
        return rng.choice(legal)
    seat = game.to_act()
    if game.phase() == oracle.PASS:
        if rng.random() < 0.3 or not keeps_penalty_cards(game, seat):
            return rng.choice(legal)
        return min(legal, key=lambda card: (oracle.is_penalty(game.settings, card), oracle.height(card)))
    if seat == would_shoot(game) and any(
        oracle.is_penalty(game.settings, card) for hand in game.hands for card in hand
    ):
        return max(legal, key=lambda card: (card[-1] != "H", oracle.height(card)))
    return min(legal, key=lambda card: (*rank_for_discard(game, card), oracle.height(card)))


def with_revokes(choose: Choice, share: float) -> Choice:
    """Return a way to play that revokes in a share of the decisions in which a revoke is possible."""

    def choose_or_revoke(rng: Random, game: OracleGame) -> str:
        revoking = game.revoking()
        return rng.choice(revoking) if revoking and rng.random() < share else choose(rng, game)

    return choose_or_revoke


def rank_for_discard(game: OracleGame, card: str) -> tuple[bool, int]:
    """Return a key that puts penalty cards first, dearest before cheap, and bonus cards last."""
    return card in game.settings["bonus_cards"], -oracle.penalty_points(game.settings, card)


def keeps_penalty_cards(game: OracleGame, seat: int) -> bool:
    """Tell whether a hand is that of a shooter, or made of penalty cards for the most part."""
    penalty_cards = [card for card in game.hands[seat] if oracle.is_penalty(game.settings, card)]
    return seat == would_shoot(game) or 2 * len(penalty_cards) > len(game.hands[seat])


def would_shoot(game: OracleGame) -> int:
    """Return the seat that has points already, or the strongest hand."""
    points = game.captured_points()
    if max(points) > 0:
        return points.index(max(points))
    strength = [sum(oracle.height(card) ** 2 for card in hand) for hand in game.hands]
    return strength.index(max(strength))


# Positions played to, for tests of single rules


def full_deal(hands: Sequence[str], **settings: Any) -> list[list[str]]:
    """Return a deal of hands given as text, each completed with the lowest cards left (clubs first, hearts last)."""
    return full_cards(hands, **settings)[0]


def full_cards(hands: Sequence[str], in_play: Sequence[int] | None = None, **settings: Any) -> Cards:
    """Return a deal of hands given as text, each completed as by `full_deal`, and what is left over.

    Args:
        hands: a text a seat.
        in_play: the seats in a play-off; None is all.
        settings: the settings but `players`.
    """
    rules = oracle.DEFAULTS | settings | {"players": len(hands)}
    seats = range(len(hands)) if in_play is None else in_play
    given = [hand.split() for hand in hands]
    left = oracle.deck(rules, len(seats))
    for card in (card for hand in given for card in hand):
        left.remove(card)
    for seat in seats:
        while len(given[seat]) < oracle.hand_size(rules, len(seats)):
            given[seat].append(left.pop(0))
    return given, left


def hold_hand(
    hands: Sequence[str], dealer: int = 0, totals: Sequence[int] | None = None, **settings: Any
) -> tuple[Engine, list[list[str]]]:
    """Return an engine at the first lead of a hand without a pass, and the hands in the order they were written."""
    deal, kitty = full_cards(hands, **settings)
    engine = Engine(Rules(players=len(hands), **settings), seed=0)
    engine.deal(deal, dealer=dealer, hand_number=4, kitty=kitty, totals=totals)
    return engine, deal


def act(engine: Engine, *actions: str) -> None:
    """Do actions, given as text, one after another in an engine of one game."""
    for action in " ".join(actions).split():
        engine.step(np.array([NUMBER_OF[action]]))


def play_tricks(engine: Engine, orders: Sequence[Sequence[str]], tricks: int | None = None) -> None:
    """Play tricks, to the end of the hand if no number is given; each seat plays the first legal card of its list."""
    last = engine.rules.hand_size if tricks is None else tricks
    while engine.games[0].trick < last:
        legal = legal_of(engine)
        act(engine, next(card for card in orders[int(engine.turn[0])] if card in legal))
