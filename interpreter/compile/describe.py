"""The description of a game (`Meta`) from its checked program and its lowered rules.

What is printed on things (maps, backs, attributes, charts, clauses) is in `describe_things`.
"""

from __future__ import annotations

from dataclasses import fields
from itertools import accumulate
from math import prod

from ..check import program as core
from ..check.texts import direction_words
from ..check.value_types import Maybe, Number, bare, none_of
from ..check.walk import rule_expressions, statements
from . import ir
from .analysis import PHASES
from .describe_things import (
    describe_backs,
    describe_boards,
    describe_charts,
    describe_clauses,
    describe_printed,
    text_cites,
)
from .endings import is_team
from .ir import Routine, Segment, Site
from .layout import all_dimensions
from .looks import looks_of_questions, looks_of_told
from .meta import PASS, FieldMeta, Meta, Place, PlaceMeta, RuleMeta, SiteMeta
from .progress import DANGER, PROGRESS
from .remembered import remembered_values
from .sorts import sorts_of_questions, sorts_of_told
from .sought import Sought, sought_by_place
from .stock import STOCK
from .tidy import only_ends, segment_count
from .told import describe_unseen
from .unit import Unit, thing_of
from .ways import place_of


def describe(unit: Unit) -> Meta:
    """Everything about a game that running and showing it needs, apart from its code."""
    meta = _things_and_state(unit)
    _describe_rules(meta, unit)
    _describe_texts(meta, unit)
    _describe_cells(meta, unit)
    _describe_ends(meta, unit)
    _describe_printed(meta, unit)
    _describe_segments(meta, unit)
    describe_unseen(meta, unit)
    meta.remembered = remembered_values(unit)
    if meta.has_secrets:
        meta.sorts, meta.told_sorts = sorts_of_questions(unit), sorts_of_told(unit)
        meta.looks, meta.told_looks = looks_of_questions(unit), looks_of_told(unit)
    return meta


def _things_and_state(unit: Unit) -> Meta:
    program, layout = unit.program, unit.layout
    places = [_place(unit, place) for place in program.places]
    of, sees, top_open, unordered, bags = _place_numbers(unit, places)
    meta = Meta(
        name=program.name,
        base=program.base,
        title=program.title,
        players=program.players,
        seat_names=program.seat_names,
        automas={automa.seat: automa.first_options for automa in program.automas},
        fingerprint=program.fingerprint,
        limits=vars(program.limits).copy(),
        kinds={kind.name: (kind.first, kind.count) for kind in program.kinds.values()},
        pieces=len(program.pieces),
        piece_row=(*(piece.row for piece in program.pieces), -1),
        piece_kind=tuple(piece.kind for piece in program.pieces),
        piece_back=tuple(piece.back for piece in program.pieces),
        unseen={kind.name: kind.unseen for kind in program.kinds.values()},
        row_ids=tuple(row.id for row in program.rows),
        row_names=tuple(row.name for row in program.rows),
        nodes=tuple((node.id, node.name) for node in program.nodes),
        edges=tuple((edge.id, edge.name) for edge in program.edges),
        enums={name: tuple(zip(e.domain, e.ids, e.names, strict=True)) for name, e in program.enums.items()},
        directions={name: tuple((d, direction_words(d)) for d in m.directions) for name, m in program.maps.items()},
        dice=layout.dice,
        die_names=tuple(_die_names(unit)),
        cell_labels=tuple(_cell_label(unit, cell) for cell in program.cells),
        lists=layout.lists,
        slots=layout.slots,
        start=layout.start,
        fields=tuple(_field(unit, field) for field in program.fields),
        places=tuple(places),
        place_of=of,
        sees=sees,
        top_open=top_open,
        unordered=unordered,
        bags=bags,
        has_secrets=unit.has_secrets,
        uses_faces=unit.uses_faces,
        maps={name: _map(unit, map_decl) for name, map_decl in program.maps.items()},
        only_rolled=not _sets_faces(program),
        faced_kinds=unit.faced_kinds,
    )
    meta.carriers, meta.holders, meta.place_nodes = _belongings(unit, places)
    return meta


