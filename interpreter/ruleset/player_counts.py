"""Compares the player counts that a data file mentions with those that the game allows.

Rows and layouts for a player count that the game does not allow are never read: most often the number is a typo. A
range is accepted if the game allows at least one count in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Span
from ..syntax import nodes
from .gathered import Scalar
from .scan import in_players


def fits_count(key: str, players: int) -> bool:
    """True if a key such as `3` or `2..4` includes that many players."""
    low, high = _range(key)
    return low <= players <= high


def _range(key: str) -> tuple[int, int]:
    low, _, high = key.partition("..")
    return int(low), int(high or low)


def check_player_counts(document: Scalar, game: nodes.Game, found: Diagnostics) -> None:
    """Reports every row, value and layout that is for no player count of the game."""
    whom = in_players(game.fewest, game.most)
    for key, span in _counts_in(document):
        if not any(fits_count(key, players) for players in range(game.fewest, game.most + 1)):
            what = f"this is for {in_players(*_range(key))}, and `{game.name.text}` is for {whom}"
            found.warning("R0227", what, span, "never read", help="correct the number, or remove what stands under it")


def _counts_in(value: Scalar) -> Iterator[tuple[str, Span]]:
    """The player counts under `by_players` and `layouts`, anywhere in the file."""
    if isinstance(value.value, list):
        for item in value.value:
            yield from _counts_in(item)
    elif isinstance(value.value, dict):
        for key, part in value.value.items():
            if key in ("by_players", "layouts") and isinstance(part.value, list):
                yield from ((str(count.value), count.span) for count in part.value)
            elif key in ("by_players", "layouts") and isinstance(part.value, dict):
                yield from part.keys.items()
            yield from _counts_in(part)
