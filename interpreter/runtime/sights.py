"""What a player saw between two decisions, where the next decision does not show it any more.

    draw 1 from deck to p.hand
    q.noted = sum(c.rank for c in q.hand)
    move all c in q.hand to p.hand

Before anybody is asked p holds two cards, and the view shows both. But p has seen which of them came from the deck, and
so which number q has noted: worlds know it (`story` goes by each single sight), and the key of information must have it
too. Otherwise two states of one key would have different worlds.

A sight is a piece that a player got to see, with the place it came from and the place it came to. Most of them can be
read off the next decision: the cards of `draw 3 from deck to p.hand` lie in the hand. They get no line in the key. It
has one only if the player has lost sight of such a piece since, or if cards with the same back have come to one place
from several, or before and after something that all were told.

Of several pieces that came from one place to the same other place the order is left out. `draw 2 from deck to p.hand`
is one act, and a deal in rounds comes to the same: thirteen cards would have 13! keys.
"""

from __future__ import annotations

from typing import Any

from . import knowledge

Sight = tuple[int, int, int, int]  # how many things all were told before it; from where, to where, which piece
Sights = tuple[Sight, ...]


def line_of(sights: Sights, state: Any, player: int) -> list[Any] | None:
    """What a key has of these sights at the next decision: `["sights", [[told, from, to, rows], …]]`, or nothing."""
    if not sights or (_still_seen(sights, state, player) and _came_together(sights, state)):
        return None
    groups: dict[tuple[int, int, int], list[int]] = {}
    first = sights[0][0]
    for told, source, place, piece in sights:
        groups.setdefault((told - first, source, place), []).append(state.meta.piece_row[piece])
    return ["sights", [[*where, sorted(rows)] for where, rows in sorted(groups.items())]]


def _still_seen(sights: Sights, state: Any, player: int) -> bool:
    """Whether the player knows of all these pieces that they lie where they were seen. It must not turn on where they
    truly lie: whether there is a line would tell."""
    return all(
        knowledge.is_known(state, state.meta, piece, player) and state.at[piece] == place
        for _, _, place, piece in sights
    )


def _came_together(sights: Sights, state: Any) -> bool:
    """Whether pieces that look alike from behind came to each place in one way only."""
    ways: dict[tuple[int, int], tuple[int, int]] = {}
    for told, source, place, piece in sights:
        if ways.setdefault((place, state.meta.piece_back[piece]), (told, source)) != (told, source):
            return False
    return True
