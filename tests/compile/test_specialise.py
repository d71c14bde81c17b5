"""Code made for one way of running does what the source says."""

from __future__ import annotations

import ast
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.compile.addresses import share_sums
from interpreter.compile.load import WAYS
from interpreter.compile.specialise import specialise, specialised
from interpreter.runtime.game import Game
from tests.every_ruleset import loaded
from tests.toy_games import TOYS, toy_game

# ---------------------------------------------------------------------------- whole games


def same_games(game: Game, seeds: range) -> None:
    plain = Game(game.compiled.as_written())
    for seed in seeds:
        quick, slow = game.playout(seed), plain.playout(seed)
        assert (quick.h, quick.f, quick.p) == (slow.h, slow.f, slow.p)
        ours, theirs = game.new(seed), plain.new(seed)
        choice = random.Random(seed)
        for _ in range(60):
            if ours.over:
                break
            assert ours.opts == theirs.opts and ours.k == theirs.k
            pick = choice.randrange(len(ours.opts))
            for state in (ours, theirs):
                state.apply(state.decision.options[pick])
        assert ours.to_json() == theirs.to_json()


def test_games_run_as_their_source_is_written(game: tuple[str, int]) -> None:
    same_games(loaded(*game), range(2))


@pytest.mark.parametrize("name", sorted(TOYS))
def test_toys_run_as_their_source_is_written(name: str) -> None:
    same_games(toy_game(name), range(6))


# ---------------------------------------------------------------------------- what is settled


def for_one_way(source: str, way: str = "fast", **tables: Any) -> str:
    """A module as it is compiled for one way of running."""
    some_game = toy_game(min(TOYS)).compiled
    module = specialised(replace(some_game, source=f"{source}\nCODE = []\n", tables=tables), WAYS[way])
    return ast.unparse(module).removesuffix("CODE = []").strip()


@pytest.mark.parametrize(
    ("way", "source", "wanted"),
    [
        ("fast", "if TRACK: moved(S)", "pass"),
        ("play", "if TRACK: moved(S)", "moved(S)"),
        ("fast", "if u and not TRIAL: o = tried(u)", "if u:\n    o = tried(u)"),
        ("trial", "if u and not TRIAL: o = tried(u)", "if u and False:\n    o = tried(u)"),
        ("fast", "r = TRIAL or can(S)", "r = can(S)"),
        ("trial", "r = TRIAL or can(S)", "r = True"),
        ("fast", "r = u and not TRIAL", "r = u and True"),  # not the same as u
        ("trial", "o = [x for x in p if TRIAL or free(x) if fits(x)]", "o = [x for x in p if fits(x)]"),
        ("fast", "n = cost[1] + cost[x] + cost[7]", "n = 5 + cost[x] + cost[7]"),
        ("fast", "n = 1 if TRACK else 2", "n = 2"),
    ],
)
def test_what_is_settled_is_worked_out(way: str, source: str, wanted: str) -> None:
    assert for_one_way(source, way, cost=(3, 5)) == wanted


def test_the_first_condition_of_a_guard_is_asked_where_it_is_called() -> None:
    guard = (
        "def can(S, p):\n    f = S.f\n    if f[p] >= 1:\n        if f[9]:\n            return True\n    return False"
    )
    asks = "def asks(S, F):\n    q = F[1]\n    if can(S, q) is not False:\n        return 1\n    return 0"
    assert "if S.f[q] >= 1 and can(S, q) is not False:" in for_one_way(f"{guard}\n{asks}")
    unsure = guard.replace("    return False", "    return None")
    assert "if can(S, q) is not False:" in for_one_way(f"{unsure}\n{asks}")


def test_what_is_nested_too_deeply_runs_as_it_is_written() -> None:
    source = f"def deep(f):\n    return {' + '.join(f'f[{n}]' for n in range(900))}\nCODE = []\n"
    compiled = replace(toy_game(min(TOYS)).compiled, source=source)
    with pytest.raises(RecursionError):
        specialised(compiled, WAYS["fast"])
    names: dict[str, Any] = {}
    exec(specialise(compiled, WAYS["fast"]), names)
    assert names["deep"](range(900)) == sum(range(900))


