"""What each event on the table does to the mixes of each player.

Pieces are letters; equal letters are copies. Mixes of two or more are written as text: `abc de`.
"""

from __future__ import annotations

from interpreter.runtime import knowledge
from tests.runtime.small_table import Table, make_meta, make_table, mixes, move, place_number

META = make_meta("abcd")
COPIES = make_meta("aabc")
BACKS = make_meta("abcd", {"c": 1, "d": 1})
DECK, SHELF, RIVER, MARKET, SACK, HAND0, HAND1 = range(7)
MAT0 = place_number(META, "mat")
BOX = -1


def shuffled_deck(meta=META, letters: str = "abcd") -> Table:
    table = make_table(meta, deck=letters)
    knowledge.shuffled(table, meta, DECK)
    return table


def hidden_hand(meta, known: str, unknown: str, deck: str) -> Table:
    """Bob's hand, of which ann knows only some; the unknown part comes from a shuffled deck."""
    table = make_table(meta, hand=["", known], deck=unknown + deck)
    knowledge.shuffled(table, meta, DECK)
    for _ in unknown:
        move(table, meta, table.p[DECK][0], HAND1, by_position=True)
    return table


def test_at_the_start_everything_is_known() -> None:
    table = make_table(META, deck="abc")
    assert all(knowledge.is_known(table, META, piece, player) for piece in range(4) for player in range(2))
    assert not knowledge.is_known(table, META, -1, 0)


def test_a_shuffle_joins_what_lies_there() -> None:
    table = make_table(META, deck="abc", market="d")
    assert not knowledge.shuffled(table, META, DECK)
    assert mixes(table, META, 0) == mixes(table, META, 1) == "abc"


def test_backs_stay_apart_in_a_shuffle() -> None:
    assert mixes(shuffled_deck(BACKS), BACKS, 0) == "ab cd"


def test_a_shuffled_open_pile_is_still_seen() -> None:
    table = make_table(META, river="abc")
    knowledge.shuffled(table, META, RIVER)
    assert mixes(table, META, 0) == ""


def test_drawn_into_a_hand_the_owner_knows_it_and_others_keep_its_mix() -> None:
    table = shuffled_deck()
    assert move(table, META, 0, HAND0, by_position=True)
    assert (mixes(table, META, 0), mixes(table, META, 1)) == ("bcd", "abcd")
    assert knowledge.is_known(table, META, 0, 0) and not knowledge.is_known(table, META, 0, 1)


def test_seen_by_all_in_an_open_place() -> None:
    for target in (RIVER, MARKET, MAT0):
        table = shuffled_deck()
        assert move(table, META, 0, target, by_position=True)
        assert mixes(table, META, 0) == mixes(table, META, 1) == "bcd"


def test_the_last_of_a_mix_is_known_as_well() -> None:
    table = shuffled_deck(letters="ab")
    move(table, META, 1, MARKET, by_position=True)
    assert knowledge.is_known(table, META, 0, 0)


def test_a_known_piece_that_moves_makes_no_mix_smaller() -> None:
    table = make_table(META, deck="abc")
    assert not move(table, META, 0, MARKET, by_position=True)
    assert not move(table, META, 0, HAND1)


def test_seen_once_then_in_a_hand_is_still_known() -> None:
    table = shuffled_deck()
    move(table, META, 0, MARKET, by_position=True)
    assert not move(table, META, 0, HAND1)
    assert knowledge.is_known(table, META, 0, 0)


def test_leaving_a_hand_unseen_joins_the_hand() -> None:
    table = make_table(META, hand=["", "abc"], deck="d")
    assert not move(table, META, 0, DECK)
    assert (mixes(table, META, 0), mixes(table, META, 1)) == ("abc", "")


def test_the_only_card_of_a_hand_is_followed() -> None:
    table = make_table(META, hand=["", "a"], deck="d")
    move(table, META, 0, DECK, by_position=True)
    assert mixes(table, META, 0) == ""


def test_backs_are_seen_when_a_card_leaves_unseen() -> None:
    table = make_table(BACKS, hand=["", "abcd"])
    move(table, BACKS, 0, DECK)
    assert mixes(table, BACKS, 0) == "ab"


def test_a_known_copy_is_taken_to_have_left() -> None:
    table = hidden_hand(COPIES, known="a", unknown="a", deck="b")
    assert mixes(table, COPIES, 0) == "ab"
    move(table, COPIES, 1, MARKET)
    assert knowledge.is_known(table, COPIES, 1, 0)
    assert mixes(table, COPIES, 0) == "ab", "the copy in the hand may be either"


def test_a_copy_in_another_mix_may_have_left() -> None:
    table = make_table(COPIES, hand=["", "ac"], deck="ab")
    knowledge.shuffled(table, COPIES, DECK)
    knowledge.mixed(table, COPIES, (0, 3))
    move(table, COPIES, 1, HAND1, by_position=True)
    move(table, COPIES, 1, MARKET)
    assert knowledge.is_known(table, COPIES, 1, 0)
    assert mixes(table, COPIES, 0) == "abc", "that b is the card in the deck is not certain"


def test_revealed_to_one_or_to_all() -> None:
    table = shuffled_deck()
    assert knowledge.revealed(table, META, 0, 1)
    assert (mixes(table, META, 0), mixes(table, META, 1)) == ("abcd", "bcd")
    assert knowledge.revealed(table, META, 0)
    assert mixes(table, META, 0) == "bcd"
    assert not knowledge.revealed(table, META, 0)


