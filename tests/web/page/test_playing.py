"""Whole games in a real browser, by clicking what is marked: maps, cards, hidden hands, four people at once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.page.person import PHONE, WIDE, Person, call, new_table, stored_table
from tests.web.page.running import Server


def person(browser: Any, server: Server, seed: int = 1, **how: Any) -> Person:
    context = browser.new_context(
        viewport=how.pop("viewport", WIDE), reduced_motion="reduce", locale=how.pop("locale", "en"), **how
    )
    return Person(context.new_page(), server.base, seed)


HEIGHTS = """() => [...document.querySelectorAll('.option, .tabs button')]
  .map((e) => e.getBoundingClientRect().height)"""
SWAP = "rulewright.table.swap(rulewright.table.live); document.body.offsetTop;"
CAUGHT_UP = """(number) => {
  const data = document.querySelector('.table').dataset;
  return data.number === number && data.busy === 'false';
}"""
PARTS = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration")


def client_work(one: Person) -> tuple[float, float]:
    """CPU milliseconds of script, style and layout in the page: to draw a table into an empty board, and for a change.
    Counted in ticks of the page's own thread, so that other work on the machine does not count."""
    session = one.page.context.new_cdp_session(one.page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        found = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
        return 1000 * float(sum(found[name] for name in PARTS))

    def drawn(script: str) -> float:
        before = spent()
        one.page.evaluate(script)
        return spent() - before

    opening = drawn("() => { rulewright.table.parts.board.replaceChildren(); " + SWAP + " }")
    change = min(drawn("() => { " + SWAP + " }") for _ in range(4))
    return opening, change


# Most choices in the normal run; `--long` plays to the end.
GAMES = {"tic_tac_toe": 20, "kuhn_poker": 20, "connect_four": 40, "pikit": 16, "kikai": 14}
LONG = [
    "breakthrough",
    "kalah",
    "nim",
    "flatiron+solo",
    "bricolage_heads",
    "hearts",
    "chess",
    "hex_11x11",
    "kiwi_chow_down",
]


@pytest.mark.parametrize("played", GAMES)
def test_a_game_is_played_by_clicking_what_is_marked(browser: Any, server: Server, played: str, is_long: bool) -> None:
    robin = person(browser, server)
    table, tokens = new_table(server.base, played)
    made = robin.sit(table, tokens[0]).play(most=1000 if is_long else GAMES[played])
    assert made >= 1
    robin.page.context.close()


@pytest.mark.parametrize("played", LONG)
def test_longer_games_are_played_by_clicking_what_is_marked(
    browser: Any, server: Server, played: str, is_long: bool
) -> None:
    if not is_long:
        pytest.skip("whole long games are played with --long")
    robin = person(browser, server)
    table, tokens = new_table(server.base, played, "me bot bot bot" if played == "hearts" else "me bot")
    robin.sit(table, tokens[0]).play(most=2000)
    robin.page.context.close()


def test_the_mark_of_a_cell_takes_its_option(browser: Any, server: Server) -> None:
    """Two clicks on one marked cell make the move, and the list and the board show the same key."""
    robin = person(browser, server)
    table, tokens = new_table(server.base, "tic_tac_toe", "me me")
    robin.sit(table, tokens[0])
    robin.wait_for_turn()
    cell = robin.marked()[4]
    key = robin.page.locator(f'[data-id="{cell}"] .mapbadge').text_content()
    robin.click(cell)
    assert robin.page.locator(".prompt .chip").count() == 1
    assert robin.page.locator(".option.sure").count() == 1
    number = robin.number
    robin.click(cell)
    robin.page.wait_for_function("(before) => document.querySelector('.table').dataset.number !== before", arg=number)
    assert key and robin.page.locator(f'[data-id="{cell}"] .ownerdisc, [data-id="{cell}"] .mpiece').count() == 1
    robin.page.context.close()


def test_with_the_keyboard_alone(browser: Any, server: Server) -> None:
    """Numbers take options; arrows and Enter choose on the board; / filters; Esc goes back. No pointer is used."""
    robin = person(browser, server)
    table, tokens = new_table(server.base, "connect_four")
    robin.sit(table, tokens[0])
    assert robin.wait_for_turn()
    number = robin.number
    robin.page.keyboard.press("ArrowRight")
    robin.page.keyboard.press("ArrowRight")
    assert robin.page.locator(".cursor").count() >= 1
    robin.page.keyboard.press("Enter")
    assert robin.page.locator(".prompt .chip").count() == 1
    robin.page.keyboard.press("Escape")
    assert robin.page.locator(".prompt .chip").count() == 0
    robin.page.keyboard.press("/")
    robin.page.keyboard.type("column 4")
    assert robin.page.locator(".option").count() == 1
    robin.page.keyboard.press("Enter")
    robin.wait_for_turn(number)
    keys = iter("1234567" * 20)
    robin.play(
        lambda: robin.page.keyboard.press(next(keys) if robin.page.locator(".option").count() > 6 else "1"), most=40
    )
    robin.page.keyboard.press("?")
    assert robin.page.locator("dialog .keylist").is_visible()
    robin.page.context.close()


def test_on_a_phone_nothing_is_taken_by_one_tap(browser: Any, server: Server) -> None:
    robin = person(browser, server, viewport=PHONE, has_touch=True)
    table, tokens = new_table(server.base, "tic_tac_toe")
    robin.sit(table, tokens[0])
    robin.wait_for_turn()
    number = robin.number
    robin.page.locator(".option").first.tap()
    assert robin.number == number
    go = robin.page.locator(".option.sure .go")
    assert go.is_visible() and go.bounding_box()["height"] >= 36
    heights = robin.page.evaluate(HEIGHTS)
    assert min(heights) >= 44, heights
    robin.page.locator(".option.sure").tap()
    robin.wait_for_turn(number)
    robin.play()
    assert robin.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    for tab in ("players", "log", "board"):
        robin.page.locator(f"[data-focus=tab-{tab}]").tap()
    robin.page.context.close()


def test_in_french(browser: Any, server: Server) -> None:
    robin = person(browser, server, locale="fr-FR")
    table, tokens = new_table(server.base, "pikit")
    robin.sit(table, tokens[0])
    robin.play(most=6)
    assert robin.page.evaluate("document.documentElement.lang") == "fr"
    assert robin.page.locator(".options h2").text_content().startswith("Choix")
    assert robin.page.locator(".undobutton .tooltext").text_content() == "Annuler"
    robin.page.keyboard.press("m")
    robin.page.locator("dialog [lang=en]").click()
    robin.page.wait_for_function("() => document.documentElement.lang === 'en'")
    robin.page.wait_for_selector(".options h2")
    assert robin.page.locator(".options h2").text_content().startswith("Options")
    robin.page.context.close()


def test_a_reload_and_a_killed_server_lose_nothing(browser: Any, tmp_path: Any) -> None:
    with Server(tmp_path) as server:
        robin = person(browser, server)
        table, tokens = new_table(server.base, "connect_four")
        robin.sit(table, tokens[0]).play(most=2)
        robin.wait_for_turn()
        lines = robin.page.locator(".logline").count()
        robin.page.reload()
        robin.page.wait_for_selector(".prompt h1")
        assert robin.wait_for_turn()
        assert robin.page.locator(".logline").count() == lines
        assert "seat=" not in robin.page.url
        server.kill()
        robin.page.wait_for_selector(".banner.offline")
        robin.errors.clear()
        server.start()
        robin.page.wait_for_selector(".banner.offline", state="detached", timeout=20_000)
        assert robin.page.locator(".logline").count() == lines
        robin.errors.clear()
        robin.play()
        robin.page.context.close()
        assert str(tokens[0]) not in (tmp_path / "serve.log").read_text(), "a seat is a secret"


def test_four_people_at_one_table(browser: Any, server: Server, is_long: bool) -> None:
    """Each in a page of their own; nobody sees the others' hidden things; with `--long`, drawing stays quick."""
    table, tokens = stored_table(server.data, "kiwi_chow_down", 4, seed=7)
    people = [person(browser, server, seed) for seed in range(4)]
    for one, token in zip(people, tokens, strict=True):
        one.sit(table, token)
    for _ in range(3000 if is_long else 10):
        states = [one.state for one in people]
        if "over" in states:
            break
        assert states.count("mine") == 1, states
        one = people[states.index("mine")]
        number = one.number
        one.choose_by_clicking()
        one.page.wait_for_function("(n) => document.querySelector('.table').dataset.number !== n", arg=number)
        for other, token in zip(people, tokens, strict=True):
            now = call(server.base, f"tables/{table}", token)["number"]
            other.page.wait_for_function(CAUGHT_UP, arg=str(now))
    for one in people:
        assert not one.errors, one.errors
    if is_long:  # a timing: the everyday run has none
        works = [client_work(one) for one in people]
        print("client work in CPU ms, opening and each change: " + ", ".join(f"{a:.0f} and {b:.0f}" for a, b in works))
        assert min(opening for opening, _ in works) < 100 and min(change for _, change in works) < 100, works
    for one in people:
        one.page.context.close()
