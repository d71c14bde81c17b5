"""The match loop: asks the seat that has to decide, until the game is over.

A match owns the state, the seats and the undo trail. It can be run to its end (`run`) or one decision at a time
(`step`), for a screen that shows something between decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from .contract import Decision, Game, Option
from .seats import Seat, make_bot
from .undo import Trail


@dataclass(frozen=True)
class Result:
    """The outcome of a finished match. Players count from 0, ranks from 1."""

    scores: tuple[int, ...]
    ranking: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    decisions: int
    offered: int  # options over all decisions, for the branching factor


class Match:
    def __init__(self, game: Game, seats: Sequence[Seat], state: Any, *, keeps_trail: bool = False) -> None:
        self.game = game
        self.seats = list(seats)
        self.state = state
        self.trail = Trail()
        self.decisions = 0
        self.offered = 0
        self._keeps_trail = keeps_trail

    @property
    def over(self) -> bool:
        return bool(self.state.over)

    def step(self) -> Option:
        """Let the seat that has to decide choose, and apply its choice."""
        decision: Decision = self.state.decision
        option = self.seats[decision.player].choose(self.state, decision)
        self.apply(option)
        return option

    def apply(self, option: Option) -> None:
        decision: Decision = self.state.decision
        offered = len(decision.options)  # counted before `apply`, which replaces the decision
        if self._keeps_trail:
            self.trail.note(self.state)
        self.state.apply(option)
        self.decisions += 1
        self.offered += offered

    def take_back(self, players: Collection[int]) -> bool:
        """Go back to the latest decision of one of the players; False if the undo horizon forbids it."""
        earlier = self.trail.go_back(self.state, players)
        if earlier is None:
            return False
        self.state = earlier
        return True

    def run(self, watch: Callable[[Match], None] | None = None) -> Result:
        while not self.over:
            self.step()
            if watch is not None:
                watch(self)
        self.tell_the_end()
        return self.result()

    def tell_the_end(self) -> None:
        """Tells the seats that want to know (bots of others) how the match ended."""
        for player, seat in enumerate(self.seats):
            end = getattr(seat, "end", None)
            if end is not None:
                end(self.state, player)

    def result(self) -> Result:
        state = self.state
        return Result(
            tuple(state.scores),
            tuple(state.ranking),
            tuple(state.winners),
            state.reason or "",
            self.decisions,
            self.offered,
        )


def bot_match(game: Game, kinds: Sequence[str], seed: int) -> Match:
    """A match among bots, completely determined by its seed."""
    seats = [make_bot(kind, seed, number) for number, kind in enumerate(kinds)]
    return Match(game, seats, game.new(seed=seed))
