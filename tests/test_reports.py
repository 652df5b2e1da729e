"""Faults that other Hearts programs had, by the numbers of the reports page, as far as they are about rules and engine.

Numbers 16 and 77 are what `test_oracle.py` does; those about agents, evaluation and packaging are tested beside those.
"""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import numpy as np
import pytest

from rk_env import Engine, IllegalActionError, Phase, Rules, cards
from tests.generators import act, full_deal, hands_of, hold_hand, legal_of, needs_compiled, play_tricks, scaled

ALL_CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC"

VARIANTS: list[dict[str, Any]] = [
    {},
    {"passing": "none", "black_card": "JS", "first_trick": "off"},
    {"passing": "left", "opening": "two_of_clubs", "moon": "new", "bonus_cards": ("JD", "10D")},
    {"opening": "lowest_club", "first_trick": "strict", "queen_breaks_hearts": True, "target": 50},
    {"remove_for_three": "2C", "opening": "two_of_clubs", "first_trick": "only_2c", "open_with_heart": True},
    {"first_dealer": "random", "across_seats": 1, "heart_instead_of_queen": True, "moon_value": "fixed26"},
]


def play_at_random(engine: Engine, rng: np.random.Generator) -> None:
    """Play all hands of a batch to their ends."""
    while (engine.turn >= 0).any():
        weights = engine.action_mask() * rng.random((len(engine), 54))
        engine.step(np.where(engine.turn >= 0, weights.argmax(axis=1), -1))


def after_a_moon(shooter: int, totals: list[int], **settings: Any) -> Engine:
    """Return a game of four after a hold hand in which one seat held all clubs and so shot the moon."""
    engine, hands = hold_hand([ALL_CLUBS if seat == shooter else "" for seat in range(4)], totals=totals, **settings)
    play_tricks(engine, hands)
    return engine


# The first trick


def test_report_01_no_queen_and_no_heart_on_trick_one() -> None:
    engine, _ = hold_hand([ALL_CLUBS, "3D QS AH 2S 2H 3H 4H 5H 6H 7H 8H 9H 10H", "", ""])
    act(engine, "2C")
    assert legal_of(engine) == {"3D", "2S"}


def test_report_04_twelve_hearts_and_the_queen_may_play_any() -> None:
    hand = "QS 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH"
    engine, _ = hold_hand([ALL_CLUBS, hand, "", ""])
    act(engine, "2C")
    assert legal_of(engine) == set(hand.split())


def test_report_06_the_only_harmless_card_is_forced() -> None:
    engine, _ = hold_hand([ALL_CLUBS, "QS 4D 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH", "", ""])
    act(engine, "2C")
    assert legal_of(engine) == {"4D"}


def test_report_08_first_trick_rules_are_in_force() -> None:
    engine, _ = hold_hand(["2C AC KS AH", "KH 3D 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH", "", ""])
    assert legal_of(engine) == {"2C"}
    act(engine, "2C")
    assert legal_of(engine) == {"3D"}


@pytest.mark.parametrize("settings", [{}, {"opening": "two_of_clubs", "remove_for_three": "2C"}])
@pytest.mark.parametrize("players", [3, 5, 6])
def test_report_66_eldest_leads_where_no_card_must_be(players: int, settings: dict[str, Any]) -> None:
    for dealer in range(players):
        engine = Engine(Rules(players=players, **settings), seed=1)
        engine.deal(hands_of(engine), dealer=dealer, hand_number=4)
        assert engine.turn[0] == engine.games[0].leader == (dealer + 1) % players


# Broken hearts, leads and following suit


def test_report_13_the_queen_on_a_diamond_does_not_break_hearts() -> None:
    engine, _ = hold_hand(
        [
            "AS AD KD 2C 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH",
            "KS QS 3S 4S 5S 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC",
            "2S 6S 7S 8S 9S 10S JS 3D 4D 5D 6D 7D 8D 9D 10D JD QD",
        ]
    )
    act(engine, "KS 2S AS", "AD QS 3D", "KD 3C 4D")
    assert not engine.games[0].hearts_broken
    assert legal_of(engine) == {"2C"}


def test_report_16_a_bare_queen_led_does_not_break_hearts() -> None:
    engine, hands = hold_hand(["", "QS AS", "3S", "KS AH 7H 9C", "", "4S"])
    play_tricks(engine, hands, tricks=1)
    assert (engine.games[0].winners[0], engine.captured_points[0, 3]) == (3, 13)
    assert not engine.games[0].hearts_broken
    assert "9C" in legal_of(engine)
    assert {"AH", "7H"}.isdisjoint(legal_of(engine))


