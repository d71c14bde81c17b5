"""The texts of one decision have one budget: whoever reads them is told in seconds which line takes too long, and the
game goes on."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from interpreter.cli.commands import exit_code_of
from interpreter.diagnostics.codes import CODES
from interpreter.runtime.game import game_from_program
from interpreter.web.scene import scene_of, why
from tests.toy_games import checked
from tests.trust.bounds.hostile import native_game
from tests.trust.bounds.test_checking import written

PATIENCE = 5.0  # CPU seconds
DEAR = "count(i in 1..3000, j in 1..3000 where i == n)"  # a third of a second

GAME = """table
  n: 0..900
play
  in turn p from seat1 until n > 899
    turn(p)
phase turn(p)
  choose one "Which?"
    "Take {a}" for a in 1..900
      n = a
"""
LABELS = GAME.replace("Take {a}", f"{{a}}: {{{DEAR}}}")
PROMPT = GAME.replace("Which?", f"Which, {{{DEAR}}}?")
TITLE = GAME.replace("phase turn(p)", f'phase turn(p) "Turn {{{DEAR}}}"')
SAID = GAME + f'      for z in 1..900\n        say "{{z}} {{{DEAR}}}"\n'
CALLED = LABELS.replace("table\n", f"value dear: 0..9000 = {DEAR}\ntable\n", 1).replace(f"{{{DEAR}}}", "{dear}")
NAMES = """kind Card
  copies 1 for each n: 1..3000
table
  heap: pool of Card open
setup
  move all c in Card to heap
play
  turn(seat1)
phase turn(p)
  choose one "Which?"
    "{c} of {heap}" for c in heap
"""
REFUSED = """table
  n: 0..900
play
  turn(seat1)
phase turn(p)
  choose one "Which?"
    "Take {a}" for a in 1..900
      n = a
      look(p)
    "Nothing"
    "Nothing else"
effect look(p)
  choose one "And then?"
    "This"
      n += 0
    "That"
      n += 0
  requires n > 899 "the count is {DEAR}"
""".replace("DEAR", DEAR)


@cache
def games(rules: str) -> list[Any]:
    """The game in Python; and in C where that differs in any way: texts are Python's."""
    program = checked(rules, 2)
    native = rules in (LABELS, REFUSED, SAID) and shutil.which("cc") is not None
    return [game_from_program(program), *([native_game(program)] if native else [])]


def in_time(read: Callable[[], Any]) -> Any:
    """What reading gives, or the fault that it meets, soon."""
    began = time.process_time()
    try:
        found = read()
    except rw.Fault as fault:
        found = fault
    assert time.process_time() - began < PATIENCE
    return found


@pytest.mark.parametrize(
    "rules, line, read",
    [
        (LABELS, 8, lambda state: [str(option) for option in state.decision.options]),
        (CALLED, 1, lambda state: [str(option) for option in state.decision.options]),
        (LABELS, 8, lambda state: state.decision.find("1: 1")),
        (LABELS, 8, lambda state: state.decision.why_not("1: 1")),
        (LABELS, 8, lambda state: state.observation(0)),
        (PROMPT, 7, lambda state: state.decision.prompt),
        (PROMPT, 7, lambda state: state.view(0)),
        (TITLE, 6, lambda state: state.path),
    ],
    ids=["labels", "labels of a value", "find", "why not", "observation", "prompt", "view", "title"],
)
def test_a_text_beyond_its_share_is_a_fault_with_its_line(rules: str, line: int, read: Any) -> None:
    for game in games(rules):
        state = game.new(seed=1)
        for _ in range(2):  # looking twice uses up nothing
            fault = in_time(lambda state=state: read(state))
            assert isinstance(fault, rw.Fault) and fault.diagnostic.code == "R0914"
            assert fault.rule == "turn" and fault.place is not None and fault.place[1] == line
        assert state.history == () and state.apply(2).history and state.apply(3) is state, "the game goes on"
        assert state.log() == (["seat1: 3", "seat2: 4"] if "Take" not in rules else ["seat1: Take 3", "seat2: Take 4"])
        assert in_time(lambda game=game, state=state: game.from_json(state.to_json()).history) == state.history
        assert in_time(lambda game=game: game.playout(5).over) is True


