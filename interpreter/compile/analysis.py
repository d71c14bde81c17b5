"""What the compiler must know about rules before it lowers them.

Two questions, both answered by going round until nothing changes. Which rules can stop for a decision (they get a
frame)? Where can what follows a decision be refused (there, options need a trial)? Both err on the safe side: a
frame or a trial too many costs time and never changes what a game means.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from ..check import program as core
from ..check.value_types import Maybe
from .substitute import walk

Block = tuple[core.Stmt, ...]


def sub_blocks(stmt: core.Stmt) -> list[Block]:
    """The blocks directly inside a statement."""
    match stmt:
        case core.If():
            return [stmt.then, stmt.otherwise]
        case core.Choose() | core.ChooseSet() | core.Pick():
            return [stmt.body] if stmt.body is not None else []
        case core.ChooseOne() | core.AnyOrder():
            return [branch.body for branch in stmt.branches]
        case core.May():
            return [stmt.branch.body, stmt.otherwise]
        case (
            core.For()
            | core.Walk()
            | core.Repeat()
            | core.While()
            | core.InTurn()
            | core.Together()
            | core.FirstPossible()
        ):
            return [stmt.body]
    return []


def statements(block: Block) -> Iterator[core.Stmt]:
    """Every statement of a block, nested ones included."""
    for stmt in block:
        yield stmt
        for inner in sub_blocks(stmt):
            yield from statements(inner)


def expressions(stmt: core.Stmt) -> Iterator[Any]:
    """Every expression directly in a statement (not in its blocks)."""
    for part in fields(stmt):
        if part.name not in ("span", "cites", "body", "then", "otherwise"):
            yield from _expressions_in(getattr(stmt, part.name))


def _expressions_in(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for item in value:
            yield from _expressions_in(item)
    elif isinstance(value, core.Expr | core.Binder | core.CostDecl):
        yield from walk(value)
    elif isinstance(value, core.Template):
        yield from _expressions_in(tuple(part for part in value.parts if not isinstance(part, str)))
    elif isinstance(value, core.BranchDecl):
        yield from _expressions_in((value.label, value.binders, value.condition))
    elif isinstance(value, core.Destination):
        yield from _expressions_in((value.place, value.behind))
    elif isinstance(value, core.CounterAmount):
        yield from _expressions_in((value.amount, value.indexes))


def rule_expressions(rule: core.RuleDecl) -> Iterator[Any]:
    yield from _expressions_in((rule.when, rule.expression, rule.text))
    for stmt in statements(rule.body):
        yield from expressions(stmt)


def bodies(program: core.Program) -> list[core.RuleDecl]:
    """Every rule and hook with a body, values left out."""
    rules = [rule for rule in program.rules.values() if rule.form != "value"]
    return rules + [hook for hook in program.all_hooks() if not (hook.replaces and hook.replaces.form == "value")]


@dataclass
class Analysis:
    program: core.Program
    framed: set[core.RuleDecl] = field(default_factory=set)  # the body stops for decisions
    asked_running: set[core.RuleDecl] = field(default_factory=set)
    refuses: set[core.RuleDecl] = field(default_factory=set)
    after: set[core.RuleDecl] = field(default_factory=set)  # what follows the rule, up to its phase, can be refused
    trials: dict[int, str] = field(default_factory=dict)  # id of statement or branch -> why it needs a trial
    cell_rules: set[core.RuleDecl] = field(default_factory=set)
    rests: set[int] = field(default_factory=set)  # id of statement or branch: what follows it can be refused
    tails: set[int] = field(default_factory=set)  # id of statement: what follows its whole block can be refused
    replaced: dict[int, core.RuleDecl] = field(default_factory=dict)  # id of `previous` -> the rule it goes on to
    nested_performs: set[int] = field(default_factory=set)  # id of `perform`: some cell may be running there

    def __post_init__(self) -> None:
        self.cell_rules = {call.rule for cell in self.program.cells for call in cell.calls if call.rule.form != "value"}
        self._find_replaced()
        self._find_asked_running()
        self._find_framed()
        self._find_nested_performs()
        self._find_refusing()
        self._find_trials()

    # ------------------------------------------------------------------ frames

    def entry_framed(self, rule: core.RuleDecl) -> bool:
        """Calling the rule, hooks included, may stop for a decision."""
        return rule in self.framed or any(hook in self.framed for hook in (*rule.before, *rule.after, *rule.instead))

    def cells_framed(self) -> bool:
        """Performing a cell always has a frame: it must be known which cells are running."""
        return bool(self.program.cells)

    def cuts(self, stmt: core.Stmt) -> bool:
        """The statement may stop for a decision."""
        return self._decides(stmt) or any(self.cuts(inner) for block in sub_blocks(stmt) for inner in block)

    def _decides(self, stmt: core.Stmt) -> bool:
        match stmt:
            case core.Choose() | core.ChooseSet() | core.ChooseOne() | core.May() | core.Pause() | core.AnyOrder():
                return True
            case core.For(ordered_by=by) if by is not None:
                return True
            case core.InTurn():
                return True  # its passes are segments, whoever decides in them
            case core.Pay():
                return any(cost.currency is not None and is_choice(cost) for cost in stmt.costs) or self._hooked(stmt)
            case core.CallRule():
                return self.entry_framed(stmt.rule)
            case core.CallPrevious():
                return self.entry_framed(self.replaced[id(stmt)])
            case core.Perform():
                return self.cells_framed()
        return self._hooked(stmt)

    def _hooked(self, stmt: core.Stmt) -> bool:
        return any(hook.rule in self.framed for hook in self.change_hooks(stmt)) or any(
            hook.rule in self.framed for hook in self.move_hooks(stmt)
        )

    def change_hooks(self, stmt: core.Stmt) -> list[core.ChangeHook]:
        """Change hooks that the statement itself may set off."""
        if not self.program.change_hooks:
            return []
        changed = changed_fields(stmt)
        moves = is_move(stmt)
        return [
            hook
            for hook in self.program.change_hooks
            if (hook.field is not None and hook.field in changed)
            or (hook.place is not None and moves and _sets_off(stmt, hook.change, hook.place))
        ]

    def move_hooks(self, stmt: core.Stmt) -> list[core.MoveHook]:
        if not self.program.move_hooks or not is_move(stmt):
            return []
        return [hook for hook in self.program.move_hooks if may_touch(stmt, hook.place)]

    def _find_replaced(self) -> None:
        for hook in bodies(self.program):
            if hook.replaces is not None:
                previous = [stmt for stmt in statements(hook.body) if isinstance(stmt, core.CallPrevious)]
                self.replaced |= {id(stmt): hook.replaces for stmt in previous}

    def _find_asked_running(self) -> None:
        rules = list(self.program.rules.values()) + self.program.all_hooks()
        for rule in rules:
            for expr in rule_expressions(rule):
                if isinstance(expr, core.RuleRunning):
                    self.asked_running.add(expr.rule)
        self.asked_running |= {rule.during for rule in self.program.free_actions if rule.during is not None}

    def _find_framed(self) -> None:
        self.framed = set(self.asked_running)
        self.framed |= {self.program.rules[name] for name in ("setup", "play") if name in self.program.rules}
        self.framed |= set(self.program.free_actions)
        self.framed |= {rule for rule in self.program.rules.values() if rule.depth is not None}  # to be counted
        changed = True
        while changed:
            changed = False
            for rule in bodies(self.program):
                if rule not in self.framed and any(self._decides(stmt) for stmt in statements(rule.body)):
                    self.framed.add(rule)
                    changed = True

    # ------------------------------------------------------------------ chance

    def is_certain(self, stmt: core.Stmt) -> bool:
        """No chance and no decision in it, nor in anything it calls, and nobody learns anything."""
        return self._is_certain(stmt, set())

    def _is_certain(self, stmt: core.Stmt, seen: set[core.RuleDecl]) -> bool:
        chancy = (
            core.Shuffle
            | core.Roll
            | core.Reveal
            | core.Perform
            | core.Say
            | core.CallPrevious
            | core.Wins
            | core.EndGame
        )
        if isinstance(stmt, chancy) or self._decides(stmt) or (isinstance(stmt, core.Pick) and stmt.at_random):
            return False
        if isinstance(stmt, core.Draw) and stmt.source.place.shape == "bag":
            return False
        called = [hook.rule for hook in self.change_hooks(stmt)] + [hook.rule for hook in self.move_hooks(stmt)]
        if isinstance(stmt, core.CallRule):
            called += [stmt.rule, *stmt.rule.before, *stmt.rule.after, *stmt.rule.instead]
        for rule in called:
            if rule not in seen:
                seen.add(rule)
                if not all(self._is_certain(inner, seen) for inner in rule.body):
                    return False
        return all(self._is_certain(inner, seen) for block in sub_blocks(stmt) for inner in block)

    # ------------------------------------------------------------------ refusals

    def _find_refusing(self) -> None:
        changed = True
        while changed:
            changed = False
            for rule in bodies(self.program):
                if rule not in self.refuses and self.block_refuses(rule.body):
                    self.refuses.add(rule)
                    changed = True

    def entry_refuses(self, rule: core.RuleDecl) -> bool:
        return rule in self.refuses or any(hook in self.refuses for hook in (*rule.before, *rule.after, *rule.instead))

    def block_refuses(self, block: Block, before: Block = ()) -> bool:
        for position, stmt in enumerate(block):
            if costs_nothing_for_none(stmt, block[:position]):
                continue
            if self.stmt_refuses(stmt, before + block[:position]):
                return True
            if ends_lookahead(stmt):
                return False
        return False

    def stmt_refuses(self, stmt: core.Stmt, before: Block) -> bool:
        match stmt:
            case core.Require():
                return True
            case core.Lose():
                return not stmt.up_to and not all(amount.fits for amount in stmt.amounts)
            case core.Pay():
                return True
            case core.Choose() | core.ChooseSet() | core.Pick() if stmt.if_possible:
                return False
            case core.Choose():
                return not all(surely_some(binder, before) for binder in stmt.binders) or self._inner_refuses(stmt)
            case core.ChooseSet():
                return stmt.low is not None or stmt.such_that is not None or self._inner_refuses(stmt)
            case core.Pick():
                return not surely_some(stmt.binder) or self._inner_refuses(stmt)
            case core.ChooseOne():
                return not any(self._always_open(branch) for branch in stmt.branches)
            case core.May():
                return self.block_refuses(stmt.otherwise)
            case core.CallRule():
                return not stmt.if_possible and self.entry_refuses(stmt.rule)
            case core.CallPrevious():
                return True
            case core.Perform():
                return not stmt.if_possible and self._perform_refuses(stmt)
            case core.MovePiece():
                missing = isinstance(stmt.piece.type, Maybe) and not surely_filled(stmt.piece, before)
                return missing or fills_up(stmt.to, before)
            case core.MoveSet():
                return fills_up(stmt.to, before)
            case core.MoveSome():
                return stmt.quantity == "exactly" or (stmt.quantity == "all" and fills_up(stmt.to, before))
            case core.Draw():
                return not stmt.up_to
            case core.FirstPossible():
                return False
            case core.If():
                held = core.Require(stmt.span, stmt.condition, None)
                failed = core.Require(stmt.span, core.Not(stmt.condition.type, stmt.span, stmt.condition), None)
                return self.block_refuses(stmt.then, (*before, held)) or self.block_refuses(
                    stmt.otherwise, (*before, failed)
                )
            case core.For() if stmt.binder.where is not None and stmt.ordered_by is None:
                return self.block_refuses(stmt.body, (core.Require(stmt.span, stmt.binder.where, None),))
        return self._inner_refuses(stmt) or self.hooks_refuse(stmt)

    def hooks_refuse(self, stmt: core.Stmt) -> bool:
        """Whether something that the statement itself sets off may be refused."""
        hooks = [h.rule for h in self.change_hooks(stmt)] + [h.rule for h in self.move_hooks(stmt)]
        return any(hook in self.refuses for hook in hooks)

    def _inner_refuses(self, stmt: core.Stmt) -> bool:
        return any(self.block_refuses(block) for block in sub_blocks(stmt))

    def _perform_refuses(self, stmt: core.Perform) -> bool:
        """There may be no effect, it may be running already, or what it does may be refused."""
        if isinstance(stmt.cell.type, Maybe) or id(stmt) in self.nested_performs:
            return True
        return any(self.entry_refuses(rule) for rule in self.cell_rules)

    def _find_nested_performs(self) -> None:
        """Performs that can be met while a cell is being performed, so that theirs may be running already."""
        inside: set[core.RuleDecl] = set()
        waiting = [*self.cell_rules]
        while waiting:
            rule = waiting.pop()
            if rule in inside:
                continue
            inside.add(rule)
            waiting += [*rule.before, *rule.instead, *rule.after]
            waiting += [
                other
                for expr in rule_expressions(rule)
                if isinstance(other := getattr(expr, "rule", None), core.RuleDecl)
            ]
            if rule in self.framed:
                waiting += self.program.free_actions
            for stmt in statements(rule.body):
                waiting += [hook.rule for hook in self.change_hooks(stmt)]
                waiting += [hook.rule for hook in self.move_hooks(stmt)]
                if isinstance(stmt, core.CallRule):
                    waiting.append(stmt.rule)
                elif isinstance(stmt, core.CallPrevious):
                    waiting.append(self.replaced[id(stmt)])
                elif isinstance(stmt, core.Perform):
                    self.nested_performs.add(id(stmt))

    def _always_open(self, branch: core.BranchDecl) -> bool:
        if branch.condition is not None or not all(surely_some(binder) for binder in branch.binders):
            return False
        return not self.block_refuses(branch.body)

    # ------------------------------------------------------------------ where a trial is needed

    def _find_trials(self) -> None:
        changed = True
        while changed:
            before = (len(self.after), len(self.trials))
            for rule in bodies(self.program):
                self._visit_rule(rule)
            changed = (len(self.after), len(self.trials)) != before

    def _visit_rule(self, rule: core.RuleDecl) -> None:
        bounded = rule.form in ("phase", "setup", "play")
        rest = not bounded and rule in self.after
        hooks_after = any(hook in self.refuses for hook in rule.after)
        self._visit(rule.body, rest or hooks_after, bounded)
        if rule in self.after or self.entry_refuses(rule):
            self.after |= {*rule.before, *rule.instead}
        if rule in self.after or hooks_after:
            self.after |= set(rule.after)

    def _visit(self, block: Block, rest: bool, bounded: bool) -> None:
        tail = rest
        for position in range(len(block) - 1, -1, -1):
            stmt = block[position]
            if tail:
                self.tails.add(id(stmt))
            self._visit_stmt(stmt, rest, bounded)
            rest = self.stmt_refuses(stmt, block[:position]) or (rest and not ends_lookahead(stmt))

    def _visit_stmt(self, stmt: core.Stmt, rest: bool, bounded: bool) -> None:
        self._note_after(stmt, rest)
        match stmt:
            case core.Choose() | core.ChooseSet():
                refused = stmt.body is not None and self.block_refuses(stmt.body)
                self._note(stmt, refused or rest, refused)
                self._note_rest(stmt, rest)
            case core.ChooseOne():
                for branch in stmt.branches:
                    refused = self.block_refuses(branch.body)
                    self._note(branch, refused or rest, refused)
                    self._note_rest(branch, rest)
            case core.May():
                refused = self.block_refuses(stmt.branch.body)
                again = stmt.repeatedly and self.block_refuses(stmt.otherwise)
                self._note(stmt, refused or rest or again, refused)
                self._note_rest(stmt, rest or again or (stmt.repeatedly and refused))
            case core.AnyOrder() | core.For() | core.Pay():
                self._note(stmt, rest or self._inner_refuses(stmt), False)
        loops = isinstance(stmt, core.For | core.Walk | core.Repeat | core.While | core.InTurn | core.Together)
        for inner in sub_blocks(stmt):
            within = (False if bounded else rest or self.block_refuses(inner)) if loops else rest
            self._visit(inner, within, bounded)

    def _note(self, what: Any, needed: bool, itself: bool) -> None:
        if needed:
            self.trials[id(what)] = "what it does may be refused" if itself else "what follows may be refused"

    def _note_rest(self, what: Any, rest: bool) -> None:
        if rest:
            self.rests.add(id(what))

    def _note_after(self, stmt: core.Stmt, rest: bool) -> None:
        if not rest:
            return
        match stmt:
            case core.CallRule(if_possible=False):
                self.after.add(stmt.rule)
            case core.Perform(if_possible=False):
                self.after |= self.cell_rules
            case core.FirstPossible():
                self.after |= {inner.rule for inner in stmt.body if isinstance(inner, core.CallRule)}
        self.after |= {h.rule for h in self.change_hooks(stmt)} | {h.rule for h in self.move_hooks(stmt)}


# ---------------------------------------------------------------------------- facts about single statements


def is_choice(cost: core.CostDecl) -> bool:
    """The payer may have several ways to pay this."""
    currency = cost.currency
    return currency is not None and (len(currency.sources) > 1 or currency.sources[0].place is not None)


def costs_nothing_for_none(stmt: core.Stmt, before: Block) -> bool:
    """The sum of a set that was just chosen is paid, and choosing nothing was allowed: that way always goes through."""
    chosen = before[-1] if before else None
    if not isinstance(stmt, core.Pay) or not isinstance(chosen, core.ChooseSet):
        return False
    if chosen.low is not None or chosen.such_that is not None or chosen.body is not None:
        return False
    return all(
        isinstance(cost.amount, core.SumOf)
        and isinstance(cost.amount.binder.source, core.LocalVar)
        and cost.amount.binder.source.local is chosen.chosen
        for cost in stmt.costs
    )


def is_move(stmt: core.Stmt) -> bool:
    moving = (
        core.MovePiece
        | core.MoveSet
        | core.MoveSome
        | core.Draw
        | core.Shuffle
        | core.SwapPieces
        | core.SwapPlaces
        | core.PassOn
        | core.Pay
    )
    return isinstance(stmt, moving)


def may_touch(stmt: core.Stmt, place: core.PlaceDecl) -> bool:
    """Pieces may enter or leave the place by this statement."""
    match stmt:
        case core.Draw():
            return place in _places(stmt.source) or place in _places(stmt.to.place)
        case core.Shuffle():
            return stmt.into is not None and (place in _places(stmt.place) or place in _places(stmt.into))
        case core.Pay():
            return any(place in _payment_places(cost) for cost in stmt.costs)
        case core.MovePiece() | core.MoveSet() | core.MoveSome():
            if place in _places(stmt.to.place):
                return True
            return bool(set(place.kinds) & set(_moved_kinds(stmt)))
        case core.PassOn():
            return stmt.place is place
    return True


def _sets_off(stmt: core.Stmt, change: str, place: core.PlaceDecl) -> bool:
    """Whether the statement may make the place change in this way."""
    return may_touch(stmt, place) and (change != "grows" or may_fill(stmt, place))


def may_fill(stmt: core.Stmt, place: core.PlaceDecl) -> bool:
    """Pieces may enter the place by this statement, of which is known that it touches the place."""
    match stmt:
        case core.Draw() | core.MovePiece() | core.MoveSet() | core.MoveSome():
            return place in _places(stmt.to.place)
        case core.Pay():
            sources = [source for cost in stmt.costs if cost.currency is not None for source in cost.currency.sources]
            return any(source.back_to is not None and place in _places(source.back_to) for source in sources)
    return True


def _moved_kinds(stmt: core.Stmt) -> tuple[str, ...]:
    from ..check.value_types import Piece, SetOf, bare

    match stmt:
        case core.MovePiece():
            moved = bare(stmt.piece.type)
        case core.MoveSome():
            moved = bare(stmt.binder.local.type)
        case core.MoveSet():
            of = bare(stmt.pieces.type)
            moved = bare(of.of) if isinstance(of, SetOf) else of
    return moved.kinds if isinstance(moved, Piece) else ()


def _places(expr: core.Expr) -> list[core.PlaceDecl]:
    return [expr.place] if isinstance(expr, core.PlaceRef) else []


def _payment_places(cost: core.CostDecl) -> list[core.PlaceDecl]:
    if cost.currency is None:
        return []
    found: list[core.PlaceDecl] = []
    for source in cost.currency.sources:
        found += _places(source.place) if source.place is not None else []
        found += _places(source.back_to) if source.back_to is not None else []
    return found


def changed_fields(stmt: core.Stmt) -> set[core.FieldDecl]:
    """Fields that the statement itself writes."""
    match stmt:
        case core.SetField():
            return {stmt.field}
        case core.Gain() | core.Lose():
            return {amount.field for amount in stmt.amounts}
        case core.Pay():
            found = {cost.field for cost in stmt.costs if cost.field is not None}
            for cost in stmt.costs:
                if cost.currency is not None:
                    found |= {source.field for source in cost.currency.sources if source.field is not None}
            return found
    return set()


def surely_some(binder: core.Binder, before: Block = ()) -> bool:
    """The binder always has something to offer, by its nature or because that was just asked for."""
    if binder.where is not None:
        return False
    source = binder.source
    if isinstance(source, core.PlaceRef) and _was_asked(before, path_key(source)):
        return True
    if isinstance(source, core.AllOf):
        return bool(source.domain)
    if (
        isinstance(source, core.NumberRange)
        and isinstance(source.low, core.Const)
        and isinstance(source.high, core.Const)
    ):
        return source.low.value <= source.high.value
    if isinstance(source, core.SetList):
        return any(
            not isinstance(item.type, Maybe) and isinstance(item, core.Const | core.LocalVar) for item in source.items
        )
    return isinstance(source, core.Players) and source.which in ("players", "everybody")


def _was_asked(before: Block, key: str) -> bool:
    """The last requirement, with nothing but names and words since, says that the place is not empty."""
    for stmt in reversed(before):
        if isinstance(stmt, core.Require) and _asks_some(stmt.condition, key):
            return True
        if not isinstance(stmt, core.Let | core.Say | core.Require):
            return False
    return False


def _asks_some(condition: core.Expr | None, key: str) -> bool:
    """The condition can hold only if there is a piece in that place."""
    match condition:
        case core.Not(of=core.IsEmpty(of=core.PlaceRef() as place)):
            return path_key(place) == key
        case core.Logic(op="and"):
            return _asks_some(condition.left, key) or _asks_some(condition.right, key)
        case core.Compare(
            op="==" | ">=" | ">", left=core.CountOf(of=core.PlaceRef() as place), right=core.Const(value=least)
        ):
            return path_key(place) == key and least >= (0 if condition.op == ">" else 1)
    return False


def ends_lookahead(stmt: core.Stmt) -> bool:
    """Looking ahead surely stops here, content."""
    match stmt:
        case core.Roll() | core.Pause() | core.EndGame() | core.Wins():
            return True
        case core.Shuffle():
            return True
        case core.Pick():
            return stmt.at_random and not stmt.if_possible
        case core.Draw():
            return not stmt.up_to and (stmt.source.place.shape == "bag" or stmt.source.place.visibility == "hidden")
    return False


def fills_up(to: core.Destination, before: Block) -> bool:
    """The destination may be full when the piece comes."""
    if not isinstance(to.place, core.PlaceRef):
        return False
    place = to.place.place
    if place.shape not in ("slot", "slots"):
        return place.limited
    return not _surely_emptied(to.place, before)


def _surely_emptied(slot: core.PlaceRef, before: Block) -> bool:
    """One of the statements before, with nothing in between that fills such a slot, has emptied this one or
    chosen it for being empty."""
    key = path_key(slot)
    for stmt in reversed(before):
        if _empties(stmt, key):
            return True
        if isinstance(stmt, core.Choose | core.Pick) and any(
            _asks_empty(binder.where, key) for binder in _binders(stmt)
        ):
            return True
        if isinstance(stmt, core.Require) and _asks_empty(stmt.condition, key):
            return True
        if isinstance(stmt, core.Pay) and not may_touch(stmt, slot.place):
            continue
        if not isinstance(stmt, core.Let | core.SetField | core.Say | core.Require | core.Gain):
            return False
    return False


def surely_filled(piece: core.Expr, before: Block) -> bool:
    """The slot was chosen for holding a piece, and nothing since can have taken it away."""
    if isinstance(piece, core.EndOf) and isinstance(piece.of, core.PlaceRef):
        return _was_asked(before, path_key(piece.of))
    if not isinstance(piece, core.SlotPiece):
        return False
    key = path_key(piece.place)
    for stmt in reversed(before):
        conditions = [binder.where for binder in _binders(stmt)]
        if isinstance(stmt, core.Require):
            conditions.append(stmt.condition)
        if any(_asks_held(condition, key) for condition in conditions):
            return True
        if isinstance(stmt, core.Let | core.SetField | core.Say | core.Require | core.Gain):
            continue
        if not _empties_another(stmt, piece.place, before):
            return False
    return False


def _asks_held(condition: core.Expr | None, key: str) -> bool:
    """The condition can hold only if there is a piece in that slot."""
    match condition:
        case core.Not():
            return _asks_empty(condition.of, key)
        case core.Logic(op="and"):
            return _asks_held(condition.left, key) or _asks_held(condition.right, key)
        case core.Compare(op="=="):
            sides = (condition.left, condition.right)
            return any(isinstance(side, core.AttributeOf) and _is_slot(side.of, key) for side in sides)
        case core.IsKind():
            return _is_slot(condition.of, key)
    return False


def _is_slot(expr: core.Expr, key: str) -> bool:
    return isinstance(expr, core.SlotPiece) and path_key(expr.place) == key


def _empties_another(stmt: core.Stmt, slot: core.PlaceRef, before: Block) -> bool:
    """All it does is to move a piece out of another slot, to somewhere else than such a slot."""
    if isinstance(stmt, core.If):
        return all(_empties_another(inner, slot, before) for block in sub_blocks(stmt) for inner in block)
    if not isinstance(stmt, core.MovePiece) or not isinstance(stmt.piece, core.SlotPiece):
        return False
    if isinstance(stmt.to.place, core.PlaceRef) and stmt.to.place.place is slot.place:
        return False
    other = stmt.piece.place
    return other.place is not slot.place or _apart(other.owner, slot.owner, before)


def _apart(one: core.Expr | None, other: core.Expr | None, before: Block) -> bool:
    """Two locals of which one was chosen among the neighbours of the other, or as different from it."""
    if not isinstance(one, core.LocalVar) or not isinstance(other, core.LocalVar):
        return False
    pair = {path_key(one), path_key(other)}
    for stmt in before:
        for binder in _binders(stmt):
            source = binder.source
            if isinstance(source, core.MapQuery) and source.name == "neighbours":
                near = {f"local {binder.local.number}", path_key(source.args[0])}
                if near == pair:
                    return True
    return False


def _binders(stmt: core.Stmt) -> tuple[core.Binder, ...]:
    return stmt.binders if isinstance(stmt, core.Choose) else (stmt.binder,) if isinstance(stmt, core.Pick) else ()


def _empties(stmt: core.Stmt, key: str) -> bool:
    if isinstance(stmt, core.MovePiece):
        return isinstance(stmt.piece, core.SlotPiece) and path_key(stmt.piece.place) == key
    if isinstance(stmt, core.MoveSome) and stmt.quantity == "all" and stmt.binder.where is None:
        source = stmt.binder.source
        return isinstance(source, core.PlaceRef) and source.place.shape == "slot" and path_key(source) == key
    if isinstance(stmt, core.If) and not stmt.otherwise and len(stmt.then) == 1:
        return _asks_filled(stmt.condition, key) and _empties(stmt.then[0], key)
    return False


def _asks_filled(condition: core.Expr, key: str) -> bool:
    return isinstance(condition, core.Not) and _asks_empty(condition.of, key)


def _asks_empty(condition: core.Expr | None, key: str) -> bool:
    match condition:
        case core.IsEmpty(of=core.PlaceRef() as place):
            return path_key(place) == key
        case core.IsNone(of=core.SlotPiece() as piece):
            return path_key(piece.place) == key
        case core.Logic(op="and"):
            return _asks_empty(condition.left, key) or _asks_empty(condition.right, key)
    return False


def path_key(expr: Any) -> str:
    """Equal for expressions that read the same thing."""
    match expr:
        case core.LocalVar():
            return f"local {expr.local.number}"
        case core.Const():
            return f"const {expr.value}"
        case core.PlaceRef():
            parts = [expr.owner, *expr.indexes, expr.slot]
            return f"{id(expr.place)}[{', '.join(path_key(part) for part in parts if part is not None)}]"
        case core.SlotPiece():
            return f"piece {path_key(expr.place)}"
        case core.FieldRead():
            parts = [expr.owner, *expr.indexes]
            return f"{id(expr.field)}[{', '.join(path_key(part) for part in parts if part is not None)}]"
    return f"other {id(expr)}"
