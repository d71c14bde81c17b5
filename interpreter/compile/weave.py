"""Every rule becomes routines, with its hooks woven in; so do values, scores and ranks.

Hooks cost nothing at run time where there are none, because they are woven in here. With

    before mark(p, c)          instead of mark(p, c) when c.row == 1          after mark(p, c)

the rule `mark` becomes these routines:

    rule_mark              the entry, which everybody calls: resets fields declared `this mark`, runs the before hooks,
                           calls the head of the chain, runs the after hooks
    rule_mark__instead_0   tests its condition; if it fails, calls the next of the chain
    rule_mark__own         the body of the rule, last of the chain

`previous` in a hook calls the next routine of the chain. A rule without hooks and resets is its own entry.

The order in the entry can be seen from outside. Fields are set back first, so that a before hook finds them fresh:

    each player                          before turn(p)
      bought: flag this turn               p.bought = yes

Set back after the hook, what it wrote would be lost. And after hooks belong to the rule: what lasts `during mark` goes
back behind them, and `previous` does not run them, however many hooks stand in for the body.
"""

from __future__ import annotations

from ..check import program as core
from ..check.value_types import Number, VType, bare
from ..diagnostics.source import NOWHERE
from . import ir
from .ir import FLAG, INDEX, Op, Routine
from .lower_expressions import ExpressionLowering, _within
from .lower_hooks import run_hook
from .lower_statements import StatementLowering, known_as, lower_body
from .lowering import register_text
from .unit import Unit

# ---------------------------------------------------------------------------- rules


def lower_rule(unit: Unit, rule: core.RuleDecl) -> None:
    # An `instead of` hook is not among them: what it lowers to depends on the next link of its chain.
    for hook in (*rule.before, *rule.after):
        lower_hook(unit, hook)
    entry = unit.routine_name(rule)
    # Without hooks and resets the body itself is the entry: one call less, each time the rule runs.
    if not (rule.before or rule.after or rule.resets or rule.instead):
        lower_body(unit, rule, entry, rule.body)
        return
    chain = [*(f"{entry}__instead_{number}" for number in range(len(rule.instead))), f"{entry}__own"]
    lower_body(unit, rule, chain[-1], rule.body)
    for hook, name, following in zip(rule.instead, chain, chain[1:], strict=False):
        _lower_instead(unit, rule, hook, name, following)
    _lower_entry(unit, rule, chain[0])


def _lower_entry(unit: Unit, rule: core.RuleDecl, head: str) -> None:
    """Resets, before hooks, the chain, after hooks, resets of what lasted as long as the rule."""
    framed = unit.analysis.entry_framed(rule)
    low = StatementLowering(unit, rule, framed)
    args = _own_args(unit, rule)
    if rule.depth is not None:
        low.add(ir.LimitDepth(rule.name, rule.depth))
    _set_back(low, rule.resets)
    for hook in rule.before:
        _call_before(low, rule, hook, args)
    # What the rule gives is kept in a local while the after hooks run: they may call rules that give results too.
    result = _call(low, head, args, rule, framed)
    for hook in rule.after:
        _call_hook(low, hook, args)
    _set_back(low, rule.lasting)
    low.add(ir.Return(result))
    low.finish(unit.routine_name(rule))


def _call(low: StatementLowering, name: str, args: tuple[Op, ...], rule: core.RuleDecl, framed: bool) -> Op | None:
    result = ir.Local(low.unit.temporary("result"), type=rule.result) if rule.result is not None else None
    low.call(name, args, rule, framed, result, any(hook in low.unit.analysis.refuses for hook in rule.after))
    return result


def _call_hook(low: StatementLowering, hook: core.RuleDecl, args: tuple[Op, ...]) -> None:
    run_hook(low, hook, args[: len(hook.params)])


def _set_back(low: StatementLowering, fields: tuple[core.FieldDecl, ...]) -> None:
    for scoped in fields:
        spot = low.unit.layout.fields[scoped]
        low.add(ir.Reset(spot.base, spot.size, scoped.start))


def _call_before(low: StatementLowering, rule: core.RuleDecl, hook: core.RuleDecl, args: tuple[Op, ...]) -> None:
    if not hook.can_prevent:
        _call_hook(low, hook, args)
        return
    # A hook that prevents returns yes, and then the entry returns at once: neither the rule nor its after hooks run.
    unit = low.unit
    name, args = unit.hook_name(hook), args[: len(hook.params)]
    prevented = ir.Local(unit.temporary("prevented"), type=FLAG)
    low.call(name, args, hook, hook in unit.analysis.framed, prevented)
    with low.inside(low.add(ir.If(prevented)).then):
        # The before hooks that ran until here may have written fields that last as long as the rule.
        _set_back(low, rule.lasting)
        low.add(ir.Return())


def lower_hook(unit: Unit, hook: core.RuleDecl) -> None:
    """The routine of a before, after or change hook: `if when: body`. One that can prevent the rule returns whether it
    does."""
    framed = hook in unit.analysis.framed
    low = StatementLowering(unit, hook, framed)
    # Whoever calls such a hook tests what it returns, so every way out of it must say no.
    nothing = ir.Const(0, type=FLAG) if hook.can_prevent else None
    if hook.when is not None:
        low.add(ir.If(ir.Not(low.x.lower(hook.when)), [ir.Return(nothing)], span=hook.span))
    if not low.block(hook.body):
        low.add(ir.Return(nothing))
    low.finish(unit.hook_name(hook))


