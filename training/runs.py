"""A run's folder: checkpoint, exported policy, lock; and the checks of what is found there."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import os
import pickle
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numba
import numpy as np
import torch

import rk_env
from agents.network import CARD_FILE, WEIGHTS_FILE, policy_bytes, policy_card
from rk_env.errors import PolicyFileError, RicketyKateError
from rk_env.files import replacing
from rk_env.observation import OBS_VERSION
from rk_env.rules import RULES_VERSION, Rules
from training.files import write_json
from training.league import members_of
from training.run import Config, Run, new_run, teacher_of, trials_of

CHECKPOINT_FILE: Final = "checkpoint.pt"
LOCK_FILE: Final = "lock"
CHECKPOINT_FORMAT: Final = "rickety-kate-checkpoint@3"
MAY_CHANGE: Final = frozenset({"minutes", "iterations", "threads", "test_every", "test_deals"})
"""Options that a resumed run may set anew."""
LESSONS: Final = ("moves", "choices")
"""What a teacher may teach."""
LIMITS: Final[dict[str, tuple[float, float]]] = {
    "minutes": (0.001, 1e6),
    "iterations": (0, 1e9),
    "seed": (0, 1e12),
    "games": (1, 65_536),
    "epochs": (1, 1000),
    "minibatch": (1, 1e9),
    "learning_rate": (1e-9, 10),
    "clip": (0.001, 1000),
    "entropy": (0, 1000),
    "decay": (0, 1),
    "width": (2, 65_536),
    "depth": (1, 100),
    "league_share": (0, 1),
    "snapshot_every": (1, 1e9),
    "pool": (0, 1000),
    "teacher_until": (0, 1),
    "lesson_epochs": (1, 1000),
    "threads": (0, 1024),
    "test_every": (0.001, 1e9),
    "test_deals": (2, 1e9),
}
"""The lowest and highest value of each option that is a number."""
_DIGEST_BYTES: Final = 32


class RunError(RicketyKateError):
    """A run's folder or options that do not fit what is asked."""


def save(run: Run, folder: Path) -> None:
    """Write the checkpoint, its SHA-256 at its end, and the policy as they stand."""
    state = {
        "format": CHECKPOINT_FORMAT,
        "versions": [RULES_VERSION, OBS_VERSION],
        "config": dataclasses.asdict(run.config),
        "rules": run.rules.to_dict(),
        "network": run.network.state_dict(),
        "optimizer": run.optimizer.state_dict(),
        "league": run.league.state(),
        "iteration": run.iteration,
        "decisions": run.decisions,
        "seconds": run.seconds,
        "history": run.history,
        "commands": run.commands,
        "results": run.results,
    }
    buffer = io.BytesIO()
    torch.save(state, buffer)
    content = buffer.getvalue()
    with replacing(folder / CHECKPOINT_FILE) as file:
        file.write(content + hashlib.sha256(content).digest())
    export(run, folder)


