"""How a game ends: what emitted code calls for that, and the scores, ranks and returns read from the state then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar

from ..compile.meta import Meta
from .faults import Refused, Trouble
from .running import Running
from .texts import render

Found = TypeVar("Found")


def bind(meta: Meta, names: dict[str, Any]) -> dict[str, Any]:
    """What rules call to end the game or to take a player out of it, and to ask who is still in."""

    def end_of_game(S: Any, F: list[Any]) -> int:
        S.over = True
        return 1

    def unused_segment(S: Any, F: list[Any]) -> int:
        raise AssertionError("a segment that nothing leads to")

    def wins(S: Any, players: tuple[int, ...], text: int | None, values: tuple[Any, ...]) -> None:
        S.over = True
        S.won = players
        S.why = (text, values) if text is not None else None

    def end_game(S: Any, text: int | None, values: tuple[Any, ...]) -> None:
        S.over = True
        S.why = (text, values) if text is not None else None

    def drop_out(S: Any, player: int, text: int | None, values: tuple[Any, ...]) -> None:
        if player not in S.gone:
            S.gone += (player,)

    def seats_in(S: Any) -> tuple[int, ...]:
        return tuple(seat for seat in range(meta.players) if seat not in S.gone)

    def still_in(S: Any, player: int) -> int:
        for step in range(meta.players):
            seat = (player + step) % meta.players
            if seat not in S.gone:
                return seat
        return -1

    def next_seat(S: Any, player: int) -> int:
        following = still_in(S, (player + 1) % meta.players)
        return player if following < 0 else following  # all have dropped out

    def score_of(S: Any, player: int) -> int:
        return sum(line[2] for number in range(meta.score_blocks) for line in names[f"score_{number}"](S, player))

    made = (end_of_game, unused_segment, wins, end_game, drop_out, seats_in, still_in, next_seat, score_of)
    return {function.__name__: function for function in made}


def _bounded(read: Callable[[Running], Found]) -> Callable[[Running], Found]:
    """Scores and ranks are read in no step of the game, and may be read any number of times. Each reading may do as
    much as a step does; what goes wrong in it is a fault of the rules."""

    @wraps(read)
    def reading(state: Running) -> Found:
        state.steps = 0
        try:
            return read(state)
        except (Trouble, Refused, RecursionError) as trouble:
            raise state.game.fault(trouble, state) from None

    return reading


@_bounded
def score_lines_of(state: Running) -> list[list[tuple[str, int]]]:
    """For each player the named lines that add up to the score; none after an end at which nobody counts points."""
    if state.why is not None and state.why[0] in state.meta.unscored:
        return [[] for _ in range(state.meta.players)]
    names = state.machine.play
    found = []
    for player in range(state.meta.players):
        lines = []
        for block in range(state.meta.score_blocks):
            for text, values, points in names[f"score_{block}"](state, player):
                lines.append((render(state, text, values, None), points))
        found.append(lines)
    return found


@_bounded
def ranking_of(state: Running) -> list[int]:
    """The rank of each player, 1 being the best; players tied in every criterion share a rank. If the rules say that
    nobody wins, nobody is first: all ranks are one more than there are players."""
    if state.won is not None and not state.won:
        return [state.meta.players + 1] * state.meta.players
    keys = standing_of(state)
    return [1 + sum(other > own for other in keys) for own in keys]


def standing_of(state: Running, scores: Sequence[int] | None = None) -> list[tuple[int, ...]]:
    """What players are ranked by, as if the game ended here: a key for each, the highest is first. Whoever has the
    scores at hand may give them."""
    players = range(state.meta.players)
    if state.won is not None:
        keys: list[tuple[int, ...]] = [(int(player in state.won),) for player in players]
    elif state.meta.has_rank:
        rank = state.machine.play["rank"]
        keys = [tuple(rank(state, player)) for player in players]
    elif state.meta.score_blocks:
        keys = [(points,) for points in (state.scores if scores is None else scores)]
    else:
        keys = [(0,) for _ in players]
    return [(0 if player in state.gone else 1, *key) for player, key in zip(players, keys, strict=True)]


@_bounded
def payoffs_of(state: Running) -> list[float]:
    """What a finished game is worth to each player: what the rules say, else by ranks from +1 to -1."""
    if state.meta.payoff is None:
        return returns_of(state.ranking)
    payoff = state.machine.play["payoff"]
    return [float(payoff(state, player)) for player in range(state.meta.players)]


def returns_of(ranking: Sequence[int]) -> list[float]:
    """What each player gets: evenly from +1 to -1 by rank; those who are tied share what their places get together.
    If nobody wins, everybody gets the least."""
    count = len(ranking)
    if count == 1:
        return [1.0 if ranking[0] == 1 else 0.0]
    if ranking[0] > count:
        return [-1.0] * count
    places = [1 - 2 * position / (count - 1) for position in range(count)]
    found = []
    for rank in ranking:
        tied = ranking.count(rank) if isinstance(ranking, list) else sum(other == rank for other in ranking)
        shared = places[rank - 1 : rank - 1 + tied]
        total = 0.0
        for place in shared:  # one by one: `sum` of floats rounds differently from Python 3.12 on
            total += place
        found.append(total / len(shared))
    return found
