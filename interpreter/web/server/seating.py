"""Who sits where at a new table, and the secrets that seats are.

A seat is a token of 128 bits. It is given out once, when the table is made or the seat is taken; the store has only its
hash, and links carry it in their fragment, which browsers send to nobody.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass, replace
from typing import Any

from .asking import facts_of
from .store import SeatRow
from .strengths import bot_spec
from .words import Refused

LONGEST_NAME = 40
_TABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True)
class Seated:
    row: SeatRow
    token: str | None


def new_table_id() -> str:
    return secrets.token_urlsafe(9)


def is_table_id(text: str) -> bool:
    """Whether a table can be called so: the store is asked for nothing else."""
    return _TABLE.fullmatch(text) is not None


def new_token() -> str:
    return secrets.token_urlsafe(16)


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def seat_of(seats: list[SeatRow], token: str | None) -> int | None:
    """The seat that a token is for; None for a spectator, who has none. Raises Refused for any other token."""
    if token is None:
        return None
    wanted = hashed(token)
    for seat in seats:
        if seat.token_hash and secrets.compare_digest(seat.token_hash, wanted):
            return seat.seat
    raise Refused(403, "wrong_seat")


def link_to(table: str, token: str | None) -> str:
    return f"/#t={table}" + (f"&seat={token}" if token else "")


def seated(game: Any, asked: Any) -> list[Seated]:
    """The seats of a new table as they were asked for; without a wish the first is mine and the others are bots."""
    automas = facts_of(game).automas
    if asked is None:
        free = [seat for seat in range(game.players) if seat not in automas]
        asked = [{"kind": "me" if seat == free[0] else "bot"} for seat in free]
    if not isinstance(asked, list) or not all(isinstance(one, dict) for one in asked):
        raise Refused(400, "bad_request", why="`seats` is no list of objects")
    if len(asked) == game.players - len(automas):  # the game's own seats may be left out
        left = iter(asked)
        asked = [{"kind": "automa"} if seat in automas else next(left) for seat in range(game.players)]
    if len(asked) != game.players:
        raise Refused(422, "wrong_seats", seats=game.players)
    made = [_seated(seat, wish, seat in automas) for seat, wish in enumerate(asked)]
    if not any(one.row.kind == "me" for one in made):
        raise Refused(422, "nobody")
    return made


def _seated(seat: int, wish: dict[str, Any], is_automa: bool) -> Seated:
    kind, bot = wish.get("kind", "bot"), wish.get("bot") or "easy"
    name = clean_name(wish.get("name"))
    if is_automa:
        return Seated(SeatRow(seat, "automa", name), None)
    if kind == "bot":
        if not isinstance(bot, str):
            raise Refused(400, "bad_request", why="`bot` is no text")
        bot_spec(bot)
        return Seated(SeatRow(seat, "bot", name, bot), None)
    if kind == "open":
        return Seated(SeatRow(seat, "open", name), None)
    if kind not in ("me", "friend"):
        raise Refused(400, "bad_request", why="`kind` is me, friend, open or bot")
    token = new_token()
    return Seated(SeatRow(seat, kind, name, token_hash=hashed(token)), token)


def clean_name(name: Any) -> str:
    """A person's name: one line of text, without anything that is not printed."""
    if name is None:
        return ""
    if not isinstance(name, str):
        raise Refused(400, "bad_request", why="`name` is no text")
    return "".join(letter for letter in name if letter.isprintable()).strip()[:LONGEST_NAME]


def all_mine(seats: list[SeatRow], keep_bots: bool) -> list[Seated]:
    """The seats of a table that goes on from a moment of another one: all persons around one screen."""
    made = []
    for seat in seats:
        if seat.kind == "automa" or (seat.kind == "bot" and keep_bots):
            made.append(Seated(seat, None))
        else:
            token = new_token()
            made.append(Seated(replace(seat, kind="me", bot="", token_hash=hashed(token)), token))
    return made


# ---------------------------------------------------------------------------- what else a new table is told


def settings_of(asked: dict[str, Any]) -> dict[str, Any]:
    settings = {}
    for key, default in (("hints", True), ("undo", True)):
        value = asked.get(key, default)
        if not isinstance(value, bool):
            raise Refused(400, "bad_request", why=f"`{key}` is yes or no")
        settings[key] = value
    language = asked.get("language")
    if language is not None and not (isinstance(language, str) and 2 <= len(language) <= 8):
        raise Refused(400, "bad_request", why="`language` is no language")
    return {**settings, "language": language}


def seed_of(asked: dict[str, Any], seats: list[Seated]) -> int:
    """A seed is drawn. Who sits alone may name one, to play a game again; nobody else, since it tells all chance."""
    seed = asked.get("seed")
    if seed is None:
        return secrets.randbelow(1 << 62)
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 1 << 62:
        raise Refused(400, "bad_request", why="`seed` is no number from 0 on")
    if any(one.row.kind in ("friend", "open") for one in seats):
        raise Refused(403, "not_yours")
    return seed


def given_out(id: str, seats: list[Seated]) -> dict[str, Any]:
    given = [
        {
            "seat": one.row.seat,
            "kind": one.row.kind,
            "token": one.token,
            "link": link_to(id, one.token) if one.token or one.row.kind == "open" else None,
        }
        for one in seats
    ]
    return {"table": id, "seats": given, "link": link_to(id, None)}
