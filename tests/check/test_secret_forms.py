"""Every form of expression, in every place where its value would be noticed: with a secret in it the checker reports
that very line, and with something open in its place it reports nothing.

A form is written with leaves: `N` is a number, `C` a piece, `D` a die, `S` a place of pieces, `W` a player, `K` an enum
value, `O` a number that may be none, `E` a node. It is a number itself; conditions stand as `1 if … else 0`.
"""

from __future__ import annotations

import re

import pytest

from interpreter.check import program as core
from interpreter.check.check import check
from interpreter.check.walk import walk_program
from interpreter.diagnostics.diagnostic import Diagnostics
from tests.toys import gather_text

SECRET = {
    "N": "rival(p).bid",
    "C": "(top of deck)",
    "D": "rival(p).cup[1]",
    "S": "rival(p).hand",
    "G": "rival(p).cup",
    "W": "rival(p).target",
    "K": "rival(p).colour",
    "O": "rival(p).guess",
    "E": "rival(p).lair",
    "P": "deck",
    "B": "bid",
    "M": "rival(p) can pay 1 gold",
    "R": "spend(rival(p))",
    "H": "holder(Card.king)",
    "T": "(top of heap) is Token",
    "V": "(top of deck) is known to rival(p)",
    "L": "Card.king in box",
    "F": "rival(p).vault",
    "S2": "rival(p).card",
}
OPEN = {
    "N": "p.vp",
    "C": "(top of discard)",
    "D": "dice[1]",
    "S": "market",
    "G": "dice",
    "W": "leader",
    "K": "trump",
    "O": "mark",
    "E": "camp",
    "P": "discard",
    "B": "vp",
    "M": "rival(p) can pay 1 silver",
    "R": "tax(rival(p))",
    "H": "holder(Pawn.pawn_seat1)",
    "T": "(top of open_heap) is Token",
    "V": "p.vp > 2",
    "L": "Pawn.pawn_seat1 in box",
    "F": "p.shelf",
    "S2": "p.shown",
}

FORMS = {
    "field": "N",
    "arithmetic": "(N + 1) * 2 - N div 2",
    "negative and absolute": "abs(-N)",
    "sign": "sign(N)",
    "extreme": "max(1, N)",
    "remainder": "N mod 3",
    "comparison": "1 if N > 2 else 0",
    "equality": "1 if N == 2 else 0",
    "and": "1 if p.vp > 0 and N > 2 else 0",
    "or": "1 if N > 2 or p.vp > 0 else 0",
    "not": "1 if not (N > 2) else 0",
    "branch of a condition": "N if p.vp > 2 else 1",
    "none": "1 if O is none else 0",
    "otherwise": "O otherwise 3",
    "in a range": "1 if N in 1..3 else 0",
    "chart": "steps(max(1, min(4, N)))",
    "chart that may not have it": "steps(N)",
    "index": "p.heat[K]",
    "enum": "1 if K == red else 0",
    "owner": "(W.vp otherwise 0)",
    "player": "1 if W == p else 0",
    "next player": "next(seat(max(1, min(2, N)))).vp",
    "attribute": "C.rank otherwise 0",
    "face of a piece": "1 if C == Card.king else 0",
    "not that face": "1 if C != Card.king else 0",
    "piece in a list": "1 if C in (Card.king, Card.queen) else 0",
    "piece in a filtered set": "1 if C in (all x in Card where x.rank == 3) else 0",
    "face in a place": "1 if Card.king in S else 0",
    "position of a face": "position(Card.king, P) otherwise 0",
    "holder of a face": "1 if H == p else 0",
    "list that drops repetitions": "count((C, Card.king))",
    "set without a piece": "count((all x in (Card.king, Card.queen) where x != C))",
    "state of a piece": "(C.marks otherwise 0)",
    "some": "1 if (some x in S has x.rank == 3) else 0",
    "no": "1 if (no x in S has x.rank == 3) else 0",
    "every": "1 if (every x in S has x.rank == 3) else 0",
    "every of some": "1 if (every x in S where x.rank > 1 has x.rank == 3) else 0",
    "count": "count(x in S where x.rank == 3)",
    "sum": "sum(x.rank for x in S)",
    "highest": "max(x.rank for x in S else 0)",
    "the one": "(the x in S with most x.rank).rank otherwise 0",
    "the first": "(first x in S by highest x.rank).rank otherwise 0",
    "all, counted": "count((all x in S where x.rank > 1))",
    "last of an order": "(last of (all x in S by lowest x.rank)).rank otherwise 0",
    "face of a die": "D.face",
    "sum of dice": "sum(x.face for x in G)",
    "count of dice": "count(x in G where x.face == 6)",
    "some die": "1 if (some x in G has x.face > 3) else 0",
    "value": "doubled(N)",
    "value of a piece": "worth(C)",
    "value that reads": "1 if reads_B(rival(p)) else 0",
    "value in a block": "in_a_block(N)",
    "value with a hook": "hooked(N)",
    "formula in a table": "Card.king.formula_B(rival(p))",
    "numbers up to": "max(x for x in 1..N else 0)",
    "players by a measure": "1 if p in (all r in players with most r.B) else 0",
    "players filtered": "count(r in players where r.B > 2)",
    "distance": "(distance(Cell.cell_1_1, E) otherwise 0)",
    "neighbours": "count(neighbours(E))",
    "reach": "count(reach from camp through x in Cell where x.row < N)",
    "groups": "largest_group(x in Cell where x.row < N)",
    "line": "longest_line(x through camp where x.row < N)",
    "trail": "longest_trail(N for w in Link)",
    "trail past nodes": "longest_trail(w in Link through x in Cell where x.row < N)",
    "cheapest": "(cheapest from camp to Cell.cell_3_3 along w in Link costing N) otherwise 0",
    "up to one": "count(x in market stopping at x.rank > N)",
    "kind": "1 if T else 0",
    "known": "1 if V else 0",
    "number in a place": "count(F)",
    "an empty place": "1 if F is empty else 0",
    "players without one": "count((players without (W otherwise p)))",
    "in the box": "1 if L else 0",
    "players from one": "(first of (players from (W otherwise p))).vp otherwise 0",
    "players after one": "(first of (players after (W otherwise p))).vp otherwise 0",
    "state of a place": "count(board_of(W otherwise p))",
    "slot": "S2.rank otherwise 0",
    "can be carried through": "1 if can R else 0",
    "can pay": "1 if M else 0",
}

