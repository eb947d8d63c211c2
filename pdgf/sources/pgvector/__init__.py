"""The review index in a PostgreSQL with the extension pgvector, for catalogues that outgrow one process.

schema      the tables, and how an older database is brought up to date
connection  how the database is reached, and what is said when it is not
staging     a catalogue file, read piece by piece into tables of its own
building    its texts encoded, its passages laid out and put in the place of the earlier ones, all or nothing
upkeep      what else becomes of it: listed, removed, given up
reviews     what is asked of it
"""
