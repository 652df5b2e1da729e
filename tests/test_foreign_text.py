"""The lines that programs read: all that a view holds and nothing else; and the page that tells of them."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.foreign_text import HELLO, QUIT, decisions, rules_text
from rk_env import Engine, Rules
from tests.foreign_programs import EXAMPLE_COMMAND, PAGE, ROOT, at_the_moon_choice, random_hands, transcript
from tests.foreign_reader import (
    Read,
    counts,
    mask_texts,
    rules_read,
)
from tests.generators import NUMBER_OF
from tests.playing import random_actions
from tests.unseen import TABLES, cards_of, hands_of_all_kinds, redealt

Stand = tuple[Engine, NDArray[np.void], NDArray[np.uint64]]


def stands(engine: Engine, seed: int, every: int = 1) -> Iterator[Stand]:
    """Yield the views of the seats to act in one decision of `every`, and seeds, while hands are played at random."""
    rng = np.random.default_rng(seed)
    for number in itertools.count():
        acting = np.flatnonzero(engine.turn >= 0)
        if not len(acting):
            return
        if number % every == 0:
            yield (
                engine,
                engine.view(engine.turn[acting], games=acting),
                rng.integers(2**64, size=len(acting), dtype="u8"),
            )
        engine.step(random_actions(engine, rng))


# What a program is told.


def check_reads_the_same(engine: Engine, views: NDArray[np.void], seeds: NDArray[np.uint64]) -> None:
    """All that a view holds, and nothing else, is read back; and the actions, the deck, who passes to whom."""
    asked = decisions(views, engine.rules, seeds)
    acting = np.flatnonzero(engine.turn >= 0)
    by_the_book, accepted = (engine.action_mask(revokes=revokes)[acting] for revokes in (False, True))
    for i, one in enumerate(asked):
        read, view = Read(one.text), views[i]
        for name in view.dtype.names:
            assert read.view[name].tobytes() == view[name].tobytes(), f"{name}: {one.text}"
        assert read.seed == seeds[i]
        assert read.legal == mask_texts(by_the_book[i])
        assert read.revoking == mask_texts(accepted[i] - by_the_book[i])
        assert counts(read.deck) == counts(cards_of(engine.rules.deck_planes(int(view.n_in_play))))
        order = read.order(int(view.observer))
        assert read.pass_to == (order[view.pass_seats] if view.pass_seats else None)
        assert read.pass_from == (order[-view.pass_seats] if view.pass_seats else None)


@pytest.mark.parametrize("name", TABLES)
def test_every_field_of_a_view_is_told(name: str) -> None:
    for engine in hands_of_all_kinds(**{"decks": 1} | TABLES[name], n_games=2, seed=3, moon="new"):
        assert rules_read(rules_text(engine.rules)) == engine.rules
        for stand in stands(engine, seed=4, every=5):
            check_reads_the_same(*stand)


@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("revokes", ["prevented", "corrected", "exposed"])
def test_every_field_is_told_under_random_rules(decks: int, revokes: str) -> None:
    n_taken_back = n_revoking = 0
    for seed in range(4):
        for engine in random_hands(seed, decks, revokes=revokes):
            assert rules_read(rules_text(engine.rules)) == engine.rules
            for stand in stands(engine, seed, every=3):
                check_reads_the_same(*stand)
                texts = [one.text for one in decisions(stand[1], engine.rules, stand[2])]
                n_taken_back += sum("\ntook_back" in text for text in texts)
                n_revoking += sum("\nrevoking -" not in text for text in texts)
    assert (n_taken_back > 100) == (revokes == "corrected")
    assert (n_revoking > 100) == (revokes != "prevented")


@pytest.mark.parametrize("decks", [1, 2])
def test_the_moon_choice_is_told(decks: int) -> None:
    engine = at_the_moon_choice(decks)
    views, seeds = engine.view(engine.turn), np.zeros(1, np.uint64)
    check_reads_the_same(engine, views, seeds)
    assert Read(decisions(views, engine.rules, seeds)[0].text).legal == ["moon+", "moon-"]


@pytest.mark.parametrize("name", TABLES)
def test_nothing_hidden_is_told(name: str) -> None:
    """The lines stay when all that the seat cannot know is dealt afresh, also when full games are handed in."""
    n_changed = 0
    for engine in hands_of_all_kinds(**{"decks": 1} | TABLES[name], n_games=3, seed=5, moon="new"):
        for _, views, seeds in stands(engine, seed=6, every=4):
            games = engine.games[engine.turn >= 0]
            other = redealt(games, engine.rules, games["turn"].astype(np.int64), Random(7))
            n_changed += int((games["hands"] != other["hands"]).any(axis=(1, 2)).sum())
            told = [one.text for one in decisions(views, engine.rules, seeds)]
            for full in (games, other):
                assert [one.text for one in decisions(full, engine.rules, seeds)] == told
    assert n_changed > 20


def test_report_77_a_program_is_told_the_legal_cards_and_the_scores_of_these_rules() -> None:
    """Over 100 deals: an adapter to a bot that plays by other rules is found out before a match is believed."""
    engine = Engine(Rules(players=5, first_trick="only_2c", queen_breaks_hearts=True), 100, seed=77)
    n_told = 0
    for _ in range(2):
        for _, views, seeds in stands(engine, seed=77, every=10):
            masks = engine.action_mask()[engine.turn >= 0]
            points = engine.captured_points[engine.turn >= 0]
            totals = engine.totals[engine.turn >= 0]
            for i, one in enumerate(decisions(views, engine.rules, seeds)):
                read = Read(one.text)
                assert read.legal == mask_texts(masks[i])
                assert read.view.points[:5].tolist() == points[i].tolist()
                assert read.view.totals[:5].tolist() == totals[i].tolist()
                n_told += 1
        engine.next_hand()
    assert n_told > 1000


# The page.


def test_the_page_tells_of_every_line() -> None:
    page = PAGE.read_text(encoding="utf-8")
    cells = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    told = {code.split()[0] for cell in cells for code in re.findall(r"`([^`]+)`", cell)}
    written: set[str] = set()
    for engine in (*random_hands(1, 1, revokes="corrected"), *random_hands(2, 2, moon="new")):
        for _, views, seeds in stands(engine, seed=1):
            for one in decisions(views, engine.rules, seeds):
                written |= {line.split()[0] for line in one.text.splitlines()[1:]}
    assert told - {"timeout", "start_timeout", "name"} == written


def test_the_example_imports_nothing_of_ours() -> None:
    assert "import" not in (ROOT / "agents" / "example_foreign.py").read_text().replace("import sys", "")


def test_the_transcript_is_what_the_example_says() -> None:
    said = transcript()
    asked = "".join(f"{line}\n" for who, line in said if who == ">")
    ran = subprocess.run(
        [sys.executable, "-I", *EXAMPLE_COMMAND[1:]],
        input=asked,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert ran.stdout.splitlines() == [line for who, line in said if who == "<"]


def test_the_transcript_is_what_is_sent() -> None:
    """A hand of three, seed 7: the first decision, and the one in trick 5 of the seat that plays last."""
    assert transcript() == list(transcript_of_a_hand())


def transcript_of_a_hand() -> Iterator[tuple[str, str]]:
    from agents import example_foreign

    engine = Engine(Rules(players=3, revokes="corrected"), seed=7)
    seeds = np.array([2026], np.uint64)
    chosen = (0, 9 + 4 * 3 + 2)
    lines = [(">", HELLO), ("<", "ready example 1\n"), (">", rules_text(engine.rules))]
    for number in range(chosen[-1] + 1):
        one = decisions(engine.view(engine.turn), engine.rules, seeds)[0]
        facts = {line.split()[0]: line.split()[1:] for line in one.text.splitlines()}
        answer = example_foreign.choose(facts, "QS")
        if number in chosen:
            lines += [(">", f"{one.text}go 10\n"), ("<", f"{answer}\n")]
        engine.step([NUMBER_OF[answer]])
    lines.append((">", QUIT))
    return ((who, line) for who, text in lines for line in text.splitlines())
