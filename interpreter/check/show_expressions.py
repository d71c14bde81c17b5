"""Expressions of the checked program as text: what was written, with every name, number and default spelled out.

Values stand under their own names (`Colour.red`, `seat1`), narrowed types stand behind a colon where a reader would ask
(`none` of an optional, an interval). The print is for people and for tests; nothing reads it back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import program as core
from .value_types import NO_NUMBER, NONE, EnumOf, Flag, MapEdge, MapNode, Maybe, NoneOnly, Piece, Player, VType, bare


class Shower:
    """Prints expressions of one program."""

    def __init__(self, program: core.Program) -> None:
        self.program = program

    def value(self, value_type: VType, number: int) -> str:
        """A constant under its name."""
        inner = bare(value_type)
        if isinstance(value_type, NoneOnly) or (isinstance(value_type, Maybe) and number in (NONE, NO_NUMBER)):
            return "none"
        match inner:
            case Flag():
                return "yes" if number else "no"
            case Player():
                return self.program.seat_names[number]
            case EnumOf(name):
                enum = self.program.enums[name]
                return f"{name}.{enum.ids[enum.domain.index(number)]}" if number in enum.domain else str(number)
            case Piece():
                piece = self.program.pieces[number]
                return f"{piece.kind}.{self.program.rows[piece.row].id}"
            case MapNode():
                return f"{self.program.nodes[number].kind}.{self.program.nodes[number].id}"
            case MapEdge():
                return f"{self.program.edges[number].kind}.{self.program.edges[number].id}"
            case _:
                return str(number)

    def show(self, expr: core.Expr | None) -> str:
        if expr is None:
            return "-"
        return _SHOWN[type(expr)](self, expr)

    def all(self, exprs: tuple[core.Expr, ...]) -> str:
        return ", ".join(self.show(expr) for expr in exprs)

    def binder(self, binder: core.Binder) -> str:
        text = f"{local(binder.local)} in {self.show(binder.source)}"
        if binder.where is not None:
            text += f" where {self.show(binder.where)}"
        if binder.key is not None:
            text += f" by {binder.direction} {self.show(binder.key)}"
        return text

    def template(self, text: core.Template | None) -> str:
        if text is None:
            return "-"
        return '"' + "".join(p if isinstance(p, str) else "{" + self.show(p) + "}" for p in text.parts) + '"'

    def path(self, name: str, owner: core.Expr | None, *indexes: core.Expr) -> str:
        text = name if owner is None else f"{self.show(owner)}.{name}"
        return text + (f"[{self.all(indexes)}]" if indexes else "")

    def cost(self, cost: core.CostDecl) -> str:
        name = cost.currency.name if cost.currency is not None else cost.field.name if cost.field is not None else "?"
        text = f"{self.show(cost.amount)} {self.path(name, None, *cost.indexes)}"
        if cost.pattern is not None:
            text += f" {cost.pattern}"
        return text if cost.among is None else f"{text} {self.show(cost.among)}"


def local(decl: core.LocalDecl) -> str:
    """`c#3`: name and number."""
    return f"{decl.name}#{decl.number}"


def ranges(pairs: tuple[tuple[int, int], ...]) -> str:
    return " | ".join(f"{low}..{low + size - 1}" for low, size in pairs)


def _local_var(s: Shower, e: core.LocalVar) -> str:
    narrowed = "" if e.type == e.local.type else f":{e.type}"
    return local(e.local) + narrowed


def _place(s: Shower, e: core.PlaceRef) -> str:
    text = s.path(e.place.name, e.owner, *e.indexes)
    return text if e.slot is None else f"{text}[{s.show(e.slot)}]"


def _ways(s: Shower, e: core.Reach | core.Cheapest) -> str:
    text = f"from {s.show(e.start)}"
    if isinstance(e, core.Cheapest):
        text += f" to {s.show(e.goal)}"
    if e.along is not None:
        text += f" along {s.binder(e.along)}"
    if isinstance(e, core.Reach) and e.through is not None:
        text += f" through {s.binder(e.through)}"
    if isinstance(e, core.Cheapest):
        text += f" costing {s.show(e.cost)}"
    return text + (f" stopping at {ranges(e.stopping_at)}" if e.stopping_at else "")


def _selected(s: Shower, e: core.Selected) -> str:
    best = "" if e.best is None else f" with {e.best} {s.show(e.measure)}"
    return f"({e.which} {s.binder(e.binder)}{best})"


def _extreme_of(s: Shower, e: core.ExtremeOf) -> str:
    otherwise = "" if e.otherwise is None else f" else {s.show(e.otherwise)}"
    return f"{e.which}({s.show(e.value)} for {s.binder(e.binder)}{otherwise})"


def _players(s: Shower, e: core.Players) -> str:
    return e.which if e.of is None else f"{e.which}({s.show(e.of)})"


def _previous(s: Shower, e: core.Previous) -> str:
    return "previous" if e.args is None else f"previous({s.all(e.args)})"


def _chart(s: Shower, e: core.ChartCell) -> str:
    return f"{e.chart.name}({s.all(e.args)})" + (f".{e.column}" if e.column else "")


def _all_of(s: Shower, e: core.AllOf) -> str:
    return f"every {e.type.of}" if hasattr(e.type, "of") else "every"


def _number_range(s: Shower, e: core.NumberRange) -> str:
    return f"{s.show(e.low)}..{s.show(e.high)}"


_SHOWN: dict[type[core.Expr], Callable[[Shower, Any], str]] = {
    core.Const: lambda s, e: s.value(e.type, e.value),
    core.LocalVar: _local_var,
    core.FieldRead: lambda s, e: s.path(e.field.name, e.owner, *e.indexes),
    core.DieRef: lambda s, e: s.path(e.field.name, e.owner, e.index),
    core.DiceGroup: lambda s, e: s.path(e.field.name, e.owner),
    core.Face: lambda s, e: f"{s.show(e.die)}.face",
    core.AttributeOf: lambda s, e: s.path(e.table.name, e.of, *e.indexes),
    core.InRange: lambda s, e: f"({s.show(e.of)} within {e.low}..{e.high})",
    core.ChartCell: _chart,
    core.PlaceRef: _place,
    core.Box: lambda s, e: "box",
    core.SlotPiece: lambda s, e: f"piece({s.show(e.place)})" + ("" if isinstance(e.type, Maybe) else "!"),
    core.EndOf: lambda s, e: f"({e.end} of {s.show(e.of)})" + ("" if isinstance(e.type, Maybe) else "!"),
    core.Arithmetic: lambda s, e: f"({s.show(e.left)} {e.op} {s.show(e.right)}):{e.type}",
    core.Negative: lambda s, e: f"-{s.show(e.of)}",
    core.Compare: lambda s, e: f"({s.show(e.left)} {e.op} {s.show(e.right)})",
    core.Logic: lambda s, e: f"({s.show(e.left)} {e.op} {s.show(e.right)})",
    core.Not: lambda s, e: f"not {s.show(e.of)}",
    core.IfElse: lambda s, e: f"({s.show(e.then)} if {s.show(e.condition)} else {s.show(e.otherwise)})",
    core.Otherwise: lambda s, e: f"({s.show(e.value)} otherwise {s.show(e.fallback)})",
    core.Member: lambda s, e: f"({s.show(e.item)} in {s.show(e.source)})",
    core.IsKind: lambda s, e: f"({s.show(e.of)} is {ranges(e.ranges)})",
    core.IsNone: lambda s, e: f"({s.show(e.of)} is none)",
    core.IsEmpty: lambda s, e: f"({s.show(e.of)} is empty)",
    core.IsFull: lambda s, e: f"({s.show(e.of)} is full)",
    core.RuleRunning: lambda s, e: f"({e.rule.name} is running)",
    core.CellRunning: lambda s, e: f"({s.show(e.cell)} is running)",
    core.IsAutoma: lambda s, e: f"({s.show(e.player)} is automa)",
    core.KnownTo: lambda s, e: f"({s.show(e.piece)} is known to {s.show(e.player)})",
    core.Quantified: lambda s, e: f"({e.which} {s.binder(e.binder)} has {s.show(e.has)})",
    core.Selected: _selected,
    core.CountOf: lambda s, e: f"count({s.show(e.of)})",
    core.CountWhere: lambda s, e: f"count({s.binder(e.binder)})",
    core.SumOf: lambda s, e: f"sum({s.show(e.value)} for {s.binder(e.binder)}):{e.type}",
    core.ExtremeOf: _extreme_of,
    core.Extreme: lambda s, e: f"{e.which}({s.all(e.items)})",
    core.NumberRange: _number_range,
    core.SetList: lambda s, e: f"{'list' if e.repeats else ''}({s.all(e.items)})",
    core.Without: lambda s, e: f"({s.show(e.source)} without {s.show(e.left_out)})",
    core.StartingWith: lambda s, e: f"({s.show(e.source)} from {s.show(e.first)})",
    core.Following: lambda s, e: f"({s.show(e.source)} after {s.show(e.first)})",
    core.AllOf: _all_of,
    core.Players: _players,
    core.ValueCall: lambda s, e: f"{e.rule.name}({s.all(e.args)})",
    core.FormulaCall: lambda s, e: f"{s.show(e.cell)}({s.show(e.player)})",
    core.Previous: _previous,
    core.CanCall: lambda s, e: f"can {e.rule.name}({s.all(e.args)})",
    core.CanPerform: lambda s, e: f"can perform {s.show(e.cell)} for {s.show(e.player)}",
    core.CanPay: lambda s, e: f"{s.show(e.player)} can pay {', '.join(s.cost(c) for c in e.costs)}",
    core.Builtin: lambda s, e: f"{e.name}({s.all(e.args)})",
    core.MapQuery: lambda s, e: f"{e.map.name}.{e.name}({s.all(e.args)})",
    core.Reach: lambda s, e: f"(reach {_ways(s, e)})",
    core.Cheapest: lambda s, e: f"(cheapest {'path ' if e.is_path else ''}{_ways(s, e)})",
    core.GroupsOf: lambda s, e: f"{e.map.name}.{'largest_group' if e.largest else 'groups'}({s.binder(e.binder)})",
    core.LongestLine: lambda s, e: (
        f"{e.map.name}.longest_line({local(e.local)} through {s.show(e.through)} where {s.show(e.where)})"
    ),
}
