"""Undo: goes back to the previous decision of one of the given players, but never past the horizon.

A copy of the state is kept before each decision. The horizon of a state is a number of choices; nothing before it can
be taken back, because something happened there that a player must not be able to unlearn: dice were rolled, or hidden
cards were seen. Otherwise one could look at a card, undo, and choose with that knowledge. Copies older than the
horizon are dropped, so the trail stays short in games of chance. A resumed game rebuilds its trail by replaying its
history.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from .contract import Game, State, option_with_code


@dataclass(frozen=True)
class Stand:
    """The game just before a decision: who decides, how many choices were made before it, the state itself."""

    player: int
    choices: int
    state: Any


class Trail:
    """The states that can still be restored, oldest first."""

    def __init__(self) -> None:
        self._stands: list[Stand] = []

    def __len__(self) -> int:
        return len(self._stands)

    def note(self, state: State) -> None:
        """Remember the state, whose pending decision is about to be answered."""
        self._forget_before(state.undo_horizon)
        self._stands.append(Stand(state.decision.player, len(state.history), state.clone()))

    def go_back(self, state: State, players: Collection[int]) -> Any | None:
        """The state before the latest decision of one of the players, or None if the horizon comes first."""
        index = self._latest(state, players)
        if index is None:
            return None
        stand = self._stands[index]
        del self._stands[index:]
        return stand.state

    def _latest(self, state: State, players: Collection[int]) -> int | None:
        for index in range(len(self._stands) - 1, -1, -1):
            stand = self._stands[index]
            # Ask the horizon of the current state: the last choice may have moved it past stands that are still kept.
            if stand.choices < state.undo_horizon:
                return None
            if stand.player in players:
                return index
        return None

    def _forget_before(self, horizon: int) -> None:
        self._stands = [stand for stand in self._stands if stand.choices >= horizon]


def retraced(game: Game, state: State) -> Trail:
    """The trail of a loaded state, rebuilt by replaying its history.

    The trail is empty if seed and history do not lead to that state, for instance because it was set up by hand.
    """
    trail = Trail()
    again = game.new(seed=state.seed, auto=state.auto)
    for code in state.history:
        option = None if again.over else option_with_code(again.decision, code)
        if option is None:
            return Trail()
        trail.note(again)
        again.apply(option)
    return trail if again.to_json() == state.to_json() else Trail()
