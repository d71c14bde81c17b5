"""Whole games of bots in native memory: `rw_matches.h` and `rw_memory.h` as Python sees them.

Studies play thousands of games among bots that look one decision ahead, or search. Played decision by decision, much of
the time goes into what lies between two looks: knowledge kept in Python, stories told to C, states written there. So a
library is compiled that keeps what players know by itself (`counted="knowledge"`), and a game is one call.

A game that C cannot play to its end (chance falls inside a `together`) is None here, `why` says the reason, and Python
plays it from its seed. The choices are the same, whoever plays.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from ..runtime.names import element_of
from ..runtime.questions import binds_pieces
from ..runtime.spots import SPOT
from ..runtime.unseen import seen_by, values_of
from .engine import STOP
from .glances import UNKNOWN
from .search import GO
from .unavailable import NativeUnavailable

if TYPE_CHECKING:
    from ..compile.meta import Meta
    from ..runtime.game import Game
    from .engine import Engine

_MASK = (1 << 64) - 1
_PICKS = {"set": 1, "pay": 2}  # one by one: RwPicks of rw_tale.h
_BOTS = {"random": 0, "first": 1, "greedy": 2, "flat": 3, "mcts": 4}
_WORLDS = 4  # of `greedy`, as in play/bots/greedy_bot.py
_MOST = (1 << 31) - 5  # games of a search, worlds of a look ahead
_NAMED = re.compile(r"(?P<bot>\w+)(?::(?P<amount>\d{1,10})(?:\+cut:(?P<cut>\d{1,10}))?)?")
_MOST_FAILURES = 16  # games in a row that only Python can play, until none is tried any more
_MOST_PIECES = 2000  # the masks of all mixes grow with their square
_MOST_NUMBERS = 256  # that somebody does not see: as in rw_secret.h
_MOST_ARGUMENTS, _MOST_OWN = 16, 256  # of a value told to all; numbers that belong to a piece: as in rw_memory.h
WHY = (  # by the numbers of RwLost in rw.h
    "",
    "there is not enough memory for it",
    "players choose at the same time (`together`) in a game that hides nothing else",
    "more is picked one by one than there are pieces",
    "the rules work something out from secrets and tell it, or move pieces by it",
    "what a player has seen needs the story that Python tells",
    "what a player may conclude from a decision of somebody else is too long for C",
    "a world that agrees with all that a player knows cannot be made in C",
    "a search cannot go on in C",
    "the rules run into a fault, which Python tells in words",
    "the game is longer than its limit allows",
    "chance falls while players choose at the same time (`together`)",
    "players choose between several ways at the same time (`together`), and the rules work something out from secrets",
    "what the rules work out from secrets cannot be worked out again in C",
)
_ANY = (1 << 31) - 1
_MOMENT = 0.05  # seconds of one call
_MOST_AT_ONCE = 1 << 20  # choices of one call


class NativeMatches:
    """Games of these bots, one after the other. `sight`: what players see of the game, as a search reads it
    (`play/bots/compiled_sight.py`); `most_slots`: of a search tree. Raises NativeUnavailable if such games are
    Python's."""

    def __init__(self, engine: Engine, game: Game, bots: Sequence[str], sight: Sequence[int], most_slots: int) -> None:
        why = why_in_python(game, bots) or ("" if engine.library.steady else "the library cannot be called so often")
        if why:
            raise NativeUnavailable(f"only Python can play these bots in this game: {why}")
        function, self._library, self._engine = engine.function, engine.library, engine
        self._failures, self._part = 0, 1
        self._free = function("rwx_match_free", None, "address")
        made = function("rwx_match", "address", "address", "i32")
        self._begin = function("rwx_match_begin", "i32", "address", "address", "u64")
        self._play = function("rwx_match_play", "i32", "address", "address", "i32")
        self._taken = function("rwx_match_choices", "address", "address", "address")
        self._why = function("rwx_match_why", "i32", "address")
        self.why = ""  # the last game was not played to its end
        told = array("i", described(engine, game, bots, sight, most_slots))
        self._count = array("i", [0])
        self._address = made(told.buffer_info()[0], len(told))
        if not self._address:
            raise NativeUnavailable("there is no memory for a game of bots", passing=True)

    def __del__(self) -> None:
        if getattr(self, "_address", 0) and not sys.is_finalizing():
            self._free(self._address)

    def choices(self, seed: int) -> list[int] | None:
        """The options that are taken in the game from this seed; None if it has to be Python's."""
        return self.choices_until(seed, lambda: False)[0]

    def choices_until(self, seed: int, is_enough: Callable[[], bool]) -> tuple[list[int] | None, bool]:
        """The same as far as it is played until somebody has seen enough; and whether that is the whole game. It is
        played in parts of a moment each, so that it can be interrupted."""
        if self._failures >= _MOST_FAILURES:
            return None, False
        self.why = ""
        context = self._engine.context
        signal = GO if self._begin(context.address, self._address, seed & _MASK) == STOP else UNKNOWN
        while signal == GO and not is_enough():
            began = perf_counter()
            signal = self._play(context.address, self._address, self._part)
            took = perf_counter() - began
            self._part = min(2 * self._part, _MOST_AT_ONCE) if took < _MOMENT else max(1, self._part // 2)
        if signal not in (GO, STOP):
            self._failures += 1
            self.why = WHY[self._why(self._address)]
            return None, False
        self._failures = 0
        where = self._taken(self._address, self._count.buffer_info()[0])
        taken = array("i", self._library.read(where, 4 * self._count[0])).tolist() if self._count[0] else []
        return taken, signal == STOP

    def world(self, seed: int, played: int, looked_with: int, number: int) -> int:
        """The address of a world that the player sees who decides after so many choices of this game: the one of this
        number, drawn as a look ahead with that seed does. 0 if it has to be Python's."""
        drawn = self._engine.function("rwx_match_world", "address", "address", "address", "u64", "i32")
        context = self._engine.context.address
        signal = GO if self._begin(context, self._address, seed & _MASK) == STOP else UNKNOWN
        if signal == GO and played:
            signal = self._play(context, self._address, played)
        return int(drawn(context, self._address, looked_with & _MASK, 1 + number) or 0) if signal == GO else 0


def can_be_played(game: Game, bots: Sequence[str]) -> bool:
    """Whether games of these bots are tried in C."""
    return not why_in_python(game, bots)


def why_in_python(game: Game, bots: Sequence[str]) -> str:
    """Why games of these bots are not even tried in C, as the end of a sentence; nothing if they are."""
    unknown = next((kind for kind in bots if _seat(kind) is None), None)
    if unknown is not None:
        return f"`{unknown}` is a bot that only Python has"
    return why_not_remembered(game) if game.meta.has_secrets else ""


def why_not_remembered(game: Game) -> str:
    """Why C cannot keep what players know in this game; nothing if it can. Which piece lies where it can keep, and
    numbers that were rolled, chosen, or worked out from secrets."""
    meta, renaming = game.meta, game.machine.renaming
    hidden = [field for player in range(meta.players) for field in game.machine.unseen_by(player).values()]
    reasons = (
        (
            meta.works_out and _picks_numbers(meta),
            "the rules work something out from numbers that are picked one by one",
        ),
        (
            meta.works_out and meta.spots_unseen,
            "the rules work something out, and put pieces where not all know the position",
        ),
        (bool(meta.uneven_blocks), "what players do at the same time (`together`) takes them different ways"),
        (meta.marks_unseen or meta.labels_tell, "marks or labels tell what is secret"),
        (any(place.uncounted for place in meta.places), "nobody may count what lies in a place"),
        (
            not _can_be_told(meta),
            "what is told to all (`public`) is a set, or worked out from a set or from very many values",
        ),
        (any(field.thing == "piece" for field in hidden), "a secret field names a piece"),
        (len(_secret_offsets(game)) > _MOST_NUMBERS, "there are too many secret numbers"),
        (not renaming.is_simple, "fields are indexed by pieces beside another owner"),
        (sum(each for *_, each in renaming.blocks) > _MOST_OWN, "pieces have too many fields of their own"),
        (meta.pieces > _MOST_PIECES, "there are too many pieces"),
    )
    return next((told for holds, told in reasons if holds), "")


def _secret_offsets(game: Game) -> list[int]:
    """The numbers that somebody does not see, by where they lie."""
    return sorted({offset for player in range(game.meta.players) for offset in game.machine.unseen_by(player)})


def _numbers_told(game: Game) -> list[int]:
    """Those numbers: where each lies, its range if it has one, and which players do not see it."""
    machine, players = game.machine, range(game.meta.players)
    offsets = _secret_offsets(game)
    found = [len(offsets)]
    for offset in offsets:
        hidden = [int(offset in machine.unseen_by(player)) for player in players]
        field = machine.unseen_by(hidden.index(1))[offset]
        low, high = (field.low, field.high) if field.thing == "number" else (0, 0)
        values = values_of(game.meta, field)
        worked_out = (low, high) if field.thing == "number" else (min(values), max(values))
        found += [offset, low, high, int(field.thing == "number"), *worked_out, *hidden]
    return found


def _picks_numbers(meta: Meta) -> bool:
    """Whether somebody picks a set of numbers or spaces secretly: in Python it is worked out again as a whole
    (runtime/blocks.py)."""
    return any(site.kind == "set" and site.secret and not binds_pieces(site) for site in meta.sites)


def _steps_told(engine: Engine, game: Game) -> list[int]:
    """For steps of the rules that are run again: whether there are any, whether pieces are shown to one player alone,
    what each player always sees, and by segment which cells of a frame may hold something unseen."""
    meta = game.meta
    found = [int(meta.works_out), int(meta.shows_to_one)]
    for player in range(meta.players):
        seen = seen_by(meta, player)
        found += [len(seen), *seen]
    for segment in range(len(meta.segment_routine)):
        cells = engine.cells_of(segment, meta.unseen_slots.get(segment, ()))
        found += [2 * len(cells), *[n for cell in cells for n in cell]]
    return found


def _can_be_told(meta: Meta) -> bool:
    """Whether all values that are told to all are numbers, worked out from a few numbers."""
    things = [*meta.told_gives, *(thing for things in meta.told for thing in things)]
    is_short = all(len(things) <= _MOST_ARGUMENTS for things in meta.told)
    return is_short and not any(thing.startswith("set:") for thing in things)


def described(engine: Engine, game: Game, bots: Sequence[str], sight: Sequence[int], most_slots: int) -> list[int]:
    """The bots, and what of the game a memory goes by, as rwx_match reads them."""
    found = [n for kind in bots for n in _seat(kind) or ()]
    found += [most_slots, len(sight), *sight]
    return [*found, 1, *_memory_told(engine, game)] if engine.meta.has_secrets else [*found, 0]


def _seat(kind: str) -> tuple[int, int, int] | None:
    """The bot, how much it looks at, and its cutoff; None for one that C does not know."""
    named = _NAMED.fullmatch(kind.strip())
    if named is None or named["bot"] not in _BOTS:
        return None
    bot, amount, cut = named["bot"], int(named["amount"] or 0), int(named["cut"] or 0)
    needs_amount = bot in ("flat", "mcts")
    if (named["cut"] and (bot != "mcts" or not cut)) or bool(amount) < needs_amount or max(amount, cut) > _MOST:
        return None
    if bot in ("random", "first") and named["amount"]:
        return None
    return _BOTS[bot], amount or _WORLDS, cut


def _memory_told(engine: Engine, game: Game) -> list[int]:
    """What rw_memory reads: places, pieces, sites, where names stand."""
    meta, renaming = engine.meta, game.machine.renaming
    found: list[int] = []
    for place in range(meta.lists + meta.slots):
        found += (int(place in meta.top_open), int(place in meta.bags))
    can_hide = {kind for place in meta.places if place.visibility != "open" for kind in place.kinds}
    backs = {back: number for number, back in enumerate(dict.fromkeys(meta.piece_back[: meta.pieces]))}
    for piece in range(meta.pieces):
        found += (backs[meta.piece_back[piece]], int(meta.piece_kind[piece] in can_hide))
    found += [*engine.rows_and_kinds, len(meta.row_ids)]
    for number in range(len(meta.sites)):
        found += _site_told(meta, number)
    names = [n for run in renaming.names for n in run]
    found += [len(names), *names]
    kinds = sorted(set(meta.piece_kind[: meta.pieces]))
    found += [kinds.index(kind) for kind in meta.piece_kind[: meta.pieces]]
    found += [4 * len(renaming.blocks), *[n for block in renaming.blocks for n in block]]
    for segment in range(len(meta.segment_routine)):
        _, naming = engine.frame_rooms(segment, renaming.naming)
        found += [2 * len(naming), *[n for _, room, position in naming for n in (position, room)]]
    return [*found, *_looks_told(meta), *_numbers_told(game), *_steps_told(engine, game)]


def _looks_told(meta: Meta) -> list[int]:
    """By segment: what questions can find out about pieces (`compile/sorts.py`), and where they may look; the same of
    values that are told to all."""
    every = [*meta.sorts.values(), *meta.told_sorts.values()]
    known = {sorts: number for number, sorts in enumerate(dict.fromkeys(every))}
    segments = range(len(meta.segment_routine))
    found = [len(known), *[known[meta.sorts[n]] if n in meta.sorts else -1 for n in segments]]
    found += [int(_is_free_set(meta, segment)) for segment in segments]
    found += [sort for sorts in known for sort in sorts[: meta.pieces]]
    for segment in segments:
        found += _places_told(meta.looks.get(segment))
    found.append(len(meta.told))
    for number, things in enumerate(meta.told):
        sorts = meta.told_sorts.get(number)
        found += [len(things), *[int(thing == "piece") for thing in things], -1 if sorts is None else known[sorts]]
        found.append(int(meta.told_unseen[number]))
        found += _places_told(meta.told_looks.get(number))
    return found


def _is_free_set(meta: Meta, segment: int) -> bool:
    """Whether any pieces would do for a set that is asked for here (`PickedSet.of` of runtime/picked_sets.py)."""
    return segment in meta.free_sets or len(set(meta.sorts.get(segment, meta.piece_row)[: meta.pieces])) < 2


def _places_told(looks: Sequence[int] | None) -> list[int]:
    return [0] if looks is None else [1, len(looks), *looks]


def _site_told(meta: Meta, number: int) -> list[int]:
    site = meta.sites[number]
    found = [_PICKS.get(site.kind, 0), int(site.silent), int(site.secret), len(site.branches)]
    for branch, (_, domains, _) in enumerate(site.branches):
        first = 0 if site.values_only else site.firsts[branch]
        found += [first, len(domains)]
        for (thing, _, _), (low, count) in zip(domains, site.digits[branch], strict=True):
            count = _ANY if site.values_only else count
            found += [low, count, int(thing == SPOT), int(element_of(thing) in ("piece", "row"))]
    return found
