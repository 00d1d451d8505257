CREATE TABLE projects (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL, name TEXT NOT NULL,
  identity TEXT NOT NULL, root TEXT NOT NULL, first_commit TEXT NOT NULL, mark TEXT NOT NULL,
  created_at INTEGER NOT NULL, retired_at INTEGER, digest BLOB, UNIQUE (user_id, identity)) STRICT;
