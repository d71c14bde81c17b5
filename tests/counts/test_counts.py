"""Known numbers of sequences of choices, met by playing every one of them through the public API."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest
import yaml

import interpreter as rw

T = TypeVar("T")
FILES = sorted(Path(__file__).parent.glob("*.yaml"))


@cache
def described(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return found


def start(known: dict[str, Any]) -> rw.State:
    name = "+".join([known["game"], *known.get("variants", [])])
    return rw.load(name, known["players"]).new(seed=1, auto=known["auto"])


class Walk:
    """Goes over all sequences of choices. Where several lead to equal states, the everyday run goes on from one of
    them: what follows depends on nothing but the state. The long one plays every sequence."""

    def __init__(self, is_long: bool) -> None:
        self.known: dict[Any, Any] | None = None if is_long else {}

    def count(self, state: rw.State, depth: int) -> int:
        """How many sequences of that many choices lead on from here; a game that is over is not continued."""
        if state.over:
            return 0
        options = range(len(state.decision.options))
        if depth == 1:
            return len(options)

        def further() -> int:
            return sum(self.count(state.clone().apply(index), depth - 1) for index in options)

        return self._once(state, further, depth) if depth > 2 else further()  # so near the end it is no gain

    def by_first_choice(self, state: rw.State, depth: int) -> dict[str, int]:
        if depth == 1:
            return {str(option): 1 for option in state.decision.options}
        return {str(option): self.count(state.clone().apply(option), depth - 1) for option in state.decision.options}

    def endings(self, state: rw.State) -> Counter[str]:
        """Every play to its end, by who wins."""
        if state.over:
            winners = state.winners
            return Counter(["shared" if len(winners) > 1 else state.game.seat_names[winners[0]]])
        options = range(len(state.decision.options))
        return self._once(
            state, lambda: sum((self.endings(state.clone().apply(index)) for index in options), Counter())
        )

    def _once(self, state: rw.State, work: Callable[[], T], depth: int = 0) -> T:
        if self.known is None:
            return work()
        key = depth, position_of(state)
        if key not in self.known:
            self.known[key] = work()
        return self.known[key]  # type: ignore[no-any-return]


def position_of(state: rw.State) -> str:
    """Everything that a save keeps but how the game came there."""
    data = state.to_data()
    return str({key: value for key, value in data.items() if key not in ("h", "lg", "horizon")})


def told(counts: dict[str, int]) -> str:
    return "\n".join(f"  {label:24} {number:>12,}" for label, number in counts.items())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_counts(file: Path, is_long: bool) -> None:
    known = described(file)
    expected = known["depth_counts"]
    deepest = next((n for n, number in enumerate(expected, 1) if number > 1_000_000), len(expected) + 1) - 1
    depth = deepest if is_long else min(known.get("within", len(expected)), len(expected))
    state, walk = start(known), Walk(is_long)
    for level in range(1, depth + 1):
        found = walk.by_first_choice(state, level)
        assert sum(found.values()) == expected[level - 1], f"depth {level}, under each first choice:\n{told(found)}"


@pytest.mark.parametrize("file", [f for f in FILES if described(f).get("outcomes")], ids=lambda file: file.stem)
def test_complete_games(file: Path, is_long: bool) -> None:
    known = described(file)
    state, walk = start(known), Walk(is_long)
    under = {str(option): walk.endings(state.clone().apply(option)) for option in state.decision.options}
    found = sum(under.values(), Counter())
    firsts = told({label: ends.total() for label, ends in under.items()})
    assert found.total() == known["complete_games"], f"under each first choice:\n{firsts}"
    assert dict(found) == known["outcomes"], f"under each first choice:\n{firsts}"
