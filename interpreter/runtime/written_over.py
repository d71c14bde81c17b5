"""Numbers that the rules wrote over before the player had a look at them.

    pick q in players at random
    q.wolf = yes
    rival(p) may "Howl" if rival(p).bid != 1
      p.wolf = no

Nobody notices a silent question (`Meta.sites`), so p is not told what `p.wolf` was when the rival was asked, and may
have been the wolf or not. Once the rival has howled, a step (`steps`) ends at that question. It must end with what the
player sees as it was in the game, and here that is one number too many: worlds in which it was another one are left
out. They say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .meta import PASS
from .steps import Step
from .trail import ASKED, ROLLED, TOOK, WROTE, events


def is_written_over(S: Any, player: int, steps: Sequence[Step]) -> bool:
    """Whether one of the steps ends unnoticed with a number that the player sees, worked out in it, and is written
    again before the player notices anything."""
    ends = {id(step.end) for step in steps if step.end is not None and not _is_noticed(step.end, player)}
    if not ends:
        return False
    by_chance = {id(step.end) for step in steps if id(step.end) in ends and step.falls}
    hidden = S.machine.unseen_by(player)
    worked_out, unnoticed = set[int](), set[int]()
    asked: Any = None
    acted: list[Any] = []  # the questions at which somebody has done something that the player notices later
    for event in events(S.ev):
        kind = event[0]
        if kind in (ROLLED, WROTE) and event[1] not in hidden:
            if event[1] in unnoticed:
                return True
            if event[3] is not None and len(event[3]) > 1:
                worked_out.add(event[1])
            else:
                worked_out.discard(event[1])
        elif kind == ASKED:
            asked = event[1]
            if _is_noticed(asked, player):
                if any(_differs(one, asked, player) for one in acted):
                    return True
                worked_out, unnoticed, acted = set(), set(), []
        elif kind == TOOK and event[1] != PASS and id(asked) in ends:
            if id(asked) in by_chance:
                if S.meta.sets_open_numbers:
                    return True
                acted.append(asked)
            worked_out, unnoticed = set(), unnoticed | worked_out
    return any(_differs(one, S, player) for one in acted)


def _differs(asked: Any, later: Any, player: int) -> bool:
    """Whether something that the player sees has changed since this question."""
    seen_numbers = asked.machine.seen_numbers
    return bool(seen_numbers(player, asked.f) != seen_numbers(player, later.f))


def _is_noticed(snapshot: Any, player: int) -> bool:
    """Whether the player notices that somebody is asked, or nobody else could write over what the player sees, as
    while all choose together."""
    return bool(snapshot.who == player or snapshot.together or not snapshot.meta.sites[snapshot.site].silent)
