"""What is printed in Kiwi Chow Down, as in the tables of the ruleset: the island, the opening, boards and cards."""

from __future__ import annotations

from typing import Any

Task = tuple[Any, ...]

CELLS = ((1, -1), (2, -1), (3, -1), (0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1))
TILES = ("FGMMSFGFGS", "SMGMFSFSGM", "FMFMGSGSFM", "GSFSMGSGFM")
OFFSETS = ((0, 0), (-1, 3), (3, 1), (2, 4))
STEPS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
FLOWER, GRASS, MOUNTAIN, SAND = range(4)

# By player count and nest: the leader's hex with two kiwis, eight hexes with one, and two of these of size 2.
OPENING = {
    2: (
        ((1, 0), ((-1, 3), (0, 0), (0, 1), (0, 2), (1, -1), (1, 1), (1, 2), (2, 2)), ((0, 2), (2, 2))),
        ((1, 3), ((0, 1), (1, 1), (1, 2), (1, 4), (2, 1), (2, 2), (2, 3), (3, 0)), ((0, 1), (2, 1))),
    ),
    3: (
        ((0, 4), ((-1, 4), (0, 1), (0, 3), (1, 2), (1, 3), (2, 2), (3, 1), (3, 2)), ((0, 3), (1, 2))),
        ((5, 0), ((2, 0), (2, 1), (2, 2), (3, 2), (4, 1), (4, 2), (5, 1), (5, 2)), ((2, 0), (5, 1))),
        ((1, 1), ((0, 0), (0, 3), (1, 0), (1, 4), (2, -1), (2, 1), (3, 1), (4, 0)), ((0, 0), (1, 4))),
    ),
    4: (
        ((4, 3), ((3, 1), (3, 2), (3, 3), (3, 4), (4, 0), (4, 2), (5, 1), (5, 3)), ((3, 3), (4, 0))),
        ((5, 0), ((2, 1), (3, 1), (3, 3), (4, 1), (4, 2), (5, 1), (6, 0), (6, 1)), ((3, 1), (5, 1))),
        ((1, 1), ((0, 1), (0, 3), (1, 2), (1, 4), (2, 0), (2, 1), (2, 2), (2, 3)), ((1, 4), (2, 1))),
        ((0, 4), ((-1, 3), (-1, 4), (0, 3), (1, 2), (1, 3), (2, 1), (2, 3), (3, 3)), ((0, 3), (2, 3))),
    ),
}
GIFTS = ((3, 1), (4, 1), (3, 2), (4, 2))  # fruit and markers by nest
MOVE_COLOURS = ((0, 3), (1, 0), (2, 1), (3, 2))  # by clan: red, green, purple, yellow
MOVE, FEED, BUILD = range(3)  # cards 3, 4, 5 are Jokers
ROW = ((), (), (("fruit", 1),), (("may_move",),), (("fruit", 2),), (("marker", 1),), (("may_feed",),), (("marker", 1),))
JOKERS = {3: (("fruit", 4),), 4: (("fruit", 1), ("place", 2)), 5: (("fruit", 2), ("marker", 1))}
# Tree, tower, cave of rank 1 and 2: what they give at once and at a season change.
NESTS = (
    ((("fruit", 1),), (("fruit", 2),)),
    ((("fruit", 2), ("place", 1)), (("fruit", 3),)),
    ((("may_move",),), (("grow", 1),)),
    ((("marker", 1),), (("marker", 1),)),
    ((("place", 1),), (("fruit", 1), ("place", 1))),
    ((("place", 1), ("place", 1)), (("place", 1), ("place", 1))),
)
TOWERS = (2, 3)
# Leader cards, two a clan: way, who must be pushed from where, who may be, how many, up to which size.
CARDS = (
    (("leap", "arrival", "", 0, 3), ("step", "", "around", 3, 3)),
    (("step", "start", "", 0, 2), ("border", "", "arrival", 1, 3)),
    (("straight", "between", "", 0, 3), ("straight", "", "arrival", 2, 3)),
    (("run", "", "arrival", 2, 2), ("straight", "between", "arrival", 1, 3)),
)
STRAIGHT = {(2, 0): 3, (2, 1): 2, (3, 1): 2}  # how far, by clan and card
# Season cards: what is counted (negative: the fewest win), what the winner and the others get.
SEASON_CARDS: tuple[tuple[str, int, int, tuple[Task, ...], tuple[Task, ...]], ...] = (
    ("size", 1, 1, (("marker", 1), ("grow", 1)), (("place", 1),)),
    ("terrain", FLOWER, 1, (("marker", 1),), ()),
    ("nests", 0, 1, (("add_points", 1),), (("marker", 1),)),
    ("size", 2, 1, (("may_build",),), (("fruit", 2),)),
    ("terrain", MOUNTAIN, 1, (("grow_three", (), 3),), (("place", 1),)),
    ("terrain", MOUNTAIN, -1, (("place", 1),) * 4, (("fruit", 1),)),
    ("size", 3, 1, (("add_points", 1),), (("place", 1),)),
    ("terrain", GRASS, 1, (("marker", 1),), (("return_marker",),)),
    ("terrain", GRASS, -1, (("marker", 1), ("fruit", 1)), (("fruit", 1),)),
    ("court", 0, 1, (("may_build",),), (("fruit", 2),)),
    ("terrain", SAND, 1, (("add_points", 1),), (("remove",),)),
    ("terrain", SAND, -1, (("marker", 2),), (("grow", 1),)),
    ("best", 0, 1, (("add_points", 2),), (("marker", 1),)),
    ("ruled", 0, 1, (("add_points", 1),), (("marker", 1),)),
    ("lone", 0, 1, (("marker", 2),), (("fruit", 2),)),
)


