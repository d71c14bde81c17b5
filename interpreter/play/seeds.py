"""Seeds from seeds: every bot has a stream of its own, fixed by the match and its seat on every machine."""

from __future__ import annotations

_MASK = (1 << 64) - 1


def derived_seed(seed: int, stream: int) -> int:
    """A seed of 63 bits for one of many streams (the finaliser of SplitMix64): near seeds give unlike results."""
    mixed = (seed * 0x9E3779B97F4A7C15 + (stream + 1) * 0xD1B54A32D192ED03) & _MASK
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
    return (mixed ^ (mixed >> 31)) >> 1
