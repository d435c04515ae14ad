-- Events, each appended by the transaction whose write it tells of. There is one writer at a time, so they are committed in
-- the order of their numbers, and no number is given twice.
CREATE TABLE IF NOT EXISTS docent_events (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    topic  TEXT NOT NULL,
    json   TEXT NOT NULL,
    at     INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;
CREATE INDEX IF NOT EXISTS docent_events_of_topic ON docent_events (topic, number);
CREATE INDEX IF NOT EXISTS docent_events_by_age ON docent_events (at);
-- The last event that was deleted.
CREATE TABLE IF NOT EXISTS docent_event_deleted (
    single INTEGER PRIMARY KEY CHECK (single = 1),
    number INTEGER NOT NULL
) STRICT;
INSERT OR IGNORE INTO docent_event_deleted VALUES (1, 0);
