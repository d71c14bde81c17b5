"""The author's workshop at the command line: why, show, new, and a game in another language."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

import interpreter as rw
from interpreter.cli.commands import exit_code_of
from interpreter.play.records import save_of, write_save
from tests.play.toys import write_ruleset

ROOT = Path(__file__).parents[2]
Run = Callable[..., tuple[int, str, str]]

SHOP = """\
game shop "Shop" for 2 players as ann, bob

enum Ware = bread | cake

table
  stock[Ware]: 0..5 = 2
each player
  coins: 0..20 = 2
  bought: 0..20

play
  in turn p from ann until stock[bread] == 0
    turn(p)

phase turn(p) "Turn of {p}"                                                    @S-01
  choose one "What do you do?"
    "Buy {w}" for w in Ware where stock[w] > 0                                 @S-02
      buy(p, w)
    "Sell" if p.bought > 0 and discount(p) < 3                                 @S-03
      gain 1 coins
    "Rest"
    "Wait"
  pause "Go on"

effect buy(p, w: Ware)                                                         @S-04
  requires p.bought < 5
  pay price(p, w) coins                                                        @S-05
  stock[w] -= 1
  p.bought += 1

value price(p, w: Ware): 0..9 = max(0, 3 * base_price(w) - discount(p))        @S-05
value base_price(w: Ware): 1..2 = 1 if w == bread else 2
value discount(p): 0..4 = 0
instead of discount(p) when p == bob as cheap                                  @S-06
  result previous + 2
instead of discount(p) when stock[cake] == 1                                   @S-07
  result previous + 1

free action cheer(p) "Cheer" during turn(p)                                    @S-08
  requires p.bought > 0 "you have bought nothing"
  p.coins += 0

score p
  "Coins"  p.coins
rank p by highest score, then shared

variant rich of shop "Rich"
  set start = 9
  after buy(p, w) when w == cake
    gain 1 coins
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rulesets").mkdir()
    return write_ruleset(tmp_path / "rulesets", "shop", SHOP.replace("  set start = 9\n", ""))


@pytest.fixture
def save(shop: Path) -> Path:
    game = rw.load("shop")
    path = shop.parent.parent / "shop.save.json"
    write_save(save_of(game, game.new(seed=1), ["person", "first"]), path)
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_here(*args: str) -> tuple[int, str, str]:
        code = exit_code_of(list(args))
        shown = capsys.readouterr()
        assert "Traceback" not in shown.err
        return code, shown.out, shown.err

    return run_here


def _schema(name: str) -> object:
    return json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text())


# ---------------------------------------------------------------------------- why


def test_why_an_option_is_refused_further_on(save: Path, run: Run) -> None:
    code, shown, _ = run("why", str(save), "Buy bread")
    assert code == 0
    assert shown.startswith("not enough coins: 3 needed, 2 held (S-05)  rulesets/shop/shop.rules:27:3")


def test_why_a_condition_fails_with_the_values_in_it(save: Path, run: Run) -> None:
    _, shown, _ = run("why", str(save), "sell")
    lines = shown.splitlines()
    assert lines[0].startswith("`p.bought > 0` does not hold (S-03)  rulesets/shop/shop.rules:19:")
    assert lines[1] == "  p.bought is 0"


def test_why_an_option_is_there(save: Path, run: Run) -> None:
    assert run("why", str(save), "Rest")[1].startswith("“Rest” is offered (S-01)")


def test_why_a_free_action_is_not(save: Path, run: Run) -> None:
    assert run("why", str(save), "Cheer")[1].startswith("you have bought nothing (S-08)")


def test_why_a_value_is_what_it_is(save: Path, run: Run) -> None:
    code, shown, _ = run("why", str(save), "price(bob, cake)")
    assert code == 0
    assert shown.splitlines()[0] == "price(bob, cake) is 4"
    told = [line.strip().split("  rulesets")[0] for line in shown.splitlines()]
    assert "base: `max(0, 3 * base_price(w) - discount(p))` gives 4 (S-05)" in told
    assert "discount(p) is 2" in told
    assert "base: `0` gives 0" in told
    assert "instead of discount(p) when p == bob as cheap: `previous + 2` makes it 2 (S-06)" in told
    assert "does not apply: instead of discount(p) when stock[cake] == 1 (S-07)" in told


