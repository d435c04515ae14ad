-- The outcomes of calls with keys. See `keys.rs`.
CREATE TABLE outcomes (
    caller      TEXT NOT NULL,
    key         TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    result      TEXT NOT NULL,
    until       TEXT NOT NULL,
    PRIMARY KEY (caller, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcomes_by_day ON outcomes (until);
