"""The engine against the oracle: the same turn, phase, legal set and points at every decision of random hands."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

from rk_env.engine import Engine
from rk_env.jit import JIT_DISABLED
from rk_env.state import Phase
from tests import generators, oracle
from tests.generators import NUMBER_OF, Choice, Settings
from tests.oracle import OracleGame

BATCH = 16
PHASE_NUMBERS = {name: int(Phase[name]) for name in ("PASS", "PLAY", "MOON", "HAND_OVER", "GAME_OVER")}

RARE_AT_DECISIONS = ("D4", "D8 strict", "D9", "D10", "D11", "E4 on", "E5", "E6", "E6 heart", "F10 needs bonus")
RARE_AT_THE_END = (
    "moon",
    "moon at six",
    "moon+",
    "moon-",
    "bonus to shooter",
    "bonus elsewhere",
    "game end",
    "shared win",
)


def check_standing(games: list[OracleGame], engine: Engine) -> None:
    """Compare everything that can be asked before a decision or at the end of a hand."""
    expected_turn = [game.to_act() for game in games]
    assert engine.turn.tolist() == expected_turn
    assert engine.phase.tolist() == [PHASE_NUMBERS[game.phase()] for game in games]
    expected_mask = np.array([generators.mask_of(game.legal()) for game in games])
    np.testing.assert_array_equal(engine.action_mask(), expected_mask)
    assert engine.captured_points.tolist() == [game.captured_points() for game in games]
    assert engine.hand_scores.tolist() == [game.hand_scores() for game in games]
    assert engine.totals.tolist() == [game.totals for game in games]
    if max(expected_turn) < 0:
        check_end(games, engine)


def check_end(games: list[OracleGame], engine: Engine) -> None:
    """Compare what is known once a hand is over."""
    assert engine.winner.tolist() == [game.winner() for game in games]
    for game, shares, payoffs in zip(games, engine.win_shares, engine.payoffs, strict=True):
        expected_shares = game.win_shares() if game.winners() else [0.0] * game.players
        np.testing.assert_allclose(shares, expected_shares)
        total = sum(game.hand_scores())
        expected = [(total - score) / (game.players - 1) - score for score in game.hand_scores()]
        np.testing.assert_allclose(payoffs, expected, atol=1e-5)


def play_hands(games: list[OracleGame], engine: Engine, rng: Random, choose: Choice, seen: Counter[str]) -> None:
    """Play the hands of a batch to their ends, comparing at every decision."""
    check_standing(games, engine)
    while any(game.to_act() >= 0 for game in games):
        actions = []
        for game in games:
            if game.to_act() < 0:
                actions.append(-1)
                continue
            action = choose(rng, game)
            seen.update(rare_at_decision(game, action))
            game.apply(action)
            actions.append(NUMBER_OF[action])
        engine.step(np.array(actions))
        check_standing(games, engine)
    for game in games:
        seen.update(rare_at_end(game))
        seen["hands"] += 1


def rare_at_decision(game: OracleGame, action: str) -> list[str]:
    """Return which seldom seen rules this decision is an instance of."""
    if game.phase() != oracle.PLAY:
        return []
    hand = game.hands[game.to_act()]
    hearts = [card for card in hand if card[-1] == "H"]
    only_penalties = all(oracle.is_penalty(game.settings, card) for card in hand)
    restricted = game.first_trick() and bool(game.table) and game.first_trick_is_restricted()
    void = bool(game.table) and all(card[-1] != game.table[0][-1] for card in hand)
    strict = game.first_trick() and game.settings["first_trick"] == "strict" and game.black in hand
    unbroken_lead = not game.table and not game.hearts_broken
    may_lead_heart = any(card[-1] == "H" for card in game.legal())
    cases = {
        "D4": unbroken_lead and game.first_trick() and bool(hearts) and may_lead_heart,
        "D8 strict": strict and not void and game.black not in game.legal(),
        "D9": restricted and void and only_penalties,
        "D10": restricted and void and game.table[0][-1] == "H" and game.black in hand and not only_penalties,
        "D11": restricted and void and action[-1] == "H" and game.table[0][-1] != "H",
        "E4 on": action == game.black and not game.hearts_broken and game.settings["queen_breaks_hearts"],
        "E5": unbroken_lead and len(hearts) == len(hand) and len(hand) > 1,
        "E6": unbroken_lead and len(hand) > 1 and only_penalties and game.legal() == [game.black],
        "E6 heart": unbroken_lead and 0 < len(hearts) < len(hand) and only_penalties and may_lead_heart,
    }
    return [name for name, holds in cases.items() if holds]


def rare_at_end(game: OracleGame) -> list[str]:
    """Return which seldom seen endings this hand is an instance of."""
    shooter = game.shooter()
    shot = shooter is not None
    all_points = sum(oracle.penalty_points(game.settings, card) for card in oracle.deck(game.settings))
    bonus = game.bonus_points()
    cases = {
        "moon": shot,
        "moon at six": shot and game.players == 6,
        "moon+": game.moon_choice == oracle.MOON_ADD,
        "moon-": game.moon_choice == oracle.MOON_SUBTRACT,
        "bonus to shooter": shooter is not None and bonus[shooter] < 0,
        "bonus elsewhere": shooter is not None and any(b < 0 for seat, b in enumerate(bonus) if seat != shooter),
        "F10 needs bonus": not shot and max(game.captured_points()) == all_points,
        "game end": game.phase() == oracle.GAME_OVER,
        "shared win": len(game.winners()) > 1,
    }
    return [name for name, holds in cases.items() if holds]


def play_given_deals(rng: Random, settings: Settings, batch: int, seen: Counter[str]) -> None:
    """Play single hands of given deals, most of them skewed, by chance or with a shooter."""
    games = [generators.random_start(rng, settings, skewed=rng.random() < 0.7) for _ in range(batch)]
    choose = rng.choice([generators.choose_any, generators.choose_with_shooter])
    play_hands(games, generators.engine_of(games), rng, choose, seen)


def play_whole_games(rng: Random, settings: Settings, batch: int, seen: Counter[str]) -> None:
    """Play whole games as the engine deals them; those that have ended wait for the others."""
    engine = Engine(generators.rules_of(settings), num_games=batch, seed=rng.getrandbits(32))
    dealers = engine.games["dealer"].tolist()
    games = [OracleGame(settings, generators.hands_of(engine, i), dealers[i]) for i in range(batch)]
    if isinstance(games[0].settings["first_dealer"], int):
        assert set(dealers) == {games[0].settings["first_dealer"]}
    choose = rng.choice([generators.choose_any, generators.choose_with_shooter])
    play_hands(games, engine, rng, choose, seen)
    for _ in range(5):
        if all(game.phase() == oracle.GAME_OVER for game in games):
            break
        engine.next_hand()
        going_on = [index for index, game in enumerate(games) if game.phase() == oracle.HAND_OVER]
        for index in going_on:
            games[index].next_hand(generators.hands_of(engine, index))
        assert engine.games["dealer"].tolist() == [game.dealer for game in games]
        assert engine.games["hand_number"].tolist() == [game.hand_number for game in games]
        play_hands(games, engine, rng, choose, seen)


def play_many(seed: int, n_hands: int) -> Counter[str]:
    """Play at least a number of hands of random settings, comparing all the way; return what was seen."""
    rng = Random(seed)
    seen: Counter[str] = Counter()
    while seen["hands"] < n_hands:
        settings = generators.random_settings(rng)
        play = play_whole_games if rng.random() < 0.25 else play_given_deals
        play(rng, settings, BATCH, seen)
        seen[f"{settings['players']} players"] += 1
    return seen


def check_seen(seen: Counter[str], at_least: int) -> None:
    """Check that the hands brought up every seldom seen situation often enough to prove something."""
    counts = ", ".join(f"{name}: {count}" for name, count in sorted(seen.items()))
    print(counts)
    missing = [name for name in (*RARE_AT_DECISIONS, *RARE_AT_THE_END) if seen[name] < at_least]
    assert not missing, f"{missing} seen less than {at_least} times; {counts}"


def test_oracle_shares_no_code_with_the_engine() -> None:
    tree = ast.parse(Path(oracle.__file__).read_text())
    names = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    assert names == ["__future__", "collections.abc", "typing"]


def test_engine_agrees_with_oracle_at_every_decision() -> None:
    check_seen(play_many(seed=1, n_hands=generators.scaled(3_000)), at_least=0 if JIT_DISABLED else 5)


@pytest.mark.slow
def test_engine_agrees_with_oracle_over_20_000_hands() -> None:
    check_seen(play_many(seed=2, n_hands=20_000), at_least=25)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_settings_generator_brings_up_every_pair_of_values(players: int) -> None:
    """Every two values of two fields come together, apart from a moon that needs bonus cards without any."""
    rng = Random(0)
    drawn = [generators.random_settings(rng, players, default_share=0.0) for _ in range(1_500)]
    values = generators.setting_values(players)
    pairs = Counter((a, repr(s[a]), b, repr(s[b])) for s in drawn for a in values for b in values if a < b)
    missing = [
        (a, x, b, y)
        for a in values
        for b in values
        if a < b
        for x in values[a]
        for y in values[b]
        if not pairs[a, repr(x), b, repr(y)]
    ]
    assert missing == [("bonus_cards", (), "moon_needs_bonus", True)]
