"""The form of one entry in the registry of codes, and the families that codes belong to."""

from __future__ import annotations

from dataclasses import dataclass

FAMILIES = {
    "R01": "text and layout",
    "R02": "data",
    "R03": "names",
    "R04": "types, ranges, bounds, loops",
    "R05": "visibility",
    "R06": "hooks and layers",
    "R07": "dead ends, unreachable rules, unresolved ties",
    "R09": "at run time",
}


@dataclass(frozen=True)
class Code:
    """What `rulewright explain R0213` prints: a title, a few sentences, a wrong and a right example."""

    title: str
    explanation: str
    wrong: str
    right: str
