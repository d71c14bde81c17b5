"""Small charts inside a page: the distribution of numbers, and a share with its confidence interval.

Plain SVG without external references; its text inherits the font of the surrounding page.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..files.shown import escape
from .statistics import counted_moments
from .svg import Sheet

_MOST_BARS = 40
_AXIS = "#9ca3af"
_WORDS = "#6b7280"
_INK = "currentColor"  # of the page, light or dark
_REACH = "#8fb3e8"
_DOT = "#3b72e0"
_PLOTTED = 13.0  # size of words in a plot, which a phone shows at two thirds


@dataclass(frozen=True)
class Scale:
    """A run of whole numbers cut into bars of equal width, so that several histograms can be compared."""

    low: int
    width: int
    bars: int

    @property
    def high(self) -> int:
        """The first number above the last bar."""
        return self.low + self.width * self.bars


Numbers = Sequence[int] | Mapping[int, int]  # whole numbers one by one, or how often each occurs


def scale_of(numbers: Numbers) -> Scale:
    """Bars of a round width (1, 2, 5, 10, …) over all the numbers, not too many of them."""
    low, high = min(numbers, default=0), max(numbers, default=0)
    width = 1
    steps = (2, 5, 10)
    while (high - low) // width >= _MOST_BARS:
        decade = 10 ** (len(str(width)) - 1)
        width = decade * next(step for step in steps if decade * step > width)
    low = low // width * width
    return Scale(low, width, (high - low) // width + 1)


def histogram(numbers: Numbers, scale: Scale, colour: str, told: str, wide: float = 420) -> str:
    """Bars that grow from an axis with round numbers below, and the mean as a line across; narrower for few bars."""
    wide, high = min(wide, 60.0 * scale.bars), 70.0
    counts: Counter[int] = Counter()
    for number, times in Counter(numbers).items():
        counts[(number - scale.low) // scale.width] += times
    most = max(counts.values(), default=1)
    each = wide / scale.bars
    sheet = Sheet()
    for bar, count in sorted(counts.items()):
        tall = high * count / most
        middle = (each * (bar + 0.5), high - tall / 2)
        sheet.box(middle, max(each - 1, 0.8), tall, colour)
    sheet.line((0, high), (wide, high), _AXIS, 1)
    if numbers:
        mean = counted_moments(Counter(numbers)).mean
        at = (mean - scale.low + 0.5) / (scale.high - scale.low) * wide
        sheet.line((at, 0), (at, high), _INK, 1, dashed=True)
    for tick in _ticks(scale):
        at = (tick - scale.low + (0.5 if scale.width == 1 else 0)) / (scale.high - scale.low) * wide
        sheet.line((at, high), (at, high + 4), _AXIS, 1)
        sheet.text((at, high + 13), f"{tick:,}", 11, _WORDS)
    return _drawn(sheet, -20, -4, wide + 20, high + 22, told)


def _ticks(scale: Scale) -> list[int]:
    """Round numbers along the axis, five or six of them; both ends where there is no room for more."""
    span = scale.high - scale.low
    step = 1
    while span / step > 6:
        decade = 10 ** (len(str(step)) - 1)
        step = decade * next(more for more in (2, 5, 10) if decade * more > step)
    first = -(-scale.low // step) * step
    return list(range(first, scale.high + (scale.width > 1), step))


def share_with_interval(
    share: float, interval: tuple[float, float], fair: float | None, told: str, wide: float = 260
) -> str:
    """A share as a dot on a line from 0 to 1, with its confidence interval, and the equal share, if there is one, as a
    dashed line."""
    low, high = interval
    sheet = Sheet()
    sheet.line((0, 10), (wide, 10), _AXIS, 1)
    if fair is not None:
        sheet.line((fair * wide, 0), (fair * wide, 20), _INK, 1, dashed=True)
    sheet.line((low * wide, 10), (high * wide, 10), _REACH, 6)
    sheet.circle((share * wide, 10), 4.5, _DOT)
    return _drawn(sheet, -6, 0, wide + 6, 20, told)


def difference_with_interval(
    difference: float, interval: tuple[float, ...], smallest: float, told: str, wide: float = 200
) -> str:
    """A difference as a dot with its confidence interval around a dashed zero; the scale reaches as far as what the
    games could show, so a bar that is short beside its line is an answer."""
    most = max(abs(interval[0]), abs(interval[1]), smallest) * 1.05 or 1.0
    return on_a_scale(difference, interval, most, told, wide)


def on_a_scale(figure: float, interval: tuple[float, ...], most: float, told: str, wide: float = 200) -> str:
    """A figure as a dot with its interval, on a line from -most to most around a dashed zero."""
    low, high = interval
    most, middle = most or 1.0, wide / 2
    sheet = Sheet()
    sheet.line((0, 10), (wide, 10), _AXIS, 1)
    sheet.line((middle, 0), (middle, 20), _INK, 1, dashed=True)
    sheet.line((middle + low / most * middle, 10), (middle + high / most * middle, 10), _REACH, 6)
    sheet.circle((middle + figure / most * middle, 10), 4.5, _DOT)
    return _drawn(sheet, -6, 0, wide + 6, 20, told)


@dataclass(frozen=True)
class Spot:
    """A point of a plot: where it stands, its figure, and the interval of the figure."""

    at: float
    figure: float
    low: float
    high: float


def plot(spots: Sequence[Spot], told: str, as_percent: bool, wide: float = 420, high: float = 200) -> str:
    """A figure over a number, with intervals as bars: axes with round numbers, and words for each spot. A share of
    games (`as_percent`) has no axis below nothing or above all of them."""
    left, right = min(spot.at for spot in spots), max(spot.at for spot in spots)
    bottom, top = min(spot.low for spot in spots), max(spot.high for spot in spots)
    room = (top - bottom) * 0.08 or abs(top) * 0.1 or 1.0
    step = _round_step((top - bottom + 2 * room) / 4)
    bottom, top = bottom - room, top + room
    if as_percent:
        bottom, top = max(0.0, bottom), min(1.0, top)
    bottom = math.floor(bottom / step) * step
    lines = max(1, math.ceil((top - bottom) / step - 1e-9))
    top = bottom + lines * step
    sheet = Sheet()

    def place(at: float, figure: float) -> tuple[float, float]:
        across = (at - left) / (right - left) if right > left else 0.5
        return across * wide, (top - figure) / (top - bottom) * high

    for line in range(lines + 1):
        figure = bottom + step * line
        _grid_line(sheet, place(left, figure)[1], figure, wide, as_percent)
    for one, other in pairwise(spots):
        sheet.line(place(one.at, one.figure), place(other.at, other.figure), _REACH, 2)
    for spot in spots:
        sheet.line(place(spot.at, spot.low), place(spot.at, spot.high), _DOT, 2)
        sheet.circle(place(spot.at, spot.figure), 4.5, _DOT)
        sheet.text((place(spot.at, 0)[0], high + 18), f"{spot.at:g}", _PLOTTED, _WORDS)
    return _drawn(sheet, -75, -8, wide + 20, high + 26, told)


def narrowing(
    looks: Sequence[tuple[float, ...]], bounds: tuple[float | None, float | None], told: str, as_percent: bool,
    wide: float = 420, high: float = 220,
) -> str:  # fmt: skip
    """How an interval became narrower: for each look the games so far, the mean, and the ends of the interval; bounds
    that were asked about are dashed lines across."""
    asked = [bound for bound in bounds if bound is not None]
    bottom = min([*asked, *(look[2] for look in looks)])
    top = max([*asked, *(look[3] for look in looks)])
    step = _round_step((top - bottom) / 4 or 1.0)
    bottom = math.floor(bottom / step) * step
    lines = max(1, math.ceil((top - bottom) / step))
    most = max(look[0] for look in looks)
    sheet = Sheet()

    def place(games: float, figure: float) -> tuple[float, float]:
        return games / most * wide, (bottom + lines * step - figure) / (lines * step) * high

    for line in range(lines + 1):
        _grid_line(sheet, place(0, bottom + step * line)[1], bottom + step * line, wide, as_percent)
    upper = [place(look[0], look[3]) for look in looks]
    lower = [place(look[0], look[2]) for look in looks]
    sheet.polygon([*upper, *reversed(lower)], f"{_REACH}80", _REACH, 1)
    for one, other in pairwise(looks):
        sheet.line(place(one[0], one[1]), place(other[0], other[1]), _DOT, 2)
    sheet.circle(place(most, looks[-1][1]), 4.5, _DOT)
    for bound in asked:
        sheet.line((0, place(0, bound)[1]), (wide, place(0, bound)[1]), _INK, 1.5, dashed=True)
    for tick in _ticks(Scale(0, 2, -(-int(most) // 2))):
        if tick <= most:
            sheet.text((place(tick, 0)[0], high + 18), f"{tick:,}", _PLOTTED, _WORDS)
    return _drawn(sheet, -75, -8, wide + 30, high + 26, told)


def _grid_line(sheet: Sheet, y: float, figure: float, wide: float, as_percent: bool) -> None:
    sheet.line((-8, y), (wide + 8, y), "#9ca3af40", 1)
    sheet.text((-38, y + 4), f"{100 * figure:.1f} %" if as_percent else f"{figure:,.4g}", _PLOTTED, _WORDS)


def _round_step(step: float) -> float:
    """The next round number above: 1, 2 or 5 times a power of ten."""
    decade = 10.0 ** math.floor(math.log10(step))
    return next(decade * more for more in (1, 2, 5, 10) if decade * more >= step)


def _drawn(sheet: Sheet, left: float, top: float, right: float, bottom: float, told: str) -> str:
    """The sheet as a picture of a page, with words for those who cannot see it."""
    wide, high = f"{right - left:g}", f"{bottom - top:g}"
    size = f'width="{wide}" height="{high}" viewBox="{left:g} {top:g} {wide} {high}"'
    return f'<svg role="img" {size}><title>{escape(told)}</title>' + "".join(sheet.shapes) + "</svg>"
