"""The texts of new rulesets: a small complete game, and a variant of an existing game.

They are meant to teach as well: a comment in each block says what it is for and what else could be written there.
Names in capitals between double brackets are placeholders.
"""

from __future__ import annotations

GAME_FILES = {
    "ruleset.yaml": """\
# The manifest: what this ruleset is and which files belong to it.
# Files in variants/, scenarios/ and texts/ are found by themselves.
format: 1
name: [[NAME]]
title: "[[TITLE]]"
edition: "first draft"
players: {fewest: 2, most: 4}
minutes: 10
files: [[[NAME]].rules]
rulebook: rulebook.yaml
authors: ["[[AUTHOR]]"]
languages: [en]
""",
    "rulebook.yaml": """\
# The rulebook in our own words, clause by clause. Rules and scenarios point here with @R-01 at the end of a line;
# `rulewright validate` reports ids that do not exist.
title: "[[TITLE]]"
language: en
clauses:
  - {id: R-01, page: setup, summary: "The cards are shuffled, three of them lie open in the market."}
  - {id: R-02, page: course, summary: "The players take turns until the deck is empty."}
  - {id: R-03, page: course, summary: "A turn takes one card of the market; its price in coins is paid."}
  - {id: R-04, page: course, summary: "Whoever takes no card earns two coins instead."}
  - {id: R-05, page: course, summary: "The market is filled up to three cards after each turn."}
  - {id: R-06, page: end, summary: "Cards score their points, every three coins one more. Most points win."}
""",
    "cards.yaml": """\
# A table: one row per card, with the columns that `kind Card` declares. `default: known` says that the values come from
# the rulebook or the cards; write `assumed` for guesses, and `rulewright audit` lists them.
kind: Card
edition: "first draft"
default: known
rows:
  - {id: apple, name: "Apple", price: 1, points: 1, copies: 6}
  - {id: pear, name: "Pear", price: 2, points: 3, copies: 6}
  - {id: plum, name: "Plum", price: 4, points: 6, copies: 4}
""",
    "[[NAME]].rules": """\
# [[TITLE]]: a small game to start from. Change a line, then run: rulewright validate [[NAME]]

game [[NAME]] "[[TITLE]]" for 2..4 players

# A number that a variant may want to change gets a name.
constant market_size: 1..5 = 3                                                 @R-01

# Pieces come from a table: every row of cards.yaml is a card; `copies` says how many equal ones there are.
kind Card from cards.yaml
  price: 1..6
  points: 0..9

# The state: places for pieces, numbers with their range. Every place says who sees it: open, secret, hidden.
table
  deck: pile of Card hidden
  market: pool of Card open

each player
  basket: pool of Card open
  coins: 0..99 = 3


# ---------------------------------------------------------------- setup

setup                                                                          @R-01
  move all c in Card to deck
  shuffle deck
  draw market_size from deck to market


# ---------------------------------------------------------------- the course of play

play
  in turn p from seat1 until deck is empty                                     @R-02
    turn(p)

# A phase is a named part of the course. What it chooses, pays and moves speaks to `p`.
phase turn(p) "Turn of {p}"
  choose one "What do you do?"
    buy(p)
    "Earn two coins"                                                           @R-04
      gain 2 coins
  refill_market

# An action is offered only if it can be carried through: nobody writes down that the coins must suffice.
action buy(p) "Buy a card"                                                     @R-03
  choose c in market "Which card do you buy?"
  pay c.price coins
  move c to p.basket

effect refill_market                                                           @R-05
  draw up to market_size - count(market) from deck to market


# ---------------------------------------------------------------- the end

score p                                                                        @R-06
  "Cards"  sum(c.points for c in p.basket)
  "Coins"  p.coins div 3
rank p by highest score, then shared                                           @R-06
""",
    "scenarios/turn.rules": """\
# Scenarios are the author's tests: given a state, when these choices are made, then these facts hold.
# Run them with: rulewright test [[NAME]]

part of [[NAME]]

scenario "A card is paid and goes to the basket" for 2 players                 @R-03 @R-05
  given
    at turn(seat1)
    market holds apple, pear, plum
    deck holds 2 * apple
    seat1.coins = 3
  when
    seat1 chooses "Buy a card"
    seat1 chooses "Pear"
  then
    seat1.coins == 1
    seat1.basket holds pear
    market holds 2 * apple, plum

scenario "What one cannot pay is not offered" for 2 players                    @R-03 @R-04
  given
    at turn(seat1)
    market holds plum, plum, plum
    seat1.coins = 3
  then
    seat1 may choose "Earn two coins"
    seat1 may not choose "Buy a card" because @R-03

scenario "Scoring" for 2 players                                               @R-02 @R-06
  given
    at end
    seat1.basket holds plum, apple
    seat1.coins = 7
    seat2.coins = 3
  then
    seat1 scores 7 for "Cards"
    seat1 scores 2 for "Coins"
    seat1 wins
""",
    "README.md": """\
# [[TITLE]]

How this ruleset reads its rulebook: rulings on what the book leaves open, and which data are assumed.

    rulewright validate [[NAME]]
    rulewright test [[NAME]]
    rulewright play [[NAME]]
""",
}

VARIANT_FILES = {
    "variants/[[NAME]].rules": """\
# A variant is an overlay: it changes only what it says. Play it with: rulewright play [[GAME]]+[[NAME]]
# It can `set` a constant, `replace` a rule or a table, add rules and fields, and hook existing rules:
# `before` or `after` a rule, or `instead of` it (`previous` then stands for what is replaced).

variant [[NAME]] of [[GAME]] "[[TITLE]]"[[CITES]]
  after [[RULE]]
    done  # write in its place what comes then
""",
    "scenarios/[[NAME]].rules": """\
# What the variant changes, as a test. Run it with: rulewright test [[GAME]]+[[NAME]]

part of [[GAME]]

scenario "[[TITLE]] can be played" with [[NAME]] for [[PLAYERS]] players[[CITES]]
  given
    after setup
    at play
  then
    the game goes on
""",
}


def filled(text: str, words: dict[str, str]) -> str:
    for name, word in words.items():
        text = text.replace(f"[[{name}]]", word)
    return text