def test_report_17_a_void_hand_may_discard_a_heart_after_trick_one() -> None:
    engine, _ = hold_hand(
        [
            "AC KC 6S 2S 3S 4S 5S 7S 8S 9S 10S JS QS",
            "3C 4C 2H 9D 2D 3D 4D 5D 6D 7D 8D 10D JD",
            "5C 6C KS AS 3H 4H 5H 6H 7H 8H 9H 10H JH",
            "2C 7C 8C 9C 10C JC QC QD KD AD QH KH AH",
        ]
    )
    act(engine, "2C AC 3C 5C", "KC 4C 6C 7C", "6S")
    assert {"2H", "9D"} <= legal_of(engine) == set(hands_of(engine)[1])


def test_report_20_a_leader_with_hearts_only_leads_one_and_breaks_them() -> None:
    engine, hands = hold_hand(
        [
            "3C 4C 5C 6C 7C 8C 3H 4H",
            "AC KC QC JC 10C 9C 5H KH",
            "3D 4D 5D 6D 7D 8D 6H 7H",
            "9D 10D JD QD KD AD 8H 9H",
            "3S 4S 5S 6S 7S 8S 10H JH",
            "9S 10S JS QS KS AS QH AH",
        ]
    )
    play_tricks(engine, [sorted(hand, key=lambda card: card[-1] == "H") for hand in hands], tricks=6)
    assert not engine.games[0].hearts_broken
    assert legal_of(engine) == {"5H", "KH"}
    act(engine, "5H")
    assert engine.games[0].hearts_broken


def test_report_32_the_two_of_clubs_is_forced_as_the_first_lead_only() -> None:
    engine, _ = hold_hand(["3H AS", "2C 5H AD", "4H 3D"], open_with_heart=True)
    assert engine.turn[0] == 1
    assert legal_of(engine) == set(hands_of(engine)[1])  # eldest holds 2C and need not lead it
    act(engine, "5H", "4H", "3H")
    assert engine.turn[0] == 1
    assert legal_of(engine) == set(hands_of(engine)[1])
    act(engine, "AD", "3D")
    assert "2C" not in legal_of(engine)


def test_report_32_a_follower_holding_the_two_of_clubs_follows_suit() -> None:
    hearts = "4H 6H 8H 9H 10H JH KH"
    engine, _ = hold_hand([f"2H {hearts}", "AH 3H QH", "2C 5H 7H"], open_with_heart=True)
    act(engine, "AH 7H 2H", "3H")
    assert engine.games[0].trick == 1
    assert "2C" in hands_of(engine)[2]
    assert legal_of(engine) == {"5H"}


# Passing


def pass_three(engine: Engine) -> list[list[str]]:
    """Let each seat pass its three lowest cards; return what each passed."""
    passed: list[list[str]] = [[] for _ in range(engine.rules.players)]
    for _ in range(3 * engine.rules.players):
        card = min(legal_of(engine), key=cards.parse_card)
        passed[int(engine.turn[0])].append(card)
        act(engine, card)
    return passed


def test_report_24_the_direction_goes_by_hand() -> None:
    engine = Engine(Rules(target=10_000), seed=1)
    targets = []
    for _ in range(4):
        if engine.phase[0] == Phase.PASS:
            passed = pass_three(engine)
            targets.append(next(seat for seat, hand in enumerate(hands_of(engine)) if set(passed[0]) <= set(hand)))
        else:
            targets.append(-1)
        play_at_random(engine, np.random.default_rng(1))
        engine.next_hand()
    assert targets == [1, 3, 2, -1]


@pytest.mark.parametrize(("players", "seats"), [(3, 1), (4, 2), (5, 2), (6, 3)])
def test_report_26_across_is_the_table_of_the_rules_page(players: int, seats: int) -> None:
    engine = Engine(Rules(players=players), seed=1)
    engine.deal(hands_of(engine), hand_number=3)
    assert engine.games[0].pass_seats == seats


@pytest.mark.parametrize("second", ["AC", "2C"])
def test_report_28_a_card_is_passed_once_and_only_from_the_own_hand(second: str) -> None:
    engine = Engine(seed=1)
    engine.deal(full_deal(["2C", "AC", "", ""]))  # seat 1, left of the dealer, picks first
    act(engine, "AC")
    before = engine.games.copy()
    with pytest.raises(IllegalActionError, match=f"seat 1, phase PASS: {second} is not legal") as error:
        act(engine, second)
    assert (error.value.game, error.value.seat, error.value.action) == (0, 1, cards.parse_card(second))
    assert engine.games.tobytes() == before.tobytes()


def test_report_30_exactly_three_cards_are_passed(players: int) -> None:
    engine = Engine(Rules(players=players, first_dealer=0), seed=1)
    turns = []
    while engine.phase[0] == Phase.PASS:
        turns.append(int(engine.turn[0]))
        act(engine, next(iter(legal_of(engine))))
    assert turns == [seat % players for seat in range(1, players + 1) for _ in range(3)]


