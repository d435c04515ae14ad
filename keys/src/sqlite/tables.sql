-- The outcomes of calls with keys. Statements name their columns, so a process of an older version goes on while a newer
-- one adds some.
CREATE TABLE IF NOT EXISTS docent_keys (
    -- '=' and the id of the caller, or nothing for a key that belongs to no caller.
    caller      TEXT NOT NULL,
    key         TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    -- The JSON text of the result, or of the error if `error` is 1.
    result      TEXT NOT NULL,
    error       INTEGER NOT NULL,
    -- The room that the outcome takes.
    bytes       INTEGER NOT NULL,
    -- The time in seconds since 1970 at which the outcome expires.
    until       INTEGER NOT NULL,
    PRIMARY KEY (caller, key)
) STRICT;
CREATE INDEX IF NOT EXISTS docent_keys_by_end ON docent_keys (until);
CREATE INDEX IF NOT EXISTS docent_keys_of_caller ON docent_keys (caller, until);

-- The room that the outcomes of each caller take, and under '*' those of all.
CREATE TABLE IF NOT EXISTS docent_key_room (
    caller TEXT PRIMARY KEY,
    keys   INTEGER NOT NULL,
    bytes  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO docent_key_room VALUES ('*', 0, 0);
CREATE TRIGGER IF NOT EXISTS docent_key_kept AFTER INSERT ON docent_keys BEGIN
    INSERT INTO docent_key_room VALUES (NEW.caller, 1, NEW.bytes), ('*', 1, NEW.bytes)
    ON CONFLICT (caller) DO UPDATE SET keys = keys + excluded.keys, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER IF NOT EXISTS docent_key_replaced AFTER UPDATE OF bytes ON docent_keys BEGIN
    UPDATE docent_key_room SET bytes = bytes + NEW.bytes - OLD.bytes WHERE caller IN (NEW.caller, '*');
END;
CREATE TRIGGER IF NOT EXISTS docent_key_forgotten AFTER DELETE ON docent_keys BEGIN
    UPDATE docent_key_room SET keys = keys - 1, bytes = bytes - OLD.bytes WHERE caller IN (OLD.caller, '*');
    DELETE FROM docent_key_room WHERE caller = OLD.caller AND keys <= 0;
END;
