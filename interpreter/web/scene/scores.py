"""The score sheet: the lines of the score for each player, as if the game ended now.

Before the end it is made only if no line of it reads anything that the seat does not see. That is found by scoring on a
copy that notices such a look (`runtime.certain`).
"""

from __future__ import annotations

from typing import Any

from ...runtime.certain import Unseen, open_state
from ...runtime.ends import ranking_of
from ...runtime.faults import Fault, Refused, Trouble
from ...runtime.texts import render
from .drawing import Data, Drawing


def score_sheet(drawing: Drawing) -> Data | None:
    state = drawing.state
    if not drawing.meta.score_blocks:
        return None
    if state.over:
        try:
            return _sheet(drawing, state, state.ranking, final=True)
        except (Fault, Trouble):
            return None  # the result of the game tells the fault
    if state.together:
        return None
    plain = state.in_python() if hasattr(state, "in_python") else state
    seen = open_state(plain, drawing.player)
    if seen is None:
        return None
    try:
        ranking: list[int | None] = list(ranking_of(seen))
        return _sheet(drawing, seen, ranking, final=False)
    except (Unseen, Fault, Trouble, Refused):
        return None


def _sheet(drawing: Drawing, state: Any, ranking: Any, final: bool) -> Data:
    meta = drawing.meta
    rows: dict[str, Data] = {}
    for player in range(meta.players):
        for block in range(meta.score_blocks):
            for text, values, points in state.machine.play[f"score_{block}"](state, player):
                name = render(drawing.state, text, values, None)
                row = rows.setdefault(
                    name,
                    {"name": name, "cites": list(meta.text_cites.get(text, ())), "values": [None] * meta.players},
                )
                row["values"][player] = (row["values"][player] or 0) + points
    totals = [sum(row["values"][player] or 0 for row in rows.values()) for player in range(meta.players)]
    return {"rows": list(rows.values()), "total": totals, "rank": list(ranking), "final": final}
