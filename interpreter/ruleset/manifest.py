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
from .ceilings import lowered
from .find import MANIFEST
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
    files: tuple[NamedFile, ...]
    variants: tuple[ManifestVariant, ...]
    variant_files: tuple[NamedFile, ...]
    scenario_files: tuple[NamedFile, ...]
    text_files: tuple[NamedFile, ...]
    rulebook: NamedFile | None
    languages: tuple[str, ...]
    limits: Limits

    @property
    def rules_files(self) -> tuple[NamedFile, ...]:
        return self.files + self.variant_files + self.scenario_files


def read_manifest(folder: Path, found: Diagnostics) -> Manifest | None:
    """The manifest of a ruleset folder, or None after at least one finding."""
    document = read_yaml(folder / MANIFEST, found)
    if document is None or not validate(document, "manifest", found):
        return None
    return _build(folder, document, found)


def _build(folder: Path, document: Scalar, found: Diagnostics) -> Manifest:
    entries: dict[str, Scalar] = document.value
    name = entries["name"]
    players = entries["players"].value if "players" in entries else {}
    files = _named(folder, entries.get("files"), found) or (NamedFile(folder / f"{name.value}.rules", name.span),)
    variants = entries["variants"].value if "variants" in entries else []
    variant_files = [_inside(folder, v.value["file"], found) for v in variants if "file" in v.value]
    return Manifest(
        folder=folder,
        name=name.value,
        span=name.span,
        title=entries.get("title"),
        fewest=players.get("fewest"),
        most=players.get("most"),
        edition=str(entries["edition"].value) if "edition" in entries else "",
        files=files,
        variants=tuple(_variant(v) for v in variants),
        variant_files=_joined([f for f in variant_files if f], _found(folder, "variants", ".rules", name.span)),
        scenario_files=_found(folder, "scenarios", ".rules", name.span),
        text_files=_joined(_named(folder, entries.get("texts"), found), _found(folder, "texts", ".yaml", name.span)),
        rulebook=_rulebook(folder, entries.get("rulebook"), name.span, found),
        languages=tuple(str(item.value) for item in entries["languages"].value) if "languages" in entries else ("en",),
        limits=_limits(entries.get("limits")),
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


def _found(folder: Path, where: str, ending: str, span: Span) -> tuple[NamedFile, ...]:
    paths = [path for path in files_in(folder / where) if path.suffix == ending]
    return tuple(NamedFile(path, span) for path in paths if not path.name.startswith("."))


def _joined(named: tuple[NamedFile, ...] | list[NamedFile], others: tuple[NamedFile, ...]) -> tuple[NamedFile, ...]:
    """The named files, then the automatically found ones that are not among them."""
    known = {file.path for file in named}
    return tuple(named) + tuple(file for file in others if file.path not in known)


def _rulebook(folder: Path, entry: Scalar | None, span: Span, found: Diagnostics) -> NamedFile | None:
    if entry is not None:
        return _inside(folder, entry, found)
    default = folder / "rulebook.yaml"
    return NamedFile(default, span) if is_there(default) else None


def _inside(folder: Path, entry: Scalar, found: Diagnostics) -> NamedFile | None:
    path = file_inside(folder, entry.value, entry.span, found)
    return NamedFile(path, entry.span) if path else None


def file_inside(folder: Path, name: str, span: Span, found: Diagnostics) -> Path | None:
    """The path of a file inside the ruleset's own folder; a finding otherwise. A ruleset may come from a stranger, so
    it must not read anything outside its folder."""
    path = folder / name
    home = folder.resolve()
    try:
        inside = path.resolve().is_relative_to(home)
    except (OSError, ValueError, RuntimeError):
        inside = False
    if not inside:
        found.error(
            "R0201",
            f"the file `{name}` is outside of the ruleset",
            span,
            "named here",
            help="keep all files of a ruleset in its folder",
        )
        return None
    return path
