"""A search tree kept from one decision of a player to the next.

A turn is often several decisions: an action, then its target, then the cards that pay for it, one by one. They were all
simulated at the first of them. So if the player's next decision has a node in the tree, that node becomes the root,
with its statistics, and its visits count as simulations. At least a quarter of the simulations is made anew.

The node is the one that a simulation would have found: in a game without secrets the node after the choice, if the game
stands as it was foreseen, or the one with what is seen now, if chance fell; in a game with secrets the one with the key
(player, (root, slot), site, options, what is seen now). So only what the player may see decides whether a tree is kept.
Inside a `together` nothing is kept, nor what was searched there (its worlds begin before the root), and a tree that is
more than half full is given up.

Worlds are kept too, for they are dear. Each is taken through the choice, world number w with the chance of
`derived_seed(seed of the search, 2^42 + w)`, and stays if it then asks the player the same thing with the same key:
among the worlds that agreed before, these are the ones that agree now. If fewer than half stay, all are drawn anew.
"""

from __future__ import annotations

from typing import Any

from ..seeds import derived_seed
from . import node
from .imagined import FAULTS, Worlds, advance, chance_of
from .node import Node
from .tree import Search

_KEPT_STREAM = 1 << 42


def go_on(search: Search, state: Any, seed: int) -> bool:
    """Makes the state's decision the root of the search; False if it has no node there, and then nothing is changed."""
    if state.together or search.worlds.own is not None or state.who != search.player or search.is_decided:
        return False
    if search.slots * 2 > node.MOST_SLOTS:
        return False
    slot = search.root.best()
    root = _after(search, state, slot)
    if root is None or root.player != search.player or root.slots != len(search.read(state)[1]):
        return False
    kept = _kept_worlds(search, state, slot) if search.has_secrets else []
    search.worlds = Worlds(state, search.player, seed)
    search.worlds.drawn = kept
    search.seed, search.simulations, search.root = seed, 0, root
    root.before = list(root.was)
    search.begin_at(state)
    return True


def _after(search: Search, state: Any, slot: int) -> Node | None:
    """The node of the state's decision."""
    if search.has_secrets:
        return search.by_key.get(_own_key(search, state, slot))
    root = search.root
    foreseen = search.worlds.drawn[0].fork()
    before = foreseen.g
    try:
        advance(foreseen, foreseen.opts[search.indexes[slot]])
    except FAULTS:
        return None
    if foreseen.g != before or not root.is_open:
        return search.by_key.get(search.key_by_way(state, root, slot))
    is_same = not foreseen.over and stands_as(state, foreseen.f, foreseen.p, foreseen.k)
    return root.next[slot] if is_same else None


def stands_as(state: Any, numbers: list[int], pieces: list[list[int]], frames: list[list[Any]]) -> bool:
    """Whether the game stands so. Frames are compared as a save has them: the slot of a set that has yet to be worked
    out may hold either of two kinds of nothing."""
    if (state.f, state.p) != (numbers, pieces):
        return False
    return [state.frame_data(frame) for frame in state.k] == [state.frame_data(frame) for frame in frames]


def _own_key(search: Search, world: Any, slot: int) -> Any:
    seen = search.look[search.player](world)
    return (search.player, (search.root.number, slot), world.site, search.read(world)[0], seen)


def _kept_worlds(search: Search, state: Any, slot: int) -> list[Any]:
    key = _own_key(search, state, slot)
    kept: list[Any] = []
    drawn = search.worlds.drawn
    for number, world in enumerate(drawn):
        if not search.is_like_root(world):
            continue
        after = world.fork()
        after.g = chance_of(derived_seed(search.seed, _KEPT_STREAM + number))
        try:
            advance(after, after.opts[search.indexes[slot]])
        except FAULTS:
            continue
        if not after.over and after.who == search.player and _own_key(search, after, slot) == key:
            kept.append(after)
    return kept if len(kept) * 2 >= len(drawn) else []
