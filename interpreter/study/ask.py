"""Answers a question about a game: plays until the answer is clear, or says that it cannot be told.

A question names a figure and the values that it may have: `first seat wins between 45 and 55 %`, `turns less than 40`.
After each batch of games the program looks whether it knows enough. Looking often at a usual 95 % interval would be
wrong far more than once in twenty, since one of many looks is bound to deceive. So the interval is one that holds *at
all times together* (a confidence sequence: Robbins' mixture with the standard deviation estimated on the way;
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence
sequences", 2021). The answer is yes if the interval lies inside the values asked for, no if it lies outside; either is
wrong at most once in twenty.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..diagnostics.suggest import nearest
from ..play.contract import Game, PlayError
from ..play.seats import require_bot
from ..runtime.faults import Fault
from .batches import PROCESSES, Stop, run_batches
from .figures import ALL_WIN, MARGIN, SHARED, figures_of, is_rate, lead, score, unit, wins
from .neighbours import looks_for_neighbours
from .rows import Row
from .simulate import Games, Load, Progress
from .statistics import Moments
from .tally import Tally

ERROR_RATE = 0.05
_LOOKED_AT = 64  # games of random bots, for what neighbouring seeds have in common
_LEAST = 50  # games before the first look: the spread has to be known a little
USUAL = 500  # games that a question takes, unless it is close
_BATCH, _THOUGHTFUL_BATCH = 50, 5
_DRAWN_LOOKS = 80
_TUNED_TO = 1000  # games at which the interval is narrowest beside an interval for that number alone

_NUMBER = r"(-?\d+(?:\.\d+)?)"
_BOUNDS = re.compile(
    rf"(?P<what>.+?)\s+(?:is\s+|are\s+|takes\s+)?(?:between\s+{_NUMBER}\s*%?\s+and\s+{_NUMBER}"
    rf"|(?P<word>more than|at least|over|less than|at most|under)\s+{_NUMBER})\s*(?P<unit>%|[a-z]+)?\s*\??",
    re.IGNORECASE,
)
_CLOSE_ONLY = ("changes of the lead", "winner was behind at half time")


@dataclass(frozen=True)
class Question:
    """A figure by its name, and between what it is asked to lie; rates are shares, not percent."""

    text: str
    figure: str
    low: float
    high: float


@dataclass(frozen=True)
class Look:
    """What was known after so many games."""

    games: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Answer:
    """`verdict`: yes, no, or unclear. The interval holds the true value, at all looks together, 95 times in 100.
    `looks` are those on the way, the last one included; `stopped_by` says why it could not go on, if it could not."""

    question: Question
    verdict: str
    games: int
    most: int
    mean: float
    interval: tuple[float, float]
    is_rate: bool
    looks: tuple[Look, ...] = ()
    is_interrupted: bool = False
    stopped_by: Stop | None = None
    cautions: tuple[str, ...] = ()  # about neighbouring seeds


class WrongQuestion(PlayError):
    """The game has no such figure, which only shows when it is played."""


# ---------------------------------------------------------------------------- questions


def question_of(text: str, game: Game) -> Question:
    found = _BOUNDS.fullmatch(text.strip())
    if found is None:
        raise PlayError(
            f"`{text}` is not understood as a question",
            "name a figure and its bounds: `first seat wins between 45 and 55 %`, `turns less than 40`",
        )
    figure = figure_named(found["what"], game)
    numbers = [float(number) for number in (found[2], found[3], found[5]) if number is not None]
    scale = 0.01 if is_rate(figure, game.seat_names) else 1.0
    if (found["unit"] == "%") != (scale != 1.0):
        said = "is a share of games: give its bounds in %" if scale != 1.0 else "is a number, not a share of games"
        raise PlayError(f"`{figure}` {said}")
    if found["word"] is None:
        low, high = numbers[0], numbers[1]
    elif found["word"].lower() in ("more than", "at least", "over"):
        low, high = numbers[0], math.inf
    else:
        low, high = -math.inf, numbers[0]
    if low >= high:
        raise PlayError(f"nothing lies between {low:g} and {high:g}", "name the smaller bound first")
    return Question(text.strip(), figure, low * scale, high * scale)


def figure_named(words: str, game: Game) -> str:
    """The figure that somebody means by these words; raises PlayError with the nearest one if there is none."""
    said = " ".join(words.lower().removeprefix("the ").split())
    known = _known_figures(game)
    if said in known:
        return known[said]
    likely = nearest(said, known)
    advice = f"did you mean `{likely}`? " if likely else ""
    raise PlayError(f"there is no figure `{words}`", f"{advice}there are {', '.join(known)}")


def _known_figures(game: Game) -> dict[str, str]:
    seats = list(game.seat_names)
    known: dict[str, str] = {}
    is_team = game.meta.is_team and len(seats) > 1  # a seat wins if all do
    if is_team:
        known["all win"] = known["all players win"] = ALL_WIN
    for number, seat in enumerate(seats, 1):
        for called in (seat.lower(), f"seat {number}"):
            known[f"{called} wins"] = ALL_WIN if is_team else wins(seat)
            known[f"score of {called}"] = score(seat)
    for called, seat in (("first seat", seats[0]), ("last seat", seats[-1])):
        known[f"{called} wins"] = ALL_WIN if is_team else wins(seat)
        known[f"score of {called}"] = score(seat)
    known["lead of first seat"] = lead(seats[0])
    known["margin"] = MARGIN
    known["first place is shared"] = ALL_WIN if is_team else SHARED
    known["turns"], known["rounds"] = "turns of all players", "rounds"
    known["choices"] = "choices of all players (two or more options)"
    known["forced choices"] = "forced choices of all players"
    known["lead changes"], known["winner was behind at half time"] = _CLOSE_ONLY
    return known


# ---------------------------------------------------------------------------- answers


def reach_at_all_times(moments: Moments, error: float = ERROR_RATE) -> float:
    """Half the width of the interval around the mean that holds at all numbers of games together."""
    if moments.count < 2:
        return math.inf
    log = -2 * math.log(error)
    tuning = (log + math.log(log + 1)) / _TUNED_TO  # the square of the paper's rho
    n = moments.count
    mixed = n * tuning + 1
    # A figure that has not varied yet would have an interval of no width: one game in n may still be otherwise.
    sd = max(moments.sd, 1 / math.sqrt(n)) if moments.sd == 0 else moments.sd
    return sd * math.sqrt(2 * mixed / (n * n * tuning) * math.log(math.sqrt(mixed) / error))


def ask(
    load: Load, question: Question, bots: Sequence[str], most: int, seed: int = 0, jobs: int = 1,
    progress: Progress | None = None, engine: str = PROCESSES, spread: bool = False,
) -> Answer:  # fmt: skip
    """Play until the question is answered, at most `most` games. Ctrl-C, a bot that fails and workers that die end it
    with what is known then."""
    for kind in bots:
        require_bot(kind)
    thoughtful = any(kind != "random" for kind in bots)
    size = _THOUGHTFUL_BATCH if thoughtful else _BATCH
    batches = [range(start, min(start + size, seed + most)) for start in range(seed, seed + most, size)]
    close_always = question.figure in _CLOSE_ONLY
    seats = tuple(load().seat_names)
    sums, look = _Sums(question, seats), looks_for_neighbours(bots, spread)
    work = Games(load, tuple(bots), seed, 0 if close_always else most, sends_rows=True, spread=spread)
    is_interrupted, stopped_by = False, None
    try:
        for batch in run_batches(work, batches, jobs, engine):
            sums.take(batch.rows)
            look.take(batch.tally)
            if progress is not None:
                progress(len(batch.rows))
            if sums.verdict != "unclear":
                break
    except KeyboardInterrupt:
        is_interrupted = True
    except (PlayError, Fault) as problem:
        if not sums.games or isinstance(problem, WrongQuestion):
            raise
        is_interrupted, stopped_by = True, problem
    if look.is_random and sums.games:
        look.take_closely(_first_games(work, sums.games))
    told = tuple(look.told(seats))
    return replace(sums.answer(most), is_interrupted=is_interrupted, stopped_by=stopped_by, cautions=told)


def _first_games(work: Games, played: int) -> Tally:
    """The first games once more, each looked at closely. An answer may come so soon that hardly any was."""
    again = replace(work, games=0, sends_rows=False)
    again.open()
    return again.play(range(work.first, work.first + min(played, _LOOKED_AT))).tally


class _Sums:
    def __init__(self, question: Question, seats: tuple[str, ...]) -> None:
        self._question, self._seats = question, seats
        self._unit = unit(question.figure, seats)
        self.games = self._count = self._total = self._squares = 0
        self.verdict = "unclear"
        self._looks: list[Look] = []

    def take(self, rows: Sequence[Row]) -> None:
        for row in rows:
            self.games += 1
            figure = figures_of(row, self._seats).get(self._question.figure)
            if figure is not None:
                self._count += 1
                self._total += figure
                self._squares += figure * figure
        if self.games >= 4 * _LEAST and not self._count:
            raise WrongQuestion(f"`{self._question.figure}` does not occur in this game", "ask about another figure")
        if self._count >= _LEAST:
            low, high = self._interval()
            self._looks.append(Look(self.games, self._moments.mean, low, high))
            if self._question.low <= low and high <= self._question.high:
                self.verdict = "yes"
            elif high < self._question.low or low > self._question.high:
                self.verdict = "no"

    @property
    def _moments(self) -> Moments:
        return Moments(self._count, self._total / self._unit, self._squares / self._unit**2)

    def _interval(self) -> tuple[float, float]:
        moments = self._moments
        reach = reach_at_all_times(moments)
        low, high = moments.mean - reach, moments.mean + reach
        if is_rate(self._question.figure, self._seats):
            return max(0.0, low), min(1.0, high)
        return low, high

    def answer(self, most: int) -> Answer:
        rate = is_rate(self._question.figure, self._seats)
        return Answer(
            self._question, self.verdict, self.games, most, self._moments.mean, self._interval(), rate,
            tuple(thinned(self._looks)),
        )  # fmt: skip


def thinned(looks: Sequence[Look]) -> list[Look]:
    """At most so many of the looks as a drawing can show, the first and the last among them."""
    step = max(1, -(-len(looks) // _DRAWN_LOOKS))
    return [look for number, look in enumerate(reversed(looks)) if number % step == 0][::-1]


def answer_text(answer: Answer, cautions: Sequence[str] = ()) -> str:
    question = answer.question

    def figure(number: float) -> str:
        return f"{100 * number:.1f} %" if answer.is_rate else f"{number:,.2f}"

    known = f"{question.figure}: {figure(answer.mean)} in {answer.games:,} games"
    low, high = (figure(end) if math.isfinite(end) else "?" for end in answer.interval)
    between = f"between {low} and {high} (95 %, however often one looks)"
    told = {"yes": "Yes.", "no": "No.", "unclear": f"It cannot be said after {answer.games:,} games."}[answer.verdict]
    lines = [f"{told} {known}, {between}."]
    if answer.verdict == "unclear":
        lines.append("The true value lies close to a bound, or more games are needed (`--most`).")
    lines.append(f"Yes and No are each wrong at most {100 * ERROR_RATE:.0f} times in 100.")
    return "\n".join([*("! " + caution for caution in cautions), *lines])


def answer_data(answer: Answer, game: Game, bots: Sequence[str], seed: int, spread: bool = False) -> dict[str, Any]:
    question = answer.question
    return {
        "format": "rulewright-answer/1",
        "game": game.name,
        "title": game.title,
        "players": game.players,
        "bots": list(bots),
        "seed": seed,
        "spread": spread,
        "question": question.text,
        "figure": question.figure,
        "is_rate": answer.is_rate,
        "bounds": [bound if math.isfinite(bound) else None for bound in (question.low, question.high)],
        "answer": answer.verdict,
        "games": answer.games,
        "most": answer.most,
        "value": round(answer.mean, 6),
        "interval": [round(end, 6) if math.isfinite(end) else None for end in answer.interval],
        "error_rate": ERROR_RATE,
        "looks": [[look.games, *(round(one, 6) for one in (look.mean, look.low, look.high))] for look in answer.looks],
    }
