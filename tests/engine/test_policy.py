"""A learnt policy finds the same in Python and in C: features, network, priors, the whole search. The weights here are
drawn at random: whether they are any good does not matter, only that every part counts for something."""

from __future__ import annotations

import random
from array import array
from typing import Any

import pytest

import interpreter as rw
from interpreter.native.unavailable import NativeUnavailable
from interpreter.play.bots.compiled_sight import described
from interpreter.play.bots.compiled_tree import compiled_search, engine_of
from interpreter.play.bots.learnt_value import LearntValue
from interpreter.play.bots.playing_out import PlayingOut
from interpreter.play.bots.policy_bot import Policy, features_of
from interpreter.play.bots.tree import Search
from tests.engine.test_equality import BASE, native
from tests.engine.test_search import SIMULATIONS, python

GAMES = [*BASE, ("pig", 2), ("rock_paper_scissors", 2), ("liars_dice", 2)]


def drawn_policy(state: Any, hidden: int, with_options: bool, seed: int) -> Policy:
    draw = random.Random(seed)
    features, of_options = features_of(state)
    units = hidden or 1
    weights = [[draw.gauss(0.0, 0.05) for _ in range(units)] for _ in range(len(features))]
    bias = [draw.gauss(0.0, 0.1) for _ in range(units + (hidden > 0))]
    output = [draw.gauss(0.0, 0.3) for _ in range(hidden)]
    options = [2.0 ** draw.uniform(-3, 3) for _ in range(of_options.count)] if with_options else []
    meta = state.meta
    return Policy(meta.name, meta.players, meta.fingerprint, LearntValue(weights, bias, output), options)


def same_search(ours: Any, theirs: Any, policy: Policy, seed: int, simulations: int) -> None:
    compiled = compiled_search(ours, seed, None, policy)
    plain = Search(theirs, seed, PlayingOut(theirs, None, policy, guided=True))
    assert compiled is not None
    compiled.simulate(simulations)
    plain.simulate(simulations)
    assert compiled._in_python is None
    assert compiled.found() == plain.found()
    assert (compiled.nodes, compiled.slots, compiled.chosen()) == (plain.nodes, plain.slots, plain.chosen())


@pytest.mark.parametrize(("name", "players"), GAMES, ids=[name for name, _ in GAMES])
def test_a_search_with_a_policy_finds_the_same(name: str, players: int, is_long: bool) -> None:
    ours, theirs, choose = native(name, players).new(3), python(name, players).new(3), random.Random(3)
    simulations = 40 if is_long else SIMULATIONS.get(name, 40)
    for number in range(40 if is_long else 12):
        if theirs.over:
            break
        if len(theirs.opts) > 1 and number % 4 == 1:
            policy = drawn_policy(theirs, (0, 5)[number % 8 == 1], number % 12 != 9, number)
            same_search(ours, theirs, policy, number, simulations)
        index = choose.randrange(len(theirs.opts))
        ours.apply(index)
        theirs.apply(index)


def test_priors_add_up_and_follow_the_weights() -> None:
    state = rw.load("kalah").new()
    policy = drawn_policy(state, 0, True, 1)
    found = policy.priors(state, state.opts)
    assert found is not None and abs(sum(found) - 1.0) < 1e-12 and min(found) > 0.0
    second, third = (features_of(state)[1].of(state.site, state.who, state.opts[slot]) for slot in (2, 3))
    (number,) = set(second) - set(third)
    policy.option_weights[number] *= 100.0
    better = policy.priors(state, state.opts)
    assert better is not None and better[2] > found[2]


@pytest.mark.parametrize("spoil", ["shorter", "longer", "far", "hidden", "weights"])
def test_a_description_that_does_not_fit_is_refused(spoil: str) -> None:
    """Nothing is read beyond its array, whoever wrote the numbers."""
    state = native("pikit", 2).new(1)
    numbers, weights = drawn_policy(state, 3, True, 1).for_engine(state)
    match spoil:
        case "shorter":
            numbers = numbers[:-1]
        case "longer":
            numbers = numbers + array("i", [0])
        case "far":
            numbers[5] = 10**6
        case "hidden":
            numbers[1] = 10**6
        case "weights":
            weights = weights[:-1]
    search = engine_of(state).search(described(state), 0, True, 1000)
    with pytest.raises(NativeUnavailable):
        search.use_policy(numbers, weights)
