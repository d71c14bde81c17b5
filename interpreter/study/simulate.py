"""Plays many games among bots, in one or several processes.

Game number i has the seed `seed + i`, so each can be replayed on its own, and it does not matter which process plays
it. A process loads the compiled game once and plays whole batches; only small outcomes are sent back, and they are
sorted by seed.

If all bots choose at random, the game's own playout does the same several times as fast. It does not count options, so
one game in sixteen still goes through the match loop: the branching factor is measured on these games.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace

from ..play.contract import Game
from ..play.match import bot_match
from ..play.records import record_line
from ..play.seats import require_bot
from ..runtime.faults import Fault
from .choices import Branches, Taken

Load = Callable[[], Game]
Progress = Callable[[int], None]
_BATCH_GAMES = 50  # enough to hide the cost of sending results, few enough for a smooth progress bar
_COUNTED_GAMES = 16  # one random game in this many is played with its options counted


@dataclass(frozen=True)
class Outcome:
    """One finished game. Players count from 0."""

    seed: int
    scores: tuple[int, ...]
    ranking: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    decisions: int
    offered: int | None  # options over all decisions; None where they were not counted
    taken: Taken = ()  # how often each branch of a decision was chosen


@dataclass(frozen=True)
class Simulation:
    """All outcomes in the order of their seeds, and the elapsed time in seconds."""

    bots: tuple[str, ...]
    seed: int
    jobs: int
    outcomes: tuple[Outcome, ...]
    seconds: float


def simulate(
    load: Load,
    bots: Sequence[str],
    games: int,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Simulation:
    """Play `games` games; `progress` is called with the number of games just finished. With several jobs `load` must be
    picklable."""
    for kind in bots:
        require_bot(kind)
    started = time.perf_counter()
    seeds = range(seed, seed + games)
    batches = [seeds[start : start + _BATCH_GAMES] for start in range(0, games, _BATCH_GAMES)]
    run = _run_here if jobs <= 1 or len(batches) < 2 else _run_in_processes
    outcomes: list[Outcome] = []
    for batch in run(load, tuple(bots), batches, min(jobs, len(batches))):
        outcomes.extend(batch)
        if progress is not None:
            progress(len(batch))
    outcomes.sort(key=lambda outcome: outcome.seed)
    return Simulation(tuple(bots), seed, max(jobs, 1), tuple(outcomes), time.perf_counter() - started)


def play_one(game: Game, bots: Sequence[str], seed: int, branches: Branches) -> Outcome:
    """One game through the match loop."""
    match = bot_match(game, bots, seed)
    result = match.run()
    return Outcome(
        seed, result.scores, result.ranking, result.winners, result.reason, result.decisions, result.offered,
        branches.taken(match.state.history),
    )  # fmt: skip


def play_out(game: Game, seed: int, branches: Branches) -> Outcome:
    """One game of random choices on the fast path."""
    state = game.playout(seed)
    history = state.history
    return Outcome(
        seed, tuple(state.scores), tuple(state.ranking), tuple(state.winners), state.reason or "",
        len(history), None, branches.taken(history),
    )  # fmt: skip


def play_batch(game: Game, bots: Sequence[str], seeds: range, first: int) -> list[Outcome]:
    """Play games with consecutive seeds. A fault in the rules gets a note with the command that replays it."""
    try:
        return _all_of(game, bots, seeds, first)
    except Fault as fault:
        line = record_line(game.name, game.players, fault.seed, fault.history)
        notes = (*fault.diagnostic.notes, f"rulewright replay {line}")
        fault.diagnostic = replace(fault.diagnostic, notes=notes)
        raise


def _all_of(game: Game, bots: Sequence[str], seeds: range, first: int) -> list[Outcome]:
    """`first` is the first seed of the whole study: which games are counted must not depend on the batches."""
    branches = Branches(game.meta)
    if any(kind != "random" for kind in bots):
        return [play_one(game, bots, seed, branches) for seed in seeds]
    is_counted = [(seed - first) % _COUNTED_GAMES == 0 for seed in seeds]
    return [
        play_one(game, bots, seed, branches) if counted else play_out(game, seed, branches)
        for seed, counted in zip(seeds, is_counted, strict=True)
    ]


def _run_here(load: Load, bots: tuple[str, ...], batches: list[range], jobs: int) -> Iterator[list[Outcome]]:
    game = load()
    for batch in batches:
        yield play_batch(game, bots, batch, batches[0][0])


# ---------------------------------------------------------------------------- several processes

_game: Game | None = None  # of a worker process, loaded once when it starts


def _start_worker(load: Load) -> None:
    global _game
    _game = load()


def _play_batch(bots: tuple[str, ...], seeds: range, first: int) -> list[Outcome]:
    assert _game is not None
    return play_batch(_game, bots, seeds, first)


def _run_in_processes(load: Load, bots: tuple[str, ...], batches: list[range], jobs: int) -> Iterator[list[Outcome]]:
    load()  # load once here: then the workers find it in the cache, and a bad ruleset is reported before they start
    with ProcessPoolExecutor(jobs, initializer=_start_worker, initargs=(load,)) as pool:
        waiting: set[Future[list[Outcome]]] = {
            pool.submit(_play_batch, bots, batch, batches[0][0]) for batch in batches
        }
        try:
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for batch in done:
                    yield batch.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
