"""What scenarios can say about setting up, about what happened and about refusals: what passes, and how each fails.

All scenarios share one toy, so it is compiled once.
"""

from __future__ import annotations

from pathlib import Path

import interpreter as rw
from interpreter.play.scenarios import find_scenarios, run_scenarios, scenario_findings
from tests.play.toys import write_ruleset

SHED = """\
game shed "Shed" for 2 players as ann, bob

enum Side = left_side | right_side

kind Tool
  copies 3 for each weight: 1..2
kind Hook
  copies 1

table
  shelf: slots(4) of Tool open
  walls: slots by Side of Tool open
  pile: pile of Tool hidden
  die: 1 dice of 1..6
  boss: player = ann

each player
  bag: hand of Tool secret
  coins: 0..9

each Tool
  worn: 0..3

setup
  ann chooses q in players "Who is the boss?"
  boss = q
  move all t in Tool to pile
  shuffle pile
  draw 1 from pile to boss.bag

play
  in turn p from boss
    turn(p)

event sighed(p)

phase turn(p)
  choose one "What now?"
    fetch(p)
    "Hang up {t}" for t in p.bag
      hang(p, t)
      pause "On the wall"
    "Rest"
      rest(p)
      end game "Night"

action fetch(p) "Fetch"
  requires pile is not empty "the pile is empty"                               @S-1
  pay 2 coins                                                                  @S-2
  draw 1 from pile to p.bag

effect hang(p, t: Tool)
  sighed(p)
  if walls[left_side] is empty
    move t to walls[left_side]
    say "{t} hangs on the left"
  else
    move t to p.bag
  say "psst, {t}" to p

effect rest(p)
  sighed(p)
  sighed(next(p))
"""

RIGHT = """\
  given
    at turn(ann)
    for p in players, n in 1..1 where p != ann
      p.coins = n + 3
      p.bag holds tool_1
    for t in Tool where t.weight == 2
      t.worn = 2
    shelf holds tool_2 at 4, tool_1 at 2
    walls holds tool_2 at right_side
    ann.bag holds tool_1
    pile holds all t in Tool where t in box
  then at this moment
    shelf holds tool_1 at 2, tool_2 at 4
    shelf[4] holds tool_2
    walls[left_side] holds nothing
    bob.coins == 4
    ann.coins == 0
    pile holds tool_2
    pile holds all t in Tool.tool_2 where t in pile
    every t in Tool.tool_2 has t.worn == 2
    walls[right_side] in Tool.tool_2
    fetch(ann) is refused
    fetch(ann) is refused because @S-2
    ann may not choose "Fetch" because "not enough coins"
    ann may not choose "Fetch" because @S-2
  when
    ann chooses "Hang up"
  then
    hang(ann, tool_1) happened, then sighed(ann)
    sighed happened
    sighed(bob) did not happen
    rest did not happen
    ann reads "ann: Hang up Tool 1", then "Tool 1 hangs on the left", then "psst, Tool 1"
    bob does not read "psst"
---
  given
    at setup, then turn(bob)
  when
    chance shuffle pile: tool_2
  then at this moment
    ann may choose exactly ann, bob
    pile holds nothing
  when
    ann chooses bob
  then
    bob.bag holds tool_2
    bob may choose "Hang up Tool 2"
    hang did not happen
---
  given
    at turn(ann)
    ann.bag holds 2 * tool_1
  when
    ann chooses "Hang up"
  then
    hang happened
  when
    ann plays on
  then
    hang did not happen
---
  given
    at turn(ann)
    for n in 1..3, p in players where n == 2
      p.coins = n
  when
    ann chooses "Rest"
  then
    the game is over
    sighed(ann) happened, then sighed(bob)
    every p in players has p.coins == 2
"""

G = "  given\n    at turn(ann)\n    ann.bag holds tool_1\n"
# The lines behind G, and what the failure says: its message, what was expected, what was found.
WRONG = {
    '  when\n    ann chooses "Rest"\n  then\n    sighed(bob) happened, then sighed(ann)\n': (
        "`sighed(ann)` has not happened after `sighed(bob)`", "sighed(ann), then sighed(bob)"
    ),
    '  when\n    ann chooses "Rest"\n  then\n    hang happened\n': (
        "`hang` has not happened", "sighed(ann), then sighed(bob)"
    ),
    '  when\n    ann chooses "Rest"\n  then\n    sighed(bob) did not happen\n': (
        "`sighed(bob)` has happened", "sighed(ann), then sighed(bob)"
    ),
    '  when\n    ann chooses "Hang up"\n  then\n    bob reads "psst"\n': (
        "bob does not read “psst”", "ann: Hang up Tool 1 / Tool 1 hangs on the left"
    ),
    '  when\n    ann chooses "Hang up"\n  then\n    ann does not read "psst"\n': (
        "ann reads “psst”", "ann: Hang up Tool 1 / Tool 1 hangs on the left / psst, Tool 1"
    ),
    '  when\n    ann chooses "Hang up"\n  then\n    ann reads "psst", then "Tool 1 hangs"\n': (
        "“Tool 1 hangs” comes earlier in the log", "ann: Hang up Tool 1 / Tool 1 hangs on the left / psst, Tool 1"
    ),
    '  then\n    fetch(ann) is refused because "too dark"\n': (
        "`fetch(ann)` is refused for another reason", "the pile is empty (S-1)"
    ),
    "  then\n    rest(ann) is refused\n": ("`rest(ann)` can be carried through", "none"),
    '  then\n    ann may not choose "Fetch" because @S-2\n': (
        "\"Fetch\" is refused for another reason", "the pile is empty (S-1)"
    ),
    "    shelf holds tool_2 at 3\n  then\n    shelf holds tool_2 at 1\n": (
        "`shelf` holds something else", "tool_2 at 3"
    ),
    "    walls holds tool_2 at left_side\n  then\n    walls holds tool_2 at right_side\n": (
        "`walls` holds something else", "tool_2 at left_side"
    ),
    "    pile holds all t in Tool\n  then\n    the game goes on\n": (
        "a `tool_1` of this set is laid elsewhere by another line", "say `… in box` in its `where`"
    ),
    "    shelf holds tool_2 at 3, tool_2 at 3\n  then\n    the game goes on\n": ("the slot `3` is named twice", ""),
    '  when\n    ann chooses "Hang up"\n  then at this moment\n    the game is over\n': (
        "the game goes on", "the game goes on"
    ),
}  # fmt: skip

