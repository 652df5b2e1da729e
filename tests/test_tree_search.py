"""The tree of `ismcts`: what is counted at its nodes, and for whom."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import agents
from agents.ismcts import Ismcts
from agents.study import STUDY, begin_study
from agents.tree_search import NODE, ROOT, search_tree
from rk_env import Engine, Rules
from tests.generators import NUMBER_OF
from tests.searching import Games, middle_of_hands


def grown(view: Games, rules: Rules, most: int, room: int = 100_000, seed: int = 1) -> tuple[Games, np.void]:
    """Return the nodes of a tree that was gone down so often, and the study."""
    player = agents.make("ismcts", breadth=5)
    assert isinstance(player, Ismcts)
    nodes, study = np.zeros(room, NODE), np.zeros(1, STUDY)
    begin_study(view, rules.array, study, player.breadth, player.rollout.passing, np.uint64(seed), False)
    assert search_tree(
        view, rules.array, study, np.uint64(seed), nodes, most, player.guide, player.rollout, player.belief
    )
    return nodes, study[0]


def children(nodes: Games, node: int) -> Iterator[int]:
    child = int(nodes[node]["child"])
    while child:
        yield child
        child = int(nodes[child]["sibling"])


def test_visits_add_up() -> None:
    d = middle_of_hands(1, tricks=5)
    for most in (20, 3000):
        nodes, study = grown(d.views, d.rules, most)
        n_nodes = 1 + int(nodes[ROOT]["sibling"])
        assert nodes[ROOT]["visits"] == study["worlds"] == study["tried"] == most == study["visits"].sum()
        assert (nodes["visits"][1:n_nodes] > 0).all() and (nodes["visits"][n_nodes:] == 0).all()
        for node in range(n_nodes):
            below = [int(nodes[child]["visits"]) for child in children(nodes, node)]
            moves = [(int(nodes[child]["move"]), int(nodes[child]["seat"])) for child in children(nodes, node)]
            assert len(set(moves)) == len(moves)
            assert sum(below) in (nodes[node]["visits"] - (node != ROOT), nodes[node]["visits"], 0)
        for child in children(nodes, ROOT):
            assert nodes[child]["total"] == study["sums"][nodes[child]["move"]]


def test_a_full_tree_grows_no_more_and_goes_on_counting() -> None:
    d = middle_of_hands(1, tricks=5)
    nodes, study = grown(d.views, d.rules, 2000, room=60)
    assert nodes[ROOT]["sibling"] == 59 and study["visits"].sum() == 2000


@pytest.mark.parametrize("players", [3, 4])
def test_seats_are_told_apart_where_a_world_says_whose_lead_it_is(players: int) -> None:
    """After a pass anybody may hold 2C and lead: what it is worth is counted for each of them apart."""
    engine = Engine(Rules(players=players, passing="left", opening="two_of_clubs"), 20, seed=3)
    without = np.flatnonzero(engine.action_mask()[:, NUMBER_OF["2C"]] == 0)[:1]
    nodes, _ = grown(engine.view(engine.turn[without], games=without), engine.rules, 4000)
    leads = [
        {int(nodes[lead]["seat"]) for lead in children(nodes, move) if nodes[lead]["move"] == NUMBER_OF["2C"]}
        for move in children(nodes, ROOT)
    ]
    assert max(map(len, leads)) > 1
    for move in children(nodes, ROOT):
        for lead in children(nodes, move):
            seats = {int(nodes[node]["seat"]) for node in children(nodes, lead)}
            assert seats <= {(int(nodes[lead]["seat"]) + 1) % players}
