"""Layers over one another: every verb, conflicts with both places, and that order on the command line is nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.check.check import check
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.ruleset.gathered import Gathered, Placed
from interpreter.syntax import nodes


def declared(gathered: Gathered, form: type[nodes.Declaration], name: str) -> Placed:
    """The one declaration of that form and name."""
    [placed] = [p for p in gathered.declarations if isinstance(p.declaration, form) and p.declaration.name.text == name]
    return placed


def test_set_gives_a_constant_another_value(workshop) -> None:
    workshop.toy(more_rules='variant big of toy "Big"\n  set size = 5\n')
    placed = declared(workshop.good("toy+big"), nodes.Constant, "size")
    assert placed.declaration.value.value == 5
    assert (placed.layer.name, placed.layer.role) == ("big", "variant")
    assert [old.value.value for old in placed.replaced] == [3]
    assert declared(workshop.good(), nodes.Constant, "size").declaration.value.value == 3


def test_replace_rules_keeps_what_is_not_said_again(workshop) -> None:
    workshop.toy(
        more_rules='variant v of toy "V"\n  replace value worth(p) = 1\n  replace effect take(p)\n    end game\n'
    )
    gathered = workshop.good("toy+v")
    worth = declared(gathered, nodes.Value, "worth").declaration
    assert worth.type is not None and worth.expression.value == 1
    assert isinstance(declared(gathered, nodes.Effect, "take").declaration.body[0], nodes.EndGame)
    assert not any(isinstance(p.declaration, nodes.Replace | nodes.Variant) for p in gathered.declarations)


def test_replace_kind_changes_rows_and_listed_attributes(workshop) -> None:
    workshop.toy(
        more_rules='variant v of toy "V"\n  replace kind Card from others.yaml\n    value: 1..20\n    colour: 1..3\n'
    )
    workshop.write("toy/others.yaml", "kind: Card\ndefault: known\nrows: [{id: x, value: 20, colour: 1}]\n")
    gathered = workshop.good("toy+v")
    kind = declared(gathered, nodes.Kind, "Card")
    assert [field.name.text for field in kind.declaration.fields] == ["value", "trick", "colour"]
    table = gathered.tables[str(kind.layer.folder), kind.declaration.file.text]
    assert [row.id for row in table.rows] == ["x"]


def test_extend_adds_rows_and_members(workshop) -> None:
    workshop.toy(
        more_rules="""
        enum Suit = clubs | hearts
        variant v of toy "V"
          extend kind Card from more.yaml
          extend enum Suit = stars
        """
    )
    workshop.write("toy/more.yaml", "kind: Card\ndefault: known\nrows: [{id: x, value: 2}]\n")
    gathered = workshop.good("toy+v")
    kind = declared(gathered, nodes.Kind, "Card")
    table = gathered.tables[str(kind.layer.folder), kind.declaration.file.text]
    assert [row.id for row in table.rows] == ["low", "high", "x"]
    suit = declared(gathered, nodes.Enum, "Suit").declaration
    assert [member.text for member in suit.members] == ["clubs", "hearts", "stars"]


def test_replace_fields(workshop) -> None:
    workshop.toy(
        more_rules="""
        variant v of toy "V"
          replace each player
            coins: 0..99 secret
          replace table
            deck: pile of Card open
        """
    )
    gathered = workshop.good("toy+v")
    [each] = [p for p in gathered.declarations if isinstance(p.declaration, nodes.Each)]
    [field] = each.declaration.fields
    assert field.type.high.value == 99 and each.replaced
    [table] = [p.declaration for p in gathered.declarations if isinstance(p.declaration, nodes.Table)]
    assert [modifier.text for modifier in table.fields[0].modifiers] == ["open"]


def test_replace_score_for_some_leaves_the_others_theirs(workshop) -> None:
    workshop.toy(more_rules='variant v of toy "V"\n  replace score q when q == seat2\n    "All"  3\n')
    gathered = workshop.good("toy+v")
    old, new = [p.declaration for p in gathered.declarations if isinstance(p.declaration, nodes.Score)]
    assert isinstance(old.when, nodes.Not) and old.when.of.left.name == "p"
    assert new.when.left.name == "q"


def test_replace_score_for_all(workshop) -> None:
    workshop.toy(more_rules='variant v of toy "V"\n  replace score p\n    "All"  3\n')
    [score] = [p.declaration for p in workshop.good("toy+v").declarations if isinstance(p.declaration, nodes.Score)]
    assert score.lines[0].label.raw == "All"


def test_scores_under_different_conditions_stand_beside_one_another(workshop) -> None:
    parts = [f'variant v{n} of toy "V"\n  replace score p when p == seat{n}\n    "All"  {n}\n' for n in (1, 2)]
    workshop.toy(more_rules="\n" + "".join(parts))
    scores = [p.declaration for p in workshop.good("toy+v1+v2").declarations if isinstance(p.declaration, nodes.Score)]
    assert [line.label.raw for score in scores for line in score.lines] == ["Coins", "All", "All"]
    assert isinstance(scores[0].when, nodes.And)


def test_a_variant_is_not_offered_what_it_could_not_remove(workshop) -> None:
    """Neither another variant, which it may only exclude, nor something of its own."""
    more = 'variant v of toy "V"\n  remove w\n  effect ww(p)\n    stop\nvariant www of toy "W"\n  set size = 4\n'
    workshop.toy(more_rules="\n" + more)
    (told,) = workshop.bad("toy+v")
    assert told.startswith("R0603") and told.endswith("hook of a layer below can be removed")


def test_remove_a_rule_and_a_named_hook(workshop) -> None:
    workshop.toy(
        more_rules='after take(p) as careful\n  stop\nvariant v of toy "V"\n  remove careful\n  remove worth\n'
    )
    gathered = workshop.good("toy+v")
    assert not [p for p in gathered.declarations if isinstance(p.declaration, nodes.Hook)]
    assert "worth" not in [
        p.declaration.name.text for p in gathered.declarations if isinstance(p.declaration, nodes.Value)
    ]


TWO = """
variant a of toy "A"
  set size = 4
  after take(p)
    stop
