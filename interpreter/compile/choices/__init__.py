"""What may be chosen: from the checked `choose`, `may`, `choose one`, sets, orders and payments to the options.

In come statements that decide; out come, for each of them, a `Site` (a place in the rules where somebody decides), a
segment that works out the options and asks, and a segment that takes up the answer. Guaranteed: an option is offered
exactly if it can be carried through. The whole package is about that sentence.

**Look-ahead.** A rulebook says once what an action needs, inside the action:

    choose c in market
    pay c.price coins                  # who cannot pay may not choose c

So `c` may be offered only if what comes after the choice will not be refused. How far "after" reaches: over the
player's own further decisions (one way through them is enough), to the end of the running phase, or of the present
pass of a loop of that phase. `compile.analysis` finds out which decisions have anything after them that can be
refused; all others offer what their loops find, and nothing here costs them anything.

**Conditions asked beforehand** (`offers.opening_conditions`). The requirements and payments that a block begins with
look at the state as it is when the choice is offered. They become tests in the loop that adds the options. Above, the
loop over `market` gets `coins >= c.price`, and that settles the matter.

**Trials** (`runtime.trials`). That does not settle this:

    choose c in market
    buy(p, c)                          # pays, then wants an empty space for c

The definition of "can be carried through" is a trial: the same compiled code takes the option on a copy of the game,
and tries the player's further choices one after the other until one way comes through. Where a trial meets what the
player cannot know (chance, unseen cards, somebody else's choice) it stops and counts as success, since a refusal there
would tell a secret, or punish bad luck. A trial is never wrong and always slow.

**Foreseen answers** (`foresight`, with `answers` and `demands`). For a rule, or for what follows a choice, a routine
`can_…` is made of the rule's own statements. It looks at the state and says yes, no, or unsure:

    action buy(p, c)
      pay c.price coins                # no, unless they are there
      choose s in spaces where s.shelf is empty   # no, unless there is one: paying does not change shelves,
      move c to s.shelf                           #   so what the state says now holds then
      requires p.coins >= 2                       # unsure: paying has changed the coins

What has been changed on the way cannot be told from the state as it is, so a condition that looks at it is unsure
(`compile.footprint` knows what statements change and conditions look at). A plain store or move is supposed instead:
the rest is asked as if it had been made (`supposing`). Only what stays unsure is tried. Foreseen answers are an
optimisation and nothing else: tests put every option to its routine and to a trial, and want the same answer.

**Filters** (`filters`). Where a foreseen answer is a plain condition, it is asked beside each option as that is added.
A costly one is asked of the whole list afterwards, and a playout, which needs just one option, asks it only of those
that it draws. Sets and payments are chosen pick by pick; a pick stays if the set is fine with it, or if a larger one
may be:

    choose any c in p.hand as paid
    requires sum(c.value for c in paid) >= 10      # one card alone fails, and must be offered all the same

**How a decision is asked** (`decisions`). The asking segment changes nothing in the game, so it can be run again after
a free action, and when a save is opened. The last instructions of the segment say what happens if there is nothing to
choose, if a single way is left that needs no asking, and which free actions stand beside the options; `Ask` ends the
segment.

Modules, each using only those before it: `answers` (values), `offers` (sites and options), `demands`, `supposing`,
`foresight`, `foresee_rules` (whether a call of a rule can be carried through), `filters`, `decisions` (the statements).
They are written against the base class `Lowering`; statement lowering stands on top. Expressions, which ask
`can buy(p, c)`, reach `foresee_rules` through `Unit.foresee`, which the pipeline sets.
"""
