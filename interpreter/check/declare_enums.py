"""Seats, enums and constants: the declarations that everything else depends on.

An enum that contains another shares its numbers, so that a value never needs converting. All enums connected by
containment are therefore numbered together, in an order that agrees with the order in which each of them lists its
values (`<` compares numbers). If there is no such order, the enums contradict one another:

    enum C = A | B
    enum D = B | A
"""

from __future__ import annotations

from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from itertools import pairwise

from ..diagnostics.diagnostic import Label
from ..diagnostics.source import Span
from ..diagnostics.suggest import did_you_mean
from ..ruleset.gathered import Placed
from ..syntax import nodes
from ..syntax.bounds import names_in
from .constant_values import Constant, evaluate, fit
from .declare_types import members_of, type_of
from .declared import ConstantDecl, Draft
from .program import AutomaDecl, EnumDecl
from .tables import read_tables
from .value_types import EnumOf, Flag, Maybe, Number, SetOf, VType

# ---------------------------------------------------------------------------- seats


def declare_seats(draft: Draft) -> None:
    """Given names first, then `seat1 …`, then the names of automas."""
    declared = draft.declared
    for seat, name in enumerate(declared.gathered.seats[: declared.players]):
        declared.seat_names.setdefault(name, seat)
    for seat in range(declared.players):
        declared.seat_names.setdefault(f"seat{seat + 1}", seat)
    for automa, _ in draft.all(nodes.Automa):
        _declare_automa(draft, automa)


def _declare_automa(draft: Draft, automa: nodes.Automa) -> None:
    declared = draft.declared
    if not 1 <= automa.seat <= declared.gathered.most:
        what = f"there is no seat {automa.seat}"
        declared.error("R0305", what, automa.span, f"this game has seats 1 to {declared.gathered.most}")
        return
    if automa.seat > declared.players:
        return
    seat = automa.seat - 1
    if any(other.seat == seat for other in declared.automas):
        declared.error("R0306", f"seat {automa.seat} has an automa already", automa.span, "a second one")
        return
    if declared.seat_names.get(automa.name.text, seat) != seat:
        what = f"`{automa.name.text}` is another seat"
        declared.error("R0306", what, automa.name.span, help="give the automa another name")
        return
    declared.automas.append(AutomaDecl(seat, automa.name.text, automa.first_options))
    declared.seat_names[automa.name.text] = seat


# ---------------------------------------------------------------------------- enums


@dataclass(frozen=True)
class _Value:
    """A value of an enum: the enum that names it, and its name there."""

    enum: str
    id: str


@dataclass
class _Listed:
    """An enum with all its values listed, those of contained enums included where they are named."""

    node: nodes.Enum
    values: list[_Value]
    names: dict[_Value, str]
    contains: set[str]


def declare_enums(draft: Draft) -> None:
    """Fills `enums`; attributes of their values come later, when all types are known."""
    found = {enum.name.text: (enum, placed) for enum, placed in draft.types(nodes.Enum)}
    listing: dict[str, _Listed] = {}
    for name in found:
        _list_values(draft, name, found, listing, [])
    for number, group in enumerate(_groups(listing)):
        numbers = _number_values(draft, group)
        for name in group:
            _fill(draft, name, group[name], numbers, number)
    # Groups were filled one after the other. Everybody else expects enums in the order in which they are declared.
    order = list(found)
    draft.declared.enums = {name: draft.declared.enums[name] for name in order if name in draft.declared.enums}


def _list_values(
    draft: Draft, name: str, found: dict[str, tuple[nodes.Enum, Placed]], listing: dict[str, _Listed], chain: list[str]
) -> None:
    if name in listing:
        return
    enum, placed = found[name]
    listed = _Listed(enum, [], {}, set())
    seen: dict[str, Span] = {}
    for row in draft.rows(placed, enum.file):
        _add_value(draft, listed, _Value(name, row.id), row.name or row.id.replace("_", " "), row.span, seen)
    for member in enum.members:
        if member.text[:1].isupper():
            draft.declared.uses.add(member.span, "type", member.text)
        if not member.text[:1].isupper():
            _add_value(draft, listed, _Value(name, member.text), member.text.replace("_", " "), member.span, seen)
        elif member.text not in found:
            cure = did_you_mean(member.text, found) or f"values begin with a small letter: `{member.text.lower()}`"
            what = f"there is no enum `{member.text}`"
            draft.declared.error("R0302", what, member.span, "contained here", help=cure)
        elif member.text in chain or member.text == name:
            links = " contains ".join(f"`{link}`" for link in (*chain, name, member.text))
            what = f"the enum `{name}` contains itself"
            draft.declared.error("R0307", what, member.span, "comes round again", notes=(links,))
        else:
            _list_values(draft, member.text, found, listing, [*chain, name])
            inner = listing[member.text]
            listed.contains |= {member.text, *inner.contains}
            for value in inner.values:
                _add_value(draft, listed, value, inner.names[value], member.span, seen)
    listing[name] = listed


def _add_value(draft: Draft, listed: _Listed, value: _Value, shown: str, span: Span, seen: dict[str, Span]) -> None:
    if value.id in seen:
        what = f"`{value.id}` stands twice in the enum `{listed.node.name.text}`"
        draft.declared.error("R0308", what, span, first=seen[value.id], help="every value of an enum has its own name")
        return
    seen[value.id] = span
    listed.values.append(value)
    listed.names[value] = shown


def _groups(listing: dict[str, _Listed]) -> list[dict[str, _Listed]]:
    """Groups of enums connected by containment."""
    groups: list[set[str]] = []
    for name, listed in listing.items():
        together = {name, *listed.contains}
        apart = []
        for group in groups:
            if group & together:
                together |= group
            else:
                apart.append(group)
        groups = [*apart, together]
    return [{name: listing[name] for name in listing if name in group} for group in groups]


