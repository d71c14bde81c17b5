"""Players who win or lose together share the result of a game: four of them are no four witnesses."""

from __future__ import annotations

import json
from pathlib import Path

from interpreter.cli.commands import exit_code_of

# One die says where all four go, another one whether they win: where they go means nothing.
OUTING = """
game outing "Outing" for 4 players

table
  dice: 2 dice of 1..2

play
  roll dice
  for p in players
    if dice[1].face == 1
      p chooses one "In the wood?"
        "To the oak"
          say "oak"
        "To the elm"
          say "elm"
    else
      p chooses one "On the lake?"
        "In the red boat"
          say "red"
        "In the blue boat"
          say "blue"
  if dice[2].face == 1
    everybody wins "A fine day"
  nobody wins "Rain"
"""


def test_what_means_nothing_is_seldom_said_to_go_with_winning(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("format: 1\nname: outing\ntitle: Outing\n", encoding="utf-8")
    (tmp_path / "outing.rules").write_text(OUTING, encoding="utf-8")
    found, data = 0, tmp_path / "report.json"
    for seed in range(30):
        asked = ["simulate", str(tmp_path), "--bots", "random", "--games", "60", "--seed", str(1000 * seed)]
        assert exit_code_of([*asked, "--json", str(data)]) == 0
        chances = [use["chance"] for use in json.loads(data.read_text(encoding="utf-8"))["used"]]
        assert len(chances) == 4 and None not in chances
        found += min(chances) < 0.05
    assert found <= 4  # 1.5 are expected; with each player counted it was 6
