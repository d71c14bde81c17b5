"""The slow evaluator against figures known from elsewhere, and against small games whose options can be counted."""

from __future__ import annotations

import pytest

from interpreter.check.check import check
from interpreter.check.program import Program
from interpreter.diagnostics.diagnostic import Diagnostics, Severity
from interpreter.ruleset.gather import gather
from interpreter.runtime import chance
from tests.differential.slow_evaluator import SlowDecision, SlowGame
from tests.differential.slow_expressions import SlowFault
from tests.differential.slow_state import Generator, SlowState
from tests.toys import gather_text


def toy(rules: str, players: int = 2) -> Program:
    found = Diagnostics()
    program = check(gather_text(rules, players=players, found=found), found)
    errors = [f"{f.primary.span.at}: {f.code} {f.headline}" for f in found if f.severity is Severity.error]
    assert program is not None, errors
    return program


def labels(decision: SlowDecision | None) -> list[str]:
    assert decision is not None
    return [option.label() if option.label is not None else option.kind for option in decision.options]


def play_first(game: SlowGame, decision: SlowDecision | None, limit: int = 500) -> int:
    """First options to the end; how many decisions that took."""
    for count in range(limit):
        if decision is None:
            return count
        decision = game.choose(0)
    raise AssertionError("too long")


def leaves(program: Program, depth: int, moves: tuple[int, ...] = ()) -> int:
    """Sequences of choices of a length, each from the beginning of the game."""
    game = SlowGame(program, auto=False)
    decision = game.start(0)
    for move in moves:
        decision = game.choose(move)
    if decision is None:
        return 0
    if len(moves) == depth - 1:
        return len(decision.options)
    return sum(leaves(program, depth, (*moves, move)) for move in range(len(decision.options)))


