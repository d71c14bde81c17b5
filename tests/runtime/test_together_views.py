"""Inside `together` nobody sees what the others have done: not the pieces they moved, not who has chosen."""

from __future__ import annotations

import interpreter as rw
from tests.runtime.test_private_choices import game


def after(choices: int) -> rw.State:
    state = game().new(seed=1)
    for _ in range(choices):
        state.apply(0)
    return state


def test_the_view_is_the_same_before_and_after_others_have_chosen() -> None:
    first = after(0)
    for choices in range(1, 4):
        later = after(choices)
        assert later.together
        assert later.view(2) == first.view(2), f"after {choices} choices"
        assert later.log(2) == first.log(2)


def test_a_player_sees_what_was_done_with_the_own_things() -> None:
    view = after(2).view(0)
    assert len(view["places"]["players"][0]["hand"]) == 3
    assert view["places"]["players"][0]["laid"] != [None]
    assert view["fields"]["players"][0]["bid"] == 1
    own = view["pieces"]["players"][0]
    assert [piece["name"] for piece in own["laid"]] == view["places"]["players"][0]["laid"]
    assert len(own["hand"]) == 3


def test_the_view_of_a_world_is_the_view_itself() -> None:
    for choices in range(6):
        state = after(choices)
        for player in range(3):
            for seed in range(5):
                drawn = state.determinize(player, seed)
                assert drawn.view(player) == state.view(player)
                assert drawn.log(player) == state.log(player)
                assert drawn.information(player) == state.information(player)


def test_afterwards_the_log_does_not_tell_how_often_somebody_chose() -> None:
    state = game().new(seed=1)
    while not state.over:
        state.apply(0)
    assert not [line for line in state.log(0) if "in secret" in line]
