"""Which variants `validate` looks at together."""

from __future__ import annotations

import pytest

from interpreter.cli.combinations import combinations
from interpreter.ruleset.gathered import VariantInfo


def _variant(name: str, fewest: int = 2, most: int = 4, needs: str = "", excludes: str = "") -> VariantInfo:
    return VariantInfo(name, name, fewest, most, tuple(needs.split()), tuple(excludes.split()))


@pytest.mark.parametrize(
    ("variants", "names"),
    [
        ([], ["g"]),
        ([_variant("a")], ["g", "g+a"]),
        ([_variant("a"), _variant("b")], ["g", "g+a", "g+b", "g+a+b"]),
        ([_variant("a", excludes="b"), _variant("b")], ["g", "g+a", "g+b"]),
        ([_variant("a"), _variant("b", needs="a")], ["g", "g+a", "g+a+b"]),
        ([_variant("a", most=2), _variant("b", fewest=3)], ["g", "g+a", "g+b"]),
        (
            [_variant("a"), _variant("b", needs="c"), _variant("c", needs="a")],
            ["g", "g+a", "g+a+b+c", "g+a+c"],
        ),
    ],
)
def test_alone_each_and_each_pair_that_gets_along(variants: list[VariantInfo], names: list[str]) -> None:
    assert combinations("g", variants) == names


def test_whoever_names_variants_means_these() -> None:
    assert combinations("g+a", [_variant("a"), _variant("b")]) == ["g+a"]
    assert combinations("some+where/g", [_variant("a")]) == ["some+where/g", "some+where/g+a"]
