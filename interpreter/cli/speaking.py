"""The language in which the command line speaks: that of `--language`, else that of the system (`LANG`).

Commands and messages are written in English where they are made. What is shown is looked up on the way out, in the same
table of words that the table at the terminal uses (`play/words_LANGUAGE.json`): a text as it stands, or one with holes
(`there is no file `{path}``), whose parts are put where they belong. `words_LANGUAGE.json` beside this file has what
only the command line says: the help of commands for authors and researchers, and the titles of findings. What neither
has stays English: the details of a finding, which quote rules in English anyhow, and the pages of `explain` below their
title.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..diagnostics.render import Words
from ..play.language import language_of_system, own_words

if TYPE_CHECKING:
    from ..diagnostics.diagnostic import Diagnostic

_language: ContextVar[str] = ContextVar("language of the command line", default="en")


def language_asked(args: Sequence[str]) -> str:
    """What `--language` says on a command line, else what the system says."""
    for position, word in enumerate(args):
        if word == "--language" and position + 1 < len(args):
            return args[position + 1]
        if word.startswith("--language="):
            return word.partition("=")[2]
    return language_of_system()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


def spoken(text: str, least: int = 9) -> str:
    """The text in the language of the command line; as it is if there are no words for it. Texts with holes must have
    so many letters of their own: `{text} is {answer}` fits too much that means something else."""
    words = own_words(_language.get())
    if not words or not text:
        return text
    flat = "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))
    said = words.get(flat) or _part("help").get(flat) or _part("frame").get(flat)
    if said is not None:
        return said
    for letters, pattern, said in _with_holes(_language.get()):
        found = pattern.fullmatch(text) if letters >= least else None
        if found is not None:
            return _filled(said, found)
    return text


@cache
def _workshop(language: str) -> dict[str, dict[str, str]]:
    """What only the command line says, in a language; nothing in its own and in those that it does not speak."""
    file = Path(__file__).parent / f"words_{language}.json"
    if not language.isalnum() or not file.is_file():
        return {}
    parts: dict[str, dict[str, str]] = json.loads(file.read_text(encoding="utf-8"))
    return parts


def _part(name: str) -> dict[str, str]:
    return _workshop(_language.get()).get(name, {})


def _filled(said: str, found: re.Match[str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda hole: spoken(found.group(hole[1])), said)


def answer_spoken(text: str) -> str:
    """A line of `why`, which may say no more than that something is 4."""
    return spoken(text, least=4)


@cache
def _with_holes(language: str) -> tuple[tuple[int, re.Pattern[str], str], ...]:
    """Texts with holes as patterns, those with most letters of their own first: they are the most particular."""
    found = []
    for text, said in own_words(language).items():
        names = re.findall(r"\{(\w+)\}", text)
        if names and len(set(names)) == len(names):
            parts = re.split(r"\{\w+\}", text)
            pattern = re.escape(parts[0])
            for name, part in zip(names, parts[1:], strict=True):
                pattern += f"(?P<{name}>.+?){re.escape(part)}"
            found.append((sum(map(len, parts)), re.compile(pattern, re.DOTALL), said))
    return tuple(sorted(found, key=lambda one: -one[0]))


# ---------------------------------------------------------------------------- findings


class SpokenWords(Words):
    """The words around findings in the language of the command line. What a finding says in particular is in English;
    its title, in the language, stands before it."""

    def say(self, text: str) -> str:
        return spoken(text)

    def headline(self, finding: Diagnostic) -> str:
        said, title = spoken(finding.headline), title_of(finding.code)
        return said if title is None or said != finding.headline else f"{title} : {said}"

    def counted(self, number: int, word: str) -> str:
        return count_spoken(number, word)


def count_spoken(number: int, word: str, plural: str | None = None) -> str:
    """`1 finding`, `2 findings`, or the same in the language if it has words for that."""
    form = word if number == 1 else plural or f"{word}s"
    said = _part("frame").get(f"{{n}} {form}", f"{{n}} {form}")
    return said.replace("{n}", f"{number:,}")


def title_of(code: str) -> str | None:
    """The title of a code in a language other than English; None in English."""
    return _part("titles").get(code)


def title_spoken(code: str) -> str | None:
    """The title with the family of the code."""
    title = title_of(code)
    return None if title is None else f"{title} ({_part('families').get(code[:3], '')})"


# ---------------------------------------------------------------------------- the language on the command line


def language_taken(args: Sequence[str], commands: Mapping[str, Callable[[], click.Command]]) -> list[str]:
    """The arguments without `--language CODE`, which stands with any command, and is handed on to one that has an
    option of that name."""
    own = args.index("--") if "--" in args else len(args)
    left, value = list[str](), None
    before = iter(args[:own])
    for arg in before:
        if arg != "--language" and not arg.startswith("--language="):
            left.append(arg)
            continue
        value = arg.partition("=")[2] if "=" in arg else next(before, None)
        if value is None:
            return list(args)  # nothing follows it: the command says so
    name = next((arg for arg in left if arg in commands), None)
    if value is None or name is None:
        return [*left, *args[own:]]
    has = any("--language" in parameter.opts for parameter in commands[name]().params)
    return [*left, *(["--language", value] if has else []), *args[own:]]


# ---------------------------------------------------------------------------- help

_HEADINGS = (
    "Usage:",
    "Options:",
    "Commands:",
    "Examples:",
    "What can be shown:",
    "Show this message and exit.",
    "Show the version and exit.",
)


_EXAMPLE = re.compile(r"^( +rulewright .*?)( {2,}| (?=for ))(\S.*)$", re.MULTILINE)  # a command, and what it does
_ENTRY = re.compile(r"^( {2,}[a-z]+(?: \S+)?)( {2,})(\S.*)$", re.MULTILINE)  # a word of a list, and what it means


def command_spoken(command: click.Command) -> click.Command:
    """A command whose help speaks the language. The command itself is shared and stays as it is."""
    if not own_words(_language.get()):
        return command
    made = copy.copy(command)
    made.help = spoken(made.help or "")
    made.params = [_parameter_spoken(one) for one in made.params]
    made.get_help = lambda ctx: headed(command.__class__.get_help(made, ctx))  # type: ignore[method-assign]
    return made


def _parameter_spoken(parameter: click.Parameter) -> click.Parameter:
    if not isinstance(parameter, click.Option) or not parameter.help:
        return parameter
    made = copy.copy(parameter)
    made.help = spoken(parameter.help)
    return made


def headed(text: str) -> str:
    """A help page with its headings, which click writes, in the language."""
    for heading in _HEADINGS:
        text = text.replace(heading, spoken(heading))
    for lines in (_EXAMPLE, _ENTRY):
        text = lines.sub(lambda line: f"{line[1]}{line[2]}{spoken(line[3])}", text)
    return text
