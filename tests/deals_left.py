"""All deals that a view leaves open, found the slow way: every way to put the unseen cards into the hidden places is
tried, the whole hand is played again from it, and it stays if every play was legal and the seat saw what it has seen.

Nothing here knows what a discard or a lead proves; that is what the sampler is compared with.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from rk_env import Phase, Rules
from rk_env.kernels import batch, flow
from tests.generators import Settings, engine_of, random_start, rules_of
from tests.unseen import cards_of, planes_of, receiver_of, seats_in_play

KITTY = 11
Deal = bytes
"""All hands and the kitty, as the bytes of their planes."""


@dataclass
class Position:
    """A hand under way: how play began, what was done since, and who looks on."""

    rules: Rules
    start: NDArray[np.void]
    actions: list[int]
    game: NDArray[np.void]
    observer: int

    @property
    def view(self) -> NDArray[np.void]:
        """What the observer sees, shape (1,)."""
        return hidden(self.game, self.rules, self.observer)


def hidden(games: NDArray[np.void], rules: Rules, observer: int) -> NDArray[np.void]:
    """Return the views of one seat of full games."""
    views = games.copy()
    batch.hide_games(views, rules.array, np.full(len(views), observer))
    return views


def deal_of(game: np.void) -> Deal:
    """Return where all cards lie."""
    return bytes(game["hands"].tobytes() + game["kitty"].tobytes())


# Positions


def hand_positions(rng: Random, settings: Settings, playoff_share: float = 0.3) -> Iterator[Position]:
    """Play a hand at random and yield every position from the first lead on, seen by any seat."""
    engine = engine_of([random_start(rng, settings, rng.random() < 0.6, playoff_share)], seed=rng.getrandbits(32))
    rules = rules_of(settings)
    start, actions = engine.games.copy(), list[int]()
    while engine.phase[0] in (Phase.PASS, Phase.PLAY):
        game = engine.games[0]
        if game["phase"] == Phase.PLAY:
            if game["n_plays"] == 0 and game["took_back"][0] < 0:
                start, actions = engine.games.copy(), []
            yield Position(rules, start, list(actions), engine.games.copy(), rng.randrange(rules.players))
        actions.append(rng.choice(np.flatnonzero(engine.action_mask()[0]).tolist()))
        engine.step([actions[-1]])


# What the observer does not see


def unseen(position: Position) -> tuple[list[int], list[int]]:
    """Return the cards that the observer does not see, copies twice, and for each a place that one of them lies in."""
    game, observer = position.game[0], position.observer
    cards, places = [], []
    for seat in seats_in_play(game):
        if seat != observer:
            held = cards_of(game["hands"][seat])
            cards += held
            places += [seat] * len(held)
    if game["kitty_taker"] != observer:
        left = cards_of(game["kitty"])
        cards += left
        places += [KITTY] * len(left)
    return cards, places


def known_cards(position: Position) -> list[tuple[int, int]]:
    """Return cards that the observer has seen, as things, go to a place, and that place: it passed them, or saw them
    shown and taken back. They are there as long as that seat has not played such a card since.

    For one deck this adds nothing; with two it says which of two copies is where.
    """
    game, observer = position.game[0], position.observer
    plays = [(int(game["play_seats"][i]), int(game["plays"][i])) for i in range(game["n_plays"])]
    known: Counter[tuple[int, int]] = Counter()
    if game["pass_seats"] and observer in seats_in_play(game):
        to = receiver_of(game, observer)
        passed = Counter((int(card), to) for card in game["passed"][observer])
        known = passed - Counter((card, seat) for seat, card in plays)
    for i in range(len(plays) + 1):
        card = int(game["took_back"][i]) if i < len(game["took_back"]) else -1
        seat = plays[i][0] if i < len(plays) else int(game["turn"])
        if card >= 0 and seat != observer and (seat, card) not in plays[i:]:
            known |= Counter([(card, seat)])
    return list(known.elements())


def n_ways(places: list[int]) -> int:
    """Return how many ways there are to put the cards into the places, whatever was played."""
    return math.factorial(len(places)) // math.prod(math.factorial(n) for n in Counter(places).values())


def arrangements(places: list[int]) -> Iterator[list[int]]:
    """Yield every way to write down the places, one for each card."""
    if not places:
        yield []
    for first in sorted(set(places)):
        rest = list(places)
        rest.remove(first)
        for others in arrangements(rest):
            yield [first, *others]


# The deals


def all_deals(position: Position) -> Counter[Deal]:
    """Return the deals that agree with what the observer has seen, and how many deals of physical cards each is."""
    cards, places = unseen(position)
    known = known_cards(position)
    for card, place in known:
        cards.remove(card)
        places.remove(place)
    known_ones, known_places = [card for card, _ in known], [place for _, place in known]
    games = np.concatenate(
        [beginning(position, known_ones + cards, known_places + arranged) for arranged in arrangements(places)]
    )
    games = replayed(games, position)
    return Counter(deal_of(game) for game in games)


def replayed(games: NDArray[np.void], position: Position) -> NDArray[np.void]:
    """Return those of some beginnings of a hand, played again, that the observer cannot tell from what it has seen."""
    games = games[[holds_passed(game, position.observer) and opens_alike(game, position) for game in games]]
    for action in position.actions:
        chosen = np.full(len(games), action)
        games = games[batch.are_legal(games, position.rules.array, chosen)]
        batch.step_games(games, position.rules.array, chosen[: len(games)])
    seen = position.view.tobytes()
    views = hidden(games, position.rules, position.observer)
    return games[[views[i : i + 1].tobytes() == seen for i in range(len(games))]]


def beginnings(worlds: NDArray[np.void], position: Position) -> NDArray[np.void]:
    """Return worlds of a position as they began: with the cards played since back in the hands."""
    games, now = position.start.repeat(len(worlds)), position.game[0]
    for seat in seats_in_play(now):
        played = [int(now["plays"][i]) for i in range(now["n_plays"]) if now["play_seats"][i] == seat]
        once, twice = (np.uint64(plane) for plane in planes_of(played))
        held = worlds["hands"][:, seat]
        games["hands"][:, seat, 1] = held[:, 1] | twice | (held[:, 0] & once)
        games["hands"][:, seat, 0] = held[:, 0] | once
    games["kitty"] = worlds["kitty"]
    games["passed"] = worlds["passed"]
    return games


def beginning(position: Position, cards: list[int], places: list[int]) -> NDArray[np.void]:
    """Return the game as it would have begun, had the unseen cards lain in these places; shape (1,)."""
    game, now = position.start.copy(), position.game[0]
    played: dict[int, list[int]] = {seat: [] for seat in range(KITTY + 1)}
    for i in range(now["n_plays"]):
        played[int(now["play_seats"][i])].append(int(now["plays"][i]))
    for card, place in zip(cards, places, strict=True):
        played[place].append(card)
    for seat in seats_in_play(now):
        if seat != position.observer:
            game[0]["hands"][seat] = planes_of(played[seat])
    if now["kitty_taker"] != position.observer:
        game[0]["kitty"] = planes_of(played[KITTY])
    return game


def holds_passed(game: np.void, observer: int) -> bool:
    """Tell whether a hand has what the observer passed to it."""
    if not game["pass_seats"] or observer not in seats_in_play(game):
        return True
    held = Counter(cards_of(game["hands"][receiver_of(game, observer)]))
    return not Counter(game["passed"][observer].tolist()) - held


def opens_alike(game: np.void, position: Position) -> bool:
    """Tell whether the same seat is to open, and begin the play."""
    flow.begin_play(game, position.rules.array[0])
    return bool(game["turn"] == position.start[0]["turn"])
