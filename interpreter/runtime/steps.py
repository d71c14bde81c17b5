"""Numbers that the rules work out from secrets, worked out again as a world has those secrets.

    noted = min(p.first, p.second)          deck: 4 2 7 …    total += (top of deck).rank

A world in which the top card is another one must have another `total`, and where `noted` was told, only some first and
second numbers will do. Nothing can be said about such a number by itself. It is what comes out when the rules run from
the decision before it was written to the one after. So that is done: a *step* is run again on the snapshot at its
beginning, with the pieces and numbers of the world, with the option that was taken there, and with chance falling as
the world has it. Locals, parameters, results, branches and loops need no account of their own, since the very code
runs that ran in the game.

    asked | took 3 | deck shuffled | total += top of deck | public(total > 9) | asked
          \\______________________ a step ______________________________/

What everybody noticed on the way (values told, questions that fell through, numbers shown) must come out the same, and
so must the decision at the end and what lies where: otherwise the world is impossible. What the step wrote is then the
world's own. Steps depend on one another through the numbers that they read; a walk works them out in order.

Most steps look at few of the pieces that they might look at. So a step runs on a state that notices which ones
(`reading.noticing_pieces`), and a run is kept for all worlds that have the same pieces at those positions (`Run`). That
is sound because a run goes on alike as long as it meets alike: what it looks at next follows from what it has seen.
Where the pieces lie at the end turns on all of them, and is compared for each world by itself (`_lies_alike`).

What a rule keeps in a local over a decision comes out of the step before (`before`). Only the slots of frames in which
a secret may stand that is still read are taken from there (`Meta.unseen_slots`, `compile/liveness.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

from .certain import Unseen, open_state
from .determinise import Generator, renamed_option
from .facts import Fact, Naming, called_again, named_in
from .faults import Carried, Ended, Refused, Trouble
from .meta import PASS, STEP, Meta, SiteMeta
from .questions import asked_again, binds_pieces, placed_option
from .reading import Watch, noticing_pieces

FORCED = "forced"  # what is noted, for nobody, of a pick that answered itself
NOBODY = -1
MOST_STEPS = 60  # of one story; numbers that were written earlier are drawn by themselves
# Where worlds differ in how many numbers chance could pick from, the pick is drawn as one of so many equal parts of the
# set, whatever the set: so each world comes up as often as chance makes it. All sets of up to 16 have equal parts.
PARTS = 720_720


@dataclass
class Unknown:
    """A number of the array that the player does not see, from one writing to the next.

    What is added to it later is added in a world as well: a world's number is always as far from the true one as it
    was when it was written. `facts` are those since then. A number that is only part of a step (an option that nobody
    saw, what chance picked) has no place in the array: its offset is -1.
    """

    offset: int
    true: int
    values: Sequence[int]
    low: int
    high: int
    guessed: bool = False  # it was worked out from something unseen that cannot be worked out again
    facts: list[Fact] = field(default_factory=list)
    readers: list[Fact] = field(default_factory=list)  # those that may turn on it
    step: Step | None = None  # it was worked out here, and a world has what comes of that there
    is_shown: bool = False  # the player has been shown it since, so it is what it truly is
    is_now: bool = True  # it has not been written again
    index: int = -1  # among the numbers of the story; -1 if it cannot be otherwise
    least: int = 0  # how far it may be from the true one, with all that was added since
    most: int = 0

    def fit(self, now: int) -> None:
        """Leaves only the values with which the number stays in its range, with all that was added since."""
        if self.offset < 0:
            return
        # `p.bid = n` / `p.bid += 2`, with a bid of 0..9: no n above 7 will do, although 9 could be chosen.
        held = [now if self.is_now else self.true, *(fact.snapshot.f[self.offset] for fact in self.facts)]
        self.least, self.most = self.low - min(held), self.high - max(held)
        self.values = [v for v in self.values if v == self.true or self.least <= v - self.true <= self.most]


class Astray(Exception):
    """The rules ask chance for something that did not happen."""


class AtBlock(Exception):
    """Players are about to choose together, and the step ends before that."""


@dataclass(frozen=True)
class OneBlock:
    end: Any  # in the place of `State.apart`: a step goes through one `together` and ends before the next


@dataclass
class Fall:
    """A random event of a step: what it was and gave, and the epochs by whose renamings its pieces are called."""

    what: str  # shuffle roll draw pick
    outcome: tuple[int, ...]
    epochs: list[int]  # one for each of the outcome; none of numbers
    numbers: list[Unknown | None] = field(default_factory=list)  # of numbers: those that a world draws

    def in_world(self, renamings: Sequence[Naming], shifts: Sequence[Any]) -> tuple[str, tuple[int, ...]]:
        if self.numbers:
            shifted = [value + _shift(one, shifts) for value, one in zip(self.outcome, self.numbers, strict=True)]
            return self.what, tuple(shifted)
        pieces = zip(self.outcome, self.epochs, strict=True)
        return self.what, tuple([renamings[epoch].new[piece] for piece, epoch in pieces])


@dataclass(frozen=True)
class Result:
    """What came of a step in a world: `numbers` that were written, by their offsets, `frames` the stack of rules."""

    agrees: bool
    numbers: dict[int, int] = field(default_factory=dict, hash=False)
    frames: tuple[tuple[Any, ...], ...] = ()


Part = tuple[list[int], list[int], int, bool]  # a place at the end of a step, as `Run.parts` tells it


@dataclass(frozen=True)
class Run:
    """A step that was run in some world, for all worlds that have the same at the positions it looked at.

    `lying`: where each position of the beginning has gone, place by place, slots among them; None if it is as in the
    true game, and of a place if it belongs to a piece with another name. What lies at positions that nobody looked at
    is another matter in each world, and must fit the end of the step there.
    """

    result: Result
    lying: list[list[int] | None] | None = None
    held: dict[int, tuple[int, int]] = field(default_factory=dict)  # where pieces lie that the rules name then
    _parts: list[Part] = field(default_factory=list)

    def parts(self, end: Any) -> list[Part]:
        """Of each place with something in it: the positions at the end of the step, those where the same pieces lay at
        its beginning, whom the place belongs to, and whether order matters there."""
        if not self._parts:
            meta, true, made = end.meta, _contents(end), []
            for place, (pieces, lying) in enumerate(zip(true, self.lying or true, strict=True)):
                if lying is not None and (pieces or lying):
                    is_row = place >= meta.lists or not meta.unordered[place]
                    made.append((pieces, lying, meta.carriers[place], is_row))
            self._parts.extend(made)  # all at once: other threads may ask
        return self._parts


NONE_SUCH = Result(False)
NONE_SUCH_TROUBLE = (Astray, Refused, Trouble, Carried, RecursionError)  # a world in which this happens is impossible


@dataclass
class Step(Fact):
    option: Any = None  # None: the beginning of the game
    taken_in: int = 0  # the epoch by whose renaming the pieces of the option are called
    choice: Unknown | None = None  # the option, if nobody saw which it was
    falls: list[Fall] = field(default_factory=list)
    journal: list[tuple[Any, ...]] | None = None  # what the player noticed; None until the step is run in truth
    end: Any = None  # the snapshot of the next decision, or the state before a `together`; None if the game ended
    end_numbers: Sequence[int] = ()  # the array as it is now, if the game ended
    before_block: bool = False  # the end is where players are about to choose together
    end_epoch: int = 0
    given: list[Unknown] = field(default_factory=list)  # numbers that were written here
    position: int = -1  # among the steps of the story
    # What came of it, by the positions that were looked at, and then by what lay there and all else it may turn on.
    runs: dict[tuple[int, ...], dict[Any, Run]] = field(default_factory=dict)
    is_free: bool = False  # nobody saw the option, and it is no piece: a world takes any that it offers itself
    is_hushed: bool = False  # it ends where somebody else is silently asked right now
    passes: int = 0  # how often somebody passed at the silent question with which the step ends
    offers: dict[Any, tuple[int, ...]] = field(default_factory=dict)

    def question(self, renamings: Sequence[Naming], shifts: Sequence[Any]) -> Any:
        """All that the options of a world may turn on."""
        frames = None if self.before is None else shifts[self.before.position].frames
        new = renamings[self.epoch].new
        return (*[new[x] for x in self.pieces], *[shifts[number] for number, _ in self.numbers], frames)

    def offered(self, question: Any, renamings: Sequence[Naming], shifts: Sequence[Any]) -> tuple[int, ...]:
        """The options of a free choice in a world with this question."""
        found = self.offers.get(question)
        if found is None:
            found = self.offers[question] = self._offered(renamings, shifts)
        return found

    def is_offered_alike(self, one: Any, other: Any) -> bool:
        """True if two worlds with these questions offer the same options in a free choice."""
        return self.offers.get(one) == self.offers.get(other)

    def ways(self, question: Any, renamings: Sequence[Naming], shifts: Sequence[Any]) -> int:
        """In how many ways a free choice can be made."""
        return len(self.offered(question, renamings, shifts))

    def chosen_anew(
        self, question: Any, renamings: Sequence[Naming], shifts: Sequence[Any], generator: Generator
    ) -> tuple[Any, int] | None:
        """A free choice made again: how far it is from the true one, and in how many ways it can be made; None if in
        no way."""
        offered = self.offered(question, renamings, shifts)
        assert self.choice is not None
        return (offered[generator.below(len(offered))] - self.choice.true, len(offered)) if offered else None

    def _offered(self, renamings: Sequence[Naming], shifts: Sequence[Any]) -> tuple[int, ...]:
        T = self.world(renamings[self.epoch], shifts)
        T.tracked = False
        try:
            posed, options = asked_again(T)
        except (Refused, Trouble, Ended, Carried):
            return ()
        return tuple(option for option in options if option >= PASS) if posed else ()

    def sources(self) -> list[Unknown]:
        """The numbers drawn for a world that are part of this step without being in the state at its beginning."""
        found = [one for fall in self.falls for one in fall.numbers if one is not None]
        return found if self.choice is None else [*found, self.choice]

    def draws(self) -> bool:
        return any(one.index >= 0 for one in self.sources())

    def read_in(self) -> tuple[int, ...]:
        fallen = [epoch for fall in self.falls for epoch in fall.epochs]
        return tuple(dict.fromkeys([self.epoch, self.taken_in, self.end_epoch, *fallen]))

    def move_to(self, number: dict[int, int]) -> None:
        super().move_to(number)
        self.taken_in, self.end_epoch = number[self.taken_in], number[self.end_epoch]
        for fall in self.falls:
            fall.epochs = [number[epoch] for epoch in fall.epochs]

    def is_idle(self) -> bool:
        return False

    def holds(self, renamings: Sequence[Naming], shifts: Sequence[Any]) -> bool:
        return bool(shifts[self.position].agrees)

    def result(self, renamings: Sequence[Naming], shifts: Sequence[Any]) -> Result:
        """What comes of the step in a world.

        It is run once for all worlds that agree in what it looked at: a run that has met the same so far goes on alike.
        """
        if self.before is not None and not shifts[self.before.position].agrees:
            return NONE_SUCH
        new, given = renamings[self.epoch].new, self._given_to_run(renamings, shifts)
        for positions, known in tuple(self.runs.items()):  # other threads may add to them
            run = known.get((given, *[new[x] for x in positions]))
            if run is not None:
                break
        else:
            run = self._run(given, renamings, shifts)
        if not run.result.agrees or not self._lies_alike(run, renamings):
            return NONE_SUCH
        return run.result if not run.held else self._called_as_later(run, renamings)

    def shift_of(self, number: Unknown, result: Result) -> int:
        """How far a number that was written here is from the true one."""
        return result.numbers[number.offset] - self.true_numbers[number.offset]

    @property
    def true_numbers(self) -> Sequence[int]:
        return self.end_numbers if self.end is None else self.end.f

    def _given_to_run(self, renamings: Sequence[Naming], shifts: Sequence[Any]) -> Any:
        """All that the run may turn on beside what lies where: the option, chance, numbers, locals. Pieces among these
        are told with where they lay at the beginning, since a run is kept by positions."""
        old = renamings[self.epoch].old
        numbers = [shifts[number] for number, _ in self.numbers]
        frames = None if self.before is None else shifts[self.before.position].frames
        falls = []
        for fall in self.falls:
            what, outcome = fall.in_world(renamings, shifts)
            falls.append((what, outcome, None if fall.numbers else tuple([old[x] for x in outcome])))
        return (self._wanted(renamings, shifts), *falls, *numbers, frames)

    def _wanted(self, renamings: Sequence[Naming], shifts: Sequence[Any]) -> Any:
        """The option that was taken, with the world's pieces; and where those lay at the beginning."""
        if self.option is None:
            return None
        S = self.snapshot
        site = S.meta.sites[S.site]
        option = self.option + _shift(self.choice, shifts)
        wanted = renamed_option(site, option, renamings[self.taken_in].new)
        return wanted, placed_option(S.meta, S, site, wanted, renamings[self.epoch].old) if option >= 0 else None

    def _run(self, given: Any, renamings: Sequence[Naming], shifts: Sequence[Any]) -> Run:
        """Runs the step, and keeps what came of it with the positions that were looked at."""
        naming = renamings[self.epoch]
        T = self._begun(renamings, shifts)
        meta = T.meta
        if self.watch is None:
            at = self.snapshot.at
            self.watch = Watch(meta, self.player, {at[x] for x in self.pieces if at[x] >= 0})
        read = noticing_pieces(T, self.watch, frozenset([naming.new[x] for x in self.pieces]))
        result = self._came_of(T, given[0], naming.old)
        positions = tuple(sorted([naming.old[y] for y in read if 0 <= y < meta.pieces]))
        lying = None
        if result.agrees and self.end is not None:
            lying = [
                [naming.old[y] for y in pieces] if _keeps_name(carrier, naming.old) else None
                for pieces, carrier in zip(_contents(T), meta.carriers, strict=True)
            ]
            if lying == _contents(self.end):
                lying = None
        run = Run(result, lying, _held_at(T, result.frames) if result.agrees and self.end is not None else {})
        self.runs.setdefault(positions, {})[given, *[naming.new[x] for x in positions]] = run
        return run

    def _came_of(self, T: Any, wanted: Any, old: Sequence[int]) -> Result:
        try:
            if not self._plays(T, wanted, old) or T.apart is not None:
                return NONE_SUCH
        except (Ended, AtBlock):
            pass
        except NONE_SUCH_TROUBLE:
            return NONE_SUCH
        noticed = [event[:-1] for event in T.lg if event[-1] in (None, self.player)]
        if self.journal is None:
            self.journal = noticed
        # What is left of the script fell in the game and not in this world: the world took another way through the
        # rules.
        if T.script or noticed != self.journal or not self._ends_alike(T):
            return NONE_SUCH
        return Result(True, {one.offset: T.f[one.offset] for one in self.given}, tuple([tuple(f) for f in T.k]))

    def _begun(self, renamings: Sequence[Naming], shifts: Sequence[Any]) -> Any:
        """The world at the beginning of the step."""
        T = self.world(renamings[self.epoch], shifts)
        T.tracked = False
        T.script = [fall.in_world(renamings, shifts) for fall in self.falls]
        T.lg = []
        new = renamings[self.epoch].new
        T.lit = {new[piece]: watchers for piece, watchers in self.snapshot.lit.items()}
        T.apart = self.end if self.before_block else None
        return T

    def _plays(self, T: Any, wanted: Any, old: Sequence[int]) -> bool:
        """Takes the option and goes on to the next decision; says whether that can be done."""
        if wanted is not None:
            option = self._option_in(T, wanted[0], wanted[1], old)
            if option is None:
                return False
            T.machine.take(T, option)
        return self._runs(T) and self._passes_over(T)

    def _passes_over(self, T: Any) -> bool:
        """Passes at every silent question to somebody else on the way: whoever had done anything else there would have
        been noticed, since the log tells of it. How many there are is another matter in each world."""
        sites, passes = T.meta.sites, self.passes
        while not (T.over or T.together or T.who == self.player) and sites[T.site].silent and PASS in T.opts:
            if self.end is not None and not self.before_block and (T.site, T.who) == (self.end.site, self.end.who):
                if not passes:
                    break
                passes -= 1
            T.machine.take(T, PASS)
            T.lit = {}
            if not self._runs(T):
                return False
        return True

    def _code(self, machine: Any) -> list[Any]:
        code: list[Any] = machine.briefly["CODE"]
        return code

    def _runs(self, T: Any) -> bool:
        """Runs on to the next decision; False if it never comes to one."""
        # The code of playouts with other functions bound to it (`bind_again`): chance as it fell, and a note of what is
        # noticed.
        code = self._code(T.machine)
        T.steps = 0
        while not code[T.k[-1][0]](T, T.k[-1]):
            T.steps += STEP
            if T.steps > T.limit:
                return False
        return True

    def _option_in(self, T: Any, wanted: Any, placed: Any, old: Sequence[int]) -> Any:
        """The option that is taken in the world; None if it is not offered there."""
        branch = None if wanted < 0 else T.meta.sites[self.snapshot.site].branch_of(wanted)
        posed, offered = asked_again(T, branch)
        if not posed:
            return None
        if wanted in offered or placed is None:
            return wanted if wanted in offered else None
        S = self.snapshot
        site = T.meta.sites[S.site]
        # Of equal copies in one place only the first is offered.
        return next((one for one in offered if placed_option(T.meta, S, site, one, old) == placed), None)

    def _ends_alike(self, T: Any) -> bool:
        """Whether the step led to the same decision, with the same for the player to see."""
        end = self.end
        seen_numbers = T.machine.seen_numbers
        if seen_numbers(self.player, T.f) != seen_numbers(self.player, self.true_numbers):
            return False  # chance or a card that was chosen made something else of what the player sees
        if end is None:
            return bool(T.over)
        if T.over or len(T.k) != len(end.k):
            return False
        is_alike = [frame[0] for frame in T.k] == [frame[0] for frame in end.k]
        return is_alike if self.before_block else (T.site, T.who) == (end.site, end.who)

    def _lies_alike(self, run: Run, renamings: Sequence[Naming]) -> bool:
        """Whether the world's pieces lie at the end where the true ones lay."""
        end = self.end
        if end is None:
            return True
        meta, new, then = end.meta, renamings[self.epoch].new, renamings[self.end_epoch].new
        row, carries = meta.piece_row, bool(end.machine.renaming.carried)
        here, there = [row[x] for x in then], [row[x] for x in new]
        if run.lying is None and not carries and here == there:
            return True
        for pieces, lying, carrier, is_row in run.parts(end):
            if not (_keeps_name(carrier, new) and _keeps_name(carrier, then)):
                continue  # the place has another number in this world, and what is carried goes with it
            found, wanted = [there[x] for x in lying], [here[x] for x in pieces]
            if found != wanted and (is_row or sorted(found) != sorted(wanted)):
                return False
        return True

    def _called_as_later(self, run: Run, renamings: Sequence[Naming]) -> Result:
        """What came of the step, with the pieces that the rules name called as they are at its end: of equal copies the
        step may have taken another one than lies there then."""
        end, new = self.end, list(range(self.end.meta.pieces))
        for piece, (place, position) in run.held.items():
            new[piece] = _lying_there(end, place, position, piece, renamings[self.end_epoch])
        if all(new[piece] == piece for piece in run.held):
            return run.result
        return replace(run.result, frames=called_again(end.meta, run.result.frames, new))