# What would be noticed: the line, with X where the value stands, and the code that is reported there.
CONSEQUENCES = {
    "open store": ("  p.vp = max(0, min(99, X))", "R0513"),
    "gain": ("  gain max(0, min(9, X)) vp", "R0513"),
    "open condition": ("  if X > 1\n    p.vp = 1", "R0512"),
    "end of the game": ("  if X > 1\n    p wins", "R0512"),
    "say": ('  say "{X}"', "R0515"),
    "reason": ('  if p.heat[red] > 5\n    p wins "{X}"', "R0515"),
    "option": ('  choose one "?"\n    "A" if X > 1\n    "B"', "R0511"),
    "filter": ('  choose c in market where c.rank > X "?" if possible\n    gain 1 vp', "R0511"),
    "bound of a choice": ('  choose up to max(0, min(3, X)) c in market as cs "?"\n  gain count(cs) vp', "R0511"),
    "label": ('  choose one "?"\n    "A {X}"\n    "B"', "R0511"),
    "prompt": ('  choose one "? {X}"\n    "A"\n    "B"', "R0511"),
    "requirement": ('  choose one "?"\n    "A"\n      requires X > 1\n    "B"', "R0511"),
    "payment": ('  choose one "?"\n    "A"\n      pay max(0, min(9, X)) vp\n    "B"', "R0511"),
    "condition of a reveal": ("  if X > 1\n    reveal p.card", "R0512"),
    "filter of a reveal": ("  reveal all c in p.hand where c.rank > X", "R0512"),
    "number of passes": ("  repeat max(0, min(5, X)) times\n    gain 1 vp", "R0512"),
    "while": ("  while X > 1 at most 3 times\n    gain 1 vp", "R0512"),
    "for": ("  for n in 1..max(1, min(5, X))\n    gain 1 vp", "R0512"),
    "pick": ("  pick c in market where c.rank > X if possible\n    gain 1 vp", "R0512"),
    "move": ("  move all c in market where c.rank > X to discard", "R0512"),
    "argument": ("  hand_over(p, max(0, min(9, X)))", "R0513"),
    "local": ('  let it = X\n  say "{it}"', "R0515"),
}

TABLE = """
enum Colour = red | blue
kind Card from cards.yaml
  rank: 1..3
  formula_bid: value 0..99
  formula_vp: value 0..99
kind Token
  copies 2
kind Pawn
  copies 1 for each owner: player
map board is grid 3 by 3
  node Cell
  edge Link
chart steps(n: 1..4): 0..9 = 1, 2, 3, 4
currency gold for p
  p.bid
currency silver for p
  p.vp
table
  deck: pile of Card hidden
  discard: pile of Card open
  market: row of Card open
  heap: pile of Card | Token hidden
  open_heap: pile of Card | Token open
  dice: 2 dice of 1..6
  leader: player?
  trump: Colour = red
  mark: 0..9?
  camp: Cell = cell_1_1
each player
  hand: hand of Card secret
  card: slot of Card secret
  shown: slot of Card open
  shelf: pool of Token open capacity 2
  vault: pool of Card | Token secret uncounted
  vp: 0..99 capped
  bid: 0..9 secret
  cup: 2 dice of 1..6 secret
  target: player? secret
  colour: Colour secret = red
  guess: 0..9? secret
  lair: Cell secret = cell_1_1
  heat[Colour]: 0..9
each Card
  marks: 0..9
each Cell
  pawn: slot of Pawn open
setup
  move all c in Card to deck
  move all t in Token to heap
  shuffle deck
  move top of deck to box
  shuffle heap
  draw 3 from deck to market
  draw 3 from deck to discard
  for p in players
    draw 4 from deck to p.hand
    draw 1 from deck to p.card
    draw 1 from heap to p.vault
effect hand_over(p, n: 0..9)
  gain n vp
effect spend(p)
  lose 1 bid
effect tax(p)
  lose 1 vp
value doubled(n: 0..99): 0..200 = n * 2
value worth(c: Card?): 0..9 = c.rank otherwise 0
value reads_bid(p): flag = p.bid > 2
value reads_vp(p): flag = p.vp > 2
value in_a_block(n: 0..99): 0..9
  let more = n + 1
  if more > 3
    result 4
  result 1
value hooked(n: 0..99): 0..9 = 1
instead of hooked(n) when n > 3
  result 2
value board_of(p): set of Card = all x in p.shown
value of_bid(p): 0..99 = p.bid
value of_vp(p): 0..99 = p.vp
"""
CARDS = """
- {id: king, rank: 3, formula_bid: of_bid, formula_vp: of_vp}
- {id: queen, rank: 2, formula_bid: of_bid, formula_vp: of_vp}
- {id: jack, rank: 1, copies: 30, formula_bid: of_bid, formula_vp: of_vp}
"""


