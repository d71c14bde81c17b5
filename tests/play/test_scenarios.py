"""Scenarios: what passes, and each way of failing with what it tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.cli.commands import exit_code_of
from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.play.scenarios import find_scenarios, run_scenarios, scenario_findings
from interpreter.play.verdicts import KINDS, Failure, Verdict
from tests.play.toys import CARDS, DUEL, PLAIN_EFFECTS, RULEBOOK, write_ruleset

GIVEN = """\
  given
    at turn(red)
    red.hand holds low, high
    blue.hand holds low
    deck holds mid
"""


def _run(tmp_path: Path, scenario: str, given: str = GIVEN) -> Verdict:
    text = f'part of duel\n\nscenario "One" for 2 players @D-01\n{given}{scenario}'
    files = {"cards_yaml": CARDS, "rulebook_yaml": RULEBOOK, "scenarios__one_rules": text}
    (found,) = find_scenarios(str(write_ruleset(tmp_path, "duel", DUEL + PLAIN_EFFECTS, **files)))
    (verdict,) = run_scenarios([found])
    return verdict


def _failure(tmp_path: Path, scenario: str, given: str = GIVEN) -> Failure:
    verdict = _run(tmp_path, scenario, given)
    assert verdict.failure is not None
    assert verdict.failure.kind in KINDS
    return verdict.failure


def test_choices_chance_places_and_scores(tmp_path: Path) -> None:
    verdict = _run(
        tmp_path,
        """\
  when
    chance roll dice: 1, 6
  then
    dice[1].face == 1
    dice[2].face == 6
    red may choose "Draw a card", "Rest"
    red may choose exactly "Draw a card", "Play Low card", "Play High card", "Rest"
    red may not choose "Buy victory" because @D-04
    red sees low, high in red.hand
    blue sees nothing in red.hand
    the game goes on
  when
    red chooses "Play High card"
  then
    heap holds high
    red.hand holds low
    blue sees nothing in red.hand
    red.coins == 9
    red scores 9
    red scores 9 for "Coins"
""",
    )
    assert verdict.failure is None
    assert verdict.found.clauses == ("D-01",)


def test_values_choose_too_and_plays_on_takes_first_options(tmp_path: Path) -> None:
    given = """\
  given
    at play
    red.coins = 5
    red.hand holds low
    deck holds low, high, mid
"""
    verdict = _run(
        tmp_path,
        """\
  when
    red chooses low
    blue plays on
  then
    heap holds low
    blue.hand holds low
    deck holds high on top
  when
    red chooses "Buy victory"
  then
    the game is over
    red wins "Bought"
""",
        given,
    )
    assert verdict.failure is None


def test_after_setup(tmp_path: Path) -> None:
    verdict = _run(
        tmp_path,
        """\
  then
    count(red.hand) == 1
    count(blue.hand) == 1
    red.coins == 3
    red may choose "Rest"
""",
        """\
  given
    after setup
    blue.hand holds mid
    red.coins = 3
