"""What follows from a statement for those after it: what it writes, and whether anything comes after it at all."""

from __future__ import annotations

from .facts import PLACES
from .forms import LOOPING, Alters, Calls, Flow, Motion, Runs, alters, binds, calls, flow, inner, motion, question
from .forms import written_fields as fields_written
from .program import Block, Box, Destination, DiceGroup, DieRef, FieldDecl, PlaceDecl, Stmt
from .scope import World
from .walk import expressions


def written(world: World, stmt: Stmt) -> frozenset[object] | None:
    """Identities of what a statement writes, as facts name them; None for everything.

    What hooks listen to counts as everything: the hook may do anything. So does a decision, because free actions may
    come between; but one that gives names to what was chosen has said itself what is still known.
    """
    decides = question(stmt) is not None and not binds(stmt)
    if calls(stmt) is not Calls.nothing or decides or alters(stmt) is Alters.seats:
        return None
    moved = motion(stmt)
    parts = [_fields(world, fields_written(stmt)), frozenset() if moved is None else _moved(world, moved)]
    if alters(stmt) is Alters.dice:
        parts.append(_dice(stmt))
    found: frozenset[object] = frozenset()
    for part in parts:
        if part is None:
            return None
        found |= part
    return found


def _fields(world: World, fields: tuple[FieldDecl, ...]) -> frozenset[object] | None:
    if any(id(field) in world.hooked for field in fields):
        return None
    return frozenset(id(field) for field in fields)


def _dice(stmt: Stmt) -> frozenset[object] | None:
    found = [part.field for part in expressions(stmt) if isinstance(part, DieRef | DiceGroup)]
    return frozenset(id(field) for field in found) if found else None


def _moved(world: World, moved: Motion) -> frozenset[object] | None:
    """A piece may leave any place for its kind."""
    touched: set[object] = {PLACES}
    for states in world.declared.state.values():
        for state in states.values():
            if isinstance(state, PlaceDecl) and not set(moved.kinds).isdisjoint(state.kinds):
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
    if flow(stmt) is not Flow.on:
        return False
    found = inner(stmt)
    ways = [falls_through(block) for block, runs in found if runs is Runs.one_of]
    return (
        (any(ways) or not ways)
        and all(falls_through(block) for block, runs in found if runs is Runs.once)
        and all(has_stop(block) for block, runs in found if runs is Runs.endless)
    )


def has_stop(block: Block) -> bool:
    """Whether a `stop` in the block leaves the loop that the block belongs to."""
    return any(_stops(stmt) for stmt in block)


def _stops(stmt: Stmt) -> bool:
    return flow(stmt) is Flow.leaves_loop or any(has_stop(block) for block, runs in inner(stmt) if runs not in LOOPING)
