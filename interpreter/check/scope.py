"""The context of an expression or statement: the names in scope, the acting player, the known facts.

A `World` is shared by all bodies of a game. A `Body` belongs to one rule: it numbers the locals and holds the names in
scope, the facts that conditions have established, the player that imperative verbs speak to (`gain 1 vp`), and the
calls that must run before the current statement.

An error gives up one statement (by raising `Broken`), not the whole rule. Names that the broken statement would have
bound get the type `Unknown`; a statement that uses them is given up silently, so that one cause gives one report.

Help for an unknown name is the nearest known name. Tried first: names that exist but are reached differently (a field
of players written without the player), and words from other languages for something that has its own word here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TypeVar, Unpack

from ..diagnostics.diagnostic import Details, Diagnostics, Label
from ..diagnostics.source import NOWHERE, Span
from ..diagnostics.suggest import did_you_mean
from ..syntax import nodes
from .declared import Declared, RuleSource
from .facts import Facts, KnownFacts, Steady, Way, key_of, reads_of
from .program import CurrencyDecl, Expr, LocalDecl, LocalVar, RuleDecl, Stmt
from .steady import steady_fields
from .value_types import Die, Kinded, Maybe, Piece, PlaceOf, Player, SetOf, Unknown, VType

__all__ = ["Body", "Broken", "Unknown", "World", "first_player", "parameters_in_scope", "suggestion"]

_QUANTIFIER = re.compile(r"\b(some|no|every)\s+\Z")
AnyExpr = TypeVar("AnyExpr", bound=Expr)


class Broken(Exception):
    """Raised to give up the current statement, after its finding has been added."""


class World:
    """What all bodies of a game share."""

    def __init__(self, declared: Declared, found: Diagnostics) -> None:
        self.declared = declared
        self.found = found
        self.currencies: dict[str, CurrencyDecl] = {}
        self.cut_currencies: set[str] = set()  # those of which a source is missing
        self.hooked: set[int] = set()  # ids of the fields and places that have hooks
        self.broken: set[RuleDecl] = set()  # rules and hooks of which a statement or line is missing
        self.also: dict[str, list[RuleSource]] = {}  # `also in` by the rule it adds options to
        self.elaborate_now: Callable[[RuleSource], None] = lambda source: None

    @cached_property
    def steady(self) -> Steady:
        """What nothing can change while somebody decides."""
        return steady_fields(self.declared)

    def note_if_broken(self, body: Body, rule: RuleDecl, node: nodes.Declaration, errors: int) -> None:
        """Remembers a rule that could not be elaborated whole; `errors` is how many findings there were before it."""
        is_cut = body.gave_up or self.declared.gathered.lost.lacks_lines(node)
        is_unknown = isinstance(rule.result, Unknown) or (
            rule.form == "value" and not rule.body and not rule.expression
        )
        if is_cut or is_unknown or len(self.found) > errors:
            self.broken.add(rule)

    @cached_property
    def globals(self) -> dict[str, str]:
        """Every name that is visible everywhere, with the sort of thing that it means, as in the keys of `uses`."""
        d = self.declared
        sorts = {
            "map": d.maps,
            "rule": d.rules,
            "chart": d.charts,
            "word": dict.fromkeys(("players", "everybody", "nobody", "box")),
            "seat": d.seat_names,
            "constant": d.constants,
            "state": d.state.get("table", {}),
        }
        return {name: sort for sort, names in sorts.items() for name in names}  # type: ignore[attr-defined]

    @cached_property
    def _owners_of_members(self) -> dict[str, dict[str, None]]:
        d = self.declared
        pairs = [(enum.name, i) for enum in d.enums.values() for i in enum.ids]
        pairs += [(row.kind, row.id) for row in d.rows if len(row.pieces) == 1]
        pairs += [(thing.kind, thing.id) for thing in (*d.nodes, *d.edges)]
        pairs += [("Direction", word) for m in d.maps.values() for word in m.directions]
        found: dict[str, dict[str, None]] = {}
        for owner, member in pairs:
            found.setdefault(member, {})[owner] = None
        return found

    def owners_of_member(self, name: str) -> list[str]:
        """The types that have a member of this name."""
        return list(self._owners_of_members.get(name, ()))


# "May be none" and "not every kind has it" are often consequences of a dropped statement: the `if` that would have
# ruled them out is the one with the error.
_LEANING = ("R0432", "R0435")

_ENDED = (
    "a decision ended what was known of `{what}`, since it may change meanwhile; what stays known is an open field "
    "that no free action writes, and an open place in a game without free actions and without pieces face down"
)


class Body:
    """One rule, score block or lone expression while it is being elaborated."""

    def __init__(self, world: World, rule: RuleDecl | None, form: str) -> None:
        self.world = world
        self.declared = world.declared
        self.rule = rule
        self.form = form  # of the rule; `hook` bodies have the form of what they are hooked on, scores are values
        self.locals: list[LocalDecl] = []
        self.names: dict[str, LocalDecl | Expr] = {}
        self.places_of_names: dict[str, Span] = {}
        self.facts = Facts()
        self.actor: Expr | None = None
        self.ahead: list[Stmt] | None = None  # calls to run before the statement; None where none are allowed
        self.result: VType | None = None
        self.replaced: RuleDecl | None = None  # what `previous` means
        self.timing: str | None = None  # of a hook: before, after, instead
        self.hooked_on: RuleDecl | None = None  # of a hook on a rule
        self.results: list[VType] = []  # the types of all `result` statements so far
        self.loops = 0
        self.why_none: dict[tuple[int, int], str] = {}  # by place in the text: why what stands there may be none
        self.gave_up = False  # a statement was dropped: facts that it would have established are missing
        self.coming: list[str] = []  # names that will be bound once the source being elaborated is complete

    # ------------------------------------------------------------------------ findings

    def fail(self, code: str, headline: str, span: Span, label: str = "", **more: Unpack[Details]) -> Broken:
        """Adds a finding; `raise body.fail(…)` gives up the statement."""
        if self.gave_up and code in _LEANING:
            return Broken()
        if code == "R0432":
            whys = (why for (start, end), why in self.why_none.items() if span.start <= start and end <= span.end)
            more["notes"] = (*more.get("notes", ()), *whys)
        self.world.found.error(code, headline, span, label, **more)
        return Broken()

    def note_why(self, span: Span, why: str | None) -> None:
        """Notes why what is written here may be none; a finding that says so quotes it."""
        if why is not None:
            self.why_none[span.start, span.end] = why

    # ------------------------------------------------------------------------ names

    def local(self, name: str, value_type: VType) -> LocalDecl:
        """A local with the next number, not yet in scope."""
        made = LocalDecl(len(self.locals), name, value_type)
        self.locals.append(made)
        return made

    def bind(self, name: nodes.Name, value_type: VType) -> LocalDecl:
        """A local in scope from here to the end of the block."""
        self._refuse_hiding(name)
        made = self.local(name.text, value_type)
        self.put_in_scope(name, made)
        return made

    def put_in_scope(self, name: nodes.Name, made: LocalDecl | Expr) -> None:
        """From here to the end of the block the name means this."""
        self.names[name.text] = made
        self.places_of_names[name.text] = name.span
        self.declared.uses.bind(name, made.type)

    def note_local(self, name: str, span: Span) -> None:
        """Records a use of a local."""
        if not self.declared.uses.is_wanted:
            return
        bound = self.places_of_names.get(name)
        if bound is not None and bound.text == name:
            self.declared.uses.add(span, "local", bound)
        elif bound is not None:
            self.declared.uses.add(span, "word", name)

    def _refuse_hiding(self, name: nodes.Name) -> None:
        known = self.names.get(name.text)
        if known is not None and isinstance(known.type, Unknown):
            return  # bound by a statement that was dropped
        if known is not None:
            earlier = self.places_of_names.get(name.text, NOWHERE)
            others = () if earlier is NOWHERE else (Label(earlier, "which is this one"),)
            what, help = f"`{name.text}` is already the name of something here", "take another name"
            quantifier = _QUANTIFIER.search(earlier.source.text, 0, earlier.start) if others else None
            # What a quantifier binds ends with it, so the second name is still inside it, on whichever line it stands.
            if quantifier is not None:
                help += f", or end `{quantifier[1]} {name.text} in …` with brackets round it: it takes all that follows"
            self.world.found.error("R0321", what, name.span, "hides the one before", others=others, help=help)
        # If it were allowed, `let round = 3` below a table with a field `round` would be misread in every line that
        # follows.
        elif name.text in self.world.globals:
            what = f"`{name.text}` hides {self.describe_global(name.text)}"
            self.world.found.error("R0321", what, name.span, "a local of the same name", help="take another name")

    def describe_global(self, name: str) -> str:
        match self.world.globals.get(name, "word"):
            case "state":
                return f"`{name}` of the table"
            case "word":
                return f"`{name}`, a word of the language"
            case "rule":
                return f"the {self.declared.rules[name].rule.form} `{name}`"
            case sort:
                return f"the {sort} `{name}`"

    def var(self, local: LocalDecl, span: Span) -> LocalVar:
        """A local as an expression, with the type known at this point."""
        if isinstance(local.type, Unknown):
            raise Broken
        return self.known(LocalVar(local.type, span, local))

    def known(self, expr: AnyExpr) -> AnyExpr:
        """The expression, with its type narrowed by what is known."""
        facts = self.facts
        if not facts.known and not facts.ended:
            return expr
        key = key_of(expr)
        fact = facts.about(key)
        if fact is None and key in facts.ended and isinstance(expr.type, Maybe):
            self.note_why(expr.span, _ENDED.format(what=expr.span.text))
        return expr if fact is None else replace(expr, type=fact)

    def learn(self, expr: Expr, value_type: VType) -> None:
        """Learns that a path is of this type."""
        key = key_of(expr)
        # What a constant is needs no fact. `3 > p.coins` narrows the coins and not the 3.
        if key is not None and key[0] != "number":
            self.facts.learn(key, value_type, reads_of(expr))

    # ------------------------------------------------------------------------ blocks

    @contextmanager
    def block(self, begin: KnownFacts | None = None) -> Iterator[Way]:
        """A block: the names and facts inside it end with it. `begin`, and what it gives: see `Facts.block`."""
        names, places = dict(self.names), dict(self.places_of_names)
        try:
            with self.facts.block(begin) as way:
                yield way
        finally:
            self.names, self.places_of_names = names, places

    @contextmanager
    def speaking_to(self, player: Expr | None) -> Iterator[None]:
        before, self.actor = self.actor, player
        try:
            yield
        finally:
            self.actor = before

    @contextmanager
    def perhaps_never(self) -> Iterator[None]:
        """Inside, an expression may be evaluated never or several times, so no effect may be called in it."""
        before, self.ahead = self.ahead, None
        try:
            yield
        finally:
            self.ahead = before

    @contextmanager
    def gathering(self) -> Iterator[list[Stmt]]:
        """Collects the calls of effects inside; they will run before the statement."""
        before, self.ahead = self.ahead, []
        try:
            yield self.ahead
        finally:
            self.ahead = before

    def speaker(self, span: Span, verb: str) -> Expr:
        """The player that an imperative verb speaks to."""
        if self.actor is None:
            does = "may" if verb == "may" else f"{verb}s"
            what = f"nobody to speak to: who is it that {does}?"
            notes = ("a verb speaks to the player of `in turn` or `together`, else to the rule's first parameter",)
            raise self.fail("R0324", what, span, "no player acts here", notes=notes, help=f"say it: `p {does} …`")
        return self.actor


def parameters_in_scope(body: Body, params: tuple[LocalDecl, ...], names: tuple[nodes.Name | None, ...]) -> None:
    """Puts a rule's parameters in scope."""
    for param, name in zip(params, names, strict=True):
        body.locals.append(param)
        if name is None:
            continue
        body._refuse_hiding(name)
        body.put_in_scope(name, param)


