"""What a ruleset says about its own looks, in `table.yaml`. All of it is optional, and none of it changes a rule."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Presentation:
    data: dict[str, Any] = field(default_factory=dict, hash=False)

    def name(self, declared: str) -> str | None:
        return self.data.get("names", {}).get(declared)

    @property
    def seat_colours(self) -> list[str]:
        return list(self.data.get("seats", {}).get("colours", ()))

    def kind(self, kind: str) -> dict[str, Any]:
        return dict(self.data.get("kinds", {}).get(kind, {}))

    def value_colour(self, thing: str, own_id: str) -> str | None:
        """The colour of a value of an enum."""
        values = self.data.get("values", {}).get(thing.partition(":")[2], {})
        return values.get(own_id, {}).get("colour")

    def value_sign(self, thing: str, own_id: str) -> str | None:
        values = self.data.get("values", {}).get(thing.partition(":")[2], {})
        return values.get(own_id, {}).get("symbol")

    def symbol(self, name: str) -> str | None:
        return self.data.get("symbols", {}).get(name)

    def map(self, name: str) -> dict[str, Any]:
        return dict(self.data.get("maps", {}).get(name, {}))


NOTHING = Presentation()