# Lines behind G that are findings before anything runs.
NEVER = {
    "    for p in players\n      at turn(p)\n": "this is said once, not in a loop",
    "    for p in plyers\n      p.coins = 1\n": "there is nothing named `plyers` here",
    "    for p in players\n      q.coins = 1\n": "there is nothing named `q` here",
    "    for ann in players\n      bob.coins = 1\n": "`ann` hides the seat `ann`",
    "    bob.bag holds tool_1 at 3\n": "`bob.bag` has no slots to name",
    "    shelf holds tool_1 at 3, tool_2\n": "either every piece has its slot here, or none has",
    "    shelf holds 2 * tool_1 at 3\n": "a slot holds one piece",
    "    shelf holds all h in Hook\n": "this is a set of Hook, not a set of Tool",
    "  when\n    chance shuffle pile: all t in Tool\n": "what chance brings is named, one by one",
    "  then\n    hangs(ann) happened\n": "there is no rule `hangs` that could happen",
    "  then\n    hang(ann) happened\n": "`hang` takes 2 arguments, not 1",
    "  then\n    hand(ann) is refused\n": "there is no rule `hand` that could be refused",
    "  then\n    shelf[1] == tool_1\n": "`tool_1` names 3 pieces, and none of them alone",
}


def _ruleset(tmp_path: Path, scenarios: list[str]) -> str:
    written = [f'scenario "{number}"\n{one}' for number, one in enumerate(scenarios)]
    files = {"scenarios__some_rules": "\n".join(["part of shed\n", *written])}
    return str(write_ruleset(tmp_path, "shed", SHED, **files))


def test_what_passes(tmp_path: Path) -> None:
    found = find_scenarios(_ruleset(tmp_path, RIGHT.split("---\n")))
    assert [verdict.failure for verdict in run_scenarios(found)] == [None] * 4


def test_how_each_fails(tmp_path: Path) -> None:
    verdicts = list(run_scenarios(find_scenarios(_ruleset(tmp_path, [G + lines for lines in WRONG]))))
    told = [(v.failure.message, v.failure.found) if v.failure else None for v in verdicts]
    assert told == list(WRONG.values())


def test_what_can_never_be(tmp_path: Path) -> None:
    end = "  then\n    the game goes on\n"
    scenarios = [G + lines + ("" if "then" in lines else end) for lines in NEVER]
    for found, headline in zip(find_scenarios(_ruleset(tmp_path, scenarios)), NEVER.values(), strict=True):
        findings = scenario_findings([found])
        assert [one.headline for one in findings] == [headline]


def test_a_position_from_python_has_loops_and_sets(tmp_path: Path) -> None:
    given = "for p in players\n  p.coins = 4\nat turn(bob)\nbob.bag holds all t in Tool.tool_2"
    state = rw.load(_ruleset(tmp_path, [])).position(given)
    assert [place["coins"] for place in state.view(None)["fields"]["players"]] == [4, 4]
    assert "Hang up Tool 2" in map(str, state.decision.options)


LAMPS = """\
game lamps "Lamps" for 1 player
kind Lamp
  copies 1 for each number: 1..2
table
  hook: slot of Lamp open
  stack: pile of Lamp open
each Lamp
  lit: flag
play
  repeat 2 times
    turn(seat1)
phase turn(p)
  choose one "Light it?"
    "Light" if hook is not empty
      hook.lit = yes
    "Leave it"
scenario "Lit"
  given
    at turn(seat1)
    hook holds lamp_1
    stack holds lamp_2
  when
    seat1 chooses "Light"
  then
    hook.lit
    stack holds lamp_2 on top
scenario "Not lit"
  given
    at turn(seat1)
    hook holds lamp_1
  then
    hook.lit
scenario "No lamp"
  given
    at turn(seat1)
    stack holds lamp_1, lamp_2
  then
    not hook.lit
    stack holds lamp_2, lamp_1
    stack holds lamp_1, lamp_2 on top
scenario "Upside down"
  given
    at turn(seat1)
    stack holds lamp_1, lamp_2
  then
    stack holds lamp_2, lamp_1 on top
"""


def test_a_flag_of_a_slot_is_a_condition_and_who_is_asked_is_told(tmp_path: Path) -> None:
    """An empty slot has no lit lamp, as behind an `if` of the rules. The order of a pile counts with `on top` alone."""
    verdicts = list(run_scenarios(find_scenarios(str(write_ruleset(tmp_path, "lamps", LAMPS)))))
    told = [(v.failure.message, v.failure.asked) if v.failure else None for v in verdicts]
    waiting = "for seat1: Light it? (2 options)"
    assert told == [None, ("`hook.lit` does not hold", waiting), None, ("`stack` holds something else", "")]
