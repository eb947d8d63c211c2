-- What conversations, visitors and days have asked for: whose is a digest, no name.
CREATE TABLE spent (
    whose text NOT NULL,
    day integer NOT NULL,
    what text NOT NULL,
    amount double precision NOT NULL,
    PRIMARY KEY (whose, day, what)
);

-- Requests to a server of the last minute, by all processes together.
CREATE TABLE begun (
    server text NOT NULL,
    at timestamptz NOT NULL
);
CREATE INDEX begun_by_server ON begun (server, at);

-- Wrong passwords of late: who is a digest, no address.
CREATE TABLE wrong_passwords (
    who text PRIMARY KEY,
    count integer NOT NULL,
    since timestamptz NOT NULL
);
CREATE INDEX wrong_passwords_by_age ON wrong_passwords (since);

-- The secrets that every process needs alike.
CREATE TABLE keys (
    name text PRIMARY KEY,
    secret text NOT NULL
);
