"""Questions to maps as Python expressions: tables that never change, and searches over the state."""

from __future__ import annotations

from ..check.value_types import NONE
from . import ir
from .emit_sets import SetEmitter, constants_in, own_field
from .ir import Op, Stops, free_locals


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
        """A function of an edge: what it costs, or None if it is not taken (asked only of edges that a search meets);
        the stops; the field in which edges that are taken do not have none, if that is the whole condition."""
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
        """Edges or nodes that satisfy a condition, as something that answers `in` at once."""
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
