"""Comparing: the tests against known figures, and two games side by side."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from interpreter.cli.commands import exit_code_of
from interpreter.study.comparison_page import comparison_page
from interpreter.study.statistics import holm, incomplete_beta, proportions_test, welch_test

SCHEMA = Path(__file__).parents[2] / "schemas" / "comparison.schema.json"


def test_incomplete_beta_is_a_binomial_tail() -> None:
    assert incomplete_beta(2, 3, 0.4) == pytest.approx(0.5248)
    assert incomplete_beta(5, 1, 0.5) == pytest.approx(0.5**5)
    assert (incomplete_beta(2, 2, 0), incomplete_beta(2, 2, 1)) == (0, 1)


def test_welch_against_the_t_distribution() -> None:
    """Equal sizes and spreads: t = -1 with 8 degrees of freedom has the two-sided chance 0.34659."""
    assert welch_test([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]) == pytest.approx(0.346594, abs=1e-6)
    assert welch_test([1, 1], [1, 1]) == 1
    assert welch_test([1, 1], [2, 2]) == 0
    assert welch_test([1], [2]) == 1


def test_proportions_against_the_normal_distribution() -> None:
    assert proportions_test(30, 100, 45, 100) == pytest.approx(0.028460, abs=1e-6)
    assert proportions_test(0, 10, 0, 10) == 1
    assert proportions_test(0, 0, 1, 2) == 1


def test_holm_corrects_the_smallest_most() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []


def test_two_games_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        exit_code_of(["compare", "nim", "nim+last_wins", "--bots", "random", "--games", "60", "--format", "json"]) == 0
    )
    shown = json.loads(capsys.readouterr().out)
    jsonschema.validate(shown, json.loads(SCHEMA.read_text(encoding="utf-8")))
    lines = {line["name"]: line for line in shown["lines"]}
    assert lines["ends with: Took the last counter"]["figures"] == [0, 1]
    assert lines["ends with: Took the last counter"]["significant"]
    assert not lines["choices of all players (two or more options)"]["significant"]
    assert shown["rules"][0] == {"what": "constant", "name": "last_to_take_wins", "lines": ["no -> yes"]}


def test_few_pairs_that_differ_alike_promise_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Three pairs, and the other side wins in each: no spread, so nothing says that 0.0 points could be shown."""
    asked = ["compare", "nim", "nim+last_wins", "--bots", "first,random", "--format", "json", "--games"]
    assert exit_code_of([*asked, "3"]) == 0
    line = next(line for line in json.loads(capsys.readouterr().out)["lines"] if line["name"] == "first wins")
    assert (line["difference"], line["significant"], line["smallest"]) == (-1, False, 1)
    assert "100.0 points less in all 3 pairs, which is too few to be sure" in line["sentence"]
    assert exit_code_of([*asked, str(line["needed"])]) == 0
    line = next(line for line in json.loads(capsys.readouterr().out)["lines"] if line["name"] == "first wins")
    assert line["difference"] != -1 or line["significant"]


def test_figures_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.json"
    asked = [
        "compare",
        "nim",
        "nim+last_wins",
        "--bots",
        "random",
        "--games",
        "10",
        "--json",
        str(file),
        "--format",
        "json",
    ]
    assert exit_code_of(asked) == 0
    assert json.loads(file.read_text(encoding="utf-8")) == json.loads(capsys.readouterr().out)
    assert exit_code_of(["compare", "nim", "nim", "--json", str(tmp_path / "nowhere" / "figures.json")]) == 2


def test_the_page_shows_what_the_data_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "page.html"
    asked = [
        "compare",
        "nim",
        "nim+last_wins",
        "--bots",
        "random",
        "--games",
        "60",
        "--html",
        str(file),
        "--format",
        "json",
    ]
    assert exit_code_of(asked) == 0
    lines = json.loads(capsys.readouterr().out)["lines"]
    page = file.read_text(encoding="utf-8")
    rows = re.findall(r"<tr(?: class=\"(\w+)\")?><td>(.*?)</td>", page)
    assert rows == [("significant" if line["significant"] else "", line["name"]) for line in lines]
    assert '<td class="n">0.0 %<div class="bar"><i style="width:0.0%">' in page
    assert '<td class="n">100.0 %<div class="bar"><i class="second" style="width:100.0%">' in page
    assert "2 players, 60 games each from seed 0, bots random" in page
    assert "<script" not in page and "http" not in page


def test_names_on_the_page_are_text() -> None:
    """A title or an ending may have signs that mean something in HTML."""
    line = {"name": "ends: <b> & co", "kind": "mean", "figures": [0, 0], "sd": [0, 1], "difference": 0, "chance": 1}
    one = {"game": "a", "title": "A < B", "fingerprint": ""}
    line |= {"interval": [-1, 1], "smallest": 1, "needed": None, "gain": 1.0, "games": 2, "sentence": "<b>"}
    data = {"players": 2, "games": 2, "seed": 0, "bots": ["random"], "compared": [one, one], "cautions": ["<b>"]}
    data |= {"spread": False, "sentences": ["<b>"], "rules": [{"what": "rule", "name": "<b>", "lines": ["<b>"]}]}
    page = comparison_page({**data, "lines": [{**line, "significant": False}]})
    assert "<td>ends: &lt;b&gt; &amp; co</td>" in page and "<p>A &lt; B</p>" in page and "<b>" not in page


