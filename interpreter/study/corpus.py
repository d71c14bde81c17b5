"""A corpus: many recorded games in one file of JSON Lines, and its verification under the rules as they are now.

Each line is a record as `play` writes it (`play/records.py`): game, players, seed and the codes of the choices, with
the result. So a corpus may hold games of people and of bots, of several games and numbers of players. After a change of
the rules every game is replayed, and what first differs is told: the choice, what was recorded, what is offered there
now.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from ..diagnostics.diagnostic import RulesetError
from ..files.reading import MOST_BYTES_OF_A_GAME, FileRefused, is_regular, kind_of, size_text
from ..files.writing import appended, json_of, require_replaceable
from ..play.contract import Game, PlayError
from ..play.match import bot_match
from ..play.records import Record, record_data, record_from, record_of, replay
from ..runtime.faults import Fault
from .batches import PROCESSES, Stop, batches_of, run_batches
from .simulate import Load, Progress
from .text_table import several

Loader = Callable[[str, int], Game]


@dataclass
class RecordedGames:
    """The work of recording: games from seed to record."""

    load: Load
    bots: tuple[str, ...]

    def open(self) -> None:
        self._game = self.load()

    def __getstate__(self) -> dict[str, Any]:
        return {"load": self.load, "bots": self.bots}

    def play(self, seeds: range) -> list[str]:
        return [line_of(record_of(self._game, self._played(seed))) for seed in seeds]

    def _played(self, seed: int) -> Any:
        if all(kind == "random" for kind in self.bots):
            return self._game.playout(seed)
        match = bot_match(self._game, self.bots, seed)
        match.run()
        return match.state


@dataclass(frozen=True)
class Written:
    """How many games were added to a corpus; if fewer than asked for, `stopped_by` says why, or nothing for Ctrl-C."""

    games: int
    stopped_by: Stop | None = None


def record_games(
    path: Path, load: Load, bots: tuple[str, ...], games: int, seed: int = 0, jobs: int = 1,
    progress: Progress | None = None, engine: str = PROCESSES,
) -> Written:  # fmt: skip
    """Adds the games of these seeds to the file as they are finished. Ctrl-C, a bot that fails and a fault in the rules
    keep what was finished before."""
    work = RecordedGames(load, bots)
    batches = batches_of(seed, games, any(kind != "random" for kind in bots))
    written = 0
    stopped_by: Stop | None = None
    try:
        with open_corpus(path) as file:
            try:
                for lines in run_batches(work, batches, jobs, engine):
                    file.write("".join(line + "\n" for line in lines))
                    file.flush()
                    written += len(lines)
                    if progress is not None:
                        progress(len(lines))
            except (KeyboardInterrupt, PlayError, Fault) as problem:
                if not written:
                    raise
                stopped_by = None if isinstance(problem, KeyboardInterrupt) else problem
    except OSError as problem:
        raise PlayError(f"`{path}` cannot be written: {problem.strerror or problem}") from problem
    return Written(written, stopped_by)


def open_corpus(path: Path) -> TextIO:
    """A corpus to which games are added. A line that a killed process left unfinished is ended first: it is reported
    when the corpus is read, and does not spoil the next game. Raises OSError."""
    require_replaceable(path, json_of("rulewright-record"))
    whole = not path.exists() or not path.stat().st_size or _last_byte(path) == b"\n"
    file = os.fdopen(appended(path), "a", encoding="utf-8")
    if not whole:
        file.write("\n")
    return file


def _last_byte(path: Path) -> bytes:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1)


def add_record(path: Path, record: Record) -> None:
    """Adds one game, for example one that people played."""
    try:
        with open_corpus(path) as file:
            file.write(line_of(record) + "\n")
    except OSError as problem:
        raise PlayError(f"`{path}` cannot be written: {problem.strerror or problem}") from problem


def line_of(record: Record) -> str:
    return json.dumps(record_data(record), separators=(",", ":"), ensure_ascii=False)


def records_in(path: Path) -> Iterator[tuple[int, Record]]:
    """The records of a file with the numbers of their lines; a broken line is a PlayError that names it."""
    try:
        if path.exists() and not is_regular(path):
            raise FileRefused(kind_of(path.stat()))
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(_lines(file), 1):
                if line.strip():
                    yield number, record_from(_parsed(line, path, number), f"{path}:{number}")
    except FileNotFoundError:
        raise PlayError(f"there is no file `{path}`") from None
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or (problem if isinstance(problem, OSError) else "it is not text")
        raise PlayError(f"`{path}` cannot be read: {reason}") from problem


def _lines(file: TextIO) -> Iterator[str]:
    """The lines of a file; one that is longer than any game is refused before it fills the memory."""
    while line := file.readline(MOST_BYTES_OF_A_GAME):
        if len(line) == MOST_BYTES_OF_A_GAME:
            raise FileRefused(f"a line is longer than {size_text(MOST_BYTES_OF_A_GAME)}")
        yield line


def _parsed(line: str, path: Path, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise PlayError(
            f"line {number} of `{path}` is no record: it is not JSON ({problem})",
            "a study that was killed may leave half a line at the end: delete it",
        ) from problem


# ---------------------------------------------------------------------------- verifying


@dataclass(frozen=True)
class Verdict:
    """How one game of a corpus fares now. `choice` counts from 1 and is None where the result differs."""

    line: int
    record: Record
    same_rules: bool
    choice: int | None = None
    who: str = ""
    asked: str = ""  # the question at which it first differs
    expected: str = ""
    found: str = ""

    @property
    def holds(self) -> bool:
        return not self.expected


def verify(path: Path, load: Loader, progress: Progress | None = None) -> Iterator[Verdict]:
    """Replays every game of the corpus; each game is loaded once."""
    games: dict[tuple[str, int], Game] = {}
    for number, record in records_in(path):
        key = record.game, record.players
        if key not in games:
            games[key] = _loaded_for(path, number, record, load)
        yield _verdict(number, record, games[key])
        if progress is not None:
            progress(1)


def _loaded_for(path: Path, line: int, record: Record, load: Loader) -> Game:
    """The game of a record. What is wrong with it is told with the line that asks for it: a corpus may hold games of
    several numbers of players, of which the others are good."""
    try:
        return load(record.game, record.players)
    except RulesetError as problem:
        told = f"line {line} of `{path}` is a game of `{record.game}` for {several(record.players, 'player')}"
        first, *others = problem.diagnostics
        raise RulesetError([replace(first, notes=(*first.notes, told)), *others]) from problem


def _verdict(line: int, record: Record, game: Game) -> Verdict:
    same = record.fingerprint == game.fingerprint
    try:
        outcome = replay(record, game)
    except Fault as fault:
        found = f"a fault of the rules: {fault.diagnostic.headline}"
        return Verdict(line, record, same, fault.step + 1, "", "", "the game goes on", found)
    difference = outcome.difference
    if difference is None:
        return Verdict(line, record, same)
    decision = None if outcome.state.over or not difference.step else outcome.state.decision
    who = game.seat_names[decision.player] if decision is not None else ""
    asked = f"{decision.prompt}" if decision is not None else ""
    return Verdict(line, record, same, difference.step or None, who, asked, difference.expected, difference.found)


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    return {
        "line": verdict.line,
        "game": verdict.record.game,
        "seed": verdict.record.seed,
        "same_rules": verdict.same_rules,
        "holds": verdict.holds,
        "choice": verdict.choice,
        "who": verdict.who or None,
        "asked": verdict.asked or None,
        "expected": verdict.expected or None,
        "found": verdict.found or None,
    }


def verdict_line(verdict: Verdict) -> str:
    where = f"choice {verdict.choice} of {len(verdict.record.choices)}" if verdict.choice else "the end"
    asked = f" ({verdict.who}: {verdict.asked})" if verdict.asked else f" ({verdict.who})" if verdict.who else ""
    told = f"line {verdict.line}, {verdict.record.game} seed {verdict.record.seed}: goes another way at {where}{asked}"
    return f"{told}\n    recorded  {verdict.expected}\n    found     {verdict.found}"


def summary_lines(verdicts: int, differing: Counter[str]) -> list[str]:
    """How many games hold, and at which questions the others first differ."""
    failed = sum(differing.values())
    if not failed:
        return [f"All {verdicts:,} games hold."]
    lines = [f"{failed:,} of {verdicts:,} games go another way; where they first do:"]
    return lines + [f"  {times:>6,}  {asked or 'the result'}" for asked, times in differing.most_common(20)]
