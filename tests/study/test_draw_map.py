"""Drawings of maps: what stands on them, with and without a state; that they are well-formed and always the same."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

import interpreter as rw
from interpreter.cli.commands import exit_code_of
from interpreter.play.records import save_of, write_save
from interpreter.study import map_layout
from interpreter.study.draw_map import ROADS, draw_map

MAPS = Path(__file__).resolve().parent.parent / "cases" / "maps"


def game(name: str, players: int | None = None) -> rw.Game:
    return rw.load(str(MAPS / name), players=players)


def drawn(of: rw.Game, state: rw.State | None = None, board: int = 0) -> str:
    return draw_map(of.meta, of.meta.boards[board], state)


def words_in(drawing: str) -> list[str]:
    root = ElementTree.fromstring(drawing)
    return [element.text or "" for element in root.iter() if element.tag.endswith("text")]


def shapes(drawing: str, form: str) -> int:
    return len(re.findall(f"<{form} ", drawing))


def test_streets_with_names_boxes_and_further_maps() -> None:
    drawing = drawn(game("streets"))
    words = words_in(drawing)
    expected = {"Streets: town", "The Cinema", "Fountain", "High Street", "worth 3", "2 coins", "loop", "canals"}
    assert expected <= set(words)
    assert "cinema q1" not in words  # a name made of the ends says nothing
    assert drawing.count('width="15" height="15"') == 13  # a box for every slot
    assert shapes(drawing, "circle") == 0 and "seat1" not in words


def test_owners_and_pieces_of_a_state() -> None:
    toy = game("streets")
    state = toy.new(seed=1)
    state.apply(0)
    drawing = drawn(toy, state)
    assert {"seat1", "seat2"} <= set(words_in(drawing)) and "#d64541" in drawing
    hexes = game("island", 3)
    birds = drawn(hexes, hexes.new(seed=1))
    assert {"The Cave", "sand", "grass", "seat3", "1, 0"} <= set(words_in(birds))
    assert shapes(birds, "polygon") == 11 and shapes(birds, "circle") == 6 + 3  # hexes; birds and seats


def test_maps_without_positions_and_shapes_can_be_drawn() -> None:
    assert "cinema" in words_in(drawn(game("streets+small_town")))
    toy = game("shapes")
    for board in range(len(toy.meta.boards)):
        assert words_in(drawn(toy, board=board))
    grid = words_in(drawn(toy, board=0))
    assert grid[-1] == "Shapes: plain" and {"1", "2", "3", "4"} <= set(grid)


def test_the_same_drawing_every_time() -> None:
    toy = game("streets+small_town")
    assert drawn(toy) == drawn(toy)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = str(MAPS / "streets")
    toy = game("streets")
    state = toy.new(seed=3)
    state.apply(0)
    save, out = tmp_path / "a.save.json", tmp_path / "town.svg"
    write_save(save_of(toy, state, ["random", "random"]), save)
    assert exit_code_of(["show", name, "map", "-o", str(out), "--save", str(save)]) == 0
    assert out.read_text(encoding="utf-8") == drawn(toy, state)
    assert exit_code_of(["show", name, "map", "canals", "-o", str(out)]) == 0
    assert "Streets: canals" in out.read_text(encoding="utf-8")
    capsys.readouterr()
    assert exit_code_of(["show", name, "map"]) == 0
    shown = capsys.readouterr().out
    assert "q1       Square  Fountain    3      -        cinema, q2, q4" in shown
    assert "high_street  Street  High Street            2      1 coins           q1 - q2" in shown
    assert "q1_q4        Street  Fountain - q4" in shown
    pair = written(tmp_path, YARD.replace("for 2 players", "for 3 players"))
    write_save(save_of(pair, pair.new(seed=1), ["random"] * 3), save)
    assert exit_code_of(["show", "tic_tac_toe", "map", "-o", str(out), "--save", str(save)]) == 2
    assert "is a game of `yard`, not of `tic_tac_toe`" in capsys.readouterr().err


def test_kinds_of_edges_have_their_colours() -> None:
    drawing = drawn(game("fens"))
    assert drawing.count(f'stroke="{ROADS[1]}"') == 3
    assert "Dyke" in drawing and "Canal" in drawing
    assert ROADS[1] not in drawn(game("streets"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["map", "twon"], "has no map `twon`"),
        (["map", "-o", "town.jpg"], "cannot be written as `town.jpg`"),
        (["map", "--save", "none.json"], "--save is for the drawing of a map"),
        (["map", "-o", "town.svg", "--save", "none.json"], "there is no file"),
        (["map", "-o", "nowhere/town.svg"], "cannot be written"),
    ],
)
def test_misuse(arguments: list[str], words: str, tmp_path: Path, monkeypatch, capsys) -> None:
    name = str(MAPS / "streets")
    monkeypatch.chdir(tmp_path)
    assert exit_code_of(["show", name, *arguments]) == 2
    assert words in capsys.readouterr().err


def test_a_png_if_the_extra_is_there(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    out = tmp_path / "town.png"
    assert exit_code_of(["show", str(MAPS / "streets"), "map", "-o", str(out)]) == 0
    assert out.read_bytes().startswith(b"\x89PNG")


def test_what_is_said_if_the_extra_is_missing(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert exit_code_of(["show", str(MAPS / "streets"), "map", "-o", str(tmp_path / "town.png")]) == 2
    assert "pip install rulewright[draw]" in capsys.readouterr().err


YARD = """\
game yard "Yard" for 2 players
map yard is grid 2 by 2
  node Cell
  edge Wall
