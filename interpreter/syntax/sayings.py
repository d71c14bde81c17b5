"""What people write who tell a game aloud: `rounds until …`, `turn c face up`, `p scores 3`, `x is odd`.

More rows for the table of `mistakes`. Each was written by somebody who knew the game and had read the reference once,
and was answered with no more than "does not fit here". `PLAIN` rows come early, since another row would answer them
wrongly; `LATE` rows come last.
"""

from __future__ import annotations

from .english import said
from .mistake import Mistake

_RULE = "effect try_out(p)\n  "
_ONE = 'phase turn(p)\n  choose one "What?"\n    "Rest"\n  '
_NAME = r"[a-z]\w*"
_PLACE = r"[a-z]\w*(?:\[[^\]]*\])?(?:\.\w+(?:\[[^\]]*\])?)*"
_END = r"\s*‸?\s*$"
_RAISED = r"(?:gain|gains|lose|loses|pay|pays)"


def _m(pattern: str, headline: str, help: str, example: str, code: str = "R0116") -> Mistake:
    return Mistake(code, pattern, headline, help, example)


PLAIN = (
    _m(r"\b(?:if|while|until|and|or|not|where|has|requires)\s+‸?([\w.]+)\s+‸?is\s+‸?(?P<at>odd|even)\b",
       "what is left over tells odd from even", "write `{0} mod 2 == 1` for odd, `{0} mod 2 == 0` for even",
       _RULE + "if p.coins is odd\n    stop"),
    _m(r"^\s+‸?(\w+)\s+‸?is\s+‸?(?P<at>eliminated|out|dead|knocked\s+out)" + _END,
       "who leaves the game drops out", "write `{0} drops out`, or `{0} loses` if the game knows losers",
       _RULE + "p is eliminated"),
    _m(r"\bchooses?\s+‸?(?P<at>any\s+‸?number\s+‸?of)\s+‸?(\w+)", "as many as one likes is `any`",
       "write `choose any {0} in … as chosen`", _RULE + "choose any number of c in p.hand as cs"),
)  # fmt: skip

_TURNS = (
    _m(said(r"(?P<at>rounds?)", r"until\b"), "rounds are written as a loop over the players",
       "write `in turn p from seat1 until …`, or `while not …` and below it `for p in players`",
       _RULE + "rounds until deck is empty"),
    _m(said(r"(?P<at>(?:for|play)\s+‸?([0-9]+)\s+‸?(?:rounds|turns|times))") + _END,
       "a loop that is counted is `repeat`", "write `repeat {0} times`", _RULE + "for 5 rounds\n    stop"),
    _m(said(r"(?P<at>rounds?|turns)", r"([0-9]+)") + _END, "a loop that is counted is `repeat`",
       "write `repeat {0} times`", _RULE + "rounds 5\n    stop"),
    _m(said(r"(?P<at>players\s+‸?take|turns)\b"), "turns are a loop over players",
       "write `in turn p from seat1 until …`, and below it what a turn is",
       _RULE + "players take turns until deck is empty"),
    _m(said(rf"({_NAME})", r"(?P<at>takes?|gets?|has)", r"(?:another|an\s+‸?extra|one\s+‸?more|a\s+‸?second)\s+turn\b"),
       "a further turn is a loop around the turn", "write `repeat` and below it the turn, with `stop` where it is over",
       _RULE + "p takes another turn"),
)  # fmt: skip

