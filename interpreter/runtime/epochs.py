"""Fewer epochs that say the same, and what of each the drawing of worlds has to move.

A trail has an epoch for each moment at which a player loses track of pieces. In a game with a bag that is every draw,
and a game has hundreds. But most of them cannot be told from a neighbour:

    epoch 1: 53 cards out of sight | epoch 2: 52 of these | epoch 3: 51 of these, somebody decides with two of them

Nobody looks at anything between the first and the second, so exchanging 52 cards after all 53 were exchanged gives
nothing that was not there before. `merged` leaves such epochs out. It is exact: each sequence of renamings that remains
stands for equally many of the original ones.

A decision about a hand is a look at the hand as a whole: it is the same in whatever order the cards lie there. So a
card that is chosen from a hand and laid openly needs no epoch either. Which of the cards it was can be settled when the
hand was dealt:

    epoch 1: the hands are dealt | bob decides with his hand | epoch 2: one of the hand is chosen | all see the queen

Exchanging cards of bob's hand in epoch 2 only repeats what the deal did, since nobody has noticed their order in
between.

In what is left, most pieces of an epoch are of one of three sorts, which `Plan` tells apart:

- *pinned*: the next thing that happens at this position is that the player sees it. No exchange can touch it. But which
  of several equal copies it was the player does not see: if a card may have come in or gone out before, a copy may lie
  there, and such a position is moved like others (`copied`).
- *free*: nothing ever looks at this position again until now. Free positions of one epoch are dealt outright when
  the walk is over.
- *alike*: nothing looks at these positions until they are all mixed again. To exchange two of them changes nothing.

The rest is the *core*: the cards in somebody's hand that a fact speaks of. A walk over a core of three cards takes a
fraction of the steps of a walk over a deck of fifty.

Sets of pieces are bit masks here: bit x stands for the position of the true piece x.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .facts import Fact
from .mixes import mask_of, pieces_of


@dataclass
class Epoch:
    """`mixed` are the true pieces whose positions may have been exchanged at its beginning."""

    mixed: tuple[int, ...]
    cut: bool = False
    closed: bool = False  # these were all that there was in their mixes: none came in, none went out
    by_choice: bool = False  # the first of them was chosen, not picked by chance: equal copies are one choice
    seen: list[int] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    mask: int = -1  # of `mixed`

    def __post_init__(self) -> None:
        if self.mask < 0:
            self.mask = mask_of(self.mixed)


def renumber(epochs: list[Epoch], number: dict[int, int]) -> None:
    """Tells facts the new numbers of their epochs; a partner too, which may not be held by any epoch itself."""
    held = [fact for epoch in epochs for fact in epoch.facts]
    asked = [fact.partner for fact in held if fact.partner is not None]
    for fact in {id(fact): fact for fact in (*held, *asked)}.values():
        fact.move_to(number)


# ---------------------------------------------------------------------------- facts that cannot fail


def without_idle_facts(epochs: list[Epoch]) -> None:
    """Leaves out the facts that depend on nothing that differs between worlds: they hold in all of them."""
    movable: list[int] | None = None
    for number, epoch in enumerate(epochs):
        if not epoch.facts:
            continue
        movable = movable or _movable(epochs)
        failing = [fact for fact in epoch.facts if (fact.partner or fact).can_fail()]
        turning = [fact for fact in failing if _turns_on(fact, movable, number)]
        epoch.facts = [fact for fact in turning if not (fact.partner or fact).is_idle()]


def _movable(epochs: list[Epoch]) -> list[int]:
    """For each epoch the positions that may hold another piece than the true one."""
    may_move = [epoch.mask for epoch in epochs]
    seen = [mask_of(epoch.seen) for epoch in epochs]
    pinned = 0
    # Backwards: what the player sees at a position is what lay there ever since it was last mixed.
    for number in range(len(epochs) - 1, -1, -1):
        pinned |= seen[number]
        may_move[number] &= ~pinned
        pinned &= ~epochs[number].mask
    found: list[int] = []
    moved = 0
    # Forwards: a position holds another piece only if one could come to it, from this epoch or an earlier one.
    for epoch, own, shown in zip(epochs, may_move, seen, strict=True):
        mixed = epoch.mask
        changes = own & (own - 1) or moved & mixed  # a single one may still have got what came in before
        moved = ((moved & ~mixed) | (own if changes else 0)) & ~shown
        found.append(moved)
    return found


def _turns_on(fact: Fact, movable: list[int], number: int) -> bool:
    asked = fact.partner or fact
    if asked.numbers or asked.before is not None or asked.draws():
        return True
    read = fact.mask
    return any(read & movable[one] for one in {number, *asked.read_in()})


# ---------------------------------------------------------------------------- merging


def merged(epochs: list[Epoch], is_weighed: Callable[[Epoch], bool]) -> list[Epoch]:
    """The epochs without those that others stand for. `is_weighed`: how often a renaming counts depends on which piece
    comes first in this epoch, so it stands for itself."""
    merging = _Merging(epochs, is_weighed)
    # Leaving one out makes two others neighbours, and one of those may then be left out too.
    while merging.leave_out_backwards() or merging.leave_out_forwards():
        pass
    return merging.finished()


class _Merging:
    """Parallel lists with one entry per remaining epoch. The first epoch mixes nothing and always stays."""

    def __init__(self, epochs: list[Epoch], is_weighed: Callable[[Epoch], bool]) -> None:
        self.epochs = epochs
        self.numbers = [[number] for number in range(len(epochs))]  # the epochs that each one left stands for
        self.left = list(range(len(epochs)))
        self.mixed = [epoch.mask for epoch in epochs]
        self.read = [mask_of(epoch.seen) for epoch in epochs]  # positions that are looked at one by one
        self.loose: list[set[int]] = []  # sets of positions that are looked at as a whole, in any order
        for number, epoch in enumerate(epochs):
            strict, loose = _looked_at(epoch.facts)
            self.read[number] |= strict
            self.loose.append(loose)
        self.first = [1 << epoch.mixed[0] if epoch.mixed and is_weighed(epoch) else 0 for epoch in epochs]
        self.closed = [epoch.closed for epoch in epochs]
        self.whole = self.closed[:]  # whether the pieces of an epoch are the true ones, in whatever order
        for number in range(1, len(epochs)):
            own = self.mixed[number]
            if not any(earlier & own and earlier & ~own for earlier in self.mixed[:number]):
                # No earlier epoch could bring in or take out a piece: this needs no telling.
                self.whole[number], self.closed[number] = True, False

    def leave_out_backwards(self) -> bool:
        """Drops epochs that only do again what an earlier one did; says whether there were any."""
        found = False
        position = 1
        while position < len(self.left):
            earlier = self._done_before(position)
            if earlier is None:
                position += 1
            else:
                self.closed[earlier] |= self.closed[position]
                self._drop(position)
                found = True
        return found

    def _done_before(self, position: int) -> int | None:
        """An earlier epoch that mixes all of this one, with nobody looking at these positions in between."""
        own = self.mixed[position]
        if self.first[position]:
            return None
        for earlier in range(position - 1, 0, -1):
            if self._is_looked_at(earlier, own):
                return None
            there = self.mixed[earlier]
            if not own & ~there:
                fits = not self.first[earlier] & own and self._can_close(earlier, position)
                return earlier if fits else None
            if own & there:
                return None
        return None

    def _is_looked_at(self, position: int, own: int) -> bool:
        """Whether somebody would notice if these positions changed places. Not if all of them lie in one hand, and
        whoever looks at it sees only what is in it."""
        if self.read[position] & own:
            return True
        return any(hand & own and own & ~hand for hand in self.loose[position])

    def _can_close(self, earlier: int, position: int) -> bool:
        """Whether the earlier epoch can say that nothing goes into this one or out of it.

        If all pieces of the earlier one are the true ones, and all but one of them are in this one, then that one is
        what it truly is: as good as seen.
        """
        if not self.closed[position] or self.mixed[position] == self.mixed[earlier]:
            return True
        rest = self.mixed[earlier] & ~self.mixed[position]
        if not self.whole[earlier] or rest & (rest - 1) or rest & self.first[earlier]:
            return False
        self.epochs[self.left[earlier]].seen.append(rest.bit_length() - 1)
        self.read[earlier] |= rest
        self.closed[position] = False
        return True

    def leave_out_forwards(self) -> bool:
        """Drops epochs that a later one does again; says whether there were any."""
        found = False
        position = 1
        while position < len(self.left):
            later = self._done_again(position)
            if later is None:
                position += 1
            else:
                self.closed[later] |= self.closed[position]
                self._drop(position)
                found = True
        return found

    def _done_again(self, position: int) -> int | None:
        """A later epoch that mixes all of this one, with nobody looking at these positions in between."""
        own = self.mixed[position]
        if self.first[position]:
            return None
        for later in range(position + 1, len(self.left)):
            if self._is_looked_at(later - 1, own):
                return None
            there = self.mixed[later]
            if not own & ~there:
                return later if not self.closed[position] or own == there else None
            if own & there:
                return None
        return None

    def _drop(self, position: int) -> None:
        """What was seen and told in an epoch that is left out belongs to the one before."""
        self.read[position - 1] |= self.read[position]
        self.loose[position - 1] |= self.loose[position]
        self.numbers[position - 1] += self.numbers[position]
        columns = (self.left, self.mixed, self.read, self.loose, self.first, self.closed, self.whole, self.numbers)
        for column in columns:
            del column[position]

    def finished(self) -> list[Epoch]:
        kept: list[Epoch] = []
        number: dict[int, int] = {}
        for position, own in enumerate(self.left):
            epoch = self.epochs[own]
            epoch.closed = self.closed[position]
            for other in self.numbers[position]:
                number[other] = position
                if other != own:
                    epoch.seen += self.epochs[other].seen
                    epoch.facts += self.epochs[other].facts
            kept.append(epoch)
        renumber(kept, number)
        return kept


def _looked_at(facts: list[Fact]) -> tuple[int, set[int]]:
    """The positions that facts look at one by one, and the sets of positions that they look at as a whole."""
    strict, loose = 0, set[int]()
    for fact in facts:
        one_by_one, hands = fact.looked_at
        strict |= one_by_one
        loose.update(hands)
    return strict, loose


# ---------------------------------------------------------------------------- what a walk moves


@dataclass
class Plan:
    """What can be exchanged in each epoch; for all of them, where a walk begins and what is dealt when it is over."""

    partners: list[list[int]]  # by epoch: the positions that are not pinned
    starts: list[tuple[int, int]]  # (epoch, position) of the core
    free: list[list[int]]  # positions that are dealt outright, one list for each epoch that has any


def plan_of(epochs: list[Epoch], is_weighed: Callable[[Epoch], bool], copied: int = 0) -> Plan:
    """Sorts the positions of each epoch by what happens next there. `copied`: the pieces of which there are others."""
    partners: list[list[int]] = [[] for _ in epochs]
    starts: list[tuple[int, int]] = []
    free: list[list[int]] = []
    pinned = 0  # positions that are seen next
    after: dict[int, int] = {}  # of other positions: what looks at them next (`_READ`), or mixes them (its epoch)
    for number in range(len(epochs) - 1, 0, -1):
        epoch = epochs[number]
        pinned |= mask_of(epoch.seen)
        for fact in epoch.facts:
            after.update(dict.fromkeys(fact.pieces, _READ))
        seen_alike = pinned & copied if copied & pinned & epoch.mask and _may_be_others(epochs, number) else 0
        after.update(dict.fromkeys(pieces_of(seen_alike & epoch.mask), _READ))
        movable = [piece for piece in epoch.mixed if not (pinned & ~seen_alike) >> piece & 1]
        if len(movable) > 1:
            unread = [piece for piece in movable if piece not in after]
            if is_weighed(epoch) and epoch.mixed[0] in unread:
                unread.remove(epoch.mixed[0])
            free.append(unread)
            partners[number] = movable
            alike = _most_alike(movable, unread, after)
            starts += [(number, piece) for piece in movable if piece not in alike]
        pinned &= ~epoch.mask
        after.update(dict.fromkeys(epoch.mixed, number))
    starts.reverse()
    return Plan(partners, starts, free)


_READ = 0


def _may_be_others(epochs: list[Epoch], number: int) -> bool:
    """Whether an earlier epoch may have brought in pieces that were not among those of this one in the game."""
    own = epochs[number].mask
    return any(epoch.mask & own and epoch.mask & ~own for epoch in epochs[1:number])


def _most_alike(movable: list[int], unread: list[int], after: dict[int, int]) -> set[int]:
    """The largest set of positions that nothing tells apart until they are mixed again, all together, or until now.

    A walk need not begin with one of them: to exchange two of them changes nothing, and the others may be exchanged
    with any of them.
    """
    alike: dict[int, list[int]] = {}
    for piece in movable:
        if after.get(piece, _READ) != _READ:
            alike.setdefault(after[piece], []).append(piece)
    largest = unread
    for positions in alike.values():
        if len(positions) > len(largest):
            largest = positions
    return set(largest)
