"""A bot that somebody wrote in Python: a class with three methods.

    class Careful:
        def start(self, game, player, seed):  # a match begins; may be left out
            ...
        def choose(self, sight):              # an option, its index, or its label
            return sight.options[0]
        def end(self, sight):                 # the match is over; may be left out
            ...

    rw.bot(Careful)                           # in Python
    python:my_bots:Careful                    # on the command line, if my_bots.py can be imported from here

`sight` is what the player may know (`sight`). Each match makes an object of the class for each seat. An object may be
given too: then it sits at every seat where the bot is named.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from ..contract import Decision, Option, PlayError
from ..seeds import derived_seed
from .bot import Bot, BotFailed, BotSeat, pending
from .sight import Sight, option_of


class ClassBot(Bot):
    def __init__(self, made_by: Any, kind: str | None = None) -> None:
        own_name = getattr(made_by, "__name__", type(made_by).__name__)
        self.kind = kind or f"python:{getattr(made_by, '__module__', '')}:{own_name}"
        if not callable(getattr(made_by, "choose", None)):
            raise PlayError(f"`{own_name}` is no bot", "a bot has a method `choose(self, sight)`; see docs/bots.md")
        self._made_by = made_by

    def made(self) -> Any:
        """An object of the class, or the object itself."""
        if not isinstance(self._made_by, type):
            return self._made_by
        try:
            return self._made_by()
        except Exception as problem:
            raise _failure(self.kind, "could not be made", problem) from problem

    def choose(self, state: Any, seed: int = 0) -> Option:
        return ClassSeat(self, seed).choose(state, pending(state))

    def seat(self, seed: int) -> BotSeat:
        return ClassSeat(self, seed)


class ClassSeat:
    """An object of the class in one match."""

    def __init__(self, bot: ClassBot, seed: int) -> None:
        self.kind = bot.kind
        self._bot = bot
        self._seed = seed
        self._asked = 0
        self._object: Any = None

    def choose(self, state: Any, decision: Decision) -> Option:
        if self._object is None:
            self._object = self._bot.made()
            self._call("start", state.game, decision.player, self._seed)
        sight = Sight(state, decision.player, derived_seed(self._seed, self._asked))
        self._asked += 1
        return option_of(self._call("choose", sight), decision, f"the bot `{self.kind}`")

    def end(self, state: Any, player: int) -> None:
        """Tells the bot that the match is over."""
        if self._object is not None:
            self._call("end", Sight(state, player, derived_seed(self._seed, self._asked)))

    def _call(self, method: str, *args: Any) -> Any:
        found = getattr(self._object, method, None)
        if found is None:
            return None
        try:
            return found(*args)
        except Exception as problem:
            raise _failure(self.kind, f"failed in `{method}`", problem) from problem


def _failure(kind: str, what: str, problem: Exception) -> BotFailed:
    entry = problem.__traceback__
    while entry is not None and entry.tb_next is not None:
        entry = entry.tb_next
    place = f" at {entry.tb_frame.f_code.co_filename}:{entry.tb_lineno}" if entry is not None else ""
    return BotFailed(f"the bot `{kind}` {what}: {type(problem).__name__}: {problem}{place}", "mend the bot")


def found_class(whole: str, rest: str) -> Any:
    """The class of `MODULE:CLASS`; the folder where the command runs is looked in first."""
    module, _, name = rest.rpartition(":")
    if not module or not name:
        raise PlayError(
            f"`{whole}` names no class", "write `python:MODULE:CLASS`, for example `python:my_bots:Careful`"
        )
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        loaded = import_module(module)
    except Exception as problem:
        raise PlayError(f"the module `{module}` cannot be imported: {problem}", "is its file in this folder?") from None
    if not hasattr(loaded, name):
        raise PlayError(f"the module `{module}` has no class `{name}`", f"`{whole}` asks for it")
    return getattr(loaded, name)
