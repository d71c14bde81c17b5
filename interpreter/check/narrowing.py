"""What follows from a condition and from a statement, for the lines that come after them.

Type narrowing: `c is Kaiju` narrows a union, `x is not none` an optional, `p.fame > 0` a number range. If an attribute
of something equals a value, the thing itself is there: comparisons with none are always false. If `a and b` is true,
both sides are true; if it is false, only what would follow from either side being false is known.

Without narrowing the checker would refuse rules that are plainly right:

    if p.target is not none
      gain (p.target).worth vp

A statement ends facts by what it writes, and it may be that nothing comes after it at all.
"""

from __future__ import annotations

from . import program as p
from .declare_types import domain_of
from .facts import PLACES, Fact, Facts, Written
from .forms import LOOPING, Alters, Calls, Flow, Runs, alters, binds, calls, flow, inner, motion, question
from .forms import written_fields as fields_written
from .numbers import OPPOSITE, compared
from .scope import Body, World
from .type_rules import join, maybe, overlap, within, without_kinds
from .value_types import EnumOf, Kinded, Maybe, Number, Piece, PlaceOf, SetOf, VType, bare, element_of
from .walk import expressions

NOT_EMPTY = PlaceOf((), "not empty")  # the fact about a place that is known to hold something


def assume(body: Body, condition: p.Expr, truth: bool = True) -> None:
    """Learns what follows from the condition being true (or false)."""
    match condition:
        case p.Not(of=of):
            assume(body, of, not truth)
        case p.Logic(op=op, left=left, right=right):
            # By De Morgan, `a or b` being false is `a` and `b` both being false.
            if (op == "and") == truth:
                assume(body, left, truth)
                assume(body, right, truth)
            else:
                _assume_either(body, left, right, truth)
        case p.Compare():
            _assume_compared(body, condition.op if truth else OPPOSITE[condition.op], condition, truth)
        case p.IsNone(of=of) if not truth:
            present(body, of)
        case p.IsEmpty(of=of) if not truth:
            assume_filled(body, of)
        case p.IsKind():
            _assume_kind(body, condition, truth)
        # If it is not in the set nothing follows: it may be none, which is in no set, or anything else.
        case p.Member(item=item, source=source) if truth:
            present(body, item)
            _narrow(body, item, element_of(source.type))
        case _:
            pass


def present(body: Body, expr: p.Expr) -> None:
    """Learns that a value is not none. Then nothing on its path is none either: an attribute of none is none."""
    if isinstance(expr.type, Maybe):
        body.learn(expr, expr.type.of)
    match expr:
        case p.AttributeOf():
            present(body, expr.of)
        case p.FieldRead() if expr.owner is not None:
            present(body, expr.owner)
        case p.SlotPiece():
            assume_filled(body, expr.place)
        case p.EndOf():
            assume_filled(body, expr.of)
        case p.Builtin(name=("at" | "holder" | "under")):
            present(body, expr.args[0])
        case p.Face():
            present(body, expr.die)
        case _:
            pass


def assume_filled(body: Body, of: p.Expr) -> None:
    """Learns that a place, or a set that has a name, is not empty."""
    if isinstance(of, p.LocalVar) and isinstance(of.type, SetOf):
        for end in ("first", "last"):  # a set keeps its own type: what is learnt is that it has ends
            body.learn(p.EndOf(Maybe(of.type.of), of.span, end, of), of.type.of)
        return
    if isinstance(of, p.PlaceRef):
        body.learn(of, NOT_EMPTY)
        if isinstance(of.type, PlaceOf) and of.type.shape == "slot":
            piece = p.SlotPiece(Maybe(Piece(of.type.kinds)), of.span, of)
            known = body.known(piece)
            body.learn(piece, bare(known.type))
        if of.owner is not None:
            present(body, of.owner)


def _narrow(body: Body, expr: p.Expr, to: VType | None) -> None:
    if to is None:
        return
    here = body.known(expr).type
    both = overlap(body.declared, here, to)
    if both is not None:
        body.learn(expr, maybe(both, isinstance(here, Maybe)))


def _assume_compared(body: Body, op: str, condition: p.Compare, truth: bool) -> None:
    left, right = condition.left, condition.right
    # With none on a side `==` and the order comparisons are no, `!=` is yes. So only an `==` that holds (also as a
    # `!=` that fails) and an order comparison that holds prove that both sides are there. `not (x > 3)` does not: it
    # also holds if x is none, and then nothing is known about its range either.
    told = op == "==" or (truth and op != "!=")
    if told:
        present(body, left)
        present(body, right)
    elif isinstance(left.type, Maybe) or isinstance(right.type, Maybe):
        return
    one, other = bare(left.type), bare(right.type)
    if isinstance(one, Number) and isinstance(other, Number):
        narrowed = compared(op, one, other)
        if narrowed is not None:
            for side, interval in zip((left, right), narrowed, strict=True):
                body.learn(side, interval)
                if isinstance(side, p.CountOf) and interval.low > 0:  # `count(p.hand) == n` with n above 0
                    assume_filled(body, side.of)
    elif op == "==":
        _narrow(body, left, other)
        _narrow(body, right, one)


