"""Pictures of every game's table and of the lobby, as a person sees them: three widths, light and dark.

    tools/screenshots [--out DIR] [--games a,b] [--author FOLDER] [--widths 1440,390] [--steps 30] [--language fr]
                      [--light-only]

Starts a server of its own in a temporary folder, opens one table per game for a person against bots that choose at
random, plays some choices from a fixed seed over the JSON interface until the person is asked, and takes a picture with
Chromium. It also says which pages scroll sideways and which texts are cut off. The pictures are for looking at: a page
on which nobody would want to play is not done.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.web.page.running import Server, chromium, open_browser  # noqa: E402

HEIGHTS = {1440: 900, 1024: 768, 390: 844}
CUT_OFF = """() => [...document.querySelectorAll('.option .label, .prompt h1, .button, .cardname, .chip')]
  .filter((e) => e.getClientRects().length && e.scrollWidth > e.clientWidth + 2)
  .filter((e) => getComputedStyle(e).display !== 'inline')
  .map((e) => e.textContent.slice(0, 40))"""
SIDEWAYS = "() => document.documentElement.scrollWidth - innerWidth"


def call(base: str, path: str, token: str | None = None, body: Any = None) -> Any:
    request = urllib.request.Request(f"{base}/api/{path}", data=None if body is None else json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    request.add_header("Origin", base)
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)


def seated(base: str, game: str, players: int, seed: int) -> tuple[str, str]:
    seats: list[dict[str, str]] = [{"kind": "me", "name": "Robin"}]
    seats += [
        {"kind": "bot", "bot": "random", "name": name}
        for name in ("Mira", "Jonas", "Lin", "Ada", "Noor")[: players - 1]
    ]
    made = call(
        base,
        "tables",
        body={"game": game, "players": players, "seats": seats, "hints": True, "undo": True, "seed": seed},
    )
    return made["table"], next(seat["token"] for seat in made["seats"] if seat["token"])


def play(base: str, table: str, token: str, steps: int, seed: int) -> None:
    """Choices at random until so many are made, then on until the person is asked something."""
    draw = random.Random(seed)
    for _ in range(steps * 20):
        position = call(base, f"tables/{table}", token)
        decision = position["scene"]["decision"]
        if position["over"] or (position["step"] >= steps and decision and len(decision["options"]) > 1):
            return
        if not decision or decision["player"] != position["me"]:
            time.sleep(0.05)  # somebody else is at it
            continue
        option = draw.choice(decision["options"])
        try:
            call(
                base,
                f"tables/{table}/choose",
                token,
                {"position": position["number"], "option": option["index"], "code": option["code"]},
            )
        except urllib.error.HTTPError:
            continue


def shots(arguments: argparse.Namespace) -> Iterator[str]:
    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    themes = ["light"] if arguments.light_only else ["light", "dark"]
    more = ["--author", arguments.author] if arguments.author else []
    with tempfile.TemporaryDirectory() as data, Server(Path(data), *more) as server, open_browser() as browser:
        while (lobby := call(server.base, "games"))["reading"]:
            pass  # it answers after a second at the latest
        known = lobby["games"]
        wanted = arguments.games.split(",") if arguments.games else [game["name"] for game in known]
        tables: dict[str, tuple[str, str] | None] = {} if arguments.games else {"lobby": None}
        for name in wanted:
            game = name.split("+")[0]
            players = (
                max(next(one["players"] for one in known if one["name"] == game))
                if game in {one["name"] for one in known}
                else 2
            )
            try:
                tables[name] = seated(server.base, name, players, arguments.seed)
                play(server.base, *tables[name], arguments.steps, arguments.seed)  # type: ignore[misc]
            except urllib.error.HTTPError as error:
                tables.pop(name, None)
                yield f"{name}: {error.read().decode()[:200]}"
        for width in arguments.widths:
            for theme in themes:
                context = browser.new_context(
                    viewport={"width": width, "height": HEIGHTS.get(width, 900)},
                    color_scheme=theme,
                    locale=arguments.language,
                    device_scale_factor=1,
                )
                for name, seat in tables.items():
                    page = context.new_page()
                    page.goto(server.base + ("/" if seat is None else f"/#t={seat[0]}&seat={seat[1]}"))
                    page.wait_for_selector(".game" if seat is None else ".prompt h1")
                    page.wait_for_timeout(400)
                    page.screenshot(path=str(out / f"{name}_{width}_{theme}.png"))
                    sideways, cut = page.evaluate(SIDEWAYS), page.evaluate(CUT_OFF)
                    if sideways > 0 or (cut and theme == "light"):
                        yield f"{name} {width} {theme}: sideways {sideways}, cut {cut[:4]}"
                    page.close()
                context.close()


def main() -> int:
    parser = argparse.ArgumentParser(description="Pictures of every game's table.")
    parser.add_argument("--out", default="/tmp/rulewright-screenshots")
    parser.add_argument("--games", default="")
    parser.add_argument("--author", default="", help="a folder of rulesets beside those that are found by name")
    parser.add_argument("--widths", default="1440,1024,390", type=lambda text: [int(part) for part in text.split(",")])
    parser.add_argument("--steps", default=24, type=int)
    parser.add_argument("--seed", default=7, type=int)
    parser.add_argument("--language", default="en")
    parser.add_argument("--light-only", action="store_true")
    arguments = parser.parse_args()
    why = chromium().why_not
    if why:
        print(why, file=sys.stderr)
        return 3
    for line in shots(arguments):
        print(line)
    print(f"pictures are in {arguments.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
