"""Small charts inside a page: the distribution of numbers, and a share with its confidence interval.

Plain SVG without external references; its text inherits the font of the surrounding page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from .svg import Sheet

_MOST_BARS = 40
_AXIS = "#9ca3af"
_WORDS = "#6b7280"


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


def scale_of(numbers: Sequence[int]) -> Scale:
    """Bars of a round width (1, 2, 5, 10, …) over all the numbers, not too many of them."""
    low, high = min(numbers, default=0), max(numbers, default=0)
    width = 1
    steps = (2, 5, 10)
    while (high - low) // width >= _MOST_BARS:
        decade = 10 ** (len(str(width)) - 1)
        width = decade * next(step for step in steps if decade * step > width)
    low = low // width * width
    return Scale(low, width, (high - low) // width + 1)


def histogram(numbers: Sequence[int], scale: Scale, colour: str, told: str, wide: float = 420) -> str:
    """Bars that grow from an axis with round numbers below, and the mean as a line across; narrower for few bars."""
    wide, high = min(wide, 60.0 * scale.bars), 70.0
    counts = Counter((number - scale.low) // scale.width for number in numbers)
    most = max(counts.values(), default=1)
    each = wide / scale.bars
    sheet = Sheet()
    for bar, count in sorted(counts.items()):
        tall = high * count / most
        middle = (each * (bar + 0.5), high - tall / 2)
        sheet.box(middle, max(each - 1, 0.8), tall, colour)
    sheet.line((0, high), (wide, high), _AXIS, 1)
    if numbers:
        mean = sum(numbers) / len(numbers)
        at = (mean - scale.low + 0.5) / (scale.high - scale.low) * wide
        sheet.line((at, 0), (at, high), "#1f2937", 1, dashed=True)
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


def share_with_interval(share: float, interval: tuple[float, float], fair: float, told: str, wide: float = 260) -> str:
    """A share as a dot on a line from 0 to 1, with its confidence interval, and the equal share as a dashed line."""
    low, high = interval
    sheet = Sheet()
    sheet.line((0, 10), (wide, 10), "#e5e7eb", 2)
    sheet.line((fair * wide, 0), (fair * wide, 20), "#1f2937", 1, dashed=True)
    sheet.line((low * wide, 10), (high * wide, 10), "#8fb3e8", 6)
    sheet.circle((share * wide, 10), 4.5, "#1d4ed8")
    return _drawn(sheet, -6, 0, wide + 6, 20, told)


def _drawn(sheet: Sheet, left: float, top: float, right: float, bottom: float, told: str) -> str:
    """The sheet as a picture of a page, with words for those who cannot see it."""
    wide, high = f"{right - left:g}", f"{bottom - top:g}"
    size = f'width="{wide}" height="{high}" viewBox="{left:g} {top:g} {wide} {high}"'
    return f'<svg role="img" {size}><title>{escape(told)}</title>' + "".join(sheet.shapes) + "</svg>"
