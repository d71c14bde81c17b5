"""Searches over a map that are made again and again in a loop are made once.

`toll(p, a, q)` for every Square q is as many searches as there are Squares, all over the same edges at the same costs,
and all to the same goal. Ways are as dear there as back, so one search from the goal answers for every start. It is
made when it is first needed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .ir import Ins, Op
from .lower_atoms import FLAG, INDEX
from .lowering import free_locals

UNSURE = Op("unsure", (), FLAG)


def share_searches(body: list[Ins], temporary: Callable[[str], str]) -> list[Ins]:
    """The same instructions with one search for all starts that a loop goes through."""
    shared = _Searches(temporary)
    made = shared.block(body, {})
    return [Ins("let", (name, UNSURE)) for name in shared.names.values()] + made


class _Searches:
    def __init__(self, temporary: Callable[[str], str]) -> None:
        self.temporary = temporary
        self.names: dict[str, str] = {}

    def block(self, body: list[Ins], loops: dict[str, list[Ins]]) -> list[Ins]:
        """`loops`: the locals bound by the loops around, each with what must be worked out before its loop."""
        made: list[Ins] = []
        for ins in body:
            before: list[Ins] = []
            inner = {**loops, ins.args[0]: before} if ins.op == "for" else loops
            if ins.op == "let":
                loops = {name: needed for name, needed in loops.items() if name != ins.args[0]}
            args = self._replaced(ins.args, loops)
            blocks = tuple(self.block(block, inner) for block in ins.blocks)
            made += before
            made.append(Ins(ins.op, args, blocks, ins.span, ins.cites))
        return made

    def _replaced(self, value: Any, loops: dict[str, list[Ins]]) -> Any:
        if isinstance(value, tuple):
            return tuple(self._replaced(item, loops) for item in value)
        if not isinstance(value, Op):
            return value
        if value.op == "cheapest" and not value.args[9] and self._can_share(value, loops):
            return self._share(value, loops)
        return Op(value.op, self._replaced(value.args, loops), value.type, value.span)

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
        if not any(ins.blocks[0][0].args[0] == name for ins in needed):
            needed.append(Ins("if", (Op("is_unsure", (kept,), FLAG),), ([Ins("let", (name, every))], []), search.span))
        return Op("cost_from", (kept, start), search.type, search.span)


def _without_name(search: Op, edge: str) -> str:
    """Equal for searches that differ in nothing but how they call an edge."""
    return str(search).replace(edge, "edge")
