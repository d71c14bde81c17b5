"""The list of games, with what a person needs to know before playing.

It is read from the rules files (`reading`), once, and kept in the store by the digest of the rules. Nobody waits for
that: what is not read yet is read in the background, the newcomers' game first, and the list says how many games are
still to come. How many decisions a game takes is measured afterwards by a few random games and kept in the same way.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...native.sandbox import SandboxFailed
from ...ruleset.fingerprint import fingerprint_of
from .house import House
from .library import digest_of, texts_of
from .reading import read
from .store import KeepFact
from .strengths import STRENGTHS
from .words import Refused, said
from .workers import WorkFailed

_ENTRY = "lobby/1"  # what an entry has: raise the number when that changes
AT_ONCE = 1.0  # seconds that somebody who opens the lobby waits for what is not read yet
PAUSE = 20.0  # seconds before rules that had to be stopped are read again
MEASURING = 60.0  # seconds that measuring the length of a game may take
SECONDS_EACH = 6  # of a person, for one decision: what minutes are reckoned with

Known = tuple[str, Path, dict[str, Any] | None]  # digest and folder of a ruleset, what was kept of it


class Lobby:
    def __init__(self, house: House, watched: Iterable[Path] = ()) -> None:
        self._house = house
        self._watched = tuple(watched)
        self._lock = asyncio.Lock()
        self._measuring: asyncio.Task[None] | None = None
        self._reading: dict[str, asyncio.Task[None]] = {}  # rules that are being read, by digest
        self._done: set[str] = set()  # rules that have been read, perhaps after somebody looked at what was kept
        self._one_at_a_time = asyncio.Lock()  # of those that are read in this process
        self._pause: dict[str, float] = {}  # and until when those that had to be stopped are not read again

    async def games(self, language: str) -> dict[str, Any]:
        """All games there are, in a language where they have it."""
        async with self._lock:
            entries = await self._entries()
        reading = len(self._reading)
        games = [_said_in(entry, language) for entry in entries]
        first = _first(games, is_whole=not reading)
        for game in games:
            game["first"] = game["name"] == first
        if not reading:
            self._measure(entries)
        bots = [{"name": one.name, "spec": one.spec, "seconds": one.seconds} for one in STRENGTHS]
        return {"games": games, "bots": bots, "first": _first_table(games, first), "reading": reading}

    async def _entries(self) -> list[dict[str, Any]]:
        """The games that have been read, in the order of their folders."""
        house = self._house
        known = await house.in_thread(self._known)
        for digest, folder, kept in sorted(known, key=lambda one: not _asks_to_be_first(one[1])):
            is_new = kept is None and digest not in self._reading and digest not in self._done
            if is_new and self._pause.get(digest, 0.0) < time.monotonic():
                self._reading[digest] = house.spawn(self._read_behind(digest, folder))
        if self._reading:
            await asyncio.wait(list(self._reading.values()), timeout=AT_ONCE)
        if any(kept is None for _, _, kept in known):
            known = await house.in_thread(self._known)
        return await house.in_thread(self._found, known)

    def _known(self) -> list[Known]:
        """What was kept of each ruleset: reading all rules takes seconds."""
        known = []
        for folder in self._house.library.folders().values():
            try:
                digest = digest_of(texts_of(folder))
            except Refused:
                continue
            known.append((digest, folder, self._house.store.fact(f"{_ENTRY} {digest}")))
        return known

    async def _read_behind(self, digest: str, folder: Path) -> None:
        """Reads a ruleset while others do other things: those of strangers beside each other, in sandboxes."""
        house = self._house
        try:
            if house.library.is_trusted(folder):
                async with self._one_at_a_time:
                    await house.in_thread(self._read, digest, folder)
            else:
                await house.aside(self._read, digest, folder)
        finally:
            del self._reading[digest]

    def _read(self, digest: str, folder: Path) -> None:
        try:
            entry = read(self._house.library, "entry", folder)
        except SandboxFailed:
            self._pause[digest] = time.monotonic() + PAUSE
            return
        if self._house.store.write([KeepFact(f"{_ENTRY} {digest}", {"entry": entry})]) == [None]:
            self._done.add(digest)

    def _found(self, known: list[Known]) -> list[dict[str, Any]]:
        found = []
        for digest, folder, kept in known:
            if kept is not None and kept["entry"] is not None:
                length = self._house.store.fact(f"length {digest}")
                found.append({**kept["entry"], "digest": digest, "length": length, "watch": self._is_watched(folder)})
        return found

    def _is_watched(self, folder: Path) -> bool:
        return any(folder in (one, *one.iterdir()) for one in self._watched if one.is_dir())

    # ------------------------------------------------------------------ how long games take

    def _measure(self, entries: list[dict[str, Any]]) -> None:
        wanting = [entry for entry in entries if entry["length"] is None]
        if wanting and self._house.limits.measures and (self._measuring is None or self._measuring.done()):
            self._measuring = self._house.spawn(self._measured(wanting))

    async def _measured(self, entries: list[dict[str, Any]]) -> None:
        library = self._house.library
        for entry in entries:
            folder = library.folders().get(entry["name"])
            if folder is None:
                continue
            fingerprint = await self._house.in_thread(fingerprint_of, str(folder), entry["fewest"])
            job = {
                "job": "length", "path": str(folder), "players": entry["fewest"], "fingerprint": fingerprint,
                "trusted": library.is_trusted(folder), "seconds": MEASURING,
            }  # fmt: skip
            try:
                answer = await self._house.workers.run(job, MEASURING)
            except WorkFailed:
                answer = {"decisions": None}
            decisions = answer["decisions"]
            minutes = None if decisions is None else max(1, round(decisions * SECONDS_EACH / 60))
            fact = {"decisions": decisions, "minutes": minutes}
            await self._house.written(KeepFact(f"length {entry['digest']}", fact))


# ---------------------------------------------------------------------------- in words


def _said_in(entry: dict[str, Any], language: str) -> dict[str, Any]:
    """The entry in a language, with what variants need and exclude in words."""
    texts: dict[str, str] = entry["texts"].get(language, {})
    titles = {one["name"]: texts.get(one["title"], one["title"]) for one in entry["variants"]}
    variants = []
    for one in entry["variants"]:
        words = [said(key, language, names=", ".join(titles.get(name, name) for name in one[key]))
                 for key in ("needs", "excludes") if one[key]]  # fmt: skip
        if one["players"]:
            words.append(_for_players(one["players"], language))
        variants.append({**one, "title": titles[one["name"]], "words": words})
    keep = ("name", "fewest", "most", "automas", "languages", "length", "showcase", "watch", "clauses")
    return {
        **{key: entry[key] for key in keep},
        "title": texts.get(entry["title"], entry["title"]),
        "players": list(range(entry["fewest"], entry["most"] + 1)),
        "variants": variants,
        "solo": [one["name"] for one in variants if one["solo"]],
        "picture": f"/api/games/{entry['name']}/picture.svg",
    }


def _for_players(players: list[int], language: str) -> str:
    fewest, most = players
    if fewest == most == 1:
        return said("only_one", language)
    return said("only_players", language, players=fewest if fewest == most else f"{fewest}–{most}")


def _asks_to_be_first(folder: Path) -> bool:
    """Whether a ruleset seems to be a newcomer's first game: looked at before it is read, to read it first."""
    try:
        return "\nshowcase: true" in "\n" + (folder / "table.yaml").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False


def _first(games: list[dict[str, Any]], is_whole: bool) -> str | None:
    """The game a newcomer should start with: one that says so, else the first for two that can be played with a bot,
    as soon as all are known."""
    asked = [game["name"] for game in games if game["showcase"]]
    fitting = [game["name"] for game in games if 2 in game["players"] and is_whole]
    return next(iter(asked or fitting), None)


def _first_table(games: list[dict[str, Any]], first: str | None) -> dict[str, Any] | None:
    """What to post to make that first table: me against an easy bot."""
    game = next((game for game in games if game["name"] == first), None)
    if game is None:
        return None
    players = 2 if 2 in game["players"] else game["fewest"]
    seats = [{"kind": "me"}, *({"kind": "bot", "bot": "easy"} for _ in range(players - 1))]
    return {"game": game["name"], "players": players, "seats": seats}
