"""Worlds are the same with an engine, which walks and asks past decisions in native memory, and without."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import interpreter as rw
from interpreter.native.asking import NativeQuestion
from interpreter.native.unavailable import NativeUnavailable
from interpreter.runtime.game import Game
from interpreter.runtime.questions import NATIVE
from interpreter.runtime.state import State
from interpreter.runtime.trail import ASKED, events
from tests.engine.test_equality import native
from tests.engine.test_toys import both_of
from tests.knowledge.test_tiny_games import GAMES as TINY
from tests.toy_games import checked

# Tricks with a field of each card; payments and trials out of a hand; secret dice; cards kept of hands that go round.
RULESETS = [("hearts", 4), ("branch_lines", 2), ("liars_dice", 2), ("pikit", 4)]
EVERYDAY = ("trumps", "guards", "shown_pair", "payment", "marked_hand")


def positions(ours: Game, theirs: Game, seed: int, every: int, count: int) -> Iterator[tuple[State, State]]:
    """The same positions of a random game in both."""
    one, other, choose = ours.new(seed), theirs.new(seed), random.Random(seed)
    for step in range(every * count):
        if other.over:
            return
        if step % every == every - 1:
            yield one, other
        index = choose.randrange(len(other.opts))
        one.apply(index)
        other.apply(index)


def same_worlds(ours: Game, theirs: Game, seeds: int, every: int, count: int) -> int:
    """Compares worlds; gives how many walks to them were native, and asked in native memory."""
    asked = walked = 0
    for seed in range(seeds):
        for one, other in positions(ours, theirs, seed, every, count):
            for player in range(theirs.players):
                here, there = one.worlds(player), other.worlds(player)
                for number in range(2):
                    drawn, wanted = here.draw(number), there.draw(number)
                    assert (drawn.f, drawn.p, drawn.fd, drawn.who) == (wanted.f, wanted.p, wanted.fd, wanted.who)
                    assert drawn.opts == wanted.opts
                one_series, other_series = here.series(), there.series()  # each world begins where the last one ended
                for number in range(5):
                    drawn, wanted = one_series(number), other_series(number)
                    assert (drawn.f, drawn.p, drawn.fd) == (wanted.f, wanted.p, wanted.fd)
                    assert drawn.approximate == wanted.approximate
                course = here.dealer.course
                walked += here.dealer.native is not None and course is not None
                facts = [] if course is None else course.facts
                asked += sum(isinstance(fact.snapshot.answers.get(NATIVE), NativeQuestion) for fact in facts)
    return min(asked, walked)


@pytest.mark.parametrize(("name", "players"), RULESETS, ids=[name for name, _ in RULESETS])
def test_worlds_are_those_of_python(name: str, players: int, is_long: bool) -> None:
    reference = rw.load(name, players, backend="python")
    every = 9 if name != "liars_dice" else 2
    assert same_worlds(native(name, players), reference, 8 if is_long else 1, every, 12 if is_long else 3)


@pytest.mark.parametrize("name", TINY)
def test_worlds_of_tiny_games_are_those_of_python(name: str, is_long: bool) -> None:
    if name not in EVERYDAY and not is_long:
        pytest.skip("compiling every tiny game is part of the long run")
    compiled, reference = both_of(checked(TINY[name].read_text(encoding="utf-8")))
    same_worlds(compiled, reference, 8, 1, 4)


def test_where_nothing_is_hidden_no_walk_is_compiled() -> None:
    """That is two fifths of the compiler's work. In a block `together` a choice is hidden for a while."""
    compiled, reference = native("tic_tac_toe", 2), rw.load("tic_tac_toe", 2, backend="python")
    with pytest.raises(NativeUnavailable, match="has no function `rwx_fact`"):
        _ = compiled.require_engine().walking
    one, other = compiled.new(3).apply(4), reference.new(3).apply(4)
    assert one.worlds(0).draw(1).f == other.worlds(0).draw(1).f
    assert native("rock_paper_scissors", 2).require_engine().walking


def test_a_walk_that_native_memory_does_not_understand_is_walked_in_python() -> None:
    compiled, reference = native("pikit", 2), rw.load("pikit", 2, backend="python")
    one, other = compiled.new(3), reference.new(3)
    for _ in range(20):
        one.apply(0)
        other.apply(0)
    engine = compiled.require_engine()
    rows = engine.rows_and_kinds
    try:
        engine.rows_and_kinds = [-5] * len(rows)  # out of every range
        worlds = one.worlds(1)
        assert worlds.dealer.native is None
        assert worlds.draw(4).p == other.worlds(1).draw(4).p
    finally:
        engine.rows_and_kinds = rows


def test_a_set_that_a_rule_holds_is_renamed_in_native_memory() -> None:
    """Somebody has picked one card of two when the next is asked for: a world calls it otherwise, and offers the other
    card there too."""
    ours, theirs = both_of(checked(TINY["laid_in_order"].read_text(encoding="utf-8")))
    state = theirs.new(0, auto=False)
    state.apply(1)  # as a set
    state.apply(0)
    snapshot = next(event[1] for event in reversed(events(state.ev)) if event[0] == ASKED)
    question = ours.question(snapshot)
    assert question is not None
    assert (snapshot.picked, snapshot.p[1], question.asked([0, 1, 2, 3], [])[-1]) == ((0,), [0, 1], [1])
    assert question.asked([2, 3, 0, 1], [])[-1] == [3]
