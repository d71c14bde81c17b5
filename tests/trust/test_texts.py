"""Translations that leave holes out, repeat them, move them and invent some: no crash, and nobody is told a secret."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from interpreter.diagnostics.render import render_all
from interpreter.play.language import in_language
from tests.trust.small import ruleset

RULES = """game small "Small" for 2 players

kind Card from cards.yaml

each player
  hand: bag of Card secret
  gold: 0..9 secret

table
  deck: pile of Card hidden
  out: bag of Card open
  n: 0..9

setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 3 from deck to p.hand

play
  repeat 2 times
    for p in players
      lay(p)

phase lay(p) "Turn of {p} after {n}"
  choose one "You have {p.gold} gold and {count(p.hand)} cards, {p}. What of {{these}}?"
    "Lay {c} on {n | step} for {p}" for c in p.hand
      say "{p} lays {c} on {n}"
      move c to out
      n += 1
      p.gold += 2
    "Keep {{c}}"
      n += 1
"""
NAMES = ("ace", "boar", "crow", "dove", "elk", "fox", "gnu")
CARDS = "kind: Card\ndefault: known\nrows:\n" + "".join(f"  - {{id: {n}, name: {n.title()}}}\n" for n in NAMES)
TURN, PROMPT, LAY, SAID, KEEP = KEYS = (
    "Turn of {p} after {n}",
    "You have {p.gold} gold and {count(p.hand)} cards, {p}. What of {{these}}?",
    "Lay {c} on {n | step} for {p}",
    "{p} lays {c} on {n}",
    "Keep {{c}}",
)
CHANGES: dict[str, dict[str, str]] = {
    "moved": {TURN: "{n}, {p}", PROMPT: "{p} {count(p.hand)} {p.gold}", LAY: "{n} {p} {c}", SAID: "{n} {c} {p}"},
    "left out": {TURN: "t", PROMPT: "?", LAY: "l", SAID: "s", KEEP: "k"},
    "one left out": {TURN: "{n}", PROMPT: "{count(p.hand)}", LAY: "{n}", SAID: "{n}"},
    "repeated": {TURN: "{n}{n}{p}{n}", PROMPT: "{p}{p}{p.gold}{p.gold}", LAY: "{c}{c}{p}{n}{c}", SAID: "{c}{c}{n}{c}"},
    "invented": {TURN: "{q}{p}{n}", PROMPT: "{c}{p.gold}", LAY: "{x}{c}{n}{p}", SAID: "{x}{c}{p}{n}", KEEP: "{c}"},
    "of a form": {LAY: "{c|definite}{c | definite}{n|x1}{p|}", SAID: "{c|definite} {n|of}{p}", PROMPT: "{p.gold|x}"},
    "broken": {TURN: "{", PROMPT: "}{", LAY: "{{c}} {c", SAID: "{}{c}}", KEEP: "{{c}}{"},
}


FOUND: dict[str, set[str]] = {
    "moved": set(), "left out": {"R0268"}, "one left out": {"R0268"}, "repeated": {"R0268"},
    "invented": {"R0265", "R0268"}, "of a form": {"R0268"}, "broken": {"R0268"},
}  # fmt: skip


def written(folder: Path, files: dict[str, dict[str, str]]) -> Path:
    """The ruleset with these translations, by language."""
    home = ruleset(folder, RULES, manifest=f"languages: [en, {', '.join(name for name in files if name != 'en')}]\n")
    (home / "cards.yaml").write_text(CARDS)
    (home / "texts").mkdir()
    for language, texts in files.items():
        lines = "".join(f"  {json.dumps(key)}: {json.dumps(text)}\n" for key, text in texts.items())
        (home / "texts" / f"{language}.yaml").write_text(f"language: {language}\ntexts:\n{lines}")
    return home


def codes(home: Path) -> dict[str, set[str]]:
    """What is found in each file of `texts/`, missing texts aside."""
    found = rw.check_ruleset(str(home), quick=True).findings
    assert render_all(found)
    told: dict[str, set[str]] = {path.stem: set() for path in (home / "texts").iterdir()}
    for finding in found:
        file = Path(finding.primary.span.source.name)
        if finding.code != "R0263" and file.parent.name == "texts":
            told[file.stem].add(finding.code)
    return told


def read_by(state: Any, player: int) -> tuple[Any, ...]:
    """All words that a player reads."""
    decision = state.decision
    asked = (decision.prompt, [str(option) for option in decision.options]) if state.who == player else ()
    return (asked, state.log(player), state.path, json.dumps(state.view(player)))


def secrets_kept(game: rw.Game) -> None:
    """Nobody reads words that would be others if something were otherwise that he does not know."""
    others = 0
    for seed in (1, 2):
        state = game.new(seed=seed)
        while not state.over:
            for player in (0, 1):
                words = read_by(state, player)
                worlds = [state.determinize(player, number) for number in range(3)]
                assert all(read_by(world, player) == words for world in worlds)
                others += len({str(world.view(None)) for world in worlds}) > 1
            state.apply(seed % len(state.opts))
        assert state.log(0) and state.log(None)
    assert others > 6


LANGUAGES = dict(zip(("fr", "de", "it", "es", "nl", "pl", "sv"), CHANGES, strict=True))


def test_holes_of_translations_crash_nothing_and_tell_nothing(tmp_path: Path) -> None:
    home = written(tmp_path, {language: CHANGES[name] for language, name in LANGUAGES.items()})
    game = rw.load(str(home), backend="python")
    for language in LANGUAGES:
        secrets_kept(in_language(game, language))
    assert {LANGUAGES[language]: found for language, found in codes(home).items()} == FOUND


@pytest.mark.parametrize("name", ["one left out", "repeated", "invented"])
def test_holes_of_own_words_crash_nothing_and_tell_nothing(tmp_path: Path, name: str) -> None:
    home = written(tmp_path, {"en": CHANGES[name]})
    secrets_kept(rw.load(str(home), backend="python"))
    assert codes(home)["en"] == FOUND[name]


def test_each_value_stands_in_its_own_hole(tmp_path: Path) -> None:
    """Plain braces and forms with spaces once moved every value into the next hole."""
    home = written(
        tmp_path,
        {"fr": {LAY: "{c}, {p}, {n}!", PROMPT: "{{{p}}} {count(p.hand)}/{p.gold}", KEEP: "{{c}} {c}"}},
    )
    state: Any = in_language(rw.load(str(home), backend="python"), "fr").new(seed=1)
    assert state.decision.prompt == "{seat1} 3/0"
    labels = [str(option) for option in state.decision.options]
    assert labels[-1] == "{c} {c}" and all(label.endswith(", seat1, 0!") for label in labels[:-1])
    assert labels[0].split(",")[0] in CARDS.title()


def test_own_words_with_a_hole_of_their_own_are_not_used(tmp_path: Path) -> None:
    """The hole too many once put the number of a card where a number was to be read."""
    own = {SAID: "{q}{n}{c}", LAY: "{p} lays {c}"}
    home = written(tmp_path, {"en": own, "fr": {"{q}{n}{c}": "{n} {c}", "{p} lays {c}": "{c} de {p}"}})
    game = rw.load(str(home), backend="python")
    state: Any = game.new(seed=1)
    assert str(state.decision.options[0]).startswith("seat1 lays ")
    french: Any = in_language(game, "fr").new(seed=1)
    assert str(french.decision.options[0]).endswith(" de seat1")
    assert state.apply(0).log(1)[-1].endswith(" on 0")


def test_names_with_braces_fill_holes_as_they_are() -> None:
    from types import SimpleNamespace

    from interpreter.runtime.texts import phrase

    meta: Any = SimpleNamespace(phrases={"{winner} wins.": "{others}{winner}{winner} !"})
    assert phrase(meta, "{winner} wins.", winner="{others}", others="x") == "x{others}{others} !"