""",
    )
    assert verdict.failure is None


@pytest.mark.parametrize(
    ("lines", "kind", "message", "expected", "found"),
    [
        ('red chooses "Dance"', "unknown", "nothing here is called `Dance`", "“Dance”", "“Draw a card”"),
        ('red chooses "Buy victory"', "refused", "not enough coins: 5 needed, 0 held", "“Buy victory”", "“Rest”"),
        ('red chooses "Play"', "ambiguous", "fits 2 options", "“Play”", "“Play High card”"),
        ("red chooses mid", "unknown", "no option here is mid", "mid", "“Rest”"),
        ('blue chooses "Rest"', "turn", "red is to decide, not blue", "a decision of blue", "“Draw a card”"),
        ("blue plays on", "turn", "red is to decide, not blue", "", ""),
        ("red passes", "unknown", "red cannot pass here", "passing", "“Rest”"),
    ],
)
def test_choices_that_cannot_be_made(
    lines: str, kind: str, message: str, expected: str, found: str, tmp_path: Path
) -> None:
    failure = _failure(tmp_path, f"  when\n    {lines}\n  then\n    the game goes on\n")
    assert failure.kind == kind
    assert message in failure.message
    assert expected in failure.expected
    assert found in failure.found
    assert failure.span.text == lines
    assert failure.span.line == 10


@pytest.mark.parametrize(
    ("line", "message", "expected", "found"),
    [
        ("red.coins == 4", "`red.coins == 4` does not hold", "red.coins == 4", "red.coins is 0"),
        ("heap holds low", "`heap` holds something else", "low", "nothing"),
        ("red.hand holds 2 * low", "`red.hand` holds something else", "2 * low", "low, high"),
        ("blue sees high in red.hand", "blue sees something else in `red.hand`", "high", "nothing"),
        ("red sees nothing in red.hand", "red sees something else", "nothing", "low, high"),
        ("blue sees nothing in red.coins", "blue sees `red.coins`", "nothing", "0"),
        ('red may choose "Dance"', "nothing here is called `Dance`", "“Dance”", "“Rest”"),
        ('red may choose exactly "Rest"', "more is offered", 'exactly "Rest"', "“Draw a card”"),
        ('red may not choose "Rest"', '"Rest" is offered', 'no "Rest"', "among the options"),
        ('red may not choose "Draw"', '"Draw" is offered', 'no "Draw"', "among the options"),
        ('red may not choose "Buy victry"', "nothing in this game is called", "no ", "no such label"),
        ('red may not choose "Buy victory" because @D-05', "for another reason", "because of D-05", "(D-04)"),
        ('red may not choose "Dance" because @D-05', "nothing here is called", "a refusal", "no such choice"),
        ('blue may choose "Rest"', "red is to decide, not blue", "a decision of blue", "a decision of red"),
        ("red scores 3", "red scores 0 in all", "3", "0"),
        ('red scores 3 for "Coins"', "red scores 0 for “Coins”", "3", "0"),
        ('red scores 3 for "Cards"', "there is no score line “Cards”", "“Cards”", "“Coins”"),
        ("red wins", "the game is not over", "red wins", "the game goes on"),
        ("the game is over", "the game goes on", "the game is over", "the game goes on"),
    ],
)
def test_expectations_that_are_not_met(line: str, message: str, expected: str, found: str, tmp_path: Path) -> None:
    failure = _failure(tmp_path, f"  then\n    {line}\n")
    assert failure.kind == "expectation"
    assert message in failure.message
    assert expected in failure.expected
    assert found in failure.found
    assert failure.span.text == line


def test_a_shared_win_is_told_of_all_winners(tmp_path: Path) -> None:
    given = "  given\n    at end\n"
    failure = _failure(tmp_path, "  then\n    red wins\n", given)
    assert (failure.message, failure.found) == ("the win is shared with others", "red, blue wins")
    assert _run(tmp_path / "both", "  then\n    red wins\n    blue wins\n", given).failure is None


def test_a_refusal_by_value(tmp_path: Path) -> None:
    rules = """\
game steps "Steps" for 2 players
enum Pace = slow | brisk
each player
  breath: 0..9 = 1
play
  in turn p from seat1 until p.breath == 0
    walk_on(p)
phase walk_on(p)
  choose x in Pace "How fast?"
  if x == brisk
    pay 3 breath                                              @S-01
  pay 1 breath
scenario "Too fast"
  given
    at walk_on(seat1)
  then
    seat1 may not choose brisk because @S-01
    seat1 may not choose brisk
    seat1 may not choose "brisk" because @S-01
"""
    (tmp_path / "steps").mkdir()
    (tmp_path / "steps" / "ruleset.yaml").write_text("name: steps\n", encoding="utf-8")
    (tmp_path / "steps" / "steps.rules").write_text(rules, encoding="utf-8")
    assert exit_code_of(["test", str(tmp_path / "steps")]) == 0


def test_refusals_of_labels_made_of_holes_and_of_two_values(tmp_path: Path) -> None:
    rules = """\
game pairs "Pairs" for 2 players
enum Fruit = apple | pear | plum
table
  round: 0..9
play
  in turn p from seat1 until round == 2
    turn(p)
phase turn(p)
  choose a in Fruit where a != plum, n in 1..3 where n < 3 "Which, how many?"   @P-01
  choose one "And then?"
    "{f} {n}" for f in Fruit where f != apple
    "{f}" for f in Fruit where f == apple and n > 2
    "Nothing"
  round += 1
scenario "Labels without words"
  given
    at turn(seat1)
  then
    seat1 may not choose "apple, 3"
    seat1 may not choose "plum, 1" because @P-01
scenario "Labels made of holes"
  given
    at turn(seat1)
  when
    seat1 chooses pear, 2
  then
    seat1 may not choose "apple 2"
