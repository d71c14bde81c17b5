"""Small files that once broke something (`tests/trust/corpus`), and how each kind of them is tried.

NAME.rules       a game; its first line may say which codes must be told: `# R0903`
NAME.fr.yaml     a translation of the sketch of a ruleset
NAME.save.json   a save of the smallest ruleset
NAME.args        a command line, an argument in each line; HOME stands for the smallest ruleset
"""

from __future__ import annotations

from pathlib import Path

import interpreter as rw
from interpreter.cli.commands import exit_code_of
from interpreter.diagnostics.render import render_all
from interpreter.play.language import in_language
from tests.trust.grown import SKETCH
from tests.trust.invariants import played_on
from tests.trust.small import ruleset

CORPUS = Path(__file__).parent / "corpus"
CASES = sorted(path for path in CORPUS.iterdir() if path.suffix in (".rules", ".yaml", ".json", ".args"))


def tried(case: Path, folder: Path) -> None:
    """Tries one case; whatever is wrong is told in the project's own words."""
    if case.suffix == ".rules":
        _rules(case.read_text(encoding="utf-8"), folder)
    elif case.suffix == ".yaml":
        home = ruleset(folder, SKETCH, manifest="languages: [en, fr]\n")
        (home / "texts").mkdir()
        (home / "texts" / "fr.yaml").write_bytes(case.read_bytes())
        _played(home, "fr")
    elif case.suffix == ".json":
        _save(case.read_text(encoding="utf-8"), folder)
    else:
        home = ruleset(folder)
        words = case.read_text(encoding="utf-8").splitlines()
        assert exit_code_of([str(home) if word == "HOME" else word for word in words]) in (0, 1, 2)


def _rules(text: str, folder: Path) -> None:
    wanted = text.partition("\n")[0].removeprefix("# ").split() if text.startswith("# R") else []
    told = _played(ruleset(folder, text))
    assert all(code in told for code in wanted), told


def _played(home: Path, language: str = "") -> str:
    """All that was found, or the fault that it came to."""
    found = rw.check_ruleset(str(home), quick=True).findings
    told = render_all(found)
    try:
        game = rw.load(str(home), backend="python")
        played_on((in_language(game, language) if language else game).new(seed=1), 12, lambda count: count // 2)
    except rw.RulesetError as refused:
        told += render_all(refused.diagnostics)
    except rw.Fault as fault:
        told += f"{fault.diagnostic.code} {fault}"
    return told


def _save(text: str, folder: Path) -> None:
    game = rw.load(str(ruleset(folder)), backend="python")
    try:
        played_on(game.from_json(text.replace("FINGERPRINT", game.fingerprint)), 6, lambda count: 0)
    except (rw.WrongSave, rw.Fault) as refused:
        assert str(refused)
