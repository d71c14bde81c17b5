"""What a set asks of the box: `c: Card in box`, and `c in Card where c in box`, are the cards there and nothing else.

All pieces begin in the box before all eyes, so what lies there is known, kind by kind, until a piece of that kind goes
there or leaves it unseen (`Program.boxed_unseen`). What happened to one kind says nothing about another.
"""

from __future__ import annotations

from . import program as p
from .forms import kinds_in
from .walk import conjuncts


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


def is_all_of_box(binder: p.Binder) -> bool:
    """`c in Card where c in box`: chance may take one of these, since the condition only says where it looks."""
    match binder.where:
        case p.Member(item=p.LocalVar(local=local), source=p.Box()):
            return local is binder.local
        case _:
            return False
