"""What the declarations of a game mean for its table: which attributes a kind has, how its pieces look, which fields
are counters, which places belong together.

Everything here depends on the description of the game alone, so it is worked out once for each game and language and
kept beside it. Nothing here looks at a position.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from ...runtime.meta import FieldMeta, Meta, PlaceMeta, PrintedMeta
from ...runtime.names import entries, name_of, none_number
from .colours import named_colour, seat_colours
from .ids import elements_of
from .presentation import NOTHING, Presentation
from .symbols import value_symbol

MANY = 30  # pieces of one kind from which on they are small tokens
MOST_LETTERS = 4  # of a name that stands for a value; then it is written out
SMALL = ("token", "disc", "pawn")
LOOKS = {  # what a kind is called by says what it looks like
    "card": ("card",),
    "token": ("token", "cube", "marker", "counter", "flyer", "coin"),
    "disc": ("disc", "stone", "checker", "chip"),
    "pawn": ("pawn", "meeple", "worker", "figure"),
    "tile": ("tile", "hex", "domino"),
}


@dataclass(frozen=True)
class Attribute:
    """A printed attribute of a kind of pieces, nodes or edges."""

    table: PrintedMeta
    position: int  # among the attributes of its kind

    @property
    def name(self) -> str:
        return self.table.name

    def is_none(self, thing: int) -> bool:
        value = self.table.values[thing]
        if self.table.dimensions:
            return value == self.table.values[-1]
        return value == none_number(self.table.thing) or value is None or value == ()


class Declarations:
    """The declarations of one game, in one language, with what its presentation file says."""

    def __init__(self, meta: Meta, presentation: Presentation = NOTHING, original: Meta | None = None) -> None:
        self.meta = meta
        self.original = original or meta  # in the words of the rules
        self.presentation = presentation
        self._attributes: dict[tuple[str, str], tuple[Attribute, ...]] = {}
        self._printed: dict[int, dict[str, Any]] = {}
        self._described: dict[int, dict[str, Any]] = {}
        self._looks: dict[str, str] = {}

    @property
    def language(self) -> str:
        return self.meta.language

    # ------------------------------------------------------------------ words

    def words(self, declared: FieldMeta | PlaceMeta) -> str:
        """A declared name in words: `season_cards` is `season cards`. What the presentation calls it comes first."""
        return self.said("names", declared.id) or declared.name.replace("_", " ")

    def said(self, part: str, key: str) -> str | None:
        """What the presentation says in this language."""
        return self.presentation.words(part, key, self.meta.language)

    def title(self, declared: FieldMeta | PlaceMeta) -> str:
        return capital(self.words(declared))

    def kind_name(self, kind: str) -> str:
        own = self.meta.kind_names.get(kind, kind)
        return self.said("names", kind) or self.meta.phrases.get(own, own)

    def attribute_name(self, name: str) -> str:
        words = name.replace("_", " ")
        return self.said("names", name) or self.meta.phrases.get(words, words)

    def map_name(self, name: str) -> str:
        words = name.replace("_", " ")
        return capital(self.said("names", name) or self.meta.phrases.get(words, words))

    def short_name(self, own_id: str, kind: str, name: str) -> str:
        """A name of a node for a small plate: what the presentation says of it or of its kind, else the whole name."""
        said = self.said("short", own_id) or self.said("short", kind)
        return said.replace("{name}", name).replace("{n}", name.rsplit(" ", 1)[-1]) if said else name

    def value_sign(self, thing: str, own_id: str) -> str | None:
        """The symbol of a value: what the presentation says, else the one that its name suggests."""
        return self.presentation.value(thing, own_id).get("symbol") or value_symbol(own_id)

    # ------------------------------------------------------------------ attributes

    def attributes(self, of: str, kind: str) -> tuple[Attribute, ...]:
        """What is printed on the things of a kind, in the order of the rules."""
        found = self._attributes.get((of, kind))
        if found is None:
            tables = [table for table in self.meta.printed if table.of == of and table.kind in ("", kind)]
            things = self._things(of, kind)
            own = [table for table in tables if any(not Attribute(table, 0).is_none(thing) for thing in things)]
            found = tuple(Attribute(table, position) for position, table in enumerate(own))
            self._attributes[of, kind] = found
        return found

    def _things(self, of: str, kind: str) -> list[int]:
        if of == "piece":
            first, count = self.meta.kinds[kind]
            return list(range(first, first + count))
        found = []
        for board in self.meta.boards:
            pairs = (board.nodes, board.node_kinds) if of == "node" else (board.edges, board.edge_kinds)
            found += [thing for thing, own in zip(*pairs, strict=True) if own == kind]
        return found

    def place(self, number: int, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """What holds of a place whatever lies there, made once. Whoever gets it must not change it."""
        found = self._described.get(number)
        if found is None:
            found = self._described[number] = make()
        return found

    def printed(self, row: int, make: Callable[[int], dict[str, Any]]) -> dict[str, Any]:
        """What the face of a row shows, made once. Whoever gets it must not change it."""
        found = self._printed.get(row)
        if found is None:
            found = self._printed[row] = make(row)
        return found

    def value_text(self, thing: str, value: Any) -> str:
        """A printed value in words."""
        if isinstance(value, tuple):
            return ", ".join(self.value_text(thing.removeprefix("set:"), one) for one in value)
        if thing in ("cell", "formula"):
            return self.meta.cell_labels[value] if 0 <= value < len(self.meta.cell_labels) else ""
        return name_of(self.meta, thing, value)

    # ------------------------------------------------------------------ looks

    @cached_property
    def seat_colours(self) -> tuple[str, ...]:
        own = self.presentation.seat_colours
        found = seat_colours(self.original.seat_names)
        return tuple(own[seat] if seat < len(own) else colour for seat, colour in enumerate(found))

    def seat_title(self, seat: int) -> str | None:
        """What the game calls a seat, if it has a name for it: `yellow`."""
        own = self.original.seat_names[seat]
        translated: str = self.meta.phrases.get(own, own)
        return None if own == f"seat{seat + 1}" else translated

    def look(self, kind: str) -> str:
        """token, card, tile, disc or pawn."""
        if kind not in self._looks:
            self._looks[kind] = self._look(kind)
        return self._looks[kind]

    def _look(self, kind: str) -> str:
        """By the word the kind is called by; a kind with effects, numbers or several attributes is a card; what has
        only an owner or a colour is a token."""
        said = self.presentation.kind(kind).get("look")
        if said:
            return str(said)
        name = f"{kind} {self.meta.kind_names.get(kind, '')}".lower()
        for look, words in LOOKS.items():
            if any(word in name for word in words):
                return look
        attributes = self.attributes("piece", kind)
        telling = [a for a in attributes if a.table.thing != "player" and not self.is_colour(a.table.thing)]
        count = self.meta.kinds[kind][1]
        if not telling:
            return "token" if attributes or count > 1 else "tile"
        if len(telling) == 1 and telling[0].table.thing.startswith("enum:") and count > MANY:
            return "token"
        return "card"

    def kind_letter(self, kind: str) -> str | None:
        """The letter that tells a kind from others which belong to players and look the same: armies, ships, forts."""
        return self._letters.get(kind)

    @cached_property
    def _letters(self) -> dict[str, str]:
        """Letters for kinds that can lie in one place, or in places of one node; what the presentation says of a kind
        tells it apart already."""
        found: dict[str, str] = {}
        on_nodes = {kind: None for place in self.meta.places if place.owner == "node" for kind in place.kinds}
        for together in (on_nodes, *(place.kinds for place in self.meta.places)):
            small = [kind for kind in together if self._is_plain_of_players(kind)]
            for look in dict.fromkeys(map(self.look, small)):
                alike = [kind for kind in small if self.look(kind) == look]
                found |= dict(self._initials(alike)) if len(alike) > 1 else {}
        return found

    def _is_plain_of_players(self, kind: str) -> bool:
        owned = any(a.table.thing == "player" for a in self.attributes("piece", kind))
        return owned and self.look(kind) in SMALL and not self.presentation.kind(kind)

    def _initials(self, kinds: list[str]) -> list[tuple[str, str]]:
        """A letter for each of these kinds, two if another one begins with the same."""
        names = [self.kind_name(kind).title().replace(" ", "") for kind in kinds]
        firsts = [name[:1] for name in names]
        pairs = zip(kinds, names, strict=True)
        return [(kind, name[:1] if firsts.count(name[:1]) == 1 else name[:2]) for kind, name in pairs]

    def is_colour(self, thing: str) -> bool:
        """True for an enum whose values are all called by the name of a colour."""
        if not thing.startswith("enum:"):
            return False
        values = list(entries(self.meta, thing))
        return bool(values) and all(named_colour(own_id) is not None for _, own_id, _ in values)

    def initial(self, thing: str, number: int) -> str:
        """The first letters of a value of an enum, as many as tell it from the others: `Woo` would be wood and wool."""
        names = [name for _, _, name in entries(self.meta, thing)]
        own = name_of(self.meta, thing, number)
        for length in range(1, MOST_LETTERS + 1):
            if sum(name[:length].lower() == own[:length].lower() for name in names) == 1:
                return capital(own[:length])
        return capital(own)

    def position_in(self, thing: str, number: int) -> int:
        return next((place for place, (own, _, _) in enumerate(entries(self.meta, thing)) if own == number), 0)

    # ------------------------------------------------------------------ owners

    def plain_fields(self, owner: str) -> tuple[FieldMeta, ...]:
        """The fields of an owner that are no dice."""
        return self._fields.get(owner, ())

    @cached_property
    def _fields(self) -> dict[str, tuple[FieldMeta, ...]]:
        plain = [field for field in self.meta.fields if not field.is_dice]
        return {owner: tuple(f for f in plain if f.owner == owner) for owner in {field.owner for field in plain}}

    @cached_property
    def _placed(self) -> dict[int, tuple[FieldMeta, int, tuple[int, ...]]]:
        return {
            offset: (field, owner, numbers)
            for field in self.meta.fields
            for owner, numbers, offset in elements_of(field)
        }

    def field_at(self, offset: int) -> tuple[FieldMeta, int, tuple[int, ...]] | None:
        """Which field, of which owner, with which indexes, a number of the state is."""
        return self._placed.get(offset)

    def places_of(self, owner: str) -> tuple[PlaceMeta, ...]:
        return tuple(place for place in self.meta.places if place.owner == owner)


def capital(words: str) -> str:
    return words[:1].upper() + words[1:]


_kept: WeakKeyDictionary[Any, dict[int, Declarations]] = WeakKeyDictionary()


def declarations_of(game: Any, presentation: Presentation = NOTHING) -> Declarations:
    """The declarations of a game, worked out once."""
    own = _kept.setdefault(game, {})
    found = own.get(id(presentation))
    if found is None or found.presentation is not presentation:
        found = own[id(presentation)] = Declarations(game.meta, presentation, game.machine.meta)
    return found
