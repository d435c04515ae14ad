-- Events, each appended by the transaction whose write it tells of.
--
-- Numbers are given before transactions commit, so a reader that has seen 19 could miss 18. Readers therefore see only the
-- events of transactions that are older than every transaction that still runs, and read in the order of transactions.
CREATE TABLE IF NOT EXISTS docent_events (
    transaction bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
    number      bigint GENERATED ALWAYS AS IDENTITY,
    topic       text COLLATE "C" NOT NULL,
    json        text NOT NULL,
    at          timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (transaction, number)
);
CREATE INDEX IF NOT EXISTS docent_events_of_topic ON docent_events (topic, transaction, number);
CREATE INDEX IF NOT EXISTS docent_events_by_age ON docent_events (at);
-- The last event that was deleted.
CREATE TABLE IF NOT EXISTS docent_event_deleted (
    single      boolean PRIMARY KEY DEFAULT true CHECK (single),
    transaction bigint NOT NULL,
    number      bigint NOT NULL
);
INSERT INTO docent_event_deleted VALUES (true, 0, 0) ON CONFLICT DO NOTHING;
