"""The instructions of the IR: everything that changes the state, decides where to go on, or asks somebody.

Each class says what it does; its fields are its operands and blocks. `sets` names the field with the local it sets.
"""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, Literal

from .nodes import Block, Ins, Op, Part
from .ops_calls import Given
from .ops_sets import ToldBy

__all__ = [
    "WAYS", "Answer", "Ask", "BeginOptions", "BeginUnsure", "Borrow", "Break", "Call", "CallFrame", "Deal", "Draw",
    "DropsOut", "EndGame", "Filter", "Flip", "For", "ForgetOptions", "FreeActions", "Goto", "Hit", "If", "IfAnswer",
    "Lay", "Let", "LimitDepth", "Loop", "Manner", "Move", "NotIntoItself", "NoteDeal", "NoteMove", "NoteUnasked",
    "OfferAll", "Once", "Only", "Option", "OptionTest", "PassEnds", "PassOn", "PassOption", "PayOptions", "Perform",
    "PickRandom", "Require", "Reset", "Return", "Reveal", "RevealDice", "RevealField", "Roll", "Say", "SetOptions",
    "Settle",
    "Shuffle", "ShuffleInto", "Spend", "Store", "StoreFace", "StoreMode", "Succeed", "SwapPieces", "SwapPlaces", "Take",
    "Together", "TryUnsure", "Unasked", "UnsureOption", "Way", "While", "Wins", "Wrote",
]  # fmt: skip

Way = Literal["play", "playout", "trial"]
StoreMode = Literal["fits", "check", "cap", "refuse"]
Manner = Literal["front", "back", "behind", "sorted", "bag", "slot", "group", "box"]  # how a piece is put into a place
Unasked = Literal["pass", "skip", "only"]

WAYS: tuple[Way, ...] = (
    "play",
    "playout",
    "trial",
)  # play keeps knowledge and log; playouts and trials (looking ahead) keep neither


# ---------------------------------------------------------------------------- locals and the state


class Let(Ins):
    """The local gets the value."""

    local: str
    value: Op

    sets: ClassVar[str] = "local"


class Store(Ins):
    """A field gets a value. `mode`: fits (nothing to test), check (a fault if it is out of range), cap (the nearest
    bound), refuse.
    """

    address: Op
    value: Op
    low: int | None
    high: int | None
    mode: StoreMode
    name: str
    missing: int | None = None  # the refusal if the address is none


class Wrote(Ins):
    """A field that somebody may not see has got a value, or may get one. `unseen`: not all may know it. `size`: so many
    numbers from this address on. `chosen`: it is what the only choice or pick of the rule gave."""

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


class Borrow(Ins):
    """The block is run with so much less in that field."""

    address: Op
    amount: Op
    body: Block = field(default_factory=list)


# ---------------------------------------------------------------------------- pieces


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

    sets: ClassVar[str] = "source"


class Lay(Ins):
    """A piece that has just been moved lies face up or down; the local gets whether it lay face down before."""

    local: str
    piece: Op
    face: str

    sets: ClassVar[str] = "local"


class NoteMove(Ins):
    """What everybody knows follows a move. `by_position`: all can tell which position the piece left; `was_down`: it
    lay face down there.
    """

    piece: Op
    source: Op
    target: Op | None
    by_position: bool
    was_down: Op | None


class Take(Ins):
    """The first `count` of a set; `too_few`: the refusal if there must be exactly so many and there are not."""

    local: str
    pieces: Op
    count: Op
    too_few: int | None

    sets: ClassVar[str] = "local"


class Draw(Ins):
    """The pieces that a draw from a bag takes, still in their place."""

    local: str
    place: Op
    count: Op
    too_few: int | None

    sets: ClassVar[str] = "local"


class Deal(Ins):
    """Pieces go from the front of a list to another list; the local gets which."""

    local: str
    source: Op
    target: Op
    how: Manner
    count: Op
    too_few: int | None

    sets: ClassVar[str] = "local"


