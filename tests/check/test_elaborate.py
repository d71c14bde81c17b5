"""Elaboration of bodies: what a rule becomes, looked at through the print of the checked program.

`UPDATE_GOLDEN=1 python -m pytest tests/check` rewrites the goldens.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from interpreter.check.check import check, elaborate_bodies, elaborate_in
from interpreter.check.declare import declare
from interpreter.check.program import Const, Program, SetField, ValueCall
from interpreter.check.show import Printer, show_program
from interpreter.check.value_types import EnumOf, Flag, Maybe, Number, Piece, Player
from interpreter.check.walk import walk_program
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.diagnostics.source import Source
from interpreter.ruleset.gathered import Layer, Placed
from interpreter.syntax import nodes
from interpreter.syntax.parse import parse_rules
from tests.toys import FOLDER, gather_text

GOLDEN = Path(__file__).parent.parent / "golden" / "program"
COMMAND = "# rewritten by: UPDATE_GOLDEN=1 python -m pytest tests/check\n"

TAKING = """
game taking "Taking" for 2 players as left, right

enum Colour = red | blue
kind Stone
  copies 2 for each colour: Colour
table
  heap: pool of Stone open
  taken: 0..4
each player
  mine: pool of Stone open
  coins: 0..9

setup
  move all s in Stone to heap

play
  in turn p from left until heap is empty
    turn(p)

phase turn(p) "Turn of {p}"
  choose one "What do you take?"
    take(p, red)
    "Any {s}" for s in heap where s.colour != red
      move s to p.mine
    otherwise "Nothing"

action take(p, c: Colour) "Take {c}"
  requires some s in heap has s.colour == c "there is no {c}"
  pay price(p) coins
  move 1 s in heap where s.colour == c to p.mine
  taken += 1

value price(p): 0..2 = 1 if p.coins > 0 else 0
instead of price(p) when taken == 0
  result previous + 1
after s enters p.mine when s.colour == blue
  if agreed(next(p))
    p gains 1 coins
effect agreed(p): flag
  may "Agree"
    result yes
  result no
also in turn(p) when p.coins > 5
  "Pass for {p.coins} coins"
    p.coins = 0

score p
  "Stones"  count(p.mine)
  "Coins"   p.coins div 2 if p.coins > 3
rank p by highest score, then shared
"""

BIDDING = """
game bidding "Bidding" for 3 players

enum Suit = clubs | hearts
enum Thing = Suit | joker
kind Card from cards.yaml
  suit: Suit
  worth: 1..9
  trick: effect?
chart steps(n: 1..3): 0..9 = 2, 4, 9
currency coin for p
  p.coins
  p.gems back to box
kind Gem
  copies 6
table
  deck: pile of Card hidden
  river: row of Card open
  best: 0..9
each player
  hand: hand of Card secret
  gems: pool of Gem open
  coins: 0..9
  bid: 0..9 secret
  wish: Thing?
each Card
  used: flag this bidding

setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 2 from deck to p.hand as dealt
    say "{p} has {dealt}" to p

play
  repeat 3 times
    bidding

phase bidding
  together p in players "Bid"
    choose n in 0..steps(2) secretly
    p.bid = n
  for p in players
    reveal p.bid
  best = max(p.bid for p in players)
  let winner = the p in players with most p.bid
  if winner is not none
    reward(winner)

effect reward(p) "Reward"
  choose up to 2 c in p.hand where not c.used as shown such that sum(c.worth for c in shown) > 3
  for c in shown ordered by p
    c.used = yes
    perform c.trick for p if possible
  p.wish = (first of river).suit
  if p.wish is Suit
    p gains count(c in p.hand where c.suit == p.wish) coins
  p may repeatedly "Pay"
    pay 2 coin, 1 coins
    draw up to 1 from deck to river as last_one
    requires last_one is not none and last_one.worth > 2

effect extra(p) "Extra"
  gain up to 1 coins

score p
  "Hand"  sum(c.worth for c in p.hand)
rank p by highest score, then most p.coins, then shared
"""
CARDS = """
rows:
  - {id: low, suit: clubs, worth: 2, trick: extra, copies: 4}
  - {id: high, suit: hearts, worth: 8, copies: 4}
