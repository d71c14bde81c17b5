"""The nearest known name, or none if nothing is near.

Nearness is the number of single-letter slips (a letter more, less, other, or two swapped) between two names, capitals
counting little. A third of the letters may be wrong, at least one: `marekt` finds `market`, `deck` does not find
`dice`. Names without a letter in common are never near: `q` does not find `p`.
"""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], at_least: int = 1) -> str | None:
    """The known name with the fewest slips, if they are few enough. Of equals the one with more letters in
    common at both ends, then the first in alphabetical order.

    `at_least` so many slips are forgiven however short the name: two suit a short list of well-known words.
    """
    limit = max(at_least, len(name) // 3)
    best: tuple[int, int, str] | None = None
    for candidate in known:
        if candidate == name or abs(len(candidate) - len(name)) > limit:
            continue
        slips = slips_between(name.lower(), candidate.lower(), limit)
        rank = (slips, -_shared(name, candidate), candidate)
        if slips <= limit and slips < max(len(name), len(candidate)) and (best is None or rank < best):
            best = rank
    return best[2] if best else None


def _shared(a: str, b: str) -> int:
    """How many letters two names share at their start and at their end."""
    return _beginning(a, b) + _beginning(a[::-1], b[::-1])


def _beginning(a: str, b: str) -> int:
    """How many letters two names share at their start."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def did_you_mean(name: str, known: Iterable[str], at_least: int = 1) -> str | None:
    """The help line for a name that is nearly right."""
    found = nearest(name, known, at_least)
    return f"did you mean `{found}`?" if found else None


def slips_between(a: str, b: str, limit: int) -> int:
    """Edit distance with swaps of neighbours; some number above `limit` as soon as it is known to be larger."""
    before_last: list[int] = []
    last = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        row = [i]
        for j, other in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                cost = min(cost, before_last[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
        before_last, last = last, row
    return last[-1]
