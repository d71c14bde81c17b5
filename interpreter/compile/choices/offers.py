"""What a decision offers: its site, and one option per combination of values that meets all tests.

Equal copies are one option: who holds three equal coins chooses "a coin", not which. That keeps lists short and hides
nothing. Copies are told apart if pieces of their kind have fields or places of their own in which they differ, if not
everybody sees such a field, or if two binders of one decision may both take the same piece.
"""

from __future__ import annotations

from dataclasses import replace

from ...check import forms
from ...check import program as core
from ...check.expression_forms import may_fault
from ...check.value_types import (
    ChartRow,
    Die,
    DirectionOf,
    EffectCell,
    EnumOf,
    Flag,
    MapEdge,
    MapNode,
    Number,
    Piece,
    Player,
    SetOf,
    VType,
    bare,
)
from ...check.walk import conjuncts, expressions, speaks_of
from ...diagnostics.source import Span
from .. import ir
from ..ir import FLAG, INDEX, Block, Op, Segment, Site, SiteBranch, free_locals, operands
from ..lowering import ZERO, Lowering, bounds, plus
from ..meta import Reason
from ..ranges import range_of
from ..result_clauses import Cites, answering_line, clauses_of_value
from ..substitute import substitute
from ..unit import ReasonUnit, thing_of
from .stopping import stop_on_trial


def new_site(low: Lowering, kind: ir.SiteKind, text: core.Template | None, stmt: core.Stmt) -> Site:
    prompt = low.text(text)
    site = Site(len(low.unit.sites), kind, low.rule.name, low.is_phase, prompt.number if prompt else None)
    site.cites = stmt.cites or low.rule.cites or _clauses_around(low.rule.body, stmt, ()) or ()
    site.span = stmt.span
    site.secret = bool(getattr(stmt, "secretly", False)) or low.together > 0
    asked = [stmt, *stmt.branches] if isinstance(stmt, core.ChooseOne | core.AnyOrder) else [stmt]
    site.sampled = any(id(part) in low.unit.drawn_by.trials for part in asked)
    low.unit.sites.append(site)
    return site


def _clauses_around(block: core.Block, stmt: core.Stmt, cites: tuple[str, ...]) -> tuple[str, ...] | None:
    """The clauses of the nearest statement around another one that has any; None if it is not in the block."""
    for one in block:
        if one is stmt:
            return cites
        for inner in forms.blocks(one):
            found = _clauses_around(inner, stmt, one.cites or cites)
            if found is not None:
                return found
    return None


def new_branch(
    low: Lowering,
    label: core.Template | None,
    binders: tuple[core.Binder, ...],
    cites: tuple[str, ...],
    condition: core.Expr | None = None,
) -> SiteBranch:
    text = low.text(label)
    names = tuple(low.name(binder.local) for binder in binders)
    domains = tuple(
        _spots(low, binder) if is_pointed_at(low, binder)
        else domain_of(low, binder.local.type, any(may_be_same(binder, other) for other in binders[:position]))
        for position, binder in enumerate(binders)
    )  # fmt: skip
    digits = tuple(digits_of(low, binder.local.type, domain) for binder, domain in zip(binders, domains, strict=True))
    branch = SiteBranch(text.number if text else None, names, domains, cites, digits)
    # Later, since a reason may ask for texts, tables and values of its own. Made now, it would shift the numbers of all
    # that comes after it, and with them the options in recorded games.
    low.unit.reasons_later.append(lambda: add_reasons(low, branch, binders, condition))
    return branch


def add_reasons(
    low: Lowering, branch: SiteBranch, binders: tuple[core.Binder, ...], condition: core.Expr | None
) -> None:
    """What is asked, in this order, when somebody wants to know why the branch does not offer something."""
    made: list[int] = []
    for binder in binders:
        local, source, _ = low.x.source(replace(binder, where=None))
        made.append(_reason(low, True, ir.All(local, source, type=SetOf(binder.local.type)), binder.source.span))
    for part in [*(part for binder in binders for part in conjuncts(binder.where)), *conjuncts(condition)]:
        line = answering_line(low.unit, low.x, part)
        which, cites = (None, ()) if line is None else (_reason(low, False, line[0], part.span), line[1])
        value = low.x.lower(part)
        made.append(_reason(low, False, value, part.span, which, cites, clauses_of_value(part)))
    branch.reasons = tuple(made)


