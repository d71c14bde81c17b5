"""Declarations of small games: what is numbered how, and what the tables hold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from interpreter.check.declare import declare
from interpreter.check.declare_types import members_of
from interpreter.check.declared import Declared
from interpreter.check.program import FieldDecl, Given, PlaceDecl
from interpreter.check.value_types import (
    NO_NUMBER,
    NONE,
    Die,
    EnumOf,
    Flag,
    MapNode,
    Maybe,
    Number,
    Piece,
    Player,
    SetOf,
)
from interpreter.diagnostics.diagnostic import Diagnostics
from tests.toys import gather_text

PLAY = "\nplay\n  end game\n"


def declared(rules: str, tables: dict[str, str] | None = None, players: int = 2) -> Declared:
    found = Diagnostics()
    result = declare(gather_text(rules + PLAY, tables, players, found), found)
    assert not [f"{f.primary.span.at} {f.code}: {f.headline}" for f in found]
    return result


def field_of(game: Declared, owner: str, name: str) -> FieldDecl:
    state = game.state[owner][name]
    assert isinstance(state, FieldDecl)
    return state


def place_of(game: Declared, owner: str, name: str) -> PlaceDecl:
    state = game.state[owner][name]
    assert isinstance(state, PlaceDecl)
    return state


# ---------------------------------------------------------------------------- enums, constants, seats


def test_contained_enums_share_their_numbers() -> None:
    game = declared("enum Location = Street | city_hall\nenum Street = broadway | fifth")
    assert game.enums["Street"].domain == (0, 1)
    assert game.enums["Location"].domain == (0, 1, 2)
    assert game.enums["Location"].ids == ("broadway", "fifth", "city_hall")
    assert members_of(game, EnumOf("Location"))["city_hall"] == 2


def test_an_enum_in_two_others_keeps_the_order_of_all() -> None:
    game = declared("enum E = x | y\nenum F = a | E\nenum G = b | E")
    for enum in game.enums.values():
        assert list(enum.domain) == sorted(enum.domain)
    assert game.enums["F"].domain[1:] == game.enums["G"].domain[1:] == game.enums["E"].domain
    assert game.enums["F"].domain[0] != game.enums["G"].domain[0]


def test_enum_with_attributes_from_a_table() -> None:
    clans = "enum: Clan\nrows:\n  - {id: red_clan, moves: [blue, red], name: Reds}\n  - {id: green_clan, moves: []}\n"
    rules = "enum Colour = red | blue\nenum Clan from clans.yaml\n  moves: set of Colour"
    game = declared(rules, {"clans.yaml": clans})
    table = game.attributes["enum:Clan", "moves"]
    assert table.type == SetOf(EnumOf("Colour"))
    assert table.values == ((0, 1), (), ())
    assert game.enums["Clan"].names == ("Reds", "green clan")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("constant c: 0..99 = 2 * size + 1", 13),
        ("constant c = 7 div 2 * 10 + 7 mod 4", 33),
        ("constant c = 4 if count(players) == 3 else 5", 4),
        ("constant c: flag = not yes", 0),
        ("constant c: Suit = hearts", 1),
        ("constant c = Suit.hearts", 1),
        ("constant c = max(1, size, 3)", 6),
    ],
)
def test_constants_are_worked_out(text: str, value: int) -> None:
    game = declared(f"{text}\nconstant size: 1..9 = 6\nenum Suit = clubs | hearts", players=3)
    assert game.constants["c"].value == value


def test_seats_have_given_names_and_numbers() -> None:
    head = 'game toy "Toy" for 2..3 players as white, black, grey\nseat 2 is automa robot\n'
    game = declared(head, players=2)
    assert game.seat_names == {"white": 0, "black": 1, "seat1": 0, "seat2": 1, "robot": 1}
    assert [(automa.seat, automa.name) for automa in game.automas] == [(1, "robot")]


# ---------------------------------------------------------------------------- pieces


def test_rows_of_keys_are_named_by_kind_and_keys() -> None:
    game = declared("kind DoubleToken\n  copies 2 for each face: 1..2, owner: player\nkind Roof\n", players=2)
    assert [row.id for row in game.rows] == [
        "double_token_1_seat1",
        "double_token_1_seat2",
        "double_token_2_seat1",
        "double_token_2_seat2",
        "roof",
    ]
    assert game.rows[0].name == "Double token 1 seat1"
    assert game.rows[1].pieces == (2, 3)
    assert (game.kinds["DoubleToken"].first, game.kinds["DoubleToken"].count) == (0, 8)
    assert (game.kinds["Roof"].first, game.kinds["Roof"].count) == (8, 1)
    assert game.attributes["piece", "face"].values == (1, 1, 1, 1, 2, 2, 2, 2, NO_NUMBER, NO_NUMBER)
    assert game.attributes["piece", "owner"].values == (0, 0, 1, 1, 0, 0, 1, 1, NONE, NONE)


def test_copies_multiply_rows_of_a_table() -> None:
    rows = """