def _held_at(T: Any, frames: Sequence[Sequence[Any]]) -> dict[int, tuple[int, int]]:
    """Where the pieces lie that the rules at work name: place and position."""
    lists = T.meta.lists
    found = {piece: T.at[piece] for piece in named_in(T.meta, frames)}
    return {
        piece: (place, T.p[place].index(piece) if place < lists else 0) for piece, place in found.items() if place >= 0
    }


def _lying_there(end: Any, place: int, position: int, piece: int, then: Naming) -> int:
    """What the piece is called that lies there: if order does not matter, the piece itself or an equal copy."""
    meta = end.meta
    if not _keeps_name(meta.carriers[place], then.new):
        return piece  # the place has another number in this world, and what is carried goes with it
    if place >= meta.lists:
        return int(then.new[end.f[place - meta.lists]])
    if not meta.unordered[place]:
        return int(then.new[end.p[place][position]])
    called = [then.new[x] for x in end.p[place]]
    return piece if piece in called else next(x for x in called if meta.piece_row[x] == meta.piece_row[piece])


def _contents(S: Any) -> list[list[int]]:
    """What lies in each place, slots behind the others."""
    meta = S.meta
    slots = S.f[: len(meta.carriers) - meta.lists]
    return [*map(list, S.p[: meta.lists]), *[[piece] if piece >= 0 else [] for piece in slots]]


