"""Pieces that somebody chose openly, that stay closed, and whose face decides what happens openly.

    choose c in p.hand "Which card do you play?"
    if c.rank == 1
      gain 1 points

A choice made openly may be used openly, and mostly the card is laid on the table in the next line. Here it stays in the
hand: others have seen no card, but they have seen who gained a point. So in their worlds a card must have been chosen
with which the rules do the same. Each such statement is noted with the piece that it turns on; in play that makes
worlds run the rules again from the choice on (`runtime/steps.py`).

The same goes for a rule that is handed the piece, and for a hook on the place to which it goes. Where the piece surely
is shown in the same rule, before or behind that statement, nothing is noted: it is known then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from . import program as p
from .forms import blocks, written_fields
from .value_types import Piece, SetOf, bare
from .walk import bodies, statements, walk

_DEEPEST = 3  # calls that are followed to see whether a piece is shown
_STORES = (p.SetField, p.Gain, p.Lose)
TURNING = (*_STORES, p.If, p.Perform, p.Repeat, p.While, p.Pay)


Turned = p.LocalDecl | p.Expr


def open_uses(program: p.Program) -> dict[p.Stmt, Turned]:
    """The statements that turn on a piece which was chosen openly and is not shown around them, with that piece; of a
    chosen set the place that it was chosen from."""
    handed: set[p.LocalDecl] = set()
    while True:
        known = len(handed)
        found: dict[p.Stmt, Turned] = {}
        for rule in bodies(program):
            chosen: dict[p.LocalDecl, Turned] = {
                **dict(_chosen_openly(rule.body)),
                **{c: c for c in rule.params if c in handed},
            }
            if chosen:
                names = {local: local for local in chosen}
                for one in statements(rule.body):
                    if isinstance(one, p.Let):
                        named = next((names[c] for c in spoken_of(one.value) if c in names), None)
                        names |= {} if named is None else {one.local: named}
                _Following(program, chosen, names, handed, found).follow(rule.body, ())
        if len(handed) == known:  # what a rule is handed it may hand on
            return found


def _chosen_openly(block: p.Block) -> Iterator[tuple[p.LocalDecl, Turned]]:
    """The names of pieces and sets that are chosen out of a closed place for all to see."""
    for stmt in statements(block):
        binders: tuple[p.Binder, ...] = ()
        match stmt:
            case p.Choose(secretly=False):
                binders = stmt.binders
            case p.ChooseSet(secretly=False, binder=binder):
                if _is_of_closed_place(binder) and isinstance(binder.source, p.PlaceRef):
                    yield stmt.chosen, binder.source
            case p.ChooseOne():
                binders = tuple(binder for branch in stmt.branches for binder in branch.binders)
            case p.May():
                binders = stmt.branch.binders
        yield from ((binder.local, binder.local) for binder in binders if _is_of_closed_place(binder))


def _is_of_closed_place(binder: p.Binder) -> bool:
    is_closed = isinstance(binder.source, p.PlaceRef) and binder.source.place.visibility in ("secret", "hidden")
    return is_closed and isinstance(bare(binder.local.type), Piece)


@dataclass
class _Following:
    """Goes through one rule. `names`: what each local stands for; `handed`: parameters that are given such a piece."""

    program: p.Program
    chosen: dict[p.LocalDecl, Turned]
    names: dict[p.LocalDecl, p.LocalDecl]
    handed: set[p.LocalDecl]
    found: dict[p.Stmt, Turned]

    def follow(self, block: p.Block, around: p.Block) -> None:
        """`around`: what surely runs before or behind this block in the same rule."""
        for position, stmt in enumerate(block):
            rest = (*block[:position], *block[position + 1 :], *around)
            if isinstance(stmt, TURNING) and is_open(stmt):
                self._note(stmt, [local for part in asked_by(stmt) for local in spoken_of(part)], rest)
            elif isinstance(stmt, p.ChooseOne | p.May):
                for branch in stmt.branches if isinstance(stmt, p.ChooseOne) else (stmt.branch,):
                    self._labels(branch, rest)
            elif isinstance(stmt, p.Say):
                for part in told_holes(stmt):
                    named = [self.names[local] for local in spoken_of(part) if local in self.names]
                    if any(not any(_shows(one, piece) for one in rest) for piece in named):
                        note_told(self.program, stmt, part)
            elif isinstance(stmt, p.CallRule):
                for param, arg in zip(stmt.rule.params, stmt.args, strict=False):
                    self._hand_on(param, arg, rest)
            elif isinstance(stmt, p.MovePiece) and isinstance(stmt.piece, p.LocalVar):
                self._enters(stmt, stmt.piece, rest)
            for inner in blocks(stmt):
                self.follow(inner, rest)

    def _note(self, stmt: p.Stmt, locals: list[p.LocalDecl], rest: p.Block) -> None:
        for piece in [self.names[local] for local in locals if local in self.names][:1]:
            if not any(_shows(one, piece) for one in rest):
                self.found[stmt] = self.chosen[piece]

    def _labels(self, branch: p.BranchDecl, rest: p.Block) -> None:
        """`"Keep one worth {c.rank}" for c in p.hand`: all read it in the log. Worlds do not heed that."""
        told = _numbers_in(branch.label)
        for piece in [local for part in told for local in spoken_of(part) if local in self.chosen][:1]:
            if not any(_shows(one, piece) for one in (*branch.body, *rest)):
                self.program.telling_labels.add(branch)

    def _hand_on(self, param: p.LocalDecl, arg: p.Expr, rest: p.Block) -> None:
        if isinstance(arg, p.LocalVar) and arg.local in self.chosen and isinstance(bare(arg.type), Piece):
            if not any(_shows(one, arg.local) for one in rest):
                self.handed.add(param)

    def _enters(self, stmt: p.MovePiece, piece: p.LocalVar, rest: p.Block) -> None:
        """A hook on the place sees the piece come, and perhaps asks what it is."""
        to = stmt.to.place
        for hook in self.program.move_hooks:
            if hook.motion == "enters" and isinstance(to, p.PlaceRef) and hook.place is to.place:
                param = hook.rule.params[0]
                self._hand_on(param, piece, rest)
                if hook.rule.when is not None and param in spoken_of(hook.rule.when):
                    self._note(stmt, [piece.local], rest)


def told_holes(stmt: p.Say) -> list[p.Expr]:
    """What a line says, but for pieces: those are named to whoever knows them."""
    return [part for part in _numbers_in(stmt.text) if not isinstance(part.type, SetOf)]


def note_told(program: p.Program, stmt: p.Say, hole: p.Expr) -> None:
    """A line says something of what lies unseen. Worlds heed it if it is said to all."""
    if stmt.to is None:
        program.told_holes.add(hole)
    else:
        program.telling_labels.add(stmt)


def _numbers_in(text: p.Template) -> list[p.Expr]:
    return [part for part in text.parts if isinstance(part, p.Expr) and not isinstance(bare(part.type), Piece)]


def is_open(stmt: p.Stmt) -> bool:
    """False if all that it writes is closed: that is for `unseen_writes`."""
    return not isinstance(stmt, _STORES) or any(field.visibility == "open" for field in written_fields(stmt))


def is_closed(stmt: p.Stmt) -> bool:
    """True if it stores something that not everybody may see."""
    return isinstance(stmt, _STORES) and any(field.visibility != "open" for field in written_fields(stmt))


def asked_by(stmt: p.Stmt) -> Iterator[p.Expr]:
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


def spoken_of(part: p.Expr) -> Iterator[p.LocalDecl]:
    """The names in an expression, those alone left out that `public` tells."""
    if not (isinstance(part, p.Builtin) and part.name == "public"):
        yield from (node.local for node in walk(part) if isinstance(node, p.LocalVar))


def _shows(stmt: p.Stmt, piece: p.LocalDecl, depth: int = 0) -> bool:
    """Whether all see the piece, or set of pieces, from this statement on. An effect in a cell that is given the piece
    counts as showing it: most often that is what it is for."""
    match stmt:
        case p.MovePiece(piece=p.LocalVar(local=local), to=to) | p.MoveSet(pieces=p.LocalVar(local=local), to=to):
            is_open = isinstance(to.place, p.PlaceRef) and to.place.place.visibility == "open"
            return local is piece and (isinstance(to.place, p.Box) or (is_open and to.face != "down"))
        case p.Reveal(pieces=pieces) if pieces is not None:
            return piece in spoken_of(pieces)
        case p.CallRule(rule=rule, args=args):
            given = [
                param
                for param, arg in zip(rule.params, args, strict=False)
                if isinstance(arg, p.LocalVar) and arg.local is piece
            ]
            return depth >= _DEEPEST or any(_shows(one, param, depth + 1) for param in given for one in rule.body)
        case p.For(binder=binder, body=body):
            is_of_set = isinstance(binder.source, p.LocalVar) and binder.source.local is piece and binder.where is None
            return is_of_set and any(_shows(one, binder.local, depth) for one in body)
        case p.Perform() | p.SwapPieces():
            return any(isinstance(node, p.LocalVar) and node.local is piece for node in walk(stmt))
        case _:
            return False