- {id: low, worth: 1, copies: 2}
- {id: high, worth: 9, name: The high one}
- {id: mine, worth: 2, owner: seat2}
"""
    rules = "constant each_has = 2\nkind Card from cards.yaml\n  copies each_has for each owner: player\n  worth: 1..9"
    game = declared(rules, {"cards.yaml": rows})
    assert [(row.id, row.name, len(row.pieces)) for row in game.rows] == [
        ("low_seat1", "low seat1", 4),
        ("low_seat2", "low seat2", 4),
        ("high_seat1", "The high one seat1", 2),
        ("high_seat2", "The high one seat2", 2),
        ("mine_seat2", "mine seat2", 2),
    ]
    assert game.attributes["piece", "worth"].values == (*[1] * 8, *[9] * 4, *[2] * 2, NO_NUMBER)
    assert members_of(game, Piece(("Card",))) == {}


def test_kinds_share_a_table_if_they_mean_the_same() -> None:
    rules = """
enum Half = upper | lower
kind A
  price: 1..3 = 2
  action: flag = yes
kind B
  price: 5..5? = none
  action[Half]: flag = no
"""
    game = declared(rules)
    assert game.attributes["piece", "price"].values == (2, NO_NUMBER, NO_NUMBER)
    assert game.attributes["piece", "price"].type == Maybe(Number(1, 5))
    assert game.attribute_types["A", "price"] == Number(1, 3)
    own = game.attribute_of("piece", "B", "action")
    assert own is not None and own.values == ((NONE, NONE, NONE), (0, 0, NONE), (NONE, NONE, NONE))
    assert game.attribute_of("piece", "A", "action") is game.attributes["piece", "action"]
    assert game.attribute_of("piece", "A", "nothing") is None


def test_indexed_columns_by_name_or_in_order() -> None:
    rows = "- {id: a, price: {red: 1, blue: 2}}\n- {id: b, price: [3, 4]}\n- {id: c, price: {blue: 5}}\n"
    rules = "enum Colour = red | blue\nkind Card from cards.yaml\n  price[Colour]: 0..9 = 7"
    game = declared(rules, {"cards.yaml": rows})
    values = game.attributes["piece", "price"].values
    assert values == ((1, 2, NO_NUMBER), (3, 4, NO_NUMBER), (7, 5, NO_NUMBER), (NO_NUMBER,) * 3)


def test_backs_differ_by_marked_attributes_and_by_kinds_that_never_meet() -> None:
    rules = """
enum Deck = north | south
kind Card
  copies 2 for each deck: Deck, n: 1..2
kind Tile from tiles.yaml
  deck: Deck back
kind Stone
kind Gem
table
  heap: pool of Stone | Gem open
  cards: pool of Card open
"""
    game = declared(rules, {"tiles.yaml": "- {id: a, deck: north}\n- {id: b, deck: south}\n- {id: c, deck: north}\n"})
    backs = [piece.back for piece in game.pieces]
    assert backs == [*[0] * 8, 1, 2, 1, 3, 3]


# ---------------------------------------------------------------------------- maps and charts


def test_nodes_are_counted_over_all_maps() -> None:
    rules = """
constant size: 1..9 = 2
map board is grid size by 3
  node Cell
    free: flag = yes
  edge Link
map around is ring of cell_1_1, cell_1_2, cell_2_2
map track is line of 4
  node Space
"""
    game = declared(rules)
    assert (game.node_kinds["Cell"].first, game.node_kinds["Cell"].count) == (0, 6)
    assert (game.node_kinds["Space"].first, game.node_kinds["Space"].count) == (6, 4)
    assert game.attributes["node", "row"].values == (1, 1, 1, 2, 2, 2, *[NO_NUMBER] * 5)
    assert game.attributes["node", "free"].values == (1, 1, 1, 1, 1, 1, NONE, NONE, NONE, NONE, NONE)
    assert game.attribute_types["Cell", "column"] == Number(1, 3)
    around = game.maps["around"]
    assert around.nodes == (0, 1, 4) and around.neighbours[0] == (1, 4) and not around.edges
    assert game.maps["track"].toward[6] == (7, -1)
    board = game.maps["board"]
    assert board.neighbours[0] == (3, 1) and len(board.edges) == 7 and game.edge_kinds["Link"].count == 7
    assert members_of(game, MapNode(("Space",)))["space_4"] == 9
    assert len(board.line_toward[0]) == len(board.line_directions) == 8


def test_charts_are_total_functions() -> None:
    rules = """
