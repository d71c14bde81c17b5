"""Statements that move, show and shuffle pieces: move, draw, shuffle, swap, pass, flip, reveal; and roll.

A piece may be moved only to a place for its kind; the types known at that point of the rule decide.
"""

from __future__ import annotations

from ..syntax import nodes
from . import program as p
from .dispatch import as_source, condition, does, elaborate, interval_of, not_of, number, piece, place, player
from .expressions import binder, narrowed
from .scope import Body
from .set_expressions import pieces_in
from .type_rules import in_words, is_maybe, kinds_of, maybe
from .value_types import Die, Flag, Number, Piece, PlaceOf, SetOf, VType, bare, element_of
from .walk import speaks_of

MOST_ROLLS = 1000  # of `roll … until`; what no face can bring about ends there


@does(nodes.Move)
def move(body: Body, node: nodes.Move) -> p.Stmt:
    what = node.what
    if what.binder is not None:
        return _move_some(body, node, what, what.binder)
    assert what.expression is not None
    pieces = elaborate(body, what.expression, None)
    of = element_of(pieces.type) or bare(pieces.type)
    if not isinstance(of, Piece):
        raise not_of(body, pieces.type, "a piece", what.expression.span, "pieces are moved")
    if isinstance(pieces.type, PlaceOf):
        headline = f"{in_words(pieces.type)} is a place: which of its pieces move?"
        help = f"write `move all x in {what.expression.span.text} to …`"
        raise body.fail("R0455", headline, what.expression.span, "a place does not move", help=help)
    to = destination(body, node.to, node.position, node.face, of)
    if isinstance(pieces.type, SetOf):
        return p.MoveSet(node.span, pieces, to)
    return p.MovePiece(node.span, pieces, to)


def _move_some(body: Body, node: nodes.Move, what: nodes.Moved, over: nodes.Binder) -> p.Stmt:
    count = None if what.count is None else number(body, what.count, "how many")
    with body.block():
        made = binder(body, over)
        of = narrowed(body, made)
        if not isinstance(of, Piece):
            raise not_of(body, of, "a piece", over.source.span, "pieces are moved")
        to = destination(body, node.to, node.position, node.face, of)
    # `move all c in heap to c.owner.reserve`: where each goes is known only as it goes. Any other destination is worked
    # out once, before the first piece moves.
    speaks_of_it = speaks_of(to, made.local)
    return (p.MoveEach if speaks_of_it else p.MoveSome)(node.span, what.quantity, count, made, to)


def destination(
    body: Body, node: nodes.Expr, position: nodes.Position | None, face: str | None, of: VType, drawn: bool = False
) -> p.Destination:
    to = place(body, node, "where it goes")
    _refuse_kinds(body, node, to, of, drawn=drawn)
    if isinstance(to, p.PlaceRef) and to.owner is not None and is_maybe(to.owner.type):
        what = f"whose `{to.place.name}` it goes to may be none here"
        raise body.fail("R0432", what, node.span, in_words(to.owner.type), help="ask `is not none` first")
    behind = None
    if position is not None:
        if isinstance(to, p.Box) or to.place.shape not in ("pile", "row"):
            raise body.fail("R0470", f"{in_words(to.type)} has no order", position.span, "only piles and rows have")
        if position.behind is not None:
            behind = elaborate(body, position.behind, of)
            pieces_in(body, behind, position.behind)
    return p.Destination(to, None if position is None else position.how, behind, face)


def _refuse_kinds(
    body: Body, node: nodes.Expr, to: p.PlaceRef | p.Box, of: VType, *, whole: bool = False, drawn: bool = False
) -> None:
    """Reports pieces of a kind that a place does not hold. `whole`: all pieces of another place are moved there;
    `drawn`: nobody can be asked beforehand which kind comes."""
    if isinstance(to, p.Box) or not to.place.kinds:  # an unknown kind of a place has been reported
        return
    outside = [kind for kind in kinds_of(of) if kind not in to.place.kinds]
    if not outside:
        if to.place.shape == "slots" and to.slot is None and not whole:
            what = f"`{to.place.name}` has several slots: into which?"
            raise body.fail("R0436", what, node.span, "say the slot", help=f"write `{node.span.text}[…]`")
        return
    inside = [kind for kind in kinds_of(of) if kind in to.place.kinds]
    headline = f"`{to.place.name}` is not a place for {outside[0]}"
    notes = (f"`{to.place.name}` is declared at {to.place.span.at}",)
    help = f"ask `is {' | '.join(inside)}` first" if inside and not whole else None
    if help is not None and drawn:
        help = f"draw to a place for both, {help}, and move it on; or have a place with {' | '.join(inside)} alone"
    raise body.fail("R0456", headline, node.span, f"{to.type}", notes=notes, help=help)


