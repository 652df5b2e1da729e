"""Games of the oracle and the same games in an engine, played together and compared at every decision.

A difference names the settings, what the engine was seeded with, and every deal and action of the game so far.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rk_env.engine import Engine
from rk_env.state import Phase
from tests import generators, oracle, oracle_rare
from tests.all_pairs import all_pairs
from tests.generators import CARD_TEXTS, NUMBER_OF, Choice, Settings
from tests.oracle import OracleGame

PHASE_NUMBERS = {name: int(Phase[name]) for name in ("PASS", "PLAY", "MOON", "HAND_OVER", "GAME_OVER")}


class DifferenceError(AssertionError):
    """The engine and the oracle disagree."""


class Match:
    """Games of one set of rules, in the engine and in the oracle.

    Args:
        games: games of the oracle at the start of a hand.
        engine: an engine whose games stand there too.
        origin: how to make the games again, for the message of a difference.
    """

    def __init__(self, games: Sequence[OracleGame], engine: Engine, origin: str = "") -> None:
        self.games = list(games)
        self.engine = engine
        self.origin = origin
        self.seen: Counter[str] = Counter()
        self.log: list[list[str]] = [[] for _ in games]
        self.points: list[tuple[Any, list[int]]] = [(None, [])] * len(games)
        self.rows: list[list[int]] = [[]] * len(games)
        self.legal: list[list[int]] = [[]] * len(games)
        self.accepted: list[list[int]] = [[]] * len(games)
        for index, game in enumerate(self.games):
            self.note_deal(index, "deal")
            self.compare("hands", index, sorted_hands(game.hands), generators.hands_of(engine, index))
            self.compare("kitty", index, by_number(game.kitty + game.set_aside), generators.kitty_of(engine, index))
        self.check(range(len(games)))

    # Comparing

    def check(self, changed: Iterable[int]) -> None:
        """Compare everything that can be asked before a decision or at the end of a hand.

        Args:
            changed: the games that may stand elsewhere than at the last check; the others' rows are kept.
        """
        for index in changed:
            game = self.games[index]
            self.rows[index] = row_of(game, self.points_of(index))
            legal = game.legal()
            self.legal[index] = numbers_of(legal)
            self.accepted[index] = numbers_of(legal + game.revoking())
        found = rows_of(self.engine)
        if not np.array_equal(self.rows, found):
            index, column = np.argwhere(np.array(self.rows) != found)[0].tolist()
            name = names_of_row(self.engine.rules.players)[column]
            self.differ(name, index, self.rows[index][column], int(found[index, column]))
        self.compare_masks("accepted actions", self.accepted, self.engine.action_mask())
        if self.engine.rules.revokes != "prevented":
            self.compare_masks("legal actions", self.legal, self.engine.action_mask(revokes=False))
        for index in changed:
            if self.games[index].phase() in (oracle.HAND_OVER, oracle.GAME_OVER):
                self.check_end(index)

    def points_of(self, index: int) -> list[int]:
        """Return captured points and hand scores of a game, asked anew only when a trick, a fine or a choice came."""
        game = self.games[index]
        since = (game.hand_number, game.redeals, len(game.tricks), sum(game.revokes), game.phase())
        if self.points[index][0] != since:
            self.points[index] = since, game.captured_points() + game.hand_scores()
        return self.points[index][1]

    def check_end(self, index: int) -> None:
        """Compare what is known once the hand of a game is over."""
        game, engine, record = self.games[index], self.engine, self.engine.games[index]
        captured = [generators.texts_of_planes(cards) for cards in record["captured"][: game.players]]
        self.compare("captured", index, [by_number(game.captured(seat)) for seat in range(game.players)], captured)
        winners = [-1 if winner is None else winner for winner in game.trick_winners]
        self.compare("trick winners", index, winners, record["winners"][: len(winners)].tolist())
        taken_back = [(n, CARD_TEXTS[card]) for n, card in enumerate(record["took_back"].tolist()) if card >= 0]
        self.compare("cards taken back", index, sorted(game.taken_back), taken_back)
        is_over = game.phase() == oracle.GAME_OVER
        self.compare("winner", index, game.winner(), int(engine.winner[index]))
        places = [place + 1 if is_over else 0 for place in game.places]
        self.compare("places", index, places, engine.places[index].tolist())
        shares = game.win_shares() if is_over else [0.0] * game.players
        self.compare("win shares", index, pytest.approx(shares), engine.win_shares[index].tolist())
        self.compare("payoffs", index, pytest.approx(payoffs(game)), engine.payoffs[index].tolist())

    def compare(self, name: str, index: int, expected: Any, found: Any) -> None:
        """Compare one thing of one game."""
        if expected != found:
            self.differ(name, index, expected, found)

    def compare_masks(self, name: str, expected: list[list[int]], masks: NDArray[np.int8]) -> None:
        """Compare sets of actions, given by their numbers."""
        for index, (numbers, mask) in enumerate(zip(expected, masks, strict=True)):
            if numbers != (found := mask.nonzero()[0].tolist()):
                self.differ(name, index, [ACTIONS[n] for n in numbers], [ACTIONS[n] for n in found])

    def differ(self, name: str, index: int, expected: Any, found: Any) -> None:
        """Tell what differs, and how to get there again."""
        game = self.games[index]
        settings = {field: value for field, value in game.settings.items() if value != oracle.DEFAULTS[field]}
        raise DifferenceError(
            f"{name}: the oracle has {expected}, the engine {found}\n"
            f"settings: {settings}\n"
            f"again: {self.origin}; game {index} of {len(self.games)}, seed {int(self.engine.games['seed'][index])}\n"
            f"seat {game.to_act()}, phase {game.phase()}, hand {game.hand_number}, totals {game.totals}\n"
            + " ".join(self.log[index])
        )

    # Playing

    def play_hands(self, rng: Random, choose: Choice, misdeal_chance: float = 0.0) -> None:
        """Play the hands of all games to their ends, comparing at every decision."""
        while acting := [index for index, game in enumerate(self.games) if game.to_act() >= 0]:
            actions = np.full(len(self.games), -1)
            for index in acting:
                actions[index] = self.act(index, rng, choose)
            self.engine.step(actions)
            for index in acting:
                if self.games[index].phase() == oracle.DEAL_AGAIN:
                    self.deal_again(index)
            if rng.random() < misdeal_chance:
                self.declare_misdeal(rng.choice(acting))
            self.check(acting)

    def act(self, index: int, rng: Random, choose: Choice) -> int:
        """Choose and do an action in a game of the oracle; return its number."""
        game = self.games[index]
        action = choose(rng, game)
        self.seen.update(oracle_rare.at_decision(game, action))
        self.log[index].append(f"{game.to_act()}:{action}")
        game.apply(action)
        if game.phase() in (oracle.HAND_OVER, oracle.GAME_OVER):
            self.seen.update(["hands", *oracle_rare.at_end(game)])
        return NUMBER_OF[action]

    def next_hands(self) -> bool:
        """Deal the next hand where the game goes on; tell whether there was one."""
        going_on = [index for index, game in enumerate(self.games) if game.phase() == oracle.HAND_OVER]
        self.engine.next_hand()
        for index in going_on:
            hands, kitty = generators.hands_of(self.engine, index), generators.kitty_of(self.engine, index)
            self.games[index].next_hand(hands, kitty)
            self.note_deal(index, "next hand")
        self.check(going_on)
        return bool(going_on)

    def deal_again(self, index: int) -> None:
        """Give the oracle what the engine has dealt in place of a void hand (B6, G4)."""
        self.compare("redeals", index, self.games[index].redeals + 1, int(self.engine.games["redeal"][index]))
        hands, kitty = generators.hands_of(self.engine, index), generators.kitty_of(self.engine, index)
        self.games[index].deal_again(hands, kitty)
        self.note_deal(index, "dealt again")

    def declare_misdeal(self, index: int) -> None:
        """Declare a misdeal in a game whose hand is going on (B6)."""
        if self.games[index].to_act() >= 0:
            self.seen["B6 misdeal"] += 1
            self.engine.redeal(games=[index])
            self.deal_again(index)

    def note_deal(self, index: int, how: str) -> None:
        """Write down a deal and what goes before it."""
        game = self.games[index]
        hands = " | ".join(" ".join(hand) for hand in game.hands)
        left_over = f" + {' '.join(game.kitty + game.set_aside)}" if game.kitty or game.set_aside else ""
        before = f"{how} {game.hand_number}, dealer {game.dealer}, totals {game.totals}"
        self.log[index].append(f"\n{before}: {hands}{left_over}\n ")


ACTIONS = list(NUMBER_OF)


SCALARS = ("turn", "phase", "dealer", "hand number", "play-off", "redeals", "hearts broken", "waiting", "kitty taker")
BY_SEAT = ("captured points", "hand scores", "totals", "in play", "revokes", "places so far")


def names_of_row(players: int) -> list[str]:
    """Return what the columns of `row_of` and `rows_of` are."""
    return [*SCALARS, *(f"{name} of seat {seat}" for name in BY_SEAT for seat in range(players))]


def row_of(game: OracleGame, points: list[int]) -> list[int]:
    """Return where a game of the oracle stands, in the order of `names_of_row`, with its points and scores."""
    taker = game.kitty_taker if game.kitty and game.kitty_taker is not None else -1
    return [
        *(game.to_act(), PHASE_NUMBERS[game.phase()], game.dealer, game.hand_number, game.playoff, game.redeals),
        *(int(game.hearts_broken), len(game.waiting), taker),
        *points,
        *game.totals,
        *(int(seat in game.seats) for seat in range(game.players)),
        *game.revokes,
        *game.places,
    ]


def rows_of(engine: Engine) -> NDArray[np.int64]:
    """Return where the games of an engine stand, in the order of `names_of_row`.

    Who takes a kitty without cards is of no account.
    """
    records, players = engine.games, engine.rules.players
    has_kitty = kitty_sizes(engine) > 0
    scalars = [
        *(engine.turn, engine.phase, records["dealer"], records["hand_number"], records["playoff"], records["redeal"]),
        *(records["hearts_broken"], np.bitwise_count(records["waiting"]).sum(axis=1)),
        np.where(has_kitty, records["kitty_taker"], -1),
    ]
    seats = [engine.captured_points, engine.hand_scores, engine.totals, engine.in_play]
    seats += [records["revokes"][:, :players], records["places"][:, :players]]
    return np.concatenate([np.stack(scalars, axis=1), *seats], axis=1).astype(np.int64)


def kitty_sizes(engine: Engine) -> NDArray[np.int64]:
    """Return how many cards the kitty of each game had: 0 with one deck."""
    n_in_play = engine.in_play.sum(axis=1)
    kitty = np.where(n_in_play >= 6, 104 % n_in_play, 0)
    return kitty * (engine.rules.decks == 2) * (engine.rules.leftover == "kitty")


def payoffs(game: OracleGame) -> list[float]:
    """Return the mean of the others' scores less one's own, among the seats in play; 0 for those that sit out."""
    scores = game.hand_scores()
    others = {seat: sum(scores[other] for other in game.seats if other != seat) for seat in game.seats}
    return [others[s] / (len(game.seats) - 1) - scores[s] if s in game.seats else 0.0 for s in range(game.players)]


def numbers_of(actions: Iterable[str]) -> list[int]:
    """Return the numbers of some actions, each once, lowest first."""
    return sorted({NUMBER_OF[action] for action in actions})


def by_number(cards: Any) -> list[str]:
    """Return cards or other actions in the order of their numbers."""
    return sorted(cards, key=NUMBER_OF.__getitem__)


def sorted_hands(hands: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return hands, each in the order of the cards' numbers."""
    return [by_number(hand) for hand in hands]


