"""What a player saw between two decisions, where the next decision does not show it any more.

    draw 1 from deck to p.hand
    q.noted = sum(c.rank for c in q.hand)
    move all c in q.hand to p.hand

Before anybody is asked p holds two cards, and the view shows both. But p has seen which of them came from the deck, and
so which number q has noted: worlds know it (`story` goes by each single sight), and the key of information must have it
too. Otherwise two states of one key would have different worlds.

A sight is a piece that a player got to see, with the place it came from and the place it came to. Most of them can be
read off the next decision: the cards of `draw 3 from deck to p.hand` lie in the hand. They get no line in the key. It
has one only if the player has lost sight of such a piece since, or of one like it that lay there before, or if cards
with the same back have come to one place from several, or before and after something that all were told. A card that
came without a sight counts too: where all others are in sight, the last one is known before it comes. A number that was
revealed and written again before anybody was asked (`reveal p.bid`, `p.bid += 1`) is a sight as well.

Of several pieces that came from one place to the same other place the order is left out. `draw 2 from deck to p.hand`
is one act, and a deal in rounds comes to the same: thirteen cards would have 13! keys.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from . import knowledge

# How many things all were told before it; from where, to where, which piece. Of a number: `NUMBER`, offset, value.
Sight = tuple[int, int, int, int]
Sights = tuple[Sight, ...]
NUMBER = -2


# The decision that the player noticed last, None at the beginning of the game, UNKNOWN in a world.
Before = Any
UNKNOWN = "unknown"


def line_of(sights: Sights, before: Before, state: Any, player: int) -> list[Any] | None:
    """What a key has of these sights at the next decision: `["sights", [[told, from, to, rows], …]]`, or nothing. For a
    number it is `[told, -2, offset, [value]]`."""
    pieces = [sight for sight in sights if sight[1] != NUMBER]
    is_whole = before == UNKNOWN or not _came_unseen(pieces, before, state, player)
    if is_whole and _still_seen(pieces, before, state, player) and _came_together(pieces, state):
        pieces = []
    numbers = [sight for sight in sights if sight[1] == NUMBER and not state.shown.get(sight[2], 0) >> player & 1]
    if not pieces and not numbers:
        return None
    groups: dict[tuple[int, int, int], list[int]] = {}
    first = sights[0][0]
    for told, source, place, piece in pieces:
        groups.setdefault((told - first, source, place), []).append(state.meta.piece_row[piece])
    for told, _, offset, value in numbers:
        groups.setdefault((told - first, NUMBER, offset), []).append(value)
    return ["sights", [[*where, sorted(rows)] for where, rows in sorted(groups.items())]]


def _still_seen(sights: list[Sight], before: Before, state: Any, player: int) -> bool:
    """Whether the player knows of all these pieces that they lie where they were seen. It must not turn on where they
    truly lie, nor on which of several equal copies it is: whether there is a line would tell. So copies are counted: a
    seven that was shuffled back and drawn again has been seen twice, whichever of the sevens came. Those that lay there
    before count too: who has a seven and gets another one for it cannot read that off the hand."""
    places = _places(sights)
    seen = Counter((place, state.meta.piece_row[piece]) for _, _, place, piece in sights)
    if before not in (None, UNKNOWN):
        known = _known_at(places, before, player)
        seen += Counter({where: known[where] for where in seen})
    return seen <= _known_at(places, state, player)


def _came_unseen(sights: list[Sight], before: Before, state: Any, player: int) -> bool:
    """Whether a piece that the player knew already, or does not know one by one, has come to the same place or lies
    there, and looks like one of these from behind: which of them was seen is then not to be read off the place. A view
    may name all that lies in a bag, and not which of it was shown."""
    meta, places = state.meta, _places(sights)
    seen = {(place, meta.piece_back[piece]) for _, _, place, piece in sights}
    came = Counter((place, meta.piece_row[piece]) for _, _, place, piece in sights)
    if before is not None:
        came += _known_at(places, before, player)
    others = _known_at(places, state, player) - came
    if any((place, meta.piece_back[meta.row_pieces[row][0]]) in seen for place, row in others):
        return True
    return any(
        (place, meta.piece_back[piece]) in seen and not knowledge.is_known(state, meta, piece, player)
        for place in places
        if not meta.places[meta.place_of[place]].uncounted  # nobody else knows whether something lies there
        for piece in knowledge.contents(state, meta, place)
    )


def _places(sights: list[Sight]) -> set[int]:
    return {place for _, _, place, _ in sights} - {knowledge.BOX}


def _known_at(places: set[int], state: Any, player: int) -> Counter[tuple[int, int]]:
    """What the player knows to lie there, as (place, row)."""
    meta = state.meta
    return Counter(
        (place, meta.piece_row[piece])
        for place in places
        for piece in knowledge.contents(state, meta, place)
        if knowledge.is_known(state, meta, piece, player)
    )


def _came_together(sights: list[Sight], state: Any) -> bool:
    """Whether pieces that look alike from behind came to each place in one way only."""
    ways: dict[tuple[int, int], tuple[int, int]] = {}
    for told, source, place, piece in sights:
        if ways.setdefault((place, state.meta.piece_back[piece]), (told, source)) != (told, source):
            return False
    return True
