"""A game as a library for other programs: its C in one file, a header, a short example in each language.

The C file holds everything, the headers of the runtime included, so that it compiles anywhere with nothing beside it.
"""

from __future__ import annotations

import re
from pathlib import Path

from ..files.writing import write_whole
from .build import HEADERS, build_library

TARGETS = ("c", "native", "wasm")

EXAMPLE_C = """\
/* One random game. Build: cc -O2 example.c {name}.c -o example */
#include <stdio.h>
#include "rulewright.h"

int main(void) {{
    RwContext *context = rwx_context();
    RwState *state = rwx_state();
    int32_t options[1024];
    uint32_t dice = 12345;
    if (rwx_new(context, state, 7, 1) != RWX_STOP) return 1;
    while (!rwx_over(state)) {{
        int32_t count = rwx_options(context, state, options, 1024);
        dice = dice * 1664525u + 1013904223u;
        if (rwx_apply(context, state, (int32_t)((dice >> 16) % (uint32_t)count)) != RWX_STOP) return 1;
    }}
    double returns[{players}];
    rwx_returns(context, state, returns);
    printf("%d decisions\\n", rwx_decisions(state));
    for (int player = 0; player < {players}; player++) printf("player %d: %+.2f\\n", player + 1, returns[player]);
    rwx_free_state(state);
    rwx_free_context(context);
    return 0;
}}
"""

EXAMPLE_RUST = """\
// A thousand random games. Build the library first, then:
//   rustc -L . -l {name} example.rs && LD_LIBRARY_PATH=. ./example
use std::os::raw::c_void;

extern "C" {{
    fn rwx_context() -> *mut c_void;
    fn rwx_free_context(context: *mut c_void);
    fn rwx_playouts(context: *mut c_void, first: u64, n: i64, returns: *mut f64, decisions: *mut i64) -> i64;
}}

fn main() {{
    let mut returns = [0f64; {players}];
    let mut decisions = 0i64;
    let played = unsafe {{
        let context = rwx_context();
        let played = rwx_playouts(context, 0, 1000, returns.as_mut_ptr(), &mut decisions);
        rwx_free_context(context);
        played
    }};
    println!("{{}} games, {{}} decisions", played, decisions);
    for (player, total) in returns.iter().enumerate() {{
        println!("player {{}}: {{:+.3}}", player + 1, total / played as f64);
    }}
}}
"""

EXAMPLE_JS = """\
// A thousand random games. Run: node example.mjs
import {{ readFile }} from "node:fs/promises";

const file = new URL("./{name}.wasm", import.meta.url);
const {{ instance }} = await WebAssembly.instantiate(await readFile(file), {{}});
const game = instance.exports;
const context = game.rwx_context();
const returns = game.rwx_allocate(8 * ({players} + 1));
new Float64Array(game.memory.buffer, returns, {players} + 1).fill(0);
const played = Number(game.rwx_playouts(context, 0n, 1000n, returns, returns + 8 * {players}));
const view = new DataView(game.memory.buffer);
console.log(`${{played}} games, ${{view.getBigInt64(returns + 8 * {players}, true)}} decisions`);
for (let player = 0; player < {players}; player++) {{
    console.log(`player ${{player + 1}}: ${{(view.getFloat64(returns + 8 * player, true) / played).toFixed(3)}}`);
}}
"""

EXAMPLES = {"c": ("example.c", EXAMPLE_C), "native": ("example.rs", EXAMPLE_RUST), "wasm": ("example.mjs", EXAMPLE_JS)}


def whole_source(source: str) -> str:
    """The C of a game with the headers written where they are included, each once."""
    written: set[str] = set()

    def of(match: re.Match[str]) -> str:
        name = match.group(1)
        if name in written:
            return ""
        written.add(name)
        return re.sub(r'#include "(\w+\.h)"\n?', of, (HEADERS / name).read_text(encoding="utf-8"))

    return re.sub(r'#include "(\w+\.h)"\n?', of, source)


def export(source: str, name: str, players: int, target: str, folder: Path) -> list[Path]:
    """Writes what a target needs into a folder and gives the files. Raises OSError, or NativeUnavailable if nothing can
    be compiled."""
    folder.mkdir(parents=True, exist_ok=True)
    plain = re.sub(r"[^A-Za-z0-9_]+", "_", name)
    whole = whole_source(source)
    files: dict[str, str | bytes] = {"rulewright.h": (HEADERS / "rulewright.h").read_text(encoding="utf-8")}
    match target:
        case "c":
            files[f"{plain}.c"] = whole
        case "native":
            built = build_library(whole, name, "exported")
            files[f"lib{plain}{built.suffix}"] = built.read_bytes()
        case "wasm":
            del files["rulewright.h"]
            files[f"{plain}.wasm"] = build_library(whole, name, "exported", kind="wasm").read_bytes()
        case _:
            raise AssertionError(target)
    example, text = EXAMPLES[target]
    files[example] = text.format(name=plain, players=players)
    for file, content in files.items():
        held = content if isinstance(content, bytes) else content.encode()
        write_whole(folder / file, held)
    return [folder / file for file in files]