def _reason(
    low: Lowering,
    is_source: bool,
    value: Op,
    span: Span,
    line: int | None = None,
    line_cites: Cites = (),
    value_cites: tuple[str, ...] = (),
) -> int:
    """The number of a new reason."""
    params = tuple(dict.fromkeys(free_locals(value)))
    place = (span.source.name, *span.source.place(span.start))
    words = " ".join(span.text.split())
    reason = Reason(is_source, params, words, place, line, line_cites, value_cites)
    low.unit.reasons.append(ReasonUnit(reason, value))
    return len(low.unit.reasons) - 1


def domain_of(low: Lowering, value_type: VType, has_twin: bool = False) -> tuple[str, int, int]:
    """How a bound value is coded: thing, lowest number, how many. Equal copies are one row, unless one of them may be
    bound beside another."""
    of = bare(value_type)
    program = low.unit.program
    thing = thing_of(of)
    match of:
        case Piece():
            if low.unit.has_copies(of.kinds) and not low.unit.has_piece_state(of.kinds) and not has_twin:
                return "row", 0, len(program.rows)
            return thing, 0, len(program.pieces)
        case MapNode():
            return thing, 0, len(program.nodes)
        case MapEdge():
            return thing, 0, len(program.edges)
        case ChartRow():
            return thing, 0, max(_LEAST_CODES, program.charts[of.chart].rows)
    if isinstance(of, _IN_RANGE):
        numbers = range_of(program, of)
        return thing, numbers.low, numbers.count
    return thing, 0, _LEAST_CODES


_IN_RANGE = (Number, Flag, Player, EnumOf, Die, EffectCell)  # coded by the very numbers that there are


_LEAST_CODES = 64  # codes that directions and rows of charts have at least: records hold them, so this never changes
UNTOLD_SIZE = 1 << 16  # more than there can be of a thing whose number is not known here


def digits_of(low: Lowering, value_type: VType, domain: tuple[str, int, int]) -> tuple[int, int]:
    """How a bound value is numbered in an option: lowest, how many. One that is never negative stands for itself."""
    thing, lowest, count = domain
    if thing == "spot":
        return lowest, count
    match bare(value_type):
        case Piece():
            return 0, len(low.unit.program.pieces)
        case DirectionOf() as of:
            return 0, len(low.unit.program.maps[of.map].directions)
        case ChartRow() as of:
            return 0, low.unit.program.charts[of.chart].rows
    if not isinstance(bare(value_type), (*_IN_RANGE, MapNode, MapEdge)):
        return 0, UNTOLD_SIZE
    return min(lowest, 0), count + max(lowest, 0)


def is_pointed_at(low: Lowering, binder: core.Binder) -> bool:
    """Whoever chooses does not see what is there. The option must not tell it either, so it stands for the position of
    the piece in its place, and the piece is looked up when the option is taken."""
    return binder.local in low.unit.program.unseen_choices


def _spots(low: Lowering, binder: core.Binder) -> tuple[str, int, int]:
    assert isinstance(binder.source, core.PlaceRef)
    place = binder.source.place
    size = place.slot_dimension.size if place.slot_dimension is not None else 1
    return "spot", 0, low.unit.layout.capacities[place] * size


def piece_at(low: Lowering, binder: core.Binder, value: Op) -> Op:
    """What an option binds: its value, or the piece at the position that it stands for."""
    if not is_pointed_at(low, binder):
        return value
    assert isinstance(binder.source, core.PlaceRef)
    return ir.Element(low.x.contents(binder.source), value, type=binder.local.type)


def open_question(low: Lowering) -> tuple[Segment, Segment]:
    """The asking segment, opened, and the answering one with the next number."""
    ask, answer = low.segment("asks", "asks"), low.segment("is answered", "answered")
    low.goto(ask)
    low.open(ask)
    low.question, low.distinct, low.approved, low.exactly = ask.body, {}, {}, set()
    return ask, answer


