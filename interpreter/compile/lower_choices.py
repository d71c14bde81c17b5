"""Decisions: what is offered, who is asked, and how the answer is taken up.

Every decision has two segments. The first works out the options and asks; it changes nothing, so it can be run
again after a free action or when a save is opened. The second, numbered right after it, takes up the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..check import program as core
from ..check.value_types import Die, EffectCell, EnumOf, Flag, Maybe, Number, Piece, Player, SetOf, VType, bare, none_of
from .ir import Ins, Op, Segment, Site, SiteBranch
from .lower_expressions import FLAG, INDEX
from .lower_loops import ZERO, plus
from .statement_facts import surely_some
from .substitute import substitute, walk
from .unit import thing_of

if TYPE_CHECKING:
    from .lower_statements import StatementLowering

IS_PASS = Op("answer", ("is_pass",), FLAG)
PASS = -1  # stands for passing among the branches of a site that are tried


def lower_choice(low: StatementLowering, stmt: core.Stmt, following: core.Block) -> bool:
    match stmt:
        case core.Choose():
            return _choose(low, stmt, following)
        case core.ChooseSet():
            return _choose_set(low, stmt, following)
        case core.ChooseOne():
            return _choose_one(low, stmt)
        case core.May():
            return _may(low, stmt)
        case core.Pause():
            return _pause(low, stmt)
        case core.AnyOrder():
            return _any_order(low, stmt)
    raise AssertionError(type(stmt).__name__)


# ---------------------------------------------------------------------------- sites


def new_site(low: StatementLowering, kind: str, text: core.Template | None, stmt: core.Stmt) -> Site:
    prompt = low.text(text)
    site = Site(len(low.unit.sites), kind, low.rule.name, low.is_phase, prompt.number if prompt else None)
    site.cites = stmt.cites or low.rule.cites
    site.span = stmt.span
    site.secret = bool(getattr(stmt, "secretly", False)) or low.together > 0
    low.unit.sites.append(site)
    return site


def add_branch(
    low: StatementLowering,
    site: Site,
    label: core.Template | None,
    binders: tuple[core.Binder, ...],
    cites: tuple[str, ...] = (),
) -> None:
    text = low.text(label)
    names = tuple(low.name(binder.local) for binder in binders)
    domains = tuple(
        domain_of(low, binder.local.type, any(may_be_same(binder, other) for other in binders[:position]))
        for position, binder in enumerate(binders)
    )
    site.branches.append(SiteBranch(text.number if text else None, names, domains, cites))
    if any(_reads_secret(binder) for binder in binders):
        site.silent = site.kind == "may"


def domain_of(low: StatementLowering, value_type: VType, has_twin: bool = False) -> tuple[str, int, int]:
    """How a bound value is coded: thing, lowest number, how many. Equal copies are one row, unless one of them may be
    bound beside another."""
    of = bare(value_type)
    program = low.unit.program
    thing = thing_of(of)
    match of:
        case Number():
            return thing, of.low, of.high - of.low + 1
        case Flag():
            return thing, 0, 2
        case Player():
            return thing, 0, program.players
        case EnumOf():
            domain = program.enums[of.name].domain
            return thing, min(domain), max(domain) - min(domain) + 1
        case Piece():
            if low.unit.has_copies(of.kinds) and not low.unit.has_piece_state(of.kinds) and not has_twin:
                return "row", 0, len(program.rows)
            return thing, 0, len(program.pieces)
        case Die():
            return thing, 0, sum(low.unit.layout.fields[f].size for f in program.fields if f.is_dice)
        case EffectCell():
            return thing, 0, len(program.cells)
    if thing == "node":
        return thing, 0, len(program.nodes)
    if thing == "edge":
        return thing, 0, len(program.edges)
    return thing, 0, 64


def _reads_secret(binder: core.Binder) -> bool:
    return any(isinstance(node, core.PlaceRef) and node.place.visibility == "secret" for node in walk(binder))


def open_question(low: StatementLowering) -> tuple[Segment, Segment]:
    """The asking segment, opened, and the answering one with the next number."""
    ask, answer = low.segment("asks"), low.segment("is answered")
    low.goto(ask)
    low.open(ask)
    low.question, low.distinct = ask.body, {}
    return ask, answer


def ask(
    low: StatementLowering, site: Site, player: core.Expr, if_possible: bool = False, picked: Op | None = None
) -> None:
    site.fallback = site.fallback or if_possible
    low.add("ask", site.number, low.x.lower(player), if_possible, picked, span=site.span, cites=site.cites)


# ---------------------------------------------------------------------------- options


def offer(low: StatementLowering, branch: int | None, binders: tuple[core.Binder, ...], tests: list[core.Expr]) -> None:
    """Adds one option a combination of the bound values that meets all tests."""
    outer = low.out
    conditions = [test for test in tests if not any(uses(test, binder) for binder in binders)]
    for test in conditions:
        low.out = _if(low, low.x.lower(test))
    bare_branch = not binders
    for position, binder in enumerate(binders):
        twins = tuple(low.name(other.local) for other in binders[:position] if may_be_same(binder, other))
        low.out = _loop(low, binder, bool(twins))
        later = binders[position + 1 :]
        for test in tests:
            if test not in conditions and not any(uses(test, other) for other in later) and uses(test, binder):
                low.out = _if(low, low.x.lower(test))
        _once(low, binder, twins)
    names = tuple(low.name(binder.local) for binder in binders)
    low.add("option", 0 if bare_branch and branch is None else branch, names)
    low.out = outer


def may_be_same(binder: core.Binder, earlier: core.Binder) -> bool:
    """Both may bind the very same piece: taking one piece twice is another choice than taking two equal ones."""
    one, other = bare(binder.local.type), bare(earlier.local.type)
    if not (isinstance(one, Piece) and isinstance(other, Piece) and set(one.kinds) & set(other.kinds)):
        return False
    return not _keeps_apart(binder.where, binder.local, earlier.local)


def _keeps_apart(where: core.Expr | None, one: core.LocalDecl, other: core.LocalDecl) -> bool:
    match where:
        case core.Logic(op="and"):
            return _keeps_apart(where.left, one, other) or _keeps_apart(where.right, one, other)
        case core.Compare(op="!=", left=core.LocalVar() as left, right=core.LocalVar() as right):
            return {left.local, right.local} == {one, other}
    return False


def uses(expr: core.Expr, binder: core.Binder) -> bool:
    return any(isinstance(node, core.LocalVar) and node.local is binder.local for node in walk(expr))


def _if(low: StatementLowering, condition: Op) -> list[Ins]:
    if condition.op == "const" and condition.args[0]:
        return low.out
    made = low.add("if", condition, blocks=([], []), span=condition.span)
    return made.blocks[0]


def _loop(low: StatementLowering, binder: core.Binder, has_twin: bool = False) -> list[Ins]:
    local, source, where = low.x.source(binder)
    how = dedupe(low, binder)
    if how == "row" and not has_twin and _is_told_by_row(where, local) and _stands_alone(low, source):
        source = _distinct(low, source)
        low.once_done.add(binder.local)
    elif how is not None:
        low.add("let", f"{local}__seen", Op("memory", (how,), INDEX))
    made = low.add("for", local, source, blocks=([],), span=binder.span)
    low.types[local] = binder.local.type
    inner = made.blocks[0]
    if where is not None:
        test = Ins("if", (where,), ([], []), binder.span)
        inner.append(test)
        return test.blocks[0]
    return inner


def _once(low: StatementLowering, binder: core.Binder, twins: tuple[str, ...] = ()) -> None:
    how = dedupe(low, binder)
    if how is not None and binder.local not in low.once_done:
        local = low.name(binder.local)
        low.add("once", local, f"{local}__seen", how, twins)


def _is_told_by_row(where: object, local: str) -> bool:
    """The filter cannot tell equal copies apart: it speaks of the piece's printed attributes and of other things."""
    if isinstance(where, tuple):
        return all(_is_told_by_row(part, local) for part in where)
    if not isinstance(where, Op):
        return True
    if where.op == "local":
        return bool(where.args[0] != local)
    args = where.args
    if where.op == "lookup" and args[1].op == "local":
        args = args[2:]
    elif where.op == "in_ranges" and args[0].op == "local":
        args = args[1:]
    return _is_told_by_row(args, local)


