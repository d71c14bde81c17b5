"""Leaks planted in a small game: the checker refuses each, and if it did not, deep validation would find it.

Every leak is one line of the rules. First the game is checked as it is, and the line must be refused with its code.
Then it is checked with the findings on secrets thrown away, played, and compared with drawn worlds: the leak must be
found for a player who cannot know it, at that line, with what the two worlds differ in. What is written down where
everybody sees it (a field, a line of the log) is only the checker's to find: the drawn world keeps what was seen, and
nothing looks different in it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.check import passes
from interpreter.check.program import Program
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.runtime.game import game_from_program
from interpreter.study.deep_knowledge import Told, what_is_told
from tests.toy_games import checked

RULES = """
kind Card
  copies 1 for each rank: 1..6
table
  deck: pile of Card hidden
  fate: 1 dice of 1..6 hidden
  shown: 0..6
each player
  hand: hand of Card secret
  cup: 1 dice of 1..6 secret
  stake: 0..6 secret
  points: 0..9
setup
  move all c in Card to deck
  shuffle deck
  roll fate
  for p in players
    draw 2 from deck to p.hand
    roll p.cup
    pick n in 0..6 at random
    p.stake = n
play
  for p in players
    turn(p)
phase turn(p)
{leak}
  rest(p)
phase rest(p)
  choose n in 1..2 "Go on?"
  gain n points
{more}
"""

# the lines, in which line of them the leak is told, the code of the checker, how the finding begins
Leak = tuple[str, str, str, str]
FOUND: dict[str, Leak] = {
    "a filter on the next card": (
        '  choose c in p.hand where c.rank > ((top of deck).rank otherwise 0) "Which?" if possible\n    gain 1 points',
        "choose c",
        "R0511",
        "it is not asked at all",
    ),
    "a filter on another's die": (
        '  choose n in 1..6 where n != next(p).cup[1].face "Which?"\n  gain 1 points',
        "choose n in 1..6",
        "R0511",
        "`",
    ),
    "a filter on a hidden die": (
        '  choose n in 1..6 where n != fate[1].face "Which?"\n  gain 1 points',
        "choose n in 1..6",
        "R0511",
        "`",
    ),
    "a filter on another's field": (
        '  choose n in 0..6 where n != next(p).stake "Which?"\n  gain 1 points',
        "choose n in 0..6",
        "R0511",
        "`",
    ),
    "who has a certain card": (
        '  choose n in 1..3 where n > 1 or Card.card_6 in next(p).hand "Which?"\n  gain n points',
        "choose n in 1..3",
        "R0511",
        "`",
    ),
    "a prompt": (
        '  choose n in 1..2 "The next card is {(top of deck).rank otherwise 0}"\n  gain n points',
        "choose n in 1..2",
        "R0511",
        "its prompt is",
    ),
    "a label": (
        '  choose one "What?"\n    "Take {(top of deck).rank otherwise 0}"\n      gain 1 points\n    "Leave it"\n'
        "      gain 2 points",
        "choose one",
        "R0515",
        "the label",
    ),
    "a loss that may be refused": (
        '  choose one "What?"\n    "Rob"\n      next(p) loses 3 stake\n    "Wait"\n      gain 1 points\n    "Sleep"\n'
        "      gain 2 points",
        "choose one",
        "R0511",
        "`Rob`",
    ),
    "a title": ("  sight(p)", "phase sight", "R0515", "the title"),
}
MORE = {
    "a title": '\nphase sight(p) "the next card is {(top of deck).rank otherwise 0}"\n'
    '  choose n in 1..2 "Well?"\n  gain n points'
}
ONLY_REFUSED = {
    "a line of the log": ('  say "{next(p).cup[1].face}"', "R0515"),
    "an open field": ("  shown = next(p).stake", "R0513"),
    "a comparison of pieces": ("  if (top of deck) == Card.card_6\n    gain 1 points", "R0512"),
    "a loop over a secret": ("  for c in deck where c.rank > 3\n    gain 1 points", "R0512"),
    "a choice among unseen pieces": ('  choose c in next(p).hand "Which?"\n  gain 1 points', "R0514"),
}


GAMES = Path(__file__).parent.parent / "knowledge" / "games"
# of a tiny game: a line, what stands in its stead, the code of the checker, how the finding begins
PLANTED: dict[str, Leak] = {
    "claims": (
        '"Claim {r}" for r in Role',
        '"Claim {r}" for r in Role where some c in rival(p).hand has c.role == r',
        "R0511",
        "`Claim",
    ),
    "wild_payment": (
        'may "Build"',
        'may "Build against {count(c in rival(p).hand where c.colour == red)}"',
        "R0511",
        "the label",
    ),
    "rolled_again": (
        "choose n in rival(p).claim + 1..4",
        "choose n in rival(p).claim + 1..4 where n > count(d in rival(p).cup where d.face == 1)",
        "R0511",
        "`",
    ),
    "ship_on_grid": (
        "choose s in Spot where not p.shot[s]",
        "choose s in Spot where not p.shot[s] and rival(p).ship[s]",
        "R0511",
        "`",
    ),
    "face_down_pairs": ("where b != a", "where b != a and b.picture != a.picture", "R0511", "`"),
    "laid_traps": (
        "phase walk_on(p)",
        'phase walk_on(p) "Beware of {sum(s.trap.bite otherwise 0 for s in Space)}"',
        "R0515",
        "the title",
    ),
    "passed_roles": (
        'choose n in 1..2 "Go on?"',
        'choose n in 1..4 where n != (away.number otherwise 0) "Go on?"',
        "R0511",
        "`",
    ),
}


def text_of(leak: str, more: str = "") -> str:
    return RULES.replace("{leak}", leak).replace("{more}", more)


def unchecked(rules: str, monkeypatch: pytest.MonkeyPatch) -> Program:
    """The program of rules whose leaks nobody has noticed."""
    follow: Callable[..., None] = passes.check_visibility
    monkeypatch.setattr(passes, "check_visibility", lambda program, found: follow(program, Diagnostics()))
    return checked(rules)


def first_found(program: Program, thorough: bool = True) -> Told | None:
    for seed in range(6):
        state = game_from_program(program).new(seed=seed)
        for number in range(12):
            if state.over:
                break
            for player in range(2):
                told = what_is_told(state, number, player, thorough)
                if told is not None:
                    return told
            state.apply(0)
    return None


@pytest.mark.parametrize("thorough", [True, False])
@pytest.mark.parametrize("name", FOUND)
def test_a_planted_leak_is_found(name: str, thorough: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    leak, line, code, begins = FOUND[name]
    rules = text_of(leak, MORE.get(name, ""))
    with pytest.raises(AssertionError, match=code):
        checked(rules)
    told = first_found(unchecked(rules, monkeypatch), thorough)
    assert told is not None and told.what.startswith(begins)
    assert line in rules.split("\n")[told.place[1] - 1]
    assert told.worlds, "the finding shows how the two worlds differ"


@pytest.mark.parametrize("name", PLANTED)
def test_a_leak_planted_in_a_tiny_game_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where other games play with secrets: claims, dice, a grid, cards face down, payments."""
    line, leak, code, begins = PLANTED[name]
    rules = (GAMES / f"{name}.rules").read_text(encoding="utf-8")
    assert line in rules
    checked(rules)
    leaking = rules.replace(line, leak, 1)
    with pytest.raises(AssertionError, match=code):
        checked(leaking)
    told = first_found(unchecked(leaking, monkeypatch))
    assert told is not None and told.what.startswith(begins)
    assert told.worlds, "the finding shows how the two worlds differ"


@pytest.mark.parametrize("name", ONLY_REFUSED)
def test_what_is_written_down_openly_is_refused(name: str) -> None:
    leak, code = ONLY_REFUSED[name]
    with pytest.raises(AssertionError, match=code):
        checked(text_of(leak))


def test_without_a_leak_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = '  choose c in p.hand "Which?"\n  gain c.rank points'
    assert first_found(checked(text_of(plain.replace("gain c.rank points", "move c to deck")))) is None
