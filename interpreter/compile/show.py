"""The IR of a game as text: what `rulewright show NAME ir` prints, and what golden files hold.

One routine after the other, segments and blocks indented, one instruction per line. The line of the rules that an
instruction comes from stands above it as a comment. Names are those of the classes in `ir`, written as words.

Every node is printed from its fields: operations, names and tuples by position; numbers and flags with the name of
their field, and not at all where they say nothing (none, no, empty). So a new class needs no entry here. `FORMS` has
words for the few operations that people write with a sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..check.value_types import NO_NUMBER, Flag, VType
from ..diagnostics.source import NOWHERE, Span
from . import ir
from .bounds import Bound, Bounds, bounds_of
from .ir import Block, Ins, Op, Part, Routine, Segment, Site
from .ir.nodes import names_of
from .ranges import Range
from .unit import Unit

FORMS: dict[type[Op], str] = {
    ir.Arithmetic: "{left} {sign} {right}",
    ir.And: "{left} and {right}",
    ir.Or: "{left} or {right}",
    ir.Not: "not {of}",
    ir.Conditional: "{then} if {condition} else {otherwise}",
    ir.ReadField: "f[{address}]",
    ir.ReadSlot: "slot[{address}]",
    ir.Contents: "p[{address}]",
    ir.Element: "{source}[{position}]",
    ir.CallValue: "{routine}{args}",
}
_CLOSED = (ir.ReadField, ir.ReadSlot, ir.Contents, ir.CallValue)  # forms that need no brackets inside another
_EXAMPLE = 60  # of a longer constant set only the size is shown


def show_ir(unit: Unit, rule: str | None = None) -> str:
    """Everything that lowering made, by name; of one rule its routines, and what they mention."""
    shown = [routine for _, routine in sorted(unit.routines.items()) if rule is None or routine.rule == rule]
    found = bounds_of(unit)
    blocks: list[Iterable[str]] = [] if rule is not None else [_state(unit)]
    blocks += [_routine(routine, found) for routine in shown]
    sites = [site for site in unit.sites if rule is None or site.rule == rule]
    payments = _payments_in(shown)
    texts = _texts_in(shown, sites)
    blocks += [_site(site) for site in sites]
    blocks += [_payment(made) for made in unit.payments.made if rule is None or made.number in payments]
    blocks.append(line for number, line in enumerate(_texts(unit)) if rule is None or number in texts)
    blocks.append(_refusals(unit, rule))
    if rule is None:
        blocks += [_told(unit), _tables(unit)]
    return "\n\n".join(text for block in blocks if (text := "\n".join(block))) + "\n"


# ---------------------------------------------------------------------------- routines


def _routine(routine: Routine, found: Bounds) -> Iterator[str]:
    lines = _Lines(routine.span, found.of(routine))
    params = ", ".join(map(lines.typed, routine.params))
    result = found.results.get(routine.name)
    yield f"{routine.kind} {routine.name}({params})" + (f" -> {result}" if result is not None else "")
    if routine.span.source is not NOWHERE.source:
        file = routine.span.source.name.rpartition("/")[2]
        yield f"  # {file}:{routine.span.line}  {_line(routine.span)}"
    kept = routine.slots[len(routine.params) :]
    if kept:
        yield f"  keeps {', '.join(map(lines.typed, kept))}"
    yield from lines.block(routine.body, 1)
    for segment in routine.segments:
        yield f"  segment {segment.number}{_segment_words(segment)}"
        yield from lines.block(segment.body, 2)


def _segment_words(segment: Segment) -> str:
    said = list(dict.fromkeys(word for word in (segment.note, segment.role) if word))
    said += [f"in loop {segment.loop}"] if segment.loop else []
    return f": {', '.join(said)}" if said else ""


class _Lines:
    """The lines of one routine. It remembers which line of the rules was told last."""

    def __init__(self, head: Span, bounds: dict[str, Bound]) -> None:
        self.bounds = bounds
        self.head = self.told = (head.source, head.line)

    def typed(self, name: str) -> str:
        return f"{name}: {self.bounds[name]}" if name in self.bounds else name

    def block(self, body: Block, depth: int) -> Iterator[str]:
        indent = "  " * depth
        for ins in body:
            yield from (indent + comment for comment in self.comment(ins.span))
            yield indent + self.instruction(ins)
            for number, name in enumerate(name for name in names_of(ins) if isinstance(getattr(ins, name), list)):
                block = getattr(ins, name)
                if number and block:
                    yield indent + name
                yield from self.block(block, depth + 1)

    def comment(self, span: Span) -> Iterator[str]:
        """The line, if it is another one than before. What stands for the rule as a whole has no line of its own."""
        line = (span.source, span.line)
        if span.source is NOWHERE.source or line in (self.told, self.head):
            return
        self.told = line
        yield f"# {span.line}: {_line(span)}"

    def instruction(self, ins: Ins) -> str:
        match ins:
            case ir.Let():
                return f"let {self.typed(ins.local)} = {show_value(ins.value)}"
            case ir.For():
                return f"for {self.typed(ins.local)} in {show_value(ins.source)}"
        gets = f"{self.typed(ins.local_set)} = " if ins.local_set is not None else ""
        return gets + " ".join([words(ins), ", ".join(_fields(ins, {ins.sets}))]).rstrip()


def _line(span: Span) -> str:
    """The line of the rules, with its clause tag moved next to the text."""
    return re.sub(r" {2,}@", "  @", span.source.line_text(span.line).strip())


def show_block(body: Block, depth: int) -> Iterator[str]:
    """Instructions line by line, indented to this depth, without types."""
    return _Lines(NOWHERE, {}).block(body, depth)


# ---------------------------------------------------------------------------- values


def words(node: Op | Part | Ins) -> str:
    """The name of a node's class in small letters: `CallFrame` is `call_frame`."""
    return re.sub("(?<!^)(?=[A-Z])", "_", type(node).__name__).lower()


