"""Shrinks a finding: leaves out choices as long as the game still shows the same problem.

Leaving out a choice changes everything after it, including chance. So the remaining choices are applied as far as they
still fit: a choice that is not offered is skipped. First halves are left out, then quarters, down to single choices
(delta debugging), and again until nothing more can be left out. Then other seeds are tried, with the same choices and
with random ones, for fewer choices than the best so far; what they find is shrunk in the same way. Everything stops
when the time is up.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ..play.contract import option_with_code
from ..runtime.chance import Generator
from ..runtime.faults import Fault
from ..runtime.game import Game
from .deep_knowledge import what_is_told
from .deep_play import (
    ALIKE,
    BUDGET,
    LEAK,
    TIE,
    Sighting,
    alike_sighting,
    budget_sighting,
    has_open_tie,
    leak_sighting,
    sighting_of,
    tie_sighting,
)
from .same_labels import told_apart_by_nothing

_MOST_TRIES = 400
_OTHER_SEEDS = 60
_SECONDS = 20.0


def shrink(game: Game, sighting: Sighting, seconds: float = _SECONDS) -> Sighting:
    """The same finding with the fewest choices that could be found."""
    return _Shrinker(game, sighting, time.monotonic() + seconds).shortest()


class _Shrinker:
    def __init__(self, game: Game, sighting: Sighting, deadline: float) -> None:
        self.game, self.best, self.deadline = game, sighting, deadline
        self.first_seed = sighting.seed
        self.tries = 0

    def shortest(self) -> Sighting:
        self._leave_out()
        for number in range(_OTHER_SEEDS):
            if time.monotonic() < self.deadline and self.best.choices:
                seed = self.first_seed + 1000 + number
                if self._keep(self._along(self.best.choices, seed)) or self._keep(self._at_random(seed)):
                    self._leave_out()
        return self.best

    def _leave_out(self) -> None:
        """Leaves out runs of choices, again and again, until a whole round removes nothing."""
        before = -1
        self.tries = 0
        while before != len(self.best.choices) and not self._is_spent():
            before = len(self.best.choices)
            size = max(1, before // 2)
            while size >= 1:
                self._leave_out_runs(size)
                # Below 8 try every length: in a game for three a whole round of turns can often be left out, but not
                # two turns of it, and halving would never try a run of three.
                size = size // 2 if size > 8 else size - 1

    def _leave_out_runs(self, size: int) -> None:
        start = 0
        while start + size <= len(self.best.choices) and not self._is_spent():
            choices = self.best.choices
            self.tries += 1
            # After a success stay at the same place: other choices have moved up to it.
            if not self._keep(self._along(choices[:start] + choices[start + size :])):
                start += 1 if size <= 4 else size

    def _is_spent(self) -> bool:
        return self.tries >= _MOST_TRIES or time.monotonic() > self.deadline

    def _keep(self, found: Sighting | None) -> bool:
        if found is None or len(found.choices) >= len(self.best.choices):
            return False
        self.best = found
        return True

    # ------------------------------------------------------------------ one game

    def _along(self, choices: Sequence[int], seed: int | None = None) -> Sighting | None:
        """Plays the choices that fit; returns the finding if it shows up on the way."""
        try:
            state: Any = self.game.new(seed=self.best.seed if seed is None else seed)
            for code in choices:
                if state.over:
                    break
                option = option_with_code(state.decision, code)
                if option is not None and (seen := self._apply(state, option)) is not None:
                    return seen
            return self._shows(state)
        except Fault as fault:
            return self._same(sighting_of(fault))

    def _at_random(self, seed: int) -> Sighting | None:
        generator = Generator(seed)
        try:
            state: Any = self.game.new(seed=seed)
            for _ in range(len(self.best.choices) - 1):
                if state.over:
                    break
                options = state.decision.options
                if (seen := self._apply(state, options[generator.below(len(options))])) is not None:
                    return seen
            return self._shows(state)
        except Fault as fault:
            return self._same(sighting_of(fault))

    def _apply(self, state: Any, option: Any) -> Sighting | None:
        before = state.tried.exhausted
        state.apply(option)
        if self.best.code == BUDGET and state.tried.exhausted > before and not state.over:
            return self._same(budget_sighting(state))
        return self._shows(state) if self.best.code in (LEAK, ALIKE) else None

    def _shows(self, state: Any) -> Sighting | None:
        """The finding, if the state itself shows it."""
        if self.best.code == TIE and state.over and has_open_tie(state):
            return tie_sighting(state)
        if self.best.code == LEAK and not state.over:
            return self._leak(state)
        if self.best.code == ALIKE and not state.over:
            label = told_apart_by_nothing(state)
            return self._same(alike_sighting(state, label)) if label is not None else None
        return None

    def _leak(self, state: Any) -> Sighting | None:
        for player in range(state.meta.players):
            told = what_is_told(state, len(state.h) // 2, player)
            if told is not None and (seen := self._same(leak_sighting(state, told))) is not None:
                return seen
        return None

    def _same(self, seen: Sighting) -> Sighting | None:
        return seen if seen.key == self.best.key else None
