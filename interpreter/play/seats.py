"""Seats: the kinds of seats by name, and how the command line assigns them.

A seat is anything that can choose. Bots choose by themselves. A person's seat is created by the code that talks to that
person (the terminal, a web table), so here it is only a name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ..diagnostics.suggest import nearest
from .bots.named import bot, bots
from .contract import Decision, Game, Option, PlayError, State
from .seeds import derived_seed

PERSON = "person"


class Seat(Protocol):
    """Answers a decision with one of its options. It may look at the state only through its own view."""

    kind: str

    def choose(self, state: State, decision: Decision) -> Option: ...


def make_bot(kind: str, match_seed: int, seat: int) -> Seat:
    """The bot of that name at a seat; its random choices are determined by the seed of the match and the seat."""
    return bot(kind).seat(derived_seed(match_seed, seat))


def require_bot(kind: str) -> None:
    """Raise PlayError if there is no bot of that name."""
    bot(kind)


def require_kind(kind: str) -> None:
    """Raise PlayError if there is no such kind of seat."""
    if kind == PERSON:
        return
    if kind.partition(":")[0].strip() not in bots:
        known = [PERSON, *(each.form for each in bots.values())]
        likely = nearest(kind, [PERSON, *bots])
        advice = f"did you mean `{likely}`? " if likely else ""
        raise PlayError(f"there is no kind of seat `{kind}`", f"{advice}there are {', '.join(known)}")
    bot(kind)


def seat_kinds(game: Game, asked: Sequence[str], default: Sequence[str]) -> list[str]:
    """The kind of every seat, from texts like `2=random` or `purple=person`; seats not named get the default."""
    kinds = list(default)
    named: set[int] = set()
    for text in asked:
        seat, kind = _seat_and_kind(game, text)
        if seat in named:
            raise PlayError(f"the seat `{game.seat_names[seat]}` is given twice", "name each seat once")
        named.add(seat)
        kinds[seat] = kind
    return kinds


def _seat_and_kind(game: Game, text: str) -> tuple[int, str]:
    word, sign, kind = (part.strip() for part in text.partition("="))
    if not sign:
        raise PlayError(f"`{text}` does not say who sits there", "write SEAT=KIND, for example `2=random`")
    require_kind(kind)
    return seat_number(game, word), kind


def seat_number(game: Game, word: str) -> int:
    """The seat (counted from 0) for a number (counted from 1) or a name."""
    names = list(game.seat_names)
    if word.isdecimal() and 1 <= int(word) <= game.players:
        return int(word) - 1
    if word in names:
        return names.index(word)
    likely = nearest(word, names)
    advice = f"did you mean `{likely}`? " if likely else ""
    known = ", ".join(f"{number} ({name})" for number, name in enumerate(names, 1))
    raise PlayError(f"there is no seat `{word}`", f"{advice}the seats are {known}")
