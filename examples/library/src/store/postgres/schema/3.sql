-- An outcome may be an error.
ALTER TABLE outcomes ADD COLUMN error bigint NOT NULL DEFAULT 0;
-- The room that an outcome takes, which can be added up from the index alone.
ALTER TABLE outcomes ADD COLUMN bytes bigint NOT NULL DEFAULT 0;
UPDATE outcomes SET bytes = 200 + octet_length(result);
DROP INDEX outcomes_by_day;
CREATE INDEX outcomes_by_day ON outcomes (until, bytes);
