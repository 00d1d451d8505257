-- The first schema of a desk, created by the first migration. Frozen: later migrations change it.

CREATE TABLE records (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL) STRICT;

CREATE TABLE channels (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, name TEXT NOT NULL,
  number INTEGER NOT NULL, created_at INTEGER NOT NULL, retired_at INTEGER, UNIQUE (user_id, name)) STRICT;

CREATE TABLE conversations (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  title TEXT NOT NULL, started_at INTEGER NOT NULL, consolidated_index INTEGER NOT NULL, retired_at INTEGER) STRICT;
CREATE INDEX conversations_channel ON conversations (user_id, channel, started_at);
CREATE INDEX conversations_agent ON conversations (agent_id);

CREATE TABLE turns (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  conversation_id TEXT NOT NULL REFERENCES conversations (id), turn_index INTEGER NOT NULL, role TEXT NOT NULL,
  speaker TEXT NOT NULL, content TEXT NOT NULL, token_count INTEGER, model TEXT, metadata TEXT NOT NULL,
  created_at INTEGER NOT NULL, retired_at INTEGER, UNIQUE (conversation_id, turn_index)) STRICT;

CREATE TABLE facts (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  claim TEXT NOT NULL, category TEXT NOT NULL, confidence REAL NOT NULL, source TEXT NOT NULL,
  source_turn_id TEXT REFERENCES turns (id), quote TEXT NOT NULL, temporal TEXT,
  promoted_from TEXT REFERENCES facts (id), superseded_by TEXT REFERENCES facts (id), pinned INTEGER NOT NULL,
  salience REAL NOT NULL, salience_at INTEGER NOT NULL, created_at INTEGER NOT NULL, retired_at INTEGER) STRICT;
CREATE INDEX facts_claim ON facts (user_id, channel, claim COLLATE NOCASE);
CREATE INDEX facts_turn ON facts (source_turn_id) WHERE source_turn_id IS NOT NULL;
CREATE INDEX facts_promoted ON facts (promoted_from) WHERE promoted_from IS NOT NULL;
CREATE INDEX facts_superseded ON facts (superseded_by) WHERE superseded_by IS NOT NULL;

CREATE TABLE entities (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  name TEXT NOT NULL, type TEXT NOT NULL, description TEXT NOT NULL, properties TEXT NOT NULL,
  pinned INTEGER NOT NULL, salience REAL NOT NULL, salience_at INTEGER NOT NULL, created_at INTEGER NOT NULL,
  retired_at INTEGER) STRICT;
CREATE INDEX entities_name ON entities (user_id, name COLLATE NOCASE);

CREATE TABLE aliases (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL,
  entity_id TEXT NOT NULL REFERENCES entities (id), name TEXT NOT NULL, created_at INTEGER NOT NULL,
  retired_at INTEGER) STRICT;
CREATE INDEX aliases_name ON aliases (user_id, name COLLATE NOCASE);
CREATE INDEX aliases_entity ON aliases (entity_id);

CREATE TABLE relations (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL,
  source_id TEXT NOT NULL REFERENCES records (id), target_id TEXT NOT NULL REFERENCES records (id),
  type TEXT NOT NULL, confidence REAL NOT NULL, source_turn_id TEXT REFERENCES turns (id),
  created_at INTEGER NOT NULL, retired_at INTEGER) STRICT;
CREATE INDEX relations_source ON relations (source_id, type, target_id);
CREATE INDEX relations_target ON relations (target_id, type);
CREATE INDEX relations_turn ON relations (source_turn_id) WHERE source_turn_id IS NOT NULL;

CREATE TABLE workspaces (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  name TEXT NOT NULL, path TEXT NOT NULL, layout TEXT NOT NULL, created_at INTEGER NOT NULL, retired_at INTEGER,
  UNIQUE (user_id, path)) STRICT;

CREATE TABLE documents (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id), path TEXT NOT NULL, layer TEXT NOT NULL, day TEXT,
  content_hash TEXT NOT NULL, size INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  retired_at INTEGER, UNIQUE (workspace_id, path)) STRICT;