def _stands_alone(low: StatementLowering, source: Op) -> bool:
    """What is gone over does not depend on anything chosen in the same decision."""
    from .lower_statements import free_locals

    known = {low.unit.local_name(param) for param in low.rule.params}
    return source.op == "list" and set(free_locals(source)) <= known


def _distinct(low: StatementLowering, source: Op) -> Op:
    """The pieces there, one of each row, worked out once a question."""
    text = str(source)
    if text not in low.distinct:
        name = low.unit.temporary("kinds")
        low.distinct[text] = name
        low.question.insert(0, Ins("let", (name, Op("distinct", (source,), source.type))))
    return Op("local", (low.distinct[text],), source.type)


def dedupe(low: StatementLowering, binder: core.Binder) -> str | None:
    """How equal copies are known: None (there are none), row (they lie side by side), key (row, place and fields)."""
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


def guards(low: StatementLowering, body: core.Block) -> tuple[list[core.Expr], core.Block]:
    """Requirements and payments at the very beginning of a block, as tests on the state before it.

    A payment in things of several kinds changes places, so nothing after it can be tested beforehand.
    """
    tests: list[core.Expr] = []
    named: dict[core.LocalDecl, core.Expr] = {}
    paid: set[core.FieldDecl] = set()
    for position, stmt in enumerate(body):
        if isinstance(stmt, core.Let) and not isinstance(bare(stmt.local.type), SetOf):
            named[stmt.local] = substitute(stmt.value, named)
        elif isinstance(stmt, core.Require) and not paid:
            tests.append(substitute(stmt.condition, named))
        elif isinstance(stmt, core.Pay) and _is_plain(stmt) and not paid & {cost.field for cost in stmt.costs}:
            if low.unit.analysis.change_hooks(stmt):
                return tests, body[position:]
            tests += [_affordable(stmt, cost, named) for cost in stmt.costs]
            paid |= {cost.field for cost in stmt.costs if cost.field}
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
    from .lower_statements import bounds

    assert cost.field is not None
    held = core.FieldRead(cost.field.type, stmt.span, cost.field, stmt.player, cost.indexes)
    lowest = core.Const(Number(0, 0), stmt.span, bounds(cost.field)[0] or 0)
    needed = core.Arithmetic(cost.amount.type, stmt.span, "+", cost.amount, lowest) if lowest.value else cost.amount
    return substitute(core.Compare(FLAG, stmt.span, ">=", held, needed), named)


