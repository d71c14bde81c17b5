"""Studying: many games played, counted and told.

In comes the name of a game with its seats; out comes a report as plain data (for JSON, tables, pages). Guaranteed:
the same seed gives the same report whatever the number of processes, but for how long it took.
"""
