"""Questions to maps of more nodes than a table of all answers has room for: they are answered when they are asked.

The runtime (`rw_far.h`) gets the map itself: who lies beside whom, where each direction leads, and where on the surface
each node lies. Distances from the nodes that were asked for last are kept in the context.
"""

from __future__ import annotations

from .. import ir
from ..ir import Op
from .maps import MANY_NODES, Graph, Maps

FORMS = {"": 0, "walk": 1, "hex": 2, "grid": 3, "diagonal": 4}


class LargeMaps(Maps):
    lands: dict[str, int]  # the large maps that are asked, by name, with their numbers

    def is_large(self, name: str) -> bool:
        return len(self.graphs[name].nodes) > MANY_NODES

    def is_static(self, op: Op) -> bool:
        if isinstance(op, ir.MapQuery) and self.is_large(op.map):
            return False
        return super().is_static(op)

    def land(self, name: str) -> str:
        """The map as the runtime knows it."""
        if name not in self.lands:
            self.lands[name] = len(self.lands)
            graph, nodes = self.graphs[name], range(self.all_nodes)
            ways = max(map(len, graph.toward.values()), default=0)
            lines = max(map(len, graph.line_toward.values()), default=0)
            self.array(f"{name}_toward", [n for node in nodes for n in _padded(graph.toward.get(node, ()), ways)])
            self.array(f"{name}_lines", [n for node in nodes for n in _padded(graph.line_toward.get(node, ()), lines)])
            beside, has = self._beside(name), self._on_map(name)
            surface = self._surface(name, graph)
            self.statics += [
                f"static const RwLand {name}_land = {{{self.lands[name]}, {FORMS.get(graph.form, 0)}, {ways}, {lines},",
                f"    {surface}, {has}, {beside}_at, {beside}, {name}_toward, {name}_lines,",
                f"    {name}_xs, {name}_ys, {name}_points}};",
            ]
        return f"&{name}_land"

    def _surface(self, name: str, graph: Graph) -> str:
        """Writes where each node lies, with the least x and y at 0; gives width, height and extent."""
        points = graph.points if FORMS.get(graph.form, 0) > 1 else {}
        least = [min((point[i] for point in points.values()), default=0) for i in (0, 1)]
        size = [max((point[i] for point in points.values()), default=0) - least[i] + 1 for i in (0, 1)]
        found = [-1] * (size[0] * size[1])
        for node, (x, y) in points.items():
            found[(x - least[0]) * size[1] + y - least[1]] = node
        placed = [points.get(node, tuple(least)) for node in range(self.all_nodes)]
        self.array(f"{name}_xs", [x - least[0] for x, _ in placed])
        self.array(f"{name}_ys", [y - least[1] for _, y in placed])
        self.array(f"{name}_points", found)
        return f"{size[0]}, {size[1]}, {size[0] + size[1] - 2}"

    def _map_query(self, op: ir.MapQuery) -> str:
        if op.what != "distance" or not self.is_large(op.map):
            return super()._map_query(op)
        args = [self.atom(arg) for arg in op.args]
        return self.named(f"rw_far_distance(C, {self.land(op.map)}, {args[0]}, {args[1]})")

    def query_set(self, op: ir.MapQuery) -> str:
        if op.what == "edges_joining" or not self.is_large(op.map):
            return super().query_set(op)
        args = [self.atom(arg) for arg in op.args]
        room, n, land = self.fresh("b"), self.fresh("n"), self.land(op.map)
        self.room_for("elt", room, self.all_nodes)
        calls = {
            "line": f"rw_far_line({land}, {', '.join(args)}, {room})",
            "between": f"rw_far_between({land}, {', '.join(args)}, {room})",
            "ring": f"{args[-1]} < 0 ? 0 : rw_far_ring(C, {land}, {', '.join(args)}, {room})",
            "spiral": f"rw_far_ring(C, {land}, {args[0]}, -1, {room})",
        }
        self.line(f"int32_t {n} = {calls[op.what]};")
        return f"(Set){{{room}, {n}}}"

    def _longest_line(self, op: ir.LongestLine) -> str:
        """As on a small map, step by step in place of a table of lines: the second half of the directions are those of
        the first half turned round."""
        if not self.is_large(op.map):
            return super()._longest_line(op)
        through, name = self.atom(op.through), self.fresh()
        self.land(op.map)
        lines = max(map(len, self.graphs[op.map].line_toward.values()), default=0)
        self.line(f"num {name} = 0;")
        with self.block(f"if ({self._on_map(op.map)}[{through} + 1])"):
            self.line(f"num {op.local} = {through};")
            with self.block(f"if ({self.test(op.where)})"):
                self.line(f"{name} = 1;")
                with self.block(f"for (int axis_ = 0; axis_ < {lines // 2}; axis_++)"):
                    self.line("num run_ = 1;")
                    with self.block(f"for (int way_ = axis_; way_ < {lines}; way_ += {max(1, lines // 2)})"):
                        ahead = f"{op.map}_lines[{{}} * {lines} + way_]"
                        first, onward = ahead.format(through), ahead.format(op.local)
                        self.line(f"num {op.local} = {first};")
                        with self.block(f"for (; {op.local} >= 0 && {op.local} != {through}; {op.local} = {onward})"):
                            self.line(f"if (!{self.test(op.where)}) break;")
                            self.line("run_++;")
                    self.line(f"if (run_ > {name}) {name} = run_;")
        return name


def _padded(leads: tuple[int, ...], ways: int) -> tuple[int, ...]:
    return (*leads, *(-1 for _ in range(ways - len(leads))))
