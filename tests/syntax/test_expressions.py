"""Expressions -> trees, a table."""

from __future__ import annotations

import pytest
from reading import expression

from interpreter.syntax import show

TABLE = {
    "1": "1",
    "yes": "yes",
    "none": "none",
    "Colour.red": "Colour.red",
    "p.row": "p.row",
    "c.draw": "c.draw",
    "-x": "Negative(of=x)",
    "a + b * c": "Arithmetic(op='+', left=a, right=Arithmetic(op='*', left=b, right=c))",
    "a - b - c": "Arithmetic(op='-', left=Arithmetic(op='-', left=a, right=b), right=c)",
    "(a + b) * c": "Arithmetic(op='*', left=Arithmetic(op='+', left=a, right=b), right=c)",
    "a div b mod c": "Arithmetic(op='mod', left=Arithmetic(op='div', left=a, right=b), right=c)",
    "-a * b": "Arithmetic(op='*', left=Negative(of=a), right=b)",
    "a == b": "Compare(op='==', left=a, right=b)",
    "not a == b": "Not(of=Compare(op='==', left=a, right=b))",
    "a and b or c": "Or(left=And(left=a, right=b), right=c)",
    "a or b and c": "Or(left=a, right=And(left=b, right=c))",
    "a and b and c": "And(left=And(left=a, right=b), right=c)",
    "x in S": "Membership(item=x, source=S)",
    "x not in 1..3": "Membership(item=x, negated=True, source=FromTo(low=1, high=3))",
    "x is empty": "IsTest(of=x, predicate='empty')",
    "x is not K | L": "IsTest(of=x, negated=True, predicate='kinds', kinds=Kinds(names=[K, L]))",
    "x is known to q": "IsTest(of=x, predicate='known_to', known_to=q)",
    "a if c else b": "IfElse(then=a, condition=c, otherwise=b)",
    "a if c else b if d else e": "IfElse(then=a, condition=c, otherwise=IfElse(then=b, condition=d, otherwise=e))",
    "x otherwise 0": "Otherwise(value=x, fallback=0)",
    "top of deck": "EndOf(end='top', of=deck)",
    "(top of deck).value": "EndOf(end='top', of=deck).value",
    "first": "first",
    "first of r": "EndOf(end='first', of=r)",
    "first c: K in r where c.used": "Selection(which='first', binder=Binder(name=c, source=r, "
    "where=And(left=IsTest(of=c, predicate='kinds', kinds=Kinds(names=[K])), right=c.used)))",
    "count(c: K | L in r)": "Count(binder=Binder(name=c, source=r, "
    "where=IsTest(of=c, predicate='kinds', kinds=Kinds(names=[K, L]))))",
    "some c: K in r has c.used": "Quantifier(which='some', name=c, source=r, "
    "where=IsTest(of=c, predicate='kinds', kinds=Kinds(names=[K])), has=c.used)",
    "first c in r where c.used": "Selection(which='first', binder=Binder(name=c, source=r, where=c.used))",
    "all": "all",
    "all q in players with most q.coins": (
        "Selection(which='all', binder=Binder(name=q, source=players), best='most', measure=q.coins)"
    ),
    "the q in players by lowest q.place": (
        "Selection(which='the', binder=Binder(name=q, source=players, order=Order(direction='lowest', key=q.place)))"
    ),
    "some x in S has x.a and x.b": "Quantifier(which='some', name=x, source=S, has=And(left=x.a, right=x.b))",
    "a and no x in S where x.a has x.b": (
        "And(left=a, right=Quantifier(which='no', name=x, source=S, where=x.a, has=x.b))"
    ),
    "f(x, n = 2)": "CallOf(of=f, args=[x, NamedArg(name=n, value=2)])",
    "f()": "CallOf(of=f)",
    "d.points[upper](p)": "CallOf(of=Index(of=d.points, indexes=[upper]), args=[p])",
    "a[i, j]": "Index(of=a, indexes=[i, j])",
    "count(S)": "Count(of=S)",
    "count(x in S where x.a)": "Count(binder=Binder(name=x, source=S, where=x.a))",
    "count": "count",
    "sum(x.a for x in S)": "SumOf(value=x.a, binder=Binder(name=x, source=S))",
    "max(a, 2)": "Extreme(which='max', items=[a, 2])",
    "min(x.a for x in S else 0)": ("ExtremeOf(which='min', value=x.a, binder=Binder(name=x, source=S), otherwise=0)"),
    "groups(n in S)": "Groups(binder=Binder(name=n, source=S))",
    "loop.groups(n in S)": "Groups(map=loop, binder=Binder(name=n, source=S))",
    "loop.largest_group(n in S)": "Groups(map=loop, largest=True, binder=Binder(name=n, source=S))",
    "loop.longest_line(n through c where n.x)": "LongestLine(map=loop, name=n, through=c, where=n.x)",
    "c.groups(p)": "CallOf(of=c.groups, args=[p])",
    "c.groups": "c.groups",
    "count(q in reach from a along s in Street where s.open where q.free)": (
        "Count(binder=Binder(name=q, source=Reach(start=a, along=Binder(name=s, source=Street, where=s.open)), "
        "where=q.free))"
    ),
    "count(q in reach from a stopping at Area where q.free)": (
        "Count(binder=Binder(name=q, source=Reach(start=a, stopping_at=Area), where=q.free))"
    ),
    "all q in reach from a along s in Street": (
        "Selection(which='all', binder=Binder(name=q, source=Reach(start=a, along=Binder(name=s, source=Street))))"
    ),
    "count(q in all p in S with most p.x where q.free)": (
        "Count(binder=Binder(name=q, source=Selection(which='all', binder=Binder(name=p, source=S), best='most', "
        "measure=p.x), where=q.free))"
    ),
    "some q in reach from a through n in Hex has q.free": (
        "Quantifier(which='some', name=q, source=Reach(start=a, through=Binder(name=n, source=Hex)), has=q.free)"
    ),
    "largest_group(n in S)": "Groups(largest=True, binder=Binder(name=n, source=S))",
    "longest_line(d through c where d.owner == p)": (
        "LongestLine(name=d, through=c, where=Compare(op='==', left=d.owner, right=p))"
    ),
    "players after p": "Following(source=players, first=p)",
    "players from next(p)": "StartingWith(source=players, first=CallOf(of=next, args=[p]))",
    "S without x": "Without(source=S, left_out=x)",
    "(a, b, S)": "Several(items=[a, b, S])",
    "can act(p)": "CanCall(call=CallOf(of=act, args=[p]))",
    "can perform e for p": "CanPerform(effect=e, player=p)",
    "p can pay 2 fruit all equal": (
        "CanPay(player=p, cost=Cost(amount=2, resource=Resource(name=fruit), pattern='all_equal'))"
    ),
    "reach from a along s in Street where s.open stopping at Area": (
        "Reach(start=a, along=Binder(name=s, source=Street, where=s.open), stopping_at=Area)"
    ),
    "reach from a along w in (Street, Rail) where w.open": (
        "Reach(start=a, along=Binder(name=w, source=Several(items=[Street, Rail]), where=w.open))"
    ),
    "reach from a through n in Hex": "Reach(start=a, through=Binder(name=n, source=Hex))",
    "cheapest path from a to b along s in Street costing 1 stopping at Area": (
        "Cheapest(start=a, goal=b, along=Binder(name=s, source=Street), cost=1, stopping_at=Area, is_path=True)"
    ),
    "count(reach from a through n in Hex)": "Count(of=Reach(start=a, through=Binder(name=n, source=Hex)))",
    "cheapest from a to b along s in Street costing 1": (
        "Cheapest(start=a, goal=b, along=Binder(name=s, source=Street), cost=1)"
    ),
}


@pytest.mark.parametrize(("text", "tree"), TABLE.items(), ids=TABLE)
def test_expression(text: str, tree: str) -> None:
    assert show(expression(text)) == tree


@pytest.mark.parametrize("text", TABLE, ids=TABLE)
def test_span_of_an_expression_is_its_text(text: str) -> None:
    assert expression(text).span.text == text


def test_brackets_belong_to_the_operand_around_them() -> None:
    tree = expression("(a + b) * c")
    assert tree.left.span.text == "a + b"  # type: ignore[attr-defined]
    assert tree.span.text == "(a + b) * c"
