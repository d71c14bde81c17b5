"""Questions that are neither a label nor an expression get the nearest meaning; the answers of `?` at the table."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import interpreter as rw
from interpreter.compile.load import compile_program
from interpreter.play import questions
from interpreter.play.contract import PlayError
from interpreter.play.why import _read as reading
from interpreter.play.why import get_ready, why


@pytest.fixture(scope="module")
def taking() -> tuple[rw.Game, rw.State]:
    """PiKiT with a 3 and a 5 on the dice: no double, so no Mecha is to be had."""
    game = rw.load("pikit", 2, backend="python")
    state = game.new(seed=3)
    while state.decision.prompt != "What do you take?":
        state.apply(len(state.decision.options) - 1)
    assert state.view(None)["dice"]["dice"] == [3, 5]
    return game, state


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Take Mecha 3", "`a == b` does not hold"),
        ("Mecha 3", "“Take Mecha 3”: `a == b` does not hold"),
        ("take the Mecha 3", "“Take Mecha 3”: `a == b` does not hold"),
        ("Kaiju 8", "“Take Kaiju 8” is offered"),
        ("Take Kajiu 8", "“Take Kaiju 8” is offered"),
        ("Take Kaiju 9", "it is not in `market`"),
        ("Take Kaiju", "nothing in `market` is called so"),  # many are as near
    ],
)
def test_the_nearest_meaning(taking: tuple[rw.Game, rw.State], text: str, answer: str) -> None:
    game, state = taking
    assert why(game, state, text, state.decision.player).told.text == answer


def test_what_is_near_to_nothing_stays_unknown(taking: tuple[rw.Game, rw.State]) -> None:
    game, state = taking
    with pytest.raises(PlayError, match="nothing here is called"):
        why(game, state, "Sing a song", state.decision.player)


def test_that_there_is_none_is_not_turned_round(taking: tuple[rw.Game, rw.State]) -> None:
    game, state = taking
    told = why(game, state, "Take nothing", state.decision.player).told
    assert told.text == "`no c in market has fits(c, a, b)` does not hold"
    assert not told.below  # "no c in … is yes" would say the opposite


def test_at_the_table_clauses_have_their_sentences() -> None:
    command = [sys.executable, "-m", "interpreter", "play", "nim", "--seed", "1"]
    shown = subprocess.run(
        command, input="? Take 9 from pile 1\nq\n", capture_output=True, text=True, check=True
    ).stdout
    assert "is called so (NM-04)" in shown  # and not: "Take 1 from pile 1" is offered
    assert "  NM-04  A turn takes one or more counters, all from one pile." in shown


def test_rules_that_were_read_ahead_are_not_read_again() -> None:
    game = rw.load("kuhn_poker", 2, backend="python")
    state = game.new(seed=1)
    reading.cache_clear()
    get_ready(game)
    assert why(game, state, str(state.decision.options[0])).kind == "offered"
    assert reading.cache_info().misses == 1  # whoever asks first waits for the other, and takes what was read


CAN = {  # of a player whose turn it is, by game
    "flatiron": ("can act({p})", "can publish({p})", "not (can buy_decree({p}, 0) and count(players) > 1)"),
    "kikai": ("can row_reward({p})", "count(q in players where can row_reward(q))"),
    "branch_lines": ("can take_cards({p})", "can build({p})"),
}


@pytest.mark.parametrize("name", CAN)
def test_whether_something_can_be_done_is_asked_of_the_running_game(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game looks ahead with the code that it has: the same answer as from a copy compiled with the question."""
    game = rw.load(name, 2, backend="python")
    compiled: list[int] = []

    def counting(program: Any, *more: Any) -> Any:
        compiled.append(sum(rule.form != "value" for rule in program.rules.values()))
        return compile_program(program, *more)

    monkeypatch.setattr(questions, "compile_program", counting)
    state = game.new(seed=5)
    for number in range(3):
        for text in [text.format(p=f"seat({state.who + 1})") for text in CAN[name]]:
            compiled.clear()
            ours = why(game, state, text).told.text
            assert "in players" in text or not any(compiled), "no rules are compiled for it"
            with monkeypatch.context() as patched:
                patched.setattr(questions.Questions, "_is_of_game", lambda *_: False)
                assert why(game, state, text).told.text == ours
        for _ in range(6):
            state.apply(number % len(state.opts))
