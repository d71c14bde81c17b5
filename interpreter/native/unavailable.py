"""The exception of this package."""

from __future__ import annotations


class NativeUnavailable(Exception):
    """Compiled code cannot be had. The message is one line for a person; `detail` may hold what a compiler printed."""

    def __init__(self, reason: str, detail: str = "", *, passing: bool = False) -> None:
        super().__init__(one_line(reason))
        self.detail = detail
        self.passing = passing  # a full disk or a killed compiler: the next attempt may well succeed


class StoreUnusable(NativeUnavailable):
    """The folder for built libraries cannot be used; no compiler is to blame for that."""


def one_line(text: str, longest: int = 300) -> str:
    """The text on one line, without control characters and not endless: it may come from a broken compiler."""
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return plain if len(plain) <= longest else plain[: longest - 3] + "..."
