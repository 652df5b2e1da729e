"""The table as text: a pure function of a record, a full game or one seat's view of it.

`>` marks the seat to act, `D` the dealer, `*` the card that is winning the trick.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from rk_env import cards
from rk_env.arguments import check_flag
from rk_env.errors import GameRecordError
from rk_env.inputs import check_rules
from rk_env.kernels import passing, play
from rk_env.kernels.batch import fill_hand_scores, fill_win_share
from rk_env.rules import Rules
from rk_env.state import GAME, GAME_OVER, HAND_OVER, MOON, NO_SEAT, PASS

_RED: Final = "\x1b[31m"
_PLAIN: Final = "\x1b[0m"
_SEPARATOR: Final = " · "
_NO_CARDS: Final = np.uint64(0)


def table_text(game: Any, rules: Rules, *, colors: bool = False) -> str:
    """Return the table as text, several lines without a last line break.

    Args:
        game: one record, such as `engine.games[0]`: all hands are shown; of a view (`engine.view(seat)[0]`), only its
            observer's.
        rules: the rules.
        colors: red suits in red, by terminal codes.

    Raises:
        GameRecordError: when `game` is no single record of a game with these rules.
        RulesError: when `rules` are none.
    """
    check_rules(rules)
    check_flag("colors", colors)
    if getattr(game, "dtype", None) != GAME or getattr(game, "shape", None) != ():
        raise GameRecordError(f"one record of dtype rk_env.state.GAME is needed, not {type(game).__name__}")
    is_whole = game.n_in_play == rules.players
    if int(game.in_play) >> rules.players or not (is_whole or (game.playoff and 2 <= game.n_in_play < rules.players)):
        raise GameRecordError(f"the record has other seats in play than the {rules.players} of the rules")
    lines = [_title(game, rules), _state_of_hand(game, rules), "", _HEADER, *_seat_lines(game, rules), ""]
    lines += [*_pass_lines(game, rules), *_last_trick_lines(game, rules), *_waiting_lines(game)]
    lines.append(_wait_line(game, rules))
    text = "\n".join(line.rstrip() for line in lines)
    return _colored(text) if colors else text


def _colored(text: str) -> str:
    for symbol in "♦♥":
        text = text.replace(symbol, f"{_RED}{symbol}{_PLAIN}")
    return text


def card_symbol(card: int) -> str:
    """Return a card as rank and suit symbol.

    >>> card_symbol(36), card_symbol(21)
    ('Q♠', '10♦')
    """
    text = cards.card_text(card)
    return text[:-1] + cards.SUIT_SYMBOLS[cards.SUIT_LETTERS.index(text[-1])]


def _symbols(some: Iterable[int]) -> str:
    return " ".join(card_symbol(card) for card in some)


def hand_text(bb: np.uint64, second: np.uint64 = _NO_CARDS) -> str:
    """Return cards suit by suit, lowest first; those of `second` twice.

    Raises:
        CardError: when a bitboard has other bits than those of the 52 cards.

    >>> hand_text(cards.bitboard("QS 2C 10C"), cards.bitboard("QS"))
    '♣ 2 10   ♠ Q Q'
    """
    held_cards = [card for plane in (bb, second) for card in cards.bitboard_cards(plane)]
    suits = []
    for suit, symbol in enumerate(cards.SUIT_SYMBOLS):
        held = sorted(card for card in held_cards if card // cards.N_RANKS == suit)
        if held:
            suits.append(" ".join([symbol, *(cards.RANK_TEXTS[card % cards.N_RANKS] for card in held)]))
    return "   ".join(suits)


# The head of the table.


def _title(game: Any, rules: Rules) -> str:
    seen = f"seen by seat {game.observer}" if game.observer != NO_SEAT else ""
    playoff = f"play-off {game.playoff}" if game.playoff else ""
    parts = ["Rickety Kate", f"{rules.players} players", f"hand {game.hand_number}", playoff, _pass_name(game), seen]
    return _SEPARATOR.join(part for part in parts if part)


def _pass_name(game: Any) -> str:
    if game.pass_seats == 0:
        return "no pass"
    if game.pass_seats == 1:
        return "pass left"
    if game.pass_seats == game.n_in_play - 1:
        return "pass right"
    return f"pass {game.pass_seats} seats left"


def _state_of_hand(game: Any, rules: Rules) -> str:
    n_tricks = rules.hand_size_of(int(game.n_in_play))
    black = cards.parse_card(rules.black_card)
    n_played = int((game.plays[: game.n_plays] == black).sum())
    is_twice = all(plane >> np.uint64(black) & np.uint64(1) for plane in rules.deck_planes(int(game.n_in_play)))
    played = f"{n_played} of 2 played" if is_twice else "played" if n_played else "still out"
    return _SEPARATOR.join(
        [
            f"trick {min(game.trick + 1, n_tricks)} of {n_tricks}" if game.phase != PASS else "passing",
            "hearts broken" if game.hearts_broken else "hearts unbroken",
            f"{card_symbol(black)} {played}",
        ]
    )


# A line for each seat.

_HEADER: Final = "     seat  total  hand  table  cards"


def _seat_lines(game: Any, rules: Rules) -> list[str]:
    scores = np.empty((1, rules.players), np.int64)
    fill_hand_scores(_batch(game), rules.array, scores)
    winner = play.trick_winner(game, rules.array[0]) if game.n_table else NO_SEAT
    return [_seat_line(game, rules, seat, int(scores[0, seat]), seat == winner) for seat in range(rules.players)]


def _batch(game: Any) -> Any:
    """Return a batch that holds one record."""
    return np.array([game], dtype=game.dtype)


def _seat_line(game: Any, rules: Rules, seat: int, score: int, is_winning: bool) -> str:
    turn = ">" if seat == game.turn else " "
    dealer = "D" if seat == game.dealer else " "
    card = "" if game.table[seat] < 0 else card_symbol(game.table[seat]) + "*" * is_winning
    holds = _holds(game, rules, seat)
    return f"  {turn}{dealer} {seat:>4} {game.totals[seat]:>6} {score:>5}  {card:<5}  {holds}"


def _holds(game: Any, rules: Rules, seat: int) -> str:
    fines = f"   ({game.revokes[seat]} x fined for a revoke)" if game.revokes[seat] else ""
    if not int(game.in_play) >> seat & 1:
        return "sits out" + fines
    if game.observer in (NO_SEAT, seat):
        return hand_text(*game.hands[seat]) + fines
    n_cards = rules.hand_size_of(int(game.n_in_play)) - int((game.play_seats[: game.n_plays] == seat).sum())
    return (f"{n_cards} card{'s' * (n_cards != 1)}" if n_cards else "") + fines


# Lines below the table.


def _pass_lines(game: Any, rules: Rules) -> list[str]:
    """Return who passes what to whom, as far as the record tells, three seats a line."""
    passes = []
    for seat in range(rules.players):
        picked = [card for card in game.passed[seat] if card >= 0]
        if picked:
            passes.append(f"{seat} to {passing.receiver(game, rules.array[0], seat)}: {_symbols(picked)}")
    heads = ["passed  ", "        "]
    return [heads[i > 0] + "   ".join(passes[i : i + 3]) for i in range(0, len(passes), 3)]


def _last_trick_lines(game: Any, rules: Rules) -> list[str]:
    if game.trick == 0:
        return []
    size = int(game.n_in_play)
    start = size * (int(game.trick) - 1)
    leader, played = game.play_seats[start], game.plays[start : start + size]
    winner = game.winners[game.trick - 1]
    end = f"taken by {winner}" if winner != NO_SEAT else "cancelled"
    return [f"last trick  {leader} led {_symbols(played)}; {end}"]


def _waiting_lines(game: Any) -> list[str]:
    """Return what lies beside the table: cards of cancelled tricks (X6), the kitty (X2), a card taken back (G2)."""
    lines = []
    if game.waiting[0]:
        lines.append(f"waiting     {hand_text(*game.waiting)}")
    if game.kitty[0]:
        whose = f" of {game.kitty_taker}" if game.kitty_taker != NO_SEAT else ""
        lines.append(f"kitty{whose:<7}{hand_text(*game.kitty)}")
    if game.turn != NO_SEAT and game.n_table and game.took_back[game.n_plays] >= 0:
        lines.append(f"taken back  {card_symbol(game.took_back[game.n_plays])}")
    return lines


def _wait_line(game: Any, rules: Rules) -> str:
    """Return what the game waits for, or how it ended."""
    if game.phase == GAME_OVER:
        shares = np.empty((1, rules.players))
        fill_win_share(_batch(game), rules.array, shares)
        winners = [str(seat) for seat in np.flatnonzero(shares[0])]
        return f"game over, won by {' and '.join(winners)}"
    shot = f", {game.shooter} shot the moon" if game.shooter != NO_SEAT else ""
    if game.phase == HAND_OVER:
        first = [str(seat) for seat in range(rules.players) if game.places[seat] == 0]
        tied = f", {' and '.join(first)} play off" if max(game.totals[: rules.players]) >= rules.target else ""
        return f"hand over{shot}{tied}"
    doing = {PASS: "picks a card to pass", MOON: "shot the moon and chooses: add to the others, or subtract"}
    return f"{game.turn} {doing.get(int(game.phase), 'plays a card')}"
