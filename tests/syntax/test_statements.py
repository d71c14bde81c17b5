"""Statements and declarations -> trees, two tables."""

from __future__ import annotations

import pytest
from reading import parse, statement

from interpreter.syntax import show

STATEMENTS = {
    "let x = 3": "Let(name=x, value=3)",
    "p.vp += 1": "Assign(path=p.vp, op='+=', value=1)",
    "take(p, c)": "Call(call=CallOf(of=take, args=[p, c]))",
    "refill if possible": "Call(call=refill, if_possible=True)",
    "perform c.gift with x = 1, y = 2 for p if possible": (
        "Perform(effect=c.gift, given=[NamedArg(name=x, value=1), NamedArg(name=y, value=2)], "
        "player=p, if_possible=True)"
    ),
    'requires a "text"': 'Requires(condition=a, text="text")',
    "gain up to 2 coins, 1 heat[red]": (
        "Gain(up_to=True, amounts=[ResourceAmount(amount=2, resource=Resource(name=coins)), "
        "ResourceAmount(amount=1, resource=Resource(name=heat, indexes=[red]))])"
    ),
    "q loses 1 coins": "Lose(player=q, amounts=[ResourceAmount(amount=1, resource=Resource(name=coins))])",
    'q loses "Broke"': 'Loses(player=q, text="Broke")',
    "pay 3 fruit among (a, b) to q": (
        "Pay(costs=[Cost(amount=3, resource=Resource(name=fruit), pattern='among', among=Several(items=[a, b]))], to=q)"
    ),
    "move c to heap": "Move(what=Moved(quantity='one', expression=c), to=heap)",
    "move all c in K to heap on bottom": (
        "Move(what=Moved(quantity='all', binder=Binder(name=c, source=K)), to=heap, position=Position(how='on_bottom'))"
    ),
    "move up to 2 c in K to r after x face down": (
        "Move(what=Moved(quantity='up_to', count=2, binder=Binder(name=c, source=K)), to=r, "
        "position=Position(how='after', behind=x), face='down')"
    ),
    "draw 1 from deck to hand as got": "Draw(count=1, source=deck, to=hand, alias=got)",
    "pass hand left": "PassOn(place=hand, direction='left')",
    "flip c face up": "Flip(what=c, face='up')",
    "reveal all c in hand to q": "Reveal(binder=Binder(name=c, source=hand), to=q)",
    "reveal top of deck": "Reveal(what=EndOf(end='top', of=deck))",
    'choose c in K, n in 1..3 secretly "Which?"': (
        "Choose(binders=[Binder(name=c, source=K), Binder(name=n, source=FromTo(low=1, high=3))], secretly=True, "
        'text="Which?")'
    ),
    "choose 2 c in K as two": (
        "ChooseSet(quantity='exactly', low=2, high=2, binder=Binder(name=c, source=K), alias=two)"
    ),
    "choose 1..n c in K as some_of": (
        "ChooseSet(quantity='between', low=1, high=n, binder=Binder(name=c, source=K), alias=some_of)"
    ),
    "q chooses up to 2 c in K as few": (
        "ChooseSet(player=q, quantity='up_to', high=2, binder=Binder(name=c, source=K), alias=few)"
    ),
    "choose any c in K as lot such that a": (
        "ChooseSet(quantity='any', binder=Binder(name=c, source=K), alias=lot, such_that=a)"
    ),
    'choose one "Which?"\n  "A {c}" for c in K if a\n    stop\n  act(p)\n  otherwise "B"': (
        'ChooseOne(text="Which?", branches=[Branch(label="A {c}", binders=[Binder(name=c, source=K)], condition=a, '
        'body=[Stop()]), CallBranch(call=CallOf(of=act, args=[p])), Branch(label="B", otherwise=True)])'
    ),
    'may repeatedly "More" if a\n  stop\nelse\n  done': (
        'May(repeatedly=True, label="More", condition=a, body=[Stop()], otherwise=[Done()])'
    ),
    "pick c in K at random if possible\n  stop": (
        "Pick(binder=Binder(name=c, source=K), at_random=True, if_possible=True, body=[Stop()])"
    ),
    "pick c in K preferring c.a, any": "Pick(binder=Binder(name=c, source=K), preferring=[c.a, None])",
    "if a\n  stop\nelse if b\n  done\nelse\n  prevent": (
        "If(cases=[IfCase(condition=a, body=[Stop()]), IfCase(condition=b, body=[Done()])], otherwise=[Prevent()])"
    ),
    "for q in S, reach from a along s in T ordered by p\n  stop": (
        "For(name=q, sources=[S, Reach(start=a, along=Binder(name=s, source=T))], ordered_by=p, body=[Stop()])"
    ),
    "for q in reach from a along s in T, S where q.x\n  stop": (
        "For(name=q, sources=[Reach(start=a, along=Binder(name=s, source=T)), S], where=q.x, body=[Stop()])"
    ),
    "for q in S, T where a by lowest q.x ordered by p\n  stop": (
        "For(name=q, sources=[S, T], where=a, order=Order(direction='lowest', key=q.x), ordered_by=p, body=[Stop()])"
    ),
    "repeat\n  stop": "Repeat(body=[Stop()])",
    "while a at most 5 times\n  stop": "While(condition=a, at_most=5, body=[Stop()])",
    "in turn q from p skipping a until b finishing the round\n  stop": (
        "InTurn(name=q, start=p, skipping=a, until=b, last_round='finishing', body=[Stop()])"
    ),
    'together q in players where a "Choose"\n  stop': (
        'Together(name=q, source=players, where=a, text="Choose", body=[Stop()])'
    ),
    "in turn q from p then each once more\n  stop": (
        "InTurn(name=q, start=p, last_round='each_once_more', body=[Stop()])"
    ),
    'in any order by q\n  "A"\n    stop': 'AnyOrder(player=q, branches=[Branch(label="A", body=[Stop()])])',
    "first possible\n  act(p)": "FirstPossible(body=[Call(call=CallOf(of=act, args=[p]))])",
    'say "{p} sees {c|definite}" to q': 'Say(text="{p} sees {c|definite}", to=q)',
    "end game": "EndGame()",
    "everybody wins": "Wins(player=everybody)",
    "q drops out": "DropsOut(player=q)",
}

