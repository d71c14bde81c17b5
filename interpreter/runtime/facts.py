"""What a player has learnt of others without seeing it: decisions that were posed, answered or skipped, values told.

A fact keeps the state as it was (a snapshot) and what came of it. Whether it would have come out the same in a world
is found by asking again: the snapshot with its pieces renamed as the world has them runs the very code that ran in
the game. So a condition is never written a second time, and whatever a decision turns on (filters, requirements,
affordability, trials of what follows) is in it.

- `Asked`: somebody else had to decide. There were at least two options (one that is alone is not asked), and what was
  taken was among them. Of a decision that others do not see (`silently`, `together`) only the latter is known.
- `Fell`: a decision answered itself. `if possible` and `otherwise` fall through only if nothing can be chosen.
- `Told`: `public(E)` gave this value.

The answer is kept by what the question looked at (`reading`), since most exchanges lead to a hand that was looked at
before, or touch something that the question never looks at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from .determinise import _renamed
from .faults import Carried, Ended, Refused, Trouble
from .meta import PASS, Meta, SiteMeta
from .names import element_of
from .reading import Watch, watched


class Naming:
    """A renaming of the pieces and its inverse: at the position of piece x a world has `new[x]`."""

    __slots__ = ("new", "old")

    def __init__(self, new: list[int], old: list[int]) -> None:
        self.new, self.old = new, old

    def exchange(self, one: int, other: int) -> None:
        """What a world calls `one` is called `other`, and the other way round."""
        new, old = self.new, self.old
        x, y = old[one], old[other]
        new[x], new[y] = other, one
        old[one], old[other] = y, x


def unseen_places(meta: Meta, S: Any, player: int, decider: int | None) -> list[int]:
    """The pieces in play that the player does not see where they lie, but the decider does (None: any of them)."""
    mine = 1 << player
    theirs = -1 if decider is None else 1 << decider
    sees, down, top_open = meta.sees, S.fd, meta.top_open
    found = []
    for piece, place in enumerate(S.at[: meta.pieces]):
        if place < 0 or (sees[place] & mine and not down >> piece & 1):
            continue
        if decider is None or sees[place] & theirs:
            if place in top_open and S.p[place][0] == piece:
                continue
            found.append(piece)
    return found


@dataclass
class Fact:
    """Common to all: the snapshot, its epoch, the unseen pieces and numbers that it may turn on."""

    snapshot: Any
    epoch: int
    pieces: tuple[int, ...]
    places: tuple[tuple[bool, tuple[int, ...]], ...] = ()  # the same by place: (order does not matter, pieces)
    bound: int = 0  # how many of `places`, the last ones, are pieces that the question speaks of in any case
    numbers: tuple[tuple[int, int], ...] = ()  # (which unknown number of the story, its offset) it may turn on
    player: int = -1
    answers: dict[tuple[int, ...], dict[Any, Any]] = field(default_factory=dict)  # by which of `places` were read
    partner: Fact | None = None  # the fact whose answer depends on another epoch's renaming as well
    watch: Watch | None = None
    failures: int = 0  # how often it did not hold: those that fail often are asked first
    before: Any = None  # the step (`steps`) that led here, if a rule at work holds a number that not all know

    def holds(self, renamings: Sequence[Naming], shifts: Sequence[Any]) -> bool:
        """Whether it would have come out the same. `shifts` says of each unknown number of the story how far the
        world's value is from the true one, and then of each step what comes of it in the world."""
        if self.agrees(self.answer(renamings[self.epoch], shifts), renamings):
            return True
        self.failures += 1  # a count that another thread may miss: it says what to ask first, and nothing else
        return False

    def agrees(self, answer: Any, renamings: Sequence[Naming]) -> bool:
        """Whether an answer of the question is what the player was told."""
        return bool(answer)

    def read_in(self) -> tuple[int, ...]:
        """The epochs whose renamings it turns on."""
        return (self.epoch,)

    def draws(self) -> bool:
        """Whether a world draws numbers in the middle of it."""
        return False

    def with_answers(self, player: int) -> Self:
        """Answers are kept with the snapshot: the next world for this player asks much the same."""
        self.player = player
        self.answers = self.snapshot.answers.setdefault(player, {})
        return self

    def move_to(self, number: dict[int, int]) -> None:
        """Epochs have got other numbers."""
        self.epoch = number[self.epoch]

    def answer(self, naming: Naming, shifts: Sequence[Any]) -> Any:
        """What the question gives in a world. Answers are kept for each set of places that was read."""
        found = self.known_answer(naming, shifts)
        if found is not None:
            return found
        T = self.world(naming, shifts)
        meta, at = T.meta, self.snapshot.at
        noticed = watched(T, self._watch(meta, at))
        found = self.asked_in(T, naming)
        spoken_of = len(self.places) - self.bound
        read = tuple([n for n, (_, x) in enumerate(self.places) if n >= spoken_of or at[x[0]] in noticed])
        self.answers.setdefault(read, {})[self.key(read, naming, shifts)] = found
        return found

    def _watch(self, meta: Meta, at: Sequence[int]) -> Watch:
        """What to watch: the same for all worlds, so it is worked out with the first."""
        if self.watch is None:
            self.watch = Watch(meta, self.player, {at[pieces[0]] for _, pieces in self.places})
        return self.watch

    def known_answer(self, naming: Naming, shifts: Sequence[Any]) -> Any:
        """The answer, if the question was asked before with the same in all that it read; else None."""
        for read, known in tuple(self.answers.items()):  # other threads may add to them
            found = known.get(self.key(read, naming, shifts))
            if found is not None:
                return found
        return None

    def asked_in(self, T: Any, naming: Naming) -> Any:
        """The answer of the question in a world; never None."""
        raise NotImplementedError

    def is_idle(self, shifts: Sequence[Any], truth: Naming) -> bool:
        """Whether the question looks at nothing that a world may have otherwise."""
        if self.numbers or self.before is not None:
            return False
        self.answer(truth, shifts)
        return () in self.answers

    def key(self, read: tuple[int, ...], naming: Naming, shifts: Sequence[Any]) -> Any:
        """What was read, as the world has it: rows in unordered places in any order."""
        row, new = self.snapshot.game.meta.piece_row, naming.new
        found: list[Any] = []
        for number in read:
            loose, pieces = self.places[number]
            rows = [row[new[x]] for x in pieces]
            if loose:
                rows.sort()
            found += rows
        if self.numbers:  # offsets, since the next story may number its unknowns otherwise
            found += [(offset, shifts[number]) for number, offset in self.numbers if shifts[number]]
        if self.before is not None:
            found.append(shifts[self.before.position].frames)
        return tuple(found)

    def world(self, naming: Naming, shifts: Sequence[Any]) -> Any:
        """The snapshot as the world has it."""
        T = self.snapshot.fork()
        T.machine.renaming.apply(self.snapshot, T, naming.new, with_options=False)
        for number, offset in self.numbers:
            T.f[offset] += shifts[number]
        if self.before is not None:
            put_locals(T.meta, T.k, shifts[self.before.position].frames)
        return T


