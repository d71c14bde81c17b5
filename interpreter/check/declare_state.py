"""State: the fields and places of the table, of each player, piece, node or edge.

A field is a number, a flag, a reference or a group of dice; a place holds pieces. Both may have indexes. The visibility
rules that concern a single declaration are checked here: every place says who sees it, and only what belongs to
somebody can be that person's secret.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import prod

from ..diagnostics.diagnostic import Label
from ..diagnostics.suggest import did_you_mean, nearest
from ..syntax import nodes
from . import value_types as t
from .columns import MOST_ENTRIES, dimensions_of
from .constant_values import evaluate_as
from .declare_kinds import owner_type
from .declare_types import bound_of, dimension_of, domain_of, place_kinds, type_of
from .declared import Declared, Draft
from .program import Dimension, FieldDecl, PlaceDecl, StateDecl
from .value_types import has_no_natural_start

SIGHTS = ("open", "secret", "hidden", "top_open", "open_to_others")


@dataclass(frozen=True)
class Owner:
    """The owner of some state: its `key` in Declared.state, the sort of thing, and how it is named in messages."""

    key: str
    sort: str  # table player piece node edge
    dimension: Dimension | None
    shown: str


def declare_state(draft: Draft) -> None:
    declared = draft.declared
    declared.state = {"table": {}, "player": {}}
    for placed in declared.gathered.declarations:
        match placed.declaration:
            case nodes.Table(fields=fields):
                owner: Owner | None = Owner("table", "table", None, "the table")
            case nodes.Each(of=of, fields=fields):
                owner = _owner(draft, of)
            case _:
                continue
        if owner is not None:
            for field in fields:
                _declare(draft, owner, field)


def _owner(draft: Draft, of: nodes.Name | None) -> Owner | None:
    """The owner of the fields. A misspelt name is reported and the likely owner is used, so that rules that use the
    fields are not reported too."""
    declared = draft.declared
    known = (*declared.kinds, *declared.node_kinds, *declared.edge_kinds)
    if of is not None:
        declared.uses.add(of.span, "type", of.text)
    if of is None or of.text in known:
        return _owner_called(declared, None if of is None else of.text)
    _no_owner(declared, of, known)
    if of.text == "Player":
        return _owner_called(declared, None)
    likely = None if of.text in declared.enums else nearest(of.text, known)
    return None if likely is None else _owner_called(declared, likely)


def _owner_called(declared: Declared, name: str | None) -> Owner:
    if name is None:
        return Owner("player", "player", dimension_of(declared, t.Player()), "each player")
    kind = declared.kind_named(name)
    assert kind is not None
    return Owner(name, kind.sort, dimension_of(declared, kind), f"each {name}")


def _no_owner(declared: Declared, of: nodes.Name, known: Collection[str]) -> None:
    name = of.text
    if name in declared.enums:
        help = f"index a field by it: `name[{name}]: …` under `table` or `each player`"
        declared.error("R0314", f"values of the enum `{name}` keep nothing", of.span, "an enum", help=help)
    else:
        near = "write `each player`" if name == "Player" else did_you_mean(name, known)
        declared.error("R0302", f"there is no kind `{name}`", of.span, "not a kind, node or edge kind", help=near)


def _declare(draft: Draft, owner: Owner, field: nodes.Field) -> None:
    declared = draft.declared
    owned = declared.state.setdefault(owner.key, {})
    name = field.name.text
    if name in owned:
        declared.error("R0310", f"`{name}` of {owner.shown} is declared twice", field.name.span, first=owned[name].span)
        return
    printed = next((c for c in draft.columns.get(owner.key, ()) if c.name == name), None)
    if printed is not None:
        what = f"`{name}` of {owner.shown} is an attribute already"
        others = (Label(printed.span, "the attribute"),)
        help = "give one of them another name"
        declared.error("R0310", what, field.name.span, "again here", others=others, help=help)
        return
    state: StateDecl
    if isinstance(field.type, nodes.PlaceType):
        state = _place(draft, owner, field, field.type)
    else:
        state = _field(draft, owner, field)
        for scope in field.scopes:
            declared.scopes.setdefault(scope.text, []).append(state)
            declared.uses.add(scope.span, "rule", scope.text)
        declared.lasting |= {(state, scope.text) for scope in field.lasting}
    owned[name] = state


# ---------------------------------------------------------------------------- modifiers


def _sight(draft: Draft, owner: Owner, field: nodes.Field, what: str) -> str | None:
    """The word that says who sees the state; None if there is none."""
    words = [word for word in field.modifiers if word.text in SIGHTS]
    if len(words) > 1:
        told = f"`{field.name.text}` says twice who sees it"
        others = (Label(words[0].span, "first here"),)
        draft.declared.error("R0501", told, words[1].span, "a second time", others=others, help="keep one of the words")
    if not words:
        return None
    word = words[0]
    has_keeper = owner.sort == "player" or (owner.sort == "piece" and owner_type(draft, owner.key) is not None)
    if word.text == "secret" and not has_keeper:
        headline = f"`{field.name.text}` cannot be secret: it belongs to nobody"
        advice = _who_keeps_it(owner, field.name.text)
        draft.declared.error("R0503", headline, word.span, f"{what} of {owner.shown}", help=advice)
        return "hidden"
    if word.text == "open_to_others" and owner.sort != "player":
        headline = f"`{field.name.text}` cannot be open to others: it belongs to no player"
        draft.declared.error("R0503", headline, word.span, f"{what} of {owner.shown}", help="write `open` or `hidden`")
        return "hidden"
    if word.text == "top_open" and not (isinstance(field.type, nodes.PlaceType) and field.type.shape == "pile"):
        draft.declared.error("R0504", "only a pile has a top to be seen", word.span, help="write `open` or `hidden`")
        return "open"
    return word.text


def _who_keeps_it(owner: Owner, name: str) -> str:
    match owner.sort:
        case "piece":
            return f"give {owner.key} an attribute `owner: player`, or write `hidden`"
        case "node" | "edge":
            keeper = f"what each player keeps secret of it stands below `each player`: `{name}[{owner.key}]: … secret`"
            return f"{keeper}; nobody sees what is `hidden`"
        case _:
            return "below `each player` it can be secret; here write `hidden` (nobody sees it) or `open`"


def _refuse(draft: Draft, field: nodes.Field, words: dict[str, str]) -> None:
    for word in field.modifiers:
        if word.text in words:
            what = f"`{word.text}` cannot be said of `{field.name.text}`"
            draft.declared.error("R0304", what, word.span, words[word.text], help="remove the word")


# ---------------------------------------------------------------------------- places


def _place(draft: Draft, owner: Owner, field: nodes.Field, place: nodes.PlaceType) -> PlaceDecl:
    declared = draft.declared
    name = field.name.text
    visibility = _sight(draft, owner, field, "a place")
    if visibility is None:
        what, label = f"`{name}` does not say who sees it", f"a {place.shape} of {owner.shown}"
        help = "add `open`, `secret` (its owner), `hidden` (nobody), `open to others` (all but its owner)"
        help += " or `top open`" if place.shape == "pile" else ""
        declared.error("R0502", what, field.name.span, label, help=help)
    _refuse(
        draft, field, {"capped": "only a number can be capped", "back": "only an attribute of a piece is on its back"}
    )
    if field.scopes:
        what = "a place cannot be set back"
        declared.error("R0304", what, field.scopes[0].span, "only a field can", help="empty it where the rule begins")
    if field.start is not None:
        what, label = "a place has no start value", "it starts empty"
        declared.error("R0304", what, field.start.span, label, help="fill it in `setup`")
    kinds = place_kinds(declared, place)
    capacity, limited = _capacity(draft, field, place, kinds)
    return PlaceDecl(
        name,
        owner.sort,
        owner.dimension,
        dimensions_of(declared, field),
        place.shape,
        _slot_dimension(draft, place),
        kinds,
        visibility or "open",
        any(word.text == "uncounted" for word in field.modifiers),
        capacity,
        limited,
        field.cited,
        field.name.span,
        _is_never_empty(draft, field, place),
    )


def _is_never_empty(draft: Draft, field: nodes.Field, place: nodes.PlaceType) -> bool:
    said = next((word for word in field.modifiers if word.text == "never_empty"), None)
    if said is None or place.shape in ("slot", "slots"):
        return said is not None
    what, help = "only a slot can be said to be never empty", "ask for what is there with `if … is not empty`"
    draft.declared.error("R0304", what, said.span, f"a {place.shape} may be empty", help=help)
    return False


def _capacity(draft: Draft, field: nodes.Field, place: nodes.PlaceType, kinds: tuple[str, ...]) -> tuple[int, bool]:
    """How many pieces the place can hold, and whether more pieces than that exist."""
    declared = draft.declared
    there_are = sum(declared.kinds[kind].count for kind in kinds)
    if place.shape in ("slot", "slots"):
        if field.capacity is not None:
            what, help = "a slot holds one piece", "write a pool or a row for more than one"
            declared.error("R0304", what, field.capacity.span, "no capacity to say", help=help)
        return 1, there_are > 1
    if field.capacity is None:
        return there_are, False
    said = bound_of(declared, field.capacity)
    if said is not None and said < 1:
        what = f"`{field.name.text}` could never hold anything"
        declared.error("R0419", what, field.capacity.span, "must be above 0")
        said = None
    return (there_are, False) if said is None else (said, said < there_are)


def _slot_dimension(draft: Draft, place: nodes.PlaceType) -> Dimension | None:
    declared = draft.declared
    if place.shape != "slots":
        return None
    if place.by is not None:
        dimension = dimension_of(declared, type_of(declared, nodes.Kinds(place.by.span, (place.by,))))
        return dimension or Dimension(t.Number(1, 1), 1, 1)
    size = bound_of(declared, place.size) if place.size is not None else None
    if size is not None and not 1 <= size <= MOST_ENTRIES:
        assert place.size is not None
        label = "must be above 0" if size < 1 else "too many"
        declared.error("R0419", f"there cannot be {size} slots", place.size.span, label)
        size = None
    return Dimension(t.Number(1, size or 1), 1, size or 1)


# ---------------------------------------------------------------------------- fields


def _field(draft: Draft, owner: Owner, field: nodes.Field) -> FieldDecl:
    declared = draft.declared
    visibility = _sight(draft, owner, field, "a field") or "open"
    before = len(declared.found)
    value_type = _field_type(draft, field)
    is_sound = len(declared.found) == before
    start = _start(draft, field, value_type, is_sound)
    dimensions = dimensions_of(declared, field)
    if isinstance(field.type, nodes.DiceType):
        dimensions = (*dimensions, _dice_dimension(draft, owner, field.type, dimensions))
    _refuse_in_field(draft, field, value_type)
    made = FieldDecl(
        field.name.text,
        owner.sort,
        owner.dimension,
        dimensions,
        value_type,
        visibility,
        capped=isinstance(value_type, t.Number) and any(word.text == "capped" for word in field.modifiers),
        start=start,
        is_dice=isinstance(field.type, nodes.DiceType),
        cites=field.cited,
        span=field.name.span,
        is_unset=field.start is None and has_no_natural_start(value_type),
    )
    # A field whose type could not be read is not reported for lacking a start value as well.
    if field.start is not None or not is_sound:
        draft.started.append(made)
    return made


def _refuse_in_field(draft: Draft, field: nodes.Field, value_type: t.VType) -> None:
    refused = {"uncounted": "only a place is counted", "back": "only an attribute of a piece is on its back"}
    if not isinstance(value_type, t.Number):
        refused["capped"] = "only a number can be capped"
    _refuse(draft, field, refused)
    if field.capacity is not None:
        help = "a number has a range"
        draft.declared.error("R0304", "only a place has a capacity", field.capacity.span, help=help)


def _field_type(draft: Draft, field: nodes.Field) -> t.VType:
    value_type = type_of(draft.declared, field.type)
    wanted = t.bare(value_type)
    if isinstance(wanted, t.SetOf):
        what, help = "a field cannot be a set", "use a flag with an index: `name[T]: flag`"
        draft.declared.error("R0420", what, field.type.span, "sets are not kept", help=help)
        return t.Flag()
    if isinstance(wanted, t.PlaceOf):
        draft.declared.error("R0420", "a place cannot be optional", field.type.span, help="remove the `?`")
        return t.Flag()
    if isinstance(wanted, t.FormulaCell):
        draft.declared.error("R0420", "a field cannot be a formula", field.type.span, "only a cell of a table can")
        return t.Flag()
    return value_type


def _dice_dimension(draft: Draft, owner: Owner, dice: nodes.DiceType, indexes: tuple[Dimension, ...]) -> Dimension:
    count = bound_of(draft.declared, dice.count)
    if count is not None and not 1 <= count <= 1000:
        draft.declared.error("R0419", f"there cannot be {count} dice", dice.count.span, "from 1 to 1000")
        count = None
    over = indexes if owner.dimension is None else (owner.dimension, *indexes)
    draft.declared.dice += prod(index.size for index in over) * (count or 1)
    return Dimension(t.Number(1, count or 1), 1, count or 1)


def _start(draft: Draft, field: nodes.Field, value_type: t.VType, is_sound: bool) -> int:
    """The declared start value, or an implicit one: 0 or the bound nearest to it, `no`, none; for any other type its
    first value."""
    if field.start is not None and is_sound:
        if isinstance(value_type, t.Die):
            draft.declared.error("R0304", "dice have no start value", field.start.span, help="roll them in `setup`")
        else:
            known = evaluate_as(draft.declared, field.start, value_type, f"`{field.name.text}`")
            if isinstance(known, int):
                return known
    match value_type:
        case t.Maybe():
            return t.none_of(value_type)
        case t.Number(low, high):
            return min(max(0, low), high)
        case t.Die(low, _):
            return low
        case _:
            domain = domain_of(draft.declared, value_type)
            return domain[0] if domain else -1
