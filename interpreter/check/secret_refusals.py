"""What reads a secret (`secret_reads`), and what cannot be carried through for a reason that not everybody sees.

    play_high(p) if possible                    effect play_high(p)
                                                  choose c in p.hand where c.rank > 9
                                                  move c to discard

Everybody sees whether a card is laid, so everybody learns whether there is one in the hand: worlds have to agree with
it, and `compile` has it told like a `public`. A `requires`, `pay` or `lose` that rests on a secret is reported by
`visibility` instead (R0512). Of an effect in a cell (`perform`) all cells are looked at, since nobody knows
beforehand which one is meant.

    q may "Object" if some c in q.hand has c.rank > 9

This one is silent: nobody is shown whether q had anything to decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from . import program as p
from .walk import Node, called_rules, statements, walk, walk_rule


def secret_reads(nodes: list[object], *, sizes: bool = True) -> list[p.StateDecl]:
    """The fields, dice and places among these nodes, and in all that they call, which not everybody sees. `sizes`: also
    places of which only is asked how much they hold, though all may count it."""
    looked_at = [*nodes, *(inner for rule in called_rules(nodes) for inner in walk_rule(rule))]
    # That the rival holds three cards everybody sees, so counting a closed hand reads no secret.
    counted = set() if sizes else {id(node.of) for node in looked_at if _is_counting(node)}
    state = dict.fromkeys(decl for node in looked_at if id(node) not in counted for decl in _state_in(node))
    return [decl for decl in state if decl.visibility != "open"]


def _is_counting(node: object) -> TypeGuard[p.CountOf | p.IsEmpty | p.IsFull]:
    if not isinstance(node, p.CountOf | p.IsEmpty | p.IsFull):
        return False
    return isinstance(node.of, p.PlaceRef) and not node.of.place.uncounted


def _state_in(node: object) -> Iterator[p.StateDecl]:
    """The field or place that a node itself looks at; of a cost everything that it may be paid with."""
    match node:
        case p.PlaceRef(place=decl) | p.FieldRead(field=decl) | p.DieRef(field=decl) | p.DiceGroup(field=decl):
            yield decl
        case p.CounterAmount(field=field):
            yield field
        case p.CostDecl(field=p.FieldDecl() as field):
            yield field
        case p.CostDecl(currency=p.CurrencyDecl(sources=sources)):
            for source in sources:
                if source.field is not None:
                    yield source.field
                if isinstance(source.place, p.PlaceRef):
                    yield source.place.place
        case _:
            return


def attempt_tells(attempt: p.CallRule | p.CanCall | p.Perform | p.CanPerform, program: p.Program) -> bool:
    """Whether it reveals something about a secret that this call can be carried through or not: a choice in it may find
    nothing."""
    if isinstance(attempt, p.CallRule | p.CanCall):
        rules = called_rules((attempt,))
    else:
        performed = dict.fromkeys(call.rule for cell in program.cells for call in cell.calls)
        rules = [*performed, *called_rules(node for rule in performed for node in walk_rule(rule))]
    return any(_may_find_nothing(one) for rule in rules if rule.form != "value" for one in statements(rule.body))


def may_rests_on_secret(stmt: p.May) -> bool:
    """Whether not everybody knows what a `may` offers: what it is for, or the condition on it, reads a secret. What
    follows from it does not count here: whether somebody can `pay` out of a closed hand all learn by the question."""
    return any(map(_is_unseen_choice, stmt.branch.binders)) or _reads_secret(stmt.branch.condition)


def _is_unseen_choice(binder: p.Binder) -> bool:
    """Whether not everybody knows what can be chosen. That somebody has a card in hand all know, but not which."""
    if any(isinstance(node, p.PlaceRef) and node.place.visibility == "secret" for node in walk(binder)):
        return True
    return _may_be_empty(binder)


def _may_find_nothing(stmt: p.Stmt) -> bool:
    """Whether there may be nothing to choose, and not everybody knows that."""
    match stmt:
        case p.Choose(if_possible=False, binders=binders):
            return any(map(_may_be_empty, binders))
        case p.ChooseSet(if_possible=False, binder=binder, low=low, such_that=such_that) if low is not None:
            return _may_be_empty(binder) or (such_that is not None and _reads_secret(binder, such_that))
        # If one branch rests on nothing secret, everybody knows whether that one can be taken.
        case p.ChooseOne(branches=branches) if not any(branch.otherwise for branch in branches):
            return all(any(_reads_secret(part) for part in (*one.binders, one.condition)) for one in branches)
        case _:
            return False


def _may_be_empty(binder: p.Binder) -> bool:
    """How many pieces a place holds all may know, unless it is `uncounted`; how many of them fit, not."""
    if binder.where is not None:
        return _reads_secret(binder)
    source = binder.source
    if isinstance(source, p.PlaceRef):
        return source.place.visibility != "open" and source.place.uncounted
    return _reads_secret(source)


def _reads_secret(*parts: Node | None) -> bool:
    return bool(secret_reads([node for part in parts if part is not None for node in walk(part)], sizes=False))