# ---------------------------------------------------------------------------- sums

NAMES = ("a", "b", "c")


@st.composite
def sums(draw: st.DrawFn, names: tuple[str, ...]) -> str:
    parts = [str(draw(st.integers(0, 3)))]
    for name in draw(st.lists(st.sampled_from(names), max_size=3)):
        parts.append(draw(st.sampled_from((name, f"2 * {name}", f"3 * {name}"))))
    return " + ".join(draw(st.permutations(parts)))


@st.composite
def blocks(draw: st.DrawFn, names: tuple[str, ...], depth: int) -> list[str]:
    made: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        read = f"f[({draw(sums(names))}) % 50]"
        kind = draw(st.sampled_from(("note", "let", "again", "if", "for", "comprehension") if depth else ("note",)))
        if kind == "note":
            made.append(f"out.append({read})")
        elif kind == "let":
            name = f"n{depth}{len(made)}"
            made.append(f"{name} = {draw(sums(names))}")
            names = (*names, name)
        elif kind == "again":
            made.append(f"{draw(st.sampled_from(names))} = {draw(sums(names))}")
        elif kind == "comprehension":
            made.append(f"out += [f[({draw(sums((*names, 'y')))}) % 50] for y in range(3) if {read} != f[2 * y]]")
        else:
            head = f"if {read} % 2:" if kind == "if" else f"for x{depth} in range(3):"
            inner = names if kind == "if" else (*names, f"x{depth}")
            made += [head, *(f"    {line}" for line in draw(blocks(inner, depth - 1)))]
    return made


@given(body=blocks(NAMES, 2), values=st.tuples(*[st.integers(0, 9)] * 3))
@settings(max_examples=300, deadline=None)
def test_shared_sums_are_the_same_sums(body: list[str], values: tuple[int, int, int]) -> None:
    lines = "\n".join(f"    {line}" for line in body)
    source = f"def run(S, a, b, c):\n    out = []\n    f = S\n{lines}\n    return out\n"
    module = ast.parse(source)
    function = module.body[0]
    assert isinstance(function, ast.FunctionDef)
    share_sums(function)
    results = []
    for code in (compile(source, "plain", "exec"), compile(ast.fix_missing_locations(module), "shared", "exec")):
        names: dict[str, Any] = {}
        exec(code, names)
        results.append(names["run"]([(7 * n * n) % 31 for n in range(50)], *values))
    assert results[0] == results[1]


def shared(body: str) -> str:
    module = ast.parse(f"def run(S, p, a):\n    f = S.f\n{body}")
    function = module.body[0]
    assert isinstance(function, ast.FunctionDef)
    share_sums(function)
    return "\n".join(line.strip() for line in ast.unparse(ast.fix_missing_locations(module)).splitlines()[2:])


def test_a_sum_moves_out_of_loops_and_into_the_only_branch_that_needs_it() -> None:
    loop = shared("    for part in (0, 1, 2):\n        if f[12 + 18 * p + 3 * a + part] == -1: return part")
    assert loop.startswith("_1 = 3 * a + 18 * p + 12\nfor part in (0, 1, 2):\nif f[_1 + part] == -1:")
    reads = ", ".join(f"f[{n} + 2 * a]" for n in range(4, 9))
    branch = shared(f"    if f[p]:\n        return {reads}")
    assert branch.startswith("if f[p]:\n_1 = 2 * a\nreturn (f[_1 + 4], f[_1 + 5]")


def test_a_name_that_changes_is_not_added_up_beforehand() -> None:
    text = shared("    for n in (1, 2):\n        a = a + n\n        f[4 + 18 * a] = f[5 + 18 * a] + f[6 + 18 * a]")
    assert "_1" not in text
