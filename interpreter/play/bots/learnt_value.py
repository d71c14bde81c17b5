"""What a position is worth by learnt weights: a weighted sum of its features, or a small network of them.

    sum        value = bias + sum of weight * feature
    network    hidden unit = the same, or 0 if that is negative; value = the same sum over the hidden units

The value is kept within -1 and 1. Features that are 0 are left out, and the others are added in their order, unit by
unit, so the native engine (`rw_policy.h`), which adds in the same order, gets the same doubles.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LearntValue:
    """Weights of the features. `weights` has one row for each feature, with a number for each unit of the next layer:
    one unit for a sum, several hidden ones for a network, whose own weights are `output`. `bias` has one number for
    each unit, and for a network one more, which is added at the end."""

    weights: list[list[float]]
    bias: list[float]
    output: list[float]

    @property
    def hidden(self) -> int:
        """How many hidden units; 0 for a sum."""
        return len(self.output)

    def is_sound(self) -> bool:
        """Whether the sizes fit each other. A file may say anything."""
        units = self.hidden or 1
        return len(self.bias) == units + (1 if self.output else 0) and all(len(row) == units for row in self.weights)

    def of(self, features: list[float]) -> float:
        """The value of a position with these features."""
        units = self.bias[: self.hidden or 1]
        for number, row in zip(features, self.weights, strict=True):
            if number != 0.0:
                units = [unit + weight * number for unit, weight in zip(units, row, strict=True)]
        if not self.output:
            return within_one(units[0])
        total = self.bias[-1]
        for unit, weight in zip(units, self.output, strict=True):
            if unit > 0.0:
                total += weight * unit
        return within_one(total)


def within_one(total: float) -> float:
    """The number, or -1 or 1 if it is beyond."""
    return max(-1.0, min(1.0, total))
