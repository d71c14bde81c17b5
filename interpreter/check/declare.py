"""Declares everything in a gathered game: numbers and types it, and reads every table.

The order follows from the dependencies. Enums need only names; constants need enums; types need constants; maps need
sizes; pieces need the values they are multiplied by; table cells need all of these, because a cell may name any of
them; state needs to know how many pieces there are; the effects in cells need the rules. After a finding every step
continues with something usable, so that one run reports everything.
"""

from __future__ import annotations

from ..diagnostics.diagnostic import Diagnostics
from ..ruleset.gathered import Gathered
from .cells import resolve_cells
from .declare_charts import declare_charts
from .declare_enums import declare_constants, declare_enum_attributes, declare_enums, declare_seats
from .declare_kinds import check_row_ids, declare_backs, declare_piece_columns, declare_pieces, register_kinds
from .declare_maps import declare_map_attributes, declare_maps, register_map_kinds
from .declare_names import check_names
from .declare_rules import declare_rules
from .declare_starts import check_starts
from .declare_state import declare_state
from .declared import Declared
from .draft import Draft
from .uses import Uses


def declare(gathered: Gathered, found: Diagnostics, *, for_index: bool = False) -> Declared:
    """All declarations of a game. If some are faulty, `found` has the errors; the result can be used anyway.

    `for_index`: record what each name refers to, here and while bodies are elaborated (uses.py).
    """
    declared = Declared(gathered, found, gathered.players, uses=Uses(for_index))
    draft = Draft(declared)
    declare_seats(draft)
    register_kinds(draft)
    register_map_kinds(draft)
    declare_enums(draft)
    declare_constants(draft)
    declare_maps(draft)
    declare_pieces(draft)
    declare_enum_attributes(draft)
    declare_map_attributes(draft)
    declare_piece_columns(draft)
    check_row_ids(draft)
    declare_charts(draft)
    declare_state(draft)
    declare_backs(draft)
    declare_rules(draft)
    check_names(draft)
    check_starts(draft)
    resolve_cells(draft)
    declared.answers = {}
    return declared
