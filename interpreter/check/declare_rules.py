"""The signatures of rules: name, form, parameters, result. Bodies are elaborated later.

Setup and play are rules without parameters. Each hook gets a rule of its own, in the order in which hooks run: by
layer, then from top to bottom. Their targets are resolved when bodies are elaborated.
"""

from __future__ import annotations

from ..diagnostics.diagnostic import Label
from ..diagnostics.suggest import did_you_mean
from ..ruleset.gathered import Placed
from ..syntax import nodes
from .constant_values import evaluate_as
from .declare_types import bound_of, param_type, type_of
from .declared import Declared, Draft, RuleSource
from .program import PAYOFF, LocalDecl, RuleDecl
from .tables import first_line
from .value_types import Player, VType

_FORMS: dict[type[nodes.Declaration], str] = {
    nodes.Phase: "phase",
    nodes.FreeAction: "free",
    nodes.Action: "action",
    nodes.Effect: "effect",
    nodes.Value: "value",
    nodes.Setup: "setup",
    nodes.Play: "play",
}


def declare_rules(draft: Draft) -> None:
    for placed in draft.declared.gathered.declarations:
        declaration = placed.declaration
        if isinstance(declaration, nodes.Rule | nodes.Setup | nodes.Play):
            _declare_rule(draft, declaration, placed)
    for source in draft.declared.rules.values():
        if isinstance(source.node, nodes.FreeAction):
            _resolve_during(draft.declared, source.rule, source.node)
    _declare_payoff(draft)
    _declare_hooks(draft)
    _resolve_scopes(draft)
    _needs_play(draft)


def _declare_rule(draft: Draft, node: nodes.Rule | nodes.Setup | nodes.Play, placed: Placed) -> None:
    declared = draft.declared
    form = _FORMS[type(node)]
    if isinstance(node, nodes.Rule):
        name, span = node.name.text, node.name.span
        params, defaults = _params(declared, node)
        has_expression = isinstance(node, nodes.Value) and node.expression is not None
        if node.body is None and not has_expression and not draft.is_core:
            help = "give it a body, or `replace` it in the game that uses it"
            declared.error("R0315", f"the rule `{name}` is left open", span, "has no body", help=help)
    else:
        name, span, params, defaults = form, node.span, (), ()
    if name in declared.rules:
        earlier = declared.rules[name].rule
        if not isinstance(node, nodes.Rule):  # declare.py compares names of rules with all other names
            what, help = f"`{name}` is declared twice", f"join them, or write `replace {name}` in a variant"
            declared.error("R0310", what, first_line(node.span), first=earlier.span, help=help)
        return
    rule = RuleDecl(
        name,
        form,
        params,
        _result(declared, node),
        cites=node.cited,
        layer=placed.layer.name,
        depth=_depth(declared, node),
        locals=params,
        span=span if isinstance(node, nodes.Rule) else first_line(node.span),
    )
    declared.rules[name] = RuleSource(rule, node, defaults)


def _depth(declared: Declared, node: nodes.Node) -> int | None:
    """How many runs of an effect may be nested."""
    return bound_of(declared, node.depth) if isinstance(node, nodes.Effect) and node.depth is not None else None


def _declare_payoff(draft: Draft) -> None:
    """`payoff p = E` is a value that only the end of the game calls."""
    declared = draft.declared
    for payoff, placed in draft.all(nodes.Payoff):
        name = nodes.Name(payoff.player.span, PAYOFF)
        if PAYOFF in declared.rules:
            first = declared.rules[PAYOFF].rule.span
            declared.error("R0310", "`payoff` is declared twice", payoff.span, first=first)
            continue
        param = nodes.Param(payoff.player.span, payoff.player, None, None)
        node = nodes.Value(payoff.span, name, (param,), None, None, None, payoff.value)
        params = (LocalDecl(0, payoff.player.text, Player()),)
        rule = RuleDecl(PAYOFF, "value", params, None, cites=payoff.cited, locals=params, span=payoff.span)
        rule.layer = placed.layer.name
        declared.rules[PAYOFF] = RuleSource(rule, node, (None,))


def _params(declared: Declared, node: nodes.Rule) -> tuple[tuple[LocalDecl, ...], tuple[int | None, ...]]:
    params: list[LocalDecl] = []
    defaults: list[int | None] = []
    seen: dict[str, nodes.Param] = {}
    for param in node.params:
        name = param.name.text
        if name in seen:
            what = f"`{name}` stands twice among the parameters of `{node.name.text}`"
            declared.error("R0310", what, param.name.span, first=seen[name].name.span)
            continue
        seen[name] = param
        before = len(declared.found)
        value_type = param_type(declared, param)
        # A default is not compared with a type that could not be read: that would be a second report of the same
        # mistake.
        is_sound = len(declared.found) == before
        params.append(LocalDecl(len(params), name, value_type))
        default = None
        if param.default is not None and is_sound:
            known = evaluate_as(declared, param.default, value_type, f"`{name}` of `{node.name.text}`")
            default = known if isinstance(known, int) else None
        elif param.default is None and defaults and defaults[-1] is not None:
            what, help = f"`{name}` needs a default", "put parameters without a default first"
            declared.error("R0422", what, param.name.span, "stands after one that has a default", help=help)
        defaults.append(default)
    return tuple(params), tuple(defaults)


