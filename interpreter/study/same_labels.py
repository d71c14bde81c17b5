"""Labels that stand for different things: a player at the table cannot tell such options apart."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from ..runtime.alike import do_the_same


def told_apart_by_nothing(state: Any) -> str | None:
    """A label of two options of the pending decision that do different things; None if there is none."""
    named: dict[str, list[int]] = defaultdict(list)
    for option in state.decision.options:
        named[str(option)].append(option.index)
    several = ((label, indexes) for label, indexes in named.items() if len(indexes) > 1)
    return next((label for label, indexes in several if not do_the_same(state, indexes)), None)
