"""Moves of pieces. Every move is of one piece to one place; several pieces go one after the other.

Hooks on pieces that enter or leave run at once, before the next piece moves; if such a hook may stop for a decision,
the whole row of moves is a loop that can be cut.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..check import program as core
from ..check.value_types import Maybe, Piece, SetOf, VType, bare
from . import ir
from .hoist import without_copies
from .ir import FLAG, INDEX, Op
from .lower_atoms import group_size
from .lower_hooks import asked_kinds, call_move_hooks
from .lower_loops import loop_over
from .lowering import ONE, ZERO, Lowering, less, minus

Target = tuple[Op | None, ir.Manner, int | None]  # place number, manner of putting, capacity
Steady = tuple[Target, Op | None]  # with the piece behind which it goes


def lower_move_piece(low: Lowering, stmt: core.MovePiece) -> None:
    piece = low.x.lower(stmt.piece)
    if stmt.piece in low.unit.program.boxed_openly:
        one = ir.Join((ir.JoinItem(piece, False, None),), type=SetOf(stmt.piece.type))
        low.only(("play",), ir.Reveal(one, None, span=stmt.span))
    by_position = isinstance(stmt.piece, core.EndOf | core.SlotPiece) or is_from_spot(low, stmt.piece)
    put(low, stmt, piece, stmt.piece.type, stmt.to, by_position)


def lower_swap_pieces(low: Lowering, stmt: core.SwapPieces) -> None:
    """Both pieces change places first. Then come the hooks of the first piece, then those of the second."""
    first, second = (low.temporary("x", low.x.lower(side), side.type) for side in (stmt.first, stmt.second))
    hooks = [hook for hook in low.unit.program.move_hooks if hook in low.unit.analysis.move_hooks(stmt)]
    # Kept before the trade: afterwards each piece is where the other one was.
    left = [low.temporary("from_", _place_of(piece), INDEX) for piece in (first, second)] if hooks else []
    missing = low.refusal("nothing to move", stmt, cites=False)
    carried = any(place.owner == "piece" for place in low.unit.layout.places)
    low.add(ir.SwapPieces(first, second, missing, carried, span=stmt.span))
    for piece, here, there in zip((first, second), left, left[::-1], strict=False):
        # Inside one place nothing leaves and nothing enters.
        moved = ir.Compare("!=", here, there)
        low.when(moved, partial(call_move_hooks, low, hooks, piece, here, there, anywhere=True))


def _place_of(piece: Op) -> Op:
    return ir.WhereIs("place", piece, type=INDEX)


def lower_shuffle_into(low: Lowering, stmt: core.Shuffle, into: core.PlaceRef) -> None:
    """In one step if nothing can come between: no hook, no slot, no place that may be full or has no order.
    Otherwise the pieces move one by one, and the place is shuffled then."""
    source, place = stmt.place.place, into.place
    to = core.Destination(into, None, None, None)
    plain = source.shape not in ("slot", "slots") and place.is_ordered and not place.limited
    if plain and not relevant_hooks(low, Piece(source.kinds), to):
        address = low.x.place_address(into)
        low.add(ir.ShuffleInto(low.x.place_address(stmt.place), address, span=stmt.span))
        return
    put_all(low, stmt, low.x.set_of(stmt.place), Piece(source.kinds), to)
    shuffle(low, stmt, into)


def shuffle(low: Lowering, stmt: core.Shuffle, place: core.PlaceRef) -> None:
    """In a place without an order only what players know changes, so playouts have nothing to do."""
    made = ir.Shuffle(low.x.place_address(place), span=stmt.span)
    if place.place.is_ordered:
        low.add(made)
    else:
        low.only(("play", "trial"), made)


def lower_move_set(low: Lowering, stmt: core.MoveSet) -> None:
    of = bare(stmt.pieces.type)
    item = of.of if isinstance(of, SetOf) else of
    if stmt.pieces in low.unit.program.boxed_openly:
        low.only(("play",), ir.Reveal(low.x.set_of(stmt.pieces), None, span=stmt.span))
    put_all(low, stmt, low.x.set_of(stmt.pieces), item, stmt.to, is_from_spot(low, stmt.pieces))


def is_from_spot(low: Lowering, pieces: core.Expr) -> bool:
    """`choose c in line`, `move c to away`: all see which card of the row goes, whether or not they see its face."""
    return pieces in low.unit.program.moved_from_spots


def lower_move_some(low: Lowering, stmt: core.MoveSome) -> None:
    local, source, where = low.x.source(stmt.binder)
    item = stmt.binder.local.type
    pieces: Op = ir.All(local, source, where, type=SetOf(item), span=stmt.span)
    if stmt.quantity != "all":
        assert stmt.count is not None
        count = low.x.lower(stmt.count)
        if stmt.quantity == "up_to":
            count = within_room(low, count, stmt.to)
        pieces = taken(low, stmt, pieces, count, stmt.quantity == "exactly")
    put_all(low, stmt, pieces, item, stmt.to)


def lower_move_each(low: Lowering, stmt: core.MoveEach) -> None:
    """Moves each piece to a place of its own, computed when that piece moves. `up to` leaves out those that find no
    room."""
    local, source, where = low.x.source(stmt.binder)
    item = stmt.binder.local.type
    low.types[local] = item
    pieces: Op = ir.All(local, source, where, type=SetOf(item), span=stmt.span)
    count = low.x.maybe(stmt.count)
    if stmt.quantity == "exactly":
        assert count is not None
        pieces = taken(low, stmt, pieces, count, True)

    def one() -> None:
        put(low, stmt, ir.Local(local, type=item), item, stmt.to, False)

    if stmt.quantity != "up_to":
        each_piece(low, stmt, local, pieces, item, stmt.to, one)
        return
    assert count is not None
    left = low.temporary("left", count, INDEX)

    def one_with_room() -> None:
        low.let(left.name, minus(left, ONE), INDEX)
        one()

    def if_it_fits() -> None:
        room = _room(low, stmt.to)
        low.when(ir.And(less(ZERO, left), ir.Const(1, type=FLAG) if room is None else less(*room)), one_with_room)

    each_piece(low, stmt, local, pieces, item, stmt.to, if_it_fits)


def _room(low: Lowering, to: core.Destination) -> tuple[Op, Op] | None:
    """How many pieces lie in a place, and how many it can hold; None if there is no limit."""
    _, _, capacity = _target(low, to)
    if capacity is None or not isinstance(to.place, core.PlaceRef):
        return None
    return ir.Count(low.x.contents(to.place), type=INDEX), ir.Const(capacity, type=INDEX)


def taken(low: Lowering, stmt: core.Stmt, pieces: Op, count: Op, exactly: bool) -> ir.Local:
    name = low.unit.temporary("taken")
    low.types[name] = pieces.type
    too_few = low.refusal("too few", stmt) if exactly else None
    low.add(ir.Take(name, pieces, count, too_few, span=stmt.span, cites=stmt.cites))
    low.taken.add(name)
    return ir.Local(name, type=pieces.type)


def within_room(low: Lowering, count: Op, to: core.Destination) -> Op:
    """The number for `up to`: never more than there is room for."""
    room = _room(low, to)
    if room is None:
        return count
    return ir.Extreme("min", (count, minus(room[1], room[0])), type=count.type, span=count.span)


def lower_draw(low: Lowering, stmt: core.Draw) -> None:
    place = stmt.source.place
    item = Piece(place.kinds)
    name = low.unit.temporary("drawn")
    low.types[name] = SetOf(item)
    count = low.x.lower(stmt.count)
    if stmt.up_to:
        count = within_room(low, count, stmt.to)
    source = low.x.place_address(stmt.source)
    if _deals_simply(low, stmt):
        target, manner, _ = _target(low, stmt.to)
        assert target is not None and isinstance(stmt.to.place, core.PlaceRef)
        too_few = None if stmt.up_to else low.refusal("too few", stmt)
        low.add(ir.Deal(name, source, target, manner, count, too_few, span=stmt.span, cites=stmt.cites))
        dealt = ir.Local(name, type=SetOf(item))
        if low.unit.must_track(place.kinds, stmt.to.place.place):
            low.only(("play",), ir.NoteDeal(dealt, source, target, span=stmt.span))
        _draw_result(low, stmt, dealt)
        return
    if place.shape != "bag":
        pieces = taken(low, stmt, low.x.contents(stmt.source), count, not stmt.up_to)
    else:
        too_few = None if stmt.up_to else low.refusal("too few", stmt)
        low.add(ir.Draw(name, source, count, too_few, span=stmt.span, cites=stmt.cites))
        low.taken.add(name)
        pieces = ir.Local(name, type=SetOf(item))
    put_all(low, stmt, pieces, item, stmt.to, by_position=place.shape != "bag")
    _draw_result(low, stmt, pieces)


def _deals_simply(low: Lowering, stmt: core.Draw) -> bool:
    """True if all pieces can be dealt in one step: from the front of a list to a list with room, face up, with no
    hooks."""
    place, to = stmt.source.place, stmt.to
    if place.shape not in ("pile", "row") or not isinstance(to.place, core.PlaceRef) or low.unit.uses_faces:
        return False
    if to.place.place.shape not in ("pile", "row", "pool", "hand") or to.position == "after":
        return False
    # `draw 3` into a hand that may be full is refused piece by piece.
    if to.place.place.limited and not stmt.up_to:
        return False
    optional = low.x.place_address(stmt.source).optional or low.x.place_address(to.place).optional
    return not optional and not relevant_hooks(low, Piece(place.kinds), to)


def _draw_result(low: Lowering, stmt: core.Draw, pieces: Op) -> None:
    if stmt.result is None:
        return
    if isinstance(bare(stmt.result.type), SetOf):
        low.let(low.name(stmt.result), pieces, stmt.result.type)
    else:
        first = ir.End(pieces, "first", type=stmt.result.type)
        low.let(low.name(stmt.result), first, stmt.result.type)


def put_all(
    low: Lowering, stmt: core.Stmt, pieces: Op, item: VType, to: core.Destination, by_position: bool = False
) -> None:
    """Moves all pieces to one place, which is computed before the first of them moves."""
    name = low.unit.temporary("x")
    steady = _steady(low, to)

    def one() -> None:
        put(low, stmt, ir.Local(name, type=item), item, to, by_position, steady)

    each_piece(low, stmt, name, pieces, item, to, one)


def each_piece(
    low: Lowering,
    stmt: core.Stmt,
    local: str,
    pieces: Op,
    item: VType,
    to: core.Destination,
    one: Callable[[], None],
) -> None:
    """Handles one piece after the other. If a hook on the way may stop for a decision, the loop is cut into
    segments."""
    # Moving changes the very list that is gone over, so a copy is made, unless the pieces were taken out before.
    is_kept = isinstance(pieces, ir.Local) and pieces.name in low.taken
    going = pieces if is_kept else ir.All("e_", pieces, type=pieces.type)
    if any(hook.rule in low.unit.analysis.framed for hook in relevant_hooks(low, item, to)):
        low.types[local] = item
        loop_over(low, local, item, going, one)
        return
    loop = ir.For(local, going, low.plain_pass(one), span=stmt.span)
    at_once = _at_once(low, loop)
    if at_once is None:
        low.add(loop)
    else:
        low.only(("play",), loop)
        low.only(("playout", "trial"), at_once)


def _at_once(low: Lowering, loop: ir.For) -> ir.Deal | None:
    """Turns a loop that moves a whole list to another list into a single deal. In play each piece is moved by itself,
    because knowledge follows each one."""
    source = without_copies(loop.source)
    match source, loop.body:
        case (
            ir.Contents(address=ir.Address(optional=False) as here),
            [ir.Move(how="front" | "back" | "sorted", missing=None, full=None) as move, *notes],
        ):
            there = move.target
        case _:
            return None
    if not all(isinstance(note, ir.Only) for note in notes):
        return None
    if not isinstance(move.piece, ir.Local) or move.piece.name != loop.local:
        return None
    if not isinstance(there, ir.Address) or there.optional or loop.local in ir.free_locals(there):
        return None
    count = ir.Count(source, type=INDEX)
    return ir.Deal(low.unit.temporary("dealt"), here, there, move.how, count, None, span=loop.span)


def relevant_hooks(low: Lowering, item: VType, to: core.Destination) -> list[core.MoveHook]:
    """The hooks that moving such a piece to that place may set off."""
    kinds = set(getattr(bare(item), "kinds", ()))
    target = to.place.place if isinstance(to.place, core.PlaceRef) else None
    found = []
    for hook in low.unit.program.move_hooks:
        if hook.motion == "enters" and hook.place is target and kinds & set(_hook_kinds(low, hook)):
            found.append(hook)
        elif hook.motion == "leaves" and kinds & set(hook.place.kinds):
            found.append(hook)
    return found


def _hook_kinds(low: Lowering, hook: core.MoveHook) -> tuple[str, ...]:
    """The kinds for which the hook's condition can hold."""
    asked = asked_kinds(hook)
    if asked is None:
        return hook.place.kinds
    first = {kind: low.unit.program.kinds[kind].first for kind in hook.place.kinds}
    return tuple(kind for kind in first if any(start <= first[kind] < start + size for start, size in asked))


