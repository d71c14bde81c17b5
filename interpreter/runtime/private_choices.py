"""From a drawn table to a world that can be played: whoever decides is asked by the world itself.

A world is made for one player. What it must not give away is more than where cards lie:

- Inside a `together` block the others may have chosen already. So the world starts from the state before the block:
  everything unseen is drawn there, the player's own choices are repeated, and those of the others are made at random
  among what they are offered in that world.
- Somebody else's pending decision is asked again, so that its options are those of the world. If the world does not
  ask it (a reaction that nobody sees may need a card that is not there), the world goes on to the next decision.
- A set or payment that somebody else has begun from unseen pieces starts again from its first pick.
- Seed, generator, history and log are the world's own: the log is what the player has read, the history starts empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import knowledge
from .chance import Generator
from .faults import Refused, Trouble
from .information import seen_so_far
from .trail import ASKED, START, root_of
from .worlds import draw_world

if TYPE_CHECKING:
    from .running import Running as State

_ATTEMPTS = 8  # how often a world is drawn again that cannot ask what was asked
NOT_ASKED_AGAIN = "no world was found that asks what is being asked; its options are those of the game"
NOT_THE_SAME_CHOICES = "no world was found in which the players choose together as they did; this one goes on otherwise"
WORLD_OF_A_WORLD = "what was told before the world was drawn is not kept in it"


def world_of(state: State, player: int, seed: int) -> State:
    """A state in which everything that the player cannot know is drawn at random."""
    generator = Generator(seed)
    last: State | None = None
    for _ in range(_ATTEMPTS):
        drawn: State = choose_anew(state, player, generator) if state.apart else _drawn(state, player, generator)
        first = root_of(state.ev)
        if first is not None and first[0] == START:
            drawn.approximate = (*drawn.approximate, first[3])
        _cover_tracks(state, drawn, player, seed)
        last = drawn.clone()
        if drawn.over or drawn.who == player or _asks(state, drawn, player):
            return _begun(drawn)
    assert last is not None
    last.approximate = (*last.approximate, NOT_ASKED_AGAIN)
    return _begun(last)


def _begun(drawn: State) -> State:
    """A world whose trail goes on from here."""
    if not drawn.over and (not drawn.ev or drawn.ev[1][0] != ASKED):
        drawn.ev = (drawn.ev, (ASKED, drawn.snapshot(), drawn.picked if drawn.machine.picks[drawn.site] else ()))
    return drawn


def _seen_before(state: State, player: int) -> str:
    """What the player had seen before the pending decision."""
    before = state.clone()
    if before.ev and before.ev[1][0] == ASKED:
        before.ev = before.ev[0]
    return seen_so_far(before, player)


def _drawn(state: State, player: int, generator: Generator) -> State:
    drawn: State = draw_world(state, state.meta, player, generator)
    return drawn


def _cover_tracks(state: State, drawn: State, player: int, seed: int) -> None:
    """Nothing of how the game came here is left but what the player has read."""
    drawn.seed = seed
    drawn.g = state.game.seeded(seed ^ 0x9E3779B97F4A7C15)
    drawn.horizon, drawn.script = 0, []
    assert drawn.kn is not None
    drawn.ev = ((), (START, tuple(drawn.kn), {player: _seen_before(state, player)}, WORLD_OF_A_WORLD))
    drawn.lg = [(("read", player, line), {}) for line in state.log(player)]
    if drawn.apart is None or drawn.apart.kn is None:
        drawn.h = []
        return
    drawn.h = drawn.h[len(drawn.apart.h) :]  # choices made in this world, by which it can be drawn again
    before = drawn.apart = drawn.apart.clone()
    assert before.kn is not None
    before.h, before.lg, before.ev = (
        [],
        drawn.lg[: len(before.lg)],
        ((), (START, tuple(before.kn), {}, WORLD_OF_A_WORLD)),
    )


def _asks(state: State, drawn: State, player: int) -> bool:
    """Lets the world pose its own decision; says whether it can."""
    machine = state.machine
    _begin_again(state, drawn, player)
    frame = drawn.k[-1]
    try:
        if machine.play_code[frame[0]](drawn, frame):
            return drawn.over or bool(drawn.opts)
        machine.run(drawn)
    except (Refused, Trouble, RecursionError):
        return False
    return drawn.over or bool(drawn.opts)


def _begin_again(state: State, drawn: State, player: int) -> None:
    """A set or payment of somebody else is begun anew, if the player has not seen what was picked."""
    site = state.meta.sites[state.site]
    if site.kind not in ("set", "pay") or not state.picked or _saw_picks(state, player):
        return
    own = state.k[-1]
    if drawn.k[-1][0] != own[0]:
        return  # the world has come to another decision
    for slot in range(1, len(own)):
        if own[slot] == state.picked:
            drawn.k[-1][slot] = ()
            drawn.picked = ()
            return


def _saw_picks(state: State, player: int) -> bool:
    site, meta = state.meta.sites[state.site], state.meta
    if site.secret or state.together:
        return False
    if site.kind == "pay":
        seen = 1 << player
        payer = [x for x, at in enumerate(state.at[: meta.pieces]) if at >= 0 and not meta.sees[at] & seen]
        return not any(meta.piece_row[piece] in state.picked for piece in payer)
    ((thing, _, _),) = site.branches[0][1]
    pieces = thing in ("piece", "row")
    return not pieces or all(knowledge.is_known(state, meta, piece, player) for piece in state.picked)


# ---------------------------------------------------------------------------- together


def choose_anew(state: State, player: int, generator: Generator) -> State:
    """A state in the same block at the same seat's turn that agrees with what the player knows."""
    assert state.apart is not None
    own = own_choices(state, player)
    for _ in range(_ATTEMPTS):
        drawn = _played(state, player, generator, list(own))
        if drawn is not None:
            return drawn
    drawn = _played(state, player, generator, list(own), loosely=True)
    assert drawn is not None
    drawn.approximate = (*drawn.approximate, NOT_THE_SAME_CHOICES)
    return drawn


def _played(state: State, player: int, generator: Generator, own: list[int], loosely: bool = False) -> State | None:
    """The block from its beginning; None if the player's own choices cannot be repeated there, or if nobody comes to
    the decision that is pending. `loosely`: then the world goes on without, past the block if need be. It may not be
    what the player knows, but it is drawn: the true state would give everything away."""
    assert state.apart is not None
    drawn = _drawn(state.apart.clone(), player, generator)
    state.game.run(drawn)
    while drawn.together and not drawn.over and not (drawn.who == state.who and not own):
        if drawn.who != player:
            drawn.apply(generator.below(len(drawn.opts)))
        elif own and own[0] in drawn.opts:
            drawn.apply(drawn.opts.index(own.pop(0)))
        elif loosely:
            own.clear()
            drawn.apply(generator.below(len(drawn.opts)))
        else:
            return None
    return drawn if loosely or (drawn.together and not drawn.over) else None


def own_choices(state: State, player: int) -> list[int]:
    """What the player has chosen since the block began."""
    assert state.apart is not None
    again = state.apart.clone()
    state.game.run(again)
    found = []
    for position in range(len(state.apart.h), len(state.h), 2):
        raw = state.h[position + 1]
        if again.who == player:
            found.append(raw)
        again.apply(again.opts.index(raw))
    return found
