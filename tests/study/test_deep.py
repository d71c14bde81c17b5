"""Deep validation: a ruleset with a mistake of every sort, each found at its place with a way to see it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import interpreter as rw
from interpreter.cli.validate_deep import tell_plainly
from interpreter.play.records import read_record_line, record_line, replay
from interpreter.study.deep import Deep, validate_deeply
from interpreter.study.deep_play import Sighting, play_unit, seats_of, sighting_of
from interpreter.study.deep_progress import Pulse
from interpreter.study.shrink import shrink

FAULTY = Path(__file__).parent / "faulty"


@pytest.fixture(scope="module")
def deep() -> Deep:
    return validate_deeply(str(FAULTY), [str(FAULTY)], games=60)


@pytest.mark.parametrize(
    ("code", "line", "headline"),
    [
        ("R0701", 41, "nothing can be chosen here"),
        ("R0710", 30, 'the option "Win the lottery" is never offered'),
        ("R0713", 44, "the hook `after spend(p) #1` never runs"),
        ("R0714", 36, "this is never executed"),
        ("R0715", 6, "`lost` of Card never leaves the box"),
        ("R0717", 50, "a tie is left between seat1 and seat2"),
        ("R0719", 27, "this decision tells seat1 something that seat1 does not know"),
        ("R0723", 49, 'the score line "Lost" is always 0'),
    ],
)
def test_every_mistake_is_found_at_its_place(deep: Deep, code: str, line: int, headline: str) -> None:
    found = [finding for finding in deep.findings if finding.code == code]
    assert [(finding.primary.span.line, finding.headline) for finding in found] == [(line, headline)]


def test_nothing_else_is_a_finding(deep: Deep) -> None:
    assert len(deep.findings) == 8
    assert deep.units == [(str(FAULTY), 2, 60, 0), (str(FAULTY), 3, 60, 0)]


def test_remarks_are_facts_about_bounds_and_guards(deep: Deep) -> None:
    told = {(remark.code, remark.headline) for remark in deep.remarks}
    assert ("R0716", "`coins` reaches its highest value 4") in told
    assert ("R0721", "the options of this decision in `spend` are tried before they are offered") in told


def test_it_says_how_much_it_looked_at(deep: Deep) -> None:
    """Of eight games one is all greedy and one has a greedy seat; at most one decision in six is asked again."""
    assert deep.greedy == 2 * (60 // 8 + 60 // 8 + 1)
    assert deep.decisions / 60 < deep.asked_again < deep.decisions / 5


def test_a_place_that_was_compared_often_is_compared_rarely() -> None:
    some, many = (play_unit("kuhn_poker", 2, games=60, seed=0, every=2, often=often) for often in (3, 1000))
    assert some.decisions == many.decisions
    assert many.asked_again > 60
    sites = len(rw.load("kuhn_poker", 2).meta.sites)
    assert 3 <= some.asked_again <= 3 * sites + many.asked_again / 10


def test_a_game_without_secrets_is_not_asked_again() -> None:
    unit = play_unit("nim", 2, games=4, seed=0)
    assert (unit.decisions, unit.asked_again) == (0, 0)


def test_what_never_happens_is_told_with_the_number_of_games(deep: Deep) -> None:
    notes = {finding.code: finding.notes for finding in deep.findings}
    assert notes["R0715"] == ("in 120 games",)
    assert notes["R0723"] == ("in 120 games; it counts in no scenario either",)


def test_a_score_line_that_counts_in_a_scenario_is_a_remark(tmp_path: Path) -> None:
    """What random play hardly ever comes to is no mistake if the author shows it."""
    lost = """

scenario "The lost one counts" for 2 players
  given
    after setup
    seat1.hand holds lost
  then
    seat1 scores 1
