"""From a game to what is drawn of it.

Comes in: a state, the seat that looks (or a spectator), a language, and what the ruleset says about its own looks
(`table.yaml`). Goes out: a *scene*, plain data that a page draws without knowing any game: areas, places, pieces, maps,
counters, the decision with what each option touches, the log with its clauses. `schemas/scene.schema.json` says what a
scene has. Guaranteed: a scene shows what the seat may know and nothing else, so two states that differ only in what
the seat cannot know have the same scene; every id in it is stable; all words in it are text, never markup.
"""

from .picture import picture_of
from .refusals import why
from .scene import scene_of

__all__ = ["picture_of", "scene_of", "why"]
