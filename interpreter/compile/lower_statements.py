"""Rules become routines: plain ones keep their shape, deciding ones are cut into segments at their decisions.

A statement that cannot stop stays structured, loops and all. One that can is taken apart: what follows it becomes a
segment of its own, and a loop around it becomes jumps between segments. Names that live in more than one segment live
in the frame; that is found out afterwards, from the segments.
"""

from __future__ import annotations

from ..check import program as core
from ..check.value_types import Flag, Maybe, Number, Piece, Player, SetOf, VType, bare, none_of
from ..diagnostics.source import Span
from .ir import Ins, Op, Segment
from .lower_expressions import FLAG, INDEX, ExpressionLowering
from .statement_facts import is_choice
from .unit import TextUnit, Unit, thing_of

PHASES = ("phase", "setup", "play")


class StatementLowering:
    """Lowers the body of one routine into `segments` (framed) or `body` (plain)."""

    def __init__(self, unit: Unit, rule: core.RuleDecl, framed: bool, expressions: ExpressionLowering) -> None:
        self.unit = unit
        self.rule = rule
        self.framed = framed
        self.x = expressions
        self.is_phase = rule.form in PHASES
        self.stands_for_phase = self.is_phase or (rule.replaces is not None and rule.replaces.form in PHASES)
        self.segments: list[Segment] = []
        self.body: list[Ins] = []
        self.out: list[Ins] = self.body
        self.loops: list[Segment | None] = []  # exit of each loop around; None: a plain loop
        self.types: dict[str, VType] = {}
        self.counted: list[tuple[Op, int, int]] = []  # counts kept for hooks on places: snapshot, base, size
        self.question: list[Ins] = []  # the asking segment being made
        self.distinct: dict[str, str] = {}  # sets of which it has one piece of each row: local by source
        self.once_done: set[core.LocalDecl] = set()
        self.following: core.Block = ()  # what comes after the statement that is being lowered, in its block
        self.together = 0  # how many `together` blocks stand around
        if framed:
            self.open(self.segment("begins"))

    # ------------------------------------------------------------------ building

    def segment(self, note: str = "") -> Segment:
        made = self.unit.new_segment(note)
        made.loop = self.innermost_loop()
        self.segments.append(made)
        return made

    def open(self, segment: Segment) -> None:
        self.out = segment.body

    def add(
        self,
        op: str,
        *args: object,
        span: Span | None = None,
        blocks: tuple[list[Ins], ...] = (),
        cites: tuple[str, ...] = (),
    ) -> Ins:
        made = Ins(op, args, blocks, span or self.rule.span, cites)
        self.out.append(made)
        return made

    def let(self, name: str, value: Op, value_type: VType | None = None) -> None:
        self.types[name] = value_type or value.type
        self.add("let", name, value, span=value.span)

    def name(self, local: core.LocalDecl) -> str:
        made = self.unit.local_name(local)
        self.types[made] = local.type
        return made

    def temporary(self, stem: str, value: Op, value_type: VType | None = None) -> Op:
        name = self.unit.temporary(stem)
        self.let(name, value, value_type)
        return Op("local", (name,), value_type or value.type)

    def goto(self, segment: Segment, backward: bool = False) -> None:
        self.add("goto", segment.number, self.innermost_loop() if backward else 0, backward)

    def innermost_loop(self) -> int:
        """The loop of this phase at the end of whose pass looking ahead is content; 0 if there is none."""
        exits = [segment.number for segment in self.loops if segment is not None]
        return exits[-1] if exits and self.stands_for_phase else 0

    # ------------------------------------------------------------------ blocks

    def block(self, stmts: core.Block) -> bool:
        """Lowers statements in order; True if what comes after them is never reached."""
        from .lower_choices import lower_choice

        for position, stmt in enumerate(stmts):
            self.following = stmts[position + 1 :]
            if self.unit.analysis.cuts(stmt) and not self.framed:
                raise AssertionError(f"{self.rule.name} has no frame")
            if isinstance(stmt, core.Choose | core.ChooseSet | core.ChooseOne | core.May | core.Pause | core.AnyOrder):
                ended = lower_choice(self, stmt, stmts[position + 1 :])
            else:
                method = getattr(self, "_" + _snake(type(stmt).__name__))
                ended = bool(self._with_change_hooks(stmt, method))
            if ended:
                return True
        return False

    def inner(self, stmts: core.Block) -> list[Ins]:
        """A plain block lowered apart."""
        kept, self.out = self.out, []
        self.block(stmts)
        made, self.out = self.out, kept
        return made

    # ------------------------------------------------------------------ simple statements

    def _let(self, stmt: core.Let) -> None:
        self.let(self.name(stmt.local), self.frozen(stmt.value), stmt.local.type)

    def frozen(self, expr: core.Expr) -> Op:
        """A value fit to be kept: sets read from live places are copied."""
        lowered = self.x.set_of(expr) if isinstance(expr, core.PlaceRef) else self.x.lower(expr)
        if lowered.op in ("list", "range") or isinstance(bare(lowered.type), SetOf):
            return Op("all", ("e_", lowered, None, None, None), lowered.type, expr.span)
        return lowered

    def _set_field(self, stmt: core.SetField) -> None:
        address = self.x.field_address(stmt.field, stmt.owner, stmt.indexes)
        value = self.x.lower(stmt.value)
        if stmt.op != "=":
            address = self._kept_address(address)
            read = Op("field", (address, none_of(stmt.field.type)), stmt.field.type)
            value = Op("add" if stmt.op == "+=" else "subtract", (read, value), stmt.field.type, stmt.span)
        self._store(address, value, stmt.field, stmt.fits, stmt)

    def _kept_address(self, address: Op) -> Op:
        """An address that is used twice is worked out once."""
        if not address.args[1]:
            return address
        return self.temporary("a", address, INDEX)

    def _store(
        self, address: Op, value: Op, field: core.FieldDecl, fits: bool, stmt: core.Stmt, refuse: bool = False
    ) -> None:
        low, high = bounds(field)
        mode = "cap" if field.capped else "refuse" if refuse else "fits" if fits or low is None else "check"
        self.add("store", address, value, low, high, mode, field.name, span=stmt.span, cites=stmt.cites)

    def _set_face(self, stmt: core.SetFace) -> None:
        die = self.x.lower(stmt.die)
        value = self.x.lower(stmt.value)
        if stmt.op != "=":
            value = Op("add" if stmt.op == "+=" else "subtract", (Op("face", (die,), value.type), value), value.type)
        faces = bare(stmt.die.type)
        mode = "fits" if stmt.fits else "check"
        self.add(
            "store_face", die, value, getattr(faces, "low", 1), getattr(faces, "high", 6), mode, "face", span=stmt.span
        )

    def _gain(self, stmt: core.Gain) -> None:
        for amount in stmt.amounts:
            self._change_counter(stmt, stmt.player, amount, 1, stmt.up_to)

    def _lose(self, stmt: core.Lose) -> None:
        if not stmt.up_to:
            for amount in stmt.amounts:
                self._require_held(stmt, stmt.player, amount)
        for amount in stmt.amounts:
            self._change_counter(stmt, stmt.player, amount, -1, stmt.up_to)

    def _require_held(
        self, stmt: core.Stmt, player: core.Expr, amount: core.CounterAmount, number: Op | None = None
    ) -> None:
        if amount.fits:
            return
        low = bounds(amount.field)[0] or 0
        address = self.x.field_address(amount.field, player, amount.indexes)
        held = Op("field", (address, none_of(amount.field.type)), amount.field.type)
        number = number or self.x.lower(amount.amount)
        left = Op("subtract", (held, number), INDEX)
        enough = Op("compare", (">=", left, Op("const", (low,), INDEX), None, None), FLAG)
        self.add(
            "require",
            enough,
            ("counter", amount.field.name, number, held),
            (),
            span=stmt.span,
            cites=stmt.cites,
        )

    def _change_counter(
        self,
        stmt: core.Stmt,
        player: core.Expr,
        amount: core.CounterAmount,
        sign: int,
        up_to: bool,
        number: Op | None = None,
    ) -> None:
        field = amount.field
        address = self._kept_address(self.x.field_address(field, player, amount.indexes))
        held = Op("field", (address, none_of(field.type)), field.type)
        number = number or self.x.lower(amount.amount)
        value = Op("add" if sign > 0 else "subtract", (held, number), field.type, stmt.span)
        low, high = bounds(field)
        mode = "cap" if up_to or field.capped else "fits" if amount.fits else "check"
        self.add("store", address, value, low, high, mode, field.name, span=stmt.span, cites=stmt.cites)

    def _require(self, stmt: core.Require) -> None:
        condition = self.x.lower(stmt.condition)
        text = self.text(stmt.text)
        values = () if text is None else self.text_args(text)
        self.add(
            "require", condition, ("text", text.number if text else None), values, span=stmt.span, cites=stmt.cites
        )

    def _pay(self, stmt: core.Pay) -> None:
        self.unit.payments.lower(self, stmt)

    # ------------------------------------------------------------------ texts

    def text(self, template: core.Template | None) -> TextUnit | None:
        return None if template is None else register_text(self.unit, self.x, template)

    def text_args(self, text: TextUnit) -> tuple[Op, ...]:
        return tuple(Op("local", (name,), INDEX) for name in text.params)

    def _say(self, stmt: core.Say) -> None:
        text = self.text(stmt.text)
        assert text is not None
        self.add("say", text.number, self.text_args(text), self.x.maybe(stmt.to), span=stmt.span)

    # ------------------------------------------------------------------ calls

    def _call_rule(self, stmt: core.CallRule) -> None:
        args = self.x.lower_all(stmt.args)
        name = self.unit.routine_name(stmt.rule)
        if stmt.if_possible:
            args = tuple(self.temporary("v", arg) for arg in args)
            can = self.x.can_call(stmt.rule, args, stmt.span)
            self.when(can, lambda: self._call(stmt, name, args))
        else:
            self._call(stmt, name, args)

    def _call(self, stmt: core.CallRule, name: str, args: tuple[Op, ...]) -> None:
        if self.unit.analysis.entry_framed(stmt.rule):
            self.call_framed(name, args, stmt.span, id(stmt) in self.unit.analysis.own_rests)
            if stmt.result is not None:
                self.let(self.name(stmt.result), Op("result", (), stmt.result.type), stmt.result.type)
        else:
            local = self.name(stmt.result) if stmt.result is not None else None
            self.add("call", local, name, args, span=stmt.span, cites=stmt.cites)

    def call_framed(self, name: str, args: tuple[Op, ...], span: Span, may_refuse: bool = True) -> None:
        resume = self.segment()
        resume.may_refuse = may_refuse
        self.add("call_frame", name, args, resume.number, span=span)
        self.open(resume)

    def when(self, condition: Op, then: object) -> None:
        """If the condition holds, what `then` lowers, which may be cut; and on in either case."""
        made = Ins("if", (condition,), ([], []), condition.span)
        self.out.append(made)
        after, self.out = self.out, made.blocks[0]
        start = self.out
        then()  # type: ignore[operator]
        if self.out is start:  # nothing was cut
            self.out = after
            return
        join = self.segment()
        self.goto(join)
        self.out = after
        self.goto(join)
        self.open(join)

    def _call_previous(self, stmt: core.CallPrevious) -> None:
        assert self.x.previous is not None
        args = self.x.own_args if stmt.args is None else self.x.lower_all(stmt.args)
        base = self.rule.replaces
        assert base is not None
        if self.unit.analysis.entry_framed(base):
            self.call_framed(self.x.previous, args, stmt.span)
            if stmt.result is not None:
                self.let(self.name(stmt.result), Op("result", (), stmt.result.type), stmt.result.type)
        else:
            local = self.name(stmt.result) if stmt.result is not None else None
            self.add("call", local, self.x.previous, args, span=stmt.span)

    def _perform(self, stmt: core.Perform) -> None:
        cell = self.temporary("v", self.x.lower(stmt.cell), stmt.cell.type)
        player = self.temporary("v", self.x.lower(stmt.player), Player())
        given = tuple((name, self.temporary("v", self.x.lower(value), value.type)) for name, value in stmt.given)
        if stmt.if_possible:
            can = Op("can_perform", (cell, player, given), FLAG, stmt.span)
            self.when(can, lambda: self._run_cell(stmt, cell, player, given))
        else:
            self._run_cell(stmt, cell, player, given)

    def _run_cell(self, stmt: core.Perform, cell: Op, player: Op, given: tuple[tuple[str, Op], ...]) -> None:
        if self.unit.analysis.cells_framed():
            resume = self.segment()
            resume.may_refuse = id(stmt) in self.unit.analysis.own_rests
            self.add("perform", cell, player, given, resume.number, span=stmt.span, cites=stmt.cites)
            self.open(resume)
        else:
            self.add("perform", cell, player, given, None, span=stmt.span, cites=stmt.cites)

    def _first_possible(self, stmt: core.FirstPossible) -> None:
        join = self.segment() if self.unit.analysis.cuts(stmt) else None
        self._try_each(stmt.body, 0, join)
        if join is not None:
            self.goto(join)
            self.open(join)

    def _try_each(self, body: core.Block, position: int, join: Segment | None) -> None:
        if position == len(body):
            return
        stmt = body[position]
        if isinstance(stmt, core.CallRule):
            args = tuple(self.temporary("v", arg) for arg in self.x.lower_all(stmt.args))
            name = self.unit.routine_name(stmt.rule)
            can = self.x.can_call(stmt.rule, args, stmt.span)

            def run() -> None:
                self._call(stmt, name, args)

        elif isinstance(stmt, core.Perform):
            cell = self.temporary("v", self.x.lower(stmt.cell), stmt.cell.type)
            player = self.temporary("v", self.x.lower(stmt.player), Player())
            given = tuple((n, self.temporary("v", self.x.lower(v), v.type)) for n, v in stmt.given)
            can = Op("can_perform", (cell, player, given), FLAG, stmt.span)

            def run() -> None:
                self._run_cell(stmt, cell, player, given)

        else:
            raise AssertionError("only calls stand in `first possible`")
        made = Ins("if", (can,), ([], []), stmt.span)
        self.out.append(made)
        after, self.out = self.out, made.blocks[0]
        run()
        if join is not None:
            self.goto(join)
        self.out = made.blocks[1]
        self._try_each(body, position + 1, join)
        if join is not None and self.out is made.blocks[1]:
            self.goto(join)
        self.out = after

    # ------------------------------------------------------------------ leaving

    def _stop(self, stmt: core.Stop) -> bool:
        exit_of = self.loops[-1]
        if exit_of is None:
            self.add("break", span=stmt.span)
        else:
            self.add("goto", exit_of.number, self.innermost_loop(), False, span=stmt.span)
        return True

    def _done(self, stmt: core.Done) -> bool:
        self.add("return", Op("const", (0,), FLAG) if self.rule.can_prevent else None, span=stmt.span)
        return True

    def _prevent(self, stmt: core.Prevent) -> bool:
        self.add("return", Op("const", (1,), FLAG), span=stmt.span)
        return True

    def _result_is(self, stmt: core.ResultIs) -> bool:
        self.add("return", self.frozen(stmt.value), span=stmt.span)
        return True

    def _wins(self, stmt: core.Wins) -> bool:
        players = self.x.set_of(stmt.player) if isinstance(bare(stmt.player.type), SetOf) else self._single(stmt.player)
        self._ending("wins", players, stmt.text, stmt)
        return True

    def _single(self, expr: core.Expr) -> Op:
        return Op("join", ((self.x.lower(expr), False, None),), SetOf(Player()))

    def _loses(self, stmt: core.Loses) -> bool:
        everybody = Op("sequence", tuple(range(self.unit.program.players)), SetOf(Player()))
        others = Op("without", (everybody, self.x.lower(stmt.player), False), SetOf(Player()))
        self._ending("wins", others, stmt.text, stmt)
        return True

    def _end_game(self, stmt: core.EndGame) -> bool:
        self._ending("end_game", None, stmt.text, stmt)
        return True

    def _drops_out(self, stmt: core.DropsOut) -> None:
        text = self.text(stmt.text)
        values = () if text is None else self.text_args(text)
        self.add("drops_out", self.x.lower(stmt.player), text.number if text else None, values, span=stmt.span)

    def _ending(self, op: str, players: Op | None, template: core.Template | None, stmt: core.Stmt) -> None:
        text = self.text(template)
        values = () if text is None else self.text_args(text)
        self.add(op, players, text.number if text else None, values, span=stmt.span)

    # ------------------------------------------------------------------ conditions and loops

    def _if(self, stmt: core.If) -> bool:
        condition = self.x.lower(stmt.condition)
        if condition.op == "const":
            return self.block(stmt.then if condition.args[0] else stmt.otherwise)
        made = Ins("if", (condition,), ([], []), stmt.span)
        self.out.append(made)
        after = self.out
        join = self.segment() if self.unit.analysis.cuts(stmt) else None
        ended = []
        for block, target in zip((stmt.then, stmt.otherwise), made.blocks, strict=True):
            self.out = target
            ended.append(self.block(block))
            if join is not None and not ended[-1]:
                self.goto(join)
        if join is not None:
            self.open(join)
        else:
            self.out = after
        if all(ended) and join is not None:
            self.segments.remove(join)
        return all(ended)

    def _for(self, stmt: core.For) -> None:
        from .lower_loops import lower_for

        lower_for(self, stmt)

    def _walk(self, stmt: core.Walk) -> None:
        from .lower_loops import lower_walk

        lower_walk(self, stmt)

    def _repeat(self, stmt: core.Repeat) -> bool:
        from .lower_loops import lower_repeat

        return lower_repeat(self, stmt)

    def _while(self, stmt: core.While) -> None:
        from .lower_loops import lower_while

        lower_while(self, stmt)

    def _in_turn(self, stmt: core.InTurn) -> bool:
        from .lower_loops import lower_in_turn

        return lower_in_turn(self, stmt)

    def _together(self, stmt: core.Together) -> None:
        from .lower_loops import lower_together

        lower_together(self, stmt)

    # ------------------------------------------------------------------ pieces (see lower_moves)

    def _move_piece(self, stmt: core.MovePiece) -> None:
        from .lower_moves import lower_move_piece

        lower_move_piece(self, stmt)

    def _move_set(self, stmt: core.MoveSet) -> None:
        from .lower_moves import lower_move_set

        lower_move_set(self, stmt)

    def _move_some(self, stmt: core.MoveSome) -> None:
        from .lower_moves import lower_move_some

        lower_move_some(self, stmt)

    def _draw(self, stmt: core.Draw) -> None:
        from .lower_moves import lower_draw

        lower_draw(self, stmt)

    def _shuffle(self, stmt: core.Shuffle) -> None:
        address = self.x.place_address(stmt.place)
        if stmt.into is None:
            self.add("shuffle", address, span=stmt.span)
        else:
            self.add("shuffle_into", address, self.x.place_address(stmt.into), span=stmt.span)

    def _swap_pieces(self, stmt: core.SwapPieces) -> None:
        self.add("swap_pieces", self.x.lower(stmt.first), self.x.lower(stmt.second), span=stmt.span)

    def _swap_places(self, stmt: core.SwapPlaces) -> None:
        size = (
            stmt.first.place.slot_dimension.size if stmt.first.place.slot_dimension and stmt.first.slot is None else 1
        )
        self.add(
            "swap_places", self.x.place_address(stmt.first), self.x.place_address(stmt.second), size, span=stmt.span
        )

    def _pass_on(self, stmt: core.PassOn) -> None:
        spot = self.unit.layout.places[stmt.place]
        self.add("pass_on", spot.base, spot.strides[0], spot.size, stmt.direction, span=stmt.span)

    def _flip(self, stmt: core.Flip) -> None:
        self.add("flip", self.x.lower(stmt.piece), stmt.face, span=stmt.span)

    def _reveal(self, stmt: core.Reveal) -> None:
        to = self.x.maybe(stmt.to)
        if stmt.field is not None:
            address = self.x.field_address(stmt.field.field, stmt.field.owner, stmt.field.indexes)
            self.add("reveal_field", address, to, span=stmt.span)
        elif stmt.pieces is not None:
            is_one = isinstance(bare(stmt.pieces.type), Piece)
            optional = none_of(stmt.pieces.type) if isinstance(stmt.pieces.type, Maybe) else None
            pieces = (
                Op("join", ((self.x.lower(stmt.pieces), False, optional),), SetOf(stmt.pieces.type))
                if is_one
                else self.x.set_of(stmt.pieces)
            )
            self.add("reveal", pieces, to, span=stmt.span)

    def _roll(self, stmt: core.Roll) -> None:
        if isinstance(stmt.dice, core.DiceGroup):
            first = self.x.die_number(stmt.dice.field, stmt.dice.owner, None)
            faces = bare(stmt.dice.field.type)
            count: int | None = stmt.dice.field.dimensions[0].size
        else:
            first, count, faces = self.x.lower(stmt.dice), None, bare(stmt.dice.type)
        self.add("roll", first, count, getattr(faces, "low", 1), getattr(faces, "high", 6), span=stmt.span)

    def _pick(self, stmt: core.Pick) -> bool:
        from .lower_choices import lower_pick

        return lower_pick(self, stmt)

    # ------------------------------------------------------------------ hooks on changes

    def _with_change_hooks(self, stmt: core.Stmt, method: object) -> bool:
        from .lower_hooks import after_change, before_change

        hooks = self.unit.analysis.change_hooks(stmt)
        if not hooks or (isinstance(stmt, core.Pay) and any(is_choice(cost) for cost in stmt.costs)):
            return bool(method(stmt))  # type: ignore[operator]
        kept = before_change(self, stmt, hooks)
        ended = bool(method(stmt))  # type: ignore[operator]
        after_change(self, kept)
        return ended


