"""Decisions: what is offered, who is asked, and how the answer is taken up.

Every decision has two segments. The first works out the options and asks; it changes nothing, so it can be run
again after a free action or when a save is opened. The second, numbered right after it, takes up the answer.
"""

from __future__ import annotations

from ...check import program as core
from ...check.secret_refusals import may_rests_on_secret
from ...check.value_types import Piece, Player, SetOf, bare
from .. import ir
from ..analysis import FOLLOWING, Analysis
from ..ir import INDEX, Op, Site, SiteBranch
from ..lowering import ZERO, Lowering, plus
from ..meta import PASS
from ..statement_facts import surely_some
from ..told import answered
from .filters import Filtered, add_filter, add_set_filter, try_all
from .offers import (
    ask,
    dedupe,
    is_pointed_at,
    needs_trial,
    new_branch,
    new_site,
    offer,
    only_if,
    open_question,
    opening_conditions,
    piece_at,
)

IS_PASS = ir.Answered("pass")


def lower_choose(low: Lowering, stmt: core.Choose) -> None:
    site = new_site(low, "choose", stmt.text, stmt)
    site.branches.append(new_branch(low, None, stmt.binders, stmt.cites))
    body = low.following if stmt.body is None else stmt.body
    tests, rest = opening_conditions(low, body)
    done = body[: len(body) - len(rest)]
    if stmt.body is None:
        trial = id(stmt) in low.unit.analysis.tails or low.unit.analysis.block_refuses(rest, (stmt, *done))
    else:
        trial = needs_trial(low, stmt, body, rest, (stmt,))
    if trial:
        site.trial, site.trial_branches = FOLLOWING, (0,)
    else:
        site.steady = not tests and all(surely_some(binder) for binder in stmt.binders)
    _, answer = open_question(low)
    single = len(stmt.binders) == 1
    site.values_only = single
    # The plainest case needs no list of options: the set of values is the list.
    binder = stmt.binders[0]
    is_list = single and dedupe(low, binder) is None and not is_pointed_at(low, binder) and _stands_for_itself(site)
    if is_list and not tests and not trial:
        local, source, where = low.x.source(binder)
        low.add(ir.OfferAll(ir.All(local, source, where, type=SetOf(binder.local.type))))
    else:
        low.add(ir.BeginOptions())
        offer(low, site, 0, stmt.binders, tests)
    if trial:

        def said(by: Analysis) -> Filtered:
            rests, own = (by.tails, by.own_tails) if stmt.body is None else (by.rests, by.own_rests)
            return Filtered(by, [] if id(stmt) in own else [(0, stmt.binders, (stmt,), body)], id(stmt) in rests)

        add_filter(low, site, stmt.player, said)
    ask(low, site, low.x.lower(stmt.player), answer, stmt.if_possible)
    low.open(answer)
    after = low.segment() if stmt.body is not None else None
    if stmt.if_possible:
        assert after is not None
        low.add(ir.If(IS_PASS, [ir.Goto(after.number)]))
    _take_up(low, site, 0, stmt.binders)
    if stmt.body is not None and after is not None:
        if not low.block(stmt.body):
            low.goto(after)
        low.open(after)


def _stands_for_itself(site: Site) -> bool:
    """True if an option has the same number as the value that it stands for. Then the list of values is already the
    list of options."""
    return site.branches[0].digits[0][0] == 0


def _take_up(low: Lowering, site: Site, number: int, binders: tuple[core.Binder, ...]) -> None:
    for position, binder in enumerate(binders):
        picked = ir.Picked(site.number, number, position, type=binder.local.type)
        low.let(low.name(binder.local), piece_at(low, binder, picked), binder.local.type)


