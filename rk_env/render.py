"""The table as text: a pure function of a record, a full game or one seat's view of it.

`>` marks the seat to act, `D` the dealer, `*` the card that is winning the trick.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from rk_env import cards
from rk_env.kernels import passing, play
from rk_env.kernels.batch import fill_hand_scores, fill_win_share
from rk_env.rules import Rules
from rk_env.state import GAME_OVER, HAND_OVER, MOON, NO_SEAT, PASS

_RED: Final = "\x1b[31m"
_PLAIN: Final = "\x1b[0m"
_SEPARATOR: Final = " · "


def table_text(game: Any, rules: Rules, *, colors: bool = False) -> str:
    """Return the table as text, several lines without a last line break.

    Args:
        game: one record, such as `engine.games[0]`: all hands are shown; of a view (`engine.view(seat)[0]`), only its
            observer's.
        rules: the rules.
        colors: red suits in red, by terminal codes.
    """
    lines = [_title(game, rules), _state_of_hand(game, rules), "", _HEADER, *_seat_lines(game, rules), ""]
    lines += [*_pass_lines(game, rules), *_last_trick_lines(game, rules), _wait_line(game, rules)]
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
    suit, rank = divmod(int(card), cards.N_RANKS)
    return cards.RANK_TEXTS[rank] + cards.SUIT_SYMBOLS[suit]


def _symbols(some: Iterable[int]) -> str:
    return " ".join(card_symbol(card) for card in some)


def hand_text(bb: np.uint64) -> str:
    """Return cards suit by suit, lowest first.

    >>> hand_text(cards.bitboard("QS 2C 10C"))
    '♣ 2 10   ♠ Q'
    """
    suits = []
    for suit, symbol in enumerate(cards.SUIT_SYMBOLS):
        held = cards.bitboard_cards(bb & cards.SUITS_BB[suit])
        if held:
            suits.append(" ".join([symbol, *(cards.RANK_TEXTS[card % cards.N_RANKS] for card in held)]))
    return "   ".join(suits)


# The head of the table.


def _title(game: Any, rules: Rules) -> str:
    seen = f"seen by seat {game.observer}" if game.observer != NO_SEAT else ""
    parts = ["Rickety Kate", f"{rules.players} players", f"hand {game.hand_number}", _pass_name(game), seen]
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
    n_tricks = rules.hand_size
    black = cards.parse_card(rules.black_card)
    is_played = black in game.plays[: game.n_plays]
    return _SEPARATOR.join(
        [
            f"trick {min(game.trick + 1, n_tricks)} of {n_tricks}" if game.phase != PASS else "passing",
            "hearts broken" if game.hearts_broken else "hearts unbroken",
            f"{card_symbol(black)} {'played' if is_played else 'still out'}",
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
    if game.observer in (NO_SEAT, seat):
        return hand_text(game.hands[seat, 0])
    n_cards = rules.hand_size - int((game.play_seats[: game.n_plays] == seat).sum())
    return f"{n_cards} card{'s' * (n_cards != 1)}" if n_cards else ""


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
    end = rules.players * int(game.trick)
    leader, played = game.play_seats[end - rules.players], game.plays[end - rules.players : end]
    return [f"last trick  {leader} led {_symbols(played)}; taken by {game.winners[game.trick - 1]}"]


def _wait_line(game: Any, rules: Rules) -> str:
    """Return what the game waits for, or how it ended."""
    if game.phase == GAME_OVER:
        shares = np.empty((1, rules.players))
        fill_win_share(_batch(game), rules.array, shares)
        winners = [str(seat) for seat in np.flatnonzero(shares[0])]
        return f"game over, won by {' and '.join(winners)}"
    shot = f", {game.shooter} shot the moon" if game.shooter != NO_SEAT else ""
    if game.phase == HAND_OVER:
        return f"hand over{shot}"
    doing = {PASS: "picks a card to pass", MOON: "shot the moon and chooses: add to the others, or subtract"}
    return f"{game.turn} {doing.get(int(game.phase), 'plays a card')}"
