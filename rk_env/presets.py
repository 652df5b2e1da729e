"""Rules that people ask for by a name."""

from __future__ import annotations

from typing import Any, Final

PRESETS: Final[dict[str, dict[str, Any]]] = {
    "standard": {},
    "short": {"target": 50},
    "no_pass": {"passing": "none"},
    "jack_of_diamonds": {"bonus_cards": ("JD",)},
    "omnibus": {"bonus_cards": ("10D",)},
    "black_jack": {"black_card": "JS"},
    "new_moon": {"moon": "new"},
    "cancellation": {"decks": 2, "players": 8},
    "openspiel": {"queen_breaks_hearts": True, "ties": "share", "max_hands": 1},
    "microsoft": {"ties": "share"},
}
"""Fields of `Rules` by the preset's name; the rules page says what each is."""
