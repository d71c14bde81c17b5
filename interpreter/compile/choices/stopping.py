"""Trials that stop at the first way through.

A trial that comes to a further choice of the same player asks only whether there is some way on. It need not know all
options: one that is sure to go through ends it. Two kinds are:

    choose d in Direction "Which way?"      # nothing behind it can be refused: the first direction is enough
    choose c in market "Which card?"        # what follows has a price: the first card that the test approves is enough
    buy(p, c)

So each option has a line in front of it, for trials alone, that ends the trial with success. Where nothing is sure, an
option is tried as soon as the next one is met (`TryListed`), so that the rest need not be listed once one goes through;
the last of them is tried in place, without a further copy. A trial looks to the end of the phase or of the call in
which it began, a question to the end of its own phase. `SureHere` says whether what is sure for the question is
therefore sure for the trial.

What the player is told stays the same. The reason that is shown for an option which is not offered comes from trials
that fail, and those still try everything.
"""

from __future__ import annotations

from .. import ir
from ..ir import FLAG, Block, Op, Site
from ..lowering import Lowering
from ..meta import PASS
from ..pure import operation_may_fault, routine_may_fault
from ..unit import Unit
from .answers import UNSURE, YES, replace_inside

KINDS = ("choose", "one", "may")  # the others may go on by themselves when there is a single option


def stop_on_trial(low: Lowering, site: Site, player: Op) -> None:
    """Lets trials that come to the question being lowered stop at the first option that is sure."""
    if site.kind not in KINDS:
        return
    if site.may_pass and PASS not in site.trial_branches:  # passing is the quickest way through
        passing = ir.SureHere(site.number, player, "passing")
        low.question.insert(0, ir.Only(("trial",), [ir.If(passing, [ir.Succeed()])]))
        return
    made = _Stopping(low.unit, site, player, low.approved, low.exactly)
    # The flags are noted while the options are gone through, and set in front of them: asked inside the loops, the same
    # question would be answered for every option.
    replace_inside(low.question, made.stopping)
    begins: Block = [ir.Let(name, sure) for name, sure in made.lets.values()]
    if begins:
        low.question.insert(0, ir.Only(("trial",), begins))


class _Stopping:
    def __init__(self, unit: Unit, site: Site, player: Op, approved: dict[int, Op], exact: set[int]) -> None:
        self.unit, self.site, self.player = unit, site, player
        told = {branch: test for branch, test in approved.items() if test is not UNSURE}
        self.approved = {branch: test for branch, test in told.items() if not _may_fault(unit, test, set())}
        self.lets: dict[ir.SureOf, tuple[str, Op]] = {}
        own = {number for number, branch in enumerate(site.branches) if not branch.otherwise}
        # Where an option of another branch would be sure, or a test is exact, it is worth looking for that first.
        self.tries_listed = own <= set(site.trial_branches) - exact and not site.may_pass

    def stopping(self, ins: ir.Ins) -> Block | None:
        """An instruction that offers something, with the lines for trials."""
        match ins:
            case ir.Option():
                return [*self._before(ins), ins]
            case ir.OfferAll():
                return self._one_by_one(ins)
        return None

    def _before(self, option: ir.Option) -> Block:
        made: Block = []
        if option.branch not in self.site.trial_branches:
            made.append(ir.If(self._sure("untried"), [ir.Succeed()]))
        elif option.branch in self.approved:
            answer = self.approved[option.branch]
            stops: Block = [ir.Succeed()]
            # An answer that is unsure is no yes: the option is listed like those that the test refuses.
            made.append(ir.If(self._sure("tested"), stops if answer is YES else [ir.IfAnswer(answer, stops, [])]))
        if self.tries_listed:
            made.append(ir.TryListed(self.player))
        return [ir.Only(("trial",), made, span=option.span)] if made else []

    def _one_by_one(self, ins: ir.OfferAll) -> Block:
        """All of a set at once, but for trials: they take the first."""
        assert isinstance(ins.source, ir.All)
        local, where = ins.source.local, ins.source.where
        option = ir.Option(self.site.number, 0, (local,), span=ins.span)
        inner: Block = [*self._before(option), option]
        if where is not None:
            inner = [ir.If(where, inner, span=ins.span)]
        listed: Block = [ir.BeginOptions(), ir.For(local, ins.source.source, inner, span=ins.span)]
        return [ir.Only(("play", "playout"), [ins]), ir.Only(("trial",), listed)]

    def _sure(self, of: ir.SureOf) -> Op:
        if of not in self.lets:
            self.lets[of] = self.unit.temporary("sure"), ir.SureHere(self.site.number, self.player, of)
        return ir.Local(self.lets[of][0], type=FLAG)


def _may_fault(unit: Unit, op: Op, seen: set[str]) -> bool:
    """Working it out may be a fault. That would end the trial with success; an option with a faulty test is tried."""
    for part in ir.operations(op):
        if operation_may_fault(part):
            return True
        if isinstance(part, ir.CallValue) and part.routine not in seen:
            seen.add(part.routine)
            routine = unit.routines.get(part.routine)
            if routine is None or routine_may_fault(routine):
                return True
            inside = [used for ins in ir.instructions(routine.body) for used in ir.operands(ins)]
            if any(_may_fault(unit, used, seen) for used in inside):
                return True
    return False