enum Part = legs | body
chart turns(p: player, round: 1..2): 5..6 = (6, 5), (5, 6), (6, 6)
chart ladders(part: Part): 0..2 = 0, 2
chart track(space: 1..3) from track.yaml
  gift: 0..9
  part: Part?
chart opening from opening.yaml
  seat: 1..4
"""
    track = "- {space: 2, gift: 5}\n- {space: 1, gift: 4, part: body}\n- {space: 3, gift: 6}\n"
    game = declared(rules, {"track.yaml": track, "opening.yaml": "- {seat: 3}\n- {seat: 1}\n"})
    turns = game.charts["turns"]
    assert turns.rows == 4 and turns.columns[""].values == (6, 5, 5, 6, NO_NUMBER)
    assert game.charts["ladders"].columns[""].values == (0, 2, NO_NUMBER)
    assert game.charts["track"].columns["gift"].values == (4, 5, 6, NO_NUMBER)
    assert game.charts["track"].columns["part"].values == (1, NONE, NONE, NONE)
    assert game.charts["opening"].rows == 2 and not game.charts["opening"].dimensions


# ---------------------------------------------------------------------------- state


def test_fields_start_at_the_bound_nearest_to_nothing() -> None:
    rules = """
enum Suit = clubs | hearts
table
  a: 3..9
  b: -9..-2
  c: -3..3
  d: 0..9? = 4
  e: player?
  f: 0..9?
  g: Suit = hearts
  h: flag = yes
  i: first_seat..9
  j: player = seat2
constant first_seat = 1
"""
    game = declared(rules)
    starts = {name: field_of(game, "table", name).start for name in game.state["table"]}
    assert starts == {"a": 3, "b": -2, "c": 0, "d": 4, "e": NONE, "f": NO_NUMBER, "g": 1, "h": 1, "i": 1, "j": 1}


def test_places_hold_as_many_as_there_are_pieces() -> None:
    rules = """
enum Suit = clubs | hearts
kind Card
  copies 5
kind Stone
  copies 3 for each owner: player
map board is grid 2 by 2
  node Cell
table
  deck: pile of Stone | Card hidden
  river: row of Card open capacity 4
  wide: row of Card open capacity 9
  bins: slots by Suit of Stone open
each player
  hand: hand of Card secret uncounted
  spots[Suit]: slots(3) of Stone open
each Cell
  stone: slot of Stone open
each Stone
  under: pool of Card secret
"""
    game = declared(rules, players=3)
    deck = place_of(game, "table", "deck")
    assert (deck.capacity, deck.limited, deck.kinds, deck.visibility) == (14, False, ("Card", "Stone"), "hidden")
    assert (place_of(game, "table", "river").capacity, place_of(game, "table", "river").limited) == (4, True)
    assert (place_of(game, "table", "wide").capacity, place_of(game, "table", "wide").limited) == (9, False)
    bins = place_of(game, "table", "bins")
    assert bins.slot_dimension is not None and (bins.slot_dimension.low, bins.slot_dimension.size) == (0, 2)
    hand = place_of(game, "player", "hand")
    assert hand.uncounted and hand.owner == "player" and hand.owner_dimension is not None
    assert hand.owner_dimension.size == 3
    spots = place_of(game, "player", "spots")
    assert [d.size for d in spots.dimensions] == [2]
    assert spots.slot_dimension is not None and spots.slot_dimension.low == 1
    stone = place_of(game, "Cell", "stone")
    assert (stone.owner, stone.capacity, stone.limited) == ("node", 1, True)
    assert place_of(game, "Stone", "under").owner == "piece"


def test_dice_are_counted_over_the_game() -> None:
    game = declared("table\n  cup: 3 dice of 1..6\neach player\n  own: 2 dice of 0..3 secret", players=3)
    cup, own = field_of(game, "table", "cup"), field_of(game, "player", "own")
    assert cup.is_dice and cup.type == Die(1, 6) and cup.start == 1
    assert [(d.low, d.size) for d in own.dimensions] == [(1, 2)] and own.type == Die(0, 3)
    assert game.dice == 9


def test_scoped_fields_are_set_back_by_their_rule() -> None:
    game = declared('table\n  noise: 0..3 this turn\nphase turn(p)\n  pause "Go on"\n')
    assert game.scopes == {"turn": [field_of(game, "table", "noise")]}
    assert game.rules["turn"].rule.resets == (field_of(game, "table", "noise"),)


# ---------------------------------------------------------------------------- rules and cells


def test_signatures_have_typed_parameters_and_defaults() -> None:
    rules = """
kind Card
phase turn(p) "Turn"
  pause "Go on"
free action sell(q) "Sell" during turn(q) also inside actions
  done
effect build(p, c: Card, n: 0..3 = 2, owner: player? = none): flag depth 4
  result yes