def show_value(value: object) -> str:
    """An operation as a call of its operands; locals, numbers and names as they are."""
    match value:
        case ir.Local():
            return value.name
        case ir.Const():
            return _constant(value.value, value.type)
        case ir.Address():
            return _address(value)
        case ir.Compare():
            left, right = _inside(value.left), _inside(value.right)
            return f"{left}{_may(value.none_left)} {value.sign} {right}{_may(value.none_right)}"
        case ir.Sequence() if len(str(value.values)) > _EXAMPLE:
            return f"sequence({value.values[0]} … {value.values[-1]}, {len(value.values)} of them)"
        case Op() if type(value) in FORMS:
            inner = {name: _inside(getattr(value, name)) for name in names_of(value)}
            return FORMS[type(value)].format(**inner)
        case Op():
            return f"{words(value)}({', '.join(_fields(value, set()))})"
        case Part():
            return f"({', '.join(_fields(value, set()))})"
        case tuple():
            return f"({', '.join(map(show_value, value))})"
        case int() if value == NO_NUMBER:
            return "none"
    return "-" if value is None else str(value)


def _inside(value: object) -> str:
    """The value as an operand: in brackets if it could be misread beside a sign."""
    open_form = isinstance(value, Op) and (type(value) in FORMS or isinstance(value, ir.Compare))
    return f"({show_value(value)})" if open_form and not isinstance(value, _CLOSED) else show_value(value)


def _may(none: int | None) -> str:
    """A question mark behind a side of a comparison that may be none."""
    return "" if none is None else "?"


def _constant(value: int, of: VType) -> str:
    if isinstance(of, Flag) and value in (0, 1):
        return "yes" if value else "no"
    return "none" if value == NO_NUMBER else str(value)


def _address(address: ir.Address) -> str:
    parts = [f"@{address.base}"]
    for term in address.terms:
        index = _inside(term.index) if not term.low else f"({_inside(term.index)} - {term.low})"
        parts.append(index if term.stride == 1 else f"{index} * {term.stride}")
    return " + ".join(parts) + (" or none" if address.optional else "")


def _fields(node: Op | Part | Ins, left_out: set[str]) -> Iterator[str]:
    for name in names_of(node):
        value = getattr(node, name)
        if name in left_out or isinstance(value, list) or value is None or value is False or value == ():
            continue
        if value is True:
            yield name
        elif isinstance(value, int):
            yield f"{name} {show_value(value)}"
        else:
            yield show_value(value)


# ---------------------------------------------------------------------------- what routines speak of


def _payments_in(routines: list[Routine]) -> set[int]:
    return {node.payment for node in _nodes(routines) if hasattr(node, "payment")}