variant b of toy "B"
  after take(p)
    done
"""


def test_the_order_on_the_command_line_does_not_matter(workshop) -> None:
    workshop.toy(more_rules=TWO)
    one, other = workshop.good("toy+a+b"), workshop.good("toy+b+a")
    assert one.name == other.name == "toy+a+b"
    assert one.declarations == other.declarations and one.fingerprint == other.fingerprint


def test_the_manifest_orders_variants(workshop) -> None:
    workshop.toy(more_rules=TWO, manifest="name: toy\nvariants: [{name: b, title: The second}]\n")
    gathered = workshop.good("toy+a+b")
    assert gathered.variants == ("b", "a")
    assert [(layer.name, layer.rank) for layer in gathered.layers] == [("toy", 0), ("b", 1), ("a", 2)]
    assert [(variant.name, variant.title) for variant in gathered.all_variants] == [("b", "The second"), ("a", "A")]


def test_variant_files_are_found_by_themselves(workshop) -> None:
    workshop.toy()
    workshop.write("toy/variants/b.rules", 'variant b of toy "B"\n  set size = 2\n')
    workshop.write("toy/variants/a.rules", 'variant a of toy "A" for 3..4 players\n  set size = 1\n')
    gathered = workshop.good("toy+a")
    assert [variant.name for variant in gathered.all_variants] == ["a", "b"]
    assert (gathered.players, gathered.fewest, gathered.most) == (3, 3, 4)


CONFLICTS = [
    ("set size = 4", "set size = 5", "two variants set `size`"),
    ("set size = 4", "remove size", "two variants change `size`"),
    ("replace effect take(p)\n    stop", "replace effect take(p)\n    done", "two variants replace `take`"),
    ("replace value worth(p) = 1", "remove worth", "two variants change `worth`"),
    ("replace each player\n    coins: 0..5", "replace each player\n    coins: 0..6", "two variants replace `coins`"),
    ("replace each player\n    coins: 0..5", "remove coins from each player", "two variants change `coins`"),
    ('replace score p\n    "A"  1', 'replace score p\n    "B"  1', "two variants replace the score"),
    ('replace score p when p == seat1\n    "A"  1', 'replace score p\n    "B"  1', "two variants replace the score"),
    ("replace setup\n    end game", "replace setup\n    end game", "two variants replace the setup"),
    ("extend kind Card from cards.yaml", "replace kind Card from cards.yaml", "two variants change `Card`"),
    ("extend kind Card\n    value: 1..8", "extend kind Card\n    value: 1..7",
     "two variants declare `value` of `Card`"),
    ("extend map way from way.yaml", "replace map way from way.yaml", "two variants change `way`"),
    ("extend map way from way.yaml", "remove way", "two variants change `way`"),
    ("extend map way from way.yaml\n    node Spot\n      vp: 0..9", "extend map way from way.yaml\n    node Spot\n"
     "      vp: 0..8", "two variants declare `vp` of `Spot`"),
]  # fmt: skip

WAY = "map way from way.yaml\n  node Spot\n  edge Lane\n"
LANES = "map: way\ndefault: known\nnodes: {Spot: [{id: x}, {id: y}]}\nedges: {Lane: [{ends: [x, y]}]}\n"


@pytest.mark.parametrize("turned", (False, True))
@pytest.mark.parametrize(("one", "other", "headline"), CONFLICTS)
def test_conflicts_are_told_with_both_places(workshop, one: str, other: str, headline: str, turned: bool) -> None:
    one, other = (other, one) if turned else (one, other)
    workshop.write("toy/way.yaml", LANES)
    workshop.toy(more_rules=f'\n{WAY}variant a of toy "A"\n  {one}\nvariant b of toy "B"\n  {other}\n')
    _, findings = workshop.gather("toy+b+a")
    conflict = findings[0]
    assert (conflict.code, conflict.headline) == ("R0604", headline)
    assert "`b`" in conflict.primary.text and "`a`" in conflict.others[0].text
    assert conflict.primary.span.start > conflict.others[0].span.start


def _fields_of_players(gathered) -> list[str]:
    blocks = [p.declaration for p in gathered.declarations if isinstance(p.declaration, nodes.Each)]
    return [field.name.text for block in blocks if block.of is None for field in block.fields]


def test_fields_are_removed_by_name_and_owner(workshop) -> None:
    first = 'variant a of toy "A"\n  remove coins from each player\n'
    second = 'variant b of toy "B"\n  remove coins from each player\n  each player\n    silver: 0..9\n'
    over = 'variant c of toy "C"\n  overrides a\n  replace each player\n    coins: 0..7\n'
    workshop.toy(more_rules="\n" + first + second + over)
    assert "coins" in _fields_of_players(workshop.good("toy"))
    for name in ("toy+a", "toy+a+b"):
        assert "coins" not in _fields_of_players(workshop.good(name))
    assert "silver" in _fields_of_players(workshop.good("toy+b"))
    assert "coins" in _fields_of_players(workshop.good("toy+a+c"))  # the one that overrides brings it back


@pytest.mark.parametrize(
    ("line", "headline"),
    (
        ("remove coin from each player", "each player has no `coin` to remove"),
        ("remove coins from table", "the table has no `coins` to remove"),
        ("remove coins from each Card", "each Card has no `coins` to remove"),
    ),
)
def test_a_field_that_is_not_there_is_not_removed(workshop, line: str, headline: str) -> None:
    workshop.toy(more_rules=f'\nvariant a of toy "A"\n  {line}\n')
    _, findings = workshop.gather("toy+a")
    assert [(finding.code, finding.headline) for finding in findings] == [("R0603", headline)]


def test_two_variants_may_remove_the_same(workshop) -> None:
    workshop.toy(more_rules='\nvariant a of toy "A"\n  remove worth\nvariant b of toy "B"\n  remove worth\n')
    gathered = workshop.good("toy+a+b")
    assert not [p for p in gathered.declarations if isinstance(p.declaration, nodes.Value)]


def test_the_one_that_overrides_has_the_last_word_whatever_their_order(workshop) -> None:
    """What it sets is there though the other removes it, and it extends what the other replaces."""
    workshop.write("toy/way.yaml", LANES)
    workshop.write(
        "toy/long.yaml", LANES.replace("[{id: x}", "[{id: z}, {id: x}").replace("[{e", "[{ends: [y, z]}, {e")
    )
    workshop.write("toy/more.yaml", "map: way\ndefault: known\nnodes: {Spot: [{id: w}]}\n")
    low = 'variant low of toy "L"\n  remove size\n  replace map way from long.yaml\n'
    high = 'variant high of toy "H"\n  overrides low\n  set size = 4\n  extend map way from more.yaml\n'
    for text in (low + high, high + low):
        workshop.toy(more_rules="\n" + WAY + text)
        gathered = workshop.good("toy+high+low")
        assert gathered.variants == ("low", "high")
        assert declared(gathered, nodes.Constant, "size").declaration.value.value == 4
        assert declared(gathered, nodes.Map, "way").declaration.file.text == "long.yaml+more.yaml"


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("needs a", "set size = 4", "R0610 toy.rules:28 `a` needs itself / name another variant"),
        ("excludes b", "needs a",
         "R0610 toy.rules:28 `b` needs `a`, and they exclude one another / keep one of the two"),
        ("needs b\n  excludes b", "set size = 4",
         "R0610 toy.rules:29 `a` needs `b`, and they exclude one another / keep one of the two"),
        ("overrides b", "overrides a",
         "R0610 toy.rules:28 `a` and `b` override one another / let one of them have the last word"),
    ],
)  # fmt: skip
def test_what_variants_say_of_one_another_can_be_met(workshop, one: str, other: str, told: str) -> None:
    workshop.toy(more_rules=f'variant a of toy "A"\n  {one}\nvariant b of toy "B"\n  {other}\n')
    assert workshop.bad("toy") == [told]


def test_one_variant_may_override_the_other_whatever_their_order(workshop) -> None:
    for overriding in ("a", "b"):
        values = {"a": 4, "b": 5}
        parts = [
            f'variant {name} of toy "V"\n'
            + (f"  overrides {other}\n" if name == overriding else "")
            + f"  set size = {values[name]}\n"
            for name, other in (("a", "b"), ("b", "a"))
        ]
        workshop.toy(more_rules="\n" + "".join(parts))
        gathered = workshop.good("toy+a+b")
        assert declared(gathered, nodes.Constant, "size").declaration.value.value == values[overriding]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("set sise = 4", "R0603 toy.rules:29 there is no constant `sise` to set / did you mean `size`?"),
        ("replace effect tak(p)\n    stop",
         "R0603 toy.rules:29 there is no effect `tak` to replace / did you mean `take`?"),
        ("replace kind Crad from cards.yaml",
         "R0603 toy.rules:29 there is no kind `Crad` to replace / did you mean `Card`?"),
        ("extend enum Suit = stars", "R0603 toy.rules:29 there is no enum `Suit` to extend"),
        ("remove wroth", "R0603 toy.rules:29 there is no `wroth` to remove / did you mean `worth`?"),
        ("replace each player\n    coin: 0..9",
         "R0603 toy.rules:30 each player has no `coin` to replace / did you mean `coins`?"),
        ("replace table\n    dekc: pile of Card open",
         "R0603 toy.rules:30 the table has no `dekc` to replace / did you mean `deck`?"),
        ("replace each Card\n    used: flag", "R0603 toy.rules:30 each Card has no `used` to replace"),
        ("replace table\n    deck: 0..9", "R0605 toy.rules:30 `deck` is a place, not a field"),
        ("replace action take(p)\n    stop", "R0605 toy.rules:29 `take` is an effect, not an action"),
        ("replace effect take(p, n: 1..2)\n    stop",
         "R0605 toy.rules:29 `take` has other parameters than what it replaces"),
        ("effect take(p)\n    stop", "R0606 toy.rules:29 `take` is declared again / write `replace` before it"),
        ("each player\n    coins: 0..3", "R0606 toy.rules:30 `coins` is declared again"),
        ("setup\n    end game", "R0606 toy.rules:29 the setup is declared again"),
        ("set size = 4\n  set size = 5", "R0604 toy.rules:30 `v` changes `size` twice"),
        ("remove v", "R0603 toy.rules:29 `v` is a variant, and a game removes only those of a ruleset that it uses"
         " / say `excludes v`"),
        ("needs sollo", "R0608 toy.rules:29 `v` needs `sollo`, and there is no such variant"),
    ],
)  # fmt: skip
def test_verbs_that_meet_nothing(workshop, body: str, told: str) -> None:
    workshop.toy(more_rules=f'\nvariant v of toy "V"\n  {body}\n')
    [finding] = workshop.bad("toy+v")
    assert finding.startswith(told)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("set size = 5", "R0603 toy.rules:28 `size` is declared in the same layer / change the declaration itself"),
        ("replace value worth(p) = 1",
         "R0603 toy.rules:28 `worth` is declared in the same layer / change the declaration itself"),
        ("remove worth", "R0603 toy.rules:28 `worth` is declared in the same layer / change the declaration itself"),
        ('variant v of toy "V"\n  use nim',
         "R0226 toy.rules:29 `use` does not stand in a variant / write it at the left margin"),
        ('variant v of toy "V"\n  variant w of toy "W"\n    set size = 2',
         "R0226 toy.rules:29 `variant` does not stand in a variant / write it at the left margin"),
        ('variant toy of toy "V"\n  set size = 2',
         "R0606 toy.rules:28 the variant `toy` is called like its game / give it another name"),
        ('variant v of toy "V" for 5..6 players\n  set size = 2',
         "R0607 toy.rules:28 the variant `v` is for 5 to 6 players / "
         "give it some of the numbers of the game, the smaller first"),
        ('variant v of toy "V" for 3..2 players\n  set size = 2',
         "R0607 toy.rules:28 the variant `v` is for 3 to 2 players / "
         "give it some of the numbers of the game, the smaller first"),
    ],
)  # fmt: skip
def test_what_does_not_stand_there(workshop, more: str, told: str) -> None:
    workshop.toy(more_rules=f"\n{more}\n")
    assert workshop.bad("toy") == [told]


@pytest.mark.parametrize("count", ("0", "3..2", "2..400"))
def test_a_game_that_nobody_could_play(workshop, count: str) -> None:
    workshop.toy(rules=f'game toy "Toy" for {count} players\nplay\n  end game\n')
    (told,) = workshop.bad("toy")
    assert told.startswith("R0607 toy.rules:1 ")


MODES = """
variant solo of toy "Solo" for 2 players
  excludes crowd
  set size = 1
