"""The nearest known name."""

from __future__ import annotations

import pytest

from interpreter.diagnostics import did_you_mean, nearest

KNOWN = ["market", "deck", "discard", "hand", "p", "Kaiju"]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("markt", "market"),
        ("marekt", "market"),
        ("marketts", "market"),
        ("dek", "deck"),
        ("kaiju", "Kaiju"),
        ("discrad", "discard"),
        ("dice", None),
        ("treasure", None),
        ("market", None),
        ("", None),
        ("q", None),
    ],
)
def test_nearest(name: str, found: str | None) -> None:
    assert nearest(name, KNOWN) == found


def test_equals_are_taken_in_alphabetical_order() -> None:
    assert nearest("bat", ["cat", "bar", "hat"]) == "bar"


def test_help_line() -> None:
    assert did_you_mean("markt", KNOWN) == "did you mean `market`?"
    assert did_you_mean("treasure", KNOWN) is None
