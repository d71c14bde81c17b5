"""What a ruleset says about its own looks (`table.yaml`), as the modules of a scene ask for it.

All of it is optional. Whatever is not said is None here, and the module that asks has its own answer by declaration.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from ...ruleset.presentation import presentation_data

Data = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Presentation:
    """`data` is the file as plain data, checked against its schema; its drawings are safe."""

    data: Data = field(default_factory=dict)

    def _of(self, part: str, key: str) -> Any:
        return self.data.get(part, {}).get(key)

    def words(self, part: str, key: str, language: str) -> str | None:
        """A text, in a language if there is one for it."""
        return in_language(self._of(part, key), language)

    @property
    def seat_colours(self) -> list[str]:
        return [str(colour).lower() for colour in self.data.get("seats", {}).get("colours", ())]

    @property
    def seats_like(self) -> str | None:
        """The field of players whose value, one of an enum, gives a seat its colour and its title."""
        found: str | None = self.data.get("seats", {}).get("like")
        return found

    @property
    def score(self) -> str | None:
        return self.data.get("score")

    def kind(self, kind: str) -> Data:
        return self._of("kinds", kind) or {}

    def map(self, name: str) -> Data:
        return self._of("maps", name) or {}

    def value(self, thing: str, own_id: str) -> Data:
        """The looks of a value of an enum (`enum:Colour`)."""
        found: Data = (self._of("values", thing.partition(":")[2]) or {}).get(own_id) or {}
        return found

    def value_colour(self, thing: str, own_id: str) -> str | None:
        colour = self.value(thing, own_id).get("colour")
        return str(colour).lower() if colour else None

    def symbol(self, name: str) -> str | None:
        found: str | None = self._of("symbols", name)
        return found

    def unit(self, name: str) -> str | None:
        found: str | None = self._of("units", name)
        return found

    def hides(self, owner: str, name: str) -> bool:
        return any(_means(said, owner, name) for said in self.data.get("hide", ()))

    @property
    def areas(self) -> list[Data]:
        return list(self.data.get("areas", ()))

    @property
    def tracks(self) -> list[Data]:
        return list(self.data.get("tracks", ()))

    @property
    def groups(self) -> list[list[str]]:
        return [list(group) for group in self.data.get("groups", ())]

    @property
    def drawings(self) -> dict[str, str]:
        return dict(self.data.get("drawings", {}))


def in_language(said: Any, language: str) -> str | None:
    if isinstance(said, dict):
        return said.get(language) or next(iter(said.values()), None)
    return said if isinstance(said, str) else None


def _means(said: str, owner: str, name: str) -> bool:
    """Whether a name in the file means something of this owner (`table` or `player`)."""
    before, dot, after = said.rpartition(".")
    return after == name and (not dot or before == owner)


NOTHING = Presentation()
_kept: WeakKeyDictionary[Any, Presentation] = WeakKeyDictionary()


def presentation_of(game: Any) -> Presentation:
    """What the ruleset of a game says about its looks; read once for each game that is loaded."""
    found = _kept.get(game)
    if found is None:
        data = presentation_data(game.asked)
        found = _kept[game] = Presentation(data) if data else NOTHING
    return found
