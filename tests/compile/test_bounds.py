"""Room for everything: what the layout and the IR say of sizes and ranges holds in games that are played."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType

import pytest

import interpreter as rw
from interpreter.check.value_types import NO_NUMBER
from interpreter.compile import ir
from interpreter.compile.bounds import MANY, Bound, Bounds, bounds_of
from interpreter.compile.layout import Layout
from interpreter.compile.passes import lower_program
from interpreter.compile.ranges import ANY, Range
from interpreter.compile.unit import Unit
from tests.compile.lowered import lowered
from tests.every_ruleset import every_game, game_id, loaded
from tests.toy_games import TOYS, checked, toy_game, toy_program

DECISIONS = 25  # in each game that is played


@pytest.mark.parametrize(
    ("numbers", "bits", "signed"),
    [
        (Range(0, 0), 1, False),
        (Range(0, 9), 4, False),
        (Range(0, 255), 8, False),
        (Range(-1, 127), 8, True),
        (Range(0, 8, -1), 5, True),
        (Range(-128, 3), 8, True),
        (Range(0, 9, NO_NUMBER), 32, True),
    ],
)
def test_widths(numbers: Range, bits: int, signed: bool) -> None:
    assert (numbers.bits, numbers.signed) == (bits, signed)


ROOM = """
enum Rank = low | high
kind Card
  copies 6 for each rank: Rank
table
  deck: pile of Card open
  market: row of Card open capacity 5
  shown: slot of Card open
each player
  coins: -3..40 = 0
  rival: player?
setup
  move all c in Card to deck
play
  in turn p from seat1 until deck is empty
    turn(p)
phase turn(p)
  let many = all c in deck where c.rank == high
  draw up to 2 from deck to market as taken
  choose n in 1..2 "How many?"
  if many is not empty
    gain up to n coins
