"""The server of the table in the browser: HTTP, one WebSocket for each page, a store on disk, bots beside it.

How the modules stand on one another, from the disk up:

    store      rows and the few statements over them (SQLite by itself, PostgreSQL through SQLAlchemy)
    library    the rulesets that are offered, their texts kept for running games, loaded games
    game_table one table in memory: its state, what each seat has noticed, choosing and undoing; knows no network
    sight      the messages that one seat may be sent
    live       a table with those who watch it; `seating` who sits at a new one; `thinking` answers of bots
    workers    processes in which bots think, and `worker`, which runs inside them
    house      all tables: who is connected, whose turn it is, bots, pace, what is kept in memory
    guard      who may call at all: host, origin, size, rate
    app        routes; `sockets` the WebSocket; `lobby` the list of games; `watching` for authors

Blocking work (rules, disk) runs in threads, searches in processes; the event loop only passes messages on. Each table
has a lock, so tables never wait for each other.
"""
