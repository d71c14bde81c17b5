"""The table in the browser.

Comes in: a ruleset by name and choices of people and bots. Goes out: for each seat what it may know, as *scenes* (plain
data, `scene`), over HTTP and a WebSocket (`server`) to any client; the page that comes with it (`page`) is one.
Guaranteed: no connection is sent anything its seat may not know, a choice that was acknowledged is on disk, and nothing
here knows a game by name.
"""
