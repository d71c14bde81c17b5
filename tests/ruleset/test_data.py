"""Manifest, tables, rulebook and texts: what is read, and a bad case of every finding."""

from __future__ import annotations

import pytest

from interpreter.ruleset.gathered import Limits

RULEBOOK = """\
clauses:
  - {id: T-001, summary: There is a deck.}
  - {id: T-002, summary: The box is blue., needs_rule: no, reason: it describes the box}
examples:
  - {id: TX-01, summary: A whole turn.}
rulings:
  - {id: R-01, summary: Ties are shared.}
"""


def test_rows_and_marks(workshop) -> None:
    workshop.toy()
    gathered = workshop.good()
    [table] = gathered.tables.values()
    low, high = table.rows
    assert (low.id, low.copies, low.cells["value"].value, low.known) == ("low", 3, 1, frozenset())
    assert (high.copies, high.known) == (1, {"value"})
    assert high.cells["value"].span.at == "rulesets/toy/cards.yaml:5:23"
    [kind] = [p for p in gathered.declarations if getattr(p.declaration, "file", None)]
    assert (str(kind.layer.folder), kind.declaration.file.text) in gathered.tables


def test_rows_by_players(workshop) -> None:
    workshop.toy(
        cards="""\
        kind: Card
        default: known
        rows:
          - {id: always, value: 1, by_players: {3..4: {copies: 5, value: 2}}, assumed: [copies]}
          - {id: for_many, value: 2, by_players: [3, 4]}
        by_players:
          2: [{id: only_two, value: 3}]
          3..4: [{id: more, value: 4}]
        """
    )
    ids = {
        players: [(row.id, row.copies) for row in next(iter(workshop.good("toy", players).tables.values())).rows]
        for players in (2, 3)
    }
    assert ids == {
        2: [("always", 1), ("only_two", 1)],
        3: [("always", 5), ("for_many", 1), ("more", 1)],
    }
    [table] = workshop.good("toy", 3).tables.values()
    assert table.rows[0].cells["value"].value == 2
    assert "copies" not in table.rows[0].known and "value" in table.rows[0].known


def test_rows_for_a_number_of_players_that_never_plays(workshop) -> None:
    cards = """\
        kind: Card
        default: known
        rows:
          - {id: one, value: 1, by_players: [2, 9]}
          - {id: two, value: 2, by_players: {4..6: {value: 3}, 5..6: {value: 4}}}
        by_players:
          1: [{id: three, value: 3}]
        """
    workshop.toy(cards=cards)
    out = "and `toy` is for 2 to 4 players / correct the number, or remove what stands under it"
    counts = {4: "9 players", 5: "5 to 6 players", 7: "1 player"}
    assert sorted(workshop.bad()) == [f"R0227 cards.yaml:{line} this is for {n}, {out}" for line, n in counts.items()]
    workshop.write("second/ruleset.yaml", "name: second\n")
    workshop.write("second/second.rules", 'game second "Second" for 2 players\nuse toy\n')
    workshop.toy(cards=cards.replace("9", "3").replace("5..6", "2").replace("1: [", "4: ["))
    workshop.good("second")


