"""What is certain where a statement stands, because of the statements before it in the same block.

    choose s in spaces where s.shelf is empty
    move c to s.shelf                          # there is room: nothing has filled the shelf since

Knowing that saves a trial for every space. A slot that was chosen for being empty is empty, a set that was required to
have something has something, as long as nothing in between can have changed that. All answers err on the safe side:
False means "not known". What a statement does whatever stands before it is in `check.forms`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import inf
from typing import Any, NamedTuple

from ..check import program as core
from ..check.forms import (
    Calls,
    Flow,
    blocks,
    calls,
    flow,
    inner,
    is_chance,
    is_loop,
    motion,
    question,
    written_fields,
)
from ..check.loops import is_some
from ..check.program import Block
from ..check.value_types import Maybe, Number, bare
from ..check.walk import Names, conjuncts, is_alike, speaks_of, statements, walk


def cases(stmt: core.If) -> tuple[tuple[Block, core.Require], ...]:
    """Both blocks of an `if`, each with what is known in it, as a requirement."""
    failed = core.Not(stmt.condition.type, stmt.span, stmt.condition)
    held, not_held = core.Require(stmt.span, stmt.condition, None), core.Require(stmt.span, failed, None)
    return (stmt.then, held), (stmt.otherwise, not_held)


def surely_some(binder: core.Binder, before: Block = (), by_count: bool = False) -> bool:
    """True if the binder always has something to offer, by its nature or because that was just required. `by_count`:
    how many other pieces there can be counts too."""
    source = binder.source
    # A filter may leave out everything, unless somebody has just asked, or it is known how many it leaves out at most.
    if binder.where is not None and _is_told(before, binder, by_count):
        return True
    if by_count and isinstance(source, core.NumberRange) and binder.where is None and _is_left(before, source):
        return True
    if binder.where is not None:
        return isinstance(source, core.AllOf) and len(source.domain) > _left_out_at_most(binder.where, binder.local)
    if isinstance(source, core.PlaceRef) and _was_asked(before, path_key(source), by_count):
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


def surely_some_of(binders: tuple[core.Binder, ...], before: Block, by_count: bool) -> bool:
    """True if there is always a combination of them. `while some a in S, b in T has C` tells of all names at once."""
    return all(surely_some(binder, before, by_count) for binder in binders) or (
        by_count and len(binders) > 1 and any(_finds_them(part, binders, {}) for part in _just_asked(before))
    )


def _just_asked(before: Block) -> Iterator[core.Expr]:
    """What was required, with nothing but `let`, `say` and `requires` since."""
    for stmt in reversed(before):
        if not isinstance(stmt, core.Let | core.Say | core.Require):
            return
        if isinstance(stmt, core.Require):
            yield from conjuncts(stmt.condition)


def _finds_them(asked: core.Expr, binders: tuple[core.Binder, ...], names: Names) -> bool:
    """`some x in S where A, y in T has C`, of the binders `a in S where A, b in T where C`."""
    if not isinstance(asked, core.Quantified) or asked.which != "some":
        return False
    one, (first, *rest) = asked.binder, binders
    names = {**names, one.local: first.local}
    if not is_alike(one.source, first.source, names):
        return False
    if rest:
        return is_alike(one.where, first.where, names) and _finds_them(asked.has, tuple(rest), names)
    return one.where is None and is_alike(asked.has, first.where, names)


def _is_told(before: Block, binder: core.Binder, by_count: bool = False) -> bool:
    """True of `choose x in S where C` behind `some y in S has C` or `count(y in S where C) > 1`, with nothing but
    `let`, `say` and `requires` since. `by_count`: behind any condition that can hold only if there is one."""
    for part in _just_asked(before):
        asked, has = _asked_for(_counted(part, before) if by_count else part)
        names = {asked.local: binder.local} if asked is not None else {}
        if asked and is_alike(asked.source, binder.source) and is_alike(has, binder.where, names):
            return True
    return False


def _counted(condition: core.Expr, before: Block) -> core.Expr:
    """A comparison with a number as `count(…) > 0`, if it says that: `let m = count(…)` / `if 0 < m`."""
    match condition:
        case core.Compare(op=">" | ">=" | "==" | "!=" as op, left=more, right=less):
            pass
        case core.Compare(op="<" | "<=" as op, left=less, right=more):
            pass
        case _:
            return condition
    count, least = _plain(more, before), bare(less.type)
    if not isinstance(count, core.CountWhere) or not isinstance(least, Number):
        return condition
    is_none = isinstance(less, core.Const) and less.value == 0
    if not is_none if op == "!=" else least.low < (0 if op in ("<", ">") else 1):
        return condition
    return replace(condition, op=">", left=count, right=core.Const(less.type, less.span, 0))


def _plain(expr: core.Expr, before: Block) -> core.Expr:
    """What a name stands for that was given since anything was changed, and what `public` tells."""
    while True:
        match expr:
            case core.LocalVar(local=local):
                given = next((s.value for s in _names_given(before) if s.local is local), None)
                if given is None:
                    return expr
                expr = given
            case core.Builtin(name="public", args=(told,)):
                expr = told
            case _:
                return expr


def _names_given(before: Block) -> Iterator[core.Let]:
    for stmt in reversed(before):
        if not isinstance(stmt, core.Let | core.Say | core.Require):
            return
        if isinstance(stmt, core.Let):
            yield stmt


def _is_left(before: Block, numbers: core.NumberRange) -> bool:
    """True of `1..p.reserve` behind `p.reserve > 0`."""
    first = numbers.low.value if isinstance(numbers.low, core.Const) else None
    for part in _just_asked(before):
        match part:
            case core.Compare(op=">" | ">=" as op, left=last, right=core.Const(value=int(least))):
                if isinstance(first, int) and first <= least + (op == ">") and is_alike(last, numbers.high):
                    return True
    return False


def _asked_for(condition: core.Expr) -> tuple[core.Binder | None, core.Expr | None]:
    """Of what the condition says that there is some, and what holds of it."""
    match condition:
        case core.Quantified(which="some", binder=core.Binder(where=None) as binder, has=has):
            return binder, has
        case core.Compare(
            op="==" | ">=" | ">", left=core.CountWhere(binder=binder), right=core.Const(value=int(least))
        ):
            return (binder, binder.where) if least >= (0 if condition.op == ">" else 1) else (None, None)
    return None, None


def is_held(stmt: core.Draw, before: Block) -> bool:
    """True if a single piece is drawn from a place that was just asked for one: `if deck is not empty` / `draw 1`."""
    is_one = isinstance(stmt.count, core.Const) and stmt.count.value == 1
    return not stmt.up_to and is_one and _was_asked(before, path_key(stmt.source))


def _left_out_at_most(where: core.Expr, local: core.LocalDecl) -> float:
    """An upper bound on how many elements a filter leaves out. `x != y` leaves out one at most, so a choice among three
    players other than two given ones is never empty."""
    match where:
        case core.Logic(op="and"):
            return _left_out_at_most(where.left, local) + _left_out_at_most(where.right, local)
        case core.Logic(op="or"):
            return min(_left_out_at_most(where.left, local), _left_out_at_most(where.right, local))
        # `x != x.next` may leave out every x, so the other side must not depend on x.
        case core.Compare(op="!=", left=core.LocalVar(local=one), right=other) if one is local:
            return 1 if not speaks_of(other, local) else inf
        case core.Compare(op="!=", left=other, right=core.LocalVar(local=one)) if one is local:
            return 1 if not speaks_of(other, local) else inf
        case core.ValueCall(rule=rule, args=args) if not (rule.before or rule.instead or rule.after):
            own = [param for param, arg in zip(rule.params, args, strict=True) if speaks_of(arg, local)]
            plain = [arg for arg in args if isinstance(arg, core.LocalVar) and arg.local is local]
            if len(own) == len(plain) == 1 and rule.expression is not None:
                return _left_out_at_most(rule.expression, own[0])
    return inf


def _was_asked(before: Block, key: str, by_count: bool = False) -> bool:
    """True if a requirement says that the place is not empty, with nothing but `let`, `say` and `requires` since."""
    for stmt in reversed(before):
        if isinstance(stmt, core.Require):
            parts = conjuncts(stmt.condition)
            if any(_asks_some(part, key) or (by_count and _leaves_some(part, key)) for part in parts):
                return True
        # Any other statement may have emptied the place again: a call, a move, a hook on a counter.
        if not isinstance(stmt, core.Let | core.Say | core.Require):
            return False
    return False


def _asks_some(condition: core.Expr, key: str) -> bool:
    """The condition can hold only if there is a piece in that place."""
    match condition:
        case core.Not(of=core.IsEmpty(of=core.PlaceRef() as place)):
            return path_key(place) == key
        case core.Compare(
            op="==" | ">=" | ">", left=core.CountOf(of=core.PlaceRef() as place), right=core.Const(value=least)
        ):
            return path_key(place) == key and least >= (0 if condition.op == ">" else 1)
    return False


def _leaves_some(condition: core.Expr, key: str) -> bool:
    """The condition asks for more than there can be besides the pieces in that place:
    `count(p.chips) + count(p.gold) > 10` with five pieces of gold."""
    match condition:
        case core.Compare(op=">" | ">=" | "==", left=more, right=less):
            pass
        case core.Compare(op="<" | "<=", left=less, right=more):
            pass
        case _:
            return False
    terms, least = _terms(more), bare(less.type)
    others = [bare(term.type) for term in terms if not counts(term, key)]
    if len(others) == len(terms) or not isinstance(least, Number):
        return False
    at_most = sum(term.high if isinstance(term, Number) else inf for term in others)
    return least.low + int(condition.op in ("<", ">")) > at_most


def counts(term: core.Expr, key: str) -> bool:
    return isinstance(term, core.CountOf) and isinstance(term.of, core.PlaceRef) and path_key(term.of) == key


def _terms(expr: core.Expr) -> list[core.Expr]:
    if isinstance(expr, core.Arithmetic) and expr.op == "+":
        return [*_terms(expr.left), *_terms(expr.right)]
    return [expr]


def asked_first(stmt: core.Stmt) -> Block:
    """What a loop asks as a pass begins, as a statement before that pass."""
    return (core.Require(stmt.span, stmt.condition, None),) if isinstance(stmt, core.While) else ()


def ends_lookahead(stmt: core.Stmt, by_count: bool = False) -> bool:
    """True if a look ahead surely stops here and counts as success: what comes next depends on chance, on unseen cards,
    or does not come at all. `by_count`: also in the first pass of a loop that surely makes one."""
    if flow(stmt) is Flow.ends_game:
        return True
    match stmt:
        case core.Pause():
            return True
        case core.Pick():
            return stmt.at_random and not stmt.if_possible
        case core.Draw():
            return not stmt.up_to and (is_chance(stmt) or stmt.source.place.visibility == "hidden")
        case core.For(binder=core.Binder(source=source, where=None)) if by_count and is_some(source):
            return _pass_ends_lookahead(stmt.body)
        case core.Repeat(times=core.Expr(type=Number(low=least))) if by_count and least > 0:
            return _pass_ends_lookahead(stmt.body)
        case _:
            return is_chance(stmt)


def _pass_ends_lookahead(body: Block) -> bool:
    for stmt in body:
        if ends_lookahead(stmt, by_count=True):
            return True
        if any(flow(part) is not Flow.on for part in statements((stmt,))):  # it may leave the loop before that
            return False
    return False


class Exits(NamedTuple):
    """Whether something may be refused where `stop` goes on (behind the innermost loop), and where `done` and `result`
    do (behind the rule)."""

    stop: bool
    done: bool

    def from_within(self, stmt: core.Stmt) -> bool:
        """Whether the statement may leave for somewhere where something may be refused."""
        stops, is_done = _may_leave(stmt)
        return (stops and self.stop) or (is_done and self.done)

    def from_block(self, block: Block) -> bool:
        return any(map(self.from_within, block))

    def inside(self, stmt: core.Stmt, behind: bool) -> Exits:
        """The exits of what stands inside a statement, if `behind` says whether something behind it may be refused."""
        return Exits(behind, self.done) if _is_stopped(stmt) else self


def _may_leave(stmt: core.Stmt) -> tuple[bool, bool]:
    """Whether the statement, or something inside it, may leave the loop in which it stands, and the rule."""
    found = [_may_leave(part) for block in blocks(stmt) for part in block]
    stops = flow(stmt) is Flow.leaves_loop or (not _is_stopped(stmt) and any(stop for stop, _ in found))
    return stops, flow(stmt) is Flow.leaves_rule or any(done for _, done in found)


def _is_stopped(stmt: core.Stmt) -> bool:
    """A `stop` inside ends this statement."""
    return is_loop(stmt) or isinstance(stmt, core.Together) or (isinstance(stmt, core.May) and stmt.repeatedly)


def may_leave_range(stmt: core.Stmt) -> bool:
    """Whether the statement tests a number that it writes, and stops with a fault if that is out of range."""
    match stmt:
        case core.SetField():
            return not (stmt.fits or stmt.field.capped)
        case core.SetFace():
            return not stmt.fits
        case core.Gain():
            return not stmt.up_to and not all(amount.fits or amount.field.capped for amount in stmt.amounts)
        case core.Pay():  # whoever gets it may have no room for it
            return stmt.to is not None and not all(cost.field is None or cost.field.capped for cost in stmt.costs)
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
    # Backwards, so that the nearest statement that says something about the slot decides.
    for stmt in reversed(before):
        if _empties(stmt, key) or any(_asks_empty(part, key) for part in _required(stmt)):
            return True
        if not _keeps(stmt, slot):
            return False
    return False


def _keeps(stmt: core.Stmt, slot: core.PlaceRef) -> bool:
    """The statement changes neither what lies in the slot nor which slot is meant: `spots[here]` is another one after
    `here = 2`."""
    moved = motion(stmt)
    if moved is not None and moved.may_touch(slot.place):
        return False
    if {part.field for part in walk(slot) if isinstance(part, core.FieldRead)}.intersection(written_fields(stmt)):
        return False
    # A call or a decision may do anything to the slot. A payment is a decision too, but moves only what is paid.
    goes_on = flow(stmt) is Flow.on and calls(stmt) is Calls.nothing and not inner(stmt)
    return goes_on and (question(stmt) is None or isinstance(stmt, core.Pay))


def may_overflow(stmt: core.SwapPlaces) -> bool:
    """True if one place may hold more than there is room for in the other."""
    first, second = stmt.first.place, stmt.second.place
    if first.shape in ("slot", "slots"):
        return False
    return (first.limited or second.limited) and first.capacity != second.capacity


def may_be_missing(piece: core.Expr, before: Block) -> bool:
    """True if there may be no such piece, so that what is done with it may be refused."""
    return isinstance(piece.type, Maybe) and not surely_filled(piece, before)


def surely_filled(piece: core.Expr, before: Block) -> bool:
    """The slot was chosen for holding a piece, and nothing since can have taken it away."""
    if isinstance(piece, core.EndOf) and isinstance(piece.of, core.PlaceRef):
        return _was_asked(before, path_key(piece.of))
    if not isinstance(piece, core.SlotPiece):
        return False
    key = path_key(piece.place)
    for stmt in reversed(before):
        if any(_asks_held(part, key) for part in _required(stmt)):
            return True
        if not (_keeps(stmt, piece.place) or _empties_another(stmt, piece.place, before)):
            return False
    return False


def _required(stmt: core.Stmt) -> list[core.Expr]:
    """What surely held when the statement was done, because it asks for it."""
    if isinstance(stmt, core.Require):
        return conjuncts(stmt.condition)
    return [part for binder in binders_of(stmt) for part in conjuncts(binder.where)]


def _asks_held(condition: core.Expr, key: str) -> bool:
    """The condition can hold only if there is a piece in that slot."""
    match condition:
        case core.Not():
            return _asks_empty(condition.of, key)  # of `not (it is empty and …)` nothing follows
        # An attribute of a missing piece equals nothing, so `s.shelf.colour == red` says that a piece is there.
        case core.Compare(op="=="):
            sides = (condition.left, condition.right)
            return any(isinstance(side, core.AttributeOf) and _is_slot(side.of, key) for side in sides)
        case core.IsKind():
            return _is_slot(condition.of, key)
    return False


def _is_slot(expr: core.Expr, key: str) -> bool:
    return isinstance(expr, core.SlotPiece) and path_key(expr.place) == key


def _empties_another(stmt: core.Stmt, slot: core.PlaceRef, before: Block) -> bool:
    """True if the statement only moves a piece from another slot to somewhere that is no such slot."""
    if isinstance(stmt, core.If):
        return all(_empties_another(part, slot, before) for block in blocks(stmt) for part in block)
    if not isinstance(stmt, core.MovePiece) or not isinstance(stmt.piece, core.SlotPiece):
        return False
    # Into another slot of the same declaration, or perhaps into this one: nobody compares their owners here.
    if isinstance(stmt.to.place, core.PlaceRef) and stmt.to.place.place is slot.place:
        return False
    other = stmt.piece.place
    return other.place is not slot.place or _apart(other.owner, slot.owner, before)


def _apart(one: core.Expr | None, other: core.Expr | None, before: Block) -> bool:
    """True for two locals of which one was chosen among the neighbours of the other: no node is its own neighbour."""
    if not isinstance(one, core.LocalVar) or not isinstance(other, core.LocalVar):
        return False
    pair = {path_key(one), path_key(other)}
    for stmt in before:
        for binder in binders_of(stmt):
            source = binder.source
            if isinstance(source, core.MapQuery) and source.name == "neighbours":
                near = {f"local {binder.local.number}", path_key(source.args[0])}
                if near == pair:
                    return True
    return False


def binders_of(stmt: core.Stmt) -> tuple[core.Binder, ...]:
    return stmt.binders if isinstance(stmt, core.Choose) else (stmt.binder,) if isinstance(stmt, core.Pick) else ()


def _empties(stmt: core.Stmt, key: str) -> bool:
    if isinstance(stmt, core.MovePiece):
        return isinstance(stmt.piece, core.SlotPiece) and path_key(stmt.piece.place) == key
    if isinstance(stmt, core.MoveSome) and stmt.quantity == "all" and stmt.binder.where is None:
        source = stmt.binder.source
        return isinstance(source, core.PlaceRef) and source.place.shape == "slot" and path_key(source) == key
    if isinstance(stmt, core.If) and not stmt.otherwise and len(stmt.then) == 1:
        # `if s.man is not empty` / `move s.man to box`: afterwards the slot is empty in either case.
        asked = conjuncts(stmt.condition.of) if isinstance(stmt.condition, core.Not) else []
        return any(_asks_empty(part, key) for part in asked) and _empties(stmt.then[0], key)
    return False


def _asks_empty(condition: core.Expr, key: str) -> bool:
    match condition:
        case core.IsEmpty(of=core.PlaceRef() as place):
            return path_key(place) == key
        case core.IsNone(of=core.SlotPiece() as piece):
            return path_key(piece.place) == key
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
    # Never equal to another one: two calls of a value may come out differently.
    return f"other {id(expr)}"
