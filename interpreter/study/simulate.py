"""Plays many games among bots, in one or several processes.

Game number i has the seed `seed + i` (unless seeds are spread: `neighbours`), so each can be replayed on its own, and
it does not matter which process plays it. With random bots it is `game.playout(seed + i)`, choice for choice. A process
loads the compiled game once and plays whole batches; it sends back a tally, and the rows of the games if somebody wants
them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from shlex import quote
from typing import Any

from ..play.contract import Game, PlayError
from ..play.records import record_line
from ..play.seats import require_bot
from ..runtime.faults import Fault
from .batches import PROCESSES, Stop, batches_of, run_batches
from .choices import Branches
from .compiled_games import CompiledGames
from .neighbours import Blocks, seed_of
from .rows import Close, Row
from .settings import VARIANT
from .tally import Tally
from .watch import Watch, Watcher, close_step, watcher_of

Load = Callable[[], Game]
Progress = Callable[[int], None]
TakeRows = Callable[[Sequence[Row]], None]
_AT_ONCE = 32  # games that are played before their ends are looked at
_KEPT = 64  # rows that are kept until they are added up
_MOST_CHOICES_TOLD = 1000  # of a game that faults


@dataclass(frozen=True)
class Simulation:
    """What was played, and the sums of it. `games` is how many were asked for, `tally.games` how many were played:
    fewer if somebody interrupted the study, or if it could not go on; `stopped_by` says why then."""

    bots: tuple[str, ...]
    seed: int
    jobs: int
    games: int
    tally: Tally
    seconds: float
    stopped_by: Stop | None = None
    blocks: Blocks = field(default_factory=Blocks)
    spread: bool = False

    @property
    def is_random(self) -> bool:
        return all(kind == "random" for kind in self.bots)

    @property
    def is_interrupted(self) -> bool:
        return self.tally.games < self.games


@dataclass(frozen=True)
class Batch:
    """The games of consecutive seeds; `rows` is empty if nobody wants them."""

    tally: Tally
    rows: tuple[Row, ...]


def simulate(
    load: Load,
    bots: Sequence[str],
    games: int,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
    take_rows: TakeRows | None = None,
    engine: str = PROCESSES,
    spread: bool = False,
) -> Simulation:
    """Play `games` games; `progress` is called with the number of games just finished, `take_rows` with their rows in
    order. With several jobs `load` must be picklable. An interruption (Ctrl-C), a bot that fails, a fault in the rules
    and workers that die keep what was finished before."""
    for kind in bots:
        require_bot(kind)
    started = time.perf_counter()
    work = Games(load, tuple(bots), seed, games, take_rows is not None, spread)
    batches = batches_of(seed, games, work.is_thoughtful)
    tally: Tally | None = None
    stopped_by: Stop | None = None
    blocks = Blocks()
    try:
        for batch in run_batches(work, batches, jobs, engine):
            played = batch.tally.games
            blocks.take(batch.tally)
            if tally is None:
                tally = batch.tally
            else:
                tally.merge(batch.tally)
            if take_rows is not None:
                take_rows(batch.rows)
            if progress is not None:
                progress(played)
    except (KeyboardInterrupt, PlayError, Fault) as problem:
        if tally is None:
            raise
        stopped_by = None if isinstance(problem, KeyboardInterrupt) else problem
    if tally is None:
        tally = Tally(load().players)
    seconds = time.perf_counter() - started
    return Simulation(tuple(bots), seed, max(jobs, 1), games, tally, seconds, stopped_by, blocks, spread)


def simulated_rows(load: Load, bots: Sequence[str], games: int, seed: int = 0, jobs: int = 1) -> list[Row]:
    """The rows of a simulation, for whoever wants to do the sums."""
    rows: list[Row] = []
    simulate(load, bots, games, seed, jobs, take_rows=rows.extend)
    return rows


@dataclass
class Games:
    """The work of a simulation: games of one ruleset from seed to row."""

    load: Load
    bots: tuple[str, ...]
    first: int
    games: int
    sends_rows: bool
    spread: bool = False

    @property
    def is_thoughtful(self) -> bool:
        return any(kind != "random" for kind in self.bots)

    def open(self) -> None:
        game = self.load()
        self._watcher = watcher_of(game, self.bots)
        self._branches = Branches(game.meta)

    def makes_library_of_matches(self) -> bool:
        """Makes the library that plays the games of these bots whole, if there can be one, without waiting until
        thinking has taken a while; says whether it is there."""
        return isinstance(self._watcher, Watch) and self._watcher.makes_library_of_matches()

    def __getstate__(self) -> dict[str, Any]:
        """What another process gets; it loads the game itself."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def play(self, seeds: range) -> Batch:
        tally = Tally(self._watcher.game.players)
        played = Played(self._watcher, tally, self.sends_rows, self._branches)
        rows = played.games(seeds, self.first, close_step(self.games), self.spread)
        return Batch(tally, tuple(rows))