variant hard of toy "Hard"
  needs solo
  replace value worth(p) = 1
variant crowd of toy "Crowd" for 4 players
  set size = 9
variant three of toy "Three" for 3..4 players
  replace effect take(p)
    stop
"""


def test_needs_excludes_and_players(workshop) -> None:
    workshop.toy(more_rules=MODES)
    assert workshop.good("toy+hard+solo").variants == ("solo", "hard")
    assert workshop.good("toy+hard").variants == ("solo", "hard")  # what is needed comes in by itself
    assert workshop.good("toy+hard").name == "toy+solo+hard"
    assert workshop.bad("toy+hard+crowd") == [
        "R0602 command line:1 `solo` and `crowd` exclude one another / ask for one of them"
    ]
    assert workshop.bad("toy+crowd+solo") == [
        "R0602 command line:1 `solo` and `crowd` exclude one another / ask for one of them"
    ]
    _, [excluded] = workshop.gather("toy+crowd+solo")
    assert [label.span.text for label in excluded.others] == ["crowd"] and excluded.others[0].text == "said here"
    assert excluded.others[0].span.at.endswith("toy.rules:29:12")
    assert workshop.bad("toy+solo+three")[0].startswith("R0607 command line:1 no number of players is left")
    assert workshop.bad("toy+crowd", 3) == [
        "R0223 command line:1 `toy+crowd` is not for 3 players / it is for 4 players"
    ]


# ---------------------------------------------------------------------------- used rulesets

SECOND = """\
game second "Second" for 2 players
use toy
set size = 7
replace effect take(p)
  end game