def needs_trial(low: StatementLowering, what: object, body: core.Block, rest: core.Block, before: core.Block) -> bool:
    done = body[: len(body) - len(rest)]
    return id(what) in low.unit.analysis.rests or low.unit.analysis.block_refuses(rest, before + done)


# ---------------------------------------------------------------------------- one decision each


def _choose(low: StatementLowering, stmt: core.Choose, following: core.Block) -> bool:
    site = new_site(low, "choose", stmt.text, stmt)
    add_branch(low, site, None, stmt.binders, stmt.cites)
    body = following if stmt.body is None else stmt.body
    tests, rest = guards(low, body)
    done = body[: len(body) - len(rest)]
    if stmt.body is None:
        trial = id(stmt) in low.unit.analysis.tails or low.unit.analysis.block_refuses(rest, (stmt, *done))
    else:
        trial = needs_trial(low, stmt, body, rest, (stmt,))
    if trial:
        site.trial, site.trial_branches = low.unit.analysis.trials.get(id(stmt), "what follows may be refused"), (0,)
    else:
        site.steady = not tests and all(surely_some(binder) for binder in stmt.binders)
    _, answer = open_question(low)
    single = len(stmt.binders) == 1
    site.values_only = single
    binder = stmt.binders[0]
    if single and dedupe(low, binder) is None and not tests and not trial:
        local, source, where = low.x.source(binder)
        low.add("let", "o", Op("all", (local, source, where, None, None), SetOf(binder.local.type)))
    else:
        low.add("begin_options")
        offer(low, None if single else 0, stmt.binders, tests)
    if trial:
        from .foresight import add_filter

        analysis = low.unit.analysis
        rests, own = (analysis.tails, analysis.own_tails) if stmt.body is None else (analysis.rests, analysis.own_rests)
        site.callers = id(stmt) in rests
        add_filter(low, site, stmt.player, [] if id(stmt) in own else [(0, stmt.binders, (stmt,), body)])
    ask(low, site, stmt.player, stmt.if_possible)
    low.open(answer)
    after = low.segment() if stmt.body is not None else None
    if stmt.if_possible:
        assert after is not None
        low.add("if", IS_PASS, blocks=([Ins("goto", (after.number, False, False))], []))
    _take_up(low, stmt.binders, single)
    if stmt.body is None or after is None:
        return False
    if not low.block(stmt.body):
        low.goto(after)
    low.open(after)
    return False


