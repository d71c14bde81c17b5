"""Rulesets spliced from those that there are: an expression in the place of another; statements moved, doubled, left
out, wrapped; conditions turned round; bounds and visibilities changed.

A grammar grown from nothing (`random_rules`) knows the forms that its author thought of. Here everything that the toys
and the tiny games with secrets can say meets everything else that they say. Most of what comes out is refused by the
checker, which must say so in words; what it takes must play the same in every engine, and tell no secret.

`spliced(seed)` is a ruleset: the same seed, the same text.
"""

from __future__ import annotations

import random
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.diagnostics.source import Source, Span
from interpreter.syntax import nodes
from interpreter.syntax.parse import parse_rules
from tests.chunks import Chunk, read_chunks
from tests.toy_games import TOYS

T = TypeVar("T", bound=nodes.Node)

_KNOWLEDGE = Path(__file__).parent.parent / "knowledge" / "games"
_RULESETS = Path(__file__).parent.parent.parent / "rulesets"
_CONDITIONS = (
    nodes.Compare, nodes.Membership, nodes.IsTest, nodes.And, nodes.Or, nodes.Not, nodes.Quantifier, nodes.CanPay,
    nodes.CanCall, nodes.CanPerform, nodes.FlagLiteral,
)  # fmt: skip
_NUMBERS = (nodes.Number, nodes.Count, nodes.SumOf, nodes.ExtremeOf, nodes.Arithmetic, nodes.Negative)
_SETS = (nodes.Selection, nodes.Several, nodes.Reach, nodes.FromTo, nodes.StoppingAt, nodes.Without, nodes.TypeRef)
_FAMILIES = (_CONDITIONS, _NUMBERS, _SETS)
_VISIBILITIES = ("open", "secret", "hidden", "uncounted")
_WRAPPERS = (
    'may "Really?"\n  S', "repeat 2 times\n  S", "if C\n  S", "if C\n  S\nelse\n  T", "for each_of in 1..2\n  S",
    'choose one "Which way?"\n  "This"\n    S\n  "That"\n    T',
    'choose one "Which way?"\n  "This"\n    S\n  otherwise "Not"',
    "first possible of\n  S\n  T", 'choose how_many in 1..2 "How many?"\nS',
)  # fmt: skip


@dataclass(frozen=True)
class Spliced:
    rules: str
    tables: dict[str, str]
    players: int
    of: str  # the rulesets that it was made from


@cache
def sources() -> tuple[Chunk, ...]:
    """The toys, the tiny games with secrets, and the games of the box that are one text."""
    tiny = [chunk for file in sorted(_KNOWLEDGE.glob("*.rules")) for chunk in read_chunks(file)]
    files = sorted(_RULESETS.glob("*/*.rules"))
    games = [_game(text) for file in files if ".yaml" not in (text := file.read_text(encoding="utf-8"))]
    return (*TOYS.values(), *tiny, *(game for game in games if game is not None))


def _game(text: str) -> Chunk | None:
    """A game for as few players as may be, without the tags of clauses, which its rulebook would have to know."""
    head = re.search(r"^game (\w+) .* for (\d+)", text, re.MULTILINE)
    plain = re.sub(r"[ ]*@[A-Z][\w-]*", "", text)
    return None if head is None else Chunk(head[1], plain, {}, int(head[2]))


@dataclass(frozen=True)
class Parts:
    """What of one text may be exchanged, and where each declaration begins."""

    expressions: tuple[nodes.Expr, ...]
    statements: tuple[nodes.Statement, ...]
    declarations: tuple[int, ...]

    def near(self, rng: random.Random, many: Sequence[T], to: nodes.Node) -> T:
        """Any of them; mostly one of the same declaration, where its names mean something."""
        home = bisect_right(self.declarations, to.span.start)
        close = [one for one in many if bisect_right(self.declarations, one.span.start) == home]
        return rng.choice(close if close and rng.random() < 0.75 else many)


