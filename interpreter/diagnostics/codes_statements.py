"""Codes R0450 to R0479 of the family R04: statements, payments, loops, and what grows too large.

One entry per code; `codes.py` gathers them.
"""

from __future__ import annotations

from .entry import Code

CODES: dict[str, Code] = {
    "R0450": Code(
        "a loop that may never end",
        "Each pass of `repeat` or `while` must let somebody decide, take a piece out of a place that the loop does "
        "not fill, count a field up (or down) that nothing in the loop sets or counts back, or set a flag to `yes` "
        "that it found at `no` and never sets back; a field that is "
        "`capped` does not serve, since it stays at its bound. Otherwise give a bound with `at most n times`. And if "
        "nothing else ends the game, something must leave `repeat` and `in turn`: `until`, or `stop`.",
        "while fame < 3\n  grow",
        "while fame < 3 at most 5 times\n  grow",
    ),
    "R0453": Code(
        "a payment that cannot be made this way",
        "Patterns such as `all different` need a currency whose units can be told apart; only counters can be paid to "
        "another player.",
        "pay 2 coins all different",
        "pay 2 fruit all different",
    ),
    "R0454": Code(
        "not a source of a currency",
        "A currency is paid from counters of the player who pays, each a field without an index, or from places of the"
        " player with a place to go back to. Each of them is named once; otherwise what it holds could be spent twice.",
        """
currency fruit for p
  p.fruits by colour
""",
        """
currency fruit for p
  p.fruits by colour back to bag
""",
    ),
    "R0455": Code(
        "a place where a piece is expected",
        "Places are read, filled and emptied; they cannot be moved, and `let` cannot give them another name.",
        "move p.hand to heap",
        "move all c in p.hand to heap",
    ),
    "R0456": Code(
        "the wrong kind for a place",
        "A piece goes only to places for its kind.",
        "move mecha to deck    # deck: pile of Kaiju",
        "move mecha to p.hand",
    ),
    "R0457": Code(
        "no order to draw in",
        "`draw` takes from piles, rows, bags and slots. From a pool or a hand, say which piece.",
        "draw 1 from market to p.hand",
        "move 1 c in market to p.hand",
    ),
    "R0458": Code(
        "something that cannot be set",
        "Only fields and faces of dice can be set. Locals, printed attributes, constants and computed values never "
        "change.",
        """
let n = 1
n = 2
""",
        """
let n = 1
let more = n + 1
""",
    ),
    "R0459": Code(
        "what an effect is given",
        "An effect declared `given (x: T)` is performed with all of those arguments, and no others.",
        "perform c.answer for p",
        "perform c.answer with other = c for p",
    ),
    "R0460": Code(
        "not a call in `first possible`",
        "`first possible` lists calls and `perform` statements, and nothing else.",
        """
first possible
  gain 1 coins
""",
        """
first possible
  take_coin(p)
""",
    ),
    "R0461": Code(
        "if possible without a block",
        "With `if possible` the name may stay unbound, so only a block indented below may use it.",
        """
choose c in p.hand if possible
move c to heap
""",
        """
choose c in p.hand if possible
  move c to heap
""",
    ),
    "R0462": Code(
        "a line that cannot be offered",
        "A line of `choose one` is a label, or calls an action or an effect that has a text.",
        "refill_market",
        """
"Refill"
  refill_market
""",
    ),
    "R0463": Code(
        "stop outside of a loop",
        "`stop` leaves the innermost loop.",
        """
effect go(p)
  stop
""",
        """
effect go(p)
  done
""",
    ),
    "R0464": Code(
        "a result missing or unwanted",
        "A rule with a result type gives a result on every path through it; a rule without one gives none.",
        """
effect ask(p): flag
  if p.coins > 3
    result yes
""",
        """
effect ask(p): flag
  result p.coins > 3
""",
    ),
    "R0465": Code(
        "names in any order",
        "A line of `in any order` stands for one thing to do.",
        '"Draw {c}" for c in river',
        """
"Draw"
  choose c in river
""",
    ),
    "R0467": Code(
        "a value computed from itself",
        "Values cannot be recursive, neither directly nor through others.",
        "value a(p): 0..9 = a(next(p))",
        "value a(p): 0..9 = p.coins",
    ),
    "R0468": Code(
        "calls without end",
        "A rule may call itself, directly or through others, only with `perform` or if it declares `depth n`.",
        """
effect ask(p)
  ask(next(p))
""",
        """
effect ask(p) depth 4
  ask(next(p))
""",
    ),
    "R0469": Code(
        "not a place",
        "A place is expected here: something that holds pieces.",
        "shuffle p.coins",
        "shuffle deck",
    ),
    "R0470": Code(
        "no order there",
        "Only piles, rows and slots have a top, a first and a last.",
        "top of market    # a pool",
        "top of deck",
    ),
    "R0471": Code(
        "perhaps nothing to compare",
        "`max` and `min` over a set that may be empty need an `else` with the value for that case.",
        "max(c.rank for c in river)",
        "max(c.rank for c in river else 0)",
    ),
    "R0472": Code(
        "a negative cost",
        "The cost of an edge is never below 0.",
        "costing s.slots - 2",
        "costing max(0, s.slots - 2)",
    ),
    "R0473": Code(
        "too many combinations",
        "Options are numbered, and the number must stay below 2^31. A choice of several values needs as many numbers "
        "as the sizes of their sets, multiplied.",
        "choose a in 0..99999, b in 0..99999",
        """
choose a in 0..99999
choose b in 0..99999
""",
    ),
    "R0475": Code(
        "a set of too many numbers",
        "A set of numbers is built in full before a rule goes over it, so it has at most a hundred thousand.",
        "for n in 1..2000000000\n  gain n mod 2 coins",
        "repeat 3 times\n  gain 1 coins",
    ),
    "R0476": Code(
        "an expression that takes too long",
        "Everything that an expression goes over is finite, so a bound on its steps is known before the game. Sets "
        "inside sets inside sets soon make millions; the limit keeps a ruleset from holding up whoever runs it.",
        "value far: flag = some a in 1..9999 has some b in 1..9999 has a * b == 7",
        "value far: flag = some a in 1..7 has 7 mod a == 0",
    ),
    "R0477": Code(
        "this cannot be part of a position",
        "A position of a history is made of values: numbers, flags, players, enum values, nodes, pieces (told apart by "
        "their rows), and sets, places and dice of them.",
        "history board of 200\n  c for c in leaflet        # rows of a chart",
        "history board of 200\n  c.owner for c in Cell",
    ),
    "R0478": Code(
        "a state that is too large",
        "Fields and places with all their owners and indexes make up the state of a game, which is copied whenever "
        "somebody looks ahead. It has at most a million numbers.",
        "table\n  past[1..90000]: 0..9\n  …\n  future[1..90000]: 0..9",
        "table\n  past[1..90]: 0..9",
    ),
    "R0479": Code(
        "places that cannot be swapped",
        "Two places trade what lies in them, as it lies there: a pile with a row, a hand with a pool, slots with as "
        "many slots. And no piece may come to lie in a place that it carries itself.",
        "swap p.hand with deck    # a hand has no order, a pile has one",
        """
move all c in p.hand to aside
draw 5 from deck to p.hand
move all c in aside to deck
""",
    ),
    "R0480": Code(
        "a number that may become too large",
        "Fields, parameters and results have ranges. A number that is only worked out on the way has none, and one "
        "that is multiplied by itself again and again soon has more digits than there is memory.",
        """
let a = fame * fame * fame * fame * fame
let b = a * a * a * a * a
let c = b * b * b * b * b
gain min(9, c) coins
""",
        """
let a = min(9, fame * fame)
gain min(9, a * a) coins
""",
    ),
}
