-- The outcomes of calls with keys. See `keys.rs`.
CREATE TABLE outcomes (
    caller      text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    fingerprint text NOT NULL,
    result      text NOT NULL,
    until       text COLLATE "C" NOT NULL,
    PRIMARY KEY (caller, key)
);
CREATE INDEX outcomes_by_day ON outcomes (until);