def first_player(params: tuple[LocalDecl, ...], anywhere: bool = False) -> LocalDecl | None:
    """The player that a rule speaks to: its first parameter, or in a hook the first player in its pattern."""
    for param in params if anywhere else params[:1]:
        if isinstance(param.type, Player):
            return param
    return None


def suggestion(body: Body, name: str, more: tuple[str, ...] = ()) -> str | None:
    return did_you_mean(name, (*body.names, *more, *sorted(body.world.globals)))


# ---------------------------------------------------------------------------- help for an unknown name


_CALLED = {
    "len": "write `count(…)`",
    "length": "write `count(…)`",
    "size": "write `count(…)`",
    "number": "write `count(…)`",
    "random": "chance is `roll`, `shuffle`, `draw` from a bag and `pick … at random`",
    "rand": "chance is `roll`, `shuffle`, `draw` from a bag and `pick … at random`",
    "any": "write `some x in … has …`",
    "range": "write `1..5`; a loop that only counts is `repeat 5 times`",
    "sorted": "sets are sorted with `by`: `all c in … by lowest c.value`",
    "print": 'write `say "…"`',
    "next_player": "write `next(p)`",
    "row": "write `c in Cell where c.row == 3`",
    "column": "write `c in Cell where c.column == 3`",
}
_CALLED |= dict.fromkeys(("adjacent", "is_adjacent", "next_to", "is_next_to"), "write `b in neighbours(a)`")
_CALLED |= dict.fromkeys(("adjacent_to", "neighbors", "adjacents"), "write `neighbours(a)`")
_CALLED |= dict.fromkeys(("empty", "is_empty"), "write `… is empty`")
_WAY = "write `b in (reach from a through n in … where …)`"
_CALLED |= dict.fromkeys(("connected", "is_connected", "path", "has_path", "reachable"), _WAY)
_TO = "write `first d in Direction where toward(a, d) == b`; farther off, `where b in line(a, d)`"
_CALLED |= dict.fromkeys(("direction", "direction_of", "direction_to"), _TO)
_RIVAL = "the other one of two is `rival(p)`, all others are `rivals(p)`"
_CALLED |= dict.fromkeys(("opponent", "opponents", "other", "others", "other_player", "other_players", "enemy"), _RIVAL)
BEFORE = "the seat before p is `last of (players from p)`, the one after it `next(p)`"
_CALLED |= dict.fromkeys(("prev", "previous_player", "before", "left", "right", "left_of", "right_of"), BEFORE)
_PLAYER = "a rule names its player, `phase turn(p)`, and is called for each: `for p in players`, below it `turn(p)`"
_WHO = dict.fromkeys(("current_player", "active_player", "this_player", "me", "self", "player"), _PLAYER)
_WORDS = dict.fromkeys(("opponents", "opponent", "others", "enemies", "rivals"), "the others are `rivals(p)`")
_WORDS |= dict.fromkeys(("bank", "supply"), "what is paid leaves the game by itself: leave `to` out, or name a player")
_WORDS |= dict.fromkeys(("all", "everyone", "anyone"), "all seats are `everybody`, those still in the game `players`")
_WORDS |= dict.fromkeys(("directions", "diagonals"), "all directions are `Direction`: `for d in Direction where …`")
_WORDS |= {word: f"write the number, `{n}`" for n, word in enumerate(("two", "three", "four", "five", "six"), 2)}
_NAMES = ("name", "id", "row", "kind", "type", "title")
_SIZES = ("count", "size", "length", "number", "len", "height", "depth")
_MOST_LISTED = 6


