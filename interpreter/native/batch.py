"""Many games stepped together on numpy arrays: `game.batch(n, seed)`.

No Python object belongs to a single game. After each step the arrays say, game by game, who decides, how many options
there are and where they stand; `step` takes the index of an option for each game. A game that is over begins anew with
the next seed by itself, and what its players got stands in `rewards` until the next step.
"""

from __future__ import annotations

import ctypes
from math import prod
from operator import index
from typing import TYPE_CHECKING, Any

from ..compile.meta import FREE, Meta
from ..runtime.chance import whole_seed
from ..runtime.decision import encode
from ..runtime.faults import WrongUse
from .engine import FAULT, STOP, Engine
from .option_codes import OptionCodes
from .unavailable import NativeUnavailable

if TYPE_CHECKING:
    from .game import NativeGame

LEAST_ROOM = 64  # options per game
MOST_ROOM = 2**31 - 1  # options of all games together
LARGEST_MASK = 1 << 20  # numbers of a mask


class _Games(ctypes.Structure):
    """`RwBatch` of rw_batch.h."""

    _fields_ = (
        ("n", ctypes.c_int32), ("room", ctypes.c_int32), ("next_seed", ctypes.c_uint64), ("size", ctypes.c_int64),
        *((name, ctypes.c_void_p) for name in (
            "games", "who", "site", "count", "first", "options", "options_before", "first_before", "rewards", "ended",
            "length",
        )),
    )  # fmt: skip


def _numpy() -> Any:
    try:
        import numpy
    except ImportError:
        raise NativeUnavailable("`game.batch` needs numpy (extra `native`)") from None
    return numpy


