"""Which state nothing can change while somebody decides, so that what is known of it is still known afterwards.

At a decision free actions may come between, and a world that is drawn for a player has other secrets. So a field is
steady if all see it and no free action writes it. Rules are elaborated one after the other, and free actions may come
last; so this goes by the text. A free action may write whatever is named anywhere in it, in the rules that it calls,
and in hooks on what is named there. One that performs the effect of a card may write anything. Pieces leave a place
without its name being said (`move c to box`), so open places are steady only where there are no free actions, and no
pieces that lie face down.

In the same way `written_in_loop` tells what the passes of a loop may write. A later pass sees what an earlier one has
written, so facts about the state end where a loop begins. But a loop of plain statements writes a few fields, and what
is known of all others holds in every pass:

    for h in Hex where h.tile.land is Good
      for c in h.corners where c.owner is not none
        c.owner.stock[h.tile.land] += 1        # still a Good: only `stock` is written

The loop has not been elaborated yet when this is asked, so fields go by their names: whatever is called like something
that is written counts as written. Any statement that is not plain (a call, a move, a decision) may write anything.
"""

from __future__ import annotations

from ..syntax import nodes
from .declared import Declared
from .facts import Steady, Written
from .program import PlaceDecl
from .value_types import Die
from .walk import last_name, written


def steady_fields(declared: Declared) -> Steady:
    """The identities of the fields that stay as they are at every decision."""
    named = _named_in_free_actions(declared)
    if named is None:
        return Steady(frozenset())
    kept: set[object] = set()
    every = (placed.declaration for placed in declared.gathered.declarations)
    laid = (getattr(part, "face", None) for node in every for part in written(node))
    has_steady_places = not named and "down" not in laid
    for owner, one in ((owner, one) for owner, owned in declared.state.items() for one in owned.values()):
        if isinstance(one, PlaceDecl):
            is_steady = has_steady_places and owner not in declared.kinds  # what a piece carries may lie out of sight
        else:
            is_steady = one.name not in named and not isinstance(one.type, Die)
        if is_steady and one.visibility == "open":
            kept.add(id(one))
    return Steady(frozenset(kept))


def _named_in_free_actions(declared: Declared) -> set[str] | None:
    """Every name that a free action may come to; None if it may come to anything."""
    free = [source.node for source in declared.rules.values() if source.rule.form == "free"]
    waiting: list[nodes.Node] = [part for node in free for part in getattr(node, "body", None) or ()]
    if not waiting:
        return set()
    every = (placed.declaration for placed in declared.gathered.declarations)
    waiting += [node for node in every if isinstance(node, nodes.Currency)]
    hooks = [source.node for source in declared.hooks]
    named: set[str] = set()
    while waiting:
        for part in written(waiting.pop()):
            # Which effect that is shows only in play.
            if isinstance(part, nodes.Perform):
                return None
            word = part.text if isinstance(part, nodes.Name) else part.name if isinstance(part, nodes.NameRef) else None
            if word is None or word in named:
                continue
            named.add(word)
            if word in declared.rules:
                waiting.append(declared.rules[word].node)
                named.update(field.name for field in declared.scopes.get(word, ()))
            # By names alone, since hooks have not been resolved yet. One hook too many only ends a fact too early.
            waiting += [hook for hook in hooks if isinstance(hook, nodes.Hook) and word in _hooked(hook)]
    return named


def _hooked(hook: nodes.Hook) -> set[str]:
    """The names in the pattern of a hook: the rule, the field or the place that it waits for."""
    return {part.text for part in written(hook.target) if isinstance(part, nodes.Name)}


_PLAIN = (
    nodes.Let, nodes.Assign, nodes.Gain, nodes.Lose, nodes.If, nodes.For, nodes.Repeat, nodes.While, nodes.Say,
    nodes.Stop, nodes.Done, nodes.Result, nodes.Reveal,
)  # fmt: skip


def written_in_loop(declared: Declared, hooked: set[int], block: nodes.Block) -> Written:
    """The identities of the fields that a loop may write, as facts name them; None for everything."""
    names: set[str] = set()
    for part in (part for statement in block for part in written(statement)):
        if isinstance(part, nodes.Statement) and not _is_plain(part):
            return None
        if isinstance(part, nodes.NameRef) and _may_happen(declared, part.name):
            return None
        names |= _names_written(part)
    found = {id(state) for owned in declared.state.values() for name, state in owned.items() if name in names}
    return None if found & hooked else frozenset(found)


def _is_plain(node: nodes.Statement) -> bool:
    return isinstance(node, _PLAIN) and not (isinstance(node, nodes.For) and node.ordered_by is not None)


def _may_happen(declared: Declared, name: str) -> bool:
    """True for the name of a rule that does more than compute: an effect with a result may stand in an expression."""
    source = declared.rules.get(name)
    return name == "previous" or (source is not None and source.rule.form != "value")


def _names_written(node: nodes.Node) -> set[str]:
    match node:
        case nodes.Assign(path=nodes.Attribute(of=of, name=nodes.Name(text="face"))):
            return {"face", last_name(of)}  # `dice[1].face` ends in the dice, or in a field called `face`
        case nodes.Assign(path=path):
            return {last_name(path)}
        case nodes.Gain(amounts=amounts) | nodes.Lose(amounts=amounts):
            return {amount.resource.name.text for amount in amounts}
        case _:
            return set()