class NoteDeal(Ins):
    """What everybody knows follows the pieces of a deal."""

    pieces: Op
    source: Op
    target: Op


class Shuffle(Ins):
    """A list is shuffled."""

    place: Op


class ShuffleInto(Ins):
    """What lies in a list is put into another, which is shuffled."""

    place: Op
    into: Op


class SwapPieces(Ins):
    """Two pieces trade places; `missing`: the refusal if one of them is none."""

    first: Op
    second: Op
    missing: int


class SwapPlaces(Ins):
    """Two places trade all that lies in them."""

    first: Op
    second: Op
    size: int


class PassOn(Ins):
    """What lies in the places of all seats goes one seat on, to the left or right."""

    base: int
    stride: int
    size: int
    direction: str


class Flip(Ins):
    """A piece is turned face up or down."""

    piece: Op
    face: str


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


class PickRandom(Ins):
    """One element at random; `unseen`: they are pieces that may lie unseen."""

    local: str
    source: Op
    place: Op | None
    unseen: bool

    sets: ClassVar[str] = "local"


class Together(Ins):
    """A block begins (+1) or ends (-1) that nobody sees into."""

    change: int


class Say(Ins):
    """A line of the log, for a player or for all."""

    text: int
    values: tuple[Op, ...]
    to: Op | None


# ---------------------------------------------------------------------------- calls, loops, leaving


class Call(Ins):
    """A plain routine is called."""

    local: str | None
    routine: str
    args: tuple[Op, ...]

    sets: ClassVar[str] = "local"


class CallFrame(Ins):
    """A framed routine is called; its result is read by `Result` in the segment `resume`."""

    routine: str
    args: tuple[Op, ...]
    resume: int


class Perform(Ins):
    """A cell is performed; `refusal`: if that is impossible."""

    cell: Op
    player: Op
    given: tuple[Given, ...]
    resume: int | None
    refusal: int


class LimitDepth(Ins):
    """A fault if the rule runs inside itself more often than that."""

    rule: str
    depth: int


class Require(Ins):
    """Refused with that number unless the condition holds. What the refusal tells is worked out only if somebody asks
    for it: the holes of the text, or else the values themselves; and the `line` of a value that said no.
    """

    condition: Op
    refusal: int
    text: int | None
    values: tuple[Op, ...]
    line: Op | None = None


class If(Ins):
    """One of two blocks."""

    condition: Op
    then: Block = field(default_factory=list)
    otherwise: Block = field(default_factory=list)


class For(Ins):
    """The block for each element."""

    local: str
    source: Op
    body: Block = field(default_factory=list)

    sets: ClassVar[str] = "local"


class While(Ins):
    """The block as long as the condition holds."""

    condition: Op
    at_most: Op | None
    body: Block = field(default_factory=list)


class Loop(Ins):
    """The block so many times, or until it is left."""

    times: Op | None
    body: Block = field(default_factory=list)


class Only(Ins):
    """The block is run only in these ways of running (`WAYS`). `ways.py` makes the IR of each way from it."""

    ways: tuple[Way, ...]
    body: Block = field(default_factory=list)


class Succeed(Ins):
    """The trial stops here and counts as success."""


class Spend(Ins):
    """Counts so many units of work; `checked`: a fault if that is beyond the limit of steps. See `work.py`."""

    units: int
    checked: bool = True


class Hit(Ins):
    """Counts that this place of the rules was reached, for studies; see `ways.py`."""

    number: int


class Break(Ins):
    """Leaves the innermost plain loop."""


class Return(Ins):
    """Leaves the routine."""

    value: Op | None = None


class Goto(Ins):
    """Goes on in another segment; `backward`: by way of the machine, which counts the steps."""

    segment: int
    backward: bool = False


class PassEnds(Ins):
    """A pass of a phase's loop is over: a trial that began inside it stops here and counts as success."""

    loop: int


# ---------------------------------------------------------------------------- decisions


