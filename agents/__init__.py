"""Agents: players that know something about the game.

`make` builds one from a spec: a name ("rule_based"), a name with options ("rule_based:passing=high_cards"), a name and
version as in results ("rule_based@1"), a policy file or its folder, "module:attribute", or a program of any language
that speaks the protocol of `agents/FOREIGN.md` ("foreign:COMMAND"). Importing this package makes its players known to
`rk_env.players` by name.
"""

from __future__ import annotations

import os
from functools import partial
from typing import Any

from agents.foreign import ForeignPlayer
from agents.ismcts import Ismcts
from agents.pimc import Pimc
from agents.rule_player import SETUPS, RulePlayer
from agents.shipped import ShippedNetwork
from rk_env import players
from rk_env.errors import PlayerError
from rk_env.players import Player, names

__all__ = ["make", "names"]

POLICY_FILE = "policy.npz"

for _name, _setup in SETUPS.items():
    players.register(_name.partition("@")[0], partial(RulePlayer, _name, _setup))
players.register("foreign", ForeignPlayer)
players.register("ismcts", Ismcts)
players.register("network", ShippedNetwork)
players.register("pimc", Pimc)


def make(spec: str | Player, **options: Any) -> Player:
    """Return a player from a spec, or from a player itself.

    Args:
        spec: as above; "name@version" asks for that version.
        options: options of the player, besides those in the spec.

    Raises:
        PlayerError: when nothing of that name is found, the options do not fit, or the version is another.
        PolicyFileError: when a policy file is missing or damaged.

    >>> make("rule_based", passing="high_cards").name
    'rule_based@1:passing=high_cards@1'
    >>> make("rule_base")
    Traceback (most recent call last):
    rk_env.errors.PlayerError: no player is called 'rule_base'; did you mean 'rule_based'? Known: ...
    """
    if not isinstance(spec, str):
        return players.make(spec, **options)
    if _is_policy(spec):
        return _load_policy(spec, options)
    if not spec:
        raise PlayerError("an empty text names no player")
    if os.sep in spec and ":" not in spec:
        raise PlayerError(f"{spec!r} is no policy: there is no {POLICY_FILE} in it, and it does not end in .npz")
    head, colon, tail = spec.partition(":")
    name, _, version = head.partition("@")
    player = players.make(name + colon + tail, **options)
    made = player.name.partition(":")[0].partition("@")[2]
    if version and version != made:
        raise PlayerError(f"{spec!r} asks for version {version} of {name!r}; here is version {made or 'none'}")
    return player


def _is_policy(spec: str) -> bool:
    """Tell whether a spec names a policy file or the folder of one; registered names come before folders.

    What stands behind a registered name and its colon is that player's own, also when it ends like a file of weights.
    """
    if ":" in spec and spec.partition(":")[0].partition("@")[0] in names():
        return False
    return spec.endswith(".npz") or (spec not in ("", *names()) and os.path.isfile(os.path.join(spec, POLICY_FILE)))


def _load_policy(spec: str, options: dict[str, Any]) -> Player:
    from agents.network import load_policy

    unknown = set(options) - {"sample", "any_rules"}
    if unknown:
        raise PlayerError(f"{spec!r}: a policy has the options sample and any_rules, not {', '.join(sorted(unknown))}")
    player: Player = load_policy(spec, **options)
    return player
