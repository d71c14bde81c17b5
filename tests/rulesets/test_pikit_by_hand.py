"""The hand-written PiKiT offers the same and goes the same way as the compiled one, however one chooses."""

from __future__ import annotations

import pytest

from tests.every_ruleset import loaded
from tests.rulesets.pikit_by_hand import DealtPikit, find_move, first_difference, pass_alone
from tests.rulesets.side_by_side import preferring, side_by_side

WAYS = {
    "at random": preferring(),
    "players": preferring("Steal", "Turn", "Roll", avoiding=("Done",)),
    "cancellers": preferring("Cancel", "Steal", "Draw", avoiding=("Pass", "Done")),
    "makers of doubles": preferring("Mecha", "Turn", "and", avoiding=("Pass",)),
}
MOVES = {"reroll", "steal", "draw", "turn", "done", "cancel", "pass", "take", "nothing", "mecha", "attempt"}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_hand_written_game_goes_the_same_way(players: int, is_long: bool) -> None:
    met: set[str] = set()
    for choose in WAYS.values():
        for seed in range(60 if is_long else 3):
            state = loaded("pikit", players).new(seed, auto=False)
            by_hand = DealtPikit(state)
            steps = side_by_side(state, by_hand, first_difference, choose, seed, find_move, pass_alone)
            met.update(step.move[0] for step in steps)
    assert MOVES - met == set()