"""
    (tmp_path / "pairs").mkdir()
    (tmp_path / "pairs" / "ruleset.yaml").write_text("name: pairs\n", encoding="utf-8")
    (tmp_path / "pairs" / "pairs.rules").write_text(rules, encoding="utf-8")
    assert exit_code_of(["test", str(tmp_path / "pairs")]) == 0


def test_chance_that_is_left_over(tmp_path: Path) -> None:
    failure = _failure(tmp_path, "  when\n    chance shuffle deck: mid\n  then\n    the game goes on\n")
    assert failure.kind == "chance"
    assert failure.message == "a scripted `shuffle` is left over"


CHANCES = """\
game chances "Chances" for 2 players as red, blue
kind Card from cards.yaml
  power: 1..9
table
  deck: pile of Card hidden
  sack: bag of Card hidden
  heap: pool of Card open
  dice: 2 dice of 1..6
setup
  move all c in Card to deck
play
  roll dice
  shuffle deck
  draw up to 1 from sack to heap
  pick c in heap at random
  move c to box
  pick q in players at random
  q wins
"""


@pytest.mark.parametrize(
    ("line", "fits"),
    [
        ("chance roll dice: 1, 2", True),
        ("chance roll dice: 1, 2, 3", False),
        ("chance shuffle deck: mid", True),
        ("chance shuffle deck: 2 * mid", False),
        ("chance draw sack: high", True),
        ("chance draw sack: mid", False),
        ("chance draw sack: low, high", False),
        ("chance pick heap: low", True),
        ("chance pick heap: mid", False),
    ],
)
def test_scripted_chance_has_to_fit(line: str, fits: bool, tmp_path: Path) -> None:
    given = "  given\n    at play\n    deck holds mid\n    sack holds low, high\n    heap holds low\n"
    text = f'part of chances\n\nscenario "One" @D-01\n{given}  when\n    {line}\n  then\n    the game is over\n'
    files = {"cards_yaml": CARDS, "rulebook_yaml": RULEBOOK, "scenarios__one_rules": text}
    (verdict,) = run_scenarios(find_scenarios(str(write_ruleset(tmp_path, "chances", CHANCES, **files))))
    if fits:
        assert verdict.failure is None
        return
    assert verdict.failure is not None
    assert (verdict.failure.kind, verdict.failure.diagnostics[0].code) == ("chance", "R0908")
    assert verdict.failure.message == f"a scripted `{line.split()[1]}` does not fit"
    if line.endswith("mid"):
        assert verdict.failure.diagnostics[0].help.startswith("not there: `mid`;")


def test_failing_where_nothing_is_decided(tmp_path: Path) -> None:
    """Neither the end of the game nor a rule without decisions has a decision to show."""
    failure = _failure(tmp_path, "  then\n    red scores 5\n", "  given\n    at end\n    red.coins = 3\n")
    assert (failure.kind, failure.expected, failure.found, failure.changes) == ("expectation", "5", "3", ())
    failure = _failure(tmp_path / "plain", "  then\n    red.coins == 2\n", "  given\n    at bless(red)\n")
    assert (failure.kind, failure.found) == ("expectation", "red.coins is 1")
    assert failure.changes == ("red.coins: 0 -> 1",)
    chance = "  when\n    chance pick blue.hand: low\n  then\n    red.coins == 1\n"
    failure = _failure(tmp_path / "chance", chance, "  given\n    at bless(red)\n")
    assert (failure.kind, failure.message) == ("chance", "a scripted `pick` is left over")
    assert failure.changes == ("red.coins: 0 -> 1",)


def test_arguments_are_worked_out_in_the_given_state(tmp_path: Path) -> None:
    """A row with several copies has no name of its own: the place says which is meant."""
    given = "  given\n    red.hand holds high, 2 * low\n    at burn(red, (first c in red.hand where c.power == 1))\n"
    then = "  then\n    red.hand holds high, low\n    heap holds low\n"
    assert _run(tmp_path, then, given).failure is None
    failure = _failure(tmp_path / "none", then, given.replace("== 1", "== 5"))
    assert (failure.kind, failure.expected, failure.found) == ("setup", "Card", "none")
    assert failure.message == "`first c in red.hand where c.power == 5` is none in the given state"
    failure = _failure(tmp_path / "several", then, "  given\n    at burn(red, low)\n")
    assert failure.diagnostics[0].code == "R0320"
    assert failure.diagnostics[0].headline == "`low` names 2 pieces, and none of them alone"
    assert (
        failure.diagnostics[0].help
        == "`x in Card.low` asks whether x is one of them, `(first x in Card.low where …)` is one of them"
    )


@pytest.mark.parametrize(
    ("lines", "code", "message", "advice"),
    [
        ("  then\n    Deck\n", "R0302", "there is no type `Deck`", "did you mean `deck`?"),
        ("  then\n    Oak\n", "R0302", "there is no type `Oak`", "a capital begins the name of an enum or a kind"),
        ("  then\n    red.coins holds low\n", "R0232", "`red.coins` is no place", "name a place"),
        ("  then\n    box holds low\n", "R0232", "`box` is no place", "what lies nowhere else is in the box"),
        ("  when\n    chance roll deck: 3\n", "R0232", "`deck` is no dice", "name the dice, or leave them out"),
        ("  when\n    chance roll dice: low\n", "R0232", "no die shows `low`", "its faces are 1..6"),
        ("  when\n    chance roll dice: 7, 1\n", "R0232", "no die shows `7`", "its faces are 1..6"),
        ("  when\n    chance pick lowe\n", "R0232", "there is no `lowe`", "did you mean `low`?"),
        ("  when\n    chance pick nothing\n", "R0232", "chance cannot bring nothing", "name what it brings"),
    ],
)
def test_lines_that_mean_nothing_are_found_without_running(
    lines: str, code: str, message: str, advice: str, tmp_path: Path
) -> None:
    then = "" if "then" in lines else "  then\n    the game goes on\n"
    verdict = _run(tmp_path, lines + then)
    (finding,) = scenario_findings([verdict.found])
    assert (finding.code, finding.help) == (code, advice)
    assert message in finding.headline
    assert finding.primary.span.line == 10
    assert verdict.failure is not None and verdict.failure.diagnostics[0].headline == finding.headline


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("deck holds 3 * low", "there are not so many `low`"),
        ("deck holds lowe", "there is no piece `lowe` for `deck`"),
        ("red.gold = 3", "`gold`"),
        ("red.hand = low", "`red.hand` is nothing that can be set"),
        ("red.coins = 9 * count(Card)", "`9 * count(Card)` is 36, outside 0..20"),
        ("holder(top of deck).hand holds low", "`holder(top of deck)` is none here"),
        ("at tun(red)", "there is no rule `tun` to stand at"),
        ("at turn(red, 3)", "takes 1 arguments, not 2"),
    ],
)
def test_what_cannot_be_set_up(line: str, message: str, tmp_path: Path) -> None:
    failure = _failure(tmp_path, "  then\n    the game goes on\n", f"  given\n    {line}\n")
    assert failure.kind == "setup"
    assert message in failure.message


def test_a_place_of_none_is_empty(tmp_path: Path) -> None:
    assert _run(tmp_path, "  then\n    holder(top of deck).hand holds nothing\n").failure is None


def test_an_index_that_does_not_exist(tmp_path: Path) -> None:
    given = "  given\n    dice[count(Card)].face = 1\n"
    failure = _failure(tmp_path, "  then\n    the game goes on\n", given)
    assert (failure.kind, failure.diagnostics[0].code) == ("fault", "R0907")
    assert "is 4, outside 1..2" in failure.message


def test_a_fault_of_the_rules(tmp_path: Path) -> None:
    given = "  given\n    at turn(red)\n    red.coins = 15\n    red.hand holds high\n"
    failure = _failure(tmp_path, '  when\n    red chooses "Play High card"\n  then\n    red.coins == 20\n', given)
    assert failure.kind == "fault"
    assert "outside 0..20" in failure.message
    assert failure.diagnostics[0].code == "R0901"


def test_a_game_with_findings_fails_all_its_scenarios(tmp_path: Path) -> None:
    text = 'part of duel\n\nscenario "One" @D-01\n  given\n    at play\n  then\n    the game goes on\n'
    rules = DUEL.replace("p gains c.power coins", "p gains c.weight coins")
    folder = write_ruleset(tmp_path, "duel", rules, cards_yaml=CARDS, rulebook_yaml=RULEBOOK, scenarios__a_rules=text)
    (verdict,) = run_scenarios(find_scenarios(str(folder)))
    assert verdict.failure is not None
    assert verdict.failure.kind == "ruleset"
    assert verdict.failure.diagnostics


def test_a_game_with_variants_has_the_scenarios_that_name_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rich = 'variant rich of duel "Rich"\n  replace score p\n    "Coins"  2 * p.coins\n'
    over = "  given\n    at end\n  then\n    the game is over\n"
    text = f'part of duel\n\nscenario "Plain" @D-01\n{over}\nscenario "Rich" with rich @D-01\n{over}'
    files = {"cards_yaml": CARDS, "rulebook_yaml": RULEBOOK, "scenarios__a_rules": text, "variants__rich_rules": rich}
    folder = write_ruleset(tmp_path / "rulesets", "duel", DUEL, **files)
    assert [(one.title, one.game) for one in find_scenarios("duel")] == [("Plain", "duel"), ("Rich", "duel+rich")]
    assert [one.title for one in find_scenarios(f"{folder}+rich")] == ["Rich"]
    write_ruleset(tmp_path / "rulesets", "duet", 'game duet "Duet" for 2..3 players as red, blue, black\nuse duel\n')
    assert find_scenarios("duet") == []


def test_why_not_names_the_choice_that_finds_nothing(tmp_path: Path) -> None:
    given = GIVEN.replace("turn(red)", "turn(blue)")
    rules = DUEL.replace("    buy(p)\n", "    buy(p)\n    look(p)\n") + (
        '\naction look(p) "Look for a strong card"\n  choose c in p.hand where c.power == 9   @D-07\n  move c to heap\n'
    )
    text = f'part of duel\n\nscenario "One" for 2 players @D-01\n{given}  then\n'
    text += '    blue may not choose "Look for a strong card" because @D-07\n'
    folder = write_ruleset(tmp_path, "duel", rules, cards_yaml=CARDS, rulebook_yaml=RULEBOOK, scenarios__one_rules=text)
    (verdict,) = run_scenarios(find_scenarios(str(folder)))
    assert verdict.failure is None


def test_what_is_not_offered_where_only_a_free_action_waits(tmp_path: Path) -> None:
    """Asked again, the `may` would pass by itself and the next decision answer for it."""
    rules = """\