def _assume_kind(body: Body, condition: p.IsKind, truth: bool) -> None:
    of = condition.of
    named = kinds_in(body, of.type, condition.ranges)
    if truth:
        present(body, of)
        _narrow(body, of, named)
    # That a piece is no Kaiju leaves the other kinds of its union. Values of an enum have no such rest: an enum with a
    # hole in it has no name.
    elif isinstance(named, Kinded):
        rest = without_kinds(body.known(of).type, named.kinds)
        if rest is not None:
            body.learn(of, rest)


def kinds_in(body: Body, value_type: VType, ranges: tuple[tuple[int, int], ...]) -> VType | None:
    """The part of a union, or the contained enum, that the number ranges of an `is` test stand for."""
    inner = bare(value_type)
    numbers = {n for low, size in ranges for n in range(low, low + size)}
    match inner:
        case Kinded():
            own = tuple(k for k in inner.kinds if set(domain_of(body.declared, type(inner)((k,))) or ()) <= numbers)
            return type(inner)(own) if own else None
        case EnumOf(name):
            for enum in body.declared.enums.values():
                if set(enum.domain) == numbers and within(body.declared, enum.name, name):
                    return EnumOf(enum.name)
            return None
        case _:
            return None


def _assume_either(body: Body, left: p.Expr, right: p.Expr, truth: bool) -> None:
    """At least one of the two has this truth, but not known which: only what follows from either is learnt.

    After `c is Kaiju or c is Mecha`, `c` is one of these two kinds: the union of both facts.
    """
    one, other = _learnt(body, left, truth), _learnt(body, right, truth)
    for key, fact in one.items():
        also = other.get(key)
        if also is None:
            continue
        common = join(body.declared, fact.type, also.type)
        if common is not None:
            body.facts.learn(key, common, fact.reads | also.reads)


def _learnt(body: Body, condition: p.Expr, truth: bool) -> dict[tuple[object, ...], Fact]:
    """The new facts that would follow from a condition, without learning them."""
    before = body.facts
    # In a set of facts of its own that begins with what is known already: the right side of `x is not none and x > 2`
    # rests on the left.
    body.facts = Facts()
    body.facts.known = dict(before.known)
    try:
        assume(body, condition, truth)
        return {key: fact for key, fact in body.facts.known.items() if before.known.get(key) != fact}
    finally:
        body.facts = before


def written(world: World, stmt: p.Stmt) -> Written:
    """Identities of what a statement writes, as facts name them; None for everything.

    What hooks listen to counts as everything: the hook may do anything. At a decision free actions may come between;
    what is done in its branches has been forgotten there. One that gives names to what was chosen has said itself what
    is still known.
    """
    if isinstance(stmt, p.ChooseOne | p.May | p.Pause):
        return world.steady
    if isinstance(stmt, p.CallRule) and stmt.rule.layer == p.HISTORY:  # `remember board`: no hook listens to it
        table = world.declared.state["table"].values()
        return frozenset(id(field) for field in table if isinstance(field, p.FieldDecl) and field.is_history)
    decides = question(stmt) is not None and not binds(stmt)
    if calls(stmt) is not Calls.nothing or decides or alters(stmt) is Alters.seats:
        return None
    touched: set[object] = {id(field) for field in fields_written(stmt)}
    moved = motion(stmt)
    if moved is not None:  # a piece may leave any place for its kind
        state = (state for owned in world.declared.state.values() for state in owned.values())
        places = (place for place in state if isinstance(place, p.PlaceDecl))
        touched |= {PLACES, *(id(place) for place in places if not set(moved.kinds).isdisjoint(place.kinds))}
    # `after p.coins rises` may end the turn, move every card, or set `p.target` to none.
    if touched & world.hooked:
        return None
    if alters(stmt) is Alters.dice:
        dice = {id(part.field) for part in expressions(stmt) if isinstance(part, p.DieRef | p.DiceGroup)}
        return frozenset(touched | dice) if dice else None  # a die that only has a name may be any
    return frozenset(touched)


# ---------------------------------------------------------------------------- does anything come after it


def falls_through(block: p.Block) -> bool:
    """Whether the end of a block can be reached."""
    return all(_goes_on(stmt) for stmt in block)


def _goes_on(stmt: p.Stmt) -> bool:
    if flow(stmt) is not Flow.on:
        return False
    found = inner(stmt)
    # One way to the end is enough among alternatives. A block that always runs must let it through, and an endless loop
    # ends only by `stop`.
    ways = [falls_through(block) for block, runs in found if runs is Runs.one_of]
    return (
        (any(ways) or not ways)
        and all(falls_through(block) for block, runs in found if runs is Runs.once)
        and all(has_stop(block) for block, runs in found if runs is Runs.endless)
    )


def has_stop(block: p.Block) -> bool:
    """Whether a `stop` in the block leaves the loop that the block belongs to."""
    return any(_stops(stmt) for stmt in block)


def _stops(stmt: p.Stmt) -> bool:
    return flow(stmt) is Flow.leaves_loop or any(has_stop(block) for block, runs in inner(stmt) if runs not in LOOPING)
