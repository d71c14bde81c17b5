"""The description of a game that the compiler writes; see `compile.meta`."""

from ..compile.meta import (
    FREE,
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
    "FREE",
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
