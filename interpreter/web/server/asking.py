"""Asks a question (`questions`) about a game or a state, wherever its rules are run.

What comes out of a sandbox is checked here: it must be of the kind that the question gives. A sandbox that sends
anything else has failed, like one that is late.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any
from weakref import WeakKeyDictionary

from ...native.sandbox import SandboxedGame, SandboxedState, SandboxFailed
from . import questions
from .words import LANGUAGES

_KINDS: dict[str, tuple[type, ...]] = {
    "facts": (dict,), "picture": (str,), "length": (int,), "standing": (dict,), "horizon": (int,),
    "take": (dict, type(None)), "follow": (bool,),
    "code_at": (int, type(None)), "shown_code": (int,), "option_with": (dict, type(None)),
    "scene": (dict,), "reasons": (dict,),
    "notices": (bool,), "result": (dict,), "record": (dict,), "save": (dict,), "bot_choice": (int,),
    "bot_hint": (dict,),
}  # fmt: skip


def ask(question: Callable[..., Any], about: Any, *args: Any, seconds: float | None = None) -> Any:
    """The answer to a question. Raises Fault if the rules fail, SandboxFailed if their sandbox does. `seconds`: time
    that a sandbox has, if not the usual."""
    game = about.home if isinstance(about, SandboxedState) else about
    if not isinstance(game, SandboxedGame):
        return question(about, *args)
    answer = game.question(question.__name__, about, *args, seconds=seconds)
    if not isinstance(answer, _KINDS[question.__name__]):
        raise SandboxFailed(f"the sandbox answered `{question.__name__}` with something else")
    return answer


def is_sandboxed(game: Any) -> bool:
    return isinstance(game, SandboxedGame)


# ---------------------------------------------------------------------------- answers with a form


@dataclass(frozen=True)
class Standing:
    """Where a state stands: see `questions.standing`."""

    over: bool
    who: int | None
    options: int
    silent: bool
    block: int | None
    luck: str
    hushed: bool


@dataclass(frozen=True)
class GameFacts:
    """What is known of a game: see `questions.facts`."""

    automas: frozenset[int]
    seat_words: dict[str, list[str]]
    keeps_secrets: bool


_known: WeakKeyDictionary[Any, GameFacts] = WeakKeyDictionary()


def facts_of(game: Any) -> GameFacts:
    found = _known.get(game)
    if found is None:
        told = ask(questions.facts, game)
        found = GameFacts(frozenset(told["automas"]), dict(told["seat_words"]), told["keeps_secrets"] is not False)
        _known[game] = found
    return found


def spoken_at(game: Any, language: str) -> str:
    """The language in which a viewer is answered: the one asked for if the game or the server has it. What is made for
    viewers is kept by language, so nobody may fill the memory by asking for ever new ones."""
    return language if language in LANGUAGES or language in facts_of(game).seat_words else LANGUAGES[0]


def standing_of(state: Any) -> Standing:
    return _standing(ask(questions.standing, state))


def taken(state: Any, code: int) -> Standing | None:
    """Takes an option on a state by its code; where it stands then, or None if that is not offered."""
    told = ask(questions.take, state, code)
    return None if told is None else _standing(told)


def _standing(told: dict[str, Any]) -> Standing:
    try:
        found = Standing(**{field.name: told[field.name] for field in fields(Standing)})
    except KeyError as missing:
        raise SandboxFailed(f"the sandbox did not say {missing}") from None
    whole = (found.options, *(x for x in (found.who, found.block) if x is not None))
    if not all(type(number) is int for number in whole) or (found.who is None) != (found.over is True):
        raise SandboxFailed("the sandbox did not say where a state stands")
    return found
