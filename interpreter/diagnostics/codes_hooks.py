"""Codes of the family R06: hooks and layers. One entry per code; `codes.py` gathers them."""

from __future__ import annotations

from .entry import Code

CODES: dict[str, Code] = {
    "R0602": Code(
        "variants that exclude one another",
        "A chosen variant says that it `excludes` another one that was chosen, or that a chosen one needs.",
        "rulewright play harbour+solo+variable_turn_order",
        "rulewright play harbour+solo",
    ),
    "R0603": Code(
        "nothing there to change",
        "`set`, `replace`, `extend` and `remove` change something that a lower layer declares under exactly that name.",
        "replace effect refil_market",
        "replace effect refill_market",
    ),
    "R0604": Code(
        "two variants change the same thing",
        "Two active variants, or two lines of one, replace, set, extend or remove the same thing, and neither "
        "`overrides` the other. Two that both extend it, or both remove it, agree, as long as they do not declare or "
        "change the same attribute.",
        """
variant a of harbour
  set heaps = 3
variant b of harbour
  set heaps = 5
""",
        """
variant b of harbour
  overrides a
  set heaps = 5
""",
    ),
    "R0605": Code(
        "a replacement of another form",
        "What replaces a rule has its form, its name and its parameters, so that callers and hooks still fit. A map is "
        "extended by a file of its own form: nodes and edges, or tiles.",
        "replace action take(p)    # effect take(p, c: Card)",
        "replace effect take(p, c: Card)",
    ),
    "R0606": Code(
        "declared again in a higher layer",
        "A variant, or a game that uses another, declares what a lower layer already declares. To change it, say "
        "`replace`.",
        """
variant big of harbour
  effect take(p, n: 1..3)
""",
        """
variant big of harbour
  replace effect take(p, n: 1..3)
""",
    ),
    "R0607": Code(
        "no player count is left",
        "A game is for 1 to 100 players, and a variant allows some of the player counts of its game. Here no player "
        "count is allowed by the game and by all chosen variants.",
        "variant solo of harbour for 2 players    # with one for 3..4 players",
        "variant solo of harbour for 2..4 players",
    ),
    "R0608": Code(
        "a layer that names something unknown",
        "`needs`, `excludes` and `overrides` name variants of the same game.",
        "needs sollo",
        "needs solo",
    ),
    "R0609": Code(
        "a ruleset that uses itself, or another twice",
        "A ruleset cannot be its own base, directly or through others, and it names each of its bases once.",
        "use harbour    # in a ruleset that harbour uses",
        "use harbour_core",
    ),
    "R0610": Code(
        "variants that contradict one another",
        "A variant names itself after `needs`, `excludes` or `overrides`; or it needs a variant that it excludes; or "
        "variants override one another in a circle.",
        """
variant hard of harbour
  needs solo
  excludes solo
""",
        """
variant hard of harbour
  needs solo
""",
    ),
    "R0620": Code(
        "a hook on nothing",
        "A hook is attached to a rule, a field or a place that exists. A value can have only `instead of` hooks, a "
        "change only `after` hooks.",
        "after refil_market",
        "after refill_market",
    ),
    "R0621": Code(
        "a pattern that does not fit",
        "A pattern names the parameters of the rule, or the owner and indexes of the field or place, and "
        "says what can happen to it.",
        "before take(p)    # effect take(p, c: Card)",
        "before take(p, c)",
    ),
    "R0622": Code(
        "nothing is replaced here",
        "`previous` stands for what an `instead of` hook replaces, so it can be used only there.",
        """
after price(p)
  result previous
""",
        """
instead of price(p)
  result previous + 1
""",
    ),
    "R0623": Code(
        "nothing to prevent",
        "`prevent` cancels the rule that a `before` hook runs before. It works only on rules without a result.",
        """
after take(p, c)
  prevent
""",
        """
before take(p, c)
  prevent
""",
    ),
    "R0624": Code(
        "nowhere to add options",
        "`also in` adds to the one `choose one` of a rule.",
        """
also in refill_market
  "Skip"
""",
        """
also in take_cards(p)
  "Skip"
""",
    ),
    "R0625": Code(
        "a hook that sets itself off",
        "A hook on a change must not make that change itself, neither directly nor through other rules.",
        """
after p.coins rises
  gain 1 coins
""",
        """
after p.coins rises
  gain 1 vp
""",
    ),
    "R0626": Code(
        "two variants instead of one rule",
        "Two active variants stand unconditionally `instead of` the same rule, and neither uses `previous` nor "
        "`overrides` the other: only one of them could ever run.",
        """
variant a of harbour
  instead of take(p)
    done
variant b of harbour
  instead of take(p)
    done
""",
        """
variant b of harbour
  overrides a
  instead of take(p)
    done
""",
    ),
}
