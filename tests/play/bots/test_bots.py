"""Every bot in every sort of game: it chooses what is offered, from what its player may know, by its seed alone."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.play.bots.named import bot_names
from interpreter.play.bots.observed import observer
from interpreter.play.match import bot_match
from interpreter.runtime.chance import Generator
from interpreter.runtime.game import Game, game_from_program
from tests.toy_games import checked, toy_game

BOTS = ["first", "random", "greedy", "greedy:1", "flat:12", "mcts:12", "mcts:12+cut:20"]


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize(
    "toy", ["decisions:102", "decisions:263", "payments:50", "secrets:1", "secrets:53", "free_actions:62", "turns:24"]
)
def test_every_bot_plays_every_sort_of_decision(name: str, toy: str) -> None:
    match = bot_match(toy_game(toy), [name] * toy_game(toy).players, seed=3)
    again = bot_match(toy_game(toy), [name] * toy_game(toy).players, seed=3)
    assert match.run() == again.run()
    assert match.state.over and match.state.history == again.state.history


@pytest.mark.parametrize("name", BOTS)
def test_a_choice_is_one_of_the_options_and_fixed_by_the_seed(name: str) -> None:
    state = rw.load("kuhn_poker").new(seed=2)
    bot = rw.bot(name)
    chosen = [bot.choose(state, seed) for seed in range(3)]
    assert all(option in state.decision.options for option in chosen)
    assert chosen == [rw.bot(name).choose(state, seed) for seed in range(3)]
    assert state.history == ()


# ---------------------------------------------------------------------------- what cannot be known does not count


def two_decks(name: str, players: int, place: str, pieces: list[str], choices: int) -> list[rw.State]:
    """The same game twice, with the last cards of a pile, which nobody has seen, in another order."""
    turned = [*pieces[:-6], *reversed(pieces[-6:])]
    found = []
    for order in (pieces, turned):
        state = rw.load(name, players).new(seed=4, script=[("shuffle", place, order)])
        generator = Generator(9)
        for _ in range(choices):
            state.apply(generator.below(len(state.decision.options)))
        found.append(state)
    return found


@pytest.mark.parametrize("name", [*BOTS, "mcts:60"])
def test_two_deals_that_a_seat_cannot_tell_apart_give_the_same_choice(name: str) -> None:
    deals = (["card_queen", "card_jack", "card_king"], ["card_queen", "card_king", "card_jack"])
    states = [rw.load("kuhn_poker").new(script=[("shuffle", "deck", deal)]) for deal in deals]
    assert states[0].information(0) == states[1].information(0)
    for seed in range(8):
        assert rw.bot(name).choose(states[0], seed) == rw.bot(name).choose(states[1], seed)


SECRET = """
kind Card from cards.yaml
  power: 1..6
table
  deck: pile of Card hidden
  heap: pile of Card open
each player
  hand: hand of Card secret
  points: 0..60
setup
  move all c in box to deck
  shuffle deck
  for p in players
    draw 2 from deck to p.hand
play
  in turn p from seat1 until deck is empty
    turn(p)
phase turn(p)
  choose c in p.hand "Which card?"
  p gains c.power points
  move c to heap
  draw 1 from deck to p.hand
score p
  "Points"  p.points
"""
CARDS = {"cards.yaml": "".join(f"- {{id: c{n}, power: {n}, copies: 2}}\n" for n in range(1, 7))}


def secret_game() -> Game:
    return game_from_program(checked(SECRET, 2, CARDS))


@pytest.mark.parametrize("name", BOTS)
def test_what_lies_in_the_deck_and_in_other_hands_does_not_count(name: str) -> None:
    game = secret_game()
    orders = (
        ["c1", "c2", "c3", "c4", "c5", "c6", "c1", "c2", "c3", "c4", "c5", "c6"],
        ["c1", "c2", "c6", "c5", "c4", "c3", "c6", "c2", "c5", "c4", "c3", "c1"],
    )
    states = [game.new(script=[("shuffle", "deck", order)]) for order in orders]
    assert states[0].information(0) == states[1].information(0) and states[0] != states[1]
    for seed in range(4):
        assert int(rw.bot(name).choose(states[0], seed)) == int(rw.bot(name).choose(states[1], seed))


# ---------------------------------------------------------------------------- greedy


def greedy_choice(rules: str, players: int = 2, tables: dict[str, str] | None = None, seed: int = 0) -> str:
    return str(rw.bot("greedy").choose(game_from_program(checked(rules, players, tables)).new(seed=1), seed))


TAKING = """
each player
  points: 0..20
  coins: 0..20
play
  take(seat1)
  take(seat2)
phase take(p)
  choose n in 1..3 "How many?"
  p gains n points
{rank}
"""


@pytest.mark.parametrize(
    ("rank", "best"),
    [
        ('score p\n  "Points"  p.points', "3"),
        ("rank p by highest p.points", "3"),
        ("rank p by lowest p.points", "1"),
        ("rank p by highest p.coins, then lowest p.points", "1"),
    ],
)
def test_greedy_goes_by_the_ranking_of_the_game(rank: str, best: str) -> None:
    assert greedy_choice(TAKING.format(rank=rank)) == best


def test_greedy_takes_from_the_leader_among_several_players() -> None:
    rules = """
