"""The one decorator of compiled code.

Numba's file cache notices an edit of the function's own file, not of a function that it calls in another file. So the
cache folder is named after a hash of all sources of `rk_env` and of the function's own folder: any edit compiles anew.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import inspect
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

_OWN_FOLDER: Final = Path(__file__).resolve().parent

JIT_DISABLED: Final = bool(numba.config.DISABLE_JIT)
"""Kernels run as plain Python (NUMBA_DISABLE_JIT=1): for coverage and for debugging."""


def kernel(function: Function) -> Function:
    """Compile a function on first use, without the interpreter lock, and keep it in the file cache.

    It is compiled into each of its callers: a record handed to a function that is not is counted and stays in memory,
    which makes a step a third slower. The compiled function checks nothing: callers hand it legal input.
    """
    return _compiled(function, forceinline=True)


def routine(function: Function) -> Function:
    """Compile a function as `kernel` does, but once: callers call it.

    For long functions with many callers, each of which would take as long to compile as all of them do now.
    """
    return _compiled(function, forceinline=False)


def _compiled(function: Function, forceinline: bool) -> Function:
    if JIT_DISABLED:
        return np.errstate(over="ignore")(function)  # random numbers wrap around, as they do when compiled
    saved = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(Path(inspect.getfile(function)).resolve().parent))
    try:
        compiled: Function = numba.njit(nogil=True, cache=True, error_model="numpy", forceinline=forceinline)(function)
    finally:
        numba.config.CACHE_DIR = saved
    return compiled


@functools.cache
def cache_folder(source_folder: Path) -> Path:
    """Return the folder for compiled code of `source_folder`; its name changes with any source there or in `rk_env`."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version}".encode())
    for folder in sorted({_OWN_FOLDER, source_folder}):
        for path in sorted(folder.rglob("*.py") if folder == _OWN_FOLDER else folder.glob("*.py")):
            digest.update(str(path.relative_to(folder)).encode())
            digest.update(path.read_bytes())
    return _cache_base() / digest.hexdigest()[:16]


def _cache_base() -> Path:
    """Return a folder of NUMBA_CACHE_DIR or the user's cache; where it is not writable, one for this process alone."""
    try:
        home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
        base = Path(numba.config.CACHE_DIR or home) / "rickety-kate"
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=base):
            return base
    except (OSError, RuntimeError):  # RuntimeError: there is no home
        return _process_folder()


@functools.cache
def _process_folder() -> Path:
    """Return a fresh folder that only this user can open, removed at the end: no code is taken from others."""
    folder = tempfile.mkdtemp(prefix="rickety-kate-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