# On trial, options are tried as they come, and no free action interrupts.
PLAYING: tuple[ir.Way, ...] = ("play", "playout")


def ask(
    low: Lowering, site: Site, player: Op, answer: Segment, if_possible: bool = False, picked: Op | None = None
) -> None:
    """Ends a question: whatever needs no asking is answered at once, else the player is asked. `picked`: what a set or
    a payment has so far."""
    site.fallback = site.fallback or if_possible
    stop_on_trial(low, site, player)
    if site.kind == "pause":  # whoever looks ahead need not look further: going on is the only way
        low.add(ir.Only(("trial",), [ir.Succeed()]))
    # A set that cannot grow is finished without asking "is that all?".
    if picked is not None:
        low.add(ir.If(ir.IsComplete(), _answered("pass", answer), span=site.span))
    nothing_yet = ir.Compare("==", ir.Count(picked, type=INDEX), ZERO) if picked is not None else None
    if if_possible:
        nothing: Op = ir.Or(ir.Not(ir.HasOption()), ir.And(ir.OnTrial(), ir.NothingElse()))
        if nothing_yet is not None:
            nothing = ir.And(nothing_yet, nothing)
        how: ir.Unasked = "skip" if site.kind == "set" else "pass"
        unasked = [*_noted(low, site, player, picked, how), *_answered(how, answer)]
        low.add(ir.If(nothing, unasked, span=site.span))
    # Which of one thing comes first, or how to pay in the only way, is no question.
    if site.kind in ("order", "pay"):
        only = [*_noted(low, site, player, picked, "only"), *_answered("only", answer)]
        low.add(ir.If(ir.OneOption(), only, span=site.span))
    _offer_free_actions(low, site, player, nothing_yet)
    if site.kind == "may":
        low.add(ir.If(ir.OnlyPass(), [*_noted(low, site, player, picked, "pass"), *_answered("pass", answer)]))
    low.add(ir.Ask(site.number, player, answer.number, picked, span=site.span, cites=site.cites))


def _answered(how: ir.Unasked, answer: Segment) -> Block:
    """The jump goes through the machine (`backward`) although it leads forward. A question may be run again only to see
    what it says in another world; whoever does that stops when it reaches the machine, before the answer is used."""
    return [ir.Answer(how), ir.Goto(answer.number, backward=True)]


def _noted(low: Lowering, site: Site, player: Op, picked: Op | None, how: ir.Unasked) -> Block:
    """Notes for the worlds that nobody was asked: it tells the other players that there was only one way, or none."""
    return [ir.Only(("play",), [ir.NoteUnasked(site.number, player, picked, how)])] if low.unit.has_secrets else []


def _offer_free_actions(low: Lowering, site: Site, player: Op, nothing_yet: Op | None) -> None:
    """Offers free actions after the options. Not where there is no option at all, because the decision would not be
    asked then; and not in the middle of a set, because the action might take away what has been picked."""
    actions = low.unit.program.free_actions
    if not actions or not (site.in_phase or any(rule.inside_actions for rule in actions)):
        return
    names = [low.unit.foreseen_entries.get(rule) if len(rule.params) < 2 else None for rule in actions]
    asked_first = tuple(name for name in names if name)
    offered: Op = ir.HasOption()
    if nothing_yet is not None:
        offered = ir.And(offered, nothing_yet)
    made = ir.FreeActions(site.number, player, asked_first if len(asked_first) == len(actions) else ())
    low.add(ir.Only(PLAYING, [ir.If(offered, [made])]))


# ---------------------------------------------------------------------------- options


