"""The French texts: complete, French, and the program's own words beside them.

`validate` knows which texts a game has; here the files themselves are read, all of them, because it is cheap. A value
that is the same in both languages must be on the list of names below, and no value may contain a little English word.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import interpreter as rulewright
from interpreter.check.texts import PHRASES, holes_of
from interpreter.play import language
from interpreter.web.scene import scene_of
from interpreter.web.scene.languages import reworded

RULESETS = Path(__file__).parents[2] / "rulesets"
BOOKS = sorted(RULESETS.glob("*/texts/rulebook.fr.yaml"))
FILES = sorted(RULESETS.glob("*/texts/fr.yaml"))
WORDS = Path(language.__file__).with_name("words_fr.json")

# The same word in both languages: titles, names printed in the French books, and words that French has as well.
SAME = re.compile(
    r"PiKiT|KIKAI|Bricolage Heads|Flatiron|Kiwi Chow Down|Kaiju( \d+)?|Mechas?( \d)?|Parking|Casino|Cinema|Diner"
    r"|Train Station|School|Gas Station|Museum|(.+ - )?Square \d+|Squares|Broadway( \d)?|23rd Street( \d)?"
    r"|5th Avenue( \d)?|22nd Street( \d)?|Fans?|Influence|doubles|score|orange|face|bonus|malus|action"
    r"|Actions|terrain|type|deck|clan|Table|points|main",
    re.IGNORECASE,
)
# Small words that no French text has; letters within names in backquotes (conditions of the rules) do not count.
ENGLISH = re.compile(
    r"\b(the|and|of|you|your|yours|with|without|from|which|what|where|who|is|are|be|been|has|have|it|its|this|that"
    r"|there|not|no|none|to|by|an|for|or|if|then|than|each|any|all|one|two|three|card|cards|player|players|turn|take|takes"
    r"|buy|sell|build|feed|move|token|tokens|energy|ladder|megaphone|legs|body|head|hex|fruit and|seat\d?)\b",
    re.IGNORECASE,
)


def texts_of(path: Path) -> dict[str, object]:
    found: dict[str, object] = yaml.safe_load(path.read_text(encoding="utf-8"))["texts"]
    return found


def values_of(value: object) -> list[str]:
    return list(value.values()) if isinstance(value, dict) else [str(value)]


def name_of(path: Path) -> str:
    return path.parts[-3]


@pytest.mark.parametrize("path", BOOKS, ids=name_of)
def test_every_clause_has_a_french_summary(path: Path) -> None:
    said: dict[str, str] = yaml.safe_load(path.read_text(encoding="utf-8"))["clauses"]
    book = yaml.safe_load((path.parents[1] / "rulebook.yaml").read_text(encoding="utf-8"))
    listed = {one["id"]: one["summary"] for part in ("clauses", "rulings", "examples") for one in book.get(part, ())}
    assert set(said) == set(listed)
    assert not [own for own, text in said.items() if text == listed[own] or english_in(text)]
    cited = language.translated_meta(rulewright.load(name_of(path)).meta, "fr").clauses
    assert cited and all(clause.summary == said.get(own, clause.summary) for own, clause in cited.items())
    assert set(cited) & set(said)


def test_variants_have_french_titles() -> None:
    for path in FILES:
        manifest = yaml.safe_load((path.parents[1] / "ruleset.yaml").read_text(encoding="utf-8"))
        assert {variant["title"] for variant in manifest.get("variants", ())} <= set(texts_of(path))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_french_text_is_french(path: Path) -> None:
    texts = texts_of(path)
    assert all(texts.values()), "a text is left empty"
    same = [key for key, value in texts.items() if key in values_of(value) and not SAME.fullmatch(key)]
    assert not same, "the same in both languages, and no name that French has too"
    words = [text for value in texts.values() for text in values_of(value)]
    assert not [text for text in words if english_in(text)]


def english_in(text: str) -> list[str]:
    """The English words of a text, without names, holes and what the rules say themselves."""
    plain = re.sub(r"\{[^{}]*\}|`[^`]*`|City Hall|Yukon Street", "", text)
    return [] if SAME.fullmatch(plain) else [found[0] for found in ENGLISH.finditer(plain)]


def test_the_check_finds_english() -> None:
    assert english_in("Prendre the carte") == ["the"]
    assert not english_in("Activer une action du City Hall : {p.at}")
    assert not SAME.fullmatch("not enough flyers")


def test_a_ruleset_lists_french_where_it_has_it() -> None:
    listed = [
        path.parent
        for path in RULESETS.glob("*/ruleset.yaml")
        if "fr" in yaml.safe_load(path.read_text(encoding="utf-8")).get("languages", [])
    ]
    assert sorted(listed) == [path.parents[1] for path in FILES]
    assert {"kikai", "flatiron", "kiwi_chow_down", "pikit", "bricolage_heads"} <= {name_of(path) for path in FILES}


def test_the_programs_own_words_are_french() -> None:
    words: dict[str, str] = json.loads(WORDS.read_text(encoding="utf-8"))
    assert set(PHRASES) <= set(words)
    for key, said in words.items():
        assert not english_in(said.replace("rulewright play --resume", "")), key
        assert {hole for hole, _ in holes_of(said)} <= {hole for hole, _ in holes_of(key)}, key
    assert [key for key, said in words.items() if key == said] == ["score", "Table"]
    assert language.own_words("fr") == words
    assert not language.own_words("en")
    assert not language.own_words("../x")


def test_effects_in_tables_speak_french() -> None:
    game = rulewright.load("flatiron")
    french = language.translated_meta(game.meta, "fr")
    assert len(french.cell_labels) == len(game.meta.cell_labels)
    told = dict(zip(game.meta.cell_labels, french.cell_labels, strict=True))
    assert told["Buy or sell: blue pillar"] == "Acheter ou vendre un Pilier bleu"
    assert told["Build 2 for 3"] == "Construire des Piliers : 2 pour 3 $"
    assert not [label for label in french.cell_labels if english_in(label)]


def test_the_system_may_ask_for_french(monkeypatch: pytest.MonkeyPatch) -> None:
    game = rulewright.load("kikai")
    for asked, title in (("fr_FR.UTF-8", "Jaune"), ("C.UTF-8", "yellow"), ("xx", "yellow"), ("en_GB", "yellow")):
        monkeypatch.setenv("LC_ALL", asked)
        assert language.in_language_of_system(game).seat_names[0] == title


def test_pieces_bear_the_names_of_their_owners_at_a_french_table() -> None:
    meta = reworded(rulewright.load("kiwi_chow_down", players=3), "fr", ("Ana", "", "")).meta
    assert {"Kiwi d'Ana", "Kiwi de Joueur 2", "Kiwi de Joueur 3"} <= set(meta.row_names)
    assert meta.seat_names == ("Ana", "Joueur 2", "Joueur 3")


def test_names_are_elided() -> None:
    game = rulewright.load("kiwi_chow_down", players=2)
    state = game.new(seed=1)
    while not any("Turn of" in step for step in state.path):
        state.apply(0)
    for names, words in ((("Ana", "Élise"), ("d'Ana", "d'Élise")), (("Robin", "Zoé"), ("de Robin", "de Zoé"))):
        path = scene_of(game, state, 0, language="fr", names=names)["status"]["path"]
        assert f"Tour {words[state.who]}" in path
    assert language.of("Ana", "en") == "Ana"


@pytest.mark.parametrize(
    ("name", "players"), [("kikai", 2), ("flatiron+solo", 2), ("kiwi_chow_down", 3)], ids=["kikai", "flatiron", "kiwi"]
)
def test_scenes_have_no_english_words(name: str, players: int) -> None:
    """Prompts, options, the log, what is printed on pieces: all that a page shows of a game under way."""
    game = rulewright.load(name, players=players)
    state, draw = game.new(seed=5), random.Random(1)
    for number in range(61):
        if number % 20 == 0:
            found = set(strings_in(scene_of(game, state, 0, language="fr")))
            assert not [text for text in found if " " in text and english_in(text)]
            assert not found & {"Pass", "yes", "no", "none", "You may", "Choose"}
        state.apply(draw.randrange(len(state.decision.options)))


def strings_in(part: Any, key: str = "") -> Iterator[str]:
    """The texts of a scene, without the clauses (few games have them in French) and what is not read by people."""
    if isinstance(part, dict):
        for inner, value in part.items():
            yield from () if inner in ("clauses", "drawings") else strings_in(value, inner)
    elif isinstance(part, list):
        for value in part:
            yield from strings_in(value, key)
    elif isinstance(part, str):
        yield part


# Small words that no English text has. Titles of French editions and names printed in their books are no such texts.
FRENCH = re.compile(
    r"\b(le|la|les|une|des|du|de|et|vous|votre|vos|avec|sans|dans|sur|qui|que|est|sont|joueur|joueurs|carte|cartes"
    r"|manche|chaque|aux|ou|où|par|pas|ne)\b"
)
PAGE_WORDS = Path(language.__file__).parents[1] / "web" / "page" / "words"


def written_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for one in value.values():
            yield from written_in(one)
    elif isinstance(value, str):
        yield value


def test_no_text_has_words_of_the_other_language() -> None:
    """English texts: the keys of all translations, the summaries of all rulebooks, the words of the page."""
    english = {key for path in FILES for key in texts_of(path)}
    for path in sorted(RULESETS.glob("*/rulebook.yaml")):
        book = yaml.safe_load(path.read_text(encoding="utf-8"))
        if book.get("language", "en") == "en":
            english |= {one["summary"] for part in ("clauses", "rulings", "examples") for one in book.get(part, ())}
    english |= set(written_in(json.loads((PAGE_WORDS / "en.json").read_text(encoding="utf-8"))))
    plain = {text: re.sub(r"\{[^{}]*\}|`[^`]*`|'[^']*'|\"[^\"]*\"|«[^»]*»", "", text) for text in english}
    assert not [text for text, bare in plain.items() if FRENCH.search(bare)]
    french = written_in(json.loads((PAGE_WORDS / "fr.json").read_text(encoding="utf-8")))
    assert not [text for text in french if english_in(text)]
