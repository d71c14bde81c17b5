"""Generated maps: nodes, neighbours clockwise, lines, borders, and what cannot be built."""

from __future__ import annotations

import pytest

from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.diagnostics.source import Source
from interpreter.ruleset.corners import corners_of
from interpreter.ruleset.maps import MapData, build_map
from interpreter.syntax.nodes import Map
from interpreter.syntax.parse import parse_rules


def declaration(text: str) -> Map:
    found = Diagnostics()
    file = parse_rules(Source("map.rules", text), found)
    assert file is not None, [finding.headline for finding in found]
    [only] = file.declarations
    assert isinstance(only, Map)
    return only


def built(text: str, **constants: int) -> MapData:
    found = Diagnostics()
    data = build_map(declaration(text), constants, (), 2, found)
    assert data is not None, [finding.headline for finding in found]
    return data


def names(data: MapData, numbers: tuple[int, ...]) -> list[str]:
    return [data.node_names[number] if number >= 0 else "-" for number in numbers]


def test_a_grid_without_diagonals_still_has_diagonal_lines() -> None:
    board = built("map board is grid 3 by 3\n  node Cell\n")
    assert board.node_names[:4] == ("cell_1_1", "cell_1_2", "cell_1_3", "cell_2_1")
    assert board.node_values["row"][3] == 2 and board.node_values["column"][3] == 1
    assert board.directions == ("north", "east", "south", "west")
    assert names(board, board.neighbours[4]) == ["cell_3_2", "cell_2_3", "cell_1_2", "cell_2_1"]
    assert len(board.line_directions) == 8
    corner = names(board, board.line_toward[0])
    assert corner == ["cell_2_1", "cell_2_2", "cell_1_2", "-", "-", "-", "-", "-"]
    assert board.border == frozenset(range(9)) - {4}
    assert len(board.edge_ends) == 12 and board.distance[0][8] == 4


def test_a_grid_with_diagonals_sized_by_a_constant() -> None:
    board = built("map board is grid size by 4 with diagonals\n  node Square\n  edge Link\n", size=2)
    assert (len(board.node_names), board.node_kind, board.edge_kind) == (8, "Square", "Link")
    assert names(board, board.neighbours[1]) == ["square_2_2", "square_2_3", "square_1_3", "square_1_1", "square_2_1"]
    assert board.distance[0][7] == 3 and board.edge_names[0] == "link_1"
    assert all(number in board.edges_of[end] for number, ends in enumerate(board.edge_ends) for end in ends)


def test_a_grid_with_letters() -> None:
    board = built("map board is grid 8 by 8 with diagonals and letters\n  node Square\n")
    assert board.node_names[:3] == ("a1", "b1", "c1") and board.node_names[-1] == "h8"
    assert names(board, board.neighbours[0]) == ["a2", "b2", "b1"]


def test_a_rhombus_of_hexes() -> None:
    board = built("map board is rhombus 3 by 4 with letters\n  node Hex\n")
    assert board.node_names == tuple(f"{letter}{row}" for row in (1, 2, 3) for letter in "abcd")
    middle = board.node_names.index("b2")
    assert sorted(names(board, board.neighbours[middle])) == ["a2", "a3", "b1", "b3", "c1", "c2"]
    assert board.distance[0][board.node_names.index("d3")] == 5
    assert board.node_values["row"][middle] == board.node_values["column"][middle] == 2


def test_a_triangle_of_hexes() -> None:
    board = built("map board is triangle of 3\n  node Hex\n")
    assert board.node_names == ("hex_1_1", "hex_2_1", "hex_2_2", "hex_3_1", "hex_3_2", "hex_3_3")
    assert sorted(names(board, board.neighbours[1])) == ["hex_1_1", "hex_2_2", "hex_3_1", "hex_3_2"]
    assert len(board.edge_ends) == 9 and board.border == frozenset(range(6))


def test_a_ring_over_named_nodes() -> None:
    ring = built("map loop is ring of north, east, south, west\n")
    assert ring.node_kind is None and ring.directions == ("onward", "back")
    assert names(ring, ring.toward[0]) == ["east", "west"]
    assert ring.border == frozenset() and ring.distance[0] == (0, 1, 2, 1)


def test_a_ring_sized_by_a_constant() -> None:
    ring = built("map loop is ring of size\n  node Bead\n", size=4)
    assert ring.node_names == ("bead_1", "bead_2", "bead_3", "bead_4") and ring.distance[0] == (0, 1, 2, 1)


