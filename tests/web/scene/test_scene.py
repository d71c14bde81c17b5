"""Small things of a scene, each on its own: ids, changes, languages, names, score sheets, looks by declaration."""

from __future__ import annotations

from typing import Any

import pytest

import interpreter as rw
from interpreter.runtime.game import game_from_program
from interpreter.web.scene import scene_of, why
from interpreter.web.scene.colours import ink_on, seat_colours
from interpreter.web.scene.presentation import NOTHING
from tests.toy_games import checked
from tests.web.scene.played import positions


def by_id(scene: dict[str, Any], part: str) -> dict[str, Any]:
    return {thing["id"]: thing for thing in scene[part]}


def toy(rules: str, players: int = 2) -> rw.Game:
    return game_from_program(checked(rules, players))


# ---------------------------------------------------------------------------- changes


def test_pieces_that_moved_are_told_from_place_to_place() -> None:
    game = rw.load("pikit")
    state = game.new(seed=7)
    before = scene_of(game, state, 0)
    earlier = state.clone()
    while state.path == earlier.path:
        decision = state.decision
        assert decision is not None
        state.apply(len(decision.options) - 1)
    scene = scene_of(game, state, 0, since=earlier)
    assert scene["changes"] == scene_of(game, state, 0, since=before)["changes"]
    moves = {(move["from"], move["to"]) for move in scene["changes"]["moves"]}
    assert ("deck", "market") in moves or ("market", "p0.hand") in moves
    assert {"market"} <= set(scene["changes"]["ids"])
    assert by_id(scene, "places")["market"]["changed"]


def test_counters_tell_by_how_much_they_changed() -> None:
    game = rw.load("connect_four")
    earlier = game.new()
    scene = scene_of(game, earlier.clone().apply(2), 0, since=earlier)
    assert {"id": "discs[3]", "from": 0, "to": 1} in scene["changes"]["counters"]
    items = {item["id"]: item for item in by_id(scene, "counters")["discs"]["items"]}
    assert items["discs[3]"]["changed"] == 1 and "changed" not in items["discs[1]"]
    assert [node["id"] for node in scene["maps"][0]["nodes"] if node.get("changed")] == ["n.cell_1_3"]


def test_nothing_has_changed_where_nothing_did() -> None:
    game = rw.load("kikai")
    state = game.new(seed=3)
    assert scene_of(game, state, 1, since=state)["changes"] == {"ids": [], "moves": [], "counters": []}


def test_unknown_cards_move_as_backs() -> None:
    rules = """
kind Card "card"
  copies 1 for each value: 1..6
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
setup
  move all c in Card to deck
  shuffle deck
play
  repeat 3 times
    for p in players
      turn(p)
phase turn(p) "Turn of {p}"
  choose one "Draw?"
    "Draw"
      draw 1 from deck to p.hand
    "Wait"
      say "{p} waits"
"""
    game = toy(rules)
    state = game.new(seed=1)
    after = state.clone().apply(0)
    moves = scene_of(game, after, 1, since=state, presentation=NOTHING)["changes"]["moves"]
    assert moves == [{"piece": "p0.hand@1", "from": "deck", "to": "p0.hand"}]
    own = scene_of(game, after, 0, since=state, presentation=NOTHING)["changes"]["moves"]
    assert [move["from"] for move in own] == ["deck"] and own[0]["piece"].startswith("Card.")


# ---------------------------------------------------------------------------- words


def test_a_scene_speaks_the_language_that_is_asked_for() -> None:
    game = rw.load("pikit")
    state = game.new(seed=7)
    french, english = (scene_of(game, state, 0, language=language) for language in ("fr", "en"))
    assert (french["language"], english["language"]) == ("fr", "en")
    assert french["decision"]["prompt"] != english["decision"]["prompt"]
    assert [option["code"] for option in french["decision"]["options"]] == [
        option["code"] for option in english["decision"]["options"]
    ]
    for part in ("places", "pieces", "counters", "areas", "seats"):
        assert [thing["id"] for thing in french[part]] == [thing["id"] for thing in english[part]]
    assert [seat["name"] for seat in french["seats"]] == ["Siège 1", "Siège 2"]


def test_people_have_their_names() -> None:
    game = rw.load("kikai")
    scene = scene_of(game, game.new(seed=1), 0, names=("Robin", "Mira"))
    assert [(seat["name"], seat["title"]) for seat in scene["seats"]] == [("Robin", "yellow"), ("Mira", "purple")]
    assert [seat["colour"] for seat in scene["seats"]] == ["#f4b400", "#7a48b8"]
    assert any(piece["name"].endswith("Robin") for piece in scene["pieces"] if piece["name"])
    assert not any("Robin" in piece.get("title", "") for piece in scene["pieces"])