def put(
    low: Lowering,
    stmt: core.Stmt,
    piece: Op,
    item: VType,
    to: core.Destination,
    by_position: bool,
    steady: Steady | None = None,
) -> None:
    """One piece to its place, then the hooks of leaving and entering. `steady`: the place, if it is known already."""
    hooks = relevant_hooks(low, item, to)
    kinds = getattr(bare(item), "kinds", ())
    place = to.place.place if isinstance(to.place, core.PlaceRef) else None
    if not isinstance(piece, ir.Local) or hooks:
        piece = low.temporary("x", piece, item)
    source = low.unit.temporary("from_")
    (target, how, capacity), behind = steady or (_target(low, to), low.x.maybe(to.behind))
    if hooks and target is not None:
        target = low.temporary("to", target, INDEX)
    low.types[source] = INDEX
    if place is not None and place.owner == "piece" and target is not None:
        low.add(ir.NotIntoItself(piece, target, span=stmt.span))
    missing = low.refusal("nothing to move", stmt) if isinstance(item, Maybe) else None
    full = low.refusal("full", stmt) if capacity is not None and how != "box" else None
    move = ir.Move(source, piece, target, how, behind, capacity, missing, full, span=stmt.span, cites=stmt.cites)
    low.add(move)
    _follow(low, move, to, low.unit.must_track(kinds, place), by_position)
    origin = ir.Local(source, type=INDEX)
    run = partial(call_move_hooks, low, hooks, piece, origin, target)
    # Inside one place nothing leaves and nothing enters.
    if target is not None and how != "group" and any(hook.place is place for hook in hooks):
        low.when(ir.Compare("!=", origin, target), run)
    else:
        run()


