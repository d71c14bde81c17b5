"""Constants as C arrays: attribute tables, tables of maps, constant sets.

Python's tables have one more entry at the end, which index -1 (none) reads. Here it comes first, and every index is
read one further on. A table of sets is two arrays: where each set begins, and all elements in a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from .function import CannotEmit, Writing

_PER_LINE = 24
LARGEST_TABLE = 1 << 20


class Tables(Writing):
    """`tables` are Python's tables by name."""

    def __init__(self, tables: dict[str, Any]) -> None:
        super().__init__()
        self.tables = tables
        self.statics: list[str] = []
        self._pool: dict[tuple[int, ...], str] = {}
        self._made: dict[tuple[str, int], tuple[str, tuple[int, ...]]] = {}
        self._keyed: dict[str, tuple[str, tuple[tuple[int, int], ...]]] = {}
        self._keyed_sets: dict[str, list[tuple[int, ...]]] = {}  # of those of which nobody has asked for the first yet

    def array(self, name: str, values: Sequence[int], of: str = "elt") -> None:
        """A constant array; it has one entry at least, since C has no empty ones."""
        listed = [_number(value) for value in (values or (0,))]
        self.statics.append(f"static const {of} {name}[{len(listed)}] = {{")
        for start in range(0, len(listed), _PER_LINE):
            self.statics.append("    " + ", ".join(listed[start : start + _PER_LINE]) + ",")
        self.statics.append("};")

    def pooled(self, values: tuple[int, ...]) -> str:
        """The name of a constant array with these elements."""
        if values not in self._pool:
            self._pool[values] = f"pool_{len(self._pool)}"
            self.array(self._pool[values], values)
        return self._pool[values]

    def constant_set(self, values: tuple[int, ...]) -> str:
        return f"(Set){{{self.pooled(values)}, {len(values)}}}" if values else "(Set){0, 0}"

    # ------------------------------------------------------------------ tables with indexes

    def table(self, name: str, depth: int, of_sets: bool) -> tuple[str, tuple[int, ...]]:
        """The C name of a Python table that is read with so many indexes, and the size of each of its levels."""
        if (name, depth) not in self._made:
            values = self.tables[name]
            sizes = _sizes(values, depth)
            total = 1
            for size in sizes:
                total *= size
            if total > LARGEST_TABLE:
                raise CannotEmit(f"the table `{name}` is too large")
            entries = [_entry(values, indexes) for indexes in product(*(range(-1, size - 1) for size in sizes))]
            made = f"T_{name}" if depth == 1 else f"T{depth}_{name}"
            if of_sets:
                self.set_array(made, [tuple(e) if isinstance(e, tuple | list) else () for e in entries])
            else:
                self.array(made, [0 if isinstance(e, tuple | list) else int(e) for e in entries])
            self._made[name, depth] = (made, sizes)
        return self._made[name, depth]

    def column(self, name: str) -> list[int]:
        """What a table with one index holds, the entry for none first."""
        values = self.tables[name]
        return [int(_entry(values, (index,))) for index in range(-1, len(values) - 1)]

    def set_array(self, name: str, sets: Iterable[tuple[int, ...]]) -> None:
        firsts: list[int] = [0]
        elements: list[int] = []
        for one in sets:
            elements += one
            firsts.append(len(elements))
        self.array(f"{name}_at", firsts, "int32_t")
        self.array(name, elements)

    @staticmethod
    def set_in(name: str, index: str) -> str:
        """The set of a table of sets at that position."""
        return f"(Set){{{name} + {name}_at[{index}], {name}_at[{index} + 1] - {name}_at[{index}]}}"

    def keyed(self, name: str) -> tuple[str, tuple[tuple[int, int], ...]]:
        """A table from values of printed attributes to elements: its C name, and lowest and number of each value."""
        if name not in self._keyed:
            found = {key if isinstance(key, tuple) else (key,): set_ for key, set_ in self.tables[name].items()}
            columns = list(zip(*found, strict=True)) or [(0,)]
            spans = tuple((int(min(column)), int(max(column) - min(column) + 1)) for column in columns)
            keys = list(product(*(range(low, low + count) for low, count in spans)))
            if len(keys) > LARGEST_TABLE:
                raise CannotEmit(f"the index `{name}` is too large")
            sets = self._keyed_sets[f"I_{name}"] = [tuple(found.get(key, ())) for key in keys]
            self.set_array(f"I_{name}", sets)
            self._keyed[name] = (f"I_{name}", spans)
        return self._keyed[name]

    def keyed_first(self, name: str, none: int) -> str:
        """The table with the first element of each set of such a table, or none."""
        made = f"{name}_first"
        if (sets := self._keyed_sets.pop(name, None)) is not None:
            self.array(made, [one[0] if one else none for one in sets])
        return made


def _sizes(values: Any, depth: int) -> tuple[int, ...]:
    """The number of entries at each level, the one for none included."""
    if depth == 0:
        return ()
    inner = [_sizes(value, depth - 1) for value in values if isinstance(value, tuple | list)] if depth > 1 else []
    deeper = tuple(max(level) for level in zip(*inner, strict=True)) if inner else (1,) * (depth - 1)
    return (len(values), *deeper)


def _entry(values: Any, indexes: tuple[int, ...]) -> Any:
    """What Python reads there; an index behind the end of a short row reads nothing, and nobody asks for it."""
    for index in indexes:
        if not isinstance(values, tuple | list):
            return values
        if index >= len(values) - 1 and index >= 0 and len(values) > 0:
            return values[-1]
        values = values[index] if values else 0
    return values


def _number(value: int) -> str:
    return "RW_NO_NUMBER" if value == -(1 << 31) else str(int(value))
