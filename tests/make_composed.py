"""Look for last tricks with one best play: `python -m tests.make_composed` writes what is in `tests/composed.txt`.

Hands are played by rule players that err, and every decision of their last tricks is put to the solver.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

import numpy as np

import agents
from rk_env import Engine, Rules
from rk_env.cards import card_text
from rk_env.players import choose, decision_seeds
from tests.composed import Position, deals, legal, margin, outcomes, payoff, play, points_of, rank_of, replay, write
from tests.generators import hands_of

MOST_DEALS = {2: 300, 3: 60, 4: 8}
"""Deals that are solved, by tricks left."""
QUOTAS = {
    "stop the moon": 10,
    "keep the moon going": 6,
    "drop the Queen": 8,
    "duck the Queen": 10,
    "give the lead away": 10,
    "refuse the trick": 8,
}
TABLES = (4, 5, 6, 4, 6, 3)
OF_TABLE = {3: 2, 4: 6, 5: 2, 6: 2}
"""Positions of a theme with so many players, at most."""
EASY = 4
"""Positions of a theme that the rule player solves too, at most."""


def hands(seed: int, n_games: int = 40) -> Iterator[tuple[Engine, int, list[list[str]]]]:
    """Yield decisions in the last tricks of some hands: the engine, the number of a game in it, its deal."""
    rng = np.random.default_rng(seed)
    rules = Rules(players=TABLES[seed % len(TABLES)], passing="none")
    table = [agents.make(spec) for spec in ("rule_based", "moon_hunter", "casual", "rule_based:noise=0.4")]
    engine = Engine(rules, n_games, seed=seed, episode="hand")
    deal = [hands_of(engine, i) for i in range(n_games)]
    lineup = rng.integers(0, len(table), (n_games, rules.players))
    while (engine.turn >= 0).any():
        left = rules.hand_size - int(engine.games["trick"][0])
        if left in MOST_DEALS:
            for i in np.flatnonzero(engine.turn >= 0).tolist():
                yield engine, i, deal[i]
        engine.step(choose(engine, table, lineup, decision_seeds(seed, np.arange(n_games), engine.games)))


def best_card(position: Position) -> str | None:
    """Return the card that is better than all others by a point in every deal; None when there is none."""
    s, voids = replay(position)
    cards, most = legal(s), MOST_DEALS[max(map(len, s.hands))]
    if len(cards) < 2 or sum(map(points_of, (c for hand in (*s.hands, s.table) for c in hand))) == 0:
        return None
    worlds = list(itertools.islice(deals(s, voids), most + 1))
    outcomes.cache_clear()
    candidates = [card for card in cards if margin(s, card) > 1 - 1e-9] if len(worlds) <= most else []
    return next((card for card in candidates if all(margin(world, card) > 1 - 1e-9 for world in worlds)), None)


def theme_of(position: Position, best: str) -> str:
    """Return what a position is about, going by how it ends with the best card and with the others."""
    s, _ = replay(position)
    me, n = s.turn, position.players
    good = min(outcomes(play(s, best)), key=lambda result: payoff(result, me))
    bad = [result for card in legal(s) if card != best for result in outcomes(play(s, card))]

    def is_shot(result: tuple[int, ...], seat: int) -> bool:
        return result[seat] == 0 and sorted(result)[1] >= 25

    if is_shot(good, me):
        return "keep the moon going"
    if any(is_shot(result, seat) for result in bad for seat in range(n) if seat != me):
        return "stop the moon"
    if best == "QS" and s.table:
        return "drop the Queen"
    if max(result[me] for result in bad) - good[me] >= 12:
        return "duck the Queen"
    if not s.table and any(rank_of(card) > rank_of(best) for card in legal(s)):
        return "give the lead away"
    return "refuse the trick"


def main() -> None:
    """Write positions until every theme has its number."""
    rule_based = agents.make("rule_based")
    found: Counter[str] = Counter()
    easy: Counter[str] = Counter()
    seen: set[tuple[int, int]] = set()
    for seed in itertools.count(1):
        for engine, i, deal in hands(seed):
            game = engine.games[i]
            plays = tuple(card_text(int(card)) for card in game["plays"][: game["n_plays"]])
            position = Position("", tuple(map(tuple, deal)), plays, "")
            if (seed, i) in seen:
                continue
            best = best_card(position)
            if best is None:
                continue
            theme = theme_of(position, best)
            guess = rule_based.act(engine.view(engine.turn[[i]], games=[i]), engine.rules, np.zeros(1, np.uint64))
            is_easy = card_text(int(guess[0])) == best
            kind = f"{theme}, {position.players} players"
            if found[theme] >= QUOTAS[theme] or found[kind] >= OF_TABLE[position.players]:
                continue
            if is_easy and easy[theme] >= EASY:
                continue
            found[theme] += 1
            found[kind] += 1
            easy[theme] += is_easy
            seen.add((seed, i))
            print(write(position._replace(theme=theme, best=best)) + "\n", flush=True)
        if all(found[theme] >= n for theme, n in QUOTAS.items()):
            return


if __name__ == "__main__":
    main()