def _describe_rules(meta: Meta, unit: Unit) -> None:
    program, framed = unit.program, [routine for routine in unit.routines.values() if routine.kind == "framed"]
    meta.rules = {rule.name: _rule(unit, rule) for rule in program.rules.values()}
    meta.free_actions = tuple(_free(unit, rule) for rule in program.free_actions)
    meta.slot_things = {routine.name: tuple(thing_of(t) for t in routine.slot_types) for routine in framed}
    meta.frame_slots = {routine.name: routine.slots for routine in framed}
    meta.sites = tuple(_sites(unit.sites, sought_by_place(program)))
    meta.refusals = tuple(unit.refusals)


def _describe_texts(meta: Meta, unit: Unit) -> None:
    meta.texts = tuple((text.raw, text.parts, text.params) for text in unit.texts)
    # Apart from the parts: a translation puts these in another order, leaves some out or repeats them.
    meta.holes = tuple(tuple(part[0] for part in text.parts if not isinstance(part, str)) for text in unit.texts)
    meta.text_units = {text.number: text.units for text in unit.texts if text.units is not None}
    meta.told = tuple(told.things for told in unit.told)
    meta.told_gives = tuple(thing_of(told.value.type) for told in unit.told)
    meta.reasons = tuple(asked.reason for asked in unit.reasons)
    meta.text_cites = text_cites(unit)
    meta.translations = unit.program.texts
    meta.language = unit.program.language


def _describe_cells(meta: Meta, unit: Unit) -> None:
    program = unit.program
    meta.cells = tuple(_cell(unit, cell) for cell in program.cells)
    meta.cells_nest = bool(unit.analysis.nested_performs) or _asks_for_running_cells(program)
    meta.cell_texts = tuple(_cell_texts(cell) for cell in program.cells)


def _describe_ends(meta: Meta, unit: Unit) -> None:
    program = unit.program
    meta.score_blocks = len(program.scores)
    meta.unscored = frozenset(unit.unscored)
    meta.has_rank = program.rank is not None
    meta.points_win = _points_win(program.rank)
    meta.shares_rank = program.rank is None or program.rank.shared
    meta.payoff = None if program.payoff is None else _reach_of(program.payoff)
    meta.is_team = is_team(unit)
    meta.has_progress = PROGRESS in unit.routines
    meta.progress_is_danger = meta.has_progress and unit.routines[PROGRESS].rule == DANGER
    meta.progress_is_stock = meta.has_progress and unit.routines[PROGRESS].rule == STOCK


def _points_win(rank: core.RankDecl | None) -> int:
    if rank is None:
        return 1
    direction, criterion = rank.criteria[0]
    return 0 if criterion is not None else 1 if direction == "highest" else -1


def _describe_printed(meta: Meta, unit: Unit) -> None:
    program = unit.program
    meta.boards = describe_boards(program)
    meta.printed = describe_printed(program)
    meta.backs = describe_backs(program)
    meta.charts = describe_charts(program)
    meta.clauses = describe_clauses(program)
    meta.kind_names = {kind.name: kind.text for kind in program.kinds.values()}
    meta.row_cites = tuple(row.cites for row in program.rows)


def _describe_segments(meta: Meta, unit: Unit) -> None:
    routines, count = list(unit.routines.values()), segment_count(unit.routines)
    owners = {segment.number: routine for routine in routines for segment in routine.segments}
    meta.segment_rule = tuple(owners[n].rule if n in owners else "" for n in range(count))
    meta.segment_routine = tuple(owners[n].name if n in owners else "" for n in range(count))
    phases = [r for r in routines if r.name.startswith("rule_") and _form(unit.program, r) in PHASES]
    segments = [segment for routine in routines for segment in routine.segments]
    loops = {segment.number: segment.loop for segment in segments}
    meta.phase_segments = frozenset(s.number for r in phases for s in r.segments)
    meta.phase_entries = frozenset(s.number for r in phases for s in r.segments if _comes_before_body(unit, r))
    meta.segment_loop = tuple(loops.get(number, 0) for number in range(count))
    heads = {number: place_of(routine.span) for number, routine in owners.items()}
    by_number = {segment.number: segment for segment in segments}
    meta.segment_places = tuple(_first_place(by_number.get(n), heads.get(n)) for n in range(count))
    meta.segment_onward = tuple(_onward(by_number.get(n)) for n in range(count))
    meta.may_refuse = frozenset(s.number for s in segments if _may_refuse(unit, s))
    meta.ask_segments = frozenset(s.number for s in segments if s.role == "asks")
    meta.deals = next((s.number for s in segments if s.role == "deals"), -1)


