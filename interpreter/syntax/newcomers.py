"""What people write who change an example of the reference a little: `draw … into`, `some c in S with`, `1 to 3`.

More rows for the table of `mistakes`. `AT_ONCE` rows come early, since another row would answer them wrongly;
`OTHERWISE` rows come last.
"""

from __future__ import annotations

from .english import said
from .mistake import Mistake

_RULE = "effect try_out(p)\n  "
_ONE_OF = r"\b(?:chooses?|pick|for|some|every|no|all)\s+‸?"
_PATH = r"[a-z]\w*(?:\[[^\]‸]*\])?(?:\.\w+)*"
_END = r"\s*‸?\s*$"


def _m(pattern: str, headline: str, help: str, example: str, code: str = "R0116") -> Mistake:
    return Mistake(code, pattern, headline, help, example)


AT_ONCE = (
    _m(rf"\b(?:if|while|until|and|or|not|where|has|requires)\s+‸?({_PATH})\s+‸?(?P<at>empty|full|none)\b",
       "whether something is empty is asked with `is`", "write `{0} is {at}`",
       _RULE + "if market empty\n    stop"),
    _m(rf"\b(?:some|every|no)\s+‸?(\w+)\s+‸?in\s+‸?({_PATH})\s+‸?(?P<at>with|that|whose|having)\b"
       r"(?!\s+‸?(?:most|least))", "what holds of it is said with `has`", "write `some {0} in {1} has …`",
       _RULE + "if some c in market with c.rank > 3\n    stop"),
    _m(r"^\s+(?:for|if|while|repeat|else|in\s+turn)\b[^‸\"]*‸(?P<at>:)\s*\S", "what happens stands on the lines below",
       "leave the `:` out, and start a new line, indented by two spaces", _RULE + "for c in p.hand: gain 1 coins"),
    _m(r"\bchooses?\s+‸?(?P<at>\"[^\"‸]*\"\s*‸?(?:or|and|,|/)\s*‸?\"[^\"]*\")", "texts to choose from stand in lines",
       "write `choose one \"What do you do?\"`, and below it each text on a line of its own",
       _RULE + "choose \"Buy\" or \"Pass\""),
    _m(r"\bchooses?\s+‸?(?P<at>between)\s+‸?\"", "texts to choose from stand in lines",
       "write `choose one \"What do you do?\"`, and below it each text on a line of its own",
       _RULE + "choose between \"A\" and \"B\""),
    _m(r"^\s+copies\s+‸?(\S+)\s+‸?for\s+‸?each\s+‸?(?P<at>player)" + _END, "a key has a name and a type",
       "write `copies {0} for each owner: player`", "kind Guard\n  copies 2 for each player", "R0124"),
    _m(r"\bchooses?\s+‸?(?P<at>one\s+‸?(?:[a-z]\w*\s+‸?)?([a-z]\w*))\s+‸?in\b", "one name is enough",
       "write `choose {0} in …`", _RULE + "choose one card c in market \"Which?\""),
    _m(r"\bin\s+‸?(?P<at>(?:the\s+‸?)?(?:all\s+‸?)?other\s+‸?players)\b", "the other players are `rivals`",
       "write `rivals(p)`", _RULE + "choose q in other players \"Who?\""),
    _m(r"\bplayers\s+‸?(?P<at>except|but|besides|excluding|other\s+‸?than)\s+‸?(?:for\s+‸?)?(\w+)",
       "the other players are `rivals`", "write `rivals({0})`, or `players without {0}`",
       _RULE + "choose q in players except p \"Who?\""),
    _m(r"\bchooses?\s+‸?(?P<at>(?:a\s+‸?)?player(?:\s+‸?[a-z]\w*)?)\s*‸?\"", "a player is chosen from the players",
       "write `choose q in players \"Who?\"`, or `choose q in rivals(p) \"Who?\"`", _RULE + "choose player q \"Who?\""),
)  # fmt: skip

