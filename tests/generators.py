"""Random settings, deals and ways to play, for tests that compare the engine with the oracle.

Cards are texts here, as in the oracle; numbers are made of them only at the engine's door, by the formula of the design
page and not by `rk_env.cards`.
"""

from __future__ import annotations

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
from tests.oracle import RANKS, SUITS, OracleGame

CARD_TEXTS = [rank + suit for suit in SUITS for rank in RANKS]
NUMBER_OF = {text: number for number, text in enumerate([*CARD_TEXTS, oracle.MOON_ADD, oracle.MOON_SUBTRACT])}

needs_compiled = pytest.mark.skipif(JIT_DISABLED, reason="too many games for plain Python")

Settings = dict[str, Any]
Choice = Callable[[Random, OracleGame], str]


def scaled(n: int) -> int:
    """Return a number of games for a test: fewer where kernels run as plain Python."""
    return max(2, n // 25) if JIT_DISABLED else n


def texts_of(bitboard: int) -> list[str]:
    """Return the cards of a bitboard as texts."""
    return [text for number, text in enumerate(CARD_TEXTS) if int(bitboard) >> number & 1]


def hands_of(engine: Engine, game: int = 0) -> list[list[str]]:
    """Return the hands that a game of the engine holds, as texts."""
    return [texts_of(hand) for hand in engine.games["hands"][game, : engine.rules.players, 0]]


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


def setting_values(players: int) -> dict[str, list[Any]]:
    """Return the values of every field of the rules that a game of one deck may have."""
    return {
        "first_dealer": ["draw", "random", *range(players)],
        "remove_for_three": ["2D", "2C", "2S"],
        "opening": ["standard", "two_of_clubs", "lowest_club"],
        "open_with_heart": [False, True],
        "first_trick": ["every", "only_2c", "off", "strict"],
        "queen_breaks_hearts": [False, True],
        "heart_instead_of_queen": [False, True],
        "passing": ["cycle", "left", "none"],
        "across_seats": [None, *range(1, players)],
        "moon": ["old", "new"],
        "moon_value": ["deal", "fixed26"],
        "moon_needs_bonus": [False, True],
        "bonus_cards": [(), ("JD",), ("10D",), ("JD", "10D")],
        "black_card": ["QS", "JS"],
        "target": [1, 26, 50, 100],
        "max_hands": [None, 1, 3, 6],
    }


def random_settings(rng: Random, players: int | None = None, default_share: float = 0.2) -> Settings:
    """Return random settings, every value of each field equally likely; a share of them the default ones."""
    players = players or rng.randint(3, 6)
    if rng.random() < default_share:
        return {"players": players}
    settings = {"players": players} | {field: rng.choice(values) for field, values in setting_values(players).items()}
    if not settings["bonus_cards"]:
        settings["moon_needs_bonus"] = False
    return settings


def rules_of(settings: Settings) -> Rules:
    """Return the engine's rules of some settings."""
    return Rules(**settings)


# Deals


def random_deal(rng: Random, settings: Settings) -> list[list[str]]:
    """Return a deal, every one equally likely."""
    return deal_with_wish(rng, settings, 0, lambda card: 0)


def deal_with_wish(rng: Random, settings: Settings, seat: int, wish: Callable[[str], float]) -> list[list[str]]:
    """Return a deal that gives one seat the cards it most wishes for (ties by chance), the others random ones."""
    settings = oracle.DEFAULTS | settings
    cards = oracle.deck(settings)
    rng.shuffle(cards)
    cards.sort(key=wish, reverse=True)
    players = settings["players"]
    size = len(cards) // players
    rest = cards[size:]
    rng.shuffle(rest)
    hands = [rest[size * i : size * (i + 1)] for i in range(players - 1)]
    hands.insert(seat, cards[:size])
    return hands


def skewed_deal(rng: Random, settings: Settings, seat: int) -> list[list[str]]:
    """Return a deal in which one seat has a hand that chance seldom gives."""
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
    return deal_with_wish(rng, settings, seat, rng.choice(wishes))


def random_start(rng: Random, settings: Settings, skewed: bool) -> OracleGame:
    """Return a game of the oracle at the start of a hand of any number, with any dealer and totals."""
    players = settings["players"]
    dealer = rng.randrange(players)
    seat = rng.choice([(dealer + 1) % players, rng.randrange(players)])
    deal = skewed_deal(rng, settings, seat) if skewed else random_deal(rng, settings)
    target = settings.get("target", 100)
    highest = rng.choice([0, target - 1])
    totals = [rng.randint(min(0, highest - 60), highest) for _ in range(players)]
    hand_number = rng.choice([1, 2, 3, 4, 4, 4, 7, 8, 8])
    return OracleGame(settings, deal, dealer, hand_number, totals)


def engine_of(games: Sequence[OracleGame], **kwargs: Any) -> Engine:
    """Return an engine that stands where games of the oracle stand at the start of a hand; all of the same settings."""
    settings = games[0].settings
    engine = Engine(rules_of(settings), num_games=len(games), **kwargs)
    for index, game in enumerate(games):
        engine.deal(game.hands, game.dealer, game.hand_number, totals=game.totals, games=[index])
    return engine


# Ways to play


def choose_any(rng: Random, game: OracleGame) -> str:
    """Choose any legal action."""
    return rng.choice(game.legal())


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
    settings = oracle.DEFAULTS | settings | {"players": len(hands)}
    given = [hand.split() for hand in hands]
    left = [card for card in oracle.deck(settings) if not any(card in hand for hand in given)]
    size = len(oracle.deck(settings)) // len(hands)
    for hand in given:
        while len(hand) < size:
            hand.append(left.pop(0))
    return given


def hold_hand(
    hands: Sequence[str], dealer: int = 0, totals: Sequence[int] | None = None, **settings: Any
) -> tuple[Engine, list[list[str]]]:
    """Return an engine at the first lead of a hand without a pass, and the hands in the order they were written."""
    deal = full_deal(hands, **settings)
    engine = Engine(Rules(players=len(hands), **settings), seed=0)
    engine.deal(deal, dealer=dealer, hand_number=4, totals=totals)
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
