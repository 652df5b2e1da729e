"""Results in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rk_env.files import replacing


def write_json(path: Path, value: Any) -> None:
    """Write a value as indented JSON."""
    with replacing(path) as file:
        file.write((json.dumps(value, indent=2) + "\n").encode())
