"""How two rulesets differ: constants, tables, rules, hooks. It stands on top of every comparison, so that a reader
knows what is compared with what."""

from __future__ import annotations

import re
from difflib import unified_diff
from typing import Any

from ..check.program import AttributeTable, Program
from ..check.show import show_program
from ..compile.load import checked_program
from ..ruleset.unsaved import laid_over
from .settings import with_settings

_NUMBER = re.compile(r"#\d+")  # of a local: `p#0`
_MOST_LINES = 30  # of each rule that differs


def program_of(name: str, players: int, sets: tuple[str, ...] = ()) -> Program:
    """The checked program of a game with settings."""
    asked, texts = with_settings(name, sets, players)
    with laid_over(texts):
        return checked_program(asked, players)


def difference_of(first: Program, second: Program) -> list[dict[str, Any]]:
    """What differs, each with `what` (constant, table, rule), its name, and the lines that say how."""
    return [*_constants(first, second), *_tables(first, second), *_rules(first, second)]


def _constants(first: Program, second: Program) -> list[dict[str, Any]]:
    names = dict.fromkeys([*first.constants, *second.constants])
    found = []
    for name in names:
        ours, theirs = first.constants.get(name), second.constants.get(name)
        if ours != theirs:
            found.append(_entry("constant", name, [f"{_value(ours)} -> {_value(theirs)}"]))
    return found


def _value(value: int | None) -> str:
    return "none" if value is None else str(value)


def _tables(first: Program, second: Program) -> list[dict[str, Any]]:
    """Rows that only one has, and values that differ, table by table."""
    found = []
    ours, theirs = ({row.id: row for row in program.rows} for program in (first, second))
    for mark, one, other in (("-", ours, theirs), ("+", theirs, ours)):
        for row in one.values():
            if row.id not in other:
                found.append(_entry("row", row.id, [f"{mark} {row.kind} {row.name}"]))
            elif mark == "+" and len(row.pieces) != len(other[row.id].pieces):
                found.append(_entry("row", row.id, [f"{len(other[row.id].pieces)} -> {len(row.pieces)} pieces"]))
    if [row.id for row in first.rows] != [row.id for row in second.rows]:
        return found  # pieces are numbered otherwise: values cannot be laid side by side by number
    tables = {(table.of, table.owner, table.name): table for table in second.attributes}
    for table in first.attributes:
        other_table = tables.get((table.of, table.owner, table.name))
        if other_table is not None and table.values != other_table.values:
            found.append(
                _entry("table", f"{table.owner or table.of}.{table.name}", _changed(table, other_table, first))
            )
    return found


def _changed(table: AttributeTable, other: AttributeTable, program: Program) -> list[str]:
    names = _names(table.of, program)
    lines: dict[str, None] = {}
    for number, (ours, theirs) in enumerate(zip(table.values, other.values, strict=False)):
        if ours != theirs:
            name = names[number] if number < len(names) else str(number)
            lines.setdefault(f"{name}: {ours} -> {theirs}")
    return list(lines)[:_MOST_LINES]


def _names(of: str, program: Program) -> list[str]:
    """What the things that a table speaks of are called in the data; nothing for those known by number."""
    match of:
        case "piece":
            return [program.rows[piece.row].id for piece in program.pieces]
        case "node":
            return [node.id for node in program.nodes]
        case "edge":
            return [edge.id for edge in program.edges]
        case _:
            return []


def _rules(first: Program, second: Program) -> list[dict[str, Any]]:
    """Declarations as the checked program prints them: rules with their hooks, scores, ranks, fields and places."""
    ours, theirs = _declarations(first), _declarations(second)
    found = []
    for name in dict.fromkeys([*ours, *theirs]):
        if ours.get(name) == theirs.get(name):
            continue
        lines = list(unified_diff(ours.get(name, []), theirs.get(name, []), lineterm="", n=0))
        changed = [line for line in lines[2:] if not line.startswith("@@")]
        more = len(changed) - _MOST_LINES
        told = changed[:_MOST_LINES] + ([f"… {more} more lines"] if more > 0 else [])
        what = "rule" if name in ours and name in theirs else "rule added" if name in theirs else "rule removed"
        found.append(_entry(what, name, told))
    return found


def _declarations(program: Program) -> dict[str, list[str]]:
    """Each printed declaration under its first line. The numbers of locals say nothing to a reader."""
    head, *others = _NUMBER.sub("", show_program(program)).strip().split("\n\n")
    found = {"the things and the table": head.splitlines()[1:]}
    for block in others:
        first, *lines = block.splitlines()
        name = first.split("(")[0].removesuffix(" when -")
        found["setup" if name == "setup setup" else name] = [first, *lines]
    return found


def _entry(what: str, name: str, lines: list[str]) -> dict[str, Any]:
    return {"what": what, "name": name, "lines": lines}


def difference_lines(difference: list[dict[str, Any]], most: int = 24) -> list[str]:
    """For the terminal: what differs, in a few lines."""
    if not difference:
        return ["  nothing: both have the same rules and data"]
    lines: list[str] = []
    for entry in difference:
        if entry["what"] == "constant" or entry["what"] == "row":
            lines.append(f"  {entry['what']} {entry['name']}: {entry['lines'][0]}")
        else:
            lines.append(f"  {entry['what']} {entry['name']}")
            lines += [f"    {line}" for line in entry["lines"]]
    more = len(lines) - most
    return lines[:most] + ([f"  … {more} more lines (in the data and on the page)"] if more > 0 else [])
