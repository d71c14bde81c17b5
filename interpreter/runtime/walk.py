"""A walk from the true game to another one that agrees with all that a player has seen.

If something was told on the way, what a world must agree with is the player's *story* (`story`), and the true game is
one that agrees. So a draw starts from the truth and walks: in each step two pieces are exchanged from one moment at
which they were out of sight to another such moment (or to now), or a number that the player does not see gets another
value, if everything seen and told in between would have been the same. Every step may be taken back with the same
chance, so after enough steps each world that agrees comes up as often as any other, and nothing is left of the truth.

Only the core moves (`epochs`): positions that something is known about. Its steps exchange a piece of the core with any
other that was out of sight at the same moment, mostly one of a deck or bag; what lies in there is dealt when the walk
is over.

What somebody chose unseen may follow from what was chosen before it: a thief who began elsewhere has gone elsewhere
since. To change one of these numbers alone would hardly ever agree. So in a step that changes what such a choice was
offered, the choice is made again, among what it is offered then (`_choose_again`). That alone would favour worlds with
few ways to them. A step is taken as often as the ways to where it leads are many, against those to where it begins.

Some worlds cannot be reached by single exchanges (three cards that must go round), so a step may be up to three
exchanges, judged together. The first steps, the leaps, rename everything at once, which is the whole way if nothing is
in the way. Of a hand that is known to be all of one colour three exchanges make another such hand only by a rare
chance, and one leap in ten does. So a short story gets many leaps, until one succeeds; in a long one none would.

Numbers may hang together as well: two codes of five colours that give the same answers may differ in four of them. So
where leaps fail, a walk makes excursions (`_excursion`): one number is changed after the other, facts may be broken on
the way, and what counts is where all of them hold again.

The cost is bounded: so many steps for each piece and number unknown, and no more. That the walk is long enough is
measured against brute force in the tests. Where there is so much unknown that the bound cuts the walk short, a piece
or number may be left that was never changed and was not even tried as often as in a walk of full length: then the
world says so (`TOO_SHORT`).

A walk may go on after its first world: the next ones are as far from the truth as that one or further, and a quarter
of the steps makes each different enough from the one before for a search that looks at many of them.

A walk has all that it changes to itself: the story belongs to all draws, in any number of threads.
"""

from __future__ import annotations

from math import prod
from typing import Any

from .course import STEPS_PER_UNKNOWN, Course
from .determinise import Generator
from .facts import Judged, Naming
from .homing import bring_home
from .renaming import dealt
from .steps import Step

_MOST_STEPS = 2_000
_EXCHANGES = (1, 1, 1, 1, 1, 2, 2, 3)  # how many of them make a step
_LEAPS, _MOST_LEAPS = 2, 64
_LEAPT_EPOCHS = 256  # epochs that the leaps of a walk rename in all: the fewer there are, the more leaps
_EASY = 8  # leaps: where one of the first so many succeeds, nothing is in the way
_ASTRAY, _FURTHEST = 2_000, 100  # changes of numbers in the excursions of a walk, and in one of them
_NEXT = 4  # a walk that goes on takes one in so many of its steps to the next world
_MOST_BELOW = 1 << 31
TOO_SHORT = "too much is unknown: some of it may be as in the game"

Question = tuple[Any, int]  # what it turns on, in how many ways it can be answered
Exchange = tuple[int, int, int, int]  # first epoch, first epoch after, a piece, another


