"""What a view shows and what it keeps to itself."""

from __future__ import annotations

import json
from typing import Any

from interpreter.check.value_types import NO_NUMBER
from interpreter.runtime import knowledge
from interpreter.runtime.meta import FieldMeta, PlaceMeta
from interpreter.runtime.views import view
from tests.runtime.small_table import Table, make_meta, make_table, move

SEATS = ("player", 0, 2)
DECK, SHELF, RIVER, MARKET, SACK, HAND0, HAND1 = range(7)


def field(name: str, owner: str, base: int, *dimensions: tuple[str, int, int], **more: Any) -> FieldMeta:
    told: dict[str, Any] = {"thing": "number", "none": None, "visibility": "open", "is_dice": False, "start": 0, **more}
    return FieldMeta(name, owner, base, dimensions, **told)


FIELDS = (
    field("dice", "table", 2, ("die", 1, 2), is_dice=True, start=1),
    field("cup", "player", 4, SEATS, ("die", 1, 2), is_dice=True, start=1, visibility="secret"),
    field("round", "table", 8),
    field("secret_end", "table", 9, visibility="hidden"),
    field("vp", "player", 10, SEATS, visibility="secret"),
    field("wood", "player", 12, SEATS, ("enum:Colour", 0, 2)),
    field("owner", "node", 16, ("node", 0, 2), thing="player", none=-1, start=-1),
    field("favourite", "table", 18, thing="piece", none=-1, start=-1),
    field("open", "edge", 19, ("edge", 0, 1), thing="flag", start=1),
    field("price", "table", 20, none=NO_NUMBER, start=NO_NUMBER),
    field("mark", "piece", 21, ("piece", 0, 4), start=0),
    field("note", "piece", 25, ("piece", 0, 4), visibility="secret", seen_by=(1, 1, 2, 0)),
)
META = make_meta("aabc", fields=FIELDS)


def test_an_empty_table_shows_every_declaration() -> None:
    shown = view(make_table(META), META, 0)
    assert json.loads(json.dumps(shown)) == shown
    assert shown["seats"] == ["ann", "bob"] and shown["box"] == {"count": 4}
    assert shown["fields"]["table"] == {"round": 0, "favourite": None, "price": None}
    assert shown["fields"]["players"][0] == {"vp": 0, "wood": {"Red": 0, "blue": 0}}
    assert shown["fields"]["nodes"] == {"n1": {"owner": None}, "n2": {"owner": None}}
    assert shown["fields"]["edges"] == {"e1": {"open": True}}
    assert shown["places"]["table"] == {"deck": [], "shelf": [], "river": [], "market": [], "sack": []}
    assert shown["places"]["players"] == [{"hand": [], "mat": []}] * 2


def test_secret_fields_are_shown_to_their_owner() -> None:
    table = make_table(META)
    table.f[10:12] = [3, 5]
    table.f[2:8] = [1, 6, 2, 3, 4, 5]
    ann, referee = view(table, META, 0), view(table, META, None)
    assert [own["vp"] for own in ann["fields"]["players"]] == [3, "?"]
    assert ann["dice"] == {"dice": [1, 6], "cup": {"ann": [2, 3], "bob": "?"}}
    assert "secret_end" not in ann["fields"]["table"]
    assert [own["vp"] for own in referee["fields"]["players"]] == [3, 5]
    assert referee["fields"]["table"]["secret_end"] == 0
    assert referee["dice"]["cup"]["bob"] == [4, 5]


def dealt() -> Table:
    """A shuffled deck of a a b c; ann draws an a, bob the b, one a goes to the river."""
    table = make_table(META, deck="aabc")
    knowledge.shuffled(table, META, DECK)
    move(table, META, 0, HAND0, by_position=True)
    move(table, META, 2, HAND1, by_position=True)
    move(table, META, 1, RIVER, by_position=True)
    return table


def test_places_name_what_is_known_and_count_the_rest() -> None:
    table = dealt()
    ann, bob = view(table, META, 0)["places"], view(table, META, 1)["places"]
    assert [own["hand"] for own in ann["players"]] == [["a"], [None]]
    assert [own["hand"] for own in bob["players"]] == [[None], ["b"]]
    assert ann["table"]["river"] == ["a"] and ann["table"]["deck"] == [None]
    assert view(table, META, None)["places"]["table"]["deck"] == ["c"]


def test_a_reference_to_a_piece_has_a_name_only_if_it_is_known() -> None:
    table = dealt()
    table.f[18] = 2
    assert view(table, META, 0)["fields"]["table"]["favourite"] == "?"
    assert view(table, META, 1)["fields"]["table"]["favourite"] == "b"


def test_equal_copies_of_one_mix_are_known() -> None:
    table = make_table(META, deck="aa")
    knowledge.shuffled(table, META, DECK)
    assert view(table, META, 0)["places"]["table"]["deck"] == ["a", "a"]


def test_unordered_places_list_what_must_be_there() -> None:
    table = make_table(META, sack="cba", market="a")
    knowledge.mixed(table, META, range(4))
    assert view(table, META, 0)["places"]["table"]["sack"] == ["a", None, None]


def test_fields_of_pieces_are_shown_where_the_piece_is_known() -> None:
    table = dealt()
    table.f[21:25] = [7, 8, 9, 6]
    ann = view(table, META, 0)["fields"]["pieces"]
    assert ann == {"a 1": {"mark": 8, "note": 0}, "a 2": {"mark": 7, "note": 0}}  # the river comes before the hands
    bob = view(table, META, 1)["fields"]["pieces"]
    assert bob == {"a 1": {"mark": 8, "note": "?"}, "b": {"mark": 9, "note": 0}}
    assert view(table, META, None)["fields"]["pieces"]["a 1"] == {"mark": 7, "note": 0}
    assert list(view(table, META, None)["fields"]["pieces"]) == ["a 1", "a 2", "b", "c"]


def test_copies_in_one_mix_are_numbered_by_where_they_lie() -> None:
    table = make_table(META, deck="aa")
    knowledge.shuffled(table, META, DECK)
    table.f[21:23] = [7, 8]
    before = view(table, META, 0)
    table.p[DECK].reverse()
    table.f[21:23] = [8, 7]
    assert view(table, META, 0) == before


def test_an_uncounted_place_has_no_count() -> None:
    stash = PlaceMeta("stash", "table", 0, 1, (), "hand", ("Card",), "hidden", True, 9, False)
    meta = make_meta("aabc", more_places=(stash,))
    table = make_table(meta, deck="bc", stash="aa")
    assert view(table, meta, 0)["places"]["table"]["stash"] == {"count": None, "known": ["a", "a"]}
    knowledge.mixed(table, meta, range(4))
    assert view(table, meta, 0)["places"]["table"]["stash"] == {"count": None}


def test_what_a_known_piece_carries_is_shown_under_its_name() -> None:
    bowl = PlaceMeta("bowl", "piece", 0, 4, (("piece", 0, 4),), "pool", ("Card",), "open", False, 9, True)
    meta = make_meta("aabc", more_places=(bowl,))
    table = make_table(meta, river="b")
    move(table, meta, 3, 7 + 2)
    assert view(table, meta, 0)["places"]["pieces"] == {"b": {"bowl": ["c"]}, "c": {"bowl": []}}
