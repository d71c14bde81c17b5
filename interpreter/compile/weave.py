"""Lowers a whole game: every rule, with its hooks woven in, becomes routines.

Hooks cost nothing at run time where there are none, because they are woven in here. With

    before mark(p, c)          instead of mark(p, c) when c.row == 1          after mark(p, c)

the rule `mark` becomes these routines:

    rule_mark              the entry, which everybody calls: resets fields declared `this mark`, runs the before hooks,
                           calls the head of the chain, runs the after hooks
    rule_mark__instead_0   tests its condition; if it fails, calls the next of the chain
    rule_mark__own         the body of the rule, last of the chain

`previous` in a hook calls the next routine of the chain. A rule without hooks and resets is its own entry.
"""

from __future__ import annotations

from functools import partial

from ..check import program as core
from ..check.forms import is_chance
from ..check.value_types import Number, VType, bare
from ..check.walk import statements
from . import ir
from .analysis import Analysis
from .choices.foresee_rules import foresee_entries, foresee_entry
from .footprint import Footprints
from .ir import FLAG, INDEX, Ins, Op, Routine
from .layout import lay_out
from .lower_expressions import ExpressionLowering, _within
from .lower_hooks import run_hook
from .lower_payments import Payments
from .lower_statements import StatementLowering
from .lowering import register_text
from .progress import add_progress
from .settled import Settled
from .substitute import number_afresh
from .tidy import tidy
from .unit import Unit

DEALING = core.Pick | core.Draw  # chance in setup too: shuffled before, only the order says which piece comes


def lower_program(program: core.Program, asked: tuple[core.RuleDecl, ...] = ()) -> Unit:
    """`asked`: values that no rule needs but somebody wants to ask. They come last, so nothing else changes."""
    number_afresh()
    analysis = Analysis(program)
    unit = Unit(program, lay_out(program), analysis, Settled(analysis))
    unit.payments = Payments(unit)
    unit.footprints = Footprints(unit.analysis)
    unit.foresee = partial(foresee_entry, unit)
    foresee_entries(unit)
    for rule in program.rules.values():
        if rule.form != "value":
            _lower_rule(unit, rule)
    for hook in [h.rule for h in program.change_hooks] + [h.rule for h in program.move_hooks]:
        _lower_hook(unit, hook)
    _lower_ends(unit)
    _lower_titles(unit)
    _lower_cells(unit)
    for lower_reasons in unit.reasons_later:  # last: what people may ask changes no number of what is played
        lower_reasons()
    for rule in asked:
        unit.need_value(rule)
    # Lowering a value may ask for further values, so this goes on until no new one is asked for.
    done: set[core.RuleDecl] = set()
    while len(done) < len(unit.values_needed):
        for rule in list(unit.values_needed):
            if rule not in done:
                done.add(rule)
                _lower_value(unit, rule)
    _drop_unused(unit)
    add_progress(unit)
    return unit


def _drop_unused(unit: Unit) -> None:
    """Drops routines `can_…` that nothing calls: foresight makes some, compares them, and keeps the better one.
    Dropping one may leave another unused, so it is repeated."""
    named = {
        name: _names_in([routine.body, *(segment.body for segment in routine.segments)])
        for name, routine in unit.routines.items()
    }
    while True:
        used = {name for name in unit.foreseen_entries.values() if name}.union(*(named[name] for name in unit.routines))
        unused = [name for name in unit.routines if name.startswith("can_") and name not in used]
        if not unused:
            return
        for name in unused:
            del unit.routines[name]


def _names_in(blocks: list[ir.Block]) -> set[str]:
    """Every string in the instructions of some blocks, at any depth; names of routines are among them."""
    found: set[str] = set()
    waiting: list[object] = [*blocks]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            found.add(value)
        elif isinstance(value, tuple | list):
            waiting += value
        elif isinstance(value, Op | ir.Part | Ins):
            waiting += ir.values_of(value)
    return found


# ---------------------------------------------------------------------------- rules


def _lower_rule(unit: Unit, rule: core.RuleDecl) -> None:
    for hook in (*rule.before, *rule.after):
        _lower_hook(unit, hook)
    # Without hooks and resets the body itself is the entry: one call less, each time the rule runs.
    plain_entry = not (rule.before or rule.after or rule.resets)
    chain = [f"{unit.routine_name(rule)}__instead_{number}" for number in range(len(rule.instead))]
    own = unit.routine_name(rule) if plain_entry and not rule.instead else f"{unit.routine_name(rule)}__own"
    _lower_body(unit, rule, own, rule.body)
    names = [*chain, own]
    for number, hook in enumerate(rule.instead):
        _lower_instead(unit, rule, hook, names[number], names[number + 1])
    if plain_entry and not rule.instead:
        return
    _lower_entry(unit, rule, names[0])


