"""The rows of a study as a file: JSON Lines, CSV or Parquet, by the ending of its name.

Rows are written while games are played, one JSON line each, to a file beside the target (`rows.csv.part`). When the
study ends, finished or interrupted, that file becomes the target: renamed for JSON Lines, converted for the others,
whose columns are known only when every line of the score sheet has been seen. So memory stays flat, and a study that is
killed leaves what it had.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from ..files.shown import cell
from ..files.writing import IsKind, beginning_with, require_replaceable
from ..play.contract import PlayError
from .rows import Row, cells_of, columns_of, row_data

ENDINGS = (".jsonl", ".csv", ".parquet")
_CHUNK = 5000  # rows converted at once


def require_row_file(path: Path) -> None:
    """Raises PlayError if rows cannot be written there; called before any game is played."""
    if path.suffix not in ENDINGS:
        raise PlayError(
            f"`{path}` does not say how rows are to be written", f"end the name with one of {', '.join(ENDINGS)}"
        )
    if not path.parent.is_dir():
        raise PlayError(f"there is no folder `{path.parent}` for the rows")
    try:
        require_replaceable(path, _is_rows(path))
    except OSError as problem:
        raise PlayError(f"`{path}` cannot be written: {problem.strerror or problem}") from problem
    if path.suffix == ".parquet":
        _parquet()


def _is_rows(path: Path) -> IsKind:
    """Rows of an earlier study, which new ones may replace."""
    return beginning_with({".jsonl": '{"game":', ".csv": "game,", ".parquet": "PAR1"}[path.suffix])


def _parquet() -> Any:
    try:
        return import_module("pyarrow.parquet")
    except ImportError:
        raise PlayError(
            "Parquet files need the extra `parquet`", "pip install 'rulewright[parquet]', or write .csv or .jsonl"
        ) from None


class RowFile:
    """Takes rows until it is closed; used with `with`. `seats` are the names of the seats."""

    def __init__(self, path: Path, seats: Sequence[str]) -> None:
        require_row_file(path)
        self._path, self._seats = path, seats
        self._part = path.with_name(path.name + ".part")
        self._lines: dict[str, None] = {}
        self._count = 0
        try:
            require_replaceable(self._part, beginning_with('{"game":'))
            self._file: TextIO = self._part.open("w", encoding="utf-8")
        except OSError as problem:
            raise _unwritable(path, problem) from problem

    def __enter__(self) -> RowFile:
        return self

    def take(self, rows: Sequence[Row]) -> None:
        try:
            for row in rows:
                self._file.write(json.dumps(row_data(row, self._count), ensure_ascii=False) + "\n")
                self._count += 1
                for line, _ in row.sheet:
                    self._lines.setdefault(line)
            self._file.flush()
        except (OSError, ValueError) as problem:
            raise _unwritable(self._path, problem) from problem

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._finish()
        except OSError as problem:
            raise _unwritable(self._path, problem) from problem

    def _finish(self) -> None:
        if self._path.suffix == ".jsonl":
            self._part.replace(self._path)
            return
        columns = columns_of(self._seats, list(self._lines))
        aside = self._path.with_name(f".{self._path.name}.part")
        try:
            if self._path.suffix == ".csv":
                self._write_csv(aside, columns)
            else:
                self._write_parquet(aside, columns)
            aside.replace(self._path)
        except BaseException:
            aside.unlink(missing_ok=True)
            raise
        self._part.unlink()

    def _write_csv(self, path: Path, columns: list[str]) -> None:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(map(cell, columns))
            for chunk in self._chunks():
                writer.writerows(map(cell, row) for row in chunk)
            file.flush()
            os.fsync(file.fileno())

    def _chunks(self) -> Iterator[list[list[Any]]]:
        lines = list(self._lines)
        chunk: list[list[Any]] = []
        with self._part.open(encoding="utf-8") as file:
            for text in file:
                data = json.loads(text)
                chunk.append(cells_of(row_from(data), data["game"], lines))
                if len(chunk) == _CHUNK:
                    yield chunk
                    chunk = []
        if chunk:
            yield chunk

    def _write_parquet(self, path: Path, columns: list[str]) -> None:
        parquet, arrow = _parquet(), import_module("pyarrow")
        floats = {name for name in columns if name.startswith("wins: ")}
        kinds = [
            arrow.float64() if c in floats else arrow.string() if c == "ending" else arrow.int64() for c in columns
        ]
        schema = arrow.schema(list(zip(columns, kinds, strict=True)))
        with parquet.ParquetWriter(path, schema) as writer:
            for chunk in self._chunks():
                arrays = [
                    arrow.array(list(cells), kind) for cells, kind in zip(zip(*chunk, strict=True), kinds, strict=True)
                ]
                writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))


def row_from(data: dict[str, Any]) -> Row:
    """What `row_data` wrote."""
    return Row(
        data["seed"], tuple(data["scores"]), tuple(data["ranking"]), tuple(seat - 1 for seat in data["winners"]),
        data["ending"], data["decisions"], data["forced"], data["turns"], data["rounds"],
        tuple((line, tuple(points)) for line, points in data["sheet"].items()),
        data["options"], data["lead_changes"], data["winner_was_behind"],
    )  # fmt: skip


def _unwritable(path: Path, problem: Exception) -> PlayError:
    return PlayError(
        f"`{path}` cannot be written: {getattr(problem, 'strerror', None) or problem}",
        f"rows that were written before are in `{path.name}.part`",
    )
