"""A compiled game and the slow evaluator, in lock step: same seed, same options, same course, same state, same end.

`lock_step(state, slow, seed, pick)` plays both to the end (or to `limit` decisions) and names the first difference.
`state` is a fresh state of the compiled game with that seed, and with the same `auto` as the slow game.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from interpreter.runtime.faults import Fault

from .slow_effects import Refusal
from .slow_evaluator import OutOfWork, SlowDecision, SlowGame
from .slow_expressions import SlowFault

WITHOUT_BOUNDS = ("R0902", "R0903", "R0904", "R0905", "R0906")  # the slow evaluator counts in another way


def lock_step(
    state: Any, slow: SlowGame, seed: int, pick: Callable[[int], int], limit: int = 2000, work: int | None = None
) -> str | None:
    """What differs, told with the step at which it does; None if nothing does. `pick(n)` chooses below n. The games are
    followed for `limit` decisions, or until the slow one has taken `work` steps."""
    slow.allowed = work
    try:
        return _followed(state, slow, seed, pick, limit)
    except OutOfWork:
        return None


def _followed(state: Any, slow: SlowGame, seed: int, pick: Callable[[int], int], limit: int) -> str | None:
    theirs = slow.start(seed)
    told: list[str] = []
    for step in range(limit):
        over = state.over or theirs is None
        difference = _ends_differ(state, slow, theirs) if over else _decisions_differ(state.decision, theirs)
        difference = difference or states_differ(state, slow)
        if difference is not None:
            return f"step {step}: {difference}, after {told[-6:]}"
        if over or theirs is None:
            return None
        index = pick(len(theirs.options))
        told.append(f"{theirs.player}: {theirs.options[index].kind} {state.decision.options[index]}")
        state.apply(index)
        theirs = slow.choose(index)
    return None


def played_alike(game: Any, slow: SlowGame, seed: int, limit: int, work: int) -> tuple[str | None, bool]:
    """As `lock_step`, with faults: the same of both at the same step, a dead end where the other has a dead end. Every
    ninth position goes on from what was saved of it, as a position that no seed leads to. What differs, and whether it
    came to a fault."""
    slow.allowed, pick, told = work, random.Random(seed), []
    try:
        ours, fault = _unless_fault(lambda: game.new(seed, auto=slow.auto))
        theirs, trouble = _unless_fault(lambda: slow.start(seed))
        for step in range(limit):
            if fault is not None or trouble is not None:
                return _faults_differ(step, fault, trouble, told), True
            over = ours.over or theirs is None
            difference = _ends_differ(ours, slow, theirs) if over else _decisions_differ(ours.decision, theirs)
            difference = difference or states_differ(ours, slow)
            if difference is not None or over:
                return difference and f"step {step}: {difference}, after {told[-6:]}", False
            if step % 9 == 4:
                saved = json.loads(ours.to_json()) | {"seed": seed + 1}
                ours = game.from_json(json.dumps(saved))
            index = pick.randrange(len(theirs.options))
            told.append(f"{theirs.player}: {theirs.options[index].kind} {ours.decision.options[index]}")
            _, fault = _unless_fault(lambda state=ours, at=index: state.apply(at))
            theirs, trouble = _unless_fault(lambda at=index: slow.choose(at))
    except (OutOfWork, RecursionError):  # it would take too long, or looks further ahead than Python's stack allows
        pass
    return None, False


def _unless_fault(act: Callable[[], Any]) -> tuple[Any, str | None]:
    try:
        return act(), None
    except Fault as fault:
        return None, f"{fault.diagnostic.code} {fault.diagnostic.headline}"
    except (SlowFault, Refusal) as fault:
        return None, str(fault)


def _faults_differ(step: int, fault: str | None, trouble: str | None, told: list[str]) -> str | None:
    if fault is not None and fault.startswith(WITHOUT_BOUNDS):
        return None
    if fault is not None and trouble is not None and ("dead end" in trouble) == fault.startswith("R0701"):
        return None
    return f"step {step}: fault {fault}, slow: {trouble}, after {told[-6:]}"


def _decisions_differ(ours: Any, theirs: SlowDecision | None) -> str | None:
    assert theirs is not None
    if ours.player != theirs.player:
        return f"player {ours.player} decides ({ours.prompt}), slow: {theirs.player} ({theirs.prompt})"
    compiled = [(option.kind, str(option) if option.kind in ("option", "free") else "") for option in ours.options]
    slow = [(option.kind, option.label() if option.label is not None else "") for option in theirs.options]
    if len(compiled) != len(slow):
        return f"options {compiled}, slow: {slow}"
    read_alike = Counter(slow)  # the game adds words in brackets to these; the slow evaluator has none
    for number, (one, other) in enumerate(zip(compiled, slow, strict=True)):
        label = other[1] if read_alike[other] > 1 and one[1].startswith(f"{other[1]} (") else one[1]
        if one[0] != other[0] or (other[1] and label != other[1]):
            return f"option {number} is {one}, slow: {other}"
    if theirs.prompt is not None and ours.prompt != theirs.prompt:
        return f"asked {ours.prompt!r}, slow: {theirs.prompt!r}"
    return None


def _ends_differ(state: Any, slow: SlowGame, theirs: SlowDecision | None) -> str | None:
    if not state.over:
        return f"goes on ({state.decision.prompt}: {state.decision.options}), slow: over"
    if theirs is not None:
        return f"over, slow: goes on with {[o.label() if o.label else o.kind for o in theirs.options]}"
    for what, ours, other in (
        ("scores", list(state.scores), slow.scores()),
        ("ranking", list(state.ranking), slow.ranking()),
        ("payoffs", state.returns if state.meta.payoff is not None else None, slow.payoffs()),
    ):
        if ours != other:
            return f"at the end: {what} {ours}, slow: {other}"
    return None


# ---------------------------------------------------------------------------- the states themselves


def states_differ(state: Any, slow: SlowGame) -> str | None:
    """The first field, place, face or number of the generator that is not the same. What players know is compared
    elsewhere, with all possible worlds."""
    return (
        _fields_differ(state, slow)
        or _places_differ(state, slow)
        or _faces_differ(state, slow)
        or (None if state.g == slow.state.generator else "the generator stands elsewhere")
    )


def _fields_differ(state: Any, slow: SlowGame) -> str | None:
    for described, decl in zip(state.meta.fields, slow.program.fields, strict=True):
        for offset, cell in enumerate(slow.table.field_cells(decl), described.base):
            ours, theirs = state.f[offset], slow.state.fields[cell]
            if ours != theirs:
                return f"{decl.name}{list(cell[1:])} is {ours}, slow: {theirs}"
    return None


def _places_differ(state: Any, slow: SlowGame) -> str | None:
    lists = state.meta.lists
    for described, decl in zip(state.meta.places, slow.program.places, strict=True):
        for number, key in enumerate(slow.table.place_cells(decl), described.base):
            ours = state.p[number] if number < lists else [piece for piece in [state.f[number - lists]] if piece >= 0]
            theirs = slow.state.contents[key]
            if list(ours) != theirs:
                return f"{decl.name}{list(key[1:])} holds {ours}, slow: {theirs}"
            if any(state.at[piece] != number for piece in ours):
                return f"{decl.name}{list(key[1:])}: a piece there says it is elsewhere"
    return None


def _faces_differ(state: Any, slow: SlowGame) -> str | None:
    if not state.meta.uses_faces:
        return None
    ours = {piece for piece in range(state.meta.pieces) if state.fd >> piece & 1}
    theirs = slow.state.face_down
    return None if ours == theirs else f"face down are {sorted(ours)}, slow: {sorted(theirs)}"
