"""Board games of the gallery choice for choice beside direct programs (`boards_by_hand.py`)."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from tests.gallery.boards_by_hand import Backgammon, Draughts, Go, Gomoku, Hex, Oware, without

GAMES: list[tuple[str, Any, int]] = [
    ("gomoku", Gomoku, 2), ("hex_11x11", Hex, 2), ("go_9x9", Go, 2), ("oware", Oware, 12), ("draughts", Draughts, 6),
]  # fmt: skip


@pytest.mark.parametrize(("name", "by_hand", "games"), GAMES, ids=[name for name, _, _ in GAMES])
def test_lock_step(name: str, by_hand: Any, games: int, is_long: bool) -> None:
    game = rw.load(name, 2, backend="python")
    for seed in range(games * (20 if is_long else 1)):
        rng, state, model = random.Random(seed), game.new(seed=seed, auto=False), by_hand()
        while model.winners is None:
            assert not state.over, f"seed {seed}"
            labels = sorted(str(option) for option in state.decision.options)
            assert set(labels) == model.labels(), f"seed {seed}, after {len(state.history)} choices"
            assert state.decision.player == model.player
            chosen = rng.choice([label for label in labels if label != "Pass" or rng.random() < 0.5] or labels)
            state.apply(state.decision.find(chosen))
            model.play(chosen)
        assert state.over and state.winners == model.winners, f"seed {seed}: {state.reason}"


def test_hex_of_three_by_three_is_solved(tmp_path: Path) -> None:
    """Every position of the small board, by the rules and by the direct program: the same first stones win, and the
    one in the middle is among them."""
    home = tmp_path / "hex_3x3"
    shutil.copytree(Path(__file__).parents[2] / "rulesets" / "hex_11x11", home, ignore=shutil.ignore_patterns("scen*"))
    rules = (home / "hex_11x11.rules").read_text(encoding="utf-8")
    (home / "hex_11x11.rules").write_text(rules.replace("2..19 = 11 ", "2..19 = 3 "), encoding="utf-8")
    reached: dict[tuple[str, ...], rw.State] = {(): rw.load(str(home), 2, backend="python").new(auto=False)}
    offered: dict[tuple[str, ...], list[str]] = {}

    def by_rules(stones: tuple[str, ...]) -> tuple[list[str], bool]:
        if stones:
            before = stones[:-1]
            reached[stones] = reached[before].clone().apply(offered[before].index(stones[-1]))
        state = reached[stones]
        offered[stones] = [] if state.over else [str(option) for option in state.decision.options]
        return sorted(offered[stones]), state.over

    def by_hand(stones: tuple[str, ...]) -> tuple[list[str], bool]:
        model = Hex(3)
        for stone in stones:
            model.play(stone)
        return sorted(model.labels()), model.winners is not None

    first = [winning_stones(looked_up) for looked_up in (by_rules, by_hand)]
    assert first[0] == first[1]
    assert "b2" in first[0] and "a1" not in first[0]


def winning_stones(position: Callable[[tuple[str, ...]], tuple[list[str], bool]]) -> list[str]:
    """The first stones that win with best play. Which stones are whose is all that counts, not the order."""
    known: dict[tuple[frozenset[str], frozenset[str]], bool] = {}

    def is_won(stones: tuple[str, ...]) -> bool:
        """Whether the player who has put the last stone wins."""
        key = frozenset(stones[::2]), frozenset(stones[1::2])
        if key not in known:
            offered, is_over = position(stones)
            known[key] = is_over or not any(is_won((*stones, stone)) for stone in offered)
        return known[key]

    return [stone for stone in position(())[0] if is_won((stone,))]


def test_backgammon(is_long: bool) -> None:
    """The direct program searches for the longest plays; the rules never search."""
    game = rw.load("backgammon", 2, backend="python")
    for seed in range(100 if is_long else 3):
        rng, state, model = random.Random(seed), game.new(seed=seed, auto=False), Backgammon()
        left: tuple[int, ...] = ()  # numbers still to be played in this turn
        while not state.over:
            view, player = state.view(None), state.decision.player
            assert [list(fields["points"].values()) for fields in view["fields"]["players"]] == model.points
            one, other = view["dice"]["dice"]
            left = left or ((one,) * 4 if one == other else (one, other))
            moves = [_move(str(option), state.decision.prompt) for option in state.decision.options]
            assert set(moves) == model.offers(player, left), f"seed {seed}: {model.points} {left}"
            index = rng.randrange(len(moves))
            model.points = model.moved(model.points, player, *moves[index])
            left = without(left, moves[index][1])
            if not model.offers(player, left):
                left = ()
            state.apply(index)
        winner = state.winners[0]
        loser = model.points[1 - winner]
        stake = 1 if loser[0] else 3 if any(loser[19:]) else 2
        assert model.points[winner][0] == 15 and state.scores[winner] == stake == -state.scores[1 - winner]


def _move(label: str, prompt: str) -> tuple[int, int]:
    """The point and the number of an option: `8, 3`, or `8` where the question names the number."""
    point, _, number = label.partition(", ")
    return int(point), int(number or prompt.split()[-1].rstrip("?"))
