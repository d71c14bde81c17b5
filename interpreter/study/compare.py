"""Compares two games: which figures differ, by how much, and how sure that is.

Games are *paired*: number i of both has the same seed, so both begin with the same shuffles and throws, and what luck
does to both falls out of their difference. Each figure is tested on the differences of its pairs (t-test). Looking at
twenty figures finds one "difference" by chance alone, so all p-values of a comparison are corrected together (Holm's
method): the chance that any figure is called different although none is stays below 5 %. Figures that are the same in
every pair need no test and are left out of the correction.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..play.contract import Game, PlayError
from ..play.seats import require_bot
from ..runtime.faults import Fault
from .batches import PROCESSES, Stop, batches_of, run_batches
from .figures import PairSums, PairTally, is_rate, left_out, unit
from .neighbours import looks_for_neighbours
from .report import FEWEST_ALIKE, all_alike
from .rows import Row, fewest_told
from .simulate import Load, Played, Progress
from .statistics import Moments, games_for, holm, smallest_shown
from .tally import Tally
from .watch import close_step, watcher_of

COMPARISON_FORMAT = "rulewright-comparison/1"
SIGNIFICANT = 0.05
REMARK = "a difference that chance alone gives less than once in twenty comparisons like this, all lines taken together"
_DIGITS = 4

TakePairs = Callable[[Sequence[tuple[Row, Row]]], None]


@dataclass(frozen=True)
class Pairs:
    """What was played. `games` pairs were asked for, `tally.games` were played; `stopped_by` says why fewer, if nobody
    interrupted it."""

    bots: tuple[str, ...]
    seed: int
    games: int
    tally: PairTally
    stopped_by: Stop | None = None
    spread: bool = False
    cautions: tuple[str, ...] = ()  # about neighbouring seeds

    @property
    def is_interrupted(self) -> bool:
        return self.tally.games < self.games


def play_pairs(
    loads: tuple[Load, Load], bots: Sequence[str], games: int, seed: int = 0, jobs: int = 1,
    progress: Progress | None = None, take_pairs: TakePairs | None = None, engine: str = PROCESSES,
    spread: bool = False,
) -> Pairs:  # fmt: skip
    """Play `games` pairs. `progress` hears of each game, two for a pair. Ctrl-C, a bot that fails and workers that die
    keep what was finished before."""
    for kind in bots:
        require_bot(kind)
    work = PairWork(loads, tuple(bots), seed, games, take_pairs is not None, spread)
    tally: PairTally | None = None
    stopped_by: Stop | None = None
    looks = looks_for_neighbours(bots, spread), looks_for_neighbours(bots, spread)
    try:
        batches = batches_of(seed, games, any(kind != "random" for kind in bots))
        for batch, pairs, each in run_batches(work, batches, jobs, engine):
            for look, own in zip(looks, each, strict=True):
                look.take(own)
            if tally is None:
                tally = PairTally(batch.seats)
            tally.merge(batch)
            if take_pairs is not None:
                take_pairs(pairs)
            if progress is not None:
                progress(2 * batch.games)
    except (KeyboardInterrupt, PlayError, Fault) as problem:
        if tally is None:
            raise
        stopped_by = None if isinstance(problem, KeyboardInterrupt) else problem
    assert tally is not None
    told = dict.fromkeys(text for look in looks for text in look.told(tally.seats))
    return Pairs(tuple(bots), seed, games, tally, stopped_by, spread, tuple(told))


@dataclass
class PairWork:
    """Both games of each seed, in one process."""

    loads: tuple[Load, Load]
    bots: tuple[str, ...]
    first: int
    games: int
    sends_rows: bool
    spread: bool = False

    def open(self) -> None:
        games = [load() for load in self.loads]
        if list(games[0].seat_names) != list(games[1].seat_names):
            raise PlayError(
                f"`{games[0].name}` and `{games[1].name}` have other seats", "compare games with equal seats"
            )
        self._watchers = [watcher_of(game, self.bots) for game in games]

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def play(self, seeds: range) -> tuple[PairTally, list[tuple[Row, Row]], tuple[Tally, Tally]]:
        seats = tuple(self._watchers[0].game.seat_names)
        tally, each = PairTally(seats), (Tally(len(seats)), Tally(len(seats)))
        step = close_step(self.games)
        played = [Played(watcher, own, with_rows=True) for watcher, own in zip(self._watchers, each, strict=True)]
        pairs = list(zip(*[own.games(seeds, self.first, step, self.spread) for own in played], strict=True))
        for pair in pairs:
            tally.note(*pair)
        return tally, pairs if self.sends_rows else [], each


# ---------------------------------------------------------------------------- as data


def comparison_of(
    games: tuple[Game, Game], pairs: Pairs, difference: list[dict[str, Any]] | None = None,
    cautions: Sequence[str] = (), names: tuple[str, str] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Both games and the lines of their comparison. `difference`: how their rules differ; `names`: what a reader calls
    the two games, if not by their own names."""
    seats = pairs.tally.seats
    out = left_out(seats, all(game.meta.is_team for game in games))
    sums = {name: own for name, own in pairs.tally.finished().items() if name not in out}
    told = {name: own for name, own in sums.items() if own.first_squares or own.second_squares}
    chances = {name: own.of_difference(unit(name, seats)).chance_of(0) for name, own in told.items() if own.differs}
    corrected = dict(zip(chances, holm(list(chances.values())), strict=True))
    looks, played = max(1, len(chances)), pairs.tally.games
    lines = [
        _line(name, own, unit(name, seats), is_rate(name, seats), corrected.get(name, 1.0), looks, played)
        for name, own in told.items()
    ]
    called = names or (games[0].name, games[1].name)
    return {
        "format": COMPARISON_FORMAT,
        "players": games[0].players,
        "games": pairs.tally.games,
        "seed": pairs.seed,
        "spread": pairs.spread,
        "bots": list(pairs.bots),
        "interrupted": pairs.is_interrupted,
        "cautions": [*cautions, *fewest_told(games), *pairs.cautions, *_repeated(pairs, told)],
        "compared": [
            {"game": name, "title": game.title, "fingerprint": game.fingerprint}
            for name, game in zip(called, games, strict=True)
        ],
        "rules": difference or [],
        "lines": lines,
        "sentences": [line["sentence"] for line in lines if line["significant"]],
    }


