"""Finds the folder of a ruleset, given `NAME[+VARIANT…]` or a path.

A name is looked up in `rulesets/` of the current folder, in the current folder itself, in each folder of
`RULEWRIGHT_PATH`, and last among the rulesets that come with the program; the first match wins. The name that was
asked for is itself treated as a source text, so that a finding can point at the word that is wrong.

Variants of a game may lie elsewhere than the game: a folder of the same name in one of those places that has
`variants/` and no manifest adds its variants, scenarios and texts. So somebody who tries a variant of a game that came
with the program keeps it in a folder of their own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Source, Span
from ..diagnostics.suggest import nearest
from .unsaved import is_there

MANIFEST = "ruleset.yaml"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_SPOKEN = re.compile(r"(?=.*[A-Za-z0-9])[A-Za-z0-9 _-]+")


@dataclass(frozen=True)
class AskedVariant:
    name: str
    span: Span


@dataclass(frozen=True)
class Asked:
    """A ruleset that was asked for: its folder and the requested variants, in the order given."""

    folder: Path
    span: Span
    variants: tuple[AskedVariant, ...]


def own_rulesets() -> Path:
    """The rulesets that come with the program: inside an installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_data" / "rulesets"
    return installed if installed.is_dir() else package.parent / "rulesets"


def search_folders() -> list[Path]:
    """The folders whose subfolders may be rulesets, in order of precedence, without duplicates."""
    here = Path.cwd()
    named = [Path(part).absolute() for part in os.environ.get("RULEWRIGHT_PATH", "").split(os.pathsep) if part]
    return list(dict.fromkeys([here / "rulesets", here, *named, own_rulesets()]))


def is_ruleset(folder: Path) -> bool:
    return is_there(folder / MANIFEST)


def additions_to(folder: Path) -> list[Path]:
    """The folders that add variants to a ruleset which a bare name can reach."""
    places = search_folders()
    if folder.parent not in places:
        return []
    beside = (place / folder.name for place in places)
    return [other for other in beside if other != folder and (other / "variants").is_dir() and not is_ruleset(other)]


def ruleset_folders() -> dict[str, Path]:
    """Every ruleset that a bare name can reach, by name."""
    folders: dict[str, Path] = {}
    for folder in search_folders():
        for candidate in _subfolders(folder):
            if is_ruleset(candidate):
                folders.setdefault(candidate.name, candidate)
    return dict(sorted(folders.items()))


def _subfolders(folder: Path) -> Iterator[Path]:
    try:
        yield from sorted(entry for entry in folder.iterdir() if not entry.name.startswith(".") and entry.is_dir())
    except OSError:
        return


def find_ruleset(asked: str, found: Diagnostics) -> Asked | None:
    """The folder and the variants that a name or path stands for, or None after reporting a finding."""
    source = Source("command line", asked)
    base, variants = _split(asked, source)
    span = Span(source, 0, len(base))
    folder = _locate(base, span, found)
    if folder is None:
        return None
    if not _variants_make_sense(variants, found):
        return None
    return Asked(folder, span, variants)


def find_used(name: str, beside: Path, span: Span, found: Diagnostics) -> Path | None:
    """The folder of a ruleset that another one uses: first beside that one, then wherever names are looked up."""
    neighbour = beside.parent / name
    return neighbour if is_ruleset(neighbour) else _locate(name, span, found)


def _split(asked: str, source: Source) -> tuple[str, tuple[AskedVariant, ...]]:
    """Splits at `+`, but not inside the folder names of a path."""
    start = max(asked.rfind("/"), asked.rfind(os.sep)) + 1
    plus = asked.find("+", start)
    if plus < 0 or _is_folder(Path(asked)):
        return asked, ()
    variants, offset = [], plus + 1
    for word in asked[plus + 1 :].split("+"):
        variants.append(AskedVariant(word, Span(source, offset, offset + len(word))))
        offset += len(word) + 1
    return asked[:plus], tuple(variants)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _variants_make_sense(variants: tuple[AskedVariant, ...], found: Diagnostics) -> bool:
    seen: set[str] = set()
    for variant in variants:
        if not variant.name:
            found.error(
                "R0222", "a `+` without a variant", variant.span, help="name a variant after it, or leave it out"
            )
            return False
        if variant.name in seen:
            found.error("R0222", f"the variant `{variant.name}` is named twice", variant.span, help="name it once")
            return False
        seen.add(variant.name)
    return True


def _locate(base: str, span: Span, found: Diagnostics) -> Path | None:
    is_path = "/" in base or os.sep in base or base in (".", "..")
    if not is_path and _NAME.fullmatch(base):
        folder = _by_name(base)
        if folder is not None:
            return folder
    return _by_path(base, is_path, span, found)


def _by_name(name: str) -> Path | None:
    return next((folder / name for folder in search_folders() if is_ruleset(folder / name)), None)


def _by_path(base: str, is_path: bool, span: Span, found: Diagnostics) -> Path | None:
    path = Path(base).expanduser()
    try:
        exists, is_folder = path.exists(), path.is_dir()
    except (OSError, ValueError):
        exists = is_folder = False
    if base and is_folder and is_ruleset(path):
        return path.resolve()
    if base and exists and path.name == MANIFEST:
        return path.resolve().parent
    if base and exists:
        what = "folder" if is_folder else "file"
        reason = f"it has no {MANIFEST}" if is_folder else "a ruleset is a folder"
        help = f"name a folder with a {MANIFEST}, or make one with `rulewright new game NAME`"
        found.error("R0221", f"the {what} `{base}` is no ruleset", span, notes=(reason,), help=help)
        return None
    known = ruleset_folders()
    near = nearest(base, list(known))
    likely = [] if is_path else _same_when_spoken(base, known) or ([near] if near else [])
    what = "folder" if is_path else "ruleset"
    meant = " or ".join(f"`{name}`" for name in likely)
    advice = f"did you mean {meant}?" if likely else "`rulewright list` shows what is there"
    notes = () if is_path else ("looked in " + ", ".join(_shown(folder) for folder in search_folders()),)
    found.error("R0220", f"there is no {what} `{base}`", span, notes=notes, help=advice)
    return None


def named_otherwise(name: str) -> str | None:
    """The one game that reads the same aloud as a name which nothing has; None if there is none, or several."""
    if not _SPOKEN.fullmatch(name) or _by_name(name) is not None or _is_folder(Path(name)):
        return None
    alike = _same_when_spoken(name, ruleset_folders())
    return alike[0] if len(alike) == 1 else None


def _same_when_spoken(name: str, known: Iterable[str]) -> list[str]:
    """The known names that read the same aloud: `four4`, `Four-Four` and `four_four`."""
    return [other for other in known if _spoken(other) == _spoken(name)]


def _spoken(name: str) -> str:
    letters = re.sub("[0-9]", lambda digit: _DIGITS[int(digit[0])], name.lower())
    return re.sub("[^a-z]", "", letters)


_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _shown(folder: Path) -> str:
    try:
        relative = folder.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return folder.as_posix()
    return "the current folder" if relative == "." else relative
