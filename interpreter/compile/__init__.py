"""A checked program becomes Python source.

In comes `check.program.Program`; out comes `load.Compiled`: the source with its line table, code of it for each way of
running, constant tables, and a plain description of the game. On the way the state gets its fixed layout (`layout`),
hooks are woven in and rules that decide are cut into segments (`weave`, `lower_*`) as a small typed IR (`ir`), and a
backend prints that (`emit_python`); what is settled for play, playouts or trials is worked out last (`specialise`). The
order matters: `analysis` first finds out which rules can stop for a decision and where an option may be refused later,
because both shape what is lowered. Guaranteed afterwards: the same rules give the same bytes; every emitted line knows
its place in the rules.
"""
