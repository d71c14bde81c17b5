"""What a constant does: the same seeds played with each of its values, and the figures side by side.

Every value is compared with the first in pairs of games, so that a small effect shows; the p-values of all figures and
values are corrected together (Holm).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

from ..files.shown import escape
from ..play.contract import Game, PlayError
from ..runtime.faults import Fault
from .batches import PROCESSES, Stop
from .compare import SIGNIFICANT, smallest_difference
from .comparison_text import shared_told
from .figures import PairSums, PairTally, figures_of, is_rate, left_out, unit
from .neighbours import resemblance
from .page import cautions, heading, listed, page
from .rows import Row, fewest_told
from .settings import VARIANT
from .simulate import Load, Simulation, simulate
from .small_charts import Spot, plot
from .statistics import Moments, holm, wilson_interval
from .text_table import aligned, seeds_told, several

SWEEP_FORMAT = "rulewright-sweep/1"
_RANGE = re.compile(r"\s*([A-Za-z_][\w.]*)\s*=\s*(-?\d{1,18})\s*\.\.\s*(-?\d{1,18})(?:\s+by\s+(\d{1,18}))?\s*")
_LIST = re.compile(r"\s*([A-Za-z_][\w.]*)\s*=\s*([\w-]+(?:\s*,\s*[\w-]+)+)\s*")
_MOST_VALUES = 50
_WIDTH = 110
_STYLE = """
.plots { display: flex; flex-wrap: wrap; gap: 1.4rem 2rem; margin: 1.4rem 0; } figure { margin: 0; max-width: 100%; }
figcaption { font-weight: 600; margin-bottom: .3rem; }
"""


@dataclass
class Sweep:
    """For each value: its own games (each paired with itself), and pairs of (a game of the first value, one of this
    value). The two are not of the same games: some figures not every game has, and a pair needs both."""

    constant: str
    values: tuple[str, ...]
    bots: tuple[str, ...]
    seed: int
    seats: tuple[str, ...]
    games: int = 0
    own: list[PairTally] = field(default_factory=list)
    pairs: list[PairTally] = field(default_factory=list)
    played: int = 0
    spread: bool = False
    is_interrupted: bool = False
    stopped_by: Stop | None = None
    cautions: list[str] = field(default_factory=list)  # about neighbouring seeds


def swept_values(text: str) -> tuple[str, list[str]]:
    """The constant and the values of `CONSTANT=a..b`, `CONSTANT=a..b by s` or `CONSTANT=a,b,c`."""
    found = _RANGE.fullmatch(text)
    if found is not None:
        low, high, step = int(found[2]), int(found[3]), int(found[4] or 1)
        values = range(low, high + 1, step) if step else range(0)
        if not 2 <= len(values) <= _MOST_VALUES:
            raise PlayError(f"`{text}` has {len(values)} values", f"give 2 to {_MOST_VALUES}: `{found[1]}=1..9 by 2`")
        return found[1], [str(value) for value in values]
    listed_values = _LIST.fullmatch(text)
    if listed_values is None:
        raise PlayError(
            f"`{text}` is nothing to sweep over", "write CONSTANT=a..b, CONSTANT=a..b by s or CONSTANT=a,b,c"
        )
    return listed_values[1], [value.strip() for value in listed_values[2].split(",")]


def sweep(
    load_value: Callable[[str], Load], constant: str, values: Sequence[str], bots: Sequence[str], games: int,
    seed: int = 0, jobs: int = 1, progress: Callable[[int], None] | None = None, engine: str = PROCESSES,
    spread: bool = False,
) -> Sweep:  # fmt: skip
    """Play each value; `load_value` gives the loader of the game with that value. The figures of the first value are
    kept game by game, for the pairs."""
    first = load_value(values[0])()
    made = Sweep(constant, tuple(values), tuple(bots), seed, tuple(first.seat_names), games, spread=spread)
    base: list[dict[str, int]] = []
    for value in values:
        taker = _Taker(made.seats, base, is_first=not made.own)
        try:
            played = simulate(load_value(value), bots, games, seed, jobs, progress, taker.take, engine, spread)
        except (KeyboardInterrupt, PlayError, Fault) as problem:  # before the first games of this value were there
            if not made.own:
                raise
            _stop(made, problem)
            break
        made.own.append(taker.own)
        made.pairs.append(taker.pairs)
        made.cautions += _of_neighbours(played, made)
        made.played += played.tally.games
        made.games = min(made.games, played.tally.games)
        if played.is_interrupted:
            _stop(made, played.stopped_by)
            break
    return made


def _of_neighbours(played: Simulation, made: Sweep) -> list[str]:
    """Whether the games of neighbouring seeds resemble each other, said for the first value in which they do."""
    if made.cautions or played.spread or not played.is_random:
        return []
    found = resemblance(played.blocks, played.tally, made.seats)
    return [] if found is None else [found]


def _stop(made: Sweep, problem: BaseException | None) -> None:
    """The sweep ends here, with the values that have games."""
    made.is_interrupted, made.stopped_by = True, problem if isinstance(problem, PlayError | Fault) else None
    made.values = made.values[: len(made.own)]


class _Taker:
    def __init__(self, seats: tuple[str, ...], base: list[dict[str, int]], is_first: bool) -> None:
        self._seats, self._base, self._is_first = seats, base, is_first
        self._number = 0
        self.own, self.pairs = PairTally(seats), PairTally(seats)

    def take(self, rows: Sequence[Row]) -> None:
        for row in rows:
            figures = figures_of(row, self._seats)
            if self._is_first:
                self._base.append(figures)
            elif self._number >= len(self._base):
                return  # the first value was interrupted here
            self.own.note_figures(figures, figures)
            self.pairs.note_figures(self._base[self._number], figures)
            self._number += 1


# ---------------------------------------------------------------------------- as data, text and page


def sweep_data(made: Sweep, game: Game, warned: Sequence[str] = ()) -> dict[str, Any]:
    figures = _figures(made, left_out(made.seats, game.meta.is_team))
    return {
        "format": SWEEP_FORMAT,
        "game": game.name.removesuffix(f"+{VARIANT}"),
        "title": game.title,
        "players": game.players,
        "games": made.games,
        "seed": made.seed,
        "spread": made.spread,
        "bots": list(made.bots),
        "constant": made.constant,
        "values": list(made.values),
        "cautions": [*warned, *fewest_told([game]), *made.cautions],
        "figures": figures,
    }


def _figures(made: Sweep, out: set[str]) -> list[dict[str, Any]]:
    """Every figure that all values have and that is not always zero, but those that are left out."""
    names = dict.fromkeys(name for own in made.own for name in own.finished() if name not in out)
    found = {name: [own.of(name) for own in made.own] for name in names}
    own = {name: [one for one in each if one is not None] for name, each in found.items()}
    told = [name for name in names if len(own[name]) == len(made.own) and any(one.first_squares for one in own[name])]
    apart = {(value, name): _apart(made, value, name) for value in range(1, len(made.own)) for name in told}
    tested = [key for key, moments in apart.items() if moments.count and (moments.mean or moments.sd)]
    corrected = dict(zip(tested, holm([apart[key].chance_of(0) for key in tested]), strict=True))
    figures = []
    for name in told:
        rate = is_rate(name, made.seats)
        points = [
            _point(value, own[name][n].of_each(unit(name, made.seats))[0], rate, corrected.get((n, name), 1.0))
            for n, value in enumerate(made.values)
        ]
        looks = max(1, len(tested))
        visible = [smallest_difference(apart[value, name], rate, looks) for value in range(1, len(made.own))]
        figures.append(
            {
                "name": name,
                "kind": "rate" if rate else "mean",
                "points": points,
                "differs": any(point["differs"] for point in points),
                "smallest": round(max(visible), 4) if visible and math.isfinite(max(visible)) else None,
            }
        )
    return figures


def _apart(made: Sweep, value: int, name: str) -> Moments:
    """This value minus the first, pair by pair."""
    sums = made.pairs[value].of(name) or PairSums()
    return sums.of_difference(unit(name, made.seats))


def _point(value: str, own: Moments, rate: bool, chance: float) -> dict[str, Any]:
    # Wilson's, where it is a share: 40 games of 40 do not show that it is always so, as the spread of their mean would.
    low, high = wilson_interval(own.mean * own.count, own.count) if rate else own.interval()
    return {
        "value": value,
        "games": own.count,
        "mean": round(own.mean, 4),
        "interval": [round(low, 4), round(high, 4)] if own.count > 1 else None,
        "chance": round(chance, 6),
        "differs": chance < SIGNIFICANT,
    }


def sweep_text(data: dict[str, Any]) -> str:
    """A table, a column for each value; `*` marks what differs from the first value."""
    rows = [[data["constant"], *data["values"], "can show"]]
    rows += [[figure["name"], *_cells(figure)] for figure in data["figures"]]
    head = f"{data['title']} ({data['game']}), {_played(data)} {seeds_told(data)}, "
    head += f"bots {', '.join(dict.fromkeys(data['bots']))}"
    table = aligned(rows, right=range(1, len(data["values"]) + 2))
    warned = [line for text in data["cautions"] for line in wrap("! " + text, _WIDTH, subsequent_indent="  ")]
    told = [line for text in _remarks(data) for line in wrap(text, _WIDTH, subsequent_indent="  ")]
    return "\n".join([head, "", *warned, "", *table, "", *told])


def _remarks(data: dict[str, Any]) -> list[str]:
    told = [
        "* differs from the first value: pairs of games with equal seeds, corrected for all figures and values (Holm).",
        "can show: the smallest difference from the first value that this many games find four times in five. A "
        "smaller one may be there without a star.",
    ]
    partly = [
        f"{figure['name']}: {', '.join([str(point['games']) for point in figure['points']])}"
        for figure in data["figures"]
        if any(point["games"] < data["games"] for point in figure["points"])
    ]
    if partly:
        told.append(f"Not every game has every figure. Games that have it, value by value: {'; '.join(partly)}.")
    return [*told, *shared_told(data["figures"], lambda figure: any(point["mean"] for point in figure["points"]))]


def _cells(figure: dict[str, Any]) -> list[str]:
    """The figure for each value, and the smallest difference that can be seen."""
    smallest = "" if figure["smallest"] is None else _told(figure, figure["smallest"])
    return [
        *(_told(figure, point["mean"]) + ("*" if point["differs"] else " ") for point in figure["points"]),
        smallest,
    ]


def _told(figure: dict[str, Any], number: float) -> str:
    return f"{100 * number:.1f} %" if figure["kind"] == "rate" else f"{number:,.2f}"


def sweep_page(data: dict[str, Any]) -> str:
    """A plot for each figure that differs, then all in a table."""
    bots = ", ".join(dict.fromkeys(data["bots"]))
    sub = f"{data['game']}: {_played(data)}, bots {bots}"
    body = [*heading(f"{data['title']}: what {data['constant']} does", sub), *cautions(data["cautions"])]
    shown = [figure for figure in data["figures"] if figure["differs"]]
    if not shown:
        body.append("<p>No figure is shown to differ from the first value.</p>")
    body += ['<div class="plots">']
    for figure in shown:
        body += [f"<figure><figcaption>{escape(figure['name'])}</figcaption>{_plotted(figure)}</figure>"]
    body += ["</div>"]
    heads = [(data["constant"], False), *((value, True) for value in data["values"]), ("can show", True)]
    rows = [
        f"<tr><td>{escape(figure['name'])}</td>"
        + "".join(f'<td class="n">{escape(cell)}</td>' for cell in _cells(figure))
        + "</tr>"
        for figure in data["figures"]
    ]
    note = " ".join(["Bars in the plots are 95 % intervals, each for itself.", *_remarks(data)])
    body += ["<h2>All figures</h2>", *listed(heads, rows), f'<p class="note">{escape(note)}</p>']
    return page(f"{data['title']}: {data['constant']}", _STYLE, body)


def _plotted(figure: dict[str, Any]) -> str:
    points = figure["points"]
    places = [float(p["value"]) if _is_number(p["value"]) else float(n) for n, p in enumerate(points)]
    spots = [
        Spot(at, p["mean"], *(p["interval"] or (p["mean"], p["mean"]))) for at, p in zip(places, points, strict=True)
    ]
    return plot(spots, figure["name"], figure["kind"] == "rate")


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d+", text) is not None


def _played(data: dict[str, Any]) -> str:
    return f"{several(data['players'], 'player')}, {several(data['games'], 'game')} for each value"
