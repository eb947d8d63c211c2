-- When what is done every now and then was done last, by whichever process.
CREATE TABLE chores (
    name text PRIMARY KEY,
    done timestamptz NOT NULL
);
-- Conversations by the time of their last turn, to find those that nobody goes on with.
CREATE INDEX conversations_by_age ON conversations (updated);
