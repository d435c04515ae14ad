-- What the outcomes take that were there before their tables could count.
INSERT INTO docent_key_room (caller, keys, bytes)
    SELECT caller, count(*), sum(bytes) FROM docent_keys GROUP BY caller
    UNION ALL
    SELECT '*', count(*), coalesce(sum(bytes), 0) FROM docent_keys;

-- Instances of an older version go on, with the same outcomes under the older names. What they have kept counts for them
-- as soon as a newer instance has added it up.
CREATE VIEW outcomes AS SELECT caller, key, fingerprint, result, until, error, bytes FROM docent_keys;
CREATE VIEW room AS SELECT caller, keys, bytes FROM docent_key_room;
