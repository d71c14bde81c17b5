"""One step ahead of a node: which of its options end the game, and how its player stands after the others.

A simulation tells little about one option among thirty, and a search of a hundred of them visits each option three
times. But what an option does *at once* costs one step to find out. So before a node selects, it is *looked at*, once:
each option is taken up on a copy of the world that the simulation is in, all with the same chance to come. This gives

- **proofs.** An option that ends the game is certain, if nothing is hidden and no chance fell. So a win in one is never
  missed, and neither is the option that would let the other side win at once: the node behind it is proved as soon as
  it is looked at. The look ends with the first win, but at the root, where the lowest of several is chosen;
- **an order.** Options are tried by how the player stands after them: by the result if the game is over there, then by
  the margin (`standing`), best first. Equals keep the order that they had;
- **width.** With many options and few simulations, trying each of them once would leave nothing for a second look at
  the good ones. So where the look has told options apart that it did not prove, a new one is tried only while few were
  tried for the visits of the node: as long as tried <= `FREE` or tried^2 <= `WIDTH` * visits.

A look costs as many steps as there are options, and a simulation some dozens to hundreds of them. So

- where a look may prove something, a node is looked at when it is made if it has at most `FEW` options, or at most
  `MOST_AT_ONCE` and is at most `NEAR` choices away from the root. If that makes its result certain, the simulation ends
  with it, and nothing is played out. Most nodes lie deeper and are met once. In games of short steps, such as connect
  four, a look at each of them would cost more than all the games that are played out;
- where nothing is counted, a node near the root is also looked at when it has more options than that, up to
  `MOST_NEAR`, while looks at so many options pay: `WIDE_PAYS` * (those that proved something + 1) >= all of them. A
  king who leaves the board at once is one option of eighty, and whoever lets him go has lost;
- any other node is looked at before the first selection with `MOST_AT_ONCE` * (visits + 1) >= options; options that
  were tried by then keep their places. The root never waits, since all simulations go through it;
- where the rules count points, what looks have told so far in this search decides whether another one is worth it. A
  look at a new node has told something if it proved an option, one before a selection also if it told options apart.
  A new node is looked at only while `PAYS` * (looks that proved + 1) >= looks, any other one but the root when `PAYS`
  * (its visits + 1) * (looks that told + 1) >= looks. So new nodes are looked at near the end of such a game and
  hardly ever before, which saves a tenth of the time or more and loses nothing. Where nothing is counted, a line
  that is lost at once is all that a look can find, and one that is missed is a game lost: there every look is made
  (tic-tac-toe is lost by ten seeds of twelve in place of four, `mcts:300`, if looks have to pay; and a team that
  random games never bring to a win does not find it, though the rules tell how near it is).

An option that runs into a fault of the rules comes last. A policy with priors needs no look. `rw_one_step.h` is the
same on the native engine.
"""

from __future__ import annotations

from typing import Any

from .imagined import FAULTS, advance
from .node import Node
from .standing import Stands, result_of, stands_after

MOST_AT_ONCE = 32
MOST_NEAR = 256  # options of a node near the root that is looked at where nothing is counted
WIDE_PAYS = 32  # one look in so many at more than MOST_AT_ONCE options must prove something
NEAR = 2  # choices from the root to nodes that are looked at as soon as they are made
FEW = 6  # options of nodes further away that are looked at as soon as they are made
PAYS = 8  # one look in so many must tell something
_FAULTY: Stands = (-2.0, 0)  # below every result


class Looks:
    """The looks of one search, and how many of them have told something. `must_pay`: that decides about others."""

    def __init__(self, must_pay: bool) -> None:
        self._must_pay = must_pay
        self._made = self._told = self._proved = 0
        self._wide = self._wide_proved = 0  # of them, those at more than MOST_AT_ONCE options
        self.looks_at_results = False  # and at nothing else: margins say nothing in this search

    def _pays(self, told: int) -> bool:
        """Whether another look is worth it, `told` being the looks that told something and one more, for each visit."""
        return not self._must_pay or PAYS * told >= self._made

    def is_time(self, node: Node, is_root: bool) -> bool:
        """Whether the node is to be looked at before its next selection."""
        if node.is_looked_at or node.priors is not None:
            return False
        if is_root:
            return True
        visits = node.visits + 1
        return MOST_AT_ONCE * visits >= node.slots and self._pays(visits * (self._told + 1))

    def is_time_when_made(self, node: Node, proves: bool, depth: int) -> bool:
        """Whether the node is to be looked at as soon as it is made; it is so many choices away from the root."""
        if not proves or not self._pays(self._proved + 1) or not node.is_open or node.priors is not None:
            return False
        if depth > NEAR:
            return node.slots <= FEW
        if node.slots <= MOST_AT_ONCE:
            return True
        return not self._must_pay and node.slots <= MOST_NEAR and WIDE_PAYS * (self._wide_proved + 1) >= self._wide

    def look(self, node: Node, world: Any, options: list[int], proves: bool, is_root: bool) -> None:
        """Looks at the options of a node that were not tried yet, in a world that stands at its decision."""
        before = len(node.proved or ())
        _look(node, world, options, proves, is_root, self.looks_at_results)
        has_proved = len(node.proved or ()) > before
        self._made += 1
        self._proved += has_proved
        if node.slots > MOST_AT_ONCE:
            self._wide += 1
            self._wide_proved += has_proved
        self._told += has_proved or node.is_narrow


def _look(node: Node, world: Any, options: list[int], proves: bool, is_root: bool, at_results: bool) -> None:
    node.is_looked_at = True
    stands: dict[int, Stands] = {}
    for slot in node.order[node.tried :]:
        copy = world.fork()
        try:
            advance(copy, options[slot])
            stands[slot] = stands_after(copy, node.player, at_results)
        except FAULTS:
            stands[slot] = _FAULTY
            continue
        if copy.over and copy.g == world.g and node.is_open and proves:
            node.prove(slot, result_of(copy))
            if node.won is not None and not is_root:
                return  # nothing else will be selected here
    node.order[node.tried :] = sorted(node.order[node.tried :], key=stands.__getitem__, reverse=True)
    open_ones = [stands[slot] for slot in node.order[node.tried :] if slot not in (node.proved or {})]
    node.is_narrow = len(open_ones) > 1 and open_ones[0] > open_ones[-1]
