"""Calls of everything public with one thing wrong each, which they must not take for right."""

from __future__ import annotations

import re

from tests.fuzzing import listed


def _refused(text: str) -> dict[str, list[str]]:
    """Return the values that each call is to refuse: a call on a line, its values on the indented lines below."""
    parts = [part.split("\n    ") for part in re.split(r"\n(?! )", text.strip())]
    return {call: [value for line in lines for value in listed(line)] for call, *lines in parts}


REFUSED = _refused("""
Engine(num_games={})
    -1 | 1.5 | True | '3' | [1] | 2**63
Engine(seed={})
    -1 | 2**64 | 1.0 | True | '1' | [1]
Engine(seeds={})
    [-1] | [2**64] | [1.0] | [True] | [None] | 7 | [[1]] | 'ab' | np.zeros(3)
Engine(seeds=[1], {}=2)
    seed | num_games
Engine(episode={})
    'round' | None | 1
Engine(rules={})
    4 | 'standard' | {}
Engine(uniform_observations={})
    'no' | 1 | None
Engine.from_games({}, rules)
    None | 3 | np.zeros(3) | engine.games[0] | engine.games[::2] | list(engine.games) | engine.games.reshape(1, 3)
    read_only(engine.games.copy()) | engine.view(0)
Engine.from_games(engine.games, {})
    Rules(players=6) | 4 | 'standard'
engine.action_mask(revokes={})
    'no' | None | 1
engine.observe({})
    4 | -1 | 1.0 | True | [0, 1] | [0, 1, 4] | [-1, 0, 0] | np.zeros(3) | '0' | 2**63 | [[0, 1, 2]]
engine.observe(out={})
    np.zeros(3) | np.zeros((3, engine.layout.size)) | np.zeros((2, engine.layout.size), 'f4') | []
    read_only(np.zeros((3, engine.layout.size), 'f4')) | np.zeros((3, 2 * engine.layout.size), 'f4')[:, ::2]
engine.view({})
    4 | -1 | 1.0 | True | None | [0, 1] | [0, 1, 4] | [-1, 0, 0] | np.zeros(3) | '0' | [[0, 1, 2]]
engine.view(0, {})
    3 | -1 | [0, 0] | [0.0] | [True, False] | [[0]] | 'all' | np.ones(4, bool) | 2**64
engine.step({})
    [0, 0] | 0 | [0.0] * 3 | [True] * 3 | [None] * 3 | [2**70] * 3 | [54] * 3 | [-1] * 3 | [-2] * 3 | [[0, 0, 0]]
    'abc' | np.full(3, nan) | np.full(3, 2**64 - 1, np.uint64) | accepted(engine).astype(object) | None
engine.reset({})
    3 | -1 | [0, 0] | [0.0] | [True, False] | [[0]] | 'all' | np.ones(4, bool)
engine.reset(seeds={})
    [1] | [1, 2] | [-1, 1, 2] | [1.0] * 3 | [True] * 3 | [2**64] * 3 | 1
engine.reset(seed={})
    -1 | 2**64 | 1.5 | True | '1'
engine.next_hand({})
    0 | 52 | -1 | 1.0 | True | [1, 2] | '1' | 2**63
engine.redeal({})
    3 | -1 | [0, 0] | [0.0] | [True, False] | [[0]] | 'all' | np.ones(4, bool)
engine.redeal(cuts={})
    0 | 52 | -1 | 1.0 | True | [1, 2] | '1' | 2**63
engine.deal({})
    [] | [''] * 4 | hands(engine)[:3] | hands(engine) * 2 | [hands(engine)[0]] * 4 | '2C' | None | 7
    planes(engine)[:3] | planes(engine) * 2 | planes(engine).astype(float) | [[1.5]] * 4 | [['1C']] * 4 | {}
engine.deal(hands(engine), {})
    4 | -1 | 1.0 | True | [0, 1] | '0' | None | 2**63
engine.deal(hands(engine), hand_number={})
    0 | -1 | 1.0 | True | 2**31 | [1, 2] | None | '1'
engine.deal(hands(engine), kitty={})
    '2C' | [0] | 7 | None | [None] | np.array([1, 0], np.uint64)
engine.deal(hands(engine), totals={})
    [0] | [0] * 5 | [0.0] * 4 | [True] * 4 | [2**31] * 4 | [0, 100, 90, 90] | 0 | [0, 0, 0, 100] | 'none'
engine.deal(hands(engine), games={})
    3 | -1 | [0, 0] | [0.0] | [True, False] | [[0]] | 'all' | np.ones(4, bool)
Rules(players={})
    2 | 7 | 12 | 4.0 | True | '4' | None
Rules({})
    decks=0 | decks=3 | decks=True | decks=2 | target=0 | target=1.5 | target=True | target=10**7 | max_hands=0
    max_hands=1.5 | first_dealer=4 | first_dealer=-1 | first_dealer='first' | first_dealer=1.0 | across_seats=0
    across_seats=4 | bonus_cards='JD' | bonus_cards=('QS',) | bonus_cards=('JD', 'JD') | bonus_cards=None
    two_hand_deal=27 | two_hand_deal=13.0 | moon_needs_bonus=True | passing='right' | passing=None | revokes='seen'
    open_with_heart=1 | queen_breaks_hearts='yes' | black_card='QH' | remove_for_three='3C' | late_revoke=True
Rules.preset({})
    'none' | 1 | None | []
Rules.from_dict({})
    {'x': 1} | {1: 2} | [] | None | 'players' | {'players': 12}
Rules.from_json({})
    '' | '[]' | 'null' | '{"players": 12}' | '{' | None | 4 | '{"target": NaN}'
rules.hand_size_of({})
    1 | 0 | -1 | 99 | 2.0 | True | '2' | None
rules.deck_planes({})
    1 | 0 | -1 | 12 | 2.0 | True | '2' | None
Layout({})
    2 | 7 | 4.0 | '4' | 4, decks=True | 4, decks=3 | 4, revokes='no' | 4, uniform=2
env.reset(seed={})
    -1 | 2**64 | 1.0 | True | '1' | [1]
env.reset(options={})
    7 | [] | 'hands' | {'x': 1} | {'dealer': 4} | {'dealer': None} | {'hand_number': 0} | {1: 2} | {'totals': [1]}
    {'hands': []} | {'hands': [''] * 4}
env.step({})
    -1 | 54 | 1.5 | True | None | '2C' | [0] | 2**64 | nan
raw.step({})
    -1 | 54 | 1.5 | True | None | '2C' | [0] | 2**64 | nan | 52
    [c for c in range(52) if c not in np.flatnonzero(raw.observe(raw.agent_selection)['action_mask'])][0]
env.observe({})
    0 | None | 'player_4' | '' | []
rickety_kate_v0.env({})
    rules=4 | episode='round' | reward='points per hand' | render_mode='rgb' | illegal='pass'
    illegal_reward='much' | uniform_observations='no'
action_text({})
    1.5 | True | '1' | None
cards.card_text({})
    1.5 | True | -1 | 52 | '1' | None
cards.parse_card({})
    '' | '1C' | 'QX' | 36 | None | b'QS'
cards.parse_cards({})
    [True] | [52] | [-1] | ['Q'] | 36 | None | [1.0]
cards.bitboard({})
    [1, 1] | 'QS QS' | [52] | 36
cards.bitboard_cards({})
    -1 | 2**52 | 1.5 | 'QS' | None
players.make({})
    'nobody' | '' | None | 4 | int | 'random:x=1' | 'random:x' | 'os:path' | 'nowhere:x' | Rules
players.register({})
    'mine', 5 | range(3), players.RandomPlayer | '', int | 'a b', int | 'random', int | 'a:b', int
players.decision_seeds({}, [1, 2, 3], engine.games)
    -1 | 2**64 | 1.0 | True | None
players.decision_seeds(1, {}, engine.games)
    [1] | [1.0] * 3 | None | [True] * 3 | [[1, 2, 3]] | [10**30] * 3
players.decision_seeds(1, [1, 2, 3], {})
    None | np.zeros(3) | list(engine.games) | engine
players.choose(engine, [random_player], {}, [1, 2, 3])
    np.zeros((3, 3), int) | np.ones((3, 4), int) | None | 0 | np.full((3, 4), -1)
players.choose(engine, [random_player], np.zeros((3, 4), int), {})
    [1] | [-1] * 3 | None | [1.0] * 3 | 1
players.checked_act(Answering({}), engine.view(engine.turn), rules, [1, 2, 3])
    [99] * 3 | [-1] * 3 | [0.0] * 3 | None | [0] | 'abc' | [True] * 3 | [2**70] * 3 | [[1], [2, 3]]
worlds.determinize({}, rules, [1, 2, 3])
    None | engine.games | engine | engine.view(0)[0] | np.zeros(3)
worlds.determinize(engine.view(0), {}, [1, 2, 3])
    None | 4 | 'standard'
worlds.determinize(engine.view(0), rules, {})
    [1] | [-1] * 3 | None | [1.0] * 3 | 1
worlds.count_deals({}, rules)
    None | engine.games | engine | np.zeros(3)
render.table_text({}, rules)
    None | engine.games | engine | 0
render.table_text(engine.games[0], {})
    Rules(players=6) | None | 4
render.card_symbol({})
    -1 | 52 | 1.5 | 'QS' | None
rewards.checked_reward({}, 'hand')
    'much' | 1 | []
rewards.checked_reward(None, {})
    'round' | 1 | None | []
""")
"""Calls, and what they must not take for right in the place of the braces."""
