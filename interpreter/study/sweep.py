"""What a constant does: the same seeds played with each of its values, and the figures side by side.

Every value is compared with the first in pairs of games, so that a small effect shows; the p-values of all figures and
values are corrected together (Holm).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..files.shown import escape
from ..play.contract import Game, PlayError
from .batches import PROCESSES
from .figures import PairSums, figures_of, is_rate, unit
from .neighbours import resemblance
from .page import cautions, heading, listed, page
from .rows import Row
from .settings import VARIANT
from .simulate import Load, Simulation, simulate
from .small_charts import Spot, plot
from .statistics import holm
from .text_table import aligned, seeds_told

SWEEP_FORMAT = "rulewright-sweep/1"
_RANGE = re.compile(r"\s*([A-Za-z_][\w.]*)\s*=\s*(-?\d{1,18})\s*\.\.\s*(-?\d{1,18})(?:\s+by\s+(\d{1,18}))?\s*")
_LIST = re.compile(r"\s*([A-Za-z_][\w.]*)\s*=\s*([\w-]+(?:\s*,\s*[\w-]+)+)\s*")
_MOST_VALUES = 50
_STYLE = """
.plots { display: flex; flex-wrap: wrap; gap: 1.4rem 2rem; margin: 1.4rem 0; } figure { margin: 0; max-width: 100%; }
figcaption { font-weight: 600; margin-bottom: .3rem; }
"""


@dataclass
class Sweep:
    """`sums[value][figure]`: pairs of (first value, this value)."""

    constant: str
    values: tuple[str, ...]
    bots: tuple[str, ...]
    seed: int
    seats: tuple[str, ...]
    games: int = 0
    sums: list[dict[str, PairSums]] = field(default_factory=list)
    played: int = 0
    spread: bool = False
    is_interrupted: bool = False
    stopped_by: PlayError | None = None
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
        taker = _Taker(made.seats, base, is_first=not made.sums)
        try:
            played = simulate(load_value(value), bots, games, seed, jobs, progress, taker.take, engine, spread)
        except (KeyboardInterrupt, PlayError) as problem:  # before the first games of this value were there
            if not made.sums:
                raise
            _stop(made, problem)
            break
        made.sums.append(taker.sums)
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
    made.is_interrupted, made.stopped_by = True, problem if isinstance(problem, PlayError) else None
    made.values = made.values[: len(made.sums)]


class _Taker:
    def __init__(self, seats: tuple[str, ...], base: list[dict[str, int]], is_first: bool) -> None:
        self._seats, self._base, self._is_first = seats, base, is_first
        self._number = 0
        self.sums: dict[str, PairSums] = {}

    def take(self, rows: Sequence[Row]) -> None:
        for row in rows:
            figures = figures_of(row, self._seats)
            if self._is_first:
                self._base.append(figures)
            elif self._number >= len(self._base):
                return  # the first value was interrupted here
            for name, figure in figures.items():
                before = self._base[self._number].get(name)
                if before is not None:
                    self.sums.setdefault(name, PairSums()).note(before, figure)
            self._number += 1


# ---------------------------------------------------------------------------- as data, text and page


def sweep_data(made: Sweep, game: Game, warned: Sequence[str] = ()) -> dict[str, Any]:
    names = [name for name in made.sums[0] if all(name in sums for sums in made.sums)]
    names = [name for name in names if any(sums[name].second_squares for sums in made.sums)]
    tested = [(v, name) for v in range(1, len(made.sums)) for name in names if made.sums[v][name].differs]
    chances = holm(
        [made.sums[v][name].of_difference(unit(name, made.seats)).chance_of(0) for v, name in tested]
    )  # fmt: skip
    corrected = dict(zip(tested, chances, strict=True))
    figures = []
    for name in names:
        each = unit(name, made.seats)
        points = []
        for number, value in enumerate(made.values):
            own = made.sums[number][name].of_each(each)[1]
            low, high = own.interval()
            chance = corrected.get((number, name), 1.0)
            points.append(
                {
                    "value": value,
                    "mean": round(own.mean, 4),
                    "interval": [round(low, 4), round(high, 4)] if own.count > 1 else None,
                    "chance": round(chance, 6),
                    "differs": chance < 0.05,
                }
            )
        kind = "rate" if is_rate(name, made.seats) else "mean"
        figures.append({"name": name, "kind": kind, "points": points, "differs": any(p["differs"] for p in points)})
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
        "cautions": [*warned, *made.cautions],
        "figures": figures,
    }


def sweep_text(data: dict[str, Any]) -> str:
    """A table, a column for each value; `*` marks what differs from the first value."""
    rows = [[data["constant"], *data["values"]]]
    rows += [[figure["name"], *(_cell(figure, point) for point in figure["points"])] for figure in data["figures"]]
    head = f"{data['title']} ({data['game']}), {data['players']} players, {data['games']:,} games for each value "
    head += f"{seeds_told(data)}, bots {', '.join(dict.fromkeys(data['bots']))}"
    told = (
        "* differs from the first value: pairs of games with equal seeds, corrected for all figures and values (Holm)."
    )
    table = aligned(rows, right=range(1, len(data["values"]) + 1))
    return "\n".join([head, "", *("! " + text for text in data["cautions"]), "", *table, "", told])


def _cell(figure: dict[str, Any], point: dict[str, Any]) -> str:
    shown = f"{100 * point['mean']:.1f} %" if figure["kind"] == "rate" else f"{point['mean']:,.2f}"
    return shown + ("*" if point["differs"] else " ")


def sweep_page(data: dict[str, Any]) -> str:
    """A plot for each figure that differs, then all in a table."""
    bots = ", ".join(dict.fromkeys(data["bots"]))
    sub = f"{data['game']}: {data['players']} players, {data['games']:,} games for each value, bots {bots}"
    body = [*heading(f"{data['title']}: what {data['constant']} does", sub), *cautions(data["cautions"])]
    shown = [figure for figure in data["figures"] if figure["differs"]]
    if not shown:
        body.append("<p>No figure is shown to differ from the first value.</p>")
    body += ['<div class="plots">']
    for figure in shown:
        body += [f"<figure><figcaption>{escape(figure['name'])}</figcaption>{_plotted(figure)}</figure>"]
    body += ["</div>"]
    heads = [(data["constant"], False), *((value, True) for value in data["values"])]
    rows = [
        f"<tr><td>{escape(figure['name'])}</td>"
        + "".join(f'<td class="n">{_cell(figure, point)}</td>' for point in figure["points"])
        + "</tr>"
        for figure in data["figures"]
    ]
    note = "Bars in the plots are 95 % intervals, each for itself. * differs from the first value: pairs of games with "
    note += "equal seeds, corrected for all figures and values (Holm)."
    body += ["<h2>All figures</h2>", *listed(heads, rows), f'<p class="note">{note}</p>']
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
