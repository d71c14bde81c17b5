"""The description of a game that the compiler writes; see `compile.meta`."""

from ..compile.meta import (
    PASS,
    STEP,
    BoardMeta,
    ChartMeta,
    ClauseMeta,
    FieldMeta,
    Meta,
    PlaceMeta,
    PrintedMeta,
    RuleMeta,
    SiteMeta,
)

__all__ = [
    "PASS",
    "STEP",
    "BoardMeta",
    "ChartMeta",
    "ClauseMeta",
    "FieldMeta",
    "Meta",
    "PlaceMeta",
    "PrintedMeta",
    "RuleMeta",
    "SiteMeta",
]
