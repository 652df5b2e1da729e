"""Makes the transcripts in `tests/golden` again: `python -m tests.make_golden`; `--check` only shows what differs.

Each is a whole game, played by simple players that depend on a seed alone. What a transcript is to show is said in its
second line, and `tests/test_golden.py` sees that it does.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from rk_env import Engine, Phase, Rules
from rk_env.cards import HEARTS, N_RANKS, parse_card
from rk_env.notation import Recorder, write
from rk_env.state import ACTION_MOON_ADD, ACTION_MOON_SUBTRACT
from tests.playing import HANDS

FOLDER = Path(__file__).parent / "golden"
MOST_STEPS = 10_000
"""Actions after which a game is taken for endless."""

Choose = Callable[[Engine, list[int], Random], int]


@dataclass(frozen=True)
class Golden:
    """A game to be played and written down."""

    shows: str
    rules: Rules
    seed: int
    choose: Choose
    revokes: float = 0.0
    """Share of the plays in which a seat revokes that can."""
    misdeals: int = 0
    """Misdeals declared, one in each of the first hands."""
    cut: int | None = None
    """Where every hand but the first is cut; None leaves it to the engine."""
    hands: tuple[str, ...] = ()
    """The first hand, where it is given."""


# Ways to play, of an engine of one game.


def pick(rng: Random, choices: list[int]) -> int:
    """Choose any; of Python's random numbers only `random()` is the same in every version."""
    return choices[int(rng.random() * len(choices))]


def choose_any(engine: Engine, legal: list[int], rng: Random) -> int:
    """Choose any legal action."""
    return pick(rng, legal)


def choose_low(engine: Engine, legal: list[int], rng: Random) -> int:
    """Pass high cards, play low ones, and throw away penalty cards."""
    if rng.random() < 0.1:
        return pick(rng, legal)
    is_discard = (
        engine.phase[0] == Phase.PLAY and engine.games[0].n_table and suit(legal[0]) != engine.games[0].led_suit
    )
    if is_discard or engine.phase[0] == Phase.PASS:
        return max(legal, key=lambda card: (points(engine, card), card % N_RANKS))
    return min(legal, key=lambda card: card % N_RANKS)


def choose_moon(engine: Engine, legal: list[int], rng: Random) -> int:
    """Let one seat take all it can, while the others play low and throw it the penalty cards."""
    if engine.phase[0] == Phase.MOON:
        return pick(rng, [ACTION_MOON_ADD, ACTION_MOON_SUBTRACT])
    if engine.turn[0] != shooter(engine):
        return choose_low(engine, legal, rng)
    if engine.phase[0] == Phase.PASS:
        return min(legal, key=lambda card: (points(engine, card), card % N_RANKS))
    return max(legal, key=lambda card: card % N_RANKS)


def shooter(engine: Engine) -> int:
    """The seat that has points already, or the strongest hand."""
    captured = engine.captured_points[0]
    if captured.max() > 0:
        return int(captured.argmax())
    planes = engine.games["hands"][0]
    strength = [sum((card % N_RANKS) ** 2 for card in range(52) if int(once) >> card & 1) for once, _ in planes]
    return strength.index(max(strength))


def suit(card: int) -> int:
    return card // N_RANKS


def points(engine: Engine, card: int) -> int:
    """Penalty points of a card."""
    return 13 * (card == parse_card(engine.rules.black_card)) + (suit(card) == HEARTS)


# The games.


def played(golden: Golden) -> str:
    """Play a game and return its transcript."""
    recorder = Recorder(Engine(golden.rules, seeds=[golden.seed]))
    if golden.hands:
        recorder.deal(golden.hands)
    rng = Random(golden.seed)
    for _ in range(MOST_STEPS):
        if recorder.engine.phase[0] == Phase.GAME_OVER:
            first, _, rest = write(recorder.log()).partition("\n")
            return f"{first}\n# {golden.shows}\n{rest}"
        act(recorder, golden, rng)
    raise AssertionError(f"no end after {MOST_STEPS} actions: {golden}")


def act(recorder: Recorder, golden: Golden, rng: Random) -> None:
    """Do what comes next: an action, a misdeal, the next hand."""
    game = recorder.engine.games[0]
    if game.phase == Phase.HAND_OVER:
        recorder.next_hand(golden.cut)
    elif game.hand_number <= golden.misdeals and game.redeal == 0 and game.n_plays == 5:
        recorder.redeal()
    else:
        recorder.step([choice(recorder.engine, golden, rng)])


def choice(engine: Engine, golden: Golden, rng: Random) -> int:
    """Return what the seat to act does."""
    legal = set(np.flatnonzero(engine.action_mask(revokes=False)[0]).tolist())
    revokes = sorted(set(np.flatnonzero(engine.action_mask()[0]).tolist()) - legal)
    if revokes and rng.random() < golden.revokes:
        return pick(rng, revokes)
    return golden.choose(engine, sorted(legal), rng)


