"""What a bound comes to (`size`, `2 * size + 1`), for stages that know constants only as names with numbers.

The checker reports what is wrong with a bound, wherever it stands; here it has no number then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..diagnostics.source import Span
from . import nodes


def names_in(bound: nodes.Bound) -> Iterator[tuple[str, Span]]:
    """The constants that a bound is made of, each with its place, in the order of the text."""
    if isinstance(bound.value, str):
        yield bound.value, bound.span
    elif not isinstance(bound.value, int):
        yield from _names_in(bound.value)


def _names_in(part: nodes.Expr) -> Iterator[tuple[str, Span]]:
    match part:
        case nodes.NameRef(name=name, span=span):
            yield name, span
        case nodes.Negative(of=of):
            yield from _names_in(of)
        case nodes.Arithmetic(left=left, right=right):
            yield from _names_in(left)
            yield from _names_in(right)


def number_of(part: object, constants: Mapping[str, int]) -> int | None:
    """The number of a bound or of a part of it; None if a constant is unknown or something is divided by nothing."""
    match part:
        case nodes.Bound(value=value) | nodes.Number(value=value):
            return number_of(value, constants)
        case int():
            return part
        case str():
            return constants.get(part)
        case nodes.NameRef(name=name):
            return constants.get(name)
        case nodes.Negative(of=of):
            number = number_of(of, constants)
            return None if number is None else -number
        case nodes.Arithmetic(left=left, op=op, right=right):
            first, second = number_of(left, constants), number_of(right, constants)
            return None if first is None or second is None else calculated(first, op, second)
        case _:
            return None


def calculated(left: int, op: str, right: int) -> int | None:
    """The result of `left op right`; None if it would divide by nothing or by less."""
    if op in ("div", "mod") and right <= 0:
        return None
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "div":
            return left // right
        case _:
            return left % right
