"""Which variants `validate` looks at together."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.cli.combinations import combinations
from interpreter.cli.validate import _findings_of
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


TWO_VARIANTS = """\
game toy "Toy" for 2 players
each player
  coins: 0..9
play
  turn(seat1)
effect turn(p)
  gain up to 1 coins
rank p by highest p.coins, then shared
variant loud of toy "Loud"
  effect cheer(p)
    gain up to 2 coins
  effect sing(p)
    hum(p)
  effect hum(p)
    gain up to 3 coins
variant glad of toy "Glad"
  needs loud
  after turn(p)
    cheer(p)
"""


TWO_WORDINGS = """\
game toy "Toy" for 2 players
kind Town
  copies 3
kind Island
  copies 3
table
  deck: pile of Town open
setup
  move all c in Town to deck
play
  if some t in deck has t == seat1
    draw 1 from deck to box
rank p by highest 1, then shared
variant isles of toy "Isles"
  replace table
    deck: pile of Town | Island open
"""


def findings(folder: Path, rules: str) -> list[tuple[str, str]]:
    (folder / "toy").mkdir()
    (folder / "toy" / "ruleset.yaml").write_text("name: toy\n")
    (folder / "toy" / "toy.rules").write_text(rules)
    _, found = _findings_of("./toy")
    return [(one.code, one.headline) for one in found]


def test_one_finding_where_a_variant_only_changes_the_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert findings(tmp_path, TWO_WORDINGS) == [("R0447", "a Town is never a player")]


def test_a_rule_of_a_variant_that_no_combination_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`cheer` is called with both variants only; `sing` calls `hum`, and nobody calls `sing`."""
    monkeypatch.chdir(tmp_path)
    assert findings(tmp_path, TWO_VARIANTS) == [("R0757", "nobody calls the effect `sing`")]


WITH_A_HISTORY = """\
game toy "Toy" for 2 players

table
  total: 0..9

history before of 3
  total

setup
  total = 0

play
  in turn p from seat1 until total == 4
    total += 1
    remember before
    if seen(before) == 3
      end game "Again"

variant longer of toy "Longer"
  after setup
    total = 1
"""


def test_what_a_history_brings_is_no_rule_of_a_variant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody says `forget before`, and nobody has to."""
    monkeypatch.chdir(tmp_path)
    assert findings(tmp_path, WITH_A_HISTORY) == []
