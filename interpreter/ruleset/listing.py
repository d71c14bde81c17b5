"""Lists every ruleset that a name can reach, reading only manifests and head lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import NOWHERE
from ..files.reading import read_bytes
from .find import find_used, ruleset_folders
from .manifest import Manifest, read_manifest
from .scan import Heads, VariantHead, scan_heads


@dataclass(frozen=True)
class Summary:
    """What `rulewright list` shows about a ruleset."""

    name: str
    folder: Path
    title: str
    fewest: int
    most: int
    is_core: bool
    variants: tuple[VariantHead, ...]
    clauses: int
    scenarios: int
    mechanism: str


def list_rulesets(found: Diagnostics) -> list[Summary]:
    """A summary of every ruleset whose manifest can be used; the others are reported."""
    summaries = [summarize(folder, found) for folder in ruleset_folders().values()]
    return [summary for summary in summaries if summary is not None]


def summarize(folder: Path, found: Diagnostics) -> Summary | None:
    """The summary of one ruleset, or None with a finding if its manifest cannot be used."""
    return _summarize(folder, found, ())


def _summarize(folder: Path, found: Diagnostics, users: tuple[Path, ...]) -> Summary | None:
    manifest = read_manifest(folder, found)
    if manifest is None:
        return None
    heads = [scan_heads(_text(file.path)) for file in manifest.rules_files]
    used = [_used(name, folder, users) for head in heads for name in head.uses]
    lower = [summary for summary in used if summary is not None]
    game = next((head for head in heads if head.name is not None), None)
    return Summary(
        name=manifest.name,
        folder=folder,
        title=str(manifest.title.value) if manifest.title else (game.title if game and game.title else manifest.name),
        fewest=manifest.fewest.value if manifest.fewest else (game.fewest if game else 0),
        most=manifest.most.value if manifest.most else (game.most if game else 0),
        is_core=game.is_core if game else False,
        variants=_variants(manifest, heads, lower),
        clauses=_clauses(_text(manifest.rulebook.path)) if manifest.rulebook else 0,
        scenarios=sum(head.scenarios for head in heads),  # scenarios of a used ruleset are not counted again
        mechanism=manifest.mechanism,
    )


def _used(name: str, folder: Path, users: tuple[Path, ...]) -> Summary | None:
    """A used ruleset. Its own problems are not reported here, and a circle of `use` lines is followed only once."""
    aside = Diagnostics()
    lower = find_used(name, folder, NOWHERE, aside)
    if lower is None or lower in (*users, folder):
        return None
    return _summarize(lower, aside, (*users, folder))


def _variants(manifest: Manifest, heads: list[Heads], lower: list[Summary]) -> tuple[VariantHead, ...]:
    """The variants: of used rulesets (unless removed), then those the manifest lists, then the rest in file order."""
    removed = {name for head in heads for name in head.removes}
    inherited = {v.name: v for summary in lower for v in summary.variants if v.name not in removed}
    declared = {v.name: v for head in heads for v in head.variants}
    titles = {v.name: v.title for v in manifest.variants if v.title}
    order = [*inherited, *(v.name for v in manifest.variants if v.name in declared), *declared]
    everything = {**inherited, **declared}
    return tuple(VariantHead(n, titles.get(n, everything[n].title)) for n in dict.fromkeys(order))


def _clauses(rulebook: str) -> int:
    """How many clauses a rulebook lists, not counting examples and rulings."""
    section = re.search(r"^clauses:(.*?)(?=^\w|\Z)", rulebook, re.MULTILINE | re.DOTALL)
    return len(re.findall(r"\bid:", section[1])) if section else 0


def _text(path: Path) -> str:
    try:
        return read_bytes(path).decode("utf-8", "replace")
    except OSError:
        return ""
