"""Interval arithmetic: computes the range of a number from the ranges of its parts.

Every numeric expression has an interval as its type. Intervals are clamped to 32 bits. A result that might lie outside
is still safe: a field whose range is smaller than that of the value is tested when it is stored.
"""

from __future__ import annotations

from .value_types import LARGEST, SMALLEST, Number


def interval(low: int, high: int) -> Number:
    """An interval, clamped to 32 bits."""
    return Number(min(max(low, SMALLEST), LARGEST), max(min(high, LARGEST), SMALLEST))


def exactly(value: int) -> Number:
    return Number(value, value)


def arithmetic(op: str, left: Number, right: Number) -> Number:
    """The interval of `left op right`; a divisor is at least 1."""
    match op:
        case "+":
            return interval(left.low + right.low, left.high + right.high)
        case "-":
            return interval(left.low - right.high, left.high - right.low)
        case "*":
            # With negative numbers the extremes may be at any corner: -3..2 times -5..1 is -10..15.
            corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
            return interval(min(corners), max(corners))
        case "div":
            divisors = (max(1, right.low), max(1, right.high))
            corners = [a // b for a in (left.low, left.high) for b in divisors]
            return interval(min(corners), max(corners))
        case "mod":
            # `n mod 7` with n in 2..5 is n itself; otherwise anything below the largest divisor is possible. `div` and
            # `mod` round down, so the remainder is never negative.
            divisor = max(1, right.high)
            return left if 0 <= left.low and left.high < divisor else Number(0, divisor - 1)
        case _:
            raise AssertionError(f"no such operation: {op}")


def negative(of: Number) -> Number:
    return interval(-of.high, -of.low)


def absolute(of: Number) -> Number:
    if of.low >= 0:
        return of
    if of.high <= 0:
        return negative(of)
    return interval(0, max(-of.low, of.high))


def sign(of: Number) -> Number:
    return Number(_sign(of.low), _sign(of.high))


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def extreme(which: str, items: list[Number]) -> Number:
    """The interval of the largest (`max`) or smallest (`min`) of some numbers."""
    choose = max if which == "max" else min
    return Number(choose(item.low for item in items), choose(item.high for item in items))


def hull(left: Number, right: Number) -> Number:
    """The smallest interval that contains both."""
    return Number(min(left.low, right.low), max(left.high, right.high))


def meet(left: Number, right: Number) -> Number | None:
    """The intersection; None if it is empty."""
    low, high = max(left.low, right.low), min(left.high, right.high)
    return Number(low, high) if low <= high else None


def inside(value: Number, bounds: Number) -> bool:
    return bounds.low <= value.low and value.high <= bounds.high


def sum_of(each: Number, most: int) -> Number:
    """The interval of a sum of 0 to `most` numbers."""
    return interval(min(0, each.low * most), max(0, each.high * most))


def compared(op: str, left: Number, right: Number) -> tuple[Number, Number] | None:
    """Both intervals, narrowed by the fact that `left op right` holds; None if it cannot hold."""
    match op:
        case "==":
            both = meet(left, right)
            return (both, both) if both else None
        case "!=":
            return _apart(left, right)
        case "<":
            return _below(left, right, 1)
        case "<=":
            return _below(left, right, 0)
        case ">" | ">=":
            turned = _below(right, left, 1 if op == ">" else 0)
            return (turned[1], turned[0]) if turned else None
        case _:
            raise AssertionError(f"no such comparison: {op}")


def _below(left: Number, right: Number, gap: int) -> tuple[Number, Number] | None:
    lower = Number(left.low, min(left.high, right.high - gap))
    upper = Number(max(right.low, left.low + gap), right.high)
    return (lower, upper) if lower.low <= lower.high and upper.low <= upper.high else None


def _apart(left: Number, right: Number) -> tuple[Number, Number] | None:
    narrowed = _without_end(left, right), _without_end(right, left)
    return None if narrowed[0] is None or narrowed[1] is None else (narrowed[0], narrowed[1])


def _without_end(of: Number, other: Number) -> Number | None:
    """An interval without a single number at one of its ends. `n != 0` narrows 0..9 to 1..9; `n != 5` does not narrow
    it, because an interval cannot have a hole."""
    if other.low != other.high:
        return of
    low = of.low + (of.low == other.low)
    high = of.high - (of.high == other.low)
    return Number(low, high) if low <= high else None


OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
