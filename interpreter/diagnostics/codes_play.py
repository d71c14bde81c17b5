"""Codes of the family R07: dead ends, R09: run time. One entry a code; `codes.py` gathers them."""

from __future__ import annotations

from .entry import Code

CODES: dict[str, Code] = {
    "R0701": Code(
        "a dead end",
        "Something must be done in play and cannot be: a choice with nothing to choose, a cost that nobody foresaw. "
        "An option whose dead end can be foreseen is not offered; this one could not be.",
        "roll dice\nchoose c in market where c.value == dice[1].face        # and no such card lies there",
        "roll dice\nchoose c in market where c.value == dice[1].face if possible\n  move c to p.hand",
    ),
    "R0703": Code(
        "an automa is asked",
        "A decision with two or more options reaches a seat that the game itself plays.",
        "seat 2 is automa robot\n…\nchoose c in p.hand        # p may be the robot",
        "instead of discard_one(p) when p == robot\n  pick c in p.hand by lowest c.value\n  move c to discard",
    ),
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
    "R0901": Code(
        "a number out of range",
        "A field would get a number outside its range. The checker could not prove that it fits, so it is tested in play.",
        "round: 1..4\n…\nround += 1        # in the fifth round",
        "if round < 4\n  round += 1",
    ),
    "R0902": Code(
        "a piece moved into itself",
        "A piece would go to a place that it carries itself, or that something it carries has.",
        "move cart to cart.load",
        "move stone to cart.load",
    ),
    "R0903": Code(
        "too many steps without a decision",
        "The rules have gone on for a long time and nobody was asked anything: most likely a loop that does not end.",
        "while deck is not empty\n  draw up to 1 from deck to deck",
        "while deck is not empty\n  draw 1 from deck to discard",
    ),
    "R0904": Code(
        "rules nested too deep",
        "A rule runs inside itself, directly or through others, more often than its depth or the limit of frames allows.",
        "effect answer(p) depth 3        # and a fourth answer to an answer",
        "effect answer(p) depth 10",
    ),
    "R0905": Code(
        "too many options",
        "One decision would offer more options than the limit allows. Take it apart into several.",
        "choose a in Card, b in Card, c in Card",
        "choose 3 c in Card as chosen",
    ),
    "R0906": Code(
        "a game that does not end",
        "The game has had more decisions than the limit allows.",
        "in turn p from first        # and nothing ever ends the game\n  turn(p)",
        "in turn p from first until round > 10\n  turn(p)",
    ),
}
