"""The description of a game that the compiler writes; see `compile.meta`."""

from ..compile.meta import BoardMeta, FieldMeta, Meta, PlaceMeta, PrintedMeta, RuleMeta, SiteMeta

__all__ = ["BoardMeta", "FieldMeta", "Meta", "PlaceMeta", "PrintedMeta", "RuleMeta", "SiteMeta"]
