"""For authors: folders of rules that are looked at again whenever a file in them changes (`--watch`).

Files are compared by time and size a few times a second, which works on every system and every disk. After a change the
ruleset is checked as an editor would; the findings go to every table of it and to `/api/watch`. If there is no error,
each of its tables goes on with the new rules: its choices are played again, and if all of them are still offered the
table takes the new game. If one is not, the table keeps the rules it has, and its pages are told at which decision, and
what was chosen there.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...native.sandbox import SandboxFailed
from ...ruleset.find import is_ruleset
from ...ruleset.fingerprint import layer_folders
from ...runtime.faults import Fault
from .asking import is_sandboxed
from .driving import drive
from .house import House
from .library import ENDINGS, Rules
from .live import Live
from .reading import findings_of
from .store import NewRules
from .words import Refused, said

EVERY = 0.3  # seconds between two looks at the files

Stamp = tuple[tuple[str, int, int], ...]


class Watch:
    """`folders` are rulesets, or folders of rulesets."""

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self.folders = folders
        self._stamps: dict[str, Stamp] = {}
        self._findings: dict[str, dict[str, Any]] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self, house: House) -> None:
        house.on_open = self.opened
        self._task = house.spawn(self._run(house))

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def rulesets(self) -> dict[str, Path]:
        """The watched rulesets by name."""
        found: dict[str, Path] = {}
        for folder in self.folders:
            inside = sorted(one for one in folder.iterdir() if one.is_dir()) if folder.is_dir() else []
            for candidate in (folder, *inside):
                if is_ruleset(candidate):
                    found.setdefault(candidate.name, candidate)
        return found

    def is_watched(self, game: Any) -> bool:
        return isinstance(game, str) and game.partition("+")[0] in self.rulesets()

    def all_findings(self) -> list[dict[str, Any]]:
        """What is known of each watched ruleset."""
        return list(self._findings.values())

    # ------------------------------------------------------------------ looking

    async def _run(self, house: House) -> None:
        while True:
            for name, folder in (await asyncio.to_thread(self.rulesets)).items():
                stamp = await asyncio.to_thread(stamp_of, folder)
                if stamp != self._stamps.get(name):
                    await asyncio.sleep(EVERY / 2)  # an editor may write several files, or one in parts
                    self._stamps[name] = await asyncio.to_thread(stamp_of, folder)
                    await self._changed(house, name, folder)
            await asyncio.sleep(EVERY)

    async def _changed(self, house: House, name: str, folder: Path) -> None:
        checked = await house.aside(findings_of, house.library, folder)
        told = {"type": "findings", "game": name, **checked, "replay": None}
        self._findings[name] = told
        for live in house.all_live:
            if live.table.row.settings.get("watch") and live.table.row.game.partition("+")[0] == name:
                await self._tell(house, live, told)

    async def opened(self, house: House, live: Live) -> None:
        """A table came into memory: the files may have changed since it was played last."""
        told = self._findings.get(live.table.row.game.partition("+")[0])
        if told is not None and live.table.row.settings.get("watch"):
            await self._tell(house, live, told)

    async def _tell(self, house: House, live: Live, told: dict[str, Any]) -> None:
        problem = None if told["errors"] else await renewed(house, live)
        for connection in live.connections:
            words = None if problem is None else problem.told(connection.language)
            connection.tell({**told, "replay": words})


def stamp_of(folder: Path) -> Stamp:
    """Changes whenever a file of the ruleset, or of one that it uses, does."""
    stamps = []
    try:
        for layer in layer_folders(folder):
            for path in sorted(layer.rglob("*")):
                if path.suffix in ENDINGS and path.is_file():
                    status = path.stat()
                    stamps.append((str(path), status.st_mtime_ns, status.st_size))
    except OSError:
        pass  # a file went away meanwhile: the next look tells
    return tuple(stamps)


# ---------------------------------------------------------------------------- going on with new rules


class Stuck:
    """Why a table cannot go on with new rules."""

    def __init__(self, step: int, what: str) -> None:
        self.step, self.what = step, what

    def told(self, language: str) -> dict[str, Any]:
        return {"step": self.step, "words": said("replay_stuck", language, step=self.step, what=self.what)}


async def renewed(house: House, live: Live) -> Stuck | None:
    """Lets a table go on with the rules as they are now; what is in the way, if it cannot."""
    rules = await house.in_thread(house.library.rules_if_there, live.table.row.game)
    if rules is None or rules.digest == live.table.row.digest:
        return None
    async with live.lock:
        stuck = await _renew(house, live, rules)
    drive(house, live)
    return stuck


async def _renew(house: House, live: Live, rules: Rules) -> Stuck | None:
    table = live.table
    row = replace(table.row, digest=rules.digest)
    try:
        game = await house.by_rules(
            house.library.is_trusted(rules.folder), house.library.load, row.game, row.players, rules.digest
        )
        again = await (house.aside if is_sandboxed(game) else house.in_thread)(table.replayed, game, row)
    except Refused as refused:
        return Stuck(refused.values.get("step", 0), str(refused.values.get("what", refused.code)))
    except SandboxFailed as failed:
        house.library.stopped(game)
        return Stuck(0, str(failed))
    except Fault as fault:
        return Stuck(fault.step, f"{fault.rule}: {fault.diagnostic.headline}")
    asked = await house.at(live, lambda: again.asked)
    change = NewRules(row.id, rules.digest, tuple(again.choices), again.offsets, again.standing.over, asked)
    try:
        await house.written(house.library.kept(rules), change)
    except Refused:
        house.drop(live)
        raise
    live.table = again
    live.messages.clear()
    live.note_asked(None)
    live.changed(live.everybody)
    return None