"""


def program_of(rules: str, tables: dict[str, str] | None = None, players: int = 2) -> Program:
    found = Diagnostics()
    program = elaborate_bodies(declare(gather_text(rules, tables, players, found), found), found)
    assert [f"{finding.primary.span.at}: {finding.headline}" for finding in found] == []
    return program


def rule_text(rules: str, name: str) -> str:
    program = program_of(rules)
    return "\n".join(Printer(program).rule(program.rules[name]))


@pytest.mark.parametrize(("name", "rules", "players"), [("taking", TAKING, 2), ("bidding", BIDDING, 3)])
def test_printed_program(name: str, rules: str, players: int) -> None:
    path, text = GOLDEN / f"{name}.txt", COMMAND + show_program(program_of(rules, {"cards.yaml": CARDS}, players))
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_the_print_is_the_same_every_time() -> None:
    assert show_program(program_of(TAKING)) == show_program(program_of(TAKING))


# ---------------------------------------------------------------------------- intervals


def stores(rules: str) -> list[bool]:
    return [node.fits for node in walk_program(program_of(rules)) if isinstance(node, SetField)]


@pytest.mark.parametrize(
    ("line", "fits"),
    [
        ("fame = 3", True),
        ("fame = other", False),
        ("fame = other div 3", True),
        ("fame = other mod 10", True),
        ("fame = abs(other - 15) - 15 + 8", False),
        ("fame = min(other, 9)", True),
        ("fame = max(0, min(9, other - 3))", True),
        ("fame = 2 * other if other < 5 else 0", True),
        ("fame += 1", False),
        ("fame = count(players)", True),
        ("fame = sign(other - 3) + 1", True),
    ],
)
def test_a_store_is_known_to_fit(line: str, fits: bool) -> None:
    rules = f"table\n  fame: 0..9\n  other: 0..29\nplay\n  {line}\n"
    assert stores(rules) == [fits]


def test_a_comparison_narrows_the_interval_of_a_field() -> None:
    rules = "table\n  fame: 0..9\nplay\n  if fame < 9\n    fame += 1\n  else if fame > 0\n    fame -= 1\n"
    assert stores(rules) == [True, True]


def test_a_write_ends_what_was_known() -> None:
    rules = "table\n  fame: 0..9\nplay\n  if fame < 9\n    fame += 1\n    fame += 1\n"
    assert stores(rules) == [True, False]


def test_a_hooked_field_is_not_known_after_it_was_set() -> None:
    rules = "table\n  fame: 0..9\n  other: 0..9\nplay\n  fame = 3\n  fame += 1\n"
    hook = "after fame rises\n  other = 1\n"
    assert stores(rules) == [True, True]
    assert stores(rules + hook)[:2] == [True, False]


# ---------------------------------------------------------------------------- names, actors, calls


def test_what_a_name_means_depends_on_what_is_expected() -> None:
    rules = """
enum Colour = red | blue
enum Clan = red | green
table
  colour: Colour = red
  clan: Clan = green
play
  colour = red
  clan = red
  if red == clan
    end game
"""
    text = rule_text(rules, "play")
    assert "colour = Colour.red" in text and "clan = Clan.red" in text and "(Clan.red == clan)" in text


def test_verbs_speak_to_the_innermost_turn_then_to_the_first_parameter() -> None:
    rules = """
each player
  coins: 0..9
effect pay_day(p)
  gain 1 coins
  in turn q from p until q.coins > 3
    gain 1 coins
  next(p) gains 1 coins
play
  pay_day(seat1)
"""
    text = rule_text(rules, "pay_day")
    assert [line.split(" gains")[0].strip() for line in text.splitlines() if "gains" in line] == [
        "p#0",
        "q#1",
        "next(p#0)",
    ]


def test_an_effect_in_an_expression_stands_before_the_statement() -> None:
    rules = """
table
  fame: 0..9
effect ask(p): flag
  result fame > 2
play
  if not ask(seat1)
    fame = 1
  else if ask(seat2)
    fame = 2
"""
    lines = [line.strip() for line in rule_text(rules, "play").splitlines()]
    calls = [line for line in lines if "<-" in line]
    assert calls == ["ask#0 <- ask(seat1)", "ask#1 <- ask(seat2)"]
    assert lines.index("else") < lines.index(calls[1])


def test_arguments_by_name_and_by_default() -> None:
    rules = """
table
  fame: 0..9
effect build(p, cost: 0..3, extra: 0..2 = 1, again: flag = no)
  fame = cost
play
  build(seat1, 3)
  build(seat1, again = yes, cost = 2)
