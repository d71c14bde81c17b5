"""What a person reads without doing anything: tips, the tab, what a screen reader hears, what is picked so far."""

from __future__ import annotations

from typing import Any

from tests.web.page.person import WIDE, Person, new_table
from tests.web.page.running import Server


def seated(browser: Any, server: Server, game: str, kinds: str = "me bot") -> Person:
    context = browser.new_context(viewport=WIDE, reduced_motion="reduce", locale="en")
    table, tokens = new_table(server.base, game, kinds)
    robin = Person(context.new_page(), server.base).sit(table, tokens[0])
    assert robin.wait_for_turn()
    return robin


def test_a_tip_tells_what_is_printed_on_a_thing(browser: Any, server: Server) -> None:
    """A card of the market: its name, its values. A hex: its name and its ground."""
    robin = seated(browser, server, "pikit")
    robin.page.locator('[data-id="market"] .piece').first.hover()
    tip = robin.page.locator(".tip[role=tooltip]")
    tip.wait_for()
    assert "Kaiju" in tip.locator("b").first.text_content() and tip.locator(".tipfields dt").count() >= 1
    robin.page.mouse.move(2, 2)
    tip.wait_for(state="detached")
    assert not robin.errors, robin.errors
    robin.page.context.close()


def test_the_tab_and_the_screen_reader_are_told_whose_turn_it_is(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "nim")
    question = robin.page.locator(".prompt h1").text_content()
    assert robin.page.title().startswith("●") and "Nim" in robin.page.title()
    assert robin.page.locator("#favicon").get_attribute("href") == "/page/favicon-turn.svg"
    announcer = robin.page.locator("#announcer")
    assert announcer.get_attribute("aria-live") == "polite"
    robin.page.wait_for_function("() => document.getElementById('announcer').textContent.includes('option')")
    assert announcer.text_content().startswith(question.split("NM-")[0].strip())
    for role in ("main", "banner", "complementary"):
        assert robin.page.get_by_role(role).count() >= 1, role
    robin.page.context.close()


def test_a_set_is_picked_and_taken_back(browser: Any, server: Server) -> None:
    """Three cards to pass: each pick is shown with a cross that takes it back, and nothing is passed meanwhile."""
    robin = seated(browser, server, "hearts", "me bot bot bot")
    cards = robin.page.locator('[data-id="p0.hand"] .piece').count()
    chips = robin.page.locator(".strip .chip")
    for picked in (1, 2):
        number = robin.number
        robin.click(robin.marked()[0])
        if not robin.is_sent(number):
            robin.page.locator(".option.sure").click()
        robin.wait_for_turn(number)
        assert chips.count() == picked
    assert robin.page.locator(".piece.picked").count() == 2
    number = robin.number
    chips.nth(1).click()
    robin.wait_for_turn(number)
    assert chips.count() == 1 and robin.page.locator('[data-id="p0.hand"] .piece').count() == cards
    assert not robin.errors, robin.errors
    robin.page.context.close()
