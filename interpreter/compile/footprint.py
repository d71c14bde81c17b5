"""What statements change and what expressions look at.

Foresight evaluates a condition earlier than the rule does. The result is the same if nothing on the way changes what
the condition looks at:

    pay 2 coins                        # changes: coins
    requires p.cards is not empty      # looks at: cards. Not disturbed, so it can be asked before paying
    requires p.coins >= 1              # looks at: coins. Disturbed

Both sides are coarse and err on the safe side: a field or place stands for all its owners and indexes, and whatever is
not known to be harmless looks at, or changes, anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..check import program as core
from ..check.expression_forms import (
    ANYTHING,
    DICE,
    RUNNING,
    SEATS,
    Whereabouts,
    evaluated_elsewhere,
    looks_at,
    may_fault,
)
from ..check.forms import Alters, Flow, Tells, alters, flow, is_chance, motion, tells, written_fields
from ..check.forms import evaluated_elsewhere as evaluated_by
from ..check.program import Block
from ..check.value_types import Piece, bare
from ..check.walk import Node, own_parts, parts, rule_expressions, statements, walk
from .analysis import Analysis
from .statement_facts import may_leave_range

Thing = core.FieldDecl | core.PlaceDecl | str
Things = frozenset[Thing]

NOTHING: Things = frozenset()


def disturbs(changed: Things, seen: Things) -> bool:
    """True if something that was looked at may be different after these changes."""
    if not changed or not seen:
        return False
    return ANYTHING in changed or ANYTHING in seen or not changed.isdisjoint(seen)


@dataclass(frozen=True)
class Alone:
    """What one rule or hook does itself, without the rules that it calls."""

    reads: Things
    writes: Things
    calls: tuple[core.RuleDecl, ...]


class Footprints:
    """The footprints of one program. Each rule is looked at once."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.program = analysis.program
        unseen = [place for place in self.program.places if place.visibility != "open"]
        self.unseen_kinds = {kind for place in unseen for kind in place.kinds}
        self._single: dict[core.RuleDecl, Alone] = {}
        self._reached: dict[core.RuleDecl, list[core.RuleDecl]] = {}
        self._reads: dict[core.RuleDecl, Things] = {}
        self._writes: dict[core.RuleDecl, Things] = {}
        self._faulty: dict[core.RuleDecl, bool] = {}

    # ------------------------------------------------------------------ looking

    def reads(self, node: Node) -> Things:
        """What an expression or binder looks at, values it calls included."""
        found = set(self._read_here(node))
        if isinstance(node, core.ValueCall):
            found |= self.rule_reads(node.rule)
        for part in _looked_into(node):
            found |= self.reads(part)
        return frozenset(found)

    def rule_reads(self, rule: core.RuleDecl) -> Things:
        """What a value or a rule looks at, and everything it calls and sets off."""
        if rule not in self._reads:
            self._reads[rule] = NOTHING.union(*(self._alone(part).reads for part in self._reach(rule)))
        return self._reads[rule]

    def block_reads(self, block: Block) -> Things:
        """What statements look at, and everything they call and set off."""
        found = NOTHING
        for stmt in statements(block):
            found = found.union(*map(self.reads, own_parts(stmt)), self._read_by_statement(stmt))
            found = found.union(*map(self.rule_reads, self.analysis.called_rules(stmt)))
        return found

    def _read_below(self, node: Node | None) -> Things:
        """What an expression looks at, without the values it calls."""
        if node is None:
            return NOTHING
        return self._read_here(node).union(*(self._read_below(part) for part in _looked_into(node)))

    def _read_here(self, node: Node) -> Things:
        if not isinstance(node, core.Expr):
            return NOTHING
        if isinstance(node, core.Member) and isinstance(node.source, core.Box):
            # The box has no list of its own: a piece is in it if it is nowhere else. So only places of its kind matter.
            of = bare(node.item.type)
            return self.whereabouts(of.kinds if isinstance(of, Piece) else ())
        if isinstance(node, core.Previous):
            return NOTHING  # what the hook stands in for is reached from the value itself, with the hook
        found: set[Thing] = set()
        for thing in looks_at(node):
            found |= self.whereabouts(thing.kinds) if isinstance(thing, Whereabouts) else {thing}
        return NOTHING.union(found, *(self.reads(part) for part in evaluated_elsewhere(node)))

    def _read_by_statement(self, stmt: core.Stmt) -> Things:
        """What it looks at beyond its expressions: what it pays from, and counters that must not run out."""
        # `lose 2 coins` is refused if they are not there, so it looks at the coins; `coins = 3` does not.
        kept = isinstance(stmt, core.SetField)
        fields = frozenset(() if kept else written_fields(stmt))
        return fields.union(*(self.reads(part) for part in evaluated_by(stmt)))

    # ------------------------------------------------------------------ changing

    def writes(self, block: Block) -> Things:
        """What statements may change, and everything they call and set off."""
        found = NOTHING
        for stmt in statements(block):
            found = found.union(self._written_here(stmt), *map(self.rule_writes, self.analysis.called_rules(stmt)))
        return found

    def rule_writes(self, rule: core.RuleDecl) -> Things:
        if rule not in self._writes:
            found = NOTHING.union(*(self._alone(part).writes for part in self._reach(rule)))
            # Whatever else it does, a rule that runs is running: `refill is running` has another answer inside it.
            self._writes[rule] = found | {RUNNING}
        return self._writes[rule]

    def _written_here(self, stmt: core.Stmt) -> Things:
        found: set[Thing] = set(written_fields(stmt))
        moved = motion(stmt)
        if moved is not None:
            found |= {place for place in self.program.places if moved.may_touch(place)}
            found |= self.whereabouts(moved.kinds)
        match alters(stmt):
            case Alters.dice:
                found.add(DICE)
            case Alters.seats:
                found.add(SEATS)
            case Alters.order:
                found |= {part.place for part in own_parts(stmt) if isinstance(part, core.PlaceRef)}
        return frozenset(found)

    # ------------------------------------------------------------------ calls

    def _reach(self, rule: core.RuleDecl) -> list[core.RuleDecl]:
        """The rule with its hooks, and whatever it calls, sets off or asks the value of."""
        if rule not in self._reached:
            found, seen = [rule], {rule}
            for part in found:
                new = [other for other in self._alone(part).calls if other not in seen]
                found += new
                seen |= set(new)
            self._reached[rule] = found
        return self._reached[rule]

    def _alone(self, rule: core.RuleDecl) -> Alone:
        """What stands in the rule or hook itself."""
        if rule not in self._single:
            body = list(statements(rule.body))
            nodes = [rule.when, rule.expression, *(node for stmt in body for node in own_parts(stmt))]
            reads = NOTHING.union(*map(self._read_below, nodes), *map(self._read_by_statement, body))
            writes = frozenset(rule.resets).union(*map(self._written_here, body))
            calls = [*rule.hooks]
            calls += [other for stmt in body for other in self.analysis.called_rules(stmt)]
            calls += [node.rule for node in rule_expressions(rule) if isinstance(node, core.ValueCall)]
            self._single[rule] = Alone(reads, writes, tuple(dict.fromkeys(calls)))
        return self._single[rule]

    def whereabouts(self, kinds: Iterable[str]) -> Things:
        """The positions of pieces of these kinds; of all kinds if none is named. A piece that lies on another moves
        with it, so the positions of all kinds that may carry them count too."""
        found = list(kinds) or list(self.program.kinds)
        for kind in found:
            for place in self.program.places:
                if place.owner == "piece" and kind in place.kinds:
                    found += [carrier for carrier in self._owners(place) if carrier not in found]
        return frozenset(f"where {kind}" for kind in found)

    def _owners(self, place: core.PlaceDecl) -> list[str]:
        owners = place.owner_dimension
        assert owners is not None
        first, last = owners.low, owners.low + owners.size
        kinds = self.program.kinds.items()
        return [name for name, kind in kinds if first < kind.first + kind.count and kind.first < last]

    # ------------------------------------------------------------------ chance and secrets

    def certain(self, block: Block, heeded: core.Stmt | None = None) -> bool:
        """Looking ahead goes through to its end: no chance, nobody decides, nothing unseen moves, no early end, no
        fault. Numbers that `heeded` writes itself are known to be in range."""
        return all(self._is_certain(stmt, stmt is heeded) for stmt in statements(block)) and all(
            self._is_certain(inner, False)
            for stmt in statements(block)
            for rule in self.analysis.called_rules(stmt)
            for part in self._reach(rule)
            for inner in statements(part.body)
        )

    def _is_certain(self, stmt: core.Stmt, heeded: bool) -> bool:
        # A fault is told to whoever takes the option; it ends a look ahead, which counts as success.
        if not heeded and (may_leave_range(stmt) or any(map(self._may_fault, own_parts(stmt)))):
            return False
        if flow(stmt) is not Flow.on or is_chance(stmt) or self.analysis.decides(stmt):
            return False
        if tells(stmt) is Tells.pieces:
            return False
        moved = motion(stmt)
        # A trial stops where an unseen piece moves. Which pieces are unseen changes in play, so a kind counts if it has
        # any closed place.
        return moved is None or self.unseen_kinds.isdisjoint(moved.kinds or self.program.kinds)

    def _may_fault(self, node: Node) -> bool:
        """Whether working it out may be a fault, in the values that it calls too."""
        called = (part.rule for part in walk(node) if isinstance(part, core.ValueCall))
        return any(map(may_fault, walk(node))) or any(map(self._value_may_fault, called))

    def _value_may_fault(self, rule: core.RuleDecl) -> bool:
        if rule not in self._faulty:
            self._faulty[rule] = any(may_fault(node) for part in self._reach(rule) for node in rule_expressions(part))
        return self._faulty[rule]


def _looked_into(node: Node) -> Iterable[Node]:
    """The parts that are looked at with a node; of `x in box` only `x`."""
    if isinstance(node, core.Member) and isinstance(node.source, core.Box):
        return (node.item,)
    return parts(node)
