"""How well each player stands, by the game's own ranking.

A game says who is ahead in one of three ways: by who has won or is out, by `rank p by …` (highest or lowest, with
tie-breaks), or by scores. All three can be read at any moment, also in the middle of a game: then they say how it would
end if it ended now. Where the rules rank and count nothing, how near a player is to winning stands for it, as far as
the conditions of `wins` tell that (`compile/progress.py`). A *key* is what is compared, a tuple of which the larger one
is better; `lowest` has turned its sign already.

The *margin* of a player is the first number of the key that the rules count points in, less that of the best other
player. With one player it is that number itself, and so it is in a *team*: players who win or lose together
(`compile/endings.py`) are never ahead of each other, and play for what one player alone would play for.
"""

from __future__ import annotations

from typing import Any

from ...runtime.ends import payoffs_of, returns_of

Stands = tuple[float, int]


def keys_of(state: Any) -> list[tuple[int, ...]]:
    """For each player what the ranking of the game compares, the larger the better, or how near a win is; empty if
    neither is known."""
    meta = state.meta
    players = range(meta.players)
    if meta.has_rank:
        rank = state.machine.play["rank"]
        return [tuple(rank(state, player)) for player in players]
    if meta.score_blocks:
        return [(points(state, player),) for player in players]
    if meta.has_progress:
        progress = state.machine.play["progress"]
        return [(progress(state, player),) for player in players]
    return [() for _ in players]


def points(state: Any, player: int) -> int:
    """The score of a player, without the words of its lines."""
    names = state.machine.play
    total = 0
    for block in range(state.meta.score_blocks):
        for _, _, more in names[f"score_{block}"](state, player):
            total += more
    return total


def result_of(state: Any) -> list[float]:
    """What a finished game is worth to each player, from -1 to 1.

    A payoff that the rules declare is divided by the largest that there can be. With one player there is nobody to be
    ranked with: 1 if the rules say that the player has won, -1 if they say otherwise or the player is out, and 0 if
    they do not say. A team is taken for one player.
    """
    if state.meta.payoff is not None:
        most = max(1, *map(abs, state.meta.payoff))
        return [worth / most for worth in payoffs_of(state)]
    players = state.meta.players
    if players > 1 and not state.meta.is_team:
        return returns_of(state.ranking)
    if state.won is not None:
        return [1.0 if 0 in state.won else -1.0] * players
    return [-1.0 if state.gone else 0.0] * players


def is_alone(meta: Any) -> bool:
    """Whether there is nobody to be ahead of: one player, or several who win or lose together."""
    return bool(meta.players == 1 or meta.is_team)


def margins_at(state: Any) -> list[int]:
    """The margins in this position."""
    return margins_of(keys_of(state), state.meta.is_team)


def stands_after(state: Any, player: int, at_results: bool = False) -> Stands:
    """How a choice has left its player, the larger the better: the result if the game is over, then the margin, unless
    results alone are looked at."""
    meta = state.meta
    if not (state.over or meta.has_rank or meta.score_blocks or meta.has_progress):
        return 0.0, 0  # nothing is counted: all positions in the middle of a game are alike
    return (result_of(state)[player] if state.over else 0.0), 0 if at_results else margins_at(state)[player]


def margins_of(keys: list[tuple[int, ...]], is_team: bool = False) -> list[int]:
    """How far each player is ahead of the best other one, in the first number of the keys; 0 if there is none."""
    if not keys[0]:
        return [0] * len(keys)
    first = [int(key[0]) for key in keys]
    if len(first) == 1 or is_team:
        return first
    best = max(first)
    second = sorted(first)[-2]
    return [own - (second if own == best else best) for own in first]
