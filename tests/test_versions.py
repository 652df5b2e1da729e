"""A version of a player always plays the same: results, and players measured against it, name the version."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import agents
from agents.manner import TERMS
from agents.rule_player import SETUPS
from rk_env import Engine, Rules
from rk_env.players import choose, decision_seeds
from rk_env.state import HAND_OVER

VARIANTS: list[dict[str, Any]] = [
    {},
    {"moon": "new", "bonus_cards": ("JD", "10D"), "first_trick": "strict"},
    {"black_card": "JS", "first_trick": "off", "passing": "left", "open_with_heart": True},
]


def plays_digest(name: str, engines: Iterable[Engine]) -> str:
    digest = hashlib.sha256()
    for engine in engines:
        player = agents.make(name)
        while (engine.turn >= 0).any():
            engine.step(player.act(engine.games, engine.rules, np.zeros(len(engine), np.uint64)))
        digest.update(engine.games["plays"].tobytes() + engine.games["scores"].tobytes())
    return digest.hexdigest()[:16]


ANOTHER_VERSION = "another behaviour is another version, since results name the version"


@pytest.mark.parametrize(("name", "digest"), [("ducker@1", "938a14a93902a011"), ("rule_based@1", "7a1ad520bd3b3986")])
def test_a_version_always_plays_the_same(name: str, digest: str) -> None:
    hands = (
        Engine(Rules(players=n, moon="new", bonus_cards=("JD",)), 100, seed=n, episode="hand") for n in range(3, 7)
    )
    assert plays_digest(name, hands) == digest, ANOTHER_VERSION


def tied(**settings: Any) -> Engine:
    """Return games in their first play-off hand, of seats 0 and 1 and what others chance adds."""
    engine = Engine(Rules(ties="playoff", target=1, **settings), 200, seed=7)
    engine.games["places"][:, : engine.rules.players] = np.random.default_rng(7).integers(
        0, 2, (200, engine.rules.players)
    )
    engine.games["places"][:, :2] = 0
    engine.games["totals"][:, : engine.rules.players] = 1 + engine.games["places"][:, : engine.rules.players]
    engine.games["phase"], engine.games["turn"] = HAND_OVER, -1
    engine.next_hand()
    return engine


@pytest.mark.parametrize(("name", "digest"), [("ducker@1", "8bcb44a3aee9acf6"), ("rule_based@1", "46e378ff50a3a5e1")])
def test_a_version_always_plays_the_same_in_new_modes(name: str, digest: str) -> None:
    two_decks = [Engine(Rules(players=n, decks=2), 50, seed=n, episode="hand") for n in range(6, 12)]
    assert plays_digest(name, [*two_decks, tied(), tied(two_hand_deal=13)]) == digest, ANOTHER_VERSION


def answers_digest(name: str, table: dict[str, Any], seed: int) -> bytes:
    """Return what a player answers at every decision of hands that others play: good, plain and random ones."""
    engine = Engine(Rules(**table), 60, seed=seed, episode="hand")
    others = [agents.make(other) for other in ("rule_based@1", "ducker@1", "random@1")]
    lineup = np.random.default_rng(seed).integers(0, 3, (60, engine.rules.players))
    player, digest = agents.make(name), hashlib.sha256()
    while (engine.turn >= 0).any():
        seeds = decision_seeds(seed, np.arange(60), engine.games)
        digest.update(player.act(engine.games, engine.rules, seeds).tobytes())
        engine.step(choose(engine, others, lineup, seeds))
    return digest.digest()


def test_rule_based_answers_in_games_of_others_as_it_always_did() -> None:
    """Search players are measured against it."""
    tables: list[dict[str, Any]] = [{"players": n} | variant for n in range(3, 7) for variant in VARIANTS]
    tables += [{"players": n, "decks": 2} for n in range(6, 12)]
    digest = hashlib.sha256(b"".join(answers_digest("rule_based@1", table, seed) for seed, table in enumerate(tables)))
    assert digest.hexdigest()[:16] == "0e012a3552e613dd", ANOTHER_VERSION


DIGESTS = {
    "newcomer@1": "fa994f44c66d0f5d",
    "beginner@1": "42cb0b9ee9a5beaa",
    "learner@1": "f3a658291a407b4e",
    "casual@1": "c3c7918c82887f60",
    "moon_hunter@1": "354459dfa631c69d",
    "moon_stopper@1": "78422ec64bb0ee94",
    "spade_bleeder@1": "9c8101c396c13170",
    "ducker@1:passing=high_spades@1": "d6c360aa397e2828",
    "ducker@1:passing=high_hearts@1": "9781fd97d8f22c7e",
    "ducker@1:passing=guard_aware@1": "07cfa410cbd48c8b",
    "ducker@1:passing=moon_aware@1": "8035b0fdc44903fa",
    "ducker@1:passing=sequential@1": "a99eac3e53e61977",
    f"rule_based@1:without={'+'.join(TERMS)}": "545bd5a713c14cfa",
}


@pytest.mark.parametrize("name", DIGESTS)
def test_versions_answer_as_they_always_did(name: str) -> None:
    tables: list[dict[str, Any]] = [{"players": 3}, {"players": 4, "black_card": "JS"}, {"players": 7, "decks": 2}]
    digest = hashlib.sha256(b"".join(answers_digest(name, table, seed) for seed, table in enumerate(tables)))
    assert digest.hexdigest()[:16] == DIGESTS[name], ANOTHER_VERSION


def test_every_named_rule_player_has_a_digest() -> None:
    assert set(SETUPS) <= {"rule_based@1", "ducker@1", *DIGESTS}