def _first_place(segment: Segment | None, head: Place | None) -> Place | None:
    """The first place in the rules that a segment comes from, not counting instructions that stand for the rule as a
    whole."""
    body = segment.body if segment is not None else []
    places = {place for ins in ir.instructions(body) if (place := place_of(ins.span)) is not None}
    return min(places - {head}, default=None)


def _onward(segment: Segment | None) -> tuple[int, ...]:
    """The segments that a segment continues with, without returning to the machine."""
    body = segment.body if segment is not None else []
    jumps = [ins for ins in ir.instructions(body) if isinstance(ins, ir.Goto) and not ins.backward]
    return tuple(dict.fromkeys(jump.segment for jump in jumps))


def _asks_for_running_cells(program: core.Program) -> bool:
    return any(isinstance(node, core.CellRunning) for rule in program.all_rules() for node in rule_expressions(rule))


def _sets_faces(program: core.Program) -> bool:
    """True if some rule gives a die a face without rolling it."""
    return any(isinstance(stmt, core.SetFace) for rule in program.all_rules() for stmt in statements(rule.body))


def _form(program: core.Program, routine: Routine) -> str:
    return program.rules[routine.rule].form if routine.rule in program.rules else ""


def _comes_before_body(unit: Unit, routine: Routine) -> bool:
    """True for the entry of a rule and for hooks in its place: the body is a routine of its own."""
    own = f"rule_{routine.rule}__own"
    return own in unit.routines and routine.name != own


def _dimensions(decl: core.FieldDecl | core.PlaceDecl) -> tuple[tuple[str, int, int], ...]:
    return tuple((thing_of(d.type), d.low, d.size) for d in all_dimensions(decl))


def _reach_of(payoff: core.RuleDecl) -> tuple[int, int]:
    """The least and the most that a game can be worth to a player."""
    assert isinstance(payoff.result, Number)
    return payoff.result.low, payoff.result.high


def _field(unit: Unit, field: core.FieldDecl) -> FieldMeta:
    spot = unit.layout.fields[field]
    none = none_of(field.type) if isinstance(field.type, Maybe) else None
    numbers = unit.layout.ranges[field]
    of = bare(field.type)
    low, high = (of.low, of.high) if isinstance(of, Number) else (getattr(of, "low", 0), getattr(of, "high", 0))
    return FieldMeta(
        field.name, field.owner, spot.base, _dimensions(field), thing_of(field.type), none, field.visibility,
        field.is_dice, field.start, low, high, _seen_by(unit, field), numbers.bits, numbers.signed,
        field.is_unset, field.is_history, field.name, field.capped, field.cites, field in unit.program.read_unseen,
    )  # fmt: skip


def _seen_by(unit: Unit, field: core.FieldDecl) -> tuple[int, ...]:
    """For a secret field of pieces: the player who sees it, for each piece, according to its owner."""
    if field.visibility != "secret" or field.owner != "piece" or field.owner_dimension is None:
        return ()
    owners = _owners(unit)
    dimension = field.owner_dimension
    seats = [owners[n] if n < len(owners) else -1 for n in range(dimension.low, dimension.low + dimension.size)]
    return tuple(1 << seat if seat >= 0 else 0 for seat in seats)


def _place(unit: Unit, place: core.PlaceDecl) -> PlaceMeta:
    spot = unit.layout.places[place]
    return PlaceMeta(
        place.name, place.owner, spot.base, spot.size, _dimensions(place), place.shape, place.kinds, place.visibility,
        place.uncounted, place.capacity, place.owner_dimension is not None, unit.layout.capacities[place],
        place.name, place.limited, place.cites, place.never_empty,
    )  # fmt: skip


