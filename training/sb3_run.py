"""A run of MaskablePPO by self-play: its options, its pool of opponents, its folder.

The policy is exported in this project's own format, so that playing needs neither SB3 nor torch.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import pickle
import zipfile
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from torch import nn

import rk_env
from agents.network import (
    NetworkPlayer,
    load_policy,
    policy_bytes,
    policy_card,
)
from rk_env.engine import spread_seed
from rk_env.errors import PolicyFileError, RicketyKateError
from rk_env.files import replacing
from rk_env.observation import OBS_VERSION
from rk_env.rules import RULES_VERSION, Rules
from rk_env.sb3 import RicketyKateVecEnv
from training import runs
from training.files import write_json

RUN_FILE: Final = "sb3_run.json"
FORMAT: Final = "rickety-kate-sb3-run@1"
MAY_CHANGE: Final = frozenset({"minutes", "steps", "save_every"})
"""Options that a resumed run may set anew."""
LIMITS: Final[dict[str, tuple[float, float]]] = {
    "minutes": (0.001, 1e6),
    "steps": (0, 1e12),
    "envs": (1, 65_536),
    "seed": (0, 1e12),
    "rollout": (2, 65_536),
    "minibatch": (2, 1e9),
    "epochs": (1, 1000),
    "learning_rate": (1e-9, 10),
    "width": (2, 65_536),
    "depth": (1, 100),
    "snapshot_every": (1, 1e9),
    "pool": (1, 1000),
    "save_every": (0, 1e9),
}
"""The lowest and highest value of each option."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """Options of a run; each is an option of the command line."""

    minutes: float = 5.0
    """how long to train; a run resumed goes on to this total"""
    steps: int = 0
    """how many timesteps to train instead of minutes; 0: by minutes"""
    envs: int = 256
    """environments played at once"""
    seed: int = 1
    """of everything: weights, deals, choices, batches"""
    rollout: int = 32
    """steps of each environment before each update"""
    minibatch: int = 2048
    """decisions in each gradient step"""
    epochs: int = 4
    """passes over the decisions of an update"""
    learning_rate: float = 1e-3
    """of Adam"""
    width: int = 256
    """units in each hidden layer, of policy and critic each"""
    depth: int = 2
    """hidden layers, of policy and critic each"""
    snapshot_every: int = 10
    """updates after which a frozen copy of the policy joins the pool"""
    pool: int = 12
    """frozen copies kept in the pool; beyond that the oldest leaves"""
    save_every: float = 60.0
    """seconds between saves"""


class Snapshots:
    """The pool: `random` and frozen copies of the policy.

    Attributes:
        contents: the copies' policy files by name, oldest first.
        players: the players of these.
    """

    def __init__(self, rules: Rules, largest: int) -> None:
        self.rules = rules
        self.largest = largest
        self.contents: dict[str, bytes] = {}
        self.players: dict[str, NetworkPlayer] = {}

    def add(self, weights: list[NDArray[np.float32]], steps: int) -> None:
        """Add a frozen copy, to which the weights are left; it draws its actions, as the policy does in training."""
        content = policy_bytes(weights)
        digest = hashlib.sha256(content).hexdigest()
        player = NetworkPlayer(weights, self.rules, name=f"network@{digest[:8]}:sample", sample=True)
        self.keep(f"{steps:012d}-{digest[:16]}", content, player)

    def keep(self, name: str, content: bytes, player: NetworkPlayer) -> None:
        """Keep a copy, and let the oldest go when there are too many."""
        self.contents[name], self.players[name] = content, player
        for oldest in list(self.contents)[: -self.largest]:
            del self.contents[oldest], self.players[oldest]

    def opponents(self) -> Any:
        """Return the mixture for each seat: the newest copy half of the time, else one of the others or `random`."""
        copies = list(self.players.values())
        if not copies:
            return "random"
        older: list[Any] = ["random", *copies[:-1]]
        return dict.fromkeys(older, 1.0 / len(older)) | {copies[-1]: 1.0}


@dataclasses.dataclass
class Sb3Run:
    """A run as it stands between two updates: all that a save holds."""

    settings: Settings
    rules: Rules
    model: MaskablePPO
    env: RicketyKateVecEnv
    snapshots: Snapshots
    updates: int = 0
    seconds: float = 0.0
    commands: list[str] = dataclasses.field(default_factory=list)
    results: list[dict[str, Any]] = dataclasses.field(default_factory=list)

    @property
    def is_done(self) -> bool:
        """Whether its steps or minutes are used up."""
        if self.settings.steps:
            return int(self.model.num_timesteps) >= self.settings.steps
        return self.seconds >= 60 * self.settings.minutes

    def player(self, name: str = "self") -> NetworkPlayer:
        """Return the policy as it stands, as the player it will be when exported."""
        return NetworkPlayer(policy_weights(self.model), self.rules, name=name)


def policy_weights(model: MaskablePPO) -> list[NDArray[np.float32]]:
    """Return copies of the policy's weights and biases, first layer first: (in, out), (out,), ... float32."""
    extractor: Any = model.policy.mlp_extractor
    head: Any = model.policy.action_net
    hidden = [module for module in extractor.policy_net if isinstance(module, nn.Linear)]
    tensors = [tensor for layer in (*hidden, head) for tensor in (layer.weight.T, layer.bias)]
    return [np.array(tensor.detach().cpu().numpy(), dtype=np.float32, order="C") for tensor in tensors]


