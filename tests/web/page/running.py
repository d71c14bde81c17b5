"""A server process and a real browser, for tests of the page and for pictures of it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
# The shell first: it is Chromium without its windows, and shows the same pages for half the CPU time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


@dataclass(frozen=True)
class Chromium:
    """Where a browser is, or in words why there is none."""

    path: str | None
    why_not: str | None


@cache
def chromium() -> Chromium:
    named = os.environ.get("RULEWRIGHT_BROWSER")
    path = named or next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        return Chromium(None, "no Chromium on this machine: `tools/browser` says how to get one")
    if find_spec("playwright") is None:
        return Chromium(None, "Playwright is not installed: `pip install playwright`, or the extra `browser`")
    return Chromium(path, None)


@contextmanager
def open_browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium().path, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`rulewright serve` in a process of its own; it can be killed and started again on the same port and data."""

    def __init__(self, data: Path, *arguments: str) -> None:
        self.data, self.arguments, self.port = data, arguments, free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "interpreter",
            "serve",
            "--port",
            str(self.port),
            "--data",
            str(self.data),
            *self.arguments,
        ]
        log = open(self.data / "serve.log", "ab")
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                urllib.request.urlopen(f"{self.base}/", timeout=5).close()
                return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        raise RuntimeError(f"the server did not start: {(self.data / 'serve.log').read_text()[-2000:]}")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()
