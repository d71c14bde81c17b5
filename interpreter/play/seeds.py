"""Derives seeds from seeds: every bot has its own random stream, determined by the match and its seat."""

from __future__ import annotations

_MASK = (1 << 64) - 1


def derived_seed(seed: int, stream: int) -> int:
    """A 63-bit seed for one of many streams (the finaliser of SplitMix64): similar seeds give unrelated results."""
    mixed = (seed * 0x9E3779B97F4A7C15 + (stream + 1) * 0xD1B54A32D192ED03) & _MASK
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
    return (mixed ^ (mixed >> 31)) >> 1
