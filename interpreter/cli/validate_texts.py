"""`rulewright validate NAME --texts LANGUAGE`: a file for the translator, with existing and missing translations."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..files.reading import read_text
from ..files.writing import write_whole
from ..play.contract import PlayError
from .combinations import combinations
from .messages import counted, print_json

if TYPE_CHECKING:
    from ..check.program import Program

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")


def run_texts(names: list[str], language: str, layout: str) -> int:
    from ..ruleset.yaml_source import shown_path

    if not _LANGUAGE.fullmatch(language):
        raise PlayError(f"`{language}` is no language code", "write one such as fr or pt-BR")
    told = []
    for name in names:
        path, added, empty = _complete(name, language)
        file = shown_path(path)
        told.append({"name": name, "file": file, "added": added, "empty": empty})
        if layout == "text":
            click.echo(f"{file}: {counted(len(added), 'text')} added, {len(empty)} to fill in")
    if layout == "json":
        print_json({"diagnostics": [], "texts": told})
    return 0


def _complete(name: str, language: str) -> tuple[Path, list[str], list[str]]:
    """The file of that language, the keys that were just added, and all texts that have no translation yet."""
    from ..check.texts import keys_of, missing_texts, text_files
    from ..study.texts_template import extended_texts, new_texts

    programs, folder = _programs(name)
    keys = keys_of(programs)
    if language == keys.language:
        raise PlayError(f"`{language}` is the language of `{name}` itself", "name the one to translate into")
    for file, known, texts in text_files(folder):
        if known == language:
            empty = missing_texts(texts, keys.needed)
            added = [key for key in empty if key not in texts.value]
            if added:
                _write(file, extended_texts(read_text(file), language, texts, added))
            return file, added, empty
    file = folder / "texts" / f"{language}.yaml"
    if file.exists():
        raise PlayError(f"`{file}` cannot be read", f"`rulewright validate {name}` says why")
    missing = list(keys.needed)
    _write(file, new_texts(programs[0].title, language, missing))
    return file, missing, missing


def _programs(name: str) -> tuple[list[Program], Path]:
    """The game alone and with its variants, for each number of players: all of them have texts."""
    from ..diagnostics.diagnostic import Diagnostics, RulesetError
    from ..ruleset.gather import gather
    from .validate import check_for_all_counts

    first = Diagnostics()
    gathered = gather(name, None, first)
    if gathered is None:
        raise RulesetError(first.found)
    programs: list[Program] = []
    for combination in combinations(name, gathered.all_variants):
        found, checked = check_for_all_counts(combination)
        sound = [program for program in checked if program is not None]
        if len(sound) < len(checked):
            raise RulesetError(found)
        programs += sound
    return programs, gathered.folder


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(exist_ok=True)
        write_whole(path, text)
    except OSError as problem:
        raise PlayError(f"`{path}` cannot be written: {problem.strerror or problem}") from problem
