"""Symbols: expressions without their spelling (`known` says what they are for), and the filters of which they are made.

A loop or filter may have shown something of every element of a set, and the same filter may stand again:

    for q in players where not q.out
      reveal q.bid
    guest = the q in players where not q.out with most q.bid

The last line reads only what the loop has shown, though `bid` is secret: the same players are gone over. A filter is
known by its source and its conditions, in which the element has no name (`filter_path`).

Here stands, too, who sees fields and places as they are declared and as their pieces lie: nobody, an owner, all but an
owner, all. State that belongs to a piece is seen by the player whose piece it is. A piece that lies face down in an
open place is seen by nobody, and the rules do not say which of the pieces there that is.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from . import program as p
from .known import (
    ALL,
    IT,
    NOBODY,
    OPEN,
    Known,
    Level,
    Symbol,
    in_place_of,
    is_fixed_seat,
    matches,
    others_level,
    seat_level,
    told_to,
)
from .value_types import Piece, Player, SetOf, bare
from .walk import called_rules, conjuncts, field_names, walk_rule

ANYBODY = frozenset(["table", "player", "node", "edge", "piece"])


class Symbols:
    def __init__(self, program: p.Program) -> None:
        self.program = program
        self.covered = places_with_faces_down(program)
        self._read_by: dict[p.RuleDecl, tuple[int, ...]] = {}
        self._named_sets: dict[p.LocalDecl, p.Selected] = {}

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
        if isinstance(binder := getattr(node, "binder", node), p.Binder):
            at = at.copy()
            # By its spelling and not by its declaration: two rules that ask the same of `c in p.hand` mean the same.
            at.symbols[binder.local] = ("bound", binder.local.name)
        held = (getattr(node, name) for name in field_names(node) if name != "local")
        return (type(node).__name__, *(self._part(part, at) for part in held))

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

    # ------------------------------------------------------------------------ filters

    def name_found(self, local: p.LocalDecl, value: p.Expr, at: Known) -> None:
        """What goes over `inside` goes over those players, behind `let inside = all q in players where not q.folded`;
        `let best = first q in …` is one of those of whom something was revealed."""
        if not isinstance(value, p.Selected):
            return
        if value.which == "all":
            self._named_sets[local] = value
        else:
            at.revealed |= self._shown_of(at.symbols[local], value.binder, (), at)

    def filter_path(self, binder: p.Binder, extra: p.Exprs, at: Known) -> tuple[Symbol, tuple[Symbol, ...]]:
        """What a binder goes over, and the conditions on its elements, in no order: where, and those in `extra`."""
        source = self._unnamed(binder.source, at)
        inner = at.copy()
        inner.symbols[binder.local] = IT
        asked = {self.symbol(part, inner) for whole in (binder.where, *extra) for part in conjuncts(whole)}
        # `all c in (all d in p.hand where A) where B` asks for A and B of the hand, in whatever order they are written.
        if isinstance(source, p.Selected) and source.which == "all" and source.best is None:
            base, more = self.filter_path(source.binder, (), at)
            return base, tuple(sorted(asked | set(more), key=repr))
        base, more = self._seats(source, at)
        return base, tuple(sorted({_in_one_order(part) for part in asked} | set(more), key=repr))

    def _seats(self, source: p.Expr, at: Known) -> tuple[Symbol, tuple[Symbol, ...]]:
        """`rivals(p)`, `players after p` and `players without p` are all players but p, `players from p` are all, in
        whatever order."""
        match source:
            case p.StartingWith(source=whole):
                return self._seats(whole, at)
            case p.Players(which="rivals", of=p.Expr() as left_out):
                whole = replace(source, which="players", of=None)
            case p.Following(source=whole, first=left_out) | p.Without(source=whole, left_out=left_out):
                if not isinstance(bare(left_out.type), Player):
                    return self.symbol(source, at), ()
            case _:
                return self.symbol(source, at), ()
        base, more = self._seats(whole, at)
        return base, (*more, ("Compare", "!=", IT, self.symbol(left_out, at)))

    def _unnamed(self, source: p.Expr, at: Known) -> p.Expr:
        """The set that a name stands for, as long as nothing has changed that it was made from."""
        if not isinstance(source, p.LocalVar) or source.local not in self._named_sets:
            return source
        named = self._named_sets[source.local]
        return named if at.symbols.get(source.local) == self.symbol(named, at) else source

    def apart(self, binder: p.Binder, at: Known) -> tuple[Symbol, ...]:
        """The seats that a seat bound here surely is not: `q in rivals(p)`, `q in players after p`, `where q != p`. All
        that is open to others than p, p may know of q."""
        if not isinstance(bare(binder.local.type), Player):
            return ()
        found: list[p.Expr | None] = []
        match binder.source:
            case p.Players(which="rivals", of=of):
                found.append(of)
            case p.Following(first=first):
                found.append(first)
            case p.Without(left_out=left_out) if not isinstance(left_out.type, SetOf):
                found.append(left_out)
        for part in conjuncts(binder.where):
            match part:
                case p.Compare(op="!=", left=p.LocalVar(local=local), right=other) if local is binder.local:
                    found.append(other)
                case p.Compare(op="!=", left=other, right=p.LocalVar(local=local)) if local is binder.local:
                    found.append(other)
        symbols = (self.symbol(seat, at) for seat in found)
        return tuple(seat for seat in symbols if is_fixed_seat(seat))

    def _it(self, condition: p.Expr, binder: p.Binder, at: Known) -> Symbol:
        inner = at.copy()
        inner.symbols[binder.local] = ("it",)
        return self.symbol(condition, inner)

    def _filters_shown(
        self, binder: p.Binder, extra: p.Exprs, at: Known
    ) -> list[tuple[frozenset[Symbol], tuple[Symbol, ...]]]:
        """(readers, conditions) of each revealed filter over the same set that asks no more than this binder does.

        A filter shown to one player only answers nothing for the others: it counts if all have seen it.
        """
        if not any(path[0] == "filter" for path, _ in at.revealed):
            return []
        base, asked = self.filter_path(binder, extra, at)
        found = []
        for path, reader in at.revealed:
            if path[0] == "filter" and reader == ALL and path[2] and matches(path[1], base):
                answered: tuple[Symbol, ...] = path[2]  # type: ignore[assignment]
                # Only a filter that asks for the same or for less is answered: those shown for `c.rank > 3` are not all
                # those for `c.rank > 2`.
                if all(any(matches(one, part) for part in asked) for one in answered):
                    found.append((frozenset([reader]), tuple(p for p in asked if any(matches(a, p) for a in answered))))
        return found

    def shown_of_these(self, binder: p.Binder, extra: p.Exprs, at: Known) -> frozenset[tuple[Symbol, Symbol]]:
        """What a loop over the same things, or over more of them, has revealed of each: `for q in players where not
        q.out` / `reveal q.bid`, and here the same condition stands among others."""
        return self._shown_of(at.symbols[binder.local], binder, extra, at)

    def _shown_of(self, seat: Symbol, binder: p.Binder, extra: p.Exprs, at: Known) -> frozenset[tuple[Symbol, Symbol]]:
        """What is known of a seat that is one of those that the binder goes over."""
        shown = [(path, reader) for path, reader in at.revealed if path[0] == "of"]
        if not shown:
            return frozenset()
        base, asked = self.filter_path(binder, extra, at)
        found = set()
        for (_, of, conditions, path), reader in shown:
            if matches(of, base) and all(any(matches(one, part) for part in asked) for one in conditions):  # type: ignore[attr-defined]
                found.add((in_place_of(path, IT, seat), reader))
        source = self._unnamed(binder.source, at)
        if isinstance(source, p.SetList) and len(source.items) == 1:  # `for c in layout[2]`
            source = source.items[0]
        # Those with most of something are some of them, and so is the first, or the second (`layout[2]`).
        if isinstance(source, p.Selected) and (source.best is not None or source.which != "all"):
            found |= self._shown_of(seat, source.binder, (), at)
        return frozenset(found)  # type: ignore[arg-type]

    # ------------------------------------------------------------------------ who sees fields and places

    def field_level(self, decl: p.FieldDecl, owner: p.Expr | None, at: Known) -> Level:
        return self.declared_level(decl.visibility, decl.owner, owner, at)

    def declared_level(self, visibility: str, owned_by: str, owner: p.Expr | None, at: Known) -> Level:
        """Who sees state that is declared so."""
        if visibility == "open":
            return OPEN
        if visibility == "secret" and owner is not None:
            symbol = self.symbol(owner, at)
            if owned_by == "player":
                return seat_level(symbol)
            return told_to(seat_level(("owner", symbol)), at.readers(("owner", symbol)))
        if visibility == "open_to_others" and owner is not None:
            return others_level(self.symbol(owner, at))
        return NOBODY

    def place_level(self, ref: p.PlaceRef, at: Known) -> Level:
        """What one must know to see everything that lies there."""
        decl = ref.place
        if decl in at.known:
            return OPEN
        readers = at.readers(self.symbol(ref, at))
        # What lies face down nobody sees, and the rules do not say which of the pieces that is.
        visibility = "hidden" if decl in self.covered else decl.visibility
        return told_to(self.declared_level(visibility, decl.owner, ref.owner, at), readers)

    def is_closed(self, place: p.PlaceDecl) -> bool:
        """Whether somebody may not see a piece that lies there."""
        return place.visibility != "open" or place in self.covered

    def may_be_hidden(self, kinds: Collection[str], at: Known, owners: Collection[str] = ANYBODY) -> bool:
        """True if a piece of these kinds may lie where somebody does not see it."""
        places = (place for place in self.program.places if place.owner in owners)
        could_hold = (place for place in places if not set(kinds).isdisjoint(place.kinds))
        return any(self.is_closed(place) and place not in at.known for place in could_hold)


def _in_one_order(condition: Symbol) -> Symbol:
    """`p != q` is `q != p`."""
    match condition:
        case ("Compare", "!=", other, it) if it == IT:
            return ("Compare", "!=", IT, other)
    return condition


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
