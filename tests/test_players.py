"""Players: names and specs, whole tables of players, and the check of what a player answers."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from importlib.metadata import EntryPoint
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rk_env import Engine, Phase, PlayerError, Rules, SeedError, players
from rk_env.kernels import batch
from rk_env.players import (
    Evaluation,
    Player,
    RandomPlayer,
    checked_act,
    choose,
    decision_seeds,
    make,
    names,
    register,
)
from tests.generators import NUMBER_OF, act, hold_hand
from tests.unseen import play_offs


class Careful(RandomPlayer):
    """A player with options."""

    def __init__(self, depth: int = 1, style: str = "low", *, wild: bool = False) -> None:
        self.name = f"careful@1:{depth},{style},{wild}"


class Answering:
    """A player that gives a fixed answer."""

    name = "answering@1"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self.answer  # type: ignore[no-any-return]

    def evaluate(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> Evaluation:
        return RandomPlayer().evaluate(views, rules, seeds)


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A registry that this test may fill."""
    monkeypatch.setattr(players, "_FACTORIES", {"random": RandomPlayer})
    register("careful", Careful)


# Names and specs.


def test_random_is_there() -> None:
    assert "random" in names()
    assert isinstance(make("random"), RandomPlayer)
    assert make("random").name == "random@1"
    assert isinstance(make("random"), Player)


@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize(
    ("spec", "options", "name"),
    [
        ("careful", {}, "careful@1:1,low,False"),
        ("careful:", {}, "careful@1:1,low,False"),
        ("careful:depth=3", {}, "careful@1:3,low,False"),
        ("careful:depth=3,style=high,wild=True", {}, "careful@1:3,high,True"),
        ("careful: depth = 3 , style = 'a b'", {}, "careful@1:3,a b,False"),
        ("careful:depth=3", {"depth": 5}, "careful@1:5,low,False"),
        ("careful", {"wild": True}, "careful@1:1,low,True"),
    ],
)
def test_specs_with_options(spec: str, options: dict[str, Any], name: str) -> None:
    assert make(spec, **options).name == name


