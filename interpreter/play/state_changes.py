"""The differences between two states of a game, line by line, with the names that rules and players use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..runtime.views import view

_MOST_SHOWN = 8


def state_changes(before: Any, after: Any) -> list[str]:
    """One line per field, place or die that has changed: `seat1.hand: - four, + eight`.

    Only the table is looked at: a state that has not run yet, or that broke off, has no decision to show.
    """
    old, new = (dict(_entries(view(state, state.meta, None))) for state in (before, after))
    names = [*old, *(name for name in new if name not in old)]
    return [f"{name}: {_difference(old.get(name), new.get(name))}" for name in names if old.get(name) != new.get(name)]


def _entries(view: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for part in (view["fields"], view["places"]):
        yield from _named("", part.get("table", {}))
        for seat, own in zip(view["seats"], part.get("players", ()), strict=False):
            yield from _named(seat, own)
        for owner in ("pieces", "nodes", "edges"):
            yield from _named("", part.get(owner, {}))
    yield from _named("", view["dice"])


def _named(prefix: str, part: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(part, dict):
        yield prefix, part
        return
    for name, inner in part.items():
        yield from _named(f"{prefix}.{name}" if prefix else str(name), inner)


def _difference(old: Any, new: Any) -> str:
    if not (isinstance(old, list) and isinstance(new, list)):
        return f"{_word(old)} -> {_word(new)}"
    gone, come = (
        Counter(map(_word, old)) - Counter(map(_word, new)),
        Counter(map(_word, new)) - Counter(map(_word, old)),
    )
    if not gone and not come:
        return "the same in another order: " + _listed([_word(item) for item in new])
    parts = [f"- {_listed(list(gone.elements()))}"] if gone else []
    return ", ".join([*parts, *([f"+ {_listed(list(come.elements()))}"] if come else [])])


def _listed(names: list[str]) -> str:
    counts = Counter(names)
    words = [f"{count} * {name}" if count > 1 else name for name, count in counts.items()]
    more = len(words) - _MOST_SHOWN
    return " and ".join(words[:_MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _word(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