"""
    name = _edited(tmp_path / "faulty")
    rules = tmp_path / "faulty" / "faulty.rules"
    rules.write_text(rules.read_text(encoding="utf-8") + lost, encoding="utf-8")
    found = validate_deeply(name, [name], games=4)
    assert "R0723" not in {finding.code for finding in found.findings}
    (remark,) = [remark for remark in found.remarks if remark.code == "R0723"]
    assert remark.notes == ("in 8 games; only in scenarios does it count",)


def test_with_variants_the_scenarios_of_the_game_still_count() -> None:
    """Capturing every pawn stands in a scenario of the plain game; none for the small board shows it."""
    board = "breakthrough+small"
    found = validate_deeply(board, [board], games=4)
    assert [finding for finding in found.findings if "no scenario" in finding.notes[0]] == []
    assert [remark.notes[0] for remark in found.remarks] == ["in 4 games; only scenarios reach it"]


def test_the_command_of_a_finding_replays_to_it(deep: Deep) -> None:
    for finding in deep.findings:
        for note in finding.notes:
            if note.startswith("rulewright replay "):
                _replays(finding.code, note.removeprefix("rulewright replay "))


def _replays(code: str, line: str) -> None:
    record = read_record_line(line)
    assert record is not None
    game = rw.load(record.game, record.players)
    if code.startswith("R0701"):
        with pytest.raises(rw.Fault) as fault:
            replay(record, game)
        assert fault.value.diagnostic.code == code
    else:
        outcome = replay(record, game)
        assert outcome.difference is None and outcome.state.over == (code == "R0717")


def test_a_record_in_one_word_reads_back() -> None:
    line = record_line("./some:where", 3, -7, (12, 0, 4))
    record = read_record_line(line)
    assert record is not None
    assert (record.game, record.players, record.seed, record.choices) == ("./some:where", 3, -7, (12, 0, 4))
    assert read_record_line("game.json") is None and read_record_line("a:b:c:d") is None


def test_shrinking_leaves_out_what_is_not_needed(tmp_path: Path) -> None:
    """Resting changes nothing, so no rest is left in the shortest way to the dead end."""
    changes = ('    "Earn"\n', '    "Rest"\n    "Earn"\n'), ("until round == 3", "until round == 9"), ("0..3", "0..9")
    name = _edited(tmp_path / "faulty", *(("faulty.rules", old, new) for old, new in changes))
    game = rw.load(name, players=2)
    seen = [sighting for seed in range(60) if (sighting := _fault_of(game, seed)) is not None]
    longest = max(seen, key=lambda sighting: len(sighting.choices))
    short = shrink(game, longest)
    assert short.key == longest.key
    assert len(short.choices) <= 6 < len(longest.choices)


def _fault_of(game: rw.Game, seed: int) -> Sighting | None:
    try:
        game.playout(seed)
    except rw.Fault as fault:
        return sighting_of(fault)
    return None


def _edited(folder: Path, *changes: tuple[str, str, str]) -> str:
    shutil.copytree(FAULTY, folder)
    for file, old, new in changes:
        text = (folder / file).read_text(encoding="utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    return str(folder)


def _endless(tmp_path: Path) -> str:
    return _edited(
        tmp_path / "faulty",
        ("faulty.rules", "until round == 3", "until round == 4"),
        ("faulty.rules", "round: 0..3", "round: 0..9"),
        ("faulty.rules", "round += 1", "round = 1"),
        ("faulty.rules", '    "Earn"\n', '    "Rest"\n    "Earn"\n'),
        ("ruleset.yaml", "format: 1", "format: 1\nlimits: {decisions: 100}"),
    )


def test_an_endless_game_is_told_once_and_not_played_again(tmp_path: Path) -> None:
    unit = play_unit(_endless(tmp_path), 2, games=10, seed=0)
    endless = [sighting for (code, _), (sighting, _) in unit.sightings.items() if code == "R0906"]
    assert len(endless) == 1 and unit.games < 10


def test_that_a_game_does_not_end_is_said_early(tmp_path: Path) -> None:
    """After a tenth of the decisions, once, whatever the time."""
    told: list[tuple[str, bool]] = []
    pulse = Pulse(lambda line, stays: told.append((line, stays)), float("inf"))
    name = _endless(tmp_path)
    play_unit(name, 2, games=10, seed=0, pulse=pulse)
    assert told == [(f"{name} for 2, seed 0: no end after 10 decisions; it is given up at 100", True)]


def test_a_pulse_goes_along_into_other_processes(capfd: pytest.CaptureFixture[str]) -> None:
    """Two units at once, each of which tells its lines from where it runs."""
    name = "pig"
    validate_deeply(name, [name], games=1, jobs=2, pulse=Pulse(tell_plainly, 0))
    told = capfd.readouterr().err
    assert all(f"pig for {players}: game 1 of 1\n" in told for players in (2, 3, 4))


def test_it_says_how_far_it_has_come() -> None:
    """A line for each decision if no time has to pass in between; none if no time passes."""
    told: list[str] = []
    play_unit("nim", 2, games=2, seed=0, pulse=Pulse(lambda line, _: told.append(line), 0))
    assert told[0] == "nim for 2: game 1 of 2"
    assert "nim for 2: game 1 of 2, 2 decisions so far" in told
    assert "nim for 2: game 2 of 2" in told
    unheard: list[str] = []
    play_unit("nim", 2, games=2, seed=0, pulse=Pulse(lambda line, _: unheard.append(line), 600))
    assert not unheard


def test_a_budget_that_runs_out_is_told(tmp_path: Path) -> None:
    """So many questions come before the requirement that a hundred steps do not reach it."""
    questions = '  repeat 120 times\n    may "Knock"\n      gain up to 1 coins\n  requires p.coins > 3\n'
    name = _edited(
        tmp_path / "faulty",
        ("faulty.rules", "  requires p.coins > 3\n", questions),
        ("ruleset.yaml", "format: 1", "format: 1\nlimits: {trial_steps: 100}"),
    )
    unit = play_unit(name, 2, games=1, seed=0, every=100_000)  # no world is drawn: that is another matter
    assert "R0720" in {code for code, _ in unit.sightings}


def test_the_same_seed_gives_the_same_findings() -> None:
    one, two = (play_unit(str(FAULTY), 2, games=8, seed=3) for _ in range(2))
    assert one.sightings == two.sightings and one.lengths == two.lengths


def test_seats_are_random_greedy_and_mixed() -> None:
    greedy = ["".join(kind[0] for kind in seats_of(2, number)) for number in range(16)]
    assert greedy == ["rr", "gg", "rr", "rr", "rr", "gr", "rr", "rr", "rr", "gg", "rr", "rr", "rr", "rg", "rr", "rr"]


def test_a_failing_scenario_is_a_finding(tmp_path: Path) -> None:
    name = _edited(tmp_path / "faulty", ("faulty.rules", "draw 3 from deck", "draw 2 from deck"))
    (failed,) = [finding for finding in validate_deeply(name, [name], games=2).findings if finding.code == "R0724"]
    assert failed.headline.startswith('the scenario "Three cards" fails: ')
    assert "clause F-01" in failed.notes


def test_one_cause_is_told_once(tmp_path: Path) -> None:
    """Spending can never be afforded: the option says so, not the action behind it nor the hook on that."""
    name = _edited(tmp_path / "faulty", ("faulty.rules", "requires p.coins > 3", "requires p.coins > 4"))
    found = validate_deeply(name, [name], games=8).findings
    never = [(finding.code, finding.primary.span.line) for finding in found if finding.code[:4] == "R071"]
    assert [entry for entry in never if entry[1] > 30 and entry[0] < "R0715"] == [("R0710", 34), ("R0714", 36)]
