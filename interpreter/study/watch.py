"""Plays a game and writes its row while it is played.

A game of random choices is exactly `game.playout(seed)`: the loop in `_play` makes the same draws in the same order,
and counts on the way what costs nothing to count. How often rules begin (turns, rounds) is counted by the code of the
game itself, which is compiled for that (`compile/ways.py`). So nothing is played twice, and a study runs at nine
tenths of the speed of playouts. Where the game is compiled to C (`native`), whole batches are played, looked at and
added up there (`compiled_games`); a game that C cannot write down is Python's.

Some random games are looked at *closely*: how many options there were, what each seat did, and after each turn who
would win if the game ended now. That costs more, so it is one game in 64 of a long study, and every game of a short
one; which games depends on nothing but their numbers. Games of bots that think are all looked at closely, since that
costs little beside thinking: the bots play, then their choices are followed here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from time import perf_counter
from types import FunctionType
from typing import Any, Protocol

from ..compile.load import Compiled, load_compiled
from ..compile.meta import FREE, PASS, STEP, Course
from ..native.backend import asked_backend
from ..native.game import NativeGame
from ..native.state import NativeState
from ..native.unavailable import NativeUnavailable
from ..play.contract import Game as AnyGame
from ..ruleset.unsaved import laid_over
from ..runtime import trials
from ..runtime.chance import seeded
from ..runtime.ends import standing_of
from ..runtime.faults import Ended, Refused, Trouble, endless, spend
from ..runtime.game import Game
from ..runtime.state import State
from ..runtime.texts import render
from .compiled_games import CompiledGames
from .outsider import Outsider
from .rows import Close, Row, ahead, early_choice
from .standings import Standings
from .thinking_games import ThinkingGames

_CLOSE_AT_LEAST = 64  # so many games of a study are looked at closely, if it has as many
_CLOSE_ONE_IN = 64  # and one in this many of a long one
EARLY = 12  # so many random choices of a game that is looked at closely are checked for being even
_TIMED_GAMES = 8
_WORTH_HANDING_OVER = 0.0002  # seconds of a game in Python
_WORTH_LOOKING = 0.02  # seconds of games in Python, after which an engine is looked for
_MOST_ENDS = 10_000  # that are kept
_STREAM = 0x5DEECE66D  # as `Game.finish` has it: random choices and the game's own chance never share a generator


Begun = tuple[int | None, int | None]  # turns and rounds


class Watcher(Protocol):
    """Makes the row of a game, and what else was seen if it was looked at closely."""

    @property
    def game(self) -> AnyGame: ...
    @property
    def is_random(self) -> bool: ...
    @property
    def has_few_ends(self) -> bool: ...
    @property
    def plays_several(self) -> bool: ...
    def row(self, seed: int, closely: bool) -> tuple[Row, Close | None]: ...
    def rows(self, seeds: Sequence[int]) -> list[Row]: ...
    def end(self, seed: int) -> int: ...
    def rest_of_row(self, number: int) -> tuple[Any, ...]: ...
    def forget_ends(self) -> None: ...
    def compiled(self) -> CompiledGames | None: ...
    def thought_out(self, seed: int) -> list[int]: ...
    def follow(self, seed: int, choices: Sequence[int]) -> tuple[Row, Close]: ...


def close_step(games: int) -> int:
    """One game in how many of a study is looked at closely: those whose numbers (from 0) it divides."""
    return max(1, min(_CLOSE_ONE_IN, games // _CLOSE_AT_LEAST))


def load_counting(name: str, players: int | None, texts: Mapping[str | Path, str] | None = None) -> Game:
    """The game of that name, compiled so that its playouts count how often rules begin. Long studies play them in C.
    `texts`: what is laid over the files of the ruleset."""
    with laid_over(texts) if texts else nullcontext():
        compiled = load_compiled(name, players, counted="begins")
    if asked_backend() not in ("auto", "native"):
        return counting_game(compiled, name)
    game = CountingGame(with_counters(compiled), name, states_native=False)
    game.texts = texts or {}
    return game


class CountingGame(NativeGame):
    """A game whose playouts in C count what those in Python do."""

    counted = "begins"


def counting_game(compiled: Compiled, name: str | None = None) -> Game:
    """A game from code that counts beginnings, with a counter for each."""
    return Game(with_counters(compiled), name)


def with_counters(compiled: Compiled) -> Compiled:
    return replace(compiled, tables={**compiled.tables, "HITS": [0] * len(compiled.hits)})


def watcher_of(game: AnyGame, bots: Sequence[str]) -> Watcher:
    """The best there is for this game: any object with the methods of a game can be played, if not looked into."""
    return Watch(game, bots) if isinstance(game, Game) else Outsider(game, bots)


class Watch:
    def __init__(self, game: Game, bots: Sequence[str]) -> None:
        self.game = game
        self.bots = tuple(bots)
        self.is_random = all(kind == "random" for kind in bots)
        hits = game.compiled.hits
        self._hits: list[int] = game.compiled.tables["HITS"] if hits else []
        self._nothing = [0] * len(hits)
        self._timed, self._spent = 0, 0.0  # how long the first games took here
        self._untold = 0.0  # seconds of playouts here that the game has not been told of
        self._thinking = ThinkingGames(game, self.bots)
        self._compiled: CompiledGames | None = None
        self._rows_are_ours = False
        course = game.compiled.course or Course()
        self.turns = [n for n, hit in enumerate(hits) if hit.routine in {f"rule_{name}" for name in course.turns}]
        self._rounds = [n for n, hit in enumerate(hits) if hit.routine in {f"rule_{name}" for name in course.rounds}]
        counters = [*self.turns, *self._rounds]
        self._begins: Callable[[list[int]], Any] = itemgetter(*counters) if counters else len
        self._blocks = [f"score_{number}" for number in range(game.meta.score_blocks)]
        self._score_rules = [game.machine.fast[block] for block in self._blocks]
        self._players = game.players
        self._no_scores = (0,) * game.players
        self._scores = self._no_scores
        self._rank = self._rank_of_scores() if game.meta.has_rank and self._blocks else None
        self._texts: dict[tuple[int, Any], str] = {}
        self._points_win, self._has_rank = game.meta.points_win, game.meta.has_rank
        self._ends: dict[Any, int] = {}  # how a game ended -> the number of its row in `_rests`, behind its seed
        self._rests: list[tuple[Any, ...]] = []
        self.plays_several = self.is_random and not isinstance(game, CountingGame)
        self.has_few_ends = self.plays_several and not self._blocks
        self._results: dict[tuple[int, ...], tuple[tuple[int, ...], tuple[int, ...]]] = {}

    def row(self, seed: int, closely: bool) -> tuple[Row, Close | None]:
        if not self.is_random:
            choices, began = self.thought_out(seed), perf_counter()
            followed = self.follow(seed, choices)
            self._untold += perf_counter() - began  # most of the time, if the bots have played in C
            return followed
        counting = self.game if not closely and isinstance(self.game, CountingGame) else None
        if counting is not None:
            row = self._in_c(counting, seed)
            if row is not None:
                return row, None
        S = self.game._set_out(seed, True, tracked=False)
        self._hits[:] = self._nothing
        choice = seeded(seed ^ _STREAM)
        try:
            if closely:  # in a short study all games are: their time must lead to an engine too
                began = perf_counter()
                looked = self._closely(S, None, choice)
                self._untold += perf_counter() - began
                return looked
            forced = self._play_timed(S, choice) if counting is not None else self._play(S, choice)
        except (Trouble, Refused, RecursionError) as trouble:
            raise self.game.fault(trouble, S) from None
        return self._ended(S, forced), None

    def rows(self, seeds: Sequence[int]) -> list[Row]:
        """Rows of random games that are not looked at closely. All are played before any end is looked at: in turn,
        each would take from the processor's memory what the other needs: 3 % in games of 300 microseconds."""
        played = [(*self._played(seed), self.begun()) for seed in seeds]
        return [self._ended(S, forced, begun) for S, forced, begun in played]

    def _played(self, seed: int) -> tuple[State, int]:
        """A random game, and how many of its choices were forced."""
        S = self.game._set_out(seed, True, tracked=False)
        self._hits[:] = self._nothing
        try:
            return S, self._play(S, seeded(seed ^ _STREAM))
        except (Trouble, Refused, RecursionError) as trouble:
            raise self.game.fault(trouble, S) from None

    def end(self, seed: int) -> int:
        """A random game, not looked at closely: the number of its row, good until `forget_ends`."""
        S, forced = self._played(seed)
        if S.gone or (S.won is None and self._has_rank):  # as `_tells_all`
            return self._number_of_end(S, forced, self.begun())
        end = S.won, S.why, len(S.h), forced, self._begins(self._hits)
        number = self._ends.get(end)
        if number is None:
            number = self._ends[end] = self._number_of_end(S, forced, self.begun())
        return number

    def rest_of_row(self, number: int) -> tuple[Any, ...]:  # behind its seed
        return self._rests[number]

    def forget_ends(self) -> None:
        """Before a batch: what is kept is bounded."""
        if len(self._rests) > _MOST_ENDS:
            self._ends, self._rests = {}, []

    def _in_c(self, game: CountingGame, seed: int) -> Row | None:
        """The row of a game that is played in C; None if it is played here: the first few always are, and all of a game
        that takes less time than it takes to hand over its end. The end is looked at in Python, where the words are."""
        if self._timed < _TIMED_GAMES or self._spent < _TIMED_GAMES * _WORTH_HANDING_OVER:
            return None
        engine = game.engine_for_playouts(self._untold)
        self._untold = 0.0
        if engine is None:
            return None
        S = game.playout(seed)
        if not isinstance(S, NativeState):
            return None
        forced, self._hits[:] = engine.counted(len(self._hits))
        return self._ended(S, forced)

    def _play_timed(self, S: Any, choice: int) -> int:
        began = perf_counter()
        forced = self._play(S, choice)
        took = perf_counter() - began
        self._untold += took
        if self._timed < _TIMED_GAMES:
            self._timed += 1
            self._spent += took
        return forced

    def follow(self, seed: int, choices: Sequence[int]) -> tuple[Row, Close]:
        """The row of a game whose choices (raw options) are known."""
        S = self.game._set_out(seed, True, tracked=False)
        self._hits[:] = self._nothing
        try:
            return self._closely(S, choices, 0)
        except (Trouble, Refused, RecursionError) as trouble:
            raise self.game.fault(trouble, S) from None

    def compiled(self) -> CompiledGames | None:
        """Where whole batches are played, looked at and added up in C; None as long as there is no engine, or if the
        rows of this game have to be Python's. An engine is looked for when games have taken a while."""
        if self._compiled is not None or self._rows_are_ours:
            return self._compiled
        game = self.game
        if not isinstance(game, CountingGame) or (game.engine is None and self._untold < _WORTH_LOOKING):
            return None
        engine = game.engine_for_playouts(self._untold)
        self._untold = 0.0
        if engine is not None:
            try:
                self._compiled = CompiledGames(engine, game.meta, self.turns, self._rounds)
            except NativeUnavailable:
                self._rows_are_ours = True
        return self._compiled

    def thought_out(self, seed: int) -> list[int]:
        """The choices (raw options) that the bots make."""
        return self._thinking.choices(seed)

    def made_until(self, seed: int, is_enough: Callable[[], bool]) -> tuple[int, bool]:
        """As far as the bots come until somebody has seen enough: how many choices, and whether the game is over."""
        return self._thinking.made_until(seed, is_enough)

    def makes_library_of_matches(self) -> bool:
        """Makes the library that plays these bots, if there can be one; says whether it is there."""
        return self._thinking.makes_library()

    # ------------------------------------------------------------------ the loops

    def _play(self, S: Any, choice: int) -> int:
        """`Machine.playout`, draw for draw; returns how many choices were forced."""
        machine = self.game.machine
        code, k, history, automas = machine.fast_code, S.k, S.h, machine.meta.automas
        S.sampled = not automas
        bits = forced = 0
        try:
            for _ in range(machine.meta.limits["decisions"] * 20):
                F = k[-1]
                if not code[F[0]](S, F):
                    continue
                if S.over:
                    return forced
                untried = S.untried
                if untried is not None and untried[0].number == S.site:
                    option, only, choice = trials.sample(machine, S, S.opts, choice)
                    if only:
                        forced += 1
                    else:
                        S.steps = 0
                        history += (S.site, option)
                else:
                    options = S.opts
                    count = len(options)
                    if count == 1:
                        option = options[0]
                        if S.steps > S.limit:
                            raise endless(S.limit // STEP)
                        forced += 1
                    elif count and not (automas and S.who in automas):
                        if bits < 0x10000:
                            choice = (choice * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
                            bits = choice >> 16
                        option = options[bits % count]
                        bits //= count
                        S.steps = 0
                        history += (S.site, option)
                    else:
                        machine._answers_itself(S)
                        continue
                if option < PASS:
                    machine.take(S, option)
                else:
                    S.pick = option
                    k[-1][0] += 1
        except Ended:
            return forced
        raise Trouble("R0906", f"the game has not ended after {len(history) // 2} decisions")

    def _closely(self, S: Any, given: Sequence[int] | None, choice: int) -> tuple[Row, Close]:
        """The same loop with more noted. With `given` those choices are made, else random ones."""
        machine = self.game.machine
        code, k, history, automas = machine.fast_code, S.k, S.h, machine.meta.automas
        S.sampled = not automas and given is None
        bits = forced = offered = 0
        deciders: list[int] = []
        early: list[int] = []
        course = Standings(self)
        try:
            for _ in range(machine.meta.limits["decisions"] * 20):
                F = k[-1]
                if not code[F[0]](S, F):
                    continue
                if S.over:
                    break
                course.look(S)
                options, count = S.opts, len(S.opts)
                untried = S.untried
                if untried is not None and untried[0].number == S.site:
                    count = _carried(machine, S, options)
                    option, _, choice = trials.sample(machine, S, options, choice)
                elif count == 1:
                    option = options[0]
                    spend(S, 0)
                elif not count or (automas and S.who in automas):
                    machine._answers_itself(S)
                    continue
                elif given is not None:
                    option = given[len(deciders)]
                else:
                    if bits < 0x10000:
                        choice = (choice * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
                        bits = choice >> 16
                    option = options[bits % count]
                    if len(deciders) < EARLY:
                        early.append(early_choice(len(deciders), count, bits % count))
                    bits //= count
                if count == 1:
                    forced += 1
                else:
                    S.steps = 0
                    history += (S.site, option)
                    deciders.append(S.who)
                    offered += count
                machine.take(S, option)
            else:
                raise Trouble("R0906", f"the game has not ended after {len(history) // 2} decisions")
        except Ended:
            pass
        row = self._ended(S, forced)
        changes, behind = course.summed_up(S, row)
        row = row._replace(offered=offered, lead_changes=changes, behind=behind)
        return row, Close(tuple(deciders), tuple(S.h), tuple(self._hits), tuple(early))

    # ------------------------------------------------------------------ the end

    def _ended(self, S: State, forced: int, begun: Begun | None = None) -> Row:
        """The row of a finished game. Without a score sheet few ends differ, so they are kept; the seed is new."""
        if self._blocks or len(self._rests) > _MOST_ENDS or not self._tells_all(S):
            return self._described(S, forced, begun or self.begun())
        return Row(S.seed, *self._rests[self._number_of_end(S, forced, begun or self.begun())])

    def _tells_all(self, S: State) -> bool:  # who won, why and when; there is no score sheet
        return not S.gone and (S.won is not None or not self._has_rank)

    def _number_of_end(self, S: State, forced: int, begun: Begun) -> int:
        end = (S.won, S.why, len(S.h), forced, *begun) if self._tells_all(S) else None
        number = self._ends.get(end)
        if number is None:
            number = len(self._rests)
            self._rests.append(self._described(S, forced, begun)[1:])
            if end is not None:
                self._ends[end] = number
        return number

    def _described(self, S: State, forced: int, begun: Begun) -> Row:
        scores, sheet = self._sheet(S) if self._blocks else (self._no_scores, ())
        ranking, winners = self._ranked(S, scores)
        turns, rounds = begun
        reason = "" if S.why is None else self._text(S, *S.why)
        lead, margin = ahead(scores, self._points_win)
        decisions = len(S.h) // 2
        ended = S.seed, scores, ranking, winners, reason, decisions, forced, turns, rounds, sheet
        return Row(*ended, None, None, None, lead, margin)

    def _ranked(self, S: State, scores: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The ranks, and who is first. Few results are possible where the rules name the winner: they are kept."""
        if S.won is not None and not S.gone:
            known = self._results.get(S.won)
            if known is not None:
                return known
        keys = self.keys(S, scores)
        nobody = S.won is not None and not S.won
        best_first = sorted(keys, reverse=True)
        ranking = tuple([len(keys) + 1 if nobody else 1 + best_first.index(own) for own in keys])
        found = ranking, tuple([seat for seat, rank in enumerate(ranking) if rank == 1])
        if S.won is not None and not S.gone:
            self._results[S.won] = found
        return found

    def keys(self, S: State, scores: tuple[int, ...]) -> list[tuple[int, ...]]:
        """`standing_of`, without adding up again the scores that are at hand."""
        if self._rank is None or S.won is not None:
            return standing_of(S, scores)
        self._scores = scores
        return [(0 if seat in S.gone else 1, *self._rank(S, seat)) for seat in range(self._players)]

    def _rank_of_scores(self) -> Any:
        """The rule `rank` of the game, where it reads a score that is known already. Emitted code finds what it calls
        by name, so it is the same code with another `score_of`."""
        names = self.game.machine.fast
        return FunctionType(names["rank"].__code__, {**names, "score_of": lambda S, seat: self._scores[seat]})

    def _text(self, S: Any, text: int, values: Any) -> str:
        """A text of the rules with its values; few differ, so they are kept."""
        found = self._texts.get((text, values))
        if found is None:
            found = self._texts[text, values] = render(S, text, values, None)
        return found

    def begun(self) -> Begun:
        """How many turns and rounds have begun. Without a rule for rounds, each seat's turn makes one."""
        if not self.turns:
            return None, None
        turns = 0
        for number in self.turns:
            turns += self._hits[number]
        if self._rounds:
            return turns, sum([self._hits[n] for n in self._rounds])
        return turns, -(-turns // self._players)

    def _sheet(self, S: Any) -> tuple[tuple[int, ...], tuple[tuple[str, tuple[int, ...]], ...]]:
        """The scores, and line by line what they are made of; nothing after an end at which nobody counts points."""
        if S.why is not None and S.why[0] in self.game.meta.unscored:
            return self._no_scores, ()
        blocks, players, texts = self._score_rules, self._players, self._texts
        sheet: dict[str, list[int]] = {}
        scores = [0] * players
        for player in range(players):
            for lines_of in blocks:
                for text, values, points in lines_of(S, player):
                    line = texts.get((text, values)) or self._text(S, text, values)
                    own = sheet.get(line)
                    if own is None:
                        own = sheet[line] = [0] * players
                    own[player] += points
                    scores[player] += points
        return tuple(scores), tuple([(line, tuple(points)) for line, points in sheet.items()])


def _carried(machine: Any, S: Any, options: Sequence[int]) -> int:
    """How many options of a decision that a playout has not tried can be carried through."""
    described, test = S.untried
    budget = [machine.trial_steps]
    return sum(
        option <= FREE or trials._is_offered(machine, S, described, test, option, S.who, budget) for option in options
    )
