"""The combinations of variants to check: none, each variant alone, and each pair that can be played together.

Conflicts begin with two variants; what goes wrong with three nearly always goes wrong with two of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations as pairs_of

from .gathered import VariantInfo

MOST_PAIRED = 40  # variants; the pairs of more than that are thousands of games to check


def combinations(name: str, variants: Sequence[VariantInfo], *, pairs: bool = True) -> list[str]:
    """`harbour`, `harbour+a`, `harbour+b`, `harbour+a+b`: each with the variants it needs, without duplicates."""
    if _is_chosen(name):
        return [name]
    known = {variant.name: variant for variant in variants}
    place = {variant.name: number for number, variant in enumerate(variants)}
    wanted: list[tuple[VariantInfo, ...]] = [(), *((one,) for one in variants)]
    wanted += pairs_of(variants, 2) if pairs and len(variants) <= MOST_PAIRED else []
    names: dict[str, None] = {}
    for chosen in wanted:
        whole = _with_needs(chosen, known)
        if _get_along(whole):
            together = sorted({place[one.name] for one in whole})
            names["+".join([name, *(variants[number].name for number in together)])] = None
    return list(names)


def _is_chosen(name: str) -> bool:
    """True if the name itself lists variants; then that is the only combination meant."""
    return "+" in name.replace("\\", "/").rsplit("/", 1)[-1]


def _with_needs(chosen: Sequence[VariantInfo], known: dict[str, VariantInfo]) -> list[VariantInfo]:
    whole = list(chosen)
    for one in whole:  # the list grows during the loop: a needed variant may need others
        whole += [known[need] for need in one.needs if need in known and known[need] not in whole]
    return whole


def _get_along(chosen: Sequence[VariantInfo]) -> bool:
    names = {one.name for one in chosen}
    fits = not any(names & set(one.excludes) for one in chosen)
    counts = max((one.fewest for one in chosen), default=0) <= min((one.most for one in chosen), default=1)
    return fits and counts