def put_locals(meta: Meta, frames: list[list[Any]], others: Sequence[Sequence[Any]]) -> None:
    """Writes into the frames of a world the unseen numbers that the rules at work hold there."""
    for frame, own in zip(frames, others, strict=True):
        for slot in meta.unseen_slots.get(frame[0], ()):
            frame[slot] = own[slot]


def by_place(meta: Meta, S: Any, pieces: Sequence[int]) -> tuple[tuple[bool, tuple[int, ...]], ...]:
    """Pieces with nothing of their own are told apart in unordered places only by what they are, unless a field or a
    rule at work names one of them: `(q.mark).rank` is not the same for each order of two cards in a hand."""
    named = _named(meta, S)
    own = bool(meta.carriers) and any(carrier >= 0 for carrier in meta.carriers)
    own = own or any(one.owner == "piece" for one in meta.fields)
    places: dict[int, list[int]] = {}
    for piece in pieces:
        places.setdefault(S.at[piece], []).append(piece)
    return tuple(
        (not own and place < meta.lists and meta.unordered[place] and named.isdisjoint(x), tuple(x))
        for place, x in places.items()
    )


def _named(meta: Meta, S: Any) -> set[int]:
    """The pieces that fields and the rules at work name."""
    named: set[int] = set()
    for first, last in S.machine.renaming.names:
        named.update(S.f[first:last])
    for frame in S.k:
        for slot in S.machine.renaming.slots.get(meta.segment_routine[frame[0]], ()):
            if slot < len(frame):
                value = frame[slot]
                named.update(value if isinstance(value, tuple | list) else (value,))
    return named


def is_hidden_choice(site: SiteMeta, S: Any) -> bool:
    """Whether others are not told what is chosen."""
    return bool(site.secret or S.together)


