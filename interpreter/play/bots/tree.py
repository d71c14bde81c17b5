"""Tree search over worlds, and the exact order in which it does everything.

This is information-set Monte Carlo tree search with a tree for each player (Cowling, Powley and Whitehouse 2012,
"multiple observer"), for any number of players: each maximises its own worth (max^n). A decision of a player is one
*node*, shared by all worlds in which that player has seen the same. So nobody in the tree, oneself or others, chooses
by what it could not know.

The page below says what is done to the last tie, so that another engine makes the same choices from the same seeds.
All seeds are `derived_seed` of `play/seeds.py`; all numbers with a point are IEEE doubles, added in the order given;
nothing but + - * / and sqrt is used, which are exact to the last bit on every machine. (A logarithm would not be.)

**Seeds.** The search has a seed s. World number w is drawn with `derived_seed(s, 2^40 + w)`, as number w of a series
(`runtime.worlds`). A simulation has a *turn* j and the seed t = `derived_seed(s, j)`: its chance is the generator
`seeded(t ^ 0x9E3779B97F4A7C15)`, set in the fork of the world before anything else, and its random game has the seed t
(`playing_out`). Node number m (the first root is 0) has its options in the order that begins with number
`derived_seed(s, 2^41 + m) mod k` and goes round, k being the number of its options. The look at the root (below) has
the chance of turn i in the simulation i in which it happens. Games that try whether having more speaks for winning
(`stock`) are number 2^42 + i, and come before the first simulation.

**Turns.** The turn of simulation i, from 0 on, is i, unless the root is one position (nothing is hidden, and no
`together` runs) and chance fell in the tree in an earlier simulation. Then it is the number of simulations that its
slot of the root has had since that node is the root. So the options are compared over the same dice: where chance
decides more than a choice does, what differs between two options is the choice.

**Worlds.** See `imagined`: simulation i uses world i mod (worlds so far), and a world is added before simulation i if
the square of the number of worlds is at most i. One world if nothing is hidden in this game and no `together` runs.

**A simulation** starts at the root, with a fork of its world. Inside a `together` it starts at the first question of
the block (`imagined`): the player's own choices there are taken as they were, those of others by their nodes, with a
slot selected as in 2 without a look, and these are on the way. The first that has no node yet gets one; from there to
the root the others choose at random (generator seeded(t ^ 0x2545F4914F6CDD1D), as in `playing_out`), and behind the
slot of the root the rest is played out. A world that does not come to the root so teaches nothing. (The look at the
root is made in the world as it was drawn.)

1. At a decision of player p, look for its node: the root, or by its key. If there is none, make it, and go to 4; or to
   5 if a look at the new node makes its result certain (`one_step`): then it is on the way, with the slot that is
   selected.
2. Look one step ahead of the node, if that was not done and it is time for it (`one_step`). This proves slots, orders
   those that were not tried yet, and may make the node narrow.
   Select a slot. If one is proved to win, the first that was. Else the next one in the order that is neither tried nor
   proved, if there is one and the node is not too narrow for it. Else, of those that were tried or proved, the
   slot with the largest q + c * sqrt(log(n)) * r, the lowest of several: q = sum / visits of the slot, r = 1 /
   sqrt(visits of the slot), n = visits of the node, c = 1.0, log(n) = e + (n - 2^e) / 2^e with e the largest such that
   2^e <= n (the logarithm to base 2 with straight lines between powers of two).
   A policy with priors has another rule in place of both (PUCT): the largest m + 1.5 * sqrt(n + 1) * prior / (1 +
   visits of the slot), the lowest of several, with m = q, or the mean worth of the node for a slot that was not tried
   (0 if the node was not); for a proved slot q alone. The priors are those of `option_weights`, worked out in the world
   in which the node is made.
3. Take the option of that slot and go on to the next decision. If the game is over, go to 5, else to 1.
4. Play out (`playing_out`).
5. Add the worth to each (node, slot) on the way, from the first to the last, that of the node's own player: visits +=
   1, sum += worth, and the node's visits += 1.

**Keys.** If nothing is hidden, there is one decision after (node, slot), and that pair is its key. If chance has
fallen between them (the generator is another), the player, the site, the options and what is seen now are added
(`observed`): what fell may be known to the rules that run, and show in nothing but who decides and what is offered (a
roll that passes the turn, and the next player's, may leave the table as one roll does). In a game with
secrets, and inside a `together` of any game, the key is: the player, the last node of the *same player* on the way
with its slot (or none), the site, the options, and what that player sees now. Inside a `together` that is what was
seen at the first decision of the block, since nothing of another's choice shows before the end of it. Options are
told apart by their numbers; at sites that offer equal copies by their codes, each code once, with the first option
that has it.

**Proofs.** With several players, no secrets, and outside `together`: if no chance fell between a slot and the end of
the game, the slot is *proved*: its q is the result by rank and its r is 0, for ever. A node is proved if one of its
slots gives its player 1, or all slots are proved (then the best counts, the lowest of several); so is then the slot
before it, if no chance fell between. A proved slot that is selected ends the simulation with that result, after the
nodes above it were proved as far as that goes. A search whose root is proved stops. Players who win or lose together
and count points are never content with a win, so nothing is proved for them, as it is not for one player alone. (How
near a win is, where the rules count nothing, is no score: once it is won, nobody wants more.)

**The choice** is the root's slot with the most visits, among those not proved to be -1 (unless all are); of several the
one with the larger q, then the lowest. A slot proved to be 1 is taken at once, the lowest of several.

**A tree is full** when its nodes have 2^21 slots together. A node that would go beyond that is not made: the simulation
plays out from there, and all the others go on.

**A tree is kept** from one decision of a player to the next: see `kept_tree`.

`compiled_tree` has the same search on the native engine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...runtime.chance import INCREMENT, MASK, MULTIPLIER, seeded
from ...runtime.decision import encode
from ...runtime.faults import Ended
from ..seeds import derived_seed
from . import node as limits
from .compiled_sight import offers_copies
from .imagined import FAULTS, Worlds, advance, chance_of
from .node import Node
from .observed import observer
from .one_step import Looks
from .playing_out import PlayingOut
from .standing import result_of

Way = list[tuple[Node, int]]
Block = list[Any]  # what everybody saw when the running `together` began
Reader = Callable[[Any], tuple[tuple[int, ...], list[int]]]


class AtRoot:
    """What a search knows of the decision that it is at, wherever its tree lies. `indexes`: the option of each slot, as
    an index of those offered."""

    def __init__(self, state: Any, seed: int) -> None:
        self.seed = seed
        self.player: int = state.who
        self.has_secrets = bool(state.meta.has_secrets)
        self.read = option_reader(state.meta)
        self.worlds: Any = self.worlds_of(state, seed)
        self.begin_at(state)

    def worlds_of(self, state: Any, seed: int) -> Worlds:
        """The worlds of the player at this decision."""
        return Worlds(state, self.player, seed)

    def begin_at(self, state: Any) -> None:
        """Remembers what the root offers. In a world it is the same, in the same order."""
        _, options = self.read(state)
        self.site, self.offered = state.site, len(state.opts)
        self.indexes = [state.opts.index(option) for option in options]

    def is_like_root(self, world: Any) -> bool:
        """A world that may not agree with the game (`State.approximate`) may ask something else: it teaches nothing."""
        asks_the_player = not world.over and world.who == self.player
        return bool(asks_the_player and world.site == self.site and len(world.opts) == self.offered)


class Search(AtRoot):
    """A tree with its worlds, at one decision of one player."""

    def __init__(self, state: Any, seed: int, playing_out: PlayingOut) -> None:
        super().__init__(state, seed)
        self.playing_out = playing_out
        self.looks = Looks(must_pay=playing_out.is_counted)
        self.look = [observer(state, player) for player in range(state.meta.players)]
        self.nodes = self.slots = 0
        self.by_key: dict[Any, Node] = {}
        self.simulations = 0
        self.is_decided = False
        self._made: Node | None = None  # the node that was made last
        self.has_chance = False  # it fell in the tree
        self.proves = state.meta.players > 1 and not (state.meta.is_team and playing_out.counts_points)
        options = [state.opts[index] for index in self.indexes]
        root = self._node(state, options, not self.has_secrets and not state.together)
        assert root is not None
        self.root: Node = root

    def _node(self, world: Any, options: list[int], is_open: bool) -> Node | None:
        """A new node for the pending decision of a world; None if the tree is full."""
        slots = len(options)
        if self.nodes and self.slots + slots > limits.MOST_SLOTS:
            return None
        priors = self.playing_out.priors(world, options)
        node = Node(self.nodes, world.who, slots, self.seed, is_open, priors)
        self.nodes += 1
        self.slots += slots
        self._made = node
        return node

    def chosen(self) -> int:
        """The index of the option to choose."""
        index: int = self.indexes[self.root.best()]
        return index

    @property
    def visits(self) -> int:
        """Simulations through the root, those of an earlier root included."""
        return self.root.visits

    def found(self) -> list[tuple[int, float]]:
        """Of each slot of the root its visits and its mean."""
        return list(zip(self.root.was, self.root.q, strict=True))

    # ------------------------------------------------------------------ simulations

    def simulate(self, count: int = 1) -> None:
        """So many more simulations, fewer if the root is proved before."""
        for _ in range(count):
            if self.is_decided:
                return
            self._simulate()

    def _simulate(self) -> None:
        number = self.simulations
        self.simulations += 1
        world = self.worlds.number(number).fork()
        if not self.is_like_root(world):
            return
        options = [world.opts[index] for index in self.indexes]
        self.playing_out.try_stock(world, self.seed)
        self.looks.looks_at_results = self.playing_out.stock is not None and not self.playing_out.weighs_margins
        world.g = chance_of(derived_seed(self.seed, number))
        self._look(self.root, world, options)
        root, slot = self.root, self.root.select()
        turn = root.was[slot] - root.before[slot] if self.has_chance and root.is_open else number
        seed = derived_seed(self.seed, turn)
        world.g = chance_of(seed)
        way: Way = []
        block: Block | None = None
        is_out: bool | None = False  # the tree has ended before the root
        if self.worlds.own is not None:
            begun = self.worlds.begun[number % len(self.worlds.drawn)]
            if begun is not None:
                world = begun.fork()
                world.g = chance_of(seed)
                block = [look(world) for look in self.look]
                is_out = self._comes_to_root(world, options, way, block, seed)
                if is_out is None:
                    return
        try:
            worth = self._descend(world, slot, options, way, block, bool(is_out))
        except FAULTS:
            worth = [0.0] * world.meta.players
        if worth is None:
            self.playing_out.made = len(way)
            worth = self.playing_out.worth(world, seed)
        for node, slot in way:
            node.add(slot, worth[node.player])

    def _comes_to_root(self, world: Any, options: list[int], way: Way, block: Block, seed: int) -> bool | None:
        """Goes from the beginning of a block to the root: the player's own choices as they were, those of others by
        their nodes, at random from the first on that has none. Gives whether it came to that; None if this world does
        not come to the root."""
        own, last = list(self.worlds.own), _last_steps(way)
        choice, is_out = seeded(seed ^ 0x2545F4914F6CDD1D), False
        while world.together and not world.over and not (world.who == self.player and not own):
            if world.who == self.player:
                option = own.pop(0)
                if option not in world.opts:
                    return None
            else:
                found, offered = (None, []) if is_out else self._by_sight(world, last, block)
                if found is None:
                    is_out = True
                    choice = (choice * MULTIPLIER + INCREMENT) & MASK
                    option = world.opts[(choice >> 32) * len(world.opts) >> 32]
                else:
                    slot = found.select()
                    way.append((found, slot))
                    last[found.player] = (found.number, slot)
                    option = offered[slot]
            try:
                advance(world, option)
            except FAULTS:
                return None
        left = iter(world.opts)
        is_there = world.together and not world.over and all(option in left for option in options)
        return is_out if is_there else None

    def _descend(
        self, world: Any, slot: int, options: list[int], way: Way, block: Block | None, is_out: bool
    ) -> list[float] | None:
        """Goes down the tree from a slot of the root; None if the rest is to be played out, else what it came to."""
        node: Node | None = self.root
        last = _last_steps(way)
        take, run = world.machine.take, world.machine.run
        while node is not None:
            if node is not self.root:  # nothing comes back to that
                self._look(node, world, options)
                slot = node.select()
            way.append((node, slot))
            if node.proved is not None and slot in node.proved:
                return self._certain(node.proved[slot], way)
            last[node.player] = (node.number, slot)
            before = world.g
            take(world, options[slot])
            try:
                run(world)
            except Ended:
                pass
            is_certain, self._made = world.g == before, None
            self.has_chance = self.has_chance or not is_certain
            if world.over:
                return self._ended(world, way, is_certain)
            if is_out:
                return None
            if world.together:
                block = block or [look(world) for look in self.look]
            else:
                block = None
            if self.has_secrets or block is not None:
                node, options = self._by_sight(world, last, block)
            else:
                options = world.opts
                node = self._by_way(world, node, slot, is_certain)
        return self._at_new(world, options, way)

    def _by_way(self, world: Any, node: Node, slot: int, is_certain: bool) -> Node | None:
        """Nothing is hidden: the way leads to one decision, unless chance fell or players chose at once."""
        if is_certain and node.is_open:
            below = node.next[slot]
            if below is None:
                node.next[slot] = self._node(world, world.opts, True)
            return below
        return self._by_key(self.key_by_way(world, node, slot), world, world.opts, True)

    def key_by_way(self, world: Any, node: Node, slot: int) -> tuple[Any, ...]:
        return (node.number, slot, world.who, world.site, tuple(world.opts), self.look[world.who](world))

    def _by_key(self, key: tuple[Any, ...], world: Any, options: list[int], is_open: bool) -> Node | None:
        below = self.by_key.get(key)
        if below is None:
            made = self._node(world, options, is_open)
            if made is not None:
                self.by_key[key] = made
        return below

    def _by_sight(
        self, world: Any, last: dict[int, tuple[int, int]], block: Block | None
    ) -> tuple[Node | None, list[int]]:
        """The decision of a player as that player knows it."""
        player = world.who
        names, options = self.read(world)
        seen = self.look[player](world) if block is None else block[player]
        key = (player, last.get(player), world.site, names, seen)
        return self._by_key(key, world, options, False), options

    def _at_new(self, world: Any, options: list[int], way: Way) -> list[float] | None:
        """The tree ends here, at a node that was just made unless the tree is full. None if it is to be played out."""
        node = self._made
        if node is None or not self.looks.is_time_when_made(node, self.proves, len(way)):
            return None
        self.looks.look(node, world, options, self.proves, is_root=False)
        if not node.is_certain:
            return None
        slot = node.select()
        assert node.proved is not None
        way.append((node, slot))
        return self._certain(node.proved[slot], way)

    def _look(self, node: Node, world: Any, options: list[int]) -> None:
        """Looks one step ahead, if it is time for that."""
        is_root = node is self.root
        if self.looks.is_time(node, is_root):
            self.looks.look(node, world, options, self.proves, is_root)

    # ------------------------------------------------------------------ proofs

    def _certain(self, result: list[float], way: Way) -> list[float]:
        """The last slot was proved before, perhaps by a look just now: then the nodes above may be certain too."""
        if way[-1][0].is_open:
            self._prove(way, result)
        return result

    def _ended(self, world: Any, way: Way, is_certain: bool) -> list[float]:
        if is_certain and way[-1][0].is_open and self.proves:
            self._prove(way, result_of(world))
        self.playing_out.made = len(way)
        return self.playing_out.final_worth(world)

    def _prove(self, way: Way, result: list[float]) -> None:
        """The last slot is certain; goes up as long as that makes nodes certain and no chance lies above them."""
        known: list[float] | None = result
        for step in range(len(way) - 1, -1, -1):
            assert known is not None
            node, slot = way[step]
            known = node.prove(slot, known)
            above, choice = way[step - 1] if step else (None, 0)
            if known is None or (above is not None and above.next[choice] is not node):
                return
        self.is_decided = True


def _last_steps(way: Way) -> dict[int, tuple[int, int]]:
    """Of each player the last node on the way, and its slot."""
    return {node.player: (node.number, slot) for node, slot in way}


def option_reader(meta: Any) -> Reader:
    """A function that gives what tells the options of a world apart, and for each of those an option."""
    copies = [offers_copies(site) for site in meta.sites]
    kept: dict[tuple[int, int], int] = {}

    def read(world: Any) -> tuple[tuple[int, ...], list[int]]:
        site, options = world.site, world.opts
        if not copies[site]:
            return tuple(options), options
        found: dict[int, int] = {}
        for option in options:
            code = kept.get((site, option))
            if code is None:
                code = kept[site, option] = encode(meta, meta.sites[site], option)
            found.setdefault(code, option)
        return tuple(found), list(found.values())

    return read
