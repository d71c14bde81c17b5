"""Operations as Python expressions, all of them: atoms and sets, then questions to maps, calls, what was answered."""

from __future__ import annotations

from math import prod

from ..check.value_types import NONE
from . import ir
from .emit_sets import SetEmitter, constants_in, own_field
from .ir import Op, Site, Stops, free_locals
from .layout import Layout
from .meta import PASS, SKIP


class MapEmitter(SetEmitter):
    def _map_table(self, op: ir.MapTable) -> str:
        return op.table + "".join(f"[{self.index(index)}]" for index in op.indexes)

    def _map_query(self, op: ir.MapQuery) -> str:
        return f"{op.map}.{op.what}({', '.join(self.text(arg) for arg in op.args)})"

    def _reach(self, op: ir.Reach) -> str:
        parts = [self.text(op.start)]
        if op.every_edge and op.edge is not None and op.node is None and op.edge_where is not None:
            owned = self._own_field_test(op.edge, op.edge_where)
            if owned is not None:
                base, wanted = owned
                return f"{op.map}.reach_owned({parts[0]}, {self.f}, {base}, {wanted}, {self._stops(op.stops)})"
        if op.edge is not None and op.edges is not None:
            parts.append(self._members(op.edge, op.edges, op.edge_where))
        if op.node is not None and op.nodes is not None:
            parts.append(self._members(op.node, op.nodes, op.node_where))
        elif op.edge is None:
            parts.append("None")
        is_both = op.edge is not None and op.node is not None
        method = "reach_both" if is_both else "reach_along" if op.edge else "reach_through"
        return f"{op.map}.{method}({', '.join(parts)}, {self._stops(op.stops)})"

    def _cheapest(self, op: ir.Cheapest) -> str:
        if op.is_path:
            cost = self.text(op.cost)
            costs = f"{{{op.edge}: {cost} for {op.edge} in {self.text(op.edges)}{self._where(op.where)}}}"
            ends = f"{self.text(op.start)}, {self.text(op.goal)}"
            return f"{op.map}.cheapest_path({ends}, {costs}, {self._stops(op.stops)})"
        searched = self._searched(op)
        return f"{op.map}.cheapest({self.text(op.start)}, {self.text(op.goal)}, {searched})"

    def _searched(self, op: ir.Cheapest | ir.CheapestTo) -> str:
        """The arguments of a search: a function from an edge to its cost, or None if the edge is not taken; the nodes
        at which ways stop; and, if the whole condition is that a field of the edge is not none, where that field
        lies."""
        price = self.text(op.cost)
        filled = self._filled_field(op.edge, op.where) if op.where is not None else None
        if op.where is not None and filled is None:
            price = f"{price} if {self.condition(op.where)} else None"
        if not op.every_edge:
            price = f"({price}) if {op.edge} in {self.text(op.edges)} else None"
        more = f", {self.f}, {filled}" if filled is not None else ""
        return f"lambda {op.edge}: {price}, {self._stops(op.stops)}{more}"

    def _filled_field(self, local: str, test: Op) -> int | None:
        """`field of x is not none`: the offset to x's number of that field."""
        match test:
            case ir.Not(of=ir.IsNone(of=read, none=none)) if none == NONE:
                return own_field(local, read)
            case _:
                return None

    def _cheapest_to(self, op: ir.CheapestTo) -> str:
        searched = self._searched(op)
        return f"{op.map}.cheapest_to({self.text(op.goal)}, {searched})"

    def _cost_from(self, op: ir.CostFrom) -> str:
        return f"{self.text(op.costs)}.get({self.text(op.start)}, {self._none(op)})"

    def _members(self, local: str, source: Op, where: Op | None) -> str:
        """The edges or nodes that meet a condition, as a set that answers `in` without a loop."""
        text = self.text(source)
        if where is None:
            return text if isinstance(source, ir.Range) and not constants_in(source) else f"set({text})"
        return f"{{{local} for {local} in {text}{self._where(where)}}}"

    def _stops(self, stops: Stops) -> str:
        if len(stops) == 1:
            return f"range({stops[0][0]}, {sum(stops[0])})"
        return self.constant(tuple(n for low, size in stops for n in range(low, low + size)))

    def _groups(self, op: ir.Groups) -> str:
        listed = f"[{op.local} for {op.local} in {self.text(op.source)}{self._where(op.where)}]"
        return f"{op.map}.{'largest_group' if op.largest else 'groups'}({listed})"

    def _longest_trail(self, op: ir.LongestTrail) -> str:
        value = self.text(op.value)
        lengths = f"{{{op.edge}: {value} for {op.edge} in {self.text(op.edges)}{self._where(op.where)}}}"
        passed = "None" if op.node is None or op.nodes is None else self._members(op.node, op.nodes, op.node_where)
        return f"longest_trail(S, {op.map}.ends, {lengths}, {passed})"

    def _own_field_test(self, local: str, test: Op) -> tuple[int, str] | None:
        """`field of x == E`: the offset to x's number of that field, and E."""
        if not isinstance(test, ir.Compare) or test.sign != "==" or test.none_right is not None:
            return None
        offset = own_field(local, test.left)
        return None if offset is None or local in free_locals(test.right) else (offset, self.text(test.right))

    def _longest_line(self, op: ir.LongestLine) -> str:
        run = self._own_field_test(op.local, op.where)
        if run is not None:
            base, wanted = run
            return f"{op.map}.longest_run({self.text(op.through)}, {self.f}, {base}, {wanted})"
        return f"{op.map}.longest_line({self.text(op.through)}, lambda {op.local}: {self.text(op.where)})"


