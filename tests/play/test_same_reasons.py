"""What is refused is refused in the same words, with the same clause, whoever asks: a program (`why_not`, `find`),
`why`, `?` at the table, and a scenario."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import interpreter as rw
from interpreter.cli.commands import rulewright
from interpreter.play.scenarios import find_scenarios, run_scenarios
from interpreter.play.why import why
from tests.play.toys import write_ruleset

RULES = """\
game stall "Stall" for 2 players as ann, bob
kind Ware "ware"
  copies 1 for each price: 1..6
table
  shelf: row of Ware open
  days: 0..9
each player
  coins: 0..9 = 2
  bag: pool of Ware open
setup
  move all w in Ware where w.price < 6 to shelf
play
  in turn p from ann until days == 6
    turn(p)
phase turn(p)
  days += 1
  choose one "What?"
    "Buy {w}" for w in shelf where w.price != 3                                @S-1
      pay w.price coins                                                        @S-2
      move w to p.bag
    "Sell all"                                                                 @S-3
      requires p.bag is not empty "there is nothing to sell"
      move all w in p.bag to shelf
    "Swap"                                                                     @S-4
      choose w in p.bag where w.price > 1
      move w to shelf
    "Trade"                                                                    @S-5
      choose w in shelf where w.price > 3
      pay w.price coins
      move w to p.bag
    "Sort"                                                                     @S-6
      choose 3 w in shelf where w.price > 3 as lot
      move lot to box
    "Pack"                                                                     @S-7
      choose 2 w in shelf where w.price < 5 as lot
      move lot to p.bag
free action beg(p) "Beg" during turn(p)                                        @S-8
  requires p.coins == 0 "you have money"
  gain 1 coins
score p
  "Wares" count(p.bag)

scenario "The same words" for 2 players
  given
    at turn(ann)
    shelf holds ware_1, ware_2, ware_3, ware_4, ware_5
    ann.coins = 2
  then
"""
BOOK = "title: Stall\nlanguage: en\nclauses:\n" + "".join(
    f"  - {{id: S-{n}, page: one, summary: one}}\n" for n in range(1, 9)
)
REFUSED = {
    "Buy ware 3": ("`w.price != 3` does not hold", "S-1"),
    "Buy ware 5": ("not enough coins: 5 needed, 2 held", "S-2"),
    "Buy ware 6": ("it is not in `shelf`", "S-1"),
    "Sell all": ("there is nothing to sell", "S-3"),
    "Swap": ("there is nothing to choose: `w in p.bag where w.price > 1`", "S-4"),
    "Trade": ("there is nothing to choose: `w in shelf where w.price > 3` that also meets `pay w.price coins`", "S-5"),
    "Sort": ("there is too little to choose: `w in shelf where w.price > 3`", "S-6"),
    "Beg": ("you have money", "S-8"),
}
IN_A_SET = "a set is picked in the order of the list, and what stands behind this is too little"


@pytest.fixture(scope="module")
def stall(tmp_path_factory: pytest.TempPathFactory) -> Path:
    claims = "".join(
        f'    ann may not choose "{label}" because "{reason}"\n    ann may not choose "{label}" because @{clause}\n'
        for label, (reason, clause) in REFUSED.items()
    )
    folder = write_ruleset(tmp_path_factory.mktemp("stall"), "stall", RULES + claims, rulebook_yaml=BOOK)
    (folder / "ruleset.yaml").write_text("format: 1\nname: stall\nrulebook: rulebook.yaml\n")
    return folder


@pytest.mark.parametrize("label", REFUSED)
def test_programs_and_why_say_the_same(stall: Path, label: str) -> None:
    game = rw.load(str(stall), 2, backend="python")
    state = game.new(seed=1)
    reason, clause = REFUSED[label]
    refusal = state.decision.why_not(label)
    assert refusal is not None and (refusal.reason, refusal.cites) == (reason, (clause,))
    with pytest.raises(rw.RefusedChoice) as refused:
        state.decision.find(label)
    assert (refused.value.reason, refused.value.cites) == (reason, (clause,))
    told = why(game, state, label, 0).told
    assert (told.text, told.cites) == (reason, (clause,))


def test_a_set_that_is_being_picked(stall: Path) -> None:
    game = rw.load(str(stall), 2, backend="python")
    state = game.new(seed=1)
    state.apply(state.decision.find("Pack"))
    refusal = state.decision.why_not("ware 4")
    assert refusal is not None and refusal.reason == IN_A_SET == why(game, state, "ware 4", 0).told.text


def test_scenarios_say_the_same(stall: Path) -> None:
    (verdict,) = run_scenarios(find_scenarios(str(stall)))
    assert verdict.failure is None


def test_at_the_table_it_is_the_same(stall: Path) -> None:
    asked = "".join(f"? {label}\n" for label in REFUSED)
    said = (
        CliRunner()
        .invoke(rulewright, ["play", str(stall), "--seed", "1"], input=f"{asked}q\n", standalone_mode=False)
        .output
    )
    for reason, clause in REFUSED.values():
        assert f"{reason} ({clause})" in said