def _number_values(draft: Draft, group: dict[str, _Listed]) -> dict[_Value, int]:
    """One number per value, ascending within every enum of the group: a topological sort."""
    # Start from the longest listing, so that the largest enum (usually the one that contains the rest) gets numbers
    # without gaps wherever that is possible.
    by_size = sorted(group.values(), key=lambda listed: -len(listed.values))
    appearance = list(dict.fromkeys(value for listed in by_size for value in listed.values))
    position = {value: number for number, value in enumerate(appearance)}
    sorter: TopologicalSorter[_Value] = TopologicalSorter(dict.fromkeys(appearance, ()))
    for listed in group.values():
        for earlier, later in pairwise(listed.values):
            sorter.add(later, earlier)
    try:
        sorter.prepare()
    except CycleError:
        _contradiction(draft, group)
        # Any numbering will do from here on: the game is refused, and the rest is checked as far as it goes.
        return position
    numbers: dict[_Value, int] = {}
    free: list[int] = []  # the first of them in order comes next
    while sorter.is_active():
        for value in sorter.get_ready():
            heappush(free, position[value])
        value = appearance[heappop(free)]
        numbers[value] = len(numbers)
        sorter.done(value)
    return numbers


def _contradiction(draft: Draft, group: dict[str, _Listed]) -> None:
    spans = [listed.node.name.span for listed in group.values() if listed.contains]
    first, *others = spans
    what = "these enums list the values they share in different orders"
    beside = tuple(Label(span, "another order") for span in others)
    help = "list contained enums in the same order everywhere"
    draft.declared.error("R0309", what, first, "one order", others=beside, help=help)


def _fill(draft: Draft, name: str, listed: _Listed, numbers: dict[_Value, int], group: int) -> None:
    draft.declared.enums[name] = EnumDecl(
        name,
        ids=tuple(value.id for value in listed.values),
        domain=tuple(numbers[value] for value in listed.values),
        names=tuple(listed.names[value] for value in listed.values),
        span=listed.node.name.span,
        group=group,
    )


def declare_enum_attributes(draft: Draft) -> None:
    """Attributes of enums that come from tables."""
    declared = draft.declared
    for enum, placed in draft.types(nodes.Enum):
        name = enum.name.text
        rows = draft.rows(placed, enum.file)
        numbers = members_of(declared, type_of(declared, nodes.Kinds(enum.name.span, (enum.name,))))
        by_number = {numbers[row.id]: row for row in rows if row.id in numbers}
        size = max(numbers.values(), default=-1) + 1
        for table in read_tables(draft, "enum", name, name, enum.fields, by_number, size).values():
            declared.attributes[f"enum:{name}", table.name] = table
            declared.attribute_types[name, table.name] = table.type


# ---------------------------------------------------------------------------- constants


class _Constants:
    """Evaluates constants on demand: one may use another, in any order."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.nodes = {constant.name.text: constant for constant, _ in draft.all(nodes.Constant)}
        self.open: list[str] = []
        self.failed: set[str] = set()

    def find(self, name: str) -> Constant | None:
        declared = self.draft.declared
        node = self.nodes.get(name)
        if name in self.open:
            self.circle(name)
            return None
        if node is None or name in self.failed:
            return None
        if name not in declared.constants:
            self.open.append(name)
            self.work_out(node)
            self.open.pop()
        constant = declared.constants.get(name)
        return None if constant is None else Constant(constant.value, constant.type)

    def circle(self, name: str) -> None:
        links = (*self.open[self.open.index(name) :], name)
        chain = " uses ".join(f"`{link}`" for link in links)
        node = self.nodes[name]
        is_set = node.value is not None and not (
            node.value.span.source is node.span.source and node.span.start <= node.value.span.start < node.span.end
        )
        span = node.value.span if is_set and node.value is not None else node.name.span
        what = f"the constant `{name}` is defined by itself"
        self.draft.declared.error("R0311", what, span, "comes round again", notes=(chain,))

    def work_out(self, node: nodes.Constant) -> None:
        declared, name = self.draft.declared, node.name.text
        self.failed.add(name)
        if node.value is None and self.draft.is_core:
            return
        if node.value is None:
            help = f"say `set {name} = …` in the game that uses it"
            declared.error("R0312", f"the constant `{name}` has no value", node.name.span, "left open", help=help)
            return
        before = len(declared.found)
        expected = self.type_of(node)
        if len(declared.found) > before:
            return
        known = evaluate(declared, node.value, expected, self.find)
        if known is None:
            return
        value = known.value if expected is None else fit(declared, known, expected, node.value.span, f"`{name}`")
        if isinstance(value, int):
            self.failed.discard(name)
            declared.constants[name] = ConstantDecl(name, expected or known.type, value, node.name.span)

    def type_of(self, node: nodes.Constant) -> VType | None:
        if node.type is None:
            return None
        if isinstance(node.type, nodes.Range):
            for name, _ in (*names_in(node.type.low), *names_in(node.type.high)):
                self.find(name)
        value_type = type_of(self.draft.declared, node.type)
        if isinstance(value_type, Maybe | SetOf):
            self.draft.declared.error("R0415", "a constant is a number, a flag or an enum value", node.type.span)
        return value_type


def declare_constants(draft: Draft) -> None:
    constants = _Constants(draft)
    for name in constants.nodes:
        constants.find(name)
    for name, constant in draft.declared.constants.items():
        if not isinstance(constant.type, Number | Flag | EnumOf):
            what = f"`{name}` is a number, a flag or an enum value, not {constant.type}"
            draft.declared.error("R0415", what, constant.span)
