"""Colours and signs of seats and values.

A seat has a colour and a shape, so that colour is never the only mark. A seat or a value that is called by the name of
a colour takes that colour; terrain words have their usual pale colour; everything else takes the next of a palette.
"""

from __future__ import annotations

SIGNS = ("circle", "diamond", "triangle", "square", "cross", "ring")
SEATS = ("#f4b400", "#7a48b8", "#0b7f74", "#c93f56", "#2f6fd0", "#8a5a2b")
NAMED = {
    "red": "#d0342c",
    "blue": "#2d6fd2",
    "green": "#258a3d",
    "yellow": "#f4b400",
    "purple": "#7a48b8",
    "violet": "#7a48b8",
    "orange": "#e07b1a",
    "pink": "#d95f97",
    "brown": "#8a5a2b",
    "black": "#2b2a28",
    "white": "#f4f2ec",
    "grey": "#8b8881",
    "gray": "#8b8881",
    "cyan": "#1f97ab",
    "turquoise": "#0b7f74",
    "teal": "#0b7f74",
    "gold": "#c99a1c",
    "silver": "#a9adb3",
}
GROUND = {
    "sand": "#f4e4bd",
    "desert": "#f0dca4",
    "beach": "#f4e4bd",
    "grass": "#d6e8c8",
    "meadow": "#d6e8c8",
    "plain": "#e3ebcd",
    "pasture": "#d6e8c8",
    "jungle": "#a9cfa4",
    "field": "#ece5a8",
    "forest": "#b4d3ae",
    "wood": "#b4d3ae",
    "mountain": "#d5d6da",
    "rock": "#d5d6da",
    "stone": "#d9d6d0",
    "hill": "#e4cfae",
    "water": "#bfdcf0",
    "sea": "#b2d3ec",
    "ocean": "#a9cdea",
    "river": "#bfdcf0",
    "lake": "#c6e0f2",
    "ice": "#e0f0f6",
    "snow": "#eef3f6",
    "swamp": "#c3cdb3",
    "flower": "#f3d9e7",
    "lava": "#f0b7a2",
    "heart": "#fbdfda",
    "diamond": "#fbdfda",
    "spade": "#dfe3ea",
    "club": "#dfe3ea",
}
PALE = ("#fbdfda", "#dcebf9", "#ddefd9", "#fdeac4", "#eae0f6", "#fbe2cd", "#d8efea", "#f5dde6", "#e8e6e0")
STRONG = ("#b5543c", "#3f78b5", "#4d8f4c", "#a8801c", "#7d5aa6", "#c0722e", "#2f8f83", "#a44a6c", "#6d685e")
NEUTRAL = "#8b8881"


def named_colour(word: str) -> str | None:
    """The colour that a name, or one of its words, is the name of: `red`, `red_clan`."""
    for part in word.lower().replace("_", " ").split():
        if part in NAMED:
            return NAMED[part]
    return None


def seat_colours(names: tuple[str, ...]) -> tuple[str, ...]:
    """A colour for each seat, all different: named ones first, then the palette without what is taken."""
    taken = {colour for name in names if (colour := named_colour(name)) is not None}
    free = [colour for colour in SEATS if colour not in taken]
    found = []
    for name in names:
        own = named_colour(name)
        if own is None or own in found:
            own = free.pop(0) if free else NEUTRAL
        found.append(own)
    return tuple(found)


def seat_sign(seat: int) -> str:
    return SIGNS[seat % len(SIGNS)]


def ground_colour(position: int, word: str) -> str:
    """A pale colour to draw other things on; what is called by a colour has that colour."""
    for part in word.lower().split("_"):
        found = GROUND.get(part) or GROUND.get(part.removesuffix("s"))
        if found:
            return found
    return NAMED.get(word.lower()) or PALE[position % len(PALE)]


def strong_colour(position: int, word: str) -> str:
    return named_colour(word) or STRONG[position % len(STRONG)]


def ink_on(colour: str) -> str:
    """Dark or white, whichever is easier to read there."""
    red, green, blue = (_linear(int(colour[place : place + 2], 16) / 255) for place in (1, 3, 5))
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#ffffff" if 1.05 / (light + 0.05) >= (light + 0.05) / 0.0581 else "#1d1b17"


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
