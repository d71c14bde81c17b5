"""Programs that use the package wrongly get the project's own errors, and a state that is as it was."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from interpreter.cli.commands import exit_code_of
from interpreter.native.unavailable import NativeUnavailable
from tests.trust.small import RULES, command, ruleset

FALL = """game fall "Fall" for 1 players

kind Card "card"
  copies 3

table
  height: 0..5 = 5
  steps: 0..9
  deck: pile of Card open
  out: pile of Card open

setup
  move all c in Card to deck

play
  repeat 9 times
    drop(seat1)

phase drop(p)
  choose n in 1..2 "How far?"
  steps += 1
  if deck is not empty
    move top of deck to out
  height -= n
"""


@pytest.fixture(params=["python", "native"], scope="module")
def fall(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """One game for all tests: they take states of it, and a library is built only once."""
    game = rw.load(str(ruleset(tmp_path_factory.mktemp("fall"), FALL, "fall")), backend=request.param)
    if request.param == "native" and getattr(game, "engine", None) is None:
        pytest.skip(f"no compiler: {getattr(game, 'reason', '')}")
    return game


@pytest.mark.xdist_group("fall")  # in one worker, which builds the library
@pytest.mark.parametrize("looks", ["never", "always", "untracked", "scripted"])
def test_after_a_fault_the_state_is_as_before_the_choice(fall: Any, looks: str) -> None:
    try:
        state = fall.untracked(3) if looks == "untracked" else fall.new(3, script=[])
    except NativeUnavailable as problem:
        pytest.skip(str(problem))
    if looks == "scripted":
        state.may_defer = False
    state.apply(1).apply(1)
    for _ in range(3):
        if looks == "always":
            state.view(None), state.log()
        before = state.clone()
        with pytest.raises(rw.Fault, match="height"):
            state.apply(1)
        assert state == before and state.history == before.history == (1, 1)
        assert state.f == before.f and state.p == before.p and state.k == before.k and not state.over
        if looks != "untracked":
            assert state.to_json() == before.to_json() and state.log() == before.log()
    assert state.apply(0).history == (1, 1, 0)


def test_an_interrupted_choice_did_not_happen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = rw.load(str(ruleset(tmp_path)))
    state = game.new(seed=1)
    before = state.to_json()

    def interrupted(*_: Any) -> None:
        state.f[0] = 9
        raise KeyboardInterrupt

    for defers in (True, False):
        state.may_defer = defers
        with monkeypatch.context() as patched:
            patched.setattr(game.machine, "run", interrupted)
            with pytest.raises(KeyboardInterrupt):
                state.apply(0)
        assert state.to_json() == before


def test_options_of_others_are_refused() -> None:
    nim, kalah = rw.load("nim"), rw.load("kalah")
    state, other = nim.new(seed=1), kalah.new(seed=1)
    option = state.decision.options[3]
    with pytest.raises(rw.RefusedChoice):
        other.apply(option)
    elsewhere = nim.new(seed=1).apply(0)
    with pytest.raises(rw.RefusedChoice):
        elsewhere.apply(option)
    past = state.decision.options[0]
    state.apply(option)
    with pytest.raises(rw.RefusedChoice):
        state.apply(past)
    copy = state.clone()
    assert copy.apply(state.decision.options[0]).history[:1] == state.history  # a copy stands where the state stands
    with pytest.raises(rw.RefusedChoice):
        rw.load("nim+last_wins").new(seed=1).apply(nim.new(seed=1).decision.options[0])


@pytest.mark.parametrize("wrong", [-1, 9, "0", 1.0, True, [0], object()])
def test_a_seat_that_is_not_there(wrong: Any) -> None:
    state = rw.load("nim").new()
    for ask in (state.view, state.log, state.observation, state.information, state.worlds, state.client_json):
        with pytest.raises(rw.WrongUse, match="seat"):
            ask(wrong)
    with pytest.raises(rw.WrongUse):
        state.determinize(wrong, 1)


@pytest.mark.parametrize("wrong", [None, "7", 1.5, [1], object()])
def test_seeds_are_whole_numbers(wrong: Any) -> None:
    game = rw.load("nim")
    for ask in (
        game.new,
        game.untracked,
        game.playout,
        game.new().playout,
        lambda seed: game.new().determinize(0, seed),
    ):
        with pytest.raises(rw.WrongUse, match="whole number"):
            ask(wrong)
    assert game.new(seed=-(10**30)).seed == -(10**30)
    assert game.new(seed=True).history == ()


@pytest.mark.parametrize("wrong", [None, "Take 1", 1.5, True, 99, -99, object(), (0,)])
def test_what_is_no_option_is_unknown(wrong: Any) -> None:
    state = rw.load("nim").new()
    with pytest.raises(rw.IllegalChoice):
        state.apply(wrong)


@pytest.mark.xdist_group("fall")
def test_native_states_take_options_and_refuse_what_is_none(fall: Any) -> None:
    state = fall.new(3)
    option = state.decision.options[1]
    assert state.apply(option).history == (1,) and state.apply(-2).history == (1, 0)
    for wrong in (option, 7, -7, None, "1", True, 1.0):
        with pytest.raises(rw.IllegalChoice):
            state.apply(wrong)
    assert state.history == (1, 0)


def test_scripts_that_are_none() -> None:
    poker = rw.load("kuhn_poker")
    for script in ([("shuffle", "nowhere", [])], [("shuffle", "deck", ["nobody"])], [1], "x", [("shuffle",)], 5):
        with pytest.raises(rw.WrongUse, match="script"):
            poker.new(script=script)  # type: ignore[arg-type]


def test_players_and_names_of_the_wrong_kind() -> None:
    for name in ("", "+", "nim+", "../nim/..", "\0", "a" * 5000, "nim+" + "x" * 300, "\ud800"):
        with pytest.raises(rw.RulesetError):
            rw.load(name)
    for players in (99, 10**20):
        with pytest.raises(rw.RulesetError):
            rw.load("nim", players)
    for wrong in (0, -1, "2", 2.0, True):
        with pytest.raises(rw.WrongUse, match="whole number"):
            rw.load("nim", wrong)  # type: ignore[arg-type]
    with pytest.raises(rw.WrongUse, match="text"):
        rw.load(7)  # type: ignore[arg-type]


def test_refusals_belong_to_the_state() -> None:
    """Two threads ask one game, each about its own state, and get their own answers."""
    game = rw.load("nim")
    one, other = game.new(seed=1), game.new(seed=1).apply(0)
    wanted = {0: "Take 9 from pile 4", 1: "Take 7 from pile 1"}
    alone = [state.decision.why_not(wanted[n]) for n, state in enumerate((one, other))]
    wrong: list[Any] = []

    def asks(number: int, state: Any) -> None:
        for _ in range(40):
            if state.clone().decision.why_not(wanted[number]) != alone[number]:
                wrong.append(number)

    threads = [threading.Thread(target=asks, args=pair) for pair in ((0, one), (1, other))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and alone[0] != alone[1]


# ---------------------------------------------------------------------------- texts and names that grow


def test_labels_of_many_holes_are_looked_up_in_linear_time(tmp_path: Path) -> None:
    holes = "{k} " * 12
    game = rw.load(
        str(
            ruleset(
                tmp_path,
                RULES.replace(
                    'choose k in 1..2 "How far?"',
                    f'''choose one "How far?"
    "{holes}" for k in 1..2
      n += k
    "{holes}." for k in 1..2
      n += k''',
                ).replace("\n  n += k\n", "\n"),
            )
        )
    )
    decision = game.new().decision
    began = time.process_time()
    for text in ("1 " * 60, "1" * 3000, "1 1 1 1 1 1 1 1 1 1 1 1", " " * 500):
        with pytest.raises((rw.UnknownChoice, rw.AmbiguousChoice, rw.RefusedChoice)):
            decision.find(text + "?")
    assert time.process_time() - began < 1


def test_forms_of_labels() -> None:
    from types import SimpleNamespace

    from interpreter.runtime.reasons import has_form

    def fits(parts: tuple[Any, ...], text: str) -> bool:
        meta: Any = SimpleNamespace(texts=[("", parts, ())])
        return has_form(meta, 0, text)

    hole = ("x",)
    assert fits(("Take ", hole), "take 1") and not fits(("Take ", hole), "take ")
    assert fits((hole, " or ", hole), "a or b") and fits((hole, " or ", hole), "a or b or c")
    assert not fits((hole, " or ", hole), " or b") and not fits((hole, " or ", hole), "a or ")
    assert fits((hole, hole, "!"), "ab!") and not fits((hole, hole, "!"), "a!")
    assert fits((hole, "a", hole, "a"), "xaya") and fits((hole, "a"), "aaa") and not fits((hole, "a"), "a")
    assert fits(("Pass",), "PASS") and not fits(("Pass",), "Pass on") and fits((), "") and not fits((), "x")
    assert fits((hole,), "x") and not fits((hole,), "") and not fits(("a", hole, "bc"), "abc")


def test_emitted_names_do_not_collide(tmp_path: Path) -> None:
    rules = """game names "Names" for 1 players

