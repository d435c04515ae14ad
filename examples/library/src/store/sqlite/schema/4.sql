-- Outcomes are kept until a moment of the database's clock, in seconds since 1970, which all instances
-- share. It was a day of the calendar of an instance.
DROP INDEX outcomes_by_day;
ALTER TABLE outcomes RENAME COLUMN until TO day;
ALTER TABLE outcomes ADD COLUMN until INTEGER NOT NULL DEFAULT 0;
UPDATE outcomes SET until = unixepoch(day, '+1 day');
ALTER TABLE outcomes DROP COLUMN day;
CREATE INDEX outcomes_by_end ON outcomes (until);
CREATE INDEX outcomes_of_caller ON outcomes (caller, until);

-- What outcomes take: those of each caller, and all of them under '*', which is no caller.
CREATE TABLE room (
    caller TEXT PRIMARY KEY,
    keys   INTEGER NOT NULL,
    bytes  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO room SELECT caller, count(*), sum(bytes) FROM outcomes GROUP BY caller;
INSERT INTO room SELECT '*', count(*), coalesce(sum(bytes), 0) FROM outcomes;
CREATE TRIGGER room_filled AFTER INSERT ON outcomes BEGIN
    INSERT INTO room VALUES (NEW.caller, 1, NEW.bytes), ('*', 1, NEW.bytes)
    ON CONFLICT (caller) DO UPDATE SET keys = keys + excluded.keys, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER room_freed AFTER DELETE ON outcomes BEGIN
    UPDATE room SET keys = keys - 1, bytes = bytes - OLD.bytes WHERE caller IN (OLD.caller, '*');
END;
CREATE TRIGGER room_changed AFTER UPDATE OF bytes ON outcomes BEGIN
    UPDATE room SET bytes = bytes + NEW.bytes - OLD.bytes WHERE caller IN (OLD.caller, '*');
END;
