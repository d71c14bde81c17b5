"""Measures speed and size, compares each figure with its limit, prints a table and writes a JSON file.

Machines differ and are shared, so absolute speeds mean little. Playouts are measured as a ratio: compiled rules against
a hand-written class of the same game (tools/baselines), both timed alternately within one run, in CPU time; the median
of the repetitions is reported. A figure that could not be measured is reported with the reason and counts as missed.

    .venv/bin/python tools/bench.py                     everything, about two minutes
    .venv/bin/python tools/bench.py --quick             fewer repetitions
    .venv/bin/python tools/bench.py --only clone        one group: playouts, clone, save, commands, maps, growth,
                                                        trials, knowledge, native, studies, search
    .venv/bin/python tools/bench.py --check             exit 1 if a limit is missed
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from interpreter.files.writing import write_whole  # noqa: E402  (the folder of the project must be on the path first)
from tools.baselines import BASELINES  # noqa: E402
from tools.bench_native import contests, left_out, ratio_of  # noqa: E402
from tools.bench_states import ROWS  # noqa: E402
from tools.deck_builder import deck_builder  # noqa: E402
from tools.islands import PLAYS, island_game  # noqa: E402

PLAYOUTS = (
    ("tic_tac_toe", 2), ("connect_four", 2), ("breakthrough", 2), ("pikit", 2), ("pikit", 4), ("kikai", 2),
    ("flatiron", 2), ("kiwi_chow_down", 4),
)  # fmt: skip
TRIALS = (*PLAYOUTS, ("nim", 2), ("kalah", 2), ("kuhn_poker", 2))
CARD_GAME = "pikit"
WORLDS = ("pikit", "flatiron", "bricolage_heads", "kiwi_chow_down", "kikai")
SEARCHES = (("connect_four", 2), ("breakthrough", 2), ("kalah", 2), ("pikit", 2), ("kikai", 2))
SIMULATIONS, NATIVE_SIMULATIONS = 100, 1000
NATIVE_SEARCHES = (
    ("tic_tac_toe", 2), *SEARCHES, ("bricolage_heads", 2), ("flatiron", 2), ("kiwi_chow_down", 2),
)  # fmt: skip
MAP_GAME, MAP_NAME = "kikai", "yukon"
ISLANDS = (20, 40, 80, 160)  # hexes

RATIO_AT_LEAST = 0.8
KNOWLEDGE_AT_LEAST = 0.5
STUDIES_AT_LEAST = 0.9
STUDIED = (("tic_tac_toe", 2), ("connect_four", 2), ("pikit", 2), ("kikai", 2), ("flatiron", 2))
STUDIED_IN_C = (("tic_tac_toe", 2), ("pikit", 2), ("kikai", 2), ("flatiron", 2))
THOUGHTFUL = (("pikit", 2), ("kikai", 2), ("leduc_poker", 2))  # games with secrets
SEARCHED_WHOLE = (("connect_four", 2), *THOUGHTFUL)
CLONE_AT_MOST = 3.0
SEARCH_AT_MOST, NATIVE_SEARCH_AT_MOST = 2.0, 1.5
SAVE_AT_MOST = 20_000
COLD_CPU_AT_MOST = {"pikit": 2.0, "flatiron": 3.0}
WARM_WALL_AT_MOST = 0.4
SCENARIOS_AT_LEAST = 200.0
REACH_AT_MOST = 10.0
DRAWING_AT_MOST = 2.0
GROWTH_AT_MOST = ISLANDS[-1] / ISLANDS[0]  # no faster than the number of hexes
DOUBLING_AT_MOST = 2.0


@dataclass(frozen=True)
class Figure:
    """One line of the table. `limit` is None for what is only reported; `problem` says why there is no value."""

    group: str
    name: str
    value: float | None
    unit: str
    limit: float | None = None
    at_least: bool = False
    detail: str = ""
    problem: str = ""

    @property
    def met(self) -> bool:
        if self.value is None or self.limit is None:
            return self.limit is None
        return self.value >= self.limit if self.at_least else self.value <= self.limit


@dataclass(frozen=True)
class Effort:
    """How long to measure: seconds for one side of one repetition, and the number of repetitions."""

    seconds: float
    repetitions: int


# ---------------------------------------------------------------- timing

TICK = time.get_clock_info("process_time").resolution


def cpu_seconds(work: Callable[[int], Any], first: int, times: int) -> float:
    """CPU time of `work(first)`, `work(first + 1)`, … so many times; at least one tick, so that rates are finite."""
    start = time.process_time()
    for number in range(first, first + times):
        work(number)
    return max(time.process_time() - start, TICK)


def times_that_fill(seconds: float, work: Callable[[int], Any]) -> int:
    """How often to work so that it takes about that long; doubles until the clock can tell."""
    times = 1
    while (spent := cpu_seconds(work, 0, times)) < seconds / 4:
        times *= 2
    return max(1, round(times * seconds / spent))


def rates(works: list[Callable[[int], Any]], effort: Effort) -> list[list[float]]:
    """How often a second each work can be done: one list a work, one entry a repetition, measured in turn."""
    times = [times_that_fill(effort.seconds, work) for work in works]
    measured: list[list[float]] = [[] for _ in works]
    for repetition in range(effort.repetitions):
        for work, count, found in zip(works, times, measured, strict=True):
            found.append(count / cpu_seconds(work, 1 + repetition * count, count))
    return measured


# ---------------------------------------------------------------- the groups


def measure_playouts(effort: Effort) -> Iterator[Figure]:
    for name, players in PLAYOUTS:
        yield figure(
            "playouts",
            f"{name}, {players} players",
            "x",
            playout_ratio,
            name,
            players,
            effort,
            limit=RATIO_AT_LEAST,
            at_least=True,
        )


def playout_ratio(name: str, players: int, effort: Effort) -> tuple[float, str]:
    game = load(name, players)
    baseline = BASELINES[name]
    ours, theirs = rates([game.playout, lambda seed: baseline.playout(seed, players)], effort)
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    return ratio, f"{statistics.median(ours):,.0f} games/s, by hand {statistics.median(theirs):,.0f}"


def measure_studies(effort: Effort) -> Iterator[Figure]:
    for name, players in STUDIED:
        yield figure(
            "studies",
            f"simulate against playouts, {name}, {players} players",
            "x",
            study_ratio,
            name,
            players,
            effort,
            limit=STUDIES_AT_LEAST,
            at_least=True,
        )

    for name, players in STUDIED_IN_C:
        named = f"simulate against playouts, both in C, {name}, {players} players"
        yield figure(
            "studies", named, "x", native_study_ratio, name, players, effort, limit=STUDIES_AT_LEAST, at_least=True
        )

    for name, players in THOUGHTFUL:
        named = f"games of greedy bots, engine against Python, {name}, {players} players"
        yield figure("studies", named, "x", greedy_ratio, name, players, effort)

    for name, players in SEARCHED_WHOLE:
        named = f"games of mcts:50, whole in C against decision by decision, {name}, {players} players"
        yield figure("studies", named, "x", searching_ratio, name, players, effort)


def searching_ratio(name: str, players: int, effort: Effort) -> tuple[float, str]:
    """Games of `mcts:50` in one call, and the same games at a table, where each search is a call and knowledge is kept
    in Python; both on the native engine."""
    from interpreter.study.thinking_games import ThinkingGames
    from interpreter.study.watch import CountingGame, load_counting

    game, bots = load_counting(name, players), ("mcts:50",) * players
    if not isinstance(game, CountingGame):
        raise RuntimeError("the backend is Python's")
    game.require_engine()
    whole, table = ThinkingGames(game, bots), ThinkingGames(game, bots)
    if not whole.makes_library() or whole.choices(0) != (found := table.at_a_table(0)):
        raise RuntimeError("C does not play such games")
    ours, theirs = rates([whole.choices, table.at_a_table], effort)
    each = 1000 / statistics.median(ours) / len(found)
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True)), f"{each:.3f} ms a choice"


def greedy_ratio(name: str, players: int, effort: Effort) -> tuple[float, str]:
    """Games of a study among greedy bots, everything counted: with an engine, and without one. Where C can play such
    games whole, it does."""
    from interpreter.compile.load import load_compiled
    from interpreter.study.simulate import Games
    from interpreter.study.watch import CountingGame, counting_game, load_counting

    quick, bots = load_counting(name, players), ("greedy",) * players
    if not isinstance(quick, CountingGame):
        raise RuntimeError("the backend is Python's")
    quick.require_engine()
    slow = counting_game(load_compiled(name, players, counted="begins"), name)
    ours, theirs = [Games(partial(_same, game), bots, 0, 10**6, sends_rows=False) for game in (quick, slow)]
    ours.open()
    theirs.open()
    ours.makes_library_of_matches()
    played, wanted = rates([lambda n: ours.play(range(n, n + 1)), lambda n: theirs.play(range(n, n + 1))], effort)
    choices = sum(n * times for n, times in ours.play(range(4)).tally.lengths["decisions"].items()) / 4
    each = 1000 / statistics.median(played) / choices
    return statistics.median(a / b for a, b in zip(played, wanted, strict=True)), f"{each:.3f} ms a choice"


def _same(game: Any) -> Any:
    return game


def study_ratio(name: str, players: int, effort: Effort) -> tuple[float, str]:
    """Batches of a long study of random games, everything counted, against bare playouts of the same games."""
    import interpreter
    from interpreter.compile.load import load_compiled
    from interpreter.study.simulate import Games
    from interpreter.study.watch import counting_game

    game, size = interpreter.load(name, players=players, backend="python"), 1024
    counting = counting_game(load_compiled(name, players, counted="begins"), name)
    study = Games(lambda: counting, ("random",) * players, 0, 10**6, sends_rows=False)
    study.open()

    def play_out(number: int) -> None:
        for seed in range(number * size, number * size + size):
            game.playout(seed)  # not kept: thousands of games in memory are slower to play

    ours, theirs = rates([lambda number: study.play(range(number * size, number * size + size)), play_out], effort)
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    return ratio, f"{statistics.median(ours) * size:,.0f} games/s, playouts {statistics.median(theirs) * size:,.0f}"


def native_study_ratio(name: str, players: int, effort: Effort) -> tuple[float, str]:
    """The same where both run in C: whole batches as a study has them, put together as they come."""
    import interpreter
    from interpreter.native.game import NativeGame
    from interpreter.study.batches import batches_of
    from interpreter.study.simulate import Games
    from interpreter.study.tally import Tally
    from interpreter.study.watch import CountingGame, load_counting

    game, counting = interpreter.load(name, players=players, backend="native"), load_counting(name, players)
    if not isinstance(counting, CountingGame) or not isinstance(game, NativeGame):
        raise RuntimeError("the backend is Python's")
    game.require_engine()
    counting.require_engine()
    study = Games(lambda: counting, ("random",) * players, 0, 10**6, sends_rows=False)
    study.open()
    whole, size = Tally(players), batches_of(0, 10**6, thoughtful=False)[0].stop
    ours, theirs = rates(
        [
            lambda number: whole.merge(study.play(range(number * size, number * size + size)).tally),
            lambda number: game.playouts(number * size, size),
        ],
        effort,
    )
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    return ratio, f"{statistics.median(ours) * size:,.0f} games/s, playouts {statistics.median(theirs) * size:,.0f}"


def measure_clone(effort: Effort) -> Iterator[Figure]:
    name = f"{CARD_GAME}, mid-game, against a shallow copy of its containers"
    yield figure("clone", name, "x", clone_ratio, effort, limit=CLONE_AT_MOST)


def clone_ratio(effort: Effort) -> tuple[float, str]:
    state = mid_game(4)
    containers = copied_containers(state, state.clone())
    ours, theirs = rates([lambda _: state.clone(), lambda _: [each.copy() for each in containers]], effort)
    ratio = statistics.median(b / a for a, b in zip(ours, theirs, strict=True))
    return ratio, f"{1e6 / statistics.median(ours):.2f} µs, {len(containers)} containers"


def copied_containers(state: Any, clone: Any) -> list[Any]:
    """The lists, dicts, sets and byte arrays of a state that its clone does not share with it."""
    found: list[Any] = []

    def visit(ours: Any, theirs: Any) -> None:
        if ours is theirs or not isinstance(ours, list | dict | set | bytearray):
            return
        found.append(ours)
        if isinstance(ours, list):
            for a, b in zip(ours, theirs, strict=False):
                visit(a, b)
        elif isinstance(ours, dict):
            for key, value in ours.items():
                visit(value, theirs.get(key))

    for name in attribute_names(state):
        visit(getattr(state, name), getattr(clone, name, None))
    return found


def attribute_names(thing: Any) -> list[str]:
    """Names of what an object itself holds, in slots or in its dictionary."""
    names = list(getattr(thing, "__dict__", ()))
    for owner in type(thing).__mro__:
        slots = owner.__dict__.get("__slots__", ())
        names += [slots] if isinstance(slots, str) else slots
    return [name for name in names if not name.startswith("__") and hasattr(thing, name)]


def measure_save(_: Effort) -> Iterator[Figure]:
    for players in (2, 4):
        name = f"{CARD_GAME}, {players} players, largest of 20 finished games"
        yield figure("save", name, "bytes", largest_save, players, limit=SAVE_AT_MOST)


def largest_save(players: int) -> tuple[float, str]:
    """Finished games have the longest history; mid-game saves have the stack. Both are weighed."""
    finished = [played(players, seed, 10**6) for seed in range(20)]
    sizes = [len(state.to_json().encode()) for state in finished]
    middle = len(mid_game(players).to_json().encode())
    return max(*sizes, middle), f"median {statistics.median(sizes):,.0f}, mid-game {middle:,}"


def measure_commands(effort: Effort) -> Iterator[Figure]:
    for game, limit in COLD_CPU_AT_MOST.items():
        yield figure("commands", f"validate {game}, cold cache", "s CPU", cold_cpu, ["validate", game], limit=limit)
    for arguments in (["list"], ["validate", CARD_GAME], ["--help"]):
        name = f"{' '.join(arguments)}, warm"
        yield figure("commands", name, "s wall", warm_wall, arguments, effort, limit=WARM_WALL_AT_MOST)
    name = f"scenarios of {CARD_GAME}, once compiled"
    yield figure("commands", name, "a second", scenario_rate, limit=SCENARIOS_AT_LEAST, at_least=True)


def scenario_rate() -> tuple[float, str]:
    """How many scenarios run in a second; their games are compiled before."""
    from interpreter.play.scenarios import find_scenarios, run_scenarios

    verdicts = list(run_scenarios(find_scenarios(CARD_GAME)))
    return len(verdicts) / sum(verdict.seconds for verdict in verdicts), f"{len(verdicts)} scenarios"


def cold_cpu(arguments: list[str]) -> tuple[float, str]:
    """Each run has an empty cache of its own. The command is started once before, so that .venv is set up."""
    spent = []
    for _ in range(4):
        with tempfile.TemporaryDirectory() as cache:
            spent.append(run_command(arguments, cache)[0])
    return statistics.median(spent[1:]), ""


def warm_wall(arguments: list[str], effort: Effort) -> tuple[float, str]:
    """The first run fills the cache and is not counted."""
    with tempfile.TemporaryDirectory() as cache:
        run_command(arguments, cache)
        return statistics.median(run_command(arguments, cache)[1] for _ in range(effort.repetitions)), ""


def run_command(arguments: list[str], cache: str) -> tuple[float, float]:
    """CPU and wall seconds of the command as a user starts it, with that folder as its cache."""
    before, start = children_cpu(), time.perf_counter()
    done = subprocess.run(
        [ROOT / "tools" / "rulewright", *arguments],
        env={**os.environ, "RULEWRIGHT_CACHE": cache},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    wall, cpu = time.perf_counter() - start, children_cpu() - before
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no output"]
        raise RuntimeError(f"exit {done.returncode}: {last[0]}")
    return cpu, wall


def children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure_maps(effort: Effort) -> Iterator[Figure]:
    name = f"reach on the map of {MAP_GAME}, all streets taken"
    yield figure("maps", name, "µs", reach_time, 1.0, effort, limit=REACH_AT_MOST)
    name = f"reach on the map of {MAP_GAME}, half of them"
    yield figure("maps", name, "µs", reach_time, 0.5, effort, limit=REACH_AT_MOST)
    yield figure("maps", f"cheapest on the map of {MAP_GAME}", "µs", cheapest_time, effort)
    yield figure("maps", f"draw the map of {MAP_GAME}", "s CPU", drawing_time, effort, limit=DRAWING_AT_MOST)


def streets(share: float) -> tuple[Any, tuple[int, ...], range, list[int]]:
    """The graph, its edges, the kind of nodes at which ways stop, and an owner (0, or -1) for each edge."""
    game = load(MAP_GAME, 2)
    board = next(board for board in game.meta.boards if board.name == MAP_NAME)
    stops = range(board.nodes[0], board.nodes[0] + board.node_kinds.count(board.node_kinds[0]))
    owned = random.Random(5)
    owners = [0 if owned.random() < share else -1 for _ in range(max(board.edges) + 1)]
    return game.machine.maps[f"map_{MAP_NAME}"], board.edges, stops, owners


def reach_time(share: float, effort: Effort) -> tuple[float, str]:
    """The expression that is emitted for `reach from a along s in Street where s.owner == p stopping at Area`."""
    graph, edges, stops, owners = streets(share)
    starts = len(stops)
    work = lambda n: graph.reach_along(n % starts, {s for s in edges if owners[s] == 0}, stops)  # noqa: E731
    (found,) = rates([work], effort)
    return 1e6 / statistics.median(found), f"{len(edges)} streets, {len(graph.nodes)} nodes"


def cheapest_time(effort: Effort) -> tuple[float, str]:
    graph, _, stops, owners = streets(0.7)
    first, count = len(stops), len(graph.nodes) - len(stops)
    work = lambda n: graph.cheapest(  # noqa: E731
        first + n % count, n % first, lambda s: s % 3 if owners[s] == 0 else None, stops
    )
    (found,) = rates([work], effort)
    return 1e6 / statistics.median(found), ""


def drawing_time(effort: Effort) -> tuple[float, str]:
    from interpreter.study.draw_map import draw_map

    game = load(MAP_GAME, 2)
    board = next(board for board in game.meta.boards if board.name == MAP_NAME)
    state = game.new(seed=3)
    (found,) = rates([lambda _: draw_map(game.meta, board, state)], effort)
    return 1 / statistics.median(found), "the drawing itself; the command also loads the game"


def measure_growth(effort: Effort) -> Iterator[Figure]:
    """What a decision costs in CPU time on islands of more and more hexes, four players choosing at random.

    A playout samples its options; `options and apply` is a game through the public interface, which has all of them.
    """
    for way in PLAYS:
        for size in ISLANDS:
            yield figure("growth", f"{way}, {size} hexes", "µs", cost_on_island, way, size, effort)
        name = f"{way}, {ISLANDS[0]} to {ISLANDS[-1]} hexes"
        yield figure("growth", name, "x", growth, way, ISLANDS[0], ISLANDS[-1], effort, limit=GROWTH_AT_MOST)
        name = f"{way}, largest growth at a doubling"
        yield figure("growth", name, "x", largest_doubling, way, effort, limit=DOUBLING_AT_MOST)


def cost_on_island(way: str, size: int, effort: Effort) -> tuple[float, str]:
    found = decision_costs(way, effort)[size]
    return 1e6 * statistics.median(found), f"a decision; {1e6 * min(found):.0f} to {1e6 * max(found):.0f} in the rounds"


def growth(way: str, small: int, large: int, effort: Effort) -> tuple[float, str]:
    """The two are compared within each round, and the median of the rounds counts."""
    costs = decision_costs(way, effort)
    ratio = statistics.median(b / a for a, b in zip(costs[small], costs[large], strict=True))
    return ratio, f"hexes to the power of {math.log(ratio, large / small):.2f}"


def largest_doubling(way: str, effort: Effort) -> tuple[float, str]:
    steps = {size: growth(way, size // 2, size, effort)[0] for size in ISLANDS[1:]}
    return max(steps.values()), ", ".join(f"to {size}: {ratio:.2f}" for size, ratio in steps.items())


@cache
def decision_costs(way: str, effort: Effort) -> dict[int, list[float]]:
    """CPU seconds of a decision, by size one entry a round. A round plays the same seeds on each island in turn."""
    play = PLAYS[way]
    games = {size: island_game(size) for size in ISLANDS}
    count = min(times_that_fill(effort.seconds, partial(play, game)) for game in games.values())
    costs: dict[int, list[float]] = {size: [] for size in games}
    for repetition in range(effort.repetitions):
        seeds = range(1 + repetition * count, 1 + (repetition + 1) * count)
        for size, game in games.items():
            start = time.process_time()
            decisions = sum(play(game, seed) for seed in seeds)
            costs[size].append((time.process_time() - start) / decisions)
    return costs


def measure_trials(effort: Effort) -> Iterator[Figure]:
    for name, players in TRIALS:
        yield figure("trials", f"{name}, {players} players", "a decision", trials, name, players, effort)


def trials(name: str, players: int, effort: Effort) -> tuple[float, str]:
    """How many options have to be tried on a copy, on average, before they can be offered or not."""
    game = load(name, players)
    count = getattr(game, "trials_per_decision", None)
    if count is None:
        raise RuntimeError("the game does not count its trials (no `trials_per_decision`)")
    return float(count(games=3 * effort.repetitions)), ""


def measure_knowledge(effort: Effort) -> Iterator[Figure]:
    name = "options and apply, with it to without"
    yield figure("knowledge", name, "x", knowledge_ratio, effort, limit=KNOWLEDGE_AT_LEAST, at_least=True)
    yield figure(
        "knowledge", "the same, looking after each choice", "x", partial(knowledge_ratio, looking=True), effort
    )
    yield figure("knowledge", "a world", "ms", world_time, effort)
    for name in WORLDS:
        yield figure("knowledge", f"{name}: to prepare worlds", "ms", preparing_time, name, effort)
        yield figure("knowledge", f"{name}: each world", "ms", world_draw_time, name, effort)
    for backend in ("python", "native"):
        yield figure("knowledge", f"hearts: a world of a search, {backend}", "ms", search_world_time, backend, effort)
    yield figure("knowledge", "information after one more decision", "ms", information_time, effort)


def knowledge_ratio(effort: Effort, looking: bool = False) -> tuple[float, str]:
    """The speed of random choices in a deck builder with 270 pieces where it is tracked what players know, as a share
    of the speed where it is not. It is worked out when somebody looks: `looking` does so after each choice, otherwise
    nobody looks."""
    game = deck_builder()
    ways = [partial(chosen_at_random, game, tracked, looking and tracked) for tracked in (True, False)]
    with_it, without = (statistics.median(found) for found in rates(ways, effort))
    return with_it / without, f"{with_it:.1f} and {without:.1f} games a second"


def chosen_at_random(game: Any, tracked: bool, looking: bool, seed: int) -> Any:
    state = game.new(seed) if tracked else game.untracked(seed)
    choose = random.Random(seed)
    while not state.over:
        state.apply(choose.randrange(len(state.opts)))
        if looking:
            assert state.kn is not None  # reading it works it out
    return state


def world_time(effort: Effort) -> tuple[float, str]:
    state = in_the_deck_builder(90)
    times = 4 * effort.repetitions
    return 1000 * cpu_seconds(lambda seed: state.determinize(0, seed), 0, times) / times, "after 90 decisions"


def preparing_time(name: str, effort: Effort) -> tuple[float, str]:
    """What the first world of a player costs more than the next ones."""
    spent, times = 0.0, 0
    for state in in_the_middle(name, effort.repetitions):
        for player in range(state.game.players):
            spent += cpu_seconds(state.worlds, player, 1)
            times += 1
    return 1000 * spent / times, f"{times} times in the middle of games"


def world_draw_time(name: str, effort: Effort) -> tuple[float, str]:
    """Thirty worlds each, for every player."""
    spent, times = 0.0, 0
    for state in in_the_middle(name, effort.repetitions):
        for player in range(state.game.players):
            spent += cpu_seconds(state.worlds(player).draw, 0, 30)
            times += 30
    return 1000 * spent / times, f"{times} times in the middle of games"


def search_world_time(backend: str, effort: Effort) -> tuple[float, str]:
    """A trick-taking game, in which every card that was played tells something: twenty worlds in a row, as a search
    draws them, with what it takes to prepare them."""
    import interpreter

    game, spent, worlds = interpreter.load("hearts", players=4, backend=backend), 0.0, 0
    for seed in range(effort.repetitions):
        state, choose = game.new(seed), random.Random(seed)
        for _ in range(16 + 8 * (seed % 4)):  # after the cards were passed on, and before the last tricks
            state.apply(choose.randrange(len(state.opts)))
        state.view(state.who)
        spent += cpu_seconds(lambda _, state=state: [*map(state.worlds(state.who).series(), range(20))], 0, 1)
        worlds += 20
    return 1000 * spent / worlds, f"{worlds} worlds in the middle of deals"


def in_the_middle(name: str, games: int) -> Iterator[Any]:
    """Random games halfway, caught up with what players know."""
    game = load(name, 2)
    for seed in range(games):
        state, choose = game.new(seed), random.Random(seed)
        for _ in range(len(game.playout(seed).history) // 2):
            if not state.over:
                state.apply(choose.randrange(len(state.opts)))
        assert state.kn is not None  # reading it works it out
        if not state.over:
            yield state


def information_time(effort: Effort) -> tuple[float, str]:
    state = in_the_deck_builder(90)
    state.information(0)
    spent = 0.0
    for _ in range(10):
        state.apply(0)
        spent += cpu_seconds(lambda _: state.information(0), 0, 1)
    return 100 * spent, "after 90 decisions"


def in_the_deck_builder(decisions: int) -> Any:
    state, choose = deck_builder().new(1), random.Random(1)
    for _ in range(decisions):
        state.apply(choose.randrange(len(state.opts)))
    return state


def measure_native(effort: Effort) -> Iterator[Figure]:
    """Native playouts against other programs that play the same game."""
    for contest in contests():
        problem = left_out(contest)
        if problem:
            yield Figure("native", contest.title, None, "x", problem=problem)
            continue
        yield figure(
            "native",
            contest.title,
            "x",
            ratio_of,
            contest,
            effort.seconds / 4,
            effort.repetitions,
            limit=contest.at_least,
            at_least=True,
        )
    for title, measure, games, limit in ROWS:
        for name in games:
            seconds = effort.seconds / 4
            yield figure(
                "native",
                f"{name}, {title}",
                "x",
                measure,
                name,
                seconds,
                effort.repetitions,
                limit=limit,
                at_least=True,
            )


def measure_search(effort: Effort) -> Iterator[Figure]:
    for name, players in SEARCHES:
        named = f"{name}, {players} players: tree search against its random games"
        yield figure("search", named, "x", search_ratio, name, players, effort, limit=SEARCH_AT_MOST)
    for name, players in NATIVE_SEARCHES:
        named = f"{name}, {players} players: native tree search against its random games"
        yield figure("search", named, "x", native_search_ratio, name, players, effort, limit=NATIVE_SEARCH_AT_MOST)


def native_search_ratio(name: str, players: int, effort: Effort) -> tuple[float, str]:
    """The same on the native engine, at the first real choice of the game: tree search against flat search, which has
    the same worlds and plays the same sort of game after one choice."""
    import interpreter
    from interpreter.play.bots.compiled_looks import flat_found

    state = interpreter.load(name, players, backend="native").new(seed=3)
    trees: Any = interpreter.bot(f"mcts:{NATIVE_SIMULATIONS}")

    def search(seed: int) -> None:
        trees.budget.spend(trees.search(state, seed))

    searched, played_out = rates([search, lambda seed: flat_found(state, seed, NATIVE_SIMULATIONS, True)], effort)
    ratio = statistics.median(b / a for a, b in zip(searched, played_out, strict=True))
    each = 1 / statistics.median(searched)
    return ratio, f"{NATIVE_SIMULATIONS / each:,.0f} simulations/s, mcts:{NATIVE_SIMULATIONS} takes {each:.3f} s"


def search_ratio(name: str, players: int, effort: Effort) -> tuple[float, str]:
    """The time of a search in Python, against the same number of its games from the same worlds of its root: what the
    tree costs on top. In the tree options are all listed, in random games one is drawn."""
    import interpreter
    from interpreter.play.bots.imagined import Worlds, chance_of
    from interpreter.play.bots.playing_out import PlayingOut

    state = interpreter.load(name, players, backend="python").new(seed=3)
    for number in range(6):
        state.apply(interpreter.bot("random").choose(state, number))
    bot: Any = interpreter.bot(f"mcts:{SIMULATIONS}")

    def search(seed: int) -> None:
        bot.budget.spend(bot.search(state, seed))

    def play_out(seed: int) -> None:
        worlds, games = Worlds(state, state.who, seed), PlayingOut(state, guided=True)
        for number in range(SIMULATIONS):
            world = worlds.number(number).fork()
            world.g = chance_of(number)
            games.worth(world, number)

    searched, played_out = rates([search, play_out], effort)
    ratio = statistics.median(b / a for a, b in zip(searched, played_out, strict=True))
    return ratio, f"{SIMULATIONS * statistics.median(searched):,.0f} simulations/s"


GROUPS: dict[str, Callable[[Effort], Iterator[Figure]]] = {
    "playouts": measure_playouts,
    "clone": measure_clone,
    "save": measure_save,
    "commands": measure_commands,
    "maps": measure_maps,
    "growth": measure_growth,
    "trials": measure_trials,
    "knowledge": measure_knowledge,
    "native": measure_native,
    "studies": measure_studies,
    "search": measure_search,
}


# ---------------------------------------------------------------- games and states


def load(name: str, players: int) -> Any:
    import interpreter

    # Not `auto`: that would play in C wherever a library happens to lie in the cache.
    return interpreter.load(name, players=players, backend="python")


def played(players: int, seed: int, decisions: int) -> Any:
    """A game of the card game played at random through the public interface, at most that many decisions far."""
    choose = random.Random(seed)
    state = load(CARD_GAME, players).new(seed=seed)
    for _ in range(decisions):
        if state.over:
            break
        state.apply(choose.randrange(len(state.decision.options)))
    return state


def mid_game(players: int) -> Any:
    return played(players, seed=7, decisions=30)


def figure(
    group: str,
    name: str,
    unit: str,
    measure: Callable[..., tuple[float, str]],
    *arguments: Any,
    limit: float | None = None,
    at_least: bool = False,
) -> Figure:
    """Takes a measurement (a value and a remark); one that fails becomes a figure that says why."""
    try:
        value, detail = measure(*arguments)
    except Exception as problem:
        reason = f"{type(problem).__name__}: {problem}"
        return Figure(group, name, None, unit, limit, at_least, problem=reason.splitlines()[0])
    return Figure(group, name, round(value, 4), unit, limit, at_least, detail)


# ---------------------------------------------------------------- output


def table_line(figure: Figure) -> str:
    limit = verdict = ""
    if figure.limit is not None:
        limit = f"{'>=' if figure.at_least else '<='} {figure.limit:,g}"
        verdict = "ok" if figure.met else "MISSED"
    remark = figure.problem or figure.detail
    value = written(figure.value)
    return f"{figure.group:<9} {figure.name:<62} {value:>8} {figure.unit:<10} {limit:<9} {verdict:<7} {remark}".rstrip()


def written(value: float | None) -> str:
    if value is None:
        return "none"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def report(figures: list[Figure]) -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "figures": [{**asdict(figure), "met": figure.met} for figure in figures],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("bench.json"), help="where to write the figures")
    parser.add_argument("--only", action="append", choices=list(GROUPS), help="measure this group (may be repeated)")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter repetitions")
    parser.add_argument("--check", action="store_true", help="exit 1 if a limit is missed")
    options = parser.parse_args()
    effort = Effort(0.1, 3) if options.quick else Effort(0.4, 9)
    figures = []
    for group in options.only or GROUPS:
        for found in GROUPS[group](effort):
            figures.append(found)
            print(table_line(found), flush=True)
    write_whole(options.out, json.dumps(report(figures), indent=2, ensure_ascii=False) + "\n")
    return int(options.check and not all(figure.met for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
