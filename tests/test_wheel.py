"""The wheel: `rk_env` and nothing else, usable from any folder."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import rk_env

ROOT = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.slow

TRY_IT = """
import rk_env
from rk_env import rickety_kate_v0
assert {folder!r} in rk_env.__file__, rk_env.__file__
env = rickety_kate_v0.env()
env.reset(seed=1)
for agent in env.agent_iter():
    observation, _, terminated, truncated, _ = env.last()
    env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy of the checkout, which leaves the checkout as it was."""
    copy = tmp_path_factory.mktemp("copy") / "checkout"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "runs", "dist", "__pycache__"))
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    built = subprocess.run(command, cwd=copy, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return next(out.glob("*.whl"))


def test_its_only_top_level_package_is_rk_env(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    dist_info = f"rickety_kate-{rk_env.__version__}.dist-info"
    assert {name.split("/")[0] for name in names} == {"rk_env", dist_info}
    assert any(name.startswith(f"{dist_info}/licenses/") for name in names)


def test_it_holds_every_module(wheel: Path) -> None:
    files = zipfile.ZipFile(wheel).namelist()
    assert "rk_env/py.typed" in files
    assert {name for name in files if name.endswith(".py")} == {
        path.relative_to(ROOT).as_posix() for path in (ROOT / "rk_env").rglob("*.py")
    }


def test_it_plays_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    code = f"import sys; sys.path.insert(0, {str(site)!r})" + TRY_IT.format(folder=str(site))
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
