"""Whether something can be carried through, worked out by conditions instead of being tried on a copy.

A rule begins with requirements, payments and choices; behind the last thing that can be refused nothing is left to
ask. So the rules themselves say most of what a trial would find, and routines `can_…` are made of them: they look at
the state as it is and change nothing (a payment that later conditions must see is taken and given back).

An answer is yes, no, or unsure; only the unsure is tried. Yes is said if some way leads through whatever happens on it,
no if every way is barred:

    requires C, pay n f              no, unless it holds
    choose x in S where C            yes, if it is yes for one x of S
    choose one                       yes, if it is yes for a branch
    if C … else …                    the one that comes; both must be yes where C cannot be told yet
    a call, `perform`                what its own routine says, and what follows
    move, draw, pick                 there must be one, and room for it
    for x in S                       yes, if it is yes for every x
    may …                            as if it were declined: yes, or unsure

What has been changed on the way can no longer be told from the state as it is (see footprint): conditions that look at
it are unsure. Behind chance, unseen pieces and decisions of others a trial may end content, so a no is unsure there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..check import program as core
from ..check.value_types import Maybe, Number, VType, bare, none_of
from .footprint import NOTHING, RUNNING, Footprints, Things, disturbs
from .ir import Ins, Op, Routine, Site
from .lower_choices import guards, preferred, uses
from .lower_expressions import FLAG, INDEX, ExpressionLowering
from .lower_loops import bound_set
from .lower_statements import StatementLowering, bounds, free_locals
from .rule_walk import Block, statements
from .statement_facts import binders_of, fills_up, surely_filled
from .substitute import walk
from .unit import Unit, is_printed

YES, NO, UNSURE = Op("const", (1,), FLAG), Op("const", (0,), FLAG), Op("unsure", (), FLAG)
PASS = -1


@dataclass(frozen=True)
class Foreseen:
    """What answers for a rule or a branch. `name` is empty if the answer is always yes. `reads`: what the answer rests
    on; `exact`: it is never unsure; `performs`: it asks whether a cell can be performed."""

    name: str = ""
    params: tuple[str, ...] = ()
    reads: Things = NOTHING
    exact: bool = True
    performs: bool = False


ALWAYS = Foreseen()


@dataclass(frozen=True)
class Road:
    """What lies between the state that is looked at and the statement that is asked about."""

    changed: Things = NOTHING
    unknown: frozenset[core.LocalDecl] = frozenset()  # locals that get their value on the way
    may_end: bool = False  # a trial may end here, content


def foresee_entry(unit: Unit, rule: core.RuleDecl) -> Foreseen | None:
    """What says whether a call of the rule can be carried through; None if only a trial can."""
    if not unit.analysis.entry_refuses(rule):
        return ALWAYS
    if rule not in unit.foreseen:
        unit.foreseen[rule] = None  # a rule that calls itself is tried
        unit.foreseen[rule] = _entry_routine(unit, rule)
    return unit.foreseen[rule]


def foresee_entries(unit: Unit) -> None:
    """What cells and free actions may begin."""
    for rule in unit.program.rules.values():
        if rule in unit.analysis.cell_rules or rule in unit.program.free_actions:
            made = foresee_entry(unit, rule)
            if made is not None:
                unit.foreseen_entries[rule] = made.name


def _entry_routine(unit: Unit, rule: core.RuleDecl) -> Foreseen | None:
    if rule.instead or rule.depth or not rule.body:
        return None
    if any(hook in unit.analysis.refuses for hook in (*rule.before, *rule.after)):
        return None
    before = [stmt for hook in rule.before for stmt in hook.body]
    changed: Things = unit.footprints.writes(tuple(before)) | {RUNNING} | frozenset(rule.resets)
    may_end = any(hook.can_prevent for hook in rule.before) or not unit.footprints.certain(tuple(before))
    params = tuple(unit.local_name(param) for param in rule.params)
    foresight = _Foresight(unit, rule, Road(changed, may_end=may_end))
    return foresight.routine(f"can_{unit.routine_name(rule)}", rule.body, (), params)


# ---------------------------------------------------------------------------- decisions

Tried = tuple[int, tuple[core.Binder, ...], Block, Block]  # a branch: number, binders, what is known, body


def add_filter(low: StatementLowering, site: Site, player: core.Expr, tried: list[Tried], passes: bool = False) -> None:
    """Leaves only the options that can be carried through. Branches that are not among `tried` are tried out, like
    whatever of these stays unsure; `passes`: passing is sure to be carried through, as far as its rule goes."""
    made = {branch[0]: (branch, _branch_routine(low, site.number, branch)) for branch in tried}
    told = [answer for _, answer in made.values() if answer is not None]
    all_told = made.keys() | ({PASS} if passes else set()) >= set(site.trial_branches)
    exact = all_told and len(told) == len(made) and all(answer.exact for answer in told)
    if exact and not site.callers and (low.unit.cells_foreseen or not any(answer.performs for answer in told)):
        site.trial = ""
    few = len(site.branches) <= 2 and not any(branch.values for branch in site.branches)
    if all_told and (few or all(_is_quick(low, answer) for _, answer in made.values())):
        _test_at_once(low, site, player, [(pair[0][0], pair[1]) for pair in made.values()])
        return
    tests = [(branch[0], answer.name, _arguments(low, branch, answer)) for branch, answer in made.values() if answer]
    if passes:
        tests.append((PASS, "", ()))
    low.add("filter", site.number, low.x.lower(player), tuple(tests))


def _is_quick(low: StatementLowering, answer: Foreseen | None) -> bool:
    """Worth asking of every option, however many: it is a plain condition. Else a playout asks of those it picks."""
    if answer is None:
        return False
    body = low.unit.routines[answer.name].body if answer.name else []
    return not body or (len(body) == 1 and body[0].op == "return" and not _calls_out(body[0].args[0]))


def _calls_out(value: object) -> bool:
    if isinstance(value, tuple):
        return any(_calls_out(item) for item in value)
    return isinstance(value, Op) and (
        value.op in ("value", "can_perform", "can_call", "can_pay") or _calls_out(value.args)
    )


def _test_at_once(
    low: StatementLowering, site: Site, player: core.Expr, answers: list[tuple[int, Foreseen | None]]
) -> None:
    """Each option is tested where it is offered. What remains unsure is noted, and tried in the end."""
    unsure = False
    for number, answer in answers:
        condition = UNSURE if answer is None else _as_op(low.unit, answer)
        if condition is YES:
            continue
        exact = answer is not None and answer.exact
        unsure = unsure or not exact
        _test_options(low.question, None if site.values_only else number, condition, exact)
    if unsure:
        low.question.insert(0, Ins("begin_unsure"))
    if unsure or site.callers:
        low.add("try_unsure", site.number, low.x.lower(player), unsure, site.callers)


def _arguments(low: StatementLowering, branch: Tried, answer: Foreseen) -> tuple[object, ...]:
    """Each argument as a local of the rule, or as a number: which value of the option it is."""
    chosen = {low.name(binder.local): position for position, binder in enumerate(branch[1])}
    return tuple(chosen[name] if name in chosen else Op("local", (name,), INDEX) for name in answer.params)


def _test_options(body: list[Ins], branch: int | None, condition: Op, exact: bool) -> None:
    """Puts the condition before each option of that branch. A trial finds out by itself, and why."""
    for position, ins in enumerate(body):
        if ins.op == "option" and ins.args[0] == branch:
            if exact:
                on_trial = Op("or", (Op("on_trial", (), FLAG), condition), FLAG)
                body[position] = Ins("if", (on_trial,), ([ins], []), ins.span)
            else:
                body[position] = Ins("option_if", (condition, *ins.args), (), ins.span)
        else:
            for block in ins.blocks:
                _test_options(block, branch, condition, exact)


def _branch_routine(low: StatementLowering, site: int, tried: Tried) -> Foreseen | None:
    """What answers for an option of the branch; None if only a trial can."""
    number, _, before, body = tried
    if not low.unit.analysis.block_refuses(body, before):
        return ALWAYS
    return _Foresight(low.unit, low.rule, Road()).routine(f"can_{site}_{number}", body, before)


def add_payment_filter(low: StatementLowering, site: Site, stmt: core.Pay, player: Op) -> None:
    """However it is paid, what follows must still be possible; where that does not look at what is paid, it is the same
    for all ways."""
    site.callers = id(stmt) in low.unit.analysis.tails
    following = low.following
    made: Foreseen | None = None
    if id(stmt) not in low.unit.analysis.own_tails and not low.unit.analysis.hooks_refuse(stmt):
        made = ALWAYS
        if low.unit.analysis.block_refuses(following, (stmt,)):
            road = Road(low.unit.footprints.writes((stmt,)), may_end=not low.unit.footprints.certain((stmt,)))
            name = f"can_{site.number}_0"
            made = _Foresight(low.unit, low.rule, road).routine(name, following, (stmt,))
    if made is not None and made.exact and not site.callers and (low.unit.cells_foreseen or not made.performs):
        site.trial = ""
    tests = () if made is None else ((0, made.name, tuple(Op("local", (name,), INDEX) for name in made.params)),)
    low.add("filter", site.number, player, tests)


def add_set_filter(low: StatementLowering, site: Site, stmt: core.ChooseSet, following: Block) -> None:
    """A set that may end with this pick is sure if what follows goes through with it. If it does not, a larger set
    may, unless all that bars the way is a price that grows with the set."""
    after, own = low.unit.analysis.rests, low.unit.analysis.own_tails
    body = following if stmt.body is None else stmt.body
    if stmt.body is not None:
        own = low.unit.analysis.own_rests
    site.callers = id(stmt) in after
    made: Foreseen | None = None
    if id(stmt) not in own and stmt.low is None and stmt.such_that is None:
        made = ALWAYS
        if low.unit.analysis.block_refuses(body):
            made = _Foresight(low.unit, low.rule, Road()).routine(f"can_{site.number}_0", body, (stmt,))
    if made is None:
        low.add("filter", site.number, low.x.lower(stmt.player), ())
        return
    chosen = low.name(stmt.chosen)
    locals_ = tuple("chosen" if name == chosen else Op("local", (name,), INDEX) for name in made.params)
    grows = _price_grows(low, stmt, body)
    args = (*locals_, ("so far", Op("local", (chosen,), stmt.chosen.type), grows))
    if made.exact and grows and not site.callers:
        site.trial = ""
    low.add("filter", site.number, low.x.lower(stmt.player), ((0, made.name, args),))


def _price_grows(low: StatementLowering, stmt: core.ChooseSet, body: Block) -> bool:
    """All that can be refused is a price, and each thing that is chosen makes it higher, or leaves it."""
    if not body or not isinstance(body[0], core.Pay) or low.unit.analysis.block_refuses(body[1:], body[:1]):
        return False
    return all(
        isinstance(cost.amount, core.SumOf)
        and isinstance(cost.amount.binder.source, core.LocalVar)
        and cost.amount.binder.source.local is stmt.chosen
        and isinstance(each := bare(cost.amount.value.type), Number)
        and each.low >= 0
        for cost in body[0].costs
    )


def _as_op(unit: Unit, answer: Foreseen) -> Op:
    """A call of a routine; of one that does nothing but answer, the answer itself."""
    if not answer.name:
        return YES
    body = unit.routines[answer.name].body
    if len(body) == 1 and body[0].op == "return":
        del unit.routines[answer.name]
        said: Op = body[0].args[0]
        return said
    return Op("value", (answer.name, *(Op("local", (param,), INDEX) for param in answer.params)), FLAG)


# ---------------------------------------------------------------------------- one routine


class _Foresight:
    """Makes the body of one routine; `block` ends it with an answer on every way."""

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

    def routine(self, name: str, body: Block, before: Block, params: tuple[str, ...] | None = None) -> Foreseen | None:
        """Makes the routine; None if it would never know."""
        self.block(body, before)
        if not self.helps:
            return None
        made = _joined(self.low.body)
        if params is None:
            written = _written(made)
            params = tuple(dict.fromkeys(n for ins in made for n in free_locals(ins) if n not in written and n != "e_"))
        span = body[0].span if body else self.rule.span
        rule = self.rule.name
        self.unit.routines[name] = Routine(name, "pure", params, body=made, rule=rule, form="value", span=span)
        return Foreseen(name, params, self.reads, self.exact, self.performs)

    # ------------------------------------------------------------------ answers

    def _say(self, answer: Op) -> None:
        self.low.add("return", answer)
        self.helps = True

    def _yes(self) -> None:
        self._say(YES)

    def _unsure(self) -> None:
        self.exact = False
        self.low.add("return", UNSURE)

    def _no(self) -> None:
        if self.road.may_end:
            self._unsure()
        else:
            self._say(NO)

    def _when(self, condition: Op) -> None:
        """What is added from here on comes only under that condition, until `low.out` is set back."""
        self.low.out = self.low.add("if", condition, blocks=([], [])).blocks[0]

    def _unless(self, condition: Op) -> None:
        """No, unless the condition holds; then on."""
        outer = self.low.out
        self._when(Op("not", (condition,), FLAG))
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
        self._when(Op("not", (said,), FLAG))
        if self.road.may_end:
            self._unsure()
        else:
            self.exact = False
            self._say(said)
        self.low.out = outer

    def _take_over(self, answer: Foreseen) -> None:
        self.reads |= answer.reads
        self.performs = self.performs or answer.performs

    def _sees(self, *nodes: object) -> bool:
        """What these look at is still as it was; if so, the answer rests on it."""
        present = [node for node in nodes if node is not None]
        if any(isinstance(x, core.LocalVar) and x.local in self.road.unknown for node in present for x in walk(node)):
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

    # ------------------------------------------------------------------ statements

    def block(self, stmts: Block, before: Block) -> None:
        if not self.analysis.block_refuses(stmts, before):
            self._yes()
            return
        stmt, rest = stmts[0], stmts[1:]
        passed = (*before, stmt)
        match stmt:
            case core.Done() | core.ResultIs() | core.Stop():
                self._yes()
            case core.Let() if self._sees(stmt.value):
                self.low._let(stmt)
                self.block(rest, passed)
            case core.Let():
                self.road = replace(self.road, unknown=self.road.unknown | {stmt.local})
                self.block(rest, passed)
            case core.May():
                self.road = replace(self.road, may_end=True)
                self.block(stmt.otherwise + rest, before)
            case core.If() if self.analysis.stmt_refuses(stmt, before) or _leaves(stmt):
                self._if(stmt, rest, before)
            case core.For() if self.analysis.stmt_refuses(stmt, before):
                self._for(stmt, rest, passed)
            case core.ChooseSet() if not stmt.if_possible:
                self._choose_set(stmt, rest, passed)
            case core.Pick(at_random=False, if_possible=False) if self._sees(stmt.binder, *stmt.preferring):
                self._pick(stmt, rest, passed)
            case core.Choose() if self._is_own(stmt.player) and not stmt.if_possible and self._sees(*stmt.binders):
                self._choices([(None, stmt.binders, (stmt.body or ()) + rest)], passed)
            case core.ChooseOne() if self._is_own(stmt.player) and not any(b.otherwise for b in stmt.branches):
                self._choices([(b.condition, b.binders, b.body + rest) for b in stmt.branches], before)
            case _ if not self.analysis.stmt_refuses(stmt, before):
                self._goes_over(stmt, seen=self._moves_what_is_seen(stmt, before))
                self.block(rest, passed)
            case core.Pay() if not self.analysis.hooks_refuse(stmt):
                self._pay(stmt, rest, passed)
            case _ if self._ends_with_call(stmt, rest, passed):
                pass
            case _ if self._demands(stmt, before):
                self._goes_over(stmt, seen=self._moves_what_is_seen(stmt, before))
                self.block(rest, passed)
            case _:
                self._unsure()

    def _demands(self, stmt: core.Stmt, before: Block) -> bool:
        """What the statement itself demands; False if that cannot be told."""
        if self.analysis.hooks_refuse(stmt):
            return False
        match stmt:
            case core.Require() if self._sees(stmt.condition):
                self._unless(self.low.x.lower(stmt.condition))
            case core.Lose() if self._sees(stmt.player, *(a.amount for a in stmt.amounts)):
                return self._holds(stmt)
            case core.CallRule() | core.Perform():
                return self._can_do(stmt)
            case core.MovePiece():
                return self._has_piece(stmt.piece, before) and self._has_room(stmt.to, before)
            case core.MoveSome(quantity="exactly") if _is_one(stmt.count) and self._sees(stmt.binder):
                self._there_is_one(stmt.binder)
                return self._has_room(stmt.to, before)
            case core.Draw(up_to=False) if self._sees(stmt.source, stmt.count):
                held = Op("count", (self.low.x.contents(stmt.source),), INDEX)
                self._unless(_at_least(held, self.low.x.lower(stmt.count)))
                return self._has_room(stmt.to, before)
            case _:
                return False
        return True

    # ------------------------------------------------------------------ what is asked on the way

    def _pay(self, stmt: core.Pay, rest: Block, passed: Block) -> None:
        can_pay = core.CanPay(FLAG, stmt.span, stmt.player, stmt.costs)
        if not self._sees(stmt.player, can_pay):
            self._unsure()
            return
        if self._gives_back(stmt):
            self._pay_and_give_back(stmt, rest, passed)
            return
        self._unless(self.unit.payments.can_pay(self.low.x, stmt.player, stmt.costs))
        self._goes_over(stmt, seen=True)
        self.block(rest, passed)

    def _gives_back(self, stmt: core.Pay) -> bool:
        """A plain counter, and nobody notices: it can be paid and given back."""
        if self.analysis.change_hooks(stmt) or stmt.to is not None or len(stmt.costs) != 1:
            return False
        field = stmt.costs[0].field
        return field is not None and not field.capped

    def _pay_and_give_back(self, stmt: core.Pay, rest: Block, passed: Block) -> None:
        [cost] = stmt.costs
        field = cost.field
        assert field is not None
        low = self.low
        following = self._following(rest, passed)
        if following is None or not disturbs(frozenset([field]), following[0].reads):
            self._unless(self.unit.payments.can_pay(low.x, stmt.player, stmt.costs))
            if following is None:
                self._unsure()
            else:
                self._end_with(*following)
            return
        address = low.temporary("a", low.x.field_address(field, stmt.player, cost.indexes), INDEX)
        amount = low.temporary("n", low.x.lower(cost.amount), INDEX)
        left = Op("subtract", (Op("field", (address, none_of(field.type)), field.type), amount), INDEX)
        self._unless(_at_least(left, Op("const", (bounds(field)[0] or 0,), INDEX)))
        low.out = low.add("borrow", address, amount, blocks=([],)).blocks[0]
        self._end_with(*following)

    def _end_with(self, answer: Foreseen, op: Op) -> None:
        """The answer of the rest is the answer."""
        self._take_over(answer)
        if op is YES or not self.road.may_end:
            self.exact = self.exact and answer.exact
            self._say(op)
            return
        outer = self.low.out
        self._when(op)
        self._yes()
        self.low.out = outer
        self._unsure()

    def _holds(self, stmt: core.Lose) -> bool:
        low = self.low
        for amount in stmt.amounts:
            if disturbs(self.road.changed, frozenset([amount.field])):
                return False
            self.reads |= {amount.field}
            address = low.x.field_address(amount.field, stmt.player, amount.indexes)
            held = Op("field", (address, none_of(amount.field.type)), amount.field.type)
            left = Op("subtract", (held, low.x.lower(amount.amount)), INDEX)
            self._unless(_at_least(left, Op("const", (bounds(amount.field)[0] or 0,), INDEX)))
        return True

    def _if(self, stmt: core.If, rest: Block, before: Block) -> None:
        low = self.low
        held = core.Require(stmt.span, stmt.condition, None)
        failed = core.Require(stmt.span, core.Not(stmt.condition.type, stmt.span, stmt.condition), None)
        if not self._sees(stmt.condition):
            self._either(stmt, rest, before)
            return
        made = low.add("if", low.x.lower(stmt.condition), blocks=([], []))
        outer, road = low.out, self.road
        for target, inner, known in zip(made.blocks, (stmt.then, stmt.otherwise), (held, failed), strict=True):
            low.out, self.road = target, road
            self.block(inner + rest, (*before, known))
        low.out = outer

    def _either(self, stmt: core.If, rest: Block, before: Block) -> None:
        """Which one comes cannot be told: yes only if both are."""
        outer, road = self.low.out, self.road
        for inner in (stmt.then, stmt.otherwise):
            following = self._following(inner + rest, before)
            if following is None:
                self.low.out, self.road = outer, road
                self._unsure()
                return
            self._take_over(following[0])
            if following[1] is not YES:
                self._when(following[1])
        self._yes()
        if self.low.out is not outer:
            self.low.out = outer
            self._unsure()

    def _for(self, stmt: core.For, rest: Block, passed: Block) -> None:
        """Every pass must be able to go through, whatever the others have changed."""
        if stmt.ordered_by is not None or not self._sees(stmt.binder):
            self._unsure()
            return
        low, outer = self.low, self.low.out
        items = bound_set(low, stmt.binder)
        self._goes_over(stmt)
        known = () if stmt.binder.where is None else (core.Require(stmt.span, stmt.binder.where, None),)
        local = low.name(stmt.binder.local)
        self.road = replace(self.road, unknown=self.road.unknown - {stmt.binder.local})
        low.out = low.add("for", local, items, blocks=([],)).blocks[0]
        following = self._following(stmt.body, known)
        if following is None:
            self._unsure()
        else:
            self._take_over(following[0])
            self._when(Op("not", (following[1],), FLAG))
            self._unsure()
        low.out = outer
        self.block(rest, passed)

    def _pick(self, stmt: core.Pick, rest: Block, passed: Block) -> None:
        low, optional = self.low, Maybe(stmt.binder.local.type)
        local = low.name(stmt.binder.local)
        low.let(local, preferred(low, stmt), optional)
        self._unless(_is_there(Op("local", (local,), optional), optional))
        self.block((stmt.body or ()) + rest, passed)

    def _choose_set(self, stmt: core.ChooseSet, rest: Block, passed: Block) -> None:
        """Choosing nothing is one way, if it is allowed; else there must be enough, and which they are stays open."""
        low = self.low
        if stmt.such_that is not None or not self._is_own(stmt.player):
            self._unsure()
        elif stmt.low is None:
            low.let(low.name(stmt.chosen), Op("sequence", (), stmt.chosen.type), stmt.chosen.type)
            self.road = replace(self.road, may_end=True)
            self.block((stmt.body or ()) + rest, passed)
        elif not self._sees(stmt.low, stmt.binder):
            self._unsure()
        else:
            self._unless(_at_least(Op("count", (bound_set(low, stmt.binder),), INDEX), low.x.lower(stmt.low)))
            unknown = self.road.unknown | {stmt.chosen, stmt.binder.local}
            self.road = replace(self.road, unknown=unknown, may_end=True)
            self.block((stmt.body or ()) + rest, passed)

    def _choices(self, ways: list[tuple[core.Expr | None, tuple[core.Binder, ...], Block]], before: Block) -> None:
        """Yes, if for one combination what follows can be done; unsure, if that cannot be told for one."""
        low, outer, road = self.low, self.low.out, self.road
        doubt: Op | None = None
        unseen = False
        for condition, binders, following in ways:
            if not self._sees(condition, *binders):
                unseen = True
                continue
            known = self._following(following, before)
            if known is None:
                unseen = True
                continue
            answer, op = known
            self._take_over(answer)
            self._enter(condition, binders, following if op is not YES else ())
            if op is YES:
                self._yes()
            else:
                said = op if answer.exact else low.temporary("said", op, FLAG)
                inner = low.out
                self._when(said)
                self._yes()
                low.out = inner
                if not answer.exact:
                    doubt = doubt or self._flag()
                    self._when(Op("is_unsure", (said,), FLAG))
                    low.add("let", doubt.args[0], YES)
            low.out, self.road = outer, road
        if unseen:
            self._unsure()
            return
        if doubt is not None:
            self._when(doubt)
            self._unsure()
            low.out = outer
        self._no()

    def _enter(self, condition: core.Expr | None, binders: tuple[core.Binder, ...], following: Block) -> None:
        """Goes through the combinations; what follows begins with conditions that may bar whole loops."""
        low = self.low
        tests = [test for test in guards(low, following)[0] if self._sees(test)] if following and binders else []
        if condition is not None:
            self._when(low.x.lower(condition))
        loops = [low.x.source(binder) for binder in binders]
        for position in range(len(binders)):
            for test in tests:
                used = [number for number, binder in enumerate(binders, 1) if uses(test, binder)]
                if max(used, default=0) == position:
                    self._when(low.x.lower(test))
                elif position == 0 and (least := self._at_least(test, loops)) is not None:
                    self._when(least)
            local, source, where = loops[position]
            low.types[local] = binders[position].local.type
            low.out = low.add("for", local, source, blocks=([],)).blocks[0]
            if where is not None:
                self._when(where)

    def _at_least(self, test: core.Expr, loops: list[tuple[str, Op, Op | None]]) -> Op | None:
        """Of a price that is printed on what is chosen: whether the cheapest of them could be paid."""
        op = self.low.x.lower(test)
        if op.op != "compare" or op.args[0] != ">=" or any(name in free_locals(op.args[1]) for name, _, _ in loops):
            return None
        for local, source, _ in loops:
            price = op.args[2]
            if source.op == "sequence" and source.args and price.op != "const" and is_printed(price, local):
                cheapest = min(self.unit.worked_out(price, local, source.args))
                return Op("compare", (">=", op.args[1], Op("const", (cheapest,), INDEX), None, None), FLAG)
        return None

    def _flag(self) -> Op:
        """A local that is no at first."""
        name = self.unit.temporary("doubt")
        self.low.body.insert(0, Ins("let", (name, NO)))
        return Op("local", (name,), FLAG)

    def _following(self, block: Block, before: Block) -> tuple[Foreseen, Op] | None:
        """What answers for the statements that follow: a single call as it is, else a routine of its own."""
        if not self.analysis.block_refuses(block, before):
            return ALWAYS, YES
        only = block[0] if len(block) == 1 else None
        if isinstance(only, core.CallRule | core.Perform) and not only.if_possible:
            return self._call(only)
        name = self.unit.temporary(f"can_{self.rule.name}" if self.rule.name.isidentifier() else "can")
        made = _Foresight(self.unit, self.rule, self.road).routine(name, block, before)
        return None if made is None else (made, _as_op(self.unit, made))

    def _is_own(self, player: core.Expr) -> bool:
        """Only the decisions of the one who looks ahead can be answered as that player likes."""
        params = self.rule.params
        return isinstance(player, core.LocalVar) and bool(params) and player.local is params[0]

    # ------------------------------------------------------------------ calls, pieces, room

    def _ends_with_call(self, stmt: core.Stmt, rest: Block, passed: Block) -> bool:
        """The call is the last thing that can be refused: its answer is the answer."""
        if not isinstance(stmt, core.CallRule | core.Perform) or self.analysis.block_refuses(rest, passed):
            return False
        called = self._call(stmt)
        if called is not None:
            self._end_with(*called)
        return called is not None

    def _can_do(self, stmt: core.CallRule | core.Perform) -> bool:
        called = self._call(stmt)
        if called is None:
            return False
        self._must(*called)
        return True

    def _call(self, stmt: core.CallRule | core.Perform) -> tuple[Foreseen, Op] | None:
        low = self.low
        if isinstance(stmt, core.Perform):
            return self._performing(stmt)
        rule = stmt.rule
        if self.analysis.entry_framed(rule) and not (stmt.args and rule.params and self._is_own(stmt.args[0])):
            return None
        answer = foresee_entry(self.unit, rule)
        if answer is None or not self._sees(*stmt.args) or disturbs(self.road.changed - {RUNNING}, answer.reads):
            return None
        if not answer.name:
            return answer, YES
        self.reads |= answer.reads
        return answer, Op("value", (answer.name, *low.x.lower_all(stmt.args)), FLAG)

    def _performing(self, stmt: core.Perform) -> tuple[Foreseen, Op] | None:
        """The runtime answers exactly for a cell, if need be by trying it."""
        low = self.low
        looked = frozenset(thing for rule in self.analysis.cell_rules for thing in self.footprints.rule_reads(rule))
        if disturbs(self.road.changed - {RUNNING}, looked) or not self._is_own(stmt.player):
            return None
        if not self._sees(stmt.cell, *(value for _, value in stmt.given)):
            return None
        self.reads |= looked
        given = tuple((name, low.x.lower(value)) for name, value in stmt.given)
        op = Op("can_perform", (low.x.lower(stmt.cell), low.x.lower(stmt.player), given), FLAG, stmt.span)
        return Foreseen("can_perform", reads=looked, performs=True), op

    def _has_piece(self, piece: core.Expr, before: Block) -> bool:
        if isinstance(piece.type, Maybe) and not surely_filled(piece, before):
            if not self._sees(piece):
                return False
            self._unless(_is_there(self.low.x.lower(piece), piece.type))
        return True

    def _there_is_one(self, binder: core.Binder) -> None:
        local, source, where = self.low.x.source(binder)
        self.low.types[local] = binder.local.type
        there = Op("first", (local, source, where), Maybe(binder.local.type))
        self._unless(_is_there(there, there.type))

    def _has_room(self, to: core.Destination, before: Block) -> bool:
        low = self.low
        if not fills_up(to, before):
            return True
        assert isinstance(to.place, core.PlaceRef)
        place = to.place.place
        if (place.shape == "slots" and to.place.slot is None) or not self._sees(to.place):
            return False
        if place.shape in ("slot", "slots"):
            self._unless(low.x.lower(core.IsEmpty(FLAG, to.place.span, to.place)))
        else:
            held = Op("count", (low.x.contents(to.place),), INDEX)
            self._unless(Op("compare", ("<", held, Op("const", (place.capacity,), INDEX), None, None), FLAG))
        return True

    def _moves_what_is_seen(self, stmt: core.Stmt, before: Block) -> bool:
        """A piece that its player has just chosen in sight is moved, and nothing is set off by that."""
        if not isinstance(stmt, core.MovePiece) or not isinstance(stmt.piece, core.LocalVar):
            return False
        if self.analysis.change_hooks(stmt) or self.analysis.move_hooks(stmt):
            return False
        for binder in (binder for chosen in before for binder in binders_of(chosen)):
            if binder.local is stmt.piece.local and isinstance(binder.source, core.PlaceRef):
                place = binder.source
                own = place.owner is not None and self._is_own(place.owner)
                return place.place.visibility == "open" or (place.place.visibility == "secret" and own)
        return False


def _leaves(stmt: core.Stmt) -> bool:
    return any(isinstance(inner, core.Done | core.ResultIs | core.Stop) for inner in statements((stmt,)))


def _is_there(piece: Op, of: VType) -> Op:
    return Op("not", (Op("is_none", (piece, none_of(of)), FLAG),), FLAG)


def _at_least(value: Op, least: Op) -> Op:
    return Op("compare", (">=", value, least, None, None), FLAG)


def _is_one(count: core.Expr | None) -> bool:
    return count is None or (isinstance(count, core.Const) and count.value == 1)


def _joined(body: list[Ins]) -> list[Ins]:
    """Conditions one after the other, each with a no behind it, and an answer: as one answer."""
    *tests, last = body
    if last.op != "return" or last.args[0] in (NO, UNSURE):
        return body
    answer: Op = last.args[0]
    for ins in reversed(tests):
        barred = ins.op == "if" and not ins.blocks[1] and len(ins.blocks[0]) == 1 and ins.blocks[0][0].args == (NO,)
        if not barred or ins.args[0].op != "not":
            return body
        answer = ins.args[0].args[0] if answer is YES else Op("and", (ins.args[0].args[0], answer), FLAG)
    return [Ins("return", (answer,), span=last.span)]


def _written(body: list[Ins]) -> set[str]:
    """Every local that instructions bind."""
    found: set[str] = set()
    for ins in body:
        if ins.op in ("let", "for"):
            found.add(ins.args[0])
        for block in ins.blocks:
            found |= _written(block)
    return found
