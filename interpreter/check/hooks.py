"""Hooks: finds the target of each, binds the names of its pattern, elaborates its condition and body, and attaches it.

A pattern binds new names, in a fixed order: the parameters of a rule; the owner and the indexes of a field or place;
the piece that moves. `before` and `after` hooks run in the order of the layers. Of several `instead of` hooks the last
layer is asked first; if its condition does not hold, or it calls `previous`, the next one has its turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Unpack

from ..diagnostics.diagnostic import Details, Label
from ..diagnostics.source import Span
from ..syntax import nodes
from . import program as p
from .declared import RuleSource
from .dispatch import condition
from .narrowing import assume, falls_through
from .paths import index_count
from .scope import Body, Broken, Unknown, World, first_player, parameters_in_scope
from .statements import statements
from .value_types import Number, Piece, Player, VType
from .walk import statements as all_statements
from .walk import written

Names = tuple[nodes.Name | None, ...]


class HookTable:
    """The hooks of a game by target, filled in two steps: first the targets, then the bodies once rules are known."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.on_rules: list[tuple[RuleSource, RuleSource, Names]] = []  # hook, target, names
        self.on_changes: list[tuple[RuleSource, p.ChangeHook, Names]] = []
        self.on_moves: list[tuple[RuleSource, p.MoveHook, Names]] = []

    def find_targets(self) -> None:
        """Finds the target of every hook; a hook without one is reported and left out."""
        for source in self.world.declared.hooks:
            node = source.node
            assert isinstance(node, nodes.Hook)
            with suppress(Broken):
                match node.target:
                    case nodes.OnRule(path=path):
                        self._on_rule(source, node, path)
                    case nodes.OnChange(path=path, change=change):
                        self._on_change(source, node, path, change)
                    case nodes.OnMove():
                        self._on_move(source, node, node.target)
        self._refuse_two_replacements()
        self._ask_partial_ones_first()
        for placed in sorted(self.world.declared.gathered.declarations, key=lambda placed: placed.layer.rank):
            if isinstance(placed.declaration, nodes.AlsoIn):
                self._also_in(placed.declaration)

    def fail(self, code: str, headline: str, span: Span, label: str = "", **more: Unpack[Details]) -> Broken:
        self.world.found.error(code, headline, span, label, **more)
        return Broken()

    # ------------------------------------------------------------------------ on rules

    def _on_rule(self, source: RuleSource, node: nodes.Hook, path: nodes.HookPath) -> None:
        target = self._rule(path)
        rule, form = target.rule, target.rule.form
        if form == "value" and node.timing != "instead":
            what = f"`{rule.name}` is a value: nothing happens before or after it"
            help = f"write `instead of {path.span.text}`"
            raise self.fail("R0620", what, path.span, "only `instead of` a value", help=help)
        names = self._parameter_names(path, rule)
        own = source.rule
        own.params = tuple(
            p.LocalDecl(i, name.text if name is not None else param.name, param.type)
            for i, (name, param) in enumerate(zip(names, rule.params, strict=True))
        )
        # Hooks arrive in the order of layers. `instead of` goes to the front: a variant is asked before the game.
        match node.timing:
            case "before":
                rule.before = (*rule.before, own)
            case "after":
                rule.after = (*rule.after, own)
            case _:
                rule.instead = (own, *rule.instead)
                own.replaces = rule
                own.result = rule.result
        self.on_rules.append((source, target, names))

    def _refuse_two_replacements(self) -> None:
        """Reports two variants that both replace the same rule completely: one of them would never run."""
        standing: dict[str, p.RuleDecl] = {}
        for source, target, _ in self.on_rules:
            own = source.rule
            if not _stands_wholly(source) or own.layer not in self.world.declared.gathered.variants:
                continue
            other = standing.setdefault(target.rule.name, own)
            if other.layer == own.layer or self._overrides(own, other) or self._overrides(other, own):
                continue
            what = f"two variants stand instead of `{target.rule.name}`"
            others = (Label(other.span, f"and here in {other.layer}"),)
            help = "play only one of them, let one say `previous`, or let one `overrides` the other"
            self.world.found.error("R0626", what, own.span, f"here in {own.layer}", others=others, help=help)

    def _overrides(self, one: p.RuleDecl, other: p.RuleDecl) -> bool:
        """True if the variant of one hook says that it overrides the variant of the other."""
        return other.layer in self.world.declared.gathered.overrides.get(one.layer, ())

    def _ask_partial_ones_first(self) -> None:
        """Orders `instead of` hooks of different variants: one that replaces the rule completely is asked after one
        with a condition or with `previous`. Asked first, it would hide the other, and which of them counts would
        depend on the order of the variants. A variant that overrides the other stays first.

            variant a: instead of price(p)                   # complete: always 3
            variant b: instead of price(p) when p.coins == 0   # partial: must be asked first
        """
        variants = set(self.world.declared.gathered.variants)
        wholly = {source.rule: _stands_wholly(source) for source, _, _ in self.on_rules}
        for rule in dict.fromkeys(target.rule for _, target, _ in self.on_rules):
            # Exchanging neighbours, step by step, keeps the order of all hooks that need not change places.
            asked = [hook for hook in rule.instead if hook in wholly]
            for end in range(len(asked) - 1, 0, -1):
                for at in range(end):
                    one, other = asked[at], asked[at + 1]
                    are_variants = one.layer != other.layer and {one.layer, other.layer} <= variants
                    if are_variants and wholly[one] and not wholly[other] and not self._overrides(one, other):
                        asked[at], asked[at + 1] = other, one
            rule.instead = tuple(asked)

    def _rule(self, path: nodes.HookPath) -> RuleSource:
        name = path.name.text
        if path.attributes or path.indexes:
            help = f"for a field: `after {path.span.text} changes`"
            raise self.fail("R0620", "a rule is hooked by its name and parameters", path.span, "not a rule", help=help)
        target = self.world.declared.rules.get(name)
        if target is None or target.rule.layer == p.HISTORY:
            what = f"there is no rule `{name}` to hook on"
            raise self.fail("R0620", what, path.name.span, "not known", near=self.world.declared.rules)
        self.world.declared.uses.add(path.name.span, "rule", name)
        return target

    def _parameter_names(self, path: nodes.HookPath, rule: p.RuleDecl) -> Names:
        if path.called is None:
            return (None,) * len(rule.params)
        if len(path.called) != len(rule.params):
            wanted = f"{rule.name}({', '.join(param.name for param in rule.params)})"
            what = f"`{rule.name}` has {len(rule.params)} parameters, not {len(path.called)}"
            raise self.fail("R0621", what, path.span, "the pattern does not fit", help=f"write `{wanted}`")
        return path.called

    def _also_in(self, node: nodes.AlsoIn) -> None:
        try:
            target = self._rule(node.path)
            self._parameter_names(node.path, target.rule)
        except Broken:
            return
        body = getattr(target.node, "body", None) or ()
        count = sum(isinstance(part, nodes.ChooseOne) for part in written(body))
        if count != 1:
            many = "has no `choose one`" if count == 0 else f"has {count} of them"
            what = f"`also in` adds to the one `choose one` of a rule, and `{target.rule.name}` {many}"
            self.fail("R0624", what, node.path.span, "where do the options go?")
            return
        made = RuleSource(p.RuleDecl(f"also in {target.rule.name}", "hook", (), None, span=node.span), node)
        self.world.also.setdefault(target.rule.name, []).append(made)

    # ------------------------------------------------------------------------ on fields and places

    def _on_change(self, source: RuleSource, node: nodes.Hook, path: nodes.HookPath, change: str) -> None:
        state, owner = self._state(path)
        is_field = isinstance(state, p.FieldDecl)
        if is_field != (change in ("rises", "falls", "changes")):
            right = "rises, falls or changes" if is_field else "grows, shrinks or becomes empty"
            what = f"`{state.name}` is a {'field' if is_field else 'place'}: it {right}"
            raise self.fail("R0621", what, path.span, f"never {change.replace('_', ' ')}")
        if isinstance(state, p.FieldDecl) and change != "changes" and not isinstance(state.type, Number):
            raise self.fail("R0621", f"`{state.name}` is no number: it changes", path.span, f"never {change}")
        self._refuse_before(node)
        types, names = self._element(path, state, owner)
        own = source.rule
        own.params = tuple(_params(types, names))
        if isinstance(state, p.FieldDecl):
            own.params = (*own.params, p.LocalDecl(len(own.params), "was", state.type))
            names = (*names, nodes.Name(path.span, "was"))
            hook = p.ChangeHook(change, state, None, own)
        else:
            hook = p.ChangeHook(change, None, state, own)
        self.world.hooked.add(id(state))
        self.on_changes.append((source, hook, names))

    def _on_move(self, source: RuleSource, node: nodes.Hook, target: nodes.OnMove) -> None:
        if target.path.name.text == "box" and not target.path.attributes:
            raise self.fail("R0620", "the box has no hooks", target.path.span, "not a place of the game")
        state, owner = self._state(target.path)
        if not isinstance(state, p.PlaceDecl):
            what = f"`{state.name}` is a field: no piece {target.motion} it"
            raise self.fail("R0621", what, target.path.span, "not a place")
        self._refuse_before(node)
        types, names = self._element(target.path, state, owner)
        own = source.rule
        own.params = tuple(_params([Piece(state.kinds), *types], (target.piece.name, *names)))
        self.world.hooked.add(id(state))
        self.on_moves.append((source, p.MoveHook(target.motion, state, own), (target.piece.name, *names)))

    def _refuse_before(self, node: nodes.Hook) -> None:
        if node.timing != "after":
            what = "what changes is only hooked with `after`"
            help = "to change what happens, hook the rule that does it"
            raise self.fail("R0620", what, node.target.span, f"not `{node.timing}`", help=help)

    def _state(self, path: nodes.HookPath) -> tuple[p.StateDecl, str]:
        """The field or place that a pattern names, and its owner."""
        declared = self.world.declared
        if path.called is not None or len(path.attributes) > 1:
            what = "a pattern is `field`, `p.field` or `p.field[i]`"
            raise self.fail("R0621", what, path.span, "not a field or place")
        if not path.attributes:
            table = declared.state.get("table", {})
            if path.name.text not in table:
                raise self._no_state(path.name, table)
            declared.uses.add(path.name.span, "state", "table", path.name.text)
            return table[path.name.text], "table"
        name = path.attributes[0]
        owners = [o for o, states in declared.state.items() if o != "table" and name.text in states]
        if not owners:
            raise self._no_state(name, [n for o, states in declared.state.items() if o != "table" for n in states])
        if len(owners) > 1 and "player" not in owners:
            what = f"`{name.text}` belongs to {' and '.join(owners)}: which is meant?"
            raise self.fail("R0621", what, path.span, "more than one", help="give one of them another name")
        owner = "player" if "player" in owners else owners[0]
        declared.uses.add(name.span, "state", owner, name.text)
        return declared.state[owner][name.text], owner

    def _no_state(self, name: nodes.Name, known: Iterable[str]) -> Broken:
        what = f"there is no field or place `{name.text}` to hook on"
        return self.fail("R0620", what, name.span, "not known", near=known)

    def _element(self, path: nodes.HookPath, state: p.StateDecl, owner: str) -> tuple[list[VType], Names]:
        """Types and names of owner and indexes, in this order."""
        dimensions: tuple[p.Dimension, ...] = state.dimensions
        if isinstance(state, p.PlaceDecl) and state.slot_dimension is not None:
            dimensions = (*dimensions, state.slot_dimension)
        if path.indexes and len(path.indexes) != len(dimensions):
            what = f"`{state.name}` takes {index_count(len(dimensions))}"
            raise self.fail("R0621", what, path.span, "the pattern does not fit")
        indexes: Names = path.indexes or (None,) * len(dimensions)
        types = [d.type for d in dimensions]
        if owner == "table":
            return types, indexes
        return [self.world.declared.kind_named(owner) or Player(), *types], (path.name, *indexes)

    # ------------------------------------------------------------------------ bodies

    def elaborate(self) -> None:
        for source, target, names in self.on_rules:
            self._body(source, names, target.rule)
        for source, _, names in (*self.on_changes, *self.on_moves):
            self._body(source, names, None)

    def _body(self, source: RuleSource, names: Names, target: p.RuleDecl | None) -> None:
        node, own = source.node, source.rule
        assert isinstance(node, nodes.Hook)
        before = len(self.world.found)
        body = Body(self.world, own, target.form if target is not None else "effect")
        body.timing, body.hooked_on = node.timing, target
        parameters_in_scope(body, own.params, names)
        spoken_to = first_player(own.params, anywhere=True)
        body.actor = None if spoken_to is None else p.LocalVar(Player(), own.span, spoken_to)
        if node.timing == "instead" and target is not None:
            if target.result is None and target.form == "value":
                self.world.elaborate_now(self.world.declared.rules[target.name])
            body.replaced, body.result = target, target.result
            own.result = target.result
        if node.when is not None:
            with suppress(Broken):
                own.when = condition(body, node.when)
                assume(body, own.when)
        if isinstance(body.result, Unknown):
            self.world.broken.add(own)
            return
        own.body = statements(body, node.body)
        own.locals = tuple(body.locals)
        own.can_prevent = any(isinstance(stmt, p.Prevent) for stmt in all_statements(own.body))
        is_whole = not body.gave_up and not self.world.declared.gathered.lost.lacks_lines(node)
        if is_whole and body.result is not None and falls_through(own.body) and len(self.world.found) == before:
            assert own.replaces is not None  # only an `instead of` has a result
            what = f"not every way through this hook gives the result of `{own.replaces.name}`"
            body.fail("R0464", what, own.span, "may end without one", help="end with `result …`")
        self.world.note_if_broken(body, own, node, before)


def _params(types: list[VType], names: Names) -> list[p.LocalDecl]:
    return [
        p.LocalDecl(i, name.text if name is not None else "_", value_type)
        for i, (name, value_type) in enumerate(zip(names, types, strict=True))
    ]


def _stands_wholly(source: RuleSource) -> bool:
    """True for an `instead of` without a condition and without `previous`: nothing of the original is left."""
    node = source.node
    assert isinstance(node, nodes.Hook)
    says_previous = any(isinstance(part, nodes.NameRef) and part.name == "previous" for part in written(node.body))
    return node.timing == "instead" and node.when is None and not says_previous
