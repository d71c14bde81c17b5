"""The rulesets that are offered, the texts of those that are being played, and loaded games.

A table keeps the rules it began with. So when one is made, the texts of its ruleset (and of those it uses) go into the
store, under a digest of all of them. While the files still have that digest they are used where they lie: compiled code
in the cache belongs to a folder. When they have changed, the stored texts are written to a folder of the data folder
and the game is loaded from there.

Rulesets that come with the program are trusted. All others run under limits that they cannot raise.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import threading
from collections import OrderedDict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...diagnostics.diagnostic import RulesetError
from ...native.game import load
from ...play.contract import PlayError
from ...ruleset.find import is_ruleset, own_rulesets, search_folders
from ...ruleset.fingerprint import layer_folders
from ...ruleset.gathered import Limits
from .store import KeepRules, Store
from .words import Refused

ENDINGS = (".rules", ".yaml", ".svg")
_ASKED = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}(\+[A-Za-z_][A-Za-z0-9_-]{0,63}){0,16}")
_MOST_GAMES = 24  # loaded games that are kept
_LARGEST = 8 << 20  # bytes of text in one ruleset


@dataclass(frozen=True)
class Rules:
    """A ruleset as it is on disk now: its name, folder and texts."""

    name: str
    folder: Path
    digest: str
    files: dict[str, str]


class Library:
    """`extra` are folders given on the command line: rulesets, or folders of rulesets. They come first."""

    def __init__(self, store: Store, data: Path, extra: tuple[Path, ...] = ()) -> None:
        self._store = store
        self._kept = data / "rules"
        self._extra = tuple(folder.resolve() for folder in extra)
        self._games: OrderedDict[tuple[str, str, int], Any] = OrderedDict()
        self._lock = threading.Lock()
        self._loading: dict[tuple[str, str, int], threading.Lock] = {}

    # ------------------------------------------------------------------ what is there

    def folders(self) -> dict[str, Path]:
        """The rulesets by name, read anew each time: authors add and remove them."""
        found: dict[str, Path] = {}
        for folder in self._extra:
            for candidate in (folder, *_subfolders(folder)):
                if is_ruleset(candidate):
                    found.setdefault(candidate.name, candidate)
        for folder in search_folders():
            for candidate in _subfolders(folder):
                if is_ruleset(candidate):
                    found.setdefault(candidate.name, candidate.resolve())
        return dict(sorted(found.items()))

    def folder(self, name: str) -> Path:
        folder = self.folders().get(name)
        if folder is None:
            raise Refused(404, "no_such_game", name=name[:64])
        return folder

    def is_trusted(self, folder: Path) -> bool:
        return folder.resolve().is_relative_to(own_rulesets().resolve())

    def rules(self, game: str) -> Rules:
        """The ruleset of a game (`NAME` or `NAME+VARIANT…`) as it is on disk now."""
        if not _ASKED.fullmatch(game):
            raise Refused(404, "no_such_game", name=game[:64])
        name = game.partition("+")[0]
        folder = self.folder(name)
        files = texts_of(folder)
        return Rules(name, folder, digest_of(files), files)

    def kept(self, rules: Rules) -> KeepRules:
        return KeepRules(rules.digest, rules.name, rules.files)

    # ------------------------------------------------------------------ games

    def load(self, game: str, players: int | None, digest: str | None = None) -> Any:
        """A game by name, with the rules of that digest (None: as they are now). Raises Refused."""
        rules = self.rules_if_there(game)
        if digest is None or (rules is not None and rules.digest == digest):
            if rules is None:
                raise Refused(404, "no_such_game", name=game[:64])
            return self._loaded(game, players, rules.digest, rules.folder)
        return self._loaded(game, players, digest, self.folder_of(game, digest))

    def rules_if_there(self, game: str) -> Rules | None:
        try:
            return self.rules(game)
        except Refused:
            return None

    def folder_of(self, game: str, digest: str) -> Path:
        """The folder with the rules of that digest, written there from the store if need be."""
        name = game.partition("+")[0]
        home = self._kept / digest
        if not (home / name).is_dir():
            files = self._store.rules(digest)
            if files is None:
                raise Refused(410, "unusable", name=game, what=digest[:12])
            write_texts(files, home)
        return home / name

    def _loaded(self, game: str, players: int | None, digest: str, folder: Path) -> Any:
        key = (game, digest, players or 0)
        with self._lock:
            found = self._games.get(key)
            if found is not None:
                self._games.move_to_end(key)
                return found
            own = self._loading.setdefault(key, threading.Lock())
        with own:  # whoever asks for a game that is being loaded waits for it; others go on
            with self._lock:
                found = self._games.get(key)
            if found is None:
                found = self._load(game, players, folder)
                with self._lock:
                    self._keep(key, found)
        with self._lock:
            self._loading.pop(key, None)
        return found

    def _load(self, game: str, players: int | None, folder: Path) -> Any:
        path = "".join((str(folder), *game.partition("+")[1:]))
        try:
            return load_rules(path, players, trusted=self.is_trusted(folder))
        except RulesetError as unusable:
            what = unusable.diagnostics[0].headline.replace(path, game)  # where files lie is nobody's business
            raise Refused(422, "unusable", name=game, what=what) from None
        except PlayError as problem:
            raise Refused(422, "unusable", name=game, what=str(problem)) from None

    def place_of(self, game: Any) -> tuple[str, bool]:
        """The path that loads a game again in another process, and whether its rules are trusted."""
        return game.asked, self.is_trusted(Path(game.asked).parent)

    def _keep(self, key: tuple[str, str, int], game: Any) -> None:
        self._games[key] = game
        while len(self._games) > _MOST_GAMES:
            self._games.popitem(last=False)


def load_rules(path: str, players: int | None, *, trusted: bool, backend: str = "python") -> Any:
    """The one place where rules become a game. Rules of others get no more than the ordinary limits, whatever their
    manifest asks for. A game in a process of its own (`load(…, sandbox=True)`) does not show its declarations, from
    which scenes are made; so such rules are run for this machine alone (`serving`)."""
    return load(path, players, backend=backend, limits=None if trusted else asdict(Limits()))


# ---------------------------------------------------------------------------- texts


def texts_of(folder: Path) -> dict[str, str]:
    """The files of a ruleset and of all it uses, as `FOLDER/path`: the way they must lie beside each other."""
    texts: dict[str, str] = {}
    size = 0
    for layer in layer_folders(folder):
        for path in sorted(layer.rglob("*")):
            if path.suffix not in ENDINGS or path.name.startswith(".") or not path.is_file():
                continue
            try:
                text = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                continue  # the loader will say what is wrong with it
            size += len(text)
            if size > _LARGEST:
                raise Refused(422, "unusable", name=folder.name, what=f"more than {_LARGEST >> 20} MB")
            texts[f"{layer.name}/{path.relative_to(layer).as_posix()}"] = text
    return texts


def digest_of(files: dict[str, str]) -> str:
    digest = hashlib.sha256()
    for path, text in sorted(files.items()):
        digest.update(f"{path}\0{len(text)}\0{text}".encode("utf-8", "replace"))
    return digest.hexdigest()


def write_texts(files: dict[str, str], home: Path) -> None:
    """Writes the texts to a folder, which is there whole or not at all."""
    home.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(dir=home.parent))
    for name, text in files.items():
        path = (aside / name).resolve()
        if not path.is_relative_to(aside.resolve()):
            raise ValueError(f"a stored file would lie outside: {name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    try:
        os.rename(aside, home)
    except OSError:  # somebody else was faster
        shutil.rmtree(aside)


def _subfolders(folder: Path) -> list[Path]:
    try:
        return sorted(entry for entry in folder.iterdir() if not entry.name.startswith(".") and entry.is_dir())
    except OSError:
        return []
