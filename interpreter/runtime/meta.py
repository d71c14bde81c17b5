"""The description of a game that the compiler writes; see `compile.meta`."""

from ..compile.meta import FieldMeta, Meta, PlaceMeta, RuleMeta, SiteMeta

__all__ = ["FieldMeta", "Meta", "PlaceMeta", "RuleMeta", "SiteMeta"]
