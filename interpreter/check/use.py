"""Warns about declarations that are never used: most often an unused declaration is a forgotten rule.

Only what is certainly useless is reported. A field that is only written may be there for people to look at, if it is
open; a pile that is only filled may be a discard pile. Rules of a used ruleset are not reported, and a game with
variants may leave rules and charts of its base unused. A rule of a variant may be there for another variant: whether
nobody calls it is known only after all combinations have been checked (`check_variant_rules`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..diagnostics.diagnostic import Diagnostics
from . import program as p
from .expression_forms import looks_at
from .forms import kinds_in, motion, written_fields
from .value_types import EnumOf, VType, innermost
from .walk import Node, called_rules, outside_rules, walk, walk_program, walk_rule


def check_use(program: p.Program, found: Diagnostics) -> None:
    nodes = list(walk_program(program))
    _unused_fields(program, nodes, found)
    _unused_places(program, nodes, found)
    _unused_currencies(program, nodes, found)
    _unused_enums(program, nodes, found)
    _empty_histories(program, found)
    if program.name == program.base:
        _unused_charts(program, nodes, found)
        for rule in idle_rules(program):
            if rule.layer in ("", program.base):
                _uncalled(rule, found)


def check_variant_rules(programs: Sequence[p.Program], folder: str, found: Diagnostics) -> None:
    """Reports rules of variants that none of the programs calls; `folder` contains the game's own variants."""
    called: set[str] = set()
    idle: dict[str, p.RuleDecl] = {}
    for program in programs:
        here = {rule.span.at: rule for rule in idle_rules(program) if rule.layer not in ("", program.base, p.HISTORY)}
        called |= {rule.span.at for rule in program.rules.values()} - here.keys()
        idle |= here
    for at, rule in idle.items():
        if at not in called and at.startswith(f"{folder}/"):
            _uncalled(rule, found)


def _unused_fields(program: p.Program, nodes: list[Node], found: Diagnostics) -> None:
    read: set[object] = {thing for node in nodes if isinstance(node, p.Expr) for thing in looks_at(node)}
    read |= {node.field for node in nodes if isinstance(node, p.CostDecl) and node.field is not None}
    read |= {source.field for c in program.currencies.values() for source in c.sources if source.field is not None}
    read |= {hook.field for hook in program.change_hooks if hook.field is not None}
    written = {field for node in nodes if isinstance(node, p.Stmt) for field in written_fields(node)}
    for field in program.fields:
        if field in read:
            continue
        if field not in written:
            found.warning("R0750", f"`{field.name}` is never used", field.span, help="remove it, or use it in a rule")
        # A field that no rule reads may be there for people: a round counter, a note that only its owner can read.
        elif field.visibility == "hidden":
            found.warning("R0751", f"`{field.name}` is written and never read", field.span, "nobody can see it either")


def _unused_places(program: p.Program, nodes: list[Node], found: Diagnostics) -> None:
    filled = {place for node in nodes for place in _fills(node)}
    filled |= {
        source.back_to.place
        for currency in program.currencies.values()
        for source in currency.sources
        if isinstance(source.back_to, p.PlaceRef)
    }
    targets = {id(node.place) for node in nodes if isinstance(node, p.Destination)}
    read = {node.place for node in nodes if isinstance(node, p.PlaceRef) and id(node) not in targets}
    read |= {hook.place for hook in program.change_hooks if hook.place is not None}
    read |= {hook.place for hook in program.move_hooks} | {node.place for node in nodes if isinstance(node, p.PassOn)}
    # `draw 1 from deck to p.hand as c`: the card has a name there, by which it may go on.
    read |= {place for node in nodes if isinstance(node, p.Draw) and node.result is not None for place in _fills(node)}
    gone_over = _gone_over(program)
    unseen = _filled_unseen(nodes)
    for place in program.places:
        if place not in filled:
            what = f"nothing is ever put into `{place.name}`"
            found.warning("R0752", what, place.span, help="move or draw something to it, or remove it")
        # Into a secret place its owner looks; a card that was chosen secretly could not go to the box instead.
        elif place not in read | unseen and place.visibility == "hidden" and gone_over.isdisjoint(place.kinds):
            what = f"nothing is ever taken out of `{place.name}`, and nobody looks into it"
            found.warning("R0753", what, place.span, help="send the pieces to `box` if they are out of the game")


def _gone_over(program: p.Program) -> set[str]:
    """The kinds of which all pieces are gone over during the game, wherever they lie: `move all c in Card to deck`
    gathers the tricks of the last hand too. In setup they come out of the box."""
    setup = program.rules.get("setup")
    early = set() if setup is None else {setup, *setup.before, *setup.after}
    rules = (node for rule in program.all_rules() if rule not in early for node in walk_rule(rule))
    outside = (node for part in outside_rules(program) for node in walk(part))
    return {kind for node in (*rules, *outside) if isinstance(node, p.AllOf) for kind in kinds_in(node.type)}


