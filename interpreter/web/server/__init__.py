"""The server of the table in the browser: HTTP, one WebSocket for each page, a store on disk, bots beside it.

How the modules stand on one another, from the disk up:

    store      rows and the few statements over them (SQLite by itself, PostgreSQL through SQLAlchemy); `writer`
    questions  all that is asked about a game or a state; `asking` asks it here, or in the sandbox of a stranger's rules
    reading    what files of a ruleset say (`game_entry`), read here, or in a sandbox if they are of others
    library    the rulesets that are offered, their texts kept for running games, loaded games
    viewers    a table as those who look at it know it; `apart` is how players choose at once
    game_table one table in memory: choosing; knows no network. `taking_back` is undo
    sight      the messages that one seat may be sent
    live       a table with those who watch it; `seating` who sits at a new one; `thinking` answers of bots
    workers    processes in which bots think, and `worker`, which runs inside them
    house      all tables: which are in memory, who is connected, in which threads work is done
    playing    what persons do at a table, and when others are shown it; `driving` what goes on without them: bots, pace
    guard      who may call at all: host, origin, size, rate
    app        routes; `sockets` the WebSocket; `lobby` the list of games; `watching` for authors

Blocking work (rules, disk) runs in threads, searches in processes; the event loop only passes messages on. Each table
has a lock, so tables never wait for each other.
"""
