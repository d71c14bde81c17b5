"""Which filters become masks, which indexes are kept, and what stays as it was."""

from __future__ import annotations

import pytest

from interpreter.compile import ir
from interpreter.compile.bounds import bounds_of
from interpreter.compile.describe_things import maps_of, tables_of
from interpreter.compile.masks import Masked, with_masks
from interpreter.compile.passes import lower_program, prepared
from interpreter.runtime.graph import MapGraph
from tests.toy_games import checked

GAME = """
map board is grid 8 by 8 with diagonals and letters
  node Cell
each Cell
  owner: player?
  height: 0..3
each player
  points: 0..999 capped
  limit: 0..3
play
  in turn p from seat1 until p.points > 90
    turn(p)
phase turn(p)
  choose c in Cell where c.owner is none "Where?"
  c.owner = p
  {}
value run(p, c: Cell, d: Direction): set of Cell = all t in line(c, d) where t.owner == p
value twice(k: 1..3): 2..6 = 2 * k
value closed(p, c: Cell, d: Direction): set of Cell
  let last = first t in line(c, d) where t.owner != p
  if last.height == 2
    result between(c, last)
  result ()
value short(p, c: Cell, d: Direction): set of Cell
  let last = first t in line(c, d, 3) where t.owner != p
  if last.height == 2
    result between(c, last)
  result ()
value led(p, c: Cell, d: Direction): set of Cell
  let last = first t in line(c, d) where t.owner != p or t.row > c.row
  if last.height == 2
    result between(c, last)
  result ()
"""
CLOSED = "gain up to count(x in Cell where some d in Direction has closed(p, x, d) is not empty) points"


def masked(line: str) -> Masked:
    return masked_text(GAME.format(line))


def masked_text(text: str) -> Masked:
    unit = lower_program(checked(text))
    ways, _ = prepared(unit)
    graphs = {name: MapGraph(**described) for name, described in maps_of(unit).items()}
    return with_masks(unit, ways, bounds_of(unit), tables_of(unit), graphs)


def operations(made: Masked) -> list[ir.Op]:
    bodies = [
        body
        for routine in made.ways["playout"].values()
        for body in (routine.body, *(segment.body for segment in routine.segments))
    ]
    return [op for body in bodies for ins in ir.instructions(body) for op in ir.operations(ins)]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("gain up to count(x in Cell where x.owner == p and x.row > 3) points", ir.Marked),
        ("gain up to count(x in Cell where x.row > c.row) points", ir.MaskTable),
        ("gain up to count(x in Cell where x.height == p.limit and x.height != 3) points", ir.MaskIndex),
        ("for t in Cell where some d in Direction has t in run(p, c, d)\n    t.height = 1", ir.MaskUnion),
        ("gain up to count(x in reach from c through x in Cell where x.owner == p) points", ir.MaskReach),
        ("for x in neighbours(c) where x.owner == p and x.row != c.row\n    x.height = 2", ir.Sieved),
        ("if longest_line(x through c where x.owner == p) >= 4\n    p.limit = 1", ir.HasLine),
        (CLOSED, ir.MaskRays),
        ("if 3 > longest_line(x through c where x.owner == p)\n    p.limit = 1", ir.HasLine),
    ],
)
def test_a_filter_becomes_a_mask(line: str, kind: type) -> None:
    assert any(isinstance(op, kind) for op in operations(masked(line)))


@pytest.mark.parametrize(
    "line",
    [
        CLOSED.replace("closed(p, x, d)", "led(p, x, d)"),  # where the line ends rests on where it begins
        CLOSED.replace("closed(p, x, d)", "closed(p, c, d)"),  # another node
        CLOSED.replace("closed(p, x, d)", "short(p, x, d)"),
        CLOSED.replace("closed(p, x, d) is not", "closed(p, x, d) is"),
    ],
)
def test_other_lines_are_walked_one_by_one(line: str) -> None:
    assert not any(isinstance(op, ir.MaskRays) for op in operations(masked(line)))


def test_lines_on_an_irregular_map_are_walked_one_by_one() -> None:
    """On a ring the last space leads back to the first; rows of a hexagon differ in length."""
    for board, regular in (("rhombus 4 by 4", True), ("ring of 9", False), ("hexagon of 3", False)):
        text = GAME.replace("grid 8 by 8 with diagonals and letters", board)
        text = text.replace(" or t.row > c.row", "").format(CLOSED)
        found = any(isinstance(op, ir.MaskRays) for op in operations(masked_text(text)))
        assert found == regular, board


