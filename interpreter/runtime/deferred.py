"""Knowledge, log and trail of a game, worked out when somebody looks.

What players know costs many times what the game itself costs, and a search or a study makes thousands of choices
between two looks. Seed and choices say it all, so a game made by `Game.new` runs without keeping knowledge. It only
remembers a `Point`: the game as it was, with knowledge, some choices ago. While it is behind, the attributes named in
`LATE` are *empty* (slots that hold nothing), and its class is `Behind`. Reading one of them makes Python call
`Behind.__getattr__`, which plays the choices since that point again, this time keeping knowledge, and fills all of
them. So whoever reads finds them right, and code that never reads them pays nothing.

Points never change, so copies of a state share them, in any number of threads. A copy begins at a point of its own
that it shares with the original: whichever of the two looks first plays the choices up to there for both.

Somebody who looks after every choice (a game at the table) would pay for both runs. So when a look finds the state
only one choice behind, the next `PROMPT` choices keep knowledge at once; then it is tried again whether anybody looks.
Copies begin without that: what is copied is mostly searched.

Only states whose position nobody sets by hand may fall behind (`State.may_defer`): scenarios, scripted games and the
games that are played while a world is drawn keep knowledge at once. So do all games of a `Game` whose `defers` is
false: one that counts what is run, or whose chance somebody has replaced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .faults import Trouble

if TYPE_CHECKING:
    from .running import Running as State

LATE = ("apart", "ev", "horizon", "kn", "lg", "lit", "shown")
PROMPT = 32


class Point:
    """A moment of a game: a state with knowledge, or the choices that lead there from an earlier point."""

    __slots__ = ("before", "choices", "generator", "length", "state")

    def __init__(
        self, before: Point | None, choices: list[int], length: int, state: State | None, generator: int | None = None
    ) -> None:
        self.before = before
        self.choices = choices  # site, option, site, option …
        self.length = length  # of the history at this moment
        self.state = state  # never changed: whoever goes on from it takes a copy
        self.generator = generator  # chance goes on with this one from here; None: with the generator of the game

    def worked_out(self) -> State:
        """The state at this point, with knowledge; kept, since others may begin here too."""
        wanting: list[Point] = []
        point: Point = self
        while (state := point.state) is None:
            if point.before is None:
                state = point.worked_out()  # a first point that knows itself how it began
                break
            wanting.append(point)
            point = point.before
        for later in reversed(wanting):
            state = _played_on(state, later.choices)
            if later.generator is not None:
                state.g, state.script = later.generator, []
            later.state = state
        return state


def point_of(state: State) -> Point | None:
    """Where a copy of this state begins, which this state shares from now on; None if it is not behind."""
    since: Point | None = state.since
    if since is not None and since.length < len(state.h):
        since = state.since = Point(since, state.h[since.length :], len(state.h), None)
    return since


def apply_deferred(state: State, option: int) -> None:
    """Takes up an option of the pending decision; what players learn of it is left for later."""
    if state.since is None:
        here = state.clone()
        here.may_defer = False
        state.since = Point(None, [], len(state.h), here)
    length = len(state.h)
    set_aside(state)
    state.h += (state.site, option)
    try:
        if len(state.h) // 2 > state.meta.limits["decisions"]:
            raise Trouble("R0906", "too many decisions")  # told in full by the game that is played again
        state.machine.take(state, option)
        state.machine.run(state)
    except Exception:
        _go_back(state, length)
        _meet_again(state, option)
        return
    except BaseException:  # interrupted
        _go_back(state, length)
        raise
    leave_for_later(state, True)


def _meet_again(state: State, option: int) -> None:
    """Plays the choices again to meet the same fault and report it in full; the state stays where it is."""
    length = len(state.h)
    here = state.clone()
    here.may_defer = False
    state.since = Point(None, [], length, here)
    try:
        state.apply_at_once(option)
    except BaseException:
        _go_back(state, length)
        raise
    state.since = None


def set_aside(state: State) -> None:
    """Lets the machine run without knowledge."""
    state.__class__ = state.WHOLE
    state.kn = state.ev = state.apart = None
    state.lg, state.lit, state.shown, state.horizon = [], {}, {}, 0
    state.tracked = False


def leave_for_later(state: State, tracked: bool) -> None:
    """Empties what has to be worked out before anybody reads it."""
    del state.apart, state.ev, state.horizon, state.kn, state.lg, state.lit, state.shown
    state.tracked = tracked
    state.__class__ = state.BEHIND


def catch_up(state: State) -> None:
    """Fills what was left for later."""
    if state.since is not None:  # else it is not behind, or another thread was faster
        caught_up(state)


def caught_up(state: State) -> State:
    """Fills what was left for later; gives the state that was played again for that, which nobody else has."""
    since = state.since
    assert since is not None
    again = _played_on(since.worked_out(), state.h[since.length :])
    if not state.stands_as(again):
        raise AssertionError("a state that was changed by hand cannot work out what players know")
    state.promptly = PROMPT if len(state.h) == since.length + 2 else 0
    for name in LATE:
        setattr(state, name, getattr(again, name))
    state.__class__ = state.WHOLE
    state.since = None
    return again


def _played_on(state: State, choices: list[int]) -> State:
    again = state.clone()
    for option in choices[1::2]:
        again.apply_at_once(option)
    return again


def _go_back(state: State, length: int) -> None:
    """Makes this the state with knowledge that it was when its history had this length."""
    since = state.since
    assert since is not None
    again = _played_on(since.worked_out(), state.h[since.length : length])
    for name in state.PARTS:
        if hasattr(again, name) and name != "tried":  # what was tried to come here is not tried again
            setattr(state, name, getattr(again, name))
    state.__class__ = state.WHOLE
    state.since, state.may_defer = None, False
