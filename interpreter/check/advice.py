"""Help for an unknown name.

The usual help is the nearest known name. Tried first: names that exist but are reached differently (a field of players
written without the player), and words from other languages for something that has its own word here.
"""

from __future__ import annotations

from ..diagnostics.suggest import did_you_mean
from .scope import Body, suggestion
from .value_types import PlaceOf, VType

_CALLED = {
    "len": "write `count(…)`",
    "length": "write `count(…)`",
    "size": "write `count(…)`",
    "number": "write `count(…)`",
    "random": "chance is `roll`, `shuffle`, `draw` from a bag and `pick … at random`",
    "rand": "chance is `roll`, `shuffle`, `draw` from a bag and `pick … at random`",
    "any": "write `some x in … has …`",
    "next_player": "write `next(p)`",
}
_SIZES = ("count", "size", "length", "number", "len")
_MOST_LISTED = 6


def about_unknown(body: Body, text: str, members: tuple[str, ...]) -> str | None:
    """Help with a name that is unknown here."""
    near = _reached_otherwise(body, text) or suggestion(body, text, members) or _missing_parameter(body, text)
    return near if near or members else "declare it under `table` or `each player`, or name it here with `let`"


def about_called(body: Body, text: str, known: tuple[str, ...]) -> str | None:
    """Help with something unknown that is called."""
    return _CALLED.get(text) or suggestion(body, text, known)


def about_attribute(of: VType, text: str, owner: str, known: list[str]) -> str | None:
    """Help with an attribute that a thing does not have; `owner` is how the thing is written."""
    if isinstance(of, PlaceOf):
        if text in _SIZES:
            return f"write `count({owner})`"
        if text == "empty":
            return f"write `{owner} is empty`"
    near = did_you_mean(text, known)
    if near or not 0 < len(known) <= _MOST_LISTED:
        return near
    return f"it has {', '.join(f'`{name}`' for name in known)}"


def _reached_otherwise(body: Body, text: str) -> str | None:
    """`hand` is a field of each player; `suit` an attribute of cards."""
    declared = body.declared
    owners = [owner for owner, fields in declared.state.items() if text in fields and owner != "table"]
    if "player" in owners:
        return f"each player has one: write `{_player_in_scope(body)}.{text}`"
    owners += [kind for kind, attribute in declared.attribute_types if attribute == text]
    return f"each {owners[0]} has one: write `x.{text}`" if owners else None


def _player_in_scope(body: Body) -> str:
    return "p" if body.rule is None or not body.rule.params else body.rule.params[0].name


def _missing_parameter(body: Body, text: str) -> str | None:
    """Help with an unknown single letter: it is meant as a parameter, or as a name bound by a line above."""
    if len(text) > 1:
        return None
    if body.rule is None or body.rule.params or body.rule.form in ("setup", "play"):
        return f"bind it first: `for {text} in …`, `let {text} = …`"
    return f"give the rule a parameter: `{body.rule.name}({text})`"