def offer(low: Lowering, site: Site, branch: int, binders: tuple[core.Binder, ...], tests: list[core.Expr]) -> None:
    """Adds one option per combination of the bound values that meets all tests. A test stands in the outermost loop
    that binds all it speaks of."""
    outer = low.out
    # A test that speaks of nothing chosen stands in front of all loops: `choose c in market` by somebody without an
    # action left need not go over the market.
    conditions = [test for test in tests if not any(speaks_of(test, binder.local) for binder in binders)]
    for test in conditions:
        low.out = only_if(low, low.x.lower(test))
    for position, binder in enumerate(binders):
        twins = tuple(low.name(other.local) for other in binders[:position] if may_be_same(binder, other))
        low.out = _loop(low, binder, bool(twins))
        later = binders[position + 1 :]
        for test in tests:
            is_later = any(speaks_of(test, other.local) for other in later)
            if test not in conditions and not is_later and speaks_of(test, binder.local):
                low.out = only_if(low, low.x.lower(test))
        _once(low, binder, twins)
    low.add(ir.Option(site.number, branch, tuple(_told_by(low, binder) for binder in binders)))
    low.out = outer


def _told_by(low: Lowering, binder: core.Binder) -> str:
    """The local whose value an option holds for a binder."""
    name = low.name(binder.local)
    if not is_pointed_at(low, binder):
        return name
    assert isinstance(binder.source, core.PlaceRef)
    spot = low.unit.temporary("spot")
    here = ir.Position(low.x.contents(binder.source), ir.Local(name, type=binder.local.type), type=INDEX)
    low.add(ir.Let(spot, plus(here, ir.Const(-1, type=INDEX))))
    return spot


def may_be_same(binder: core.Binder, earlier: core.Binder) -> bool:
    """True if both binders may take the very same piece: taking one piece twice differs from taking two equal ones."""
    one, other = bare(binder.local.type), bare(earlier.local.type)
    if not (isinstance(one, Piece) and isinstance(other, Piece) and set(one.kinds) & set(other.kinds)):
        return False
    return not _keeps_apart(binder.where, binder.local, earlier.local)


def _keeps_apart(where: core.Expr | None, one: core.LocalDecl, other: core.LocalDecl) -> bool:
    for part in conjuncts(where):
        match part:
            case core.Compare(op="!=", left=core.LocalVar(local=left), right=core.LocalVar(local=right)):
                if {left, right} == {one, other}:
                    return True
    return False


def only_if(low: Lowering, condition: Op) -> Block:
    if isinstance(condition, ir.Const) and condition.value:
        return low.out
    return low.add(ir.If(condition, span=condition.span)).then


def _loop(low: Lowering, binder: core.Binder, has_twin: bool = False) -> Block:
    local, source, where = low.x.source(binder)
    how = dedupe(low, binder)
    # Either the loop goes over one piece of each row, or over all pieces with a memory of what has been offered. The
    # first is quicker; it needs a filter that cannot tell copies apart.
    if how == "row" and not has_twin and _is_told_by_row(where, local) and _stands_alone(low, source):
        source = _distinct(low, source)
        low.once_done.add(binder.local)
    elif how is not None:
        low.add(ir.Let(f"{local}__seen", ir.Memory(how, type=INDEX)))
    inner = low.add(ir.For(local, source, span=binder.span)).body
    low.types[local] = binder.local.type
    if where is not None:
        test = ir.If(where, span=binder.span)
        inner.append(test)
        return test.then
    return inner


def _once(low: Lowering, binder: core.Binder, twins: tuple[str, ...] = ()) -> None:
    how = dedupe(low, binder)
    if how is not None and binder.local not in low.once_done:
        local = low.name(binder.local)
        low.add(ir.Once(local, f"{local}__seen", how, twins))


def _is_told_by_row(where: Op | None, local: str) -> bool:
    """The filter cannot tell equal copies apart: it speaks of the piece's printed attributes and of other things."""
    match where:
        case None:
            return True
        case ir.Local():
            return where.name != local
        case ir.Lookup(index=ir.Local()):
            return all(_is_told_by_row(part, local) for part in where.more)
        case ir.InRanges(item=ir.Local()):
            return True
    return all(_is_told_by_row(part, local) for part in operands(where))


