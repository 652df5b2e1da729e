# ruff: noqa: N802 - names carry the numbers of rules
"""The engine against the oracle: the same turn, phase, legal set and points at every decision of random hands.

The settings are those of the all-pairs tables. `python -m tests.long_oracle` plays on for as long as one likes.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from rk_env.jit import JIT_DISABLED
from rk_env.kernels.deal import lowest_drawers
from tests import generators, long_oracle, oracle, oracle_rare
from tests.all_pairs import all_pairs, all_possible_pairs, is_possible, pairs_of, player_counts, setting_values
from tests.generators import NUMBER_OF
from tests.oracle import OracleGame
from tests.oracle_match import DifferenceError, play_match, play_round, table


def play_many(seed: int, n_hands: int) -> Counter[str]:
    """Play at least a number of hands, comparing all the way; return what was seen."""
    rows = table()
    seen: Counter[str] = Counter()
    number = 0
    while seen["hands"] < n_hands:
        seen += play_round(seed, number, rows)
        number += 1
    assert JIT_DISABLED or number >= len(rows), "not all settings were played"
    return seen


def check_seen(seen: Counter[str], at_least: int) -> None:
    """Check that the hands brought up every seldom seen situation often enough to prove something."""
    counts = f"{seen['hands']} hands; {long_oracle.counts_text(seen)}"
    print(counts)
    missing = [name for name in oracle_rare.all_names() if seen[name] < at_least]
    assert not missing, f"{missing} seen less than {at_least} times; {counts}"


def test_engine_agrees_with_oracle_at_every_decision() -> None:
    check_seen(play_many(seed=1, n_hands=generators.scaled(3_000)), at_least=0 if JIT_DISABLED else 1)


@pytest.mark.slow
def test_engine_agrees_with_oracle_over_20_000_hands() -> None:
    check_seen(play_many(seed=2, n_hands=20_000), at_least=5)


def test_B1_B2_engine_and_oracle_draw_the_same_dealers() -> None:
    rng = Random(3)
    for _ in range(500):
        players = rng.randint(2, 11)
        drawers = sorted(rng.sample(range(players), rng.randint(1, players)))
        cards = rng.sample(generators.CARD_TEXTS, players)
        drawn = np.array([NUMBER_OF[card] for card in cards], np.int8)
        bits = int(lowest_drawers(drawn, sum(1 << seat for seat in drawers)))
        expected = oracle.lowest_drawers({seat: cards[seat] for seat in drawers})
        assert [seat for seat in range(players) if bits >> seat & 1] == expected


# The comparison itself


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("breaks_hearts", lambda game, card: False),
        ("shooter", lambda game: None),
        ("first_leader", lambda game: game.eldest()),
        ("fines", lambda game: [0] * game.players),
        ("rank_play_off", lambda game: None),
        ("possible_revokes", lambda game, seat: []),
    ],
)
def test_a_rule_broken_on_purpose_is_found_and_can_be_seen_again(
    name: str, broken: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(OracleGame, name, broken)
    with pytest.raises(DifferenceError) as found:
        play_many(seed=5, n_hands=3_000)
    message = str(found.value)
    number = message.split("--seed 5 --round ")[1].split(";")[0]
    assert "settings: " in message
    assert "totals" in message
    assert long_oracle.main(["--seed", "5", "--round", number]) == 1
    assert capsys.readouterr().err.strip() == message
    monkeypatch.undo()
    assert long_oracle.main(["--seed", "5", "--round", number]) == 0


def test_a_program_that_gives_up_is_found_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle.OracleGame, "legal_picks", lambda game, seat: game.hands[seat][:0])
    with pytest.raises(DifferenceError, match=r"ValueError|IndexError|accepted") as found:
        play_many(seed=5, n_hands=3_000)
    assert "again: python -m tests.long_oracle --seed 5 --round " in str(found.value)
    monkeypatch.setattr(oracle.OracleGame, "take_deal", lambda *args: 1 // 0)
    with pytest.raises(DifferenceError, match="ZeroDivisionError"):
        play_round(5, 0, table())


def test_the_long_command_counts_and_fails_when_a_rule_was_never_met(capsys: pytest.CaptureFixture[str]) -> None:
    assert long_oracle.main(["--hands", "1", "--seed", "3"]) == 1
    out = capsys.readouterr().out
    assert "met per 10,000 hands" in out
    assert "never met: " in out


# The settings


@pytest.mark.parametrize("decks", [1, 2])
def test_the_table_brings_up_every_possible_pair_of_values(decks: int) -> None:
    rows = all_pairs(decks)
    assert rows == all_pairs(decks)
    met = {pair for row in rows for pair in pairs_of({name: row[name] for name in row if name != "decks"})}
    assert met == set(all_possible_pairs(decks))
    assert all(generators.rules_of(row).decks == decks for row in rows)
    assert len(rows) < 160


def test_the_pairs_left_out_are_those_that_make_no_game() -> None:
    for decks in (1, 2):
        fields = {"players": player_counts(decks), **setting_values(decks=decks)}
        assert set(fields) | {"decks"} == set(oracle.DEFAULTS)
        n_all = sum(len(fields[a]) * len(fields[b]) for a in fields for b in fields if a < b)
        n_possible = len(all_possible_pairs(decks))
        most = player_counts(decks)[-1]
        absent_seats = sum(most - players for players in player_counts(decks))  # as first dealer; and as a distance
        assert n_all - n_possible == 2 * absent_seats + 1
    assert not is_possible(("moon_needs_bonus", True, "bonus_cards", ()))


@pytest.mark.parametrize(("players", "decks"), [(3, 1), (4, 1), (5, 1), (6, 1), (6, 2), (9, 2), (11, 2)])
def test_settings_generator_brings_up_every_value(players: int, decks: int) -> None:
    rng = Random(0)
    drawn = [generators.random_settings(rng, players, default_share=0.0, decks=decks) for _ in range(300)]
    for field, values in setting_values(players, decks).items():
        assert {repr(settings[field]) for settings in drawn} == {repr(value) for value in values}
    assert all(generators.rules_of(settings).players == players for settings in drawn)


def test_defaults_are_the_first_values_of_the_table() -> None:
    first = {field: values[0] for field, values in setting_values().items()}
    assert first | {"players": 4, "decks": 1} == oracle.DEFAULTS


def test_matches_of_one_game_compare_too() -> None:
    for number, settings in enumerate(table()[: generators.scaled(20)]):
        play_match(Random(number), settings, n_games=1)