def _take_up(low: StatementLowering, binders: tuple[core.Binder, ...], single: bool) -> None:
    for position, binder in enumerate(binders):
        index = None if single else position + 1
        low.let(low.name(binder.local), Op("picked", (index,), binder.local.type), binder.local.type)


def _choose_set(low: StatementLowering, stmt: core.ChooseSet, following: core.Block) -> bool:
    """Pick by pick, each later in order than the last; the rule sees one set."""
    site = new_site(low, "set", stmt.text, stmt)
    add_branch(low, site, None, (stmt.binder,), stmt.cites)
    site.values_only = True
    chosen = low.name(stmt.chosen)
    low.let(chosen, Op("sequence", (), stmt.chosen.type), stmt.chosen.type)
    so_far = Op("local", (chosen,), stmt.chosen.type)
    question, answer = open_question(low)
    local, source, where = low.x.source(stmt.binder)
    candidates = Op("all", (local, source, where, None, None), SetOf(stmt.binder.local.type))
    lowest, highest = low.x.maybe(stmt.low), low.x.maybe(stmt.high)
    such_that = low.x.maybe(stmt.such_that)
    low.add(
        "set_options",
        candidates,
        so_far,
        lowest,
        highest,
        chosen,
        such_that,
        dedupe(low, stmt.binder) or "",
        span=stmt.span,
    )
    refused = stmt.body is not None and low.unit.analysis.block_refuses(stmt.body)
    if refused or id(stmt) in low.unit.analysis.rests:
        site.trial, site.trial_branches = "what follows may be refused", (0,)
        from .foresight import add_set_filter

        add_set_filter(low, site, stmt, following)
    ask(low, site, stmt.player, stmt.if_possible, so_far)
    low.open(answer)
    finished = low.segment()
    after = low.segment() if stmt.if_possible and stmt.body is not None else None
    if after is not None:
        low.add("if", Op("answer", ("is_skip",), FLAG), blocks=([Ins("goto", (after.number, False, False))], []))
    low.add("if", IS_PASS, blocks=([Ins("goto", (finished.number, False, False))], []))
    low.let(
        chosen,
        Op("append", (so_far, Op("picked", (None,), stmt.binder.local.type)), stmt.chosen.type),
        stmt.chosen.type,
    )
    if highest is not None:
        full = Op("compare", (">=", Op("count", (so_far,), INDEX), highest, None, None), FLAG)
        low.add("if", full, blocks=([Ins("goto", (finished.number, False, False))], []))
    low.add("goto", question.number, False, True)
    low.open(finished)
    if stmt.body is None:
        return False
    ended = low.block(stmt.body)
    if after is not None:
        if not ended:
            low.goto(after)
        low.open(after)
        return False
    return ended


