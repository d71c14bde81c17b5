"""What a running game keeps for the worlds of its players: values told to all, and numbers written unseen.

`public(E)` tells everybody what E gives. A world must give the same, so E is kept as a function of its own
(`told_N`), which can be asked again of any state: `Public` names it and the locals it needs. A local that holds a piece
is asked under the name that the world gives that piece.

A field that somebody may not see can be written in three ways, and a world treats each as the player sees it:

| written | example | in a world |
| --- | --- | --- |
| by so much more or less | `p gains 2 coins` | that much more or less than before |
| with something all may know | `p.bid = 0` | the same |
| with something unseen | `p.bid = n` after `choose n … secretly`, `secret = dice[1].face` | drawn anew |

The first needs no note. `Wrote` notes the others; `unseen` says whether the value may be unseen. Where it came from (a
local, a parameter, a result, the branch of an `if`) is followed by the pass on secrets, which names the statements
that write something unseen (`Program.unseen_writes`). Adding something unseen is noted like writing it.

What a world writes instead is worked out by running the rules from the decision before (`runtime/steps.py`).
That is slow, and the commonest case needs no running: `p.bid = n` right after `choose n`. Where that choice is the only
one of its rule, what it offered is what might have been written (`chosen`). With a second choice in the rule nobody
could say which of the two the number came from: both may have given a 3.

That nothing was written can tell as much: `if (top of deck).rank > 3` / `p.note = 1`. So there is a note in front of
everything that writes or not, depending on a secret (`Program.unseen_turns`), for each field that it may write.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ..check import program as core
from ..check.forms import kinds_in
from ..check.value_types import Maybe, Piece, bare
from ..check.walk import called_rules, statements, walk, walk_program, walk_rule
from . import ir
from .ir import INDEX, Op
from .liveness import read_from
from .meta import Meta
from .unit import ToldUnit, Unit, thing_of

NO_NUMBER = 0  # the size of a note about pieces
PLAIN = ir.Const | ir.Local | ir.Arithmetic | ir.Unary | ir.Compare | ir.And | ir.Or | ir.Not | ir.Lookup | ir.Address


def told(unit: Unit, value: Op) -> tuple[int, tuple[Op, ...]]:
    """The number under which a value can be asked again, and the locals to ask it with."""
    types = {op.name: op.type for op in ir.operations(value) if isinstance(op, ir.Local)}
    params = tuple(dict.fromkeys(ir.free_locals(value)))
    made = ToldUnit(len(unit.told), params, tuple(thing_of(types[name]) for name in params), value)
    unit.told.append(made)
    return made.number, tuple(ir.Local(name, type=types[name]) for name in params)


def wrote(unit: Unit, address: Op, value: Op, field: core.FieldDecl, stmt: core.Stmt) -> ir.Ins | None:
    """What is noted behind a store to a field that somebody may not see; nothing if it only adds or takes away what
    all know."""
    if field.visibility == "open":
        return _note(address, False) if field.is_unset else None  # views show it from now on
    unseen = stmt in unit.program.unseen_writes
    if unseen and stmt not in unit.program.worked_out and stmt in unit.chosen_writes:
        return ir.Only(("play",), [ir.Wrote(address, True, chosen=True)])
    if not unseen and isinstance(value, ir.Arithmetic) and value.sign in "+-":
        held = value.left
        # `p.bid += 2` leaves a world's own number two higher than before, which needs no note. `p.bid = q.bid + 2`
        # writes a value like any other.
        if isinstance(held, ir.ReadField) and held.address is address:
            return None
    return _note(address, unseen or _reads_unseen(unit, value))


def turned(unit: Unit, die: Op, value: Op, stmt: core.Stmt) -> list[ir.Ins]:
    """What is noted behind the turning of a die, if there are dice that somebody may not see."""
    if all(field.visibility == "open" for field in unit.program.fields if field.is_dice):
        return []
    first = ir.Const(unit.layout.dice, type=INDEX)
    address = ir.Arithmetic("+", first, die, type=INDEX)
    return [_note(address, stmt in unit.program.unseen_writes or _reads_unseen(unit, value))]


def answered(low: Any, stmt: core.Stmt) -> list[ir.Ins]:
    """What is noted on each of several ways when nobody sees which one is taken: everything that may be written on one
    of them or another."""
    return may_write(low, stmt) if stmt in low.unit.program.unseen_answers else []


def may_write(low: Any, stmt: core.Stmt) -> list[ir.Ins]:
    """What is noted in front of a statement that writes or not, depending on a secret; `low` lowers the rule around it.

    If it may leave the rule, all that the rule still writes is meant. Where an owner or index is not known before, the
    whole field is.
    """
    # `if (top of deck).rank > 3` / `done`, then `p.note = 1`: whether the later line is reached tells as much as a line
    # inside the `if`.
    leaves = any(isinstance(one, core.Done | core.ResultIs | core.Stop) for one in statements((stmt,)))
    block = low.rule.body if leaves else (stmt,)
    nodes = list(walk(block))
    bound = {part for node in nodes for part in vars(node).values() if isinstance(part, core.LocalDecl)}
    noted: dict[str, ir.Ins] = {}
    called = [(written, ()) for rule in called_rules(nodes) for written, _ in _writes(low.unit, rule.body)]
    for written, way in (*_writes(low.unit, block), *called):
        spot = low.unit.layout.fields[written]
        owner, *indexes = way or (None,)
        # The note is made in front of the statement. What it would bind or change itself cannot be used to find the
        # field.
        if way and stmt not in low.unit.program.unseen_writes and all(_is_plain(part, bound) for part in way):
            address = low.x.field_address(written, owner, tuple(indexes))
            noted[str(address)] = _note(address, True)
        else:
            noted[written.name] = _note(ir.Const(spot.base, type=INDEX), True, max(1, spot.size))
    return list(noted.values())


def sifted(low: Any, stmt: core.Stmt) -> list[ir.Ins]:
    """What is noted in front of a statement that moves or shows pieces of a closed place which the rules have sifted:
    `reveal all c in p.hand where c.rank > 2` tells of the other cards too, and
    `move 1 c in p.hand by lowest c.rank to p.aside` of both places."""
    places: list[core.PlaceRef | None] = []
    if isinstance(stmt, core.Pick) and stmt.at_random:
        # `pick c in deck where c.sort == s at random`: all know which of them chance could take
        places.append(_sifted_place(stmt.binder, False))
    elif low.rule.name == "setup" and not _is_after_chance(low, stmt):
        return []  # all know in which order the pieces came out of the box
    match stmt:
        case core.Pick(binder=binder) if not stmt.at_random:
            # `pick c in p.hand by highest c.rank`: whatever is done with c later on, it is the best one of the hand
            places.append(_sifted_place(binder, True))
        case core.MoveSome(binder=binder):
            places.append(_sifted_place(binder, stmt.quantity != "all"))
        case core.MovePiece(piece=pieces) | core.MoveSet(pieces=pieces) | core.Reveal(pieces=pieces):
            found = () if pieces is None else walk(_where_from(low, pieces))
            for one in found:
                if isinstance(one, core.Selected):
                    places.append(_sifted_place(one.binder, one.which != "all" or one.best is not None))
    if not any(places):
        in_order = _put_in_order(low, stmt)
        return [] if in_order is None else [_note(low.x.place_address(in_order), False, NO_NUMBER)]
    return [_note(low.x.place_address(place), True, NO_NUMBER) for place in places if place is not None]


def _put_in_order(low: Any, stmt: core.Stmt) -> core.PlaceRef | None:
    """The closed place without an order out of which several pieces go to where they lie in one, and nobody sees them:
    `move all c in p.hand to deck on bottom`. They go in table order, so the one on top stands before the others in the
    table, whichever they are. If the place is shuffled right behind, nothing is left of it."""
    match stmt:
        case core.MoveSome(binder=core.Binder(source=source), to=to):
            pass
        case core.MoveSet(pieces=pieces, to=to):
            source = _taken_from(low, pieces)
        case core.MovePiece(piece=core.LocalVar(local=local), to=to):
            loops = (
                one for one in statements(low.rule.body) if isinstance(one, core.For) and one.binder.local is local
            )
            source = next((loop.binder.source for loop in loops if loop.ordered_by is None), stmt.piece)
        case _:
            return None
    if not isinstance(source, core.PlaceRef) or source.place.visibility == "open" or source.place.is_ordered:
        return None
    if not isinstance(to.place, core.PlaceRef) or not to.place.place.is_ordered or to.place.place.shape == "slot":
        return None
    if to.place.place.visibility == "open" and to.face != "down":
        return None
    return None if _is_shuffled_next(low, stmt, to.place.place) else source


def _taken_from(low: Any, pieces: core.Expr) -> core.Expr:
    """Where the pieces of a set were chosen, or the set itself."""
    if isinstance(pieces, core.LocalVar):
        sets = (one for one in statements(low.rule.body) if isinstance(one, core.ChooseSet))
        return next((one.binder.source for one in sets if one.chosen is pieces.local), pieces)
    return pieces


def _is_shuffled_next(low: Any, stmt: core.Stmt, place: core.PlaceDecl) -> bool:
    """Whether a shuffle of that place follows, with nothing but other moves in between."""
    after = iter(statements(low.rule.body))
    for one in after:
        if one is stmt:
            break
    for one in after:
        if isinstance(one, core.Shuffle):
            return place in (one.place.place, None if one.into is None else one.into.place)
        if not isinstance(one, core.MoveSome | core.MoveSet | core.MovePiece):
            return False
    return False


def used_openly(low: Any, stmt: core.Stmt) -> list[ir.Ins]:
    """What is noted in front of a statement that does something openly because of what a piece is that others do not
    see: the pieces that lie there with it, one of which it was."""
    turned = low.unit.program.open_uses.get(stmt)
    if turned is None:
        return []
    if isinstance(turned, core.PlaceRef):
        return [_note(low.x.place_address(turned), True, NO_NUMBER)]
    piece = ir.Local(low.name(turned), type=turned.type)
    return [_note(ir.WhereIs("place", piece, type=INDEX), True, NO_NUMBER)]


def _is_after_chance(low: Any, stmt: core.Stmt) -> bool:
    """Whether a shuffle stands further up in the rule."""
    return any(isinstance(one, core.Shuffle) and one.span.start < stmt.span.start for one in statements(low.rule.body))


def _where_from(low: Any, pieces: core.Expr) -> core.Expr:
    """What a `let` of the same rule gave, or the pieces themselves."""
    if isinstance(pieces, core.LocalVar):
        lets = (one for one in statements(low.rule.body) if isinstance(one, core.Let) and one.local is pieces.local)
        return next((one.value for one in lets), pieces)
    return pieces


def _sifted_place(binder: core.Binder, is_part: bool) -> core.PlaceRef | None:
    """The closed place of which some pieces are taken and others not, as what is printed on them says."""
    source = binder.source
    if not isinstance(source, core.PlaceRef) or source.place.visibility == "open" or source.place.shape == "slots":
        return None
    is_sifted = binder.where is not None or binder.key is not None or (is_part and not source.place.is_ordered)
    return source if is_sifted else None


def _writes(unit: Unit, block: core.Block) -> list[tuple[core.FieldDecl, tuple[core.Expr | None, ...]]]:
    """The fields written in a block that somebody may not see, each with its owner and indexes; none for dice."""
    found: list[tuple[core.FieldDecl, tuple[core.Expr | None, ...]]] = []
    for stmt in statements(block):
        if isinstance(stmt, core.SetField):
            found.append((stmt.field, (stmt.owner, *stmt.indexes)))
        elif isinstance(stmt, core.Gain | core.Lose):
            found += [(amount.field, (stmt.player, *amount.indexes)) for amount in stmt.amounts]
        elif isinstance(stmt, core.SetFace):
            found += [(field, ()) for field in unit.program.fields if field.is_dice]
    return [(written, way) for written, way in found if written.visibility != "open"]


def _is_plain(part: core.Expr | None, bound: set[core.LocalDecl]) -> bool:
    """Whether an owner or index is the same before a statement that binds these locals."""
    if isinstance(part, core.LocalVar):
        return part.local not in bound and not isinstance(part.type, Maybe)
    return part is None or isinstance(part, core.Const)


def _note(address: Op, unseen: bool, size: int = 1) -> ir.Ins:
    return ir.Only(("play",), [ir.Wrote(address, unseen, size)])


def _reads_unseen(unit: Unit, value: Op) -> bool:
    return not all(isinstance(op, PLAIN) or _is_open(unit, op) for op in (value, *ir.operations(value)))


def _is_open(unit: Unit, op: Op) -> bool:
    """A field that all may see."""
    if not isinstance(op, ir.ReadField) or not isinstance(op.address, ir.Address):
        return False
    field = unit.layout.field_at(op.address.base)
    return field is not None and field.visibility == "open"


# ---------------------------------------------------------------------------- for the worlds


def describe_unseen(meta: Meta, unit: Unit) -> None:
    """Says where numbers and pieces stand that a world may have to work out again.

    It is not enough to rename a piece where it stands: `let best = first c in p.hand by highest c.rank` is another card
    of the hand in another world, and if the hand has been mixed since then, nobody could say which of its cards it was.
    """
    names = {unit.local_name(local) for local in unit.program.unseen_locals}
    for routine in unit.routines.values():
        slots = dict(_unseen_slots(routine, names)) if routine.kind == "framed" else {}
        named = dict(_naming_slots(meta, routine)) if routine.kind == "framed" and meta.has_secrets else {}
        read_at = read_from(routine, partial(_told_at, unit)) if slots or named else {}
        for segment, read in read_at.items():
            numbers = tuple(number for slot, number in named.items() if slot in read)
            if numbers:
                meta.naming_slots[segment] = numbers
        if slots:
            resting = _resting(meta, routine)
            for segment, read in read_at.items():
                being_picked = resting.get(segment)
                if being_picked is None:
                    continue
                numbers = tuple(number for slot, number in slots.items() if slot in read and slot not in being_picked)
                if numbers:
                    meta.unseen_slots[segment] = numbers
    blocks = [
        node for rule in unit.program.rules.values() for node in walk_rule(rule) if isinstance(node, core.Together)
    ]
    meta.turning_blocks = any(map(_asks_by_piece, blocks))
    meta.asking_blocks = any(map(partial(_asks_by_secret, unit), blocks))
    meta.uneven_blocks = meta.turning_blocks or meta.asking_blocks or any(map(_is_uneven, blocks))
    meta.spots_unseen = bool(unit.program.unseen_spots)
    meta.shows_to_one = any(map(_shows_to_one, walk_program(unit.program)))
    meta.reveals = any(isinstance(one, core.Reveal) and one.pieces is not None for one in walk_program(unit.program))
    rules = (rule for rule in unit.program.all_rules() if rule.name != "setup")
    meta.sets_open_numbers = any(_sets_open_number(node) for rule in rules for node in walk_rule(rule))
    meta.labels_tell = bool(unit.program.telling_labels)
    meta.marks_unseen = any(map(partial(_marks_unseen, unit), unit.program.unseen_writes))
    meta.free_sets = frozenset(_free_sets(unit, names))
    meta.told_unseen = tuple(any(name in names for name in one.params) for one in unit.told)
    kept = bool(meta.unseen_slots) or any(meta.told_unseen) or meta.asking_blocks
    meta.works_out = meta.has_secrets and (kept or any(map(_works_out, unit.routines.values())))


def _sets_open_number(node: object) -> bool:
    """`omen = n`, and not `omen += n`."""
    return isinstance(node, core.SetField) and node.field.visibility == "open" and node.op == "="


def _shows_to_one(node: object) -> bool:
    return isinstance(node, core.Reveal) and node.pieces is not None and node.to is not None


def _free_sets(unit: Unit, names: set[str]) -> Iterator[int]:
    """The segments that ask for a set on which there is no condition but its size: `choose 3 c in p.hand`. Whose hand
    and how many must be known to all; what is unseen there (`choose p.bid c in p.hand`) is told by the set."""
    for routine in unit.routines.values():
        for segment in routine.segments:
            for ins in ir.instructions(segment.body):
                if isinstance(ins, ir.SetOptions) and _is_free(unit, ins, names):
                    yield segment.number


def _is_free(unit: Unit, ins: ir.SetOptions, names: set[str]) -> bool:
    match ins.candidates:
        case ir.All(source=ir.Contents(address=address), where=None, key=None):
            asked = [address, *(one for one in (ins.low, ins.high) if one is not None)]
        case _:
            return False
    if ins.such_that is not None or unit.sites[ins.site].trial:
        return False
    return not any(_reads_unseen(unit, one) or names.intersection(ir.free_locals(one)) for one in asked)


def _marks_unseen(unit: Unit, stmt: core.Stmt) -> bool:
    """`pick c in Card at random` / `c.cursed = yes`, of cards that may lie unseen, in a field that is not open."""
    if not isinstance(stmt, core.SetField) or stmt.field.owner != "piece" or stmt.field.visibility == "open":
        return False
    return stmt.owner is not None and unit.must_track(kinds_in(stmt.owner.type), None)


def _reached(block: core.Together) -> list[Any]:
    nodes: list[Any] = list(walk(block.body))
    return nodes + [node for rule in called_rules(nodes) for node in walk_rule(rule)]


def _asks_by_piece(block: core.Together) -> bool:
    """`choose c in p.hand`, `if c.rank == 2`, `choose k in 1..2`: of a block with pieces the questions are those of the
    game, and with another card there would have been others."""
    nodes = _reached(block)
    chosen = {one.binders[0].local for one in nodes if isinstance(one, core.Choose) and one.binders}
    pieces = {local for local in chosen if isinstance(bare(local.type), Piece)}
    return any(
        any(isinstance(part, core.LocalVar) and part.local in pieces for part in walk(one.condition))
        for one in _asking_turns(nodes)
    )


def _asks_by_secret(unit: Unit, block: core.Together) -> bool:
    """`if p.role == wolf`, `choose q in rivals(p)`: others do not know whether p is asked."""
    nodes = _reached(block)
    chosen = {binder.local for one in nodes if isinstance(one, core.Choose) for binder in one.binders}
    return any(
        one in unit.program.unseen_turns
        and not any(isinstance(part, core.LocalVar) and part.local in chosen for part in walk(one.condition))
        for one in _asking_turns(nodes)
    )


def _asking_turns(nodes: list[Any]) -> list[core.If]:
    """The conditions among these on which it turns whether something is asked."""
    asking = core.Choose | core.ChooseSet | core.ChooseOne | core.May
    return [
        one
        for one in nodes
        if isinstance(one, core.If)
        and any(isinstance(part, asking) for inner in (one.then, one.otherwise) for part in walk(inner))
    ]


def _is_uneven(block: core.Together) -> bool:
    """Whether several ways lead through a block of `together`, and chance falls or pieces move on some of them."""
    nodes = _reached(block)
    if not any(isinstance(one, core.ChooseOne | core.May) for one in nodes):
        return False
    moving = (core.Roll, core.Shuffle, core.Draw, core.MovePiece, core.MoveSet, core.MoveSome, core.MoveEach)
    return any(isinstance(one, moving) or (isinstance(one, core.Pick) and one.at_random) for one in nodes)


def _unseen_slots(routine: ir.Routine, names: set[str]) -> Iterator[tuple[str, int]]:
    """The slots of a frame that may hold something which not everybody knows, with their positions in the frame."""
    for number, slot in enumerate(routine.slots, start=1):
        if slot in names:
            yield slot, number


def _naming_slots(meta: Meta, routine: ir.Routine) -> Iterator[tuple[str, int]]:
    """The slots of a frame that name pieces, with their positions in the frame."""
    for number, (slot, thing) in enumerate(zip(routine.slots, meta.slot_things[routine.name], strict=True), start=1):
        if thing.removeprefix("set:") == "piece":
            yield slot, number


def _resting(meta: Meta, routine: ir.Routine) -> dict[int, frozenset[str]]:
    """The segments at which a frame may stand while somebody decides, each with the set of pieces that is just being
    picked there: nobody else knows of it, and a world begins it again."""
    things = dict(zip(routine.slots, meta.slot_things[routine.name], strict=True))
    found: dict[int, frozenset[str]] = {}
    for segment in routine.segments:
        if segment.role == "together":
            found.setdefault(segment.number, frozenset())
        for ins in ir.instructions(segment.body):
            match ins:
                case ir.Ask(picked=picked):
                    own = () if picked is None else ir.free_locals(picked)
                    found[segment.number] = frozenset(name for name in own if things.get(name) == "set:piece")
                case ir.CallFrame() | ir.Perform():
                    if ins.resume is not None:
                        found.setdefault(ins.resume, frozenset())
    return found


def _told_at(unit: Unit, number: int) -> frozenset[str]:
    """The locals that the prompt, the labels and the reasons of a site need; what an option binds is in the option."""
    site = unit.sites[number]
    found: set[str] = set() if site.prompt is None else set(unit.texts[site.prompt].params)
    for branch in site.branches:
        label = () if branch.label is None else unit.texts[branch.label].params
        reasons = [name for reason in branch.reasons for name in unit.reasons[reason].reason.params]
        found.update({*label, *reasons} - {*branch.values})
    return frozenset(found)


def _works_out(routine: ir.Routine) -> bool:
    """Whether a routine writes a number that comes from something unseen other than a choice."""
    notes = (ins for ins in routine.instructions() if isinstance(ins, ir.Wrote))
    return any(ins.size == NO_NUMBER or (ins.unseen and not ins.chosen) for ins in notes)
