"""What is said to do about a name that is not known where it stands."""

from __future__ import annotations

import pytest

from interpreter.check.check import check
from interpreter.diagnostics.diagnostic import Diagnostics
from tests.toys import gather_text

RULES = """\
kind Card
  copies 2 for each rank: 1..3
map lane is line of 3
  node Spot
table
  row_of_cards: row of Card open
  pile_of_cards: pile of Card open
each player
  hand: hand of Card secret
  coins: 0..9
each Card
  used: flag
setup
  move all c in Card to row_of_cards
play
  in turn p from seat1 until yes
    turn(p)
    rest
phase turn(p)
  gain 1 coins
effect rest
  if yes
    end game
score p
  "Coins"  p.coins
"""


BEFORE = "the seat before p is `last of (players from p)`, the one after it `next(p)`"

RICHER = RULES.replace(
    "each Card\n",
    """\
  tips: 0..9
  spot: Spot = spot_1
  stock[Good]: 0..9
enum Good = wood | wool
table
  dice: 2 dice of 1..6
each Spot
  owner: player?
each Card
""",
)
RIVAL = "the other one of two is `rival(p)`, all others are `rivals(p)`"
WAY = "write `b in (reach from a through n in … where …)`"
TOWARD = "write `first d in Direction where toward(a, d) == b`; farther off, `where b in line(a, d)`"
STEP = "one step on from a space: `toward(p.spot, d)` with a direction; several steps: `line(p.spot, d)[n]`"
LANE = "its spaces are `Spot`, as in `for c in Spot`; it answers `lane.distance(a, b)`, `lane.neighbours(n)` …"


def advice(old: str, new: str, rules: str = RULES) -> list[str | None]:
    found = Diagnostics()
    check(gather_text(rules.replace(old, new, 1), found=found), found)
    return [finding.help for finding in found]


@pytest.mark.parametrize(
    ("line", "help"),
    [
        ("gain count(hand) coins", "each player has one: write `p.hand`"),
        ("move first of row_of_cards to p", "name a place of it: `p.hand`"),
        ("gain sum(rank for c in p.hand) coins", "each Card has one: write `x.rank`"),
        ("gain sum(1 for c in row_of_cards where used) coins", "each Card has one: write `x.used`"),
        ("gain stock coins", "declare it under `table` or `each player`, or name it here with `let`"),
        ("gain q.coins coins", "bind it first: `for q in …`, `let q = …`"),
        ("gain len(p.hand) coins", "write `count(…)`"),
        ("gain random(6) coins", "chance is `roll`, `shuffle`, `draw` from a bag and `pick … at random`"),
        ("gain p.hand.size coins", "write `count(p.hand)`"),
        ("move row_of_cards.top to p.hand", "write `top of row_of_cards`"),
        ("gain count(opponents) coins", "the others are `rivals(p)`"),
        ("gain count(rivals) coins", "the others are `rivals(p)`"),
        ("reveal p.hand to everyone", "all seats are `everybody`, those still in the game `players`"),
        ("pay 1 coins to bank", "what is paid leaves the game by itself: leave `to` out, or name a player"),
        ("gain three coins", "write the number, `3`"),
        (
            "gain sum(c.worth for c in row_of_cards) coins",
            "it has `rank`, `used`; a new field is declared below `each Card`",
        ),
        ("gain count(x in flag where x) coins", "both values are `(no, yes)`"),
        (
            "gain count(toward(Spot.spot_1, onward)) coins",
            "as a set of one or none: `line(Spot.spot_1, onward, 1)`",
        ),
        ("gain count((top of pile_of_cards)) coins", "it is one or none: name it with `let` and ask `is not none`"),
        (
            "if (every q in players has q.coins > 1 and some q in players has q.coins > 2)\n    gain 1 coins",
            "take another name, or end `every q in …` with brackets round it: it takes all that follows",
        ),
        (
            "if every q in players has q.coins > 1\n      and some q in players has q.coins > 2\n    gain 1 coins",
            "take another name, or end `every q in …` with brackets round it: it takes all that follows",
        ),
        ("gain count(p.hand[1]) coins", "only what has an order has a first and a second"),
        ("gain row_of_cards[1].rank coins", "give a default (`… otherwise 0`), or ask `is not none` first"),
        ("gain prev(p).coins coins", BEFORE),
        ("gain previous(p).coins coins", BEFORE),
        ("gain left(p).coins coins", BEFORE),
        ("gain count(neighbours(p)) coins", BEFORE),
        ("gain cell(2).number coins", "nodes are named as the map names them: `spot(2)`"),
        (
            "gain count(c in p.hand where c.name == 3) coins",
            "compare what is printed: give the rows of Card an attribute, `sort: Sort`; or ask `c in Card.…`",
        ),
        (
            "gain count(a in p.hand, b in p.hand where a < b) coins",
            "by something of theirs: `a.rank < b.rank`; each pair once: `position(a, S) < position(b, S)`",
        ),
        (
            "move top of p.hand to row_of_cards",
            "to take any one: `move 1 x in p.hand to …`; a certain one: `the x in p.hand where …`",
        ),
    ],
)
def test_what_to_do_about_a_name(line: str, help: str) -> None:
    assert advice("gain 1 coins", line) == [help]