def test_a_filter_that_may_fault_is_asked_as_often_as_before() -> None:
    line = "gain up to count(x in Cell where twice(p.limit) > x.height and x.owner == p) points"
    counts = [op for op in operations(masked(line)) if isinstance(op, ir.CountWhere)]
    assert len(counts) == 1 and not isinstance(counts[0].source, ir.Marked)


def test_a_line_that_may_be_longer_is_measured() -> None:
    """Exactly three in a row, on a board where four are possible."""
    made = operations(masked("if longest_line(x through c where x.owner == p) == 3\n    p.limit = 1"))
    assert any(isinstance(op, ir.LongestLine) for op in made) and not any(isinstance(op, ir.HasLine) for op in made)


def test_an_index_is_kept_only_if_it_pays() -> None:
    """One filter over 64 cells pays for one store, not for six."""
    assert [name.split("_")[0] for name in masked("c.height = 1").indexes] == ["owner"]
    stores = "\n  ".join(f"cell({row}, 1).owner = p" for row in range(1, 9))
    assert not masked(stores).indexes


def test_a_first_cell_along_a_ray_is_an_end_of_its_mask() -> None:
    made = operations(
        masked("let far = first t in line(c, south) where t.owner == p\n  gain up to (far.row otherwise 0) points")
    )
    assert any(isinstance(op, ir.End) and isinstance(op.of, ir.Marked) and op.of.backward is not None for op in made)


def test_what_is_near_to_a_piece_is_a_table_by_where_it_stands() -> None:
    """None has a row too: the mask is read beside the question whether the piece stands anywhere, and not behind it."""
    near = "count(x in Cell where at(m) is not none and distance(x, at(m)) <= p.limit)"
    text = GAME.format(f"for m in Man\n    gain up to {near} points")
    text += "kind Man\n  copies 2 for each owner: player\neach Cell\n  man: slot of Man open\n"
    made = operations(
        masked_text(text + "setup\n  for m in Man\n    pick c in Cell where c.man is empty\n    move m to c.man\n")
    )
    terms = [term for op in made if isinstance(op, ir.MaskTable) for term in op.terms]
    assert [term.low for term in terms if isinstance(term.index, ir.WhereIs)] == [-1]


SPOTS = """
value spot(c: Cell, k: 1..3): Cell? = cell(c.row + twice(k), c.column - k)
value is_blocked(p, c: Cell?): flag
  if c is none
    result yes
  result c.owner is not none and c.owner != p
value is_high(c: Cell?): flag = c is not none and c.height > 1
value around(p, c: Cell?): flag
  if c is none
    result no
  result some n in neighbours(c) has n.owner == p
value lower(c: Cell?): 0..3 = c.height if c is not none else 3
"""


@pytest.mark.parametrize(
    ("test", "left"),
    [
        ("no k in 1..3 has is_blocked(p, spot(c, k))", 0),
        ("every k in 1..3 has is_high(spot(c, k))", 0),
        ("some k in 1..3 where k < 3 has around(p, spot(c, k))", 0),
        ("some k in 1..3 has (spot(c, k)).owner != p", 0),
        ("some k in 1..p.limit has is_high(spot(c, k))", 0),
        ("some k in 1..3 has is_high(spot(c, k)) and k != p.limit", 1),  # more is asked of k than a cell
        ("some k in 1..3 has is_high(spot(c, k)) and not is_high(spot(c, 4 - k))", 1),  # two cells at once
        ("some k in 1..3 has p.limit > lower(spot(c, k))", 1),  # what that comes to beyond the rim depends on p
        ("some k in 1..3, j in 1..2 has is_high(spot(c, k)) and j == p.limit", 2),  # likewise
        ("some k in 1..3 has is_high(spot(c, k)) and 6 div k > p.limit", 1),  # nothing says that it meets no fault
    ],
)
def test_a_loop_over_what_never_changes_is_a_mask_of_what_it_looks_at(test: str, left: int) -> None:
    text = GAME.format(f"if {test}\n    gain up to 1 points") + SPOTS
    found = [op for op in operations(masked_text(text)) if isinstance(op, ir.Some)]
    assert sum(1 for op in found if isinstance(op.source, ir.Range)) == left
