"""How long a game of such bots takes: measured on trial games, in seconds of processor time, and remembered.

What a bot costs cannot be foretold from the rules: between two games whose choices are as many it differs tenfold. So
a game of it is begun and timed. Processor time hardly depends on how busy a machine is, and what was measured is kept
in the cache, beside the compiled game: the same command goes on being played by the same bots on this machine.

A game that takes longer than the trial may is timed as far as it goes, and its length taken from random games. Without
an engine a bot thinks some thirty times slower, so the trial is short in Python. If the study would take long that way,
the engine is made first and the trial is made on it. Whoever is quick enough in Python is quick enough on an engine
too, so it does not matter to the choice of bots whether the engine was there already.
"""

from __future__ import annotations

import hashlib
from time import process_time
from typing import Any

from ..compile.load import own_version
from ..files.cache import cached, keep
from ..native.unavailable import NativeUnavailable
from ..play.contract import PlayError
from ..runtime.faults import Fault
from ..runtime.game import Game
from .watch import CountingGame, Watch, watcher_of

_PROBES = (0, 1)  # seeds of random games: how many choices a game has
_IN_PYTHON, _ON_ENGINE = 0.5, 4.0  # seconds that the first game of a trial may take
_MORE = 0.5  # of that time, for further games
_MOST_GAMES = 20  # of a trial
_SHORT = 10.0  # seconds of a study that needs no engine


def seconds_of(game: Any, kind: str, games: int) -> float | None:
    """Seconds of processor time that one game among such bots takes in a study of so many games; None if a trial game
    runs into a fault of the rules."""
    found = _on_engine(game, kind) if _has_engine(game) else None
    if found is None:
        found = _remembered(game, kind, "python", _IN_PYTHON)
        if found is None or games * found <= _SHORT or not _makes_engine(game):
            return found
        found = _on_engine(game, kind)
    return found


def _on_engine(game: Any, kind: str) -> float | None:
    return _remembered(game, kind, "native", _ON_ENGINE)


def _has_engine(game: Any) -> bool:
    return isinstance(game, CountingGame) and game.engine_for_playouts(0.0) is not None


def _makes_engine(game: Any) -> bool:
    """True if there is an engine now."""
    if not isinstance(game, CountingGame) or game.given_up:
        return False
    try:
        game.require_engine()
    except NativeUnavailable as problem:
        game.given_up, game.reason = True, str(problem)
    return game.engine is not None


def _remembered(game: Any, kind: str, backend: str, budget: float) -> float | None:
    key = _key(game, kind, backend)
    kept = cached("trials", key) if key is not None else None
    if kept is not None:
        return float(kept)
    try:
        found = _timed(game, kind, budget, backend == "native")
    except (Fault, PlayError):
        return None
    if key is not None:
        keep(f"{found:.6g}".encode(), "trials", key)
    return found


def _key(game: Any, kind: str, backend: str) -> str | None:
    """The name of a measurement in the cache: it belongs to these very rules, whatever they are called."""
    if not isinstance(game, Game):
        return None
    compiled = game.compiled
    tables = {name: table for name, table in compiled.tables.items() if name != "HITS"}
    parts = compiled.source, tables, compiled.maps, game.players, kind, backend, own_version()
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _timed(game: Any, kind: str, budget: float, on_engine: bool) -> float:
    """The mean of a few whole games, or what is seen of the first one if that takes longer than the budget. The first
    of several is left out: it pays for what is made once. `on_engine`: bots that C can play by itself are played so."""
    watch = watcher_of(game, (kind,) * game.players)
    if not isinstance(watch, Watch):
        raise PlayError("such a game is not timed")
    if on_engine:
        watch.makes_library_of_matches()
    began = process_time()
    made, is_over = watch.made_until(_PROBES[0], lambda: process_time() - began > budget)
    taken = process_time() - began
    if not is_over:
        return taken * max(1.0, _choices(game) / max(1, made))
    whole = [taken]
    while taken + whole[-1] < _MORE * budget and len(whole) < _MOST_GAMES:
        before = process_time()
        watch.thought_out(_PROBES[0] + len(whole))
        whole.append(process_time() - before)
        taken += whole[-1]
    counted = whole[1:] or whole
    return sum(counted) / len(counted)


def _choices(game: Any) -> float:
    """How many choices a random game has."""
    return sum(len(game.playout(seed).history) for seed in _PROBES) / len(_PROBES)
