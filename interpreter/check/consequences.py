"""What follows from a statement for those after it: what it writes, and whether anything comes after it at all."""

from __future__ import annotations

from .facts import PLACES
from .program import (
    AnyOrder,
    Block,
    Box,
    CallPrevious,
    CallRule,
    Choose,
    ChooseOne,
    ChooseSet,
    Destination,
    DiceGroup,
    DieRef,
    Done,
    Draw,
    DropsOut,
    EndGame,
    Expr,
    FieldDecl,
    FirstPossible,
    For,
    Gain,
    If,
    InTurn,
    Lose,
    May,
    MoveEach,
    MovePiece,
    MoveSet,
    MoveSome,
    PassOn,
    Pause,
    Pay,
    Perform,
    Pick,
    PlaceDecl,
    Repeat,
    ResultIs,
    Roll,
    SetFace,
    SetField,
    Shuffle,
    Stmt,
    Stop,
    SwapPieces,
    SwapPlaces,
    Together,
    Walk,
    While,
    Wins,
)
from .scope import World
from .type_rules import kinds_of
from .value_types import SetOf, VType, bare
from .walk import walk

NOTHING: frozenset[object] = frozenset()


def written(world: World, stmt: Stmt) -> frozenset[object] | None:
    """Identities of what a statement writes, as facts name them; None for everything.

    What hooks listen to counts as everything: the hook may do anything.
    """
    match stmt:
        case SetField():
            return _fields(world, [stmt.field])
        case SetFace() | Roll():
            return _dice(stmt.die if isinstance(stmt, SetFace) else stmt.dice)
        case Gain() | Lose():
            return _fields(world, [amount.field for amount in stmt.amounts])
        case Pay() if all(cost.field is not None for cost in stmt.costs):
            return _fields(world, [cost.field for cost in stmt.costs if cost.field is not None])
        case MovePiece() | MoveSet() | MoveSome() | MoveEach() | Draw() | Shuffle():
            return _moved(world, moved_kinds(stmt))
        case SwapPieces() | SwapPlaces() | PassOn():
            return _moved(world, moved_kinds(stmt))
        case CallRule() | CallPrevious() | Perform() | Pay() | DropsOut() | Pause() | FirstPossible() | AnyOrder():
            return None
        case _:
            return NOTHING  # says, asks or ends; or its blocks have been looked at by themselves


def _fields(world: World, fields: list[FieldDecl]) -> frozenset[object] | None:
    if any(id(field) in world.hooked for field in fields):
        return None
    return frozenset(id(field) for field in fields)


def _dice(dice: Expr) -> frozenset[object] | None:
    found = [part.field for part in walk(dice) if isinstance(part, DieRef | DiceGroup)]
    return frozenset(id(field) for field in found) if found else None


def moved_kinds(stmt: Stmt) -> set[str]:
    """The kinds of pieces that a statement may move."""
    match stmt:
        case MovePiece():
            return set(kinds_of(bare(stmt.piece.type)))
        case MoveSet():
            return _element_kinds(stmt.pieces.type)
        case MoveSome() | MoveEach():
            return set(kinds_of(bare(stmt.binder.local.type)))
        case Draw():
            return set(stmt.source.place.kinds)
        case Shuffle():
            return set(stmt.place.place.kinds)
        case SwapPlaces():
            return set(stmt.first.place.kinds) | set(stmt.second.place.kinds)
        case SwapPieces():
            return set(kinds_of(bare(stmt.first.type))) | set(kinds_of(bare(stmt.second.type)))
        case PassOn():
            return set(stmt.place.kinds)
        case _:
            return set()


def _element_kinds(value_type: VType) -> set[str]:
    return set(kinds_of(value_type.of)) if isinstance(value_type, SetOf) else set()


def _moved(world: World, kinds: set[str]) -> frozenset[object] | None:
    """A piece may leave any place for its kind."""
    touched: set[object] = {PLACES}
    for states in world.declared.state.values():
        for state in states.values():
            if isinstance(state, PlaceDecl) and kinds & set(state.kinds):
                if id(state) in world.hooked:
                    return None
                touched.add(id(state))
    return frozenset(touched)


def destination_place(to: Destination) -> PlaceDecl | None:
    return None if isinstance(to.place, Box) else to.place.place  # type: ignore[attr-defined]


# ---------------------------------------------------------------------------- does anything come after it


def falls_through(block: Block) -> bool:
    """Whether the end of a block can be reached."""
    return all(_goes_on(stmt) for stmt in block)


def _goes_on(stmt: Stmt) -> bool:
    match stmt:
        case Stop() | Done() | ResultIs() | EndGame() | Wins():
            return False
        case If():
            return falls_through(stmt.then) or falls_through(stmt.otherwise)
        case ChooseOne():
            return any(falls_through(branch.body) for branch in stmt.branches)
        case May():
            return stmt.repeatedly or falls_through(stmt.branch.body) or falls_through(stmt.otherwise)
        case Choose() | ChooseSet() | Pick():
            return stmt.body is None or stmt.if_possible or falls_through(stmt.body)
        case Repeat(times=None):
            return has_stop(stmt.body)
        case _:
            return True


def has_stop(block: Block) -> bool:
    """Whether a `stop` in the block leaves the loop that the block belongs to."""
    return any(_stops(stmt) for stmt in block)


def _stops(stmt: Stmt) -> bool:
    if isinstance(stmt, Stop):
        return True
    if isinstance(stmt, For | Walk | Repeat | While | InTurn | Together) or (isinstance(stmt, May) and stmt.repeatedly):
        return False
    return any(has_stop(block) for block in inner_blocks(stmt))


def inner_blocks(stmt: Stmt) -> list[Block]:
    """The blocks directly inside a statement."""
    match stmt:
        case If():
            return [stmt.then, stmt.otherwise]
        case ChooseOne() | AnyOrder():
            return [branch.body for branch in stmt.branches]
        case May():
            return [stmt.branch.body, stmt.otherwise]
        case Choose() | ChooseSet() | Pick():
            return [] if stmt.body is None else [stmt.body]
        case For() | Walk() | Repeat() | While() | InTurn() | Together() | FirstPossible():
            return [stmt.body]
        case _:
            return []