def test_a_copy_shown_from_a_hand_may_be_the_known_one() -> None:
    table = hidden_hand(COPIES, known="a", unknown="a", deck="b")
    knowledge.revealed(table, COPIES, 1)
    assert mixes(table, COPIES, 0) == "ab"


def test_copies_shown_together_are_two() -> None:
    table = hidden_hand(COPIES, known="a", unknown="a", deck="b")
    assert knowledge.revealed_many(table, COPIES, (0, 1))
    assert mixes(table, COPIES, 0) == ""


def test_the_top_of_a_top_open_pile_is_seen_by_all() -> None:
    table = make_table(META, shelf="abc")
    knowledge.shuffled(table, META, SHELF)
    assert mixes(table, META, 0) == "bc"
    assert move(table, META, 0, HAND1, by_position=True), "the next one shows"
    assert mixes(table, META, 0) == ""


def test_what_goes_under_a_top_open_pile_is_not_seen() -> None:
    table = make_table(META, deck="abc", shelf="d")
    knowledge.shuffled(table, META, DECK)
    assert not move(table, META, 0, SHELF, by_position=True, last=True)
    assert mixes(table, META, 0) == "abc"
    assert move(table, META, 1, SHELF, by_position=True)
    assert mixes(table, META, 0) == "ac"


def test_put_into_a_bag_it_is_one_of_many() -> None:
    table = make_table(META, sack="ab", market="c")
    move(table, META, 2, SACK)
    assert mixes(table, META, 0) == "abc"
    assert move(table, META, 1, MARKET)
    assert mixes(table, META, 0) == "ac"


def test_the_box_shows_nothing_and_hides_nothing() -> None:
    table = shuffled_deck()
    assert not move(table, META, 0, BOX, by_position=True)
    assert mixes(table, META, 0) == "abcd"
    known = make_table(META, deck="ab")
    move(known, META, 2, DECK)
    assert mixes(known, META, 0) == ""


def test_picked_from_the_box_at_random() -> None:
    table = make_table(META, deck="a")
    assert not knowledge.mixed(table, META, (1, 2, 3))
    move(table, META, 2, DECK)
    assert mixes(table, META, 0) == "bcd"


def test_face_down_it_is_not_seen_and_nothing_is_forgotten() -> None:
    table = shuffled_deck()
    assert not move(table, META, 0, RIVER, by_position=True, down=True)
    assert mixes(table, META, 0) == "abcd"
    known = make_table(META, river="ab")
    known.fd = 1
    assert not knowledge.flipped(known, META, 0, down=True)
    assert mixes(known, META, 0) == ""


def test_turned_up_before_those_who_see_the_place() -> None:
    table = shuffled_deck()
    move(table, META, 0, RIVER, by_position=True, down=True)
    table.fd = 0
    assert knowledge.flipped(table, META, 0, down=False)
    assert mixes(table, META, 1) == "bcd"
    hidden = shuffled_deck()
    assert not knowledge.flipped(hidden, META, 0, down=False)


def test_a_face_down_card_leaves_an_open_pool_among_its_like() -> None:
    table = make_table(META, market="abc")
    table.fd = 0b011
    move(table, META, 0, DECK)
    assert mixes(table, META, 0) == "ab", "c lies face up: all see that it stayed"


def test_an_owner_knows_what_leaves_the_own_hand() -> None:
    table = make_table(META, hand=["ab", "c"])
    move(table, META, 0, DECK, by_position=False)
    assert (mixes(table, META, 0), mixes(table, META, 1)) == ("", "ab")


def test_taken_from_an_unknown_position_of_a_pile() -> None:
    table = make_table(META, deck="abcd")
    move(table, META, 1, HAND0)
    assert (mixes(table, META, 0), mixes(table, META, 1)) == ("", "abcd")


def test_swapped_hands_are_seen_by_their_new_owners() -> None:
    table = make_table(META, hand=["", ""], deck="abcd")
    knowledge.shuffled(table, META, DECK)
    for piece, hand in ((0, HAND0), (1, HAND0), (2, HAND1)):
        move(table, META, piece, hand, by_position=True)
    table.p[HAND0], table.p[HAND1] = table.p[HAND1], table.p[HAND0]
    table.at[:3] = [HAND1, HAND1, HAND0]
    assert knowledge.swapped_places(table, META, HAND0, HAND1)
    assert (mixes(table, META, 0), mixes(table, META, 1)) == ("", "")


def test_swapped_pieces() -> None:
    table = make_table(META, hand=["ab", "cd"])
    table.p[HAND0], table.p[HAND1], table.at = [1, 2], [0, 3], [HAND1, HAND0, HAND0, HAND1]
    knowledge.swapped_pieces(table, META, 0, 2)
    assert knowledge.is_known(table, META, 2, 0) and knowledge.is_known(table, META, 0, 1)


def test_who_sits_down_knows_what_the_places_show() -> None:
    table = make_table(META, hand=["a", "b"], market="c")
    knowledge.learn_from_places(table, META)
    assert (mixes(table, META, 0), mixes(table, META, 1)) == ("bd", "ad")


def test_knowledge_lists_are_replaced_and_never_changed() -> None:
    table = shuffled_deck()
    shared = table.kn[0]
    before = list(shared)
    move(table, META, 0, MARKET, by_position=True)
    move(table, META, 1, HAND0, by_position=True)
    knowledge.shuffled(table, META, DECK)
    assert shared == before and table.kn[0] is not shared