table
  fox: Cell = cell_2_2
each player
  at: Cell = cell_1_1
each Wall
  builder: player?
play
  in turn p from seat1 until every w in Wall has w.builder is not none
    build(p)
phase build(p)
  choose w in Wall where w.builder is none "Which wall?"
  w.builder = p
"""

LANES = """\
map: lanes
default: known
nodes: {Square: [{id: a, at: [0, 0], note: long_words_here}, {id: b, at: [9, 0], note: long_words_here}]}
edges: {Lane: [{ends: [a, b], prize: even_longer_words_here}]}
"""


def written(folder: Path, rules: str, **files: str) -> rw.Game:
    name = rules.split()[1]
    for file, text in {"ruleset.yaml": f"name: {name}\n", f"{name}.rules": rules, **files}.items():
        (folder / file).write_text(text)
    return rw.load(str(folder))


def test_where_somebody_stands_and_whose_a_border_is(tmp_path: Path) -> None:
    yard = written(tmp_path, YARD)
    state = yard.new(seed=1)
    before = drawn(yard, state)
    assert {"fox", "at", "seat1"} <= set(words_in(before))
    state.apply(0)
    assert shapes(drawn(yard, state), "path") == shapes(before, "path") + 2  # the wall and its outline
    assert "fox" not in words_in(drawn(yard))


def test_words_on_a_way_keep_off_the_places(tmp_path: Path) -> None:
    prizes = "enum Note = long_words_here | even_longer_words_here\n"
    board = "map lanes from lanes.yaml\n  node Square\n    note: Note\n  edge Lane\n    prize: Note\n"
    rules = f'game lanes "Lanes" for 2 players\n{prizes}{board}play\n  end game\n'
    lanes = written(tmp_path, rules, **{"lanes.yaml": LANES})
    root = ElementTree.fromstring(drawn(lanes))
    at = {element.text: float(element.get("y", 0)) for element in root.iter() if element.tag.endswith("text")}
    assert abs(at["even longer words here"] - at["long words here"]) > 25


def test_large_maps_take_fewer_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 4_000
    steps: list[int] = []
    monkeypatch.setattr(map_layout, "_pushes", lambda graph, at: steps.append(1) or {})
    board = SimpleNamespace(nodes=range(count), pairs=[(n, n + 1) for n in range(count - 1)])
    assert len(map_layout.spread_by_springs(board)) == count and not steps
    map_layout.spread_by_springs(SimpleNamespace(nodes=range(100), pairs=[(0, 1)]))
    assert len(steps) == 250
