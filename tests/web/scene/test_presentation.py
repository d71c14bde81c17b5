"""table.yaml: what it may say, what is reported, and what it changes."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from interpreter.check.presentation import check_presentation
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.ruleset.drawings import UnsafeDrawing, safe_drawing
from interpreter.ruleset.find import own_rulesets
from interpreter.ruleset.fingerprint import fingerprint_of
from interpreter.web.scene import scene_of
from interpreter.web.scene.presentation import NOTHING, Presentation

WITH_LOOKS = ("pikit", "kikai", "flatiron", "kiwi_chow_down", "bricolage_heads")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("looks") / "pikit"
    shutil.copytree(own_rulesets() / "pikit", made)
    return made


def findings(folder: Path, text: str) -> list[tuple[str, str, str | None, int]]:
    (folder / "table.yaml").write_text(text, encoding="utf-8")
    found = Diagnostics()
    check_presentation(folder, [rw.load("pikit").program], found)
    return [(one.code, one.headline, one.help, one.primary.span.line) for one in found]


@pytest.mark.parametrize(
    ("text", "code", "words", "line"),
    [
        ("kinds:\n  Kajiu: {look: card}\n", "R0266", "the rules have no kind `Kajiu`", 2),
        ("score: wonds\n", "R0266", "the rules have no counter `wonds`", 1),
        ("values:\n  Trick:\n    rerol: {symbol: die}\n", "R0266", "the rules have no value of `Trick` `rerol`", 3),
        ("areas:\n  - {column: board, items: [markt]}\n", "R0266", "the rules have no place, counter, map or chart", 2),
        ("hide: [player.hnd]\n", "R0266", "the rules have no place or counter `hnd`", 1),
        ("kinds:\n  Kaiju: {figure: valeu}\n", "R0266", "the rules have no attribute `valeu`", 2),
        ("picture: nothing_like_it\n", "R0266", "the rules have no map, kind or drawing `nothing_like_it`", 1),
        ("kinds:\n  Kaiju: {look: cart}\n", "R0213", "", 2),
        ("colours: red\n", "R0210", "", 1),
        ("drawings:\n  a: '<svg viewBox=\"0 0 1 1\"><script/></svg>'\n", "R0267", "this drawing cannot be used", 2),
    ],
)  # fmt: skip
def test_what_is_wrong_is_reported_where_it_stands(folder: Path, text: str, code: str, words: str, line: int) -> None:
    (found,) = findings(folder, text)
    assert (found[0], found[3]) == (code, line) or (code == "R0213" and found[3] == line)
    assert found[1].startswith(words)
    assert found[2]


def test_a_near_name_is_proposed(folder: Path) -> None:
    assert findings(folder, "kinds:\n  Kajiu: {look: card}\n")[0][2] == "did you mean `Kaiju`?"


@pytest.mark.parametrize("name", WITH_LOOKS)
def test_the_shipped_ones_are_clean(name: str) -> None:
    found = Diagnostics()
    variants = {"kikai": "kikai+advanced", "flatiron": "flatiron+solo"}.get(name, name)
    check_presentation(own_rulesets() / name, [rw.load(name).program, rw.load(variants).program], found)
    assert not found.found


def test_looks_are_no_part_of_the_fingerprint(folder: Path) -> None:
    (folder / "table.yaml").write_text("score: wounds\n", encoding="utf-8")
    with_looks = fingerprint_of(str(folder), 2)
    (folder / "table.yaml").unlink()
    assert with_looks == fingerprint_of(str(folder), 2)


def test_a_table_of_the_rules_may_have_that_name(folder: Path) -> None:
    bare = fingerprint_of(str(folder), 2)
    (folder / "table.yaml").write_text("kind: Kaiju\ndefault: known\nrows: []\n", encoding="utf-8")
    assert fingerprint_of(str(folder), 2) != bare
    (folder / "table.yaml").unlink()


# ---------------------------------------------------------------------------- drawings

GOOD = '<svg viewBox="0 0 9 9"><g fill="#fff"><path d="M0 0L9,9z"/><circle cx="4" cy="4" r="3.5"/></g></svg>'


def test_a_safe_drawing_is_written_anew() -> None:
    path, circle = '<path d="M0 0L9,9z"></path>', '<circle cx="4" cy="4" r="3.5"></circle>'
    assert safe_drawing(GOOD) == f'<svg viewBox="0 0 9 9"><g fill="#fff">{path}{circle}</g></svg>'


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>", "<style>*{}</style>", "<a href='http://x'/>", "<image href='http://x'/>",
        "<circle onload='x()'/>", "<use href='#a'/>", "<rect fill='url(#a)'/>", "<foreignObject/>", "<text>x</text>",
        "words", "<path d='M0 0 &lt;script'/>", "<animate/>", "<g style='fill:red'/>", "<!-- x -->", "<set/>",
        "<circle r='1' xlink:href='x' xmlns:xlink='http://www.w3.org/1999/xlink'/>", "<rect fill='javascript:x'/>",
    ],
)  # fmt: skip
def test_everything_else_is_refused(inside: str) -> None:
    with pytest.raises(UnsafeDrawing):
        safe_drawing(f'<svg viewBox="0 0 9 9">{inside}</svg>')


def test_entities_and_bombs_are_refused() -> None:
    with pytest.raises(UnsafeDrawing):
        safe_drawing('<!DOCTYPE a [<!ENTITY b "c">]><svg viewBox="0 0 9 9"/>')
    with pytest.raises(UnsafeDrawing):
        safe_drawing(f'<svg viewBox="0 0 9 9">{"<g>" * 400}{"</g>" * 400}</svg>')
    with pytest.raises(UnsafeDrawing):
        safe_drawing("<svg")


# ---------------------------------------------------------------------------- what it changes


def looking(data: dict[str, Any], name: str = "pikit") -> dict[str, Any]:
    game = rw.load(name)
    return scene_of(game, game.new(seed=1), 0, presentation=Presentation(data))


def test_areas_come_in_the_order_of_the_file() -> None:
    scene = looking(
        {"areas": [{"column": "left", "items": ["dice", "deck"], "title": {"en": "A", "fr": "B"}, "folded": True}]}
    )
    first = scene["areas"][0]
    assert (first["column"], first["items"], first["title"], first["folded"]) == ("left", ["dice", "deck"], "A", True)
    assert all("deck" not in area["items"] for area in scene["areas"][1:])


def test_what_is_in_the_tray_of_others_is_in_their_panel() -> None:
    scene = looking({"areas": [{"column": "tray", "items": ["hand"]}]})
    assert [(area["column"], area["seat"]) for area in scene["areas"][:2]] == [("tray", 0), ("seat", 1)]


def test_names_colours_and_looks() -> None:
    data = {
        "names": {"market": "Shop"},
        "kinds": {"Kaiju": {"look": "tile", "title": "trick", "figure": "none"}},
        "values": {"Trick": {"steal": {"colour": "#ABCDEF", "symbol": "hand"}}},
        "seats": {"colours": ["#101010"]},
        "symbols": {"wounds": "skull"},
        "units": {"wounds": "w"},
        "hide": ["first"],
    }
    scene = looking(data)
    stealing = [piece for piece in scene["pieces"] if piece.get("label") == "steal"]
    assert stealing and all(
        (one["look"], one["tint"], one["symbol"]) == ("tile", "#abcdef", "hand") for one in stealing
    )
    assert all(one["title"] == "Steal" and "figure" not in one for one in stealing)
    assert next(place["name"] for place in scene["places"] if place["id"] == "market") == "Shop"
    assert scene["seats"][0]["colour"] == "#101010" and scene["seats"][1]["colour"] != "#101010"
    wounds = next(counter for counter in scene["counters"] if counter["id"] == "p0.wounds")
    assert (wounds["symbol"], wounds["unit"]) == ("skull", "w")
    assert all(counter["declared"] != "first" for counter in scene["counters"])


def test_a_map_may_be_turned_over_and_checkered() -> None:
    plain = looking({}, "tic_tac_toe")["maps"][0]
    turned = looking({"maps": {"board": {"upside_down": True, "checkered": True}}}, "tic_tac_toe")["maps"][0]
    at = {node["id"]: node["y"] for node in turned["nodes"]}
    assert turned["checkered"] and turned["orientation"] == "row 1 at the top"
    assert all(at[node["id"]] == 2 - node["y"] for node in plain["nodes"])


def test_a_track_is_made_from_a_chart() -> None:
    game = rw.load("kikai")
    scene = scene_of(game, game.new(seed=1), 0)
    track = next(track for track in scene["tracks"] if track["id"] == "t.energy_track")
    assert len(track["cells"]) == 20 and [marker["cell"] for marker in track["markers"]] == [None, None]
    assert scene_of(game, game.new(seed=1), 0, presentation=NOTHING)["tracks"][0]["id"] == "t.fame"
