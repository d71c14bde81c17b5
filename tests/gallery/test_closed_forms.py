"""Games whose chances can be worked out: every number here comes from a formula, a publication, or a direct program
in exact
fractions, and is met by what the rules do when every throw and every choice is tried."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

import interpreter as rw


def table(state: rw.State) -> dict[str, Any]:
    return state.view(None)["fields"]["table"]


def of_players(state: rw.State, field: str) -> list[Any]:
    return [fields[field] for fields in state.view(None)["fields"]["players"]]


# ---------------------------------------------------------------------------- rock, paper, scissors


def test_rock_paper_scissors_ends() -> None:
    """3^5 times the central trinomial coefficient of five are shared; the rest falls evenly."""
    game = rw.load("rock_paper_scissors", 2, backend="python")
    plays: Counter[tuple[int, int]] = Counter({(0, 0): 1})
    starts = {(0, 0): game.new(seed=1)}
    shared = Counter[str]()
    for number in range(5):
        following: Counter[tuple[int, int]] = Counter()
        next_starts: dict[tuple[int, int], rw.State] = {}
        for points, ways in plays.items():
            for first, second in product(range(3), repeat=2):
                state = starts[points].clone().apply(first).apply(second)
                one, other = of_players(state, "points")
                following[one, other] += ways
                next_starts[one, other] = state
                if number == 4:
                    assert state.over
                    shared["shared" if len(state.winners) == 2 else str(state.winners[0])] += ways
        plays, starts = following, next_starts
    assert shared == {"0": 23328, "1": 23328, "shared": 3**5 * 51}


# ---------------------------------------------------------------------------- pig


def turn_of_pig(goal: int, are_totals_merged: bool) -> dict[int, Fraction]:
    """What a turn brings to somebody who holds at that many points, by trying every face after every sequence of
    throws, or after one sequence for each total."""
    game = rw.load("pig", 2, backend="python")
    found: dict[int, Fraction] = defaultdict(Fraction)
    left: dict[Any, tuple[list[int], Fraction]] = {0: ([], Fraction(1))}  # in the order of their totals
    while left:
        throws, chance = left.pop(min(left, key=lambda key: sum(left[key][0])))
        for face in range(1, 7):
            faces = [*throws, face]
            # Whatever the second player throws first, a 6, asks for a decision of that player.
            state = game.new(auto=False, script=[("roll", "die", [n]) for n in [*faces, 6]])
            for _ in throws:
                state.apply(state.decision.find("Roll"))
            gathered = table(state)["gathered"]
            if state.decision.player == 1:
                assert face == 1 and of_players(state, "points")[0] == 0
                found[0] += chance / 6
            elif gathered >= goal:
                state.apply(state.decision.find("Hold"))
                found[of_players(state, "points")[0]] += chance / 6
            else:
                assert gathered == sum(faces)
                key = gathered if are_totals_merged else tuple(faces)
                _, before = left.get(key, (faces, Fraction(0)))
                left[key] = faces, before + chance / 6
    return found


def test_a_turn_of_pig_as_published() -> None:
    """Neller and Presser, Optimal play of the dice game pig, 2004: holding at 20 brings nothing with 0.6245, 20 with
    0.0997 …
    Every sequence up to 8 points is tried, which shows that only the total counts; from there on one for each."""
    assert turn_of_pig(8, False) == turn_of_pig(8, True)
    rounded = {points: round(float(chance), 4) for points, chance in turn_of_pig(20, True).items()}
    assert rounded == {0: 0.6245, 20: 0.0997, 21: 0.0950, 22: 0.0742, 23: 0.0542, 24: 0.0352, 25: 0.0172}


# ---------------------------------------------------------------------------- sea wall

Wall = tuple[int, ...]


@cache
def wall_holds(wall: Wall, storms: int) -> Fraction:
    """The chance that the wall stands with best play, by a direct program."""
    if storms == 0:
        return Fraction(1)
    raised = [(*wall[:n], min(5, height + 2), *wall[n + 1 :]) for n, height in enumerate(wall) if height < 5]
    shifted = [moved(wall, a, b) for a in range(5) for b in (a - 1, a + 1) if 0 <= b < 5 and wall[a] > wall[b]]
    return max((after_storm(one, storms) for one in raised + shifted), default=after_storm(wall, storms))


def moved(wall: Wall, a: int, b: int) -> Wall:
    heights = list(wall)
    heights[a] -= 1
    heights[b] += 1
    return tuple(heights)


def after_storm(wall: Wall, storms: int) -> Fraction:
    lowest = min(wall)
    struck = [(*wall[:n], height - 2, *wall[n + 1 :]) for n, height in enumerate(wall)]
    struck.append(tuple(height - (height == lowest) for height in wall))
    return sum((wall_holds(one, storms - 1) for one in struck if min(one) > 0), Fraction(0)) / 6


def test_the_sea_wall_with_best_play() -> None:
    """Each position that the rules come to within two storms has the offers and the followers that the direct program
    says, so both
    have one value; and that value of the whole game is the one in the README."""
    game = rw.load("sea_wall", 2, backend="python")
    met = 0
    for throws in product(range(1, 7), repeat=2):
        state = game.new(auto=False, script=[("roll", "die", [face]) for face in throws])
        left = [(state, (3,) * 5, 6)]
        while left:
            here, wall, storms = left.pop()
            if here.over or 6 - storms == 2:
                continue
            options, expected = range(len(here.decision.options)), followers(wall, throws[6 - storms])
            assert len(options) == len(expected)
            for index, (_, after) in zip(options, expected, strict=True):
                reached = here.clone().apply(index)
                met += 1
                assert reached.over == (min(after) <= 0)
                if not reached.over:
                    heights = [fields["height"] for fields in nodes_of(reached)]
                    assert tuple(heights) == after
                    left.append((reached, after, storms - 1))
    assert met > 1000
    assert round(float(wall_holds((3,) * 5, 6)), 4) == 0.5158


def nodes_of(state: rw.State) -> list[dict[str, Any]]:
    return list(state.view(None)["fields"]["nodes"].values())


def followers(wall: Wall, face: int) -> list[tuple[Wall, Wall]]:
    """What can be done, in the order of the rules, and the wall after that storm."""
    raised = [(*wall[:n], min(5, height + 2), *wall[n + 1 :]) for n, height in enumerate(wall) if height < 5]
    pairs = [(a, b) for a in range(5) for b in (a + 1, a - 1) if 0 <= b < 5 and wall[a] > wall[b]]
    done = raised + [moved(wall, a, b) for a, b in pairs] or [wall]
    found = []
    for one in done:
        lowest = min(one)
        hit = [height - (height == lowest) for height in one] if face == 6 else list(one)
        if face < 6:
            hit[face - 1] -= 2
        found.append((one, tuple(hit)))
    return found


# ---------------------------------------------------------------------------- Leduc poker, liar's dice


def test_leduc_poker_has_the_published_size() -> None:
    """936 information sets and 5,520 ends, as the literature and OpenSpiel give them for six different cards."""
    game = rw.load("leduc_poker", 2, backend="python")
    cards = [f"card_{rank}_{suit}" for rank in ("jack", "queen", "king") for suit in ("spades", "hearts")]
    known: set[tuple[int, str]] = set()
    ends: set[tuple[Any, ...]] = set()
    for deal in permutations(cards, 3):
        script = [("shuffle", "deck", [*deal, *(card for card in cards if card not in deal)])]
        left = [game.new(auto=False, script=script)]
        while left:
            state = left.pop()
            if state.over:
                seen = deal if state.view(None)["places"]["table"]["board"] else deal[:2]
                ends.add((*seen, *state.history))
                continue
            player = state.decision.player
            known.add((player, state.information(player)))
            left += [state.clone().apply(index) for index in range(len(state.decision.options))]
    assert (len(known), len(ends)) == (936, 5520)


def test_a_duel_of_liars_has_the_published_size() -> None:
    """Twelve bids that only rise: 2^12 ways to have bid, one of them before any bid; each is an end if it is called.
    With six faces
    that makes 24,576 things to know. One deal is walked, and its sequences are those of every deal."""
    game = rw.load("liars_dice+duel", 2, backend="python")
    left = [game.new(auto=False, script=[("roll", None, [3, 1, 1, 1, 1]), ("roll", None, [5, 1, 1, 1, 1])])]
    decisions = ends = 0
    while left:
        state = left.pop()
        if state.over:
            ends += 1
            continue
        decisions += 1
        left += [state.clone().apply(index) for index in range(len(state.decision.options))]
    assert (decisions, ends) == (2**12, 2**12 - 1)
    assert 6 * decisions == 24_576


# ---------------------------------------------------------------------------- estate sale


def test_bidding_the_worth_is_never_worse() -> None:
    """Vickrey, 1961. For two players: every worth of the first, every bid of both."""
    game = rw.load("estate_sale", 2, backend="python")
    profits: dict[tuple[int, int, int], int] = {}
    for worth in range(1, 11):
        script = [("draw", None, [f"worth_seat1_{worth}"]), ("draw", None, ["worth_seat2_1"])]
        start = game.new(auto=False, script=script)
        for bid, other in product(range(11), repeat=2):
            state = start.clone().apply(bid).apply(other)
            profits[worth, bid, other] = of_players(state, "profit")[0]
    for (worth, _, other), profit in profits.items():
        assert profits[worth, worth, other] >= profit
        assert profits[worth, worth, other] == max(0, worth - other)


def test_rising_bids_end_at_the_second_worth() -> None:
    """Three who each bid one more as long as the lot is worth it: who values it most buys, for the second worth or one
    more."""
    game = rw.load("estate_sale+rising", 3, backend="python")
    for worths in product((1, 4, 5, 10), repeat=3):
        script = [("draw", None, [f"worth_seat{n}_{worth}"]) for n, worth in enumerate(worths, 1)]
        state = game.new(auto=False, script=script)
        while table(state)["lot"] == 1:
            price, player = table(state)["price"], state.decision.player
            state.apply(state.decision.find(f"Bid {price + 1}" if price < worths[player] else "Out"))
        profits = of_players(state, "profit")
        second, best = sorted(worths)[1:]
        buyer = worths.index(best) if profits == [0] * 3 else next(n for n in range(3) if profits[n])
        assert worths[buyer] == best and best - profits[buyer] in (second, second + 1), (worths, profits)
