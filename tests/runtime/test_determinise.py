"""A state drawn for a player agrees with what the player knows, and is drawn from all that the mixes allow."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from interpreter.runtime import knowledge
from interpreter.runtime.determinise import apply_identities, determinise
from interpreter.runtime.meta import PASS, FieldMeta, Meta, PlaceMeta
from interpreter.runtime.views import view
from tests.runtime.small_table import Table, make_meta, make_table, move, site
from tests.runtime.test_possible_worlds import SETS, RandomGame

DECK, SHELF, RIVER, MARKET, SACK, HAND0, HAND1 = range(7)


class Chance:
    """The one thing that is asked of a generator."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def below(self, bound: int) -> int:
        return self.random.randrange(bound)


def assert_conserved(table: Table, meta: Meta) -> None:
    """Every piece lies exactly where `at` says; the box has the rest; mixes are numbered by their smallest piece."""
    lying = {}
    for place in range(meta.lists + meta.slots):
        pieces = knowledge.contents(table, meta, place)
        assert not knowledge.is_unordered(meta, place) or pieces == sorted(pieces)
        lying |= dict.fromkeys(pieces, place)
    assert table.at == [lying.get(piece, -1) for piece in range(meta.pieces)]
    for mixes in table.kn:
        assert mixes == [mixes.numbers.index(mix) for mix in mixes]


@pytest.mark.parametrize(("rows", "backs"), SETS)
def test_view_and_number_of_pieces_stay(rows: str, backs: dict[str, int]) -> None:
    meta = make_meta(rows, backs)
    for seed in range(40):
        game = RandomGame(meta, seed, 0.1)
        for _ in range(8):
            game.step()
        for player in range(2):
            drawn = determinise(game.table, meta, player, Chance(seed))
            assert view(drawn, meta, player) == view(game.table, meta, player)
            assert drawn.kn[player] == game.table.kn[player]
            assert_conserved(drawn, meta)


@pytest.mark.parametrize(("rows", "backs"), SETS)
def test_swapping_two_hidden_cards_changes_nothing_in_the_view(rows: str, backs: dict[str, int]) -> None:
    meta = make_meta(rows, backs)
    swaps = 0
    for seed in range(40):
        game = RandomGame(meta, seed, 0.1)
        for _ in range(8):
            game.step()
        for player, mixes in enumerate(game.table.kn):
            for one in range(meta.pieces):
                for other in range(one):
                    if mixes[one] == mixes[other]:
                        new = list(range(meta.pieces))
                        new[one], new[other] = other, one
                        swapped = game.table.clone()
                        apply_identities(game.table, swapped, meta, new)
                        assert view(swapped, meta, player) == view(game.table, meta, player)
                        swaps += 1
    assert swaps > 100


def test_every_permutation_of_a_mix_is_as_likely() -> None:
    meta = make_meta("abcd")
    table = make_table(meta, deck="abc", market="d")
    knowledge.shuffled(table, meta, DECK)
    chance = Chance(1)
    drawn = Counter(tuple(determinise(table, meta, 0, chance).p[DECK]) for _ in range(3000))
    assert len(drawn) == 6 and min(drawn.values()) > 400


def test_the_state_drawn_from_is_left_alone() -> None:
    meta = make_meta("abcd")
    table = make_table(meta, deck="abcd")
    knowledge.shuffled(table, meta, DECK)
    before = table.clone()
    determinise(table, meta, 0, Chance(3))
    assert table == before


def test_what_others_know_stays_true_of_the_cards_they_hold() -> None:
    meta = make_meta("abcde")
    table = make_table(meta, deck="abcde")
    knowledge.shuffled(table, meta, DECK)
    for piece, hand in ((0, HAND0), (1, HAND1), (2, HAND1)):
        move(table, meta, piece, hand, by_position=True)
    for seed in range(20):
        drawn = determinise(table, meta, 0, Chance(seed))
        assert drawn.p[HAND0] == [0]
        assert all(knowledge.is_known(drawn, meta, piece, 1) for piece in drawn.p[HAND1])
        assert not any(knowledge.is_known(drawn, meta, piece, 1) for piece in drawn.p[DECK])


CARRYING = PlaceMeta("bowl", "piece", 0, 4, (("piece", 0, 4),), "pool", ("Card",), "open", False, 9, True)
MARK = FieldMeta("mark", "piece", 2, (("piece", 0, 4),), "number", None, "open", False, 0)
TARGET = FieldMeta("target", "table", 6, (), "piece", -1, "open", False, -1)


def test_fields_carried_pieces_faces_and_references_stay_with_the_position() -> None:
    meta = make_meta(
        "abcde",
        fields=(MARK, TARGET),
        more_places=(CARRYING,),
        sites=(site("choose", (("piece", 0, 5),)), site("one", (), (("number", 0, 9), ("piece", 0, 5)))),
        slot_things={"turn": ("player", "piece", "set:piece", "number")},
        segment_routine=("turn",),
    )
    table = make_table(meta, deck="abcd")
    knowledge.shuffled(table, meta, DECK)
    move(table, meta, 4, 7 + 1)  # e lies in the bowl that b carries
    table.f[2:7] = [0, 5, 0, 0, 1]
    table.fd = 0b00010
    table.k = [[0, 1, 1, (1, 3), 1]]
    table.site, table.opts = 0, [1, 3, PASS]
    for seed in range(20):
        drawn = determinise(table, meta, 0, Chance(seed))
        second, last = drawn.p[DECK][1], drawn.p[DECK][3]
        assert drawn.f[2 + second] == 5 and drawn.f[6] == second
        assert drawn.p[7 + second] == [4] and drawn.at[4] == 7 + second
        assert drawn.fd == 1 << second
        assert drawn.k == [[0, 1, second, (second, last), 1]]
        assert drawn.opts == [second, last, PASS]
        assert_conserved(drawn, meta)
    table.site, number_of = 1, meta.sites[1].option_of
    table.opts = [number_of(0, ()), number_of(1, (3, 1))]
    drawn = determinise(table, meta, 0, Chance(5))
    assert drawn.opts == [number_of(0, ()), number_of(1, (3, drawn.p[DECK][1]))]


def test_a_laden_piece_stays_within_its_kind() -> None:
    """Only pieces a and b (of one kind) have a mark; c and d have nowhere to keep it."""
    mark = FieldMeta("mark", "piece", 2, (("piece", 0, 2),), "number", None, "open", False, 0)
    meta = make_meta("abcd", fields=(mark,), kinds=("Ape", "Ape", "Card", "Card"))
    table = make_table(meta, deck="abcd")
    knowledge.shuffled(table, meta, DECK)
    table.f[2:4] = [5, 0]
    orders = {tuple(determinise(table, meta, 0, Chance(seed)).p[DECK]) for seed in range(60)}
    assert orders == {(0, *rest) for rest in ((1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1))}
    assert all(determinise(table, meta, 0, Chance(seed)).f[2:4] == [5, 0] for seed in range(10))
