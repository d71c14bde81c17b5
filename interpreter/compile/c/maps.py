"""Questions to maps as C: tables that never change, and searches over the state.

What a map answers by itself (distances, rings, lines) is worked out beforehand and becomes a table. A search is written
out where it stands, so that the condition on edges or nodes is plain C inside it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from .. import ir
from ..ir import Op, Stops
from .atoms import position_text
from .function import CannotEmit
from .masks import bit
from .stores import Stores

MANY_NODES = 400  # above it, `large_maps` answers
MANY_EDGES = 2000  # a search over trails keeps a number for each on the stack


class Graph(Protocol):
    """What is asked of a map beforehand: `runtime.graph.MapGraph` answers it."""

    nodes: tuple[int, ...]
    neighbours: dict[int, tuple[int, ...]]
    steps: dict[int, tuple[tuple[int, int], ...]]
    rays: Any
    axes: Any
    toward: dict[int, tuple[int, ...]]
    line_toward: dict[int, tuple[int, ...]]
    points: dict[int, tuple[int, ...]]
    form: str
    ends: dict[int, tuple[int, int]]

    def distance(self, a: int, b: int) -> int: ...
    def ring(self, node: int, steps: int) -> tuple[int, ...]: ...
    def spiral(self, node: int) -> tuple[int, ...]: ...
    def between(self, a: int, b: int) -> tuple[int, ...]: ...
    def line(self, node: int, direction: int, steps: int) -> tuple[int, ...]: ...


class Maps(Stores):
    graphs: dict[str, Graph]
    _map_parts: set[tuple[str, str]]

    def map_part(self, name: str, part: str, make: Callable[[Graph, int], list[tuple[int, ...]]]) -> str:
        """A table of sets of a map, made when it is first wanted."""
        made = f"{name}_{part}"
        if (name, part) not in self._map_parts:
            self._map_parts.add((name, part))
            self.set_array(made, make(self.graphs[name], self.all_nodes))
        return made

    @property
    def all_nodes(self) -> int:
        return max(1, len(self.unit.program.nodes))

    def _steps(self, name: str) -> tuple[str, str]:
        """For each node the edges that leave it, and where each leads."""
        edges = self.map_part(name, "edges", lambda g, n: [tuple(e for e, _ in g.steps.get(i, ())) for i in range(n)])
        others = self.map_part(name, "others", lambda g, n: [tuple(o for _, o in g.steps.get(i, ())) for i in range(n)])
        return edges, others

    def _beside(self, name: str) -> str:
        return self.map_part(name, "beside", lambda g, n: [tuple(g.neighbours.get(i, ())) for i in range(n)])

    def _on_map(self, name: str) -> str:
        """For each node, at its number plus one, whether the map has it."""
        made = f"{name}_has"
        if (name, "has") not in self._map_parts:
            self._map_parts.add((name, "has"))
            graph = self.graphs[name]
            self.array(made, [0, *(int(node in graph.neighbours) for node in range(self.all_nodes))], "uint8_t")
        return made

    # ------------------------------------------------------------------ tables

    def map_set(self, op: ir.MapTable) -> str:
        indexes = [self.atom(index) for index in op.indexes]
        name, sizes = self.table(op.table, len(indexes), of_sets=True)
        return self.set_in(name, self.named(position_text(indexes, sizes)))

    def _map_table(self, op: ir.MapTable) -> str:
        if self.is_set(op):
            return self.as_set(op)
        indexes = [self.x(index) for index in op.indexes]
        name, sizes = self.table(op.table, len(indexes), of_sets=False)
        return f"(num){name}[{position_text(indexes, sizes)}]"

    def _map_query(self, op: ir.MapQuery) -> str:
        if self.is_set(op):
            return self.query_set(op)
        args = [self.atom(arg) for arg in op.args]
        if op.what == "distance":
            name = f"{op.map}_distance"
            if (op.map, "distance") not in self._map_parts:
                self._map_parts.add((op.map, "distance"))
                graph, nodes = self.graphs[op.map], range(-1, self.all_nodes)
                self.array(name, [graph.distance(a, b) for a in nodes for b in nodes])
            return f"(num){name}[({args[0]} + 1) * {self.all_nodes + 1} + {args[1]} + 1]"
        if op.what == "edge_joining":
            edges, others = self._steps(op.map)
            return f"rw_edge_joining({edges}_at, {edges}, {others}, {args[0]}, {args[1]})"
        raise CannotEmit(f"a question to a map: {op.what}")

    def query_set(self, op: ir.MapQuery) -> str:
        args = [self.atom(arg) for arg in op.args]
        if op.what == "edges_joining":
            edges, others = self._steps(op.map)
            room, n = self.fresh("b"), self.fresh("n")
            self.room_for("elt", room, max(1, max(map(len, self.graphs[op.map].steps.values()), default=1)))
            self.line(f"int32_t {n} = rw_edges_joining({edges}_at, {edges}, {others}, {args[0]}, {args[1]}, {room});")
            return f"(Set){{{room}, {n}}}"
        nodes = self.all_nodes
        known = f"{args[0]} >= 0"
        match op.what:
            case "spiral":
                table = self.map_part(op.map, "spiral", lambda g, n: [g.spiral(i) for i in range(n)])
                return f"{known} ? {self.set_in(table, args[0])} : (Set){{0, 0}}"
            case "ring":
                furthest = self._furthest(op.map)
                table = self.map_part(
                    op.map, "ring", lambda g, n: [g.ring(i, s) for i in range(n) for s in range(furthest + 1)]
                )
                inside = f"{known} && {args[1]} >= 0 && {args[1]} <= {furthest}"
                where = self.named(f"({inside}) ? {args[0]} * {furthest + 1} + {args[1]} : -1")
                return f"{where} >= 0 ? {self.set_in(table, where)} : (Set){{0, 0}}"
            case "between":
                table = self.map_part(
                    op.map, "between", lambda g, n: [g.between(a, b) for a in range(n) for b in range(n)]
                )
                where = self.named(f"({known} && {args[1]} >= 0) ? {args[0]} * {nodes} + {args[1]} : -1")
                return f"{where} >= 0 ? {self.set_in(table, where)} : (Set){{0, 0}}"
            case "line":
                return self._line_set(op, args)
        raise CannotEmit(f"a question to a map: {op.what}")

    def _furthest(self, name: str) -> int:
        """Rings further out than this are empty."""
        graph = self.graphs[name]
        far = [steps for node in graph.nodes for steps in range(len(graph.nodes)) if graph.ring(node, steps)]
        return max(far, default=0)

    def _line_set(self, op: ir.MapQuery, args: list[str]) -> str:
        graph = self.graphs[op.map]
        ways = max(map(len, graph.toward.values()), default=0)

        def rays(g: Graph, n: int) -> list[tuple[int, ...]]:
            longest = len(g.nodes)
            return [
                g.line(i, d, longest) if d < len(g.toward.get(i, ())) else () for i in range(n) for d in range(ways)
            ]

        table = self.map_part(op.map, "ray", rays)
        node, direction, most = (self.numbers(arg) for arg in op.args)
        asked = {  # what its bounds do not tell
            f"{args[0]} >= 0": node.lowest < 0,
            f"{args[1]} >= 0": direction.lowest < 0,
            f"{args[1]} < {ways}": direction.high >= ways,
            f"{args[2]} > 0": most.lowest <= 0,
        }
        inside = " && ".join(test for test, is_open in asked.items() if is_open)
        ray, place = self.fresh("s"), f"{args[0]} * {ways} + {args[1]}"
        if inside:
            where = self.named(f"({inside}) ? {place} : -1")
            self.line(f"Set {ray} = {{0, 0}};")
            self.line(f"if ({where} >= 0) {ray} = {self.set_in(table, where)};")
        else:
            self.line(f"Set {ray} = {self.set_in(table, self.named(place))};")
        if most.lowest < len(graph.nodes):
            self.line(f"if ({ray}.n > {args[2]}) {ray}.n = (int32_t){args[2]};")
        return ray

    # ------------------------------------------------------------------ searches

    def is_stop(self, stops: Stops, node: str) -> str:
        tests = [f"({node} >= {low} && {node} < {low + size})" for low, size in stops if size]
        return f"({' || '.join(tests)})" if tests else "0"

    def fill_more(self, op: Op, room: str, n: str) -> bool:
        match op:
            case ir.Reach():
                self._fill_reach(op, room, n)
            case ir.CheapestTo():
                self._fill_costs(op, op.goal, room, n, None)
            case ir.Cheapest(is_path=True):
                self._fill_path(op, room, n)
            case _:
                return False
        return True

    def _fill_reach(self, op: ir.Reach, room: str, n: str) -> None:
        """In file order, without the start."""
        start, seen = self._flooded(op, "")
        self.line(f"int32_t {n} = 0;")
        self.line(f"if ({start} >= 0) {seen}[{start}] = 0;")
        self.line(f"for (int i_ = 0; i_ < {self.all_nodes}; i_++) if ({seen}[i_]) {room}[{n}++] = i_;")

    def mark_reach(self, op: ir.Reach, name: str, count: int) -> None:
        """The same into a mask, where order does not matter: it is marked as the search goes, and no list is made. The
        start counts as seen from the beginning, so it is never marked."""
        self._flooded(op, bit(name, "other_", count))

    def _flooded(self, op: ir.Reach, mark: str) -> tuple[str, str]:
        """Breadth first, as far as the edges and nodes allow; `mark` is run for each `other_` that is reached. Gives
        the start and the array of what was seen."""
        start, seen, waiting = self.atom(op.start), self.fresh("seen"), self.fresh("w")
        edge_set = self._members(op.edges) if op.edge is not None and not op.every_edge else None
        node_set = self._members(op.nodes) if op.node is not None else None
        nodes = self.all_nodes
        self.room_for("uint8_t", seen, nodes)
        self.room_for("elt", waiting, nodes)
        self.line(f"int32_t {waiting}_n = 0;")
        self.line(f"memset({seen}, 0, {nodes});")
        has = self._on_map(op.map)
        self.line(f"if ({has}[{start} + 1]) {{ {seen}[{start}] = 1; {waiting}[{waiting}_n++] = (elt){start}; }}")
        with self.block(f"for (int32_t {waiting}_i = 0; {waiting}_i < {waiting}_n; {waiting}_i++)"):
            self.line(f"num here_ = {waiting}[{waiting}_i];")
            if op.edge is not None:
                edges, others = self._steps(op.map)
                head = f"for (int32_t j_ = {edges}_at[here_]; j_ < {edges}_at[here_ + 1]; j_++)"
            else:
                others = self._beside(op.map)
                head = f"for (int32_t j_ = {others}_at[here_]; j_ < {others}_at[here_ + 1]; j_++)"
            with self.block(head):
                self.line(f"num other_ = {others}[j_];")
                self.line(f"if ({seen}[other_]) continue;")
                if op.edge is not None:
                    self.line(f"num {op.edge} = {edges}[j_]; (void){op.edge};")
                    self._only_members(edge_set, op.edge, op.edge_where)
                if op.node is not None:
                    self.line(f"num {op.node} = other_; (void){op.node};")
                    self._only_members(node_set, op.node, op.node_where)
                self.line(f"{seen}[other_] = 1; {mark}".rstrip())
                self.line(f"if (!{self.is_stop(op.stops, 'other_')}) {waiting}[{waiting}_n++] = (elt)other_;")
        return start, seen

    def _members(self, source: Op | None) -> Op | None:
        """A set that edges or nodes must be in: as it is if asking is cheap, else worked out before the search."""
        if source is None or isinstance(source, ir.Sequence | ir.Range | ir.Local):
            return source
        held = self.held(source)
        self.function.sets.add(held)
        return ir.Local(held, type=source.type)

    def _only_members(self, source: Op | None, local: str, where: Op | None) -> None:
        if source is not None:
            inside = ir.Contains(source, ir.Local(local, type=source.type), False)
            self.line(f"if (!{self.x(inside)}) continue;")
        if where is not None:
            self.line(f"if (!{self.test(where)}) continue;")

    def _fill_costs(self, op: ir.CheapestTo | ir.Cheapest, start: Op, room: str, n: str, only: str | None) -> None:
        """For each node the cost of the cheapest way from the start, RW_NO_NUMBER if there is none (Dijkstra without a
        heap: maps of games are small, and a queue costs more than it saves)."""
        begin, done, nodes = self.atom(start), self.fresh("done"), self.all_nodes
        edges, others = self._steps(op.map)
        edge_set = self._members(op.edges) if not op.every_edge else None
        open_nodes = self.fresh("w")
        self.room_for("uint8_t", done, nodes)
        self.room_for("elt", open_nodes, nodes)
        self.line(f"int32_t {n} = {nodes}, {open_nodes}_n = 0;")
        self.line(f"memset({done}, 0, {nodes});")
        self.line(f"for (int i_ = 0; i_ < {nodes}; i_++) {room}[i_] = RW_NO_NUMBER;")
        has = self._on_map(op.map)
        self.line(f"if ({has}[{begin} + 1]) {{ {room}[{begin}] = 0; {open_nodes}[{open_nodes}_n++] = (elt){begin}; }}")
        with self.block(f"while ({open_nodes}_n > 0)"):
            self.line("int32_t at_ = 0;")
            self.line(f"RW_CHARGE({open_nodes}_n / 4);")
            self.line(
                f"for (int32_t i_ = 1; i_ < {open_nodes}_n; i_++) "
                f"if ({room}[{open_nodes}[i_]] < {room}[{open_nodes}[at_]]) at_ = i_;"
            )
            self.line(f"num here_ = {open_nodes}[at_], paid_ = {room}[here_];")
            self.line(f"{open_nodes}[at_] = {open_nodes}[--{open_nodes}_n];")
            if only is not None:
                self.line(f"if (here_ == {only}) break;")
            self.line(f"{done}[here_] = 1;")
            self.line(f"if ({self.is_stop(op.stops, 'here_')} && here_ != {begin}) continue;")
            with self.block(f"for (int32_t j_ = {edges}_at[here_]; j_ < {edges}_at[here_ + 1]; j_++)"):
                self.line(f"num {op.edge} = {edges}[j_], other_ = {others}[j_];")
                self.line(f"if ({done}[other_]) continue;")
                self._only_members(edge_set, op.edge, op.where)
                self.line(f"num total_ = paid_ + {self.x(op.cost)};")
                self.line(f"if ({room}[other_] == RW_NO_NUMBER) {open_nodes}[{open_nodes}_n++] = (elt)other_;")
                self.line(f"else if (total_ >= {room}[other_]) continue;")
                self.line(f"{room}[other_] = (elt)total_;")

    def _cheapest(self, op: ir.Cheapest) -> str:
        if op.is_path:
            return self.as_set(op)
        goal, room, n = self.atom(op.goal), self.fresh("b"), self.fresh("n")
        self.room_for("elt", room, self.all_nodes)
        self._fill_costs(op, op.start, room, n, goal)
        self.line(f"(void){n};")
        return f"({goal} >= 0 ? (num){room}[{goal}] : RW_NO_NUMBER)"

    def _cheapest_to(self, op: ir.CheapestTo) -> str:
        return self.as_set(op)

    def _cost_from(self, op: ir.CostFrom) -> str:
        costs, start = self.held(op.costs), self.atom(op.start)
        found = self.named(f"{start} >= 0 && {start} < {costs}.n ? (num){costs}.v[{start}] : RW_NO_NUMBER")
        return f"({found} == RW_NO_NUMBER ? {self._none(op)} : {found})"

    def _fill_path(self, op: ir.Cheapest, room: str, n: str) -> None:
        """The edges of the cheapest way; every edge's cost is worked out first."""
        start, goal = self.atom(op.start), self.atom(op.goal)
        costs, edges = self.fresh("c"), max(1, len(self.unit.program.edges))
        self.room_for("elt", costs, edges)
        self.line(f"for (int i_ = 0; i_ < {edges}; i_++) {costs}[i_] = RW_NO_NUMBER;")
        with self.loop(op.edges, op.edge, op.where):
            self.line(f"{costs}[{op.edge}] = (elt){self.x(op.cost)};")
        by_edge, others = self._steps(op.map)
        has, stops = self._on_map(op.map), f"stops_{op.map}_{len(self.statics)}"
        marked = [int(any(low <= node < low + size for low, size in op.stops)) for node in range(self.all_nodes)]
        self.array(stops, marked, "uint8_t")
        self.line(
            f"int32_t {n} = rw_cheapest_path({by_edge}_at, {by_edge}, {others}, {has}, {stops}, {self.all_nodes}, "
            f"{costs}, {start}, {goal}, {room});"
        )

    def _reach(self, op: ir.Reach) -> str:
        return self.as_set(op)

    def _groups(self, op: ir.Groups) -> str:
        listed = self.held(ir.All(op.local, op.source, op.where, type=op.source.type))
        beside, has = self._beside(op.map), self._on_map(op.map)
        return f"rw_groups({beside}_at, {beside}, {has}, {listed}, {int(op.largest)})"

    def _longest_trail(self, op: ir.LongestTrail) -> str:
        """The lengths of edges are worked out first, and which nodes may be passed; then the search counts its work."""
        if len(self.unit.program.edges) > MANY_EDGES:
            raise CannotEmit(f"a trail over more than {MANY_EDGES} edges")
        lengths, units = self.fresh("c"), self.fresh("u")
        edges = max(1, len(self.unit.program.edges))
        self.room_for("elt", lengths, edges)
        self.line(f"for (int i_ = 0; i_ < {edges}; i_++) {lengths}[i_] = RW_NO_NUMBER;")
        with self.loop(op.edges, op.edge, op.where):
            self.line(f"{lengths}[{op.edge}] = (elt){self.x(op.value)};")
        passed = self._passed(op) if op.node is not None else "0"
        found = self.fresh()
        self.line(f"int64_t {units};")
        self.line(f"num {found} = rw_longest_trail({self._ends(op.map)}, {lengths}, {passed}, S->steps, &{units});")
        self.count_work(units, op.span)
        return found

    def _passed(self, op: ir.LongestTrail) -> str:
        """For each node whether a trail may pass it."""
        assert op.node is not None and op.nodes is not None
        passed = self.fresh("p")
        self.room_for("uint8_t", passed, self.all_nodes)
        self.line(f"memset({passed}, 0, {self.all_nodes});")
        with self.loop(op.nodes, op.node, op.node_where):
            self.line(f"{passed}[{op.node}] = 1;")
        return passed

    def _ends(self, name: str) -> str:
        """For each edge the two nodes that it joins; -1 if the map does not have it."""
        made = f"{name}_ends"
        if (name, "ends") not in self._map_parts:
            self._map_parts.add((name, "ends"))
            ends = self.graphs[name].ends
            edges = range(max(1, len(self.unit.program.edges)))
            self.array(made, [node for edge in edges for node in ends.get(edge, (-1, -1))])
        return made

    def _longest_line(self, op: ir.LongestLine) -> str:
        """The two rays of each axis through the node, one behind the other in a table."""
        through, name = self.atom(op.through), self.fresh()
        graph = self.graphs[op.map]
        most = max((len(graph.axes[node]) for node in graph.nodes), default=0)

        def rays(g: Graph, n: int) -> list[tuple[int, ...]]:
            found: list[tuple[int, ...]] = []
            for node in range(n):
                axes = list(g.axes[node]) if node in g.neighbours else []
                axes += [((), ())] * (most - len(axes))
                found += [ray for axis in axes for ray in axis]
            return found

        table, has = self.map_part(op.map, "axis", rays), self._on_map(op.map)
        self.line(f"num {name} = 0;")
        with self.block(f"if ({has}[{through} + 1])"):
            self.line(f"num {op.local} = {through};")
            with self.block(f"if ({self.test(op.where)})"):
                self.line(f"{name} = 1;")
                with self.block(f"for (int axis_ = 0; axis_ < {most}; axis_++)"):
                    self.line("num run_ = 1;")
                    with self.block("for (int side_ = 0; side_ < 2; side_++)"):
                        where = f"({through} * {most} + axis_) * 2 + side_"
                        self.line(f"int32_t ray_ = (int32_t)({where});")
                        with self.block(f"for (int32_t j_ = {table}_at[ray_]; j_ < {table}_at[ray_ + 1]; j_++)"):
                            self.line(f"num {op.local} = {table}[j_];")
                            self.line(f"if (!{self.test(op.where)}) break;")
                            self.line("run_++;")
                    self.line(f"if (run_ > {name}) {name} = run_;")
        return name