each player
  points: 0..20 = 5
setup
  seat3.points = 9
play
  rob(seat1)
  rob(seat2)
phase rob(p)
  choose q in players where q != p "Whom do you rob?"
  q.points -= 3
score p
  "Points"  p.points
"""
    assert greedy_choice(rules, 3) == "seat3"


def test_greedy_wins_at_once_and_averages_dice() -> None:
    rules = """
table
  dice: 1 dice of 1..6
each player
  points: 0..99
play
  bet(seat1)
  bet(seat2)
phase bet(p)
  choose one "Which?"
    "Four for sure"
      p gains 4 points
    "Ten on a six"
      roll dice
      if dice[1].face == 6
        p gains 10 points
score p
  "Points"  p.points
"""
    assert [greedy_choice(rules, seed=seed) for seed in range(6)].count("Four for sure") >= 5


# ---------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("name", "message", "advice"),
    [
        ("mtcs:50", "there is no bot `mtcs:50`", "did you mean `mcts`?"),
        ("zebra", "there is no bot `zebra`", "mcts:N"),
        ("mcts", "how many games?", "mcts:200"),
        ("mcts:x", "`x` is no number of games", "N from 1 to 1,000,000,000"),
        ("mcts:0", "`0` is no number of games", "N from 1 to 1,000,000,000"),
        ("mcts:1e9", "`1e9` is no number of games", "N from 1 to 1,000,000,000"),
        ("mcts:1000000001", "is no number of games", "N from 1 to 1,000,000,000"),
        ("mcts:" + "9" * 5000, "is no number of games", "N from 1 to 1,000,000,000"),
        ("mcts:\uff15\uff10", "is no number of games", "N from 1 to 1,000,000,000"),
        ("greedy:0", "`0` is no number of worlds", "greedy:N"),
        ("mcts:0ms", "`0ms` is no time to think", "more than 0"),
        ("mcts:100000s", "`100000s` is no time to think", "a day"),
        ("process:0s:my_bot", "`0s` is no time to think", "more than 0"),
        ("mcts:50+", "says nothing behind its `+`", "+cut:N"),
        ("mcts:50+cut:0", "`0` is no number of segments of rules", "mcts:50+cut:N"),
        ("mcts:50+cut", "how many segments of rules?", "mcts:50+cut:200"),
        ("cfr", "how many games?", "cfr:200"),
        ("cfr:-3", "`-3` is no number of games", "N from 1 to 1,000,000,000"),
        ("mcts:9+deep:3", "knows no `deep`", "+cut:N"),
        ("flat", "how many games?", "flat:200"),
        ("random:3", "takes nothing behind a colon", "random:3"),
        ("policy:", "names no file", "rulewright train"),
        ("policy:nowhere.json", "cannot be read", "rulewright train"),
        ("process:", "names no command", "my_bot.py"),
        ("python:my_bots", "names no class", "MODULE:CLASS"),
        ("python:no_such_module:Bot", "cannot be imported", "in this folder"),
        ("python:json:Bot", "has no class `Bot`", "asks for it"),
    ],
)
def test_a_bot_that_cannot_be_is_told(name: str, message: str, advice: str) -> None:
    with pytest.raises(rw.PlayError) as refused:
        rw.bot(name)
    assert message in str(refused.value) and advice in str(refused.value.help)


def test_names_are_separated_by_commas_outside_quotes() -> None:
    assert bot_names("random, mcts:50,process:sh -c 'a,b'") == ["random", "mcts:50", "process:sh -c 'a,b'"]


def test_all_bots_are_listed() -> None:
    assert list(rw.bots) == ["first", "random", "greedy", "flat", "mcts", "cfr", "policy", "python", "process"]
    assert "mcts:N" in repr(rw.bots) and rw.bots["flat"].about
    assert repr(rw.bot("mcts:5")) == "<bot mcts:5>"


def test_a_finished_game_has_nothing_to_choose() -> None:
    with pytest.raises(rw.PlayError, match="the game is over"):
        rw.bot("mcts:5").choose(rw.load("nim").playout(1), 0)


def test_a_time_limit_is_kept_roughly() -> None:
    state = rw.load("connect_four").new()
    assert rw.bot("mcts:20ms").choose(state, 1) in state.decision.options


@pytest.mark.parametrize(("name", "players"), [("kuhn_poker", 2), ("pikit", 3), ("kikai", 2), ("flatiron", 2)])
def test_keys_of_the_tree_hold_nothing_that_a_seat_cannot_know(name: str, players: int) -> None:
    """Worlds drawn for a player differ in what that player cannot know, and in nothing else."""
    state = rw.load(name, players).new(seed=3)
    for number in range(1 if name == "kuhn_poker" else 12):
        state.apply(rw.bot("random").choose(state, number))
    for player in range(players):
        look = observer(state, player)
        worlds = [state.determinize(player, seed) for seed in range(3)]
        assert len({look(world) for world in worlds}) == 1
        assert look(worlds[0]) == look(state)
