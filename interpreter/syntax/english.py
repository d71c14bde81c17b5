"""What people write who say a rule as a rulebook would: `draw a card`, `4 copies of each colour`, `win p when …`.

More rows for the table of `mistakes`. The phrases below are never right, wherever the parser happens to
stop in them, so their patterns allow its mark between any two words (`said`).
"""

from __future__ import annotations

from .mistake import Mistake

_RULE = "effect try_out(p)\n  "
_ONE = 'phase turn(p)\n  choose one "What?"\n    "Rest"\n  '
_TEST = 'scenario "A"\n  given\n    after setup\n  when\n    '
_NAME = r"[a-z]\w*"
_END = r"\s*‸?\s*$"


def _m(pattern: str, headline: str, help: str, example: str, code: str = "R0116") -> Mistake:
    return Mistake(code, pattern, headline, help, example)


def said(*words: str) -> str:
    """A pattern for these words at the beginning of a line, with the parser's mark before any of them."""
    return r"^\s*‸?" + r"\s+‸?".join(words)


DECLARED = (
    _m(r"^‸?(?P<at>const|let|var|number)\s+‸?(\w+)\s*‸?[:=]", "a number that never changes is a `constant`",
       "write `constant {0}: 0..9 = 5`", "const hand_size = 5", "R0108"),
    _m(r"^‸?(?P<at>function|def|func|fun|procedure|sub|method)\b", "there is no `{at}`: rules have five forms",
       "`value` works something out, `effect` does something, `action` is chosen by a player, `phase` is a part of the "
       "game, `event` is waited for", "function double(n: 0..9): 0..18\n  result 2 * n", "R0108"),
    _m(r"^‸?(?P<at>on|upon|whenever|when|trigger|every time)\s+‸?\S", "what reacts to something is a hook",
       "write `after turn(p)` or `before turn(p)`, with `when …` behind it for a condition",
       "when p.coins > 5\n  stop", "R0108"),
    _m(r"^(?P<at>after|before)\s+‸?(?:each|every|the|any)\s+‸?(\w+)", "a hook names the rule it waits for",
       "write `{at} {0}(p)`", "after each turn(p)\n  stop"),
    _m(r"^after\s+‸?(\S+)\s+‸?(?P<at>increases|goes\s+up|is\s+increased|gains)\b",
       "a number `rises`, `falls` or `changes`", "write `after {0} rises`", "after p.coins increases\n  stop"),
    _m(r"^after\s+‸?(\S+)\s+‸?(?P<at>decreases|goes\s+down|is\s+decreased|drops)\b",
       "a number `rises`, `falls` or `changes`", "write `after {0} falls`", "after p.coins decreases\n  stop"),
    _m(r"^‸?(?P<at>win|wins|\w+\s+‸?wins|\w+\s+‸?loses|the\s+game\s+ends|end\s+game|end|game\s+ends)\s+‸?(?:\w+\s+‸?)?"
       r"(?:when|if)\b", "who wins, and when, is said inside a rule",
       "write `if …` in `play` or a phase, and below it `p wins \"why\"` or `end game \"why\"`",
       "p wins when p.coins > 90", "R0108"),
    _m(r"^enum\s+([A-Z]\w*)" + _END, "the values of an enum stand on its line", "write `enum {0} = red | blue`",
       "enum Fruit\n  apple\n  pear", "R0124"),
    _m(r"^constant\s+(\w+)\s*:\s*([0-9]+)" + _END, "a constant has a range, then its value",
       "write `constant {0}: 0..{1} = {1}`", "constant hand_size: 5", "R0124"),
    _m(r"^kind\s+(\w+)\s+‸?(?P<at>[0-9]+\s+‸?copies|x\s*[0-9]+|[0-9]+)" + _END,
       "how many there are stands below the kind", "write `copies 4` on the next line, indented by two spaces",
       "kind Gem 4 copies"),
    _m(r"^\s+‸?(?P<at>([0-9]+)\s+‸?copies)\b", "the number comes behind `copies`", "write `copies {0}`",
       "kind Gem\n  4 copies for each colour: Colour"),
    _m(r"^\s+copies\s+‸?([0-9]+)\s+‸?(?P<at>of\s+‸?each|per|each)\s+‸?(\w+)",
       "the keys of a kind come after `for each`", "write `copies {0} for each colour: Colour`",
       "kind Gem\n  copies 4 of each colour"),
    _m(r"^\s+copies\s+‸?\S+\s+‸?for\s+‸?each\s+‸?(?P<at>([a-z]\w*))" + _END, "a key has a type",
       "write `for each {0}: Colour`, with an enum, a range or `player`", "kind Gem\n  copies 4 for each colour",
       "R0124"),
    _m(r"^\s+copies\s+‸?\S+\s+‸?for\s+‸?each\s+‸?(?P<at>([A-Z])(\w*))" + _END, "a key has a name, then its type",
       "write `for each name: {at}`", "kind Gem\n  copies 4 for each Colour"),
    _m(r"(?P<at>\b([0-9]+)\s+‸?x\s+‸?([0-9]+)\b)", "a size is written in words", "write `{0} by {1}`",
       "map board is grid 8 x 8"),
    _m(r"^\s+([a-z]\w*)\[(?P<at>([0-9]+)\s*‸?,\s*‸?([0-9]+))\s*‸?\]", "an index has a type: a range, an enum, a kind",
       "write `{0}[1..{1}, 1..{2}]`", "table\n  cells[3, 4]: 0..9"),
    _m(r"^\s+([a-z]\w*)\[(?P<at>players|everybody)\s*‸?\]", "a number for each player has the index `player`",
       "write `{0}[player]`, or put `{0}` under `each player`", "table\n  scores[players]: 0..9"),
    _m(r"^\s+([a-z]\w*)\s*:\s*‸?(?P<at>array|vector|matrix|list|map|dictionary)\s+‸?of\s+‸?([^\sA-Z]\S*)",
       "several of a sort have an index behind their name", "write `{0}[1..5]: {1}`",
       "table\n  marks: array of 0..9"),
    _m(r"^\s+([a-z]\w*)\s*:\s*‸?(?P<at>([0-9]*)d([0-9]+))\b", "dice say how many they are and what they show",
       "write `{0}: 1 dice of 1..{2}`", "table\n  cup: d6"),
    _m(r"^\s+([a-z]\w*(?:\[[^\]]*\])?)\s*:\s*([^\s=](?:[^=]*[^\s=])?)\s*=\s*‸?(\S+)\s+"
       r"‸?(?P<at>open to others|open|secret|hidden|capped|(?:this|during)\s+\w+)",
       "what a field starts with comes last", "write `{0}: {1} {at} = {2}`",
       "each player\n  stake: 0..9 = 3 secret"),
    _m(r"^\s+‸?(?P<at>open|secret|hidden)\s+‸?([a-z]\w*)\s*‸?:", "who may see it comes last", "write `{0}: … {at}`",
       "each player\n  hidden stake: 0..9"),
    _m(r"^  ‸(?P<at>where|when|if|for|by|to|from|of|in|is|as|at|then|until|with|has|and|or|each|the)\s*"
       r"(?:\[[^\]]*\])?\s*:", "`{at}` has a meaning of its own and cannot be a name",
       "choose another name, such as `the_{at}`", "each player\n  where: 0..9", "R0110"),
    _m(r"^score\s+‸?\w+\s*‸?(?P<at>:)?" + _END + r"|^  ‸(?P<value>[a-z]\w*\.\w+|sum\(|count\(|max\(|min\()",
       "each line of a score has a text and a value", 'write `"Coins" p.coins`', "score p\n  p.coins"),
    _m(r"^  \"(?:[^\"\\]|\\.)*\"\s*‸(?P<at>:|=)", "no sign between the text and what it counts",
       'leave it out: `"Coins" p.coins`', 'score p\n  "Coins": p.coins'),
    _m(r"^  replace\s+‸(?P<at>([a-z]\w*))\s*=\s*[0-9]+$", "a variant sets a constant with `set`",
       "write `set {0} = …`", "variant rich of bazaar\n  replace rounds = 5"),
)  # fmt: skip