def test_why_as_data(save: Path, run: Run) -> None:
    _, shown, _ = run("why", str(save), "price(ann, bread)", "--format", "json")
    data = json.loads(shown)
    jsonschema.validate(data, _schema("why"))
    assert (data["kind"], data["text"]) == ("value", "price(ann, bread) is 3")
    assert data["because"][0]["clauses"] == ["S-05"]


def test_what_nobody_understands(save: Path, run: Run) -> None:
    code, _, complaint = run("why", str(save), "fly to the moon")
    assert code == 2
    assert "nothing here is called “fly to the moon”" in complaint
    code, _, complaint = run("why", str(save), "prize(ann, bread)")
    assert code == 2
    assert "did you mean `price`?" in complaint
    code, _, complaint = run("why", "nowhere.json", "Rest")
    assert code == 2


# ---------------------------------------------------------------------------- show


def test_the_woven_rules_are_marked(shop: Path, run: Run) -> None:
    code, shown, _ = run("show", "shop+rich")
    assert code == 0
    lines = shown.splitlines()
    assert "base  | effect buy(p, w: Ware)" in shown
    assert "+rich | after buy(p, w) when w == cake" in lines
    assert "+rich |   gain 1 coins" in lines


FAIR = """\
game fair "Fair" for 2 players

constant size: 1..9 = 3

enum Ware = bread | cake

table
  stock: 0..9 = 3
  rest: 0..9
each player
  coins: 0..9

play
  in turn p from seat1 until stock == 0
    buy(p)

phase buy(p)
  choose w in Ware "Which?"
  stock -= 1
  gain up to size coins
  rest += 1

effect spare(p)
  gain 1 coins

score p
  "Coins"  p.coins + rest

variant big of fair "Big"
  set size = 4
  extend enum Ware = pie
  replace table
    stock: 0..9 = 5
  remove spare
  replace score q when q == seat1
    "Half"  q.coins
"""


def test_woven_lines_are_as_they_are_played_and_marked_by_whoever_wrote_them(tmp_path: Path, run: Run) -> None:
    """The variant stands in the same file as the game."""
    folder = write_ruleset(tmp_path, "fair", FAIR)
    _, shown, _ = run("show", f"{folder}+big")
    lines = shown.splitlines()
    assert lines[:10] == [
        'base | game fair "Fair" for 2 players',
        "+big | constant size: 1..9 = 4",
        "",
        "base | enum Ware = bread | cake",
        "+big |   | pie",
        "",
        "base | table",
        "+big |   stock: 0..9 = 5",
        "base |   rest: 0..9",
        "",
    ]
    score = lines.index("base | score p")
    assert lines[score + 2] == "+big |   # only for those of whom this does not hold: q == seat1"
    assert lines[-1].startswith("+big | # `spare` is removed (")


def test_an_extended_map_shows_who_wrote_each_line(run: Run) -> None:
    _, shown, _ = run("show", str(ROOT / "tests" / "cases" / "maps" / "streets+fair"))
    start = shown.index("+fair | map town from town.yaml+fair.yaml")
    assert shown[start:].splitlines()[1:8] == [
        "base  |   node Area",
        "base  |   node Square",
        "base  |     worth: 0..9",
        "base  |     gift: effect?",
        "+fair |   node Park",
        "+fair |     benches: 1..9",
        "base  |   edge Street",
    ]


def test_one_rule_with_its_hooks_in_order(shop: Path, run: Run) -> None:
    _, shown, _ = run("show", "shop", "rule", "discount")
    heads = [line.split("| ", 1)[1] for line in shown.splitlines()]
    assert heads[0].startswith("# asked 1 of 2")
    assert heads[1].startswith("instead of discount(p) when stock[cake] == 1")
    assert heads[4].startswith("instead of discount(p) when p == bob as cheap")
    assert heads[-1] == "value discount(p): 0..4 = 0"
    code, _, complaint = run("show", "shop", "rule", "discounts")
    assert code == 2
    assert "did you mean `discount`?" in complaint