@pytest.mark.parametrize(
    ("line", "help"),
    [
        ("gain opponent(p).coins coins", RIVAL),
        ("gain count(opponents(p)) coins", RIVAL),
        ("gain count(s in Spot where adjacent(s, spot_1)) coins", "write `b in neighbours(a)`"),
        ("gain count(s in Spot where connected(s, spot_1)) coins", WAY),
        ("gain count(s in Spot where s is empty) coins", "ask about something of it: `s.owner is none`"),
        ("gain direction(Spot.spot_1, spot_2) coins", TOWARD),
        ("gain dice[1] coins", "write `dice[1].face`"),
        ("gain count(d in dice where d == 6) coins", "what a die shows: `d.face`"),
        ("gain p.hand coins", "how many there are: `count(p.hand)`"),
        ("gain p.spot + 1 coins", STEP),
        ("p.spot = toward(p.spot, onward, 2)", "the node two steps on: `line(n, d)[2]`"),
        ("gain 1 wood", "write `stock[wood]`"),
        ("p.stock = 0", "say which, `stock[…]`; of each: a loop, `for x in Good`, with `stock[x]` in it"),
        ("p.spot = lane.spot(2)", "leave the map out: `spot(2, 3)`"),
        ("p.spot = Spot[2, 1]", "the space at a row and column: `spot(2, 3)`"),
        ("for s in lane\n    gain 1 coins", LANE),
        ("gain count(row_of_cards.height) coins", "write `count(row_of_cards)`"),
        (
            "swap p.coins with p.tips",
            "values change places with a name for the first: `let old = p.coins`, `p.coins = p.tips`, `p.tips = old`",
        ),
    ],
)
def test_what_to_do_about_a_word_of_other_games(line: str, help: str) -> None:
    assert advice("gain 1 coins", line, RICHER)[:1] == [help]


def test_a_rule_without_parameters_has_no_player() -> None:
    assert advice("  if yes\n", "  p gains 1 coins\n  if yes\n") == ["give the rule a parameter: `rest(p)`"]


def test_players_are_written_small() -> None:
    assert "write `each player`" in advice("each player", "each Player")


def test_a_place_of_an_unknown_kind_is_told_once() -> None:
    rules = ("row_of_cards: row of Card", "row_of_cards: row of Crad")
    assert advice(*rules) == ["did you mean `Card`?"]


def test_nodes_are_called_by_the_name_that_the_map_gives_them() -> None:
    hexes = "map board is rhombus 3 by 3\n  node Hex\nkind Card\n"
    found = Diagnostics()
    rules = RULES.replace("map lane is line of 3\n  node Spot\n", "")
    rules = rules.replace("kind Card\n", hexes, 1).replace("gain 1 coins", "gain cell(1, 2).row coins", 1)
    check(gather_text(rules, found=found), found)
    assert [finding.help for finding in found] == ["nodes are named as the map names them: `hex(2, 3)`"]


@pytest.mark.parametrize(
    ("line", "default"),
    [
        ("for c in row_of_cards by highest holder_mood(c)", "otherwise …"),
        ("for c in row_of_cards by highest x(c)", "otherwise 0"),
    ],
)
def test_what_may_be_none_gets_a_default_of_its_kind(line: str, default: str) -> None:
    values = "enum Mood = calm | wild\nvalue holder_mood(c: Card): Mood? = none\nvalue x(c: Card): 0..9? = none\n"
    [said] = advice(
        "effect rest\n", f'{values}effect sort_out\n  {line}\n    say "{{c}}"\nafter turn(p)\n  sort_out\neffect rest\n'
    )
    assert said is not None and default in said


