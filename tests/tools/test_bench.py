"""The bench counts what it says: limits in both directions, and only the containers that a clone really copies."""

from __future__ import annotations

import pytest

from tools.bench import Effort, Figure, copied_containers, figure, rates


class Slotted:
    __slots__ = ("fields", "frames", "tables")

    def __init__(self, fields: list[int], frames: list[list[int]], tables: list[int]) -> None:
        self.fields, self.frames, self.tables = fields, frames, tables


def test_shared_containers_are_not_counted() -> None:
    tables = [1, 2, 3]
    state = Slotted([1], [[1, 2], [3]], tables)
    clone = Slotted([1], [[1, 2], [3]], tables)
    assert copied_containers(state, clone) == [[1], [[1, 2], [3]], [1, 2], [3]]
    assert copied_containers(state, state) == []


@pytest.mark.parametrize(
    ("value", "at_least", "met"), [(0.9, True, True), (0.7, True, False), (0.7, False, True), (None, True, False)]
)
def test_limits(value: float | None, at_least: bool, met: bool) -> None:
    assert Figure("playouts", "a game", value, "x", 0.8, at_least).met is met


def test_a_failed_measurement_says_why_and_is_missed() -> None:
    def fail() -> tuple[float, str]:
        raise RuntimeError("no such game")

    found = figure("save", "a game", "bytes", fail, limit=1)
    assert not found.met and found.problem == "RuntimeError: no such game"


def test_rates_are_interleaved() -> None:
    calls: list[str] = []
    rates([lambda _: calls.append("a"), lambda _: calls.append("b")], Effort(0.0001, 3))
    order = [name for name, before in zip(calls, [None, *calls], strict=False) if name != before]
    assert order == ["a", "b"] * (len(order) // 2) and len(order) >= 6
