"""Why something is not offered, for the seat that has to decide."""

from __future__ import annotations

from typing import Any

from ...diagnostics.diagnostic import RulesetError
from ...play.contract import PlayError
from ...play.why import why
from ...ruleset.fingerprint import fingerprint_of
from .game_table import GameTable
from .library import Library
from .words import Refused, said

LONGEST_LABEL = 300


def reasons_for(
    library: Library, table: GameTable, viewer: int, asked: dict[str, Any], language: str
) -> dict[str, Any]:
    """The reasons why the target of a question is not on offer: `{what, reason, cites}` each."""
    table.require_number(viewer, asked.get("position"))
    text = _target(asked.get("target"))
    if viewer == table.spectator:
        raise Refused(403, "need_seat")
    if table.decider is None:
        raise Refused(409, "over")
    if table.decider != viewer:
        return {"reasons": [{"what": text, "reason": said("not_your_turn", language), "cites": []}]}
    decision = table.state.decision
    if any(str(option).lower() == text.lower() for option in decision.options):
        return {"reasons": [{"what": text, "reason": said("offered", language), "cites": list(decision.cites)}]}
    refusal = decision.why_not(text)
    if refusal is not None:
        below = _values(table, text, viewer)
        reason = {"what": text, "reason": refusal.reason, "cites": list(refusal.cites), "values": below}
        return {"reasons": [reason]}
    return {"reasons": [{"what": text, "reason": said("not_offered", language), "cites": list(decision.cites)}]}


def _target(target: Any) -> str:
    """A label, or a thing of the scene `{kind, id, name}`."""
    if isinstance(target, dict):
        target = target.get("name") or target.get("id")
    if not isinstance(target, str) or not target.strip() or len(target) > LONGEST_LABEL:
        raise Refused(400, "bad_request", why="`target` is a label, or {kind, id, name}")
    return target.strip()


def _values(table: GameTable, text: str, viewer: int) -> list[str]:
    """The values on which a condition rests. They are worked out from the files of the rules, so only while those are
    the rules of the table."""
    if fingerprint_of(table.game.asked, table.game.players) != table.game.fingerprint:
        return []
    try:
        told = why(table.game, table.state, text, viewer).told
    except (RulesetError, PlayError):
        return []
    return [line.strip() for line in told.lines()[1:]]
