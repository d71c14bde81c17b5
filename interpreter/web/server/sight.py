"""The messages that a viewer may be sent: positions, with their scene.

Everything that goes to a page about a game is made here, from a state and the number of a viewer, so this is the one
place to look at for what can leak. Seeds, views of a referee, and other seats' log lines are never asked for.
"""

from __future__ import annotations

from typing import Any

from . import questions
from .asking import ask, facts_of
from .game_table import GameTable
from .taking_back import undo_shown
from .viewers import NO_BLOCK
from .words import said

Data = dict[str, Any]


def player_of(table: GameTable, viewer: int) -> int | None:
    return None if viewer == table.spectator else viewer


def position(table: GameTable, viewer: int, language: str, connected: set[int], step: int | None = None) -> Data:
    """The table as a viewer may know it: now, or as the viewer saw it at an earlier step."""
    live = step is None
    state = table.state_for(viewer) if step is None else table.state_seen(viewer, step)
    player = player_of(table, viewer)
    since = _since(table, viewer, language, table.steps(viewer) if step is None else step)
    scene = ask(questions.scene, state, player, language, since, names_at(table, language))
    if live:
        _keep(table, viewer, language, since, scene)
        scene = _as_asked(table, viewer, scene, language)
    over = bool(scene["over"])
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
        "over": over,
        "result": ask(questions.result, state) if over else None,
        "language": language,
        "undo": _undo(table, player, language) if live else {"to": None, "why": None},
        "hints": bool(table.row.settings.get("hints")) and player is not None,
        "watch": bool(table.row.settings.get("watch")),
        "owner": table.owns_all(viewer),
        "fault": fault_of(table, viewer, language) if live else None,
        "scene": scene,
    }


def _as_asked(table: GameTable, viewer: int, scene: Data, language: str) -> Data:
    """The scene without a decision for a viewer who has answered it, and who waits for what comes of it. In a block a
    person with several seats is told which of them is asked."""
    inside = table.block_of(viewer) != NO_BLOCK
    if not table.is_waiting(viewer) and not (inside and not table.is_asked(viewer)):
        return scene
    status = dict(scene["status"])
    if table.is_waiting(viewer):
        status["waiting"] = said("waiting_together" if inside else "waiting", language)
    if inside:
        group = sorted(table.group(viewer)) if viewer != table.spectator else []
        status["turn"] = status["decides"] = next((seat for seat in group if table.is_asked(seat)), None)
    return {**scene, "decision": None, "refused": None, "status": status}


def _since(table: GameTable, viewer: int, language: str, step: int) -> Data | None:
    """The scene right after the viewer's own last choice: what has changed since is marked. For spectators, the one
    before the last choice that they have noticed."""
    real = table.real_step(viewer, step)
    start = table.block_of(viewer)
    if start == NO_BLOCK and step == table.steps(viewer) and viewer not in table.held and not table.is_silent:
        real = len(table.choices)
    own = table.moments[viewer][max(0, table.step_of(viewer, real) - 1)]
    if viewer != table.spectator:
        own = table.last_own(viewer, real) or 0
    if own == real or (start != NO_BLOCK and step > table.step_of(viewer, start)):
        return None
    kept = table.scenes.get((viewer, language))
    if kept is None or kept[0] != own:
        names = names_at(table, language)
        scene = ask(questions.scene, table.state_at(own), player_of(table, viewer), language, None, names)
        kept = table.scenes[viewer, language] = (own, scene)
    return kept[1]


def _keep(table: GameTable, viewer: int, language: str, since: Data | None, scene: Data) -> None:
    """Keeps a scene with which later ones will be compared, so that it need not be drawn a second time: that of a seat
    right after its own choice, and whatever a spectator is shown."""
    shows_all = table.block_of(viewer) == NO_BLOCK and viewer not in table.held and not table.is_silent
    if shows_all and (since is None or viewer == table.spectator):
        table.scenes[viewer, language] = (len(table.choices), scene)


def names_at(table: GameTable, language: str) -> list[str]:
    """What the seats are called: by their persons, else as the game calls them, in its own words if they are words."""
    return [_name(table, number, language) for number in range(table.spectator)]


def _name(table: GameTable, number: int, language: str) -> str:
    named: str = table.game.seat_names[number]
    words = facts_of(table.game).seat_words.get(language)
    translated = words[number] if words is not None else named
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
    undo = undo_shown(table, player)
    to = None if undo.to is None else table.step_of(player, undo.to)
    return {"to": to, "why": said(undo.why, language) if undo.why else None}


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