def lower_choose_set(low: Lowering, stmt: core.ChooseSet) -> bool:
    """A set is chosen pick by pick, each later in the list than the one before; the rule sees the finished set. To
    offer whole sets would be hopeless: twelve cards have 4,096 subsets. The fixed order makes every set come up
    once."""
    site = new_site(low, "set", stmt.text, stmt)
    site.branches.append(new_branch(low, None, (stmt.binder,), stmt.cites))
    site.values_only = True
    chosen = low.name(stmt.chosen)
    site.chosen = chosen
    low.let(chosen, ir.Sequence((), type=stmt.chosen.type), stmt.chosen.type)
    so_far = ir.Local(chosen, type=stmt.chosen.type)
    question, answer = open_question(low)
    local, source, where = low.x.source(stmt.binder)
    candidates = ir.All(local, source, where, type=SetOf(stmt.binder.local.type))
    lowest, highest = low.x.maybe(stmt.low), low.x.maybe(stmt.high)
    such_that = low.x.maybe(stmt.such_that)
    how = dedupe(low, stmt.binder)
    low.add(ir.SetOptions(site.number, candidates, so_far, lowest, highest, chosen, such_that, how, span=stmt.span))
    refused = stmt.body is not None and low.unit.analysis.block_refuses(stmt.body)
    if refused or id(stmt) in low.unit.analysis.rests:
        site.trial, site.trial_branches = FOLLOWING, (0,)
        add_set_filter(low, site, stmt)
    ask(low, site, low.x.lower(stmt.player), answer, stmt.if_possible, so_far)
    low.open(answer)
    finished = low.segment()
    after = low.segment() if stmt.if_possible and stmt.body is not None else None
    if after is not None:
        low.add(ir.If(ir.Answered("skip"), [ir.Goto(after.number)]))
    low.add(ir.If(IS_PASS, [ir.Goto(finished.number)]))  # passing means: that is all
    picked = ir.Picked(site.number, 0, 0, type=stmt.binder.local.type)
    low.let(chosen, ir.Append(so_far, picked, type=stmt.chosen.type), stmt.chosen.type)
    if highest is not None:
        full = ir.Compare(">=", ir.Count(so_far, type=INDEX), highest)
        low.add(ir.If(full, [ir.Goto(finished.number)]))
    low.add(ir.Goto(question.number, backward=True))  # ask for the next pick
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


def lower_choose_one(low: Lowering, stmt: core.ChooseOne) -> bool:
    site = new_site(low, "one", stmt.text, stmt)
    site.values_only = len(stmt.branches) == 1 and len(stmt.branches[0].binders) == 1 and not stmt.branches[0].otherwise
    _, answer = open_question(low)
    low.add(ir.BeginOptions())
    trials: list[int] = []
    for number, branch in enumerate(stmt.branches):
        if not branch.otherwise:
            _offer_branch(low, site, number, branch, trials)
    if trials:
        site.trial, site.trial_branches = FOLLOWING, tuple(trials)
        tried = [(number, stmt.branches[number]) for number in trials]
        bodies = [(number, branch.binders, _asked_of(branch), branch.body) for number, branch in tried]

        def said(by: Analysis) -> Filtered:
            callers = any(id(branch) in by.rests for _, branch in tried)
            return Filtered(by, [] if id(stmt) in by.own_rests else bodies, callers)

        add_filter(low, site, stmt.player, said)
    if any(branch.otherwise for branch in stmt.branches):
        site.fallback = True
        # A trial tries the branches one by one. If none was carried through, it runs the question again with
        # `NothingElse` set, and then `otherwise` is offered.
        low.add(ir.Only(("trial",), [ir.If(ir.NothingElse(), [ir.ForgetOptions()])]))
        before = len(trials)  # trials of the other branches are not repeated for `otherwise`
        with low.inside(low.add(ir.If(ir.Not(ir.HasOption()))).then):
            for number, branch in enumerate(stmt.branches):
                if branch.otherwise:
                    _offer_branch(low, site, number, branch, trials)
            if any(_may_fail(low.unit.counting, stmt.branches[number]) for number in trials[before:]):
                try_all(low, site, tuple(trials), stmt.player)
    always = [number for number, branch in enumerate(stmt.branches) if low.unit.analysis.always_open(branch)]
    # A branch that can always be taken tells a playout, without a trial, that the option it has drawn is not the only
    # one. `otherwise` is no such branch: it is offered only if nothing else is.
    site.always = next((n for n in always if n not in trials and not stmt.branches[n].otherwise), -1)
    site.steady = any(number not in trials for number in always)
    ask(low, site, low.x.lower(stmt.player), answer)
    low.open(answer)
    if site.values_only:
        _take_up(low, site, 0, stmt.branches[0].binders)
        return low.block(stmt.branches[0].body)
    return _dispatch(low, site, stmt)


def _offer_branch(low: Lowering, site: Site, number: int, branch: core.BranchDecl, trials: list[int]) -> None:
    while len(site.branches) <= number:  # `otherwise` may stand before others, and is offered last
        site.branches.append(SiteBranch(None, (), ()))
    made = site.branches[number] = new_branch(low, branch.label, branch.binders, branch.cites, branch.condition)
    made.otherwise = branch.otherwise
    rest = _offer_options(low, site, number, branch)
    if needs_trial(low, branch, branch.body, rest, _asked_of(branch)):
        trials.append(number)


