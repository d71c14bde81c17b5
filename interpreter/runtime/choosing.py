"""How a state takes a choice: whole, or not at all.

An option is an `Option` of this very moment, or its index. What players learn of it is kept at once, or left for later
(`deferred`) where nobody may ever look. Whatever goes wrong on the way, a fault of the rules or somebody who interrupts
the program, leaves the state as it was before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import log
from .decision import Option
from .deferred import LATE, apply_deferred
from .faults import RefusedChoice, Trouble, UnknownChoice, WrongSave
from .moment import moment_passes
from .trail import ASKED

State = Any  # `state.State`, which stands above this module


def apply(state: State, option: Option | int) -> None:
    """Makes a choice: an option of the pending decision, or its index."""
    raw = raw_of(state, option)
    if state.moment is not None:
        moment_passes(state)
    try:
        if not state.may_defer or state.promptly:
            _apply_whole(state, raw)
        else:
            apply_deferred(state, raw)
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, AssertionError) as problem:
        if not state.watched:
            raise
        raise WrongSave(f"the save that this game came from does not fit its rules: {problem!r}") from problem


def _apply_whole(state: State, raw: int) -> None:
    """A choice happens whole or not at all: after a fault the state is as it was."""
    go_back = _way_back(state)
    if state.promptly:
        state.promptly -= 1
    try:
        apply_at_once(state, raw)
    except BaseException:
        become(state, go_back())
        raise


def _way_back(state: State) -> Callable[[], State]:
    """A function that makes the state anew as it is now. The trail has a copy of the position, unless somebody may
    have set it by hand since then."""
    promptly, last = state.promptly, state.ev[1] if state.may_defer and state.ev else None
    if last is None or last[0] != ASKED:
        before = state.clone()
        before.promptly = promptly
        return lambda: before
    length, log_lines, trail, script = len(state.h), state.lg[:], state.ev, state.script[:]
    horizon, prepared = state.horizon, state.prepared

    def made_again() -> State:
        before = last[1].resumed()
        before.h, before.lg, before.ev, before.script = state.h[:length], log_lines, trail, script
        before.horizon, before.prepared, before.promptly = horizon, prepared, promptly
        before.approximate = state.approximate
        before.tracked = before.may_defer = True
        return before

    return made_again


def apply_at_once(state: State, raw: int) -> None:
    """Takes up an option of the pending decision and keeps what players learn of it."""
    state.lit = {}
    state.h += (state.site, raw)
    if state.tracked:
        log.note_forced_before(state)
        log.note_choice(state, raw)
    if len(state.h) // 2 > state.meta.limits["decisions"]:
        trouble = Trouble("R0906", f"the game has not ended after {len(state.h) // 2} decisions")
        raise state.game.fault(trouble, state)
    state.machine.take(state, raw)
    state.game.run(state)
    log.name_what_was_seen(state)


def raw_of(state: State, option: Option | int) -> Any:
    """The number of an option of the pending decision. Raises IllegalChoice for anything else."""
    if state.over:
        raise UnknownChoice("the game is over")
    if isinstance(option, Option):
        if not option.is_of(state):
            raise RefusedChoice(f"`{option}` is an option of another state, or of the past")
        if option.site.number == state.site and option.raw in state.opts:
            return option.raw
        raise RefusedChoice(f"`{option}` is not offered here")
    if isinstance(option, int) and not isinstance(option, bool) and -len(state.opts) <= option < len(state.opts):
        return state.opts[option]
    raise UnknownChoice(f"there is no option {option}: {len(state.opts)} are offered, numbered from 0")


def become(state: State, other: State) -> None:
    """Replaces everything in a state by what another one has. Decisions and options that were taken from it before keep
    their moment, and what its trials have come to is still so."""
    state.__class__ = other.__class__
    for name in state.PARTS:
        if name in ("moment", "tried"):
            continue
        try:
            setattr(state, name, object.__getattribute__(other, name))
        except AttributeError:  # left for later in the other one
            if name in LATE and _has(state, name):
                delattr(state, name)


def _has(state: State, name: str) -> bool:
    try:
        object.__getattribute__(state, name)
    except AttributeError:
        return False
    return True
