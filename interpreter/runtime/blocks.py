"""A block of `together` as one step: what others did in it, from its first question to the first one behind it.

    together p in players
      choose one "What do you do?"
        "Attack"
          p.plan = 1
          choose n in 1..2 secretly "How hard?"
          p.force = n
        "Hide"
          p.plan = 2

Nobody sees who is asked what in there, nor how often. A rival who hid was asked once, and in another world twice. So
its single steps cannot be run again one by one: each would have to lead to the same decision as in the true game. The
block is played through as a whole instead: the player's own choices are as they were, and those of the others are drawn
one after the other among what they are offered (`Block.chosen_anew`). What they chose, in order, is the *tape*.

A set of numbers or spaces that somebody picks secretly is such a block by itself, inside `together` or not: nothing can
be added to the last of four spaces, so how often its player is asked depends on what is picked.

Blocks in which pieces move unseen or chance falls are taken decision by decision; there the epochs say what may differ.
In every world the others take the branches of such a block that they took in the true game. If something unseen remains
of that, worlds are marked as approximate (`UNEVEN`). So they are where a piece that somebody chose there decides
whether that player is asked something else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from .determinise import Generator
from .facts import Naming
from .faults import Ended
from .meta import PASS, Meta
from .questions import asked_again, binds_pieces
from .steps import NONE_SUCH_TROUBLE, AtBlock, OneBlock, Step
from .trail import ASKED, BEGUN, CLOSED, FELL, OPENED, SHOWN, TOOK, WROTE, Event, is_opening

BLOCK = 22  # an event of stories only: (BLOCK, first snapshot, (player, option) of each choice)

UNEVEN = 23  # the same: such a block begins or ends (UNEVEN, whether it ends)
PASSED = 25  # the same: somebody else was silently asked and passed (PASSED, snapshot)

_PASS = (TOOK, PASS)

Choose = Callable[[Sequence[int]], int | None]


@dataclass
class Block(Step):
    choices: tuple[tuple[int, int], ...] = ()  # who chose what, in order

    def _wanted(self, renamings: Sequence[Naming], shifts: Sequence[Any]) -> Any:
        return self._tape(shifts)

    def _tape(self, shifts: Sequence[Any]) -> tuple[int, ...]:
        assert self.choice is not None
        drawn = shifts[self.choice.index] if self.choice.index >= 0 else 0
        return drawn if isinstance(drawn, tuple) else tuple(x for who, x in self.choices if who != self.player)

    def _plays(self, T: Any, wanted: Any, old: Sequence[int]) -> bool:
        tape = list(wanted)

        def next_one(options: Sequence[int]) -> int | None:
            return tape.pop(0) if tape and tape[0] in options else None

        return self._follow(T, next_one) and not tape and self._passes_over(T)

    def _follow(self, T: Any, choose: Choose) -> bool:
        """Plays the block; True if everybody could make these choices, the player the same ones as in the game."""
        own = [option for who, option in self.choices if who == self.player]
        is_opening_here = is_opening(self.snapshot)
        if not (self._runs(T) if is_opening_here else asked_again(T)[0]):
            return False
        is_set, site = not self.snapshot.together and not is_opening_here, self.snapshot.site
        is_begun = False
        while not T.over and (T.together or (is_set and (not is_begun or (T.site == site and T.picked)))):
            is_begun = True
            if T.who != self.player:
                option = choose(T.opts)
            else:
                option = own.pop(0) if own and own[0] in T.opts else None
            if option is None:
                return False
            T.machine.take(T, option)
            if not self._runs(T):
                return False
        return not own

    def _code(self, machine: Any) -> list[Any]:
        """The others choose among the options of each question."""
        code: list[Any] = machine.again["CODE"]
        return code

    # ------------------------------------------------------------------ for walks

    def is_offered_alike(self, one: Any, other: Any) -> bool:
        return False

    def ways(self, question: Any, renamings: Sequence[Naming], shifts: Sequence[Any]) -> int:
        tape, counts = list(self._tape(shifts)), [1]

        def next_one(options: Sequence[int]) -> int | None:
            counts.append(len(options))
            return tape.pop(0) if tape and tape[0] in options else None

        self._played(renamings, shifts, next_one)
        return prod(counts)

    def chosen_anew(
        self, question: Any, renamings: Sequence[Naming], shifts: Sequence[Any], generator: Generator
    ) -> tuple[Any, int] | None:
        tape: list[int] = []
        counts = [1]

        def any_one(options: Sequence[int]) -> int | None:
            counts.append(len(options))
            tape.append(options[generator.below(len(options))])
            return tape[-1]

        if not self._played(renamings, shifts, any_one):
            return None
        return tuple(tape), prod(counts)

    def _played(self, renamings: Sequence[Naming], shifts: Sequence[Any], choose: Choose) -> bool:
        try:
            return self._follow(self._begun(renamings, shifts), choose)
        except (Ended, AtBlock):
            return True
        except NONE_SUCH_TROUBLE:
            return False

    def _begun(self, renamings: Sequence[Naming], shifts: Sequence[Any]) -> Any:
        T = super()._begun(renamings, shifts)
        if T.apart is not None and is_opening(self.snapshot):
            T.apart = OneBlock(T.apart)
        return T


# ---------------------------------------------------------------------------- blocks in a trail


def with_blocks(trail: list[Event], meta: Meta, player: int) -> list[Event]:
    """The trail in which each block with several ways for the others is one question, or is marked if it cannot be
    one."""
    if not (meta.works_out or meta.uneven_blocks):
        return trail
    trail = _without_marks(trail, meta)
    found: list[Event] = []
    position = 0
    while position < len(trail):
        if meta.works_out and is_unseen_set(trail[position], meta, player):
            end = _end_of_set(trail, position)
            found += _as_one_set(trail[position:end])
            position = end
            continue
        end = _end_of_block(trail, position)
        block = [event for event in trail[position:end] if event[0] != CLOSED]
        has_ways = len(block) > 1 and any(_has_ways(event, meta, player) for event in block)
        is_pure = has_ways and _is_pure(block, meta)
        is_uneven = len(block) > 1 and ((has_ways and meta.uneven_blocks) or meta.turning_blocks)
        if is_uneven:
            found.append((UNEVEN, False))
        if is_pure and meta.works_out:
            found.append((BLOCK, block[0][1], _choices(block)))
            found += [event for event in block if event[0] == WROTE]
        else:
            found += block
        if is_uneven:
            found.append((UNEVEN, True))
        position = end
    return _with_passes(found, meta, player) if meta.works_out else found


def _with_passes(trail: list[Event], meta: Meta, player: int) -> list[Event]:
    """The trail in which a silent question to somebody else who passed is no decision: nobody has noticed it. In some
    worlds it was not asked, in others more was asked, so no step may begin or end there (`Step._passes_over`)."""
    if not any(site.silent for site in meta.sites):
        return trail
    found: list[Event] = []
    for event in trail:
        if event == _PASS and found and _is_silent_question(found[-1], meta, player):
            found[-1] = found[-1][1].answers.setdefault("passed", (PASSED, found[-1][1]))
        else:
            found.append(event)
    return found


def _is_silent_question(event: Event, meta: Meta, player: int) -> bool:
    if event[0] != ASKED or event[1].who == player or event[1].together:
        return False
    return bool(meta.sites[event[1].site].silent)


def _without_marks(trail: list[Event], meta: Meta) -> list[Event]:
    """The trail without the marks where blocks begin. A block in which a secret decides who is asked is one question
    already: in the game perhaps nobody was asked, and nothing else says that there was a block."""
    found: list[Event] = []
    opened: list[int] = []
    for event in trail:
        if event[0] == OPENED:
            opened = [len(found)]
            found.append(event)
        elif event[0] == CLOSED:
            (first,), opened = opened, []
            found[first:] = [*_closed(found[first][1], found[first + 1 :], meta), event]
        else:
            found.append(event)
    return [event for event in found if event[0] != OPENED]  # of a block that is not over


def _closed(snapshot: Any, block: list[Event], meta: Meta) -> list[Event]:
    """A block from its beginning to its end."""
    is_silent = any(event[0] in (ASKED, FELL) and meta.sites[event[1].site].silent for event in block)
    if not (meta.asking_blocks or is_silent):
        return block
    if _is_pure([event for event in block if event[0] != SHOWN], meta):
        return [(BLOCK, snapshot, _choices(block)), *[event for event in block if event[0] in (SHOWN, WROTE)]]
    return [(UNEVEN, False), *block, (UNEVEN, True)] if meta.asking_blocks else block


def _choices(block: list[Event]) -> tuple[tuple[int, int], ...]:
    """Who chose what, in order."""
    asked = [event[1].who for event in block if event[0] == ASKED]
    taken = [event[1] for event in block if event[0] == TOOK]
    return tuple(zip(asked, taken, strict=True))


def is_unseen_set(event: Event, meta: Meta, player: int) -> bool:
    """Whether somebody else is asked for the first or a further pick of a set of numbers that nobody sees, outside
    `together`."""
    if event[0] != ASKED or event[1].who == player or event[1].together:
        return False
    site = meta.sites[event[1].site]
    return site.kind == "set" and site.secret and not binds_pieces(site)


def _end_of_set(trail: list[Event], position: int) -> int:
    """The position of the first decision behind the set that is picked here."""
    site = trail[position][1].site
    for end in range(position + 1, len(trail)):
        event = trail[end]
        if event[0] == ASKED and not (event[1].site == site and event[2]):
            return end
    return len(trail)


def decisions_before(trail: list[Event]) -> list[Any]:
    """For each event the snapshot of the decision before it, or None."""
    found: list[Any] = []
    last: Any = None
    for event in trail:
        last = event[1] if event[0] in (ASKED, BEGUN, BLOCK, PASSED) else last
        found.append(last)
    return found


def _as_one_set(events: list[Event]) -> list[Event]:
    """The set as one question, and what happened behind its last pick. One that is not complete yet stays as it is."""
    first, taken = events[0][1], [event[1] for event in events if event[0] == TOOK]
    if len(taken) < sum(event[0] == ASKED for event in events):
        return events
    last = max(position for position, event in enumerate(events) if event[0] == TOOK)
    behind = [event for event in events[last + 1 :] if event[0] != FELL or event[1].site != first.site]
    return [(BLOCK, first, tuple((first.who, option) for option in taken)), *behind]


def _end_of_block(trail: list[Event], position: int) -> int:
    """The position behind the block that begins here; behind this event alone, if none begins or it is not over."""
    if not _is_inside(trail[position]):
        return position + 1
    for end in range(position + 1, len(trail)):
        # What is shown or moved behind the block, before anybody decides, is no part of it.
        if trail[end][0] == CLOSED:
            return end + 1
        if trail[end][0] == ASKED and not _is_inside(trail[end]):
            return end
    return position + 1


def _is_inside(event: Event) -> bool:
    return bool(event[0] == ASKED and event[1].together)


def _is_pure(block: list[Event], meta: Meta) -> bool:
    """True if the block does nothing but let players choose numbers, and write them."""
    sites = [meta.sites[event[1].site] for event in block if event[0] == ASKED]
    kinds = {event[0] for event in block}
    return kinds <= {ASKED, TOOK, FELL, WROTE} and not any(binds_pieces(site) or site.kind == "pay" for site in sites)


def _has_ways(event: Event, meta: Meta, player: int) -> bool:
    if event[0] != ASKED or event[1].who == player:
        return False
    site = meta.sites[event[1].site]
    # How often somebody is asked for a set depends on what is picked: the last of four spaces leaves nothing to add.
    return len(site.branches) > 1 or site.may_pass or (site.kind == "set" and not binds_pieces(site))