def is_hidden_question(site: SiteMeta, S: Any) -> bool:
    """Whether others are not told that somebody is asked."""
    return bool(site.silent or S.together)


def asked_again(T: Any) -> tuple[bool, Any]:
    """Runs the segment that asks: (True, options) if it poses its decision, (False, what it picks itself) if not."""
    frame = T.k[-1]
    T.steps = 0
    posed = T.machine.fast_code[frame[0]](T, frame)
    return (True, T.opts) if posed else (False, T.pick)


@dataclass
class Asked(Fact):
    option: Any = None
    taken_in: int = -1  # the epoch in which an option was taken, or -1
    # Of an option that binds pieces: its branch, values, and which of them are pieces. Others are told by their number.
    taken: tuple[int, tuple[int, ...], tuple[bool, ...]] | None = None
    many: bool = False
    visible: bool = True

    @staticmethod
    def of(meta: Meta, player: int, S: Any, picked: Any, epoch: int) -> Asked | None:
        site = meta.sites[S.site]
        pieces = unseen_places(meta, S, player, S.who)
        if picked:  # the second and further picks of a set or payment: what was paid is seen, or is not known
            return None
        visible = not is_hidden_question(site, S)
        made = Asked(S, epoch, tuple(pieces), by_place(meta, S, pieces), many=len(S.opts) > 1, visible=visible)
        return made.with_answers(player)

    def alike(self, meta: Meta, player: int, option: Any) -> list[int]:
        """The pieces that the player cannot tell from the chosen one: others in the same unseen place."""
        site, S = meta.sites[self.snapshot.site], self.snapshot
        found: list[int] = []
        for piece in pieces_bound(site, option):
            place = S.at[piece]
            if piece in self.pieces and place >= 0 and (place < meta.lists):
                if meta.unordered[place] or is_hidden_choice(site, S):
                    found += [piece, *(x for x in S.p[place] if meta.piece_back[x] == meta.piece_back[piece])]
        return list(dict.fromkeys(found))

    def takes(self, meta: Meta, player: int, option: Any, epoch: int) -> bool:
        """Keeps what was taken, as far as the player knows it; says whether it is kept."""
        site, S = meta.sites[self.snapshot.site], self.snapshot
        if site.kind in ("set", "pay") or (option == PASS and site.silent):
            return False
        if is_hidden_choice(site, S) and not only_pieces(site, option):
            return False
        self.option, self.taken_in = option, epoch
        found = site.values_of(option)
        if found is not None:
            things = [element_of(thing) in ("piece", "row") for thing, _, _ in site.branches[found[0]][1]]
            if any(things):
                are_pieces = tuple([is_piece and v >= 0 for v, is_piece in zip(found[1], things, strict=True)])
                self.taken = (found[0], found[1], are_pieces)
        return True

    def choice(self) -> Fact:
        """A fact for the epoch in which the option was taken: the same question, asked when that epoch changes."""
        return Taken(self.snapshot, self.taken_in, self.pieces, partner=self)

    def agrees(self, answer: Any, renamings: Sequence[Naming]) -> bool:
        posed, many, options = answer
        if self.visible and (not posed or many != self.many):
            return False
        if self.taken_in < 0:
            return True
        return bool(posed) and self._placed_choice(renamings[self.taken_in].new, renamings[self.epoch].old) in options

    def _placed_choice(self, new: Sequence[int], old: Sequence[int]) -> Any:
        """What was taken as the world has it: its pieces by what they are and where they lay when it was asked."""
        if self.taken is None:
            return self.option
        branch, values, are_pieces = self.taken
        meta = self.snapshot.game.meta
        return branch, tuple(
            [
                _placed(meta, self.snapshot, new[v], old) if is_piece else v
                for v, is_piece in zip(values, are_pieces, strict=True)
            ]
        )

    def read_in(self) -> tuple[int, ...]:
        return (self.epoch, self.taken_in) if self.taken_in >= 0 else (self.epoch,)

    def move_to(self, number: dict[int, int]) -> None:
        super().move_to(number)
        self.taken_in = number.get(self.taken_in, -1)

    def asked_in(self, T: Any, naming: Naming) -> tuple[bool, bool, frozenset[Any]]:
        meta = T.meta
        try:
            posed, options = asked_again(T)
        except (Refused, Trouble, Ended, Carried):
            return (False, False, frozenset())
        if not posed or T.site != self.snapshot.site or T.who != self.snapshot.who:
            return (False, False, frozenset())
        site = meta.sites[T.site]
        binds = [any(element_of(of[0]) in ("piece", "row") for of in domains) for _, domains, _ in site.branches]
        if not any(binds):  # an option without pieces is the same in every world: its number will do
            return (True, len(options) > 1, frozenset(options))
        placed = [one for one in options if one >= 0 and binds[site.branch_of(one)]]
        known = {placed_option(meta, self.snapshot, site, one, naming.old) for one in placed}
        return (True, len(options) > 1, frozenset(known.union(options)))


