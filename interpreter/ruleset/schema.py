"""JSON Schema findings as diagnostics, with file, line and column, in the author's words.

The schemas are in `schemas/`, one per kind of file, where editors can use them too. A validator speaks of instances
and keywords; here each of its errors is turned into what an author needs to know: which key, what is expected, what is
there instead. The library is slow to import, so a document that was once found valid is remembered by its content,
and the library is loaded only if a document has changed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Span
from ..diagnostics.suggest import nearest
from ..files.cache import cached, keep
from .gathered import Scalar

_TYPE_WORDS = {
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
    "array": "a list",
    "object": "keys with values",
    "boolean": "`true` or `false`",
    "null": "nothing",
}


ALIKE = 10  # findings of one sort that are told one by one: a mistake in the first row is often in all


def schema_folder() -> Path:
    """Where the schemas are: inside an installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_data" / "schemas"
    return installed if installed.is_dir() else package.parent / "schemas"


@cache
def schema_text(kind: str) -> str:
    """The schema of a kind of file (manifest, table, map, …) as text."""
    return (schema_folder() / f"{kind}.schema.json").read_text(encoding="utf-8")


def validate(document: Scalar, kind: str, found: Diagnostics) -> bool:
    """True if a document follows the schema of its kind; every violation is reported."""
    text = schema_text(kind)
    content = hashlib.sha256(f"{text}\0{document.span.source.text}".encode()).hexdigest()
    if cached("schema", content) is not None:
        return True
    if not validate_with(document, json.loads(text), found):
        return False
    keep(b"", "schema", content)
    return True


def validate_with(document: Scalar, schema: dict[str, Any], found: Diagnostics) -> bool:
    """The same with a given schema, such as one derived from a kind."""
    from jsonschema import Draft202012Validator

    errors = [_most_telling(error) for error in Draft202012Validator(schema).iter_errors(document.plain())]
    alike: dict[tuple[str, ...], int] = Counter(map(_sort_of, errors))
    told: dict[tuple[str, ...], int] = Counter()
    for error in sorted(errors, key=lambda error: at_path(document, error.absolute_path).span.start):
        sort = _sort_of(error)
        told[sort] += 1
        # Places on a map are in one scale: one cure is for all of them.
        most = 1 if sort[-1] == "at" and _has_a_point(at_path(document, error.absolute_path)) else ALIKE
        if told[sort] <= most:
            left_out = alike[sort] - most if told[sort] == most else 0
            _report(
                document, error, found, (f"the same holds {left_out} times more in this file",) if left_out > 0 else ()
            )
    return not errors


def _sort_of(error: Any) -> tuple[str, ...]:
    """What findings have in common that one mistake made in every row of a file."""
    return str(error.validator), *(step for step in error.absolute_path if isinstance(step, str))


def at_path(document: Scalar, path: Iterable[str | int]) -> Scalar:
    """The value at a path of keys and positions."""
    value = document
    for step in path:
        value = value.value[step]
    return value


def _most_telling(error: Any) -> Any:
    """Of several alternatives, the one the author probably meant: the first whose outer type fits the value."""
    while error.validator in ("anyOf", "oneOf") and error.context:
        mistyped = {e.schema_path[0] for e in error.context if _is_of_another_type(e)}
        meant = [e for e in error.context if e.schema_path[0] not in mistyped]
        if not meant:
            return error
        error = meant[0]
    return error


def _is_of_another_type(error: Any) -> bool:
    """True if an alternative fails right at the top: not inside its values, and not because of one of its keys."""
    at_once = not error.path and "propertyNames" not in error.schema_path
    return at_once and error.validator in ("type", "const", "enum")


def _report(document: Scalar, error: Any, found: Diagnostics, notes: tuple[str, ...] = ()) -> None:
    place = at_path(document, error.absolute_path)
    if "propertyNames" in error.absolute_schema_path:
        key = error.instance
        cut = cut_at_comma(place.value, key)
        if cut is not None and any(finding.help == cut[1] for finding in found):
            return
        headline, help = cut if cut is not None else (f"`{key}` cannot be a key here", _help(error))
        found.error("R0210", headline, place.keys.get(key, place.span), help=help)
        return
    match error.validator:
        case "additionalProperties" | "unevaluatedProperties":
            _unknown_keys(place, error, found)
        case "required":
            _missing_keys(place, error, found)
        case "type" | "anyOf" | "oneOf":
            words = f"{_subject(error)} must be {_expected(error.schema)}"
            what = f"this is {_what(place)}"
            found.error("R0212", words, _first_line(place.span), what, notes=notes, help=_help(error))
        case "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum":
            headline = f"value {place.value} is outside {_range(error.schema)}"
            found.error("R0213", headline, place.span, _subject(error), notes=notes, help=_help(error))
        case _:
            _report_form(place, error, found)


def cut_at_comma(row: Mapping[str, Scalar], key: str) -> tuple[str, str] | None:
    """What to say if the key is the end of a cell with a comma. In braces a comma ends a cell: `{does: take(wood, 2)}`
    has the cell `take(wood` and the key `2)`, `{does: rest, earn(1)}` the cell `rest` and the key `earn(1)`."""
    keys = list(row)
    last = keys.index(key)
    for start in range(last - 1, -1, -1):
        opened = row[keys[start]].value
        if not isinstance(opened, str):
            continue
        while last + 1 < len(keys) and keys[last].count(")") == 0 and row[keys[last + 1]].value is None:
            last += 1  # the rest of the cell: three arguments make two keys
        behind = keys[start + 1 : last + 1]
        if opened.count("(") > opened.count(")") or all(row[one].value is None for one in behind):
            whole = ", ".join((opened, *behind))
            return f"the comma ends the cell: `{opened}`", f'put the cell in quotes: `{keys[start]}: "{whole}"`'
    return None


