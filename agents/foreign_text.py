"""The words of the protocol that `agents/FOREIGN.md` describes: views as lines of text, and what a program answers.

Every line is a keyword and words after it, "-" where there are none. Only what a view holds is written: each record is
blanked for its seat to act once more, so that not even a full game handed in would show more.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rk_env.cards import N_CARDS, NO_CARD, SUIT_LETTERS, bitboard_cards, card_text, parse_card
from rk_env.engine import action_text
from rk_env.errors import CardError
from rk_env.kernels import batch
from rk_env.notation.write import setting_text
from rk_env.rules import Rules
from rk_env.state import ACTION_MOON_ADD, ACTION_MOON_SUBTRACT, GAME, MAX_PLAYS, N_ACTIONS, PASS, Phase

PROTOCOL: Final = 1
"""Number of the protocol; it grows when a program written for it would misread a line."""
HELLO: Final = f"rickety_kate {PROTOCOL}\n"
QUIT: Final = "quit\n"
NOTHING: Final = "-"
CARD_TEXTS: Final = tuple(card_text(card) for card in range(N_CARDS))
_MOON_CHOICES: Final = {action_text(action): action for action in (ACTION_MOON_ADD, ACTION_MOON_SUBTRACT)}


class AnswerError(Exception):
    """A line that is no answer by the protocol; the text tells why, and goes into a `PlayerError`."""


@dataclass(frozen=True)
class Decision:
    """One decision, as a program is asked for it."""

    text: str
    """All lines of it but the last, `go`."""
    where: str
    """Seat, hand and trick, for messages."""
    legal: NDArray[np.int8]
    """Actions by the book, (54,)."""
    accepted: NDArray[np.int8]
    """These, and revokes where they can happen, (54,)."""


@dataclass
class Answer:
    """What a program says to one decision."""

    action: int = -1
    weights: dict[int, float] = field(default_factory=dict)
    """What it said by `info prob`."""
    values: dict[int, float] = field(default_factory=dict)
    """What it said by `info value`."""


# To the program.


def rules_text(rules: Rules) -> str:
    """Return the lines that tell rules: every field of `Rules`, in order.

    >>> rules_text(Rules(bonus_cards=("JD", "10D"))).splitlines()[:3]
    ['rules', 'rule players 4', 'rule decks 1']
    """
    fields = [(item.name, getattr(rules, item.name)) for item in dataclasses.fields(rules)]
    lines = [f"rule {name} {NOTHING if value in (None, ()) else setting_text(value)}" for name, value in fields]
    return _joined(["rules", *lines])


def decisions(views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> list[Decision]:
    """Return the decisions of views in which a seat is to act.

    Args:
        views: (B,) records; of full games, what the seat to act may know.
        rules: the rules of all views.
        seeds: one a decision, (B,).
    """
    shown = views.copy()
    batch.hide_games(shown, rules.array, views["turn"].astype(np.int64))
    masks = np.empty((2, len(views), N_ACTIONS), np.int8)
    for mask, revokes in zip(masks, (False, True), strict=True):
        batch.fill_masks(shown, rules.array, mask, revokes)
    rows = zip(shown, seeds.tolist(), *masks, strict=True)
    return [_decision(dict(zip(GAME.names or (), view.tolist(), strict=True)), rules, *rest) for view, *rest in rows]


def _decision(
    g: dict[str, Any], rules: Rules, seed: int, legal: NDArray[np.int8], accepted: NDArray[np.int8]
) -> Decision:
    lines = [
        "decision",
        f"seed {seed}",
        *_game_lines(g, rules),
        *_pass_lines(g),
        *_card_lines(g, rules),
        *_trick_lines(g),
        _line("legal", _actions(legal)),
        _line("revoking", _actions(accepted - legal)),
    ]
    return Decision(
        _joined(lines), f"seat {g['observer']}, hand {g['hand_number']}, trick {g['trick']}", legal, accepted
    )


def _game_lines(g: dict[str, Any], rules: Rules) -> Iterator[str]:
    """Yield the seat, the hand, and the game so far: numbers by seat have one for each seat at the table."""
    yield f"seat {g['observer']}"
    yield f"phase {Phase(g['phase']).name.lower()}"
    yield _line("in_play", map(str, _seats(g)))
    for name in ("dealer", "hand_number", "first_hand", "redeal", "playoff"):
        yield f"{name} {g[name]}"
    for name in ("totals", "places", "revokes", "points"):
        yield _line(name, map(str, g[name][: rules.players]))


def _pass_lines(g: dict[str, Any]) -> Iterator[str]:
    """Yield which way cards go, and those that the seat knows of."""
    seats, n = _seats(g), g["pass_seats"]
    here = seats.index(g["observer"])
    to, giver = seats[(here + n) % len(seats)], seats[(here - n) % len(seats)]
    is_picking = g["phase"] == PASS
    own, given = _texts(g["passed"][g["observer"]]), _texts(g["passed"][giver])
    yield f"pass_seats {n}"
    yield f"pass_to {to if n else NOTHING}"
    yield f"pass_from {giver if n else NOTHING}"
    yield f"picks_made {g['n_picks']}"
    yield _line("picks", own if is_picking else ())
    yield _line("passed", () if is_picking else own)
    yield _line("received", given)  # blank in a view until all have picked, and in a hold hand


def _card_lines(g: dict[str, Any], rules: Rules) -> Iterator[str]:
    """Yield the cards that the seat knows of, apart from the tricks, and what they tell."""
    yield _line("deck", _held(rules.deck_planes(g["n_in_play"])))
    yield _line("hand", _held(g["hands"][g["observer"]]))
    yield f"hearts_broken {_yes(g['hearts_broken'])}"
    yield f"opened_with_2c {_yes(g['opened_with_2c'])}"
    suits = ["".join(SUIT_LETTERS[suit] for suit in range(4) if voids >> suit & 1) for voids in g["voids"].tolist()]
    yield _line("voids", [text or NOTHING for text in suits[: rules.players]])
    yield from (_line(f"captured {seat}", cards) for seat in _seats(g) if (cards := _held(g["captured"][seat])))
    yield _line("waiting", _held(g["waiting"]))
    yield f"kitty_taker {_seat(g['kitty_taker'])}"
    yield _line("kitty", _held(g["kitty"]))
    yield f"shooter {_seat(g['shooter'])}"


def _trick_lines(g: dict[str, Any]) -> Iterator[str]:
    """Yield each completed trick and the one on the table, each followed by the cards taken back in it."""
    size, n_plays = g["n_in_play"], g["n_plays"]
    for number in range(g["trick"] + 1):
        first = number * size
        cards = _texts(g["plays"][first : first + size])
        if number < g["trick"]:
            yield _line(f"trick {g['play_seats'][first]} {_seat(g['winners'][number])}", cards)
        else:
            yield f"leader {_seat(g['leader'])}"
            yield _line("table", cards)
        for play in range(first, min(first + size, MAX_PLAYS)):
            if g["took_back"][play] != NO_CARD:
                seat = g["play_seats"][play] if play < n_plays else g["turn"]
                yield f"took_back {seat} {CARD_TEXTS[g['took_back'][play]]}"


def _seats(g: dict[str, Any]) -> list[int]:
    return [seat for seat in range(16) if g["in_play"] >> seat & 1]


def _held(planes: Sequence[Any]) -> list[str]:
    """Return the texts of a set of cards of two planes, lowest first, second copies beside the first."""
    return [CARD_TEXTS[card] for card in sorted(bitboard_cards(planes[0]) + bitboard_cards(planes[1]))]


def _texts(cards: NDArray[np.int8]) -> list[str]:
    return [CARD_TEXTS[card] for card in cards.tolist() if card != NO_CARD]


def _actions(mask: NDArray[np.int8]) -> list[str]:
    return [action_text(int(action)) for action in np.flatnonzero(mask)]


def _seat(seat: int) -> str:
    return str(seat) if seat >= 0 else NOTHING


def _yes(flag: int) -> str:
    return "yes" if flag else "no"


def _line(keyword: str, words: Iterable[str]) -> str:
    return f"{keyword} {' '.join(words) or NOTHING}"


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


# From the program.


def parse_action(text: str) -> int:
    """Return the action that a text names: a card, "moon+" or "moon-".

    Raises:
        AnswerError: when it names none.

    >>> parse_action("QS"), parse_action("moon-")
    (36, 53)
    """
    if text.lower() in _MOON_CHOICES:
        return _MOON_CHOICES[text.lower()]
    try:
        return parse_card(text)
    except CardError:
        raise AnswerError(f"{text[:200]!r} is neither a card nor moon+ or moon-") from None


def read_line(line: str, decision: Decision, answer: Answer) -> bool:
    """Add what a line says to an answer; return whether the answer is complete.

    Raises:
        AnswerError: when the line breaks the protocol, or its action is not legal.
    """
    word, _, rest = line.partition(" ")
    if word == "error":
        raise AnswerError(f"gave up: {rest!r}")
    try:
        if word == "info":
            _read_info(rest.split(), decision, answer)
        elif word:
            answer.action = _accepted_action(line, decision)
    except AnswerError as error:
        raise AnswerError(f"answered {line[:200]!r}, but {error}") from None
    return answer.action >= 0


def _accepted_action(text: str, decision: Decision) -> int:
    action = parse_action(text)
    if not decision.accepted[action]:
        raise AnswerError(f"{action_text(action)} is not legal; legal: {', '.join(_actions(decision.accepted))}")
    return action


def _read_info(words: list[str], decision: Decision, answer: Answer) -> None:
    """Keep a probability or a value; other information is the program's own affair."""
    if not words or words[0] not in ("prob", "value"):
        return
    try:
        _, action, text = words
        number = float(text)
    except ValueError:
        raise AnswerError(f"'info {words[0]} ACTION NUMBER' is needed") from None
    if not math.isfinite(number) or (words[0] == "prob" and number < 0):
        raise AnswerError("the number must be finite, and no probability below 0")
    kept = answer.weights if words[0] == "prob" else answer.values
    kept[_accepted_action(action, decision)] = number
