"""Declares everything in a gathered game: numbers and types it, and reads every table.

The order follows from the dependencies. Enums need only names; constants need enums; types need constants; maps need
sizes; pieces need the values they are multiplied by; table cells need all of these, because a cell may name any of
them; state needs to know how many pieces there are; the effects in cells need the rules. After a finding every step
continues with something usable, so that one run reports everything.

Two checks of the whole stand here too.

**Every name means one thing.** There are two namespaces: types (enums, kinds, node and edge kinds), and everything that
can stand alone in an expression or a call (constants, charts, maps, rules, fields of the table, seats). Names that
follow a dot are compared where they are declared. Enum values, nodes and rows are looked up only where their type is
expected, so they clash with nothing.

**Every field has a value when play begins.** A number starts at 0, a flag at `no`, an optional at none. An enum, a
player, a node or a piece has no natural start: it needs a start value, or `setup` must set it. Only names are followed,
from setup through the rules it calls and through all hooks, so the check is lenient: a field that is assigned anywhere
there counts as set.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics.diagnostic import Diagnostics, Label
from ..ruleset.gathered import Gathered
from ..syntax import nodes
from .cells import resolve_cells
from .declare_charts import declare_charts
from .declare_enums import declare_constants, declare_enum_attributes, declare_enums, declare_seats
from .declare_kinds import check_row_ids, declare_backs, declare_piece_columns, declare_pieces, register_kinds
from .declare_maps import declare_map_attributes, declare_maps, register_map_kinds
from .declare_rules import declare_rules
from .declare_state import declare_state
from .declared import Declared, Draft
from .histories import declare_histories
from .program import FieldDecl, PlaceDecl, StateDecl
from .uses import Uses
from .value_types import has_no_natural_start
from .walk import last_name, written


def declare(gathered: Gathered, found: Diagnostics, *, for_index: bool = False) -> Declared:
    """All declarations of a game. If some are faulty, `found` has the errors; the result can be used anyway.

    `for_index`: record what each name refers to, here and while bodies are elaborated (uses.py).
    """
    declared = Declared(gathered, found, gathered.players, uses=Uses(for_index))
    declared.seats_may_drop = any(_says_drops_out(placed.declaration) for placed in gathered.declarations)
    draft = Draft(declared)
    declare_seats(draft)
    register_kinds(draft)
    register_map_kinds(draft)
    declare_enums(draft)
    declare_constants(draft)
    declare_maps(draft)
    declare_pieces(draft)
    declare_enum_attributes(draft)
    declare_map_attributes(draft)
    declare_piece_columns(draft)
    check_row_ids(draft)
    declare_charts(draft)
    declare_state(draft)
    declare_backs(draft)
    declare_rules(draft)
    declare_histories(draft)
    check_names(draft)
    check_starts(draft)
    check_slots(draft)
    resolve_cells(draft)
    declared.answers = {}
    return declared


def _says_drops_out(declaration: nodes.Declaration) -> bool:
    """Whether somebody drops out in it. Few games say so at all: their text is searched before their trees."""
    is_said = "drops out" in declaration.span.source.text
    return is_said and any(isinstance(part, nodes.DropsOut) for part in written(declaration))


# ---------------------------------------------------------------------------- every name means one thing


# Reserved names that stand alone, and those that are called.
OWN_NAMES = frozenset("box everybody nobody players previous was".split())
OWN_CALLS = frozenset(
    "abs at between count covered distance edges ends groups holder is_border largest_group line longest_line "
    "longest_trail max min neighbours next position public ring rival rivals seat seen sign spiral sum toward "
    "uncovered under".split()
)


def check_names(draft: Draft) -> None:
    _compare(draft, draft.type_names())
    _compare(draft, _globals(draft))
    for name, what in _globals(draft):
        if name.text in OWN_NAMES or (name.text in OWN_CALLS and what in ("rule", "chart")):
            headline = f"`{name.text}` is a word of the language"
            draft.declared.error("R0350", headline, name.span, f"used for a {what}", help="choose another name")
    _seats(draft)
    _currencies(draft)
    _ranks(draft)


def _compare(draft: Draft, names: Iterator[tuple[nodes.Name, str]]) -> None:
    seen: dict[str, tuple[nodes.Name, str]] = {}
    for name, what in names:
        if name.text not in seen:
            seen[name.text] = (name, what)
            continue
        first, earlier = seen[name.text]
        if earlier == what == "field of the table":
            continue  # reported where state is declared
        headline = f"`{name.text}` is declared twice" if earlier == what else f"`{name.text}` is a {earlier} already"
        others = (Label(first.span, f"{earlier} here"),)
        help = "give one of them another name"
        draft.declared.error("R0310", headline, name.span, f"{what} here", others=others, help=help)


def _globals(draft: Draft) -> Iterator[tuple[nodes.Name, str]]:
    for placed in draft.declared.gathered.declarations:
        match placed.declaration:
            case nodes.Constant() | nodes.Chart() | nodes.Map() | nodes.History() as node:
                yield node.name, type(node).__name__.lower()
            case nodes.Rule(name=name):
                yield name, "rule"
            case nodes.Hook(alias=nodes.Name() as name):
                yield name, "hook"
            case nodes.Table(fields=fields):
                yield from ((field.name, "field of the table") for field in fields)
            case _:
                continue


def _seats(draft: Draft) -> None:
    """Reports a seat name that clashes: it is visible everywhere, like a constant."""
    for name, what in _globals(draft):
        if name.text in draft.declared.seat_names:
            headline = f"`{name.text}` is a seat already"
            draft.declared.error("R0310", headline, name.span, f"{what} here", help="give one of them another name")


def _currencies(draft: Draft) -> None:
    seen: dict[str, nodes.Name] = {}
    players = draft.declared.state.get("player", {})
    for currency, _ in draft.all(nodes.Currency):
        name = currency.name
        if name.text in seen:
            what = f"the currency `{name.text}` is declared twice"
            draft.declared.error("R0310", what, name.span, first=seen[name.text].span)
        elif name.text in players:
            what = f"`{name.text}` is a field of each player already"
            others = (Label(players[name.text].span, "field here"),)
            help = "a counter is its own currency; give the currency another name"
            draft.declared.error("R0310", what, name.span, "currency here", others=others, help=help)
        seen.setdefault(name.text, name)


def _ranks(draft: Draft) -> None:
    first: nodes.Rank | None = None
    for rank, _ in draft.all(nodes.Rank):
        if first is not None:
            help = "say all criteria in one `rank`, or `replace` it in a variant"
            draft.declared.error("R0310", "`rank` is declared twice", rank.span, first=first.span, help=help)
        first = first or rank


# ---------------------------------------------------------------------------- every field has a value when play begins


def check_starts(draft: Draft) -> None:
    fields = (state for state in _state(draft) if isinstance(state, FieldDecl) and state not in draft.started)
    wanting = [field for field in fields if has_no_natural_start(field.type)]
    if not wanting:
        return
    # By names, and not by paths: `p.role = spy` in a loop over players sets the role of all of them, though nothing
    # here proves it.
    assigned = {last_name(node.path) for node in _in_setup(draft) if isinstance(node, nodes.Assign)}
    for state in wanting:
        if state.name not in assigned:
            what = f"`{state.name}` has no value at the start"
            help = f"give it a start value, set it in `setup`, or write `{state.type}?`"
            draft.declared.error("R0425", what, state.span, f"a {state.type} is never none", help=help)


def check_slots(draft: Draft) -> None:
    """A slot that is never empty is filled by setup, by the rules it calls, or by a hook."""
    wanting = [place for place in _state(draft) if isinstance(place, PlaceDecl) and place.never_empty]
    if not wanting:
        return
    filled = {last_name(node.to) for node in _in_setup(draft) if isinstance(node, nodes.Move | nodes.Draw)}
    for place in wanting:
        if place.name not in filled:
            what = f"nothing is put into `{place.name}` in setup"
            help = "move a piece to it there, or leave `never empty` out"
            draft.declared.error("R0425", what, place.span, "said to be never empty", help=help)


def _state(draft: Draft) -> Iterator[StateDecl]:
    return (state for owned in draft.declared.state.values() for state in owned.values())


def _in_setup(draft: Draft) -> Iterator[nodes.Node]:
    """Everything in setup, in the rules it calls, and in every hook."""
    rules = draft.declared.rules
    waiting: list[object] = [hook.node for hook in draft.declared.hooks]
    waiting += [rules["setup"].node] if "setup" in rules else []
    reached: set[str] = set()
    while waiting:
        for node in written(waiting.pop()):
            yield node
            if isinstance(node, nodes.NameRef) and node.name in rules and node.name not in reached:
                reached.add(node.name)
                waiting.append(rules[node.name].node)
