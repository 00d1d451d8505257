-- Grants of agents, and the agents that first used a scratchpad. While `grants_behind`, agents have not been given yet
-- what they did before there were grants.

CREATE TABLE grants (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, agent TEXT NOT NULL, scope TEXT NOT NULL,
  name TEXT NOT NULL, says TEXT NOT NULL, author TEXT NOT NULL, created_at INTEGER NOT NULL, retired_at INTEGER,
  digest BLOB) STRICT;
CREATE INDEX grants_given ON grants (scope, name) WHERE retired_at IS NULL;
CREATE TABLE holders (
  place TEXT PRIMARY KEY, user_id TEXT NOT NULL, agent TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
ALTER TABLE upkeep ADD COLUMN grants_behind INTEGER NOT NULL DEFAULT 1;
