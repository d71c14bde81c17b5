"""Many games stepped together are the same games as one by one."""

from __future__ import annotations

import pytest

from interpreter.native.batch import Batch
from interpreter.native.game import NativeGame, load
from interpreter.native.unavailable import NativeUnavailable
from interpreter.runtime.decision import encode
from interpreter.runtime.faults import WrongUse
from tests.engine.test_faults import overflowing

numpy = pytest.importorskip("numpy", reason="batches need numpy (extra `native`)")


def batch_of(name: str, n: int, seed: int) -> tuple[NativeGame, Batch]:
    game = load(name, backend="native")
    assert isinstance(game, NativeGame)
    if game.engine is None:
        pytest.skip(game.reason)
    return game, game.batch(n, seed)


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "pikit"])
def test_each_game_is_the_one_of_its_seed(name: str) -> None:
    game, batch = batch_of(name, 16, 40)
    singles = {number: game.new(40 + number) for number in range(16)}
    choose = numpy.random.default_rng(3)
    while singles:
        for number, state in singles.items():
            first = int(batch.first[number])
            assert batch.options[first : first + int(batch.count[number])].tolist() == state.opts
            assert (int(batch.who[number]), int(batch.site[number])) == (state.who, state.site)
        choices = (choose.random(16) * batch.count).astype(numpy.int32)
        batch.step(choices)
        for number, state in list(singles.items()):
            state.apply(int(choices[number]))
            assert bool(batch.ended[number]) == state.over
            if state.over:
                assert batch.rewards[number].tolist() == state.returns
                assert int(batch.length[number]) == len(state.h) // 2
                del singles[number]


def test_a_game_that_is_over_begins_anew_with_the_next_seed() -> None:
    game, batch = batch_of("tic_tac_toe", 3, 0)
    for _ in range(9):
        batch.step(numpy.zeros(3, numpy.int32))
        if batch.ended.any():
            break
    assert batch.ended.all()
    assert batch.count.tolist() == [len(game.new(3).opts)] * 3
    batch.step(numpy.zeros(3, numpy.int32))
    assert not batch.ended.any()
    assert not batch.rewards.any()


MANY = """
table
  noted: 0..9999
play
  repeat 3 times
    turn(seat1)
phase turn(p)
  choose n in 1..300 "Which?"
  noted += n
score p
  "Noted"  noted
"""


def test_games_with_hundreds_of_options() -> None:
    batch = overflowing(MANY).batch(200, 0)
    assert batch.random_steps(7, 1) == 1400
    assert batch.count.tolist() == [300] * 200
    assert len(batch.options) == len(batch.codes()) == 60_000


@pytest.mark.parametrize("name", ["tic_tac_toe", "pikit", "kikai"])
def test_random_steps_play_games_like_any_random_ones(name: str) -> None:
    """They draw options without listing them, and options that are tried as they are picked may turn out to be the only
    one: then nobody has chosen. So games are as long as playouts are, on the average."""
    game, batch = batch_of(name, 64, 0)
    made = sum(batch.random_steps(25, seed) for seed in range(60))
    ended = int(batch._native.next_seed) - batch.n
    _, usual = game.playouts(0, 1000)
    assert made / ended == pytest.approx(usual / 1000, rel=0.08)
    batch.step((batch.count - 1).astype(numpy.int32))  # all options of the last decisions stand there
    assert (batch.count > 1).all()


def test_the_same_random_steps_from_the_same_seed() -> None:
    batches = [batch_of("pikit", 20, 5)[1] for _ in range(2)]
    for batch in batches:
        batch.random_steps(30, 2)
        batch.random_steps(1, 3)
    assert batches[0].options.tolist() == batches[1].options.tolist()
    assert batches[0].length.tolist() == batches[1].length.tolist()


def test_a_fault_among_random_steps_is_told() -> None:
    game = overflowing(MANY.replace("0..9999", "0..1"))
    with pytest.raises(NativeUnavailable, match="game 0 of the batch ran into a fault"):
        game.batch(5, 0).random_steps(7, 1)


def test_codes_and_masks_name_the_options() -> None:
    game, batch = batch_of("tic_tac_toe", 4, 0)
    batch.step(numpy.array([0, 1, 2, 3]))
    mask = batch.mask()
    assert mask.shape == (4, batch.actions)
    assert mask.sum(axis=1).tolist() == batch.count.tolist()
    state = game.new(1)
    state.apply(1)
    assert sorted(numpy.flatnonzero(mask[1]).tolist()) == sorted(int(option) for option in state.decision.options)


def test_observations_hide_what_is_hidden() -> None:
    """In Kuhn poker nobody sees the other's card: two deals that differ only there look the same."""
    _, batch = batch_of("kuhn_poker", 64, 0)
    seen = {tuple(row) for row in batch.observations().tolist()}
    assert len(seen) == 3, "one for each card of one's own"


@pytest.mark.parametrize("choices", [[0, 0], [9, 0, 0], [-1, 0, 0]])
def test_choices_that_do_not_fit(choices: list[int]) -> None:
    _, batch = batch_of("tic_tac_toe", 3, 0)
    with pytest.raises(WrongUse):
        batch.step(choices)
    batch.step([0, 0, 0])


@pytest.mark.parametrize("choices", [[0.5] * 3, ["0"] * 3, None, [[0] * 3], [[0], 1, 2], [2**32] * 3, [2**80] * 3])
def test_choices_that_are_none(choices: object) -> None:
    _, batch = batch_of("tic_tac_toe", 3, 0)
    with pytest.raises(WrongUse):
        batch.step(choices)
    with pytest.raises(WrongUse):
        batch.step(numpy.array([2**32, 0, 0]))


def test_calls_that_make_no_sense() -> None:
    game, batch = batch_of("tic_tac_toe", 3, 0)
    for n, seed in ((0, 0), (1.5, 0), (2, "a"), (2, None)):
        with pytest.raises(WrongUse):
            game.batch(n, seed)  # type: ignore[arg-type]
    with pytest.raises(WrongUse):
        batch.random_steps("many", 0)  # type: ignore[arg-type]
    with pytest.raises(WrongUse):
        batch.indices([9, 9, 99])


@pytest.mark.parametrize("name", ["backgammon", "hearts", "kikai", "market_garden", "nim", "pikit", "sea_wall"])
def test_codes_of_all_options_at_once_are_those_of_each(name: str) -> None:
    _, batch = batch_of(name, 32, 1)
    meta, choose = batch.game.meta, numpy.random.default_rng(1)
    for _ in range(40):
        codes, at = batch.codes().tolist(), 0
        for number in range(batch.n):
            site = meta.sites[int(batch.site[number])]
            for raw in batch.options[at : at + int(batch.count[number])].tolist():
                assert codes[at] == encode(meta, site, raw)
                at += 1
        chosen = choose.integers(batch.count)
        indices = batch.indices(batch.codes()[batch.first + chosen])
        assert (batch.codes()[batch.first + indices] == batch.codes()[batch.first + chosen]).all()
        batch.step(indices)