@does(nodes.Draw)
def draw(body: Body, node: nodes.Draw) -> p.Stmt:
    count = number(body, node.count, "how many")
    over = place(body, node.source, "where it is drawn from")
    if isinstance(over, p.Box) or over.place.shape in ("pool", "hand"):
        what = f"{in_words(over.type)} has no order to draw in"
        help = "say which: `move 1 x in … where … to …`, or `pick x in … at random`"
        raise body.fail("R0457", what, node.source.span, "which of them?", help=help)
    of = Piece(over.place.kinds)
    to = destination(body, node.to, node.position, node.face, of, drawn=True)
    result = None
    if node.alias is not None:
        surely_one = interval_of(count).low == interval_of(count).high == 1
        result = body.bind(node.alias, maybe(of, node.up_to) if surely_one else SetOf(of))
    return p.Draw(node.span, node.up_to, count, over, to, result)


@does(nodes.Shuffle)
def shuffle(body: Body, node: nodes.Shuffle) -> p.Stmt:
    what = _not_the_box(body, node.place, "what is shuffled")
    into = None if node.into is None else _not_the_box(body, node.into, "where it is shuffled into")
    mixed = into or what
    if mixed.place.shape in ("slot", "slots"):
        help = "move what lies there to a pile, shuffle the pile, and deal it out again"
        span = (node.into or node.place).span
        raise body.fail("R0457", f"`{mixed.place.name}` cannot be shuffled", span, "slots have no order", help=help)
    if into is not None:
        _refuse_kinds(body, node.place, into, Piece(what.place.kinds), whole=True)
    return p.Shuffle(node.span, what, into)


def _not_the_box(body: Body, node: nodes.Expr, what: str) -> p.PlaceRef:
    found = place(body, node, what)
    if isinstance(found, p.Box):
        raise body.fail("R0457", "the box is not shuffled", node.span, "no order there")
    return found


@does(nodes.Swap)
def swap(body: Body, node: nodes.Swap) -> p.Stmt:
    first, second = elaborate(body, node.first, None), elaborate(body, node.second, None)
    if isinstance(first, p.PlaceRef) and isinstance(second, p.PlaceRef):
        for one, other, part in ((first, second, node.second), (second, first, node.first)):
            _refuse_kinds(body, part, one, Piece(other.place.kinds), whole=True)
            _refuse_other_shape(body, part, one, other)
        return p.SwapPlaces(node.span, first, second)
    for part, made in ((node.first, first), (node.second, second)):
        if not isinstance(bare(made.type), Piece):
            a, b = node.first.span.text, node.second.span.text
            help = f"values change places with a name for the first: `let old = {a}`, `{a} = {b}`, `{b} = old`"
            raise not_of(body, made.type, "a piece", part.span, "two pieces or two whole places are swapped", help)
    # Neither piece says where it lies, so each must fit wherever the other may be.
    _refuse_trade(body, node.second, kinds_of(first.type), kinds_of(second.type))
    _refuse_trade(body, node.first, kinds_of(second.type), kinds_of(first.type))
    return p.SwapPieces(node.span, first, second)


def _refuse_other_shape(body: Body, node: nodes.Expr, one: p.PlaceRef, other: p.PlaceRef) -> None:
    """Two places trade what lies in them as it lies there. So both have an order or neither, and slots are as many."""
    if _as_it_lies(one) != _as_it_lies(other):
        what = f"{in_words(one.type)} cannot be swapped with {in_words(other.type)}"
        help = "move the pieces of one to a third place first, then those of the other, then the rest"
        notes = ("what lies in an order stays in it, so both places have one or neither has",)
        raise body.fail("R0479", what, node.span, "another shape of place", notes=notes, help=help)
    owners = [owner for owner, states in body.declared.state.items() if one.place in states.values()]
    if one.place.owner == "piece" and not body.declared.carriers_of(owners).isdisjoint(other.place.kinds):
        what = f"a piece of `{other.place.name}` may be the one that carries `{one.place.name}`"
        raise body.fail("R0479", what, node.span, "nothing goes into itself", help="move the pieces one by one")


