"""ruleset.yaml: what a ruleset says about itself, and which files belong to it.

Most entries are optional. The rules are in NAME.rules; `variants/*.rules`, `scenarios/*.rules` and `texts/*.yaml` are
found automatically, in alphabetical order; `rulebook.yaml` is read if it exists. Title and player count are in the
`game` line; if the manifest repeats them, they must agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Span
from ..files.reading import FileRefused, files_below, is_inside
from ..files.shown import visible
from .ceilings import lowered
from .find import MANIFEST, additions_to
from .gathered import Limits, Scalar
from .schema import validate
from .unsaved import files_in, is_there
from .yaml_source import read_yaml


@dataclass(frozen=True)
class NamedFile:
    """A file that the manifest names, or that was found in its folder (then the span is the manifest itself)."""

    path: Path
    span: Span


@dataclass(frozen=True)
class ManifestVariant:
    name: str
    title: str | None
    span: Span


@dataclass(frozen=True)
class Manifest:
    folder: Path
    name: str
    span: Span  # of the name
    title: Scalar | None
    fewest: Scalar | None
    most: Scalar | None
    edition: str
    mechanism: str
    files: tuple[NamedFile, ...]
    variants: tuple[ManifestVariant, ...]
    variant_files: tuple[NamedFile, ...]
    scenario_files: tuple[NamedFile, ...]
    text_files: tuple[NamedFile, ...]
    rulebook: NamedFile | None
    languages: tuple[str, ...]
    limits: Limits
    additions: tuple[Path, ...] = ()  # folders elsewhere whose variants, scenarios and texts count as well

    @property
    def rules_files(self) -> tuple[NamedFile, ...]:
        return self.files + self.variant_files + self.scenario_files


def read_manifest(folder: Path, found: Diagnostics) -> Manifest | None:
    """The manifest of a ruleset folder, or None after at least one finding."""
    document = read_yaml(folder / MANIFEST, found, inside=folder)
    if document is None or not validate(document, "manifest", found):
        return None
    additions = tuple(additions_to(folder))
    try:
        for one in (folder, *additions):
            files_below(one, (".rules", ".yaml"))
    except FileRefused as refused:
        span = document.value["name"].span
        found.error("R0202", f"the folder is not read: {refused}", span, help="keep a ruleset in a folder of its own")
        return None
    return _build(folder, additions, document, found)


def _build(folder: Path, additions: tuple[Path, ...], document: Scalar, found: Diagnostics) -> Manifest:
    entries: dict[str, Scalar] = document.value
    name = entries["name"]
    players = entries["players"].value if "players" in entries else {}
    files = _named(folder, entries.get("files"), found) or _default(folder, name, found)
    variants = entries["variants"].value if "variants" in entries else []
    everywhere = (folder, *additions)
    variant_files = [_inside(folder, v.value["file"], found) for v in variants if "file" in v.value]
    return Manifest(
        folder=folder,
        name=name.value,
        span=name.span,
        title=entries.get("title"),
        fewest=players.get("fewest"),
        most=players.get("most"),
        edition=str(entries["edition"].value) if "edition" in entries else "",
        mechanism=str(entries["mechanism"].value) if "mechanism" in entries else "",
        files=files,
        variants=tuple(_variant(v) for v in variants),
        variant_files=_joined(
            [f for f in variant_files if f], _found(everywhere, "variants", ".rules", name.span, found)
        ),
        scenario_files=_found(everywhere, "scenarios", ".rules", name.span, found),
        text_files=_joined(
            _named(folder, entries.get("texts"), found), _found(everywhere, "texts", ".yaml", name.span, found)
        ),
        rulebook=_rulebook(folder, entries.get("rulebook"), name.span, found),
        languages=tuple(str(item.value) for item in entries["languages"].value) if "languages" in entries else ("en",),
        limits=_limits(entries.get("limits")),
        additions=additions,
    )


def _variant(entry: Scalar) -> ManifestVariant:
    title = entry.value.get("title")
    return ManifestVariant(entry.value["name"].value, title.value if title else None, entry.value["name"].span)


def _limits(entry: Scalar | None) -> Limits:
    own = Limits(**{key: limit.value for key, limit in entry.value.items()}) if entry else Limits()
    return lowered(own)


def _named(folder: Path, entry: Scalar | None, found: Diagnostics) -> tuple[NamedFile, ...]:
    named = [_inside(folder, item, found) for item in entry.value] if entry else []
    return tuple(file for file in named if file)


def _default(folder: Path, name: Scalar, found: Diagnostics) -> tuple[NamedFile, ...]:
    path = file_inside(folder, f"{name.value}.rules", name.span, found)
    return (NamedFile(path, name.span),) if path else ()


def _found(folders: tuple[Path, ...], where: str, ending: str, span: Span, found: Diagnostics) -> tuple[NamedFile, ...]:
    files = [(folder, path.name) for folder in folders for path in files_in(folder / where) if path.suffix == ending]
    named = [(folder, name) for folder, name in files if not name.startswith(".")]
    inside = [file_inside(folder, f"{where}/{name}", span, found) for folder, name in named]
    return tuple(NamedFile(path, span) for path in inside if path)


def _joined(named: tuple[NamedFile, ...] | list[NamedFile], others: tuple[NamedFile, ...]) -> tuple[NamedFile, ...]:
    """The named files, then the automatically found ones that are not among them."""
    known = {file.path for file in named}
    return tuple(named) + tuple(file for file in others if file.path not in known)


def _rulebook(folder: Path, entry: Scalar | None, span: Span, found: Diagnostics) -> NamedFile | None:
    if entry is not None:
        return _inside(folder, entry, found)
    if not is_there(folder / "rulebook.yaml"):
        return None
    default = file_inside(folder, "rulebook.yaml", span, found)
    return NamedFile(default, span) if default else None


def _inside(folder: Path, entry: Scalar, found: Diagnostics) -> NamedFile | None:
    path = file_inside(folder, entry.value, entry.span, found)
    return NamedFile(path, entry.span) if path else None


def file_inside(folder: Path, name: str, span: Span, found: Diagnostics) -> Path | None:
    """The path of a file inside the ruleset's own folder; a finding otherwise. A ruleset may come from a stranger, so
    it must not read anything outside its folder."""
    path = folder / name
    if not is_inside(path, folder):
        what = f"the file `{visible(name)}` is outside of the ruleset"
        found.error("R0201", what, span, "named here", help="keep all files of a ruleset in its folder")
        return None
    return path
