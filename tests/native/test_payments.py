"""Payments in C against payments in Python: random costs over random holdings, every way of paying them."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from interpreter.runtime import payments
from interpreter.runtime.faults import Refused, Trouble

HEADERS = Path(__file__).parents[2] / "interpreter" / "native" / "c"
ROWS = (0, 0, 0, 1, 2, 2, 3, 3, 3, 3, 4, 5, 5, 5, 6, 7, 7, 8, 8, 8, 8, 8, 9, 9, -1)
COLOUR = (0, 0, 0, 1, 2, 2, 1, 1, 1, 1, 0, 3, 3, 3, 2, 4, 4, 0, 0, 0, 0, 0, 1, 1)
FIELDS, PIECES, FIRST_COUNTER = 16, 24, 100
NONE = 1  # the colour that is taken for none in half of the sources
PATTERNS = (None, "all_equal", "all_different", "among")
PYTHON = payments.bind(ROWS, {})
PATIENT = SimpleNamespace(steps=0, limit=1 << 60)  # a state whose steps nobody limits
CASES = 400


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler")
    made = tmp_path_factory.mktemp("payments") / "payments.so"
    source = Path(__file__).with_name("payments.c")
    command = [compiler, "-std=c11", "-O1", "-shared", "-fPIC", f"-I{HEADERS}", str(source), "-o", str(made)]
    subprocess.run(command, check=True, capture_output=True)
    return ctypes.CDLL(str(made))


class Payment:
    """One payment, told to Python as tuples and to C as numbers."""

    def __init__(self, rng: random.Random) -> None:
        self.fields = [rng.choice((0, 0, 1, 1, 2, 3, 5)) for _ in range(FIELDS)]
        self.places: list[list[int]] = [[], [], [], []]  # a piece lies in one place, but several costs may draw on it
        for piece in rng.sample(range(PIECES), rng.randrange(PIECES)):
            rng.choice(self.places).append(piece)
        made = [self._cost(rng) for _ in range(rng.choice((1, 1, 1, 2, 2, 3)))]
        self.costs = tuple(cost for cost, _ in made)
        self.told = [len(made), *(number for _, numbers in made for number in numbers)]

    def _cost(self, rng: random.Random) -> tuple[Any, list[int]]:
        amount, pattern, values = rng.randrange(5), rng.randrange(4), rng.randrange(1, 6)
        among = sorted(rng.sample(range(5), rng.randrange(4))) if PATTERNS[pattern] == "among" else []
        sources = [self._source(rng, number) for number in range(rng.randrange(1, 4))]
        kinds = tuple(kind for found, _ in sources for kind in found)
        numbers = [amount, pattern, values, len(among), *among, len(sources)]
        numbers += [number for _, told in sources for number in told]
        return (amount, PATTERNS[pattern], among, kinds, values), numbers

    def _source(self, rng: random.Random, source: int) -> tuple[Any, list[int]]:
        wild = rng.random() < 0.25
        if rng.random() < 0.4:
            offset, low, high, capped = (
                rng.randrange(4) * 4,
                rng.choice((0, 0, 1)),
                rng.randrange(2, 6),
                rng.randrange(2),
            )
            key = FIRST_COUNTER + offset // 4
            counter = (1, low, high, bool(capped), "coins")
            found = payments.counter_source(self.fields, key, offset, wild, source, counter)
            return found, [0, key, offset, int(wild), source, 1, low, high, capped]
        pieces = self.places[source]
        by = COLOUR if rng.random() < 0.7 else None
        none = NONE if by is not None and rng.random() < 0.5 else None
        found = PYTHON["piece_source"](pieces, by, wild, source, none)
        told_apart = 0 if by is None else 1 if none is None else 2
        return found, [1, told_apart, int(wild), source, len(pieces), *pieces]


def _array(numbers: list[int] | tuple[int, ...]) -> Any:
    return (ctypes.c_int32 * max(1, len(numbers)))(*numbers)


def _options_in_c(library: ctypes.CDLL, payment: Payment, picks: tuple[int, ...]) -> list[int] | str | None:
    out, found = _array([0] * 64), ctypes.c_int32()
    told = (_array(payment.told), _array(payment.fields), _array(picks), len(picks))
    answer = library.options(*told, out, ctypes.byref(found))
    return {1: None, 0: list(out[: found.value]), -2: "refused"}[answer]


def _options_in_python(payment: Payment, picks: tuple[int, ...]) -> list[int] | str | None:
    try:
        return payments.payment_options(PATIENT, payment.costs, picks, 7)
    except Refused:
        return "refused"


def _settled_in_python(payment: Payment, picks: tuple[int, ...], player: int, to: int | None) -> tuple[bool, list[int]]:
    table = SimpleNamespace(f=list(payment.fields))
    try:
        payments.settle(table, payment.costs, picks, player, to)
    except Trouble:
        return False, table.f
    return True, table.f


def _same_settlement(library: ctypes.CDLL, payment: Payment, picks: tuple[int, ...], to: int | None) -> None:
    told, fields = _array(payment.told), _array(payment.fields)
    well, left = _settled_in_python(payment, picks, 0, to)
    signal = library.settle(told, fields, _array(picks), len(picks), 0, -1 if to is None else to)
    assert (signal == 0, list(fields)) == (well, left)


def _same_pieces(library: ctypes.CDLL, payment: Payment, picks: tuple[int, ...]) -> None:
    told = (_array(payment.told), _array(payment.fields), _array(picks), len(picks))
    for cost in range(len(payment.costs)):
        for source in range(3):
            out = _array([0] * 32)
            count = library.paid(*told, cost, source, out)
            assert tuple(out[:count]) == payments.paid(payment.costs, picks, cost, source)


@pytest.mark.parametrize("seed", range(4))
def test_any_payment_goes_the_same_way(library: ctypes.CDLL, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(CASES):
        payment = Payment(rng)
        picks: tuple[int, ...] = ()
        while True:
            told = (_array(payment.told), _array(payment.fields), _array(picks), len(picks))
            assert bool(library.payable(*told)) == payments.payable(PATIENT, payment.costs, picks)
            options = _options_in_python(payment, picks)
            assert _options_in_c(library, payment, picks) == options
            if not isinstance(options, list):
                break
            picks += (rng.choice(options),)
        _same_pieces(library, payment, picks)
        _same_settlement(library, payment, picks, rng.choice((None, 0, 1, 2, 3)))


def test_picks_that_do_not_fit_are_not_payable(library: ctypes.CDLL) -> None:
    rng = random.Random(9)
    for _ in range(CASES):
        payment = Payment(rng)
        keys = sorted({kind[0] for cost in payment.costs for kind in cost[3]})
        total = sum(cost[0] for cost in payment.costs)
        if len(payment.costs) > 1 or not keys or total < 2:
            continue
        picks = tuple(sorted(rng.choices(keys, k=min(total, 2)), key=[kind[0] for kind in payment.costs[0][3]].index))
        told = (_array(payment.told), _array(payment.fields), _array(picks), len(picks))
        assert bool(library.payable(*told)) == payments.payable(PATIENT, payment.costs, picks)
