"""Whether something can be carried through, worked out by conditions instead of being tried on a copy.

A rule begins with requirements, payments and choices; behind the last thing that can be refused nothing is left to
ask. Where only such statements come before that point, the rules themselves say what a trial would find, and a routine
`can_…` is made of them: it looks at the state and changes nothing (a payment that later conditions must see is taken
and given back). Where something else stands in between, such as a move that a later condition depends on, there is no
such routine, and the trial stays.

    requires C, pay n f              not C, or fewer than n: no
    choose x in S where C            some x of S for which what follows can be done
    choose one                       some branch
    if C … else …                    each with what follows
    a call, `perform`                the last that can be refused: what its own routine says
    move 1 x in S to P, move x to P  the last: there is one, and there is room
"""

from __future__ import annotations

from ..check import program as core
from ..check.value_types import Maybe, VType, none_of
from .ir import Ins, Op, Routine, Site
from .lower_expressions import FLAG, INDEX, ExpressionLowering
from .lower_statements import StatementLowering, bounds, free_locals
from .rule_walk import Block
from .statement_facts import fills_up, surely_filled
from .unit import Unit

YES, NO = Op("const", (1,), FLAG), Op("const", (0,), FLAG)
ALWAYS = ""  # nothing in the rule can be refused


class NotForeseen(Exception):
    """Only a trial can tell."""


def foresee_entry(unit: Unit, rule: core.RuleDecl) -> str | None:
    """The routine that says whether a call of the rule can be carried through, or ALWAYS; None if only a trial can."""
    if not unit.analysis.entry_refuses(rule):
        return ALWAYS
    if rule not in unit.foreseen:
        unit.foreseen[rule] = None  # a rule that calls itself is tried
        unit.foreseen[rule] = _entry_routine(unit, rule)
    return unit.foreseen[rule]


def foresee_entries(unit: Unit) -> None:
    """What cells and free actions may begin. `perform` can be foreseen if every cell can: that is taken for granted at
    first, and if it turns out otherwise all is done again without."""
    if not _all_foreseen(unit):
        unit.cells_foreseen = False
        unit.foreseen.clear()
        for name in [name for name in unit.routines if name.startswith("can_")]:
            del unit.routines[name]
        _all_foreseen(unit)


def _all_foreseen(unit: Unit) -> bool:
    for rule in unit.program.rules.values():
        if rule in unit.analysis.cell_rules or rule in unit.program.free_actions:
            name = foresee_entry(unit, rule)
            if name is not None:
                unit.foreseen_entries[rule] = name
            else:
                unit.foreseen_entries.pop(rule, None)
    return all(_is_foreseen_cell(unit, cell) for cell in unit.program.cells)


def _is_foreseen_cell(unit: Unit, cell: core.CellDecl) -> bool:
    """Only the first call may be refused, and it takes nothing but the player and what stands in the cell."""
    calls = [call for call in cell.calls if call.rule.form != "value"]
    said = [unit.foreseen_entries.get(call.rule) for call in calls]
    if not calls or said[0] is None or any(name != ALWAYS for name in said[1:]):
        return not calls
    plain = calls[0].takes_player and not any(isinstance(arg, core.Given) for arg in calls[0].args)
    return said[0] == ALWAYS or plain


def _entry_routine(unit: Unit, rule: core.RuleDecl) -> str | None:
    later = any(hook in unit.analysis.refuses for hook in rule.after)
    if rule.before or rule.instead or rule.resets or rule.depth or later or not rule.body:
        return None
    name = f"can_{unit.routine_name(rule)}"
    foresight = _Foresight(unit, rule)
    try:
        foresight.block(rule.body, ())
    except NotForeseen:
        return None
    params = tuple(unit.local_name(param) for param in rule.params)
    body = foresight.low.body
    unit.routines[name] = Routine(name, "pure", params, body=body, rule=rule.name, form="value", span=rule.span)
    return name


Tried = tuple[int, tuple[core.Binder, ...], Block, Block]  # a branch: number, binders, what is known, body


def add_filter(low: StatementLowering, site: Site, player: core.Expr, tried: list[Tried]) -> None:
    """Leaves only the options that can be carried through: by conditions if all branches that may be refused can be
    foreseen, else by trial. An empty list says that what follows the decision may be refused as well."""
    made = [(branch[0], branch[1], _branch_routine(low, site.number, branch)) for branch in tried]
    if not made or any(routine is None for _, _, routine in made):
        low.add("filter", site.number, low.x.lower(player))
        return
    site.trial = ""
    for number, _, routine in made:
        assert routine is not None
        condition = Op("or", (Op("on_trial", (), FLAG), _as_condition(low.unit, *routine)), FLAG)
        _test_options(low.question, None if site.values_only else number, condition)


def _as_condition(unit: Unit, name: str, params: tuple[str, ...]) -> Op:
    """A call of a routine; of one that does nothing but answer, the answer itself."""
    body = unit.routines[name].body
    if len(body) == 1 and body[0].op == "return":
        del unit.routines[name]
        answer: Op = body[0].args[0]
        return answer
    return Op("value", (name, *(Op("local", (param,), INDEX) for param in params)), FLAG)


