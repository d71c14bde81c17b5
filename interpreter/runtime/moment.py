"""The moment at which a decision was looked at.

A state changes when a choice is made, but the decision and the options that somebody took from it before keep the
words they were offered with: `option = state.decision.options[3]; state.apply(option); print(option)`. So they do not
hold the state. They hold a `Moment`, which is the state itself as long as it stands still. Just before it goes on,
the moment gets a copy, if anybody still holds it: programs that choose by index pay nothing.
"""

from __future__ import annotations

from weakref import ref

from .deferred import leave_for_later
from .running import Running


class Moment:
    """A state as it is now; `state` is replaced by a copy when the game goes on. `apart` has what `namesakes` found
    out about its options, from when the first label is read."""

    __slots__ = ("__weakref__", "apart", "state")

    def __init__(self, state: Running) -> None:
        self.state = state
        self.apart: dict[int, str] | None = None


def moment_of(state: Running) -> Moment:
    """The present moment of a state; all decisions and options taken from it now share it."""
    now = state.moment() if state.moment is not None else None
    if now is None:
        now = Moment(state)
        state.moment = ref(now)
    return now


def moment_passes(state: Running) -> None:
    """The game is about to go on. Whoever still holds this moment sees it in a copy from now on."""
    now = state.moment() if state.moment is not None else None
    state.moment = None
    if now is not None:
        now.state = _kept(state)


def _kept(state: Running) -> Running:
    """A copy for reading. A clone would begin a new point in the chain of `deferred`; this one only looks back."""
    still = state.unchanging()
    if still is not None:
        return still
    copy = state.fork()
    copy.h = state.h[:]
    if state.since is not None:
        copy.since = state.since
        leave_for_later(copy, state.tracked)
        return copy
    copy.tracked, copy.horizon, copy.apart, copy.lg = state.tracked, state.horizon, state.apart, state.lg[:]
    copy.kn = state.kn[:] if state.kn is not None else None
    copy.ev, copy.shown = state.ev, dict(state.shown)
    return copy
