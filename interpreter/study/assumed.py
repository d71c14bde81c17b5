"""How much of a game's data is assumed: the line that every report has about its numbers.

The audit reads and counts all data, and imports the checker for it. Both take longer than many a study. So the counts
are kept in the cache, and the audit is imported only where they are not there yet.
"""

from __future__ import annotations

import hashlib

from ..files.cache import cached, keep
from ..ruleset.fingerprint import fingerprint_of


def assumed_in(name: str, players: int) -> tuple[int, int]:
    """How many values the files of one game have that the book does not give, and how many they have at all."""
    key = hashlib.sha256(repr((name, fingerprint_of(name, players))).encode()).hexdigest()
    kept = cached("assumed", key)
    if kept is not None and len(kept.split()) == 2:
        return int(kept.split()[0]), int(kept.split()[1])
    from .audit import data_of

    known = [datum.known for datum in data_of(name, players)]
    keep(f"{known.count(False)} {len(known)}".encode(), "assumed", key)
    return known.count(False), len(known)
