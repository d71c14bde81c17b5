"""A state with its pieces renamed, quickly.

`determinise.apply_identities` says what that means, in the most obvious way: every field, place, frame and option is
gone through. Worlds are drawn by the hundred, and a draw exchanges a few cards. So here it is worked out once for each
game where the name of a piece can stand at all, and for each draw only the pieces that change their names are looked
at. Tests compare the two.
"""

from __future__ import annotations

from typing import Any

from .determinise import Generator, apply_identities, over_pieces, renamed_mixes, renamed_option
from .meta import FieldMeta, Meta, PlaceMeta
from .names import element_of
from .views import elements

Block = tuple[int, int, int, int]  # where it begins, first piece, how many pieces, how many numbers for each


class Renaming:
    """Where the names of pieces stand in the states of a game."""

    def __init__(self, meta: Meta) -> None:
        self.meta = meta
        # A place or field indexed by pieces that are not its owners is rare; it is left to the obvious way.
        self.is_simple = all(map(_is_owned, meta.fields)) and all(map(_is_owned, meta.places))
        self.names = [(one.base, one.base + elements(one.dimensions)) for one in meta.fields if one.thing == "piece"]
        self.blocks = [_block(one) for one in meta.fields if over_pieces(one)]
        self.carried = [_block(one) for one in meta.places if over_pieces(one)]
        self.slots = {routine: _slots_of(things, "piece") for routine, things in meta.slot_things.items()}
        self.sets = {routine: _slots_of(things, "set:piece") for routine, things in meta.slot_things.items()}
        self.naming = {routine: (*slots, *self.sets[routine]) for routine, slots in self.slots.items()}  # both of them
        self.offered = [
            any(element_of(thing) in ("piece", "row") for _, domains, _ in site.branches for thing, _, _ in domains)
            for site in meta.sites
        ]

    def apply(self, S: Any, drawn: Any, new: list[int], with_options: bool = True) -> None:
        """Writes into `drawn`, a copy of S, what S says with each piece x called new[x]. Without its options if they
        are about to be asked for: there may be hundreds."""
        if not self.is_simple:
            apply_identities(S, drawn, self.meta, new)
            return
        changed = [piece for piece, name in enumerate(new) if name != piece]
        if not changed:
            return
        for block in self.blocks:
            self._move_block(S.f, drawn.f, block, changed, new)
        for first, last in self.names:
            drawn.f[first:last] = [new[value] if value >= 0 else value for value in drawn.f[first:last]]
        if self.carried:
            self._carry(S, drawn, changed, new)
        else:
            self._exchange(S, drawn, changed, new)
        if S.fd:
            drawn.fd = _faces(S.fd, changed, new)
        self._rename_stack(S, drawn, new, with_options)
        if drawn.kn is not None:
            drawn.kn = [renamed_mixes(mixes, new) for mixes in S.kn]

    def _rename_stack(self, S: Any, drawn: Any, new: list[int], with_options: bool) -> None:
        """The locals of the rules at work, and the options of the pending decision."""
        meta = self.meta
        for frame in drawn.k:
            routine = meta.segment_routine[frame[0]]
            for slot in self.slots.get(routine, ()):
                if slot < len(frame):
                    frame[slot] = _renamed(frame[slot], new)
            for slot in self.sets.get(routine, ()):
                # A set that was not worked out yet is 0 until then: no set, and no piece either.
                if slot < len(frame) and isinstance(frame[slot], tuple):
                    frame[slot] = _renamed(frame[slot], new)
        if with_options and S.opts and S.site is not None and 0 <= S.site < len(meta.sites) and self.offered[S.site]:
            drawn.opts = [renamed_option(meta.sites[S.site], option, new) for option in S.opts]

    def _exchange(self, S: Any, drawn: Any, changed: list[int], new: list[int]) -> None:
        """No piece carries anything: places stay, and other pieces lie there."""
        lists, unordered = self.meta.lists, self.meta.unordered
        touched: set[int] = set()
        for piece in changed:
            name, place = new[piece], S.at[piece]
            drawn.at[name] = place
            if place >= lists:
                drawn.f[place - lists] = name
            elif place >= 0:
                touched.add(place)
        for place in touched:
            called = [new[piece] for piece in S.p[place]]
            if unordered[place]:
                called.sort()
            drawn.p[place] = called

    def _move_block(self, true: list[int], drawn: list[int], block: Block, changed: list[int], new: list[int]) -> None:
        """The fields of a piece go with its name. Fields that no piece comes to own get their start values."""
        base, low, count, each = block
        own = [piece for piece in changed if low <= piece < low + count]
        for piece in own:
            first = base + (piece - low) * each
            drawn[first : first + each] = self.meta.start[first : first + each]
        for piece in own:
            name = new[piece]
            if low <= name < low + count:
                source, target = base + (piece - low) * each, base + (name - low) * each
                drawn[target : target + each] = true[source : source + each]

    def _carry(self, S: Any, drawn: Any, changed: list[int], new: list[int]) -> None:
        """What lies on a piece goes with it, so places change their numbers too."""
        goes_to: dict[int, int] = {}
        for base, low, count, each in self.carried:
            for piece in changed:
                if low <= piece < low + count:
                    first, name = base + (piece - low) * each, new[piece]
                    there = base + (name - low) * each if low <= name < low + count else first
                    for step in range(each):
                        goes_to[first + step] = there + step
        lists, unordered = self.meta.lists, self.meta.unordered
        sources = {place for piece in changed if (place := S.at[piece]) >= 0}
        sources.update(place for place in goes_to if (S.p[place] if place < lists else S.f[place - lists] >= 0))
        for place in goes_to:
            if place < lists:
                drawn.p[place] = []
            else:
                drawn.f[place - lists] = -1
        for piece in changed:
            drawn.at[new[piece]] = S.at[piece]  # right for pieces in the box; the others are set below
        for place in sources:
            target = goes_to.get(place, place)
            if place >= lists:
                drawn.f[target - lists] = name = new[S.f[place - lists]]
                drawn.at[name] = target
                continue
            called = [new[piece] for piece in S.p[place]]
            if unordered[place]:
                called.sort()
            drawn.p[target] = called
            for name in called:
                drawn.at[name] = target


