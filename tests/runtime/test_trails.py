"""The longest trail against a search that tries everything, on small random networks; and the limit on its work."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from interpreter.runtime.faults import Trouble
from interpreter.runtime.trails import UNITS, longest_trail

Ends = dict[int, tuple[int, int]]


def at_length(ends: Ends, lengths: dict[int, int], passed: set[int] | None) -> int:
    def further(node: int, used: frozenset[int]) -> int:
        if used and passed is not None and node not in passed:
            return 0
        ways = [(edge, sum(pair) - node) for edge, pair in ends.items() if edge in lengths and node in pair]
        tried = [lengths[edge] + further(other, used | {edge}) for edge, other in ways if edge not in used]
        return max(tried, default=0)

    return max((further(node, frozenset()) for pair in ends.values() for node in pair), default=0)


def state(limit: int = 10**9) -> SimpleNamespace:
    return SimpleNamespace(steps=0, limit=limit)


@pytest.mark.parametrize("seed", range(150))
def test_against_a_search_that_tries_everything(seed: int) -> None:
    chance = random.Random(seed)
    nodes = range(chance.randint(2, 6))
    ends = {edge: (chance.choice(nodes), chance.choice(nodes)) for edge in range(chance.randint(1, 8))}
    lengths = {edge: chance.randint(0, 3) for edge in ends if chance.random() < 0.9}
    passed = {node for node in nodes if chance.random() < 0.7} if seed % 3 == 0 else None
    assert longest_trail(state(), ends, lengths, passed) == at_length(ends, lengths, passed)


def test_what_can_be_gone_over_at_once_is_not_searched() -> None:
    ring = {edge: (edge, (edge + 1) % 500) for edge in range(500)}
    counted = state()
    assert longest_trail(counted, ring, dict.fromkeys(ring, 2), None) == 1000
    assert counted.steps == 0


def test_its_work_counts_against_the_steps() -> None:
    pairs = [(a, b) for a in range(6) for b in range(a)]
    spokes = dict(enumerate(pairs)) | {100 + n: (n, 10 + n) for n in range(6)}
    lengths = {edge: 1 if edge < 100 else 3 for edge in spokes}
    with pytest.raises(Trouble) as fault:
        longest_trail(state(limit=200 * UNITS), spokes, lengths, None)
    assert fault.value.code == "R0903"
