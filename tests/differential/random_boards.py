"""Random small rulesets over a board: filters on fields, slots and positions, in every form that may become a mask.

`ruleset(seed)` gives the text. Everything in it is well typed, and nothing divides or goes out of a range that is not
capped, so the checker takes nearly all of them; the filters are what is random.
"""

from __future__ import annotations

import random

HEAD = """\
enum Tint = red | green | blue
map board is grid {rows} by {columns}{diagonals}
  node Cell
kind Stone
  copies 5 for each owner: player
each Cell
  owner: player?
  tint: Tint?
  height: 0..3
  open: flag
  stone: slot of Stone open
each player
  points: 0..9999 capped
  level: 0..3
table
  moves: 0..10
setup
  for c in Cell
    c.height = (c.row * {a} + c.column) mod 4
    c.open = (c.row + c.column) mod {b} == 0
    if c.row == 2
      c.tint = Tint.green
  for p in players
    for c in Cell where c.row == (1 if p == seat1 else {rows})
      move up to 1 x in Stone where x.owner == p and x in box to c.stone
play
  in turn p from seat1 until moves == 10
    moves += 1
    p.level = (p.level + moves) mod 4
    turn(p)
phase turn(p)
  choose one "Where?"
    "{{c}} {{d}}" for c in Cell where {first}, d in {around} where {second}
      c.owner = p
      d.tint = Tint.blue if d.tint == red else Tint.red
      d.open = not d.open
      if c.stone is not empty and d.stone is empty
        move c.stone to d.stone
      work(p, c, d)
    otherwise "Pass"
      p.level = 1
effect work(p, c: Cell, d: Cell)
"""


def ruleset(seed: int) -> str:
    make = _Maker(random.Random(seed))
    pick = make.pick
    head = HEAD.format(
        rows=pick((3, 4, 8)), columns=pick((3, 5, 9)), diagonals=pick(("", " with diagonals")), a=pick((1, 2, 3)),
        b=pick((2, 3)), first=make.condition("c", ()), around=make.around("c"), second=make.condition("d", ("c",)),
    )  # fmt: skip
    lines = [line for _ in range(make.number(3, 6)) for line in make.statement()]
    return head + "\n".join(f"  {line}" for line in lines) + '\nscore p\n  "Points" p.points\n'


def supposing(seed: int) -> str:
    """The same, with something that may be refused behind the stores and the move."""
    make = _Maker(random.Random(f"supposing {seed}"))
    asked = []
    if make.number(0, 3) == 0:
        asked += [f"if {make.condition('c', ('d',), 1)}", '  p wins "Found"']
    for _ in range(make.number(1, 2)):
        quantity, cells = make.pick(("some", "every", "no")), make.around(make.pick(("c", "d")))
        asked.append(f"requires {quantity} x in {cells} has {make.condition('x', ('c', 'd'))}")
        asked += make.pick(([], ["c.height = p.level"], ["d.owner = none"], ["p.level = c.height"]))
    before = "".join(f"      {line}\n" for line in asked)
    return ruleset(seed).replace("      work(p, c, d)\n", before + "      work(p, c, d)\n")


class _Maker:
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.pick = chance.choice
        self.number = chance.randint

    def condition(self, x: str, others: tuple[str, ...], depth: int = 2) -> str:
        """Something that is said of the cell `x`; `others` are cells that are known."""
        if depth and self.chance.random() < 0.6:
            left, right = self.condition(x, others, depth - 1), self.condition(x, others, depth - 1)
            form = self.pick(("({} and {})", "({} or {})", "(not {} and {})", "({} and not ({}))"))
            return str(form).format(left, right)
        plain = [
            f"{x}.owner == p", f"{x}.owner != p", f"{x}.owner is none", f"{x}.owner == next(p)", f"{x}.open",
            f"{x}.tint == green", f"{x}.tint in (Tint.red, blue)", f"{x}.tint is not none", f"{x}.height == p.level",
            f"{x}.height != {self.number(0, 3)}", f"{x}.height > {self.number(0, 2)}", f"{x}.stone is empty",
            f"{x}.stone.owner == p", f"{x}.stone.owner != p", f"{x}.row > {self.number(1, 3)}", "p.level > 1",
            f"({x}.row + {x}.column) mod 2 == {self.number(0, 1)}", f"{x}.column == p.level + 1",
            f"some y_{depth} in neighbours({x}) has y_{depth}.owner == p",
        ]  # fmt: skip
        for other in others:
            plain += [
                f"{x}.row == {other}.row", f"{x} != {other}", f"distance({x}, {other}) < 3",
                f"{x}.owner == {other}.owner", f"{x}.height == {other}.height", f"{x}.tint != {other}.tint",
                f"{x} in neighbours({other})", f"{x} in line({other}, north)",
                f"some w in Direction has {x} in line({other}, w, {self.number(1, 3)})",
            ]  # fmt: skip
        return str(self.pick(plain))

    def around(self, x: str) -> str:
        return str(
            self.pick(
                (
                    f"neighbours({x})",
                    f"ring({x}, 2)",
                    f"line({x}, north)",
                    f"line({x}, west, 2)",
                    "Cell",
                    f"ring({x}, 1)",
                )
            )
        )

    def cells(self) -> str:
        through = self.condition("z", ("c",), 1)
        return str(
            self.pick(
                (self.around("c"), self.around("d"), "Cell", f"(c, (reach from d through z in Cell where {through}))")
            )
        )

    def statement(self) -> list[str]:
        cells, test = self.cells(), self.condition("x", ("c", "d"))
        change = self.pick(
            ("x.owner = p", "x.owner = none", "x.height = p.level", "x.open = not x.open", "x.tint = Tint.green")
        )
        form = self.number(0, 6)
        if form == 0:
            return [f"for x in {cells} where {test}", f"  {change}"]
        if form == 1:
            return [f"gain up to count(x in {cells} where {test}) points"]
        if form == 2:
            return [f"if {self.pick(('some', 'every', 'no'))} x in {cells} has {test}", "  gain 1 points"]
        if form == 3:
            return [f"gain up to ((first x in {cells} where {test}).column otherwise 3) points"]
        if form == 4:
            return [f"gain up to sum(x.column for x in {cells} where {test}) points"]
        if form == 5:
            return [f"for x in {cells} where {test}", "  gain up to x.row + p.points mod 3 points", f"  {change}"]
        return [
            f"for x in Cell where some w in Direction has x in line(c, w, {self.number(1, 3)}) and {test}",
            f"  {change}",
        ]
