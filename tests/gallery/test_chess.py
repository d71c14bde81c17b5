"""Chess: published numbers of move sequences from positions that have every sort of move, and python-chess in lock-
step.

The positions are those that authors of chess programs test their move generators with. Each is set up by the rules
themselves:
a copy of the ruleset whose `setup` places the men of the position.
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from tests.gallery.references import python_chess

RULESET = Path(__file__).parents[2] / "rulesets" / "chess"
MEN = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
WINGS = {"k": "king_side", "q": "queen_side"}

# name: position, sequences of 1, 2 … moves; from the tables of the Chess Programming Wiki ("Perft Results")
POSITIONS = {
    "start": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", [20, 400, 8902, 197281]),
    "kiwipete": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", [48, 2039, 97862]),
    "endgame": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", [14, 191, 2812, 43238]),
    "promotions": ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", [6, 264, 9467]),
    "castling": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", [44, 1486, 62379]),
    "quiet": ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -", [46, 2079, 89890]),
}
EVERYDAY = 2_900  # deeper counts are for the long run


def setup_of(position: str) -> str:
    """The `setup` that places these men."""
    board, mover, castling, _ = position.split()
    lines = ["setup"]
    for down, row in enumerate(board.split("/")):
        column = 0
        for sign in row:
            if sign.isdigit():
                column += int(sign)
                continue
            square, side = f"{'abcdefgh'[column]}{8 - down}", "white" if sign.isupper() else "black"
            lines += [f"Square.{square}.man = {MEN[sign.lower()]}", f"Square.{square}.side = {side}"]
            if sign.lower() == "k":
                lines.append(f"{side}.king_at = {square}")
            column += 1
    for sign in castling.replace("-", ""):
        lines.append(f"{'white' if sign.isupper() else 'black'}.castles[{WINGS[sign.lower()]}] = yes")
    assert mover == "w"
    return "\n  ".join([*lines, "remember positions"])


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield tmp_path_factory.mktemp("boards")


def game_at(position: str, folder: Path, name: str) -> rw.Game:
    home = folder / name
    shutil.copytree(RULESET, home, ignore=shutil.ignore_patterns("scenarios", "rulebook.yaml", "README.md"))
    rules = (home / "chess.rules").read_text(encoding="utf-8")
    placed, number = re.subn(r"(?ms)^setup .*?(?=^play)", lambda _: setup_of(position) + "\n\n", rules)
    assert number == 1
    (home / "chess.rules").write_text(re.sub(r" +@CH-.*", "", placed), encoding="utf-8")
    manifest = (home / "ruleset.yaml").read_text(encoding="utf-8")
    (home / "ruleset.yaml").write_text(manifest.replace("rulebook: rulebook.yaml\n", ""), encoding="utf-8")
    return rw.load(str(home), 2, backend="python")


def sequences(state: rw.State, depth: int) -> int:
    if state.over or depth == 0:
        return 0 if state.over else 1
    options = range(len(state.decision.options))
    return len(options) if depth == 1 else sum(sequences(state.clone().apply(n), depth - 1) for n in options)


@pytest.mark.parametrize("where", POSITIONS)
def test_published_numbers_of_sequences(where: str, boards: Path, is_long: bool) -> None:
    position, expected = POSITIONS[where]
    start = game_at(position, boards, where).new(seed=1, auto=False)
    for depth, number in enumerate(expected, 1):
        if number <= EVERYDAY or is_long:
            under = {str(o): sequences(start.clone().apply(o), depth - 1) for o in start.decision.options}
            assert sum(under.values()) == number, f"depth {depth}: {under}"


# ---------------------------------------------------------------------------- python-chess


def move_named(board: Any, move: Any, chess: Any) -> str:
    """A move of python-chess in the words of the ruleset."""
    if board.is_castling(move):
        return f"Castle on the {'king' if chess.square_file(move.to_square) == 6 else 'queen'} side"
    start, goal = chess.square_name(move.from_square), chess.square_name(move.to_square)
    return f"{start} to {goal}" + (f", {chess.piece_name(move.promotion)}" if move.promotion else "")


def reason_of(board: Any) -> str | None:
    """Why the game is over, in the words of the ruleset."""
    for is_so, words in (
        (board.is_checkmate(), "Checkmate"),
        (board.is_stalemate(), "Stalemate"),
        (board.is_repetition(3), "The same position for the third time"),
        (board.is_fifty_moves(), "Fifty moves without progress"),
        (board.is_insufficient_material(), "Nobody can mate"),
    ):
        if is_so:
            return words
    return None


def test_lock_step_with_python_chess(is_long: bool) -> None:
    """Whole games, with captures and promotions preferred so that they come to all sorts of ends."""
    chess = python_chess()
    game = rw.load("chess", 2, backend="python")
    for seed in range(200 if is_long else 4):
        rng, state, board = random.Random(seed), game.new(seed=seed, auto=False), chess.Board()
        while not state.over:
            theirs = {move_named(board, move, chess): move for move in board.legal_moves}
            ours = {str(option): option for option in state.decision.options}
            assert set(ours) == set(theirs), board.fen()
            assert reason_of(board) is None, board.fen()
            sharp = sorted(name for name, move in theirs.items() if board.is_capture(move) or move.promotion)
            chosen = rng.choice(sharp if sharp and rng.random() < 0.4 else sorted(theirs))
            state.apply(ours[chosen])
            board.push(theirs[chosen])
        assert state.reason == reason_of(board), board.fen()
        won = {"Checkmate": [chess.WHITE == board.turn]}.get(state.reason)
        assert state.winners == ([0, 1] if won is None else [int(won[0])])
