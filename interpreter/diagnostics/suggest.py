"""The known name most similar to a misspelt one, or none if nothing is close.

The distance between two names is the number of single-letter slips: a letter added, left out or wrong, or two
neighbours swapped. Case matters only in a tie. A third of the letters may be wrong, and always at least one: `marekt`
finds `market`, `deck` does not find `dice`. A name in which every letter is wrong is never close: `q` does not find
`p`.
"""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], at_least: int = 1) -> str | None:
    """The known name with the fewest slips, if they are few enough. Ties go to the name that shares more letters at
    its start and end, then to the first in alphabetical order.

    Up to `at_least` slips are forgiven however short the name is: two work well for a short list of well-known words.
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
    """Edit distance in which swapping two neighbours counts as one slip; `limit + 1` if it is larger than `limit`."""
    # Damerau-Levenshtein, one row at a time; a swap looks two rows back.
    before_last: list[int] = []
    last = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        row = [i]
        for j, other in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                cost = min(cost, before_last[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:  # no row below can have a smaller minimum
            return limit + 1
        before_last, last = last, row
    return last[-1]