game shop "Shop" for 1 players as red
each player
  coins: 0..9 = 1
play
  turn(red)
phase turn(p)
  may "Buy" if p.coins > 5
    lose 5 coins
  choose one "Which?"
    "Take {n} coins" for n in 1..2
      gain n coins
free action sing(p) "Sing" during turn(p)
  requires p.coins < 3
  gain 1 coins
score p
  "Coins"  p.coins
rank p by highest score, then shared
scenario "One"
  given
    at turn(red)
  when
    red chooses "Take 2 coins"
  then
    the game is over
"""
    (verdict,) = run_scenarios(find_scenarios(str(write_ruleset(tmp_path, "shop", rules))))
    assert verdict.failure is not None
    assert (verdict.failure.kind, verdict.failure.message) == ("unknown", "nothing here is called `Take 2 coins`")


def test_a_game_that_is_over_because_nothing_follows_the_rule_it_began_with(tmp_path: Path) -> None:
    rules = """\
game shop "Shop" for 1 players as red
each player
  coins: 0..9
play
  repeat 3 times
    turn(red)
phase turn(p)
  choose one "Which?"
    "Take {n} coins" for n in 1..2
      gain n coins
score p
  "Coins"  p.coins
rank p by highest score, then shared
scenario "One"
  given
    at turn(red)
  when
    red chooses "Take 2 coins"
  then
    the game goes on
