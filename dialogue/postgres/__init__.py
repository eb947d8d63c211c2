"""What many processes share: one Postgres behind the same seams as the files of one process.

    database.py      connections, errors in our words, what is looked at when it is opened
    migrating.py     its tables, brought up to date once, all or nothing
    store.py         conversations, checkpoints.py their steps, thread_locks.py one turn at a time in each
    seen.py          what owners know already
    ledger.py        what was spent
    replies.py       kept replies of language models, pages.py texts of pages
    pace.py          how fast a server is asked by all processes together
    copying.py       conversations of a data folder, brought along
    tries.py         wrong passwords
    keys.py          the secrets that sign logins and seal what browsers remember

Loaded only where PDGF_DATABASE_URL is set; needs the extra `postgres`.
"""
