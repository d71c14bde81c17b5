"""Ways that cost by the space entered, asked for with `cheapest` over edges, against a search in Python."""

from __future__ import annotations

from itertools import product

import networkx as nx

from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

MARCH = """
map land is grid 4 by 5
  node Space
  edge Step
each Space
  toll: 0..9
  price: 0..99
setup
  for h in Space
    pick n in 0..9 at random
    h.toll = n
  for b in Space
    b.price = entered(space(1, 1), b)
value entered(a: Space, b: Space): 0..99
  let twice = cheapest from a to b along e in Step costing sum(h.toll for h in ends(e))
  result ((twice otherwise 0) + b.toll - a.toll) div 2 if a != b else 0
play
  end game "Done"
"""


def test_half_of_the_sum_over_both_ends_is_the_cost_of_what_is_entered() -> None:
    game = game_from_program(checked(MARCH))
    for seed in range(5):
        nodes = game.playout(seed).view(None)["fields"]["nodes"]
        graph = nx.DiGraph()
        for row, column in product(range(1, 5), range(1, 6)):
            for near in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                if near[0] in range(1, 5) and near[1] in range(1, 6):
                    graph.add_edge(near, (row, column), cost=nodes[f"space_{row}_{column}"]["toll"])
        wanted = nx.single_source_dijkstra_path_length(graph, (1, 1), weight="cost")
        assert all(fields["price"] == wanted[_place(name)] for name, fields in nodes.items())


def _place(name: str) -> tuple[int, int]:
    _, row, column = name.split("_")
    return int(row), int(column)