"""
    (verdict,) = run_scenarios(find_scenarios(str(write_ruleset(tmp_path, "shop", rules))))
    assert verdict.failure is not None
    assert "behind `at turn(red)` nothing follows that rule" in verdict.failure.found


def test_a_ruleset_that_is_not_there() -> None:
    with pytest.raises(RulesetError):
        find_scenarios("no_such_game_anywhere")


# ---------------------------------------------------------------------------- pieces that carry pieces

STACKS = """\
game stacks "Stacks" for 2 players as red, blue
kind Token
  copies 6 for each owner: player
kind Stack
  copies 2 for each owner: player
each Stack
  tokens: pile of Token open capacity 3
table
  meadow: pool of Stack open
  heap: pool of Token open
setup
  move all s in Stack to meadow
play
  for p in players
    turn(p)
phase turn(p)
  choose one "Which stack?"
    "Shrink {count(s.tokens)}" for s in meadow where s.owner == p and s.tokens is not empty @D-01
      move top of s.tokens to heap
"""
STACKS_GIVEN = """\
  given
    at turn(red)
    meadow holds stack_red carrying 2 * token_red, stack_red carrying token_red
"""


def _run_stacks(tmp_path: Path, scenario: str, given: str = STACKS_GIVEN) -> Verdict:
    text = f'part of stacks\n\nscenario "One" for 2 players @D-01\n{given}{scenario}'
    folder = write_ruleset(tmp_path, "stacks", STACKS, rulebook_yaml=RULEBOOK, scenarios__one_rules=text)
    (found,) = find_scenarios(str(folder))
    (verdict,) = run_scenarios([found])
    return verdict


def test_pieces_are_laid_with_what_they_carry(tmp_path: Path) -> None:
    verdict = _run_stacks(
        tmp_path,
        """\
  when
    red chooses "Shrink 2"
  then
    meadow holds 2 * stack_red carrying token_red
    heap holds token_red