def test_charts_and_enums_from_files(workshop) -> None:
    workshop.toy(
        more_rules="""
        enum Clan from clans.yaml
          bonus: 0..3
        chart track(space: 1..2) from track.yaml
          gift: 0..3
        """
    )
    workshop.write("toy/clans.yaml", "enum: Clan\ndefault: known\nrows: [{id: no, bonus: 1}, {id: yes, bonus: 2}]\n")
    workshop.write("toy/track.yaml", "chart: track\ndefault: known\nrows: [{gift: 1}, {space: 2, gift: 2}]\n")
    tables = {table.of: table for table in workshop.good().tables.values()}
    assert [row.id for row in tables["Clan"].rows] == ["no", "yes"]
    assert [sorted(row.cells) for row in tables["track"].rows] == [["gift"], ["gift", "space"]]


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("kind: Card\ndefault: known\nrows: [{id: a, value: 1, coppies: 2}]\n",
         "R0210 cards.yaml:3 unknown key `coppies` / did you mean `copies`?"),
        ("kind: Card\ndefault: known\nrows: [{id: a, valeu: 1}]\n",
         "R0210 cards.yaml:3 unknown key `valeu` / did you mean `value`?"),
        ("kind: Card\ndefault: known\nrows:\n  - {id: a, value: 1, number: 2}\n  - {id: b, value: 1}\n"
         "  - {id: c, value: 1, number: 7}\n  - {id: d, value: 1, number: 4}\n",
         "R0210 cards.yaml:4 unknown key `number` / declare it below `kind Card`: `number: 2..7`; or leave it out"),
        ("kind: Card\ndefault: known\nrows: [{id: a, value: 1, by_players: {copies: {2: 4}}}]\n",
         "R0210 cards.yaml:3 `copies` cannot be a key here / Numbers of players come first, then what is other there: "
         "`{2: {copies: 4}, 3..4: {copies: 6}}`."),
        ("kind: Card\ndefault: known\nrwos: []\nrows: []\n",
         "R0210 cards.yaml:3 unknown key `rwos` / did you mean `rows`?"),
        ("kind: Card\nrows: []\n",
         "R0211 cards.yaml:1 the key `default` is missing / add `default: known` or `default: assumed`"),
        ("kind: Card\ndefault: known\nrows: [{value: 1}]\n",
         "R0211 cards.yaml:3 the key `id` is missing / add `id: …`"),
        ("kind: Card\ndefault: known\nrows: [{id: a, copies: six}]\n",
         "R0212 cards.yaml:3 `copies` must be a whole number"),
        ("kind: Card\ndefault: known\nrows: {id: a}\n", "R0212 cards.yaml:3 `rows` must be a list"),
        ("kind: Card\ndefault: known\nrows: [a]\n", "R0212 cards.yaml:3 an entry of `rows` must be keys with values"),
        ("- kind: Card\n", "R0212 cards.yaml:1 the file must be a table"),
        ("kind: Card\ndefault: asumed\nrows: []\n",
         "R0212 cards.yaml:2 `default` cannot be `asumed` / did you mean `assumed`?"),
        ("kind: Card\ndefault: known\nrows: [{id: a, copies: -1}]\n",
         "R0213 cards.yaml:3 value -1 is outside 0..10000"),
        ("kind: Card\ndefault: known\nrows: [{id: Nine Lives}]\n",
         "R0214 cards.yaml:3 `Nine Lives` is not a name in lower case with underscores"),
        ("kind: Card\ndefault: known\nrows:\n  - {id: a, value: 1}\n  - {id: a, value: 2}\n",
         "R0215 cards.yaml:5 the row `a` stands twice"),
        ("kind: Tile\ndefault: known\nrows: []\n", "R0216 cards.yaml:1 this is a table of the kind `Tile`"),
        ("enum: Card\ndefault: known\nrows: []\n", "R0216 cards.yaml:1 this is a table of the enum `Card`"),
        ("map: town\ndefault: known\nnodes: {Square: [{id: q1}]}\nedges: {}\n",
         "R0216 cards.yaml:1 `cards.yaml` is a map, not a table / read it with `map NAME from FILE`, or name another"),
        ("clauses: [{id: T-001, summary: A rule.}]\n", "R0216 cards.yaml:1 `cards.yaml` is a rulebook, not a table"),
        ("kind: Card\ndefault: known\nby_players: {3: []}\n", "R0217 cards.yaml:3 no rows for 2 players"),
        ("kind: Card\ndefault: known\nby_players: {three: []}\n", "R0210 cards.yaml:3 `three` cannot be a key here"),
        ("kind: Card\ndefault: assumed\nrows: [{id: a, value: 1, known: [valeu]}]\n",
         "R0218 cards.yaml:3 the table has no column `valeu` to mark / did you mean `value`?"),
        ("kind: Card\ndefault: known\npieces: {all: 4}\nrows: [{id: a, value: 1, copies: 3}]\n",
         "R0219 cards.yaml:3 the table makes 3 pieces, not 4"),
        ("kind: Card\ndefault: known\npieces: {value: 2}\nrows:\n  - {id: a, value: 1, copies: 2}\n"
         "  - {id: b, value: 2}\n",
         "R0219 cards.yaml:3 `value: 2` makes 1 pieces, not 2"),
        ("kind: Card\ndefault: known\npieces: {valeu: 2}\nrows: []\n",
         "R0218 cards.yaml:3 the table has no column `valeu` to count by / did you mean `value`?"),
        ("kind: Card\ndefault: known\nkind: Card\nrows: []\n", "R0206 cards.yaml:3 the key `kind` stands twice"),
        ("kind: Card\ndefault: known\nrows:\n\t- {id: a}\n", "R0204 cards.yaml:4 a tab in the indentation"),
        ("kind: Card\ndefault: known\nrows: [{id: a, by_players: {2: {copies: x}}}]\n",
         "R0212 cards.yaml:3 `copies` must be a whole number"),
        ("kind: Card\ndefault: known\nrows:\n  - {id: a, value: 1, gift: take(wood, 2, coin)}\n",
         "R0210 cards.yaml:4 the comma ends the cell: `take(wood` / "
         'put the cell in quotes: `gift: "take(wood, 2, coin)"`'),
        ("kind: Card\ndefault: known\nrows:\n  - {id: a, value: 1, gift: rest, earn(1)}\n",
         'R0210 cards.yaml:4 the comma ends the cell: `rest` / put the cell in quotes: `gift: "rest, earn(1)"`'),
        ("kind: Card\ndefault: known\nrows: [{id: a, by_players: {2: {id: b}}}]\n",
         "R0210 cards.yaml:3 `id` cannot be a key here"),
    ],
)  # fmt: skip
def test_bad_tables(workshop, cards: str, told: str) -> None:
    workshop.toy(cards=cards)
    [finding] = workshop.bad()
    assert finding.startswith(told)


