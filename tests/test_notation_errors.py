"""Transcripts that cannot be read, or do not hold: every error names the line, what stands there, and what should."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

import pytest

from rk_env.errors import NotationError
from rk_env.notation import parse, replay, write
from tests.make_golden import FOLDER

TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.txt"))}
GIVEN, MOON, CORRECTED, EXPOSED, REPLAYED, BONUS, TWO_DECKS, PLAYOFF, ELEVEN = (
    TEXTS[name]
    for name in (
        *("given_deal", "new_moon", "revokes_corrected", "revokes_exposed", "revokes_replayed", "bonus_cards"),
        *("two_decks_last_trick", "two_decks_playoff_of_two", "two_decks_eleven"),
    )
)


def changed(text: str, old: str, new: str) -> tuple[str, int]:
    """Return the text with the first such place changed, and the number of its line; a line break may stand before."""
    assert old in text, old
    return text.replace(old, new, 1), text[: text.index(old.lstrip("\n"), text.index(old))].count("\n") + 1


def without_line(text: str, start: str) -> tuple[str, int]:
    """Return the text without the first line that begins so, and the number of the line now there."""
    lines = text.split("\n")
    number = next(n for n, line in enumerate(lines) if line.startswith(start))
    return "\n".join(lines[:number] + lines[number + 1 :]), number + 1


def cut_behind(text: str, end: str) -> str:
    """Return the text up to a place."""
    return text[: text.index(end) + len(end)]


def assert_error(call: Callable[[], object], line: int, expected: str) -> None:
    """The call raises an error of this line, which says what stands there and what should."""
    with pytest.raises(NotationError) as caught:
        call()
    assert caught.value.line == line, caught.value
    assert re.match(rf"line {line}: found .+, expected .*{expected}", str(caught.value)), caught.value


# What cannot be read.

UNREADABLE = [
    (GIVEN, "Rickety Kate notation 1", "Rickety Kate notation 2", "'Rickety Kate notation 1' or older"),
    (GIVEN, "Rickety Kate notation 1", "Rickety Kate notation 0", "'Rickety Kate notation 1'"),
    (GIVEN, "Rickety Kate notation 1", "Hearts", "'Rickety Kate notation 1'"),
    (GIVEN, "passing: none", "passing: maybe", "rules of a game: passing='maybe' is not allowed; allowed: 'cycle'"),
    (GIVEN, "passing: none", "passing: cycle", "settings that differ from the default only, and passing does not"),
    (GIVEN, "passing: none", "colour: red", "a setting, seed, totals, or a hand"),
    (GIVEN, "ties: share", "target: 30", "one line only for target"),
    (GIVEN, "target: 30", "target: 0", "rules of a game: target=0 is not allowed"),
    (GIVEN, "target: 30", "target: 030", "'target: 30'"),
    (GIVEN, "target: 30", "target: 99999999999", "rules of a game: target='99999999999'"),
    (BONUS, "moon_needs_bonus: on", "moon_needs_bonus: yes", "rules of a game: moon_needs_bonus='yes'"),
    (BONUS, "bonus_cards: JD 10D", "bonus_cards: 10D JD", "'bonus_cards: JD 10D'"),
    (BONUS, "players: 5", "players: 7", "players=7 is not allowed with decks=1"),
    (GIVEN, "seed: 5", "seed: 18446744073709551616", r"a seed below 2\*\*64"),
    (GIVEN, "seed: 5", "seed: -5", "a setting, seed, totals, or a hand"),
    (GIVEN, "seed: 5", "seed: 5\ntotals: 0 0 0 0", "'hand 1: dealer 0"),
    (GIVEN, "hand 1: dealer 0", "hand 0: dealer 0", "a number from 1 to 1000000000, not 0"),
    (GIVEN, "hand 1: dealer 0", "hand 1: dealer 4", "a number from 0 to 3, not 4"),
    (GIVEN, "hand 1: dealer 0", "hand 1, deal 1: dealer 0", "a number from 2 to 30000, not 1"),
    (GIVEN, "hand 1: dealer 0, cards given", "hand 1: dealer 0, cut at 52", "a number from 1 to 51, not 52"),
    (GIVEN, "hand 1: dealer 0", "hand 1: play-off 1 of seats 1 0, dealer 0", "two or more of the seats 0 to 3"),
    (GIVEN, "hand 1: dealer 0", "hand 1: play-off 1 of seats 0 4, dealer 0", "two or more of the seats 0 to 3"),
    (GIVEN, "seat 0: C 2 3", "seat 0: C 3", "13 cards, not 12"),
    (GIVEN, "seat 0: C 2 3", "seat 0: C 3 2", "'seat 0: C 2 3 4"),
    (GIVEN, "seat 0: C 2 3", "seat 0: 2 C 3", r"a suit \(C, D, S, H\) before the ranks"),
    (GIVEN, "seat 1: D 2 3", "seat 1: C 2  D 3", "cards of the deck that are not dealt already"),
    (GIVEN, "seat 1: D 2 3", "seat 2: D 2 3", "the cards dealt to seat 1"),
    (TWO_DECKS, "kitty: C 2  D 8", "kitty: C 2", "all cards that are left over, 1 more"),
    (TWO_DECKS, "kitty: C 2  D 8", "kitty: C 2  H 8", "cards of the deck that are not dealt already"),
    (TWO_DECKS, "kitty: C 2  D 8", "set aside: C 2  D 8", "'kitty: C 2 D 8'"),
    (PLAYOFF, "set aside: ", "kitty: ", "'set aside: C 2 4"),
    (TWO_DECKS, "3 passes KC KD AD to 4", "3 passes KC KD AD to 5", "'3 passes KC KD AD to 4'"),
    (TWO_DECKS, "3 passes KC KD AD to 4", "3 passes KC KD XD to 4", "a pass, such as"),
    (TWO_DECKS, "2 passes 7C JD AD to 3", "2 passes 7C JD AD to 3\n3 passes KC KD AD to 4", "a pass, such as"),
    (GIVEN, " 2. 0 leads", " 3. 0 leads", "'2. 0 leads"),
    (GIVEN, "2C  AD  AS  AH, taken", "2C  AD  AS  1H, taken", "a trick, such as"),
    (CORRECTED, ", taken by 1", ", taken by one", "a trick, such as"),
    (GIVEN, "scores:   0  26  26  26", "scores:   0  26  26", "4 scores, one for each seat"),
    (GIVEN, "scores:   0  26  26  26", "scores:   -  26  26  26", "'scores: 0 26 26 26'"),
    (GIVEN, "scores:   0  26  26  26", "scores:   0  26  26  2b", "scores, such as"),
    (GIVEN, "totals:   0  26  26  26", "totals:   0  26  26  26  0", "4 numbers, one for each seat"),
    (GIVEN, "totals:   0  26  26  26", "totals:   0  26  26  99999999999999", "numbers from -2000000000 to 2000000000"),
    (GIVEN, "totals:   0  26  26  26", f"totals: 0 0 0 {'9' * 5000}", "numbers from -2000000000 to 2000000000"),
    (GIVEN, "totals:   0  26  26  26", "total:   0  26  26  26", "'totals: ...', one for each seat"),
    (GIVEN, "places: 1 2 3 4", "places: 1 2 3 5", "numbers from 1 to 4"),
    (GIVEN, "places: 1 2 3 4", "places 1 2 3 4", "'places: ...', one for each seat"),
    (GIVEN, "places: 1 2 3 4", "places: 1 2 3 4\nhand 3", "the end of the text"),
    (GIVEN, "winner: 0", "winners: 0", "'winner: 0'"),
    (GIVEN, "winner: 0", "winner: 1", "'winner: 0'"),
]


@pytest.mark.parametrize(("text", "old", "new", "expected"), UNREADABLE, ids=lambda value: value[:30].split("\n")[0])
def test_what_cannot_be_read_is_refused(text: str, old: str, new: str, expected: str) -> None:
    bad, line = changed(text, old, new)
    assert_error(lambda: parse(bad), line + new.lstrip("\n").count("\n"), expected)


STARTS = [
    ("first hand: 3", "hand 1", "a hand that does not come before the first hand of the game, 3"),
    ("totals: 0 30 5 5", "hand 1", "a hand of a play-off, as a total has reached 30"),
    ("places: 1 2 3 4", "hand 1", "a hand of a play-off, .* or places are given"),
    ("totals: 0 0 5 5", "hand 4: play-off 1 of seats 0 1", "a hand of the main game, as no total has reached 30"),
    (
        "totals: 0 0 5 30",
        "hand 4: play-off 1 of seats 0 2",
        "a play-off of two or more seats, those in first place: 0 1",
    ),
    ("totals: 0 0 5 30", "hand 4: play-off 2 of seats 0 1", "places before the first hand"),
    ("totals: 0 0 5 30\nplaces: 1 1 3 4", "hand 4: play-off 1 of seats 0 1", "places before the first hand"),
    ("totals: 0 0 0 30\nplaces: 1 1 2 4", "hand 4: play-off 2 of seats 0 1", "places that follow from the totals"),
    ("totals: 0 0 0 30\nplaces: 1 1 4 3", "hand 4: play-off 2 of seats 0 1", "places that follow from the totals"),
    ("totals: 0 0 0 30\nplaces: 1 1 3 4", "hand 4: play-off 2 of seats 0 2", "those in first place: 0 1"),
]


@pytest.mark.parametrize(("head", "hand", "expected"), STARTS)
def test_a_first_hand_must_follow_on_what_it_began_with(head: str, hand: str, expected: str) -> None:
    two = "seat 0: C 2 3 4 5 6 7 8 9 10 J Q K A  D 2 3 4 5 6 7 8 9 10 J Q K A\n"
    other = "S 2 3 4 5 6 7 8 9 10 J Q K A  H 2 3 4 5 6 7 8 9 10 J Q K A\n"
    suits = GIVEN[GIVEN.index("seat 0") : GIVEN.index(" 1. 0 leads")]
    first = int(hand[5])
    if "play-off" in hand:
        suits = two + f"seat {hand[-1]}: {other}"
    text = (
        f"Rickety Kate notation 1\ntarget: 30\nseed: 5\n{head}\nhand {first}{hand[6:]}{',' if 'off' in hand else ':'} "
    )
    line = text.count("\n") + 1
    assert_error(lambda: parse(f"{text}dealer 0, cards given, no pass\n{suits}"), line, expected)


@pytest.mark.parametrize("text", [GIVEN.encode(), None, 3])
def test_only_text_is_read(text: object) -> None:
    assert_error(lambda: parse(text), 1, "text")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "end", ["", "Rickety Kate notation 1\n", "seed: 2\n", "seat 0: C 4 6 A  D 4 10 Q K  S 2 4 6 K  H 2 4\n"]
)
def test_a_text_that_ends_too_early_is_refused_behind_its_last_line(end: str) -> None:
    text = cut_behind(REPLAYED, end)
    assert_error(lambda: parse(text), max(text.count("\n") + 1, 2), "")


@pytest.mark.parametrize("end", ["misdeal\n", "replay\n"])
def test_a_void_hand_is_not_the_last(end: str) -> None:
    text = cut_behind(REPLAYED, end)
    assert_error(lambda: parse(text), text.count("\n") + 1, "a hand, such as")


def test_a_long_line_is_shown_in_part() -> None:
    with pytest.raises(NotationError) as caught:
        parse("x" * 100_000)
    assert len(str(caught.value)) < 200


# What does not matter.


def test_comments_blank_lines_and_spaces_are_left_out() -> None:
    lines = GIVEN.split("\n")
    loose = "\n\n".join(f"\t {line.replace(' ', '   ')} \n  # {n} ♠" for n, line in enumerate(lines))
    log = parse(loose)
    assert log == parse(GIVEN)
    assert "#" not in write(log)


def test_lines_are_counted_with_comments_and_blank_ones() -> None:
    text, line = changed(GIVEN, "\nhand 2", "\n# a comment\n\n\nhand 2")
    bad, _ = changed(text, "scores:   4", "scores:   5")
    number = bad[: bad.index("scores:   5")].count("\n") + 1
    assert number > line
    assert_error(lambda: replay(parse(bad)), number, "'scores: 4 2 7 13'")


# What does not hold.

FALSE = [
    (GIVEN, "taken by 0", "taken by 1", "taken by 0'"),
    (GIVEN, "taken by 0", "cancelled", "taken by 0'"),
    (GIVEN, "2C  AD  AS  AH, taken by 0", "2C  AD  AS, taken by 0", "'1. 0 leads 2C AD AS'"),
    (GIVEN, " 2. 0 leads", " 2. 1 leads", "'2. 0 leads"),
    (GIVEN, "cards given, no pass", "cards given, pass left", "'hand 1: dealer 0, cards given, no pass'"),
    (GIVEN, "0 shoots the moon", "1 shoots the moon", "'0 shoots the moon'"),
    (GIVEN, "0 shoots the moon", "0 shoots the moon and adds", "'0 shoots the moon'"),
    (GIVEN, "scores:   0  26", "scores:  26  26", "'scores: 0 26 26 26'"),
    (GIVEN, "totals:   0  26", "totals:   1  26", "'totals: 0 26 26 26'"),
    (GIVEN, "hand 2: dealer 1", "hand 2: dealer 2", "'hand 2: dealer 1, cut at 17, no pass'"),
    (GIVEN, "hand 2: dealer 1", "hand 3: dealer 1", "'hand 2: dealer 1, cut at 17, no pass'"),
    (GIVEN, "hand 2: dealer 1", "hand 2, deal 2: dealer 1", "'hand 2: dealer 1, cut at 17, no pass'"),
    (GIVEN, "winner: 0\nplaces: 1 2 3 4", "winner: 1\nplaces: 2 1 3 4", "'winner: 0'"),
    (GIVEN, "cut at 17, no pass", "cut at 17, pass left", "'hand 2: dealer 1, cut at 17, no pass'"),
    (EXPOSED, "6C!", "6C", "6C!"),
    (EXPOSED, "AS!!", "AS!", "AS!!"),
    (EXPOSED, "revokes: 1 2 0", "revokes: 1 1 0", "'revokes: 1 2 0'"),
    (REPLAYED, "revokes before: 0 0 0 1", "revokes before: 0 0 1 0", "'revokes before: 0 0 0 1'"),
    (REPLAYED, "\nmisdeal", "\nreplay", r"a legal action of seat 0 \("),
    (REPLAYED, "\nreplay", "\nmisdeal", "'replay'"),
    (TWO_DECKS, "scores:   6", "scores:   7", "'scores: 6 14 14 1 4 13'"),
    (
        PLAYOFF,
        "hand 2: play-off 1 of",
        "hand 2: play-off 2 of",
        "'hand 2: play-off 1 of seats 0 7, dealer 7, pass left'",
    ),
    (PLAYOFF, "scores:   3   -", "scores:   4   -", "'scores: 3 - - "),
]


@pytest.mark.parametrize(("text", "old", "new", "expected"), FALSE, ids=lambda value: value[:30].split("\n")[0])
def test_what_does_not_come_of_the_moves_is_refused(text: str, old: str, new: str, expected: str) -> None:
    bad, line = changed(text, old, new)
    assert_error(lambda: replay(parse(bad)), line, expected)


def test_cards_that_are_not_the_seeds_are_refused() -> None:
    """They must be given as such; so must a cut be the one that deals them."""
    bad, line = changed(ELEVEN, "seed: 17", "seed: 18")
    assert_error(lambda: replay(parse(bad)), line + 3, "'seat 0: ")
    bad, line = changed(ELEVEN, "dealer 5, cut at 40", "dealer 5, cut at 41")
    assert_error(lambda: replay(parse(bad)), line + 1, "'seat 0: ")
    bad, line = changed(ELEVEN, "dealer 5, cut at 40", "dealer 5, cards given")
    assert_error(lambda: replay(parse(bad)), line, "'hand 2: dealer 5, cut at 40, pass right'")


def test_another_choice_of_the_shooter_gives_other_scores() -> None:
    bad, line = changed(MOON, "0 shoots the moon and adds", "0 shoots the moon and subtracts")
    assert_error(lambda: replay(parse(bad)), line + 1, "'scores: -26 0 0 0'")
    bad, line = changed(MOON, "0 shoots the moon and adds", "0 shoots the moon")
    assert_error(lambda: replay(parse(bad)), line + 1, r"a legal action of seat 0 \(moon\+, moon-\)")


def test_a_play_off_has_the_seats_that_are_tied_whatever_cards_are_given() -> None:
    """Three hands of one deck cannot be laid where two play off."""
    text = cut_behind(PLAYOFF.replace("seed: 25\n", ""), "hand 2: play-off 1 of seats 0 ")
    clubs, spades, hearts = (f"{suit} 2 3 4 5 6 7 8 9 10 J Q K A" for suit in "CSH")
    seats = f"seat 0: {clubs}  D 3 4 5 6\nseat 6: D 7 8 9 10  {spades}\nseat 7: D J Q K A  {hearts}\n"
    line = text.count("\n") + 1
    log = parse(f"{text}6 7, dealer 7, pass left\n{seats}")
    assert_error(lambda: replay(log), line, "'hand 2: play-off 1 of seats 0 7, dealer 7, pass left'")


def test_a_hand_that_is_not_over_is_not_followed_by_the_next() -> None:
    begun, _, rest = GIVEN.partition(" 5. 0 leads")
    text = begun + rest[rest.index("\nhand 2") :]
    assert_error(lambda: replay(parse(text)), begun.count("\n") + 2, r"a legal action of seat 0 \(6C, .*\)")


def test_a_game_that_goes_on_has_no_winner() -> None:
    text = cut_behind(GIVEN, "totals:   0  26  26  26\n")
    assert_error(lambda: replay(parse(f"{text}winner: 0\nplaces: 1 2 2 2\n")), text.count("\n") + 1, "the next hand")


def test_a_log_that_was_changed_is_checked_by_its_new_text() -> None:
    """Its lines are then those that `write` gives."""
    log = parse(f"# a comment\n{GIVEN}")
    begun = dataclasses.replace(log, hands=log.hands[:1], places=())
    assert replay(begun).totals.tolist() == [[0, 26, 26, 26]]
    hand = dataclasses.replace(begun.hands[0], scores=(26, 26, 26, 26))
    false = dataclasses.replace(begun, hands=(hand,))
    line = write(false).split("\n").index("scores:  26  26  26  26") + 1
    assert_error(lambda: replay(false), line, "'scores: 0 26 26 26'")


def test_a_hand_that_would_be_replayed_does_not_go_on() -> None:
    text, _ = changed(EXPOSED, "revokes: exposed", "revokes: exposed\nlate_revoke: replay")
    line = text[: text.index("6C!")].count("\n") + 1
    assert_error(lambda: replay(parse(text)), line, "'7. 1 leads 5C 4C 6C!'")


ILLEGAL = [
    (GIVEN, " 1. 0 leads   2C", " 1. 0 leads   3C", r"a legal action of seat 0 \(2C\), not 3C"),
    (GIVEN, " 2C  AD  AS  AH", " 2C  AD  AS  AD", r"a legal action of seat 3 \(2H, .*AH\), not AD"),
]


@pytest.mark.parametrize(("text", "old", "new", "expected"), ILLEGAL)
def test_an_illegal_move_is_refused(text: str, old: str, new: str, expected: str) -> None:
    bad, line = changed(text, old, new)
    assert_error(lambda: replay(parse(bad)), line, expected)


MISSING = [
    (GIVEN, "13. 0 leads", "a legal action of seat 0"),
    (GIVEN, "0 shoots the moon", "'0 shoots the moon'"),
    (EXPOSED, "revokes: 1 2 0", "'revokes: 1 2 0'"),
    (REPLAYED, "revokes before: ", "'revokes before: 0 0 0 1'"),
    (MOON, "0 shoots the moon", r"'0 shoots the moon'|a legal action of seat 0 \(moon"),
]


@pytest.mark.parametrize(("text", "start", "expected"), MISSING)
def test_a_line_that_is_left_out_is_missed(text: str, start: str, expected: str) -> None:
    bad, line = without_line(text, start)
    assert_error(lambda: replay(parse(bad)), line, expected)


ENDS = [
    (GIVEN, "scores:   4   2   7  13\ntotals:   4  28  33  39\n", "'winner: 0'"),
    (REPLAYED, "misdeal\n\nhand 1, deal 2: dealer 2, pass left\n", "the cards dealt to seat 0"),
]


@pytest.mark.parametrize(("text", "end", "expected"), ENDS)
def test_what_comes_of_the_last_move_is_not_left_out(text: str, end: str, expected: str) -> None:
    bad = cut_behind(text, end)
    assert_error(lambda: replay(parse(bad)), bad.count("\n") + 1, expected)
