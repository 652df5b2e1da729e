"""A game is what its seed and the actions make of it, however games are batched."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rk_env import Engine, GameRecordError, IllegalActionError, Phase, Rules
from rk_env.jit import JIT_DISABLED
from tests.playing import random_actions, tied_hand

N_GAMES = 12 if not JIT_DISABLED else 3

SOME_RULES = [
    Rules(players=3, moon="new", target=30),
    Rules(players=7, decks=2, target=30),
    Rules(players=11, decks=2, leftover="strip", opening="two_of_clubs", target=30),
    Rules(revokes="corrected", target=60),
    Rules(revokes="exposed", target=60),
    Rules(revokes="exposed", late_revoke="replay", target=60),
    Rules(players=6, decks=2, revokes="exposed", late_revoke="replay", target=60),
    Rules(players=9, decks=2, revokes="corrected", black_card="JS", target=60),
]


def test_a_game_does_not_depend_on_the_batch(table: Rules) -> None:
    many = Engine(table, num_games=64, seed=5)
    for n in (4, 5, 63):
        few = Engine(table, num_games=n, seed=5)
        assert few.games.tobytes() == many.games[:n].tobytes()
    alone = Engine(table, seeds=[many.games["seed"][3]])
    assert alone.games.tobytes() == many.games[3:4].tobytes()


def assert_alike(together: Engine, apart: list[Engine]) -> None:
    """All that an engine shows of a batch is what it shows of its games one by one."""
    assert together.games.tobytes() == b"".join(engine.games.tobytes() for engine in apart)


def assert_shows_alike(together: Engine, apart: list[Engine]) -> None:
    for name in ("captured_points", "hand_scores", "payoffs", "places", "win_shares", "winner", "in_play", "turn"):
        shown = np.concatenate([getattr(engine, name) for engine in apart])
        np.testing.assert_array_equal(getattr(together, name), shown, err_msg=name)
    for revokes in (True, False):
        masks = np.concatenate([engine.action_mask(revokes=revokes) for engine in apart])
        np.testing.assert_array_equal(together.action_mask(revokes=revokes), masks)
    np.testing.assert_array_equal(together.observe(), np.concatenate([engine.observe() for engine in apart]))


def play_both_ways(together: Engine, apart: list[Engine], n_steps: int) -> None:
    """Play at random in a batch and one by one; now and then deal the hands that are due, or some again."""
    rng = np.random.default_rng(1)
    for step in range(n_steps):
        actions = random_actions(together, rng)
        together.step(actions)
        for engine, action in zip(apart, actions, strict=True):
            engine.step([action])
        if step % 7 == 0:
            for engine in (together, *apart):
                engine.next_hand()
        if step % 100 == 50:
            chosen = np.flatnonzero((together.turn >= 0) & (rng.random(len(apart)) < 0.3))
            together.redeal(chosen)
            for game in chosen:
                apart[game].redeal()
        assert_alike(together, apart)
        if step % 10 == 0:
            assert_shows_alike(together, apart)


@pytest.mark.parametrize("episode", ["game", "hand"])
def test_a_batch_is_its_games_one_by_one(table: Rules, episode: Any) -> None:
    seeds = np.arange(100, 100 + N_GAMES, dtype=np.uint64)
    together = Engine(table, seeds=seeds, episode=episode)
    apart = [Engine(table, seeds=[seed], episode=episode) for seed in seeds]
    play_both_ways(together, apart, 3 * (3 * table.players + len(table.deck)))
    assert (together.games["hand_number"] > 2).any()


@pytest.mark.parametrize("rules", SOME_RULES, ids=repr)
def test_a_batch_is_its_games_one_by_one_with_revokes_replays_and_play_offs(rules: Rules) -> None:
    seeds = np.arange(100, 100 + N_GAMES, dtype=np.uint64)
    together = Engine(rules, seeds=seeds)
    apart = [Engine(rules, seeds=[seed]) for seed in seeds]
    play_both_ways(together, apart, 6 * (3 * rules.players + len(rules.deck)) if not JIT_DISABLED else 60)
    if rules.revokes != "prevented" and not JIT_DISABLED:
        assert together.games["revokes"].any()
        assert rules.late_revoke == "play_on" or (together.games["redeal"] > 2).any()


@pytest.mark.parametrize(("players", "seats"), [(4, [0, 3]), (5, [1, 2, 4]), (10, [0, 1, 2, 5, 6, 7, 8, 9])])
def test_play_offs_do_not_depend_on_the_batch(players: int, seats: list[int]) -> None:
    """Games of a batch that differ in who is in play, and how many, are those games one by one."""
    rules = Rules(players=players, decks=1 if players < 7 else 2, two_hand_deal=13, target=30)
    parts = [tied_hand(rules, some, seed) for seed, some in enumerate([seats, seats[:2], range(players), seats[-2:]])]
    together = Engine.from_games(np.concatenate([part.games for part in parts]), rules)
    for engine in (together, *parts):
        engine.next_hand()
    assert len(set(together.games["n_in_play"].tolist())) > 1
    play_both_ways(together, parts, 250 if not JIT_DISABLED else 60)
    if not JIT_DISABLED:
        assert (together.phase == Phase.GAME_OVER).any()


def test_other_games_of_a_batch_are_left_as_they_are() -> None:
    """A replay for a revoke deals its own game again, and no other one."""
    engine = Engine(Rules(revokes="exposed", late_revoke="replay", passing="none"), num_games=200, seed=3)
    rng = np.random.default_rng(0)
    n_replays = 0
    for _ in range(40):
        before = engine.games.copy()
        engine.step(random_actions(engine, rng))
        replayed = engine.games["redeal"] > before["redeal"]
        n_replays += int(replayed.sum())
        played = engine.games["n_plays"] - before["n_plays"]
        assert (played[~replayed] == 1).all()
        assert not engine.games["n_plays"][replayed].any()
        assert (engine.games["seed"] == before["seed"]).all()
        assert (engine.games["totals"] == before["totals"]).all()
    assert n_replays > 100


def digests(games: NDArray[np.void]) -> list[bytes]:
    return [game.tobytes() for game in games]


@pytest.mark.parametrize("rules", SOME_RULES, ids=repr)
def test_order_and_neighbours_do_not_matter(rules: Rules) -> None:
    """The same seeds in another order, with other neighbours, lead to the same games, play by play."""
    seeds = np.array([5, 6, 7, 8], np.uint64)
    one, other = Engine(rules, seeds=seeds), Engine(rules, seeds=[8, 99, 6, 5, 7, 98])
    places = [3, 2, 4, 0]  # where the other batch has the games of the first
    for step in range(120 if not JIT_DISABLED else 30):
        for engine in (one, other):
            mask = engine.action_mask()
            n_accepted = mask.sum(axis=1)
            nth = np.where(n_accepted > 0, (7 * step + 3) % np.maximum(n_accepted, 1), 0)
            engine.step(np.where(n_accepted > 0, (mask.cumsum(axis=1) > nth[:, None]).argmax(axis=1), -1))
            engine.next_hand()
        assert digests(one.games) == digests(other.games[places])


def test_chosen_games_step_and_the_others_wait() -> None:
    engine = Engine(Rules(), num_games=5, seed=1)
    alone = Engine.from_games(engine.games[[3, 1]].copy(), engine.rules)
    waiting = engine.games[[0, 2, 4]].tobytes()
    rng = np.random.default_rng(0)
    while (alone.turn >= 0).any():
        actions = random_actions(alone, rng)
        engine.step(actions, games=[3, 1])
        alone.step(actions)
        assert engine.games[[3, 1]].tobytes() == alone.games.tobytes()
    assert engine.games[[0, 2, 4]].tobytes() == waiting
    engine.step([-1, -1], games=np.array([False, True, False, True, False]))
    engine.step([], games=[])


def test_an_illegal_action_in_a_chosen_game_names_that_game() -> None:
    engine = Engine(Rules(), num_games=5, seed=1)
    legal = random_actions(engine, np.random.default_rng(0))
    before = engine.games.tobytes()
    with pytest.raises(IllegalActionError, match=r"game 4, seat \d, phase PASS: moon- is not legal") as caught:
        engine.step([legal[2], 53], games=[2, 4])
    assert (caught.value.game, caught.value.action) == (4, 53)
    for actions, games in (([legal[2]], [2, 4]), (legal, [2, 4]), ([legal[2], legal[4]], None)):
        with pytest.raises(IllegalActionError, match="one a game"):
            engine.step(actions, games=games)
    with pytest.raises(GameRecordError):
        engine.step([legal[2], legal[2]], games=[2, 2])
    assert engine.games.tobytes() == before
