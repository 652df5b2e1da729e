"""The layout of the project: which module may import which, what lies at the top, how long a file may be."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import rk_env

ROOT = Path(__file__).resolve().parent.parent

# The modules of rk_env from the ground up. A module imports only modules of earlier lines (kernels: also each other).
LAYERS = [
    {"errors"},
    {"arguments", "cards", "files", "settings"},
    {"decks", "presets"},
    {"rules_record", "rule_sheet"},
    {"rules"},
    {"state", "jit"},
    {"hidden"},
    {"kernels"},
    {"inputs", "records", "deals"},
    {"worlds"},
    {"observation"},
    {"engine"},
    {"players", "render", "rewards", "notation", "reset_options", "spaces"},
    {"opponents"},
    {"one_seat"},
    {"aec", "gym_env", "sb3", "self_play"},
    {"rickety_kate_v0", "vector_env"},
    {"registration"},
    {"checks", "peers", "cold_start"},
    {"speed", "seat_speed"},
    {"benchmark"},
]
PACKAGES = ("rk_env", "agents", "training", "tests")
MAY_IMPORT = {
    "rk_env": {"rk_env"},
    "agents": {"rk_env", "agents"},
    "training": {"rk_env", "agents", "training"},
    "tests": {"rk_env", "agents", "training", "tests"},
}
COMMANDS = {"rk_env/benchmark.py", "rk_env/peers.py", "rk_env/observation/__main__.py"}
TOP_FOLDERS = {"rk_env", "agents", "training", "notebooks", "tests"}
MAX_LINES = 400


def sources(package: str) -> list[Path]:
    """Every Python file of a package."""
    return sorted((ROOT / package).rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imported_names(path: Path) -> set[str]:
    """Dotted names that a file imports, anywhere in it; `from a import b` gives both `a` and `a.b`."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)}:{node.lineno}: relative import"
            names |= {str(node.module)} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def layer_of(module: str) -> int:
    for layer, names in enumerate(LAYERS):
        if module in names:
            return layer
    raise AssertionError(f"rk_env/{module}: give it a place in LAYERS in {name_of(Path(__file__))}")


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_import_only_what_lies_below(package: str) -> None:
    for path in sources(package):
        tops = {name.split(".")[0] for name in imported_names(path)} & set(PACKAGES)
        assert tops <= MAY_IMPORT[package], f"{name_of(path)} imports {sorted(tops - MAY_IMPORT[package])}"


def test_modules_of_rk_env_import_only_earlier_layers() -> None:
    modules = {path.stem if path.suffix else path.name for path in (ROOT / "rk_env").iterdir()} - {"__init__"}
    for path in sources("rk_env"):
        own = path.relative_to(ROOT / "rk_env").parts[0].removesuffix(".py")
        if own == "__init__":
            continue
        below = {name.split(".")[1] for name in imported_names(path) if name.startswith("rk_env.")} & modules
        for other in below - {own}:
            assert layer_of(other) < layer_of(own), f"{name_of(path)} imports rk_env.{other}, which is not below it"


def test_every_layer_exists() -> None:
    for module in sorted(set().union(*LAYERS)):
        assert (ROOT / "rk_env" / f"{module}.py").exists() or (ROOT / "rk_env" / module).is_dir(), module


def called_names(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}


def test_the_library_does_not_print() -> None:
    for path in sources("rk_env"):
        if name_of(path) not in COMMANDS:
            assert not called_names(path) & {"print", "sys.exit", "exit", "quit"}, name_of(path)


@pytest.mark.parametrize("package", PACKAGES)
def test_files_are_short_enough_to_read(package: str) -> None:
    for path in sources(package):
        n_lines = len(path.read_text(encoding="utf-8").splitlines())
        assert n_lines <= MAX_LINES, f"{name_of(path)} has {n_lines} lines"


def test_top_level_folders_are_the_designed_ones() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    folders = {line.split("/")[0] for line in listed.stdout.splitlines() if "/" in line}
    assert {folder for folder in folders if not folder.startswith(".")} <= TOP_FOLDERS


def test_changelog_tells_of_the_version() -> None:
    assert f"## {rk_env.__version__}" in read("CHANGELOG.md")


def test_report_79_continuous_integration_runs_on_the_oldest_python_that_is_claimed_and_a_newer_one() -> None:
    claimed = re.search(r'^requires-python = ">=([\d.]+)"$', read("pyproject.toml"), re.MULTILINE)
    matrix = re.search(r"^ +python: \[(.+)\]", read(".github/workflows/ci.yml"), re.MULTILINE)
    assert claimed and matrix
    oldest, *newer = sorted(version_of(text) for text in re.findall(r"[\d.]+", matrix[1]))
    assert oldest == version_of(claimed[1])
    assert newer and newer[-1] > oldest


def test_the_lowest_versions_tested_are_the_lowest_admitted() -> None:
    project = tomllib.loads(read("pyproject.toml"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["train"], *extras["plot"], *extras["test"]]
    admitted = dict(re.split(">=|,", text)[:2] for text in wanted)
    tested = dict(re.findall(r"^(\S+)==(\S+)", read("tests/lowest.txt"), re.MULTILINE))
    assert admitted.keys() == tested.keys()
    for name in admitted.keys() - {"torch"}:  # of torch, `lowest.txt` tells why
        assert re.fullmatch(re.escape(admitted[name]) + r"(\.0)*", tested[name]), name


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def version_of(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))