def test_the_generator_is_the_one_of_compiled_games() -> None:
    slow, compiled = SlowState(Generator.seeded(42), {}, {}), chance.Generator(42)
    assert [slow.below(bound) for bound in range(1, 200)] == [compiled.below(bound) for bound in range(1, 200)]


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("tic_tac_toe", (9, 72, 504)),
        ("connect_four", (7, 49, 343)),
        ("kalah", (6, 35, 185)),
        ("breakthrough", (22,)),
    ],
)
def test_counts_of_the_classics(name: str, counts: tuple[int, ...]) -> None:
    found = Diagnostics()
    gathered = gather(name, 2, found)
    assert gathered is not None
    program = check(gathered, found)
    assert program is not None
    assert tuple(leaves(program, depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pikit_plays_to_its_end(players: int) -> None:
    found = Diagnostics()
    gathered = gather("pikit", players, found)
    assert gathered is not None
    program = check(gathered, found)
    assert program is not None
    game = SlowGame(program)
    play_first(game, game.start(3))
    assert game.state.over and len(game.scores()) == players
    again = SlowGame(program)
    play_first(again, again.start(3))
    assert again.snapshot() == game.snapshot() and again.history == game.history


def test_an_option_is_offered_only_if_it_can_be_carried_through() -> None:
    game = SlowGame(
        toy(
            """
each player
  coins: 0..9
play
  turn(seat1)
phase turn(p)
  gain 3 coins
  choose n in 1..5 "How many?"
  pay n coins
  choose m in 1..5 where m < n "And then?"
  pay m coins
"""
        ),
        auto=False,
    )
    first = game.start(0)
    assert first is not None and [option.values for option in first.options] == [(2,)]
    second = game.choose(0)
    assert second is not None and [option.values for option in second.options] == [(1,)]
    assert game.choose(0) is None


def test_sets_are_chosen_pick_by_pick_and_equal_copies_are_one() -> None:
    game = SlowGame(
        toy(
            """
kind Card
  copies 2 for each rank: 1..3
each player
  hand: hand of Card open
play
  for p in players
    move all c in Card where c in box to p.hand
  turn(seat1)
phase turn(p)
  choose 2 c in p.hand as pair such that sum(x.rank for x in pair) == 4 "Two that make four"
  move pair to box
"""
        )
    )
    first = game.start(0)
    assert first is not None and len(first.options) == 2  # a 1 (then a 3), a 2 (then the other 2)
    assert game.choose(1) is None
    assert len(game.in_box()) == 2


def test_payments_are_asked_for_only_where_there_are_several_ways() -> None:
    program = toy(
        """
enum Colour = red | blue | green
kind Fruit
  copies 1 for each colour: Colour
kind Marker
  copies 1 for each number: 1..1
table
  sack: pool of Fruit | Marker open
each player
  fruits: pool of Fruit open
  markers: pool of Marker open
currency fruit for p
  p.fruits by colour back to sack
  p.markers as any back to sack
play
  move all f in Fruit where f.colour != green to seat1.fruits
  move all m in Marker to seat1.markers
  turn(seat1)
phase turn(p)
  pay 2 fruit all different
"""
    )
    game = SlowGame(program)
    first = game.start(0)
    assert first is not None and [o.values for o in first.options] == [(0, 0), (0, 1)]
    second = game.choose(0)  # red, then blue or the marker
    assert second is not None and [o.values for o in second.options] == [(0, 1), (1, -1)]
    assert game.choose(1) is None
    assert len(game.ev_Box(None, None)) == 1  # type: ignore[arg-type]


def test_free_actions_stand_last_and_the_decision_is_asked_again() -> None:
    game = SlowGame(
        toy(
            """
each player
  coins: 0..9 = 2
  goods: 0..9
play
  turn(seat1)
phase turn(p)
  choose one "What?"
    "Buy" if p.coins > 2
      gain 1 goods
    "Wait"
free action earn(p) "Earn" during turn(p)
  requires p.coins < 4
  gain 1 coins
"""
        )
    )
    assert labels(game.start(0)) == ["Wait", "Earn"]
    assert labels(game.choose(1)) == ["Buy", "Wait", "Earn"]
    assert labels(game.choose(2)) == ["Buy", "Wait"]
    assert game.choose(0) is None


def test_hooks_are_woven_round_their_rule() -> None:
    game = SlowGame(
        toy(
            """
each player
  coins: 0..99
  alarms: 0..9
play
  earn(seat1, 1)
  earn(seat1, 5)
  earn(seat2, 2)
effect earn(p, n: 0..9)
  gain worth(n) coins
value worth(n: 0..9): 0..50 = n
before earn(p, n) when p == seat2
  prevent
after earn(p, n)
  gain n coins
instead of earn(p, n) when n > 3
  previous(p, n - 1)
  previous
instead of worth(n)
  result previous + 1
after p.coins rises when was < 10 and p.coins >= 10
  gain 1 alarms
"""
        )
    )
    assert game.start(0) is None
    coins = {key[1]: value for key, value in game.state.fields.items() if game.program.fields[key[0]].name == "coins"}
    # 2 + 1, then worth(4) + worth(5) + 5
    assert coins == {0: 3 + 5 + 6 + 5, 1: 0}
    assert [v for k, v in game.state.fields.items() if game.program.fields[k[0]].name == "alarms"] == [1, 0]


@pytest.mark.parametrize(
    ("ending", "order"),
    [
        ("", [0, 1]),
        ("finishing the round", [0, 1, 2]),
        ("then each once more", [0, 1, 2, 0, 1]),
    ],
)
def test_last_rounds(ending: str, order: list[int]) -> None:
    game = SlowGame(
        toy(
            f"""
table
  turns: 0..99
play
  in turn p from seat1 until turns >= 2 {ending}
    turns += 1
    choose n in 1..2 "Which?"
""",
            players=3,
        )
    )
    decision, seats = game.start(0), []
    while decision is not None:
        seats.append(decision.player)
        decision = game.choose(0)
    assert seats == order


def test_instances_that_run_are_not_performed_again() -> None:
    found = Diagnostics()
    rules = """
kind Card from cards.yaml
  act: effect
each player
  coins: 0..99
table
  row_of_cards: row of Card open
setup
  move all c in Card to row_of_cards
play
  turn(seat1)
phase turn(p)
  again(p)
effect again(p) "Again"
  choose c in row_of_cards "Which card?"
  perform c.act for p
effect coin(p, n: 1..3) "Coins"
  gain n coins
"""
    table = (
        "rows:\n  - {id: a, act: again}\n  - {id: b, act: again}\n"
        "  - id: c\n    act: coin(2)\n  - id: d\n    act: coin(1), coin(3)\n"
    )
    program = check(gather_text(rules, {"cards.yaml": table}, 2, found), found)
    assert program is not None, [f.headline for f in found]
    game = SlowGame(program)
    assert labels(game.start(0)) == ["a", "b", "c", "d"]
    assert labels(game.choose(0)) == ["b", "c", "d"]
    assert labels(game.choose(0)) == ["c", "d"]
    assert game.choose(1) is None
    assert [v for k, v in game.state.fields.items()] == [4, 0]


def test_a_walk_reaches_what_is_added_further_on() -> None:
    game = SlowGame(
        toy(
            """
kind Card
  copies 1 for each rank: 1..4
table
  river: row of Card open
  seen: 0..9
play
  move all c in Card where c.rank < 4 to river
  walk c in river
    seen += 1
    if c.rank == 1
      move c to box
    if c.rank == 3
      move all d in Card where d.rank == 4 to river
"""
        )
    )
    assert game.start(0) is None
    assert list(game.state.fields.values()) == [4]


def test_a_mandatory_choice_with_nothing_to_choose_is_a_dead_end() -> None:
    rules = "play\n  turn(seat1)\nphase turn(p)\n  choose n in 1..3 where n > count(players) + 1\n"
    game = SlowGame(toy(rules))
    with pytest.raises(SlowFault, match="dead end"):
        game.start(0)


def test_order_is_asked_for_while_two_remain() -> None:
    game = SlowGame(
        toy(
            """
table
  sum_of_all: 0..99
play
  turn(seat1)
phase turn(p)
  for n in 1..3 ordered by p
    sum_of_all = sum_of_all * 2 + n
  in any order by p
    "Add"
      sum_of_all += 1
    "Double"
      sum_of_all = sum_of_all * 2
"""
        )
    )
    first = game.start(0)
    assert first is not None and [o.values for o in first.options] == [(1,), (2,), (3,)]
    second = game.choose(2)
    assert second is not None and [o.values for o in second.options] == [(1,), (2,)]
    assert labels(game.choose(0)) == ["Add", "Double"]
    assert game.choose(0) is None
    assert list(game.state.fields.values()) == [((((3 * 2) + 1) * 2 + 2) + 1) * 2]
