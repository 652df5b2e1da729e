"""The names under which other libraries find the environments; `import rk_env` registers them."""

from __future__ import annotations

from typing import Final

import gymnasium

GYMNASIUM_ID: Final = "RicketyKate-v0"


def register_environments() -> None:
    """Register the environment for one seat, and its vector form, with Gymnasium, once."""
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="rk_env.gym_env:RicketyKateSeat",
            vector_entry_point="rk_env.vector_env:RicketyKateVector",
        )
