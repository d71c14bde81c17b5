"""Pieces that somebody chose before all eyes, that stay closed, and whose face decides what happens openly.

    choose c in p.hand "Which card do you play?"
    if c.rank == 1
      gain 1 points

A choice made openly may be used openly, and mostly the card is laid on the table in the next line. Here it stays in the
hand: others have seen no card, but they have seen who gained a point. So their worlds must have a card chosen with
which the rules do the same. Each such statement is noted with the piece that it turns on; in play that makes worlds run
the rules again from the choice on (`runtime/steps.py`).

Where the piece surely is shown in the same rule, before or behind that statement, nothing is noted: it is known then.
"""

from __future__ import annotations

from collections.abc import Iterator

from . import program as p
from .forms import blocks
from .value_types import Piece, bare
from .walk import bodies, statements, walk

_TURNING = (p.If, p.SetField, p.Gain, p.Lose, p.Perform, p.Repeat, p.While, p.Pay)


def open_uses(program: p.Program) -> dict[p.Stmt, p.LocalDecl]:
    """The statements that turn on a piece which was chosen openly and is not shown around them, with that piece."""
    found: dict[p.Stmt, p.LocalDecl] = {}
    for rule in bodies(program):
        chosen = set(_chosen_openly(rule.body))
        if chosen:
            names = {local: local for local in chosen}
            for one in statements(rule.body):
                if isinstance(one, p.Let):
                    named = next((names[c] for c in _spoken_of(one.value) if c in names), None)
                    names |= {} if named is None else {one.local: named}
            _follow(rule.body, (), names, found)
    return found


def _chosen_openly(block: p.Block) -> Iterator[p.LocalDecl]:
    """The names of pieces that are chosen out of a closed place for all to see."""
    for stmt in statements(block):
        binders: tuple[p.Binder, ...] = ()
        match stmt:
            case p.Choose(secretly=False):
                binders = stmt.binders
            case p.ChooseOne():
                binders = tuple(binder for branch in stmt.branches for binder in branch.binders)
            case p.May():
                binders = stmt.branch.binders
        for binder in binders:
            source = binder.source
            is_closed = isinstance(source, p.PlaceRef) and source.place.visibility in ("secret", "hidden")
            if is_closed and isinstance(bare(binder.local.type), Piece):
                yield binder.local


def _follow(
    block: p.Block, around: p.Block, names: dict[p.LocalDecl, p.LocalDecl], found: dict[p.Stmt, p.LocalDecl]
) -> None:
    """`around`: what surely runs before or behind this block in the same rule."""
    for position, stmt in enumerate(block):
        rest = (*block[:position], *block[position + 1 :], *around)
        if isinstance(stmt, _TURNING) and _is_open(stmt):
            turns_on = [names[local] for part in _asked(stmt) for local in _spoken_of(part) if local in names]
            for piece in turns_on[:1]:
                if not any(_shows(one, piece) for one in rest):
                    found[stmt] = piece
        if not isinstance(stmt, p.Together):
            for inner in blocks(stmt):
                _follow(inner, rest, names, found)


def _is_open(stmt: p.Stmt) -> bool:
    """False if all that it writes is closed: that is for `unseen_writes`."""
    match stmt:
        case p.SetField():
            return stmt.field.visibility == "open"
        case p.Gain() | p.Lose():
            return any(amount.field.visibility == "open" for amount in stmt.amounts)
        case _:
            return True


def _asked(stmt: p.Stmt) -> Iterator[p.Expr]:
    """What decides what the statement does, without the blocks in it."""
    match stmt:
        case p.If(condition=condition) | p.While(condition=condition):
            yield condition
        case p.SetField(value=value):
            yield value
        case p.Gain() | p.Lose():
            yield from (amount.amount for amount in stmt.amounts)
        case p.Perform(cell=cell):
            yield cell
        case p.Repeat(times=times) if times is not None:
            yield times
        case p.Pay():
            yield from (cost.amount for cost in stmt.costs)


def _spoken_of(part: p.Expr) -> Iterator[p.LocalDecl]:
    """The names in an expression, those alone left out that `public` tells."""
    if not (isinstance(part, p.Builtin) and part.name == "public"):
        yield from (node.local for node in walk(part) if isinstance(node, p.LocalVar))


def _shows(stmt: p.Stmt, piece: p.LocalDecl) -> bool:
    """Whether all see the piece from this statement on. What a rule does that is given the piece counts as showing it:
    most often that is what it is for."""
    match stmt:
        case p.MovePiece(piece=p.LocalVar(local=local), to=to) if local is piece:
            is_open = isinstance(to.place, p.PlaceRef) and to.place.place.visibility == "open"
            return isinstance(to.place, p.Box) or (is_open and to.face != "down")
        case p.Reveal(pieces=pieces) if pieces is not None:
            return any(local is piece for local in _spoken_of(pieces))
        case p.CallRule() | p.Perform() | p.SwapPieces():
            return any(isinstance(node, p.LocalVar) and node.local is piece for node in walk(stmt))
        case _:
            return False