# ---------------------------------------------------------------------------- calls and answers


class ExpressionEmitter(MapEmitter):
    """`sites` say how options are numbered; `chosen` is the text of a set with the option that is tested."""

    def __init__(self, layout: Layout, players: int, sites: list[Site]) -> None:
        super().__init__(layout, players)
        self.sites = sites
        self.chosen = ""

    def _call_value(self, op: ir.CallValue) -> str:
        return self.called(op.routine, op.args)

    def _on_trial(self, op: ir.OnTrial) -> str:
        raise AssertionError("which way it is, is settled before anything is printed")

    def _can_call(self, op: ir.CanCall) -> str:
        inner = ", ".join(self.text(arg) for arg in op.args) + ("," if op.args else "")
        return f"can_call(S, {op.routine!r}, ({inner}), {self.maybe(op.player)}, {op.known})"

    def maybe(self, op: Op | None) -> str:
        """The text of an operation that may be missing."""
        return self.text(op) if op is not None else "None"

    def _can_perform(self, op: ir.CanPerform) -> str:
        return f"can_perform(S, {self.text(op.cell)}, {self.text(op.player)}, {self.given(op.given)})"

    def given(self, given: tuple[ir.Given, ...]) -> str:
        inner = ", ".join(f"({one.name!r}, {self.text(one.value)})" for one in given)
        return f"({inner},)" if given else "()"

    def payment(self, of: ir.CanPay | ir.Paid | ir.PayOptions | ir.Settle) -> str:
        """What is to be paid, by whom, from what."""
        player = self.text(of.player)
        return f"payment_{of.payment}(S, {player}, {self.sequence_of(of.amounts)}, {self.sequence_of(of.among)})"

    def _can_pay(self, op: ir.CanPay) -> str:
        return f"payable(S, {self.payment(op)}, ())"

    def _paid(self, op: ir.Paid) -> str:
        return f"paid({self.payment(op)}, {self.text(op.picks)}, {op.cost}, {op.source})"

    def _public(self, op: ir.Public) -> str:
        return f"told(S, {op.told}, {self.sequence_of(op.args)}, {self.text(op.of)})"

    # ------------------------------------------------------------------ what was answered

    def _picked(self, op: ir.Picked) -> str:
        return self.value_in("S.pick", op.site, op.branch, op.position)

    def _answered(self, op: ir.Answered) -> str:
        return f"(S.pick == {PASS if op.what == 'pass' else SKIP})"

    def option(self, site: int, branch: int, names: tuple[str, ...]) -> str:
        """The number of an option with the values of these locals."""
        text, parts = "", self.sites[site].branches[branch].digits
        for name, (lowest, count) in zip(names, parts, strict=True):
            digit = name if lowest == 0 else f"({name} + {-lowest})"
            text = f"{f'({text})' if ' + ' in text else text} * {count} + {digit}" if text else digit
        first = self.sites[site].first(branch)
        if not text:
            return str(first)
        return f"{first} + {text}" if first else text

    def value_in(self, option: str, site: int, branch: int, position: int) -> str:
        """The value at that position of an option of the branch."""
        digits, first = self.sites[site].branches[branch].digits, self.sites[site].first(branch)
        lowest, count = digits[position]
        behind = prod(count for _, count in digits[position + 1 :])
        text = f"({option} - {first})" if first else option
        if behind > 1:
            text = f"{text} // {behind}"
        if position > 0:
            text = f"{text} % {count}"
        if lowest:
            text = f"{text} - {-lowest}"
        return text if text == option else f"({text})" if not text.startswith("(") or text[-1] != ")" else text

    def in_branch(self, option: str, site: int, branch: int) -> str:
        """A condition: the option belongs to this branch. Passing and free actions have been ruled out before."""
        made = self.sites[site]
        first, behind = made.first(branch), made.first(branch + 1)
        if behind - first == 1:
            return f"{option} == {first}"
        return f"{first} <= {option} < {behind}" if first else f"{option} < {behind}"

    def _is_branch(self, op: ir.IsBranch) -> str:
        return f"({self.in_branch('S.pick', op.site, op.branch)})"

    def _option_value(self, op: ir.OptionValue) -> str:
        return self.value_in("x_", op.site, op.branch, op.position)

    def _chosen_set(self, op: ir.ChosenSet) -> str:
        return self.chosen
