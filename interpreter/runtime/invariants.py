"""What holds of every position of every game: asked by `rulewright soak` and by the tests after each decision.

Nothing here knows how a position came about. It looks at the numbers alone: pieces are conserved, every field is in its
range, every place holds what it may, frames have the size of their rules, somebody decides among options that are all
different; and at what people read: labels, views and logs can be made. The checks of the position are those that a save
has to pass.
"""

from __future__ import annotations

import json
from typing import Any

from .faults import WrongSave
from .saved import check_position


def first_problem(state: Any, words: bool = True) -> str | None:
    """The first thing that cannot be in this state, or None. `words`: look at what people read too, which costs more
    than all the rest."""
    meta = state.meta
    try:
        check_position(meta, state.machine, _as_data(state, words))
    except WrongSave as wrong:
        return str(wrong).removeprefix("this save is damaged: ")
    where = [-1] * meta.pieces
    for number, pieces in enumerate(state.p[: meta.lists]):
        for piece in pieces:
            where[piece] = number
    for slot, piece in enumerate(state.f[: meta.slots]):
        if piece >= 0:
            where[piece] = meta.lists + slot
    if list(state.at[: meta.pieces]) != where:
        return "`at` does not say where the pieces are"
    if state.over:
        return _problem_at_the_end(state)
    if not state.opts or len(set(state.opts)) != len(state.opts):
        return "the options are none, or not all different"
    if not 0 <= state.who < meta.players or not 0 <= state.site < len(meta.sites):
        return "nobody decides"
    if words:
        state.read_everything()
    return None


def _as_data(state: Any, words: bool) -> dict[str, Any]:
    """The state as a save has it; without knowledge if nobody is going to read it."""
    if words:
        data: dict[str, Any] = json.loads(json.dumps(state.to_data()))
        return data
    rest: dict[str, Any] = {"kn": None, "lg": [], "why": None, "horizon": 0, "h": [], "shown": []}
    position: dict[str, Any] = json.loads(json.dumps(state.position_data()))
    return {**position, **rest}


def _problem_at_the_end(state: Any) -> str | None:
    ranking = state.ranking
    nobody_won = [state.meta.players + 1] * state.meta.players
    if len(ranking) != state.meta.players or (min(ranking) != 1 and ranking != nobody_won):
        return f"the ranking is {ranking}"
    if any(not isinstance(score, int) for score in state.scores):
        return f"the scores are {state.scores}"
    return None