CREATE INDEX documents_day ON documents (day) WHERE day IS NOT NULL;

CREATE TABLE versions (hash TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT;

CREATE TABLE changes (
  id INTEGER PRIMARY KEY, at INTEGER NOT NULL, op TEXT NOT NULL, layer TEXT NOT NULL, title TEXT NOT NULL,
  author TEXT NOT NULL, channel TEXT NOT NULL, user_id TEXT NOT NULL, run TEXT, key TEXT, undoes INTEGER,
  undone_by INTEGER, details TEXT NOT NULL, took_us INTEGER NOT NULL, hash BLOB NOT NULL) STRICT;
CREATE UNIQUE INDEX changes_key ON changes (key) WHERE key IS NOT NULL;
CREATE INDEX changes_run ON changes (run) WHERE run IS NOT NULL;
CREATE INDEX changes_author ON changes (author, id);

CREATE TABLE edits (
  change INTEGER NOT NULL, n INTEGER NOT NULL, kind TEXT NOT NULL, record TEXT NOT NULL, before TEXT, after TEXT,
  PRIMARY KEY (change, n)) STRICT, WITHOUT ROWID;
CREATE INDEX edits_record ON edits (record, change);

CREATE TABLE recalls (
  id INTEGER PRIMARY KEY, at INTEGER NOT NULL, title TEXT NOT NULL, author TEXT NOT NULL, channel TEXT NOT NULL,
  user_id TEXT NOT NULL, conversation_id TEXT, query TEXT NOT NULL, took_us INTEGER NOT NULL) STRICT;
CREATE INDEX recalls_author ON recalls (author, id);
CREATE TABLE recalled (
  recall INTEGER NOT NULL, position INTEGER NOT NULL, seq INTEGER NOT NULL, score REAL NOT NULL,
  PRIMARY KEY (recall, position)) STRICT, WITHOUT ROWID;
CREATE INDEX recalled_seq ON recalled (seq, recall);
CREATE TABLE usage (
  seq INTEGER PRIMARY KEY, access_count INTEGER NOT NULL, last_accessed INTEGER NOT NULL, salience REAL NOT NULL)
  STRICT;
CREATE TABLE rollup (
  hour INTEGER NOT NULL, op TEXT NOT NULL, layer TEXT NOT NULL, author TEXT NOT NULL, channel TEXT NOT NULL,
  n INTEGER NOT NULL, PRIMARY KEY (hour, op, layer, author, channel)) STRICT, WITHOUT ROWID;

CREATE VIEW events AS
  SELECT id, at, op, layer, title, author, channel, user_id, took_us, run, undoes, undone_by FROM changes
  UNION ALL
  SELECT id, at, CAST('recall' AS TEXT), CAST('episodic' AS TEXT), title, author, channel, user_id, took_us,
    CAST(NULL AS TEXT), CAST(NULL AS INTEGER), CAST(NULL AS INTEGER) FROM recalls;

CREATE TABLE searchable (
  seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, user_id TEXT NOT NULL, channel TEXT NOT NULL, text_hash BLOB NOT NULL,
  embedding INTEGER) STRICT;
CREATE INDEX searchable_scope ON searchable (user_id, channel, kind);
CREATE INDEX searchable_unembedded ON searchable (seq) WHERE embedding IS NULL;
CREATE TABLE passages (
  seq INTEGER PRIMARY KEY, document_id TEXT NOT NULL REFERENCES documents (id), heading TEXT NOT NULL,
  first_line INTEGER NOT NULL, last_line INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
CREATE INDEX passages_document ON passages (document_id);
CREATE VIRTUAL TABLE words USING fts5 (
  body, scope, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
CREATE TABLE embedder (model TEXT NOT NULL) STRICT;
CREATE TABLE embeddings (
  id INTEGER PRIMARY KEY, hash BLOB NOT NULL, model TEXT NOT NULL, vector BLOB NOT NULL, UNIQUE (hash, model)) STRICT;
