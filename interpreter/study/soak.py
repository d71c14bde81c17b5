"""Long play under observation: after every decision everything that must hold of a position is looked at.

Simulations play fast and look at results. A soak plays slowly and looks at every position (`runtime.invariants`):
pieces conserved, numbers in range, frames whole, options different; now and then also at what people read, and at a
save of the game, which has to come back as the same game. Three games in four are random, the fourth is played by
greedy bots, since random play hardly ever reaches what has to be worked for. Memory is read while it runs: a game that
is over must leave nothing behind.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..play.bots.named import bot
from ..play.records import record_line
from ..runtime.chance import Generator
from ..runtime.faults import Fault
from ..runtime.invariants import first_problem

WORDS_EVERY = 40  # decisions; views, logs and labels cost more than all the rest
SAVED_EVERY = 5  # games
GREEDY_EVERY = 4  # games


@dataclass
class Soaked:
    """What one backend went through. `problem` is the first thing that did not hold, `line` the game that shows it."""

    backend: str
    decisions: int = 0
    games: int = 0
    saves: int = 0
    seconds: float = 0.0
    memory_early: int = 0  # bytes of this process after a tenth of the decisions
    memory_late: int = 0
    problem: str = ""
    line: str = ""


def soak(
    game: Any, backend: str, decisions: int, seed: int = 0, progress: Callable[[int], None] | None = None
) -> Soaked:
    """So many decisions of this game, in as many games as that takes; ends with the first problem."""
    done, began = Soaked(backend), time.process_time()
    while done.decisions < decisions and not done.problem:
        before = done.decisions
        _one_game(game, done, decisions, seed + done.games)
        done.games += 1
        if not done.memory_early and done.decisions * 10 >= decisions:
            done.memory_early = memory_used()
        if progress is not None:
            progress(done.decisions - before)
    done.seconds, done.memory_late = time.process_time() - began, memory_used()
    return done


def _one_game(game: Any, done: Soaked, decisions: int, seed: int) -> None:
    chooser = bot("greedy") if done.games % GREEDY_EVERY == GREEDY_EVERY - 1 else None
    drawn = Generator(seed ^ 0x50AC)
    state: Any = None
    try:
        state = game.new(seed=seed)
        while not state.over and done.decisions < decisions and not done.problem:
            done.problem = first_problem(state, words=done.decisions % WORDS_EVERY == 0) or ""
            choice = chooser.choose(state, seed) if chooser is not None else drawn.below(len(state.opts))
            state.apply(choice)
            done.decisions += 1
        done.problem = done.problem or first_problem(state) or ""
        if done.games % SAVED_EVERY == 0:
            done.saves += 1
            if not game.from_json(state.to_json()).same_as(state):
                done.problem = done.problem or "a save does not come back as the same game"
    except Fault as fault:
        done.problem = f"{fault.diagnostic.code} {fault}"
    if done.problem and state is not None:
        done.line = record_line(game.name, game.players, seed, state.history)


def memory_used() -> int:
    """Bytes of memory that this process holds now; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
