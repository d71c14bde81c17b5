"""Worlds for one player: prepared once, drawn any number of times.

`state.worlds(player)` gives the `Worlds` of a player at a state, and `worlds.draw(seed)` a state in which everything
that the player cannot know is drawn at random. What is the same for all of them (the facts, the mixes, what may be
exchanged, what the log says) is worked out when they are made, and kept with the state while it stands where it is; a
draw then costs about as much as a few copies of the state. A search draws a *series*, which shares a walk too.

A world has the knowledge of its players, a log and a trail, like any game. A search that draws a thousand of them looks
at none of that. So a world is *behind* with it (`deferred`): a `Drawn` point says how it was drawn, and the world with
all that is made when somebody looks.

A player may be in the middle of a `together` block, or look on while somebody else decides: see `private_choices`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from .chance import Quick, seeded
from .dealing import Deal, Dealer
from .deferred import Point, leave_for_later
from .information import seen_so_far
from .private_choices import ATTEMPTS, NOT_ASKED_AGAIN, OwnPart, asks, choose_anew, own_part
from .trail import ASKED, START, first_event

State = Any  # `state.State`, which stands above this module: see `running`

WORLD_OF_A_WORLD = "what was told before the world was drawn is not kept in it"


class Worlds:
    """What one player may think possible at one state. `table` is that state with knowledge; nobody changes it."""

    def __init__(self, table: State, player: int, may_defer: bool) -> None:
        self.table, self.player, self.may_defer = table, player, may_defer
        first = first_event(table)
        self.approximate: tuple[str, ...] = (first[3],) if first is not None and first[0] == START else ()
        before = table if table.apart is None else table.apart
        self.dealer = Dealer(before, table.meta, player)

    def draw(self, seed: int, nearby: bool = False) -> State:
        """A full state drawn at random that agrees with all that the player knows. The same seed, the same state.
        One that is `nearby` is as possible, and found with less work; but not every world comes up as often."""
        generator = Quick(seed)
        if self.table.apart is not None:
            return self._drawn_together(seed, generator, nearby)
        point = Drawn(self, seed, self.dealer.deal(generator, nearby=nearby), is_asked=True)
        for _ in range(ATTEMPTS):
            world = self._laid_out(point)
            if world.over or world.who == self.player or asks(self.table, world, self.player):
                return self._told_later(world, point)
            point = Drawn(self, seed, self.dealer.deal(generator, nearby=nearby), is_asked=True)
        point.is_asked = False
        world = self._laid_out(point)
        world.approximate = (*world.approximate, NOT_ASKED_AGAIN)
        return self._told_later(world, point)

    def series(self) -> Callable[[int], State]:
        """A function like `draw` for many worlds in a row: each begins where the one before ended, which saves most of
        the work where facts were told. Which world a seed gives depends on those drawn before it in the series."""
        if self.table.apart is not None or self.table.over or self.table.who != self.player:
            return self.draw  # others have yet to choose, in every world anew
        walk = self.dealer.walk(Quick(0))

        def draw(seed: int) -> State:
            point = Drawn(self, seed, self.dealer.deal(Quick(seed), walk), is_asked=True)
            return self._told_later(self._laid_out(point), point)

        return draw

    def _laid_out(self, point: Drawn) -> State:
        """The table as the world has it, without knowledge."""
        table, deal = self.table, point.deal
        world = table.fork()
        deal.lay_out(table, world)
        world.seed, world.g = point.seed, generator_of(point.seed)
        world.approximate = (*table.approximate, *deal.approximate, *self.approximate)
        return world

    def _told_later(self, world: State, point: Drawn) -> State:
        if not self.may_defer:
            known = point.worked_out()
            known.approximate = world.approximate
            return known
        world.may_defer, world.since = True, point
        leave_for_later(world, True)
        return world

    # ------------------------------------------------------------------ with all that its players know

    def worked_out(self, point: Drawn) -> State:
        """The world of a point with knowledge, log and trail."""
        table = self.table
        world = table.clone()
        point.deal.lay_out(table, world)
        assert world.kn is not None and table.kn is not None
        world.kn[self.player] = table.kn[self.player]
        self._cover_tracks(world, point.seed)
        if point.is_asked and not world.over and world.who != self.player:
            asks(table, world, self.player)
        return _begun(world)

    def _cover_tracks(self, world: State, seed: int) -> None:
        """Nothing of how the game came here is left but what the player has read."""
        world.seed, world.g = seed, generator_of(seed)
        world.horizon, world.script = 0, []
        assert world.kn is not None
        world.ev = ((), (START, tuple(world.kn), _Before(self), WORLD_OF_A_WORLD))
        world.lg = self._read[:]
        if world.apart is None or world.apart.kn is None:
            world.h = []
            return
        world.h = world.h[len(world.apart.h) :]  # choices made in this world, by which it can be drawn again
        before = world.apart = world.apart.clone()
        assert before.kn is not None
        before.h, before.lg = [], world.lg[: len(before.lg)]
        before.ev = ((), (START, tuple(before.kn), {}, WORLD_OF_A_WORLD))

    @cached_property
    def _read(self) -> list[Any]:
        """The log as the player has read it."""
        return [(("read", self.player, line), {}) for line in self.table.log(self.player)]

    @cached_property
    def seen_before(self) -> str:
        """What the player had seen before the pending decision."""
        before = self.table.clone()
        if before.ev and before.ev[1][0] == ASKED:
            before.ev = before.ev[0]
        return seen_so_far(before, self.player)

    # ------------------------------------------------------------------ together

    def _drawn_together(self, seed: int, generator: Quick, nearby: bool) -> State:
        """In a `together` block everything is drawn as it was before the block, and the block is played again."""
        table, last = self.table, None

        def before(generator: Quick) -> State:
            return self._before(generator, nearby)

        for _ in range(ATTEMPTS):
            world = choose_anew(table, self.player, self._own_part, before, generator)
            world.approximate = (*world.approximate, *self.approximate)
            self._cover_tracks(world, seed)
            last = world.clone()
            if world.over or world.who == self.player or asks(table, world, self.player):
                break
        else:
            assert last is not None
            world = last
            world.approximate = (*world.approximate, NOT_ASKED_AGAIN)
        _begun(world)
        world.may_defer = self.may_defer
        return world

    def _before(self, generator: Quick, nearby: bool) -> State:
        """A world of the state before the block, with knowledge."""
        before = self._apart
        deal = self.dealer.deal(generator, nearby=nearby)
        world = before.clone()
        world.may_defer = False
        deal.lay_out(before, world)
        assert world.kn is not None
        world.kn[self.player] = before.kn[self.player]
        world.approximate = (*world.approximate, *deal.approximate)
        return world

    @cached_property
    def _apart(self) -> State:
        """The state before the block. Nobody is asked there: the options in it are those of an earlier decision, beside
        the site of one that fell through."""
        before = self.table.apart.clone()
        before.opts = []
        return before

    @cached_property
    def _own_part(self) -> OwnPart:
        return own_part(self.table, self.player)


class _Before:
    """What a world's player had seen when it was drawn, worked out when somebody asks: it takes the view of every
    decision so far."""

    __slots__ = ("worlds",)

    def __init__(self, worlds: Worlds) -> None:
        self.worlds = worlds

    def get(self, player: int, otherwise: str) -> str:
        return self.worlds.seen_before if player == self.worlds.player else otherwise


class Drawn(Point):
    """The beginning of a world: how it was drawn. `is_asked`: somebody else's pending decision is the world's own."""

    __slots__ = ("deal", "is_asked", "seed", "worlds")

    def __init__(self, worlds: Worlds, seed: int, deal: Deal, is_asked: bool) -> None:
        super().__init__(None, [], 0, None)
        self.worlds, self.seed, self.deal, self.is_asked = worlds, seed, deal, is_asked

    def worked_out(self) -> State:
        if self.state is None:
            self.state = self.worlds.worked_out(self)
        return self.state


def generator_of(seed: int) -> int:
    """A world's own chance: what falls in it has nothing to do with what falls in the game."""
    return seeded(seed ^ 0x9E3779B97F4A7C15)


def _begun(world: State) -> State:
    """A world whose trail goes on from here."""
    if not world.over and (not world.ev or world.ev[1][0] != ASKED):
        world.ev = (world.ev, (ASKED, world.snapshot(), world.picked if world.machine.picks[world.site] else ()))
    return world