def test_a_language_that_a_game_does_not_have_is_its_own() -> None:
    game = rw.load("nim")
    assert scene_of(game, game.new(), 0, language="xx")["language"] == "en"


# ---------------------------------------------------------------------------- log, scores


def test_lines_of_the_log_have_their_clauses() -> None:
    game = rw.load("connect_four")
    lines = scene_of(game, game.new().apply(3).apply(3), 0)["log"]
    assert lines[-1] == {"step": 2, "seat": 1, "text": "Column 4", "cites": ["CF-04"], "level": 0, "new": True}
    assert not lines[0]["new"]


def test_scores_run_where_they_are_public() -> None:
    kalah = rw.load("kalah")
    sheet = scene_of(kalah, kalah.new(), 0)["score_sheet"]
    assert sheet["total"] == [0, 0] and not sheet["final"]
    pikit = rw.load("pikit")
    assert scene_of(pikit, pikit.new(seed=1), 0)["score_sheet"] is None
    end = pikit.playout(seed=1)
    final = scene_of(pikit, end, None)["score_sheet"]
    assert final["final"] and final["total"] == end.scores


# ---------------------------------------------------------------------------- looks


def test_colours_of_seats_are_all_different() -> None:
    assert len(set(seat_colours(("red", "blue", "x", "y", "red")))) == 5
    assert seat_colours(("yellow", "purple")) == ("#f4b400", "#7a48b8")


@pytest.mark.parametrize(("colour", "ink"), [("#f4b400", "#1d1b17"), ("#7a48b8", "#ffffff"), ("#ffffff", "#1d1b17")])
def test_signs_can_be_read_on_their_colour(colour: str, ink: str) -> None:
    assert ink_on(colour) == ink


def test_places_over_one_index_stand_in_rows() -> None:
    game = rw.load("kikai")
    groups = by_id(scene_of(game, game.new(seed=1), 0, presentation=NOTHING), "groups")
    assert [row["places"] for row in groups["stacks[]"]["rows"]] == [
        [f"stacks[{part}]", f"display[{part}]"] for part in ("legs", "body", "head")
    ]


def test_edges_know_their_ends_and_spaces() -> None:
    game = rw.load("kikai")
    edges = {edge["id"]: edge for edge in scene_of(game, game.new(seed=1), 0)["maps"][0]["edges"]}
    assert edges["e.street_2"]["ends"] == ["n.cinema", "n.s1"] and edges["e.street_2"]["capacity"] == 2


def test_a_piece_carries_its_stack() -> None:
    game = rw.load("kiwi_chow_down")
    state = game.new(seed=2)
    while "Season" not in " ".join(state.path):
        state.apply(0)
    scene = scene_of(game, state, 0)
    places = by_id(scene, "places")
    carrying = [piece for piece in scene["pieces"] if piece.get("carries")]
    assert carrying and all(places[own]["at"] == piece["id"] for piece in carrying for own in piece["carries"])


def test_a_payment_shows_what_is_picked() -> None:
    """Pieces that are picked already are not the ones that options stand for."""
    game = rw.load("kiwi_chow_down", 2)
    for state in positions(game, 3, 400, 1):
        if state.over or not state.picked or state.meta.sites[state.site].kind != "pay":
            continue
        decision = scene_of(game, state, state.who)["decision"]
        picked = [one["id"] for one in decision["picked"]]
        assert len(picked) == len(set(picked)) == len(state.picked)
        assert all(not set(option["touches"]) & set(picked) for option in decision["options"])
        return
    pytest.fail("nobody paid with two pieces")


def test_sets_and_payments_tell_how_much_is_left() -> None:
    """Numbers that the rules work out: a price, `choose 3`, `choose up to 1`. Picks count down."""
    told = {}
    for name, players, seed, choices in (
        ("kiwi_chow_down", 2, 3, 200),
        ("hearts", 4, 1, 6),
        ("branch_lines", 2, 1, 40),
    ):
        game = rw.load(name, players)
        for state in positions(game, seed, choices, 1):
            if state.over or state.meta.sites[state.site].kind not in ("set", "pay"):
                continue
            decision = scene_of(game, state, state.who)["decision"]
            said, picked = decision["to_pay"], len(decision["picked"])
            if said is not None:
                assert said["left"] + picked == said["total"] and decision["progress"] is None
            told[name, picked, str(said or decision["progress"])] = state.clone()
    assert ("hearts", 0, "0 of 3") in told and ("hearts", 2, "2 of 3") in told
    assert ("branch_lines", 0, "0 of up to 1") in told
    assert ("kiwi_chow_down", 0, "{'left': 2, 'total': 2, 'what': 'fruit'}") in told
    paying = next(state for (name, picked, said), state in told.items() if "left" in said and picked)
    french = scene_of(paying.game, paying, paying.who, language="fr")["decision"]
    assert french["to_pay"]["what"] in ("Fruit", "") and french["picked"]


