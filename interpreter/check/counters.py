"""How counters change: gain, lose, pay, `can pay`, and the declaration of currencies.

A counter of a player is its own currency. A declared currency lists the sources that may pay for it, in the order in
which they are offered.
"""

from __future__ import annotations

from dataclasses import replace

from ..syntax import nodes
from . import program as p
from .declare_types import dimension_of, type_of
from .declared import Declared
from .dispatch import condition, does, elaborate, handles, interval_of, number, place, player, used, wanted
from .numbers import arithmetic, inside
from .scope import Body, Broken, World
from .type_rules import in_words, join
from .value_types import EnumOf, Flag, Number, Player, SetOf, VType, bare


@does(nodes.Gain)
@does(nodes.Lose)
def gain_or_lose(body: Body, node: nodes.Gain | nodes.Lose) -> p.Stmt:
    verb = "gain" if isinstance(node, nodes.Gain) else "lose"
    who = body.speaker(node.span, verb) if node.player is None else player(body, node.player, f"who {verb}s")
    amounts = tuple(_amount(body, who, item, verb, node.up_to) for item in node.amounts)
    made = p.Gain if isinstance(node, nodes.Gain) else p.Lose
    return made(node.span, who, node.up_to, amounts)


def _amount(body: Body, who: p.Expr, item: nodes.ResourceAmount, verb: str, up_to: bool) -> p.CounterAmount:
    field, indexes = counter(body, item.resource)
    amount = number(body, item.amount, "how much")
    bounds, here = field.type, body.known(p.FieldRead(field.type, item.span, field, who, indexes)).type
    assert isinstance(bounds, Number) and isinstance(here, Number)
    if interval_of(amount).high < 0:
        raise body.fail("R0433", f"nobody can {verb} less than nothing", item.amount.span, f"{amount.type} is below 0")
    after = arithmetic("+" if verb == "gain" else "-", here, interval_of(amount))
    if verb == "gain" and after.low > bounds.high and not up_to and not field.capped:
        what = f"`{field.name}` can never take {amount.type}: its range is {bounds}"
        notes = (f"`{field.name}` is declared at {field.span.at}",)
        raise body.fail("R0433", what, item.amount.span, f"always above {bounds.high}", notes=notes)
    return p.CounterAmount(amount, field, indexes, inside(after, bounds))


def counter(body: Body, resource: nodes.Resource) -> tuple[p.FieldDecl, p.Exprs]:
    """A counter of players by its name."""
    name = resource.name.text
    state = body.declared.state.get("player", {}).get(name)
    body.declared.uses.add(resource.name.span, "state", "player", name)
    if not isinstance(state, p.FieldDecl) or not isinstance(state.type, Number):
        raise _no_counter(body, resource, state is not None)
    if len(resource.indexes) != len(state.dimensions):
        index = ", ".join(str(d.type) for d in state.dimensions)
        what = f"`{name}` is counted for each {index}" if state.dimensions else f"`{name}` takes no index"
        help = f"say which: `{name}[…]`" if state.dimensions else f"write `{name}`"
        raise body.fail("R0436", what, resource.span, "of which?" if state.dimensions else "too many", help=help)
    what = f"the index of `{name}`"
    made = (used(body, node, d.type, what) for node, d in zip(resource.indexes, state.dimensions, strict=True))
    return state, tuple(made)


def _no_counter(body: Body, resource: nodes.Resource, exists: bool) -> Exception:
    name = resource.name.text
    players = body.declared.state.get("player", {}).items()
    counters = [n for n, state in players if isinstance(state, p.FieldDecl) and isinstance(state.type, Number)]
    if name in body.world.currencies:
        what = f"the currency `{name}` can be paid, not gained or lost"
        return body.fail("R0328", what, resource.name.span, "say what of it", help="gain one of its sources")
    if exists:
        return body.fail("R0328", f"`{name}` of a player is no counter", resource.name.span, "not a number")
    if name in body.declared.state.get("table", {}):
        what = f"`{name}` belongs to the table, not to a player"
        return body.fail("R0328", what, resource.name.span, "no counter of players", help=f"write `{name} += …`")
    what = f"players have no counter `{name}`"
    for counter, state in players:
        types = [d.type for d in state.dimensions] if counter in counters else []
        if len(types) == 1 and isinstance(types[0], EnumOf) and name in body.declared.enums[types[0].name].ids:
            help = f"write `{counter}[{name}]`"
            return body.fail("R0328", what, resource.name.span, f"a value of {types[0].name}", help=help)
    return body.fail("R0328", what, resource.name.span, "not known", near=(*counters, *body.world.currencies))


# ---------------------------------------------------------------------------- paying


