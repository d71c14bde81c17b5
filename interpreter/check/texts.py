"""Texts with holes; the list of a game's texts; and the comparison of that list with the files in `texts/`.

A hole may contain any expression that is valid where the text stands. The label of a line that calls a rule is that
rule's own text, with the arguments of the call put in for its parameters.

The key of a text is what the rules have between the quotes, holes included. Names of rows, nodes and enum values are
texts too, unless they are numbers. The program's own words (`Pass`) may be translated in the same file.

A file in the game's own language is not a translation: it rewords texts of the rules (mostly of a ruleset that the game
uses). The new wording replaces the text and may use the same holes. Such a file lists only the texts that change, and
for these the new wording is the key of their translations.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Span
from ..diagnostics.suggest import did_you_mean
from ..ruleset.fingerprint import layer_folders
from ..ruleset.gathered import Scalar
from ..ruleset.unsaved import files_in
from ..ruleset.yaml_source import read_yaml
from ..syntax import nodes
from .dispatch import as_set, elaborate
from .program import Expr, Program, RuleDecl, Template
from .scope import Body
from .type_rules import in_words
from .value_types import NoneOnly
from .walk import walk_program

PHRASES = (
    "Pass", "That is all", "You may", "Go on?", "Which comes next?", "Pay with what?", "Choose",
    "one by one, in the order of the list", "so far: {picked}", "chooses in secret",
    "The game is over", "score", "Nobody wins.", "{winner} wins.", "{others} and {winner} share the victory.",
    "`{condition}` does not hold", "not enough {what}: {needed} needed, {held} held", "there is no room for it",
    "not enough there: {needed} needed, {held} there", "not enough there", "it cannot be paid",
    "there is nothing to perform, or it is still being resolved", "there is nothing to take",
    "there is no piece to move", "there is no piece to turn over", "it cannot be carried through",
    "its condition does not hold", "too much would have to be looked through to say why",
    "The rules fail to say what is asked here ({what}).",
    "there is nothing to choose", "there is nothing to choose: {sought}",
    "there is nothing to choose: {sought} that also meets {needs}", "there is too little to choose: {sought}",
    "a set is picked in the order of the list, and what stands behind this is too little",
    "it is not in `{place}`", "nothing in {places} is called so",
    "it is offered only if nothing else is", "this is not its moment: it may be taken during `{phase}`",
    "a set is picked in the order of the list, and this comes too late or too early",
    "it does not differ from what is offered, or something else comes first", "here it is called “{label}”",
    "not {what}", "nothing in {place}", "{one} or {other}",
)  # fmt: skip
_HOLE = re.compile(r"\{([^{}|]+)(?:\|\s*([a-z][a-z0-9_]*)\s*)?\}")  # as `syntax.texts` reads it
_PIECE = re.compile(rf"\{{\{{|\}}\}}|{_HOLE.pattern}")
_LETTER = re.compile(r"[^\W\d_]")


def direction_words(name: str) -> str:
    """What people read for a direction of a map: `north_east` is `north east`."""
    return name.replace("_", " ")


def templates(program: Program) -> Iterator[Template]:
    """Every text of the rules."""
    yield from (node for node in walk_program(program) if isinstance(node, Template))
    yield from (rule.text for rule in program.rules.values() if rule.text is not None)


def text_keys(program: Program) -> Iterator[str]:
    """Every text that a translation of this game should contain."""
    yield program.title
    yield from (text.raw for text in templates(program))
    names = [row.name or row.id for row in program.rows]
    names += [thing.name or thing.id for thing in (*program.nodes, *program.edges)]
    names += [name for enum in program.enums.values() for name in enum.names]
    yield from names


def optional_keys(program: Program) -> Iterator[str]:
    """Texts that may be translated but need not be: names of places, fields, printed attributes, maps, directions,
    seats, kinds of pieces and edges, of rules without a title, and of pieces that a player does not know (`a card`)."""
    yield from (field.name.replace("_", " ") for field in program.fields)
    yield from (place.name.replace("_", " ") for place in program.places)
    yield from (rule.name.replace("_", " ").capitalize() for rule in program.rules.values() if rule.text is None)
    yield from (name for kind in program.kinds.values() for name in (kind.unseen, kind.text))
    yield from (table.name.replace("_", " ") for table in program.attributes)
    yield from (edge_kind_words(kind) for kind in program.edge_kinds)
    yield from (name.replace("_", " ") for name in program.maps)
    yield from (direction_words(name) for board in program.maps.values() for name in board.directions)
    yield from program.seat_names
    yield from PHRASES


@dataclass(frozen=True)
class Keys:
    """The texts of a game with all its variants, in their order."""

    needed: dict[str, None]  # without texts that are only a hole or a number
    optional: frozenset[str]
    written: frozenset[str]  # texts as the rules have them between the quotes: the keys for rewording
    language: str  # of the game itself
    clauses: dict[str, None]  # the ids of the rulebook


def keys_of(programs: Iterable[Program], titles: Iterable[str] = ()) -> Keys:
    """The texts of these programs. `titles` are those of the variants, which may be translated as well."""
    needed: dict[str, None] = {}
    optional: set[str] = set(titles)
    written: set[str] = set()
    language = ""
    clauses: dict[str, None] = {}
    for program in programs:
        clauses.update(dict.fromkeys(program.clauses))
        needed.update(dict.fromkeys(key for key in text_keys(program) if _LETTER.search(_HOLE.sub("", key))))
        optional.update(optional_keys(program))
        written.update(text.written or text.raw for text in templates(program))
        language = program.language
    return Keys(needed, frozenset(optional), frozenset(written), language, clauses)


def holes_of(text: str) -> list[tuple[str, str]]:
    """(expression, form) of each hole."""
    return [piece for piece in pieces_of(text) if not isinstance(piece, str)]


def pieces_of(text: str) -> list[str | tuple[str, str]]:
    """The plain parts of a text and its holes, in order; a hole is (expression, form)."""
    pieces: list[str | tuple[str, str]] = [""]
    at = 0
    for found in _PIECE.finditer(text):
        before = f"{pieces.pop()}{text[at : found.start()]}"
        pieces += [before, (found[1].strip(), found[2] or ""), ""] if found[1] else [before + found[0][0]]
        at = found.end()
    return [*pieces[:-1], f"{pieces[-1]}{text[at:]}"]


def check_translations(folder: Path, keys: Keys, found: Diagnostics) -> None:
    """Reports missing texts, unknown keys, unknown holes and holes left out in the files of `texts/`."""
    for _, language, texts in text_files(folder):
        if language == keys.language:
            _check_keys(texts, keys.written, frozenset(), found)
        else:
            missing = [f"“{key}”" for key in missing_texts(texts, keys.needed)]
            help = f"`rulewright validate NAME --texts {language}` adds them as keys to be filled in"
            _tell_missing("text", texts, missing, help, found)
            _check_keys(texts, keys.needed, keys.optional, found)
    for _, language, summaries in _parts(folder, "clauses"):
        below = (told for used in layer_folders(folder)[:-1] for told in _parts(used, "clauses"))
        lower = {clause for _, other, told in below if other == language for clause in told.value}
        _check_clauses(summaries, keys.clauses, lower, found)


def _check_clauses(summaries: Scalar, known: Collection[str], lower: Collection[str], found: Diagnostics) -> None:
    """Reports clauses without a summary in a language that has some, and ids that the rulebook does not list. `lower`:
    those that a ruleset it uses has a summary of."""
    missing = missing_texts(summaries, [clause for clause in known if clause not in lower])
    help = "write what they say, each under its id"
    _tell_missing("clause", summaries, [f"`{clause}`" for clause in missing], help, found)
    for clause, value in summaries.value.items():
        if clause not in known:
            advice = did_you_mean(clause, known) or "take it out, or write the id as rulebook.yaml has it"
            span = summaries.keys.get(clause, value.span)
            found.warning("R0264", f"no clause is called `{clause}`", span, help=advice)


def text_files(folder: Path) -> Iterator[tuple[Path, str, Scalar]]:
    """Each valid file in `texts/` with its language and its texts; others were reported when the ruleset was read."""
    return _parts(folder, "texts")


def _parts(folder: Path, part: str) -> Iterator[tuple[Path, str, Scalar]]:
    """One part of each file in `texts/`: the texts, or what the clauses say; with the file and its language."""
    for path in (path for path in files_in(folder / "texts") if path.suffix == ".yaml"):
        document = read_yaml(path, Diagnostics(), inside=folder)
        parts = document.value if document is not None and isinstance(document.value, dict) else {}
        if part in parts and isinstance(parts[part].value, dict):
            yield path, parts["language"].value if "language" in parts else path.stem, parts[part]


def missing_texts(texts: Scalar, needed: Collection[str]) -> list[str]:
    """The texts whose key is missing or has no value."""
    return [key for key in needed if key not in texts.value or texts.value[key].value is None]


def _tell_missing(word: str, given: Scalar, missing: list[str], help: str, found: Diagnostics) -> None:
    if missing:
        head = Span(given.span.source, given.span.start, given.span.start)
        what = f"{len(missing)} {word}{'s have' if len(missing) > 1 else ' has'} no translation"
        found.warning("R0263", what, head, notes=tuple(missing), help=help)


def _check_keys(texts: Scalar, needed: Collection[str], optional: Collection[str], found: Diagnostics) -> None:
    for key, value in texts.value.items():
        span = texts.keys.get(key, value.span)
        if key not in needed and key not in optional:
            advice = did_you_mean(key, needed) or "take it out, or write the key as the rules have the text"
            found.warning("R0264", f"no text of the rules is “{key}”", span, help=advice)
        elif value.value is not None:
            _check_holes(key, value, found)


def _check_holes(key: str, value: Scalar, found: Diagnostics) -> None:
    """Reports holes that the original text does not have, and those of its holes that are nowhere. Holes are matched by
    their expression: a translation may reorder and repeat them."""
    known = [expression for expression, _ in holes_of(key)]
    for text in value.value.values() if isinstance(value.value, dict) else (value,):
        used = [expression for expression, _ in holes_of(str(text.value))]
        for expression in used:
            if expression not in known:
                listed = ", ".join(f"{{{hole}}}" for hole in known) or "none"
                what = f"“{key}” has no hole `{{{expression}}}`"
                label = "nothing of the rules to be put here"
                found.warning("R0265", what, _span_of_hole(text.span, expression), label, help=f"its holes: {listed}")
        left_out = [f"`{{{hole}}}`" for hole in dict.fromkeys(known) if hole not in used]
        if left_out:
            what = f"“{key}” without {' and '.join(left_out)}"
            help = "put it in; holes may stand in any order, and more than once"
            found.warning("R0268", what, text.span, "its readers are told less", help=help)


def _span_of_hole(span: Span, expression: str) -> Span:
    """The place of a hole in the file; the whole text if YAML quoting has changed its spelling."""
    for hole in _HOLE.finditer(span.text):
        if hole[1].strip() == expression:
            return Span(span.source, span.start + hole.start(), span.start + hole.end())
    return span


# ---------------------------------------------------------------------------- texts in the rules


def template(body: Body, text: nodes.Text) -> Template:
    """The text with its holes filled by expressions."""
    with body.perhaps_never():
        parts = tuple(part if isinstance(part, str) else _hole(body, part) for part in text.parts)
    return _in_own_words(body, Template(parts, text.key, text.span))


def _in_own_words(body: Body, written: Template) -> Template:
    """The game's own wording of a text, if it has one. A wording with a hole that the text does not have is not used:
    holes are told apart by their order later on, and one too many would put every value into the next hole. `validate`
    reports it."""
    gathered = body.declared.gathered
    own = gathered.texts.get(gathered.languages[0], {}).get(written.raw)
    if own is None:
        return written
    fillings = [part for part in written.parts if not isinstance(part, str)]
    expressions = [expression for expression, _ in holes_of(written.raw)]
    if len(expressions) != len(fillings) or not {expression for expression, _ in holes_of(own)} <= {*expressions}:
        return written
    filled = dict(zip(expressions, fillings, strict=True))
    parts = tuple(part if isinstance(part, str) else filled[part[0]] for part in pieces_of(own))
    return Template(parts, own, written.span, written.raw)


def maybe_template(body: Body, text: nodes.Text | None) -> Template | None:
    return None if text is None else template(body, text)


def _hole(body: Body, hole: nodes.Hole) -> Expr:
    made = elaborate(body, hole.expression, None)
    if isinstance(made.type, NoneOnly):
        raise body.fail("R0430", f"{in_words(made.type)} has no name to show", hole.span, "nothing to read here")
    return as_set(made)


def call_label(body: Body, rule: RuleDecl, text: nodes.Text | None, args: tuple[Expr, ...], span: Span) -> Template:
    """The label of a line that calls a rule."""
    if text is None:
        words = in_plain_words(rule.name)
        return _in_own_words(body, Template((words,), words, span))
    names = {param.name: arg for param, arg in zip(rule.params, args, strict=True)}
    # The text speaks of the parameters of its own rule, so it is read where only they have names, and these stand for
    # the arguments of this line.
    inner = Body(body.world, None, "value")
    inner.names = dict(names)
    inner.facts = body.facts
    return template(inner, text)


def in_plain_words(name: str) -> str:
    """`take_cards` as shown to people."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def edge_kind_words(kind: str) -> str:
    """`ToyCanal` as the title of a list: `Toy canal`."""
    return "".join(" " + letter.lower() if letter.isupper() else letter for letter in kind).strip().capitalize()