_DONE = (
    _m(rf"\b(?:let\s+‸?[a-z]\w*\s*‸?=|for\s+‸?[a-z]\w*\s+‸?in\s+‸?\(|move)\s*‸?({_PATH})\s+‸?(?P<at>where)\b",
       "what a condition is asked of needs a name", "write `all x in {0} where …`, with `x` in the condition",
       _RULE + "let rich = players where p.coins > 2"),
    _m(said(rf"({_PATH}\.\w+)", r"(?P<at>gains|gets|rises\s+‸?by|grows\s+‸?by)", r"([0-9]+)"),
       "a number is changed with `+=` and `-=`", "write `{0} += {1}`", _RULE + "p.coins gains 1", "R0124"),
    _m(said(r"([a-z]\w*)", r"(?P<at>gets|receives|earns|collects)", r"([0-9]+)", r"(\w+)"),
       "who gets something `gains` it", "write `{0} gains {1} {2}`", _RULE + "p gets 2 coins"),
    _m(said(r"([a-z]\w*)", r"(?P<at>spends)", r"([0-9]+)", r"(\w+)"), "who spends something `pays` it",
       "write `{0} pays {1} {2}`", _RULE + "p spends 2 coins"),
    _m(r"^\s*(?:\w+\s+)?draws?\b[^‸]*‸(?P<at>into|onto|in)\b", "`draw` goes `to` a place", "write `draw … to …`",
       _RULE + "draw 1 from deck into p.hand"),
    _m(said(r"draw", r"([0-9]+)") + _END, "`draw` says from where and to where",
       "write `draw {0} from deck to p.hand`", _RULE + "draw 2", "R0124"),
    _m(said(r"roll", r"(\w+(?:\.\w+)?)", r"(?P<at>twice|again|(?:[0-9]+|two|three)\s+‸?times)"),
       "a throw that comes again is a loop", "write `repeat 2 times` and below it `roll {0}`",
       _RULE + "roll dice twice"),
    _m(said(r"(?P<at>shows?)", rf"({_PATH})") + _END, "pieces are shown with `reveal`",
       "write `reveal {0}` for all, `reveal {0} to q` for one player", _RULE + "show p.hand"),
    _m(said(r"(?P<at>(?:the\s+‸?)?game\s+‸?(?:ends|is\s+‸?over))"), "a rule ends the game with `end game`",
       "write `end game`, or `end game \"why\"`", _RULE + "the game ends"),
    _m(said(r"(stop|done|prevent|end\s+game)", r"(?P<at>(?:if|when)\s+(.*))") + "$", "the condition comes first",
       "write `if {1}`, and below it `{0}`, indented", _RULE + "stop if p.coins > 3"),
    _m(said(r"(?P<at>optionally|optional|maybe)", r"\""), "what may be left out is `may`",
       "write `may \"Buy it\"`, and what happens on the lines below", _RULE + "optionally \"Buy\"\n    stop"),
)  # fmt: skip

