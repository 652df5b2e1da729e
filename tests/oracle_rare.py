"""Seldom seen situations, by the number of the rule that decides them: which of them a decision or a hand is.

A comparison of two programs proves something of a rule only where the rule was met, so these are counted.
"""

from __future__ import annotations

from itertools import pairwise

from tests import oracle
from tests.oracle import OracleGame, suit

PENALTIES = {"QS": 52, "JS": 46}


def at_decision(game: OracleGame, action: str) -> list[str]:
    """Return which situations an action, not yet done, is an instance of."""
    phase = game.phase()
    if phase == oracle.PASS:
        return ["C1 second copy"] if action in game.picks[game.to_act()] else []
    if phase != oracle.PLAY:
        return []
    return _of_leads(game) + _of_follows(game, action) + _of_revokes(game, action)


def _of_leads(game: OracleGame) -> list[str]:
    if game.table or game.hearts_broken:
        return []
    hand, legal = game.hands[game.to_act()], game.legal()
    hearts = [card for card in hand if suit(card) == "H"]
    if not hearts:
        return []
    blacks = [card for card in hand if card == game.black]
    only_penalties = len(hearts) + len(blacks) == len(hand)
    may_lead_heart = any(suit(card) == "H" for card in legal)
    cases = {
        "D4": game.first_trick() and may_lead_heart,
        "E5": len(hearts) == len(hand) > 1,
        "E6": bool(blacks) and only_penalties and not may_lead_heart,
        "E6 heart": bool(blacks) and only_penalties and may_lead_heart,
        "X13": len(blacks) == 2 and only_penalties and not may_lead_heart,
    }
    return [name for name, holds in cases.items() if holds]


def _of_follows(game: OracleGame, action: str) -> list[str]:
    breaks = action == game.black and not game.hearts_broken and game.settings["queen_breaks_hearts"]
    names = ["E4 on"] if breaks else []
    if not game.first_trick() or not game.table:
        return names
    hand, led = game.hands[game.to_act()], suit(game.table[0])
    if any(suit(card) == led for card in hand):
        strict = game.settings["first_trick"] == "strict" and led == suit(game.black) and game.black in hand
        return [*names, "D8 strict"] if strict and game.black not in game.legal() else names
    if not game.first_trick_is_restricted():
        return names
    only_penalties = all(oracle.is_penalty(game.settings, card) for card in hand)
    cases = {
        "D9": only_penalties,
        "D10": led == "H" and game.black in hand and not only_penalties,
        "D11": suit(action) == "H" and led != "H",
    }
    return names + [name for name, holds in cases.items() if holds]


def _of_revokes(game: OracleGame, action: str) -> list[str]:
    if game.settings["revokes"] == "prevented":
        return []
    seat = game.to_act()
    revokes = game.revoking()
    is_revoke = action in revokes
    found = (
        [] if game.settings["revokes"] == "corrected" else [r for r in game.hidden_revokes if r == (seat, suit(action))]
    )
    way = "follow" if game.table and suit(action) == suit(game.table[0]) else "discard" if game.table else "lead"
    replays = bool(found) and game.settings["late_revoke"] == "replay"
    cases = {
        "D6 revoke": game.first_trick() and is_revoke,
        "D9 revoke": game.first_trick() and is_revoke and oracle.is_penalty(game.settings, action),
        "G2": is_revoke and game.settings["revokes"] == "corrected",
        "G3 breaks hearts": is_revoke and not game.hearts_broken and suit(action) == "H",
        f"G3 found by {way}": bool(found),
        "G3 found by a revoke": bool(found) and is_revoke,
        "G4 replay": replays and game.redeals < oracle.MAX_REPLAYS,
        "G4 last card": replays and len(game.hands[seat]) == 1 and len(game.table) + 1 == len(game.seats),
        "G4 no more replays": replays and game.redeals == oracle.MAX_REPLAYS,
        "G6": len(found) > 1,
    }
    return [name for name, holds in cases.items() if holds]


