"""A trained policy as a player: compiled inference without torch, and the file format.

A policy is two files: `policy.npz` with the weights, and `policy.json`, its card: what it was trained on, by which
command, and how strong it is. Loading checks the card before anything is played.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.inputs import OBSERVATION, Inputs
from rk_env.errors import PolicyFileError, RulesError
from rk_env.inputs import as_seeds
from rk_env.jit import kernel
from rk_env.kernels import batch
from rk_env.kernels.chance import advance, mix
from rk_env.observation import OBS_VERSION, Layout
from rk_env.players import Evaluation
from rk_env.rules import RULES_VERSION, Rules
from rk_env.state import N_ACTIONS

FORMAT: Final = "rickety-kate-policy@1"
WEIGHTS_FILE: Final = "policy.npz"
CARD_FILE: Final = "policy.json"
POINTS_PER_NAT: Final = 0.5
"""How many points more a move is expected to pay that a policy makes e times as likely: so lessons train it."""
_S11: Final = np.uint64(11)


@kernel
def forward(rows: NDArray[np.float32], weights: tuple[NDArray[np.float32], ...], out: NDArray[np.float32]) -> None:
    """Fill `out` (B, 54) with the logits of observations `rows` (B, D).

    One row at a time, one input at a time, zeros skipped: most numbers of an observation, and about half the units
    behind a rectifier, are zero. So a row's logits do not depend on the batch it is in.

    Args:
        rows: observations.
        weights: all layers' weights and biases in one row each: (in, out), (1, out), ...
        out: the logits.
    """
    n_layers = len(weights) // 2
    width = 0
    for k in range(n_layers):
        width = max(width, weights[2 * k].shape[1])
    a = np.empty(max(width, rows.shape[1]), np.float32)
    b = np.empty(width, np.float32)
    for i in range(rows.shape[0]):
        a[: rows.shape[1]] = rows[i]
        for k in range(n_layers):
            matrix = weights[2 * k]
            n_in, n_out = matrix.shape
            b[:n_out] = weights[2 * k + 1][0]
            for j in range(n_in):
                x = a[j]
                if x != 0.0:
                    for unit in range(n_out):
                        b[unit] += x * matrix[j, unit]
            if k < n_layers - 1:
                for unit in range(n_out):
                    a[unit] = max(b[unit], np.float32(0.0))
        out[i] = b[: out.shape[1]]


@kernel
def draw(probabilities: NDArray[np.float64], seeds: NDArray[np.uint64], actions: NDArray[np.int64]) -> None:
    """Fill `actions` (B,) by `probabilities` (B, n), with the randomness of `seeds` (B,)."""
    for i in range(probabilities.shape[0]):
        left = float(mix(advance(seeds[i])) >> _S11) * 2.0**-53
        for action in range(probabilities.shape[1]):
            if probabilities[i, action] > 0.0:
                actions[i] = action
                left -= probabilities[i, action]
                if left < 0.0:
                    break


class NetworkPlayer:
    """Plays the most probable action of a trained policy, or draws one.

    Args:
        weights: (in, out), (out,), ... of each layer, float32, from what it reads to 54 logits.
        rules: what it was trained on.
        uniform: it takes observations in the layout that serves all player counts.
        reads: what it reads, one of `agents.inputs.KINDS`.
        name: its name and version.
        sample: draw actions by their probabilities instead of taking the best.
        any_rules: play by rules it was not trained on, too, as long as the observation fits.

    Raises:
        PolicyFileError: when the weights do not fit what it reads or each other, or that is not known.
    """

    def __init__(
        self,
        weights: list[NDArray[np.float32]],
        rules: Rules,
        *,
        uniform: bool = False,
        reads: str = OBSERVATION,
        name: str = "network@0",
        sample: bool = False,
        any_rules: bool = False,
    ) -> None:
        self.name = name
        self.rules = rules
        self.uniform = uniform
        self.sample = sample
        self.any_rules = any_rules
        self.inputs = Inputs(Layout.of(rules, uniform=uniform), reads)
        check_shapes(weights, self.inputs.size)
        self.weights = tuple(np.ascontiguousarray(np.atleast_2d(array), np.float32) for array in weights)

    @property
    def kind(self) -> dict[str, Any]:
        """What kind of policy it is: what a card tells, and a player made of other weights of the kind is given."""
        return {"uniform": self.uniform, "reads": self.inputs.kind}

    def act(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return a legal action for each view, (B,) int64.

        Raises:
            RulesError: when the policy was trained on other rules and may not play these.
        """
        logits = self._logits(views, rules)
        if self.sample:
            actions = np.empty(len(views), np.int64)
            draw(softmax(logits), as_seeds(seeds, len(views)), actions)
            return actions
        return logits.argmax(axis=1)

    def evaluate(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> Evaluation:
        """Return the policy's probabilities, (B, 54), and no values."""
        return softmax(self._logits(views, rules)), None

    def _logits(self, views: NDArray[np.void], rules: Rules) -> NDArray[np.float64]:
        inputs = self._inputs_for(rules)
        rows = inputs.encode(views, rules, views["observer"].astype(np.int64))
        logits = np.empty((len(views), N_ACTIONS), np.float32)
        forward(rows, self.weights, logits)
        masks = np.empty((len(views), N_ACTIONS), np.int8)
        batch.fill_masks(views, rules.array, masks, False)
        return np.where(masks == 1, logits.astype(np.float64), -np.inf)

    def _inputs_for(self, rules: Rules) -> Inputs:
        if rules == self.rules:
            return self.inputs
        if not self.any_rules:
            raise RulesError(f"{self.name} was trained on other rules: {differences(self.rules, rules)}; see any_rules")
        if rules.players != self.rules.players and not self.uniform:
            raise RulesError(f"{self.name} sees {self.rules.players} seats; it cannot play with {rules.players}")
        own, layout = self.inputs.layout, Layout.of(rules, uniform=self.uniform)
        if (layout.decks, layout.revokes) != (own.decks, own.revokes):
            raise RulesError(f"{self.name} sees {_kind(own)}; it cannot play with {_kind(layout)}")
        return Inputs(layout, self.inputs.kind)


def _kind(layout: Layout) -> str:
    return f"decks={layout.decks}, revokes={layout.revokes}"


def differences(own: Rules, given: Rules) -> str:
    """Return the fields in which rules differ from those a policy was trained on."""
    values = given.to_dict()
    return ", ".join(f"{k}={values[k]!r} (trained: {v!r})" for k, v in own.to_dict().items() if v != values[k])


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return probabilities of logits, (B, n); -inf has none."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def check_shapes(weights: list[NDArray[np.float32]], n_in: int) -> None:
    """Check that layers fit an observation of `n_in` numbers, each other, and 54 actions.

    Raises:
        PolicyFileError: when they do not, or a number is not finite.
    """
    if not weights or len(weights) % 2:
        raise PolicyFileError(f"{len(weights)} arrays of weights; a matrix and a bias for each layer are needed")
    width = n_in
    for k, (matrix, bias) in enumerate(zip(weights[::2], weights[1::2], strict=True)):
        if matrix.ndim != 2 or matrix.shape[0] != width or bias.shape != (matrix.shape[1],):
            shapes = f"{matrix.shape} and {bias.shape}"
            raise PolicyFileError(f"layer {k} has shapes {shapes}; its input has {width} numbers")
        if not (np.isfinite(matrix).all() and np.isfinite(bias).all()):
            raise PolicyFileError(f"layer {k} has weights that are not finite")
        width = matrix.shape[1]
    if width != N_ACTIONS:
        raise PolicyFileError(f"the last layer gives {width} numbers; {N_ACTIONS} actions are needed")


def policy_bytes(weights: list[NDArray[np.float32]]) -> bytes:
    """Return the content of `policy.npz`."""
    buffer = io.BytesIO()
    arrays = {f"layer{k // 2}_{'bias' if k % 2 else 'weight'}": array for k, array in enumerate(weights)}
    np.savez(buffer, **arrays)  # type: ignore[arg-type, unused-ignore]
    return buffer.getvalue()


def policy_card(
    content: bytes, rules: Rules, *, uniform: bool, reads: str = OBSERVATION, **facts: Any
) -> dict[str, Any]:
    """Return the card of a policy file's content; `facts` tell how it was made and how strong it is."""
    return {
        "format": FORMAT,
        "rules": rules.to_dict(),
        "rules_version": RULES_VERSION,
        "obs_version": OBS_VERSION,
        "uniform": uniform,
        "reads": reads,
        "sha256": hashlib.sha256(content).hexdigest(),
        **facts,
    }


def load_policy(path: str | Path, *, sample: bool = False, any_rules: bool = False) -> NetworkPlayer:
    """Return the player of a policy: its `.npz` file, with the card beside it, or the folder of both.

    Raises:
        PolicyFileError: when a file is missing or damaged, or made for another version of rules or observations.
    """
    weights_path = Path(path) / WEIGHTS_FILE if Path(path).is_dir() else Path(path)
    card = read_card(weights_path.with_suffix(".json"))
    try:
        content = weights_path.read_bytes()
    except OSError as error:
        raise PolicyFileError(f"{weights_path}: cannot be read ({error.strerror})") from error
    if hashlib.sha256(content).hexdigest() != card["sha256"]:
        raise PolicyFileError(f"{weights_path}: damaged, or not the file its card describes (SHA-256 differs)")
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            weights = [arrays[key].astype(np.float32) for key in arrays.files]
        rules = Rules.from_dict(card["rules"])
        name = f"network@{card['sha256'][:8]}" + (":sample" if sample else "")
        kind = {"uniform": card["uniform"], "reads": card.get("reads", OBSERVATION)}
        return NetworkPlayer(weights, rules, **kind, name=name, sample=sample, any_rules=any_rules)
    except (ValueError, TypeError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise PolicyFileError(f"{weights_path}: {error}") from error


def read_card(path: Path) -> dict[str, Any]:
    """Return a policy's card.

    Raises:
        PolicyFileError: when it is missing, damaged, or made for another version of rules or observations.
    """
    try:
        card = json.loads(path.read_text())
    except OSError as error:
        raise PolicyFileError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise PolicyFileError(f"{path}: damaged ({error})") from error
    wanted = {"format": FORMAT, "rules_version": RULES_VERSION, "obs_version": OBS_VERSION}
    for field, value in wanted.items():
        found = card.get(field) if isinstance(card, dict) else None
        if found != value:
            raise PolicyFileError(f"{path}: {field} is {found!r}; this version plays {value!r}")
    for field, kind in (("rules", dict), ("sha256", str), ("uniform", bool)):
        if not isinstance(card.get(field), kind):
            raise PolicyFileError(f"{path}: {field} is missing or no {kind.__name__}")
    return dict(card)