@cache
def parts_of(text: str) -> Parts | None:
    tree = parse_rules(Source("spliced.rules", text), Diagnostics())
    if tree is None:
        return None
    below = [node for declaration in tree.declarations for node in below_of(declaration)]
    return Parts(
        tuple(node for node in below if isinstance(node, nodes.Expr)),
        tuple(node for node in below if isinstance(node, nodes.Statement)),
        tuple(sorted(declaration.span.start for declaration in tree.declarations)),
    )


def below_of(node: Any) -> Iterator[nodes.Node]:
    """A node and all that is in it."""
    if isinstance(node, nodes.Node):
        yield node
    if is_dataclass(node):
        for one in fields(node):
            yield from below_of(getattr(node, one.name)) if one.name != "span" else ()
    elif isinstance(node, tuple):
        for inner in node:
            yield from below_of(inner)


def spliced(seed: int) -> Spliced:
    """One to three changes of a ruleset. What cannot be read any more is changed no further."""
    rng = random.Random(f"spliced {seed}")
    chunk = rng.choice(sources())
    text, of = chunk.rules, chunk.name
    for _ in range(rng.choice((1, 1, 2, 2, 3, 4))):
        parts = parts_of(text)
        if parts is None or not parts.expressions or not parts.statements:
            break
        text = rng.choices(_CHANGES, _WEIGHTS)[0](rng, text, parts)
    return Spliced(text, chunk.tables, chunk.players, of)


# ---------------------------------------------------------------------------- expressions


def other_expression(rng: random.Random, text: str, parts: Parts) -> str:
    """An expression in the place of one of its family, so that many of them have the right type."""
    old = rng.choice(parts.expressions)
    family = next((family for family in _FAMILIES if isinstance(old, family)), None)
    alike = [one for one in parts.expressions if (isinstance(one, family) if family else type(one) is type(old))]
    new = parts.near(rng, alike if rng.random() < 0.9 else parts.expressions, old).span.text
    return replaced(text, old.span, new if re.fullmatch(r"[\w.]+", new) else f"({new})")


def other_number(rng: random.Random, text: str, parts: Parts) -> str:
    numbers = [one for one in parts.expressions if isinstance(one, nodes.Number)]
    if not numbers:
        return text
    old = rng.choice(numbers)
    new = rng.choice((old.value + 1, max(0, old.value - 1), 0, 1, 2, old.value * 2))
    return replaced(text, old.span, str(new))


def other_sense(rng: random.Random, text: str, parts: Parts) -> str:
    """A condition that is denied, joined to another, or put under another comparison."""
    conditions = [one for one in parts.expressions if isinstance(one, _CONDITIONS)]
    if not conditions:
        return text
    old = rng.choice(conditions)
    other = parts.near(rng, conditions, old)
    way = rng.choice(("not (A)", "((A) and (B))", "((A) or (B))", "((A) if (B) else (A))"))
    return replaced(text, old.span, way.replace("A", "\0").replace("B", other.span.text).replace("\0", old.span.text))


def other_comparison(rng: random.Random, text: str, parts: Parts) -> str:
    found = list(re.finditer(r"(?<= )(==|!=|<=|>=|<|>|\+|-|mod|and|or)(?= )", text))
    if not found:
        return text
    one = rng.choice(found)
    alike = ("==", "!=", "<=", ">=", "<", ">") if one[0] in ("==", "!=", "<=", ">=", "<", ">") else ("+", "-", "mod")
    return text[: one.start()] + rng.choice(("and", "or") if one[0] in ("and", "or") else alike) + text[one.end() :]


# ---------------------------------------------------------------------------- statements


def other_statement(rng: random.Random, text: str, parts: Parts) -> str:
    old = rng.choice(parts.statements)
    new = parts.near(rng, parts.statements, old)
    return replaced(text, whole(old.span), laid(new, indent_of(text, old.span)))


