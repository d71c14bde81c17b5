"""What all operations and instructions have in common, and the one walker over them.

A node is a dataclass; its operands are its fields, in the order in which they are worked out. Fields may hold
operations, tuples of them, small value classes (`Part`) that hold operations, names, numbers, and (instructions only)
blocks. Everything here goes by the fields, so a new class needs no entry anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, fields, replace
from itertools import chain
from operator import attrgetter, is_
from typing import Any, ClassVar, TypeVar

from ...check.value_types import Flag, Number, VType
from ...diagnostics.source import NOWHERE, Span
from ...files.records import Frozen, Mutable

__all__ = [
    "FLAG", "INDEX", "UNPLACED", "AnyIns", "Block", "Condition", "Const", "Ins", "Local", "Node", "Op", "Part",
    "blocks_of", "free_locals", "instructions", "operands", "operations", "operations_in", "rebuilt", "values_of",
    "with_constant", "with_operations",
]  # fmt: skip

FLAG = Flag()
INDEX = Number(0, 1 << 20)
UNPLACED = Span(NOWHERE.source, 0, 0)  # an instruction takes the place of the rule that it is added to


class Op(Frozen):
    """An expression. `type` is the type of its value."""

    type: VType = field(kw_only=True)
    span: Span = field(default=NOWHERE, repr=False, kw_only=True)

    binds: ClassVar[tuple[str, ...]] = ()  # the fields that hold names of locals which it binds itself

    def __str__(self) -> str:
        return f"{type(self).__name__}({', '.join(_show(value) for value in values_of(self))})"


class Condition(Op):
    """An operation whose value is yes or no; of some it may be unsure."""

    type: VType = field(default=FLAG, kw_only=True)


class Const(Op):
    """A number of any type."""

    value: int


class Local(Op):
    """What a local of the routine holds."""

    name: str


class Part(Frozen):
    """A group of operands inside a node, such as one index of an address."""

    def __str__(self) -> str:
        return f"({', '.join(_show(value) for value in values_of(self))})"


class Ins(Mutable):
    """A statement. `span` and `cites` say where it comes from in the rules."""

    span: Span = field(default=UNPLACED, repr=False, kw_only=True)
    cites: tuple[str, ...] = field(default=(), kw_only=True)

    sets: ClassVar[str] = ""  # the field that holds the name of the local which it sets

    @property
    def local_set(self) -> str | None:
        """The local that it sets, if any."""
        return getattr(self, self.sets) if self.sets else None


class Setting(Ins):
    """An instruction whose result goes into a local."""

    local: str

    sets = "local"


Block = list[Ins]
Node = Op | Part | Ins
AnyNode = TypeVar("AnyNode", bound=Op | Part | Ins)
AnyIns = TypeVar("AnyIns", bound=Ins)

_FIXED, _GROUPS = (Op, Part), (tuple, Part)
_COMMON = ("type", "span", "cites")
_OPERANDS, _INSIDE, _FREE = "_operands", "_inside", "_free"  # no fields: nodes are compared and printed without them
_MOST_INSIDE = 64  # operations that a node keeps a list of: all lists of a long chain together would grow as its square
_names: dict[type, tuple[str, ...]] = {}
_blocks: dict[type, tuple[str, ...]] = {}
_readers: dict[type, Callable[[Any], tuple[Any, ...]]] = {}


def names_of(node: Node) -> tuple[str, ...]:
    """The fields of a node that are its own: operands, names, numbers and blocks."""
    kind = type(node)
    if kind not in _names:
        _names[kind] = tuple(item.name for item in fields(kind) if item.name not in _COMMON)
    return _names[kind]


def values_of(node: Node) -> tuple[Any, ...]:
    """What those fields hold. Every pass asks this of every node, so each class has a reader of its own."""
    read = _readers.get(type(node))
    if read is None:
        read = _readers[type(node)] = _reader(names_of(node))
    return read(node)


def _reader(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda node: tuple(getattr(node, name) for name in names)  # of one name, `attrgetter` gives no tuple


def operands(node: object) -> tuple[Op, ...]:
    """The operations directly inside a node (or a tuple of them), in order; blocks are left out. Operations and parts
    never change, so theirs are found once and kept with them."""
    if isinstance(node, _FIXED):
        found: tuple[Op, ...] | None = node.__dict__.get(_OPERANDS)
        if found is None:
            found = node.__dict__[_OPERANDS] = _operands_in(values_of(node))
        return found
    if isinstance(node, Ins):
        return _operands_in(values_of(node))
    return _operands_in(node) if isinstance(node, tuple) else ()


def _operands_in(values: tuple[object, ...]) -> tuple[Op, ...]:
    found: list[Op] = []
    for value in values:
        if isinstance(value, Op):
            found.append(value)
        elif isinstance(value, _GROUPS):
            found += operands(value)
    return tuple(found)


def operations(node: object) -> Iterator[Op]:
    """Every operation inside a node, outside first; of an instruction its own operands, not its blocks."""
    return iter(_inside(node)) if isinstance(node, Op) else chain.from_iterable(map(_inside, operands(node)))


def _inside(op: Op) -> tuple[Op, ...]:
    """An operation and all that are in it. Every pass asks this of every instruction, so a small one keeps it."""
    found: tuple[Op, ...] | None = op.__dict__.get(_INSIDE)
    if found is None:
        met, waiting = [], [op]
        while waiting:
            one = waiting.pop()
            met.append(one)
            waiting += reversed(operands(one))
        found = tuple(met)
        if len(found) <= _MOST_INSIDE:
            op.__dict__[_INSIDE] = found
    return found


def blocks_of(ins: Ins) -> tuple[Block, ...]:
    """The blocks inside an instruction. Few classes have any, and every pass asks this of every instruction."""
    names = _blocks.get(type(ins))
    if names is None:
        names = _blocks[type(ins)] = tuple(item.name for item in fields(type(ins)) if item.default_factory is list)
    return tuple([getattr(ins, name) for name in names]) if names else ()


def instructions(body: Block) -> Iterator[Ins]:
    """Every instruction of a block and of the blocks inside it, in the order of the text."""
    for ins in body:
        yield ins
        for block in blocks_of(ins):
            yield from instructions(block)


def operations_in(body: Block) -> Iterator[Op]:
    """Every operation of these instructions, outside first."""
    return (op for ins in instructions(body) for op in operations(ins))


def rebuilt(node: AnyNode, change: Callable[[Op], Op], block: Callable[[Block], Block] | None = None) -> AnyNode:
    """The same node with `change` applied to the operations directly inside it, and `block` to its blocks.

    The node itself is given back if nothing is different, so passes that change little copy little.
    """
    changed: dict[str, Any] = {}
    for name, value in zip(names_of(node), values_of(node), strict=True):
        new = _rebuilt_value(value, change, block)
        if new is not value:
            changed[name] = new
    return replace(node, **changed) if changed else node


def _rebuilt_value(value: Any, change: Callable[[Op], Op], block: Callable[[Block], Block] | None) -> Any:
    if isinstance(value, Op):
        return change(value)
    if isinstance(value, Part):
        return rebuilt(value, change, block)
    if isinstance(value, tuple):
        new = tuple([_rebuilt_value(item, change, block) for item in value])
        return value if all(map(is_, new, value)) else new
    if isinstance(value, list) and block is not None:
        return block(value)
    return value


def free_locals(node: object, bound: frozenset[str] = frozenset()) -> list[str]:
    """Locals that an operation or instruction reads and does not bind itself, in the order of reading."""
    if isinstance(node, Ins):
        own = [name for value in values_of(node) if not isinstance(value, list) for name in _free_in(value)]
        own += [name for block in blocks_of(node) for ins in block for name in free_locals(ins)]
    else:
        own = list(_free_in(node))
    return [name for name in own if name not in bound] if bound else own


def _free_in(node: object) -> tuple[str, ...]:
    """The same of an operation, a part or a tuple of them. Operations and parts never change, so a small one keeps what
    was found: passes and invariants ask it again after every change of anything else."""
    if isinstance(node, tuple):
        return tuple([name for item in node for name in _free_in(item)])
    if not isinstance(node, _FIXED):
        return ()
    found: tuple[str, ...] | None = node.__dict__.get(_FREE)
    if found is None:
        found = _free_of(node)
        if len(found) <= _MOST_INSIDE:
            node.__dict__[_FREE] = found
    return found


def _free_of(node: Op | Part) -> tuple[str, ...]:
    if isinstance(node, Local):
        return (node.name,)
    if isinstance(node, Part):
        return _free_in(values_of(node))
    found: list[str] = []
    bound: set[str] = set()
    # A name is bound from its field on: what stands before it is worked out outside.
    for field_name, value in zip(names_of(node), values_of(node), strict=True):
        if field_name in node.binds and value is not None:
            bound.add(value)
        found += [name for name in _free_in(value) if name not in bound]
    return tuple(found)


def with_constant(op: Op, local: str, number: int) -> Op:
    """The operation with a number in place of a local."""
    if isinstance(op, Local):
        return Const(number, type=op.type, span=op.span) if op.name == local else op
    return rebuilt(op, lambda inner: with_constant(inner, local, number))


def with_operations(op: Op, given: Mapping[str, Op]) -> Op:
    """The operation with others in place of these locals, all at once: an operation that is put in may speak of a local
    of the same name, as the arguments of a call speak of the caller's locals."""
    if isinstance(op, Local):
        return given.get(op.name, op)
    return rebuilt(op, lambda inner: with_operations(inner, given))


def _show(value: object) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(_show(item) for item in value) + ")"
    return str(value)
