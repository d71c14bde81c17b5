"""A game in native memory that reads like any other state.

Its position stays native: choices, copies and playouts never leave C. Whoever reads a part of it (a view, a save, a
label, the log) gets Python's form of it, made at that moment and kept until the next choice. What players know is
worked out as for every state that keeps it for later: by playing the choices again in Python (`runtime.deferred`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from ..compile.meta import STEP
from ..runtime.choosing import raw_of
from ..runtime.decision import Option
from ..runtime.deferred import LATE, Point, catch_up, caught_up, leave_for_later, point_of
from ..runtime.faults import UnknownChoice
from ..runtime.moment import moment_passes
from ..runtime.positions import chance_of_playout
from ..runtime.state import State
from ..runtime.trail import recalled
from ..runtime.trials import Tried
from ..runtime.worlds import Worlds
from .engine import OPTIONS_TOLD, STOP, TOLD, Engine
from .search import ROOM
from .unavailable import NativeUnavailable

if TYPE_CHECKING:
    from .game import NativeGame

UNKNOWN = -1
USUAL: dict[str, Callable[[Any], Any]] = {
    "machine": lambda state: state.game.machine,
    "limit": lambda state: STEP * state.game.meta.limits["steps"],
    "script": lambda state: [],
    "asked_script": lambda state: (),
    "watched": lambda state: False,
    "answers": lambda state: {},
    "prepared": lambda state: None,
    "promptly": lambda state: 0,
    "tb": lambda state: 0,
    "reach": lambda state: 0,
    "failed": lambda state: 0,
    "budget": lambda state: None,
    "r": lambda state: None,
    "looker": lambda state: None,
    "untried": lambda state: None,
    "sampled": lambda state: False,
    "tried": lambda state: Tried(),
}
POSITION = frozenset(
    ("f", "p", "at", "k", "g", "fd", "won", "why", "gone", "together", "pick", "picked", "steps", "running")
)


class Beginning(Point):
    """The first decision of a game, with knowledge; it is set up in Python when somebody looks."""

    __slots__ = ("auto", "game", "seed")

    def __init__(self, game: NativeGame, seed: int, auto: bool) -> None:
        super().__init__(None, [], 0, None)
        self.game, self.seed, self.auto = game, seed, auto

    def worked_out(self) -> State:
        if self.state is None:
            made = self.game.in_python(self.seed, self.auto)
            made.may_defer = False
            self.state = made
        return cast(State, self.state)


class NativeState(State):
    """`native` is the address of the state in memory, as a number and as the pointer that quick calls want. `_known`:
    the position has been read since the last choice; `_opts`: the options, if they have been."""

    __slots__ = ("_double", "_known", "_opts", "_pointer", "engine", "native")

    game: NativeGame
    _opts: list[int] | None
    _double: State | None  # the same state in Python with knowledge, if worlds were asked for; never changed

    def __init__(self, game: NativeGame, engine: Engine, native: int, seed: int, auto: bool) -> None:
        self.game, self.engine = game, engine
        self.native, self._pointer = native, engine.library.pointer(native)
        self._known, self._opts, self._double = False, None, None
        self.seed, self.auto, self.h, self.since, self.moment = seed, auto, [], None, None
        self.approximate = ()
        self.may_defer = self.tracked = True

    def __del__(self) -> None:
        try:
            if self.native:
                self.engine.give_back(self.native, self._pointer)
        except (AttributeError, ValueError):  # never made whole; a sandbox may be gone before its states
            return

    def __getattr__(self, name: str) -> Any:
        """Python asks here for what is not there yet: a part of the position, the options, what players know, or one of
        the small things that every state has and most never use."""
        if name in POSITION:
            position = self.engine.position(self.native)
            for part in POSITION:
                setattr(self, part, position[part])
            self._known = True
        elif name in LATE:
            catch_up(cast(Any, self))
        elif name in USUAL:
            setattr(self, name, USUAL[name](self))
        return object.__getattribute__(self, name)

    @property
    def pointer(self) -> Any:
        """The state in native memory, for quick calls."""
        return self._pointer

    @property
    def opts(self) -> list[int]:  # type: ignore[override]
        """The numbers of the options, asked for when they are wanted."""
        found = self._opts
        if found is None:
            context = self.engine.context
            count = self.engine.options(context.pointer, self._pointer, context.room_pointer, ROOM)
            found = self._opts = context.numbers[:count].tolist() if 0 <= count <= ROOM else self.in_python().opts
        return found

    def told(self) -> None:
        """Takes over what the engine reports of the next decision; the rest is read when it is wanted."""
        report = self.engine.context.report
        self.over, self.who, self.site = bool(report[2]), report[3], report[4]

    def changed(self) -> None:
        """The position is another one: what was read of it is no longer true."""
        self._opts = self._double = None
        if self._known:
            self._known = False
            for part in POSITION:
                object.__delattr__(self, part)

    # ------------------------------------------------------------------ the game goes on

    def apply(self, option: Option | int) -> State:
        index = option if type(option) is int and option >= 0 else self.opts.index(raw_of(self, option))
        if self.moment is not None:
            moment_passes(cast(Any, self))
        if self.since is None and self.tracked:
            self._remember()
        engine = self.engine
        context = engine.context
        signal = engine.apply(context.pointer, self._pointer, index)
        if signal != STOP:
            return self._meet_problem(index, signal)
        report = context.report
        site, taken, over, self.who, self.site, count = report[:TOLD].tolist()
        self.over = over != 0
        self.h += (site, taken)
        self._double = None
        if self._known:
            self.changed()
        self._opts = report[TOLD : TOLD + count].tolist() if count <= OPTIONS_TOLD else None
        return self

    def _remember(self) -> None:
        """Somebody has looked: what players know now is where the next look goes on from."""
        self.since = Point(None, [], len(self.h), self._doubled())
        leave_for_later(cast(Any, self), True)

    def _meet_problem(self, index: int, signal: int) -> State:
        """There is no such option; or the rules ran into a fault. The same choices in Python run into it too, and tell
        of it in full. A world has no seed that leads to it: it goes on from the state it was made of. What C alone
        finds too large (a set, a product) Python works out, and C goes on from there."""
        if self.over:
            raise UnknownChoice("the game is over")
        if signal == UNKNOWN:
            raise UnknownChoice(f"there is no option {index}: {len(self.opts)} are offered, numbered from 0")
        since = self.since or Beginning(self.game, self.seed, self.auto)
        again = cast(State, since.worked_out()).clone()
        for position in range(since.length, len(self.h), 2):
            again.apply(again.opts.index(self.h[position + 1]))
        self._stay(again)
        again.apply(index)
        entered = self.game.entered(again)
        if not isinstance(entered, NativeState):
            raise NativeUnavailable("this position does not fit into native memory; the backend `python` plays on")
        position, entered.native = entered.native, 0
        self.put_back(position)
        self.over, self.who, self.site = again.over, again.who, again.site
        self.h += again.h[-2:]
        return self

    def _stay(self, here: State) -> None:
        """A choice happens whole or not at all: what C has done of it is given up for the position before it."""
        entered = self.game.entered(here)
        if isinstance(entered, NativeState):
            position, entered.native = entered.native, 0
            self.put_back(position)

    # ------------------------------------------------------------------ copies

    def kept_position(self) -> int:
        """The address of a copy of the position alone, for whoever may have to put it back."""
        address: int = self.engine.clone(self._pointer)
        return address

    def put_back(self, position: int) -> None:
        """Takes up a position that was kept; what stood here is given up."""
        self.engine.give_back(self.native, self._pointer)
        self.native, self._pointer = position, self.engine.library.pointer(position)
        self.changed()

    def clone(self) -> State:
        if self.since is None and self.tracked:
            self._remember()
        copy = NativeState.__new__(NativeState)
        copy.game, copy.engine, copy.seed, copy.auto = self.game, self.engine, self.seed, self.auto
        copy.native, copy._pointer = self.engine.copied(self._pointer)
        copy.over, copy.who, copy.site = self.over, self.who, self.site
        copy.h, copy.tracked, copy.approximate = self.h[:], self.tracked, self.approximate
        copy.since, copy.moment, copy.may_defer = self.since, None, True
        copy._known, copy._opts, copy._double = False, self._opts, None
        if not self.tracked:
            untracked(copy)
        return copy

    def playout(self, seed: int) -> State:
        """As in Python, without leaving C. A game that asks for single options too is played there: its choices could
        not be played again."""
        if self.over or not self.auto:
            return super().playout(seed)
        copy = cast(NativeState, self.clone())
        chance = chance_of_playout(seed)
        self.engine.write_generator(copy.native, chance)
        if copy.tracked:
            copy.since = Point(point_of(cast(Any, copy)), [], len(copy.h), None, chance)
        end = self.game.finish(copy, seed)
        end.tracked = False
        return end

    def in_python(self) -> State:
        """The same state as Python keeps it."""
        copy = self._doubled().clone()
        copy.may_defer = self.game.defers
        return copy

    def unchanging(self) -> State | None:
        return self._double if self.tracked else None

    def stands_as(self, again: Any) -> bool:
        """Of a native state nobody sets a part by hand: that the same is asked will do, until the game is over."""
        if self.over or again.over:
            return bool(self.over == again.over and super().stands_as(again))
        is_same = (self.who, self.site) == (again.who, again.site)
        return is_same and (self._opts is None or self._opts == again.opts)

    def _doubled(self) -> State:
        """The same state in Python, with all that players know. Nobody changes it: it is kept until the next choice,
        and is where the next look goes on from."""
        if self._double is not None:
            return self._double
        if self.tracked and self.since is not None:
            copy = cast(State, caught_up(cast(Any, self)))
        else:
            copy = State.fork(self)
            copy.h, copy.tracked = self.h[:], self.tracked
            for name in LATE if self.tracked else ():
                setattr(copy, name, getattr(self, name))
        copy.may_defer, copy.approximate = False, self.approximate
        self._double = copy
        return copy

    def worlds(self, player: int) -> Worlds:
        """They are drawn in Python; what is prepared for that is kept until the next choice."""
        self._require_seat(player)
        table = self._doubled()
        recalled(table)
        if table.prepared is None or table.prepared[0] is not table.ev:
            table.prepared = (table.ev, {})
        found = table.prepared[1].get(player)
        if found is None:
            found = table.prepared[1][player] = Worlds(table, player, self.game.defers)
        return found

    def determinize(self, player: int, seed: int) -> State:
        return self.game.entered(self.worlds(player).draw(seed))


def untracked(state: NativeState) -> NativeState:
    """A state that nobody looks into: what players know is found by playing it again from its seed."""
    state.kn = state.ev = state.apart = None
    state.lg, state.lit, state.shown, state.horizon = [], {}, {}, 0
    state.tracked = state.may_defer = False
    return state


NativeState.WHOLE = NativeState.BEHIND = NativeState  # it asks for everything when it is wanted