_ASKED = (
    _m(_ONE_OF + r"[^‸\"]*\bin\b[^‸\"]*‸(?P<at>with\s+(?:the\s+)?(highest|largest|biggest|most|lowest|smallest))\b",
       "the one that is best is the first in an order",
       "write `first c in … by highest c.rank` (or `by lowest …`)", _RULE + "choose c in market with highest c.rank"),
    _m(r"=\s+([a-z]\w*)\s+in\s+([^‸\"]*?)\s+‸(?P<at>with\s+(?:the\s+)?(?:highest|largest|biggest|lowest|smallest))\b",
       "the one that is best is the first in an order",
       "write `first {0} in {1} by highest {0}.rank` (or `by lowest …`)",
       _RULE + "let best = c in market with highest c.rank"),
    _m(_ONE_OF + r"[^‸\"]*\bin\b[^‸\"]*‸(?P<at>with|that|whose|having)\b", "which of them is said with `where`",
       "write `x in S where C`", _RULE + "choose c in market with c.rank > 2 \"Which?\""),
    _m(_ONE_OF + r"([a-z]\w*)\s+‸(?P<at>where)\b", "the condition comes behind what is gone through",
       "write `{0} in … where …`", _RULE + "choose c where c.rank > 2 in market \"Which?\""),
    _m(r"\bchooses?\s+‸?(?:any|up\s+to|[0-9(])[^‸\"]*?\b([a-z]\w*)\s+in\b(?:(?!\sas\s)[^‸\"])*‸(?P<at>such)\s+that\b",
       "what holds of the whole set is asked of its name",
       "write `choose … {0} in … as chosen such that …`, with `chosen` in the condition",
       _RULE + "choose 2 c in p.hand such that count(c) < 2 \"Which?\""),
    _m(r"\bchooses?\s+‸?([a-z]\w*)\s+‸?in\s[^‸\"]*‸(?P<at>such)\s+that\b", "a condition on one thing is `where`",
       "write `choose {0} in … where …`", _RULE + "choose c in market such that c.rank > 2 \"Which?\""),
    _m(r"\bchooses?\s+‸?([a-z]\w*)\s+‸?in\s[^‸\"]*‸(?P<at>as)\s+([a-z]\w*)", "`as` is the name of a set",
       "leave it out, since what is chosen is called `{0}`; a set says how many: `choose 1 {0} in … as {1}`",
       _RULE + "choose c in p.hand as away \"Which?\""),
    _m(r"\bin\s+([0-9]+)\s*‸(?P<at>to|through|until)\s+([0-9]+)", "a range has two dots", "write `{0}..{1}`",
       _RULE + "choose n in 1 to 3 \"How many?\""),
    _m(r"\bin\s+([0-9]+\s*\.\.\s*\S+)\s+‸(?P<at>step|steps\s+of|by)\s+([0-9]+)", "a range goes by one",
       "add `where n mod {1} == 0`, or go over fewer numbers and multiply", _RULE + "for i in 1..3 step 2\n    stop"),
    _m(r"\b(?:and|or)\s+‸(?P<at><=|>=|==|!=|<|>)", "each comparison names what it compares",
       "write both sides again: `a > 3 and a < 5`", _RULE + "if p.coins > 3 and < 5\n    stop", "R0121"),
    _m(r"\b(max|min|sum)\(([^()‸]*?)\s+in\s+([^()‸\s]+)\s*‸\)", "what is gone over has a name, behind `for`",
       "write `{0}({1} for c in {2})`", _RULE + "let n = max(c.rank in market)"),
    _m(r"(?P<at>the\s+‸?next\s+‸?player)\b", "the next player is `next(p)`", "write `next(p)`",
       _RULE + "let q = the next player"),
    _m(r"\bfor\s+‸?(?P<at>every\s+‸?player(?:\s+‸?[a-z]\w*)?)", "players are gone through with `for`",
       "write `for q in players`", _RULE + "for every player q\n    stop"),
    _m(r"\b(?:from|to|in|of)\s+(?P<at>the)\s+‸", "no `the` before a name", "leave it out",
       _RULE + "draw 1 from the deck to p.hand"),
)  # fmt: skip

_DECLARED = (
    _m(r"^kind\s+([A-Z]\w*)\s+‸(?P<at>copies\s+([0-9]+))", "how many there are stands below the kind",
       "write `copies {1}` on the next line, indented by two spaces", "kind Guard copies 2"),
    _m(r"^score\s*‸?$", "a score is that of a player", "write `score p`", "score\n  \"Cards\" count(p.hand)", "R0124"),
    _m(r"^rank\s+(\w+)\s+‸(?P<at>highest|lowest|most|fewest)", "what is compared comes after `by`",
       "write `rank {0} by highest score`", "rank p highest score"),
    _m(r"^variant\s+(\w+)\s+‸(?P<at>\"[^\"]*\")", "a variant says of which game it is",
       "write `variant {0} of mygame {at}`, with the name behind `game`", "variant rich \"Rich\""),
    _m(r"^\s+together\s+‸?(?P<at>for)\s+‸?([a-z]\w*)", "`together` names its players itself",
       "write `together {0} in players`", _RULE + "together for q in players\n    stop"),
    _m(r"^\s+together\s*‸?$", "`together` says for whom", "write `together q in players`",
       _RULE + "together\n    stop", "R0124"),
    _m(said(r"(?P<at>simultaneously|at\s+‸?once|in\s+‸?parallel)", r"([a-z]\w*)"),
       "what all do at the same time is `together`", "write `together {0} in players`",
       _RULE + "simultaneously q in players\n    stop"),
    _m(r"^\s+at\s+(\w+)\s+‸(?P<at>(?:of|for)\s+(\w+))", "the player stands in brackets", "write `at {0}({1})`",
       'scenario "A"\n  given\n    at turn of seat1\n  then\n    seat1 wins'),
)  # fmt: skip

OTHERWISE = (*_DONE, *_ASKED, *_DECLARED)
