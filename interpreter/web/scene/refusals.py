"""Why something is not offered: asked for when somebody points at it, or wants to see all of it.

The pending decision goes over certain things (`a in Area`, `s in edges(a)`); those that it does not offer have a reason
with its clause. Reasons are found by asking conditions one by one and then by trial, which takes time, so a scene
itself only says how many things there are.
"""

from __future__ import annotations

from typing import Any

from ...runtime.reading_texts import Budget, Spent
from ...runtime.reasons import Left, Refusal, not_offered, not_offered_of, refusal_of
from ...runtime.sight import Sight
from ...runtime.spots import bound_by
from .counters import add_counters, add_dice
from .decision import thing_id
from .declarations import declarations_of
from .drawing import Data, Drawing
from .languages import in_words_of
from .places import add_places
from .presentation import Presentation, presentation_of
from .untold import labels_of

MOST_OF_ONE = 60  # refusals that are told of one thing
LOOKED_AT = 20_000  # what a decision may go over for them
MOST = 400  # things that are looked at; a decision that goes over more says nothing of those it leaves out


def refused_count(drawing: Drawing) -> Data | None:
    """How many things the decision goes over and does not offer."""
    plain = _plain(drawing.state)
    left = not_offered(plain, plain.meta.sites[plain.site], MOST)
    return None if left is None or not left else {"count": len(left), "by_reason": []}


def why(
    game: Any,
    state: Any,
    player: int | None,
    target: Any = None,
    *,
    language: str | None = None,
    names: tuple[str, ...] | None = None,
    presentation: Presentation | None = None,
) -> Data:
    """Why `target` is not offered to a player: `{"id": …}` of a thing in the scene, the text of a label, or None for
    everything that is not offered. `kind` of the answer: `refused` (with reasons), `offered`, `not_yours` (somebody
    else decides, or nobody), `unknown` (nothing of this decision)."""
    looks = presentation if presentation is not None else presentation_of(game)
    game, spoken = in_words_of(game, state, language, names)
    if spoken.over or player is None or spoken.who != player:
        return _answer("not_yours")
    plain = _plain(spoken)
    drawing = Drawing(game, plain, player, declarations_of(game, looks), Sight(plain, player))
    add_places(drawing)
    add_counters(drawing)
    add_dice(drawing)
    if isinstance(target, str):
        return _of_label(drawing, target)
    own = target.get("id") if isinstance(target, dict) else None
    site = plain.meta.sites[plain.site]
    if own is None:
        wanted = not_offered(plain, site, MOST) or []
    else:

        def is_about(branch: int, values: tuple[int, ...]) -> bool:
            return own in _ids(drawing, Left(branch, values, ""))

        wanted = not_offered_of(plain, site, is_about, MOST_OF_ONE, LOOKED_AT)
    if own is not None and not wanted:
        return _answer("offered" if _is_offered(drawing, own) else "unknown", cites=list(plain.decision.cites))
    return _answer("refused", _by_reason(drawing, wanted), len(wanted))


def _answer(kind: str, reasons: list[Data] | None = None, count: int = 0, cites: list[str] | None = None) -> Data:
    return {"kind": kind, "count": count, "by_reason": reasons or [], "cites": cites or []}


def _plain(state: Any) -> Any:
    return state.in_python() if hasattr(state, "in_python") else state


def _of_label(drawing: Drawing, text: str) -> Data:
    decision = drawing.state.decision
    labels, untold = labels_of(decision)
    if text.lower() in (label.lower() for label, _ in labels):
        return _answer("offered", cites=list(decision.cites))
    refusal = decision.why_not(text) if untold is None else None
    if refusal is None:
        return _answer("unknown", cites=list(decision.cites))
    return _answer("refused", [_reason(refusal, [{"id": None, "name": text}])], 1)


def _by_reason(drawing: Drawing, left: list[Left]) -> list[Data]:
    """The things under their reasons, those with most things first."""
    site = drawing.meta.sites[drawing.state.site]
    found: dict[tuple[str, tuple[str, ...]], list[Data]] = {}
    budget = Budget()
    for one in left:
        try:
            refusal = refusal_of(drawing.state, site, one, budget)
        except Spent:
            break  # what is found by then has its reasons
        found.setdefault((refusal.reason, refusal.cites), []).append(_thing(drawing, one))
    made = [{"reason": reason, "cites": list(cites), "things": things} for (reason, cites), things in found.items()]
    return sorted(made, key=lambda one: -len(one["things"]))


def _reason(refusal: Refusal, things: list[Data]) -> Data:
    return {"reason": refusal.reason, "cites": list(refusal.cites), "things": things}


def _thing(drawing: Drawing, left: Left) -> Data:
    ids = _ids(drawing, left)
    return {"id": ids[-1] if ids else None, "name": left.label}


def _ids(drawing: Drawing, left: Left) -> list[str]:
    domains = drawing.meta.sites[drawing.state.site].branches[left.branch][1]
    found = [thing_id(drawing, thing, value, {}) for (thing, _, _), value in zip(domains, left.values, strict=True)]
    return [own for own in found if own is not None]


def _is_offered(drawing: Drawing, own: str) -> bool:
    site = drawing.meta.sites[drawing.state.site]
    for raw in drawing.state.opts:
        found = bound_by(drawing.state, site, raw)
        if found is not None and own in _ids(drawing, Left(found[0], found[1], "")):
            return True
    return False
