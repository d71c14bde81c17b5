"""Studies: plays many games, counts what happens, and reports it.

Comes in: the name of a game, and its seats. Goes out: a report as plain data (for JSON, tables, pages). Guaranteed: the
same seed gives the same report, apart from timings, whatever the number of processes.
"""
