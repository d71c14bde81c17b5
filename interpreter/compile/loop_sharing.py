"""What a loop would work out again and again is worked out once.

`toll(p, a, q)` for every Square q is as many searches as there are Squares, all over the same edges at the same costs,
and all to the same goal. Ways are as dear there as back, so one search from the goal answers for every start. It is
made when it is first needed.

Whether some reached Square is an end of the street, asked of every street, is whether two sets meet: the reached
Squares are gathered before the loop. How many cards of the hand have the colour of this one, asked of every card, is
how often a colour comes among those of the hand: they are listed before the loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .hoist import cannot_fail
from .ir import Ins, Op
from .lower_atoms import FLAG, INDEX
from .lowering import free_locals

UNSURE = Op("unsure", (), FLAG)


def share_in_loops(body: list[Ins], temporary: Callable[[str], str]) -> list[Ins]:
    """The same instructions, with what does not change from pass to pass of a loop before it."""
    shared = _Sharing(temporary)
    made = shared.block(body, {})
    return [Ins("let", (name, UNSURE)) for name in shared.names.values()] + made


class _Sharing:
    def __init__(self, temporary: Callable[[str], str]) -> None:
        self.temporary = temporary
        self.names: dict[str, str] = {}

    def block(self, body: list[Ins], loops: dict[str, list[Ins]]) -> list[Ins]:
        """`loops`: the names that change in the loops around, each with what must be worked out before the loop
        in which it does."""
        made: list[Ins] = []
        for ins in body:
            args = self._replaced(ins.args, loops)
            if ins.op == "for":
                before: list[Ins] = []
                inner = self.block(ins.blocks[0], {**loops, ins.args[0]: before})
                made += before
                made.append(Ins(ins.op, args, (inner,), ins.span, ins.cites))
                continue
            if ins.op == "let" and loops:
                loops = {**loops, ins.args[0]: list(loops.values())[-1]}
            blocks = tuple(self.block(block, loops) for block in ins.blocks)
            made.append(Ins(ins.op, args, blocks, ins.span, ins.cites))
        return made

    def _replaced(self, value: Any, loops: dict[str, list[Ins]]) -> Any:
        if isinstance(value, tuple):
            return tuple(self._replaced(item, loops) for item in value)
        if not isinstance(value, Op):
            return value
        if value.op == "cheapest" and not value.args[9] and self._can_share(value, loops):
            return self._share(value, loops)
        if value.op == "some" and loops and (meeting := self._meeting(value, loops)) is not None:
            return meeting
        if value.op == "count_where" and loops and (counted := self._occurrences(value, loops)) is not None:
            return counted
        return Op(value.op, self._replaced(value.args, loops), value.type, value.span)

    # ------------------------------------------------------------------ the cheapest way from many starts

    def _can_share(self, search: Op, loops: dict[str, list[Ins]]) -> bool:
        start = search.args[1]
        others = Op("cheapest", (search.args[0], *search.args[2:]), search.type)
        return start.op == "local" and start.args[0] in loops and loops.keys().isdisjoint(free_locals(others))

    def _share(self, search: Op, loops: dict[str, list[Ins]]) -> Op:
        name_of_map, start, goal, edge, *rest = search.args
        every = Op("cheapest_to", (name_of_map, goal, edge, *rest[:-1]), INDEX, search.span)
        text = _without_name(every, edge)
        name = self.names.setdefault(text, self.temporary("ways"))
        kept = Op("local", (name,), INDEX)
        needed = loops[start.args[0]]
        if not any(ins.op == "if" and ins.blocks[0][0].args[0] == name for ins in needed):
            needed.append(Ins("if", (Op("is_unsure", (kept,), FLAG),), ([Ins("let", (name, every))], []), search.span))
        return Op("cost_from", (kept, start), search.type, search.span)

    # ------------------------------------------------------------------ sets that meet

    def _meeting(self, some: Op, loops: dict[str, list[Ins]]) -> Op | None:
        """`some x in S has C and x in T`, where S and C are the same in every pass, as S with C meeting T."""
        local, source, where, has = some.args
        tests = _conjuncts(has) + (_conjuncts(where) if where is not None else [])
        within = [test for test in tests if _is_membership(test, local)]
        if source.op != "local" or len(within) != 1:
            return None
        others = [test for test in tests if test is not within[0]]
        if not loops.keys().isdisjoint(free_locals((source, *others))) or not all(map(cannot_fail, others)):
            return None
        other_set = within[0].args[0]
        if loops.keys().isdisjoint(free_locals(other_set)):
            return None
        gathered = Op("gathered", (local, source, tuple(others)), source.type, some.span)
        return Op("meets", (self._before(loops, gathered), other_set), some.type, some.span)

    # ------------------------------------------------------------------ how often a value comes

    def _occurrences(self, counting: Op, loops: dict[str, list[Ins]]) -> Op | None:
        """`count(x in S where A of x == V)`, where S is the same in every pass, as how often V comes among the A."""
        local, source, where = counting.args
        if source.op not in ("list", "local") or where.op != "compare" or where.args[0] != "==":
            return None
        _, one, other, *nones = where.args
        own, wanted = (one, other) if local in free_locals(one) else (other, one)
        if local in free_locals(wanted) or nones != [None, None] or not cannot_fail(own):
            return None
        if not loops.keys().isdisjoint(free_locals((source, own))) or loops.keys().isdisjoint(free_locals(wanted)):
            return None
        listed = self._before(loops, Op("listed", (local, source, own), source.type, counting.span))
        return Op("occurrences", (listed, wanted), counting.type, counting.span)

    def _before(self, loops: dict[str, list[Ins]], value: Op) -> Op:
        """A name for a value that is worked out before the outermost loop, once if it is wanted twice."""
        before = next(iter(loops.values()))
        text = str(value)
        name = next((ins.args[0] for ins in before if ins.op == "let" and str(ins.args[1]) == text), None)
        if name is None:
            name = self.temporary("known")
            before.append(Ins("let", (name, value), (), value.span))
        return Op("local", (name,), value.type)


def _conjuncts(test: Op) -> list[Op]:
    return [part for arg in test.args for part in _conjuncts(arg)] if test.op == "and" else [test]


def _is_membership(test: Op, local: str) -> bool:
    """`x in T` where T does not speak of x."""
    if test.op != "contains" or test.args[2]:
        return False
    item = test.args[1]
    return item.op == "local" and item.args[0] == local and local not in free_locals(test.args[0])


def _without_name(search: Op, edge: str) -> str:
    """Equal for searches that differ in nothing but how they call an edge."""
    return str(search).replace(edge, "edge")