@does(nodes.Pay)
def payment(body: Body, node: nodes.Pay) -> p.Stmt:
    who = body.speaker(node.span, "pay") if node.player is None else player(body, node.player, "who pays")
    parts = [(item, made) for item in node.costs for made in costs_of(body, item)]
    costs = tuple(made for _, made in parts)
    to = None if node.to is None else player(body, node.to, "who is paid")
    if to is not None:
        for item, made in parts:
            if made.field is None and any(s.field is None for s in (made.currency.sources if made.currency else ())):
                what = f"`{item.resource.name.text}` cannot be handed over"
                raise body.fail("R0453", what, item.span, "only counters go to another player")
    return p.Pay(node.span, who, costs, to)


@handles(nodes.CanPay)
def can_pay(body: Body, node: nodes.CanPay, expected: VType | None) -> p.Expr:
    who = player(body, node.player, "who pays")
    return p.CanPay(Flag(), node.span, who, costs_of(body, node.cost))


def costs_of(body: Body, node: nodes.Cost) -> tuple[p.CostDecl, ...]:
    """One cost, or one for each value of a type: `c.cost[k] gems for each k: Colour`. Of a currency, what is paid for a
    value is of that value (or wild). `c.cost gems` is short for that, where `cost` has an index."""
    if node.each is not None:
        dimension = dimension_of(body.declared, type_of(body.declared, node.each.type))
        return () if dimension is None else _each_kind(body, node, node.each.name, dimension)
    dimension = _index_left_out(body, node)
    if dimension is None:
        return (cost(body, node),)
    name = nodes.Name(node.span, "each__kind")
    key = nodes.NameRef(node.span, name.text)
    resource = node.resource
    if resource.name.text not in body.world.currencies and not resource.indexes:
        resource = replace(resource, indexes=(key,))
    spelt = replace(node, amount=nodes.Index(node.amount.span, node.amount, (key,)), resource=resource)
    return _each_kind(body, spelt, name, dimension)


def _each_kind(body: Body, node: nodes.Cost, name: nodes.Name, dimension: p.Dimension) -> tuple[p.CostDecl, ...]:
    made: list[p.CostDecl] = []
    for value in range(dimension.low, dimension.low + dimension.size):
        key = p.Const(dimension.type, node.span, value)
        with body.block():
            body.put_in_scope(name, key)
            one = cost(body, node)
        if one.currency is not None:
            told_apart = _told_apart(body, one.currency, node)
            if join(body.declared, told_apart, dimension.type) is None:
                by, not_by = in_words(told_apart), in_words(dimension.type)
                what = f"`{one.currency.name}` is told apart by {by}, not by {not_by}"
                raise body.fail("R0453", what, node.span, "one cost for each of these")
            one = replace(one, pattern="among", among=p.SetList(SetOf(dimension.type), node.span, (key,)))
        # A cost that is never above 0 would only make more ways to pay it.
        if interval_of(one.amount).high > 0:
            made.append(one)
    if not made:
        raise body.fail("R0433", "nothing would be paid", node.span, "never above 0")
    return tuple(made)


def _index_left_out(body: Body, node: nodes.Cost) -> p.Dimension | None:
    """The index of `cost` in `pay c.cost gems`, if it has one that is not written."""
    path = node.amount
    if not isinstance(path, nodes.Attribute | nodes.NameRef) or node.pattern is not None:
        return None
    name = path.name.text if isinstance(path, nodes.Attribute) else path.name
    if isinstance(path, nodes.NameRef) and path.name in body.names:
        return None
    declared = body.declared
    found = [table.dimensions for (_, own), table in declared.attributes.items() if own == name]
    owned = declared.state.values() if isinstance(path, nodes.Attribute) else (declared.state.get("table", {}),)
    found += [state[name].dimensions for state in owned if isinstance(state.get(name), p.FieldDecl)]
    # If another kind has a `cost` without an index, the short form could mean either, and is refused where it is read.
    return found[0][0] if found and all(len(dimensions) == 1 for dimensions in found) else None


def cost(body: Body, node: nodes.Cost) -> p.CostDecl:
    amount = number(body, node.amount, "how much")
    currency = body.world.currencies.get(node.resource.name.text)
    if currency is None:
        field, indexes = counter(body, node.resource)
        if node.pattern is not None:
            what = f"`{field.name}` is one thing: its units cannot differ"
            raise body.fail("R0453", what, node.span, "no pattern here")
        return p.CostDecl(amount, None, field, indexes, None, None)
    body.declared.uses.add(node.resource.name.span, "currency", currency.name)
    if node.resource.indexes:
        raise body.fail("R0436", f"the currency `{currency.name}` takes no index", node.resource.span, "one too many")
    if node.pattern is None:
        return p.CostDecl(amount, currency, None, (), None, None)
    told_apart = _told_apart(body, currency, node)
    among = None
    if node.among is not None:
        among = wanted(body, node.among, SetOf(told_apart), "what is paid with")
    return p.CostDecl(amount, currency, None, (), node.pattern, among)


