"""Games of strangers, without a presentation: what the rules declare can be pointed at and finds room on any screen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.web.page.person import PHONE, WIDE, Person, new_table
from tests.web.page.running import Server
from tests.web.scene.test_strangers_games import KINGDOMS, PATH_TILES, PATHS, PLAGUE, SETTLERS, WORKERS

HANDS = """
game hands "Hands" for 2 players
enum Suit = bell | acorn
kind Card
  copies 2 for each suit: Suit, rank: 1..8
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
  laid: row of Card open
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 13 from deck to p.hand
    draw 2 from deck to p.laid
play
  in turn p from seat1 until every q in players has q.hand is empty
    choose c in p.hand "Which card?"
    move c to p.laid
"""
PAD = """
game pad "Pad" for 2 players
enum Line = ones | twos | threes | fours | fives | sixes | chance
table
  dice: 2 dice of 1..6
each player
  sheet[Line]: 0..12
  used[Line]: flag
play
  in turn p from seat1 until every q in players has every l in Line has q.used[l]
    roll dice
    choose l in Line where not p.used[l] "Which line do you fill?"
    p.used[l] = yes
    p.sheet[l] = dice[1].face + dice[2].face
"""
WALLS = """
game walls "Walls" for 2 players
map board is grid 3 by 3 with letters
  node Cell
  edge Way
each Way
  blocked: flag
  toll: 0..9
each Cell
  lit: flag
play
  in turn p from seat1 until every w in Way has w.blocked
    choose w in Way where not w.blocked "Where is the wall?"
    w.blocked = yes
    for c in ends(w)
      c.lit = yes
    for v in Way where not v.blocked
      v.toll += 1
"""
YARDS = """
game yards "Yards" for 2 players
enum Use = wild | field | pond
enum Space = wood | clay | reed | grain | plough | market | rest
kind Card
  copies 1 for each worth: 1..9, used: flag
table
  piled[Space]: 0..9 = 2
  taken[Space]: flag
  supply: row of Card open
each player
  yard[1..3, 1..5]: Use = wild
  stable_at[1..3, 1..5]: flag
  days: 0..9
setup
  move all c in Card to supply
play
  in turn p from seat1 until every q in players has q.days == 3
    p.days += 1
    choose s in Space where not taken[s] "Where do you work?" if possible
      taken[s] = yes
      piled[s] = 0
    choose r in 1..3, c in 1..5 where p.yard[r, c] == wild "Which field?"
    p.yard[r, c] = field
    p.stable_at[r, c] = yes
"""
SHELF = """
game shelf "Shelf" for 2 players
kind Card
  copies 1 for each worth: 1..9, price: 1..9
kind Chip
  copies 3 for each sort: 1..2
table
  supply: row of Card open
  offered: row of Chip open
each player
  chips: pool of Chip open
setup
  move all c in Card to supply
  move all c in Chip to offered
play
  in turn p from seat1 until offered is empty
    choose c in offered "Which chip?"
    move c to p.chips
"""
BLOCKS = """
game blocks "Blocks" for 2 players
kind Block
  copies 1 for each owner: player
kind Man
  copies 1 for each owner: player, rank: Rank
enum Rank = scout | marshal
map board is grid 2 by 2
  node Cell
each Cell
  block: slot of Block open
each Block
  man: slot of Man secret
each player
  camp: pile of Man hidden
setup
  for p in players
    pick b in Block where b.owner == p
    move all m in Man where m.owner == p to p.camp
    shuffle p.camp
    draw 1 from p.camp to b.man
    pick c in Cell where c.block is empty
    move b to c.block
play
  in turn p from seat1 until some b in Block has b in box
    choose c in Cell where c.block is empty "Where to?"
    for b in Block where b.owner == p
      move b to c.block
"""
SHOP = """
game shop "Shop" for 2 players
enum Good = wood | clay | reed
kind Card from cards.yaml
  number: 1..9
  cost: 0..9
  needs[Good]: 0..4 = 0
  use: effect?
table
  window: row of Card open
each player
  hand: row of Card open
  coins: 0..99 = 9
setup
  move all c in Card to window
play
  in turn p from seat1 until window is empty
    choose c in window "Which card?"
    pay min(c.cost, p.coins) coins
    move c to p.hand
    perform c.use for p if possible