def _result(declared: Declared, node: nodes.Declaration) -> VType | None:
    """The written result type. None: no result, or for a value a type that elaboration infers."""
    if isinstance(node, nodes.Effect | nodes.Value) and node.type is not None:
        return type_of(declared, node.type)
    return None


def _resolve_during(declared: Declared, rule: RuleDecl, node: nodes.FreeAction) -> None:
    """`during turn(p)`: the phase, and for each of its arguments the parameter of the free action that it names."""
    rule.inside_actions = node.inside_actions
    declared.uses.add(node.during.span, "rule", node.during.text)
    for arg in node.during_args:
        declared.uses.add(arg.span, "parameter", rule.name, arg.text)
    target = declared.rules.get(node.during.text)
    if target is None or target.rule.form != "phase":
        phases = [name for name, source in declared.rules.items() if source.rule.form == "phase"]
        what = f"there is no phase `{node.during.text}`" if target is None else f"`{node.during.text}` is no phase"
        declared.error("R0316", what, node.during.span, "a free action is taken during a phase", near=phases)
        return
    rule.during = target.rule
    numbers = {param.name: param.number for param in rule.params}
    unknown = next((arg for arg in node.during_args if arg.text not in numbers), None)
    if unknown is not None:
        declared.error("R0317", f"`{unknown.text}` is no parameter of `{rule.name}`", unknown.span, near=numbers)
        return
    if node.during_args and len(node.during_args) != len(target.rule.params):
        headline = f"`{target.rule.name}` has {len(target.rule.params)} parameters, not {len(node.during_args)}"
        declared.error("R0424", headline, node.during.span, others=(Label(target.rule.span, "declared here"),))
        return
    rule.during_params = tuple(numbers[arg.text] for arg in node.during_args)
    lacking = next((param for param in rule.params[1:] if param.number not in rule.during_params), None)
    if lacking is not None:
        headline = f"nobody says what `{lacking.name}` of `{rule.name}` is"
        label = f"a free action has its player, and what it names of `{target.rule.name}`"
        declared.error("R0424", headline, node.during.span, label, help="let the action choose it instead")


def _declare_hooks(draft: Draft) -> None:
    declared = draft.declared
    # The order in which hooks run is settled here, for good: everything later keeps it. Within a layer, sorting leaves
    # the order of the text.
    hooks = sorted(draft.all(nodes.Hook), key=lambda pair: pair[1].layer.rank)
    names: dict[str, RuleDecl] = {}
    for number, (hook, placed) in enumerate(hooks):
        words = "instead of" if hook.timing == "instead" else hook.timing
        name = hook.alias.text if hook.alias is not None else f"{words} {hook.target.span.text} #{number + 1}"
        rule = RuleDecl(name, "hook", (), None, cites=hook.cited, layer=placed.layer.name, span=first_line(hook.span))
        if hook.alias is not None and name in names:
            declared.error("R0310", f"two hooks are called `{name}`", hook.alias.span, first=names[name].span)
        names.setdefault(name, rule)
        declared.hooks.append(RuleSource(rule, hook))


def _resolve_scopes(draft: Draft) -> None:
    """Reports a `this RULE` or `during RULE` that does not name a phase, action or effect."""
    declared = draft.declared
    for name, fields in declared.scopes.items():
        source = declared.rules.get(name)
        if source is not None and source.rule.form != "value":
            source.rule.resets = tuple(fields)
            source.rule.lasting = tuple(field for field in fields if (field, name) in declared.lasting)
            continue
        runs = [rule for rule, found in declared.rules.items() if found.rule.form != "value"]
        what = f"there is no rule `{name}`" if source is None else f"`{name}` is a value: it never begins"
        for field in fields:
            word = "during" if (field, name) in declared.lasting else "this"
            declared.error("R0318", what, field.span, f"`{word} {name}` is said here", help=did_you_mean(name, runs))


def _needs_play(draft: Draft) -> None:
    if "play" in draft.declared.rules:
        return
    game = next((game for game, _ in draft.all(nodes.Game)), None)
    declarations = draft.declared.gathered.declarations
    if draft.is_core:
        return
    span = game.name.span if game is not None else declarations[0].declaration.span if declarations else None
    if span is not None:
        draft.declared.error("R0319", "the game has no `play`", span, help="say what happens after `setup`")