def _told_apart(body: Body, currency: p.CurrencyDecl, node: nodes.Cost) -> VType:
    """The type of the value by which the units of a currency are told apart (`by colour`)."""
    common: VType | None = None
    for source in currency.sources:
        if source.by is not None:
            common = bare(source.by.type) if common is None else join(body.declared, common, bare(source.by.type))
    if common is None and currency.name in body.world.cut_currencies:
        raise Broken  # the source that tells them apart has been reported
    if common is None:
        what = f"nothing tells the units of `{currency.name}` apart"
        notes = (f"the currency is declared at {currency.span.at}",)
        help = "a source says `by` which attribute: `p.fruits by colour`"
        raise body.fail("R0453", what, node.span, "no pattern here", notes=notes, help=help)
    return common


# ---------------------------------------------------------------------------- currencies


def declare_currencies(world: World, declared: Declared) -> None:
    for placed in declared.gathered.declarations:
        if isinstance(placed.declaration, nodes.Currency):
            made = _currency(world, placed.declaration)
            world.currencies[made.name] = made


def _currency(world: World, node: nodes.Currency) -> p.CurrencyDecl:
    body = Body(world, None, "value")
    local = body.bind(node.player, Player())
    sources: list[p.CurrencySourceDecl] = []
    for at, item in enumerate(node.sources):
        try:
            _stands_once(body, item, node.sources[:at])
            sources.append(_currency_source(body, item))
        except Broken:
            world.cut_currencies.add(node.name.text)
    return p.CurrencyDecl(node.name.text, local, tuple(sources), node.name.span)


def _currency_source(body: Body, node: nodes.CurrencySource) -> p.CurrencySourceDecl:
    what = elaborate(body, node.what, None)
    when = None if node.when is None else condition(body, node.when)
    if isinstance(what, p.FieldRead) and isinstance(what.type, Number) and what.owner is not None:
        if node.by is not None or node.back_to is not None:
            raise body.fail("R0454", "a counter is not told apart and goes nowhere", node.span, "only pieces are")
        _is_the_payers(body, node, what)
        return p.CurrencySourceDecl(what.field, None, None, node.as_any, None, when)
    if not isinstance(what, p.PlaceRef):
        headline = f"{in_words(what.type)} cannot be paid with"
        raise body.fail("R0454", headline, node.what.span, "a counter or a place of the player is expected")
    if node.back_to is None:
        headline, help = "it is not said where the pieces go", "add `back to PLACE`, or `back to box`"
        raise body.fail("R0454", headline, node.span, "pieces go somewhere", help=help)
    back = place(body, node.back_to, "where they go")
    by = None if node.by is None else _by(body, what, node.by)
    return p.CurrencySourceDecl(None, what, by, node.as_any, back, when)


def _is_the_payers(body: Body, node: nodes.CurrencySource, what: p.FieldRead) -> None:
    """Reports a counter that is not simply one of the payer. What is picked in a payment is called by the field alone,
    so `p.goods[wood]` and `p.goods[clay]` would be one and the same option."""
    if what.indexes:
        headline = f"`{node.what.span.text}` is one of several counters; a currency takes those without an index"
        help = "let it be a counter of its own, or let the goods be pieces: `p.goods by colour back to …`"
        raise body.fail("R0454", headline, node.what.span, "has an index", help=help)
    if not (isinstance(what.owner, p.LocalVar) and isinstance(what.owner.type, Player)):
        headline = f"`{node.what.span.text}` is no counter of the player who pays"
        raise body.fail("R0454", headline, node.what.span, "a counter or a place of the player is expected")


def _stands_once(body: Body, node: nodes.CurrencySource, before: tuple[nodes.CurrencySource, ...]) -> None:
    """Reports a source that is listed twice: what is in it could be spent once for each of the lines."""
    if any(one.what == node.what for one in before):
        help = "keep one line; a `when` on it says in which cases it may be paid with"
        raise body.fail("R0454", f"`{node.what.span.text}` is a source twice", node.what.span, "named above", help=help)


def _by(body: Body, what: p.PlaceRef, name: nodes.Name) -> p.AttributeTable:
    tables = [body.declared.attribute_of("piece", kind, name.text) for kind in what.place.kinds]
    if not tables or tables[0] is None or any(t is not tables[0] for t in tables):
        headline = f"{' | '.join(what.place.kinds)} has no `{name.text}` to be told apart by"
        having = [kind for kind, table in zip(what.place.kinds, tables, strict=True) if table is not None]
        help = None
        if having and len(having) < len(tables):
            rest = " | ".join(kind for kind in what.place.kinds if kind not in having)
            help = (
                f"let {rest} lie in a place of their own, and list it below (`… as any` if they are wild); or "
                f"let all be one kind with an optional `{name.text}`: a piece that has none is wild"
            )
        raise body.fail("R0322", headline, name.span, "not an attribute of all of them", help=help)
    for kind in what.place.kinds:
        body.declared.uses.add(name.span, "attribute", kind, name.text)
    return tables[0]