"""


def test_the_layout_says_how_much_room_there_must_be() -> None:
    layout = lower_program(checked(ROOM)).layout
    assert {place.name: most for place, most in layout.capacities.items()} == {"market": 5, "deck": 12, "shown": 1}
    ranges = {decl.name: found for decl, found in layout.ranges.items()}
    assert ranges == {"coins": Range(-3, 40), "rival": Range(0, 1, -1), "shown": Range(0, 11, -1)}


# ---------------------------------------------------------------------------- played games


class Watch:
    """Compares the locals of emitted functions with their bounds, whenever one of them is left."""

    def __init__(self, unit: Unit, found: Bounds) -> None:
        self.found = found
        self.routine_of = {s.number: r.name for r in unit.routines.values() for s in r.segments}
        self.bounds_of_code: dict[CodeType, dict[str, Bound]] = {}
        self.too_large: set[str] = set()

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event != "return":
            return
        code = frame.f_code
        bounds = self.bounds_of_code.get(code)
        if bounds is None:
            bounds = self.bounds_of_code[code] = self._bounds_of(code)
        if bounds:
            for local, value in frame.f_locals.items():
                if local in bounds and not fits(value, bounds[local]):
                    self.too_large.add(f"{code.co_name}: {local} is {value!r}, not {bounds[local]}")

    def _bounds_of(self, code: CodeType) -> dict[str, Bound]:
        """Of the locals of a function; of one that was not emitted there are none."""
        if not code.co_filename.startswith("<"):
            return {}
        segment = re.match(r"s(\d+)_", code.co_name)
        routine = self.routine_of.get(int(segment[1]), "") if segment else code.co_name
        return {local: bound for local, bound in self.found.locals.get(routine, {}).items() if local != "o"}


def fits(value: object, bound: Bound) -> bool:
    """A flag that is neither yes nor no is None in Python; what is no number and no set is not looked at."""
    if isinstance(value, int):
        return bound.numbers.lowest <= value <= bound.numbers.high
    if isinstance(value, tuple | list | set | frozenset):
        numbers = [item for item in value if isinstance(item, int)]
        return (
            bound.size is not None and len(value) <= bound.size and all(fits(n, Bound(bound.numbers)) for n in numbers)
        )
    return True


@contextmanager
def watched(watch: Callable[[FrameType, str, object], None]) -> Iterator[None]:
    sys.setprofile(watch)
    try:
        yield
    finally:
        sys.setprofile(None)


def room_left(state: rw.State, game: rw.Game, layout: Layout) -> Iterator[str]:
    """Every place and field that holds more than the layout says."""
    numbers, lists = state.f, state.p  # type: ignore[attr-defined]
    for place, spot in layout.places.items():
        for number in range(spot.base, min(spot.base + spot.size, layout.lists)):
            if len(lists[number]) > layout.capacities[place]:
                yield f"{place.name} holds {len(lists[number])}"
    for decl, found in layout.ranges.items():
        spot = layout.fields[decl] if decl in layout.fields else layout.places[decl]  # type: ignore[index]
        first = spot.base if decl in layout.fields else spot.base - layout.lists
        for number in numbers[first : first + spot.size]:
            if not found.lowest <= number <= found.high:
                yield f"{decl.name} is {number}, not {found}"


def play(game: rw.Game, unit: Unit, bounds: Bounds, seed: int) -> list[str]:
    chance, found = random.Random(seed), list[str]()
    watch = Watch(unit, bounds)
    with watched(watch):
        state = game.new(seed=seed)
        for _ in range(DECISIONS):
            if state.over:
                break
            found += room_left(state, game, unit.layout)
            state.apply(chance.choice(list(state.decision.options)))
    found += room_left(state, game, unit.layout)
    return found + sorted(watch.too_large)


@pytest.mark.parametrize("name", TOYS)
def test_toys_stay_inside(name: str) -> None:
    unit = lowered(toy_program(name)).unit
    try:
        assert play(toy_game(name), unit, bounds_of(unit), 1) == []
    except rw.Fault:
        pass  # some toys are made to meet a limit; up to there everything was inside


@pytest.mark.parametrize("game", dict(every_game(pairs=False)).items(), ids=lambda game: game_id(game))
def test_rulesets_stay_inside(game: tuple[str, int]) -> None:
    """With as many players as may be. And every set has a bound: no local could hold any number of things."""
    unit = lowered(loaded(*game).program).unit
    found = bounds_of(unit)
    unbounded = [(name, local) for name, known in found.locals.items() for local, b in known.items() if b.size == MANY]
    assert unbounded == []
    assert play(loaded(*game), unit, found, 1) == []


# ---------------------------------------------------------------------------- how tight they are


def test_bounds_of_locals() -> None:
    found = bounds_of(lower_program(checked(ROOM))).locals["rule_turn"]
    shown = {name.partition("__")[0]: str(bound) for name, bound in found.items()}
    assert shown["p"] == "player 0..1" and shown["n"] == "1..2"
    assert shown["many"] == "at most 12 of Card 0..11"
    assert shown["taken"] == "at most 2 of Card 0..11"


def test_any_says_that_nothing_is_known() -> None:
    assert str(Bound(ANY)) == "any number" and str(Bound(Range(0, 3), 5, "Card")) == "at most 5 of Card 0..3"


NUMBERED = """
kind Gem
  copies 2
kind Card
  copies 6
table
  tiny: pool of Gem open capacity 1
  part[1..4]: pool of Card open
  open_number: 0..9
each player
  count_of: 0..9
  noted[1..3]: 0..5 secret
setup
  move all c in Card to part[2]
play
  in turn p from seat1 until open_number == 9
    turn(p)
phase turn(p)
  open_number += 1
  p.count_of = 1
  choose i in 1..3 secretly "Which?"
  p.noted[i] = 2
  if public(p.noted[i] == 2)
    choose k in 1..4, c in part[k] "Which card?"
    move c to part[1]
"""


def test_addresses_begin_in_what_they_are_of() -> None:
    """Passes ask the layout what lies at the base of an address: how much room it needs, who may see it. With an index
    that counts from 1 the base was that of what lies before."""
    unit = lower_program(checked(NUMBERED))
    found = set()
    for op in (op for routine in unit.routines.values() for ins in routine.instructions() for op in ir.operations(ins)):
        match op:
            case ir.ReadField(address=ir.Address(base=base, terms=(_, _))):
                found.add(getattr(unit.layout.field_at(base), "name", None))
            case ir.Contents(address=ir.Address(base=base)):
                found.add(getattr(unit.layout.place_at(base), "name", None))
    assert found == {"noted", "part"}