def test_all_findings_of_a_table_come_in_one_run(workshop) -> None:
    workshop.toy(
        cards="kind: Card\ndefault: known\nrows:\n  - {id: A}\n  - {id: b, copies: x}\n  - {id: c, known: a}\n"
    )
    assert [finding.split()[1] for finding in workshop.bad()] == ["cards.yaml:4", "cards.yaml:5", "cards.yaml:6"]


def test_a_missing_table_is_told_where_it_is_named(workshop) -> None:
    workshop.toy()
    (workshop.folder / "rulesets/toy/cards.yaml").unlink()
    gathered, [finding] = workshop.gather()
    assert finding.code == "R0201" and finding.headline == "the file `cards.yaml` cannot be read"
    assert finding.primary.span.at == "rulesets/toy/toy.rules:4:16"
    assert gathered is not None and gathered.tables == {}


# ---------------------------------------------------------------------------- manifest


def test_a_full_manifest(workshop) -> None:
    workshop.toy(
        manifest="""\
        format: 1
        name: toy
        title: Toy
        edition: 2nd
        players: {fewest: 2, most: 4}
        minutes: {fewest: 10, most: 20}
        files: [toy.rules]
        authors: [A. Author]
        languages: [en, fr]
        limits: {frames: 64, decisions: 500}
        notes: made for tests
        """
    )
    workshop.write("toy/texts/fr.yaml", "texts:\n  Coins: Pièces\n  low: {plain: bas, definite: le bas}\n")
    gathered = workshop.good()
    assert gathered.limits == Limits(frames=64, decisions=500)
    assert gathered.languages == ("en", "fr")
    assert gathered.texts == {"fr": {"Coins": "Pièces", "low": "bas", "low|definite": "le bas"}}


