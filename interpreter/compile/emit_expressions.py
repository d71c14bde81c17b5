"""Operations as Python expressions: sets, questions to maps, calls, and what was answered; atoms are in `emit_atoms`.

An operation that fits on one line has a template in `OPERATIONS`. A name in braces stands for the field of that name,
and `{at}` for the state's list of where pieces are. Every other operation has a method of its name: `LongestLine` is
printed by `_longest_line`. A class without either fails at its first use, and a test looks at all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from ..check.value_types import none_of
from ..files.records import handler
from . import ir
from .emit_atoms import AtomEmitter, constants_in, first_of_run, own_field
from .ir import Op, Site, Stops, free_locals, with_constant
from .layout import Layout
from .meta import NOTHING_ELSE, PASS, SKIP
from .unit import weight

FEW_ELEMENTS, FEW_PARTS = 4, 16  # loops over at most that many constants, and operations, are unrolled
FRESH = (ir.All, ir.Reach, ir.Group, ir.Best, ir.Without, ir.Join)  # lists that nobody else holds

PAYMENT = "payment_{payment}(S, {player}, {amounts}, {among})"  # what is to be paid, by whom, from what
OPERATIONS: dict[type[ir.Op], str] = {
    ir.Local: "{name}",
    # Arithmetic and tests
    ir.Arithmetic: "({left} {sign} {right})",
    ir.And: "({left} and {right})",
    ir.Or: "({left} or {right})",
    ir.Not: "(not {of})",
    ir.Conditional: "({then} if {condition} else {otherwise})",
    ir.IsNone: "({of} == {none})",
    ir.IsEmpty: "(not {of})",
    ir.IsFull: "(len({of}) >= {capacity})",
    ir.HasBit: "({mask} >> {number} & 1)",
    ir.InBox: "({at}[{item}] == -1)",
    ir.RuleRunning: "rule_running(S, {rule!r})",
    ir.CellRunning: "cell_running(S, {cell})",
    ir.IsKnown: "is_known(S, {piece}, {player})",
    ir.Filled: "filled({value}, {name!r})",
    ir.Somebody: "somebody({value})",
    # Sets
    ir.Count: "len({of})",
    ir.Listed: "[{value} for {local} in {source}]",
    ir.Counted: "counted(S, {source}, {weight})",
    ir.Distinct: "distinct({source})",
    ir.Append: "({source} + ({item},))",
    ir.Position: "position_in({source}, {item})",
    ir.TurnedTo: "turned_to({source}, {item})",
    ir.Following: "following({source}, {item})",
    ir.WalkOn: "walk_on({row}, {piece}, {old})",
    # Seats
    ir.SeatsIn: "seats_in(S)",
    ir.NextSeat: "next_seat(S, {player})",
    ir.StillIn: "still_in(S, {player})",
    ir.Unskipped: "unskipped({seats}, {player}, lambda {local}: {skip})",
    # Calls and answers
    ir.Formula: "formula(S, {cell}, {player})",
    ir.Score: "score_of(S, {player})",
    ir.CanPay: f"payable(S, {PAYMENT}, ())",
    ir.Paid: f"paid({PAYMENT}, {{picks}}, {{cost}}, {{source}})",
    ir.Public: "told(S, {told}, {args}, {of})",
    ir.WhereIs: "{what}_of(S, {piece})",
    ir.Rebased: "rebased({snapshot}, {before}, place_counts(S, {base}, {size}))",
    ir.Unsure: "None",
    ir.IsUnsure: "({answer} is None)",
    ir.Result: "S.r",
    ir.HasOption: "o",
    ir.OneOption: "(len(o) == 1)",
    ir.OnlyPass: f"(len(o) == 1 and o[0] == {PASS})",
    ir.IsComplete: "(o is None)",
    ir.SureHere: "sure_here(S, {site}, {player}, {of!r})",
    ir.NothingElse: f"(S.pick == {NOTHING_ELSE})",
}


# ---------------------------------------------------------------------------- sets


class SetEmitter(AtomEmitter):
    def _where(self, where: Op | None) -> str:
        return f" if {self.condition(where)}" if where is not None else ""

    def _loop(self, local: str, source: Op, test: Op | None) -> str:
        """`for x in S if C`"""
        return f"for {local} in {self.text(source)}{self._where(test)}"

    def _same_number(self, local: str, source: Op, test: Op) -> tuple[str, str, bool] | None:
        """Looks for a test of one number of each element that can be written `K in f[a:b]`. Gives K, `f[a:b]`, and
        whether the test is negated; None if there is none."""
        negated = False
        while isinstance(test, ir.Not):
            test, negated = test.of, not negated
        match test:
            case ir.IsNone():
                read, wanted = test.of, str(test.none)
            case ir.Compare(sign="==" | "!=", none_left=none_left, none_right=none_right):
                if local in free_locals(test.right) or (none_left is not None and none_right is not None):
                    return None
                read, wanted = test.left, self.text(test.right)
                negated ^= test.sign == "!="
            case _:
                return None
        run = self._run(local, source, read)
        return None if run is None else (wanted, run, negated)

    def _run(self, local: str, source: Op, read: Op) -> str | None:
        """The slice `f[a:b]`, if what is read of each element of a run of constants lies side by side."""
        values = constants_in(source)
        if not values or values != tuple(range(values[0], values[-1] + 1)):
            return None
        first = first_of_run(local, read, values[0])
        if first is None:
            return None
        if not first.terms:
            return f"{self.f}[{first.base}:{first.base + len(values)}]"
        start = self.index(first)
        return f"{self.f}[{start}:{start} + {len(values)}]"

    def _written_out(self, local: str, source: Op, test: Op) -> list[tuple[int, str]] | None:
        """The test written out for each of a few constants; None if there are too many, or the test is too long."""
        if not isinstance(source, ir.Sequence) or not 0 < len(source.values) <= FEW_ELEMENTS:
            return None
        if weight(test) > FEW_PARTS:
            return None
        return [(number, self.condition(with_constant(test, local, number))) for number in source.values]

    def _some(self, op: ir.Some) -> str:
        local, source, where, has = op.local, op.source, op.where, op.has
        same = self._same_number(local, source, has) if where is None else None
        if same is not None and not same[2]:
            return f"({same[0]} in {same[1]})"
        both = has if where is None else ir.And(where, has, type=has.type)
        written = self._written_out(local, source, both)
        if written is not None:
            return f"({' or '.join(text for _, text in written)})"
        found = f"next((True {self._loop(local, source, both)}), False)"
        return f"(len({source.name}) > 0 and {found})" if isinstance(source, ir.Local) else found

    def _every(self, op: ir.Every) -> str:
        local, source, where, has = op.local, op.source, op.where, op.has
        same = self._same_number(local, source, has) if where is None else None
        if same is not None and same[2]:
            return f"({same[0]} not in {same[1]})"
        fails = ir.Not(has, type=has.type)
        both = fails if where is None else ir.And(where, fails, type=has.type)
        written = self._written_out(local, source, both)
        if written is not None:
            return f"(not ({' or '.join(text for _, text in written)}))"
        return f"next((False {self._loop(local, source, both)}), True)"

    def _all(self, op: ir.All) -> str:
        if op.where is None:
            listed = self.text(op.source) if isinstance(op.source, FRESH) else f"list({self.text(op.source)})"
        else:
            listed = f"[{op.local} {self._loop(op.local, op.source, op.where)}]"
        if op.key is None:
            return listed
        sign = "-" if op.direction == "highest" else ""
        return f"sorted({listed}, key=lambda {op.local}: {sign}{self.text(op.key)})"

    def _best(self, op: ir.Best) -> str:
        listed = f"[{op.local} for {op.local} in {self.text(op.source)}{self._where(op.where)}]"
        return f"best({listed}, lambda {op.local}: {self.text(op.measure)}, {op.best == 'most'})"

    def _the(self, op: ir.The) -> str:
        if isinstance(best := op.of, ir.Best):
            local, where = best.local, best.where
            items = self.text(best.source) if where is None else f"[{local} {self._loop(local, best.source, where)}]"
            measured = f"lambda {local}: {self.text(best.measure)}"
            return f"the_best({items}, {measured}, {best.best == 'most'}, {self._none(op)})"
        return f"the_only({self.text(op.of)}, {self._none(op)})"

    def _first(self, op: ir.First) -> str:
        if op.where is None:
            return f"first_of({self.text(op.source)}, {self._none(op)})"
        written = self._written_out(op.local, op.source, op.where)
        if written is not None:
            return f"({''.join(f'{number} if {text} else ' for number, text in written)}{self._none(op)})"
        return f"next(({op.local} {self._loop(op.local, op.source, op.where)}), {self._none(op)})"

    def _end(self, op: ir.End) -> str:
        return f"{op.which}_of({self.text(op.of)}, {self._none(op)})"

    def _none(self, op: Op) -> int:
        return none_of(op.type)

    def _element(self, op: ir.Element) -> str:
        return f"{self.text(op.source)}[{self.index(op.position)}]"

    def _count_where(self, op: ir.CountWhere) -> str:
        same = self._same_number(op.local, op.source, op.where)
        if same is not None:
            counted = f"{same[1]}.count({same[0]})"
            return f"({len(constants_in(op.source))} - {counted})" if same[2] else counted
        return f"len([1 {self._loop(op.local, op.source, op.where)}])"

    def _sum_of(self, op: ir.SumOf) -> str:
        run = self._run(op.local, op.source, op.value) if op.where is None else None
        if run is not None:
            return f"sum({run})"
        return f"sum([{self.text(op.value)} {self._loop(op.local, op.source, op.where)}])"

    def _fingerprint(self, op: ir.Fingerprint) -> str:
        return f"fingerprint({op.prime}, {', '.join(map(self._part, op.parts))})"

    def _part(self, part: Op) -> str:
        run = self._run(part.local, part.source, part.value) if isinstance(part, ir.Listed) else None
        return self.text(part) if run is None else run

    def _extreme_of(self, op: ir.ExtremeOf) -> str:
        listed = self._run(op.local, op.source, op.value) if op.where is None else None
        if listed is None:
            listed = f"[{self.text(op.value)} for {op.local} in {self.text(op.source)}{self._where(op.where)}]"
        if op.otherwise is None:
            return f"{op.which}({listed})"
        return f"{op.which}({listed}, default={self.text(op.otherwise)})"

    def _extreme(self, op: ir.Extreme) -> str:
        texts = list(dict.fromkeys(self.text(item) for item in op.items))
        return texts[0] if len(texts) == 1 else f"{op.which}({', '.join(texts)})"

    def _range(self, op: ir.Range) -> str:
        if isinstance(op.low, ir.Const) and isinstance(op.high, ir.Const):
            return self.constant(constants_in(op))
        return f"range({self.text(op.low)}, {self.text(op.high)} + 1)"

    def _join(self, op: ir.Join) -> str:
        if len(op.items) == 1 and not op.items[0].is_set and op.items[0].none is None:
            return f"({self.text(op.items[0].of)},)"
        constants = [item.of.values for item in op.items if item.is_set and isinstance(item.of, ir.Sequence)]
        if len(constants) == len(op.items):
            return self.constant(tuple(dict.fromkeys(number for values in constants for number in values)))
        parts = []
        for item in op.items:
            if item.is_set:
                parts.append(self.text(item.of))
            elif item.none is None:
                parts.append(f"({self.text(item.of)},)")
            else:
                parts.append(f"unless_none({self.text(item.of)}, {item.none})")
        return f"joined({', '.join(parts)})"

    def _concatenate(self, op: ir.Concatenate) -> str:
        parts = [f"*{self.text(item.of)}" if item.is_set else self.text(item.of) for item in op.items]
        return f"({', '.join(parts)},)"

    def _up_to(self, op: ir.UpTo) -> str:
        return f"up_to({self.text(op.source)}, lambda {op.local}: {self.condition(op.stop)})"

    def _without(self, op: ir.Without) -> str:
        test = "not in" if op.is_set else "!="
        return f"[e_ for e_ in {self.text(op.source)} if e_ {test} {self.text(op.left_out)}]"


# ---------------------------------------------------------------------------- maps


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
        """The arguments of a search: a function from an edge to its cost, or None if the edge is not taken, and the
        nodes at which ways stop."""
        price = self.text(op.cost)
        if op.where is not None:
            price = f"{price} if {self.condition(op.where)} else None"
        if not op.every_edge:
            price = f"({price}) if {op.edge} in {self.text(op.edges)} else None"
        return f"lambda {op.edge}: {price}, {self._stops(op.stops)}"

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

    def __init__(self, layout: Layout, sites: list[Site]) -> None:
        super().__init__(layout)
        self.sites = sites
        self.chosen = ""

    def text(self, op: Op) -> str:
        if type(op) in OPERATIONS:
            return OPERATIONS[type(op)].format_map(Holes(op, self))
        method: Callable[[Op], str] = getattr(self, handler(type(op)))
        return method(op)

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


class Holes:
    """What is filled in for the names in a template: operations, and tuples of them, as text; all else as it is."""

    def __init__(self, node: ir.Op | ir.Ins, texts: ExpressionEmitter) -> None:
        self.node, self.texts = node, texts

    def __getitem__(self, name: str) -> object:
        if name == "at":
            return self.texts.at
        value = getattr(self.node, name)
        if isinstance(value, tuple) and all(isinstance(item, ir.Op) for item in value):
            return self.texts.sequence_of(value)
        return self.texts.text(value) if isinstance(value, ir.Op) else value
