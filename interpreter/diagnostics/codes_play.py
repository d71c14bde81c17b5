"""Codes of the family R07: dead ends, R09: run time. One entry a code; `codes.py` gathers them."""

from __future__ import annotations

from .entry import Code

CODES: dict[str, Code] = {
    "R0750": Code(
        "never used",
        "A field that no rule reads or writes.",
        "each player\n  coins: 0..99        # and no rule speaks of coins",
        "each player\n  coins: 0..99\n…\ngain 2 coins",
    ),
    "R0751": Code(
        "written and never read",
        "No rule reads this field, and nobody can see it: writing it does nothing.",
        "luck: 0..9 hidden\n…\nluck = 3",
        "luck: 0..9 hidden\n…\nluck = 3\nif public(luck > 2)",
    ),
    "R0752": Code(
        "never filled",
        "No rule puts anything into this place.",
        "market: pool of Card open        # and nothing goes there",
        "draw 3 from deck to market",
    ),
    "R0753": Code(
        "never emptied",
        "Nothing is ever taken out of this place, and no rule or player looks into it.",
        "grave: pile of Card hidden\n…\nmove c to grave",
        "move c to box",
    ),
    "R0754": Code(
        "a chart never read",
        "No rule asks this chart.",
        "chart price(n: 1..3): 0..9 = 1, 2, 4",
        "pay price(n) coins",
    ),
    "R0755": Code(
        "a currency never paid",
        "No rule pays in this currency.",
        "currency fruit for p\n  p.apples",
        "pay 2 fruit",
    ),
    "R0756": Code(
        "an enum never used",
        "Nothing has values of this enum.",
        "enum Colour = red | blue",
        "each player\n  colour: Colour = red",
    ),
    "R0757": Code(
        "a rule nobody calls",
        "No rule, hook, table cell or score calls this rule.",
        "effect cheer(p)        # and nobody calls it",
        "cheer(p)",
    ),
}