def load(folder: Path, given: dict[str, Any], rules: Rules | None) -> Run:
    """Return the run of a folder, with the options that may change set anew; new minutes end a run by iterations.

    Raises:
        PolicyFileError: when the checkpoint is missing, damaged, or of another version.
        RunError: when an option or the rules differ from the run's.
    """
    state = read_checkpoint(folder / CHECKPOINT_FILE)
    try:
        config = Config(**state["config"])
        run_rules = Rules.from_dict(state["rules"])
        refuse_changes(config, given, run_rules, rules)
        changes: dict[str, Any] = {"iterations": 0} if "minutes" in given else {}
        changes |= {name: value for name, value in given.items() if name in MAY_CHANGE}
        run = new_run(checked_config(dataclasses.replace(config, **changes)), run_rules)
        run.network.load_state_dict(state["network"])
        run.optimizer.load_state_dict(state["optimizer"])
        run.league.restore(state["league"], **run.config.kind)
        for name in ("iteration", "decisions", "seconds", "history", "commands", "results"):
            setattr(run, name, state[name])
    except RunError:
        raise
    except (KeyError, TypeError, RuntimeError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise PolicyFileError(f"{folder / CHECKPOINT_FILE}: damaged ({reason})") from error
    return run


def read_checkpoint(path: Path) -> dict[str, Any]:
    """Return a checkpoint's content.

    Raises:
        PolicyFileError: when it is missing, damaged, or of another version.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise PolicyFileError(f"{path}: no checkpoint to resume from ({error.strerror})") from error
    content, digest = content[:-_DIGEST_BYTES], content[-_DIGEST_BYTES:]
    if hashlib.sha256(content).digest() != digest:
        raise PolicyFileError(f"{path}: damaged, or no checkpoint (SHA-256 differs)")
    try:
        state = torch.load(io.BytesIO(content), weights_only=True)
    except (RuntimeError, pickle.UnpicklingError, EOFError, ValueError, KeyError) as error:
        raise PolicyFileError(f"{path}: damaged ({type(error).__name__})") from error
    if not isinstance(state, dict) or state.get("format") != CHECKPOINT_FORMAT:
        raise PolicyFileError(f"{path}: no checkpoint of format {CHECKPOINT_FORMAT}")
    if state.get("versions") != [RULES_VERSION, OBS_VERSION]:
        raise PolicyFileError(
            f"{path}: made for rules and observation versions {state.get('versions')}; "
            f"this is {[RULES_VERSION, OBS_VERSION]}"
        )
    return state


def refuse_changes(
    config: Any, given: dict[str, Any], run_rules: Rules, rules: Rules | None, may_change: frozenset[str] = MAY_CHANGE
) -> None:
    """Refuse options that would make another run of a resumed one, whose options are the dataclass `config`.

    Raises:
        RunError: when there are any.
    """
    own = dataclasses.asdict(config)
    for name, value in given.items():
        if name not in may_change and value not in (own[name], "auto"):
            raise RunError(f"the run to resume has {name}={own[name]!r}, not {value!r}; leave the option out")
    if rules is not None and rules != run_rules:
        raise RunError(f"the run to resume has other rules: {run_rules!r}")


def checked_config(config: Config) -> Config:
    """Return the options when they make a run.

    Raises:
        RunError: when one is out of range.
        PlayerError: when one names no player.
    """
    check_limits(config, LIMITS)
    if config.precision not in ("auto", "float32", "bfloat16"):
        raise RunError(f"--precision {config.precision}: allowed: auto, float32, bfloat16")
    if config.lesson not in LESSONS:
        raise RunError(f"--lesson {config.lesson}: allowed: {', '.join(LESSONS)}")
    members_of(config.league)
    trials_of(config, teacher_of(config))
    return config


def check_limits(config: Any, limits: dict[str, tuple[float, float]]) -> None:
    """Check that options, fields of a dataclass, lie within their limits.

    Raises:
        RunError: when one is out of range.
    """
    for name, (lowest, highest) in limits.items():
        value = getattr(config, name)
        if not lowest <= value <= highest:
            raise RunError(f"--{name.replace('_', '-')} {value}: allowed: {lowest:g} to {highest:g}")


def refuse_used_folder(folder: Path) -> None:
    """Refuse to begin a run where one lies.

    Raises:
        RunError: when there is a checkpoint.
    """
    if (folder / CHECKPOINT_FILE).exists():
        raise RunError(f"{folder} holds a run; --resume goes on with it, another --out begins a new one")


@contextmanager
def locked(folder: Path, *, create: bool) -> Iterator[None]:
    """Hold a run's folder for this process alone; the lock goes with the process, however it ends.

    Raises:
        PolicyFileError: when the folder holds no run, and none is to be made.
        RunError: when another process holds it.
    """
    if create:
        folder.mkdir(parents=True, exist_ok=True)
    elif not (folder / CHECKPOINT_FILE).is_file():
        raise PolicyFileError(f"{folder / CHECKPOINT_FILE}: no checkpoint to resume from")
    with open(folder / LOCK_FILE, "a+") as file:
        try:
            _lock(file.fileno())
        except OSError as error:
            raise RunError(f"{folder} is in use by another process") from error
        yield


def _lock(handle: int) -> None:
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def export(run: Run, folder: Path) -> Path:
    """Write the policy and its card; return the policy's path."""
    return write_policy(
        folder,
        policy_bytes(run.network.policy_weights()),
        run.rules,
        **run.config.kind,
        command=" && ".join(run.commands),
        config=dataclasses.asdict(run.config),
        iterations=run.iteration,
        decisions=run.decisions,
        hours=round(run.seconds / 3600, 4),
        results=run.results,
        history=run.history,
    )


def write_policy(folder: Path, content: bytes, rules: Rules, **facts: Any) -> Path:
    """Write a policy, and a card with these facts and the versions that it was made with; return the policy's path.

    `facts` are those of `policy_card`.
    """
    made_with = {
        "rickety-kate": rk_env.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "torch": torch.__version__,
    }
    with replacing(folder / WEIGHTS_FILE) as file:
        file.write(content)
    write_json(folder / CARD_FILE, policy_card(content, rules, **facts, made_with=made_with))
    return folder / WEIGHTS_FILE