@dataclass
class Taken(Fact):
    def holds(self, renamings: Sequence[Naming], shifts: Sequence[Any]) -> bool:
        assert self.partner is not None
        return self.partner.holds(renamings, shifts)


@dataclass
class Fell(Fact):
    pick: Any = None

    @staticmethod
    def of(meta: Meta, player: int, S: Any, picked: Any, pick: Any, epoch: int) -> Fell | None:
        site = meta.sites[S.site]
        if picked or is_hidden_question(site, S):
            return None
        pieces = unseen_places(meta, S, player, S.who)
        return Fell(S, epoch, tuple(pieces), by_place(meta, S, pieces), pick=pick).with_answers(player)

    def asked_in(self, T: Any, naming: Naming) -> bool:
        try:
            posed, pick = asked_again(T)
        except (Refused, Trouble, Ended, Carried):
            return False
        return not posed and (pick == self.pick or (pick >= 0) == (self.pick >= 0))


@dataclass
class Told(Fact):
    number: int = 0
    arguments: tuple[Any, ...] = ()
    value: Any = None

    @staticmethod
    def of(meta: Meta, player: int, S: Any, number: int, arguments: tuple[Any, ...], value: Any, epoch: int) -> Told:
        pieces = unseen_places(meta, S, player, None)
        bound = [x for x, thing in zip(arguments, meta.told[number], strict=True) if thing == "piece" and x in pieces]
        places = (*by_place(meta, S, pieces), *((False, (x,)) for x in bound))
        made = Told(S, epoch, tuple(pieces), places, len(bound), number=number, arguments=arguments, value=value)
        return made.with_answers(player)

    def asked_in(self, T: Any, naming: Naming) -> bool:
        try:
            things = T.meta.told[self.number]
            args = [_renamed(x, thing, naming.new) for x, thing in zip(self.arguments, things, strict=True)]
            return bool(T.machine.fast[f"told_{self.number}"](T, *args) == self.value)
        except (Refused, Trouble, Ended, Carried):
            return False


# ---------------------------------------------------------------------------- options


def pieces_bound(site: SiteMeta, option: Any) -> list[int]:
    found = site.values_of(option)
    if found is None:
        return []
    branch, values = found
    things = [thing for thing, _, _ in site.branches[branch][1]]
    return [v for v, t in zip(values, things, strict=False) if element_of(t) in ("piece", "row") and isinstance(v, int)]


def binds_pieces(site: SiteMeta) -> bool:
    """Whether a piece may be part of one of its options."""
    return any(element_of(thing) in ("piece", "row") for _, domains, _ in site.branches for thing, _, _ in domains)


def only_pieces(site: SiteMeta, option: Any) -> bool:
    """Whether the option is nothing but pieces, of the only branch that there is."""
    found = site.values_of(option)
    return found is not None and len(site.branches) == 1 and len(pieces_bound(site, option)) == len(found[1])


def placed_option(meta: Meta, S: Any, site: SiteMeta, option: Any, old: Sequence[int]) -> Any:
    """An option of a world with its pieces told by what they are and where they lie: of equal copies in one place only
    the first is offered, and any of them may be meant."""
    found = site.values_of(option)
    if found is None:
        return option
    branch, values = found
    return branch, tuple(
        _placed(meta, S, v, old) if element_of(thing) in ("piece", "row") and isinstance(v, int) and v >= 0 else v
        for v, (thing, _, _) in zip(values, site.branches[branch][1], strict=False)
    )


def _placed(meta: Meta, S: Any, piece: int, old: Sequence[int]) -> tuple[int, int, int]:
    here = old[piece]
    place = S.at[here]
    ordered = 0 <= place < meta.lists and not meta.unordered[place]
    return meta.piece_row[piece], place, S.p[place].index(here) if ordered else 0
