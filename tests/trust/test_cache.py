"""The cache runs nothing that this program did not write for this user, and stays small."""

from __future__ import annotations

import marshal
import os
import pickle
import stat
import time
from pathlib import Path

import pytest

import interpreter as rw
from interpreter.compile.load import load_compiled
from interpreter.files import cache
from interpreter.files.cache import cached, is_cached, keep
from interpreter.files.plain_data import NotPlainData, from_bytes, to_bytes
from tests.every_ruleset import every_game
from tests.test_project import MODULES, imports
from tests.trust.small import ruleset

RAN = "ran"


class Planted:
    """A pickle that leaves a mark when it is read."""

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return open, (os.environ["PLANTED"], "w")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PLANTED", str(tmp_path / RAN))
    return tmp_path / "cache"


def test_nothing_that_lies_on_the_disk_is_unpickled() -> None:
    """Games travel to other processes of a study as pickles; nothing else may use them."""
    users = {path.name for path in MODULES if any(name == "pickle" for _, name in imports(path))}
    assert users <= {"ray_engine.py"}


def test_folders_of_the_cache_are_private(folder: Path) -> None:
    keep(b"content", "games", "one")
    assert cached("games", "one") == b"content"
    assert stat.S_IMODE((folder / "games").stat().st_mode) == 0o700
    (folder / "games").chmod(0o777)
    assert cached("games", "one") is None  # anybody may have written that
    keep(b"anew", "games", "one")
    assert cached("games", "one") == b"anew" and stat.S_IMODE((folder / "games").stat().st_mode) == 0o700


def test_a_folder_of_somebody_else_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(b"content", "games", "one")
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert cached("games", "one") is None
    keep(b"other", "games", "two")
    monkeypatch.undo()
    assert not (folder / "games" / "two").exists()


def test_a_link_is_no_folder_of_the_cache(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    folder.mkdir()
    (folder / "games").symlink_to(tmp_path / "elsewhere")
    keep(b"content", "games", "one")
    assert not os.listdir(tmp_path / "elsewhere") and cached("games", "one") is None


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "pickle", "marshal", "moved", "device", "pipe"])
def test_a_planted_or_damaged_game_is_compiled_anew(folder: Path, tmp_path: Path, damage: str) -> None:
    home = ruleset(tmp_path)
    expected = rw.load(str(home)).playout(1).history
    (kept,) = (folder / "compiled").iterdir()
    whole = kept.read_bytes()
    if damage == "device":
        kept.unlink()
        kept.symlink_to("/dev/zero")
    elif damage == "pipe":
        kept.unlink()
        os.mkfifo(kept)
    else:
        code = compile(f"open({str(tmp_path / RAN)!r}, 'w')", "planted", "exec")
        kept.write_bytes(
            {
                "cut": whole[:-100],
                "flipped": whole[:-100] + bytes([whole[-100] ^ 1]) + whole[-99:],
                "empty": b"",
                "pickle": pickle.dumps(Planted()),
                "marshal": marshal.dumps(code),
                "moved": _of_another_game(folder, tmp_path),
            }[damage]
        )
    assert rw.load(str(home)).playout(1).history == expected
    assert not (tmp_path / RAN).exists()
    assert kept.is_file() and len(kept.read_bytes()) > 1000  # made again
    assert rw.load(str(home)).playout(1).history == expected


def _of_another_game(folder: Path, tmp_path: Path) -> bytes:
    before = set((folder / "compiled").iterdir())
    other = ruleset(tmp_path / "other")
    rw.load(str(other))
    (made,) = set((folder / "compiled").iterdir()) - before
    return made.read_bytes()


def test_a_cache_that_was_handed_over_is_worth_nothing(folder: Path, tmp_path: Path) -> None:
    """Somebody else's cache, with a key of its own in it, unpacked by this user."""
    keep(b"content", "games", "one")
    theirs = tmp_path / "home" / "rulewright" / "key"
    os.makedirs(folder / "key", mode=0o700)
    (theirs / "key").rename(folder / "key" / "key")
    assert not is_cached("games", "one") or not (theirs / "key").exists()
    keep(b"own", "games", "two")  # draws a key of this user's own
    assert cached("games", "two") == b"own" and cached("games", "one") is None


def test_without_a_home_the_key_is_in_the_cache_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").write_text("no folder")
    keep(b"content", "games", "one")
    assert cached("games", "one") == b"content"
    assert stat.S_IMODE((folder / "key" / "key").stat().st_mode) == 0o600


def test_old_things_go_and_the_cache_stays_small(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("old", "older", "unfinished-x", "new"):
        keep(b"content" * 10, "games", name)
    long_ago = time.time() - cache.OLDEST - 1
    os.utime(folder / "games" / "older", (long_ago, long_ago))
    os.utime(folder / "games" / "unfinished-x", (time.time() - 7200,) * 2)
    keep(b"content" * 10, "games", "another")
    assert sorted(os.listdir(folder / "games")) == ["another", "new", "old"]
    monkeypatch.setattr(cache, "MOST_BYTES", 250)
    os.utime(folder / "games" / "old", (time.time() - 60,) * 2)
    keep(b"content" * 10, "games", "last")
    assert sum(file.stat().st_size for file in (folder / "games").iterdir()) <= 250
    assert cached("games", "last") is not None and cached("games", "old") is None


def test_what_was_used_lately_stays(folder: Path) -> None:
    keep(b"content", "games", "one")
    days_ago = time.time() - 3 * 24 * 3600
    os.utime(folder / "games" / "one", (days_ago, days_ago))
    assert cached("games", "one") is not None
    assert time.time() - (folder / "games" / "one").stat().st_mtime < 60


def test_every_compiled_game_is_plain_data() -> None:
    for name, players in every_game(pairs=False)[::7]:
        compiled = load_compiled(name, players)
        again = from_bytes(to_bytes(compiled))
        assert again.meta == compiled.meta and again.places == compiled.places and again.tables == compiled.tables


def test_only_dataclasses_of_this_package() -> None:
    with pytest.raises(NotPlainData):
        to_bytes(Planted())
    with pytest.raises(NotPlainData):
        to_bytes([object()])
    for name in ("os:system", "interpreter.files.cache:keep", "interpreter.none:Nothing"):
        with pytest.raises((ValueError, ImportError, AttributeError)):
            from_bytes(marshal.dumps(([name], [4, 0, []]), 4))
