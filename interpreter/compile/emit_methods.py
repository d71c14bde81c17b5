"""How each class of the IR is written in Python: by a template if one line says it, else by a method of an emitter.

A name in braces stands for the field of that name: operations as text, everything else as it is. `{at}` is the state's
list of where pieces are. Instructions that set a local are assigned to it. All other classes have a method that is
called like the class: `ReadField` is printed by `_read_field`. A class without either fails at its first use, and a
test compares the tables with the classes and with the emitters.
"""

from __future__ import annotations

import re
from typing import Protocol

from . import ir
from .meta import NOTHING_ELSE, PASS

OPERATIONS: dict[type[ir.Op], str] = {
    ir.Local: "{name}",
    # Arithmetic and tests
    ir.Arithmetic: "({left} {sign} {right})",
    ir.And: "({left} and {right})",
    ir.Or: "({left} or {right})",
    ir.Not: "(not {of})",
    ir.Conditional: "({then} if {condition} else {otherwise})",
    ir.IsNone: "({of} == {none})",
    ir.IsFull: "(len({of}) >= {capacity})",
    ir.HasBit: "({mask} >> {number} & 1)",
    ir.InBox: "({at}[{item}] == -1)",
    ir.RuleRunning: "rule_running(S, {rule!r})",
    ir.CellRunning: "cell_running(S, {cell})",
    ir.IsKnown: "is_known(S, {piece}, {player})",
    # Sets
    ir.Meets: "(not {gathered}.isdisjoint({other}))",
    ir.Listed: "[{value} for {local} in {source}]",
    ir.Occurrences: "{listed}.count({value})",
    ir.Counted: "counted(S, {source}, {weight})",
    ir.Distinct: "distinct({source})",
    ir.Append: "({source} + ({item},))",
    ir.Position: "position_in({source}, {item})",
    ir.WalkOn: "walk_on({row}, {piece}, {old})",
    # Seats
    ir.SeatsIn: "seats_in(S)",
    ir.NextSeat: "next_seat(S, {player})",
    ir.StillIn: "still_in(S, {player})",
    ir.Unskipped: "unskipped({seats}, {player}, lambda {local}: {skip})",
    # Calls and answers
    ir.Formula: "formula(S, {cell}, {player})",
    ir.Score: "score_of(S, {player})",
    ir.WhereIs: "{what}_of(S, {piece})",
    ir.Rebased: "rebased({snapshot}, {before}, place_counts(S, {base}, {size}))",
    ir.Unsure: "None",
    ir.IsUnsure: "({answer} is None)",
    ir.Result: "S.r",
    ir.HasOption: "o",
    ir.OneOption: "(len(o) == 1)",
    ir.OnlyPass: f"(len(o) == 1 and o[0] == {PASS})",
    ir.IsComplete: "(o is None)",
    ir.SureHere: "sure_here(S, {site}, {player}, {of!r})",
    ir.NothingElse: f"(S.pick == {NOTHING_ELSE})",
}

INSTRUCTIONS: dict[type[ir.Ins], str] = {
    ir.LimitDepth: "if len(S.k) > {depth}: limit_depth(S, {rule!r}, {depth})",
    ir.NotIntoItself: "not_into_itself(S, {piece}, {place})",
    # Pieces
    ir.Draw: "draw_from_bag(S, {place}, {count}, {too_few})",
    ir.Deal: "deal_{how}(S, {source}, {target}, {count}, {too_few})",
    ir.NoteDeal: "dealt(S, {pieces}, {source}, {target})",
    ir.Shuffle: "shuffle(S, {place})",
    ir.ShuffleInto: "shuffle_into(S, {place}, {into})",
    ir.SwapPieces: "swap_pieces(S, {first}, {second}, {missing}, {carried})",
    ir.SwapPlaces: "swap_places(S, {first}, {second}, {size}, {rooms!r}, {full})",
    ir.PassOn: "pass_on(S, {base}, {stride}, {size}, {direction!r})",
    # Knowledge and chance
    ir.Reveal: "reveal(S, {pieces}, {to})",
    ir.RevealField: "reveal_field(S, {address}, {to})",
    ir.RevealDice: "reveal_dice(S, {dice}, {first}, {to})",
    ir.PickRandom: "pick_random(S, {source}, {place}, {unseen})",
    # Leaving
    ir.Break: "break",
    ir.Succeed: "raise Carried",
    ir.TryListed: "try_listed(S, {player}, o)",
}

ABSTRACT = (ir.Op, ir.Condition, ir.Ins)  # only their subclasses are ever made


def methods_of(base: type[ir.Op] | type[ir.Ins], without: tuple[type, ...] = ()) -> dict[type, str]:
    """The name of the method that writes each class, but for these."""
    kinds = (kind for kind in vars(ir).values() if isinstance(kind, type) and issubclass(kind, base))
    return {kind: "_" + _snake_case(kind.__name__) for kind in kinds if kind not in (*ABSTRACT, *without)}


def _snake_case(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


# What `compile/masks` makes of the IR is for C.
FOR_C = (
    ir.MaskBoth, ir.MaskEither, ir.MaskIf, ir.MaskIndex, ir.MaskNot, ir.MaskRays, ir.MaskReach, ir.MaskTable,
    ir.MaskUnion,
    ir.Marked, ir.SetTable, ir.Sieved, ir.KeptSum, ir.HasLine,
)  # fmt: skip
OPERATION_METHODS = methods_of(ir.Op, (*OPERATIONS, *FOR_C))
INSTRUCTION_METHODS = methods_of(ir.Ins, tuple(INSTRUCTIONS))


class Texts(Protocol):
    """What a template needs of the emitter that fills it in."""

    @property
    def at(self) -> str: ...

    def text(self, op: ir.Op, /) -> str: ...


class Holes:
    """What is filled in for the names in a template."""

    def __init__(self, node: ir.Op | ir.Ins, texts: Texts) -> None:
        self.node, self.texts = node, texts

    def __getitem__(self, name: str) -> object:
        if name == "at":
            return self.texts.at
        value = getattr(self.node, name)
        return self.texts.text(value) if isinstance(value, ir.Op) else value
