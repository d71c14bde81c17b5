"""The table as one player may see it, as lines of text.

Works on the plain view of a state and knows nothing else about the game. It shows places with the names of their pieces
and the number of unseen ones, counters, dice, and maps of squares as squares. For other maps there is a line for each
node and edge, with what is printed on it and what is on it; on a large map only for those that hold something or can be
chosen. What belongs to the viewing player comes first. What a piece carries, its counters and its back follow its name
in brackets.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import groupby
from typing import Any

from ..study.text_table import aligned
from .grid_view import grid_lines
from .printed_map import Printed

UNSEEN = "?"
_words: ContextVar[Mapping[str, str] | None] = ContextVar("words of the table", default=None)
_LARGE_MAP = 12  # with more nodes or edges than this, those with nothing on them and nothing to choose are left out


@contextmanager
def speaking(words: Mapping[str, str]) -> Iterator[None]:
    """Inside the block the table's own words (`yes`, `unseen`) are taken from here, as far as they are there."""
    token = _words.set(words)
    try:
        yield
    finally:
        _words.reset(token)


def said(words: str, **holes: object) -> str:
    """Words of the table itself, in the language that is spoken, with their holes filled in."""
    told = (_words.get() or {}).get(words, words)
    for hole, value in holes.items():
        told = told.replace(f"{{{hole}}}", str(value))
    return told


def table_lines(
    view: Mapping[str, Any],
    width: int = 80,
    marks: Mapping[str, str] | None = None,
    printed: Sequence[Printed] = (),
    offered: Collection[str] = (),
) -> list[str]:
    """The whole table. `marks` puts a text (an option's number) on map nodes, by name, that show nothing else;
    `printed` is what can be read on the maps, `offered` the names of what can be chosen."""
    sections = [
        _map_lines(view, width, marks or {}, printed, offered),
        _table_lines(view, width),
        _seats_lines(view, width),
        _pieces_lines(view, width),
    ]
    lines: list[str] = []
    for section in sections:
        if section:
            lines += [*([""] if lines else []), *section]
    return lines


