"""A whole state drawn at random that agrees with all that one player knows.

If the mixes of the player say all there is to say, the identities of each mix are dealt anew, and that is that
(`determinise`). If something was told on the way, what a world must agree with is the player's *story* (`story`), and
the true game is one that agrees. So the draw starts from the truth and walks: in each step two pieces are exchanged
from one moment at which they were out of sight to another such moment (or to now), or a number that the player does
not see gets another value, if everything seen and told in between would have been the same. Every step may be
taken back with the same chance, so after enough steps each world that agrees comes up as often as any other, and
nothing is left of the truth.

Some worlds cannot be reached by single exchanges (three cards that must go round), so a step may be up to three
exchanges, judged together. The first steps rename everything at once, which is the whole way if nothing is in the way.

The cost is bounded: so many steps for each piece and number unknown, and no more. That the walk is long enough is
measured against brute force in the tests. Where there is so much unknown that the bound cuts the walk short, a piece
or number may be left that was never changed and was not even tried as often as in a walk of full length: then the
world says so (`TOO_SHORT`).
"""

from __future__ import annotations

from math import prod
from typing import Any

from . import knowledge
from .determinise import Generator, apply_identities, draw_identities
from .facts import Fact, Naming
from .meta import Meta
from .story import Story, Unknown, story_of

_STEPS = 40  # of a walk, and more for each thing unknown and each epoch
_STEPS_PER_UNKNOWN = 8
_STEPS_PER_EPOCH = 2
_MOST_STEPS = 700
_LEAPS = 4
_MOST_BELOW = 1 << 31
TOO_SHORT = "too much is unknown: some of it may be as in the game"
WORKED_OUT = "a number was worked out from what the player may not know; it is drawn by itself"


def draw_world(S: Any, meta: Meta, player: int, generator: Generator) -> Any:
    """A copy of the state with all that the player cannot know drawn anew."""
    story = story_of(S, meta, player)
    too_short = False
    if story.is_plain:
        new = draw_identities(S, meta, player, generator)
        for unknown in story.unknowns:
            redraw(S, unknown, generator)
    else:
        walk = Walk(S, meta, player, story, generator)
        walk.go()
        new = walk.names_now()
        plain = draw_identities(S, meta, player, generator)
        for piece in range(meta.pieces):
            if piece not in story.tied:
                new[piece] = plain[piece]
        too_short = walk.is_too_short
    drawn = S.clone()
    if too_short:
        drawn.approximate = (*drawn.approximate, TOO_SHORT)
    if any(piece != old for old, piece in enumerate(new)):
        apply_identities(S, drawn, meta, new)
        drawn.kn[player] = S.kn[player]
    for unknown in story.unknowns:
        drawn.f[unknown.offset] += unknown.shift
    if any(unknown.guessed for unknown in story.unknowns):
        drawn.approximate = (*drawn.approximate, WORKED_OUT)
    return drawn


def redraw(S: Any, unknown: Unknown, generator: Generator) -> bool:
    """Another value for a number; says whether it stays in its range with all that was added since."""
    shift = unknown.values[generator.below(len(unknown.values))] - unknown.true
    held = [S.f[unknown.offset], *(fact.snapshot.f[unknown.offset] for fact in unknown.facts)]
    fits = shift == 0 or unknown.low <= min(held) + shift <= max(held) + shift <= unknown.high
    if fits:
        put_back(unknown, shift)
    return fits


def put_back(unknown: Unknown, shift: int) -> None:
    """The value that a number had before."""
    unknown.shift = shift
    for fact in unknown.facts:
        if shift:
            fact.values[unknown.offset] = fact.snapshot.f[unknown.offset] + shift
        else:
            fact.values.pop(unknown.offset, None)


