"""Neighbouring seeds: what they have in common, where it shows, and that nobody is misled by it."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache

import pytest

from interpreter.play.contract import Game
from interpreter.play.seeds import derived_seed
from interpreter.runtime.chance import Generator
from interpreter.runtime.game import game_from_program
from interpreter.study.ask import ask, question_of
from interpreter.study.compare import comparison_of, play_pairs
from interpreter.study.neighbours import Blocks, resemblance, seed_of, uneven
from interpreter.study.report import report_of
from interpreter.study.rows import early_choice
from interpreter.study.simulate import simulate, simulated_rows
from interpreter.study.statistics import chi_square_tail
from interpreter.study.sweep import sweep, sweep_data
from interpreter.study.tally import PARTS, Tally
from tests.study.known_games import coin
from tests.toy_games import checked

# Three players choose one of five, one after the other. Over neighbouring seeds the first two choices of a random game
# are spread evenly, the third is the same again and again: the shortest game that shows it.
FINGERS = """
each player
  shown: 0..5
play
  for p in players
    show(p)
effect show(p)
  choose n in 1..5 "How many fingers?"
  p.shown = n
score p
  "Fingers"  p.shown
"""


@cache
def fingers() -> Game:
    return game_from_program(checked(FINGERS, 3))


@pytest.mark.parametrize(("square", "freedom", "tail"), [(18.307, 10, 0.05), (29.588, 10, 0.001), (77.93, 40, 3.2e-4)])
def test_the_tail_of_chi_square(square: float, freedom: int, tail: float) -> None:
    assert chi_square_tail(square, freedom) == pytest.approx(tail, rel=0.1)


@pytest.mark.parametrize("games", [150, 5000])
def test_games_that_resemble_each_other_are_told_and_spread_ones_do_not(games: int) -> None:
    for spread in (False, True):
        made = simulate(fingers, ("random",) * 3, games, spread=spread)
        told = [text for text in report_of(fingers(), made)["cautions"] if "resemble" in text]
        assert bool(told) is not spread, told
        assert spread or "`--spread`" in told[0]


@pytest.mark.parametrize("spread", [False, True])
def test_every_study_tells_when_games_resemble_each_other(spread: bool) -> None:
    bots = ("random",) * 3
    pairs = play_pairs((fingers, fingers), bots, 150, spread=spread)
    swept = sweep(lambda value: fingers, "shown", ("1", "2"), bots, 150, spread=spread)
    asked = ask(fingers, question_of("seat 3 wins between 9 and 90 %", fingers()), bots, 300, spread=spread)
    soon = ask(fingers, question_of("seat 3 wins more than 80 %", fingers()), bots, 300, spread=spread)
    assert soon.games <= 100
    told = [comparison_of((fingers(), fingers()), pairs), sweep_data(swept, fingers())]
    for cautions in (*(one["cautions"] for one in told), asked.cautions, soon.cautions):
        assert len([text for text in cautions if "resemble" in text and "`--spread`" in text]) == (not spread)


def test_a_comparison_by_bots_that_think_looks_for_nothing() -> None:
    assert not play_pairs((fingers, fingers), ("random", "random", "first"), 150).cautions


def test_a_long_study_tells_it_by_its_blocks() -> None:
    """Over 5,000 seeds every option of the third choice comes up equally often, but not in each run of seeds."""
    made = simulate(fingers, ("random",) * 3, 5000)
    made.tally.early.clear()
    told = resemblance(made.blocks, made.tally, fingers().seat_names)
    assert told is not None and "the wins of seat3 vary" in told


def test_what_a_choice_takes_too_often_is_found() -> None:
    even = Counter({early_choice(0, 5, taken): 20 for taken in range(5)})
    assert uneven(even) is None
    assert uneven(even + Counter({early_choice(2, 5, 1): 60, early_choice(2, 5, 0): 40})) == (2, 5, 1, 0.6)


def test_a_coin_is_not_accused() -> None:
    made = simulate(coin, ("random",) * 2, 2000)
    assert not [text for text in report_of(coin(), made)["cautions"] if "resemble" in text]


def test_spread_games_have_their_seeds_in_the_rows() -> None:
    rows = simulated_rows(coin, ("random",) * 2, 5, seed=3)
    assert [row.seed for row in rows] == [3, 4, 5, 6, 7]
    assert [seed_of(3, number, True) for number in range(3, 6)] == [derived_seed(3, i) for i in range(3)]


def test_blocks_of_independent_games_show_no_excess() -> None:
    """Blocks of 50 games of a coin that is really thrown: the variance between them is what single games make it."""
    generator, blocks, whole = Generator(11), Blocks(), Tally(2)
    for _ in range(200):
        tally = Tally(2)
        for _ in range(50):
            tally.games += 1
            tally.add_winners((generator.below(2),), 1)
        blocks.take(tally)
        whole.merge(tally)
    times, chance = blocks.excess(whole, 0)
    assert abs(times - 1) < 4 * math.sqrt(2 / 199) and chance > 1e-4


@pytest.mark.parametrize(
    ("bots", "spread"), [(("random", "random", "first"), False), (("random",) * 3, True)], ids=["bots", "spread"]
)
def test_neighbouring_seeds_give_means_as_scattered_as_any(bots: tuple[str, ...], spread: bool) -> None:
    """Exact chi-square over 60 blocks of 50: what seat 2 shows, by bots with generators of their own, and spread."""
    rows: list[int] = []
    simulate(fingers, bots, 3000, take_rows=lambda new: rows.extend(row.scores[1] for row in new), spread=spread)
    assert chance_of_blocks(rows, 50) > 1e-3


def chance_of_blocks(numbers: list[int], size: int) -> float:
    """How likely blocks of consecutive numbers scatter so much more, or so much less, than numbers in any order."""
    mean = sum(numbers) / len(numbers)
    variance = sum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1)
    blocks = [sum(numbers[start : start + size]) for start in range(0, len(numbers), size)]
    square = sum((block - size * mean) ** 2 for block in blocks) / (size * variance)
    tail = chi_square_tail(square, len(blocks) - 1)
    return 2 * min(tail, 1 - tail)


def test_the_third_of_five_is_the_same_again_and_again() -> None:
    """The size that docs/studies.md gives: three who choose one of five are equal, and here seat 3 wins seldom."""
    rows = simulated_rows(fingers, ("random",) * 3, 300)
    assert {row.scores[2] for row in rows} <= {1, 2, 3}
    spread = simulate(fingers, ("random",) * 3, 300, spread=True).tally
    assert abs(spread.parts[2] / PARTS / 300 - 1 / 3) < 0.1
