"""A `no x in S has A or B` whose B does not speak of x.

A quantifier takes everything that follows it. So `until no q in players has q.coins > 0 or clock >= 5` means "until
nobody has coins, and the clock is below 5", and the game never ends. An author who writes that means
`(no q in players has q.coins > 0) or clock >= 5`. With `some` and `every` both readings come to the same as soon as
the set is not empty, so only `no` (and `not some`) is reported.
"""

from __future__ import annotations

from ..diagnostics.diagnostic import Diagnostics, Label
from . import program as p
from .walk import walk, walk_program


def check_tails(program: p.Program, found: Diagnostics) -> None:
    for node in walk_program(program):
        if isinstance(node, p.Not) and isinstance(node.of, p.Quantified) and node.of.which == "some":
            _check_tail(node.of, found)


def _check_tail(quantified: p.Quantified, found: Diagnostics) -> None:
    has, local = quantified.has, quantified.binder.local
    if not isinstance(has, p.Logic) or has.span.end != quantified.span.end:  # a condition in brackets ends before them
        return
    if _speaks_of(has.left, local) and not _speaks_of(has.right, local):
        before = " ".join(quantified.span.text[: has.right.span.start - quantified.span.start].split())
        tail = " ".join(has.right.span.text.split())
        found.warning(
            "R0759",
            f"`{has.op} {tail}` belongs to this `has`, and does not speak of `{local.name}`",
            quantified.span,
            f"holds if no `{local.name}` meets all of it",
            others=(Label(has.right.span, f"nothing here is about `{local.name}`"),),
            help=f"write `({before.removesuffix(has.op).strip()}) {has.op} {tail}`, "
            f"or put brackets round what stands behind `has`",
        )


def _speaks_of(expr: p.Expr, local: p.LocalDecl) -> bool:
    return any(isinstance(node, p.LocalVar) and node.local is local for node in walk(expr))
