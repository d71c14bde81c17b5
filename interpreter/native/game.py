"""Games that run on the fastest backend there is, behind the same interface as all others.

`load(name, players, backend)`: `python` gives Python's own game; `native` a game whose states live in C; `auto` one
whose playouts do, once a library is there. A library takes seconds to make: with `auto` Python plays on meanwhile, and
nothing is made for a handful of games. With `native` somebody waits for it, so a first library only plays; one that
thinks is made when a bot first does.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from subprocess import Popen
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..compile.load import Compiled, load_compiled
from ..ruleset.ceilings import ceilings, limits_of, under
from ..ruleset.unsaved import laid_over
from ..runtime.chance import whole_seed
from ..runtime.deferred import Point, point_of
from ..runtime.faults import WrongUse
from ..runtime.game import Game
from ..runtime.state import State
from . import make
from .asking import NativeQuestion, question_of
from .backend import asked_backend, choose_backend
from .batch import Batch
from .engine import HISTORY, STOP, Engine
from .library import Library, load_library
from .state import Beginning, NativeState, untracked
from .tales import ToldCourse, told_course
from .toolchain import flags_of_games
from .unavailable import NativeUnavailable
from .walking import NativeCourse, native_course
from .wasm import WasmLibrary, load_wasm

if TYPE_CHECKING:
    from ..compile.ways import Counted
    from ..runtime.dealing import Dealer
    from .sandbox import Walls

WORTH_IT = 1.0  # seconds of playouts in Python after which a library is made
FIRST_PAUSE = 0.5  # seconds until a library is looked for again, which reads the whole ruleset; then twice as long
MOMENT = 0.05  # seconds for which a sandbox plays random games in one call
FAR_FROM_LIMIT = 0.1  # share of its limits that such a call has used, if the next one may be twice as long


class NativeGame(Game):
    """`states_native`: states made by `new` live in C; otherwise only playouts do. `sandboxed`: the C runs as wasm,
    with limits on memory and instructions, for one thread at a time."""

    counted: Counted = ""  # what the compiled code counts, for studies
    texts: Mapping[str | Path, str] = MappingProxyType({})  # laid over the files of the ruleset when it was loaded

    def __init__(self, compiled: Compiled, asked: str | None, states_native: bool, sandboxed: bool = False) -> None:
        super().__init__(compiled, asked)
        self.states_native, self.sandboxed = states_native, sandboxed
        self.ceilings = ceilings()  # those it was loaded under: its library must have the same limits
        self.engine: Engine | None = None
        self.reason = ""  # why there is no engine, if there is none
        self._spent = 0.0
        self._look_at, self._pause = 0.0, FIRST_PAUSE
        self._making: Popen[bytes] | None = None
        self.given_up = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles hold the compiled rules; whoever reads them looks for a library anew."""
        made = type(self), (self.compiled, self.asked, self.states_native, self.sandboxed)
        return (*made, {"texts": dict(self.texts)}) if self.texts else made

    # ------------------------------------------------------------------ the engine

    @contextmanager
    def _as_loaded(self) -> Iterator[None]:
        """The files and the limits that the game was loaded with: its library is made of the same."""
        with under(self.ceilings), laid_over(self.texts) if self.texts else nullcontext():
            yield

    def use(self, engine: Engine) -> None:
        self.engine = engine

    def require_engine(self) -> Engine:
        """The engine, made now if need be. Raises NativeUnavailable."""
        if self.engine is None:
            with self._as_loaded():
                self.engine = self._made_engine()
        return self.engine

    def _made_engine(self) -> Engine:
        if self.sandboxed:
            return Engine(load_wasm(make.made(self.asked, self.players, "wasm")), self.meta)
        if self.counted:
            return Engine(load_library(make.made(self.asked, self.players, counted=self.counted)), self.meta)
        path, is_whole = make.made_to_play(self.asked, self.players)
        whole = None if is_whole else partial(self._whole_library, flags_of_games())
        return Engine(load_library(path), self.meta, whole)

    def _whole_library(self, flags: Sequence[str]) -> Library:
        """The library that thinks, made now if need be: somebody waits for the first thought, and not for the game."""
        with self._as_loaded():
            return load_library(make.made(self.asked, self.players, flags=flags))

    def engine_for_playouts(self, spent: float) -> Engine | None:
        """The engine if it is there, for whoever plays out states of Python's (`entered`, `finish`). `spent` seconds of
        playouts in Python count like those of `playout`."""
        found = self._engine_if_ready()
        self._spent += spent
        return found

    def question(self, snapshot: State) -> NativeQuestion | bool | None:
        """The pending decision of a state, for whoever asks it again of many worlds. None if there is no engine yet,
        False if the state cannot be there."""
        return None if self.engine is None else question_of(self.engine, snapshot) or False

    def course(self, dealer: Dealer) -> NativeCourse | None:
        """Walks to the worlds of a dealer in native memory; None if there is no engine yet, or they are Python's."""
        return None if self.engine is None else native_course(self.engine, dealer)

    def told_course(self, S: State, player: int) -> ToldCourse | None:
        """The same from what the player has lived through, which native memory keeps from decision to decision; None if
        there is no engine yet, or the story is Python's."""
        return None if self.engine is None else told_course(self.engine, S, player)

    def _engine_if_ready(self) -> Engine | None:
        """The engine if it is there. If playouts have taken long enough, it is made in the background. A game that was
        asked for in a sandbox has its module or Python, and never a library in this process."""
        if self.engine is not None or self.given_up or self.sandboxed:
            return self.engine
        try:
            with self._as_loaded():
                self._look_again()
        except NativeUnavailable as problem:
            self.given_up, self.reason = True, str(problem)
        return self.engine

    def _look_again(self) -> None:
        if self._making is None:
            self._look_for_it()
        elif self._making.poll() is not None:
            made = make.found(self.asked, self.players, self.counted)
            self.given_up = made is None
            self.engine = Engine(load_library(made), self.meta) if made is not None else None

    def _look_for_it(self) -> None:
        if self._spent <= WORTH_IT:
            if time.monotonic() < self._look_at:
                return
            there = make.found(self.asked, self.players, self.counted)
            if there is not None:
                self.engine = Engine(load_library(there), self.meta)
            self._look_at, self._pause = time.monotonic() + self._pause, 2 * self._pause
        elif choose_backend("auto").backend != "native":
            self.given_up = True
        else:
            self._making = make.made_in_background(self.asked, self.players, self.counted, self.texts)

    # ------------------------------------------------------------------ games

    def in_python(self, seed: int, auto: bool = True) -> State:
        """The game as Python plays it."""
        return super()._scripted(seed, auto, [])

    def _scripted(self, seed: int, auto: bool, events: list[Any]) -> State:
        """A save may come from anybody, and C takes the numbers of a frame as they are. So a saved game too goes into
        native memory by being played there from its seed (`runtime.saved`); any other one is played in Python."""
        state = self._native(seed, auto) if self.states_native and not events else None
        return state or super()._scripted(seed, auto, events)

    def untracked(self, seed: int = 0, auto: bool = True) -> State:
        state = self._native(whole_seed(seed), auto) if self.states_native else None
        return untracked(state) if state is not None else super().untracked(seed, auto)

    def _native(self, seed: int, auto: bool) -> NativeState | None:
        """A new game in native memory; None if its setup runs into a fault, which Python then tells."""
        engine = self.engine
        if engine is None:
            return None
        state = NativeState(self, engine, engine.state(), seed, auto)
        if engine.new(engine.context.address, state.native, seed & (1 << 64) - 1, int(auto)) != STOP:
            return None
        state.told()
        state.since = Beginning(self, seed, auto)
        return state

    def entered(self, state: State) -> State:
        """A state of Python's, in native memory; the state itself if it does not fit there."""
        engine = self.engine
        if engine is None or state.script:
            return state
        native = NativeState(self, engine, engine.state(), state.seed, state.auto)
        try:
            engine.enter(native.native, state)
        except (ValueError, OverflowError):
            return state
        if engine.resume(engine.context.address, native.native) != STOP:
            return state
        native.told()
        native.h, native.approximate = state.h[:], state.approximate
        if state.tracked:
            native.since = _beginning_of(state)
        else:
            untracked(native)
        return native

    def playout(self, seed: int) -> State:
        seed = whole_seed(seed)
        engine = self._engine_if_ready()
        if engine is None:
            began = time.perf_counter()
            state = super().playout(seed)
            self._spent += time.perf_counter() - began
            return state
        context = engine.context
        native = NativeState(self, engine, engine.state(), seed, True)
        wanted = seed & (1 << 64) - 1
        signal = engine.playout(context.address, native.native, wanted, context.story, HISTORY, context.noted)
        noted = context.noted_numbers()
        if signal != STOP or noted > HISTORY:
            return super().playout(seed)  # meets the same fault, and tells of it
        native.h = context.history[:noted].tolist()
        native.over, native.who, native.site = True, -1, -1
        return untracked(native)

    def playouts(self, seed: int, count: int) -> tuple[list[float], int]:
        """So many random games from this seed on, in one go: what each seat got on the average, and all choices."""
        engine = self._engine_if_ready()
        if engine is not None:
            context, size = engine.context, 8 * self.players
            engine.library.write(context.totals, bytes(size + 8))
            if self._played(engine, seed, count) == count:
                held = engine.library.read(context.totals, size + 8)
                *totals, decisions = struct.unpack(f"<{self.players}dq", held)
                return [total / count for total in totals], decisions
        totals, made = [0.0] * self.players, 0
        for number in range(seed, seed + count):
            state = self.playout(number)
            made += len(state.h) // 2
            totals = [total + got for total, got in zip(totals, state.returns or (), strict=True)]
        return [total / count for total in totals], made

    def _played(self, engine: Engine, seed: int, count: int) -> int:
        """Adds up so many random games in the context; gives how many went through. A sandbox limits what each call may
        do, so there it takes several, of a moment each, which stay far from the limit."""
        made, library = 0, engine.library
        while made < count:
            part = count - made
            if isinstance(library, WasmLibrary) and not library.steady:
                part = min(part, library.games_at_once)
            begun = time.perf_counter()
            done = self._played_in_one_call(engine, seed + made, part)
            made += done
            if done < part:
                break
            if isinstance(library, WasmLibrary):
                spent = library.spent()
                if spent > 4 * FAR_FROM_LIMIT:
                    library.games_at_once = max(1, part // 2)
                elif time.perf_counter() - begun < MOMENT and spent < FAR_FROM_LIMIT:
                    library.games_at_once = max(library.games_at_once, 2 * part)
        return made

    def _played_in_one_call(self, engine: Engine, seed: int, count: int) -> int:
        context = engine.context
        totals = context.totals
        return int(engine.playouts(context.address, seed & (1 << 64) - 1, count, totals, totals + 8 * self.players))

    def batch(self, n: int, seed: int = 0) -> Batch:
        """n games stepped together on numpy arrays. Raises NativeUnavailable where nothing can be compiled."""
        if self.sandboxed:
            raise NativeUnavailable("a batch does not run in a sandbox")
        return Batch(self, self.require_engine(), n, seed)

    def finish(self, state: State, seed: int) -> State:
        engine = self.engine
        if not isinstance(state, NativeState) or engine is None:
            return super().finish(state, seed)
        context = engine.context
        before = state.kept_position()
        wanted = seed & (1 << 64) - 1
        signal = engine.finish(context.address, state.native, wanted, context.story, HISTORY, context.noted)
        noted = context.noted_numbers()
        if signal != STOP or noted > HISTORY:
            state.put_back(before)
            return super().finish(state.in_python(), seed)  # meets the same fault, and tells of it
        engine.free_state(before)
        state.h += context.history[:noted].tolist()
        state.over, state.who, state.site = True, -1, -1
        state.changed()
        return state


def _beginning_of(state: State) -> Point:
    """Where the knowledge of a state's native double begins. A state that is behind with it (every world is, until
    somebody looks) hands on where it is behind from: nothing is worked out here."""
    since = point_of(state)
    if since is not None:
        return since
    kept = state.clone()
    kept.may_defer = False
    return Point(None, [], len(state.h), kept)


def _require_call(name: object, players: object) -> None:
    if not isinstance(name, str):
        raise WrongUse(f"a game is named by a text, not by {type(name).__name__}")
    if players is not None and (type(players) is not int or players < 1):
        raise WrongUse(f"`players` is a whole number from 1 on, not {players!r}")


def load(
    name: str,
    players: int | None = None,
    backend: str | None = None,
    sandbox: bool | Walls = False,
    limits: Mapping[str, int] | None = None,
) -> Game:
    """A game by name (`NAME+VARIANT`) or folder; raises RulesetError with `.diagnostics`. `backend` is `python`,
    `native`, `wasm` or `auto` (the default, which `RULEWRIGHT_BACKEND` may change). `limits` are ceilings for the
    limits of the ruleset. `sandbox`: checked, compiled and played in a process of its own (see `sandbox`)."""
    _require_call(name, players)
    highest = limits_of(limits) if limits is not None else None
    if sandbox:
        from .sandbox import load_in_sandbox

        return load_in_sandbox(name, players, backend, highest, sandbox)
    with under(highest):
        return _loaded(name, players, asked_backend(backend))


def _loaded(name: str, players: int | None, asked: str) -> Game:
    compiled = load_compiled(name, players)
    if asked == "python":
        return Game(compiled, name)
    game = NativeGame(compiled, name, states_native=asked in ("native", "wasm"), sandboxed=asked == "wasm")
    if game.states_native:
        try:
            game.require_engine()
        except NativeUnavailable as problem:  # what was asked for by name is not replaced by anything but Python
            game.reason, game.given_up = str(problem), True
    return game