DONE = (
    _m(r"\bchooses?\s+‸?(\w+)\s+‸?(?P<at>(?:from|between)\s+‸?([0-9]+)\s+‸?(?:to|and)\s+‸?([0-9]+))",
       "a number lies in a range", "write `choose {0} in {1}..{2}`", _RULE + "choose n from 1 to 3"),
    _m(r"\bis\s+‸?(?P<at>(?:larger|bigger|smaller|greater|more|less|fewer|higher|lower)\s+‸?than)\b",
       "numbers are compared with signs", "write `>` or `<`; how many pieces lie in a place is `count(p.hand)`",
       _RULE + "if p.hand is larger than 3\n    stop"),
    _m(r"\b(\w+)\s+‸?(?P<at>has\s+‸?(?:more|fewer|less)\s+‸?(\w+)\s+‸?than)\s+‸?(\S+)",
       "what players have is compared like any number", "write `{0}.{1} > {2}.{1}`",
       _RULE + "if p has more coins than q\n    stop"),
    _m(r"\b(?P<at>(?:top|first|bottom|last)\s+‸?([0-9]+|\w+\s+‸?cards)(?:\s+‸?of))\b",
       "several from the top are drawn", "write `draw 3 from deck to …`; `reveal top of deck` shows one",
       _RULE + "reveal top 3 of deck"),
    _m(r"^\s+‸?(?P<at>randomly)\s+‸?(?:choose|pick|draw)\b|^\s+move\s+‸?(?P<second>random)\s+‸?",
       "what chance takes is picked", "write `pick c in market at random`, and then what happens to `c`",
       _RULE + "randomly choose c in heap"),
    _m(said(r"(gain|lose|pay)", rf"(?P<at>({_NAME}(?:\[[^\]]*\])?)\s+‸?([0-9]+))") + _END, "the amount comes first",
       "write `{0} {2} {1}`", _RULE + "gain coins 1"),
    _m(said(rf"{_NAME}", r"(?P<at>draws|drew)\b"), "`draw` says from where to where",
       "write `draw 2 from deck to p.hand`", _RULE + "p draws 2 cards"),
    _m(said(r"draw", r"(?P<at>(?:a|an|one|two|three|the|some)\s+‸?\w+)"),
       "`draw` says how many, from where, to where", "write `draw 1 from deck to p.hand`", _RULE + "draw a card"),
    _m(r"\b(?P<at>(top|bottom|first|last)\s+‸?(?:card|tile|piece|token|one|\w+)\s+‸?of)\s+‸?\w",
       "the {0} one of a place is `{0} of`", "write `{0} of deck`", _RULE + "move top card of deck to p.hand"),
    _m(r"\bchooses?\s+‸?(?P<at>(?:an?|the)\s+‸?(\w+))\s+‸?(?:from|in|of|out)\s+‸?([\w.\[\]]+)",
       "what is chosen gets a name of its own", "write `choose c in {1}`", _RULE + "choose a card from p.hand"),
    _m(r"\bchooses?\s+‸?(?P<at>(?!up\b|any\b|one\b)([a-z]+)\s+‸?([a-z]\w*))\s+‸?in\b", "one name is enough",
       "write `choose {1} in …`; a kind stands behind it, `choose {1}: Card in …`",
       _RULE + "choose card c in p.hand"),
    _m(r"\bchooses?\s+‸?one\s+‸?(?P<at>of|:|\()\s*‸?\"", "the branches of `choose one` stand below it",
       "write each text on a line of its own, indented by two spaces", _RULE + 'choose one of "A", "B"'),
    _m(r"\b(?:if|while|until|requires|and|or|not)\s+‸?(?P<at>([\w.]+)\s+‸?(?:has|have|contains|includes)\s+‸?"
       r"(?:an?\s+‸?)?(\w+)\s+‸?where)\b", "that there is one is said with `some`", "write `some {1} in {0} has …`",
       _RULE + "if heap has c where c.rank > 3\n    stop"),
    _m(r"\b(?P<at>(?:all|each|every)\s+‸?(\w+)\s+‸?in\s+‸?([\w.]+)\s+‸?(?:have|are|is))\b",
       "that it holds of all is said with `every … has`", "write `every {0} in {1} has …`",
       _RULE + "if all c in heap have c.rank > 3\n    stop"),
    _m(r"=\s*‸?(?P<at>(max|min|maximum|minimum|highest|lowest|best)\s+‸?(\w+)\s+‸?in\s+‸?([\w.]+))\s+‸?by\b",
       "the one that is best is the first in an order", "write `first {1} in {2} by highest …` (or `by lowest …`)",
       _RULE + "let best = max c in heap by c.rank"),
    _m(r"=\s*‸?(?P<at>(\w+)\s+‸?in\s+‸?([\w.]+))\s+‸?(with\s+‸?(?:most|least)|by\s+‸?(?:highest|lowest)|where)\b",
       "say which of them: `the`, `first` or `all`",
       "write `the {0} in {1} {2} …`, or `first {0} in {1} by highest …`",
       _RULE + "let best = c in heap with most c.rank"),
    _m(r"\b(?P<at>(sum|total)\s+‸?of)\b", "a sum has brackets", "write `sum(c.rank for c in heap)`",
       _RULE + "let x = sum of c.rank for c in heap"),
    _m(said(r"(?P<at>win|lose|wins|loses|eliminate|winner)", rf"({_NAME})") + _END, "the player comes first",
       'write `{0} wins "why"`, `{0} loses "why"` or `{0} drops out`', _RULE + "win p"),
    _m(r"^\s+‸?(?P<at>game)\s+‸?(?:over|ends?)\b", "the game is ended with `end game`",
       'write `end game`, or `p wins "why"`', _ONE + "game over"),
    _m(r"^\s+‸?(?P<at>pass|skip|nothing|noop)" + _END, "what does nothing needs no line",
       "leave it out; `done` leaves the rule, `stop` the loop", _RULE + "pass", "R0124"),
    _m(said(r"for", _NAME, "in", r"(?P<at>all)", r"(\w+)", "in", r"([\w.()]+)\s+(by\s+(?:highest|lowest))\b"),
       "`for` sorts by itself", "leave `all` out: `for {0} in {1} {2} …`",
       _RULE + "for q in all r in players by lowest r.coins\n    stop"),
)  # fmt: skip

