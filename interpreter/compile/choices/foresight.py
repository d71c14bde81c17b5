"""Whether something can be carried through, worked out by conditions instead of being tried on a copy.

A rule begins with requirements, payments and choices; behind the last thing that can be refused nothing is left to
ask. So the rules themselves say most of what a trial would find, and routines `can_…` are made of them: they look at
the state as it is and change nothing (what a later condition must see is supposed, and taken back).

An answer is yes, no, or unsure; only the unsure is tried. Yes is said if some way leads through whatever happens on it,
no if every way is barred:

    requires C, pay n f              no, unless it holds
    choose x in S where C            yes, if it is yes for one x of S
    choose one                       yes, if it is yes for a branch
    if C … else …                    the one that comes; unsure where C cannot be told yet
    a call, `perform`                what its own routine says, and what follows
    move, draw, pick                 there must be one, and room for it
    may …                            as if it were declined: yes, or unsure

What has been changed on the way can no longer be told from the state as it is (see footprint): conditions that look at
it are unsure, unless the change can be supposed (see supposing). Behind chance, unseen pieces and decisions of others a
trial may stop and count as success, so a no is unsure there.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from math import prod

from ...check import program as core
from ...check.forms import Flow, flow
from ...check.program import Block
from ...check.value_types import Maybe
from ...check.walk import speaks_of, statements
from .. import ir
from ..ir import FLAG, INDEX, Op, Routine, free_locals, with_constant
from ..lowering import bound_set, preferred
from ..statement_facts import cases
from .answers import ALWAYS, YES, Foreseen, as_op, calls_out, joined, written
from .demands import at_least, is_there
from .offers import opening_conditions
from .supposing import Supposing

FEW = 16  # at most this many combinations of constants are written out


class Foresight(Supposing):
    """Makes one routine; `block` ends it with an answer on every way."""

    def routine(self, name: str, body: Block, before: Block, params: tuple[str, ...] | None = None) -> Foreseen | None:
        """Makes the routine for a block, given the statements that have come before it; None if it would never be
        sure. Without `params`, the routine takes as parameters the locals that it uses and does not bind."""
        self.block(body, before)
        # A routine that can only say unsure would be asked in front of every trial and save none of them.
        if not self.helps:
            return None
        if params is None:
            made = self.low.body
            own = written(made) | {"e_"}
            params = tuple(dict.fromkeys(n for ins in made for n in free_locals(ins) if n not in own))
        return self.finished(name, params, body[0] if body else self.rule)

    def finished(self, name: str, params: tuple[str, ...], at: core.Stmt | core.RuleDecl) -> Foreseen:
        """The routine as it stands, under that name."""
        made = joined(self.low.body)
        self.unit.routines[name] = Routine(
            name, "pure", params, body=made, rule=self.rule.name, form="value", span=at.span
        )
        return Foreseen(name, params, self.reads, self.exact, self.performs, self.doubt)

    def end_with_routine(self, answer: Foreseen | None, rule: core.RuleDecl) -> None:
        """Returns what another routine says when it is called with the parameters of that rule."""
        if answer is None:
            self._unsure()
        elif not answer.name:
            self._yes()
        else:
            args = tuple(ir.Local(self.unit.local_name(param), type=param.type) for param in rule.params)
            self._end_with(answer, ir.CallValue(answer.name, args, type=FLAG))

    # ------------------------------------------------------------------ statements

    def block(self, stmts: Block, before: Block) -> None:
        """Adds code that answers for these statements. It goes from statement to statement, each case handing on what
        is left; whatever it returns on, later statements are behind it. The order of the cases matters: those with a
        special answer come first, then statements that nothing can refuse, then plain demands, then giving up."""
        if not self.analysis.block_refuses(stmts, before):
            self._yes()
            return
        stmt, rest = stmts[0], stmts[1:]
        passed = (*before, stmt)
        self.at = stmt.span
        self.effort.left -= 1
        if self.effort.left < 0:
            self._unsure()
            return
        match stmt:
            case core.Done() | core.ResultIs() | core.Stop():
                self._yes()
            case _ if flow(stmt) is Flow.ends_game:
                self._yes()  # nothing comes behind it
            case core.Let() if self._sees(stmt.value):
                self.low._let(stmt)
                self.block(rest, passed)
            case core.Let():
                # Its value cannot be told from here, so neither can any condition that uses the name.
                self.road = replace(self.road, unknown=self.road.unknown | {stmt.local})
                self.block(rest, passed)
            case core.May():
                # Declining is one way through; if it fails, accepting may still succeed. So there is never a no.
                self.road = replace(self.road, may_end=True)
                self.block(stmt.otherwise + rest, before)
            # `if p.coins == 0` / `done`, then `requires p.has_paid`: nothing in the `if` can be refused, and yet it
            # decides whether the requirement is ever met.
            case core.If() if self.analysis.stmt_refuses(stmt, before) or _leaves(stmt) or self._may_be_over(stmt):
                self._if(stmt, rest, before)
            # With `if possible` nothing bars the way, but what is chosen, if anything, stays open. Such a choice is
            # gone over further down, like anything that cannot be refused.
            case core.ChooseSet() if not stmt.if_possible:
                self._choose_set(stmt, rest, passed)
            case core.Pick(at_random=False, if_possible=False) if self._sees(stmt.binder, *stmt.preferring):
                self._pick(stmt, rest, passed)
            case core.Choose() if self._is_own(stmt.player) and not stmt.if_possible and self._sees(*stmt.binders):
                self._choices([(None, stmt.binders, (stmt.body or ()) + rest)], passed)
            case core.ChooseOne() if self._is_own(stmt.player) and not any(b.otherwise for b in stmt.branches):
                self._choices([(b.condition, b.binders, b.body + rest) for b in stmt.branches], before)
            # Before the plain cases: counted as a mere change, the store would make every later condition on its field
            # unsure.
            case core.SetField() if self._is_supposed(stmt, rest, before):
                self._suppose(stmt, rest, passed)
            case core.MovePiece() if self._may_suppose_move(stmt, rest) and self._demands(stmt, before):
                self._suppose_move(stmt, rest, before)
            # Nothing in such an `if` can be refused, but `if c.man is not empty` / `move c.man to box` decides which
            # stores and moves are supposed from here on.
            case core.If() if self._is_split(stmt, rest):
                self.road = replace(self.road, splits=self.road.splits + 1)
                self._if(stmt, rest, before)
            case _ if not self.analysis.stmt_refuses(stmt, before):
                self._goes_over(stmt, before, seen=self._moves_what_is_seen(stmt, before))
                self.block(rest, passed)
            case core.Pay() if not self.analysis.hooks_refuse(stmt):
                self._pay(stmt, rest, passed)
            case _ if self._ends_with_call(stmt, rest, passed):
                pass
            case _ if self._demands(stmt, before):
                self._goes_over(stmt, before, seen=self._moves_what_is_seen(stmt, before))
                self.block(rest, passed)
            case _:
                self._unsure()

    def _demands(self, stmt: core.Stmt, before: Block) -> bool:
        """Adds a test for each thing that the statement itself demands; False if that cannot be told."""
        # What a hook on the change asks for is not among the demands of the statement itself.
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
            case core.Flip():
                return self._has_piece(stmt.piece, before)
            case core.SwapPieces():
                return self._has_piece(stmt.first, before) and self._has_piece(stmt.second, before)
            # For several pieces the room that they need would have to be worked out as well; that is left to a trial.
            case core.MoveSome(quantity="exactly") if _is_one(stmt.count) and self._sees(stmt.binder):
                self._there_is_one(stmt.binder)
                return self._has_room(stmt.to, before)
            case core.Draw(up_to=False) if self._sees(stmt.source, stmt.count):
                held = ir.Count(self.low.x.contents(stmt.source), type=INDEX)
                self._unless(at_least(held, self.low.x.lower(stmt.count)))
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
        if self._is_plainly_paid(stmt):
            self._suppose_paid(stmt, rest, passed)
            return
        self._unless(self.unit.payments.can_pay(self.low.x, stmt.player, stmt.costs))
        self._goes_over(stmt, passed, seen=True)
        self.block(rest, passed)

    def _end_with(self, answer: Foreseen, op: Op) -> None:
        """Returns the answer of the rest. If a trial may have stopped on the way, its no only means unsure."""
        self._take_over(answer)
        if op is YES or not self.road.may_end:
            self.exact = self.exact and answer.exact
            self._say(op)
            return
        # `draw 1 from deck to p.hand` / `requires p.coins >= 3`: the trial stops at the draw and never comes to the
        # requirement, so the draw is offered to somebody with two coins too.
        with self._inside(op):
            self._yes()
        self._unsure()

    def _if(self, stmt: core.If, rest: Block, before: Block) -> None:
        low = self.low
        # The condition looks at something that has changed on the way: which branch comes is not known yet.
        if not self._sees(stmt.condition):
            self._unsure()
            return
        made = low.add(ir.If(low.x.lower(stmt.condition)))
        # In each branch the condition is known to hold or to fail, which may settle later questions ("is the slot
        # empty?"). Both branches start from the same road: what one changes, the other has not.
        road = self.road
        for target, (inner, known) in zip((made.then, made.otherwise), cases(stmt), strict=True):
            self.road = road
            with low.inside(target):
                self.block(inner + rest, (*before, known))

    def _pick(self, stmt: core.Pick, rest: Block, passed: Block) -> None:
        low, optional = self.low, Maybe(stmt.binder.local.type)
        local = low.name(stmt.binder.local)
        low.let(local, preferred(low, stmt), optional)
        self._unless(is_there(ir.Local(local, type=optional), optional))
        self.block((stmt.body or ()) + rest, passed)

    def _choose_set(self, stmt: core.ChooseSet, rest: Block, passed: Block) -> None:
        """If the empty set is allowed, it is one way through. Otherwise there must be enough to choose from, and which
        ones are chosen stays open: trying every subset here would be a trial in all but name."""
        low = self.low
        if stmt.such_that is not None or not self._is_own(stmt.player):
            self._unsure()
        elif stmt.low is None:
            low.let(low.name(stmt.chosen), ir.Sequence((), type=stmt.chosen.type), stmt.chosen.type)
            self.road = replace(self.road, may_end=True)
            self.block((stmt.body or ()) + rest, passed)
        elif not self._sees(stmt.low, stmt.binder):
            self._unsure()
        else:
            self._unless(at_least(ir.Count(bound_set(low, stmt.binder), type=INDEX), low.x.lower(stmt.low)))
            unknown = self.road.unknown | {stmt.chosen, stmt.binder.local}
            self.road = replace(self.road, unknown=unknown, may_end=True)
            self.block((stmt.body or ()) + rest, passed)

    def _choices(self, ways: list[tuple[core.Expr | None, tuple[core.Binder, ...], Block]], before: Block) -> None:
        """Yes as soon as one combination of choices goes through; unsure if none did but one could not be told; else
        no. A decision needs a single way, so the loops stop at the first yes."""
        low, outer, road = self.low, self.low.out, self.road
        doubt: ir.Local | None = None  # set at run time when a combination was unsure
        unseen = False  # a whole branch cannot be told, whatever the state is
        for condition, binders, following in ways:
            if not self._sees(condition, *binders):
                unseen = True
                continue
            tests = self._tests(following) if binders else []
            known, all_tested = self._behind(following, before, tests)
            if known is None:
                unseen = True
                continue
            answer, op = known
            self._take_over(answer)
            if condition is not None:
                self._when(low.x.lower(condition))
            loops = [low.x.source(binder) for binder in binders]
            # Who cannot pay the cheapest card need not go over the cards.
            for least in filter(None, (self._at_least(test, loops) for test in tests)):
                self._when(least)
            every = self._written_out(loops, op, answer, tests if all_tested else [])
            if every is None:
                self._enter(binders, loops, tests, all_tested)
            else:
                op = every
            if op is YES:
                self._yes()
            else:
                # An answer that may be unsure is looked at twice, for a yes and for a doubt, so it is kept.
                said = op if answer.exact else low.temporary("said", op, FLAG)
                with self._inside(said):
                    self._yes()
                if not answer.exact:
                    doubt = doubt or self._flag()
                    self._when(ir.IsUnsure(said))
                    low.add(ir.Let(doubt.name, YES))
            low.out, self.road = outer, road
        if unseen:
            self._unsure()
            return
        if doubt is not None:
            with self._inside(doubt):
                self._unsure()
        self._no()

    def _tests(self, following: Block) -> list[core.Expr]:
        """The conditions that what follows begins with, as far as they can be told."""
        return [test for test in opening_conditions(self.low, following)[0] if self._sees(test)]

    def _behind(
        self, following: Block, before: Block, tests: list[core.Expr]
    ) -> tuple[tuple[Foreseen, Op] | None, bool]:
        """What answers for what follows, and whether it takes for granted that the tests hold. Leaving out tests that
        the loop makes anyway is shorter; but what was tested counts as changed then (it has been paid), so the answer
        may become unsure. The exact one of the two wins."""
        asked, rest = opening_conditions(self.low, following)
        if not tests or len(tests) < len(asked):
            return self._following(following, before), False
        road = self.road
        named, done = self._passes(following, rest)
        made = self._following(named + rest, before + done)
        self.road = road
        if made is not None and made[0].exact:
            return made, True
        whole = self._following(following, before)
        if made is None or (whole is not None and whole[0].exact):
            return whole, False
        return made, True

    def _passes(self, body: Block, rest: Block) -> tuple[Block, Block]:
        """Counts the statements before `rest` as done. Gives their `let`s, whose names are still needed, and all of
        them."""
        done = body[: len(body) - len(rest)]
        for stmt in done:
            if not isinstance(stmt, core.Let):
                self._goes_over(stmt, (), seen=True)
        return tuple(stmt for stmt in done if isinstance(stmt, core.Let)), done

    def behind_opening(self, name: str, body: Block, before: Block) -> Foreseen | None:
        """The routine for what comes behind the conditions that a block begins with; None if there are none."""
        asked, rest = opening_conditions(self.low, body)
        if not asked or not all(self._sees(test) for test in asked):
            return None
        named, done = self._passes(body, rest)
        return self.routine(name, named + rest, before + done)

    def _written_out(
        self, loops: list[tuple[str, Op, Op | None]], op: Op, answer: Foreseen, tests: list[core.Expr]
    ) -> Op | None:
        """`some x in (1, 2, 3) has C` as `C(1) or C(2) or C(3)`, which is quicker than a loop; None if there are too
        many combinations, or C is more than a plain condition."""
        # Written out it may be a plain condition, and then options are tested as they are listed (`filters`). Playouts
        # draw from that list, so the same seed would play another game without this.
        size = prod(len(source.values) if isinstance(source, ir.Sequence) else FEW + 1 for _, source, _ in loops)
        conditions = [self.low.x.lower(test) for test in tests]
        parts = [where for _, _, where in loops if where is not None] + conditions
        if not loops or size > FEW or not answer.exact or any(map(calls_out, (op, *parts))):
            return None
        for part in reversed(parts):
            op = part if op is YES else ir.And(part, op)
        found = [op]
        for local, source, _ in reversed(loops):
            assert isinstance(source, ir.Sequence)
            found = [with_constant(one, local, number) for number in source.values for one in found]
        return reduce(ir.Or, found)

    def _enter(
        self,
        binders: tuple[core.Binder, ...],
        loops: list[tuple[str, Op, Op | None]],
        tests: list[core.Expr],
        all_tested: bool,
    ) -> None:
        """Opens one loop per binder. Each test stands in the outermost loop that binds all it speaks of, so that a test
        on the first choice alone is not repeated for every second one."""
        low = self.low
        for position in range(len(binders) + 1):
            for test in tests:
                used = [number for number, binder in enumerate(binders, 1) if speaks_of(test, binder.local)]
                if max(used, default=0) == position and (all_tested or position < len(binders)):
                    self._when(low.x.lower(test))
            if position < len(binders):
                local, source, where = loops[position]
                low.types[local] = binders[position].local.type
                low.out = low.add(ir.For(local, source)).body
                if where is not None:
                    self._when(where)

    def _following(self, block: Block, before: Block) -> tuple[Foreseen, Op] | None:
        """What answers for the statements that follow: for a single call the routine of the called rule, otherwise a
        new routine. A routine of its own lets its answer be unsure without ending the one around it."""
        if not self.analysis.block_refuses(block, before):
            return ALWAYS, YES
        # The routine of a rule serves all who call it. Its conditions written out here would be the same code again.
        only = block[0] if len(block) == 1 else None
        if isinstance(only, core.CallRule | core.Perform) and not only.if_possible:
            return self._call(only)
        name = self.unit.temporary(f"can_{self.rule.name}" if self.rule.name.isidentifier() else "can")
        made = Foresight(self.unit, self.rule, self.road, self.analysis, self.effort).routine(name, block, before)
        return None if made is None else (made, as_op(self.unit.routines, made))

    # ------------------------------------------------------------------ calls, pieces, room

    def _ends_with_call(self, stmt: core.Stmt, rest: Block, passed: Block) -> bool:
        """If the call is the last thing that can be refused, returns what the called rule answers."""
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


def _leaves(stmt: core.Stmt) -> bool:
    return any(isinstance(inner, core.Done | core.ResultIs | core.Stop) for inner in statements((stmt,)))


def _is_one(count: core.Expr | None) -> bool:
    return count is None or (isinstance(count, core.Const) and count.value == 1)
