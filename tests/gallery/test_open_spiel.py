"""Games of the gallery in lock-step with OpenSpiel: the same moves offered after each move, the same winner.

`Pair` tells how a game of one is called in the other. Where the two end a game for different reasons (draughts:
OpenSpiel counts
forty moves without a capture and no repetitions) a game is compared as long as both go on.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import pytest

import interpreter as rw
from tests.gallery.references import open_spiel


@dataclass(frozen=True)
class Pair:
    """A ruleset, the game of OpenSpiel, and the label that one of its moves has here."""

    name: str
    theirs: str
    label: Callable[[str], str]
    games: int


def upside_down(move: str) -> str:
    """OpenSpiel counts the rows of othello from the top."""
    return "Pass" if move == "pass" else f"{move[0]}{9 - int(move[1])}"


def without_i(move: str) -> str:
    """Go players leave out the letter i."""
    point = move.split()[1].lower()
    return "Pass" if point == "pass" else point.replace("j", "i")


def house(move: str) -> str:
    return f"Sow house {'abcdef'.index(move.lower()) + 1}"


PAIRS = [
    Pair("othello", "othello", upside_down, 2),
    Pair("hex_11x11", "hex", lambda move: move[:-2] if "(" in move else move, 6),
    Pair("go_9x9", "go(board_size=9,komi=7.5)", without_i, 4),
    Pair("oware", "oware", house, 12),
]


def moves(state: Any) -> dict[str, int]:
    return {state.action_to_string(state.current_player(), action): action for action in state.legal_actions()}


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_lock_step(pair: Pair, is_long: bool) -> None:
    theirs, ours = open_spiel(pair.theirs), rw.load(pair.name, 2, backend="python")
    for seed in range(pair.games * (20 if is_long else 1)):
        rng, state, other = random.Random(seed), ours.new(seed=seed, auto=False), theirs.new_initial_state()
        while not state.over and not other.is_terminal():
            named = {pair.label(move): action for move, action in moves(other).items()}
            labels = {str(option): option for option in state.decision.options}
            assert set(labels) == set(named), f"seed {seed}: {other}"
            assert state.decision.player == other.current_player()
            # Passing early would end a game of go at once.
            chosen = rng.choice([label for label in sorted(named) if label != "Pass" or rng.random() < 0.3] or ["Pass"])
            state.apply(labels[chosen])
            other.apply_action(named[chosen])
        settle(state)
        assert state.over and other.is_terminal(), f"seed {seed}: {other}"
        assert list(state.returns) == other.returns(), f"seed {seed}: {other}"


def settle(state: rw.State) -> None:
    """Whoever has no move says so: there is nothing to choose."""
    while not state.over and [str(option) for option in state.decision.options] == ["No move"]:
        state.apply(0)


def test_draughts(is_long: bool) -> None:
    theirs, ours = open_spiel("checkers"), rw.load("draughts", 2, backend="python")
    compared = 0
    for seed in range(60 if is_long else 6):
        rng, state, other = random.Random(seed), ours.new(seed=seed, auto=False), theirs.new_initial_state()
        while not state.over and not other.is_terminal():
            labels = dict(_as_checkers(state))
            assert set(labels) == set(moves(other)), f"seed {seed}: {other}"
            chosen = rng.choice(sorted(labels))
            state.apply(labels[chosen])
            other.apply_action(moves(other)[chosen])
            compared += 1
        settle(state)
        if state.over and state.reason and state.reason.endswith("cannot move"):
            assert list(state.returns) == other.returns()
    assert compared > 200


def _as_checkers(state: rw.State) -> Iterator[tuple[str, Any]]:
    """Options as OpenSpiel names them: `a3b4`; a piece that goes on capturing starts where it landed."""
    for option in state.decision.options:
        words = str(option).split()
        if words[0] == "Takes":
            yield str(state.log()[-1]).rstrip(".").split()[-1] + words[-1], option
        elif words[0] != "No":
            yield words[0] + words[-1], option


def test_leduc_poker_whole_tree() -> None:
    """Every deal, every choice: moves, whose turn it is, and what each has won."""
    theirs, ours = open_spiel("leduc_poker"), rw.load("leduc_poker", 2, backend="python")
    cards = [f"card_{rank}_{suit}" for rank in ("jack", "queen", "king") for suit in ("spades", "hearts")]
    ends = 0
    for deal in permutations(range(6), 3):
        rest = [card for number, card in enumerate(cards) if number not in deal]
        state = ours.new(auto=False, script=[("shuffle", "deck", [cards[n] for n in deal] + rest)])
        other = theirs.new_initial_state()
        other.apply_action(deal[0])
        other.apply_action(deal[1])
        ends += _compared(state, other, deal[2])
    # A hand that ends in the first round is met with each of the four cards that might have come.
    assert ends == 120 * (5 * 9 + 4)


def _compared(state: rw.State, other: Any, board: int) -> int:
    if other.is_chance_node():
        other = other.clone()
        other.apply_action(board)
    if state.over:
        assert other.is_terminal() and list(state.scores) == other.returns()
        return 1
    named = moves(other)
    labels = {str(option).replace("Check", "Call"): option for option in state.decision.options}
    assert set(labels) == set(named) and state.decision.player == other.current_player()
    return sum(
        _compared(state.clone().apply(option), other.child(named[label]), board) for label, option in labels.items()
    )


def test_liars_dice_duel(is_long: bool) -> None:
    theirs, ours = open_spiel("liars_dice"), rw.load("liars_dice+duel", 2, backend="python")
    for seed in range(2000 if is_long else 60):
        rng = random.Random(seed)
        faces = [rng.randint(1, 6) for _ in range(2)]
        script = [("roll", None, [face, 1, 1, 1, 1]) for face in faces]
        state, other = ours.new(auto=False, script=script), theirs.new_initial_state()
        for face in faces:
            other.apply_action(face - 1)
        while not state.over:
            named = {_bid(move): action for move, action in moves(other).items()}
            labels = {str(option): option for option in state.decision.options}
            assert set(labels) == set(named) and state.decision.player == other.current_player()
            chosen = rng.choice(sorted(labels)[-6:])
            state.apply(labels[chosen])
            other.apply_action(named[chosen])
        assert other.is_terminal() and list(state.returns) == other.returns()


def _bid(move: str) -> str:
    return "Liar!" if move == "Liar" else " times ".join(move.split("-"))
