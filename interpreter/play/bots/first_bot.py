"""Takes the first option there is: dull, quick, and the same game every time."""

from __future__ import annotations

from typing import Any

from ..contract import Option
from .bot import Bot, pending


class FirstBot(Bot):
    kind = "first"

    def choose(self, state: Any, seed: int = 0) -> Option:
        return pending(state).options[0]