def new_run(settings: Settings, rules: Rules) -> Sb3Run:
    """Return an untrained run."""
    env = RicketyKateVecEnv(settings.envs, rules, "random", illegal="raise")
    layers = [settings.width] * settings.depth
    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=settings.learning_rate,
        n_steps=settings.rollout,
        batch_size=min(settings.minibatch, settings.rollout * settings.envs),
        n_epochs=settings.epochs,
        gamma=1.0,  # a hand is short, and pays at its end
        ent_coef=0.01,
        vf_coef=0.01,  # payoffs are some ten points large, their squares a hundred
        policy_kwargs={"net_arch": {"pi": layers, "vf": layers}, "activation_fn": nn.ReLU},
        seed=stretch_seed(settings.seed, 0),
        device="cpu",
    )
    return Sb3Run(settings, rules, model, env, Snapshots(rules, settings.pool))


def stretch_seed(seed: int, updates: int) -> int:
    """Return the seed of what follows after some updates; SB3 takes seeds of 32 bits."""
    return int(spread_seed(seed, updates + 1)[updates] >> np.uint64(33))


# The folder.


def save(run: Sb3Run, folder: Path) -> None:
    """Write what `load` needs, then the file that names it, then the policy; remove what the save before had.

    Names come from contents, so nothing that the save before names is written over.
    """
    buffer = io.BytesIO()
    run.model.save(buffer)
    digest = hashlib.sha256(buffer.getvalue()).hexdigest()
    files = {f"model-{run.model.num_timesteps:012d}-{digest[:16]}.zip": buffer.getvalue()}
    files |= {f"pool/{name}.npz": content for name, content in run.snapshots.contents.items()}
    for name, content in files.items():
        if not (folder / name).exists():
            with replacing(folder / name) as file:
                file.write(content)
    for name, content in run.snapshots.contents.items():
        if not (folder / f"pool/{name}.json").exists():
            write_json(folder / f"pool/{name}.json", policy_card(content, run.rules, uniform=False))
    record = {
        "format": FORMAT,
        "versions": {"rickety-kate": rk_env.__version__, "rules": RULES_VERSION, "observation": OBS_VERSION},
        "rules": run.rules.to_dict(),
        "settings": dataclasses.asdict(run.settings),
        "timesteps": run.model.num_timesteps,
        "updates": run.updates,
        "seconds": run.seconds,
        "commands": run.commands,
        "results": run.results,
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
    }
    write_json(folder / RUN_FILE, record)
    export(run, folder)
    for path in (*folder.glob("model-*.zip"), *folder.glob("pool/*.npz")):
        if path.relative_to(folder).as_posix() not in files:
            path.unlink()
            path.with_suffix(".json").unlink(missing_ok=True)


