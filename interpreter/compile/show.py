"""The IR of a game as text: one routine after the other, segments and blocks indented, one instruction a line.

For people who want to see what lowering made of a rule, and for tests that hold it to that.
"""

from __future__ import annotations

from collections.abc import Iterator

from .ir import Ins, Op, Routine, Site
from .unit import Unit


def show_ir(unit: Unit) -> str:
    """Everything that lowering made, in the order in which it is emitted."""
    lines: list[str] = []
    for name in sorted(unit.routines):
        lines += [*_show_routine(unit.routines[name]), ""]
    for site in unit.sites:
        lines += _show_site(site)
    return "\n".join(lines).rstrip() + "\n"


def _show_routine(routine: Routine) -> Iterator[str]:
    yield f"{routine.kind} {routine.name}({', '.join(routine.params)})"
    kept = routine.slots[len(routine.params) :]
    if kept:
        yield f"  keeps {', '.join(kept)}"
    yield from _show_block(routine.body, 1)
    for segment in routine.segments:
        yield f"  segment {segment.number}" + (f": {segment.note}" if segment.note else "")
        yield from _show_block(segment.body, 2)


def _show_block(body: list[Ins], depth: int) -> Iterator[str]:
    for ins in body:
        yield "  " * depth + " ".join([ins.op, *(show_value(arg) for arg in ins.args)])
        for number, block in enumerate(ins.blocks):
            if number and block:
                yield "  " * depth + "else"
            yield from _show_block(block, depth + 1)


def show_value(value: object) -> str:
    """An operation as a call of its arguments; locals, numbers and names as they are."""
    if isinstance(value, Op):
        if value.op in ("local", "const"):
            return str(value.args[0])
        return f"{value.op}({', '.join(show_value(arg) for arg in value.args)})"
    if isinstance(value, tuple):
        return "(" + ", ".join(show_value(item) for item in value) + ")"
    return "-" if value is None else str(value)


def _show_site(site: Site) -> Iterator[str]:
    tried = f", tried {', '.join(map(str, site.trial_branches))}" if site.trial_branches else ""
    yield f"site {site.number}: {site.kind} in {site.rule}{tried}"
    for number, branch in enumerate(site.branches):
        domains = ", ".join(f"{thing} from {low}, {size}" for thing, low, size in branch.domains)
        yield f"  branch {number}: {domains or 'nothing bound'}"