map m is grid 2 by 2
  node Cell
map neighbours_in_m is grid 2 by 2
  node Spot
map edges_of_m is grid 2 by 2
  node Place

each Cell
  f: 0..9
each Spot
  f_0: 0..9

table
  state: 0..9
  code: 0..9
  len: 0..9
  play_code: 0..9

play
  go(seat1)

phase go(p)
  choose c in Cell "?"
  for d in neighbours(c)
    d.f += 1
  choose s in Spot "?"
  for d in neighbours(s)
    d.f_0 += 1
  state += 1
  len += state
  code += len
  play_code += rule_go(2)
  segment_1()

value rule_go(n: 0..3): 0..9 = n

effect segment_1()
  state += 1
"""
    state = rw.load(str(ruleset(tmp_path, rules, "names"))).new(seed=1)
    while not state.over:
        state.apply(0)
    fields = state.view(None)["fields"]
    assert fields["table"] == {"state": 2, "code": 1, "len": 1, "play_code": 2}
    assert [cell["f"] for cell in fields["nodes"].values() if "f" in cell].count(1) == 2


def test_long_and_deep_texts(tmp_path: Path) -> None:
    chain = "  if n == 0\n    n += 1\n" + "".join(f"  else if n == {k % 9}\n    n += 0\n" for k in range(500))
    long_name = "a" * 300
    cases = {
        "chain": RULES.replace("  n += k\n", chain + "  n += k\n"),
        "long": RULES.replace("go(", f"{long_name}("),
        "deep": RULES.replace("n += k", "n += " + "(" * 2000 + "k" + ")" * 2000),
        "sums": RULES.replace("n += k", "n = " + "+".join(["0"] * 3000)),
        "nested": RULES.replace(
            "  n += k\n", "".join("  " * d + "if n < 9\n" for d in range(1, 90)) + "  " * 90 + "n += k\n"
        ),
    }
    for name, rules in cases.items():
        home = ruleset(tmp_path / name, rules)
        try:
            game = rw.load(str(home))
        except rw.RulesetError as refused:
            assert refused.diagnostics
            continue
        try:
            game.playout(1)
        except rw.Fault as fault:
            assert fault.diagnostic.code
        assert exit_code_of(["fmt", "--check", str(home)]) in (0, 1)


@pytest.mark.parametrize("output", ["/dev/full", "closed", "pipe"])
def test_a_full_or_closed_output_is_no_traceback(tmp_path: Path, output: str) -> None:
    import subprocess
    import sys

    from tests.trust.small import ROOT

    shell = {"/dev/full": "> /dev/full", "closed": ">&-", "pipe": "| head -c 1"}[output]
    line = f"{sys.executable} -P -m interpreter list --format json {shell}"
    done = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}, capture_output=True
    )
    assert b"Traceback" not in done.stderr and b"Exception ignored" not in done.stderr, done.stderr


def test_nested_json_is_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 200_000)
    for words in (["replay", "deep.json"], ["play", "--resume", "deep.json"], ["why", "deep.json", "x"]):
        assert command(*words, cwd=tmp_path).returncode == 2
    with pytest.raises(rw.PlayError):
        rw.bot(f"policy:{tmp_path / 'deep.json'}")
    (tmp_path / "deep.yaml").write_text("- " * 100_000)
    home = ruleset(tmp_path, manifest="rulebook: rulebook.yaml\n")
    (home / "rulebook.yaml").write_text("{a: " * 50_000)
    assert exit_code_of(["validate", str(home)]) == 1


# ---------------------------------------------------------------------------- control characters


ESCAPE = "\x1b]0;owned\x07\x1b[2J"


def test_control_characters_in_rules_and_yaml_are_findings(tmp_path: Path) -> None:
    places = {
        "small.rules": RULES.replace("How far?", f"How far?{ESCAPE}"),
        "ruleset.yaml": 'name: small\ntitle: "a\\e]0;owned\\a"\n',
        "texts/fr.yaml": f"texts:\n  How far?: Quoi{ESCAPE}\n",
        "rulebook.yaml": 'clauses:\n  - id: A\n    text: "x\\u009b2J"\n',
    }
    for name, text in places.items():
        home = ruleset(tmp_path / name.replace("/", "_"))
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
        done = command("validate", str(home), cwd=tmp_path)
        assert done.returncode == 1 and b"control character" in done.stdout
        assert not set(done.stderr + done.stdout) & {0x1B, 0x07, 0x9B}


def test_control_characters_in_games_are_shown(tmp_path: Path) -> None:
    home = ruleset(tmp_path)
    save = json.loads(rw.load(str(home)).new(seed=1).to_json())
    save["state"]["g"] = 7
    save["state"]["lg"] = [[["read", 0, f"words{ESCAPE}\x9b"], []]]
    (tmp_path / "save.json").write_text(json.dumps({**save, "game": f"small{ESCAPE}"}))
    (tmp_path / f"na{ESCAPE[:3]}me.json").write_text(json.dumps(save))
    for words in (
        ["play", str(home), "--resume", "save.json"],
        ["play", str(home), "--resume", f"na{ESCAPE[:3]}me.json"],
        ["replay", f"x{ESCAPE}"],
        ["simulate", f"x{ESCAPE}"],
        [f"x{ESCAPE}"],
        ["validate", "--format", "json", f"x{ESCAPE}"],
    ):
        done = command(*words, cwd=tmp_path)
        assert not set(done.stderr + done.stdout) & {0x1B, 0x07}, done
        assert "\x9b" not in (done.stderr + done.stdout).decode()


def test_control_characters_in_pages_and_drawings() -> None:
    from interpreter.files.shown import escape, json_text, visible, visible_in_colour
    from interpreter.study.svg import Sheet

    sheet = Sheet()
    sheet.text((0, 0), f"<b>{ESCAPE}\u202e", 10)
    drawn = sheet.finish(0, 0, 9, 9, f"title{ESCAPE}")
    assert "\x1b" not in drawn and "\u202e" not in drawn and "<b>" not in drawn
    assert escape("a\x00<") == "a␀&lt;" and visible("tab\tline\n é 漢") == "tab\tline\n é 漢"
    assert visible_in_colour("\x1b[31mred\x1b[0m\x1b[2J") == "\x1b[31mred\x1b[0m␛[2J"
    assert json.loads(json_text({"a": "\x1b\x9b\u202e\ud800é"})) == {"a": "\x1b\x9b\u202e\ud800é"}
    assert "\x9b" not in json_text("\x9b") and "é" in json_text("é")
