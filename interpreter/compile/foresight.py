"""Whether something can be carried through, worked out by conditions instead of being tried on a copy.

A rule begins with requirements, payments and choices; behind the last thing that can be refused nothing is left to
ask. So the rules themselves say most of what a trial would find, and routines `can_…` are made of them: they look at
the state as it is and change nothing (a payment that later conditions must see is taken and given back).

An answer is yes, no, or unsure; only the unsure is tried. Yes is said if some way leads through whatever happens on it,
no if every way is barred:

    requires C, pay n f              no, unless it holds
    choose x in S where C            yes, if it is yes for one x of S
    choose one                       yes, if it is yes for a branch
    if C … else …                    the one that comes; both must be yes where C cannot be told yet
    a call, `perform`                what its own routine says, and what follows
    move, draw, pick                 there must be one, and room for it
    for x in S                       yes, if it is yes for every x
    may …                            as if it were declined: yes, or unsure

What has been changed on the way can no longer be told from the state as it is (see footprint): conditions that look at
it are unsure. Behind chance, unseen pieces and decisions of others a trial may end content, so a no is unsure there.
"""

from __future__ import annotations

from dataclasses import replace

from ..check import program as core
from ..check.value_types import Maybe, VType, none_of
from .answers import ALWAYS, NO, YES, Answers, Foreseen, Road, as_op, joined, written
from .footprint import RUNNING, Things, disturbs
from .ir import Ins, Op, Routine
from .lower_atoms import FLAG, INDEX
from .lower_choices import preferred
from .lower_loops import bound_set
from .lowering import bounds, free_locals
from .options import guards, uses
from .rule_walk import Block, statements
from .statement_facts import binders_of, fills_up, surely_filled
from .unit import Unit, is_printed


def foresee_entry(unit: Unit, rule: core.RuleDecl) -> Foreseen | None:
    """What says whether a call of the rule can be carried through; None if only a trial can."""
    if not unit.analysis.entry_refuses(rule):
        return ALWAYS
    if rule not in unit.foreseen:
        unit.foreseen[rule] = None  # a rule that calls itself is tried
        unit.foreseen[rule] = _entry_routine(unit, rule)
    return unit.foreseen[rule]


def foresee_entries(unit: Unit) -> None:
    """What cells and free actions may begin."""
    for rule in unit.program.rules.values():
        if rule in unit.analysis.cell_rules or rule in unit.program.free_actions:
            made = foresee_entry(unit, rule)
            if made is not None:
                unit.foreseen_entries[rule] = made.name


def _entry_routine(unit: Unit, rule: core.RuleDecl) -> Foreseen | None:
    if rule.instead or rule.depth or not rule.body:
        return None
    if any(hook in unit.analysis.refuses for hook in (*rule.before, *rule.after)):
        return None
    before = [stmt for hook in rule.before for stmt in hook.body]
    changed: Things = unit.footprints.writes(tuple(before)) | {RUNNING} | frozenset(rule.resets)
    may_end = any(hook.can_prevent for hook in rule.before) or not unit.footprints.certain(tuple(before))
    params = tuple(unit.local_name(param) for param in rule.params)
    foresight = Foresight(unit, rule, Road(changed, may_end=may_end))
    return foresight.routine(f"can_{unit.routine_name(rule)}", rule.body, (), params)


