"""Deep validation, the playing part: plays many games for one number of players and records everything odd.

Most games are played at random. In one of four some or all seats are greedy, so that play also reaches what has to be
worked for. At every decision the state is inspected: bounds reached, places filled, pieces in play. Every few decisions
the state is compared with another one that agrees with everything a player knows (`deep_knowledge`): whatever looks
different tells that player a secret. A problem is a `Sighting`; only one per place is kept, with the fewest choices
that led there. The same seed always gives the same games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from ..compile.meta import SiteMeta
from ..diagnostics.source import Span
from ..native.backend import asked_backend
from ..native.game import NativeGame, load
from ..play.bots.greedy_bot import best_here
from ..play.match import bot_match
from ..play.seats import make_bot
from ..play.seeds import derived_seed
from ..runtime.chance import Generator
from ..runtime.faults import Fault
from ..runtime.game import Game
from ..runtime.names import owner_name
from .deep_knowledge import Told, readers_at, what_is_told
from .deep_progress import Pulse, silent
from .same_labels import told_apart_by_nothing
from .spots import Place, Spots, spots_of
from .watched_game import Counts, load_watched

TIE, LEAK, BUDGET, ALIKE = "R0717", "R0719", "R0720", "R0725"
ENDLESS = ("R0903", "R0906")
ASKED_AGAIN = 6  # one decision in this many is compared with a world drawn at random …
OFTEN = 40  # … until each place in the rules that asks was compared so often,
RARELY = 10  # and then one in ten of those: most leaks are in the rules of one place, and a comparison is dear
THOROUGHLY = 8  # in one game of this many comparisons are thorough: see `deep_knowledge`
# Combinations of variants have most of their places in common, so they share these numbers.


@dataclass(frozen=True)
class Sighting:
    """Something odd, with the choices that lead to it: `choices` are codes of options from the start of the game."""

    code: str
    headline: str
    place: Place | None
    rule: str
    cites: tuple[str, ...]
    seed: int
    choices: tuple[int, ...]
    notes: tuple[str, ...] = ()
    help: str | None = None

    @property
    def key(self) -> tuple[str, Place | None]:
        return self.code, self.place


@dataclass(frozen=True)
class Reached:
    """A counter or a place that reached its bound, and in how many of the games."""

    name: str
    owner: str
    bound: int
    games: int
    span: Span


@dataclass
class Unit:
    """Everything that was observed in the games of one ruleset for one number of players."""

    game: str
    players: int
    seed: int
    games: int
    lengths: list[int] = field(default_factory=list)
    sightings: dict[tuple[str, Place | None], tuple[Sighting, int]] = field(default_factory=dict)
    spots: Spots = field(default_factory=dict)
    counters: list[Reached] = field(default_factory=list)
    places: list[Reached] = field(default_factory=list)
    rows_in_play: set[tuple[str, str]] = field(default_factory=set)  # kind, row
    rows: set[tuple[str, str]] = field(default_factory=set)
    scored: set[str] = field(default_factory=set)  # labels of score lines that gave something
    tried_sites: list[SiteMeta] = field(default_factory=list)  # where options may have to be tried first
    greedy: int = 0  # games with a greedy seat
    decisions: int = 0  # if the game has secrets
    asked_again: int = 0  # decisions that were compared with those of a world drawn at random

    def see(self, sighting: Sighting) -> None:
        known, times = self.sightings.get(sighting.key, (sighting, 0))
        shortest = sighting if len(sighting.choices) < len(known.choices) else known
        self.sightings[sighting.key] = (shortest, times + 1)


def seats_of(players: int, number: int) -> list[str]:
    """The seats of a game by its number: of eight games one is all greedy, one has one greedy seat, six are random."""
    if number % 8 == 1:
        return ["greedy"] * players
    if number % 8 == 5:
        return ["greedy" if seat == number // 8 % players else "random" for seat in range(players)]
    return ["random"] * players


def play_unit(
    name: str,
    players: int,
    games: int,
    seed: int,
    every: int = ASKED_AGAIN,
    often: int = OFTEN,
    rarely: int = RARELY,
    thoroughly: int = THOROUGHLY,
    pulse: Pulse | None = None,
) -> Unit:
    """Plays the games of one unit. The scenarios of the ruleset are not part of it. One decision in `every` is compared
    with a world drawn at random, until each place that asks was compared `often` times; then one in `rarely` of these.
    If `every` is 1, every decision is compared, and thoroughly. `pulse` tells how far it has come."""
    pulse = pulse or silent()
    game, counts = load_watched(name, players)
    plain = load_for_seats(name, players)
    unit = Unit(name, players, seed, games)
    watch = _Watch(game, unit, every, often, rarely, pulse)
    pulse.begin(f"{name} for {players}", games, game.meta.limits["decisions"])
    for number in range(games):
        if any(code in ENDLESS for code, _ in unit.sightings):  # endless games are expensive: one is enough
            unit.games = number
            break
        seats = seats_of(players, number)
        unit.greedy += "greedy" in seats
        watch.is_thorough = every == 1 or number % thoroughly == 0
        pulse.game(number, seed + number)
        watch.play(chooser_of(plain, seats, seed + number, pulse), seed + number)
    watch.finish(counts)
    return unit


def load_for_seats(name: str, players: int | None) -> Game:
    """The game on which seats that look ahead think: without counters, and in C once that is worth a library."""
    return load(name, players, None if asked_backend() in ("auto", "python") else "auto")


Chooser = Callable[[Any], Any]  # from a state to the bare option that is taken there


def chooser_of(plain: Game, bots: Sequence[str], seed: int, pulse: Pulse | None = None) -> Chooser:
    """How the seats choose in a game of this seed that is played on another copy of the same rules."""
    if any(kind != "random" for kind in bots):
        choices = iter(choices_of(plain, bots, seed, pulse or silent()))
        return lambda state: next(choices, state.opts[0])  # a bot that runs into a fault while it looks ahead stops
    seats = [make_bot(kind, seed, number) for number, kind in enumerate(bots)]
    return lambda state: state.opts[seats[state.who].choose(state, state.decision).index]


def choices_of(game: Game, bots: Sequence[str], seed: int, pulse: Pulse) -> list[Any]:
    """The choices of the seats in a game, as bare options, to its end or to a fault.

    Seats that look ahead do so here, on a game without counters: only what really happens must be counted. Where
    there are secrets they look at the game as it is: they are to reach what has to be worked for, and a world drawn
    for each decision of theirs would take most of the time.
    """
    if game.meta.has_secrets:
        return _choices_of_seers(game, bots, seed, pulse)
    quick = ["greedy:1" if kind == "greedy" else kind for kind in bots]  # without secrets there is one world
    try:
        match = bot_match(game, quick, seed)
    except Fault:
        return []
    tried: list[Any] = []
    began = perf_counter()
    try:
        while not match.over:
            decision = match.state.decision
            option = match.seats[decision.player].choose(match.state, decision)
            tried = [match.state.opts[option.index]]
            match.apply(option)
            tried = []
            pulse.beat(len(match.state.h) // 2)
    except Fault:
        pass  # met again where the choices are played over, the one that led to it included
    if isinstance(game, NativeGame) and game.engine is None:
        game.engine_for_playouts(perf_counter() - began)
    return [*match.state.h[1::2], *tried]


def _choices_of_seers(game: Game, bots: Sequence[str], seed: int, pulse: Pulse) -> list[Any]:
    """The choices of greedy seats that see everything, among random ones."""
    choices: list[Any] = []
    try:
        state = game.untracked(seed)
        while not state.over:
            number = derived_seed(seed, len(choices))
            is_greedy = bots[state.who] == "greedy"
            index = best_here(state, number) if is_greedy else Generator(number).below(len(state.opts))
            choices.append(state.opts[index])
            state.apply(index)
            pulse.beat(len(choices))
    except Fault:
        pass  # met again where the choices are played over, the one that led to it included
    return choices


class _Watch:
    """Plays games and collects what happened in any of them."""

    def __init__(self, game: Game, unit: Unit, every: int, often: int, rarely: int, pulse: Pulse) -> None:
        self.game, self.unit, self.every, self.often, self.rarely = game, unit, every, often, rarely
        self.pulse = pulse
        self.is_thorough = True
        self.compared: dict[int, int] = {}  # by place in the rules: how often a decision of it was due
        meta = game.meta
        self.high_games = [0] * len(meta.fields)
        self.full_games = [0] * len(meta.places)
        self.boxed = list(range(meta.pieces))  # pieces that no game has taken out yet
        self.highs = [
            (index, at, one.high)
            for index, one in enumerate(meta.fields)
            if one.thing == "number" and not one.is_dice and not one.is_history
            for at in range(one.base, one.base + _elements(one.dimensions))
        ]
        limited = [place.limited for place in game.program.places]
        self.capacities = [
            (index, place)
            for index, place in enumerate(meta.places)
            if place.shape not in ("slot", "slots") and place.capacity > 0 and limited[index]
        ]
        self.below = self.highs  # of the game that is played: numbers that began below their bound
        self.high: set[int] = set()  # fields that met their bound in it
        self.full: set[int] = set()  # places that were filled in it

    def play(self, choose: Chooser, seed: int) -> None:
        """Plays a game and inspects every state."""
        try:
            state = self.game.new(seed=seed)
            self._start(state)
            while not state.over:
                decisions = len(state.h) // 2
                self.pulse.beat(decisions)
                self._look(state)
                self._ask_again(state, decisions)
                self._step(state, choose(state))
        except Fault as fault:
            self.unit.see(sighting_of(fault))
            return
        self._look(state)
        self._end(state)

    def _step(self, state: Any, choice: Any) -> None:
        """Applies one choice. A trial budget that runs out is recorded at the decision that is then pending."""
        before = state.tried.exhausted
        state.apply(state.opts.index(choice))
        if state.tried.exhausted > before and not state.over:
            self.unit.see(budget_sighting(state))

    def _start(self, state: Any) -> None:
        self.below = [(index, at, high) for index, at, high in self.highs if state.f[at] < high]
        self.high, self.full = set(), set()

    def _look(self, state: Any) -> None:
        numbers, at = state.f, state.at
        self.high.update([index for index, one, high in self.below if numbers[one] >= high])
        for index, place in self.capacities:
            if index not in self.full:
                longest = max(map(len, state.p[place.base : place.base + place.size]), default=0)
                if longest >= place.capacity:
                    self.full.add(index)
        self.boxed = [piece for piece in self.boxed if at[piece] < 0]

    def _ask_again(self, state: Any, number: int) -> None:
        is_compared = (state.seed + number) % self.every == 0
        if is_compared and (label := told_apart_by_nothing(state)) is not None:
            self.unit.see(alike_sighting(state, label))
        if not self.game.meta.has_secrets:
            return
        self.unit.decisions += 1
        if is_compared and self._is_worth_it(state.site):
            self.unit.asked_again += 1
            for told in self._leaks(state, number // self.every + state.seed):
                self.unit.see(leak_sighting(state, told))

    def _is_worth_it(self, site: int) -> bool:
        """Counts the decisions of a place; from `often` on only one in `rarely` of them is compared."""
        times = self.compared[site] = self.compared.get(site, 0) + 1
        return self.every == 1 or times <= self.often or times % self.rarely == 0

    def _leaks(self, state: Any, number: int) -> Iterator[Told]:
        """What is told to whoever decides and to one more player; to all of them if every decision is looked at."""
        readers = range(self.game.players) if self.every == 1 else readers_at(state, number)
        for player in readers:
            told = what_is_told(state, number, player, self.is_thorough)
            if told is not None:
                yield told

    def _end(self, state: Any) -> None:
        self.unit.lengths.append(len(state.h) // 2)
        assert state.returns is not None  # asked for, so that `payoff` counts as run
        for lines in state.score_lines:
            self.unit.scored |= {label for label, points in lines if points}
        if has_open_tie(state):
            self.unit.see(tie_sighting(state))
        for index in self.high:
            self.high_games[index] += 1
        for index in self.full:
            self.full_games[index] += 1

    def finish(self, counts: Counts) -> None:
        meta, unit, program = self.game.meta, self.unit, self.game.program
        unit.spots = spots_of(self.game, counts)
        unit.tried_sites = [site for site in meta.sites if site.trial]
        unit.counters = [
            Reached(one.name, owner_name(meta, one), one.high, self.high_games[index], program.fields[index].span)
            for index, one in enumerate(meta.fields)
            if self.high_games[index]
        ]
        unit.places = [
            Reached(one.name, owner_name(meta, one), one.capacity, self.full_games[index], program.places[index].span)
            for index, one in self.capacities
            if self.full_games[index]
        ]
        boxed = set(self.boxed)
        for piece, row in enumerate(meta.piece_row[: meta.pieces]):
            unit.rows.add((meta.piece_kind[piece], meta.row_ids[row]))
            if piece not in boxed:
                unit.rows_in_play.add((meta.piece_kind[piece], meta.row_ids[row]))


def _elements(dimensions: Sequence[tuple[str, int, int]]) -> int:
    size = 1
    for _, _, count in dimensions:
        size *= count
    return size


# ---------------------------------------------------------------------------- what can be seen


def sighting_of(fault: Fault) -> Sighting:
    found = fault.diagnostic
    return Sighting(
        found.code, found.headline, fault.place, fault.rule, fault.cites, fault.seed, fault.history,
        (*found.notes[:1], *found.notes[2:]), found.help,  # which seed and step is told otherwise
    )  # fmt: skip


def has_open_tie(state: Any) -> bool:
    """Two seats share a rank although `rank` does not end in `shared`."""
    meta = state.meta
    return bool(meta.has_rank and not meta.shares_rank and state.won is None and len(set(state.ranking)) < meta.players)


def tie_sighting(state: Any) -> Sighting:
    program = state.game.program
    span = program.rank.span
    place = (span.source.name, *span.source.place(span.start))
    tied = [
        name for name, rank in zip(state.meta.seat_names, state.ranking, strict=True) if state.ranking.count(rank) > 1
    ]
    return Sighting(
        TIE, f"a tie is left between {' and '.join(tied)}", place, "rank", (), state.seed, state.history,
        (f"scores {', '.join(map(str, state.scores))}",), "add a criterion, or `then shared`",
    )  # fmt: skip


def budget_sighting(state: Any) -> Sighting:
    site = state.meta.sites[state.site]
    limit = state.meta.limits["trial_steps"]
    return Sighting(
        BUDGET, f"looking ahead took more than {limit} steps", site.place, site.rule, site.cites,
        state.seed, state.history,
        ("options that were not tried to the end were offered all the same",),
        "`rulewright show NAME guards` names the lines behind it that may be refused, and what would spare the look;"
        " or make the choice smaller, or raise `trial_steps` in the manifest",
    )  # fmt: skip


def leak_sighting(state: Any, told: Told) -> Sighting:
    site = state.meta.sites[state.site]
    seat = state.meta.seat_names[told.player]
    return Sighting(
        LEAK, f"this decision tells {seat} something that {seat} does not know", told.place, told.rule, site.cites,
        state.seed, state.history, told.notes, "let it rest on what its player sees, or reveal that first",
    )  # fmt: skip


def alike_sighting(state: Any, label: str) -> Sighting:
    site = state.meta.sites[state.site]
    return Sighting(
        ALIKE, f"two options read “{label}” and do different things", site.place, site.rule, site.cites,
        state.seed, state.history, (),
        "say in the label what they differ in; if they are meant to be the same, let the rules offer only one of them",
    )  # fmt: skip
