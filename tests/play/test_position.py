"""Positions set up from Python, and chance scripted at places of players."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter as rw

RULES = """
game purse "Purse" for 2 players as left, right

kind Coin
  copies 3 for each worth: 1..2

table
  turns: 0..9
  shelf: pool of Coin open

each player
  bag: bag of Coin hidden
  die: 1 dice of 1..6
  rich: 0..99

setup
  for p in players, n in 1..2
    move 1 c in Coin where c.worth == n and c in box to p.bag

play
  in turn p from left until turns == 2
    turn(p)

phase turn(p)
  turns += 1
  roll p.die
  draw up to 1 from p.bag to shelf as drawn
  choose n in 1..3 "How much?"
  p.rich += n + (drawn.worth otherwise 0) * 10
"""


@pytest.fixture
def purse(tmp_path: Path) -> rw.Game:
    (tmp_path / "purse").mkdir()
    (tmp_path / "purse" / "ruleset.yaml").write_text("name: purse\n")
    (tmp_path / "purse" / "purse.rules").write_text(RULES)
    return rw.load(str(tmp_path / "purse"), backend="python")


def test_a_position_is_a_state_of_the_game(purse: rw.Game) -> None:
    lines = "at play\nleft.rich = 7\nleft.bag holds 2 * coin_2\nright.rich = count(left.bag) + 3"
    state = purse.position(lines, seed=5)
    assert state.game is purse and state.seed == 5 and state.auto
    fields = state.view(None)["fields"]["players"]
    assert [own["rich"] for own in fields] == [7, 5]
    assert state.view(None)["places"]["table"]["shelf"] == ["Coin 2"]
    assert purse.from_json(state.to_json()).same_as(state)
    while not state.over:
        state.apply(0)
    assert state.view(None)["fields"]["players"][0]["rich"] == 28


def test_the_same_seed_gives_the_same_position(purse: rw.Game) -> None:
    one, other = (purse.position("after setup\nat play", seed=11) for _ in range(2))
    assert one == other and one.playout(1) == other.playout(1)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("at nowhere", "there is no rule `nowhere`"),
        ("left.rich = 100", "outside 0..99"),
        ("left.bag holds 4 * coin_2", "there are not so many `coin_2`"),
        ("left.bag holds 4 * cion", "cion"),
        ("left rich", ""),
        ("  ", "a position needs lines"),
    ],
)
def test_what_cannot_be_set_up_is_told(purse: rw.Game, lines: str, words: str) -> None:
    with pytest.raises((rw.RulesetError, rw.PlayError)) as told:
        purse.position(lines)
    assert words in str(told.value)


@pytest.mark.parametrize("lines", [[], None, 3, {"at": "play"}], ids=str)
def test_a_position_is_a_text(purse: rw.Game, lines: object) -> None:
    with pytest.raises(rw.WrongUse, match="a position is given as the text of its lines"):
        purse.position(lines)  # type: ignore[arg-type]


def test_chance_is_scripted_at_places_and_dice_of_players(purse: rw.Game) -> None:
    script = [
        ("roll", "left.die", [4]), ("draw", "seat1.bag", ["coin_1"]),
        ("roll", "seat2.die", [6]), ("draw", "right.bag", ["coin_2"]),
    ]  # fmt: skip
    state = purse.new(seed=1, script=script)
    state.apply(0)
    state.apply(0)
    view = state.view(None)
    assert view["dice"]["die"] == {"left": [4], "right": [6]}
    assert view["places"]["table"]["shelf"] == ["Coin 1", "Coin 2"]
    with pytest.raises(ValueError, match=r"middle\.die"):
        purse.new(script=[("roll", "middle.die", [4])])
