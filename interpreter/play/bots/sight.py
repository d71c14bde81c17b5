"""What a bot of somebody else is shown: all that one player may know, and nothing else.

It never holds the state where a bot can reach it by accident: a bot that plays well by looking at hidden cards proves
nothing. What it needs for looking ahead it can have: worlds, which are full states drawn from what the player knows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from ...runtime.faults import IllegalChoice
from ..contract import Decision, Option
from .bot import BotFailed
from .imagined import drawer


class Sight:
    """One player's look at a game: at a decision of that player, or at the end."""

    def __init__(self, state: Any, player: int, seed: int) -> None:
        self.player = player
        self.seed = seed  # for what the bot draws at random; another one at each decision
        self.over = bool(state.over)
        self.returns: list[float] | None = state.returns  # None until the game is over
        self._observe: Callable[[], dict[str, Any]] = lambda: state.observation(player)
        self._identify: Callable[[], str] = lambda: state.information(player)
        self._draw: Callable[[int], Any] = lambda seed: drawer(state, player)(seed)
        self._options: list[Option] = [] if state.over else list(state.decision.options)

    @property
    def options(self) -> Sequence[Option]:
        """What may be chosen; empty at the end."""
        return self._options

    @cached_property
    def observation(self) -> dict[str, Any]:
        """View, log, options with codes and labels, prompt and picks, as plain data."""
        return self._observe()

    @property
    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.observation["view"]
        return found

    @property
    def log(self) -> list[str]:
        lines: list[str] = self.observation["log"]
        return lines

    @property
    def information(self) -> str:
        """A key that is the same exactly if the player has seen the same."""
        return self._identify()

    def world(self, seed: int) -> Any:
        """A full state drawn at random that agrees with all the player knows: to be searched, played out, thrown
        away."""
        return self._draw(seed)


def option_of(answer: Any, decision: Decision, who: str) -> Option:
    """The option that a bot means: an option, an index, or a label. BotFailed if it is none of those offered."""
    options = decision.options
    if isinstance(answer, bool) or answer is None:
        raise BotFailed(f"{who} answered {answer!r}", "the answer must be an option, its index or its label")
    if isinstance(answer, int):
        if 0 <= answer < len(options):
            return options[answer]
        raise BotFailed(f"{who} chose option {answer}", f"{len(options)} are offered, numbered from 0")
    if isinstance(answer, str):
        try:
            return decision.find(answer)
        except IllegalChoice as refused:
            raise BotFailed(f"{who} chose `{answer}`: {refused}", "choose one of the options offered") from None
    for option in options:
        if option is answer or (hasattr(answer, "raw") and option == answer):
            return option
    raise BotFailed(f"{who} chose `{answer}`, which is not offered", "choose one of the options offered")
