"""What does not change inside a loop is worked out before it.

Only for lists of options, where several loops stand inside one another and a test of the inner one often speaks of the outer
alone. What is moved is pure and cannot fail: numbers of the state, printed attributes, arithmetic on them.
"""

from __future__ import annotations

from .ir import Op

SAFE = ("const", "local", "add", "subtract", "multiply", "negative", "if", "compare", "is_none", "and", "or", "not")
CHEAP = ("const", "local")


def hoist(test: Op, inner: str, outer: set[str], found: dict[str, Op], temporary: object) -> Op:
    """The test with its largest parts that do not speak of `inner` replaced by locals, noted in `found`."""
    if _movable(test, inner, outer):
        if _weight(test) < 3:
            return test
        text = str(test)
        name = next((known for known, op in found.items() if str(op) == text), None)
        if name is None:
            name = temporary()  # type: ignore[operator]
            found[name] = test
        return Op("local", (name,), test.type, test.span)
    if test.op in ("and", "or", "not", "compare", "add", "subtract", "multiply", "if"):
        args = tuple(hoist(a, inner, outer, found, temporary) if isinstance(a, Op) else a for a in test.args)
        return Op(test.op, args, test.type, test.span)
    return test


def _movable(op: Op, inner: str, outer: set[str]) -> bool:
    if op.op == "local":
        return op.args[0] != inner and op.args[0] in outer
    if op.op == "lookup":
        index = op.args[1]
        return len(op.args) == 2 and index.op == "local" and _movable(index, inner, outer)
    return op.op in SAFE and all(_movable(arg, inner, outer) for arg in op.args if isinstance(arg, Op))


def _weight(op: Op) -> int:
    own = 0 if op.op in CHEAP else 1
    return own + sum(_weight(arg) for arg in op.args if isinstance(arg, Op))
