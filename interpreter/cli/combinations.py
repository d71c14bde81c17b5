"""Which rulesets a command applies to, and in which combinations with their variants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ruleset.combinations import combinations

__all__ = ["combinations", "named_rulesets"]


def named_rulesets(names: Sequence[str], everything: bool) -> Iterator[str]:
    """The names given to a command, or all rulesets."""
    from ..play.contract import PlayError
    from ..ruleset.find import ruleset_folders

    if everything and names:
        raise PlayError("either names or --all, not both")
    if not everything and not names:
        raise PlayError("which ruleset?", "name one or several, or say --all")
    yield from ruleset_folders() if everything else names
