"""Questions to maps as Python expressions: tables that never change, and searches over the state."""

from __future__ import annotations

import re

from ..check.value_types import NONE
from .emit_sets import SetEmitter
from .ir import Op

Stops = tuple[tuple[int, int], ...]  # runs of nodes that are reached and not passed


class MapEmitter(SetEmitter):
    def _map_table(self, op: Op, table: str, *indexes: Op) -> str:
        return table + "".join(f"[{self.index(index)}]" for index in indexes)

    def _on_map(self, name: str, method: str, *args: Op) -> str:
        return f"{name}.{method}({', '.join(self.text(arg) for arg in args)})"

    def _distance(self, op: Op, name: str, a: Op, b: Op) -> str:
        return self._on_map(name, "distance", a, b)

    def _line(self, op: Op, name: str, node: Op, direction: Op, steps: Op) -> str:
        return self._on_map(name, "line", node, direction, steps)

    def _between(self, op: Op, name: str, a: Op, b: Op) -> str:
        return self._on_map(name, "between", a, b)

    def _ring(self, op: Op, name: str, node: Op, steps: Op) -> str:
        return self._on_map(name, "ring", node, steps)

    def _spiral(self, op: Op, name: str, node: Op) -> str:
        return self._on_map(name, "spiral", node)

    def _joining(self, op: Op, name: str, a: Op, b: Op) -> str:
        return self._on_map(name, "edges_joining", a, b)

    def _edge(self, op: Op, name: str, a: Op, b: Op) -> str:
        return self._on_map(name, "edge_joining", a, b)

    def _reach(
        self,
        op: Op,
        name: str,
        start: Op,
        edge: str | None,
        edges: Op | None,
        edge_where: Op | None,
        node: str | None,
        nodes: Op | None,
        node_where: Op | None,
        stops: Stops,
        every_edge: bool,
    ) -> str:
        parts = [self.text(start)]
        if every_edge and edge is not None and node is None and edge_where is not None:
            owned = self._own_field_test(edge, edge_where)
            if owned is not None:
                base, wanted = owned
                return f"{name}.reach_owned({parts[0]}, f, {base}, {wanted}, {self._stops(stops)})"
        if edge is not None and edges is not None:
            parts.append(self._members(edge, edges, edge_where))
        if node is not None and nodes is not None:
            parts.append(self._members(node, nodes, node_where))
        elif edge is None:
            parts.append("None")
        method = "reach_both" if edge is not None and node is not None else "reach_along" if edge else "reach_through"
        return f"{name}.{method}({', '.join(parts)}, {self._stops(stops)})"

    def _cheapest(
        self,
        op: Op,
        name: str,
        start: Op,
        goal: Op,
        edge: str,
        edges: Op,
        where: Op | None,
        cost: Op,
        stops: Stops,
        every_edge: bool,
        is_path: bool,
    ) -> str:
        if is_path:
            costs = f"{{{edge}: {self.text(cost)} for {edge} in {self.text(edges)}{self._where(where)}}}"
            return f"{name}.cheapest_path({self.text(start)}, {self.text(goal)}, {costs}, {self._stops(stops)})"
        searched = self._searched(edge, edges, where, cost, stops, every_edge)
        return f"{name}.cheapest({self.text(start)}, {self.text(goal)}, {searched})"

    def _searched(self, edge: str, edges: Op, where: Op | None, cost: Op, stops: Stops, every_edge: bool) -> str:
        """A function of an edge: what it costs, or None if it is not taken (asked only of edges that a search meets);
        the stops; the field in which edges that are taken do not have none, if that is the whole condition."""
        price = self.text(cost)
        filled = self._filled_field(edge, where) if where is not None else None
        if where is not None and filled is None:
            price = f"{price} if {self.condition(where)} else None"
        if not every_edge:
            price = f"({price}) if {edge} in {self.text(edges)} else None"
        more = f", f, {filled}" if filled is not None else ""
        return f"lambda {edge}: {price}, {self._stops(stops)}{more}"

    def _filled_field(self, local: str, test: Op) -> int | None:
        """`field of x is not none`: the offset to x's number of that field."""
        if test.op != "not" or test.args[0].op != "is_none" or test.args[0].args[1] != NONE:
            return None
        return self._own_field(local, test.args[0].args[0])

    def _cheapest_to(
        self,
        op: Op,
        name: str,
        goal: Op,
        edge: str,
        edges: Op,
        where: Op | None,
        cost: Op,
        stops: Stops,
        every_edge: bool,
    ) -> str:
        searched = self._searched(edge, edges, where, cost, stops, every_edge)
        return f"{name}.cheapest_to({self.text(goal)}, {searched})"

    def _cost_from(self, op: Op, costs: Op, start: Op) -> str:
        return f"{self.text(costs)}.get({self.text(start)}, {self._none(op)})"

    def _members(self, local: str, source: Op, where: Op | None) -> str:
        """Edges or nodes that satisfy a condition, as something that answers `in` at once."""
        text = self.text(source)
        if where is None:
            return text if text.startswith("range(") else f"set({text})"
        return f"{{{local} for {local} in {text}{self._where(where)}}}"

    def _stops(self, stops: Stops) -> str:
        if len(stops) == 1:
            return f"range({stops[0][0]}, {sum(stops[0])})"
        return self.constant(tuple(n for low, size in stops for n in range(low, low + size)))

    def _groups(self, op: Op, name: str, largest: bool, local: str, source: Op, where: Op | None) -> str:
        listed = f"[{local} for {local} in {self.text(source)}{self._where(where)}]"
        return f"{name}.{'largest_group' if largest else 'groups'}({listed})"

    def _own_field_test(self, local: str, test: Op) -> tuple[int, str] | None:
        """`field of x == E`: the offset to x's number of that field, and E."""
        if test.op != "compare" or test.args[0] != "==" or test.args[4] is not None:
            return None
        offset, wanted = self._own_field(local, test.args[1]), self.text(test.args[2])
        return None if offset is None or re.search(rf"\b{local}\b", wanted) else (offset, wanted)

    @staticmethod
    def _own_field(local: str, read: Op) -> int | None:
        """The offset from x to its own number of a field that is read."""
        if read.op not in ("field", "slot") or read.args[0].op != "address":
            return None
        base, terms, optional = read.args[0].args
        if optional or len(terms) != 1 or terms[0][1] != 1 or terms[0][0].op != "local" or terms[0][0].args[0] != local:
            return None
        return int(base - terms[0][2])

    def _longest_line(self, op: Op, name: str, local: str, through: Op, where: Op) -> str:
        run = self._own_field_test(local, where)
        if run is not None:
            base, wanted = run
            return f"{name}.longest_run({self.text(through)}, f, {base}, {wanted})"
        return f"{name}.longest_line({self.text(through)}, lambda {local}: {self.text(where)})"
