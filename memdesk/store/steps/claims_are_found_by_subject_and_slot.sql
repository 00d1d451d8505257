-- Facts by the subject and slot of their claims, and open contradictions by the newer of their facts.
-- Facts up to number `beliefs_unread` wait for the reader.

CREATE TABLE belief_keys (key INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (key, seq)) STRICT, WITHOUT ROWID;
ALTER TABLE upkeep ADD COLUMN beliefs_reader TEXT NOT NULL DEFAULT '';
ALTER TABLE upkeep ADD COLUMN beliefs_unread INTEGER NOT NULL DEFAULT 0;
CREATE INDEX proposals_contradiction ON proposals (subject_id) WHERE type = 'contradiction' AND status = 'open';
