"""Finds unbounded recursion: values that depend on themselves, rules that call themselves without a bound, hooks that
trigger themselves.

A value may never depend on itself. Phases, actions and effects may recurse only through `perform` (an instance that is
running is not performed again) or through a rule that declares `depth n`. A hook on a change must not make that change
itself. Setting a field to a value that does not depend on the field is allowed: the second time nothing changes, so
the hook is not triggered again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from ..diagnostics.diagnostic import Diagnostics, Label
from ..diagnostics.source import Span
from . import program as p
from .expression_forms import asked_rule
from .forms import Calls, UnknownForm, calls, motion, written_fields
from .value_types import Number
from .walk import walk, walk_rule


@dataclass(frozen=True, eq=False)
class Link:
    """One rule leads to another, at a place in its text."""

    to: p.RuleDecl
    span: Span
    how: str  # uses, calls, sets off


def refuse_cycles(program: p.Program, found: Diagnostics) -> None:
    """Adds a finding for every cycle, described as a chain of rules."""
    links = {rule: list(_links(program, rule)) for rule in (*program.all_hooks(), *program.rules.values())}
    reported: set[p.RuleDecl] = set()
    for rule in links:
        if rule in reported or rule.depth is not None:
            continue
        chain = _way_back(links, rule)
        if chain is not None:
            # One cycle, one finding: every rule on it would tell the same chain from its own place.
            reported.update(link.to for link in chain)
            _report(rule, chain, found)


def _way_back(links: dict[p.RuleDecl, list[Link]], start: p.RuleDecl) -> list[Link] | None:
    """The shortest chain of links from a rule back to itself that avoids rules with a `depth`."""
    # Breadth first, so that the chain in the report is the shortest. A rule with `depth n` bounds every cycle through
    # it at run time, so the search does not go past such rules.
    came: dict[p.RuleDecl, tuple[p.RuleDecl, Link]] = {}
    to_visit = deque([start])
    while to_visit:
        rule = to_visit.popleft()
        for link in links.get(rule, ()):
            if link.to is start:
                return [*_chain(came, start, rule), link]
            if link.to not in came and link.to.depth is None:
                came[link.to] = (rule, link)
                to_visit.append(link.to)
    return None


def _chain(came: dict[p.RuleDecl, tuple[p.RuleDecl, Link]], start: p.RuleDecl, rule: p.RuleDecl) -> list[Link]:
    chain: list[Link] = []
    while rule is not start:
        rule, link = came[rule]
        chain.append(link)
    return chain[::-1]


def _report(rule: p.RuleDecl, chain: list[Link], found: Diagnostics) -> None:
    others = tuple(Label(link.span, f"{link.how} {_name(link.to)}") for link in chain)
    if any(link.how == "sets off" for link in chain):
        what = f"{_name(rule)} can set itself off"
        help = "let its `when` rule that out by another field, or do it elsewhere"
        found.error("R0625", what, rule.span, "begins again through its own doing", others=others, help=help)
    elif rule.form == "value":
        what = f"the value {_name(rule)} is computed from itself"
        help = "a value cannot use itself, not through others either; an effect with `depth 9` and a result can"
        found.error("R0467", what, rule.span, "needs itself", others=others, help=help)
    else:
        what = f"{_name(rule)} comes back to itself without end"
        if rule.form == "effect":
            help = "say how deep it may go: `depth 9` on the rule, or go through `perform`"
        else:
            help = "let a `repeat` with `stop` do it, or put what comes back into an effect with `depth 9`"
        found.error("R0468", what, rule.span, "calls lead back here", others=others, help=help)


def _name(rule: p.RuleDecl) -> str:
    return f"the hook `{rule.name}`" if rule.form == "hook" else f"`{rule.name}`"


# ---------------------------------------------------------------------------- what leads where


def _links(program: p.Program, rule: p.RuleDecl) -> Iterator[Link]:
    for hook in rule.hooks:
        yield Link(hook, hook.span, "runs")
    for node in walk_rule(rule):
        if isinstance(node, p.Expr):
            yield from _asked(program, node)
        elif isinstance(node, p.Stmt):
            if calls(node) is Calls.rule and isinstance(node, p.CallRule):
                yield Link(node.rule, node.span, "calls")
            yield from _set_off(program, node)


def _asked(program: p.Program, expr: p.Expr) -> Iterator[Link]:
    """The rules that evaluating an expression may call."""
    rule = asked_rule(expr)
    if rule is not None:
        yield Link(rule, expr.span, "uses" if rule.form == "value" else "asks whether one can do")
    if isinstance(expr, p.FormulaCall):
        rules = dict.fromkeys(call.rule for cell in program.cells for call in cell.calls)
        yield from (Link(rule, expr.span, "may use") for rule in rules if rule.form == "value")


def _set_off(program: p.Program, stmt: p.Stmt) -> Iterator[Link]:
    """The hooks on changes and moves that a statement itself may trigger."""
    for hook in program.change_hooks:
        if hook.field is not None and _changes(stmt, hook.field, hook):
            yield Link(hook.rule, stmt.span, "sets off")
        elif hook.place is not None and _moves(stmt, hook.place, hook.change == "grows"):
            yield Link(hook.rule, stmt.span, "sets off")
    for moving in program.move_hooks:
        moved = motion(stmt)
        if moved is not None and moved.singly and _moves(stmt, moving.place, moving.motion == "enters"):
            yield Link(moving.rule, stmt.span, "sets off")


def _changes(stmt: p.Stmt, field: p.FieldDecl, hook: p.ChangeHook) -> bool:
    """True if a statement may change a field in the direction that the hook waits for."""
    if field not in written_fields(stmt):
        return False
    match stmt:
        case p.SetField():
            return _set_changes(stmt, field, hook)
        case p.Gain():
            return hook.change in ("rises", "changes")
        case p.Lose():
            return hook.change in ("falls", "changes")
        case p.Pay():
            return hook.change in ("falls", "changes") or stmt.to is not None
        case _:
            raise UnknownForm(stmt)


def _set_changes(stmt: p.SetField, field: p.FieldDecl, hook: p.ChangeHook) -> bool:
    # `after p.vp changes` / `p.vp = 10`: the second time it is 10 already, nothing changes, and the hook is not set off
    # again. `p.vp = p.vp + 1` never comes to rest.
    if stmt.op == "=":
        return any(isinstance(part, p.FieldRead) and part.field is field for part in walk(stmt.value))
    by = stmt.value.type
    assert isinstance(by, Number)
    up, down = (by.high > 0, by.low < 0) if stmt.op == "+=" else (by.low < 0, by.high > 0)
    return {"rises": up, "falls": down, "changes": up or down}[hook.change]


def _moves(stmt: p.Stmt, place: p.PlaceDecl, into: bool) -> bool:
    """True if a statement names this place as one that pieces enter or leave.

    A move that does not say where the piece lies is ignored: otherwise nearly every move could trigger every hook.
    """
    moved = motion(stmt)
    if moved is None or set(moved.kinds).isdisjoint(place.kinds):
        return False
    return place in (moved.put_into if into else moved.taken_from)
