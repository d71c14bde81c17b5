"""A compiled game and the slow evaluator, played in lock step: same seed, same options, same course, same end.

`lock_step(state, slow, seed, pick)` plays both to the end (or to `limit` decisions) and names the first difference.
`state` is a fresh state of the compiled game with that seed, and with the same `auto` as the slow game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .slow_evaluator import SlowDecision, SlowGame


def lock_step(state: Any, slow: SlowGame, seed: int, pick: Callable[[int], int], limit: int = 2000) -> str | None:
    """What differs, told with the step at which it does; None if nothing does. `pick(n)` chooses below n."""
    theirs = slow.start(seed)
    for step in range(limit):
        if state.over or theirs is None:
            return _ends_differ(state, slow, theirs, step)
        difference = _decisions_differ(state.decision, theirs)
        if difference is not None:
            return f"step {step}: {difference}"
        index = pick(len(theirs.options))
        state.apply(index)
        theirs = slow.choose(index)
    return None


def _decisions_differ(ours: Any, theirs: SlowDecision) -> str | None:
    if ours.player != theirs.player:
        return f"player {ours.player} decides, slow: {theirs.player} ({theirs.prompt})"
    compiled = [(option.kind, str(option) if option.kind in ("option", "free") else "") for option in ours.options]
    slow = [(option.kind, option.label() if option.label is not None else "") for option in theirs.options]
    if len(compiled) != len(slow):
        return f"options {compiled}, slow: {slow}"
    for number, (one, other) in enumerate(zip(compiled, slow, strict=True)):
        if one[0] != other[0] or (other[1] and one[1] != other[1]):
            return f"option {number} is {one}, slow: {other}"
    return None


def _ends_differ(state: Any, slow: SlowGame, theirs: SlowDecision | None, step: int) -> str | None:
    if not state.over or theirs is not None:
        return f"step {step}: over {state.over}, slow: {theirs is None}"
    for what, ours, other in (
        ("scores", list(state.scores), slow.scores()),
        ("ranking", list(state.ranking), slow.ranking()),
    ):
        if ours != other:
            return f"at the end: {what} {ours}, slow: {other}"
    return None
