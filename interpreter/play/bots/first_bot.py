"""Takes the first option there is: dull, quick, and the same game every time."""

from __future__ import annotations

from ..contract import Decision, Option, State


class FirstBot:
    kind = "first"

    def choose(self, state: State, decision: Decision) -> Option:
        return decision.options[0]
