"""The table of games that thinking bots play in C says what is so."""

from __future__ import annotations

from interpreter.runtime.game import game_from_program
from tests.knowledge.test_tiny_games import GAMES
from tests.toy_games import checked
from tools.thinking_in_c import said_of


def test_what_the_table_says() -> None:
    program = checked(GAMES["follow_suit"].read_text(encoding="utf-8"))
    game = game_from_program(program)
    assert said_of(program, game, "greedy", 0) == ("tried", "")
    assert said_of(program, game, "greedy", 2) == ("2 of 2", "")
    told, why = said_of(program, game, "mcts:2s", 2)
    assert told == "no" and "`mcts:2s`" in why
    program = checked(GAMES["marked_hand"].read_text(encoding="utf-8"))
    assert said_of(program, game_from_program(program), "greedy", 2) == ("no", "a secret field names a piece")
    program = checked(GAMES["running_total"].read_text(encoding="utf-8"))
    assert said_of(program, game_from_program(program), "greedy", 2) == ("2 of 2", "")
