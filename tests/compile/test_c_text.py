"""What the C of a game has in its text for speed: questions that draw, tests that are asked once."""

from __future__ import annotations

import re

from interpreter.native.make import c_of
from tests.toy_games import checked, toy_game, toy_program

GAME = """
map board is grid 5 by 5
  node Cell
each Cell
  owner: player?
each player
  houses[1..6]: 0..48
play
  in turn p from seat1 until no c in Cell has c.owner is none
    turn(p)
phase turn(p)
  choose one "Where?"
    "{{c}}" for c in Cell where {}
      c.owner = p
value crowded(p): flag = count(x in Cell where x.owner == p and some y in neighbours(x) has y.owner == p) > 3
"""


def source(condition: str, game: str = GAME) -> str:
    return c_of(checked(game.format(condition))).source


def test_options_of_a_mask_are_drawn() -> None:
    text = source("c.owner is none")
    assert "_draw(Ctx" in text and "rw_bit_of_rank" in text


def test_a_plain_choice_is_drawn() -> None:
    choice = GAME.replace(
        '  choose one "Where?"\n    "{{c}}" for c in Cell where {}\n      c.owner = p\n', "  {}\n  c.owner = p\n"
    )
    text = c_of(checked(choice.format('choose c in Cell where c.owner is none "Where?"'))).source
    assert "_draw(Ctx" in text and "rw_bit_of_rank" in text


def test_what_is_counted_beside_an_or_stays_a_mask() -> None:
    """As in nine men's morris: with three men left one may go anywhere."""
    text = source("c.owner is none and (count(x in Cell where x.owner == p) == 3 or c in neighbours(Cell.cell_3_3))")
    assert "_draw(Ctx" in text


def test_options_that_take_work_to_test_are_listed() -> None:
    """Counting them would be as much work as listing them, and finding one would be work once more."""
    assert "_draw(Ctx" not in source("c.owner is none and not crowded(p)")


def test_what_no_option_changes_is_asked_once() -> None:
    """On a larger board the look at all cells stands in front of the loop (`lifting.py`)."""
    small = GAME.replace("grid 5 by 5", "grid 4 by 4")
    assert len(re.findall(r"num memo_\d+ = 0", source("c.owner is none and not crowded(p)", small))) == 1
    assert "memo_" not in source("c.owner is none and crowded(c.owner otherwise p)", small)


HANDS = """
kind Card
  copies 2 for each suit: 1..4, rank: 1..9
each player
  hand: pool of Card secret
table
  turns: 0..9
setup
  for p in players
    move 6 c in Card where c in box to p.hand
play
  in turn p from seat1 until turns == 9
    turns += 1
    turn(p, 3, turns mod 4 + 1)
phase turn(p, a: 1..9, b: 1..9)
  choose one "Which card?"
    "{c} as a seven" for c in p.hand where c.rank == 7
      move c to box
    "{c} of suit two" for c in p.hand where c.suit == 2 and c.rank > 1
      move c to box
    "{c} by number" for c in p.hand where c.rank in (a, b, a + b)
      move c to box
    "None"
"""


def test_what_lies_in_a_hand_is_a_word() -> None:
    """Of pieces if there are few of them, else of rows; a loop goes over the bits that fit."""
    text = c_of(checked(HANDS)).source
    assert re.search(r"there_kinds\w+ \|= UINT64_C\(1\) << row_;", text) and re.search(
        r"there_kinds\w+ & R_\d+\[", text
    )
    text = c_of(checked(HANDS.replace("rank: 1..9", "rank: 1..8"))).source
    assert re.search(r"there_kinds\w+ \|= UINT64_C\(1\) << \(e_\);", text) and "first_kinds" not in text


def test_a_loop_that_would_find_nothing_keeps_the_outer_one_from_beginning() -> None:
    text = c_of(toy_program("kinds_there:1")).source
    assert re.search(
        r"= \(there_kinds\w+ & R_\d+\[\w+ - 1\]\) != 0 \? \(there_kinds\w+ & R_\d+\[\w+ - 1\]\) : 0;", text
    )


def test_options_of_several_branches_are_counted_in_one_variable() -> None:
    text = c_of(checked(HANDS)).source
    question = text[text.index("there_kinds") : text.index("return RW_STOP")]
    assert question.count("= C->opts") == 1 and "rw_offer" not in question


def test_more_than_64_rows_are_listed() -> None:
    """The few small numbers that one of the lines looks for are a word all the same."""
    text = c_of(checked(HANDS.replace("suit: 1..4", "suit: 1..8"))).source
    assert "there_kinds" not in text and re.search(r"bits_h\w+ >> ", text)