def about_unknown(body: Body, text: str, members: tuple[str, ...]) -> str | None:
    """Help with a name that is unknown here."""
    near = (
        _reached_otherwise(body, text)
        or _WHO.get(text)
        or _WORDS.get(text)
        or suggestion(body, text, members)
        or _missing_parameter(body, text)
    )
    return near if near or members else "declare it under `table` or `each player`, or name it here with `let`"


def seat_of_more(declared: Declared, text: str) -> int:
    """The number of a seat of this name that only games of more players have; 0 if there is none."""
    names = [*declared.gathered.seats, *(f"seat{number}" for number in range(1, declared.gathered.most + 1))]
    numbers = [*range(1, len(declared.gathered.seats) + 1), *range(1, declared.gathered.most + 1)]
    return next((number for name, number in zip(names, numbers, strict=True) if name == text), 0)


def about_called(body: Body, text: str, known: tuple[str, ...]) -> str | None:
    """Help with something unknown that is called."""
    return _CALLED.get(text) or suggestion(body, text, known)


def about_map(body: Body, text: str) -> str:
    """Help with a map where its spaces are meant: `for c in board`, `board[3, 4]`."""
    asked = f"`{text}.distance(a, b)`, `{text}.neighbours(n)` …"
    found = body.declared.maps.get(text)
    if found is None or not found.nodes:
        return asked
    kind = body.declared.nodes[found.nodes[0]].kind
    return f"its spaces are `{kind}`, as in `for c in {kind}`; it answers {asked}"