def _stands_alone(low: Lowering, source: Op) -> bool:
    """What is gone over does not depend on anything chosen in the same decision."""
    known = {low.unit.local_name(param) for param in low.rule.params}
    return isinstance(source, ir.Contents) and set(free_locals(source)) <= known


def _distinct(low: Lowering, source: Op) -> Op:
    """One piece of each row that is there, computed once per question."""
    text = str(source)
    if text not in low.distinct:
        name = low.unit.temporary("kinds")
        low.distinct[text] = name
        low.question.insert(0, ir.Let(name, ir.Distinct(source, type=source.type)))
    return ir.Local(low.distinct[text], type=source.type)


def dedupe(low: Lowering, binder: core.Binder) -> ir.ToldBy | None:
    """How equal copies are recognised: `row` if they lie side by side in an unordered place, so that comparing with the
    one before is enough; `key` (row, place and fields) if not; None if there are no copies, or their order matters."""
    of = bare(binder.local.type)
    if not isinstance(of, Piece) or not low.unit.has_copies(of.kinds):
        return None
    source = binder.source
    plain = not low.unit.has_piece_state(of.kinds)
    if isinstance(source, core.PlaceRef):
        if source.place.shape in ("pile", "row", "slot", "slots"):
            return None
        if plain and binder.key is None:
            return "row"
    return "key"


def opening_conditions(low: Lowering, body: core.Block) -> tuple[list[core.Expr], core.Block]:
    """Requirements and payments at the very beginning of a block, as tests on the state before it.

    A payment in things of several kinds changes places, so nothing after it can be tested beforehand.
    """
    tests: list[core.Expr] = []
    named: dict[core.LocalDecl, core.Expr] = {}
    paid: set[core.FieldDecl] = set()
    for position, stmt in enumerate(body):
        if any(may_fault(node, low.unit.seats_may_drop) for node in expressions(stmt)):
            return tests, body[position:]  # it may be a fault, which shows only when the option is taken
        if isinstance(stmt, core.Let) and not isinstance(bare(stmt.local.type), SetOf):
            named[stmt.local] = substitute(stmt.value, named)
        # After a payment the counters are not what they are now, so nothing that follows it is tested here. Several
        # payments from different counters do not disturb one another.
        elif isinstance(stmt, core.Require) and not paid:
            tests.append(substitute(stmt.condition, named))
        elif isinstance(stmt, core.Pay) and _is_plain(stmt) and not paid & {cost.field for cost in stmt.costs}:
            if low.unit.analysis.change_hooks(stmt):
                return tests, body[position:]
            tests += [_affordable(stmt, cost, named) for cost in stmt.costs]
            paid |= {cost.field for cost in stmt.costs if cost.field}
        # The first payment that has several ways ends the row of tests, but can itself still be asked beforehand.
        elif isinstance(stmt, core.Pay) and not paid and not low.unit.analysis.hooks_refuse(stmt):
            tests.append(substitute(core.CanPay(FLAG, stmt.span, stmt.player, stmt.costs), named))
            return tests, body[position + 1 :]
        else:
            return tests, body[position:]
    return tests, ()


def _is_plain(stmt: core.Pay) -> bool:
    return all(cost.field is not None for cost in stmt.costs) and len({cost.field for cost in stmt.costs}) == len(
        stmt.costs
    )


def _affordable(stmt: core.Pay, cost: core.CostDecl, named: dict[core.LocalDecl, core.Expr]) -> core.Expr:
    assert cost.field is not None
    held = core.FieldRead(cost.field.type, stmt.span, cost.field, stmt.player, cost.indexes)
    lowest = core.Const(Number(0, 0), stmt.span, bounds(cost.field)[0] or 0)
    needed = core.Arithmetic(cost.amount.type, stmt.span, "+", cost.amount, lowest) if lowest.value else cost.amount
    return substitute(core.Compare(FLAG, stmt.span, ">=", held, needed), named)


def needs_trial(low: Lowering, what: object, body: core.Block, rest: core.Block, before: core.Block) -> bool:
    done = body[: len(body) - len(rest)]
    return id(what) in low.unit.analysis.rests or low.unit.analysis.block_refuses(rest, before + done)
