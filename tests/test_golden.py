"""Golden transcripts: whole games of which every line is known, replayed, and played again by their script."""

from __future__ import annotations

import difflib
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rk_env import Phase
from rk_env.cards import N_RANKS, parse_card
from rk_env.notation import GameLog, HandLog, Play, Trick, parse, read_file, replay, write
from tests import make_golden
from tests.make_golden import FOLDER, GAMES, differences, played

NAMES = sorted({path.stem for path in FOLDER.iterdir()} | set(GAMES))


def test_the_folder_holds_every_game_and_nothing_else() -> None:
    assert [path.name for path in sorted(FOLDER.iterdir())] == [f"{name}.txt" for name in sorted(GAMES)], (
        "run python -m tests.make_golden, and remove what no game is known for"
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_game_replays_to_its_end(name: str) -> None:
    log = read_file(FOLDER / f"{name}.txt")
    assert replay(log).phase[0] == Phase.GAME_OVER
    assert log.winners


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_game_is_written_as_it_stands(name: str) -> None:
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    own = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))
    assert write(parse(text)) == own


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_game_is_played_again_as_it_stands(name: str) -> None:
    stored = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    diff = list(difflib.unified_diff(stored, played(GAMES[name]).splitlines(), "stored", "played now", lineterm=""))
    assert not diff, "\n".join([f"{name}: if this change is meant, run python -m tests.make_golden", *diff])


# What the games are to show.


def hands_of(log: GameLog) -> Iterator[HandLog]:
    return (hand for hand in log.hands if hand.scores)


def plays_of(log: GameLog) -> list[Play]:
    return [play for hand in log.hands for trick in hand.tricks for play in trick.plays]


def all_cancel(trick: Trick) -> bool:
    led = [play.card for play in trick.plays if play.card // N_RANKS == trick.plays[0].card // N_RANKS]
    return all(led.count(card) == 2 for card in led)


def takes_all_penalty_cards(hand: HandLog, seat: int) -> bool:
    taken = {play.card for trick in hand.tricks if trick.winner == seat for play in trick.plays}
    return taken >= {*range(39, 52), parse_card("QS")}


SHOWN: dict[str, Callable[[GameLog], bool]] = {
    "three_players": lambda log: log.rules.players == 3,
    "four_players": lambda log: log.rules == type(log.rules)() and max(log.hands[-1].totals) >= 100,
    "playoff_of_two": lambda log: len(log.hands[-1].seats) == 2 and len(log.hands[-1].tricks) == 26,
    "playoff_again": lambda log: [len(hand.seats) for hand in log.hands] == [5, 3, 2],
    "new_moon": lambda log: {hand.subtracts for hand in log.hands} >= {True, False},
    "bonus_cards": lambda log: any(
        hand.shooter < 0 and takes_all_penalty_cards(hand, seat) for hand in hands_of(log) for seat in range(5)
    ),
    "black_jack": lambda log: any(hand.shooter >= 0 and 26 in hand.scores for hand in log.hands),
    "revokes_corrected": lambda log: any(play.took_back >= 0 for play in plays_of(log)),
    "revokes_exposed": lambda log: {play.found for play in plays_of(log)} == {0, 1, 2},
    "revokes_replayed": lambda log: {hand.void for hand in log.hands} == {"", "misdeal", "replay"},
    "given_deal": lambda log: [hand.cut for hand in log.hands] == [None, 17] and log.hands[0].shooter == 0,
    "two_decks_last_trick": lambda log: any(
        all_cancel(hand.tricks[-1]) and hand.tricks[-1].winner == hand.tricks[-1].leader and hand.kitty
        for hand in hands_of(log)
    ),
    "two_decks_eight": lambda log: any(trick.winner == -1 for hand in log.hands for trick in hand.tricks),
    "two_decks_eleven": lambda log: [hand.cut for hand in log.hands] == [0, 0, 40, 40],
    "two_decks_playoff": lambda log: any(hand.playoff and len(hand.seats) >= 6 for hand in log.hands),
    "two_decks_playoff_of_two": lambda log: any(
        len(hand.seats) == 2 and len(hand.tricks) == 13 and len(hand.kitty) == 26 for hand in log.hands
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_game_shows_what_it_is_to_show(name: str) -> None:
    assert SHOWN[name](read_file(FOLDER / f"{name}.txt")), GAMES[name].shows


# The script.


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of two of the transcripts, which the script takes for all."""
    for name in ("bonus_cards", "given_deal"):
        shutil.copy(FOLDER / f"{name}.txt", tmp_path)
    monkeypatch.setattr(make_golden, "FOLDER", tmp_path)
    monkeypatch.setattr(make_golden, "GAMES", {name: GAMES[name] for name in ("bonus_cards", "given_deal")})
    return tmp_path


def test_the_script_finds_no_difference_where_there_is_none(folder: Path) -> None:
    assert not list(differences())


def test_the_script_shows_a_changed_line(folder: Path) -> None:
    path = folder / "given_deal.txt"
    path.write_text(path.read_text(encoding="utf-8").replace("0 shoots the moon", "1 shoots the moon"))
    assert [line for line in differences() if line[0] in "-+" and line[1] not in "-+"] == [
        "-1 shoots the moon\n",
        "+0 shoots the moon\n",
    ]


def test_the_script_shows_missing_and_unknown_files(folder: Path) -> None:
    (folder / "given_deal.txt").rename(folder / "other.txt")
    text = "".join(differences())
    assert "other.txt: no game is known by this name" in text
    assert "+passing: none" in text


def test_the_script_writes_what_is_missing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "given_deal.txt").unlink()
    monkeypatch.setattr(sys, "argv", ["make_golden"])
    make_golden.main()
    assert capsys.readouterr().out.startswith("2 transcripts written to ")
    assert (folder / "given_deal.txt").read_bytes() == (FOLDER / "given_deal.txt").read_bytes()


@pytest.mark.parametrize("change", [False, True])
def test_the_script_with_check_tells_by_its_exit_code(
    folder: Path, change: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if change:
        (folder / "given_deal.txt").write_text("")
    before = (folder / "given_deal.txt").read_bytes()
    monkeypatch.setattr(sys, "argv", ["make_golden", "--check"])
    with pytest.raises(SystemExit) as caught:
        make_golden.main()
    assert caught.value.code == int(change)
    assert (folder / "given_deal.txt").read_bytes() == before


def test_the_script_runs_as_a_module() -> None:
    root = FOLDER.parent.parent
    run = subprocess.run(
        [sys.executable, "-m", "tests.make_golden", "--help"], cwd=root, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert "tests/golden" in run.stdout
