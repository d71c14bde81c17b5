"""The typed instruction set between the checked program and a backend.

By the time a rule is IR, every name is an address: fields and slots are offsets into one flat array, other places
are numbers of lists, pieces and their attributes are indexes into constant tables. Hooks are woven in, small
values are written out in place, and a rule that decides is cut into segments at its decisions. A backend prints
instructions; it never looks anything up and never invents behaviour.

An expression is an `Op` (`ops_*.py`, by subject), a statement is an `Ins` (`ins_*.py`): a class each, whose fields are
its operands and, for an instruction, its inner blocks; `sets` names the field with the local that an instruction sets.
`nodes` walks and rebuilds any of them by their fields, so a pass names only the classes it cares about. `routines`
holds what instructions are gathered in: routines, their segments, and the sites where somebody decides.
`invariants.py` says what holds of any IR; tests run it over every ruleset.
"""

from .ins_course import *
from .ins_decisions import *
from .ins_state import *
from .nodes import *
from .ops_calls import *
from .ops_maps import *
from .ops_masks import *
from .ops_sets import *
from .ops_state import *
from .ops_tests import *
from .routines import *
