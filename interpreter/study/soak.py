"""Long play under observation: after every decision everything that must hold of a position is looked at.

Simulations play fast and look at results. A soak plays slowly and looks at every position (`runtime.invariants`):
pieces conserved, numbers in range, frames whole, options different; now and then also at what people read, and at a
save of the game, which has to come back as the same game. Three games in four are random, the fourth is played by
greedy bots, since random play hardly ever reaches what has to be worked for. Memory is read while it runs: a game that
is over must leave nothing behind.

In C a decision takes a few microseconds, and to look at a position a hundred times as long. So there a sample of the
positions is looked at (one in `SAMPLED`, and every end), and the options at all of them. One game in `AGAIN_EVERY` is
made again in Python, choice by choice, and has to end in the same position; of these the words are read as well.
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
SAMPLED = 50  # decisions in C of which one is looked at
AGAIN_EVERY = 100  # games in C of which one is made again in Python


@dataclass
class Soaked:
    """What one backend went through. `problem` is the first thing that did not hold, `line` the game that shows it."""

    backend: str
    decisions: int = 0
    looked_at: int = 0
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
    in_c = done.backend == "native"
    chooser = _chooser(done.games, in_c)
    drawn = Generator(seed ^ 0x50AC)
    state: Any = None
    try:
        state = game.new(seed=seed)
        while not state.over and done.decisions < decisions:
            _look(state, done, in_c)
            if done.problem:
                break
            choice = chooser.choose(state, seed) if chooser is not None else drawn.below(len(state.opts))
            state.apply(choice)
            done.decisions += 1
        done.looked_at += 1
        is_again = in_c and done.games % AGAIN_EVERY == 0
        done.problem = done.problem or first_problem(state, words=is_again or not in_c) or ""
        if done.games % (SAVED_EVERY * AGAIN_EVERY if in_c else SAVED_EVERY) == 0:
            done.saves += 1
            if not game.from_json(state.to_json()).same_as(state):
                done.problem = done.problem or "a save does not come back as the same game"
        if is_again and not _same_in_python(game, state):
            done.problem = done.problem or "Python comes to another position with the same choices"
    except Fault as fault:
        done.problem = f"{fault.diagnostic.code} {fault}"
    except AssertionError as wrong:  # the program's own: C and Python came apart
        done.problem = str(wrong)
    if done.problem and state is not None:
        done.line = record_line(getattr(game, "asked", game.name), game.players, seed, state.history)


def _chooser(games: int, in_c: bool) -> Any:
    """The bot that plays this game; None: options are drawn here."""
    every = GREEDY_EVERY * AGAIN_EVERY if in_c else GREEDY_EVERY
    return bot("greedy") if games % every == every - 1 else None


def _look(state: Any, done: Soaked, in_c: bool) -> None:
    if in_c and done.decisions % SAMPLED:
        options = state.opts
        if not options or len({*options}) != len(options):
            done.problem = "the options are none, or not all different"
        return
    done.looked_at += 1
    done.problem = first_problem(state, words=not in_c and done.looked_at % WORDS_EVERY == 1) or ""


def _same_in_python(game: Any, state: Any) -> bool:
    """Whether Python comes to the same position with the choices of this game."""
    again = game.in_python(state.seed, state.auto)
    for option in state.h[1::2]:
        again.apply(again.opts.index(option))
    return bool(again.position_data() == state.in_python().position_data())


def memory_used() -> int:
    """Bytes of memory that this process holds now; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