def test_labels_of_own_pieces_leave_out_the_owner() -> None:
    game = rw.load("kiwi_chow_down", 2)
    names = ("Robin", "Mira")
    for state in positions(game, 1, 60, 1):
        decision = scene_of(game, state, state.who, names=names)["decision"]
        labels = [option["label"] for option in decision["options"]]
        if any(label.startswith("Play ") for label in labels):
            assert not [label for label in labels if names[state.who] in label]
            return
    pytest.fail("nobody played a card")


@pytest.mark.parametrize("name", ["connect_four", "pikit", "kiwi_chow_down", "hearts"])
def test_native_states_have_the_same_scenes(name: str, is_long: bool) -> None:
    """A map, dice and hidden hands, sets, and payments: every part of a scene is read from a native state too."""
    if name == "kiwi_chow_down" and not is_long:
        pytest.skip("compiling it takes half a minute")
    try:
        native = rw.load(name, backend="native")
    except Exception as problem:
        pytest.skip(f"no native backend here: {problem}")
    python = rw.load(name, native.meta.players, backend="python")
    pairs = zip(positions(native, 5, 40, 13), positions(python, 5, 40, 13), strict=True)
    for one, other in pairs:
        for seat in (other.who, None):
            assert scene_of(native, one, seat) == scene_of(python, other, seat)


def test_an_option_that_names_a_number_leads_with_the_cell_of_that_number() -> None:
    """A checker that goes from 6 to 3 changes both; the option says 6."""
    state = rw.load("backgammon", 2).new(seed=7)
    while not any(len(option.values) == 1 and option.values[0].isdigit() for option in state.decision.options):
        state.apply(0)
    options = scene_of(state.game, state, state.who)["decision"]["options"]
    led = [(option["values"][0]["key"], option["touches"][0]) for option in options if option["touches"]]
    assert led and all(touched.endswith(f"[{key}]") for key, touched in led)


ROADS = """\
game roads "Roads" for 2 players
map town is grid 2 by 3
  node Crossing
  edge Road
each Road
  owner: player?
play
  in turn p from seat1 until every r in Road has r.owner is not none
    turn(p)
phase turn(p)
  choose r in Road where r.owner is none "Which road?"
  r.owner = p
"""


def test_a_grid_of_which_only_the_edges_are_used_is_a_network() -> None:
    game = game_from_program(checked(ROADS))
    (shown,) = scene_of(game, game.new(seed=1), 0)["maps"]
    assert shown["sort"] == "network" and len(shown["edges"]) == 7
    cells = ROADS.replace("each Road", "each Crossing\n  stones: 0..3\neach Road").replace(
        "  r.owner = p", "  r.owner = p\n  for c in Crossing\n    c.stones = 1"
    )
    other = game_from_program(checked(cells))
    assert scene_of(other, other.new(seed=1), 0)["maps"][0]["sort"] == "grid"


UNSEEN = """\
game rows "Rows" for 2 players
kind Card
  copies 4 for each n: 1..7
table
  deck: pile of Card hidden
each player
  rack: row of Card open to others
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 14 from deck to p.rack
play
  in turn p from seat1 until seat1.rack is empty
    turn(p)
phase turn(p)
  choose c in p.rack "Which do you turn?"
  move c to deck
"""


def test_options_about_unseen_pieces_are_headed_by_their_place() -> None:
    game = game_from_program(checked(UNSEEN))
    options = scene_of(game, game.new(seed=1), 0)["decision"]["options"]
    assert len(options) > 12 and {option["group"] for option in options} == {"Rack"}


MANY = """\
game yard "Yard" for 2 players
map yard is grid 5 by 5
  node Cell
each Cell
  stones: 0..9
play
  in turn p from seat1 until some c in Cell has c.stones > 0
    turn(p)
phase turn(p)
  choose one "What?"
    "Carry {n} from {a} to {b}" for n in 1..9, a in Cell, b in Cell where b.row == 1 and a.row == 5
      b.stones = n
"""


def test_one_thing_of_very_many_has_its_reason() -> None:
    """The decision goes over 5,625 things; those about one cell are found all the same."""
    game = game_from_program(checked(MANY))
    told = why(game, game.new(seed=1), 0, {"kind": "node", "id": "n.cell_3_3"})
    assert told["kind"] == "refused" and 0 < told["count"] <= 60
    assert "b.row == 1" in told["by_reason"][0]["reason"]
