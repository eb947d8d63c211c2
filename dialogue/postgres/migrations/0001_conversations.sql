-- The list of conversations. `noted`: a checkpoint that has to be there. `fence`: counts who has held the conversation,
-- so that a process that has lost it without knowing cannot write to it any more.
CREATE TABLE conversations (
    thread text PRIMARY KEY,
    owner text NOT NULL,
    title text NOT NULL DEFAULT '',
    domain text NOT NULL,
    created double precision NOT NULL,
    updated double precision NOT NULL,
    noted text NOT NULL DEFAULT '',
    fence bigint NOT NULL DEFAULT 0
);
CREATE INDEX conversations_of_owner ON conversations (owner, updated DESC);

-- Texts of a conversation by their digest; they go with it.
CREATE TABLE content (
    thread text NOT NULL REFERENCES conversations ON DELETE CASCADE,
    digest text NOT NULL,
    text bytea NOT NULL,
    PRIMARY KEY (thread, digest)
);

-- What owners know already. `year` 0: not known.
CREATE TABLE seen (
    owner text NOT NULL,
    key text NOT NULL,
    year integer NOT NULL,
    title text NOT NULL,
    PRIMARY KEY (owner, key, year)
);

-- The order in which checkpoints were written: their ids follow the clocks of several computers.
ALTER TABLE checkpoints ADD COLUMN written bigint GENERATED ALWAYS AS IDENTITY;
CREATE INDEX checkpoints_as_written ON checkpoints (thread_id, written);

-- Fails unless a conversation is still held by whoever held it at that fence, and holds it until the transaction ends.
CREATE FUNCTION still_held(asked text, held bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM conversations WHERE thread = asked AND fence = held FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the conversation is held by another process' USING ERRCODE = 'PD001';
    END IF;
END $$;
