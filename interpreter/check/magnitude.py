"""How large a number can become while it is worked out.

A field has a range, and so have parameters, results and table cells. What is worked out in between has none: `let b =
a * a`, `let c = b * b` doubles the number of digits with every line, and fifty such lines ask for more digits than
there is memory for. Names never change and loops keep nothing but fields, so nothing else lets a number grow. So a
bound on its bits can be computed from the text, and what may go beyond `MOST_BITS` is a finding. No rulebook multiplies
that much.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..diagnostics.diagnostic import Diagnostics
from . import program as p
from .value_types import Number, bare
from .walk import Node, parts

MOST_BITS = 512
_STORED = 32  # bits of what is no number
_COUNTED = 17  # what a sum adds to the bits of its parts: a set has at most 100,000 elements


def check_magnitude(nodes: Iterable[Node], found: Diagnostics) -> None:
    """Reports the first expression that may have too many bits, of parts that have not."""
    met = list(nodes)
    bits = _Bits({node.local: node.value for node in met if isinstance(node, p.Let)})
    for node in met:
        if isinstance(node, p.Arithmetic | p.SumOf) and bits.of(node) > MOST_BITS:
            if all(bits.of(part) <= MOST_BITS for part in parts(node) if isinstance(part, p.Expr)):
                what = f"this number may have {bits.of(node):,} binary digits"
                help = f"{MOST_BITS} are the limit; keep what is worked out on the way in a field, which has a range"
                found.error("R0480", what, node.span, "grows too large", help=help)
                return


class _Bits:
    """An upper bound on the binary digits of a value."""

    def __init__(self, lets: dict[p.LocalDecl, p.Expr]) -> None:
        self.lets = lets
        self.known: dict[p.LocalDecl, int] = {}

    def of(self, expr: p.Expr) -> int:
        match expr:
            case p.Arithmetic(op="*"):
                return self.of(expr.left) + self.of(expr.right)
            case p.Arithmetic(op="mod"):
                return self.of(expr.right)
            case p.Arithmetic():
                return max(self.of(expr.left), self.of(expr.right)) + 1
            case p.SumOf():
                return self.of(expr.value) + _COUNTED
            case p.LocalVar() if expr.local in self.lets:
                return self._named(expr.local)
            case (
                p.IfElse()
                | p.Otherwise()
                | p.Extreme()
                | p.ExtremeOf()
                | p.Negative()
                | p.Builtin(name="abs" | "public")
            ):
                return max((self.of(part) for part in parts(expr) if isinstance(part, p.Expr)), default=_STORED)
        number = bare(expr.type)
        return max(abs(number.low), abs(number.high)).bit_length() if isinstance(number, Number) else _STORED

    def _named(self, local: p.LocalDecl) -> int:
        if local not in self.known:
            self.known[local] = self.of(self.lets[local])
        return self.known[local]
