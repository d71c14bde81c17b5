"""Names and paths: where a ruleset is looked for, and what is said when it is not there."""

from __future__ import annotations

import pytest

from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.ruleset.fingerprint import fingerprint_of
from interpreter.ruleset.listing import list_rulesets


def test_a_name_is_found_in_rulesets_of_the_current_folder(workshop) -> None:
    workshop.toy()
    assert workshop.good("toy").folder == workshop.folder / "rulesets" / "toy"


def test_a_path_with_a_variant(workshop) -> None:
    workshop.toy(more_rules='variant big of toy "Big"\n  set size = 5\n')
    assert workshop.good("rulesets/toy+big").name == "toy+big"
    assert workshop.good("./rulesets/toy").name == "toy"


def test_the_path_variable_comes_after_the_current_folder(workshop, tmp_path, monkeypatch) -> None:
    workshop.toy()
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / "rulesets").rename(elsewhere)
    monkeypatch.setenv("RULEWRIGHT_PATH", f"{tmp_path / 'nowhere'}:{elsewhere}")
    assert workshop.good("toy").folder == elsewhere / "toy"
    workshop.toy()
    assert workshop.good("toy").folder == tmp_path / "rulesets" / "toy"


def test_rulesets_of_the_program_come_last(workshop) -> None:
    assert workshop.good("tic_tac_toe").title == "Tic-tac-toe"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("toi", "R0220 command line:1 there is no ruleset `toi` / did you mean `toy`?"),
        ("zzzzzzzz", "R0220 command line:1 there is no ruleset `zzzzzzzz` / `rulewright list` shows what is there"),
        ("", "R0220 command line:1 there is no ruleset `` / `rulewright list` shows what is there"),
        ("some/where", "R0220 command line:1 there is no folder `some/where` / `rulewright list` shows what is there"),
        ("rulesets", "R0221 command line:1 the folder `rulesets` is no ruleset"),
        ("rulesets/toy/toy.rules", "R0221 command line:1 the file `rulesets/toy/toy.rules` is no ruleset"),
        ("toy+bgi", "R0222 command line:1 `toy` has no variant `bgi` / did you mean `big`?"),
        ("toy+", "R0222 command line:1 a `+` without a variant"),
        ("toy+big+big", "R0222 command line:1 the variant `big` is named twice"),
        ("toy\0", "R0220 command line:1 there is no ruleset `toy\0`"),
    ],
)
def test_what_is_not_there(workshop, name: str, told: str) -> None:
    workshop.toy(more_rules='variant big of toy "Big"\n  set size = 5\n')
    [finding] = workshop.bad(name)
    assert finding.startswith(told)


def test_a_finding_points_at_the_variant(workshop) -> None:
    workshop.toy()
    _, [finding] = workshop.gather("toy+large")
    assert finding.primary.span.text == "large"


def test_player_counts(workshop) -> None:
    workshop.toy()
    assert workshop.good("toy").players == 2
    assert workshop.good("toy", 4).players == 4
    assert workshop.bad("toy", 5) == ["R0223 command line:1 `toy` is not for 5 players / it is for 2 to 4 players"]
    assert workshop.bad("toy", 1) == ["R0223 command line:1 `toy` is not for 1 player / it is for 2 to 4 players"]


def test_listing_knows_titles_players_and_variants_without_parsing(workshop) -> None:
    workshop.toy(
        more_rules="""
        variant big of toy "Big" for 3 players
          set size = 5

        scenario "One" for 2 players
          nonsense
        """
    )
    workshop.write("broken/ruleset.yaml", "nmae: broken\n")
    found = Diagnostics()
    summary = next(summary for summary in list_rulesets(found) if summary.name == "toy")
    assert (summary.title, summary.fewest, summary.most, summary.scenarios) == ("Toy", 2, 4, 1)
    assert [(variant.name, variant.title) for variant in summary.variants] == [("big", "Big")]
    assert {finding.code for finding in found} == {"R0210", "R0211"}


def test_the_fingerprint_is_that_of_the_gathered_game(workshop) -> None:
    workshop.toy(more_rules='variant big of toy "Big" for 3..4 players\n  set size = 5\n')
    for name, players in (("toy", None), ("toy", 3), ("toy+big", None)):
        assert workshop.good(name, players).fingerprint == fingerprint_of(name, players)
    assert fingerprint_of("toy", 2) == fingerprint_of("toy", None) == fingerprint_of("rulesets/toy", 2)
    prints = {fingerprint_of("toy", 2), fingerprint_of("toy", 3), fingerprint_of("toy+big", 3)}
    workshop.write("toy/cards.yaml", "kind: Card\ndefault: known\nrows: []\n")
    assert len(prints | {fingerprint_of("toy", 2)}) == 4
    assert fingerprint_of("nothing_like_it", 2) is None


def test_a_file_that_leads_out_of_the_folder_is_refused(workshop, tmp_path) -> None:
    workshop.toy()
    cards = workshop.folder / "rulesets/toy/cards.yaml"
    cards.rename(tmp_path / "elsewhere.yaml")
    cards.symlink_to(tmp_path / "elsewhere.yaml")
    [finding] = workshop.bad()
    assert finding.startswith("R0201 toy.rules:4 the file `cards.yaml` is outside of the ruleset")
