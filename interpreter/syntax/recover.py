"""Parses a whole rules file, and after a syntax error everything in it that can still be read.

A file is first parsed in one go. Only if that fails does the slow way begin. It has two aims: report every mistake of
the file, each once; and hand on everything else, so that the checker (and an editor) can carry on with it.

1. Cut the file at lines on the left margin that begin a declaration, or seem to; parse each piece on its own.
2. Cut a variant once more, at its own declarations.
3. In a broken declaration, blank out the broken line and the lines indented below it. Blanking writes spaces over the
   letters, so that every offset stays the same. Parse again; repeat until the declaration can be parsed or its first
   line is broken too. If only the first line of a rule can be parsed, keep the rule with an empty body: calls of it
   can still be checked against its parameters.

Blanking a line often causes further errors: an `if` whose only statement was blanked has no block, an `else` has lost
its `if`. Such an error next to blanked lines is blanked too, but not reported.

What is missing is handed on as `Damage`, with the words that may have been declared there. A line at the margin that
begins no declaration may have been meant as part of the declaration above it; then that one counts as damaged too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Source, Span
from . import nodes
from .pieces import Piece, Stuck, read_piece, report
from .words import DECLARATIONS, MEMBERS

LARGEST_FILE = 1024 * 1024
MOST_ERRORS = 50  # syntax errors reported in one file
MOST_MENDS = 20  # how often one declaration is parsed again with more lines blanked

_FIRST_WORD = re.compile(r"([ ]*)([A-Za-z]\w*)")
_FIRST_CODE = re.compile(r"(?:[ ]*(?:#[^\n]*)?\r?\n)*([ ]*)[^ #\r\n]")
_QUIET = re.compile(r'"(?:[^"\\\n]|\\.)*"|#[^\n]*')
_PARTS = ("given", "when", "then")  # of a scenario
_WANTS_MORE = re.compile(r"(,|[-+*]|\b(and|or|div|mod))$")  # at the end of a line
_CARRYING_ON = ("where", "and", "or", "has", "such", "costing", "stopping", "with", "by", "until", "skipping", "else")


def read_rules(source: Source, found: Diagnostics) -> nodes.File:
    """Whatever can be read of a rules file. If nothing is reported it is the whole file, without damage."""
    if len(source.text) > LARGEST_FILE:
        help = f"a rules file has at most {LARGEST_FILE} characters: split it, `part of` joins the parts"
        found.error("R0101", "this file is too large", Span(source, 0, 0), help=help)
        return _nothing(source)
    if not _begins_at_margin(source, found):
        return _nothing(source)
    whole = Piece(source, 0, source.text.rstrip(), "file")
    first = Diagnostics()
    file = read_piece(whole, first)
    if isinstance(file, nodes.File) and not len(first):
        return file
    if isinstance(file, Stuck):
        report(whole, file, first)
    return _sound_part(whole, first, found)


def _nothing(source: Source) -> nodes.File:
    """The result for a file that cannot be used at all: any word in it may have been a declared name."""
    span = Span(source, 0, len(source.text))
    words = frozenset(re.findall(r"[A-Za-z]\w*", source.text[:LARGEST_FILE]))
    return nodes.File(span, (), (nodes.Damage(span, words),))


def _begins_at_margin(source: Source, found: Diagnostics) -> bool:
    first = _FIRST_CODE.match(source.text)
    if first is None or not first[1]:
        return True
    what = "the first line of a file stands at the left margin"
    found.error("R0106", what, Span(source, first.start(1), first.end(1)), help="take out the spaces before it")
    return False


# ---------------------------------------------------------------------------- the sound part of a file


@dataclass
class _Sound:
    """What has been read so far. `last` is the declaration just above: a stray line at the margin may belong to it."""

    found: Diagnostics
    most: int
    declarations: list[nodes.Declaration] = field(default_factory=list)
    damage: list[nodes.Damage] = field(default_factory=list)
    last: nodes.Declaration | None = None

    @property
    def is_full(self) -> bool:
        return len(self.found) >= self.most

    def keep(self, declarations: tuple[nodes.Declaration, ...], damage: tuple[nodes.Damage, ...] = ()) -> None:
        self.declarations += declarations
        self.damage += damage
        self.last = declarations[-1] if declarations else None

    def lose(self, piece: Piece, *, is_stray: bool, names: frozenset[str] = frozenset()) -> None:
        """Records a piece of which nothing can be used. A stray one may have been part of the declaration above."""
        span = Span(piece.source, piece.offset, piece.offset + len(piece.text))
        above = self.last if is_stray else None
        names |= _names_in(piece.text)
        self.damage += [nodes.Damage(span, names, torn, span.end) for torn in (None, *_spans(above))]
        if not is_stray:
            self.last = None


def _sound_part(whole: Piece, first: Diagnostics, found: Diagnostics) -> nodes.File:
    """The declarations of a file that can be read. `first` holds the errors from parsing the file in one go."""
    sound = _Sound(found, len(found) + MOST_ERRORS)
    before = len(found)
    for piece in _pieces(whole.source, 0, whole.text, "file", 0):
        _read_declaration(piece, sound)
    # Every piece may parse on its own although the file as a whole does not. The file is broken all the same.
    if len(found) == before:
        found.found += first.found
    return nodes.File(Span(whole.source, 0, len(whole.text)), tuple(sound.declarations), tuple(sound.damage))


def _read_declaration(piece: Piece, sound: _Sound) -> None:
    """Adds what can be read of a declaration and reports the rest."""
    is_stray = _first_word(piece.text) not in (DECLARATIONS if piece.start == "file" else MEMBERS)
    if sound.is_full:
        sound.lose(piece, is_stray=is_stray)
        return
    here = Diagnostics()
    read = read_piece(piece, here)
    if isinstance(read, nodes.File) and not len(here):
        sound.keep(read.declarations)
    elif re.match(r"variant\s", piece.text) and "\n" in piece.text and _read_variant(piece, sound):
        return
    else:
        _mend(piece, sound, is_stray)


def _read_variant(piece: Piece, sound: _Sound) -> bool:
    """Adds a variant with those of its declarations that can be read; False if its own first line is broken."""
    # A variant needs at least one declaration. Give its first line a harmless one, to see whether the line itself
    # can be parsed; the stand-in is thrown away below.
    head, _, body = piece.text.partition("\n")
    read = read_piece(replace(piece, text=f"{head}\n  remove stand_in"), Diagnostics())
    if not isinstance(read, nodes.File) or not isinstance(variant := read.declarations[0], nodes.Variant):
        return False
    inside = _Sound(sound.found, sound.most)
    before = len(sound.found)
    for member in _pieces(piece.source, piece.offset + len(head) + 1, body, "members", 2):
        _read_declaration(member, inside)
    if len(sound.found) == before:  # no member is to blame: let the caller look at the variant as a whole
        return False
    sound.keep((replace(variant, declarations=tuple(inside.declarations)),), tuple(inside.damage))
    return True


def _pieces(source: Source, offset: int, text: str, start: str, indent: int) -> Iterator[Piece]:
    """Cuts a text before each line at the given indentation that begins a declaration, or seems to.

    `fase turn(p)` begins nothing known, but at the margin it can only be a misspelt declaration. The exception is a
    line that continues the one above: after a comma, inside a bracket, or beginning with a word such as `where`.
    """
    words = DECLARATIONS if start == "file" else MEMBERS
    cuts = [0]
    position = 0
    may_go_on = True  # true before the first line, inside an open bracket, and after a comma
    brackets = 0
    for line in text.splitlines(keepends=True):
        word = _FIRST_WORD.match(line)
        if word and len(word[1]) == indent:
            if word[2] in words or not (may_go_on or word[2] in _CARRYING_ON):
                cuts.append(position)
                brackets = 0  # a forgotten `)` must not swallow the rest of the file
        code = _QUIET.sub("", line).strip()
        if code:
            brackets += _open_brackets(code)
            may_go_on = brackets > 0 or _WANTS_MORE.search(code) is not None
        position += len(line)
    for begin, end in zip(cuts, [*cuts[1:], len(text)], strict=True):
        if text[begin:end].strip():
            yield Piece(source, offset + begin, text[begin:end].rstrip(), start)


def _open_brackets(code: str) -> int:
    return code.count("(") + code.count("[") - code.count(")") - code.count("]")


def _first_word(text: str) -> str:
    code = re.sub(r"\A(?:[ ]*(?:#[^\n]*)?\r?\n)+", "", text)
    word = _FIRST_WORD.match(code)
    return word[2] if word else ""


# ---------------------------------------------------------------------------- one broken declaration


class _Lines:
    """The lines of a declaration, some of them blanked."""

    def __init__(self, text: str) -> None:
        self.written = text.split("\n")
        self.is_blanked = [False] * len(self.written)
        self.head = next((number for number, line in enumerate(self.written) if _code(line)), 0)

    @property
    def text(self) -> str:
        pairs = zip(self.written, self.is_blanked, strict=True)
        return "\n".join(" " * len(line) if blanked else line for line, blanked in pairs)

    def number_at(self, offset: int) -> int:
        """The line of an offset in the text, counted from 0."""
        return min("\n".join(self.written).count("\n", 0, max(offset, 0)), len(self.written) - 1)

    def unit(self, number: int) -> range:
        """The lines to blank together: the given line, those it continues, and those indented below it."""
        start = number
        while start > self.head and self._carries_on(start):
            start -= 1
        if start <= self.head:
            return range(self.head, len(self.written))
        indent = _indent(self.written[start])
        end = number + 1
        while end < len(self.written) and (not _code(self.written[end]) or _indent(self.written[end]) > indent):
            end += 1
        return range(start, end)

    def _carries_on(self, number: int) -> bool:
        above = "" if self.is_blanked[number - 1] else _code(self.written[number - 1])
        if not _code(self.written[number]):
            return True  # an error reported on an empty line belongs to the line above it
        opens = _WANTS_MORE.search(above) is not None or _open_brackets(above) > 0
        return opens or _first_word(self.written[number]) in _CARRYING_ON[:-1]

    def blank(self, unit: range) -> bool:
        """Blanks lines; False if none of them held code that was still visible."""
        fresh = [number for number in unit if not self.is_blanked[number]]
        for number in fresh:
            self.is_blanked[number] = True
        return any(_code(self.written[number]) for number in fresh)

    def may_follow(self, unit: range, code: str) -> bool:
        """True if trouble in this unit may come from lines that were blanked inside it, or directly above it."""
        if any(self.is_blanked[number] for number in unit):
            return code in ("R0100", "R0124", *_LAYOUT)
        above = unit.start - 1
        while above > 0 and not _code(self.written[above]):
            above -= 1
        # What does not begin with a word was the rest of the line above, `else` the rest of its `if`.
        word = _first_word(self.written[unit.start])
        if _first_word(self.written[self.head]) == "scenario":
            # A part whose only line was blanked is gone, and the next part then seems to stand in its place.
            below = next((n for n in range(unit.stop, len(self.written)) if _code(self.written[n])), self.head)
            if (self.is_blanked[above] and word in _PARTS) or (self.is_blanked[below] and code in ("R0124", *_LAYOUT)):
                return True
        return self.is_blanked[above] and (code in _LAYOUT or word in ("", "otherwise", *_CARRYING_ON))

    def lost_its_block(self, unit: range) -> bool:
        """True if the first line of the unit had a block below it and all of that has been blanked."""
        below = [self.is_blanked[number] for number in unit[1:] if _code(self.written[number])]
        return bool(below) and all(below)

    def stretches(self) -> Iterator[tuple[int, int]]:
        """Start and end of every run of blanked lines, as offsets."""
        offset, start = 0, None
        for line, blanked in zip([*self.written, ""], [*self.is_blanked, False], strict=True):
            if blanked and start is None:
                start = offset
            elif not blanked and start is not None:
                yield start, offset - 1
                start = None
            offset += len(line) + 1


def _code(line: str) -> str:
    return _QUIET.sub(lambda quiet: "" if quiet[0][0] == "#" else '""', line).strip()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _mend(piece: Piece, sound: _Sound, is_stray: bool) -> None:
    """Blanks the broken lines of a declaration until the rest can be parsed, and adds the rest."""
    lines = _Lines(piece.text)
    # The parser stops at its first error, so each round finds about one broken line.
    for _ in range(MOST_MENDS):
        here = Diagnostics()
        patient = replace(piece, text=lines.text)
        read = read_piece(patient, here)
        if isinstance(read, Stuck):
            report(patient, read, here)
        if isinstance(read, nodes.File) and not len(here):
            return _keep_mended(piece, read.declarations, lines, sound)
        if not _blank_findings(piece, here, lines, sound) or sound.is_full:
            break
    # Blanking did not help. The first line of a rule may still be good; if not, all of it is lost.
    if is_stray or not (kept := _read_head(piece, lines)):
        blanked = [line for line, gone in zip(lines.written, lines.is_blanked, strict=True) if gone]
        names = [_names_in(line) for line in blanked]
        return sound.lose(piece, is_stray=is_stray, names=frozenset().union(*names))
    for number in range(lines.head + 1, len(lines.written)):
        lines.is_blanked[number] = True
    _keep_mended(piece, kept, lines, sound)


def _blank_findings(piece: Piece, here: Diagnostics, lines: _Lines, sound: _Sound) -> bool:
    """Reports each finding that is not a consequence of earlier blanking, and blanks its lines; False if that cannot
    help, because the first line is broken or nothing more could be blanked."""
    is_gain = False
    for finding in here:
        unit = lines.unit(lines.number_at(finding.primary.span.start - piece.offset))
        if not (lines.may_follow(unit, finding.code) or lines.lost_its_block(unit)):
            sound.found.found.append(finding)
        if unit.start <= lines.head:  # without its first line there is no declaration left to parse
            lines.blank(range(lines.head, lines.head + 1))
            return False
        is_gain = lines.blank(unit) or is_gain
    return is_gain


# Indentation that does not fit, a block that is missing, an `else` that belongs to nothing.
_LAYOUT = ("R0106", "R0107", "R0120")


def _keep_mended(piece: Piece, declarations: tuple[nodes.Declaration, ...], lines: _Lines, sound: _Sound) -> None:
    declarations = tuple(_with_some_body(one) for one in declarations)
    spans: list[Span | None] = [span for declaration in declarations for span in _spans(declaration)]
    of_statements = any(isinstance(_inner(one), _OF_STATEMENTS) for one in declarations)
    inside = _indent(lines.written[lines.head]) + 2  # a line further left was meant as a declaration of its own
    # The line that a map lacks may have been `node Cell`. Without nodes it is not built, so its own name is lost too.
    maps = frozenset(board.name.text for one in declarations if isinstance(board := _inner(one), nodes.Map))
    damage: list[nodes.Damage] = []
    for start, end in lines.stretches():
        text = piece.text[start:end]
        strays = [line for line in text.split("\n") if not of_statements or _indent(line) < inside]
        names = maps | _declared_in(text) | frozenset().union(*(_names_in(line) for line in strays))
        place = Span(piece.source, piece.offset + start, piece.offset + end)
        until = piece.offset + len(piece.text)
        damage += [nodes.Damage(place, names, kept, until) for kept in spans or [None]]
    sound.keep(declarations, tuple(damage))


def _with_some_body(declaration: nodes.Declaration) -> nodes.Declaration:
    """Gives an empty body to a rule whose lines were all blanked. A missing body would mean that the author left the
    rule open, as a core may, and the checker would report that too."""
    inner = _inner(declaration)
    if not isinstance(inner, nodes.Rule) or inner.body is not None:
        return declaration
    if isinstance(inner, nodes.Value) and inner.expression is not None:
        return declaration
    bare = replace(inner, body=())
    return replace(declaration, declaration=bare) if isinstance(declaration, nodes.Replace) else bare


# Declarations made of statements. Their lines may depend on earlier lines (a `let`, an `if`), and none of them declares
# a name that is visible elsewhere.
_OF_STATEMENTS = (nodes.Rule, nodes.Hook, nodes.AlsoIn, nodes.Setup, nodes.Play, nodes.Scenario)


def _inner(declaration: nodes.Declaration) -> nodes.Declaration:
    """The declaration inside a `replace` or `extend`; any other declaration itself."""
    return declaration.declaration if isinstance(declaration, nodes.Replace | nodes.Extend) else declaration


def _spans(declaration: nodes.Declaration | None) -> list[Span]:
    """The spans by which later stages identify a declaration made of statements; none for any other."""
    if declaration is None or not isinstance(_inner(declaration), _OF_STATEMENTS):
        return []
    return [declaration.span, _inner(declaration).span]


def _read_head(piece: Piece, lines: _Lines) -> tuple[nodes.Declaration, ...]:
    """A rule parsed from its first line alone; nothing if that line cannot be parsed or does not begin a rule."""
    head = "\n".join(lines.written[: lines.head + 1])
    # Some rules are complete with one line, others need a block: try both.
    texts = [head, f"{head}\n{' ' * _indent(lines.written[lines.head])}  stop"]
    if (value := re.match(r"(?s).*?\bvalue\s+\w+[ ]*(?:\([^()]*\))?[^=()\n]*(?==)", head)) is not None:
        texts = [value[0].rstrip()]  # `value worth(p): 0..9 = …`: perhaps only the expression after `=` is broken
    elif lines.is_blanked[lines.head]:
        return ()
    for text in texts:
        here = Diagnostics()
        read = read_piece(replace(piece, text=text), here)
        if (
            isinstance(read, nodes.File)
            and not len(here)
            and isinstance(rule := _inner(read.declarations[0]), nodes.Rule)
        ):
            outer = read.declarations[0]
            bare = replace(rule, body=None)
            return (replace(outer, declaration=bare) if isinstance(outer, nodes.Replace) else bare,)
    return ()


# ---------------------------------------------------------------------------- names that may have been declared

_BRACKETED = re.compile(r"\([^()\n]*\)?|\[[^\[\]\n]*\]?")
_WORD = re.compile(r"[A-Za-z]\w*")
_FIELD = re.compile(r'(?m)^[ ]*([a-z]\w*)\s*(?:\[[^\]\n]*\])?[^:"\n]{0,40}:')
_NAMELESS = re.compile(
    r"variant\s+of\b|"
    r"\b(?:phase|action|effect|value|constant|chart|currency|history|map|kind|enum|node|edge)\s*(?:[^\w\s]|$)"
)
_NAMELESS_KEY = re.compile(r"(?m)(?:^|\beach|,)[ ]*:")
_DECLARES = re.compile(
    r"\b(?:phase|action|effect|value|constant|chart|currency|history|map|kind|enum|node|edge|automa|variant|as)"
    r"[ ]+([A-Za-z]\w*)"
)


def _names_in(text: str) -> frozenset[str]:
    """Words that a broken declaration may have declared: those of its first line, its fields, and `effect NAME`.

    If the name itself is missing, as in `effect (p)`, the empty word stands for it: it may have been any name.
    """
    quiet = _QUIET.sub("", text).lstrip()
    head = _BRACKETED.sub("", quiet.partition("\n")[0])
    if _NAMELESS.match(quiet) or _NAMELESS_KEY.search(quiet):
        return frozenset(("", *_declared_in(text)))
    words = _WORD.findall(head)
    # `tabledeck: pile of Card`: without the line break, a name stands behind the word that begins the declaration.
    glued = [words[0].removeprefix(word) for word in DECLARATIONS if words and words[0].startswith(word)]
    return frozenset((*words, *filter(None, glued), *_FIELD.findall(quiet))) | _declared_in(text)


def _declared_in(text: str) -> frozenset[str]:
    return frozenset(_DECLARES.findall(_QUIET.sub("", text)))
