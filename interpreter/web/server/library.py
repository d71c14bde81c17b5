"""The rulesets that are offered, the texts of those that are being played, and loaded games.

A table keeps the rules it began with. So when one is made, the texts of its ruleset (and of those it uses) go into the
store, under a digest of all of them. While the files still have that digest they are used where they lie: compiled code
in the cache belongs to a folder. When they have changed, the stored texts are written to a folder of the data folder
and the game is loaded from there.

Rulesets that come with the program are trusted. All others, and whatever lies in a folder of `--author` or `--watch`,
are checked and played in a sandbox: a process of its own with limits on time and memory, which answers `questions` and
is stopped if it goes beyond them. Its tables are then told so; no other table notices.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import threading
import time
from collections import OrderedDict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...diagnostics.diagnostic import RulesetError
from ...native.game import load
from ...native.sandbox import SandboxFailed, Walls
from ...play.contract import PlayError
from ...ruleset.find import is_ruleset, own_rulesets, search_folders
from ...ruleset.fingerprint import layer_folders
from ...ruleset.gathered import Limits
from .asking import facts_of, is_sandboxed
from .store import KeepRules, Store
from .words import Refused

WALLS = Walls(loading=60.0, seconds=10.0, memory=768 << 20, answer=16 << 20, questions=f"{__package__}.questions")
ENDINGS = (".rules", ".yaml", ".svg")
_ASKED = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}(\+[A-Za-z_][A-Za-z0-9_-]{0,63}){0,16}")
_MOST_GAMES = 24  # loaded games that are kept
_MOST_SANDBOXES = 4  # of them in a sandbox, besides those that somebody is playing
_PAUSE = 20.0  # seconds before rules that had to be stopped are tried again
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

    def __init__(self, store: Store, data: Path, extra: tuple[Path, ...] = (), walls: Walls = WALLS) -> None:
        self._store = store
        self._kept = data / "rules"
        self._extra = tuple(folder.resolve() for folder in extra)
        self._games: OrderedDict[tuple[str, str, int], Any] = OrderedDict()
        self._lock = threading.Lock()
        self._loading: dict[tuple[str, str, int], threading.Lock] = {}
        self._stopped: dict[tuple[str, str, int], float] = {}
        self.walls = walls

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
        place = folder.resolve()
        if any(place.is_relative_to(extra) for extra in self._extra):
            return False
        return place.is_relative_to(own_rulesets().resolve())

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
            if time.monotonic() < self._stopped.get(key, 0.0):
                raise Refused(503, "stopped")
            found = self._games.get(key)
            if found is not None:
                self._games.move_to_end(key)
                return found
            own = self._loading.setdefault(key, threading.Lock())
        with own:  # whoever asks for a game that is being loaded waits for it; others go on
            with self._lock:
                found = self._games.get(key)
            if found is None:
                found = self._load(game, players, folder, key)
                with self._lock:
                    self._keep(key, found)
        with self._lock:
            self._loading.pop(key, None)
        return found

    def _load(self, game: str, players: int | None, folder: Path, key: tuple[str, str, int]) -> Any:
        path = "".join((str(folder), *game.partition("+")[1:]))
        try:
            loaded = load_rules(path, players, trusted=self.is_trusted(folder), walls=self.walls)
            facts_of(loaded)  # kept from here on: whoever wants them later need not wait for a sandbox
            return loaded
        except SandboxFailed:
            with self._lock:
                self._stopped[key] = time.monotonic() + _PAUSE
            raise Refused(503, "stopped") from None
        except RulesetError as unusable:
            what = unusable.diagnostics[0].headline.replace(path, game)  # where files lie is nobody's business
            raise Refused(422, "unusable", name=game, what=what) from None
        except PlayError as problem:
            raise Refused(422, "unusable", name=game, what=str(problem)) from None

    def runs_here(self, game: str, digest: str | None) -> bool:
        """Whether the rules of a game are run in this process, and not in a sandbox."""
        with self._lock:
            loaded = next((kept for key, kept in self._games.items() if key[:2] == (game, digest)), None)
        if loaded is not None:
            return not is_sandboxed(loaded)
        rules = self.rules_if_there(game)
        return rules is not None and digest in (None, rules.digest) and self.is_trusted(rules.folder)

    def close(self) -> None:
        """Ends all sandboxes."""
        with self._lock:
            for game in self._games.values():
                if is_sandboxed(game):
                    game.close()

    def place_of(self, game: Any) -> tuple[str, bool]:
        """The path that loads a game again in another process, and whether its rules are trusted."""
        return game.asked, not is_sandboxed(game)

    def _keep(self, key: tuple[str, str, int], game: Any) -> None:
        self._games[key] = game
        while len(self._games) > _MOST_GAMES:
            self._games.popitem(last=False)
        boxed = [key for key, kept in self._games.items() if is_sandboxed(kept)]
        for old in boxed[:-_MOST_SANDBOXES]:  # the process ends with the last table that uses it
            del self._games[old]

    def stopped(self, game: Any) -> None:
        """The sandbox of a game has failed: it is not used again, and its rules are not tried for a while."""
        with self._lock:
            for key in [key for key, kept in self._games.items() if kept is game]:
                del self._games[key]
                self._stopped[key] = time.monotonic() + _PAUSE
            for key in [key for key, until in self._stopped.items() if until < time.monotonic()]:
                del self._stopped[key]
        game.close()


def load_rules(path: str, players: int | None, *, trusted: bool, backend: str = "python", walls: Walls = WALLS) -> Any:
    """The one place where rules become a game. Rules of others get no more than the ordinary limits, whatever their
    manifest asks for, and a process of their own."""
    if trusted:
        return load(path, players, backend=backend)
    game: Any = load(path, players, backend="python", sandbox=walls, limits=asdict(Limits()))
    try:
        os.setpriority(os.PRIO_PROCESS, game.box.child.pid, 5)  # tables of others come first
    except (AttributeError, OSError):
        pass
    return game


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