effect earn(p, n: 1..9) "Earn {n}"
  p.coins = min(99, p.coins + n)
"""
SHOP_CARDS = """
kind: Card
default: known
rows:
  - {id: mill, name: Mill, number: 1, cost: 3, needs: {clay: 2}, use: earn(2)}
  - {id: hut, name: Hut, number: 2, cost: 4, needs: {wood: 1, reed: 3}}
  - {id: tent, name: Tent, number: 3, cost: 5}
"""
TICKS = """
game ticks "Ticks" for 2 players
each player
  mark[2..12]: flag
  sum_of_all_that_was_marked: 0..99
play
  in turn p from seat1 until every q in players has q.mark[2]
    choose n in 2..12 where not p.mark[n] "Which number?"
    p.mark[n] = yes
    p.sum_of_all_that_was_marked += n
"""
MEN = """
game men "Men" for 2 players
enum Arm = foot | horse
kind Man
  copies 1 for each owner: player, arm: Arm, power: 2..2, reach: 1..1
map field is hexagon of 2
  node Hex
each Hex
  man: slot of Man open
setup
  for m in Man
    pick h in Hex where h.man is empty
    move m to h.man
play
  in turn p from seat1 until every h in Hex has h.man is empty
    choose h in Hex where h.man is not empty "Who goes?"
    move h.man to box
"""
TRACK = """
game track "Track" for 2 players
map way is line of 16
  node Field
each player
  stands_on: Field = field_1
play
  in turn p from seat1 until some q in players has q.stands_on == Field.field_16
    choose f in line(p.stands_on, onward, 3) "Where to?"
    p.stands_on = f
"""
# A board of one's own below an offer and above a hand.
GARDEN = """
game garden "Garden" for 2 players
enum Plant = rose | fern | moss | reed
kind Tile
  copies 4 for each plant: Plant, worth: 1..3
map bed is grid 5 by 5
  node Plot
table
  deck: pile of Tile hidden
  offer: row of Tile open capacity 8
  thrown: pile of Tile open
  weather: 0..5
  rounds: 0..20 capped
  price[Plant]: 0..9 = 3
each player
  hand: hand of Tile secret
  coins: 0..30
  goal[Plant]: 0..9
each Plot
  tile[player]: slot of Tile open
setup
  move all t in Tile to deck
  shuffle deck
  draw 8 from deck to offer
  for p in players
    draw 4 from deck to p.hand
    p.coins = 12
play
  in turn p from seat1 until p.coins == 0
    turn(p)
phase turn(p) "Turn of {p}"
  rounds += 1
  choose t in offer, s in Plot where s.tile[p] is empty "Which tile, and where?"
  move t to s.tile[p]
  draw 1 from deck to offer
  lose up to 1 coins
score p
  "Tiles" sum(s.tile[p].worth for s in Plot where s.tile[p] is not empty)
"""
# A board with room for all that a swarm may come to: most of it stays empty.
SWARM = """
game swarm "Swarm" for 2 players
map field is hexagon of 9
  node Hex
kind Bug
  copies 20 for each owner: player
each player
  reserve: pool of Bug open
each Hex
  bug: slot of Bug open
setup
  for p in players
    move all b in Bug where b.owner == p to p.reserve
  pick first in seat1.reserve
  move first to Hex.hex_9_9.bug
play
  in turn p from seat1 until seat1.reserve is empty
    choose h in Hex where h.bug is empty and some n in neighbours(h) has n.bug is not empty "Where does the swarm grow?"
    pick b in p.reserve
    move b to h.bug
score p
  "Bugs" count(h in Hex where h.bug.owner == p)
"""
STONES = """
game stones "Stones" for 2 players
map board is grid 13 by 13
  node Cell
each Cell
  owner: player?
play
  in turn p from seat1 until every c in Cell has c.owner is not none
    choose c in Cell where c.owner is none "Where?"
    c.owner = p
"""
MOSAIC = """
game mosaic "Mosaic" for 2 players
enum Colour = blue | red | white | green
kind Tile
  copies 10 for each colour: Colour
table
  sack: bag of Tile hidden
  offer: row of Tile open
each player
  wall[1..5, Colour]: slot of Tile open
