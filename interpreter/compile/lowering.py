"""A routine while it is being lowered, and the statements that keep their shape: fields, counters, requirements, words.

`Lowering` is the base that every part of lowering is written against: loops, moves, hooks, payments and choices take
one and add instructions to it. Only `StatementLowering`, which knows all of them, can lower a whole block; they ask for
that through `block`, and so none of them needs to know the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal

from ..check import program as core
from ..check.value_types import Flag, Maybe, Number, Piece, SetOf, VType, bare, none_of
from . import ir
from .analysis import PHASES
from .ir import INDEX, AnyIns, Block, Ins, Op, Role, Segment
from .lower_expressions import ExpressionLowering
from .meta import Refusal
from .result_clauses import answering_line
from .told import told, turned, wrote
from .unit import TextUnit, Unit, thing_of, weight

ZERO = ir.Const(0, type=INDEX)
ONE = ir.Const(1, type=INDEX)


def less(a: Op, b: Op) -> Op:
    return ir.Compare("<", a, b)


def equal(a: Op, b: Op) -> Op:
    return ir.Compare("==", a, b)


def plus(a: Op, b: Op) -> Op:
    return ir.Arithmetic("+", a, b, type=INDEX)


def minus(a: Op, b: Op) -> Op:
    return ir.Arithmetic("-", a, b, type=INDEX)


class Lowering:
    """Builds the body of one routine: `segments` if it has a frame, otherwise `body`; also its names and simple
    statements."""

    def __init__(
        self, unit: Unit, rule: core.RuleDecl, framed: bool, expressions: ExpressionLowering | None = None
    ) -> None:
        self.unit = unit
        self.rule = rule
        self.framed = framed
        self.x = expressions or ExpressionLowering(unit)
        self.is_phase = rule.form in PHASES
        self.stands_for_phase = self.is_phase or (rule.replaces is not None and rule.replaces.form in PHASES)
        self.segments: list[Segment] = []
        self.body: Block = []
        self.out: Block = self.body
        self.loops: list[Segment | None] = []  # exit of each loop around; None: a plain loop
        self.types: dict[str, VType] = {}
        # Locals that hold pieces as they were taken: what moves later does not change them.
        self.taken: set[str] = set()
        self.counted: list[tuple[ir.Local, int, int]] = []  # counts kept for hooks on places: snapshot, base, size
        self.question: Block = []  # the asking segment being made
        self.approved: dict[int, Op] = {}  # of the question being lowered: by branch, a test of its options
        self.exactly: set[int] = set()  # the branches whose test is never unsure
        self.distinct: dict[str, str] = {}  # sets of which it has one piece of each row: local by source
        self.once_done: set[core.LocalDecl] = set()
        self.following: core.Block = ()  # what comes after the statement that is being lowered, in its block
        self.together = 0  # how many `together` blocks stand around
        if framed:
            self.open(self.segment("begins"))

    # ------------------------------------------------------------------ building

    def segment(self, note: str = "", role: Role = "") -> Segment:
        made = self.unit.new_segment(note, role)
        made.loop = self.innermost_loop()
        self.segments.append(made)
        return made

    def open(self, segment: Segment) -> None:
        self.out = segment.body

    def add(self, made: AnyIns) -> AnyIns:
        """Adds an instruction. One without a place of its own gets that of the rule."""
        if made.span is ir.UNPLACED:
            made.span = self.rule.span
        self.out.append(made)
        return made

    def let(self, name: str, value: Op, value_type: VType | None = None) -> None:
        self.types[name] = value_type or value.type
        self.add(ir.Let(name, value, span=value.span))

    def name(self, local: core.LocalDecl) -> str:
        made = self.unit.local_name(local)
        self.types[made] = local.type
        return made

    def temporary(self, stem: str, value: Op, value_type: VType | None = None) -> ir.Local:
        name = self.unit.temporary(stem)
        self.let(name, value, value_type)
        return ir.Local(name, type=value_type or value.type)

    def kept(self, stem: str, number: Op) -> Op:
        """A number that is used twice; if computing it takes more than a look, it is computed once."""
        return number if weight(number) < 4 else self.temporary(stem, number, INDEX)

    def goto(self, segment: Segment, backward: bool = False) -> None:
        if backward:
            self.pass_ends()
        self.add(ir.Goto(segment.number, backward))

    def pass_ends(self) -> None:
        """Marks the end of a pass of a loop. A trial that began in this pass stops here and counts as success: what a
        later pass may refuse does not concern it."""
        loop = self.innermost_loop()
        if loop:
            self.only(("trial",), ir.PassEnds(loop))

    def only(self, ways: tuple[ir.Way, ...], made: Ins) -> None:
        """Adds an instruction that belongs to these ways of running only."""
        self.add(ir.Only(ways, [made], span=made.span))
        made.span = self.out[-1].span

    def refusal(self, kind: str, stmt: core.Stmt, name: str = "", text: int | None = None, cites: bool = True) -> int:
        """The number of a new reason why this statement cannot be carried through."""
        place = (stmt.span.source.name, *stmt.span.source.place(stmt.span.start)) if stmt.span.source.text else None
        rule = self.rule.replaces or self.rule
        self.unit.refusals.append(Refusal(kind, rule.name, place, stmt.cites if cites else (), name, text))
        return len(self.unit.refusals) - 1

    def innermost_loop(self) -> int:
        """The innermost loop of this phase: a trial that reaches the end of its pass counts as success. 0: no loop."""
        # A loop in an effect does not count: a trial that began there is a trial of the phase that called the effect,
        # and goes on behind the loop.
        exits = [segment.number for segment in self.loops if segment is not None]
        return exits[-1] if exits and self.stands_for_phase else 0

    # ------------------------------------------------------------------ blocks and calls

    def block(self, stmts: core.Block) -> bool:
        """Lowers statements in order; True if what comes after them is never reached. Routines that hold nothing but
        conditions are written with this class itself, and have no statements."""
        raise AssertionError(f"{len(stmts)} statements of {self.rule.name} in a routine of conditions")

    @contextmanager
    def inside(self, block: Block) -> Iterator[None]:
        """What is added goes into this block. Afterwards the one that was open before is open again."""
        outer, self.out = self.out, block
        yield
        self.out = outer

    def plain_pass(self, lower: Callable[[], object]) -> Block:
        """What one pass of a plain loop does, as a block of its own."""
        made: Block = []
        self.loops.append(None)
        with self.inside(made):
            lower()
        self.loops.pop()
        return made

    def when(self, condition: Op, then: Callable[[], object]) -> None:
        """Lowers `if condition: then`. `then` may be cut by a decision; both ways join afterwards."""
        made = self.add(ir.If(condition, span=condition.span))
        after, self.out = self.out, made.then
        start = self.out
        then()
        if self.out is start:  # nothing was cut
            self.out = after
            return
        join = self.segment()
        self.goto(join)
        self.out = after
        self.goto(join)
        self.open(join)

    def call(
        self,
        name: str,
        args: tuple[Op, ...],
        at: core.Stmt | core.RuleDecl,
        framed: bool,
        result: ir.Local | None = None,
        may_refuse: bool = True,
    ) -> None:
        """Calls a routine on behalf of a statement, a rule or a hook (`at`). Its result goes into the local `result`.
        `may_refuse`: something behind the call, in this rule, can be refused."""
        if not framed:
            cites = at.cites if isinstance(at, core.Stmt) else ()
            self.add(ir.Call(result.name if result is not None else None, name, args, span=at.span, cites=cites))
            if result is not None:
                self.types[result.name] = result.type
            return
        resume = self.segment()
        resume.may_refuse = may_refuse
        self.add(ir.CallFrame(name, args, resume.number, span=at.span))
        self.open(resume)
        if result is not None:
            self.let(result.name, ir.Result(type=result.type))

    # ------------------------------------------------------------------ simple statements

    def _let(self, stmt: core.Let) -> None:
        self.let(self.name(stmt.local), self.frozen(stmt.value), stmt.local.type)

    def frozen(self, expr: core.Expr) -> Op:
        """A value that can be kept: sets read from places are copied, because the places change."""
        lowered = self.x.set_of(expr) if isinstance(expr, core.PlaceRef) else self.x.lower(expr)
        if isinstance(lowered, ir.Contents | ir.Range) or isinstance(bare(lowered.type), SetOf):
            return ir.All("e_", lowered, type=lowered.type, span=expr.span)
        return lowered

    def _set_field(self, stmt: core.SetField) -> None:
        address, value = self._assignment(stmt)
        fits = stmt.fits or bounds(stmt.field)[0] is None
        self._store(stmt, address, value, stmt.field, "cap" if stmt.field.capped else "fits" if fits else "check")

    def _assignment(self, stmt: core.SetField) -> tuple[Op, Op]:
        """Where the field is, and what it gets."""
        computed = self.x.field_address(stmt.field, stmt.owner, stmt.indexes)
        value = self.x.lower(stmt.value)
        if stmt.op == "=":
            return computed, value
        address = self._kept_address(computed)
        there = held(stmt.field, address)
        return address, ir.Arithmetic(stmt.op[0], there, value, type=stmt.field.type, span=stmt.span)

    def supposed(self, stmt: core.SetField) -> tuple[Op, Op]:
        """The same for a field that is only looked at as if it were set, within its bounds if it is capped."""
        address, value = self._assignment(stmt)
        if isinstance(address, ir.Address):
            address = self._kept_address(address)  # it is used again when the field may have changed
        low, high = bounds(stmt.field)
        if stmt.field.capped and low is not None and high is not None:
            least = ir.Extreme("min", (value, ir.Const(high, type=INDEX)), type=stmt.field.type)
            value = ir.Extreme("max", (least, ir.Const(low, type=INDEX)), type=stmt.field.type)
        return address, value

    def _kept_address(self, address: ir.Address) -> Op:
        """An address that is used twice is computed once."""
        if not address.terms:
            return address
        return self.temporary("a", address, INDEX)

    def _store(self, stmt: core.Stmt, address: Op, value: Op, field: core.FieldDecl, mode: ir.StoreMode) -> None:
        low, high = bounds(field)
        optional = isinstance(address, ir.Address) and address.optional
        missing = self.refusal("none", stmt, field.name) if optional else None
        store = ir.Store(address, value, low, high, mode, field.name, missing, span=stmt.span, cites=stmt.cites)
        self.add(store)
        noted = wrote(self.unit, address, value, field, stmt)
        if noted is not None:
            self.add(noted)

    def _set_face(self, stmt: core.SetFace) -> None:
        die = self.x.lower(stmt.die)
        value = self.x.lower(stmt.value)
        if stmt.op != "=":
            value = ir.Arithmetic(stmt.op[0], ir.Face(die, type=value.type), value, type=value.type)
        faces = bare(stmt.die.type)
        mode: ir.StoreMode = "fits" if stmt.fits else "check"
        low, high = getattr(faces, "low", 1), getattr(faces, "high", 6)
        self.add(ir.StoreFace(die, value, low, high, mode, "face", span=stmt.span))
        self.out += turned(self.unit, die, value, stmt)

    def _gain(self, stmt: core.Gain) -> None:
        for amount in stmt.amounts:
            self.change_counter(stmt, stmt.player, amount, "+", stmt.up_to)

    def _lose(self, stmt: core.Lose) -> None:
        if not stmt.up_to:
            for amount in stmt.amounts:
                # All are tested before any is taken: `lose 2 wood, 1 coins` takes no wood from somebody without coins.
                self.require_held(stmt, stmt.player, amount)
        for amount in stmt.amounts:
            self.change_counter(stmt, stmt.player, amount, "-", stmt.up_to)

    def require_held(
        self, stmt: core.Stmt, player: core.Expr, amount: core.CounterAmount, number: Op | None = None
    ) -> None:
        if amount.fits:
            return
        there = held(amount.field, self.x.field_address(amount.field, player, amount.indexes))
        number = number or self.x.lower(amount.amount)
        enough = suffices(amount.field, there, number)
        refusal = self.refusal("counter", stmt, amount.field.name)
        self.add(ir.Require(enough, refusal, None, (number, there), span=stmt.span, cites=stmt.cites))

    def change_counter(
        self,
        stmt: core.Stmt,
        player: core.Expr,
        amount: core.CounterAmount,
        sign: Literal["+", "-"],
        up_to: bool,
        number: Op | None = None,
    ) -> None:
        field = amount.field
        address = self._kept_address(self.x.field_address(field, player, amount.indexes))
        number = number or self.x.lower(amount.amount)
        value = ir.Arithmetic(sign, held(field, address), number, type=field.type, span=stmt.span)
        mode: ir.StoreMode = "cap" if up_to or field.capped else "fits" if amount.fits else "check"
        self._store(stmt, address, value, field, mode)

    def _require(self, stmt: core.Require) -> None:
        condition = self.x.lower(stmt.condition)
        text = self.text(stmt.text)
        values = () if text is None else self.text_args(text)
        number = text.number if text else None
        words = " ".join(stmt.condition.span.text.split())
        refusal = self.refusal("requires", stmt, words, number)
        line = answering_line(self.unit, self.x, stmt.condition)
        if line is not None:
            self.unit.refusals[refusal] = replace(self.unit.refusals[refusal], line_cites=line[1])
        which = None if line is None else line[0]
        self.add(ir.Require(condition, refusal, number, values, which, span=stmt.span, cites=stmt.cites))

    # ------------------------------------------------------------------ texts

    def text(self, template: core.Template | None) -> TextUnit | None:
        return None if template is None else register_text(self.unit, self.x, template)

    def text_args(self, text: TextUnit) -> tuple[Op, ...]:
        return tuple(ir.Local(name, type=INDEX) for name in text.params)

    def tell_holes(self, text: TextUnit) -> None:
        """Notes what `public` tells in a line that all read, as in `say "{public(hits)} hits"`. The text itself tells
        nobody: it is worked out whenever somebody reads it."""
        for hole in text.holes:
            if any(isinstance(op, ir.Public) for op in (hole, *ir.operations(hole))):
                self.only(("play",), ir.Let(self.unit.temporary("told"), hole))

    def _say(self, stmt: core.Say) -> None:
        text = self.text(stmt.text)
        assert text is not None
        self.tell_holes(text)
        self.only(("play",), ir.Say(text.number, self.text_args(text), self.x.maybe(stmt.to), span=stmt.span))


def register_text(unit: Unit, expressions: ExpressionLowering, template: core.Template) -> TextUnit:
    """Gives a text of the game a number. Its holes are computed only when somebody reads it."""
    for text in unit.texts:
        if text.template is template:
            return text
    parts: list[str | tuple[str]] = []
    holes: list[Op] = []
    for part in template.parts:
        if isinstance(part, str):
            parts.append(part)
        else:
            # A row that the rules name themselves, `{Card.king}`, is a face: no reader has to know where it lies.
            is_face = isinstance(part, core.Const) and isinstance(part.type, Piece)
            parts.append(("face" if is_face else thing_of(part.type),))
            hole = expressions.set_of(part) if isinstance(part, core.PlaceRef) else expressions.lower(part)
            is_told = part in unit.program.told_holes
            holes.append(ir.Public(hole, *told(unit, hole), type=part.type, span=part.span) if is_told else hole)
    params = tuple(dict.fromkeys(name for hole in holes for name in ir.free_locals(hole)))
    made = TextUnit(len(unit.texts), template.raw, tuple(parts), params, tuple(holes), template)
    unit.texts.append(made)
    return made


def bound_set(low: Lowering, binder: core.Binder) -> Op:
    """The set that a `for` goes over, computed once before the loop: filtered, sorted, copied."""
    local, source, where = low.x.source(binder)
    if isinstance(source, ir.Sequence | ir.SeatsIn | ir.TurnedTo | ir.Following | ir.All) and where is None:
        return source
    return ir.All(local, source, where, type=SetOf(binder.local.type), span=binder.span)


def preferred(low: Lowering, stmt: core.Pick) -> Op:
    """What `pick x in S preferring C, D` takes: the first that meets C, else D, else the first of all."""
    local, source, where = low.x.source(stmt.binder)
    optional = Maybe(bare(stmt.binder.local.type))
    if not stmt.preferring:
        return ir.First(local, source, where, type=optional, span=stmt.span)
    candidates = low.temporary("from", ir.All(local, source, where, type=SetOf(stmt.binder.local.type)))
    chain: Op | None = None
    for condition in reversed(stmt.preferring):
        first = ir.First(local, candidates, low.x.maybe(condition), type=optional, span=stmt.span)
        chain = first if chain is None else ir.Otherwise(first, chain, none_of(optional), type=optional)
    assert chain is not None
    return chain


def held(field: core.FieldDecl, address: Op) -> ir.ReadField:
    """What a field holds."""
    return ir.ReadField(address, none_of(field.type), type=field.type)


def suffices(field: core.FieldDecl, there: Op, number: Op) -> Op:
    """True if the counter does not fall below its lowest number when `number` is taken from what is there."""
    left = ir.Arithmetic("-", there, number, type=INDEX)
    return ir.Compare(">=", left, ir.Const(bounds(field)[0] or 0, type=INDEX))


def bounds(field: core.FieldDecl) -> tuple[int | None, int | None]:
    of = bare(field.type)
    if isinstance(of, Number):
        return of.low, of.high
    if isinstance(of, Flag):
        return 0, 1
    return None, None
