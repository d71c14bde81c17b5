"""The hand-written games are right: published counts, PiKiT's worked examples, and what holds in any random game."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from tools.baselines import BASELINES, Breakthrough, ConnectFour, Kalah, KuhnPoker, Nim, Pikit, TicTacToe
from tools.baselines.baseline import Baseline, count_games, count_sequences
from tools.baselines.nim import NimLastOneWins
from tools.baselines.pikit import COPIES, MECHA

DONE = ("done",)
PASS = ("pass",)
NOTHING = ("nothing",)


# ---------------------------------------------------------------- published counts


def test_tic_tac_toe_has_255168_games() -> None:
    assert count_games(TicTacToe()) == 255_168


@pytest.mark.parametrize(
    ("game", "counts"),
    [
        (ConnectFour, [7, 49, 343, 2401, 16807, 117649]),
        (Breakthrough, [22, 484, 11132]),
        (Kalah, [6, 35, 185, 942, 4690]),
    ],
)
def test_sequences_of_moves(game: type[Baseline], counts: list[int]) -> None:
    assert [count_sequences(game(), depth + 1) for depth in range(len(counts))] == counts


# ---------------------------------------------------------------- all games


@pytest.mark.parametrize("name", BASELINES)
def test_random_games_finish_and_repeat(name: str) -> None:
    for seed in range(20):
        first, second = BASELINES[name].playout(seed), BASELINES[name].playout(seed)
        assert first.over
        assert first.scores() == second.scores()
        assert len(first.scores()) == 2


@pytest.mark.parametrize("name", [name for name, baseline in BASELINES.items() if baseline.can_copy])
def test_a_copy_is_independent(name: str) -> None:
    game = BASELINES[name](2, 1)
    before = repr([value for key, value in vars(game).items() if key != "random"])
    twin = game.copy()
    twin.play(twin.legal_moves()[0])
    assert repr([value for key, value in vars(game).items() if key != "random"]) == before


# ---------------------------------------------------------------- the small ones


def test_kalah_moves_again_captures_and_keeps_every_seed() -> None:
    game = Kalah()
    game.play(2)
    assert game.pits[6] == 1 and game.player == 0
    game.pits = [1, 0, 0, 0, 0, 9, 0, 4, 4, 4, 4, 4, 4, 0]
    game.play(0)
    assert game.pits[6] == 5 and game.pits[1] == 0 and game.pits[11] == 0
    for seed in range(20):
        assert sum(Kalah.playout(seed).scores()) == 48


def test_kalah_skips_the_store_of_the_rival() -> None:
    game = Kalah()
    game.pits = [0, 0, 0, 0, 1, 8, 0, 1, 1, 1, 1, 1, 1, 5]
    game.play(5)
    assert game.pits[13] == 5 and game.pits[6] == 1 + 1 + 2
    assert game.pits[0] == 0 and game.pits[12] == 0


@pytest.mark.parametrize(("game", "winner"), [(Nim, 1), (NimLastOneWins, 0)])
def test_nim_last_one(game: type[Nim], winner: int) -> None:
    nim = game()
    nim.piles = [0, 0, 0, 2]
    nim.play((3, 2))
    assert nim.over and nim.winner == winner


def test_kuhn_poker_is_worth_minus_one_eighteenth() -> None:
    """First player's equilibrium with a bluff of 1/3 against second player's own: the value of the game."""
    value = sum(kuhn_value(KuhnPoker(deal=deal)) for deal in permutations(range(3))) / 6
    assert value == Fraction(-1, 18)


def kuhn_value(game: KuhnPoker) -> Fraction:
    """What the first player wins on average from here, both playing the known equilibrium."""
    if game.over:
        return Fraction(game.scores()[0])
    first_move, *others = game.legal_moves()
    chance = kuhn_chance(game)
    total = Fraction(0)
    for move, weight in ((first_move, chance), (others[0], 1 - chance)):
        if weight:
            after = game.copy()
            after.play(move)
            total += weight * kuhn_value(after)
    return total


def kuhn_chance(game: KuhnPoker) -> Fraction:
    """How often to bet or call, by card: the equilibrium whose first player bets a jack one time in three."""
    third = Fraction(1, 3)
    by_card = {
        (): (third, Fraction(0), Fraction(1)),
        ("check",): (third, Fraction(0), Fraction(1)),
        ("bet",): (Fraction(0), third, Fraction(1)),
        ("check", "bet"): (Fraction(0), 2 * third, Fraction(1)),
    }
    return by_card[tuple(game.moves)][game.cards[game.player]]


# ---------------------------------------------------------------- PiKiT


def pikit(
    *hands: list[int],
    dice: tuple[int, int] = (1, 2),
    market: list[int] | None = None,
    deck: list[int] | None = None,
    rolls: tuple[int, ...] = (),
    thefts: tuple[int, ...] = (),
) -> Pikit:
    """Player 0's turn with these hands and dice; the deck's top card is named first, 1s are left if nothing is said."""
    game = Pikit(len(hands), seed=0)
    game.hands = [list(hand) for hand in hands]
    game.mechas = [face for face in range(1, 7) if not any(MECHA + face in hand for hand in hands)]
    game.market = list(market) if market is not None else [1, 2, 3, 4, 5, 6, 7, 8]
    game.deck = (list(deck) if deck is not None else [1] * 5)[::-1]
    game.dice = list(dice)
    game.rolls = list(rolls)
    game.thefts = list(thefts)
    return game


def play_all(game: Pikit, *moves: tuple[object, ...]) -> None:
    for move in moves:
        assert move in game.legal_moves()
        game.play(move)


def test_starting_hands() -> None:
    """PX-01, PX-02: cards are turned up until they are worth 10."""
    game = Pikit(2, deck=[1, 2, 3, 4, 5, 6, 7, 8, 5, 2, 8, 10, 1, 1, 1])
    assert game.market == [1, 2, 3, 4, 5, 6, 7, 8]
    assert game.hands == [[5, 2, 8], [10]]


def test_two_player_deck() -> None:
    """PX-27."""
    deck = Counter(Pikit(2, 0).shuffled_deck())
    assert deck == {**dict.fromkeys(range(1, 7), 4), 7: 5, 8: 5, 9: 1, 10: 1, 11: 1}
    assert sum(deck.values()) == 37
    assert sum(Counter(Pikit(3, 0).shuffled_deck()).values()) == 53


def test_whole_turn() -> None:
    """PX-03."""
    game = pikit([2, 4], [8], dice=(1, 3), market=[1, 1, 4, 5, 6, 7, 8, 2], rolls=(1, 6))
    play_all(game, ("reroll", 2, (0, 1)), DONE)
    assert sorted(game.legal_moves()) == [("take", cards) for cards in ((1,), (1, 6), (5,), (6,), (7,))]
    game.play(("take", (7,)))
    assert sorted(game.hands[0]) == [4, 7]
    assert game.discard == [2]
    assert len(game.market) == 8 and len(game.deck) == 4
    assert game.player == 1 and game.step == "play"


RICH = [8, 8, 4, 4, 1, 2, 5, 7]


def test_rich_double() -> None:
    """PX-04."""
    game = pikit([1], [1], dice=(4, 4), market=RICH)
    game.play(DONE)
    assert sorted(game.legal_moves()) == [("mecha", 4), ("take", (4,)), ("take", (4, 4)), ("take", (8,))]


def test_all_eights() -> None:
    """PX-05."""
    game = pikit([1], [1], dice=(4, 4), market=RICH, deck=[8, 3, 1])
    play_all(game, DONE, ("take", (8,)))
    assert game.hands[0] == [1, 8, 8]
    assert sorted(game.market) == [1, 2, 3, 4, 4, 5, 7, 8]


def test_taking_a_mecha() -> None:
    """PX-06."""
    game = pikit([1], [1], dice=(4, 4), market=RICH)
    play_all(game, DONE, ("mecha", 4))
    assert game.hands[0] == [1, MECHA + 4]
    assert game.market == RICH and len(game.deck) == 5
    assert 4 not in game.mechas


@pytest.mark.parametrize(
    ("victim", "hit", "thief", "left", "wounds"),
    [
        ([7, MECHA + 2], 7, [1, 7], [MECHA + 2], 0),
        ([7, MECHA + 2], MECHA + 2, [1, MECHA + 2], [7], 0),
        ([3, MECHA + 2], 3, [1], [MECHA + 2], 1),
    ],
)
def test_steal_attempt(victim: list[int], hit: int, thief: list[int], left: list[int], wounds: int) -> None:
    """PX-07, PX-08, PX-09."""
    game = pikit([1], victim, dice=(2, 2), thefts=(hit,))
    play_all(game, DONE, ("attempt", 1))
    assert game.hands == [thief, left]
    assert game.wounds == [wounds, 0]
    assert game.discard == [3] * wounds


def test_own_mecha_adds_no_option() -> None:
    game = pikit([MECHA + 2], [1], dice=(2, 2))
    game.play(DONE)
    assert {move[0] for move in game.legal_moves()} == {"take"}


def test_double_by_effect() -> None:
    """PX-11."""
    game = pikit([7], [1], dice=(3, 5))
    play_all(game, ("turn", 7, 1, 3), DONE)
    assert ("mecha", 3) in game.legal_moves()


def test_double_six() -> None:
    """PX-12."""
    game = pikit([1], [1], dice=(6, 6), market=[1, 2, 3, 4, 5, 7, 8, 8])
    game.play(DONE)
    assert game.legal_moves() == [NOTHING, ("mecha", 6)]


def test_nothing_fits() -> None:
    """PX-13."""
    game = pikit([1], [1], dice=(5, 6), market=[2, 2, 3, 3, 4, 4, 7, 8])
    game.play(DONE)
    assert game.legal_moves() == [NOTHING]
    game.play(NOTHING)
    assert len(game.deck) == 5


def test_difference_equals_a_face() -> None:
    """PX-14."""
    game = pikit([1], [1], dice=(2, 4), market=[2, 4, 6, 1, 1, 1, 1, 1])
    game.play(DONE)
    assert sorted(game.legal_moves()) == [("take", cards) for cards in ((2,), (2, 4), (4,), (6,))]


def test_cancel() -> None:
    """PX-15."""
    game = pikit([4], [6, 8])
    play_all(game, ("steal", 4, 1), ("cancel", 6))
    assert game.hands == [[], [8]]
    assert game.discard == [4, 6]
    assert game.player == 0 and game.step == "play"


def test_cancel_of_a_cancel() -> None:
    """PX-16."""
    game = pikit([4, 6], [6, 8])
    play_all(game, ("steal", 4, 1), ("cancel", 6), ("cancel", 6))
    assert game.hands == [[8], []]
    assert game.discard == [4, 6, 6]


def test_third_party_with_a_copy() -> None:
    """PX-17."""
    game = pikit([5], [6], [10])
    game.play(("draw", 5))
    assert game.player == 1
    play_all(game, PASS)
    assert game.player == 2
    play_all(game, ("cancel", 10))
    assert game.player == 1
    play_all(game, PASS)
    assert game.hands == [[], [6], []]
    assert game.discard == [5, 10] and len(game.deck) == 5


def test_victim_runs_dry() -> None:
    """PX-18."""
    game = pikit([4, 6], [6])
    play_all(game, ("steal", 4, 1), ("cancel", 6), ("cancel", 6))
    assert game.hands == [[], []]
    assert game.player == 0 and game.step == "play"


def test_limits_of_playing() -> None:
    """PX-20."""
    assert pikit([1, 3, 5, 6, 8], [1], deck=[]).legal_moves() == [DONE]


def test_end_by_refill() -> None:
    """PX-21."""
    game = pikit([1], [1], [1], deck=[1], market=[1, 2, 8, 8, 8, 8, 8, 8])
    game.active = game.player = 1
    game.rolls = [6, 6] * 3
    play_all(game, DONE, ("take", (1, 2)))
    assert len(game.market) == 7 and not game.over
    order = []
    while not game.over:
        order.append(game.active)
        play_all(game, DONE, NOTHING)
    assert order == [2, 0, 1]


def test_end_by_draw() -> None:
    """PX-22."""
    game = pikit([5], [1], deck=[3], market=[8] * 8, rolls=(6, 6, 6, 6))
    play_all(game, ("draw", 5), DONE, NOTHING)
    order = []
    while not game.over:
        order.append(game.active)
        play_all(game, DONE, NOTHING)
    assert order == [1, 0]


def test_score() -> None:
    """PX-23."""
    game = pikit([1, 1, 1, 2, 5, 6, 7, 8, 8, MECHA + 1], [1])
    game.wounds = [1, 0]
    assert game.scores() == [66, 1]


def test_tied_ones() -> None:
    """PX-24."""
    assert pikit([1, 1], [1, 1], [1]).scores() == [17, 17, 1]


def test_nobody_has_ones() -> None:
    assert pikit([2], [4]).scores() == [2, 4]


def test_tie_break() -> None:
    """PX-26."""
    assert pikit([2, 2, 2, 4], [2, 4, 4]).winners() == [1]
    assert pikit([2, 8], [4, 6]).winners() == [0, 1]


def test_stolen_mecha_by_effect() -> None:
    """PX-28."""
    game = pikit([4], [MECHA + 5])
    play_all(game, ("steal", 4, 1))
    assert game.hands == [[MECHA + 5], []]


def test_aims_of_a_copy_card() -> None:
    """PX-30."""
    moves = pikit([9], [1]).legal_moves()
    assert Counter(move[0] for move in moves) == {"done": 1, "reroll": 3, "steal": 1, "draw": 1, "turn": 10}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_cards_are_conserved(players: int) -> None:
    for seed in range(20):
        game = Pikit(players, seed)
        while not game.over:
            game.play(game.random.choice(game.legal_moves()))
            cards = Counter(card for hand in game.hands for card in hand)
            cards.update(game.deck + game.discard + game.market + [MECHA + face for face in game.mechas])
            expected = {value: copies - 2 * (players == 2 and value <= 8) for value, copies in COPIES.items()}
            assert cards == {**expected, **{MECHA + face: 1 for face in range(1, 7)}}
        assert game.winners() and (game.winner is None) == (len(game.winners()) > 1)
