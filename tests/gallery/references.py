"""Programs of others that play the same games. They are test-only extras (`tools/set_up.py extra references`); a test
that
asks for one that is not installed is skipped, and says so."""

from __future__ import annotations

from typing import Any

import pytest


def open_spiel(name: str) -> Any:
    """A game of OpenSpiel, as its Python module plays it."""
    spiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `references`)")
    return spiel.load_game(name)


def python_chess() -> Any:
    """The module of python-chess."""
    return pytest.importorskip("chess", reason="python-chess is not installed (extra `references`)")