def test_names_are_counted_too() -> None:
    """Three thousand labels with three thousand names each: nothing is worked out, and yet there is much to say."""
    (game,) = games(NAMES)
    state = game.new(seed=1)
    fault = in_time(lambda: [str(option) for option in state.decision.options])
    assert isinstance(fault, rw.Fault) and fault.diagnostic.code == "R0914" and fault.rule == "turn"
    assert fault.place is not None and fault.place[1] == 10, "the decision"
    assert state.apply(0).over


def test_what_most_texts_take_is_not_counted() -> None:
    (game,) = games(GAME)
    assert game.meta.text_units == {} and str(game.new(seed=1).decision.options[4]) == "Take 5"


def test_a_dear_text_is_told_where_it_fits() -> None:
    """The same count, in two labels in place of nine hundred."""
    rules = LABELS.replace("1..900\n      n", "1..2\n      n").replace("3000", "900")
    for game in games(rules):
        assert [str(option) for option in game.new(seed=1).decision.options] == ["1: 0", "2: 0"]


def test_refusals_that_nobody_asks_about_are_not_worded() -> None:
    for game in games(REFUSED):
        state = in_time(lambda game=game: game.new(seed=1))
        assert [str(option) for option in state.decision.options] == ["Take 900", "Nothing", "Nothing else"]
        refusal = in_time(lambda state=state: state.decision.why_not("Take 7"))
        assert refusal.reason == "the count is 3000" and refusal.place[1] == 18


def test_what_is_said_counts_as_steps_on_every_backend() -> None:
    for game in games(SAID):
        fault = in_time(lambda game=game: game.new(seed=1).apply(0))
        assert isinstance(fault, rw.Fault) and fault.diagnostic.code == "R0903" and fault.rule == "turn"
        assert isinstance(in_time(lambda game=game: game.playout(3)), rw.Fault)


def test_a_search_for_a_reason_gives_up() -> None:
    """Twenty-seven million things that a decision goes over and does not offer."""
    rules = """play
  turn(seat1)
phase turn(p)
  choose one "Which?"
    "Take {a}, {b}, {c}" for a in 1..300 where a < 3, b in 1..300 where b == a, c in 1..300 where c == a
"""
    for game in games(rules):
        state = game.new(seed=1)
        for text in ("Take 299, 300, 300", "Take 299, 300, x"):
            refusal = in_time(lambda state=state, text=text: state.decision.why_not(text))
            assert refusal.reason == "too much would have to be looked through to say why"


@pytest.mark.parametrize("rules", [LABELS, PROMPT, TITLE], ids=["labels", "prompt", "title"])
def test_a_table_goes_on_without_the_text(rules: str) -> None:
    """In the browser options are called by what they bind, and the prompt says which line is to blame."""
    for game in games(rules):
        state = game.new(seed=1)
        scene = in_time(lambda game=game, state=state: scene_of(game, state, 0))
        asked = scene["decision"]
        assert [one["label"] for one in asked["options"][:2]] == (
            ["1", "2"] if rules is LABELS else ["Take 1", "Take 2"]
        )
        assert scene["status"]["path"] == ["Turn"]
        assert ("R0914, toy.rules:" in asked["prompt"]) == (rules is not TITLE)
        assert in_time(lambda game=game, state=state: why(game, state, 0, "Take 0"))["kind"] in ("refused", "unknown")


@pytest.mark.parametrize("command", ["play", "why"])
def test_commands_tell_it(tmp_path: Path, command: str, capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = written(tmp_path, "dear", LABELS)
    monkeypatch.chdir(tmp_path)
    words = ["play", str(folder), "--seat", "2=random"]
    if command == "why":
        (tmp_path / "kept.json").write_text(rw.load(str(folder)).new(seed=1).to_json())
        words = ["why", "kept.json", "1: 1"]
    began = time.process_time()
    assert exit_code_of(words) == 1
    assert time.process_time() - began < PATIENCE
    said = capfd.readouterr()
    assert "R0914" in said.out + said.err and "dear.rules:9" in said.out + said.err and "Traceback" not in said.err
    assert exit_code_of(["simulate", str(folder), "--games", "2", "--bots", "random"]) == 0


def test_the_code_is_explained() -> None:
    assert "texts" in CODES["R0914"].title
