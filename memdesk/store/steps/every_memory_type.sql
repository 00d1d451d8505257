-- Goals, procedures, profiles, tags, the review queue, working memory, runs of jobs, and tables of the audit log.
-- `categories` stores the sum of the vectors of each category's facts, so that centroids need no scan. `working_size`
-- follows working memory by triggers, so that its limit is checked without summing at every write.

ALTER TABLE channels ADD COLUMN moved_to TEXT;
ALTER TABLE conversations ADD COLUMN consolidated_at INTEGER;
ALTER TABLE conversations ADD COLUMN patterns_at INTEGER;
ALTER TABLE conversations ADD COLUMN archived_at INTEGER;
CREATE INDEX conversations_time ON conversations (user_id, started_at);
CREATE INDEX turns_time ON turns (user_id, created_at);
CREATE INDEX turns_channel ON turns (user_id, channel, created_at);
ALTER TABLE facts ADD COLUMN key TEXT;
ALTER TABLE facts ADD COLUMN value TEXT;
ALTER TABLE facts ADD COLUMN valid_from INTEGER;
ALTER TABLE facts ADD COLUMN valid_to INTEGER;
CREATE INDEX facts_key ON facts (user_id, channel, key) WHERE key IS NOT NULL;
CREATE INDEX facts_time ON facts (user_id, created_at);
CREATE INDEX entities_time ON entities (user_id, created_at);
ALTER TABLE relations ADD COLUMN properties TEXT NOT NULL DEFAULT '{}';

CREATE TABLE goals (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  description TEXT NOT NULL, status TEXT NOT NULL, priority INTEGER NOT NULL, parent_id TEXT REFERENCES goals (id),
  conversation_id TEXT REFERENCES conversations (id), deadline INTEGER, completed_at INTEGER, result TEXT NOT NULL,
  created_at INTEGER NOT NULL, retired_at INTEGER) STRICT;
