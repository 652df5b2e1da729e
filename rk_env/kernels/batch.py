"""The kernels looped over batches of games.

Arguments are arrays throughout: `games` (B,) of `GAME`, `rules` (1,) of `RULES`. Passing a bare record would cost more
than a step does. Where `index` (N,) is given, row i of the other arrays belongs to `games[index[i]]`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rk_env.jit import kernel
from rk_env.kernels import flow
from rk_env.kernels.bits import BITS, EMPTY, nth, popcount
from rk_env.kernels.chance import FOR_DECISION, FOR_GAME_SEED, advance, below, mix, stream
from rk_env.kernels.scoring import captured_so_far, score_so_far
from rk_env.kernels.standing import fill_win_shares
from rk_env.kernels.view import hide_from
from rk_env.state import GAME_OVER, HAND_OVER, N_ACTIONS

Games = NDArray[np.void]
Ints = NDArray[np.int64]


@kernel
def game_seeds(seed: np.uint64, seeds: NDArray[np.uint64]) -> None:
    """Fill `seeds` (B,) from one seed; a game's seed depends on its index, not on B."""
    for i in range(seeds.shape[0]):
        seeds[i] = mix(stream(seed, FOR_GAME_SEED, i))


@kernel
def episode_seeds(first: NDArray[np.uint64], numbers: Ints, seeds: NDArray[np.uint64]) -> None:
    """Fill `seeds` (N,) for the episodes of these numbers in games whose first seeds are `first`."""
    for i in range(first.shape[0]):
        seeds[i] = mix(stream(first[i], FOR_GAME_SEED, numbers[i]))


@kernel
def start_games(games: Games, rules: Games, index: Ints, seeds: NDArray[np.uint64], draw_hand_number: bool) -> None:
    """Begin new games."""
    for i in range(index.shape[0]):
        flow.start_game(games[index[i]], rules[0], seeds[i], draw_hand_number)


@kernel
def begin_hands(games: Games, rules: Games, index: Ints) -> None:
    """Begin hands whose cards are dealt already."""
    for i in range(index.shape[0]):
        flow.begin_hand(games[index[i]], rules[0])


@kernel
def next_hands(games: Games, rules: Games, index: Ints, cuts: Ints) -> None:
    """Deal the next hand."""
    for i in range(index.shape[0]):
        flow.next_hand(games[index[i]], rules[0], cuts[i])


@kernel
def redeal_hands(games: Games, rules: Games, index: Ints, cuts: Ints) -> None:
    """Deal the same hand afresh."""
    for i in range(index.shape[0]):
        flow.redeal_hand(games[index[i]], rules[0], cuts[i])


@kernel
def fill_masks(games: Games, rules: Games, masks: NDArray[np.int8], revokes: bool) -> None:
    """Fill `masks` (B, 54): 1 where the action is legal for the seat to act, or with `revokes` a revoke it may do."""
    for i in range(games.shape[0]):
        legal = flow.accepted_actions(games[i], rules[0]) if revokes else flow.legal_actions(games[i], rules[0])
        for action in range(N_ACTIONS):
            masks[i, action] = np.int8(legal & BITS[action] != EMPTY)


@kernel
def fill_legal(games: Games, rules: Games, legal: NDArray[np.uint64]) -> None:
    """Fill `legal` (B,): the legal actions of the seat to act, bit by action; no revokes."""
    for i in range(games.shape[0]):
        legal[i] = flow.legal_actions(games[i], rules[0])


@kernel
def is_legal(games: Games, rules: Games, i: int, action: int) -> bool:
    """Tell whether an action, in range or not, is accepted in game i; where nobody is to act, only -1 is."""
    legal = flow.accepted_actions(games[i], rules[0])
    if legal == EMPTY:
        return action == -1
    return 0 <= action < N_ACTIONS and legal & BITS[action] != EMPTY


@kernel
def step_games(games: Games, rules: Games, actions: Ints) -> int:
    """Do one action in each game, or nothing; return -1, or the index of the first game with an illegal action."""
    for i in range(games.shape[0]):
        if not is_legal(games, rules, i, actions[i]):
            return i
    for i in range(games.shape[0]):
        if actions[i] >= 0:
            flow.apply_action(games[i], rules[0], actions[i])
    return -1