# Matches by chance


def random_match(rng: Random, settings: Settings, n_games: int, origin: str = "") -> Match:
    """Return a match of games that begin in every way: as the engine deals them, with given hands, in a play-off."""
    engine = Engine(generators.rules_of(settings), num_games=n_games, seed=rng.getrandbits(32))
    games = []
    for index in range(n_games):
        if rng.random() < 0.15:
            games.append(as_dealt(engine, settings, index))
            continue
        games.append(generators.random_start(rng, settings, skewed=rng.random() < 0.7, playoff_share=0.4))
        generators.set_up(engine, games[-1], index)
    return Match(games, engine, origin)


def as_dealt(engine: Engine, settings: Settings, index: int) -> OracleGame:
    """Return a game of the oracle that begins with the first hand that an engine has dealt."""
    dealer = int(engine.games["dealer"][index])
    if isinstance(settings["first_dealer"], int):
        assert dealer == settings["first_dealer"]
    hands, kitty = generators.hands_of(engine, index), generators.kitty_of(engine, index)
    return OracleGame(settings, hands, dealer, kitty=kitty)


def random_choice(rng: Random, settings: Settings) -> Choice:
    """Return a way to play: anything, towards a moon, or towards cancelled tricks; revokes seldom, or often."""
    choose = rng.choice([generators.choose_any, generators.choose_with_shooter, generators.choose_copies])
    is_replayed = settings["revokes"] == "exposed" and settings["late_revoke"] == "replay"
    shares = [0.0, 0.002, 0.004, 0.004, 0.008, 0.1] if is_replayed else [0.0, 0.01, 0.03, 0.1]
    return generators.with_revokes(choose, rng.choice(shares))


