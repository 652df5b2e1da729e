"""Information-set tree search (ISMCTS): one tree over what is played, grown in a new world each time.

Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", IEEE Transactions on Computational
Intelligence and AI in Games 4(2), 2012 (single observer). Every seat looks after its own payoff (max^n). A rule
player's choice is the first guess at every node (PUCT: Rosin, "Multi-armed bandits with episode context", Annals of
Mathematics and AI 61, 2011; Silver et al., Nature 550, 2017), so that seats play sensibly where the tree knows little.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.belief import Belief, draw_likely
from agents.parts import decide
from agents.playout import Rollout, act_on, play_out
from agents.world_search import pass_all
from rk_env.jit import kernel, routine
from rk_env.kernels.bits import BITS, EMPTY, ONE, lowest, popcount
from rk_env.kernels.chance import FOR_WORLD, advance, mix, stream
from rk_env.kernels.flow import legal_actions
from rk_env.kernels.scoring import payoff
from rk_env.kernels.worlds import has_deals, open_source
from rk_env.state import GAME, HAND_OVER, MAX_PLAYS, PASS

Games = NDArray[np.void]

NODE: Final = np.dtype(
    (
        np.record,
        [
            ("total", "f8"),  # payoffs of the seat that made the move, added up
            ("visits", "i4"),
            ("child", "i4"),  # the first of its children; 0: none
            ("sibling", "i4"),  # the next child of its parent; 0: none; of the root, how many other nodes there are
            ("move", "i1"),  # the action that leads here; for the children of the root the number of the move
            ("seat", "i1"),  # who makes it
        ],
    )
)
ROOT: Final = 0


class Guide(NamedTuple):
    """How moves are chosen in the tree."""

    explore: float
    """Weight of the bonus for moves seldom tried, in points."""
    trust: float
    """The rule player's guess gets this share of the bonus, the other moves the rest."""


@routine
def search_tree(
    views: Games,
    rules: Games,
    studies: Games,
    seed: np.uint64,
    nodes: Games,
    most: int,
    guide: Guide,
    rollout: Rollout,
    belief: Belief,
) -> bool:
    """Grow the tree of a study until it has been gone down `most` times; note how each move of the root did.

    Args:
        views: what the seat to act sees, (1,).
        rules: (1,).
        studies: the study, begun, (1,).
        seed: of the decision.
        nodes: the tree, (N,) of `NODE`, zeros at the beginning; when it is full it grows no more.
        most: how often to go down, counted from the beginning.
        guide: how moves are chosen in the tree.
        rollout: what plays out.
        belief: which worlds are likely.

    Returns:
        Whether any deal agrees with the view.
    """
    view, study = views[0], studies[0]
    if study.n_moves < 2 or study.worlds >= most:
        return True
    games = np.zeros(3, GAME)
    path = np.zeros(MAX_PLAYS + 2, np.int64)
    source = open_source(view, rules[0])
    if not has_deals(source):
        return False
    while study.worlds < most:
        state = stream(seed, FOR_WORLD, study.worlds)
        state = draw_likely(games, view, rules[0], source, state, belief)
        go_down(nodes, path, games[0], rules[0], study, guide, rollout, state)
        study.worlds += 1
        study.tried += 1
    child = int(nodes[ROOT].child)
    while child > 0:
        study.visits[nodes[child].move] = nodes[child].visits
        study.sums[nodes[child].move] = nodes[child].total
        child = int(nodes[child].sibling)
    return True