@pytest.mark.parametrize(
    ("enums", "help"),
    [
        ("enum Good = wood | ore\nenum Land = Good | sand\n", "ask `is Good` first"),
        (
            "enum Good = wood | ore\nenum Land = wood | ore | sand\n",
            "values of two enums are never the same: let one contain the other, `enum Land = Good | …`",
        ),
        ("enum Good = wood | ore\nenum Land = sea | sand\n", None),
    ],
)
def test_what_to_do_about_a_value_of_another_enum(enums: str, help: str | None) -> None:
    rules = f"{enums}effect store(p, l: Land)\n  take_in(p, l)\neffect take_in(p, g: Good)\n  gain 1 coins\n"
    assert advice("effect rest\n", f"{rules}after turn(p)\n  store(p, sand)\neffect rest\n") == [help]


@pytest.mark.parametrize(
    ("lines", "help"),
    [
        ("  draw 1 from mixed to heap\n", "draw to a place for both, ask `is Card` first, and move it on"),
        ("  for l in Lid\n    if some c in mixed has c in l\n      gain 1 coins\n", "compare with it: `x == l`"),
        ("  if best > 2\n    gain 1 coins\n", "ask about all at once: `some x in … has …`"),
        (
            "  roll die\n  gain die.face coins\n",
            "say which die: `die[1].face`; of all of them, `sum(d.face for d in die)`",
        ),
        ("  let all_of = all c in heap\n  gain all_of.rank coins\n", "`sum(x.rank for x in all_of)`"),
        (
            "  pay 1 fare\n",
            "let Lid lie in a place of their own, and list it below (`… as any` if they are wild); or",
        ),
        ("  heap.append(p)\n", "pieces go from place to place: `move c to heap`"),
        ("  p.rest()\n", "what it is about stands in the brackets: `rest(p)`"),
        ("  for i in range(5)\n    gain 1 coins\n", "write `1..5`; a loop that only counts is `repeat 5 times`"),
        ("  try_out(current_player)\n", "a rule names its player, `phase turn(p)`"),
        ("  again(p)\n", "let a `repeat` with `stop` do it, or put what comes back into an effect with `depth 9`"),
    ],
)
def test_what_new_authors_try_first_is_answered_with_what_works(lines: str, help: str) -> None:
    parts = "kind Lid\n  copies 1\ntable\n  heap: pool of Card open\n  mixed: pile of Card | Lid open\n"
    if "best" in lines:
        parts += "value best: 0..9\n  for c in heap\n    result 1\n  result 0\n"
    if "die" in lines:
        parts += "table\n  die: 1 dice of 1..6\n"
    if "fare" in lines:
        parts += "each player\n  stock: pool of Card | Lid open\ncurrency fare for p\n  p.stock by rank back to box\n"
    if "again" in lines:
        parts += "phase again(p)\n  again(p)\n"
    said = advice("effect rest\n", f"{parts}effect try_out(p)\n{lines}after turn(p)\n  try_out(p)\neffect rest\n")
    assert len(said) == 1 and help in (said[0] or "")


def test_a_column_that_many_rows_lack_is_told_once() -> None:
    rows = "\n".join(f"  - {{id: card_{n}, rank: 1}}" for n in range(9))
    table = f"kind: Card\ndefault: known\nrows:\n{rows}\n"
    rules = "kind Card from cards.yaml\n  rank: 1..3\n  bad: flag\n  worth: 0..9\nplay\n  end game\n"
    found = Diagnostics()
    check(gather_text(rules, tables={"cards.yaml": table}, found=found), found)
    told = [finding for finding in found if finding.code == "R0250"]
    assert [finding.headline for finding in told] == ["`card_0` has no `bad`", "`card_0` has no `worth`"]
    assert [finding.notes for finding in told] == [("8 more rows have none, the next at cards.yaml:5:5",)] * 2
    assert told[0].help == "add `bad: …`, or give the attribute a default in the rules: `bad: flag = no`"


def test_what_lies_beside_the_board_is_told() -> None:
    """`spot(n)` may be none: which number may be too large."""
    found = Diagnostics()
    line = "for n in 1..5\n    gain spot(n).number coins"
    check(gather_text(RULES.replace("gain 1 coins", line, 1), found=found), found)
    assert [finding.notes for finding in found] == [("the number may be 1..5 here, and the board has 1..3",)]


def test_a_counter_with_an_index_says_for_what() -> None:
    found = Diagnostics()
    rules = RULES.replace("  coins: 0..9", "  coins: 0..9\n  goods[player]: 0..9").replace(
        "gain 1 coins", "gain 1 goods"
    )
    check(gather_text(rules, found=found), found)
    assert [(finding.headline, finding.help) for finding in found] == [
        ("`goods` is counted for each player", "say which: `goods[…]`")
    ]


