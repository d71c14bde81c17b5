"""From a state to a scene: everything that is drawn of a game for one seat, as plain data."""

from __future__ import annotations

from typing import Any

from ...runtime.sight import Sight
from .areas import areas_of
from .counters import add_counters, add_dice
from .decision import decision_data
from .declarations import declarations_of
from .drawing import Data, Drawing
from .maps import add_maps
from .places import add_groups, add_places
from .presentation import NOTHING, Presentation
from .seats import seats_of
from .story import clauses_of, log_data

SCHEMA = 1


def scene_of(
    game: Any,
    state: Any,
    player: int | None,
    *,
    language: str | None = None,
    since: Any = None,
    presentation: Presentation | None = None,
) -> Data:
    """What `player` (None: a spectator) may see of a state."""
    drawing = Drawing(game, state, player, declarations_of(game, presentation or NOTHING), Sight(state, player))
    add_places(drawing)
    add_groups(drawing)
    add_counters(drawing)
    add_dice(drawing)
    add_maps(drawing)
    areas = areas_of(drawing)
    seats = seats_of(drawing)
    for seat in seats:
        seat["areas"] = [area["id"] for area in areas if area["seat"] == seat["seat"]]
    decision = decision_data(drawing)
    log = log_data(drawing, None)
    scene: Data = {
        "schema": SCHEMA,
        "game": game.name,
        "title": game.title,
        "language": language or game.meta.language,
        "player": player,
        "step": len(state.history),
        "over": state.over,
        "status": _status(drawing),
        "seats": seats,
        "areas": areas,
        "groups": list(drawing.groups.values()),
        "places": list(drawing.places.values()),
        "pieces": list(drawing.pieces.values()),
        "counters": list(drawing.counters.values()),
        "dice": list(drawing.dice.values()),
        "tracks": list(drawing.tracks.values()),
        "maps": list(drawing.maps.values()),
        "decision": decision,
        "refused": None,
        "log": log,
        "score_sheet": None,
        "changes": {"ids": [], "moves": [], "counters": []},
    }
    scene["clauses"] = clauses_of(drawing, [decision, log])
    return scene


def _status(drawing: Drawing) -> Data:
    """Where the game stands. Who decides is told only where everybody may notice it."""
    state = drawing.state
    if state.over:
        return {"path": [], "turn": None, "decides": None, "waiting": None}
    untold = bool(state.together) or drawing.meta.sites[state.site].silent
    may_tell = state.who == drawing.player or not untold
    decides = state.who if may_tell else None
    return {"path": list(state.path), "turn": decides, "decides": decides, "waiting": None}
