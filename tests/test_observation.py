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
from numpy.typing import NDArray

from rk_env import OBS_VERSION, Engine, GameRecordError, Rules, RulesError, SeatError
from rk_env.observation import BLOCKS, Layout
from rk_env.observation.__main__ import main
from tests import oracle
from tests.generators import (
    NUMBER_OF,
    choose_any,
    choose_with_shooter,
    engine_of,
    random_settings,
    random_start,
)
from tests.oracle import OracleGame
from tests.playing import play_on

PLAYER_COUNTS = (3, 4, 5, 6)
D = Layout(4).size
PHASES = (oracle.PASS, oracle.PLAY, oracle.MOON, oracle.HAND_OVER, oracle.GAME_OVER)
TAKEN = [rank + "H" for rank in oracle.RANKS] + ["QS", "JS", "JD", "10D"]
Blocks = dict[str, NDArray[np.float64]]
Plays = list[tuple[int, str]]


class Watcher:
    """What one seat knows of a game of the oracle, written down block by block."""

    def __init__(self, game: OracleGame, plays: Plays, me: int) -> None:
        self.game, self.plays, self.me, self.n = game, plays, me, game.players
        self.played = [card for _, card in plays]

    def cards(self, cards: Any) -> NDArray[np.float64]:
        """A row of 52 with ones at some cards."""
        row = np.zeros(52)
        row[[NUMBER_OF[card] for card in cards]] = 1
        return row

    def seat(self, seat: int | None) -> NDArray[np.float64]:
        """A row with a one at a seat, counted from the observer; none for nobody."""
        row = np.zeros(self.n)
        if seat is not None and seat >= 0:
            row[(seat - self.me) % self.n] = 1
        return row

    def by_seat(self, values: Any) -> NDArray[np.float64]:
        """Values in order of seats, turned so that the observer's stands first."""
        return np.roll(np.array(values, float), -self.me, axis=0)

    def of_passing(self) -> Blocks:
        game, me = self.game, self.me
        to = (me + game.distance) % self.n if game.distance else None
        giver = (me - game.distance) % self.n if game.distance else None
        received = game.picks[giver] if giver is not None and game.exchanged else []
        held = [card for card in game.picks[me] if card not in self.played] if game.exchanged else []
        direction = {0: 3, 1: 0, self.n - 1: 1}.get(game.distance, 2)
        return {
            "passed": self.cards(game.picks[me]),
            "passed_held": self.cards(held),
            "received": self.cards(received),
            "pass_to": self.seat(to),
            "pass_from": self.seat(giver),
            "pass_direction": np.eye(4)[direction],
        }

    def of_plays(self) -> Blocks:
        order = np.zeros(52)
        voids = np.zeros((self.n, 4))
        for number, (seat, card) in enumerate(self.plays):
            order[NUMBER_OF[card]] = (number + 1) / 52
            led = self.plays[number - number % self.n][1]
            if card[-1] != led[-1]:
                voids[seat, oracle.SUITS.index(led[-1])] = 1
        return {
            "played": self.by_seat([self.cards(c for s, c in self.plays if s == seat) for seat in range(self.n)]),
            "play_order": order,
            "voids": self.by_seat(voids),
        }

    def of_table(self) -> Blocks:
        game = self.game
        table = game.table
        suit = [np.array([table[0][-1] == letter for letter in oracle.SUITS], float)] if table else [np.zeros(4)]
        same_suit = [card for card in table if card[-1] == table[0][-1]]
        winning = max(same_suit, key=oracle.height) if table else None
        return {
            "table": self.cards(table),
            "led_suit": suit[0],
            "leader": self.seat(game.leader),
            "winning_seat": self.seat((game.leader + table.index(winning)) % self.n if winning else None),
            "winning_card": self.cards([winning] if winning else []),
            "table_points": np.array([sum(oracle.penalty_points(game.settings, card) for card in table) / 26]),
        }

    def of_game(self) -> Blocks:
        game, phase = self.game, self.game.phase()
        hand = game.hands[self.me]
        size = len(oracle.deck(game.settings)) // self.n
        return {
            "hand": self.cards(hand),
            "taken": self.by_seat([[card in taken for card in TAKEN] for taken in game.taken]),
            "points": self.by_seat(game.captured_points()) / 26,
            "hearts_broken": np.array([float(game.hearts_broken)]),
            "black_out": np.array([float(game.black not in self.played)]),
            "trick": np.array([len(game.tricks) / size]),
            "hand_number": np.array([min(game.hand_number, 20) / 20]),
            "totals": self.by_seat(game.totals) / 100,
            "distance": (game.settings["target"] - self.by_seat(game.totals)) / 100,
            "phase": np.eye(5)[PHASES.index(phase)],
            "turn": self.seat(game.to_act()),
            "dealer": self.seat(game.dealer),
            "in_play": np.ones(self.n),
        }

    def blocks(self) -> Blocks:
        return self.of_passing() | self.of_plays() | self.of_table() | self.of_game()


