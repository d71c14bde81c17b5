"""What is not offered has its reason: a plain choice, what comes behind it or in a branch, a free action."""

from __future__ import annotations

import pytest

from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

RULES = """
kind Card
  copies 1 for each rank: 1..5
table
  deck: row of Card open
each player
  coins: 0..9 = 4
  got: pool of Card open
setup
  move 5 c in Card to deck
play
  in turn p from seat1 until count(deck) < 3
    turn(p)
phase turn(p)                                                                  @T-01
  choose c in deck where c.rank > 1 and c.rank < 6 "Which?"
  requires c.rank != 3 "three is unlucky"                                      @T-03
  pay c.rank coins
  move c to p.got
  p.coins = 4
  choose one "And?"
    "Double {d}" for d in deck where d.rank > 1 if p.coins > 0                 @T-05
      requires d.rank != 4
      pay d.rank coins
    "Twice {d}, {n}" for d in deck, n in 1..2 where n < d.rank
      pay n coins
    "Rest" if p.coins > 8
    "Nothing"
free action shout(p) "Shout" during turn(p)
  requires p.coins > 7 "too poor to shout"
score p
  "Coins" p.coins
"""


@pytest.mark.parametrize(
    ("choices", "text", "reason", "cites"),
    [
        (0, "Card 1", "`c.rank > 1` does not hold", ("T-01",)),
        (0, "card 3", "three is unlucky", ("T-03",)),
        (0, "Card 5", "not enough coins: 5 needed, 4 held", ("T-01",)),
        (0, "Shout", "too poor to shout", ()),
        (1, "Double Card 1", "`d.rank > 1` does not hold", ("T-05",)),
        (1, "Double Card 2", "it is not in `deck`", ("T-05",)),
        (1, "Double Card 4", "`d.rank != 4` does not hold", ("T-01",)),
        (1, "Double Card 5", "not enough coins: 5 needed, 4 held", ("T-01",)),
        (1, "Double Joker", "nothing in `deck` is called so", ("T-05",)),
        (1, "Twice Card 1, 2", "`n < d.rank` does not hold", ("T-01",)),
        (1, "Rest", "`p.coins > 8` does not hold", ("T-01",)),
    ],
)
def test_everything_refused_has_its_reason(choices: int, text: str, reason: str, cites: tuple[str, ...]) -> None:
    state = game_from_program(checked(RULES)).new(0)
    for _ in range(choices):
        state.apply(0)
    refusal = state.decision.why_not(text)
    assert refusal is not None and (refusal.reason, refusal.cites) == (reason, cites)


def test_what_is_offered_or_unknown_has_none() -> None:
    decision = game_from_program(checked(RULES)).new(0).decision
    assert decision.why_not("Card 2") is None
    assert decision.why_not("Joker") is None


SEVERAL_BRANCHES = """
enum Man = rook | pawn
map board is grid 1 by 6
  node Square
each Square
  man: Man?
setup
  for s in Square where s.column == 1
    s.man = rook
  for s in Square where s.column == 3
    s.man = pawn
play
  in turn p from seat1 until no s in Square has s.man is none
    turn(p)
phase turn(p)
  choose one "Which move?"
    "{s.column} to {t.column}" for s in Square where s.man is not none and s.man == rook, d in Direction,
        t in line(s, d) stopping at t.man is not none where t.man is none      @T-01
      t.man = rook
    "{s.column} to {t.column}" for s in Square where s.man is not none and s.man == pawn,
        t in line(s, east, 2) where t.man is none                              @T-02
      requires t.column != 4 "the fourth is a swamp"
      t.man = pawn
    "Stay"
"""


@pytest.mark.parametrize(
    ("text", "reason", "cites"),
    [
        ("3 to 6", "it is not in `line(s, east, 2)`", ("T-02",)),  # not that it is no rook
        ("3 to 4", "the fourth is a swamp", ("T-02",)),
        ("1 to 3", "`t.man is none` does not hold", ("T-01",)),
        ("1 to 5", "it is not in `line(s, d) stopping at t.man is not none`", ("T-01",)),
        ("2 to 6", "`s.man is not none` does not hold", ("T-01",)),
    ],
)  # fmt: skip
def test_the_branch_that_comes_furthest_gives_the_reason(text: str, reason: str, cites: tuple[str, ...]) -> None:
    refusal = game_from_program(checked(SEVERAL_BRANCHES)).new(0).decision.why_not(text)
    assert refusal is not None and (refusal.reason, refusal.cites) == (reason, cites)