def _lower_body(unit: Unit, rule: core.RuleDecl, name: str, body: core.Block) -> None:
    framed = unit.analysis.entry_framed(rule)
    low = StatementLowering(unit, rule, framed, ExpressionLowering(unit))
    if rule.depth is not None and name == unit.routine_name(rule):
        low.add(ir.LimitDepth(rule.name, rule.depth))
    if rule.form == "setup":
        body = _lower_up_to_chance(low, _lower_certain_part(low, body))
    if not low.block(body):
        low.add(ir.Return())
    _finish(unit, low, rule, name, framed)


def _lower_certain_part(low: StatementLowering, body: core.Block) -> core.Block:
    """Lowers what setup does before any chance or decision, and gives the statements that are left. That part is the
    same in every game. It ends with its segment, so the runtime can do it once and copy the result."""
    # A `let` ends it: cut behind one, its local would need a slot of the frame for nothing but this cut.
    count = 0
    while count < len(body) and low.unit.analysis.is_certain(body[count]) and not isinstance(body[count], core.Let):
        count += 1
    low.block(body[:count])
    deals = low.segment("deals", "deals")
    low.add(ir.Goto(deals.number, backward=True))
    low.open(deals)
    return body[count:]


def _deals(stmt: core.Stmt) -> bool:
    """True if chance may fall in this statement of setup. A draw counts too, where only the order of a pile says which
    piece it is."""
    return is_chance(stmt) or isinstance(stmt, DEALING)


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


def _lower_entry(unit: Unit, rule: core.RuleDecl, head: str) -> None:
    """Resets, before hooks, the chain, after hooks, resets of what lasted as long as the rule."""
    framed = unit.analysis.entry_framed(rule)
    low = StatementLowering(unit, rule, framed, ExpressionLowering(unit))
    args = _own_args(unit, rule)
    if rule.depth is not None:
        low.add(ir.LimitDepth(rule.name, rule.depth))
    _set_back(low, rule.resets)
    for hook in rule.before:
        _call_before(low, rule, hook, args)
    # What the rule gives is kept in a local while the after hooks run: they may call rules that give results too.
    if head != unit.routine_name(rule):
        result = _call(low, head, args, rule, framed)
        for hook in rule.after:
            _call_hook(low, hook, args)
        _set_back(low, rule.lasting)
        low.add(ir.Return(result))
    _finish(unit, low, rule, unit.routine_name(rule), framed)


def _call(low: StatementLowering, name: str, args: tuple[Op, ...], rule: core.RuleDecl, framed: bool) -> Op | None:
    local = low.unit.temporary("result") if rule.result is not None else None
    if framed:
        low.call_framed(name, args, rule.span, any(hook in low.unit.analysis.refuses for hook in rule.after))
        if local is not None and rule.result is not None:
            low.let(local, ir.Result(type=rule.result), rule.result)
    else:
        low.add(ir.Call(local, name, args, span=rule.span))
        if local is not None and rule.result is not None:
            low.types[local] = rule.result
    return ir.Local(local, type=rule.result) if local is not None and rule.result is not None else None


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
    prevented = unit.temporary("prevented")
    if hook in unit.analysis.framed:
        low.call_framed(name, args, hook.span)
        low.let(prevented, ir.Result(type=FLAG), FLAG)
    else:
        low.add(ir.Call(prevented, name, args, span=hook.span))
        low.types[prevented] = FLAG
    made = low.add(ir.If(ir.Local(prevented, type=FLAG)))
    outer, low.out = low.out, made.then
    # The before hooks that ran until here may have written fields that last as long as the rule.
    _set_back(low, rule.lasting)
    low.add(ir.Return())
    low.out = outer


def _lower_hook(unit: Unit, hook: core.RuleDecl) -> None:
    """The routine of a before, after or change hook: `if when: body`. One that can prevent the rule returns whether it
    does."""
    framed = hook in unit.analysis.framed
    low = StatementLowering(unit, hook, framed, ExpressionLowering(unit))
    nothing = ir.Const(0, type=FLAG) if hook.can_prevent else None
    if hook.when is not None:
        low.add(ir.If(ir.Not(low.x.lower(hook.when)), [ir.Return(nothing)], span=hook.span))
    if not low.block(hook.body):
        low.add(ir.Return(nothing))
    _finish(unit, low, hook, unit.hook_name(hook), framed)


def _lower_instead(unit: Unit, rule: core.RuleDecl, hook: core.RuleDecl, name: str, following: str) -> None:
    # Framed like the whole chain and not like this hook alone: whoever calls the head must know how to call it, and the
    # next link may ask somebody although this one does not.
    framed = unit.analysis.entry_framed(rule)
    args = _own_args(unit, hook)
    low = StatementLowering(unit, hook, framed, ExpressionLowering(unit, following, args))
    if hook.when is not None:
        made = low.add(ir.If(ir.Not(low.x.lower(hook.when)), span=hook.span))
        outer, low.out = low.out, made.then
        result = _call(low, following, args, rule, framed)  # the condition failed: the next of the chain
        low.add(ir.Return(result))
        low.out = outer
    if not low.block(hook.body):
        low.add(ir.Return())
    _finish(unit, low, hook, name, framed)


