"""The built-in set of symbols, and which of them a declared name suggests."""

from __future__ import annotations

from .presentation import Presentation

SYMBOLS = (
    "bolt", "horn", "ladder", "flag", "star", "heart", "coin", "cube", "person", "leaf", "flower", "grass", "mountain",
    "sand", "water", "crown", "card", "die", "hand", "bag", "clock", "house", "tree", "shield", "skull", "dot",
)  # fmt: skip
_SUGGESTED = {
    "bolt": ("energy", "power", "electricity"),
    "horn": ("megaphone", "megaphones", "horn"),
    "ladder": ("ladder", "ladders"),
    "flag": ("flag", "flags", "flyer", "flyers"),
    "star": ("vp", "score", "points", "victory_points", "fame", "star", "stars"),
    "heart": ("health", "life", "lives", "hp", "wounds"),
    "coin": ("coin", "coins", "money", "gold", "dollars", "cash", "credits"),
    "cube": ("cube", "cubes", "resources", "stone", "brick", "ore"),
    "person": ("workers", "worker", "fans", "people", "population", "meeple"),
    "leaf": ("food", "fruit", "fruits", "grain", "wheat"),
    "tree": ("wood", "trees", "timber"),
    "shield": ("armour", "armor", "shield", "shields", "defence", "defense"),
    "skull": ("damage", "dead", "corruption", "curse"),
    "crown": ("crown", "crowns", "prestige", "influence", "glory"),
    "clock": ("time", "round", "turn", "season", "day", "turns_taken"),
    "house": ("house", "houses", "buildings"),
    "card": ("cards",),
    "water": ("water",),
}


def symbol_for(name: str, presentation: Presentation) -> str | None:
    said = presentation.symbol(name)
    return said or next((symbol for symbol, words in _SUGGESTED.items() if name in words), None)
