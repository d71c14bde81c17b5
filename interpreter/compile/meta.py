"""What the running game knows about its own declarations, as plain data.

The compiler writes one `Meta` per game beside the emitted code; views, saves, labels, codes of options, knowledge and
scenarios read it. It can be pickled and holds no syntax tree.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

Place = tuple[str, int, int]  # file, line, column

# An option of a decision is one number. From 0 on: a branch of its site and the values that it binds (`SiteMeta`).
STEP = 256  # units of work in one of the steps that a manifest limits: see `work.py`
NAMED = 20  # units of work for a name in a text: each element of a set in a hole has one
PASS = -1  # passing, or "that is all"; it stands for passing among the branches of a site too
SKIP = -2  # nothing could be chosen, and nothing need be
NOTHING_ELSE = -3  # said on trial in place of an answer: nothing that is offered here can be carried through
FREE = -4  # the first free action; the one with number n is FREE - n
POSED = -1  # a part of a question, in the place of a branch: that it is posed at all (`parts.py`)
NUMBER, ELEMENTS = "number", "elements"  # how an argument of a value is told that is remembered: see `remembered.py`


@dataclass
class FieldMeta:
    """A field: its name, owner (table player piece node edge), first offset in the array, dimensions, type.

    `dimensions` are (thing, low, size) from the owner (if not the table) to the last index; elements lie in
    mixed radix from `base`. `thing` names what the numbers are: number flag player piece node edge cell die
    formula direction row:CHART enum:NAME.
    """

    name: str
    owner: str
    base: int
    dimensions: tuple[tuple[str, int, int], ...]
    thing: str
    none: int | None
    visibility: str
    is_dice: bool
    start: int
    low: int = 0
    high: int = 0
    seen_by: tuple[int, ...] = ()  # secret field of pieces: for each of them, bit mask of the players who see it
    bits: int = 32  # the fewest that hold every number it can have, none included
    signed: bool = True
    is_unset: bool = False  # it has no value before setup gives it one
    is_history: bool = False  # it belongs to a history, and views leave it out
    id: str = ""  # the name in the rules; `name` may be translated
    is_capped: bool = False  # what goes beyond its range is lost
    cites: tuple[str, ...] = ()
    is_mark: bool = False  # an open field that rules read of pieces which somebody does not see: it is seen there


@dataclass
class PlaceMeta:
    """A declared place. Numbers base … base+size-1; numbers from Meta.lists on are slots (f[number - lists])."""

    name: str
    owner: str
    base: int
    size: int
    dimensions: tuple[tuple[str, int, int], ...]  # owner, indexes, slot index
    shape: str
    kinds: tuple[str, ...]
    visibility: str
    uncounted: bool
    capacity: int
    has_owner: bool  # the first dimension is the owner
    holds: int = 0  # the most pieces that can ever lie there: `capacity`, or all pieces of its kinds
    id: str = ""  # the name in the rules; `name` may be translated
    is_limited: bool = False  # `capacity` is written in the rules, or follows from the shape
    cites: tuple[str, ...] = ()
    never_empty: bool = False  # of a slot: something always lies there


@dataclass(frozen=True)
class Reason:
    """What a binder goes over, or a condition of a decision: asked when something is not offered.

    `params` are the locals it needs, `words` how the author wrote it.
    """

    is_source: bool
    params: tuple[str, ...]
    words: str
    place: Place
    line: int | None = None  # the number of the reason that says which `result` line of a value answered
    line_cites: tuple[tuple[str, ...], ...] = ()  # the clauses of each of these lines
    value_cites: tuple[str, ...] = ()  # the clauses of the value that is asked, where nothing else has any


@dataclass
class SiteMeta:
    """A place in the rules where somebody decides, and how its options are numbered.

    The options of branch b are numbered from `firsts[b]` on. Its values are the digits of the rest in mixed radix, the
    first value first; `digits[b]` has (lowest, how many) of each. Pieces are digits by their own number, so the very
    copy is known. If a site binds a single value, that value is the number, unless it may be negative.
    """

    number: int
    kind: str
    rule: str
    in_phase: bool
    prompt: int | None
    branches: tuple[tuple[int | None, tuple[tuple[str, int, int], ...], tuple[str, ...]], ...]  # text, domains, locals
    values_only: bool
    may_pass: bool
    trial: str
    trial_branches: tuple[int, ...]
    secret: bool
    silent: bool
    cites: tuple[str, ...]
    place: tuple[str, int, int]  # file, line, column
    code_bases: tuple[int, ...] = ()
    branch_cites: tuple[tuple[str, ...], ...] = ()
    repeats: bool = False  # asked again until its player passes
    fallback: bool = False  # `otherwise` or `if possible`: something else comes if nothing can be offered
    sampled: bool = False  # a random game draws an option and tries that one, and does not try all of them
    callers: bool = False  # what may be refused after it may stand in the rules that called its own
    steady: bool = False  # it can always be answered
    always: int = -1  # a branch that can always be chosen, or -1
    chosen: str = ""  # set or payment: the local with what is picked so far
    firsts: tuple[int, ...] = ()
    digits: tuple[tuple[tuple[int, int], ...], ...] = ()
    reasons: tuple[tuple[int, ...], ...] = ()  # of each branch, as numbers of `Meta.reasons`
    otherwise: tuple[int, ...] = ()  # the branches that are offered only if nothing else is
    sought: str = ""  # of a `choose`: what it looks for, as it is written; see `sought`
    needs: tuple[str, ...] = ()  # and the payments and requirements right behind it

    def branch_of(self, option: int) -> int:
        """The branch of an option that is neither passing nor a free action."""
        return 0 if len(self.firsts) < 2 else bisect_right(self.firsts, option) - 1

    def values_of(self, option: int) -> tuple[int, tuple[int, ...]] | None:
        """(branch, values) of an option; None for passing and free actions."""
        if option < 0:
            return None
        if self.values_only:
            return 0, (option + self.digits[0][0][0],)
        branch = self.branch_of(option)
        rest = option - self.firsts[branch]
        values: list[int] = []
        for lowest, count in reversed(self.digits[branch]):
            values.append(rest % count + lowest)
            rest //= count
        return branch, tuple(reversed(values))

    def option_of(self, branch: int, values: Sequence[int]) -> int:
        """The option of that branch with these values."""
        number = 0
        for value, (lowest, count) in zip(values, self.digits[branch], strict=True):
            number = number * count + value - lowest
        return self.firsts[branch] + number


@dataclass
class RuleMeta:
    name: str
    form: str
    params: tuple[str, ...]  # thing of each parameter
    title: int | None  # text number
    place: tuple[str, int, int]
    cites: tuple[str, ...]


@dataclass(frozen=True)
class Refusal:
    """Why something cannot be carried through: what people are told, and where in the rules it stands.

    kind: requires (`text`: the rule's own words, if it has any; `name`: its condition as written), counter (`name`
    does not suffice), full, too few, cannot pay, cannot perform, pick, nothing to move,
    nothing to flip, none.
    """

    kind: str
    rule: str
    place: tuple[str, int, int] | None
    cites: tuple[str, ...]
    name: str = ""
    text: int | None = None
    line_cites: tuple[tuple[str, ...], ...] = ()  # of `requires VALUE`: the clauses of each `result` line of the value


@dataclass
class BoardMeta:
    """A map with the numbers of its nodes and edges in order. `pairs` are the ends of its edges, or of every step
    between neighbours where it has no edges. `positions` may be empty."""

    name: str
    form: str  # hex, grid, diagonal, walk or nothing
    nodes: tuple[int, ...]
    node_kinds: tuple[str, ...]
    edges: tuple[int, ...]
    edge_kinds: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    points: dict[int, tuple[int, ...]]
    positions: dict[int, tuple[float, float]]


@dataclass
class PrintedMeta:
    """A printed attribute of nodes, edges or pieces: a value for each, and one more for none.

    With `dimensions`, each value is a tuple over the indexes, with one more entry for none.
    """

    name: str
    of: str
    kind: str  # the one kind that has it, or nothing if several may
    thing: str
    low: int
    high: int
    values: tuple[object, ...]
    dimensions: tuple[tuple[str, int, int], ...] = ()

    @property
    def is_single(self) -> bool:
        """It is one value for each thing, neither indexed nor a set."""
        return not self.dimensions and not self.thing.startswith("set:")


@dataclass
class ChartMeta:
    """A chart: what its parameters go over, and its columns (one without a name for a plain chart)."""

    name: str
    dimensions: tuple[tuple[str, int, int], ...]
    rows: int
    columns: tuple[tuple[str, str, tuple[object, ...]], ...]  # name, thing, values
    cites: tuple[str, ...]


@dataclass(frozen=True)
class ClauseMeta:
    """A clause of the rulebook, a worked example or a ruling (`section`)."""

    section: str
    page: str
    summary: str


@dataclass
class BackMeta:
    """What pieces show from behind: the kinds that have this back, in their order, and the attributes printed there."""

    kinds: tuple[str, ...]
    shown: tuple[tuple[str, str, int], ...]  # attribute, thing, number

    @property
    def kind(self) -> str | None:
        """The kind of a piece with this back; None if the back does not tell."""
        return self.kinds[0] if len(self.kinds) == 1 else None


@dataclass
class Meta:
    name: str
    base: str
    title: str
    players: int
    seat_names: tuple[str, ...]
    automas: dict[int, bool]  # seat -> takes first options
    fingerprint: str
    limits: dict[str, int]
    kinds: dict[str, tuple[int, int]]  # first, count
    pieces: int
    piece_row: tuple[int, ...]  # and one more entry -1 for none
    piece_kind: tuple[str, ...]
    piece_back: tuple[int, ...]
    unseen: dict[str, str]  # kind -> what a piece of it is called that somebody does not know
    row_ids: tuple[str, ...]
    row_names: tuple[str, ...]
    nodes: tuple[tuple[str, str], ...]  # id, name
    edges: tuple[tuple[str, str], ...]
    enums: dict[str, tuple[tuple[int, str, str], ...]]  # number, id, name
    directions: dict[str, tuple[tuple[str, str], ...]]  # map -> id, name
    dice: int  # offset of the first die
    die_names: tuple[str, ...]
    cell_labels: tuple[str, ...]
    lists: int
    slots: int
    start: tuple[int, ...]
    fields: tuple[FieldMeta, ...]
    places: tuple[PlaceMeta, ...]
    place_of: tuple[int, ...]  # place number -> index into places
    sees: tuple[int, ...]  # place number -> bit mask of the players who see what lies there (top_open: 0)
    top_open: frozenset[int]
    unordered: tuple[bool, ...]  # place number -> pool, hand or bag
    bags: frozenset[int]
    sites: tuple[SiteMeta, ...] = ()
    rules: dict[str, RuleMeta] = field(default_factory=dict)
    segment_rule: tuple[str, ...] = ()  # segment -> rule it belongs to
    slot_things: dict[str, tuple[str, ...]] = field(default_factory=dict)  # rule -> thing of each frame slot
    segment_routine: tuple[str, ...] = ()  # segment -> routine (key of slot_things)
    has_secrets: bool = False  # anything hidden or secret at all
    # Frame slots with numbers that not everybody may know, by the segment that still reads them; for each value told to
    # all, whether it reads such a local; and whether numbers are worked out from secrets at all, so that worlds may
    # have to do it again.
    unseen_slots: dict[int, tuple[int, ...]] = field(default_factory=dict)
    # Frame slots that name pieces, by the segment that still reads them. A slot that is written before it is read holds
    # 0 until then, which is no piece.
    naming_slots: dict[int, tuple[int, ...]] = field(default_factory=dict)
    told_unseen: tuple[bool, ...] = ()
    works_out: bool = False
    reveals: bool = False  # rules show pieces where they lie
    sets_open_numbers: bool = False  # rules write open fields of players or the table otherwise than by adding to them
    marks_unseen: bool = False  # a piece that may lie unseen has a closed field, and something unseen is written there
    spots_unseen: bool = False  # a piece may go to a position that not everybody knows
    shows_to_one: bool = False  # pieces are revealed to one player, whose decisions may rest on them
    labels_tell: bool = False  # the label of an option tells something of a piece that stays closed
    uneven_blocks: bool = False  # ways through `together` differ in chance or in pieces that move
    asking_blocks: bool = False  # in `together`, whether somebody is asked turns on a secret
    turning_blocks: bool = False  # in `together`, what somebody is asked turns on a piece chosen there
    free_sets: frozenset[int] = frozenset()  # segments that ask for a number of pieces of a place, any of them
    uses_faces: bool = False  # something is laid face down
    maps: dict[str, dict[str, object]] = field(default_factory=dict)  # shape, rows, columns, nodes, positions
    texts: tuple[tuple[str, tuple[str | tuple[str], ...], tuple[str, ...]], ...] = ()  # raw, parts, locals
    holes: tuple[tuple[str, ...], ...] = ()  # of each text: what its holes are, in the order of the rules
    text_units: dict[int, int] = field(default_factory=dict)  # of costly texts: work besides their counted loops
    reasons: tuple[Reason, ...] = ()
    told: tuple[tuple[str, ...], ...] = ()  # of each value told to all: what its arguments are
    told_gives: tuple[str, ...] = ()  # of each value told to all: what it is
    # Of each piece, and of none, a number that pieces share which a question cannot tell apart: by asking segment, and
    # by the number of a value told to all. What is not there tells every row from every other (`sorts.py`).
    sorts: dict[int, tuple[int, ...]] = field(default_factory=dict)
    told_sorts: dict[int, tuple[int, ...]] = field(default_factory=dict)
    # The places that a question may look into, in the same way. What is not there may look anywhere (`looks.py`).
    looks: dict[int, tuple[int, ...]] = field(default_factory=dict)
    told_looks: dict[int, tuple[int, ...]] = field(default_factory=dict)
    # How the arguments of values are told that are worth remembering (`remembered.py`): a number as it is, a set by its
    # elements or by the sorts of its pieces.
    remembered: dict[str, tuple[str | tuple[int, ...], ...]] = field(default_factory=dict)
    refusals: tuple[Refusal, ...] = ()
    cells: tuple[tuple[tuple[str, bool, tuple[object, ...]], ...], ...] = ()  # calls: routine, takes player, arguments
    cells_nest: bool = False  # one may be performed inside another, or it is asked which are running
    free_actions: tuple[tuple[str, str, str, tuple[int, ...], bool], ...] = ()  # rule, routine, during, params, inside
    score_blocks: int = 0
    unscored: frozenset[int] = frozenset()  # reasons of an end at which nobody counts points
    has_rank: bool = False
    points_win: int = 1  # the most points win (1), or the fewest (-1); 0: something else is looked at first
    payoff: tuple[int, int] | None = None  # the least and the most that a game is worth, if the rules say what it is
    shares_rank: bool = False
    is_team: bool = False  # all win or lose together (`endings.py`)
    has_progress: bool = False  # no points, but how near a win is can be told (`progress.py`)
    progress_is_danger: bool = False  # it tells how far off a loss is, and nothing of a win
    progress_is_stock: bool = False  # or not even that, but what each player has (`stock.py`)
    translations: dict[str, dict[str, str]] = field(default_factory=dict)
    # Of each effect or formula in a table: the texts of its calls with what fills their holes, for translations.
    cell_texts: tuple[tuple[tuple[str, tuple[tuple[str, int] | None, ...]], ...], ...] = ()
    phrases: dict[str, str] = field(default_factory=dict)  # the program's own words in another language
    forms: dict[str, str] = field(default_factory=dict)  # `NAME|FORM` -> that form of a name
    carriers: tuple[int, ...] = ()  # place number -> piece that carries it, or -1
    holders: tuple[int, ...] = ()  # place number -> player who has it, or -1
    place_nodes: tuple[int, ...] = ()  # place number -> node it belongs to, or -1
    frame_slots: dict[str, tuple[str, ...]] = field(default_factory=dict)  # routine -> locals in its frame
    phase_segments: frozenset[int] = frozenset()  # bodies of phases and what stands in for them
    phase_entries: frozenset[int] = frozenset()  # a phase before its body: hooks, and what stands in for it
    segment_loop: tuple[int, ...] = ()  # segment -> innermost loop of a phase around it, or 0
    # Segment -> first place in the rules that it comes from, its head aside.
    segment_places: tuple[Place | None, ...] = ()
    segment_onward: tuple[tuple[int, ...], ...] = ()  # segment -> segments that it runs on to by itself
    may_refuse: frozenset[int] = frozenset()  # segments from which on something in their rule may be refused
    ask_segments: frozenset[int] = frozenset()
    boards: tuple[BoardMeta, ...] = ()
    printed: tuple[PrintedMeta, ...] = ()
    backs: dict[int, BackMeta] = field(default_factory=dict)  # by the numbers of `piece_back`
    only_rolled: bool = False  # the faces of dice come from rolls alone
    deals: int = -1  # the segment of setup before which every game is the same
    kind_names: dict[str, str] = field(default_factory=dict)  # what people call a kind
    charts: tuple[ChartMeta, ...] = ()
    row_cites: tuple[tuple[str, ...], ...] = ()  # of each row of a table of pieces
    text_cites: dict[int, tuple[str, ...]] = field(default_factory=dict)  # clauses of what is said, offered and scored
    clauses: dict[str, ClauseMeta] = field(default_factory=dict)
    language: str = "en"  # of the texts
    faced_kinds: frozenset[str] = frozenset()  # kinds whose pieces may be laid face down

    # Worked out from the above when first asked for. A view needs all of it, and games are looked at very often.

    @cached_property
    def piece_names(self) -> tuple[str, ...]:
        """The name of each piece; equal copies have the same one."""
        return tuple(self.row_names[row] or self.row_ids[row] for row in self.piece_row[: self.pieces])

    @cached_property
    def piece_labels(self) -> tuple[str, ...]:
        """The name of each piece, with a number if there are equal copies: `red fan 2`."""
        copies = Counter(self.piece_row[: self.pieces])
        before: Counter[int] = Counter()
        labels = []
        for name, row in zip(self.piece_names, self.piece_row, strict=False):
            before[row] += 1
            labels.append(name if copies[row] == 1 else f"{name} {before[row]}")
        return tuple(labels)

    @cached_property
    def node_keys(self) -> tuple[str, ...]:
        """An id for each node that no other has: two maps may both have an `a1`."""
        return _told_apart([own_id for own_id, _ in self.nodes])

    @cached_property
    def edge_keys(self) -> tuple[str, ...]:
        return _told_apart([own_id for own_id, _ in self.edges])

    @cached_property
    def row_pieces(self) -> tuple[tuple[int, ...], ...]:
        """The pieces of each row."""
        found: list[list[int]] = [[] for _ in self.row_ids]
        for piece, row in enumerate(self.piece_row[: self.pieces]):
            found[row].append(piece)
        return tuple(tuple(pieces) for pieces in found)

    @cached_property
    def equal_copies(self) -> tuple[int, ...]:
        """For each piece the bit mask of the pieces of its row, itself included."""
        masks = [sum(1 << piece for piece in pieces) for pieces in self.row_pieces]
        return tuple(masks[row] for row in self.piece_row[: self.pieces])

    @cached_property
    def rows_by_name(self) -> dict[str, int]:
        return {
            name or own_id: row for row, (name, own_id) in enumerate(zip(self.row_names, self.row_ids, strict=True))
        }

    @cached_property
    def owning_pieces(self) -> frozenset[int]:
        """The pieces that have fields or places of their own."""
        fields = [field.dimensions[0] for field in self.fields if field.owner == "piece"]
        places = [place.dimensions[0] for place in self.places if place.owner == "piece"]
        return frozenset(piece for _, low, size in (*fields, *places) for piece in range(low, low + size))

    @cached_property
    def open_kinds(self) -> frozenset[str]:
        """The kinds whose pieces can never be out of anybody's sight."""
        closed = set(self.faced_kinds) | {
            kind
            for place in self.places
            if place.visibility != "open" or place.shape == "bag" or place.uncounted
            for kind in place.kinds
        }
        return frozenset(kind for kind in self.kinds if kind not in closed)

    @cached_property
    def unnumbered_copies(self) -> tuple[tuple[int, ...], ...]:
        """The pieces of each row of which there are several that can be out of somebody's sight."""
        return tuple(
            pieces
            for pieces in self.row_pieces
            if len(pieces) > 1 and self.piece_kind[pieces[0]] not in self.open_kinds
        )

    @cached_property
    def known_texts(self) -> dict[tuple[str, int | tuple[int, ...], bool], str]:
        """The texts of numbers that were asked for before; `runtime.names` fills it."""
        return {}

    @cached_property
    def known_indexes(self) -> dict[tuple[str, int, int], tuple[str, ...]]:
        """The same for all indexes of a dimension."""
        return {}


def _told_apart(ids: list[str]) -> tuple[str, ...]:
    """The ids, with a number behind those that come again: `a1`, `a1~2`."""
    before: Counter[str] = Counter()
    found = []
    for own_id in ids:
        before[own_id] += 1
        found.append(own_id if before[own_id] == 1 else f"{own_id}~{before[own_id]}")
    return tuple(found)


# ---------------------------------------------------------------------------- of games that count, for studies


@dataclass(frozen=True)
class HitPlace:
    """What one counter counts: that `routine` begins (`asks`: with a question), or that this place of it is reached."""

    place: Place | None
    routine: str
    begins: bool
    asks: bool = False


@dataclass(frozen=True)
class Course:
    """The names of the rules that are turns, and of those that are rounds."""

    turns: tuple[str, ...] = ()
    rounds: tuple[str, ...] = ()
