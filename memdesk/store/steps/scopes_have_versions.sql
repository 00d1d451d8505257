-- Versions of searchable scopes: kinds in channels. Cached data of a scope is valid until its version changes.

CREATE TABLE scopes (
  user_id TEXT NOT NULL, channel TEXT NOT NULL, kind TEXT NOT NULL, version INTEGER NOT NULL,
  PRIMARY KEY (user_id, channel, kind)) STRICT, WITHOUT ROWID;
INSERT INTO scopes SELECT user_id, channel, kind, random() FROM searchable GROUP BY user_id, channel, kind;
