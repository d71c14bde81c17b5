"""Machine instructions a choice takes in random games, counted by callgrind.

    python -m tools.instructions                      every ruleset of the box
    python -m tools.instructions chess my/game        some of them

A count does not depend on what else the machine does, so it tells a change of a few parts in a hundred where a clock
tells nothing. Games are exported as C and compiled as the engine does it (-O1). Needs `cc` and valgrind.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
DRIVER = """
#include <stdio.h>
#include <stdlib.h>
#include "rulewright.h"
int main(int argc, char **argv) {
    double returns[64] = {0};
    int64_t decisions = 0;
    RwContext *context = rwx_context();
    int64_t played = rwx_playouts(context, 1, atoi(argv[argc - 1]), returns, &decisions);
    printf("%lld %lld\\n", (long long)played, (long long)decisions);
    rwx_free_context(context);
    return 0;
}
"""
CHOICES = 4000  # about so many are counted


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help="rulesets, with +variant; all of the box if none is named")
    parser.add_argument("--choices", type=int, default=CHOICES, help="about how many choices are counted")
    parser.add_argument("--keep", type=Path, help="a folder for the C, the programs and callgrind's files")
    given = parser.parse_args(arguments)
    names = given.names or sorted(path.parent.name for path in ROOT.glob("rulesets/*/ruleset.yaml"))
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            print(f"{name:32} {counted(name, given.keep or Path(folder), given.choices)}", flush=True)
    return 0


def counted(name: str, folder: Path, choices: int) -> str:
    """Instructions a choice, or why there are none."""
    where = folder / re.sub(r"\W+", "_", name)
    built = _run([sys.executable, "-m", "interpreter", "build", name, "--to", str(where)])
    if built.returncode:
        return f"no C: {built.stderr.strip() or built.stdout.strip()}"
    [source] = [path for path in where.glob("*.c") if path.name not in ("example.c", "driver.c")]
    (where / "driver.c").write_text(DRIVER)
    program = str(where / "driver")
    flags = ("-O1", "-foptimize-sibling-calls", "-g")
    compiled = _run(["cc", *flags, str(where / "driver.c"), str(source), "-o", program])
    if compiled.returncode:
        return f"does not compile: {compiled.stderr[:200]}"
    _, few = _played(_run([program, "10"]).stdout)
    if not few:
        return "the first games end in faults: `simulate` tells more"
    games = str(max(1, choices * 10 // max(1, few)))
    played, made = _played(_run([program, games]).stdout)
    out = where / "callgrind.out"
    tool = ["valgrind", "--tool=callgrind", "--toggle-collect=rwx_playouts", f"--callgrind-out-file={out}"]
    found = re.search(r"Collected : (\d+)", _run([*tool, program, games]).stderr)
    if found is None:
        return "valgrind counted nothing"
    return f"{int(found[1]) / made:9.0f} a choice, {made} choices in {played} games"


def _played(text: str) -> tuple[int, int]:
    played, made = text.split()
    return int(played), int(made)


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
