"""The second backend: IR as C.

In goes what `passes.prepared` made, the IR of playouts and of trials; out comes one C file (`Emitted`), which includes
the headers beside `interpreter/native/c/rw.h` and can be built as a library or as WebAssembly. It plays the same games
from the same seeds as the Python backend, to the last choice.

What Python does with expressions takes statements in C: a set is a loop, a call may meet a fault. So an operation is
emitted as the statements that it needs, which go to the function in the making, and a C expression for its value.
Sets are not built where a loop will do (`Sets.loop`); where one must be kept, its room is what `bounds` proved.
Exceptions are signals that every caller hands on (`RW_REFUSED`, `RW_CARRIED`, `RW_ENDED`, `RW_FAULT` in rw.h).

In the text that comes out, `C` is the context (buffers of a thread, the options of the pending question), `S` the state
and `F` the frame that a segment works on. A function `q_…` belongs to playouts, `t_…` to trials, and `v_…` is a value
that is worked out alike in both; `q_s12` is segment 12. A comment in front of the lines quotes the rule they come from.

The classes stand on one another: `function` (writing a function), `tables` (constants), `atoms`, `sets`, `said`,
`maps`, `calls` (operations), `pieces`, `instructions`, `decisions`, `facts` (about routines), `described` (tables for
the runtime), `dispatch`, `module`.
"""

from .function import CannotEmit
from .module import Emitted, emit_c

__all__ = ["CannotEmit", "Emitted", "emit_c"]
