"""Parts of questions: what a question offers in one of its branches, and that it is posed at all.

    choose one "Meld, lay off or discard?"
      "Run of {n} {s} from {a}" for s in Suit, a in 1..11, n in 3..13 where …
      "Discard {c}" for c in p.hand

Somebody discarded a card. Whether that could have been with another hand is a question about the second line alone,
and all runs of all suits need not be gone through to answer it. Worlds ask such questions of the past hundreds of times
for each world, and mostly one line of them matters. So beside the segment that asks there is one for each branch,
which offers what that branch does and nothing else. And a question with a branch that is always there is posed in any
world: there is a segment for that too, which works out nothing (`POSED`).

Only for questions whose branches have nothing to do with one another: no trials, nothing that is offered because it is
alone. What rules get wrong in a branch (a number out of its range) stops a game, and is not met if it is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from . import ir
from .ir import Block, Ins, Routine, Segment, Site
from .meta import POSED
from .pure import called_by, with_callers
from .tidy import Routines
from .unit import Unit

_INSTRUCTIONS = (
    ir.BeginOptions, ir.Option, ir.Once, ir.PassOption, ir.If, ir.For, ir.Let, ir.Ask, ir.Answer,
    ir.NoteUnasked, ir.Goto, ir.Return,
)  # fmt: skip
# They look at all options, or take up the game for a trial.
_LOOKING = (
    ir.OneOption, ir.IsComplete, ir.IsBranch, ir.OptionValue, ir.ChosenSet, ir.CanCall, ir.CanPerform, ir.CanPay,
    ir.Paid, ir.Formula, ir.Score,
)  # fmt: skip
_KINDS = ("choose", "one", "may")


def parts_of_questions(unit: Unit, routines: Routines) -> Iterator[tuple[Routine, Segment, int]]:
    """Each part: the routine of its question, the segment that asks for the part alone, and the branch or `POSED`."""
    looking = {name for name, routine in unit.routines.items() if _looks(routine)}
    looking = with_callers(looking, unit.routines.values())
    for name in sorted(routines):
        routine = routines[name]
        for segment in routine.segments:
            if segment.role == "asks" and (site := _site_of(unit, segment, looking)) is not None:
                for branch, body in _parts(site, segment.body):
                    yield routine, replace(segment, body=body), branch


def _looks(routine: Routine) -> bool:
    return any(isinstance(op, _LOOKING) for op in routine.operations())


def _site_of(unit: Unit, segment: Segment, looking: set[str]) -> Site | None:
    """The site of a question that can be asked in parts."""
    inside = [*ir.instructions(segment.body)]
    asks = [ins for ins in inside if isinstance(ins, ir.Ask)]
    if len(asks) != 1 or not all(isinstance(ins, _INSTRUCTIONS) for ins in inside):
        return None
    own = Routine("", "plain", (), body=segment.body)
    if _looks(own) or called_by(own) & looking:
        return None
    site = unit.sites[asks[0].site]
    return site if site.kind in _KINDS else None


def _parts(site: Site, body: Block) -> Iterator[tuple[int, Block]]:
    offered = [_branches(ins) for ins in body]
    if any(len(branches) > 1 for branches in offered):
        return
    if not site.silent and not site.may_pass and (posed := _posed(body)) is not None:
        yield POSED, posed
    plain = [number for number, branch in enumerate(site.branches) if not branch.otherwise]
    for branch in plain if len(site.branches) > 1 else ():
        yield branch, [ins for ins, branches in zip(body, offered, strict=True) if branches <= {branch}]


def _posed(body: Block) -> Block | None:
    """The question with nothing but an option that is always there, or would be if there were no other; None if it may
    not be posed."""
    inside = [*ir.instructions(body)]
    always = next((option for ins in body if (option := _always(ins)) is not None), None)
    if always is None or any(isinstance(ins, ir.Goto | ir.Answer | ir.Return) for ins in inside):
        return None
    kept = [ins for ins in body if isinstance(ins, ir.BeginOptions | ir.Ask)]
    ask = kept[-1]
    made = {ins.local_set for ins in inside}
    if not isinstance(ask, ir.Ask) or any(made.intersection(ir.free_locals(op)) for op in ir.operands(ask)):
        return None
    return [*kept[:-1], always, ask]


def _always(ins: Ins) -> ir.Option | None:
    if isinstance(ins, ir.If) and isinstance(ins.condition, ir.Not) and isinstance(ins.condition.of, ir.HasOption):
        return next((option for one in ins.then if (option := _always(one)) is not None), None)
    return ins if isinstance(ins, ir.Option) and not ins.names else None


def _branches(ins: Ins) -> set[int]:
    """The branches whose options an instruction may add."""
    return {one.branch for one in ir.instructions([ins]) if isinstance(one, ir.Option)}