def _choose_one(low: StatementLowering, stmt: core.ChooseOne) -> bool:
    site = new_site(low, "one", stmt.text, stmt)
    site.values_only = len(stmt.branches) == 1 and len(stmt.branches[0].binders) == 1 and not stmt.branches[0].otherwise
    _, answer = open_question(low)
    low.add("begin_options")
    trials: list[int] = []
    for number, branch in enumerate(stmt.branches):
        if not branch.otherwise:
            _offer_branch(low, site, number, branch, trials)
    if trials:
        site.trial_branches = tuple(trials)
        site.trial = "what follows may be refused"
        from .foresight import add_filter

        tried = [(number, stmt.branches[number]) for number in trials]
        site.callers = any(id(branch) in low.unit.analysis.rests for _, branch in tried)
        bodies = [(number, branch.binders, _asked_of(branch), branch.body) for number, branch in tried]
        add_filter(low, site, stmt.player, [] if id(stmt) in low.unit.analysis.own_rests else bodies)
    if any(branch.otherwise for branch in stmt.branches):
        site.fallback = True
        made = low.add("if_no_option", blocks=([],))
        outer, low.out = low.out, made.blocks[0]
        before = len(trials)
        for number, branch in enumerate(stmt.branches):
            if branch.otherwise:
                _offer_branch(low, site, number, branch, trials)
        if len(trials) > before:
            site.trial, site.trial_branches = "what follows may be refused", tuple(trials)
            low.add("filter", site.number, low.x.lower(stmt.player), ())
        low.out = outer
    _order_branches(site, stmt)
    always = [number for number, branch in enumerate(stmt.branches) if low.unit.analysis.always_open(branch)]
    site.steady = any(number not in trials for number in always)
    ask(low, site, stmt.player)
    low.open(answer)
    if site.values_only:
        _take_up(low, stmt.branches[0].binders, True)
        return low.block(stmt.branches[0].body)
    return dispatch(low, stmt.branches)


def _offer_branch(low: StatementLowering, site: Site, number: int, branch: core.BranchDecl, trials: list[int]) -> None:
    while len(site.branches) <= number:
        site.branches.append(SiteBranch(None, (), ()))
    kept = site.branches
    site.branches = []
    add_branch(low, site, branch.label, branch.binders, branch.cites)
    kept[number] = site.branches[0]
    site.branches = kept
    tests, rest = guards(low, branch.body)
    if branch.condition is not None:
        tests.insert(0, branch.condition)
    offer(low, None if site.values_only else number, branch.binders, tests)
    if needs_trial(low, branch, branch.body, rest, _asked_of(branch)):
        trials.append(number)


def _asked_of(branch: core.BranchDecl) -> core.Block:
    """The branch's own choice, as a statement that later ones may rely on."""
    nobody = core.Const(Player(), branch.span, 0)
    chosen = core.Choose(branch.span, nobody, branch.binders, False, None, False, None)
    asked: core.Block = (chosen,)
    if branch.condition is not None:
        asked += (core.Require(branch.span, branch.condition, None),)
    return asked


def _order_branches(site: Site, stmt: core.ChooseOne) -> None:
    while len(site.branches) < len(stmt.branches):
        site.branches.append(SiteBranch(None, (), ()))


def dispatch(low: StatementLowering, branches: tuple[core.BranchDecl, ...]) -> bool:
    """Goes on with the block of the branch that was chosen."""
    after = low.segment()
    reached = False
    for number, branch in enumerate(branches):
        is_this = Op("answer", ("branch", number), FLAG)
        last = number == len(branches) - 1
        if last:
            target = low.out
        else:
            made = low.add("if", is_this, blocks=([], []), span=branch.span)
            target = made.blocks[0]
        outer, low.out = low.out, target
        _take_up(low, branch.binders, False)
        if not low.block(branch.body):
            low.goto(after)
            reached = True
        low.out = outer
    if reached:
        low.open(after)
    else:
        low.segments.remove(after)
    return not reached