remove solo
remove hard
variant longer of second "Longer"
  set size = 9
"""


def test_a_used_ruleset_is_the_lower_layer(workshop) -> None:
    workshop.toy(more_rules=MODES)
    workshop.write("second/ruleset.yaml", "name: second\n")
    workshop.write("second/second.rules", SECOND)
    gathered = workshop.good("second+longer")
    assert [(layer.name, layer.role) for layer in gathered.layers] == [
        ("toy", "used"),
        ("second", "game"),
        ("longer", "variant"),
    ]
    assert declared(gathered, nodes.Constant, "size").declaration.value.value == 9
    assert [p.declaration.name.text for p in gathered.declarations if isinstance(p.declaration, nodes.Game)] == [
        "second"
    ]
    assert [variant.name for variant in gathered.all_variants] == ["crowd", "three", "longer"]
    assert [Path(folder).name for folder, _ in gathered.tables] == ["toy"]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("remove solo\nremove solo\nremove hard",
         "R0604 second.rules:4 `second` removes the variant `solo` twice / keep one of them"),
        ("remove solo", "R0608 second.rules:3 `solo` is removed, and `hard` needs it / `remove hard` as well"),
        ("remove sollo", "R0603 second.rules:3 there is no `sollo` to remove / did you mean `solo`?"),
        ("constant size: 1..9 = 4", "R0606 second.rules:3 `size` is declared again / "
         "write `set size = …` to change it, or give it another name"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_to_a_used_ruleset(workshop, lines: str, told: str) -> None:
    workshop.toy(more_rules=MODES)
    workshop.write("second/ruleset.yaml", "name: second\n")
    workshop.write("second/second.rules", f'game second "Second" for 2..3 players\nuse toy\n{lines}\n')
    assert workshop.bad("second") == [told]


def test_a_variant_may_exclude_or_override_one_that_is_removed(workshop) -> None:
    workshop.toy(more_rules=MODES.replace("  needs solo\n", "  overrides solo\n  excludes crowd\n"))
    workshop.write("second/ruleset.yaml", "name: second\n")
    workshop.write("second/second.rules", 'game second "Second" for 2..3 players\nuse toy\nremove solo\nremove crowd\n')
    assert workshop.good("second+hard").variants == ("hard",)


def test_what_a_core_leaves_open_is_given(workshop) -> None:
    workshop.write("base/ruleset.yaml", "name: base\n")
    workshop.write(
        "base/base.rules",
        'core base "Base" for 2 players\nconstant limit: 0..9\neffect bonus(p)\nplay\n  bonus(seat1)\n',
    )
    workshop.write("top/ruleset.yaml", "name: top\n")
    workshop.write(
        "top/top.rules", 'game top "Top" for 2 players\nuse base\nset limit = 3\neffect bonus(p)\n  end game\n'
    )
    gathered = workshop.good("top")
    assert declared(gathered, nodes.Effect, "bonus").layer.name == "top"
    assert declared(gathered, nodes.Constant, "limit").declaration.value.value == 3


def test_rulesets_that_use_one_another(workshop) -> None:
    for one, other in (("left", "right"), ("right", "left")):
        workshop.write(f"{one}/ruleset.yaml", f"name: {one}\n")
        workshop.write(f"{one}/{one}.rules", f'game {one} "X" for 2 players\nuse {other}\n')
    _, [finding] = workshop.gather("left")
    assert (finding.code, finding.headline) == ("R0609", "`left` uses itself")
    assert finding.notes == ("`left` uses `right` uses `left`",)


def test_a_ruleset_is_used_once(workshop) -> None:
    workshop.toy()
    workshop.write("second/ruleset.yaml", "name: second\n")
    workshop.write("second/second.rules", 'game second "Second" for 2 players\nuse toy\nuse toy\n')
    assert workshop.bad("second") == ["R0609 second.rules:3 `toy` is used twice / remove one of them"]


def test_a_used_ruleset_that_is_not_there(workshop) -> None:
    workshop.toy(rules='game toy "Toy" for 2..4 players\nuse tic_tac_to\n')
    assert workshop.bad() == ["R0220 toy.rules:2 there is no ruleset `tic_tac_to` / did you mean `tic_tac_toe`?"]


STORMS = {
    "windfall": "  instead of worth(p) when p.coins < 9\n    result 7\n",
    "storm": "  overrides windfall\n  instead of worth(p)\n    result 2\n",
}


@pytest.mark.parametrize("order", (("windfall", "storm"), ("storm", "windfall")))
def test_what_overrides_is_asked_first_instead_of_a_rule(workshop, order: tuple[str, str]) -> None:
    """A conditional `instead of` that is overridden never stands before the one that overrides it."""
    variants = "".join(f'variant {name} of toy "V"\n{STORMS[name]}' for name in order)
    workshop.toy(more_rules="\n" + variants)
    gathered, found = workshop.good("toy+storm+windfall"), Diagnostics()
    program = check(gathered, found)
    assert program is not None, [finding.headline for finding in found]
    assert [hook.layer for hook in program.rules["worth"].instead] == ["storm", "windfall"]


@pytest.mark.parametrize("order", (("whole", "part"), ("part", "whole")))
@pytest.mark.parametrize(
    "part", ("instead of worth(p)\n    result previous", "instead of worth(p) when p.coins < 9\n    result 7")
)
def test_a_whole_replacement_is_asked_behind_a_partial_one(workshop, part: str, order: tuple[str, str]) -> None:
    lines = {"whole": "instead of worth(p)\n    result 2", "part": part}
    workshop.toy(more_rules="\n" + "".join(f'variant {name} of toy "V"\n  {lines[name]}\n' for name in order))
    found = Diagnostics()
    program = check(workshop.good("toy+part+whole"), found)
    assert program is not None, [finding.headline for finding in found]
    assert [hook.layer for hook in program.rules["worth"].instead] == ["part", "whole"]


@pytest.mark.parametrize("order", (("more", "other"), ("other", "more")))
def test_lines_that_a_variant_adds_stay_with_a_score_that_another_replaces(workshop, order: tuple[str, str]) -> None:
    lines = {"more": 'score p\n    "More"  1', "other": 'replace score p\n    "Other"  2'}
    text = "\n" + "".join(f'variant {name} of toy "V"\n  {lines[name]}\n' for name in order)
    workshop.toy(more_rules=text)
    assert sorted(_score_labels(workshop.good("toy+more+other"))) == ["More", "Other"]
    workshop.toy(more_rules=text.replace("  replace score", "  overrides more\n  replace score"))
    assert _score_labels(workshop.good("toy+more+other")) == ["Other"]


def _score_labels(gathered: Gathered) -> list[str]:
    scores = [p.declaration for p in gathered.declarations if isinstance(p.declaration, nodes.Score)]
    return [line.label.raw for score in scores for line in score.lines]
