"""The built-in set of symbols, and which of them a declared name suggests."""

from __future__ import annotations

from .presentation import Presentation

SYMBOLS = (
    "bolt", "horn", "ladder", "flag", "star", "heart", "coin", "cube", "person", "leaf", "flower", "grass", "mountain",
    "sand", "water", "crown", "card", "die", "hand", "bag", "clock", "house", "tree", "shield", "skull", "dot",
    "club", "diamond", "spade",
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
_GOODS = ("coin", "cube", "leaf", "tree")  # what values of enums are called by as well as counters
_MEANT = {  # values of enums: terrain
    "grass": ("plain", "plains", "meadow", "pasture", "field", "fields"),
    "tree": ("forest", "forests", "jungle", "woods", "woodland"),
    "mountain": ("mountains", "hill", "hills", "rock", "rocks"),
    "water": ("sea", "lake", "river", "ocean", "swamp"),
    "sand": ("desert", "beach"),
}


def value_symbol(own_id: str) -> str | None:
    """The symbol of a value of an enum that is called by it (one or several: a suit), or by a word for the same."""
    called = next((word for word in (own_id, own_id.removesuffix("s")) if word in SYMBOLS), None)
    if called is not None:
        return called
    words = (*_MEANT.items(), *((symbol, _SUGGESTED[symbol]) for symbol in _GOODS))
    return next((symbol for symbol, meant in words if own_id in meant), None)


def symbol_for(name: str, presentation: Presentation) -> str | None:
    said = presentation.symbol(name)
    return said or next((symbol for symbol, words in _SUGGESTED.items() if name in words), None)
