"""What the ruleset stage hands on: one game, gathered from its folder, with all its layers applied.

Nothing is resolved or typed here. A table is a list of raw rows in which every cell knows its place in the file; a
rules file is a tree. Once the layers are applied no `set`, `replace`, `extend`, `remove`, `variant` or `use` is left:
`declarations` is the game as it will be played, each declaration with the layer it came from. What could not be read
is not among them; `lost` says what is missing, and the findings say why.
"""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..diagnostics.source import Source, Span
from ..files.records import Value
from .lost import Lost

if TYPE_CHECKING:  # importing the node classes takes a tenth of a second; listing and warm starts do without them
    from ..syntax import nodes


class Layer(Value):
    """A used ruleset, the game itself, or a variant. `rank` orders them: hooks run in that order."""

    name: str
    role: str  # used, game, variant
    folder: Path = field(compare=False)
    rank: int = 0


class Placed(Value):
    """A declaration with the layer it belongs to. If later layers replaced or extended it, the declaration is the
    merged one and `replaced` lists the declarations it was merged from, oldest first. `writers` has the layer that
    wrote each of those, and the layer of the last change."""

    declaration: nodes.Declaration
    layer: Layer
    replaced: tuple[nodes.Declaration, ...] = ()
    writers: tuple[Layer, ...] = ()


class Removal(Value):
    """A layer says `remove` here."""

    layer: str
    span: Span = field(compare=False)


class Scalar(Value):
    """A YAML value with its place. `value` is int, str, bool, None, list[Scalar] or dict[str, Scalar];
    `keys` has the span of each key of a mapping."""

    value: Any
    span: Span = field(compare=False)
    keys: dict[str, Span] = field(default_factory=dict, compare=False)

    def plain(self) -> Any:
        """The value as ordinary Python data, without places."""
        match self.value:
            case list():
                return [item.plain() for item in self.value]
            case dict():
                return {key: item.plain() for key, item in self.value.items()}
            case _:
                return self.value


class MapFile(Value):
    """The file of a map, or one that extends it, with the layer that names it and the variants that layer overrides."""

    document: Scalar
    layer: Layer
    overrides: frozenset[str] = frozenset()

    @property
    def entries(self) -> dict[str, Scalar]:
        entries: dict[str, Scalar] = self.document.value
        return entries

    def may_change(self, earlier: MapFile) -> bool:
        """True if this file may change what an earlier one says. Between two variants, only the one that overrides the
        other may."""
        if self.layer == earlier.layer:
            return False
        return not self.layer.role == earlier.layer.role == "variant" or earlier.layer.name in self.overrides


class Row(Value):
    """One row of a table: its id, its cells by column, the columns that are known from the book, the cited clauses."""

    id: str
    span: Span = field(compare=False)
    cells: dict[str, Scalar]
    copies: int
    name: str | None
    known: frozenset[str]
    cites: tuple[nodes.Cite, ...]


class TableFile(Value):
    """A table of a kind, an enum or a chart. `default` is `known` or `assumed`."""

    path: str
    source: Source = field(compare=False)
    of: str
    default: str
    rows: tuple[Row, ...]


class VariantInfo(Value):
    name: str
    title: str
    fewest: int
    most: int
    needs: tuple[str, ...]
    excludes: tuple[str, ...]


class Clause(Value):
    """A sentence of the rulebook in our own words. If no rule has to implement it, `needs_rule` is False and `reason`
    says why.

    `same_as` names clauses of a used ruleset that say the same: whatever covers those covers this one too.
    """

    id: str
    summary: str
    page: str
    mode: str
    needs_rule: bool
    reason: str
    span: Span = field(compare=False)
    section: str = "clause"  # clause, example, ruling
    same_as: tuple[str, ...] = ()


class Limits(Value):
    """Limits that stop a runaway game with a fault. The manifest can change them, but not beyond the ceilings of
    whoever runs it (`ceilings`)."""

    frames: int = 256
    steps: int = 100_000
    options: int = 10_000
    decisions: int = 20_000
    trial_steps: int = 20_000
    log: int = 100_000  # lines of a game


class Gathered(Value):
    """One game with the chosen variants for one number of players."""

    name: str  # harbour+solo
    base: str  # harbour
    folder: Path
    title: str
    players: int
    fewest: int
    most: int
    seats: tuple[str, ...]  # names given by `as`, one per seat; may be empty
    variants: tuple[str, ...]  # active, in manifest order
    all_variants: tuple[VariantInfo, ...]
    layers: tuple[Layer, ...]
    declarations: tuple[Placed, ...]
    scenarios: tuple[Placed, ...]
    tables: dict[tuple[str, str], TableFile]  # (layer folder name as text, file) -> rows for this player count
    documents: dict[tuple[str, str], Scalar]  # YAML files that are maps or tiles, or extend them, raw
    clauses: dict[str, Clause]
    limits: Limits
    fingerprint: str  # of every byte that was read: the key of the compiled cache and of saves
    languages: tuple[str, ...] = ("en",)
    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    overrides: dict[str, frozenset[str]] = field(default_factory=dict)  # active variant -> variants it overrides
    map_files: dict[str, tuple[MapFile, ...]] = field(default_factory=dict)  # map -> its file, then what extends it
    removed: dict[str, Removal] = field(default_factory=dict)  # what a layer has removed
    lost: Lost = field(default_factory=Lost)  # what could not be read, with its finding in the list
    trees: tuple[nodes.File, ...] = ()  # every rules file of every layer as written, including inactive variants
    text_keys: tuple[tuple[str, Span], ...] = ()  # every key in a translation file, with its place
    added_variants: frozenset[str] = frozenset()  # those that lie in another folder than their game