def test_small_rings_have_no_double_neighbours() -> None:
    assert built("map loop is ring of a, b\n").neighbours == ((1,), (0,))
    assert built("map loop is ring of a\n").neighbours == ((),)


def test_a_line_over_named_nodes() -> None:
    line = built("map road is line of mill, inn, fort\n  node Stop\n")
    assert line.node_names == ("mill", "inn", "fort") and line.node_kind == "Stop" and not line.node_values
    assert line.toward == ((1, -1), (2, 0), (-1, 1))
    assert built("map road is line of size\n  node Stop\n", size=2).node_names == ("stop_1", "stop_2")


def test_a_line() -> None:
    line = built("map road is line of 3\n  node Space\n")
    assert line.node_names == ("space_1", "space_2", "space_3") and line.node_values == {"number": (1, 2, 3)}
    assert line.toward == ((1, -1), (2, 0), (-1, 1)) and line.border == {0, 2}


def test_a_hexagon() -> None:
    island = built("map island is hexagon of 3\n  node Hex\n")
    assert len(island.node_names) == 19 and island.node_names[0] == "hex_1_1"
    assert island.directions[0] == "north_east"
    middle = island.node_names.index("hex_3_3")
    assert (island.node_values["q"][middle], island.node_values["r"][middle]) == (0, 0)
    around = [(island.node_values["q"][n], island.node_values["r"][n]) for n in island.neighbours[middle]]
    assert around == [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]
    assert len(island.border) == 12 and max(island.distance[middle]) == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("map board is grid 0 by 3\n  node Cell\n", "a map cannot have a size of 0"),
        ("map board is grid sise by 3\n  node Cell\n", "`sise` is no constant number"),
        ("map board is grid 1000 by 1000\n  node Cell\n", "a map of 1,000,000 nodes"),
        ("map board is complete of 500\n  node Cell\n", "a map of 124,750 edges"),
        ("map loop is ring of siez\n  node Cell\n", "`siez` is no constant number"),
        ("map loop is ring of a, b, a\n", "`a` stands twice in this map"),
        ("map board is grid 3 by 3\n", "the map `board` has no kind of nodes"),
        ("map board is grid 3 by 3\n  node Cell\n  node Other\n", "one kind of nodes"),
    ],
)
def test_maps_that_cannot_be_built(text: str, words: str) -> None:
    found = Diagnostics()
    assert build_map(declaration(text), {}, (), 2, found) is None
    [finding] = found
    assert finding.code == "R0240" and words in finding.headline


def spaces(text: str) -> dict[int, tuple[int, ...]]:
    """The spaces of a board by number, with row and column or q and r, as the corners of the board are made of them."""
    values = list(built(text).node_values.values())[:2]
    return dict(enumerate(zip(*values, strict=True)))


def test_the_corners_of_a_hexagon() -> None:
    board = spaces("map island is hexagon of 3\n  node Hex\n")
    made = corners_of(declaration("map roads is corners of island\n  node Corner\n  edge Side\n"), board, True, 0)
    assert (len(made.data.node_names), len(made.data.edge_names)) == (54, 72)  # 6 n², 9 n² - 3 n
    assert all(len(corners) == 6 for corners in made.corners_of_space.values())
    assert sorted(map(len, made.spaces_of_corner)) == [1] * 18 + [2] * 12 + [3] * 24
    assert sorted(map(len, made.spaces_of_side)) == [1] * 30 + [2] * 42
    assert len(made.data.border) == 30 and sorted(map(len, made.data.neighbours)) == [2] * 18 + [3] * 36
    for space, sides in made.sides_of_space.items():
        assert all(space in made.spaces_of_side[side] for side in sides)
        assert set(made.data.edge_ends[sides[0]]) == set(made.corners_of_space[space][:2])
    inside = {pair for pair in made.spaces_of_side if len(pair) == 2}
    island = built("map island is hexagon of 3\n  node Hex\n")
    assert inside == set(island.edge_ends)  # two hexes have a side in common if they are neighbours


def test_the_corners_of_a_grid() -> None:
    board = spaces("map yard is grid 2 by 3\n  node Cell\n")
    made = corners_of(declaration("map posts is corners of yard\n  node Post\n"), board, False, 2)
    assert len(made.data.node_names) == 12 and len(made.data.edge_ends) == 17 and made.data.edge_runs == ()
    assert made.corners_of_space[3] == (0, 1, 5, 4)  # row 2 is at the top: clockwise from the top left
    assert made.data.positions[0] == (-0.5, -0.5) and made.data.positions[11] == (2.5, 1.5)