class BeginOptions(Ins):
    """An empty list of options."""


class OfferAll(Ins):
    """The options are these values, and nothing else so far: each stands for itself."""

    source: Op


class Option(Ins):
    """Adds the option of that branch with the values of these locals; its number is laid out by the site."""

    site: int
    branch: int
    names: tuple[str, ...]


class BeginUnsure(Ins):
    """An empty list of options that must be tried."""


class UnsureOption(Ins):
    """Adds an option that must be tried: nothing says beforehand whether it can be carried through."""

    site: int
    branch: int
    names: tuple[str, ...]


class IfAnswer(Ins):
    """One block if the answer is yes, another if it is unsure, none if it is no."""

    answer: Op
    yes: Block = field(default_factory=list)
    unsure: Block = field(default_factory=list)


class Once(Ins):
    """On to the next element, unless this piece differs from those before it."""

    local: str
    memory: str
    how: ToldBy
    twins: tuple[str, ...]


class PassOption(Ins):
    """Passing is offered too."""


class SetOptions(Ins):
    """The options for the next pick of a set."""

    site: int
    candidates: Op
    picked: Op
    low: Op | None
    high: Op | None
    chosen: str
    such_that: Op | None
    how: ToldBy | None
    units: int = 16  # of work that one look at a set takes


class PayOptions(Ins):
    """What may be paid next."""

    payment: int
    player: Op
    amounts: tuple[Op, ...]
    among: tuple[Op, ...]
    picks: Op
    refusal: int


class Settle(Ins):
    """The counters that were picked are paid."""

    payment: int
    player: Op
    amounts: tuple[Op, ...]
    among: tuple[Op, ...]
    picks: Op
    to: Op | None


class TryUnsure(Ins):
    """Leaves out what is not carried through. `listed`: some options are unsure; `callers`: what callers have still to
    do may be refused.
    """

    site: int
    player: Op
    listed: bool
    callers: bool


class OptionTest(Part):
    """What answers for the options of a branch: a routine (none: always yes). `so_far`: for a set, what is picked;
    `grows`: its price grows with every pick.
    """

    branch: int
    routine: str
    args: tuple[Op, ...]
    so_far: Op | None = None
    grows: bool = False


class Filter(Ins):
    """Only options that can be carried through, as the tests say, or by trial."""

    site: int
    player: Op
    tests: tuple[OptionTest, ...]


class ForgetOptions(Ins):
    """No option is left, and the word that nothing else can be done has been heard (see `NothingElse`)."""


class FreeActions(Ins):
    """Adds to the options the free actions that may be taken beside them. `asked_first`: one routine per free action;
    if each of them says no, none can be taken. Empty if there is an action of which nothing is known beforehand.
    """

    site: int
    player: Op
    asked_first: tuple[str, ...]


class Answer(Ins):
    """An answer is given without asking anybody. pass: passing, or the set is complete; skip: nothing could be chosen
    and nothing need be; only: the only option.
    """

    how: Unasked


class NoteUnasked(Ins):
    """What the others may conclude follows from an answer that is given without asking (`how` as in `Answer`)."""

    site: int
    player: Op
    picked: Op | None
    how: Unasked


class Ask(Ins):
    """Stops here: the player is asked to choose among the options. `resume` is the segment that takes up the answer.

    Its number is that of the asking segment plus one. A frame keeps the number of the asking segment while somebody
    decides, so that the question can be asked again; whoever answers adds one.
    """

    site: int
    player: Op
    resume: int
    picked: Op | None  # what a set or a payment has so far


# ---------------------------------------------------------------------------- endings


class Wins(Ins):
    """The game is over and these have won."""

    players: Op
    text: int | None
    values: tuple[Op, ...]


class DropsOut(Ins):
    """A player is out of the game."""

    player: Op
    text: int | None
    values: tuple[Op, ...]


class EndGame(Ins):
    """The game is over; scores tell who has won."""

    text: int | None
    values: tuple[Op, ...]