def _own_args(unit: Unit, rule: core.RuleDecl) -> tuple[Op, ...]:
    return tuple(ir.Local(unit.local_name(param), type=param.type) for param in rule.params)


def _finish(unit: Unit, low: StatementLowering, rule: core.RuleDecl, name: str, framed: bool) -> None:
    params = tuple(unit.local_name(param) for param in rule.params)
    for param in rule.params:
        low.types[unit.local_name(param)] = param.type
    made = Routine(name, "framed" if framed else "plain", params, rule=_known_as(rule), form=rule.form, span=rule.span)
    if framed:
        # Tidied before slots are counted: segments that nothing leads to would keep their locals in every frame.
        made.segments = low.segments = tidy(low.segments)
        made.slots = _frame_slots(low, params)
        made.slot_types = tuple(low.types.get(slot, INDEX) for slot in made.slots)
    else:
        made.body = low.body
    unit.routines[name] = made


def _known_as(rule: core.RuleDecl) -> str:
    return rule.replaces.name if rule.replaces is not None else rule.name


def _frame_slots(low: StatementLowering, params: tuple[str, ...]) -> tuple[str, ...]:
    """The locals that a frame must hold: parameters, and every local used by more than one segment. All others live in
    Python locals of one segment, and clones of the game need not copy them."""
    seen: dict[str, set[int]] = {}
    for segment in low.segments:
        # A question binds its loop variables again each time it runs, so they never live longer than the segment.
        offered = _looped(segment.body) if segment.role == "asks" else set()
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


def _looped(body: list[Ins]) -> set[str]:
    """Loop variables of a question. They need no slot: the answering segment takes the chosen values out of the
    option."""
    return {ins.local for _, _, ins in ir.instructions(body) if isinstance(ins, ir.For)}


def _names(body: list[Ins]) -> set[str]:
    """Every local that instructions write or read."""
    found: set[str] = set()
    for _, _, ins in ir.instructions(body):
        found |= {op.name for op in ir.operations(ins) if isinstance(op, ir.Local)}
        if ins.sets and getattr(ins, ins.sets) is not None:
            found.add(getattr(ins, ins.sets))
    return found


# ---------------------------------------------------------------------------- values, scores, cells


def value_links(name: str, rule: core.RuleDecl) -> list[str]:
    """The routines of a value: those of its hooks in the order in which they are asked, its own definition last."""
    chain = [name if number == 0 else f"{name}__instead_{number}" for number in range(len(rule.instead))]
    return [*chain, f"{name}__own" if rule.instead else name]


def _lower_value(unit: Unit, rule: core.RuleDecl) -> None:
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
        name, "pure", params, body=low.body, rule=_known_as(rule), form="value", span=rule.span
    )


def checked(value: Op, result: VType | None, rule: core.RuleDecl) -> Op:
    if result is None or not isinstance(bare(result), Number) or _within(value.type, result):
        return value
    of = bare(result)
    assert isinstance(of, Number)
    return ir.InRange(value, of.low, of.high, rule.name, type=result, span=value.span)


def _lower_ends(unit: Unit) -> None:
    """One routine per block of score lines, and one for the criteria of the ranking."""
    for number, block in enumerate(unit.program.scores):
        low = StatementLowering(
            unit, core.RuleDecl("score", "value", (block.player,), None), False, ExpressionLowering(unit)
        )
        condition = low.x.maybe(block.when)
        lines: list[Op] = []
        for line in block.lines:
            text = low.text(line.label)
            assert text is not None
            lines.append(ir.ScoreLine(text.number, low.text_args(text), low.x.lower(line.value), type=INDEX))
        body: ir.Block = [ir.Return(ir.Tuple(tuple(lines), type=INDEX))]
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
        body = [ir.Return(ir.Tuple(tuple(keys), type=INDEX))]
        unit.routines["rank"] = Routine("rank", "pure", (unit.local_name(rank.player),), body=body, rule="rank")
    payoff = unit.program.payoff
    if payoff is not None and payoff.expression is not None:
        body = [ir.Return(ExpressionLowering(unit).lower(payoff.expression))]
        whose = (unit.local_name(payoff.params[0]),)
        unit.routines["payoff"] = Routine("payoff", "pure", whose, body=body, rule=payoff.name)


def _lower_titles(unit: Unit) -> None:
    """Texts of phases (the path of a decision), and of actions and effects (labels of cells and free actions)."""
    for rule in unit.program.rules.values():
        if rule.text is not None:
            register_text(unit, ExpressionLowering(unit), rule.text)


def _lower_cells(unit: Unit) -> None:
    for cell in unit.program.cells:
        for call in cell.calls:
            if call.rule.form == "value":
                unit.need_value(call.rule)