def one_more_statement(rng: random.Random, text: str, parts: Parts) -> str:
    at = rng.choice(parts.statements)
    new = parts.near(rng, parts.statements, at)
    indent = indent_of(text, at.span)
    return replaced(text, whole(at.span), f"{laid(at, indent)}\n{' ' * indent}{laid(new, indent)}")


def no_statement(rng: random.Random, text: str, parts: Parts) -> str:
    old = rng.choice(parts.statements)
    line = text.rfind("\n", 0, old.span.start) + 1
    return text[:line] + text[whole(old.span).end :].lstrip("\n")


def exchanged_statements(rng: random.Random, text: str, parts: Parts) -> str:
    one = rng.choice(parts.statements)
    one, other = sorted((one, parts.near(rng, parts.statements, one)), key=lambda s: s.span.start)
    if one.span.end > other.span.start:
        return text
    later = replaced(text, whole(other.span), laid(one, indent_of(text, other.span)))
    return replaced(later, whole(one.span), laid(other, indent_of(text, one.span)))


def wrapped_statement(rng: random.Random, text: str, parts: Parts) -> str:
    old = rng.choice(parts.statements)
    other = parts.near(rng, parts.statements, old)
    conditions = [one for one in parts.expressions if isinstance(one, _CONDITIONS)]
    condition = parts.near(rng, conditions, old).span.text if conditions else "1 < 2"
    indent, lines = indent_of(text, old.span), []
    for line in rng.choice(_WRAPPERS).split("\n"):
        at = len(line) - len(line.lstrip())
        inner = {"S": old, "T": other}.get(line.strip())
        written = laid(inner, indent + at) if inner else line.strip().replace("C", f"({condition})")
        lines.append(" " * (indent + at) + written)
    return replaced(text, whole(old.span), "\n".join(lines).lstrip())


# ---------------------------------------------------------------------------- declarations


def other_bound(rng: random.Random, text: str, parts: Parts) -> str:
    found = list(re.finditer(r"(\d+)\.\.(\d+)", text))
    if not found:
        return text
    one = rng.choice(found)
    low, high = int(one[1]), int(one[2])
    low, high = rng.choice(((low, high + 1), (low, max(low, high - 1)), (low + 1, high + 1), (0, high), (low, low)))
    return text[: one.start()] + f"{low}..{high}" + text[one.end() :]


def other_visibility(rng: random.Random, text: str, parts: Parts) -> str:
    found = list(re.finditer(r"\b(open|secret|hidden)\b", text))
    if not found:
        return text
    one = rng.choice(found)
    return text[: one.start()] + rng.choice(_VISIBILITIES) + text[one.end() :]


# ---------------------------------------------------------------------------- text


def replaced(text: str, span: Span, new: str) -> str:
    return text[: span.start] + new + text[span.end :]


def whole(span: Span) -> Span:
    """A statement with the lines below it, and without the end of its last line."""
    return Span(span.source, span.start, span.start + len(span.text.rstrip()))


def indent_of(text: str, span: Span) -> int:
    line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    return len(line) - len(line.lstrip())


def laid(statement: nodes.Statement, indent: int) -> str:
    """A statement as it would stand behind so many spaces."""
    before = indent_of(statement.span.source.text, statement.span)
    first, *rest = statement.span.text.rstrip().split("\n")
    return "\n".join(
        [first, *(" " * max(0, indent + len(ln) - len(ln.lstrip()) - before) + ln.lstrip() for ln in rest)]
    )


Change = Callable[[random.Random, str, Parts], str]
_CHANGES: tuple[Change, ...] = (
    other_expression, other_number, other_sense, other_comparison, other_statement, one_more_statement, no_statement,
    exchanged_statements, wrapped_statement, other_bound, other_visibility,
)  # fmt: skip
_WEIGHTS = (6, 2, 3, 2, 3, 4, 2, 2, 4, 2, 1)