HOOKED_VALUE = """
each player
  coins: 0..9 = 3
table
  turns: 0..9
  strict: flag = yes
value allowed(p, n: 1..3): flag                                                    @X-1
  if n == 2
    result no                                                                  @X-2
  result yes
instead of allowed(p, n) when n == 3                                               @X-3
  result previous and not strict
instead of allowed(p, n) when n > 1
  if p.coins > 8
    result yes
  result previous
value plain(p, n: 1..3): flag = n > 1                                          @X-4
instead of plain(p, n) when n == 3 as no_three
  result no                                                                    @X-5
play
  in turn p from seat1 until turns == 9
    turn(p)
phase turn(p)
  turns += 1
  choose one "Which?"
    "Take {n}" for n in 1..3 where allowed(p, n)
    "Give {n}" for n in 1..3 where plain(p, n)
    "Nothing"
"""


@pytest.mark.parametrize(
    ("label", "clauses"),
    [("Take 2", ("X-2",)), ("Take 3", ("X-3",)), ("Give 1", ("X-4",)), ("Give 3", ("X-5",))],
)
def test_the_clause_is_that_of_the_hook_or_the_line_that_said_no(label: str, clauses: tuple[str, ...]) -> None:
    refusal = game_from_program(checked(HOOKED_VALUE)).new(0).decision.why_not(label)
    assert refusal is not None and refusal.cites == clauses


ELSEWHERE = """
enum Town = dover | calais
kind Stall
  copies 1 for each owner: player, town: Town, size: 1..60
table
  stalls: pool of Stall open
  days: 0..4
each player
  own: pool of Stall open
  town: Town = dover
setup
  for p in players
    move all s in Stall where s.owner == p to p.own
play
  in turn p from seat1 until days == 4
    turn(p)
phase turn(p)
  days += 1
  choose one "What?"
    "Work in {p.town}"
      p.town = calais
    "Rest"                                                                     @T-01
  together q in players                                                        @T-02
    choose s in q.own, t in Town, n in 1..60 where fits(s, n)
  move all s in Stall where s.owner == p and s.size < 3 to stalls
value fits(s: Stall, n: 1..60): flag                                           @T-03
  if s.size > 5
    result n < 3
  result n == s.size
free action visit(p) "Visit a stall" during turn(p)                            @T-04
  choose s in stalls where s.owner != p
  move s to p.own
score p
  "Own" count(p.own)
"""


@pytest.mark.parametrize(
    ("choices", "text", "reason", "cites"),
    [
        (0, "Work in calais", "here it is called “Work in dover”", ()),
        (0, "Visit a stall", "there is nothing to choose: `s in stalls where s.owner != p`", ("T-04",)),
        (1, "Stall seat1 dover 1, calais, 2", "`fits(s, n)` does not hold", ("T-02",)),
        (1, "Stall seat2 dover 1, calais, 1", "it is not in `q.own`", ("T-02",)),
    ],
)
def test_words_for_what_is_elsewhere(choices: int, text: str, reason: str, cites: tuple[str, ...]) -> None:
    """A label that is another one here, a free action with nothing to choose from, three names of many things each, a
    decision inside a statement with clauses."""
    state = game_from_program(checked(ELSEWHERE)).new(seed=1)
    for _ in range(choices):
        state.apply(0)
    refusal = state.decision.why_not(text)
    assert refusal is not None and (refusal.reason, refusal.cites) == (reason, cites)


def test_a_value_has_the_clauses_where_nothing_else_has_any() -> None:
    state = game_from_program(checked(ELSEWHERE.replace("@T-02", ""))).new(seed=1)
    state.apply(0)
    refusal = state.decision.why_not("Stall seat1 dover 1, calais, 2")
    assert refusal is not None and refusal.cites == ("T-03",)