TESTED = (
    _m(r"^    (\w+)\s+‸(?P<at>chose|choose|picks|selects|takes|plays|play)\s*‸?(?=\"|\w)",
       "a choice of a test is `chooses`", 'write `{0} chooses "…"`',
       _TEST + 'seat1 chose "x"\n  then\n    seat1 wins'),
    _m(r"^    (?P<at>choose)\s+‸?\"", "a test says who chooses", 'write `seat1 chooses "…"`',
       _TEST + 'choose "x"\n  then\n    seat1 wins'),
)  # fmt: skip

TOLD = (
    _m(r"^\s+([a-z]\w*(?:\[[^\]]*\])?)\s*‸(?P<at>=)\s*([0-9]+)$", "a field has a type before its value",
       "write `{0}: 0..9 = {1}`", "table\n  fame = 5"),
    _m(r"\bchooses?\s+‸?(\w+)\s+‸?in\s+‸?(?P<at>([\w.\[\]]+)\s*,\s*‸?([\w.\[\]]+))\s*‸?(?:\"|$)",
       "two sets are joined in brackets", "write `choose {0} in ({1}, {2})`",
       _RULE + 'choose c in p.hand, market "Which?"'),
    _m(r"\bchooses?\s+‸?(\w+)\s+‸?in\s+‸?\S+\s+‸?(?P<at>or)\s+‸?(?:\"|pass|nothing|none)",
       "what may be left out is a branch of its own",
       'write `choose one`, and below it `"Take {{c}}" for c in …` and `"Nothing"`',
       _RULE + 'choose c in heap or "Nothing"'),
    _m(r"\bmay\s+‸?(?P<at>(?!repeatedly)[a-z]\w*)\s+‸?\S",
       "what somebody may do has a text, and stands on the lines below",
       'write `may "Draw a card"` and below it what happens', _RULE + "p may draw 1 from deck to p.hand"),
    _m(said("move", r"(?:up to )?[0-9a-z]+", r"(\w+)", r"(?P<at>from)", r"([\w.\[\]]+)"),
       "`move` says which pieces, with `in`", "write `move 1 c in {1} to …`, or `draw 1 from {1} to …`",
       _RULE + "move 1 card from deck to p.hand"),
    _m(said(rf"(?:({_NAME})", r")?(?P<at>gives?)\b"), "what is handed over is paid",
       "write `pay 1 coins to q`, or for somebody else `q pays 1 coins to p`; pieces go with `move c to q.hand`",
       _RULE + "p gives 1 coins to next(p)"),
    _m(r"^\s+\S+\s*‸?(?P<at>-‸?>|=‸?>)\s*‸?\S", "there are no arrows",
       "write `move … to …` for pieces, `pay … to …` for numbers", _RULE + "p.coins -> next(p)"),
    _m(said(r"(?P<at>exchange|trade)", r"(\S+)", r"(?:with|and|for)", r"(\S+)"),
       "pieces or places change with `swap`", "write `swap {0} with {1}`", _RULE + "exchange c with d"),
    _m(said("swap", r"(\S+)", r"(?P<at>and|for)", r"(\S+)"), "`swap` names the second behind `with`",
       "write `swap {0} with {1}`: pieces or places; numbers take a `let`", _RULE + "swap c and d"),
    _m(said(r"(?P<at>ask|let\s+‸?player|player)", r"\w+", r"(?:to|choose|\")"),
       "who is asked is said with `chooses` or `may`", 'write `p chooses c in … "Which?"`',
       _RULE + 'ask p to choose'),
    _m(said(r"(?P<at>ask)", r"\w+", r"‸?\""), "who is asked is said with `chooses` or `may`",
       'write `p chooses c in … "Which?"`', _RULE + 'ask p "Which?"'),
    _m(said(r"(?P<at>next\s+‸?player|\w+\s+‸?skips)\b"), "whose turn it is, `in turn` says",
       "write `in turn p from seat1 skipping …`; `done` ends the present turn early", _RULE + "next player"),
    # In a variant `set` is a word, and the line is wrong further on.
    _m(r"^\s+(?=‸|set\s+‸)‸?(?P<at>set)\s+‸?(\S+)\s*(?:=|to)\s*", "a field is set without a verb",
       "write `{0} = …`; a variant in which it begins with another number says `replace each player`, and below it "
       "`{0}: 0..9 = …`", _ONE + "set fame = 3"),
    _m(r"^  (?:  )?(\S+)\s+‸(?P<at>is|becomes|equals)\s+([^\s\"]+)$", "a field is set with `=`", "write `{0} = {1}`",
       _RULE + "fame is 3"),
    _m(r"^\s*(?:for|while|if)\b[^‸]*‸(?P<at>do|begin)\s*$", "no `{at}` at the end of a line",
       "leave it out: the indented lines below belong to it", _RULE + "for q in players do\n    stop"),
    _m(r"^\s+‸?(?P<at>(?:each|every|all)\s+‸?players?|everyone|everybody)\s+‸?[a-z]",
       "many players are gone through one by one",
       "write `for q in players` and below it what each does, `q gains 1 coins`",
       _ONE + "each player draws 1 from deck"),
    _m(said("repeat", r"(?P<at>for)\b"), "a loop over players is `for`", "write `for q in players`",
       _RULE + "repeat for each player\n    stop"),
    _m(r"\b(?:if|while|until|and|or|requires)\s+‸?(\S+)\s+‸?(?P<at>(not\s+‸?)?(empty|full|none))\b",
       "`is` belongs to the question", "write `{0} is {at}`", _RULE + "while deck not empty\n    stop"),
    _m(said(r"(?P<at>deal|deals)\b"), "cards are dealt with `draw`, to one player after the other",
       "write `for q in players` and below it `draw 2 from deck to q.hand`", _RULE + "deal 2 cards to each player",
       "R0109"),
    _m(said(rf"(?:{_NAME}\s+‸?)?(?P<at>look|looks|peek|peeks)\b"), "somebody sees a piece with `reveal`",
       "write `reveal top of deck to p`", _RULE + "look at top of deck"),
    _m(r"^\s+(?:draw|roll|gain|move)\b[^‸\"]*\s‸(?P<at>and)\s+(?:then\s+)?[a-z]", "a statement has a line of its own",
       "start a new line instead of `and`", _RULE + "roll dice and gain 1 coins"),
    _m(r"^\s+requires\b[^‸]*‸(?P<at>else|otherwise|because|or)\s+\"",
       "the reason stands behind the condition by itself", 'write `requires … "why"`',
       _RULE + 'requires p.coins >= 3 else "too poor"'),
    _m(r"^\s+requires\s+‸(?P<at>\")", "the condition comes first", 'write `requires … "why"`',
       _RULE + 'requires "too poor" p.coins >= 3'),
    _m(r"^\s+(?P<at>option|case|branch|choice|button)\s*‸?:?\s*‸?\"", "a branch begins with its text",
       'write `"Buy"`, and what happens on the lines below',
       'effect try_out(p)\n  choose one "What?"\n    option "Buy"\n      stop'),
    _m(r"^\s*\"(?:[^\"\\]|\\.)*\"\s*‸(?P<at>costs?|costing|requires|pays?)\b",
       "what a branch costs is its first line", "write `pay 2 coins` below it: it is offered only if it can be paid",
       'effect try_out(p)\n  choose one "What?"\n    "Buy" costs 2 coins\n      stop'),
    _m(r"=\s*(?P<at>(top|bottom|first|last))\s+‸(\w[\w.]*)\s*$", "the {0} one of a place is `{0} of`",
       "write `{0} of {1}`", _RULE + "let x = last heap"),
    _m(said("draw", r"\S+(?:\s+‸?to\s+‸?\S+)?", "from", r"([\w.\[\]]+)", r"(?P<at>(top|bottom))\b"),
       "`draw` takes from the top", "write `draw 1 from {0} to …`, or `move {1} of {0} to …`",
       _RULE + "draw 1 from deck bottom to p.hand"),
    _m(r"^\s+move\s+‸?(?P<at>all\s+‸?([a-zA-Z]\w*(?:‸?\.‸?[\w\[\]]+)*))\s+‸?to\b", "each piece that moves has a name",
       "write `move all c in {0} to …`", _RULE + "move all p.hand to discard"),
    _m(said("shuffle", r"(\S+)", r"(?P<at>and|with)", r"(\S+)"), "one place is shuffled into another",
       "write `shuffle {0} into {1}`", _RULE + "shuffle discard and deck"),
)  # fmt: skip

ENGLISH = (*DECLARED, *TESTED, *DONE)
