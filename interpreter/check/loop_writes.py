"""What the passes of a loop may write, told from its text before the loop is elaborated.

A later pass sees what an earlier one has written, so facts about the state end where a loop begins. But a loop of
plain statements writes a few fields, and what is known of all others holds in every pass:

    for h in Hex where h.tile.land is Good
      for c in h.corners where c.owner is not none
        c.owner.stock[h.tile.land] += 1        # still a Good: only `stock` is written

The loop has not been elaborated yet when this is asked, so fields go by their names: whatever is called like something
that is written counts as written. Any statement that is not plain (a call, a move, a decision) may write anything.
"""

from __future__ import annotations

from ..syntax import nodes
from .facts import Written
from .scope import World
from .walk import written

_PLAIN = (
    nodes.Let, nodes.Assign, nodes.Gain, nodes.Lose, nodes.If, nodes.For, nodes.Repeat, nodes.While, nodes.Say,
    nodes.Stop, nodes.Done, nodes.Result, nodes.Reveal,
)  # fmt: skip


def written_in_loop(world: World, block: nodes.Block) -> Written:
    """The identities of the fields that a loop may write, as facts name them; None for everything."""
    names: set[str] = set()
    for part in (part for statement in block for part in written(statement)):
        if isinstance(part, nodes.Statement) and not _is_plain(part):
            return None
        if isinstance(part, nodes.NameRef) and _may_happen(world, part.name):
            return None
        names |= _names_written(part)
    found = {id(state) for owned in world.declared.state.values() for name, state in owned.items() if name in names}
    return None if found & world.hooked else frozenset(found)


def _is_plain(node: nodes.Statement) -> bool:
    return isinstance(node, _PLAIN) and not (isinstance(node, nodes.For) and node.ordered_by is not None)


def _may_happen(world: World, name: str) -> bool:
    """True for the name of a rule that does more than compute: an effect with a result may stand in an expression."""
    source = world.declared.rules.get(name)
    return name == "previous" or (source is not None and source.rule.form != "value")


def _names_written(node: nodes.Node) -> set[str]:
    match node:
        case nodes.Assign(path=path):
            return _target(path)
        case nodes.Gain(amounts=amounts) | nodes.Lose(amounts=amounts):
            return {amount.resource.name.text for amount in amounts}
        case _:
            return set()


def _target(path: nodes.Expr) -> set[str]:
    """The field that a path ends in. `dice[1].face` ends in the dice, or in a field called `face`."""
    match path:
        case nodes.NameRef(name=name):
            return {name}
        case nodes.Index(of=of):
            return _target(of)
        case nodes.Attribute(of=of, name=name):
            return {name.text} | (_target(of) if name.text == "face" else set())
        case _:
            return set()  # no path: refused where it is elaborated
