"""Checked expressions become operations on the state's layout.

What is decided here: where a field or place lives, how none is tested, which values are small enough to be written
out in place of their call. What a backend gets needs no further knowledge of the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..check import program as core
from ..check.value_types import NONE, Flag, Maybe, Number, Player, SetOf, VType, bare, none_of
from ..diagnostics.source import NOWHERE, Span
from .ir import Op
from .layout import Spot
from .substitute import is_simple, substitute, walk

if TYPE_CHECKING:
    from .unit import Unit

SMALL = 60  # nodes of a value that is written out in place of its call
FLAG = Flag()
INDEX = Number(0, 1 << 20)

_ARITHMETIC = {"+": "add", "-": "subtract", "*": "multiply", "div": "divide", "mod": "modulo"}


class ExpressionLowering:
    """Lowers expressions of one routine. `previous` is the routine that `previous` means in an instead hook."""

    def __init__(self, unit: Unit, previous: str | None = None, own_args: tuple[Op, ...] = ()) -> None:
        self.unit = unit
        self.previous = previous
        self.own_args = own_args
        self._inlining = 0

    # ------------------------------------------------------------------ entry

    def lower(self, expr: core.Expr) -> Op:
        method = getattr(self, "_" + _snake(type(expr).__name__))
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
        optional = False
        for (expr, low), stride in zip(indexes, spot.strides, strict=False):
            lowered = self.lower(expr)
            if isinstance(expr.type, Maybe):
                optional = True
                terms.append((lowered, stride, low))
            elif lowered.op == "const":
                base += (lowered.args[0] - low) * stride
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

    # ------------------------------------------------------------------ sets

    def source(self, binder: core.Binder) -> tuple[str, Op, Op | None]:
        """Local, source and filter; a `by` turns the source into a sorted set."""
        local = self.unit.local_name(binder.local)
        source, condition = self._indexed(binder)
        where = self.maybe(condition)
        if where is not None and where.op == "const" and where.args[0]:
            where = None
        where = self.unit.printed_test(where, local, binder.local.type)
        source, where = self.unit.filtered(source, where, local)
        if binder.key is not None:
            key = self.lower(binder.key)
            ordered = Op("all", (local, source, where, binder.direction, key), SetOf(binder.local.type), binder.span)
            return local, ordered, None
        return local, source, where

    def _indexed(self, binder: core.Binder) -> tuple[Op, core.Expr | None]:
        """The source, and what is left of the filter. Where a constant set is filtered by printed attributes, the
        elements that fit are looked up instead of searched for."""
        source = binder.source
        if not isinstance(source, core.AllOf) or len(source.domain) < 4:
            return self.set_of(source), binder.where
        keys: list[tuple[core.AttributeTable, core.Expr]] = []
        left: core.Expr | None = None
        for test in conjuncts(binder.where):
            key = _attribute_test(test, binder.local)
            if key is not None:
                keys.append(key)
            else:
                left = test if left is None else core.Logic(FLAG, test.span, "and", left, test)
        if not keys:
            return self.set_of(source), binder.where
        name = self.unit.index(source.domain, tuple(table for table, _ in keys))
        return Op("indexed", (name, *(self.lower(value) for _, value in keys)), source.type, source.span), left

    def _quantified(self, expr: core.Quantified) -> Op:
        local, source, where = self.source(expr.binder)
        return Op(expr.which, (local, source, where, self.lower(expr.has)), FLAG, expr.span)

    def _selected(self, expr: core.Selected) -> Op:
        local, source, where = self.source(expr.binder)
        if expr.best is not None and expr.measure is not None:
            found = Op(
                "best",
                (local, source, where, expr.best, self.lower(expr.measure)),
                SetOf(expr.binder.local.type),
                expr.span,
            )
        elif expr.which == "first":
            return Op("first", (local, source, where), expr.type, expr.span)
        else:
            found = Op("all", (local, source, where, None, None), SetOf(expr.binder.local.type), expr.span)
        if expr.which == "all":
            return found
        return Op(
            "the" if expr.which == "the" else "end",
            (found,) if expr.which == "the" else (found, "first"),
            expr.type,
            expr.span,
        )

    def _count_of(self, expr: core.CountOf) -> Op:
        return Op("count", (self.set_of(expr.of),), expr.type, expr.span)

    def _count_where(self, expr: core.CountWhere) -> Op:
        local, source, where = self.source(expr.binder)
        if where is None:
            return Op("count", (source,), expr.type, expr.span)
        return Op("count_where", (local, source, where), expr.type, expr.span)

    def _sum_of(self, expr: core.SumOf) -> Op:
        local, source, where = self.source(expr.binder)
        return Op("sum", (local, source, where, self.lower(expr.value)), expr.type, expr.span)

    def _extreme_of(self, expr: core.ExtremeOf) -> Op:
        local, source, where = self.source(expr.binder)
        otherwise = self.maybe(expr.otherwise)
        return Op(
            "extreme_of", (expr.which, local, source, where, self.lower(expr.value), otherwise), expr.type, expr.span
        )

    def _extreme(self, expr: core.Extreme) -> Op:
        return Op("extreme", (expr.which, self.lower_all(expr.items)), expr.type, expr.span)

    def _number_range(self, expr: core.NumberRange) -> Op:
        return Op("range", (self.lower(expr.low), self.lower(expr.high)), expr.type, expr.span)

    def _set_list(self, expr: core.SetList) -> Op:
        items: list[Any] = []
        for item in expr.items:
            if isinstance(item, core.PlaceRef | core.Box | core.DiceGroup) or isinstance(bare(item.type), SetOf):
                items.append((self.set_of(item), True, None))
            else:
                none = none_of(item.type) if isinstance(item.type, Maybe) else None
                items.append((self.lower(item), False, none))
        return Op("concatenate" if expr.repeats else "join", tuple(items), expr.type, expr.span)

    def _without(self, expr: core.Without) -> Op:
        is_set = isinstance(bare(expr.left_out.type), SetOf) or isinstance(expr.left_out, core.PlaceRef)
        left_out = self.set_of(expr.left_out) if is_set else self.lower(expr.left_out)
        return Op("without", (self.set_of(expr.source), left_out, is_set), expr.type, expr.span)

    def _starting_with(self, expr: core.StartingWith) -> Op:
        return Op("from", (self.set_of(expr.source), self.lower(expr.first)), expr.type, expr.span)

    def _following(self, expr: core.Following) -> Op:
        return Op("after", (self.set_of(expr.source), self.lower(expr.first)), expr.type, expr.span)

    def _all_of(self, expr: core.AllOf) -> Op:
        return Op("sequence", expr.domain, expr.type, expr.span)

    def _players(self, expr: core.Players) -> Op:
        if expr.which == "everybody":
            return Op("sequence", tuple(range(self.unit.program.players)), expr.type, expr.span)
        if expr.which == "nobody":
            return Op("sequence", (), expr.type, expr.span)
        seats = self.unit.players()
        if expr.which == "rivals":
            assert expr.of is not None
            return Op("without", (seats, self.lower(expr.of), False), expr.type, expr.span)
        return seats

    # ------------------------------------------------------------------ calls

    def _value_call(self, expr: core.ValueCall) -> Op:
        rule = expr.rule
        if (
            rule.expression is not None
            and not rule.instead
            and all(is_simple(arg) for arg in expr.args)
            and self._inlining < 6
        ):
            fits = rule.result is None or _within(rule.expression.type, rule.result)
            if fits and self.unit.size_of(rule) <= SMALL:
                self._inlining += 1
                body = substitute(rule.expression, dict(zip(rule.params, expr.args, strict=True)))
                lowered = self.lower(body)
                self._inlining -= 1
                return Op(lowered.op, lowered.args, expr.type, expr.span)
        self.unit.need_value(rule)
        return Op("value", (self.unit.value_name(rule), *self.lower_all(expr.args)), expr.type, expr.span)

    def _formula_call(self, expr: core.FormulaCall) -> Op:
        return Op("formula", (self.lower(expr.cell), self.lower(expr.player)), expr.type, expr.span)

    def _previous(self, expr: core.Previous) -> Op:
        assert self.previous is not None
        args = self.own_args if expr.args is None else self.lower_all(expr.args)
        return Op("value", (self.previous, *args), expr.type, expr.span)

    def _can_call(self, expr: core.CanCall) -> Op:
        return self.can_call(expr.rule, self.lower_all(expr.args), expr.span)

    def can_call(self, rule: core.RuleDecl, args: tuple[Op, ...], span: Span) -> Op:
        """Whether a call can be carried through: by what foresees it, as far as that goes, else by trial."""
        from .foresight import foresee_entry

        foreseen = foresee_entry(self.unit, rule)
        if foreseen is not None and not foreseen.name:
            return Op("const", (1,), FLAG, span)
        if foreseen is not None and foreseen.exact:
            return Op("value", (foreseen.name, *args), FLAG, span)
        known = foreseen.name if foreseen is not None else None
        return Op("can_call", (self.unit.routine_name(rule), args, self.chooser(rule, args), known), FLAG, span)

    def chooser(self, rule: core.RuleDecl, args: tuple[Op, ...]) -> Op | None:
        """Whose decisions a trial of this call goes through: the first player among its arguments."""
        for param, arg in zip(rule.params, args, strict=True):
            if isinstance(param.type, Player):
                return arg
        return None

    def _can_perform(self, expr: core.CanPerform) -> Op:
        return Op("can_perform", (self.lower(expr.cell), self.lower(expr.player)), FLAG, expr.span)

    def _can_pay(self, expr: core.CanPay) -> Op:
        return self.unit.payments.can_pay(self, expr.player, expr.costs)

    def _builtin(self, expr: core.Builtin) -> Op:
        args = expr.args
        match expr.name:
            case "next":
                return self._next(self.lower(args[0]), expr)
            case "rival":
                return Op("subtract", (Op("const", (1,), Player()), self.lower(args[0])), expr.type, expr.span)
            case "seat":
                return Op("subtract", (self.lower(args[0]), Op("const", (1,), INDEX)), expr.type, expr.span)
            case "abs":
                return Op("absolute", (self.lower(args[0]),), expr.type, expr.span)
            case "sign":
                return Op("sign", (self.lower(args[0]),), expr.type, expr.span)
            case "at" | "holder" | "under":
                return Op("where_is", (expr.name, self.lower(args[0])), expr.type, expr.span)
            case "position":
                return Op("position", (self.set_of(args[1]), self.lower(args[0])), expr.type, expr.span)
            case "public" | "score":
                return Op(expr.name, (self.lower(args[0]),), expr.type, expr.span)
        raise AssertionError(expr.name)

    def _next(self, player: Op, expr: core.Builtin) -> Op:
        if self.unit.seats_may_drop:
            return Op("next", (player,), expr.type, expr.span)
        count = self.unit.program.players
        if count == 2:
            return Op("subtract", (Op("const", (1,), Player()), player), expr.type, expr.span)
        one_more = Op("add", (player, Op("const", (1,), INDEX)), INDEX)
        return Op("modulo", (one_more, Op("const", (count,), INDEX)), expr.type, expr.span)

    # ------------------------------------------------------------------ maps

    def _map_query(self, expr: core.MapQuery) -> Op:
        args = self.lower_all(expr.args)
        match expr.name:
            case "neighbours" | "edges" | "ends" | "is_border" | "toward":
                return Op("map_table", (self.unit.map_table(expr.map, expr.name), *args), expr.type, expr.span)
        return Op(expr.name, (self.unit.map_name(expr.map), *args), expr.type, expr.span)

    def _stretch(self, binder: core.Binder | None) -> tuple[str | None, Op | None, Op | None]:
        return (None, None, None) if binder is None else self.source(binder)

    def _reach(self, expr: core.Reach) -> Op:
        along = self._stretch(expr.along)
        through = self._stretch(expr.through)
        name = self.unit.map_name(expr.map)
        every = along[1] is not None and set(expr.map.edges) <= set(along[1].args)
        args = (name, self.lower(expr.start), *along, *through, expr.stopping_at, every)
        return Op("reach", args, expr.type, expr.span)

    def _cheapest(self, expr: core.Cheapest) -> Op:
        args = (self.unit.map_name(expr.map), self.lower(expr.start), self.lower(expr.goal), *self._stretch(expr.along))
        return Op("cheapest", (*args, self.lower(expr.cost), expr.stopping_at, expr.is_path), expr.type, expr.span)

    def _groups_of(self, expr: core.GroupsOf) -> Op:
        local, source, where = self.source(expr.binder)
        return Op("groups", (self.unit.map_name(expr.map), expr.largest, local, source, where), expr.type, expr.span)

    def _longest_line(self, expr: core.LongestLine) -> Op:
        args = (
            self.unit.map_name(expr.map),
            self.unit.local_name(expr.local),
            self.lower(expr.through),
            self.lower(expr.where),
        )
        return Op("longest_line", args, expr.type, expr.span)


def conjuncts(expr: core.Expr | None) -> list[core.Expr]:
    """The parts of a condition that must all hold."""
    if expr is None:
        return []
    if isinstance(expr, core.Logic) and expr.op == "and":
        return conjuncts(expr.left) + conjuncts(expr.right)
    return [expr]


def _attribute_test(test: core.Expr, local: core.LocalDecl) -> tuple[core.AttributeTable, core.Expr] | None:
    """`x.attribute == E`, where E does not speak of x: the attribute and E."""
    if not isinstance(test, core.Compare) or test.op != "==":
        return None
    for side, other in ((test.left, test.right), (test.right, test.left)):
        if not isinstance(side, core.AttributeOf) or side.indexes or isinstance(bare(side.type), SetOf):
            continue
        if isinstance(side.of, core.LocalVar) and side.of.local is local:
            speaks = any(isinstance(node, core.LocalVar) and node.local is local for node in walk(other))
            if not speaks:
                return side.table, other
    return None


def core_piece(ref: core.PlaceRef) -> VType:
    from ..check.value_types import Piece

    return Piece(ref.place.kinds)


def expr_type_of_die(field: core.FieldDecl) -> VType:
    from ..check.value_types import Die

    faces = bare(field.type)
    if isinstance(faces, Number):
        return Die(faces.low, faces.high)
    return faces


def size_of(expr: core.Expr) -> int:
    return sum(1 for _ in walk(expr))


def _within(inner: VType, outer: VType) -> bool:
    a, b = bare(inner), bare(outer)
    if isinstance(a, Number) and isinstance(b, Number):
        return b.low <= a.low and a.high <= b.high
    return True


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