@kernel
def step_chosen(games: Games, rules: Games, index: Ints, actions: Ints) -> int:
    """Do one action in each chosen game, or nothing; return -1, or the place in `index` of the first illegal action."""
    for k in range(index.shape[0]):
        if not is_legal(games, rules, index[k], actions[k]):
            return k
    for k in range(index.shape[0]):
        if actions[k] >= 0:
            flow.apply_action(games[index[k]], rules[0], actions[k])
    return -1


@kernel
def hide_games(views: Games, rules: Games, seats: Ints) -> None:
    """Turn copies of full games into the views of one seat each."""
    for i in range(views.shape[0]):
        hide_from(views[i], rules[0], seats[i])


@kernel
def fill_captured_points(games: Games, rules: Games, points: NDArray[np.int16]) -> None:
    """Fill `points` (B, P): penalty points captured so far, those of a kitty taken included; of full games only."""
    for i in range(games.shape[0]):
        for seat in range(points.shape[1]):
            points[i, seat] = captured_so_far(games[i], rules[0], seat)


@kernel
def fill_hand_scores(games: Games, rules: Games, scores: Ints) -> None:
    """Fill `scores` (B, P): final once the hand is over, before that without the moon; of full games only."""
    for i in range(games.shape[0]):
        g = games[i]
        is_over = g.phase == HAND_OVER or g.phase == GAME_OVER
        for seat in range(scores.shape[1]):
            scores[i, seat] = g.scores[seat] if is_over else score_so_far(g, rules[0], seat)


@kernel
def fill_win_share(games: Games, rules: Games, shares: NDArray[np.float64]) -> None:
    """Fill `shares` (B, P): zero while a game goes on."""
    for i in range(games.shape[0]):
        shares[i, :] = 0.0
        if games[i].phase == GAME_OVER:
            fill_win_shares(games[i], rules[0], shares[i])


@kernel
def random_actions(legal: NDArray[np.uint64], states: NDArray[np.uint64], actions: Ints) -> None:
    """Fill `actions` (B,) with one of the legal actions each, evenly, and advance `states` (B,); -1 where none is."""
    for i in range(legal.shape[0]):
        n = popcount(legal[i])
        if n == 0:
            actions[i] = -1
        else:
            states[i] = advance(states[i])
            actions[i] = nth(legal[i], below(mix(states[i]), n))


@kernel
def decision_seeds(games: Games, seed: np.uint64, ids: Ints, seeds: NDArray[np.uint64]) -> None:
    """Fill `seeds` (B,) with a random number for the next decision of each game: of seed, id and decision alone."""
    for i in range(games.shape[0]):
        g = games[i]
        again = 128 if g.n_table > 0 and g.took_back[g.n_plays] >= 0 else 0  # the same play, after a revoke
        decision = (int(g.hand_number) << 32) + (int(g.redeal) << 16) + (int(g.n_picks) << 8) + int(g.n_plays) + again
        seeds[i] = mix(stream(stream(seed, FOR_DECISION, ids[i]), FOR_DECISION, decision))


@kernel
def are_legal(games: Games, rules: Games, actions: Ints) -> NDArray[np.bool_]:
    """Return which actions are legal, (B,) bool."""
    legal = np.empty(games.shape[0], np.bool_)
    for i in range(games.shape[0]):
        legal[i] = is_legal(games, rules, i, actions[i])
    return legal


@kernel
def play_random_hands(games: Games, rules: Games, n_hands: int, state: np.uint64) -> int:
    """Play `n_hands` random hands in each game, dealing the next or a new game; return the decisions made."""
    decisions = 0
    for i in range(games.shape[0]):
        g = games[i]
        for _ in range(n_hands):
            if g.phase == GAME_OVER:
                state = advance(state)
                flow.start_game(g, rules[0], mix(state), False)
            elif g.phase == HAND_OVER:
                flow.next_hand(g, rules[0], 0)
            while g.phase < HAND_OVER:
                legal = flow.legal_actions(g, rules[0])
                state = advance(state)
                flow.apply_action(g, rules[0], nth(legal, below(mix(state), popcount(legal))))
                decisions += 1
    return decisions