@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("careflu", "no player is called 'careflu'; did you mean 'careful'\\? Known: .*random.*module:attribute"),
        ("nobody", "no player is called 'nobody'"),
        ("", "no player is called ''"),
        ("careful:depth", "'depth' is no option; write name=value"),
        ("careful:depth=1,=2", "is no option"),
        ("careful:deep=1", "unexpected keyword argument 'deep'"),
        ("random:depth=1", "'random:depth=1'.*takes no arguments"),
        ("no_such_module:Player", "No module named 'no_such_module'"),
        ("rk_env.players:Nobody", "no attribute 'Nobody'"),
        ("rk_env.players:ENTRY_POINTS", "not callable"),
        ("rk_env:Rules", "which is no player: it needs `name`, `act` and `evaluate`"),
        (".relative:Player", "'.relative:Player'"),
        (5, "5 is no player"),
        (RandomPlayer, "is no player"),
    ],
)
def test_bad_specs(spec: Any, message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        make(spec)


def test_players_of_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("some_module")
    one = Careful(depth=9)
    vars(module).update(Careful=Careful, one=one, build=lambda: one)
    monkeypatch.setitem(sys.modules, "some_module", module)
    assert isinstance(make("some_module:Careful"), Careful)
    assert make("some_module:one") is one
    assert make("some_module:build") is one
    assert make(one) is one
    assert make("some_module:Careful", depth=2).name == "careful@1:2,low,False"


@pytest.mark.usefixtures("registry")
def test_registering() -> None:
    register("careful", Careful)  # again, the same
    with pytest.raises(PlayerError, match="'careful' is registered already"):
        register("careful", RandomPlayer)
    for name in ("", "a:b", "a,b", "a b"):
        with pytest.raises(PlayerError, match="cannot name a player"):
            register(name, RandomPlayer)
    assert names() == ["careful", "random"]


@pytest.mark.usefixtures("registry")
def test_players_of_installed_distributions(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint(name="guest", value="rk_env.players:RandomPlayer", group=players.ENTRY_POINTS)

    def entry_points(*, group: str, name: str | None = None) -> list[EntryPoint]:
        assert group == "rk_env.players"
        return [point] if name in (None, "guest") else []

    monkeypatch.setattr(players, "entry_points", entry_points)
    assert names() == ["careful", "guest", "random"]
    assert isinstance(make("guest"), RandomPlayer)


# Tables.


def some_games(n: int = 40, **kwargs: Any) -> Engine:
    return Engine(num_games=n, seed=1, **kwargs)


def seeds_of(engine: Engine, seed: int = 5) -> NDArray[np.uint64]:
    return decision_seeds(seed, np.arange(len(engine)), engine.games)


def play_hands(engine: Engine, table: list[Player], lineup: NDArray[np.int64]) -> None:
    while (engine.turn >= 0).any():
        engine.step(choose(engine, table, lineup, seeds_of(engine)))


def test_every_seat_is_asked_by_its_own_player() -> None:
    asked: dict[int, set[tuple[int, int]]] = {0: set(), 1: set()}

    class Asked(RandomPlayer):
        def __init__(self, number: int) -> None:
            self.number = number

        def act(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
            np.testing.assert_array_equal(views["observer"], views["turn"])
            assert not views["seed"].any()
            assert len(views) == len(seeds) > 0
            asked[self.number] |= set(zip(views["dealer"].tolist(), views["observer"].tolist(), strict=True))
            return super().act(views, rules, seeds)

    engine = some_games(2, episode="hand")
    engine.games["dealer"] = [0, 1]  # tells the games apart
    lineup = np.array([[0, 1, 1, 1], [1, 1, 0, 1]])
    play_hands(engine, [Asked(0), Asked(1)], lineup)
    assert asked[0] == {(0, 0), (1, 2)}
    assert asked[1] == {(0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 3)}


def test_nobody_is_asked_where_nobody_is_to_act() -> None:
    engine = some_games(3)
    play_hands(engine, [make("random")], np.zeros((3, 4), np.int64))
    engine.reset([1], seeds=[9])
    actions = choose(engine, [make("random")], np.zeros((3, 4), np.int64), seeds_of(engine))
    assert actions[[0, 2]].tolist() == [-1, -1]
    assert engine.action_mask()[1, actions[1]] == 1
    engine.step(actions)


def test_results_do_not_depend_on_how_games_are_batched() -> None:
    rules = Rules(players=5)
    ids = np.arange(100, 110)
    together = Engine(rules, seeds=ids)
    lineup = np.random.default_rng(0).integers(0, 2, (10, 5))
    table = [make("random"), RandomPlayer()]
    apart = [Engine(rules, seeds=[seed]) for seed in ids]
    for _ in range(2):
        while (together.turn >= 0).any():
            seeds = decision_seeds(3, ids, together.games)
            together.step(choose(together, table, lineup, seeds))
        together.next_hand()
        for i, engine in enumerate(apart):
            while engine.turn[0] >= 0:
                seeds = decision_seeds(3, ids[i : i + 1], engine.games)
                engine.step(choose(engine, table, lineup[i : i + 1], seeds))
            engine.next_hand()
    assert together.games.tobytes() == b"".join(engine.games.tobytes() for engine in apart)


def test_decision_seeds_differ_between_decisions_games_and_matches() -> None:
    engine = some_games(30)
    seen: list[int] = []
    n_seeds = 0
    for hand in range(2):
        while (engine.turn >= 0).any():
            acting = engine.turn >= 0
            for match in (1, 2):
                seen += seeds_of(engine, match)[acting].tolist()
                n_seeds += int(acting.sum())
            engine.step(choose(engine, [make("random")], np.zeros((30, 4), np.int64), seeds_of(engine)))
        if hand == 0:
            engine.next_hand()
    assert len(set(seen)) == n_seeds


def test_decision_seeds_do_not_depend_on_the_deal() -> None:
    one, other = Engine(seeds=[1]), Engine(seeds=[2])
    assert seeds_of(one).tolist() == seeds_of(other).tolist()
    other.redeal()
    assert seeds_of(one).tolist() != seeds_of(other).tolist()
    with pytest.raises(SeedError):
        decision_seeds(-1, np.arange(1), one.games)


# Answers.


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.zeros(3, np.int64), r"answering@1 answered int64 of shape \(3,\); whole numbers, \(4,\), are needed"),
        (np.zeros(4), "answered float64"),
        (np.zeros((4, 1), np.int64), r"shape \(4, 1\)"),
        (np.ones(4, bool), "answered bool"),
        (None, "answered object"),
        ([52, 52, 52, 52], r"answering@1, seat \d, hand 1, trick 0: moon\+ is not legal; legal: \d"),
        ([-1, -1, -1, -1], r"nothing \(-1\) is not legal"),
        (np.array([2**64 - 1] * 4, np.uint64), "is not legal"),
    ],
)
def test_bad_answers(answer: Any, message: str) -> None:
    engine = some_games(4)
    before = engine.games.tobytes()
    with pytest.raises(PlayerError, match=message):
        choose(engine, [Answering(answer)], np.zeros((4, 4), np.int64), seeds_of(engine))
    assert engine.games.tobytes() == before


