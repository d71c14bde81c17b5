"""The tree of a rules file: frozen dataclasses named after the grammar rules, each with its span.

`span` takes no part in comparison, so two texts that say the same have equal trees. Clause tags (`@K-041`) are kept
in `cites` of the declaration, statement, branch, field or line at whose end they stand. Optional parts are None,
repeated parts are tuples. Nothing here is resolved or typed: names are plain text.
"""

from .base import *
from .declarations import *
from .expressions import *
from .scenarios import *
from .statements import *
from .written_types import *
