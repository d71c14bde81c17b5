"""Colours for drawings: seats, values, kinds.

A name that is a colour (a seat called `yellow`, a value `red`) is drawn in that colour; words for terrain have their
usual colour (`sand`, `water`); everything else gets the next colour of a palette of distinct colours.
"""

from __future__ import annotations

_NAMED = {
    "red": "#d64541",
    "blue": "#3a78c2",
    "green": "#4c9f50",
    "yellow": "#e8bf28",
    "purple": "#8a56ac",
    "orange": "#e8862e",
    "pink": "#e48bb0",
    "brown": "#8d6748",
    "black": "#3b3b3b",
    "white": "#ffffff",
    "grey": "#9a9a9a",
    "gray": "#9a9a9a",
    "cyan": "#3bb3c3",
    "turquoise": "#3bb3a2",
    "violet": "#8a56ac",
    "gold": "#d9a520",
    "silver": "#b8bcc2",
}
_GROUND = {
    "sand": "#efdca6",
    "desert": "#ecd08f",
    "beach": "#efdca6",
    "grass": "#b9d98a",
    "meadow": "#b9d98a",
    "field": "#dcd67c",
    "forest": "#7fb27a",
    "wood": "#7fb27a",
    "mountain": "#b7b0a8",
    "rock": "#b7b0a8",
    "stone": "#c2beb8",
    "hill": "#cda977",
    "water": "#9cc8e6",
    "sea": "#8dbde0",
    "lake": "#a8d0ea",
    "ice": "#d6ecf5",
    "snow": "#eef3f6",
    "swamp": "#9fae86",
    "flower": "#efb7cd",
    "lava": "#e58b6a",
}
_SEATS = ("#d64541", "#3a78c2", "#4c9f50", "#e8bf28", "#8a56ac", "#e8862e", "#3bb3a2", "#8d6748")
_PALE = ("#e9dcc3", "#cfe0ee", "#d9ead3", "#f3e3b5", "#e3d6ee", "#f6d9c4", "#d2ebe6", "#ead3da")
NEUTRAL = "#8f8a80"


def seat_colour(number: int, name: str) -> str:
    return _NAMED.get(name.lower(), _SEATS[number % len(_SEATS)])


def named_colour(name: str) -> str | None:
    """The colour that a name is the name of."""
    return _NAMED.get(name.lower())


def ground_colour(number: int, name: str) -> str:
    """The pale colour of a value of an enum, to draw other things on."""
    word = name.lower().split("_")[0]
    return _GROUND.get(word) or _NAMED.get(word) or _PALE[number % len(_PALE)]


def kind_colour(number: int) -> str:
    return _PALE[number % len(_PALE)]


def ink_on(colour: str) -> str:
    """Black or white, whichever is easier to read there."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#ffffff" if 0.3 * red + 0.59 * green + 0.11 * blue < 140 else "#222222"
