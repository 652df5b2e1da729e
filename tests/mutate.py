"""Mutation testing of the rule kernels: `NUMBA_DISABLE_JIT=1 python -m tests.mutate`; see MUTANTS.md.

Every mutant is one small change to one function of a kernel file: an operator, a number, a condition, a statement left
out. It is put in place of the function in a forked process, which runs the kill suite until something fails. No file is
changed. One line a mutant is printed; it comes out as killed, as endless, or as a survivor.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import inspect
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from types import CodeType
from typing import Any, NamedTuple

from rk_env.jit import JIT_DISABLED
from tests import kill_suite

KERNELS = Path(__file__).resolve().parent.parent / "rk_env" / "kernels"
FILES = ("bits", "cancellation", "chance", "copies", "deal", "flow", "passing", "play", "revokes", "scoring", "seats")
FILES += ("standing", "values", "view")

_SWAPS = "Add Sub, Sub Add, Mult Add, FloorDiv Mult, Mod FloorDiv, LShift RShift, RShift LShift, BitAnd BitOr, "
_SWAPS += "BitOr BitAnd, BitXor BitAnd, Lt LtE, LtE Lt, Gt GtE, GtE Gt, Eq NotEq, NotEq Eq, And Or, Or And"
SWAPS: dict[type[ast.AST], Any] = {
    getattr(ast, before): getattr(ast, after) for before, after in map(str.split, _SWAPS.split(", "))
}
"""What is put in place of an operator."""

SECONDS = 20.0
"""A check that computes for longer than this is taken to be endless; the longest takes 2 s on an idle machine."""

Edit = Callable[[Any], ast.AST]


class Mutant(NamedTuple):
    """One change of one function."""

    file: str
    function: str
    line: int
    before: str
    after: str
    code: CodeType

    def __str__(self) -> str:
        return f"{self.file}.py:{self.line} {self.function}: `{self.before}` -> `{self.after}`"


def edits_of(node: ast.AST) -> Iterator[Edit]:
    """Yield the ways to change a node; each edits a copy of it, and returns what takes its place."""
    match node:
        case ast.BinOp(op=op) | ast.BoolOp(op=op) | ast.AugAssign(op=op) if type(op) in SWAPS:
            yield lambda n: change(n, op=SWAPS[type(op)]())
        case ast.Compare(ops=ops):
            for i, op in enumerate(ops):
                yield lambda n, i=i, op=op: change(n, ops=[*ops[:i], SWAPS[type(op)](), *ops[i + 1 :]])
        case ast.Constant(value=bool() as value):
            yield lambda n: change(n, value=not value)
        case ast.Constant(value=int() as value):
            yield lambda n: change(n, value=value + 1)
        case ast.UnaryOp():
            yield lambda n: n.operand
    match node:
        case ast.If() | ast.IfExp():
            yield lambda n: change(n, test=ast.Constant(True))
            yield lambda n: change(n, test=ast.Constant(False))
        case ast.AugAssign() | ast.Expr(value=ast.Call()):
            yield lambda n: ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield lambda n: ast.Pass()
    if isinstance(node, ast.AugAssign):
        yield lambda n: ast.Assign([n.target], n.value)


def change(node: Any, **fields: Any) -> ast.AST:
    """Set fields of a node."""
    for name, value in fields.items():
        setattr(node, name, value)
    return node


class Replace(ast.NodeTransformer):
    """Change the n-th node of a tree by one edit, counted as in `nodes_of`."""

    def __init__(self, number: int, choice: int) -> None:
        self.number, self.choice = number, choice

    def visit(self, node: ast.AST) -> ast.AST:
        """Count the nodes, and change the one that is meant."""
        self.number -= 1
        if self.number == -1:
            edit = list(edits_of(node))[self.choice]
            return ast.copy_location(edit(node), node)
        return node if is_negative_number(node) else self.generic_visit(node)


def is_negative_number(node: ast.AST) -> bool:
    """Tell whether a node is a number with a minus: -1 is "none" everywhere here, and -2 would say the same."""
    return isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)


def nodes_of(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a tree in the order in which `Replace` counts them."""
    yield tree
    for child in () if is_negative_number(tree) else ast.iter_child_nodes(tree):
        yield from nodes_of(child)