def register_text(unit: Unit, expressions: ExpressionLowering, template: core.Template) -> TextUnit:
    """A text of the game with a number of its own; its holes are worked out only when somebody reads it."""
    for text in unit.texts:
        if text.template is template:
            return text
    parts: list[str | tuple[str]] = []
    holes: list[Op] = []
    for part in template.parts:
        if isinstance(part, str):
            parts.append(part)
        else:
            parts.append((thing_of(part.type),))
            holes.append(expressions.set_of(part) if isinstance(part, core.PlaceRef) else expressions.lower(part))
    params = tuple(dict.fromkeys(name for hole in holes for name in free_locals(hole)))
    made = TextUnit(len(unit.texts), template.raw, tuple(parts), params, tuple(holes), template)
    unit.texts.append(made)
    return made


def free_locals(op: object, bound: frozenset[str] = frozenset()) -> list[str]:
    """Locals that an operation reads and does not bind itself."""
    if isinstance(op, tuple):
        return [name for item in op for name in free_locals(item, bound)]
    if isinstance(op, Ins):
        return free_locals(op.args, bound) + [n for block in op.blocks for i in block for n in free_locals(i, bound)]
    if not isinstance(op, Op):
        return []
    if op.op == "local":
        return [op.args[0]] if op.args[0] not in bound else []
    names = [arg for arg in op.args if isinstance(arg, str)]
    return free_locals(op.args, bound | frozenset(names) if binds(op.op) else bound)


def binds(op: str) -> bool:
    return op in (
        "some", "every", "all", "best", "first", "count_where", "sum", "extreme_of",
        "reach", "cheapest", "cheapest_to", "groups", "longest_line",
    )  # fmt: skip


def bounds(field: core.FieldDecl) -> tuple[int | None, int | None]:
    of = bare(field.type)
    if isinstance(of, Number):
        return of.low, of.high
    if isinstance(of, Flag):
        return 0, 1
    return None, None


def _snake(name: str) -> str:
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")
