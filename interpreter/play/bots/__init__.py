"""Bots, one small file each: players that choose by themselves, in any game, from its rules alone.

Comes in: a state with a pending decision, and a seed. Goes out: one of its options. Guaranteed: a bot looks only at
what the player who decides may know. `random` and `first` look at nothing; the others look at worlds drawn from what
the player knows (`imagined`), or are shown the player's own observation and nothing else (`class_bot`,
`process_bot`). `named` knows them by name; `bot` says what a bot is.
"""