class Walk:
    """Worlds one after the other, each agreeing with the story. It begins with the truth."""

    def __init__(self, S: Any, meta: Meta, player: int, story: Story, generator: Generator) -> None:
        self.S, self.meta, self.player, self.story, self.generator = S, meta, player, story, generator
        count = meta.pieces
        self.namings = [Naming(list(range(count)), list(range(count))) for _ in story.epochs]
        self.mixed = [frozenset(epoch.mixed) for epoch in story.epochs]
        self.starts = [(number, piece) for number, epoch in enumerate(story.epochs) for piece in epoch.mixed]
        self.kind, self.row = meta.piece_kind, meta.piece_row
        # Other kinds have nowhere to keep what a piece carries or has to its name.
        self.keeps_kind = "piece" in {one.owner for one in meta.fields} | {one.owner for one in meta.places}
        self.copies: dict[int, int] = {}  # of an epoch that begins with a choice: equal copies of what was chosen
        if len(set(meta.piece_row)) <= meta.pieces:
            choices = [n for n, epoch in enumerate(story.epochs) if epoch.by_choice]
            rows = [[meta.piece_row[piece] for piece in story.epochs[n].mixed] for n in choices]
            self.copies = {n: own.count(own[0]) for n, own in zip(choices, rows, strict=True)}
        self.seen = [frozenset(epoch.seen) for epoch in story.epochs]
        closed = [frozenset(epoch.mixed) if epoch.closed else None for epoch in story.epochs]
        self.closed = [*closed[1:], None]  # by the epoch before
        self.read = [_readers(epoch.facts) for epoch in story.epochs]
        self.tried = [0] * count  # how often each piece was part of a step; more than enough once it was exchanged
        self.is_too_short = False

    def go(self) -> None:
        leapt = any(self._leap() for _ in range(_LEAPS))  # no further than the first that succeeds
        numbers = len(self.story.unknowns)
        unknown = (
            sum(not knowledge.is_known(self.S, self.meta, piece, self.player) for piece in self.story.tied) + numbers
        )
        steps = _STEPS + _STEPS_PER_UNKNOWN * unknown + _STEPS_PER_EPOCH * len(self.story.epochs)
        for _ in range(min(steps, _MOST_STEPS)):
            if numbers and (not self.starts or self.generator.below(unknown) < numbers):
                self._redraw()
            elif self.starts:
                self._step()
        self.is_too_short = steps > _MOST_STEPS and not leapt and self._is_left_over()

    def _is_left_over(self) -> bool:
        """Whether something that may be otherwise was never changed, nor tried as often as each thing should be."""
        enough = _STEPS_PER_UNKNOWN
        movable = {piece for _, piece in self.starts if not knowledge.is_known(self.S, self.meta, piece, self.player)}
        if any(self.tried[piece] < enough for piece in movable):
            return True
        return any(unknown.tried < enough for unknown in self.story.unknowns)

    def _redraw(self) -> None:
        """Another value for one or two numbers; they stay if the story is as it was."""
        below, unknowns = self.generator.below, self.story.unknowns
        chosen = [unknowns[below(len(unknowns))] for _ in range(1 + below(2))]
        before = [(unknown, unknown.shift) for unknown in chosen]
        for unknown in chosen:
            unknown.tried += 1
        fits = min(redraw(self.S, unknown, self.generator) for unknown in chosen)  # all are redrawn
        if not fits or not all(fact.holds(self.namings) for unknown in chosen for fact in unknown.facts):
            for unknown, shift in reversed(before):
                put_back(unknown, shift)
        else:
            for unknown in chosen:
                unknown.tried = _STEPS_PER_UNKNOWN

    def names_now(self) -> list[int]:
        """The last renaming, such that every position has a piece of its own mix.

        The walk may have exchanged equal copies, or pieces that lie in the same unordered place: the table is the
        same, but the numbers would say otherwise what the player knows. A number must not tell what cannot be seen.
        """
        now, mixes, S, meta = self.namings[-1], self.S.kn[self.player], self.S, self.meta
        stray = [piece for piece in sorted(self.story.tied) if mixes[now.new[piece]] != mixes[piece]]
        for by_place in (True, False):
            for piece in stray:
                here = now.new[piece]
                if mixes[here] == mixes[piece]:
                    continue
                for other in stray:
                    there = now.new[other]
                    if mixes[there] != mixes[piece] or mixes[other] == mixes[there]:
                        continue
                    place = S.at[piece]
                    together = place == S.at[other] and 0 <= place < meta.lists and meta.unordered[place]
                    if together if by_place else meta.piece_row[here] == meta.piece_row[there]:
                        now.exchange(here, there)
                        break
        for piece in stray:
            self._bring_home(piece, stray)
        return now.new

    def _bring_home(self, piece: int, stray: list[int]) -> None:
        """A known piece of an unordered place lies elsewhere, and an equal copy in that place stands for it, at another
        position: the two trade places, and what lay at the known one's position goes to that of the copy."""
        now, mixes, S, meta = self.namings[-1], self.S.kn[self.player], self.S, self.meta
        here, place = now.new[piece], S.at[piece]
        if mixes[here] == mixes[piece] or not (0 <= place < meta.lists and meta.unordered[place]):
            return
        for other in stray:
            home = now.new[other]
            if mixes[home] != mixes[piece] or mixes[other] == mixes[home]:
                continue
            for beside in S.p[place]:
                copy = now.new[beside]
                is_equal = copy != home and meta.piece_row[copy] == meta.piece_row[home]
                if is_equal and mixes[here] == mixes[beside] and mixes[copy] == mixes[other]:
                    now.exchange(here, copy)
                    now.exchange(copy, home)
                    return

    # ------------------------------------------------------------------ steps

    def _leap(self) -> bool:
        """Everything renamed at once, in all epochs alike."""
        new = draw_identities(self.S, self.meta, self.player, self.generator)
        before = self.namings
        shifts = [(unknown, unknown.shift) for unknown in self.story.unknowns]
        fits = min((redraw(self.S, unknown, self.generator) for unknown in self.story.unknowns), default=True)
        new = [name if piece in self.story.tied else piece for piece, name in enumerate(new)]
        self.namings = [_renamed(naming, new) for naming in before]
        agrees = fits and self._sees_the_same([(0, len(self.namings), 0, 0)])
        agrees = agrees and all(fact.holds(self.namings) for fact in self.story.facts)
        agrees = agrees and self._is_as_likely(0, len(self.namings))
        if not agrees:
            self.namings = before
            for unknown, shift in shifts:
                put_back(unknown, shift)
        return agrees

    def _step(self) -> None:
        """One to three exchanges; they stay if the story is as it was."""
        below = self.generator.below
        made: list[tuple[int, int, int, int]] = []
        asked: dict[int, Fact] = {}
        agrees = True
        for _ in range((1, 1, 2, 3)[below(4)]):
            exchange = self._any_exchange()
            if exchange is None:
                continue
            made.append(exchange)
            self.tried[exchange[2]] += 1
            self.tried[exchange[3]] += 1
            if not self._exchange(*exchange, asked):
                agrees = False  # go on: another exchange may mend it
        if not made:
            return
        agrees = agrees or self._sees_the_same(made)
        agrees = agrees and all(fact.holds(self.namings) for fact in asked.values())
        if not agrees or not self._is_as_likely(min(one[0] for one in made), max(one[1] for one in made)):
            for first, last, one, other in reversed(made):
                for naming in self.namings[first:last]:
                    naming.exchange(one, other)
        else:
            for _, _, one, other in made:
                self.tried[one] = self.tried[other] = _STEPS_PER_UNKNOWN

    def _is_as_likely(self, first: int, last: int) -> bool:
        """Whether a step is taken that agrees: less often, if it leads to more equal copies where one was chosen.

        A player who has two kings chooses between a king and a queen, not between two kings and a queen. The walk tells
        the kings apart, so a world with several equal copies would come up too often.
        """
        now: dict[int, int] = {}
        for number in range(first, last):
            if number in self.copies:
                new, mixed = self.namings[number].new, self.story.epochs[number].mixed
                own = self.row[new[mixed[0]]]
                now[number] = sum([self.row[new[piece]] == own for piece in mixed])
        before, after = prod([self.copies[number] for number in now]), prod(now.values())
        if after >= _MOST_BELOW:  # the generator gives 32 bits: over many choices the numbers of copies get larger
            before, after = before * _MOST_BELOW // after, _MOST_BELOW
        if before < after and self.generator.below(after) >= before:
            return False
        self.copies |= now
        return True

    def _any_exchange(self) -> tuple[int, int, int, int] | None:
        """(first epoch, first epoch after, a piece, another): both out of sight at the beginning and at the end."""
        below = self.generator.below
        first, piece = self.starts[below(len(self.starts))]
        mixed = self.story.epochs[first].mixed
        other = mixed[below(len(mixed))]
        if self.row[other] == self.row[piece] and below(4):
            other = mixed[below(len(mixed))]  # equal copies are seldom worth an exchange
        if other == piece or (self.keeps_kind and self.kind[other] != self.kind[piece]):
            return None
        new = self.namings[first].new
        a, b = new[piece], new[other]
        ends = [len(self.namings)]
        for number in range(first + 1, len(self.namings)):
            old, mixed_then = self.namings[number - 1].old, self.mixed[number]
            if old[a] in mixed_then and old[b] in mixed_then:
                ends.append(number)
        return first, ends[below(len(ends))], a, b

    def _exchange(self, first: int, last: int, a: int, b: int, asked: dict[int, Fact]) -> bool:
        """Exchanges two pieces in these epochs; adds the facts to be asked again; says whether all seen is the same."""
        row = self.meta.piece_row
        same = True
        for number in range(first, last):
            naming = self.namings[number]
            x, y = naming.old[a], naming.old[b]
            naming.exchange(a, b)
            seen, read = self.seen[number], self.read[number]
            if same and (closed := self.closed[number]) is not None and (x in closed) != (y in closed):
                same = row[a] == row[b]
            if seen and same:
                same = not ((x in seen and row[b] != row[x]) or (y in seen and row[a] != row[y]))
            if read:
                for fact in read.get(x, ()):
                    asked[id(fact)] = fact
                for fact in read.get(y, ()):
                    asked[id(fact)] = fact
        return same

    def _sees_the_same(self, made: list[tuple[int, int, int, int]]) -> bool:
        row = self.meta.piece_row
        first, last = min(one[0] for one in made), max(one[1] for one in made)
        for number in range(first, last):
            new, closed = self.namings[number].new, self.closed[number]
            if any(row[new[piece]] != row[piece] for piece in self.seen[number]):
                return False
            if closed is not None and sorted(row[new[piece]] for piece in closed) != sorted(row[x] for x in closed):
                return False
        return True


def _renamed(naming: Naming, by: list[int]) -> Naming:
    new = [by[piece] for piece in naming.new]
    old = [0] * len(new)
    for piece, name in enumerate(new):
        old[name] = piece
    return Naming(new, old)


def _readers(facts: list[Fact]) -> dict[int, list[Fact]]:
    """The facts of an epoch by the pieces they may turn on."""
    found: dict[int, list[Fact]] = {}
    for fact in facts:
        for piece in fact.pieces:
            found.setdefault(piece, []).append(fact)
    return found
