"""A table server without limits on rates, for `tools/bench_web.py`: prints its address, on the loopback."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from interpreter.web.server.guard import Rates
from interpreter.web.server.live import Limits
from interpreter.web.server.serving import Settings, serve

MUCH = (1e6, 1e6)

serve(
    Settings(port=0, data=Path(sys.argv[1]), rates=Rates(MUCH, MUCH, MUCH, MUCH), limits=Limits(measures=False)),
    lambda address: print(address.removeprefix("http://").rstrip("/"), flush=True),
)
