"""How two rulesets differ: constants, tables, rules, hooks. It stands on top of every comparison, so that a reader
knows what is compared with what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import unified_diff
from itertools import groupby
from typing import Any

from ..check.program import AttributeTable, Program
from ..check.show import Printer, show_program
from ..check.value_types import SetOf, VType
from ..compile.load import checked_program
from ..diagnostics.diagnostic import Diagnostics, RulesetError
from ..ruleset.gather import gather
from ..ruleset.gathered import Gathered
from ..ruleset.unsaved import laid_over
from .rule_texts import blocks_of, changed_lines, flags_of
from .settings import with_settings

_NUMBER = re.compile(r"#\d+")  # of a local: `p#0`
_MOST_LINES = 30  # of each rule that differs
_MOST_NAMES = 4  # of spaces and ways of which the same is said
_ONE_LINE = ("constant", "row", "space", "way")


@dataclass(frozen=True)
class Rules:
    """A game with settings: as it was gathered from its files, and checked."""

    gathered: Gathered
    program: Program


def rules_of(name: str, players: int, sets: tuple[str, ...] = ()) -> Rules:
    """The rules of a game with settings; raises RulesetError with everything that is wrong with them."""
    asked, texts = with_settings(name, sets, players)
    found = Diagnostics()
    with laid_over(texts):
        program = checked_program(asked, players)
        gathered = gather(asked, players, found)
    if gathered is None:
        raise RulesetError(list(found))
    return Rules(gathered, program)


def difference_of(one: Rules, other: Rules) -> list[dict[str, Any]]:
    """What differs, each with `what` (constant, row, table, space, way, rule), its name, and the lines that say how. A
    rule has its place (`at`), and its lines are those of the rules files."""
    first, second = one.program, other.program
    flags = flags_of(one.gathered) | flags_of(other.gathered)
    found = [*_constants(first, second, flags), *_tables(first, second), *_maps(first, second)]
    found += _rules(one.gathered, other.gathered)
    return found or _printed(first, second)


def _constants(first: Program, second: Program, flags: set[str]) -> list[dict[str, Any]]:
    names = dict.fromkeys([*first.constants, *second.constants])
    found = []
    for name in names:
        ours, theirs = first.constants.get(name), second.constants.get(name)
        if ours != theirs:
            is_flag = name in flags
            found.append(_entry("constant", name, [f"{_value(ours, is_flag)} -> {_value(theirs, is_flag)}"]))
    return found


def _value(value: int | None, is_flag: bool) -> str:
    if value is None:
        return "none"
    return ("yes" if value else "no") if is_flag else str(value)


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
    tables = {(table.of, table.owner, table.name): table for table in second.attributes}
    for table in first.attributes:
        other_table = tables.get((table.of, table.owner, table.name))
        if other_table is None:
            continue
        changed = _changed(_in_words(table, first), _in_words(other_table, second))
        if changed:
            found.append(_entry("table", f"{table.owner or table.of}.{table.name}", changed[:_MOST_LINES]))
    return found


def _changed(ours: dict[str, str], theirs: dict[str, str]) -> list[str]:
    """Values of things that both have. What only one has is told as a row, a space or a way."""
    return [f"{name}: {ours[name]} -> {theirs[name]}" for name in ours if theirs.get(name, ours[name]) != ours[name]]


def _in_words(table: AttributeTable, program: Program) -> dict[str, str]:
    """The values of a table by the names of what they belong to. Not by number: on a smaller board, or with a row less,
    the same number means another thing."""
    printer = Printer(program)
    values = table.values[:-1]  # the last one stands for none
    names = _names(table, program) or {str(number): number for number in range(len(values))}
    return {
        name: _in_one_line(printer, table.type, len(table.dimensions), values[number])
        for name, number in names.items()
        if number < len(values)
    }


def _in_one_line(printer: Printer, of: VType, dimensions: int, value: Any) -> str:
    if dimensions:
        return ", ".join(_in_one_line(printer, of, dimensions - 1, one) for one in value[:-1])
    if isinstance(of, SetOf) and isinstance(value, tuple):
        return f"({', '.join(_in_one_line(printer, of.of, 0, one) for one in value)})"
    return printer.value(of, value) if isinstance(value, int) else str(value)


def _names(table: AttributeTable, program: Program) -> dict[str, int]:
    """What the things that a table speaks of are called in the data; nothing for those known by number. Of equal pieces
    the first speaks for all."""
    match table.of:
        case "piece":
            return {row.id: row.pieces[0] for row in program.rows if row.pieces}
        case "node":
            return {node.id: number for number, node in enumerate(program.nodes)}
        case "edge":
            return {edge.id: number for number, edge in enumerate(program.edges)}
        case "enum":
            enum = program.enums[table.owner]
            return dict(zip(enum.ids, enum.domain, strict=True))
        case _:
            return {}


def _maps(first: Program, second: Program) -> list[dict[str, Any]]:
    """Spaces and ways that only one map has."""
    found = []
    for what, ours, theirs in (("space", first.nodes, second.nodes), ("way", first.edges, second.edges)):
        own, other = [thing.id for thing in ours], [thing.id for thing in theirs]
        found += [_entry(what, name, ["only in the first"]) for name in own if name not in set(other)]
        found += [_entry(what, name, ["only in the second"]) for name in other if name not in set(own)]
    return found


def _rules(first: Gathered, second: Gathered) -> list[dict[str, Any]]:
    """Blocks of rules in the words of their authors: rules, hooks, scores, ranks, fields and places."""
    ours, theirs = blocks_of(first), blocks_of(second)
    found = []
    for key in dict.fromkeys([*ours, *theirs]):
        before, after = ours.get(key), theirs.get(key)
        changed = changed_lines(before, after)
        if not changed:
            continue
        what = "rule added" if before is None else "rule removed" if after is None else "rule"
        of = after or before
        if of is not None:
            found.append({**_entry(what, of.head, _cut(changed)), "at": of.at})
    return found


def _cut(lines: list[str]) -> list[str]:
    more = len(lines) - _MOST_LINES
    return lines[:_MOST_LINES] + ([f"… {more} more lines"] if more > 0 else [])


def _printed(first: Program, second: Program) -> list[dict[str, Any]]:
    """What differs in the checked programs, line by line: for differences that stand in no rule, row or map."""
    ours, theirs = (_NUMBER.sub("", show_program(program)).splitlines()[1:] for program in (first, second))
    lines = [line for line in list(unified_diff(ours, theirs, lineterm="", n=0))[2:] if not line.startswith("@@")]
    return [_entry("rule", "as the program reads it", _cut(lines))] if lines else []


def _entry(what: str, name: str, lines: list[str]) -> dict[str, Any]:
    return {"what": what, "name": name, "lines": lines}


def difference_lines(difference: list[dict[str, Any]], most: int = 24) -> list[str]:
    """For the terminal: what differs, in a few lines."""
    if not difference:
        return ["  nothing: both have the same rules and data"]
    lines: list[str] = []
    for entry in _joined(difference):
        if entry["what"] in _ONE_LINE:
            lines.append(f"  {entry['what']} {entry['name']}: {entry['lines'][0]}")
        else:
            at = f"  ({entry['at']})" if "at" in entry else ""
            name = f" {entry['name']}" if entry["what"] in ("rule", "table") else ""  # else it is the first line
            lines.append(f"  {entry['what']}{name}{at}")
            lines += [f"    {line}" for line in entry["lines"]]
    more = len(lines) - most
    return lines[:most] + ([f"  … {more} more lines (in the data and on the page)"] if more > 0 else [])


def _joined(difference: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Spaces and ways of which the same is said are one entry: a smaller board leaves out a hundred of them."""
    made = []
    for (what, said), group in groupby(difference, lambda entry: (entry["what"], entry["lines"])):
        entries = list(group)
        if what in ("space", "way") and len(entries) > _MOST_NAMES:
            first = ", ".join(entry["name"] for entry in entries[:_MOST_NAMES])
            made.append(_entry(what, f"{first} and {len(entries) - _MOST_NAMES} more", said))
        else:
            made += entries
    return made
