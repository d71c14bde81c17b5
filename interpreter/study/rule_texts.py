"""The rules of a game as their authors wrote them, block by block: what a comparison shows of two rulesets.

A block is a declaration (a phase, a hook, a score sheet …): its head line and everything indented below it, as it
stands in the file of the game or of a variant, without comments and without the numbers of clauses. Blocks are found
again in another ruleset by their names, hooks by their head lines. Constants are left out: a comparison tells their
values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from difflib import unified_diff

from ..diagnostics.source import Span
from ..ruleset.gathered import Gathered
from ..syntax import nodes

_CITES = re.compile(r"(\s+@[\w.-]+,?)+$")
_STRING = re.compile(r'"[^"]*"')


@dataclass(frozen=True)
class Block:
    """`at`: the place of the first line, `market.rules:88`; of several parts that of the last."""

    lines: tuple[str, ...]
    at: str

    @property
    def head(self) -> str:
        return self.lines[0]


def blocks_of(gathered: Gathered) -> dict[str, Block]:
    """All blocks that are in force. Several with the same head line (fields that a variant adds to `each player`) count
    as one."""
    found: dict[str, Block] = {}
    for placed in gathered.declarations:
        for part in placed.replaced or (placed.declaration,):
            if isinstance(part, nodes.Constant | nodes.Game):  # the name in the head line is no rule
                continue
            block = _block(part.span)
            key = _key(part, block)
            known = found.get(key)
            if known is not None and known.at != block.at:
                own = block.lines[1:] if block.head == known.head else block.lines
                block = replace(block, lines=(*known.lines, *own))
            found[key] = block
    return found


def _key(part: nodes.Declaration, block: Block) -> str:
    """By what it is found again: a rule by its name, whatever else its head line says."""
    name = getattr(part, "name", None)
    return f"{type(part).__name__} {name.text}" if isinstance(name, nodes.Name) else block.head


def flags_of(gathered: Gathered) -> set[str]:
    """The constants that are yes or no."""
    constants = [placed.declaration for placed in gathered.declarations]
    return {
        each.name.text
        for each in constants
        if isinstance(each, nodes.Constant)
        and (isinstance(each.type, nodes.FlagType) or isinstance(each.value, nodes.FlagLiteral))
    }


def _block(head: Span) -> Block:
    number, column = head.line, head.column
    first, *others = head.source.text.splitlines()[number - 1 :]
    lines = [first]
    for line in others:
        if line.strip() and len(line) - len(line.lstrip()) < column:
            break
        lines.append(line)
    told = (_bare(line[column - 1 :]) for line in lines)
    return Block(tuple(line for line in told if line), f"{head.source.name}:{number}")


def _bare(line: str) -> str:
    """A line without what is no rule: its comment and its clauses."""
    hidden = _STRING.sub(lambda text: " " * len(text[0]), line)  # `#` in a text begins no comment
    comment = hidden.find("#")
    return _CITES.sub("", (line if comment < 0 else line[:comment]).rstrip())


def changed_lines(before: Block | None, after: Block | None) -> list[str]:
    """The lines that go, with `-`, and those that come, with `+`."""
    ours, theirs = ((block.lines if block is not None else ()) for block in (before, after))
    lines = list(unified_diff(ours, theirs, lineterm="", n=0))[2:]
    return [f"{line[0]} {line[1:]}" for line in lines if not line.startswith("@@")]
