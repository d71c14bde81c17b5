"""What a choice that found nothing was looking for, as the author wrote it.

    there is nothing to choose: `c in market where c.price < 3` that also meets `pay c.price coins`

Whoever asks why an option is not offered gets these words: at the table, from a program, in a scenario.
"""

from __future__ import annotations

from ..compile.meta import Meta, SiteMeta
from .texts import phrase


def nothing_to_choose(meta: Meta, site: SiteMeta) -> str:
    """Why a decision has no option, in words."""
    if not site.sought:
        return phrase(meta, "there is nothing to choose")
    if site.kind == "set":
        return phrase(meta, "there is too little to choose: {sought}", sought=site.sought)
    if not site.needs:
        return phrase(meta, "there is nothing to choose: {sought}", sought=site.sought)
    needs = ", ".join(f"`{need}`" for need in site.needs)
    words = "there is nothing to choose: {sought} that also meets {needs}"
    return phrase(meta, words, sought=site.sought, needs=needs)
