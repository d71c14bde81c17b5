"""A routine `can_…` while it is being made: what it answers, what can still be told, what single statements demand.

A statement may demand that a counter is high enough, that a piece is there, or that there is room for it. Each demand
becomes a test: no if it fails, and on to the next. `foresight` goes over blocks of statements with these tests.

"Can be told" means: nothing on the road from the present state to the statement has changed what the test looks at.
After `move c to p.hand` the test `count(p.hand) < 7` would look at the hand without c, so it cannot be told.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace

from ...check import program as core
from ...check.expression_forms import RUNNING, may_fault
from ...check.forms import motion
from ...check.program import Block
from ...check.value_types import Maybe, Number, VType, none_of
from ...check.walk import Node, walk
from ...diagnostics.source import Span
from .. import ir
from ..analysis import Analysis
from ..fold import is_printed
from ..footprint import NOTHING, Footprints, Things, disturbs
from ..ir import FLAG, INDEX, Op, free_locals
from ..lowering import Lowering, held, suffices
from ..statement_facts import binders_of, fills_up, may_be_missing, may_leave_range
from ..unit import Unit
from .answers import NO, UNSURE, YES, Effort, Foreseen, Road, calls_out


class Demands:
    """The body of one routine. `low` writes its code; `road` says what has changed on the way to the next statement."""

    def __init__(
        self,
        unit: Unit,
        rule: core.RuleDecl,
        road: Road,
        analysis: Analysis | None = None,
        effort: Effort | None = None,
    ) -> None:
        self.unit = unit
        self.rule = rule
        self.road = road
        self.effort = effort or Effort()
        self.low = Lowering(unit, rule, framed=False)
        self.analysis = analysis or unit.analysis
        self.footprints: Footprints = unit.footprints
        self.reads: Things = NOTHING
        self.exact = True
        self.performs = False
        self.helps = False  # it says yes or no at least sometimes
        self.at: Span = rule.span  # the statement that is looked at
        self.doubt: Span | None = None  # the first one that cannot be told in every case

    def _say(self, answer: Op) -> None:
        self.low.add(ir.Return(answer))
        self.helps = True

    def _yes(self) -> None:
        self._say(YES)

    def _unsure(self) -> None:
        self.exact = False
        self.doubt = self.doubt or self.at
        self.low.add(ir.Return(UNSURE))

    def _no(self) -> None:
        # A trial that has stopped at chance or at an unseen card never comes to this refusal.
        if self.road.may_end:
            self._unsure()
        else:
            self._say(NO)

    def _when(self, condition: Op) -> None:
        """What is added from here on stands inside `if condition`, until the caller sets `low.out` back."""
        self.low.out = self.low.add(ir.If(condition)).then

    def _inside(self, condition: Op) -> AbstractContextManager[None]:
        """What is added stands inside `if condition`."""
        return self.low.inside(self.low.add(ir.If(condition)).then)

    def _unless(self, condition: Op) -> None:
        """Returns no unless the condition holds."""
        with self._inside(ir.Not(condition)):
            self._no()

    def _must(self, answer: Foreseen, op: Op) -> None:
        """Returns no or unsure if the answer is not yes; otherwise the routine goes on."""
        if not answer.name and op is YES:
            return
        self._take_over(answer)
        if answer.exact:
            self._unless(op)
            return
        # A no and an unsure of the other routine are both passed on as they are, which is why it is kept in a local.
        said = self.low.temporary("said", op, FLAG)
        with self._inside(ir.Not(said)):
            if self.road.may_end:
                self._unsure()
            else:
                self.exact = False
                self._say(said)

    def _take_over(self, answer: Foreseen) -> None:
        self.reads |= answer.reads
        self.performs = self.performs or answer.performs
        self.doubt = self.doubt or answer.doubt

    def _sees(self, *nodes: Node | None) -> bool:
        """True if nothing on the road has changed what these nodes look at. Then the answer depends on it, which is
        noted: whoever asks this routine after a change of that must not trust it."""
        present = [node for node in nodes if node is not None]
        inside = [part for node in present for part in walk(node)]
        # A number that may be out of range is a fault of the rules. It must show when the option is taken, and not hide
        # the option, so it is left to the trial.
        if any(may_fault(part) for part in inside):
            return False
        if any(isinstance(part, core.LocalVar) and part.local in self.road.unknown for part in inside):
            return False
        seen = frozenset(thing for node in present for thing in self.footprints.reads(node))
        if disturbs(self.road.changed, seen):
            return False
        self.reads |= seen
        return True

    def _goes_over(self, stmt: core.Stmt, before: Block, seen: bool = False) -> None:
        """Counts a statement as done: what it changes, and the names that it binds, cannot be told from here on."""
        changed = self._changed_by(stmt, before)
        may_end = not (seen or self.footprints.certain((stmt,), stmt if self._heeds_fault(stmt) else None))
        new = {getattr(stmt, "result", None), getattr(stmt, "chosen", None)}
        new |= {binder.local for binder in binders_of(stmt)}
        unknown = frozenset(local for local in new if isinstance(local, core.LocalDecl))
        road = self.road
        self.road = replace(
            road,
            changed=road.changed | changed,
            unknown=road.unknown | unknown,
            may_end=road.may_end or may_end,
        )

    def _heeds_fault(self, stmt: core.Stmt) -> bool:
        """Answers yes where the number that a statement writes is out of range: a fault does not hide an option, it
        shows when that is taken. False if this cannot be told."""
        match stmt:
            case core.SetField():
                field, owner, indexes, op, value = stmt.field, stmt.owner, stmt.indexes, stmt.op, stmt.value
            case core.Gain(up_to=False, amounts=(amount,)):
                field, owner, indexes, op, value = amount.field, stmt.player, amount.indexes, "+=", amount.amount
            case _:
                return False
        if not may_leave_range(stmt) or not isinstance(field.type, Number) or not self._sees(owner, *indexes, value):
            return False
        low = self.low
        address, written = low.x.field_address(field, owner, indexes), low.x.lower(value)
        if address.optional or (op != "=" and disturbs(self.road.changed, frozenset([field]))):
            return False
        if op != "=":
            self.reads |= {field}
            written = ir.Arithmetic("+" if op == "+=" else "-", held(field, address), written, type=INDEX)
        if calls_out(written):
            written = low.temporary("n", written, INDEX)
        least, most = (ir.Const(number, type=INDEX) for number in (field.type.low, field.type.high))
        with self._inside(ir.Or(ir.Compare("<", written, least), ir.Compare(">", written, most))):
            self._yes()
        return True

    def _changed_by(self, stmt: core.Stmt, before: Block) -> Things:
        """What a statement may change. `move c to p.hand` does not say where `c` lies; if it was chosen in the market,
        and nothing has moved since, it leaves that place and no other: the deck is as it was."""
        # Otherwise `choose c in market` / `move c to p.hand` / `draw 1 from deck to market` would be unsure: for all
        # that the move says, c might have come from the deck.
        changed, moved, home = self.footprints.writes((stmt,)), motion(stmt), self._chosen_in(stmt, before)
        if moved is None or home is None or moved.to_anywhere or not self._is_where_it_was(moved.kinds):
            return changed
        untouched = {place for place in self.unit.program.places if place not in (home.place, *moved.put_into)}
        return changed - untouched

    def _is_where_it_was(self, kinds: tuple[str, ...]) -> bool:
        return not disturbs(self.road.changed, self.footprints.whereabouts(kinds))

    def _chosen_in(self, stmt: core.Stmt, before: Block) -> core.PlaceRef | None:
        """The place in which the moved piece was chosen, unless hooks react to the move: they may do anything."""
        if not isinstance(stmt, core.MovePiece) or not isinstance(stmt.piece, core.LocalVar):
            return None
        if self.analysis.change_hooks(stmt) or self.analysis.move_hooks(stmt):
            return None
        for binder in (binder for chosen in before for binder in binders_of(chosen)):
            if binder.local is stmt.piece.local and isinstance(binder.source, core.PlaceRef):
                return binder.source
        return None

    def _is_own(self, player: core.Expr) -> bool:
        """True for the player who looks ahead, the first parameter of the rule. That player chooses the way; what
        others would choose is not known."""
        params = self.rule.params
        return isinstance(player, core.LocalVar) and bool(params) and player.local is params[0]

    # ------------------------------------------------------------------ what single statements demand

    def _holds(self, stmt: core.Lose) -> bool:
        low = self.low
        for amount in stmt.amounts:
            if disturbs(self.road.changed, frozenset([amount.field])):
                return False
            self.reads |= {amount.field}
            there = held(amount.field, low.x.field_address(amount.field, stmt.player, amount.indexes))
            self._unless(suffices(amount.field, there, low.x.lower(amount.amount)))
        return True

    def _has_piece(self, piece: core.Expr, before: Block) -> bool:
        if may_be_missing(piece, before):
            if not self._sees(piece):
                return False
            self._unless(is_there(self.low.x.lower(piece), piece.type))
        return True

    def _there_is_one(self, binder: core.Binder) -> None:
        local, source, where = self.low.x.source(binder)
        self.low.types[local] = binder.local.type
        there = ir.First(local, source, where, type=Maybe(binder.local.type))
        self._unless(is_there(there, there.type))

    def _has_room(self, to: core.Destination, before: Block) -> bool:
        low = self.low
        if not fills_up(to, before):
            return True
        assert isinstance(to.place, core.PlaceRef)
        place = to.place.place
        if (place.shape == "slots" and to.place.slot is None) or not self._sees(to.place):
            return False
        if place.shape in ("slot", "slots"):
            self._unless(low.x.lower(core.IsEmpty(FLAG, to.place.span, to.place)))
        else:
            held = ir.Count(low.x.contents(to.place), type=INDEX)
            self._unless(ir.Compare("<", held, ir.Const(place.capacity, type=INDEX)))
        return True

    def _moves_what_is_seen(self, stmt: core.Stmt, before: Block) -> bool:
        """True if the moved piece was chosen in sight of its player and no hook reacts to the move. Then a trial does
        not stop at it: everything about the move is known beforehand."""
        place = self._chosen_in(stmt, before)
        if place is None:
            return False
        own = place.owner is not None and self._is_own(place.owner)
        return place.place.visibility == "open" or (place.place.visibility == "secret" and own)

    def _at_least(self, test: core.Expr, loops: list[tuple[str, Op, Op | None]]) -> Op | None:
        """A test that the cheapest candidate could be paid, if the price is printed on what is chosen."""
        op = self.low.x.lower(test)
        if not isinstance(op, ir.Compare) or op.sign != ">=":
            return None
        # What there is must be the same for all candidates: `c.budget >= c.price` has no cheapest c.
        if any(name in free_locals(op.left) for name, _, _ in loops):
            return None
        price = op.right
        for local, source, _ in loops:
            if not isinstance(source, ir.Sequence) or not source.values:
                continue
            if not isinstance(price, ir.Const) and is_printed(price, local):
                cheapest = min(self.unit.worked_out(price, local, source.values))
                return ir.Compare(">=", op.left, ir.Const(cheapest, type=INDEX))
        return None

    def _call(self, stmt: core.CallRule | core.Perform) -> tuple[Foreseen, Op] | None:
        low = self.low
        if isinstance(stmt, core.Perform):
            return self._performing(stmt)
        rule = stmt.rule
        # A rule with decisions answers for the player it is called with. If that is somebody else, "some way leads
        # through" is the wrong question.
        if self.analysis.entry_framed(rule) and not (stmt.args and rule.params and self._is_own(stmt.args[0])):
            return None
        answer = self.unit.foresee(rule)
        # That another rule is running by now does not matter: a condition that asks for it is unsure in the called
        # routine itself, so no answer rests on it.
        if answer is None or not self._sees(*stmt.args) or disturbs(self.road.changed - {RUNNING}, answer.reads):
            return None
        if not answer.name:
            return answer, YES
        self.reads |= answer.reads
        return answer, ir.CallValue(answer.name, tuple(low.x.lower_all(stmt.args)), type=FLAG)

    def _performing(self, stmt: core.Perform) -> tuple[Foreseen, Op] | None:
        """A cell calls rules that are known only at run time. The runtime always gives an exact answer for it, by trial
        if it has to."""
        low = self.low
        # Any cell may be meant, so whatever any of their rules looks at must be unchanged.
        looked = frozenset(thing for rule in self.analysis.cell_rules for thing in self.footprints.rule_reads(rule))
        if disturbs(self.road.changed - {RUNNING}, looked) or not self._is_own(stmt.player):
            return None
        if not self._sees(stmt.cell, *(value for _, value in stmt.given)):
            return None
        self.reads |= looked
        given = tuple(ir.Given(name, low.x.lower(value)) for name, value in stmt.given)
        op = ir.CanPerform(low.x.lower(stmt.cell), low.x.lower(stmt.player), given, span=stmt.span)
        return Foreseen("can_perform", reads=looked, performs=True), op

    def _flag(self) -> ir.Local:
        """A new local that is set to no at the beginning of the routine."""
        name = self.unit.temporary("doubt")
        # In front of everything: where the doubt comes up, the code stands inside loops, each pass of which would set
        # it back.
        self.low.body.insert(0, ir.Let(name, NO))
        return ir.Local(name, type=FLAG)


def is_there(piece: Op, of: VType) -> Op:
    return ir.Not(ir.IsNone(piece, none_of(of)))


def at_least(value: Op, least: Op) -> Op:
    return ir.Compare(">=", value, least)
