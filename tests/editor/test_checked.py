"""What an editor asks: positions, references, symbols, names in scope, texts that are not saved."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter as rw
from interpreter.editor import At, Checked, Place, check_ruleset

RULES = """\
game harbour "Harbour" for 2 players as north, south

constant most: 1..9 = 3

enum Colour = red | blue
kind Crate from crates.yaml
  colour: Colour
  worth: 0..most
  gift: effect given (giver: player)

map quay is ring of east, west
  node Berth

table
  stock: pile of Crate hidden
each player
  coins: 0..9
  hold: row of Crate open
each Berth
  load: slot of Crate open

currency money for p
  p.coins
chart prize(n: 1..2): 0..5 = 5, 2

play                                                        @H-1
  in turn p from north until stock is empty
    take(p)

effect take(p)                                              @H-2
  draw 1 from stock to p.hold as c
  gain worth_of(c, bonus = 0) coins
  choose one "What for {p}?"
    "Sell"
      pay 1 money
    otherwise "Nothing"
      say "Nothing for {p.coins}"
  for b in Berth where b.load is empty and b != east
    if c.colour == red and count(neighbours(b)) > 0
      perform c.gift with giver = p for rival(p)

value worth_of(c: Crate, bonus: 0..3): 0..20
  result c.worth + bonus + prize(1)

effect thank(p, giver: player)
  giver gains 1 coins

score p
  "Coins"  p.coins
rank p by highest score, then shared

variant rich of harbour
  set most = 9
  instead of worth_of(c, bonus)
    result previous + most
"""
CRATES = """\
kind: Crate
default: known
rows:
  - {id: tea, colour: red, worth: 2, gift: thank, cites: [H-1]}
  - {id: ore, colour: blue, worth: 3, gift: thank, copies: 2}
"""
BOOK = """\
clauses:
  - {id: H-1, summary: Ships take turns.}
  - {id: H-2, summary: A ship takes a crate.}
"""
SCENARIO = """\
scenario "One crate" with rich                              @H-2
  given
    at take(north)
    stock holds tea
  when
    north chooses "Sell"
  then
    north.coins == 3
