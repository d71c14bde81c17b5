"""Instructions that change the state: locals and fields, pieces, dice; and what players get to know of it."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from .nodes import Block, Ins, Op, Setting

__all__ = [
    "Deal", "Draw", "Flip", "Lay", "Let", "Manner", "Move", "NotIntoItself", "NoteDeal", "NoteMove",
    "NoteSpot", "PassOn", "PickRandom", "Reset", "Reveal", "RevealDice", "RevealField", "Roll", "Say", "Shuffle",
    "ShuffleInto", "Store", "StoreFace", "StoreMode", "Suppose", "SupposeMove", "SwapPieces", "SwapPlaces", "Take",
    "Together", "Wrote",
]  # fmt: skip

StoreMode = Literal["fits", "check", "cap"]
Manner = Literal["front", "back", "behind", "sorted", "bag", "slot", "group", "box"]  # how a piece is put into a place


# ---------------------------------------------------------------------------- locals and the state


class Let(Setting):
    """The local gets the value."""

    value: Op


class Store(Ins):
    """A field gets a value. `mode`: fits (nothing to test), check (a fault if it is out of range), cap (the nearest
    bound)."""

    address: Op
    value: Op
    low: int | None
    high: int | None
    mode: StoreMode
    name: str
    missing: int | None = None  # the refusal if the address is none


class Wrote(Ins):
    """A field that somebody may not see has got a value, or may get one. `unseen`: not everybody may know it. `size`:
    how many numbers from this address on; 0 if it is about a place whose pieces are moved or shown as a secret decides
    (not `unseen`: only in which order they go, so a single piece tells nothing).
    `chosen`: it is what the only choice or pick of the rule gave."""

    address: Op
    unseen: bool
    size: int = 1
    chosen: bool = False


class StoreFace(Ins):
    """A die is turned to a face."""

    die: Op
    value: Op
    low: int
    high: int
    mode: StoreMode
    name: str


class Reset(Ins):
    """A field of a rule goes back to its start, for all owners."""

    base: int
    size: int
    value: int


class Suppose(Setting):
    """The block is run as if that field held the value; the local gets what is there, and puts it back."""

    address: Op
    value: Op
    body: Block = field(default_factory=list)


# ---------------------------------------------------------------------------- pieces


class SupposeMove(Setting):
    """The block is run as if the piece lay in the target (None: the box); the local gets where it lies, and puts it
    back. It comes from a slot, from the box or from a list in table order.
    """

    piece: Op
    target: Op | None
    how: Manner
    body: Block = field(default_factory=list)


class Move(Ins):
    """The piece goes to the target (None: the box); the local `source` gets where it came from. `missing`: the refusal
    if there is no piece; `full`: the refusal if `capacity` pieces are there already.
    """

    source: str
    piece: Op
    target: Op | None
    how: Manner
    behind: Op | None
    capacity: int | None
    missing: int | None
    full: int | None

    sets = "source"


class Lay(Setting):
    """A piece that has just been moved lies face up or down; the local gets whether it lay face down before."""

    piece: Op
    face: str


class NoteMove(Ins):
    """Updates what everybody knows after a move. `by_position`: all can tell which position the piece left;
    `was_down`: it lay face down there.
    """

    piece: Op
    source: Op
    target: Op | None
    by_position: bool
    was_down: Op | None


class NoteSpot(Ins):
    """A piece has gone to a position of that pile or row which only `knower` knows (None: nobody does). For the others
    what lies there has no order any more.
    """

    place: Op
    knower: Op | None
    piece: Op


class Take(Setting):
    """The first `count` of a set; `too_few`: the refusal if there must be exactly that many and there are not."""

    pieces: Op
    count: Op
    too_few: int | None


class Draw(Setting):
    """The pieces that a draw from a bag takes, still in their place."""

    place: Op
    count: Op
    too_few: int | None


class Deal(Setting):
    """Pieces go from the front of a list to another list; the local gets which."""

    source: Op
    target: Op
    how: Manner
    count: Op
    too_few: int | None


class NoteDeal(Ins):
    """Updates what everybody knows after a deal."""

    pieces: Op
    source: Op
    target: Op


class Shuffle(Ins):
    """A list is shuffled. A place without an order stays as it is: only what players know changes."""

    place: Op


class ShuffleInto(Ins):
    """What lies in a list is put into another, which is shuffled."""

    place: Op
    into: Op


class SwapPieces(Ins):
    """Two pieces trade places. `missing`: the refusal if one of them is none; `carried`: pieces carry others in this
    game, so it is a fault if one of the two lies on the other.
    """

    first: Op
    second: Op
    missing: int
    carried: bool


class SwapPlaces(Ins):
    """Two places trade all that lies in them. `rooms`: for how many pieces each has room, if it may be too few; `full`:
    the refusal then.
    """

    first: Op
    second: Op
    size: int
    rooms: tuple[int, int] | None
    full: int | None


class PassOn(Ins):
    """What lies in the places of all seats goes one seat on, to the left or right."""

    base: int
    stride: int
    size: int
    direction: str


class Flip(Ins):
    """A piece is turned face up or down. `missing`: the refusal if there may be no piece."""

    piece: Op
    face: str
    missing: int | None


class NotIntoItself(Ins):
    """A fault if the piece carries the place."""

    piece: Op
    place: Op


# ---------------------------------------------------------------------------- knowledge, chance, words


class Reveal(Ins):
    """Pieces are shown to a player, or to all."""

    pieces: Op
    to: Op | None


class RevealField(Ins):
    """A field is shown to a player, or to all."""

    address: Op
    to: Op | None


class RevealDice(Ins):
    """Dice are shown to a player, or to all. `dice` is a set of dice by number; number 0 lies at offset `first`."""

    dice: Op
    first: int
    to: Op | None


class Roll(Ins):
    """Dice are rolled from `first` on; one die if there is no count."""

    first: Op
    count: int | None
    low: int
    high: int


class PickRandom(Setting):
    """One element at random; `unseen`: they are pieces that may lie unseen. `varies`: which ones there are turns on
    something that not everybody knows, as in `pick m in 1..n at random` where n was picked too."""

    source: Op
    place: Op | None
    unseen: bool
    varies: bool = False


class Together(Ins):
    """A block begins (+1) or ends (-1) that nobody sees into."""

    change: int


class Say(Ins):
    """A line of the log, for a player or for all."""

    text: int
    values: tuple[Op, ...]
    to: Op | None