def _lower_instead(unit: Unit, rule: core.RuleDecl, hook: core.RuleDecl, name: str, following: str) -> None:
    # Framed like the whole chain and not like this hook alone: whoever calls the head must know how to call it, and the
    # next link may ask somebody although this one does not.
    framed = unit.analysis.entry_framed(rule)
    args = _own_args(unit, hook)
    low = StatementLowering(unit, hook, framed, ExpressionLowering(unit, following, args))
    if hook.when is not None:
        made = low.add(ir.If(ir.Not(low.x.lower(hook.when)), span=hook.span))
        with low.inside(made.then):  # the condition failed: the next of the chain
            low.add(ir.Return(_call(low, following, args, rule, framed)))
    if not low.block(hook.body):
        low.add(ir.Return())
    low.finish(name)


def _own_args(unit: Unit, rule: core.RuleDecl) -> tuple[Op, ...]:
    return tuple(ir.Local(unit.local_name(param), type=param.type) for param in rule.params)


# ---------------------------------------------------------------------------- values, scores, cells


def value_links(name: str, rule: core.RuleDecl) -> list[str]:
    """The routines of a value: those of its hooks in the order in which they are asked, its own definition last."""
    chain = [name if number == 0 else f"{name}__instead_{number}" for number in range(len(rule.instead))]
    return [*chain, f"{name}__own" if rule.instead else name]


def lower_value(unit: Unit, rule: core.RuleDecl) -> None:
    names = value_links(unit.value_name(rule), rule)
    _lower_pure(unit, rule, names[-1], None)
    for number, hook in enumerate(rule.instead):
        _lower_pure(unit, hook, names[number], names[number + 1], rule)


def _lower_pure(
    unit: Unit, rule: core.RuleDecl, name: str, following: str | None, base: core.RuleDecl | None = None
) -> None:
    args = _own_args(unit, rule)
    low = StatementLowering(unit, rule, False, ExpressionLowering(unit, following, args))
    if rule.when is not None and following is not None:
        passed_on = ir.CallValue(following, args, type=(base or rule).result or INDEX)
        low.add(ir.If(ir.Not(low.x.lower(rule.when)), [ir.Return(passed_on)], span=rule.span))
    result = (base or rule).result
    if rule.expression is not None:
        value = low.frozen(rule.expression)
        low.add(ir.Return(checked(value, result, rule), span=rule.span))
    else:
        low.block(rule.body)
    params = tuple(unit.local_name(param) for param in rule.params)
    unit.routines[name] = Routine(
        name, "pure", params, body=low.body, rule=known_as(rule), form="value", span=rule.span
    )


def checked(value: Op, result: VType | None, rule: core.RuleDecl) -> Op:
    if result is None or not isinstance(bare(result), Number) or _within(value.type, result):
        return value
    of = bare(result)
    assert isinstance(of, Number)
    return ir.InRange(value, of.low, of.high, rule.name, type=result, span=value.span)


def lower_ends(unit: Unit) -> None:
    """One routine per block of score lines, and one for the criteria of the ranking."""
    for number, block in enumerate(unit.program.scores):
        low = StatementLowering(unit, core.RuleDecl("score", "value", (block.player,), None), framed=False)
        condition = low.x.maybe(block.when)
        lines: list[Op] = []
        for line in block.lines:
            text = low.text(line.label)
            assert text is not None
            lines.append(ir.ScoreLine(text.number, low.text_args(text), low.x.lower(line.value), type=INDEX))
        body: ir.Block = [ir.Return(ir.Tuple(tuple(lines), type=INDEX), span=block.lines[0].value.span)]
        if condition is not None:
            body.insert(0, ir.If(ir.Not(condition), [ir.Return(ir.Tuple((), type=INDEX))]))
        unit.routines[f"score_{number}"] = Routine(
            f"score_{number}", "pure", (unit.local_name(block.player),), body=body, rule="score"
        )
    rank = unit.program.rank
    if rank is not None:
        x = ExpressionLowering(unit)
        keys = []
        for direction, expr in rank.criteria:
            player = ir.Local(unit.local_name(rank.player), type=INDEX)
            value = x.lower(expr) if expr is not None else ir.Score(player, type=INDEX)
            keys.append(value if direction in ("highest", "most") else ir.Unary("negative", value, type=INDEX))
        spoken = next((expr.span for _, expr in rank.criteria if expr is not None), NOWHERE)
        body = [ir.Return(ir.Tuple(tuple(keys), type=INDEX), span=spoken)]
        unit.routines["rank"] = Routine("rank", "pure", (unit.local_name(rank.player),), body=body, rule="rank")
    payoff = unit.program.payoff
    if payoff is not None and payoff.expression is not None:
        body = [ir.Return(ExpressionLowering(unit).lower(payoff.expression), span=payoff.expression.span)]
        whose = (unit.local_name(payoff.params[0]),)
        unit.routines["payoff"] = Routine("payoff", "pure", whose, body=body, rule=payoff.name)


def lower_titles(unit: Unit) -> None:
    """Texts of phases (the path of a decision), and of actions and effects (labels of cells and free actions)."""
    for rule in unit.program.rules.values():
        if rule.text is not None:
            register_text(unit, ExpressionLowering(unit), rule.text)


def lower_cells(unit: Unit) -> None:
    for cell in unit.program.cells:
        for call in cell.calls:
            if call.rule.form == "value":
                unit.need_value(call.rule)
