"""Rules become routines: plain ones keep their shape, deciding ones are cut into segments at their decisions.

A statement that cannot stop stays structured, loops and all. One that can is taken apart: what follows it becomes a
segment of its own, and a loop around it becomes jumps between segments. Names that live in more than one segment live
in the frame; that is found out afterwards, from the segments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..check import program as core
from ..check.forms import Calls, Flow, Tells, UnknownForm, blocks, calls, flow, is_chance, is_choice, tells
from ..check.secret_refusals import attempt_tells
from ..check.value_types import Maybe, Piece, Player, SetOf, bare, none_of
from ..check.walk import statements
from ..files.records import handler
from . import ir
from .analysis import Analysis
from .choices.decisions import (
    lower_any_order,
    lower_choose,
    lower_choose_one,
    lower_choose_set,
    lower_may,
    lower_pause,
)
from .ir import FLAG, INDEX, Block, Op, Routine, Segment
from .liveness import looped
from .lower_atoms import group_size
from .lower_hooks import after_change, before_change
from .lower_loops import lower_for, lower_in_turn, lower_repeat, lower_together, lower_walk
from .lower_moves import (
    lower_draw,
    lower_move_each,
    lower_move_piece,
    lower_move_set,
    lower_move_some,
    lower_shuffle_into,
    lower_swap_pieces,
    shuffle,
)
from .lowering import Lowering, preferred
from .statement_facts import may_overflow
from .tidy import tidy
from .told import may_write, sifted, told, used_openly
from .unit import Unit


class StatementLowering(Lowering):
    """Lowers whole bodies: calls, loops and decisions cut them into segments."""

    # ------------------------------------------------------------------ blocks

    def block(self, stmts: core.Block) -> bool:
        """Lowers statements in order; True if what comes after them is never reached."""
        enough = self.unit.settled.first_of(stmts)
        for position, stmt in enumerate(stmts):
            self.following = stmts[position + 1 :]
            if position == enough:
                self.add(ir.Only(("trial",), [ir.Succeed()], span=stmt.span))
            if self.unit.analysis.cuts(stmt) and not self.framed:
                raise AssertionError(f"{self.rule.name} has no frame")
            if stmt in self.unit.program.unseen_turns:
                self.out += may_write(self, stmt)
            self.out += [*sifted(self, stmt), *used_openly(self, stmt)]
            if self._with_change_hooks(stmt):
                return True
        return False

    # ------------------------------------------------------------------ calls

    def _pay(self, stmt: core.Pay) -> None:
        self.unit.payments.lower(self, stmt)

    def _call_rule(self, stmt: core.CallRule) -> None:
        if stmt.if_possible:
            self.when(*self._told_attempt(stmt))
        else:
            self._call(stmt, stmt.rule, self.unit.routine_name(stmt.rule), self.x.lower_all(stmt.args))

    def _call(
        self, stmt: core.CallRule | core.CallPrevious, rule: core.RuleDecl, name: str, args: tuple[Op, ...]
    ) -> None:
        result = None if stmt.result is None else ir.Local(self.unit.local_name(stmt.result), type=stmt.result.type)
        framed, rests = self.unit.analysis.entry_framed(rule), id(stmt) in self.unit.analysis.own_rests
        self.call(name, args, stmt, framed, result, rests)

    def _call_previous(self, stmt: core.CallPrevious) -> None:
        base = self.rule.replaces
        assert self.x.previous is not None and base is not None
        args = self.x.own_args if stmt.args is None else self.x.lower_all(stmt.args)
        self._call(stmt, base, self.x.previous, args)

    def _perform(self, stmt: core.Perform) -> None:
        if stmt.if_possible:
            self.when(*self._told_attempt(stmt))
        else:
            self._attempt(stmt)[1]()

    def _told_attempt(self, stmt: core.Stmt) -> tuple[Op, Callable[[], None]]:
        """An attempt of which everybody sees whether it is made. Worlds must agree with that, where it rests on cards
        that not everybody sees. It is told apart from the question itself, which only play has to keep."""
        can, run = self._attempt(stmt)
        assert isinstance(stmt, core.CallRule | core.Perform)
        if attempt_tells(stmt, self.unit.program):
            self.only(("play",), ir.Let(self.unit.temporary("told"), ir.Public(can, *told(self.unit, can), type=FLAG)))
        return can, run

    def _attempt(self, stmt: core.Stmt) -> tuple[Op, Callable[[], None]]:
        """Whether a call can be carried through, and what lowers the call. Arguments are computed once, for both."""
        match stmt:
            case core.CallRule(rule=rule):
                args = tuple(self.temporary("v", arg) for arg in self.x.lower_all(stmt.args))
                name = self.unit.routine_name(rule)
                return self.x.can_call(rule, args, stmt.span), lambda: self._call(stmt, rule, name, args)
            case core.Perform():
                cell = self.temporary("v", self.x.lower(stmt.cell), stmt.cell.type)
                player = self.temporary("v", self.x.lower(stmt.player), Player())
                given = tuple(
                    ir.Given(name, self.temporary("v", self.x.lower(value), value.type)) for name, value in stmt.given
                )
                can = ir.CanPerform(cell, player, given, span=stmt.span)
                return can, lambda: self._run_cell(stmt, cell, player, given)
        raise AssertionError("only calls can be attempted")

    def _run_cell(self, stmt: core.Perform, cell: Op, player: Op, given: tuple[ir.Given, ...]) -> None:
        refusal = self.refusal("cannot perform", stmt)
        resume = self.segment() if self.unit.analysis.cells_framed() else None
        number = resume.number if resume is not None else None
        self.add(ir.Perform(cell, player, given, number, refusal, span=stmt.span, cites=stmt.cites))
        if resume is not None:
            resume.may_refuse = id(stmt) in self.unit.analysis.own_rests
            self.open(resume)

    def _first_possible(self, stmt: core.FirstPossible) -> None:
        join = self.segment() if self.unit.analysis.cuts(stmt) else None
        self._try_each(stmt.body, join)
        if join is not None:
            self.goto(join)
            self.open(join)

    def _try_each(self, body: core.Block, join: Segment | None) -> None:
        """The first call if it can be carried through, else the next: each stands in the `else` of the one before."""
        if not body:
            return
        can, run = self._told_attempt(body[0])
        made = self.add(ir.If(can, span=body[0].span))
        after, self.out = self.out, made.then
        run()
        if join is not None:
            self.goto(join)
        self.out = made.otherwise
        self._try_each(body[1:], join)
        if join is not None and self.out is made.otherwise:
            self.goto(join)
        self.out = after

    # ------------------------------------------------------------------ leaving

    def _stop(self, stmt: core.Stop) -> bool:
        exit_of = self.loops[-1]
        if exit_of is None:
            self.add(ir.Break(span=stmt.span))
        else:
            self.pass_ends()
            self.add(ir.Goto(exit_of.number, span=stmt.span))
        return True

    def _done(self, stmt: core.Done) -> bool:
        self.add(ir.Return(ir.Const(0, type=FLAG) if self.rule.can_prevent else None, span=stmt.span))
        return True

    def _prevent(self, stmt: core.Prevent) -> bool:
        self.add(ir.Return(ir.Const(1, type=FLAG), span=stmt.span))
        return True

    def _result_is(self, stmt: core.ResultIs) -> bool:
        self.add(ir.Return(self.frozen(stmt.value), span=stmt.span))
        return True

    def _wins(self, stmt: core.Wins) -> bool:
        self.add(ir.Wins(self.x.set_of(stmt.player), *self._why(stmt), span=stmt.span))
        return True

    def _loses(self, stmt: core.Loses) -> bool:
        still_in = self.unit.players()  # whoever dropped out before does not share the win
        are_many = isinstance(stmt.player.type, SetOf)
        losers = self.x.set_of(stmt.player) if are_many else self.x.lower(stmt.player)
        others = ir.Without(still_in, losers, are_many, type=SetOf(Player()))
        self.add(ir.Wins(others, *self._why(stmt), span=stmt.span))
        return True

    def _why(self, stmt: core.Wins | core.Loses) -> tuple[int | None, tuple[Op, ...]]:
        """The reason of the end. Whether points count at that end is told by the reason too."""
        number, values = self._told(stmt.text)
        if stmt.unscored and number is not None:
            self.unit.unscored.add(number)
        return number, values

    def _end_game(self, stmt: core.EndGame) -> bool:
        self.add(ir.EndGame(*self._told(stmt.text), span=stmt.span))
        return True

    def _drops_out(self, stmt: core.DropsOut) -> None:
        number, values = self._told(stmt.text)  # first: texts are numbered in the order in which they are met
        if number is not None:
            self.tell_holes(self.unit.texts[number])
        self.add(ir.DropsOut(self.x.lower(stmt.player), number, values, span=stmt.span))

    def _told(self, template: core.Template | None) -> tuple[int | None, tuple[Op, ...]]:
        """The number of a text, if there is one, and the values of its holes."""
        text = self.text(template)
        return (None, ()) if text is None else (text.number, self.text_args(text))

    # ------------------------------------------------------------------ conditions and loops

    def _if(self, stmt: core.If) -> bool:
        condition = self.x.lower(stmt.condition)
        # What constants rule out (`if count(players) == 2`) is not lowered: it has no sites and asks for no values.
        if isinstance(condition, ir.Const):
            return self.block(stmt.then if condition.value else stmt.otherwise)
        made = self.add(ir.If(condition, span=stmt.span))
        after = self.out
        join = self.segment() if self.unit.analysis.cuts(stmt) else None
        ended = []
        for block, target in ((stmt.then, made.then), (stmt.otherwise, made.otherwise)):
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

    # ------------------------------------------------------------------ pieces

    def _shuffle(self, stmt: core.Shuffle) -> None:
        if stmt.into is None:
            shuffle(self, stmt, stmt.place)
        else:
            lower_shuffle_into(self, stmt, stmt.into)

    def _swap_places(self, stmt: core.SwapPlaces) -> None:
        size = group_size(stmt.first) or 1
        first, second = self.x.place_address(stmt.first), self.x.place_address(stmt.second)
        rooms = (stmt.first.place.capacity, stmt.second.place.capacity) if may_overflow(stmt) else None
        full = self.refusal("full", stmt) if rooms is not None else None
        self.add(ir.SwapPlaces(first, second, size, rooms, full, span=stmt.span))

    def _pass_on(self, stmt: core.PassOn) -> None:
        spot = self.unit.layout.places[stmt.place]
        self.add(ir.PassOn(spot.base, spot.strides[0], spot.size, stmt.direction, span=stmt.span))

    def _flip(self, stmt: core.Flip) -> None:
        missing = self.refusal("nothing to flip", stmt, cites=False) if isinstance(stmt.piece.type, Maybe) else None
        self.add(ir.Flip(self.x.lower(stmt.piece), stmt.face, missing, span=stmt.span))

    def _reveal(self, stmt: core.Reveal) -> None:
        to = self.x.maybe(stmt.to)
        if stmt.field is not None:
            address = self.x.field_address(stmt.field.field, stmt.field.owner, stmt.field.indexes)
            self.only(("play", "trial"), ir.RevealField(address, to, span=stmt.span))
        elif stmt.dice is not None:
            dice = self.x.set_of(stmt.dice)
            self.only(("play", "trial"), ir.RevealDice(dice, self.unit.layout.dice, to, span=stmt.span))
        elif stmt.pieces is not None:
            self.only(("play", "trial"), ir.Reveal(self.x.set_of(stmt.pieces), to, span=stmt.span))

    def _roll(self, stmt: core.Roll) -> None:
        if isinstance(stmt.dice, core.DiceGroup):
            first: Op = self.x.die_number(stmt.dice.field, stmt.dice.owner, None)
            faces = bare(stmt.dice.field.type)
            count: int | None = stmt.dice.field.dimensions[0].size
        else:
            first, count, faces = self.x.lower(stmt.dice), None, bare(stmt.dice.type)
        self.add(ir.Roll(first, count, getattr(faces, "low", 1), getattr(faces, "high", 6), span=stmt.span))

    def _pick(self, stmt: core.Pick) -> bool:
        binder = stmt.binder
        local = self.name(binder.local)
        optional = Maybe(bare(binder.local.type))
        if stmt.at_random:
            name, source, where = self.x.source(binder)
            candidates = ir.All(name, source, where, type=SetOf(binder.local.type))
            place = self.x.place_address(binder.source) if isinstance(binder.source, core.PlaceRef) else None
            picked = bare(binder.local.type)
            mixes = isinstance(picked, Piece) and self.unit.must_track(picked.kinds, None)
            self.types[local] = optional
            varies = binder.local in self.unit.program.varying_picks
            self.add(ir.PickRandom(local, candidates, place, mixes, varies, span=stmt.span))
        else:
            self.let(local, preferred(self, stmt), optional)
        found = ir.Local(local, type=optional)
        missing = ir.IsNone(found, none_of(optional))
        if stmt.if_possible:
            self.when(ir.Not(missing), lambda: self.block(stmt.body or ()))
            return False
        refusal = self.refusal("pick", stmt, binder.local.name)
        self.add(ir.Require(ir.Not(missing), refusal, None, (), span=stmt.span, cites=stmt.cites))
        if stmt.body is not None:
            return self.block(stmt.body)
        return False

    # ------------------------------------------------------------------ hooks on changes

    def _with_change_hooks(self, stmt: core.Stmt) -> bool:
        hooks = self.unit.analysis.change_hooks(stmt)
        if not hooks or (isinstance(stmt, core.Pay) and any(is_choice(cost) for cost in stmt.costs)):
            return self._lowered(stmt)
        kept = before_change(self, hooks)
        ended = self._lowered(stmt)
        after_change(self, kept)
        return ended

    def _lowered(self, stmt: core.Stmt) -> bool:
        """Lowers one statement: by a function of `ELSEWHERE`, or by the method with the name of its form."""
        if type(stmt) in ELSEWHERE:
            return bool(ELSEWHERE[type(stmt)](self, stmt))
        method = getattr(self, handler(type(stmt)), None)
        if method is None:
            raise UnknownForm(stmt)
        return bool(method(stmt))

    # ------------------------------------------------------------------ the routine

    def finish(self, name: str) -> None:
        """Adds what was lowered to the game, as a routine of that name."""
        unit, rule = self.unit, self.rule
        params = tuple(unit.local_name(param) for param in rule.params)
        for param in rule.params:
            self.types[unit.local_name(param)] = param.type
        made = Routine(name, "plain", params, rule=known_as(rule), form=rule.form, span=rule.span)
        if self.framed:
            made.kind = "framed"
            # Tidied before slots are counted: segments that nothing leads to would keep their locals in every frame.
            made.segments = self.segments = tidy(self.segments)
            made.slots = _frame_slots(self, params)
            made.slot_types = tuple(self.types.get(slot, INDEX) for slot in made.slots)
        else:
            made.body = self.body
        unit.routines[name] = made


ELSEWHERE: dict[type[core.Stmt], Callable[[Any, Any], bool | None]] = {
    core.Choose: lower_choose,
    core.ChooseSet: lower_choose_set,
    core.ChooseOne: lower_choose_one,
    core.May: lower_may,
    core.Pause: lower_pause,
    core.AnyOrder: lower_any_order,
    core.For: lower_for,
    core.Walk: lower_walk,
    core.Repeat: lower_repeat,
    core.While: lower_repeat,
    core.InTurn: lower_in_turn,
    core.Together: lower_together,
    core.MovePiece: lower_move_piece,
    core.SwapPieces: lower_swap_pieces,
    core.MoveSet: lower_move_set,
    core.MoveSome: lower_move_some,
    core.MoveEach: lower_move_each,
    core.Draw: lower_draw,
}


# ---------------------------------------------------------------------------- whole bodies


def lower_body(unit: Unit, rule: core.RuleDecl, name: str, body: core.Block) -> None:
    """The routine with the body of a rule."""
    low = StatementLowering(unit, rule, unit.analysis.entry_framed(rule))
    if rule.depth is not None and name == unit.routine_name(rule):
        low.add(ir.LimitDepth(rule.name, rule.depth))
    if rule.form == "setup":
        body = _lower_up_to_chance(low, _lower_certain_part(low, body))
    if not low.block(body):
        low.add(ir.Return())
    low.finish(name)


def _lower_certain_part(low: StatementLowering, body: core.Block) -> core.Block:
    """Lowers what setup does before any chance or decision, and gives the statements that are left. That part is the
    same in every game. It ends with its segment, so the runtime can do it once and copy the result."""
    # A `let` ends it: cut behind one, its local would need a slot of the frame for nothing but this cut.
    count = 0
    while (
        count < len(body)
        and _is_certain(low.unit.analysis, body[count], set())
        and not isinstance(body[count], core.Let)
    ):
        count += 1
    low.block(body[:count])
    deals = low.segment("deals", "deals")
    low.add(ir.Goto(deals.number, backward=True))
    low.open(deals)
    return body[count:]


def _deals(stmt: core.Stmt) -> bool:
    """True if chance may decide what this statement of setup does. Drawing and picking count too: a pile that was
    shuffled before has its order by chance."""
    return is_chance(stmt) or isinstance(stmt, core.Pick | core.Draw)


def _lower_up_to_chance(low: StatementLowering, body: core.Block) -> core.Block:
    """Ends a segment before chance falls for the first time, and gives the statements that are left. Every playout
    begins with a copy of the game at this point."""
    falls = [any(_deals(inner) for inner in statements((stmt,))) for stmt in body]
    count = falls.index(True) if True in falls else 0
    if count == 0 or low.block(body[:count]):
        return body[count:]
    chance = low.segment("chance", "chance")
    low.add(ir.Goto(chance.number, backward=True))
    low.open(chance)
    return body[count:]


def known_as(rule: core.RuleDecl) -> str:
    return rule.replaces.name if rule.replaces is not None else rule.name


def _frame_slots(low: StatementLowering, params: tuple[str, ...]) -> tuple[str, ...]:
    """The locals that a frame must hold: parameters, and every local used by more than one segment. All others live in
    Python locals of one segment, and clones of the game need not copy them."""
    seen: dict[str, set[int]] = {}
    for segment in low.segments:
        # A question binds its loop variables again each time it runs, so they never live longer than the segment: the
        # answering segment takes the chosen values out of the option.
        offered = looped(segment.body) if segment.role == "asks" else set()
        for name in _names(segment.body) - offered:
            seen.setdefault(name, set()).add(segment.number)
    spoken_in_texts = _text_locals(low)
    shared = [n for n, where in seen.items() if (len(where) > 1 or n in spoken_in_texts) and n not in params]
    return params + tuple(sorted(shared))


def _text_locals(low: StatementLowering) -> set[str]:
    """Locals that prompts and labels of this routine's sites read from the frame."""
    found: set[str] = set()
    for site in low.unit.sites:
        if site.rule != low.rule.name:
            continue
        if site.prompt is not None:
            found |= set(low.unit.texts[site.prompt].params)
        for branch in site.branches:
            if branch.label is not None:
                found |= set(low.unit.texts[branch.label].params) - set(branch.values)
    return {name for name in found if name in low.types}


def _names(body: Block) -> set[str]:
    """Every local that instructions write or read."""
    read = {op.name for op in ir.operations_in(body) if isinstance(op, ir.Local)}
    return read | {ins.local_set for ins in ir.instructions(body) if ins.local_set is not None}


def _is_certain(analysis: Analysis, stmt: core.Stmt, seen: set[core.RuleDecl]) -> bool:
    """No chance and no decision in it, nor in anything it calls, and nobody learns anything."""
    if is_chance(stmt) or tells(stmt) is not Tells.nothing or flow(stmt) is not Flow.on or analysis.decides(stmt):
        return False
    # Which rule that runs is known only in play.
    if calls(stmt) in (Calls.cell, Calls.previous):
        return False
    called = analysis.called_rules(stmt)
    if isinstance(stmt, core.CallRule):
        called += stmt.rule.hooks
    for rule in called:
        if rule not in seen:
            seen.add(rule)
            if not all(_is_certain(analysis, inner, seen) for inner in rule.body):
                return False
    return all(_is_certain(analysis, inner, seen) for block in blocks(stmt) for inner in block)
