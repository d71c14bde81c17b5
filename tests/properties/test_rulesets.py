"""What holds of any legal play of any ruleset: Hypothesis draws the seed and the choices, the game offers them."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import interpreter as rw
from interpreter.runtime.determinise import apply_identities
from tests.every_ruleset import loaded

SEEDS = st.integers(0, 2**32 - 1)
CHOICES = st.lists(st.integers(0, 999), max_size=30)
FEW = settings(
    max_examples=2,
    deadline=None,
    database=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)


def played(game: tuple[str, int], seed: int, choices: list[int], auto: bool = True) -> rw.State:
    """The game after these choices, each taken modulo the number of options, or at its end."""
    state = loaded(*game).new(seed, auto=auto)
    for choice in choices:
        if state.over:
            break
        state.apply(choice % len(state.decision.options))
    return state


def assert_conserved(state: Any) -> None:
    """Every piece is in exactly one place, and knows which."""
    meta = state.meta
    lying = [(piece, number) for number, pieces in enumerate(state.p[: meta.lists]) for piece in pieces]
    lying += [(piece, meta.lists + slot) for slot, piece in enumerate(state.f[: meta.slots]) if piece >= 0]
    assert len(lying) == len({piece for piece, _ in lying})
    where = dict(lying)
    assert state.at[: meta.pieces] == [where.get(piece, -1) for piece in range(meta.pieces)]


def view_of(state: rw.State, player: int) -> str:
    return json.dumps(state.view(player), sort_keys=True)


def test_every_offered_option_applies(game: tuple[str, int]) -> None:
    @FEW
    @given(SEEDS, CHOICES)
    def holds(seed: int, choices: list[int]) -> None:
        state = played(game, seed, choices)
        assert_conserved(state)
        options = [] if state.over else list(state.decision.options)
        codes = [int(option) for option in options]
        assert len(set(codes)) == len(codes)
        for option in options[:: max(1, len(options) // 8)]:
            after = state.clone().apply(option)
            assert after.history[-1] == int(option)
            assert_conserved(after)

    holds()


def test_clone_save_and_replay_are_the_same_game(game: tuple[str, int]) -> None:
    @FEW
    @given(SEEDS, CHOICES, st.booleans())
    def holds(seed: int, choices: list[int], auto: bool) -> None:
        state = played(game, seed, choices, auto)
        copy = state.clone()
        saved = loaded(*game).from_json(state.to_json())
        again = loaded(*game).new(seed, auto=auto)
        for code in state.history:
            again.apply(next(option for option in again.decision.options if int(option) == code))
        assert copy.same_as(state) and saved.same_as(state) and again.same_as(state)
        if not state.over:
            state.apply(0)
            assert not copy.same_as(state)
            assert copy.apply(0).same_as(state) and saved.apply(0).same_as(state)

    holds()


def test_same_seed_same_game(game: tuple[str, int]) -> None:
    @FEW
    @given(SEEDS)
    def holds(seed: int) -> None:
        first, second = loaded(*game).playout(seed), loaded(*game).playout(seed)
        assert first.over and first.history == second.history
        assert (first.f, first.p, first.scores) == (second.f, second.p, second.scores)

    holds()


def test_a_playout_retraced_ends_the_same_way(game: tuple[str, int]) -> None:
    """The fast path and the one that keeps knowledge and log are the same game."""
    quick = loaded(*game).playout(7)
    careful = loaded(*game).retrace(quick)
    assert careful.over and careful.history == quick.history
    assert (careful.f, careful.p, careful.at, careful.g) == (quick.f, quick.p, quick.at, quick.g)
    assert (careful.scores, careful.ranking) == (quick.scores, quick.ranking)


def test_a_determinisation_leaves_what_the_player_knows(game: tuple[str, int]) -> None:
    @FEW
    @given(SEEDS, CHOICES)
    def holds(seed: int, choices: list[int]) -> None:
        state = played(game, seed, choices)
        for player in range(state.game.players):
            drawn = state.determinize(player, seed % 97)
            assert_conserved(drawn)
            assert view_of(drawn, player) == view_of(state, player)
            if not state.over and state.decision.player == player:
                assert [(int(o), str(o)) for o in drawn.decision.options] == [
                    (int(o), str(o)) for o in state.decision.options
                ]

    holds()


def test_a_world_goes_on(game: tuple[str, int]) -> None:
    """Every world has options, and goes on by whichever is taken: also while somebody else pays, reacts, or picks."""

    @FEW
    @given(SEEDS, CHOICES)
    def holds(seed: int, choices: list[int]) -> None:
        state = played(game, seed, choices)
        for player in range(state.game.players):
            drawn = state.determinize(player, seed % 89)
            for choice in choices[:8]:
                if drawn.over:
                    break
                assert drawn.decision.options
                drawn.apply(choice % len(drawn.decision.options))

    holds()


def test_swapping_two_hidden_cards_changes_nothing_in_the_view(game: tuple[str, int]) -> None:
    @FEW
    @given(SEEDS, CHOICES, st.integers(0, 999), st.integers(0, 999))
    def holds(seed: int, choices: list[int], one: int, other: int) -> None:
        state: Any = played(game, seed, choices)
        for player, mixes in enumerate(state.kn):
            together = [group for mix in sorted(set(mixes)) if len(group := _kept_alike(state, mixes, mix)) > 1]
            for group in together[:2]:
                new = list(range(state.meta.pieces))
                a, b = group[one % len(group)], group[other % len(group)]
                new[a], new[b] = b, a
                swapped = state.clone()
                apply_identities(state, swapped, state.meta, new)
                assert view_of(swapped, player) == view_of(state, player)

    holds()


def _kept_alike(state: Any, mixes: list[int], mix: int) -> list[int]:
    """Pieces of one mix and one kind."""
    pieces = [piece for piece, own in enumerate(mixes) if own == mix]
    kind = state.meta.piece_kind[pieces[0]]
    return [piece for piece in pieces if state.meta.piece_kind[piece] == kind]