_MOVES = (
    _m(said("draw", r"([0-9]+)", r"from\b[^‸]*‸(?P<at>if\s+possible)"),
       "to draw fewer when there are not enough, write `up to`",
       "write `draw up to {0} from …`", _RULE + "draw 2 from deck to p.hand if possible"),
    _m(said(rf"(?:{_NAME}\s+‸?)?{_RAISED}", r"([0-9]+)", r"(\w+)\s*‸(?P<at>if\s+possible)"),
       "to take no more than there is, write `up to`", "write `gain up to {0} {1}` or `lose up to {0} {1}`",
       _RULE + "lose 3 coins if possible"),
    _m(r"^\s+choose\b[^‸]*\b(?P<at>if\s+possible)\s+‸\"", "`if possible` comes last, behind the question",
       'write `choose c in S "Which?" if possible`, and indent what happens then',
       'play\n  choose c in pile if possible "Which card?"\n    move c to box'),
    _m(r"^\s+(move|shuffle|roll|flip|swap|reveal|draw)\b[^‸]*‸(?P<at>if\s+possible)",
       "`if possible` belongs to calls of rules, `perform`, `choose` and `pick`",
       "put `if` and a condition in front, such as `if market is not empty`", _RULE + "move c to discard if possible"),
    _m(said(r"(?P<at>turn)", rf"({_PLACE})", r"(?:face\s+)?(up|down|over)\b"), "a piece is turned over with `flip`",
       "write `flip {0} face up` or `flip {0} face down`", _RULE + "turn c face up"),
    _m(said("flip", rf"({_PLACE})") + _END, "`flip` says which side is up",
       "write `flip {0} face up` or `flip {0} face down`", _RULE + "flip c", "R0124"),
    _m(said(r"(?P<at>show|shows)", r"(\S+)", r"to\b"), "somebody sees a piece with `reveal`",
       "write `reveal c to q`, or for all of a hand `reveal all c in p.hand to q`", _RULE + "show p.hand to q"),
    _m(r"^\s+(?P<at>pass)\s+‸?(\w+‸?\.(\w+))\s+‸?to\s+‸?(\S+)" + _END, "one player's cards go with `move`",
       "write `move all c in {0} to {2}.{1}`; hands that all hand on at once: `pass {1} left`",
       _RULE + "pass p.hand to next(p)"),
    _m(said(r"(?P<at>re-?roll)\b"), "dice are thrown again with `roll`",
       "write `roll cup`, or `roll d` for one of them", _RULE + "reroll cup", "R0109"),
    _m(said(r"(?P<at>re-?shuffle)\b"), "there is one word for shuffling", "write `shuffle discard into deck`",
       _RULE + "reshuffle discard into deck", "R0109"),
    _m(r"=\s*‸?(?P<at>roll\s+‸?\S+)" + _END, "dice are thrown first, and read afterwards",
       "declare `cup: 1 dice of 1..6`, write `roll cup`, and read `cup[1].face` or `sum(d.face for d in cup)`",
       _RULE + "let x = roll d6"),
    _m(r"\bchooses?\s+‸?[^‸]*‸(?P<at>to\s+(discard|keep|play|take|move|draw|give|sell|buy)\b.*)$",
       "what happens to what was chosen stands on the next line", "write `choose c in …`, and below it `move c to …`",
       _RULE + "p chooses c in p.hand to discard"),
)  # fmt: skip

_CHOICES = (
    _m(r"\bchooses?\s+‸?(?P<at>at\s+‸?least)\s+‸?([0-9]+)\b", "how many are chosen is a range",
       "write `choose {0}..9 c in … as chosen`", _RULE + "choose at least 1 c in p.hand as cs"),
    _m(r"\bchooses?\s+‸?(?P<at>at\s+‸?most)\s+‸?([0-9]+)\b", "how many are chosen is a range, or `up to`",
       "write `choose up to {0} c in … as chosen`", _RULE + "choose at most 2 c in p.hand as cs"),
    _m(r"\bchooses?\s+‸?(?P<at>an?\s+‸?(?:card|tile|piece|token|\w+)\s+‸?(\w+))\s+‸?in\b", "one name is enough",
       "write `choose {0} in …`", _RULE + "choose a card c in p.hand"),
    _m(r"\bchooses?\s+‸?one\s+‸?(?P<at>of)" + _END, "the branches of `choose one` stand below it",
       "leave `of` out", _RULE + 'p chooses one of\n    "Rest"'),
)  # fmt: skip

_VALUES = (
    _m(r"\b(?P<at>(max|min|sum)\s+‸?([\w.]+))\s+‸?for\b", "`{0}` has brackets",
       "write `{0}({1} for c in p.hand)`", _RULE + "let n = max c.rank for c in p.hand"),
    _m(said("let", r"(\w+)", r"(?P<at>be|to|is|equal|equals)\b"), "`let` takes `=`", "write `let {0} = …`",
       _RULE + "let x be 3"),
    _m(said(rf"({_NAME})", r"(?P<at>scores?)", r"([0-9]+)\b"), "points are a field like any other",
       "declare `points: 0..99` under `each player`, and write `{0}.points += {1}`", _RULE + "p scores 3"),
    _m(said(rf"({_NAME})", "pays", rf"(?P<at>({_NAME}))", r"([0-9]+)", rf"({_NAME})") + _END,
       "who is paid comes last", "write `{0} pays {2} {3} to {1}`", _RULE + "p pays q 3 coins"),
    _m(said(r"(?P<at>cost|costs|price)", r"([0-9]+)", r"(\w+)") + _END, "what an action costs is paid in it",
       "write `pay {0} {1}`: the action is offered only if it can be paid", "action buy(p)\n  cost 3 coins"),
    _m(said(r"(?P<at>require)\b"), "a rule `requires`", "write `requires …`", _RULE + "require p.coins > 3", "R0109"),
    _m(said("say", r"(?P<at>[a-z][\w.]*)\s*\"?"), "`say` takes one text",
       "write `say \"{{p}} draws\"`, with holes in braces", _RULE + 'say p " draws"'),
    _m(said(rf"({_NAME})", "wins", r"(?P<at>with|by|on)\b"), "why somebody wins is a text",
       "write `{0} wins \"why\"`, with what counts in a hole", _RULE + "p wins with 3"),
    _m(said("perform", r"([a-z]\w*)", r"(?P<at>[a-z]\w*)") + _END, "a rule is called by its name, without a verb",
       "write `{0}({at})`; `perform` runs an effect that a card has: `perform c.gift for p`",
       _RULE + "perform buy p"),
    _m(said(r"(?P<at>do|call|run|execute|invoke|trigger|resolve)", r"([a-z]\w*\([^‸]*)") + r"$",
       "a rule is called by its name, without a verb", "write `{0}`", _RULE + "do buy(p)"),
)  # fmt: skip

