"""A C function in the making: its declarations, its lines, its temporaries, and how it is left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from ...diagnostics.source import NOWHERE, Span
from ..ir import Op

Shape = Literal["pure", "plain", "segment", "test"]

TOO_LARGE = 999  # in place of a fault: Python has room for it, and plays this choice
ON_STACK = 8192  # bytes of sets that a function keeps on the machine's stack; the context lends what is larger
_BYTES = {"elt": 4, "num": 8, "uint8_t": 1}
_HEAD = re.compile(r"(static(?: inline)?) (\w+) (\w+)\((.*)\)")


class CannotEmit(Exception):
    """This game cannot become C; the message says why. It runs in Python."""


@dataclass(frozen=True)
class Tally:
    """How many elements of `source` have the value `wanted` of `own`, which is from `low` on one of `size` values.
    `bits`: only whether there is one. `within`: what the value that asks for it may give; all else is its fault."""

    name: str
    source: Op
    local: str
    own: Op
    wanted: Op
    low: int
    size: int
    bits: bool
    within: tuple[int, int] | None

    @property
    def pass_over(self) -> tuple[str, str, bool]:
        """Equal for tallies that one pass serves."""
        return str(self.source), str(self.own).replace(self.local, "each"), self.bits


@dataclass(frozen=True)
class RowWord:
    """A set of kinds that has a word of bits: the local, what it was found in, and by bit the pieces that it stands
    for. `by_row`: that is a row of equal pieces; else it is one piece."""

    local: str
    source: str
    bits: dict[int, tuple[int, ...]]
    by_row: bool


@dataclass(frozen=True)
class RowLook:
    """What a loop or a test asks of such a set first: `tests` of the element `local`. `own`: it goes over the kinds
    themselves, and not over what they were found in."""

    word: RowWord
    local: str
    tests: tuple[Op, ...]
    own: bool


@dataclass
class Function:
    """`shape` says what its return value is: pure (a number or a set), plain and segment (a signal), test (an answer).
    `declared` are lines at its top: rooms for sets live as long as the function, because a set is read after the block
    that filled it. `restores` undo what a `Suppose` has changed, before anything leaves the function."""

    name: str
    shape: Shape
    way: str = ""
    asking: bool = False
    declared: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    depth: int = 1
    restores: list[str] = field(default_factory=list)
    temporaries: int = 0
    on_stack: int = 0  # bytes of sets that are declared so far
    lent: list[tuple[str, str, str]] = field(default_factory=list)  # the others: type, name, size in C
    last_line: tuple[str, int] = ("", 0)
    sets: set[str] = field(default_factory=set)  # locals that hold sets
    unsure: set[str] = field(default_factory=set)  # locals that may hold an answer that is neither yes nor no
    constant: set[str] = field(default_factory=set)  # set locals that never change inside
    returns_set: bool = False
    cursor: str = ""  # in a loop that only lists options: the variable that counts them
    in_loop: bool = False  # of statements
    roomy: bool = False  # such a loop ends before the list can be overrun, and asks behind it
    drawing: Literal["", "count", "pick"] = ""  # the pass over the options of a question that draws one
    memos: dict[int, str] = field(default_factory=dict)  # operations whose value is kept while a loop runs
    tallies: dict[int, Tally] = field(default_factory=dict)  # operations -> what counts for them: see `tallies`
    words: dict[int, RowWord] = field(default_factory=dict)  # sets of kinds -> their bits: see `rows`
    looks: dict[int, RowLook] = field(default_factory=dict)  # loops and tests -> what they ask of such bits
    listed: set[str] = field(default_factory=set)  # sets of kinds that something else looks at too
    uncounted: set[str] = field(default_factory=set)  # sets of kinds of which nobody asks how many there are
    bits: dict[str, str] = field(default_factory=dict)  # sets of small numbers -> the variable that has a bit for each
    paying: tuple[str, str] = ("", "")  # what the last payment is, and its name: see Calls.payment
    chosen: str = ""  # in a test of an option of a set: the set with it


class Writing:
    """Lines for the function in the making."""

    def __init__(self) -> None:
        self.function = Function("", "plain")
        self.places: list[tuple[str, int, int]] = []  # what the place numbers of faults stand for
        self._place_numbers: dict[tuple[str, int, int], int] = {}

    def line(self, text: str) -> None:
        self.function.lines.append("    " * self.function.depth + text if text else "")

    def declare(self, text: str) -> None:
        self.function.declared.append("    " + text)

    def room_for(self, of: str, name: str, count: int) -> None:
        """An array of the function: on the stack, or in a block that the context lends if it is large."""
        size = count * _BYTES[of]
        if self.function.on_stack + size <= ON_STACK:
            self.function.on_stack += size
            self.declare(f"{of} {name}[{count}];")
        else:
            self.function.lent.append((of, name, f"{count} * sizeof({of})"))

    def borrow(self, of: str, name: str) -> str:
        """A large thing that the context lends; gives the text of the thing itself."""
        self.function.lent.append((of, name, f"sizeof({of})"))
        return f"(*{name})"

    def whole_function(self, head: str) -> list[str]:
        """The lines of the function in the making. One with large rooms has a wrapper, which borrows them and gives
        them back however the function is left."""
        made = self.function
        if not made.lent:
            return [f"{head} {{", *made.declared, *made.lines, "}", ""]
        found = _HEAD.fullmatch(head)
        assert found is not None, head
        kind, result, name, params = found.groups()
        rooms, size = [], "0"
        for of, room, wanted in made.lent:
            rooms.append(f"    {of} *const {room} = ({of} *)(void *)(rooms_ + {size}); (void){room};")
            size = f"RW_ROUNDED({wanted})" if size == "0" else f"{size} + RW_ROUNDED({wanted})"
        args = ", ".join(param.split()[-1].lstrip("*") for param in params.split(", "))
        gives = "" if result == "void" else f"const {result} result_ = "
        return [
            f"static {result} in_{name}({params}, unsigned char *rooms_) {{", *rooms, *made.declared, *made.lines, "}",
            f"{kind} {result} {name}({params}) {{",
            f"    const size_t size_ = {size};",
            "    unsigned char *const rooms_ = rw_borrow(C, size_);",
            f"    if (rooms_ == NULL) return{'' if result == 'void' else f' {self.at_fault}'};",
            f"    {gives}in_{name}({args}, rooms_);",
            "    rw_return_room(C, size_);",
            f"    return{'' if result == 'void' else ' result_'};",
            "}", "",
        ]  # fmt: skip

    def fresh(self, stem: str = "t") -> str:
        self.function.temporaries += 1
        return f"{stem}_{self.function.temporaries}"

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.line(f"{head} {{" if head else "{")
        self.function.depth += 1
        yield
        self.function.depth -= 1
        self.line("}")

    @contextmanager
    def captured(self, lines: list[str]) -> Iterator[None]:
        """What is written meanwhile goes into `lines`, indented as a block."""
        outer, self.function.lines = self.function.lines, []
        self.function.depth += 1
        yield
        self.function.depth -= 1
        lines += self.function.lines
        self.function.lines = outer

    def comment(self, span: Span) -> None:
        """The line of the rules that what follows comes from, once."""
        if span is NOWHERE or not span.source.text:
            return
        line, _ = span.source.place(span.start)
        here = (span.source.name, line)
        if here != self.function.last_line:
            self.function.last_line = here
            text = span.source.line_text(line).strip().replace("*/", "* /").replace("/*", "/ *").replace("\\", "/")
            text = text.replace("??", "? ?")
            self.line(f"/* {line}: {text} */")

    def place(self, span: Span) -> int:
        """The number by which a fault names its place in the rules."""
        if span is NOWHERE or not span.source.text:
            return -1
        here = (span.source.name, *span.source.place(span.start))
        if here not in self._place_numbers:
            self._place_numbers[here] = len(self.places)
            self.places.append(here)
        return self._place_numbers[here]

    # ------------------------------------------------------------------ leaving a function

    def leave(self, text: str) -> None:
        """`return …`, with what was supposed taken back and the options of a question that is not asked forgotten."""
        for restore in reversed(self.function.restores):
            self.line(restore)
        if self.function.asking and text != "RW_STOP":
            self.line("C->optop = o;")
        self.line(f"return {text};")

    def leave_if(self, condition: str, text: str) -> None:
        with self.block(f"if ({condition})"):
            self.leave(text)

    @property
    def at_fault(self) -> str:
        """What this function returns when a fault is set in the context."""
        match self.function.shape:
            case "pure":
                return "(Set){0, 0}" if self.function.returns_set else "0"
            case "test":
                return "rw_unsure_after(C)"
            case _:
                return "RW_FAULT"

    def fault_if(self, condition: str, code: int, value: str, span: Span) -> None:
        with self.block(f"if ({condition})"):
            self.line(f"rw_fault(C, {code}, {value}, {self.place(span)});")
            self.leave(self.at_fault)

    def count_work(self, units: str, span: Span) -> None:
        """Counts work against the limit of steps."""
        self.leave_if(f"rw_spend(C, S, {units}, {self.place(span)})", self.at_fault)

    def hand_on_fault(self) -> None:
        """After a call that may have met a fault."""
        self.leave_if("C->fault", self.at_fault)