def test_any_whole_numbers_are_taken() -> None:
    engine = some_games(4)
    views = engine.view(engine.turn)
    legal = engine.action_mask().argmax(axis=1)
    for answer in (legal.tolist(), legal.astype(np.uint8), legal.astype(np.int32)):
        actions = checked_act(Answering(answer), views, engine.rules, seeds_of(engine))
        assert actions.dtype == np.int64
        assert actions.tolist() == legal.tolist()


# Tables of all kinds.


TABLES_OF_ALL_KINDS: dict[str, Callable[[], Engine]] = {
    "two decks": lambda: Engine(Rules(players=9, decks=2), 20, seed=2, episode="hand"),
    "play-off of two": lambda: play_offs({"players": 5}, 20, seed=2, n_seats=2),
    "play-off of two with 13 cards": lambda: play_offs({"players": 3, "two_hand_deal": 13}, 20, seed=2, n_seats=2),
    "play-offs of two decks": lambda: play_offs({"players": 8, "decks": 2}, 20, seed=2),
    "revokes corrected": lambda: Engine(Rules(revokes="corrected"), 20, seed=2, episode="hand"),
    "revokes exposed": lambda: Engine(Rules(revokes="exposed", late_revoke="replay"), 20, seed=2, episode="hand"),
}


@pytest.mark.parametrize("kind", TABLES_OF_ALL_KINDS)
def test_only_seats_in_play_are_asked_and_random_plays_by_the_book(kind: str) -> None:
    engine = TABLES_OF_ALL_KINDS[kind]()
    lineup = np.zeros((20, engine.rules.players), np.int64)
    fines = np.zeros_like(engine.games["revokes"])
    while (engine.turn >= 0).any():
        acting = np.flatnonzero(engine.turn >= 0)
        assert engine.in_play[acting, engine.turn[acting]].all()
        actions = choose(engine, [make("random")], lineup, seeds_of(engine))
        assert engine.action_mask(revokes=False)[acting, actions[acting]].all()
        engine.step(actions)
    np.testing.assert_array_equal(engine.games["revokes"], fines)
    assert (engine.phase >= Phase.HAND_OVER).all()


def to_follow(revokes: Any) -> Engine:
    """Return a game in which seat 1 is to follow to 2C; it holds 3C and 4D, among others."""
    engine, _ = hold_hand(["AC KC 2D", "3C 4D", "4C 5D", "2C 5C"], dealer=2, revokes=revokes)
    act(engine, "2C AC")
    return engine


