"""The README's code runs, and its two commands are as CI needs them: `.ci/run` takes them from the README itself."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
LIBRARIES = ("ray", "supersuit", "tianshou", "torchrl")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str, page: Path = README) -> list[tuple[int, str]]:
    """A page's fenced blocks in a language: line of the first line of code, and the code."""
    text = page.read_text(encoding="utf-8")
    found = [match for match in BLOCK.finditer(text) if match[1] == language]
    return [(text[: match.start(2)].count("\n") + 1, match[2]) for match in found]


def command_with(word: str) -> list[str]:
    """The parts of the README's one command that makes an environment and says `word`."""
    lines = [line for _, code in blocks("bash") for line in code.splitlines()]
    commands = [line for line in lines if "-m venv" in line and word in line]
    assert len(commands) == 1, f"README.md has {len(commands)} one-line commands with '-m venv' and {word!r}"
    return commands[0].split(" && ")


def example(line: int, code: str) -> Any:
    """A block of code as a test: one for a library that is not installed with the others waits for that library."""
    libraries = [name for name in LIBRARIES if re.search(rf"^(import|from) {name}\b", code, re.MULTILINE)]
    missing = [name for name in libraries if importlib.util.find_spec(name) is None]
    marks = [pytest.mark.slow, pytest.mark.filterwarnings("default")]  # other libraries warn as they like
    marks += [pytest.mark.skipif(bool(missing), reason=f"needs {', '.join(missing)}")]
    return pytest.param(line, code, id="-".join([f"line{line}", *libraries]), marks=marks if libraries else [])


@pytest.mark.parametrize(("line", "code"), [example(*block) for block in blocks("python")])
def test_python_blocks_run(line: int, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    compiled = compile("\n" * (line - 1) + code, str(README), "exec", dont_inherit=True)
    exec(compiled, {"__name__": "__main__"})


@pytest.mark.parametrize("name", ["README.md", "SEARCH.md"])
def test_python_blocks_of_the_pages_of_agents_run(name: str) -> None:
    page = ROOT / "agents" / name
    for line, code in blocks("python", page):
        exec(compile("\n" * (line - 1) + code, str(page), "exec", dont_inherit=True), {"__name__": "__main__"})


@pytest.mark.parametrize("word", ["pytest", "training.selfplay"])
def test_commands_start_from_nothing(word: str) -> None:
    make, install, run = command_with(word)
    assert make == "python3 -m venv .venv"
    assert install.startswith(".venv/bin/pip install -c constraints.txt -e ")
    assert run.startswith(f".venv/bin/python -m {word}")
    module = run.split()[2]
    assert importlib.util.find_spec(module) is not None, module


def extras_of(word: str) -> set[str]:
    """The extras that a command installs."""
    return set(re.findall(r"\[(.*)\]", command_with(word)[1])[0].split(","))


def test_commands_install_extras_that_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert extras_of("training.selfplay") | extras_of("pytest") <= set(project["optional-dependencies"])


def test_main_job_needs_nothing_that_the_tests_do_not_install() -> None:
    assert extras_of("training.selfplay") <= extras_of("pytest"), (
        "CI tries the main job in the environment of the tests"
    )


def test_ci_takes_the_commands_from_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for line in ("tests=$(readme_command pytest)", "main_job=$(readme_command training.selfplay)"):
        assert line in script


def test_links_lead_to_files() -> None:
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", README.read_text(encoding="utf-8"))
    for target in targets:
        assert re.match(r"[a-z]+:", target) or (ROOT / target).exists(), target
