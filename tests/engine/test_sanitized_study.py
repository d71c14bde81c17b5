"""Studies in C under the address and undefined-behaviour sanitizers: rows, sums, games that are followed."""

from __future__ import annotations

import json

import pytest

import interpreter as rw
from interpreter.compile.load import checked_program
from interpreter.native.build import build_library
from interpreter.native.export import whole_source
from interpreter.native.make import SEARCH, STUDY, c_of
from interpreter.native.unavailable import NativeUnavailable
from interpreter.study.compiled_games import Things
from tests.engine.test_sanitized import FLAGS, run_sanitized, what_it_said

EVERYDAY = ("pikit",)
PROGRAM = """
#include <stdio.h>
int main(void) {
    Ctx *C = rwx_context();
    RwStudy *T = rwx_study(DESCRIBED, sizeof DESCRIBED / sizeof DESCRIBED[0]);
    static uint64_t seeds[90];
    static int32_t history[1 << 18], choices[1 << 17], endings[4096];
    int32_t n = 0, noted = 0, figures[2], made = 0;
    for (uint64_t i = 0; i < 90; i++) seeds[i] = i * 77;
    for (int round = 0; round < 3; round++) {
        if (rwx_study_play(C, T, seeds, 90, round, 3) != 90) return 2;
        if (rwx_study_sums(T, &n) == NULL || rwx_study_sums(T, &n)[0] != 90) return 3;
        if (rwx_study_endings(T, 0, endings, 4096) < 0 || rwx_study_rows(T, figures) == NULL) return 4;
        if (figures[0] > 90 || rwx_study_games(T)[89] >= figures[0]) return 8;
        rwx_study_anew(T);
    }
    for (uint64_t seed = 0; seed < 4; seed++) {
        if (rwx_playout(C, C->work, seed, history, 1 << 18, &noted) != RW_STOP) return 5;
        for (int32_t i = 0; i < noted / 2; i++) choices[i] = history[2 * i + 1];
        made += rwx_study_follow(C, T, seed, choices, noted / 2);
        if (noted > 2 && rwx_study_follow(C, T, seed, choices, noted / 2 - 1)) return 6; /* one is missing */
    }
    if (rwx_study_sums(T, &n)[0] != made) return 7;
    rwx_free_study(T);
    rwx_free_context(C);
    printf("%d\\n", made);
    return 0;
}
"""


@pytest.mark.parametrize("name", ["pikit", "kikai", "flatiron", "kiwi_chow_down", "liars_dice", "sea_wall"])
def test_studies_under_sanitizers(name: str, is_long: bool) -> None:
    if name not in EVERYDAY and not is_long:
        pytest.skip("compiling with sanitizers takes long")
    emitted = c_of(checked_program(name, 2), "begins")
    lines = sum(map(len, json.loads(emitted.layout)["score_texts"]))
    head = [1, 0, 0, max(1, lines), *range(lines)]  # one counter of turns, none of rounds, a label for each line
    described = Things(rw.load(name, 2, backend="python").meta).described(head)
    numbers = f"static const int32_t DESCRIBED[] = {{{', '.join(map(str, described))}}};\n"
    source = whole_source(emitted.source + SEARCH + STUDY) + numbers + PROGRAM
    try:
        built = build_library(source, name, "sanitized study", flags=FLAGS, kind="executable")
    except NativeUnavailable as problem:
        assert "failed with exit code" not in str(problem), problem
        pytest.skip(str(problem))
    done = run_sanitized(built)
    assert (done.returncode, done.stdout) == (0, "4\n"), what_it_said(done)