def _repeated(pairs: Pairs, told: dict[str, PairSums]) -> list[str]:
    """Said if one of the two games went the same way every time, among bots that think."""
    if pairs.tally.games < FEWEST_ALIKE or all(kind == "random" for kind in pairs.bots):
        return []
    each = [own.of_each(1) for own in told.values()]
    is_alike = any(all(moments[which].sd == 0 for moments in each) for which in (0, 1))
    return [all_alike(pairs.tally.games)] if each and is_alike else []


def _line(
    name: str, sums: PairSums, unit: int, rate: bool, chance: float, looks: int, played: int
) -> dict[str, Any]:  # fmt: skip
    first, second = sums.of_each(unit)
    apart = sums.of_difference(unit)
    low, high = _reach(apart, rate)
    variance = apart.sd**2
    known = math.isfinite(low)
    line = {
        "name": name,
        "kind": "rate" if rate else "mean",
        "games": sums.count,
        "figures": [round(first.mean, _DIGITS), round(second.mean, _DIGITS)],
        "sd": None if rate else [round(first.sd, _DIGITS), round(second.sd, _DIGITS)],
        "difference": round(apart.mean, _DIGITS),
        "interval": [round(low, _DIGITS), round(high, _DIGITS)] if known else None,
        "chance": round(chance, 6),
        "significant": chance < SIGNIFICANT,
        "smallest": round(smallest_difference(apart, rate, looks), _DIGITS),
        "needed": games_for(apart.mean, apart.sd, looks) if chance >= SIGNIFICANT else None,
        "gain": round((first.sd**2 + second.sd**2) / variance, 2) if variance else None,
    }
    return {**line, "sentence": sentence(line, apart, told_name(line, played))}


def told_name(line: dict[str, Any], games: int) -> str:
    """The name of a figure. Not every game has every figure, and a pair needs both: then with the number of pairs."""
    return line["name"] if line["games"] == games else f"{line['name']} (of {line['games']:,} pairs)"


def _reach(apart: Moments, rate: bool) -> tuple[float, float]:
    """The 95 % interval of a difference. Where all pairs of a rate differ alike there is no spread to judge by: then as
    many as 3 in n may still be otherwise (the rule of three). Rates are never more than 100 % apart."""
    low, high = apart.interval()
    if not rate or apart.count < 2:
        return low, high
    if apart.sd:
        return max(-1.0, low), min(1.0, high)
    return max(-1.0, apart.mean - 3 / apart.count), min(1.0, apart.mean + 3 / apart.count)


def smallest_difference(apart: Moments, rate: bool, looks: int) -> float:
    """The smallest difference that this many pairs can show; by the same rule of three where they do not differ."""
    if rate and apart.sd == 0:
        return min(1.0, 3 / apart.count) if apart.count else 1.0
    shown = smallest_shown(apart.sd, apart.count, looks)
    return min(1.0, shown) if rate else shown


def sentence(line: dict[str, Any], apart: Moments, name: str) -> str:
    """The difference in plain words; what the games do not show is not claimed."""
    figure = partial(_amount, line["kind"])
    if line["interval"] is None:
        return f"{name}: too few games."
    low, high = line["interval"]
    if apart.sd == 0 and apart.mean == 0:
        return f"{name}: the same in every pair of games."
    if not line["significant"] and apart.sd == 0:
        alike = f"{figure(abs(apart.mean))} {'more' if apart.mean > 0 else 'less'} in all {apart.count} pairs"
        return f"{name}: {alike}, which is too few to be sure; {line['needed']:,} like these would do."
    if not line["significant"]:
        needed = f"; a difference as seen would take about {line['needed']:,} games" if line["needed"] else ""
        if line["kind"] == "rate" and line["smallest"] >= 1:
            return f"{name}: no difference is shown, and so few games can show none{needed}."
        return f"{name}: no difference is shown (this many games can show {figure(line['smallest'])}{needed})."
    word = "more" if apart.mean > 0 else "less"
    ends = sorted((abs(low), abs(high))) if low * high > 0 else (low, high)
    often = " often" if line["kind"] == "rate" else ""
    between = f"95 % between {_bare(line['kind'], ends[0])} and {_bare(line['kind'], ends[1])}"
    return f"{name}: {figure(abs(apart.mean))} {word}{often}, {between}."


def _amount(kind: str, figure: float) -> str:
    return f"{_bare(kind, figure)} points" if kind == "rate" else _bare(kind, figure)


def _bare(kind: str, figure: float) -> str:
    return f"{100 * figure:.1f}" if kind == "rate" else f"{figure:,.2f}"