def _filled_unseen(nodes: list[Node]) -> set[p.PlaceDecl]:
    """The places into which somebody lays what was chosen `secretly`: face down, where nobody may look for it."""
    chosen = {binder.local for node in nodes if isinstance(node, p.Choose) and node.secretly for binder in node.binders}
    chosen |= {node.chosen for node in nodes if isinstance(node, p.ChooseSet) and node.secretly}
    laid: list[tuple[p.Stmt, p.Expr]] = [(node, node.piece) for node in nodes if isinstance(node, p.MovePiece)]
    laid += [(node, node.pieces) for node in nodes if isinstance(node, p.MoveSet)]
    return {
        place for node, what in laid if isinstance(what, p.LocalVar) and what.local in chosen for place in _fills(node)
    }


def _fills(node: Node) -> tuple[p.PlaceDecl, ...]:
    """The places that a statement puts pieces into. `pass hand left` does not count: it only moves what other places of
    the same declaration held already."""
    if not isinstance(node, p.Stmt) or isinstance(node, p.PassOn):
        return ()
    moved = motion(node)
    return () if moved is None else moved.put_into


def _unused_charts(program: p.Program, nodes: list[Node], found: Diagnostics) -> None:
    read = {node.chart.name for node in nodes if isinstance(node, p.ChartCell)}
    tables = {node.table for node in nodes if isinstance(node, p.AttributeOf)}
    for chart in program.charts.values():
        if chart.name not in read and not any(table in tables for table in chart.columns.values()):
            found.warning("R0754", f"the chart `{chart.name}` is never read", chart.span)


def _unused_currencies(program: p.Program, nodes: list[Node], found: Diagnostics) -> None:
    paid = {node.currency for node in nodes if isinstance(node, p.CostDecl)}
    for currency in program.currencies.values():
        if currency not in paid and currency.span.source.name != "<nowhere>":
            found.warning("R0755", f"nothing is ever paid in `{currency.name}`", currency.span)


def _unused_enums(program: p.Program, nodes: list[Node], found: Diagnostics) -> None:
    named = {innermost(value_type) for value_type in _types(program, nodes)}
    used = [set(program.enums[of.name].ids) for of in named if isinstance(of, EnumOf) and of.name in program.enums]
    for enum in program.enums.values():
        # An enum contained in a used enum counts as used.
        if not any(set(enum.ids) <= ids for ids in used):
            found.warning("R0756", f"the enum `{enum.name}` is never used", enum.span)


def _empty_histories(program: p.Program, found: Diagnostics) -> None:
    idle = set(idle_rules(program))
    for rule in program.rules.values():
        if rule.layer == p.HISTORY and rule.name.startswith("remember_") and rule in idle:
            what = f"nothing is ever remembered in `{rule.name.removeprefix('remember_')}`"
            found.warning("R0760", what, rule.span, help="say `remember` where a position is to be kept, or remove it")


def _types(program: p.Program, nodes: list[Node]) -> Iterable[VType]:
    yield from (node.type for node in nodes if isinstance(node, p.Expr))
    yield from (field.type for field in program.fields)
    yield from (table.type for table in program.attributes)
    indexed: list[p.StateDecl | p.AttributeTable | p.ChartDecl] = [*program.fields, *program.places]
    indexed += [*program.attributes, *program.charts.values()]
    yield from (dimension.type for holder in indexed for dimension in holder.dimensions)
    yield from (place.slot_dimension.type for place in program.places if place.slot_dimension is not None)
    yield from (local.type for rule in program.rules.values() for local in rule.locals)


def idle_rules(program: p.Program) -> list[p.RuleDecl]:
    """The rules that nobody calls. One cause, one report: rules that are called only by an unused rule are left out."""
    roots = [
        rule for rule in program.rules.values() if rule.form in ("setup", "play", "free") or rule is program.payoff
    ]
    hooks = [h.rule for h in program.change_hooks] + [h.rule for h in program.move_hooks]
    entered = {call.rule for cell in program.cells for call in cell.calls} | {*roots, *hooks}
    starts = [node for rule in entered for node in _rule_nodes(rule)]
    starts += [node for part in outside_rules(program) for node in walk(part)]
    called = entered.union(called_rules(starts))
    idle = [rule for rule in program.rules.values() if rule not in called]
    behind = {inner for rule in idle for inner in called_rules(_rule_nodes(rule)) if inner is not rule}
    return [rule for rule in idle if rule not in behind]


def _uncalled(rule: p.RuleDecl, found: Diagnostics) -> None:
    headline = f"nobody calls the {rule.form} `{rule.name}`"
    found.warning("R0757", headline, rule.span, help="call it, or remove it")


def _rule_nodes(rule: p.RuleDecl) -> Iterable[Node]:
    yield from walk_rule(rule)
    for hook in rule.hooks:
        yield from walk_rule(hook)
