"""Players that are other people's code: installed distributions, specs read by themselves, what they raise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import agents
from rk_env import Engine, PlayerError, Rules, SeedError, players
from rk_env.players import RandomPlayer, choose, decision_seeds, make, names, register

_GUEST = """
from rk_env.players import RandomPlayer

class Guest(RandomPlayer):
    def __init__(self, depth=1):
        self.name = f"guest@{depth}"

class Worded(Guest):
    @classmethod
    def from_text(cls, text, depth=1):
        return cls(len(text) * depth)
"""


@pytest.fixture
def guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path in which a distribution with two players, and one that is broken, is installed."""
    info = tmp_path / "guest-1.0.dist-info"
    info.mkdir()
    (tmp_path / "a_guest.py").write_text(_GUEST)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guest\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[rk_env.players]\nguest = a_guest:Guest\nworded = a_guest:Worded\nbroken = a_guest:Nobody\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("guest")
def test_players_of_an_installed_distribution() -> None:
    assert {"guest", "worded"} <= set(names()) == set(agents.names())
    for maker in (make, agents.make):
        assert maker("guest").name == "guest@1"
        assert maker("guest:depth=5").name == "guest@5"
        assert maker("worded:a, b:c").name == "guest@6"
    assert agents.make("guest@1").name == "guest@1"
    assert agents.make("worded:some/file.npz").name == f"guest@{len('some/file.npz')}", "no policy file"
    with pytest.raises(PlayerError, match=r"'broken': AttributeError: .*Nobody"):
        make("broken")


# Specs.


class Reading(RandomPlayer):
    """A player that reads what stands behind the colon itself."""

    def __init__(self, text: str = "", depth: int = 1) -> None:
        self.name = f"reading@1:{text},{depth}"

    @classmethod
    def from_text(cls, text: str, **options: Any) -> Reading:
        return cls(text, **options)


class Failing(RandomPlayer):
    """A player whose own code is broken."""

    name = "failing@1"

    def __init__(self, error: Any = None, at_once: bool = False) -> None:
        self.error = error or KeyError("x")
        if at_once:
            raise self.error

    def act(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        raise self.error


@pytest.fixture
def _registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "_FACTORIES", {"random": RandomPlayer})
    register("reading", Reading)
    register("failing", Failing)


@pytest.mark.usefixtures("_registry")
def test_factories_may_read_their_own_text() -> None:
    assert make("reading:a:b, c=d", depth=2).name == "reading@1:a:b, c=d,2"
    assert make("reading", depth=3).name == make("reading:", depth=3).name == "reading@1:,3"
    with pytest.raises(PlayerError, match="unexpected keyword argument 'deep'"):
        make("reading:a", deep=1)


@pytest.mark.usefixtures("_registry")
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("failing:at_once=True", "^'failing:at_once=True': KeyError: 'x'$"),
        ("a_broken_module:Player", r"^'a_broken_module:Player': ZeroDivisionError: division by zero$"),
        ("a_bad_module:Player", r"^'a_bad_module:Player': SyntaxError: "),
        ("red_ing:Player", r"No module named 'red_ing'; did you mean 'reading'\?$"),
        ("nowhere:Player", "No module named 'nowhere'$"),
    ],
)
def test_players_that_cannot_be_made(spec: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a_broken_module.py").write_text("1 / 0")
    (tmp_path / "a_bad_module.py").write_text("player = (")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PlayerError, match=message):
        make(spec)


# Answers.


def ask(player: Failing) -> NDArray[np.int64]:
    engine = Engine(Rules(), 4, seed=1)
    seeds = decision_seeds(1, np.arange(4), engine.games)
    return choose(engine, [player], np.zeros((4, 4), np.int64), seeds)


def test_what_a_player_raises_is_told_with_its_place() -> None:
    place = r"\(.*test_players_of_others\.py, line \d+\)"
    with pytest.raises(
        PlayerError, match=rf"^failing@1, asked for 4 decisions, raised KeyError: 'x' {place}$"
    ) as caught:
        ask(Failing())
    assert isinstance(caught.value.__cause__, KeyError)


def test_errors_of_ours_are_left_as_they_are() -> None:
    with pytest.raises(SeedError, match=r"^as it is$"):
        ask(Failing(SeedError("as it is")))


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_is_to_end_the_program_is_let_through(error: Any) -> None:
    with pytest.raises(error):
        ask(Failing(error))
