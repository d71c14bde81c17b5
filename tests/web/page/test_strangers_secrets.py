"""Games with secrets, as strangers write them: what a player may see is drawn, also where many sit at the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.page.person import WIDE, Person, new_table
from tests.web.page.running import Server

RACKS = """
game racks "Racks" for 5 players
enum Colour = red | blue
kind Card "card"
  copies 5 for each colour: Colour, rank: 1..4
table
  deck: pile of Card hidden
  discard: pool of Card open
each player
  rack: slots(5) of Card open to others
  told[1..5]: Colour?
setup
  move all c in Card to deck
  shuffle deck
  for p in players, i in 1..5
    draw 1 from deck to p.rack[i]
play
  in turn p from seat1 until deck is empty
    choose one "Which card goes?"
      "Card {i}" for i in 1..5 where p.rack[i] is not empty
        move p.rack[i] to discard
        draw up to 1 from deck to p.rack[i]
"""
SUBMARINES = """
game submarines "Submarines" for 2 players as red, blue
map ocean is grid 3 by 3
  node Spot
each Spot
  island: flag
table
  turns: 0..6
each player
  mine[Spot]: flag secret
  charge[Spot]: 0..9
setup
  Spot.spot_2_2.island = yes
  red.mine[Spot.spot_2_2] = yes
  blue.mine[Spot.spot_3_3] = yes
  blue.charge[Spot.spot_1_1] = 3
play
  in turn p from red until turns == 6
    turns += 1
    choose s in Spot secretly "Where do you lay a mine?"
    p.mine[s] = yes
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("rules")
    for name, rules in (("racks", RACKS), ("submarines", SUBMARINES)):
        (folder / name).mkdir()
        (folder / name / "ruleset.yaml").write_text(f"name: {name}\n")
        (folder / name / f"{name}.rules").write_text(rules)
    with Server(Path(tmp_path_factory.mktemp("data")), "--author", str(folder)) as running:
        yield running


def seated(browser: Any, server: Server, game: str, seats: str) -> Person:
    context = browser.new_context(viewport=WIDE, reduced_motion="reduce", locale="en")
    table, tokens = new_table(server.base, game, seats)
    person = Person(context.new_page(), server.base).sit(table, tokens[0])
    assert person.wait_for_turn()
    return person


def test_the_cards_of_four_others_are_seen_where_their_owners_do_not_see_them(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "racks", "me bot bot bot bot")
    others = robin.page.locator('.panel.player:not([data-seat="0"])')
    shown = others.evaluate_all("(all) => all.map((e) => e.querySelectorAll('.piece').length)")
    assert shown == [5] * 4
    words = " ".join(others.all_text_contents())
    assert "red" in words.lower() and "blue" in words.lower()
    robin.page.context.close()


def test_what_is_ones_own_on_a_common_map_is_drawn_there(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "submarines", "me bot")
    chips = robin.page.locator(".fieldchip")
    assert sorted(chips.locator("title").all_text_contents()) == ["charge 3", "mine ✓"]
    island = robin.page.locator('[data-node="n.spot_2_2"]')
    word, chip = (island.locator(one).bounding_box() for one in (".cellword", ".fieldchip"))
    assert chip["y"] >= word["y"] + word["height"] - 4, "the chip lies below the word"
    robin.page.context.close()
