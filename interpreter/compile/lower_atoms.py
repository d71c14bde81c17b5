"""Checked expressions become operations on the state's layout: places, fields, arithmetic and tests.

What is decided here: where a field or place lives, how none is tested. What a backend gets needs no further knowledge
of the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..check import program as core
from ..check.forms import UnknownForm
from ..check.value_types import NONE, Flag, Maybe, Number, Player, SetOf, VType, bare, none_of
from ..check.walk import walk
from ..diagnostics.source import NOWHERE
from .ir import Op
from .layout import Spot
from .substitute import is_simple

if TYPE_CHECKING:
    from .unit import Unit

FLAG = Flag()
INDEX = Number(0, 1 << 20)

_ARITHMETIC = {"+": "add", "-": "subtract", "*": "multiply", "div": "divide", "mod": "modulo"}


class AtomLowering:
    """Lowers expressions of one routine. `previous` is the routine that `previous` means in an instead hook."""

    def __init__(self, unit: Unit, previous: str | None = None, own_args: tuple[Op, ...] = ()) -> None:
        self.unit = unit
        self.previous = previous
        self.own_args = own_args
        self._inlining = 0

    # ------------------------------------------------------------------ entry

    def lower(self, expr: core.Expr) -> Op:
        method = getattr(self, "_" + _snake(type(expr).__name__), None)
        if method is None:
            raise UnknownForm(expr)
        return method(expr)  # type: ignore[no-any-return]

    def lower_all(self, exprs: tuple[core.Expr, ...]) -> tuple[Op, ...]:
        return tuple(self.lower(expr) for expr in exprs)

    def maybe(self, expr: core.Expr | None) -> Op | None:
        return None if expr is None else self.lower(expr)

    def set_of(self, expr: core.Expr) -> Op:
        """A set or a place as a sequence of numbers."""
        if isinstance(expr, core.PlaceRef):
            return self.contents(expr)
        if isinstance(expr, core.Box):
            return Op("boxed", (tuple(self.unit.kind_ranges(expr.type.kinds)),), expr.type, expr.span)  # type: ignore[attr-defined]
        lowered = self.lower(expr)
        if isinstance(bare(expr.type), SetOf) or isinstance(expr, core.DiceGroup):
            return lowered
        # a slot or an optional element stands for a set of none or one
        return Op(
            "join", ((lowered, False, none_of(expr.type) if isinstance(expr.type, Maybe) else None),), SetOf(expr.type)
        )

    # ------------------------------------------------------------------ addresses and places

    def address(self, spot: Spot, indexes: list[tuple[core.Expr, int]], shift: int = 0) -> Op:
        """Indexes with the low end of their dimension, in the order of the spot's strides."""
        base = spot.base + shift
        terms: list[tuple[Op, int, int]] = []
        optional = any(isinstance(expr.type, Maybe) for expr, _ in indexes)
        for (expr, low), stride in zip(indexes, spot.strides, strict=False):
            lowered = self.lower(expr)
            if isinstance(expr.type, Maybe):
                terms.append((lowered, stride, low))
            elif lowered.op == "const":
                base += (lowered.args[0] - low) * stride
            elif optional and low < 0:  # what is below nothing there would be taken for none
                terms.append((self._shifted(lowered, low), stride, 0))
            else:
                base -= low * stride
                terms.append((lowered, stride, 0))
        tested = [part.span for expr, _ in indexes for part in walk(expr) if isinstance(part, core.InRange)]
        span = tested[0] if tested else NOWHERE
        return Op("address", (base, tuple(terms), optional), Maybe(INDEX) if optional else INDEX, span)

    def field_address(self, field: core.FieldDecl, owner: core.Expr | None, indexes: tuple[core.Expr, ...]) -> Op:
        return self.address(self.unit.layout.fields[field], self._pairs(field, owner, indexes))

    def place_address(self, ref: core.PlaceRef) -> Op:
        """The number of the place (of its first slot, for all slots of a group)."""
        pairs = self._pairs(ref.place, ref.owner, ref.indexes)
        if ref.slot is not None and ref.place.slot_dimension is not None:
            pairs.append((ref.slot, ref.place.slot_dimension.low))
        return self.address(self.unit.layout.places[ref.place], pairs)

    def slot_address(self, ref: core.PlaceRef) -> Op:
        """The offset in the state array of a slot."""
        number = self.place_address(ref)
        base, terms, optional = number.args
        return Op("address", (base - self.unit.layout.lists, terms, optional), number.type)

    def contents(self, ref: core.PlaceRef) -> Op:
        if ref.place.shape == "slot" or (ref.place.shape == "slots" and ref.slot is not None):
            return Op("slot_list", (self.slot_address(ref),), SetOf(core_piece(ref)), ref.span)
        if ref.place.shape == "slots":
            assert ref.place.slot_dimension is not None
            return Op(
                "group", (self.slot_address(ref), ref.place.slot_dimension.size), SetOf(core_piece(ref)), ref.span
            )
        return Op("list", (self.place_address(ref),), SetOf(core_piece(ref)), ref.span)

    def _pairs(
        self, decl: core.FieldDecl | core.PlaceDecl, owner: core.Expr | None, indexes: tuple[core.Expr, ...]
    ) -> list[tuple[core.Expr, int]]:
        pairs: list[tuple[core.Expr, int]] = []
        if decl.owner_dimension is not None:
            assert owner is not None
            pairs.append((owner, decl.owner_dimension.low))
        pairs += [(index, dimension.low) for index, dimension in zip(indexes, decl.dimensions, strict=True)]
        return pairs

    # ------------------------------------------------------------------ atoms

    def _const(self, expr: core.Const) -> Op:
        return Op("const", (expr.value,), expr.type, expr.span)

    def _local_var(self, expr: core.LocalVar) -> Op:
        return Op("local", (self.unit.local_name(expr.local),), expr.type, expr.span)

    def _field_read(self, expr: core.FieldRead) -> Op:
        address = self.field_address(expr.field, expr.owner, expr.indexes)
        return Op("field", (address, none_of(expr.field.type)), expr.type, expr.span)

    def die_number(self, field: core.FieldDecl, owner: core.Expr | None, index: core.Expr | None) -> Op:
        spot = self.unit.layout.fields[field]
        pairs = (
            self._pairs(field, owner, (index,) if index is not None else ())
            if index is not None
            else (
                [(owner, field.owner_dimension.low)] if owner is not None and field.owner_dimension is not None else []
            )
        )
        address = self.address(spot, pairs, -self.unit.layout.dice)
        return Op("address", address.args, expr_type_of_die(field))

    def _die_ref(self, expr: core.DieRef) -> Op:
        return self.die_number(expr.field, expr.owner, expr.index)

    def _dice_group(self, expr: core.DiceGroup) -> Op:
        first = self.die_number(expr.field, expr.owner, None)
        size = expr.field.dimensions[0].size
        last = Op("add", (first, Op("const", (size - 1,), INDEX)), INDEX)
        return Op("range", (first, last), expr.type, expr.span)

    def _face(self, expr: core.Face) -> Op:
        return Op("face", (self.lower(expr.die),), expr.type, expr.span)

    def _attribute_of(self, expr: core.AttributeOf) -> Op:
        name = self.unit.table(expr.table)
        low = self.unit.table_low(expr.table)
        of = self._shifted(self.lower(expr.of), low)
        return Op("lookup", (name, of, *self._table_indexes(expr.table, expr.indexes)), expr.type, expr.span)

    def _table_indexes(self, table: core.AttributeTable, indexes: tuple[core.Expr, ...]) -> list[Op]:
        pairs = zip(indexes, table.dimensions, strict=True)
        return [self._shifted(self.lower(index), dimension.low) for index, dimension in pairs]

    def _shifted(self, op: Op, low: int) -> Op:
        """Index - low; none (-1) must stay -1, so shifted tables keep their none at the end."""
        if low == 0:
            return op
        if op.op == "const":
            return Op(
                "const", (op.args[0] - low if op.args[0] != NONE or not isinstance(op.type, Maybe) else NONE,), op.type
            )
        if isinstance(op.type, Maybe):
            shifted = Op("subtract", (op, Op("const", (low,), INDEX)), op.type)
            return Op(
                "if", (Op("is_none", (op, none_of(op.type)), FLAG), Op("const", (NONE,), op.type), shifted), op.type
            )
        return Op("subtract", (op, Op("const", (low,), INDEX)), op.type)

    def _in_range(self, expr: core.InRange) -> Op:
        return Op("fitting", (self.lower(expr.of), expr.low, expr.high, expr.what), expr.type, expr.span)

    def _chart_cell(self, expr: core.ChartCell) -> Op:
        name = self.unit.table(expr.chart.columns[expr.column])
        strides: list[int] = []
        total = 1
        for dimension in reversed(expr.chart.dimensions):
            strides.append(total)
            total *= dimension.size
        spot = Spot(0, tuple(reversed(strides)), total)
        pairs = [(arg, dimension.low) for arg, dimension in zip(expr.args, expr.chart.dimensions, strict=True)]
        row = self.address(spot, pairs)
        return Op("lookup", (name, Op("address", row.args, row.type)), expr.type, expr.span)

    def _place_ref(self, expr: core.PlaceRef) -> Op:
        return self.contents(expr)

    def _slot_piece(self, expr: core.SlotPiece) -> Op:
        return Op("slot", (self.slot_address(expr.place),), expr.type, expr.span)

    def _end_of(self, expr: core.EndOf) -> Op:
        which = "first" if expr.end in ("top", "first") else "last"
        return Op("end", (self.set_of(expr.of), which), expr.type, expr.span)

    # ------------------------------------------------------------------ arithmetic and tests

    def _arithmetic(self, expr: core.Arithmetic) -> Op:
        left, right = self.lower(expr.left), self.lower(expr.right)
        if left.op == "const" and right.op == "const":
            return Op("const", (_calculate(expr.op, left.args[0], right.args[0]),), expr.type, expr.span)
        return Op(_ARITHMETIC[expr.op], (left, right), expr.type, expr.span)

    def _negative(self, expr: core.Negative) -> Op:
        of = self.lower(expr.of)
        if of.op == "const":
            return Op("const", (-of.args[0],), expr.type, expr.span)
        return Op("negative", (of,), expr.type, expr.span)

    def _compare(self, expr: core.Compare) -> Op:
        left, right = self.lower(expr.left), self.lower(expr.right)
        nones = [none_of(side.type) if isinstance(side.type, Maybe) else None for side in (expr.left, expr.right)]
        return Op("compare", (expr.op, left, right, *nones), FLAG, expr.span)

    def _logic(self, expr: core.Logic) -> Op:
        left, right = self.lower(expr.left), self.lower(expr.right)
        decided = expr.op == "or"
        if left.op == "const":
            return left if bool(left.args[0]) == decided else right
        if right.op == "const" and bool(right.args[0]) != decided:
            return left
        return Op(expr.op, (left, right), FLAG, expr.span)

    def _not(self, expr: core.Not) -> Op:
        of = self.lower(expr.of)
        if of.op == "const":
            return Op("const", (int(not of.args[0]),), FLAG, expr.span)
        return Op("not", (of,), FLAG, expr.span)

    def _if_else(self, expr: core.IfElse) -> Op:
        condition = self.lower(expr.condition)
        if condition.op == "const":
            return self.lower(expr.then if condition.args[0] else expr.otherwise)
        return Op("if", (condition, self.lower(expr.then), self.lower(expr.otherwise)), expr.type, expr.span)

    def _otherwise(self, expr: core.Otherwise) -> Op:
        value = self.lower(expr.value)
        if not isinstance(expr.value.type, Maybe):
            return value
        return Op("otherwise", (value, self.lower(expr.fallback), none_of(expr.value.type)), expr.type, expr.span)

    def _member(self, expr: core.Member) -> Op:
        item = self.lower(expr.item)
        optional = isinstance(expr.item.type, Maybe)
        source = expr.source
        if isinstance(source, core.Box):
            return Op("in_box", (item, optional), FLAG, expr.span)
        if isinstance(source, core.PlaceRef):
            number = self.place_address(source)
            if source.place.shape == "slots" and source.slot is None:
                assert source.place.slot_dimension is not None
                return Op("inside_group", (number, source.place.slot_dimension.size, item, optional), FLAG, expr.span)
            return Op("inside", (number, item, optional), FLAG, expr.span)
        if isinstance(source, core.NumberRange):
            low = core.Compare(FLAG, expr.span, "<=", source.low, expr.item)
            high = core.Compare(FLAG, expr.span, "<=", expr.item, source.high)
            if is_simple(expr.item):
                return self.lower(core.Logic(FLAG, expr.span, "and", low, high))
        return Op("contains", (self.set_of(source), item, optional), FLAG, expr.span)

    def _is_kind(self, expr: core.IsKind) -> Op:
        of = self.lower(expr.of)
        known = self.unit.ranges_of(expr.of.type)
        if known is not None and not isinstance(expr.of.type, Maybe):
            inside = [any(low <= a and a + n <= low + size for low, size in expr.ranges) for a, n in known]
            apart = [all(a + n <= low or low + size <= a for low, size in expr.ranges) for a, n in known]
            if all(inside):
                return Op("const", (1,), FLAG)
            if all(apart):
                return Op("const", (0,), FLAG)
        return Op("in_ranges", (of, expr.ranges), FLAG, expr.span)

    def _is_none(self, expr: core.IsNone) -> Op:
        if not isinstance(expr.of.type, Maybe):
            return Op("const", (0,), FLAG)
        return Op("is_none", (self.lower(expr.of), none_of(expr.of.type)), FLAG, expr.span)

    def _is_empty(self, expr: core.IsEmpty) -> Op:
        of = expr.of
        if isinstance(of, core.PlaceRef) and (
            of.place.shape == "slot" or (of.place.shape == "slots" and of.slot is not None)
        ):
            return Op("is_none", (Op("slot", (self.slot_address(of),), Maybe(core_piece(of))), NONE), FLAG, expr.span)
        return Op("is_empty", (self.set_of(of),), FLAG, expr.span)

    def _is_full(self, expr: core.IsFull) -> Op:
        of = expr.of
        if of.place.shape == "slots" and of.slot is None:
            assert of.place.slot_dimension is not None
            capacity = of.place.slot_dimension.size
        else:
            capacity = 1 if of.place.shape in ("slot", "slots") else of.place.capacity
        return Op("is_full", (self.contents(of), capacity), FLAG, expr.span)

    def _rule_running(self, expr: core.RuleRunning) -> Op:
        return Op("rule_running", (expr.rule.name,), FLAG, expr.span)

    def _cell_running(self, expr: core.CellRunning) -> Op:
        return Op("cell_running", (self.lower(expr.cell),), FLAG, expr.span)

    def _is_automa(self, expr: core.IsAutoma) -> Op:
        seats = tuple(automa.seat for automa in self.unit.program.automas)
        return Op("contains", (Op("sequence", seats, SetOf(Player())), self.lower(expr.player), False), FLAG, expr.span)

    def _known_to(self, expr: core.KnownTo) -> Op:
        return Op("is_known", (self.lower(expr.piece), self.lower(expr.player)), FLAG, expr.span)


def core_piece(ref: core.PlaceRef) -> VType:
    from ..check.value_types import Piece

    return Piece(ref.place.kinds)


def expr_type_of_die(field: core.FieldDecl) -> VType:
    from ..check.value_types import Die

    faces = bare(field.type)
    if isinstance(faces, Number):
        return Die(faces.low, faces.high)
    return faces


def _calculate(op: str, left: int, right: int) -> int:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "div":
            return left // right
    return left % right


def _snake(name: str) -> str:
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")
