"""What moves: pieces that fly from place to place, the sheet of the phone; and banners that come while one plays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.web.page.person import PHONE, WIDE, Person, call, new_table
from tests.web.page.running import Server

FLIGHTS = """() => { window.flown = []; new MutationObserver((all) => {
  for (const one of all) for (const node of one.addedNodes)
    if (node.classList?.contains('flight')) {
      const [first, last] = node.getAnimations()[0].effect.getKeyframes();
      flown.push([first.transform, last.transform, node.querySelectorAll('[data-id]').length]);
    }
}).observe(document.getElementById('overlay'), {childList: true}); }"""
HEIGHT = "() => document.querySelector('.right').getBoundingClientRect().height"
FALL = """\
game fall "Fall" for 1 players
table
  height: 0..5 = 5
play
  repeat 9 times
    drop(seat1)
phase drop(p)
  choose n in 1..2 "How far?"
  height -= n
"""


def seated(browser: Any, base: str, game: str, kinds: str = "me bot", **how: Any) -> Person:
    context = browser.new_context(viewport=how.pop("viewport", WIDE), locale="en", **how)
    table, tokens = new_table(base, game, kinds)
    return Person(context.new_page(), base).sit(table, *[token for token in tokens if token])


def test_pieces_fly_unless_less_motion_is_wanted(browser: Any, server: Server) -> None:
    """A taken card flies from where it lay; a copy flies, so the card itself can be clicked at once. With reduced
    motion nothing flies."""
    for motion in ("no-preference", "reduce"):
        robin = seated(browser, server.base, "spring_bouquet", "me bot bot", reduced_motion=motion)
        robin.wait_for_turn()
        robin.page.evaluate(FLIGHTS)
        number = robin.number
        robin.page.locator(".option").first.click()
        robin.wait_for_turn(number)
        flown = robin.page.evaluate("() => flown")
        if motion == "reduce":
            assert flown == []
        else:
            assert flown and all(start.startswith("translate(") and end == "none" for start, end, _ in flown)
            assert not any(clickable for *_, clickable in flown)
            robin.page.mouse.click(5, 5)  # a click lands them all
            assert robin.page.locator("#overlay .flight").count() == 0
        assert not robin.errors, robin.errors
        robin.page.context.close()


def test_the_sheet_of_the_phone_has_three_stops(browser: Any, server: Server) -> None:
    """Dragged by its grip, by the question, and moved with the keys of a slider."""
    robin = seated(browser, server.base, "connect_four", viewport=PHONE, has_touch=True, reduced_motion="reduce")
    robin.wait_for_turn()
    page = robin.page

    def drag(selector: str, by: int) -> str:
        box = page.locator(selector).bounding_box()
        x, y = box["x"] + 30, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y + by, steps=3)
        page.wait_for_timeout(60)  # no flick: the pointer rests before it lets go
        page.mouse.move(x, y + by + 1)
        page.mouse.up()
        return str(page.locator(".grip").get_attribute("aria-valuetext"))

    half = page.evaluate(HEIGHT)
    assert page.locator(".boardwrap").is_visible()
    assert drag(".grip", -400) == "full"
    assert page.evaluate(HEIGHT) > half and not page.locator(".boardwrap").is_visible()
    assert drag(".prompt h1", 700) == "low"
    assert page.evaluate(HEIGHT) < half and page.locator(".boardwrap").is_visible()
    page.locator(".grip").press("ArrowUp")
    assert page.locator(".grip").get_attribute("aria-valuenow") == "1" and page.evaluate(HEIGHT) == half
    page.locator(".grip").press("End")
    assert page.locator(".table.sheet-full").count() == 1
    page.locator(".grip").press("Home")
    cell = robin.marked()[3]
    robin.click(cell)  # with the sheet down, the one option that is left comes into view
    assert page.locator(".option.sure .go").is_visible()
    assert page.locator(".option:visible").count() == 1
    assert not robin.errors, robin.errors
    page.context.close()


def test_findings_and_faults_of_watched_rules_stand_on_the_page(browser: Any, tmp_path: Path) -> None:
    """A slip in a rules file comes up with its place and caret and goes when it is mended; rules that fail in play tell
    where, and undo goes on."""
    folder = tmp_path / "fall"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("name: fall\n")
    (folder / "fall.rules").write_text(FALL)
    (tmp_path / "data").mkdir()
    with Server(tmp_path / "data", "--watch", str(folder)) as server:
        robin = seated(browser, server.base, "fall", "me", reduced_motion="reduce")
        robin.wait_for_turn()
        (folder / "fall.rules").write_text(FALL.replace("height -= n", "hight -= n"))
        banner = robin.page.locator(".banner.findings pre")
        banner.wait_for()
        words = str(banner.text_content())
        assert banner.get_attribute("lang") == "en", (
            "the checker speaks of words of the rules language, in any language"
        )
        assert "fall.rules:9" in words and "hight -= n" in words and "^^^^^" in words and "height" in words
        (folder / "fall.rules").write_text(FALL)
        banner.wait_for(state="detached")
        for _ in range(2):
            number = robin.number
            robin.page.keyboard.press("2")
            robin.wait_for_turn(number)
        robin.page.keyboard.press("2")
        fault = robin.page.locator(".banner.fault")
        fault.wait_for()
        assert "height" in str(fault.text_content()) and "drop" in str(fault.text_content())
        robin.page.keyboard.press("u")
        fault.wait_for(state="detached")
        assert call(server.base, "watch")["findings"][0]["findings"] == []
        robin.page.context.close()