CREATE INDEX goals_status ON goals (user_id, status, channel);
CREATE INDEX goals_parent ON goals (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX goals_conversation ON goals (conversation_id) WHERE conversation_id IS NOT NULL;

CREATE TABLE strategies (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  description TEXT NOT NULL, context_pattern TEXT NOT NULL, tool_sequence TEXT NOT NULL, pinned INTEGER NOT NULL,
  created_at INTEGER NOT NULL, retired_at INTEGER) STRICT;
CREATE INDEX strategies_channel ON strategies (user_id, channel);

CREATE TABLE outcomes (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL,
  strategy_id TEXT NOT NULL REFERENCES strategies (id), conversation_id TEXT REFERENCES conversations (id),
  success INTEGER NOT NULL, created_at INTEGER NOT NULL, retired_at INTEGER) STRICT;
CREATE INDEX outcomes_strategy ON outcomes (strategy_id, success);
CREATE INDEX outcomes_conversation ON outcomes (conversation_id) WHERE conversation_id IS NOT NULL;

CREATE TABLE tool_calls (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  conversation_id TEXT REFERENCES conversations (id), turn_id TEXT REFERENCES turns (id), tool_name TEXT NOT NULL,
  task_type TEXT NOT NULL, tool_input TEXT NOT NULL, tool_output TEXT, success INTEGER, latency_ms INTEGER,
  error_message TEXT NOT NULL, created_at INTEGER NOT NULL, retired_at INTEGER) STRICT;
CREATE INDEX tool_calls_conversation ON tool_calls (conversation_id, seq) WHERE conversation_id IS NOT NULL;
CREATE INDEX tool_calls_turn ON tool_calls (turn_id) WHERE turn_id IS NOT NULL;
CREATE INDEX tool_calls_name ON tool_calls (user_id, tool_name, created_at);
CREATE INDEX tool_calls_time ON tool_calls (user_id, created_at);
CREATE INDEX tool_calls_channel ON tool_calls (user_id, channel, created_at);
CREATE TABLE tool_stats (
  user_id TEXT NOT NULL, channel TEXT NOT NULL, tool_name TEXT NOT NULL, task_type TEXT NOT NULL,
  usage_count INTEGER NOT NULL, success_count INTEGER NOT NULL, failure_count INTEGER NOT NULL,
  latency_ms INTEGER NOT NULL, latency_count INTEGER NOT NULL, PRIMARY KEY (user_id, channel, tool_name, task_type))
  STRICT, WITHOUT ROWID;

CREATE TABLE traits (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, aspect TEXT NOT NULL, name TEXT NOT NULL,
  value TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, retired_at INTEGER,
  UNIQUE (user_id, aspect, name)) STRICT;

CREATE TABLE proposals (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  type TEXT NOT NULL, subject_id TEXT NOT NULL REFERENCES records (id), other_id TEXT REFERENCES records (id),
  reason TEXT NOT NULL, details TEXT NOT NULL, status TEXT NOT NULL, decision TEXT NOT NULL, decided_at INTEGER,
  created_at INTEGER NOT NULL, retired_at INTEGER) STRICT;
CREATE INDEX proposals_subject ON proposals (subject_id, type);
CREATE INDEX proposals_other ON proposals (other_id, type) WHERE other_id IS NOT NULL;
CREATE INDEX proposals_status ON proposals (user_id, status, seq);

CREATE TABLE tags (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL,
  record_id TEXT NOT NULL REFERENCES records (id), name TEXT NOT NULL, created_at INTEGER NOT NULL, retired_at INTEGER,
  UNIQUE (record_id, name)) STRICT;
CREATE INDEX tags_name ON tags (user_id, name);

CREATE TABLE working (
  key TEXT PRIMARY KEY, user_id TEXT NOT NULL, channel TEXT NOT NULL, conversation_id TEXT, session_id TEXT,
  value TEXT NOT NULL, bytes INTEGER NOT NULL, created_at INTEGER NOT NULL, touched_at INTEGER NOT NULL,
  expires_at INTEGER) STRICT;
CREATE INDEX working_expiry ON working (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX working_touched ON working (touched_at);
CREATE TABLE working_size (
  keys INTEGER NOT NULL, bytes INTEGER NOT NULL, expired INTEGER NOT NULL, evicted INTEGER NOT NULL) STRICT;
INSERT INTO working_size VALUES (0, 0, 0, 0);
CREATE TRIGGER working_born AFTER INSERT ON working BEGIN
  UPDATE working_size SET keys = keys + 1, bytes = bytes + new.bytes; END;
CREATE TRIGGER working_moved AFTER UPDATE OF bytes ON working WHEN new.bytes != old.bytes BEGIN
  UPDATE working_size SET bytes = bytes + new.bytes - old.bytes; END;
CREATE TRIGGER working_gone AFTER DELETE ON working BEGIN
  UPDATE working_size SET keys = keys - 1, bytes = bytes - old.bytes; END;

CREATE TABLE job_runs (
  id TEXT PRIMARY KEY, job TEXT NOT NULL, author TEXT NOT NULL, dry INTEGER NOT NULL, started_at INTEGER NOT NULL,
  finished_at INTEGER, state TEXT NOT NULL, says TEXT NOT NULL, result TEXT NOT NULL) STRICT;
CREATE INDEX job_runs_job ON job_runs (job, started_at);
CREATE TABLE paused_jobs (job TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT;

CREATE TABLE audit_configs (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, snapshot TEXT NOT NULL) STRICT;
CREATE TABLE audit_checkpoints (
  segment TEXT PRIMARY KEY, rows INTEGER NOT NULL, last_change INTEGER NOT NULL, hash BLOB NOT NULL,
  closed_at INTEGER NOT NULL, dropped_at INTEGER) STRICT;
DROP INDEX changes_key;
CREATE UNIQUE INDEX changes_key ON changes (user_id, author, key) WHERE key IS NOT NULL;
ALTER TABLE changes ADD COLUMN erased_by INTEGER;
ALTER TABLE changes ADD COLUMN payload BLOB NOT NULL DEFAULT x'';
ALTER TABLE recalls ADD COLUMN crossed INTEGER NOT NULL DEFAULT 0;

ALTER TABLE upkeep ADD COLUMN words_behind INTEGER NOT NULL DEFAULT 1;
ALTER TABLE upkeep ADD COLUMN file_behind INTEGER NOT NULL DEFAULT 0;
ALTER TABLE searchable ADD COLUMN claim_hash TEXT;
CREATE INDEX searchable_claim ON searchable (claim_hash) WHERE claim_hash IS NOT NULL;
DROP INDEX facts_claim;
CREATE TABLE categories (
  user_id TEXT NOT NULL, channel TEXT NOT NULL, category TEXT NOT NULL, facts INTEGER NOT NULL, total BLOB NOT NULL,
  PRIMARY KEY (user_id, channel, category)) STRICT, WITHOUT ROWID;
