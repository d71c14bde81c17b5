"""Why the parser stopped, in words for the author.

Explanations are tried in order, and the first that fits is reported: layout; unmatched brackets; the table of common
mistakes; words in the wrong place (a verb as a name, a capital letter, an unknown word at the start of a line); a
missing or unexpected block; and last a list of what would have fitted. The names of terminals are never shown:
`Expected` has words for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from ..diagnostics.diagnostic import Diagnostics, Label
from ..diagnostics.source import Source, Span
from ..diagnostics.suggest import did_you_mean, nearest
from .layout import LayoutError, split_line
from .mistakes import recognise
from .words import DECLARATIONS, FOREIGN_STATEMENTS, MEMBERS, OPENERS, STATEMENTS, VERBS

_WORD = re.compile(r'[A-Za-z_][A-Za-z0-9_]{0,59}|[0-9]{1,60}|"(?:[^"\\\n]|\\.)*"|[=<>!]=|\.\.|[+-]=|\S')
_BRACKET = re.compile(r'"(?:[^"\\\n]|\\.)*"|#[^\n]*|[()\[\]]')
_MOST_SAID = 8
_LONGEST_LINE = 1000  # longer lines are not matched against patterns
_CLOSES = {")": "(", "]": "["}
# These go over a set: `sum(p.coins for p in players)`.
_GATHERING = ("count", "groups", "largest_group", "longest_line", "longest_trail", "max", "min", "sum")
_ASKING = frozenset("if for while result requires let repeat may together".split())  # what follows may be in brackets


@dataclass(frozen=True)
class Expected:
    """What would have fitted: names of terminals, and words for those that are worth mentioning."""

    terminals: frozenset[str]
    words: dict[str, str] = field(default_factory=dict)

    def only(self, *terminals: str) -> bool:
        return bool(self.terminals) and self.terminals <= set(terminals)

    @property
    def is_value(self) -> bool:
        """True if the start of an expression would have fitted."""
        return {"NAME", "INT", "LPAR"} <= self.terminals

    def said(self) -> str:
        """`a name or a number`; empty if the list would be long."""
        words = sorted({self.words[name] for name in self.terminals if name in self.words and not self._is_dull(name)})
        if self.is_value:
            words = ["a value"]
        if not words or len(words) > _MOST_SAID:
            return ""
        return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"

    def _is_dull(self, name: str) -> bool:
        """True for operators and brackets: they can follow nearly anything, so naming them helps only if nothing else
        would fit."""
        dull = {"PLUS", "MINUS", "TIMES", "DIV", "MOD", "DOT", "LPAR", "LSQB", "COMPARE", "AND", "OR"}
        return name in dull and not self.terminals <= dull


@dataclass(frozen=True)
class Trouble:
    """Where the parser stopped: an offset in a text that begins at `base` in the source."""

    source: Source
    text: str
    offset: int
    base: int
    start: str
    token: str  # the terminal at which it stopped; "" if the characters form no terminal
    expected: Expected
    layout: LayoutError | None = None
    everything_at: Span | None = None

    @cached_property
    def line_start(self) -> int:
        return self.text.rfind("\n", 0, self.offset) + 1

    @cached_property
    def line(self) -> str:
        """The code of the line, without clause tags and comment."""
        end = self.text.find("\n", self.offset)
        line = split_line(self.text[self.line_start : end if end >= 0 else len(self.text)].rstrip("\r"))
        return " " * line.indent + line.code

    @property
    def before(self) -> str:
        return self.line[: self.offset - self.line_start]

    @property
    def after(self) -> str:
        return self.line[self.offset - self.line_start :]

    @cached_property
    def word(self) -> str:
        found = _WORD.match(self.after)
        return found[0] if found else ""

    @property
    def is_at_line_end(self) -> bool:
        return not self.after.strip()

    def span(self, start: int, end: int) -> Span:
        return self.everything_at or Span(self.source, self.base + start, self.base + end)

    @property
    def here(self) -> Span:
        """The word at which the parser stopped; at the end of a line, the place after its last word."""
        if self.is_at_line_end:
            end = self.line_start + len(self.before.rstrip())
            return self.span(end, end + 1)
        return self.span(self.offset, self.offset + max(1, len(self.word)))


def explain(trouble: Trouble, found: Diagnostics) -> None:
    """Reports exactly one finding for the trouble."""
    for attempt in _ATTEMPTS:
        if attempt(trouble, found):
            return
    _explain_by_expectation(trouble, found)


# ---------------------------------------------------------------------------- layout and blocks


def _explain_layout(trouble: Trouble, found: Diagnostics) -> bool:
    if trouble.layout is None or trouble.layout.kind == "glued":
        return False
    match trouble.layout.kind:
        case "deep":
            what = "this is nested too deeply"
            found.error("R0102", what, trouble.here, help="give a name to a part of it, with `let` or `value`")
        case kind:
            _explain_step(trouble, kind, trouble.layout.expected, found)
    return True


def _explain_step(trouble: Trouble, kind: str, expected: tuple[int, ...], found: Diagnostics) -> None:
    spaces = len(trouble.line) - len(trouble.line.lstrip(" "))
    headline = "this line is indented too far" if kind == "indent" else "this line stands between two levels"
    start = trouble.line_start
    help = f"a step is two spaces: {_either(expected)} fit here"
    if kind == "indent" and trouble.line.lstrip().startswith("if "):
        help = "`if` does not carry on the line before: write it at the end of that line, or `where` or `and` here"
    what = headline
    label = f"{spaces} space{'s' if spaces != 1 else ''}"
    found.error("R0106", what, trouble.span(start, start + max(1, spaces)), label, help=help)


def _either(numbers: tuple[int, ...]) -> str:
    texts = [str(number) for number in sorted(set(numbers))]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"


def _explain_glued(trouble: Trouble, found: Diagnostics) -> bool:
    """The parser stopped inside a word: it took the first part for a word of its own, as in `2players`."""
    if not re.search(r"\w$", trouble.before) or not re.match(r"\w", trouble.after):
        return False
    start = len(trouble.before) - len(re.split(r"\W", trouble.before)[-1])
    whole = re.match(r"\w{1,60}", trouble.line[start:])
    written = whole[0] if whole else trouble.word
    span = trouble.span(trouble.line_start + start, trouble.line_start + start + len(written))
    if re.fullmatch(r"[a-z]\w*", written) and re.search(r"[A-Z]", written):
        snake = re.sub(r"_*([A-Z]+)", r"_\1", written).lower()
        found.error("R0104", f"`{written}` mixes small and capital letters", span, help=f"names are written `{snake}`")
    elif re.fullmatch(r"[a-z][a-z0-9_]*", written) and re.search(r"__|_$", written):
        single = re.sub(r"_+", "_", written).strip("_")
        help = f"single underscores stand between the words of a name: `{single}`"
        found.error("R0104", f"`{written}` is no name", span, help=help)
    elif not trouble.line[:start].strip() and written.isalpha():
        _unknown_opening(trouble, written, span, found)
    elif size := re.fullmatch(r"([0-9]+)x([0-9]+)", written):
        help = f"write `{size[1]} by {size[2]}`"
        found.error("R0125", f"`{written}` is three words written as one", span, help=help)
    elif dice := re.fullmatch(r"([0-9]+)[dD]([0-9]+)", written):
        help = f"write `{dice[1]} dice of 1..{dice[2]}`"
        found.error("R0125", f"`{written}` is several words written as one", span, help=help)
    elif written[0].isdigit():
        found.error("R0125", f"`{written}` is two words written as one", span, help="put a space between them")
    else:
        first = trouble.line[start : len(trouble.before)]
        found.error("R0100", f"`{written}` does not fit here", span, help=f"did you mean `{first}`?")
    return True


def _explain_block(trouble: Trouble, found: Diagnostics) -> bool:
    """An indented block where none is allowed, or no block where one is needed."""
    if trouble.token == "_INDENT":
        lines = trouble.text[trouble.offset :].split("\n")
        start = trouble.offset + len(lines[0]) + 1
        for line in lines[1:]:
            if line.strip() and not line.lstrip().startswith("#"):
                break
            start += len(line) + 1
        else:
            line = ""
        first = start + len(line) - len(line.lstrip())
        what = "nothing can be indented here"
        others = (Label(_stripped(trouble, trouble.before), "this line takes no lines below it"),)
        help = "bring the line back by two spaces, or see whether the line above is complete"
        found.error("R0106", what, trouble.span(first, first + max(1, len(line.strip()))), others=others, help=help)
        return True
    if trouble.expected.only("_INDENT"):
        header = trouble.text[: trouble.offset].rstrip().rsplit("\n", 1)
        start = len(trouble.text[: trouble.offset].rstrip()) - len(header[-1].lstrip())
        what = "the lines that belong to this one are missing"
        help = "write them below it, indented by two spaces"
        found.error("R0107", what, trouble.span(start, start + len(header[-1].lstrip())), help=help)
        return True
    return False


def _stripped(trouble: Trouble, before: str) -> Span:
    start = trouble.line_start + len(before) - len(before.lstrip())
    return trouble.span(start, max(start + 1, trouble.line_start + len(before.rstrip())))


# ---------------------------------------------------------------------------- brackets


def _explain_brackets(trouble: Trouble, found: Diagnostics) -> bool:
    """A bracket left open on an earlier line, or one that closes nothing."""
    open_ones: list[tuple[str, int]] = []
    for bracket in _BRACKET.finditer(trouble.text, 0, trouble.offset):
        if bracket[0] in "([":
            open_ones.append((bracket[0], bracket.start()))
        elif bracket[0] in _CLOSES and open_ones:
            open_ones.pop()
    if trouble.word in _CLOSES:
        return _explain_closing(trouble, open_ones, found)
    is_elsewhere = bool(open_ones) and (
        trouble.is_at_line_end or "\n" in trouble.text[open_ones[-1][1] : trouble.offset]
    )
    if is_elsewhere:
        bracket_text, at = open_ones[-1]
        closing = ")" if bracket_text == "(" else "]"
        found.error(
            "R0118", f"this `{bracket_text}` is never closed", trouble.span(at, at + 1), help=f"add the `{closing}`"
        )
    return is_elsewhere


def _explain_closing(trouble: Trouble, open_ones: list[tuple[str, int]], found: Diagnostics) -> bool:
    if not open_ones:
        found.error(
            "R0118", f"this `{trouble.word}` closes nothing", trouble.here, help="take it out, or add what it closes"
        )
        return True
    bracket, at = open_ones[-1]
    if bracket == _CLOSES[trouble.word]:
        return False
    what = f"`{bracket}` is closed by `{trouble.word}`"
    help = "brackets close in the order in which they were opened"
    found.error("R0118", what, trouble.here, others=(Label(trouble.span(at, at + 1), "opened here"),), help=help)
    return True


# ---------------------------------------------------------------------------- words


def _explain_common(trouble: Trouble, found: Diagnostics) -> bool:
    if len(trouble.line) > _LONGEST_LINE:
        return False
    known = recognise(trouble.before.rstrip() if trouble.is_at_line_end else trouble.before, trouble.after)
    if known is None:
        return False
    span = trouble.here
    if known.columns:
        start, end = known.columns
        span = trouble.span(trouble.line_start + start, trouble.line_start + max(end, start + 1))
    found.error(known.code, known.headline, span, help=known.help)
    return True


def _explain_opening(trouble: Trouble, found: Diagnostics) -> bool:
    """The first word of the line cannot begin a line here."""
    if trouble.start not in ("file", "members") or trouble.before.strip() or not trouble.word:
        return False
    if not {"PHASE", "TABLE"} & trouble.expected.terminals:
        return False
    if trouble.start == "members" and re.match(r"[a-z]\w*\s*=[^=]", trouble.after):
        headline, help = "a variant sets a constant with `set`", f"write `set {trouble.word} = …`"
        found.error("R0108", headline, trouble.here, help=help)
    elif trouble.word in STATEMENTS:
        what = f"`{trouble.word}` is a statement, and statements stand inside a rule"
        found.error("R0108", what, trouble.here, help="indent it below the rule it belongs to")
    else:
        _unknown_opening(trouble, trouble.word, trouble.here, found)
    return True


def _unknown_opening(trouble: Trouble, word: str, span: Span, found: Diagnostics) -> None:
    """Reports a word that begins neither a declaration nor, inside a rule, a statement."""
    is_first = not trouble.text[: trouble.line_start].strip()
    if not is_first and trouble.line.startswith("  "):
        close = did_you_mean(word, STATEMENTS)
        found.error("R0109", f"`{word}` begins no statement", span, help=close or "a statement begins with a verb")
        return
    words = DECLARATIONS if trouble.start == "file" else MEMBERS
    found.error(
        "R0108",
        f"`{word}` begins no declaration" if word[0].isalpha() else "this begins no declaration",
        span,
        help=did_you_mean(word, words, 2)
        or "a declaration begins with a word such as `table`, `phase`, `effect`, `value`",
    )


def _explain_verb(trouble: Trouble, found: Diagnostics) -> bool:
    """`draw(p)`: a verb that is called like a rule."""
    called = re.fullmatch(r"(\s+)([a-z]+)(\(.*\)|\s*[-+]?=.*)", trouble.line)
    if called is None or called[2] not in VERBS or called[2] in _ASKING:
        return False
    start = trouble.line_start + len(called[1])
    what = f"`{called[2]}` is a verb here, not a name"
    help = f"call what you mean otherwise: `{VERBS[called[2]]}`"
    found.error("R0110", what, trouble.span(start, start + len(called[2])), help=help)
    return True


def _explain_statement(trouble: Trouble, found: Diagnostics) -> bool:
    """`suffle deck`, `return 3`, `draw(p)`: the first word of a line and what follows do not make a statement."""
    opening = re.fullmatch(r"(\s+)([a-z]\w*)\s*", trouble.before)
    if opening is None or trouble.start not in ("file", "members"):
        return False
    word = opening[2]
    start = trouble.line_start + len(opening[1])
    span = trouble.span(start, start + len(word))
    if word in FOREIGN_STATEMENTS:
        what = f"`{word}` is written `{FOREIGN_STATEMENTS[word]}`"
        found.error("R0109", what, span, help=f"write `{FOREIGN_STATEMENTS[word]} …`")
    elif word not in VERBS and not trouble.is_at_line_end and trouble.word[:1].isalnum():
        close = nearest(word, [*STATEMENTS, *FOREIGN_STATEMENTS, "otherwise", "else"])
        if close is None:
            return False
        found.error("R0109", f"`{word}` begins no statement", span, help=f"did you mean `{close}`?")
    else:
        return False
    return True


def _explain_gathering(trouble: Trouble, found: Diagnostics) -> bool:
    """`maxx(x.n for x in S)`: the parser takes the misspelt word for a rule, and then stops at `for`, `where` or
    `through`, which only the words of `_GATHERING` take in their brackets."""
    if trouble.word not in ("for", "where", "through"):
        return False
    called = re.search(r"\b([a-z]\w*)\((?:[^()]|\([^()]*\))*$", trouble.before)
    close = nearest(called[1], _GATHERING) if called is not None else None
    if called is None or close is None:
        return False
    start = trouble.line_start + called.start()
    span = trouble.span(start, start + len(called[1]))
    label = f"no rule takes `{trouble.word}` in its brackets"
    found.error("R0100", f"`{called[1]}` does not fit here", span, label, help=f"did you mean `{close}`?")
    return True


def _explain_capital(trouble: Trouble, found: Diagnostics) -> bool:
    """A lower-case name where a kind or an enum is expected, or a capital letter where anything else is."""
    word, wanted = trouble.word, trouble.expected.terminals
    if word[:1].isupper() and "NAME" in wanted and "TYPE" not in wanted and not trouble.expected.is_value:
        snake = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", word).lower()
        what = f"`{word}` begins with a capital letter"
        help = f"write `{snake}`"
        found.error("R0104", what, trouble.here, notes=("only enums, kinds, nodes and edges of maps do",), help=help)
        return True
    if re.fullmatch(r"[a-z]\w*", word) and "TYPE" in wanted and "NAME" not in wanted:
        title = "".join(part[:1].upper() + part[1:] for part in word.split("_"))
        what = f"`{word}` begins with a small letter"
        notes = ("enums, kinds, nodes and edges of maps begin with a capital letter",)
        help = f"write `{title}`"
        found.error("R0104", what, trouble.here, notes=notes, help=help)
        return True
    return False


def _explain_reserved(trouble: Trouble, found: Diagnostics) -> bool:
    """`not`, `can`, `yes`, `no` or `none` where a name is expected."""
    if trouble.word in OPENERS and trouble.expected.only("NAME"):
        what = f"`{trouble.word}` cannot be a name"
        found.error("R0110", what, trouble.here, help=f"choose another name, such as `{OPENERS[trouble.word]}`")
        return True
    return False


def _explain_by_expectation(trouble: Trouble, found: Diagnostics) -> None:
    said = trouble.expected.said()
    label = f"expected {said}" if said else ""
    if trouble.is_at_line_end:
        what = {"cell": "this cell", "hole": "this hole"}.get(trouble.start, "the line")
        found.error("R0124", f"{what} ends too early", trouble.here, label, help=f"go on with {said}" if said else None)
        return
    words = [word.strip("`") for name, word in trouble.expected.words.items() if name in trouble.expected.terminals]
    words = [word for word in words if word.replace(" ", "").isalpha()]
    two_words = " ".join(re.findall(r"[a-z]+", trouble.after)[:2])
    close = did_you_mean(trouble.word, words) or did_you_mean(two_words, [word for word in words if " " in word])
    shown = trouble.word if len(trouble.word) <= 30 else trouble.word[:29] + "…"
    help = close or _brackets_left_out(trouble)
    found.error("R0100", f"`{shown}` does not fit here", trouble.here, label, help=help)


def _brackets_left_out(trouble: Trouble) -> str | None:
    """Help with `turn p` where a rule is called."""
    called, about = re.fullmatch(r"\s+([a-z]\w*)\s+", trouble.before), re.fullmatch(r"([a-z]\w*)\s*", trouble.after)
    if called is None or about is None:
        return None
    return f"what a rule is about stands in brackets: `{called[1]}({about[1]})`"


_ATTEMPTS: tuple[Callable[[Trouble, Diagnostics], bool], ...] = (
    _explain_layout,
    _explain_glued,
    _explain_brackets,
    _explain_verb,
    _explain_common,
    _explain_block,
    _explain_opening,
    _explain_reserved,
    _explain_gathering,
    _explain_capital,
    _explain_statement,
)
