"""A checked program becomes Python source.

In comes `check.program.Program`; out comes `load.Compiled`: a module for each way of running (play, playouts, trials)
with its line table, constant tables, and a plain description of the game. On the way the state gets its fixed layout
(`layout`), hooks are woven in and rules that decide are cut into segments (`weave`, `lower_*`) as a small typed IR
(`ir`); what may be chosen, and why an option is not offered, has a package of its own (`choices`). Passes make it
quicker and settle what belongs to which way (`passes`, `ways`), and a backend prints it (`emit_python`). The order
matters: `analysis` first finds out which rules can stop for a decision and where an option may be refused later,
because both shape what is lowered. Guaranteed afterwards: the same rules give the same bytes; every emitted line knows
its place in the rules.
"""
