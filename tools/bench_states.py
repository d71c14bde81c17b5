"""Native states against Python's, batches against single playouts, copies, wasm against native: ratios in one run."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

BATCH = 1024


def _rate(work: Callable[[], int], seconds: float) -> float:
    """Units of work in a second of CPU."""
    began, done = time.process_time(), 0
    while (took := time.process_time() - began) < seconds:
        done += work()
    return done / took


def _ratio(ours: Callable[[], int], theirs: Callable[[], int], seconds: float, repetitions: int) -> tuple[float, str]:
    pairs = [(_rate(ours, seconds), _rate(theirs, seconds)) for _ in range(repetitions)]
    detail = (
        f"{statistics.median(a for a, _ in pairs):,.0f} a second, against {statistics.median(b for _, b in pairs):,.0f}"
    )
    return statistics.median(a / b for a, b in pairs), detail


def _native(name: str, backend: str = "native") -> Any:
    import interpreter

    game: Any = interpreter.load(name, backend=backend)
    if game.engine is None:
        raise RuntimeError(game.reason)
    return game


def batch_against_single(name: str, seconds: float, repetitions: int) -> tuple[float, str]:
    """Decisions a second of a batch of random games against playouts one by one."""
    game = _native(name)
    batch, seeds = game.batch(BATCH), iter(range(1 << 30))
    return _ratio(
        lambda: batch.random_steps(20, next(seeds)),
        lambda: game.playouts(next(seeds) * 50, 50)[1],
        seconds,
        repetitions,
    )


def states_against_python(name: str, seconds: float, repetitions: int) -> tuple[float, str]:
    """Options, apply and clone through the Python interface, native states against Python's."""
    import interpreter

    def played(game: Any) -> Callable[[], int]:
        seeds = iter(range(1 << 30))

        def play() -> int:
            seed = next(seeds)
            state, choose, made = game.new(seed), random.Random(seed).random, 0
            while not state.over:
                count = len(state.opts)
                state.clone()
                state.apply(int(choose() * count))
                made += 1
            return made

        return play

    return _ratio(played(_native(name)), played(interpreter.load(name, backend="python")), seconds, repetitions)


def wasm_against_native(name: str, seconds: float, repetitions: int) -> tuple[float, str]:
    """Random games a second in the sandbox, against native."""

    def played(game: Any) -> Callable[[], int]:
        seeds = iter(range(1 << 30))

        def play() -> int:
            game.playouts(next(seeds) * 1000, 1000)
            return 1000

        return play

    return _ratio(played(_native(name, "wasm")), played(_native(name)), seconds, repetitions)


ROWS: tuple[tuple[str, Callable[[str, float, int], tuple[float, str]], tuple[str, ...], float], ...] = (
    ("batch of 1,024 against single playouts, decisions", batch_against_single, ("tic_tac_toe", "pikit", "kikai"), 0.8),
    ("options, apply and clone against Python", states_against_python, ("pikit", "kikai", "kiwi_chow_down"), 5),
    ("wasm against native", wasm_against_native, ("tic_tac_toe", "pikit", "kikai"), 0.6),
)
