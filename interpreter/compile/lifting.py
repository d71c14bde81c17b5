"""What a list of options would search for again for each option is searched for once, in front of the loop.

    "{a} to {b}" for a in Hex where a.man.owner == p, b in Hex where may_go(a, b)

    value may_go(a: Hex, b: Hex): flag
      if a.man.sort == ant
        result b in (reach from a through h in Hex where h.man is empty)
      result b in neighbours(a)

What can be reached from a is the same for every b. So it is worked out in front of the loop over b, and handed to the
value: a second form of `may_go` takes it as one parameter more, and the loop calls that form.

`sharing.py` does this with costs of cheapest ways, which need another search for it. Here nothing is changed but the
place. What is moved is large (a search, or a look at a whole kind of spaces or pieces), changes nothing, and can meet
no fault, since in front of the loop nothing has been asked yet. Conditions that stand before it in the same filter, and
do not speak of the inner loop, are asked in front of the loop too: where they do not hold nobody needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import prod
from typing import NamedTuple

from . import ir
from .hoist import cannot_fail
from .ir import Block, Op, Routine, conjunction, conjuncts_of, free_locals, rebuilt
from .sharing import Searches, is_plain, is_there
from .written_out import is_long, with_arguments

LARGE = 24  # elements; to look at fewer is not worth a local
MOST = 16  # large operations of a value that are looked at; values that ask one another may double them at each step
FEW = 4  # passes of the loops that are left behind; for fewer it is not moved

Values = dict[str, Routine]


@dataclass
class _Loop:
    """A loop around a filter: its name, what comes in front of it, and the names that are set in its body."""

    name: str
    passes: int
    before: Block = field(default_factory=list)


class _Around(NamedTuple):
    """Where a filter stands: the loops around it, in which of them each name is set, and what has been asked before."""

    loops: tuple[_Loop, ...] = ()
    depth: Mapping[str, int] = {}
    asked: tuple[tuple[int, Op], ...] = ()  # with the number of loops around it
    bound: frozenset[str] = frozenset()  # by operations of the filter itself

    def behind(self, condition: Op) -> _Around:
        asked = tuple((len(self.loops), one) for one in conjuncts_of(condition))
        return self._replace(asked=(*self.asked, *asked))

    def depth_of(self, op: Op) -> int:
        """How many loops stand around everything that the operation speaks of."""
        return max((self.depth.get(name, 0) for name in free_locals(op)), default=0)


class _Part(NamedTuple):
    """A large operation of a value, and the call of another value that it comes from, as text."""

    op: Op
    call: str = ""


class Lifting:
    """Moves large operations out of the loops of questions. New forms of values go to `values`."""

    def __init__(self, values: Values, temporary: Callable[[str], str], searches: Searches) -> None:
        self.values, self.temporary, self.searches = values, temporary, searches
        self._parts: dict[str, dict[str, _Part]] = {}
        self._forms: dict[tuple[str, tuple[str, ...]], str] = {}

    def question(self, body: Block) -> Block:
        return self._block(body, _Around())

    # ------------------------------------------------------------------ loops

    def _block(self, body: Block, around: _Around) -> Block:
        made: Block = []
        for ins in body:
            match ins:
                case ir.For():
                    loop = _Loop(ins.local, _passes(ins.source))
                    inside = around._replace(
                        loops=(*around.loops, loop), depth={**around.depth, ins.local: len(around.loops) + 1}
                    )
                    ins = replace(ins, body=self._block(ins.body, inside))
                    made += loop.before
                case ir.If():
                    condition = self._asked(ins.condition, around) if around.loops else ins.condition
                    inside = around.behind(ins.condition)
                    ins = replace(
                        ins, condition=condition, then=self._block(ins.then, inside),
                        otherwise=self._block(ins.otherwise, around),
                    )  # fmt: skip
                case ir.Only():
                    ins = rebuilt(ins, lambda op: op, partial(self._block, around=around))
                case _ if ins.local_set is not None and around.loops:
                    around = around._replace(depth={**around.depth, ins.local_set: len(around.loops)})
            made.append(ins)
        return made

    # ------------------------------------------------------------------ filters

    def _asked(self, op: Op, around: _Around) -> Op:
        """The filter with large operations in it replaced by locals that are set in front of a loop."""
        if isinstance(op, ir.And):
            right = self._asked(op.right, around.behind(op.left))
            return replace(op, left=self._asked(op.left, around), right=right)
        if self._is_large(op) and (moved := self._moved(op, around)) is not None:
            return moved
        if isinstance(op, ir.CallValue):
            op = self._with_form(op, around)
        bound = {name for name in (getattr(op, kept) for kept in op.binds) if isinstance(name, str)}
        inside = around._replace(bound=around.bound | bound) if bound else around
        return rebuilt(op, lambda part: self._asked(part, inside))

    def _moved(self, op: Op, around: _Around) -> Op | None:
        """A local that holds it, set in front of the loops that it does not speak of; None if it has to stay."""
        depth, loops = around.depth_of(op), around.loops
        if depth == len(loops) or around.bound & set(free_locals(op)) or not self._is_sure(op, around):
            return None
        if prod(loop.passes for loop in loops[depth:]) < FEW:
            return None
        guards = [one for at, one in around.asked if at > depth >= around.depth_of(one) and cannot_fail(one)]
        guards = [one for one in guards if not around.bound & set(free_locals(one))]
        before, text = loops[depth].before, f"{' and '.join(map(str, guards))}: {op}"
        for ins in before:
            let = ins.then[0] if isinstance(ins, ir.If) else ins
            if isinstance(let, ir.Let) and let.local.startswith("found") and _told(ins) == text:
                return ir.Local(let.local, type=op.type, span=op.span)
        let = ir.Let(self.temporary("found"), op, span=op.span)
        guard = conjunction(guards)
        before.append(let if guard is None else ir.If(guard, [let], span=op.span))
        return ir.Local(let.local, type=op.type, span=op.span)

    def _is_sure(self, op: Op, around: _Around) -> bool:
        inside = [*ir.operations(op)]
        elements = {loop.name for loop in around.loops}
        elements |= {getattr(one, kept) for one in inside for kept in one.binds}
        tells = any(isinstance(one, ir.Public | ir.Result) for one in inside)
        return not tells and self.searches.is_sure(op) and all(is_there(one, elements) for one in inside)

    def _with_form(self, call: ir.CallValue, around: _Around) -> Op:
        """The call of a form of the value that takes what can be moved as parameters."""
        if not all(map(is_plain, call.args)):
            return call
        given = self._given(call)
        moved: dict[str, Op] = {}
        parts = self.parts_of(call.routine)
        for text, part in parts.items():
            if part.call in moved or any(_is_inside(part.op, parts[taken].op) for taken in moved):
                continue
            local = self._moved(self._handed(call, part.op, given), around)
            if local is not None:
                moved[text] = local
        if not moved:
            return call
        return replace(call, routine=self._form(call.routine, tuple(moved)), args=(*call.args, *moved.values()))

    # ------------------------------------------------------------------ values

    def _is_large(self, op: Op) -> bool:
        return is_large(op) or (isinstance(op, ir.CallValue) and bool(self.parts_of(op.routine)))

    def parts_of(self, name: str) -> dict[str, _Part]:
        """The large operations of a value that speak of its parameters alone, by their text, those of the values that
        it asks too; what is larger comes before what is inside it."""
        if name not in self._parts:
            self._parts[name] = {}  # a value does not ask itself
            if name in self.values:
                self._parts[name] = self._parts_in(self.values[name])
        return self._parts[name]

    def _parts_in(self, value: Routine) -> dict[str, _Part]:
        found: dict[str, _Part] = {}
        for op in value.operations():
            parts = [_Part(op)] if self._is_large(op) else []
            for part in (*parts, *self._parts_of_call(op)):
                if len(found) < MOST and not is_long(part.op) and set(free_locals(part.op)) <= set(value.params):
                    found.setdefault(str(part.op), part)
        return found

    def _parts_of_call(self, op: Op) -> list[_Part]:
        if not isinstance(op, ir.CallValue) or not self._is_large(op) or not all(map(is_plain, op.args)):
            return []
        given = self._given(op)
        return [_Part(self._handed(op, part.op, given), str(op)) for part in self.parts_of(op.routine).values()]

    def _given(self, call: ir.CallValue) -> dict[str, Op]:
        return dict(zip(self.values[call.routine].params, call.args, strict=False))

    def _handed(self, call: ir.CallValue, part: Op, given: Mapping[str, Op]) -> Op:
        return with_arguments(part, given, lambda name: f"{name}__{call.routine}")

    def _form(self, name: str, texts: tuple[str, ...]) -> str:
        """The routine that takes these parts as parameters behind its own."""
        if (name, texts) not in self._forms:
            value, form = self.values[name], f"{name}__form{len(self._forms) + 1}"
            self._forms[name, texts] = form
            parts = self.parts_of(name)
            params = {text: ir.Local(self.temporary("given"), type=parts[text].op.type) for text in texts}
            given = [rebuilt_deeply(ins, lambda op: self._taken(op, params)) for ins in value.body]
            self.values[form] = replace(
                value, name=form, params=(*value.params, *(local.name for local in params.values())), body=given
            )
            # Its large operations are moved already; none of what is left is moved out of another loop.
            self._parts[form] = {}
        return self._forms[name, texts]

    def _taken(self, op: Op, params: Mapping[str, ir.Local]) -> Op:
        if not self._is_large(op):
            return rebuilt(op, lambda part: self._taken(part, params))
        if local := params.get(str(op)):
            return local
        if isinstance(op, ir.CallValue) and all(map(is_plain, op.args)):
            given = self._given(op)
            texts = {text: str(self._handed(op, part.op, given)) for text, part in self.parts_of(op.routine).items()}
            taken = {text: params[handed] for text, handed in texts.items() if handed in params}
            if taken:
                return replace(op, routine=self._form(op.routine, tuple(taken)), args=(*op.args, *taken.values()))
        return rebuilt(op, lambda part: self._taken(part, params))


def rebuilt_deeply(ins: ir.Ins, change: Callable[[Op], Op]) -> ir.Ins:
    return rebuilt(ins, change, lambda block: [rebuilt_deeply(one, change) for one in block])


def is_large(op: Op) -> bool:
    """True for a search on a map, and for a look at a whole kind of spaces or pieces."""
    match op:
        case ir.Reach() | ir.Groups() | ir.Cheapest(is_path=True):
            return True
        case ir.Some() | ir.Every() | ir.All() | ir.CountWhere() | ir.SumOf() | ir.First() | ir.Best() | ir.ExtremeOf():
            return isinstance(op.source, ir.Sequence) and len(op.source.values) >= LARGE
        case _:
            return False


def _passes(source: Op) -> int:
    """How many passes a loop has at most, as far as that is known; what lies in a place counts as many."""
    match source:
        case ir.Sequence(values=values):
            return len(values)
        case ir.Range(low=ir.Const(value=low), high=ir.Const(value=high)):
            return max(0, high - low + 1)
        case ir.Counted(source=of) | ir.All(source=of):
            return _passes(of)
        case ir.Tuple() | ir.Join():
            return 1
        case _:
            return FEW


def _told(ins: ir.Ins) -> str:
    """What a local in front of a loop holds, and when it is set."""
    if isinstance(ins, ir.If):
        let = ins.then[0]
        assert isinstance(let, ir.Let)
        return f"{' and '.join(map(str, conjuncts_of(ins.condition)))}: {let.value}"
    assert isinstance(ins, ir.Let)
    return f": {ins.value}"


def _is_inside(part: Op, whole: Op) -> bool:
    return part is not whole and any(str(one) == str(part) for one in ir.operations(whole))
