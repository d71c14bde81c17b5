"""A C function in the making: its declarations, its lines, its temporaries, and how it is left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from ...diagnostics.source import NOWHERE, Span

Shape = Literal["pure", "plain", "segment", "test"]


class CannotEmit(Exception):
    """This game cannot become C; the message says why. It runs in Python."""


@dataclass
class Function:
    """`shape` says what its return value is: pure (a number or a set), plain and segment (a signal), test (an answer).
    `declared` are lines at its top: rooms for sets live as long as the function, because a set is read after the block
    that filled it. `restores` undo what a `Borrow` has changed, before anything leaves the function."""

    name: str
    shape: Shape
    way: str = ""
    asking: bool = False
    declared: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    depth: int = 1
    restores: list[str] = field(default_factory=list)
    temporaries: int = 0
    last_line: tuple[str, int] = ("", 0)
    sets: set[str] = field(default_factory=set)  # locals that hold sets
    unsure: set[str] = field(default_factory=set)  # locals that may hold an answer that is neither yes nor no
    constant: set[str] = field(default_factory=set)  # set locals that never change inside
    returns_set: bool = False
    cursor: str = ""  # in a loop that only lists options: the variable that counts them
    drawing: Literal["", "count", "pick"] = ""  # the pass over the options of a question that draws one
    memos: dict[int, str] = field(default_factory=dict)  # operations whose value is kept while a loop runs
    printed: dict[str, str] = field(default_factory=dict)  # sets -> the array with the word of each element
    guards: dict[int, str] = field(default_factory=dict)  # loops -> what must hold for one to find anything
    bits: dict[str, str] = field(default_factory=dict)  # sets of small numbers -> the variable that has a bit for each
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
        """`return …`, with what was borrowed given back and the options of a question that is not asked forgotten."""
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
                return "(C->fault = 0, RW_UNSURE)"
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
