"""Who sits where: colour, sign, score and what belongs to a seat."""

from __future__ import annotations

from ...runtime.faults import Fault
from .colours import ink_on, seat_sign
from .drawing import Data, Drawing

SCORE_FIELDS = ("vp", "score", "points", "victory_points")


def seats_of(drawing: Drawing) -> list[Data]:
    scores = _scores(drawing)
    return [_seat(drawing, seat, scores) for seat in range(drawing.meta.players)]


def _scores(drawing: Drawing) -> list[int] | None:
    """The scores at the end of a game; None while it lasts, and if the rules fail to work them out."""
    if not drawing.state.over or not drawing.meta.score_blocks:
        return None
    try:
        return list(drawing.state.scores)
    except Fault:
        return None


def score_field(drawing: Drawing) -> str | None:
    """The counter that stands in the heading of a seat."""
    said = drawing.declared.presentation.score
    names = {field.id for field in drawing.declared.plain_fields("player") if len(field.dimensions) == 1}
    if said is not None:
        return str(said) if said in names else None
    return next((name for name in SCORE_FIELDS if name in names), None)


def _worn(drawing: Drawing, seat: int) -> Data | None:
    """The counter whose value gives a seat its colour and its title: a clan, a house. None before it is known."""
    counter = drawing.counters.get(f"p{seat}.{drawing.declared.presentation.seats_like}")
    return counter if counter is not None and "tint" in counter else None


def _seat(drawing: Drawing, seat: int, scores: list[int] | None) -> Data:
    meta, worn = drawing.meta, _worn(drawing, seat)
    colour = worn["tint"] if worn is not None else drawing.declared.seat_colours[seat]
    head = score_field(drawing)
    counters = [c["id"] for c in drawing.counters.values() if c["seat"] == seat and c is not worn]
    score = drawing.counters.get(f"p{seat}.{head}", {}).get("value") if head else None
    if scores is not None:
        score = scores[seat]
    return {
        "id": f"p{seat}",
        "seat": seat,
        "name": meta.seat_names[seat],
        "title": worn["value"] if worn is not None else drawing.declared.seat_title(seat),
        "colour": colour,
        "ink": ink_on(colour),
        "sign": seat_sign(seat),
        "score": score,
        "score_counter": f"p{seat}.{head}" if head else None,
        "counters": [own for own in counters if own != f"p{seat}.{head}"],
        "areas": [],
        "is_me": seat == drawing.player,
        "is_automa": seat in meta.automas,
        "is_out": seat in drawing.state.gone,
    }