class Island:
    """The hexes for one number of players: neighbours, border, terrain, distances, hexes between."""

    def __init__(self, players: int) -> None:
        self.places = [(q + a, r + b) for a, b in OFFSETS[:players] for q, r in CELLS]
        self.number = {place: number for number, place in enumerate(self.places)}
        self.terrain = ["FGMS".index(letter) for tile in TILES[:players] for letter in tile]
        around = [[self.number.get((q + a, r + b), -1) for a, b in STEPS] for q, r in self.places]
        self.neighbours = [[h for h in hexes if h >= 0] for hexes in around]
        self.border = [h for h, hexes in enumerate(around) if -1 in hexes]
        self.is_border = [-1 in hexes for hexes in around]
        self.distance = [self._distances(h) for h in range(len(self.places))]
        self.lines = [[self._line(around, h, d) for d in range(6)] for h in range(len(self.places))]

    def _distances(self, start: int) -> list[int]:
        found = {start: 0}
        queue = [start]
        for here in queue:
            for there in self.neighbours[here]:
                if there not in found:
                    found[there] = found[here] + 1
                    queue.append(there)
        return [found[h] for h in range(len(self.places))]

    def _line(self, around: list[list[int]], start: int, direction: int) -> list[int]:
        line, here = [], start
        while len(line) < 3 and (here := around[here][direction]) >= 0:
            line.append(here)
        return line

    def goals(self, way: str, far: int, start: int) -> list[tuple[int, tuple[int, ...]]]:
        """Where a leader can go, with the hexes between."""
        if way == "straight":
            lines = [line for line in self.lines[start] if len(line) >= far]
            return [(line[far - 1], tuple(line[: far - 1])) for line in lines]
        near = self.distance[start]
        if way == "border":
            return [(h, ()) for h in self.border if h != start]
        reach = {"leap": (2, 2), "step": (1, 1), "run": (1, 4)}[way]
        return [(h, ()) for h in range(len(near)) if reach[0] <= near[h] <= reach[1]]


ISLANDS = {players: Island(players) for players in (2, 3, 4)}
