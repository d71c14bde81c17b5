"""From a state to a scene: everything that is drawn of a game for one seat, as plain data."""

from __future__ import annotations

from typing import Any

from ...runtime.sight import Sight
from .areas import areas_of
from .changes import mark_changes, nothing_changed
from .counters import add_counters, add_dice
from .decision import decision_data
from .declarations import declarations_of
from .drawing import Data, Drawing
from .languages import in_words_of, spoken_by
from .maps import add_maps
from .places import add_groups, add_places
from .presentation import Presentation, presentation_of
from .refusals import refused_count
from .scores import score_sheet
from .seats import seats_of
from .story import clauses_of, log_data
from .tracks import add_tracks
from .untold import titles_of

SCHEMA = 1


def scene_of(
    game: Any,
    state: Any,
    player: int | None,
    *,
    language: str | None = None,
    since: Any = None,
    names: tuple[str, ...] | None = None,
    presentation: Presentation | None = None,
) -> Data:
    """What `player` (None: a spectator) may see of a state, in a language of the game.

    `since` is an earlier state of the same game, or an earlier scene of the same seat: the position right after the
    seat's last choice. What has changed from there to here is marked. `names` are those of the people at the table, in
    the order of the seats; the words of the game then speak of them.
    """
    looks = presentation if presentation is not None else presentation_of(game)
    game, spoken = in_words_of(game, state, language, names)
    declared = declarations_of(game, looks)
    scene = _drawn(Drawing(game, spoken, player, declared, Sight(spoken, player)))
    if isinstance(since, dict):
        mark_changes(scene, since)
    elif since is not None:
        earlier = spoken_by(game, since)
        mark_changes(scene, _lay_out(Drawing(game, earlier, player, declared, Sight(earlier, player))))
    return scene


def _lay_out(drawing: Drawing) -> Data:
    """Everything that lies on the table."""
    add_places(drawing)
    add_groups(drawing)
    add_counters(drawing)
    add_dice(drawing)
    add_tracks(drawing)
    add_maps(drawing)
    return {
        "groups": list(drawing.groups.values()),
        "places": list(drawing.places.values()),
        "pieces": list(drawing.pieces.values()),
        "counters": list(drawing.counters.values()),
        "dice": list(drawing.dice.values()),
        "tracks": list(drawing.tracks.values()),
        "maps": list(drawing.maps.values()),
    }


def _drawn(drawing: Drawing) -> Data:
    game, state = drawing.game, drawing.state
    table = _lay_out(drawing)
    areas = areas_of(drawing)
    seats = seats_of(drawing)
    for seat in seats:
        seat["areas"] = [area["id"] for area in areas if area["seat"] == seat["seat"]]
    decision = decision_data(drawing)
    scene: Data = {
        "schema": SCHEMA,
        "game": game.name,
        "title": game.title,
        "language": drawing.declared.language,
        "player": drawing.player,
        "over": state.over,
        "status": _status(drawing),
        "seats": seats,
        "areas": areas,
        **table,
        "decision": decision,
        "refused": refused_count(drawing) if decision is not None else None,
        "log": log_data(drawing),
        "score_sheet": score_sheet(drawing),
        "changes": nothing_changed(),
    }
    drawings = drawing.declared.presentation.drawings
    if drawings:
        scene["drawings"] = drawings
    scene["clauses"] = clauses_of(drawing, [scene["decision"], scene["log"], scene["score_sheet"], scene["pieces"]])
    return scene


def _status(drawing: Drawing) -> Data:
    """Where the game stands. Who decides is told only where everybody may notice it."""
    state = drawing.state
    if state.over:
        return {"path": [], "turn": None, "decides": None, "waiting": None}
    untold = bool(state.together) or drawing.meta.sites[state.site].silent
    may_tell = state.who == drawing.player or not untold
    decides = state.who if may_tell else None
    return {"path": titles_of(state), "turn": decides, "decides": decides, "waiting": None}
