-- The outcomes of calls with keys. Statements name their columns, so an instance of an older version goes on while a
-- newer one adds some.
CREATE TABLE IF NOT EXISTS docent_keys (
    -- '=' and the id of the caller, or nothing for a key that belongs to no caller.
    caller      text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    fingerprint text NOT NULL,
    -- The JSON text of the result, or of the error if `error` is 1.
    result      text NOT NULL,
    error       bigint NOT NULL,
    -- The room that the outcome takes.
    bytes       bigint NOT NULL,
    -- The time in seconds since 1970, by the database's clock, at which the outcome expires.
    until       bigint NOT NULL,
    PRIMARY KEY (caller, key)
);
CREATE INDEX IF NOT EXISTS docent_keys_by_end ON docent_keys (until);
CREATE INDEX IF NOT EXISTS docent_keys_of_caller ON docent_keys (caller, until);

-- The room that the outcomes of each caller take, and under '*' those of all. It lacks what is in
-- `docent_key_changes`: two transactions that changed the same row here would have to wait for each other, so each
-- notes its change there, and the changes are added up in the background.
CREATE TABLE IF NOT EXISTS docent_key_room (
    caller text COLLATE "C" PRIMARY KEY,
    keys   bigint NOT NULL,
    bytes  bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS docent_key_room_by_keys ON docent_key_room (keys);
CREATE INDEX IF NOT EXISTS docent_key_room_by_bytes ON docent_key_room (bytes);
CREATE TABLE IF NOT EXISTS docent_key_changes (
    caller text COLLATE "C" NOT NULL,
    keys   bigint NOT NULL,
    bytes  bigint NOT NULL
);
CREATE OR REPLACE FUNCTION docent_key_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO docent_key_changes VALUES (NEW.caller, 1, NEW.bytes);
    ELSIF TG_OP = 'UPDATE' THEN
        INSERT INTO docent_key_changes VALUES (NEW.caller, 0, NEW.bytes - OLD.bytes);
    ELSE
        INSERT INTO docent_key_changes VALUES (OLD.caller, -1, -OLD.bytes);
    END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER docent_key_changed AFTER INSERT OR UPDATE OF bytes OR DELETE ON docent_keys
    FOR EACH ROW EXECUTE FUNCTION docent_key_changed();
