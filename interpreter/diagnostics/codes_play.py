"""Codes of the families R07 (dead ends) and R09 (run time). One entry per code; `codes.py` gathers them."""

from __future__ import annotations

from .entry import Code

CODES: dict[str, Code] = {
    "R0701": Code(
        "a dead end",
        "Play reached something that must be done and cannot be: a choice with nothing to choose, or a cost that "
        "cannot be paid. An option whose dead end can be foreseen is not offered; this one could not be foreseen.",
        "roll dice\nchoose c in market where c.value == dice[1].face        # and no such card lies there",
        "roll dice\nchoose c in market where c.value == dice[1].face if possible\n  move c to p.hand",
    ),
    "R0703": Code(
        "an automa has to decide",
        "A decision with two or more options reaches a seat that the game itself plays.",
        "seat 2 is automa robot\n…\nchoose c in p.hand        # p may be the robot",
        "instead of discard_one(p) when p == robot\n  pick c in p.hand by lowest c.value\n  move c to discard",
    ),
    "R0710": Code(
        "never offered",
        "In all the games of `validate --deep` nobody could ever choose this option or take this action.",
        "action fly(p)\n  requires p.wings > 2        # and nobody gets more than two",
        "action fly(p)\n  requires p.wings == 2",
    ),
    "R0711": Code(
        "offered and never taken",
        "The option was offered in play, but no seat, random or greedy, ever chose it.",
        '"Give up"\n  p loses',
        '"Give up" if p.lives == 0\n  p loses',
    ),
    "R0712": Code(
        "a rule that never runs",
        "Play reaches the call of the rule, or the rule is named in a table cell; but in all the games of "
        "`validate --deep` it could never be carried out, or nobody ever performed that cell.",
        "grow_rich(p) if possible\n…\neffect grow_rich(p)\n  requires p.coins > 99        # more than there are",
        "grow_rich(p) if possible\n…\neffect grow_rich(p)\n  requires p.coins > 9",
    ),
    "R0713": Code(
        "a hook that never runs",
        "What the hook waits for never happened, or its condition never held then.",
        "after sell(p) when p.coins < 0",
        "after sell(p) when p.coins == 0",
    ),
    "R0714": Code(
        "a branch that is never executed",
        "The rule around it runs but never gets here.",
        "if deck is empty and deck is not empty\n  shuffle discard into deck",
        "if deck is empty\n  shuffle discard into deck",
    ),
    "R0715": Code(
        "a piece that is never used",
        "The piece stays in the box in every game, for every number of players and every variant.",
        "move all c in Card where c.value < 10 to deck        # and there is a ten",
        "move all c in Card to deck",
    ),
    "R0716": Code(
        "a counter at its bound",
        "The counter reached its highest value in play. That may be meant; if more could have come, its range is "
        "too small.",
        "coins: 0..9 capped        # and people earn more",
        "coins: 0..99",
    ),
    "R0717": Code(
        "a tie that is not resolved",
        "Two seats are equal in everything that `rank` names, and it does not say that they share the place.",
        "rank p by highest score",
        "rank p by highest score, then fewest count(p.hand), then shared",
    ),
    "R0718": Code(
        "a runaway game",
        "One game took many times as many decisions as the others: something can be repeated without getting anywhere.",
        'may repeatedly "Swap two cards"',
        'may "Swap two cards"',
    ),
    "R0719": Code(
        "a decision that tells a secret",
        "If what a seat cannot see were different, that seat would be offered other options or would read another "
        "text: a label, a prompt, a title, a refusal, a line of the log, something in its view. So it is told "
        "something that it may not know. The notes say what differs between the two worlds.",
        "choose c in p.hand where c.value > (top of deck).value",
        "reveal top of deck\nchoose c in p.hand where c.value > (top of deck).value",
    ),
    "R0720": Code(
        "a trial budget that ran out",
        "After as many steps as the manifest allows it was still unknown whether an option can be carried through, so "
        "the option was offered anyway. `rulewright show NAME guards` names the lines behind the choice that may be "
        "refused, and what would spare the look.",
        "choose any c in p.hand as paid such that sum(c.value for c in paid) == 17",
        "choose up to 3 c in p.hand as paid such that sum(c.value for c in paid) == 17",
    ),
    "R0721": Code(
        "options that are tried first",
        "The compiler could not tell from the state alone which options can be carried through, so each is tried on a "
        "copy. The result is correct, but slower.",
        "choose c in p.hand\nplay(p, c)        # which may refuse",
        "choose c in p.hand where c.cost <= p.coins\nplay(p, c)",
    ),
    "R0722": Code(
        "a full place",
        "The place held as many pieces as it can. Any further piece would have been refused.",
        "market: pool of Card open capacity 5        # and six are dealt",
        "market: pool of Card open capacity 6",
    ),
    "R0723": Code(
        "a score line that never counts",
        "The line was 0 for every player in every game. If it counts where a scenario ends, that is only a remark.",
        'score p\n  "Ships" 5 * count(p.ships) if p.ships is empty',
        'score p\n  "Ships" 5 * count(p.ships)',
    ),
    "R0724": Code(
        "a scenario that fails",
        "The rules do something other than what a scenario expects. `rulewright test` shows the difference.",
        "then\n  seat1.coins == 3        # and the rules give two",
        "then\n  seat1.coins == 2",
    ),
    "R0725": Code(
        "options that read alike and do different things",
        "In one decision two options had the same label, and taking the one led to another position than taking the "
        "other. A player cannot tell them apart, and a scenario or program that names the label is refused.",
        """
choose one "Whom do you push?"
  "Push the {k.size} of {k.owner}" for k in Kiwi where at(k) == here
    push(k)
""",
        """
choose one "Whom do you push?"
  "Push the {k.size} of {k.owner} towards {toward(here, k.facing)}" for k in Kiwi where at(k) == here
    push(k)
""",
    ),
    "R0750": Code(
        "never used",
        "A field that no rule reads or writes.",
        "each player\n  coins: 0..99        # and no rule speaks of coins",
        "each player\n  coins: 0..99\n…\ngain 2 coins",
    ),
    "R0751": Code(
        "written and never read",
        "No rule reads this field, and nobody can see it: writing it does nothing.",
        "luck: 0..9 hidden\n…\nluck = 3",
        "luck: 0..9 hidden\n…\nluck = 3\nif public(luck > 2)",
    ),
    "R0752": Code(
        "never filled",
        "No rule puts anything into this place.",
        "market: pool of Card open        # and nothing goes there",
        "draw 3 from deck to market",
    ),
    "R0753": Code(
        "never emptied",
        "Nothing is ever taken out of this place, and no rule or player looks into it.",
        "grave: pile of Card hidden\n…\nmove c to grave",
        "move c to box",
    ),
    "R0754": Code(
        "a chart never read",
        "No rule looks anything up in this chart.",
        "chart price(n: 1..3): 0..9 = 1, 2, 4",
        "pay price(n) coins",
    ),
    "R0755": Code(
        "a currency never paid",
        "No rule pays in this currency.",
        "currency fruit for p\n  p.apples",
        "pay 2 fruit",
    ),
    "R0756": Code(
        "an enum never used",
        "Nothing has values of this enum.",
        "enum Colour = red | blue",
        "each player\n  colour: Colour = red",
    ),
    "R0757": Code(
        "a rule nobody calls",
        "No rule, hook, table cell or score calls this rule. A rule of a variant is reported if no combination of "
        "variants calls it.",
        "effect cheer(p)        # and nobody calls it",
        "cheer(p)",
    ),
    "R0758": Code(
        "two options that read alike",
        "Two options of one decision have the same text and no values, and can be on offer together.",
        """
choose one
  "Take a card"
    draw 1 from deck to p.hand
  "Take a card"
    draw 2 from deck to p.hand
""",
        """
choose one
  "Take a card"
    draw 1 from deck to p.hand
  "Take two cards"
    draw 2 from deck to p.hand
""",
    ),
    "R0759": Code(
        "a `no … has` that takes in more than it seems",
        "A quantifier takes everything that follows it, so `no q in players has A or B` asks for a player with A or B. "
        "Here B does not speak of that player; most likely it was meant to stand beside the quantifier.",
        "until no q in players has q.coins > 0 or clock >= 5",
        "until (no q in players has q.coins > 0) or clock >= 5",
    ),
    "R0760": Code(
        "a history that is always empty",
        "Nothing ever says `remember` of this history, so no position is found in it again.",
        "history board of 200\n  c.owner for c in Cell\n…\nrequires seen(board) == 0",
        "requires seen(board) == 0\nremember board",
    ),
    "R0761": Code(
        "a field that its own rule sets back",
        "`this RULE` sets a field back whenever the rule begins. This rule calls itself, so what is noted in the field "
        "is gone with the next inner call, and a question about it never finds it. Let the rule that sets the field "
        "back be one that begins once, and another effect go on by itself.",
        """
each City
  burst: flag this infect
effect infect(c: City) depth 9
  if not c.burst
    c.burst = yes
    for n in neighbours(c)
      infect(n)
""",
        """
each City
  burst: flag this infect
effect infect(c: City)
  spread(c)
effect spread(c: City) depth 9
  if not c.burst
    c.burst = yes
    for n in neighbours(c)
      spread(n)
""",
    ),
    "R0762": Code(
        "an `and` that begins a line below an `or`",
        "`and` binds more closely than `or`, also where it begins a line: it joins what stands behind the `or`, not "
        "the whole line above. Brackets say which is meant.",
        "for c in Cell where c.owner == p or c.owner is none\n              and c.row > 2",
        "for c in Cell where (c.owner == p or c.owner is none)\n              and c.row > 2",
    ),
    "R0901": Code(
        "a number out of range",
        "A field would get a number outside its range. The checker could not prove that it fits, so play tests it.",
        "round: 1..4\n…\nround += 1        # in the fifth round",
        "if round < 4\n  round += 1",
    ),
    "R0902": Code(
        "a piece moved into itself",
        "A piece would be moved to a place on itself, or on a piece that it carries.",
        "move cart to cart.load",
        "move stone to cart.load",
    ),
    "R0903": Code(
        "too many steps without a decision",
        "The rules ran for a long time without asking anybody: most likely a loop that does not end. A decision with a "
        "single option is taken automatically and does not count, so players who can only pass, round after round, "
        "cause this too. Or one list of options has very many combinations to test: "
        "`for h in Hex, t in supply, n in 0..5 where fits(h, t, n)` asks for each of them. "
        "What can be asked of h alone stands right behind it: "
        "`for h in Hex where is_reached(h), t in supply, n in 0..5 where fits(h, t, n)`.",
        "while deck is not empty\n  draw up to 1 from deck to deck",
        "while deck is not empty\n  draw 1 from deck to discard",
    ),
    "R0904": Code(
        "rules nested too deep",
        "A rule runs inside itself, directly or through others, more often than its `depth` or the limit on nesting "
        "allows.",
        "effect answer(p) depth 3        # and a fourth answer to an answer",
        "effect answer(p) depth 10",
    ),
    "R0905": Code(
        "too many options",
        "One decision would offer more options than the limit allows. Split it into several.",
        "choose a in Card, b in Card, c in Card",
        "choose 3 c in Card as chosen",
    ),
    "R0906": Code(
        "a game that does not end",
        "The game has had more decisions than the limit allows.",
        "in turn p from first        # and nothing ever ends the game\n  turn(p)",
        "in turn p from first until round > 10\n  turn(p)",
    ),
    "R0907": Code(
        "an argument or index out of range",
        "A chart, an indexed field or place, or a rule was given a number outside its range. The checker could not "
        "prove that the number fits, so play tests it.",
        "chart price(n: 1..3): 0..9 = 1, 2, 4\n…\npay price(p.stalls) coins        # of a player without stalls",
        "if p.stalls in 1..3\n  pay price(p.stalls) coins",
    ),
    "R0908": Code(
        "scripted chance that cannot happen",
        "A scenario (or a program that scripts chance) asks for an outcome that is impossible: a piece that is not in "
        "the bag or pile, more pieces or dice than are drawn or rolled, a face that the die does not have.",
        "deck holds low\n…\nchance shuffle deck: high",
        "deck holds low, high\n…\nchance shuffle deck: high",
    ),
    "R0909": Code(
        "an unknown backend",
        "`RULEWRIGHT_BACKEND`, or the argument `backend` of `rw.load`, says what runs games: `python`, `native` "
        "(compiled C), `wasm` (compiled, in a sandbox) or `auto`, the fastest that can be had. `rulewright doctor` "
        "says which one is used.",
        "RULEWRIGHT_BACKEND=c rulewright simulate harbour",
        "RULEWRIGHT_BACKEND=native rulewright simulate harbour",
    ),
    "R0910": Code(
        "too long a log",
        "What the rules `say` in one game has more lines than the limit allows.",
        'for n in 1..90000\n  say "{n} sheep"',
        'say "90000 sheep"',
    ),
    "R0911": Code(
        "limits that are none",
        "`RULEWRIGHT_LIMITS`, `--limits`, or the argument `limits` of `rw.load`, sets ceilings for the limits of "
        "rulesets: names and whole numbers. A manifest may ask for less, and does not get more.",
        "RULEWRIGHT_LIMITS=step=many rulewright simulate harbour",
        "RULEWRIGHT_LIMITS=steps=50000,options=2000 rulewright simulate harbour",
    ),
    "R0912": Code(
        "a sandbox that had to be stopped",
        "A ruleset that runs in a sandbox (`sandbox=True`, `--sandbox`) took more time or memory than the sandbox "
        "allows, or its process ended. The game is lost; the program that asked for it goes on.",
        "rulewright simulate stranger --sandbox        # and one choice takes minutes",
        "rulewright validate stranger --sandbox",
    ),
    "R0913": Code(
        "a slot that is never empty is empty",
        "A slot that is declared `never empty` was asked for its piece while there was none. The rules fill it before "
        "anybody asks, as a rule in `setup`; in a scenario `given` fills it.",
        "each player\n  board: slot of Board open never empty        # and setup gives no boards",
        "setup\n  for p in players\n    draw 1 from boards to p.board",
    ),
    "R0916": Code(
        "nobody is left",
        "All players have dropped out, and the rules ask for one of them, or for the highest among them. `players` "
        "has no first and no last then. The rules end the game before, or ask.",
        "for p in players\n  p drops out\nstarter = first p in players",
        'for p in players\n  p drops out\nif players is empty\n  nobody wins "All are ruined"\n'
        "starter = first p in players",
    ),
    "R0915": Code(
        "a game too large to be remembered",
        "Who may know what is worked out from the decisions of a game, and each of them keeps the whole state. All of "
        "them together may be 40 million numbers: a state of 1,000 numbers goes on for 40,000 decisions, one of a "
        "million for 40.",
        "each Cell\n  seen[1..9000]: flag        # on a board of a hundred cells",
        "each Cell\n  last_seen: 0..9000",
    ),
    "R0914": Code(
        "texts that take too long",
        "Labels, prompts and titles are worked out whenever somebody looks. All texts of one decision together have as "
        "many steps as a game has between two decisions, 100,000: half of them for the labels, in equal shares. The "
        "game itself goes on: choices by number or code work, bots play, and the log names what was chosen.",
        'choose one "Which?"\n  "{n}: {count(i in 1..50000 where i mod n == 0)}" for n in 1..900',
        'choose n in 1..900 "Which?"',
    ),
}
