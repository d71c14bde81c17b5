"""Bots of others: Python classes, and programs that speak JSON lines; what happens when they do not do as they must."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from interpreter.play.match import Match, bot_match

POKER = "kuhn_poker"


class Last:
    """Takes the last option, and remembers what it was told."""

    told: list[Any] = []  # noqa: RUF012

    def start(self, game: Any, player: int, seed: int) -> None:
        self.told.append(("start", game.name, player))

    def choose(self, sight: Any) -> Any:
        assert sight.view["player"] == sight.player and not sight.over and sight.returns is None
        assert len(sight.options) == len(sight.observation["options"])
        assert sight.world(sight.seed).information(sight.player) == sight.information
        return sight.options[-1]

    def end(self, sight: Any) -> None:
        self.told.append(("end", sight.over, sight.returns))


def test_a_class_is_told_of_start_and_end_and_sees_only_its_own() -> None:
    Last.told.clear()
    game = rw.load(POKER)
    state = game.new(seed=3)
    match = Match(game, [rw.bot(Last).seat(1), rw.bot("first").seat(2)], state)
    match.run()
    assert Last.told[0] == ("start", POKER, 0)
    assert Last.told[-1] == ("end", True, match.state.returns)
    assert str(rw.bot(Last).choose(game.new(seed=3), 0)) == "Check"


@pytest.mark.parametrize("answer", [0, "Bet", "bet"])
def test_an_answer_is_an_option_an_index_or_a_label(answer: object) -> None:
    one = type("One", (), {"choose": lambda self, sight: answer})
    assert str(rw.bot(one).choose(rw.load(POKER).new(), 0)) == "Bet"


@pytest.mark.parametrize(
    ("answer", "message"),
    [(7, "chose option 7"), (-1, "chose option -1"), (None, "answered None"), ("Fold", "chose `Fold`"), (True, "True")],
)
def test_what_is_not_offered_is_told_and_nothing_is_lost(answer: object, message: str) -> None:
    one = type("One", (), {"choose": lambda self, sight: answer})
    game = rw.load(POKER)
    match = Match(game, [rw.bot(one).seat(0), rw.bot("first").seat(0)], game.new(seed=1))
    before = match.state.to_json()
    with pytest.raises(rw.BotFailed) as failed:
        match.run()
    assert message in str(failed.value) and match.state.to_json() == before
    match.seats[0] = rw.bot("first").seat(0)
    assert match.run().reason is not None  # the match goes on with another bot


def test_a_class_that_raises_is_told_with_its_line() -> None:
    class Broken:
        def choose(self, sight: Any) -> int:
            return int(sight.no_such_thing)

    with pytest.raises(rw.BotFailed, match=r"failed in `choose`: AttributeError.*test_others.py:\d+"):
        rw.bot(Broken).choose(rw.load(POKER).new(), 0)
    with pytest.raises(rw.PlayError, match="`int` is no bot"):
        rw.bot(int)


def test_a_class_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bots_of_mine.py").write_text("class Mine:\n    def choose(self, sight):\n        return 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert bot_match(rw.load(POKER), ["python:bots_of_mine:Mine", "first"], 1).run().decisions >= 2


# ---------------------------------------------------------------------------- programs

PROGRAM = """\
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "choose":
        options = message["observation"]["options"]
        print(json.dumps({answer}), flush=True)
    elif message["type"] == "end":
        open(sys.argv[1], "a").write(str(message["returns"]))
"""


def program(folder: Path, answer: str, limit: str = "") -> str:
    file = folder / "bot.py"
    file.write_text(PROGRAM.replace("{answer}", answer))
    return f"process:{limit}{sys.executable} {file} {folder / 'said'}"


@pytest.mark.parametrize("answer", ['{"index": 1}', '{"code": options[1]["code"]}', '{"label": options[1]["label"]}'])
def test_a_program_plays_a_match(tmp_path: Path, answer: str) -> None:
    match = bot_match(rw.load(POKER), [program(tmp_path, answer), "first"], 1)
    match.run()
    assert (tmp_path / "said").read_text() == str(match.state.returns)
    assert match.state.history[0] == int(rw.load(POKER).new(seed=1).decision.options[1])


@pytest.mark.parametrize(
    ("answer", "limit", "message", "words"),
    [
        ('{"index": 9}', "", "chose option 9", "2 are offered"),
        ('{"code": 999}', "", "chose code 999", "one of the options"),
        ('{"label": "Fold"}', "", "chose `Fold`", "one of the options"),
        ('"hello"', "", "answered `", "such as"),
        ("time.sleep(9)", "200ms:", "has not answered within 0.2 s", "nothing to its error stream"),
        ("sys.exit('I give up')", "", "has ended with exit code 1", "I give up"),
        ("undefined", "", "has ended with exit code 1", "NameError"),
    ],
)
def test_a_program_that_fails_is_told_and_nothing_is_lost(
    tmp_path: Path, answer: str, limit: str, message: str, words: str
) -> None:
    match = bot_match(rw.load(POKER), [program(tmp_path, answer, limit), "first"], 1)
    before = match.state.to_json()
    with pytest.raises(rw.BotFailed) as failed:
        match.run()
    assert message in str(failed.value) and words in str(failed.value.help)
    assert match.state.to_json() == before


def test_a_program_that_is_not_there_or_speaks_no_json(tmp_path: Path) -> None:
    state = rw.load(POKER).new()
    with pytest.raises(rw.BotFailed, match="cannot be started"):
        rw.bot("process:no_such_program_anywhere").choose(state, 0)
    with pytest.raises(rw.BotFailed, match="which is no JSON"):
        rw.bot(f"process:{sys.executable} -c \"print('hello')\"").choose(state, 0)
    with pytest.raises(rw.PlayError, match="open quote"):
        rw.bot("process:sh -c 'echo")