@given(st.integers(0, 2**32 - 1))
def test_every_block_is_what_the_seat_has_seen(seed: int) -> None:
    rng = Random(seed)
    settings = random_settings(rng)
    game = random_start(rng, settings, skewed=rng.random() < 0.5)
    engine = engine_of([game])
    assert {block.name for block in BLOCKS} == Watcher(game, [], 0).blocks().keys()
    choose = rng.choice([choose_any, choose_with_shooter])
    plays: Plays = []
    while True:
        for me in {rng.randrange(game.players), max(0, game.to_act())}:
            seen, expected = engine.observe(me)[0], Watcher(game, plays, me).blocks()
            row = np.concatenate([expected[block.name].ravel() for block in BLOCKS])
            if not np.allclose(seen, row, rtol=1e-6, atol=0):
                for name, block in engine.layout.blocks(seen).items():
                    np.testing.assert_allclose(block, expected[name], rtol=1e-6, err_msg=f"{name}, seat {me}")
        if game.to_act() < 0:
            return
        action = choose(rng, game)
        if game.phase() == oracle.PLAY:
            plays.append((game.to_act(), action))
        game.apply(action)
        engine.step([NUMBER_OF[action]])


def some_games(players: int, n_steps: int, **kwargs: Any) -> Engine:
    engine = Engine(Rules(players=players), num_games=12, seed=3, episode="hand", **kwargs)
    play_on(engine, np.random.default_rng(0), n_steps)
    return engine


@pytest.mark.parametrize("n_steps", [0, 4, 31, 80])
def test_the_uniform_layout_holds_the_small_one(players: int, n_steps: int) -> None:
    small, uniform = some_games(players, n_steps), some_games(players, n_steps, uniform_observations=True)
    for seat in range(players):
        few = small.layout.blocks(small.observe(seat))
        many = uniform.layout.blocks(uniform.observe(seat))
        for name, block in few.items():
            rest = many[name].copy()
            part = rest[:, :players] if block.shape != rest.shape else rest
            np.testing.assert_array_equal(part, block)
            part[:] = 0
            assert not rest.any()
    assert uniform.layout.size == Layout(6).size


def test_observations_stay_within_their_bounds(players: int) -> None:
    for n_steps in (0, 9, 25, 60, 80):
        engine = some_games(players, n_steps)
        for seat in range(players):
            for name, block in engine.layout.blocks(engine.observe(seat)).items():
                assert name in ("totals", "distance") or (block.min() >= 0 and block.max() <= 1), name


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
    with pytest.raises(RulesError, match="rules for 5 players, but the layout is for 4"):
        engine.layout.encode(engine.games, Rules(players=5), seats)
    for games in (engine.games[0], engine.games.view(np.uint8), engine.games.reshape(3, 4)):
        with pytest.raises(GameRecordError, match=r"shape \(B,\)"):
            engine.layout.encode(games, engine.rules, seats)
    for players in (2, 7, 4.5, None):
        with pytest.raises(RulesError, match="players"):
            Layout(players)  # type: ignore[arg-type]


# The layout.


@pytest.mark.parametrize("uniform", [False, True])
def test_blocks_cover_the_vector(players: int, uniform: bool) -> None:
    layout = Layout(players, uniform=uniform)
    end = 0
    for block in BLOCKS:
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


DIGEST_OF_VERSION = {1: "eda9b89e922de1b4"}


def digest() -> str:
    """A digest of the layout of every table size, and of what some games look like in it."""
    found = hashlib.sha256()
    for players in PLAYER_COUNTS:
        for uniform in (False, True):
            found.update(Layout(players, uniform=uniform).table().encode())
        for n_steps in (2, 20, 40, 80):
            engine = Engine(Rules(players=players), seeds=range(5), episode="hand")
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


def test_the_command_runs_and_refuses() -> None:
    command = [sys.executable, "-m", "rk_env.observation"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "| 0-51 | `hand` | 52 |" in ran.stdout
    refused = subprocess.run([*command, "--players", "7"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "invalid choice: 7" in refused.stderr


@pytest.mark.parametrize("seats", [[0, 4], [-1, 0], [10**9, 0], [0], [0.0, 1.0]])
def test_observers_sit_at_the_table(seats: list[Any]) -> None:
    engine = Engine(num_games=2, seed=1)
    for encode in (engine.layout.encode, engine.layout.encode_privileged):
        with pytest.raises(SeatError):
            encode(engine.games, engine.rules, np.array(seats))
