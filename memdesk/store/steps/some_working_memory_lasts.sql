-- Working memory that is never evicted, such as the checkpoints of a thread, is not part of its limited size.

ALTER TABLE working ADD COLUMN lasting INTEGER NOT NULL DEFAULT 0;
CREATE INDEX working_evicted ON working (touched_at) WHERE NOT lasting;
CREATE UNIQUE INDEX working_brief ON working (key) WHERE NOT lasting;
DROP TRIGGER working_born;
DROP TRIGGER working_moved;
DROP TRIGGER working_gone;
CREATE TRIGGER working_born AFTER INSERT ON working WHEN NOT new.lasting BEGIN
  UPDATE working_size SET keys = keys + 1, bytes = bytes + new.bytes; END;
CREATE TRIGGER working_moved AFTER UPDATE OF bytes ON working WHEN new.bytes != old.bytes AND NOT new.lasting BEGIN
  UPDATE working_size SET bytes = bytes + new.bytes - old.bytes; END;
CREATE TRIGGER working_gone AFTER DELETE ON working WHEN NOT old.lasting BEGIN
  UPDATE working_size SET keys = keys - 1, bytes = bytes - old.bytes; END;
