"""Training, evaluation and their command lines; used from a checkout, on top of `rk_env` and `agents`."""

from pathlib import Path

import agents

_CHECKOUT = Path(__file__).resolve().parent.parent

if Path(agents.__file__ or "").resolve().parent != _CHECKOUT / "agents":
    raise ImportError(
        f"`agents` was imported from {agents.__file__}, not from this checkout ({_CHECKOUT / 'agents'}): another "
        "distribution has a package of that name. Use a fresh virtual environment, as the README's commands do"
    )
