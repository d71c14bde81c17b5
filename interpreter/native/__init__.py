"""C source becomes a library that Python can call.

In comes C11 text with a key that says what it was made from; out goes a loaded library with its exported functions and
its memory. `toolchain` finds a compiler that works, `build` compiles (at once, or in the background), `store` is the
private folder that keeps what was built, `library` loads it into this process, and `wasm` loads the same C compiled for
a sandbox. `backend` reads which of them the user wants.

Guaranteed: nothing is loaded that this user did not build with this interpreter, this compiler and for this machine,
or that has changed since. Whatever is missing or goes wrong (no compiler, a broken one, one that hangs, a full disk, a
folder that cannot be written, a damaged file) is a `NativeUnavailable` with a reason of one line, and the caller goes
on in Python. Nothing here knows a game, or what the C means.
"""
