"""Evaluation: duplicate deals, even in all that matters, and figures recomputed by hand.

Numbers in names are those of the reports page.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import agents
from agents.network import NetworkPlayer
from rk_env import Engine, Rules
from rk_env.errors import PlayerError, RicketyKateError
from rk_env.observation import Layout
from rk_env.players import Evaluation, RandomPlayer
from tests.generators import act, hold_hand, play_tricks
from training import evaluate as module
from training.evaluate import Result, balanced_deals, evaluate, play_deals, seat_figures
from training.stats import Estimate

ALL_CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC"
FIGURES = ("payoff", "points", "rank", "win_share", "moons_made", "moons_conceded")


@dataclass
class Spy:
    """Plays at random and notes what it was shown. Equal spies are equal, and cannot be hashed: players may be so."""

    name: str = "spy@1"
    views: list[NDArray[np.void]] = field(default_factory=list, compare=False)

    def act(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        self.views.append(views.copy())
        return RandomPlayer().act(views, rules, seeds)

    def evaluate(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> Evaluation:
        return RandomPlayer().evaluate(views, rules, seeds)

    def last_tricks(self, rules: Rules) -> NDArray[np.void]:
        """What was shown in the last trick: one view a hand."""
        views = np.concatenate(self.views)
        return views[views["trick"] == rules.hand_size - 1]


def strength(agent: Any, opponents: Any, rules: Rules, deals: int = 12, seed: int = 1, **options: Any) -> Result:
    players = [agents.make(spec) for spec in ([opponents] if isinstance(opponents, str) else opponents)]
    return evaluate(agents.make(agent), players, rules, deals, seed, **options)


def without_time(result: Result) -> Result:
    return replace(result, ms_per_decision=0.0)


# Deals


def test_report_72_each_seat_meets_each_dealer_and_direction_equally_often(rules: Rules) -> None:
    spy = Spy()
    deals = 8 * rules.players
    evaluate(spy, [RandomPlayer()], rules, deals, seed=3)
    hands = spy.last_tricks(rules)
    counts = Counter((int(hand.observer), int(hand.dealer), int(hand.hand_number)) for hand in hands)
    assert counts == {(seat, dealer, 1 + k): 2 for seat, dealer, k in np.ndindex(rules.players, rules.players, 4)}
    directions = {(int(hand.hand_number), int(hand.pass_seats)) for hand in hands}
    assert directions == {(1, 1), (2, rules.players - 1), (3, rules.players // 2), (4, 0)}


def test_report_75_as_many_different_deals_as_deals_played(rules: Rules) -> None:
    engine = balanced_deals(rules, np.arange(60), seed=1)
    hands = engine.games["hands"][:, : rules.players, 0].reshape(60, rules.players, rules.players)
    assert (hands == hands[:, :1]).all(), "twins have the same cards"
    assert len({deal.tobytes() for deal in hands[:, 0]}) == 60
    later = balanced_deals(rules, np.arange(50, 60), seed=1).games["hands"]
    np.testing.assert_array_equal(later, engine.games["hands"][50 * rules.players :])
    other = balanced_deals(rules, np.arange(60), seed=2).games["hands"]
    assert not {hand.tobytes() for hand in other} & {hand.tobytes() for hand in engine.games["hands"]}


def test_report_78_other_choices_of_players_leave_the_deals_as_they_are() -> None:
    spies = [Spy(), Spy(), Spy()]
    rules = Rules(passing="none")
    results = [
        evaluate(spy, [RandomPlayer()], rules, 40, seed=seed, player_seed=player_seed)
        for spy, seed, player_seed in zip(spies, (1, 1, 2), (1, 9, 1), strict=True)
    ]
    started = [{view.tobytes() for views in spy.views for view in views[views["n_plays"] == 0]} for spy in spies]
    assert started[0] == started[1], "the leads are made from the same cards"
    assert not started[0] & started[2]
    assert results[0].payoff != results[1].payoff
    same = evaluate(Spy(), [RandomPlayer()], rules, 40, seed=1)
    assert without_time(same) == without_time(results[0]), "the players' seed is that of the deals unless given"


# Line-ups


def test_report_76_another_line_up_is_another_result() -> None:
    results = {
        order: strength("rule_based", order, Rules())
        for order in (("random", "ducker", "rule_based"), ("rule_based", "ducker", "random"), ("random",), ("ducker",))
    }
    assert len({result.payoff for result in results.values()}) == 4
    named = results["random", "ducker", "rule_based"]
    assert named.opponents == ["random@1", "ducker@1", "rule_based@1"]
    one, three = (without_time(strength("random", specs, Rules())) for specs in (("ducker",), ("ducker",) * 3))
    assert replace(three, opponents=["ducker@1"]) == one


def test_opponents_sit_clockwise_from_the_agent_s_left() -> None:
    rules = Rules(players=5)
    table = [Spy() for _ in range(5)]
    play_deals(table, rules, np.arange(3), seed=1, player_seed=1)
    played = [hands_played(spy, rules) for spy in table]
    assert Counter(seat for _, seat in played[0]) == dict.fromkeys(range(5), 3)
    for k in range(1, 5):
        assert played[k] == {(hand, (seat + 1) % 5) for hand, seat in played[k - 1]}


def hands_played(spy: Spy, rules: Rules) -> set[tuple[bytes, int]]:
    """Return the hands that a spy sat in, told apart by the cards of all tricks but the last, and its seat in each."""
    before_last = rules.players * (rules.hand_size - 1)
    return {(view.plays[:before_last].tobytes(), int(view.observer)) for view in spy.last_tricks(rules)}


@pytest.mark.parametrize("n", [0, 2, 4])
def test_a_wrong_number_of_opponents_is_refused(n: int) -> None:
    with pytest.raises(PlayerError, match=f"{n} opponents given; 1 or 3 needed"):
        evaluate(RandomPlayer(), [RandomPlayer()] * n, Rules(), 4, seed=1)


# Figures


def test_report_74_a_field_of_equals_earns_nothing(rules: Rules) -> None:
    result = strength("rule_based", "rule_based", rules, deals=4 * rules.players)
    assert result.payoff.mean == pytest.approx(0, abs=1e-12)
    assert result.payoff.half_width == pytest.approx(0, abs=1e-12)
    assert result.win_share.mean == pytest.approx(1 / rules.players)
    assert result.rank.mean == pytest.approx((rules.players + 1) / 2)


def test_report_73_shares_of_the_win_sum_to_the_hands(rules: Rules) -> None:
    engine = balanced_deals(rules, np.arange(30), seed=2)
    player = agents.make("rule_based")
    while (engine.turn >= 0).any():
        acting = np.flatnonzero(engine.turn >= 0)
        actions = np.full(len(engine), -1)
        actions[acting] = player.act(engine.view(engine.turn[acting], acting), rules, np.zeros(len(acting), np.uint64))
        engine.step(actions)
    by_seat = [seat_figures(engine, np.full(len(engine), seat)) for seat in range(rules.players)]
    sums = {name: sum(figures[name] for figures in by_seat) for name in FIGURES}
    np.testing.assert_allclose(sums["win_share"], 1.0)
    np.testing.assert_allclose(sums["payoff"], 0.0, atol=1e-9)
    np.testing.assert_allclose(sums["rank"], rules.players * (rules.players + 1) / 2)
    np.testing.assert_array_equal(sums["points"], engine.hand_scores.sum(axis=1))
    np.testing.assert_array_equal(sums["moons_conceded"], sums["moons_made"] * (rules.players - 1))


def with_scores(*scores: int) -> Engine:
    """Return a hand that ended with some scores."""
    engine, hands = hold_hand([ALL_CLUBS, "", "", ""])
    play_tricks(engine, hands)
    engine.games["scores"][0, :4] = scores
    engine.games["shooter"] = -1
    return engine


def test_ties_share_ranks_and_wins() -> None:
    engine = with_scores(3, 10, 3, 10)
    rows = [{name: float(row[0]) for name, row in seat_figures(engine, np.array([seat])).items()} for seat in range(4)]
    assert [row["rank"] for row in rows] == [1.5, 3.5, 1.5, 3.5]
    assert [row["win_share"] for row in rows] == [0.5, 0, 0.5, 0]
    assert [row["points"] for row in rows] == [3, 10, 3, 10]
    assert [row["payoff"] for row in rows] == pytest.approx([23 / 3 - 3, 16 / 3 - 10, 23 / 3 - 3, 16 / 3 - 10])
    alone = with_scores(0, 13, 13, 0)
    assert seat_figures(alone, np.array([1]))["rank"] == 3.5
    alone = with_scores(13, 13, 0, 0)
    alone.games["scores"][0, 3] = -1
    assert [float(seat_figures(alone, np.array([seat]))["win_share"][0]) for seat in range(4)] == [0, 0, 0, 1]


@pytest.mark.parametrize("moon", ["old", "new"])
def test_moons_are_made_by_one_and_conceded_by_the_others(moon: str) -> None:
    engine, hands = hold_hand([ALL_CLUBS, "", "", ""], moon=moon)
    play_tricks(engine, hands)
    if moon == "new":
        act(engine, "moon-")
    rows = [seat_figures(engine, np.array([seat])) for seat in range(4)]
    assert [float(row["moons_made"][0]) for row in rows] == [1, 0, 0, 0]
    assert [float(row["moons_conceded"][0]) for row in rows] == [0, 1, 1, 1]
    assert [float(row["win_share"][0]) for row in rows] == [1, 0, 0, 0]


def one_by_one(specs: list[str], rules: Rules, number: int, deals: int, own_seat: int) -> dict[str, float]:
    """Play one deal at a table of one game with deterministic players; return the figures of one seat."""
    hands = Engine(rules, deals, seed=1).games["hands"][number, : rules.players, 0]
    engine = Engine(rules, 1, seed=99)
    engine.deal(hands, dealer=number // 4 % rules.players, hand_number=1 + number % 4)
    while engine.turn[0] >= 0:
        seat = int(engine.turn[0])
        player = agents.make(specs[(seat - own_seat) % rules.players])
        engine.step(player.act(engine.view(seat), rules, np.zeros(1, np.uint64)))
    scores = engine.hand_scores[0].tolist()
    own = scores[own_seat]
    others = [score for seat, score in enumerate(scores) if seat != own_seat]
    return {
        "payoff": sum(others) / len(others) - own,
        "points": own,
        "rank": 1 + sum(score < own for score in others) + sum(score == own for score in others) / 2,
        "win_share": 0.0 if min(others) < own else 1 / scores.count(own),
        "moons_made": float(engine.games["shooter"][0] == own_seat),
        "moons_conceded": float(engine.games["shooter"][0] not in (-1, own_seat)),
    }


def test_figures_are_those_of_single_tables_and_intervals_are_over_deals(rules: Rules) -> None:
    specs = ["rule_based", *["ducker", "rule_based"] * 3][: rules.players]
    result = strength(specs[0], specs[1:], rules, deals=13)
    samples = defaultdict(list)
    for number in range(13):
        seats = [one_by_one(specs, rules, number, 13, seat) for seat in range(rules.players)]
        for name in FIGURES:
            samples[name].append(np.mean([figures[name] for figures in seats]))
    for name in FIGURES:
        found = getattr(result, name)
        half = 1.959964 * np.std(samples[name], ddof=1) / 13**0.5
        assert found.mean == pytest.approx(np.mean(samples[name])), name
        assert found.half_width == pytest.approx(half), name
    assert result.payoff.half_width > 0


def test_results_do_not_depend_on_how_deals_are_batched(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = strength("random", ("ducker", "random", "rule_based"), Rules())
    monkeypatch.setattr(module, "CHUNK_DEALS", 5)
    seen: list[int] = []
    parts = strength("random", ("ducker", "random", "rule_based"), Rules(), progress=seen.append)
    assert without_time(parts) == without_time(whole)
    assert seen == [5, 5, 2]


def test_good_players_are_measured_as_good() -> None:
    over_random = strength("rule_based", "random", Rules(), deals=40)
    assert over_random.payoff.low > 0
    assert over_random.win_share.low > 0.25
    assert over_random.rank.high < 2.5
    under = strength("random", "rule_based", Rules(), deals=40)
    assert under.payoff.high < 0
    assert 0 < over_random.ms_per_decision < 1000


def test_too_few_deals_are_refused_from_python_too() -> None:
    with pytest.raises(RicketyKateError, match="1 deals: at least 2"):
        evaluate(RandomPlayer(), [RandomPlayer()], Rules(), 1, seed=1)


def test_a_policy_may_be_any_agent() -> None:
    weights = [np.zeros((Layout(4).size, 54), np.float32), np.arange(54, dtype=np.float32)]
    result = evaluate(NetworkPlayer(weights, Rules(), name="highest@1"), [RandomPlayer()], Rules(), 8, seed=1)
    assert result.agent == "highest@1"
    assert isinstance(result.payoff, Estimate)


def test_players_may_be_named_and_others_are_refused() -> None:
    by_name = evaluate("ducker", ["random"], Rules(), deals=4, seed=1)
    assert (by_name.agent, by_name.opponents) == ("ducker@1", ["random@1"])
    with pytest.raises(PlayerError, match="is no player"):
        evaluate(5, ["random"], Rules(), deals=4, seed=1)  # type: ignore[arg-type]
