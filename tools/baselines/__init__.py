"""The same games as plain Python classes, written by hand: what the bench measures against, what tests compare with.

They are what a good programmer would write for one game on an ordinary day: lists and ints, readable, neither
tuned nor slowed down. Nothing here imports the interpreter. `BASELINES` maps the name of a ruleset to its class.
"""

from __future__ import annotations

from tools.baselines.baseline import Baseline
from tools.baselines.breakthrough import Breakthrough
from tools.baselines.connect_four import ConnectFour
from tools.baselines.flatiron import Flatiron
from tools.baselines.kalah import Kalah
from tools.baselines.kikai import Kikai
from tools.baselines.kiwi_chow_down import KiwiChowDown
from tools.baselines.kuhn_poker import KuhnPoker
from tools.baselines.nim import Nim
from tools.baselines.pikit import Pikit
from tools.baselines.tic_tac_toe import TicTacToe

BASELINES: dict[str, type[Baseline]] = {
    "breakthrough": Breakthrough,
    "connect_four": ConnectFour,
    "flatiron": Flatiron,
    "kalah": Kalah,
    "kikai": Kikai,
    "kiwi_chow_down": KiwiChowDown,
    "kuhn_poker": KuhnPoker,
    "nim": Nim,
    "pikit": Pikit,
    "tic_tac_toe": TicTacToe,
}

__all__ = [
    "BASELINES",
    "Baseline",
    "Breakthrough",
    "ConnectFour",
    "Flatiron",
    "Kalah",
    "Kikai",
    "KiwiChowDown",
    "KuhnPoker",
    "Nim",
    "Pikit",
    "TicTacToe",
]