def mutants_of(file: str) -> Iterator[Mutant]:
    """Yield the mutants of a kernel file: of its kernels, and of functions that have no decorator."""
    for function in ast.parse((KERNELS / f"{file}.py").read_text(encoding="utf-8")).body:
        if isinstance(function, ast.FunctionDef) and all(ast.unparse(d) == "kernel" for d in function.decorator_list):
            function.decorator_list, function.returns = [], None
            for argument in function.args.args:
                argument.annotation = None
            for number, node in enumerate(nodes_of(function)):
                for choice, _ in enumerate(edits_of(node)):
                    tree = Replace(number, choice).visit(copy.deepcopy(function))
                    before, after = first_difference(ast.unparse(function), ast.unparse(tree))
                    yield Mutant(file, function.name, node.lineno, before, after, code_of(tree))


def code_of(function: ast.FunctionDef) -> CodeType:
    """Compile a function."""
    module = compile(ast.fix_missing_locations(ast.Module([function], [])), function.name, "exec")
    return next(constant for constant in module.co_consts if isinstance(constant, CodeType))


def first_difference(before: str, after: str) -> tuple[str, str]:
    """Return the first lines of two texts that differ."""
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    return next(((a.strip(), b.strip()) for a, b in pairs if a != b), ("", ""))


def outcome(mutant: Mutant, checks: Sequence[Callable[[], Any]]) -> str:
    """Put a mutant in place in a forked process, make the checks there, and tell how it came out."""
    pid = os.fork()
    if pid == 0:
        try:
            module = importlib.import_module(f"rk_env.kernels.{mutant.file}")
            inspect.unwrap(getattr(module, mutant.function)).__code__ = mutant.code
            make(checks)
        except BaseException:
            os._exit(1)  # whatever it is, the mutant was noticed
        os._exit(0)
    status = os.waitpid(pid, 0)[1]
    return "endless" if os.WIFSIGNALED(status) else "killed" if status else "SURVIVED"


def make(checks: Sequence[Callable[[], Any]]) -> None:
    """Make the checks; a signal ends the process when one of them computes for too long."""
    for check in checks:
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        check()
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the mutants that the command line asks for, and print what survives."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=__doc__)
    parser.add_argument("files", nargs="*", default=FILES, help="kernel files by name; all rule kernels if none")
    parser.add_argument("--rounds", type=int, default=20, help="matches of the oracle in the kill suite")
    parser.add_argument("--sample", type=int, help="try only so many mutants, drawn by chance, always the same")
    parser.add_argument(
        "--again", type=Path, help="try only the mutants that survived or were endless in this earlier output"
    )
    options = parser.parse_args(arguments)
    if not JIT_DISABLED:
        parser.error("set NUMBA_DISABLE_JIT=1: compiled kernels cannot be changed")
    mutants = [mutant for file in options.files for mutant in mutants_of(file)]
    if options.again:
        lines = set(options.again.read_text(encoding="utf-8").splitlines())
        mutants = [m for m in mutants if {f"{result:8} {m}" for result in ("SURVIVED", "endless")} & lines]
    Random(0).shuffle(mutants)
    mutants = mutants[: options.sample]
    checks = kill_suite.checks(options.rounds)
    make(checks)  # on the unchanged engine: a check that fails there would count every mutant as killed
    counts: Counter[tuple[str, str]] = Counter()
    for mutant in mutants:
        result = outcome(mutant, checks)
        counts[mutant.file, result] += 1
        print(f"{result:8} {mutant}", flush=True)
    for file in options.files:
        print(file, {result: counts[file, result] for result in ("killed", "endless", "SURVIVED")})
    return 0


if __name__ == "__main__":
    sys.exit(main())
