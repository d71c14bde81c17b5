"""The findings about secrets, and the questions that lead to them.

`Leaks` knows at each statement what may be known (`levels.Known`) and reports what goes beyond it. It does not follow
statements: `visibility` does.
"""

from __future__ import annotations

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Span
from . import program as p
from .levels import HIDDEN, OPEN, Info, Known, Level, Levels, Symbol, seat_level
from .loops import called_rules
from .value_types import Player
from .walk import Node, walk, walk_rule


class Leaks(Levels):
    """`muted` counts the automa rules we are in: the game's own seat may know everything."""

    def __init__(self, program: p.Program, found: Diagnostics) -> None:
        super().__init__()
        self.program = program
        self.found = found
        self.muted = 0
        self.automas = {automa.seat for automa in program.automas}
        # While players choose together: whose body this is, what bodies write, what they read of others.
        self.together: Symbol | None = None
        self.written: set[p.FieldDecl | p.PlaceDecl] = set()
        self.read: list[tuple[p.FieldDecl | p.PlaceDecl, Symbol, Span]] = []

    # ------------------------------------------------------------------------ reports

    def report(self, code: str, headline: str, span: Span, label: str, reads: Node | None, help: str) -> None:
        if not self.muted:
            self.found.error(code, headline, span, label, notes=self._what_is_secret(reads), help=help)

    def _what_is_secret(self, node: Node | None) -> tuple[str, ...]:
        if node is None:
            return ()
        nodes = list(walk(node))
        nodes += [inner for rule in called_rules(nodes) for inner in walk_rule(rule)]
        told = []
        for read in nodes:
            decl = read.place if isinstance(read, p.PlaceRef) else read.field if isinstance(read, p.FieldRead) else None
            if decl is not None and decl.visibility != "open":
                note = f"`{decl.name}` is {decl.visibility.replace('_', ' ')} ({decl.span.at})"
                told += [note] if note not in told else []
        return tuple(told)

    def turns_on_secret(self, cause: p.Expr | p.Binder | None, span: Span) -> None:
        self.report(
            "R0512",
            "what happens openly turns on a secret",
            cause.span if cause is not None else span,
            "not known to all players here",
            cause,
            "reveal it before, or say `public(…)` if all are to be told what it gives",
        )

    def openly(self, expr: p.Expr | None, at: Known) -> None:
        """What this gives decides what everybody sees."""
        if expr is not None and self.level(expr, at):
            self.turns_on_secret(expr, expr.span)

    def happens(self, statement: p.Stmt, at: Known) -> None:
        """Something that everybody sees happens here: it must not be due to a secret."""
        if at.behind:
            self.turns_on_secret(at.because, statement.span)

    # ------------------------------------------------------------------------ decisions

    def may_know(self, level: Level, player: Symbol) -> bool:
        return level <= seat_level(player)

    def known_to_chooser(self, expr: p.Expr | p.Binder | None, level: Level, player: Symbol) -> None:
        if expr is not None and not self.may_know(level, player):
            self.report(
                "R0511",
                "a decision rests on what its player may not know",
                expr.span,
                "unknown to the player who decides" if HIDDEN not in level else "nobody may know this",
                expr,
                "ask only for what lies open or is the player's own, or reveal it before",
            )

    def text_level(self, text: p.Template, at: Known) -> Level:
        """What one must know to read a text: the names of pieces tell what is printed on them."""
        level: Level = OPEN
        for part in text.parts:
            if isinstance(part, p.Expr):
                level |= self.info(part, at).all
        return level

    def text_for(self, text: p.Template | None, player: Symbol, at: Known) -> None:
        """A label or prompt, read by the player who decides."""
        for part in text.parts if text is not None else ():
            if isinstance(part, p.Expr):
                self.known_to_chooser(part, self.info(part, at).all, player)

    def told(self, statement: p.Say, at: Known) -> None:
        level = self.text_level(statement.text, at) | at.behind
        reader = statement.to
        allowed = OPEN
        if reader is not None and isinstance(reader.type, Player):
            allowed = seat_level(self.symbol(reader, at))
        if not level <= allowed:
            self.report(
                "R0515",
                "this tells a secret",
                statement.text.span,
                "not known to all who read it",
                statement.text,
                "leave it out, say it `to` the one who knows, or reveal it before",
            )

    # ------------------------------------------------------------------------ together

    def writes(self, decl: p.FieldDecl | p.PlaceDecl, owner: Symbol, span: Span) -> None:
        """A field or place changes: while players choose together it must be the player's own secret."""
        if self.together is None:
            return
        self.written.add(decl)
        if decl.visibility != "secret" or owner != self.together:
            self.report(
                "R0516",
                f"`{decl.name}` is changed while players choose together",
                span,
                "not a secret of the player whose turn this is",
                None,
                "write only the player's own secret fields and places, and do the rest after the block",
            )

    def end_together(self) -> None:
        for decl, owner, span in self.read:
            if decl in self.written and owner != self.together:
                self.report(
                    "R0516",
                    f"`{decl.name}` of another player is read while players choose together",
                    span,
                    "another player may be changing it",
                    None,
                    "read it after the block, when all have chosen",
                )
        self.together, self.written, self.read = None, set(), []

    def _field(self, expr: p.FieldRead, at: Known) -> Info:
        if self.together is not None:
            self.read.append((expr.field, self.symbol(expr.owner, at), expr.span))
        return super()._field(expr, at)

    def _place(self, ref: p.PlaceRef, at: Known) -> Info:
        if self.together is not None:
            self.read.append((ref.place, self.symbol(ref.owner, at), ref.span))
        return super()._place(ref, at)

    # ------------------------------------------------------------------------ automa

    def is_for_automa(self, condition: p.Expr | None) -> bool:
        """Whether a condition says that the seat is an automa: `p == daniel`, `p is automa`, alone or with `and`."""
        match condition:
            case p.Logic(op="and"):
                return self.is_for_automa(condition.left) or self.is_for_automa(condition.right)
            case p.IsAutoma():
                return True
            case p.Compare(op="==", left=left, right=right):
                sides = [side.value for side in (left, right) if isinstance(side, p.Const)]
                return isinstance(left.type, Player) and any(seat in self.automas for seat in sides)
            case _:
                return False
