"""Everything that lowering one game shares: names of routines, tables, texts and sites, and what has been asked for.

A `Unit` is filled while rules are lowered and read by the backend afterwards. Values are lowered when first called,
so what nobody uses is never emitted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import Any, Protocol

from ..check import program as core
from ..check import value_types as t
from ..check.forms import Alters, alters, kinds_in
from ..check.walk import statements, walk
from . import ir
from .analysis import Analysis
from .choices.answers import Foreseen
from .chosen import chosen_writes
from .fold import is_printed, worked_out
from .footprint import Footprints
from .ir import Op, Payment, Role, Routine, Segment, Site, conjuncts_of
from .layout import Layout
from .meta import Reason, Refusal
from .settled import Settled


class PaymentLowering(Protocol):
    """How payments are lowered. `lower_payments` does it, which stands above the unit: expressions and statements reach
    it through `Unit.payments`, which the pipeline sets."""

    made: list[Payment]

    def can_pay(self, x: Any, player: core.Expr, costs: tuple[core.CostDecl, ...]) -> Op:
        """The condition that somebody can pay; `x` lowers its expressions."""

    def lower(self, low: Any, stmt: core.Pay) -> None:
        """Adds what a `pay` statement does to a routine in the making."""


@dataclass(eq=False)
class ToldUnit:
    """A value told to all: the locals it needs, what they are, and how it is worked out."""

    number: int
    params: tuple[str, ...]
    things: tuple[str, ...]
    value: Op


@dataclass(eq=False)
class ReasonUnit:
    """What a binder goes over, or a condition of a decision, as the author wrote it; and how it is worked out.

    The options of a decision are worked out by quicker code, which has the conditions of everything that follows mixed
    in. These are asked one by one when somebody wants to know why something is not offered.
    """

    reason: Reason
    value: Op


@dataclass(eq=False)
class TextUnit:
    """A text: its parts (a hole is the thing its value is), the locals it needs, the operations of its holes."""

    number: int
    raw: str
    parts: tuple[str | tuple[str], ...]
    params: tuple[str, ...]
    holes: tuple[Op, ...]
    template: core.Template
    units: int | None = None  # of a costly text: the work in it besides loops that count themselves (`work.py`)


@dataclass(eq=False)
class Unit:
    program: core.Program
    layout: Layout
    analysis: Analysis
    counting: Analysis  # the same, or one that knows more: see `Analysis.by_counting`
    drawn_by: Analysis  # the same, or one that knows less: see `Analysis.drawn_by`
    settled: Settled
    routines: dict[str, Routine] = field(default_factory=dict)
    sites: list[Site] = field(default_factory=list)
    texts: list[TextUnit] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    told: list[ToldUnit] = field(default_factory=list)
    reasons: list[ReasonUnit] = field(default_factory=list)
    reasons_later: list[Callable[[], None]] = field(default_factory=list)  # make them when all else is lowered
    tables: dict[str, core.AttributeTable] = field(default_factory=dict)
    map_tables: dict[str, tuple[core.MapDecl, str]] = field(default_factory=dict)
    printed: dict[str, tuple[bool, ...]] = field(default_factory=dict)
    indexes: dict[str, dict[object, tuple[int, ...]]] = field(default_factory=dict)
    uncounted: dict[int, int] = field(default_factory=dict)  # by segment: units of work that it does not count itself
    unscored: set[int] = field(default_factory=set)  # texts: reasons of an end at which nobody counts points
    values_needed: list[core.RuleDecl] = field(default_factory=list)
    # Of values with clauses on their `result` lines: the value that gives the number of the line, and the clauses.
    numbered_values: dict[core.RuleDecl, tuple[core.RuleDecl, tuple[tuple[str, ...], ...]] | None] = field(
        default_factory=dict
    )
    foreseen_entries: dict[core.RuleDecl, str] = field(default_factory=dict)
    foreseen: dict[core.RuleDecl, Foreseen | None] = field(default_factory=dict)  # what foresees a rule
    foresee: Callable[[core.RuleDecl], Foreseen | None] = None  # type: ignore[assignment]  # asks that, and makes it
    footprints: Footprints = None  # type: ignore[assignment]
    payments: PaymentLowering = None  # type: ignore[assignment]
    _segments: count[int] = field(default_factory=lambda: count(1))
    _temporaries: count[int] = field(default_factory=lambda: count(1))
    _table_names: dict[core.AttributeTable, str] = field(default_factory=dict)
    _indexes: dict[tuple[tuple[int, ...], tuple[core.AttributeTable, ...]], str] = field(default_factory=dict)
    _hook_names: dict[core.RuleDecl, str] = field(default_factory=dict)
    _sizes: dict[core.RuleDecl, int] = field(default_factory=dict)

    # ------------------------------------------------------------------ names

    def local_name(self, local: core.LocalDecl) -> str:
        return local_name(local)

    def temporary(self, stem: str = "t") -> str:
        return f"{stem}__t{next(self._temporaries)}"

    def value_name(self, rule: core.RuleDecl) -> str:
        return f"value_{rule.name}"

    def routine_name(self, rule: core.RuleDecl) -> str:
        """The routine that runs a rule with everything woven into it."""
        return f"rule_{rule.name}"

    def hook_name(self, hook: core.RuleDecl) -> str:
        """Hooks are anonymous: builds an identifier from the text of the hook, and a number where two are alike."""
        if hook not in self._hook_names:
            words = re.sub("[^a-z0-9]+", "_", hook.name.lower()).strip("_")
            self._hook_names[hook] = f"hook_{len(self._hook_names) + 1}_{words}"
        return self._hook_names[hook]

    def new_segment(self, note: str = "", role: Role = "") -> Segment:
        return Segment(next(self._segments), note=note, role=role)

    # ------------------------------------------------------------------ tables

    def table(self, table: core.AttributeTable) -> str:
        name = self._table_names.get(table)
        if name is None:
            stem = f"{table.name or table.owner}_of_{table.of}".replace(":", "_")
            name = stem if stem not in self.tables else f"{stem}_{len(self.tables)}"
            self._table_names[table] = name
            self.tables[name] = table
        return name

    def index(self, domain: tuple[int, ...], tables: tuple[core.AttributeTable, ...]) -> str:
        """The name of a table from values of printed attributes to the elements that have them."""
        key = (domain, tables)
        if key not in self._indexes:
            name = "by_" + "_".join(table.name for table in tables) + f"_{len(self._indexes)}"
            self._indexes[key] = name
            found: dict[object, tuple[int, ...]] = {}
            for element in domain:
                values = tuple(table.values[element] for table in tables)
                # None equals nothing, so an element without the attribute is found under no value.
                if not any(value == t.none_of(table.type) for value, table in zip(values, tables, strict=True)):
                    wanted = values[0] if len(values) == 1 else values
                    found[wanted] = (*found.get(wanted, ()), element)
            self.indexes[name] = found
        return self._indexes[key]

    def printed_test(self, where: Op | None, local: str, of: t.VType) -> Op | None:
        """If the first part of a filter depends only on printed attributes, evaluates it for every piece now and keeps
        the results as a table."""
        if where is None or not isinstance(t.bare(of), t.Piece):
            return where
        if isinstance(where, ir.And) and not is_printed(where, local):
            left = self.printed_test(where.left, local, of)
            return where if left is None or left is where.left else replace(where, left=left)
        # A test that is shorter than this is sooner worked out than looked up.
        if not is_printed(where, local) or isinstance(where, ir.Lookup) or weight(where) < 4:
            return where
        values = tuple(bool(value) for value in self.worked_out(where, local, tuple(range(len(self.program.pieces)))))
        name = next((name for name, known in self.printed.items() if known == values), None)
        if name is None:
            name = f"fits_{len(self.printed) + 1}"
            self.printed[name] = values
        return ir.Lookup(name, ir.Local(local, type=of), type=where.type, span=where.span)

    def filtered(self, source: Op, where: Op | None, local: str) -> tuple[Op, Op | None]:
        """A constant set reduced by the tests of printed attributes, and what is left of the filter."""
        if not isinstance(source, ir.Sequence) or where is None:
            return source, where
        kept, left = source.values, None
        for test in conjuncts_of(where):
            try:
                if is_printed(test, local):
                    kept = tuple(e for e, fits in zip(kept, self.worked_out(test, local, kept), strict=True) if fits)
                    continue
            except IndexError:  # in play a test before this one keeps it from being asked of such an element
                pass
            left = test if left is None else ir.And(left, test, type=where.type, span=where.span)
        return ir.Sequence(kept, type=source.type, span=source.span), left

    def worked_out(self, op: Op, local: str, elements: tuple[int, ...]) -> list[Any]:
        """The value of an operation on printed attributes, for each element."""
        attributes = {name: table.values for name, table in self.tables.items()}
        return worked_out(op, local, elements, {**attributes, **self.printed})

    def map_name(self, map_decl: core.MapDecl) -> str:
        return f"map_{map_decl.name}"

    def map_table(self, map_decl: core.MapDecl, what: str) -> str:
        name = f"{what}_in_{map_decl.name}"
        self.map_tables[name] = (map_decl, what)
        return name

    # ------------------------------------------------------------------ facts

    def players(self) -> Op:
        kind = t.SetOf(t.Player())
        if self.seats_may_drop:
            return ir.SeatsIn(type=kind)
        return ir.Sequence(tuple(range(self.program.players)), type=kind)

    @cached_property
    def seats_may_drop(self) -> bool:
        return any(alters(stmt) is Alters.seats for rule in self.program.all_rules() for stmt in statements(rule.body))

    def kind_ranges(self, kinds: tuple[str, ...]) -> list[tuple[int, int]]:
        known = [self.program.kinds[kind] for kind in kinds if kind in self.program.kinds]
        return [(kind.first, kind.count) for kind in known] or [(0, len(self.program.pieces))]

    def ranges_of(self, value_type: t.VType) -> list[tuple[int, int]] | None:
        """The number ranges of a piece, node or edge type."""
        of = t.bare(value_type)
        if isinstance(of, t.Piece):
            return self.kind_ranges(of.kinds)
        if isinstance(of, t.MapNode):
            return [(self.program.node_kinds[k].first, self.program.node_kinds[k].count) for k in of.kinds]
        if isinstance(of, t.EnumOf):
            domain = self.program.enums[of.name].domain
            return [(value, 1) for value in domain]
        return None

    def size_of(self, rule: core.RuleDecl) -> int:
        if rule not in self._sizes:
            assert rule.expression is not None
            self._sizes[rule] = sum(1 for _ in walk(rule.expression))
        return self._sizes[rule]

    def need_value(self, rule: core.RuleDecl) -> None:
        if rule not in self.values_needed:
            self.values_needed.append(rule)

    def has_copies(self, kinds: tuple[str, ...]) -> bool:
        return any(len(row.pieces) > 1 for row in self.program.rows if row.kind in kinds)

    def has_piece_state(self, kinds: tuple[str, ...]) -> bool:
        """True if pieces of these kinds have fields or places of their own, or may lie face down."""
        ranges = self.kind_ranges(kinds)
        decls: list[core.FieldDecl | core.PlaceDecl] = [*self.program.fields, *self.program.places]
        for decl in decls:
            dimension = decl.owner_dimension
            if decl.owner != "piece" or dimension is None:
                continue
            if any(dimension.low < low + size and low < dimension.low + dimension.size for low, size in ranges):
                return True
        return self.uses_faces

    @cached_property
    def faced_kinds(self) -> frozenset[str]:
        """The kinds whose pieces some rule lays face down: those of a place that they are put into so, and those that
        are turned over."""
        program = self.program
        found: set[str] = set()
        for rule in program.all_rules():
            for stmt in statements(rule.body):
                to = getattr(stmt, "to", None)
                if isinstance(stmt, core.Flip):
                    found.update(kinds_in(stmt.piece.type) or program.kinds)
                elif isinstance(to, core.Destination) and to.face == "down":
                    found.update(to.place.place.kinds if isinstance(to.place, core.PlaceRef) else program.kinds)
        return frozenset(found)

    @property
    def uses_faces(self) -> bool:
        return bool(self.faced_kinds)

    # ------------------------------------------------------------------ knowledge

    @property
    def has_secrets(self) -> bool:
        hidden = any(place.visibility != "open" for place in self.program.places)
        return hidden or self.uses_faces or any(f.visibility != "open" for f in self.program.fields)

    @cached_property
    def chosen_writes(self) -> set[core.Stmt]:
        return chosen_writes(self.program)

    def must_track(self, kinds: tuple[str, ...], to: core.PlaceDecl | None) -> bool:
        """True if moving such pieces there may change what somebody knows."""
        if to is not None and to.visibility != "open":
            return True
        return self.uses_faces or not self.footprints.unseen_kinds.isdisjoint(kinds)


_IN_FULL = ir.Lookup | ir.Indexed | ir.CallValue | ir.MapTable | ir.MapQuery | ir.Tuple


def weight(op: Op) -> int:
    """A rough number of operations. Groups of operands (terms, items) are not counted, except as arguments of a table
    or a call."""
    if isinstance(op, _IN_FULL):
        return 1 + sum(weight(inner) for inner in ir.operands(op))
    return 1 + sum(weight(value) for value in ir.values_of(op) if isinstance(value, Op))


def local_name(local: core.LocalDecl) -> str:
    """The name of a local in emitted code and in frames. It contains two underscores in a row, which no name in a rules
    file may have, so it clashes with nothing."""
    return f"{local.name}__{local.number}"


_THINGS: dict[type[t.VType], str] = {
    t.Flag: "flag",
    t.Player: "player",
    t.Piece: "piece",
    t.MapNode: "node",
    t.MapEdge: "edge",
    t.Die: "die",
    t.EffectCell: "cell",
    t.FormulaCell: "formula",
}


def thing_of(value_type: t.VType) -> str:
    """What the numbers of a type are, as meta.FieldMeta says it."""
    match t.bare(value_type):
        case t.EnumOf(name):
            return f"enum:{name}"
        case t.DirectionOf(name):
            return f"direction:{name}"
        case t.ChartRow(name):
            return f"row:{name}"
        case t.SetOf(of):
            return f"set:{thing_of(of)}"
        case of:
            return _THINGS.get(type(of), "number")