def _keeps_name(carrier: int, names: Sequence[int]) -> bool:
    return carrier < 0 or names[carrier] == carrier


def _shift(number: Unknown | None, shifts: Sequence[Any]) -> int:
    return 0 if number is None or number.index < 0 else int(shifts[number.index])


def has_unseen_locals(meta: Meta, frames: Sequence[Sequence[Any]]) -> bool:
    """Whether one of the rules at work may hold a number that not everybody knows."""
    slots = meta.unseen_slots
    return bool(slots) and any(frame[0] in slots for frame in frames)


def is_open_question(snapshot: Any, player: int) -> bool:
    """Whether the player sees everything that the question looks at."""
    T = open_state(snapshot, player)
    if T is None or has_unseen_locals(snapshot.meta, snapshot.k):
        return False
    try:
        asked_again(T)
    except Unseen:
        return False
    return True


def might_offer(site: SiteMeta, snapshot: Any, player: int) -> tuple[int, ...]:
    """The options of a question in one world or another: those of the game, if they turn on nothing that the player
    does not see, or if options are pieces, which a world calls otherwise. Else whatever the site could offer."""
    offered = tuple(one for one in snapshot.opts if one >= PASS)
    if binds_pieces(site) or is_open_question(snapshot, player):
        return offered
    numbers = range(sum(prod(count for _, count in digits) for digits in site.digits))
    return (*numbers, PASS) if site.may_pass else tuple(numbers)
