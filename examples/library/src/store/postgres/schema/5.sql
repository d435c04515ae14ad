-- Outcomes are kept until a moment of the database's clock, in seconds since 1970, which all instances
-- share. It was a day of the calendar of an instance. The function has its name from SQLite.
CREATE FUNCTION unixepoch() RETURNS bigint LANGUAGE sql STABLE
    AS 'SELECT floor(extract(epoch FROM now()))::bigint';
DROP INDEX outcomes_by_day;
ALTER TABLE outcomes ALTER COLUMN until TYPE bigint USING extract(epoch FROM until::date + 1)::bigint;
CREATE INDEX outcomes_by_end ON outcomes (until);
CREATE INDEX outcomes_of_caller ON outcomes (caller, until);

-- What outcomes take: the sum of the rows of each caller, and of all under '*', which is no caller. Each
-- change of an outcome adds rows, because two transactions that change the same one would have to wait for
-- each other. Now and then they are added up.
CREATE TABLE room (
    caller text COLLATE "C" NOT NULL,
    keys   bigint NOT NULL,
    bytes  bigint NOT NULL
);
CREATE INDEX room_of_caller ON room (caller);
INSERT INTO room SELECT caller, count(*), sum(bytes) FROM outcomes GROUP BY caller;
INSERT INTO room SELECT '*', count(*), coalesce(sum(bytes), 0) FROM outcomes;
CREATE FUNCTION note_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO room VALUES (OLD.caller, -1, -OLD.bytes), ('*', -1, -OLD.bytes);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO room VALUES (NEW.caller, 1, NEW.bytes), ('*', 1, NEW.bytes);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER room_changed AFTER INSERT OR UPDATE OF bytes OR DELETE ON outcomes
    FOR EACH ROW EXECUTE FUNCTION note_room();
