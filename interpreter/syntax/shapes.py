"""Which node each grammar rule becomes, for rules whose children map directly to fields.

`SHAPES` gives for a grammar rule the node class, the fields that its children fill, in the order of the grammar, and
the values of fields that this form of the node never writes. A missing optional child fills a flag with False, a tuple
field with (), anything else with None. A rule that needs more has a method in build.py. `LISTS` are the rules that are
only a sequence, `GATHERED` those whose node holds one sequence, `PASSED_ON` those that stand for their only child.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any

from ..diagnostics.source import Span
from . import nodes as n

LISTS = frozenset(
    "names enum_members fields copy_keys sources history_lines index_types params score_lines criteria picked offers "
    "facts in_order "
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
    "part_of": (n.PartOf, "name", {}),
    "use": (n.Use, "name", {}),
    "excludes": (n.Excludes, "names", {}),
    "needs": (n.Needs, "names", {}),
    "overrides": (n.Overrides, "names", {}),
    "set_constant": (n.SetConstant, "name value", {}),
    "replace": (n.Replace, "declaration", {}),
    "extend": (n.Extend, "declaration", {}),
    "remove": (n.Remove, "name", {}),
    "constant": (n.Constant, "name type value", {}),
    "enum": (n.Enum, "name members", {"file": None, "fields": ()}),
    "enum_from": (n.Enum, "name file fields", {"members": ()}),
    "copies": (n.Copies, "count keys", {}),
    "copy_key": (n.CopyKey, "name type", {}),
    "chart": (n.Chart, "name params type values", {"file": None, "fields": ()}),
    "chart_from": (n.Chart, "name params file fields", {"type": None, "values": ()}),
    "currency": (n.Currency, "name player sources", {}),
    "history": (n.History, "name size lines", {}),
    "history_line": (n.HistoryLine, "value binder", {}),
    "table": (n.Table, "fields", {}),
    "node": (n.MapKind, "name fields", {}),
    "edge": (n.MapKind, "name fields", {}),
    "automa": (n.Automa, "seat name first_options", {}),
    "param": (n.Param, "name type default", {}),
    "setup": (n.Setup, "body", {}),
    "play": (n.Play, "body", {}),
    "phase": (n.Phase, "name params text body", {}),
    "action": (n.Action, "name params text body", {}),
    "free_action": (n.FreeAction, "name params text during during_args inside_actions body", {}),
    "effect": (n.Effect, "name params type depth text body", {}),
    "value": (n.Value, "name params type expression body", {"text": None}),
    "hook": (n.Hook, "timing target when alias body", {}),
    "on_rule": (n.OnRule, "path", {}),
    "on_change": (n.OnChange, "path change", {}),
    "on_move": (n.OnMove, "piece motion path", {}),
    "also_in": (n.AlsoIn, "path when branches", {}),
    "score": (n.Score, "player when lines", {}),
    "score_line": (n.ScoreLine, "label value", {}),
    "rank": (n.Rank, "player criteria", {}),
    "payoff": (n.Payoff, "player value", {}),
    # types
    "player_type": (n.PlayerType, "", {}),
    "flag_type": (n.FlagType, "", {}),
    "range": (n.Range, "low high", {}),
    "effect_type": (n.EffectType, "given", {}),
    "value_type": (n.ValueType, "range", {}),
    "set_type": (n.SetType, "of", {}),
    "place": (n.PlaceType, "shape kinds", {}),
    "slots": (n.PlaceType, "size kinds", {"shape": "slots"}),
    "slots_by": (n.PlaceType, "by kinds", {"shape": "slots"}),
    "dice": (n.DiceType, "count faces", {}),
    # scenarios
    "stand_at": (n.StandAt, "where", {}),
    "after_setup": (n.AfterSetup, "", {}),
    "set_fact": (n.SetFact, "path value", {}),
    "for_facts": (n.ForFacts, "binders facts", {}),
    "set_place": (n.SetPlace, "place pieces", {}),
    "choice": (n.Choice, "player picked", {}),
    "hurry": (n.Hurry, "player how", {}),
    "chance": (n.Chance, "event what pieces", {}),
    "holds_true": (n.HoldsTrue, "condition", {}),
    "place_holds": (n.PlaceHolds, "place pieces", {}),
    "offered_to": (n.OfferedTo, "player exactly offered", {}),
    "refused_to": (n.RefusedTo, "player offered because", {}),
    "refused_call": (n.RefusedCall, "call because", {}),
    "scores": (n.Scores, "player points line", {}),
    "has_won": (n.HasWon, "player reason", {}),
    "game_over": (n.GameOver, "", {"over": True}),
    "game_goes_on": (n.GameOver, "", {"over": False}),
    "sees": (n.Sees, "player pieces place", {}),
    # statements
    "let": (n.Let, "name value", {}),
    "assign": (n.Assign, "path op value", {}),
    "call": (n.Call, "call if_possible", {}),
    "perform": (n.Perform, "effect given player if_possible", {}),
    "named_arg": (n.NamedArg, "name value", {}),
    "requires": (n.Requires, "condition text", {}),
    "gain": (n.Gain, "player up_to amounts", {}),
    "lose": (n.Lose, "player up_to amounts", {}),
    "pay": (n.Pay, "player costs to", {}),
    "amount": (n.ResourceAmount, "amount resource", {}),
    "move": (n.Move, "what to position face", {}),
    "position": (n.Position, "how", {"behind": None}),
    "behind": (n.Position, "behind", {"how": "after"}),
    "draw": (n.Draw, "up_to count source to position face alias", {}),
    "shuffle": (n.Shuffle, "place into", {}),
    "swap": (n.Swap, "first second", {}),
    "pass_on": (n.PassOn, "place direction", {}),
    "flip": (n.Flip, "what face", {}),
    "roll": (n.Roll, "dice until", {}),
    "choose": (n.Choose, "player binders secretly text if_possible body", {}),
    "choose_one": (n.ChooseOne, "player text branches", {}),
    "branch": (n.Branch, "label binders condition body", {"otherwise": False}),
    "otherwise": (n.Branch, "label binders condition body", {"otherwise": True}),
    "call_branch": (n.CallBranch, "call", {}),
    "may": (n.May, "player repeatedly label binders condition body otherwise", {}),
    "pause": (n.Pause, "player text", {}),
    "if_case": (n.IfCase, "condition body", {}),
    "for": (n.For, "name sources where order ordered_by body", {}),
    "for_unfiltered": (n.For, "name sources order ordered_by body", {"where": None}),
    "walk": (n.Walk, "name place body", {}),
    "repeat": (n.Repeat, "times body", {}),
    "while": (n.While, "condition at_most body", {}),
    "in_turn": (n.InTurn, "name start skipping until last_round body", {}),
    "together": (n.Together, "name source text body", {}),
    "first_possible": (n.FirstPossible, "body", {}),
    "stop": (n.Stop, "", {}),
    "done": (n.Done, "", {}),
    "result": (n.Result, "value", {}),
    "prevent": (n.Prevent, "", {}),
    "remember": (n.Remember, "history", {}),
    "forget": (n.Forget, "history", {}),
    "say": (n.Say, "text to", {}),
    "wins": (n.Wins, "player text unscored", {}),
    "loses": (n.Loses, "player text unscored", {}),
    "drops_out": (n.DropsOut, "player text", {}),
    "end_game": (n.EndGame, "text", {}),
    # expressions
    "number": (n.Number, "value", {}),
    "none": (n.NoneLiteral, "", {}),
    "yes": (n.FlagLiteral, "", {"value": True}),
    "no": (n.FlagLiteral, "", {"value": False}),
    "binder": (n.Binder, "name source where order", {}),
    "trail_edges": (n.Binder, "name source where", {"order": None}),
    "unfiltered_binder": (n.Binder, "name source order", {"where": None}),
    "from_to": (n.FromTo, "low high", {}),
    "starting_with": (n.StartingWith, "source first", {}),
    "following": (n.Following, "source first", {}),
    "without": (n.Without, "source left_out", {}),
    "if_else": (n.IfElse, "then condition otherwise", {}),
    "otherwise_value": (n.Otherwise, "value fallback", {}),
    "selection": (n.Selection, "which binder best measure", {}),
    "cheapest": (n.Cheapest, "start goal along cost stopping_at", {}),
    "cheapest_path": (n.Cheapest, "start goal along cost stopping_at", {"is_path": True}),
    "or_test": (n.Or, "left right", {}),
    "and_test": (n.And, "left right", {}),
    "not_test": (n.Not, "of", {}),
    "quantifier": (n.Quantifier, "which name source where has", {}),
    "unfiltered_quantifier": (n.Quantifier, "which name source has", {"where": None}),
    "compare": (n.Compare, "left op right", {}),
    "membership": (n.Membership, "item negated source", {}),
    "can_pay": (n.CanPay, "player cost", {}),
    "can_call": (n.CanCall, "call", {}),
    "can_perform": (n.CanPerform, "effect player", {}),
    "arithmetic": (n.Arithmetic, "left op right", {}),
    "negative": (n.Negative, "of", {}),
    "end_of": (n.EndOf, "end of", {}),
    "attribute": (n.Attribute, "of name", {}),
    "index": (n.Index, "of indexes", {}),
    "call_of": (n.CallOf, "of args", {}),
    "count": (n.Count, "of", {"binder": None}),
    "count_binder": (n.Count, "binder", {"of": None}),
    "sum_of": (n.SumOf, "value binder", {}),
    "extreme_of": (n.ExtremeOf, "which value binder otherwise", {}),
    "groups": (n.Groups, "binder", {"map": None, "largest": False}),
    "largest_group": (n.Groups, "binder", {"map": None, "largest": True}),
    "longest_line": (n.LongestLine, "name through where", {"map": None}),
    "longest_trail": (n.LongestTrail, "value binder through", {}),
    "map_groups": (n.Groups, "map binder", {"largest": False}),
    "map_largest_group": (n.Groups, "map binder", {"largest": True}),
    "map_longest_line": (n.LongestLine, "map name through where", {}),
    "cell_call": (n.CellCall, "name args", {}),
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
def field_names(rule: str) -> tuple[str, ...]:
    return tuple(SHAPES[rule][1].split())


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
