-- Columns and tables for putting questions off, for quarantine, and for standing decisions.

ALTER TABLE proposals ADD COLUMN later_until INTEGER;
CREATE INDEX proposals_quarantine ON proposals (subject_id) WHERE type = 'quarantine' AND status = 'open';
CREATE TABLE standing_decisions (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, type TEXT NOT NULL,
  source_kind TEXT NOT NULL, source TEXT NOT NULL, decision TEXT NOT NULL, says TEXT NOT NULL, author TEXT NOT NULL,
  created_at INTEGER NOT NULL, retired_at INTEGER) STRICT;