def _follow(low: Lowering, move: ir.Move, to: core.Destination, track: bool, by_position: bool) -> None:
    """Sets how the piece lies now and, in play, updates what everybody knows about it."""
    was_down: ir.Local | None = None
    # Whether it lay face down decides who learns what it is. The mark is gone once it lies anew, so it is kept first.
    if low.unit.uses_faces:
        was_down = ir.Local(low.unit.temporary("was_down"), type=FLAG)
        low.add(ir.Lay(was_down.name, move.piece, to.face or "up", span=move.span))
    if track:
        source = ir.Local(move.source, type=INDEX)
        low.only(("play",), ir.NoteMove(move.piece, source, move.target, by_position, was_down, span=move.span))
        if to in low.unit.program.unseen_spots and move.target is not None:
            low.only(("play",), ir.NoteSpot(move.target, _knower(low, to), move.piece, span=move.span))


def _knower(low: Lowering, to: core.Destination) -> Op | None:
    """Who knows the position that a piece has gone to."""
    match low.unit.program.unseen_spots[to]:
        case core.LocalDecl() as local:
            return ir.Local(low.name(local), type=local.type)
        case int(seat):
            return ir.Const(seat, type=INDEX)
    return None


def _steady(low: Lowering, to: core.Destination) -> Steady:
    """A destination for several pieces. It is computed once, because the moves themselves may change what it reads."""
    (target, how, capacity), behind = _target(low, to), low.x.maybe(to.behind)
    if isinstance(target, ir.Address) and any(not _is_fixed(term.index) for term in target.terms):
        target = low.temporary("to", target, target.type)
    if behind is not None and not _is_fixed(behind):
        behind = low.temporary("behind", behind, behind.type)
    return (target, how, capacity), behind


def _is_fixed(op: Op) -> bool:
    """True if no move changes its value."""
    return isinstance(op, ir.Local | ir.Const)


def _target(low: Lowering, to: core.Destination) -> Target:
    """The number of the place, the manner of putting, and the capacity to test (None: it always fits)."""
    if not isinstance(to.place, core.PlaceRef):
        return None, "box", None
    place = to.place.place
    number = low.x.place_address(to.place)
    if (size := group_size(to.place)) is not None:
        return number, "group", size
    if place.shape in ("slot", "slots"):
        return number, "slot", 1
    capacity = place.capacity if place.limited else None
    if place.shape in ("pool", "hand"):
        return number, "sorted", capacity
    if place.shape == "bag":
        return number, "bag", capacity
    default: ir.Manner = "front" if place.shape == "pile" else "back"
    named: dict[str | None, ir.Manner] = {
        None: default,
        "on_top": "front",
        "as_first": "front",
        "on_bottom": "back",
        "as_last": "back",
        "after": "behind",
    }
    return number, named[to.position], capacity