def _place_numbers(
    unit: Unit, places: list[PlaceMeta]
) -> tuple[tuple[int, ...], tuple[int, ...], frozenset[int], tuple[bool, ...], frozenset[int]]:
    total = unit.layout.lists + unit.layout.slots
    everybody = (1 << unit.program.players) - 1
    of, sees, unordered = [0] * total, [0] * total, [False] * total
    top_open, bags = set(), set()
    owners = _owners(unit)
    for index, place in enumerate(places):
        for number in range(place.base, place.base + place.size):
            of[number] = index
            unordered[number] = place.shape in ("pool", "hand", "bag")
            if place.visibility == "open":
                sees[number] = everybody
            elif place.visibility == "secret":
                owner = _owner_of(place, number, owners)
                sees[number] = 1 << owner if owner >= 0 else 0
            elif place.visibility == "open_to_others":
                sees[number] = everybody & ~(1 << _owner_of(place, number, owners))
            elif place.visibility == "top_open":
                top_open.add(number)
            if place.shape == "bag":
                bags.add(number)
    return tuple(of), tuple(sees), frozenset(top_open), tuple(unordered), frozenset(bags)


def _owners(unit: Unit) -> tuple[int, ...]:
    """The player who owns each piece by its `owner` attribute, or -1."""
    for table in unit.program.attributes:
        if table.name == "owner" and table.of == "piece":
            return tuple(value if isinstance(value, int) else -1 for value in table.values)
    return ()


def _first_coordinate(place: PlaceMeta, number: int) -> int:
    size = place.size
    _, low, count = place.dimensions[0]
    return low + (number - place.base) // (size // count)


def _owner_of(place: PlaceMeta, number: int, owners: tuple[int, ...]) -> int:
    if not place.has_owner:
        return -1
    first = _first_coordinate(place, number)
    if place.owner == "player":
        return first
    if place.owner == "piece" and first < len(owners):
        return owners[first]
    return -1


