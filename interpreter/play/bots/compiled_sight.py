"""What players see of a game, and which options are equal copies, as rows of numbers for a native search.

`observed` and `option_reader` of `tree` are the definitions; this lays the same lists out as `rw_sight.h` reads them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import chain
from typing import Any
from weakref import WeakKeyDictionary

from ...compile.meta import Meta, SiteMeta
from .observed import sight_of

_DESCRIBED: WeakKeyDictionary[Any, array[int]] = WeakKeyDictionary()  # by machine


def described(state: Any) -> array[int]:
    """The description of the game that this is a state of, or of a game; made once for each game."""
    machine = state.machine
    if machine not in _DESCRIBED:
        _DESCRIBED[machine] = array("i", _numbers(state.meta))
    return _DESCRIBED[machine]


def _numbers(meta: Meta) -> Iterator[int]:
    yield int(meta.has_secrets)
    yield from _row(sorted(meta.top_open))
    for player in range(meta.players):
        sight = sight_of(meta, player)
        for row in (sight.plain, sight.lists, sight.slots, sight.tops, sight.counted, sight.filled, sight.holding):
            yield from _row(row)
        yield from _row(list(chain.from_iterable(sight.owned)))
    first: dict[int, int] = {}
    for piece in range(meta.pieces):
        first.setdefault(meta.piece_row[piece], piece)
    yield from _row([first[meta.piece_row[piece]] for piece in range(meta.pieces)])
    for site in meta.sites:
        yield from _copies(site)


def _row(numbers: list[int]) -> Iterator[int]:
    yield len(numbers)
    yield from numbers


def offers_copies(site: SiteMeta) -> bool:
    """Whether options of this site may differ only in which of several equal pieces they name."""
    return any(thing == "row" for _, domains, _ in site.branches for thing, _, _ in domains)


def _copies(site: SiteMeta) -> Iterator[int]:
    """How the options of a site are put together: branches, their first option, their digits."""
    if not offers_copies(site):
        yield 0
        return
    yield len(site.branches)
    for branch, (_, domains, _) in enumerate(site.branches):
        yield 0 if site.values_only else site.firsts[branch]
        yield len(domains)
        for (lowest, count), (thing, _, _) in zip(site.digits[branch], domains, strict=True):
            yield from (lowest, count, int(thing == "row"))