DECLARATIONS = {
    "map roads is corners of island": "Map(name=roads, shape=Shape(form='corners', of=island))",
    "map six is complete of a, b, c": "Map(name=six, shape=Shape(form='complete', names=[a, b, c]))",
    'core trading "Trading" for 3 players': 'Game(name=trading, title="Trading", fewest=3, most=3, is_core=True)',
    "after deck becomes empty\n  stop": (
        "Hook(timing='after', target=OnChange(path=HookPath(name=deck), change='becomes_empty'), body=[Stop()])"
    ),
    "instead of act(p) when a as careful\n  stop": (
        "Hook(timing='instead', target=OnRule(path=HookPath(name=act, called=[p])), when=a, alias=careful, "
        "body=[Stop()])"
    ),
    "after c enters p.heat[s]\n  stop": (
        "Hook(timing='after', target=OnMove(piece=HookPath(name=c), motion='enters', "
        "path=HookPath(name=p, attributes=[heat], indexes=[s])), body=[Stop()])"
    ),
    "table\n  r: row of K | L top open uncounted capacity 6 this turn": (
        "Table(fields=[Field(name=r, type=PlaceType(shape='row', kinds=Kinds(names=[K, L])), "
        "modifiers=[top_open, uncounted], capacity=6, scopes=[turn])])"
    ),
    "table\n  fame: -3..limit capped = 0": (
        "Table(fields=[Field(name=fame, type=Range(low=-3, high=limit), modifiers=[capped], start=0)])"
    ),
    "effect go()\n  refill()": "Effect(name=go, body=[Call(call=CallOf(of=refill))])",
    "value x() = 1": "Value(name=x, expression=1)",
    "effect open_end(p: player?, n: 1..2 = 1): flag depth 3": (
        "Effect(name=open_end, params=[Param(name=p, type=OptionalType(of=PlayerType())), "
        "Param(name=n, type=Range(low=1, high=2), default=1)], type=FlagType(), depth=3)"
    ),
}


@pytest.mark.parametrize(("text", "tree"), STATEMENTS.items(), ids=STATEMENTS)
def test_statement(text: str, tree: str) -> None:
    assert show(statement(text)) == tree


@pytest.mark.parametrize("text", STATEMENTS, ids=STATEMENTS)
def test_a_statement_spans_its_first_line(text: str) -> None:
    assert statement(text).span.text == text.split("\n")[0]


@pytest.mark.parametrize(("text", "tree"), DECLARATIONS.items(), ids=DECLARATIONS)
def test_declaration(text: str, tree: str) -> None:
    assert show(parse(text).declarations[0]) == tree
