"""Learning curves are drawn, whatever the history holds, and left out where matplotlib is not installed."""

from __future__ import annotations

import struct
import sys
from pathlib import Path
from typing import Any

import pytest

from training.plots import save_learning_curve


def history_of(n: int) -> list[dict[str, Any]]:
    def point(mean: float) -> dict[str, float]:
        return {"mean": mean, "low": mean - 0.5, "high": mean + 0.5}

    return [{"seconds": 60.0 * k, "iteration": k, "ducker": point(k), "rule_based": point(-1.0)} for k in range(n)]


def size_of_png(path: Path) -> tuple[int, ...]:
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert content.endswith(b"IEND\xaeB`\x82")
    return struct.unpack(">II", content[16:24])


@pytest.mark.parametrize("n", [1, 2, 300])
def test_a_picture_is_drawn(n: int, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "curve.png"
    path.write_text("old")
    save_learning_curve(history_of(n), path)
    assert size_of_png(path) == (960, 540)
    assert list(tmp_path.iterdir()) == [path]


def test_every_opponent_has_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figure_module = pytest.importorskip("matplotlib.figure")
    drawn = []

    def savefig(figure: Any, *arguments: Any, **options: Any) -> None:
        drawn.extend(figure.axes[0].get_lines())

    monkeypatch.setattr(figure_module.Figure, "savefig", savefig)
    save_learning_curve(history_of(3), tmp_path / "curve.png")
    curves = {line.get_label(): line.get_xydata().tolist() for line in drawn}
    assert curves["v ducker"] == [[0, 0], [1, 1], [2, 2]], "minutes and means"
    assert curves["v rule_based"] == [[0, -1], [1, -1], [2, -1]]


def test_without_matplotlib_nothing_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    save_learning_curve(history_of(2), tmp_path / "curve.png")
    assert list(tmp_path.iterdir()) == []
