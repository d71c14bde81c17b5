"""Codes of the family R05: visibility. One entry per code; `codes.py` gathers them."""

from __future__ import annotations

from .entry import Code

CODES: dict[str, Code] = {
    "R0501": Code(
        "visibility given twice",
        "A place or field has exactly one word that says who sees it.",
        "deck: pile of Card open hidden",
        "deck: pile of Card hidden",
    ),
    "R0502": Code(
        "no visibility given",
        "Every place says who sees it; there is no default, because forgetting it is the commonest leak.",
        "deck: pile of Card",
        "deck: pile of Card hidden",
    ),
    "R0503": Code(
        "a secret without an owner",
        "Only what belongs to a player, or to a piece with an attribute `owner: player`, can be secret; only what "
        "belongs to a player can be open to others.",
        "table\n  vault: pool of Card secret",
        "each player\n  vault: pool of Card secret",
    ),
    "R0504": Code(
        "no top to show",
        "Only a pile can be `top open`.",
        "river: row of Card top open",
        "river: row of Card open",
    ),
    "R0511": Code(
        "a decision on what its player may not know",
        "What a decision offers (its sets, conditions, labels and prompt) may depend only on what lies open or is a "
        "secret of the player who decides; otherwise the options would give the secret away. The same goes for "
        "everything that may refuse an option later on: a `requires`, a `pay`, a `lose`, a choice of somebody else "
        "that may find nothing.",
        "p chooses x in market where x.value > (top of deck).value",
        "reveal top of deck\np chooses x in market where x.value > (top of deck).value",
    ),
    "R0512": Code(
        "a public event that depends on a secret",
        "If everybody sees what happens, they learn what decided it. Reveal the secret first, or announce the result "
        "of the test with `public(…)`. Comparing a hidden piece with a known one tells which piece it is; so does "
        "the answer whether a rule can be carried out, with `can` or `if possible`.",
        "if some c in p.hand has c.value == 9\n  gain 1 vp",
        "if public(some c in p.hand has c.value == 9)\n  gain 1 vp",
    ),
    "R0513": Code(
        "a secret in an open field",
        "A field or die that others can see must not be given a value that they may not know.",
        "p.bid = c.value        # bid is open, c is in a secret hand",
        "bid: 0..9 secret\n…\np.bid = c.value",
    ),
    "R0514": Code(
        "a choice among unseen pieces",
        "Pieces in somebody else's hand or in a bag lie in no order, so a player cannot point at one of them. In a row "
        "or a pile a player points at a piece by where it lies: at one at a time, and in the place itself. What the "
        "rules take by what is printed needs to say so: `pick c in p.hand by highest c.rank`.",
        "choose c in rival(p).hand",
        "pick c in rival(p).hand at random",
    ),
    "R0515": Code(
        "a secret told",
        "`say` is read by everybody, `say … to p` by p, and may tell them only what they may know. Titles of phases, "
        "reasons for an end and score lines are read by everybody too, and so is the label of the option that was "
        "taken. Only a piece in a label is named just to those who know it.",
        'say "{p} keeps {c}"        # c is in the secret hand of p',
        'say "you keep {c}" to p',
    ),
    "R0516": Code(
        "players who choose together depend on one another",
        "Players who choose `together` change only their own secret fields and places, and read nothing that "
        "another of them changes. So the order in which they are asked does not matter.",
        "together p in players\n  choose n in 0..3 secretly\n  fame += n",
        "together p in players\n  choose n in 0..3 secretly\n  p.bid = n\nfor p in players\n  reveal p.bid\n "
        " fame += p.bid",
    ),
}