""",
    )
    assert verdict.passed, verdict.failure


def test_another_load_is_told(tmp_path: Path) -> None:
    verdict = _run_stacks(tmp_path, "  then\n    meadow holds 2 * stack_red carrying token_red\n")
    assert verdict.failure is not None
    assert verdict.failure.found == "stack_red carrying 2 * token_red, stack_red carrying token_red"


def test_what_cannot_be_carried_is_told(tmp_path: Path) -> None:
    given = "  given\n    at turn(red)\n    meadow holds stack_red carrying stack_red\n"
    verdict = _run_stacks(tmp_path, "  then\n    the game goes on\n", given)
    assert verdict.failure is not None
    assert verdict.failure.message == "`stack_red` cannot carry `stack_red`"


PICKS = """\
game picks "Picks" for 2 players

kind Card from cards.yaml
kind Token from tokens.yaml

table
  heap: pool of Card | Token open

play
  pick c in Card where c in box at random
    move c to heap
  seat1 wins

scenario "A row is no piece number"
  given
    at play
  when
    chance pick short
  then
    heap holds short

scenario "Two kinds may have the same name"
  given
    at play
    heap holds sun_token
  when
    chance pick long
  then
    seat1 sees long in heap
    seat1 sees sun_token in heap
"""


def test_pieces_are_told_apart_by_row_and_kind(tmp_path: Path) -> None:
    """Neither is the number of a row that of a piece, nor a name the id of a row."""
    cards = "kind: Card\ndefault: known\nrows: [{id: long, name: Sun, copies: 3}, {id: short, name: Sun}]\n"
    tokens = "kind: Token\ndefault: known\nrows: [{id: sun_token, name: Sun}]\n"
    folder = write_ruleset(tmp_path, "picks", PICKS, cards_yaml=cards, tokens_yaml=tokens)
    assert [verdict.failure for verdict in run_scenarios(find_scenarios(str(folder)))] == [None, None]


def test_a_pass_that_nobody_is_asked_for_says_why(tmp_path: Path) -> None:
    rules = """game short "Short" for 2 players
each player
  coins: 0..9
  n: 0..9
play
  in turn p from seat1 until seat2.n > 0
    turn(p)
phase turn(p)
  p.n += 1
  may "Buy" if p.coins > 3
    p.coins -= 3
  choose k in 1..2 "How many?"
  p.coins += k
  rival(p) chooses m in 1..2 "And you?"
  p.coins += m
score p
  "Coins" p.coins
scenario "one"
  given
    at turn(seat1)
  when
    seat1 passes
  then
    the game goes on
scenario "two"
  given
    at turn(seat1)
  when
    seat1 chooses 1
    seat1 passes
  then
    the game goes on
"""
    (tmp_path / "ruleset.yaml").write_text("name: short\n", encoding="utf-8")
    (tmp_path / "short.rules").write_text(rules, encoding="utf-8")
    by_itself = "a `may` with nothing on offer passes by itself, without a line"
    messages = [verdict.failure.message for verdict in run_scenarios(find_scenarios(str(tmp_path))) if verdict.failure]
    assert messages == [
        f"seat1 cannot pass here; {by_itself}",
        f"seat2 is to decide, not seat1; {by_itself}",
    ]
