"""Pieces that a rule at work has in mind, where a world cannot follow which one it is.

    choose c in p.hand secretly "Of which do you think?"
    rival(p) chooses n in 1..3 "Which?"

A world calls positions by other pieces, and the card that somebody chose unseen with them: any card that the player
does not know may be the one. Not so a card that the player does know. It stays where it lies, so if it lies beside the
one that was chosen, the world in which it was chosen itself never comes up, and the other way round. As long as a rule
keeps the piece in mind, worlds say so. What has gone since is another matter: then the player has lost sight of all
that lay there (`marks` has the same of fields).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .meta import Meta
from .questions import is_hidden_choice, pieces_bound
from .trail import ASKED, SEEN, TOOK


def is_kept_in_mind(S: Any, meta: Meta, player: int) -> bool:
    """Whether a rule at work names a piece that somebody else chose, perhaps one that the player knows."""
    named = set(_named(S, meta))
    chain = S.ev if named else ()
    option: Any = None
    while chain and named:
        chain, event = chain
        kind = event[0]
        if kind == TOOK:
            option = event[1]
        elif kind == SEEN:
            if event[1] == player:
                named.discard(event[2])
        elif kind == ASKED and option is not None:
            asked = event[1]
            chosen = named.intersection(pieces_bound(meta.sites[asked.site], option))
            if any(_may_be_known(S, asked, player, piece) for piece in chosen):
                return True
            named -= chosen
            option = None
    return False


def _named(S: Any, meta: Meta) -> Iterator[int]:
    for frame in S.k:
        for slot in meta.naming_slots.get(frame[0], ()):
            held = frame[slot]
            for piece in held if isinstance(held, tuple | list) else (held,):
                if piece >= 0 and S.at[piece] >= 0:
                    yield piece


def _may_be_known(S: Any, asked: Any, player: int, piece: int) -> bool:
    """Whether the player cannot tell the piece that was chosen at this decision from others, one of which is known."""
    hidden = S.kn[player].hidden
    others = _instead(asked, player, piece)
    return len({S.meta.piece_row[x] for x in others}) > 1 and any(not hidden >> x & 1 for x in others)


def _instead(asked: Any, player: int, piece: int) -> list[int]:
    """The pieces of which this one was chosen, if the player does not see which."""
    meta, site, place = asked.meta, asked.meta.sites[asked.site], asked.at[piece]
    if asked.who == player:
        return []
    if is_hidden_choice(site, asked):
        return [x for option in asked.opts for x in pieces_bound(site, option)]
    is_loose = 0 <= place < meta.lists and meta.unordered[place] and not meta.sees[place] >> player & 1
    return asked.p[place] if is_loose else []


def was_chosen_under_watch(S: Any, meta: Meta, player: int) -> bool:
    """Whether somebody else had one choice right behind a reveal, of closed pieces that this player did not see and one
    that the player watched."""
    chain, option, hidden = S.ev if meta.reveals else (), None, S.kn[player].hidden
    while chain:
        chain, event = chain
        if event[0] == TOOK:
            option = event[1]
        elif event[0] == ASKED and event[1].lit and option is not None:
            asked = event[1]
            for piece in pieces_bound(meta.sites[asked.site], option):
                others = _instead(asked, player, piece) if piece >= 0 else []
                watched = [x for x in others if asked.lit.get(x, 0) >> player & 1]
                if any(meta.equal_copies[x] & ~(1 << x) for x in watched) and any(hidden >> x & 1 for x in others):
                    return True
        elif event[0] == ASKED:
            option = None
    return False
