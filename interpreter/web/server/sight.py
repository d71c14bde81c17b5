"""The messages that a viewer may be sent: positions, with their scene.

Everything that goes to a page about a game is made here, from a state and the number of a viewer, so this is the one
place to look at for what can leak. Seeds, views of a referee, and other seats' log lines are never asked for.
"""

from __future__ import annotations

import json
from typing import Any

from ..scene import scene_of
from .game_table import GameTable
from .words import said

OWN = "en"  # any language will do for comparing


def player_of(table: GameTable, viewer: int) -> int | None:
    return None if viewer == table.spectator else viewer


def content(state: Any, viewer: int) -> str:
    """What a viewer may know of a state, for comparing."""
    game = state.game
    player = None if viewer == game.players else viewer
    return json.dumps(scene_of(game, state, player, language=OWN), sort_keys=True, separators=(",", ":"))


def position(
    table: GameTable, viewer: int, language: str, connected: set[int], step: int | None = None
) -> dict[str, Any]:
    """The table as a viewer may know it: now, or as the viewer saw it at an earlier step."""
    live = step is None
    real = table.shown(viewer)[-1] if step is None else table.real_step(viewer, step)
    if live and viewer not in table.held and not table.is_silent:
        real = len(table.choices)  # what has happened since the last moment changes nothing for this viewer
    state = table.state_at(real)
    player = player_of(table, viewer)
    scene = scene_of(
        table.game,
        state,
        player,
        language=language,
        since=_since(table, viewer, language, real),
        names=names_at(table, language),
    )
    if live and table.is_waiting(viewer):
        scene = {**scene, "decision": None, "status": {**scene["status"], "waiting": said("waiting", language)}}
    return {
        "type": "position",
        "table": table.row.id,
        "game": table.game.name,
        "title": scene.get("title") or table.game.title,
        "number": table.number(viewer),
        "step": table.steps(viewer) if step is None else step,
        "steps": table.steps(viewer),
        "live": live,
        "me": player,
        "seats": [_seat(table, seat, connected, language) for seat in range(table.spectator)],
        "over": bool(state.over),
        "result": result_of(state) if state.over else None,
        "language": language,
        "undo": _undo(table, player, language) if live else {"to": None, "why": None},
        "hints": bool(table.row.settings.get("hints")) and player is not None,
        "watch": bool(table.row.settings.get("watch")),
        "owner": table.owns_all(viewer),
        "fault": fault_of(table, viewer, language) if live else None,
        "scene": scene,
    }


def _since(table: GameTable, viewer: int, language: str, real: int) -> dict[str, Any] | None:
    """The scene right after the viewer's own last choice: what has changed since is marked. For spectators, the one
    before the last choice that they have noticed."""
    own = table.moments[viewer][max(0, table.step_of(viewer, real) - 1)]
    if viewer != table.spectator:
        own = table.last_own(viewer, real) or 0
    if own == real:
        return None
    kept = table.scenes.get((viewer, language))
    if kept is None or kept[0] != own:
        scene = scene_of(
            table.game,
            table.state_at(own),
            player_of(table, viewer),
            language=language,
            names=names_at(table, language),
        )
        kept = table.scenes[viewer, language] = (own, scene)
    return kept[1]


def names_at(table: GameTable, language: str) -> tuple[str, ...]:
    """What the seats are called: by their persons, else as the game calls them, in its own words if they are words."""
    return tuple(_name(table, number, language) for number in range(table.spectator))


def _name(table: GameTable, number: int, language: str) -> str:
    named: str = table.game.seat_names[number]
    translated = table.game.meta.translations.get(language, {}).get(named, named)
    own = said("seat", language, number=number + 1) if named == f"seat{number + 1}" else translated
    return table.seats[number].name or own


def _seat(table: GameTable, number: int, connected: set[int], language: str) -> dict[str, Any]:
    seat = table.seats[number]
    name = _name(table, number, language)
    here = number in connected or seat.kind in ("bot", "automa")
    return {"seat": number, "name": name, "kind": seat.kind, "bot": seat.bot or None, "connected": here}


def _undo(table: GameTable, player: int | None, language: str) -> dict[str, Any]:
    if player is None or player not in table.persons:
        return {"to": None, "why": None}
    undo = table.undo(player)
    to = None if undo.to is None else table.step_of(player, undo.to)
    return {"to": to, "why": said(undo.why, language) if undo.why else None}


def result_of(state: Any) -> dict[str, Any]:
    lines = [[[name, value] for name, value in own] for own in state.score_lines]
    return {
        "ranking": list(state.ranking),
        "winners": list(state.winners),
        "scores": list(state.scores),
        "score_lines": lines,
        "reason": state.reason,
    }


def fault_of(table: GameTable, viewer: int, language: str) -> dict[str, Any] | None:
    """A fault of the rules. What exactly went wrong may name what others hold, so only a person who sits alone at the
    table is told; others get the rule and its clauses."""
    fault = table.fault
    if fault is None:
        return None
    told: dict[str, Any] = {"rule": fault.rule, "cites": list(fault.cites), "step": table.steps(viewer)}
    if not table.owns_all(viewer):
        return {**told, "words": said("fault", language)}
    words = said("fault_at", language, rule=fault.rule, what=fault.diagnostic.headline)
    place = ":".join(map(str, fault.place)) if fault.place else None
    return {**told, "words": words, "code": fault.diagnostic.code, "place": place, "stack": list(fault.stack)}
