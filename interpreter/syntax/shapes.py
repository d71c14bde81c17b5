"""Which node each grammar rule becomes, for rules whose children map directly to fields.

A rule makes the node that has its name, and its children fill the fields in order: `choose_one` makes a `ChooseOne`.
Only rules that differ from that have a row in `SHAPES`: the node class, the fields that the children fill, in the order
of the grammar, and the values of fields that this form of the node never writes. A missing optional child fills a flag
with False, a tuple field with (), anything else with None. A rule that needs more has a method in `builder/`. `LISTS`
are the rules that are only a sequence, `GATHERED` those whose node holds one sequence, `PASSED_ON` those that stand for
their only child.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any

from ..diagnostics.source import Span
from . import nodes as n

LISTS = frozenset(
    "names stops enum_members fields copy_keys sources history_lines index_types params score_lines criteria picked "
    "offers facts in_order "
    "body block "
    "given_args amounts costs branches for_sources for_ways binders exprs args cell_args map_kinds kind_lines".split()
)

# Rules that stand for their only child. Those that name the acting player have none in the imperative (`gain 1 vp`):
# it speaks to the player of the rule.
PASSED_ON = frozenset("gainer loser payer chooser may_subject capacity among each_kind else known_to hole".split())

# Nodes with a single field, which holds all children.
GATHERED: dict[str, Callable[[Span, tuple[Any, ...]], n.Node]] = {
    "given": n.Given,
    "when": n.When,
    "kinds": n.Kinds,
    "one_kind": n.Kinds,
    "several": n.Several,
    "cell": n.Cell,
}

SHAPES: dict[str, tuple[type[n.Node], str, dict[str, Any]]] = {
    # declarations
    "enum": (n.Enum, "name members", {"file": None, "fields": ()}),
    "enum_from": (n.Enum, "name file fields", {"members": ()}),
    "chart": (n.Chart, "name params type values", {"file": None, "fields": ()}),
    "chart_from": (n.Chart, "name params file fields", {"type": None, "values": ()}),
    "node": (n.MapKind, "name fields", {}),
    "edge": (n.MapKind, "name fields", {}),
    "free_action": (n.FreeAction, "name params text during during_args inside_actions body", {}),
    "effect": (n.Effect, "name params type depth text body", {}),
    "value": (n.Value, "name params type expression body", {"text": None}),
    # types
    "place": (n.PlaceType, "shape kinds", {}),
    "slots": (n.PlaceType, "size kinds", {"shape": "slots"}),
    "slots_by": (n.PlaceType, "by kinds", {"shape": "slots"}),
    "dice": (n.DiceType, "count faces", {}),
    # scenarios
    "game_over": (n.GameOver, "", {"over": True}),
    "game_goes_on": (n.GameOver, "", {"over": False}),
    # statements
    "amount": (n.ResourceAmount, "amount resource", {}),
    "position": (n.Position, "how", {"behind": None}),
    "behind": (n.Position, "behind", {"how": "after"}),
    "branch": (n.Branch, "label binders condition body", {"otherwise": False}),
    "otherwise": (n.Branch, "label binders condition body", {"otherwise": True}),
    "for_unfiltered": (n.For, "name sources order ordered_by body", {"where": None}),
    # expressions
    "none": (n.NoneLiteral, "", {}),
    "yes": (n.FlagLiteral, "", {"value": True}),
    "no": (n.FlagLiteral, "", {"value": False}),
    "trail_edges": (n.Binder, "name source where", {"order": None}),
    "unfiltered_binder": (n.Binder, "name source order", {"where": None}),
    "otherwise_value": (n.Otherwise, "value fallback", {}),
    "cheapest": (n.Cheapest, "start goal along cost stopping_at", {}),
    "cheapest_path": (n.Cheapest, "start goal along cost stopping_at", {"is_path": True}),
    "or_test": (n.Or, "left right", {}),
    "and_test": (n.And, "left right", {}),
    "not_test": (n.Not, "of", {}),
    "unfiltered_quantifier": (n.Quantifier, "which name source has", {"where": None}),
    "compare": (n.Compare, "left op right", {}),
    "arithmetic": (n.Arithmetic, "left op right", {}),
    "count": (n.Count, "of", {"binder": None}),
    "count_binder": (n.Count, "binder", {"of": None}),
    "groups": (n.Groups, "binder", {"map": None, "largest": False}),
    "largest_group": (n.Groups, "binder", {"map": None, "largest": True}),
    "longest_line": (n.LongestLine, "name through where", {"map": None}),
    "map_groups": (n.Groups, "map binder", {"largest": False}),
    "map_largest_group": (n.Groups, "map binder", {"largest": True}),
    "map_longest_line": (n.LongestLine, "map name through where", {}),
}

# The field that holds a name which can begin a statement: such a name must not be a verb.
OWN_NAMES: dict[type[n.Node], str] = {
    n.Constant: "name",
    n.History: "name",
    n.Chart: "name",
    n.Phase: "name",
    n.Action: "name",
    n.FreeAction: "name",
    n.Effect: "name",
    n.Value: "name",
    n.Param: "name",
    n.Let: "name",
    n.Binder: "name",
    n.For: "name",
    n.Walk: "name",
    n.InTurn: "name",
    n.Together: "name",
    n.Quantifier: "name",
    n.LongestLine: "name",
    n.Draw: "alias",
    n.ChooseSet: "alias",
    n.Score: "player",
    n.Rank: "player",
    n.Payoff: "player",
    n.Currency: "player",
}


@cache
def shape_of(rule: str) -> tuple[type[n.Node], tuple[str, ...], dict[str, Any]]:
    """The node of a rule, the fields that its children fill, and those that it always fills in the same way."""
    if rule in SHAPES:
        node, names, always = SHAPES[rule]
        return node, tuple(names.split()), always
    node = getattr(n, "".join(word.capitalize() for word in rule.split("_")))
    return node, tuple(field.name for field in fields(node) if field.name not in ("span", "cites")), {}


@cache
def absent(node: type[n.Node], name: str) -> Any:
    """The value of a field whose optional part was not written."""
    (annotation,) = (str(field.type) for field in fields(node) if field.name == name)
    if annotation == "bool":
        return False
    return () if annotation.startswith("tuple[") and not annotation.endswith("| None") else None


@cache
def is_flag(node: type[n.Node], name: str) -> bool:
    return any(field.name == name and str(field.type) == "bool" for field in fields(node))