@kernel
def go_down(
    nodes: Games, path: NDArray[np.int64], g: Any, r: Any, study: Any, guide: Guide, rollout: Rollout, state: np.uint64
) -> None:
    """Go down the tree in one world, add a node, play out, and add the payoffs to all nodes on the way."""
    node = ROOT
    depth = 0
    while node >= 0 and g.phase < HAND_OVER:
        seat = int(g.turn)
        state = advance(state)
        if node == ROOT:
            move = choose_root(nodes, study, guide)
            make_root_move(g, r, study, move, seat, rollout, state)
        else:
            legal = legal_actions(g, r)
            move = lowest(legal)
            if legal & (legal - ONE) != EMPTY:
                guess = decide(g, r, rollout.passing, rollout.playing, mix(state))
                move = choose_move(nodes, node, seat, legal, guess, guide)
            act_on(g, r, move)
        child = find_child(nodes, node, seat, move)
        if child == 0:
            child = add_child(nodes, node, move, seat)
            node = -1  # the tree ends here
        else:
            node = child
        if child > 0:
            path[depth] = child
            depth += 1
    play_out(g, r, rollout, state)
    nodes[ROOT].visits += 1
    for k in range(depth):
        nodes[path[k]].visits += 1
        nodes[path[k]].total += payoff(g, r, int(nodes[path[k]].seat))


@kernel
def make_root_move(g: Any, r: Any, study: Any, move: int, seat: int, rollout: Rollout, state: np.uint64) -> None:
    """Do a move of the study: a pass of three cards, or one action."""
    if g.phase == PASS:
        pass_all(g, r, seat, study.moves[move], rollout, state)
    else:
        act_on(g, r, int(study.moves[move, 0]))


@kernel
def add_child(nodes: Games, node: int, move: int, seat: int) -> int:
    """Put a new node among the children of another, and return it; 0 when the tree is full.

    The root, which has no siblings, counts the other nodes in that field.
    """
    child = int(nodes[ROOT].sibling) + 1
    if child >= nodes.shape[0]:
        return 0
    nodes[ROOT].sibling = child
    nodes[child].move = move
    nodes[child].seat = seat
    nodes[child].sibling = nodes[node].child
    nodes[node].child = child
    return child


@kernel
def find_child(nodes: Games, node: int, seat: int, move: int) -> int:
    """Return the child that a move of a seat leads to; 0 when there is none yet.

    Worlds may differ in who is to move: after a pass anybody may hold the two of clubs.
    """
    child = int(nodes[node].child)
    while child > 0 and (nodes[child].move != move or nodes[child].seat != seat):
        child = int(nodes[child].sibling)
    return child


@kernel
def choose_root(nodes: Games, study: Any, guide: Guide) -> int:
    """Return the move to try next: each once, then by the upper bound of UCB1."""
    n_tried = int(nodes[ROOT].visits)
    if n_tried < study.n_moves:
        return n_tried
    best = -1
    best_bound = 0.0
    log = math.log(n_tried)
    child = int(nodes[ROOT].child)
    while child > 0:
        n = int(nodes[child].visits)
        bound = nodes[child].total / n + guide.explore * math.sqrt(log / n)
        if best < 0 or bound > best_bound:
            best = int(nodes[child].move)
            best_bound = bound
        child = int(nodes[child].sibling)
    return best


@kernel
def choose_move(nodes: Games, node: int, seat: int, legal: np.uint64, guess: int, guide: Guide) -> int:
    """Return what a seat tries next: by mean and a bonus, larger for the rule player's guess."""
    visits = 0
    total = 0.0
    child = int(nodes[node].child)
    while child > 0:
        if nodes[child].seat == seat and legal & BITS[nodes[child].move]:
            visits += int(nodes[child].visits)
            total += nodes[child].total
        child = int(nodes[child].sibling)
    usual = total / visits if visits > 0 else 0.0
    bonus = guide.explore * math.sqrt(visits + 1.0)
    other = (1.0 - guide.trust) / (popcount(legal) - 1)
    best = -1
    best_bound = 0.0
    left = legal
    while left != EMPTY:
        action = lowest(left)
        left &= left - ONE
        child = find_child(nodes, node, seat, action)
        n = int(nodes[child].visits) if child > 0 else 0
        mean = nodes[child].total / n if n > 0 else usual
        bound = mean + bonus * (guide.trust if action == guess else other) / (1.0 + n)
        if best < 0 or bound > best_bound:
            best = action
            best_bound = bound
    return best