def _texts_in(routines: list[Routine], sites: list[Site]) -> set[int]:
    found = {node.text for node in _nodes(routines) if hasattr(node, "text")}
    found |= {site.prompt for site in sites} | {branch.label for site in sites for branch in site.branches}
    return {number for number in found if number is not None}


def _nodes(routines: list[Routine]) -> Iterator[Op | Ins]:
    for routine in routines:
        yield from routine.instructions()
        yield from routine.operations()


def _site(site: Site) -> Iterator[str]:
    flags = ("may_pass", "values_only", "secret", "silent", "fallback", "callers", "steady")
    said = "".join(f", {flag.replace('_', ' ')}" for flag in flags if getattr(site, flag))
    prompt = f", text {site.prompt}" if site.prompt is not None else ""
    yield f"site {site.number}: {site.kind} in {site.rule}{prompt}{said}"
    if site.trial_branches:
        why = f": {site.trial}" if site.trial else ""
        yield f"  tried if unsure, branches {', '.join(map(str, site.trial_branches))}{why}"
    for number, branch in enumerate(site.branches):
        label = f"text {branch.label}, " if branch.label is not None else ""
        names = [*branch.values, *[""] * len(branch.domains)]
        domains = [
            f"{name}{': ' if name else ''}{thing} from {low}, {size} of them"
            for name, (thing, low, size) in zip(names, branch.domains, strict=False)
        ]
        options = f"{branch.count} from {site.first(number)} on"
        yield f"  branch {number}: {label}options {options}, {', '.join(domains) or 'nothing bound'}"


def _payment(payment: ir.Payment) -> Iterator[str]:
    yield f"payment {payment.number}"
    for cost in payment.costs:
        yield f"  cost{f' {cost.pattern}' if cost.pattern else ''}, {cost.values} values"
        for source in cost.sources:
            yield f"    source {', '.join(_fields(source, set()))}"


def _texts(unit: Unit) -> Iterator[str]:
    for text in unit.texts:
        holes = f" of {', '.join(map(show_value, text.holes))}" if text.holes else ""
        yield f'text {text.number}: "{text.raw}"{holes}'


def _told(unit: Unit) -> Iterator[str]:
    for told in unit.told:
        yield f"told {told.number}({', '.join(told.params)}): {show_value(told.value)}"


def _refusals(unit: Unit, rule: str | None) -> Iterator[str]:
    """The table of refusals. Their numbers stand in the instructions."""
    for number, refusal in enumerate(unit.refusals):
        if rule is None or refusal.rule == rule:
            name = f" {refusal.name}" if refusal.name else ""
            text = f", text {refusal.text}" if refusal.text is not None else ""
            yield f"refusal {number}: {refusal.kind}{name}{text} in {refusal.rule}"


# ---------------------------------------------------------------------------- the state, and constants


def _state(unit: Unit) -> Iterator[str]:
    """Where each field and place lies, and how much room it needs."""
    program, layout = unit.program, unit.layout
    yield f"{program.name} for {program.players}: {len(layout.start)} numbers, {layout.lists} lists"
    for place, spot in layout.places.items():
        where = f"p[{spot.base}" if spot.base < layout.lists else f"f[{spot.base - layout.lists}"
        most = f"at most {layout.capacities[place]} each" if spot.base < layout.lists else _room(layout.ranges[place])
        yield f"  {where}] {place.name}, {spot.size} of them: {place.shape} of {' | '.join(place.kinds)}, {most}"
    for field, spot in layout.fields.items():
        yield f"  f[{spot.base}] {field.name}, {spot.size} of them: {field.type}, {_room(layout.ranges[field])}"


def _room(numbers: Range) -> str:
    return f"{numbers}, {numbers.bits} bits{' signed' if numbers.signed else ''}"


def _tables(unit: Unit) -> Iterator[str]:
    """Constants by their size; what is in them comes from the tables of the ruleset."""
    for name, table in unit.tables.items():
        yield f"table {name}: {len(table.values)} of {table.type}"
    for name, printed in unit.printed.items():
        yield f"table {name}: {len(printed)} of flag"
    for name, index in unit.indexes.items():
        longest = max(map(len, index.values()), default=0)
        yield f"index {name}: {len(index)} keys, at most {longest} for each"
    for name, (board, what) in unit.map_tables.items():
        yield f"table {name}: {what} of map {board.name}, {len(board.nodes)} nodes"
