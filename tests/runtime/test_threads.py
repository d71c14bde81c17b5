"""One `Game` in many threads: each of its games goes as it would go alone.

Everything of a running game lives in its `State`. Here the same games are played alone and in eight threads, on a
`Game` that nobody has used yet, so that what it works out when first asked for is worked out by several at once.
Histories, options and the reasons for what is not offered must agree.

How often threads take turns by themselves depends on how busy the machine is. So the toy game is played by threads
that take turns by the clock of their own instructions, in an order that is the same in every run (`Turns`); shipped
games are left to the scheduler, asked to switch as often as it can.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import Any

import pytest

import interpreter as rw
from interpreter.compile.load import compile_program
from interpreter.runtime.decision import Option
from interpreter.runtime.game import Game
from interpreter.runtime.moment import moment_of
from tests.every_ruleset import every_game, game_id, loaded
from tests.toy_games import checked

THREADS = 8
DECISIONS = 15  # of a game; its playout goes to the end

# Only a trial can tell what may be laid (the requirement stands behind a move), and it depends on who looks ahead: a
# card that leaves the looker's own hand is seen, and the trial goes on to the requirement; a card that leaves somebody
# else's hand would end it as a success. Every game begins with a shuffle, and asks about free actions at each turn.
CARDS = """
kind Card
  copies 1 for each rank: 1..24
table
  deck: pile of Card hidden
  laid: pile of Card open
  round: 0..9
each player
  hand: hand of Card secret
  coins: 0..9 = 3
  total: 0..400
  left: 0..400 secret
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 6 from deck to p.hand
play
  in turn p from seat1 until round >= 5
    round += 1
    turn(p)
phase turn(p)
  choose one "What now?"
    "Lay {c}" for c in p.hand
      lay(p, c)
    "Pass"
action lay(p, c: Card)
  move c to laid
  p.total = sum(x.rank for x in laid)
  requires (p.total mod 3) > 0 "the cards laid must not add up to a multiple of three"
  choose d in p.hand "Lay which card as well?"
  move d to laid
  p.total = sum(x.rank for x in laid)
  requires (p.total mod 2) > 0 "the cards laid must add up to an odd number"
free action sell(p) "Sell" during turn
  choose c in p.hand "Sell which card?"
  requires p.coins < 9
  move c to box
  p.left = sum(x.rank for x in p.hand)
  requires (p.left mod 4) > 0 "what is left must not be worth a multiple of four"
  gain 1 coins
free action buy(p) "Buy" during turn
  requires deck is not empty
  pay 1 coins
  draw 1 from deck to p.hand
score p
  "Coins" p.coins
"""


# ---------------------------------------------------------------------------- threads that take turns


class Turns:
    """Runs several pieces of work in threads of which one runs at a time. After some instructions of the runtime or of
    emitted code, now few, now many, a thread hands over to the next: always after the same ones."""

    def __init__(self, works: list[Callable[[], Any]]) -> None:
        self.works = works
        self.gates = [threading.Semaphore(0) for _ in works]
        self.waiting = list(range(len(works)))  # those that are not done, in the order of their turns
        self.results: dict[int, Any] = {}
        self.number = 1  # of a generator that says how long a turn is

    def run(self) -> list[Any]:
        threads = [threading.Thread(target=self._work, args=(number,)) for number in range(len(self.works))]
        for thread in threads:
            thread.start()
        self.gates[0].release()
        for thread in threads:
            thread.join()
        return [self.results.get(number) for number in range(len(self.works))]

    def _work(self, me: int) -> None:
        self.gates[me].acquire()
        try:
            sys.settrace(self._tracer(me))
            self.results[me] = self.works[me]()
        finally:
            sys.settrace(None)
            after = self._next(me)
            self.waiting.remove(me)
            if after != me:
                self.gates[after].release()

    def _tracer(self, me: int) -> Callable[[FrameType, str, Any], Any]:
        left = self._turn()

        def trace(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal left
            if event == "call":
                if not is_of_a_game(frame.f_code.co_filename):
                    return None
                frame.f_trace_opcodes, frame.f_trace_lines = True, False
            elif event == "opcode":
                left -= 1
                if left == 0:
                    self._hand_over(me)
                    left = self._turn()
            return trace

        return trace

    def _turn(self) -> int:
        self.number = self.number * 75 % 65537
        return 1 + self.number % 800

    def _next(self, me: int) -> int:
        return self.waiting[(self.waiting.index(me) + 1) % len(self.waiting)]

    def _hand_over(self, me: int) -> None:
        after = self._next(me)
        if after != me:
            self.gates[after].release()
            self.gates[me].acquire()


def is_of_a_game(file: str) -> bool:
    return file.startswith("<rules of") or "runtime" in file


def in_turns(game: Game) -> list[list[Any]]:
    return Turns([lambda seed=seed: transcript(game, seed) for seed in range(THREADS)]).run()  # type: ignore[misc]


def in_any_order(game: Game) -> list[list[Any]]:
    start = threading.Barrier(THREADS)

    def play(seed: int) -> list[Any]:
        start.wait()
        return transcript(game, seed)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(play, range(THREADS)))


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads take turns as often as Python lets them."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


# ---------------------------------------------------------------------------- the games


def transcript(game: Game, seed: int) -> list[Any]:
    """A game of choices that depend on the seed alone: what was offered, and why the rest was not."""
    told: list[Any] = [game.playout(seed).history]  # first, so that all threads begin with the same shuffle
    state = game.new(seed)
    number = seed
    while (decision := state.decision) is not None and len(told) <= DECISIONS:
        options = list(decision.options)
        told.append((decision.player, [int(option) for option in options], refusals(state)))
        number = (number * 6364136223846793005 + 1442695040888963407) % 2**64
        state.apply(options[(number >> 33) % len(options)])
    return [*told, state.history, state.scores]


def refusals(state: rw.State) -> list[str | None]:
    """For some of the options that are not offered: why."""
    decision = state.decision
    assert decision is not None
    missing = [raw for raw in state.unfiltered() if raw not in state.opts]
    answers = [decision.why_not(str(Option(moment_of(state), decision.site, 0, raw))) for raw in missing[:3]]
    return [answer and answer.reason for answer in answers]


def agrees(alone: Game, together: list[list[Any]]) -> None:
    for seed, told in enumerate(together):
        for number, (here, there) in enumerate(zip(transcript(alone, seed), told or [None], strict=False)):
            assert there == here, f"seed {seed} goes otherwise among threads, at decision {number}"


def test_looking_ahead_in_one_thread_does_not_touch_another() -> None:
    compiled = compile_program(checked(CARDS, players=3))
    reasons = str(transcript(Game(compiled), 1))
    assert "multiple of three" in reasons and "odd number" in reasons
    agrees(Game(compiled), in_turns(Game(compiled)))


def fullest_games() -> list[tuple[str, int]]:
    """Each ruleset without variants, with as many players as it takes."""
    return list({name: (name, players) for name, players in every_game(pairs=False) if "+" not in name}.values())


@pytest.mark.parametrize("game", fullest_games(), ids=game_id)
def test_shipped_games_agree(game: tuple[str, int], restless: None) -> None:
    compiled = loaded(*game).compiled
    agrees(Game(compiled), in_any_order(Game(compiled)))