value worth(p): 0..9 = 3
value open_type(p) = 3
after turn(p) as later
  build(p, card)
"""
    game = declared(rules)
    build = game.rules["build"]
    assert [(p.number, p.name, p.type) for p in build.rule.params] == [
        (0, "p", Player()),
        (1, "c", Piece(("Card",))),
        (2, "n", Number(0, 3)),
        (3, "owner", Maybe(Player())),
    ]
    assert build.defaults == (None, None, 2, NONE)
    assert (build.rule.result, build.rule.depth, build.rule.form) == (Flag(), 4, "effect")
    sell = game.rules["sell"].rule
    assert sell.during is game.rules["turn"].rule and sell.during_params == (0,) and sell.inside_actions
    assert game.rules["worth"].rule.result == Number(0, 9)
    assert game.rules["open_type"].rule.result is None
    assert [hook.rule.name for hook in game.hooks] == ["later"]
    assert game.rules["play"].rule.form == "play"


def test_cells_are_instances_one_a_piece() -> None:
    cards = """
- id: a
  copies: 2
  gift: gain(2), gain(1, twice = yes)
- {id: b, gift: gain(2), worth: double(3)}
- id: c
  gift: gain(2)
"""
    rules = """
kind Card from cards.yaml
  gift: effect
  worth: value 0..8?
effect gain_points(p, n: 1..3, twice: flag = no)
  done
value double(p, n: 0..4): 0..8 = n * 2
"""
    game = declared(rules, {"cards.yaml": cards.replace("gain(", "gain_points(")})
    assert game.attributes["piece", "gift"].values == (0, 1, 2, 3, NONE)
    assert game.attributes["piece", "worth"].values == (NONE, NONE, 4, NONE, NONE)
    first = game.cells[0]
    assert [call.args for call in first.calls] == [(2, 0), (1, 1)]
    meant = [tuple((call.rule.name, call.args) for call in cell.calls) for cell in game.cells]
    assert [meant.index(one) for one in meant] == [0, 0, 2, 2, 4]
    assert game.cells[4].calls[0].rule is game.rules["double"].rule


def test_what_the_performer_supplies_goes_by_name() -> None:
    rules = """
kind Card from cards.yaml
  reply: effect given (other: Card, times: 1..2)
effect answer(p, other: Card, n: 1..3)
  done
effect plain(p)
  done
effect open_to_all(times: 1..5, n: 0..2)
  done
"""
    cards = "- {id: a, reply: answer(3)}\n- {id: b, reply: plain}\n- {id: c, reply: open_to_all(n = 2)}\n"
    game = declared(rules, {"cards.yaml": cards})
    calls = [cell.calls[0] for cell in game.cells]
    assert [(call.args, call.takes_player) for call in calls] == [
        ((Given("other"), 3), True),
        ((), True),
        ((Given("times"), 2), False),
    ]


# ---------------------------------------------------------------------------- whatever the text


def test_a_game_with_any_declaration_left_out_gives_findings_not_tracebacks() -> None:
    text = """game toy "Toy" for 2..4 players as red, green

constant size: 1..9 = 3
enum Suit = clubs | hearts
enum Thing = Suit | joker
kind Card from cards.yaml
  copies size for each owner: player
  suit: Suit back
  gift: effect?
kind Stone
  copies 2 for each thing: Thing
chart steps(s: Suit): 0..size = 1, 2
map board is grid size by 2
  node Cell
    thing: Thing = joker
  edge Link
each Cell
  stone: slot of Stone open
each Card
  used: flag this turn
table
  deck: pile of Card hidden
  lead: Suit = clubs
  cup: size dice of 1..6
each player
  hand: hand of Card secret
  heat[Thing, 1..size]: 0..9
phase turn(p)
  gain_one(p, clubs)
effect gain_one(p, s: Suit = hearts)
  done
play
  turn(red)
"""
    tables = {"cards.yaml": "- {id: a, suit: clubs, gift: gain_one}\n- {id: b, suit: hearts, gift: gain_one(clubs)}\n"}
    whole = gather_text(text, tables, 3)
    for left_out in whole.declarations:
        rest = tuple(placed for placed in whole.declarations if placed is not left_out)
        declare(replace(whole, declarations=rest), Diagnostics())
    for kept in whole.declarations:
        declare(replace(whole, declarations=(kept,)), Diagnostics())
    declare(replace(whole, tables={}), Diagnostics())


def test_edges_of_a_shape_read_as_their_ends() -> None:
    text = "map board is grid 1 by 3 with letters\n  node Cell\n  edge Link\nplay\n  done\n"
    declared = declare(gather_text(text, {}, 2), Diagnostics())
    assert [(edge.id, edge.name) for edge in declared.edges] == [("link_1", "a1 - b1"), ("link_2", "b1 - c1")]
