"""Inputs that nobody would write, and what must come of them: words, never a traceback.

Each target takes a generator of random numbers, makes one input from it (grown from a grammar, or a real one with
changes), and hands it to the program as a person or another program would. Anything that is raised and is not one of
the project's own errors is a find: `tools/fuzz` writes it to `tests/trust/corpus`, where every test run tries it again.

The generator may be anybody's: Python's with a seed (`tools/fuzz`), one whose numbers Hypothesis chooses, and makes
smaller when something is found (`test_fuzz.py`), or one that reads bytes which atheris has found to lead to lines that
no input has reached before (`tools/fuzz atheris`).
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import interpreter as rw
from interpreter.cli.commands import exit_code_of
from interpreter.diagnostics.render import render_all
from tests.trust.fuzzing_files import fuzz_records, fuzz_saves, fuzz_scenarios
from tests.trust.fuzzing_web import fuzz_web
from tests.trust.grown import grown_ruleset
from tests.trust.invariants import played_on
from tests.trust.small import ROOT, RULES, ruleset

OWN = (rw.RulesetError, rw.Fault, rw.WrongSave, rw.WrongUse, rw.IllegalChoice, rw.PlayError)
CORPUS = Path(__file__).parent / "corpus"
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|\d+|\n[ ]*|\.\.|[^\s\w]')
_ODD = (
    "",
    "\n",
    "\n  ",
    '"',
    "{",
    "}",
    "(",
    "[",
    "..",
    "-",
    "9" * 30,
    "\u202e",
    "\x00",
    "\x1b[2J",
    "é",
    "none",
    "in",
    "{p|x}",
    "@",
    "#",
)

EXPRESSIONS = (
    "n",
    "k",
    "1",
    "(E + E)",
    "(E - E)",
    "max(E, E)",
    "(E if C else E)",
    "count(x in 1..3 where C)",
    "sum(E for x in 1..3)",
    "E * E",
)
CONDITIONS = (
    "E == E",
    "E < E",
    "not C",
    "C and C",
    "C or C",
    "some x in 1..3 has C",
    "every x in 1..3 has C",
    "E in 1..4",
)
STATEMENTS = (
    "n = E",
    "n += 1",
    "if C\n  S",
    "if C\n  S\nelse\n  S",
    "for x in 1..3\n  S",
    "repeat 2 times\n  S",
    "while C\n  S",
    'choose y in 1..3 "?"\nS',
    'choose one "?"\n  "A {E}"\n    S\n  "B" where C\n    S',
    'say "{E}"',
    "p wins",
    "let v = E\nS",
    'may "Again?"\n  S',
    "go2(p)",
    "stop",
    "together\n  for q in players\n    S",
    "requires C",
)


def expanded(rng: random.Random, text: str, depth: int) -> str:
    """A text of the grammar: every capital letter by itself is grown, deeper ones sooner ended."""

    def grown(found: re.Match[str]) -> str:
        many = {"E": EXPRESSIONS, "C": CONDITIONS, "S": STATEMENTS}[found[0]]
        return expanded(rng, rng.choice(many[:3] if depth > 3 else many), depth + 1)

    lines = []
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        lines += [indent + part for part in re.sub(r"\b[ECS]\b", grown, line.lstrip()).split("\n")]
    return "\n".join(lines)


def grown_rules(rng: random.Random) -> str:
    body = "\n".join("  " + line for line in expanded(rng, "S\nS\nS", 0).split("\n"))
    return RULES.replace("  n += k\n", body + "\n") + "\neffect go2(p)\n  n += 0\n"


def changed_text(rng: random.Random, text: str) -> str:
    """A text with a few tokens taken out, doubled, exchanged or put in."""
    for _ in range(rng.randint(1, 4)):
        tokens = list(_TOKEN.finditer(text))
        if not tokens:
            return text + rng.choice(_ODD)
        one, other = rng.choice(tokens), rng.choice(tokens)
        put_in = rng.choice(("", other[0], one[0] * 2, rng.choice(_ODD), f"{one[0]} {other[0]}"))
        text = text[: one.start()] + put_in + text[one.end() :]
    return text


class ByteRandom(random.Random):
    """A generator that takes its numbers from bytes; behind their end come zeros."""

    def __init__(self, content: bytes) -> None:
        super().__init__(0)
        self.content, self.at = content, 0

    def getrandbits(self, bits: int, /) -> int:
        size = (bits + 7) // 8
        taken = self.content[self.at : self.at + size].ljust(size, b"\0")
        self.at += size
        return int.from_bytes(taken, "little") >> (8 * size - bits)

    def random(self) -> float:
        return self.getrandbits(16) / 65536


def generator_of(target: str, seed: str) -> random.Random:
    """The generator of a line of the corpus: a number, or the bytes that it reads."""
    if seed.startswith("bytes:"):
        return ByteRandom(bytes.fromhex(seed.removeprefix("bytes:")))
    return random.Random(f"{target} {seed}")


@cache
def real_files(ending: str) -> tuple[Path, ...]:
    small = ("nim", "kuhn_poker", "tic_tac_toe", "kalah", "connect_four")
    return tuple(path for name in small for path in sorted((ROOT / "rulesets" / name).rglob(f"*{ending}")))


def checked_and_played(home: Path, rng: random.Random) -> None:
    found = rw.check_ruleset(str(home), quick=True).findings
    assert render_all(found) or not found
    try:
        state = rw.load(str(home), backend="python").new(seed=rng.randrange(100))
        played_on(state, 6, rng.randrange)
    except OWN as refused:
        assert str(refused) is not None


def fuzz_rules(rng: random.Random, folder: Path) -> None:
    text = grown_rules(rng) if rng.random() < 0.5 else changed_text(rng, RULES)
    checked_and_played(ruleset(folder, text), rng)


def fuzz_data(rng: random.Random, folder: Path) -> None:
    """YAML, translations and scenarios of real games, changed."""
    ending = rng.choice((".yaml", ".rules"))
    path = rng.choice(real_files(ending))
    home = next(parent for parent in path.parents if (parent / "ruleset.yaml").is_file())
    found = rw.check_ruleset(
        str(home), {path: changed_text(rng, path.read_text(encoding="utf-8"))}, quick=True
    ).findings
    assert render_all(found) or not found


def fuzz_texts(rng: random.Random, folder: Path) -> None:
    """Translations that leave out, repeat, exchange and invent holes."""
    rules = RULES.replace('"How far?"', '"How far, {p}, from {n}?"').replace(
        "n += k", 'n += k\n  say "{p} goes {k} to {n}"'
    )
    home = ruleset(folder, rules, manifest="languages: [en, fr]\n")
    holes = ("{p}", "{n}", "{k}", "{p|x}", "{1}", "{2}", "{q}", "{", "}", "{}", "{p.hand}", "a", " ")
    texts = {
        key: "".join(rng.choices(holes, k=rng.randint(0, 6)))
        for key in ("How far, {p}, from {n}?", "{p} goes {k} to {n}")
    }
    (home / "texts").mkdir()
    (home / "texts" / "fr.yaml").write_text(
        "texts:\n" + "".join(f"  {json.dumps(k)}: {json.dumps(v)}\n" for k, v in texts.items())
    )
    checked_and_played(home, rng)
    from interpreter.play.language import in_language

    try:
        played_on(in_language(rw.load(str(home), backend="python"), "fr").new(seed=1), 3, rng.randrange)
    except OWN:
        pass


def fuzz_api(rng: random.Random, folder: Path) -> None:
    game = rw.load(rng.choice(("nim", "kuhn_poker", "kalah")), backend="python")
    state = game.new(seed=rng.randrange(50))
    odd: tuple[Any, ...] = (None, -1, 0, 1, 7, 10**30, "x", 1.5, True, [], {}, b"x", object(), state, game)
    calls: tuple[Callable[[Any], Any], ...] = (
        lambda x: game.new(seed=x),
        lambda x: game.playout(x),
        lambda x: game.from_json(x),
        lambda x: state.apply(x),
        lambda x: state.view(x),
        lambda x: state.log(x),
        lambda x: state.observation(x),
        lambda x: state.information(x),
        lambda x: state.determinize(0, x),
        lambda x: state.worlds(x),
        lambda x: state.client_json(x),
        lambda x: rw.load(x),
        lambda x: game.new(script=x),
        lambda x: state.playout(x),
        lambda x: rw.load("nim", x),
        lambda x: state == x,
        lambda x: state.decision and state.decision.find(str(x)),
        lambda x: state.decision and state.decision.why_not(str(x)),
    )
    for _ in range(12):
        if state.over:
            break
        try:
            rng.choice(calls)(rng.choice(odd))
        except OWN:
            pass
        played_on(state, 1, rng.randrange)


COMMANDS = (
    ["list"],
    ["validate", "G"],
    ["test", "G"],
    ["replay", "F"],
    ["why", "F", "x"],
    ["show", "G", "rules"],
    ["explain", "R0101"],
    ["simulate", "G", "--games", "2", "--bots", "random"],
    ["fmt", "--check", "G"],
    ["play", "--resume", "F"],
    ["record", "F"],
    ["soak", "G"],
)


def fuzz_commands(rng: random.Random, folder: Path) -> None:
    home = ruleset(folder)
    file = folder / "f.json"
    file.write_text(
        rng.choice(("", "{}", "[" * 3000, '{"format": "rulewright-record/1"}', '{"format":"rulewright-save/2"}'))
    )
    words = [str(home) if word == "G" else str(file) if word == "F" else word for word in rng.choice(COMMANDS)]
    words += rng.choices(
        ("--format", "json", "--players", "-1", "--seed", "x", "\x1b", "", "--games", "1", "--to", "3", "é"),
        k=rng.randint(0, 2),
    )
    if words[0] == "soak":
        words += ["--decisions", "4"]
    assert exit_code_of(words) in (0, 1, 2)


def fuzz_grammar(rng: random.Random, folder: Path) -> None:
    """Forms of the whole grammar, in any order."""
    checked_and_played(ruleset(folder, grown_ruleset(rng)), rng)


TARGETS: dict[str, Callable[[random.Random, Path], None]] = {
    "rules": fuzz_rules,
    "grammar": fuzz_grammar,
    "data": fuzz_data,
    "texts": fuzz_texts,
    "api": fuzz_api,
    "commands": fuzz_commands,
    "saves": fuzz_saves,
    "records": fuzz_records,
    "scenarios": fuzz_scenarios,
    "web": fuzz_web,
}
