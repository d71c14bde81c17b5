"""Kuhn poker solved exactly: every deal and every choice through the public API, no number from outside but the value.

What a player knows at a decision is that player's view, so the information sets come from the game itself. The pure
strategies of both sides make a matrix of average results, and the matrix game is solved with fractions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from typing import Any

import yaml

import interpreter as rw

KNOWN: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "kuhn_poker.yaml").read_text(encoding="utf-8"))
Strategy = dict[str, int]  # what is known -> index of the option


def deals() -> list[rw.State]:
    game = rw.load("kuhn_poker", 2)
    orders = permutations(("card_jack", "card_queen", "card_king"))
    return [game.new(auto=False, script=[("shuffle", "deck", order)]) for order in orders]


def knowledge(state: rw.State) -> str:
    """All that the player who decides knows."""
    return json.dumps(state.view(state.decision.player), sort_keys=True)


def information_sets(states: list[rw.State]) -> tuple[dict[str, int], dict[str, int]]:
    """For each player what can be known at a decision, with the number of options there."""
    found: tuple[dict[str, int], dict[str, int]] = ({}, {})
    left = list(states)
    while left:
        state = left.pop()
        if not state.over:
            options = len(state.decision.options)
            assert found[state.decision.player].setdefault(knowledge(state), options) == options
            left += [state.clone().apply(index) for index in range(options)]
    return found


def pure_strategies(sets: dict[str, int]) -> list[Strategy]:
    return [dict(zip(sets, choice, strict=True)) for choice in product(*(range(n) for n in sets.values()))]


def results(state: rw.State) -> Iterator[tuple[tuple[dict[str, int], dict[str, int]], int]]:
    """Every play of a deal: the choices of both by what they knew, and what the first player won."""
    if state.over:
        yield ({}, {}), state.scores[0]
        return
    player, here = state.decision.player, knowledge(state)
    for index in range(len(state.decision.options)):
        for choices, won in results(state.clone().apply(index)):
            yield tuple(c | {here: index} if p == player else c for p, c in enumerate(choices)), won  # type: ignore[misc]


def agrees(choices: dict[str, int], strategy: Strategy) -> bool:
    return all(strategy[here] == index for here, index in choices.items())


def payoff_matrix() -> list[list[Fraction]]:
    states = deals()
    mine, theirs = (pure_strategies(sets) for sets in information_sets(states))
    matrix = [[0] * len(theirs) for _ in mine]
    for state in states:
        for (own, other), won in results(state):
            rows = [i for i, strategy in enumerate(mine) if agrees(own, strategy)]
            columns = [j for j, strategy in enumerate(theirs) if agrees(other, strategy)]
            for i, j in product(rows, columns):
                matrix[i][j] += won
    return [[Fraction(sum_of_deals, len(states)) for sum_of_deals in row] for row in matrix]


def without_dominated(matrix: list[list[Fraction]]) -> list[list[Fraction]]:
    """Rows that another row never falls behind are left out, columns likewise, over and over: the value stays."""
    while True:
        rows = _undominated(matrix)
        columns = _undominated([[-entry for entry in column] for column in zip(*rows, strict=True)])
        smaller = [[-entry for entry in row] for row in zip(*columns, strict=True)]
        if (len(smaller), len(smaller[0])) == (len(matrix), len(matrix[0])):
            return smaller
        matrix = smaller


def _undominated(rows: list[list[Fraction]]) -> list[list[Fraction]]:
    kept = [list(row) for row in dict.fromkeys(tuple(row) for row in rows)]
    for row in list(kept):
        if any(other != row and all(a >= b for a, b in zip(other, row, strict=True)) for other in kept):
            kept.remove(row)
    return kept


def value_of(matrix: list[list[Fraction]]) -> Fraction:
    """The value of a zero-sum game for the one who chooses rows: the simplex method, with Bland's rule.

    With all entries made positive, the columns' best mixture comes from: sum of y as large as can be, A y <= 1.
    """
    shift = 1 - min(min(row) for row in matrix)
    rows = [[entry + shift for entry in row] for row in without_dominated(matrix)]
    width = len(rows[0])
    tableau = [[*row, *(Fraction(int(i == j)) for j in range(len(rows))), Fraction(1)] for i, row in enumerate(rows)]
    target = [Fraction(-1)] * width + [Fraction(0)] * (len(rows) + 1)
    basis = [width + i for i in range(len(rows))]
    while (enters := next((j for j, cost in enumerate(target[:-1]) if cost < 0), None)) is not None:
        ratios = [(row[-1] / row[enters], basis[i], i) for i, row in enumerate(tableau) if row[enters] > 0]
        leaves = min(ratios)[2]
        pivot = [entry / tableau[leaves][enters] for entry in tableau[leaves]]
        tableau[leaves], basis[leaves] = pivot, enters
        for i, row in enumerate(tableau):
            if i != leaves and row[enters]:
                tableau[i] = [entry - row[enters] * p for entry, p in zip(row, pivot, strict=True)]
        target = [entry - target[enters] * p for entry, p in zip(target, pivot, strict=True)]
    return 1 / target[-1] - shift


def test_the_simplex_method_on_games_with_known_values() -> None:
    assert value_of([[Fraction(1), Fraction(-1)], [Fraction(-1), Fraction(1)]]) == 0
    assert value_of([[Fraction(3), Fraction(0)], [Fraction(1), Fraction(2)]]) == Fraction(3, 2)


def test_what_players_know() -> None:
    """Each card in hand at each of two moments; a view that told more or less would give another number."""
    first, second = information_sets(deals())
    assert (len(first), len(second)) == (6, 6)


def test_value_of_the_game() -> None:
    assert value_of(payoff_matrix()) == Fraction(KNOWN["value"]) == Fraction(-1, 18)
