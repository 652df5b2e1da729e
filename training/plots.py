"""Pictures of runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rk_env.files import replacing


def save_learning_curve(history: list[dict[str, Any]], path: Path) -> None:
    """Draw payoff against each panel member over training time, with 95 % bands, as a PNG; none without matplotlib."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return
    figure = Figure(figsize=(8, 4.5), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    minutes = [entry["seconds"] / 60 for entry in history]
    names = [key for key, value in history[-1].items() if isinstance(value, dict)]
    for colour, name in zip(("#0072b2", "#d55e00", "#009e73", "#cc79a7"), names, strict=False):
        mean, low, high = ([entry[name][key] for entry in history] for key in ("mean", "low", "high"))
        axes.plot(minutes, mean, color=colour, marker="o", markersize=3, label=f"v {name}")
        axes.fill_between(minutes, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.text(minutes[-1], mean[-1], f" {mean[-1]:+.2f}", color=colour, va="center")
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set(xlabel="minutes of training", ylabel="payoff a hand (points)", title="Training from nothing")
    axes.set_xlim(0, 1.1 * max(minutes[-1], 0.01))  # room for the last figures
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right", frameon=False)
    with replacing(path) as file:
        figure.savefig(file, format="png")
