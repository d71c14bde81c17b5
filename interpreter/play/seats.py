"""Who sits where: kinds of seats by name, and what a command line says about them.

A seat is anything that can choose. Bots choose by themselves; a person's seat is built by whoever talks to that
person (the terminal, a web table), so here it is a kind with a name and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ..diagnostics.suggest import nearest
from .contract import Decision, Game, Option, PlayError, State
from .seeds import derived_seed

PERSON = "person"


class Seat(Protocol):
    """Answers a decision with one of its options. It may look at the state only through its own view."""

    kind: str

    def choose(self, state: State, decision: Decision) -> Option: ...


def _first(seed: int) -> Seat:
    from .bots.first_bot import FirstBot

    return FirstBot()


def _random(seed: int) -> Seat:
    from .bots.random_bot import RandomBot

    return RandomBot(seed)


def _greedy(seed: int) -> Seat:
    from .bots.greedy_bot import GreedyBot

    return GreedyBot(seed)


BOTS: dict[str, tuple[str, Callable[[int], Seat]]] = {
    "first": ("always takes the first option", _first),
    "random": ("takes any option with equal chance", _random),
    "greedy": ("takes what scores most at once", _greedy),
}


def make_bot(kind: str, match_seed: int, seat: int) -> Seat:
    """The bot of that name; its chance is fixed by the match and the seat."""
    require_bot(kind)
    return BOTS[kind][1](derived_seed(match_seed, seat))


def require_bot(kind: str) -> None:
    """Refuse a name that no bot has."""
    if kind not in BOTS:
        raise _unknown_kind("bot", kind, list(BOTS))


def require_kind(kind: str) -> None:
    """Refuse a kind of seat that does not exist."""
    if kind != PERSON and kind not in BOTS:
        raise _unknown_kind("kind of seat", kind, [PERSON, *BOTS])


def _unknown_kind(what: str, kind: str, known: list[str]) -> PlayError:
    likely = nearest(kind, known)
    advice = f"did you mean `{likely}`? " if likely else ""
    return PlayError(f"there is no {what} `{kind}`", f"{advice}there are {', '.join(known)}")


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
    """A seat from its number (from 1) or its name, counted from 0."""
    names = list(game.seat_names)
    if word.isdecimal() and 1 <= int(word) <= game.players:
        return int(word) - 1
    if word in names:
        return names.index(word)
    likely = nearest(word, names)
    advice = f"did you mean `{likely}`? " if likely else ""
    known = ", ".join(f"{number} ({name})" for number, name in enumerate(names, 1))
    raise PlayError(f"there is no seat `{word}`", f"{advice}the seats are {known}")
