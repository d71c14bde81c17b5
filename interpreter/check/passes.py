"""The passes over a checked program that need the whole of it: visibility, loops, effort, size, labels, tails, use.

They change nothing and add findings. An unused declaration is a warning; a leak or an endless loop is an error. The
short ones, on effort, size, magnitude, labels and tails, stand here.

**Effort** bounds the number of steps that evaluating an expression can take; too many is a finding. Statements are
counted at run time, and a runaway loop is a fault; in an expression nothing is counted. But everything an expression
iterates over is finite and its size is known here, so a bound can be computed: the size of the set, times the steps for
each element. A call of a value costs as much as the value itself plus everything that may replace it.

**Magnitude**: how large a number can become while it is worked out. A field has a range, and so have parameters,
results and table cells. What is worked out in between has none: `let b = a * a`, `let c = b * b` doubles the number of
digits with every line, and fifty such lines ask for more digits than there is memory for. Names never change and loops
keep nothing but fields, so nothing else lets a number grow. So a bound on its bits can be computed from the text, and
what may go beyond `MOST_BITS` is a finding. No rulebook multiplies that much.

**Labels**: options of one decision that nobody can tell apart, because they have the same text, no values, and are both
offered at once. `also in` puts options of several layers into one decision, so two authors may have chosen the same
words. If both options have a condition, the conditions may exclude one another; only what is certainly ambiguous is
reported.

**Tails**: a `no x in S has A or B` whose B does not speak of x. A quantifier takes everything that follows it. So
`until no q in players has q.coins > 0 or clock >= 5` means "until nobody has coins, and the clock is below 5", and the
game never ends. An author who writes that means `(no q in players has q.coins > 0) or clock >= 5`. With `some` and
`every` both readings come to the same as soon as the set is not empty, so only `no` (and `not some`) is reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from ..diagnostics.diagnostic import Diagnostics, Label
from . import program as p
from .expression_forms import asked_rule
from .loops import check_loops
from .program import Program
from .sizes import place_size
from .use import check_use
from .value_types import MapEdge, MapNode, Number, Piece, PlaceOf, Player, SetOf, VType, bare, element_of
from .visibility import check_visibility
from .walk import Node, called_rules, parts, speaks_of, walk, walk_program, walk_rule


def run_passes(program: Program, found: Diagnostics) -> None:
    rules = program.all_rules()
    check_visibility(program, found)
    check_loops(program, found)
    check_effort(program, rules, found)
    check_size(program, found)
    check_magnitude(walk_program(program), found)
    check_labels(walk_program(program), found)
    check_tails(program, found)
    check_beginnings(program, found)
    check_set_back(program, found)
    check_use(program, found)


def run_passes_on_sound(program: Program, broken: set[p.RuleDecl], has_losses: bool, found: Diagnostics) -> None:
    """The passes on a program with errors, as far as what is missing cannot mislead them.

    Loops, effort and labels are looked at in every rule that is whole and calls only whole rules. What players know
    depends on all that happens before: a missing `reveal` would turn every later use of the card into a leak. So
    visibility is followed only if every rule is whole, and the errors are elsewhere. Whether something is used is never
    known.
    """
    rules = program.all_rules()
    sound = [rule for rule in rules if broken.isdisjoint((rule, *called_rules(walk_rule(rule))))]
    if not broken and not has_losses:
        check_visibility(program, found)
    check_loops(program, found, sound)
    check_effort(program, sound, found)
    check_labels((node for rule in sound for node in walk_rule(rule)), found)


# ---------------------------------------------------------------------------- effort


MOST_STEPS = 50_000_000
LONGEST_RANGE = 100_000


def check_effort(program: p.Program, rules: Iterable[p.RuleDecl], found: Diagnostics) -> None:
    effort = Effort(program)
    for rule in rules:
        for node in walk_rule(rule):
            if isinstance(node, p.NumberRange) and effort.size(node) > LONGEST_RANGE:
                what = f"a set of up to {effort.size(node):,} numbers"
                help = f"{LONGEST_RANGE:,} numbers are the limit of a set"
                found.error("R0475", what, node.span, "too many to go over", help=help)
        if any(_is_too_costly(expr, effort.steps(expr), found, params=rule.params) for expr in _top_level(rule)):
            return  # expressions that use this one would be reported for the same reason
    _check_ends(program, effort, found)


def _is_too_costly(
    expr: p.Expr, steps: int, found: Diagnostics, what: str = "working this out", params: tuple[p.LocalDecl, ...] = ()
) -> bool:
    if steps > MOST_STEPS:
        help = f"go over less at a time: {MOST_STEPS:,} steps are the limit"
        if any(isinstance(part, p.PlaceRef) and not part.place.limited for part in walk(expr)):
            help += "; `capacity n` behind a place says how few it holds"
        read = dict.fromkeys(part.local for part in walk(expr) if isinstance(part, p.LocalVar))
        given = [one for one in read if one in params and isinstance(one.type, SetOf)]
        sets = [one.name for one in given if isinstance(element_of(one.type), Piece)]
        notes = tuple(
            f"`{name}` counts with all pieces of its kind: name a place in here instead, `in p.hand`, with a capacity"
            for name in sets
        )
        told = f"{what} may take {steps:,} steps"
        found.error("R0476", told, expr.span, "goes over too much", notes=notes, help=help)
    return steps > MOST_STEPS


def _check_ends(program: p.Program, effort: Effort, found: Diagnostics) -> None:
    """Scores and ranks belong to no step that a budget counts, so all of them together have a bound of their own: every
    line and every criterion, for every player."""
    lines = [line.value for block in program.scores for line in block.lines]
    criteria = [expr for _, expr in program.rank.criteria if expr is not None] if program.rank is not None else []
    costs = {expr: effort.steps(expr) * program.players for expr in (*lines, *criteria)}
    costliest = max(costs, key=lambda expr: costs[expr], default=None)
    if costliest is not None:
        _is_too_costly(costliest, sum(costs.values()), found, "scores and ranks together, of which this takes most,")


def _top_level(rule: p.RuleDecl) -> list[p.Expr]:
    """The expressions of a rule that are not part of another expression."""
    outer: list[p.Expr] = []
    inner: set[int] = set()
    for node in walk_rule(rule):
        if isinstance(node, p.Expr):
            if id(node) not in inner:
                outer.append(node)
            inner |= {id(part) for part in walk(node) if part is not node}
    return outer


class Effort:
    """Upper bounds on the steps that working something out takes, from the sizes of sets alone."""

    def __init__(self, program: p.Program) -> None:
        self.program = program
        self.known: dict[tuple[p.RuleDecl, tuple[int, ...]], int] = {}
        self.sizes: dict[p.LocalDecl, int] = {}  # of sets that have a name: `let low = all c in …`, and parameters

    def steps(self, node: Node | None) -> int:
        """An upper bound on the steps that evaluating a node takes."""
        if node is None:
            return 0
        rule = asked_rule(node) if isinstance(node, p.Expr) else None
        called = self._value(rule, self._sizes_given(node)) if rule is not None and rule.form == "value" else 0
        if isinstance(node, p.Let) and isinstance(node.value.type, SetOf):
            self.sizes[node.local] = self.size(node.value)
        if isinstance(node, p.LongestLine):
            return 1 + 64 * self.steps(node.where)
        inside = list(parts(node))
        # `some a in S has some b in T has C`: C is evaluated once for each element of S, times each of T. The `where`
        # and the sort key of a binder are evaluated once per element of its own source.
        times, steps = 1, 1 + called
        for binder in inside:
            if isinstance(binder, p.Binder):
                size = self.size(binder.source)
                steps += self.steps(binder.source) + size * (1 + self.steps(binder.where) + self.steps(binder.key))
                times *= max(size, 1)
        return steps + times * sum(self.steps(part) for part in inside if not isinstance(part, p.Binder))

    def _sizes_given(self, node: Node) -> tuple[int, ...]:
        """How large the sets are that a value is called with: of `is_meld((a, b, c))` it goes over three cards."""
        args = node.args if isinstance(node, p.ValueCall) else ()
        return tuple(self.size(arg) if isinstance(arg.type, SetOf | PlaceOf) else 1 for arg in args)

    def _value(self, rule: p.RuleDecl, given: tuple[int, ...]) -> int:
        key = (rule, given)
        if key not in self.known:
            self.known[key] = 0  # ends the recursion; a value that uses itself is reported by cycles.py
            self.sizes.update(zip(rule.params, given, strict=False))
            own = self.steps(rule.expression) + sum(self.steps(stmt) for stmt in rule.body)
            instead = sum(self._value(hook, given) + self.steps(hook.when) for hook in rule.instead)
            self.known[key] = own + instead
        return self.known[key]

    def size(self, source: p.Expr) -> int:
        """An upper bound on the number of elements of a set or place."""
        match source:
            case p.AllOf():
                return len(source.domain)
            case p.NumberRange():
                numbers = bare(source.type)
                of = numbers.of if isinstance(numbers, SetOf) else numbers
                return of.high - of.low + 1 if isinstance(of, Number) else 1
            case p.Selected():
                return self.size(source.binder.source)
            case p.SetList():
                return sum(self.size(item) if isinstance(item.type, SetOf | PlaceOf) else 1 for item in source.items)
            case p.LocalVar() if source.local in self.sizes:
                return self.sizes[source.local]
            case p.PlaceRef():
                return place_size(source)
            case p.MapQuery(name="neighbours"):
                return max((len(others) for others in source.map.neighbours.values()), default=0)
            case p.MapQuery(name="edges"):
                return max((len(edges) for edges in source.map.edges_of.values()), default=0)
            case p.MapQuery(name="ends"):
                return 2
        return self._size_of_type(source.type)

    def _size_of_type(self, value_type: VType) -> int:
        of = bare(value_type)
        of = bare(of.of) if isinstance(of, SetOf) else of
        match of:
            case Piece() | PlaceOf():
                kinds = self.program.kinds
                return sum(kinds[kind].count for kind in of.kinds if kind in kinds) or len(self.program.pieces)
            case MapNode():
                return len(self.program.nodes)
            case MapEdge():
                return len(self.program.edges)
            case Player():
                return self.program.players
            case Number():
                return min(of.high - of.low + 1, LONGEST_RANGE)
        return 64


MOST_NUMBERS = 1_000_000


def check_size(program: p.Program, found: Diagnostics) -> None:
    """The whole state: fields and places with all their owners and indexes. Every copy of a game has all of it."""
    numbers = 0
    state: tuple[p.StateDecl, ...] = (*program.fields, *program.places)
    for declared in state:
        dimensions = [declared.owner_dimension, *declared.dimensions, getattr(declared, "slot_dimension", None)]
        numbers += prod(dimension.size for dimension in dimensions if dimension is not None)
        if numbers > MOST_NUMBERS:
            what = f"the fields and places of this game are {numbers:,} numbers or more"
            help = f"{MOST_NUMBERS:,} are the limit of a whole game: use fewer or shorter indexes"
            found.error("R0478", what, declared.span, "too many with this one", help=help)
            return


def check_labels(nodes: Iterable[Node], found: Diagnostics) -> None:
    for node in nodes:
        if isinstance(node, p.ChooseOne | p.AnyOrder):
            _tell_apart(node.branches, found)


def _tell_apart(branches: Sequence[p.BranchDecl], found: Diagnostics) -> None:
    first: dict[str, p.BranchDecl] = {}
    for branch in branches:
        if branch.binders or branch.otherwise or not all(isinstance(part, str) for part in branch.label.parts):
            continue
        earlier = first.setdefault(branch.label.raw, branch)
        if earlier is not branch and not (_is_bound(earlier) and _is_bound(branch)):
            what = f"two options of one decision read “{branch.label.raw}”"
            others = (Label(earlier.span, "from this one"),)
            help = "give one of them another text"
            found.warning("R0758", what, branch.span, "nobody can tell this one", others=others, help=help)


def _is_bound(branch: p.BranchDecl) -> bool:
    """True if the option is offered only under a condition: its own, or one at the start of its block."""
    block = branch.body
    if branch.is_call and isinstance(block[0], p.CallRule):
        block = block[0].rule.body
    return branch.condition is not None or (bool(block) and isinstance(block[0], p.Require))


# ---------------------------------------------------------------------------- tails


def check_tails(program: p.Program, found: Diagnostics) -> None:
    for node in walk_program(program):
        match node:
            case p.Not(of=p.Quantified(which="some", has=p.Logic() as has, binder=binder) as quantified):
                pass
            case _:
                continue
        local = binder.local
        ends_with_it = has.span.end == quantified.span.end  # a condition in brackets ends before them
        # If neither side speaks of x, the author may mean it; if the left one does not, nothing looks as if it ended
        # there.
        if ends_with_it and speaks_of(has.left, local) and not speaks_of(has.right, local):
            before = " ".join(quantified.span.text[: has.right.span.start - quantified.span.start].split())
            tail = " ".join(has.right.span.text.split())
            what = f"`{has.op} {tail}` belongs to this `has`, and does not speak of `{local.name}`"
            label = f"holds if no `{local.name}` meets all of it"
            others = (Label(has.right.span, f"nothing here is about `{local.name}`"),)
            put = f"write `({before.removesuffix(has.op).strip()}) {has.op} {tail}`"
            help = f"{put}, or put brackets round what stands behind `has`"
            found.warning("R0759", what, quantified.span, label, others=others, help=help)


def check_beginnings(program: p.Program, found: Diagnostics) -> None:
    """An `and` that begins a line below an `or`: it looks as if it joined the lines, and binds to the last part only.

    where a.mine or a.free
    and a.row > 2            # a.mine or (a.free and a.row > 2)
    """
    for node in walk_program(program):
        if isinstance(node, p.Logic) and node.op == "or" and isinstance(node.right, p.Logic) and node.right.op == "and":
            inner = node.right
            text, before = node.span.source.text, node.left.span.end
            begins = "\n" in text[inner.left.span.end : inner.right.span.start].split("and")[0]
            if begins and not set("(\n") & set(text[before : inner.left.span.start]):
                what = "this `and` belongs to what stands behind `or`, not to the whole line above"
                help = "put brackets round what belongs together: `(a or b) and c`, or `a or (b and c)`"
                others = (Label(inner.left.span, "joined with this alone"),)
                found.warning("R0762", what, inner.right.span, "begins a line", others=others, help=help)


# ---------------------------------------------------------------------------- rules that run inside themselves


def check_set_back(program: p.Program, found: Diagnostics) -> None:
    """A field `this RULE` that the rule reads, where the rule calls itself: each inner run sets it back again.

    each City
      burst: flag this infect      # meant: each city bursts once in a chain
    effect infect(c: City) depth 9
      if c.burst                   # never: the call below has set all of them back
    """
    for rule in program.rules.values():
        inner = _inside_itself(rule) if rule.resets and rule.depth is not None else frozenset()
        read = {node.field for one in inner for node in walk_rule(one) if isinstance(node, p.FieldRead)}
        for field in rule.resets:
            if field in read:
                others = (Label(rule.span, "calls lead back here"),)
                help = f"let `{rule.name}` call another effect with `depth`, which goes on by itself"
                what = f"`{field.name}` is set back each time `{rule.name}` begins, also inside itself"
                found.warning("R0761", what, field.span, "it does not last", others=others, help=help)


def _inside_itself(rule: p.RuleDecl) -> frozenset[p.RuleDecl]:
    """The rules through which a rule calls itself, it among them; nothing if it does not."""
    reached = called_rules(walk_rule(rule))
    return frozenset(one for one in reached if rule in called_rules(walk_rule(one))) if rule in reached else frozenset()


MOST_BITS = 512
_STORED = 32  # bits of what is no number
_COUNTED = 17  # what a sum adds to the bits of its parts: a set has at most 100,000 elements


def check_magnitude(nodes: Iterable[Node], found: Diagnostics) -> None:
    """Reports the first expression that may have too many bits, of parts that have not."""
    met = list(nodes)
    bits = _Bits({node.local: node.value for node in met if isinstance(node, p.Let)})
    for node in met:
        if isinstance(node, p.Arithmetic | p.SumOf) and bits.of(node) > MOST_BITS:
            if all(bits.of(part) <= MOST_BITS for part in parts(node) if isinstance(part, p.Expr)):
                what = f"this number may have {bits.of(node):,} binary digits"
                help = f"{MOST_BITS} are the limit; keep what is worked out on the way in a field, which has a range"
                found.error("R0480", what, node.span, "grows too large", help=help)
                return


class _Bits:
    """An upper bound on the binary digits of a value."""

    def __init__(self, lets: dict[p.LocalDecl, p.Expr]) -> None:
        self.lets = lets
        self.known: dict[p.LocalDecl, int] = {}

    def of(self, expr: p.Expr) -> int:
        match expr:
            case p.Arithmetic(op="*"):
                return self.of(expr.left) + self.of(expr.right)
            case p.Arithmetic(op="mod"):
                return self.of(expr.right)
            case p.Arithmetic():
                return max(self.of(expr.left), self.of(expr.right)) + 1
            case p.SumOf():
                return self.of(expr.value) + _COUNTED
            case p.LocalVar() if expr.local in self.lets:
                return self._named(expr.local)
            case (
                p.IfElse()
                | p.Otherwise()
                | p.Extreme()
                | p.ExtremeOf()
                | p.Negative()
                | p.Builtin(name="abs" | "public")
            ):
                return max((self.of(part) for part in parts(expr) if isinstance(part, p.Expr)), default=_STORED)
        number = bare(expr.type)
        return max(abs(number.low), abs(number.high)).bit_length() if isinstance(number, Number) else _STORED

    def _named(self, local: p.LocalDecl) -> int:
        if local not in self.known:
            self.known[local] = self.of(self.lets[local])
        return self.known[local]
