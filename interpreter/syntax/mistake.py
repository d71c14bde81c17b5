"""One row of the tables in `mistakes` and `slips`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mistake:
    """One row: what the marked line looks like, and what to report."""

    code: str
    pattern: str
    headline: str
    help: str
    example: str