def _may(low: StatementLowering, stmt: core.May) -> bool:
    site = new_site(low, "may", None, stmt)
    branch = stmt.branch
    add_branch(low, site, branch.label, branch.binders, branch.cites)
    site.may_pass = True
    after = low.segment()
    if stmt.repeatedly:
        low.loops.append(after)
    question, answer = open_question(low)
    low.add("begin_options")
    tests, rest = guards(low, branch.body)
    if branch.condition is not None:
        tests.insert(0, branch.condition)
    offer(low, 0, branch.binders, tests)
    low.add("pass_option")
    again = stmt.repeatedly and low.stands_for_phase
    refused = low.unit.analysis.block_refuses(rest, _asked_of(branch) + branch.body[: len(branch.body) - len(rest)])
    rest_refuses = id(stmt) in low.unit.analysis.rests and not again
    pass_refused = not again and (rest_refuses or low.unit.analysis.block_refuses(stmt.otherwise))
    if refused or rest_refuses or pass_refused:
        site.trial = "what follows may be refused"
        site.trial_branches = (*((0,) if refused or rest_refuses else ()), *((PASS,) if pass_refused else ()))
        from .foresight import add_filter

        ends = low.unit.analysis.block_refuses(stmt.otherwise)
        own = id(stmt) in low.unit.analysis.own_rests or (stmt.repeatedly and ends)
        site.callers = rest_refuses
        body = [] if own and not again else [(0, branch.binders, _asked_of(branch), branch.body)]
        add_filter(low, site, stmt.player, body, passes=not (own or ends))
    ask(low, site, stmt.player)
    low.open(answer)
    made = low.add("if", IS_PASS, blocks=([], []))
    outer, low.out = low.out, made.blocks[0]
    if again:
        low.add("pass_ends", low.innermost_loop())
    if not low.block(stmt.otherwise):
        low.goto(after)
    low.out = outer
    _take_up(low, branch.binders, False)
    if not low.block(branch.body):
        if stmt.repeatedly:
            low.goto(question, backward=True)
        else:
            low.goto(after)
    if stmt.repeatedly:
        low.loops.pop()
    low.open(after)
    return False


def _pause(low: StatementLowering, stmt: core.Pause) -> bool:
    site = new_site(low, "pause", None, stmt)
    add_branch(low, site, stmt.text, (), stmt.cites)
    _, answer = open_question(low)
    low.add("begin_options")
    low.add("option", 0, ())
    ask(low, site, stmt.player)
    low.open(answer)
    return False


def _any_order(low: StatementLowering, stmt: core.AnyOrder) -> bool:
    """Each branch once, in an order the player chooses; `done` has a bit a branch."""
    site = new_site(low, "order", None, stmt)
    done = low.unit.temporary("done")
    mask = Op("local", (done,), INDEX)
    low.let(done, ZERO)
    after = low.segment()
    question, answer = open_question(low)
    low.add("begin_options")
    trials: list[int] = []
    for number, branch in enumerate(stmt.branches):
        left = Op("not", (Op("has_bit", (mask, number), FLAG),), FLAG)
        outer, low.out = low.out, _if(low, left)
        _offer_branch(low, site, number, branch, trials)
        low.out = outer
    low.add("if_no_option", blocks=([Ins("goto", (after.number, 0, False))],))
    if trials:
        site.trial, site.trial_branches = "what follows may be refused", tuple(trials)
        low.add("filter", site.number, low.x.lower(stmt.player), ())
    ask(low, site, stmt.player)
    low.open(answer)
    for number, branch in enumerate(stmt.branches):
        made = low.add("if", Op("answer", ("branch", number), FLAG), blocks=([], []))
        outer, low.out = low.out, made.blocks[0]
        low.let(done, plus(mask, Op("const", (1 << number,), INDEX)))
        _take_up(low, branch.binders, False)
        if not low.block(branch.body):
            low.add("goto", question.number, 0, True)
        low.out = outer
    low.goto(after)
    low.open(after)
    return False