COUNTING = """\
  let suits = count(s in 1..4 where (some c in p.hand has c.suit == s))
  turns += count(s in 1..4 where held(p, s) > suits)
value held(p, s: 1..4): 0..18 = count(c in p.hand where c.suit == s)
"""


def test_pieces_of_each_value_are_counted_in_one_pass() -> None:
    """A bit where something is asked for, a number where it is counted."""
    text = c_of(checked(HANDS.replace("secret", "open") + COUNTING)).source
    assert re.search(r"uint64_t tally_\d+ = 0;", text) and re.search(r"int32_t tally_\d+\[4\];", text)


def test_what_a_value_asks_first_is_asked_before_the_inner_loop() -> None:
    """Only an empty plot beside a tile is asked for each of the four turns of a tile."""
    lines = [line.strip() for line in c_of(toy_program("guards:1")).source.splitlines()]
    inner = [number for number, line in enumerate(lines) if line.startswith("for (num r__")]
    asking = [number for number in inner if "v_value_fits(" in lines[number + 2]]
    assert asking and all(lines[number - 1].startswith("if (") for number in asking)


def test_copies_in_a_supply_are_gone_past() -> None:
    assert "e_ = RW_ROW_END[e_ + 1];" in c_of(toy_program("guards:109")).source
    assert "RW_ROW_END" not in c_of(toy_program("payments:1")).source  # two of each


def test_whether_a_price_in_pieces_can_be_met_is_counted() -> None:
    text = c_of(toy_program("payable:1")).source
    assert re.search(r"= payable_\d+\(C, S", text) and not re.search(r"= rw_payable\(", text)


def test_too_few_other_pieces_leave_one_to_choose() -> None:
    """Two pieces of gold, a limit of four: there is a chip to give back, so no way of paying is tried."""
    assert [site.trial for site in toy_game("payable:70").meta.sites if site.kind == "pay"] == [""]


def test_values_that_ask_nothing_of_the_state_are_tables() -> None:
    """One with many parameters is written out, and the mask that it is part of becomes a table; one that may meet a
    fault is called."""
    text = c_of(toy_program("told_by_tables:1")).source
    assert "T3_value_steps_told[" in text and "T2_value_worth_told[" in text
    assert not re.search(r"= v_value_(steps|reaches|worth)\(C, S", text)
    assert "value_risky_told" not in text and "v_value_risky(C, S" in text


def table_of_trials(text: str) -> list[str]:
    """What a trial runs, segment by segment."""
    table = re.search(r"RW_CODE\[2\]\[RW_SEGMENTS\].*?= \{\n.*\n    \{(.*)\},\n", text)
    assert table is not None
    return table.group(1).split(", ")


SETUP = """
each player
  chips: 0..9
setup
  for p in players
    p.chips = 3
{}play
  in turn p from seat1 until p.chips == 0
    turn(p)
phase turn(p)
  choose n in 1..2 where n <= p.chips "How many?"
  p.chips -= n
"""


def test_what_is_never_tried_is_not_compiled_for_trials() -> None:
    """No option of this game is unsure, so nothing is tried at all, and a compiler leaves out what tries."""
    text = c_of(checked(SETUP.format(""))).source
    assert set(table_of_trials(text)) == {"rw_unused", "rw_end"}
    assert "#define RW_TRIES 0" in text and "int t_" not in text


UNSURE = """
each player
  chips: 0..9
setup
  for p in players
    p.chips = 3
play
  in turn p from seat1 until p.chips == 0
    begin(p)
    turn(p)
phase begin(p)
  p chooses n in 0..1 "How many more?"
  p.chips += n
phase turn(p)
  let before = p.chips
  choose n in 1..3 "How many?"
  take(p, n)
  for q in players
    requires q.chips + n < 12
effect take(p, n: 1..3)
  p.chips -= n
  p chooses m in 0..1 "One back?"
  p.chips += m
  requires p.chips * n > 1
"""


def test_a_trial_ends_with_the_phase_of_its_question() -> None:
    """What stands in front of the question is not tried, nor is the other phase, nor what called the phase."""
    text = c_of(checked(UNSURE)).source
    notes = {int(number): note for note, number in re.findall(r"/\* ([^\n]*) \*/\nstatic int q_s(\d+)\(", text)}
    tried = [notes[number] for number, name in enumerate(table_of_trials(text)) if name.startswith("t_")]
    assert {note.split(":")[0] for note in tried} == {"turn", "take"} and "#define RW_TRIES 1" in text
    assert "turn: asks" in notes.values() and "turn: asks" not in tried and "take: asks" in tried


def test_a_game_without_cells_performs_none() -> None:
    text = c_of(checked(SETUP.format(""))).source
    assert "rw_perform_next" not in text and table_of_trials(text)[0] == "rw_unused"