def at_end(game: OracleGame) -> list[str]:
    """Return which situations a hand that is over was an instance of."""
    return _of_moons(game) + _of_cancelling(game) + _of_fines(game) + _of_playoffs(game) + _of_the_end(game)


def _of_moons(game: OracleGame) -> list[str]:
    shooter, bonus = game.shooter(), game.bonus_points()
    all_points = oracle.total_points(game.settings, game.dealt)
    if shooter is None:
        needed_bonus = all_points > 0 and max(game.captured_points()) == all_points
        return ["F10 needs bonus"] if needed_bonus else []
    two_decks = oracle.has_two_decks(game.settings, len(game.seats))
    cases = {
        "moon": True,
        "moon at six": len(game.seats) == 6 and not two_decks,
        f"X8 moon of {PENALTIES[game.black]}": two_decks,
        "X8 moon with a kitty": two_decks and bool(game.kitty),
        "H7 moon of 13 cards": bool(game.set_aside),
        "H5 moon": game.playoff > 0,
        "H5 new moon": game.playoff > 0 and game.settings["moon"] == "new",
        "moon+": game.moon_choice == oracle.MOON_ADD,
        "moon-": game.moon_choice == oracle.MOON_SUBTRACT,
        "bonus to shooter": bonus[shooter] < 0,
        "bonus elsewhere": any(points < 0 for seat, points in enumerate(bonus) if seat != shooter),
        "G5 shooter revoked": game.revokes[shooter] > 0,
        "G5 victim revoked": sum(game.revokes) > game.revokes[shooter],
    }
    return [name for name, holds in cases.items() if holds]


def _of_cancelling(game: OracleGame) -> list[str]:
    if not oracle.has_two_decks(game.settings, len(game.seats)):
        return []
    opening = oracle.opening_card(game.settings, len(game.seats))
    cancelled = [oracle.winning_card(trick) is None for trick in game.tricks]
    bests = [(oracle.winning_card(trick), trick) for trick in game.tricks]
    kitty_counts = any(oracle.is_penalty(game.settings, c) or c in game.settings["bonus_cards"] for c in game.kitty)
    cases = {
        "X4": any(best and oracle.height(best) < _highest(trick) for best, trick in bests),
        "X5 two Queens": any(trick.count(game.black) == 2 for trick in game.tricks),
        "X6": any(cancelled[:-1]),
        "X6 twice running": any(a and b for a, b in pairwise(cancelled)),
        "X7": cancelled[-1],
        "X10": cancelled[0],
        "X2 kitty": bool(game.kitty),
        "X2 kitty waits": bool(game.kitty) and cancelled[0],
        "X3 kitty counts": kitty_counts,
        "X2 strip": game.settings["leftover"] == "strip" and len(game.dealt) < 104,
        "X9 holder": opening is not None and opening not in game.kitty,
        "X9 in the kitty": opening is not None and game.kitty.count(opening) == game.dealt.count(opening),
        "K two bonus copies": min(game.bonus_points()) == -20 and len(game.settings["bonus_cards"]) == 1,
    }
    return [name for name, holds in cases.items() if holds]


def _highest(trick: list[str]) -> int:
    return max(oracle.height(card) for card in trick if suit(card) == suit(trick[0]))


def _of_fines(game: OracleGame) -> list[str]:
    fines = game.fines()
    if not any(fines):
        return []
    without = [total - fine for total, fine in zip(game.totals, fines, strict=True)]
    target = game.settings["target"]
    return ["G7"] if not game.playoff and max(without) < target <= max(game.totals) else []


