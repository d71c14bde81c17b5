"""`show guards` names the line behind a choice that may be refused, and the cure."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter.cli.commands import rulewright
from tests.play.toys import write_ruleset

FORGE = """\
game forge "Forge" for 2 players

each player
  coins: 0..9 = 3
  heat: 0..9 capped
  turns: 0..5

play
  in turn p from seat1 until p.turns == 5
    turn(p)

phase turn(p)
  p.turns += 1
  choose one "What now?"
    "Heat up by {n}" for n in 1..3
      p.heat += n
      strike(p)
    "Pay {n}" for n in 1..3 if p can pay n coins
      pay n coins
    otherwise "Rest"

effect strike(p)
  requires p.heat mod 2 == 0 "the iron is not right"

after p.heat rises when p.heat > 6
  p.heat = 0
"""


def test_the_line_that_may_refuse_is_named_with_its_cure(tmp_path: Path) -> None:
    folder = write_ruleset(tmp_path, "forge", FORGE)
    said = CliRunner().invoke(rulewright, ["show", str(folder), "guards"], standalone_mode=False).output
    assert "1 of 1 decisions need look-ahead" in said
    assert "forge.rules:14 may be refused by" in said
    assert '  line 23: requires p.heat mod 2 == 0 "the iron is not right"\n    foreseen if it reads only' in said
    assert "pay n coins" not in said  # asked beforehand: nothing is left open there


LIMIT = """\
game limit "Limit" for 2 players

kind Card
  copies 30

table
  deck: pile of Card open
  heap: pool of Card open

each player
  hand: pool of Card open
  coins: 0..9 = 5

setup
  move all c in Card to deck

play
  in turn p from seat1 until heap is not empty
    turn(p)

phase turn(p)
  choose one "What now?"
    "Pay {n}" for n in 1..3
      pay n coins
      repeat 3 times
        if deck is not empty
          draw 1 from deck to p.hand
    "Earn"
      gain up to 2 coins
  while count(p.hand) > 4
    choose c in p.hand "Which card do you give away?"
    move c to heap
"""


def test_a_hand_limit_and_a_deck_that_was_asked_for_need_no_look_ahead(tmp_path: Path) -> None:
    """What a `while` or an `if` has asked for is there: the choice in it cannot be refused."""
    folder = write_ruleset(tmp_path, "limit", LIMIT)
    said = CliRunner().invoke(rulewright, ["show", str(folder), "guards"], standalone_mode=False).output
    assert "0 of 2 decisions need look-ahead" in said


DISCARD = """\
game discard "Discard" for 2 players

kind Gem
  copies 9 for each colour: 1..3

each player
  gems: pool of Gem open
  gold: pool of Gem open
  coins: 0..99 = 9
  turns: 0..9

play
  in turn p from seat1 until every q in players has q.turns == 5
    turn(p)

phase turn(p)
  p.turns += 1
  choose one "What?"
    "Take {n}" for n in 1..3
      pay n coins
      move up to 3 g in Gem where g in box and g.colour == n to p.gems
    "Gild"
      move up to 1 g in p.gems to p.gold
  while count(p.gems) + count(p.gold) > 4
    choose g in p.gems "Which goes back?"
    move g to box
"""


def test_a_payment_that_comes_first_is_not_blamed_for_what_stands_behind_it(tmp_path: Path) -> None:
    folder = write_ruleset(tmp_path, "discard", DISCARD)
    said = CliRunner().invoke(rulewright, ["show", str(folder), "guards"], standalone_mode=False).output
    assert "pay n coins" not in said
    assert "choose g in p.gems" in said and "let the loop ask" in said
    cured = DISCARD.replace("while count", "while p.gems is not empty and count").replace("discard", "cured")
    folder = write_ruleset(tmp_path, "cured", cured)
    said = CliRunner().invoke(rulewright, ["show", str(folder), "guards"], standalone_mode=False).output
    assert "0 of 2 decisions need look-ahead" in said


LAYING = """\
game laying "Laying" for 2 players

kind Tile
  copies 6 for each worth: 1..2

map board is grid 3 by 3
  node Spot

each Spot
  tile: slot of Tile open

table
  bag: pile of Tile hidden
  drawn: slot of Tile open

setup
  move all t in Tile to bag
  shuffle bag

play
  in turn p from seat1 until bag is empty
    turn(p)

phase turn(p)
  draw 1 from bag to drawn
  choose one "Where does it go?"
    "To {s}" for s in Spot where s.tile is empty and fits(drawn, s)
      move drawn to s.tile
    otherwise "Nowhere"
      move drawn to box

value fits(t: Tile, s: Spot): flag = t.worth == 1 or s.row < 3
"""


def test_a_piece_that_was_drawn_is_there_in_every_branch(tmp_path: Path) -> None:
    folder = write_ruleset(tmp_path, "laying", LAYING)
    said = CliRunner().invoke(rulewright, ["show", str(folder), "guards"], standalone_mode=False).output
    assert "0 of 1 decisions need look-ahead" in said


def test_a_piece_that_may_be_missing_is_blamed_and_not_its_place(tmp_path: Path) -> None:
    rules = LAYING.replace("draw 1 from", "draw up to 1 from").replace("fits(drawn, s)", "fits(s)")
    rules = rules.replace("fits(t: Tile, s: Spot): flag = t.worth == 1 or s.row < 3", "fits(s: Spot): flag = s.row < 3")
    folder = write_ruleset(tmp_path, "laying", rules)
    said = CliRunner().invoke(rulewright, ["show", str(folder), "guards"], standalone_mode=False).output
    assert "refused if there is none to move" in said and "the place is full" not in said


PREVIOUS = """\
game previous "Previous" for 2 players

each player
  coins: 0..99 = 9
  turns: 0..9

play
  in turn p from seat1 until every q in players has q.turns == 5
    turn(p)

phase turn(p)
  p.turns += 1
  choose one "What?"
    "Take {{n}}" for n in 1..3
      reward(p, n)
    "Rest"

effect reward(p, n: 1..3): 1..3
  {body}
  result n

instead of reward(p, n) when n == 2
  result previous(p, 1)
"""


@pytest.mark.parametrize(("body", "tried"), [("gain n coins", 0), ("lose n coins", 1)])
def test_previous_may_be_refused_only_if_what_it_stands_for_may(tmp_path: Path, body: str, tried: int) -> None:
    folder = write_ruleset(tmp_path, "previous", PREVIOUS.format(body=body))
    said = CliRunner().invoke(rulewright, ["show", str(folder), "guards"], standalone_mode=False).output
    assert f"{tried} of 1 decisions need" in said
