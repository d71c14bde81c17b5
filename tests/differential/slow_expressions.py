"""Expressions of the checked program, evaluated by walking them.

One short method an expression, named after it. Sets are tuples, a place stands for the tuple of what lies in it, a
flag is 0 or 1. Nothing here changes the state.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from interpreter.check import program as p
from interpreter.check.value_types import (
    NO_NUMBER,
    NONE,
    Maybe,
    NoneOnly,
    Number,
    PlaceOf,
    Player,
    SetOf,
    VType,
    bare,
    none_of,
)

from . import slow_maps
from .slow_state import Key, SlowState, Table

Value = Any  # a number, or a tuple of numbers for a set


class SlowFault(Exception):
    """A value out of range, a limit met, a dead end: the ruleset is wrong."""


@dataclass(frozen=True)
class Frame:
    """A running rule, or a running effect cell, on top of what called it."""

    rule: p.RuleDecl | None
    args: tuple[Value, ...]
    cell: int | None
    below: Frame | None

    @cached_property
    def depth(self) -> int:
        """How many frames there are, this one and all below it."""
        return 1 if self.below is None else self.below.depth + 1

    def __iter__(self) -> Iterator[Frame]:
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.below


@dataclass(frozen=True)
class Env:
    """Where a statement stands: never changed, only replaced, so that a continuation can be gone into twice."""

    rule: p.RuleDecl | None
    frame: Frame | None
    locals: dict[int, Value]
    phase: object = None  # the running phase
    turn: object = None  # the present pass through its innermost loop
    own_phase: bool = False  # whether this body is that phase's own (its loops count)
    stop: Callable[[], Any] | None = None
    done: Callable[[Value], Any] | None = None
    prevent: Callable[[], Any] | None = None
    previous: Callable[[tuple[Value, ...], Callable[[Value], Any]], Any] | None = None
    previous_value: Callable[[tuple[Value, ...]], Value] | None = None
    args: tuple[Value, ...] = ()

    def but(self, **changed: Any) -> Env:
        """The same with some fields changed. Much of a long test is spent here, and `dataclasses.replace` would go
        through all fields again."""
        other = object.__new__(Env)
        other.__dict__.update(self.__dict__, **changed)
        return other

    def bind(self, local: p.LocalDecl, value: Value) -> Env:
        other = object.__new__(Env)
        own = other.__dict__
        own.update(self.__dict__)
        own["locals"] = {**self.locals, local.number: value}
        return other

    def each(self, local: p.LocalDecl, items: Iterable[Value]) -> Iterator[Env]:
        """This with each of the items bound in turn, for expressions, which nobody goes back into: it is one Env that
        is bound again and again."""
        inner, number = self.bind(local, NONE), local.number
        for item in items:
            inner.locals[number] = item
            yield inner


_NOWHERE = Env(None, None, {})


class Methods(dict[type, Callable[..., Any]]):
    """By the class of an expression or statement: the method that is named after it. Every node that is walked over is
    looked up here, so it is a plain table."""

    def __init__(self, reader: type, prefix: str) -> None:
        self.reader, self.prefix = reader, prefix

    def __missing__(self, kind: type) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(self.reader, self.prefix + kind.__name__)
        self[kind] = found
        return found


_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


class Expressions:
    """The half of the evaluator that only reads."""

    program: p.Program
    table: Table
    state: SlowState
    readers: Methods  # of this class
    # What values have come to while a set is gone through, by rule, arguments and what runs: expressions change
    # nothing, so the same comes out again. None outside of that, and where a look ahead changes a copy of the state.
    known: dict[tuple[int, tuple[Value, ...], int], Value] | None = None

    def __init_subclass__(cls) -> None:
        cls.readers = Methods(cls, "ev_")

    def ev(self, expr: p.Expr, env: Env) -> Value:
        kind = type(expr)
        if kind is p.LocalVar:  # every third expression; a call less shows in the time of the whole run
            return env.locals[expr.local.number]  # type: ignore[attr-defined]
        return self.readers[kind](self, expr, env)

    def holds(self, condition: p.Expr | None, env: Env) -> bool:
        return condition is None or self.ev(condition, env) == 1

    def ev_as(self, expr: p.Expr, env: Env, target: VType) -> Value:
        """For a store: the word `none` becomes the none of the target's type."""
        return none_of(target) if isinstance(expr.type, NoneOnly) else self.ev(expr, env)

    def is_none(self, expr: p.Expr, value: Value) -> bool:
        if type(value) is tuple:
            return False
        if value != NONE and value != NO_NUMBER:  # most values
            return isinstance(expr.type, NoneOnly)
        return isinstance(expr.type, NoneOnly) or value == (NO_NUMBER if isinstance(bare(expr.type), Number) else NONE)

    # ------------------------------------------------------------------------ leaves

    def ev_Const(self, e: p.Const, env: Env) -> Value:
        return e.value

    def field_cell(self, field: p.FieldDecl, owner: p.Expr | None, indexes: tuple[p.Expr, ...], env: Env) -> Key | None:
        whose = -1 if owner is None else self.ev(owner, env)
        if owner is not None and whose == NONE:
            return None
        number = self.table.field_number[id(field)]
        return (number, whose, *[self.ev(index, env) for index in indexes]) if indexes else (number, whose)

    def ev_FieldRead(self, e: p.FieldRead, env: Env) -> Value:
        cell = self.field_cell(e.field, e.owner, e.indexes, env)
        return none_of(e.type) if cell is None else self.state.fields[cell]

    def ev_DieRef(self, e: p.DieRef, env: Env) -> Value:
        cell = self.field_cell(e.field, e.owner, (e.index,), env)
        return NONE if cell is None else self.table.die_number[cell]

    def ev_DiceGroup(self, e: p.DiceGroup, env: Env) -> Value:
        whose = -1 if e.owner is None else self.ev(e.owner, env)
        number = self.table.field_number[id(e.field)]
        return tuple(n for n, cell in enumerate(self.table.dice) if cell[:2] == (number, whose))

    def ev_Face(self, e: p.Face, env: Env) -> Value:
        die = self.ev(e.die, env)
        return none_of(e.type) if die == NONE else self.state.fields[self.table.dice[die]]

    def ev_AttributeOf(self, e: p.AttributeOf, env: Env) -> Value:
        found: Any = e.table.values[self.ev(e.of, env)]
        for dimension, index in zip(e.table.dimensions, e.indexes, strict=True):
            number = self.ev(index, env)
            found = found[-1 if self.is_none(index, number) else number - dimension.low]
        return found

    def ev_InRange(self, e: p.InRange, env: Env) -> Value:
        value = self.ev(e.of, env)
        if not e.low <= value <= e.high and not self.is_none(e.of, value):
            raise SlowFault(f"{e.what} is {value}, outside {e.low}..{e.high}")
        return value

    def ev_ChartCell(self, e: p.ChartCell, env: Env) -> Value:
        row = 0
        for dimension, arg in zip(e.chart.dimensions, e.args, strict=True):
            row = row * dimension.size + self.ev(arg, env) - dimension.low
        return e.chart.columns[e.column].values[row]

    # ------------------------------------------------------------------------ places

    def place_keys(self, ref: p.Expr, env: Env) -> list[Key]:
        """The places a reference stands for: one, or each slot in order, or none at all (owner none)."""
        if isinstance(ref, p.SlotPiece):
            return self.place_keys(ref.place, env)
        assert isinstance(ref, p.PlaceRef), ref
        owner = -1 if ref.owner is None else self.ev(ref.owner, env)
        if ref.owner is not None and owner == NONE:
            return []
        base: Key = (self.table.place_number[id(ref.place)], owner)
        if ref.indexes:
            base = (*base, *[self.ev(index, env) for index in ref.indexes])
        if ref.slot is not None:
            return [(*base, self.ev(ref.slot, env))]
        return [base] if ref.place.slot_dimension is None else self.table.slots_of(ref.place, base)

    def in_box(self) -> tuple[int, ...]:
        return tuple(piece for piece in self.table.all_pieces if piece not in self.state.at)

    def ev_PlaceRef(self, e: p.PlaceRef, env: Env) -> Value:
        keys, contents = self.place_keys(e, env), self.state.contents
        return tuple(contents[keys[0]] if len(keys) == 1 else [piece for key in keys for piece in contents[key]])

    def ev_Box(self, e: p.Box, env: Env) -> Value:
        return self.in_box()

    def ev_SlotPiece(self, e: p.SlotPiece, env: Env) -> Value:
        pieces = self.ev(e.place, env)
        if not pieces and e.is_tested:
            raise SlowFault(f"{e.place.place.name} is empty")
        return pieces[0] if pieces else NONE

    def ev_EndOf(self, e: p.EndOf, env: Env) -> Value:
        items = self.ev(e.of, env)
        if not items:
            return self._nothing(e)
        return items[0] if e.end in ("top", "first") else items[-1]

    # ------------------------------------------------------------------------ arithmetic and logic

    def ev_Arithmetic(self, e: p.Arithmetic, env: Env) -> Value:
        left, right = self.ev(e.left, env), self.ev(e.right, env)
        match e.op:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "div":
                return left // right
            case "mod":
                return left % right
        raise AssertionError(e.op)

    def ev_Negative(self, e: p.Negative, env: Env) -> Value:
        return -self.ev(e.of, env)

    def ev_Compare(self, e: p.Compare, env: Env) -> Value:
        left, right = self.ev(e.left, env), self.ev(e.right, env)
        is_plain = type(left) is int and type(right) is int and left >= 0 and right >= 0  # what is none is below 0
        if not is_plain and (self.is_none(e.left, left) or self.is_none(e.right, right)):
            return int(e.op == "!=")
        if type(left) is tuple:
            left, right = set(left), set(right)
        return int(_COMPARED[e.op](left, right))

    def ev_Logic(self, e: p.Logic, env: Env) -> Value:
        left = self.holds(e.left, env)
        if e.op == "and":
            return int(left and self.holds(e.right, env))
        return int(left or self.holds(e.right, env))

    def ev_Not(self, e: p.Not, env: Env) -> Value:
        return int(not self.holds(e.of, env))

    def ev_IfElse(self, e: p.IfElse, env: Env) -> Value:
        return self.ev_as(e.then if self.holds(e.condition, env) else e.otherwise, env, e.type)

    def ev_Otherwise(self, e: p.Otherwise, env: Env) -> Value:
        value = self.ev(e.value, env)
        return self.ev_as(e.fallback, env, e.type) if self.is_none(e.value, value) else value

    def ev_Member(self, e: p.Member, env: Env) -> Value:
        item = self.ev(e.item, env)
        return int(not self.is_none(e.item, item) and item in self.ev(e.source, env))

    def ev_IsKind(self, e: p.IsKind, env: Env) -> Value:
        number = self.ev(e.of, env)
        return int(any(low <= number < low + size for low, size in e.ranges))

    def ev_IsNone(self, e: p.IsNone, env: Env) -> Value:
        return int(self.is_none(e.of, self.ev(e.of, env)))

    def ev_IsEmpty(self, e: p.IsEmpty, env: Env) -> Value:
        return int(not self.ev(e.of, env))

    def ev_IsFull(self, e: p.IsFull, env: Env) -> Value:
        return int(all(self.is_full(key) for key in self.place_keys(e.of, env)))

    def is_full(self, key: Key) -> bool:
        decl = self.table.place_of(key)
        most = 1 if decl.shape in ("slot", "slots") else decl.capacity
        return len(self.state.contents[key]) >= most

    def ev_RuleRunning(self, e: p.RuleRunning, env: Env) -> Value:
        return int(env.frame is not None and any(frame.rule is e.rule for frame in env.frame))

    def ev_CellRunning(self, e: p.CellRunning, env: Env) -> Value:
        return int(self.cell_runs(self.ev(e.cell, env), env))

    def cell_runs(self, cell: int, env: Env) -> bool:
        return env.frame is not None and any(frame.cell == cell for frame in env.frame)

    def ev_IsAutoma(self, e: p.IsAutoma, env: Env) -> Value:
        seat = self.ev(e.player, env)
        return int(any(automa.seat == seat for automa in self.program.automas))

    def ev_KnownTo(self, e: p.KnownTo, env: Env) -> Value:
        piece, player = self.ev(e.piece, env), self.ev(e.player, env)
        if piece == NONE:
            return 0
        mixes = self.state.mixes[player]
        return int(sum(mix == mixes[piece] for mix in mixes.values()) == 1)

    # ------------------------------------------------------------------------ sets

    def bound(self, binder: p.Binder, env: Env) -> list[Value]:
        """What a binder goes over, filtered and in order."""
        items = list(self.ev(binder.source, env))
        outer, where, key = self.known, binder.where, binder.key
        if outer is None:
            self.known = {}
        try:
            if where is not None:
                inner = env.each(binder.local, items)
                items = [item for item, each in zip(items, inner, strict=True) if self.ev(where, each) == 1]
            if key is not None:
                items.sort(
                    key=lambda item: self.ev(key, env.bind(binder.local, item)), reverse=binder.direction == "highest"
                )
        finally:
            self.known = outer
        return items

    def of_each(self, value: p.Expr, binder: p.Binder, env: Env) -> Iterator[Value]:
        """A value for each thing that a binder goes over."""
        return (self.ev(value, each) for each in env.each(binder.local, self.bound(binder, env)))

    def ev_Quantified(self, e: p.Quantified, env: Env) -> Value:
        found = (value == 1 for value in self.of_each(e.has, e.binder, env))
        return int(any(found) if e.which == "some" else all(found))

    def ev_Selected(self, e: p.Selected, env: Env) -> Value:
        items = self.bound(e.binder, env)
        if e.best is not None and items:
            assert e.measure is not None
            marks = [self.ev(e.measure, each) for each in env.each(e.binder.local, items)]
            best = max(marks) if e.best == "most" else min(marks)
            items = [item for item, mark in zip(items, marks, strict=True) if mark == best]
        if e.which == "all":
            return tuple(items)
        if e.which == "the" and len(items) != 1:
            return none_of(e.type)
        return items[0] if items else self._nothing(e)

    def _nothing(self, e: p.EndOf | p.Selected) -> Value:
        """None, where the type allows it; else it is one of the players, and all of them have dropped out."""
        if not isinstance(e.type, Maybe):
            raise SlowFault("nobody is left")
        return none_of(e.type)

    def ev_CountOf(self, e: p.CountOf, env: Env) -> Value:
        return len(self.ev(e.of, env))

    def ev_CountWhere(self, e: p.CountWhere, env: Env) -> Value:
        return len(self.bound(e.binder, env))

    def ev_SumOf(self, e: p.SumOf, env: Env) -> Value:
        return sum(self.of_each(e.value, e.binder, env))

    def ev_ListOf(self, e: p.ListOf, env: Env) -> Value:
        return tuple(self.of_each(e.value, e.binder, env))

    def ev_Fingerprint(self, e: p.Fingerprint, env: Env) -> Value:
        digits: list[int] = []
        for part in e.parts:
            value = self.ev(part, env)
            digits += (*value, len(value)) if isinstance(value, tuple) else (value,)
        number = 0
        for digit in digits:
            number = number * 2**32 + digit % 2**32
        return number % e.prime

    def ev_ExtremeOf(self, e: p.ExtremeOf, env: Env) -> Value:
        values = list(self.of_each(e.value, e.binder, env))
        if not values:
            if e.otherwise is None:
                raise SlowFault("nobody is left")
            return self.ev(e.otherwise, env)
        return max(values) if e.which == "max" else min(values)

    def ev_Extreme(self, e: p.Extreme, env: Env) -> Value:
        values = [self.ev(item, env) for item in e.items]
        return max(values) if e.which == "max" else min(values)

    def ev_NumberRange(self, e: p.NumberRange, env: Env) -> Value:
        return tuple(range(self.ev(e.low, env), self.ev(e.high, env) + 1))

    def ev_SetList(self, e: p.SetList, env: Env) -> Value:
        joined: list[Value] = []
        for item in e.items:
            value = self.ev(item, env)
            several = value if isinstance(item.type, SetOf | PlaceOf) else () if self.is_none(item, value) else (value,)
            joined += several if e.repeats else [one for one in several if one not in joined]
        return tuple(joined)

    def ev_Without(self, e: p.Without, env: Env) -> Value:
        left_out = self.ev(e.left_out, env)
        gone = left_out if isinstance(left_out, tuple) else (left_out,)
        return tuple(item for item in self.ev(e.source, env) if item not in gone)

    def ev_UpTo(self, e: p.UpTo, env: Env) -> Value:
        taken: list[Value] = []
        for item in self.ev(e.binder.source, env):
            taken.append(item)
            if self.holds(e.binder.where, env.bind(e.binder.local, item)):
                break
        return tuple(taken)

    def ev_StartingWith(self, e: p.StartingWith, env: Env) -> Value:
        return self._turned(e, env, including=True)

    def ev_Following(self, e: p.Following, env: Env) -> Value:
        return self._turned(e, env, including=False)

    def _turned(self, e: p.StartingWith | p.Following, env: Env, *, including: bool) -> Value:
        # reading: if the first one is not in the source (it dropped out), the next greater number stands in its place.
        items, first = self.ev(e.source, env), self.ev(e.first, env)
        if first in items:
            cut = items.index(first)
            return items[cut:] + items[:cut] if including else items[cut + 1 :] + items[:cut]
        if not isinstance(e.first.type, Player):
            return items
        return tuple(i for i in items if i > first) + tuple(i for i in items if i < first)

    def ev_AllOf(self, e: p.AllOf, env: Env) -> Value:
        return e.domain

    def seats_in(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.program.players) if seat not in self.state.out)

    def ev_Players(self, e: p.Players, env: Env) -> Value:
        match e.which:
            case "players":
                return self.seats_in()
            case "rivals":
                assert e.of is not None
                whose = self.ev(e.of, env)
                return tuple(seat for seat in self.seats_in() if seat != whose)
            case "everybody":
                return tuple(range(self.program.players))
        return ()

    # ------------------------------------------------------------------------ calls

    def ev_ValueCall(self, e: p.ValueCall, env: Env) -> Value:
        return self.value_of(e.rule, tuple(self.ev_args(e.args, e.rule, env)), env)

    def ev_args(self, args: tuple[p.Expr, ...], rule: p.RuleDecl, env: Env) -> list[Value]:
        return [self.ev_as(arg, env, param.type) for arg, param in zip(args, rule.params, strict=True)]

    def value_of(self, rule: p.RuleDecl, args: tuple[Value, ...], env: Env) -> Value:
        if self.known is None:
            return self._value_from(rule, list(rule.instead), args, env)
        asked = (id(rule), args, id(env.frame))
        found = self.known.get(asked)
        if found is None:
            found = self.known[asked] = self._value_from(rule, list(rule.instead), args, env)
        return found

    def _value_from(self, rule: p.RuleDecl, hooks: list[p.RuleDecl], args: tuple[Value, ...], env: Env) -> Value:
        for index, hook in enumerate(hooks):
            inner = self._pure_env(hook, args, env)
            if self.holds(hook.when, inner):
                rest = hooks[index + 1 :]
                inner = inner.but(previous_value=lambda given, rest=rest: self._value_from(rule, rest, given, env))
                return self._pure_result(hook, inner)
        return self._pure_result(rule, self._pure_env(rule, args, env))

    def _pure_env(self, rule: p.RuleDecl, args: tuple[Value, ...], env: Env) -> Env:
        locals_ = {param.number: arg for param, arg in zip(rule.params, args, strict=False)}
        return _NOWHERE.but(rule=rule, frame=env.frame, locals=locals_, args=args)

    def _pure_result(self, rule: p.RuleDecl, env: Env) -> Value:
        if rule.expression is not None:
            return self.ev_as(rule.expression, env, rule.result or rule.expression.type)
        found = self._pure_block(rule.body, env, rule)
        assert found is not None, rule.name
        return found[0]

    def _pure_block(self, block: p.Block, env: Env, rule: p.RuleDecl) -> tuple[Value] | None:
        """The result that a block of `let`, `if`, `result` comes to, or None if it runs out."""
        for statement in block:
            match statement:
                case p.Let():
                    env = env.bind(statement.local, self.ev_as(statement.value, env, statement.local.type))
                case p.If():
                    taken = statement.then if self.holds(statement.condition, env) else statement.otherwise
                    if (found := self._pure_block(taken, env, rule)) is not None:
                        return found
                case p.ResultIs():
                    target = rule.result or (rule.replaces.result if rule.replaces else None) or statement.value.type
                    return (self.ev_as(statement.value, env, target),)
                case _:
                    raise AssertionError(statement)
        return None

    def ev_Previous(self, e: p.Previous, env: Env) -> Value:
        assert env.previous_value is not None
        return env.previous_value(env.args if e.args is None else tuple(self.ev(arg, env) for arg in e.args))

    def ev_FormulaCall(self, e: p.FormulaCall, env: Env) -> Value:
        number = self.ev(e.cell, env)
        if number == NONE:
            return 0
        # reading: a formula cell with several calls is their sum.
        cell, player = self.program.cells[number], self.ev(e.player, env)
        return sum(self.value_of(call.rule, cell_args(call, player, {}), env) for call in cell.calls)

    def ev_Builtin(self, e: p.Builtin, env: Env) -> Value:
        args = [self.ev(arg, env) for arg in e.args]
        match e.name:
            case "next":
                return self.next_seat(args[0])
            case "rival":
                return 1 - args[0]
            case "seat":
                return args[0] - 1
            case "abs":
                return abs(args[0])
            case "sign":
                return (args[0] > 0) - (args[0] < 0)
            case "public":
                return args[0]
            case "score":
                return self.score_of(args[0])
            case "position":
                return args[1].index(args[0]) + 1 if args[0] in args[1] else 0
            case "under" | "holder" | "at":
                return self._carrier(args[0], {"under": "piece", "holder": "player", "at": "node"}[e.name])
        raise AssertionError(e.name)

    def _carrier(self, piece: int, owner: str) -> int:
        """The owner of that sort whose place holds the piece; for nodes and players through what carries it."""
        while piece != NONE and piece in self.state.at:
            key = self.state.at[piece]
            if self.table.place_of(key).owner == owner:
                return key[1]
            if owner == "piece" or self.table.place_of(key).owner != "piece":
                return NONE
            piece = key[1]
        return NONE

    def next_seat(self, seat: int) -> int:
        # reading: a seat that is alone, or all of them out, is its own next.
        for step in range(1, self.program.players + 1):
            candidate = (seat + step) % self.program.players
            if candidate not in self.state.out:
                return candidate
        return seat

    def ev_MapQuery(self, e: p.MapQuery, env: Env) -> Value:
        args = [self.ev(arg, env) for arg in e.args]
        return slow_maps.query(e.name, e.map, args, e.type)

    def ev_Reach(self, e: p.Reach, env: Env) -> Value:
        return slow_maps.reach(self, e, env)

    def ev_Cheapest(self, e: p.Cheapest, env: Env) -> Value:
        return slow_maps.cheapest(self, e, env)

    def ev_GroupsOf(self, e: p.GroupsOf, env: Env) -> Value:
        sizes = slow_maps.group_sizes(e.map, self.bound(e.binder, env))
        return max(sizes, default=0) if e.largest else len(sizes)

    def ev_LongestTrail(self, e: p.LongestTrail, env: Env) -> Value:
        return slow_maps.longest_trail(self, e, env)

    def ev_LongestLine(self, e: p.LongestLine, env: Env) -> Value:
        return slow_maps.longest_line(self, e, env)

    def score_of(self, player: int) -> int:
        raise AssertionError("a score is asked for in `rank` only")


def cell_args(call: p.CellCall, player: int, given: dict[str, Value]) -> tuple[Value, ...]:
    """The arguments of one call of a cell: the player, then its own, with what the performer supplies put in."""
    own = tuple(given[arg.name] if isinstance(arg, p.Given) else arg for arg in call.args)
    return (player, *own) if call.takes_player else own