def play_match(rng: Random, settings: Settings, origin: str = "", n_games: int = 8) -> Counter[str]:
    """Play a match and some hands more where games go on; return the counts of what was seen."""
    match = random_match(rng, settings, n_games, origin)
    match.play_hands(rng, random_choice(rng, settings), misdeal_chance=rng.choice([0.0, 0.01]))
    for _ in range(rng.choice([1, 2, 2, 5])):
        if not match.next_hands():
            break
        match.play_hands(rng, random_choice(rng, settings))
    return match.seen


def table() -> list[Settings]:
    """Return the all-pairs tables of one and two decks, mixed."""
    rows = all_pairs(1) + all_pairs(2)
    Random(0).shuffle(rows)
    return rows


def play_round(seed: int, number: int, rows: Sequence[Settings]) -> Counter[str]:
    """Play one match, which `seed` and `number` alone decide; the numbers go round the table of settings.

    Raises:
        DifferenceError: when the engine and the oracle disagree, or one of them gives up.
    """
    again = f"python -m tests.long_oracle --seed {seed} --round {number}"
    settings = rows[number % len(rows)]
    try:
        return play_match(Random(f"{seed}:{number}"), settings, again)
    except DifferenceError:
        raise
    except Exception as error:
        raise DifferenceError(f"{error!r}\nsettings: {settings}\nagain: {again}") from error
