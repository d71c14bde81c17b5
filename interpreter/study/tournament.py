"""Every bot against every other: the same deals for all, seats rotated, ratings with intervals.

A *round* is one seed. In it each line-up of bots plays once in every rotation of the seats, so each bot has each seat
with the same cards and the same chance. With two seats the line-ups are all pairs; with more seats all choices of
that many bots; with fewer bots than seats each pair shares the table, seat by seat in turn. Seats of automas are not
given to bots.

Rotations leave it as it is who sits behind whom, and with three bots or more that may decide a game: who follows a
careless player takes what that one leaves. So a line-up of different bots sits in another order round the table in
each round, and in every second round in the reverse of the order before: after any even number of rounds each bot has
sat behind each other one as often as in front of it, and after (n - 1)! rounds in all orders equally often.

Of each game every pair of seats is compared by rank: the better one has won against the other. Equal ranks are half a
win each, if the rules compared the two: a game that is drawn, or points that are equal. Where the rules name the winner
(`p wins`), nothing is said about the others: which of two losers was better is not known, and they are not compared.
(Taken for draws, they would pull every share towards a half: with four at the table, two of each kind, a bot that wins
every game would be told to win three in four.) Winners that are named together are not compared either, unless all are.

Where one seat is left (alone, or against an automa), the bots play the same seeds one after the other, and the better
result wins, then the higher score. So it is where all players win or lose together: each bot has the whole table to
itself, since at one table all would always come out even.

Games are played in batches (`batches`), here, in several processes or on Ray: every game has its number, and results
come in that order, so nothing depends on who played them. A tournament that is interrupted, or in which a bot fails,
is reported with the rounds that are complete.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from ..play.bots.named import bot
from ..play.bots.standing import keys_of
from ..play.contract import Game, PlayError
from .batches import PROCESSES, batches_of, require_engine, run_batches
from .ratings import Wins, elo, elo_intervals, share_interval, summed
from .statistics import moments_of
from .thinking_games import ThinkingGames

Load = Callable[[], Game]
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Pairing:
    """One game to be played: which bot (by number) has which seat; None for an automa."""

    number: int
    round: int
    seed: int
    seats: tuple[int | None, ...]


@dataclass(frozen=True)
class Played:
    """One finished game. `better` compares seats: by result, and alone by score too. `named`: the rules have named some
    players as winners and others not, so equal results say nothing."""

    pairing: Pairing
    returns: tuple[float, ...]
    scores: tuple[int, ...]
    better: tuple[tuple[float, ...], ...]
    decisions: int
    named: bool = False


@dataclass
class Tournament:
    """All games of the complete rounds, in order, and what stopped it before its end."""

    game: str
    title: str
    players: int
    bots: tuple[str, ...]
    seed: int
    asked_rounds: int
    games: list[Played] = field(default_factory=list)
    stopped_by: BaseException | None = None
    has_payoff: bool = False  # the rules say what a finished game is worth, and bots play for that

    @property
    def rounds(self) -> list[Wins]:
        """For each round who has won how often against whom."""
        by_round: dict[int, list[Played]] = {}
        for played in self.games:
            by_round.setdefault(played.pairing.round, []).append(played)
        return [wins_of(by_round[number], len(self.bots)) for number in sorted(by_round)]

    def report(self) -> dict[str, Any]:
        """Ratings, pairs and games as plain data."""
        rounds = self.rounds
        wins = summed(rounds) if rounds else []
        ratings, intervals = (elo(wins), elo_intervals(rounds, self.seed)) if rounds else ([], [])
        order = sorted(range(len(ratings)), key=lambda i: -ratings[i])
        return {
            "format": "rulewright-tournament/1",
            "game": self.game,
            "title": self.title,
            "players": self.players,
            "seed": self.seed,
            "rounds": len(rounds),
            "asked_rounds": self.asked_rounds,
            "stopped_by": str(self.stopped_by) or "interruption" if self.stopped_by is not None else None,
            "ratings": [_rating(self.bots[i], ratings[i], intervals[i], wins, i) for i in order],
            "pairs": [_pair(self.bots, wins, rounds, i, j, self.seed) for i, j in combinations(order, 2)],
            "payoffs": [_payoff(self, i, j) for i, j in combinations(order, 2)] if self.has_payoff else [],
            "games": [_line(self.bots, played) for played in self.games],
        }


def _rating(name: str, rating: float, interval: tuple[float, float], wins: Wins, i: int) -> dict[str, Any]:
    won, lost = sum(wins[i]), sum(row[i] for row in wins)
    share = won / (won + lost) if won + lost else 0.0
    held = {"bot": name, "rating": round(rating, 1), "low": round(interval[0], 1), "high": round(interval[1], 1)}
    return {**held, "comparisons": int(won + lost), "share": round(share, 4)}


def _pair(bots: Sequence[str], wins: Wins, rounds: list[Wins], i: int, j: int, seed: int) -> dict[str, Any]:
    met = wins[i][j] + wins[j][i]
    low, high = share_interval(rounds, i, j, seed) if met else (0.0, 1.0)
    share = wins[i][j] / met if met else 0.5
    return {
        "bot": bots[i], "against": bots[j], "comparisons": int(met), "share": round(share, 4), "low": round(low, 4),
        "high": round(high, 4),
    }  # fmt: skip


def _payoff(found: Tournament, i: int, j: int) -> dict[str, Any]:
    """What the first of two bots got on average in the games in which both sat. A round counts once: its games have the
    same deals."""
    by_round: dict[int, list[float]] = {}
    for played in found.games:
        if i in played.pairing.seats and j in played.pairing.seats:
            own = [worth for seat, worth in zip(played.pairing.seats, played.returns, strict=True) if seat == i]
            by_round.setdefault(played.pairing.round, []).extend(own)
    means = moments_of([sum(own) / len(own) for own in by_round.values()])
    low, high = means.interval() if means.count > 1 else (-math.inf, math.inf)
    ends = [round(end, 4) if math.isfinite(end) else None for end in (low, high)]
    return {"bot": found.bots[i], "against": found.bots[j], "mean": round(means.mean, 4), "interval": ends}


def _line(bots: Sequence[str], played: Played) -> dict[str, Any]:
    seats = [None if number is None else bots[number] for number in played.pairing.seats]
    return {
        "round": played.pairing.round, "seed": played.pairing.seed, "seats": seats, "returns": list(played.returns),
        "scores": list(played.scores), "decisions": played.decisions,
    }  # fmt: skip


# ---------------------------------------------------------------------------- who plays whom


def pairings(game: Game, bots: int, rounds: int, seed: int) -> list[Pairing]:
    """All games in their order."""
    seats = [seat for seat in range(game.players) if seat not in game.meta.automas]
    found: list[Pairing] = []
    for number in range(rounds):
        for table in _tables(game, bots, len(seats)):
            lineup = _order_of_round(table, number)
            for turn in range(len(seats) if len(set(lineup)) > 1 else 1):
                filled: list[int | None] = [None] * game.players
                for place, seat in enumerate(seats):
                    filled[seat] = lineup[(place + turn) % len(seats)]
                found.append(Pairing(len(found), number, seed + number, tuple(filled)))
    return found


def _tables(game: Game, bots: int, seats: int) -> list[tuple[int, ...]]:
    """The line-ups of a round; players who win or lose together are all of one kind."""
    return [(one,) * seats for one in range(bots)] if game.meta.is_team else lineups(bots, seats)


def lineups(bots: int, seats: int) -> list[tuple[int, ...]]:
    """Who sits at the table together."""
    if seats == 1:
        return [(one,) for one in range(bots)]
    if bots >= seats:
        return list(combinations(range(bots), seats))
    shared = [tuple((one, other)[seat % 2] for seat in range(seats)) for one, other in combinations(range(bots), 2)]
    if seats % 2:
        shared += [
            tuple((other, one)[seat % 2] for seat in range(seats)) for one, other in combinations(range(bots), 2)
        ]
    return shared


def _order_of_round(lineup: tuple[int, ...], number: int) -> tuple[int, ...]:
    """The order in which different bots sit round the table in the round of this number."""
    if len(set(lineup)) < len(lineup):
        return lineup
    behind, which = list(lineup[1:3]), number // 2
    for one in lineup[3:]:  # at every place: no two of these orders are the reverse of each other
        which, place = divmod(which, len(behind) + 1)
        behind.insert(len(behind) - place, one)
    return (*lineup[:1], *(behind if number % 2 == 0 else reversed(behind)))


def wins_of(games: Sequence[Played], bots: int) -> Wins:
    """Who has won how often against whom in the games of one round."""
    wins = [[0.0] * bots for _ in range(bots)]
    alone: list[tuple[int, tuple[float, ...]]] = []
    for played in games:
        seated = [
            (number, played.better[seat]) for seat, number in enumerate(played.pairing.seats) if number is not None
        ]
        if len({number for number, _ in seated}) == 1:
            alone += seated[:1]
        _compare(seated, wins, played.named)
    _compare(alone, wins)
    return wins


def _compare(seated: Sequence[tuple[int, tuple[float, ...]]], wins: Wins, is_named: bool = False) -> None:
    for (one, own), (other, theirs) in combinations(seated, 2):
        if one != other and not (is_named and own == theirs):
            wins[one][other] += 1.0 if own > theirs else 0.5 if own == theirs else 0.0
            wins[other][one] += 1.0 if theirs > own else 0.5 if own == theirs else 0.0


# ---------------------------------------------------------------------------- playing


def play(game: Game, thinking: ThinkingGames, pairing: Pairing) -> Played:
    """One game of the bots that sit at this table."""
    state, decisions = thinking.finished(pairing.seed)
    returns = tuple(state.returns or ())
    keys = keys_of(state) if state.meta.has_rank or state.meta.score_blocks else [()] * game.players
    named = state.won is not None and 0 < len(state.won) < game.players
    is_alone = game.meta.is_team or sum(number is not None for number in pairing.seats) == 1
    better = [(own, *map(float, key[:1])) if is_alone else (own,) for own, key in zip(returns, keys, strict=True)]
    return Played(pairing, returns, tuple(state.scores), tuple(better), decisions, named)


def hold(
    load: Load, bots: Sequence[str], rounds: int, seed: int = 0, jobs: int = 1, progress: Progress | None = None,
    engine: str = PROCESSES,
) -> Tournament:  # fmt: skip
    """Plays the tournament. Interrupted, or stopped by a failure, it gives what is complete. With several jobs `load`
    must be picklable."""
    if len(bots) < 2:
        raise PlayError("a tournament needs two bots at least", "for example --bots mcts:100,greedy,random")
    if len(set(bots)) < len(bots):
        raise PlayError("a bot is named twice", "name each bot once: the same ones would share a rating")
    for name in bots:
        bot(name)
    require_engine(engine)
    game = load()
    todo = pairings(game, len(bots), rounds, seed)
    found = Tournament(game.name, game.title, game.players, tuple(bots), seed, rounds)
    found.has_payoff = game.meta.payoff is not None
    thoughtful = any(name != "random" for name in bots)
    done: list[Played] = []
    try:
        for played in run_batches(Games(load, tuple(bots), todo), batches_of(0, len(todo), thoughtful), jobs, engine):
            done += played
            if progress is not None:
                progress(len(played))
    except (KeyboardInterrupt, Exception) as problem:
        found.stopped_by = problem
    each = max(1, len(todo) // rounds)
    found.games = done[: len(done) // each * each]
    return found


@dataclass
class Games:
    """The work of a tournament, as `batches` hands it out: the games of these numbers, in their order."""

    load: Load
    bots: tuple[str, ...]
    todo: list[Pairing]

    def open(self) -> None:
        self._game = self.load()
        self._thinking: dict[tuple[str, ...], ThinkingGames] = {}  # by the bots on the seats

    def __getstate__(self) -> dict[str, Any]:
        """What another process gets; it loads the game itself."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def play(self, numbers: range) -> list[Played]:
        return [self._play(self.todo[number]) for number in numbers]

    def _play(self, pairing: Pairing) -> Played:
        kinds = tuple("first" if number is None else self.bots[number] for number in pairing.seats)
        thinking = self._thinking.get(kinds)
        if thinking is None:
            beside = next(iter(self._thinking.values()), None)
            thinking = self._thinking[kinds] = ThinkingGames(self._game, kinds, beside)
        return play(self._game, thinking, pairing)
