"""A person at the page: looks at what is marked, clicks it, types, and waits for the others. Knows no game."""

from __future__ import annotations

import json
import random
import secrets
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

WIDE = {"width": 1440, "height": 900}
TABLET = {"width": 1024, "height": 768}
PATIENCE = 120_000  # milliseconds: a machine may be busy with other things
POLLING = 50  # milliseconds: otherwise the page is asked at every frame, and draws frames for nothing else
PHONE = {"width": 390, "height": 844}
SETTLED = """(number) => {
  const table = document.querySelector('.table');
  if (!table || table.dataset.busy === 'true' || table.classList.contains('off')) return false;
  if (table.dataset.state === 'over') return true;
  return table.dataset.state === 'mine' && table.dataset.number !== number;
}"""


def call(base: str, path: str, token: str | None = None, body: Any = None) -> Any:
    request = urllib.request.Request(f"{base}/api/{path}", data=None if body is None else json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def new_table(base: str, game: str, kinds: str = "me bot", seed: int = 5) -> tuple[str, list[str | None]]:
    """A table with seats of these kinds; its id and the tokens of its seats."""
    seats = [{"kind": kind, "bot": "random"} if kind == "bot" else {"kind": kind} for kind in kinds.split()]
    body: dict[str, Any] = {"game": game, "players": len(seats), "seats": seats, "hints": True, "undo": True}
    if "friend" not in kinds:  # a seed that one person knows would tell that person the others' cards
        body["seed"] = seed
    made = call(base, "tables", body=body)
    tokens: list[str | None] = [None] * len(seats)
    for seat in made["seats"]:
        tokens[seat["seat"]] = seat["token"]
    return made["table"], tokens


def stored_table(data: Path, game: str, players: int, seed: int) -> tuple[str, list[str | None]]:
    """A table for persons with a seed that nobody at it may name, put into the store of a running server, which reads
    it when somebody comes. For games with secrets (`auto` is off)."""
    from interpreter.web.server.library import Library
    from interpreter.web.server.seating import hashed, new_token
    from interpreter.web.server.store import NewTable, SeatRow, TableRow, open_store

    store = open_store(str(data / "tables.sqlite"))
    library = Library(store, data)
    rules = library.rules(game)
    tokens: list[str | None] = [new_token() for _ in range(players)]
    seats = tuple(SeatRow(n, "friend" if n else "me", "", "", hashed(str(token))) for n, token in enumerate(tokens))
    id, now = secrets.token_urlsafe(9), time.time()
    row = TableRow(id, game, players, rules.digest, seed, False, {"undo": True}, made=now, changed=now)
    assert store.write([library.kept(rules), NewTable(row, seats)]) == [None, None]
    store.close()
    return id, tokens


class Person:
    def __init__(self, page: Any, base: str, seed: int = 1) -> None:
        self.page, self.base, self.random = page, base, random.Random(seed)
        self.errors: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on(
            "request",
            lambda request: (
                self.errors.append(f"outside: {request.url}")
                if not request.url.startswith((base, "data:", "blob:"))
                else None
            ),
        )

    def sit(self, table: str, *tokens: str | None) -> Person:
        """With several tokens, several seats of one table are in this browser; the one that decides is shown."""
        for token in tokens or (None,):
            self.page.goto("about:blank")
            self.page.goto(f"{self.base}/#t={table}" + (f"&seat={token}" if token else ""))
            self.page.wait_for_selector(".prompt h1")
        return self

    @property
    def state(self) -> str:
        return str(self.page.evaluate("() => document.querySelector('.table')?.dataset.state"))

    @property
    def number(self) -> str:
        return str(self.page.evaluate("() => document.querySelector('.table')?.dataset.number"))

    def wait_for_turn(self, after: str = "") -> bool:
        """Until this person is asked something new; false when the game is over."""
        self.page.wait_for_function(SETTLED, arg=after, timeout=PATIENCE, polling=POLLING)
        return self.state == "mine"

    def marked(self) -> list[str]:
        """Ids of what is marked and can be seen."""
        found = self.page.evaluate(MARKED)
        return list(dict.fromkeys(found))

    def click(self, thing: str) -> None:
        """A real click on a thing of the table: in its middle, or where it is not covered."""
        self.page.evaluate(INTO_VIEW, thing)
        point = self.page.evaluate(OPEN_POINT, thing)
        assert point, f"{thing} is marked, and covered by something else"
        self.page.mouse.click(*point)

    def choose_by_clicking(self) -> str:
        """Narrow the options on the table until one is left and take it; what names nothing on the table is taken from
        the buttons or the list. Tells how it was done."""
        for _ in range(6):
            things = self.marked()
            if not things:
                break
            before = self.number
            self.click(self.random.choice(things))
            if self.is_sent(before):
                return "table"
            if self.page.locator(".optionlist .option").count() == 1:
                self.page.locator(".optionlist .option.sure").click()
                return "table"
        return self.choose_from_list()

    def is_sent(self, before: str) -> bool:
        """Whether the last click was a choice, answered or not."""
        return bool(self.page.evaluate(SENT, before))

    def choose_from_list(self) -> str:
        self.page.evaluate(
            "() => { for (const group of document.querySelectorAll('details.optiongroup')) group.open = true; }"
        )
        opener = self.page.locator("[data-focus=openlist]")
        if opener.count():
            opener.click()
        buttons = self.page.locator(".prompt .pass, .option")
        which = buttons.nth(self.random.randrange(buttons.count()))
        which.click()
        if which.count() and self.page.locator(".option.sure .go").count():
            self.page.locator(".option.sure").first.click()
        return "list"

    def play(self, choose: Callable[[], Any] | None = None, most: int = 500) -> int:
        """Until the game is over, or so many choices are made. How many were made."""
        made, number = 0, ""
        while made < most and self.wait_for_turn(number):
            number = self.number
            (choose or self.choose_by_clicking)()
            made += 1
        if made < most:
            assert self.state == "over"
        assert not self.errors, self.errors
        return made


MARKED = """() => [...document.querySelectorAll('[data-id].may')]
  .filter((e) => e.getClientRects().length && e.getBoundingClientRect().width > 4).map((e) => e.dataset.id)"""
INTO_VIEW = """(id) => {
  const name = `[data-id="${CSS.escape(id)}"]`;
  const element = document.querySelector(`${name}.may`) ?? document.querySelector(name);
  element?.scrollIntoView({block: 'nearest', inline: 'nearest'});
}"""
SENT = """(number) => {
  const data = document.querySelector('.table').dataset;
  return data.busy === 'true' || data.state !== 'mine' || data.number !== number;
}"""
SPOTS = "[[.5,.5],[.2,.5],[.8,.5],[.5,.15],[.5,.85],[.15,.15],[.85,.85],[.1,.5],[.5,.04],[.04,.5],[.96,.5]]"
OPEN_POINT = """(id) => {
  const all = [...document.querySelectorAll(`[data-id="${CSS.escape(id)}"]`)].filter((e) => e.getClientRects().length);
  for (const element of [...all.filter((e) => e.classList.contains('may')), ...all]) {
    const box = element.getBoundingClientRect();
    for (const [x, y] of SPOTS) {
      const point = [box.x + box.width * x, box.y + box.height * y];
      const at = document.elementFromPoint(...point)?.closest('[data-id]');
      for (let up = at; up; up = up.parentElement?.closest('[data-id]') ?? null) {
        if (up.dataset.id === id) return point;
        if (up.classList.contains('may') || up.classList.contains('maybe')) break;
      }
    }
  }
  return null;
}""".replace("SPOTS", SPOTS)
