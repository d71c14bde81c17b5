"""From a drawn table to a world that can be played: whoever decides is asked by the world itself.

A world is made for one player. What it must not give away is more than where cards lie:

- Inside a `together` block the others may have chosen already. So the world starts from the state before the block:
  everything unseen is drawn there, the player's own choices and rolls are repeated, and those of the others are made at
  random among what they are offered in that world. Where chance gave the player something else to see in the block, a
  world is drawn again until it shows the same.
- Somebody else's pending decision is asked again, so that its options are those of the world. If the world does not
  ask it (a reaction that nobody sees may need a card that is not there), the world goes on to the next decision.
- A set or payment that somebody else has begun from unseen pieces starts again from its first pick.
- Seed, generator, history and log are the world's own: the log is what the player has read, the history starts empty.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import knowledge
from .chance import Quick
from .faults import Fault, Refused, Trouble
from .trail import CHANCE, Chain, Event, events

if TYPE_CHECKING:
    from .running import Running as State

ATTEMPTS = 8  # how often a world is drawn again if it cannot ask what was asked
NOT_ASKED_AGAIN = "no world was found that asks what is being asked; its options are those of the game"
NOT_THE_SAME_CHOICES = "no world was found in which the players choose together as they did; this one goes on otherwise"


def asks(state: State, drawn: State, player: int) -> bool:
    """Lets the world pose its own decision; says whether it can. Without knowledge if the world is kept without."""
    machine = state.machine
    _begin_again(state, drawn, player)
    is_picked = state.meta.sites[drawn.site].kind in ("set", "pay")
    frame = drawn.k[-1]
    code = machine.play_code if drawn.tracked else machine.fast_code
    try:
        # A pick that leaves no choice answers itself, in the world as in the game, and the next one is asked for.
        if not is_picked and code[frame[0]](drawn, frame):
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


@dataclass(frozen=True)
class OwnPart:
    """What a player has done since the block began: the choices, and the rolls as a script. `sees_chance`: the player
    may have seen something else that chance brought."""

    choices: tuple[int, ...]
    rolls: tuple[tuple[str, int, tuple[int, ...]], ...]
    sees_chance: bool


def choose_anew(state: State, player: int, own: OwnPart, before: Callable[[Quick], State], generator: Quick) -> State:
    """A state in the same block at the same seat's turn that agrees with what the player knows. `before` draws the
    state at the beginning of the block."""
    seen = state.view(player) if own.sees_chance else None
    for _ in range(ATTEMPTS):
        begun = _chance_in(before(generator), own, generator)
        try:
            drawn = _played(state, player, begun, generator, list(own.choices))
        except Fault:
            continue  # nobody has made a choice that ends the game in a fault
        if drawn is not None and (seen is None or drawn.view(player) == seen):
            return drawn
    begun = _chance_in(before(generator), own, generator)
    drawn = _played(state, player, begun, generator, list(own.choices), loosely=True)
    assert drawn is not None
    drawn.approximate = (*drawn.approximate, NOT_THE_SAME_CHOICES)
    return drawn


def _chance_in(drawn: State, own: OwnPart, generator: Quick) -> State:
    """Chance in the block is the world's own, but for what the player has rolled."""
    drawn.g = generator.state ^ 0x9E3779B97F4A7C15
    drawn.script = [(what, first, list(faces)) for what, first, faces in own.rolls]
    return drawn


def _played(
    state: State, player: int, drawn: State, generator: Quick, own: list[int], loosely: bool = False
) -> State | None:
    """The block from its beginning; None if the player's own choices cannot be repeated there, or if nobody comes to
    the decision that is pending. `loosely`: the world then goes on without them, past the block if need be. It may
    contradict what the player knows, but at least it is drawn: the true state would give everything away."""
    # Whether somebody else is asked at all may turn on a secret, or there may be one option only. Then a world goes on,
    # with the player's own decision or past the block.
    may_go_on = state.who != player
    state.game.run(drawn)
    while drawn.together and not drawn.over and not (drawn.who == state.who and not own):
        if may_go_on and drawn.who == player and not own:
            return drawn
        if drawn.who != player:
            drawn.apply(generator.below(len(drawn.opts)))
        elif own and own[0] in drawn.opts:
            drawn.apply(drawn.opts.index(own.pop(0)))
        elif loosely:
            own.clear()
            drawn.apply(generator.below(len(drawn.opts)))
        else:
            return None
    return drawn if loosely or (drawn.together and not drawn.over) or (may_go_on and not own) else None


def own_part(state: State, player: int) -> OwnPart:
    """What the player has done since the block began: played again, as it was."""
    assert state.apart is not None
    again = state.apart.clone()
    again.may_defer = False
    state.game.run(again)
    found = []
    for position in range(len(state.apart.h), len(state.h), 2):
        raw = state.h[position + 1]
        if again.who == player:
            found.append(raw)
        again.apply(again.opts.index(raw))
    fallen = [
        event
        for event in _since(state.apart.ev, state.ev if _leads_to(state.apart.ev, state.ev) else again.ev)
        if event[0] == CHANCE
    ]
    dice, unseen = state.meta.dice, state.machine.unseen_by(player)
    rolls = [outcome for _, what, outcome in fallen if what == "roll" and outcome[0] not in unseen]
    script = tuple([("roll", first - dice, tuple(faces)) for first, *faces in rolls])
    return OwnPart(tuple(found), script, any(event[1] != "roll" for event in fallen))


def _since(before: Chain, chain: Chain) -> list[Event]:
    """The events of a chain that were added to an earlier one."""
    return events(chain)[len(events(before)) :]


def _leads_to(before: Chain, chain: Chain) -> bool:
    """Whether a chain goes on from this one; that of a world begins anew."""
    while chain and chain is not before:
        chain = chain[0]
    return chain is before