def test_a_page_needs_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [
        "compare",
        "nim",
        "nim+last_wins",
        "--bots",
        "random",
        "--games",
        "100000",
        "--html",
        str(tmp_path / "nowhere" / "page.html"),
    ]
    assert exit_code_of(asked) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_a_game_does_not_differ_from_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(["compare", "tic_tac_toe", "tic_tac_toe", "--bots", "random", "--games", "40"]) == 0
    shown = capsys.readouterr().out
    assert "No figure is shown to differ." in shown and "nothing: both have the same rules" in shown


def test_silence_is_no_answer_about_the_first_seat(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(["compare", "nim", "nim", "--bots", "random", "--games", "4"]) == 0
    shown = capsys.readouterr().out
    assert "No figure is shown to differ." in shown and "Wins of the first seat: the same in every pair" in shown


EDITED = """
game {name} "Race" for 2 players
constant goal: 3..30 = {goal}
constant quick: flag = {quick}
table
  die: 1 dice of 1..6
each player
  at: 0..60 = 0
play
  in turn p from seat1
    turn(p)
phase turn(p) {title}                                                              @R-1
  roll die            # {remark}
  choose one "How far?"
    "The die"
      p.at += die[1].face
    "{short}"
      p.at += {step}
  if p.at >= goal
    p wins "Home"
"""


def written(folder: Path, **values: object) -> str:
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(f"format: 1\nname: {folder.name}\ntitle: Race\n", encoding="utf-8")
    text = EDITED.format(name=folder.name, **values).lstrip()
    (folder / f"{folder.name}.rules").write_text(text.replace("@R-1", ""), encoding="utf-8")
    return str(folder)


def test_rules_differ_in_the_words_of_their_authors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is shown can be found in the files: no brackets, numbers or words of the checker; comments do not count."""
    ours = written(tmp_path / "one", goal=9, quick="yes", title="", remark="at once", short="One # step", step=1)
    theirs = written(tmp_path / "two", goal=12, quick="no", title='"Turn"', remark="!", short="One # step", step=2)
    assert exit_code_of(["compare", ours, theirs, "--bots", "random", "--games", "20", "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    jsonschema.validate(shown, json.loads(SCHEMA.read_text(encoding="utf-8")))
    place = shown["rules"][2].pop("at")
    assert place.endswith("two.rules:11")
    assert shown["rules"] == [
        {"what": "constant", "name": "goal", "lines": ["9 -> 12"]},
        {"what": "constant", "name": "quick", "lines": ["yes -> no"]},
        {
            "what": "rule",
            "name": 'phase turn(p) "Turn"',
            "lines": ["- phase turn(p)", '+ phase turn(p) "Turn"', "-       p.at += 1", "+       p.at += 2"],
        },
    ]
    shown["rules"][2]["at"] = place
    assert f"{place}</summary><pre>- phase turn(p)\n+ phase turn(p) &quot;Turn&quot;\n" in comparison_page(shown)
    assert exit_code_of(["compare", ours, ours, "--bots", "random", "--games", "20"]) == 0
    assert "nothing: both have the same rules and data" in capsys.readouterr().out


def test_a_smaller_board_is_told_by_the_names_of_its_spaces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Spaces are numbered otherwise on another board, so values are laid side by side by name; none is a word."""
    folder = tmp_path / "heath"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("name: heath\n")
    (folder / "herbs.yaml").write_text(
        "kind: Herb\ndefault: known\nrows:\n"
        "  - {id: mint, grows: {dry: 1, wet: 2}, likes: dry}\n  - {id: sage, grows: {dry: 0, wet: 1}}\n"
    )
    (folder / "other.yaml").write_text(
        "kind: Herb\ndefault: known\nrows:\n"
        "  - {id: sage, grows: {dry: 0, wet: 1}, likes: wet}\n  - {id: mint, grows: {dry: 1, wet: 3}}\n"
    )
    (folder / "heath.rules").write_text("""game heath "Heath" for 2 players
constant size: 2..5 = 4
enum Soil = dry | wet
kind Herb from herbs.yaml
  grows[Soil]: 0..3
  likes: Soil?
map board is grid size by size
  node Spot
  edge Path
each Spot
  owner: player?
play
  in turn p from seat1 until every s in Spot has s.owner is not none
    choose s in Spot where s.owner is none and s.row + s.column < 20
    s.owner = p
    for h in Herb where h.likes == dry and h.grows[wet] == 9
      s.owner = none
variant small of heath "Small"
  set size = 2
variant wild of heath "Wild"
  replace kind Herb from other.yaml
    grows[Soil]: 0..3
    likes: Soil?
""")
    assert exit_code_of(["compare", str(folder), f"{folder}+small", "--bots", "random", "--games", "2"]) == 0
    told = capsys.readouterr().out.split("What that changes")[0]
    assert "constant size: 4 -> 2" in told
    assert "space spot_1_3, spot_1_4, spot_2_3, spot_2_4 and 8 more: only in the first" in told
    assert "table" not in told
    assert "2147483648" not in told
    assert exit_code_of(["compare", str(folder), f"{folder}+wild", "--bots", "random", "--games", "2"]) == 0
    told = capsys.readouterr().out.split("What that changes")[0]
    assert "mint: 1, 2 -> 1, 3" in told
    assert "mint: Soil.dry -> none" in told
    assert "sage: none -> Soil.wet" in told
