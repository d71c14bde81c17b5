"""Names in emitted code: whatever an author calls things, nothing of one name becomes another."""

from __future__ import annotations

from interpreter.check.check import check
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.runtime.game import game_from_program
from tests.toys import gather_text

# Names chosen to meet those of emitted code, were they made carelessly: tables, texts, values, keywords of Python.
RULES = r"""
game awkward "A \"\"\" title \\ with # and {{braces}}" for 2 players
enum Class = import | lambda | pass_1
kind Def
  copies 2 for each row: Class
table
  text_0: pool of Def open
  score_0: 0..9
each player
  value_price: 0..20
value price_3(p): 0..9 = 3
value fits_1(p): 0..9 = count(x in text_0 where x.row == lambda and (x.row == lambda or x.row == import))
setup
  move all x in Def to text_0
play
  in turn f from seat1 until score_0 == 2
    turn(f)
phase turn(p)
  choose fits in text_0 where fits.row != import and (fits.row == lambda or fits.row == pass_1), value in 1..2
  let value_price = price_3(p)
  let map = fits_1(p)
  p.value_price = value_price + map + value
  score_0 += 1
score p
  "Price" p.value_price
rank p by highest score, then shared
"""


def test_names_never_meet() -> None:
    found = Diagnostics()
    program = check(gather_text(RULES, found=found), found)
    assert program is not None, [finding.headline for finding in found]
    state = game_from_program(program).new(seed=1)
    while not state.over:
        state.apply(0)
    assert state.scores == [6, 6]