@pytest.mark.parametrize(
    ("manifest", "told"),
    [
        (
            "name: toy\nplayer: {fewest: 2, most: 4}\n",
            "R0210 ruleset.yaml:2 unknown key `player` / did you mean `players`?",
        ),
        ("title: Toy\n", "R0211 ruleset.yaml:1 the key `name` is missing"),
        ("name: toy\nplayers: {fewest: two, most: 4}\n", "R0212 ruleset.yaml:2 `fewest` must be a whole number"),
        ("name: toy\nformat: 9\n", "R0212 ruleset.yaml:2 `format` cannot be `9`"),
        ("name: toy\nlimits: {frames: 1}\n", "R0213 ruleset.yaml:2 value 1 is outside 16..100000"),
        ("name: toy\nminutes: long\n", "R0212 ruleset.yaml:2 `minutes` must be a whole number or keys with values"),
        ("name: toy\nfiles: []\n", "R0214 ruleset.yaml:2 `files` is empty or too short"),
        ("name: toy\nfiles: [other.rules]\n", "R0201 ruleset.yaml:2 the file `other.rules` cannot be read"),
        ("name: toy\nfiles: [../../secret.rules]\n", "R0201 ruleset.yaml:2 the file `../../secret.rules` is outside"),
        ("name: toy\nrulebook: book.yaml\n", "R0201 ruleset.yaml:2 the file `book.yaml` cannot be read"),
        (
            "name: toy\nplayers: {fewest: 2, most: 5}\n",
            "R0224 ruleset.yaml:2 `most` is 5 here and 4 in the `game` line",
        ),
        ("name: toy\ntitle: Tory\n", "R0224 ruleset.yaml:2 `title` is Tory here and Toy in the `game` line"),
        ("name: toys\nfiles: [toy.rules]\n", "R0224 ruleset.yaml:1 `name` is toys here and toy in the `game` line"),
        ("name: toy\nvariants: [{name: big}]\n", "R0224 ruleset.yaml:2 no rules file declares the variant `big`"),
    ],
)
def test_bad_manifests(workshop, manifest: str, told: str) -> None:
    workshop.toy(manifest=manifest)
    findings = workshop.bad()
    assert findings[0].startswith(told) and len(findings) == 1


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("part of toy\n", "R0225 ruleset.yaml:1 no rules file of `toy` has a `game` line"),
        ('game toy "Toy" for 2..4 players\ngame toy "Toy" for 2..4 players\n',
         "R0225 toy.rules:2 a ruleset has one `game` line"),
        ('game toy "Toy" for 2..4 players\npart of tory\n',
         "R0226 toy.rules:2 this file belongs to `toy`, not to `tory` / did you mean `toy`?"),
        ('game toy "Toy" for 2..4 players\nvariant big of other\n  remove x\n',
         "R0226 toy.rules:2 the variant `big` is of `other`, and this is `toy` / write `toy`"),
    ],
)  # fmt: skip
def test_bad_heads(workshop, rules: str, told: str) -> None:
    workshop.toy(rules=rules)
    findings = workshop.bad()
    assert findings[0].startswith(told) and len(findings) == 1


def test_bad_texts(workshop) -> None:
    workshop.toy()
    workshop.write("toy/texts/fr.yaml", "texts:\n  Coins: [Pièces]\n")
    [finding] = workshop.bad()
    assert finding.startswith("R0212 fr.yaml:2 `Coins` must be text")


# ---------------------------------------------------------------------------- rulebook


def test_clauses_examples_and_rulings(workshop) -> None:
    workshop.toy(
        more_rules="""
        constant extra: 0..9 = 1  @T-001 @R-01
        scenario "A turn" for 2 players  @TX-01
          then
            size == 3
        """
    )
    workshop.write("toy/rulebook.yaml", RULEBOOK)
    gathered = workshop.good()
    assert [(c.id, c.section, c.needs_rule) for c in gathered.clauses.values()] == [
        ("T-001", "clause", True),
        ("T-002", "clause", False),
        ("TX-01", "example", False),
        ("R-01", "ruling", True),
    ]
    assert len(gathered.scenarios) == 1