class Batch:
    """n games of random seeds from `seed` on. Arrays that change with every step:

    who, site, count: of each game the player who decides, the site of the decision, the number of options;
    rewards (n, players), ended, length: of a game that has just ended what each player got, that it ended, and how
    many choices it took; zeros otherwise.
    """

    def __init__(self, game: NativeGame, engine: Engine, n: int, seed: int) -> None:
        n = _whole(n, "how many games a batch has")
        if n < 1:
            raise WrongUse("a batch has at least one game")
        numpy = self._numpy = _numpy()
        self.game, self.engine, self.n, self.players = game, engine, n, game.players
        size = engine.function("rwx_state_size", "i64")()
        # An odd number of cache lines from game to game: an even one would let many games share few sets of the cache.
        self._size = (-(-size // 64) | 1) * 64
        self.who, self.site, self.count = (numpy.zeros(n, numpy.int32) for _ in range(3))
        self.rewards, self.ended = numpy.zeros((n, self.players)), numpy.zeros(n, numpy.bool_)
        self.length, self._at = numpy.zeros(n, numpy.int32), ctypes.c_int32()
        self._firsts = [numpy.zeros(n, numpy.int64) for _ in range(2)]
        self._games = numpy.zeros(n * self._size, numpy.uint8)
        self._native = _Games(n=n, next_seed=whole_seed(seed) & (1 << 64) - 1, size=self._size)
        self._begin = engine.function("rwx_batch_begin", "i32", "address", "address")
        self._step = engine.function("rwx_batch_step", "i32", "address", "address", "address", "address")
        self._random = engine.function("rwx_batch_random", "i64", "address", "address", "i64", "u64")
        self._observe = engine.function("rwx_batch_observe", None, "address", "address")
        self.observation_size: int = engine.function("rwx_observation_size", "i32")()
        self._option_codes = OptionCodes(game.meta, numpy)
        self._make_room(min(MOST_ROOM, n * most_options(game.meta)))
        self._must_stop(self._begin(engine.context.address, self._address))
        self._take_over()

    @property
    def _address(self) -> int:
        return ctypes.addressof(self._native)

    def _make_room(self, room: int) -> None:
        """Room for the most options that all games can have. Few games come near it; what is never written to takes no
        memory, since the system hands out pages when they are touched."""
        numpy = self._numpy
        try:
            self._rooms = [numpy.empty(room, numpy.int32) for _ in range(2)]
        except MemoryError:
            raise NativeUnavailable(f"no room for the options of {self.n:,} games: take a smaller batch") from None
        self._native.room = room
        for name, held in zip(
            ("games", "who", "site", "count", "rewards", "ended", "length"),
            (self._games, self.who, self.site, self.count, self.rewards, self.ended, self.length),
            strict=True,
        ):
            setattr(self._native, name, held.ctypes.data)
        self._native.options, self._native.options_before = (held.ctypes.data for held in self._rooms)
        self._native.first, self._native.first_before = (held.ctypes.data for held in self._firsts)

    def _take_over(self) -> None:
        """After a step the two rooms for options have changed places."""
        if self._native.options != self._rooms[0].ctypes.data:
            self._rooms.reverse()
            self._firsts.reverse()

    def _must_stop(self, signal: int) -> None:
        if signal != STOP:
            number = self._at.value
            raise NativeUnavailable(f"game {number} of the batch ran into a fault, or its choice does not fit")

    # ------------------------------------------------------------------ decisions

    @property
    def first(self) -> Any:
        """Of each game, where its options begin in `options`."""
        return self._firsts[0]

    @property
    def options(self) -> Any:
        """The options of all games, one game after the other, as numbers of their sites."""
        return self._rooms[0][: int(self.first[-1]) + int(self.count[-1])]

    @property
    def actions(self) -> int:
        """How many different codes there are: the length of a mask."""
        return codes_of(self.game.meta)

    @property
    def _games_of_options(self) -> Any:
        """Of each entry of `options` the game that it belongs to."""
        return self._numpy.repeat(self._numpy.arange(self.n), self.count)

    def codes(self) -> Any:
        """The public codes of `options`: the same thing has the same code in every position."""
        return self._option_codes.of(self.site[self._games_of_options], self.options)

    def mask(self) -> Any:
        """An array (n, actions) of flags: which codes may be chosen now."""
        if self.actions > LARGEST_MASK:
            raise WrongUse(f"a mask over {self.actions:,} codes is too large; take `codes()`")
        made = self._numpy.zeros((self.n, self.actions), self._numpy.bool_)
        made[self._games_of_options, self.codes()] = True
        return made

    def indices(self, codes: Any) -> Any:
        """What `step` takes, for a code that each game offers now: the first of its options with that code."""
        wanted, games = self._one_each(codes, "code"), self._games_of_options
        found = self._numpy.full(self.n, -1, self._numpy.int64)
        # Of several assignments to one game the last one stays, so the first option comes last.
        hits = self._numpy.flatnonzero(self.codes() == wanted[games])[::-1]
        found[games[hits]] = hits - self.first[games[hits]]
        if (found < 0).any():
            number = int(self._numpy.argmax(found < 0))
            raise WrongUse(f"game {number} has no option with the code {int(wanted[number])}")
        return found

    def step(self, choices: Any) -> None:
        """Makes a choice in every game: an index below `count`."""
        numpy = self._numpy
        wanted = self._one_each(choices, "choice")
        if ((wanted < 0) | (wanted >= self.count)).any():
            number = int(numpy.argmax((wanted < 0) | (wanted >= self.count)))
            raise WrongUse(f"game {number} has {int(self.count[number])} options, there is no {int(wanted[number])}")
        made = numpy.ascontiguousarray(wanted, numpy.int32)
        context = self.engine.context.address
        self._must_stop(self._step(context, self._address, made.ctypes.data, ctypes.addressof(self._at)))
        self._take_over()

    def _one_each(self, given: Any, what: str) -> Any:
        """A whole number for each game. They are compared before they are narrowed: 2^32 would become 0."""
        try:
            numbers = self._numpy.asarray(given)
        except (TypeError, ValueError, OverflowError):
            numbers = None
        if numbers is None or numbers.shape != (self.n,) or numbers.dtype.kind not in "iu":
            raise WrongUse(f"one {what} for each of {self.n} games, each a whole number")
        return numbers

    def random_steps(self, steps: int, seed: int) -> int:
        """So many steps of random choices, all in compiled code; how many choices were made. Nobody looks at the games
        in between, so one game makes all of its choices, then the next: new games take their seeds in that order."""
        steps = _whole(steps, "how many steps are made")
        wanted = whole_seed(seed) & (1 << 64) - 1
        made: int = self._random(self.engine.context.address, self._address, steps, wanted)
        self._take_over()
        if made < steps * self.n:
            self._at.value = made // steps
            self._must_stop(FAULT)
        return made

    def observations(self) -> Any:
        """An array (n, observation_size) of what whoever decides may see; see docs/native.md for the numbers."""
        made = self._numpy.zeros((self.n, self.observation_size), self._numpy.int32)
        self._observe(self._address, made.ctypes.data)
        return made


def _whole(number: object, what: str) -> int:
    try:
        return index(number)  # type: ignore[arg-type]
    except TypeError:
        raise WrongUse(f"{what} is a whole number, not {type(number).__name__}") from None


def most_options(meta: Meta) -> int:
    """The most options that a decision of the game can have: as its sites number them, passing and free actions too."""
    sites = (sum(prod(count for _, count in branch) for branch in site.digits) for site in meta.sites)
    return min(meta.limits["options"] + 1, max(LEAST_ROOM, max(sites, default=0) + len(meta.free_actions) + 2))


def codes_of(meta: Meta) -> int:
    """The number of codes of a game: all sites, and behind them the free actions."""
    if not meta.sites:
        return 0
    return (
        encode(meta, meta.sites[-1], FREE - len(meta.free_actions) + 1) + 1
        if meta.free_actions
        else int(meta.sites[-1].code_bases[-1] + 1)
    )
