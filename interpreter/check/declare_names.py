"""Every name means one thing: finds clashes between declarations, and the use of reserved words.

There are two namespaces: types (enums, kinds, node and edge kinds), and everything that can stand alone in an
expression or a call (constants, charts, maps, rules, fields of the table, seats). Names that follow a dot are compared
where they are declared. Enum values, nodes and rows are looked up only where their type is expected, so they clash
with nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics.diagnostic import Label
from ..syntax import nodes
from .draft import Draft

# Reserved names that stand alone, and those that are called.
OWN_NAMES = frozenset("box everybody nobody players previous was".split())
OWN_CALLS = frozenset(
    "abs at between count distance edges ends groups holder is_border largest_group line longest_line max min "
    "neighbours next position public ring rival rivals seat sign spiral sum toward under".split()
)


def check_names(draft: Draft) -> None:
    _compare(draft, draft.type_names())
    _compare(draft, _globals(draft))
    for name, what in _globals(draft):
        if name.text in OWN_NAMES or (name.text in OWN_CALLS and what in ("rule", "chart")):
            draft.declared.error(
                "R0350",
                f"`{name.text}` is a word of the language",
                name.span,
                f"used for a {what}",
                help="choose another name",
            )
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
        draft.declared.error(
            "R0310",
            headline,
            name.span,
            f"{what} here",
            others=(Label(first.span, f"{earlier} here"),),
            help="give one of them another name",
        )


def _globals(draft: Draft) -> Iterator[tuple[nodes.Name, str]]:
    for placed in draft.declared.gathered.declarations:
        match placed.declaration:
            case nodes.Constant(name=name):
                yield name, "constant"
            case nodes.Chart(name=name):
                yield name, "chart"
            case nodes.Map(name=name):
                yield name, "map"
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
            draft.declared.error(
                "R0310",
                f"`{name.text}` is a seat already",
                name.span,
                f"{what} here",
                help="give one of them another name",
            )


def _currencies(draft: Draft) -> None:
    seen: dict[str, nodes.Name] = {}
    players = draft.declared.state.get("player", {})
    for currency, _ in draft.all(nodes.Currency):
        name = currency.name
        if name.text in seen:
            draft.declared.error(
                "R0310",
                f"the currency `{name.text}` is declared twice",
                name.span,
                "again here",
                others=(Label(seen[name.text].span, "first here"),),
            )
        elif name.text in players:
            draft.declared.error(
                "R0310",
                f"`{name.text}` is a field of each player already",
                name.span,
                "currency here",
                others=(Label(players[name.text].span, "field here"),),
                help="a counter is its own currency; give the currency another name",
            )
        seen.setdefault(name.text, name)


def _ranks(draft: Draft) -> None:
    first: nodes.Rank | None = None
    for rank, _ in draft.all(nodes.Rank):
        if first is not None:
            others = (Label(first.span, "first here"),)
            help = "say all criteria in one `rank`, or `replace` it in a variant"
            draft.declared.error("R0310", "`rank` is declared twice", rank.span, "again here", others=others, help=help)
        first = first or rank
