"""The names under which other libraries find the environments; `import rk_env` registers them."""

from __future__ import annotations

from typing import Final

import gymnasium
import pettingzoo

GYMNASIUM_ID: Final = "RicketyKate-v0"
PETTINGZOO_ID: Final = "rickety_kate/rickety_kate-v0"


def register_environments() -> None:
    """Register the environments with Gymnasium, and with PettingZoo where it has a register (1.27), once."""
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="rk_env.gym_env:RicketyKateSeat",
            vector_entry_point="rk_env.vector_env:RicketyKateVector",
        )
    for kind, maker in (("aec", "env"), ("parallel", "parallel_env")):
        if PETTINGZOO_ID not in getattr(pettingzoo, f"{kind}_registry", (PETTINGZOO_ID,)):
            pettingzoo.register(kind, PETTINGZOO_ID, f"rk_env.rickety_kate_v0:{maker}")