@dataclass
class Played:
    """Plays the games of a batch and adds them to a tally: in C as soon as that can be had, else here. With `branches`
    the tally learns what was used, too."""

    watcher: Watcher
    tally: Tally
    with_rows: bool
    branches: Branches | None = None

    def games(self, numbers: range, first: int, step: int, spread: bool) -> list[Row]:
        """The rows of the games with these numbers, which count from `first` on, if somebody wants them; one in `step`
        is looked at closely. A fault in the rules comes with the command that replays its game."""
        rows: list[Row] = []
        seeds = numbers if not spread else [seed_of(first, number, spread) for number in numbers]
        done, count = 0, len(numbers)
        try:
            while done < count:
                compiled, rest, played, is_full = self.watcher.compiled(), seeds[done:], 0, False
                if compiled is not None:
                    played = self._in_c(compiled, rest, numbers.start + done - first, step)
                    is_full = compiled.is_full
                    rows += compiled.taken(self.tally, self.with_rows)
                    done += played
                if played == len(rest) or is_full:
                    continue
                if self.watcher.has_few_ends and not self.with_rows:
                    done += self._added_up_here(seeds, numbers.start - first, done, step)
                else:
                    here = self._here(seeds[: done + _KEPT], numbers.start - first, done, step)
                    done += len(here)
                    rows += here if self.with_rows else ()
        except Fault as fault:
            raise with_command(fault, self.watcher.game) from None
        return rows

    def _in_c(self, compiled: CompiledGames, seeds: Sequence[int], number: int, step: int) -> int:
        """How many of these games were played, one after the other; the next one has to be played here, unless there is
        no more room."""
        if self.watcher.is_random:
            return compiled.play(seeds, number, step)
        for done, seed in enumerate(seeds):
            if compiled.is_full or not compiled.follow(seed, self.watcher.thought_out(seed)):
                return done
        return len(seeds)

    def _here(self, seeds: Sequence[int], number: int, done: int, step: int) -> list[Row]:
        """Rows from that game on: of one game at least, of all of these as long as there is no engine."""
        rows: list[Row] = []
        while (place := done + len(rows)) < len(seeds) and (not rows or self.watcher.compiled() is None):
            until_close = -(number + place) % step
            if until_close and self.watcher.plays_several:
                rows += self.watcher.rows(seeds[place : place + min(until_close, _AT_ONCE)])
                continue
            row, seen = self.watcher.row(seeds[place], until_close == 0)
            rows.append(row)
            if seen is not None:
                self._add_seen(row, seen)
        self.tally.add_rows(rows)
        return rows

    def _added_up_here(self, seeds: Sequence[int], number: int, done: int, step: int) -> int:
        """The same for games with few ends, of which nobody wants rows: each end is taken up once, with how often it
        came. Gives how many games these were."""
        self.watcher.forget_ends()
        ends: list[int] = []  # numbers of rows; from -1 down, those of games that were looked at closely
        close: list[Row] = []
        while done < len(seeds):
            until_close = -(number + done) % step
            ends += map(self.watcher.end, seeds[done : done + until_close])
            done += until_close
            if done < len(seeds):
                row, seen = self.watcher.row(seeds[done], True)
                if seen is not None:
                    self._add_seen(row, seen)
                close.append(row)
                ends.append(-len(close))
                done += 1
        for end, times in Counter(ends).items():
            self.tally.add_alike(close[-1 - end] if end < 0 else Row(0, *self.watcher.rest_of_row(end)), times)
        return len(ends)

    def _add_seen(self, row: Row, seen: Close) -> None:
        if self.branches is not None:
            self.tally.add_close(row, seen, self.branches)
        else:
            self.tally.early.update(seen.early)


def with_command(fault: Fault, game: Game) -> Fault:
    """The fault with a note: the command that replays the game up to it. A game that does not end has more choices than
    anybody wants to see, or a command line takes, and no command replays a game with other numbers (`--set`)."""
    asked = getattr(game, "asked", game.name)  # the folder, if the game was named by that
    line = f"rulewright replay {quote(record_line(asked, game.players, fault.seed, fault.history))}"
    if len(fault.history) > _MOST_CHOICES_TOLD or game.name.endswith(f"+{VARIANT}"):
        line = f"the same command with `--seed {fault.seed} --games 1` plays that game again"
    fault.diagnostic = replace(fault.diagnostic, notes=(*fault.diagnostic.notes, line))
    return fault
