"""The facts about every form of statement: one row per class, used by all passes of `check` and `compile`.

A pass that needs to know what a statement moves, whether somebody decides in it, or whether anything runs after it,
looks it up here instead of testing the class itself. So a new statement is described once, by a row of `STATEMENTS`,
and every pass handles it; a statement without a row makes every pass raise `UnknownForm`. Expressions have their own
table in `expression_forms`.

A row states only what its form does: `Form()` is one that does nothing at all. The facts are about
the statement itself, not about its blocks, the rules it calls or the hooks it triggers: `walk.statements` visits
blocks, and `compile.analysis` knows what is called.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, NamedTuple

from . import program as p
from .value_types import Piece, PlaceOf, SetOf, VType, bare

# ---------------------------------------------------------------------------- the answers


class UnknownForm(Exception):
    """Raised for a class of statement or expression that the table, or a pass with a case per form, does not know."""

    def __init__(self, node: object) -> None:
        super().__init__(f"no facts are known about the form {type(node).__name__}")


class Runs(Enum):
    """How often a block runs each time its statement is executed."""

    once = "exactly once"
    one_of = "one of all the blocks marked so"
    perhaps = "once or not at all"
    passes = "once for each pass: any number of times"
    offered = "as often as the player takes it"
    endless = "pass after pass, until something inside leaves"


LOOPING = (Runs.passes, Runs.offered, Runs.endless)  # `stop` in such a block leaves the statement


class Inner(NamedTuple):
    """A block inside a statement."""

    block: p.Block
    runs: Runs


class Flow(Enum):
    """Where the game goes on after a statement."""

    on = "with the next statement"
    leaves_loop = "behind the loop"
    leaves_rule = "with whoever called the rule"
    ends_game = "nowhere"


class Question(NamedTuple):
    """A decision: who decides, and whether the statement always asks (a `may` with nothing to offer passes itself)."""

    player: p.Expr
    surely: bool


class Calls(Enum):
    """The code outside the statement that it runs."""

    nothing = "nothing"
    rule = "the rule that it names"
    previous = "what the `instead of` hook stands in for"
    cell = "an effect in a cell, known only when the game runs"


@dataclass(frozen=True)
class Motion:
    """Pieces that a statement moves.

    `taken_from` and `put_into` are the places that the statement names. With `from_anywhere` (`to_anywhere`) pieces may
    also leave (enter) any other place for their kinds: `move c to heap` does not say where `c` lies. With `singly` the
    pieces move one by one, and hooks on entering and leaving run for each; otherwise whole places change at once, and
    only the hooks on growing and shrinking run.
    """

    kinds: tuple[str, ...]
    taken_from: tuple[p.PlaceDecl, ...]
    put_into: tuple[p.PlaceDecl, ...]
    from_anywhere: bool = False
    to_anywhere: bool = False
    singly: bool = False

    def may_touch(self, place: p.PlaceDecl) -> bool:
        """Pieces may enter or leave the place."""
        return self.may_empty(place) or self.may_fill(place)

    def may_empty(self, place: p.PlaceDecl) -> bool:
        return place in self.taken_from or (self.from_anywhere and self._fits(place))

    def may_fill(self, place: p.PlaceDecl) -> bool:
        return place in self.put_into or (self.to_anywhere and self._fits(place))

    def _fits(self, place: p.PlaceDecl) -> bool:
        return not set(place.kinds).isdisjoint(self.kinds)


class Alters(Enum):
    """What a statement changes apart from fields and the positions of pieces."""

    nothing = "nothing"
    dice = "the faces of dice"
    seats = "which seats are still in the game"
    faces = "which side of a piece is up"
    order = "the order of pieces in a place"


class Tells(Enum):
    """What players learn from a statement, apart from seeing what it does."""

    nothing = "nothing"
    words = "what it says"
    pieces = "which pieces, or which value, it was that they could not see"


def _none(_: object) -> None:
    return None


def _nothing(_: object) -> tuple[()]:
    return ()


@dataclass(frozen=True)
class Form:
    """One row of the table. The callables take a statement of the class that the row describes."""

    blocks: Callable[[Any], tuple[Inner, ...]] = _nothing
    flow: Flow = Flow.on
    asks: Callable[[Any], Question | None] = _none
    calls: Calls = Calls.nothing
    binds: Callable[[Any], tuple[p.LocalDecl | None, ...]] = _nothing  # names that the statements after it can use
    writes: Callable[[Any], tuple[p.FieldDecl, ...]] = _nothing
    alters: Alters = Alters.nothing
    moves: Callable[[Any], Motion | None] = _none
    chance: Callable[[Any], bool] = lambda s: False  # the outcome is random
    tells: Tells = Tells.nothing
    demands: bool = False  # it can be refused for a reason of its own: something is missing, too little, or full
    # Expressions that stand in declarations and are evaluated with it
    also: Callable[[Any], p.Exprs] = _nothing


# ---------------------------------------------------------------------------- parts of rows


def _in(runs: Runs) -> Callable[[Any], tuple[Inner, ...]]:
    return lambda s: (Inner(s.body, runs),)


def _own_block(s: p.Choose | p.ChooseSet | p.Pick) -> tuple[Inner, ...]:
    """The block below the choice. Without one, what it binds is used by the rest of the block that it stands in."""
    if s.body is None:
        return ()
    return (Inner(s.body, Runs.perhaps if s.if_possible else Runs.once),)


def _may_blocks(s: p.May) -> tuple[Inner, ...]:
    if s.repeatedly:
        return (Inner(s.branch.body, Runs.offered), Inner(s.otherwise, Runs.perhaps))
    return (Inner(s.branch.body, Runs.one_of), Inner(s.otherwise, Runs.one_of))


def _endless_without(*ends: str) -> Callable[[Any], tuple[Inner, ...]]:
    """A loop that is endless unless one of these parts says when it ends."""
    return lambda s: (Inner(s.body, Runs.endless if all(getattr(s, end) is None for end in ends) else Runs.passes),)


def _branch_blocks(runs: Runs) -> Callable[[Any], tuple[Inner, ...]]:
    return lambda s: tuple(Inner(branch.body, runs) for branch in s.branches)


def _asks(surely: bool) -> Callable[[Any], Question]:
    return lambda s: Question(s.player, surely)


def _asks_how_to_pay(s: p.Pay) -> Question | None:
    return Question(s.player, False) if any(is_choice(cost) for cost in s.costs) else None


def _amount_fields(s: p.Gain | p.Lose) -> tuple[p.FieldDecl, ...]:
    return tuple(amount.field for amount in s.amounts)


def _paid_pieces(s: p.Pay) -> Motion | None:
    sources = [source for cost in s.costs for source in sources_of(cost)]
    taken = [place for source in sources for place in _places(source.place)]
    back = [place for source in sources for place in _places(source.back_to)]
    if not taken and not back:
        return None
    return Motion(tuple(kind for place in (*taken, *back) for kind in place.kinds), tuple(taken), tuple(back))


def _moved(pieces: Callable[[Any], p.Expr | p.LocalDecl], source: Callable[[Any], p.Expr]) -> Callable[[Any], Motion]:
    """A move to a destination: of these pieces (an expression, or the name that stands for each), found in there."""

    def motion(s: Any) -> Motion:
        named = tuple(_places_in(source(s)))
        return Motion(kinds_in(pieces(s).type), named, _places(s.to.place), from_anywhere=True, singly=True)

    return motion


def _shuffled(s: p.Shuffle) -> Motion | None:
    """`shuffle P` only changes the order, which is not a move; `shuffle P into Q` moves everything to Q."""
    return None if s.into is None else Motion(s.place.place.kinds, (s.place.place,), (s.into.place,), singly=True)


def _swapped_pieces(s: p.SwapPieces) -> Motion:
    kinds = tuple(dict.fromkeys((*kinds_in(s.first.type), *kinds_in(s.second.type))))
    named = tuple(_places_in(s.first)) + tuple(_places_in(s.second))
    return Motion(kinds, named, named, from_anywhere=True, to_anywhere=True, singly=True)


def _swapped_places(s: p.SwapPlaces) -> Motion:
    both = (s.first.place, s.second.place)
    return Motion(tuple(dict.fromkeys((*both[0].kinds, *both[1].kinds))), both, both)


def kinds_in(value_type: VType) -> tuple[str, ...]:
    """The kinds of pieces that a piece, or the members of a set or place, can be of."""
    of = bare(value_type)
    of = bare(of.of) if isinstance(of, SetOf) else of
    return of.kinds if isinstance(of, Piece | PlaceOf) else ()


def _places(expr: p.Expr | None) -> tuple[p.PlaceDecl, ...]:
    return (expr.place,) if isinstance(expr, p.PlaceRef) else ()


def _places_in(expr: p.Expr) -> tuple[p.PlaceDecl, ...]:
    """The place that the expression takes its pieces from; none if it does not say."""
    match expr:
        case p.PlaceRef():
            return (expr.place,)
        case p.SlotPiece(place=place) | p.EndOf(of=place):
            return _places_in(place)
        case p.Selected():
            return _places_in(expr.binder.source)
        case p.SetList():
            return tuple(place for item in expr.items for place in _places_in(item))
        case p.IfElse():
            return _places_in(expr.then) + _places_in(expr.otherwise)
        case p.Otherwise():
            return _places_in(expr.value) + _places_in(expr.fallback)
        case p.Without() | p.StartingWith() | p.Following():
            return _places_in(expr.source)
    return ()


# ---------------------------------------------------------------------------- what is paid


def sources_of(cost: p.CostDecl) -> tuple[p.CurrencySourceDecl, ...]:
    """The sources from which a cost can be paid; sources that never apply are left out."""
    sources = cost.currency.sources if cost.currency is not None else ()
    # A variant may switch a source off (`when coins_are_wild` with a value that is `no`). Then a payment with one
    # source left is no decision, and nobody is asked.
    return tuple(source for source in sources if not _is_never(source.when)) or sources[:1]


def _is_never(condition: p.Expr | None) -> bool:
    match condition:
        case p.Const():
            return not condition.value
        case p.ValueCall(rule=rule):
            return not (rule.before or rule.instead or rule.after) and _is_never(rule.expression)
    return False


def is_choice(cost: p.CostDecl) -> bool:
    """True if there may be several ways to pay this."""
    sources = sources_of(cost)
    return len(sources) > 1 or any(source.place is not None or source.when is not None for source in sources)


def fields_paid(paid: p.Pay | p.CanPay) -> tuple[p.FieldDecl, ...]:
    """The counters from which the costs may be paid."""
    fields = [field for cost in paid.costs for field in (cost.field, *(one.field for one in sources_of(cost)))]
    return tuple(field for field in fields if field is not None)


def looked_at_to_pay(paid: p.Pay | p.CanPay) -> p.Exprs:
    """Expressions in the declarations of the currencies: where their pieces lie, and when they may be used."""
    parts = [part for cost in paid.costs for source in sources_of(cost) for part in (source.place, source.when)]
    return tuple(part for part in parts if part is not None)


# ---------------------------------------------------------------------------- the table

_CHOOSING = Form(blocks=_own_block, asks=lambda s: Question(s.player, not s.if_possible), demands=True)
_ENDING = Form(flow=Flow.ends_game)
_LOOP = Form(blocks=_in(Runs.passes))

STATEMENTS: dict[type[p.Stmt], Form] = {
    # Names, fields, dice
    p.Let: Form(binds=lambda s: (s.local,)),
    p.SetField: Form(writes=lambda s: (s.field,)),
    p.SetFace: Form(alters=Alters.dice),
    p.Gain: Form(writes=_amount_fields),
    p.Lose: Form(writes=_amount_fields, demands=True),
    p.Pay: Form(asks=_asks_how_to_pay, writes=fields_paid, moves=_paid_pieces, demands=True, also=looked_at_to_pay),
    p.Roll: Form(alters=Alters.dice, chance=lambda s: True),
    # Calls
    p.CallRule: Form(calls=Calls.rule, binds=lambda s: (s.result,)),
    p.CallPrevious: Form(calls=Calls.previous, binds=lambda s: (s.result,)),
    p.Perform: Form(calls=Calls.cell, demands=True),
    p.Require: Form(demands=True),
    # Pieces
    p.MovePiece: Form(moves=_moved(lambda s: s.piece, lambda s: s.piece), demands=True),
    p.MoveSet: Form(moves=_moved(lambda s: s.pieces, lambda s: s.pieces), demands=True),
    p.MoveSome: Form(moves=_moved(lambda s: s.binder.local, lambda s: s.binder.source), demands=True),
    p.MoveEach: Form(moves=_moved(lambda s: s.binder.local, lambda s: s.binder.source), demands=True),
    p.Draw: Form(
        moves=lambda s: Motion(s.source.place.kinds, (s.source.place,), _places(s.to.place), singly=True),
        chance=lambda s: s.source.place.shape == "bag",
        binds=lambda s: (s.result,),
        demands=True,
    ),
    p.Shuffle: Form(moves=_shuffled, alters=Alters.order, chance=lambda s: True, demands=True),
    p.SwapPieces: Form(moves=_swapped_pieces, demands=True),
    p.SwapPlaces: Form(moves=_swapped_places, demands=True),
    p.PassOn: Form(moves=lambda s: Motion(s.place.kinds, (s.place,), (s.place,))),
    p.Flip: Form(alters=Alters.faces, tells=Tells.pieces, demands=True),
    p.Reveal: Form(tells=Tells.pieces),
    # Decisions
    p.Choose: replace(_CHOOSING, binds=lambda s: tuple(binder.local for binder in s.binders) if not s.body else ()),
    p.ChooseSet: replace(_CHOOSING, binds=lambda s: (s.chosen,) if s.body is None else ()),
    p.ChooseOne: Form(blocks=_branch_blocks(Runs.one_of), asks=_asks(True), demands=True),
    p.May: Form(blocks=_may_blocks, asks=_asks(False)),
    p.AnyOrder: Form(blocks=_branch_blocks(Runs.perhaps), asks=_asks(False)),
    p.Pause: Form(asks=_asks(True)),
    p.Pick: Form(
        blocks=_own_block,
        chance=lambda s: s.at_random,
        binds=lambda s: (s.binder.local,) if s.body is None else (),
        demands=True,
    ),
    # Blocks
    p.If: Form(blocks=lambda s: (Inner(s.then, Runs.one_of), Inner(s.otherwise, Runs.one_of))),
    p.For: replace(_LOOP, asks=lambda s: None if s.ordered_by is None else Question(s.ordered_by, False)),
    p.Walk: _LOOP,
    p.Repeat: Form(blocks=_endless_without("times")),
    p.While: _LOOP,
    p.InTurn: Form(blocks=_endless_without("until", "skipping")),
    p.Together: _LOOP,
    p.FirstPossible: Form(blocks=_in(Runs.perhaps)),
    # Words, and where the game goes on
    p.Say: Form(tells=Tells.words),
    p.Stop: Form(flow=Flow.leaves_loop),
    p.Done: Form(flow=Flow.leaves_rule),
    p.ResultIs: Form(flow=Flow.leaves_rule),
    p.Prevent: Form(flow=Flow.leaves_rule),
    p.Wins: _ENDING,
    p.Loses: _ENDING,
    p.EndGame: _ENDING,
    p.DropsOut: Form(alters=Alters.seats),
}


def form_of(stmt: p.Stmt) -> Form:
    """The row of a statement. Every question below goes through here, so that none silently skips a form."""
    form = STATEMENTS.get(type(stmt))
    if form is None:
        raise UnknownForm(stmt)
    return form


# ---------------------------------------------------------------------------- the questions


def inner(stmt: p.Stmt) -> tuple[Inner, ...]:
    """The blocks directly inside a statement, and how they run."""
    return form_of(stmt).blocks(stmt)


def blocks(stmt: p.Stmt) -> list[p.Block]:
    return [found.block for found in inner(stmt)]


def is_loop(stmt: p.Stmt) -> bool:
    """True if one of its blocks may run several times."""
    return any(found.runs in (Runs.passes, Runs.endless) for found in inner(stmt))


def flow(stmt: p.Stmt) -> Flow:
    return form_of(stmt).flow


def question(stmt: p.Stmt) -> Question | None:
    """The decision that the statement itself asks for."""
    return form_of(stmt).asks(stmt)


def calls(stmt: p.Stmt) -> Calls:
    return form_of(stmt).calls


def binds(stmt: p.Stmt) -> tuple[p.LocalDecl, ...]:
    """Names that have a value for the statements after this one."""
    return tuple(local for local in form_of(stmt).binds(stmt) if local is not None)


def written_fields(stmt: p.Stmt) -> tuple[p.FieldDecl, ...]:
    """Fields that the statement itself writes."""
    return form_of(stmt).writes(stmt)


def alters(stmt: p.Stmt) -> Alters:
    return form_of(stmt).alters


def motion(stmt: p.Stmt) -> Motion | None:
    """The pieces that the statement itself moves."""
    return form_of(stmt).moves(stmt)


def is_chance(stmt: p.Stmt) -> bool:
    return form_of(stmt).chance(stmt)


def tells(stmt: p.Stmt) -> Tells:
    return form_of(stmt).tells


def demands(stmt: p.Stmt) -> bool:
    """True if the statement itself can be refused, apart from what its blocks or triggered hooks do."""
    return form_of(stmt).demands


def evaluated_elsewhere(stmt: p.Stmt) -> p.Exprs:
    return form_of(stmt).also(stmt)
