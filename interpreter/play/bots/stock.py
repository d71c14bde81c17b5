"""Whether having more speaks for winning, in a game whose margins are what each player still has (`compile/stock`).

It mostly does, but the rules do not say so: there are games in which men have to be given away. So before
its first simulation a search plays `MEASURED` random games from its decision, in its first world. They tell whether
those who had more at the end came off better:

    products = sum((m - mean m) * (r - mean r)),   margins = sum((m - mean m)^2),   results = sum((r - mean r)^2)

over those games, m being the margin of a player at the end and r the result, with means for each player and sums over
all players. If margins never differ, or m and r are correlated at less than -1/4 (`products` < 0 and `AGAINST` *
products^2 > margins * results), margins *mislead*: games of the search are random, and it looks at results alone, one
step ahead (`one_step`) as well. So do searches with a cutoff or a policy, which try nothing. Draws do not count against
margins, since most of these games come to nothing between players who choose at random.

Otherwise the games of the search are guided, and stopped after `MOST` choices: what was captured by then stays
captured, and what comes later says little about a choice now. `rw_stock.h` is the same on the native engine.
"""

from __future__ import annotations

MEASURED = 16  # random games before the first simulation
STREAM = 1 << 42  # their seeds are derived from that of the search, from this number on
MOST = 6  # choices of a guided game
AGAINST = 16.0  # 1 / square of the correlation from which on having more speaks against winning


class Stock:
    """What the measured games of one search have told. A search that does not try it does without."""

    def __init__(self, players: int) -> None:
        self._games = 0
        self._sums = [[0.0] * 5 for _ in range(players)]  # of each player: m, r, m * r, m * m, r * r
        self.is_tried = False
        self.misleads = False

    def played(self, margins: list[int], result: list[float]) -> None:
        """A measured game has ended so."""
        self._games += 1
        for own, margin, won in zip(self._sums, margins, result, strict=True):
            own[0] += float(margin)
            own[1] += won
            own[2] += float(margin) * won
            own[3] += float(margin * margin)
            own[4] += won * won

    def decide(self) -> None:
        """All measured games were played, but for those that met a fault."""
        self.is_tried = True
        self.misleads = self._goes_against()

    def _goes_against(self) -> bool:
        products = margins = results = 0.0
        if not self._games:
            return True
        for margin, won, both, margin_square, won_square in self._sums:
            products += both - margin * won / self._games
            margins += margin_square - margin * margin / self._games
            results += won_square - won * won / self._games
        return margins == 0.0 or (products < 0.0 and AGAINST * products * products > margins * results)