def _is_owned(declared: FieldMeta | PlaceMeta) -> bool:
    """Whether pieces are an index only as owners."""
    return not any(thing == "piece" for thing, _, _ in declared.dimensions[1:])


def _block(declared: FieldMeta | PlaceMeta) -> Block:
    _, low, count = declared.dimensions[0]
    return declared.base, low, count, elements(declared.dimensions[1:])


def _slots_of(things: tuple[str, ...], wanted: str) -> tuple[int, ...]:
    """The positions in a frame of the slots that hold such things."""
    return tuple(number for number, thing in enumerate(things, start=1) if thing == wanted)


def _renamed(value: Any, new: list[int]) -> Any:
    """A local that holds a piece, a set of pieces, or nothing."""
    if isinstance(value, tuple):
        return tuple([new[piece] if piece >= 0 else piece for piece in value])
    return new[value] if isinstance(value, int) and value >= 0 else value


def _faces(down: int, changed: list[int], new: list[int]) -> int:
    """Which pieces lie face down, by their new names: that is a matter of the position."""
    found = down
    for piece in changed:
        found &= ~(1 << piece)
    for piece in changed:
        if down >> piece & 1:
            found |= 1 << new[piece]
    return found


# ---------------------------------------------------------------------------- dealing


def dealt(group: list[int], new: list[int], generator: Generator) -> None:
    """Shuffles the names at these positions among them (Fisher-Yates from the last one down). Names are taken in
    their own order, not in the order in which they lie, so that the same seed draws the same world whatever the true
    one is."""
    below = generator.below
    names = sorted([new[piece] for piece in group])
    for last in range(len(names) - 1, 0, -1):
        other = below(last + 1)
        names[last], names[other] = names[other], names[last]
    for piece, name in zip(group, names, strict=True):
        new[piece] = name
