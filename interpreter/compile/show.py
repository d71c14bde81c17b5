"""The IR of a game as text: one routine after the other, segments and blocks indented, one instruction a line.

For people who want to see what lowering made of a rule, and for tests that hold it to that. Names are those of the
classes in `ir`, written as words; operands come in the order of their fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from . import ir
from .ir import Block, Ins, Op, Part, Routine, Site
from .unit import Unit


def show_ir(unit: Unit) -> str:
    """Everything that lowering made, in the order in which it is emitted."""
    lines: list[str] = []
    for name in sorted(unit.routines):
        lines += [*_show_routine(unit.routines[name]), ""]
    for site in unit.sites:
        lines += _show_site(site)
    for payment in unit.payments.made:
        lines += _show_payment(payment)
    return "\n".join(lines).rstrip() + "\n"


def _show_routine(routine: Routine) -> Iterator[str]:
    yield f"{routine.kind} {routine.name}({', '.join(routine.params)})"
    kept = routine.slots[len(routine.params) :]
    if kept:
        yield f"  keeps {', '.join(kept)}"
    yield from show_block(routine.body, 1)
    for segment in routine.segments:
        yield f"  segment {segment.number}" + (f": {segment.note}" if segment.note else "")
        yield from show_block(segment.body, 2)


def show_block(body: Block, depth: int) -> Iterator[str]:
    """Instructions line by line, so deep inside."""
    for ins in body:
        values = [value for value in ir.values_of(ins) if not isinstance(value, list)]
        yield "  " * depth + " ".join([words(ins), *map(show_value, values)])
        for number, block in enumerate(ir.blocks_of(ins)):
            if number and block:
                yield "  " * depth + "else"
            yield from show_block(block, depth + 1)


def words(node: Op | Part | Ins) -> str:
    """The name of a node's class in small letters: `CallFrame` is `call_frame`."""
    return re.sub("(?<!^)(?=[A-Z])", "_", type(node).__name__).lower()


def show_value(value: object) -> str:
    """An operation as a call of its operands; locals, numbers and names as they are."""
    match value:
        case ir.Local():
            return value.name
        case ir.Const():
            return str(value.value)
        case Op():
            return f"{words(value)}({', '.join(map(show_value, ir.values_of(value)))})"
        case Part():
            return "(" + ", ".join(map(show_value, ir.values_of(value))) + ")"
        case tuple():
            return "(" + ", ".join(map(show_value, value)) + ")"
    return "-" if value is None else str(value)


def _show_site(site: Site) -> Iterator[str]:
    tried = f", tried {', '.join(map(str, site.trial_branches))}" if site.trial_branches else ""
    yield f"site {site.number}: {site.kind} in {site.rule}{tried}"
    for number, branch in enumerate(site.branches):
        domains = ", ".join(f"{thing} from {low}, {size}" for thing, low, size in branch.domains)
        yield f"  branch {number}: {domains or 'nothing bound'}"


def _show_payment(payment: ir.Payment) -> Iterator[str]:
    yield f"payment {payment.number}"
    for cost in payment.costs:
        yield f"  cost{f' {cost.pattern}' if cost.pattern else ''}, {cost.values} values"
        for source in cost.sources:
            yield f"    {show_value(source)}"
