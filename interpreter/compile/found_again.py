"""Choices in a loop that find something in each pass because they found something in the pass before.

    effect deploy(p)
      while p.reserve > 0
        choose l in Land where l.owner == p, n in 1..p.reserve
        p.reserve -= n
        l.armies += n

A look ahead from here comes to the same choice again. It would have to try every way to lay out the whole reserve, only
to learn that there is still a land of p. But nothing in the loop changes who owns a land, and the condition of the loop
says that `1..p.reserve` has a number. So the choice cannot fail in the next pass, and is nothing that a look ahead from
inside the loop has to fear. (Whether it finds anything in the *first* pass is asked in front of the loop, as ever.)

What a choice offers is the same again if the loop, with all that it calls and sets off, writes nothing that its sources
and conditions look at, and no name in them is bound in the loop. Free actions may come between, so what they write
counts too. A range that is never empty, whatever its ends are, may move.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..check import program as core
from ..check.forms import inner, is_loop
from ..check.loops import is_some
from ..check.program import Block
from ..check.walk import bodies, field_names, statements, walk
from .footprint import NOTHING, Footprints, Things, disturbs

Again = core.Choose | core.Pick


def found_again(program: core.Program, footprints: Footprints) -> frozenset[int]:
    """The ids of these choices."""
    between = NOTHING.union(*map(footprints.rule_writes, program.free_actions))
    return frozenset(
        id(stmt)
        for rule in bodies(program)
        for loop in statements(rule.body)
        if is_loop(loop) and isinstance(loop, core.While | core.Repeat)
        for block, _ in inner(loop)
        for stmt in _found_again_in(block, footprints, between)
    )


def _found_again_in(block: Block, footprints: Footprints, between: Things) -> Iterator[Again]:
    choices = [stmt for stmt in block if isinstance(stmt, core.Choose | core.Pick) and not stmt.if_possible]
    if not choices:
        return
    changed, names = footprints.writes(block) | between, _bound_in(block)
    for stmt in choices:
        if all(_is_kept(part, footprints, changed, names) for part in _offered(stmt)):
            yield stmt


def _offered(stmt: Again) -> Iterator[tuple[core.Expr | core.Binder, frozenset[core.LocalDecl]]]:
    """What the choice finds rests on these, each with the names that the choice itself binds in it."""
    binders = stmt.binders if isinstance(stmt, core.Choose) else (stmt.binder,)
    own = frozenset(binder.local for binder in binders)
    if isinstance(stmt, core.Choose):
        yield stmt.player, own
    # A range that is never empty may be another one, if no other condition speaks of its number.
    free = {
        binder.local
        for binder in binders
        if binder.where is None and isinstance(binder.source, core.NumberRange) and is_some(binder.source)
    }
    free -= {part.local for binder in binders for part in walk(binder) if isinstance(part, core.LocalVar)}
    for binder in binders:
        if binder.local not in free:
            yield binder, own


def _is_kept(
    part: tuple[core.Expr | core.Binder, frozenset[core.LocalDecl]],
    footprints: Footprints,
    changed: Things,
    names: frozenset[core.LocalDecl],
) -> bool:
    node, own = part
    used = {one.local for one in walk(node) if isinstance(one, core.LocalVar)}
    return not disturbs(changed, footprints.reads(node)) and used.isdisjoint(names - own)


def _bound_in(block: Block) -> frozenset[core.LocalDecl]:
    """All names that something in the block binds, at any depth."""
    return frozenset(
        value
        for node in walk(block)
        if not isinstance(node, core.LocalVar)
        for name in field_names(node)
        if isinstance(value := getattr(node, name), core.LocalDecl)
    )
