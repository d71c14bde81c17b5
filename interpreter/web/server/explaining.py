"""Why something is not offered, for the seat that has to decide."""

from __future__ import annotations

from typing import Any

from . import questions
from .asking import ask
from .game_table import GameTable
from .sight import names_at, player_of
from .words import Refused, said

LONGEST_LABEL = 300
_WORDS = {"not_yours": "not_your_turn", "offered": "offered", "unknown": "not_offered", "refused": "not_offered"}


def reasons_for(table: GameTable, viewer: int, asked: dict[str, Any], language: str) -> dict[str, Any]:
    """The reasons why the target of a question is not on offer; without a target, why anything is not."""
    if viewer == table.spectator:
        raise Refused(403, "need_seat")
    number = asked.get("position")
    if type(number) is int and number != table.number(viewer):  # a question changes nothing: a late one is no mistake
        return {"kind": "stale", "words": said("stale", language), "count": 0, "reasons": []}
    table.require_number(viewer, number)
    target = _target(asked.get("target"))
    player = player_of(table, viewer) if table.is_asked(viewer) else None
    told = ask(questions.reasons, table.state_for(viewer), player, target, language, names_at(table, language))
    reasons = [
        {"what": thing["name"], "id": thing["id"], "reason": group["reason"], "cites": group["cites"]}
        for group in told["by_reason"]
        for thing in group["things"]
    ]
    words = said(_WORDS[told["kind"]], language)
    if not reasons and target is not None:
        name = target if isinstance(target, str) else target.get("name") or target["id"]
        own = None if isinstance(target, str) else target["id"]
        reasons = [{"what": name, "id": own, "reason": words, "cites": told["cites"]}]
    return {"kind": told["kind"], "words": words, "count": told["count"], "reasons": reasons}


def _target(target: Any) -> Any:
    """A label, a thing of the scene `{kind, id, name}`, or None for everything."""
    if target is None:
        return None
    if isinstance(target, dict):
        if not _is_short(target.get("id")) or not _is_short(target.get("name", "x") or "x"):
            raise Refused(400, "bad_request", why="`target` is a label, or {kind, id, name}")
        return target
    if not _is_short(target):
        raise Refused(400, "bad_request", why="`target` is a label, or {kind, id, name}")
    return target.strip()


def _is_short(text: Any) -> bool:
    return isinstance(text, str) and 0 < len(text.strip()) and len(text) <= LONGEST_LABEL
