"""Observations: every block against a slow computation from what a player has seen, and the layout that says where."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rk_env import OBS_VERSION, Engine, GameRecordError, Rules, RulesError, SeatError
from rk_env.observation import BLOCKS, Layout
from rk_env.observation.__main__ import main
from tests import oracle
from tests.generators import (
    NUMBER_OF,
    choose_any,
    choose_with_shooter,
    engine_of,
    hands_of,
    kitty_of,
    random_settings,
    random_start,
    with_revokes,
)
from tests.oracle import OracleGame
from tests.playing import play_on
from tests.unseen import TABLES, cards_of, play_offs
from tests.watcher import Record, Watcher

PLAYER_COUNTS = (3, 4, 5, 6)
D = Layout(4).size
KINDS: list[dict[str, Any]] = [
    {**table, "revokes": revokes} for table in TABLES.values() for revokes in ("prevented", "corrected", "exposed")
]
"""Every table, with and without revokes."""
LAYOUTS = [
    Layout(decks=decks, players=n, revokes=r)
    for decks, counts in ((1, range(3, 7)), (2, range(6, 12)))
    for n in counts
    for r in (False, True)
]


def check_observation(engine: Engine, game: OracleGame, record: Record, me: int) -> None:
    """Compare what a seat sees, block by block when something is wrong, and see that it stays within its bounds."""
    seen, watcher = engine.observe(me)[0], Watcher(game, record, me)
    blocks = engine.layout.blocks(seen)
    if not np.allclose(seen, watcher.row(list(blocks)), rtol=1e-6, atol=1e-7):
        for name, block in blocks.items():
            expected = watcher.blocks()[name]
            np.testing.assert_allclose(block, expected, rtol=1e-6, atol=1e-7, err_msg=f"{name}, seat {me}")
    for name in set(blocks) - {"totals", "distance"}:
        assert blocks[name].min() >= 0 and blocks[name].max() <= 1, name


@given(st.sampled_from([1, 2]), st.integers(0, 2**32 - 1))
def test_every_block_is_what_the_seat_has_seen(decks: int, seed: int) -> None:
    rng = Random(seed)
    game = random_start(rng, random_settings(rng, decks=decks), rng.random() < 0.5, playoff_share=0.3)
    engine, record = engine_of([game]), Record()
    choose = with_revokes(rng.choice([choose_any, choose_with_shooter]), rng.choice([0.0, 0.05, 0.3]))
    while True:
        me = rng.choice([rng.randrange(game.players), max(0, game.to_act())])
        check_observation(engine, game, record, me)
        if game.to_act() < 0:
            return
        action = choose(rng, game)
        record.note(game, action)
        game.apply(action)
        engine.step([NUMBER_OF[action]])
        if game.phase() == oracle.DEAL_AGAIN:
            game.deal_again(hands_of(engine), kitty_of(engine))
            record = Record()


@pytest.mark.parametrize("decks", [1, 2])
def test_the_watcher_knows_every_block(decks: int) -> None:
    settings = {"players": 6, "decks": decks}
    game = random_start(Random(0), settings, skewed=False)
    assert {block.name for block in BLOCKS} == Watcher(game, Record(), 0).blocks().keys()
    assert {block.only_with for block in BLOCKS} == {"", "decks", "revokes"}


def some_games(players: int, n_steps: int, **kwargs: Any) -> Engine:
    return after_steps(Engine(Rules(players=players), num_games=12, seed=3, episode="hand", **kwargs), n_steps)


def after_steps(engine: Engine, n_steps: int) -> Engine:
    play_on(engine, np.random.default_rng(0), n_steps)
    return engine


@pytest.mark.parametrize("settings", KINDS, ids=str)
def test_the_uniform_layout_holds_the_small_one(settings: dict[str, Any]) -> None:
    players, most = settings["players"], 11 if settings.get("decks") == 2 else 6
    for n_steps in (0, 4, 31, 120):
        engine = after_steps(Engine(Rules(**settings), num_games=6, seed=3, episode="hand"), n_steps)
        uniform = Engine.from_games(engine.games.copy(), engine.rules, uniform_observations=True)
        assert uniform.layout.seats == most
        for seat in range(players):
            few, many = engine.layout.blocks(engine.observe(seat)), uniform.layout.blocks(uniform.observe(seat))
            assert few.keys() == many.keys()
            for name, block in few.items():
                rest = many[name].copy()
                part = rest[:, :players] if block.shape != rest.shape else rest
                np.testing.assert_array_equal(part, block)
                part[:] = 0
                assert not rest.any()


def test_the_uniform_layout_is_one_for_all_player_counts() -> None:
    for decks, counts in ((1, range(3, 7)), (2, range(6, 12))):
        for revokes in (False, True):
            tables = {Layout(n, decks=decks, revokes=revokes, uniform=True).table() for n in counts}
            assert tables == {Layout(counts[-1], decks=decks, revokes=revokes).table()}


def test_more_fines_than_fit_stay_within_the_bounds() -> None:
    engine = Engine(Rules(players=6, decks=2, revokes="corrected"), seed=1)
    engine.games["revokes"][0, :3] = [3, 10, 500]
    assert engine.layout.blocks(engine.observe(0))["revokes"].tolist() == [[np.float32(0.3), 1, 1, 0, 0, 0]]


def test_a_play_off_of_one_deck_is_seen_in_copies_of_two() -> None:
    """X14: as the meaning says, copies / decks, where the decks are those of the rules."""
    engine = play_offs({"players": 7, "decks": 2, "passing": "left"}, 8, seed=2, n_seats=4)
    seats = engine.turn.astype(np.int64)
    before = engine.layout.blocks(engine.observe(seats))
    assert before["black_out"].tolist() == [[0.5]] * 8
    assert np.unique(before["hand"]).tolist() == [0, 0.5]
    after_steps(engine, 64)
    assert (engine.turn == -1).all()
    assert engine.layout.blocks(engine.observe(0))["black_out"].tolist() == [[0]] * 8


def test_no_seat_asked_for_is_the_seat_to_act() -> None:
    engine = some_games(4, 79)
    assert (engine.turn == -1).any()
    np.testing.assert_array_equal(engine.observe(), engine.observe(np.maximum(engine.turn, 0)))
    engine = some_games(4, 20)
    np.testing.assert_array_equal(engine.observe(), engine.observe(engine.turn))


def test_all_hands_for_critics(players: int) -> None:
    engine = some_games(players, 20)
    seats = np.full(12, 2, np.int64)
    hands = engine.layout.encode_privileged(engine.games, engine.rules, seats).reshape(12, players, 52)
    for game in range(12):
        for seat in range(players):
            bb = int(engine.games["hands"][game, (2 + seat) % players, 0])
            assert [bb >> card & 1 for card in range(52)] == hands[game, seat].tolist()
    np.testing.assert_array_equal(hands[:, 0], engine.observe(seats)[:, engine.layout.slices["hand"]])
    uniform = Layout(players, uniform=True)
    assert uniform.encode_privileged(engine.games, engine.rules, seats).shape == (12, 6 * 52)
    assert not any("all hands" in block.meaning for block in BLOCKS)


def test_all_hands_of_two_decks_for_critics() -> None:
    engine = after_steps(Engine(Rules(players=7, decks=2), num_games=5, seed=4), 40)
    seats = np.arange(5)
    hands = engine.layout.encode_privileged(engine.games, engine.rules, seats).reshape(5, 7, 52)
    assert {0, 0.5, 1} == set(np.unique(hands).tolist())
    for game, seat in np.ndindex(5, 7):
        copies = np.bincount(cards_of(engine.games["hands"][game, (game + seat) % 7]), minlength=52)
        np.testing.assert_array_equal(hands[game, seat], copies / 2)


# Buffers and refusals.


def test_arrays_are_fresh_and_a_given_one_is_filled() -> None:
    engine = some_games(4, 20)
    first, second = engine.observe(), engine.observe()
    assert not np.shares_memory(first, second)
    assert not np.shares_memory(engine.action_mask(), engine.action_mask())
    out = np.full(first.shape, np.nan, np.float32)
    assert engine.observe(out=out) is out
    np.testing.assert_array_equal(out, first)


@pytest.mark.parametrize(
    "out",
    [
        np.zeros((12, D), np.float64),
        np.zeros((11, D), np.float32),
        np.zeros((12, D + 1), np.float32),
        np.zeros((12, 2 * D), np.float32)[:, ::2],
        np.zeros((12, D), np.float32, order="F"),
    ],
)
def test_bad_buffers(out: Any) -> None:
    engine = some_games(4, 0)
    with pytest.raises(GameRecordError, match=rf"float32 array of shape \(12, {D}\)|C-contiguous and writeable"):
        engine.observe(out=out)


def test_layouts_refuse_other_games() -> None:
    engine = some_games(4, 0)
    seats = np.zeros(12, np.int64)
    for other in ({"players": 5}, {"players": 4, "revokes": "corrected"}, {"players": 6, "decks": 2}):
        with pytest.raises(
            RulesError, match="the layout is for players=4, decks=1, revokes=False; the rules are Rules"
        ):
            engine.layout.encode(engine.games, Rules(**other), seats)
    with pytest.raises(RulesError, match="the layout is for players=6, decks=2, revokes=True"):
        Layout(6, decks=2, revokes=True).encode(engine.games, Rules(players=6, decks=2), seats)
    for games in (engine.games[0], engine.games.view(np.uint8), engine.games.reshape(3, 4)):
        with pytest.raises(GameRecordError, match=r"shape \(B,\)"):
            engine.layout.encode(games, engine.rules, seats)
    for players in (2, 7, 4.0, 4.5, None):
        with pytest.raises(RulesError, match=r"players=.* is not allowed with decks=1; allowed: 3 to 6"):
            Layout(players)  # type: ignore[arg-type]
    for players in (5, 12):
        with pytest.raises(RulesError, match=r"players=.* is not allowed with decks=2; allowed: 6 to 11"):
            Layout(players, decks=2)
    for decks in (0, 3, None, "2"):
        with pytest.raises(RulesError, match=r"decks=.* is not allowed; allowed: 1, 2"):
            Layout(6, decks=decks)  # type: ignore[arg-type]


@pytest.mark.parametrize("settings", KINDS, ids=str)
def test_the_layout_of_rules(settings: dict[str, Any]) -> None:
    rules = Rules(**settings)
    for uniform in (False, True):
        layout = Layout.of(rules, uniform=uniform)
        expected = (rules.players, rules.decks, rules.revokes != "prevented", uniform)
        assert (layout.players, layout.decks, layout.revokes, layout.uniform) == expected
        engine = Engine(rules, 2, seed=1, uniform_observations=uniform)
        assert engine.layout.slices == layout.slices
        assert engine.observe().shape == (2, layout.size)


# The layout.


@pytest.mark.parametrize(
    "layout",
    [
        *LAYOUTS,
        *(Layout(layout.players, decks=layout.decks, revokes=layout.revokes, uniform=True) for layout in LAYOUTS),
    ],
    ids=lambda layout: f"{layout.players}-{layout.decks}-{layout.revokes}-{layout.uniform}",
)
def test_blocks_cover_the_vector(layout: Layout) -> None:
    end = 0
    for block in (block for block in BLOCKS if block.name in layout.shapes):
        part = layout.slices[block.name]
        assert part.start == end
        assert part.stop - part.start == np.prod(layout.shapes[block.name])
        assert f"`{block.name}`" in layout.table()
        end = part.stop
    assert end == layout.size


def test_blocks_are_views_of_the_vector() -> None:
    layout = Layout(3)
    vectors = np.zeros((2, 5, layout.size), np.float32)
    blocks = layout.blocks(vectors)
    blocks["played"][:] = 1
    assert blocks["played"].shape == (2, 5, 3, 52)
    assert vectors.sum() == 2 * 5 * 3 * 52


DIGEST_OF_VERSION = {2: "3df6f8215489509f"}


def digest() -> str:
    """A digest of the layout of every kind of table, and of what some games look like in it."""
    found = hashlib.sha256()
    for settings in KINDS:
        for uniform in (False, True):
            found.update(Layout.of(Rules(**settings), uniform=uniform).table().encode())
        for n_steps in (2, 20, 40, 80, 130):
            engine = Engine(Rules(**settings), seeds=range(5), episode="hand")
            for _ in range(n_steps):
                mask = engine.action_mask()
                engine.step(np.where(mask.any(axis=1), mask.argmax(axis=1), -1))
            found.update(np.rint(10_000 * engine.observe(1)).astype(np.int32).tobytes())  # blind to the last bits
    return found.hexdigest()[:16]


def test_a_change_of_observations_is_a_new_version() -> None:
    assert digest() == DIGEST_OF_VERSION[OBS_VERSION], (
        "observations have changed: let rk_env.observation.OBS_VERSION grow, say so in the changelog, and add the new "
        "digest here; if only words of the table, or the games of these seeds, have changed, replace the digest"
    )


# The command.


def test_the_command_prints_the_layout(capsys: pytest.CaptureFixture[str]) -> None:
    for players in PLAYER_COUNTS:
        main(["--players", str(players)])
        printed = capsys.readouterr().out
        assert f"Observation version {OBS_VERSION}, {players} players: {Layout(players).size} float32" in printed
        assert Layout(players).table() in printed
    main(["--players", "3", "--uniform"])
    assert Layout(6).table() in capsys.readouterr().out
    main(["--decks", "2", "--players", "8", "--revokes"])
    printed = capsys.readouterr().out
    layout = Layout(8, decks=2, revokes=True)
    assert f"Observation version {OBS_VERSION}, 8 players, 2 decks, with revokes: {layout.size} float32" in printed
    assert layout.table() in printed


def test_the_command_runs_and_refuses() -> None:
    command = [sys.executable, "-m", "rk_env.observation"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "| 0-51 | `hand` | 52 |" in ran.stdout
    refused = subprocess.run([*command, "--players", "7"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "error: players=7 is not allowed with decks=1; allowed: 3 to 6" in refused.stderr


@pytest.mark.parametrize("seats", [[0, 4], [-1, 0], [10**9, 0], [0], [0.0, 1.0]])
def test_observers_sit_at_the_table(seats: list[Any]) -> None:
    engine = Engine(num_games=2, seed=1)
    for encode in (engine.layout.encode, engine.layout.encode_privileged):
        with pytest.raises(SeatError):
            encode(engine.games, engine.rules, np.array(seats))
