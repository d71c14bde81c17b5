"""What says whether a call of a rule can be carried through: the rule's own statements, and what stands in for it."""

from __future__ import annotations

from ...check import program as core
from ...check.expression_forms import RUNNING
from .. import ir
from ..footprint import Things
from ..unit import Unit
from .answers import ALWAYS, Foreseen, Road
from .foresight import Foresight


def foresee_entry(unit: Unit, rule: core.RuleDecl) -> Foreseen | None:
    """What says whether a call of the rule can be carried through; None if only a trial can."""
    if not unit.analysis.entry_refuses(rule):
        return ALWAYS
    if rule not in unit.foreseen:
        unit.foreseen[rule] = None  # ends the recursion: a rule that calls itself is left to trials
        unit.foreseen[rule] = _entry_routine(unit, rule)
    return unit.foreseen[rule]


def foresee_entries(unit: Unit) -> None:
    """Answers for the rules that the runtime itself starts: those in table cells, and free actions."""
    for rule in unit.program.rules.values():
        if rule in unit.analysis.cell_rules or rule in unit.program.free_actions:
            made = foresee_entry(unit, rule)
            if made is not None:
                unit.foreseen_entries[rule] = made.name


def _entry_routine(unit: Unit, rule: core.RuleDecl) -> Foreseen | None:
    # Whether a rule with `depth n` may stand in itself once more depends on who has called it.
    if rule.depth or not rule.body:
        return None
    # The routine speaks of the rule's body alone. A hook before or after it that can be refused is not in it.
    if any(hook in unit.analysis.refuses for hook in (*rule.before, *rule.after)):
        return None
    # Before hooks run between the state that is looked at and the body: whatever they write cannot be told any more.
    before = [stmt for hook in rule.before for stmt in hook.body]
    changed: Things = unit.footprints.writes(tuple(before)) | {RUNNING} | frozenset(rule.resets)
    may_end = any(hook.can_prevent for hook in rule.before) or not unit.footprints.certain(tuple(before))
    road = Road(changed, may_end=may_end)
    name = f"can_{unit.routine_name(rule)}"
    own = _body_routine(unit, rule, road, f"{name}_own" if rule.instead else name)
    return _with_replacements(unit, rule, road, name, own) if rule.instead else own


def _body_routine(unit: Unit, rule: core.RuleDecl, road: Road, name: str) -> Foreseen | None:
    """What answers for a body alone, be it a rule's or a hook's."""
    if not unit.analysis.block_refuses(rule.body):
        return ALWAYS
    params = tuple(unit.local_name(param) for param in rule.params)
    return Foresight(unit, rule, road).routine(name, rule.body, (), params)


def _with_replacements(unit: Unit, rule: core.RuleDecl, road: Road, name: str, own: Foreseen | None) -> Foreseen | None:
    """The first `instead of` hook whose condition holds answers; the rule itself if none does."""
    foresight = Foresight(unit, rule, road)
    for number, hook in enumerate(rule.instead):
        # If it cannot be told whether this hook stands in, it cannot be told who answers.
        if len(hook.params) != len(rule.params) or not foresight._sees(hook.when):
            return None
        made = _body_routine(unit, hook, road, f"{name}_instead_{number}")
        for param, same in zip(hook.params, rule.params, strict=True):
            foresight.low.let(unit.local_name(param), ir.Local(unit.local_name(same), type=same.type), param.type)
        with foresight.low.inside(foresight.low.out):
            if hook.when is not None:
                foresight._when(foresight.low.x.lower(hook.when))
            foresight.end_with_routine(made, hook)
    foresight.end_with_routine(own, rule)
    params = tuple(unit.local_name(param) for param in rule.params)
    return foresight.finished(name, params, rule) if foresight.helps else None