def _report_form(place: Scalar, error: Any, found: Diagnostics) -> None:
    """Reports a value of the right type but the wrong form."""
    match error.validator:
        case "enum" | "const":
            _wrong_word(place, error, found)
        case "minItems" | "minProperties" | "minLength":
            found.error("R0214", f"{_subject(error)} is empty or too short", place.span, help=_help(error))
        case "maxItems" | "maxProperties" | "maxLength":
            found.error("R0214", f"{_subject(error)} is too long", _first_line(place.span), help=_help(error))
        case "uniqueItems":
            found.error("R0214", f"{_subject(error)} names something twice", _first_line(place.span), help=_help(error))
        case "pattern":
            expected = error.schema.get("title", "of that form")
            found.error("R0214", f"`{place.value}` is not {expected}", place.span, _subject(error), help=_help(error))
        case _:
            found.error("R0214", f"{_subject(error)} cannot be like this", _first_line(place.span), help=_help(error))


def _unknown_keys(place: Scalar, error: Any, found: Diagnostics) -> None:
    known = list(error.schema.get("properties", {}))
    patterns = error.schema.get("patternProperties", {})
    for key in place.value:
        if found.is_full:
            return
        if key not in known and not _matches_any(key, patterns):
            report_unknown_key(key, place.keys[key], known, found, place.value)


def _matches_any(key: str, patterns: Iterable[str]) -> bool:
    return any(re.search(pattern, key) for pattern in patterns)


def report_unknown_key(
    key: str, span: Span, known: list[str], found: Diagnostics, row: Mapping[str, Scalar] | None = None
) -> None:
    """Reports `coppies` where only `copies` and other keys are known. `row`: what stands beside it."""
    cut = cut_at_comma(row, key) if row is not None and row[key].value is None else None
    if cut is not None:
        found.error("R0210", cut[0], span, help=cut[1])
        return
    likely = nearest(key, known)
    advice = f"did you mean `{likely}`?" if likely else f"the keys here are {_listed(known)}"
    found.error("R0210", f"unknown key `{key}`", span, help=advice)


def _missing_keys(place: Scalar, error: Any, found: Diagnostics) -> None:
    for key in error.validator_value:
        if key not in place.value:
            described = error.schema.get("properties", {}).get(key, {}).get("description")
            notes = (f"`{key}`: {described}",) if described else ()
            words = error.schema.get("properties", {}).get(key, {}).get("enum", ())
            help = "add " + (" or ".join(f"`{key}: {word}`" for word in words) or f"`{key}: …`")
            found.error("R0211", f"the key `{key}` is missing", _first_line(place.span), notes=notes, help=help)


def _wrong_word(place: Scalar, error: Any, found: Diagnostics) -> None:
    allowed = error.validator_value if error.validator == "enum" else [error.validator_value]
    words = [str(word) for word in allowed if isinstance(word, str)]
    likely = nearest(str(place.value), words)
    advice = f"did you mean `{likely}`?" if likely else f"it can be {_listed(words)}"
    found.error("R0212", f"{_subject(error)} cannot be `{place.value}`", _first_line(place.span), help=advice)


def _subject(error: Any) -> str:
    """What the error is about: `fewest`, or an entry of `rows`, or the file."""
    path = list(error.absolute_path)
    words = [step for step in path if isinstance(step, str)]
    if not words:
        return "the file" if not path else "an entry"
    return f"`{words[-1]}`" if isinstance(path[-1], str) else f"an entry of `{words[-1]}`"


def _expected(schema: dict[str, Any]) -> str:
    """What a schema asks for, in words."""
    if "title" in schema:
        return str(schema["title"])
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return " or ".join(dict.fromkeys(_expected(part) for part in schema[keyword]))
    if "enum" in schema:
        return _listed([str(word) for word in schema["enum"] if isinstance(word, str)], "or")
    if "const" in schema:
        return f"`{schema['const']}`"
    kinds = schema.get("type", "value")
    return " or ".join(_TYPE_WORDS.get(kind, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds))


def _what(place: Scalar) -> str:
    match place.value:
        case bool():
            return f"`{str(place.value).lower()}`"
        case int():
            return "a whole number"
        case str():
            return "a number with a point" if _has_a_point(place) else "text"
        case list():
            return "a list"
        case dict():
            return "keys with values"
        case _:
            return "nothing"


def _has_a_point(place: Scalar) -> bool:
    return isinstance(place.value, str) and re.fullmatch(r"[-+]?[0-9]*\.[0-9]+", place.value) is not None


def _range(schema: dict[str, Any]) -> str:
    return f"{schema.get('minimum', '')}..{schema.get('maximum', '')}"


def _help(error: Any) -> str | None:
    described = error.schema.get("description") if isinstance(error.schema, dict) else None
    return str(described) if described else None


def _first_line(span: Span) -> Span:
    """The part of a long value on its first line: enough to find it."""
    end = span.source.text.find("\n", span.start)
    return Span(span.source, span.start, span.end if end < 0 else min(span.end, end))


def _listed(words: list[str], joint: str = "and") -> str:
    quoted = [f"`{word}`" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} {joint} {quoted[-1]}" if quoted else "none"


def known_kinds() -> Iterator[str]:
    """The kinds of files that have a schema."""
    for path in sorted(schema_folder().glob("*.schema.json")):
        yield path.name.removesuffix(".schema.json")
