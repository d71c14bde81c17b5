"""Every position gets a piece of its own mix, without a change of the world.

A walk may have exchanged equal copies, or pieces that lie in the same unordered place: the table is the same, but other
numbers would stand for what the player knows. A number must not tell what cannot be seen.

Say there are two equal sevens, one in my hand and one in yours, and a walk has exchanged them. No rule can tell this
world from the game. But the option to lay my seven would have another code in it, so that a search, which looks options
up by their codes, would take it for another option; and whoever compares codes would learn which cards the walk moved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .course import Course
from .facts import Naming
from .meta import Meta


@dataclass(frozen=True)
class Home:
    """The parts of a course that are read here, for callers without one: the mix of each piece, what a walk moves."""

    S: Any
    meta: Meta
    mixes: list[int]
    tied: list[int]


def bring_home(course: Course | Home, now: Naming) -> None:
    """Exchanges pieces that no rule could tell apart where they lie, until each lies in its own mix."""
    mixes = course.mixes
    stray = [piece for piece in course.tied if mixes[now.new[piece]] != mixes[piece]]
    for by_place in (True, False):
        for piece in stray:
            _bring_back(course, now, piece, stray, by_place)
    for piece in stray:
        _bring_copy(course, now, piece, stray)


def _bring_back(course: Course | Home, now: Naming, piece: int, stray: list[int], by_place: bool) -> None:
    """Exchanges what lies here with a piece of the right mix that lies in the same place, or is equal."""
    mixes, S, meta = course.mixes, course.S, course.meta
    here, place = now.new[piece], S.at[piece]
    if mixes[here] == mixes[piece]:
        return
    for other in stray:
        there = now.new[other]
        if mixes[there] != mixes[piece] or mixes[other] == mixes[there]:
            continue
        together = place == S.at[other] and 0 <= place < meta.lists and meta.unordered[place]
        if together if by_place else meta.piece_row[here] == meta.piece_row[there]:
            now.exchange(here, there)
            return


def _bring_copy(course: Course | Home, now: Naming, piece: int, stray: list[int]) -> None:
    """A known piece of an unordered place lies elsewhere, and an equal copy in that place stands for it, at another
    position: the two trade places, and what lay at the known one's position goes to that of the copy."""
    mixes, S, meta = course.mixes, course.S, course.meta
    here, place = now.new[piece], S.at[piece]
    if mixes[here] == mixes[piece] or not (0 <= place < meta.lists and meta.unordered[place]):
        return
    for other in stray:
        home = now.new[other]
        if mixes[home] != mixes[piece] or mixes[other] == mixes[home]:
            continue
        for beside in S.p[place]:
            copy = now.new[beside]
            is_equal = copy != home and meta.piece_row[copy] == meta.piece_row[home]
            if is_equal and mixes[here] == mixes[beside] and mixes[copy] == mixes[other]:
                now.exchange(here, copy)
                now.exchange(copy, home)
                return
