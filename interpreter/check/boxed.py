"""What a set asks about the box: `c: Card in box`, and `c in Card where c in box`, are the cards there and no others.

All pieces begin in the box, in plain view, so what lies there is known, kind by kind, until a piece of that kind goes
there or leaves it unseen (`Program.boxed_unseen`). What happened to one kind says nothing about another.
"""

from __future__ import annotations

from . import program as p
from .forms import blocks, kinds_in
from .walk import bodies, called_rules, conjuncts, statements, walk, walk_rule


def kinds_asked_for(program: p.Program, binder: p.Binder) -> frozenset[str]:
    """The kinds that the elements of a set can be of, as its type and its `where` tell."""
    kinds = frozenset(kinds_in(binder.local.type))
    for part in conjuncts(binder.where):
        match part:
            case p.IsKind(of=p.LocalVar(local=local)) if local is binder.local:
                kinds &= kinds_of_test(program, part)
    return kinds


def kinds_of_test(program: p.Program, test: p.IsKind) -> frozenset[str]:
    """The kinds of pieces for which `x is Kaiju | Mecha` holds."""
    meant = {number for low, size in test.ranges for number in range(low, low + size)}
    return frozenset(kind.name for kind in program.kinds.values() if kind.first in meant)


def emptied_unseen(program: p.Program) -> frozenset[p.Stmt]:
    """The statements that move all that is left of a kind out of the box to where nobody sees it, and into no order
    that would tell what is missing: `move all c in Card where c in box to deck`, then `shuffle deck`."""
    found: set[p.Stmt] = set()
    for rule in bodies(program):
        for block in (rule.body, *(inner for stmt in statements(rule.body) for inner in blocks(stmt))):
            for number, stmt in enumerate(block):
                if isinstance(stmt, p.MoveSome) and stmt.quantity == "all" and is_all_of_box(stmt.binder):
                    if _ends_in_no_order(stmt.to, block[number + 1 :]):
                        found.add(stmt)
    return frozenset(found)


def _ends_in_no_order(to: p.Destination, rest: p.Block) -> bool:
    if not isinstance(to.place, p.PlaceRef) or to.place.place.visibility != "hidden":
        return False
    place = to.place.place
    if not place.is_ordered:
        return True
    if to.place.owner is not None or to.place.indexes:
        return False  # one of several: `shuffle part[2]` may be about another one, and which is not known here
    for stmt in rest:
        if isinstance(stmt, p.Shuffle) and stmt.into is None and stmt.place.place is place:
            return True
        if not isinstance(stmt, p.MoveSome | p.Shuffle):
            return False
    return False


def is_all_of_box(binder: p.Binder) -> bool:
    """`c in Card where c in box`: chance may take one of these, since the condition only says where it looks."""
    match binder.where:
        case p.Member(item=p.LocalVar(local=local), source=p.Box()):
            return local is binder.local
        case _:
            return False


def says_where(condition: p.Expr, local: p.LocalDecl) -> bool:
    """True if a condition on a piece may say where it lies: it, or a value that it calls, asks for a place, a holder or
    a field of that piece. `c not in p.hand` says only where it is not."""
    nodes = list(walk(condition))
    if isinstance(condition, p.Not) or not any(isinstance(node, p.LocalVar) and node.local is local for node in nodes):
        return False
    nodes += [node for rule in called_rules(nodes) for node in walk_rule(rule)]
    return any(
        isinstance(node, p.PlaceRef | p.Box)
        or (isinstance(node, p.FieldRead) and node.field.owner not in ("table", "player"))
        or (isinstance(node, p.Builtin) and node.name in ("at", "holder", "under", "position"))
        for node in nodes
    )


def kinds_of_hook(rule: p.RuleDecl, program: p.Program) -> frozenset[str] | None:
    """The kinds that a hook's condition lets through (`when m is Mecha`), or None if it does not say."""
    condition = rule.when
    while isinstance(condition, p.Logic) and condition.op == "and":
        condition = condition.left
    if isinstance(condition, p.IsKind) and isinstance(condition.of, p.LocalVar):
        return kinds_of_test(program, condition)
    return None