def test_the_flow_as_outline_and_as_picture(shop: Path, run: Run) -> None:
    _, shown, _ = run("show", "shop+rich", "flow")
    lines = [line.strip() for line in shown.splitlines()]
    assert "~ in turn p from ann until stock[bread] == 0" in lines
    assert "phase turn  (Turn of {p})  @S-01" in lines
    assert "? What do you do?  (p)" in " ".join(lines)
    assert "> after  (when w == cake [rich])" in lines
    assert "free action cheer  (Cheer)  @S-08" in lines
    assert run("show", "shop", "flow", "-o", "flow.svg") == (0, "", "")
    picture = ElementTree.parse("flow.svg").getroot()
    words = {element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")}
    assert {"turn", "cheer", "What do you do?", "Rest"} <= words


def test_the_ir_of_a_rule(shop: Path, run: Run) -> None:
    _, whole, _ = run("show", "shop", "ir")
    assert whole.startswith("shop for ") and "\nframed rule_play()" in whole
    _, shown, _ = run("show", "shop", "ir", "play")
    assert shown.startswith("framed rule_play()") and shown.splitlines()[2] in whole
    code, _, told = run("show", "shop", "ir", "plya")
    assert code != 0 and "did you mean `play`?" in told


def test_guards_say_what_is_tried_and_why(shop: Path, run: Run) -> None:
    _, shown, _ = run("show", "shop", "guards")
    assert "decisions need look-ahead" in shown
    _, shown, _ = run("show", "shop", "guards", "--format", "json")
    jsonschema.validate(json.loads(shown), _schema("show"))


# ---------------------------------------------------------------------------- new


def test_a_new_game_and_a_variant_of_it_work_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rulesets").mkdir()
    assert run("new", "game", "orchard")[0] == 0
    assert run("validate", "orchard") == (0, "orchard: clean\n", "")
    assert run("test", "orchard") == (0, "orchard: 3 passed\n", "")
    assert run("fmt", "--check", "rulesets/orchard")[0] == 0
    assert run("new", "variant", "orchard+dear")[0] == 0
    assert run("validate", "orchard")[0] == 0
    assert run("test", "orchard+dear") == (0, "orchard+dear: 1 passed\n", "")
    assert run("fmt", "--check", "rulesets/orchard")[0] == 0
    assert rw.load("orchard+dear", players=4).playout(1).over


def test_new_as_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    for what, name, first in (("game", "orchard", "ruleset.yaml"), ("variant", "orchard+dear", "variants/dear.rules")):
        code, shown, _ = run("new", what, name, "--format", "json")
        data = json.loads(shown)
        jsonschema.validate(data, _schema("new"))
        assert (code, data["name"]) == (0, name)
        assert data["files"][0].endswith(f"orchard/{first}") and all(Path(file).is_file() for file in data["files"])


def test_a_new_game_writes_over_nothing(shop: Path, run: Run) -> None:
    before = (shop / "shop.rules").read_text()
    code, _, complaint = run("new", "game", "shop")
    assert (code, (shop / "shop.rules").read_text()) == (2, before)
    assert "is there already" in complaint
    assert run("new", "game", "No Name")[0] == 2
    assert run("new", "variant", "alone")[0] == 2


# ---------------------------------------------------------------------------- languages

FRENCH = """\
language: fr
texts:
  "Shop": "Boutique"
  "Turn of {p}": "Tour de {p}"
  "What do you do?": "Que faites-vous ?"
  "Buy {w}": "Acheter {w|definite}"
  "Sell": "Vendre"
  "Rest": "Se reposer"
  "Wait": "Attendre"
  "Go on": "Continuer"
  "Cheer": "Applaudir"
  "you have bought nothing": "vous n'avez rien acheté"
  "Coins": "Pièces"
  "bread": {plain: "pain", definite: "le pain"}
  "cake": {plain: "gâteau", definite: "le gâteau"}
  "coins": "pièces"
"""


def _with_french(shop: Path, text: str = FRENCH) -> None:
    (shop / "texts").mkdir(exist_ok=True)
    (shop / "texts" / "fr.yaml").write_text(text, encoding="utf-8")


def test_a_game_in_another_language(shop: Path, run: Run) -> None:
    from interpreter.play.language import in_language

    _with_french(shop)
    assert run("validate", "shop")[:2] == (0, "shop: clean (2 combinations of variants)\n")
    game = rw.load("shop")
    state = in_language(game, "fr").new(seed=1)
    assert state.path == ("Tour de ann",)
    assert "Se reposer" in state.decision.options
    assert [int(o) for o in game.new(seed=1).decision.options] == [int(o) for o in state.decision.options]
    state.f[[field.name for field in game.meta.fields].index("stock")] = 1
    rich = game.new(seed=1)
    coins = next(field for field in game.meta.fields if field.name == "coins")
    rich.f[coins.base] = 9
    french = in_language(game, "fr").from_json(rich.to_json())
    assert "Acheter le pain" in french.decision.options
    assert next(iter(french.view(0)["fields"]["players"]))["pièces"] == 9


def test_the_words_of_the_program_in_another_language(shop: Path, run: Run) -> None:
    from interpreter.cli.screen import result_lines
    from interpreter.play.language import in_language

    own = {
        "not enough {what}: {needed} needed, {held} held": "il faut {needed} {what}, vous en avez {held}",
        "The game is over": "Fin de la partie",
        "{others} and {winner} share the victory.": "{others} et {winner} gagnent ensemble.",
    }
    _with_french(shop, FRENCH + "".join(f'  "{words}": "{said}"\n' for words, said in own.items()))
    assert run("validate", "shop")[0] == 0
    game = in_language(rw.load("shop"), "fr")
    refusal = game.new(seed=1).decision.why_not("Acheter le pain")
    assert refusal is not None and refusal.reason == "il faut 3 pièces, vous en avez 2"
    over = SimpleNamespace(reason="", score_lines=[], scores=[], ranking=[1, 1], winners=[0, 1])
    lines = result_lines(game, over)
    assert lines[0] == "Fin de la partie" and lines[-1] == "ann et bob gagnent ensemble."


def test_missing_unused_and_wrong_translations_are_listed(shop: Path, run: Run) -> None:
    broken = FRENCH.replace('  "Sell": "Vendre"\n', "").replace('"Rest"', '"Resting"').replace("{w|definite}", "{x}")
    _with_french(shop, broken)
    code, shown, _ = run("validate", "shop")
    assert code == 1
    assert "2 texts have no translation" in shown and "“Sell”" in shown
    assert "no text of the rules is “Resting”" in shown
    assert "“Buy {w}” has no hole `{x}`" in shown


OWN = """\
language: en
texts:
  "What do you do?": "Well?"
  "Buy {w}": "{w}, please"
  "Sell": "Sell again"
  "you have bought nothing": "nothing to sell"
"""


def _rich() -> Any:
    """The first decision of somebody who can buy."""
    game = rw.load("shop")
    state = game.new(seed=1)
    state.f[next(field for field in game.meta.fields if field.name == "coins").base] = 9
    return game.from_json(state.to_json()).decision


def test_the_words_of_the_game_itself(shop: Path, run: Run) -> None:
    """They take the place of what the rules write, with the same holes; only what differs need be there."""
    plain = _rich()
    (shop / "texts").mkdir()
    (shop / "texts" / "en.yaml").write_text(OWN, encoding="utf-8")
    assert run("validate", "shop")[0] == 0
    own = _rich()
    assert (plain.prompt, own.prompt) == ("What do you do?", "Well?")
    said = [re.sub(r"^Buy (.*)$", r"\1, please", str(option)) for option in plain.options]
    assert [str(option) for option in own.options] == said and "bread, please" in said
    assert own.why_not("Sell again") is not None and own.why_not("Sell") is None


def test_unknown_texts_and_holes_among_own_words_are_listed(shop: Path, run: Run) -> None:
    (shop / "texts").mkdir()
    broken = OWN.replace('"Sell"', '"Sel"').replace("{w}, please", "{x}, please")
    (shop / "texts" / "en.yaml").write_text(broken + '  "bread": "loaf"\n', encoding="utf-8")
    code, shown, _ = run("validate", "shop")
    assert code == 1 and shown.count("R0264") == 2 and shown.count("R0265") == 1
    assert "no text of the rules is “Sel”" in shown and "did you mean `Sell`?" in shown
    assert "no text of the rules is “bread”" in shown and "no translation" not in shown
    assert shown.count("R0268") == 1 and "“Buy {w}” without `{w}`" in shown
    assert "Buy bread" in _rich().options  # such words are not used


def test_a_translation_has_the_own_words_as_keys(shop: Path, run: Run) -> None:
    from interpreter.play.language import in_language

    french = FRENCH.replace('"What do you do?"', '"Well?"').replace('"Buy {w}"', '"{w}, please"')
    _with_french(shop, french.replace('"Sell"', '"Sell again"').replace("you have bought nothing", "nothing to sell"))
    (shop / "texts" / "en.yaml").write_text(OWN, encoding="utf-8")
    assert run("validate", "shop")[:2] == (0, "shop: clean (2 combinations of variants)\n")
    assert in_language(rw.load("shop"), "fr").new(seed=1).decision.prompt == "Que faites-vous ?"


def test_a_language_that_is_not_there(shop: Path, run: Run) -> None:
    code, _, complaint = run("play", "shop", "--language", "xx")
    assert code == 2
    assert "has no texts in `xx`" in complaint
