"""The language in which the command line speaks: that of `--language`, else that of the system (`LANG`).

Commands and messages are written in English where they are made. What is shown is looked up on the way out, in the same
table of words that the table at the terminal uses (`play/words_LANGUAGE.json`): a text as it stands, or one with holes
(`there is no file `{path}``), whose parts are put where they belong. What the table lacks stays English: findings about
rules, which quote rules in English anyhow, and the help of commands for authors and researchers.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

import click

from ..play.language import language_of_system, own_words

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
    if flat in words:
        return words[flat]
    for letters, pattern, said in _with_holes(_language.get()):
        found = pattern.fullmatch(text) if letters >= least else None
        if found is not None:
            return _filled(said, found)
    return text


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


# ---------------------------------------------------------------------------- help

_HEADINGS = (
    "Usage:",
    "Options:",
    "Commands:",
    "Examples:",
    "Show this message and exit.",
    "Show the version and exit.",
)


_EXAMPLE = re.compile(r"^( +rulewright .*?)( {2,}| (?=for ))(\S.*)$", re.MULTILINE)  # a command, and what it does


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
    return _EXAMPLE.sub(lambda line: f"{line[1]}{line[2]}{spoken(line[3])}", text)
