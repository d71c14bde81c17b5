"""Answers that may be unsure, and what they rest on (see foresight).

`Road` says what has happened between the state that is looked at and the statement that is asked about, `Foreseen` what
came of asking, `Answers` writes the answering instructions.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..check import program as core
from ..check.walk import Node, walk
from ..diagnostics.source import Span
from . import ir
from .footprint import NOTHING, Footprints, Things, disturbs
from .ir import FLAG, INDEX, Block, Op
from .lower_expressions import ExpressionLowering
from .lower_statements import StatementLowering
from .statement_facts import binders_of
from .unit import Unit

YES, NO, UNSURE = ir.Const(1, type=FLAG), ir.Const(0, type=FLAG), ir.Unsure()


@dataclass(frozen=True)
class Foreseen:
    """What answers for a rule or a branch. `name` is empty if the answer is always yes. `reads`: what the answer rests
    on; `exact`: it is never unsure; `performs`: it asks whether a cell can be performed; `doubt`: the first place
    where it is unsure."""

    name: str = ""
    params: tuple[str, ...] = ()
    reads: Things = NOTHING
    exact: bool = True
    performs: bool = False
    doubt: Span | None = None


ALWAYS = Foreseen()


@dataclass(frozen=True)
class Road:
    """What lies between the state that is looked at and the statement that is asked about."""

    changed: Things = NOTHING
    unknown: frozenset[core.LocalDecl] = frozenset()  # locals that get their value on the way
    may_end: bool = False  # a trial may end here, content


class Answers:
    """The body of one routine in the making: what it answers, and what it can still tell."""

    def __init__(self, unit: Unit, rule: core.RuleDecl, road: Road) -> None:
        self.unit = unit
        self.rule = rule
        self.road = road
        self.low = StatementLowering(unit, rule, False, ExpressionLowering(unit))
        self.analysis = unit.analysis
        self.footprints: Footprints = unit.footprints
        self.reads: Things = NOTHING
        self.exact = True
        self.performs = False
        self.helps = False  # it says yes or no at least sometimes
        self.at: Span = rule.span  # the statement that is looked at
        self.doubt: Span | None = None  # the first one that cannot be told in every case

    def _say(self, answer: Op) -> None:
        self.low.add(ir.Return(answer))
        self.helps = True

    def _yes(self) -> None:
        self._say(YES)

    def _unsure(self) -> None:
        self.exact = False
        self.doubt = self.doubt or self.at
        self.low.add(ir.Return(UNSURE))

    def _no(self) -> None:
        if self.road.may_end:
            self._unsure()
        else:
            self._say(NO)

    def _when(self, condition: Op) -> None:
        """What is added from here on comes only under that condition, until `low.out` is set back."""
        self.low.out = self.low.add(ir.If(condition)).then

    def _unless(self, condition: Op) -> None:
        """No, unless the condition holds; then on."""
        outer = self.low.out
        self._when(ir.Not(condition))
        self._no()
        self.low.out = outer

    def _must(self, answer: Foreseen, op: Op) -> None:
        """On only if the answer is yes."""
        if not answer.name and op is YES:
            return
        self._take_over(answer)
        if answer.exact:
            self._unless(op)
            return
        outer, said = self.low.out, self.low.temporary("said", op, FLAG)
        self._when(ir.Not(said))
        if self.road.may_end:
            self._unsure()
        else:
            self.exact = False
            self._say(said)
        self.low.out = outer

    def _take_over(self, answer: Foreseen) -> None:
        self.reads |= answer.reads
        self.performs = self.performs or answer.performs
        self.doubt = self.doubt or answer.doubt

    def _sees(self, *nodes: Node | None) -> bool:
        """What these look at is still as it was; if so, the answer rests on it."""
        present = [node for node in nodes if node is not None]
        inside = [part for node in present for part in walk(node)]
        if any(isinstance(part, core.InRange) for part in inside):  # a fault is shown by taking an option
            return False
        if any(isinstance(part, core.LocalVar) and part.local in self.road.unknown for part in inside):
            return False
        seen = frozenset(thing for node in present for thing in self.footprints.reads(node))
        if disturbs(self.road.changed, seen):
            return False
        self.reads |= seen
        return True

    def _goes_over(self, stmt: core.Stmt, seen: bool = False) -> None:
        """The road leads over a statement: what it changes cannot be told from here on."""
        changed = self.footprints.writes((stmt,))
        may_end = not (seen or self.footprints.certain((stmt,)))
        new = {getattr(stmt, "result", None), getattr(stmt, "chosen", None)}
        new |= {binder.local for binder in binders_of(stmt)}
        unknown = frozenset(local for local in new if isinstance(local, core.LocalDecl))
        road = self.road
        self.road = Road(road.changed | changed, road.unknown | unknown, road.may_end or may_end)

    def _is_own(self, player: core.Expr) -> bool:
        """Only the decisions of the one who looks ahead can be answered as that player likes."""
        params = self.rule.params
        return isinstance(player, core.LocalVar) and bool(params) and player.local is params[0]


def as_op(unit: Unit, answer: Foreseen) -> Op:
    """A call of a routine; of one that does nothing but answer, the answer itself."""
    if not answer.name:
        return YES
    match unit.routines[answer.name].body:
        case [ir.Return(value=said)] if said is not None:
            del unit.routines[answer.name]
            return said
    return ir.CallValue(answer.name, tuple(ir.Local(param, type=INDEX) for param in answer.params), type=FLAG)


def joined(body: Block) -> Block:
    """Conditions one after the other, each with a no behind it, and an answer: as one answer."""
    *tests, last = body
    if not isinstance(last, ir.Return) or last.value is None or last.value in (NO, UNSURE):
        return body
    answer = last.value
    for ins in reversed(tests):
        match ins:
            case ir.If(condition=ir.Not(of=held), then=[ir.Return(value=said)], otherwise=[]) if said is NO:
                answer = held if answer is YES else ir.And(held, answer)
            case _:
                return body
    return [ir.Return(answer, span=last.span)]


def written(body: Block) -> set[str]:
    """Every local that instructions bind."""
    return {ins.local for _, _, ins in ir.instructions(body) if isinstance(ins, ir.Let | ir.For)}


def calls_out(value: Op | None) -> bool:
    """Working it out takes more than a look."""
    calls = ir.CallValue | ir.CanPerform | ir.CanCall | ir.CanPay
    return any(isinstance(part, calls) for part in ir.operations(value))