def test_unknown_clauses_in_rules_scenarios_and_rows(workshop) -> None:
    workshop.toy(
        more_rules='constant extra: 0..9 = 1  @T-003\nscenario "A turn" for 2 players  @TX-11\n  then\n    size == 3\n',
        cards="kind: Card\ndefault: known\nrows:\n  - {id: a, value: 1, cites: [T-001, Q-9]}\n",
    )
    workshop.write("toy/rulebook.yaml", RULEBOOK)
    first, second, third = workshop.bad()
    assert first.startswith("R0230 toy.rules:27 the rulebook has no clause `T-003` / did you mean `T-001`?")
    assert second.startswith("R0230 toy.rules:28 the rulebook has no clause `TX-11` / did you mean `TX-01`?")
    assert third.startswith("R0230 cards.yaml:4 the rulebook has no clause `Q-9` / list it in rulebook.yaml")


def test_clauses_that_are_the_same_in_a_used_ruleset(workshop) -> None:
    workshop.toy()
    workshop.write("toy/rulebook.yaml", RULEBOOK)
    workshop.write("second/ruleset.yaml", "name: second\n")
    workshop.write("second/second.rules", 'game second "Second" for 2..4 players\nuse toy\n')
    clause = "clauses:\n  - {id: S-1, summary: As before., same_as: [T-001]}\n"
    workshop.write("second/rulebook.yaml", clause)
    assert workshop.good("second").clauses["S-1"].same_as == ("T-001",)
    workshop.write("second/rulebook.yaml", clause.replace("T-001", "T-009"))
    [finding] = workshop.bad("second")
    assert finding.startswith("R0230 rulebook.yaml:2 `S-1` is the same as `T-009`, and no rulebook has that clause")


def test_without_a_rulebook_anything_may_be_cited(workshop) -> None:
    workshop.toy(more_rules="constant extra: 0..9 = 1  @T-003\n")
    workshop.good()


@pytest.mark.parametrize(
    ("rulebook", "told"),
    [
        (RULEBOOK + "  - {id: T-001, summary: Again.}\n", "R0231 rulebook.yaml:8 the clause `T-001` is listed twice"),
        (
            "clauses:\n  - {id: T-001, summary: A., needs_rule: no}\n",
            "R0231 rulebook.yaml:2 the clause `T-001` needs no rule",
        ),
        ("clauses:\n  - {id: T-001}\n", "R0211 rulebook.yaml:2 the key `summary` is missing"),
        ("clauses:\n  - {id: 7, summary: A.}\n", "R0212 rulebook.yaml:2 `id` must be a clause id such as `K-041`"),
        ("clauses:\n  - {id: t1, summary: A.}\n", "R0214 rulebook.yaml:2 `t1` is not a clause id such as `K-041`"),
    ],
)
def test_bad_rulebooks(workshop, rulebook: str, told: str) -> None:
    workshop.toy()
    workshop.write("toy/rulebook.yaml", rulebook)
    [finding] = workshop.bad()
    assert finding.startswith(told)


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ('scenario "A" with bgi for 2 players', "R0232 toy.rules:30 `toy` has no variant `bgi` / did you mean `big`?"),
        ('scenario "A" for 7 players', "R0232 toy.rules:30 `toy` is not for 7 players / it is for 2 to 4 players"),
    ],
)
def test_scenarios_that_cannot_be_set_up(workshop, head: str, told: str) -> None:
    workshop.toy(more_rules=f'variant big of toy "Big"\n  set size = 5\n\n{head}\n  then\n    size == 3\n')
    assert workshop.bad() == [told]