def test_a_column_of_words_that_are_no_values_is_told_once() -> None:
    rows = "\n".join(f"  - {{id: c{n}, suit: {'red' if n % 2 else 'blue'}}}" for n in range(9))
    table = f"kind: Card\ndefault: known\nrows:\n{rows}\n"
    rules = RULES.replace(
        "kind Card\n  copies 2 for each rank: 1..3\n",
        "enum Suit = hearts | spades\nkind Card from cards.yaml\n  suit: Suit\n",
    )
    found = Diagnostics()
    check(gather_text(rules, {"cards.yaml": table}, found=found), found)
    assert [
        (finding.code, finding.headline, finding.notes, finding.help) for finding in found if finding.code == "R0256"
    ] == [
        (
            "R0256",
            "`blue` is no value of Suit",
            ("so it is in 8 more cells, the next at cards.yaml:5:20: `red`, `blue`",),
            "one of `hearts` and `spades`",
        )
    ]


def test_an_argument_that_a_cell_does_not_have_may_come_from_whoever_performs_it() -> None:
    rules = """
kind Charm from charms.yaml
  spell: effect
table
  charms: pool of Charm open
play
  for p in players, c in charms
    perform c.spell with target = c for p
effect hit(p, target: Charm)
  move target to box
"""
    found = Diagnostics()
    check(gather_text(rules, tables={"charms.yaml": "- {id: bolt, spell: hit}"}, found=found), found)
    told = {finding.code: finding.help for finding in found}
    assert told["R0260"] == (
        "`target` is Charm; if whoever performs it gives it, the column is `effect given (target: Charm)`"
    )
    assert told["R0459"] == "the column has to say so where it is declared: `effect given (target: …)`"


@pytest.mark.parametrize(
    ("state", "help"),
    [
        (
            "each Spot\n  mine: flag secret\n",
            "what each player keeps secret of it stands below `each player`: `mine[Spot]: … secret`; "
            "nobody sees what is `hidden`",
        ),
        (
            "table\n  mine: flag secret\n",
            "below `each player` it can be secret; here write `hidden` (nobody sees it) or `open`",
        ),
    ],
)
def test_a_secret_needs_somebody_who_keeps_it(state: str, help: str) -> None:
    assert help in advice("each Card\n", f"{state}each Card\n")


MARK = """after turn(p)
  for c in p.hand
    if public(c.rank == 1)
      c.used = yes
"""


def test_a_mark_on_an_unseen_card_is_kept_by_its_place() -> None:
    drawn = "to pile_of_cards\n  shuffle pile_of_cards\n  for p in players\n    draw 1 from pile_of_cards to p.hand"
    rules = RULES.replace("pile of Card open", "pile of Card hidden").replace("to row_of_cards", drawn) + MARK
    found = Diagnostics()
    check(gather_text(rules, found=found), found)
    (help,) = [str(one.help) for one in found if one.code == "R0512"]
    assert help.startswith("a field of a piece tells which piece it is; keep the mark where the piece lies")


@pytest.mark.parametrize(
    ("old", "new", "help"),
    [
        ("map lane", "enum Mood = Glad | Sad\nmap lane", "values begin with a small letter: `glad`"),
        ("effect rest", "effect grow(p, n = 3)\n  stop\neffect rest",
         "a parameter without a type is a player: write `n: 0..9 = 3`"),
    ],
)  # fmt: skip
def test_what_is_declared_as_in_other_languages_is_told_how(old: str, new: str, help: str) -> None:
    assert help in advice(old, new)


CALLS = """after turn(p)
  choose 1 c in p.hand as one "Which?"
  lay(p, one)
  let all_low = all c in p.hand where c.rank == 1
  lay(p, all_low)
effect lay(p, cards: set of Card)
  move cards to row_of_cards
"""


def test_of_several_calls_the_one_that_gives_a_secret_is_named() -> None:
    drawn = "to pile_of_cards\n  shuffle pile_of_cards\n  for p in players\n    draw 3 from pile_of_cards to p.hand"
    rules = RULES.replace("pile of Card open", "pile of Card hidden").replace("to row_of_cards", drawn) + CALLS
    found = Diagnostics()
    check(gather_text(rules, found=found), found)
    line = rules.splitlines().index("  lay(p, all_low)") + 1
    (leak,) = [one for one in found if one.code == "R0512"]
    assert f"`cards` is what the call at toy.rules:{line}:3 gives it" in leak.notes