_DECLARED = (
    _m(r"^  [a-z]\w*\s*:\s*(row|pool|hand|pile|bag)\s+of\s+‸(?P<at>([0-9]+)\s+([A-Z]\w*))",
       "how many fit comes last", "write `{0} of {2} open capacity {1}`", "table\n  market: row of 5 Card"),
    _m(r"^  [a-z]\w*\s*:\s*(?:row|pool|hand|pile|bag)\s+of\b[^‸]*‸(?P<at>(?:max|at\s+most|limit|size)\s*([0-9]+))",
       "how many fit is said with `capacity`", "write `capacity {0}`", "table\n  market: row of Card open max 5"),
    _m(r"^  [a-z]\w*\s*:\s*(?:(?P<at>([0-9]+)\s*‸?\s*by\s*([0-9]+))\b|(?P<second>grid)\s+‸([0-9]+)\s+by\s+([0-9]+))",
       "a board is a map of its own", "write `map board is grid 3 by 3`, and what its spaces hold below `each Cell`",
       "table\n  board: grid 3 by 3"),
    _m(r"^  (?P<at>(hand|pile|row|pool|bag)\s+‸of)\s+([A-Z]\w*)", "a place has a name, then what it is",
       "write `cards: {0} of {1}`", "each player\n  hand of Card secret"),
    _m(r"^‸?(?P<at>per\s+‸?player|players?|for\s+‸?each\s+‸?player|every\s+‸?player)" + _END,
       "what each player has stands below `each player`", "write `each player`", "per player\n  coins: 0..99", "R0108"),
    _m(r"^\s+copies\s+\S+\s+for\s+each\s+([a-z]\w*)\s*‸(?P<at>,)", "a key has a type",
       "write `for each {0}: Colour, rank: 1..9`", "kind Card\n  copies 1 for each suit, rank"),
    _m(r"^enum\s+([A-Z]\w*)\s+‸(?P<at>[a-z]\w*)", "the values of an enum come after `=`", "write `enum {0} = {at} | …`",
       "enum Suit spades | clubs"),
    _m(r"^‸?(?P<at>winner|ranking|victory|win)\b", "who is ahead at the end is said with `rank`",
       "write `rank p by highest score`, and what counts below `score p`", "winner p by highest score", "R0108"),
    _m(r"^(phase|action|effect|value)\s+(\w+)\s+‸(?P<at>(?:of|for|by|with)\s+([a-z]\w*))",
       "parameters stand in brackets", "write `{0} {1}({2})`", "phase turn of p\n  stop"),
    _m(r"^action\s+[^‸]*\"\s*‸(?P<at>requires|costs?|if|when|where)\b", "what an action needs stands below it",
       "write `requires …` on the next line, indented", 'action buy(p) "Buy" requires p.coins > 3\n  stop'),
    _m(r"^(after|before)\s+([a-z]\w*)\s+‸(?P<at>draws?|moves?|plays?|takes?|buys?|gains?|loses?)\b",
       "a hook waits for a rule, a number or a place",
       "write `{0} turn(p)`, `after p.coins rises` or `after c enters p.hand`", "after p draws\n  stop"),
    _m(r"^  when\s+‸(?P<at>([a-z]\w*)\s+(?:chooses|takes|plays|rolls)\b.*)", "choices of a scenario stand below `when`",
       "write `{at}` on the next line, indented by four spaces", 'scenario "A"\n  given\n    after setup\n'
       '  when seat1 chooses "Rest"\n  then\n    seat1 wins'),
)  # fmt: skip

LATE = (*_TURNS, *_MOVES, *_CHOICES, *_VALUES, *_DECLARED)