def _of_playoffs(game: OracleGame) -> list[str]:
    if not game.playoff:
        return []
    points, scores, places = game.captured_points(), game.hand_scores(), [game.places[seat] for seat in game.seats]
    first_by_points = {seat for seat in game.seats if points[seat] == min(points[s] for s in game.seats)}
    first_by_scores = {seat for seat in game.seats if scores[seat] == min(scores[s] for s in game.seats)}
    n = len(game.seats)
    by_number = oracle.pass_distance(game.settings, game.hand_number, n)
    two_decks = game.settings["decks"] == 2
    cases = {
        f"H4 play-off of {n}": True,
        "H4 goes on": places.count(0) > 1 and not game.hands_are_used_up(),
        "H4 second hand": game.playoff > 1,
        "H5 differs": first_by_points != first_by_scores,
        "H5 captured": first_by_points != first_by_scores and game.settings["playoff_compare"] == "captured",
        "H6 ties behind": any(place and places.count(place) > 1 for place in places),
        "H7 26 tricks": len(game.tricks) == 26,
        "H7 13 cards": bool(game.set_aside),
        "H7 no penalty card": not any(oracle.is_penalty(game.settings, card) for card in game.dealt),
        "H9 cuts a play-off": places.count(0) > 1 and game.hands_are_used_up(),
        "C8 restart": game.settings["playoff_pass"] == "restart" and game.distance != by_number,
        "C8 none": game.settings["playoff_pass"] == "none" and by_number > 0,
        "C8 continue": game.settings["playoff_pass"] == "continue" and game.distance > 0,
        "C3 fewer seats": n < game.players and (game.settings["across_seats"] or n // 2) != n // 2 and game.exchanged,
        "X14 one deck": two_decks and n < 6,
        "X14 two decks": two_decks and n >= 6,
    }
    return [name for name, holds in cases.items() if holds]


def _of_the_end(game: OracleGame) -> list[str]:
    if game.phase() != oracle.GAME_OVER:
        return []
    winners = game.winners()
    cases = {
        "game end": True,
        "shared win": len(winners) > 1,
        "H9 limit": game.hands_are_used_up() and not game.target_is_reached(),
        "H9 cuts a tie": game.hands_are_used_up()
        and game.target_is_reached()
        and len(winners) > 1
        and not game.playoff,
        "H6 whole ranking": game.playoff > 0 and len(game.seats) < game.players,
    }
    return [name for name, holds in cases.items() if holds]


def all_names() -> list[str]:
    """Return every situation that is counted."""
    return [
        *("C1 second copy", "D4", "D6 revoke", "D8 strict", "D9", "D9 revoke", "D10", "D11", "E4 on", "E5", "E6"),
        *("E6 heart", "X13", "G2", "G3 breaks hearts", "G3 found by lead", "G3 found by follow", "G3 found by discard"),
        *("G3 found by a revoke", "G4 replay", "G4 last card", "G4 no more replays", "G5 shooter revoked"),
        *("G5 victim revoked", "G6", "G7", "moon", "moon at six", "moon+", "moon-", "bonus to shooter"),
        *("bonus elsewhere", "F10 needs bonus", "X8 moon of 52", "X8 moon of 46", "X8 moon with a kitty"),
        *(
            "H7 moon of 13 cards",
            "H5 moon",
            "H5 new moon",
            "X4",
            "X5 two Queens",
            "X6",
            "X6 twice running",
            "X7",
            "X10",
        ),
        *("X2 kitty", "X2 kitty waits", "X3 kitty counts", "X2 strip", "X9 holder", "X9 in the kitty"),
        *("K two bonus copies", *(f"H4 play-off of {n}" for n in range(2, 12)), "H4 goes on", "H4 second hand"),
        *("H5 differs", "H5 captured", "H6 ties behind", "H6 whole ranking", "H7 26 tricks", "H7 13 cards"),
        "H7 no penalty card",
        *("H9 cuts a play-off", "H9 cuts a tie", "H9 limit", "C3 fewer seats", "C8 restart", "C8 none", "C8 continue"),
        *("X14 one deck", "X14 two decks", "game end", "shared win", "B6 misdeal"),
    ]