"""
    text = rule_text(rules, "play")
    assert "build(seat1, 3, 1, no)" in text and "build(seat1, 2, 1, yes)" in text


def test_a_value_without_a_type_takes_the_type_of_what_it_gives() -> None:
    program = program_of(
        "value late = early + 1\nvalue early = 2 if late_flag else 5\nvalue late_flag = yes\nplay\n  end game\n"
    )
    assert program.rules["late"].result == Number(3, 6)
    assert program.rules["late_flag"].result == Flag()


def test_kinds_that_each_have_a_field_are_told_apart() -> None:
    rules = """
kind Bird
  copies 2
kind Fish
  copies 2
each Bird
  moved: flag
each Fish
  moved: flag
table
  pond: pool of Bird | Fish open
play
  for x in pond where not x.moved
    x.moved = yes
"""
    text = rule_text(rules, "play")
    assert "(x#0:Bird.moved if (x#0 is 0..1) else x#0:Fish.moved)" in text
    assert text.count(".moved = yes") == 2


def test_a_list_of_a_loop_may_name_one_thing_twice() -> None:
    rules = 'table\n  fame: 0..9\nplay\n  for p in seat1, seat2, seat2, seat1\n    say "{p}"\n'
    assert "list(seat1, seat2, seat2, seat1)" in rule_text(rules, "play")


# ---------------------------------------------------------------------------- outside of rules


def expression(text: str) -> nodes.Expr:
    tree = parse_rules(Source("line", f"value it = {text}\n"), Diagnostics())
    assert tree is not None
    declaration = tree.declarations[0]
    assert isinstance(declaration, nodes.Value) and declaration.expression is not None
    return declaration.expression


def test_an_expression_outside_of_rules() -> None:
    found = Diagnostics()
    declared = declare(gather_text(TAKING, {}, 2, found), found)
    program = elaborate_bodies(declared, found)
    made = elaborate_in(declared, program, expression("price(left) + 1"), None, found)
    assert made is not None and made.type == Number(1, 3)
    red = elaborate_in(declared, program, expression("red"), EnumOf("Colour"), found)
    assert isinstance(red, Const)
    assert isinstance(elaborate_in(declared, program, expression("price(left)"), None, found), ValueCall)
    assert not found.has_errors
    assert elaborate_in(declared, program, expression("prise(left)"), None, found) is None
    assert [finding.help for finding in found] == ["did you mean `price`?"]


# ---------------------------------------------------------------------------- the whole


def test_check_gives_a_program_or_findings() -> None:
    found = Diagnostics()
    assert check(gather_text(TAKING, {}, 2, found), found) is not None
    broken = TAKING.replace("taken += 1", "taken += one").replace("p.coins = 0", "p.coins = none")
    assert check(gather_text(broken, {}, 2, found), found) is None
    assert sorted(finding.code for finding in found) == ["R0320", "R0432"]


def test_narrowed_types_stand_in_the_program() -> None:
    program = program_of(BIDDING, {"cards.yaml": CARDS}, 3)
    reward = program.rules["reward"]
    assert reward.params[0].type == Player()
    assert [decl.type for decl in reward.locals if decl.name == "last_one"] == [Maybe(Piece(("Card",)))]


HOOKED = 'game toy "Toy" for 2 players\ntable\n  fame: 0..9\neffect go\n  fame = 1\nplay\n  go\n'


@pytest.mark.parametrize(
    ("first", "second", "overrides", "codes"),
    [
        ("fame = 2", "fame = 3", {}, ["R0626"]),
        ("fame = 2", "fame = 3", {"b": frozenset({"a"})}, []),
        ("fame = 2", "previous", {}, []),
    ],
)
def test_two_variants_instead_of_one_rule(
    first: str, second: str, overrides: dict[str, frozenset[str]], codes: list[str]
) -> None:
    found = Diagnostics()
    base = gather_text(HOOKED, {}, 2, found)
    added = []
    for rank, (name, line) in enumerate((("a", first), ("b", second)), 1):
        tree = parse_rules(Source(f"{name}.rules", f"instead of go\n  {line}\n"), found)
        assert tree is not None
        added += [Placed(d, Layer(name, "variant", FOLDER, rank)) for d in tree.declarations]
    both = replace(base, declarations=(*base.declarations, *added), variants=("a", "b"), overrides=overrides)
    elaborate_bodies(declare(both, found), found)
    assert [finding.code for finding in found] == codes
    for finding in found:
        assert finding.headline == "two variants stand instead of `go`"
        assert [label.span.at for label in (finding.primary, *finding.others)] == ["b.rules:1:1", "a.rules:1:1"]
