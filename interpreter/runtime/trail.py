"""What has happened, kept so that worlds can be drawn from it.

Mixes (`knowledge`) say which pieces a player cannot tell apart *now*. They do not say why, nor what was told on the
way: that a player could not follow suit, that a guess failed, that one of these two cards was laid. For that each
tracked state has a trail, a chain of small events from the beginning on. Nothing is worked out while a game is
played; `worlds` reads the trail of a player when a world is drawn.

A chain is `(chain before, event)`, and `()` at the beginning: copies of a state share it, and adding to it is cheap.
None stands for "nobody keeps a trail here" (trials, playouts, worlds inside the drawing of worlds).

| event | says |
| --- | --- |
| `(MIXED, player, pieces, mixes, choice, kept)` | the player lost track of which of these is at which position |
| `(SEEN, player, piece, source, place)` | the player saw what this piece is, as it came from there to here |
| `(ASKED, snapshot, picked)` | a decision was posed: the state as it was, with its options; what a set has so far |
| `(TOOK, option)` | the last decision posed was answered so |
| `(FELL, snapshot, picked, pick)` | a decision answered itself: there was nothing, or one thing only |
| `(TOLD, snapshot, routine, arguments, value)` | all were told what this routine gives |
| `(ROLLED, offset, value, faces)` | chance wrote a number of the array that somebody may not see |
| `(WROTE, offset, value, values, guessed, who)` | a rule did; what it might have been, or all (guessed); who chose it |
| `(PICKED, value, values, varies)` | chance picked a number of these, which may turn on something unseen |
| `(PICKED, piece, (), beside)` | chance picked a piece: a bit mask of what lay beside it, or -1 if it goes at once |
| `(SHOWN, players, offset, value)` | these players (bit mask) were shown a number of the array |
| `(CHANCE, what, outcome)` | chance fell so; in games that work out numbers from secrets (`steps`), and in `together` |
| `(SETTLED, pieces)` | the rules say, from something unseen, which of these pieces are moved or shown next |
| `(OPENED, snapshot)` | players begin to choose together; in such games |
| `(CLOSED,)` | all of them are through |
| `(DISORDERED, player)` | a piece went into a pile unseen, of whose order the player had known something |
| `(BEGUN, snapshot)` | the game before its setup, in such games |
| `(START, mixes, digests, why)` | what was before is not known: mixes of all players, what players had seen |
| `(LOADED, text)` | a save was read: what was before can be played again, see `recalled` |

The values of `WROTE` are None if all know which it was.

Of a mix the trail has the mixes of the player before it, and the choice that was made last, or None if chance ordered
the pieces. A mix is *closed* (`mixing`) if chance ordered the pieces and they were all of their mixes before: what
was known of them before says nothing about them now. It is *cut* if it joins parts of several mixes: then
the joined mix says less than was seen, and only the trail keeps the rest. Somebody may just have chosen the first of
the pieces from among the others (`was_chosen`). Then equal copies of it were one option and not several, which they are
not where the rules move a piece.
"""

from __future__ import annotations

from typing import Any

from .meta import Meta
from .mixes import mask_of
from .spots import SPOT

MIXED, SEEN, ASKED, TOOK, FELL, TOLD, ROLLED, WROTE, SHOWN, START, PICKED, LOADED, CHANCE, BEGUN, SETTLED = range(15)
OPENED, CLOSED, DISORDERED = 15, 16, 17

NO_PAST = "how the game came here is not in the save"

LOOKED = (-1, -1, ())  # instead of a choice: the pieces of a mix were seen where they lie, and nothing has moved

Event = tuple[Any, ...]
Chain = Any  # (Chain, Event), () or None


def add(S: Any, event: Event) -> None:
    """Something happened on a state that keeps a trail."""
    S.ev = (S.ev, event)


def last_choice(S: Any) -> tuple[Any, ...]:
    """The option that was taken last, and what a set has so far: `was_chosen` reads it."""
    return S.site, S.pick, S.picked


_EVENT = 16  # numbers in whose room an event lies


def kept_before(chain: Chain) -> int:
    """How many numbers a trail has kept, up to now: its decisions, and what happened between them."""
    events = 0
    while chain:
        chain, event = chain
        if event[0] == ASKED:
            return int(event[1].kept) + events
        events += _EVENT
    return events


