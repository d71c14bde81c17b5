"""What does not change inside a loop is worked out before it.

Only for lists of options, where several loops stand inside one another and a test of the inner one often speaks of
the outer alone. What is moved is pure and cannot fail: numbers of the state, printed attributes, arithmetic on
them.
"""

from __future__ import annotations

from ..check.value_types import SetOf
from .ir import Ins, Op

SAFE = (
    "const",
    "local",
    "add",
    "subtract",
    "multiply",
    "negative",
    "absolute",
    "if",
    "compare",
    "is_none",
    "in_ranges",
    "and",
    "or",
    "not",
)
CHEAP = ("const", "local")


def hoist(test: Op, inner: str, outer: set[str], found: dict[str, Op], temporary: object) -> Op:
    """The test with its largest parts that do not speak of `inner` replaced by locals, noted in `found`."""
    if _movable(test, inner, outer):
        if _weight(test) < (2 if test.op == "field" else 3):
            return test
        text = str(test)
        name = next((known for known, op in found.items() if str(op) == text), None)
        if name is None:
            name = temporary()  # type: ignore[operator]
            found[name] = test
        return Op("local", (name,), test.type, test.span)
    if (
        test.op == "contains"
        and test.args[0].op == "join"
        and all(not is_set and none is None for _, is_set, none in test.args[0].args)
    ):
        elements = Op("tuple", tuple(item for item, _, _ in test.args[0].args), test.args[0].type)
        if all(_movable(item, inner, outer) for item in elements.args):
            name = temporary()  # type: ignore[operator]
            found[name] = elements
            return Op("contains", (Op("local", (name,), SetOf(elements.type)), *test.args[1:]), test.type, test.span)
    if test.op in ("and", "or", "not", "compare", "add", "subtract", "multiply", "if"):
        args = tuple(hoist(a, inner, outer, found, temporary) if isinstance(a, Op) else a for a in test.args)
        return Op(test.op, args, test.type, test.span)
    return test


def hoist_from_loops(body: list[Ins], known: set[str], temporary: object) -> list[Ins]:
    """Outermost loops of a question with what their first filter works out of other names written before them."""
    made: list[Ins] = []
    for ins in body:
        if ins.op == "if":
            ins = Ins(
                ins.op, ins.args, tuple(hoist_from_loops(b, known, temporary) for b in ins.blocks), ins.span, ins.cites
            )
        elif ins.op == "for" and len(ins.blocks[0]) == 1 and ins.blocks[0][0].op == "if":
            filtered = ins.blocks[0][0]
            found: dict[str, Op] = {}
            test = hoist(filtered.args[0], ins.args[0], known, found, temporary)
            made += [Ins("let", (name, op), (), ins.span) for name, op in found.items()]
            inner = Ins("if", (test,), filtered.blocks, filtered.span, filtered.cites)
            ins = Ins("for", ins.args, ([inner],), ins.span, ins.cites)
        made.append(ins)
    return made


class _Everything(set[str]):
    """Every name."""

    def __contains__(self, name: object) -> bool:
        return True


EVERYTHING = _Everything()


def cannot_fail(op: Op) -> bool:
    """Whatever its locals are, working this out is no fault and changes nothing."""
    return _movable(op, "", EVERYTHING)


def _movable(op: Op, inner: str, outer: set[str]) -> bool:
    if op.op == "local":
        return op.args[0] != inner and op.args[0] in outer
    if op.op == "field":
        address = op.args[0]
        plain = address.op == "address" and not address.args[2]
        return plain and all(_movable(index, inner, outer) for index, _, _ in address.args[1])
    if op.op == "lookup":
        index = op.args[1]
        return len(op.args) == 2 and index.op == "local" and _movable(index, inner, outer)
    return op.op in SAFE and all(_movable(arg, inner, outer) for arg in op.args if isinstance(arg, Op))


def _weight(op: Op) -> int:
    own = 0 if op.op in CHEAP else 1
    return own + sum(_weight(arg) for arg in op.args if isinstance(arg, Op))
