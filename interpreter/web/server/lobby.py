"""The list of games, with what a person needs to know before playing; and the clauses of a rulebook.

All of it is read from the rules files without compiling anything. How many decisions a game takes is measured once in
the background, by a few random games, and kept in the store by the digest of the rules.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...diagnostics.diagnostic import Diagnostics
from ...files.reading import read_text
from ...ruleset.fingerprint import fingerprint_of
from ...ruleset.folder import Ruleset, read_ruleset
from ...ruleset.variants import Offered, offered_variants
from ...syntax import nodes
from .house import House
from .library import Library, digest_of, texts_of
from .store import KeepFact
from .strengths import STRENGTHS
from .words import Refused, said
from .workers import WorkFailed

MEASURING = 60.0  # seconds that measuring the length of a game may take
SECONDS_EACH = 6  # of a person, for one decision: what minutes are reckoned with


class Lobby:
    def __init__(self, house: House, watched: Iterable[Path] = ()) -> None:
        self._house = house
        self._watched = tuple(watched)
        self._read: dict[str, tuple[str, dict[str, Any]]] = {}  # name -> digest, entry
        self._lock = asyncio.Lock()
        self._measuring: asyncio.Task[None] | None = None

    async def games(self, language: str) -> dict[str, Any]:
        """All games there are, in a language where they have it."""
        async with self._lock:
            entries = await self._house.in_thread(self._entries)
        games = [_said_in(entry, language) for entry in entries]
        first = _first(games)
        for game in games:
            game["first"] = game["name"] == first
        self._measure(entries)
        bots = [{"name": one.name, "spec": one.spec, "seconds": one.seconds} for one in STRENGTHS]
        return {"games": games, "bots": bots, "first": _first_table(games, first)}

    def _entries(self) -> list[dict[str, Any]]:
        found = []
        for name, folder in self._house.library.folders().items():
            try:
                digest = digest_of(texts_of(folder))
            except Refused:
                continue
            known = self._read.get(name)
            if known is None or known[0] != digest:
                entry = entry_of(folder)
                if entry is None:
                    continue
                known = self._read[name] = (digest, {**entry, "digest": digest})
            length = self._house.store.fact(f"length {digest}")
            found.append({**known[1], "length": length, "watch": folder in self._watched})
        return found

    # ------------------------------------------------------------------ how long games take

    def _measure(self, entries: list[dict[str, Any]]) -> None:
        wanting = [entry for entry in entries if entry["length"] is None]
        if wanting and (self._measuring is None or self._measuring.done()):
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
                "sandbox": not library.is_trusted(folder),
            }  # fmt: skip
            try:
                answer = await self._house.workers.run(job, MEASURING)
            except WorkFailed:
                answer = {"decisions": None}
            decisions = answer["decisions"]
            minutes = None if decisions is None else max(1, round(decisions * SECONDS_EACH / 60))
            fact = {"decisions": decisions, "minutes": minutes}
            await self._house.written(KeepFact(f"length {entry['digest']}", fact))


# ---------------------------------------------------------------------------- one game


def entry_of(folder: Path) -> dict[str, Any] | None:
    """A game for the lobby, or None if it cannot be used or is no game by itself."""
    found = Diagnostics()
    ruleset = read_ruleset(folder, found)
    if ruleset is None or found.has_errors or ruleset.game.is_core:
        return None
    offered = list(offered_variants(ruleset, found).values())
    if found.has_errors:
        return None
    game = ruleset.game
    texts: dict[str, dict[str, str]] = {}
    for layer in (*ruleset.lower(), ruleset):
        for language, own in layer.texts.items():
            texts.setdefault(language, {}).update(own)
    return {
        "name": ruleset.name,
        "title": game.title.raw,
        "fewest": game.fewest,
        "most": game.most,
        "variants": [_variant(one, game.fewest, game.most) for one in offered],
        "automas": _automas(ruleset.declarations),
        "languages": list(dict.fromkeys([*ruleset.manifest.languages, *texts])),
        "showcase": _is_showcase(ruleset),
        "texts": {language: _titles(own, game.title.raw, offered) for language, own in texts.items()},
        "clauses": len(ruleset.clauses),
    }


def _is_showcase(ruleset: Ruleset) -> bool:
    """Whether the ruleset asks to be a newcomer's first game: `showcase: true` in its `table.yaml`."""
    import yaml

    folder = ruleset.manifest.folder
    try:
        said_there = yaml.safe_load(read_text(folder / "table.yaml", inside=folder))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError):
        return False
    return isinstance(said_there, dict) and said_there.get("showcase") is True


def _variant(one: Offered, fewest: int, most: int) -> dict[str, Any]:
    info = one.info
    fixed = (info.fewest, info.most) != (fewest, most)
    automas = _automas(one.declaration.declarations)
    return {
        "name": info.name,
        "title": info.title,
        "needs": list(info.needs),
        "excludes": list(info.excludes),
        "players": [info.fewest, info.most] if fixed else None,
        "automas": automas,
        "solo": info.most - len(automas) <= 1,
    }


def _automas(declarations: Iterable[nodes.Declaration]) -> list[int]:
    return [one.seat - 1 for one in declarations if isinstance(one, nodes.Automa)]


def _titles(texts: dict[str, str], title: str, offered: list[Offered]) -> dict[str, str]:
    wanted = [title, *(one.info.title for one in offered)]
    return {text: texts[text] for text in wanted if text in texts}


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


def _first(games: list[dict[str, Any]]) -> str | None:
    """The game a newcomer should start with: one that says so, else the first for two that can be played with a bot."""
    asked = [game["name"] for game in games if game["showcase"]]
    fitting = [game["name"] for game in games if 2 in game["players"]]
    return next(iter(asked or fitting), None)


def _first_table(games: list[dict[str, Any]], first: str | None) -> dict[str, Any] | None:
    """What to post to make that first table: me against an easy bot."""
    game = next((game for game in games if game["name"] == first), None)
    if game is None:
        return None
    players = 2 if 2 in game["players"] else game["fewest"]
    seats = [{"kind": "me"}, *({"kind": "bot", "bot": "easy"} for _ in range(players - 1))]
    return {"game": game["name"], "players": players, "seats": seats}


def clauses_of(library: Library, name: str, language: str) -> dict[str, Any]:
    """The clauses of a rulebook in their order, translated where the ruleset has the words."""
    folder = library.folder(name.partition("+")[0])
    ruleset = read_ruleset(folder, Diagnostics())
    if ruleset is None:
        raise Refused(422, "unusable", name=name, what="")
    texts: dict[str, str] = {}
    clauses: dict[str, Any] = {}
    for layer in (*ruleset.lower(), ruleset):
        texts.update(layer.texts.get(language, {}))
        clauses.update(layer.clauses)
    return {
        "game": ruleset.name,
        "clauses": [
            {
                "id": clause.id,
                "page": clause.page,
                "summary": texts.get(clause.summary, clause.summary),
                "section": clause.section,
                "mode": clause.mode,
            }
            for clause in clauses.values()
        ],
    }
