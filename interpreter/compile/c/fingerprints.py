"""What a history knows a position by, as C.

A fingerprint is what is left of a large number, whose digits have 32 bits each, when it is divided by a prime. Digit
by digit that is a chain of divisions, each of which waits for the one before. But a digit adds the same wherever the
others stand: its value times a power of 2^32, whose remainder is known beforehand. So where the number of digits is
known, they are added up in any order, and there is one division in the end.
"""

from __future__ import annotations

from abc import abstractmethod

from .. import ir
from ..ir import Op
from .said import Said

DIGIT = 1 << 32
WRITTEN_OUT = 16  # digits of a list that are added up without a loop
ROOM = 1 << 63  # what a sum may come to


class Fingerprints(Said):
    def _fingerprint(self, op: ir.Fingerprint) -> str:
        counts = [self._digits(part) for part in op.parts]
        if any(count is None for count in counts):
            return self._digit_by_digit(op)
        total = self.fresh("h")
        self.line(f"uint64_t {total} = 0;")
        behind, most = sum(count or 0 for count in counts), 0
        for part, count in zip(op.parts, counts, strict=True):
            assert count is not None
            behind -= count
            most += self._largest(part, count, op.prime)
            if most >= ROOM:
                self.line(f"{total} %= {op.prime}u;")
                most = op.prime + self._largest(part, count, op.prime)
            self._add_part(total, part, count, behind, op.prime)
        return f"(num)({total} % {op.prime}u)"

    def _digits(self, part: Op) -> int | None:
        """How many digits a part has, if that is known: behind the elements of a set comes their number."""
        match part:
            case ir.KeptSum():
                return part.count + 1
            case ir.Listed(source=ir.Sequence(values=values)):
                return len(values) + 1
            case ir.Listed(source=ir.Range(low=ir.Const(value=low), high=ir.Const(value=high))):
                return max(0, high - low + 1) + 1
            case ir.Listed():
                return None
        return 1

    def _largest(self, part: Op, count: int, prime: int) -> int:
        """The most that a part adds to the sum."""
        match part:
            case ir.KeptSum():
                return prime * prime + count * prime
            case ir.Listed():
                return (count - 1) * self._most_of(part.value, prime) + count * prime
        return self._most_of(part, prime)

    def _most_of(self, value: Op, prime: int) -> int:
        return prime if self._is_wide(value) else (self.numbers(value).high + 1) * prime

    def _is_wide(self, value: Op) -> bool:
        """Negative numbers count as their 32 bits: their product is divided at once, or the sum would overflow."""
        numbers = self.numbers(value)
        return numbers.lowest < 0 or numbers.high >= 1 << 16

    def _add_part(self, total: str, part: Op, count: int, behind: int, prime: int) -> None:
        if isinstance(part, ir.KeptSum):  # its digits are weighed already, with one for their number behind them
            kept = f"({self.kept_sum(part)} + {part.count}) % {prime}u"
            self.line(f"{total} += {kept} * {pow(DIGIT, behind, prime)}u;")
        elif isinstance(part, ir.Listed):
            wide = self._is_wide(part.value)
            weights = tuple(pow(DIGIT, behind + count - 1 - position, prime) for position in range(count - 1))
            if len(weights) <= WRITTEN_OUT:
                for number, weight in zip(_numbers_of(part.source), weights, strict=True):
                    value = ir.with_constant(part.value, part.local, number)
                    self.line(f"{total} += {self._weighed(value, f'{weight}u', prime, wide)};")
            else:
                at = self.fresh("w")
                self.line(f"const elt *{at} = {self.pooled(weights)};")
                with self.loop(part.source, part.local):
                    self.line(f"{total} += {self._weighed(part.value, f'(uint32_t)*{at}++', prime, wide)};")
            self.line(f"{total} += UINT64_C({(count - 1) * pow(DIGIT, behind, prime)});")
        else:
            own = f"{pow(DIGIT, behind, prime)}u"
            self.line(f"{total} += {self._weighed(part, own, prime, self._is_wide(part))};")

    def _weighed(self, value: Op, weight: str, prime: int, wide: bool) -> str:
        text = f"(uint64_t)(uint32_t)({self.x(value)}) * {weight}"
        return f"{text} % {prime}u" if wide else text

    def _digit_by_digit(self, op: ir.Fingerprint) -> str:
        name = self.fresh("h")
        self.line(f"uint64_t {name} = 0;")
        digit = f"{name} = ({name} << 32 | (uint32_t)({{}})) % {op.prime}u;"
        for part in op.parts:
            if isinstance(part, ir.KeptSum):
                before = f"{name} * {pow(DIGIT, part.count + 1, op.prime)}u % {op.prime}u"
                self.line(f"{name} = ({before} + {self.kept_sum(part)} + {part.count}) % {op.prime}u;")
                continue
            if not isinstance(part, ir.Listed):
                self.line(digit.format(self.x(part)))
                continue
            n = self.fresh("n")
            self.line(f"uint32_t {n} = 0;")
            with self.loop(part.source, part.local):
                self.line(digit.format(self.x(part.value)))
                self.line(f"{n}++;")
            self.line(digit.format(n))
        return f"(num){name}"

    @abstractmethod
    def kept_sum(self, op: ir.KeptSum) -> str: ...


def _numbers_of(source: Op) -> tuple[int, ...]:
    """What a list whose number of digits is known goes over."""
    match source:
        case ir.Sequence(values=values):
            return values
        case ir.Range(low=ir.Const(value=low), high=ir.Const(value=high)):
            return tuple(range(low, high + 1))
    raise AssertionError(f"not a list of known numbers: {source}")
