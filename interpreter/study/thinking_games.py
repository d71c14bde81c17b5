"""What bots choose, game by game, for whoever follows their games afterwards.

Bots play as at a table (`play/match.py`), on native states where there is an engine. Where all of them are known to C
(`random`, `first`, `greedy`, `flat:N`, `mcts:N`), a library is made that plays their games from the seed to the end by
itself (`native/matches.py`), as soon as thinking has taken long enough to be worth it. The choices are the same either
way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

from ..native.engine import Engine
from ..native.game import NativeGame
from ..native.matches import NativeMatches, can_be_played
from ..native.unavailable import NativeUnavailable
from ..play.bots.compiled_sight import described
from ..play.bots.node import MOST_SLOTS
from ..play.contract import Game
from ..play.match import Match, bot_match
from ..runtime.game import Game as OurGame
from ..runtime.state import State


class RememberingGame(NativeGame):
    """A game whose library keeps what players know."""

    counted = "knowledge"


def native_matches(engine: Engine, game: OurGame, bots: Sequence[str]) -> NativeMatches:
    """Whole games of these bots in C. Raises NativeUnavailable if they are Python's."""
    return NativeMatches(engine, game, bots, described(game), MOST_SLOTS)


class ThinkingGames:
    """Games of these bots. If the game is a native one, thinking in Python counts as time after which a library is made
    for it. `beside`: games of other bots in the same game, whose library serves for these too."""

    def __init__(self, game: Game, bots: Sequence[str], beside: ThinkingGames | None = None) -> None:
        self._game, self._bots = game, tuple(bots)
        self._remembering = _remembering(game, self._bots, beside)
        self._matches: NativeMatches | None = None
        self._spent = 0.0

    def choices(self, seed: int) -> list[int]:
        """The choices (raw options) that the bots make in the game from this seed."""
        matches = self._in_c()
        found = matches.choices(seed) if matches is not None else None
        return self.at_a_table(seed) if found is None else found

    def finished(self, seed: int) -> tuple[State, int]:
        """The game from this seed at its end, and how many choices were made in it."""
        matches = self._in_c()
        found = matches.choices(seed) if matches is not None else None
        if found is None or self._remembering is None:
            match = self._played_at_a_table(seed)
            return match.state, match.decisions
        state = self._remembering.untracked(seed)
        for option in found:
            state.apply_at_once(option)
        return state, len(found)

    def made_until(self, seed: int, is_enough: Callable[[], bool]) -> tuple[int, bool]:
        """Plays until somebody has seen enough; gives how many choices were made, and whether the game is over."""
        matches = self._in_c()
        found, is_over = matches.choices_until(seed, is_enough) if matches is not None else (None, False)
        if found is not None:
            return len(found), is_over
        match = self.match(seed)
        while not match.over and not is_enough():
            match.step()
        return match.decisions, match.over

    def _in_c(self) -> NativeMatches | None:
        game = self._remembering
        if game is None:
            return None
        if self._matches is None:
            engine = game.engine_for_playouts(self._spent)
            self._spent = 0.0
            if engine is None:
                return None
            try:
                assert isinstance(self._game, OurGame)
                self._matches = native_matches(engine, self._game, self._bots)
            except NativeUnavailable:
                self._remembering = None
                return None
        return self._matches

    def makes_library(self) -> bool:
        """Makes the library that plays these games now, if there can be one; says whether it is there."""
        if self._remembering is None:
            return False
        try:
            self._remembering.require_engine()
        except NativeUnavailable:
            self._remembering = None
        return self._remembering is not None

    def match(self, seed: int) -> Match:
        """Bots look ahead in native memory, if there is an engine: so the game that they play is there as well."""
        game = self._game
        if not isinstance(game, NativeGame) or game.engine is None:
            return bot_match(game, self._bots, seed)
        before, game.states_native = game.states_native, True
        try:
            return bot_match(game, self._bots, seed)
        finally:
            game.states_native = before

    def at_a_table(self, seed: int) -> list[int]:
        """The same choices, made decision by decision."""
        return self._played_at_a_table(seed).state.h[1::2]  # type: ignore[no-any-return]

    def _played_at_a_table(self, seed: int) -> Match:
        game, began = self._game, perf_counter()
        match = self.match(seed)
        match.run()
        spent = perf_counter() - began
        self._spent += spent
        if isinstance(game, NativeGame) and game.engine is None:
            game.engine_for_playouts(spent)  # bots think many times faster on an engine
        return match


def _remembering(game: Game, bots: Sequence[str], beside: ThinkingGames | None) -> RememberingGame | None:
    """The same game, for a library that plays such bots; None if there is none."""
    if not isinstance(game, NativeGame) or game.sandboxed or not can_be_played(game, bots):
        return None
    if beside is not None and beside._remembering is not None:
        return beside._remembering
    made = RememberingGame(game.compiled, game.asked, states_native=False)
    made.ceilings, made.texts = game.ceilings, game.texts
    return made
