"""What a player sees inside a `together` block: the table as it was before, and what the player's own body did.

Bodies run one after the other, but for the players they run at once. So nothing of another body shows until all are
through: no piece moved, no number written, no line of the log, nor who has chosen already. A body writes only what
belongs to its own player, so the view is that of the state before the block with the player's own things as they are
now.
"""

from __future__ import annotations

from typing import Any

from .names import index_name
from .running import Running
from .views import view


def view_inside(state: Running, player: int) -> dict[str, Any]:
    """The view of a player while others may have chosen already."""
    assert state.apart is not None
    meta = state.meta
    shown, now = view(state.apart, meta, player), view(state, meta, player)
    for part in ("fields", "places", "pieces"):
        shown[part]["players"][player] = now[part]["players"][player]
    seat = index_name(meta, "player", player)
    for name, dice in now["dice"].items():
        if isinstance(dice, dict) and seat in dice:
            shown["dice"][name] = {**shown["dice"].get(name, {}), seat: dice[seat]}
    return shown


def own_entries(state: Running, player: int) -> list[Any]:
    """The entries of the log that a player may read inside a block: all before it, and what the player did or was
    told since."""
    assert state.apart is not None
    before = len(state.apart.lg)
    return state.lg[:before] + [one for one in state.lg[before:] if _is_own(one[0], player)]


def _is_own(entry: tuple[Any, ...], player: int) -> bool:
    return bool(entry[3] == player if entry[0] == "say" else entry[1] == player)