def _as_it_lies(ref: p.PlaceRef) -> object:
    if ref.place.shape in ("slot", "slots"):
        return 1 if ref.slot is not None or ref.place.slot_dimension is None else ref.place.slot_dimension.size
    return ref.place.is_ordered


def _refuse_trade(body: Body, node: nodes.Expr, kinds: tuple[str, ...], others: tuple[str, ...]) -> None:
    """Reports a piece that may come to a place which is not for its kind: where the other one lies."""
    for members in body.declared.state.values():
        for held in members.values():
            if not isinstance(held, p.PlaceDecl) or set(held.kinds).isdisjoint(kinds):
                continue
            outside = [kind for kind in others if kind not in held.kinds]
            if outside:
                what = f"the other piece may lie in `{held.name}`, which is not a place for {outside[0]}"
                notes = (f"`{held.name}` is declared at {held.span.at}",)
                help = "swap pieces of one kind, or move each of them to where it goes"
                raise body.fail("R0456", what, node.span, "it would go there", notes=notes, help=help)


@does(nodes.PassOn)
def pass_on(body: Body, node: nodes.PassOn) -> p.Stmt:
    places = {n: s for n, s in body.declared.state.get("player", {}).items() if isinstance(s, p.PlaceDecl)}
    found = places.get(node.place.text)
    if found is None:
        what = f"players have no place `{node.place.text}` to pass on"
        raise body.fail("R0320", what, node.place.span, "not known", near=places)
    body.declared.uses.add(node.place.span, "state", "player", node.place.text)
    return p.PassOn(node.span, found, node.direction)


@does(nodes.Flip)
def flip(body: Body, node: nodes.Flip) -> p.Stmt:
    return p.Flip(node.span, piece(body, node.what, "a piece is flipped"), node.face)


@does(nodes.Reveal)
def reveal(body: Body, node: nodes.Reveal) -> p.Stmt:
    to = None if node.to is None else player(body, node.to, "who sees it")
    if node.binder is not None:
        with body.block(), body.perhaps_never():
            made = binder(body, node.binder)
            of = narrowed(body, made)
        pieces: p.Expr = p.Selected(SetOf(of), node.span, "all", made, None, None)
        if isinstance(of, Die):
            return p.Reveal(node.span, None, None, to, pieces)
        return p.Reveal(node.span, pieces_in(body, pieces, node.binder.source), None, to)
    assert node.what is not None
    what = elaborate(body, node.what, None)
    if isinstance(what.type.of if isinstance(what.type, SetOf) else what.type, Die):
        return p.Reveal(node.span, None, None, to, what)
    if isinstance(what, p.FieldRead) and not isinstance(bare(what.type), Piece):
        return p.Reveal(node.span, None, what, to)
    # A secret field that names a piece: what is shown is which piece it names. What is printed on that piece is another
    # question.
    if isinstance(what, p.FieldRead) and what.field.visibility != "open":
        return p.Reveal(node.span, None, what, to)
    source = as_source(what) if isinstance(what, p.SlotPiece) else what
    return p.Reveal(node.span, pieces_in(body, source, node.what), None, to)


@does(nodes.Roll)
def roll(body: Body, node: nodes.Roll) -> p.Stmt | list[p.Stmt]:
    dice = elaborate(body, node.dice, None)
    of = dice.type.of if isinstance(dice.type, SetOf) else dice.type
    if not isinstance(of, Die) or (isinstance(dice.type, SetOf) and not isinstance(dice, p.DiceGroup)):
        raise not_of(body, dice.type, "dice", node.dice.span, "dice are rolled")
    rolled = p.Roll(node.span, dice)
    if node.until is None:
        return rolled
    body.facts.forget(None)  # what was known of the faces
    with body.perhaps_never():
        again = p.Not(Flag(), node.until.span, condition(body, node.until))
    # `roll die until die.face == 7` would roll for ever.
    most = p.Const(Number(MOST_ROLLS, MOST_ROLLS), node.span, MOST_ROLLS)
    return [rolled, p.While(node.span, again, most, (p.Roll(node.span, dice),))]
