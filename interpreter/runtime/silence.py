"""Silent questions that nobody was asked.

    q may "Ward it off with {c}" for c in q.hand where c.sort == shield

Whether q is asked tells what q holds. So whoever shows a game to people has to make them wait where q *could* have been
asked, as if q had been. Nothing has to be guessed for that: what happens openly does not turn on a secret (R0512), so
everybody knows that the rules have come to the question; and a tracked state keeps a note of each question that
answered itself (`FELL` in its trail). If q has nothing that others do not see, there is nothing to hide.
"""

from __future__ import annotations

from typing import Any

from .trail import FELL, Chain


def has_silent_questions(meta: Any) -> bool:
    return any(site.silent for site in meta.sites)


def length_of(chain: Chain) -> int:
    """How many events a trail has."""
    length = 0
    while chain:
        chain, length = chain[0], length + 1
    return length


def came_to_silence(state: Any, since: int) -> bool:
    """Whether the rules have come to a silent question since the trail had that many events, without asking it, and
    somebody cannot tell that."""
    chain, sites = state.ev, state.meta.sites
    for _ in range(length_of(chain) - since):
        chain, event = chain
        if event[0] == FELL and sites[event[1].site].silent and _holds_secrets(event[1]):
            return True
    return False


def _holds_secrets(state: Any) -> bool:
    """Whether the player who would have been asked sees something that not everybody sees."""
    meta, own = state.meta, 1 << state.who
    everybody = (1 << meta.players) - 1
    if any(one.visibility == "secret" for one in meta.fields):
        return True
    for piece, place in enumerate(state.at[: meta.pieces]):
        if place < 0 or not meta.sees[place] & own:
            continue
        if meta.sees[place] & everybody != everybody or state.fd >> piece & 1:
            return True
    return False
