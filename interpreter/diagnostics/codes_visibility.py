"""Codes of the family R05: visibility. One entry a code; `codes.py` gathers them."""

from __future__ import annotations

from .entry import Code

CODES: dict[str, Code] = {
    "R0501": Code(
        "seen twice",
        "One word says who sees a place or field.",
        "deck: pile of Card open hidden",
        "deck: pile of Card hidden",
    ),
    "R0502": Code(
        "nobody says who sees it",
        "Every place says who sees it; there is no default, because forgetting it is the commonest leak.",
        "deck: pile of Card",
        "deck: pile of Card hidden",
    ),
    "R0503": Code(
        "a secret of nobody",
        "Only what belongs to a player, or to a piece with an attribute `owner: player`, can be secret.",
        "table\n  vault: pool of Card secret",
        "each player\n  vault: pool of Card secret",
    ),
    "R0504": Code(
        "no top to be seen",
        "`top open` is for piles.",
        "river: row of Card top open",
        "river: row of Card open",
    ),
    "R0511": Code(
        "a decision on what its player may not know",
        "What a decision offers (its sets, conditions, labels and prompt) rests only on what lies open or is "
        "the own secret of the player who decides; else the options would tell. That goes for everything that may "
        "refuse an option further on: a `requires`, a `pay`, a `lose`, a choice of somebody else that may find "
        "nothing.",
        "p chooses x in market where x.value > (top of deck).value",
        "reveal top of deck\np chooses x in market where x.value > (top of deck).value",
    ),
    "R0512": Code(
        "what happens openly turns on a secret",
        "If all see what happens, they learn what decided it. Reveal it before, or tell everybody what it "
        "gives with `public(…)`. Comparing a piece that lies hidden with one known by its face tells which it "
        "is; so does whether a rule could be carried through, with `can` or `if possible`.",
        "if some c in p.hand has c.value == 9\n  gain 1 vp",
        "if public(some c in p.hand has c.value == 9)\n  gain 1 vp",
    ),
    "R0513": Code(
        "a secret in an open field",
        "A field or die that others can see must not take a value that they may not know.",
        "p.bid = c.value        # bid is open, c is in a secret hand",
        "bid: 0..9 secret\n…\np.bid = c.value",
    ),
    "R0514": Code(
        "a choice among unseen pieces",
        "In somebody else's hand, or in a bag, pieces lie in no order: whoever chooses cannot point at one of them.",
        "choose c in rival(p).hand",
        "pick c in rival(p).hand at random",
    ),
    "R0515": Code(
        "a secret told",
        "`say` is read by all, `say … to p` by p: it tells only what they may know. Titles of phases, reasons of an "
        "end and lines of the score are read by all as well, and so is the label of the option that was taken; only a "
        "piece in a label is named to those alone who know it.",
        'say "{p} keeps {c}"        # c is in the secret hand of p',
        'say "you keep {c}" to p',
    ),
    "R0516": Code(
        "together, but not apart",
        "Players who choose `together` change only their own secret fields and places, and read nothing that "
        "another of them changes. So the order in which they are asked does not matter.",
        "together p in players\n  choose n in 0..3 secretly\n  fame += n",
        "together p in players\n  choose n in 0..3 secretly\n  p.bid = n\nfor p in players\n  reveal p.bid\n "
        " fame += p.bid",
    ),
}