@pytest.mark.parametrize("hand_number", [1, 2, 3])
def test_report_35_36_38_all_pass_at_once_and_hands_add_up(players: int, hand_number: int) -> None:
    engine = Engine(Rules(players=players), seed=2)
    dealt = hands_of(engine)
    engine.deal(dealt, hand_number=hand_number)
    passed = pass_three(engine)
    assert [set(hand) for hand in passed] == [set(sorted(hand, key=cards.parse_card)[:3]) for hand in dealt]
    seats_left = {1: 1, 2: players - 1, 3: players // 2}[hand_number]
    for seat, hand in enumerate(hands_of(engine)):
        received = passed[(seat - seats_left) % players]
        assert set(hand) == set(dealt[seat]) - set(passed[seat]) | set(received)
        assert not set(hand) & set(passed[seat])
        assert [cards.card_text(card) for card in engine.games[0].passed[seat]] == passed[seat]


def test_report_40_a_new_game_starts_afresh() -> None:
    engine = Engine(Rules(target=50), num_games=scaled(100), seed=1)
    rng = np.random.default_rng(1)
    while (engine.phase != Phase.GAME_OVER).any():
        play_at_random(engine, rng)
        before = engine.games["hand_number"].copy()
        going_on = engine.phase == Phase.HAND_OVER
        engine.next_hand()
        assert (engine.games["hand_number"] == before + going_on).all()
    assert engine.totals.max(axis=1).min() >= 50
    engine.reset(seed=1)
    assert (engine.games["hand_number"] == 1).all()
    assert (engine.games["pass_seats"] == 1).all()
    assert not engine.totals.any()
    assert engine.games.tobytes() == Engine(Rules(target=50), num_games=scaled(100), seed=1).games.tobytes()


# Moon and scores


@pytest.mark.parametrize("bonus_cards", [(), ("JD",), ("10D",), ("JD", "10D")])
@pytest.mark.parametrize("shooter", range(4))
def test_report_44_45_53_a_moon_with_all_tricks_scores_26_and_no_more(
    shooter: int, bonus_cards: tuple[str, ...]
) -> None:
    engine = after_a_moon(shooter, [0, 0, 0, 0], bonus_cards=bonus_cards)
    assert (engine.games[0].winners[:13] == shooter).all()
    assert engine.hand_scores[0].tolist() == [-10 * len(bonus_cards) if seat == shooter else 26 for seat in range(4)]


@pytest.mark.parametrize("variant", [v for v in VARIANTS if "bonus_cards" not in v])
def test_report_47_scores_add_up(players: int, variant: dict[str, Any]) -> None:
    engine = Engine(Rules(players=players, **variant), num_games=scaled(300), seed=3)
    play_at_random(engine, np.random.default_rng(2))
    points = (22 if players == 6 else 23) if variant.get("black_card") == "JS" else 25 if players == 6 else 26
    moons = engine.games["shooter"] >= 0
    value = 26 if variant.get("moon_value") == "fixed26" else points
    assert (engine.hand_scores.sum(axis=1) == np.where(moons, value * (players - 1), points)).all()


def test_report_52_the_shooter_is_asked_before_the_end_is_tested() -> None:
    engine = after_a_moon(2, [99, 99, 0, 99], moon="new")
    assert (engine.phase[0], engine.turn[0]) == (Phase.MOON, 2)
    assert legal_of(engine) == {"moon+", "moon-"}
    with pytest.raises(IllegalActionError, match=r"phase MOON: 2C is not legal; legal: moon\+, moon-"):
        act(engine, "2C")
    act(engine, "moon-")
    assert engine.phase[0] == Phase.HAND_OVER
    assert engine.totals[0].tolist() == [99, 99, -26, 99]


def test_report_62_a_moon_counts_once() -> None:
    engine = after_a_moon(1, [0, 0, 0, 0])
    assert engine.games[0].shooter == 1
    engine.next_hand()
    assert engine.games[0].shooter == -1
    assert not engine.hand_scores.any()
    assert not engine.captured_points.any()
    assert engine.totals[0].tolist() == [26, 0, 26, 26]


# The end


@pytest.mark.parametrize("tied", [{2, 3}, {0, 1}, {0, 3}, {0, 1, 3}, {1, 2, 3}, {0, 1, 2, 3}, {2}])
def test_report_56_57_ties_share_the_win(tied: set[int]) -> None:
    before = [(50 if seat in tied else 70) - (0 if seat == 1 else 26) for seat in range(4)]
    engine = after_a_moon(1, before, max_hands=4)
    assert engine.phase[0] == Phase.GAME_OVER
    assert engine.win_shares[0].tolist() == pytest.approx([1 / len(tied) if seat in tied else 0 for seat in range(4)])
    assert engine.winner[0] == (min(tied) if len(tied) == 1 else -1)


def test_report_56_57_an_end_at_the_target_with_a_tie() -> None:
    engine = after_a_moon(2, [74, 74, 50, 24])
    assert engine.totals[0].tolist() == [100, 100, 50, 50]
    assert engine.win_shares[0].tolist() == [0, 0, 0.5, 0.5]


def test_report_59_60_exactly_100_ends_the_game_and_stays() -> None:
    engine = after_a_moon(1, [74, 40, 34, 36])
    assert engine.totals[0].tolist() == [100, 40, 60, 62]
    assert engine.phase[0] == Phase.GAME_OVER
    assert engine.winner[0] == 1
    engine = after_a_moon(1, [73, 40, 34, 36])
    assert engine.totals[0].tolist() == [99, 40, 60, 62]
    assert engine.phase[0] == Phase.HAND_OVER
    assert engine.winner[0] == -1


def test_report_73_shares_add_up_to_the_games(players: int) -> None:
    engine = Engine(Rules(players=players, max_hands=1), num_games=scaled(500), seed=1)
    assert not engine.win_shares.any()
    play_at_random(engine, np.random.default_rng(3))
    assert engine.win_shares.sum(axis=1) == pytest.approx(np.ones(len(engine)))
    assert ((engine.win_shares.max(axis=1) == 1) == (engine.winner >= 0)).all()


# Games and deals


@pytest.mark.parametrize("variant", VARIANTS)
def test_report_64_every_player_count_and_variant_plays(players: int, variant: dict[str, Any]) -> None:
    engine = Engine(Rules(players=players, **variant), seeds=np.arange(scaled(1_000), dtype=np.uint64))
    play_at_random(engine, np.random.default_rng(4))
    assert (engine.games["n_plays"] == engine.rules.hand_size * players).all()
    assert not engine.games["hands"].any()
    engine.next_hand()
    assert (engine.turn[engine.phase != Phase.GAME_OVER] >= 0).all()


@needs_compiled
def test_report_72_dealer_and_direction_are_not_tied(players: int) -> None:
    engine = Engine(Rules(players=players), num_games=4_000, seed=1, episode="hand")
    counts = Counter(zip(engine.games["dealer"].tolist(), (engine.games["hand_number"] % 4).tolist(), strict=True))
    expected = 4_000 / (4 * players)
    assert len(counts) == 4 * players
    assert all(abs(count - expected) < 5 * expected**0.5 for count in counts.values()), counts


def test_report_75_every_deal_is_another(players: int) -> None:
    engine = Engine(Rules(players=players, target=10_000), num_games=scaled(1_000), seed=1)
    deals = set()
    for _ in range(3):
        for _ in range(2):
            deals |= {frozenset(hands.tolist()) for hands in engine.games["hands"][:, :players, 0]}  # in any seats
            engine.redeal()
        play_at_random(engine, np.random.default_rng(5))
        engine.next_hand()
    assert len(deals) == 6 * len(engine)


def test_report_78_deals_do_not_depend_on_how_games_are_played_or_batched(players: int) -> None:
    rules = Rules(players=players, target=10_000)
    engines = [Engine(rules, seeds=[11, 12]), Engine(rules, seeds=[11, 12]), Engine(rules, seeds=[12])]
    for _ in range(4):
        deals = [[(hands_of(engine, i), engine.games[i].dealer) for i in range(len(engine))] for engine in engines]
        assert deals[0] == deals[1]
        assert deals[0][1] == deals[2][0]
        for number, engine in enumerate(engines):
            play_at_random(engine, np.random.default_rng(number))
            engine.next_hand()


# Masks and copies


def test_report_masks_are_fresh_int8_and_never_empty_for_a_seat_to_act(players: int) -> None:
    engine = Engine(Rules(players=players, moon="new"), num_games=scaled(50), seed=1)
    rng = np.random.default_rng(6)
    while (engine.turn >= 0).any():
        mask = engine.action_mask()
        assert mask.dtype == np.int8
        assert set(np.unique(mask)) <= {0, 1}
        assert (mask.any(axis=1) == (engine.turn >= 0)).all()
        kept = mask.copy()
        engine.step(np.where(engine.turn >= 0, (mask * rng.random(mask.shape)).argmax(axis=1), -1))
        assert (mask == kept).all()
        engine.action_mask()[:] = 9
    assert not engine.action_mask().any()


def test_report_copies_go_their_own_way() -> None:
    engine = Engine(num_games=3, seed=1)
    clones = [copy.deepcopy(engine), Engine.from_games(engine.games.copy(), engine.rules)]
    before = engine.games.tobytes()
    play_at_random(engine, np.random.default_rng(7))
    for clone in clones:
        assert clone.games.tobytes() == before
        play_at_random(clone, np.random.default_rng(7))
        assert clone.games.tobytes() == engine.games.tobytes()