def test_a_revoke_is_an_answer_only_where_it_can_happen() -> None:
    revoke = np.array([NUMBER_OF["4D"]])
    for revokes in ("corrected", "exposed"):
        engine = to_follow(revokes)
        views = engine.view(engine.turn)
        assert checked_act(Answering(revoke), views, engine.rules, seeds_of(engine)).tolist() == revoke.tolist()
        probabilities, _ = RandomPlayer().evaluate(views, engine.rules, seeds_of(engine))
        np.testing.assert_array_equal(probabilities > 0, engine.action_mask(revokes=False))
    engine = to_follow("prevented")
    with pytest.raises(PlayerError, match=r"answering@1, seat 1, hand 4, trick 0: 4D is not legal; legal: 3C"):
        checked_act(Answering(revoke), engine.view(1), engine.rules, seeds_of(engine))


def test_a_second_revoke_in_one_turn_is_refused() -> None:
    engine = to_follow("corrected")
    before = seeds_of(engine)
    act(engine, "4D")
    assert seeds_of(engine) != before, "the same chance again would lead to the same mistake again"
    with pytest.raises(PlayerError, match="4D is not legal; legal: 3C"):
        checked_act(Answering(np.array([NUMBER_OF["4D"]])), engine.view(1), engine.rules, seeds_of(engine))


# The random player.


def test_random_is_even_and_depends_on_its_seed_alone() -> None:
    engine = Engine(seeds=np.full(13_000, 7, np.uint64))
    views = engine.view(engine.turn)
    seeds = np.arange(13_000, dtype=np.uint64)
    before = seeds.copy()
    actions = RandomPlayer().act(views, engine.rules, seeds)
    assert (seeds == before).all()
    assert (actions == RandomPlayer().act(views, engine.rules, seeds)).all()
    legal = np.flatnonzero(engine.action_mask()[0])
    counts = np.array([(actions == action).sum() for action in legal])
    assert counts.sum() == 13_000
    assert ((counts - 1000) ** 2 / 1000).sum() < 40  # chi-square of 12 degrees of freedom: p < 1e-4


def test_random_evaluates_evenly() -> None:
    engine = some_games(4)
    chances, values = RandomPlayer().evaluate(engine.view(engine.turn), engine.rules, seeds_of(engine))
    np.testing.assert_allclose(chances, engine.action_mask() / 13)
    assert values is None


def test_players_cannot_go_back_from_their_seeds_to_the_deal() -> None:
    games = Engine(num_games=1, seed=5).games
    raw = np.empty(1, np.uint64)
    batch.decision_seeds(games, np.uint64(5), np.zeros(1, np.int64), raw)
    assert players.decision_seeds(5, np.zeros(1, np.int64), games) != raw


@pytest.mark.parametrize("ids", [np.zeros(2, np.int64), np.zeros(3), np.zeros((3, 1), np.int64)])
def test_each_game_has_an_id(ids: NDArray[Any]) -> None:
    with pytest.raises(SeedError, match="ids are"):
        players.decision_seeds(1, ids, Engine(num_games=3, seed=1).games)


def test_games_of_different_groups_are_never_in_one_call() -> None:
    calls = []

    class Noting(players.RandomPlayer):
        def act(self, views: Any, rules: Rules, seeds: Any) -> NDArray[np.int64]:
            calls.append(len(views))
            return super().act(views, rules, seeds)

    engine = Engine(num_games=6, seed=1)
    groups = np.array([0, 1, 1, 2, 2, 2])
    players.choose(engine, [Noting()], np.zeros((6, 4), np.int64), np.arange(6, dtype=np.uint64), groups)
    assert calls == [1, 2, 3]


@pytest.mark.parametrize("lineup", [np.zeros((6, 3), np.int64), np.full((6, 4), 1), np.full((6, 4), -1)])
def test_a_lineup_names_players(lineup: NDArray[np.int64]) -> None:
    engine = Engine(num_games=6, seed=1)
    with pytest.raises(PlayerError, match="lineup"):
        players.choose(engine, [players.RandomPlayer()], lineup, np.arange(6, dtype=np.uint64))