def _filled(form: str, leaves: dict[str, str]) -> str:
    value = re.sub(r"\b([A-Z]2?)\b", lambda found: leaves[found[1]], form)
    return re.sub(r"(reads_|formula_)B\b", lambda found: found[1] + leaves["B"], value)


def _rules(value: str) -> tuple[str, dict[str, range]]:
    """The rules with one phase for each consequence, and the lines of each."""
    lines = TABLE.splitlines()
    lines += ["play", "  in turn p from seat1 until deck is empty", "    draw 1 from deck to discard"]
    lines += [f"    phase_{number}(p)" for number in range(len(CONSEQUENCES))]
    lines += ["    titled(p)"]
    where: dict[str, range] = {}
    for number, (name, (text, _)) in enumerate(CONSEQUENCES.items()):
        lines.append(f"phase phase_{number}(p)")
        body = text.replace("X", f"({value})").splitlines()
        where[name] = range(len(lines) + 1, len(lines) + 1 + len(body))
        lines += body
    lines.append(f'phase titled(p) "Of {{{value}}}"')
    where["title"] = range(len(lines), len(lines) + 1)
    lines.append("  gain 1 vp")
    lines += ["score p", f'  "Of {{{value}}}"  p.vp']
    where["score"] = range(len(lines), len(lines) + 1)
    return "\n".join(lines), where


def _found(value: str) -> tuple[dict[str, set[str]], list[str]]:
    """The codes found in each consequence, and findings elsewhere."""
    rules, where = _rules(value)
    found = Diagnostics()
    check(gather_text(rules, {"cards.yaml": CARDS}, 2, found), found)
    codes: dict[str, set[str]] = {name: set() for name in where}
    elsewhere = []
    for finding in found:
        if finding.code.startswith("R075"):
            continue
        spans = [finding.primary.span.line]
        name = next((name for name, lines in where.items() if spans[0] in lines), None)
        if name is None or not finding.code.startswith("R051"):
            elsewhere.append(f"{finding.code} {finding.primary.span.at}: {finding.headline}")
        else:
            codes[name].add(finding.code)
    return codes, elsewhere


EXPECTED = {name: code for name, (_, code) in CONSEQUENCES.items()} | {"title": "R0515", "score": "R0515"}


@pytest.mark.parametrize("form", FORMS)
def test_a_secret_is_found_wherever_it_would_be_noticed(form: str) -> None:
    codes, elsewhere = _found(_filled(FORMS[form], SECRET))
    quiet = [name for name, found in codes.items() if EXPECTED[name] not in found and name != "argument"]
    assert not quiet
    # What a rule is given is told where the rule uses it.
    assert [text[:5] for text in elsewhere] == ["R0513"]


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_found_where_all_is_open(form: str) -> None:
    codes, elsewhere = _found(_filled(FORMS[form], OPEN))
    assert not elsewhere
    assert not {name: found for name, found in codes.items() if found}


# Forms of which no number is made here; that no secret can be in, since nothing unseen goes to a place that may be
# full; or that are a secret in themselves. A secret in a position is told at its history, whoever asks for it.
NOT_HERE = {"Previous", "IsAutoma", "RuleRunning", "CellRunning", "CanPerform", "IsFull", "KnownTo", "Expr"}
NOT_HERE |= {"Fingerprint", "ListOf"}


def test_every_form_of_expression_is_there() -> None:
    told = [f'  say "{{{_filled(form, OPEN)}}}"' for form in FORMS.values()]
    rules = "\n".join([TABLE, "play", "  in turn p from seat1 until deck is empty", "    draw 1 from deck to discard"])
    rules = "\n".join([rules, "    turn(p)", "phase turn(p)", *told, "  hand_over(p, 1)"])
    found = Diagnostics()
    program = check(gather_text(rules, {"cards.yaml": CARDS}, 2, found), found)
    assert program is not None
    seen = {type(node).__name__ for node in walk_program(program) if isinstance(node, core.Expr)}
    forms = {name for name, made in vars(core).items() if isinstance(made, type) and issubclass(made, core.Expr)}
    assert forms - seen - NOT_HERE == set()