def export(run: Sb3Run, folder: Path) -> None:
    """Write the policy and its card."""
    runs.write_policy(
        folder,
        policy_bytes(policy_weights(run.model)),
        run.rules,
        uniform=False,
        command=" && ".join(run.commands),
        made_by="sb3_maskable",
        config=dataclasses.asdict(run.settings),
        iterations=run.updates,
        decisions=run.model.num_timesteps,
        hours=round(run.seconds / 3600, 4),
        results=run.results,
    )


def load(folder: Path, given: dict[str, Any], rules: Rules | None) -> Sb3Run:
    """Return the run of a folder, with the options that may change set anew. Load only what you trust: SB3 unpickles.

    Raises:
        PolicyFileError: when a file is missing, damaged, or of another version.
        RunError: when an option or the rules differ from the run's.
    """
    record = read_record(folder)
    try:
        settings, own_rules = Settings(**record["settings"]), Rules.from_dict(record["rules"])
        runs.refuse_changes(settings, given, own_rules, rules, MAY_CHANGE)
        changes: dict[str, Any] = {"steps": 0} if "minutes" in given else {}
        changes |= {name: value for name, value in given.items() if name in MAY_CHANGE}
        run = new_run(checked(dataclasses.replace(settings, **changes)), own_rules)
        for name, digest in record["files"].items():
            content = (folder / name).read_bytes()
            if hashlib.sha256(content).hexdigest() != digest:
                raise PolicyFileError(f"{folder / name}: damaged, or not the file of this run (SHA-256 differs)")
            if name.startswith("pool/"):
                run.snapshots.keep(Path(name).stem, content, load_policy(folder / name, sample=True))
            else:
                run.model = MaskablePPO.load(io.BytesIO(content), env=run.env, device="cpu")
        for name in ("updates", "seconds", "commands", "results"):
            setattr(run, name, record[name])
    except RicketyKateError:
        raise
    except OSError as error:
        raise PolicyFileError(f"{error.filename}: cannot be read ({error.strerror})") from error
    except (KeyError, TypeError, ValueError, AttributeError, zipfile.BadZipFile, pickle.UnpicklingError) as error:
        raise PolicyFileError(f"{folder / RUN_FILE}: damaged ({' '.join(str(error).split())})") from error
    run.env.seat_opponents(run.snapshots.opponents())
    run.model.set_random_seed(stretch_seed(run.settings.seed, run.updates))
    return run


def read_record(folder: Path) -> dict[str, Any]:
    """Return the record of a run's last save.

    Raises:
        PolicyFileError: when it is missing, damaged, or of another version.
    """
    path = folder / RUN_FILE
    try:
        record = json.loads(path.read_text())
    except OSError as error:
        raise PolicyFileError(f"{path}: no run to resume ({error.strerror})") from error
    except ValueError as error:
        raise PolicyFileError(f"{path}: damaged ({error})") from error
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise PolicyFileError(f"{path}: no run of format {FORMAT}")
    versions = record.get("versions", {})
    if (versions.get("rules"), versions.get("observation")) != (RULES_VERSION, OBS_VERSION):
        raise PolicyFileError(f"{path}: made for versions {versions}; here are {RULES_VERSION} and {OBS_VERSION}")
    return record


def checked(settings: Settings) -> Settings:
    """Return the options when they make a run.

    Raises:
        RunError: when one is out of range.
    """
    runs.check_limits(settings, LIMITS)
    return settings
