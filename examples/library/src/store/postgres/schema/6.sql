-- Outcomes are kept by docent-keys, whose tables are the next migration. The older table is the same but for its name.
DROP TRIGGER room_changed ON outcomes;
DROP FUNCTION note_room;
DROP TABLE room;
ALTER TABLE outcomes RENAME TO docent_keys;
ALTER INDEX outcomes_pkey RENAME TO docent_keys_pkey;
ALTER INDEX outcomes_by_end RENAME TO docent_keys_by_end;
ALTER INDEX outcomes_of_caller RENAME TO docent_keys_of_caller;