def _offer_options(low: Lowering, site: Site, number: int, branch: core.BranchDecl) -> core.Block:
    """Offers what meets the condition of the branch and those that its body begins with. Gives the rest of the body."""
    tests, rest = opening_conditions(low, branch.body)
    offer(low, site, number, branch.binders, [*([branch.condition] if branch.condition is not None else []), *tests])
    return rest


def _may_fail(by: Analysis, branch: core.BranchDecl) -> bool:
    return id(branch) in by.rests or by.block_refuses(branch.body, _asked_of(branch))


def _asked_of(branch: core.BranchDecl) -> core.Block:
    """The choice and condition of a branch as statements. What comes after may rely on them: a slot that was chosen for
    being empty is known to be empty."""
    nobody = core.Const(Player(), branch.span, 0)
    chosen = core.Choose(branch.span, nobody, branch.binders, False, None, False, None)
    asked: core.Block = (chosen,)
    if branch.condition is not None:
        asked += (core.Require(branch.span, branch.condition, None),)
    return asked


def _dispatch(low: Lowering, site: Site, stmt: core.ChooseOne) -> bool:
    """Goes on with the block of the branch that was chosen."""
    after = low.segment()
    reached = False
    for number, branch in enumerate(stmt.branches):
        is_last = number == len(stmt.branches) - 1
        is_this = ir.IsBranch(site.number, number)
        with low.inside(low.out if is_last else low.add(ir.If(is_this, span=branch.span)).then):
            _take_up(low, site, number, branch.binders)
            low.out += answered(low, stmt)
            if not low.block(branch.body):
                low.goto(after)
                reached = True
    if reached:
        low.open(after)
    else:
        low.segments.remove(after)
    return not reached


def lower_may(low: Lowering, stmt: core.May) -> None:
    site = new_site(low, "may", None, stmt)
    branch = stmt.branch
    site.branches.append(new_branch(low, branch.label, branch.binders, branch.cites, branch.condition))
    site.may_pass = True
    site.silent, site.repeats = may_rests_on_secret(stmt), stmt.repeatedly
    after = low.segment()
    if stmt.repeatedly:
        low.loops.append(after)
    question, answer = open_question(low)
    low.add(ir.BeginOptions())
    rest = _offer_options(low, site, 0, branch)
    low.add(ir.PassOption())
    # Passing on a repeated `may` of a phase ends a pass of its loop, and a trial looks no further than that.
    again = stmt.repeatedly and low.stands_for_phase
    refused = low.unit.analysis.block_refuses(rest, _asked_of(branch) + branch.body[: len(branch.body) - len(rest)])
    rest_refuses = id(stmt) in low.unit.analysis.rests and not again
    pass_refused = not again and (rest_refuses or low.unit.analysis.block_refuses(stmt.otherwise))
    if refused or rest_refuses or pass_refused:
        site.trial = FOLLOWING
        site.trial_branches = (*((0,) if refused or rest_refuses else ()), *((PASS,) if pass_refused else ()))

        def said(by: Analysis) -> Filtered:
            ends = by.block_refuses(stmt.otherwise)
            own = id(stmt) in by.own_rests or (stmt.repeatedly and ends)
            body = [] if own and not again else [(0, branch.binders, _asked_of(branch), branch.body)]
            return Filtered(by, body, id(stmt) in by.rests and not again, passes=not (own or ends))

        add_filter(low, site, stmt.player, said)
    ask(low, site, low.x.lower(stmt.player), answer)
    low.open(answer)
    with low.inside(low.add(ir.If(IS_PASS)).then):
        if again:
            low.only(("trial",), ir.PassEnds(low.innermost_loop()))
        if stmt.repeatedly:
            low.loops.pop()  # whoever passes is done with repeating: `stop` in `else` leaves the loop around
        low.out += answered(low, stmt)
        if not low.block(stmt.otherwise):
            low.goto(after)
        if stmt.repeatedly:
            low.loops.append(after)
    _take_up(low, site, 0, branch.binders)
    low.out += answered(low, stmt)
    if not low.block(branch.body):
        low.goto(question if stmt.repeatedly else after, backward=stmt.repeatedly)
    if stmt.repeatedly:
        low.loops.pop()
    low.open(after)


