"""The table of all public calls of `rk_env`, with valid arguments of each: where `tests.fuzzing` throws things at."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from typing import Any

import rk_env.engine
import rk_env.rules
from rk_env import (
    Engine,
    Rules,
    cards,
    inputs,
    observation,
    players,
    records,
    render,
    rewards,
    rickety_kate_v0,
    worlds,
)
from rk_env.aec import RicketyKateEnv
from tests.fuzzing import Door

ACTIONS = ("accepted(engine)", "accepted(engine).tolist()", "accepted(engine)[::-1]", "accepted(engine) + [0, 0, 60]")
GAMES = ("None", "[0]", "[2, 0]", "[True, False, True]", "np.arange(3)")
SEATS = ("0", "2", "[0, 1, 2]", "np.zeros(3, int)")
SEEDS = ("[1, 2, 3]", "np.arange(3, dtype=np.uint64)", "[2**64 - 1] * 3", "[1, 2, -3]")
VIEWS = ("views(engine)",)
RULES = ("rules", "Rules()", "None")
OUTS = ("None", "np.empty((3, engine.layout.size), np.float32)", "np.empty((3, 7))")
HUGE = ("2**31",)  # games: a terabyte that some machines would grant

_ENGINE = {
    **{
        name: Door(f"engine.{name}")
        for name in ("turn", "phase", "in_play", "captured_points", "hand_scores", "totals")
    },
    **{name: Door(f"engine.{name}") for name in ("payoffs", "win_shares", "places", "winner")},
    "__init__": Door(
        "Engine",
        {
            "rules": RULES,
            "num_games": ("1", "3", "0"),
            "seed": ("1", "None"),
            "seeds": SEEDS,
            "episode": ("'game'", "'hand'"),
            "uniform_observations": ("True", "False"),
        },
        ("rules", "num_games", "seed", "seeds", "episode", "uniform_observations"),
        never=HUGE,
    ),
    "from_games": Door("Engine.from_games", {"games": ("engine.games.copy()",), "rules": ("rules", "Rules()")}),
    "action_mask": Door("engine.action_mask", {"revokes": ("True", "False")}, ("revokes",)),
    "observe": Door("engine.observe", {"seats": SEATS, "out": OUTS}, ("seats", "out")),
    "view": Door("engine.view", {"seats": SEATS, "games": GAMES}, ("games",)),
    "step": Door("engine.step", {"actions": ACTIONS, "games": GAMES}, ("games",)),
    "reset": Door("engine.reset", {"games": GAMES, "seeds": SEEDS, "seed": ("1", "None")}, ("games", "seeds", "seed")),
    "next_hand": Door("engine.next_hand", {"cuts": ("None", "7", "[1, 2, 3]", "[1, 2, 103]")}, ("cuts",)),
    "redeal": Door(
        "engine.redeal", {"games": GAMES, "cuts": ("None", "7", "[1, 2, 3]", "[1, 2, 103]")}, ("games", "cuts")
    ),
    "deal": Door(
        "engine.deal",
        {
            "hands": ("hands(engine)", "hands(engine)[::-1]", "planes(engine)", "[''] * n_seats"),
            "dealer": ("0", "[0, 1, 2]"),
            "hand_number": ("1", "[4, 4, 4]"),
            "kitty": ("()", "''", "kitty(engine)"),
            "totals": (
                "None",
                "[0] * n_seats",
                "[100] * n_seats",
                "[[0] * n_seats, [7] * n_seats, [100, *range(n_seats - 1)]]",
            ),
            "games": GAMES,
        },
        ("dealer", "hand_number", "kitty", "totals", "games"),
    ),
}

_FIELDS = {field.name: (repr(field.default),) for field in dataclasses.fields(Rules)}
_RULES = {
    "__init__": Door("Rules", _FIELDS, tuple(_FIELDS)),
    "preset": Door("Rules.preset", {"name": ("'openspiel'",), "target": ("50",)}, ("target",)),
    "from_dict": Door("Rules.from_dict", {"fields": ("{'players': 5}", "rules.to_dict()")}),
    "from_json": Door("Rules.from_json", {"text": ("rules.to_json()", "'{}'", "'[1]'", "'{\"players\": 1e400}'")}),
    "hand_size_of": Door("rules.hand_size_of", {"in_play": ("2", "n_seats")}),
    "deck_planes": Door("rules.deck_planes", {"in_play": ("2", "n_seats")}),
    **{name: Door(f"rules.{name}") for name in ("hand_size", "deck", "array")},
    **{name: Door(f"rules.{name}", {}) for name in ("to_dict", "to_json", "sheet")},
}

_ENCODE = {"games": ("engine.games", *VIEWS), "rules": ("rules",), "seats": ("np.zeros(3, int)",), "out": OUTS}
_LAYOUT = {
    "__init__": Door(
        "Layout",
        {"players": ("4", "7"), "decks": ("1", "2"), "revokes": ("True",), "uniform": ("True",)},
        ("decks", "revokes", "uniform"),
    ),
    "of": Door("Layout.of", {"rules": ("rules",), "uniform": ("True",)}, ("uniform",)),
    "encode": Door("engine.layout.encode", _ENCODE, ("out",)),
    "encode_privileged": Door("engine.layout.encode_privileged", _ENCODE, ("out",)),
    "blocks": Door("engine.layout.blocks", {"vector": ("engine.observe()", "engine.observe()[0]")}),
    "table": Door("engine.layout.table", {}),
}

_ENV = {
    "reset": Door(
        "env.reset | raw.reset", {"seed": ("1", "None"), "options": ("None", "{'dealer': 1}")}, ("seed", "options")
    ),
    "step": Door("env.step | raw.step", {"action": ("legal(env)", "53", "None")}),
    "as_action": Door("raw.as_action", {"action": ("1", "legal(raw)")}),
    "observe": Door("env.observe | raw.observe", {"agent": ("'player_0'", "env.agent_selection")}),
    "observation_space": Door("env.observation_space | raw.observation_space", {"agent": ("'player_0'",)}),
    "action_space": Door("env.action_space | raw.action_space", {"agent": ("'player_0'",)}),
    "state": Door("env.state | raw.state", {}),
    "action_mask": Door("raw.action_mask", {"agent": ("'player_0'", "raw.agent_selection")}),
    "snapshot": Door("raw.snapshot", {}),
    "restore": Door("raw.restore", {"snapshot": ("raw.snapshot()",)}),
    "render": Door("env.render | raw.render", {}),
    "close": Door("env.close | raw.close", {}),
}
_MAKE = {
    "rules": RULES,
    "episode": ("'hand'", "'game'"),
    "reward": ("None", *map(repr, rewards.REWARDS)),
    "render_mode": ("None", "'ansi'"),
    "mask_in": ("'obs'", "'info'"),
    "uniform_observations": ("True",),
}

_PLAYER = {"views": VIEWS, "rules": ("rules",), "seeds": SEEDS}
_POINTS = {"points": ("engine.hand_scores",), "standings": ("engine.places", "engine.hand_scores")}
_FUNCTIONS = {
    "engine.action_text": Door("action_text", {"action": ("36", "53")}),
    "engine.spread_seed": Door("spread_seed", {"seed": ("1", "None")}, fixed="n=3"),
    "rules.rules_fields": Door("rules_fields", {"text": ("'{}'",)}),
    "cards.parse_card": Door("cards.parse_card", {"text": ("'QS'",)}),
    "cards.card_text": Door("cards.card_text", {"card": ("36",)}),
    "cards.parse_cards": Door("cards.parse_cards", {"cards": ("'2C QS'", "[0, 1]")}),
    "cards.cards_text": Door("cards.cards_text", {"cards": ("[0, 36]",)}),
    "cards.bitboard": Door("cards.bitboard", {"cards": ("'2C QS'", "[0, 1]")}),
    "cards.bitboard_cards": Door("cards.bitboard_cards", {"bb": ("3", "np.uint64(3)")}),
    "cards.bitboard_text": Door("cards.bitboard_text", {"bb": ("3", "np.uint64(3)")}),
    "inputs.as_seeds": Door("inputs.as_seeds", {"seeds": SEEDS}),
    "inputs.as_index": Door("inputs.as_index", {"games": GAMES}, fixed="n=3"),
    "inputs.as_seats": Door("inputs.as_seats", {"seats": SEATS}, fixed="n=3, players=4"),
    "records.checked_games": Door("records.checked_games", {"games": ("engine.games",)}, fixed="rules=rules"),
    "records.check_public": Door("records.check_public", {"views": VIEWS}, fixed="rules=rules"),
    "worlds.determinize": Door("worlds.determinize", _PLAYER),
    "worlds.count_deals": Door("worlds.count_deals", {"views": VIEWS, "rules": ("rules",)}),
    "inputs.checked_rules": Door("inputs.checked_rules", {"rules": RULES}),
    "inputs.check_rules": Door("inputs.check_rules", {"rules": ("rules",)}),
    "inputs.check_views": Door("inputs.check_views", {"views": VIEWS}),
    "players.legal_mask": Door("players.legal_mask", {"views": VIEWS, "rules": ("rules",)}),
    "players.register": Door("players.register", {"name": ("'mine'",), "factory": ("players.RandomPlayer",)}),
    "players.names": Door("players.names", {}),
    "players.make": Door("players.make", {"spec": ("'random'", "'random:x=1'", "'a:b'", "'rk_env:Rules'", "'x:y=1'")}),
    "players.decision_seeds": Door(
        "players.decision_seeds", {"seed": ("1",), "ids": ("[1, 2, 3]",), "games": ("engine.games",)}
    ),
    "players.choose": Door(
        "players.choose",
        {
            "engine": ("engine",),
            "players": ("[random_player]", "[random_player, Answering('x')]"),
            "lineup": ("np.zeros((3, n_seats), int)", "np.zeros((3, n_seats))"),
            "seeds": ("np.arange(3, dtype=np.uint64)", "[1, 2, 3]"),
            "groups": ("None", "np.zeros(3, int)"),
            "games": GAMES,
        },
        ("groups", "games"),
    ),
    "players.checked_act": Door("players.checked_act", {"player": ("random_player", "Answering([0])"), **_PLAYER}),
    "render.table_text": Door(
        "render.table_text",
        {"game": ("engine.games[0]", "views(engine)[0]", "engine.games[:1]"), "rules": ("rules",), "colors": ("True",)},
        ("colors",),
    ),
    "render.card_symbol": Door("render.card_symbol", {"card": ("36",)}),
    "render.hand_text": Door("render.hand_text", {"bb": ("np.uint64(3)",), "second": ("np.uint64(3)",)}, ("second",)),
    "rewards.payoff": Door("rewards.payoff", _POINTS),
    "rewards.minus_points": Door("rewards.minus_points", _POINTS),
    "rewards.win_share": Door("rewards.win_share", _POINTS),
    "rewards.rank": Door("rewards.rank", _POINTS),
    "rewards.checked_reward": Door("rewards.checked_reward", {"reward": ("None", "'rank'"), "episode": ("'hand'",)}),
    "rewards.checked_illegal_reward": Door(
        "rewards.checked_illegal_reward",
        {"cost": ("None", "-1.0", "-7"), "reward": ("'rank'",), "episode": ("'hand'",)},
    ),
    "rewards.of_episodes": Door(
        "rewards.of_episodes",
        {"reward": ("'rank'",), "episode": ("'hand'",)},
        fixed="engine=engine",
    ),
    "rewards.illegal_reward": Door("rewards.illegal_reward", {"reward": ("'rank'",), "episode": ("'hand'",)}),
    "rickety_kate_v0.env": Door(
        "rickety_kate_v0.env",
        {**_MAKE, "illegal": ("'terminate'", "'raise'"), "illegal_reward": ("-1.0", "None")},
        (*_MAKE, "illegal", "illegal_reward"),
    ),
    "rickety_kate_v0.parallel_env": Door("rickety_kate_v0.parallel_env", {"rules": RULES}, ("rules",)),
}

TABLE = {
    **{f"Engine.{name}": door for name, door in _ENGINE.items()},
    **{f"Rules.{name}": door for name, door in _RULES.items()},
    **{f"Layout.{name}": door for name, door in _LAYOUT.items()},
    "RicketyKateEnv.__init__": Door("rickety_kate_v0.raw_env", _MAKE, tuple(_MAKE)),
    **{f"RicketyKateEnv.{name}": door for name, door in _ENV.items()},
    **_FUNCTIONS,
}
"""The door of every public call, by class or module and name."""

MODULES = (
    *(rk_env.engine, rk_env.rules, cards, inputs, records, players, render, rewards, rickety_kate_v0, observation),
    worlds,
)
CLASSES = (Engine, Rules, observation.Layout, RicketyKateEnv)
OTHER_MODULES = {
    "aec": "its class is above",
    "arguments": "checks of arguments, for the doors",
    "deals": "behind `Engine.deal`, `next_hand` and `redeal`",
    "files": "a path and bytes, for notation and training",
    "decks": "behind `Rules`",
    "rule_sheet": "behind `Rules.sheet`",
    "rules_record": "behind `Rules.array`",
    "kernels": "check nothing: called behind the doors only",
    "notation": "has its own tests with wrong texts",
    **dict.fromkeys(("gym_env", "vector_env", "sb3", "self_play"), "have their own tests with wrong arguments"),
    **dict.fromkeys(("one_seat", "opponents", "reset_options", "spaces"), "behind the environments"),
    "registration": "names for other libraries",
    "hidden": "a record of numbers, for kernels",
    **dict.fromkeys(("errors", "jit", "presets", "settings", "state"), "nothing to call from outside"),
    **dict.fromkeys(("benchmark", "checks", "cold_start", "peers", "seat_speed", "speed"), "commands"),
}
"""Modules without doors of their own, with the reason."""
TRUSTED = {
    "observation.Block": "a line of our own table",
    "players.Player": "a protocol",
    "players.RandomPlayer": "handed views by `checked_act`, which has a door",
}
"""What is public and no door, with the reason."""


def public_names() -> set[str]:
    """Return the names of all that can be called, or looked at as a property, from outside."""
    names = {f"{owner.__name__}.__init__" for owner in CLASSES}
    for owner in CLASSES:
        names |= {f"{owner.__name__}.{name}" for name, value in vars(owner).items() if _is_call(name, value)}
    for module in MODULES:
        own = {name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__}
        short = module.__name__.removeprefix("rk_env.")
        names |= {f"{short}.{name}" for name in own if _is_call(name, getattr(module, name))}
    return names - {f"{owner.__module__.removeprefix('rk_env.')}.{owner.__name__}" for owner in CLASSES}


def _is_call(name: str, value: Any) -> bool:
    is_property = isinstance(value, (property, functools.cached_property, classmethod, staticmethod))
    return not name.startswith("_") and (is_property or inspect.isfunction(value) or inspect.isclass(value))