class Walk:
    """Worlds one after the other, each agreeing with the story. It begins with the truth."""

    def __init__(self, course: Course, generator: Generator) -> None:
        self.course, self.generator = course, generator
        names = list(range(course.meta.pieces))
        self.namings = [Naming(names[:], names[:]) for _ in course.story.epochs]
        self.shifts = course.story.truth[:]
        self.copies = course.copies.copy()
        self.tried = [0] * len(names)  # how often each piece was part of a step; to be exchanged counts for several
        self.redrawn = dict.fromkeys(course.drawn, 0)  # the same of numbers
        self.is_too_short = False
        self._worlds = 0  # reached so far
        self._strays = False  # whether excursions are made
        # Of each free choice, by its step: what the question turned on, and how many answers there were.
        self.questions: dict[int, Question] = {}
        for step in course.free:
            question = step.question(self.namings, self.shifts)
            self.questions[step.position] = (question, step.ways(question, self.namings, self.shifts))
        self._asked: dict[int, Question] = {}  # the same as the present step has it, where that is something else
        self._tally()

    def _tally(self) -> None:
        """The sum of each fact (`tallies`), from the renamings as they are."""
        self.totals = [
            0 if isinstance(fact, Step) else fact.tally.total(self.namings[fact.epoch].new)
            for fact in self.course.facts
        ]

    def go(self, nearby: bool = False) -> None:
        """To the first world, or on to the next one. `nearby` is for callers to whom any other world will do: it takes
        a part of the steps, and more only while nothing has changed."""
        course = self.course
        if not course.steps:
            return
        self._worlds += 1
        most = min(course.steps, _MOST_STEPS)
        if self._worlds > 1:
            self._take_steps(-(-most // _NEXT))
            self._stray(_ASTRAY // _NEXT)
            return
        leaps = max(_LEAPS, min(_MOST_LEAPS, _LEAPT_EPOCHS // len(self.namings)))
        tries = next((n for n in range(leaps) if self._leap()), None)  # no further than the first that succeeds
        leapt = tries is not None
        self._strays = course.may_stray and (tries is None or tries >= _EASY)
        if nearby:
            self._go_nearby(most, leapt)
            return
        self._take_steps(most)
        self._stray(_ASTRAY)
        self.is_too_short = course.steps > _MOST_STEPS and not leapt and self._is_left_over()

    def _go_nearby(self, most: int, leapt: bool) -> None:
        few = -(-most // _NEXT)
        for _ in range(_NEXT):
            self._take_steps(few)
            self._stray(_ASTRAY // _NEXT)
            if leapt or not self._is_at_home():
                return

    def _is_at_home(self) -> bool:
        """Whether nothing has changed yet."""
        names = list(range(self.course.meta.pieces))
        return self.shifts == self.course.story.truth and all(naming.new == names for naming in self.namings)

    def _take_steps(self, count: int) -> None:
        course = self.course
        numbers, starts = len(course.drawn), course.plan.starts
        below = self.generator.below
        for _ in range(count):
            if numbers and (not starts or below(course.unknown) < numbers):
                self._redraw()
            else:
                self._step()

    def _is_left_over(self) -> bool:
        """Whether something that may be otherwise was never changed, nor tried as often as each thing should be."""
        enough = STEPS_PER_UNKNOWN
        return any(self.tried[piece] < enough for piece in self.course.core) or any(
            tried < enough for tried in self.redrawn.values()
        )

    def _another_value(self, number: int) -> None:
        unknown = self.course.story.unknowns[number]
        self.shifts[number] = unknown.values[self.generator.below(len(unknown.values))] - unknown.true

    def _redraw(self) -> None:
        """Another value for one or two numbers; they stay if the story is as it was."""
        below, course, drawn = self.generator.below, self.course, self.course.drawn
        chosen = [drawn[below(len(drawn))] for _ in range(1 + below(2))]
        before = self.shifts[:]
        asked: dict[int, int] = {}
        for number in chosen:
            self.redrawn[number] += 1
            if number not in course.choices:
                self._another_value(number)
            asked.update(course.readers[number])
        agrees = self._works_out(asked, before, range(0), frozenset(chosen)) and self._holds(asked)
        if not agrees or not self._is_as_likely(0, 0):
            self.shifts = before
        else:
            for number in chosen:
                self.redrawn[number] += STEPS_PER_UNKNOWN // 2

    def _stray(self, count: int) -> None:
        """Excursions of numbers, of so many changes in all, where one or two numbers at once may lead nowhere."""
        while self._strays and count > 0:
            count -= self._excursion(min(count, _FURTHEST))

    def _excursion(self, most: int) -> int:
        """Changes one number after the other, each with the less chance the more facts it breaks, until all hold again;
        says after how many. Whoever does not come back stays at home. The way back is as likely as the way out."""
        course, below = self.course, self.generator.below
        home, broken = self.shifts[:], frozenset[int]()
        for count in range(1, most + 1):
            number = course.drawn[below(len(course.drawn))]
            before, readers = self.shifts[number], course.readers[number]
            self._another_value(number)
            now = (broken - readers.keys()).union([one for one in readers if not self._holds({one: 0})])
            worse = len(now) - len(broken)
            if worse > 0 and below(1 << min(worse, 30)):
                self.shifts[number] = before
            else:
                broken = now
            if not broken:
                return count
        self.shifts = home
        return most

    def _choose_again(self, step: Step, chosen: frozenset[int]) -> bool:
        """Makes a free choice anew if it is one of the `chosen` numbers or is offered something else; says whether
        there is anything to choose."""
        assert step.choice is not None
        question = step.question(self.namings, self.shifts)
        asked, ways = self.questions[step.position]
        is_other = question != asked
        if is_other:
            ways = step.ways(question, self.namings, self.shifts)
            is_other = not step.is_offered_alike(asked, question)
        if is_other or step.choice.index in chosen:
            found = step.chosen_anew(question, self.namings, self.shifts, self.generator)
            if found is None:
                return False
            self.shifts[step.choice.index], ways = found
        self._asked[step.position] = (question, ways)
        return True

    def _works_out(
        self,
        asked: dict[int, int],
        before: list[Any],
        renamed: range,
        chosen: frozenset[int] = frozenset(),
    ) -> bool:
        """Works out again what the rules made of secrets, and adds the facts that turn on what has changed; says
        whether every step came out as the player noticed it. The numbers in `chosen` are drawn here, if they are free
        choices. `before`: the numbers as they were; `renamed`: the epochs in which pieces have got other names."""
        shifts, namings = self.shifts, self.namings
        self._asked = {}
        # In the order of the game, since a step reads what earlier ones have written.
        for step in self.course.story.steps:
            position = step.position
            if not self.course.may_differ(step, before, shifts, renamed, chosen):
                if position in self.questions:
                    self._asked[position] = self.questions[position]
                continue
            if position in self.questions and not self._choose_again(step, chosen):
                return False
            result = step.result(namings, shifts)
            if not result.agrees:
                return False
            if result.frames != shifts[step.position].frames:
                for number in self.course.after.get(id(step), ()):
                    asked.setdefault(number, 0)
            shifts[step.position] = result
            for unknown in step.given:
                if unknown.index < 0:
                    continue
                shift = step.shift_of(unknown, result)
                if (shift and unknown.is_shown) or not unknown.least <= shift <= unknown.most:
                    return False
                if shift != shifts[unknown.index]:
                    shifts[unknown.index] = shift
                    asked.update(self.course.readers[unknown.index] | asked)
        return True

    # ------------------------------------------------------------------ steps

    def _leap(self) -> bool:
        """Everything renamed at once, in all epochs alike."""
        course = self.course
        new = list(range(course.meta.pieces))
        for group in course.groups:
            dealt(group, new, self.generator)
        before, shifts = self.namings, self.shifts[:]
        for number in course.drawn:
            self._another_value(number)
        self.namings = [_renamed(naming, new) for naming in before]
        agrees = self._sees_the_same(0, len(self.namings)) and self._works_out(
            {}, shifts, range(len(before)), course.choices
        )
        agrees = agrees and all(fact.holds(self.namings, self.shifts) for fact in course.facts)
        agrees = agrees and self._is_as_likely(0, len(self.namings))
        if agrees:
            self._tally()
        else:
            self.namings, self.shifts = before, shifts
        return agrees

    def _step(self) -> None:
        """One to three exchanges; they stay if the story is as it was."""
        course = self.course
        several = _EXCHANGES[self.generator.below(len(_EXCHANGES))]
        made: list[Exchange] = []
        asked: dict[int, int] = {}
        for _ in range(several):
            exchange = self._any_exchange(several == 1)  # of several, one may mend what another would show
            if exchange is None:
                continue
            self.tried[exchange[2]] += 1
            self.tried[exchange[3]] += 1
            made.append(exchange)
            self._exchange(*exchange, asked)
        if not made:
            return
        first, last = made[0][:2]
        agrees = True
        if several > 1:
            first, last = min([one[0] for one in made]), max([one[1] for one in made])
            agrees = self._sees_the_same_now(made)
        shifts = self.shifts
        self._asked = {}
        if course.story.steps and agrees:
            self.shifts = shifts[:]
            agrees = self._works_out(asked, shifts, range(first, last))
        agrees = agrees and self._holds(asked)
        if agrees and self._is_as_likely(first, last):
            for _, _, one, other in made:
                self.tried[one] += STEPS_PER_UNKNOWN // 2
                self.tried[other] += STEPS_PER_UNKNOWN // 2
            for number, change in asked.items():
                self.totals[number] += change
        else:
            self.shifts = shifts
            # Backwards: a later exchange may have moved a piece of an earlier one.
            for start, end, one, other in reversed(made):
                for naming in self.namings[start:end]:
                    naming.exchange(one, other)

    def _holds(self, asked: dict[int, int]) -> bool:
        """Whether these facts hold, with so much more in their sums. Those whose answer is known come first, then those
        that fail most often: one that fails saves asking the others."""
        later: list[tuple[Judged, int, dict[int, bool] | None]] = []
        namings, shifts, totals, course = self.namings, self.shifts, self.totals, self.course
        for number, change in asked.items():
            total, verdicts = totals[number] + change, course.verdicts[number]
            if verdicts is not None:
                if not change:
                    continue
                verdict = verdicts.get(total)
                if verdict is not None:
                    if verdict:
                        continue
                    return False
            fact = course.judged[number]
            answer = fact.known_answer(total, shifts)
            if answer is None:
                later.append((fact, total, verdicts))
            elif not (
                fact.agrees(answer, namings) if verdicts is None else self._is_kept(fact, answer, total, verdicts)
            ):
                return False
        if len(later) > 1:
            later.sort(key=_failures, reverse=True)
        for fact, total, verdicts in later:
            answer = fact.ask(total, namings[fact.epoch], shifts)
            if not self._is_kept(fact, answer, total, verdicts):
                fact.failures += 1  # a count that another thread may miss: it says what to ask first, and nothing else
                return False
        return True

    def _is_kept(self, fact: Judged, answer: Any, total: int, verdicts: dict[int, bool] | None) -> bool:
        """Whether an answer is what the player was told; kept for the next time where it can be."""
        agrees = fact.agrees(answer, self.namings)
        if verdicts is not None:
            verdicts[total] = agrees
        return agrees

    def _is_as_likely(self, first: int, last: int) -> bool:
        """Whether a step is taken that agrees: less often, if it leads to more equal copies where one was chosen, or if
        choices that were made again are offered less than before.

        A player who has two kings chooses between a king and a queen, not between two kings and a queen. The walk tells
        the kings apart, so a world with several equal copies would come up too often.
        """
        if not self.copies and not self._asked:
            return True
        now: dict[int, int] = {}
        row = self.course.row
        for number in self.copies:
            if first <= number < last:
                new, mixed = self.namings[number].new, self.course.story.epochs[number].mixed
                own = row[new[mixed[0]]]
                now[number] = sum([row[new[piece]] == own for piece in mixed])
        before, after = prod([self.copies[number] for number in now]), prod(now.values())
        before *= prod([ways for _, ways in self._asked.values()])
        after *= prod([self.questions[position][1] for position in self._asked])
        if after >= _MOST_BELOW:  # the generator gives 32 bits: over many choices the numbers get larger
            before, after = before * _MOST_BELOW // after, _MOST_BELOW
        # The rule of Metropolis and Hastings: taken with the chance before / after, each world comes up as often as its
        # weight says, however the step was proposed.
        if before < after and self.generator.below(after) >= before:
            return False
        self.copies |= now
        self.questions |= self._asked
        return True

    def _any_exchange(self, must_be_unseen: bool) -> Exchange | None:
        """Two pieces that were out of sight at the beginning of an epoch, and are again at the beginning of another, or
        now. `must_be_unseen`: the player would see the same in between."""
        below, course, namings = self.generator.below, self.course, self.namings
        starts = course.plan.starts
        first, piece = starts[below(len(starts))]
        partners = course.plan.partners[first]
        # Chosen without a look at what would agree. If only partners that agree were drawn from, a step back might have
        # more or fewer of them, and would not be as likely as the step itself.
        other = partners[below(len(partners))]
        if other == piece or (course.keeps_kind and course.kind[other] != course.kind[piece]):
            return None
        new = namings[first].new
        a, b = new[piece], new[other]
        if course.row[a] == course.row[b]:
            return None  # it would be the same world
        ends = self._ends(first, a, b, must_be_unseen)
        if not ends:
            return None
        return first, ends[below(len(ends))] if len(ends) > 1 else ends[0], a, b

    def _ends(self, first: int, a: int, b: int, must_be_unseen: bool) -> list[int]:
        """The epochs before which the exchange of two pieces may end, of those that begin with both out of sight. They
        are the same before and after the exchange, so a step is as likely as the step back."""
        course, row = self.course, self.course.row
        row_a, row_b, ends = row[a], row[b], []
        number, x, y = first, -1, -1  # where the two lay in the epoch before
        for naming, mixed, seen, closed in course.ahead(self.namings, first):
            if x in mixed and y in mixed:
                ends.append(number)
            x, y = naming.old[a], naming.old[b]
            if must_be_unseen:
                if seen and ((x in seen and row[x] != row_b) or (y in seen and row[y] != row_a)):
                    return ends
                if closed is not None and (x in closed) != (y in closed):
                    return ends
            number += 1
        ends.append(number)
        return ends

    def _exchange(self, first: int, last: int, a: int, b: int, asked: dict[int, int]) -> None:
        """Exchanges two pieces in these epochs, and adds the facts that have to be asked again, with the change of
        their sums."""
        for naming, read in zip(self.namings[first:last], self.course.read[first:last], strict=True):
            new, old = naming.new, naming.old
            x, y = old[a], old[b]
            if read:
                for reader, table, shift in read.get(x, ()):
                    change = (table[b] - table[a]) << shift if table is not None else 0
                    asked[reader] = asked.get(reader, 0) + change
                for reader, table, shift in read.get(y, ()):
                    change = (table[a] - table[b]) << shift if table is not None else 0
                    asked[reader] = asked.get(reader, 0) + change
            # As `naming.exchange` does: a walk spends a fifth of its time here.
            new[x], new[y] = b, a
            old[a], old[b] = y, x

    def _sees_the_same_now(self, made: list[Exchange]) -> bool:
        """Whether the player would see the same after these exchanges, if that was so before them."""
        course, namings, row = self.course, self.namings, self.course.row
        if any(self._carried_off(made)):
            return False
        for start, end, a, b in made:
            for number in range(start, end):
                seen = course.seen[number]
                if seen:
                    x, y = namings[number].old[a], namings[number].old[b]
                    if (x in seen and row[x] != row[a]) or (y in seen and row[y] != row[b]):
                        return False
        return True

    def _carried_off(self, made: list[Exchange]) -> list[int]:
        """Of each epoch that ends with closed mixes what they have gained and lost: digits in base 8, one for each row,
        so that few exchanges add up to nothing only if every row does."""
        course, row = self.course, self.course.row
        found = []
        for number, closed in course.closing:
            # The names that were exchanged here lie where they lay, in another order: go back through the exchanges.
            now = {name: self.namings[number].old[name] for _, _, *names in made for name in names}
            change = 0
            for start, end, a, b in reversed(made):
                if start <= number < end:
                    change += ((now[a] in closed) - (now[b] in closed)) * ((1 << 3 * row[a]) - (1 << 3 * row[b]))
                    now[a], now[b] = now[b], now[a]
            found.append(change)
        return found

    def _sees_the_same(self, first: int, last: int) -> bool:
        """Whether the player would see the same in these epochs, whatever was exchanged."""
        row = self.course.row
        for number in range(first, last):
            new, closed = self.namings[number].new, self.course.closed[number]
            if any(row[new[piece]] != row[piece] for piece in self.course.seen[number]):
                return False
            if closed is not None and sorted(row[new[piece]] for piece in closed) != sorted(row[x] for x in closed):
                return False
        return True

    def names_now(self) -> list[int]:
        """The last renaming with what is free dealt out, such that every position has a piece of its own mix."""
        last = self.namings[-1]
        now = Naming(last.new[:], last.old[:])  # the walk may go on
        for group in self.course.plan.free:
            dealt(group, now.new, self.generator)
        for piece in self.course.tied:
            now.old[now.new[piece]] = piece
        bring_home(self.course, now)
        return now.new


def _failures(asked: tuple[Judged, int, object]) -> int:
    return asked[0].failures


def _renamed(naming: Naming, by: list[int]) -> Naming:
    new = [by[piece] for piece in naming.new]
    old = [0] * len(new)
    for piece, name in enumerate(new):
        old[name] = piece
    return Naming(new, old)