def lower_pause(low: Lowering, stmt: core.Pause) -> None:
    site = new_site(low, "pause", None, stmt)
    site.branches.append(new_branch(low, stmt.text, (), stmt.cites))
    _, answer = open_question(low)
    low.add(ir.BeginOptions())
    low.add(ir.Option(site.number, 0, ()))
    ask(low, site, low.x.lower(stmt.player), answer)
    low.open(answer)


def lower_any_order(low: Lowering, stmt: core.AnyOrder) -> None:
    """Each branch once, in an order that the player chooses. The number `done` has one bit per branch. All of them have
    to be done, so what a body begins with is no condition of its option. It would end the statement with that branch
    left out; tried, the refusal bars what leads to it."""
    site = new_site(low, "order", None, stmt)
    done = low.temporary("done", ZERO)
    after = low.segment()
    question, answer = open_question(low)
    low.add(ir.BeginOptions())
    for number, branch in enumerate(stmt.branches):
        site.branches.append(new_branch(low, branch.label, branch.binders, branch.cites, branch.condition))
        with low.inside(only_if(low, ir.Not(ir.HasBit(done, number)))):
            offer(low, site, number, branch.binders, [] if branch.condition is None else [branch.condition])
    low.add(ir.If(ir.Not(ir.HasOption()), [ir.Goto(after.number)]))
    if id(stmt) in low.unit.analysis.trials:
        try_all(low, site, tuple(range(len(stmt.branches))), stmt.player)
    ask(low, site, low.x.lower(stmt.player), answer)
    low.open(answer)
    for number, branch in enumerate(stmt.branches):
        with low.inside(low.add(ir.If(ir.IsBranch(site.number, number))).then):
            low.let(done.name, plus(done, ir.Const(1 << number, type=INDEX)))
            _take_up(low, site, number, branch.binders)
            low.out += answered(low, stmt)
            if not low.block(branch.body):
                low.add(ir.Goto(question.number, backward=True))
    low.goto(after)
    low.open(after)


def lower_ordered_for(low: Lowering, stmt: core.For, items: Op, local: str) -> None:
    """`for x in S ordered by p`: p says which comes next while two or more remain."""
    assert stmt.ordered_by is not None
    site = new_site(low, "order", None, stmt)
    item = stmt.binder.local.type
    site.branches.append(new_branch(low, None, (stmt.binder,), stmt.cites))
    site.values_only = True
    remaining = low.temporary("left", items, SetOf(item))
    after = low.segment()
    low.loops.append(after)
    question, answer = open_question(low)
    if _may_be_alike(low, stmt):
        seen = low.unit.temporary("seen")  # of this question alone: a name that two of them share is kept in the frame
        low.add(ir.BeginOptions())
        low.add(ir.Let(seen, ir.Memory("key", type=INDEX)))
        once = ir.Once("e_", seen, "key", ())
        low.add(ir.For("e_", remaining, [once, ir.Option(site.number, 0, ("e_",))]))
    elif _stands_for_itself(site):
        low.add(ir.OfferAll(ir.All("e_", remaining, type=remaining.type)))
    else:
        low.add(ir.BeginOptions())
        low.add(ir.For("e_", remaining, [ir.Option(site.number, 0, ("e_",))]))
    low.add(ir.If(ir.Not(ir.HasOption()), [ir.Goto(after.number)]))
    if id(stmt) in low.unit.analysis.trials:
        try_all(low, site, (0,), stmt.ordered_by)
    ask(low, site, low.x.lower(stmt.ordered_by), answer)
    low.open(answer)
    low.let(local, ir.Picked(site.number, 0, 0, type=item), item)
    low.let(remaining.name, ir.Without(remaining, ir.Local(local, type=item), False, type=remaining.type))
    if not low.block(stmt.body):
        low.goto(question, backward=True)
    low.loops.pop()
    low.open(after)


def _may_be_alike(low: Lowering, stmt: core.For) -> bool:
    """Whether equal copies may remain, which are one option. They are known by key: since the loop began, those of one
    hand may have come to lie apart, and those of one row together in a hand."""
    if dedupe(low, stmt.binder) is not None:
        return True
    of = bare(stmt.binder.local.type)
    if not isinstance(of, Piece) or not low.unit.has_copies(of.kinds):
        return False
    return not low.unit.footprints.writes(stmt.body).isdisjoint(low.unit.footprints.whereabouts(of.kinds))
