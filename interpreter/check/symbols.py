"""Symbols of expressions: equal symbols stand for equal values, as long as nothing that they read is written.

What a symbol, a path and a filter are is said in `known`.
"""

from __future__ import annotations

from dataclasses import fields

from . import program as p
from .known import Known, Symbol, is_fixed_seat
from .loops import called_rules
from .value_types import Piece, bare
from .walk import conjuncts, walk_rule


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
                # `top of deck` and `first of deck` are the same card, so what is revealed of one is known of the other.
                first = "top" if expr.end in ("top", "first") else "bottom"
                return ("end", first, self.symbol(expr.of, at))
            case p.Builtin():
                return (expr.name, *(self.symbol(arg, at) for arg in expr.args))
            case p.ValueCall(rule=rule, args=args):
                # With what the value reads in it: writing `p.bid` voids what was revealed of `strength(p)`, which does
                # not name it.
                return ("value", id(rule), self._reads(rule), *(self.symbol(arg, at) for arg in args))
            case p.CanCall() | p.CanPerform() | p.FormulaCall() | p.Previous() | p.RuleRunning() | p.CellRunning():
                return ("expression", id(expr))  # never the same as another: what they read does not show in them
            case _:
                return self._by_form(expr, at)

    def _by_form(self, node: p.Expr | p.Binder, at: Known) -> Symbol:
        """The form and its parts, in order."""
        parts: list[object] = [type(node).__name__]
        if isinstance(binder := getattr(node, "binder", node), p.Binder):
            at = at.copy()
            # By its spelling and not by its declaration: two rules that ask the same of `c in p.hand` mean the same.
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
            nodes = [node for one in (rule, *called_rules(walk_rule(rule))) for node in walk_rule(one)]
            found = {id(node.place) for node in nodes if isinstance(node, p.PlaceRef)}
            found |= {id(node.field) for node in nodes if isinstance(node, p.FieldRead | p.DieRef | p.DiceGroup)}
            self._read_by[rule] = tuple(sorted(found))
        return self._read_by[rule]

    # ------------------------------------------------------------------------ whose a piece is

    def owners(self, condition: p.Expr | None, at: Known) -> frozenset[tuple[Symbol, Symbol]]:
        """What a condition says about owners of pieces, where it holds: behind `b.owner == p`, what b shows its owner
        alone is shown to p. The attribute is printed, so this holds as long as it is the same piece."""
        found = set()
        for part in conjuncts(condition):
            match part:
                case p.Compare(op="==", left=p.AttributeOf() as said, right=seat):
                    pass
                case p.Compare(op="==", left=seat, right=p.AttributeOf() as said):
                    pass
                case _:
                    continue
            who = self.symbol(seat, at)
            # A seat that is read from a field (`b.owner == leader`) may be another one a line later.
            if said.table.name == "owner" and isinstance(bare(said.of.type), Piece) and is_fixed_seat(who):
                found.add((("owner", self.symbol(said.of, at)), who))
        return frozenset(found)


def places_with_faces_down(program: p.Program) -> frozenset[p.PlaceDecl]:
    """The open places in which a piece may lie face down: it was laid there so, or turned over where it may be."""
    found: set[p.PlaceDecl] = set()
    for rule in program.all_rules():
        for node in walk_rule(rule):
            if isinstance(node, p.Destination) and node.face == "down" and isinstance(node.place, p.PlaceRef):
                found.add(node.place.place)
            elif isinstance(node, p.Flip) and node.face == "down":
                turned = bare(node.piece.type)
                kinds = set(turned.kinds) if isinstance(turned, Piece) else set()
                found.update(place for place in program.places if kinds & set(place.kinds))
    return frozenset(place for place in found if place.visibility == "open")


def is_everybody(source: p.Expr) -> bool:
    return isinstance(source, p.Players) and source.which in ("players", "everybody")