def forced_so_far(chain: Chain, site: int, picked: tuple[int, ...]) -> list[int] | None:
    """What was picked of a set or payment before the question that ends this chain, or comes next, if all of it was
    forced: then nobody else has noticed anything of it. None if its player was asked for some of it."""
    found: list[int] = []
    if chain and chain[1][0] == ASKED:
        chain = chain[0]
    while picked and chain:
        chain, event = chain
        if event[0] == FELL and event[1].site == site:
            pick, picked = event[3], event[2]
        elif event[0] == TOOK and chain and chain[1][0] == ASKED and len(chain[1][1].opts) == 1:
            pick, (chain, (_, _, picked)) = event[1], chain
        else:
            return None
        found.append(pick)
    return None if picked else found[::-1]


def is_between_decisions(S: Any) -> bool:
    """Whether nobody is asked yet: this is the state that `together` keeps, as it was before anybody chose."""
    return not S.over and (not S.ev or S.ev[1][0] != ASKED)


def is_opening(snapshot: Any) -> bool:
    """Of a snapshot: whether it is that of an `OPENED`."""
    return snapshot.apart is not None and not snapshot.together


def mixing(event: Event) -> list[Any]:
    """Of a `MIXED`: the mask of its pieces, whether it is closed, whether it is cut. Every story asks for that, so it
    is kept with the event."""
    kept: list[Any] = event[5]
    if not kept:
        mask, mixes = mask_of(event[2]), event[3]
        touched = [mix for mix in mixes.several if mix & mask]
        is_whole = not any(mix & ~mask for mix in touched)
        is_cut = not is_whole and (len(touched) > 1 or bool(mask & ~mixes.hidden))
        kept[:] = mask, event[4] is None and is_whole, is_cut
    return kept


def was_chosen(meta: Meta, event: Event) -> bool:
    """Of a `MIXED`: whether the option that was taken last is the first of the pieces, or one of a set with it."""
    if event[4] is None:
        return False
    piece, (number, pick, picked) = event[2][0], event[4]
    if not 0 <= number < len(meta.sites):
        return False
    site = meta.sites[number]
    taken = site.values_of(pick)
    if piece in picked or taken is None:
        return piece in picked
    things = (thing for thing, _, _ in site.branches[taken[0]][1])
    return any(piece == value and thing != SPOT for value, thing in zip(taken[1], things, strict=True))


def leaves_with(event: Event, piece: int, beside: int) -> bool:
    """Of a `MIXED`: whether a piece that chance has picked leaves its place here, so that it is settled which one it
    was. `beside`: what lay there with it, or -1. A card that the player saw go (`pick c in p.hand at random`, `move c
    to deck`, of the own hand) has left before, and that it is shuffled with others is another matter."""
    mask: int = mixing(event)[0]
    is_among = bool(mask & beside & ~(1 << piece))
    return is_among and (event[4] is not None or event[2][0] == piece or not mask & ~beside)


def first_event(S: Any) -> Event | None:
    """The first event of a trail. A game asks for it again and again while its trail grows, so the last answer is kept
    with the rules: it is that of every trail that goes on from there."""
    chain, (known, first) = S.ev, S.machine.first_event
    found: Event | None = None
    while chain:
        if chain is known:
            found = first
            break
        chain, found = chain
    S.machine.first_event = (S.ev, found)
    return found


def recalled(S: Any) -> None:
    """Replaces the mark of a save by the trail that led there, played again from the seed.

    A save does not hold the trail: it is as long as the game, and seed and choices say it all. A game that does not
    come out as it was saved (a world, a scripted one, a position set up by hand) has no past.
    """
    first = first_event(S)
    if first is None or first[0] != LOADED:
        return
    later = events(S.ev)
    chain = S.game.trail_of(later[0][1])
    for event in later[1:]:
        chain = (chain, event)
    S.ev = chain


def events(chain: Chain) -> list[Event]:
    """The events of a chain, oldest first."""
    found: list[Event] = []
    while chain:
        chain, event = chain
        found.append(event)
    found.reverse()
    return found
