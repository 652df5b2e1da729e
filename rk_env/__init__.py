"""Rickety Kate: a reinforcement-learning environment for Hearts with a costly Queen, for 3 to 11 players."""

from rk_env.engine import Engine, action_text
from rk_env.errors import (
    CardError,
    DealError,
    GameRecordError,
    IllegalActionError,
    MisdealError,
    NotationError,
    PlayerError,
    PolicyFileError,
    RicketyKateError,
    RulesError,
    SeatError,
    SeedError,
)
from rk_env.observation import OBS_VERSION, Layout
from rk_env.presets import PRESETS
from rk_env.registration import register_environments
from rk_env.rules import RULES_VERSION, Rules
from rk_env.state import GAME, Phase
from rk_env.worlds import count_deals, determinize

__version__ = "0.1.0"

register_environments()

__all__ = [
    "GAME",
    "OBS_VERSION",
    "PRESETS",
    "RULES_VERSION",
    "CardError",
    "DealError",
    "Engine",
    "GameRecordError",
    "IllegalActionError",
    "Layout",
    "MisdealError",
    "NotationError",
    "Phase",
    "PlayerError",
    "PolicyFileError",
    "RicketyKateError",
    "Rules",
    "RulesError",
    "SeatError",
    "SeedError",
    "action_text",
    "count_deals",
    "determinize",
]
