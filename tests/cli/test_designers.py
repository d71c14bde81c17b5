"""simulate, compare, sweep, ask and record on the command line: what they print, what they write, what they refuse."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import jsonschema
import pytest

from interpreter.cli.commands import exit_code_of
from interpreter.study.ask import reach_at_all_times
from interpreter.study.simulate import Simulation, simulate
from interpreter.study.statistics import Moments

SCHEMAS = Path(__file__).parents[2] / "schemas"
Captured = pytest.CaptureFixture[str]


def run(*words: str) -> int:
    """The command with random bots, which are quick, unless it names others."""
    takes_bots = words[0] in ("simulate", "compare", "sweep", "ask") and "--bots" not in words
    return exit_code_of([*words, "--bots", "random"] if takes_bots else list(words))


def as_data(capsys: Captured, schema: str | None = None) -> dict[str, object]:
    shown: dict[str, object] = json.loads(capsys.readouterr().out)
    if schema is not None:
        jsonschema.validate(shown, json.loads((SCHEMAS / f"{schema}.schema.json").read_text(encoding="utf-8")))
    return shown


# ---------------------------------------------------------------------------- rows


def test_rows_are_the_same_for_any_number_of_jobs(tmp_path: Path) -> None:
    written = {}
    for ending in ("jsonl", "csv"):
        for jobs in ("1", "2"):
            file = tmp_path / f"{jobs}.{ending}"
            assert run("simulate", "kuhn_poker", "--games", "220", "--jobs", jobs, "--rows", str(file)) == 0
            written[ending, jobs] = file.read_bytes()
        assert written[ending, "1"] == written[ending, "2"]
    assert not list(tmp_path.glob("*.part"))
    rows = [json.loads(line) for line in written["jsonl", "1"].splitlines()]
    assert [row["seed"] for row in rows] == list(range(220))
    table = list(csv.DictReader(written["csv", "1"].decode().splitlines()))
    assert [int(row["score: first"]) for row in table] == [row["scores"][0] for row in rows]
    assert {row["Won: first"] for row in table} <= {"-2", "-1", "1", "2"}


def test_a_report_is_the_same_for_any_number_of_jobs(capsys: Captured) -> None:
    shown = []
    for jobs in ("1", "2"):
        assert run("simulate", "nim", "--games", "200", "--jobs", jobs, "--format", "json") == 0
        shown.append(as_data(capsys, "report"))
        shown[-1].pop("speed")
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--rows", "rows.txt"), "does not say how rows are to be written"),
        (("--rows", "nowhere/rows.csv"), "there is no folder"),
        (("--pace", "quick"), "is no pace"),
        (("--engine", "rai"), "there is no engine `rai`"),
        (("--bots", "randum"), "there is no bot `randum`"),
        (("--bots", "random,random,random"), "3 bots for 2 seats"),
        (("--set", "last_to_take_wins"), "is no setting"),
    ],
)
def test_simulate_refuses(words: tuple[str, ...], told: str, capsys: Captured) -> None:
    assert run("simulate", "nim", "--games", "2", *words) == 2
    assert told in capsys.readouterr().err


def test_a_setting_outside_its_range_is_a_finding(capsys: Captured) -> None:
    assert run("simulate", "pikit", "--games", "2", "--set", "mecha_points=99") == 1
    assert "value 99 is outside 0..30" in capsys.readouterr().err


def test_a_table_value_can_be_set(capsys: Captured) -> None:
    asked = ["compare", "pikit", "pikit", "--set", "eleven.value=10", "--games", "10", "--format", "json"]
    assert run(*asked) == 0
    shown = as_data(capsys, "comparison")
    assert shown["compared"][1]["game"] == "pikit with eleven.value=10"  # type: ignore[index]
    assert {"what": "table", "name": "Kaiju.value", "lines": ["eleven: 11 -> 10"]} in shown["rules"]  # type: ignore[operator]
    for setting, told in (("ate.value=9", "did you mean `"), ("one.trick=draw", "the row leaves it out")):
        assert run("simulate", "pikit", "--games", "2", "--set", setting) == 2
        assert told in capsys.readouterr().err


def test_parquet_needs_its_extra_or_is_written(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "rows.parquet"
    code = run("simulate", "nim", "--games", "5", "--rows", str(file))
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        assert code == 2 and "the extra `parquet`" in capsys.readouterr().err
    else:
        assert code == 0 and parquet.read_table(file).column("seed").to_pylist() == [0, 1, 2, 3, 4]


# ---------------------------------------------------------------------------- compare and sweep


def test_pairing_saves_games_for_the_seat_advantage(capsys: Captured) -> None:
    """PiKiT with another constant: a third of the games or fewer say as much about the first seat as without pairs."""
    asked = ["compare", "pikit", "pikit", "--set", "mecha_points=20", "--games", "120", "--format", "json"]
    assert run(*asked) == 0
    lines = {line["name"]: line for line in as_data(capsys, "comparison")["lines"]}  # type: ignore[attr-defined]
    assert lines["seat1 wins"]["gain"] >= 3
    assert lines["points of all players from: Mecha"]["significant"]


def test_a_comparison_is_the_same_for_any_number_of_jobs(capsys: Captured) -> None:
    shown = []
    for jobs in ("1", "2"):
        assert run("compare", "nim", "nim+last_wins", "--games", "150", "--jobs", jobs, "--format", "json") == 0
        shown.append(as_data(capsys, "comparison"))
    assert shown[0] == shown[1]


def test_a_sweep_shows_what_a_constant_does(tmp_path: Path, capsys: Captured) -> None:
    page = tmp_path / "sweep.html"
    asked = ["sweep", "pikit", "--set", "mecha_points=5..25 by 10", "--games", "40", "--html", str(page)]
    assert run(*asked, "--format", "json") == 0
    shown = as_data(capsys, "sweep")
    assert shown["values"] == ["5", "15", "25"]
    figures = {figure["name"]: figure for figure in shown["figures"]}  # type: ignore[attr-defined]
    means = [point["mean"] for point in figures["points of all players from: Mecha"]["points"]]
    assert means == pytest.approx([means[0], 3 * means[0], 5 * means[0]], abs=0.01)
    assert figures["points of all players from: Mecha"]["differs"] and not figures["turns of all players"]["differs"]
    assert page.read_text(encoding="utf-8").count("<svg") == sum(figure["differs"] for figure in figures.values())


@pytest.mark.parametrize(
    ("swept", "told"),
    [
        ("mecha_points", "is nothing to sweep over"),
        ("mecha_points=3..3", "has 1 values"),
        ("mecha_points=0..300", "has 301 values"),
        ("mecha_points=1,1", "names a value twice"),
    ],
)
def test_sweep_refuses(swept: str, told: str, capsys: Captured) -> None:
    assert run("sweep", "pikit", "--set", swept) == 2
    assert told in capsys.readouterr().err


# ---------------------------------------------------------------------------- ask


def test_ask_says_yes_no_or_that_it_cannot(capsys: Captured) -> None:
    assert run("ask", "nim", "first seat wins between 30 and 70 %") == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("Yes. first wins:")
    assert run("ask", "nim", "the first seat wins more than 80 %", "--format", "json") == 1
    assert as_data(capsys, "answer")["answer"] == "no"
    assert run("ask", "nim", "second wins less than 50 %", "--most", "100") == 1
    assert "It cannot be said after 100 games." in capsys.readouterr().out


def test_ask_is_the_same_for_any_number_of_jobs(capsys: Captured) -> None:
    shown = []
    for jobs in ("1", "2"):
        run("ask", "nim", "turns less than 9", "--jobs", jobs, "--format", "json")
        shown.append(as_data(capsys, "answer"))
    assert shown[0] == shown[1]


def test_the_page_of_an_answer_shows_how_it_became_clear(tmp_path: Path, capsys: Captured) -> None:
    file, page = tmp_path / "answer.json", tmp_path / "answer.html"
    asked = ["ask", "nim", "turns less than 900", "--json", str(file), "--html", str(page)]
    assert run(*asked) == 0
    capsys.readouterr()
    data = json.loads(file.read_text(encoding="utf-8"))
    assert data["looks"][-1] == [data["games"], data["value"], *data["interval"]]
    shown = page.read_text(encoding="utf-8")
    assert "<b>Yes.</b>" in shown and "turns of all players" in shown and "<script" not in shown
    assert run("ask", "nim", "second wins less than 50 %", "--most", "400", "--html", str(page)) == 1
    shown = page.read_text(encoding="utf-8")
    assert "It cannot be said." in shown and "still reaches over a bound" in shown and shown.count("<svg") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "nim", "--games", "400"),
        ("compare", "nim", "nim+last_wins", "--games", "400"),
        ("ask", "nim", "first seat wins more than 99 %"),
        ("sweep", "pig", "--set", "goal=20,30", "--games", "300"),
    ],
)
def test_a_bot_that_fails_in_the_middle_costs_nothing_that_was_played(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(Tired, "matches", 0)
    monkeypatch.setitem(sys.modules, "tired_bots", sys.modules[__name__])
    assert run(*words, "--bots", "python:tired_bots:Tired,first") == 1
    said = capsys.readouterr()
    assert "chose option 99" in said.err and "the figures are of the games played so far" in said.err
    assert "games" in said.out


class Tired:
    """Plays 120 matches and then fails."""

    matches = 0

    def start(self, game: object, player: int, seed: int) -> None:
        Tired.matches += 1

    def choose(self, sight: object) -> int:
        return 0 if Tired.matches < 120 else 99


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("is it fun", "is not understood as a question"),
        ("frist seat wins more than 50 %", "did you mean `first seat wins`?"),
        ("first seat wins more than 50", "give its bounds in %"),
        ("turns more than 50 %", "is a number, not a share"),
        ("turns between 9 and 3", "nothing lies between 9 and 3"),
    ],
)
def test_ask_refuses(question: str, told: str, capsys: Captured) -> None:
    assert run("ask", "nim", question) == 2
    assert told in capsys.readouterr().err


def test_the_interval_of_ask_holds_at_all_looks_together() -> None:
    """A fair coin, looked at after every 50 games up to 2,000: the usual interval is left in a third of the runs, this
    one in at most one run of twenty."""
    from interpreter.runtime.chance import Generator

    left = left_usual = 0
    for run_number in range(200):
        heads, generator, outside, outside_usual = 0, Generator(run_number * 7919 + 1), False, False
        for games in range(1, 2001):
            heads += generator.below(2)
            if games % 50 == 0:
                moments = Moments(games, heads, heads)
                outside = outside or abs(moments.mean - 0.5) > reach_at_all_times(moments)
                outside_usual = outside_usual or abs(moments.mean - 0.5) > 1.96 * moments.error
        left += outside
        left_usual += outside_usual
    assert left / 200 <= 0.05 < 0.15 < left_usual / 200


# ---------------------------------------------------------------------------- records


def test_a_corpus_is_written_and_verified_under_changed_rules(tmp_path: Path, capsys: Captured) -> None:
    corpus = tmp_path / "games.jsonl"
    assert run("record", str(corpus), "--play", "kuhn_poker", "--games", "4") == 0
    assert run("record", str(corpus), "--play", "nim", "--games", "3", "--bots", "first", "--seed", "9") == 0
    capsys.readouterr()
    assert run("record", str(corpus)) == 0
    assert capsys.readouterr().out == "All 7 games hold.\n"
    nims = tmp_path / "nims.jsonl"
    nims.write_text("\n".join(corpus.read_text(encoding="utf-8").splitlines()[4:]) + "\n", encoding="utf-8")
    assert run("record", str(nims), "--game", "nim+last_wins") == 1
    shown = capsys.readouterr().out
    assert "line 1, nim seed 9: goes another way at the end" in shown and "3 of 3 games go another way" in shown


def test_the_first_differing_decision_is_shown(tmp_path: Path, capsys: Captured) -> None:
    corpus = tmp_path / "games.jsonl"
    assert run("record", str(corpus), "--play", "pikit", "--games", "3") == 0
    assert run("record", str(corpus), "--game", "pikit+mecha_in_addition", "--format", "json") == 1
    text = capsys.readouterr().out
    shown = json.loads(text[text.index("{") :])
    jsonschema.validate(shown, json.loads((SCHEMAS / "corpus.schema.json").read_text(encoding="utf-8")))
    first = shown["verdicts"][0]
    assert not first["holds"] and not first["same_rules"] and first["choice"] > 1 and first["who"] in ("seat1", "seat2")


def test_a_played_game_joins_a_corpus(tmp_path: Path, capsys: Captured) -> None:
    import interpreter as rw
    from interpreter.play.records import record_of, write_record

    game = rw.load("nim")
    write_record(record_of(game, game.playout(3)), tmp_path / "game.json")
    corpus = tmp_path / "games.jsonl"
    assert run("record", str(corpus), "--add", str(tmp_path / "game.json")) == 0
    assert run("record", str(corpus)) == 0
    assert "All 1 games hold." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{half a line", "line 1 of"),
        ('{"format": "other"}', "is no record"),
        ('{"format": "rulewright-record/1", "game": "nim"}', "`players` is missing"),
        ("", "has no records"),
    ],
)
def test_a_broken_corpus_is_told(content: str, told: str, tmp_path: Path, capsys: Captured) -> None:
    corpus = tmp_path / "games.jsonl"
    corpus.write_text(content, encoding="utf-8")
    assert run("record", str(corpus)) == 2
    assert told in capsys.readouterr().err


def test_a_bot_that_fails_leaves_the_games_before_it_in_the_corpus(tmp_path: Path, capsys: Captured) -> None:
    """It plays three games, and dies at the beginning of the fourth."""
    program = tmp_path / "three.py"
    program.write_text(
        "import json, pathlib, sys\n"
        "count = pathlib.Path(sys.argv[1])\n"
        "for line in sys.stdin:\n"
        "    kind = json.loads(line)['type']\n"
        "    if kind == 'start':\n"
        "        played = count.read_text() if count.exists() else ''\n"
        "        if len(played) == 3:\n"
        "            sys.exit('no more')\n"
        "        count.write_text(played + 'x')\n"
        "    if kind == 'choose':\n"
        "        print(json.dumps({'index': 0}), flush=True)\n"
    )
    corpus = tmp_path / "games.jsonl"
    bots = f"process:{sys.executable} {program} {tmp_path / 'count'},random"
    assert run("record", str(corpus), "--play", "nim", "--games", "8", "--bots", bots) == 1
    said = capsys.readouterr()
    assert "3 games of nim added" in said.out and len(corpus.read_text().splitlines()) == 3
    assert "(after 3 of 8 games)" in said.err and "no more; the games played so far are in the file" in said.err
    assert run("record", str(corpus)) == 0


def test_record_does_one_thing(tmp_path: Path, capsys: Captured) -> None:
    assert run("record", str(tmp_path / "a.jsonl"), "--play", "nim", "--game", "nim") == 2
    assert run("record", str(tmp_path / "none.jsonl")) == 2
    assert "there is no file" in capsys.readouterr().err


def test_an_interrupted_sweep_keeps_the_values_that_have_games(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    played = 0

    def interrupted(*arguments: object) -> Simulation:
        nonlocal played
        played += 1
        if played == 3:
            raise KeyboardInterrupt
        return simulate(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("interpreter.study.sweep.simulate", interrupted)
    assert run("sweep", "pig", "--set", "goal=20,30,40,50", "--games", "20", "--bots", "random") == 130
    said = capsys.readouterr()
    assert "interrupted after 40 of 80 games" in said.err
    assert ["goal", "20", "30", "can", "show"] in [line.split() for line in said.out.splitlines()]