"""
TEXTS = 'language: fr\ntexts:\n  "Sell": Vendre\n  tea: thé\n'


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("quay") / "harbour"
    files = {"ruleset.yaml": "name: harbour\nlanguages: [en, fr]\n", "harbour.rules": RULES, "crates.yaml": CRATES,
             "rulebook.yaml": BOOK, "scenarios/play.rules": SCENARIO, "texts/fr.yaml": TEXTS}  # fmt: skip
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def checked(harbour: Path) -> Checked:
    return check_ruleset(harbour)


def find(checked: Checked, file: Path, text: str, word: str, number: int = 1) -> At:
    """What stands where a word occurs (the first time, the second …) in a line that has this text in it."""
    for line, written in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if text in written:
            column = -1
            for _ in range(number):
                column = written.index(word, column + 1)
            found = checked.at(file, line, column + 1)
            assert found is not None, f"nothing is known of `{word}` in `{written}`"
            return found
    raise AssertionError(f"no line has {text!r}")


def declared(at: At) -> list[str]:
    return [told(place) for place in at.declarations]


def told(place: Place) -> str:
    """`constant <most>: 1..9 = 3`: the line with the place marked, without tags and spaces around it."""
    line = Path(place.file).read_text(encoding="utf-8").splitlines()[place.line - 1]
    start, end = place.column - 1, place.end_column - 1
    return f"{line[:start]}<{line[start:end]}>{line[end:]}".split("   @")[0].strip()


def test_the_ruleset_is_sound_but_for_what_is_not_translated_or_used(checked: Checked) -> None:
    assert {finding.code for finding in checked.findings} == {"R0263", "R0752"}


@pytest.mark.parametrize(
    ("line", "word", "sort", "of", "where"),
    [
        ("    take(p)", "take", "effect", "", ["effect <take>(p)"]),
        ("    take(p)", "p", "local", "player", ["in turn <p> from north until stock is empty"]),
        ("draw 1", "stock", "place", "pile of Crate", ["<stock>: pile of Crate hidden"]),
        ("draw 1", "hold", "place", "row of Crate", ["<hold>: row of Crate open"]),
        ("gain worth", "c,", "local", "Crate", ["draw 1 from stock to p.hold as <c>"]),
        ("gain worth", "worth_of", "value", "0..20", ["value <worth_of>(c: Crate, bonus: 0..3): 0..20"]),
        ("gain worth", "bonus", "parameter", "0..3", ["value worth_of(c: Crate, <bonus>: 0..3): 0..20"]),
        ("gain worth", "coins", "field", "0..9", ["<coins>: 0..9"]),
        ("choose one", "p}", "parameter", "player", ["effect take(<p>)"]),
        ("pay 1", "money", "currency", "", ["currency <money> for p"]),
        ("say", "coins", "field", "0..9", ["<coins>: 0..9"]),
        ("for b", "Berth", "node kind", "set of Berth", ["node <Berth>"]),
        ("for b", "load", "place", "Crate?", ["<load>: slot of Crate open"]),
        ("for b", "east", "node", "Berth", ["map quay is ring of <east>, west"]),
        ("if c.colour", "red", "value", "Colour", ["enum Colour = <red> | blue"]),
        ("if c.colour", "colour", "attribute", "Colour", ["<colour>: Colour"]),
        ("if c.colour", "neighbours", "word", "", []),
        ("perform", "giver", "given", "", ["gift: effect given (<giver>: player)"]),
        ("  result c", "prize", "chart", "0..5", ["chart <prize>(n: 1..2): 0..5 = 5, 2"]),
        ("worth: 0..most", "most", "constant", "1..9", ["constant <most>: 1..9 = 3"]),
        ("set most", "most", "constant", "1..9", ["constant <most>: 1..9 = 3"]),
        ("instead of", "worth_of", "value", "0..20", ["value <worth_of>(c: Crate, bonus: 0..3): 0..20"]),
        ("play  ", "@H-1", "clause", "", ["- {id: <H-1>, summary: Ships take turns.}"]),
        ("variant rich", "harbour", "game", "", ['game <harbour> "Harbour" for 2 players as north, south']),
        ("kind Crate", "crates.yaml", "file", "", ["<>kind: Crate"]),
        ("in turn", "north", "seat", "player", ['game harbour "Harbour" for 2 players as <north>, south']),
    ],
)  # fmt: skip
def test_names_in_the_rules(
    checked: Checked, harbour: Path, line: str, word: str, sort: str, of: str, where: list[str]
) -> None:
    at = find(checked, harbour / "harbour.rules", line, word)
    assert (at.sort, at.type, declared(at)) == (sort, of, where)


def test_names_in_data_scenarios_and_translations(checked: Checked, harbour: Path) -> None:
    crates, scenario, texts = harbour / "crates.yaml", harbour / "scenarios/play.rules", harbour / "texts/fr.yaml"
    assert declared(find(checked, crates, "id: tea", "red")) == ["enum Colour = <red> | blue"]
    assert declared(find(checked, crates, "id: tea", "thank")) == ["effect <thank>(p, giver: player)"]
    assert declared(find(checked, crates, "id: tea", "worth")) == ["<worth>: 0..most"]
    assert declared(find(checked, crates, "id: tea", "H-1")) == ["- {id: <H-1>, summary: Ships take turns.}"]
    tea = declared(find(checked, scenario, "stock holds", "tea"))
    assert tea == ["- {id: <tea>, colour: red, worth: 2, gift: thank, cites: [H-1]}"]
    assert declared(find(checked, scenario, "scenario", "rich")) == ["variant <rich> of harbour"]
    assert declared(find(checked, scenario, "at take", "take")) == ["effect <take>(p)"]
    assert declared(find(checked, texts, "Sell", '"Sell"')) == ['<"Sell">']


def test_references_are_found_from_the_declaration_and_from_every_use(checked: Checked, harbour: Path) -> None:
    rules = harbour / "harbour.rules"
    at = find(checked, rules, "value worth_of", "worth_of")
    uses = ["gain <worth_of>(c, bonus = 0) coins", "instead of <worth_of>(c, bonus)"]
    assert [told(place) for place in at.references] == uses
    assert find(checked, rules, "gain worth", "worth_of").places == at.places
    assert len(at.places) == 3
    tea = find(checked, harbour / "crates.yaml", "id: tea", "tea")
    assert [told(place) for place in tea.references] == ["stock holds <tea>"]


def test_documentation_has_the_line_the_clauses_and_the_reference(checked: Checked, harbour: Path) -> None:
    rules = harbour / "harbour.rules"
    assert find(checked, rules, "    take(p)", "take").documentation == "effect take(p)\n@H-2 A ship takes a crate."
    assert find(checked, rules, "set most", "most").documentation == "constant most: 1..9 = 3\n= 3"
    assert "clockwise" in find(checked, rules, "if c.colour", "neighbours").documentation
    assert find(checked, rules, "  draw 1", "draw").documentation.startswith("`draw 2 from")
    assert find(checked, rules, "effect take", "@H-2").documentation == "A ship takes a crate."


def test_the_outline_of_a_file(checked: Checked, harbour: Path) -> None:
    outline = {one.name: one for one in checked.symbols(harbour / "harbour.rules")}
    assert [outline[name].sort for name in ("most", "Colour", "quay", "take", "worth_of", "rich")] == [
        "constant", "enum", "map", "effect", "value", "variant",
    ]  # fmt: skip
    assert [one.name for one in outline["Crate"].inside] == ["colour", "worth", "gift"]
    assert [one.sort for one in outline["rich"].inside] == ["setconstant", "hook"]


def test_names_that_could_be_written(checked: Checked, harbour: Path) -> None:
    rules = harbour / "harbour.rules"
    line = RULES.splitlines().index("  gain worth_of(c, bonus = 0) coins") + 1
    names = {one.name: one for one in checked.names_at(rules, line, 3)}
    assert {"p", "c", "take", "stock", "prize", "gain"} <= names.keys()
    assert "b" not in names and names["c"].type == "Crate"
    unfinished = RULES.replace("  gain worth_of(c, bonus = 0) coins", "  gain p.")
    again = check_ruleset(harbour, {rules: unfinished})
    assert {one.name for one in again.names_at(rules, line, 10)} == {"coins", "hold"}
    unfinished = RULES.replace("  gain worth_of(c, bonus = 0) coins", "  gain c.")
    again = check_ruleset(harbour, {rules: unfinished})
    assert {one.name for one in again.names_at(rules, line, 10)} == {"colour", "worth", "gift"}


def test_texts_in_memory_are_laid_over_the_files(harbour: Path) -> None:
    rules, crates = harbour / "harbour.rules", harbour / "crates.yaml"
    broken = check_ruleset(harbour, {rules: RULES.replace("pay 1 money", "pay money")})
    assert [(finding.code, finding.primary.span.line) for finding in broken.findings] == [
        ("R0122", RULES.splitlines().index("      pay 1 money") + 1)
    ]
    assert find(broken, rules, "    take(p)", "take").sort == "effect"
    wrong_data = check_ruleset(harbour, {crates: CRATES.replace("worth: 3", "worth: 7")})
    assert [finding.code for finding in wrong_data.findings if finding.code != "R0752"] == ["R0255"]
    no_yaml = check_ruleset(harbour, {crates: "rows: [", rules: RULES.replace("effect thank", "efect thank")})
    assert {finding.code for finding in no_yaml.findings} == {"R0205", "R0108"}
    added = check_ruleset(
        harbour, {harbour / "variants" / "more.rules": "variant poor of harbour\n  after take(p)\n    beg(p)\n"}
    )
    assert [finding.code for finding in added.findings if finding.code not in ("R0263", "R0752")] == ["R0325"]
    assert "variants" not in [path.name for path in harbour.iterdir()]


def test_nothing_is_raised_whatever_the_ruleset(harbour: Path, tmp_path: Path) -> None:
    assert [finding.code for finding in check_ruleset(tmp_path / "nowhere").findings] == ["R0220"]
    assert [finding.code for finding in rw.check_ruleset("harbour+").findings][:1] == ["R0220"]
    gone = check_ruleset(harbour, {harbour / "ruleset.yaml": "name: [", harbour / "harbour.rules": "game ?\n"})
    assert {finding.code for finding in gone.findings} >= {"R0205", "R0100"}
    assert gone.at("no_such.rules", 7, 7) is None and gone.symbols("no_such.rules") == ()
