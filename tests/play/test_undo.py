"""Taking back: own decisions, as far as the horizon."""

from __future__ import annotations

from interpreter.play.match import Match, bot_match
from interpreter.play.undo import retraced
from tests.play.race import RaceGame, RaceState


def _match(game: RaceGame) -> Match:
    return Match(game, bot_match(game, ["first"] * game.players, 0).seats, game.new(seed=1), keeps_trail=True)


def test_back_to_the_latest_own_decision_over_those_of_others() -> None:
    match = _match(RaceGame(3))
    for _ in range(4):
        match.step()
    assert match.take_back([0])
    assert match.state.history == (101, 101, 101)
    assert match.take_back([0])
    assert match.state.history == ()
    assert not match.take_back([0])


def test_around_one_screen_the_latest_decision_of_any_person() -> None:
    match = _match(RaceGame(3))
    for _ in range(5):
        match.step()
    assert match.take_back([0, 2])
    assert len(match.state.history) == 3


def test_never_beyond_the_horizon() -> None:
    match = _match(RaceGame(1))
    for _ in range(7):
        match.step()
    assert match.state.undo_horizon == 6  # the sixth step has rolled the die
    assert match.take_back([0])
    assert not match.take_back([0])
    assert len(match.trail) == 0


def test_what_is_taken_back_can_be_played_otherwise() -> None:
    match = _match(RaceGame(2))
    match.step()
    match.take_back([0])
    match.apply(match.state.decision.options[2])
    assert match.state.history == (103,)


def test_a_resumed_game_gets_its_trail_from_its_history() -> None:
    game = RaceGame(2)
    match = _match(game)
    for _ in range(5):
        match.step()
    loaded = game.from_json(match.state.to_json())
    trail = retraced(game, loaded)
    assert len(trail) == 5
    earlier = trail.go_back(loaded, [0])
    assert isinstance(earlier, RaceState) and len(earlier.history) == 4


def test_a_state_that_was_set_up_by_hand_has_no_trail() -> None:
    game = RaceGame(2)
    state = game.new()
    state.apply(state.decision.options[0])
    state.at = [5, 5]
    assert len(retraced(game, state)) == 0
    state.history = (7,)
    assert len(retraced(game, state)) == 0
