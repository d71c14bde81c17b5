"""The small typed instruction set between the checked program and a backend.

By the time a rule is IR, every name is an address: fields and slots are offsets into one flat array, other places
are numbers of lists, pieces and their attributes are indexes into constant tables. Hooks are woven in, small
values are written out in place, and a rule that decides is cut into segments at its decisions. A backend prints
instructions; it never looks anything up and never invents behaviour.

An expression is an `Op`: operation, arguments (Ops, numbers, names or tuples of them), type. A statement is an `Ins`:
the same with blocks. `OPERATIONS` and `INSTRUCTIONS` describe each in a line; `invariants.py` holds any IR to them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..check.value_types import VType
from ..diagnostics.source import NOWHERE, Span

OPERATIONS: dict[str, str] = {
    "const": "(number) a number of any type",
    "sequence": "(numbers…) a constant set",
    "local": "(name) a local of the routine",
    "address": "(base, ((index, stride, low)…), optional) base + sum of (index - low) * stride; -1 if one is none",
    "field": "(address, none) the number in the state array there; none if the address is -1",
    "slot": "(address) the piece in the slot there, -1 if there is none",
    "face": "(die) what a die shows",
    "list": "(address) the contents of a list place, in its order, live",
    "group": "(address, size) the pieces in the slots from there on",
    "slot_list": "(address) the piece of one slot as a set of none or one",
    "boxed": "(ranges) the pieces of these ranges (low, high) that are in the box",
    "lookup": "(table, index, more…) a constant table; index -1 gives none at every level",
    "indexed": "(index, values…) the elements of a constant set whose printed attributes have these values",
    "row": "(base 0, ((argument, stride, low)…)) the row number of a chart",
    "add": "(a, b)",
    "subtract": "(a, b)",
    "multiply": "(a, b)",
    "divide": "(a, b) rounding down",
    "modulo": "(a, b) rounding down",
    "negative": "(a)",
    "compare": "(op, a, b, none of a or None, none of b or None) none on a side: == < <= > >= no, != yes",
    "and": "(a, b)",
    "or": "(a, b)",
    "not": "(a)",
    "if": "(condition, a, b)",
    "otherwise": "(a, b, none) b if a is none",
    "contains": "(set, item, optional)",
    "inside": "(place address, item, optional) the piece is in that list place or slot",
    "inside_group": "(first place number, size, item)",
    "in_box": "(item, optional)",
    "in_ranges": "(item, ranges) low <= item < low + size for one of them",
    "is_none": "(a, none)",
    "is_empty": "(set)",
    "is_full": "(list address, capacity)",
    "rule_running": "(rule) a frame of that rule is on the stack",
    "cell_running": "(cell)",
    "is_known": "(piece, player)",
    "some": "(local, source, where or None, has)",
    "every": "(local, source, where or None, has)",
    "gathered": "(local, source, tests) those that meet all tests, in no order, for `meets`",
    "meets": "(such a set, set) they have an element in common",
    "listed": "(local, source, value) the value of each, for `occurrences`",
    "occurrences": "(such a list, value) how often it comes there",
    "all": "(local, source, where or None, direction, key or None) a set, sorted if there is a key",
    "best": "(local, source, where or None, most|least, measure) all that are tied for the best",
    "counted": "(set) the same; as many steps as it has elements are counted against the limit",
    "distinct": "(sorted set of pieces) the first piece of each row",
    "the": "(set) the only element or none",
    "first": "(local, source, where or None) or (set): the first or none",
    "end": "(set, first|last) the element there, or none",
    "count": "(set)",
    "count_where": "(local, source, where)",
    "sum": "(local, source, where or None, value)",
    "extreme_of": "(max|min, local, source, where or None, value, otherwise or None)",
    "extreme": "(max|min, items)",
    "range": "(low, high) low..high",
    "join": "((element | set, is_set, none or None)…) without repetition",
    "concatenate": "((element | set, is_set, None)…) one after the other, repetitions kept",
    "without": "(set, item or set, is_set)",
    "from": "(set, item) turned to begin with item",
    "after": "(set, item) what follows item, round to the one before it",
    "players": "() seats still in",
    "next": "(player) the next seat still in",
    "value": "(routine, args…) a pure routine",
    "formula": "(cell, player) the value of a formula cell, 0 for none",
    "on_trial": "() this is a trial, not the game",
    "unsure": "() neither yes nor no",
    "is_unsure": "(answer) it is neither yes nor no",
    "can_call": "(routine, args, player or None, routine that may know or None) a trial of the call, if need be",
    "can_perform": "(cell, player, givens…)",
    "paid": "(payment number, player, amounts, among, picks, cost, source) the pieces that go from there for that cost",
    "rebased": "(snapshot, counts before, base, size) the snapshot, moved on by what has changed since then",
    "can_pay": "(payment number, player, amounts…)",
    "absolute": "(a)",
    "sign": "(a)",
    "where_is": "(at|holder|under, piece)",
    "position": "(set, item) from 1, 0 if it is not there",
    "public": "(a) the same, known to all from here on",
    "score": "(player)",
    "score_line": "(text, values, points) a line of a score",
    "tuple": "(items…) several values as one",
    "map_table": "(table, index, more…) a constant of a map: neighbours, edges, ends, toward, border",
    "distance": "(map, a, b)",
    "joining": "(map, a, b) the edges between two nodes",
    "line": "(map, node, direction, steps)",
    "between": "(map, a, b)",
    "ring": "(map, node, steps)",
    "spiral": "(map, node)",
    "edge": "(map, a, b) the first edge between two nodes, or none",
    "reach": "(map, start, edge local, edges, edge where, node local, nodes, node where, stops, are these all edges) "
    "locals may be None",
    "cheapest": "(map, start, goal, edge local, edges, edge where or None, cost, stops, are these all edges, "
    "is the path asked for)",
    "cheapest_to": "(map, goal, edge local, edges, edge where or None, cost, stops, are these all edges) for each node",
    "cost_from": "(such costs, start) the number there, or none",
    "groups": "(map, largest, local, source, where or None)",
    "longest_line": "(map, local, through, where)",
    "element": "(set, position from 0)",
    "append": "(set, item) the set with one more at its end",
    "has_bit": "(mask, number)",
    "memory": "(row or key) an empty memory for `once`",
    "in_range": "(value, low, high, name) the value, or a fault if it is out of range",
    "fitting": "(value, low, high, what) the same for an argument or index; what names it in words",
    "walk_on": "(row, piece, old position) the position after the piece, or the old one if it has gone",
    "still_in": "(player) that seat if it is still in, else the next that is, else none",
    "unskipped": "(set, player, local, skip) the first from that player on that is not skipped, or none",
    "snapshot": "(fields|counts, base, size) the numbers, or how many pieces lie in each place",
    "changed": "(fields|counts, base, size, snapshot, change) positions that changed that way since",
    "result": "() what the last framed call gave",
    "picked": "(index or None) what was chosen: the value, or the value at that index",
    "answer": "(what, branch…) is_pass, is_skip, or branch with its number: about the option chosen",
}

INSTRUCTIONS: dict[str, str] = {
    "let": "(local, value)",
    "limit_depth": "(rule, depth) a fault if the rule runs inside itself more often than that",
    "not_into_itself": "(piece, place) a fault if the piece carries the place",
    "store": "(address, value, low, high, mode, name) mode: fits, check (fault), cap (nearest bound), refuse",
    "store_face": "(die, value, low, high, mode, name)",
    "reset": "(base, size, number) a scoped field back to its start, for all owners",
    "move": "(local, piece, to or None, manner, behind or None, info) the local gets where it came from; may refuse",
    "take": "(local, pieces, count, exactly) the first count of a set; refusal if exactly and too few",
    "draw": "(local, from, count, exactly) the pieces that a draw from a bag takes, still in their place",
    "deal": "(local, from, to, manner, count, (exactly, track)) pieces from the front of a list to another list",
    "shuffle": "(list address)",
    "shuffle_into": "(list address, list address)",
    "swap_pieces": "(a, b)",
    "swap_places": "(address, address, is_list)",
    "pass_on": "(base, stride, size, left or right)",
    "flip": "(piece, up|down)",
    "reveal": "(set, to or None)",
    "reveal_field": "(address, to or None)",
    "roll": "(first die, count or None, low, high) one die if there is no count",
    "pick_random": "(local, set, place or None, are they pieces that may lie unseen)",
    "call": "(local or None, routine, args…) a plain routine",
    "call_frame": "(routine, args…, resume segment) a framed routine; its result is read by `result`",
    "perform": "(cell, player, givens, resume segment or None)",
    "require": "(condition, text or None, values) refusal if not",
    "pay": "(…) see payments",
    "pay_options": "(payment number, player, amounts, among, picks) what may be paid next, in the local `o`",
    "settle": "(payment number, player, amounts, among, picks, to or None) the counters that were picked are paid",
    "if": "(condition) blocks: then, else",
    "for": "(local, set) block",
    "while": "(condition, at most or None) block",
    "loop": "(times or None) block",
    "break": "() leave the innermost plain loop",
    "return": "(value or None)",
    "goto": "(segment, loop whose pass ends or 0, backward)",
    "pass_ends": "(loop) a pass of a phase's loop is over: looking ahead may be content",
    "ask": "(site, player, if possible, picked so far or None) options are in the local `o`; None: all is said",
    "begin_options": "() an empty list of options",
    "option": "(branch or None, values) adds one",
    "begin_unsure": "() an empty list of options that must be tried",
    "option_if": "(answer, branch or None, values) adds one if the answer is yes, or unsure: then it must be tried",
    "try_unsure": "(site, player, is there a list of them, may callers refuse) leaves out what is not carried through",
    "once": "(local, memory, row|key, twins) on to the next unless this piece differs from those before it",
    "filter": "(site, player, tests) only options that can be carried through; a test (branch, routine, args) may know",
    "borrow": "(address, amount) block: with so much less in that field",
    "set_options": "(candidates, picked, low or None, high or None, local, such that or None, how) pick by pick",
    "pass_option": "() passing is offered too",
    "if_no_option": "() block: only if nothing has been offered",
    "together": "(+1|-1) a block begins or ends that nobody sees into",
    "say": "(text, values, to or None)",
    "wins": "(players, text or None, values)",
    "drops_out": "(player, text or None, values)",
    "end_game": "(nobody, text or None, values)",
}


@dataclass(frozen=True, eq=False)
class Op:
    op: str
    args: tuple[Any, ...]
    type: VType
    span: Span = field(default=NOWHERE, repr=False)

    def __str__(self) -> str:
        return f"{self.op}({', '.join(_show(a) for a in self.args)})"


@dataclass(eq=False)
class Ins:
    op: str
    args: tuple[Any, ...] = ()
    blocks: tuple[list[Ins], ...] = ()
    span: Span = field(default=NOWHERE, repr=False)
    cites: tuple[str, ...] = ()


@dataclass(eq=False)
class Segment:
    """A run of instructions up to a cut. `number` is unique in the game; `loop_head`: a back edge leads here."""

    number: int
    body: list[Ins] = field(default_factory=list)
    note: str = ""
    loop: int = 0  # the innermost loop of a phase around it, known by the segment after it
    may_refuse: bool = True  # something from here to the end of the rule can be refused, for all that is known


@dataclass(eq=False)
class Routine:
    """kind: pure (a value), plain (no decision), framed. `slots` are the locals that live in the frame, in order;
    parameters come first. `rule` is the rule that people know it by; `is_phase` bounds looking ahead."""

    name: str
    kind: str
    params: tuple[str, ...]
    slots: tuple[str, ...] = ()
    slot_types: tuple[VType, ...] = ()
    body: list[Ins] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    rule: str = ""
    form: str = ""
    span: Span = NOWHERE


@dataclass(eq=False)
class Site:
    """A place in the rules where somebody decides.

    kind: choose, set, one, may, pause, order, pay. `branches`: per branch (label routine, domains of the values);
    `values_only`: options are bare values (one branch, one binder). `trial` says why look-ahead is needed, or ''.
    """

    number: int
    kind: str
    rule: str
    in_phase: bool
    prompt: int | None
    branches: list[SiteBranch] = field(default_factory=list)
    values_only: bool = False
    may_pass: bool = False
    trial: str = ""
    trial_branches: tuple[int, ...] = ()
    secret: bool = False
    silent: bool = False
    fallback: bool = False  # something else comes if nothing can be offered
    callers: bool = False  # what can be refused after it stands in rules that called this one
    steady: bool = False  # whatever happens before it, there is something to choose, and that goes through
    always: int = -1  # the branch of which that is known
    resume: int = 0
    chosen: str = ""  # set: the local with what is picked so far
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE


@dataclass(eq=False)
class SiteBranch:
    """`values`: the locals that an option binds; `domains`: for each (thing, low, size), how it is coded and named."""

    label: int | None
    values: tuple[str, ...]
    domains: tuple[tuple[str, int, int], ...]
    cites: tuple[str, ...] = ()


def _show(value: Any) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(_show(item) for item in value) + ")"
    return str(value)


def with_constant(op: Op, local: str, number: int) -> Op:
    """The operation with a number in place of a local."""
    if op.op == "local":
        return Op("const", (number,), op.type, op.span) if op.args[0] == local else op
    return Op(op.op, tuple(_constant_in(arg, local, number) for arg in op.args), op.type, op.span)


def _constant_in(arg: object, local: str, number: int) -> object:
    if isinstance(arg, tuple):
        return tuple(_constant_in(item, local, number) for item in arg)
    return with_constant(arg, local, number) if isinstance(arg, Op) else arg
