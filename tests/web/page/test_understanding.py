"""What a person asks of a table: why not, the rules, the score, a hint, a step back, an earlier moment."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.web.page.person import PHONE, TABLET, WIDE, Person, new_table
from tests.web.page.running import Server

CACHE = Path(
    os.environ.get("RULEWRIGHT_NPM")
    or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rulewright" / "npm"
)
AXE = CACHE / "node_modules" / "axe-core" / "axe.min.js"


def seated(browser: Any, server: Server, game: str, kinds: str = "me bot", **how: Any) -> Person:
    context = browser.new_context(viewport=how.pop("viewport", WIDE), reduced_motion="reduce", locale="en", **how)
    table, tokens = new_table(server.base, game, kinds)
    mine = [token for token, kind in zip(tokens, kinds.split(), strict=True) if kind == "me"]
    return Person(context.new_page(), server.base).sit(table, *mine)


def test_what_is_not_on_offer_says_why(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "tic_tac_toe")
    robin.wait_for_turn()
    before = robin.number
    robin.play(most=1)
    robin.wait_for_turn(before)  # on a busy machine the answer may not be here yet
    taken = robin.page.locator(".node:not(.may)").first.get_attribute("data-id")
    robin.click(str(taken))
    why = robin.page.locator(".why.popover")
    why.wait_for()
    assert why.locator(".whyreason").first.text_content()
    box = why.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= WIDE["width"]
    robin.page.keyboard.press("Escape")
    why.wait_for(state="detached")
    robin.page.locator("[data-focus=why]").click()
    robin.page.locator("dialog .panelhead").wait_for()
    assert not robin.errors, robin.errors
    robin.page.context.close()


def test_rules_scores_and_clauses(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "kalah")
    robin.wait_for_turn()
    robin.page.locator(".prompt .clause").first.click()
    cited = robin.page.locator(".prompt .clause").first.text_content()
    robin.page.locator("dialog.rules .rule.found").wait_for()
    assert robin.page.locator("dialog.rules .rule.found .clause").text_content() == cited
    robin.page.locator("dialog.rules input").fill("zzzz nothing")
    assert robin.page.locator("dialog.rules .rule:visible").count() == 0
    robin.page.keyboard.press("Escape")
    robin.page.keyboard.press("s")
    robin.page.locator("dialog .scores").wait_for()
    robin.page.keyboard.press("Escape")
    assert not robin.errors, robin.errors
    robin.page.context.close()


def test_hint_undo_and_looking_back(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "connect_four", "me me")
    robin.play(lambda: robin.page.keyboard.press("1"), most=3)
    robin.wait_for_turn()
    before, lines = robin.number, robin.page.locator(".logline").count()
    robin.page.keyboard.press("u")
    robin.page.wait_for_function("(n) => document.querySelector('.table').dataset.number !== n", arg=before)
    robin.page.wait_for_function("(n) => document.querySelectorAll('.logline').length === n", arg=lines - 1)
    robin.wait_for_turn()
    robin.page.keyboard.press("h")
    robin.page.locator(".hintbox").wait_for()
    assert robin.page.locator(".option.hinted").count() == 1
    robin.page.locator("[data-focus=replay-first]").click()
    robin.page.locator(".banner.replay").wait_for()
    assert robin.state == "past" and robin.page.locator(".may").count() == 0
    robin.page.locator("[data-focus=live]").click()
    robin.page.locator(".banner.replay").wait_for(state="detached")
    assert robin.wait_for_turn()
    robin.page.keyboard.press("m")
    robin.page.locator("dialog .menuitem").nth(2).wait_for()
    robin.page.keyboard.press("Escape")
    assert not robin.errors, robin.errors
    robin.page.context.close()


def test_a_moment_is_shared_and_a_game_goes_on_from_it(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "tic_tac_toe", "me me")
    robin.play(lambda: robin.page.keyboard.press("1"))
    assert robin.state == "over"
    assert robin.page.locator(".prompt.over").text_content(), "who has won, and why"
    here = robin.page.url
    robin.page.goto(f"{server.base}/#")
    robin.page.locator("[data-focus=view-replays]").click()
    assert robin.page.locator(".tablecard").count() == 1, "a finished game is listed, to look back"
    robin.page.goto(here)
    robin.page.locator(".prompt button", has_text="Share").click()
    link = robin.page.locator("dialog input").input_value()
    robin.page.keyboard.press("Escape")
    assert "seat=" not in link
    guest = Person(browser.new_context(viewport=WIDE, locale="en").new_page(), server.base)
    guest.page.goto(link)
    guest.page.wait_for_selector(".prompt h1")
    assert guest.page.locator(".may").count() == 0
    guest.page.context.close()
    robin.page.locator("[data-focus=replay-first]").click()
    robin.page.locator(".banner.replay").wait_for()
    robin.page.locator(".banner.replay button", has_text="Go on from here").click()
    robin.page.wait_for_function("() => document.querySelector('.table')?.dataset.state === 'mine'")
    assert robin.page.locator(".option").count() == 9
    with robin.page.expect_download() as loading:
        robin.page.keyboard.press("m")
        robin.page.locator(".menuitem", has_text="Download").click()
    assert loading.value.suggested_filename.startswith("tic_tac_toe")
    robin.page.context.close()


def test_from_the_lobby_to_a_table(browser: Any, server: Server) -> None:
    """One click to a first game; a table with a friend gives a link that is a seat; running tables are listed."""
    robin = Person(browser.new_context(viewport=WIDE, reduced_motion="reduce", locale="en").new_page(), server.base)
    robin.page.goto(server.base)
    robin.page.locator("[data-focus=first]").click()
    robin.page.wait_for_selector(".prompt h1")
    robin.page.goto(f"{server.base}/#")
    robin.page.wait_for_selector(".game")
    robin.page.locator("[data-game=nim]").click()
    robin.page.locator("[data-variant]").first.click()
    assert robin.page.locator("[data-variant]").first.get_attribute("aria-checked") == "true"
    robin.page.locator("[data-focus=seat-1-friend]").click()
    robin.page.locator("[data-focus=open]").click()
    link = robin.page.locator("[data-link]").input_value()
    assert "#" in link and "seat=" in link.split("#")[1]
    friend = Person(browser.new_context(viewport=PHONE, reduced_motion="reduce", locale="en").new_page(), server.base)
    friend.page.goto(link)
    friend.page.wait_for_selector(".prompt h1")
    assert "seat=" not in friend.page.url
    robin.page.locator("[data-focus=enter]").click()
    robin.page.wait_for_selector(".prompt h1")
    assert {robin.state, friend.state} == {"mine", "waiting"}
    robin.page.goto(f"{server.base}/#")
    robin.page.locator("[data-focus=view-tables]").click()
    assert robin.page.locator(".tablecard").count() == 2
    assert not robin.errors + friend.errors, robin.errors + friend.errors
    for one in (robin, friend):
        one.page.context.close()


# Width, colours and what is looked at: every width and both colours are there, each with a lobby, a map or cards.
LOOKED_AT = [
    (WIDE, "light", ""),
    (PHONE, "dark", ""),
    (WIDE, "dark", "kikai"),
    (PHONE, "light", "kikai"),
    (TABLET, "light", "pikit"),
    (TABLET, "dark", "kiwi_chow_down"),
    (WIDE, "light", "kalah rules"),
]


def test_no_serious_finding_of_axe(browser: Any, server: Server) -> None:
    """Lobby, a map, cards, numbers, a panel, at three widths, light and dark: no serious obstacle for anybody."""
    if not AXE.exists():
        pytest.skip(f"axe-core is not in {CACHE}: `tools/browser install` puts it there")
    context = browser.new_context(reduced_motion="reduce", locale="en", bypass_csp=True)
    page, shown, found = context.new_page(), None, list[str]()
    for size, colours, what in LOOKED_AT:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=colours)
        if what != shown:
            show(page, server, what)
            page.add_script_tag(path=str(AXE))
        shown = what
        page.evaluate("() => new Promise(requestAnimationFrame)")
        result = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
        found += [
            f"{what or 'lobby'} {size['width']} {colours}: {one['id']} {one['nodes'][0]['html'][:160]} "
            f"{one['nodes'][0]['failureSummary'][:200]}"
            for one in result["violations"]
            if one["impact"] in ("serious", "critical")
        ]
    context.close()
    assert not found, "\n".join(found)


def show(page: Any, server: Server, what: str) -> None:
    """The lobby with a game chosen, or a table where it is the person's turn, with the rules open if that is said."""
    page.goto("about:blank")
    game, _, panel = what.partition(" ")
    if not game:
        page.goto(server.base)
        page.wait_for_selector(".game")
        page.locator(".game").first.click()
        return
    table, tokens = new_table(server.base, game)
    Person(page, server.base).sit(table, tokens[0]).wait_for_turn()
    if panel:
        page.keyboard.press("r")
        page.locator("dialog .rule").first.wait_for()
