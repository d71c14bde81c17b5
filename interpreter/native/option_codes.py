"""The public codes of many options at once, on numpy arrays. `runtime/decision.encode` says the same of one option.

An option of a site is a number: the branch it belongs to, and the values it binds as digits in mixed radix. Its code
has other digits, since equal copies of a piece share one. Taking numbers apart is the same arithmetic for every option
of a branch, so it is done for all of them together. Sites with few options have a table instead, made by that
arithmetic when the first option of the site is asked for.
"""

from __future__ import annotations

from math import prod
from typing import Any

from ..compile.meta import FREE, Meta, SiteMeta

LARGEST_TABLE = 1 << 16  # options of a site


class OptionCodes:
    """From the numbers of options, of which each belongs to a site, to their codes."""

    def __init__(self, meta: Meta, numpy: Any) -> None:
        self._meta, self._numpy = meta, numpy
        self._rows = numpy.asarray(meta.piece_row, numpy.int64)
        self._tables: dict[int, Any] = {}

    def of(self, sites: Any, options: Any) -> Any:
        """The codes of options; `sites` has the site of each."""
        codes = self._numpy.empty(len(options), self._numpy.int64)
        for number in self._numpy.unique(sites).tolist():
            own = sites == number
            codes[own] = self._of_site(self._meta.sites[number], options[own])
        return codes

    def _of_site(self, site: SiteMeta, options: Any) -> Any:
        codes = self._numpy.full(len(options), site.code_bases[-1], self._numpy.int64)  # passing
        free = options <= FREE
        codes[free] = self._meta.sites[-1].code_bases[-1] + 1 + FREE - options[free].astype(self._numpy.int64)
        bound = options >= 0
        codes[bound] = self._looked_up(site, options[bound])
        return codes

    def _looked_up(self, site: SiteMeta, options: Any) -> Any:
        if site.values_only or _size(site) > LARGEST_TABLE:
            return self._worked_out(site, options)
        if site.number not in self._tables:
            self._tables[site.number] = self._worked_out(site, self._numpy.arange(_size(site)))
        return self._tables[site.number][options]

    def _worked_out(self, site: SiteMeta, options: Any) -> Any:
        """The codes of options that bind something."""
        numpy = self._numpy
        codes = numpy.empty(len(options), numpy.int64)
        branches = numpy.searchsorted(site.firsts, options, "right") - 1 if len(site.firsts) > 1 else 0 * options
        for branch, (_, domains, _) in enumerate(site.branches):
            own = branches == branch
            rest = options[own].astype(numpy.int64)
            if not site.values_only:
                rest -= site.firsts[branch]
            code, weight = numpy.full(len(rest), site.code_bases[branch], numpy.int64), 1
            # The last value is the lowest digit, of the option as of the code.
            for (thing, low, size), (lowest, count) in zip(domains[::-1], site.digits[branch][::-1], strict=True):
                value = (rest if site.values_only else rest % count) + lowest
                code += weight * (self._rows[value] if thing == "row" else value - low)
                rest, weight = rest // count, weight * size
            codes[own] = code
        return codes


def _size(site: SiteMeta) -> int:
    """How many numbers its options may have."""
    sizes = (prod(count for _, count in digits) for digits in site.digits)
    return max((first + size for first, size in zip(site.firsts, sizes, strict=True)), default=0)