def about_attribute(of: VType, text: str, owner: str, known: list[str]) -> str | None:
    """Help with an attribute that a thing does not have; `owner` is how the thing is written."""
    if isinstance(of, PlaceOf):
        if text in _SIZES:
            return f"write `count({owner})`"
        if text == "empty":
            return f"write `{owner} is empty`"
        if text in ("top", "bottom", "first", "last"):
            return f"write `{text} of {owner}`"
    if isinstance(of, SetOf):
        if isinstance(of.of, Die):
            return f"say which die: `{owner}[1].{text}`; of all of them, `sum(d.{text} for d in {owner})`"
        return f"each of them may have it: `sum(x.{text} for x in {owner})`, `some x in {owner} has x.{text} …`"
    near = did_you_mean(text, known)
    if near:
        return near
    if isinstance(of, Piece) and text in _NAMES:
        return f"compare what is printed: give the rows of {of} an attribute, `sort: Sort`; or ask `{owner} in {of}.…`"
    head = _head_of(of)
    if not 0 < len(known) <= _MOST_LISTED:
        return f"declare it below `{head}`" if head else None
    listed = f"it has {', '.join(f'`{name}`' for name in known)}"
    return f"{listed}; a new field is declared below `{head}`" if head else listed


def _head_of(of: VType) -> str | None:
    """The line below which fields of such a thing are declared."""
    if isinstance(of, Player):
        return "each player"
    if isinstance(of, Kinded) and len(of.kinds) == 1:
        return f"each {of.kinds[0]}"
    return None


def _reached_otherwise(body: Body, text: str) -> str | None:
    """`hand` is a field of each player; `suit` an attribute of cards."""
    declared = body.declared
    owners = [owner for owner, fields in declared.state.items() if text in fields and owner != "table"]
    if "player" in owners:
        player = "p" if body.rule is None or not body.rule.params else body.rule.params[0].name
        return f"each player has one: write `{player}.{text}`"
    owners += [kind for kind, attribute in declared.attribute_types if attribute == text]
    return f"each {owners[0]} has one: write `x.{text}`" if owners else None


def _missing_parameter(body: Body, text: str) -> str | None:
    """Help with an unknown single letter: it is meant as a parameter, or as a name bound by a line above."""
    if len(text) > 1:
        return None
    if body.rule is None or body.rule.params or body.rule.form in ("setup", "play"):
        return f"bind it first: `for {text} in …`, `let {text} = …`"
    return f"give the rule a parameter: `{body.rule.name}({text})`"
