"""Texts that cannot be worked out: a label that takes too long (R0914), a title that asks a chart for a row it has not.

A table goes on without them. Nobody at it can mend the rules, and everything else about the decision is known: its
options, what each of them binds and touches. So options are called by what they bind, phases by the names of their
rules, and the prompt says what is wrong and in which line, so that a player knows why and an author knows where. What
exactly went wrong may name what others hold; a line of the rules does not.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...runtime.faults import Fault
from ...runtime.meta import Meta
from ...runtime.texts import phrase


def titles_of(state: Any) -> list[str]:
    """The running phases, by their titles or else by their rules."""
    try:
        return list(state.path)
    except Fault as fault:
        rules = (state.meta.rules.get(name) for name in dict.fromkeys(fault.stack))
        return [rule.name.replace("_", " ").capitalize() for rule in rules if rule is not None and rule.form == "phase"]


def prompt_of(meta: Meta, decision: Any, untold: Fault | None) -> str:
    """The prompt; `untold`: what kept the labels from being told."""
    try:
        return str(decision.prompt) if untold is None else _said(meta, untold)
    except Fault as fault:
        return _said(meta, fault)


def labels_of(decision: Any) -> tuple[list[tuple[str, str]], Fault | None]:
    """Of each option its label and what tells it from others of that name; or what it binds, and why. The first label
    that fails settles it for all of them, so that rules which cannot tell their options cost a server one share of the
    budget and not all."""
    try:
        return [(str(option), option.apart) for option in decision.options], None
    except Fault as fault:
        return [(", ".join(option.values) or str(option.index + 1), "") for option in decision.options], fault


def label_of(option: Any) -> str:
    """The label of one option, or what it binds."""
    try:
        return str(option)
    except Fault:
        return ", ".join(option.values) or str(option.index + 1)


def _said(meta: Meta, fault: Fault) -> str:
    where = f"{Path(fault.place[0]).name}:{fault.place[1]}" if fault.place else fault.rule
    what = f"{fault.diagnostic.code}, {where}"
    return phrase(meta, "The rules fail to say what is asked here ({what}).", what=what)