GAMES = {
    "three_players": Golden(
        "Three players without 2S: who holds 2C leads it, and trick one is strict.",
        Rules(players=3, remove_for_three="2S", opening="two_of_clubs", first_trick="strict", target=50),
        seed=4,
        choose=choose_low,
    ),
    "four_players": Golden("The standard game, to 100.", Rules(), seed=8, choose=choose_low),
    "playoff_of_two": Golden(
        "A short game that ends in a play-off of two seats with 26 cards each.", Rules(target=20), 8, choose_low
    ),
    "playoff_again": Golden(
        "Five players tie, then three of them, then two.",
        Rules(players=5, first_trick="off", target=5),
        seed=27,
        choose=choose_low,
    ),
    "new_moon": Golden("New moons: some shooters add, some subtract.", Rules(moon="new"), 15, choose_moon),
    "bonus_cards": Golden(
        "Both bonus cards, which a moon needs: who takes every penalty card but not both of them shoots none.",
        Rules(players=5, bonus_cards=("JD", "10D"), moon_needs_bonus=True, target=30),
        seed=77,
        choose=choose_moon,
    ),
    "black_jack": Golden(
        "Six players and Black Jack, where a moon is always worth 26.",
        Rules(players=6, black_card="JS", moon_value="fixed26", target=50),
        seed=2,
        choose=choose_moon,
    ),
    "revokes_corrected": Golden(
        "Revokes that are seen at once: the cards in brackets go back.",
        Rules(revokes="corrected", target=50),
        seed=1,
        choose=choose_low,
        revokes=0.05,
    ),
    "revokes_exposed": Golden(
        "Revokes that later cards give away, one of them two at once.",
        Rules(players=3, revokes="exposed", target=60),
        seed=1,
        choose=choose_low,
        revokes=0.08,
    ),
    "revokes_replayed": Golden(
        "Hands that are dealt again when a revoke is found, and after a misdeal.",
        Rules(revokes="exposed", late_revoke="replay", passing="left", target=40),
        seed=2,
        choose=choose_low,
        revokes=0.02,
        misdeals=1,
    ),
    "given_deal": Golden(
        "A first hand with given cards, a suit each; the cards of later hands are cut at 17.",
        Rules(passing="none", target=30, ties="share"),
        seed=5,
        choose=choose_low,
        cut=17,
        hands=tuple(HANDS),
    ),
    "two_decks_last_trick": Golden(
        "Two decks, six players and a kitty; a last trick without a winner goes to its leader.",
        Rules(players=6, decks=2, target=30),
        seed=82,
        choose=choose_any,
    ),
    "two_decks_eight": Golden(
        "Two decks and eight players; cancelled tricks wait for the next winner.",
        Rules(players=8, decks=2, target=30),
        seed=47,
        choose=choose_low,
    ),
    "two_decks_eleven": Golden(
        "Two decks and eleven players, a misdeal, and cards cut at 40.",
        Rules(players=11, decks=2, target=20),
        seed=17,
        choose=choose_any,
        misdeals=1,
        cut=40,
    ),
    "two_decks_playoff": Golden(
        "Nine players with stripped decks, and a play-off of six or more with two decks.",
        Rules(players=9, decks=2, leftover="strip", target=10),
        seed=36,
        choose=choose_moon,
    ),
    "two_decks_playoff_of_two": Golden(
        "Nine players, and a play-off of two with 13 cards each and the rest set aside.",
        Rules(players=9, decks=2, leftover="strip", two_hand_deal=13, target=10),
        seed=25,
        choose=choose_low,
    ),
}
"""The transcripts by the names of their files."""


def texts() -> Iterator[tuple[str, str]]:
    """Play all games; yield each file's name and what it holds."""
    for name, golden in GAMES.items():
        yield f"{name}.txt", played(golden)


def differences() -> Iterator[str]:
    """Return how the files differ from the games played now, as lines of a diff; nothing when they do not."""
    made = dict(texts())
    for path in sorted(FOLDER.iterdir()):
        if path.name not in made:
            yield f"{path}: no game is known by this name\n"
    for name, text in made.items():
        path = FOLDER / name
        stored = path.read_text(encoding="utf-8") if path.exists() else ""
        yield from difflib.unified_diff(
            stored.splitlines(keepends=True), text.splitlines(keepends=True), f"{path} (stored)", f"{name} (played now)"
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.make_golden", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, show what differs")
    if parser.parse_args().check:
        lines = list(differences())
        sys.stdout.writelines(lines)
        sys.exit(1 if lines else 0)
    FOLDER.mkdir(exist_ok=True)
    for name, text in texts():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(GAMES)} transcripts written to {FOLDER}")


if __name__ == "__main__":
    main()