setup
  move all t in Tile to sack
  draw 20 from sack to offer
play
  in turn p from seat1 until offer is empty
    choose t in offer, i in 1..5 where p.wall[i, t.colour] is empty "Which tile, and in which line?" if possible
      move t to p.wall[i, t.colour]
"""
LEDGER = """
game ledger "Ledger" for 2 players
map board is grid 3 by 3
  node Cell
each Cell
  taken: flag
  part[0..7]: 0..50
  cubes[1..3]: 0..9
play
  in turn p from seat1 until every c in Cell has c.taken
    choose c in Cell where not c.taken "Where?"
    c.taken = yes
    for i in 0..7
      c.part[i] = i + 1
    for i in 1..3
      c.cubes[i] = i
"""
RULES = {
    "ledger": LEDGER,
    "mosaic": MOSAIC,
    "swarm": SWARM,
    "stones": STONES,
    "shop": SHOP,
    "blocks": BLOCKS,
    "walls": WALLS,
    "yards": YARDS,
    "shelf": SHELF,
    "settlers": SETTLERS.replace("SHAPE", "hexagon of 2"),
    "workers": WORKERS,
    "hands": HANDS,
    "pad": PAD,
    "paths": PATHS,
    "plague": PLAGUE,
    "ticks": TICKS,
    "men": MEN,
    "track": TRACK,
    "kingdoms": KINGDOMS,
    "garden": GARDEN,
}
TABLES = {"paths": {"tiles.yaml": PATH_TILES}}
WIDTHS = "() => [document.querySelector('.tray').scrollWidth, document.querySelector('.tray').clientWidth]"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("rules")
    for name, rules in RULES.items():
        (folder / name).mkdir()
        (folder / name / "ruleset.yaml").write_text(f"name: {name}\n")
        (folder / name / f"{name}.rules").write_text(rules)
        for file, text in TABLES.get(name, {}).items():
            (folder / name / file).write_text(text)
    (folder / "shop" / "cards.yaml").write_text(SHOP_CARDS)
    with Server(Path(tmp_path_factory.mktemp("data")), "--author", str(folder)) as running:
        yield running


def seated(browser: Any, server: Server, game: str, **how: Any) -> Person:
    context = browser.new_context(viewport=how.pop("viewport", WIDE), reduced_motion="reduce", locale="en", **how)
    table, tokens = new_table(server.base, game)
    person = Person(context.new_page(), server.base).sit(table, tokens[0])
    assert person.wait_for_turn()
    return person


def test_corners_are_taken_and_refused_on_the_board(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "settlers")
    assert robin.page.locator(".mapsvg").count() == 1, "corners lie on their board"
    corners = robin.marked()
    assert len(corners) == 24
    number = robin.number
    for _ in range(2):
        robin.click(corners[10])
    robin.wait_for_turn(number)
    assert robin.page.locator(f'[data-id="{corners[10]}"] .ownerdisc').count() == 1
    robin.click(corners[10])
    assert robin.page.locator(".why").text_content()
    robin.click("e.side_3")
    assert robin.page.locator(".why").text_content()
    robin.page.context.close()


def test_a_space_is_pointed_at_and_lines_are_filled_on_the_pad(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "workers")
    assert robin.page.locator('[data-id="spaces[mill]"].may').count() == 1
    number = robin.number
    for _ in range(2):
        robin.click("spaces[mill]")
    robin.wait_for_turn(number)
    assert robin.page.locator('[data-id="spaces[mill]"] .token').count() == 1
    robin.page.context.close()
    robin = seated(browser, server, "pad")
    assert robin.page.locator(".pad tbody tr").count() == 7 and robin.page.locator(".player .lettered").count() == 0
    assert len(robin.marked()) == 7
    robin.play()
    assert robin.page.locator(".pad .entry:not(.nothing)").count() == 28
    robin.page.context.close()


def test_a_long_hand_leaves_room_for_what_is_laid(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "hands")
    wide, room = robin.page.evaluate(WIDTHS)
    assert wide <= room + 1 and robin.page.locator(".tray .fanned").count() == 13
    robin.page.context.close()


def test_a_map_is_as_wide_as_a_phone(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "settlers", viewport=PHONE, has_touch=True)
    across = robin.page.evaluate(
        "() => { const all = [...document.querySelectorAll('.hexnode .ground')].map((e) => e.getBoundingClientRect());"
        " return Math.max(...all.map((e) => e.right)) - Math.min(...all.map((e) => e.left)); }"
    )
    assert across > 310
    heading = robin.page.locator(".prompt h1").bounding_box()
    assert heading["y"] + heading["height"] < PHONE["height"] - 150, "the question and some options are in sight"
    robin.page.context.close()


def test_what_is_true_of_an_edge_is_seen_between_its_cells(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "walls")
    ways = robin.marked()
    assert len(ways) == 12 and robin.page.locator(".mapside.told").count() == 0
    wall = robin.page.locator(f'[data-id="{ways[0]}"] .sidehit').bounding_box()
    middle = (wall["x"] + wall["width"] / 2, wall["y"] + wall["height"] / 2)
    cells = [cell.bounding_box() for cell in robin.page.locator(".cellnode .ground").all()]
    inside = [
        min(middle[0] - c["x"], c["x"] + c["width"] - middle[0], middle[1] - c["y"], c["y"] + c["height"] - middle[1])
        for c in cells
    ]
    assert len(cells) == 9 and max(inside) < 1, "an edge lies on the border of its cells, not on one of them"
    number = robin.number
    robin.click(ways[0])
    if not robin.is_sent(number):
        robin.click(ways[0])
    robin.wait_for_turn(number)
    assert robin.page.locator(f'[data-id="{ways[0]}"].told').count() == 1
    assert "blocked" in (robin.page.locator(f'[data-id="{ways[0]}"] title').text_content() or "")
    assert robin.page.locator(".sidefigure").count() >= 10, "the tolls of the others are read between the cells"
    assert robin.page.locator(".cellword").count() >= 2
    robin.page.context.close()


def test_what_has_two_indexes_is_a_sheet_of_rows_and_columns(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "yards")
    sheets = robin.page.locator(".board .pad.sheet")
    assert sheets.count() == 2 and robin.page.locator(".player .bars, .player .lettered").count() == 0
    assert sheets.first.locator("tbody tr").count() == 3 and sheets.first.locator("thead th").count() == 5
    assert sheets.first.locator(".entry").count() == 15, "what is nothing leaves room for what is something"
    spaces = robin.page.locator(".board .pad:not(.sheet)")
    assert spaces.count() == 1 and spaces.locator("tbody tr").count() == 7 and spaces.locator("thead th").count() == 2
    assert robin.page.locator(".left .lettered").count() == 0
    number = robin.number
    assert len(robin.marked()) == 7
    robin.choose_from_list()
    robin.wait_for_turn(number)
    assert len(robin.marked()) == 15
    robin.page.context.close()


def test_what_can_be_taken_is_in_sight_on_a_board_that_scrolls(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "shelf", viewport={"width": 1000, "height": 420})
    board, chip = robin.page.locator(".board").bounding_box(), robin.page.locator(".board .may").first.bounding_box()
    assert robin.page.evaluate(
        "() => { const b = document.querySelector('.board'); return b.scrollHeight > b.clientHeight + 40 }"
    )
    assert board["y"] <= chip["y"] and chip["y"] + chip["height"] <= board["y"] + board["height"] + 1
    robin.page.context.close()


def test_a_block_names_the_man_on_it_to_its_owner_alone(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "blocks")
    own, other = robin.page.locator(".load text").all_text_contents()
    assert own in ("scout", "marshal") and other == "1"
    robin.page.context.close()


def test_a_tile_is_seen_turned_before_it_is_laid_and_afterwards(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "paths")
    sides = "(e) => [...e.querySelectorAll('.side')].map((side) => side.dataset.side)"
    assert robin.page.locator(".cardsides .side").count() == 8, "the tile in hand, and the one on top of the stack"
    options = robin.page.locator(".option .optiontile")
    assert options.count() == 16
    assert options.nth(1).evaluate(sides) == ["meadow", "road", "road", "meadow"], "a quarter clockwise, from the north"
    robin.page.locator(".option").nth(1).hover()
    ghost = robin.page.locator('[data-node="n.cell_1_1"] .tileghost')
    assert ghost.count() == 1 and ghost.evaluate(sides) == ["meadow", "road", "road", "meadow"]
    number = robin.number
    robin.page.locator(".option").nth(1).click()
    robin.wait_for_turn(number)
    laid = robin.page.locator('[data-node="n.cell_1_1"] .tilesides')
    assert laid.evaluate(sides) == ["meadow", "road", "road", "meadow"]
    assert "meadow, road, road, meadow" in (
        robin.page.locator('[data-node="n.cell_1_1"] .mpiece title').text_content() or ""
    )
    robin.page.context.close()


def test_what_is_written_on_a_town_a_road_and_a_hex_is_read_there(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "plague")
    towns = robin.page.locator('[data-node="n.ayr"] .fieldchip')
    assert [text.strip() for text in towns.locator(".chiptext").all_text_contents()] == ["C 2", "shut"]
    assert towns.count() == 3, "the house is the sign of its seat"
    assert robin.page.locator(".streetfigure text").all_text_contents() == ["13"]
    assert robin.page.locator('[data-node="n.hex_1_1"] .fieldchip .chiptext').all_text_contents() == ["cough"]
    robin.page.context.close()


def test_a_card_tells_its_cost_beside_its_words_and_nothing_that_it_does_not_need(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "shop")
    mill, hut, tent = (" ".join(text.split()) for text in robin.page.locator(".board .card").all_inner_texts())
    assert "cost 3" in mill and "Earn 2" in mill
    assert "cost 4" in hut and "wood 1, reed 3" in hut and "clay" not in hut
    assert "cost 5" in tent and "needs" not in tent
    robin.page.context.close()


def test_ticks_at_numbers_are_lines_and_men_say_what_they_are(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "ticks")
    sheet = robin.page.locator(".pad.ticked")
    assert sheet.locator("tbody tr").count() == 2 and sheet.locator("thead th").count() == 11
    assert len(robin.marked()) == 11
    name = robin.page.locator(".player .counter.tile .name", has_text="sum of all").first
    assert name.evaluate("(e) => e.clientHeight > 16 && e.scrollWidth <= e.clientWidth + 1"), "it goes on below"
    robin.page.context.close()
    robin = seated(browser, server, "men")
    men = [text.text_content() for text in robin.page.locator(".hexnode .minitext").all()]
    assert sorted(men) == ["2"] * 4 + ["foot"] * 2 + ["horse"] * 2
    robin.page.context.close()


@pytest.mark.parametrize("width", [820, 390])
def test_a_long_line_goes_to_and_fro(browser: Any, server: Server, width: int) -> None:
    robin = seated(browser, server, "track", viewport={"width": width, "height": 860})
    plates = [robin.page.locator(f'[data-node="n.field_{n}"] .plate').bounding_box() for n in range(1, 17)]
    assert min(plate["height"] for plate in plates) > 20, "a row of sixteen would be a few points high"
    rows = sorted({round(plate["y"] / 12) for plate in plates})
    assert 3 <= len(rows) <= 7
    steps = [abs(a["x"] - b["x"]) + abs(a["y"] - b["y"]) for a, b in pairwise(plates)]
    assert max(steps) < width / 2, "the next field is next door, also where the line turns"
    robin.page.context.close()


def test_the_board_of_one_player_is_drawn_at_a_time(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "kingdoms")
    number = robin.number
    robin.play(most=1)
    robin.wait_for_turn(number)
    ours = robin.page.locator('[data-map="m.realm"]')
    tabs = ours.locator(".boardtab")
    assert tabs.all_text_contents()[0] == "You" and tabs.nth(0).get_attribute("aria-pressed") == "true"
    assert robin.page.locator('[data-map="m.chart_of_stars"] .boardtab').count() == 0
    assert ours.locator(".groundword").count() == 1, "what the other one has is on another board"
    there = "(at) => at.map((e) => e.querySelector('.groundword') ? e.dataset.node : '').filter(Boolean)"
    mine = ours.locator(".cellnode").evaluate_all(there)
    tabs.nth(1).click()
    assert tabs.nth(1).get_attribute("aria-pressed") == "true"
    theirs = ours.locator(".cellnode").evaluate_all(there)
    assert len(mine) == len(theirs) == 1
    pressed = ours.locator('.boardtab[aria-pressed="true"]')
    robin.page.keyboard.press("ArrowLeft")
    assert pressed.text_content() == "You" and pressed.evaluate("(e) => e === document.activeElement")
    robin.page.keyboard.press("ArrowRight")
    assert ours.locator(".cellnode").evaluate_all(there) == theirs
    robin.page.evaluate("() => document.activeElement.blur()")
    robin.page.keyboard.press("b")
    assert pressed.text_content() == "You"
    number = robin.number
    robin.play(most=1)
    robin.wait_for_turn(number)
    assert tabs.nth(0).get_attribute("aria-pressed") == "true", "the next choice is on one's own board"
    robin.page.context.close()


def test_a_board_of_ones_own_has_room_on_a_tablet(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "garden", viewport={"width": 820, "height": 900})
    board = robin.page.locator('[data-map="m.bed"] .mapsvg').bounding_box()
    assert board["height"] > 240, "what lies above and below it is kept low"
    offer = robin.page.locator('[data-place="offer"]').bounding_box()
    deck = robin.page.locator('[data-place="deck"]').bounding_box()
    assert deck["x"] + deck["width"] <= offer["x"] and abs(deck["y"] - offer["y"]) < 4
    robin.page.context.close()


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_of_a_large_board_the_part_in_use_is_drawn(browser: Any, server: Server, viewport: Any) -> None:
    """With what can be chosen and some space around it, and all of it on demand."""
    robin = seated(browser, server, "swarm", viewport=viewport)
    hexes, button = robin.page.locator(".hexnode"), robin.page.locator(".wholeboard")
    assert hexes.count() == 23 and len(robin.marked()) == 6  # five rows round the middle, without the corners
    wide = hexes.first.bounding_box()["width"]
    robin.play(most=4)
    robin.wait_for_turn()
    drawn = hexes.count()
    assert 23 < drawn < 217, "it grows with the swarm"
    assert all(robin.page.locator(f'.hexnode[data-id="{id}"]').count() for id in robin.marked())
    assert "Whole board: 217 spaces" in (button.text_content() or "")
    button.click()
    assert hexes.count() == 217 and button.get_attribute("aria-pressed") == "true"
    assert hexes.first.bounding_box()["width"] < 0.5 * wide
    button.click()
    assert hexes.count() == drawn
    assert not robin.errors
    robin.page.context.close()


def test_all_is_drawn_of_a_board_on_which_anything_may_be_chosen(browser: Any, server: Server) -> None:
    robin = seated(browser, server, "stones")
    assert robin.page.locator(".cellnode").count() == 169 and not robin.page.locator(".wholeboard").count()
    robin.play(most=1)
    robin.wait_for_turn()
    assert robin.page.locator(".cellnode").count() == 169 and not robin.page.locator(".wholeboard").count()
    robin.page.context.close()


def test_spaces_with_two_indexes_are_lines_and_columns(browser: Any, server: Server) -> None:
    """The walls of both players are in sight, each with the words of its lines and columns."""
    robin = seated(browser, server, "mosaic")
    robin.play(most=3)
    robin.wait_for_turn()
    for seat in (0, 1):
        wall = robin.page.locator(f'.player[data-seat="{seat}"] .lattice')
        assert wall.locator(".latticecell").count() == 20
        words = wall.locator(".latticeword").all_text_contents()
        assert words == ["blue", "red", "white", "green", "1", "2", "3", "4", "5"]
        assert wall.locator(".latticecell .piece:not(.hollow)").count() == 3
        tops = [cell.bounding_box()["y"] for cell in wall.locator(".latticecell").all()]
        assert len(set(tops)) == 5 and wall.bounding_box()["height"] < 260
    assert not robin.errors
    robin.page.context.close()


def test_what_the_rules_keep_for_themselves_covers_no_space(browser: Any, server: Server) -> None:
    """Many numbers by a number stand in the tip; a few are drawn."""
    robin = seated(browser, server, "ledger")
    robin.play(most=1)
    robin.wait_for_turn()
    space = robin.page.locator(".cellnode:has(.cellword)").first
    assert "part 7 8" in (space.locator("> title").text_content() or "")
    assert space.locator(".fieldchip").count() == 3
    robin.page.context.close()