def _test_options(body: list[Ins], branch: int | None, condition: Op) -> None:
    """Puts the condition before each option of that branch. A trial finds out by itself, and why."""
    for position, ins in enumerate(body):
        if ins.op == "option" and ins.args[0] == branch:
            body[position] = Ins("if", (condition,), ([ins], []), ins.span)
        else:
            for block in ins.blocks:
                _test_options(block, branch, condition)


def _branch_routine(low: StatementLowering, site: int, tried: Tried) -> tuple[str, tuple[str, ...]] | None:
    """The routine for what an option leads to, and the locals it needs; None if only a trial can tell."""
    number, _, before, body = tried
    try:
        return _Foresight(low.unit, low.rule).routine(f"can_{site}_{number}", body, before)
    except NotForeseen:
        return None


class _Foresight:
    """Makes the body of one routine; `block` ends it with an answer on every way."""

    def __init__(self, unit: Unit, rule: core.RuleDecl) -> None:
        self.unit = unit
        self.rule = rule
        self.low = StatementLowering(unit, rule, False, ExpressionLowering(unit))

    def routine(self, name: str, body: Block, before: Block) -> tuple[str, tuple[str, ...]]:
        self.block(body, before)
        made = self.low.body
        written = _written(made)
        params = tuple(dict.fromkeys(n for ins in made for n in free_locals(ins) if n not in written and n != "e_"))
        span = body[0].span if body else self.rule.span
        rule = self.rule.name
        self.unit.routines[name] = Routine(name, "pure", params, body=made, rule=rule, form="value", span=span)
        return name, params

    def block(self, stmts: Block, before: Block) -> None:
        if not self.unit.analysis.block_refuses(stmts, before):
            self.low.add("return", YES)
            return
        stmt, rest = stmts[0], stmts[1:]
        passed = (*before, stmt)
        match stmt:
            case core.Require():
                self._unless(self.low.x.lower(stmt.condition))
                self.block(rest, passed)
            case core.Let():
                self.low._let(stmt)
                self.block(rest, passed)
            case core.Pay():
                self._pay(stmt, rest, passed)
            case core.If():
                self._if(stmt, rest, before)
            case core.Choose() if not stmt.if_possible:
                self._is_own(stmt.player)
                self._some(stmt.binders, (stmt.body or ()) + rest, passed)
                self.low.add("return", NO)
            case core.ChooseOne():
                self._choose_one(stmt, rest, before)
            case core.Done() | core.ResultIs():
                self.low.add("return", YES)
            case _:
                if self.unit.analysis.block_refuses(rest, passed):
                    raise NotForeseen
                self._last(stmt, before)

    # ------------------------------------------------------------------ what is asked on the way

    def _unless(self, condition: Op) -> None:
        self.low.add("if", Op("not", (condition,), FLAG), blocks=([Ins("return", (NO,))], []))

    def _pay(self, stmt: core.Pay, rest: Block, passed: Block) -> None:
        if self.unit.analysis.change_hooks(stmt) or stmt.to is not None or len(stmt.costs) != 1:
            raise NotForeseen
        [cost] = stmt.costs
        field = cost.field
        if field is None or field.capped:
            raise NotForeseen
        low = self.low
        address = low.temporary("a", low.x.field_address(field, stmt.player, cost.indexes), INDEX)
        amount = low.temporary("n", low.x.lower(cost.amount), INDEX)
        held = Op("field", (address, none_of(field.type)), field.type)
        left = Op("subtract", (held, amount), INDEX)
        self._unless(Op("compare", (">=", left, Op("const", (bounds(field)[0] or 0,), INDEX), None, None), FLAG))
        if not self.unit.analysis.block_refuses(rest, passed):
            low.add("return", YES)
            return
        low.add("store", address, left, None, None, "fits", field.name)
        answer = low.temporary("can", self._call(rest, passed), FLAG)
        low.add("store", address, Op("add", (held, amount), INDEX), None, None, "fits", field.name)
        low.add("return", answer)

    def _if(self, stmt: core.If, rest: Block, before: Block) -> None:
        low = self.low
        made = low.add("if", low.x.lower(stmt.condition), blocks=([], []))
        outer = low.out
        held = core.Require(stmt.span, stmt.condition, None)
        failed = core.Require(stmt.span, core.Not(stmt.condition.type, stmt.span, stmt.condition), None)
        for target, inner, known in zip(made.blocks, (stmt.then, stmt.otherwise), (held, failed), strict=True):
            low.out = target
            self.block(inner + rest, (*before, known))
        low.out = outer

    def _choose_one(self, stmt: core.ChooseOne, rest: Block, before: Block) -> None:
        self._is_own(stmt.player)
        for branch in stmt.branches:
            if branch.otherwise:
                raise NotForeseen
            outer = self.low.out
            if branch.condition is not None:
                self.low.out = self.low.add("if", self.low.x.lower(branch.condition), blocks=([], [])).blocks[0]
            self._some(branch.binders, branch.body + rest, before)
            self.low.out = outer
        self.low.add("return", NO)

    def _some(self, binders: tuple[core.Binder, ...], following: Block, before: Block) -> None:
        """Yes, if for one combination what follows can be done; else on."""
        low, outer = self.low, self.low.out
        for binder in binders:
            local, source, where = low.x.source(binder)
            low.types[local] = binder.local.type
            low.out = low.add("for", local, source, blocks=([],)).blocks[0]
            if where is not None:
                low.out = low.add("if", where, blocks=([], [])).blocks[0]
        if self.unit.analysis.block_refuses(following, before):
            low.out = low.add("if", self._call(following, before), blocks=([], [])).blocks[0]
        low.add("return", YES)
        low.out = outer

    def _call(self, following: Block, before: Block) -> Op:
        """What follows: a single call as it is, else a routine of its own."""
        only = following[0] if len(following) == 1 else None
        if isinstance(only, core.CallRule | core.Perform) and not only.if_possible:
            return self._can_do(only)
        name = self.unit.temporary(f"can_{self.rule.name}" if self.rule.name.isidentifier() else "can")
        return _as_condition(self.unit, *_Foresight(self.unit, self.rule).routine(name, following, before))

    def _is_own(self, player: core.Expr) -> None:
        """Only the decisions of the one who looks ahead can be answered as that player likes."""
        params = self.rule.params
        if not (isinstance(player, core.LocalVar) and params and player.local is params[0]):
            raise NotForeseen

    # ------------------------------------------------------------------ the last thing that can be refused

    def _last(self, stmt: core.Stmt, before: Block) -> None:
        low = self.low
        match stmt:
            case core.CallRule() | core.Perform() if not stmt.if_possible:
                low.add("return", self._can_do(stmt))
            case core.MovePiece() if not self._is_hooked(stmt):
                if isinstance(stmt.piece.type, Maybe) and not surely_filled(stmt.piece, before):
                    self._unless(_is_there(low.x.lower(stmt.piece), stmt.piece.type))
                self._has_room(stmt.to, before)
            case core.MoveSome(quantity="exactly") if not self._is_hooked(stmt) and _is_one(stmt.count):
                local, source, where = low.x.source(stmt.binder)
                low.types[local] = stmt.binder.local.type
                there = Op("first", (local, source, where), Maybe(stmt.binder.local.type))
                self._unless(_is_there(there, there.type))
                self._has_room(stmt.to, before)
            case _:
                raise NotForeseen

    def _can_do(self, stmt: core.CallRule | core.Perform) -> Op:
        low = self.low
        if isinstance(stmt, core.Perform):
            if not self.unit.cells_foreseen:
                raise NotForeseen
            self._is_own(stmt.player)
            given = tuple((name, low.x.lower(value)) for name, value in stmt.given)
            return Op("can_perform", (low.x.lower(stmt.cell), low.x.lower(stmt.player), given), FLAG, stmt.span)
        rule = stmt.rule
        if self.unit.analysis.entry_framed(rule):
            if not stmt.args or not rule.params:
                raise NotForeseen
            self._is_own(stmt.args[0])
        name = foresee_entry(self.unit, rule)
        args = self.low.x.lower_all(stmt.args)
        if name == ALWAYS:
            return YES
        if name is None:
            raise NotForeseen
        return Op("value", (name, *args), FLAG)

    def _is_hooked(self, stmt: core.Stmt) -> bool:
        hooks = [hook.rule for hook in self.unit.analysis.change_hooks(stmt)]
        hooks += [hook.rule for hook in self.unit.analysis.move_hooks(stmt)]
        return any(hook in self.unit.analysis.refuses for hook in hooks)

    def _has_room(self, to: core.Destination, before: Block) -> None:
        low = self.low
        if fills_up(to, before):
            assert isinstance(to.place, core.PlaceRef)
            place = to.place.place
            if place.shape == "slots" and to.place.slot is None:
                raise NotForeseen
            contents = low.x.contents(to.place)
            if place.shape in ("slot", "slots"):
                self._unless(Op("is_empty", (contents,), FLAG))
            else:
                capacity = Op("const", (place.capacity,), INDEX)
                self._unless(Op("compare", ("<", Op("count", (contents,), INDEX), capacity, None, None), FLAG))
        low.add("return", YES)


def _is_there(piece: Op, of: VType) -> Op:
    return Op("not", (Op("is_none", (piece, none_of(of)), FLAG),), FLAG)


def _is_one(count: core.Expr | None) -> bool:
    return count is None or (isinstance(count, core.Const) and count.value == 1)


def _written(body: list[Ins]) -> set[str]:
    """Every local that instructions bind."""
    found: set[str] = set()
    for ins in body:
        if ins.op in ("let", "for"):
            found.add(ins.args[0])
        for block in ins.blocks:
            found |= _written(block)
    return found
