"""Names for the values of expressions: equal symbols, equal values, as long as nothing that they read is written.

A symbol is the expression without its spelling: `p.hand` is the same in every rule that is called with the same p. It
holds the identities of all fields and places that the value rests on, so that writing one of them makes it void
(`Known.forget`). A filter (`all c in p.hand where c.rank == 6`) has a symbol of its own, in which the piece asked about
is nameless: two rules may call it differently.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from . import program as p
from .known import IT, Known, Symbol
from .loops import called_rules
from .walk import walk_rule


class Symbols:
    def __init__(self) -> None:
        self._read_by: dict[p.RuleDecl, tuple[int, ...]] = {}

    def symbol(self, expr: p.Expr | None, at: Known) -> Symbol:
        match expr:
            case None:
                return ("table",)
            case p.LocalVar(local=local):
                return at.symbols.get(local, ("local", id(local)))
            case p.Const(value=value):
                return ("const", value)
            case p.InRange(of=of):
                return self.symbol(of, at)
            case p.FieldRead():
                indexes = tuple(self.symbol(index, at) for index in expr.indexes)
                return ("field", id(expr.field), self.symbol(expr.owner, at), indexes)
            case p.DieRef():
                return ("die", id(expr.field), self.symbol(expr.owner, at), self.symbol(expr.index, at))
            case p.DiceGroup():
                return ("dice", id(expr.field), self.symbol(expr.owner, at))
            case p.PlaceRef():
                indexes = tuple(self.symbol(index, at) for index in expr.indexes)
                slot = self.symbol(expr.slot, at) if expr.slot is not None else ()
                return ("place", id(expr.place), self.symbol(expr.owner, at), indexes, slot)
            case p.SlotPiece():
                return ("piece", self.symbol(expr.place, at))
            case p.EndOf():
                first = "top" if expr.end in ("top", "first") else "bottom"
                return ("end", first, self.symbol(expr.of, at))
            case p.Builtin():
                return (expr.name, *(self.symbol(arg, at) for arg in expr.args))
            case p.ValueCall(rule=rule, args=args):
                return ("value", id(rule), self._reads(rule), *(self.symbol(arg, at) for arg in args))
            case p.CanCall() | p.CanPerform() | p.FormulaCall() | p.Previous() | p.RuleRunning() | p.CellRunning():
                return ("expression", id(expr))  # what they rest on is not to be seen in them
            case _:
                return self._by_form(expr, at)

    def _by_form(self, node: p.Expr | p.Binder, at: Known) -> Symbol:
        """The form and its parts, in order."""
        parts: list[object] = [type(node).__name__]
        if isinstance(binder := getattr(node, "binder", node), p.Binder):
            at = at.copy()
            at.symbols[binder.local] = ("bound", binder.local.name)
        for name in (item.name for item in fields(node) if item.name not in ("type", "span", "local")):
            parts.append(self._part(getattr(node, name), at))
        return tuple(parts)

    def _part(self, part: object, at: Known) -> object:
        match part:
            case p.Binder():
                return self._by_form(part, at)
            case p.Expr():
                return self.symbol(part, at)
            case tuple():
                return tuple(self._part(inner, at) for inner in part)
            case str() | int() | None:
                return part
            case _:
                return id(part)

    def _reads(self, rule: p.RuleDecl) -> tuple[int, ...]:
        """Identities of all fields and places that a value looks at, in whatever it calls."""
        if rule not in self._read_by:
            nodes = [node for one in {rule, *called_rules(walk_rule(rule))} for node in walk_rule(one)]
            found = {id(node.place) for node in nodes if isinstance(node, p.PlaceRef)}
            found |= {id(node.field) for node in nodes if isinstance(node, p.FieldRead | p.DieRef | p.DiceGroup)}
            self._read_by[rule] = tuple(sorted(found))
        return self._read_by[rule]

    # ------------------------------------------------------------------------ filters

    def filter_path(self, binder: p.Binder, extra: tuple[p.Expr, ...], at: Known) -> tuple[Symbol, tuple[Symbol, ...]]:
        """What a binder goes over, and the conditions on its elements, in no order: where, and those in `extra`."""
        source, conditions = binder.source, [binder.where, *extra]
        inner = at.copy()
        inner.symbols[binder.local] = IT
        asked = {self.symbol(part, inner) for whole in conditions if whole is not None for part in conjuncts(whole)}
        if isinstance(source, p.Selected) and source.which == "all" and source.best is None:
            base, more = self.filter_path(source.binder, (), at)
            return base, tuple(sorted(asked | set(more), key=repr))
        return self.symbol(source, at), tuple(sorted(asked, key=repr))


def conjuncts(condition: p.Expr) -> list[p.Expr]:
    """The parts of `a and b`, each of which has to hold."""
    if isinstance(condition, p.Logic) and condition.op == "and":
        return conjuncts(condition.left) + conjuncts(condition.right)
    return [condition]


def secret_reads(nodes: list[object]) -> list[p.FieldDecl | p.PlaceDecl]:
    """The fields, dice and places among these nodes, and in all that they call, which not everybody sees."""
    looked_at = [*nodes, *(inner for rule in called_rules(nodes) for inner in walk_rule(rule))]
    state = dict.fromkeys(decl for node in looked_at for decl in _state_in(node))
    return [decl for decl in state if decl.visibility != "open"]


def _state_in(node: object) -> Iterator[p.FieldDecl | p.PlaceDecl]:
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
