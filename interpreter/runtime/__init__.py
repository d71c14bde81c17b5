"""What emitted code stands on, and the game as Python programs see it.

In comes compiled code with its description (`compile.load.Compiled`); out goes a `Game`, and from it states that
can be played, copied, saved, viewed and determinised. Guaranteed: a state is plain data; every piece is in exactly
one place; the same seed gives the same game; what a player is shown rests on what that player may know.
"""