def _belongings(unit: Unit, places: list[PlaceMeta]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    total = unit.layout.lists + unit.layout.slots
    carriers, holders, nodes = [-1] * total, [-1] * total, [-1] * total
    for place in places:
        target = {"piece": carriers, "player": holders, "node": nodes}.get(place.owner)
        if target is not None:
            for number in range(place.base, place.base + place.size):
                target[number] = _first_coordinate(place, number)
    return tuple(carriers), tuple(holders), tuple(nodes)


def _die_names(unit: Unit) -> list[str]:
    names: list[str] = []
    for field in unit.program.fields:
        if not field.is_dice:
            continue
        size = field.dimensions[-1].size
        for number in range(unit.layout.fields[field].size):
            names.append(f"die {number % size + 1}" if size > 1 else "the die")
    return names


def _rule(unit: Unit, rule: core.RuleDecl) -> RuleMeta:
    titles = (text.number for text in unit.texts if text.template is rule.text)
    title = None if rule.text is None else next(titles, None)
    place = (rule.span.source.name, *rule.span.source.place(rule.span.start))
    return RuleMeta(rule.name, rule.form, tuple(thing_of(p.type) for p in rule.params), title, place, rule.cites)


def _cell(unit: Unit, cell: core.CellDecl) -> tuple[tuple[str, bool, tuple[object, ...]], ...]:
    calls = []
    for call in cell.calls:
        name = unit.value_name(call.rule) if call.rule.form == "value" else unit.routine_name(call.rule)
        args = tuple((arg.name,) if isinstance(arg, core.Given) else arg for arg in call.args)
        calls.append((name, call.takes_player, args))
    return tuple(calls)


def _cell_label(unit: Unit, cell: core.CellDecl) -> str:
    """The texts of the effects, with their arguments filled in."""
    return ", ".join(_call_label(unit, call) for call in cell.calls)


def _cell_texts(cell: core.CellDecl) -> tuple[tuple[str, tuple[tuple[str, int] | None, ...]], ...]:
    """The same for translations: the text of each effect, and what fills its holes."""
    return tuple(_call_text(call) for call in cell.calls)


def _call_text(call: core.CellCall) -> tuple[str, tuple[tuple[str, int] | None, ...]]:
    rule = call.rule
    if rule.text is None:
        return rule.name.replace("_", " ").capitalize(), ()
    values = dict(zip(rule.params[1 if call.takes_player else 0 :], call.args, strict=False))
    holes: list[tuple[str, int] | None] = []
    for part in rule.text.parts:
        if not isinstance(part, str):
            value = values.get(part.local) if isinstance(part, core.LocalVar) else None
            holes.append((thing_of(part.type), value) if isinstance(value, int) else None)
    return rule.text.raw, tuple(holes)


def _call_label(unit: Unit, call: core.CellCall) -> str:
    rule = call.rule
    if rule.text is None:
        return rule.name.replace("_", " ")
    holes = iter(_call_text(call)[1])
    parts = [part if isinstance(part, str) else next(holes) for part in rule.text.parts]
    return "".join(part if isinstance(part, str) else _name_of(unit, *part) if part else "…" for part in parts)


def _name_of(unit: Unit, thing: str, number: int) -> str:
    if thing.startswith("enum:"):
        decl = unit.program.enums[thing[5:]]
        return decl.names[decl.domain.index(number)]
    if thing == "player":
        return unit.program.seat_names[number]
    if thing == "flag":
        return "yes" if number else "no"
    if thing == "node":
        return unit.program.nodes[number].name
    return str(number)


def _free(unit: Unit, rule: core.RuleDecl) -> tuple[str, str, str, tuple[int, ...], bool]:
    assert rule.during is not None
    return rule.name, unit.routine_name(rule), rule.during.name, rule.during_params, rule.inside_actions


def _map(unit: Unit, decl: core.MapDecl) -> dict[str, object]:
    nodes = [unit.program.nodes[number].id for number in decl.nodes]
    described: dict[str, object] = {"shape": decl.shape, "nodes": nodes, "numbers": list(decl.nodes)}
    tables = {t.name: t for t in unit.program.attributes if t.of == "node"}
    if decl.shape == "grid" and "row" in tables and "column" in tables:
        described["rows"] = max(int(tables["row"].values[n]) for n in decl.nodes)  # type: ignore[call-overload]
        described["columns"] = max(int(tables["column"].values[n]) for n in decl.nodes)  # type: ignore[call-overload]
    described["positions"] = {unit.program.nodes[n].id: position for n, position in decl.positions.items()}
    return described


def _may_refuse(unit: Unit, segment: Segment) -> bool:
    """True if something may be refused from this segment on. A question that can always be answered does not count: if
    a free action interrupts it, it is asked again and finds an answer."""
    asked = [ins.site for ins in segment.body if isinstance(ins, ir.Ask)]
    asked_again = any(_is_steady(unit.sites[site]) for site in asked)
    return segment.may_refuse and not only_ends(segment) and not asked_again


def _is_steady(site: Site) -> bool:
    """True if the decision can be answered whatever happens before it: by an option that is always there, by passing,
    or by going on."""
    may_pass = site.kind == "may" and PASS not in site.trial_branches
    return site.steady or site.kind == "pause" or may_pass


def _sites(sites: list[Site], sought: dict[Place, Sought]) -> list[SiteMeta]:
    """The sites, with codes that go on from one to the next: those of each branch, then one for passing."""
    described = []
    base = 0
    for site in sites:
        sizes = (prod(max(1, count) for _, _, count in branch.domains) for branch in site.branches)
        bases = tuple(accumulate(sizes, initial=base))
        described.append(_site(site, bases, sought))
        base = bases[-1] + 1
    return described


# What a site and its description call by the same name is the same.
_SAME = ({item.name for item in fields(Site)} & {item.name for item in fields(SiteMeta)}) - {"branches", "steady"}


def _site(site: Site, code_bases: tuple[int, ...], sought: dict[Place, Sought]) -> SiteMeta:
    branches = site.branches
    place = (site.span.source.name, *site.span.source.place(site.span.start))
    looked_for, needs = sought.get(place, ("", ()))
    same = {name: getattr(site, name) for name in _SAME}
    return SiteMeta(
        **same,
        branches=tuple((branch.label, branch.domains, branch.values) for branch in branches),
        place=place,
        code_bases=code_bases,
        branch_cites=tuple(branch.cites for branch in branches),
        steady=_is_steady(site),
        firsts=tuple(site.first(number) for number in range(len(branches))),
        digits=tuple(branch.digits for branch in branches),
        reasons=tuple(branch.reasons for branch in branches),
        otherwise=tuple(number for number, branch in enumerate(branches) if branch.otherwise),
        sought=looked_for,
        needs=needs,
    )
