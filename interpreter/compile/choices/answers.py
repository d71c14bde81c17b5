"""Answers that may be unsure, and what they rest on (see foresight).

`Road` says what has happened between the state that is looked at and the statement that is asked about, `Foreseen` what
came of asking. Beside them stands what changes the instructions of answers and questions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...check import program as core
from ...diagnostics.source import Span
from .. import ir
from ..footprint import NOTHING, Things
from ..ir import FLAG, INDEX, Block, Op, Routine

YES, NO, UNSURE = ir.Const(1, type=FLAG), ir.Const(0, type=FLAG), ir.Unsure()


@dataclass(frozen=True)
class Foreseen:
    """The routine that answers for a rule or a branch."""

    name: str = ""  # empty: the answer is always yes, and there is no routine
    params: tuple[str, ...] = ()
    reads: Things = NOTHING  # what the answer depends on: if any of it has changed on the way, it must not be asked
    exact: bool = True  # it is never unsure
    performs: bool = False  # it asks whether a cell can be performed, which the runtime may have to try
    doubt: Span | None = None  # the first statement about which it is unsure


ALWAYS = Foreseen()


@dataclass(frozen=True)
class Road:
    """What lies between the state that is looked at and the statement that is asked about."""

    changed: Things = NOTHING
    unknown: frozenset[core.LocalDecl] = frozenset()  # locals that get their value on the way
    may_end: bool = False  # a trial may have stopped before this point, and counted as success
    splits: int = 0  # how often both cases of an `if` were followed to the end


@dataclass
class Effort:
    """How many statements may still be gone over for one question, each as often as ways lead to it. Behind an `if` and
    behind a choice the rest of a rule is gone over once for each way, so twenty of them in a row would be a million."""

    left: int = 200


def as_op(routines: dict[str, Routine], answer: Foreseen) -> Op:
    """A call of the routine. If the routine is a single `return`, the returned expression itself: it then stands in the
    loop that offers the options, where it costs no call, and the routine is dropped."""
    if not answer.name:
        return YES
    match routines[answer.name].body:
        case [ir.Return(value=said)] if said is not None:
            del routines[answer.name]
            return said
    return called(answer)


def called(answer: Foreseen) -> Op:
    """A call of the routine, where everything that it wants to know is a local."""
    if not answer.name:
        return YES
    return ir.CallValue(answer.name, tuple(ir.Local(param, type=INDEX) for param in answer.params), type=FLAG)


def joined(body: Block) -> Block:
    """Turns `if not a: return no; if not b: return no; return c` into `return a and b and c`. One expression can be put
    beside an option without a call. A body that says unsure anywhere is left as it is: `and` would lose that."""
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


def replace_inside(body: Block, change: Callable[[ir.Ins], Block | None]) -> None:
    """Puts what `change` gives in place of each instruction. Where that is None, the instruction stays, and its blocks
    are gone through in the same way."""
    made: Block = []
    for ins in body:
        new = change(ins)
        made += [ins] if new is None else new
        if new is None:
            for block in ir.blocks_of(ins):
                replace_inside(block, change)
    body[:] = made


def written(body: Block) -> set[str]:
    """Every local that instructions bind."""
    return {
        ins.local for ins in ir.instructions(body) if isinstance(ins, ir.Let | ir.For | ir.Suppose | ir.SupposeMove)
    }


def calls_out(value: Op | None) -> bool:
    """True if evaluating it calls routines, instead of only reading the state."""
    calls = ir.CallValue | ir.CanPerform | ir.CanCall | ir.CanPay
    return any(isinstance(part, calls) for part in ir.operations(value))