def value_text(value: Any) -> str:
    """A value as people write it: yes and no, a dash for none, nested indexes after one another."""
    if value is None:
        return "-"
    if value is True or value is False:
        return said("yes" if value else "no")
    if isinstance(value, Mapping):
        return ", ".join(f"{name_text(key)} {_inner_text(entry)}" for key, entry in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(value_text(entry) for entry in value)
    return str(value)


def _inner_text(value: Any) -> str:
    text = value_text(value)
    return f"({text})" if isinstance(value, Mapping) else text


def name_text(name: object) -> str:
    """`victory_points` as shown to people."""
    return str(name).replace("_", " ")


# ---------------------------------------------------------------------------- places


def pieces_text(content: Any) -> str:
    """What lies in a place: names, equal neighbours counted, unseen ones as a number."""
    if content is None:
        return "-"
    if isinstance(content, Mapping):
        if set(content) in ({"count"}, {"count", "known"}):
            return _uncounted_text(content)
        filled = {key: entry for key, entry in content.items() if not _is_empty(entry)}
        return ", ".join(f"{name_text(key)}: {pieces_text(entry)}" for key, entry in filled.items()) or "-"
    if not isinstance(content, list | tuple):
        return str(content)
    told = [_piece_words(piece) for piece in content]
    if told and all(name is None and not more for name, more in told):
        return _unseen_text(len(content))
    return ", ".join(_run_text(*piece, len(list(run))) for piece, run in groupby(told)) or "-"


def _piece_words(piece: Any) -> tuple[str | None, str]:
    """The name of a piece, if it has one, and what else is to be seen of it."""
    if not isinstance(piece, Mapping):
        return piece, ""
    back = piece.get("back", {}) if piece["name"] is None else {}
    more = [f"{said(name_text(key))} {value_text(value)}" for key, value in back.items()]
    more += [said("face down")] if piece.get("face_down") else []
    more += [text] if (text := _thing_text(piece.get("fields", {}), piece.get("carries", {}))) else []
    return piece["name"], "; ".join(more)


def _run_text(name: str | None, more: str, count: int) -> str:
    text = _unseen_text(count) if name is None else f"{count} × {name}" if count > 1 else name
    return f"{text} ({more})" if more else text


def _uncounted_text(content: Mapping[str, Any]) -> str:
    """A place whose pieces are not all known: those that are known, or the number of pieces, or not even that."""
    known = content.get("known")
    return said("{known} and others", known=pieces_text(known)) if known else _unseen_text(content["count"])


def _unseen_text(count: int | None) -> str:
    if count is None:
        return UNSEEN
    return said("{count} unseen", count=count) if count else "-"


def _is_empty(content: Any) -> bool:
    if isinstance(content, Mapping):
        return content == {"count": 0} if set(content) == {"count"} else all(_is_empty(v) for v in content.values())
    return content is None or content in ([], ())


def _place_rows(places: Mapping[str, Any], lying: Mapping[str, Any]) -> list[tuple[str, str]]:
    """A row for each place; `lying` has the pieces of those that are not empty, one by one."""
    rows = []
    for name, content in places.items():
        is_listed = isinstance(content, list | tuple) and any(piece is not None for piece in content)
        count = f" [{len(content)}]" if is_listed and len(content) > 3 else ""
        rows.append((name_text(name), pieces_text(lying.get(name, content)) + count))
    return rows


# ---------------------------------------------------------------------------- sections


def _table_lines(view: Mapping[str, Any], width: int) -> list[str]:
    rows = _place_rows(view.get("places", {}).get("table", {}), view.get("pieces", {}).get("table", {}))
    rows += [(name_text(name), _dice_text(faces)) for name, faces in view.get("dice", {}).items()]
    rows += [(name_text(name), value_text(value)) for name, value in view.get("fields", {}).get("table", {}).items()]
    return _named_lines(said("Table"), rows, width)


def _dice_text(faces: Any) -> str:
    if isinstance(faces, list | tuple):
        return " ".join(f"[{value_text(face)}]" for face in faces)
    return value_text(faces)


def _seats_lines(view: Mapping[str, Any], width: int) -> list[str]:
    """Counters of all seats as a table, then the places of each: the looking player first."""
    seats: Sequence[str] = view.get("seats", ())
    looking = view.get("player")
    fields = view.get("fields", {}).get("players", [])
    places = view.get("places", {}).get("players", [])
    lying = view.get("pieces", {}).get("players", [])
    names = [f"{name} {said('(you)')}" if number == looking else name for number, name in enumerate(seats)]
    order = sorted(range(len(seats)), key=lambda number: number != looking)
    lines: list[str] = []
    plain = _plain_fields(fields)
    if plain:
        heads = ["", *(name_text(name) for name in plain)]
        rows = [[names[n], *(value_text(fields[n].get(name)) for name in plain)] for n in range(len(fields))]
        lines += aligned([heads, *rows])
    for number in order:
        nested = [(key, value) for key, value in _of(fields, number).items() if key not in plain]
        rows_of = _place_rows(_of(places, number), _of(lying, number)) + [
            (name_text(key), value_text(value)) for key, value in nested
        ]
        rows_of = [row for row in rows_of if row[1] != "-" or number == looking]
        if rows_of:
            lines += [*([""] if lines else []), *_named_lines(names[number], rows_of, width)]
    return lines


def _plain_fields(fields: Sequence[Mapping[str, Any]]) -> list[str]:
    """Counters without indexes: they fit in the columns of one table."""
    if not fields:
        return []
    return [name for name in fields[0] if not any(isinstance(own.get(name), Mapping) for own in fields)]


def _of(things: Sequence[Mapping[str, Any]], number: int) -> Mapping[str, Any]:
    return things[number] if number < len(things) else {}


def _pieces_lines(view: Mapping[str, Any], width: int) -> list[str]:
    """Pieces that carry something or have counters of their own, in a view that does not tell it where they lie."""
    if "pieces" in view:
        return []
    fields, places = _grouped(view, "pieces")
    rows = []
    for name in dict.fromkeys([*fields, *places]):
        text = _thing_text(fields.get(name, {}), places.get(name, {}))
        if text:
            rows.append((name_text(name), text))
    return _named_lines(said("Pieces"), rows, width)


def _grouped(view: Mapping[str, Any], owner: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    fields = view.get("fields", {}).get(owner) or {}
    places = view.get("pieces", {}).get(owner) or view.get("places", {}).get(owner) or {}
    return (fields if isinstance(fields, Mapping) else {}), (places if isinstance(places, Mapping) else {})


def _thing_text(fields: Mapping[str, Any], places: Mapping[str, Any]) -> str:
    """What a node or a piece has to show, or nothing."""
    shown = [f"{name_text(key)} {value_text(v)}" for key, v in fields.items() if v not in (None, 0, False, {})]
    shown += [f"{name_text(key)} {pieces_text(v)}" for key, v in places.items() if not _is_empty(v)]
    return "; ".join(shown)


def _map_lines(
    view: Mapping[str, Any],
    width: int,
    marks: Mapping[str, str],
    printed: Sequence[Printed],
    offered: Collection[str],
) -> list[str]:
    """Maps of squares as squares; nodes of other maps and all edges one per line, if they have anything to show."""
    fields, places = _grouped(view, "nodes")
    lines: list[str] = []
    drawn: set[str] = set()
    for name, shape in view.get("maps", {}).items():
        if shape.get("shape") != "grid":
            continue
        nodes = [str(node) for node in shape["nodes"]]
        contents = [_node_words(fields.get(node, {}), places.get(node, {})) for node in nodes]
        free = [marks.get(name_text(node), "") for node in nodes]
        drawn.update(nodes)
        lines += [*([""] if lines else []), name_text(name).capitalize()]
        lines += grid_lines(shape["rows"], shape["columns"], contents, free, width - 2, indent="  ")
    listed = map_lines(view, [thing for thing in printed if thing.id not in drawn], width, offered)
    return lines + ([""] if lines and listed else []) + listed


def map_lines(
    view: Mapping[str, Any], printed: Sequence[Printed], width: int = 80, offered: Collection[str] | None = None
) -> list[str]:
    """Nodes, then edges under their kinds, as far as they have anything to show. Of many those are left out that
    have nothing on them and are not offered; if it is not told what is offered, none are."""
    lines: list[str] = []
    for kind in dict.fromkeys(thing.edge_kind for thing in printed):
        told = [(thing.name, *_printed_text(view, thing)) for thing in printed if thing.edge_kind == kind]
        told = [(name, text, on_it) for name, text, on_it in told if text]
        is_whole = offered is None or len(told) <= _LARGE_MAP
        rows = [(name, text) for name, text, on_it in told if is_whole or on_it or name in (offered or ())]
        title = said(kind.capitalize() or "Map")
        hidden = len(told) - len(rows)
        more = [f"  {said('({count} not shown: m)', count=hidden)}"] if hidden else []
        if told:
            lines += [*([""] if lines else []), *(_named_lines(title, rows, width) or [title]), *more]
    return lines


def _printed_text(view: Mapping[str, Any], thing: Printed) -> tuple[str, bool]:
    """What is printed on a node or an edge and what is on it; whether there is anything on it."""
    fields, places = _grouped(view, "edges" if thing.edge_kind else "nodes")
    on_it = _thing_text(fields.get(thing.id, {}), places.get(thing.id, {}))
    return "; ".join(text for text in (thing.text, on_it) if text), bool(on_it)


def _node_words(fields: Mapping[str, Any], places: Mapping[str, Any]) -> list[str]:
    """What stands on a square, in as few words as can be: pieces and references by name, counters as numbers."""
    words = [value_text(value) for value in fields.values() if value not in (None, 0, False, {})]
    for content in places.values():
        if not _is_empty(content):
            words.append(pieces_text(content))
    return words


# ---------------------------------------------------------------------------- lines


def _named_lines(title: str, rows: Sequence[tuple[str, str]], width: int) -> list[str]:
    """A heading and indented rows `name  text`; long texts go on below themselves."""
    if not rows:
        return []
    first = max(len(name) for name, _ in rows)
    lines = [title]
    for name, text in rows:
        room = max(20, width - first - 4)
        head, *rest = wrapped(text, room) or [""]
        lines.append(f"  {name.ljust(first)}  {head}".rstrip())
        lines += [" " * (first + 4) + line for line in rest]
    return lines


def wrapped(text: str, room: int) -> list[str]:
    """The text in lines of at most `room` letters, cut between words; a longer word stands alone."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and len(lines[-1]) + 1 + len(word) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
