"""Random games under any rules, for properties that hold in all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from rk_env import Engine, Phase
from rk_env.jit import JIT_DISABLED
from tests import generators, oracle
from tests.all_pairs import player_counts, setting_values
from tests.generators import NUMBER_OF, Settings, rules_of

EXAMPLES = 4 if JIT_DISABLED else 100
N_GAMES = 3
CARD_SETS = ("hands", "captured", "waiting", "kitty")
RANKS = np.tile(np.arange(13), 4)


@st.composite
def some_settings(draw: st.DrawFn, **fixed: Any) -> Settings:
    """Settings of any table in which every field has any of its values, but for those that are fixed."""
    decks = fixed.get("decks") or draw(st.sampled_from([1, 2]))
    players = fixed.get("players") or draw(st.sampled_from(player_counts(decks)))
    drawn = {name: draw(st.sampled_from(values)) for name, values in setting_values(players, decks).items()}
    some = {"players": players, "decks": decks} | drawn | fixed
    return some | {"moon_needs_bonus": some["moon_needs_bonus"] and bool(some["bonus_cards"])}


any_settings = some_settings()
any_seed = st.integers(0, 2**32 - 1)


def tried(**strategies: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Try a property on many examples."""

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        decorated: Callable[..., None] = settings(max_examples=EXAMPLES)(given(**strategies)(test))
        return decorated

    return decorate


# Games to look at.


def started(some: Settings, rng: Random, playoff_share: float = 0.4) -> Engine:
    """Return an engine whose first game is dealt from a seed, the others by hand: odd hands, play-offs."""
    engine = Engine(rules_of(some), num_games=N_GAMES, seed=rng.getrandbits(64))
    for index in range(1, N_GAMES):
        game = generators.random_start(rng, some, skewed=True, playoff_share=playoff_share)
        generators.set_up(engine, game, index)
    return engine


class Chooser:
    """Ways to play: by chance, or such that a seat takes every trick it can and the others give it what they have."""

    def __init__(self, rng: Random) -> None:
        self.rng = np.random.default_rng(rng.getrandbits(64))
        self.chance = rng.choice([1.0, 0.02])
        self.revoking = rng.choice([0.0, 0.02, 0.3])

    def __call__(self, engine: Engine) -> NDArray[np.int64]:
        """Return an accepted action for each game, -1 where nobody is to act."""
        rng = self.rng
        mask = engine.action_mask(revokes=rng.random() < self.revoking)
        liking = rng.random(mask.shape)
        if self.chance < 1:
            liking = np.where(rng.random((len(engine), 1)) < self.chance, liking, self._liking(engine))
        return np.where(mask.any(axis=1), (mask * (1 + liking)).argmax(axis=1), -1)

    def _liking(self, engine: Engine) -> NDArray[np.float64]:
        """Return how much the seats to act like each action, (B, 54), not below 0."""
        strength = (
            engine.captured_points * 1000 + in_copies(engine.games["hands"][:, : engine.rules.players]) @ RANKS**2
        )
        takes = (strength.argmax(axis=1) == engine.turn) == (engine.phase == Phase.PLAY)  # and passes what is low
        is_heart = np.arange(52) >= 39
        dear = is_heart * 20.0
        dear[NUMBER_OF[engine.rules.black_card]] = 50
        liking = np.where(takes[:, None], RANKS + 20 * ~is_heart, dear + 12 - RANKS)
        return np.concatenate([liking, self.rng.random((len(engine), 2))], axis=1)


def course(engine: Engine, rng: Random, n_hands: int = 2) -> Iterator[NDArray[np.int64]]:
    """Play hands; yield before each step the actions to be done, and at the end of the hands -1 for all games."""
    choose = Chooser(rng)
    for n in range(n_hands):
        while (actions := choose(engine)).max() >= 0:
            yield actions
            engine.step(actions)
        yield actions
        if n < n_hands - 1:
            engine.next_hand()


def in_copies(planes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return how often each card is in sets of two planes: (..., 2) uint64 to (..., 52)."""
    bits = np.unpackbits(np.ascontiguousarray(planes)[..., None].view(np.uint8), axis=-1, bitorder="little")
    assert not bits[..., 52:].any()
    return bits[..., :52].sum(axis=-2, dtype=np.int64)


def deck_counts(some: Settings, in_play: int) -> NDArray[np.int64]:
    """Return how often each card is in the deck, (52,)."""
    numbers = [NUMBER_OF[card] for card in oracle.deck(oracle.DEFAULTS | some, in_play)]
    return np.bincount(numbers, minlength=52)
