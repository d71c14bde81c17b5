"""The findings about secrets, and the questions that lead to them.

`Leaks` is asked at each statement, with what is known there (`known.Known`), and reports what goes beyond it. It does
not follow statements: `visibility` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..diagnostics.diagnostic import Diagnostics, Label
from ..diagnostics.source import Span
from . import program as p
from .known import HIDDEN, OPEN, PUBLIC, Known, Level, Symbol, may_know, mentions_any, seat_level, within
from .levels import Levels
from .secret_refusals import secret_reads
from .value_types import Flag, Piece, Player, bare
from .walk import Node, conjuncts, walk, walk_rule


def _secret_names(node: Node | None, at: Known | None) -> list[p.LocalDecl]:
    """The names in a piece of rules that stand for what not everybody knows."""
    if node is None or at is None:
        return []
    names = dict.fromkeys(part.local for part in walk(node) if isinstance(part, p.LocalVar))
    return [name for name in names if at.locals.get(name, PUBLIC).all]


MAY_ASK = "ask only for what lies open or is the player's own, or `reveal` it before"
_FROM_BEHIND = (
    "what all see from behind is an attribute with `back`; where the owner alone knows the face, a piece that all see "
    "carries it (`each Block` / `man: slot of Man secret`), or `reveal` it before"
)

SAY_WHOSE = "say whose the piece is, where it gets its name: `for u in … where u.owner == p`"

_REVEAL_TO_OWNER = "`reveal` it to the owner before, or make hidden what is written there"
_REVEAL = "`reveal` it before, or say `public(…)` if all are to be told what it gives"


def _all_at_once(binder: p.Binder) -> str:
    """The help where a loop over a closed place shows or moves some of what lies there, one by one."""
    assert binder.where is not None
    name, these = binder.local.name, f"{binder.source.span.text} where {binder.where.span.text}"
    shown, moved = f"`reveal all {name} in {these}`", f"`move all {name} in {these} to …`"
    return f"show them all at once, {shown}; behind that {moved} may stand"


class Leaks(Levels):
    """`muted` counts the automa rules we are in: the game's own seat may know everything."""

    def __init__(self, program: p.Program, found: Diagnostics) -> None:
        super().__init__(program)
        self.found = found
        self.muted = 0
        self.reported: set[tuple[str, object]] = set()
        self.automas = {automa.seat for automa in program.automas}
        # While players choose together: whose body this is, what bodies write, what they read of others.
        self.together: Symbol | None = None
        self.written: set[p.StateDecl] = set()
        self.read: list[tuple[p.StateDecl, Span]] = []
        # Where a card lies, or is missing, that its player has laid down unseen.
        self.laid_unseen: set[p.PlaceDecl] = set()
        # An `if` with which each pass of a loop begins: what the loop binds.
        self.asked_first: dict[p.If, p.Binder] = {}
        # The rules that are being followed, with their calls.
        self.called_from: list[tuple[p.RuleDecl, Span]] = []
        self.gone_over: dict[p.Expr, p.Binder] = {}  # of the `where` of each loop over pieces: what it binds

    # ------------------------------------------------------------------------ reports

    def report(
        self,
        code: str,
        headline: str,
        span: Span,
        label: str,
        reads: Node | None,
        help: str,
        at: Known | None = None,
        notes: tuple[str, ...] = (),
    ) -> None:
        """`reads`: what tells the secret; the declarations that make it secret get a label of their own."""
        if not self.muted and not self._is_told(code, span, reads, at):
            secret = self._what_is_secret(reads, at)
            others = tuple(Label(one.span, f"`{one.name}` is {_WHO_SEES_IT[one.visibility]}") for one in secret)
            if not others and not isinstance(reads, p.LocalVar):
                names = dict.fromkeys(local.name for local in _secret_names(reads, at))
                notes = (*(f"not all know what `{name}` stands for" for name in names), *notes)
            notes = (*notes, *self._given(reads))
            self.found.error(code, headline, span, label, others=others, notes=notes, help=help)

    def _given(self, reads: Node | None) -> Iterator[str]:
        """Of several calls of a rule one may give it a secret: which one."""
        rule, span = self.called_from[-1] if self.called_from else (None, None)
        if rule is not None and span is not None and reads is not None:
            names = (part.local for part in walk(reads) if isinstance(part, p.LocalVar))
            param = next((name for name in names if name in rule.params), None)
            if param is not None and not isinstance(bare(param.type), Player):
                yield f"`{param.name}` is what the call at {span.at} gives it"

    def _is_told(self, code: str, span: Span, reads: Node | None, at: Known | None) -> bool:
        """One cause, one report: True if this was reported before, or a name in it was. Whoever mends the first report
        mends this too. `let x = p.bid` / `if x > 3` / … / `if x > 5`."""
        causes: set[tuple[str, object]] = {(code, span), *((code, name) for name in _secret_names(reads, at))}
        is_told = not causes.isdisjoint(self.reported)
        self.reported |= causes
        return is_told

    def _what_is_secret(self, node: Node | None, at: Known | None) -> list[p.StateDecl]:
        """The declarations behind a secret: what the node reads, and what the names in it stand for."""
        if node is None:
            return []
        nodes = list(walk(node))
        performed = [part.cell for part in nodes if isinstance(part, p.CanPerform | p.FormulaCall)]
        in_cells = [inner for cell in performed for rule in self.rules_in_cells(cell) for inner in walk_rule(rule)]
        # Of a closed pile all may count the cards: in `count(deck) < n` the secret is n.
        found = dict.fromkeys(secret_reads([*nodes, *in_cells], sizes=not _secret_names(node, at)))
        places = [part.place for part in nodes if isinstance(part, p.PlaceRef)]
        found.update(dict.fromkeys(place for place in places if place in self.covered))
        for read in nodes:
            if isinstance(read, p.LocalVar) and at is not None:
                found.update(dict.fromkeys(self._behind_name(read, at)))
        return list(found)

    def _behind_name(self, name: p.LocalVar, at: Known) -> list[p.StateDecl]:
        info, symbol = at.locals.get(name.local, PUBLIC), self.symbol(name, at)
        state: list[p.StateDecl] = [*self.program.fields, *self.program.places]
        return [
            decl
            for decl in state
            if (decl.visibility != "open" or decl in self.covered)
            and (decl is info.origin or mentions_any(symbol, frozenset([id(decl)])))
        ]

    def turns_on_secret(
        self,
        cause: p.Expr | p.Binder | None,
        span: Span,
        at: Known | None = None,
        help: str = _REVEAL,
        *,
        to_owner: bool = False,
    ) -> None:
        """`span`: what everybody sees happen; `to_owner`: only the owner of the field that is written there."""
        shown = cause.span if cause is not None else span
        who, see = ("its owner", "only its owner sees") if to_owner else ("all players", "all players see")
        notes = () if shown == span else (f"{see} this: `{_first_line(span)}` ({span.at})",)
        chosen = isinstance(cause, p.LocalVar) and at is not None and at.locals.get(cause.local, PUBLIC).by_choice
        if to_owner:
            help = _REVEAL_TO_OWNER
        elif chosen:
            help = "choose it openly; only between closed places without an order does a piece go unseen"
        elif isinstance(cause, p.Expr) and cause in self.gone_over:
            help = _all_at_once(self.gone_over[cause])
        what = "what an owner sees turns on a secret" if to_owner else "what happens openly turns on a secret"
        is_flag = isinstance(cause, p.Expr) and isinstance(cause.type, Flag)
        learnt = "whether this holds" if is_flag else "what this gives"
        label = f"{who} would see {'what was chosen `secretly`' if chosen else learnt}"
        self.report("R0512", what, shown, label, cause, help, at, notes)

    def openly(self, expr: p.Expr | None, at: Known) -> None:
        """What this gives decides what everybody sees."""
        if expr is not None and self.level(expr, at):
            self.turns_on_secret(expr, expr.span, at)

    def happens(self, statement: p.Stmt, at: Known) -> None:
        """Something that everybody sees happens here: it must not be due to a secret."""
        if at.behind:
            self.turns_on_secret(at.because, statement.span, at)

    # ------------------------------------------------------------------------ decisions

    def known_to_chooser(
        self, expr: p.Expr | p.Binder | None, level: Level, player: Symbol, at: Known | None = None, help: str = MAY_ASK
    ) -> None:
        if expr is not None and not may_know(level, player):
            what = "a decision rests on what its player may not know"
            label = "the player who decides would learn this" if HIDDEN not in level else "nobody may know this"
            if help is MAY_ASK and not self.covered.isdisjoint(self._what_is_secret(expr, at)):
                help = _FROM_BEHIND
            self.report("R0511", what, expr.span, label, expr, help, at)

    def before_eyes(self, at: Known) -> Known:
        """What is known if a card that was chosen openly and laid down unseen counts as unseen. The rules may go by it,
        and others learn from what happens as much as that tells; but what is offered would tell one player alone."""
        closed = at.known & self.laid_unseen
        if not closed:
            return at
        seen = at.copy()
        seen.known -= closed
        return seen

    # ------------------------------------------------------------------------ texts

    def text_for(
        self, text: p.Template | None, player: Symbol, at: Known, pointed: Mapping[p.LocalDecl, str] | None = None
    ) -> None:
        """A label or prompt, read by the player who decides. `pointed`: pieces that are chosen by where they lie, with
        the place."""
        at = self.before_eyes(at)
        for part in text.parts if text is not None else ():
            if isinstance(part, p.Expr):
                place = (pointed or {}).get(part.local) if isinstance(part, p.LocalVar) else None
                help = f"say where it lies: `{{position({part.span.text}, {place})}}`" if place else MAY_ASK
                self.known_to_chooser(part, self.info(part, at).all, player, at, help)

    def read_when_chosen(self, text: p.Template, at: Known) -> None:
        """The label of the option taken stands in the log. A piece in it is named to those who know it; anything else
        is read by all."""
        for part in text.parts:
            if isinstance(part, p.Expr) and not isinstance(bare(part.type), Piece) and self.untold(part, at):
                label = "all players read it in the log when the option is taken"
                help = "leave it out, or `choose … secretly`"
                self.report("R0515", "this label tells a secret", part.span, label, part, help, at)

    def untold(self, expr: p.Expr, at: Known) -> Level:
        """What one must know to know a hole of a text that is made anew whenever somebody looks: `public` tells it to
        nobody there, since no rule is carried out."""
        told = [part.args[0] for part in walk(expr) if isinstance(part, p.Builtin) and part.name == "public"]
        return self.info(expr, at).all.union(*(self.info(part, at).all for part in told))

    def told_to_all(self, text: p.Template | None, what: str, at: Known) -> None:
        """A title, a reason or a name of a score: everybody reads it, whoever decides at the moment."""
        for part in text.parts if text is not None else ():
            if isinstance(part, p.Expr) and (self.untold(part, at) if what == "title" else self.info(part, at).all):
                label = f"all players read the {what}"
                help = "leave it out, or `reveal` it before"
                self.report("R0515", f"this {what} tells a secret", part.span, label, part, help, at)

    def told(self, statement: p.Say, at: Known) -> None:
        """Checks a line of the log: what its holes tell, and what it tells that the line is said at all."""
        reader = statement.to
        allowed, who = OPEN, "all players read this"
        if reader is not None and isinstance(reader.type, Player):
            self.openly(reader, at)
            allowed, who = seat_level(self.symbol(reader, at)), "the player to whom it is said may not know this"
        tells: list[tuple[Node, Span]] = [
            (part, part.span)
            for part in statement.text.parts
            if isinstance(part, p.Expr) and not within(self.info(part, at).all, allowed)
        ]
        if not within(at.behind, allowed):
            tells.append((at.because or statement.text, statement.text.span))
        for reads, span in tells[:1]:
            label = who if reads is not at.because else "that it is said tells what decided it"
            help = "leave it out, say it `to` the one who knows, or `reveal` it before"
            self.report("R0515", "this tells a secret", span, label, reads, help, at)

    # ------------------------------------------------------------------------ together

    def writes(self, decl: p.StateDecl, owner: Symbol, span: Span, at: Known) -> bool:
        """A field or place changes: while players choose together it must be the player's own secret, or a place of
        that player into which nobody sees. What belongs to a piece of that player is the player's own, too. False if
        it is refused."""
        if self.together is None:
            return True
        self.written.add(decl)
        closed = ("secret", "hidden") if isinstance(decl, p.PlaceDecl) else ("secret",)
        # All choose at the same time, but the rules run seat by seat. Whoever comes later would see what is open, and
        # the order of the seats would decide a race.
        if decl.visibility in closed and self._is_own(decl, owner, at):
            return True
        what = f"`{decl.name}` is changed while players choose together"
        help = (
            "write only secret fields and secret or hidden places of this player; behind the block `reveal` them, "
            "and do the rest in a loop over the players"
        )
        label = "not a secret of the player whose turn this is"
        if decl.visibility in closed and decl.owner == "table":
            label = "it belongs to the table, and not to the player whose turn this is"
        elif decl.visibility in closed and decl.owner == "piece":
            label = "it may belong to a piece of somebody else"
            help = SAY_WHOSE
        self.report("R0516", what, span, label, None, help)
        return False

    def _is_own(self, decl: p.StateDecl, owner: Symbol, at: Known) -> bool:
        """Whether this field or place surely belongs to the player who chooses together with others, or to a piece of
        which the rules have said so (`u.owner == p`): no body of another player comes to the same one."""
        if owner == self.together:
            return True
        return decl.owner == "piece" and self.together in at.readers(("owner", owner))

    def end_together(self) -> None:
        for decl, span in self.read:
            # Found only at the end of the block: a later line may write what an earlier one has read.
            if decl in self.written:
                what = f"`{decl.name}` of another player is read while players choose together"
                help = "read it after the block, when all have chosen"
                self.report("R0516", what, span, "another player may be changing it", None, help)
        self.together, self.written, self.read = None, set(), []

    def reads(self, decl: p.StateDecl, owner: p.Expr | None, span: Span, at: Known) -> None:
        if self.together is not None and not self._is_own(decl, self.symbol(owner, at), at):
            self.read.append((decl, span))

    def is_for_automa(self, condition: p.Expr | None) -> bool:
        """Whether a condition says that the seat is an automa: `p == daniel`, `p is automa`, alone or with `and`."""
        for part in conjuncts(condition):
            if isinstance(part, p.IsAutoma):
                return True
            if isinstance(part, p.Compare) and part.op == "==" and isinstance(part.left.type, Player):
                sides = [side.value for side in (part.left, part.right) if isinstance(side, p.Const)]
                if any(seat in self.automas for seat in sides):
                    return True
        return False


_WHO_SEES_IT = {
    "secret": "secret: only its owner sees it",
    "hidden": "hidden: nobody sees it",
    "top_open": "open at its top only",
    "open_to_others": "open to others: all but its owner see it",
    "open": "open, but something may lie there face down: until it is turned up or revealed nobody sees what it is",
}


def _first_line(span: Span) -> str:
    return span.text.strip().splitlines()[0].strip() if span.text.strip() else "what follows"