def lower_ordered_for(low: StatementLowering, stmt: core.For, items: Op, local: str) -> None:
    """`for x in S ordered by p`: p says which comes next while two or more remain."""
    assert stmt.ordered_by is not None
    site = new_site(low, "order", None, stmt)
    add_branch(low, site, None, (stmt.binder,), stmt.cites)
    site.values_only = True
    left = low.unit.temporary("left")
    low.let(left, items, SetOf(stmt.binder.local.type))
    remaining = Op("local", (left,), SetOf(stmt.binder.local.type))
    after = low.segment()
    low.loops.append(after)
    question, answer = open_question(low)
    low.add("let", "o", Op("all", ("e_", remaining, None, None, None), remaining.type))
    low.add("if_no_option", blocks=([Ins("goto", (after.number, 0, False))],))
    if low.unit.analysis.trials.get(id(stmt)):
        site.trial, site.trial_branches = low.unit.analysis.trials[id(stmt)], (0,)
        low.add("filter", site.number, low.x.lower(stmt.ordered_by), ())
    ask(low, site, stmt.ordered_by)
    low.open(answer)
    low.let(local, Op("picked", (None,), stmt.binder.local.type), stmt.binder.local.type)
    low.let(
        left,
        Op("without", (remaining, Op("local", (local,), stmt.binder.local.type), False), remaining.type),
        remaining.type,
    )
    if not low.block(stmt.body):
        low.goto(question, backward=True)
    low.loops.pop()
    low.open(after)


# ---------------------------------------------------------------------------- the game picks


def lower_pick(low: StatementLowering, stmt: core.Pick) -> bool:
    binder = stmt.binder
    local = low.name(binder.local)
    optional = Maybe(bare(binder.local.type))
    if stmt.at_random:
        name, source, where = low.x.source(binder)
        candidates = Op("all", (name, source, where, None, None), SetOf(binder.local.type))
        place = low.x.place_address(binder.source) if isinstance(binder.source, core.PlaceRef) else None
        picked = bare(binder.local.type)
        mixes = isinstance(picked, Piece) and low.unit.must_track(picked.kinds, None)
        low.types[local] = optional
        low.add("pick_random", local, candidates, place, mixes, span=stmt.span)
    else:
        low.let(local, preferred(low, stmt), optional)
    found = Op("local", (local,), optional)
    missing = Op("is_none", (found, none_of(optional)), FLAG)
    if stmt.if_possible:
        low.when(Op("not", (missing,), FLAG), lambda: _picked_block(low, stmt))
        return False
    low.add("require", Op("not", (missing,), FLAG), ("pick", binder.local.name), (), span=stmt.span, cites=stmt.cites)
    if stmt.body is not None:
        return low.block(stmt.body)
    return False


def _picked_block(low: StatementLowering, stmt: core.Pick) -> None:
    low.block(stmt.body or ())


def preferred(low: StatementLowering, stmt: core.Pick) -> Op:
    local, source, where = low.x.source(stmt.binder)
    optional = Maybe(bare(stmt.binder.local.type))
    if not stmt.preferring:
        return Op("first", (local, source, where), optional, stmt.span)
    candidates = low.temporary("from", Op("all", (local, source, where, None, None), SetOf(stmt.binder.local.type)))
    chain: Op | None = None
    for condition in reversed(stmt.preferring):
        first = Op("first", (local, candidates, low.x.maybe(condition)), optional, stmt.span)
        chain = first if chain is None else Op("otherwise", (first, chain, none_of(optional)), optional)
    assert chain is not None
    return chain