class Foresight(Answers):
    """Makes one routine; `block` ends it with an answer on every way."""

    def routine(self, name: str, body: Block, before: Block, params: tuple[str, ...] | None = None) -> Foreseen | None:
        """Makes the routine; None if it would never know."""
        self.block(body, before)
        if not self.helps:
            return None
        made = joined(self.low.body)
        if params is None:
            own = written(made) | {"e_"}
            params = tuple(dict.fromkeys(n for ins in made for n in free_locals(ins) if n not in own))
        span = body[0].span if body else self.rule.span
        rule = self.rule.name
        self.unit.routines[name] = Routine(name, "pure", params, body=made, rule=rule, form="value", span=span)
        return Foreseen(name, params, self.reads, self.exact, self.performs)

    # ------------------------------------------------------------------ statements

    def block(self, stmts: Block, before: Block) -> None:
        if not self.analysis.block_refuses(stmts, before):
            self._yes()
            return
        stmt, rest = stmts[0], stmts[1:]
        passed = (*before, stmt)
        match stmt:
            case core.Done() | core.ResultIs() | core.Stop():
                self._yes()
            case core.Let() if self._sees(stmt.value):
                self.low._let(stmt)
                self.block(rest, passed)
            case core.Let():
                self.road = replace(self.road, unknown=self.road.unknown | {stmt.local})
                self.block(rest, passed)
            case core.May():
                self.road = replace(self.road, may_end=True)
                self.block(stmt.otherwise + rest, before)
            case core.If() if self.analysis.stmt_refuses(stmt, before) or _leaves(stmt):
                self._if(stmt, rest, before)
            case core.For() if self.analysis.stmt_refuses(stmt, before):
                self._for(stmt, rest, passed)
            case core.ChooseSet() if not stmt.if_possible:
                self._choose_set(stmt, rest, passed)
            case core.Pick(at_random=False, if_possible=False) if self._sees(stmt.binder, *stmt.preferring):
                self._pick(stmt, rest, passed)
            case core.Choose() if self._is_own(stmt.player) and not stmt.if_possible and self._sees(*stmt.binders):
                self._choices([(None, stmt.binders, (stmt.body or ()) + rest)], passed)
            case core.ChooseOne() if self._is_own(stmt.player) and not any(b.otherwise for b in stmt.branches):
                self._choices([(b.condition, b.binders, b.body + rest) for b in stmt.branches], before)
            case _ if not self.analysis.stmt_refuses(stmt, before):
                self._goes_over(stmt, seen=self._moves_what_is_seen(stmt, before))
                self.block(rest, passed)
            case core.Pay() if not self.analysis.hooks_refuse(stmt):
                self._pay(stmt, rest, passed)
            case _ if self._ends_with_call(stmt, rest, passed):
                pass
            case _ if self._demands(stmt, before):
                self._goes_over(stmt, seen=self._moves_what_is_seen(stmt, before))
                self.block(rest, passed)
            case _:
                self._unsure()

    def _demands(self, stmt: core.Stmt, before: Block) -> bool:
        """What the statement itself demands; False if that cannot be told."""
        if self.analysis.hooks_refuse(stmt):
            return False
        match stmt:
            case core.Require() if self._sees(stmt.condition):
                self._unless(self.low.x.lower(stmt.condition))
            case core.Lose() if self._sees(stmt.player, *(a.amount for a in stmt.amounts)):
                return self._holds(stmt)
            case core.CallRule() | core.Perform():
                return self._can_do(stmt)
            case core.MovePiece():
                return self._has_piece(stmt.piece, before) and self._has_room(stmt.to, before)
            case core.MoveSome(quantity="exactly") if _is_one(stmt.count) and self._sees(stmt.binder):
                self._there_is_one(stmt.binder)
                return self._has_room(stmt.to, before)
            case core.Draw(up_to=False) if self._sees(stmt.source, stmt.count):
                held = Op("count", (self.low.x.contents(stmt.source),), INDEX)
                self._unless(_at_least(held, self.low.x.lower(stmt.count)))
                return self._has_room(stmt.to, before)
            case _:
                return False
        return True

    # ------------------------------------------------------------------ what is asked on the way

    def _pay(self, stmt: core.Pay, rest: Block, passed: Block) -> None:
        can_pay = core.CanPay(FLAG, stmt.span, stmt.player, stmt.costs)
        if not self._sees(stmt.player, can_pay):
            self._unsure()
            return
        if self._gives_back(stmt):
            self._pay_and_give_back(stmt, rest, passed)
            return
        self._unless(self.unit.payments.can_pay(self.low.x, stmt.player, stmt.costs))
        self._goes_over(stmt, seen=True)
        self.block(rest, passed)

    def _gives_back(self, stmt: core.Pay) -> bool:
        """A plain counter, and nobody notices: it can be paid and given back."""
        if self.analysis.change_hooks(stmt) or stmt.to is not None or len(stmt.costs) != 1:
            return False
        field = stmt.costs[0].field
        return field is not None and not field.capped

    def _pay_and_give_back(self, stmt: core.Pay, rest: Block, passed: Block) -> None:
        [cost] = stmt.costs
        field = cost.field
        assert field is not None
        low = self.low
        following = self._following(rest, passed)
        if following is None or not disturbs(frozenset([field]), following[0].reads):
            self._unless(self.unit.payments.can_pay(low.x, stmt.player, stmt.costs))
            if following is None:
                self._unsure()
            else:
                self._end_with(*following)
            return
        address = low.temporary("a", low.x.field_address(field, stmt.player, cost.indexes), INDEX)
        amount = low.temporary("n", low.x.lower(cost.amount), INDEX)
        left = Op("subtract", (Op("field", (address, none_of(field.type)), field.type), amount), INDEX)
        self._unless(_at_least(left, Op("const", (bounds(field)[0] or 0,), INDEX)))
        low.out = low.add("borrow", address, amount, blocks=([],)).blocks[0]
        self._end_with(*following)

    def _end_with(self, answer: Foreseen, op: Op) -> None:
        """The answer of the rest is the answer."""
        self._take_over(answer)
        if op is YES or not self.road.may_end:
            self.exact = self.exact and answer.exact
            self._say(op)
            return
        outer = self.low.out
        self._when(op)
        self._yes()
        self.low.out = outer
        self._unsure()

    def _holds(self, stmt: core.Lose) -> bool:
        low = self.low
        for amount in stmt.amounts:
            if disturbs(self.road.changed, frozenset([amount.field])):
                return False
            self.reads |= {amount.field}
            address = low.x.field_address(amount.field, stmt.player, amount.indexes)
            held = Op("field", (address, none_of(amount.field.type)), amount.field.type)
            left = Op("subtract", (held, low.x.lower(amount.amount)), INDEX)
            self._unless(_at_least(left, Op("const", (bounds(amount.field)[0] or 0,), INDEX)))
        return True

    def _if(self, stmt: core.If, rest: Block, before: Block) -> None:
        low = self.low
        held = core.Require(stmt.span, stmt.condition, None)
        failed = core.Require(stmt.span, core.Not(stmt.condition.type, stmt.span, stmt.condition), None)
        if not self._sees(stmt.condition):
            self._either(stmt, rest, before)
            return
        made = low.add("if", low.x.lower(stmt.condition), blocks=([], []))
        outer, road = low.out, self.road
        for target, inner, known in zip(made.blocks, (stmt.then, stmt.otherwise), (held, failed), strict=True):
            low.out, self.road = target, road
            self.block(inner + rest, (*before, known))
        low.out = outer

    def _either(self, stmt: core.If, rest: Block, before: Block) -> None:
        """Which one comes cannot be told: yes only if both are."""
        outer, road = self.low.out, self.road
        for inner in (stmt.then, stmt.otherwise):
            following = self._following(inner + rest, before)
            if following is None:
                self.low.out, self.road = outer, road
                self._unsure()
                return
            self._take_over(following[0])
            if following[1] is not YES:
                self._when(following[1])
        self._yes()
        if self.low.out is not outer:
            self.low.out = outer
            self._unsure()

    def _for(self, stmt: core.For, rest: Block, passed: Block) -> None:
        """Every pass must be able to go through, whatever the others have changed."""
        if stmt.ordered_by is not None or not self._sees(stmt.binder):
            self._unsure()
            return
        low, outer = self.low, self.low.out
        items = bound_set(low, stmt.binder)
        self._goes_over(stmt)
        known = () if stmt.binder.where is None else (core.Require(stmt.span, stmt.binder.where, None),)
        local = low.name(stmt.binder.local)
        self.road = replace(self.road, unknown=self.road.unknown - {stmt.binder.local})
        low.out = low.add("for", local, items, blocks=([],)).blocks[0]
        following = self._following(stmt.body, known)
        if following is None:
            self._unsure()
        else:
            self._take_over(following[0])
            self._when(Op("not", (following[1],), FLAG))
            self._unsure()
        low.out = outer
        self.block(rest, passed)

    def _pick(self, stmt: core.Pick, rest: Block, passed: Block) -> None:
        low, optional = self.low, Maybe(stmt.binder.local.type)
        local = low.name(stmt.binder.local)
        low.let(local, preferred(low, stmt), optional)
        self._unless(_is_there(Op("local", (local,), optional), optional))
        self.block((stmt.body or ()) + rest, passed)

    def _choose_set(self, stmt: core.ChooseSet, rest: Block, passed: Block) -> None:
        """Choosing nothing is one way, if it is allowed; else there must be enough, and which they are stays open."""
        low = self.low
        if stmt.such_that is not None or not self._is_own(stmt.player):
            self._unsure()
        elif stmt.low is None:
            low.let(low.name(stmt.chosen), Op("sequence", (), stmt.chosen.type), stmt.chosen.type)
            self.road = replace(self.road, may_end=True)
            self.block((stmt.body or ()) + rest, passed)
        elif not self._sees(stmt.low, stmt.binder):
            self._unsure()
        else:
            self._unless(_at_least(Op("count", (bound_set(low, stmt.binder),), INDEX), low.x.lower(stmt.low)))
            unknown = self.road.unknown | {stmt.chosen, stmt.binder.local}
            self.road = replace(self.road, unknown=unknown, may_end=True)
            self.block((stmt.body or ()) + rest, passed)

    def _choices(self, ways: list[tuple[core.Expr | None, tuple[core.Binder, ...], Block]], before: Block) -> None:
        """Yes, if for one combination what follows can be done; unsure, if that cannot be told for one."""
        low, outer, road = self.low, self.low.out, self.road
        doubt: Op | None = None
        unseen = False
        for condition, binders, following in ways:
            if not self._sees(condition, *binders):
                unseen = True
                continue
            known = self._following(following, before)
            if known is None:
                unseen = True
                continue
            answer, op = known
            self._take_over(answer)
            self._enter(condition, binders, following if op is not YES else ())
            if op is YES:
                self._yes()
            else:
                said = op if answer.exact else low.temporary("said", op, FLAG)
                inner = low.out
                self._when(said)
                self._yes()
                low.out = inner
                if not answer.exact:
                    doubt = doubt or self._flag()
                    self._when(Op("is_unsure", (said,), FLAG))
                    low.add("let", doubt.args[0], YES)
            low.out, self.road = outer, road
        if unseen:
            self._unsure()
            return
        if doubt is not None:
            self._when(doubt)
            self._unsure()
            low.out = outer
        self._no()

    def _enter(self, condition: core.Expr | None, binders: tuple[core.Binder, ...], following: Block) -> None:
        """Goes through the combinations; what follows begins with conditions that may bar whole loops."""
        low = self.low
        tests = [test for test in guards(low, following)[0] if self._sees(test)] if following and binders else []
        if condition is not None:
            self._when(low.x.lower(condition))
        loops = [low.x.source(binder) for binder in binders]
        for position in range(len(binders)):
            for test in tests:
                used = [number for number, binder in enumerate(binders, 1) if uses(test, binder)]
                if max(used, default=0) == position:
                    self._when(low.x.lower(test))
                elif position == 0 and (least := self._at_least(test, loops)) is not None:
                    self._when(least)
            local, source, where = loops[position]
            low.types[local] = binders[position].local.type
            low.out = low.add("for", local, source, blocks=([],)).blocks[0]
            if where is not None:
                self._when(where)

    def _at_least(self, test: core.Expr, loops: list[tuple[str, Op, Op | None]]) -> Op | None:
        """Of a price that is printed on what is chosen: whether the cheapest of them could be paid."""
        op = self.low.x.lower(test)
        if op.op != "compare" or op.args[0] != ">=" or any(name in free_locals(op.args[1]) for name, _, _ in loops):
            return None
        for local, source, _ in loops:
            price = op.args[2]
            if source.op == "sequence" and source.args and price.op != "const" and is_printed(price, local):
                cheapest = min(self.unit.worked_out(price, local, source.args))
                return Op("compare", (">=", op.args[1], Op("const", (cheapest,), INDEX), None, None), FLAG)
        return None

    def _flag(self) -> Op:
        """A local that is no at first."""
        name = self.unit.temporary("doubt")
        self.low.body.insert(0, Ins("let", (name, NO)))
        return Op("local", (name,), FLAG)

    def _following(self, block: Block, before: Block) -> tuple[Foreseen, Op] | None:
        """What answers for the statements that follow: a single call as it is, else a routine of its own."""
        if not self.analysis.block_refuses(block, before):
            return ALWAYS, YES
        only = block[0] if len(block) == 1 else None
        if isinstance(only, core.CallRule | core.Perform) and not only.if_possible:
            return self._call(only)
        name = self.unit.temporary(f"can_{self.rule.name}" if self.rule.name.isidentifier() else "can")
        made = Foresight(self.unit, self.rule, self.road).routine(name, block, before)
        return None if made is None else (made, as_op(self.unit, made))

    # ------------------------------------------------------------------ calls, pieces, room

    def _ends_with_call(self, stmt: core.Stmt, rest: Block, passed: Block) -> bool:
        """The call is the last thing that can be refused: its answer is the answer."""
        if not isinstance(stmt, core.CallRule | core.Perform) or self.analysis.block_refuses(rest, passed):
            return False
        called = self._call(stmt)
        if called is not None:
            self._end_with(*called)
        return called is not None

    def _can_do(self, stmt: core.CallRule | core.Perform) -> bool:
        called = self._call(stmt)
        if called is None:
            return False
        self._must(*called)
        return True

    def _call(self, stmt: core.CallRule | core.Perform) -> tuple[Foreseen, Op] | None:
        low = self.low
        if isinstance(stmt, core.Perform):
            return self._performing(stmt)
        rule = stmt.rule
        if self.analysis.entry_framed(rule) and not (stmt.args and rule.params and self._is_own(stmt.args[0])):
            return None
        answer = foresee_entry(self.unit, rule)
        if answer is None or not self._sees(*stmt.args) or disturbs(self.road.changed - {RUNNING}, answer.reads):
            return None
        if not answer.name:
            return answer, YES
        self.reads |= answer.reads
        return answer, Op("value", (answer.name, *low.x.lower_all(stmt.args)), FLAG)

    def _performing(self, stmt: core.Perform) -> tuple[Foreseen, Op] | None:
        """The runtime answers exactly for a cell, if need be by trying it."""
        low = self.low
        looked = frozenset(thing for rule in self.analysis.cell_rules for thing in self.footprints.rule_reads(rule))
        if disturbs(self.road.changed - {RUNNING}, looked) or not self._is_own(stmt.player):
            return None
        if not self._sees(stmt.cell, *(value for _, value in stmt.given)):
            return None
        self.reads |= looked
        given = tuple((name, low.x.lower(value)) for name, value in stmt.given)
        op = Op("can_perform", (low.x.lower(stmt.cell), low.x.lower(stmt.player), given), FLAG, stmt.span)
        return Foreseen("can_perform", reads=looked, performs=True), op

    def _has_piece(self, piece: core.Expr, before: Block) -> bool:
        if isinstance(piece.type, Maybe) and not surely_filled(piece, before):
            if not self._sees(piece):
                return False
            self._unless(_is_there(self.low.x.lower(piece), piece.type))
        return True

    def _there_is_one(self, binder: core.Binder) -> None:
        local, source, where = self.low.x.source(binder)
        self.low.types[local] = binder.local.type
        there = Op("first", (local, source, where), Maybe(binder.local.type))
        self._unless(_is_there(there, there.type))

    def _has_room(self, to: core.Destination, before: Block) -> bool:
        low = self.low
        if not fills_up(to, before):
            return True
        assert isinstance(to.place, core.PlaceRef)
        place = to.place.place
        if (place.shape == "slots" and to.place.slot is None) or not self._sees(to.place):
            return False
        if place.shape in ("slot", "slots"):
            self._unless(low.x.lower(core.IsEmpty(FLAG, to.place.span, to.place)))
        else:
            held = Op("count", (low.x.contents(to.place),), INDEX)
            self._unless(Op("compare", ("<", held, Op("const", (place.capacity,), INDEX), None, None), FLAG))
        return True

    def _moves_what_is_seen(self, stmt: core.Stmt, before: Block) -> bool:
        """A piece that its player has just chosen in sight is moved, and nothing is set off by that."""
        if not isinstance(stmt, core.MovePiece) or not isinstance(stmt.piece, core.LocalVar):
            return False
        if self.analysis.change_hooks(stmt) or self.analysis.move_hooks(stmt):
            return False
        for binder in (binder for chosen in before for binder in binders_of(chosen)):
            if binder.local is stmt.piece.local and isinstance(binder.source, core.PlaceRef):
                place = binder.source
                own = place.owner is not None and self._is_own(place.owner)
                return place.place.visibility == "open" or (place.place.visibility == "secret" and own)
        return False


def _leaves(stmt: core.Stmt) -> bool:
    return any(isinstance(inner, core.Done | core.ResultIs | core.Stop) for inner in statements((stmt,)))


def _is_there(piece: Op, of: VType) -> Op:
    return Op("not", (Op("is_none", (piece, none_of(of)), FLAG),), FLAG)


def _at_least(value: Op, least: Op) -> Op:
    return Op("compare", (">=", value, least, None, None), FLAG)


def _is_one(count: core.Expr | None) -> bool:
    return count is None or (isinstance(count, core.Const) and count.value == 1)
