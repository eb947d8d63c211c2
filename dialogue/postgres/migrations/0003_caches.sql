-- Replies of language models, each belonging to a conversation.
CREATE TABLE replies (
    scope text NOT NULL,
    key text NOT NULL,
    stored timestamptz NOT NULL DEFAULT clock_timestamp(),
    text bytea NOT NULL,
    PRIMARY KEY (scope, key)
);
CREATE INDEX replies_by_age ON replies (stored);

-- Texts of pages by the address where they were found, and the other addresses that led there.
CREATE TABLE pages (
    url text PRIMARY KEY,
    stored timestamptz NOT NULL DEFAULT clock_timestamp(),
    content bytea NOT NULL
);
CREATE INDEX pages_by_age ON pages (stored);
CREATE TABLE ways (
    asked text PRIMARY KEY,
    url text NOT NULL REFERENCES pages ON DELETE CASCADE
);
CREATE INDEX ways_by_url ON ways (url);
