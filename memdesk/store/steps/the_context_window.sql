-- Sessions and compactions, and the log of contexts given to agents: each text is stored once, even if it was given
-- often.

CREATE TABLE sessions (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  title TEXT NOT NULL, conversation_id TEXT NOT NULL, policy TEXT, window_tokens INTEGER, created_at INTEGER NOT NULL,
  retired_at INTEGER) STRICT;
CREATE INDEX sessions_user ON sessions (user_id, created_at);

CREATE TABLE compactions (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, agent_id TEXT,
  conversation_id TEXT NOT NULL REFERENCES conversations (id), session_id TEXT, policy TEXT NOT NULL,
  previous_id TEXT REFERENCES compactions (id), first_index INTEGER NOT NULL, last_index INTEGER NOT NULL,
  summary TEXT NOT NULL, message TEXT NOT NULL, sentences TEXT NOT NULL, by TEXT NOT NULL, note TEXT NOT NULL,
  kept TEXT NOT NULL, lost TEXT NOT NULL, messages_before INTEGER NOT NULL, messages_after INTEGER NOT NULL,
  characters_before INTEGER NOT NULL, characters_after INTEGER NOT NULL, tokens_before INTEGER NOT NULL,
  tokens_after INTEGER NOT NULL, took_us INTEGER NOT NULL, created_at INTEGER NOT NULL, retired_at INTEGER) STRICT;
CREATE INDEX compactions_conversation ON compactions (conversation_id, seq);
CREATE INDEX compactions_previous ON compactions (previous_id) WHERE previous_id IS NOT NULL;
CREATE INDEX compactions_user ON compactions (user_id, seq);

CREATE TABLE prompts (
  id INTEGER PRIMARY KEY, at INTEGER NOT NULL, author TEXT NOT NULL, user_id TEXT NOT NULL, channel TEXT NOT NULL,
  agent_id TEXT, session_id TEXT, conversation_id TEXT, turn_index INTEGER, query TEXT NOT NULL,
  budget_tokens INTEGER NOT NULL, tokens INTEGER NOT NULL, format TEXT NOT NULL, took_us INTEGER NOT NULL) STRICT;
CREATE INDEX prompts_time ON prompts (at);
CREATE INDEX prompts_conversation ON prompts (conversation_id, id) WHERE conversation_id IS NOT NULL;
CREATE INDEX prompts_session ON prompts (session_id, id) WHERE session_id IS NOT NULL;
CREATE TABLE prompt_pieces (
  prompt INTEGER NOT NULL, n INTEGER NOT NULL, name TEXT NOT NULL, source TEXT NOT NULL, tokens INTEGER NOT NULL,
  cut INTEGER NOT NULL, ids TEXT NOT NULL, text INTEGER NOT NULL, PRIMARY KEY (prompt, n)) STRICT, WITHOUT ROWID;
CREATE INDEX prompt_pieces_text ON prompt_pieces (text);
CREATE TABLE prompt_texts (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;
