"""Some of the games of `test_approximate`: worlds leave others out, and say so."""

# Who was a wolf, or was not, before the rival howled is none now; nobody was asked anything that this player noticed.
WRITTEN_OVER = """
each player
  wolf: flag secret
  bid: 0..3 secret
play
  night(seat1)
  rest(seat1)
phase night(p)
  pick q in players at random
  q.wolf = yes
  rival(p) may "Howl" if rival(p).bid != 1
    p.wolf = no
phase rest(p)
  choose n in 1..2 "Go on?"
"""

# All have seen both cards; which of them somebody thinks of is that of the game in every world.
KEPT_IN_MIND = """
kind Card
  copies 1 for each rank: 1..3
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
  points: 0..9
setup
  move all c in Card to deck
  shuffle deck
  draw 2 from deck to seat1.hand
play
  reveal seat1.hand
  think(seat1)
phase think(p)
  choose c in p.hand secretly "Of which do you think?"
  rival(p) chooses n in 1..3 "Which?"
  if public(c.rank == n)
    gain 1 points
"""
KEPT_IN_THE_OPEN = """
kind Card
  copies 1 for each rank: 1..3
table
  deck: pile of Card hidden
  market: pool of Card open
each player
  points: 0..9
setup
  move all c in Card to deck
  shuffle deck
  draw 2 from deck to market
play
  think(seat1)
phase think(p)
  choose c in market secretly "Of which do you think?"
  rival(p) chooses n in 1..3 "Which?"
  if public(c.rank == n)
    gain 1 points
"""
# Of two equal cards one was just revealed and is watched; the only card that may be chosen is put back into the hand.
WATCHED = """
kind Card
  copies 2 for each rank: 1..2
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 1 from deck to p.hand
play
  show(seat1)
  rest(seat1)
phase show(p)
  draw up to 1 from deck to p.hand as come
  reveal come
  first possible
    put_back(p)
effect put_back(p)
  choose c in p.hand where c.rank > 1 "Which?"
  move c to p.hand
phase rest(p)
  choose n in 1..2 "Go on?"
"""
# What is open now was written over while somebody was silently asked; whoever looks on never saw what it was.
OPEN_WRITTEN_OVER = """
table
  omen: 0..3
each player
  wolf: flag secret
  bid: 0..3 secret
play
  night(seat1)
  guess(seat1)
phase night(p)
  pick n in 1..2 at random
  omen = n
  if n == 1
    rival(p).wolf = yes
  rival(p) may "Howl" if rival(p).bid != 1
    rival(p).bid = 2
  omen = 0
phase guess(p)
  choose n in 1..2 "Who?"
"""
