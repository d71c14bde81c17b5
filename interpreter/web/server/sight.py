"""The messages that a viewer may be sent: positions, with their scene.

Everything that goes to a page about a game is made here, from a state and the number of a viewer, so this is the one
place to look at for what can leak. Seeds, views of a referee, and other seats' log lines are never asked for.
"""

from __future__ import annotations

import json
from typing import Any

from .game_table import GameTable
from .words import said


def player_of(table: GameTable, viewer: int) -> int | None:
    return None if viewer == table.spectator else viewer


def scene_of_viewer(game: Any, state: Any, player: int | None, language: str, since: Any = None) -> dict[str, Any]:
    """The scene of a state for a player, None a spectator."""
    try:
        from ..scene import scene_of
    except ImportError:
        return plain_scene(game, state, player)
    return scene_of(game, state, player, language=language, since=since)  # type: ignore[no-any-return]


def content(state: Any, viewer: int) -> str:
    """What a viewer may know of a state, for comparing."""
    game = state.game
    player = None if viewer == game.players else viewer
    return json.dumps(scene_of_viewer(game, state, player, "en"), sort_keys=True, separators=(",", ":"))


def plain_scene(game: Any, state: Any, player: int | None) -> dict[str, Any]:
    """The least that a client needs: view, decision and log as they are."""
    decision = None
    if not state.over and state.decision.player == player:
        asked = state.decision
        decision = {
            "player": player,
            "prompt": asked.prompt,
            "path": list(asked.path),
            "picked": [{"name": name, "id": None} for name in asked.picked],
            "options": [
                {"index": one.index, "code": int(one), "label": str(one), "kind": one.kind, "values": list(one.values)}
                for one in asked.options
            ],
        }
    log = [] if player is None else [{"text": line} for line in state.log(player)]
    view = None if player is None else state.view(player)
    return {"game": game.name, "title": game.title, "player": player, "view": view, "decision": decision, "log": log}


def position(
    table: GameTable, viewer: int, language: str, connected: set[int], step: int | None = None
) -> dict[str, Any]:
    """The table as a viewer may know it: now, or as the viewer saw it at an earlier step."""
    live = step is None
    real = len(table.choices) if step is None else table.real_step(viewer, step)
    state = table.state_at(real)
    player = player_of(table, viewer)
    own = None if player is None else table.last_own(player, real)
    since = table.state_at(own if own is not None else 0) if (own or 0) < real else None
    scene = scene_of_viewer(table.game, state, player, language, since)
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
        "seats": [_seat(table, seat, connected) for seat in range(table.spectator)],
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


def _seat(table: GameTable, number: int, connected: set[int]) -> dict[str, Any]:
    seat = table.seats[number]
    name = seat.name or table.game.seat_names[number]
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
